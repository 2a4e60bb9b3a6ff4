export const id = 908;
export const ids = [908];
export const modules = {

/***/ 8057:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $q: () => (/* binding */ readCheckedOutCommit),
/* harmony export */   PZ: () => (/* binding */ refuseOtherCheckOut),
/* harmony export */   cq: () => (/* binding */ refusePullRequestTarget),
/* harmony export */   xg: () => (/* binding */ otherCheckOut)
/* harmony export */ });
/* harmony import */ var _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2719);

async function readCheckedOutCommit(target, repository, signal) {
    const commit = await repository.resolveCommit('HEAD', { signal });
    if (commit === target.commit)
        return { commit, kind: 'target', parents: [], description: descriptionOf(target) };
    const other = { commit, kind: 'other', parents: [], description: 'not the commit of the event' };
    const { mergeCommits = [], pullRequest, mergedCommits } = target;
    if (pullRequest === undefined || !mergeCommits.includes(commit))
        return other;
    const parents = await repository.parents(commit, { signal });
    const [onto = '', head] = parents;
    if (mergedCommits !== undefined)
        return { commit, kind: 'merge', parents, description: `the merge commit of pull request ${pullRequest}` };
    if (head !== target.commit)
        return other;
    const merge = `GitHub’s test merge of the head ${short(head)} of pull request ${pullRequest}`;
    return { commit, kind: 'merge', parents, description: `${merge} into ${short(onto)}` };
}
function descriptionOf({ kind, branch, tag, pullRequest }) {
    switch (kind) {
        case 'pull-request':
            return `the head of pull request ${String(pullRequest)}`;
        case 'merge-group':
            return 'the head of the merge group';
        case 'branch':
            return `the branch ${branch}`;
        case 'tag':
            return `the tag ${String(tag)}`;
        case 'commit':
            return 'the commit of the event';
    }
}
function refuseOtherCheckOut({ kind, commit }, target, { input, otherwise }) {
    if (kind !== 'other')
        return;
    const [here, there] = [short(commit), short(target.commit)];
    const isPull = target.kind === 'pull-request';
    throw new _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('usage', {
        message: isPull
            ? `The checked-out commit ${here} is neither the head ${there} of the pull request nor GitHub’s test merge of it.`
            : `The checked-out commit ${here} is not ${there}, the commit to check.`,
        where: { input },
        hint: `${isPull ? usualOfPull : usualOfOthers} ${otherwise}`,
    });
}
const otherCheckOut = 'For another check-out, name its commit in the input commit.';
const usualOfPull = 'Start the workflow on pull_request, and use actions/checkout without a ref.';
const usualOfOthers = 'Check this commit out, with the input ref of actions/checkout.';
function refusePullRequestTarget({ eventName }) {
    if (eventName !== 'pull_request_target')
        return;
    throw new _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('usage', {
        message: 'The event pull_request_target runs with secrets and checks out the target branch, so the pipelines of the pull request are not run.',
        where: { input: 'GITHUB_EVENT_NAME' },
        hint: 'Start the workflow on pull_request, and use actions/checkout without a ref. Do not check out the head of the pull request on pull_request_target: its pipelines would run beside your secrets.',
    });
}
function short(commit) {
    return commit.slice(0, 12);
}


/***/ }),

/***/ 8070:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  j: () => (/* binding */ openCheckedOutTests)
});

// UNUSED EXPORTS: projectPrefix

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/core/text/look-alike.js
var look_alike = __webpack_require__(3143);
// EXTERNAL MODULE: ./lib/core/files/glob.js
var files_glob = __webpack_require__(5903);
;// CONCATENATED MODULE: ./lib/core/files/resolve-names.js




async function resolveNames(names, { cwd, root, paths, candidates, what, input = 'files', hint }) {
    const [here, top] = await Promise.all([(0,promises_.realpath)(cwd), (0,promises_.realpath)(root)]);
    const files = new Set(paths);
    const folders = new Set(paths.flatMap(foldersOf));
    const filesOf = (name, places) => {
        const file = places.find((place) => files.has(place));
        if (file !== undefined)
            return [file];
        const folder = places.find((place) => place === '' || folders.has(place));
        if (folder !== undefined)
            return candidates.filter((candidate) => folder === '' || candidate.startsWith(`${folder}/`));
        if (!isGlob(name))
            return undefined;
        const matchers = places.map((place) => matcherOf(place, { name, input }));
        const matches = matchers.map((matcher) => candidates.filter((candidate) => matcher(candidate) || foldersOf(candidate).some(matcher)));
        return matches.find((matched) => matched.length > 0) ?? [];
    };
    const fromTop = (file) => external_node_path_.relative(top, file).split(external_node_path_.sep).join('/');
    const resolved = await Promise.all(names.map(async (name) => {
        const full = await realFolderOf(external_node_path_.resolve(here, name));
        return { name, full, target: await (0,promises_.realpath)(full).catch(() => full) };
    }));
    return resolved.flatMap(({ name, full, target }) => {
        const fromRoot = fromTop(external_node_path_.resolve(here, name));
        const places = [fromRoot, fromTop(full), fromTop(target), external_node_path_.posix.normalize(name).replace(/\/$/, '')];
        const chosen = filesOf(name, places);
        if (chosen === undefined)
            return [fromRoot];
        if (chosen.length > 0)
            return chosen;
        throw new failure/* Failure */.HR('usage', {
            message: isGlob(name)
                ? `No ${what} of the project matches "${name}".`
                : `The folder "${name}" contains no ${what} of the project.`,
            where: { input },
            hint,
        });
    });
}
async function realFolderOf(file) {
    const folder = external_node_path_.dirname(file);
    if (folder === file)
        return file;
    const real = await (0,promises_.realpath)(folder).catch(() => realFolderOf(folder));
    return external_node_path_.join(real, external_node_path_.basename(file));
}
function isGlob(name) {
    return /[*?{]/.test(name);
}
function matcherOf(glob, typed) {
    try {
        return (0,files_glob/* compileGlob */.S)(glob);
    }
    catch (error) {
        if (!(error instanceof RangeError))
            throw error;
        throw new failure/* Failure */.HR('usage', {
            message: `Invalid glob "${typed.name.slice(0, 80)}": ${error.message}.`,
            hint: 'Quote the glob, and check its brackets and braces. Use `*` or several globs in place of many braces.',
            where: { input: typed.input },
        });
    }
}
function foldersOf(file) {
    const parts = file.split('/');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

// EXTERNAL MODULE: ./lib/pipelines/model/calls.js
var calls = __webpack_require__(9846);
// EXTERNAL MODULE: ./lib/pipelines/model/closest-pipeline.js
var closest_pipeline = __webpack_require__(4239);
// EXTERNAL MODULE: ./lib/pipelines/model/pipeline-kind.js
var pipeline_kind = __webpack_require__(5544);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/find-tests.js
var find_tests = __webpack_require__(5299);
;// CONCATENATED MODULE: ./flows/pipeline-tests/files/choose-tests.js







async function chooseTests({ names, cwd, folderOption }, project) {
    const all = (0,find_tests/* testFiles */.us)(project);
    if (names.length === 0) {
        if (all.length > 0)
            return all;
        const message = `The project in ${project.directory} has no test.${otherNameText(project)}${otherProjectsText(project, folderOption)}`;
        throw new failure/* Failure */.HR('no-test', project.pipelines.length === 0 ? noPipeline(project, folderOption) : { message });
    }
    const resolved = await resolveNames(names, {
        cwd,
        root: project.directory,
        paths: project.paths,
        candidates: [...all, ...project.pipelines],
        what: 'test or pipeline',
        hint: 'Give test files, pipelines, folders or globs.',
    });
    const chosen = resolved.map((name) => (project.has(name) ? name : ((0,calls/* resolveCall */.XC)(name, project) ?? name)));
    for (const name of chosen) {
        if (project.has(name) && ((0,find_tests/* isTest */.Nu)(name, project) || (0,pipeline_kind/* kindOf */.I)(name) !== undefined))
            continue;
        const message = project.has(name)
            ? `"${name}" is neither a test file nor a pipeline.`
            : `"${name}" does not exist in the project.${(0,look_alike/* hintAt */.tg)(name, (0,closest_pipeline/* closestPipeline */._)(name, [...project.pipelines, ...all]))}`;
        const hint = 'Give a *.test.yaml file, a pipeline, or a folder or glob that finds some.';
        throw new failure/* Failure */.HR('usage', { message, hint, where: { input: 'files' } });
    }
    const files = (0,find_tests/* testFilesOf */.$D)(chosen, project);
    if (files.length > 0)
        return files;
    throw new failure/* Failure */.HR('no-test', { message: `No test was found for ${names.join(', ')}.` });
}
function noPipeline(project, folderOption) {
    return {
        message: `The project in ${project.directory} has no test, and no pipeline.${otherNameText(project)}${otherProjectsText(project, folderOption)}`,
        hint: `Start the command in the folder of your project, or name that folder with ${folderOption}. The name of a pipeline ends in .orch.yaml or .tran.yaml, and the name of a test in .test.yaml.`,
    };
}
function otherNameText({ paths, isHidden }) {
    const hidden = paths.find((path) => (0,find_tests/* isTestFile */.hl)(path) && isHidden(path));
    if (hidden !== undefined)
        return ` ${hidden} is left out, because a name in its path begins with a dot: give the file itself, or let files.include in millrace.yaml match its pipeline.`;
    const other = paths.find(find_tests/* mayBeMisnamed */.tX);
    return other === undefined ? '' : ` ${other} is not a test: its name must end in .test.yaml.`;
}
function otherProjectsText({ otherProjects }, option) {
    const [first] = otherProjects;
    return first === undefined
        ? ''
        : ` Folders below it are projects of their own, such as ${first}: to test that one, give ${option} ${first}.`;
}

// EXTERNAL MODULE: ./flows/pipeline-tests/files/overlay-project.js
var overlay_project = __webpack_require__(9926);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-project.js + 1 modules
var test_project = __webpack_require__(2857);
// EXTERNAL MODULE: ./lib/config/project/read-project-config.js + 1 modules
var read_project_config = __webpack_require__(3929);
// EXTERNAL MODULE: ./lib/core/files/read-plain-file.js
var read_plain_file = __webpack_require__(1951);
// EXTERNAL MODULE: ./lib/config/project/settings-elsewhere.js
var settings_elsewhere = __webpack_require__(1840);
// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: ./lib/git/work-tree/index-entries.js
var index_entries = __webpack_require__(1168);
// EXTERNAL MODULE: ./lib/git/process/open-place.js + 1 modules
var open_place = __webpack_require__(5298);
// EXTERNAL MODULE: ./lib/git/package-folder.js
var package_folder = __webpack_require__(6755);
// EXTERNAL MODULE: ./lib/git/objects/scan-blobs.js
var scan_blobs = __webpack_require__(305);
// EXTERNAL MODULE: ./lib/git/snapshot.js
var snapshot = __webpack_require__(3804);
// EXTERNAL MODULE: ./lib/git/process/throw-if-sparse.js
var throw_if_sparse = __webpack_require__(6935);
// EXTERNAL MODULE: ./lib/git/objects/tree-entry.js
var tree_entry = __webpack_require__(8720);
;// CONCATENATED MODULE: ./lib/git/work-tree/left-out-files.js









async function leftOutFiles(directory, { environment, signal, accepts, maxBytes }) {
    try {
        const { place, root, prefix } = await (0,open_place/* openPlace */.Q)(directory, environment, signal);
        (0,throw_if_sparse/* refuseMissingIndex */.z)(root, environment?.['GIT_INDEX_FILE']);
        const under = prefix === '' ? '' : `${prefix}/`;
        const entries = (await (0,index_entries/* indexEntries */.n)({ ...place, directory: root }, false, signal)).flatMap((entry) => entry.path.startsWith(under) ? [{ ...entry, name: entry.path.slice(under.length) }] : []);
        const isOther = inOtherProject(entries.map(({ name }) => name));
        const missing = entries.filter(({ name, type, isLeftOut }) => isLeftOut &&
            type === 'blob' &&
            accepts(name) &&
            !(0,package_folder/* isInPackages */.X)(name) &&
            !isOther(name) &&
            (0,external_node_fs_.lstatSync)(external_node_path_.join(directory, name), { throwIfNoEntry: false }) === undefined);
        const present = missing.filter((entry) => !(0,tree_entry/* isAbsent */.W0)(entry) && !(0,tree_entry/* isLink */.PJ)(entry));
        const read = await (0,snapshot/* readEntries */.$2)((oids, visit) => (0,scan_blobs/* scanBlobs */._)(place, oids, visit, signal), present.map(({ name, ...entry }) => ({ ...entry, path: name })), { unread: new Map(), maxBytes, accepts: undefined });
        const settings = entries.filter(({ name, isLeftOut }) => isLeftOut && name.endsWith(projectEnding));
        const projects = settings.map(({ name }) => name.slice(0, -projectEnding.length));
        const submodules = entries.flatMap(({ name, type, isLeftOut }) => type === 'commit' && !isLeftOut && !isOther(name) && isEmpty(external_node_path_.join(directory, name)) ? [name] : []);
        const absent = missing.filter(tree_entry/* isAbsent */.W0).map(({ name }) => name);
        return { contents: read, projects, absent, submodules };
    }
    catch (error) {
        (0,throw_if_sparse/* throwIfSparse */.E)(error, directory, signal);
        return { contents: new Map(), absent: [], projects: [], submodules: [] };
    }
}
function isEmpty(folder) {
    try {
        return (0,external_node_fs_.readdirSync)(folder).length === 0;
    }
    catch {
        return true;
    }
}
const projectEnding = '/millrace.yaml';
function inOtherProject(names) {
    const folders = names.flatMap((name) => name.endsWith(projectEnding) ? [name.slice(0, 1 - projectEnding.length)] : []);
    return (name) => folders.some((folder) => name.startsWith(folder));
}

// EXTERNAL MODULE: ./lib/git/work-tree/left-out-text.js
var left_out_text = __webpack_require__(3829);
// EXTERNAL MODULE: ./lib/pipelines/model/read-pipeline.js
var read_pipeline = __webpack_require__(5882);
// EXTERNAL MODULE: ./actions/kit/checkout/default-config.js
var default_config = __webpack_require__(8337);
// EXTERNAL MODULE: ./actions/kit/checkout/refuse-nested-projects.js
var refuse_nested_projects = __webpack_require__(7278);
// EXTERNAL MODULE: ./actions/kit/checkout/project.js + 4 modules
var project = __webpack_require__(2002);
// EXTERNAL MODULE: ./actions/kit/checkout/repository-folder.js
var repository_folder = __webpack_require__(9316);
// EXTERNAL MODULE: ./actions/kit/checkout/test-failures.js
var test_failures = __webpack_require__(5823);
;// CONCATENATED MODULE: ./actions/kit/checkout/checked-out-tests.js




















async function openCheckedOutTests(folder, names, step) {
    const { workspace } = step.facts;
    const directory = await projectFolder(folder, workspace);
    const repository = await (0,promises_.realpath)((await (0,repository_folder/* repositoryFolder */.p)(directory, workspace)) ?? workspace);
    const prefix = projectPrefix(repository, directory);
    const saved = await readConfig(directory, prefix, step);
    if (saved === undefined)
        (0,settings_elsewhere/* refuseSettingsElsewhereOnDisk */._S)(repository, directory, 'working-directory');
    const config = saved ?? default_config/* defaultConfig */.s;
    const leftOut = await leftOutFiles(directory, {
        environment: step.environment,
        signal: step.context.signal,
        accepts: find_tests/* isTestFile */.hl,
        maxBytes: read_pipeline/* maxPipelineBytes */.sE,
    });
    const options = { ...(0,test_project/* projectOptions */.Mh)(config), otherProjects: leftOut.projects };
    const project = (0,test_project/* openTestProject */.qD)(directory, config.engine.warehouse, options);
    refuseEmptyWorkspace(project);
    try {
        const choice = { names, cwd: directory, folderOption: 'working-directory:' };
        await refuseLeftOutTests(choice, project, leftOut);
        const files = await chooseTests(choice, project);
        if (saved === undefined && names.length === 0)
            (0,refuse_nested_projects/* refuseNestedProjects */.K)(project.otherProjects, 'test');
        return { project, prefix, files, config };
    }
    catch (error) {
        throw (0,test_failures/* explainTestFailure */.A)(error, prefix, step);
    }
}
async function refuseLeftOutTests(choice, project, { contents, absent }) {
    const leftOut = new Set([...contents.keys(), ...absent]);
    if (leftOut.size === 0)
        return;
    const all = new Map([...absent.map((file) => [file, Buffer.of()]), ...contents]);
    const chosen = await chooseTests(choice, (0,overlay_project/* overlayProject */._)(project, { contents: all }));
    const [first, ...others] = chosen.filter((file) => leftOut.has(file));
    if (first === undefined)
        return;
    const more = others.length === 0 ? '' : ` and ${(0,number_of/* numberOf */.r)(others.length, 'other test file')}`;
    throw new failure/* Failure */.HR('usage', {
        message: `${first}${more} would not run: it is outside of the sparse check-out.`,
        where: { input: 'files' },
        hint: 'Add the folder to sparse-checkout in the step with actions/checkout, or remove sparse-checkout. To run only some tests, name them in the input files.',
    });
}
async function projectFolder(name, workspace) {
    try {
        const folder = await (0,promises_.realpath)((0,external_node_path_.join)(workspace, name));
        if ((await (0,promises_.stat)(folder)).isDirectory())
            return folder;
    }
    catch (cause) {
        const isMissing = cause.code === 'ENOENT';
        throw new failure/* Failure */.HR('usage', {
            message: `The folder "${name}" ${isMissing ? 'does not exist in the workspace' : 'cannot be read'}.`,
            where: { input: 'working-directory' },
            hint: 'Give a folder of the repository, and add a step with actions/checkout before this step.',
            cause,
        });
    }
    throw (0,project/* notFolder */.QA)(name);
}
async function readConfig(directory, prefix, { environment, context }) {
    const file = `${prefix}${default_config/* configName */.k}`;
    const reading = (0,read_plain_file/* readPlainFile */.b)((0,external_node_path_.join)(directory, default_config/* configName */.k), file);
    const text = await reading.catch((error) => {
        if (error.code === 'ENOENT')
            return (0,left_out_text/* leftOutText */.jG)(directory, default_config/* configName */.k, { environment, signal: context.signal });
        throw error;
    });
    return text === undefined ? undefined : (0,read_project_config/* readProjectConfig */.Q)(text, file);
}
function refuseEmptyWorkspace({ paths, otherProjects }) {
    if (paths.length > 0 || otherProjects.length > 0)
        return;
    throw new failure/* Failure */.HR('no-test', {
        message: 'No test was found: the folder is empty.',
        where: { input: 'working-directory' },
        hint: 'Add a step with actions/checkout before this step.',
    });
}
function projectPrefix(repository, project, paths = external_node_path_) {
    const between = paths.relative(repository, project).split(paths.sep).join('/');
    return between === '' ? '' : `${between}/`;
}


/***/ }),

/***/ 4108:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   l: () => (/* binding */ findBase)
/* harmony export */ });
/* harmony import */ var _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2719);
/* harmony import */ var _lib_github_workflow_run_event_target_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9017);
/* harmony import */ var _lib_github_workflow_run_fetch_commit_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(901);
/* harmony import */ var _checked_out_commit_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8057);




const isGone = /not our ref|unadvertised object|couldn't find remote ref/i;
async function findBase(target, search) {
    const { inputBase, checkedOut, repository, fetch } = search;
    const have = (commit) => (0,_lib_github_workflow_run_fetch_commit_js__WEBPACK_IMPORTED_MODULE_2__/* .fetchedCommit */ .vm)(repository, { ...fetch, commit });
    if (inputBase !== undefined) {
        (0,_lib_github_workflow_run_event_target_js__WEBPACK_IMPORTED_MODULE_1__/* .requireCommitId */ .YF)(inputBase, 'base');
        return { commit: await have(inputBase), notes: [] };
    }
    const { base, kind } = target;
    if (base === undefined)
        return noBase;
    if (kind === 'pull-request' || kind === 'merge-group') {
        const otherwise = 'For another check-out, set the input base to the commit to compare with.';
        (0,_checked_out_commit_js__WEBPACK_IMPORTED_MODULE_3__/* .refuseOtherCheckOut */ .PZ)(checkedOut, target, { input: 'base', otherwise });
    }
    if (kind !== 'pull-request') {
        const commit = await have(base).catch((error) => {
            if (!(error instanceof _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR) || !isGone.test(error.message))
                throw error;
            return undefined;
        });
        return commit === undefined ? noBase : { commit, notes: [] };
    }
    const [onto, merged] = checkedOut.parents;
    if (onto !== undefined) {
        if (merged === undefined && (await isRebased(target, search)))
            return rebased;
        return { commit: await have(onto), notes: [] };
    }
    const head = checkedOut.commit;
    const tip = await have(base);
    const fork = await mergeBase(tip, head, search);
    if (fork !== undefined)
        return { commit: await have(fork), notes: [] };
    return {
        commit: tip,
        notes: [
            `Where the branch began is not known: the check-out has too little history. It was compared with ${tip.slice(0, 12)}, so later changes of the target branch count too.`,
        ],
    };
}
const noBase = {
    reason: 'Nothing was compared: the event names no earlier commit, or GitHub does not have it any more. To name one, set the input base.',
};
const rebased = {
    reason: 'Nothing was compared: the pull request was merged as several commits (a rebase), and the event does not name the commit before them. To name it, set the input base.',
};
async function isRebased({ mergedCommits = 1, commit }, { checkedOut, repository, fetch }) {
    if (mergedCommits <= 1)
        return false;
    const { signal } = fetch;
    const id = await (0,_lib_github_workflow_run_fetch_commit_js__WEBPACK_IMPORTED_MODULE_2__/* .fetchedCommit */ .vm)(repository, { ...fetch, commit });
    const [[merged], [head]] = await Promise.all([
        repository.log(checkedOut.commit, { limit: 1, signal }),
        repository.log(id, { limit: 1, signal }),
    ]);
    return (merged?.subject === head?.subject &&
        merged?.authoredAt === head?.authoredAt &&
        merged?.authorName === head?.authorName &&
        merged?.authorEmail === head?.authorEmail);
}
async function mergeBase(base, head, { repository, connection, fetch: { signal } }) {
    const unlessAborted = (error) => {
        if (!(error instanceof _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR) || signal?.aborted === true)
            throw error;
        return undefined;
    };
    return ((await repository.mergeBase(base, head, { signal }).catch(unlessAborted)) ??
        (await connection?.commits.mergeBase(connection.repository, base, head).catch(unlessAborted)));
}


/***/ }),

/***/ 2024:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  x: () => (/* binding */ testCache)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:process"
var external_node_process_ = __webpack_require__(1708);
// EXTERNAL MODULE: ./engine/index.js + 344 modules
var emitted_engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./lib/core/values/version.js
var version = __webpack_require__(56);
;// CONCATENATED MODULE: ./flows/pipeline-tests/cache/program-key.js



function programKey({ code, packages, python, }) {
    const engine = (0,emitted_engine/* installedDuckdb */.O3)(packages);
    if (engine === undefined)
        return undefined;
    const machine = [external_node_process_.version, external_node_process_.platform, external_node_process_.arch];
    return JSON.stringify([version/* version */.r, code, engine, ...machine, python ?? null]);
}

// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/core/errors/message-of.js
var message_of = __webpack_require__(2318);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
;// CONCATENATED MODULE: ./lib/core/files/inside-folder.js


function isInsideFolder(file, folder) {
    const relative = external_node_path_.relative(realPath(folder), realPath(file));
    return relative === '' || (!/^\.\.(?:[\\/]|$)/.test(relative) && !external_node_path_.isAbsolute(relative));
}
function realPath(file) {
    try {
        return (0,external_node_fs_.realpathSync)(file);
    }
    catch {
        const parent = external_node_path_.dirname(file);
        return parent === file ? file : external_node_path_.join(realPath(parent), external_node_path_.basename(file));
    }
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./lib/core/files/program-digest.js



const known = new Map();
function programDigest(folders) {
    const key = JSON.stringify(folders);
    const before = known.get(key);
    if (before !== undefined)
        return before;
    const hash = (0,external_node_crypto_.createHash)('sha256');
    for (const folder of folders)
        for (const file of codeFiles(folder)) {
            const content = (0,external_node_fs_.readFileSync)(external_node_path_.join(folder, file));
            hash.update(`${file}\n${content.length}\n`).update(content);
        }
    const digest = hash.digest('hex');
    known.set(key, digest);
    return digest;
}
function codeFiles(folder) {
    return (0,external_node_fs_.readdirSync)(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s|json|py)$/.test(entry.name))
        .map(({ parentPath, name }) => external_node_path_.relative(folder, external_node_path_.join(parentPath, name)))
        .toSorted();
}

;// CONCATENATED MODULE: ./actions/kit/checkout/test-cache.js






function testCache(folder, packages, { facts, context, log }) {
    if (folder === undefined)
        return undefined;
    const absolute = external_node_path_.resolve(facts.workspace, folder);
    if (isInsideFolder(absolute, facts.workspace)) {
        throw new failure/* Failure */.HR('usage', {
            message: `The folder "${folder}" is in the workspace: a pull request could bring results of tests that never ran.`,
            where: { input: 'cache' },
            hint: 'Name a folder outside of the workspace, such as ${{ runner.temp }}/millrace-tests.',
        });
    }
    const program = programKey({ code: programDigest(codeFolders()), packages, python: undefined });
    if (program === undefined)
        return undefined;
    return {
        folder: absolute,
        program,
        now: context.clock.now(),
        onFailure: (error) => log(`The results of the tests could not be kept in ${absolute}: ${(0,message_of/* messageOf */.b)(error)}`),
    };
}
function codeFolders() {
    const here = import.meta.dirname;
    if (!import.meta.url.endsWith('.ts'))
        return [here];
    return ['engine', 'flows', 'lib'].map((name) => external_node_path_.resolve(here, '../../..', name));
}


/***/ }),

/***/ 5823:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ explainTestFailure),
/* harmony export */   B: () => (/* binding */ invalidTests)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9713);
/* harmony import */ var _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2719);
/* harmony import */ var _lib_report_annotations_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2850);



const problemsSchema = zod__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ file: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), line: zod__WEBPACK_IMPORTED_MODULE_2__/* .int */ .Whr(), column: zod__WEBPACK_IMPORTED_MODULE_2__/* .int */ .Whr(), message: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP() }));
function invalidTests(failure, prefix, { command }) {
    const problems = problemsSchema
        .parse(failure.details['problems'])
        .map((problem) => ({ ...problem, file: `${prefix}${problem.file}` }));
    for (const { message, ...place } of problems.slice(1, _lib_report_annotations_js__WEBPACK_IMPORTED_MODULE_1__/* .maximumPerLevel */ .en)) {
        command((0,_lib_report_annotations_js__WEBPACK_IMPORTED_MODULE_1__/* .annotationCommand */ .jx)('error', message, { ...place, title: `Millrace: ${failure.code}` }));
    }
    const { file = '', line = 1, column = 1 } = failure.where ?? {};
    return new _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('test-invalid', {
        message: failure.message,
        where: { file: `${prefix}${file}`, line, column },
        details: { problems },
        cause: failure,
    });
}
function explainTestFailure(error, prefix, step) {
    if (!(error instanceof _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR))
        return error;
    if (error.code === 'test-invalid')
        return invalidTests(error, prefix, step);
    if (error.code !== 'engine-missing')
        return error;
    return new _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('engine-missing', {
        message: error.message,
        where: { input: 'engine' },
        hint: 'Remove the input engine, so that the action installs the package. Or set engine to the folder whose node_modules has the package.',
        cause: error,
    });
}


/***/ }),

/***/ 9988:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ isSameScript),
/* harmony export */   o: () => (/* binding */ fileDifference)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _texts_read_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9330);


function fileDifference(path, project, before) {
    const unknown = before.unknown?.get(path);
    if (unknown !== undefined)
        return unknown;
    const [has, had] = [project.has(path), before.project.has(path)];
    if (has !== had)
        return has ? 'is new' : goneText(path, before);
    return has && before.changed.has(path) ? 'changed' : undefined;
}
function goneText(path, { renamed }) {
    const now = [...renamed].find(([, old]) => old === path)?.[0];
    return now === undefined ? 'is deleted' : `is now ${now}`;
}
function isSameScript(path, project, before) {
    const difference = fileDifference(path, project, before);
    if (difference !== 'changed' || !/\.sql$/i.test(path))
        return difference === undefined;
    const [now, old] = [(0,_texts_read_text_js__WEBPACK_IMPORTED_MODULE_1__/* .readText */ .y)(path, project), (0,_texts_read_text_js__WEBPACK_IMPORTED_MODULE_1__/* .readText */ .y)(path, before.project)];
    return (now !== undefined && old !== undefined && (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .sqlMeaning */ .g2)(now, project.kind) === (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .sqlMeaning */ .g2)(old, project.kind));
}


/***/ }),

/***/ 2546:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  s: () => (/* binding */ isUsedFile),
  _f: () => (/* binding */ projectAtBase),
  jU: () => (/* binding */ unknownFile)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/git/snapshot.js
var git_snapshot = __webpack_require__(3804);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: ./lib/git/process/open-place.js + 1 modules
var open_place = __webpack_require__(5298);
// EXTERNAL MODULE: ./lib/git/work-tree/work-copy.js + 2 modules
var work_copy = __webpack_require__(8859);
;// CONCATENATED MODULE: ./lib/git/work-tree/submodule-files.js




async function unchangedSubmoduleFiles(folder, commit, { environment, signal }) {
    if (!hasFiles(folder))
        return new Set();
    const own = environment === undefined ? {} : { environment: { ...environment, GIT_INDEX_FILE: undefined } };
    try {
        if ((await (0,open_place/* openPlace */.Q)(folder, own.environment, signal)).prefix !== '')
            return undefined;
        const disk = await (0,work_copy/* openWorkCopy */.p)(folder, 'working-tree', { ...own, signal });
        const [changes, entries] = await Promise.all([disk.changedSince(commit), disk.list()]);
        if (changes.length > 0)
            return undefined;
        const files = new Set();
        for (const { path: name, type, oid } of entries) {
            if (type !== 'commit') {
                files.add(name);
                continue;
            }
            const nested = await unchangedSubmoduleFiles(external_node_path_.join(folder, name), oid, { environment, signal });
            if (nested === undefined)
                return undefined;
            for (const file of nested)
                files.add(`${name}/${file}`);
        }
        return files;
    }
    catch {
        signal?.throwIfAborted();
        return undefined;
    }
}
function hasFiles(folder) {
    try {
        return (0,external_node_fs_.readdirSync)(folder).length > 0;
    }
    catch {
        return false;
    }
}

// EXTERNAL MODULE: ./lib/config/project/read-project-config.js + 1 modules
var read_project_config = __webpack_require__(3929);
// EXTERNAL MODULE: ./lib/config/project/project-schema.js + 5 modules
var project_schema = __webpack_require__(8243);
// EXTERNAL MODULE: ./lib/core/files/decode-text.js
var decode_text = __webpack_require__(587);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/pipelines/model/pipeline-kind.js
var pipeline_kind = __webpack_require__(5544);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/overlay-project.js
var overlay_project = __webpack_require__(9926);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-project.js + 1 modules
var test_project = __webpack_require__(2857);
;// CONCATENATED MODULE: ./flows/diff/base-project.js










function isUsedFile(path) {
    return (0,pipeline_kind/* kindOf */.I)(path) !== undefined || /\.(?:sql|py)$/i.test(path);
}
function unknownFile(files, { unknown }) {
    for (const file of files) {
        const reason = isUsedFile(file) ? unknown.get(file) : undefined;
        if (reason !== undefined)
            return `it runs with ${file}, which ${reason}`;
    }
    return undefined;
}
const configName = 'millrace.yaml';
async function projectAtBase(saved, request) {
    const { repository, workTree, directory, commit, name, isFork, environment, signal } = request;
    const prefix = directory === '' ? '' : `${directory}/`;
    const inProject = (path) => path?.startsWith(prefix) === true ? path.slice(prefix.length) : undefined;
    const snapshot = (0,git_snapshot/* commitSnapshot */.Ge)(repository, commit, signal);
    const [changes, entries, current] = await Promise.all([
        workTree.changedSince(commit),
        snapshot.list(directory),
        workTree.list(directory),
    ]);
    const before = entries.map((entry) => ({ ...entry, path: inProject(entry.path) ?? '' }));
    const asked = candidates(saved, before, changes, inProject);
    const read = await snapshot.readFiles(asked.read.map((path) => `${prefix}${path}`));
    const contents = new Map(asked.absent.map((path) => [path, undefined]));
    for (const path of asked.read) {
        const full = `${prefix}${path}`;
        contents.set(path, snapshot.links.has(full) ? undefined : read.get(full));
    }
    const other = entries.filter(({ path }) => {
        const content = contents.get(inProject(path) ?? '');
        return content !== undefined && hasOtherLineEnds(content, saved.bytes(inProject(path) ?? ''));
    });
    for (const [full, content] of await repository.checkedOut(other, { signal }))
        contents.set(inProject(full) ?? '', content);
    for (const [path, content] of contents)
        if (isOnDisk(path, content, saved))
            contents.delete(path);
    const config = contents.get(configName);
    const settings = contents.has(configName) ? settingsOf(config, `${prefix}${configName}`) : undefined;
    const links = new Set([...entries, ...current].filter(({ type }) => type === 'commit').map(({ path }) => path));
    const onDisk = withoutPrefix(current, inProject);
    const submodules = await submodulesAtBase(saved, {
        before,
        current: onDisk,
        known: changes.flatMap(({ path }) => (links.has(path) ? (inProject(path) ?? []) : [])),
        environment,
        signal,
    });
    const isUnread = (path) => isUsedFile(path) && saved.unread.has(path);
    const changed = changedPaths(changes, (path) => contents.has(path) || isUnread(path), inProject);
    const unknown = unknownBefore(saved, [...before, ...onDisk], submodules);
    return {
        name,
        commit,
        isFork,
        project: (0,overlay_project/* overlayProject */._)(saved, { contents, settings }),
        isOther: changed.size + contents.size + submodules.changed.length > 0 || [...unknown.keys()].some(isUsedFile),
        renamed: renamedPaths(changes, inProject),
        changed,
        submodules: submodules.changed,
        unknown,
    };
}
async function submodulesAtBase(project, { before, current, known, ...cancel }) {
    const commits = new Map(before.flatMap((entry) => (entry.type === 'commit' ? [[entry.path, entry.oid]] : [])));
    const now = current.flatMap((entry) => (entry.type === 'commit' ? [entry.path] : []));
    const changed = [...known];
    const files = new Set();
    for (const folder of new Set([...commits.keys(), ...now])) {
        const hasFiles = project.paths.some((file) => file.startsWith(`${folder}/`));
        if (!hasFiles || known.includes(folder))
            continue;
        const commit = commits.get(folder);
        const unchanged = commit === undefined
            ? undefined
            : await unchangedSubmoduleFiles((0,external_node_path_.join)(project.directory, folder), commit, cancel);
        if (unchanged === undefined)
            changed.push(folder);
        else
            for (const file of unchanged)
                files.add(`${folder}/${file}`);
    }
    return { changed, files };
}
function unknownBefore(saved, entries, submodules) {
    const listed = new Set(entries.map(({ path }) => path));
    const repositories = [...listed].flatMap((path) => (path.endsWith('/') ? path.slice(0, -1) : []));
    const folderOf = (path, folders) => folders.find((folder) => path.startsWith(`${folder}/`));
    return new Map(saved.paths.flatMap((path) => {
        if (listed.has(path) || submodules.files.has(path))
            return [];
        const submodule = folderOf(path, submodules.changed);
        if (submodule !== undefined)
            return [
                [path, `is in the submodule ${submodule}, which changed, so its earlier content is not known`],
            ];
        const repository = folderOf(path, repositories);
        if (repository !== undefined)
            return [[path, `is in ${repository}, another git repository, so its earlier content is not known`]];
        return [[path, 'is ignored by git, so its earlier content is not known']];
    }));
}
function withoutPrefix(entries, inProject) {
    return entries.flatMap((entry) => {
        const path = inProject(entry.path);
        return path === undefined ? [] : [{ ...entry, path }];
    });
}
function candidates(saved, before, changes, inProject) {
    const otherBefore = before.flatMap(({ path }) => path.endsWith(`/${configName}`) ? [path.slice(0, -configName.length - 1)] : []);
    const isIn = (path, folders) => folders.some((folder) => path.startsWith(`${folder}/`));
    const ownPaths = new Set(before.filter(({ path, type }) => type === 'blob' && !isIn(path, otherBefore)).map(({ path }) => path));
    const touched = changes.flatMap(({ path, oldPath }) => [inProject(path), inProject(oldPath)]);
    const moved = [
        ...[...ownPaths].filter((path) => isIn(path, saved.otherProjects)),
        ...saved.paths.filter((path) => isIn(path, otherBefore)),
    ];
    const all = [...new Set([...touched, ...moved].filter((path) => path !== undefined))];
    return {
        read: all.filter((path) => ownPaths.has(path)),
        absent: all.filter((path) => !ownPaths.has(path) && saved.has(path)),
    };
}
function hasOtherLineEnds(content, onDisk) {
    if (onDisk === undefined || content.includes('\r'))
        return false;
    const disk = Buffer.from(onDisk).toString('latin1');
    return disk.includes('\r\n') && !/(?<!\r)\n/.test(disk);
}
function isOnDisk(path, content, saved) {
    if (content === undefined)
        return !saved.has(path);
    const onDisk = saved.bytes(path);
    return onDisk !== undefined && Buffer.compare(content, onDisk) === 0;
}
function renamedPaths(changes, inProject) {
    return new Map(changes.flatMap(({ path, oldPath }) => {
        const [current, before] = [inProject(path), inProject(oldPath)];
        return current === undefined || before === undefined ? [] : [[current, before]];
    }));
}
function changedPaths(changes, counts, inProject) {
    return new Map(changes.flatMap(({ status, path }) => {
        const current = inProject(path);
        if (current === undefined || !counts(current))
            return [];
        return [[current, status === 'added' || status === 'deleted' ? status : 'changed']];
    }));
}
function settingsOf(content, file) {
    const settings = (config) => ({
        ...(0,test_project/* warehouseSettings */.fH)(config.engine.warehouse),
        files: config.files,
        sharedSource: (0,test_project/* sharedSourceOf */._u)(config),
        outside: config.outside,
        callFolder: config.callFolder,
    });
    if (content === undefined)
        return settings(project_schema/* projectSchema */.$.parse({ version: 1 }));
    try {
        return settings((0,read_project_config/* readProjectConfig */.Q)((0,decode_text/* requireText */.He)(content, file), file));
    }
    catch (error) {
        if (error instanceof failure/* Failure */.HR)
            return undefined;
        throw error;
    }
}


/***/ }),

/***/ 9500:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ openTestCache)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9713);
/* harmony import */ var _stored_reads_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8868);




const texts = zod__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()).readonly();
const passedSchema = zod__WEBPACK_IMPORTED_MODULE_3__/* .strictObject */ .rej({
    index: zod__WEBPACK_IMPORTED_MODULE_3__/* .int */ .Whr().min(0),
    reads: _stored_reads_js__WEBPACK_IMPORTED_MODULE_2__/* .storedReadsSchema */ .IL,
    called: texts,
    mocked: texts,
    reached: zod__WEBPACK_IMPORTED_MODULE_3__/* .strictObject */ .rej({ pipelines: texts, components: texts, transitions: texts }),
    line: zod__WEBPACK_IMPORTED_MODULE_3__/* .int */ .Whr().min(1),
    name: zod__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP(),
    pipeline: zod__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP(),
    durationMs: zod__WEBPACK_IMPORTED_MODULE_3__/* .number */ .aig().min(0),
});
const fileSchema = zod__WEBPACK_IMPORTED_MODULE_3__/* .strictObject */ .rej({
    program: zod__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP(),
    file: zod__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP(),
    reads: _stored_reads_js__WEBPACK_IMPORTED_MODULE_2__/* .storedReadsSchema */ .IL,
    names: zod__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()).readonly(),
    passed: zod__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(passedSchema).readonly(),
});
const maxBytes = 64 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const keptMs = 30 * dayMs;
function openTestCache(project, tables, { folder, program, now, onFailure }) {
    let hasFailed = false;
    let isMarked = false;
    const mark = () => {
        if (!isMarked)
            markUsed(folder, own, now);
        isMarked = true;
    };
    const isSame = (0,_stored_reads_js__WEBPACK_IMPORTED_MODULE_2__/* .readsChecker */ .HD)(project, tables);
    const own = node_path__WEBPACK_IMPORTED_MODULE_1__.join(folder, (0,_stored_reads_js__WEBPACK_IMPORTED_MODULE_2__/* .digestOf */ .ol)(project.directory).slice(0, 16));
    const entryOf = (file) => node_path__WEBPACK_IMPORTED_MODULE_1__.join(own, (0,_stored_reads_js__WEBPACK_IMPORTED_MODULE_2__/* .digestOf */ .ol)(file).slice(0, 32));
    return {
        find(file) {
            const stored = readEntry(entryOf(file));
            if (stored?.program !== program || stored.file !== file || !isSame(stored.reads))
                return undefined;
            ignoreErrors(mark);
            const entries = stored.passed.filter(({ index, name, reads }) => stored.names[index] === name && isSame(reads));
            const passed = entries.map(({ index, line, name, pipeline, durationMs }) => [
                index,
                { file, line, name, pipeline, status: 'passed', durationMs, differences: [], isCached: true },
            ]);
            return { names: stored.names, reads: stored.reads, passed: new Map(passed), entries };
        },
        keep(file, content) {
            if (hasFailed)
                return;
            try {
                (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.mkdirSync)(own, { recursive: true, mode: 0o700 });
                mark();
                writeEntry(entryOf(file), { program, file, ...content });
            }
            catch (error) {
                hasFailed = true;
                onFailure(error);
            }
        },
    };
}
function ignoreErrors(work) {
    try {
        work();
    }
    catch {
    }
}
function markUsed(folder, own, now) {
    const mark = `${own}.used`;
    const before = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statSync)(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now - before < dayMs)
        return;
    (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.writeFileSync)(mark, '', { mode: 0o600 });
    (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.utimesSync)(mark, now / 1000, now / 1000);
    for (const name of (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)(folder)) {
        const old = node_path__WEBPACK_IMPORTED_MODULE_1__.join(folder, name);
        if (!name.endsWith('.used') || now - (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statSync)(old).mtimeMs < keptMs)
            continue;
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.rmSync)(old.slice(0, -'.used'.length), { recursive: true, force: true });
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.rmSync)(old, { force: true });
    }
}
function readEntry(entry) {
    try {
        if ((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statSync)(entry).size > maxBytes)
            return undefined;
        const text = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readFileSync)(entry, 'utf8');
        const end = text.indexOf('\n');
        const content = text.slice(end + 1);
        if (text.slice(0, end) !== (0,_stored_reads_js__WEBPACK_IMPORTED_MODULE_2__/* .digestOf */ .ol)(content))
            return undefined;
        return fileSchema.safeParse(JSON.parse(content)).data;
    }
    catch {
        return undefined;
    }
}
function writeEntry(entry, content) {
    const text = JSON.stringify(content);
    const temporary = `${entry}.${process.pid}.tmp`;
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.writeFileSync)(temporary, `${(0,_stored_reads_js__WEBPACK_IMPORTED_MODULE_2__/* .digestOf */ .ol)(text)}\n${text}`, { mode: 0o600 });
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.renameSync)(temporary, entry);
    }
    catch (error) {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.rmSync)(temporary, { force: true });
        throw error;
    }
}


/***/ }),

/***/ 1231:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ groupDifferences)
/* harmony export */ });
/* harmony import */ var _lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5752);
/* harmony import */ var _lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7192);
/* harmony import */ var _row_lines_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1331);



function groupDifferences(differences) {
    const tables = Map.groupBy(differences.filter(_row_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRow */ .pR), ({ table }) => table ?? '');
    const others = differences.filter((difference) => !(0,_row_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRow */ .pR)(difference)).map(groupOfOne);
    const groups = [...others, ...[...tables].flatMap(([table, rows]) => groupOfTable(table, rows))];
    if (differences.some(({ kind }) => kind === 'refused'))
        return groups;
    return groups.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}
function groupOfOne(difference) {
    const [first = '', ...more] = difference.message.split('\n');
    return { place: difference, sentence: (0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(first), more, rows: [] };
}
function groupOfTable(table, rows) {
    const [place] = rows.toSorted((a, b) => a.line - b.line);
    if (place === undefined)
        return [];
    return [{ place, sentence: `table "${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(table)}": ${rowSummary(rows)}`, more: [], rows }];
}
function rowSummary(rows) {
    const count = (kind) => rows.filter((row) => row.kind === kind).length;
    const parts = [
        { count: count('changed-row'), one: 'row differs', many: 'rows differ' },
        { count: count('missing-row'), one: 'expected row is not in it', many: 'expected rows are not in it' },
        { count: count('extra-row'), one: 'row was not expected', many: 'rows were not expected' },
    ];
    const present = parts.filter((part) => part.count > 0);
    const cut = /; (?:of its|`given`) .*$/.exec(rows[0]?.message ?? '')?.[0] ?? '';
    return present.map((part) => (0,_lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_2__/* .numberOf */ .r)(part.count, part.one, part.many)).join(', ') + cut;
}


/***/ }),

/***/ 7112:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ differenceLines)
/* harmony export */ });
/* harmony import */ var _lib_core_text_shorten_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4280);
/* harmony import */ var _lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7192);
/* harmony import */ var _difference_groups_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1231);
/* harmony import */ var _row_lines_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1331);
/* harmony import */ var _shown_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3574);





function differenceLines({ differences, file }) {
    let hasMocks = false;
    const isNew = (line) => {
        const isHead = line === 'mock:';
        const isFurther = isHead && hasMocks;
        hasMocks ||= isHead;
        return !isFurther;
    };
    return (0,_difference_groups_js__WEBPACK_IMPORTED_MODULE_1__/* .groupDifferences */ .a)(differences).flatMap(({ place, sentence, more, rows }) => [
        `${placeText(place, file)}  ${sentence}${writerText(place)}`,
        ...more.filter(isNew).map((line) => `    ${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .sanitizeLine */ .g$)(line, ' ').trimEnd()}`),
        ...valueLines(place),
        ...sqlLines(place),
        ...(rows.length === 0 ? [] : (0,_row_lines_js__WEBPACK_IMPORTED_MODULE_2__/* .rowLines */ .u1)(rows).map((line) => `  ${line}`)),
    ]);
}
function valueLines({ kind, expected, actual }) {
    if (kind !== 'variable')
        return [];
    const [left = '', right = ''] = (0,_shown_text_js__WEBPACK_IMPORTED_MODULE_3__/* .comparedTexts */ .Ez)([expected ?? null, actual ?? null]);
    return [`  expected  ${left}`, `  actual    ${right}`];
}
const shownSqlLines = 20;
const shownSqlCharacters = 500;
function sqlLines({ sql }) {
    const parts = [
        ['SQL as written:', sql?.written],
        ['SQL as the engine ran it:', sql?.ran],
    ];
    return parts.flatMap(([head, text]) => {
        if (text === undefined)
            return [];
        const lines = text.trim().split('\n');
        const shown = lines.slice(0, shownSqlLines);
        const more = lines.length > shown.length ? ['…'] : [];
        return [
            head,
            ...[...shown, ...more].map((line) => `  ${(0,_lib_core_text_shorten_js__WEBPACK_IMPORTED_MODULE_4__/* .shorten */ .m)((0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .sanitizeLine */ .g$)(line, ' ').trimEnd(), shownSqlCharacters)}`),
        ].map((line) => `  ${line}`);
    });
}
function placeText({ file, line, column }, testFile) {
    return file === testFile ? `${line}:${column}` : `${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(file)}:${line}:${column}`;
}
function writerText({ kind, component, at, message }) {
    if (component === undefined || kind === 'ran' || kind === 'not-ran' || kind === 'refused')
        return '';
    if (kind === 'outcome' && namesPlaceIn(message, at?.file))
        return '';
    const place = at === undefined ? '' : ` (${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(at.file)}:${at.line})`;
    if (kind === 'outcome')
        return place;
    const writer = `ritten by "${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(component)}"${place}`;
    return message.endsWith('?') ? ` W${writer}` : `; w${writer}`;
}
function namesPlaceIn(message, file) {
    if (file === undefined)
        return false;
    const [, ...rest] = message.split(`${file}:`);
    return rest.some((text) => /^\d/.test(text));
}


/***/ }),

/***/ 3035:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ wrongFiles),
/* harmony export */   th: () => (/* binding */ reportOfTests)
/* harmony export */ });
/* unused harmony export totalLine */
/* harmony import */ var _lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5752);
/* harmony import */ var _lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7192);
/* harmony import */ var _lib_pipelines_model_call_root_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1188);
/* harmony import */ var _difference_groups_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1231);
/* harmony import */ var _difference_lines_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7112);
/* harmony import */ var _row_lines_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1331);






function reportOfTests(report, { prefix = '', commit = '', notes = [] } = {}) {
    const failed = report.tests.filter(({ status }) => status !== 'passed');
    return {
        title: 'Test',
        outcome: outcomeOf(report),
        headline: totalLine(report),
        facts: [
            ...(commit === '' ? [] : [['commit', commit.slice(0, 12)]]),
            ...coverageFacts(report.coverage),
        ],
        findings: failed.flatMap((test) => (0,_difference_groups_js__WEBPACK_IMPORTED_MODULE_2__/* .groupDifferences */ .a)(test.differences).flatMap((group) => findingsOf(test, group, prefix))),
        blocks: [
            ...problemBlocks(report, prefix),
            ...failed.map((test) => failureBlock(test, prefix)),
            ...listBlocks(report, prefix),
            ...coverageBlocks(report.coverage),
        ],
        notes: [...(report.callRoot === undefined ? [] : [(0,_lib_pipelines_model_call_root_js__WEBPACK_IMPORTED_MODULE_1__/* .describeCallRoot */ .eI)(report.callRoot)]), ...notes],
    };
}
function outcomeOf({ failed, refused, problems = [] }) {
    if (problems.length > 0)
        return 'error';
    return failed + refused === 0 ? 'passed' : 'failed';
}
function totalLine({ tests, passed, failed, refused, problems = [] }) {
    const cached = tests.filter(({ isCached }) => isCached === true).length;
    const fromCache = cached === 0 ? '' : ` (${cached} from the cache)`;
    const total = `${(0,_lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__/* .numberOf */ .r)(tests.length, 'test')}: ${passed} passed${fromCache}, ${failed} failed, ${refused} refused`;
    const parts = tests.length === 0 && problems.length > 0 ? [] : [total];
    return `${[...parts, ...wrongFiles(problems)].join('; ')}.`;
}
function wrongFiles(problems) {
    const count = new Set(problems.map(({ file }) => file)).size;
    if (count === 0)
        return [];
    return [
        `${(0,_lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__/* .numberOf */ .r)(count, 'file is', 'files are')} wrong, so ${count === 1 ? 'its' : 'their'} tests did not run`,
    ];
}
function findingsOf(test, group, prefix) {
    const { place, sentence, more } = group;
    const { kind, component, at } = place;
    const isRefused = kind === 'refused';
    const shown = more.length === 0 ? sentence : `${sentence.replace(/:$/u, '')} (the report has the lines to add)`;
    const what = `${test.name}: ${shown}${firstRow(group)}`;
    const common = { test, component, prefix };
    const expectation = finding(place, `millrace/test-${isRefused ? 'refused' : 'failed'}`, what, common);
    if (at === undefined || component === undefined || isRefused)
        return [expectation];
    const where = `${prefix}${place.file}:${place.line}`;
    const message = `The component "${component}" causes a false expectation of the test "${test.name}" (${where}): ${sentence}`;
    return [expectation, { ...finding(at, 'millrace/test-component', message, common), severity: 'warning' }];
}
function firstRow({ rows }) {
    const [first] = rows;
    if (first === undefined)
        return '';
    return `. First: ${(0,_row_lines_js__WEBPACK_IMPORTED_MODULE_4__/* .rowTexts */ .vB)(first).join('; ')}`;
}
function finding({ file, line, column }, rule, message, { test, component, prefix }) {
    return {
        rule,
        severity: 'error',
        file: `${prefix}${file}`,
        line,
        column,
        endLine: line,
        endColumn: column + 1,
        ...(component === undefined ? {} : { component }),
        message,
        source: 'millrace',
        state: 'new',
        fingerprint: [rule, test.file, test.name, message].join(' '),
    };
}
function problemBlocks({ problems = [] }, prefix) {
    if (problems.length === 0)
        return [];
    const lines = problems.flatMap(({ file, line, column, message }) => `${prefix}${file}:${line}:${column}  ${message}`.split('\n'));
    return [{ title: 'Errors in the files of the project', lines }];
}
function failureBlock(test, prefix) {
    return {
        title: `${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(prefix + test.file)}:${test.line} ${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(test.name)}`,
        lines: (0,_difference_lines_js__WEBPACK_IMPORTED_MODULE_3__/* .differenceLines */ .Z)(test),
    };
}
function listBlocks({ tests }, prefix) {
    return [...Map.groupBy(tests, ({ file }) => file)].map(([file, group]) => ({
        title: (0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(prefix + file),
        lines: group.map(({ status, name, durationMs, isCached }) => `${status.padEnd(7)}  ${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(name)}  ${isCached === true ? 'from the cache' : `${Math.round(durationMs)} ms`}`),
        isDetail: true,
    }));
}
function coverageFacts(coverage) {
    if (coverage === undefined)
        return [];
    const sum = (what, which) => coverage.pipelines.reduce((total, pipeline) => total + pipeline[what][which], 0);
    const fact = (what) => [`${what} reached`, `${sum(what, 'reached')} of ${sum(what, 'all')}`];
    return [fact('components'), fact('transitions')];
}
function coverageBlocks(coverage) {
    if (coverage === undefined)
        return [];
    const lines = coverage.pipelines.flatMap(({ pipeline, components, transitions, unreached }) => [
        `${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(pipeline)}  ${components.reached} of ${(0,_lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__/* .numberOf */ .r)(components.all, 'component')}, ${transitions.reached} of ${(0,_lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__/* .numberOf */ .r)(transitions.all, 'transition')}`,
        ...unreached.map(({ line, column, message }) => `  ${line}:${column}  ${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(message)}`),
    ]);
    return [{ title: 'Coverage', lines, isDetail: true }];
}


/***/ }),

/***/ 1331:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   pR: () => (/* binding */ isRow),
/* harmony export */   u1: () => (/* binding */ rowLines),
/* harmony export */   vB: () => (/* binding */ rowTexts)
/* harmony export */ });
/* harmony import */ var _lib_core_values_is_record_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1442);
/* harmony import */ var _lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7192);
/* harmony import */ var _shown_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3574);



const maxRows = 20;
const heading = 'expected';
const marks = { 'changed-row': '~', 'missing-row': '-', 'extra-row': '+' };
function isRow({ kind }) {
    return Object.hasOwn(marks, kind);
}
function rowLines(differences) {
    const columns = [
        ...new Set(differences.flatMap((difference) => [...keysOf(difference.expected), ...keysOf(difference.actual)])),
    ];
    const shown = differences.slice(0, maxRows);
    const rows = cellTexts(shown, columns);
    const widths = columns.map((column, place) => Math.max((0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(column).length, ...rows.flatMap(({ expected, actual }) => [expected, actual]).map((cells) => cells[place]?.length ?? 0)));
    const missing = heading.length - widths.reduce((sum, width) => sum + width + 2, -2);
    widths.push((widths.pop() ?? 0) + Math.max(0, missing));
    const side = (cells) => widths.map((width, index) => (cells[index] ?? '').padEnd(width)).join('  ');
    const line = (mark, left, right) => `${mark} ${left} | ${right}`.trimEnd();
    const heads = side(columns.map(_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN));
    const lines = shown.flatMap((difference, index) => {
        const { expected, actual } = rows[index] ?? { expected: [], actual: [] };
        const main = line(marks[difference.kind] ?? ' ', side(expected), side(actual));
        if (difference.kind !== 'changed-row')
            return [main];
        const carets = (cells) => side(columns.map((column, place) => differs(difference, column) ? '^'.repeat(cells[place]?.length ?? 0) : ''));
        return [main, `  ${carets(expected)}   ${carets(actual)}`.trimEnd()];
    });
    const more = differences.length - shown.length;
    return [
        line(' ', heading.padEnd(side([]).length), 'actual'),
        line(' ', heads, heads),
        ...lines,
        ...(more > 0 ? [`  and ${more} more`] : []),
    ];
}
function cellTexts(rows, columns) {
    const columnTexts = columns.map((column) => {
        const alone = rows.flatMap(({ expected, actual }) => expected === undefined ? [actual] : actual === undefined ? [expected] : []);
        const texts = (0,_shown_text_js__WEBPACK_IMPORTED_MODULE_1__/* .comparedTexts */ .Ez)(alone.map((row) => cellOf(row, column)));
        let next = 0;
        return rows.map((difference) => {
            const [expected, actual] = [cellOf(difference.expected, column), cellOf(difference.actual, column)];
            if (difference.expected === undefined || difference.actual === undefined) {
                const text = texts[next] ?? '';
                next += 1;
                return difference.expected === undefined ? ['', text] : [text, ''];
            }
            const [left = '', right = ''] = differs(difference, column)
                ? (0,_shown_text_js__WEBPACK_IMPORTED_MODULE_1__/* .comparedTexts */ .Ez)([expected, actual])
                : [(0,_shown_text_js__WEBPACK_IMPORTED_MODULE_1__/* .shownText */ .f$)(expected), (0,_shown_text_js__WEBPACK_IMPORTED_MODULE_1__/* .shownText */ .f$)(actual)];
            return [left, right];
        });
    });
    return rows.map((_, index) => ({
        expected: columnTexts.map((texts) => texts[index]?.[0] ?? ''),
        actual: columnTexts.map((texts) => texts[index]?.[1] ?? ''),
    }));
}
function differs({ expected, actual, columns }, column) {
    return columns?.includes(column) ?? !(0,_shown_text_js__WEBPACK_IMPORTED_MODULE_1__/* .isSame */ .Ft)(cellOf(expected, column), cellOf(actual, column));
}
function keysOf(row) {
    return (0,_lib_core_values_is_record_js__WEBPACK_IMPORTED_MODULE_2__/* .isRecord */ .u)(row) ? Object.keys(row) : [];
}
function cellOf(row, column) {
    const cell = typeof row === 'object' && row !== null ? Reflect.get(row, column) : undefined;
    return cell ?? null;
}
function rowTexts(difference) {
    const columns = [...new Set([...keysOf(difference.expected), ...keysOf(difference.actual)])];
    const [texts = { expected: [], actual: [] }] = cellTexts([difference], columns);
    return ['expected', 'actual'].flatMap((side) => {
        if (difference[side] === undefined)
            return [];
        const cells = columns.map((column, place) => `${(0,_lib_core_text_sanitize_text_js__WEBPACK_IMPORTED_MODULE_0__/* .oneLine */ .TN)(column)} ${texts[side][place] ?? ''}`);
        return [`${side} ${cells.length === 0 ? 'a row' : cells.join(', ')}`];
    });
}


/***/ }),

/***/ 3574:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ez: () => (/* binding */ comparedTexts),
/* harmony export */   Ft: () => (/* binding */ isSame),
/* harmony export */   f$: () => (/* binding */ shownText)
/* harmony export */ });
/* harmony import */ var _lib_core_text_shorten_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4280);
/* harmony import */ var _lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(315);
/* harmony import */ var _lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4995);
/* harmony import */ var _lib_core_text_visible_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(327);
/* harmony import */ var _compare_exact_number_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9115);





const maxText = 44;
const maxWhole = 40;
const around = 12;
function shownText(value) {
    const text = typeof value === 'string' && isPlain(value) ? value : jsonText(value);
    return (0,_lib_core_text_shorten_js__WEBPACK_IMPORTED_MODULE_2__/* .shorten */ .m)(text, maxText);
}
function comparedTexts(values) {
    if (isLongPair(values))
        return textsApart(values);
    const texts = values.map(shownText);
    const alike = Map.groupBy(texts.keys(), (index) => roughLook(texts[index] ?? ''));
    for (const indices of alike.values()) {
        const group = indices.map((index) => values[index] ?? null);
        if (new Set(group.map(jsonText)).size === 1)
            continue;
        const apart = textsApart(group);
        for (const [place, index] of indices.entries())
            texts[index] = apart[place] ?? '';
    }
    return texts;
}
function isLongPair(values) {
    const isLong = values.some((value) => typeof value === 'string' && value.length > maxWhole);
    const [first, second, third] = values;
    return (isLong &&
        third === undefined &&
        typeof first === 'string' &&
        typeof second === 'string' &&
        first !== second);
}
function isSame(a, b) {
    return jsonText(a) === jsonText(b);
}
function textsApart(values) {
    const whole = values.map((value) => (typeof value === 'string' ? value : jsonText(value)));
    const start = firstDifference(whole);
    const part = whole.every((text) => text.length <= maxWhole)
        ? (text) => [0, text.length]
        : (text) => [Math.max(0, start - around), Math.min(text.length, start + 2 * around)];
    const forms = [
        (index) => partOf(values[index] ?? null, part(whole[index] ?? '')),
        (index) => inAscii(partOf(values[index] ?? null, part(whole[index] ?? ''))),
        (index) => inAscii(jsonText(values[index] ?? null)),
    ];
    const different = new Set(values.map(jsonText)).size;
    const texts = forms.map((form) => values.map((_, index) => form(index)));
    return texts.find((all) => new Set(all.map(look)).size === different) ?? texts.at(-1) ?? [];
}
function firstDifference([first = '', ...others]) {
    let index = 0;
    while (index < first.length && others.every((text) => text[index] === first[index]))
        index += 1;
    return index;
}
function partOf(value, [from, to]) {
    const whole = typeof value === 'string' ? value : jsonText(value);
    const text = withoutHalf(whole.slice(from, to));
    return `${from > 0 ? '…' : ''}${typeof value === 'string' ? jsonText(text) : text}${to < whole.length ? '…' : ''}`;
}
function withoutHalf(text) {
    return text.replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
function look(text) {
    return text.normalize('NFKC').replaceAll(new RegExp(_lib_core_text_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .invisibleCharacter */ .Dy, 'gu'), '');
}
function roughLook(text) {
    const plain = text.replaceAll(/\\(?:[nrtbf]|u\{?[\da-f]+\}?)|[\s\p{Zs}]+/giu, ' ');
    return look(plain)
        .replaceAll(/ +/g, ' ')
        .replaceAll(/^[" ]+|[" ]+$/g, '');
}
function jsonText(value) {
    if ((0,_compare_exact_number_js__WEBPACK_IMPORTED_MODULE_1__/* .isExactNumber */ .zr)(value))
        return value.exactNumber;
    if (typeof value === 'string')
        return (0,_lib_core_text_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .visibleText */ .Q6)(JSON.stringify(value));
    if (value === null || typeof value !== 'object')
        return JSON.stringify(value);
    if ((0,_lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_3__/* .isList */ .L)(value))
        return `[${value.map(jsonText).join(',')}]`;
    const members = Object.entries(value).toSorted(([a], [b]) => (0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .compareTexts */ .q)(a, b));
    return `{${members.map(([key, item]) => `${jsonText(key)}:${jsonText(item)}`).join(',')}}`;
}
function isPlain(text) {
    const looksLikeOther = /^(?:[-+]?[\d.]+(?:e[-+]?\d+)?|true|false|null|json null|)$/i.test(text);
    return !looksLikeOther && !/^[ "]| $| {2}|→/.test(text) && !_lib_core_text_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .invisibleCharacter */ .Dy.test(text);
}
function inAscii(text) {
    return text.replaceAll(/[^ -~…]/gu, _lib_core_text_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .codePointEscape */ .BQ);
}


/***/ }),

/***/ 7239:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   UU: () => (/* binding */ sharedPython),
/* harmony export */   ZJ: () => (/* binding */ atOnceInEach),
/* harmony export */   bJ: () => (/* binding */ jobSettings),
/* harmony export */   tI: () => (/* binding */ countProcesses)
/* harmony export */ });
/* harmony import */ var _files_reopen_project_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4685);

const maxPerProcess = 4;
const testsPerProcess = 50;
const maxScripts = 4;
function countProcesses(tests, { jobs, project, inspect }, { python }) {
    if (inspect !== undefined || project.recipe === undefined)
        return 1;
    const most = python === undefined ? jobs : Math.min(jobs, maxScripts);
    return Math.max(1, Math.min(most, Math.floor(tests / testsPerProcess)));
}
function sharedPython(python, processes) {
    const scripts = Math.max(1, Math.floor(maxScripts / processes));
    return python && { ...python, limits: { ...python.limits, scripts } };
}
function atOnceInEach(processes, { jobs, tests }) {
    return Math.min(maxPerProcess, Math.ceil(Math.min(jobs, tests) / processes));
}
function jobSettings(processes, { project: { recipe }, python, packages, atOnce, withCoverage = false, withTraces = false, }) {
    if (recipe === undefined)
        return [];
    const setting = {
        project: (0,_files_reopen_project_js__WEBPACK_IMPORTED_MODULE_0__/* .writeRecipe */ .o)(recipe),
        python: python && { ...python, clock: undefined },
        packages,
        atOnce,
        withCoverage,
        withTraces,
    };
    return Array.from({ length: processes - 1 }, () => setting);
}


/***/ }),

/***/ 8462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i4: () => (/* binding */ defaultJobsInOneProcess),
/* harmony export */   yV: () => (/* binding */ defaultJobs)
/* harmony export */ });
/* unused harmony export jobsOf */
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8161);
/* harmony import */ var node_process__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1708);


const memoryOfJob = 1024 ** 3;
const defaultJobs = jobsOf({ processors: (0,node_os__WEBPACK_IMPORTED_MODULE_0__.availableParallelism)(), memory: memoryHere() });
const defaultJobsInOneProcess = Math.min(4, (0,node_os__WEBPACK_IMPORTED_MODULE_0__.availableParallelism)());
function jobsOf({ processors, memory, }) {
    return Math.max(1, Math.min(processors, Math.floor(memory / memoryOfJob)));
}
function memoryHere() {
    const limit = node_process__WEBPACK_IMPORTED_MODULE_1__.constrainedMemory();
    return limit > 0 ? Math.min(limit, (0,node_os__WEBPACK_IMPORTED_MODULE_0__.totalmem)()) : (0,node_os__WEBPACK_IMPORTED_MODULE_0__.totalmem)();
}


/***/ }),

/***/ 9149:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ runInProcess)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_module__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8995);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var node_url__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3136);
/* harmony import */ var _lib_core_errors_error_catalogue_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8883);
/* harmony import */ var _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2719);






const heapMegabytes = 2048;
const endMs = 5_000;
async function runInProcess(queue, { setting, signal, onEnded, entry = entryFile() }) {
    signal.throwIfAborted();
    const cache = node_module__WEBPACK_IMPORTED_MODULE_1__.getCompileCacheDir();
    const child = (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.fork)(entry, cache === undefined ? [] : [node_path__WEBPACK_IMPORTED_MODULE_2__.dirname(cache)], {
        execArgv: [`--max-old-space-size=${heapMegabytes}`],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = exitOf(child);
    try {
        await talkTo(child, { queue, setting, signal, onEnded, exited });
    }
    finally {
        await end(child, exited);
    }
}
function entryFile() {
    const name = import.meta.url.endsWith('.ts') ? './job-process.ts' : './job-process.js';
    return (0,node_url__WEBPACK_IMPORTED_MODULE_3__.fileURLToPath)(new URL(name, import.meta.url));
}
function exitOf(child) {
    const { promise, resolve } = Promise.withResolvers();
    child.once('exit', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
    child.on('error', ({ message }) => child.pid === undefined && resolve(message));
    return promise;
}
async function talkTo(child, { queue, setting, signal, onEnded, exited }) {
    const running = new Map();
    const done = Promise.withResolvers();
    let [lastId, isEmpty] = [0, false];
    const sendWork = () => {
        const work = queue.takeWork();
        if (work === undefined) {
            isEmpty = true;
            if (running.size === 0)
                done.resolve();
            return;
        }
        const numbered = work.items.map((item) => [(lastId += 1), item]);
        for (const [id, item] of numbered)
            running.set(id, item);
        send(child, work.orderOf(numbered.map(([id]) => id)));
    };
    const receive = (answer) => {
        if (answer.kind === 'ready')
            sendWork();
        else if (answer.kind === 'failed')
            done.reject(failureOf(answer));
        else {
            const item = running.get(answer.ended.id);
            running.delete(answer.ended.id);
            if (item !== undefined)
                onEnded(item, answer.ended);
            if (isEmpty && running.size === 0)
                done.resolve();
        }
    };
    child.on('message', (message) => {
        try {
            receive(message);
        }
        catch (error) {
            done.reject(error);
        }
    });
    const onAbort = () => done.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    void exited.then((how) => done.reject(endedEarly(how, [...running.values()], queue)));
    send(child, { kind: 'open', setting });
    sendWork();
    try {
        await done.promise;
    }
    finally {
        signal.removeEventListener('abort', onAbort);
    }
}
function send(child, order) {
    if (child.connected)
        child.send(order, () => { });
}
async function end(child, exited) {
    if (child.connected)
        child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), endMs);
    await exited;
    clearTimeout(timer);
}
function failureOf({ code, message, stack }) {
    if (code !== undefined)
        return new _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .Failure */ .HR(code, { message });
    const error = new Error(message);
    error.stack = stack;
    return error;
}
function endedEarly(how, running, queue) {
    const { what, where } = queue.describe(running);
    const before = running.length === 0 ? '' : `, before ${what}`;
    return new _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .Failure */ .HR('job-failed', {
        message: `A process that runs tests ended with ${how}${before}.`,
        ...(running.length > 0 && where !== undefined ? { where } : {}),
    });
}


/***/ }),

/***/ 5787:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  i: () => (/* binding */ runPlanned)
});

// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/count-processes.js
var count_processes = __webpack_require__(7239);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/coverage.js
var run_coverage = __webpack_require__(4668);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/encode-result.js
var encode_result = __webpack_require__(5616);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/open-test-warehouse.js
var open_test_warehouse = __webpack_require__(8953);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-in-process.js
var run_in_process = __webpack_require__(9149);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-test.js + 3 modules
var run_test = __webpack_require__(7931);
;// CONCATENATED MODULE: ./flows/pipeline-tests/run/test-queue.js
const maxUnit = 10;
function openQueue(planned, processes) {
    let [start, end] = [0, planned.length];
    const takeUnit = () => {
        const size = Math.min(maxUnit, Math.ceil((end - start) / (4 * processes)));
        const file = planned[start]?.file;
        const from = start;
        while (start < end && start - from < size && planned[start]?.file === file)
            start += 1;
        return planned.slice(from, start);
    };
    return {
        take() {
            if (start === end)
                return undefined;
            if (processes === 1)
                return planned[start++];
            return planned[--end];
        },
        takeUnit,
        takeWork() {
            const items = takeUnit();
            const [first] = items;
            if (first === undefined)
                return undefined;
            const { file } = first.file;
            return {
                items,
                orderOf: (ids) => ({
                    kind: 'run',
                    unit: { file, tests: items.map(({ test }, index) => ({ id: ids[index] ?? 0, name: test.name })) },
                }),
            };
        },
        describe(tests) {
            const [first] = tests;
            const names = tests.map(({ test }) => `"${test.name}"`).join(', ');
            return {
                what: `these tests of ${first?.file.file ?? ''} ended: ${names}`,
                ...(first === undefined ? {} : { where: { file: first.file.file, line: first.test.place.line } }),
            };
        },
    };
}

// EXTERNAL MODULE: ./flows/pipeline-tests/run/together.js
var together = __webpack_require__(3339);
;// CONCATENATED MODULE: ./flows/pipeline-tests/run/run-planned.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});









async function runPlanned(planned, { jobs, project, settingOf, coverage, packages, inspect, processes = 1, python, onRun, onTrace, }) {
    const results = new Map();
    const queue = openQueue(planned, processes);
    const look = async (run, differences) => {
        coverage?.add((0,run_coverage/* reachedBy */.Kg)(run));
        onRun?.(run.planned, run);
        await inspect?.(run, differences);
    };
    const job = (signal) => async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const warehouse = __addDisposableResource(env_1, await (0,open_test_warehouse/* openTestWarehouse */.W)(project, packages), true);
            for (let test = queue.take(); test !== undefined; test = queue.take()) {
                const setting = settingOf(test);
                setting.signal.throwIfAborted();
                signal.throwIfAborted();
                try {
                    results.set(test, await (0,run_test/* runTest */.YA)(test, warehouse, setting, look));
                }
                catch (error) {
                    if (!(error instanceof engine/* FileProblems */.jq))
                        throw error;
                    results.set(test, error);
                }
            }
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    };
    const atOnce = (0,count_processes/* atOnceInEach */.ZJ)(processes, { jobs, tests: planned.length });
    const others = (0,count_processes/* jobSettings */.bJ)(processes, {
        project,
        python,
        packages,
        atOnce,
        withCoverage: coverage !== undefined,
        withTraces: onTrace !== undefined,
    });
    const [first] = planned;
    const cancel = first === undefined ? new AbortController().signal : settingOf(first).signal;
    await (0,together/* together */.b)(cancel, (signal) => [
        ...Array.from({ length: atOnce }, () => job(signal)),
        ...others.map((setting) => () => (0,run_in_process/* runInProcess */.m)(queue, {
            setting,
            signal,
            onEnded(test, { result, problems, reached, usesCallRoot, trace }) {
                if (usesCallRoot === true)
                    project.roots.found();
                if (trace !== undefined)
                    onTrace?.(test, trace);
                if (reached !== undefined)
                    coverage?.add(reached);
                results.set(test, result === undefined ? new engine/* FileProblems */.jq(problems ?? []) : (0,encode_result/* decodeResult */.S)(result));
            },
        })),
    ]);
    return results;
}


/***/ }),

/***/ 5880:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  wC: () => (/* binding */ noTest),
  e2: () => (/* binding */ runParts),
  N$: () => (/* binding */ runTests)
});

// UNUSED EXPORTS: planFiles

// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/count-processes.js
var count_processes = __webpack_require__(7239);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/coverage.js
var run_coverage = __webpack_require__(4668);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/test-report.js
var test_report = __webpack_require__(9137);
// EXTERNAL MODULE: ./flows/pipeline-tests/cache/stored-reads.js
var stored_reads = __webpack_require__(8868);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/planned-test.js + 1 modules
var planned_test = __webpack_require__(9015);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/trace-reads.js
var trace_reads = __webpack_require__(4243);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/traced-setting.js
var traced_setting = __webpack_require__(8472);
;// CONCATENATED MODULE: ./flows/pipeline-tests/run/cached-tests.js





function cached_tests_withoutCache(tests) {
    return {
        tests,
        known: new Map(),
        settingOf: (_, common) => common,
        see: () => undefined,
        note: () => undefined,
        keep: () => undefined,
    };
}
async function planWithCache(file, { setting, cache, plan }) {
    const kept = cache.find(file);
    const shared = (0,trace_reads/* traceReads */.vu)(setting.project, setting.declared);
    const planned = await plan(shared.project);
    const reads = (0,stored_reads/* storeReads */.xb)(shared.reads);
    const indexOf = ({ file: { tests }, test }) => tests.indexOf(test);
    const here = new Map();
    const elsewhere = new Map();
    return {
        tests: planned,
        known: new Map(planned.flatMap((test) => {
            const entry = kept?.entries.find(({ index }) => index === indexOf(test));
            const result = kept?.passed.get(indexOf(test));
            return entry === undefined || result === undefined
                ? []
                : [[test, { result, reached: entry.reached }]];
        })),
        settingOf(test, common) {
            const traced = (0,traced_setting/* tracedSetting */.E)(common, shared.reads);
            here.set(test, traced);
            return traced.setting;
        },
        see: (test, run) => here.get(test)?.see(run),
        note: (test, trace) => void elsewhere.set(test, trace),
        keep(resultOf) {
            const ran = planned.flatMap((test) => {
                const [result, trace] = [resultOf(test), elsewhere.get(test) ?? here.get(test)?.trace()];
                if (result?.status !== 'passed' || trace === undefined || trace.hasRunPython)
                    return [];
                const { line, name, pipeline, durationMs } = result;
                const { reads: read, called, reached } = trace;
                const index = indexOf(test);
                const mocked = mockedKeys(test, setting.project);
                return [{ index, reads: read, called, mocked, reached, line, name, pipeline, durationMs }];
            });
            const [first] = planned;
            if (ran.length === 0 || first === undefined)
                return;
            cache.keep(file, {
                reads,
                names: first.file.tests.map(({ name }) => name),
                passed: [...(kept?.entries ?? []), ...ran],
            });
        },
    };
}
function mockedKeys({ test, document }, project) {
    return test.mocks.flatMap(({ name }) => {
        const target = (0,planned_test/* findComponent */.Tn)(name.text, document, project);
        return target === undefined ? [] : [(0,run_coverage/* keyOf */.TN)(target.path, target.component)];
    });
}

// EXTERNAL MODULE: ./flows/pipeline-tests/cache/test-cache.js
var test_cache = __webpack_require__(9500);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/plan-file.js
var plan_file = __webpack_require__(1196);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-planned.js + 1 modules
var run_planned = __webpack_require__(5787);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-test.js + 3 modules
var run_test = __webpack_require__(7931);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-problem.js
var test_problem = __webpack_require__(8442);
;// CONCATENATED MODULE: ./flows/pipeline-tests/run/run-tests.js











async function runTests(request, context) {
    return (0,test_report/* reportOfParts */.IB)(await runParts(request, context));
}
async function runParts(request, context) {
    const { project, files, filter, withCoverage, select } = request;
    const planning = (0,run_test/* testSetting */.ZL)(project, context);
    const { plans, planned, problems } = await planAll(request, planning);
    const coverage = withCoverage ? (0,run_coverage/* openCoverage */.H2)(project, planned, { files, filter }) : undefined;
    const chosen = select?.(planned) ?? planned;
    const planOf = new Map(plans.flatMap((file) => file.tests.map((test) => [test, file])));
    const waiting = chosen.filter((test) => planOf.get(test)?.known.has(test) !== true);
    const processes = (0,count_processes/* countProcesses */.tI)(waiting.length, request, context);
    const python = (0,count_processes/* sharedPython */.UU)(context.python, processes);
    const setting = { ...planning, python: (0,run_test/* testSetting */.ZL)(project, { ...context, python }).python };
    const ran = await (0,run_planned/* runPlanned */.i)(waiting, {
        ...request,
        coverage,
        settingOf: (test) => planOf.get(test)?.settingOf(test, setting) ?? setting,
        processes,
        python,
        onRun: (test, run) => planOf.get(test)?.see(test, run),
        onTrace: isCaching(request) ? (test, trace) => planOf.get(test)?.note(test, trace) : undefined,
    });
    for (const file of plans)
        file.keep((test) => {
            const ended = ran.get(test);
            return ended instanceof engine/* FileProblems */.jq ? undefined : ended;
        });
    const known = chosen.flatMap((test) => {
        const { result, reached } = planOf.get(test)?.known.get(test) ?? {};
        if (reached !== undefined)
            coverage?.add(reached);
        return result === undefined ? [] : [[test, result]];
    });
    const results = new Map([...known, ...ran]);
    return { planned, results, problems, coverage: coverage?.parts(), callRoot: project.roots.taken() };
}
async function planFiles(request) {
    const { project, filter, packages } = request;
    const plan = async (path) => withoutCache(await planFile(path, project, { filter, packages }));
    return planEach(request, plan);
}
function planAll(request, setting) {
    const { project, filter, packages, cache: options } = request;
    const planWith = (path, traced) => (0,plan_file/* planFile */.e)(path, traced, { filter, packages });
    if (options === undefined || !isCaching(request))
        return planEach(request, async (path) => cached_tests_withoutCache(await planWith(path, project)));
    const cache = (0,test_cache/* openTestCache */.T)(project, setting.declared, options);
    return planEach(request, (path) => planWithCache(path, { setting, cache, plan: (traced) => planWith(path, traced) }));
}
function isCaching({ cache, inspect }) {
    return cache !== undefined && inspect === undefined;
}
async function planEach(request, plan) {
    const problems = [];
    const plans = [];
    for (const path of request.files) {
        const file = await (0,test_problem/* collectProblems */.vX)(problems, () => plan(path));
        if (file !== undefined)
            plans.push(file);
    }
    const planned = plans.flatMap((file) => file.tests);
    if (planned.length + problems.length === 0)
        throw noTest(request);
    return { plans, planned, problems };
}
function noTest({ files, filter }) {
    if (files.length === 0 || filter === undefined) {
        return new failure/* Failure */.HR('no-test', { message: 'No test was found.' });
    }
    return new failure/* Failure */.HR('no-test', {
        message: `No test has a name that contains "${filter}".`,
        hint: 'Give a part of the name of a test. Upper and lower case are the same.',
    });
}


/***/ }),

/***/ 9137:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Eq: () => (/* binding */ reportOfEnded),
/* harmony export */   IB: () => (/* binding */ reportOfParts)
/* harmony export */ });
/* unused harmony export reportOf */
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _files_test_problem_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8442);
/* harmony import */ var _coverage_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4668);



function reportOfParts({ planned, results, problems, coverage, callRoot }) {
    const ended = planned.flatMap((test) => results.get(test) ?? []);
    return reportOfEnded(ended, { problems, coverage, callRoot });
}
function reportOfEnded(ended, { problems, coverage, callRoot }) {
    const tests = ended.flatMap((test) => (test instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq ? [] : [test]));
    const all = [...problems, ...ended.flatMap((test) => (test instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq ? test.problems : []))];
    const report = {
        ...reportOf(tests, coverage && (0,_coverage_js__WEBPACK_IMPORTED_MODULE_2__/* .coverageOf */ ._5)(coverage)),
        ...(callRoot === undefined ? {} : { callRoot }),
    };
    return all.length === 0 ? report : { ...report, problems: (0,_files_test_problem_js__WEBPACK_IMPORTED_MODULE_1__/* .sortedProblems */ .ET)(all) };
}
function reportOf(tests, coverage) {
    const count = (status) => tests.filter((test) => test.status === status).length;
    return {
        passed: count('passed'),
        failed: count('failed'),
        refused: count('refused'),
        tests,
        ...(coverage === undefined ? {} : { coverage }),
    };
}


/***/ }),

/***/ 3339:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ together)
/* harmony export */ });
async function together(cancel, tasks) {
    const stop = new AbortController();
    const running = tasks(AbortSignal.any([stop.signal, cancel])).map((task) => task());
    try {
        await Promise.all(running);
    }
    catch (error) {
        stop.abort(error);
        await Promise.allSettled(running);
        throw error;
    }
}


/***/ }),

/***/ 8859:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  p: () => (/* binding */ openWorkCopy)
});

// EXTERNAL MODULE: ./lib/core/text/compare-texts.js
var compare_texts = __webpack_require__(315);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/git/objects/blob-reader.js
var blob_reader = __webpack_require__(2816);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/git/objects/changed-file.js
var changed_file = __webpack_require__(4672);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./lib/git/snapshot.js
var snapshot = __webpack_require__(3804);
;// CONCATENATED MODULE: ./lib/git/work-tree/disk-reader.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});




function diskReader(root, links) {
    const folders = new Map();
    const realFolder = (folder) => {
        const real = folders.get(folder) ?? (0,promises_.realpath)(folder);
        folders.set(folder, real);
        return real;
    };
    return async (name, maxBytes) => {
        const file = external_node_path_.join(root, name);
        try {
            const folder = await realFolder(external_node_path_.dirname(file));
            if (folder !== root && !folder.startsWith(root + external_node_path_.sep))
                return 'a symbolic link leads out of the repository';
            if ((await (0,promises_.lstat)(file)).isSymbolicLink()) {
                links.add(name);
                return Buffer.from(await (0,promises_.readlink)(file));
            }
            return await readRegular(file, maxBytes);
        }
        catch (error) {
            return reasonOf(error);
        }
    };
}
async function readRegular(file, maxBytes) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const handle = __addDisposableResource(env_1, await (0,promises_.open)(file, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NOFOLLOW | external_node_fs_.constants.O_NONBLOCK), true);
        const stat = await handle.stat();
        if (!stat.isFile())
            return 'it is not a regular file';
        return stat.size > maxBytes ? (0,snapshot/* tooLarge */.g$)(maxBytes) : await handle.readFile();
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
const reasons = new Map([
    ['EACCES', 'permission denied'],
    ['EPERM', 'permission denied'],
    ['ENOENT', 'it was deleted during the review'],
    ['ELOOP', 'it became a symbolic link during the review'],
    ['EISDIR', 'it is not a regular file'],
]);
function reasonOf(error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code !== 'string')
        throw error;
    return reasons.get(code) ?? code;
}

// EXTERNAL MODULE: ./lib/git/process/open-place.js + 1 modules
var open_place = __webpack_require__(5298);
// EXTERNAL MODULE: ./lib/git/objects/resolve-commit.js
var resolve_commit = __webpack_require__(3703);
// EXTERNAL MODULE: ./lib/git/work-tree/index-entries.js
var index_entries = __webpack_require__(1168);
// EXTERNAL MODULE: ./lib/git/objects/remember-objects.js
var remember_objects = __webpack_require__(3007);
// EXTERNAL MODULE: ./lib/git/process/run-git.js
var run_git = __webpack_require__(7188);
// EXTERNAL MODULE: ./lib/git/objects/scan-blobs.js
var scan_blobs = __webpack_require__(305);
// EXTERNAL MODULE: ./lib/git/objects/tree-entry.js
var tree_entry = __webpack_require__(8720);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./lib/git/work-tree/unwatched-files.js





function unwatchedFiles(place, root, { entries, signal }) {
    const unwatched = entries.filter(({ isUnwatched, type }) => isUnwatched && type === 'blob');
    const onDisk = statsIn(root);
    const entryOf = (indexed) => {
        const stats = onDisk(indexed.path);
        if (stats === undefined)
            return indexed.isLeftOut ? indexed : undefined;
        const entry = { ...indexed, isAbsent: false };
        if (stats.isDirectory())
            return { ...entry, mode: tree_entry/* folderMode */.a1 };
        if (stats.isSymbolicLink())
            return { ...entry, mode: tree_entry/* linkMode */.IG };
        return (0,tree_entry/* isLink */.PJ)(entry) ? { ...entry, mode: '100644' } : entry;
    };
    const isOther = async () => {
        const other = new Set();
        const files = [];
        for (const entry of unwatched) {
            const stats = onDisk(entry.path);
            if (stats === undefined || (0,tree_entry/* isLink */.PJ)(entry) !== stats.isSymbolicLink() || stats.isDirectory()) {
                if (stats !== undefined)
                    other.add(entry.path);
            }
            else if (stats.isSymbolicLink()) {
                const target = (0,external_node_fs_.readlinkSync)(external_node_path_.join(root, entry.path), 'buffer');
                if (idOf(target, entry.oid) !== entry.oid)
                    other.add(entry.path);
            }
            else
                files.push(entry);
        }
        const ids = await idsOnDisk(place, files, signal);
        for (const [at, { path: name, oid }] of files.entries())
            if (ids[at] !== oid)
                other.add(name);
        return other;
    };
    return {
        entryOf,
        isOnDisk: (name) => onDisk(name) !== undefined,
        async withChanges(changes) {
            if (unwatched.length === 0)
                return changes;
            const gone = new Set(unwatched.flatMap((entry) => (entryOf(entry) === undefined ? [entry.path] : [])));
            const other = await isOther();
            const changedPaths = new Set(changes.map((change) => change.path));
            const added = [...other].filter((name) => !changedPaths.has(name));
            const deleted = [...gone].filter((name) => !changedPaths.has(name));
            return [
                ...changes.flatMap((change) => (gone.has(change.path) ? withoutFile(change) : [change])),
                ...added.map((name) => ({ status: 'modified', path: name })),
                ...deleted.map((name) => ({ status: 'deleted', path: name })),
            ];
        },
    };
}
function withoutFile({ status, path: name, oldPath }) {
    if (status === 'added')
        return [];
    return [{ status: 'deleted', path: oldPath ?? name }];
}
function statsIn(root) {
    const folders = new Map();
    const has = (folder) => {
        const cached = folders.get(folder);
        if (cached !== undefined)
            return cached;
        const parent = external_node_path_.posix.dirname(folder);
        const there = (parent === '.' || has(parent)) &&
            (0,external_node_fs_.lstatSync)(external_node_path_.join(root, folder), { throwIfNoEntry: false })?.isDirectory() === true;
        folders.set(folder, there);
        return there;
    };
    return (name) => {
        const folder = external_node_path_.posix.dirname(name);
        return folder === '.' || has(folder)
            ? (0,external_node_fs_.lstatSync)(external_node_path_.join(root, name), { throwIfNoEntry: false })
            : undefined;
    };
}
async function idsOnDisk(place, entries, signal) {
    const batch = 200;
    const ids = [];
    for (let at = 0; at < entries.length; at += batch) {
        const paths = entries.slice(at, at + batch).map(({ path: name }) => name);
        const args = ['hash-object', '--end-of-options', ...paths];
        const { stdout } = await (0,run_git/* runGit */.EO)(place, args, { signal, asked: 'read the files on disk' });
        ids.push(...stdout.toString().trimEnd().split('\n'));
    }
    return ids;
}
function idOf(content, like) {
    return (0,external_node_crypto_.createHash)(like.length === 64 ? 'sha256' : 'sha1')
        .update(`blob ${content.length}\0`)
        .update(content)
        .digest('hex');
}

;// CONCATENATED MODULE: ./lib/git/work-tree/work-copy.js
















const absentReason = 'it is outside of the sparse check-out, and this partial clone does not have its content';
async function openWorkCopy(directory, kind, { environment, signal } = {}) {
    const { place: opened, root } = await (0,open_place/* openPlace */.Q)(directory, environment, signal);
    const place = { ...opened, directory: root, environment: withIndex(opened, environment, root) };
    const ask = async (...args) => (await (0,run_git/* runGit */.EO)(place, args, { signal })).stdout;
    const askNames = async (...options) => (0,index_entries/* names */.D)(await ask('ls-files', '-z', ...options));
    const untracked = kind === 'staged' ? [] : askNames('--others', '--exclude-standard');
    const index = (0,index_entries/* indexEntries */.n)(place, kind === 'staged', signal).then((entries) => kind === 'staged' ? refuseUnmerged(entries) : entries);
    const unwatched = index.then((entries) => unwatchedFiles(place, root, { entries, signal }));
    unwatched.catch(() => { });
    const list = async () => {
        if (kind === 'staged')
            return index;
        const ofDisk = Promise.all([index, unwatched, changedModes(place, signal), untracked]);
        const [tracked, { entryOf }, modes, fresh] = await ofDisk;
        return [
            ...tracked.flatMap((entry) => {
                if (entry.isUnwatched) {
                    const there = entryOf(entry);
                    return there === undefined ? [] : [there];
                }
                const mode = modes.get(entry.path);
                if (mode === undefined)
                    return [entry];
                const isFolder = mode === goneMode && onDisk(entry.path)?.isDirectory() === true;
                if (isFolder)
                    return [{ ...entry, mode: tree_entry/* folderMode */.a1 }];
                return mode === goneMode ? [] : [{ ...entry, mode }];
            }),
            ...fresh.map((name) => ({ path: name, mode: freshMode(name), type: 'blob', oid: '' })),
        ].toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.path, b.path));
    };
    const onDisk = (name) => (0,external_node_fs_.lstatSync)(external_node_path_.join(root, name), { throwIfNoEntry: false });
    const freshMode = (name) => (onDisk(name)?.isSymbolicLink() === true ? tree_entry/* linkMode */.IG : '100644');
    const listed = list();
    listed.catch(() => { });
    const commit = await (0,resolve_commit/* resolveCommit */.WL)(place, 'HEAD', signal).catch(() => '');
    const unread = new Map();
    const links = new Set();
    const readOnDisk = diskReader(root, links);
    const scan = (0,remember_objects/* rememberBlobs */.i)((oids, visit, stop) => (0,scan_blobs/* scanBlobs */._)(place, oids, visit, stop));
    const readFromIndex = async (entries, maxBytes, accepts) => {
        for (const { path: name } of entries.filter(tree_entry/* isAbsent */.W0))
            unread.set(name, absentReason);
        const present = entries.filter((entry) => !(0,tree_entry/* isAbsent */.W0)(entry));
        for (const entry of present.filter(tree_entry/* isLink */.PJ))
            links.add(entry.path);
        return (0,snapshot/* readEntries */.$2)((oids, visit) => scan(oids, visit, signal), present, { unread, maxBytes, accepts });
    };
    return {
        kind,
        commit,
        list: async (under = '') => (0,snapshot/* inFolder */._z)(await listed, under),
        unread,
        links,
        async readFiles(paths, maxBytes = blob_reader/* defaultMaxBytes */.f, accepts) {
            const asked = new Set(paths);
            const entries = (await listed).filter((entry) => entry.type === 'blob' && asked.has(entry.path));
            if (kind === 'staged')
                return readFromIndex(entries, maxBytes, accepts);
            const { isOnDisk } = await unwatched;
            const leftOut = new Set((await index).flatMap((entry) => (entry.isLeftOut ? [entry.path] : [])));
            const elsewhere = entries.filter(({ path: name }) => leftOut.has(name) && !isOnDisk(name));
            const contents = await readFromIndex(elsewhere, maxBytes, accepts);
            const inIndex = new Set(elsewhere);
            for (const entry of entries) {
                if (inIndex.has(entry))
                    continue;
                const read = await readOnDisk(entry.path, maxBytes);
                if (typeof read === 'string')
                    unread.set(entry.path, read);
                else if (accepts?.(read) !== false)
                    contents.set(entry.path, read);
            }
            return contents;
        },
        async changedSince(base) {
            const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', run_git/* allSubmodules */.Lo];
            const where = kind === 'staged' ? ['--cached'] : [];
            const id = base === commit ? commit : await (0,resolve_commit/* resolveCommit */.WL)(place, base, signal);
            const changed = (0,changed_file/* parseChanges */.p)(await ask('diff', '--raw', '-z', ...plain, ...where, '--end-of-options', id));
            if (kind === 'staged')
                return changed;
            const fresh = (await untracked).map((name) => ({ status: 'added', path: name }));
            return [...(await (await unwatched).withChanges(changed)), ...fresh];
        },
    };
}
function refuseUnmerged(entries) {
    const unmerged = entries.filter(({ isUnmerged }) => isUnmerged).map((entry) => (0,run_git/* printable */.g$)(entry.path));
    if (unmerged.length === 0)
        return entries;
    const [first = ''] = unmerged;
    const more = unmerged.length === 1 ? '' : ` and ${unmerged.length - 1} more`;
    throw new failure/* Failure */.HR('git-failed', {
        message: `A merge left conflicts in "${first}"${more}, so the staged files are not complete.`,
        where: { file: first },
        hint: 'Resolve the conflicts and run `git add` for these files. To review the files on disk before that, use --working-tree.',
    });
}
function withIndex({ environment }, outside, root) {
    const index = outside?.GIT_INDEX_FILE;
    if (environment === undefined || index === undefined || index === '')
        return environment;
    return { ...environment, GIT_INDEX_FILE: external_node_path_.resolve(root, index) };
}
const goneMode = '000000';
async function changedModes(place, signal) {
    const options = ['--raw', '-z', '--no-renames', '--ignore-submodules=dirty', '--diff-filter=DTU'];
    const fields = (0,index_entries/* names */.D)((await (0,run_git/* runGit */.EO)(place, ['diff-files', ...options], { signal })).stdout);
    const modes = new Map();
    for (let at = 0; at + 1 < fields.length; at += 2)
        modes.set(fields[at + 1] ?? '', fields[at]?.split(' ')[1] ?? goneMode);
    return modes;
}


/***/ }),

/***/ 1963:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  h: () => (/* binding */ findingLines),
  M: () => (/* binding */ terminalLines)
});

// EXTERNAL MODULE: ./lib/core/outcomes/finding.js
var outcomes_finding = __webpack_require__(770);
;// CONCATENATED MODULE: ./lib/core/text/table-lines.js
function tableLines(heads, rows) {
    const all = [heads, ...rows];
    const widths = heads.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
    return all.map((row) => row
        .map((cell, i) => (i === heads.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd());
}

// EXTERNAL MODULE: ./lib/report/report.js
var report_report = __webpack_require__(6656);
;// CONCATENATED MODULE: ./lib/report/terminal.js



const width = 100;
function terminalLines(report, sourceOf) {
    const { findings, blocks = [], tables = [], notes, facts, headline } = report;
    const isDetail = (part) => part.isDetail === true;
    const tablesWithRows = tables.filter(({ rows }) => rows.length > 0);
    return [
        ...tablesWithRows.filter(isDetail).flatMap(plainTable),
        ...blocks.filter(isDetail).flatMap(blockLines),
        ...blocks.filter((block) => !isDetail(block)).flatMap(blockLines),
        ...(blocks.length > 0
            ? []
            : findingLines(findings.filter(({ state }) => state === 'new'), sourceOf)),
        ...tablesWithRows.filter((table) => !isDetail(table)).flatMap(plainTable),
        ...notes,
        ...(0,report_report/* factLines */.Kp)(facts),
        headline,
    ];
}
function blockLines({ title, lines }) {
    return [title, ...lines.map((line) => `  ${line}`), ''];
}
function plainTable({ title, columns, rows }) {
    return blockLines({ title, lines: tableLines(columns, rows) });
}
function findingLines(findings, sourceOf = () => undefined) {
    const byFile = Map.groupBy(findings, ({ file }) => file);
    return [...byFile].flatMap(([file, own]) => [
        file,
        ...own.flatMap((finding) => {
            const { line, column, severity, message, rule } = finding;
            const about = `${rule}, ${(0,outcomes_finding/* findingId */.zK)(finding)}`;
            const head = `  ${`${line}:${column}`.padEnd(8)} ${severity.padEnd(8)} ${message} (${about})`;
            return [head, ...excerpt(finding, sourceOf(finding))];
        }),
        '',
    ]);
}
function excerpt({ line, column, endLine, endColumn }, source) {
    const hasRange = line !== endLine || endColumn > column;
    if (source === undefined || !hasRange)
        return [];
    const text = source.replaceAll('\t', ' ');
    const from = Math.max(0, column - 1 - width / 2);
    const shown = text.slice(from, from + width);
    const end = line === endLine ? endColumn - 1 : text.trimEnd().length;
    const carets = '^'.repeat(Math.max(1, Math.min(end, from + width) - (column - 1)));
    const number = String(line);
    return [
        `      ${number} | ${shown.trimEnd()}`,
        `      ${' '.repeat(number.length)} | ${' '.repeat(column - 1 - from)}${carets}`,
    ];
}


/***/ })

};
