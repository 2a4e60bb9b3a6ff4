export const id = 123;
export const ids = [123];
export const modules = {

/***/ 7206:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $q: () => (/* binding */ readCheckedOutCommit),
/* harmony export */   PZ: () => (/* binding */ refuseOtherCheckOut),
/* harmony export */   cq: () => (/* binding */ refusePullRequestTarget),
/* harmony export */   xg: () => (/* binding */ otherCheckOut)
/* harmony export */ });
/* harmony import */ var _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9428);

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
        return { commit, kind: 'merge', parents, description: `what pull request ${pullRequest} was merged as` };
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
    throw new _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('usage', {
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
    throw new _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('usage', {
        message: 'The event pull_request_target runs with secrets and checks out the target branch, so the pipelines of the pull request are not run.',
        where: { input: 'GITHUB_EVENT_NAME' },
        hint: 'Start the workflow on pull_request, and use actions/checkout without a ref. Do not check out the head of the pull request on pull_request_target: its pipelines would run beside your secrets.',
    });
}
function short(commit) {
    return commit.slice(0, 12);
}


/***/ }),

/***/ 3112:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  j: () => (/* binding */ openCheckedOutTests)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/core/failure.js + 1 modules
var failure = __webpack_require__(9428);
// EXTERNAL MODULE: ./lib/core/look-alike.js
var look_alike = __webpack_require__(3511);
// EXTERNAL MODULE: ./lib/core/glob.js
var core_glob = __webpack_require__(3699);
;// CONCATENATED MODULE: ./lib/core/resolve-names.js




async function resolveNames(names, { cwd, root, paths, candidates, what, input = 'files', hint }) {
    const [here, top] = await Promise.all([(0,promises_.realpath)(cwd), (0,promises_.realpath)(root)]);
    const files = new Set(paths);
    const folders = new Set(paths.flatMap(foldersOf));
    const filesOf = (name, places) => {
        const file = places.find((one) => files.has(one));
        if (file !== undefined)
            return [file];
        const folder = places.find((one) => one === '' || folders.has(one));
        if (folder !== undefined)
            return candidates.filter((one) => folder === '' || one.startsWith(`${folder}/`));
        if (!isGlob(name))
            return undefined;
        const matchers = places.map((one) => matcherOf(one, { name, input }));
        const matches = matchers.map((matcher) => candidates.filter((one) => matcher(one) || foldersOf(one).some(matcher)));
        return matches.find((one) => one.length > 0) ?? [];
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
        return (0,core_glob/* compileGlob */.S)(glob);
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

// EXTERNAL MODULE: ./lib/pipelines/calls.js
var calls = __webpack_require__(3824);
// EXTERNAL MODULE: ./lib/pipelines/closest-pipeline.js
var closest_pipeline = __webpack_require__(161);
// EXTERNAL MODULE: ./lib/pipelines/pipeline-kind.js
var pipeline_kind = __webpack_require__(1750);
// EXTERNAL MODULE: ./flows/test/find-tests.js
var find_tests = __webpack_require__(8521);
;// CONCATENATED MODULE: ./flows/test/choose-tests.js







async function chooseTests({ names, cwd, folderOption }, project) {
    const all = (0,find_tests/* testFiles */.us)(project);
    if (names.length === 0) {
        if (all.length > 0)
            return all;
        const message = `The project in ${project.directory} has no test.${otherNameText(project)}${otherProjectsText(project, folderOption)}`;
        throw new failure/* Failure */.HR('no-test', project.pipelines.length === 0 ? noPipeline(project, folderOption) : { message });
    }
    const found = await resolveNames(names, {
        cwd,
        root: project.directory,
        paths: project.paths,
        candidates: [...all, ...project.pipelines],
        what: 'test or pipeline',
        hint: 'Give test files, pipelines, folders or globs.',
    });
    const chosen = found.map((name) => (project.has(name) ? name : ((0,calls/* resolveCall */.XC)(name, project) ?? name)));
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
    const other = paths.find((path) => !(0,find_tests/* isTestFile */.hl)(path) && /[._-]tests?\.ya?ml$/i.test(path));
    return other === undefined ? '' : ` ${other} is not one: its name must end in .test.yaml.`;
}
function otherProjectsText({ otherProjects }, option) {
    const [first] = otherProjects;
    return first === undefined
        ? ''
        : ` Folders below it are projects of their own, such as ${first}: to test that one, give ${option} ${first}.`;
}

// EXTERNAL MODULE: ./flows/test/overlay-project.js
var overlay_project = __webpack_require__(6452);
// EXTERNAL MODULE: ./flows/test/test-project.js + 1 modules
var test_project = __webpack_require__(9706);
// EXTERNAL MODULE: ./lib/config/read-project-config.js + 1 modules
var read_project_config = __webpack_require__(6227);
// EXTERNAL MODULE: ./lib/core/read-text-file.js
var read_text_file = __webpack_require__(816);
// EXTERNAL MODULE: ./lib/core/number-of.js
var number_of = __webpack_require__(1640);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: ./lib/git/index-entries.js
var index_entries = __webpack_require__(7967);
// EXTERNAL MODULE: ./lib/git/open-place.js + 1 modules
var open_place = __webpack_require__(4538);
// EXTERNAL MODULE: ./lib/git/package-folder.js
var package_folder = __webpack_require__(6755);
// EXTERNAL MODULE: ./lib/git/scan-blobs.js
var scan_blobs = __webpack_require__(2108);
// EXTERNAL MODULE: ./lib/git/snapshot.js
var snapshot = __webpack_require__(3804);
// EXTERNAL MODULE: ./lib/git/tree-entry.js
var tree_entry = __webpack_require__(4413);
;// CONCATENATED MODULE: ./lib/git/left-out-files.js









async function leftOutFiles(directory, { environment, signal, wanted, maxBytes }) {
    try {
        const { place, root, prefix } = await (0,open_place/* openPlace */.Q)(directory, environment, signal);
        const under = prefix === '' ? '' : `${prefix}/`;
        const entries = (await (0,index_entries/* indexEntries */.n)({ ...place, directory: root }, false, signal)).flatMap((entry) => entry.path.startsWith(under) ? [{ ...entry, name: entry.path.slice(under.length) }] : []);
        const isOther = inOtherProject(entries.map(({ name }) => name));
        const missing = entries.filter(({ name, type, isLeftOut }) => isLeftOut &&
            type === 'blob' &&
            wanted(name) &&
            !(0,package_folder/* isInPackages */.X)(name) &&
            !isOther(name) &&
            (0,external_node_fs_.lstatSync)(external_node_path_.join(directory, name), { throwIfNoEntry: false }) === undefined);
        const present = missing.filter((entry) => !(0,tree_entry/* isAbsent */.W0)(entry) && !(0,tree_entry/* isLink */.PJ)(entry));
        const read = await (0,snapshot/* readEntries */.$2)((oids, visit) => (0,scan_blobs/* scanBlobs */._)(place, oids, visit, signal), present.map(({ name, ...entry }) => ({ ...entry, path: name })), { unread: new Map(), maxBytes, wanted: undefined });
        const settings = entries.filter(({ name, isLeftOut }) => isLeftOut && name.endsWith(projectEnding));
        const projects = settings.map(({ name }) => name.slice(0, -projectEnding.length));
        return { contents: read, projects, absent: missing.filter(tree_entry/* isAbsent */.W0).map(({ name }) => name) };
    }
    catch (error) {
        if (error instanceof failure/* Failure */.HR && error.code === 'git-failed' && signal?.aborted !== true)
            return { contents: new Map(), absent: [], projects: [] };
        throw error;
    }
}
const projectEnding = '/millrace.yaml';
function inOtherProject(names) {
    const folders = names.flatMap((name) => name.endsWith(projectEnding) ? [name.slice(0, 1 - projectEnding.length)] : []);
    return (name) => folders.some((folder) => name.startsWith(folder));
}

// EXTERNAL MODULE: ./lib/core/decode-text.js
var decode_text = __webpack_require__(3207);
// EXTERNAL MODULE: ./lib/core/visible-text.js
var visible_text = __webpack_require__(2439);
// EXTERNAL MODULE: ./lib/git/blob-reader.js
var blob_reader = __webpack_require__(7159);
;// CONCATENATED MODULE: ./lib/git/left-out-text.js











async function leftOutText(directory, name, options) {
    const found = await leftOutEntry(directory, [name], options);
    const entry = found?.entries[0];
    if (found === undefined || entry === undefined || (0,tree_entry/* isLink */.PJ)(entry))
        return undefined;
    if ((0,tree_entry/* isAbsent */.W0)(entry))
        throw notFetched(entry.path);
    const { place } = found.opened;
    const contents = await (0,snapshot/* readEntries */.$2)((oids, visit) => (0,scan_blobs/* scanBlobs */._)(place, oids, visit, options.signal), [entry], { unread: new Map(), maxBytes: blob_reader/* defaultMaxBytes */.f, wanted: undefined });
    const content = contents.get(entry.path);
    return content === undefined ? undefined : (0,decode_text/* requireText */.He)(content, name);
}
async function firstLeftOut(directory, names, options) {
    return (await leftOutEntry(directory, names, options))?.entries[0]?.path;
}
async function leftOutEntry(directory, names, { environment, signal }) {
    try {
        const opened = await (0,open_place/* openPlace */.Q)(directory, environment, signal);
        const { place, root, prefix } = opened;
        const wanted = names.map((name) => external_node_path_.posix.join(prefix, name.split(external_node_path_.sep).join('/')));
        const inside = wanted.filter((name) => name !== '..' && !name.startsWith('../') && !external_node_path_.isAbsolute(name));
        if (inside.length === 0)
            return undefined;
        const known = await (0,index_entries/* indexEntries */.n)({ ...place, directory: root }, false, signal, inside);
        const leftOut = new Map(known
            .filter(({ path: file, type, isLeftOut }) => isLeftOut && type === 'blob' && !isOnDisk(root, file))
            .map((entry) => [entry.path, entry]));
        return { opened, entries: inside.flatMap((name) => leftOut.get(name) ?? []) };
    }
    catch (error) {
        if (error instanceof failure/* Failure */.HR && error.code === 'git-failed' && signal?.aborted !== true)
            return undefined;
        throw error;
    }
}
function isOnDisk(root, file) {
    return (0,external_node_fs_.lstatSync)(external_node_path_.join(root, file), { throwIfNoEntry: false }) !== undefined;
}
function notFetched(file) {
    const name = (0,visible_text/* visibleText */.Q6)(file);
    return new failure/* Failure */.HR('config-invalid', {
        message: `The file "${name}" is outside of the sparse check-out, and this partial clone has not fetched its content.`,
        where: { file },
        hint: `Millrace never fetches files itself. Run \`git cat-file -e ":${name}"\` to fetch it, then run the command again.`,
    });
}

// EXTERNAL MODULE: ./lib/pipelines/read-pipeline.js
var read_pipeline = __webpack_require__(8060);
// EXTERNAL MODULE: ./actions/kit/default-config.js
var default_config = __webpack_require__(8746);
;// CONCATENATED MODULE: ./actions/kit/project-prefix.js

function projectPrefix(repository, project, paths = external_node_path_) {
    const between = paths.relative(repository, project).split(paths.sep).join('/');
    return between === '' ? '' : `${between}/`;
}

// EXTERNAL MODULE: ./actions/kit/refuse-nested-projects.js
var refuse_nested_projects = __webpack_require__(7401);
// EXTERNAL MODULE: ./actions/kit/repository-folder.js
var repository_folder = __webpack_require__(2161);
// EXTERNAL MODULE: ./actions/kit/test-failures.js
var test_failures = __webpack_require__(7502);
;// CONCATENATED MODULE: ./actions/kit/checked-out-tests.js


















async function openCheckedOutTests(folder, names, step) {
    const { workspace } = step.facts;
    const directory = await projectFolder(folder, workspace);
    const repository = await (0,promises_.realpath)((await (0,repository_folder/* repositoryFolder */.p)(directory, workspace)) ?? workspace);
    const prefix = projectPrefix(repository, directory);
    const saved = await readConfig(directory, prefix, step);
    const config = saved ?? default_config/* defaultConfig */.s;
    const project = (0,test_project/* openTestProject */.qD)(directory, config.engine.warehouse, (0,test_project/* projectOptions */.Mh)(config));
    refuseEmptyWorkspace(project);
    try {
        const choice = { names, cwd: directory, folderOption: 'working-directory:' };
        await refuseLeftOutTests(choice, project, step);
        const files = await chooseTests(choice, project);
        if (saved === undefined && names.length === 0)
            (0,refuse_nested_projects/* refuseNestedProjects */.K)(project.otherProjects, 'test');
        return { project, prefix, files };
    }
    catch (error) {
        throw (0,test_failures/* explainTestFailure */.A)(error, prefix, step);
    }
}
async function refuseLeftOutTests(choice, project, { environment, context }) {
    const { contents, absent } = await leftOutFiles(project.directory, {
        environment,
        signal: context.signal,
        wanted: find_tests/* isTestFile */.hl,
        maxBytes: read_pipeline/* maxPipelineBytes */.sE,
    });
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
        return await (0,promises_.realpath)((0,external_node_path_.join)(workspace, name));
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
}
async function readConfig(directory, prefix, { environment, context }) {
    const file = `${prefix}${default_config/* configName */.k}`;
    const reading = (0,read_text_file/* readTextFile */.G)((0,external_node_path_.join)(directory, default_config/* configName */.k), file);
    const text = await reading.catch((error) => {
        if (error.code === 'ENOENT')
            return leftOutText(directory, default_config/* configName */.k, { environment, signal: context.signal });
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


/***/ }),

/***/ 7502:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ explainTestFailure),
/* harmony export */   B: () => (/* binding */ invalidTests)
/* harmony export */ });
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7994);
/* harmony import */ var _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9428);
/* harmony import */ var _lib_github_annotation_commands_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3789);



const problemsSchema = zod__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ file: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), line: zod__WEBPACK_IMPORTED_MODULE_2__/* .int */ .Whr(), column: zod__WEBPACK_IMPORTED_MODULE_2__/* .int */ .Whr(), message: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP() }));
function invalidTests(failure, prefix, { command }) {
    const problems = problemsSchema
        .parse(failure.details['problems'])
        .map((problem) => ({ ...problem, file: `${prefix}${problem.file}` }));
    for (const { message, ...place } of problems.slice(1, _lib_github_annotation_commands_js__WEBPACK_IMPORTED_MODULE_1__/* .maximumPerLevel */ .en)) {
        command((0,_lib_github_annotation_commands_js__WEBPACK_IMPORTED_MODULE_1__/* .annotationCommand */ .jx)('error', message, { ...place, title: `Millrace: ${failure.code}` }));
    }
    const { file = '', line = 1, column = 1 } = failure.where ?? {};
    return new _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('test-invalid', {
        message: failure.message,
        where: { file: `${prefix}${file}`, line, column },
        details: { problems },
        cause: failure,
    });
}
function explainTestFailure(error, prefix, step) {
    if (!(error instanceof _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR))
        return error;
    if (error.code === 'test-invalid')
        return invalidTests(error, prefix, step);
    if (error.code !== 'engine-missing')
        return error;
    return new _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('engine-missing', {
        message: error.message,
        where: { input: 'engine' },
        hint: 'Remove the input engine, so that the action installs the package. Or set engine to the folder whose node_modules has the package.',
        cause: error,
    });
}


/***/ }),

/***/ 1862:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  jq: () => (/* reexport */ FileProblems),
  un: () => (/* reexport */ ParameterError),
  P_: () => (/* reexport */ Refusal),
  L8: () => (/* reexport */ SqlError),
  Qp: () => (/* reexport */ ValueError),
  yp: () => (/* reexport */ WarehouseUnavailable),
  sZ: () => (/* reexport */ WrittenCell),
  Or: () => (/* reexport */ cellValue),
  QU: () => (/* reexport */ changedNumber),
  MF: () => (/* reexport */ describeType),
  SS: () => (/* reexport */ findBeside),
  JW: () => (/* reexport */ isMissingMock),
  jw: () => (/* reexport */ noRows),
  XS: () => (/* reexport */ openPython),
  cH: () => (/* reexport */ openWarehouse),
  qF: () => (/* reexport */ read_value_parseJson),
  _y: () => (/* reexport */ plainValue),
  l4: () => (/* reexport */ problemAt),
  Y_: () => (/* reexport */ readFixture),
  uo: () => (/* reexport */ readTableText),
  hq: () => (/* reexport */ readType),
  RO: () => (/* reexport */ read_rows_rowsOf),
  rI: () => (/* reexport */ sourceText),
  FP: () => (/* reexport */ startExecution),
  Rs: () => (/* reexport */ storedName),
  Fr: () => (/* reexport */ tableOfRows),
  nj: () => (/* reexport */ textOfFile),
  cl: () => (/* reexport */ typeOfScalar),
  s: () => (/* reexport */ unkept),
  v4: () => (/* reexport */ writtenText)
});

// UNUSED EXPORTS: WarehouseNotOpened, columnTexts, createScript, declaredColumns, hasDuckdb, inferColumns, interrupted, isTerminal, linesOfMock, notOpened, readTextFixture, readTypeText

;// CONCATENATED MODULE: ./engine/execution/execution-state.js
const terminal = new Set(['SUCCESS', 'FAILED', 'CANCELLED']);
function execution_state_isTerminal(status) {
    return terminal.has(status);
}

;// CONCATENATED MODULE: ./engine/execution/interrupted.js

function interrupted(state, now) {
    if (isTerminal(state.status))
        return state;
    const finishedAt = new Date(now).toISOString();
    return {
        ...state,
        status: 'FAILED',
        message: 'The local platform was stopped while this execution was running; start it again.',
        finishedAt,
        steps: state.steps.map((step) => step.status === 'RUNNING' ? { ...step, status: 'CANCELLED', finishedAt } : step),
    };
}

// EXTERNAL MODULE: ./lib/pipelines/pipeline-kind.js
var pipeline_kind = __webpack_require__(1750);
;// CONCATENATED MODULE: ./engine/execution/create-script.js

function createScript(outcomes) {
    const entries = outcomes.map((outcome) => ({
        outcome,
        pipeline: (0,pipeline_kind/* withoutSuffix */.al)(outcome.pipeline),
        left: outcome.times ?? Number.POSITIVE_INFINITY,
    }));
    return {
        take(pipeline, component, environment) {
            const name = (0,pipeline_kind/* withoutSuffix */.al)(pipeline);
            const entry = entries.find(({ outcome, pipeline: scripted, left }) => left > 0 &&
                scripted === name &&
                outcome.component === component &&
                (outcome.environment ?? environment) === environment);
            if (entry === undefined)
                return undefined;
            entry.left -= 1;
            return entry.outcome;
        },
    };
}

// EXTERNAL MODULE: ./lib/pipelines/calls.js
var calls = __webpack_require__(3824);
// EXTERNAL MODULE: ./lib/pipelines/read-pipeline.js
var read_pipeline = __webpack_require__(8060);
;// CONCATENATED MODULE: ./engine/core/refusal.js
const REFUSAL = 'Millrace does not support ';
class Refusal extends Error {
    name = 'Refusal';
    construct;
    place;
    hint;
    sql;
    constructor(construct, place, hint) {
        const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
        super(`${where}${REFUSAL}${construct}${hint === undefined ? '' : `; ${hint}`}`);
        this.construct = construct;
        this.place = place;
        this.hint = hint;
    }
}
class SqlError extends Error {
    name = 'SqlError';
    place;
    sql;
    ran;
    ranOffset;
    constructor(message, given = {}) {
        const { place, sql, ran, ranOffset } = given;
        super(place === undefined ? message : `${place.file}:${place.line}:${place.column}: ${message}`);
        this.place = place;
        this.sql = sql;
        this.ran = ran;
        this.ranOffset = ranOffset;
    }
}
function withSql(error, sql) {
    if (error instanceof Refusal || error instanceof SqlError)
        error.sql ??= sql;
    return error;
}
function atPlace(error, place, given = {}) {
    if (!(error instanceof SqlError) || error.place !== undefined)
        return error;
    const { message, sql = given.sql, ran, ranOffset } = error;
    const made = given.ran;
    return made === undefined || ran === undefined
        ? new SqlError(message, { place, sql, ran, ranOffset })
        : new SqlError(message, { place, sql, ran: made });
}

// EXTERNAL MODULE: external "node:module"
var external_node_module_ = __webpack_require__(8995);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
;// CONCATENATED MODULE: ./engine/duckdb/load-duckdb.js



class WarehouseUnavailable extends Error {
    name = 'WarehouseUnavailable';
}
const duckdbVersion = '1.5.5-r.5';
const packageName = '@duckdb/node-api';
async function loadDuckdb(load = loadInstalled) {
    try {
        return load();
    }
    catch (error) {
        throw new WarehouseUnavailable(`Pipelines run on embedded DuckDB, and its optional package ${packageName} could not be loaded. ` +
            `Install it with: npm install ${packageName}@${duckdbVersion}`, { cause: error });
    }
}
async function loadDuckdbFrom(folder) {
    const place = (0,external_node_path_.join)(folder, 'node_modules', packageName);
    const load = (0,external_node_module_.createRequire)((0,external_node_path_.join)(folder, 'package.json'));
    try {
        const { version } = load((0,external_node_path_.join)(place, 'package.json'));
        if (version === duckdbVersion)
            return loadWithMarks(load, place);
        throw new Error(`it has the version ${version}`);
    }
    catch (error) {
        const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
        throw new WarehouseUnavailable(`The folder "${folder}" has no ${packageName}@${duckdbVersion} that can be loaded: ${reason ?? ''}`, { cause: error });
    }
}
async function hasDuckdb() {
    try {
        const installed = createRequire(import.meta.url).resolve(packageName);
        createRequire(installed)('@duckdb/node-bindings');
        return true;
    }
    catch {
        return false;
    }
}
function loadInstalled() {
    return loadWithMarks((0,external_node_module_.createRequire)(import.meta.url), packageName);
}
function loadWithMarks(load, name) {
    const duckdb = load(name);
    const accessors = (0,external_node_module_.createRequire)(load.resolve(name))('./vectors/dataAccessors.js');
    if (!(accessors.textDecoder instanceof external_node_util_.TextDecoder))
        throw new Error('it decodes texts in another way');
    if (!accessors.textDecoder.ignoreBOM)
        accessors.textDecoder = new external_node_util_.TextDecoder('utf-8', { ignoreBOM: true });
    return duckdb;
}

;// CONCATENATED MODULE: ./engine/duckdb/not-opened.js
class WarehouseNotOpened extends Error {
    name = 'WarehouseNotOpened';
}
const begin = 'delete it to begin with an empty one';
const reasons = [
    [
        /version number|storage version|newer version of DuckDB/i,
        'another version of DuckDB wrote it',
        `install that version, or ${begin}`,
    ],
    [
        /not a valid DuckDB|corrupt|checksum|enough bytes|failure while replaying WAL/i,
        'it is damaged, or not a database',
        `restore it from a backup, or ${begin}`,
    ],
    [
        /permission denied|EACCES|EPERM|read-only file system|EROFS/i,
        'permission is denied',
        'the user that runs Millrace must be able to read and write it and its folder',
    ],
    [/no space left|ENOSPC|file too large|EFBIG|quota/i, 'the disk is full', 'free some space'],
    [/set lock|conflicting lock/i, 'another process has it open', 'end that process, or use another folder'],
    [
        /not a directory|ENOTDIR|EEXIST|is a directory|EISDIR|no such file|ENOENT|does not exist/i,
        'a file or a folder is missing, or is in its place',
        'check its folder',
    ],
];
function notOpened(file, error) {
    if (error instanceof WarehouseNotOpened)
        return error;
    const text = error instanceof Error ? error.message : String(error);
    const known = reasons.find(([pattern]) => pattern.test(text));
    const why = known === undefined ? text : `${known[1]}; ${known[2]}`;
    return new WarehouseNotOpened(`the database file ${file} cannot be opened: ${why}`, { cause: error });
}

;// CONCATENATED MODULE: ./engine/execution/end-message.js
const maxLength = 2_000;
function endMessage(run, result) {
    const { status, message } = verdict(run, result);
    const ran = `${run.components} ${run.components === 1 ? 'component' : 'components'} ran`;
    const count = run.request.engine === undefined
        ? `Simulated: ${ran}, nothing outside was touched.`
        : `${ran}${run.mocked === 0 ? '' : `, ${run.mocked} mocked`}.`;
    const space = message.includes('\n') ? '\n' : ' ';
    return { status, message: [message, count, assumptions(run)].filter((part) => part !== '').join(space) };
}
function verdict(run, result) {
    if (run.stopping)
        return { status: 'CANCELLED', message: 'Terminated on request.' };
    if (run.fatal !== undefined)
        return { status: 'FAILED', message: shorten(run.fatal) };
    if (result.status === 'success')
        return { status: 'SUCCESS', message: result.message };
    return { status: 'FAILED', message: shorten(result.origin ?? result.message) };
}
function assumptions({ assumed }) {
    if (assumed.size === 0)
        return '';
    const [first = ''] = assumed;
    const more = assumed.size === 1 ? '' : ` and ${assumed.size - 1} more`;
    return `Taken as true, because it cannot be evaluated here: ${first}${more}.`;
}
function shorten(message) {
    const short = message.length > maxLength ? `${message.slice(0, maxLength)}…` : message;
    return /[.!?…]$/.test(short) || short.includes('\n') ? short : `${short}.`;
}

// EXTERNAL MODULE: ./lib/pipelines/variable-value.js
var variable_value = __webpack_require__(6813);
;// CONCATENATED MODULE: ./engine/execution/variables.js

function createVariables(cells) {
    return {
        cell: (name) => cells.get(name),
        set(name, value) {
            const cell = cells.get(name);
            if (cell === undefined)
                return `the variable "${name}" is not defined`;
            const refusal = refusalOf(cell, name, value);
            if (refusal === undefined)
                cell.value = value;
            return refusal;
        },
        setGrid(name, rows) {
            const cell = cells.get(name);
            if (cell === undefined)
                return `the variable "${name}" is not defined`;
            if (typeof cell.value === 'string')
                return `the variable "${name}" is not a grid`;
            const refusal = gridRefusal(cell, name, rows);
            if (refusal === undefined)
                cell.value = rows;
            return refusal;
        },
        all: () => new Map([...cells].map(([name, cell]) => [name, { ...cell }])),
        fork: () => createVariables(forkCells(cells)),
    };
}
function forkCells(cells) {
    return new Map([...cells].map(([name, cell]) => [name, cell.copied ? { ...cell } : cell]));
}
function refusalOf(cell, name, value) {
    if (cell.type === 'GRID')
        return `the variable "${name}" is a grid, so it needs rows, not one value`;
    const fault = (0,variable_value/* valueFault */.SH)(cell.type, value);
    return fault === undefined ? undefined : `the variable "${name}" ${fault}`;
}
function gridRefusal({ columns, columnTypes }, name, rows) {
    if (columnTypes === undefined)
        return undefined;
    for (const row of rows) {
        for (const [column, value] of row.entries()) {
            const fault = (0,variable_value/* cellFault */.h5)({ columns, columnTypes }, column, value);
            if (fault !== undefined)
                return `the variable "${name}": ${fault}`;
        }
    }
    return undefined;
}

;// CONCATENATED MODULE: ./engine/execution/pipeline-variables.js

function projectCells(variables) {
    return new Map([...variables].map(([name, { type, behaviour, value }]) => [
        name,
        { type, copied: behaviour === 'COPIED', columns: [], value: String(value) },
    ]));
}
function pipelineVariables(document, project, given) {
    const cells = forkCells(project);
    for (const variable of document.variables.values())
        cells.set(variable.name, cellOf(variable));
    const target = (name) => {
        if (document.variables.get(name)?.visibility === 'PRIVATE') {
            return `the variable "${name}" is private to the pipeline`;
        }
        return cells.get(name) ?? `the pipeline has no variable "${name}"`;
    };
    for (const [name, value] of given.scalars) {
        const cell = target(name);
        if (typeof cell === 'string')
            return { refusal: cell };
        const refusal = refusalOf(cell, name, value);
        if (refusal !== undefined)
            return { refusal };
        cells.set(name, { ...cell, value });
    }
    for (const [name, rows] of given.grids) {
        const cell = target(name);
        if (typeof cell === 'string')
            return { refusal: cell };
        if (cell.type !== 'GRID')
            return { refusal: `the variable "${name}" is not a grid` };
        const refusal = gridRefusal(cell, name, rows);
        if (refusal !== undefined)
            return { refusal };
        cells.set(name, { ...cell, value: rows });
    }
    const refused = defaultRefusal(document, cells, given);
    return refused === undefined ? { variables: createVariables(cells) } : { refusal: refused };
}
function defaultRefusal({ variables, path }, cells, { scalars, grids }) {
    const given = new Set([...scalars, ...grids].map(([name]) => name));
    for (const { name, range } of variables.values()) {
        const cell = cells.get(name);
        if (cell === undefined || given.has(name))
            continue;
        const refusal = typeof cell.value === 'string'
            ? cell.type === 'GRID'
                ? undefined
                : refusalOf(cell, name, cell.value)
            : gridRefusal(cell, name, cell.value);
        if (refusal !== undefined)
            return `${path}:${range.line}:${range.column}: its default: ${refusal}`;
    }
    return undefined;
}
function cellOf({ type, scope, columns, columnTypes, defaultValue }) {
    return {
        type,
        copied: scope === 'COPIED',
        columns,
        columnTypes,
        value: defaultValue ?? (type === 'GRID' ? [] : ''),
    };
}

;// CONCATENATED MODULE: ./engine/execution/run.js
function isStopped(frame) {
    if (frame.run.stopping || frame.run.fatal !== undefined)
        return true;
    for (let at = frame; at !== undefined; at = at.parent)
        if (at.end.failed)
            return true;
    return false;
}
function endAll(run, reason) {
    run.fatal ??= reason;
    return { status: 'stopped', message: reason };
}
const stopped = { status: 'stopped', message: 'Stopped.' };
function failure(message, origin, failed) {
    return { status: 'failure', message, origin, failed };
}
function success(message) {
    return { status: 'success', message };
}
function failureOf(component, pipeline, message) {
    return `Component "${component}" of pipeline "${pipeline}" failed: ${message}`;
}

// EXTERNAL MODULE: ./lib/yaml/quote-text.js
var quote_text = __webpack_require__(117);
;// CONCATENATED MODULE: ./engine/orchestration/yaml-text.js

function yamlText(text) {
    const isPlain = /^[A-Za-z_][\w.]*(?: [\w.]+)*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
    return isPlain ? text : (0,quote_text/* quoteText */.o)(text);
}
const examples = {
    BOOLEAN: 'true',
    DATE: "'2026-01-02'",
    TIME: "'06:00:00'",
    TIMESTAMP: "'2026-01-02 06:00:00'",
    TIMESTAMP_TZ: "'2026-01-02 06:00:00+00:00'",
    TIMESTAMP_LTZ: "'2026-01-02 06:00:00+00:00'",
    VARIANT: '{}',
    SUPER: '{}',
    VARCHAR: 'text',
    BINARY: "'00'",
};
function exampleRow(types) {
    const cells = Object.entries(types).map(([name, type]) => `${yamlText(name)}: ${examples[type.replace(/\(.*/, '')] ?? '1'}`);
    return `{ ${cells.length === 0 ? 'column: value' : cells.join(', ')} }`;
}
function typeMap(types) {
    return `{ ${Object.entries(types)
        .map(([name, type]) => `${yamlText(name)}: ${yamlText(type)}`)
        .join(', ')} }`;
}

;// CONCATENATED MODULE: ./engine/expressions/expression-error.js
class ExpressionError extends Error {
    name = 'ExpressionError';
    offset;
    kind;
    constructor(kind, message, offset) {
        super(message);
        this.kind = kind;
        this.offset = offset;
    }
}
function refuse(what, offset) {
    throw new ExpressionError('refused', `Millrace does not support this in an expression: ${what}`, offset);
}
function fail(message, offset) {
    throw new ExpressionError('failed', message, offset);
}

;// CONCATENATED MODULE: ./engine/expressions/limits.js
const limits = {
    length: 10_000,
    nesting: 100,
    operations: 1000,
    text: 1_000_000,
    items: 100_000,
    patternWork: 10_000_000,
};

;// CONCATENATED MODULE: ./engine/expressions/datum.js


class DateValue {
    ms;
    constructor(ms) {
        this.ms = ms;
    }
}
class RecordValue {
    entries;
    constructor(entries) {
        this.entries = new Map(entries);
    }
}
function isList(value) {
    return Array.isArray(value);
}
function toText(value, offset) {
    if (typeof value === 'object' && value !== null)
        refuse(`converting ${nameKind(value)} to text`, offset);
    return String(value);
}
function toNumber(value, offset) {
    if (value instanceof DateValue)
        return value.ms;
    if (typeof value === 'object' && value !== null)
        refuse(`converting ${nameKind(value)} to a number`, offset);
    return Number(value);
}
function isTrue(value) {
    return Boolean(value);
}
function nameKind(value) {
    if (isList(value))
        return 'a list';
    if (value instanceof DateValue)
        return 'a date';
    if (value instanceof RecordValue)
        return 'a grid or another object';
    if (value === null || value === undefined)
        return String(value);
    return `a ${typeof value === 'string' ? 'text' : typeof value}`;
}
function limitText(length, offset) {
    if (!(length <= limits.text))
        fail(`a text has more than ${limits.text} characters`, offset);
}
function limitItems(count, offset) {
    if (count > limits.items)
        fail(`a list has more than ${limits.items} items`, offset);
}
function areEqual(left, right, isStrict, offset) {
    for (const value of [left, right]) {
        if (typeof value === 'object' && value !== null)
            refuse(`the comparison of ${nameKind(value)}`, offset);
    }
    if (isStrict || typeof left === typeof right)
        return left === right;
    const isEmpty = (value) => value === null || value === undefined;
    if (isEmpty(left) || isEmpty(right))
        return isEmpty(left) && isEmpty(right);
    return Number(left) === Number(right);
}

;// CONCATENATED MODULE: ./engine/expressions/arguments.js


class Arguments {
    offset;
    #values;
    #name;
    constructor(name, values, offset) {
        this.#name = name;
        this.#values = values;
        this.offset = offset;
    }
    get count() {
        return this.#values.length;
    }
    at(index) {
        return this.#values[index];
    }
    text(index) {
        const value = this.#values[index];
        if (typeof value === 'string')
            return value;
        if (typeof value === 'number')
            return String(value);
        return this.#refuseValue(index);
    }
    number(index) {
        const value = this.datum(index);
        return typeof value === 'number' || typeof value === 'string'
            ? toNumber(value, this.offset)
            : this.#refuseValue(index);
    }
    optionalNumber(index) {
        return this.#values[index] === undefined ? undefined : this.number(index);
    }
    datum(index) {
        const value = this.#values[index];
        return isPattern(value) ? this.#refuseValue(index) : value;
    }
    data() {
        return this.#values.map((_, index) => this.datum(index));
    }
    expect(least, most = least) {
        if (this.count >= least && this.count <= most)
            return;
        refuse(`\`${this.#name}\` with ${this.count} values`, this.offset);
    }
    #refuseValue(index) {
        const value = this.#values[index];
        return refuse(`\`${this.#name}\` with ${isPattern(value) ? 'a regular expression' : nameKind(value)}`, this.offset);
    }
}
function isPattern(value) {
    return typeof value === 'object' && value !== null && 'replace' in value;
}

;// CONCATENATED MODULE: ./engine/expressions/functions.js


function ofNumber(compute) {
    return (values) => {
        values.expect(1);
        return compute(toNumber(values.datum(0), values.offset));
    };
}
function ofNumbers(compute) {
    return (values) => compute(...values.data().map((value) => toNumber(value, values.offset)));
}
const functions = new Map([
    ['String', (values) => one(values, (value) => toText(value, values.offset))],
    ['Number', ofNumber((number) => number)],
    ['Boolean', (values) => one(values, isTrue)],
    ['isNaN', ofNumber(Number.isNaN)],
    ['parseFloat', (values) => one(values, (value) => Number.parseFloat(toText(value, values.offset)))],
    ['parseInt', parseWhole],
    ['Number.isInteger', (values) => one(values, (value) => Number.isInteger(value))],
    ['Math.floor', ofNumber(Math.floor)],
    ['Math.ceil', ofNumber(Math.ceil)],
    ['Math.round', ofNumber(Math.round)],
    ['Math.trunc', ofNumber(Math.trunc)],
    ['Math.abs', ofNumber(Math.abs)],
    ['Math.min', ofNumbers(Math.min)],
    ['Math.max', ofNumbers(Math.max)],
    [
        'Date.now',
        (values, now) => {
            values.expect(0);
            return now;
        },
    ],
]);
const namespaces = new Set(['Math', 'Number', 'Date']);
function one(values, compute) {
    values.expect(1);
    return compute(values.datum(0));
}
function parseWhole(values) {
    values.expect(1, 2);
    return Number.parseInt(toText(values.datum(0), values.offset), values.optionalNumber(1));
}
const isoDate = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/;
function createDate(values, now) {
    if (values.count === 0)
        return new DateValue(now);
    if (values.count > 1) {
        values.expect(2, 7);
        const [year = 0, month = 0, ...rest] = values.data().map((value) => toNumber(value, values.offset));
        return new DateValue(Date.UTC(year, month, ...rest));
    }
    const value = values.datum(0);
    if (value instanceof DateValue)
        return value;
    if (typeof value === 'number')
        return new DateValue(new Date(value).getTime());
    const [, date, time, zone] = typeof value === 'string' ? (isoDate.exec(value) ?? []) : [];
    if (date === undefined)
        refuse('a date in this form; write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ', values.offset);
    return new DateValue(Date.parse(time === undefined ? date : `${date}T${time}${zone ?? 'Z'}`));
}

;// CONCATENATED MODULE: ./engine/expressions/other-methods.js


const listMethods = new Map([
    ['indexOf', (list, values) => find(list, values)],
    ['lastIndexOf', (list, values) => findLast(list, values)],
    ['includes', (list, values) => find(list, values) >= 0],
    ['join', join],
    ['concat', concat],
    [
        'slice',
        (list, values) => {
            values.expect(0, 2);
            return list.slice(values.optionalNumber(0), values.optionalNumber(1));
        },
    ],
    [
        'at',
        (list, values) => {
            values.expect(1);
            return list.at(values.number(0));
        },
    ],
]);
function find(list, values) {
    values.expect(1);
    const value = values.datum(0);
    return list.findIndex((item) => areEqual(item, value, true, values.offset));
}
function findLast(list, values) {
    values.expect(1);
    const value = values.datum(0);
    return list.findLastIndex((item) => areEqual(item, value, true, values.offset));
}
function join(list, values) {
    values.expect(0, 1);
    const separator = values.count > 0 ? values.text(0) : ',';
    const texts = list.map((item) => (item === null || item === undefined ? '' : toText(item, values.offset)));
    const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
    limitText(length, values.offset);
    return texts.join(separator);
}
function concat(list, values) {
    const result = values.data().reduce((all, value) => {
        const more = isList(value) ? value : [value];
        limitItems(all.length + more.length, values.offset);
        return [...all, ...more];
    }, list);
    return result;
}
const numberMethods = new Map([
    [
        'toString',
        (number, values) => {
            values.expect(0);
            return String(number);
        },
    ],
    [
        'toFixed',
        (number, values) => {
            values.expect(0, 1);
            const digits = values.optionalNumber(0) ?? 0;
            if (!(digits >= 0 && digits <= 100))
                fail('toFixed takes 0 to 100 digits', values.offset);
            return number.toFixed(digits);
        },
    ],
]);
const dateParts = {
    FullYear: (date) => date.getUTCFullYear(),
    Month: (date) => date.getUTCMonth(),
    Date: (date) => date.getUTCDate(),
    Day: (date) => date.getUTCDay(),
    Hours: (date) => date.getUTCHours(),
    Minutes: (date) => date.getUTCMinutes(),
    Seconds: (date) => date.getUTCSeconds(),
    Milliseconds: (date) => date.getUTCMilliseconds(),
};
function callDateMethod(value, name, values) {
    const date = new Date(value.ms);
    const part = dateParts[/^get(?:UTC)?(\w+)$/.exec(name)?.[1] ?? ''];
    if (part === undefined &&
        !['toISOString', 'toJSON', 'getTime', 'valueOf', 'getTimezoneOffset'].includes(name)) {
        refuse(`\`${name}\` of a date`, values.offset);
    }
    values.expect(0);
    if (part !== undefined)
        return part(date);
    if (name === 'getTimezoneOffset')
        return 0;
    if (name === 'getTime' || name === 'valueOf')
        return value.ms;
    if (Number.isNaN(value.ms))
        fail('the date is not valid', values.offset);
    return date.toISOString();
}

// EXTERNAL MODULE: ./node_modules/re2js/build/index.js
var build = __webpack_require__(2856);
;// CONCATENATED MODULE: ./engine/expressions/translate-pattern.js

const spaces = String.raw `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const lineEnds = String.raw `\n\r\x{2028}\x{2029}`;
const part = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])|\(\?(?::|<[\p{L}_][\p{L}\p{N}_]*>)?|[^]/gu;
function translatePattern(source, dotIsAll, offset) {
    let inClass = false;
    let result = '';
    for (const { 0: text, index } of source.matchAll(part)) {
        if (text.startsWith('\\'))
            result += translateEscape(text, inClass, offset);
        else if (text.startsWith('(?') && !inClass) {
            if (text !== '(?:')
                refuse('a named group or lookaround in a regular expression', offset);
            result += text;
        }
        else if (inClass) {
            inClass = text !== ']';
            result += text.replaceAll('[', String.raw `\[`);
        }
        else if (text === '[') {
            if (/^\[\^?\]/.test(source.slice(index)))
                refuse('an empty class in a regular expression', offset);
            inClass = true;
            result += text;
        }
        else
            result += text === '.' ? dot(dotIsAll) : text;
    }
    return result;
}
function dot(isAll) {
    return isAll ? '(?s:.)' : `[^${lineEnds}]`;
}
function translateEscape(text, inClass, offset) {
    const letter = text[1] ?? '';
    if (text.length > 2)
        return `\\x{${text.slice(2)}}`;
    if (letter === 's')
        return inClass ? spaces : `[${spaces}]`;
    if (letter === 'S' && !inClass)
        return `[^${spaces}]`;
    if (inClass ? /[dwDWntrfv]/.test(letter) : /[dwDWbBntrfv]/.test(letter))
        return text;
    if (/[\p{L}\p{N}]/u.test(letter))
        refuse(`\`${text}\` in a regular expression`, offset);
    return /[^\w\s]/.test(letter) && letter < '\u0080' ? text : letter;
}

;// CONCATENATED MODULE: ./engine/expressions/pattern.js





function compilePattern(source, flags, offset) {
    const unknown = /[^gisu]/.exec(flags)?.[0] ?? /(.).*\1/.exec(flags)?.[1];
    if (unknown !== undefined)
        refuse(`the flag ${unknown} of a regular expression`, offset);
    const compiled = compile(translatePattern(source, flags.includes('s'), offset), flags.includes('i'), offset);
    const isGlobal = flags.includes('g');
    return {
        isGlobal,
        replace(text, replacement) {
            if (compiled.programSize() * text.length > limits.patternWork)
                refuse('this regular expression on a text of this length, because it would take too long', offset);
            return replaceMatches(compiled, text, { replacement, isGlobal, offset });
        },
    };
}
function compile(source, ignoresCase, offset) {
    try {
        return build.RE2JS.compile(source, ignoresCase ? build.RE2JS.CASE_INSENSITIVE : 0);
    }
    catch {
        return refuse('this regular expression', offset);
    }
}
function replaceMatches(compiled, text, given) {
    const matcher = compiled.matcher(text);
    let result = '';
    let last = 0;
    while (matcher.find()) {
        const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '');
        const [start, end] = [matcher.start(), matcher.end()];
        result += text.slice(last, start) + expandReplacement(given.replacement, groups, given.offset);
        limitText(result.length, given.offset);
        last = end;
        if (!given.isGlobal)
            break;
    }
    return result + text.slice(last);
}
function expandReplacement(replacement, groups, offset) {
    return replacement.replace(/\$(\$|&|`|'|<|\d\d?)/g, (written, what) => {
        if (what === '$')
            return '$';
        if (what === '&')
            return groups[0] ?? '';
        if (/^\d/.test(what))
            return groupText(what, groups) ?? written;
        return what === '<' ? written : refuse(`\`${written}\` in a replacement`, offset);
    });
}
function groupText(digits, groups) {
    const whole = Number(digits);
    if (whole >= 1 && whole < groups.length)
        return groups[whole];
    const first = Number(digits[0]);
    return digits.length === 2 && first >= 1 && first < groups.length
        ? `${groups[first]}${digits[1]}`
        : undefined;
}

;// CONCATENATED MODULE: ./engine/expressions/text-methods.js





function plain(method) {
    return (text, values) => {
        values.expect(0);
        return method(text);
    };
}
function finding(method) {
    return (text, values) => {
        values.expect(1, 2);
        return method(text, values.text(0), values.optionalNumber(1));
    };
}
function cutting(method) {
    return (text, values) => {
        values.expect(1, 2);
        return method(text, values.number(0), values.optionalNumber(1));
    };
}
function padding(method) {
    return (text, values) => {
        values.expect(1, 2);
        const length = values.number(0);
        limitText(Number.isNaN(length) ? 0 : length, values.offset);
        return method(text, length, values.count > 1 ? values.text(1) : ' ');
    };
}
const textMethods = new Map([
    ['toUpperCase', plain((text) => text.toUpperCase())],
    ['toLowerCase', plain((text) => text.toLowerCase())],
    ['trim', plain((text) => text.trim())],
    ['trimStart', plain((text) => text.trimStart())],
    ['trimEnd', plain((text) => text.trimEnd())],
    ['toString', plain((text) => text)],
    ['indexOf', finding((text, part, position) => text.indexOf(part, position))],
    ['lastIndexOf', finding((text, part, position) => text.lastIndexOf(part, position))],
    ['includes', finding((text, part, position) => text.includes(part, position))],
    ['startsWith', finding((text, part, position) => text.startsWith(part, position))],
    ['endsWith', finding((text, part, position) => text.endsWith(part, position))],
    ['substring', cutting((text, start, end) => text.substring(start, end))],
    ['slice', cutting((text, start, end) => text.slice(start, end))],
    ['substr', cutting((text, start, length) => substr(text, start, length))],
    ['charAt', cutting((text, index) => text.charAt(index))],
    ['charCodeAt', cutting((text, index) => text.charCodeAt(index))],
    ['at', cutting((text, index) => text.at(index))],
    ['padStart', padding((text, length, fill) => text.padStart(length, fill))],
    ['padEnd', padding((text, length, fill) => text.padEnd(length, fill))],
    ['repeat', repeat],
    ['concat', text_methods_concat],
    ['split', split],
    ['replace', (text, values) => replace(text, values, false)],
    ['replaceAll', (text, values) => replace(text, values, true)],
]);
function substr(text, start, length) {
    const whole = Math.trunc(start) || 0;
    const from = whole < 0 ? Math.max(text.length + whole, 0) : whole;
    return length === undefined
        ? text.slice(from)
        : text.slice(from, from + Math.max(Math.trunc(length) || 0, 0));
}
function repeat(text, values) {
    values.expect(1);
    const count = values.number(0);
    if (!(count >= 0))
        refuse('a negative count', values.offset);
    limitText(text.length * count, values.offset);
    return text === '' ? '' : text.repeat(count);
}
function text_methods_concat(text, values) {
    return values.data().reduce((result, _, index) => {
        const next = values.text(index);
        limitText(result.length + next.length, values.offset);
        return result + next;
    }, text);
}
function split(text, values) {
    values.expect(1);
    const parts = text.split(values.text(0), limits.items + 1);
    limitItems(parts.length, values.offset);
    return parts;
}
function replace(text, values, all) {
    values.expect(2);
    const what = values.at(0);
    const replacement = values.text(1);
    if (!isPattern(what))
        return replaceText(text, values.text(0), { replacement, all, offset: values.offset });
    if (all && !what.isGlobal)
        refuse('`replaceAll` with a regular expression without the flag g', values.offset);
    return what.replace(text, replacement);
}
function replaceText(text, part, given) {
    const expanded = expandReplacement(given.replacement, [part], given.offset);
    const count = given.all ? countOf(text, part) : 1;
    limitText(text.length + count * Math.max(expanded.length - part.length, 0), given.offset);
    return given.all ? text.replaceAll(part, () => expanded) : text.replace(part, () => expanded);
}
function countOf(text, part) {
    if (part === '')
        return text.length + 1;
    let count = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
        count += 1;
    return count;
}

;// CONCATENATED MODULE: ./engine/expressions/evaluate.js







function evaluate(node, scope) {
    switch (node.kind) {
        case 'literal':
            return node.value;
        case 'regex':
            return refuse('a regular expression outside `replace`', node.offset);
        case 'list':
            return node.items.map((item) => evaluate(item, scope));
        case 'name':
            return variableOf(node.name, scope, node.offset);
        case 'member':
            return memberOf(evaluate(node.object, scope), node.name, node.offset);
        case 'index':
            return itemOf(evaluate(node.object, scope), evaluate(node.index, scope), node.offset);
        case 'call':
            return call(node, scope);
        case 'new-date':
            return createDate(new Arguments('new Date', valuesOf(node.values, scope), node.offset), scope.now);
        case 'unary':
            return unary(node.operator, evaluate(node.operand, scope), node.offset);
        case 'binary':
            return binary(node, scope);
        case 'choice':
            return evaluate(isTrue(evaluate(node.test, scope)) ? node.yes : node.no, scope);
    }
}
function variableOf(name, scope, offset) {
    const found = scope.variable(name);
    if (found !== undefined)
        return found.value;
    throw new ExpressionError('failed', `the variable "${name}" is not defined`, offset);
}
function memberOf(object, name, offset) {
    if ((typeof object === 'string' || isList(object)) && name === 'length')
        return object.length;
    if (object instanceof RecordValue) {
        if (object.entries.has(name))
            return object.entries.get(name);
        fail(`there is no "${name}"; there is ${[...object.entries.keys()].slice(0, 10).join(', ')}`, offset);
    }
    if (object === null || object === undefined)
        fail(`${String(object)} has no "${name}"`, offset);
    return refuse(`\`${name}\` of ${nameKind(object)}`, offset);
}
function itemOf(object, index, offset) {
    if (object instanceof RecordValue)
        return memberOf(object, toText(index, offset), offset);
    if (object === null || object === undefined)
        fail(`${String(object)} has no items`, offset);
    if (typeof object !== 'string' && !isList(object))
        refuse(`an item of ${nameKind(object)}`, offset);
    const at = typeof index === 'string' && /^(?:0|[1-9]\d*)$/.test(index) ? Number(index) : index;
    if (typeof at !== 'number')
        refuse(`${nameKind(index)} as an index`, offset);
    return object[at];
}
function call(node, scope) {
    const { object, name, offset } = node;
    const path = functionPath(object, name, scope);
    if (object === undefined || path !== undefined) {
        const known = functions.get(path ?? name);
        if (known === undefined)
            refuse(`the function \`${path ?? name}\``, offset);
        return known(new Arguments(path ?? name, valuesOf(node.values, scope), offset), scope.now);
    }
    const receiver = evaluate(object, scope);
    return callMethod(receiver, name, new Arguments(name, valuesOf(node.values, scope), offset));
}
function functionPath(object, name, scope) {
    if (object?.kind !== 'name' || !namespaces.has(object.name))
        return undefined;
    return scope.variable(object.name) === undefined ? `${object.name}.${name}` : undefined;
}
function callMethod(receiver, name, values) {
    if (receiver === null || receiver === undefined)
        fail(`${String(receiver)} has no method "${name}"`, values.offset);
    if (receiver instanceof DateValue)
        return callDateMethod(receiver, name, values);
    const result = typeof receiver === 'string'
        ? bind(textMethods.get(name), receiver, values)
        : typeof receiver === 'number'
            ? bind(numberMethods.get(name), receiver, values)
            : isList(receiver)
                ? bind(listMethods.get(name), receiver, values)
                : undefined;
    if (result === undefined)
        refuse(`\`${name}\` of ${nameKind(receiver)}`, values.offset);
    return result();
}
function bind(method, receiver, values) {
    return method === undefined ? undefined : () => method(receiver, values);
}
function valuesOf(nodes, scope) {
    return nodes.map((node) => node.kind === 'regex' ? compilePattern(node.source, node.flags, node.offset) : evaluate(node, scope));
}
function unary(operator, value, offset) {
    if (operator === '!')
        return !isTrue(value);
    const number = toNumber(value, offset);
    return operator === '-' ? -number : number;
}
function binary({ operator, left, right, offset }, scope) {
    const first = evaluate(left, scope);
    if (operator === '&&')
        return isTrue(first) ? evaluate(right, scope) : first;
    if (operator === '||')
        return isTrue(first) ? first : evaluate(right, scope);
    const second = evaluate(right, scope);
    switch (operator) {
        case '==':
        case '===':
            return areEqual(first, second, operator === '===', offset);
        case '!=':
        case '!==':
            return !areEqual(first, second, operator === '!==', offset);
        case '+':
            return add(first, second, offset);
        case '-':
            return toNumber(first, offset) - toNumber(second, offset);
        case '*':
            return toNumber(first, offset) * toNumber(second, offset);
        case '/':
            return toNumber(first, offset) / toNumber(second, offset);
        case '%':
            return toNumber(first, offset) % toNumber(second, offset);
        default:
            return isOrdered(operator, first, second, offset);
    }
}
function add(left, right, offset) {
    for (const value of [left, right]) {
        if (typeof value === 'object' && value !== null)
            refuse(`\`+\` with ${nameKind(value)}`, offset);
    }
    if (typeof left !== 'string' && typeof right !== 'string')
        return Number(left) + Number(right);
    const [first, second] = [toText(left, offset), toText(right, offset)];
    limitText(first.length + second.length, offset);
    return first + second;
}
function isOrdered(operator, left, right, offset) {
    const areTexts = typeof left === 'string' && typeof right === 'string';
    const [first, second] = areTexts ? [left, right] : [toNumber(left, offset), toNumber(right, offset)];
    if (operator === '<')
        return first < second;
    if (operator === '<=')
        return first <= second;
    return operator === '>' ? first > second : first >= second;
}

// EXTERNAL MODULE: ./lib/pipelines/variable-name.js
var variable_name = __webpack_require__(8769);
;// CONCATENATED MODULE: ./engine/expressions/tokenize.js



const signs = ('>>>= ... === !== **= <<= >>= >>> &&= ||= ??= => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= << >> ** ' +
    '+ - * / % < > = ! ? : . , ; ( ) [ ] { } & | ^ ~ @ #').split(' ');
const space = /[\s\uFEFF]+/uy;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const tokenize_name = new RegExp(variable_name/* variableName */.c, 'uy');
function nextToken(text, offset, previous) {
    const start = offset + (match(space, text, offset)?.length ?? 0);
    const character = text[start];
    if (character === undefined)
        return { kind: 'end', offset: start, end: start };
    if (text.startsWith('//', start) || text.startsWith('/*', start))
        refuse('a comment', start);
    if (character === '"' || character === "'")
        return readText(text, start, character);
    if (character === '`')
        refuse('a template literal', start);
    if (character === '/' && !endsOperand(previous))
        return readRegex(text, start);
    return readPlain(text, start, character);
}
function readPlain(text, start, character) {
    const digits = match(number, text, start);
    if (digits !== undefined)
        return readNumber(text, start, digits);
    const word = match(tokenize_name, text, start);
    if (word !== undefined)
        return { kind: 'name', value: word, offset: start, end: start + word.length };
    const sign = signs.find((known) => text.startsWith(known, start));
    if (sign === undefined)
        refuse(`the character ${JSON.stringify(character)}`, start);
    return { kind: 'sign', value: sign, offset: start, end: start + sign.length };
}
function readNumber(text, start, digits) {
    const end = start + digits.length;
    if (/^0\d/.test(digits) || match(tokenize_name, text, end) !== undefined) {
        refuse(`the number ${digits}${match(tokenize_name, text, end) ?? ''}`, start);
    }
    return { kind: 'number', value: Number(digits), offset: start, end };
}
function match(pattern, text, offset) {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
}
function endsOperand(token) {
    if (token === undefined)
        return false;
    return token.kind === 'sign' ? [')', ']', '}'].includes(token.value) : token.kind !== 'end';
}
const escapes = {
    n: '\n',
    t: '\t',
    r: '\r',
    b: '\b',
    f: '\f',
    v: '\v',
    '\n': '',
};
function readText(text, start, quote) {
    let value = '';
    let at = start + 1;
    for (;;) {
        const character = text[at];
        if (character === undefined || character === '\n' || character === '\r')
            fail('a text has no end quote', start);
        if (character === quote)
            return { kind: 'text', value, offset: start, end: at + 1 };
        if (character === '\\') {
            const escape = readEscape(text, at);
            value += escape.value;
            at = escape.end;
        }
        else {
            value += character;
            at += 1;
        }
    }
}
function readEscape(text, at) {
    const letter = text[at + 1] ?? '';
    const [, four, two, many] = /^(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\})/.exec(text.slice(at + 1, at + 10)) ??
        [];
    const digits = four ?? two ?? many;
    if (digits !== undefined) {
        const code = Number.parseInt(digits, 16);
        const length = many === undefined ? digits.length + 2 : digits.length + 4;
        if (code > 0x10ffff)
            fail(`the escape \\${text.slice(at + 1, at + length)} is not a character`, at);
        return { value: String.fromCodePoint(code), end: at + length };
    }
    if (/[ux0-9]/.test(letter))
        refuse(`the escape \\${letter}`, at);
    return { value: escapes[letter] ?? letter, end: at + 2 };
}
function readRegex(text, start) {
    let inClass = false;
    let at = start + 1;
    for (;; at += 1) {
        const character = text[at];
        if (character === undefined || character === '\n')
            fail('a regular expression has no end', start);
        if (character === '\\')
            at += 1;
        else if (character === '[')
            inClass = true;
        else if (character === ']')
            inClass = false;
        else if (character === '/' && !inClass)
            break;
    }
    const flags = match(/[a-zA-Z]*/y, text, at + 1) ?? '';
    return {
        kind: 'regex',
        source: text.slice(start + 1, at),
        flags,
        offset: start,
        end: at + 1 + flags.length,
    };
}
function findExpressionEnd(text, start) {
    let depth = 0;
    let previous;
    for (let at = start;;) {
        const token = nextToken(text, at, previous);
        if (token.kind === 'end')
            return undefined;
        if (token.end - start > limits.length)
            refuse(`more than ${limits.length} characters`, start);
        if (token.kind === 'sign' && token.value === '{')
            depth += 1;
        if (token.kind === 'sign' && token.value === '}') {
            if (depth === 0)
                return token.offset;
            depth -= 1;
        }
        previous = token;
        at = token.end;
    }
}

;// CONCATENATED MODULE: ./engine/expressions/parse.js



const precedence = {
    '||': 1,
    '&&': 2,
    '==': 3,
    '!=': 3,
    '===': 3,
    '!==': 3,
    '<': 4,
    '<=': 4,
    '>': 4,
    '>=': 4,
    '+': 5,
    '-': 5,
    '*': 6,
    '/': 6,
    '%': 6,
};
const constants = new Map([
    ['true', true],
    ['false', false],
    ['null', null],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
]);
const keywords = new Set(('await async break case catch class const continue debugger default delete do else export extends finally for ' +
    'function if import in instanceof let return super switch this throw try typeof var void while with yield').split(' '));
function parseExpression(text) {
    if (text.length > limits.length)
        refuse(`more than ${limits.length} characters`, limits.length);
    const parser = new Parser(text);
    return parser.whole();
}
class Parser {
    #text;
    #token;
    #depth = 0;
    #operations = 0;
    constructor(text) {
        this.#text = text;
        this.#token = nextToken(text, 0, undefined);
    }
    whole() {
        if (this.#atEnd())
            fail('the expression is empty', 0);
        const node = this.#expression();
        return this.#atEnd() ? node : this.#unexpected();
    }
    #expression() {
        return this.#nested(() => {
            const test = this.#binary(1);
            if (!this.#isSign('?'))
                return test;
            const { offset } = this.#token;
            this.#advance();
            const yes = this.#expression();
            this.#expect(':');
            return { kind: 'choice', test, yes, no: this.#expression(), offset };
        });
    }
    #binary(lowest) {
        let left = this.#unary();
        for (;;) {
            const operator = this.#token.kind === 'sign' ? this.#token.value : '';
            const level = precedence[operator];
            if (level === undefined || level < lowest)
                return left;
            const { offset } = this.#token;
            this.#count(offset);
            this.#advance();
            const right = this.#nested(() => this.#binary(level + 1));
            left = { kind: 'binary', operator, left, right, offset };
        }
    }
    #unary() {
        const { offset } = this.#token;
        const operator = ['!', '-', '+'].find((sign) => this.#isSign(sign));
        if (operator === undefined)
            return this.#postfix();
        this.#advance();
        return { kind: 'unary', operator, operand: this.#nested(() => this.#unary()), offset };
    }
    #postfix() {
        let node = this.#primary();
        for (;;) {
            const { offset } = this.#token;
            if (this.#isSign('.'))
                node = this.#member(node);
            else if (this.#isSign('[')) {
                this.#count(offset);
                this.#advance();
                node = { kind: 'index', object: node, index: this.#expression(), offset };
                this.#expect(']');
            }
            else
                return node;
        }
    }
    #member(object) {
        this.#advance();
        const { offset } = this.#token;
        this.#count(offset);
        if (this.#token.kind !== 'name')
            return this.#unexpected();
        const name = this.#token.value;
        this.#advance();
        if (!this.#isSign('('))
            return { kind: 'member', object, name, offset };
        return { kind: 'call', object, name, values: this.#values(')'), offset };
    }
    #primary() {
        const token = this.#token;
        const { offset } = token;
        switch (token.kind) {
            case 'number':
            case 'text':
                this.#advance();
                return { kind: 'literal', value: token.value, offset };
            case 'regex':
                this.#advance();
                return { kind: 'regex', source: token.source, flags: token.flags, offset };
            case 'name':
                return this.#name(token.value, offset);
            case 'sign':
            case 'end':
                break;
        }
        if (this.#isSign('['))
            return { kind: 'list', items: this.#values(']'), offset };
        if (!this.#isSign('('))
            return this.#unexpected();
        this.#advance();
        const inner = this.#expression();
        this.#expect(')');
        return inner;
    }
    #name(name, offset) {
        if (keywords.has(name))
            refuse(`\`${name}\``, offset);
        this.#advance();
        if (name === 'new')
            return this.#new(offset);
        if (constants.has(name))
            return { kind: 'literal', value: constants.get(name), offset };
        if (!this.#isSign('('))
            return { kind: 'name', name, offset };
        return { kind: 'call', object: undefined, name, values: this.#values(')'), offset };
    }
    #new(offset) {
        const { kind, offset: at } = this.#token;
        const name = kind === 'name' ? this.#token.value : '';
        if (name !== 'Date')
            refuse(`\`new ${name}\``, at);
        this.#advance();
        return { kind: 'new-date', values: this.#isSign('(') ? this.#values(')') : [], offset };
    }
    #values(end) {
        this.#advance();
        const values = [];
        while (!this.#isSign(end)) {
            values.push(this.#expression());
            if (!this.#isSign(end))
                this.#expect(',');
        }
        this.#advance();
        return values;
    }
    #nested(parse) {
        this.#depth += 1;
        if (this.#depth > limits.nesting)
            refuse(`more than ${limits.nesting} levels`, this.#token.offset);
        const node = parse();
        this.#depth -= 1;
        return node;
    }
    #atEnd() {
        return this.#token.kind === 'end';
    }
    #count(offset) {
        this.#operations += 1;
        if (this.#operations > limits.operations)
            refuse(`more than ${limits.operations} operators`, offset);
    }
    #isSign(value) {
        return this.#token.kind === 'sign' && this.#token.value === value;
    }
    #expect(sign) {
        if (!this.#isSign(sign))
            fail(`expected \`${sign}\``, this.#token.offset);
        this.#advance();
    }
    #advance() {
        this.#token = nextToken(this.#text, this.#token.end, this.#token);
    }
    #unexpected() {
        const { kind, offset, end } = this.#token;
        if (kind === 'end')
            fail('the expression is not complete', offset);
        return refuse(`\`${this.#text.slice(offset, end)}\` here`, offset);
    }
}

;// CONCATENATED MODULE: ./engine/expressions/expression.js




function readExpression(text) {
    const tree = parseExpression(text);
    return {
        evaluate: (scope) => evaluate(tree, scope),
        toText: (scope) => textOf(evaluate(tree, scope), tree),
        holds: (scope) => isTrue(evaluate(tree, scope)),
        name: tree.kind === 'name' ? tree.name : undefined,
    };
}
function textOf(value, { offset }) {
    if (value === undefined)
        fail('the expression has no value', offset);
    if (value === null)
        return '';
    if (typeof value === 'object')
        refuse(`converting ${nameKind(value)} to text`, offset);
    return String(value);
}

;// CONCATENATED MODULE: ./engine/parameters/parameter-error.js
class ParameterError extends Error {
    name = 'ParameterError';
    place;
    constructor(message, place) {
        super(`${place.file}:${place.line}:${place.column}: ${message}`);
        this.place = place;
    }
}

;// CONCATENATED MODULE: ./engine/parameters/resolve-text.js






function resolveText(original, scope) {
    const { text } = original;
    if (!text.includes('${'))
        return original;
    const parts = [];
    let resolved = '';
    let copied = 0;
    for (let begin = text.indexOf('${'); begin >= 0; begin = text.indexOf('${', copied)) {
        const end = at(original, 0, () => findExpressionEnd(text, begin + 2));
        if (end === undefined)
            break;
        parts.push({ start: resolved.length, from: copied, isCopied: true });
        resolved += text.slice(copied, begin);
        const value = at(original, begin + 2, () => resolve_text_valueOf(text.slice(begin + 2, end), scope));
        parts.push({ start: resolved.length, from: begin, isCopied: value === undefined });
        resolved += value ?? text.slice(begin, end + 1);
        copied = end + 1;
        if (resolved.length > limits.text) {
            throw new ParameterError(`with its variables replaced, the text has more than ${limits.text} characters`, original.placeOf(begin));
        }
    }
    parts.push({ start: resolved.length, from: copied, isCopied: true });
    return { text: resolved + text.slice(copied), placeOf: (offset) => placeIn(original, parts, offset) };
}
function resolve_text_valueOf(expression, scope) {
    const read = readExpression(expression);
    if (read.name !== undefined) {
        const text = scope.text?.(read.name);
        if (text !== undefined)
            return text;
        const value = scope.variable(read.name)?.value;
        if (typeof value === 'object' && value !== null)
            return undefined;
    }
    return read.toText(scope);
}
function at(text, base, work) {
    try {
        return work();
    }
    catch (error) {
        if (!(error instanceof ExpressionError))
            throw error;
        const place = text.placeOf(base + error.offset);
        if (error.kind === 'failed')
            throw new ParameterError(error.message, place);
        throw new Refusal(error.message.replace(/^Millrace does not support (?:this in an expression: )?/, ''), place);
    }
}
function placeIn(original, parts, offset) {
    const part = parts.findLast(({ start }) => start <= offset);
    if (part === undefined)
        return original.placeOf(offset);
    return original.placeOf(part.isCopied ? part.from + offset - part.start : part.from);
}

;// CONCATENATED MODULE: ./engine/parameters/scalar-text.js
function scalarText(node, source) {
    let offsets;
    return {
        text: node.text,
        placeOf(offset) {
            offsets ??= alignScalar(source.text, node);
            const start = offsets[Math.min(offset, offsets.length - 1)] ?? node.start;
            const { line, column } = source.toRange({ start, end: start });
            return { file: source.file, line, column };
        },
    };
}
function alignScalar(file, node) {
    const { start, style } = beginOf(file, node);
    const offsets = [];
    let at = start;
    for (const unit of node.text.split('')) {
        const found = findUnit(file, at, unit, style);
        if (found === undefined)
            return [node.start];
        offsets.push(found.start);
        at = found.end;
    }
    return [...offsets, at];
}
function beginOf(file, { start, text }) {
    const tags = /(?:[&!]\S*\s+)*/y;
    tags.lastIndex = start;
    const begin = start + (tags.exec(file)?.[0].length ?? 0);
    const first = file[begin];
    if (first === '"' || first === "'")
        return { start: begin + 1, style: { quote: first, indent: Infinity } };
    if (first !== '|' && first !== '>')
        return { start: begin, style: { quote: undefined, indent: Infinity } };
    const header = /[^\r\n]*(?:\r\n?|\n|$)/y;
    header.lastIndex = begin;
    const content = begin + (header.exec(file)?.[0].length ?? 0);
    const indent = Math.max(indentOf(file, content) - indentOf(text, 0), 0);
    const blanks = Math.min(indent, spacesAt(file, content));
    return { start: content + blanks, style: { quote: undefined, indent } };
}
function indentOf(text, content) {
    const firstLine = /(?:[ \t]*(?:\r\n?|\n))*( *)/y;
    firstLine.lastIndex = content;
    return firstLine.exec(text)?.[1]?.length ?? 0;
}
function findUnit(file, at, unit, style) {
    let start = at;
    for (;;) {
        const breakEnd = lineBreakEnd(file, start, style);
        if (breakEnd !== undefined) {
            const isSpace = unit === ' ' && !followsLineBreak(file, start);
            const isNothing = (unit !== '\n' && !isSpace) || file[start] === '\\';
            if (!isNothing)
                return { start, end: breakEnd };
            start = breakEnd;
            continue;
        }
        const written = file[start];
        if (written === undefined && unit === '\n')
            return { start, end: start };
        if (written === '\\' && style.quote === '"')
            return scalar_text_readEscape(file, start, unit);
        if (written === "'" && style.quote === "'")
            return unit === "'" ? { start, end: start + 2 } : undefined;
        return written === unit ? { start, end: start + 1 } : undefined;
    }
}
function followsLineBreak(file, at) {
    let before = at - 1;
    while (file[before] === ' ' || file[before] === '\t')
        before -= 1;
    return file[before] === '\n' || file[before] === '\r';
}
function lineBreakEnd(file, at, { quote, indent }) {
    const pattern = indent === Infinity ? /[ \t]*(?:\r\n?|\n)[ \t]*/y : /\r\n?|\n/y;
    const begin = quote === '"' && file[at] === '\\' && /[\r\n]/.test(file[at + 1] ?? '') ? at + 1 : at;
    pattern.lastIndex = begin;
    const found = pattern.exec(file)?.[0];
    if (found === undefined)
        return undefined;
    const end = begin + found.length;
    return indent === Infinity ? end : end + Math.min(indent, spacesAt(file, end));
}
function spacesAt(file, at) {
    const spaces = / */y;
    spaces.lastIndex = at;
    return spaces.exec(file)?.[0].length ?? 0;
}
const escapeLengths = { x: 4, u: 6, U: 10 };
function scalar_text_readEscape(file, start, unit) {
    const length = escapeLengths[file[start + 1] ?? ''] ?? 2;
    const isHigh = file[start + 1] === 'U' && /[\uD800-\uDBFF]/.test(unit);
    return { start, end: isHigh ? start : start + length };
}

;// CONCATENATED MODULE: ./engine/execution/check-texts.js



function checkTexts(component, reader) {
    if (component.type.startsWith('python-') || component.type.startsWith('bash-'))
        return;
    checkNode(component.node('parameters'), reader);
}
function checkNode(node, reader) {
    if (node === undefined)
        return;
    if (node.kind === 'list')
        for (const item of node.items)
            checkNode(item, reader);
    else if (node.kind === 'map')
        for (const { value } of node.entries.values())
            checkNode(value, reader);
    else if (node.text.includes('${'))
        checkText(node, reader);
}
function checkText(node, { source, scope }) {
    try {
        resolveText(scalarText(node, source), scope);
    }
    catch (error) {
        if (!(error instanceof Refusal))
            throw error;
    }
}

// EXTERNAL MODULE: ./lib/pipelines/grid.js
var grid = __webpack_require__(5425);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
;// CONCATENATED MODULE: ./engine/parameters/parameter-reader.js




function placeOfNode(node, { source }) {
    const { line, column } = source.toRange(node);
    return { file: source.file, line, column };
}
function parameterOf({ start, end }, { source }) {
    const hasValue = (node) => node.start <= start && end <= node.end;
    let parameter = 'this parameter';
    let node = source.root;
    while (node !== undefined && node.kind !== 'scalar') {
        if (node.kind === 'list') {
            node = node.items.find(hasValue);
            continue;
        }
        const found = [...node.entries].find(([, { value }]) => hasValue(value));
        parameter = found?.[0] ?? parameter;
        node = found?.[1].value;
    }
    return parameter;
}
function parameter_reader_readText(node, reader) {
    if (node === undefined || (0,yaml_node/* isEmpty */.Im)(node))
        return undefined;
    if (node.kind !== 'scalar') {
        const message = `expected a text for ${parameterOf(node, reader)}, found a ${node.kind}`;
        throw new ParameterError(message, placeOfNode(node, reader));
    }
    return node.text === '' ? undefined : resolveText(scalarText(node, reader.source), reader.scope);
}
function readYesNo(node, reader, fallback) {
    const written = parameter_reader_readText(node, reader);
    if (node === undefined || written === undefined)
        return fallback;
    const word = written.text.trim().toLowerCase();
    if (word === 'yes' || word === 'true')
        return true;
    if (word === 'no' || word === 'false')
        return false;
    throw new ParameterError(`expected Yes or No for ${parameterOf(node, reader)}, found "${written.text}"`, written.placeOf(0));
}

// EXTERNAL MODULE: ./lib/core/number-of.js
var number_of = __webpack_require__(1640);
;// CONCATENATED MODULE: ./engine/parameters/read-rows.js






function readRows(node, reader) {
    const fromGrid = (0,yaml_node/* childOf */.GG)(node, 'fromGrid');
    if (node !== undefined && fromGrid !== undefined)
        return gridRows(fromGrid, { reader, parameter: parameterOf(node, reader) });
    if (node?.kind === 'map') {
        const message = `expected a list of rows for ${parameterOf(node, reader)}, found a map`;
        throw new ParameterError(message, placeOfNode(node, reader));
    }
    return (0,yaml_node/* itemsOf */.S3)(node).map((row) => {
        const cells = row.kind === 'list' ? row.items : [row];
        return {
            get place() {
                return placeOfNode(row, reader);
            },
            get parameter() {
                return parameterOf(row, reader);
            },
            cells: cells.map((cell) => readCell(cell, reader)),
        };
    });
}
function readNames(node, reader) {
    return readRows(node, reader).map((row) => {
        const [name, ...more] = row.cells;
        const fail = (message) => new ParameterError(message, row.place);
        if (name === undefined || more.length > 0)
            throw fail(`expected a list of names for ${row.parameter}, found a row with ${(0,number_of/* numberOf */.r)(row.cells.length, 'value')}`);
        if (name.text === '')
            throw fail(`a name in ${row.parameter} is empty`);
        if (name.text.toLowerCase() === '[all]')
            throw fail(`[All] cannot be used in ${row.parameter}; list the names`);
        return name;
    });
}
function readCell(node, reader) {
    if (node.kind !== 'scalar') {
        const message = `expected a text in a row of ${parameterOf(node, reader)}, found a ${node.kind}`;
        throw new ParameterError(message, placeOfNode(node, reader));
    }
    if ((0,yaml_node/* isEmpty */.Im)(node))
        return fixedText('', placeOfNode(node, reader));
    return resolveText(scalarText(node, reader.source), reader.scope);
}
function gridRows(node, { reader, parameter }) {
    const place = placeOfNode(node, reader);
    const name = (0,yaml_node/* textOf */.b6)((0,yaml_node/* childOf */.GG)(node, 'variable')) ?? '';
    const variable = reader.variables.cell(name);
    if (variable === undefined)
        throw new ParameterError(`the variable "${name}" is not defined`, place);
    const { value, columns } = variable;
    if (typeof value === 'string')
        throw new ParameterError(`the variable "${name}" is not a grid`, place);
    const chosen = (0,yaml_node/* itemsOf */.S3)((0,yaml_node/* childOf */.GG)(node, 'columns')).map((item) => {
        const index = findGridColumn(columns, (0,yaml_node/* textOf */.b6)(item) ?? '');
        if (index >= 0)
            return index;
        throw new ParameterError(`the grid "${name}" has no column "${(0,yaml_node/* textOf */.b6)(item) ?? ''}"${knownColumns(columns)}`, placeOfNode(item, reader));
    });
    if (chosen.length === 0)
        throw new ParameterError('`fromGrid` has no `columns`: list columns of the grid', place);
    return rowsOf(value, chosen).map((row) => ({
        place,
        parameter,
        cells: row.map((cell) => resolveText(fixedText(cell, place), reader.scope)),
    }));
}
function knownColumns(columns) {
    return columns.length === 0 ? '' : `; it has ${columns.map((column) => `"${column}"`).join(', ')}`;
}
function findGridColumn(columns, name) {
    const exact = columns.indexOf(name);
    if (exact >= 0)
        return exact;
    const same = columns.flatMap((column, index) => column.toLowerCase() === name.toLowerCase() ? [index] : []);
    return same.length === 1 ? (same[0] ?? -1) : -1;
}
function rowsOf(grid, columns) {
    return grid.map((row) => columns.map((index) => row[index] ?? ''));
}
function fixedText(text, place) {
    return { text, placeOf: () => place };
}

;// CONCATENATED MODULE: ./engine/parameters/read-conditions.js




const comparators = [
    'equal to',
    'less than',
    'less than or equal to',
    'greater than',
    'greater than or equal to',
    'like',
    'null',
    'null or blank',
    'blank',
];
const cellsOfCondition = 'four cells: a column, Is or Not, a comparator and a value';
function readConditions(node, reader) {
    return readRows(node, reader).map((row) => {
        const [column, qualifier, comparator, value, ...more] = row.cells;
        if (column === undefined || qualifier === undefined || comparator === undefined) {
            throw new ParameterError(`a condition in ${row.parameter} needs ${cellsOfCondition}`, row.place);
        }
        if (column.text === '') {
            const message = `a condition in ${row.parameter} has no column: its first cell is empty`;
            throw new ParameterError(message, column.placeOf(0));
        }
        const isNegated = readQualifier(qualifier, row);
        const known = readComparator(comparator, row);
        const hasValue = !['null', 'null or blank', 'blank'].includes(known);
        if (hasValue && value === undefined) {
            const message = `a condition in ${row.parameter} has no value: add it as the fourth cell`;
            throw new ParameterError(message, row.place);
        }
        return {
            column,
            isNegated,
            comparator: known,
            value: hasValue ? value : undefined,
            more,
            row,
        };
    });
}
function readCombination(node, reader) {
    const written = parameter_reader_readText(node, reader);
    if (node === undefined || written === undefined)
        return 'and';
    const word = written.text.trim().toLowerCase();
    if (word === 'and' || word === 'or')
        return word;
    throw new ParameterError(`expected And or Or for ${parameterOf(node, reader)}, found "${written.text}"`, written.placeOf(0));
}
function readQualifier(cell, { parameter }) {
    const word = cell.text.trim().toLowerCase();
    if (word === 'is' || word === 'not')
        return word === 'not';
    throw new ParameterError(`expected Is or Not in ${parameter}, found "${cell.text}": a condition needs ${cellsOfCondition}`, cell.placeOf(0));
}
function readComparator(cell, { parameter }) {
    const word = cell.text.trim().toLowerCase();
    const known = comparators.find((comparator) => comparator === word);
    if (known !== undefined)
        return known;
    if (word === '') {
        const hint = 'without quotes, YAML reads Null as an empty value: write "Null"';
        throw new ParameterError(`a condition in ${parameter} has no comparator; ${hint}`, cell.placeOf(0));
    }
    throw new Refusal(`the comparator "${cell.text}"`, cell.placeOf(0), `use one of: ${comparators.join(', ')}`);
}

;// CONCATENATED MODULE: ./engine/execution/parameter-text.js



function parameterText(component, name, { reader }) {
    return parameter_reader_readText(component.parameter(name), reader)?.text;
}
function replaceVariables(text, component, { document, reader }) {
    const { line, column } = component.range;
    return resolveText(fixedText(text, { file: document.path, line, column }), reader.scope).text;
}

;// CONCATENATED MODULE: ./engine/execution/evaluate-condition.js










function evaluateCondition(component, frame) {
    const mode = (parameterText(component, 'mode', frame) ?? 'Simple').trim().toLowerCase();
    if (mode === 'advanced')
        return evaluateAdvanced(component, frame);
    if (mode !== 'simple')
        throw new Refusal(`an \`if\` with the mode "${mode}"`, placeOf(component, frame), 'use Simple or Advanced');
    const names = (0,grid/* gridOf */.y)(component.parameter('condition')).map(([name = '']) => name.replace(/^\$\{\s*(.*?)\s*\}$/, '$1'));
    const conditions = readConditions(component.parameter('condition'), frame.reader);
    if (conditions.length === 0) {
        throw new Refusal('an `if` without a condition', placeOf(component, frame), 'set `condition`');
    }
    const answers = conditions.map((condition, row) => evaluateRow(names[row] ?? '', condition, frame));
    const or = parameterText(component, 'combineConditions', frame)?.trim().toLowerCase() === 'or';
    return or ? answers.includes(true) : !answers.includes(false);
}
function evaluateAdvanced(component, frame) {
    const node = component.parameter('condition1');
    if (node?.kind !== 'scalar' || (0,yaml_node/* isEmpty */.Im)(node) || node.text.trim() === '') {
        throw new Refusal('an `if` without a condition', placeOf(component, frame), 'set `condition1`');
    }
    const text = scalarText(node, frame.reader.source);
    return at(text, 0, () => readExpression(text.text).holds(frame.reader.scope));
}
function evaluateRow(name, condition, frame) {
    const cell = frame.variables.cell(name);
    const { place } = condition.row;
    if (cell === undefined)
        throw new ParameterError(`the variable "${name}" is not defined`, place);
    if (typeof cell.value !== 'string')
        throw new Refusal(`a condition about the grid "${name}"`, place, 'a condition compares scalar variables');
    return compare(cell, cell.value, condition) !== condition.isNegated;
}
function compare(cell, left, { comparator, value, row }) {
    if (comparator === 'blank' || comparator === 'null or blank')
        return left.trim() === '';
    const order = orderOf(cell, left, value?.text ?? '', row.place);
    if (comparator === 'equal to')
        return order === 0;
    if (comparator === 'less than')
        return order < 0;
    if (comparator === 'less than or equal to')
        return order <= 0;
    if (comparator === 'greater than')
        return order > 0;
    if (comparator === 'greater than or equal to')
        return order >= 0;
    throw new Refusal(`the comparator "${comparator}" in an \`if\``, row.place);
}
function orderOf({ type }, left, right, place) {
    if (type !== 'NUMBER' || left === '' || right === '')
        return Number(left > right) - Number(left < right);
    const number = Number(right);
    if (Number.isNaN(number))
        throw new ParameterError(`"${right}" in condition is not a number, but its variable is`, place);
    return Number(left) - number;
}
function placeOf(component, { reader }) {
    const node = component.node('parameters');
    if (node !== undefined)
        return placeOfNode(node, reader);
    const { line, column } = component.range;
    return { file: reader.source.file, line, column };
}

;// CONCATENATED MODULE: ./engine/duckdb/warehouse.js
class WarehouseStopped extends Error {
    name = 'WarehouseStopped';
    constructor() {
        super('the execution was stopped');
    }
}

// EXTERNAL MODULE: ./lib/core/long-work.js
var long_work = __webpack_require__(3821);
// EXTERNAL MODULE: ./lib/core/visible-text.js
var visible_text = __webpack_require__(2439);
;// CONCATENATED MODULE: ./engine/duckdb/physical-name.js
function quoteName(name) {
    return `"${name.replaceAll('"', '""')}"`;
}
function quoteText(text) {
    return `'${text.replaceAll("'", "''")}'`;
}
function physicalSchema(database, schema) {
    return `${escapeDots(database)}.${escapeDots(schema)}`;
}
function logicalSchema(physical) {
    const [database, schema, ...more] = physical.split('.');
    if (database === undefined || schema === undefined || more.length > 0)
        return undefined;
    return { database: unescapeDots(database), schema: unescapeDots(schema) };
}
function physicalTable({ database, schema, table }) {
    return `${quoteName(physicalSchema(database, schema))}.${quoteName(table)}`;
}
function physicalPlace({ database, schema, table }) {
    return { schema: physicalSchema(database, schema), table };
}
function logicalTable(sql) {
    const [, schema, table] = /^("(?:[^"]|"")+")\.("(?:[^"]|"")+")$/.exec(sql) ?? [];
    const place = schema === undefined ? undefined : logicalSchema(unquoteName(schema));
    return place === undefined || table === undefined ? undefined : { ...place, table: unquoteName(table) };
}
function nextValueSql(sequence) {
    return `nextval(${quoteText(physicalTable(sequence))})`;
}
function unquoteName(quoted) {
    return quoted.slice(1, -1).replaceAll('""', '"');
}
function escapeDots(name) {
    return name.replaceAll('%', '%25').replaceAll('.', '%2E');
}
function unescapeDots(name) {
    return name.replaceAll('%2E', '.').replaceAll('%25', '%');
}

;// CONCATENATED MODULE: ./engine/duckdb/column-types.js

function duckdbType(type) {
    switch (type.name) {
        case 'NUMBER':
            return `DECIMAL(${type.precision},${type.scale})`;
        case 'FLOAT':
            return 'DOUBLE';
        case 'TIMESTAMP_TZ':
            return 'TIMESTAMP WITH TIME ZONE';
        case 'BINARY':
            return 'BLOB';
        case 'VARIANT':
            return 'JSON';
        case 'NULL':
            return 'VARCHAR';
        case 'SMALLINT':
        case 'INTEGER':
        case 'BIGINT':
        case 'VARCHAR':
        case 'BOOLEAN':
        case 'DATE':
        case 'TIME':
        case 'TIMESTAMP':
            return type.name;
    }
}
const wholeTypes = {
    TINYINT: 'SMALLINT',
    UTINYINT: 'SMALLINT',
    SMALLINT: 'SMALLINT',
    USMALLINT: 'INTEGER',
    INTEGER: 'INTEGER',
    UINTEGER: 'BIGINT',
    BIGINT: 'BIGINT',
};
const otherTypes = {
    FLOAT: 'FLOAT',
    DOUBLE: 'FLOAT',
    BOOLEAN: 'BOOLEAN',
    DATE: 'DATE',
    TIME: 'TIME',
    TIMESTAMP: 'TIMESTAMP',
    TIMESTAMP_S: 'TIMESTAMP',
    TIMESTAMP_MS: 'TIMESTAMP',
    TIMESTAMP_NS: 'TIMESTAMP',
    'TIMESTAMP WITH TIME ZONE': 'TIMESTAMP_TZ',
    BLOB: 'BINARY',
    JSON: 'VARIANT',
    '"NULL"': 'NULL',
    NULL: 'NULL',
};
function warehouseType(written, kind) {
    const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(written) ?? [];
    if (precision !== undefined)
        return { name: 'NUMBER', precision: Number(precision), scale: Number(scale) };
    if (/[\])]$/.test(written) && !written.startsWith('ENUM'))
        return { name: 'VARIANT' };
    const whole = wholeTypes[written];
    if (whole !== undefined && kind === 'WAREHOUSE_TWO')
        return { name: whole };
    if (whole !== undefined || /^(?:U?HUGEINT|UBIGINT|BIGNUM)$/.test(written)) {
        return { name: 'NUMBER', precision: 38, scale: 0 };
    }
    const name = otherTypes[written];
    return name === undefined ? { name: 'VARCHAR', length: undefined } : { name };
}
function columnDefinition({ name, type }, kind) {
    const column = quoteName(name);
    const length = lengthSql(column, type, kind);
    return `${column} ${duckdbType(type)}${length === undefined ? '' : ` CHECK (${length})`}`;
}
function lengthSql(value, type, kind) {
    if (type.name !== 'VARCHAR' || type.length === undefined)
        return undefined;
    const measured = kind === 'WAREHOUSE_TWO' ? `octet_length(encode(${value}))` : `length(${value})`;
    return `${measured} <= ${type.length}`;
}
const marker = 'millrace:';
const keyWords = 'PRIMARY KEY';
const identityWord = 'IDENTITY';
function declareTypes(tableSql, columns, primaryKey = [], identity) {
    return columns.flatMap(({ name, type }) => {
        const declared = declaredWord(type);
        const words = [
            ...(declared === undefined ? [] : [declared]),
            ...(name === identity ? [identityWord] : []),
            ...(primaryKey.includes(name) ? [keyWords] : []),
        ];
        if (words.length === 0)
            return [];
        return [
            `COMMENT ON COLUMN ${tableSql}.${quoteName(name)} IS ${quoteText(`${marker}${words.join(' ')}`)}`,
        ];
    });
}
function declaredWord(type) {
    if (type.name === 'VARCHAR' && type.length !== undefined)
        return `VARCHAR(${type.length})`;
    if (type.name === 'VARIANT' && type.mayHaveFloat)
        return WITH_FLOAT;
    return type.name === 'TIMESTAMP_TZ' && type.isUtc ? LOCAL : undefined;
}
const WITH_FLOAT = 'VARIANT_WITH_FLOAT';
const LOCAL = 'TIMESTAMP_LTZ';
function isIdentity(comment) {
    return comment !== null && comment.split(' ')[0] === `${marker}${identityWord}`;
}
function isInPrimaryKey(comment) {
    return comment?.startsWith(marker) === true && comment.endsWith(keyWords);
}
function declaredType(written, comment, kind) {
    const type = warehouseType(written, kind);
    const [, word] = /^millrace:(\w+)(?: PRIMARY KEY)?$/.exec(comment ?? '') ?? [];
    if (word === WITH_FLOAT && type.name === 'VARIANT')
        return { ...type, mayHaveFloat: true };
    if (word === LOCAL && type.name === 'TIMESTAMP_TZ')
        return { ...type, isUtc: true };
    const [, length] = /^millrace:VARCHAR\((\d+)\)(?: PRIMARY KEY)?$/.exec(comment ?? '') ?? [];
    return length !== undefined && type.name === 'VARCHAR' ? { name: 'VARCHAR', length: Number(length) } : type;
}
function storedType(type, kind) {
    return ['VARCHAR', 'TIMESTAMP_TZ', 'VARIANT'].includes(type.name)
        ? type
        : warehouseType(duckdbType(type), kind);
}
function describeType(type, kind = 'WAREHOUSE_ONE') {
    if (type.name === 'VARIANT' && kind === 'WAREHOUSE_TWO')
        return 'SUPER';
    if (type.name === 'TIMESTAMP_TZ' && type.isUtc)
        return LOCAL;
    if (type.name === 'NUMBER') {
        const name = kind === 'WAREHOUSE_TWO' ? 'DECIMAL' : 'NUMBER';
        return `${name}(${type.precision},${type.scale})`;
    }
    return type.name === 'VARCHAR' && type.length !== undefined ? `VARCHAR(${type.length})` : type.name;
}

;// CONCATENATED MODULE: ./engine/duckdb/json-texts.js

class JsonRefusal extends Error {
    name = 'JsonRefusal';
    constructor(what) {
        super(`${REFUSAL}${what}`);
    }
}
function numberText(value, source) {
    if (/^-?\d+$/.test(source))
        return BigInt(source).toString();
    if (/^-?\d+\.\d+$/.test(source) && source.replaceAll(/\D/g, '').length > 15)
        return source.replace(/\.?0+$/, '');
    if (!Number.isFinite(value))
        throw new JsonRefusal(`the number ${source} in semi-structured data: no FLOAT is as large`);
    const canonical = canonicalNumber(value);
    if (/e/i.test(source) && !canonical.includes('e'))
        throw new JsonRefusal(`the number ${source} in semi-structured data: an exponent makes it a FLOAT; write its digits`);
    return canonical;
}
function canonicalNumber(value) {
    return Number.isFinite(value) ? String(value).replace('e+', 'e') : 'null';
}
function canonicalText(text) {
    const written = JSON.stringify(text);
    if (!written.includes('\\u00'))
        return written;
    return written.replaceAll(/\\u00[01][a-f]/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
}

;// CONCATENATED MODULE: ./engine/duckdb/undefined-element.js
const TEXT = '\0undefined';
const UNDEFINED_JSON = '"\\u0000undefined"';
const UNDEFINED_WORD = 'undefined';
function isUndefinedElement(value) {
    return value === TEXT;
}
function takenElementSql(item) {
    return `nullif(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}
function elementSql(item) {
    return `coalesce(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}
function jsonTextSql(json, text) {
    const message = 'Millrace does not support the text of a FLOAT with an exponent in semi-structured data';
    const numbers = String.raw `regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '', 'g')`;
    const isFloat = `CASE json_type(${json}) WHEN 'DOUBLE' THEN TRUE WHEN 'VARCHAR' THEN FALSE ELSE regexp_matches(${numbers}, '[0-9]e') END`;
    return `CASE WHEN contains(${text}, 'e') AND ${isFloat} THEN error('${message}') ELSE replace(${text}, '${UNDEFINED_JSON}', '${UNDEFINED_WORD}') END`;
}
function withUndefined(json) {
    return json.replaceAll(UNDEFINED_JSON, UNDEFINED_WORD);
}

;// CONCATENATED MODULE: ./engine/duckdb/scan-json.js


function scanJson(text) {
    const scanner = new Scanner(text);
    const value = scanner.value();
    return value !== undefined && scanner.isAtEnd() ? value : undefined;
}
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const SPECIAL = /[\0-\x1f\\\ud800-\udfff]/;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const UNDEFINED_START = 0x75;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
class Scanner {
    #text;
    #at = 0;
    constructor(text) {
        this.#text = text;
    }
    isAtEnd() {
        return Number.isNaN(this.#next());
    }
    value() {
        switch (this.#next()) {
            case OPEN_OBJECT:
                return this.#object();
            case OPEN_LIST:
                return this.#list();
            case QUOTE:
                return this.#string();
            default:
                return this.#word('true') ?? this.#word('false') ?? this.#word('null') ?? this.#number();
        }
    }
    #list() {
        this.#at += 1;
        if (this.#take(CLOSE_LIST))
            return '[]';
        const items = [];
        do {
            const item = this.#item();
            if (item === undefined)
                return undefined;
            items.push(item);
        } while (this.#take(COMMA));
        return this.#take(CLOSE_LIST) ? `[${items.join(',')}]` : undefined;
    }
    #item() {
        const next = this.#next();
        if (next === COMMA || next === CLOSE_LIST || this.#takeUndefined())
            return UNDEFINED_JSON;
        return this.value();
    }
    #object() {
        this.#at += 1;
        if (this.#take(CLOSE_OBJECT))
            return '{}';
        const members = [];
        let isSorted = true;
        do {
            const key = this.#next() === QUOTE ? this.#string() : undefined;
            const value = key !== undefined && this.#take(COLON) ? this.#member() : undefined;
            if (key === undefined || value === undefined)
                return undefined;
            const before = members.at(-1);
            isSorted &&= before === undefined || before[0] < key;
            members.push([key, value]);
        } while (this.#take(COMMA));
        if (!this.#take(CLOSE_OBJECT))
            return undefined;
        return isSorted && members.every(([key]) => !SPECIAL_KEY.test(key)) ? scan_json_textOf(members) : sorted(members);
    }
    #member() {
        if (this.#takeUndefined())
            throw new JsonRefusal('undefined as a member of an object');
        return this.value();
    }
    #takeUndefined() {
        return this.#next() === UNDEFINED_START && this.#word(UNDEFINED_WORD) !== undefined;
    }
    #string() {
        const start = this.#at;
        let end = this.#text.indexOf('"', start + 1);
        while (end >= 0 && this.#isEscaped(end))
            end = this.#text.indexOf('"', end + 1);
        if (end < 0)
            return undefined;
        this.#at = end + 1;
        const written = this.#text.slice(start, end + 1);
        if (!SPECIAL.test(written))
            return written;
        const text = decoded(written);
        return text === undefined ? undefined : canonicalText(text);
    }
    #isEscaped(quote) {
        let at = quote;
        while (this.#text[at - 1] === '\\')
            at -= 1;
        return (quote - at) % 2 === 1;
    }
    #number() {
        NUMBER.lastIndex = this.#at;
        const [written, fraction, exponent] = NUMBER.exec(this.#text) ?? [];
        if (written === undefined)
            return undefined;
        this.#at += written.length;
        if (fraction === undefined && exponent === undefined)
            return written === '-0' ? '0' : written;
        return numberText(Number(written), written);
    }
    #word(word) {
        if (!this.#text.startsWith(word, this.#at))
            return undefined;
        this.#at += word.length;
        return word;
    }
    #take(code) {
        if (this.#next() !== code)
            return false;
        this.#at += 1;
        return true;
    }
    #next() {
        for (;;) {
            const code = this.#text.charCodeAt(this.#at);
            if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)
                return code;
            this.#at += 1;
        }
    }
}
const SPECIAL_KEY = /[ !\\]/;
function sorted(members) {
    const byName = new Map(members.map(([key, value]) => [String(JSON.parse(key)), [key, value]]));
    if (byName.size < members.length)
        throw new SyntaxError('an object has a key twice');
    return scan_json_textOf([...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member));
}
function scan_json_textOf(members) {
    return `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`;
}
function decoded(written) {
    try {
        return String(JSON.parse(written));
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./engine/duckdb/canonical-json.js


class NumberText {
    text;
    constructor(text) {
        this.text = text;
    }
}
function canonicalJson(text) {
    return scanJson(text) ?? writeJson(parseJson(text));
}
function parseJson(text) {
    return JSON.parse(text, (_key, value, context) => typeof value === 'number' ? new NumberText(numberText(value, context?.source ?? '')) : value);
}
function byKey([a], [b]) {
    return a < b ? -1 : 1;
}
function writeJson(json) {
    if (json instanceof NumberText)
        return json.text;
    if (typeof json === 'string')
        return canonicalText(json);
    if (json === null || typeof json !== 'object')
        return String(json);
    if (canonical_json_isList(json))
        return `[${json.map(writeJson).join(',')}]`;
    const members = Object.entries(json).toSorted(byKey);
    return `{${members.map(([key, member]) => `${canonicalText(key)}:${writeJson(member)}`).join(',')}}`;
}
function canonical_json_isList(json) {
    return Array.isArray(json);
}

;// CONCATENATED MODULE: ./engine/duckdb/read-value.js



function readValue(duckdb, value, type) {
    if (value === null)
        return null;
    if (typeof value === 'bigint')
        return readWhole(value);
    if (typeof value === 'number')
        return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'string')
        return type.alias === 'JSON' ? read_value_parseJson(value) : value;
    return typeof value === 'boolean' ? value : readObject(duckdb, value, type);
}
function readObject(duckdb, value, type) {
    if (value instanceof duckdb.DuckDBDecimalValue) {
        return value.scale === 0 ? readWhole(value.value) : value.toString();
    }
    if (value instanceof duckdb.DuckDBTimestampTZValue) {
        return `${new duckdb.DuckDBTimestampValue(value.micros).toString()}+00:00`;
    }
    if (value instanceof duckdb.DuckDBBlobValue)
        return Buffer.from(value.bytes).toString('hex').toUpperCase();
    if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) {
        const itemType = type.valueType ?? type;
        return value.items.map((item) => readValue(duckdb, item, itemType));
    }
    if (value instanceof duckdb.DuckDBStructValue)
        return readStruct(duckdb, value.entries, type);
    if (value instanceof duckdb.DuckDBMapValue) {
        const valueType = type.valueType ?? type;
        return Object.fromEntries(value.entries.map(({ key, value: item }) => [String(key), readValue(duckdb, item, valueType)]));
    }
    return value.toString();
}
function readStruct(duckdb, entries, type) {
    const { entryNames = [], entryTypes = [] } = type;
    return Object.fromEntries(entryNames.map((name, index) => [
        name,
        readValue(duckdb, entries[name] ?? null, entryTypes[index] ?? type),
    ]));
}
function readWhole(value) {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
}
function read_value_parseJson(text) {
    const read = (_key, value, context) => typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '')
        ? readWhole(BigInt(context?.source ?? 0))
        : value;
    if (!text.includes(UNDEFINED_JSON))
        return JSON.parse(text, read);
    return JSON.parse(text, (key, value, context) => {
        const item = read(key, value, context);
        return read_value_isList(item) ? item.map((each) => (isUndefinedElement(each) ? undefined : each)) : item;
    });
}
function read_value_writeJson(value) {
    if (value === undefined)
        return UNDEFINED_JSON;
    if (typeof value === 'number')
        return canonicalNumber(value);
    if (typeof value === 'string')
        return canonicalText(value);
    if (value === null || typeof value !== 'object')
        return String(value);
    if (read_value_isList(value))
        return `[${value.map(read_value_writeJson).join(',')}]`;
    const members = Object.entries(value).toSorted(byKey);
    return `{${members.map(([key, item]) => `${canonicalText(key)}:${read_value_writeJson(item)}`).join(',')}}`;
}
function read_value_isList(value) {
    return Array.isArray(value);
}

;// CONCATENATED MODULE: ./engine/duckdb/surely-fits.js
const date = String.raw `(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])`;
const time = String.raw `(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?`;
const spellings = {
    SMALLINT: /^-?\d{1,4}$/,
    INTEGER: /^-?\d{1,9}$/,
    BIGINT: /^-?\d{1,18}$/,
    FLOAT: /^-?\d{1,9}(?:\.\d{1,6})?$/,
    BOOLEAN: /^(?:true|false)$/,
    DATE: new RegExp(`^${date}$`),
    TIME: new RegExp(`^${time}$`),
    TIMESTAMP: new RegExp(`^${date} ${time}$`),
};
function surelyFits(type, kind) {
    if (type.name === 'VARCHAR')
        return textFits(type.length, kind);
    const spelling = type.name === 'NUMBER' ? numberSpelling(type) : spellings[type.name];
    return spelling === undefined ? undefined : (text) => spelling.test(text);
}
function textFits(length, kind) {
    if (length === undefined)
        return () => true;
    const units = kind === 'WAREHOUSE_TWO' ? Math.floor(length / 3) : length;
    return (text) => text.length <= units;
}
function numberSpelling({ precision, scale }) {
    const digits = precision - scale - 1;
    if (digits < 1)
        return undefined;
    return new RegExp(scale === 0 ? `^-?\\d{1,${digits}}$` : `^-?\\d{1,${digits}}(?:\\.\\d{1,${scale}})?$`);
}

// EXTERNAL MODULE: ./lib/core/decimal.js
var decimal = __webpack_require__(7046);
// EXTERNAL MODULE: ./lib/core/truth-value.js
var truth_value = __webpack_require__(2052);
// EXTERNAL MODULE: ./lib/core/written-moment.js
var written_moment = __webpack_require__(4715);
;// CONCATENATED MODULE: ./engine/duckdb/written-value.js



const written_value_forms = {
    FLOAT: 'a number, NaN, Infinity or -Infinity',
    BOOLEAN: 'true or false',
    DATE: 'YYYY-MM-DD',
    TIME: 'HH:MM:SS',
    TIMESTAMP: 'YYYY-MM-DD HH:MM:SS',
    TIMESTAMP_TZ: 'YYYY-MM-DD HH:MM:SS+00:00',
    BINARY: 'two hexadecimal digits for each byte',
};
function expectedForm({ name }) {
    const form = written_value_forms[name];
    return form === undefined ? '' : `: write ${form}`;
}
const notOfType = {};
const tooManyDigits = { lost: 'has more digits than' };
function readWritten(text, type) {
    switch (type.name) {
        case 'NUMBER':
            return written_value_readNumber(text, type.scale);
        case 'SMALLINT':
        case 'INTEGER':
        case 'BIGINT':
            return written_value_readNumber(text, 0);
        case 'FLOAT':
            return readFloat(text);
        case 'BOOLEAN':
            return (0,truth_value/* isTruthValue */.$)(text) ? { text: text.toLowerCase() } : notOfType;
        case 'DATE':
            return readDate(text);
        case 'TIME':
            return readTime(text);
        case 'TIMESTAMP':
        case 'TIMESTAMP_TZ':
            return readTimestamp(text, type.name === 'TIMESTAMP_TZ');
        case 'BINARY':
            return /^(?:[0-9A-Fa-f]{2})*$/.test(text) ? { text: text.toUpperCase() } : notOfType;
        case 'VARCHAR':
        case 'VARIANT':
        case 'NULL':
            return { text };
    }
}
function writtenText(text, type) {
    return readWritten(text, type).text;
}
const maxDigits = 38;
function written_value_readNumber(text, scale) {
    const number = (0,decimal/* parseDecimal */.$Q)(text);
    if (number === undefined)
        return notOfType;
    if (number.scale > scale)
        return { lost: 'has more decimal places than' };
    return -number.scale > maxDigits ? notOfType : { text: plainText(number) };
}
function plainText({ units, scale }) {
    if (scale <= 0)
        return String(units * 10n ** BigInt(-scale));
    const [sign, digits] = units < 0n ? ['-', String(-units)] : ['', String(units)];
    const padded = digits.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
const notFinite = new Set(['NaN', 'Infinity', '-Infinity']);
function readFloat(text) {
    if (notFinite.has(text))
        return { text };
    const written = (0,decimal/* parseDecimal */.$Q)(text);
    const value = Number(text);
    if (written === undefined || !Number.isFinite(value))
        return notOfType;
    const stored = (0,decimal/* parseDecimal */.$Q)(String(value));
    const isSurelyKept = /^[+-]?\d{0,9}(?:\.\d{0,6})?$/.test(text);
    return isSurelyKept || isKept(written, stored)
        ? { text: Object.is(value, -0) ? '-0' : String(value) }
        : tooManyDigits;
}
function isKept(written, stored) {
    return stored?.units === written.units && stored.scale === written.scale;
}
function dayText({ year, month, day }) {
    const two = (part) => String(part).padStart(2, '0');
    return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
function withFraction(time, fraction) {
    return fraction === '' ? time : `${time}.${fraction}`;
}
const maxFraction = 6;
function readDate(text) {
    const moment = (0,written_moment/* parseMoment */.mI)(text);
    if (moment === undefined)
        return notOfType;
    if (moment.time !== '00:00:00' || moment.fraction !== '')
        return { lost: 'has a time of day, unlike' };
    return moment.zone === 0 ? { text: dayText(moment) } : { lost: 'has a time zone, unlike' };
}
function readTime(text) {
    const [, time = '', digits = ''] = /^(\d{2}:\d{2}:\d{2})(?:\.(\d+))?$/.exec(text) ?? [];
    if (!(0,written_moment/* isTime */.K8)(time))
        return (0,written_moment/* parseMoment */.mI)(text) === undefined ? notOfType : { lost: 'has a date, unlike' };
    const fraction = digits.replace(/0+$/, '');
    return fraction.length > maxFraction ? tooManyDigits : { text: withFraction(time, fraction) };
}
function readTimestamp(text, hasZone) {
    const moment = (0,written_moment/* parseMoment */.mI)(text);
    if (moment === undefined)
        return notOfType;
    if (moment.fraction.length > maxFraction)
        return tooManyDigits;
    if (!hasZone && moment.zone !== 0)
        return { lost: 'has a time zone, unlike' };
    const utc = moment.zone === 0 ? moment : (0,written_moment/* inUtc */.e8)(moment);
    if (utc === undefined)
        return notOfType;
    return { text: `${dayText(utc)} ${withFraction(utc.time, utc.fraction)}${hasZone ? '+00:00' : ''}` };
}
function unkept(text, column) {
    return `semi-structured data cannot hold "${text}" as it is, in column "${column}": write it in quotes, as a text`;
}

;// CONCATENATED MODULE: ./engine/duckdb/fill-table.js








const staging = 'temp.main.millrace_rows';
const rowsOfFlush = 8192;
class ValueError extends SqlError {
    row;
    column;
    constructor(message, { row, column }) {
        super(message);
        this.row = row;
        this.column = column;
    }
}
async function fillTable(connection, given, rows) {
    const { table, columns, kind } = given;
    refuseColumns(columns);
    const texts = await (0,long_work/* inTurns */.gG)(textsOf(given, rows));
    const definitions = columns.map((column) => columnDefinition(column, kind));
    const create = [
        `CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`,
        ...declareTypes(table, columns),
    ];
    if (await (0,long_work/* inTurns */.gG)(allFit(given, texts))) {
        await connection.run(create.join('; '));
        await append(connection, given.place, texts);
        return;
    }
    await stage(connection, given, texts);
    await connection.run([...create, ...moveStaged(given)].join('; '));
}
async function addRows(connection, given, rows) {
    refuseColumns(given.columns);
    await stage(connection, given, await (0,long_work/* inTurns */.gG)(textsOf(given, rows)));
    await connection.run(moveStaged(given).join('; '));
}
function* allFit({ columns, kind }, texts) {
    const fits = columns.map(({ type }) => surelyFits(type, kind));
    for (const [index, row] of texts.entries()) {
        if (index % long_work/* itemsOfPart */.NR === 0)
            yield;
        if (!row.every((text, column) => text === null || fits[column]?.(text) === true))
            return false;
    }
    return true;
}
function moveStaged({ table, columns }) {
    const names = columns.map(({ name }) => quoteName(name)).join(', ');
    const values = columns.map(({ type }, index) => convertSql(`c${index}`, type)).join(', ');
    return [
        `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${staging} ORDER BY row`,
        `DROP TABLE ${staging}`,
    ];
}
function refuseColumns(columns) {
    if (columns.length === 0)
        throw new SqlError('a table needs at least one column');
    const known = new Map();
    for (const { name } of columns) {
        const other = known.get(name.toLowerCase());
        if (other === name)
            throw new SqlError(`the column "${name}" appears twice`);
        if (other !== undefined) {
            throw new SqlError(`the columns "${other}" and "${name}" differ only in upper and lower case, which the engine cannot store: rename one of them`);
        }
        known.set(name.toLowerCase(), name);
    }
}
function* textsOf({ table, columns, kind }, rows) {
    const readers = columns.map((column) => columnTexts(column, kind));
    return yield* (0,long_work/* mapInParts */.YT)(rows, (row, index) => {
        if (row.length !== columns.length) {
            throw new SqlError(`row ${index + 1} has ${row.length} values; the table ${table} has ${columns.length} columns`);
        }
        return readers.map((read, place) => read(row[place] ?? null, index));
    });
}
async function stage(connection, given, texts) {
    const list = given.columns.map((_, index) => `, c${index} VARCHAR`).join('');
    await connection.run(`CREATE OR REPLACE TEMP TABLE millrace_rows (row BIGINT${list})`);
    const place = { database: 'temp', schema: 'main', table: 'millrace_rows' };
    await append(connection, place, texts, { isNumbered: true });
    await refuseValues(connection, given);
}
async function append(connection, place, texts, { isNumbered } = { isNumbered: false }) {
    if (texts.length === 0)
        return;
    const appender = await connection.createAppender(place.table, place.schema, place.database);
    try {
        await (0,long_work/* inTurns */.gG)(appendTexts(appender, texts, isNumbered));
    }
    finally {
        appender.closeSync();
    }
}
function* appendTexts(appender, texts, isNumbered) {
    for (const [index, row] of texts.entries()) {
        if (isNumbered)
            appender.appendVarchar(String(index + 1));
        for (const text of row) {
            if (text === null)
                appender.appendNull();
            else
                appender.appendVarchar(text);
        }
        appender.endRow();
        if (index % rowsOfFlush === rowsOfFlush - 1)
            appender.flushSync();
        if (index % long_work/* itemsOfPart */.NR === 0)
            yield;
    }
}
function columnTexts({ name, type }, kind) {
    const fits = surelyFits(type, kind);
    return (value, row) => {
        if (value === null)
            return null;
        if (type.name === 'VARIANT')
            return read_value_writeJson(value);
        const fault = (what) => new ValueError(`row ${row + 1}: ${what}`, { row: row + 1, column: name });
        const typeAndColumn = `${describeType(type, kind)}, in column "${name}"`;
        if (typeof value === 'object')
            throw fault(`a list or a map is not a ${typeAndColumn}`);
        const text = Object.is(value, -0) ? '-0' : String(value);
        if (fits?.(text) === true)
            return text;
        const written = readWritten(text, type);
        if (written.text !== undefined)
            return written.text;
        const what = written.lost ?? 'is not a';
        throw fault(`"${cut(text)}" ${what} ${typeAndColumn}${written.lost === undefined ? expectedForm(type) : ''}`);
    };
}
const maxShown = 80;
function cut(text) {
    return (0,visible_text/* visibleText */.Q6)(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);
}
async function refuseValues(connection, { columns, kind }) {
    const faults = columns.map(({ type }, index) => `min(row) FILTER (WHERE ${isBadSql(`c${index}`, type, kind)})`);
    const found = await connection.runAndReadAll(`SELECT ${faults.join(', ')} FROM ${staging}`);
    for (const [index, { name, type }] of columns.entries()) {
        const row = found.value(index, 0);
        if (row === null)
            continue;
        const read = await connection.runAndReadAll(`SELECT left(c${index}, 80) FROM ${staging} WHERE row = ${String(row)}`);
        const text = String(read.value(0, 0));
        const message = `row ${String(row)}: "${text}" is not a ${describeType(type, kind)}, in column "${name}"`;
        throw new ValueError(message, { row: Number(row), column: name });
    }
}
function isBadSql(value, type, kind) {
    const length = lengthSql(value, type, kind);
    if (length !== undefined)
        return `NOT (${length})`;
    if (type.name === 'BINARY')
        return `NOT regexp_full_match(${value}, '([0-9A-Fa-f]{2})*')`;
    return `${value} IS NOT NULL AND TRY_CAST(${value} AS ${duckdbType(type)}) IS NULL`;
}
function convertSql(value, type) {
    return type.name === 'BINARY' ? `unhex(${value})` : `CAST(${value} AS ${duckdbType(type)})`;
}

;// CONCATENATED MODULE: ./engine/orchestration/mock.js


class WrittenCell {
    text;
    type;
    valueFor;
    constructor(text, type, valueFor) {
        this.text = text;
        this.type = type;
        this.valueFor = valueFor;
    }
}
class MockError extends SqlError {
    fault;
    constructor(message, fault) {
        super(message);
        this.fault = fault;
    }
}
function mockError(error, fault) {
    if (!(error instanceof SqlError) && !(error instanceof Refusal))
        throw error;
    if (!(error instanceof ValueError))
        return new MockError(error.message, fault);
    const { message, row, column } = error;
    return new MockError(message, { ...fault, row, column });
}

;// CONCATENATED MODULE: ./engine/python/python.js
class ScriptError extends Error {
    name = 'ScriptError';
    constructor(message, { file, line, column }) {
        super(`${file}:${line}:${column}: ${message}`);
    }
}
class PythonUnavailable extends Error {
    name = 'PythonUnavailable';
}

;// CONCATENATED MODULE: ./engine/execution/step-sql.js
const step_sql_maxLength = 8_000;
function stepSql(texts) {
    const shown = [];
    let left = step_sql_maxLength;
    for (const text of texts) {
        if (left <= 0)
            break;
        shown.push(text.length > left ? `${text.slice(0, left)}…` : text);
        left -= text.length;
    }
    const more = texts.length - shown.length;
    return more === 0 ? shown : [...shown, `… and ${more} more`];
}

;// CONCATENATED MODULE: ./engine/execution/failure-of-error.js







function failureOfError(error) {
    if (error instanceof WarehouseStopped)
        return stopped;
    if (error instanceof Refusal) {
        const { construct, place, hint, message } = error;
        return { ...failure(message), place, ...failedSql(error), refusal: { construct, place, hint } };
    }
    if (error instanceof MockError)
        return { ...failure(error.message), mockFault: error.fault };
    if (error instanceof SqlError) {
        const result = { ...failure(error.message), place: error.place, ...failedSql(error) };
        return { ...result, refusal: refusalOfValue(error) };
    }
    if (error instanceof ParameterError)
        return { ...failure(error.message), place: error.place };
    if (error instanceof ScriptError || error instanceof PythonUnavailable)
        return failure(error.message);
    throw error;
}
function refusalOfValue({ message, place }) {
    const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
    if (!message.startsWith(`${where}${REFUSAL}`))
        return undefined;
    const [construct = '', ...hints] = message.slice(`${where}${REFUSAL}`.length).split(/(?:; )(?=[^;]*$)/);
    return { construct, place, hint: hints[0] };
}
function failedSql({ sql, ran, }) {
    if (sql === undefined && ran === undefined)
        return {};
    const [written] = sql === undefined ? [] : stepSql([sql]);
    const [made] = ran === undefined ? [] : stepSql([ran]);
    const shown = { written, ran: made };
    return { sql: shown, details: { written, ...(made !== undefined && { sql: [made] }) } };
}

;// CONCATENATED MODULE: ./engine/execution/find-mock.js

function mockOf({ name }, frame) {
    const mocks = frame.run.engine?.mocks;
    if (mocks === undefined)
        return undefined;
    const { path } = frame.document;
    const keys = [...(isRequested(frame) ? [name] : []), `${path}#${name}`, `${(0,pipeline_kind/* withoutSuffix */.al)(path)}#${name}`];
    const key = keys.find((each) => mocks.has(each));
    return key === undefined ? undefined : mocks.get(key);
}
function mockKey({ name }, frame) {
    return isRequested(frame) ? name : `${(0,pipeline_kind/* withoutSuffix */.al)(frame.document.path)}#${name}`;
}
function isRequested({ chain, document }) {
    return chain[0] === document.path;
}

;// CONCATENATED MODULE: ./engine/execution/repair-component.js
function isRepaired(failed, { run }, since) {
    const done = run.repairs.last.then(() => repair(failed, run, since));
    run.repairs.last = done.catch(() => undefined);
    return done;
}
async function repair(failed, run, since) {
    if (run.repairs.count > since)
        return true;
    if ((await run.engine?.repair?.(failed)) !== true)
        return false;
    run.repairs.count += 1;
    return true;
}

// EXTERNAL MODULE: ./lib/core/did-you-mean.js
var did_you_mean = __webpack_require__(4746);
// EXTERNAL MODULE: ./lib/pipelines/iterator.js
var iterator = __webpack_require__(2859);
// EXTERNAL MODULE: ./lib/core/closest-word.js
var closest_word = __webpack_require__(6143);
;// CONCATENATED MODULE: ./engine/dialect/parse/known-words.js

const STATEMENTS = `ABORT ALTER ANALYZE ATTACH AWAIT BEGIN BREAK CALL CANCEL CASE CHECKPOINT CLOSE COMMENT COMMIT CONTINUE COPY CREATE
  DEALLOCATE DECLARE DELETE DESC DESCRIBE DETACH DROP END EXECUTE EXPLAIN FETCH FOR FROM GET GRANT IF INSERT INTERRUPT LET LIST
  LOCK LOOP LS MERGE NULL OPEN PREPARE PUT RAISE REFRESH REMOVE REPEAT RESET RETURN REVOKE RM ROLLBACK SAVEPOINT SELECT SET SHOW
  START TABLE TRUNCATE UNDROP UNLOAD UNSET UPDATE USE VACUUM VALUES WHILE WITH`.split(/\s+/);
const CLAUSES = `FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS ON USING JOIN INNER LEFT RIGHT FULL
  OUTER CROSS NATURAL AND OR AS SET VALUES WHEN THEN`.split(/\s+/);
const OTHERS = `ALL ANY ASC ASOF AT BEFORE BETWEEN CHANGES COLLATE CONNECT COPY CLUSTER DESC DISTINCT ESCAPE EXCLUDE FILTER FOR IGNORE ILIKE
  IN INTO IS ISNULL LATERAL LIKE LOCK MATCH_CONDITION MATCH_RECOGNIZE NO NOT NOTNULL NULLS OVER OVERLAPS PARTITION PIVOT REGEXP
  RENAME REPLACE RESPECT RETURNING RLIKE ROW ROWS SAMPLE SEED SHARE SIMILAR START TABLESAMPLE UNPIVOT UPDATE WINDOW WITH WITHIN`.split(/\s+/);
const KNOWN = new Set([...CLAUSES, ...OTHERS]);
const NEVER = new Set([')', ',', '=', '<', '>', '<=', '>=', '<>', '!=', '+', '-', '*', '/', '%', '||']);
function isStray(token) {
    if (token.kind === 'word')
        return !KNOWN.has(token.value);
    return token.kind === 'operator' ? NEVER.has(token.raw) : true;
}
function maybeStatement(token) {
    return token.kind === 'word' && STATEMENTS.includes(token.value);
}
function meantStatement(token) {
    return meant(token, STATEMENTS);
}
function meantClause(token) {
    return token === undefined || CLAUSES.includes(token.value) ? '' : meant(token, CLAUSES);
}
function meant(token, words) {
    const word = token.kind === 'word' && token.raw.length > 2 ? (0,closest_word/* closestWord */.En)(token.raw, words) : undefined;
    return word === undefined ? '' : `; did you mean ${word}?`;
}

;// CONCATENATED MODULE: ./engine/dialect/parse/reserved-words.js
const words = (text) => new Set(text.split(/\s+/));
const RESERVED = {
    WAREHOUSE_ONE: words(`ALL ALTER AND ANY AS BETWEEN BY CHECK COLUMN CONNECT CREATE CURRENT DELETE DISTINCT DROP ELSE EXISTS FOLLOWING FOR FROM
    GRANT GROUP HAVING ILIKE IN INCREMENT INSERT INTERSECT INTO IS LIKE MINUS NOT NULL OF ON OR ORDER QUALIFY REGEXP REVOKE
    RLIKE ROW ROWS SAMPLE SELECT SET SOME START TABLE TABLESAMPLE THEN TO TRIGGER UNION UNIQUE UPDATE VALUES WHENEVER WHERE
    WITH`),
    WAREHOUSE_TWO: words(`AES128 AES256 ALL ALLOWOVERWRITE ANALYSE ANALYZE AND ANY ARRAY AS ASC AUTHORIZATION AZ64 BACKUP BETWEEN BINARY
    BLANKSASNULL BOTH BYTEDICT BZIP2 CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE CREDENTIALS CROSS CURRENT_DATE
    CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURRENT_USER_ID DEFAULT DEFERRABLE DEFLATE DEFRAG DELTA DELTA32K DESC DISABLE
    DISTINCT DO ELSE EMPTYASNULL ENABLE ENCODE ENCRYPT ENCRYPTION END EXCEPT EXPLICIT FALSE FOR FOREIGN FREEZE FROM FULL
    GLOBALDICT256 GLOBALDICT64K GRANT GROUP GZIP HAVING IDENTITY IGNORE ILIKE IN INITIALLY INNER INTERSECT INTERVAL INTO IS
    ISNULL JOIN LEADING LEFT LIKE LIMIT LOCALTIME LOCALTIMESTAMP LUN LUNS LZO LZOP MINUS MOSTLY16 MOSTLY32 MOSTLY8 NATURAL NEW
    NOT NOTNULL NULL NULLS OFF OFFLINE OFFSET OID OLD ON ONLY OPEN OR ORDER OUTER OVERLAPS PARALLEL PARTITION PERCENT
    PERMISSIONS PIVOT PLACING PRIMARY RAW READRATIO RECOVER REFERENCES REJECTLOG RESORT RESPECT RESTORE RIGHT SELECT
    SESSION_USER SIMILAR SNAPSHOT SOME SYSDATE SYSTEM TABLE TAG TDES TEXT255 TEXT32K THEN TIMESTAMP TO TOP TRAILING TRUE
    TRUNCATECOLUMNS UNION UNIQUE UNNEST UNPIVOT USER USING VERBOSE WALLET WHEN WHERE WITH WITHOUT`),
};
const OF_COLUMNS = words('CONSTRAINT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER LOCALTIME LOCALTIMESTAMP');
const OF_VALUES = words('CASE CAST FALSE TRUE TRY_CAST WHEN');
const OF_TABLES = words('CROSS FULL INNER JOIN LATERAL LEFT NATURAL RIGHT USING');
function isReserved(word, role, warehouse) {
    if (RESERVED[warehouse].has(word))
        return true;
    if (warehouse === 'WAREHOUSE_TWO')
        return false;
    if (role === 'column')
        return OF_COLUMNS.has(word);
    if (role === 'value')
        return OF_VALUES.has(word);
    return role === 'table' && OF_TABLES.has(word);
}

;// CONCATENATED MODULE: ./engine/dialect/parse/cursor.js



const DEEPEST = 200;
const MAX_CHAIN = 1000;
class Cursor {
    source;
    warehouse;
    #tokens;
    #parsers;
    #index = 0;
    #depth = 0;
    constructor(source, tokens, warehouse, parsers) {
        this.source = source;
        this.warehouse = warehouse;
        this.#tokens = tokens;
        this.#parsers = parsers;
    }
    get at() {
        return this.peek().start;
    }
    peek(ahead = 0) {
        const token = this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)];
        if (token === undefined)
            throw new Error('no tokens');
        return token;
    }
    next() {
        const token = this.peek();
        if (token.kind !== 'end')
            this.#index += 1;
        return token;
    }
    query() {
        return this.nested(() => this.#parsers.query(this));
    }
    expression() {
        return this.nested(() => this.#parsers.expression(this));
    }
    operand() {
        return this.nested(() => this.#parsers.operand(this));
    }
    nested(read) {
        if (this.#depth >= DEEPEST)
            throw this.refusal(`more than ${DEEPEST} levels of nesting`);
        this.#depth += 1;
        const result = read();
        this.#depth -= 1;
        return result;
    }
    limitChain(length) {
        if (length > MAX_CHAIN)
            throw this.refusal(`more than ${MAX_CHAIN} operators in a row`);
    }
    isWord(...words) {
        return words.every((word, ahead) => {
            const token = this.peek(ahead);
            return token.kind === 'word' && token.value === word;
        });
    }
    isOperator(operator, ahead = 0) {
        const token = this.peek(ahead);
        return token.kind === 'operator' && token.raw === operator;
    }
    takeWord(...words) {
        if (!this.isWord(...words))
            return false;
        this.#index += words.length;
        return true;
    }
    takeOneOf(...words) {
        return words.find((word) => this.takeWord(word));
    }
    takeOperator(operator) {
        if (!this.isOperator(operator))
            return false;
        this.#index += 1;
        return true;
    }
    expectWord(...words) {
        if (!this.takeWord(...words))
            throw this.unexpected(words.join(' '));
    }
    expectOperator(operator) {
        if (!this.takeOperator(operator))
            throw this.unexpected(`"${operator}"`);
    }
    expectEndOfDefinition() {
        if (this.peek().kind !== 'end')
            throw this.#unread();
    }
    expectEnd() {
        const token = this.peek();
        if (token.kind === 'end')
            return;
        if (!isStray(token))
            throw this.#unread();
        throw this.syntaxError(meantClause(token) || meantClause(this.#tokens[this.#index - 1]));
    }
    name(role = 'any') {
        const token = this.peek();
        if (token.kind === 'word' && isReserved(token.value, role, this.warehouse)) {
            const quoted = this.warehouse === 'WAREHOUSE_ONE' ? token.value : token.value.toLowerCase();
            throw this.refusal(`the reserved word ${token.value} as a name`, undefined, `write it in quotation marks: "${quoted}"`);
        }
        return this.label();
    }
    label() {
        const token = this.peek();
        if (token.kind !== 'word' && token.kind !== 'quoted')
            throw this.unexpected('a name');
        this.next();
        return {
            text: token.kind === 'quoted' ? token.value : token.raw,
            isQuoted: token.kind === 'quoted',
            at: token.start,
        };
    }
    names(role = 'any') {
        const names = [this.name(role)];
        while (this.takeOperator('.'))
            names.push(this.laterName());
        if (names.length > 3)
            throw this.refusal('a name with more than three parts');
        return names;
    }
    laterName() {
        return this.warehouse === 'WAREHOUSE_TWO' ? this.label() : this.name();
    }
    integer() {
        const token = this.peek();
        if (token.kind !== 'number' || !/^\d{1,9}$/.test(token.raw))
            throw this.unexpected('a whole number');
        this.next();
        return Number(token.raw);
    }
    list(read) {
        const items = [read()];
        while (this.takeOperator(','))
            items.push(read());
        return items;
    }
    inParentheses(read) {
        this.expectOperator('(');
        const result = read();
        this.expectOperator(')');
        return result;
    }
    refusal(construct, at = this.at, hint) {
        return new Refusal(construct, this.source.placeOf(at), hint);
    }
    unexpected(wanted) {
        const found = this.peek().kind === 'end' ? 'the statement ends' : `found ${this.#here()}`;
        return new SqlError(`expected ${wanted}, but ${found}`, { place: this.source.placeOf(this.at) });
    }
    wrong(message, at = this.at) {
        return new SqlError(message, { place: this.source.placeOf(at) });
    }
    syntaxError(hint) {
        return new SqlError(`syntax error near ${this.#here()}${hint}`, { place: this.source.placeOf(this.at) });
    }
    #unread() {
        const before = this.#tokens[this.#index - 1]?.raw ?? '';
        const what = before === '' ? this.#here() : `${this.#here()} after ${shortened(before)}`;
        return this.refusal(what, this.at, 'the statement is complete before it: leave it out');
    }
    #here() {
        return shortened(this.peek().raw);
    }
}
function shortened(raw) {
    return raw.length > 40 ? `${raw.slice(0, 40)}…` : raw;
}

;// CONCATENATED MODULE: ./engine/dialect/parse/call.js

const WITHOUT_PARENTHESES = new Set([
    'CURRENT_TIMESTAMP',
    'CURRENT_DATE',
    'CURRENT_TIME',
    'LOCALTIMESTAMP',
    'LOCALTIME',
    'SYSDATE',
    'CURRENT_USER',
]);
const UNIT_FIRST = new Set([
    'DATEADD',
    'DATEDIFF',
    'DATE_TRUNC',
    'DATE_PART',
    'TIMESTAMPADD',
    'TIMESTAMPDIFF',
    'TIMEADD',
    'TIMEDIFF',
    'DATE_ADD',
    'DATE_DIFF',
]);
const PLAIN = {
    kind: 'call',
    named: new Map(),
    isDistinct: false,
    hasStar: false,
    ignoresNulls: false,
    withinGroup: undefined,
    window: undefined,
};
function parseCallWithoutParentheses(cursor) {
    const token = cursor.peek();
    if (!WITHOUT_PARENTHESES.has(token.value) || cursor.isOperator('.', 1))
        return undefined;
    if (token.value === 'SYSDATE' && cursor.warehouse === 'WAREHOUSE_ONE')
        return undefined;
    cursor.next();
    return { ...PLAIN, at: token.start, name: token.value, values: [], hasParentheses: false };
}
const FILTER = 'FILTER (WHERE …)';
const NO_FILTER = 'the warehouse has no such clause; aggregate CASE WHEN condition THEN value END';
function parseCall(cursor, path) {
    const { name, at } = path === undefined ? plainName(cursor) : pathName(path);
    const named = new Map();
    const values = [];
    if (cursor.isOperator('+', 1) && cursor.isOperator(')', 2))
        throw cursor.refusal('(+) for an outer join', undefined, 'write LEFT JOIN … ON or RIGHT JOIN … ON in FROM');
    if (cursor.warehouse === 'WAREHOUSE_TWO' && path === undefined)
        refuseFormOfOne(cursor, name, at);
    cursor.expectOperator('(');
    const isDistinct = cursor.takeWord('DISTINCT');
    const hasStar = cursor.takeOperator('*');
    if (!hasStar && !cursor.isOperator(')'))
        readArguments(cursor, name, values, named);
    refuseFrom(cursor, name);
    const nullsInside = takeNulls(cursor);
    if (cursor.isWord('ORDER', 'BY'))
        throw cursor.refusal(`ORDER BY in the arguments of ${name}`);
    cursor.expectOperator(')');
    const withinGroup = cursor.takeWord('WITHIN', 'GROUP')
        ? cursor.inParentheses(() => parseOrder(cursor))
        : undefined;
    if (cursor.isWord('FILTER') && cursor.isOperator('(', 1))
        throw cursor.refusal(FILTER, undefined, NO_FILTER);
    const nullsAfter = takeNulls(cursor);
    const window = cursor.takeWord('OVER') ? parseWindow(cursor) : undefined;
    return {
        kind: 'call',
        at,
        name,
        ...(path && { path }),
        values,
        named,
        isDistinct,
        hasStar,
        hasParentheses: true,
        ignoresNulls: nullsInside || nullsAfter,
        withinGroup,
        window,
    };
}
function refuseFormOfOne(cursor, name, at) {
    if (WITHOUT_PARENTHESES.has(name))
        throw cursor.wrong(`${name} has no parentheses: leave them out`, at);
    const unit = cursor.peek(1);
    if (name === 'DATE_TRUNC' && unit.kind === 'word' && cursor.isOperator(',', 2))
        throw cursor.wrong(`DATE_TRUNC takes its unit as a text: write '${shortened(unit.raw)}'`, unit.start);
}
const WITH_FROM = new Map([
    ['TRIM', 'write TRIM(text, characters), LTRIM(text, characters) or RTRIM(text, characters)'],
    ['SUBSTRING', 'write SUBSTRING(text, start, length)'],
]);
function refuseFrom(cursor, name) {
    const hint = WITH_FROM.get(name);
    const isSide = ['BOTH', 'LEADING', 'TRAILING'].includes(cursor.peek(-1).value) && cursor.peek().kind === 'text';
    if (hint !== undefined && (cursor.isWord('FROM') || isSide))
        throw cursor.refusal(`${name}(… FROM …)`, undefined, hint);
}
function plainName(cursor) {
    const { value, start } = cursor.next();
    return { name: value, at: start };
}
function pathName(path) {
    return { name: path.map(({ text }) => text).join('.'), at: path[0]?.at ?? 0 };
}
function takeNulls(cursor) {
    if (cursor.takeWord('RESPECT', 'NULLS'))
        return false;
    return cursor.takeWord('IGNORE', 'NULLS');
}
function readArguments(cursor, name, values, named) {
    do {
        if (cursor.isOperator('=>', 1)) {
            const key = cursor.next().raw.toUpperCase();
            cursor.next();
            if (named.has(key))
                throw cursor.refusal(`${key} twice`);
            named.set(key, cursor.expression());
        }
        else if (isUnit(cursor, name, values.length)) {
            const token = cursor.next();
            values.push({ kind: 'text', at: token.start, value: token.raw });
        }
        else
            values.push(cursor.expression());
    } while (cursor.takeOperator(','));
}
function isUnit(cursor, name, index) {
    if (cursor.peek().kind !== 'word')
        return false;
    if (index === 0)
        return UNIT_FIRST.has(name) && cursor.isOperator(',', 1);
    return index === 1 && name === 'LAST_DAY' && cursor.isOperator(')', 1);
}
function parseOrder(cursor) {
    cursor.expectWord('ORDER', 'BY');
    return cursor.list(() => {
        const value = cursor.expression();
        const isDescending = cursor.takeOneOf('ASC', 'DESC') === 'DESC';
        const nulls = cursor.takeWord('NULLS')
            ? ['FIRST', 'LAST'].find((word) => cursor.takeWord(word))
            : undefined;
        return { value, isDescending, nulls };
    });
}
function parseWindow(cursor) {
    if (!cursor.isOperator('('))
        throw cursor.refusal('a named window', undefined, 'write the window in OVER (…)');
    return cursor.inParentheses(() => {
        const partitions = cursor.takeWord('PARTITION', 'BY') ? cursor.list(() => cursor.expression()) : [];
        const order = cursor.isWord('ORDER') ? parseOrder(cursor) : [];
        return { partitions, order, frame: parseFrame(cursor) };
    });
}
function parseFrame(cursor) {
    const unit = cursor.takeWord('ROWS') ? 'ROWS' : cursor.takeWord('RANGE') ? 'RANGE' : undefined;
    if (unit === undefined)
        return undefined;
    if (!cursor.takeWord('BETWEEN'))
        return { unit, from: parseBound(cursor), to: 'CURRENT ROW' };
    const from = parseBound(cursor);
    cursor.expectWord('AND');
    const to = parseBound(cursor);
    if (cursor.isWord('EXCLUDE'))
        throw cursor.refusal('EXCLUDE in a window', undefined, 'the warehouse has no such clause: leave it out');
    return { unit, from, to };
}
function parseBound(cursor) {
    if (cursor.takeWord('CURRENT', 'ROW'))
        return 'CURRENT ROW';
    const amount = cursor.takeWord('UNBOUNDED') ? 'UNBOUNDED' : String(cursor.integer());
    const side = cursor.takeOneOf('PRECEDING', 'FOLLOWING');
    if (side === undefined)
        throw cursor.unexpected('PRECEDING or FOLLOWING');
    return `${amount} ${side}`;
}

;// CONCATENATED MODULE: ./engine/dialect/parse/type-name.js

const TEXTS = new Set(['VARCHAR', 'TEXT', 'STRING', 'CHAR', 'CHARACTER', 'NVARCHAR', 'BPCHAR']);
const DECIMALS = new Set(['NUMBER', 'DECIMAL', 'NUMERIC', 'DEC']);
const FLOATS = new Set(['FLOAT', 'DOUBLE', 'FLOAT8']);
const FLOATS_OF_ONE = new Set(['REAL', 'FLOAT4']);
const WHOLE = new Map([
    ['SMALLINT', 'SMALLINT'],
    ['INT2', 'SMALLINT'],
    ['INT', 'INTEGER'],
    ['INTEGER', 'INTEGER'],
    ['INT4', 'INTEGER'],
    ['BIGINT', 'BIGINT'],
    ['INT8', 'BIGINT'],
]);
const WHOLE_OF_ONE = new Set(['INT', 'INTEGER', 'BIGINT', 'SMALLINT', 'TINYINT', 'BYTEINT']);
const VARIANTS = new Map([
    ['VARIANT', 'WAREHOUSE_ONE'],
    ['OBJECT', 'WAREHOUSE_ONE'],
    ['ARRAY', 'WAREHOUSE_ONE'],
    ['SUPER', 'WAREHOUSE_TWO'],
]);
const type_name_PLAIN = new Map([
    ['BOOLEAN', { name: 'BOOLEAN' }],
    ['BOOL', { name: 'BOOLEAN' }],
    ['DATE', { name: 'DATE' }],
    ['TIME', { name: 'TIME' }],
    ['TIMESTAMP', { name: 'TIMESTAMP' }],
    ['TIMESTAMP_NTZ', { name: 'TIMESTAMP' }],
    ['TIMESTAMPNTZ', { name: 'TIMESTAMP' }],
    ['DATETIME', { name: 'TIMESTAMP' }],
    ['TIMESTAMP_LTZ', { name: 'TIMESTAMP_TZ', isUtc: true }],
    ['TIMESTAMP_TZ', { name: 'TIMESTAMP_TZ' }],
    ['TIMESTAMPTZ', { name: 'TIMESTAMP_TZ' }],
    ['BINARY', { name: 'BINARY' }],
    ['VARBINARY', { name: 'BINARY' }],
]);
const OTHER_NAMES_OF_TWO = new Map([
    ['DOUBLE', 'DOUBLE PRECISION'],
    ['TIMESTAMP_NTZ', 'TIMESTAMP'],
    ['TIMESTAMPNTZ', 'TIMESTAMP'],
    ['TIMESTAMP_TZ', 'TIMESTAMPTZ'],
    ['TIMESTAMP_LTZ', 'TIMESTAMPTZ'],
]);
function parseType(cursor) {
    const token = cursor.peek();
    const other = token.kind === 'word' ? OTHER_NAMES_OF_TWO.get(token.value) : undefined;
    const isDouble = cursor.isWord('DOUBLE', 'PRECISION');
    if (other !== undefined && !isDouble && cursor.warehouse === 'WAREHOUSE_TWO')
        throw cursor.wrong(`the warehouse has no type ${token.value}: write ${other}`);
    return parseAnyType(cursor);
}
function parseAnyType(cursor) {
    const { at } = cursor;
    const word = cursor.label().text.toUpperCase();
    const isOne = cursor.warehouse === 'WAREHOUSE_ONE';
    if (!isOne && word === 'STRING')
        throw cursor.refusal('the type STRING', at, 'write VARCHAR(length) or TEXT');
    if (TEXTS.has(word))
        return textType(cursor, word, at);
    if (DECIMALS.has(word) && (isOne || word !== 'NUMBER'))
        return decimalType(cursor, at);
    if (FLOATS.has(word) || (isOne && FLOATS_OF_ONE.has(word))) {
        if (word === 'DOUBLE')
            cursor.takeWord('PRECISION');
        return { name: 'FLOAT' };
    }
    if (isOne && WHOLE_OF_ONE.has(word))
        return { name: 'NUMBER', precision: 38, scale: 0 };
    const whole = WHOLE.get(word);
    if (!isOne && whole !== undefined)
        return { name: whole };
    if (VARIANTS.get(word) === cursor.warehouse)
        return { name: 'VARIANT' };
    const plain = type_name_PLAIN.get(word);
    if (plain === undefined)
        throw cursor.refusal(`the type ${word}`, at, typeHint(word, isOne));
    return plainType(cursor, plain, word, at);
}
const LONGEST = { WAREHOUSE_ONE: 134_217_728, WAREHOUSE_TWO: 65_535 };
const PLAIN_LENGTH = 256;
function parseColumnType(cursor) {
    const type = parseType(cursor);
    const isPlain = type.name === 'VARCHAR' && type.length === undefined;
    return isPlain && cursor.warehouse === 'WAREHOUSE_TWO' ? { ...type, length: PLAIN_LENGTH } : type;
}
const COMMON = ['VARCHAR', 'FLOAT', 'BOOLEAN', 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMPTZ', 'BINARY'];
const COMMON_OF_ONE = ['NUMBER(precision, scale)', ...COMMON, 'VARIANT'];
const COMMON_OF_TWO = ['DECIMAL(precision, scale)', 'SMALLINT', 'INTEGER', 'BIGINT', ...COMMON, 'SUPER'];
function typeHint(word, isOne) {
    const common = isOne ? COMMON_OF_ONE : COMMON_OF_TWO;
    const names = common.map((type) => type.replace(/\(.*/, ''));
    return (0,did_you_mean/* meantQuestion */.eq)(word, names) ?? `known types: ${common.join(', ')}`;
}
function textType(cursor, word, at) {
    const isVarying = cursor.takeWord('VARYING');
    const isShort = word.startsWith('CHAR') && !isVarying;
    const isOne = cursor.warehouse === 'WAREHOUSE_ONE';
    if (word === 'BPCHAR')
        throw cursor.refusal('the type BPCHAR', at, isOne ? 'write VARCHAR' : 'it pads with blanks; use VARCHAR');
    const length = cursor.isOperator('(') ? cursor.inParentheses(() => cursor.integer()) : undefined;
    if (isShort && !isOne)
        throw cursor.refusal('the type CHAR', cursor.at, 'CHAR pads with blanks; use VARCHAR');
    const longest = LONGEST[cursor.warehouse];
    if (length !== undefined && (length < 1 || length > longest))
        throw cursor.refusal(`${word}(${length})`, at, `write a length from 1 to ${longest}`);
    if (length !== undefined)
        return { name: 'VARCHAR', length };
    return { name: 'VARCHAR', length: isShort ? 1 : undefined };
}
function decimalType(cursor, at) {
    const sizes = cursor.isOperator('(') ? cursor.inParentheses(() => cursor.list(() => cursor.integer())) : [];
    const [precision = cursor.warehouse === 'WAREHOUSE_ONE' ? 38 : 18, scale = 0] = sizes;
    if (sizes.length > 2)
        throw cursor.wrong(`a decimal type has a precision and a scale, not ${sizes.length} sizes`, at);
    if (precision < 1 || precision > 38 || scale > precision || scale > 37)
        throw cursor.refusal(`NUMBER(${precision}, ${scale})`, at);
    return { name: 'NUMBER', precision, scale };
}
function plainType(cursor, type, word, at) {
    if (cursor.isOperator('(')) {
        const digits = cursor.inParentheses(() => cursor.integer());
        if (type.name !== 'BINARY' && digits !== 6 && digits !== 9)
            throw cursor.refusal(`${word}(${digits})`, at);
    }
    if (cursor.takeWord('WITHOUT', 'TIME', 'ZONE'))
        return type;
    if (cursor.takeWord('WITH', 'TIME', 'ZONE')) {
        if (word !== 'TIMESTAMP')
            throw cursor.refusal(`${word} WITH TIME ZONE`, at);
        return { name: 'TIMESTAMP_TZ' };
    }
    return type;
}

;// CONCATENATED MODULE: ./engine/dialect/parse/primary.js


const primary_RESERVED = new Set(`SELECT FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS ON USING JOIN INNER LEFT RIGHT
  FULL CROSS NATURAL AS AND OR WHEN THEN ELSE END BETWEEN IN LIKE ILIKE RLIKE IS SET VALUES WITH INTO WINDOW`.split(/\s+/));
const TYPED_TEXTS = new Set(['DATE', 'TIMESTAMP', 'TIME', 'TIMESTAMP_NTZ', 'TIMESTAMPTZ', 'TIMESTAMP_LTZ']);
function parsePrimary(cursor) {
    const token = cursor.peek();
    const { start: at } = token;
    if (token.kind === 'number' || token.kind === 'text') {
        cursor.next();
        return { kind: token.kind, at, value: token.value };
    }
    if (cursor.isOperator('('))
        return parseGroup(cursor);
    if (token.kind === 'word')
        return parseWord(cursor);
    if (token.kind === 'quoted')
        return parseNames(cursor);
    if (cursor.isOperator('[') || cursor.isOperator('{'))
        throw cursor.refusal(token.raw === '[' ? 'an array literal' : 'an object literal');
    throw cursor.unexpected('a value');
}
function parseGroup(cursor) {
    const { at } = cursor;
    return cursor.inParentheses(() => {
        if (cursor.isWord('SELECT') || cursor.isWord('WITH'))
            return { kind: 'subquery', at, query: cursor.query() };
        const value = cursor.expression();
        if (cursor.isOperator(','))
            throw cursor.refusal('a list of values in parentheses', at);
        return { ...value, isGrouped: true };
    });
}
function parseWord(cursor) {
    const { value: word, start: at } = cursor.peek();
    const isCall = cursor.isOperator('(', 1);
    if (word === 'CASE')
        return parseCase(cursor);
    if (word === 'NULL' || word === 'TRUE' || word === 'FALSE') {
        cursor.next();
        return word === 'NULL' ? { kind: 'null', at } : { kind: 'boolean', at, value: word === 'TRUE' };
    }
    if (isCall && (word === 'CAST' || word === 'TRY_CAST'))
        return parseCast(cursor);
    if (isCall && word === 'EXISTS') {
        cursor.next();
        return { kind: 'exists', at, query: cursor.inParentheses(() => cursor.query()) };
    }
    if (isCall && word === 'EXTRACT')
        return parseExtract(cursor);
    if (isCall && word === 'POSITION')
        return parsePosition(cursor);
    if (word === 'INTERVAL' && cursor.peek(1).raw !== '.')
        return parseInterval(cursor);
    if (TYPED_TEXTS.has(word) && cursor.peek(1).kind === 'text') {
        const type = parseType(cursor);
        return {
            kind: 'cast',
            at,
            type,
            isTry: false,
            value: { kind: 'text', at: cursor.at, value: cursor.next().value },
        };
    }
    if (isCall && !primary_RESERVED.has(word))
        return parseCall(cursor);
    if (isCall && ['LEFT', 'RIGHT', 'RLIKE'].includes(word))
        return parseCall(cursor);
    if (isCall && (word === 'LIKE' || word === 'ILIKE'))
        throw cursor.refusal(`the function ${word}`);
    if (primary_RESERVED.has(word))
        throw cursor.unexpected('a value');
    return parseCallWithoutParentheses(cursor) ?? parseNames(cursor);
}
function parseNames(cursor) {
    const { at } = cursor;
    const parts = [cursor.name('value')];
    while (cursor.takeOperator('.'))
        parts.push(cursor.laterName());
    if (parts.length > 4)
        throw cursor.refusal('a name with more than four parts', at);
    if (cursor.isOperator('('))
        return parseCall(cursor, parts);
    return { kind: 'column', at, parts };
}
function parseCase(cursor) {
    const { at } = cursor;
    cursor.expectWord('CASE');
    const subject = cursor.isWord('WHEN') ? undefined : cursor.expression();
    const branches = [];
    while (cursor.takeWord('WHEN')) {
        const when = cursor.expression();
        cursor.expectWord('THEN');
        branches.push({ when, result: cursor.expression() });
    }
    if (branches.length === 0)
        throw cursor.unexpected('WHEN');
    const otherwise = cursor.takeWord('ELSE') ? cursor.expression() : undefined;
    cursor.expectWord('END');
    return { kind: 'case', at, subject, branches, otherwise };
}
function parseCast(cursor) {
    const { at } = cursor;
    const isTry = cursor.next().value === 'TRY_CAST';
    return cursor.inParentheses(() => {
        const value = cursor.expression();
        cursor.expectWord('AS');
        return { kind: 'cast', at, value, type: parseType(cursor), isTry };
    });
}
function parseExtract(cursor) {
    const { at } = cursor;
    cursor.next();
    return cursor.inParentheses(() => {
        const unit = { kind: 'text', at: cursor.at, value: cursor.next().value };
        cursor.expectWord('FROM');
        return plainCall(at, 'DATE_PART', [unit, cursor.expression()]);
    });
}
function parsePosition(cursor) {
    const { at } = cursor;
    cursor.next();
    return cursor.inParentheses(() => {
        const needle = cursor.operand();
        if (cursor.takeWord('IN'))
            return plainCall(at, 'POSITION', [needle, cursor.expression()]);
        if (cursor.warehouse === 'WAREHOUSE_TWO' && cursor.isOperator(','))
            throw cursor.wrong('POSITION has no comma: write POSITION(text IN value), or STRPOS(value, text)');
        cursor.expectOperator(',');
        return plainCall(at, 'POSITION', [needle, ...cursor.list(() => cursor.expression())]);
    });
}
function plainCall(at, name, values) {
    return {
        kind: 'call',
        at,
        name,
        values,
        named: new Map(),
        isDistinct: false,
        hasStar: false,
        hasParentheses: true,
        ignoresNulls: false,
        withinGroup: undefined,
        window: undefined,
    };
}
function parseInterval(cursor) {
    const { at } = cursor;
    cursor.expectWord('INTERVAL');
    const { at: start } = cursor;
    const value = parsePrimary(cursor);
    if (value.kind !== 'text')
        throw cursor.wrong("INTERVAL needs a text: write INTERVAL '1 day', or DATEADD for a calculated amount", start);
    const isInText = value.kind === 'text' && /[a-z]/i.test(value.value);
    if (isInText)
        return { kind: 'interval', at, value, unit: undefined };
    const token = cursor.peek();
    if (token.kind !== 'word')
        throw cursor.unexpected('the unit of the interval');
    cursor.next();
    if (cursor.isWord('TO'))
        throw cursor.refusal(`INTERVAL … ${token.value} TO`, at);
    return { kind: 'interval', at, value, unit: token.value };
}

;// CONCATENATED MODULE: ./engine/dialect/parse/expression.js


const COMPARISONS = ['=', '<=', '>=', '<>', '!=', '<', '>'];
function expression_parseExpression(cursor) {
    return chain(cursor, () => parseAnd(cursor), () => (cursor.takeWord('OR') ? 'OR' : undefined));
}
function parseAnd(cursor) {
    return chain(cursor, () => parseNot(cursor), () => (cursor.takeWord('AND') ? 'AND' : undefined));
}
function chain(cursor, operand, take) {
    let left = operand();
    for (let length = 1;; length += 1) {
        const { at } = cursor;
        const operator = take();
        if (operator === undefined)
            return left;
        cursor.limitChain(length);
        left = { kind: 'binary', at, operator, left, right: operand() };
    }
}
function parseNot(cursor) {
    const { at } = cursor;
    if (!cursor.takeWord('NOT'))
        return parseComparison(cursor);
    return { kind: 'unary', at, operator: 'NOT', value: cursor.nested(() => parseNot(cursor)) };
}
function parseComparison(cursor) {
    let left = parsePredicate(cursor);
    for (let length = 1;; length += 1) {
        const { at } = cursor;
        const operator = COMPARISONS.find((candidate) => cursor.takeOperator(candidate));
        if (operator !== undefined) {
            if (cursor.isWord('ANY') || cursor.isWord('ALL') || cursor.isWord('SOME'))
                throw cursor.refusal(`${operator} ${cursor.peek().value}`, at);
            const right = parsePredicate(cursor);
            left = { kind: 'binary', at, operator: operator === '!=' ? '<>' : operator, left, right };
        }
        else if (cursor.isWord('IS'))
            left = parseIs(cursor, left);
        else
            return left;
        cursor.limitChain(length);
    }
}
function parseIs(cursor, value) {
    const { at } = cursor;
    cursor.expectWord('IS');
    const isNegated = cursor.takeWord('NOT');
    if (cursor.takeWord('DISTINCT', 'FROM')) {
        const operator = isNegated ? 'IS NOT DISTINCT FROM' : 'IS DISTINCT FROM';
        return { kind: 'binary', at, operator, left: value, right: parsePredicate(cursor) };
    }
    for (const what of ['NULL', 'TRUE', 'FALSE'])
        if (cursor.takeWord(what))
            return { kind: 'is', at, isNegated, value, what };
    throw cursor.unexpected('NULL, TRUE, FALSE or DISTINCT FROM');
}
function parsePredicate(cursor) {
    const value = parseConcatenation(cursor);
    const { at } = cursor;
    const next = cursor.isWord('NOT') ? cursor.peek(1) : cursor.peek();
    if (next.kind !== 'word')
        return value;
    if (!['BETWEEN', 'IN', 'LIKE', 'ILIKE', 'RLIKE', 'REGEXP', 'SIMILAR'].includes(next.value))
        return value;
    const isNegated = cursor.takeWord('NOT');
    if (cursor.takeWord('BETWEEN')) {
        const low = parseConcatenation(cursor);
        cursor.expectWord('AND');
        return { kind: 'between', at, isNegated, value, low, high: parseConcatenation(cursor) };
    }
    if (cursor.takeWord('IN'))
        return { kind: 'in', at, isNegated, value, items: parseItems(cursor) };
    if (cursor.isWord('SIMILAR'))
        throw cursor.refusal('SIMILAR TO', undefined, 'use LIKE');
    return parseLike(cursor, at, isNegated, value);
}
function parseLike(cursor, at, isNegated, value) {
    const word = cursor.next().value;
    const operator = word === 'LIKE' || word === 'ILIKE' ? word : 'RLIKE';
    if (cursor.isWord('ANY') || cursor.isWord('ALL'))
        throw cursor.refusal(`${word} ${cursor.peek().value}`, at);
    const pattern = parseConcatenation(cursor);
    const escape = cursor.takeWord('ESCAPE') ? parseConcatenation(cursor) : undefined;
    return { kind: 'like', at, operator, isNegated, value, pattern, escape };
}
function parseItems(cursor) {
    return cursor.inParentheses(() => cursor.isWord('SELECT') || cursor.isWord('WITH')
        ? cursor.query()
        : cursor.list(() => cursor.expression()));
}
function parseConcatenation(cursor) {
    return chain(cursor, () => parseSum(cursor), () => (cursor.takeOperator('||') ? '||' : undefined));
}
function parseSum(cursor) {
    return chain(cursor, () => parseProduct(cursor), () => takeAny(cursor, ['+', '-']));
}
function parseProduct(cursor) {
    return chain(cursor, () => parseSign(cursor), () => takeAny(cursor, ['*', '/', '%']));
}
function takeAny(cursor, operators) {
    return operators.find((operator) => cursor.takeOperator(operator));
}
function parseSign(cursor) {
    const { at } = cursor;
    const operator = takeAny(cursor, ['-', '+']);
    if (operator === undefined)
        return parsePostfix(cursor);
    const value = cursor.nested(() => parseSign(cursor));
    return { kind: 'unary', at, operator: operator === '-' ? '-' : '+', value };
}
function parsePostfix(cursor) {
    let value = parsePrimary(cursor);
    for (let length = 1;; length += 1) {
        cursor.limitChain(length);
        const { at } = cursor;
        if (cursor.takeOperator('::'))
            value = { kind: 'cast', at, value, type: parseType(cursor), isTry: false };
        else if (cursor.isOperator('[') || (cursor.isOperator(':') && cursor.warehouse === 'WAREHOUSE_ONE'))
            value = { kind: 'path', at, value, steps: parseSteps(cursor) };
        else if (cursor.isOperator('.') && cursor.warehouse === 'WAREHOUSE_TWO')
            throw cursor.refusal('a path into a SUPER value');
        else
            return value;
    }
}
function parseSteps(cursor) {
    const steps = [];
    if (cursor.takeOperator(':'))
        steps.push(stepName(cursor));
    for (;;) {
        if (cursor.takeOperator('[')) {
            steps.push(bracketStep(cursor));
            cursor.expectOperator(']');
        }
        else if (cursor.takeOperator('.'))
            steps.push(stepName(cursor));
        else
            return steps;
    }
}
function bracketStep(cursor) {
    const token = cursor.peek();
    if (token.kind === 'text')
        return cursor.next().value;
    if (token.kind === 'number')
        return cursor.integer();
    throw cursor.refusal('an index that is not a literal');
}
function stepName(cursor) {
    const { text } = cursor.label();
    return cursor.warehouse === 'WAREHOUSE_TWO' ? text.toLowerCase() : text;
}

;// CONCATENATED MODULE: ./engine/dialect/parse/alias.js
const NO_ALIAS = new Set(`FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS ON USING JOIN INNER LEFT RIGHT FULL
  CROSS NATURAL ASOF LATERAL WHEN SET VALUES WINDOW INTO PIVOT UNPIVOT SAMPLE TABLESAMPLE AT BEFORE CHANGES MATCH_RECOGNIZE
  CONNECT START EXCLUDE RENAME FOR`.split(/\s+/));
const VERSION = 'the engine keeps no earlier versions of a table: read the table itself';
const SAMPLE = 'a sample differs each time: choose the rows with WHERE';
const REFUSED_AFTER_TABLE = [
    ['SAMPLE', SAMPLE],
    ['TABLESAMPLE', SAMPLE],
    ['AT', VERSION],
    ['BEFORE', VERSION],
    ['CHANGES', VERSION],
    ['MATCH_RECOGNIZE', 'find the rows with LAG, LEAD and QUALIFY'],
];
const PIVOTS = [
    ['PIVOT', 'aggregate CASE WHEN column = value THEN … END for each value'],
    ['UNPIVOT', 'write one SELECT for each column, and UNION ALL between them'],
];
function refuseAfterTable(cursor) {
    const refused = cursor.warehouse === 'WAREHOUSE_ONE' ? REFUSED_AFTER_TABLE : [...REFUSED_AFTER_TABLE, ...PIVOTS];
    for (const [word, hint] of refused)
        if (cursor.isWord(word))
            throw cursor.refusal(`${word} after a table`, undefined, hint);
}
function isAliasAhead(cursor) {
    if (cursor.isWord('WITH', 'NO', 'SCHEMA'))
        return false;
    const token = cursor.peek();
    return token.kind === 'quoted' || (token.kind === 'word' && !NO_ALIAS.has(token.value));
}
function parseAlias(cursor) {
    refuseAfterTable(cursor);
    if (!cursor.takeWord('AS') && !isAliasAhead(cursor))
        return undefined;
    const name = cursor.name('table');
    const columns = cursor.isOperator('(')
        ? cursor.inParentheses(() => cursor.list(() => cursor.name('column')))
        : [];
    refuseAfterTable(cursor);
    return { name, columns };
}

;// CONCATENATED MODULE: ./engine/dialect/parse/pivot.js

function parsePivots(cursor, table) {
    if (cursor.warehouse !== 'WAREHOUSE_ONE')
        return table;
    let item = table;
    for (;;) {
        const { at } = cursor;
        if (cursor.takeWord('UNPIVOT'))
            item = parseUnpivot(cursor, item, at);
        else if (cursor.takeWord('PIVOT'))
            item = parsePivot(cursor, item, at);
        else
            return item;
    }
}
function parseUnpivot(cursor, item, at) {
    const keepsNulls = cursor.takeWord('INCLUDE', 'NULLS');
    if (!keepsNulls)
        cursor.takeWord('EXCLUDE', 'NULLS');
    const { value, name, columns } = cursor.inParentheses(() => {
        const first = cursor.name();
        cursor.expectWord('FOR');
        const second = cursor.name();
        cursor.expectWord('IN');
        return {
            value: first,
            name: second,
            columns: cursor.inParentheses(() => cursor.list(() => column(cursor))),
        };
    });
    return { kind: 'unpivot', at, item, value, name, columns, keepsNulls, alias: parseAlias(cursor) };
}
function column(cursor) {
    const name = cursor.name();
    if (cursor.isWord('AS') || isAliasAhead(cursor))
        throw cursor.refusal('an alias in UNPIVOT');
    return name;
}
function parsePivot(cursor, item, at) {
    const { aggregate, column: pivoted, values, } = cursor.inParentheses(() => {
        const call = cursor.expression();
        cursor.expectWord('FOR');
        const name = cursor.name();
        cursor.expectWord('IN');
        const list = cursor.inParentheses(() => cursor.list(() => pivotValue(cursor)));
        return { aggregate: call, column: name, values: list };
    });
    return { kind: 'pivot', at, item, aggregate, column: pivoted, values, alias: parseAlias(cursor) };
}
function pivotValue(cursor) {
    if (cursor.isWord('ANY') || cursor.isWord('SELECT'))
        throw cursor.refusal(`PIVOT … IN (${cursor.peek().value})`);
    const value = cursor.expression();
    const alias = cursor.takeWord('AS') || isAliasAhead(cursor) ? cursor.name() : undefined;
    return { value, alias };
}

;// CONCATENATED MODULE: ./engine/dialect/parse/from.js



function parseFrom(cursor) {
    let left = parseJoins(cursor);
    for (let length = 1; cursor.isOperator(','); length += 1) {
        const { at } = cursor;
        cursor.limitChain(length);
        cursor.next();
        left = from_join(at, 'CROSS', left, parseJoins(cursor));
    }
    return left;
}
function from_join(at, how, left, right) {
    return { kind: 'join', at, how, left, right, isNatural: false, on: undefined, using: undefined };
}
function parseJoins(cursor) {
    let left = parsePivots(cursor, parseTable(cursor));
    for (let length = 1;; length += 1) {
        const { at } = cursor;
        cursor.limitChain(length);
        if (cursor.isWord('ASOF'))
            throw cursor.refusal('ASOF JOIN');
        const isNatural = cursor.takeWord('NATURAL');
        const how = takeJoin(cursor);
        if (how === undefined && !isNatural)
            return left;
        if (how === undefined)
            throw cursor.unexpected('JOIN');
        const right = parsePivots(cursor, parseTable(cursor));
        left = { ...from_join(at, how, left, right), isNatural, ...parseCondition(cursor, how, isNatural) };
    }
}
function takeJoin(cursor) {
    if (cursor.takeWord('JOIN') || cursor.takeWord('INNER', 'JOIN'))
        return 'INNER';
    if (cursor.takeWord('CROSS', 'JOIN'))
        return 'CROSS';
    for (const side of ['LEFT', 'RIGHT', 'FULL'])
        if (cursor.takeWord(side, 'OUTER', 'JOIN') || cursor.takeWord(side, 'JOIN'))
            return side;
    return undefined;
}
function parseCondition(cursor, how, isNatural) {
    const none = { on: undefined, using: undefined };
    if (how === 'CROSS' || isNatural)
        return none;
    if (cursor.takeWord('ON'))
        return { ...none, on: cursor.expression() };
    if (cursor.takeWord('USING'))
        return { ...none, using: cursor.inParentheses(() => cursor.list(() => cursor.name())) };
    if (how === 'INNER' && cursor.warehouse === 'WAREHOUSE_ONE')
        return none;
    throw cursor.unexpected('ON or USING');
}
function parseTable(cursor) {
    const token = cursor.peek();
    const { start: at } = token;
    if (token.kind === 'component') {
        cursor.next();
        return { kind: 'component', at, name: token.value, alias: parseAlias(cursor) };
    }
    if (cursor.warehouse === 'WAREHOUSE_ONE' && cursor.isOperator('(', 1) && cursor.takeWord('VALUES'))
        return { kind: 'values', at, rows: parseRows(cursor), alias: parseAlias(cursor) };
    if (cursor.isWord('LATERAL') && cursor.warehouse === 'WAREHOUSE_TWO')
        throw cursor.refusal('LATERAL', at, 'the warehouse has no such clause: join a query in FROM');
    const isLateral = cursor.takeWord('LATERAL');
    if (cursor.isOperator('('))
        return parseParentheses(cursor, at, isLateral);
    if (cursor.isOperator('(', 1))
        return parseTableFunction(cursor, at);
    if (isLateral)
        throw cursor.unexpected('FLATTEN or a query');
    return { kind: 'table', at, parts: cursor.names('table'), alias: parseAlias(cursor) };
}
function parseParentheses(cursor, at, isLateral) {
    cursor.expectOperator('(');
    refuseConstantTable(cursor);
    if (cursor.takeWord('VALUES')) {
        const rows = parseRows(cursor);
        cursor.expectOperator(')');
        return { kind: 'values', at, rows, alias: parseAlias(cursor) };
    }
    if (!startsQuery(cursor)) {
        const inner = cursor.nested(() => parseFrom(cursor));
        cursor.expectOperator(')');
        if (isAliasAhead(cursor))
            throw cursor.refusal('an alias for joined tables in parentheses');
        return inner;
    }
    const query = cursor.query();
    cursor.expectOperator(')');
    return { kind: 'derived', at, query, isLateral, alias: parseAlias(cursor) };
}
function refuseConstantTable(cursor) {
    if (cursor.warehouse === 'WAREHOUSE_TWO' && cursor.isWord('VALUES') && cursor.isOperator('(', 1))
        throw cursor.refusal('VALUES as a table', cursor.at, 'the warehouse has none: write SELECT … UNION ALL SELECT …');
}
function startsQuery(cursor) {
    let ahead = 0;
    while (cursor.isOperator('(', ahead))
        ahead += 1;
    return ['SELECT', 'WITH'].includes(cursor.peek(ahead).value);
}
function parseTableFunction(cursor, at) {
    const isWrapped = cursor.takeWord('TABLE') && cursor.takeOperator('(');
    const name = cursor.peek().raw;
    const isGenerator = cursor.isWord('GENERATOR');
    if (!(isGenerator || cursor.isWord('FLATTEN')) || cursor.warehouse !== 'WAREHOUSE_ONE')
        throw cursor.refusal(`the table function ${name.toUpperCase()}`);
    const call = parseCall(cursor);
    if (isWrapped)
        cursor.expectOperator(')');
    return { kind: isGenerator ? 'generator' : 'flatten', at, call, alias: parseAlias(cursor) };
}
function parseRows(cursor) {
    return cursor.list(() => cursor.inParentheses(() => cursor.list(() => cursor.expression())));
}

;// CONCATENATED MODULE: ./engine/dialect/parse/grouping-sets.js
const MAX_CUBE = 7;
function parseGroupingSets(cursor) {
    const { at } = cursor;
    if (cursor.takeWord('GROUPING', 'SETS'))
        return { kind: 'grouping sets', at, sets: parseSets(cursor) };
    const isCall = cursor.isOperator('(', 1);
    if (isCall && cursor.takeWord('ROLLUP'))
        return { kind: 'grouping sets', at, sets: rollup(parseSets(cursor)) };
    if (!isCall || !cursor.takeWord('CUBE'))
        return undefined;
    const parts = parseSets(cursor);
    if (parts.length > MAX_CUBE)
        throw cursor.refusal(`a CUBE of more than ${MAX_CUBE} expressions`, at);
    return { kind: 'grouping sets', at, sets: cube(parts) };
}
function parseSets(cursor) {
    return cursor.inParentheses(() => cursor.list(() => {
        if (!cursor.isOperator('('))
            return [cursor.expression()];
        return cursor.inParentheses(() => cursor.isOperator(')') ? [] : cursor.list(() => cursor.expression()));
    }));
}
function rollup(parts) {
    return Array.from({ length: parts.length + 1 }, (_, left) => parts.slice(0, parts.length - left).flat());
}
function cube(parts) {
    const [first, ...others] = parts;
    if (first === undefined)
        return [[]];
    const rest = cube(others);
    return [...rest.map((set) => [...first, ...set]), ...rest];
}

;// CONCATENATED MODULE: ./engine/dialect/parse/query.js




function parseQuery(cursor) {
    const { at } = cursor;
    const hasWith = cursor.takeWord('WITH');
    const isRecursive = hasWith && cursor.takeWord('RECURSIVE');
    const tables = hasWith ? cursor.list(() => parseCommonTable(cursor)) : [];
    const { body, top } = parseUnion(cursor);
    const order = cursor.isWord('ORDER', 'BY') ? parseOrder(cursor) : [];
    const { limit, offset } = parseLimit(cursor);
    if (top !== undefined && limit !== undefined)
        throw cursor.refusal('TOP and LIMIT in one query');
    return { at, isRecursive, tables, body, order, limit: top ?? limit, offset };
}
function parseCommonTable(cursor) {
    const name = cursor.name('table');
    const columns = cursor.isOperator('(')
        ? cursor.inParentheses(() => cursor.list(() => cursor.name('column')))
        : [];
    cursor.expectWord('AS');
    const query = cursor.inParentheses(() => cursor.query());
    return { alias: { name, columns }, query };
}
function parseUnion(cursor) {
    let left = parseIntersect(cursor);
    for (let length = 1;; length += 1) {
        const { at } = cursor;
        const word = cursor.takeOneOf('UNION', 'EXCEPT', 'MINUS');
        if (word === undefined)
            return left;
        cursor.limitChain(length);
        const isAll = cursor.takeWord('ALL');
        if (isAll && word !== 'UNION')
            throw cursor.refusal(`${word} ALL`, at);
        if (!isAll)
            cursor.takeWord('DISTINCT');
        refuseByName(cursor);
        const operator = word === 'UNION' ? (isAll ? 'UNION ALL' : 'UNION') : 'EXCEPT';
        left = setOperation(cursor, at, operator, left, parseIntersect(cursor));
    }
}
function parseIntersect(cursor) {
    let left = parseTerm(cursor);
    for (let length = 1;; length += 1) {
        const { at } = cursor;
        if (!cursor.takeWord('INTERSECT'))
            return left;
        cursor.limitChain(length);
        if (cursor.isWord('ALL'))
            throw cursor.refusal('INTERSECT ALL', at);
        cursor.takeWord('DISTINCT');
        left = setOperation(cursor, at, 'INTERSECT', left, parseTerm(cursor));
    }
}
function refuseByName(cursor) {
    if (cursor.isWord('BY', 'NAME'))
        throw cursor.refusal('UNION BY NAME');
}
function setOperation(cursor, at, operator, left, right) {
    if (left.top !== undefined || right.top !== undefined)
        throw cursor.refusal('TOP in a set operation', at, IN_FROM);
    if (cursor.warehouse === 'WAREHOUSE_TWO' && [left, right].some(({ body }) => isLimited(body)))
        throw cursor.refusal(`LIMIT in a query of ${operator}`, at, IN_FROM);
    return { body: { kind: 'set', at, operator, left: left.body, right: right.body }, top: undefined };
}
const IN_FROM = 'the warehouse refuses it: select from a query in FROM that has it';
function isLimited(body) {
    if (body.kind !== 'nested')
        return false;
    const { limit, offset, body: inner } = body.query;
    return limit !== undefined || offset !== undefined || isLimited(inner);
}
function parseTerm(cursor) {
    const { at } = cursor;
    if (cursor.isOperator('(')) {
        const query = cursor.inParentheses(() => cursor.query());
        return { body: { kind: 'nested', at, query }, top: undefined };
    }
    refuseConstantTable(cursor);
    if (cursor.takeWord('VALUES'))
        return { body: { kind: 'values', at, rows: parseRows(cursor) }, top: undefined };
    cursor.expectWord('SELECT');
    const isDistinct = cursor.takeWord('DISTINCT');
    if (!isDistinct)
        cursor.takeWord('ALL');
    if (cursor.isWord('ON') && isDistinct)
        throw cursor.refusal('DISTINCT ON', undefined, 'use QUALIFY ROW_NUMBER() OVER (PARTITION BY … ORDER BY …) = 1');
    const hasTop = cursor.isWord('TOP') && cursor.peek(1).kind === 'number';
    if (hasTop)
        cursor.next();
    const top = hasTop ? cursor.integer() : undefined;
    return { body: parseSelect(cursor, at, isDistinct), top };
}
function parseSelect(cursor, at, isDistinct) {
    const items = cursor.list(() => parseItem(cursor));
    if (cursor.isWord('INTO'))
        throw cursor.refusal('SELECT INTO', undefined, 'write CREATE TABLE … AS SELECT');
    const from = cursor.takeWord('FROM') ? parseFrom(cursor) : undefined;
    const where = cursor.takeWord('WHERE') ? cursor.expression() : undefined;
    if (cursor.isWord('CONNECT', 'BY') || cursor.isWord('START', 'WITH'))
        throw cursor.refusal('CONNECT BY');
    const groups = cursor.takeWord('GROUP', 'BY') ? parseGroups(cursor) : undefined;
    const having = cursor.takeWord('HAVING') ? cursor.expression() : undefined;
    if (cursor.isWord('WINDOW'))
        throw cursor.refusal('the clause WINDOW', undefined, 'write each window in its OVER (…)');
    if (from && !where && !groups && !having)
        refuseUnnamedBeforeQualify(cursor, from);
    const qualify = cursor.takeWord('QUALIFY') ? cursor.expression() : undefined;
    return { kind: 'select', at, isDistinct, items, from, where, groups, having, qualify };
}
function refuseUnnamedBeforeQualify(cursor, item) {
    if (cursor.warehouse === 'WAREHOUSE_ONE' || !cursor.isWord('QUALIFY'))
        return;
    if (item.kind === 'join') {
        refuseUnnamedBeforeQualify(cursor, item.left);
        refuseUnnamedBeforeQualify(cursor, item.right);
    }
    else if (item.alias === undefined)
        throw cursor.refusal('QUALIFY after a table without an alias', item.at, 'the warehouse requires one where QUALIFY follows FROM directly: give the table an alias');
}
function parseGroups(cursor) {
    if (cursor.takeWord('ALL'))
        return 'ALL';
    return cursor.list(() => parseGroupingSets(cursor) ?? cursor.expression());
}
function parseItem(cursor) {
    const star = parseStar(cursor);
    if (star !== undefined)
        return star;
    const value = cursor.expression();
    if (cursor.takeWord('AS'))
        return {
            kind: 'value',
            value,
            alias: cursor.warehouse === 'WAREHOUSE_ONE' ? cursor.name('column') : cursor.label(),
        };
    return { kind: 'value', value, alias: isAliasAhead(cursor) ? cursor.name('column') : undefined };
}
function parseStar(cursor) {
    const { at } = cursor;
    let ahead = 0;
    while (['word', 'quoted'].includes(cursor.peek(ahead).kind) && cursor.isOperator('.', ahead + 1))
        ahead += 2;
    if (!cursor.isOperator('*', ahead))
        return undefined;
    const of = Array.from({ length: ahead / 2 }, () => {
        const name = cursor.name();
        cursor.expectOperator('.');
        return name;
    });
    cursor.expectOperator('*');
    for (const word of ['RENAME', 'REPLACE', 'ILIKE'])
        if (cursor.isWord(word))
            throw cursor.refusal(`* ${word}`, at);
    if (!cursor.takeWord('EXCLUDE'))
        return { kind: 'star', at, of, excluded: [] };
    const excluded = cursor.isOperator('(')
        ? cursor.inParentheses(() => cursor.list(() => cursor.name()))
        : [cursor.name()];
    if (cursor.isWord('RENAME'))
        throw cursor.refusal('* RENAME', at);
    return { kind: 'star', at, of, excluded };
}
function parseLimit(cursor) {
    const isOne = cursor.warehouse === 'WAREHOUSE_ONE';
    let limit;
    let offset;
    let hasLimit = false;
    const { at } = cursor;
    for (;;) {
        if (!hasLimit && cursor.takeWord('LIMIT')) {
            hasLimit = true;
            limit = cursor.takeWord(isOne ? 'NULL' : 'ALL') ? undefined : cursor.integer();
        }
        else if (offset === undefined && cursor.takeWord('OFFSET')) {
            offset = cursor.integer();
            if (isOne)
                cursor.takeOneOf('ROWS', 'ROW');
        }
        else if (!hasLimit && cursor.isWord('FETCH')) {
            hasLimit = true;
            limit = parseFetch(cursor, isOne);
        }
        else {
            if (isOne && offset !== undefined && !hasLimit)
                throw cursor.refusal('OFFSET without LIMIT', at, 'the warehouse requires it: add LIMIT');
            return { limit, offset };
        }
    }
}
function parseFetch(cursor, isOne) {
    if (!isOne)
        throw cursor.refusal('FETCH', cursor.at, 'the warehouse has LIMIT only: write LIMIT');
    cursor.takeWord('FETCH');
    cursor.takeOneOf('FIRST', 'NEXT');
    const limit = cursor.integer();
    cursor.takeOneOf('ROWS', 'ROW');
    cursor.takeWord('ONLY');
    if (cursor.isWord('WITH', 'TIES'))
        throw cursor.refusal('FETCH … WITH TIES', cursor.at, 'use QUALIFY RANK() OVER (ORDER BY …) <= count');
    return limit;
}

;// CONCATENATED MODULE: ./engine/dialect/parse/index.js



function cursorOver(source, tokens, warehouse) {
    return new Cursor(source, tokens, warehouse, {
        query: parseQuery,
        expression: expression_parseExpression,
        operand: parseConcatenation,
    });
}

;// CONCATENATED MODULE: ./engine/core/text-forms.js
const SPACE = String.raw `[ \t\r\n\f\v]*`;
const ANYTHING = String.raw `[\d\D]*`;
const YEAR = String.raw `(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`;
const DAY = String.raw `${YEAR}-\d{1,2}-\d{1,2}`;
const MINUTES = String.raw `(?:[01]?\d|2[0-3]):[0-5]\d`;
const SECONDS = String.raw `:[0-5]\d(?:\.\d{1,6}0{0,3})?`;
const TIME_OF_DAY = `${MINUTES}(?:${SECONDS})?`;
const OFFSET = String.raw `[+-](?:0\d|1[0-4]):?[0-5]\d`;
const PLAIN_MOMENT = String.raw `${DAY}(?:[ T]${MINUTES}(?:${SECONDS}(?:Z|${OFFSET}|[+-](?:0\d|1[0-4]))?)?)?`;
const SPACED_MOMENT = `${DAY}[ T]${MINUTES}${SECONDS} ${OFFSET}`;
const CLOCK = String.raw `\d{1,2}:[\d:.,]*${SPACE}(?:[AaPp]\.?[Mm]\.?)?${SPACE}(?:[Zz]|UTC|GMT|[+-][\d:]+)?`;
const NUMERIC_DAY = String.raw `(?:[+-]?\d{1,9}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{1,9})`;
const MONTH = `(?:${'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map(inAnyCase).join('|')})[A-Za-z]*`;
const DAY_NAME = `(?:${'mon tue wed thu fri sat sun'.split(' ').map(inAnyCase).join('|')})[A-Za-z]*`;
const UNSURE_MOMENT = `${SPACE}(?:${[
    String.raw `[+-]?\d+`,
    String.raw `${NUMERIC_DAY}(?:[ T]${SPACE}(?:\d{1,2}|${CLOCK}))?`,
    String.raw `${NUMERIC_DAY}${SPACE}(?:[Zz]|UTC|GMT|[+-]\d{1,2}:\d{2})`,
    String.raw `\d{1,2}[-/ ]${MONTH}[-/ ]\d+(?:[ T]${ANYTHING})?`,
    String.raw `(?:${DAY_NAME},? )?(?:${MONTH} )?\d{1,2},? (?:${MONTH} )?\d${ANYTHING}`,
    CLOCK,
].join('|')})${SPACE}`;
const UNSURE_TIME = `${SPACE}(?:${[
    String.raw `[+-]?\d+`,
    `(?:${NUMERIC_DAY}[ T]${SPACE})?${CLOCK}`,
    NUMERIC_DAY,
].join('|')})${SPACE}`;
const WORDS = ['now', 'today', 'tomorrow', 'yesterday', 'epoch', 'infinity', 'allballs'].map(inAnyCase);
const UNSURE_OF_TWO = String.raw `${ANYTHING}\d${ANYTHING}|${SPACE}[+-]?(?:${WORDS.join('|')})${SPACE}`;
const DIGITS = String.raw `(?:\d+\.?\d*|\.\d+)`;
const EXPONENT_DIGITS = 2;
const PLAIN_FLOAT = [
    String.raw `[+-]?(?:\d{1,60}\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?`,
    String.raw `[+-]?\d\.?\d*[eE][+-]?(?:[12]\d{2}|30[0-7])`,
].join('|');
const NAN = inAnyCase('nan');
const INFINITY = inAnyCase('inf');
const ANY_NUMBER = String.raw `[+-]?${DIGITS}(?:[eE][+-]?\d+)?`;
const UNSURE_NUMBER = `${SPACE}${ANY_NUMBER}${SPACE}`;
const UNSURE_FLOAT = `${SPACE}(?:${ANY_NUMBER}|[+-]?${NAN}|[+-]?${INFINITY}(?:${inAnyCase('inity')})?)${SPACE}`;
const TRUTH = String.raw `true|t|yes|y|1|false|f|no|n|0`;
const UNSURE_TRUTH = 'tru?|fa|fals?|ye|on|off?';
function inAnyCase(word) {
    return word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}
function textForms(type, kind) {
    if (kind === 'WAREHOUSE_ONE')
        return formsOfOne(type);
    const forms = formsOfTwo(type);
    return forms && { ...forms, unsure: `${forms.unsure}|${SPACE}` };
}
function formsOfOne({ name }) {
    const moment = { plain: PLAIN_MOMENT, spaced: SPACED_MOMENT, unsure: UNSURE_MOMENT };
    if (name === 'DATE' || name === 'TIMESTAMP')
        return { ...moment, epoch: String.raw `\d{1,18}` };
    if (name === 'TIMESTAMP_TZ')
        return moment;
    if (name === 'TIME')
        return { plain: TIME_OF_DAY, unsure: UNSURE_TIME };
    if (name === 'BOOLEAN') {
        const plain = inAnyCase(`${TRUTH}|on|off`);
        return { plain, unsure: `${SPACE}(?:${plain})${SPACE}` };
    }
    if (name === 'FLOAT')
        return { plain: ` *(?:${PLAIN_FLOAT}) *|${NAN}|-?${INFINITY}`, unsure: UNSURE_FLOAT };
    if (name !== 'NUMBER')
        return undefined;
    const scientific = String.raw ` *[+-]?${DIGITS}[eE][+-]?\d{1,${EXPONENT_DIGITS}} *`;
    return { plain: ` *[+-]?${DIGITS} *`, scientific, unsure: UNSURE_NUMBER };
}
function formsOfTwo({ name }) {
    if (name === 'DATE')
        return { plain: String.raw `${DAY}(?: ${MINUTES}:[0-5]\d(?:\.\d{1,6})?)?`, unsure: UNSURE_OF_TWO };
    if (name === 'TIME')
        return { plain: TIME_OF_DAY, unsure: UNSURE_OF_TWO };
    if (name === 'TIMESTAMP' || name === 'TIMESTAMP_TZ')
        return { plain: PLAIN_MOMENT, spaced: SPACED_MOMENT, unsure: UNSURE_OF_TWO };
    if (name === 'BOOLEAN')
        return {
            plain: inAnyCase(TRUTH),
            unsure: `${SPACE}(?:${inAnyCase(`${TRUTH}|${UNSURE_TRUTH}`)})${SPACE}`,
        };
    if (name === 'FLOAT')
        return { plain: PLAIN_FLOAT, unsure: UNSURE_FLOAT };
    if (name === 'NUMBER')
        return { plain: `[+-]?${DIGITS}`, unsure: UNSURE_NUMBER };
    const isWhole = name === 'SMALLINT' || name === 'INTEGER' || name === 'BIGINT';
    return isWhole ? { plain: String.raw `[+-]?\d+`, unsure: String.raw `${SPACE}[+-]?\d+${SPACE}` } : undefined;
}
const ORDER = ['plain', 'scientific', 'spaced', 'epoch', 'unsure'];
const compiled = new Map();
function formOf(text, forms) {
    return ORDER.find((form) => {
        const source = forms[form];
        return source !== undefined && wholeText(source).test(text);
    });
}
function wholeText(source) {
    const known = compiled.get(source);
    if (known !== undefined)
        return known;
    const pattern = new RegExp(`^(?:${source})$`);
    compiled.set(source, pattern);
    return pattern;
}

;// CONCATENATED MODULE: ./engine/duckdb/reason.js


const from = String.raw `(?: when casting from source column (?<column>.+))?$`;
const rules = [
    [
        new RegExp(String.raw `^Could not convert string (["'])(?<text>.*)\1 to (?<type>[\w(),]+)${from}`, 's'),
        ({ text = '', type = '', column }, kind) => `${reason_notOfType(text, type, kind)}${ofColumn(column)}`,
    ],
    [/^(?<whole>Millrace does not support .*)$/s, ({ whole = '' }) => whole],
    [
        /^invalid (?<what>date|timestamp|time) field format: "(?<text>.*)", expected format is \((?<format>.*)\)$/s,
        ({ what = '', text = '' }) => `the text '${text}' is not a ${what}: expected ${formats[what] ?? what}`,
    ],
    [
        /^(?<what>date|timestamp|time)(?: field value)? out of range: "(?<text>.*)"/s,
        ({ what = '', text = '' }) => `the text '${text}' is not a ${what}: a part of it is out of range`,
    ],
    [
        /^Could not parse string "(?<text>.*)" according to format specifier "/s,
        ({ text = '' }) => `the text '${text}' does not have the given format`,
    ],
    [
        new RegExp(String.raw `^Casting value "(?<value>.*)" to type (?<type>[\w(),]+) failed: value is out of range!?${from}`),
        outOfRange,
    ],
    [
        new RegExp(String.raw `^Failed to cast decimal value (?<value>\S+) to type (?<type>[\w(),]+)${from}`),
        outOfRange,
    ],
    [
        new RegExp(String.raw `^Type \w+(?:\([\d,]+\))? with value (?<value>.+) can't be cast because the value is out of range for the destination type (?<type>[\w(),]+)${from}`),
        outOfRange,
    ],
    [
        new RegExp(String.raw `^Could not cast value (?<value>\S+) to (?<type>DECIMAL\(\d+,\d+\))${from}`),
        outOfRange,
    ],
    [
        /^Overflow in (?<operation>\w+) of (?<type>\w+)/,
        ({ operation = '', type = '' }, kind) => `overflow: the result of the ${operation} ${type === 'DECIMAL' ? 'has more than 38 digits' : `is out of range of ${typeName(type, kind)}`}`,
    ],
    [/^SUM is out of range/, () => 'overflow: the sum is out of range'],
    [/^Date and time not in timestamp range/, () => 'the date is out of range'],
    [
        /^column "?(?<column>.+?)"? must appear in the GROUP BY clause/,
        ({ column = '' }) => `the column "${column}" must be listed in GROUP BY or be in an aggregate function`,
    ],
    [
        /^(?<clause>[A-Z ]+) clause cannot contain (?<what>aggregates|window functions)!?/,
        ({ clause = '', what = '' }) => `${clause} cannot contain ${what === 'aggregates' ? 'aggregate functions' : what}`,
    ],
    [/^Table with name (?<table>.+?) does not exist!/, ({ table = '' }) => `table "${table}" not found`],
    [
        /^Column with name (?<column>.+) already exists!/,
        ({ column = '' }) => `column "${column}" exists already`,
    ],
    [
        /^Schema with name "?(?<schema>.+?)"? already exists!/,
        ({ schema = '' }) => `the schema ${schema} exists already`,
    ],
    [
        /^(?<what>Schema|Sequence) with name "?(?<name>.+?)"? does not exist!/,
        ({ what = '', name = '' }) => `${what.toLowerCase()} "${name}" not found`,
    ],
    [
        /^NOT NULL constraint failed: (?<table>.+)\.(?<column>[^.]+)$/,
        ({ table = '', column = '' }) => `NULL is not allowed: the column "${column}" of the table "${table}" is NOT NULL`,
    ],
    [
        /^Malformed JSON: (?<fault>an object has a key twice)$/,
        ({ fault = '' }) => `the text is not valid JSON: ${fault}`,
    ],
    [
        /^Malformed JSON(?: at byte \d+ of input)?: .*?(?:, (?<text>".*") is not valid JSON|$)/s,
        ({ text }) => (text === undefined ? 'the text is not valid JSON' : `the text ${text} is not valid JSON`),
    ],
    [
        /^Insufficient padding in (?<name>[LR]PAD)/,
        ({ name = '' }) => `Millrace does not support ${name} with an empty text to pad with`,
    ],
    [
        /^missing (?<missing>\S+): (?<pattern>.*)$/s,
        ({ missing = '', pattern = '' }) => `the regular expression ${pattern} has no closing ${missing}`,
    ],
];
const formats = {
    date: 'YYYY-MM-DD',
    time: 'HH:MM:SS',
    timestamp: 'YYYY-MM-DD HH:MM:SS',
};
function reasonOf(message, kind) {
    for (const [pattern, reason] of rules) {
        const found = pattern.exec(message);
        if (found !== null)
            return reason(visibleGroups(found.groups), kind);
    }
    const [first = ''] = message.split('\n');
    return withoutOwnNames(first.replace(/\.? You might want to add .*$/, ''));
}
function visibleGroups(groups = {}) {
    const shown = {};
    for (const [name, text] of Object.entries(groups))
        if (text !== undefined)
            shown[name] = name === 'whole' ? text : text.split('\n').map(visible_text/* visibleText */.Q6).join('\n');
    return shown;
}
function outOfRange({ value = '', type = '', column }, kind) {
    return `the number ${value} is out of range of ${typeName(type, kind)}${ofColumn(column)}`;
}
function reason_notOfType(text, type, kind) {
    const isNumber = /^[ \t\r\n\f\v]*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?[ \t\r\n\f\v]*$/i.test(text);
    const name = typeName(type, kind);
    const isNumeric = /^(?:NUMBER|DECIMAL|SMALLINT|INTEGER|BIGINT|FLOAT)/.test(name);
    const isWhole = /^(?:SMALLINT|INTEGER|BIGINT)/.test(name);
    if (isWhole && isNumber && /[.e]/i.test(text))
        return `the text '${text}' is not a whole number`;
    if (isNumeric && isNumber)
        return `the text '${text}' is out of range of ${name}`;
    const what = isNumeric ? 'number' : name.toLowerCase();
    return `the text '${text}' is not a ${what}`;
}
function typeName(type, kind) {
    const whole = {
        INT8: 'TINYINT',
        INT16: 'SMALLINT',
        INT32: 'INTEGER',
        INT64: 'BIGINT',
        INT128: 'HUGEINT',
        BOOL: 'BOOLEAN',
    };
    return describeType(warehouseType(whole[type] ?? type, kind), kind);
}
const ownName = /^"?(?:[a-z]\d+_|flatten\d+_?|component_\d+|millrace .*|input_\d+|query)"?$/;
function ofColumn(column) {
    if (column === undefined)
        return '';
    const name = (column.split('.').at(-1) ?? column).replaceAll('"', '');
    return ownName.test(name) ? '' : `: the column "${name}"`;
}
function withoutOwnNames(text) {
    return text
        .replaceAll(/"?\b(?:component_\d+|target_1|source_1|input_\d+|[ctuvqe]\d+_)"?\./g, '')
        .replaceAll(/"?\bmillrace_source"?/g, 'the input');
}

;// CONCATENATED MODULE: ./engine/dialect/write/computed-once.js
const NAME = 'millrace_value';
const LONG_SQL = 60;
function computedOnce(value, writing, use) {
    const changes = /\b(?:nextval|random)\(/.test(value);
    const isLong = (value.length > LONG_SQL || value.includes('->>')) && columnOf(value) === undefined;
    const isDefault = writing.session.isStored && writing.names.relations.length === 0;
    const isPossible = !isDefault && writing.names.outer === undefined && !/\bSELECT\b/.test(value);
    if (!changes && !(isLong && isPossible))
        return use(value);
    return `list_transform([${value}], lambda ${NAME}: ${use(NAME)})[1]`;
}
function columnOf(sql) {
    return /^(?:\w+\.)?("(?:[^"]|"")+")$/.exec(sql)?.[1];
}

;// CONCATENATED MODULE: ./engine/dialect/write/moment-of-digits.js
function momentOfDigits(text) {
    if (!/^\d{1,18}$/.test(text))
        return undefined;
    const microseconds = microsecondsOf(BigInt(text));
    const date = new Date(Number(microseconds / 1000n));
    if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999)
        return undefined;
    const rest = String(microseconds % 1000n).padStart(3, '0');
    return date.toISOString().replace('T', ' ').replace('Z', rest);
}
const LIMIT = 31536000000n;
function microsecondsOf(number) {
    if (number < LIMIT)
        return number * 1000000n;
    if (number < LIMIT * 1000n)
        return number * 1000n;
    return number < LIMIT * 1000000n ? number : number / 1000n;
}
function momentSql(number) {
    const below = (factor) => `${number} < ${LIMIT * factor}`;
    const microseconds = `CASE WHEN ${below(1n)} THEN ${number} * 1000000 WHEN ${below(1000n)} THEN ${number} * 1000 WHEN ${below(1000000n)} THEN ${number} ELSE ${number} // 1000 END`;
    return `make_timestamp(${microseconds})`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/typed.js


const typed_TEXT = { name: 'VARCHAR', length: undefined };
const FLOAT = { name: 'FLOAT' };
const BOOLEAN = { name: 'BOOLEAN' };
const DATE = { name: 'DATE' };
const TIMESTAMP = { name: 'TIMESTAMP' };
const UTC_MOMENT = { name: 'TIMESTAMP_TZ', isUtc: true };
const VARIANT = { name: 'VARIANT' };
const VARIANT_WITH_FLOAT = { name: 'VARIANT', mayHaveFloat: true };
const typed_WHOLE = { name: 'NUMBER', precision: 38, scale: 0 };
function typed_decimal(precision, scale) {
    return { name: 'NUMBER', precision: Math.min(38, precision), scale: Math.min(38, scale) };
}
function isNumeric(type) {
    return digitsOf(type) !== undefined || type.name === 'FLOAT';
}
const WHOLE_DIGITS = { SMALLINT: 5, INTEGER: 10, BIGINT: 19 };
function digitsOf(type) {
    if (type.name === 'NUMBER')
        return { precision: type.precision, scale: type.scale };
    const precision = WHOLE_DIGITS[type.name];
    return precision === undefined ? undefined : { precision, scale: 0 };
}
function mayHaveFloat(type) {
    return type.name === 'FLOAT' || (type.name === 'VARIANT' && type.mayHaveFloat === true);
}
function isDateLike(type) {
    return type.name === 'DATE' || type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_TZ';
}

;// CONCATENATED MODULE: ./engine/dialect/write/writing.js

const NO_NAMES = {
    relations: [],
    merged: new Map(),
    aliases: new Map(),
    outer: undefined,
};
function write(expression, writing) {
    return writing.session.expression(expression, writing);
}
function isOne(writing) {
    return writing.session.context.warehouse === 'WAREHOUSE_ONE';
}
function fold(name, writing) {
    if (!isOne(writing))
        return name.text.toLowerCase();
    return name.isQuoted ? name.text : name.text.toUpperCase();
}
function refusal(construct, at, writing, hint) {
    return new Refusal(construct, writing.session.source.placeOf(at), hint);
}
function sqlError(message, at, writing) {
    return new SqlError(message, { place: writing.session.source.placeOf(at) });
}
function columnText(value, writing) {
    const name = value.kind === 'column' ? value.parts.at(-1) : undefined;
    return name === undefined ? '' : `: the column "${fold(name, writing)}"`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/checked-cast.js






function checkedCast(value, type, at, writing, { isTry = false, isOfVariant = false } = {}) {
    const known = textForms(type, writing.session.context.warehouse);
    if (known === undefined)
        return undefined;
    const { epoch, ...others } = known;
    const forms = isOfVariant
        ? ofVariant(others, type, isTry)
        : epoch === undefined
            ? others
            : { ...others, epoch };
    if (value.text !== undefined)
        return { sql: ofLiteral(value.text, { forms, type, at, writing, isTry }), type };
    const sql = computedOnce(value.sql, writing, (text) => checked_cast_ofColumn(text, { forms, type, isTry, column: columnOf(value.sql) }));
    return { sql, type };
}
function ofVariant(forms, type, isTry) {
    return isTry || !isNumeric(type) ? forms : { ...forms, unsure: `${forms.unsure}|true|false` };
}
function ofLiteral(text, { forms, type, at, writing, isTry }) {
    const form = formOf(text, forms);
    const moment = form === 'epoch' ? momentOfDigits(text) : undefined;
    if (moment !== undefined)
        return plainCast(quoteText(moment), type, isTry);
    if (form === 'unsure' || form === 'epoch')
        throw refusal(`the ${whatOf(type)} text ${quoteText(text)}`, at, writing, hintOf(type));
    if (form !== undefined)
        return CASTS[form](quoteText(text), type, isTry);
    if (isTry)
        return `CAST(NULL AS ${duckdbType(type)})`;
    throw sqlError(reasonOf(`${notOf(type)[0]}${text}${notOf(type)[1]}`, writing.session.context.warehouse), at, writing);
}
function checked_cast_ofColumn(text, { forms, type, isTry, column }) {
    const casts = ['plain', 'scientific', 'spaced', 'epoch'].flatMap((form) => {
        const source = forms[form];
        return source === undefined ? [] : [[source, CASTS[form](text, type, isTry)]];
    });
    return guarded(text, {
        casts,
        unsure: forms.unsure,
        isTry,
        refused: [`Millrace does not support the ${whatOf(type)} text '`, `'; ${hintOf(type)}`],
        fault: faultOf(type, column),
    });
}
function textFault(type, sql) {
    return faultOf(type, columnOf(sql));
}
function faultOf(type, column) {
    const [before, after] = notOf(type);
    const from = column === undefined || isMoment(type) ? '' : ` when casting from source column ${column}`;
    return [before, `${after}${from}`];
}
function guarded(text, { casts, unsure, isTry, refused, fault }) {
    const has = (form) => `regexp_full_match(${text}, ${quoteText(form)})`;
    const message = ([before, after]) => `${quoteText(before)} || ${text} || ${quoteText(after)}`;
    const branches = casts.map(([form, value]) => `WHEN ${has(form)} THEN ${value}`).join(' ');
    const other = isTry
        ? `WHEN ${has(unsure)} THEN error(${message(refused)})`
        : `WHEN ${text} IS NOT NULL THEN error(CASE WHEN ${has(unsure)} THEN ${message(refused)} ELSE ${message(fault)} END)`;
    return `CASE ${branches} ${other} END`;
}
const CASTS = {
    plain: plainCast,
    scientific: (text, type, isTry) => {
        const number = `TRY_CAST(${withoutExponent(text)} AS ${duckdbType(type)})`;
        const [before, after] = notOf(type);
        return isTry
            ? number
            : `coalesce(${number}, error(${quoteText(before)} || ${text} || ${quoteText(after)}))`;
    },
    spaced: (text, type, isTry) => plainCast(`replace(replace(${text}, ' +', '+'), ' -', '-')`, type, isTry),
    epoch: (text, type) => `CAST(${momentSql(`CAST(${text} AS BIGINT)`)} AS ${duckdbType(type)})`,
};
function withoutExponent(text) {
    const part = (form) => `regexp_extract(${text}, '${form}', 1)`;
    const count = 10 ** EXPONENT_DIGITS;
    const zeros = `repeat('0', ${count})`;
    const [whole, fraction] = [part(String.raw `([0-9]*)[.eE]`), part(String.raw `\.([0-9]*)`)];
    const digits = `(${zeros} || ${whole} || ${fraction} || ${zeros})`;
    const point = `(${count} + length(${whole}) + CAST(${part('[eE]([+-]?[0-9]+)')} AS INTEGER))`;
    return `(${part('([+-]?)[0-9.]')} || left(${digits}, ${point}) || '.' || substr(${digits}, ${point} + 1))`;
}
const SMALL = 18;
function plainCast(text, type, isTry) {
    const word = isTry ? 'TRY_CAST' : 'CAST';
    const duck = duckdbType(type);
    const digits = digitsOf(type);
    if (type.name === 'BOOLEAN')
        return `(lower(${text}) IN ('true', 't', 'yes', 'y', 'on', '1'))`;
    if (type.name !== 'NUMBER' || digits === undefined || digits.precision <= SMALL || digits.scale > SMALL)
        return `${word}(${text} AS ${duck})`;
    const small = `TRY_CAST(${text} AS DECIMAL(${SMALL}, ${digits.scale}))`;
    return `coalesce(CAST(${small} AS ${duck}), ${word}(${text} AS ${duck}))`;
}
function whatOf(type) {
    if (isNumeric(type))
        return 'number';
    if (type.name === 'BOOLEAN')
        return 'truth value';
    return type.name === 'DATE' ? 'date' : type.name === 'TIME' ? 'time' : 'timestamp';
}
function hintOf(type) {
    if (isNumeric(type))
        return 'write digits, with a sign or a point';
    if (type.name === 'BOOLEAN')
        return 'write true or false';
    return type.name === 'TIME' ? 'write HH:MI:SS' : 'write YYYY-MM-DD or give a format';
}
function isMoment(type) {
    return isDateLike(type) || type.name === 'TIME';
}
function notOf(type) {
    if (isNumeric(type) || type.name === 'BOOLEAN')
        return ['Could not convert string "', `" to ${duckdbType(type).replaceAll(' ', '')}`];
    return [`invalid ${whatOf(type)} field format: "`, '", expected format is (…)'];
}

;// CONCATENATED MODULE: ./engine/duckdb/byte-count.js
const units = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
function byteCount(size) {
    const [, digits = '', unit = ''] = /^(\d+) ?([KMGT]B)$/.exec(size) ?? [];
    const factor = units[unit];
    if (factor === undefined)
        throw new Error(`not a size: ${size}`);
    return Number(digits) * factor;
}

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:process"
var external_node_process_ = __webpack_require__(1708);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
;// CONCATENATED MODULE: ./engine/duckdb/statement-guard.js



class StatementGuard {
    #options;
    #hasRemoved = false;
    #hasGrown = false;
    constructor(options) {
        this.#options = options;
    }
    isFull(free = 0) {
        const { fileLimit, path } = this.#options;
        if (fileLimit === undefined || path === undefined)
            return false;
        return sizeOf(path) + sizeOf(`${path}.wal`) - free >= byteCount(fileLimit.size);
    }
    noteRemoval() {
        this.#hasRemoved = true;
    }
    takeRemoval() {
        const has = this.#hasRemoved && this.isFull();
        if (has)
            this.#hasRemoved = false;
        return has;
    }
    get isLimited() {
        return this.#options.fileLimit !== undefined && this.#options.path !== undefined;
    }
    noteGrowth() {
        this.#hasGrown = true;
    }
    forgetGrowth() {
        this.#hasGrown = false;
    }
    isFullWith(changes, free) {
        return this.#hasGrown && this.isFull(free - changes);
    }
    get fullMessage() {
        const { size = '', setting = '' } = this.#options.fileLimit ?? {};
        return `the database file would be larger than ${size}; ${setting} is the limit`;
    }
    watch(exceeded) {
        const fileBefore = this.#fileSize();
        const memoryBefore = external_node_process_.memoryUsage.rss();
        active += 1;
        const tooLarge = () => (this.isFull() && this.#fileSize() > fileBefore ? this.fullMessage : undefined);
        const allowed = byteCount(this.#options.memoryLimit) + statement_guard_OTHERS;
        const timer = setInterval(() => {
            const isOut = external_node_process_.memoryUsage.rss() - memoryBefore > allowed * active;
            const reason = isOut ? outOfMemory(this.#options.memoryLimit) : tooLarge();
            if (reason === undefined)
                return;
            clearInterval(timer);
            exceeded(reason);
        }, INTERVAL_MS);
        return () => {
            clearInterval(timer);
            active -= 1;
        };
    }
    #fileSize() {
        const { path } = this.#options;
        return path === undefined ? 0 : sizeOf(path);
    }
}
function outOfMemory(memoryLimit) {
    return `out of memory: the statement needs more than ${memoryLimit}`;
}
let active = 0;
const INTERVAL_MS = 20;
const statement_guard_OTHERS = 500e6;
function sizeOf(path) {
    return (0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.size ?? 0;
}

;// CONCATENATED MODULE: ./engine/duckdb/sql-failure.js





const TEXTS_TOO_LARGE = 'texts too large';
class InvalidDatabase extends SqlError {
}
function sqlFailure(error, context) {
    if (error instanceof SqlError || error instanceof Refusal)
        return error;
    if (error instanceof RangeError)
        return new SqlError('a semi-structured value is nested too many levels deep');
    const report = readReport(error);
    const { sql } = context;
    const unwritten = unwrittenFile(report);
    if (unwritten !== undefined)
        return new InvalidDatabase(withoutPlaces(unwritten, context.hidden), sql === undefined ? {} : { ran: sql });
    if (sql === undefined)
        return new SqlError(messageOf(report, context));
    return new SqlError(messageOf(report, context), { ran: sql, ranOffset: offsetOf(report, sql) });
}
function readReport(error) {
    const message = error instanceof Error ? error.message : String(error);
    const start = message.indexOf('{"exception_type"');
    if (start < 0)
        return { exception_message: message };
    try {
        return JSON.parse(message.slice(start));
    }
    catch {
        return { exception_message: message };
    }
}
function messageOf({ exception_type: type, exception_message: text = '' }, context) {
    const lacksMemory = type === 'Out of Memory' || text.startsWith('Failed to commit: could not allocate');
    if (lacksMemory || text === TEXTS_TOO_LARGE)
        return outOfMemory(context.memoryLimit);
    if (type === 'Permission')
        return 'not allowed: SQL has no access to files, the network or extensions';
    if (text.startsWith('Max expression depth limit'))
        return 'the statement is nested too many levels deep, or has too many parts; split it';
    if (text.startsWith('More than one row returned by a subquery'))
        return 'a subquery in an expression has more than one row';
    const tooLong = tooLongText(text);
    if (tooLong !== undefined)
        return tooLong;
    return withoutPlaces(reasonOf(withoutStack(text), context.kind), context.hidden);
}
function unwrittenFile({ exception_type: type, exception_message: text = '' }) {
    if (type !== 'IO' || !text.includes('has been invalidated'))
        return undefined;
    const [, cause = ''] = /Original error: (.*)$/s.exec(text) ?? [];
    return `the database file could not be written, and is opened again for the next execution: ${cause}`;
}
function tooLongText(text) {
    const check = /^CHECK constraint failed on table (.+) with expression CHECK\(\((.+) <= (\d+)\)\)$/s.exec(text);
    const [, table, measured, length] = check ?? [];
    const [, column] = /^(?:length\((.+)\)|octet_length\(encode\((.+)\)\))$/s.exec(measured ?? '')?.filter(Boolean) ?? [];
    if (column === undefined)
        return undefined;
    return `a text is longer than VARCHAR(${length}) allows: column ${column} of the table ${table}`;
}
function withoutStack(text) {
    return text.replace(/\n(?:This error signals|\n?Stack Trace)[^]*/, '');
}
function withoutPlaces(text, hidden) {
    const places = [...hidden, external_node_process_.cwd(), (0,external_node_os_.homedir)(), (0,external_node_os_.tmpdir)()].filter((place) => place.length > 1);
    return places
        .toSorted((a, b) => b.length - a.length)
        .reduce((result, place) => result.replaceAll(place, '…'), text);
}
function offsetOf({ position }, sql) {
    if (position === undefined || !/^\d+$/.test(position))
        return undefined;
    return Buffer.from(sql).subarray(0, Number(position)).toString().length;
}

;// CONCATENATED MODULE: ./engine/duckdb/order-key-text.js
function orderKeyText(json) {
    const [first] = json;
    if (first === 't' || first === 'f')
        return json === 'true' ? '1t' : '1f';
    if (first === '"')
        return `3${String(JSON.parse(json))}`;
    if (first === '[')
        throw undefinedOrder('lists');
    if (first === '{')
        throw undefinedOrder('objects');
    if (first === 'n')
        throw undefinedOrder('a JSON null');
    return `2${numberKey(json)}`;
}
function undefinedOrder(what) {
    return new Error(`Millrace does not support the order of ${what} in semi-structured values`);
}
const BIAS = 50_000_000;
function numberKey(json) {
    const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(json) ?? [];
    const written = `${whole}${fraction}`;
    const digits = written.replace(/^0+/, '').replace(/0+$/, '');
    if (digits === '')
        return '1';
    const zeros = written.length - written.replace(/^0+/, '').length;
    const exponent = whole.length - zeros + Number(power);
    if (sign === '')
        return `2${String(BIAS + exponent).padStart(8, '0')}${digits}`;
    const complement = digits.replaceAll(/\d/g, (digit) => String(9 - Number(digit)));
    return `0${String(BIAS - exponent).padStart(8, '0')}${complement}:`;
}

;// CONCATENATED MODULE: ./engine/duckdb/xml.js


const xml_SPACE = /\s*/y;
const xml_NAME = /[\p{L}_:][\p{L}\p{N}_:.\-·]*/uy;
const EQUALS = /\s*=\s*/y;
const ATTRIBUTE_TEXT = /"([^"<]*)"|'([^'<]*)'/y;
const xml_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?((?:[eE][+-]?\d{1,3})?)$/;
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));|&/g;
const MAX_LEVELS = 500;
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
function readXml(text, converts) {
    return new Reader(text, converts).document();
}
function xmlFault(text) {
    try {
        new Reader(text, false).document();
        return undefined;
    }
    catch (error) {
        return error instanceof Error ? error.message : String(error);
    }
}
class Reader {
    #text;
    #converts;
    #at = 0;
    constructor(text, converts) {
        this.#text = text;
        this.#converts = converts;
    }
    document() {
        this.#skipMisc();
        if (!this.#isNext('<'))
            throw this.#fault('an element is expected');
        const root = this.#element();
        this.#skipMisc();
        if (this.#at < this.#text.length)
            throw this.#fault('there is more after the root element');
        return root;
    }
    #element() {
        const open = [];
        for (;;) {
            const { element, isClosed } = this.#startTag();
            if (!isClosed)
                open.push(element);
            if (open.length > MAX_LEVELS)
                throw new Error(`Millrace does not support XML of more than ${MAX_LEVELS} levels`);
            const root = isClosed ? this.#close(element, open) : undefined;
            const ended = root ?? this.#content(open);
            if (ended !== undefined)
                return ended;
        }
    }
    #close(element, open) {
        const json = jsonOf(element, this.#converts);
        const parent = open.at(-1);
        parent?.items.push({ json });
        return parent === undefined ? json : undefined;
    }
    #content(open) {
        for (;;) {
            const element = open.at(-1);
            if (element === undefined)
                throw this.#fault('an element is expected');
            const end = this.#text.indexOf('<', this.#at);
            if (end < 0)
                throw this.#fault(`the end of the element ${element.name} is missing`);
            if (end > this.#at)
                addText(element, this.#resolve(this.#text.slice(this.#at, end)));
            this.#at = end;
            if (this.#isNext('</')) {
                this.#endTag(element);
                open.pop();
                const root = this.#close(element, open);
                if (root !== undefined)
                    return root;
            }
            else if (this.#isNext('<![CDATA['))
                addText(element, this.#upTo('<![CDATA[', ']]>'));
            else if (this.#isNext('<!--'))
                this.#upTo('<!--', '-->');
            else if (this.#isNext('<?'))
                this.#upTo('<?', '?>');
            else
                return undefined;
        }
    }
    #startTag() {
        this.#at += 1;
        const name = this.#match(xml_NAME)?.[0];
        if (name === undefined)
            throw this.#fault('the name of an element is expected');
        const attributes = new Map();
        for (;;) {
            const before = this.#at;
            this.#match(xml_SPACE);
            const isClosed = this.#isNext('/>');
            if (isClosed || this.#isNext('>')) {
                this.#at += isClosed ? 2 : 1;
                return { element: { name, attributes, items: [] }, isClosed };
            }
            if (before === this.#at)
                throw this.#fault('a space or the end of the tag is expected');
            this.#attribute(attributes);
        }
    }
    #attribute(attributes) {
        const name = this.#match(xml_NAME)?.[0];
        if (name === undefined)
            throw this.#fault('the name of an attribute is expected');
        if (this.#match(EQUALS) === undefined)
            throw this.#fault(`the value of the attribute ${name} is missing`);
        const value = this.#match(ATTRIBUTE_TEXT);
        if (value === undefined)
            throw this.#fault(`the value of the attribute ${name} is not a text in quotes`);
        if (attributes.has(name))
            throw this.#fault(`the attribute ${name} appears twice`);
        attributes.set(name, this.#resolve(value[1] ?? value[2] ?? ''));
    }
    #endTag({ name }) {
        this.#at += 2;
        const found = this.#match(xml_NAME)?.[0];
        this.#match(xml_SPACE);
        if (found !== name || !this.#isNext('>'))
            throw this.#fault(`the end tag of ${name} is expected`);
        this.#at += 1;
    }
    #skipMisc() {
        if (this.#at === 0 && this.#text.startsWith('\uFEFF'))
            this.#at = 1;
        for (;;) {
            this.#match(xml_SPACE);
            if (this.#isNext('<!--'))
                this.#upTo('<!--', '-->');
            else if (this.#isNext('<?'))
                this.#upTo('<?', '?>');
            else if (this.#isNext('<!DOCTYPE')) {
                if (this.#upTo('<!DOCTYPE', '>').includes('['))
                    throw new Error('Millrace does not support definitions in the DOCTYPE of XML');
            }
            else
                return;
        }
    }
    #upTo(start, end) {
        const from = this.#at + start.length;
        const to = this.#text.indexOf(end, from);
        if (to < 0)
            throw this.#fault(`${end} is missing`);
        this.#at = to + end.length;
        return this.#text.slice(from, to);
    }
    #resolve(text) {
        if (!text.includes('&'))
            return text;
        return text.replace(REFERENCE, (all, decimal, hexadecimal, name = '') => {
            const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
            if (code > 0 && code <= 0x10_ff_ff)
                return String.fromCodePoint(code);
            const entity = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
            if (entity === undefined)
                throw this.#fault(`the entity ${all} is not known`);
            return entity;
        });
    }
    #match(pattern) {
        pattern.lastIndex = this.#at;
        const found = pattern.exec(this.#text);
        if (found === null)
            return undefined;
        this.#at += found[0].length;
        return found;
    }
    #isNext(text) {
        return this.#text.startsWith(text, this.#at);
    }
    #fault(what) {
        return new Error(`Error parsing XML: ${what}, at character ${this.#at + 1}`);
    }
}
function addText({ items }, text) {
    if (text === '')
        return;
    const last = items.at(-1);
    if (last !== undefined && 'text' in last)
        last.text += text;
    else
        items.push({ text });
}
function jsonOf({ name, attributes, items }, converts) {
    const content = [];
    for (const item of items) {
        const text = 'text' in item ? item.text.trim() : undefined;
        if ('json' in item)
            content.push(item.json);
        else if (text)
            content.push((converts ? nativeValue(text) : undefined) ?? canonicalText(text));
    }
    const [only = '""'] = content;
    const list = content.length > 1 ? `[${content.join(',')}]` : only;
    const element = `{"$":${list},"@":${canonicalText(name)}`;
    if (attributes.size === 0)
        return `${element}}`;
    const named = [...attributes]
        .toSorted(byKey)
        .map(([key, value]) => `,${canonicalText(`@${key}`)}:${canonicalText(value)}`);
    return `${element}${named.join('')}}`;
}
function nativeValue(text) {
    if (text === 'true' || text === 'false')
        return text;
    const [, exponent] = xml_NUMBER.exec(text) ?? [];
    if (exponent === undefined || /^-0(?:\.0*)?$/.test(text))
        return undefined;
    const fits = exponent === '' ? text.replaceAll(/\D/g, '').length <= 38 : Number.isFinite(Number(text));
    return fits ? numberText(Number(text), text) : undefined;
}
function elementOf(json) {
    const isObject = typeof json === 'object' && json !== null && !(json instanceof NumberText);
    if (!isObject || Array.isArray(json))
        return undefined;
    const object = json;
    return typeof object['@'] === 'string' && object['$'] !== undefined ? object : undefined;
}
function xmlText(json) {
    const element = elementOf(json);
    if (element === undefined)
        return undefined;
    const attributes = Object.entries(element)
        .filter(([key]) => key.startsWith('@') && key !== '@')
        .map(([key, value]) => ` ${key.slice(1)}="${escapeXml(xml_scalarText(value)).replaceAll('"', '&quot;')}"`);
    const name = xml_scalarText(element['@'] ?? '');
    const content = element['$'] ?? '';
    const items = (xml_isList(content) ? content : [content]).map((item) => xmlText(item) ?? escapeXml(xml_scalarText(item)));
    return `<${name}${attributes.join('')}>${items.join('')}</${name}>`;
}
function xml_scalarText(json) {
    if (json instanceof NumberText)
        return json.text.replace(/e(?=\d)/, 'e+');
    if (typeof json === 'object' && json !== null)
        throw new Error('Millrace does not support XML with lists or objects that are not elements');
    return json === null ? '' : String(json);
}
function escapeXml(text) {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
function xml_isList(json) {
    return Array.isArray(json);
}

;// CONCATENATED MODULE: ./engine/duckdb/functions.js






const FUNCTIONS = {
    quotient: 'millrace_quotient',
    product: 'millrace_product',
    remainder: 'millrace_remainder',
    json: 'millrace_json',
    tryJson: 'millrace_try_json',
    xml: 'millrace_xml',
    xmlFault: 'millrace_xml_fault',
    shown: 'millrace_shown',
    xmlText: 'millrace_xml_text',
    orderKey: 'millrace_order_key',
    cutToBytes: 'millrace_cut_to_bytes',
    fitIntoBytes: 'millrace_fit_into_bytes',
    checkSize: 'millrace_check_size',
};
const LARGE_TEXT = 4096;
const definitions = {
    [FUNCTIONS.quotient]: exact(['HUGEINT', 'INTEGER', 'HUGEINT'], ([a = 0n, shift = 0n, b = 0n]) => shift < 0n ? divide(a, b * 10n ** -shift) : divide(a * 10n ** shift, b)),
    [FUNCTIONS.product]: exact(['HUGEINT', 'HUGEINT', 'INTEGER'], ([a = 0n, b = 0n, shift = 0n]) => divide(a * b, 10n ** shift)),
    [FUNCTIONS.remainder]: exact(['HUGEINT', 'INTEGER', 'HUGEINT', 'INTEGER'], ([a = 0n, shift = 0n, b = 0n, other = 0n]) => {
        if (b === 0n)
            throw new Error('Division by zero');
        return (a * 10n ** shift) % (b * 10n ** other);
    }),
    [FUNCTIONS.json]: ofText(readJson),
    [FUNCTIONS.tryJson]: ofText((text) => {
        try {
            return readJson(text);
        }
        catch (error) {
            if (error instanceof JsonRefusal)
                throw error;
            return null;
        }
    }),
    [FUNCTIONS.xml]: {
        parameters: ['VARCHAR', 'INTEGER'],
        returns: 'VARCHAR',
        compute: ([text, keepsTexts]) => {
            const written = limited(text);
            if (written.trim() === '')
                throw new Error('Millrace does not support PARSE_XML of an empty text');
            return readXml(written, keepsTexts === 0);
        },
    },
    [FUNCTIONS.xmlFault]: ofText((text) => {
        if (text.trim() === '')
            throw new Error('Millrace does not support CHECK_XML of an empty text');
        return xmlFault(text) ?? null;
    }),
    [FUNCTIONS.shown]: ofText((json) => xmlText(parseJson(json)) ?? json),
    [FUNCTIONS.xmlText]: ofText((json) => {
        const text = xmlText(parseJson(json));
        if (text === undefined)
            throw new Error('Millrace does not support TO_XML of a value that is not XML');
        return text;
    }),
    [FUNCTIONS.cutToBytes]: {
        parameters: ['VARCHAR', 'INTEGER'],
        returns: 'VARCHAR',
        compute: ([text, count]) => {
            const cut = cutToBytes(String(text), Number(count));
            if (cut !== undefined)
                return cut;
            throw new Error(`Millrace does not support a cast to VARCHAR(${String(count)}) that ends within a character`);
        },
    },
    [FUNCTIONS.fitIntoBytes]: {
        parameters: ['VARCHAR', 'INTEGER'],
        returns: 'VARCHAR',
        compute: ([text, count]) => {
            if (Buffer.byteLength(String(text)) <= Number(count))
                return String(text);
            throw new Error(`the value has more characters than VARCHAR(${String(count)})`);
        },
    },
};
function ofText(compute) {
    return { parameters: ['VARCHAR'], returns: 'VARCHAR', compute: ([text]) => compute(limited(text)) };
}
const MAX_LENGTH = 16 * 1024 * 1024;
function limited(value) {
    const text = String(value);
    if (text.length <= MAX_LENGTH)
        return text;
    throw new Error(`a semi-structured value would have more than ${MAX_LENGTH} characters`);
}
function cutToBytes(text, count) {
    const bytes = Buffer.from(text);
    const next = bytes[count];
    if (next === undefined)
        return text;
    const isWithin = next >= 0x80 && next < 0xc0;
    return isWithin ? undefined : bytes.toString('utf8', 0, count);
}
function registerFunctions(duckdb, connection, { memoryLimit, running }) {
    const bytes = byteCount(memoryLimit);
    const start = (begin) => () => {
        if (running.isEnding)
            throw new Error('the statement is being ended');
        return begin();
    };
    for (const [name, { parameters, returns, compute }] of Object.entries(definitions))
        register(duckdb, connection, {
            name,
            parameters,
            returns,
            start: start(returns === 'VARCHAR' ? () => withinSize(compute, bytes / PARTS) : () => compute),
        });
    register(duckdb, connection, {
        name: FUNCTIONS.orderKey,
        parameters: ['VARCHAR', 'VARCHAR'],
        returns: 'VARCHAR',
        start: start(() => withinSize(orderKey(running.orderedTypes), bytes / PARTS)),
    });
    register(duckdb, connection, {
        name: FUNCTIONS.checkSize,
        parameters: ['HUGEINT', 'INTEGER', 'INTEGER'],
        returns: 'HUGEINT',
        start: start(() => sizeCheck(BigInt(bytes))),
    });
}
const PARTS = 16;
function withinSize(compute, limitOfCall) {
    let sum = 0;
    return (given) => {
        sum += typeof given[0] === 'string' ? given[0].length : 0;
        if (sum > limitOfCall)
            throw new Error(TEXTS_TOO_LARGE);
        return compute(given);
    };
}
function orderKey(types) {
    return ([json, place]) => {
        const key = orderKeyText(String(json));
        if (place === '')
            return key;
        const type = key.slice(0, 1);
        const known = types.get(String(place));
        if (known !== undefined && known !== type)
            throw undefinedOrder('different types');
        types.set(String(place), type);
        return key;
    };
}
function sizeCheck(limit) {
    let sum = 0n;
    return ([bytes = 0n, most = 0n, copies = 1n]) => {
        const size = toBigInt(bytes);
        if (size > toBigInt(most))
            throw new Error(`the text would be longer than ${String(most)}`);
        sum += size * toBigInt(copies);
        if (sum > limit)
            throw new Error(TEXTS_TOO_LARGE);
        return 0n;
    };
}
function register(duckdb, connection, registration) {
    const { name, parameters, returns, start } = registration;
    const parameterTypes = parameters.map((type) => duckdb[type]);
    const mainFunction = (info, input, output) => {
        try {
            const compute = start();
            const columns = parameters.map((_, index) => input.getColumnVector(index));
            for (let row = 0; row < input.rowCount; row += 1) {
                const given = columns.map((column) => column.getItem(row));
                output.setItem(row, given.includes(null) ? null : compute(given));
            }
            output.flush();
        }
        catch (error) {
            info.setError(error instanceof Error ? error.message : String(error));
        }
    };
    const given = { name, parameterTypes, returnType: duckdb[returns], mainFunction };
    connection.registerScalarFunction(duckdb.DuckDBScalarFunction.create(given));
}
const limit = 10n ** 38n;
function exact(parameters, compute) {
    return {
        parameters,
        returns: 'HUGEINT',
        compute: (given) => {
            const value = compute(given.map(toBigInt));
            if (value < limit && value > -limit)
                return value;
            throw new Error('the number has more than 38 digits');
        },
    };
}
function toBigInt(value) {
    return typeof value === 'bigint' ? value : BigInt(String(value));
}
function readJson(text) {
    try {
        return canonicalJson(text);
    }
    catch (error) {
        if (error instanceof JsonRefusal)
            throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Malformed JSON: ${reason}`, { cause: error });
    }
}
function divide(a, b) {
    if (b === 0n)
        throw new Error('Division by zero');
    const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b];
    const rounded = (2n * top + bottom) / (2n * bottom);
    return a < 0n === b < 0n ? rounded : -rounded;
}

;// CONCATENATED MODULE: ./engine/dialect/write/floats.js



function finite(sql, writing) {
    const message = 'Millrace does not support a calculation with FLOAT whose result is infinite or NaN; the warehouse may fail';
    const checked = computedOnce(sql, writing, (value) => `CASE WHEN NOT isfinite(${value}) THEN error(${quoteText(message)}) ELSE ${value} END`);
    return { sql: `CAST(${checked} AS DOUBLE)`, type: FLOAT, raw: sql };
}
const SURE_DIGITS = { one: 10, two: 15 };
function floatText(value, writing) {
    const most = isOne(writing) ? SURE_DIGITS.one : SURE_DIGITS.two;
    const before = 'Millrace does not support the text of the FLOAT ';
    const after = `: it has more than ${most} digits; convert it to an exact number first`;
    const written = `replace(regexp_replace(CAST(${value.sql} AS VARCHAR), '\\.0$', ''), 'nan', 'NaN')`;
    const text = isOne(writing) ? written : `replace(${written}, 'inf', 'Infinity')`;
    const sql = computedOnce(text, writing, (shown) => {
        const digits = `ltrim(regexp_replace(${shown}, 'e.*$|[-.]', '', 'g'), '0')`;
        const isLong = `length(${shown}) > ${most} AND length(${digits}) > ${most}`;
        return `CASE WHEN ${isLong} THEN error(${quoteText(before)} || ${shown} || ${quoteText(after)}) ELSE ${shown} END`;
    });
    return { sql, type: typed_TEXT };
}
function numberOfFloat(value, type, writing, isTry = false) {
    const { precision, scale } = digitsOf(type) ?? { precision: 38, scale: 0 };
    const sql = computedOnce(value.sql, writing, (float) => {
        const many = beyondDigits(float, precision, scale);
        const isHalf = halfway(float, scale, writing);
        const rounded = `${isTry ? 'TRY_CAST' : 'CAST'}(round(${float}, ${scale}) AS ${duckdbType(type)})`;
        return `CASE WHEN ${many} THEN ${floats_tooManyDigits(float)} WHEN ${isHalf} THEN ${notRounded(float, scale)} ELSE ${rounded} END`;
    });
    return { sql, type };
}
function roundedFloat(value, places, writing) {
    const sql = computedOnce(value.sql, writing, (float) => `CASE WHEN ${halfway(float, places, writing)} THEN ${notRounded(float, places)} ELSE round(${float}, ${places}) END`);
    return { sql, type: FLOAT };
}
function notRounded(float, places) {
    const to = places === 1 ? '1 decimal place' : `${places} decimal places`;
    const after = ` to ${to}: the warehouse may round it up or down; make it an exact number with more decimal places first, and ROUND that`;
    return `error('Millrace does not support rounding the FLOAT ' || ${float} || ${quoteText(after)})`;
}
function floats_tooManyDigits(float) {
    const after = ` as an exact number: it would have more than ${floats_DIGITS} digits; give the number fewer decimal places`;
    return `error('Millrace does not support the FLOAT ' || ${float} || ${quoteText(after)})`;
}
function halfway(float, places, writing) {
    if (places < 0) {
        const unit = `1${'0'.repeat(-places)}`;
        return isOne(writing) ? 'FALSE' : `abs(${float}) % ${unit} = ${unit} / 2`;
    }
    const shifted = `abs(${float} * 1e${places})`;
    const isNear = `abs(${shifted} - floor(${shifted}) - 0.5) < greatest(0.001, ${shifted} * 4e-15)`;
    const isHalf = `regexp_matches(CAST(${float} AS VARCHAR), '${halfwayForm(places)}')`;
    if (!isOne(writing))
        return `(${isNear} AND ${isHalf})`;
    const bits = `(${float} * ${2 ** (places + 1)})`;
    return `(${isNear} AND ${isHalf} AND ${bits} <> trunc(${bits}))`;
}
function halfwayForm(places) {
    const forms = [`\\.\\d{${places}}5$`];
    for (let exponent = 5; exponent <= places + 1; exponent += 1) {
        const decimals = places + 1 - exponent;
        const digits = decimals === 0 ? '5' : `\\d\\.\\d{${decimals - 1}}5`;
        forms.push(`^-?${digits}e-0*${exponent}$`);
    }
    return forms.join('|');
}
const floats_DIGITS = 15;
const LARGEST_WHOLE = 2 ** 53;
function beyondDigits(float, precision, scale) {
    if (precision <= floats_DIGITS)
        return 'FALSE';
    if (scale === 0)
        return `isfinite(${float}) AND abs(${float}) > ${LARGEST_WHOLE}`;
    return `isfinite(${float}) AND abs(${float}) >= 1e${floats_DIGITS - scale} AND ${float} <> 0`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/offsets.js


function withOffsetOf({ text }, converted, writing) {
    const hasOffset = text === undefined || /[+-](?!00(?::?00)?$)\d{2}(?::?\d{2})?$/.test(text.replace(/^[\d-]+/, ''));
    return converted.type.name === 'TIMESTAMP_TZ' && !hasOffset ? inUtc(converted, writing) : converted;
}
function inUtc(value, writing) {
    return isOne(writing) ? { ...value, type: UTC_MOMENT } : value;
}
function withKnownOffset(value, at, writing) {
    const { type } = value;
    if (!isOne(writing) || type.name !== 'TIMESTAMP_TZ' || type.isUtc)
        return value;
    const hint = "its offset is not kept; CONVERT_TIMEZONE('UTC', …) gives its date and time in UTC";
    throw refusal('what depends on the offset of a TIMESTAMP_TZ', at, writing, hint);
}

;// CONCATENATED MODULE: ./engine/dialect/write/in-batches.js
const BATCHES = 16;
const LARGE = 1024;
function inBatches(text, call) {
    const value = 'millrace_text';
    const result = call(value);
    const batches = Array.from({ length: BATCHES - 1 }, (_, index) => `WHEN hash(${value}) % ${BATCHES} = ${index} THEN ${result}`);
    const cases = `CASE WHEN strlen(${value}) < ${LARGE} THEN ${result} ${batches.join(' ')} ELSE ${result} END`;
    return `list_transform([${text}], lambda ${value}: ${cases})[1]`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/variant.js







function variantText(value) {
    return { sql: `(${textOfJson(value.sql)})`, type: typed_TEXT };
}
const textOfJson = (json) => `CASE json_type(${json}) WHEN 'DOUBLE' THEN CAST(${json} AS VARCHAR) ELSE ${json} ->> '$' END`;
function variantMoment(value) {
    const { sql } = variantText(value);
    const message = quoteText('Millrace does not support a number in semi-structured data as a date or timestamp (the time since 1970); convert it with TO_TIMESTAMP(value::NUMBER)');
    const isNumber = `regexp_full_match(${sql}, '-?\\d+')`;
    return { sql: `CASE WHEN ${isNumber} THEN error(${message}) ELSE ${sql} END`, type: typed_TEXT };
}
function shownText(value) {
    const isElement = `starts_with(CAST(${value.sql} AS VARCHAR), ${ELEMENT_START})`;
    const xml = inBatches(`CAST(${value.sql} AS VARCHAR)`, (json) => `${FUNCTIONS.shown}(${json})`);
    const text = jsonTextSql(value.sql, textOfJson(value.sql));
    return { sql: `CASE WHEN ${isElement} THEN ${xml} ELSE ${text} END`, type: typed_TEXT };
}
function withoutFloat(value, at, writing) {
    if (!mayHaveFloat(value.type))
        return value;
    const hint = 'its digits and its type are not kept; convert it to NUMBER before';
    throw refusal('the text or type of semi-structured data that may have a FLOAT', at, writing, hint);
}
const ELEMENT_START = `'{"$":'`;
function toVariant(value, at, writing) {
    if (value.type.name === 'VARIANT')
        return value;
    withKnownOffset(value, at, writing);
    if (value.type.name === 'NULL')
        return { sql: 'CAST(NULL AS JSON)', type: VARIANT };
    if (['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_TZ'].includes(value.type.name))
        return { sql: `to_json(${momentText(value, writing)})`, type: VARIANT };
    if (value.type.name === 'FLOAT')
        return { ...canonical(`to_json(${variant_finite(value.sql)})`), type: VARIANT_WITH_FLOAT };
    const isFraction = (digitsOf(value.type)?.scale ?? 0) > 0;
    return isFraction ? canonical(`to_json(${value.sql})`) : { sql: `to_json(${value.sql})`, type: VARIANT };
}
function momentText({ sql, type }, writing) {
    if (type.name === 'DATE')
        return `CAST(${sql} AS VARCHAR)`;
    const unit = type.name === 'TIME' ? 'a second' : 'a millisecond';
    const message = quoteText(`Millrace does not support a part of ${unit} in semi-structured data`);
    return computedOnce(sql, writing, (value) => {
        const moment = type.name === 'TIMESTAMP_TZ' ? `CAST(${value} AS TIMESTAMP)` : value;
        const shown = `strftime(${moment}, '%Y-%m-%d %H:%M:%S.%g')`;
        const [text, isPart] = type.name === 'TIME'
            ? [`left(CAST(${value} AS VARCHAR), 8)`, `microsecond(${value}) % 1000000 <> 0`]
            : [
                type.name === 'TIMESTAMP' ? shown : `(${shown} || ' +0000')`,
                `microsecond(${moment}) % 1000 <> 0`,
            ];
        return `CASE WHEN ${isPart} THEN error(${message}) ELSE ${text} END`;
    });
}
function variant_finite(float) {
    const message = quoteText('Millrace does not support NaN or an infinite number in semi-structured data');
    return `CASE WHEN isfinite(${float}) OR ${float} IS NULL THEN ${float} ELSE error(${message}) END`;
}
function canonical(json) {
    return { sql: `CAST(${FUNCTIONS.json}(CAST(${json} AS VARCHAR)) AS JSON)`, type: VARIANT };
}
function parsed(text, isTry) {
    const name = isTry ? FUNCTIONS.tryJson : FUNCTIONS.json;
    return { sql: `CAST(${inBatches(text, (value) => `${name}(${value})`)} AS JSON)`, type: VARIANT };
}

;// CONCATENATED MODULE: ./engine/dialect/write/convert.js








function cast(value, type, at, writing, isTry = false) {
    const word = isTry ? 'TRY_CAST' : 'CAST';
    const from = value.type.name;
    const sql = (inner) => ({ sql: `${word}(${inner} AS ${duckdbType(type)})`, type });
    if (from === 'NULL')
        return { sql: `CAST(NULL AS ${duckdbType(type)})`, type };
    if (type.name === 'VARIANT')
        return toVariant(value, at, writing);
    if (from === 'VARIANT' && type.name !== 'VARCHAR') {
        const text = isDateLike(type) ? variantMoment(value) : variantText(value);
        return castText(text, type, at, writing, { isTry, isOfVariant: true });
    }
    if (type.name === 'VARCHAR')
        return castToText(value, type, at, writing);
    if (from === 'VARCHAR')
        return withOffsetOf(value, castText(value, type, at, writing, { isTry }), writing);
    if (isNumeric(type))
        return castToNumber(value, type, at, writing, isTry);
    if (type.name === 'TIMESTAMP_TZ' && from === type.name)
        return value.type.isUtc ? value : { ...value, type };
    if (type.name === from)
        return { ...value, type };
    if (isDateLike(type) && isDateLike(value.type)) {
        const moment = withKnownOffset(value, at, writing);
        return type.name === 'TIMESTAMP_TZ' ? inUtc(sql(moment.sql), writing) : sql(moment.sql);
    }
    if (type.name === 'TIME' && from === 'TIMESTAMP')
        return sql(value.sql);
    if (type.name === 'BOOLEAN' && isNumeric(value.type) && isTruthValue(value.type, writing))
        return { sql: `(${value.sql} <> 0)`, type };
    throw refusal(`a cast from ${describeType(value.type)} to ${describeType(type)}`, at, writing);
}
function tryCast(value, type, at, writing) {
    const from = value.type.name;
    if (!isOne(writing) || from === 'NULL')
        return cast(value, type, at, writing, true);
    if (from !== 'VARCHAR')
        throw refusal(`TRY_CAST of ${describeType(value.type)}`, at, writing, 'cast it to VARCHAR');
    if (type.name !== 'VARCHAR' || type.length === undefined)
        return cast(value, type, at, writing, true);
    const { length } = type;
    const sql = computedOnce(value.sql, writing, (text) => `CASE WHEN length(${text}) <= ${length} THEN ${text} END`);
    return { sql, type };
}
function isTruthValue(type, writing) {
    return isOne(writing) || (type.name !== 'NUMBER' && type.name !== 'FLOAT');
}
function castToNumber(value, type, at, writing, isTry) {
    const digits = digitsOf(type);
    if (digitsOf(value.type) || (value.type.name === 'BOOLEAN' && isTruthValue(type, writing)))
        return { sql: `${isTry ? 'TRY_CAST' : 'CAST'}(${value.sql} AS ${duckdbType(type)})`, type };
    if (value.type.name !== 'FLOAT')
        throw refusal(`a cast from ${describeType(value.type)} to ${describeType(type)}`, at, writing);
    return digits === undefined ? { ...value, type } : numberOfFloat(value, type, writing, isTry);
}
function castText(value, type, at, writing, options) {
    const text = type.name === 'BOOLEAN' && options.isOfVariant ? notNumber(value) : value;
    const checked = checkedCast(text, type, at, writing, options);
    if (checked !== undefined)
        return checked;
    throw refusal(`a cast from text to ${describeType(type)}`, at, writing);
}
function notNumber({ sql }) {
    const isNumber = `regexp_full_match(${sql}, '-?[0-9.]+(?:[eE][+-]?[0-9]+)?') AND ${sql} NOT IN ('0', '1')`;
    const message = 'Millrace does not support a number in semi-structured data as a BOOLEAN; compare it with 0';
    return { sql: `CASE WHEN ${isNumber} THEN error('${message}') ELSE ${sql} END`, type: typed_TEXT };
}
function castToText(value, type, at, writing) {
    const text = asText(value, at, writing);
    if (type.name !== 'VARCHAR' || type.length === undefined)
        return { ...text, type };
    if (isOne(writing))
        return { sql: `left(${text.sql}, ${type.length})`, type };
    const name = value.type.name === 'VARCHAR' ? FUNCTIONS.cutToBytes : FUNCTIONS.fitIntoBytes;
    if (value.text === undefined)
        return { sql: `${name}(${text.sql}, ${type.length})`, type };
    const cut = cutToBytes(value.text, type.length);
    if (cut !== undefined)
        return { sql: quoteText(cut), type, text: cut };
    const hint = 'cast to VARCHAR without a length';
    throw refusal(`a cast to ${describeType(type)} that ends within a character`, at, writing, hint);
}
function asText(value, at, writing) {
    const text = (sql) => ({ sql, type: typed_TEXT });
    switch (value.type.name) {
        case 'VARCHAR':
            return value;
        case 'NULL':
            return text('CAST(NULL AS VARCHAR)');
        case 'VARIANT':
            return shownText(withoutFloat(value, at, writing));
        case 'FLOAT':
            return floatText(value, writing);
        case 'TIMESTAMP':
            return isOne(writing)
                ? text(`strftime(${value.sql}, '%Y-%m-%d %H:%M:%S.%g')`)
                : text(`CAST(${value.sql} AS VARCHAR)`);
        case 'TIMESTAMP_TZ':
            if (!isOne(writing))
                return text(`CAST(${value.sql} AS VARCHAR)`);
            withKnownOffset(value, at, writing);
            return text(`(strftime(CAST(${value.sql} AS TIMESTAMP), '%Y-%m-%d %H:%M:%S.%g') || ' +0000')`);
        case 'BINARY':
            throw refusal('a cast from BINARY to text', at, writing);
        case 'BOOLEAN':
            if (!isOne(writing))
                throw refusal('a cast from BOOLEAN to text', at, writing);
            return text(`CAST(${value.sql} AS VARCHAR)`);
        case 'NUMBER':
            return text(convert_numberText(value.sql, value.type));
        case 'SMALLINT':
        case 'INTEGER':
        case 'BIGINT':
        case 'DATE':
            return text(`CAST(${value.sql} AS VARCHAR)`);
        case 'TIME':
            return text(isOne(writing) ? `left(CAST(${value.sql} AS VARCHAR), 8)` : `CAST(${value.sql} AS VARCHAR)`);
    }
}
function convert_numberText(sql, type) {
    const digits = digitsOf(type);
    const text = `CAST(${sql} AS VARCHAR)`;
    return digits?.precision === digits?.scale ? `regexp_replace(${text}, '^(-?)\\.', '\\10.')` : text;
}
function expectText(value, at, writing) {
    if (value.type.name === 'VARCHAR' || value.type.name === 'NULL' || isOne(writing))
        return asText(value, at, writing);
    throw refusal(`${describeType(value.type)} where text is expected`, at, writing, 'cast it');
}
function expectBoolean(value, at, writing) {
    if (value.type.name === 'BOOLEAN' || value.type.name === 'NULL')
        return value;
    if (isOne(writing) && (['VARIANT', 'VARCHAR'].includes(value.type.name) || isNumeric(value.type)))
        return cast(value, BOOLEAN, at, writing);
    throw refusal(`${describeType(value.type)} as a condition`, at, writing, 'compare it or cast it');
}
function expectDate(value, at, writing) {
    if (isDateLike(value.type))
        return value;
    const convertible = value.type.name === 'NULL' || value.text !== undefined || isOne(writing);
    if (convertible && ['VARCHAR', 'VARIANT', 'NULL'].includes(value.type.name))
        return cast(value, { name: 'TIMESTAMP' }, at, writing);
    throw refusal(`${describeType(value.type)} where a date is expected`, at, writing, 'cast it');
}
function convert(value, type, at, writing) {
    const from = value.type.name;
    if (from === type.name && type.name !== 'NUMBER' && type.name !== 'VARCHAR')
        return value;
    if (from === 'VARCHAR' && type.name === 'VARCHAR')
        return { ...value, type };
    if (type.name === 'VARCHAR' && from !== 'NULL')
        return { ...expectText(value, at, writing), type };
    if (from === 'NUMBER' && type.name === 'NUMBER' && value.type.scale === type.scale && !value.isInteger)
        return { ...value, type };
    const isFree = isOne(writing) || from === 'NULL' || value.text !== undefined;
    const isKept = isNumeric(value.type) ? isNumeric(type) : isDateLike(value.type) && isDateLike(type);
    if (isFree || isKept)
        return cast(value, type, at, writing);
    throw refusal(`${describeType(value.type)} where ${describeType(type)} is expected`, at, writing, 'cast it');
}
function commonType(values, at, writing) {
    return values.reduce((type, value) => common(type, value, at, writing), { name: 'NULL' });
}
function common(left, value, at, writing) {
    const right = value.type;
    if (left.name === 'NULL')
        return right;
    if (right.name === 'NULL')
        return left;
    if (left.name === 'VARIANT' || right.name === 'VARIANT')
        return mayHaveFloat(left) || mayHaveFloat(right) ? VARIANT_WITH_FLOAT : VARIANT;
    if (left.name === 'VARCHAR' && right.name === 'VARCHAR')
        return left.length === right.length ? left : typed_TEXT;
    if (isNumeric(left) && isNumeric(right))
        return commonNumber(left, right);
    if (isDateLike(left) && isDateLike(right))
        return commonMoment([left, right]);
    if (left.name === right.name)
        return left;
    throw refusal(`${describeType(left)} and ${describeType(right)} in one column`, at, writing, 'cast one of them');
}
function commonMoment(types) {
    const zoned = types.filter((type) => type.name === 'TIMESTAMP_TZ');
    return (zoned.find((type) => !type.isUtc) ??
        zoned[0] ??
        types.find((type) => type.name === 'TIMESTAMP') ?? { name: 'DATE' });
}
function commonNumber(left, right) {
    const a = digitsOf(left);
    const b = digitsOf(right);
    if (a === undefined || b === undefined)
        return FLOAT;
    if (left.name === right.name && left.name !== 'NUMBER')
        return left;
    if (left.name !== 'NUMBER' && right.name !== 'NUMBER')
        return a.precision > b.precision ? left : right;
    const scale = Math.max(a.scale, b.scale);
    return typed_decimal(Math.max(a.precision - a.scale, b.precision - b.scale) + scale, scale);
}

;// CONCATENATED MODULE: ./engine/dialect/write/as-number.js







const LITERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
function asNumber(value, at, writing, other) {
    if (isNumeric(value.type) || value.type.name === 'NULL')
        return value;
    const { name } = value.type;
    if (!isOne(writing) || (name !== 'VARCHAR' && name !== 'VARIANT')) {
        const hint = value.text === undefined ? 'cast it' : 'write it without quotation marks, or cast it';
        throw refusal(`${shown(value.type, writing)} where a number is expected`, at, writing, hint);
    }
    if (other?.name === 'FLOAT')
        return cast(value, FLOAT, at, writing);
    if (name === 'VARIANT')
        return numberOfText(variantText(value), OF_VARIANT, writing);
    return value.text === undefined
        ? numberOfText(value, OF_TEXT, writing)
        : numberOfLiteral(value, at, writing);
}
function asFloat(value, at, writing) {
    const isText = value.type.name === 'VARCHAR' || value.type.name === 'VARIANT';
    const isConverted = isText && (isOne(writing) || value.text !== undefined);
    return cast(isConverted ? value : asNumber(value, at, writing), FLOAT, at, writing);
}
function wholeNumber(value, at, writing) {
    const number = asNumber(value, at, writing);
    if (number.type.name === 'NULL' || digitsOf(number.type)?.scale === 0)
        return number;
    const message = 'Millrace does not support a number that is not whole where a whole number is expected; ROUND it';
    const sql = computedOnce(number.sql, writing, (given) => `CASE WHEN ${given} <> trunc(${given}) THEN error(${quoteText(message)}) ELSE ${given} END`);
    return { sql: `CAST(${sql} AS DECIMAL(38, 0))`, type: typed_WHOLE };
}
const OF_TEXT = {
    type: typed_decimal(18, 5),
    form: String.raw ` *[+-]?(?:\d{1,13}\.?|\d{0,13}\.\d{1,5}0*) *`,
    hint: 'it has an exponent, or too many digits for NUMBER(18,5): cast it',
};
const OF_VARIANT = {
    type: typed_decimal(38, 12),
    form: String.raw `-?\d{1,26}(?:\.\d{1,12})?`,
    hint: 'it has an exponent, or too many digits for NUMBER(38,12): cast it',
};
function numberOfText(value, { type, form, hint }, writing) {
    const sql = computedOnce(value.sql, writing, (text) => {
        const forms = textForms(type, 'WAREHOUSE_ONE');
        return guarded(text, {
            casts: [[form, `CAST(${text} AS ${duckdbType(type)})`]],
            unsure: [forms?.plain, forms?.scientific, forms?.unsure, 'true|false'].join('|'),
            isTry: false,
            refused: ["Millrace does not support the number text '", `' beside a number; ${hint}`],
            fault: textFault(type, value.sql),
        });
    });
    return { sql, type };
}
function numberOfLiteral(value, at, writing) {
    const text = value.text ?? '';
    cast(value, FLOAT, at, writing);
    if (!new RegExp(`^${OF_TEXT.form}$`).test(text))
        throw refusal(`the number text ${quoteText(text)} beside a number`, at, writing, OF_TEXT.hint);
    const digits = text.trim();
    const type = typed_decimal(38, (digits.split('.')[1] ?? '').length);
    return { sql: `CAST(${quoteText(digits)} AS ${duckdbType(type)})`, type };
}
function besideNumber(value, other, operator, at, writing) {
    if (isOne(writing) || value.text === undefined)
        return asNumber(value, at, writing, other);
    const digits = digitsOf(other);
    const hint = 'write it without quotation marks, or cast it';
    if (digits === undefined || (other.name !== 'NUMBER' && /[<>]=?$/.test(operator) && operator !== '<>'))
        throw refusal(`the comparison ${other.name} ${operator} text`, at, writing, hint);
    const places = value.text.split('.')[1] ?? '';
    const isSure = other.name === 'NUMBER'
        ? LITERAL.test(value.text) && places.length <= digits.scale
        : /^(?:0|-?[1-9]\d*)$/.test(value.text);
    if (!isSure)
        throw refusal(`the text ${quoteText(value.text)} beside a number`, at, writing, hint);
    return cast(value, other.name === 'NUMBER' ? typed_decimal(38, places.length) : other, at, writing);
}
function shown(type, writing) {
    return describeType(type, writing.session.context.warehouse);
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./engine/duckdb/order-key.js



function orderKeySql(value, kind) {
    const text = `CAST(${value} AS VARCHAR)`;
    if (kind === 'WAREHOUSE_TWO')
        return `${FUNCTIONS.orderKey}(nullif(${text}, 'null'), '')`;
    const place = (0,external_node_crypto_.createHash)('sha1').update(value).digest('hex').slice(0, 8);
    return `${FUNCTIONS.orderKey}(${text}, ${quoteText(place)})`;
}
function typedKeySql(value, kind) {
    const text = `CAST(${value} AS VARCHAR)`;
    return `${FUNCTIONS.orderKey}(${kind === 'WAREHOUSE_TWO' ? `nullif(${text}, 'null')` : text}, '')`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/order.js

function orderDirectionOf(item) {
    const nulls = item.nulls ?? (item.isDescending ? 'FIRST' : 'LAST');
    return `${item.isDescending ? 'DESC' : 'ASC'} NULLS ${nulls}`;
}
function orderedBy({ sql, type }, writing) {
    return type.name === 'VARIANT' ? orderKeySql(sql, writing.session.context.warehouse) : sql;
}

;// CONCATENATED MODULE: ./engine/dialect/write/equal-texts.js

function comparedText({ sql, type }, warehouse) {
    return isText(type, warehouse) ? `rtrim(${sql}, ' ')` : sql;
}
function shownForEqual({ sql, type }, what, warehouse) {
    if (!isText(type, warehouse))
        return sql;
    return `CASE WHEN ends_with(${sql}, ' ') THEN error(${equal_texts_messageOf(what)}) ELSE ${sql} END`;
}
function havingOfGroups(groups, warehouse) {
    const texts = groups.filter(({ type }) => isText(type, warehouse));
    if (texts.length === 0)
        return undefined;
    const isUnclear = texts.map(({ sql }) => `bool_or(ends_with(${sql}, ' '))`).join(' OR ');
    return `CASE WHEN ${isUnclear} THEN error(${equal_texts_messageOf('GROUP BY')}) ELSE TRUE END`;
}
function groupBy(groups, warehouse, list) {
    if (groups.length === 0)
        return '';
    const having = havingOfGroups(groups, warehouse);
    const grouped = ` GROUP BY ${list ?? groups.map(({ sql }) => sql).join(', ')}`;
    return having === undefined ? grouped : `${grouped} HAVING ${having}`;
}
function extremeText(sql, value, what, warehouse, over) {
    if (!isText(value.type, warehouse))
        return sql;
    return `CASE WHEN bool_or(ends_with(${value.sql}, ' '))${over} THEN error(${equal_texts_messageOf(what)}) ELSE ${sql} END`;
}
function isText({ name }, warehouse) {
    return warehouse === 'WAREHOUSE_TWO' && name === 'VARCHAR';
}
function equal_texts_messageOf(what) {
    return quoteText(`Millrace does not support ${what} of a text that ends with a space; RTRIM it`);
}

;// CONCATENATED MODULE: ./engine/dialect/write/bind.js
function bind_bind(name, [a, b], write) {
    return `list_transform([{'a': ${a}, 'b': ${b}}], lambda ${name}: ${write(`${name}.a`, `${name}.b`)})[1]`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/narrowed.js

function narrowed(value, precision, scale) {
    const places = digitsOf(value.type)?.scale ?? 0;
    const whole = precision - scale;
    const bound = `DECIMAL(${Math.max(1, whole + places)}, ${places})`;
    const limit = `0${'9'.repeat(whole)}.${'9'.repeat(places)}`;
    const isWithin = `${value.sql} BETWEEN CAST('-${limit}' AS ${bound}) AND CAST('${limit}' AS ${bound})`;
    return `CASE WHEN ${isWithin} THEN CAST(${value.sql} AS DECIMAL(${precision}, ${scale})) END`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/long-division.js



function longDivision(a, b, shift) {
    if (shift < 0 || shift > MAX_SHIFT)
        return undefined;
    const groups = groupsOf(shift);
    const largest = Math.max(...groups);
    const x = digitsIn64Bits(a, MAX_DIGITS);
    const y = digitsIn64Bits(b, MAX_DIGITS - largest);
    if (x === undefined || y === undefined)
        return undefined;
    return bind_bind('millrace_digits', [x, y], (dividend, divisor) => long_division_divide(dividend, divisor, shift, groups));
}
function long_division_divide(x, y, shift, groups) {
    const parts = [];
    let [rest, left] = [x, shift];
    for (const [index, count] of groups.entries()) {
        parts.push(long_division_part(`${rest} // ${y}`, left));
        rest = `(${rest} % ${y} * ${power(count)})`;
        left -= count;
        if (index === groups.length - 1)
            parts.push(long_division_part(rounded(rest, x, y), 0));
    }
    return `(${parts.join(' + ')})`;
}
const MAX_DIGITS = 18;
const MAX_SHIFT = 20;
const GROUP = 7;
function groupsOf(shift) {
    const count = Math.max(1, Math.ceil(shift / GROUP));
    return Array.from({ length: count }, (_, index) => Math.floor((shift * (index + 1)) / count) - Math.floor((shift * index) / count));
}
function long_division_part(quotient, places) {
    return `CAST(${quotient} AS DECIMAL(19, 0)) * CAST(${power(places)} AS DECIMAL(${places + 1}, 0))`;
}
function rounded(dividend, x, y) {
    return `(2 * ${dividend} + CASE WHEN (${x} < 0) = (${y} < 0) THEN ${y} ELSE - ${y} END) // (2 * ${y})`;
}
function digitsIn64Bits(value, count) {
    const { scale } = digitsOf(value.type) ?? { scale: 0 };
    if (scale === 0)
        return `CAST(${narrowed(value, count, 0)} AS BIGINT)`;
    if (scale > count)
        return undefined;
    if (scale > MAX_MULTIPLIED)
        return `CAST(replace(CAST(${narrowed(value, count, scale)} AS VARCHAR), '.', '') AS BIGINT)`;
    const narrow = narrowed(value, Math.min(count, MAX_DIGITS - scale), scale);
    return `CAST(${narrow} * CAST(${power(scale)} AS DECIMAL(${scale + 1}, 0)) AS BIGINT)`;
}
const MAX_MULTIPLIED = 4;
function power(places) {
    return `1${'0'.repeat(places)}`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/exact.js





function exactQuotient(a, b, type) {
    const shift = scaleOf(type) + scaleOf(b.type) - scaleOf(a.type);
    const sql = withOperands(a, b, (x, y) => {
        const exact = `CAST(${FUNCTIONS.quotient}(${digits(x)}, ${shift}, ${digits(y)}) AS DECIMAL(38, 0))`;
        const fast = longDivision(x, y, shift);
        return fast === undefined ? exact : `coalesce(${fast}, ${exact})`;
    });
    return scaled(sql, type);
}
function exactProduct(a, b, type) {
    const shift = scaleOf(a.type) + scaleOf(b.type) - scaleOf(type);
    return scaled(`${FUNCTIONS.product}(${digits(a)}, ${digits(b)}, ${shift})`, type);
}
function exactRemainder(a, b, type) {
    const scale = scaleOf(type);
    const shifts = [a, b].map((value) => scale - scaleOf(value.type));
    const sql = withOperands(a, b, (x, y) => {
        const given = `${digits(x)}, ${shifts[0]}, ${digits(y)}, ${shifts[1]}`;
        const exact = unscaled(`${FUNCTIONS.remainder}(${given})`, type);
        if (scale > exact_SMALL)
            return exact;
        const [left, right] = [x, y].map((value) => narrowed(value, exact_SMALL, scale));
        return `coalesce(CAST(${left} % ${right} AS DECIMAL(38, ${scale})), ${exact})`;
    });
    return { sql: `CAST(${sql} AS ${duckdbType(type)})`, type };
}
function withOperands(a, b, write) {
    return bind_bind('millrace_operands', [a.sql, b.sql], (x, y) => write({ ...a, sql: x }, { ...b, sql: y }));
}
const exact_SMALL = 18;
function scaleOf(type) {
    return digitsOf(type)?.scale ?? 0;
}
function digits({ sql, type }) {
    const { precision, scale } = digitsOf(type) ?? { precision: 38, scale: 0 };
    if (scale === 0)
        return `CAST(${sql} AS HUGEINT)`;
    const value = `CAST(${sql} AS DECIMAL(38, ${scale}))`;
    if (precision + scale <= 38)
        return `CAST(${value} * CAST(1${'0'.repeat(scale)} AS DECIMAL(${scale + 1}, 0)) AS HUGEINT)`;
    return `CAST(replace(CAST(${value} AS VARCHAR), '.', '') AS HUGEINT)`;
}
function unscaled(sql, type) {
    const scale = scaleOf(type);
    if (scale === 0)
        return `CAST(${sql} AS DECIMAL(38, 0))`;
    const unit = `CAST('0.${'0'.repeat(scale - 1)}1' AS DECIMAL(${scale}, ${scale}))`;
    return `CAST(CAST(${sql} AS DECIMAL(38, 0)) * ${unit} AS DECIMAL(38, ${scale}))`;
}
function scaled(sql, type) {
    return { sql: `CAST(${unscaled(sql, type)} AS ${duckdbType(type)})`, type };
}

;// CONCATENATED MODULE: ./engine/dialect/write/operators.js









function arithmetic(operator, left, right, at, writing) {
    const dates = dateArithmetic(operator, left, right, at, writing);
    if (dates)
        return dates;
    const a = asNumber(left, at, writing, right.type);
    const b = asNumber(right, at, writing, left.type);
    const isOfText = [left, right].some(({ type }) => type.name === 'VARCHAR');
    if (operator === '/' && isOfText && a.type.name !== 'FLOAT')
        throw refusal('the division of a text', at, writing, 'cast it, because its type decides the decimal places');
    if (operator === '/')
        return operators_divide(a, b, writing);
    if (operator === '%')
        return remainder(a, b);
    const type = resultType(operator, a.type, b.type, isOne(writing));
    const x = digitsOf(a.type);
    const y = digitsOf(b.type);
    if (isOne(writing) && a.isInteger && b.isInteger && (digitsOf(type)?.precision ?? 0) <= operators_SMALL)
        return { sql: `(CAST(${a.sql} AS BIGINT) ${operator} ${b.sql})`, type, isInteger: true };
    if (operator === '*' && x && y && x.scale + y.scale > (digitsOf(type)?.scale ?? 38))
        return exactProduct(a, b, type);
    if (type.name === 'FLOAT')
        return finite(`(${a.raw ?? a.sql} ${operator} ${b.raw ?? b.sql})`, writing);
    return { sql: `(${widened(a, b, type)} ${operator} ${b.sql})`, type };
}
const operators_SMALL = 18;
function widened(a, b, type) {
    const [x, y, result] = [digitsOf(a.type), digitsOf(b.type), digitsOf(type)];
    if (type.name !== 'NUMBER' || !x || !y || !result)
        return a.sql;
    const isEnough = result.precision <= operators_SMALL || Math.max(x.precision, y.precision) > operators_SMALL;
    return isEnough ? a.sql : `CAST(${a.sql} AS DECIMAL(${operators_SMALL + 1}, ${x.scale}))`;
}
function dateArithmetic(operator, left, right, at, writing) {
    const [a, b] = [left.type, right.type];
    if (!isDateLike(a) && !isDateLike(b))
        return undefined;
    if (a.name === 'DATE' && b.name === 'DATE' && operator === '-')
        return {
            sql: `(${left.sql} - ${right.sql})`,
            type: isOne(writing) ? typed_decimal(9, 0) : { name: 'BIGINT' },
            isInteger: true,
        };
    if (a.name === 'DATE' && digitsOf(b)?.scale === 0 && (operator === '+' || operator === '-'))
        return { sql: `(${left.sql} ${operator} CAST(${right.sql} AS INTEGER))`, type: DATE };
    throw refusal(`${describeType(a)} ${operator} ${describeType(b)}`, at, writing, 'use DATEADD or DATEDIFF');
}
function resultType(operator, a, b, isKindOne) {
    const x = digitsOf(a);
    const y = digitsOf(b);
    if (x === undefined || y === undefined)
        return a.name === 'NULL' ? b : b.name === 'NULL' ? a : FLOAT;
    if (!isKindOne && a.name !== 'NUMBER' && b.name !== 'NUMBER')
        return x.precision > y.precision ? a : b;
    const whole = [x.precision - x.scale, y.precision - y.scale];
    if (operator === '*') {
        const scale = isKindOne
            ? Math.min(x.scale + y.scale, Math.max(x.scale, y.scale, 12))
            : Math.min(38, x.scale + y.scale);
        return typed_decimal(whole[0] + whole[1] + scale, scale);
    }
    const scale = Math.max(x.scale, y.scale);
    return typed_decimal(Math.max(...whole) + scale + 1, scale);
}
function remainder(a, b) {
    const type = remainderType(a.type, b.type);
    if (type.name === 'NUMBER')
        return exactRemainder(a, b, type);
    return guard(a, b, { sql: `(${a.sql} % ${b.sql})`, type });
}
function remainderType(a, b) {
    const x = digitsOf(a);
    const y = digitsOf(b);
    if (x === undefined || y === undefined)
        return FLOAT;
    if (a.name !== 'NUMBER' && b.name !== 'NUMBER')
        return x.precision > y.precision ? a : b;
    return typed_decimal(38, Math.max(x.scale, y.scale));
}
function operators_divide(a, b, writing) {
    const x = digitsOf(a.type);
    const y = digitsOf(b.type);
    if (x === undefined || y === undefined) {
        const quotient = `CAST(${a.raw ?? a.sql} AS DOUBLE) / CAST(${b.sql} AS DOUBLE)`;
        return finite(guard(a, b, { sql: `(${quotient})`, type: FLOAT }).sql, writing);
    }
    if (!isOne(writing) && a.type.name !== 'NUMBER' && b.type.name !== 'NUMBER')
        return guard(a, b, { sql: `(${a.sql} // ${b.sql})`, type: x.precision > y.precision ? a.type : b.type });
    return exactQuotient(a, b, quotientType(x, y, isOne(writing)));
}
function quotientType(x, y, isKindOne) {
    if (isKindOne) {
        const scale = Math.max(x.scale, Math.min(x.scale + 6, 12));
        return typed_decimal(x.precision - x.scale + y.scale + scale, scale);
    }
    const scale = Math.max(4, x.scale + y.precision - y.scale + 1);
    const precision = x.precision - x.scale + y.scale + scale;
    return typed_decimal(38, precision > 38 ? Math.max(4, 38 + scale - precision) : scale);
}
function guard(dividend, divisor, result) {
    if (divisor.number !== undefined && Number(divisor.number) !== 0)
        return result;
    const isError = `${divisor.sql} = 0 AND ${dividend.sql} IS NOT NULL`;
    return {
        sql: `CASE WHEN ${isError} THEN error('Division by zero') ELSE ${result.sql} END`,
        type: result.type,
    };
}
function comparable(left, right, at, writing, operator = '=') {
    const [a, b] = [left.type.name, right.type.name];
    if (a === 'NULL' || b === 'NULL')
        return [left, right];
    if (a === 'VARIANT' && b === 'VARIANT')
        return [left, right];
    if (a === 'VARCHAR' && b === 'VARCHAR' && !isOne(writing))
        return [withoutBlanks(left), withoutBlanks(right)];
    if (a === 'VARIANT')
        return [variantLike(left, right, at, writing), right];
    if (b === 'VARIANT')
        return [left, variantLike(right, left, at, writing)];
    if (isOne(writing) && a === 'BOOLEAN' && isTruthNumber(right))
        return [left, cast(right, BOOLEAN, at, writing)];
    if (isOne(writing) && b === 'BOOLEAN' && isTruthNumber(left))
        return [cast(left, BOOLEAN, at, writing), right];
    if (a === 'VARCHAR' && b !== 'VARCHAR')
        return [textLike(left, right, operator, at, writing), right];
    if (b === 'VARCHAR' && a !== 'VARCHAR')
        return [left, textLike(right, left, operator, at, writing)];
    const isFine = a === b ||
        (isNumeric(left.type) && isNumeric(right.type)) ||
        (isDateLike(left.type) && isDateLike(right.type));
    if (!isFine)
        throw refusal(`a comparison of ${describeType(left.type)} with ${describeType(right.type)}`, at, writing, 'cast one');
    return [left, right];
}
function withoutBlanks(value) {
    if (value.text === undefined)
        return { sql: `rtrim(${value.sql}, ' ')`, type: value.type };
    return value.text.endsWith(' ') ? { ...value, sql: quoteText(value.text.replace(/ +$/, '')) } : value;
}
function isTruthNumber({ number }) {
    return number === '0' || number === '1';
}
function variantLike(value, other, at, writing) {
    if (other.type.name === 'VARCHAR')
        return shownText(withoutFloat(value, at, writing));
    return isNumeric(other.type)
        ? asNumber(value, at, writing, other.type)
        : cast(value, other.type, at, writing);
}
function textLike(value, other, operator, at, writing) {
    if (isNumeric(other.type))
        return besideNumber(value, other.type, operator, at, writing);
    if (value.text === undefined && !isOne(writing))
        throw refusal(`a comparison of text with ${describeType(other.type)}`, at, writing, 'cast one');
    return isOne(writing) && other.type.name === 'DATE'
        ? dayOfText(value, at, writing)
        : cast(value, other.type, at, writing);
}
function dayOfText(value, at, writing) {
    const moment = cast(value, { name: 'TIMESTAMP' }, at, writing).sql;
    const message = 'Millrace does not support a comparison of a DATE with a text that has a time; cast one';
    const sql = computedOnce(moment, writing, (text) => `CASE WHEN date_trunc('day', ${text}) <> ${text} THEN error('${message}') ELSE CAST(${text} AS DATE) END`);
    return { sql, type: DATE };
}
function operators_compare(operator, left, right, at, writing) {
    const [a, b] = comparable(left, right, at, writing, operator);
    if (a.type.name === 'VARIANT' && b.type.name === 'VARIANT' && /^[<>]=?$/.test(operator))
        return compareVariants(operator, a, b, writing);
    return { sql: `(${a.sql} ${operator} ${b.sql})`, type: BOOLEAN };
}
function compareVariants(operator, left, right, writing) {
    const [a, b] = [left, right].map(({ sql }) => typedKeySql(sql, writing.session.context.warehouse));
    const message = 'Millrace does not support the order of different types in semi-structured values';
    const other = isOne(writing) ? `error('${message}')` : 'NULL';
    const sql = `CASE WHEN left(${a}, 1) <> left(${b}, 1) THEN ${other} ELSE ${a} ${operator} ${b} END`;
    return { sql: `CAST(${sql} AS BOOLEAN)`, type: BOOLEAN };
}
function negate(value, at, writing) {
    const number = asNumber(value, at, writing);
    const digits = number.number === undefined ? {} : { number: `-${number.number}` };
    const integer = number.isInteger ? { isInteger: true } : {};
    return { sql: `(- ${number.sql})`, type: number.type, ...digits, ...integer };
}
const LARGEST_BIGINT = 2n ** 63n - 1n;
function numberLiteral(digits, at, writing) {
    if (!Number.isFinite(Number(digits)))
        throw refusal(`the number ${digits}`, at, writing);
    if (/e/i.test(digits))
        return { sql: `CAST(${digits} AS DOUBLE)`, type: FLOAT, number: digits };
    const [whole = '', fraction = ''] = digits.split('.');
    const precision = Math.max(1, whole.replace(/^0+/, '').length + fraction.length);
    const isBig = precision === 19 && !isOne(writing) && BigInt(whole) <= LARGEST_BIGINT;
    if (fraction === '' && (precision <= 18 || isBig)) {
        const sql = String(BigInt(whole));
        if (isOne(writing))
            return { sql, type: typed_decimal(precision, 0), number: digits, isInteger: true };
        return { sql, type: { name: precision <= 9 ? 'INTEGER' : 'BIGINT' }, number: digits };
    }
    const type = precision > 38 ? typed_WHOLE : typed_decimal(precision, fraction.length);
    return { sql: `CAST('${whole || '0'}.${fraction || '0'}' AS ${duckdbType(type)})`, type, number: digits };
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/rule.js


const OVER = '\u0001';
function rule_text(given, index) {
    const value = given.values[index];
    return value ? expectText(value, given.at, given.writing).sql : 'NULL';
}
function rule_number(given, index) {
    const value = given.values[index];
    if (value === undefined)
        throw new Error('no such argument');
    return asNumber(value, given.at, given.writing);
}
function rule_float(given, index) {
    const value = given.values[index];
    if (value === undefined)
        throw new Error('no such argument');
    return `CAST(${asFloat(value, given.at, given.writing).sql} AS DOUBLE)`;
}
function literal(given, index) {
    const digits = given.values[index]?.number;
    return digits !== undefined && /^-?\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
function integer(given, index) {
    const value = given.values[index];
    if (value === undefined)
        throw new Error('no such argument');
    const { sql } = wholeNumber(value, given.at, given.writing);
    return literal(given, index) === undefined ? `CAST(${sql} AS BIGINT)` : sql;
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/aggregates.js












function distinct(given) {
    return given.call.isDistinct ? 'DISTINCT ' : '';
}
function first(given) {
    const [value] = given.values;
    if (value === undefined)
        throw new Error('no argument');
    return value;
}
function count(given) {
    const type = isOne(given.writing) ? typed_decimal(18, 0) : { name: 'BIGINT' };
    if (given.call.hasStar !== (given.values.length === 0))
        return undefined;
    const what = given.call.hasStar
        ? '*'
        : `${distinct(given)}${counted(given.call.isDistinct ? given.values.map((value) => ({ ...value, sql: comparedText(value, given.writing.session.context.warehouse) })) : given.values)}`;
    return { sql: `count(${what})${OVER}`, type, isInteger: true };
}
function counted(values) {
    const sql = values.map((value) => value.sql);
    if (sql.length === 1)
        return sql.join('');
    return `CASE WHEN ${sql.map((each) => `${each} IS NOT NULL`).join(' AND ')} THEN row(${sql.join(', ')}) END`;
}
function floatOfText(given) {
    const value = first(given);
    if (!isOne(given.writing) || !['VARCHAR', 'VARIANT'].includes(value.type.name))
        return rule_number(given, 0);
    return cast(value, FLOAT, given.at, given.writing);
}
function sum(given) {
    const value = floatOfText(given);
    const digits = digitsOf(value.type);
    const sql = `sum(${distinct(given)}${value.sql})${OVER}`;
    if (digits === undefined)
        return finite(sql, given.writing);
    if (value.type.name !== 'NUMBER')
        return { sql: `CAST(${sql} AS BIGINT)`, type: { name: 'BIGINT' } };
    const type = typed_decimal(38, digits.scale);
    return { sql: `CAST(${sql} AS ${duckdbType(type)})`, type };
}
function average(given) {
    const value = floatOfText(given);
    const digits = digitsOf(value.type);
    const values = `${distinct(given)}${value.sql}`;
    if (digits === undefined)
        return finite(`avg(${values})${OVER}`, given.writing);
    const [total, rows] = [`sum(${values})${OVER}`, `count(${values})${OVER}`];
    if (!isOne(given.writing) && value.type.name !== 'NUMBER')
        return { sql: `CAST(${total} // ${rows} AS BIGINT)`, type: { name: 'BIGINT' } };
    const scale = isOne(given.writing)
        ? digitsOf(quotientType(digits, { precision: 18, scale: 0 }, true))?.scale
        : digits.scale;
    return exactQuotient({ sql: total, type: typed_decimal(38, digits.scale) }, { sql: rows, type: typed_decimal(18, 0) }, typed_decimal(38, scale ?? 0));
}
function median(given) {
    const value = floatOfText(given);
    const digits = digitsOf(value.type);
    if (digits === undefined)
        return { sql: `median(CAST(${value.sql} AS DOUBLE))${OVER}`, type: FLOAT };
    if (!isOne(given.writing))
        return undefined;
    const values = `CAST(${value.sql} AS DECIMAL(38, ${digits.scale}))`;
    const middle = (sign) => `quantile_disc(${sign}${values}, 0.5)${OVER}`;
    const both = { sql: `(${middle('')} - ${middle('- ')})`, type: typed_decimal(38, digits.scale) };
    const two = { sql: '2', type: typed_decimal(1, 0) };
    return exactQuotient(both, two, typed_decimal(38, Math.min(digits.scale + 3, 37)));
}
function same(name) {
    return {
        arguments: [1, 1],
        kind: 'aggregate',
        write: (given) => {
            const value = first(given);
            if (value.type.name === 'VARIANT' && name !== 'any_value')
                return extremeOf(name, value, given);
            const sql = `${name}(${value.sql})${OVER}`;
            const { warehouse } = given.writing.session.context;
            const shown = name === 'any_value' ? sql : extremeText(sql, value, name.toUpperCase(), warehouse, OVER);
            return { sql: shown, type: value.type };
        },
    };
}
function extremeOf(name, { sql, type }, { writing }) {
    if (!isOne(writing) || name === 'mode')
        return undefined;
    const key = typedKeySql(sql, 'WAREHOUSE_ONE');
    const [least, most] = ['min', 'max'].map((extreme) => `${extreme}(left(${key}, 1))${OVER}`);
    const message = 'Millrace does not support the order of different types in semi-structured values';
    const value = `arg_${name}(${sql}, ${key})${OVER}`;
    return { sql: `CASE WHEN ${least} <> ${most} THEN error('${message}') ELSE ${value} END`, type };
}
function aggregates_double(name) {
    return {
        arguments: [1, 1],
        kind: 'aggregate',
        write: (given) => ({ sql: `${name}(CAST(${floatOfText(given).sql} AS DOUBLE))${OVER}`, type: FLOAT }),
    };
}
function paired(name) {
    return {
        arguments: [2, 2],
        only: 'WAREHOUSE_ONE',
        kind: 'aggregate',
        write: (given) => {
            const [y, x] = [0, 1].map((index) => rule_float(given, index));
            return { sql: `nullif(${name}(${y}, ${x})${OVER}, 'NaN'::DOUBLE)`, type: FLOAT };
        },
    };
}
function condition(name) {
    return {
        arguments: [1, 1],
        only: 'WAREHOUSE_ONE',
        kind: 'aggregate',
        write: (given) => first(given).type.name === 'BOOLEAN'
            ? { sql: `${name}(${first(given).sql})${OVER}`, type: BOOLEAN }
            : undefined,
    };
}
function countIf(given) {
    const { type, sql } = first(given);
    if (type.name !== 'BOOLEAN')
        return undefined;
    return { sql: `count(CASE WHEN ${sql} THEN 1 END)${OVER}`, type: typed_decimal(18, 0), isInteger: true };
}
function listagg(call, writing) {
    const [value, separator] = call.values;
    if (value === undefined)
        throw sqlError('LISTAGG needs an argument', call.at, writing);
    if (separator && separator.kind !== 'text')
        throw refusal('a separator that is not a literal', separator.at, writing);
    if (call.window)
        throw refusal('LISTAGG with OVER', call.at, writing);
    const item = write(value, writing);
    const text = expectText(item, value.at, writing).sql;
    const between = separator ? write(separator, writing).sql : "''";
    const order = aggregates_orderOf(call, writing);
    const isOrdered = call.isDistinct && order !== '' && !isOrderOf(text, call, writing);
    if (!isOne(writing)) {
        if (isOrdered)
            throw refusal('this LISTAGG', call.at, writing);
        return listaggOfTwo(text, `${between}${order}`, call.isDistinct);
    }
    const sql = isOrdered
        ? distinctTexts(item, between, call, writing)
        : `string_agg(${call.isDistinct ? 'DISTINCT ' : ''}${text}, ${between}${order})${OVER}`;
    return { sql: `coalesce(${sql}, '')`, type: typed_TEXT };
}
function listaggOfTwo(text, rest, isDistinct) {
    const filter = `FILTER (WHERE ${text} <> '')`;
    if (!isDistinct)
        return { sql: `string_agg(${text}, ${rest}) ${filter}`, type: typed_TEXT };
    const message = 'Millrace does not support LISTAGG with DISTINCT of a text that ends with a space; RTRIM it';
    const hasSpaces = `coalesce(bool_or(ends_with(${text}, ' ')), FALSE)`;
    return {
        sql: `CASE WHEN ${hasSpaces} THEN error('${message}') ELSE string_agg(DISTINCT ${text}, ${rest}) ${filter} END`,
        type: typed_TEXT,
    };
}
function distinctTexts(item, between, call, writing) {
    if (!isOrderOf(item.sql, call, writing) || item.type.name === 'VARIANT')
        throw otherOrder(call, writing);
    const text = expectText({ sql: 'item', type: item.type }, call.at, writing).sql;
    const list = `list(DISTINCT ${item.sql}${aggregates_orderOf(call, writing)})${OVER}`;
    return `array_to_string(list_transform(${list}, lambda item: ${text}), ${between})`;
}
function isOrderOf(sql, call, writing) {
    return call.withinGroup?.every((item) => write(item.value, writing).sql === sql) === true;
}
function otherOrder(call, writing) {
    return refusal(`${call.name}(DISTINCT …) in the order of another value`, call.at, writing);
}
function aggregates_orderOf(call, writing) {
    if (!call.withinGroup)
        return '';
    return ` ORDER BY ${call.withinGroup.map((item) => `${orderedBy(write(item.value, writing), writing)} ${orderDirectionOf(item)}`).join(', ')}`;
}
function arrayAgg(call, writing) {
    const [value] = call.values;
    if (value === undefined)
        throw sqlError('ARRAY_AGG needs an argument', call.at, writing);
    if (call.window)
        throw refusal('ARRAY_AGG with OVER', call.at, writing);
    const item = withKnownOffset(write(value, writing), value.at, writing);
    const { type } = item;
    const isTimed = ['TIME', 'TIMESTAMP', 'TIMESTAMP_TZ'].includes(type.name);
    const inner = isTimed ? toVariant(item, value.at, writing).sql : item.sql;
    const isOther = !isOrderOf(inner, call, writing) || type.name === 'VARIANT';
    if (call.isDistinct && call.withinGroup && isOther)
        throw otherOrder(call, writing);
    const list = `array_agg(${call.isDistinct ? 'DISTINCT ' : ''}${inner}${aggregates_orderOf(call, writing)}) FILTER (WHERE ${inner} IS NOT NULL)`;
    const array = canonical(`coalesce(to_json(${list}), CAST('[]' AS JSON))`);
    return mayHaveFloat(type) ? { ...array, type: VARIANT_WITH_FLOAT } : array;
}
const GROUPING = {
    arguments: [1, 7],
    only: 'WAREHOUSE_ONE',
    write: ({ values }) => ({
        sql: `GROUPING(${values.map(({ sql }) => sql).join(', ')})`,
        type: typed_decimal(38, 0),
        isInteger: true,
    }),
};
const AGGREGATES = {
    GROUPING,
    GROUPING_ID: GROUPING,
    COUNT: {
        arguments: [0, 100],
        warehouseArguments: { WAREHOUSE_TWO: [0, 1] },
        kind: 'aggregate',
        write: count,
    },
    SUM: { arguments: [1, 1], kind: 'aggregate', write: sum },
    AVG: { arguments: [1, 1], kind: 'aggregate', write: average },
    MIN: same('min'),
    MAX: same('max'),
    ANY_VALUE: same('any_value'),
    COVAR_POP: paired('covar_pop'),
    COVAR_SAMP: paired('covar_samp'),
    REGR_SLOPE: paired('regr_slope'),
    REGR_INTERCEPT: paired('regr_intercept'),
    STDDEV: aggregates_double('stddev_samp'),
    STDDEV_SAMP: aggregates_double('stddev_samp'),
    VARIANCE: aggregates_double('var_samp'),
    VAR_SAMP: aggregates_double('var_samp'),
    BOOLOR_AGG: condition('bool_or'),
    BOOLAND_AGG: condition('bool_and'),
    COUNT_IF: { arguments: [1, 1], only: 'WAREHOUSE_ONE', kind: 'aggregate', write: countIf },
    LISTAGG: {
        arguments: [1, 2],
        kind: 'aggregate',
        hasOrder: true,
        hasNoOrderInOver: true,
        needsTable: true,
        writeCall: listagg,
    },
    ARRAY_AGG: {
        arguments: [1, 1],
        only: 'WAREHOUSE_ONE',
        kind: 'aggregate',
        hasOrder: true,
        writeCall: arrayAgg,
    },
    MEDIAN: { arguments: [1, 1], kind: 'aggregate', hasNoOrderInOver: true, needsTable: true, write: median },
    MODE: { ...same('mode'), only: 'WAREHOUSE_ONE', hasNoOrderInOver: true },
};

;// CONCATENATED MODULE: ./engine/dialect/write/functions/conditionals.js




function alike(given, values = given.values) {
    const type = commonType(values, given.at, given.writing);
    const sql = values.map((value) => value.type.name === 'NULL' ? 'NULL' : convert(value, type, given.at, given.writing).sql);
    return { sql, type };
}
function coalesce(given) {
    const { sql, type } = alike(given, withNumbers(given));
    return { sql: `coalesce(${sql.join(', ')})`, type };
}
const NUMBER_OF_TEXT = typed_decimal(18, 5);
function withNumbers({ values, at: place, writing }) {
    const hasNumber = values.some(({ type }) => digitsOf(type) !== undefined);
    const isPlain = values.every(({ type }) => digitsOf(type) ?? ['VARCHAR', 'NULL'].includes(type.name));
    if (!isOne(writing) || !hasNumber || !isPlain)
        return values;
    return values.map((value) => {
        const isLong = value.text !== undefined && !/^-?\d{0,13}(?:\.\d{0,5})?$/.test(value.text);
        return value.type.name !== 'VARCHAR' || isLong ? value : cast(value, NUMBER_OF_TEXT, place, writing);
    });
}
function conditionals_at(given, index) {
    const value = given.values[index];
    if (value === undefined)
        throw new Error('no such argument');
    return value;
}
function nullIf(given) {
    const value = conditionals_at(given, 0);
    const equal = operators_compare('=', value, conditionals_at(given, 1), given.at, given.writing);
    return { sql: `CASE WHEN ${equal.sql} THEN NULL ELSE ${value.sql} END`, type: value.type };
}
function iff(given) {
    const condition = expectBoolean(conditionals_at(given, 0), given.at, given.writing);
    const { sql, type } = alike(given, given.values.slice(1));
    return { sql: `CASE WHEN ${condition.sql} THEN ${sql[0]} ELSE ${sql[1]} END`, type };
}
function nvl2(given) {
    const { sql, type } = alike(given, given.values.slice(1));
    return { sql: `CASE WHEN ${conditionals_at(given, 0).sql} IS NOT NULL THEN ${sql[0]} ELSE ${sql[1]} END`, type };
}
function decode(given) {
    const rest = given.values.slice(1);
    const pairs = Math.floor(rest.length / 2);
    const results = rest.filter((_, index) => index % 2 === 1 || index === pairs * 2);
    const { sql, type } = alike(given, results);
    const branches = Array.from({ length: pairs }, (_, index) => {
        const equal = operators_compare('IS NOT DISTINCT FROM', conditionals_at(given, 0), conditionals_at(given, 1 + index * 2), given.at, given.writing);
        return ` WHEN ${equal.sql} THEN ${sql[index]}`;
    });
    const otherwise = rest.length % 2 === 1 ? ` ELSE ${sql.at(-1)}` : '';
    return { sql: `CASE${branches.join('')}${otherwise} END`, type };
}
function extreme(name) {
    return {
        arguments: [1, 100],
        write: (given) => {
            const { sql, type } = alike(given);
            if (type.name === 'VARIANT')
                return undefined;
            const value = `${name}(${sql.join(', ')})`;
            if (!isOne(given.writing))
                return { sql: value, type };
            const isNull = sql.map((each) => `${each} IS NULL`).join(' OR ');
            return { sql: `CASE WHEN ${isNull} THEN NULL ELSE ${value} END`, type };
        },
    };
}
const conditionals_one = 'WAREHOUSE_ONE';
const CONDITIONALS = {
    COALESCE: { arguments: [1, 100], write: coalesce },
    NVL: { arguments: [2, 100], warehouseArguments: { WAREHOUSE_ONE: [2, 2] }, write: coalesce },
    IFNULL: { arguments: [2, 2], only: conditionals_one, write: coalesce },
    NVL2: { arguments: [3, 3], write: nvl2 },
    NULLIF: { arguments: [2, 2], write: nullIf },
    IFF: { arguments: [3, 3], only: conditionals_one, write: iff },
    DECODE: { arguments: [3, 255], write: decode },
    GREATEST: extreme('greatest'),
    LEAST: extreme('least'),
    EQUAL_NULL: {
        arguments: [2, 2],
        only: conditionals_one,
        write: (given) => operators_compare('IS NOT DISTINCT FROM', conditionals_at(given, 0), conditionals_at(given, 1), given.at, given.writing),
    },
    TO_BOOLEAN: {
        arguments: [1, 1],
        only: conditionals_one,
        write: (given) => cast(conditionals_at(given, 0), BOOLEAN, given.at, given.writing),
    },
};

;// CONCATENATED MODULE: ./engine/dialect/write/formats.js


const SHARED = [
    ['YYYY', '%Y'],
    ['YY', '%y'],
    ['MM', '%m'],
    ['DD', '%d'],
    ['HH24', '%H'],
    ['HH12', '%I'],
    ['MI', '%M'],
    ['SS', '%S'],
    ['AM', '%p'],
    ['PM', '%p'],
];
const OF_ONE = [
    ['MMMM', '%B'],
    ['MON', '%b'],
    ['DY', '%a'],
    ['FF3', '%g'],
    ['FF6', '%f'],
];
function formatOf(format, writing, use) {
    const elements = [...(isOne(writing) ? OF_ONE : []), ...SHARED];
    const found = [];
    let result = '';
    for (let offset = 0; offset < format.length;) {
        const rest = format.slice(offset);
        const element = elements.find(([name]) => rest.toUpperCase().startsWith(name));
        const literal = /^(?:[-/:., _]|"[^"%]*")/.exec(rest)?.[0];
        if (element) {
            if (use === 'read' && element[0] === 'FF3')
                return undefined;
            const isOther = !isOne(writing) && use === 'write' && !rest.startsWith(element[0]);
            if (element[1] === '%p' && isOther)
                return undefined;
            found.push(element[1]);
            result += element[1];
            offset += element[0].length;
        }
        else if (literal !== undefined) {
            result += literal.replaceAll('"', '');
            offset += literal.length;
        }
        else if (isOne(writing) && rest.startsWith('T')) {
            result += 'T';
            offset += 1;
        }
        else
            return undefined;
    }
    return isConsistent(found, use) ? result : undefined;
}
const formats_PARTS = ['Yy', 'mBb', 'd', 'HI', 'M', 'S', 'gf', 'p', 'a'];
function isConsistent(found, use) {
    const has = (element) => found.includes(element);
    if (has('%p') && (has('%H') || !has('%I')))
        return false;
    if (use === 'write')
        return true;
    const count = (part) => found.filter((element) => part.includes(element.slice(1))).length;
    return formats_PARTS.every((part) => count(part) <= 1) && has('%I') === has('%p');
}
function momentOf(text, format, isTry) {
    const moment = `${isTry ? 'try_strptime' : 'strptime'}(${text}, ${quoteText(format)})`;
    if (!format.includes('%y'))
        return moment;
    return `CASE WHEN year(${moment}) = 1969 THEN ${moment} + to_years(100) ELSE ${moment} END`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/units.js

function days(name, add, factor = 1) {
    return { name, isDays: true, isWithinMinute: false, add: { name: add, factor, integer: 'INTEGER' } };
}
function units_time(name, add, factor = 1) {
    return {
        name,
        isDays: false,
        isWithinMinute: name !== 'hour',
        add: { name: add, factor, integer: 'BIGINT' },
    };
}
const UNITS = [
    [days('year', 'to_months', 12), 'YEAR YEARS YY YYYY YR YEARS'],
    [days('quarter', 'to_months', 3), 'QUARTER QUARTERS QTR QTRS'],
    [days('month', 'to_months'), 'MONTH MONTHS MON MONS MM'],
    [days('week', 'to_days', 7), 'WEEK WEEKS WK'],
    [days('day', 'to_days'), 'DAY DAYS DD D'],
    [units_time('hour', 'to_hours'), 'HOUR HOURS HH HR HRS'],
    [units_time('minute', 'to_minutes'), 'MINUTE MINUTES MI MIN MINS'],
    [units_time('second', 'to_microseconds', 1_000_000), 'SECOND SECONDS SEC SECS SS'],
    [units_time('millisecond', 'to_microseconds', 1000), 'MILLISECOND MILLISECONDS MS'],
    [units_time('microsecond', 'to_microseconds'), 'MICROSECOND MICROSECONDS US'],
];
const BY_WORD = new Map(UNITS.flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit])));
const ONLY_OF_ONE = new Set('YY YYYY MM WK DD HH MI SS'.split(' '));
function units_findUnit(word, writing) {
    const name = word.toUpperCase();
    return !isOne(writing) && ONLY_OF_ONE.has(name) ? undefined : BY_WORD.get(name);
}

;// CONCATENATED MODULE: ./engine/dialect/write/interval.js






function addInterval(node, writing) {
    const [base, interval] = node.left.kind === 'interval' && node.operator === '+'
        ? [node.right, node.left]
        : [node.left, node.right];
    if (interval.kind !== 'interval' || base.kind === 'interval' || !['+', '-'].includes(node.operator))
        throw refusal(`INTERVAL with ${node.operator}`, node.at, writing);
    const parts = intervalParts(interval, writing);
    return parts.reduce((date, { amount, unit }) => shift(date, amount, unit, node.operator === '-', node.at, writing), expectDate(write(base, writing), node.at, writing));
}
function intervalParts(interval, writing) {
    const { value, unit, at } = interval;
    if (unit !== undefined)
        return [{ amount: write(value, writing), unit: unitOf(unit, at, writing) }];
    const text = value.kind === 'text' ? value.value : '';
    return text.split(',').map((part) => {
        const [, amount, word] = /^\s*([+-]?\d+)\s+([a-z]+)\s*$/i.exec(part) ?? [];
        if (amount === undefined || word === undefined)
            throw refusal(`INTERVAL '${text}'`, at, writing);
        return { amount: { sql: amount, type: typed_WHOLE, isInteger: true }, unit: unitOf(word, at, writing) };
    });
}
function unitOf(word, at, writing) {
    const unit = units_findUnit(word, writing);
    if (unit === undefined)
        throw refusal(`the unit ${word}`, at, writing);
    return unit;
}
function shift(date, amount, unit, isBack, at, writing) {
    const count = wholeNumber(amount, at, writing);
    const whole = unit.add.factor === 1 ? '' : ` * ${unit.add.factor}`;
    const interval = `${unit.add.name}(CAST(${count.sql}${whole} AS ${unit.add.integer}))`;
    if (unit.add.name === 'to_months')
        withKnownOffset(date, at, writing);
    const sql = `(${date.sql} ${isBack ? '-' : '+'} ${interval})`;
    if (date.type.name !== 'DATE')
        return { sql, type: date.type };
    if (unit.isDays && isOne(writing))
        return { sql: `CAST(${sql} AS DATE)`, type: DATE };
    return { sql, type: TIMESTAMP };
}

;// CONCATENATED MODULE: ./engine/duckdb/clock.js
const CLOCK_SQL = "getvariable('millrace_clock')";
function createClock() {
    let last;
    return {
        async set(connection, now) {
            if (now === last)
                return;
            await connection.run(`SET VARIABLE millrace_clock = TIMESTAMPTZ '${new Date(now).toISOString()}'`);
            last = now;
        },
    };
}
const seedSql = 'SELECT setseed(0.5)';

;// CONCATENATED MODULE: ./engine/dialect/write/format-forms.js
const format_forms_SPACE = String.raw `[ \t\r\n\f\v]*`;
const ELEMENTS = {
    Y: [String.raw `(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`, String.raw `[+-]?\d{1,9}`],
    f: [String.raw `\d{1,6}`, String.raw `\d{1,9}`],
    p: ['[AaPp][Mm]', String.raw `[AaPp]\.?[Mm]\.?`],
    B: ['[A-Za-z]{3,9}', '[A-Za-z]+'],
    b: ['[A-Za-z]{3}', '[A-Za-z]+'],
    a: ['[A-Za-z]{3}', '[A-Za-z]+'],
};
function formatForms(format) {
    const tokens = format.match(/%.|[^%]/gs) ?? [];
    if (!tokens.some((token) => token === '%Y' || token === '%y'))
        return undefined;
    const isDigits = (token = '') => /^%[^pBba]$/.test(token);
    const parts = tokens.map((token, index) => {
        if (!token.startsWith('%')) {
            const literal = token.replaceAll(/[^A-Za-z0-9 _]/g, String.raw `\$&`);
            return [literal, `${format_forms_SPACE}${literal}${format_forms_SPACE}`];
        }
        const isFixed = token === '%y' || isDigits(tokens[index - 1]) || isDigits(tokens[index + 1]);
        return (ELEMENTS[token.slice(1)] ?? [
            isFixed ? String.raw `\d{2}` : String.raw `\d{1,2}`,
            String.raw `[+-]?\d{1,9}`,
        ]);
    });
    const unsure = parts.map(([, loose]) => loose).join(format_forms_SPACE);
    const plain = parts.map(([form]) => form).join('');
    const grouped = parts.map(([form], index) => (tokens[index] === '%a' ? `(${form})` : form)).join('');
    return {
        plain,
        unsure: `${format_forms_SPACE}${unsure}${format_forms_SPACE}`,
        ...(tokens.includes('%a') && { weekday: grouped }),
    };
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/dates-of-text.js








function toDate(type, isTry = false) {
    return {
        arguments: [1, 2],
        write: (given) => {
            const [value, format] = given.values;
            if (value === undefined)
                return undefined;
            if (format)
                return dates_of_text_parsed(given, value, format, type, isTry);
            if (!isOne(given.writing))
                return undefined;
            const digits = digitsOf(value.type);
            if (digits && type.name === 'TIMESTAMP' && digits.scale === 0)
                return { sql: `make_timestamp(${integer(given, 0)} * 1000000)`, type };
            return digits ? undefined : cast(value, type, given.at, given.writing, isTry);
        },
    };
}
function dates_of_text_parsed(given, value, format, type, isTry) {
    const duck = format.text === undefined ? undefined : formatOf(format.text, given.writing, 'read');
    const forms = duck === undefined ? undefined : formatForms(duck);
    if (duck === undefined || forms === undefined || isDateLike(value.type))
        return undefined;
    const name = type.name.toLowerCase();
    const wanted = quoteText(format.text ?? '');
    const written = asText(value, given.at, given.writing).sql;
    const sql = computedOnce(written, given.writing, (text) => guarded(text, {
        casts: [[forms.plain, dates_of_text_momentSql(text, { duck, forms, wanted, type, isTry, writing: given.writing })]],
        unsure: forms.unsure,
        isTry,
        refused: [
            `Millrace does not support the ${name} text '`,
            `'; write it exactly as the format ${wanted}`,
        ],
        fault: ['Could not parse string "', `" according to format specifier "${duck}"`],
    }));
    return { sql, type };
}
function dates_of_text_momentSql(text, { duck, forms, wanted, type, isTry, writing }) {
    const refuse = (reason) => `error('Millrace does not support the ${type.name.toLowerCase()} text ''' || ${text} || ${quoteText(`' in the format ${wanted}: ${reason}`)})`;
    if (!isOne(writing))
        return `coalesce(CAST(${momentOf(text, duck, true)} AS ${type.name}), ${refuse('a part of it is out of range')})`;
    const moment = momentOf(text, duck, isTry);
    const value = `CAST(${moment} AS ${type.name})`;
    if (forms.weekday === undefined)
        return value;
    const weekday = `regexp_extract(${text}, ${quoteText(forms.weekday)}, 1)`;
    const isOther = `lower(strftime(${moment}, '%a')) <> lower(${weekday})`;
    return `CASE WHEN ${isOther} THEN ${refuse('the date has another day of the week')} ELSE ${value} END`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/dates.js











const ZONED = { name: 'TIMESTAMP_TZ' };
const dates_one = 'WAREHOUSE_ONE';
function clock(type, only, kindTwo = type) {
    return {
        arguments: [0, 1],
        ...(only && { only }),
        write: (given) => {
            if (given.values.length > 0)
                return undefined;
            const isZonedOfOne = isOne(given.writing) && type.name === 'TIMESTAMP_TZ';
            const wanted = isZonedOfOne ? UTC_MOMENT : isOne(given.writing) ? type : kindTwo;
            if (given.writing.session.isStored)
                return { sql: `CAST(${CLOCK_SQL} AS ${duckdbType(wanted)})`, type: wanted };
            const text = new Date(given.writing.session.context.now).toISOString();
            if (wanted.name === 'DATE')
                return { sql: `DATE '${text.slice(0, 10)}'`, type: wanted };
            const moment = `${text.slice(0, 10)} ${text.slice(11, 23)}`;
            if (wanted.name === 'TIMESTAMP_TZ')
                return { sql: `CAST('${moment}+00' AS TIMESTAMPTZ)`, type: wanted };
            return { sql: `CAST('${moment}' AS TIMESTAMP)`, type: wanted };
        },
    };
}
function unit(given) {
    return units_findUnit(given.values[0]?.text ?? '', given.writing);
}
function dates_date(given, index) {
    const value = given.values[index];
    if (value === undefined)
        throw new Error('no such argument');
    return expectDate(value, given.at, given.writing);
}
function localDate(given, index) {
    return withKnownOffset(dates_date(given, index), given.at, given.writing);
}
function dateAdd(given) {
    const wanted = unit(given);
    if (wanted === undefined)
        return undefined;
    const value = dates_date(given, 2);
    const moved = shift(value, rule_number(given, 1), wanted, false, given.at, given.writing);
    if (isOne(given.writing) || wanted.name !== 'year')
        return moved;
    const isLost = `month(${value.sql}) = 2 AND day(${value.sql}) = 29 AND day(${moved.sql}) = 28`;
    return { ...moved, sql: `CASE WHEN ${isLost} THEN ${moved.sql} + to_days(1) ELSE ${moved.sql} END` };
}
function dateDiff(given) {
    const wanted = unit(given);
    if (wanted === undefined || (wanted.name === 'week' && !isOne(given.writing)))
        return undefined;
    const [from, to] = [1, 2].map((index) => {
        const value = dates_date(given, index);
        const isMoment = wanted.isWithinMinute && value.type.name === 'TIMESTAMP_TZ';
        const moment = isMoment ? { ...value, type: UTC_MOMENT } : value;
        return cast(moment, TIMESTAMP, given.at, given.writing).sql;
    });
    const type = isOne(given.writing) ? typed_decimal(9, 0) : { name: 'BIGINT' };
    if (wanted.name === 'week') {
        const days = `date_diff('day', date_trunc('week', ${from}), date_trunc('week', ${to}))`;
        return { sql: `(${days} // 7)`, type, isInteger: true };
    }
    return { sql: `date_diff('${wanted.name}', ${from}, ${to})`, type, isInteger: true };
}
function truncate(given) {
    const wanted = unit(given);
    if (wanted === undefined)
        return undefined;
    const value = wanted.isWithinMinute ? dates_date(given, 1) : localDate(given, 1);
    const sql = `date_trunc('${wanted.name}', ${value.sql})`;
    if (value.type.name !== 'DATE')
        return { sql, type: value.type };
    if (isOne(given.writing))
        return { sql: `CAST(${sql} AS DATE)`, type: DATE };
    return { sql: `CAST(${sql} AS TIMESTAMP)`, type: TIMESTAMP };
}
const dates_PARTS = new Map(Object.entries({
    year: 'YEAR Y YY YYY YYYY YR YEARS YRS',
    quarter: 'QUARTER Q QTR QTRS QUARTERS',
    month: 'MONTH MM MON MONS MONTHS',
    day: 'DAY D DD DAYS DAYOFMONTH',
    dayofweek: 'DAYOFWEEK WEEKDAY DOW DW',
    isodow: 'DAYOFWEEKISO DAYOFWEEK_ISO WEEKDAY_ISO DOW_ISO DW_ISO',
    dayofyear: 'DAYOFYEAR YEARDAY DOY DY',
    week: 'WEEK W WK WEEKOFYEAR WOY WY WEEKISO WEEK_ISO WEEKOFYEARISO WEEKOFYEAR_ISO',
    isoyear: 'YEAROFWEEKISO',
    hour: 'HOUR H HH HR HOURS HRS',
    minute: 'MINUTE M MI MIN MINUTES MINS',
}).flatMap(([duck, words]) => words.split(' ').map((word) => [word, duck])));
const dates_SECONDS = new Set('SECOND S SEC SECONDS SECS'.split(' '));
const EPOCH = new Set('EPOCH EPOCH_SECOND EPOCH_SECONDS'.split(' '));
const dates_ONLY_OF_ONE = /ISO|^(?:YY|YYY|YYYY|Q|MM|DD|WOY|WY|WK|WEEKOFYEAR|DAYOFMONTH|HH|MI)$/;
function dates_part(written, given, index) {
    const name = written.toUpperCase();
    const value = dates_date(given, index);
    const isKindOne = isOne(given.writing);
    if (!isKindOne && dates_ONLY_OF_ONE.test(name))
        return undefined;
    const type = isKindOne ? typed_decimal(4, 0) : { name: 'INTEGER' };
    if (dates_SECONDS.has(name) && isKindOne)
        return { sql: `second(${value.sql})`, type, isInteger: true };
    if (EPOCH.has(name) && isKindOne) {
        const moment = `CAST(${value.sql} AS TIMESTAMP)`;
        return {
            sql: `epoch_us(date_trunc('second', ${moment})) // 1000000`,
            type: typed_decimal(38, 0),
            isInteger: true,
        };
    }
    const duck = dates_PARTS.get(name);
    if (duck === undefined)
        return undefined;
    return { sql: `${duck}(${localDate(given, index).sql})`, type, isInteger: true };
}
function partFunction(name) {
    return { arguments: [1, 1], only: dates_one, write: (given) => dates_part(name, given, 0) };
}
function shortName(duck) {
    return {
        arguments: [1, 1],
        only: dates_one,
        write: (given) => ({ sql: `left(${duck}(${localDate(given, 0).sql}), 3)`, type: typed_TEXT }),
    };
}
function lastDay(given) {
    const value = localDate(given, 0).sql;
    const wanted = units_findUnit(given.values.length > 1 ? (given.values[1]?.text ?? '') : 'MONTH', given.writing);
    if (wanted === undefined || !wanted.isDays || wanted.name === 'day')
        return undefined;
    if (wanted.name === 'month')
        return { sql: `last_day(${value})`, type: DATE };
    const next = `date_trunc('${wanted.name}', ${value}) + ${wanted.add.name}(${wanted.add.factor})`;
    return { sql: `CAST(${next} - to_days(1) AS DATE)`, type: DATE };
}
function addMonths(given) {
    const value = dates_date(given, 0);
    const months = units_findUnit('MONTH', given.writing);
    if (months === undefined)
        throw new Error('no months');
    const day = cast(value, DATE, given.at, given.writing);
    const count = cast(rule_number(given, 1), typed_WHOLE, given.at, given.writing);
    const moved = shift(value, count, months, false, given.at, given.writing);
    const movedDay = `CAST(${moved.sql} AS DATE)`;
    const isLast = `${day.sql} = last_day(${day.sql})`;
    const extra = `(last_day(${movedDay}) - ${movedDay})`;
    const late = moved.type.name === 'DATE'
        ? `${moved.sql} + CAST(${extra} AS INTEGER)`
        : `${moved.sql} + to_days(CAST(${extra} AS INTEGER))`;
    return { sql: `CASE WHEN ${isLast} THEN ${late} ELSE ${moved.sql} END`, type: moved.type };
}
function toChar(given) {
    const [value, format] = given.values;
    if (value === undefined)
        return undefined;
    if (format === undefined)
        return isOne(given.writing) ? asText(value, given.at, given.writing) : undefined;
    const duck = format.text === undefined ? undefined : formatOf(format.text, given.writing, 'write');
    if (duck === undefined || !isDateLike(value.type))
        return undefined;
    withKnownOffset(value, given.at, given.writing);
    const moment = value.type.name === 'TIMESTAMP_TZ' ? `CAST(${value.sql} AS TIMESTAMP)` : value.sql;
    return { sql: `strftime(${moment}, ${quoteText(duck)})`, type: typed_TEXT };
}
function monthsBetween(given) {
    const [a, b] = [0, 1].map((index) => cast(dates_date(given, index), DATE, given.at, given.writing).sql);
    const months = `((year(${a}) - year(${b})) * 12 + month(${a}) - month(${b}))`;
    const isWhole = `day(${a}) = day(${b}) OR (${a} = last_day(${a}) AND ${b} = last_day(${b}))`;
    return {
        sql: `CASE WHEN ${isWhole} THEN CAST(${months} AS DOUBLE) ELSE round(${months} + (day(${a}) - day(${b})) / 31.0, 6) END`,
        type: FLOAT,
    };
}
function dateFromParts(given) {
    const [year, month, day] = [0, 1, 2].map((index) => integer(given, index));
    const first = `make_date(${year}, 1, 1) + to_months(CAST(${month} - 1 AS INTEGER))`;
    return { sql: `CAST(${first} + to_days(CAST(${day} - 1 AS INTEGER)) AS DATE)`, type: DATE };
}
function convertZone(given) {
    const zones = given.values.slice(0, -1).map(({ text: zone }) => zone);
    if (zones.some((zone) => zone === undefined || !/^[A-Za-z_]+(?:\/[A-Za-z_+-]+)*$/.test(zone)))
        return undefined;
    const [from, to] = zones;
    const last = given.values.length - 1;
    if (to === undefined) {
        const isUtc = /^(?:Etc\/)?UTC$/i.test(from ?? '');
        const value = dates_date(given, last);
        return isUtc ? { ...cast(value, ZONED, given.at, given.writing), type: UTC_MOMENT } : undefined;
    }
    const moment = cast(dates_date(given, last), TIMESTAMP, given.at, given.writing).sql;
    const sql = computedOnce(moment, given.writing, (value) => betweenZones(value, from ?? '', to));
    return { sql, type: TIMESTAMP };
}
function betweenZones(moment, from, to) {
    const known = `(${moment} AT TIME ZONE ${quoteText(from)})`;
    const isLocal = (shifted) => `(${shifted} AT TIME ZONE ${quoteText(from)}) = ${moment}`;
    const again = [-60, -30, 30, 60].map((minutes) => isLocal(`(${known} + to_minutes(${minutes}))`));
    const unsure = [`NOT (${isLocal(known)})`, ...again].join(' OR ');
    const message = `'Millrace does not support the time ''' || ${moment} || ${quoteText(`' in ${from}, which has it twice or not at all`)}`;
    return `CASE WHEN ${unsure} THEN error(${message}) ELSE ${known} AT TIME ZONE ${quoteText(to)} END`;
}
const ADD = { arguments: [3, 3], write: dateAdd };
const DIFF = { arguments: [3, 3], write: dateDiff };
const TO_TIMESTAMP = { ...toDate(TIMESTAMP), only: dates_one };
const DATES = {
    CURRENT_TIMESTAMP: { ...clock(ZONED), withoutTable: 'GETDATE()' },
    GETDATE: clock(ZONED, undefined, TIMESTAMP),
    LOCALTIMESTAMP: { ...clock(ZONED, undefined, TIMESTAMP), withoutTable: 'GETDATE()' },
    SYSDATE: clock(TIMESTAMP),
    NOW: { ...clock(ZONED, 'WAREHOUSE_TWO'), withoutTable: 'GETDATE()' },
    CURRENT_DATE: clock(DATE),
    DATEADD: ADD,
    TIMESTAMPADD: { ...ADD, only: dates_one },
    DATEDIFF: DIFF,
    TIMESTAMPDIFF: { ...DIFF, only: dates_one },
    DATE_TRUNC: { arguments: [2, 2], write: truncate },
    DATE_PART: { arguments: [2, 2], write: (given) => dates_part(given.values[0]?.text ?? '', given, 1) },
    YEAR: partFunction('YEAR'),
    QUARTER: partFunction('QUARTER'),
    MONTH: partFunction('MONTH'),
    DAY: partFunction('DAY'),
    DAYOFMONTH: partFunction('DAY'),
    DAYOFWEEK: partFunction('DAYOFWEEK'),
    DAYOFWEEKISO: partFunction('DAYOFWEEKISO'),
    DAYOFYEAR: partFunction('DAYOFYEAR'),
    WEEK: partFunction('WEEK'),
    WEEKOFYEAR: partFunction('WEEK'),
    WEEKISO: partFunction('WEEK'),
    HOUR: partFunction('HOUR'),
    MINUTE: partFunction('MINUTE'),
    SECOND: partFunction('SECOND'),
    DAYNAME: shortName('dayname'),
    MONTHNAME: shortName('monthname'),
    LAST_DAY: { arguments: [1, 2], warehouseArguments: { WAREHOUSE_TWO: [1, 1] }, write: lastDay },
    ADD_MONTHS: { arguments: [2, 2], only: dates_one, write: addMonths },
    TO_DATE: { ...toDate(DATE), warehouseArguments: { WAREHOUSE_TWO: [2, 3] } },
    DATE: { ...toDate(DATE), only: dates_one },
    TRY_TO_DATE: { ...toDate(DATE, true), only: dates_one },
    TO_TIMESTAMP,
    TO_TIMESTAMP_NTZ: TO_TIMESTAMP,
    TRY_TO_TIMESTAMP: { ...toDate(TIMESTAMP, true), only: dates_one },
    TRY_TO_TIMESTAMP_NTZ: { ...toDate(TIMESTAMP, true), only: dates_one },
    TO_CHAR: { arguments: [1, 2], write: toChar },
    TO_VARCHAR: { arguments: [1, 2], only: dates_one, write: toChar },
    MONTHS_BETWEEN: { arguments: [2, 2], only: dates_one, write: monthsBetween },
    DATE_FROM_PARTS: { arguments: [3, 3], only: dates_one, write: dateFromParts },
    DATEFROMPARTS: { arguments: [3, 3], only: dates_one, write: dateFromParts },
    CONVERT_TIMEZONE: { arguments: [2, 3], only: dates_one, write: convertZone },
};

;// CONCATENATED MODULE: ./engine/dialect/write/cut-number.js


function cutNumber(value, places, writing) {
    const { precision, scale } = digitsOf(value.type) ?? { precision: 38, scale: 0 };
    if (places >= scale)
        return value;
    const type = typed_decimal(precision + 1, Math.max(0, places));
    const as = (sql) => `CAST(${sql} AS ${duckdbType(type)})`;
    const step = places > 0 ? `0.${'0'.repeat(places - 1)}1` : `1${'0'.repeat(-places)}`;
    const sql = computedOnce(value.sql, writing, (number) => {
        const rounded = as(`round(${number}, ${places})`);
        const down = `WHEN ${number} > 0 AND ${rounded} > ${number} THEN ${as(`${rounded} - ${step}`)}`;
        const up = `WHEN ${number} < 0 AND ${rounded} < ${number} THEN ${as(`${rounded} + ${step}`)}`;
        return `CASE ${down} ${up} ELSE ${rounded} END`;
    });
    return { sql, type };
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/numbers.js








function numbers_double(name, count = 1) {
    return {
        arguments: [count, count],
        write: (given) => {
            const values = given.values.map((_, index) => rule_float(given, index));
            return finite(`${name}(${values.join(', ')})`, given.writing);
        },
    };
}
function absolute(given) {
    const value = rule_number(given, 0);
    return { sql: `abs(${value.sql})`, type: value.type, ...(value.isInteger && { isInteger: true }) };
}
function toPlaces(name) {
    return {
        arguments: [1, 2],
        write: (given) => {
            const value = rule_number(given, 0);
            const places = given.values.length > 1 ? literal(given, 1) : 0;
            if (places === undefined)
                return undefined;
            const digits = digitsOf(value.type);
            if (digits === undefined)
                return doubleTo(name, value, places, given.writing);
            if (places >= digits.scale)
                return value;
            if (name === 'trunc')
                return truncated(value, digits, places, given.writing);
            const type = typed_decimal(digits.precision + 1, Math.max(0, places));
            return { sql: `CAST(round(${value.sql}, ${places}) AS ${duckdbType(type)})`, type };
        },
    };
}
function doubleTo(name, value, places, writing) {
    if (name === 'round')
        return Math.abs(places) > 300 ? undefined : roundedFloat(value, places, writing);
    return places === 0 ? { sql: `trunc(${value.sql})`, type: FLOAT } : undefined;
}
function truncated(value, digits, places, writing) {
    if (Math.abs(places) > 37)
        return undefined;
    if (places !== 0)
        return cutNumber(value, places, writing);
    const type = typed_decimal(digits.precision, 0);
    return { sql: `CAST(trunc(${value.sql}) AS ${duckdbType(type)})`, type };
}
function whole(name) {
    return {
        arguments: [1, 2],
        warehouseArguments: { WAREHOUSE_TWO: [1, 1] },
        write: (given) => {
            const value = rule_number(given, 0);
            const digits = digitsOf(value.type);
            if (given.values.length > 1)
                return wholeTo(name, value, literal(given, 1));
            if (digits?.scale === 0)
                return value;
            if (digits === undefined)
                return { sql: `${name}(${value.sql})`, type: FLOAT };
            const type = typed_decimal(digits.precision + 1, 0);
            return { sql: `CAST(${name}(${value.sql}) AS ${duckdbType(type)})`, type };
        },
    };
}
function wholeTo(name, value, places) {
    const digits = value.type.name === 'NULL' ? { precision: 1, scale: 0 } : digitsOf(value.type);
    if (digits === undefined || places === undefined || Math.abs(places) > 37)
        return undefined;
    if (places >= digits.scale)
        return value;
    const type = duckdbType(typed_decimal(digits.precision + 1, Math.max(0, places)));
    const rounded = `CAST(round(${value.sql}, ${places}) AS ${type})`;
    const step = places > 0 ? `0.${'0'.repeat(places - 1)}1` : `1${'0'.repeat(-places)}`;
    const [isWrong, corrected] = name === 'floor' ? ['>', `${rounded} - ${step}`] : ['<', `${rounded} + ${step}`];
    const sql = `CASE WHEN ${rounded} ${isWrong} ${value.sql} THEN CAST(${corrected} AS ${type}) ELSE ${rounded} END`;
    return { sql, type: typed_decimal(digits.precision + 1, Math.max(0, places)) };
}
function modulo(given) {
    return arithmetic('%', rule_number(given, 0), rule_number(given, 1), given.at, given.writing);
}
function divideOrZero(given) {
    const [dividend, by] = given.values;
    if (dividend && by)
        arithmetic('/', dividend, by, given.at, given.writing);
    const divisor = rule_number(given, 1);
    const zero = `nullif(${divisor.sql}, 0)`;
    const quotient = arithmetic('/', rule_number(given, 0), { ...divisor, number: '1' }, given.at, given.writing);
    const safe = arithmetic('/', rule_number(given, 0), { sql: zero, type: divisor.type, number: '1' }, given.at, given.writing);
    const isNull = `${rule_number(given, 0).sql} IS NOT NULL AND ${divisor.sql} = 0`;
    return { sql: `CASE WHEN ${isNull} THEN 0 ELSE ${safe.sql} END`, type: quotient.type };
}
function sign(given) {
    const { sql, type } = rule_number(given, 0);
    const kept = isOne(given.writing) || type.name === 'NUMBER' ? typed_decimal(1, 0) : type;
    return isOne(given.writing)
        ? { sql: `sign(${sql})`, type: kept, isInteger: true }
        : { sql: `CAST(sign(${sql}) AS ${duckdbType(kept)})`, type: kept };
}
function random({ writing }) {
    if (!isOne(writing))
        return { sql: 'random()', type: FLOAT };
    const sql = 'CAST(floor((random() - 0.5) * 18446744073709551615) AS DECIMAL(38, 0))';
    return { sql, type: typed_WHOLE, isInteger: true };
}
function uuid() {
    const groups = "'(.{8})(.{4}).(.{3}).(.{3})(.{12})', '\\1-\\2-4\\3-8\\4-\\5'";
    return { sql: `regexp_replace(md5(CAST(random() AS VARCHAR)), ${groups})`, type: typed_TEXT };
}
function logarithm(given) {
    const [base, value] = [0, 1].map((index) => rule_float(given, index));
    return finite(`(ln(${value}) / ln(${base}))`, given.writing);
}
const numbers_one = 'WAREHOUSE_ONE';
const TRUNCATE = toPlaces('trunc');
function truncateAny(given) {
    const [value, unit] = given.values;
    if (value === undefined || unit === undefined || !isDateLike(value.type))
        return TRUNCATE.write?.(given);
    return DATES.DATE_TRUNC?.write?.({ ...given, values: [unit, value] });
}
const NUMBERS = {
    ABS: { arguments: [1, 1], write: absolute },
    ROUND: { ...toPlaces('round'), warehouseArguments: { WAREHOUSE_ONE: [1, 3] } },
    TRUNC: { ...TRUNCATE, write: truncateAny },
    TRUNCATE: { ...TRUNCATE, only: numbers_one, write: truncateAny },
    RANDOM: { arguments: [0, 0], warehouseArguments: { WAREHOUSE_ONE: [0, 1] }, write: random },
    UUID_STRING: { arguments: [0, 0], warehouseArguments: { WAREHOUSE_ONE: [0, 2] }, only: numbers_one, write: uuid },
    FLOOR: whole('floor'),
    CEIL: whole('ceil'),
    CEILING: whole('ceil'),
    MOD: { arguments: [2, 2], write: modulo },
    DIV0: { arguments: [2, 2], only: numbers_one, write: divideOrZero },
    SIGN: { arguments: [1, 1], write: sign },
    SQRT: numbers_double('sqrt'),
    EXP: numbers_double('exp'),
    LN: numbers_double('ln'),
    LOG: { arguments: [2, 2], only: numbers_one, write: logarithm },
    SIN: numbers_double('sin'),
    COS: numbers_double('cos'),
    TAN: numbers_double('tan'),
    RADIANS: numbers_double('radians'),
    DEGREES: numbers_double('degrees'),
    PI: { arguments: [0, 0], write: () => ({ sql: 'pi()', type: FLOAT }) },
    POWER: numbers_double('pow', 2),
    POW: { ...numbers_double('pow', 2), only: numbers_one },
    ZEROIFNULL: {
        arguments: [1, 1],
        only: numbers_one,
        write: (given) => {
            const { sql, type } = rule_number(given, 0);
            return type.name === 'NULL'
                ? { sql: '0', type: typed_decimal(1, 0), isInteger: true }
                : { sql: `coalesce(${sql}, 0)`, type };
        },
    },
    NULLIFZERO: {
        arguments: [1, 1],
        only: numbers_one,
        write: (given) => ({ sql: `nullif(${rule_number(given, 0).sql}, 0)`, type: rule_number(given, 0).type }),
    },
    TO_NUMBER: numberRule(false),
    TO_DECIMAL: numberRule(false),
    TO_NUMERIC: numberRule(false),
    TRY_TO_NUMBER: numberRule(true),
    TO_DOUBLE: doubleRule(false),
    TRY_TO_DOUBLE: doubleRule(true),
};
function numberRule(isTry) {
    return {
        arguments: [1, 3],
        warehouseArguments: { WAREHOUSE_ONE: [1, 4] },
        only: numbers_one,
        write: (given) => numbers_toNumber(given, isTry),
    };
}
function doubleRule(isTry) {
    return {
        arguments: [1, 1],
        warehouseArguments: { WAREHOUSE_ONE: [1, 2] },
        only: numbers_one,
        write: (given) => castTo(given, FLOAT, isTry),
    };
}
function numbers_toNumber(given, isTry) {
    if (given.values.length === 1)
        return castTo(given, typed_WHOLE, isTry);
    if (given.values[1]?.text !== undefined)
        return formatted(given, given.values[1].text, isTry);
    const precision = literal(given, 1);
    const scale = given.values.length > 2 ? literal(given, 2) : 0;
    if (precision === undefined ||
        scale === undefined ||
        precision < 1 ||
        precision > 38 ||
        scale < 0 ||
        scale > precision)
        return undefined;
    return castTo(given, typed_decimal(precision, scale), isTry);
}
function formatted(given, format, isTry) {
    if (given.values.length > 2 || given.values[0]?.type.name !== 'VARCHAR')
        return undefined;
    if (!/^(?:9{1,38}|9{1,3}(?:,999){1,11})$/.test(format))
        return undefined;
    const groups = format.split(',').length - 1;
    const digits = format.replaceAll(',', '').length;
    const value = rule_text(given, 0);
    const form = groups === 0 ? `\\d{1,${digits}}` : `\\d{1,3}(,\\d{3}){0,${groups}}`;
    const plain = `replace(${value}, ',', '')`;
    const fits = `regexp_full_match(${value}, '${form}') AND length(${plain}) <= ${digits}`;
    const isNone = `${value} = '' OR regexp_matches(${value}, '[^-+0-9,.$() eE]')`;
    const none = isTry ? 'NULL' : `error('Numeric value ''' || ${value} || ''' is not recognized')`;
    const other = `error('Millrace does not support the number text ''' || ${value} || ''' in the format ''${format}''')`;
    const type = duckdbType(typed_WHOLE);
    return {
        sql: `CASE WHEN ${value} IS NULL THEN NULL WHEN ${fits} THEN TRY_CAST(${plain} AS ${type}) WHEN ${isNone} THEN ${none} ELSE CAST(${other} AS ${type}) END`,
        type: typed_WHOLE,
    };
}
function castTo(given, type, isTry) {
    const [value] = given.values;
    if (value === undefined)
        throw new Error('no argument');
    return cast(value, type, given.at, given.writing, isTry);
}

;// CONCATENATED MODULE: ./engine/dialect/write/join-texts.js




function maxTextBytes(writing) {
    return isOne(writing) ? 16_777_216 : 65_535;
}
const SHORT_PART = 1000;
const OTHER_VALUE = 100;
function joinTexts(values, at, writing) {
    const parts = values.flatMap((value) => value.parts ?? [partOf(value, at, writing)]);
    const result = { type: typed_TEXT, parts };
    const mayBeLarge = parts.some(({ bytes }) => bytes === undefined || bytes > SHORT_PART);
    const most = parts.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    if (!mayBeLarge && most <= LARGE_TEXT)
        return { ...result, sql: inPairs(parts) };
    const measured = parts.filter(({ bytes, isFixed }) => bytes === undefined || bytes > SHORT_PART || !isFixed);
    const rest = parts.reduce((sum, { bytes = 0, isFixed }) => sum + (isFixed && bytes <= SHORT_PART ? bytes : 0), 0);
    const sum = (names) => [...names.map((name) => `strlen(${name})`), rest].join(' + ');
    const checked = (size, sql) => {
        const copies = Math.ceil(Math.log2(parts.length)) + 1;
        const check = `${FUNCTIONS.checkSize}(CAST(${size} AS HUGEINT), ${maxTextBytes(writing)}, ${copies})`;
        return `CASE WHEN CASE WHEN ${size} > ${LARGE_TEXT} THEN ${check} ELSE 0 END = 0 THEN ${sql} END`;
    };
    if (isComputedOnce(measured, writing))
        return { ...result, sql: joinedOnce(parts, measured, sum, checked) };
    const [first, ...others] = parts;
    if (first === undefined)
        throw new Error('no text');
    const begin = { ...first, sql: checked(sum(measured.map(({ sql }) => sql)), first.sql) };
    return { ...result, sql: inPairs([begin, ...others]) };
}
const join_texts_LONG_SQL = 500;
function isComputedOnce(parts, writing) {
    const sql = parts.map((part) => part.sql).join(' ');
    if (sql.includes('nextval('))
        return true;
    return sql.length > join_texts_LONG_SQL && writing.names.outer === undefined && !/\bSELECT\b/.test(sql);
}
function joinedOnce(parts, measured, sum, checked) {
    const names = new Map(measured.map((part, index) => [part, `part_${index}`]));
    const inner = parts.map((part) => {
        const name = names.get(part);
        return name === undefined ? part : { ...part, sql: `parts.${name}` };
    });
    const struct = measured.map((part) => `${names.get(part)} := ${part.sql}`).join(', ');
    const size = sum([...names.values()].map((name) => `parts.${name}`));
    return `list_transform([struct_pack(${struct})], lambda parts: ${checked(size, inPairs(inner))})[1]`;
}
function partOf(value, at, writing) {
    const { sql } = expectText(value, at, writing);
    if (value.text !== undefined)
        return { sql, bytes: Buffer.byteLength(value.text), isFixed: true };
    if (value.type.name === 'VARIANT')
        return { sql, bytes: undefined };
    if (value.type.name !== 'VARCHAR')
        return { sql, bytes: OTHER_VALUE };
    const { length } = value.type;
    return { sql, bytes: length === undefined ? undefined : isOne(writing) ? 4 * length : length };
}
function inPairs(parts) {
    const [first] = parts;
    if (first === undefined)
        throw new Error('no text');
    if (parts.length === 1)
        return first.sql;
    const half = Math.ceil(parts.length / 2);
    return `(${inPairs(parts.slice(0, half))} || ${inPairs(parts.slice(half))})`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/text-sizes.js



function text_sizes_sizeCheck(given, size) {
    return `CAST(${FUNCTIONS.checkSize}(CAST(${size} AS HUGEINT), ${maxTextBytes(given.writing)}, 1) AS BIGINT)`;
}
function bounded(given, count, size) {
    return `(${count}) + CASE WHEN ${size} > ${LARGE_TEXT} THEN ${text_sizes_sizeCheck(given, size)} ELSE 0 END`;
}
function checked(given, size, result) {
    const isChecked = `CASE WHEN ${size} > ${LARGE_TEXT} THEN ${text_sizes_sizeCheck(given, size)} ELSE 0 END`;
    const members = [0, 1, 2].map((index) => `a${index}: ${index === 2 ? third(given) : rule_text(given, index)}`);
    return `list_transform([{${members.join(', ')}}], lambda given: CASE WHEN ${isChecked} = 0 THEN ${result} END)[1]`;
}
function third(given) {
    return given.values.length > 2 ? rule_text(given, 2) : "''";
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/patterns.js





const NOT_SHARED = /\(\?[=!<]|\\[1-9]/;
function pattern(given) {
    const value = given.values[1]?.text;
    return value === undefined || NOT_SHARED.test(value) ? undefined : rule_text(given, 1);
}
function checkAlternatives(source, given) {
    const open = [['']];
    const finish = (alternatives) => {
        const isShorter = alternatives.some((first, index) => alternatives.slice(index + 1).some((later) => later !== first && later.startsWith(first)));
        if (isShorter && alternatives.length > 1)
            throw refusal('a regular expression with a shorter alternative first', given.at, given.writing, 'write the longer one first');
    };
    for (const [part] of source.matchAll(/\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|./gs)) {
        const alternatives = open.at(-1) ?? [''];
        if (part === '|')
            alternatives.push('');
        else if (part === '(')
            open.push(['']);
        else if (part === ')' && open.length > 1) {
            finish(alternatives);
            open.pop();
            addPart(open.at(-1) ?? [''], `(${alternatives.join('|')})`);
        }
        else
            addPart(alternatives, part);
    }
    finish(open[0] ?? []);
}
function addPart(alternatives, part) {
    alternatives[alternatives.length - 1] = `${alternatives.at(-1) ?? ''}${part}`;
}
function matchesNothing(source) {
    try {
        return build.RE2JS.compile(source).matcher('').find();
    }
    catch {
        return false;
    }
}
function regexpReplace(given) {
    const wanted = pattern(given);
    if (wanted === undefined || matchesNothing(given.values[1]?.text ?? ''))
        return undefined;
    checkAlternatives(given.values[1]?.text ?? '', given);
    const replace = (value, by) => `regexp_replace(${value}, ${wanted}, ${by}, 'g')`;
    const written = given.values.length > 2 ? given.values[2]?.text : '';
    if (!isOne(given.writing) && (written === undefined || written.includes('$')))
        return undefined;
    if (written !== undefined && Buffer.byteLength(written) <= 60)
        return { sql: replace(rule_text(given, 0), third(given)), type: typed_TEXT };
    const size = 'strlen(given.a0) * CAST(strlen(given.a2) AS DOUBLE) / 60';
    return { sql: checked(given, size, replace('given.a0', 'given.a2')), type: typed_TEXT };
}
function regexpLike(given) {
    const wanted = pattern(given);
    const options = given.values.length > 2 ? given.values[2]?.text : 'c';
    if (wanted === undefined || (options !== 'c' && options !== 'i'))
        return undefined;
    return { sql: `regexp_full_match(${rule_text(given, 0)}, ${wanted}, '${options}')`, type: BOOLEAN };
}
function regexpSubstring(given) {
    const wanted = pattern(given);
    if (wanted === undefined)
        return undefined;
    checkAlternatives(given.values[1]?.text ?? '', given);
    const value = rule_text(given, 0);
    return {
        sql: `CASE WHEN regexp_matches(${value}, ${wanted}) THEN regexp_extract(${value}, ${wanted}) END`,
        type: typed_TEXT,
    };
}
const patterns_one = 'WAREHOUSE_ONE';
const REGEXP_LIKE = { arguments: [2, 3], only: patterns_one, write: regexpLike };
const PATTERNS = {
    REGEXP_REPLACE: {
        arguments: [2, 3],
        warehouseArguments: { WAREHOUSE_ONE: [2, 6], WAREHOUSE_TWO: [2, 5] },
        write: regexpReplace,
    },
    REGEXP_LIKE,
    RLIKE: REGEXP_LIKE,
    REGEXP_SUBSTR: {
        arguments: [2, 2],
        warehouseArguments: { WAREHOUSE_ONE: [2, 6] },
        only: patterns_one,
        write: regexpSubstring,
    },
};

;// CONCATENATED MODULE: ./engine/dialect/write/functions/xml.js





function xml_one(least, most, write) {
    const written = (given) => {
        const [value] = given.values;
        return value && write(given, value);
    };
    return { arguments: [least, most], only: 'WAREHOUSE_ONE', write: written };
}
function json({ type, sql }) {
    if (type.name === 'NULL')
        return 'CAST(NULL AS VARCHAR)';
    return type.name === 'VARIANT' ? `CAST(${sql} AS VARCHAR)` : undefined;
}
function parse(given) {
    const keepsTexts = given.values[1];
    if (keepsTexts !== undefined && keepsTexts.type.name !== 'BOOLEAN')
        return undefined;
    const flag = keepsTexts === undefined ? '0' : `CAST(${keepsTexts.sql} AS INTEGER)`;
    const element = inBatches(rule_text(given, 0), (value) => `${FUNCTIONS.xml}(${value}, ${flag})`);
    return { sql: `CAST(${element} AS JSON)`, type: VARIANT };
}
function child(given, element) {
    if (json(element) === undefined)
        return undefined;
    const index = given.values.length > 2 ? integer(given, 2) : '0';
    const content = `millrace_element -> '$."$"'`;
    const items = `CASE WHEN json_type(${content}) = 'ARRAY' THEN json_extract(${content}, '$[*]') ELSE [${content}] END`;
    const named = `list_filter(${items}, lambda millrace_item: (millrace_item ->> '$."@"') = ${rule_text(given, 1)})`;
    const found = `CASE WHEN ${index} >= 0 THEN ${named}[${index} + 1] END`;
    return {
        sql: `list_transform([${toVariant(element, given.at, given.writing).sql}], lambda millrace_element: ${found})[1]`,
        type: VARIANT,
    };
}
const XML = {
    PARSE_XML: xml_one(1, 2, parse),
    CHECK_XML: xml_one(1, 2, (given) => ({
        sql: inBatches(rule_text(given, 0), (value) => `${FUNCTIONS.xmlFault}(${value})`),
        type: typed_TEXT,
    })),
    XMLGET: xml_one(2, 3, child),
    TO_XML: xml_one(1, 1, (_given, value) => {
        const from = json(value);
        const sql = from && inBatches(from, (element) => `${FUNCTIONS.xmlText}(${element})`);
        return sql === undefined ? undefined : { sql, type: typed_TEXT };
    }),
};
function refuseElement(value, what) {
    const isElement = `starts_with(CAST(${value} AS VARCHAR), ${ELEMENT_START}) AND json_exists(${value}, '$."@"')`;
    const message = quoteText(`Millrace does not support ${what} of an XML element; use TO_ARRAY of its "$"`);
    return `CASE WHEN ${isElement} THEN CAST(error(${message}) AS JSON) ELSE ${value} END`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/functions/semi-structured.js





function value(given, index = 0) {
    const found = given.values[index];
    if (found === undefined)
        throw new Error('no such argument');
    return found;
}
function variant(given, index = 0) {
    const found = value(given, index);
    return found.type.name === 'VARIANT' || found.type.name === 'NULL'
        ? toVariant(found, given.at, given.writing)
        : undefined;
}
const BLANKS = String.raw `E' \t\r\n'`;
function semi_structured_parseJson(isTry) {
    return {
        arguments: [1, 1],
        warehouseArguments: { WAREHOUSE_ONE: [1, 2] },
        write: (given) => parsed(`nullif(trim(${rule_text(given, 0)}, ${BLANKS}), '')`, isTry),
    };
}
function objectConstruct(given) {
    const members = [];
    for (let index = 0; index < given.values.length; index += 2) {
        const key = value(given, index).text;
        const member = given.values[index + 1];
        if (key === undefined || member === undefined)
            return undefined;
        members.push([key, member]);
    }
    const keys = members.map(([key]) => key);
    if (new Set(keys).size < keys.length)
        return undefined;
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    if (members.length === 0)
        return { sql: `CAST('{}' AS JSON)`, type: VARIANT };
    const parts = members.map(([key, member]) => `(${quoteText(`${JSON.stringify(key)}:`)} || CAST(${toVariant(member, given.at, given.writing).sql} AS VARCHAR))`);
    return { sql: `CAST('{' || concat_ws(',', ${parts.join(', ')}) || '}' AS JSON)`, type: VARIANT };
}
function arrayConstruct(given) {
    const items = given.values.map((item) => elementSql(toVariant(item, given.at, given.writing).sql));
    return {
        sql: items.length === 0 ? `CAST('[]' AS JSON)` : `json_array(${items.join(', ')})`,
        type: VARIANT,
    };
}
function arraySize(given) {
    const array = variant(given);
    if (array === undefined)
        return undefined;
    const sql = `CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN CAST(json_array_length(${array.sql}) AS BIGINT) END`;
    return { sql, type: typed_decimal(9, 0), isInteger: true };
}
function get(given) {
    const container = variant(given);
    const { text: key, number } = value(given, 1);
    if (container === undefined)
        return undefined;
    if (number !== undefined && /^\d+$/.test(number))
        return { sql: takenElementSql(`(${container.sql} -> '$[${number}]')`), type: VARIANT };
    if (key === undefined || /["\\]/.test(key))
        return undefined;
    return { sql: `(${container.sql} -> ${quoteText(`$."${key}"`)})`, type: VARIANT };
}
function listSql(array) {
    return `CAST(CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN json_extract(${array.sql}, '$[*]') END AS JSON[])`;
}
function arrayToString(given) {
    const array = variant(given);
    const separator = value(given, 1);
    if (separator.type.name === 'NULL')
        return { sql: 'CAST(NULL AS VARCHAR)', type: typed_TEXT };
    if (array === undefined || separator.text === undefined)
        return undefined;
    const message = quoteText('Millrace does not support ARRAY_TO_STRING of a JSON null');
    const empty = `CASE WHEN item = 'null' THEN error(${message}) WHEN item = '${UNDEFINED_JSON}' THEN '' END`;
    const shown = jsonTextSql('item', "(item ->> '$')");
    const texts = `list_transform(${listSql(array)}, lambda item: coalesce(${empty}, ${shown}))`;
    return { sql: `array_to_string(${texts}, ${rule_text(given, 1)})`, type: typed_TEXT };
}
function toArray(given) {
    const { sql } = toVariant(value(given), given.at, given.writing);
    return {
        sql: `CASE WHEN ${sql} IS NULL OR json_type(${sql}) = 'ARRAY' THEN ${sql} ELSE json_array(${sql}) END`,
        type: VARIANT,
    };
}
function arrayContains(given) {
    const item = value(given);
    const array = variant(given, 1);
    if (array === undefined || item.type.name !== 'VARIANT')
        return undefined;
    const found = `list_contains(${listSql(array)}, ${elementSql(item.sql)})`;
    return { sql: `CASE WHEN ${found} OR ${item.sql} IS NOT NULL THEN ${found} END`, type: BOOLEAN };
}
function arrayAppend(given) {
    const array = variant(given);
    if (array === undefined)
        return undefined;
    const added = `to_json(list_append(${listSql(array)}, ${elementSql(toVariant(value(given, 1), given.at, given.writing).sql)}))`;
    const message = quoteText('Millrace does not support ARRAY_APPEND to a value that is not an array');
    const other = `CASE WHEN ${array.sql} IS NOT NULL THEN CAST(error(${message}) AS JSON) END`;
    return {
        sql: `CASE WHEN json_type(${array.sql}) = 'ARRAY' THEN ${added} ELSE ${other} END`,
        type: VARIANT,
    };
}
function arrayConcat(given) {
    const [left, right] = [variant(given), variant(given, 1)];
    if (left === undefined || right === undefined)
        return undefined;
    const [a, b] = [listSql(left), listSql(right)];
    return {
        sql: `CASE WHEN ${a} IS NOT NULL AND ${b} IS NOT NULL THEN to_json(list_concat(${a}, ${b})) END`,
        type: VARIANT,
    };
}
function objectKeys(given) {
    const object = variant(given);
    if (object === undefined)
        return undefined;
    const keys = `list_sort(json_keys(${refuseElement(object.sql, 'OBJECT_KEYS')}))`;
    return { sql: `to_json(CASE WHEN json_type(${object.sql}) = 'OBJECT' THEN ${keys} END)`, type: VARIANT };
}
function semi_structured_split(given) {
    const separator = rule_text(given, 1);
    const known = value(given, 1).text;
    const parts = `to_json(string_split(${rule_text(given, 0)}, ${separator}))`;
    if (known !== undefined)
        return known === '' ? undefined : { sql: parts, type: VARIANT };
    const message = quoteText('Millrace does not support SPLIT at an empty separator');
    return {
        sql: `CASE WHEN ${separator} = '' THEN CAST(error(${message}) AS JSON) WHEN ${separator} <> '' THEN ${parts} END`,
        type: VARIANT,
    };
}
const MOMENT = String.raw `\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d\.\d{3}(?: \+0000)?)?|\d\d:\d\d:\d\d`;
const typeNames = {
    BOOLEAN: 'BOOLEAN',
    ARRAY: 'ARRAY',
    OBJECT: 'OBJECT',
    NULL: 'NULL_VALUE',
    BIGINT: 'INTEGER',
    UBIGINT: 'INTEGER',
};
function typeOf(given) {
    const found = variant(given);
    if (found === undefined)
        return undefined;
    const branches = Object.entries(typeNames).map(([json, name]) => `WHEN '${json}' THEN '${name}'`);
    const written = `CAST(${found.sql} AS VARCHAR)`;
    const isMoment = `regexp_full_match(${found.sql} ->> '$', '${MOMENT}')`;
    const message = quoteText('Millrace does not support TYPEOF of a text that may be a date or a time');
    const named = `CASE WHEN ${isMoment} THEN error(${message}) ELSE 'VARCHAR' END`;
    const number = `CASE WHEN contains(${written}, 'e') THEN 'DOUBLE' WHEN contains(${written}, '.') THEN 'DECIMAL' ELSE 'INTEGER' END`;
    return {
        sql: `CASE json_type(${found.sql}) WHEN 'VARCHAR' THEN ${named} ${branches.join(' ')} WHEN 'DOUBLE' THEN ${number} END`,
        type: typed_TEXT,
    };
}
function semi_structured_one(rule) {
    return { ...rule, only: 'WAREHOUSE_ONE' };
}
const SEMI_STRUCTURED = {
    PARSE_JSON: semi_structured_one(semi_structured_parseJson(false)),
    TRY_PARSE_JSON: semi_structured_one(semi_structured_parseJson(true)),
    OBJECT_CONSTRUCT: semi_structured_one({ arguments: [0, 500], write: objectConstruct }),
    ARRAY_CONSTRUCT: semi_structured_one({ arguments: [0, 500], write: arrayConstruct }),
    ARRAY_SIZE: semi_structured_one({ arguments: [1, 1], write: arraySize }),
    GET: semi_structured_one({ arguments: [2, 2], write: get }),
    TO_VARIANT: semi_structured_one({ arguments: [1, 1], write: (given) => toVariant(value(given), given.at, given.writing) }),
    TO_JSON: semi_structured_one({
        arguments: [1, 1],
        showsTypes: true,
        write: (given) => {
            const found = variant(given);
            return found && { sql: jsonTextSql(found.sql, `CAST(${found.sql} AS VARCHAR)`), type: typed_TEXT };
        },
    }),
    IS_NULL_VALUE: semi_structured_one({
        arguments: [1, 1],
        write: (given) => {
            const found = variant(given);
            return found && { sql: `(json_type(${found.sql}) = 'NULL')`, type: BOOLEAN };
        },
    }),
    SPLIT: semi_structured_one({ arguments: [2, 2], write: semi_structured_split }),
    ARRAY_TO_STRING: semi_structured_one({ arguments: [2, 2], showsTypes: true, write: arrayToString }),
    TO_ARRAY: semi_structured_one({ arguments: [1, 1], write: toArray }),
    ARRAY_CONTAINS: semi_structured_one({ arguments: [2, 2], write: arrayContains }),
    ARRAY_APPEND: semi_structured_one({ arguments: [2, 2], write: arrayAppend }),
    ARRAY_CAT: semi_structured_one({ arguments: [2, 2], write: arrayConcat }),
    OBJECT_KEYS: semi_structured_one({ arguments: [1, 1], write: objectKeys }),
    TYPEOF: semi_structured_one({ arguments: [1, 1], showsTypes: true, write: typeOf }),
};

;// CONCATENATED MODULE: ./engine/dialect/write/functions/texts.js







const LENGTH = typed_decimal(18, 0);
function texts_plain(name, least, most = least, type = typed_TEXT) {
    return {
        arguments: [least, most],
        write: (given) => ({
            sql: `${name}(${given.values.map((_, index) => rule_text(given, index)).join(', ')})`,
            type,
        }),
    };
}
function trim(name) {
    return {
        arguments: [1, 2],
        write: (given) => {
            const characters = given.values.length > 1 ? rule_text(given, 1) : "' '";
            return { sql: `${name}(${rule_text(given, 0)}, ${characters})`, type: typed_TEXT };
        },
    };
}
function texts_length(given) {
    const type = isOne(given.writing) ? LENGTH : { name: 'INTEGER' };
    return { sql: `length(${rule_text(given, 0)})`, type, isInteger: true };
}
function atLeastZero(given, index) {
    const known = literal(given, index);
    if (known !== undefined)
        return String(Math.max(known, 0));
    const count = integer(given, index);
    return `CASE WHEN ${count} < 0 THEN 0 ELSE ${count} END`;
}
function notNegative(given, index, name) {
    const count = integer(given, index);
    if (literal(given, index) !== undefined)
        return count;
    const message = `Millrace does not support ${name} with a negative number`;
    return `CASE WHEN ${count} < 0 THEN error('${message}') ELSE ${count} END`;
}
function substring(given) {
    if (!isOne(given.writing))
        return substringOfTwo(given);
    const start = literal(given, 1);
    const count = given.values.length > 2 ? `, ${atLeastZero(given, 2)}` : '';
    const value = rule_text(given, 0);
    if (start !== undefined && start >= 0)
        return { sql: `substring(${value}, ${start || 1}${count})`, type: typed_TEXT };
    const position = integer(given, 1);
    const within = `CASE WHEN ${position} < - length(${value}) THEN '' ELSE ${value} END`;
    const from = start ?? `CASE WHEN ${position} = 0 THEN 1 ELSE ${position} END`;
    return { sql: `substring(${within}, ${from}${count})`, type: typed_TEXT };
}
function substringOfTwo(given) {
    const value = rule_text(given, 0);
    const hasCount = given.values.length > 2;
    if (hasCount && (literal(given, 2) ?? 0) < 0)
        return undefined;
    const count = hasCount ? notNegative(given, 2, 'SUBSTRING') : undefined;
    const sql = computedOnce(integer(given, 1), given.writing, (start) => {
        const first = `CASE WHEN ${start} < 1 THEN 1 ELSE ${start} END`;
        if (count === undefined)
            return `substring(${value}, ${first})`;
        const end = `${start} + ${count}`;
        const rest = `CASE WHEN ${start} >= 1 THEN ${count} WHEN ${end} > 1 THEN ${end} - 1 WHEN ${end} <= 1 THEN 0 END`;
        return `substring(${value}, ${first}, ${rest})`;
    });
    return { sql, type: typed_TEXT };
}
function reverse(given) {
    const points = `regexp_extract_all(${rule_text(given, 0)}, '(?s).')`;
    return { sql: `array_to_string(list_reverse(${points}), '')`, type: typed_TEXT };
}
function side(name) {
    return {
        arguments: [2, 2],
        write: (given) => {
            const isKnown = isOne(given.writing) || (literal(given, 1) ?? 0) >= 0;
            const count = isOne(given.writing) ? atLeastZero(given, 1) : notNegative(given, 1, name.toUpperCase());
            return isKnown ? { sql: `${name}(${rule_text(given, 0)}, ${count})`, type: typed_TEXT } : undefined;
        },
    };
}
function pad(name) {
    return {
        arguments: [2, 3],
        write: (given) => {
            const fill = given.values.length > 2 ? rule_text(given, 2) : "' '";
            const known = literal(given, 1);
            const wanted = atLeastZero(given, 1);
            const isShort = known !== undefined && known <= LARGE_TEXT;
            const size = `${wanted} + least(strlen(${rule_text(given, 0)}), 0)`;
            const count = isShort ? wanted : bounded(given, wanted, size);
            return { sql: `${name}(${rule_text(given, 0)}, CAST(${count} AS INTEGER), ${fill})`, type: typed_TEXT };
        },
    };
}
function texts_concat({ values, at, writing }) {
    return joinTexts(values, at, writing);
}
function concatWithSeparator({ values, at, writing }) {
    const [separator, ...parts] = values;
    if (separator === undefined)
        throw new Error('no separator');
    const between = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
    return joinTexts(between, at, writing);
}
function splitPart(given) {
    const part = literal(given, 2);
    if (part === undefined || (!isOne(given.writing) && part < 1))
        return undefined;
    const [value, separator] = [rule_text(given, 0), rule_text(given, 1)];
    const split = `split_part(${value}, ${separator}, ${part || 1})`;
    const known = given.values[1]?.text;
    if (known === undefined ? !isOne(given.writing) : known !== '')
        return { sql: split, type: typed_TEXT };
    if (!isOne(given.writing))
        return undefined;
    const unsplit = Math.abs(part || 1) === 1 ? value : `CASE WHEN ${value} IS NOT NULL THEN '' END`;
    return { sql: `CASE WHEN ${separator} = '' THEN ${unsplit} ELSE ${split} END`, type: typed_TEXT };
}
function indexOf(needle) {
    return {
        arguments: [2, 2],
        write: (given) => {
            const [part, whole] = [rule_text(given, needle), rule_text(given, 1 - needle)];
            const type = isOne(given.writing) ? LENGTH : { name: 'INTEGER' };
            if (given.values.length === 2)
                return { sql: `instr(${whole}, ${part})`, type, isInteger: true };
            const sql = indexFrom(given, part, whole);
            return sql === undefined ? undefined : { sql, type, isInteger: true };
        },
    };
}
function indexFrom(given, part, whole) {
    const start = literal(given, 2);
    const known = given.values[0]?.text;
    if (start === undefined || start < 1 || known === undefined || known === '')
        return undefined;
    const found = `instr(substring(${whole}, ${start}), ${part})`;
    return `CASE ${found} WHEN 0 THEN 0 ELSE ${found} + ${start - 1} END`;
}
function texts_replaceText(given) {
    const [from, to] = [given.values[1]?.text, given.values.length > 2 ? given.values[2]?.text : ''];
    const cannotGrow = from !== undefined && to !== undefined && Buffer.byteLength(to) <= Buffer.byteLength(from);
    if (cannotGrow)
        return { sql: `replace(${rule_text(given, 0)}, ${rule_text(given, 1)}, ${third(given)})`, type: typed_TEXT };
    const matches = `(strlen(given.a0) - strlen(replace(given.a0, given.a1, ''))) / greatest(strlen(given.a1), 1)`;
    const size = `strlen(given.a0) + ${matches} * CAST(strlen(given.a2) - strlen(given.a1) AS DOUBLE)`;
    return { sql: checked(given, size, 'replace(given.a0, given.a1, given.a2)'), type: typed_TEXT };
}
function sha2(given) {
    const bits = given.values.length > 1 ? literal(given, 1) : 256;
    return bits === 256 ? { sql: `sha256(${rule_text(given, 0)})`, type: typed_TEXT } : undefined;
}
function code(given) {
    const value = rule_text(given, 0);
    const type = isOne(given.writing) ? LENGTH : { name: 'INTEGER' };
    return { sql: `CASE WHEN ${value} = '' THEN 0 ELSE unicode(${value}) END`, type, isInteger: true };
}
const DELIMITERS = '\\s\\v!?@"^#$&~_,.:;+\\-*%/|\\\\\\[\\](){}<>';
function capitalize(given) {
    const [word, between] = isOne(given.writing)
        ? [`[^${DELIMITERS}]+`, `[${DELIMITERS}]+`]
        : ['[\\p{L}\\p{N}]+', '[^\\p{L}\\p{N}]+'];
    const plainLetters = withoutSpecial('INITCAP', rule_text(given, 0), given.writing, (value) => value);
    const words = `regexp_extract_all(lower(${plainLetters}), '${word}|${between}')`;
    return {
        sql: `CASE WHEN ${rule_text(given, 0)} IS NOT NULL THEN array_to_string(list_transform(${words}, lambda word: upper(left(word, 1)) || substr(word, 2)), '') END`,
        type: typed_TEXT,
    };
}
function repeatText(given) {
    const known = literal(given, 1);
    if (known !== undefined && known < 0)
        throw refusal('REPEAT with a negative number', given.at, given.writing);
    const [value, count] = [rule_text(given, 0), notNegative(given, 1, 'REPEAT')];
    const size = `strlen(${value}) * CAST(${count} AS DOUBLE)`;
    return { sql: `repeat(${value}, ${bounded(given, count, size)})`, type: typed_TEXT };
}
function character(given) {
    const point = `CAST(${integer(given, 0)} AS INTEGER)`;
    const most = isOne(given.writing) ? 0x10_ff_ff : 0x7f;
    const message = `Millrace does not support CHR of a number that is not from 1 to ${most}`;
    return {
        sql: `CASE WHEN ${point} NOT BETWEEN 1 AND ${most} THEN error('${message}') ELSE chr(${point}) END`,
        type: typed_TEXT,
    };
}
const texts_SPECIAL = 'ßŉǰΐΰևẖ-ẚὐὒὔὖᾀ-ᾯᾲ-ᾴᾶᾷᾼῂ-ῄῆῇῌῒΐῖῗῢ-ῤῦῧῲ-ῴῶῷῼﬀ-ﬆﬓ-ﬗİ';
function otherCase(name) {
    return {
        arguments: [1, 1],
        write: (given) => {
            const change = (value) => `${name.toLowerCase()}(${value})`;
            const value = rule_text(given, 0);
            const sql = given.values[0]?.hasPlainLetters
                ? change(value)
                : withoutSpecial(name, value, given.writing, change);
            return { sql, type: typed_TEXT, hasPlainLetters: true };
        },
    };
}
function withoutSpecial(name, given, writing, use) {
    const message = `Millrace does not support ${name} of a text with a letter, such as ß or İ, that is not a single letter in the other case`;
    return computedOnce(given, writing, (value) => {
        const isSpecial = `strlen(${value}) <> length(${value}) AND regexp_matches(${value}, '[${texts_SPECIAL}]')`;
        return `CASE WHEN ${isSpecial} THEN error('${message}') ELSE ${use(value)} END`;
    });
}
const texts_one = 'WAREHOUSE_ONE';
const LENGTH_RULE = { arguments: [1, 1], write: texts_length };
const CHARINDEX = {
    ...indexOf(0),
    arguments: [2, 3],
    warehouseArguments: { WAREHOUSE_TWO: [2, 2] },
};
const SUBSTRING = { arguments: [2, 3], write: substring };
const texts_TEXTS = {
    UPPER: otherCase('UPPER'),
    LOWER: otherCase('LOWER'),
    TRIM: trim('trim'),
    LTRIM: trim('ltrim'),
    RTRIM: trim('rtrim'),
    LENGTH: LENGTH_RULE,
    LEN: LENGTH_RULE,
    CHAR_LENGTH: { ...LENGTH_RULE, only: 'WAREHOUSE_TWO' },
    SUBSTR: SUBSTRING,
    SUBSTRING,
    LEFT: side('left'),
    RIGHT: side('right'),
    LPAD: pad('lpad'),
    RPAD: pad('rpad'),
    REPLACE: { arguments: [2, 3], warehouseArguments: { WAREHOUSE_TWO: [3, 3] }, write: texts_replaceText },
    REVERSE: { arguments: [1, 1], write: reverse },
    CONCAT: { arguments: [1, 100], warehouseArguments: { WAREHOUSE_TWO: [2, 2] }, write: texts_concat },
    CONCAT_WS: { arguments: [2, 100], only: texts_one, write: concatWithSeparator },
    SPLIT_PART: { arguments: [3, 3], write: splitPart },
    CONTAINS: { ...texts_plain('contains', 2, 2, BOOLEAN), only: texts_one },
    STARTSWITH: { ...texts_plain('starts_with', 2, 2, BOOLEAN), only: texts_one },
    ENDSWITH: { ...texts_plain('ends_with', 2, 2, BOOLEAN), only: texts_one },
    CHARINDEX,
    POSITION: CHARINDEX,
    STRPOS: { ...indexOf(1), only: 'WAREHOUSE_TWO' },
    MD5: texts_plain('md5', 1),
    SHA2: { arguments: [1, 2], write: sha2 },
    ASCII: { arguments: [1, 1], write: code },
    CHR: { arguments: [1, 1], write: character },
    INITCAP: { arguments: [1, 1], warehouseArguments: { WAREHOUSE_ONE: [1, 2] }, write: capitalize },
    REPEAT: { arguments: [2, 2], write: repeatText },
    TRANSLATE: texts_plain('translate', 3),
};

;// CONCATENATED MODULE: ./engine/dialect/write/functions/session.js

function named(find, only) {
    return {
        arguments: [0, 0],
        ...(only && { only }),
        write: (given) => ({ sql: quoteText(find(given)), type: typed_TEXT }),
    };
}
const only = named(() => 'MILLRACE', 'WAREHOUSE_ONE');
const sequence = {
    arguments: [0, 0],
    warehouseArguments: { WAREHOUSE_ONE: [0, 1] },
    only: 'WAREHOUSE_ONE',
    write: ({ writing }) => {
        const [relation, ...others] = writing.names.relations;
        if (relation?.counter === undefined || others.length > 0)
            return undefined;
        return { sql: `CAST(${relation.counter} AS DECIMAL(38, 0))`, type: typed_decimal(38, 0), isInteger: true };
    },
};
const SESSION = {
    CURRENT_DATABASE: named(({ writing }) => writing.session.context.defaults.database),
    CURRENT_SCHEMA: {
        ...named(({ writing }) => writing.session.context.defaults.schema),
        withoutTable: 'the name itself',
    },
    CURRENT_USER: only,
    CURRENT_ROLE: only,
    CURRENT_WAREHOUSE: only,
    SEQ1: sequence,
    SEQ2: sequence,
    SEQ4: sequence,
    SEQ8: sequence,
};

;// CONCATENATED MODULE: ./engine/dialect/write/functions/windows.js




function rank(name) {
    return {
        arguments: [0, 0],
        kind: 'window',
        write: (given) => ({
            sql: `${name}()${OVER}`,
            type: isOne(given.writing) ? typed_decimal(18, 0) : { name: 'BIGINT' },
            isInteger: true,
        }),
    };
}
function share(name) {
    return { arguments: [0, 0], kind: 'window', write: () => ({ sql: `${name}()${OVER}`, type: FLOAT }) };
}
function nulls(given) {
    return given.call.ignoresNulls ? ' IGNORE NULLS' : '';
}
function neighbour(name) {
    return {
        arguments: [1, 3],
        warehouseArguments: { WAREHOUSE_TWO: [1, 2] },
        kind: 'window',
        mayIgnoreNulls: true,
        write: (given) => {
            const [value, , otherwise] = given.values;
            const distance = given.values.length > 1 ? literal(given, 1) : 1;
            if (value === undefined || distance === undefined)
                return undefined;
            if (distance < 0 && !isOne(given.writing))
                return undefined;
            const type = otherwise ? commonType([value, otherwise], given.at, given.writing) : value.type;
            const inner = convert(value, type, given.at, given.writing).sql;
            const last = otherwise ? `, ${convert(otherwise, type, given.at, given.writing).sql}` : '';
            return { sql: `${name}(${inner}, ${distance}${last}${nulls(given)})${OVER}`, type };
        },
    };
}
function edge(name) {
    return {
        arguments: [1, 1],
        kind: 'window',
        mayIgnoreNulls: true,
        isWholeFrame: true,
        write: (given) => {
            const [value] = given.values;
            return value && { sql: `${name}(${value.sql}${nulls(given)})${OVER}`, type: value.type };
        },
    };
}
function ntile(given) {
    const count = literal(given, 0);
    if (count === undefined || count < 1)
        return undefined;
    return {
        sql: `ntile(${count})${OVER}`,
        type: isOne(given.writing) ? typed_decimal(18, 0) : { name: 'BIGINT' },
        isInteger: true,
    };
}
const WINDOWS = {
    ROW_NUMBER: rank('row_number'),
    RANK: rank('rank'),
    DENSE_RANK: rank('dense_rank'),
    PERCENT_RANK: share('percent_rank'),
    CUME_DIST: share('cume_dist'),
    NTILE: { arguments: [1, 1], kind: 'window', write: ntile },
    LAG: neighbour('lag'),
    LEAD: neighbour('lead'),
    FIRST_VALUE: edge('first_value'),
    LAST_VALUE: edge('last_value'),
};

;// CONCATENATED MODULE: ./engine/dialect/write/correlation.js

const JOIN_INSTEAD = 'the warehouse refuses it: join the tables instead';
function noteOuterRead(scope, at, writing) {
    const { session, names } = writing;
    if (scope === names || scope.isConstant)
        return;
    session.outerReads.push({ scope, at });
    const isNext = names.outer !== undefined && isSame(names.outer, scope);
    if (!isNext && !isOne(writing))
        throw refusal('a subquery with a column of a query two levels around it', at, writing, JOIN_INSTEAD);
}
function isSame(scope, other) {
    return scope === other || (scope.relations.length > 0 && scope.relations === other.relations);
}
function markOuterReads({ session }) {
    return session.outerReads.length;
}
function readsScope(scope, since, { session }) {
    return session.outerReads.slice(since).some((read) => isSame(read.scope, scope));
}
function isCorrelated(since, writing) {
    for (let scope = writing.names.outer; scope; scope = scope.outer)
        if (readsScope(scope, since, writing))
            return true;
    return false;
}
const NO_LIMIT = 'the warehouse refuses it: take MIN, MAX or ANY_VALUE of the value, or join a query that numbers the rows with ROW_NUMBER()';
function refuseCorrelated(query, since, writing) {
    if (writing.names.outer === undefined || !isCorrelated(since, writing))
        return;
    if (correlation_isLimited(query))
        throw refusal('LIMIT in a correlated subquery', query.at, writing, NO_LIMIT);
    if (!isOne(writing) && has(query.body, ({ kind, window }) => kind === 'call' && window !== undefined))
        throw refusal('a window function in a correlated subquery', query.at, writing, JOIN_INSTEAD);
}
function correlation_isLimited({ limit, offset, body }) {
    if (limit !== undefined || offset !== undefined)
        return true;
    return body.kind === 'nested' && correlation_isLimited(body.query);
}
function refuseListed(what, query, since, writing) {
    if (isOne(writing)) {
        if (correlation_isLimited(query))
            throw refusal(`LIMIT in the query of ${what}`, query.at, writing, NOT_LISTED);
        return;
    }
    const isGrouped = query.body.kind === 'select' && query.body.groups !== undefined;
    if (what === 'IN' && isGrouped && readsScope(writing.names, since, writing) && hasTotal(query.body))
        throw refusal('IN of a correlated subquery with GROUP BY', query.at, writing, JOIN_INSTEAD);
}
const NOT_LISTED = 'the warehouse refuses it: select from a query in FROM that has the LIMIT';
const TOTALS = new Set([
    'COUNT',
    'SUM',
    'AVG',
    'LISTAGG',
    'MEDIAN',
    'STDDEV',
    'STDDEV_SAMP',
    'VARIANCE',
    'VAR_SAMP',
]);
function hasTotal(body) {
    return has(body, ({ kind, name }) => kind === 'call' && typeof name === 'string' && TOTALS.has(name));
}
function has(tree, test) {
    const visit = (part) => {
        if (typeof part !== 'object' || part === null)
            return false;
        if (Array.isArray(part))
            return part.some(visit);
        if (test(part))
            return true;
        return !('tables' in part && 'body' in part) && Object.values(part).some(visit);
    };
    return visit(tree);
}

;// CONCATENATED MODULE: ./engine/dialect/write/generator.js

const MAX_ROWS = 10_000_000;
function generatorSql({ call, at }, writing) {
    const count = call.named.get('ROWCOUNT');
    if (count === undefined || call.named.size > 1 || call.values.length > 0)
        throw refusal('GENERATOR with other arguments than ROWCOUNT => …', at, writing);
    const rows = count.kind === 'number' && /^\d{1,9}$/.test(count.value) ? Number(count.value) : Infinity;
    if (rows > MAX_ROWS)
        throw refusal(`GENERATOR with a ROWCOUNT other than a number of at most ${MAX_ROWS}`, at, writing);
    return `(SELECT range AS n FROM range(${rows}))`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/join-condition.js




const CORRELATED = 'the warehouse refuses it: join a query in FROM instead';
function conditionText({ how }, on, left, right, writing) {
    if (how === 'FULL' && !isOne(writing))
        refuseUnequal(on, left, right, writing);
    const names = {
        relations: [...left.relations, ...right.relations],
        merged: new Map([...left.merged, ...right.merged]),
        aliases: new Map(),
        outer: writing.names.outer,
    };
    const since = markOuterReads(writing);
    const { sql } = expectBoolean(write(on, { ...writing, names }), on.at, writing);
    if (how !== 'INNER' && !isOne(writing) && readsScope(names, since, writing))
        throw refusal(`a correlated subquery in ON of a ${how} JOIN`, on.at, writing, CORRELATED);
    return sql;
}
function refuseUnequal(on, left, right, writing) {
    if (on.kind === 'binary' && on.operator === 'AND') {
        refuseUnequal(on.left, left, right, writing);
        refuseUnequal(on.right, left, right, writing);
        return;
    }
    const sides = [left, right];
    const isEqual = on.kind === 'binary' &&
        on.operator === '=' &&
        [sides, sides.toReversed()].some(([a = left, b = right]) => isOf(on.left, a, writing) && isOf(on.right, b, writing));
    if (!isEqual)
        throw refusal('FULL JOIN on a condition other than equality', on.at, writing, TWO_JOINS);
}
const TWO_JOINS = 'the warehouse joins fully on equal values of both tables only: write a LEFT JOIN, and with UNION ALL the rows of the right table that have no match';
function isOf(value, { relations, merged }, writing) {
    if (!has(value, ({ kind }) => kind === 'column'))
        return false;
    try {
        write(value, { ...writing, names: { ...NO_NAMES, relations, merged } });
        return true;
    }
    catch (error) {
        if (error instanceof SqlError)
            return false;
        throw error;
    }
}

;// CONCATENATED MODULE: ./engine/dialect/write/flatten.js



const FLATTEN_MODES = ['ARRAY', 'OBJECT', 'BOTH'];
const FLATTEN_COLUMNS = [
    { name: 'KEY', type: typed_TEXT },
    { name: 'INDEX', type: typed_decimal(38, 0) },
    { name: 'VALUE', type: VARIANT },
];
function flattenSql(value, { isOuter, mode }, fresh) {
    const [v, w, e] = [fresh('v'), fresh('v'), fresh('e')];
    const isArray = `json_type(${v}.x) = 'ARRAY'`;
    const types = mode === 'BOTH' ? `'ARRAY', 'OBJECT'` : `'${mode}'`;
    const items = `LATERAL json_each(CASE WHEN json_type(${v}.x) IN (${types}) THEN ${v}.x END) AS ${e}`;
    const isThere = `CAST(${e}.value AS VARCHAR) <> '${UNDEFINED_JSON}'`;
    const joined = `${isOuter ? 'LEFT JOIN' : 'JOIN'} ${items} ON ${isThere}`;
    return `LATERAL (SELECT CASE WHEN ${isArray} THEN NULL ELSE ${e}.key END AS "KEY", CASE WHEN ${isArray} THEN CAST(${e}.key AS DECIMAL(38, 0)) END AS "INDEX", ${e}.value AS "VALUE" FROM (SELECT ${refuseElement(`${w}.x`, 'FLATTEN')} AS x FROM (SELECT ${value} AS x) AS ${w}) AS ${v} ${joined})`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/pivot.js



function writeUnpivot(item, { sql, relations }, writing) {
    const [relation, other] = relations;
    if (relation === undefined || other)
        throw refusal('UNPIVOT of joined tables', item.at, writing);
    const listed = item.columns.map((name) => ({
        name: fold(name, writing),
        typed: pivot_columnOf(relation, name, writing),
    }));
    const [first] = listed;
    const types = new Set(listed.map(({ typed }) => duckdbType(typed.type)));
    if (first === undefined || types.size > 1)
        throw sqlError('the columns of UNPIVOT must have one type; cast them to the same one', item.at, writing);
    const names = new Set(listed.map(({ name }) => name));
    const others = [...relation.columns].filter(([name]) => !names.has(name));
    const columns = [
        ...others.map(([name, { type }]) => ({ name, type })),
        { name: fold(item.name, writing), type: typed_TEXT },
        { name: fold(item.value, writing), type: first.typed.type },
    ];
    const cells = [
        ...others.map(([name, typed]) => `${typed.sql} AS ${quoteName(name)}`),
        `unnest([${listed.map(({ name }) => quoteText(name)).join(', ')}]) AS ${quoteName(columns.at(-2)?.name ?? '')}`,
        `unnest([${listed.map(({ typed }) => typed.sql).join(', ')}]) AS ${quoteName(columns.at(-1)?.name ?? '')}`,
    ];
    const own = writing.session.fresh('u');
    const rows = `SELECT ${cells.join(', ')} FROM ${sql}`;
    const kept = item.keepsNulls ? '' : ` WHERE ${own}.${quoteName(columns.at(-1)?.name ?? '')} IS NOT NULL`;
    return { sql: `(SELECT * FROM (${rows}) AS ${own}${kept})`, columns };
}
function writePivot(item, { sql, relations }, writing) {
    const [relation, other] = relations;
    if (relation === undefined || other)
        throw refusal('PIVOT of joined tables', item.at, writing);
    const { aggregate } = item;
    const [value] = aggregate.kind === 'call' ? aggregate.values : [];
    if (aggregate.kind !== 'call' || value?.kind !== 'column' || aggregate.values.length > 1)
        throw refusal('PIVOT without an aggregate of one column', aggregate.at, writing);
    const used = new Set([item.column, ...value.parts.slice(-1)].map((name) => fold(name, writing)));
    const groups = [...relation.columns].filter(([name]) => !used.has(name));
    const names = { ...NO_NAMES, relations };
    const results = item.values.map((each) => {
        const call = pivot_only(aggregate, item.column, value, each.value);
        return [nameOf(each, writing), write(call, { ...writing, names })];
    });
    const columns = [
        ...groups.map(([name, { type }]) => ({ name, type })),
        ...results.map(([name, { type }]) => ({ name, type })),
    ];
    const cells = [...groups, ...results].map(([name, typed]) => `${typed.sql} AS ${quoteName(name)}`);
    const by = groupBy(groups.map(([, typed]) => typed), writing.session.context.warehouse);
    return { sql: `(SELECT ${cells.join(', ')} FROM ${sql}${by})`, columns };
}
function pivot_only(aggregate, column, value, wanted) {
    const { at } = wanted;
    const left = { kind: 'column', at, parts: [column] };
    const when = { kind: 'binary', at, operator: '=', left, right: wanted };
    const chosen = {
        kind: 'case',
        at,
        subject: undefined,
        branches: [{ when, result: value }],
        otherwise: undefined,
    };
    return { ...aggregate, values: [chosen] };
}
function nameOf({ value, alias }, writing) {
    if (alias)
        return fold(alias, writing);
    if (value.kind === 'text')
        return `'${value.value}'`;
    if (value.kind === 'number')
        return value.value;
    throw refusal('a value of PIVOT that is not a literal', value.at, writing);
}
function pivot_columnOf(relation, name, writing) {
    const found = relation.columns.get(fold(name, writing));
    if (found)
        return found;
    throw sqlError(`column "${fold(name, writing)}" of UNPIVOT not found`, name.at, writing);
}

;// CONCATENATED MODULE: ./engine/dialect/write/values.js



function writeRows(rows, at, writing) {
    const values = rows.map((row) => row.map((value) => write(value, writing)));
    const width = values[0]?.length ?? 0;
    if (values.some((row) => row.length !== width))
        throw sqlError('each row of VALUES must have the same number of values', at, writing);
    const columns = Array.from({ length: width }, (_, index) => ({
        name: `${isOne(writing) ? 'COLUMN' : 'column'}${index + 1}`,
        type: commonType(values.flatMap((row) => row[index] ?? []), at, writing),
    }));
    const lines = values.map((row) => {
        const cells = row.map((value, index) => {
            const type = columns[index]?.type ?? value.type;
            return `CAST(${convert(value, type, at, writing).sql} AS ${duckdbType(type)})`;
        });
        return `(${cells.join(', ')})`;
    });
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    const own = writing.session.fresh('v');
    return { sql: `SELECT * FROM (VALUES ${lines.join(', ')}) AS ${own}(${names})`, columns };
}

;// CONCATENATED MODULE: ./engine/dialect/write/from.js










function writeFrom(item, writing, left = []) {
    if (item.kind === 'join')
        return writeJoin(item, writing, left);
    return { ...writeTable(item, writing, left), merged: new Map() };
}
function writeTable(item, writing, left) {
    switch (item.kind) {
        case 'table': {
            const { relation, path } = findTable(item.parts, item.at, writing);
            const last = item.parts.at(-1);
            const placed = place(relation, item.alias, last && fold(last, writing), writing, item.alias ? undefined : path);
            return path.length === 0 ? derived(placed) : placed;
        }
        case 'component': {
            const relation = writing.session.context.components.get(item.name);
            if (!relation)
                throw sqlError(`$T{${item.name}} is not a source of this component`, item.at, writing);
            return place(relation, item.alias, item.name, writing);
        }
        case 'derived': {
            const { outer } = writing.names;
            const around = item.isLateral ? { ...NO_NAMES, relations: left, outer } : outer;
            const query = writing.session.query(item.query, { ...writing, names: { ...NO_NAMES, outer: around } });
            return derived(place({ sql: `${item.isLateral ? 'LATERAL ' : ''}(${query.sql})`, columns: query.columns }, item.alias, undefined, writing));
        }
        case 'values': {
            const rows = writeRows(item.rows, item.at, writing);
            return derived(place({ sql: `(${rows.sql})`, columns: rows.columns }, item.alias, undefined, writing));
        }
        case 'flatten':
            return writeFlatten(item, writing, left);
        case 'generator': {
            const rows = generatorSql(item, writing);
            const placed = place({ sql: rows, columns: [] }, item.alias, undefined, writing);
            const counter = `${placed.sql.slice(rows.length + ' AS '.length)}.n`;
            return { ...placed, relations: placed.relations.map((relation) => ({ ...relation, counter })) };
        }
        case 'pivot':
            return place(writePivot(item, writeFrom(item.item, writing, left), writing), item.alias, undefined, writing);
        case 'unpivot':
            return place(writeUnpivot(item, writeFrom(item.item, writing, left), writing), item.alias, undefined, writing);
    }
}
function derived(placed) {
    return { ...placed, relations: placed.relations.map((each) => ({ ...each, isDerived: true })) };
}
function place(relation, alias, name, writing, path) {
    const own = writing.session.fresh('t');
    const names = alias?.columns.map((column) => fold(column, writing)) ?? [];
    if (alias && names.length > relation.columns.length)
        throw sqlError(`${alias.name.text} lists ${(0,number_of/* numberOf */.r)(names.length, 'column name')}, but the table has ${(0,number_of/* numberOf */.r)(relation.columns.length, 'column')}`, alias.name.at, writing);
    const columns = new Map();
    for (const [index, column] of relation.columns.entries()) {
        const visible = names[index] ?? column.name;
        if (columns.has(visible))
            throw sqlError(`the column name "${visible}" appears twice`, alias?.name.at ?? 0, writing);
        columns.set(visible, { sql: `${own}.${quoteName(column.name)}`, type: column.type });
    }
    const shown = alias ? fold(alias.name, writing) : (name ?? own);
    return { sql: `${relation.sql} AS ${own}`, relations: [{ alias: shown, columns, ...(path && { path }) }] };
}
function findTable(parts, at, writing) {
    const names = parts.map((part) => fold(part, writing));
    const common = names.length === 1 ? writing.commonTables.get(names[0] ?? '') : undefined;
    if (common)
        return { relation: common, path: [] };
    const name = fullName(parts, writing);
    const { catalog } = writing.session.context;
    const table = catalog.find(name);
    if (!table) {
        const similar = catalog.findIgnoringCase(name);
        const hint = similar ? `; there is "${similar.database}"."${similar.schema}"."${similar.table}"` : '';
        throw sqlError(`table "${name.database}"."${name.schema}"."${name.table}" not found${hint}`, at, writing);
    }
    writing.session.reads.set(table.sql, table);
    return { relation: table, path: [name.database, name.schema] };
}
function fullName(parts, writing) {
    const { defaults } = writing.session.context;
    const names = parts.map((part) => fold(part, writing));
    const [database, schema, table] = [...Array.from({ length: 3 - names.length }, () => undefined), ...names];
    return { database: database ?? defaults.database, schema: schema ?? defaults.schema, table: table ?? '' };
}
function writeFlatten(item, writing, left) {
    const { call, at } = item;
    const known = ['INPUT', 'OUTER', 'PATH', 'MODE'];
    for (const key of call.named.keys())
        if (!known.includes(key))
            throw refusal(`FLATTEN(… ${key} => …)`, at, writing);
    const outer = call.named.get('OUTER');
    if (outer && outer.kind !== 'boolean')
        throw refusal('FLATTEN(… OUTER => …) without a literal', at, writing);
    const input = call.named.get('INPUT') ?? call.values[0];
    if (!input || call.values.length > 1)
        throw sqlError('FLATTEN needs exactly one INPUT => value', at, writing);
    const value = write(input, { ...writing, names: { ...writing.names, relations: left } });
    if (value.type.name !== 'VARIANT')
        throw refusal(`FLATTEN of a value of type ${value.type.name}${columnText(input, writing)}`, at, writing);
    const flattened = atPath(toVariant(value, at, writing).sql, call.named.get('PATH'), writing);
    const options = { isOuter: outer?.value === true, mode: modeOf(call.named.get('MODE'), writing) };
    const sql = flattenSql(flattened, options, writing.session.fresh);
    const columns = FLATTEN_COLUMNS.map((column) => column.type.name === 'VARIANT' ? { ...column, type: value.type } : column);
    const placed = place({ sql, columns }, item.alias, undefined, writing);
    const refused = ['SEQ', 'PATH', 'THIS'];
    return { ...placed, relations: placed.relations.map((relation) => ({ ...relation, refused })) };
}
function atPath(value, path, writing) {
    if (path === undefined)
        return value;
    if (path.kind !== 'text' || !/^\w+(?:\.\w+)*$/.test(path.value))
        throw refusal('FLATTEN(… PATH => …) other than names with dots', path.at, writing);
    return path.value.split('.').reduce((inner, name) => `(${inner} -> '$."${name}"')`, value);
}
function modeOf(mode, writing) {
    if (mode === undefined)
        return 'BOTH';
    const written = mode.kind === 'text' ? mode.value.toUpperCase() : '';
    const known = FLATTEN_MODES.find((each) => each === written);
    const modeHint = `use ${FLATTEN_MODES.map((each) => `'${each}'`).join(' or ')}`;
    if (known === undefined)
        throw refusal('FLATTEN(… MODE => …) of another mode', mode.at, writing, modeHint);
    return known;
}
function writeJoin(item, writing, outerLeft) {
    const left = writeFrom(item.left, writing, outerLeft);
    const right = writeFrom(item.right, writing, [...outerLeft, ...left.relations]);
    const relations = [...left.relations, ...right.relations];
    const aliases = relations.map((relation) => `${relation.path?.join('.') ?? ''}.${relation.alias}`);
    if (new Set(aliases).size < aliases.length)
        throw sqlError('two tables in FROM have the same name; give one an alias', item.at, writing);
    refuseShared(item, left, right, writing);
    if (item.isNatural)
        throw refusal('NATURAL JOIN', item.at, writing, 'use USING');
    const merged = new Map([...left.merged, ...right.merged]);
    const rightSql = needsParentheses(item) ? `(${right.sql})` : right.sql;
    const sides = `${left.sql} ${item.how} JOIN ${rightSql}`;
    if (item.using)
        return { sql: `${sides} ON ${using(item, left, right, merged, writing)}`, relations, merged };
    if (item.how === 'CROSS')
        return { sql: sides, relations, merged };
    if (!item.on)
        return { sql: `${left.sql} CROSS JOIN ${rightSql}`, relations, merged };
    return { sql: `${sides} ON ${conditionText(item, item.on, left, right, writing)}`, relations, merged };
}
function needsParentheses({ how, right }) {
    if (right.kind !== 'join')
        return false;
    return how !== 'CROSS' || keepsRightRows(right);
}
function keepsRightRows(item) {
    return item.kind === 'join' && (item.how === 'RIGHT' || item.how === 'FULL' || keepsRightRows(item.left));
}
function refuseShared(item, left, right, writing) {
    const named = new Set(item.using?.map((name) => fold(name, writing)));
    const has = (side, name) => side.relations.some((relation) => relation.columns.has(name));
    const shared = [...left.merged.keys()].find((name) => !named.has(name) && has(right, name)) ??
        [...right.merged.keys()].find((name) => has(left, name));
    if (shared !== undefined)
        throw refusal(`USING (${shared}) next to another table with this column`, item.at, writing);
}
function using(item, left, right, merged, writing) {
    const conditions = (item.using ?? []).map((name) => {
        const column = fold(name, writing);
        const a = from_columnOf(left, column, name.at, writing);
        const b = from_columnOf(right, column, name.at, writing);
        const [x, y] = comparable(a, b, name.at, writing);
        const both = { sql: `coalesce(${a.sql}, ${b.sql})`, type: a.type };
        merged.set(column, item.how === 'FULL' ? both : item.how === 'RIGHT' ? b : a);
        return `${x.sql} = ${y.sql}`;
    });
    return conditions.join(' AND ');
}
function from_columnOf(source, column, at, writing) {
    const merged = source.merged.get(column);
    if (merged)
        return merged;
    const found = source.relations.flatMap((relation) => relation.columns.get(column) ?? []);
    const [first] = found;
    if (first === undefined || found.length > 1)
        throw sqlError(`column "${column}" of USING ${first ? 'is ambiguous' : 'not found'}`, at, writing);
    return first;
}

;// CONCATENATED MODULE: ./engine/dialect/write/columns.js





function writeColumn(parts, at, writing) {
    const names = parts.map((part) => fold(part, writing));
    const [column = ''] = names.slice(-1);
    const qualifiers = names.slice(0, -1);
    for (let scope = writing.names; scope; scope = scope.outer) {
        const found = findIn(scope, qualifiers, column, at, writing);
        const alias = found || qualifiers.length > 0 ? undefined : scope.aliases.get(column);
        if (found || alias)
            noteOuterRead(scope, at, writing);
        if (found)
            return found;
        if (alias)
            return writeAlias(column, alias, scope, writing);
    }
    const next = nextValue(parts, writing);
    if (next)
        return next;
    const inside = isOne(writing) ? undefined : writeSuperPath(parts, at, writing);
    if (inside)
        return inside;
    const table = isOne(writing)
        ? -1
        : names.findIndex((_, end) => findAnywhere(writing.names, names.slice(0, end + 1)));
    const isPath = table >= 0 && table < names.length - 2;
    if (isPath)
        throw missing(names.slice(0, table + 1), names[table + 1] ?? '', at, writing);
    throw missing(qualifiers, column, at, writing);
}
function writeSuperPath(parts, at, writing) {
    for (let length = parts.length - 1; length > 0; length -= 1) {
        const names = parts.slice(0, length).map((part) => fold(part, writing));
        const [column = ''] = names.slice(-1);
        const value = findValue(names.slice(0, -1), column, at, writing);
        if (value === undefined)
            continue;
        if (value.type.name !== 'VARIANT')
            throw refusal(`a path into a value of type ${value.type.name}: the column "${column}"`, at, writing);
        const keys = parts.slice(length).map((part) => fold(part, writing));
        return { sql: `(${value.sql} -> ${quoteText(pathText(keys, at, writing))})`, type: value.type };
    }
    return undefined;
}
function findValue(qualifiers, column, at, writing) {
    for (let scope = writing.names; scope; scope = scope.outer) {
        const isThere = qualifiers.length === 0 || findRelation(scope, qualifiers)?.columns.has(column) === true;
        const found = isThere ? findIn(scope, qualifiers, column, at, writing) : undefined;
        if (found)
            noteOuterRead(scope, at, writing);
        if (found)
            return found;
    }
    return undefined;
}
function pathText(steps, at, writing) {
    const texts = steps.map((step) => {
        if (typeof step === 'string' && /["\\]/.test(step))
            throw refusal(`the key ${step}`, at, writing);
        return typeof step === 'number' ? `[${step}]` : `."${step}"`;
    });
    return `$${texts.join('')}`;
}
function nextValue(parts, writing) {
    const [last, ...sequence] = parts.toReversed();
    if (last === undefined || last.isQuoted || last.text.toUpperCase() !== 'NEXTVAL')
        return undefined;
    if (sequence.length === 0 || !isOne(writing))
        return undefined;
    const name = fullName(sequence.toReversed(), writing);
    return { sql: `CAST(${nextValueSql(name)} AS ${duckdbType(typed_WHOLE)})`, type: typed_WHOLE };
}
function writeAlias(column, alias, scope, writing) {
    if (changesEachTime(alias))
        throw refusal(`the alias ${column} of a value that differs with each use`, alias.at, writing, HINT);
    const aliases = new Map(scope.aliases);
    aliases.delete(column);
    return write(alias, { ...writing, names: { ...scope, aliases } });
}
const HINT = 'compute it in a query in FROM';
const CHANGING = new Set(['RANDOM', 'UUID_STRING']);
function changesEachTime(part) {
    if (Array.isArray(part))
        return part.some(changesEachTime);
    if (typeof part !== 'object' || part === null)
        return false;
    const { kind, name, parts } = part;
    if (kind === 'call' && CHANGING.has(String(name)))
        return true;
    if (kind === 'column')
        return (parts?.length ?? 0) > 1 && parts?.at(-1)?.text.toUpperCase() === 'NEXTVAL';
    return Object.values(part).some(changesEachTime);
}
function findIn(scope, qualifiers, column, at, writing) {
    if (qualifiers.length === 0) {
        const merged = scope.merged.get(column);
        if (merged)
            return merged;
        const found = scope.relations.flatMap((relation) => relation.columns.get(column) ?? []);
        if (found.length > 1)
            throw sqlError(`several tables in FROM have a column "${column}"; write the table or alias before it`, at, writing);
        for (const relation of scope.relations)
            if (!found[0])
                refuseColumn(relation, column, at, writing);
        return found[0];
    }
    const relation = findRelation(scope, qualifiers);
    if (!relation)
        return undefined;
    refuseColumn(relation, column, at, writing);
    const found = relation.columns.get(column);
    if (!found)
        throw missing(qualifiers, column, at, writing, [relation]);
    return found;
}
function refuseColumn(relation, column, at, writing) {
    if (relation.refused?.includes(column))
        throw refusal(`the column ${column} of FLATTEN`, at, writing);
}
function findRelation(scope, qualifiers) {
    const [alias = ''] = qualifiers.slice(-1);
    const path = qualifiers.slice(0, -1);
    const fits = (relation) => path.every((part, index) => relation.path?.at(index - path.length) === part);
    const exact = scope.relations.find((relation) => relation.alias === alias && fits(relation));
    if (exact)
        return exact;
    return scope.relations.find((relation) => relation.ignoresCase && relation.alias.toLowerCase() === alias.toLowerCase() && fits(relation));
}
function missing(qualifiers, column, at, writing, relations = visible(writing.names)) {
    const relation = qualifiers.length > 0 ? findAnywhere(writing.names, qualifiers) : undefined;
    if (qualifiers.length > 0 && !relation)
        return sqlError(`no table "${qualifiers.join('.')}" in FROM${aliasHint(relations)}`, at, writing);
    const names = relations.flatMap((each) => [...each.columns.keys()]);
    const similar = names.find((name) => name.toLowerCase() === column.toLowerCase());
    const known = [...new Set(names)].slice(0, 20).map((name) => `"${name}"`);
    const hint = similar
        ? `; the table has "${similar}"`
        : known.length > 0
            ? `; known: ${known.join(', ')}`
            : '';
    if (column === 'SYSDATE' && isOne(writing))
        return sqlError('column "SYSDATE" not found; write the function as SYSDATE()', at, writing);
    return sqlError(`column "${column}" not found${hint}`, at, writing);
}
function aliasHint(relations) {
    const aliases = [...new Set(relations.map(({ alias }) => alias))].filter((alias) => alias !== '');
    return aliases.length === 0 ? '' : `; there is ${aliases.map((alias) => `"${alias}"`).join(', ')}`;
}
function findAnywhere(names, qualifiers) {
    for (let scope = names; scope; scope = scope.outer) {
        const found = findRelation(scope, qualifiers);
        if (found)
            return found;
    }
    return undefined;
}
function visible(names) {
    const all = [];
    for (let scope = names; scope; scope = scope.outer)
        all.push(...scope.relations);
    return all;
}

;// CONCATENATED MODULE: ./engine/dialect/write/user-call.js





function writeUserCall(call, writing) {
    const { at, name, values } = call;
    const path = call.path ?? [{ text: name, isQuoted: false, at }];
    if (path.length > 3)
        return undefined;
    const found = writing.session.context.catalog.findFunction?.(fullName(path, writing));
    if (found === undefined)
        return undefined;
    const isPlain = !call.isDistinct && !call.hasStar && !call.window && !call.withinGroup;
    if (!isPlain || call.named.size > 0)
        throw refusal(`this form of a call of ${name}`, at, writing);
    const { parameters, returns, sql } = found;
    if (values.length !== parameters.length)
        throw sqlError(`${name} takes ${countText(parameters.length)}, not ${values.length}`, at, writing);
    if (changesEachTime(values))
        throw refusal(`a value that differs with each use as an argument of ${name}`, at, writing);
    const given = parameters.map((type, index) => {
        const value = values[index];
        if (value === undefined)
            throw new Error('no such argument');
        return `CAST(${convert(write(value, writing), type, at, writing).sql} AS ${duckdbType(type)})`;
    });
    return { sql: `${sql}(${given.join(', ')})`, type: returns };
}
function countText(count) {
    return `${count} ${count === 1 ? 'argument' : 'arguments'}`;
}

;// CONCATENATED MODULE: ./engine/dialect/write/window.js



const ORDERED = 'the warehouse has no order there: leave ORDER BY out';
const NO_ORDER = 'the warehouse requires an order: add ORDER BY to OVER (…)';
const NO_FRAME = 'the warehouse has no frame there: leave ROWS or RANGE out';
const NO_DISTINCT = 'the warehouse has no DISTINCT there: group in a query in FROM, and join it';
const ROWS_ONLY = 'the warehouse has frames of ROWS only';
function checkWindow(call, { order, frame }, rule, writing) {
    const { name, at } = call;
    const isFirst = isOne(writing);
    const isOrdered = order.length > 0;
    if (isOrdered && rule.hasNoOrderInOver)
        throw refusal(`${name} with ORDER BY in OVER`, at, writing, ORDERED);
    if (call.isDistinct && !isFirst && name !== 'LISTAGG')
        throw refusal(`${name}(DISTINCT …) with OVER`, at, writing, NO_DISTINCT);
    if (call.isDistinct && isOrdered)
        throw refusal(`${name}(DISTINCT …) with ORDER BY in OVER`, at, writing, ORDERED);
    const needsOrder = rule.kind === 'window' && (isFirst || name === 'LAG' || name === 'LEAD');
    if (needsOrder && !isOrdered)
        throw refusal(`${name} without ORDER BY in OVER`, at, writing, NO_ORDER);
    if (frame)
        checkFrame(call, frame, isOrdered, rule, writing);
}
function checkFrame({ name, at }, frame, isOrdered, rule, writing) {
    if (rule.kind === 'window' && !rule.isWholeFrame)
        throw refusal(`${name} with a frame in OVER`, at, writing, NO_FRAME);
    if (!isOrdered)
        throw refusal('a frame without ORDER BY in OVER', at, writing, NO_ORDER);
    if (frame.unit === 'RANGE' && !isOne(writing))
        throw refusal('a frame of RANGE in OVER', at, writing, ROWS_ONLY);
    if (window_placeOf(frame.from, -1) > window_placeOf(frame.to, 1))
        throw refusal('a frame in OVER that ends before it begins', at, writing, 'write the earlier bound first');
}
function window_placeOf(bound, usual) {
    if (bound === 'CURRENT ROW')
        return 0;
    const [amount, side] = bound.split(' ');
    const sign = side === 'PRECEDING' ? -1 : 1;
    if (amount === 'UNBOUNDED')
        return sign * (sign === usual ? 1e12 : 1e13);
    return sign * Number(amount);
}
const NAMED = 'a number has no meaning there: name a column';
function refuseLiteral({ kind, at }, clause, writing) {
    const isRefused = kind === 'text' || (clause === 'ORDER BY' && (kind === 'boolean' || kind === 'null'));
    if (isRefused && !isOne(writing))
        throw refusal(`a constant in ${clause} of OVER`, at, writing, 'the warehouse refuses it: name a column');
}
function windowText(call, rule, writing) {
    const { window } = call;
    if (window === undefined)
        return '';
    const partitions = window.partitions.map((value) => {
        refuseLiteral(value, 'PARTITION BY', writing);
        return comparedText(write(value, writing), writing.session.context.warehouse);
    });
    const parts = partitions.length > 0 ? [`PARTITION BY ${partitions.join(', ')}`] : [];
    if (window.order.length > 0)
        parts.push(`ORDER BY ${orderText(window.order, writing)}`);
    const needsFrame = window.order.length > 0 && (rule.kind === 'aggregate' || rule.isWholeFrame);
    if (window.frame)
        parts.push(`${window.frame.unit} BETWEEN ${window.frame.from} AND ${window.frame.to}`);
    else if (needsFrame && !isOne(writing))
        throw refusal(`${call.name} with ORDER BY and no frame`, call.at, writing, 'add ROWS …');
    else if (rule.isWholeFrame)
        parts.push('ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING');
    return parts.join(' ');
}
function orderText(order, writing) {
    return order
        .map((item) => {
        if (item.value.kind === 'number')
            throw refusal('a position in ORDER BY here', item.value.at, writing, NAMED);
        refuseLiteral(item.value, 'ORDER BY', writing);
        const value = write(item.value, writing);
        const key = comparedText({ ...value, sql: orderedBy(value, writing) }, writing.session.context.warehouse);
        return `${key} ${orderDirectionOf(item)}`;
    })
        .join(', ');
}

;// CONCATENATED MODULE: ./engine/dialect/write/call.js
















const RULES = new Map([texts_TEXTS, PATTERNS, NUMBERS, DATES, CONDITIONALS, SEMI_STRUCTURED, XML, AGGREGATES, WINDOWS, SESSION].flatMap((table) => Object.entries(table)));
function functionNames(warehouse) {
    return [...RULES].filter(([, rule]) => !rule.only || rule.only === warehouse).map(([name]) => name);
}
function writeCall(call, writing) {
    const rule = call.path === undefined ? RULES.get(call.name) : undefined;
    const { warehouse } = writing.session.context;
    if (rule === undefined || (rule.only && rule.only !== warehouse)) {
        const own = writeUserCall(call, writing);
        if (own !== undefined)
            return own;
        const meant = (0,closest_word/* closestWord */.En)(call.name, functionNames(warehouse));
        const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
        throw refusal(`the function ${call.name}`, call.at, writing, hint);
    }
    checkShape(call, rule, writing);
    if (rule.writeCall)
        return withWindow(rule.writeCall(call, writing), call, rule, writing);
    const values = call.values.map((value) => write(value, writing));
    if (rule.showsTypes)
        for (const value of values)
            withoutFloat(value, call.at, writing);
    const given = { call, values, at: call.at, writing };
    const result = rule.write?.(given);
    if (result === undefined)
        throw refusal(`these arguments of ${call.name}`, call.at, writing);
    const hasFloat = result.type.name === 'VARIANT' && values.some(({ type }) => mayHaveFloat(type));
    const typed = hasFloat ? { ...result, type: VARIANT_WITH_FLOAT } : result;
    return withWindow(typed, call, rule, writing);
}
function checkShape(call, rule, writing) {
    const { name, at } = call;
    if (call.named.size > 0)
        throw refusal(`named arguments of ${name}`, at, writing);
    checkCount(call, rule, writing);
    if (call.hasStar && !(rule.kind === 'aggregate' && name === 'COUNT'))
        throw refusal(`${name}(*)`, at, writing);
    if (call.hasStar && call.isDistinct)
        throw refusal(`${name}(DISTINCT *)`, at, writing);
    if (call.isDistinct && rule.kind !== 'aggregate')
        throw refusal(`DISTINCT in ${name}`, at, writing);
    if (call.withinGroup && !rule.hasOrder)
        throw refusal(`WITHIN GROUP after ${name}`, at, writing);
    if (call.ignoresNulls && !rule.mayIgnoreNulls)
        throw refusal(`IGNORE NULLS in ${name}`, at, writing);
    if (call.window && rule.kind === undefined)
        throw refusal(`OVER after ${name}`, at, writing);
    if (!call.window && rule.kind === 'window')
        throw sqlError(`${name} is a window function: it needs OVER (…)`, at, writing);
    if (!isOne(writing))
        checkTables(call, rule, writing);
    if (call.window)
        checkWindow(call, call.window, rule, writing);
}
function checkTables({ name, at }, rule, writing) {
    const hasTable = writing.names.relations.length > 0;
    if (rule.withoutTable !== undefined && hasTable)
        throw refusal(`${name} in a query of a table`, at, writing, `the warehouse refuses it: use ${rule.withoutTable}`);
    if (rule.needsTable && !hasTable)
        throw refusal(`${name} without a table`, at, writing, 'the warehouse needs a table in FROM');
}
function checkCount({ name, at, values }, rule, writing) {
    const count = values.length;
    const isOutside = ([least, most]) => count < least || count > most;
    const possible = rule.warehouseArguments?.[writing.session.context.warehouse] ?? rule.arguments;
    if (isOutside(possible))
        throw sqlError(`${name} takes ${call_countText(...possible)}, not ${count}`, at, writing);
    if (isOutside(rule.arguments))
        throw refusal(`${name} with ${count} ${count === 1 ? 'argument' : 'arguments'}`, at, writing);
}
function call_countText(least, most) {
    return `${least === most ? least : `${least} to ${most}`} ${most === 1 ? 'argument' : 'arguments'}`;
}
function withWindow(result, call, rule, writing) {
    if (rule.kind === undefined)
        return result;
    const over = call.window ? ` OVER (${windowText(call, rule, writing)})` : '';
    return { ...result, sql: result.sql.replaceAll('\u0001', () => over) };
}

;// CONCATENATED MODULE: ./engine/dialect/write/explicit-cast.js





function explicitCast(value, type, at, writing, { isTry = false, isOfTable }) {
    const exact = isOne(writing) ? value : withFewerPlaces(value, type, isOfTable, writing);
    return isTry ? tryCast(exact, type, at, writing) : cast(exact, type, at, writing);
}
function withFewerPlaces(value, type, isOfTable, writing) {
    const [from, to] = [digitsOf(value.type), digitsOf(type)];
    if (from === undefined || to === undefined || from.scale <= to.scale || value.number !== undefined)
        return value;
    if (isOfTable && type.name === 'NUMBER')
        return cutNumber(value, to.scale, writing);
    const before = 'Millrace does not support a cast of the DECIMAL ';
    const after = ` to a type with fewer decimal places, ${describeType(type, 'WAREHOUSE_TWO')}; use ROUND or TRUNC before the cast`;
    const sql = computedOnce(value.sql, writing, (number) => `CASE WHEN round(${number}, ${to.scale}) <> ${number} THEN error(${quoteText(before)} || ${number} || ${quoteText(after)}) ELSE ${number} END`);
    return { sql, type: value.type };
}
function readsTable(value, { session, names }) {
    if (!namesColumn(value))
        return false;
    if (session.reads.size > 0)
        return true;
    for (let scope = names; scope; scope = scope.outer)
        if (scope.relations.some((relation) => relation.isDerived !== true))
            return true;
    return false;
}
function namesColumn(node) {
    if (typeof node !== 'object' || node === null)
        return false;
    if ('kind' in node && node.kind === 'column')
        return true;
    return Object.values(node).some(namesColumn);
}

;// CONCATENATED MODULE: ./engine/dialect/write/expression.js












function writeExpression(node, writing) {
    switch (node.kind) {
        case 'text':
            if (/[\0\u0001]/.test(node.value))
                throw refusal('a zero character in a text', node.at, writing);
            return { sql: quoteText(node.value), type: typed_TEXT, text: node.value };
        case 'number':
            return numberLiteral(node.value, node.at, writing);
        case 'boolean':
            return { sql: node.value ? 'TRUE' : 'FALSE', type: BOOLEAN };
        case 'null':
            return { sql: 'NULL', type: { name: 'NULL' } };
        case 'column':
            return writeColumn(node.parts, node.at, writing);
        case 'unary':
            return writeUnary(node, writing);
        case 'binary':
            return writeBinary(node, writing);
        case 'like':
            return writeLike(node, writing);
        case 'between':
            return writeBetween(node, writing);
        case 'in':
            return writeIn(node, writing);
        case 'is':
            return writeIs(node, writing);
        case 'case':
            return writeCase(node, writing);
        case 'cast':
            return explicitCast(write(node.value, writing), node.type, node.at, writing, {
                isTry: node.isTry,
                isOfTable: !isOne(writing) && readsTable(node.value, writing),
            });
        case 'exists': {
            const query = subquery(node.query, writing);
            refuseListed('EXISTS', node.query, 0, writing);
            return { sql: `EXISTS (${query.sql})`, type: BOOLEAN };
        }
        case 'subquery':
            return writeScalarQuery(node, writing);
        case 'interval':
            throw refusal('an INTERVAL that is not added to a date', node.at, writing);
        case 'path':
            return writePath(node, writing);
        case 'call':
            return writeCall(node, writing);
    }
}
function subquery(query, writing) {
    return writing.session.query(query, { ...writing, names: { ...NO_NAMES, outer: writing.names } });
}
function writeScalarQuery(node, writing) {
    const query = subquery(node.query, writing);
    const [column] = query.columns;
    if (column === undefined || query.columns.length > 1)
        throw refusal('a subquery with several columns as a value', node.at, writing);
    return { sql: `(${query.sql})`, type: column.type };
}
function writeUnary(node, writing) {
    const value = write(node.value, writing);
    if (node.operator === 'NOT')
        return { sql: `(NOT ${expectBoolean(value, node.at, writing).sql})`, type: BOOLEAN };
    return node.operator === '-' ? negate(value, node.at, writing) : asNumber(value, node.at, writing);
}
function writeBinary(node, writing) {
    const { operator, at } = node;
    if (node.right.kind === 'interval' || node.left.kind === 'interval')
        return addInterval(node, writing);
    const left = write(node.left, writing);
    const right = write(node.right, writing);
    if (operator === 'AND' || operator === 'OR') {
        const a = expectBoolean(left, at, writing);
        const b = expectBoolean(right, at, writing);
        return { sql: `(${a.sql} ${operator} ${b.sql})`, type: BOOLEAN };
    }
    if (operator === '||') {
        refuseMix(node.left, writing);
        refuseMix(node.right, writing);
        return joinTexts([left, right], at, writing);
    }
    if (['+', '-', '*', '/', '%'].includes(operator))
        return arithmetic(operator, left, right, at, writing);
    return operators_compare(operator, left, right, at, writing);
}
function refuseMix(operand, writing) {
    if (operand.kind === 'binary' && /^[-+]$/.test(operand.operator) && !operand.isGrouped)
        throw refusal(`|| next to ${operand.operator} without parentheses`, operand.at, writing);
}
function writeLike(node, writing) {
    const value = expectText(write(node.value, writing), node.at, writing).sql;
    const pattern = expectText(write(node.pattern, writing), node.at, writing).sql;
    const not = node.isNegated ? 'NOT ' : '';
    if (node.operator === 'RLIKE') {
        if (!isOne(writing) || node.escape)
            throw refusal('RLIKE', node.at, writing);
        return { sql: `(${not}regexp_full_match(${value}, ${pattern}))`, type: BOOLEAN };
    }
    if (node.pattern.kind === 'text' && node.pattern.value.includes('\\') && !node.escape)
        throw refusal(`a backslash in ${node.operator}`, node.at, writing, 'give it an ESCAPE character');
    const escape = node.escape ? expectText(write(node.escape, writing), node.at, writing).sql : undefined;
    const given = { value, pattern, escape, operator: node.operator };
    const [left, operator, right, by] = isOne(writing)
        ? [value, node.operator, pattern, escape]
        : likeOfTwo(given, node.pattern.kind === 'text');
    const ending = by === undefined ? '' : ` ESCAPE ${by}`;
    return { sql: `(${left} ${not}${operator} ${right}${ending})`, type: BOOLEAN };
}
function likeOfTwo({ value, pattern, escape, operator }, isLiteral) {
    const message = 'Millrace does not support a backslash in the pattern of LIKE; give it an ESCAPE character';
    const checked = isLiteral || escape !== undefined
        ? pattern
        : `CASE WHEN contains(${pattern}, '\\') THEN error('${message}') ELSE ${pattern} END`;
    if (operator !== 'ILIKE')
        return [value, operator, checked, escape];
    const folded = (text) => `translate(${text}, '${UPPER_CASE}', '${UPPER_CASE.toLowerCase()}')`;
    return [folded(value), 'LIKE', folded(checked), escape === undefined ? undefined : folded(escape)];
}
const UPPER_CASE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
function writeBetween(node, writing) {
    const value = write(node.value, writing);
    const low = operators_compare('>=', value, write(node.low, writing), node.at, writing);
    const high = operators_compare('<=', value, write(node.high, writing), node.at, writing);
    const both = `(${low.sql} AND ${high.sql})`;
    return { sql: node.isNegated ? `(NOT ${both})` : both, type: BOOLEAN };
}
function writeIn(node, writing) {
    const value = write(node.value, writing);
    const not = node.isNegated ? 'NOT ' : '';
    if (!('body' in node.items)) {
        const pairs = node.items.map((item) => comparable(value, write(item, writing), node.at, writing));
        const compared = pairs[0]?.[0].sql ?? value.sql;
        if (pairs.every(([left]) => left.sql === compared))
            return {
                sql: `(${compared} ${not}IN (${pairs.map(([, right]) => right.sql).join(', ')}))`,
                type: BOOLEAN,
            };
        const items = pairs.map(([left, right]) => `${left.sql} = ${right.sql}`);
        return { sql: `(${not}(${items.join(' OR ')}))`, type: BOOLEAN };
    }
    const since = markOuterReads(writing);
    const query = subquery(node.items, writing);
    refuseListed('IN', node.items, since, writing);
    const [column] = query.columns;
    if (column === undefined || query.columns.length > 1)
        throw refusal('IN with a query of several columns', node.at, writing);
    const inner = writing.session.fresh('q');
    const [left, right] = comparable(value, { sql: `${inner}."${column.name.replaceAll('"', '""')}"`, type: column.type }, node.at, writing);
    return {
        sql: `(${left.sql} ${not}IN (SELECT ${right.sql} FROM (${query.sql}) AS ${inner}))`,
        type: BOOLEAN,
    };
}
function writeIs(node, writing) {
    const value = write(node.value, writing);
    const not = node.isNegated ? 'NOT ' : '';
    const tested = node.what === 'NULL' ? value : expectBoolean(value, node.at, writing);
    return { sql: `(${tested.sql} IS ${not}${node.what})`, type: BOOLEAN };
}
function writeCase(node, writing) {
    const subject = node.subject && write(node.subject, writing);
    const whens = node.branches.map(({ when }) => {
        const value = write(when, writing);
        return subject ? operators_compare('=', subject, value, when.at, writing) : expectBoolean(value, when.at, writing);
    });
    const results = [
        ...node.branches.map((branch) => branch.result),
        ...(node.otherwise ? [node.otherwise] : []),
    ];
    const values = results.map((result) => write(result, writing));
    const type = commonType(values, node.at, writing);
    const sql = values.map((value) => value.type.name === 'NULL' ? 'NULL' : convert(value, type, node.at, writing).sql);
    const branches = whens.map((when, index) => ` WHEN ${when.sql} THEN ${sql[index]}`).join('');
    return { sql: `CASE${branches}${node.otherwise ? ` ELSE ${sql.at(-1)}` : ''} END`, type };
}
function writePath(node, writing) {
    const value = write(node.value, writing);
    if (value.type.name !== 'VARIANT')
        throw refusal(`a path into a value of type ${value.type.name}${columnText(node.value, writing)}`, node.at, writing);
    const part = `(${value.sql} -> ${quoteText(pathText(node.steps, node.at, writing))})`;
    const isItem = typeof node.steps.at(-1) === 'number';
    return { sql: isItem ? takenElementSql(part) : part, type: value.type };
}

;// CONCATENATED MODULE: ./engine/dialect/write/grouped.js


const grouped_IN_FROM = 'the warehouse refuses it: compute the value in a query in FROM';
function refuseGroups({ groups }, items, writing) {
    if (groups === undefined || groups === 'ALL')
        return;
    for (const group of groups)
        for (const value of grouped_valuesOf(group)) {
            if (hasSubquery(value))
                throw refusal('a subquery in GROUP BY', value.at, writing, grouped_IN_FROM);
            const since = markOuterReads(writing);
            const item = value.kind === 'number' ? items[Number(value.value) - 1] : undefined;
            if (item === undefined && value.kind !== 'number')
                write(value, writing);
            if (item?.isCorrelated || readsScope(writing.names, since, writing))
                throw refusal('GROUP BY of a correlated subquery', value.at, writing, grouped_IN_FROM);
        }
}
function grouped_valuesOf(group) {
    return group.kind === 'grouping sets' ? group.sets.flat() : [group];
}
function hasSubquery(value) {
    return has(value, ({ kind }) => kind === 'subquery');
}
function refuseHaving({ having }, writing) {
    if (having === undefined)
        return;
    if (hasSubquery(having))
        throw refusal('a subquery in HAVING', having.at, writing, grouped_IN_FROM);
    const { aliases, relations, merged } = writing.names;
    has(having, (node) => {
        const { kind, parts } = node;
        const [name, ...more] = kind === 'column' && parts ? parts : [];
        if (name === undefined || more.length > 0)
            return false;
        const column = fold(name, writing);
        const isColumn = merged.has(column) || relations.some(({ columns }) => columns.has(column));
        if (isColumn || !aliases.has(column))
            return false;
        const message = `HAVING cannot name the alias "${column}" of the SELECT list: repeat its expression`;
        throw sqlError(message, name.at, writing);
    });
}
const ONE_ORDER = 'the warehouse requires one order for all of them: compute one of them in a query in FROM';
function refuseOrders(select, writing) {
    const values = select.items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
    let first;
    for (const tree of [...values, ...(select.having ? [select.having] : [])])
        has(tree, (node) => {
            const call = node.kind === 'call' ? node : undefined;
            const order = call && !call.window ? grouped_orderOf(call, writing) : undefined;
            first ??= order;
            if (call && order !== undefined && order !== first)
                throw refusal(`${call.name} in another order`, call.at, writing, ONE_ORDER);
            return false;
        });
}
function grouped_orderOf({ name, values, withinGroup }, writing) {
    const [value] = values;
    if (name === 'MEDIAN' && value)
        return `${write(value, writing).sql} ASC`;
    if (name !== 'LISTAGG')
        return undefined;
    return withinGroup
        ?.map((item) => `${write(item.value, writing).sql} ${item.isDescending ? 'DESC' : 'ASC'}`)
        .join(', ');
}

;// CONCATENATED MODULE: ./engine/dialect/write/select.js








function writeSelect(select, writing) {
    const source = select.from && writeFrom(select.from, writing);
    const names = {
        relations: source?.relations ?? [],
        merged: source?.merged ?? new Map(),
        aliases: aliasesOf(select.items, writing),
        outer: writing.names.outer,
    };
    const inner = { ...writing, names };
    const items = writeItems(select.items, inner);
    refuseDoubles(items, writing);
    if (!isOne(writing)) {
        refuseGroups(select, items, inner);
        refuseHaving(select, inner);
        refuseOrders(select, inner);
    }
    const condition = (word, value) => value ? [`${word} ${expectBoolean(write(value, inner), value.at, inner).sql}`] : [];
    const { warehouse } = writing.session.context;
    const shown = ({ value }) => select.isDistinct && select.groups === undefined
        ? shownForEqual(value, 'DISTINCT', warehouse)
        : value.sql;
    const checked = havingOfGroups(keysOf(select, items, inner), warehouse);
    const [asked] = condition('HAVING', select.having);
    const having = checked === undefined
        ? asked === undefined
            ? []
            : [asked]
        : [asked ? `${asked} AND ${checked}` : `HAVING ${checked}`];
    const parts = [
        `SELECT ${select.isDistinct ? 'DISTINCT ' : ''}${items.map((item) => `${shown(item)} AS ${quoteName(item.name)}`).join(', ')}`,
        ...(source ? [`FROM ${source.sql}`] : []),
        ...condition('WHERE', select.where),
        ...writeGroups(select.groups, items, inner),
        ...having,
        ...condition('QUALIFY', select.qualify),
    ];
    const columns = items.map((item) => ({ name: item.name, type: item.value.type }));
    const values = items.map(({ value }) => value.sql);
    return { sql: parts.join(' '), columns, names, values, isDistinct: select.isDistinct };
}
function aliasesOf(items, writing) {
    const aliases = new Map();
    for (const item of items)
        if (item.kind === 'value' && item.alias)
            aliases.set(fold(item.alias, writing), item.value);
    return aliases;
}
function writeItems(items, writing) {
    if (isOne(writing))
        return items.flatMap((item, index) => writeItem(item, index, writing));
    const aliases = new Map();
    const inner = { ...writing, names: { ...writing.names, aliases } };
    return items.flatMap((item, index) => {
        const written = writeItem(item, index, inner);
        if (item.kind === 'value' && item.alias)
            aliases.set(fold(item.alias, writing), item.value);
        return written;
    });
}
function writeItem(item, index, writing) {
    if (item.kind === 'star')
        return expandStar(item, writing);
    const since = markOuterReads(writing);
    const value = write(item.value, writing);
    const name = item.alias ? fold(item.alias, writing) : select_nameOf(item.value, index, writing);
    const isCorrelated = readsScope(writing.names, since, writing);
    return [{ name, value, at: item.value.at, ...(isCorrelated && { isCorrelated }) }];
}
function select_nameOf(value, index, writing) {
    const last = value.kind === 'column' ? value.parts.at(-1) : undefined;
    if (last)
        return fold(last, writing);
    if (value.kind === 'call' && isOne(writing)) {
        const text = textOfCall(value);
        if (text !== undefined)
            return text;
    }
    if (value.kind === 'cast' && !value.isTry && !isOne(writing))
        return select_nameOf(value.value, index, writing);
    return `${isOne(writing) ? 'COLUMN' : 'column'}_${index + 1}`;
}
function textOfCall(call) {
    const { window, withinGroup, values, hasStar, named, hasParentheses, ignoresNulls } = call;
    if (window || withinGroup || named.size > 0 || call.path || ignoresNulls || !hasParentheses)
        return undefined;
    if (hasStar)
        return `${call.name}(*)`;
    const [column, ...more] = values;
    if (more.length > 0 || column?.kind !== 'column' || column.parts.some(({ isQuoted }) => isQuoted))
        return undefined;
    const text = column.parts.map((part) => part.text.toUpperCase()).join('.');
    return `${call.name}(${call.isDistinct ? 'DISTINCT ' : ''}${text})`;
}
function expandStar(item, writing) {
    const { names } = writing;
    const of = item.of.map((part) => fold(part, writing));
    const relation = of.length > 0 ? findRelation(names, of) : undefined;
    if (of.length > 0 && !relation)
        throw sqlError(`no table "${of.join('.')}" in FROM`, item.at, writing);
    if (names.relations.length === 0)
        throw sqlError('* needs a FROM clause', item.at, writing);
    const relations = relation ? [relation] : names.relations;
    const refused = relations.find((each) => each.refused);
    if (refused)
        throw refusal('* over FLATTEN', item.at, writing, 'list the columns');
    const merged = relation ? [] : [...names.merged];
    const rest = relations
        .flatMap((each) => [...each.columns])
        .filter(([name]) => relation || !names.merged.has(name));
    const excluded = new Set(item.excluded.map((name) => fold(name, writing)));
    const all = [...merged, ...rest];
    for (const name of excluded)
        if (!all.some(([column]) => column === name))
            throw sqlError(`EXCLUDE: column "${name}" not found`, item.at, writing);
    return all.filter(([name]) => !excluded.has(name)).map(([name, value]) => ({ name, value, at: item.at }));
}
function refuseDoubles(items, writing) {
    const seen = new Map();
    for (const { name, at } of items) {
        const other = seen.get(name.toLowerCase());
        if (other !== undefined)
            throw refusal(`two columns with the names "${other}" and "${name}"`, at, writing, 'give one an alias');
        seen.set(name.toLowerCase(), name);
    }
}
function writeGroups(groups, items, writing) {
    if (groups === undefined)
        return [];
    if (groups === 'ALL')
        return ['GROUP BY ALL'];
    return [`GROUP BY ${groups.map((group) => writeGroup(group, items, writing)).join(', ')}`];
}
function keysOf({ groups, items: written }, items, writing) {
    if (groups === undefined || isOne(writing))
        return [];
    if (groups === 'ALL')
        return written.flatMap((item) => item.kind === 'value' && item.value.kind === 'column' ? [write(item.value, writing)] : []);
    return groups.flatMap((group) => {
        if (group.kind === 'grouping sets')
            return group.sets.flat().map((value) => write(value, writing));
        if (group.kind !== 'number')
            return [write(group, writing)];
        const item = items[Number(group.value) - 1];
        return item === undefined ? [] : [item.value];
    });
}
function writeGroup(group, items, writing) {
    if (group.kind === 'grouping sets') {
        const sets = group.sets.map((set) => `(${set.map((value) => writeSetItem(value, writing)).join(', ')})`);
        return `GROUPING SETS (${sets.join(', ')})`;
    }
    if (group.kind === 'number') {
        const position = Number(group.value);
        if (!Number.isInteger(position) || position < 1 || position > items.length)
            throw sqlError(`GROUP BY ${group.value} is not the position of a column: the SELECT list has ${items.length}`, group.at, writing);
        return String(position);
    }
    const written = write(group, writing).sql;
    const position = items.findIndex((item) => item.value.sql === written);
    return position >= 0 ? String(position + 1) : written;
}
function writeSetItem(value, writing) {
    if (value.kind === 'number')
        throw refusal('a position in ROLLUP, CUBE or GROUPING SETS', value.at, writing);
    return write(value, writing).sql;
}

;// CONCATENATED MODULE: ./engine/dialect/write/query.js









function writeQuery(query, writing) {
    const since = markOuterReads(writing);
    const commonTables = new Map(writing.commonTables);
    const inner = { ...writing, commonTables };
    const before = new Set();
    const tables = query.tables.map((table) => {
        const name = fold(table.alias.name, writing);
        if (before.has(name))
            throw refusal(`the name "${name}" twice in WITH`, table.alias.name.at, writing, 'choose another name');
        before.add(name);
        const known = { ...inner, commonTables: new Map(commonTables) };
        const { sql, relation } = (query.isRecursive && writeRecursiveTable(table, known)) || writeCommonTable(table, known);
        commonTables.set(name, relation);
        return sql;
    });
    const body = writeBody(query.body, inner);
    const parts = [
        ...(tables.length > 0 ? [`WITH ${query.isRecursive ? 'RECURSIVE ' : ''}${tables.join(', ')}`] : []),
        ordered(query.order, body, inner),
        ...(query.limit === undefined ? [] : [`LIMIT ${query.limit}`]),
        ...(query.offset === undefined ? [] : [`OFFSET ${query.offset}`]),
    ];
    refuseCorrelated(query, since, writing);
    return { sql: parts.join(' '), columns: body.columns, reads: [] };
}
function writeCommonTable(table, writing) {
    const query = writing.session.query(table.query, writing);
    const own = writing.session.fresh('c');
    const names = table.alias.columns.map((column) => fold(column, writing));
    if (names.length > 0 && names.length !== query.columns.length)
        throw sqlError(`${table.alias.name.text} lists ${(0,number_of/* numberOf */.r)(names.length, 'column name')}, but its query has ${(0,number_of/* numberOf */.r)(query.columns.length, 'column')}`, table.alias.name.at, writing);
    const columns = query.columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
    const list = names.length > 0 ? `(${names.map(quoteName).join(', ')})` : '';
    return { sql: `${own}${list} AS (${query.sql})`, relation: { sql: own, columns } };
}
function writeRecursiveTable({ alias, query }, writing) {
    const { body } = query;
    const isPlain = query.tables.length === 0 && query.order.length === 0 && query.limit === undefined;
    if (body.kind !== 'set' || body.operator !== 'UNION ALL' || !isPlain || query.offset !== undefined)
        return undefined;
    const first = writeBody(body.left, writing);
    const own = writing.session.fresh('c');
    const names = alias.columns.map((column) => fold(column, writing));
    if (names.length > 0 && names.length !== first.columns.length)
        throw sqlError(`${alias.name.text} lists ${(0,number_of/* numberOf */.r)(names.length, 'column name')}, but its query has ${(0,number_of/* numberOf */.r)(first.columns.length, 'column')}`, alias.name.at, writing);
    const columns = first.columns.map((column, index) => ({
        name: names[index] ?? column.name,
        type: column.type.name === 'NUMBER' ? { ...column.type, precision: 38 } : column.type,
    }));
    const relation = { sql: own, columns };
    const commonTables = new Map(writing.commonTables).set(fold(alias.name, writing), relation);
    const second = writeBody(body.right, { ...writing, commonTables });
    if (!isOne(writing) && names.length === 0 && new RegExp(`\\b${own}`).test(second.sql))
        throw refusal('a recursive query without a list of columns', alias.name.at, writing, LISTED);
    if (second.columns.length !== columns.length)
        throw differentWidths('UNION ALL', [columns, second.columns], body.at, writing);
    const [a, b] = [first, second].map((side) => queryAs(side, columns, body.at, writing));
    return { sql: `${own} AS (${a} UNION ALL ${b})`, relation };
}
const LISTED = 'the warehouse requires it: write WITH RECURSIVE name (columns) AS (…)';
function writeBody(body, writing) {
    switch (body.kind) {
        case 'select':
            return writeSelect(body, writing);
        case 'values':
            return { ...writeRows(body.rows, body.at, writing), names: undefined };
        case 'nested': {
            const query = writing.session.query(body.query, writing);
            return { sql: `(${query.sql})`, columns: query.columns, names: undefined };
        }
        case 'set':
            return writeSet(body, writing);
    }
}
function differentWidths(operator, [left, right], at, writing) {
    const message = `the queries of ${operator} must have the same number of columns, but have ${left.length} and ${right.length}`;
    return sqlError(message, at, writing);
}
function writeSet(body, writing) {
    const left = writeBody(body.left, writing);
    const right = writeBody(body.right, writing);
    if (left.columns.length !== right.columns.length)
        throw differentWidths(body.operator, [left.columns, right.columns], body.at, writing);
    const columns = left.columns.map((column, index) => {
        const other = right.columns[index] ?? column;
        const type = commonType([
            { sql: '', type: column.type },
            { sql: '', type: other.type },
        ], body.at, writing);
        return { name: column.name, type };
    });
    const isShown = !body.operator.endsWith('ALL');
    const [a, b] = [left, right].map((side) => queryAs(side, columns, body.at, writing, isShown ? body.operator : undefined));
    const sql = `(${a}) ${body.operator} (${b})`;
    return { sql, columns, names: undefined };
}
function queryAs(side, columns, at, writing, operator) {
    const own = writing.session.fresh('u');
    const cells = columns.map((column, index) => {
        const from = side.columns[index] ?? column;
        const value = convert({ sql: `${own}.${quoteName(from.name)}`, type: from.type }, column.type, at, writing);
        const sql = operator === undefined
            ? value.sql
            : shownForEqual({ sql: value.sql, type: column.type }, operator, writing.session.context.warehouse);
        return `CAST(${sql} AS ${duckdbType(column.type)}) AS ${quoteName(column.name)}`;
    });
    return `SELECT ${cells.join(', ')} FROM (${side.sql}) AS ${own}`;
}
function ordered(order, body, writing) {
    if (order.length === 0)
        return body.sql;
    const terms = order.map((item) => writeOrder(item, body, writing));
    const isVariant = ({ position = -1 }) => body.columns[position]?.type.name === 'VARIANT';
    if (!terms.some(isVariant))
        return `${body.sql} ORDER BY ${query_textOf(terms)}`;
    const values = body.isDistinct ? undefined : body.values;
    const own = writing.session.fresh('o');
    const isOfResult = terms.every(({ position }) => position !== undefined);
    const valueOf = ({ position = -1 }) => isOfResult ? `${own}.${quoteName(body.columns[position]?.name ?? '')}` : values?.[position];
    const keys = terms.map((term, index) => {
        if (!isVariant(term))
            return term;
        const value = valueOf(term);
        const at = order[index]?.value.at ?? 0;
        if (value === undefined)
            throw refusal('ORDER BY a semi-structured value here', at, writing, 'cast it');
        return { ...term, sql: orderedBy({ sql: value, type: { name: 'VARIANT' } }, writing) };
    });
    const from = isOfResult ? `SELECT * FROM (${body.sql}) AS ${own}` : body.sql;
    return `${from} ORDER BY ${query_textOf(keys)}`;
}
function query_textOf(terms) {
    return terms.map(({ sql, direction }) => `${sql} ${direction}`).join(', ');
}
const NOT_SELECTED = 'ORDER BY of a value that SELECT DISTINCT does not select';
function isSelected(part, body, writing) {
    if (typeof part !== 'object' || part === null)
        return true;
    if ('tables' in part && 'body' in part)
        return false;
    const node = part;
    if (node.kind !== 'column')
        return Object.values(part).every((inner) => isSelected(inner, body, writing));
    const name = node.parts.length === 1 && node.parts[0] ? fold(node.parts[0], writing) : undefined;
    const isOutput = body.columns.some((column) => column.name === name);
    return isOutput || body.values?.includes(write(node, writing).sql) === true;
}
function writeOrder(item, body, writing) {
    const { value } = item;
    const direction = orderDirectionOf(item);
    const term = (position) => ({ position, sql: String(position + 1), direction });
    if (value.kind === 'number') {
        const position = Number(value.value);
        if (!Number.isInteger(position) || position < 1 || position > body.columns.length)
            throw sqlError(`ORDER BY ${value.value} is not the position of a column: the query has ${body.columns.length}`, value.at, writing);
        return term(position - 1);
    }
    if (value.kind === 'column' && value.parts.length === 1 && value.parts[0]) {
        const name = fold(value.parts[0], writing);
        const position = body.columns.findIndex((column) => column.name === name);
        if (position >= 0)
            return term(position);
    }
    if (!body.names)
        throw refusal('ORDER BY with an expression after a set operation', value.at, writing);
    const inner = { ...writing, names: body.names };
    const written = write(value, inner);
    if (body.isDistinct) {
        const position = body.values?.indexOf(written.sql) ?? -1;
        if (position >= 0)
            return term(position);
        if (!isOne(writing) || !isSelected(value, body, inner))
            throw refusal(NOT_SELECTED, value.at, writing, 'select the value too, or order by a selected one');
    }
    if (/^[-\d(]*\d\)*$/.test(written.sql))
        throw refusal('ORDER BY with a constant', value.at, writing);
    return { position: undefined, sql: orderedBy(written, writing), direction };
}

;// CONCATENATED MODULE: ./engine/dialect/session.js



const MAX_SQL_LENGTH = 4_000_000;
function createSession(source, context) {
    let count = 0;
    const guard = (result, at) => {
        if (result.sql.length > MAX_SQL_LENGTH)
            throw new Refusal('an expression that grows too large', source.placeOf(at), 'split it');
        return result;
    };
    return {
        context,
        source,
        reads: new Map(),
        outerReads: [],
        isStored: context.isStored === true,
        fresh: (prefix) => `${prefix}${(count += 1)}_`,
        query: (query, writing) => guard(writeQuery(query, writing), query.at),
        expression: (expression, writing) => guard(writeExpression(expression, writing), expression.at),
    };
}

;// CONCATENATED MODULE: ./engine/duckdb/replace-table.js
function replaceTableSql(table, rows, limits) {
    if (limits?.definitions === undefined)
        return [`CREATE OR REPLACE TABLE ${table} AS ${rows}`, ...(limits?.afterwards ?? [])];
    const copy = 'temp.main.millrace_query';
    return [
        `CREATE OR REPLACE TEMP TABLE millrace_query AS ${rows}`,
        `CREATE OR REPLACE TABLE ${table} (${limits.definitions.join(', ')})`,
        ...limits.afterwards,
        `INSERT INTO ${table} SELECT * FROM ${copy}`,
        `DROP TABLE ${copy}`,
    ];
}

;// CONCATENATED MODULE: ./engine/dialect/statement/statement.js



function existingTable(parts, at, writing) {
    const name = fullName(parts, writing);
    const { catalog } = writing.session.context;
    const table = catalog.find(name);
    if (table)
        return table;
    const similar = catalog.findIgnoringCase(name);
    const hint = similar ? `; there is "${similar.database}"."${similar.schema}"."${similar.table}"` : '';
    throw sqlError(`table "${name.database}"."${name.schema}"."${name.table}" not found${hint}`, at, writing);
}
function readTarget(cursor, writing, readAlias) {
    const { at } = cursor;
    const parts = cursor.names();
    const table = existingTable(parts, at, writing);
    if (table.kind === 'view')
        throw sqlError(`"${table.table}" is a view: its rows cannot be changed`, at, writing);
    const alias = readAlias(cursor);
    if (alias && alias.columns.length > 0)
        throw refusal('column names after the table', alias.name.at, writing);
    const own = writing.session.fresh('t');
    const columns = new Map(table.columns.map(({ name, type }) => [name, { sql: `${own}.${quoteName(name)}`, type }]));
    const path = [table.database, table.schema];
    const visible = alias
        ? { alias: fold(alias.name, writing), columns }
        : { alias: table.table, columns, path };
    return { table, visible, sql: `${table.sql} AS ${own}` };
}
function targetColumn(table, name, writing) {
    const wanted = fold(name, writing);
    const column = table.columns.find((each) => each.name === wanted);
    if (column)
        return column;
    const similar = table.columns.find((each) => each.name.toLowerCase() === wanted.toLowerCase());
    const hint = similar ? `; the table has "${similar.name}"` : '';
    throw sqlError(`column "${wanted}" not found${hint}`, name.at, writing);
}
function expectColumn(name, columns, writing) {
    const wanted = fold(name, writing);
    const column = columns.find((each) => each.name === wanted);
    if (column)
        return column;
    const known = columns.slice(0, 20).map((each) => `"${each.name}"`);
    throw sqlError(`column "${wanted}" not found; the table has ${known.join(', ')}`, name.at, writing);
}
function withRelations(writing, relations) {
    return { ...writing, names: { ...NO_NAMES, relations } };
}
function takeIfMissing(cursor, isReplaced) {
    const { at } = cursor;
    const isTaken = cursor.takeWord('IF', 'NOT', 'EXISTS');
    if (isTaken && isReplaced)
        throw cursor.wrong('OR REPLACE and IF NOT EXISTS exclude each other: leave one of them out', at);
    return isTaken;
}
function refuseIdentityValue(table, column, at, writing) {
    if (table.identity === column.name)
        throw sqlError(`"${column.name}" is an identity column: leave it out, its value counts on its own`, at, writing);
}
function refuseDoubleNames(names, writing) {
    const seen = new Map();
    for (const name of names) {
        const folded = fold(name, writing);
        const before = seen.get(folded.toLowerCase());
        if (before === folded)
            throw sqlError(`the column "${folded}" appears twice`, name.at, writing);
        if (before !== undefined)
            throw refusal(`the columns "${before}" and "${folded}"`, name.at, writing, IN_CASE_ONLY);
        seen.set(folded.toLowerCase(), folded);
    }
}
const IN_CASE_ONLY = 'their names differ only in upper and lower case: rename one of them';
function refuseSimilarTable(name, at, writing) {
    const { catalog } = writing.session.context;
    const similar = catalog.find(name) ? undefined : catalog.findIgnoringCase(name);
    if (similar)
        throw refusal(`the tables "${similar.table}" and "${name.table}"`, at, writing, IN_CASE_ONLY);
}

;// CONCATENATED MODULE: ./engine/dialect/statement/options.js



function readTableOptions(cursor) {
    const options = { clusters: [], distKeys: [], sortKeys: [], style: undefined };
    const read = cursor.warehouse === 'WAREHOUSE_ONE' ? readOne : readTwo;
    const seen = new Set();
    for (;;) {
        const { at } = cursor;
        const option = read(cursor, options);
        if (option === undefined)
            return options;
        if (seen.has(option))
            throw cursor.wrong(`the option ${option} is given twice`, at);
        seen.add(option);
    }
}
function skipViewOptions(cursor) {
    while (cursor.warehouse === 'WAREHOUSE_ONE' && readPlainOne(cursor) !== undefined)
        ;
}
function readOne(cursor, options) {
    if (!cursor.takeWord('CLUSTER', 'BY'))
        return readPlainOne(cursor);
    options.clusters.push(...cursor.inParentheses(() => cursor.list(() => cursor.expression())));
    return 'CLUSTER BY';
}
function readPlainOne(cursor) {
    if (cursor.takeWord('COPY', 'GRANTS'))
        return 'COPY GRANTS';
    const word = cursor.takeOneOf('COMMENT', 'DATA_RETENTION_TIME_IN_DAYS', 'CHANGE_TRACKING', 'MAX_DATA_EXTENSION_TIME_IN_DAYS');
    if (word === undefined)
        return undefined;
    cursor.expectOperator('=');
    cursor.next();
    return word;
}
const STYLES = ['AUTO', 'EVEN', 'KEY', 'ALL'];
function readTwo(cursor, options) {
    const { at } = cursor;
    if (cursor.takeWord('DISTSTYLE')) {
        options.style = { word: oneOf(cursor, STYLES), at };
        return 'DISTSTYLE';
    }
    if (cursor.takeWord('ENCODE')) {
        oneOf(cursor, ['AUTO']);
        return 'ENCODE';
    }
    if (cursor.takeWord('BACKUP')) {
        oneOf(cursor, ['YES', 'NO']);
        return 'BACKUP';
    }
    if (cursor.takeWord('DISTKEY')) {
        options.distKeys.push(cursor.inParentheses(() => cursor.name()));
        return 'DISTKEY';
    }
    if (cursor.takeWord('SORTKEY', 'AUTO'))
        return 'SORTKEY';
    const kind = cursor.takeOneOf('COMPOUND', 'INTERLEAVED');
    if (kind === undefined && !cursor.isWord('SORTKEY'))
        return undefined;
    cursor.expectWord('SORTKEY');
    options.sortKeys.push(...cursor.inParentheses(() => cursor.list(() => cursor.name())));
    return 'SORTKEY';
}
const ENCODINGS = `RAW AZ64 BYTEDICT DELTA DELTA32K LZO MOSTLY8 MOSTLY16 MOSTLY32 RUNLENGTH TEXT255 TEXT32K ZSTD AUTO`.split(' ');
function readEncoding(cursor) {
    oneOf(cursor, ENCODINGS);
}
function oneOf(cursor, words) {
    const word = cursor.takeOneOf(...words);
    if (word !== undefined)
        return word;
    throw cursor.unexpected(words.length === 1 ? words.join('') : `one of ${words.join(', ')}`);
}
function checkTableOptions({ clusters, distKeys, sortKeys, style }, columns, own, writing) {
    const expect = (name) => expectColumn(name, columns, writing);
    for (const cluster of clusters)
        has(cluster, ({ kind, parts }) => {
            if (kind !== 'column' || !Array.isArray(parts))
                return false;
            const [name, ...more] = parts;
            if (name && more.length === 0)
                expect(name);
            return false;
        });
    for (const name of [...distKeys, ...sortKeys])
        expect(name);
    const [first, second] = [...own, ...distKeys];
    if (second)
        throw sqlError('a table has one DISTKEY', second.at, writing);
    if (first && expect(first).type.name === 'VARIANT')
        throw sqlError('a column of SUPER cannot be the DISTKEY', first.at, writing);
    if (style?.word === 'KEY' && first === undefined)
        throw sqlError('DISTSTYLE KEY needs a DISTKEY', style.at, writing);
    if (style !== undefined && style.word !== 'KEY' && first !== undefined)
        throw sqlError(`DISTSTYLE ${style.word} and DISTKEY exclude each other`, style.at, writing);
}

;// CONCATENATED MODULE: ./engine/dialect/statement/sequence.js



function writeCreateSequence(cursor, writing, isReplaced) {
    const ifMissing = takeIfMissing(cursor, isReplaced);
    const name = fullName(cursor.names(), writing);
    cursor.takeWord('WITH');
    const counting = readCounting(cursor);
    cursor.expectEndOfDefinition();
    const create = isReplaced ? 'CREATE OR REPLACE SEQUENCE' : 'CREATE SEQUENCE';
    return {
        sql: [`${create} ${ifMissing ? 'IF NOT EXISTS ' : ''}${physicalTable(name)} ${countingText(counting)}`],
        definesTables: false,
    };
}
function writeDropSequence(cursor, writing) {
    const ifExists = cursor.takeWord('IF', 'EXISTS') ? 'IF EXISTS ' : '';
    const name = fullName(cursor.names(), writing);
    cursor.takeOneOf('CASCADE', 'RESTRICT');
    cursor.expectEndOfDefinition();
    return { sql: [`DROP SEQUENCE ${ifExists}${physicalTable(name)}`], definesTables: false };
}
function readIdentity(cursor, type) {
    const { at } = cursor;
    const isOne = cursor.warehouse === 'WAREHOUSE_ONE';
    const counting = isOne ? readIdentityOfOne(cursor) : readIdentityOfTwo(cursor);
    if (counting === undefined)
        return undefined;
    if (isOne
        ? type.name !== 'NUMBER' && type.name !== 'FLOAT'
        : type.name !== 'INTEGER' && type.name !== 'BIGINT')
        throw cursor.wrong(`an identity column has the type ${isOne ? 'of a number' : 'INTEGER or BIGINT'}`, at);
    return counting;
}
function readIdentityOfOne(cursor) {
    if (cursor.takeOneOf('IDENTITY', 'AUTOINCREMENT') === undefined)
        return undefined;
    if (!cursor.isOperator('('))
        return readCounting(cursor);
    const counting = readStep(cursor);
    cursor.takeOneOf('ORDER', 'NOORDER');
    return counting;
}
function readIdentityOfTwo(cursor) {
    const isDefault = cursor.takeWord('GENERATED', 'BY', 'DEFAULT', 'AS');
    if (isDefault)
        cursor.expectWord('IDENTITY');
    else if (!cursor.takeWord('IDENTITY'))
        return undefined;
    return { ...readStep(cursor), isAlways: !isDefault };
}
function readStep(cursor) {
    return cursor.inParentheses(() => {
        const start = signed(cursor);
        cursor.expectOperator(',');
        return { start, increment: signed(cursor) };
    });
}
function readCounting(cursor) {
    let start = 1;
    let increment = 1;
    for (;;) {
        if (cursor.takeWord('START')) {
            cursor.takeWord('WITH');
            cursor.takeOperator('=');
            start = signed(cursor);
        }
        else if (cursor.takeWord('INCREMENT')) {
            cursor.takeWord('BY');
            cursor.takeOperator('=');
            increment = signed(cursor);
        }
        else if (cursor.takeOneOf('ORDER', 'NOORDER') === undefined) {
            return { start, increment };
        }
    }
}
function signed(cursor) {
    const isNegative = cursor.takeOperator('-');
    const { at } = cursor;
    const value = cursor.integer();
    if (value === 0 && isNegative)
        throw cursor.refusal('-0', at);
    return isNegative ? -value : value;
}
function identitySequence(table, column) {
    return { ...table, table: `${table.table}.${column}` };
}
function replaceSequenceSql(name, counting) {
    return `CREATE OR REPLACE SEQUENCE ${physicalTable(name)} ${countingText(counting)}`;
}
function countingText({ start, increment }) {
    const lowest = Math.min(start, 1);
    const limits = increment < 0 ? `MINVALUE -9000000000000000000 MAXVALUE ${Math.max(start, 1)}` : `MINVALUE ${lowest}`;
    return `START WITH ${start} INCREMENT BY ${increment} ${limits}`;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/column-definition.js








function readDefinitions(cursor, writing) {
    const found = { primaryKeys: [], primary: [], keys: [], references: [], distKeys: [] };
    const definitions = cursor.inParentheses(() => cursor.list(() => readKey(cursor, found) ?? readDefinition(cursor, found, writing)));
    const columns = definitions.filter((definition) => definition !== 'key');
    refuseDoubleNames(columns.map((column) => column.at), writing);
    const [, second] = found.primaryKeys;
    if (second !== undefined)
        throw sqlError('a table has one primary key, not several', second, writing);
    const [, other] = columns.filter(({ counting }) => counting !== undefined);
    if (other && !isOne(writing))
        throw sqlError('a table has one identity column', other.at.at, writing);
    for (const name of [...found.primary, ...found.keys])
        expectColumn(name, columns, writing);
    const required = new Set(found.primary.map((key) => fold(key, writing)));
    return {
        ...found,
        columns: columns.map((column) => required.has(column.name) ? { ...column, isRequired: true, isKey: true } : column),
    };
}
function checkReferences(definitions, created, writing) {
    for (const { at, table, columns } of definitions.references) {
        const name = fullName(table, writing);
        const isOwn = name.table === created.table && name.schema === created.schema && name.database === created.database;
        if (isOwn)
            for (const column of columns)
                expectColumn(column, definitions.columns, writing);
        else {
            const existing = existingTable(table, at, writing);
            for (const column of columns)
                targetColumn(existing, column, writing);
        }
    }
}
function readKey(cursor, found) {
    if (cursor.takeWord('CONSTRAINT'))
        cursor.name();
    const { at } = cursor;
    const isPrimary = cursor.takeWord('PRIMARY', 'KEY');
    if (!isPrimary &&
        !(cursor.isWord('UNIQUE') && cursor.isOperator('(', 1)) &&
        !cursor.isWord('FOREIGN', 'KEY'))
        return undefined;
    const isUnique = !isPrimary && cursor.takeWord('UNIQUE');
    if (!isPrimary && !isUnique)
        cursor.expectWord('FOREIGN', 'KEY');
    const names = cursor.inParentheses(() => cursor.list(() => cursor.name()));
    if (isPrimary)
        found.primaryKeys.push(at);
    (isPrimary ? found.primary : found.keys).push(...names);
    if (isPrimary || isUnique)
        return 'key';
    if (!cursor.isWord('REFERENCES'))
        throw cursor.unexpected('REFERENCES');
    readReferences(cursor, found);
    return 'key';
}
function readReferences(cursor, found) {
    cursor.expectWord('REFERENCES');
    const { at } = cursor;
    const table = cursor.names();
    const columns = cursor.isOperator('(') ? cursor.inParentheses(() => cursor.list(() => cursor.name())) : [];
    found.references.push({ at, table, columns });
}
function readDefinition(cursor, found, writing) {
    const at = cursor.name('column');
    const type = parseColumnType(cursor);
    const options = { isRequired: false, isKey: false, otherwise: undefined, counting: undefined };
    const seen = new Set();
    for (;;) {
        const start = cursor.at;
        const option = readOption(cursor, { name: at, type, options, found }, writing);
        if (option === undefined)
            break;
        if (seen.has(option))
            throw sqlError(`the option ${option} is given twice`, start, writing);
        seen.add(option);
        for (const [one, other] of EXCLUSIVE)
            if (seen.has(one) && seen.has(other))
                throw sqlError(`${one} and ${other} exclude each other`, start, writing);
    }
    if (!cursor.isOperator(',') && !cursor.isOperator(')'))
        throw refusal(`the column option ${cursor.peek().raw.toUpperCase()}`, cursor.at, writing);
    return { name: fold(at, writing), type, at, ...options };
}
const EXCLUSIVE = [
    ['NULL', 'NOT NULL'],
    ['NULL', 'PRIMARY KEY'],
    ['DEFAULT', 'IDENTITY'],
];
function readOption(cursor, place, writing) {
    const { name, type, options, found } = place;
    const { at } = cursor;
    if (cursor.takeWord('NOT', 'NULL')) {
        options.isRequired = true;
        return 'NOT NULL';
    }
    if (cursor.takeWord('PRIMARY', 'KEY')) {
        options.isRequired = options.isKey = true;
        found.primaryKeys.push(at);
        return 'PRIMARY KEY';
    }
    if (cursor.takeWord('DEFAULT')) {
        options.otherwise = readDefault(cursor, type, writing);
        return 'DEFAULT';
    }
    if (cursor.isWord('REFERENCES')) {
        readReferences(cursor, found);
        return 'REFERENCES';
    }
    const counting = readIdentity(cursor, type);
    if (counting !== undefined) {
        options.counting = counting;
        return 'IDENTITY';
    }
    return isOne(writing) ? readOptionOfOne(cursor) : readOptionOfTwo(cursor, name, found);
}
function readOptionOfOne(cursor) {
    if (!cursor.takeWord('COMMENT'))
        return cursor.takeOneOf('NULL', 'UNIQUE');
    if (cursor.peek().kind !== 'text')
        throw cursor.unexpected('a text');
    cursor.next();
    return 'COMMENT';
}
function readOptionOfTwo(cursor, name, found) {
    if (cursor.takeWord('ENCODE')) {
        readEncoding(cursor);
        return 'ENCODE';
    }
    const word = cursor.takeOneOf('NULL', 'UNIQUE', 'DISTKEY', 'SORTKEY');
    if (word === 'DISTKEY')
        found.distKeys.push(name);
    return word;
}
function readDefault(cursor, type, writing) {
    const { at } = cursor;
    const stored = { ...writing, session: { ...writing.session, isStored: true } };
    const value = writing.session.expression(cursor.expression(), { ...stored, names: NO_NAMES });
    return `CAST(${convert(value, type, at, writing).sql} AS ${duckdbType(type)})`;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/create-table.js












const NOTHING = { sql: [], definesTables: false };
function writeCreateTable(cursor, writing, isReplaced) {
    const ifMissing = takeIfMissing(cursor, isReplaced);
    const { at } = cursor;
    const name = fullName(cursor.names(), writing);
    const existing = writing.session.context.catalog.find(name);
    refuseSimilarTable(name, at, writing);
    for (const word of ['LIKE', 'CLONE', 'USING'])
        if (cursor.isWord(word))
            throw refusal(`CREATE TABLE … ${word}`, cursor.at, writing);
    const names = create_table_readNames(cursor, writing);
    const defined = cursor.isOperator('(') ? readDefinitions(cursor, writing) : undefined;
    const definitions = defined?.columns;
    const options = readTableOptions(cursor);
    if (names && !cursor.isWord('AS'))
        throw cursor.unexpected('AS and a query, because the columns have no types');
    if (definitions && !isOne(writing) && cursor.isWord('AS'))
        throw cursor.wrong('CREATE TABLE … AS takes no types of columns: cast the values of the query');
    const body = cursor.takeWord('AS') ? cursor.query() : undefined;
    if (body)
        cursor.expectEnd();
    else
        cursor.expectEndOfDefinition();
    const query = body && writing.session.query(body, writing);
    if (existing && ifMissing)
        return NOTHING;
    const made = query && create_table_named(query, names, at, writing);
    if (defined)
        checkReferences(defined, name, writing);
    checkTableOptions(options, definitions ?? made?.columns ?? [], defined?.distKeys ?? [], writing);
    if (existing && !isReplaced) {
        const ofTable = isOne(writing)
            ? 'write OR REPLACE or IF NOT EXISTS'
            : 'drop it first, or write IF NOT EXISTS';
        const hint = existing.kind === 'table' ? ofTable : 'choose another name';
        throw sqlError(`the ${existing.kind} "${name.table}" exists already; ${hint}`, at, writing);
    }
    if (made)
        return { sql: fromQuery(name, made, definitions, at, writing), definesTables: true };
    if (!definitions)
        throw cursor.unexpected('columns or AS');
    return { sql: emptyTable(name, definitions, writing), definesTables: true };
}
function create_table_readNames(cursor, writing) {
    if (!cursor.isOperator('(') || !(cursor.isOperator(',', 2) || cursor.isOperator(')', 2)))
        return undefined;
    const names = cursor.inParentheses(() => cursor.list(() => cursor.name()));
    refuseDoubleNames(names, writing);
    return names;
}
function create_table_named(query, names, at, writing) {
    if (names === undefined)
        return query;
    create_table_checkCount(names.length, query, at, writing);
    const columns = query.columns.map(({ type }, index) => {
        const name = names[index];
        if (name === undefined)
            throw new Error('no such name');
        return { name: fold(name, writing), type };
    });
    const list = columns.map(({ name }) => quoteName(name)).join(', ');
    return {
        ...query,
        columns,
        sql: `SELECT * FROM (${query.sql}) AS ${writing.session.fresh('q')} (${list})`,
    };
}
function create_table_checkCount(count, query, at, writing) {
    if (count === query.columns.length)
        return;
    throw sqlError(`the table lists ${(0,number_of/* numberOf */.r)(count, 'column')}, but its query has ${query.columns.length}`, at, writing);
}
function definitionText(table, column, writing) {
    const { name, type, isRequired, counting } = column;
    const next = counting && `CAST(${nextValueSql(identitySequence(table, name))} AS ${duckdbType(type)})`;
    const otherwise = next ?? column.otherwise;
    const required = isRequired ? ' NOT NULL' : '';
    const suffix = otherwise === undefined ? '' : ` DEFAULT ${otherwise}`;
    return `${columnDefinition(column, writing.session.context.warehouse)}${required}${suffix}`;
}
function emptyTable(name, columns, writing) {
    const table = physicalTable(name);
    const { definitions, afterwards } = limitsOf(name, columns, writing);
    const create = `CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`;
    const sequences = columns.flatMap((column) => column.counting ? [replaceSequenceSql(identitySequence(name, column.name), column.counting)] : []);
    const before = sequences.length === 0 ? [] : [`DROP TABLE IF EXISTS ${table}`, ...sequences];
    return [...before, create, ...afterwards];
}
function limitsOf(name, columns, writing) {
    return {
        definitions: columns.map((column) => definitionText(name, column, writing)),
        afterwards: declareTypes(physicalTable(name), columns, columns.flatMap((column) => (column.isKey ? [column.name] : [])), columns.find(({ counting }) => counting?.isAlways === true)?.name),
    };
}
function fromQuery(name, query, definitions, at, writing) {
    if (definitions)
        create_table_checkCount(definitions.length, query, at, writing);
    const counted = definitions?.find((column) => column.counting);
    if (counted)
        throw refusal('an identity column in CREATE TABLE … AS', counted.at.at, writing);
    const columns = definitions ??
        query.columns.map((column) => ({
            name: column.name,
            type: column.type.name === 'NULL' ? typed_TEXT : column.type,
            at: { text: column.name, isQuoted: true, at },
            isRequired: false,
            isKey: false,
            otherwise: undefined,
            counting: undefined,
        }));
    const rows = queryAs(query, columns, at, writing);
    const hasLimits = columns.some((column) => column.isRequired || column.otherwise !== undefined || create_table_isLimited(column));
    const table = physicalTable(name);
    const limits = limitsOf(name, columns, writing);
    return replaceTableSql(table, rows, hasLimits ? limits : { ...limits, definitions: undefined });
}
function create_table_isLimited({ type }) {
    return type.name === 'VARCHAR' && type.length !== undefined;
}

;// CONCATENATED MODULE: ./engine/duckdb/view-needs.js

const view_needs_marker = 'millrace:';
function viewNeeds(sql, reads) {
    return reads.map((table) => {
        const aliases = sql
            .split(`${table.sql} AS `)
            .slice(1)
            .map((rest) => /^\w+/.exec(rest)?.[0] ?? '');
        const isRead = (name) => aliases.some((alias) => sql.includes(`${alias}.${quoteName(name)}`));
        const columns = table.columns.map(({ name }) => name).filter(isRead);
        return { table: table.sql, columns };
    });
}
function queryNeeds(sql, tables) {
    return tables.flatMap((table) => {
        if (!sql.includes(table.sql))
            return [];
        const columns = table.columns.map(({ name }) => name).filter((name) => sql.includes(quoteName(name)));
        return [{ table: table.sql, columns }];
    });
}
function declareNeeds(view, needs) {
    if (needs.length === 0)
        return [];
    return [`COMMENT ON VIEW ${view} IS ${quoteText(`${view_needs_marker}${JSON.stringify(needs)}`)}`];
}
function declaredNeeds(comment) {
    if (typeof comment !== 'string' || !comment.startsWith(view_needs_marker))
        return undefined;
    return JSON.parse(comment.slice(view_needs_marker.length));
}
function dependentViews(dropped, catalog, column) {
    const gone = new Set(dropped.map(({ sql }) => sql));
    const found = [];
    let latest = gone;
    let wanted = column;
    while (latest.size > 0) {
        const needed = latest;
        const next = catalog
            .all()
            .filter(({ sql, needs }) => !gone.has(sql) &&
            needs?.some(({ table, columns }) => needed.has(table) && (wanted === undefined || columns.includes(wanted))));
        for (const { sql } of next)
            gone.add(sql);
        found.push(...next);
        latest = new Set(next.map(({ sql }) => sql));
        wanted = undefined;
    }
    return found;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/drop.js





function writeDrop(cursor, writing, kind) {
    const ifExists = cursor.takeWord('IF', 'EXISTS');
    const { at } = cursor;
    const parts = cursor.names();
    if (cursor.isOperator(','))
        throw refusal(`DROP ${kind.toUpperCase()} of several names`, cursor.at, writing);
    const known = writing.session.context.catalog.find(fullName(parts, writing));
    const what = `the ${kind} "${known?.table ?? ''}"`;
    const views = dropWithViews(cursor, known ? [known] : [], what, at, writing);
    if (!known && ifExists)
        return { sql: [], definesTables: false };
    const table = existingTable(parts, at, writing);
    if (table.kind !== kind)
        throw sqlError(`"${table.table}" is a ${table.kind}: use DROP ${table.kind.toUpperCase()}`, at, writing);
    return { sql: [...views, `DROP ${kind.toUpperCase()} ${table.sql}`], definesTables: true };
}
function schemaName(cursor, writing) {
    const { at } = cursor;
    const names = cursor.names().map((name) => fold(name, writing));
    const [last = '', database = writing.session.context.defaults.database] = names.toReversed();
    if (names.length > 2)
        throw refusal('a schema name with three parts', at, writing);
    return { database, schema: last };
}
function writeDropSchema(cursor, writing) {
    const ifExists = cursor.takeWord('IF', 'EXISTS') ? 'IF EXISTS ' : '';
    const { at } = cursor;
    const { database, schema } = schemaName(cursor, writing);
    const tables = writing.session.context.catalog.list(database, schema);
    const mustBeEmpty = cursor.isWord('RESTRICT') || (!isOne(writing) && !cursor.isWord('CASCADE'));
    const [first] = tables;
    if (mustBeEmpty && first)
        throw sqlError(`the schema "${schema}" has the ${first.kind} "${first.table}": drop it first, or write CASCADE`, at, writing);
    const views = dropWithViews(cursor, tables, `the schema "${schema}"`, at, writing);
    const cascade = mustBeEmpty ? '' : ' CASCADE';
    return {
        sql: [...views, `DROP SCHEMA ${ifExists}${quoteName(physicalSchema(database, schema))}${cascade}`],
        definesTables: true,
    };
}
function dropWithViews(cursor, dropped, what, at, writing, column) {
    const word = cursor.takeOneOf('CASCADE', 'RESTRICT');
    cursor.expectEndOfDefinition();
    const views = dependentViews(dropped, writing.session.context.catalog, column);
    const [first] = views;
    if (first && word !== 'CASCADE')
        throw sqlError(`the view "${first.table}" needs ${what}: drop the view first, or write CASCADE`, at, writing);
    return views.map((view) => `DROP VIEW ${view.sql}`);
}

;// CONCATENATED MODULE: ./engine/dialect/statement/define.js











function writeCreateView(cursor, writing, isReplaced) {
    const ifMissing = takeIfMissing(cursor, isReplaced);
    if (ifMissing && !isOne(writing))
        throw cursor.wrong('CREATE VIEW has no IF NOT EXISTS: write CREATE OR REPLACE VIEW');
    const { at } = cursor;
    const name = fullName(cursor.names(), writing);
    const existing = writing.session.context.catalog.find(name);
    refuseSimilarTable(name, at, writing);
    const names = cursor.isOperator('(')
        ? cursor.inParentheses(() => cursor.list(() => cursor.name('column')))
        : [];
    skipViewOptions(cursor);
    cursor.expectWord('AS');
    const body = cursor.query();
    const isLate = !isOne(writing) && cursor.takeWord('WITH', 'NO', 'SCHEMA', 'BINDING');
    cursor.expectEnd();
    const query = writing.session.query(body, writing);
    const needs = isOne(writing) || isLate ? [] : viewNeeds(query.sql, [...writing.session.reads.values()]);
    if (existing && ifMissing)
        return { sql: [], definesTables: false };
    if (existing && (!isReplaced || existing.kind === 'table'))
        throw sqlError(`the ${existing.kind} "${name.table}" exists already`, at, writing);
    if (names.length > 0 && names.length !== query.columns.length)
        throw sqlError(`the view lists ${(0,number_of/* numberOf */.r)(names.length, 'column name')}, but its query has ${(0,number_of/* numberOf */.r)(query.columns.length, 'column')}`, at, writing);
    refuseDoubleNames(names, writing);
    const list = names.map((column) => quoteName(fold(column, writing))).join(', ');
    const columns = names.length > 0 ? ` (${list})` : '';
    const shown = query.columns.map(({ name: own, type }, index) => {
        const given = names[index];
        return { name: given === undefined ? own : fold(given, writing), type };
    });
    return {
        sql: [
            `CREATE OR REPLACE VIEW ${physicalTable(name)}${columns} AS ${query.sql}`,
            ...declareTypes(physicalTable(name), shown),
            ...declareNeeds(physicalTable(name), needs),
        ],
        definesTables: true,
    };
}
function writeTruncate(cursor, writing) {
    cursor.takeWord('TABLE');
    const start = cursor.at;
    const ifExists = cursor.takeWord('IF', 'EXISTS');
    if (ifExists && !isOne(writing))
        throw cursor.wrong('TRUNCATE has no IF EXISTS: leave it out', start);
    const { at } = cursor;
    const parts = cursor.names();
    cursor.expectEndOfDefinition();
    const known = writing.session.context.catalog.find(fullName(parts, writing));
    if (!known && ifExists)
        return { sql: [], definesTables: false };
    const table = existingTable(parts, at, writing);
    if (table.kind === 'view')
        throw sqlError(`"${table.table}" is a view, and TRUNCATE needs a table`, at, writing);
    return { sql: [`DELETE FROM ${table.sql}`], definesTables: false };
}
function writeAlterTable(cursor, writing) {
    const ifExists = cursor.takeWord('IF', 'EXISTS');
    const { at } = cursor;
    const parts = cursor.names();
    if (ifExists && !writing.session.context.catalog.find(fullName(parts, writing)))
        throw refusal('ALTER TABLE IF EXISTS of a table that does not exist', at, writing);
    const table = existingTable(parts, at, writing);
    const alter = (action) => ({
        sql: [`ALTER TABLE ${table.sql} ${action}`],
        definesTables: true,
    });
    const start = cursor.at;
    if (cursor.takeWord('ADD'))
        return alter(addColumn(cursor, writing));
    if (cursor.takeWord('DROP', 'COLUMN')) {
        const column = targetColumn(table, cursor.name(), writing);
        const views = dropWithViews(cursor, [table], `the column "${column.name}"`, at, writing, column.name);
        const dropped = alter(`DROP COLUMN ${quoteName(column.name)}`);
        return { ...dropped, sql: [...views, ...dropped.sql] };
    }
    if (cursor.takeWord('RENAME', 'COLUMN')) {
        const column = targetColumn(table, cursor.name(), writing);
        cursor.expectWord('TO');
        const name = newName(cursor, writing);
        return alter(`RENAME COLUMN ${quoteName(column.name)} TO ${quoteName(name)}`);
    }
    throw refusal(`ALTER TABLE … ${cursor.peek().raw.toUpperCase()}`, start, writing);
}
function newName(cursor, writing) {
    const name = cursor.name('column');
    cursor.expectEndOfDefinition();
    return fold(name, writing);
}
function addColumn(cursor, writing) {
    cursor.takeWord('COLUMN');
    if (cursor.isWord('IF'))
        throw refusal('ADD COLUMN IF NOT EXISTS', cursor.at, writing, 'write ADD COLUMN alone');
    const name = fold(cursor.name('column'), writing);
    const { at } = cursor;
    const type = parseType(cursor);
    if (type.name === 'VARCHAR' && type.length !== undefined)
        throw refusal('ADD COLUMN with a length', at, writing, 'use VARCHAR without a length');
    if (cursor.isWord('DEFAULT'))
        throw refusal('ADD COLUMN with DEFAULT', cursor.at, writing, 'add it without DEFAULT, and UPDATE the table');
    if (cursor.isOperator(','))
        throw refusal('ADD COLUMN of several columns', cursor.at, writing, 'write one ALTER TABLE for each');
    cursor.expectEndOfDefinition();
    return `ADD COLUMN ${quoteName(name)} ${duckdbType(type)}`;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/form-without-effect.js


function readWithoutEffect(cursor, what, writing) {
    if (!cursor.takeWord(...what.split(' ')))
        return;
    if (what === 'COMMENT')
        readComment(cursor, writing);
    else if (what === 'GRANT' || what === 'REVOKE')
        readGrant(cursor, what === 'GRANT' ? 'TO' : 'FROM');
    else if (what === 'ANALYZE')
        readAnalyze(cursor, writing);
    else if (what === 'VACUUM')
        readVacuum(cursor, writing);
    else if (cursor.peek().kind === 'end' && !what.includes('UNSET'))
        throw cursor.unexpected(what.endsWith('QUERY_TAG') ? 'a value' : 'a name');
}
function readTable(cursor, writing) {
    const { at } = cursor;
    existingTable(cursor.names(), at, writing);
}
function readComment(cursor, writing) {
    const ifExists = cursor.takeWord('IF', 'EXISTS');
    cursor.expectWord('ON');
    const { at } = cursor;
    const isTable = cursor.isWord('TABLE') || cursor.isWord('VIEW');
    const isColumn = cursor.isWord('COLUMN');
    cursor.label();
    const start = cursor.at;
    if (!ifExists && isTable)
        readTable(cursor, writing);
    else if (!ifExists && isColumn) {
        const names = [cursor.name()];
        while (cursor.takeOperator('.'))
            names.push(cursor.laterName());
        const column = names.pop();
        if (column === undefined || names.length === 0)
            throw sqlError('a column has its table before it: table.column', start, writing);
        targetColumn(existingTable(names, start, writing), column, writing);
    }
    else
        skipTo(cursor, 'IS', at);
    cursor.expectWord('IS');
    if (cursor.peek().kind !== 'text' && !cursor.isWord('NULL'))
        throw cursor.unexpected('a text');
}
function readGrant(cursor, end) {
    skipTo(cursor, end, cursor.at);
    cursor.next();
    if (cursor.peek().kind === 'end')
        throw cursor.unexpected('a name');
}
function skipTo(cursor, word, start) {
    while (!cursor.isWord(word)) {
        if (cursor.peek().kind === 'end')
            throw cursor.wrong(`${word} is missing`, start);
        cursor.next();
    }
}
function readAnalyze(cursor, writing) {
    cursor.takeOneOf('VERBOSE', 'COMPRESSION');
    const isWhole = cursor.isWord('PREDICATE', 'COLUMNS') || cursor.isWord('ALL', 'COLUMNS');
    if (cursor.peek().kind === 'end')
        return;
    if (!isWhole) {
        readTable(cursor, writing);
        if (cursor.isOperator('('))
            cursor.inParentheses(() => cursor.list(() => cursor.name()));
    }
    if (cursor.takeWord('COMPROWS'))
        cursor.integer();
    if (!cursor.takeWord('PREDICATE', 'COLUMNS'))
        cursor.takeWord('ALL', 'COLUMNS');
    cursor.expectEndOfDefinition();
}
function readVacuum(cursor, writing) {
    if (!cursor.takeWord('SORT', 'ONLY') && !cursor.takeWord('DELETE', 'ONLY'))
        cursor.takeOneOf('FULL', 'REINDEX', 'RECLUSTER');
    if (cursor.peek().kind === 'end')
        return;
    if (!cursor.isWord('BOOST'))
        readTable(cursor, writing);
    if (cursor.takeWord('TO')) {
        cursor.integer();
        cursor.expectWord('PERCENT');
    }
    cursor.takeWord('BOOST');
    cursor.expectEndOfDefinition();
}

;// CONCATENATED MODULE: ./engine/duckdb/user-functions.js

const returned = 'returns ';
function parameterName({ name, type }) {
    return `${JSON.stringify(type)} ${name}`;
}
function functionSignature(parameters, returns) {
    const names = parameters.map((parameter) => quoteName(parameterName(parameter)));
    return [...names, `${quoteName(`${returned}${JSON.stringify(returns)}`)} := NULL`].join(', ');
}
function readSignature(names, sql) {
    const last = names.at(-1);
    if (last?.startsWith(returned) !== true)
        return undefined;
    const parameters = names.slice(0, -1).map((name) => typeIn(name.slice(0, name.indexOf('}') + 1)));
    return { parameters, returns: typeIn(last.slice(returned.length)), sql };
}
function typeIn(text) {
    return JSON.parse(text);
}

;// CONCATENATED MODULE: ./engine/dialect/tokenize.js


const tokenize_SPACE = /(?:[ \t\n\v\f\r]+|--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const SPACE_OF_TWO = /(?:[ \t\n\v\f\r]+|--[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const tokenize_NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const OPERATOR = /::|=>|->|<=|>=|<>|!=|\|\||[-+*/%<>=(),.;:[\]{}]/y;
const COMPONENT = /\$T\{([^{}]*)\}/y;
const VARIABLE = /\$\{[^{}]*\}/y;
const DOLLARS = /\$\$([\s\S]*?)\$\$/y;
const QUOTED = /"([^"]*(?:""[^"]*)*)"/y;
const tokenize_TEXT = /'([^']*(?:''[^']*)*)'/y;
const TEXT_WITH_ESCAPES = /'([^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*)'/y;
const ESCAPES = new Map([
    ['n', '\n'],
    ['t', '\t'],
    ['r', '\r'],
    ['b', '\b'],
    ['f', '\f'],
    ['0', '\0'],
]);
const MAX_TEXT = 4_000_000;
function tokenize(source, warehouse) {
    if (source.text.length > MAX_TEXT)
        throw new Refusal(`SQL of more than ${MAX_TEXT} characters`, source.placeOf(0), 'split it');
    const control = source.text.search(/[\0-\x08\x0e-\x1f]/);
    if (control >= 0)
        throw new Refusal('a control character', source.placeOf(control));
    const tokens = [];
    let offset = skipSpace(source, 0, warehouse);
    while (offset < source.text.length) {
        const token = tokenAt(source, offset, warehouse);
        tokens.push(token);
        offset = skipSpace(source, token.end, warehouse);
    }
    tokens.push({ kind: 'end', raw: '', value: '', start: offset, end: offset });
    return tokens;
}
function tokenAt(source, offset, warehouse) {
    const { text } = source;
    const match = (pattern) => {
        pattern.lastIndex = offset;
        return pattern.exec(text);
    };
    const token = (kind, raw, value) => ({
        kind,
        raw,
        value,
        start: offset,
        end: offset + raw.length,
    });
    const word = match(WORD);
    if (word)
        return token('word', word[0], word[0].toUpperCase());
    const number = match(tokenize_NUMBER);
    if (number)
        return token('number', number[0], number[0]);
    const first = text[offset] ?? '';
    if (first === "'")
        return textToken(source, offset, warehouse, match, token);
    if (first === '"') {
        const quoted = match(QUOTED);
        if (!quoted)
            throw new SqlError('the name that begins here has no closing double quote', {
                place: source.placeOf(offset),
            });
        return token('quoted', quoted[0], (quoted[1] ?? '').replaceAll('""', '"'));
    }
    if (first === '$')
        return dollarToken(source, offset, match, token);
    const operator = match(OPERATOR);
    if (operator)
        return token('operator', operator[0], operator[0]);
    if (/[\s\u200B]/.test(first))
        throw new Refusal(`the blank "${(0,visible_text/* visibleText */.Q6)(first)}" between words`, source.placeOf(offset), 'write a space; texts and comments may have it');
    const hint = first === '@' ? 'a stage is outside the warehouse: mock the component' : undefined;
    throw new Refusal(`the character ${JSON.stringify(first)}`, source.placeOf(offset), hint);
}
function textToken(source, offset, warehouse, match, token) {
    const text = match(warehouse === 'WAREHOUSE_ONE' ? TEXT_WITH_ESCAPES : tokenize_TEXT);
    if (!text)
        throw new SqlError('the text that begins here has no closing single quote', {
            place: source.placeOf(offset),
        });
    const inner = text[1] ?? '';
    if (warehouse === 'WAREHOUSE_TWO' && inner.includes('\\'))
        throw new Refusal('a backslash in a text', source.placeOf(offset));
    const value = inner.replace(/''|\\([\s\S])/g, (all, escaped) => {
        if (escaped === undefined)
            return "'";
        if (/[xu1-7]/.test(escaped))
            throw new Refusal(`the escape ${all}`, source.placeOf(offset));
        return ESCAPES.get(escaped) ?? escaped;
    });
    return token('text', text[0], value);
}
function dollarToken(source, offset, match, token) {
    const component = match(COMPONENT);
    if (component)
        return token('component', component[0], (component[1] ?? '').trim());
    const variable = match(VARIABLE);
    if (variable)
        throw new SqlError(`the variable ${variable[0]} has no value`, { place: source.placeOf(offset) });
    const dollars = match(DOLLARS);
    if (dollars)
        return token('text', dollars[0], dollars[1] ?? '');
    const name = /^\$\w*/.exec(source.text.slice(offset, offset + 60))?.[0] ?? '$';
    throw new Refusal(name, source.placeOf(offset), 'there are no session variables and no positions in this engine');
}
function skipSpace(source, offset, warehouse) {
    const pattern = warehouse === 'WAREHOUSE_ONE' ? tokenize_SPACE : SPACE_OF_TWO;
    pattern.lastIndex = offset;
    const skipped = pattern.exec(source.text)?.[0] ?? '';
    const after = offset + skipped.length;
    refuseLoneReturn(skipped, offset, source);
    if (source.text.startsWith('/*', after))
        throw new SqlError('the comment that begins here has no end, */', { place: source.placeOf(after) });
    return after;
}
function refuseLoneReturn(skipped, offset, source) {
    if (!skipped.includes('\r'))
        return;
    let start = offset;
    for (const line of skipped.split('\n')) {
        const comment = line.search(/--|\/\//);
        const end = start + line.length === offset + skipped.length ? line.length : line.length - 1;
        const at = comment < 0 ? -1 : line.indexOf('\r', comment);
        if (at >= 0 && at < end)
            throw new Refusal('a comment that ends with CR', source.placeOf(start + at), 'save the file with LF or CRLF at the ends of lines');
        start += line.length + 1;
    }
}
function splitStatements(source, tokens) {
    const parts = [];
    let from = 0;
    for (const [index, token] of tokens.entries()) {
        if (token.raw !== ';' && token.kind !== 'end')
            continue;
        const inside = tokens.slice(from, index);
        from = index + 1;
        const [first] = inside;
        if (first === undefined)
            continue;
        const end = { kind: 'end', raw: '', value: '', start: token.start, end: token.start };
        const text = source.text.slice(first.start, inside.at(-1)?.end);
        parts.push({ tokens: [...inside, end], text, offset: first.start });
    }
    return parts;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/function.js












const function_NOTHING = { sql: [], definesTables: false };
function writeCreateFunction(cursor, writing, isReplaced) {
    if (!isOne(writing))
        throw cursor.refusal('CREATE FUNCTION', cursor.at, 'mock the component');
    const ifMissing = cursor.takeWord('IF', 'NOT', 'EXISTS');
    const { at } = cursor;
    const name = fullName(cursor.names(), writing);
    const parameters = readParameters(cursor, writing);
    cursor.expectWord('RETURNS');
    if (cursor.isWord('TABLE'))
        throw cursor.refusal('CREATE FUNCTION … RETURNS TABLE', at);
    const returns = parseType(cursor);
    skipOptions(cursor, at);
    cursor.expectWord('AS');
    const token = cursor.next();
    if (token.kind !== 'text')
        throw cursor.refusal('CREATE FUNCTION without its body as a text', token.start);
    cursor.expectEndOfDefinition();
    const body = function_writeBody(bodyText(cursor.source, token), parameters, returns, writing);
    const exists = writing.session.context.catalog.findFunction?.(name) !== undefined;
    if (exists && ifMissing)
        return function_NOTHING;
    if (exists && !isReplaced)
        throw sqlError(`the function "${name.table}" exists already`, at, writing);
    const list = functionSignature(parameters, returns);
    return {
        sql: [`CREATE OR REPLACE MACRO ${physicalTable(name)}(${list}) AS (${body})`],
        definesTables: true,
    };
}
function writeDropFunction(cursor, writing) {
    const ifExists = cursor.takeWord('IF', 'EXISTS');
    const { at } = cursor;
    const name = fullName(cursor.names(), writing);
    if (cursor.isOperator('('))
        cursor.inParentheses(() => (cursor.isOperator(')') ? [] : cursor.list(() => parseType(cursor))));
    cursor.expectEndOfDefinition();
    if (writing.session.context.catalog.findFunction?.(name) !== undefined)
        return { sql: [`DROP MACRO ${physicalTable(name)}`], definesTables: true };
    if (ifExists)
        return function_NOTHING;
    throw sqlError(`the function "${name.table}" does not exist`, at, writing);
}
function readParameters(cursor, writing) {
    const parameters = cursor.inParentheses(() => cursor.isOperator(')')
        ? []
        : cursor.list(() => {
            const name = cursor.name();
            const type = parseType(cursor);
            if (cursor.isWord('DEFAULT'))
                throw cursor.refusal('a parameter with DEFAULT');
            return { name, type };
        }));
    refuseDoubleNames(parameters.map(({ name }) => name), writing);
    return parameters.map(({ name, type }) => ({ name: fold(name, writing), type }));
}
function skipOptions(cursor, at) {
    for (;;) {
        if (cursor.takeWord('LANGUAGE')) {
            const language = cursor.next().value;
            if (language !== 'SQL')
                throw cursor.refusal(`CREATE FUNCTION … LANGUAGE ${language}`, at, 'mock the component');
        }
        else if (cursor.takeWord('COMMENT')) {
            cursor.expectOperator('=');
            cursor.next();
        }
        else if (!cursor.takeWord('NOT', 'NULL') &&
            !cursor.takeWord('CALLED', 'ON', 'NULL', 'INPUT') &&
            cursor.takeOneOf('IMMUTABLE', 'VOLATILE', 'STABLE', 'MEMOIZABLE') === undefined)
            return;
    }
}
function bodyText(source, { value, raw, start }) {
    const before = raw.startsWith('$$') ? 2 : 1;
    return { text: value, placeOf: (offset) => source.placeOf(start + before + offset) };
}
function function_writeBody(source, parameters, returns, { session: { context } }) {
    const [part] = splitStatements(source, tokenize(source, context.warehouse));
    const cursor = cursorOver(source, part?.tokens ?? tokenize(source, context.warehouse), context.warehouse);
    if (cursor.isWord('SELECT') || cursor.isWord('WITH') || cursor.isWord('BEGIN'))
        throw cursor.refusal(`a function whose body begins with ${cursor.peek().value}`);
    const expression = cursor.expression();
    cursor.expectEnd();
    if (changesEachTime(expression))
        throw cursor.refusal('a function that gives another value each time');
    const columns = new Map(parameters.map(({ name, type }) => [name, { sql: quoteName(parameterName({ name, type })), type }]));
    const session = createSession(source, { ...context, isStored: true });
    const names = { ...NO_NAMES, relations: [{ alias: '', columns }] };
    const writing = { session, names, commonTables: new Map() };
    const value = convert(write(expression, writing), returns, expression.at, writing);
    return `CAST(${value.sql} AS ${duckdbType(returns)})`;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/insert.js






function writeInsert(cursor, writing) {
    const { at } = cursor;
    const isOverwrite = cursor.takeWord('OVERWRITE');
    cursor.expectWord('INTO');
    const { table } = readTarget(cursor, writing, () => undefined);
    if (!isOne(writing) && cursor.takeWord('DEFAULT', 'VALUES')) {
        cursor.expectEnd();
        return { sql: [`INSERT INTO ${table.sql} DEFAULT VALUES`], definesTables: false };
    }
    const isListed = cursor.isOperator('(');
    const listed = readColumns(cursor, table, writing);
    const cells = cursor.takeWord('VALUES') ? readValues(cursor, writing) : undefined;
    const isShort = cells !== undefined && !isListed && !isOne(writing);
    const columns = isShort ? listed.slice(0, cells[0]?.length) : listed;
    for (const [index, column] of columns.entries())
        if (!(cells ?? []).length || (cells ?? []).some((row) => row[index] !== DEFAULT))
            refuseIdentityValue(table, column, at, writing);
    const rows = cells ? valuesText(cells, columns, at, writing) : queryText(cursor, columns, table, writing);
    const list = columns.map((column) => quoteName(column.name)).join(', ');
    const insert = `INSERT INTO ${table.sql} (${list}) `;
    if (!isOverwrite)
        return { sql: [insert + rows], definesTables: false };
    if (writing.session.reads.has(table.sql))
        throw refusal('INSERT OVERWRITE of a table that the query reads', at, writing);
    return { sql: [`DELETE FROM ${table.sql}`, insert + rows], definesTables: false };
}
function readColumns(cursor, table, writing) {
    if (!cursor.isOperator('(') || ['SELECT', 'WITH'].includes(cursor.peek(1).value))
        return table.columns;
    const names = cursor.inParentheses(() => cursor.list(() => cursor.name()));
    refuseDoubleNames(names, writing);
    return names.map((name) => targetColumn(table, name, writing));
}
const DEFAULT = 'DEFAULT';
function parseCell(cursor) {
    const isWhole = cursor.isOperator(',', 1) || cursor.isOperator(')', 1);
    return isWhole && cursor.takeWord(DEFAULT) ? DEFAULT : cursor.expression();
}
function insert_hasSubquery(cell) {
    return cell !== DEFAULT && has(cell, ({ kind }) => kind === 'subquery');
}
function readValues(cursor, writing) {
    const rows = cursor.list(() => cursor.inParentheses(() => cursor.list(() => parseCell(cursor))));
    cursor.expectEnd();
    const nested = !isOne(writing) && rows.length > 1 ? rows.flat().find(insert_hasSubquery) : undefined;
    if (nested)
        throw refusal('a subquery in one of several rows of VALUES', nested.at, writing, 'write INSERT … SELECT');
    return rows;
}
function valuesText(rows, columns, at, writing) {
    const lines = rows.map((row) => {
        insert_checkCount(row.length, columns, at, writing);
        const cells = columns.map((column, index) => {
            const value = row[index];
            if (value === undefined)
                throw new Error('no such value');
            return value === DEFAULT ? value : stored(write(value, writing), column, value.at, writing);
        });
        return `(${cells.join(', ')})`;
    });
    return `VALUES ${lines.join(', ')}`;
}
function queryText(cursor, columns, table, writing) {
    const { at } = cursor;
    const body = cursor.query();
    cursor.expectEnd();
    const query = writing.session.query(body, writing);
    insert_checkCount(query.columns.length, columns, at, writing, givenText(query.columns, table, writing));
    const own = writing.session.fresh('q');
    const cells = columns.map((column, index) => {
        const from = query.columns[index] ?? column;
        return stored({ sql: `${own}.${quoteName(from.name)}`, type: from.type }, column, at, writing);
    });
    return `SELECT ${cells.join(', ')} FROM (${query.sql}) AS ${own}`;
}
function insert_checkCount(count, columns, at, writing, explanation = '') {
    if (count === columns.length)
        return;
    throw sqlError(`INSERT has ${count} values for ${columns.length} columns${explanation}`, at, writing);
}
const LONG_LIST = 100;
function givenText(given, table, { session }) {
    const of = ` of the table "${table.database}"."${table.schema}"."${table.table}"`;
    if (given.length > LONG_LIST)
        return of;
    const columns = given.map(({ name, type }) => `${quoteName(name)} ${describeType(type, session.context.warehouse)}`);
    return `${of}; the query gives ${columns.join(', ')}`;
}
function stored(value, column, at, writing) {
    if (column.type.name === 'VARIANT' && value.type.name === 'VARCHAR')
        throw refusal('text in a semi-structured column', at, writing, 'use PARSE_JSON');
    const sql = withoutExtraBlanks(convert(value, column.type, at, writing).sql, value, column, writing);
    return `CAST(${sql} AS ${duckdbType(column.type)})`;
}
function withoutExtraBlanks(sql, value, { type }, writing) {
    if (isOne(writing) || type.name !== 'VARCHAR' || type.length === undefined)
        return sql;
    const { length } = type;
    if (value.type.name === 'VARCHAR' && value.type.length !== undefined && value.type.length <= length)
        return sql;
    return computedOnce(sql, writing, (text) => {
        const trimmed = `rtrim(${text}, ' ')`;
        const bytes = (of) => `octet_length(encode(${of}))`;
        const isCut = `ends_with(${text}, ' ') AND ${bytes(text)} > ${length} AND ${bytes(trimmed)} <= ${length}`;
        return `CASE WHEN ${isCut} THEN ${trimmed} || repeat(' ', ${length} - ${bytes(trimmed)}) ELSE ${text} END`;
    });
}

;// CONCATENATED MODULE: ./engine/dialect/statement/insert-all.js





const rows = 'temp.main.millrace_rows';
function writeInsertAll(cursor, writing, { isFirst, isOverwrite }) {
    const { at } = cursor;
    const branches = readBranches(cursor, writing);
    const isConditional = branches.some(({ condition }) => condition !== undefined);
    if (isFirst && !isConditional)
        throw sqlError('INSERT FIRST needs at least one WHEN', at, writing);
    const body = cursor.query();
    cursor.expectEnd();
    const query = writing.session.query(body, writing);
    const own = writing.session.fresh('q');
    const given = query.columns.map((column) => [
        column.name,
        { sql: `${own}.${quoteName(column.name)}`, type: column.type },
    ]);
    const scope = withRelations(writing, [{ alias: '', columns: new Map(given) }]);
    const values = given.map(([, value]) => value);
    const filters = filtersOf(branches, isFirst, scope);
    const inserts = branches.flatMap(({ intos }, index) => intos.map((into) => insertText(into, { scope, values, from: `${rows} AS ${own}${filters[index] ?? ''}` })));
    const targets = new Set(branches.flatMap(({ intos }) => intos.map(({ table }) => table.sql)));
    const sql = [
        `CREATE OR REPLACE TEMP TABLE millrace_rows AS ${query.sql}`,
        ...(isOverwrite ? [...targets].map((table) => `DELETE FROM ${table}`) : []),
        ...inserts,
        `DROP TABLE ${rows}`,
    ];
    return { sql, definesTables: false };
}
function readBranches(cursor, writing) {
    if (!cursor.isWord('WHEN'))
        return [{ condition: undefined, intos: readIntos(cursor, writing) }];
    const branches = [];
    while (cursor.takeWord('WHEN')) {
        const condition = cursor.expression();
        cursor.expectWord('THEN');
        branches.push({ condition, intos: readIntos(cursor, writing) });
    }
    if (cursor.takeWord('ELSE'))
        branches.push({ condition: undefined, intos: readIntos(cursor, writing) });
    return branches;
}
function readIntos(cursor, writing) {
    const intos = [];
    do {
        cursor.expectWord('INTO');
        const { at } = cursor;
        const { table } = readTarget(cursor, writing, () => undefined);
        const names = insert_all_readNames(cursor);
        refuseDoubleNames(names ?? [], writing);
        const columns = names?.map((name) => targetColumn(table, name, writing)) ?? table.columns;
        const values = cursor.takeWord('VALUES')
            ? cursor.inParentheses(() => cursor.list(() => insert_all_readValue(cursor)))
            : undefined;
        intos.push({ at, table, columns, values });
    } while (cursor.isWord('INTO'));
    return intos;
}
function insert_all_readNames(cursor) {
    if (!cursor.isOperator('(') || ['SELECT', 'WITH', '('].includes(cursor.peek(1).value))
        return undefined;
    return cursor.inParentheses(() => cursor.list(() => cursor.name()));
}
function insert_all_readValue(cursor) {
    if (cursor.isWord('DEFAULT'))
        throw cursor.refusal('DEFAULT in INSERT ALL', cursor.at, 'leave the column out');
    return cursor.expression();
}
function filtersOf(branches, isFirst, scope) {
    const conditions = branches.map(({ condition }) => condition === undefined ? undefined : expectBoolean(write(condition, scope), condition.at, scope).sql);
    return conditions.map((condition, index) => {
        const earlier = conditions.slice(0, index).map((each) => `(${each ?? 'TRUE'}) IS NOT TRUE`);
        if (condition === undefined)
            return earlier.length === 0 ? '' : ` WHERE ${earlier.join(' AND ')}`;
        return ` WHERE ${[...(isFirst ? earlier : []), condition].join(' AND ')}`;
    });
}
function insertText({ at, table, columns, values: written }, { scope, values: all, from }) {
    const values = written?.map((value) => write(value, scope)) ?? all;
    if (values.length !== columns.length)
        throw sqlError(`INSERT has ${values.length} values for ${columns.length} columns`, at, scope);
    const cells = columns.map((column, index) => {
        const value = values[index];
        if (value === undefined)
            throw new Error('no such value');
        if (value.sql.includes('nextval('))
            throw refusal('NEXTVAL in INSERT ALL', written?.[index]?.at ?? at, scope);
        return stored(value, column, written?.[index]?.at ?? at, scope);
    });
    const list = columns.map((column) => quoteName(column.name)).join(', ');
    return `INSERT INTO ${table.sql} (${list}) SELECT ${cells.join(', ')} FROM ${from}`;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/update.js








function writeUpdate(cursor, writing) {
    const target = readTarget(cursor, writing, parseAlias);
    cursor.expectWord('SET');
    const assignments = readAssignments(cursor, target, writing);
    const item = cursor.takeWord('FROM') ? parseFrom(cursor) : undefined;
    const outer = item && !isOne(writing) ? outerJoinOf(item) : undefined;
    if (outer)
        throw refusal(`a ${outer.how} JOIN in FROM of UPDATE`, outer.at, writing, NO_OUTER);
    const source = item && writeFrom(item, writing);
    const condition = cursor.takeWord('WHERE') ? cursor.expression() : undefined;
    cursor.expectEnd();
    const inner = around(target, source, writing);
    const set = assigned(assignments, target, inner);
    const where = whereText(condition, inner);
    const check = source === undefined ? undefined : severalValuesCheck(target, source.sql, where, set);
    const from = source ? ` FROM ${source.sql}` : '';
    const update = `UPDATE ${target.sql} SET ${set.map(({ sql }) => sql).join(', ')}${from}${where}`;
    return { sql: check === undefined ? [update] : [check, update], definesTables: false };
}
const NO_OUTER = 'the warehouse refuses it: join the tables in a query in FROM';
function outerJoinOf(item) {
    if (item.kind !== 'join')
        return undefined;
    const isOuter = item.how !== 'INNER' && item.how !== 'CROSS';
    return isOuter ? item : (outerJoinOf(item.left) ?? outerJoinOf(item.right));
}
function severalValuesCheck(target, source, where, set) {
    const known = set.filter(({ value }) => !/\b(?:nextval|random)\(/.test(value));
    if (known.length === 0)
        return undefined;
    const row = `${target.sql.slice(target.sql.lastIndexOf(' ') + 1)}.rowid`;
    const values = known.map(({ value }) => value).join(', ');
    const several = `SELECT ${row} FROM ${target.sql}, ${source}${where} GROUP BY ${row} HAVING count(DISTINCT row(${values})) > 1`;
    const message = 'Millrace does not support an UPDATE where several rows of FROM give one row different values: the warehouse may take any of them';
    return `SELECT CASE WHEN EXISTS (${several}) THEN error('${message}') END`;
}
function writeDelete(cursor, writing) {
    if (isOne(writing))
        cursor.expectWord('FROM');
    else
        cursor.takeWord('FROM');
    const target = readTarget(cursor, writing, parseTargetAlias);
    const source = cursor.takeWord('USING') ? writeFrom(parseFrom(cursor), writing) : undefined;
    const condition = cursor.takeWord('WHERE') ? cursor.expression() : undefined;
    cursor.expectEnd();
    const inner = around(target, source, writing);
    const using = source ? ` USING ${source.sql}` : '';
    return { sql: [`DELETE FROM ${target.sql}${using}${whereText(condition, inner)}`], definesTables: false };
}
function parseTargetAlias(cursor) {
    return cursor.isWord('AS') || isAliasAhead(cursor) ? parseAlias(cursor) : undefined;
}
function around(target, source, writing) {
    const relations = [target.visible, ...(source?.relations ?? [])];
    const aliases = relations.map((relation) => `${relation.path?.join('.') ?? ''}.${relation.alias}`);
    if (new Set(aliases).size < aliases.length)
        throw refusal('the changed table again in FROM without an alias', 0, writing);
    return { ...writing, names: { ...NO_NAMES, relations, merged: source?.merged ?? new Map() } };
}
function readAssignments(cursor, target, writing) {
    const assignments = cursor.list(() => {
        const { at } = cursor;
        const parts = cursor.names();
        const name = parts.at(-1);
        const qualifier = parts.at(-2);
        if (name === undefined || (qualifier && fold(qualifier, writing) !== target.visible.alias))
            throw sqlError('SET may only name columns of the updated table', at, writing);
        if (qualifier && !isOne(writing))
            throw sqlError('SET names columns without their table: leave the table out', at, writing);
        cursor.expectOperator('=');
        if (cursor.isWord('DEFAULT'))
            throw refusal('SET … = DEFAULT', cursor.at, writing, 'write the value itself');
        return { name, value: cursor.expression() };
    });
    refuseDoubleNames(assignments.map((assignment) => assignment.name), writing);
    return assignments;
}
function assignmentsText(assignments, target, writing) {
    return assigned(assignments, target, writing)
        .map(({ sql }) => sql)
        .join(', ');
}
function assigned(assignments, target, writing) {
    return assignments.map(({ name, value: given }) => {
        const column = targetColumn(target.table, name, writing);
        refuseIdentityValue(target.table, column, name.at, writing);
        const value = stored(write(given, writing), column, given.at, writing);
        return { sql: `${quoteName(column.name)} = ${value}`, value };
    });
}
function whereText(condition, writing) {
    return condition ? ` WHERE ${expectBoolean(write(condition, writing), condition.at, writing).sql}` : '';
}

;// CONCATENATED MODULE: ./engine/dialect/statement/merge.js









function writeMerge(cursor, writing) {
    const { at } = cursor;
    cursor.expectWord('INTO');
    const target = readTarget(cursor, writing, (from) => targetAlias(from, writing));
    cursor.expectWord('USING');
    const item = parseTable(cursor);
    if (!isOne(writing))
        refuseSource(item, target, writing);
    const source = writeFrom(item, writing);
    const both = withRelations(writing, [target.visible, ...source.relations]);
    cursor.expectWord('ON');
    const condition = cursor.expression();
    if (!isOne(writing) && !hasEquality(condition))
        throw refusal('MERGE on a condition without equality', condition.at, writing, EQUAL);
    const on = merge_conditionText(condition, both);
    const sides = { target, both, source: withRelations(writing, source.relations) };
    const branches = [];
    while (cursor.takeWord('WHEN'))
        branches.push(readBranch(cursor, sides));
    cursor.expectEnd();
    refuseBranches(branches, writing);
    if (branches.length === 0)
        throw sqlError('MERGE needs at least one WHEN', at, writing);
    if (!isOne(writing) && new Set(branches.map(({ isMatched }) => isMatched)).size < 2)
        throw refusal('MERGE without both WHEN MATCHED and WHEN NOT MATCHED', at, writing, BOTH);
    const merge = `MERGE INTO ${target.sql} USING ${source.sql} ON ${on}${branches.map(branchText).join('')}`;
    const check = duplicateCheck(target, source.sql, on, branches, isOne(writing));
    return { sql: check === undefined ? [merge] : [check, merge], definesTables: false };
}
function refuseBranches(branches, writing) {
    for (const [index, { at, isMatched }] of branches.entries()) {
        const before = branches.slice(0, index);
        const what = `WHEN ${isMatched ? '' : 'NOT '}MATCHED`;
        if (before.some((branch) => branch.isMatched === isMatched && branch.condition === undefined))
            throw refusal(`${what} after ${what} without AND`, at, writing, UNREACHED);
        if (!isOne(writing) && isMatched && before.length > 0)
            throw refusal('WHEN MATCHED after WHEN NOT MATCHED', at, writing, 'the warehouse has one order: write it first');
    }
}
const UNREACHED = 'no row reaches it, and the warehouse refuses it: write the clause without AND last';
const BOTH = 'the warehouse requires both; write UPDATE, DELETE or INSERT for one of them';
const NO_AND = 'the warehouse has no condition there: filter the source instead';
const EQUAL = 'the warehouse requires it: compare columns of both tables with =';
const NO_QUERY = 'the warehouse takes only a table there: write the rows to a table first';
function refuseSource(item, { table }, writing) {
    if (item.kind !== 'table' && item.kind !== 'component')
        throw refusal('MERGE of a query', item.at, writing, NO_QUERY);
    if (item.kind !== 'table')
        return;
    const source = existingTable(item.parts, item.at, writing);
    if (source.kind === 'view')
        throw refusal('MERGE of a view', item.at, writing, NO_QUERY);
    if (source.sql === table.sql)
        throw refusal('MERGE of a table into itself', item.at, writing, NO_QUERY);
}
function hasEquality(condition) {
    if (condition.kind !== 'binary')
        return false;
    if (condition.operator === 'AND')
        return hasEquality(condition.left) || hasEquality(condition.right);
    return condition.operator === '=';
}
function targetAlias(cursor, writing) {
    const alias = parseAlias(cursor);
    if (alias === undefined || isOne(writing))
        return alias;
    const hint = 'the warehouse has none there: use the name of the table';
    throw refusal('MERGE with an alias of the target', alias.name.at, writing, hint);
}
function merge_conditionText(condition, writing) {
    return expectBoolean(write(condition, writing), condition.at, writing).sql;
}
function readBranch(cursor, sides) {
    const { at } = cursor;
    const isMatched = !cursor.takeWord('NOT');
    cursor.expectWord('MATCHED');
    if (cursor.isWord('BY'))
        throw refusal('WHEN NOT MATCHED BY', at, sides.both);
    const names = isMatched ? sides.both : sides.source;
    if (cursor.isWord('AND') && !isOne(names))
        throw refusal(`WHEN ${isMatched ? '' : 'NOT '}MATCHED AND`, cursor.at, names, NO_AND);
    const condition = cursor.takeWord('AND') ? merge_conditionText(cursor.expression(), names) : undefined;
    cursor.expectWord('THEN');
    if (!isMatched)
        return { at, isMatched, condition, does: 'INSERT', action: merge_insertText(cursor, sides) };
    if (cursor.takeWord('DELETE'))
        return { at, isMatched, condition, does: 'DELETE', action: 'DELETE' };
    cursor.expectWord('UPDATE');
    cursor.expectWord('SET');
    const assignments = readAssignments(cursor, sides.target, sides.both);
    const action = `UPDATE SET ${assignmentsText(assignments, sides.target, sides.both)}`;
    return { at, isMatched, condition, does: 'UPDATE', action };
}
function merge_insertText(cursor, { target, source }) {
    const { at } = cursor;
    cursor.expectWord('INSERT');
    const names = cursor.isOperator('(')
        ? cursor.inParentheses(() => cursor.list(() => readName(cursor, source)))
        : undefined;
    if (names)
        refuseDoubleNames(names, source);
    const columns = names?.map((name) => targetColumn(target.table, name, source)) ?? target.table.columns;
    for (const column of columns)
        refuseIdentityValue(target.table, column, at, source);
    cursor.expectWord('VALUES');
    const values = cursor.inParentheses(() => cursor.list(() => cursor.expression()));
    if (values.length !== columns.length)
        throw sqlError(`INSERT has ${values.length} values for ${columns.length} columns`, at, source);
    const cells = columns.map((column, index) => {
        const value = values[index];
        if (value === undefined)
            throw new Error('no such value');
        return stored(write(value, source), column, value.at, source);
    });
    const list = columns.map((column) => quoteName(column.name)).join(', ');
    return `INSERT (${list}) VALUES (${cells.join(', ')})`;
}
function readName(cursor, writing) {
    const { at } = cursor;
    const names = cursor.names();
    const name = names.at(-1);
    if (names.length > 1 && !isOne(writing))
        throw sqlError('INSERT lists columns by their names alone: leave the table out', at, writing);
    if (name === undefined)
        throw cursor.unexpected('a column');
    return name;
}
function branchText({ isMatched, condition, action }) {
    const and = condition === undefined ? '' : ` AND ${condition}`;
    return ` WHEN ${isMatched ? '' : 'NOT '}MATCHED${and} THEN ${action}`;
}
function duplicateCheck(target, source, on, branches, mayDelete) {
    const matched = branches.filter((branch) => branch.isMatched);
    const fails = ({ does }) => does === 'UPDATE' || !mayDelete;
    if (!matched.some(fails))
        return undefined;
    const conditions = matched.map((branch) => branch.condition ?? 'TRUE').join(' OR ');
    const updates = matched
        .map((branch) => ` WHEN ${branch.condition ?? 'TRUE'} THEN ${fails(branch) ? 'TRUE' : 'FALSE'}`)
        .join('');
    const row = `${target.sql.slice(target.sql.lastIndexOf(' ') + 1)}.rowid`;
    const doubles = `SELECT ${row} FROM ${target.sql} JOIN ${source} ON ${on} WHERE ${conditions} GROUP BY ${row} HAVING count(*) > 1 AND bool_or(CASE${updates} END)`;
    return `SELECT CASE WHEN EXISTS (${doubles}) THEN error('MERGE: several rows match one row of the target') END`;
}

;// CONCATENATED MODULE: ./engine/dialect/statement/no-effect.js
const no_effect_OF_ONE = [
    ['USE', 'ROLE'],
    ['USE', 'SECONDARY'],
    ['USE', 'WAREHOUSE'],
    ['GRANT'],
    ['REVOKE'],
    ['COMMENT'],
    ...['ROLE', 'USER', 'STAGE', 'TASK', 'WAREHOUSE'].flatMap((what) => [
        ['CREATE', what],
        ['CREATE', 'OR', 'REPLACE', what],
        ['ALTER', what],
        ['DROP', what],
    ]),
    ['CREATE', 'FILE', 'FORMAT'],
    ['CREATE', 'OR', 'REPLACE', 'FILE', 'FORMAT'],
    ['DROP', 'FILE', 'FORMAT'],
    ['ALTER', 'SESSION', 'SET', 'QUERY_TAG'],
    ['ALTER', 'SESSION', 'UNSET', 'QUERY_TAG'],
];
const OF_TWO = [
    ['GRANT'],
    ['REVOKE'],
    ['COMMENT'],
    ...['ROLE', 'USER'].flatMap((what) => [
        ['CREATE', what],
        ['ALTER', what],
        ['DROP', what],
    ]),
    ['ANALYZE'],
    ['VACUUM'],
];
function listOf(warehouse) {
    return warehouse === 'WAREHOUSE_ONE' ? no_effect_OF_ONE : OF_TWO;
}
function noEffect(cursor) {
    return listOf(cursor.warehouse)
        .find((words) => cursor.isWord(...words))
        ?.join(' ');
}
function noEffectNames(warehouse) {
    return listOf(warehouse).map((words) => words.join(' '));
}

;// CONCATENATED MODULE: ./engine/dialect/statement/index.js














const statement_OF_ONE = [
    ['CREATE OR REPLACE TABLE', 'write DROP TABLE IF EXISTS, and then CREATE TABLE'],
    ['CREATE OR REPLACE TRANSIENT TABLE', 'write DROP TABLE IF EXISTS, and then CREATE TABLE'],
    ['CREATE TRANSIENT TABLE', 'write CREATE TABLE'],
    ['CREATE OR REPLACE SCHEMA', 'write DROP SCHEMA IF EXISTS, and then CREATE SCHEMA'],
    ['CREATE OR REPLACE TRANSIENT SCHEMA', 'write DROP SCHEMA IF EXISTS, and then CREATE SCHEMA'],
    ['CREATE TRANSIENT SCHEMA', 'write CREATE SCHEMA'],
    ['CREATE OR REPLACE DATABASE', 'the warehouse has no such statement'],
    ['CREATE OR REPLACE TRANSIENT DATABASE', 'the warehouse has no such statement'],
    ['CREATE TRANSIENT DATABASE', 'write CREATE DATABASE'],
    ['CREATE SEQUENCE', 'the warehouse has no sequences; use a column with IDENTITY'],
    ['CREATE OR REPLACE SEQUENCE', 'the warehouse has no sequences; use a column with IDENTITY'],
    ['DROP SEQUENCE', 'the warehouse has no sequences; use a column with IDENTITY'],
    ['INSERT OVERWRITE', 'write DELETE or TRUNCATE, and then INSERT'],
    ['INSERT ALL', 'write an INSERT for each table'],
    ['INSERT FIRST', 'write an INSERT for each table'],
];
function refuseOfOne(cursor) {
    const [words, hint] = statement_OF_ONE.find(([first]) => cursor.isWord(...first.split(' '))) ?? [];
    if (words !== undefined && cursor.warehouse !== 'WAREHOUSE_ONE')
        throw cursor.refusal(words, cursor.at, hint);
}
const WRITERS = [
    ...insertsIntoMany(),
    ['INSERT', writeInsert],
    ['UPDATE', writeUpdate],
    ['DELETE', writeDelete],
    ['MERGE', writeMerge],
    ['TRUNCATE', writeTruncate],
    ['CREATE TABLE', (cursor, writing) => writeCreateTable(cursor, writing, false)],
    ['CREATE TRANSIENT TABLE', (cursor, writing) => writeCreateTable(cursor, writing, false)],
    ['CREATE OR REPLACE TABLE', (cursor, writing) => writeCreateTable(cursor, writing, true)],
    ['CREATE OR REPLACE TRANSIENT TABLE', (cursor, writing) => writeCreateTable(cursor, writing, true)],
    ['CREATE VIEW', (cursor, writing) => writeCreateView(cursor, statement_stored(writing), false)],
    ['CREATE OR REPLACE VIEW', (cursor, writing) => writeCreateView(cursor, statement_stored(writing), true)],
    ['CREATE SEQUENCE', (cursor, writing) => writeCreateSequence(cursor, writing, false)],
    ['CREATE OR REPLACE SEQUENCE', (cursor, writing) => writeCreateSequence(cursor, writing, true)],
    ['DROP SEQUENCE', writeDropSequence],
    ['CREATE FUNCTION', (cursor, writing) => writeCreateFunction(cursor, writing, false)],
    ['CREATE OR REPLACE FUNCTION', (cursor, writing) => writeCreateFunction(cursor, writing, true)],
    ['DROP FUNCTION', writeDropFunction],
    ['DROP TABLE', (cursor, writing) => writeDrop(cursor, writing, 'table')],
    ['DROP VIEW', (cursor, writing) => writeDrop(cursor, writing, 'view')],
    ['DROP SCHEMA', writeDropSchema],
    ['ALTER TABLE', writeAlterTable],
];
function insertsIntoMany() {
    const all = (words, isFirst, isOverwrite) => [
        words,
        (cursor, writing) => writeInsertAll(cursor, writing, { isFirst, isOverwrite }),
    ];
    return [
        all('INSERT ALL', false, false),
        all('INSERT FIRST', true, false),
        all('INSERT OVERWRITE ALL', false, true),
        all('INSERT OVERWRITE FIRST', true, true),
    ];
}
function statementNames(warehouse) {
    const others = [
        'SELECT',
        'WITH',
        'SET',
        'CREATE SCHEMA',
        'CREATE OR REPLACE SCHEMA',
        'CREATE DATABASE',
        'CREATE OR REPLACE DATABASE',
        'USE SCHEMA',
        'USE DATABASE',
    ];
    const all = [...others, ...WRITERS.map(([words]) => words)];
    const missing = ['SET', 'USE SCHEMA', 'USE DATABASE', ...statement_OF_ONE.map(([words]) => words)];
    const isMissing = (name) => missing.some((words) => `${name} `.startsWith(`${words} `));
    return warehouse === 'WAREHOUSE_ONE' ? all : all.filter((name) => !isMissing(name));
}
function statement_stored(writing) {
    return { ...writing, session: { ...writing.session, isStored: true } };
}
function writeStatement(cursor, session, part) {
    const writing = { session, names: NO_NAMES, commonTables: new Map() };
    const { text, offset } = part;
    const change = ({ sql, definesTables }) => ({
        kind: 'change',
        sql,
        definesTables,
        text,
        offset,
    });
    if (cursor.isWord('SELECT') || cursor.isWord('WITH') || cursor.isOperator('(')) {
        const query = cursor.query();
        cursor.expectEnd();
        const { sql, columns } = session.query(query, writing);
        return [{ kind: 'query', query: { sql, columns, reads: [...session.reads.values()] }, text, offset }];
    }
    const set = readSet(cursor);
    if (set !== undefined) {
        const { sql, columns } = session.query(set, writing);
        return [{ kind: 'query', query: { sql, columns, reads: [...session.reads.values()] }, text, offset }];
    }
    refuseOfOne(cursor);
    const what = noEffect(cursor);
    if (what !== undefined) {
        readWithoutEffect(cursor, what, writing);
        return [{ kind: 'no-effect', what, text, offset }];
    }
    const created = writeCreateSchema(cursor, writing);
    if (created)
        return [
            change(created.change),
            ...created.defaults.map((names) => ({ kind: 'defaults', ...names, text, offset })),
        ];
    const defaults = readUse(cursor, writing);
    if (defaults)
        return [{ kind: 'defaults', ...defaults, text, offset }];
    for (const [words, writer] of WRITERS)
        if (cursor.takeWord(...words.split(' ')))
            return [change(writer(cursor, writing))];
    const first = cursor.peek();
    if (!maybeStatement(first))
        throw cursor.syntaxError(meantStatement(first));
    throw cursor.refusal(firstWords(cursor), cursor.at, 'mock the component');
}
function readSet(cursor) {
    const { at } = cursor;
    if (cursor.warehouse !== 'WAREHOUSE_ONE' || !cursor.takeWord('SET'))
        return undefined;
    if (cursor.isOperator('('))
        throw cursor.refusal('SET of several variables', at);
    const alias = cursor.name();
    cursor.expectOperator('=');
    const value = cursor.expression();
    cursor.expectEnd();
    return {
        at,
        isRecursive: false,
        tables: [],
        body: {
            kind: 'select',
            at,
            isDistinct: false,
            items: [{ kind: 'value', value, alias }],
            from: undefined,
            where: undefined,
            groups: undefined,
            having: undefined,
            qualify: undefined,
        },
        order: [],
        limit: undefined,
        offset: undefined,
    };
}
const VERBS = new Set(['CREATE', 'ALTER', 'DROP', 'COPY', 'EXECUTE']);
function firstWords(cursor) {
    const first = cursor.peek();
    const count = cursor.isWord('CREATE', 'OR', 'REPLACE') ? 4 : VERBS.has(first.value) ? 2 : 1;
    const words = Array.from({ length: count }, (_, ahead) => cursor.peek(ahead));
    return words
        .filter((token, index) => index === 0 || token.kind === 'word')
        .map((token) => token.value)
        .join(' ');
}
const DATABASE_WORDS = [['DATABASE'], ['TRANSIENT', 'DATABASE']];
const SCHEMA_WORDS = [['SCHEMA'], ['TRANSIENT', 'SCHEMA']];
function writeCreateSchema(cursor, writing) {
    const isReplaced = cursor.isWord('CREATE', 'OR', 'REPLACE');
    const head = isReplaced ? ['CREATE', 'OR', 'REPLACE'] : ['CREATE'];
    const isDatabase = [...DATABASE_WORDS].some((words) => cursor.takeWord(...head, ...words));
    const isSchema = !isDatabase && [...SCHEMA_WORDS].some((words) => cursor.takeWord(...head, ...words));
    if (!isDatabase && !isSchema)
        return undefined;
    const { at } = cursor;
    const ifMissing = cursor.takeWord('IF', 'NOT', 'EXISTS') ? 'IF NOT EXISTS ' : '';
    const isKindOne = cursor.warehouse === 'WAREHOUSE_ONE';
    const named = schemaName(cursor, writing);
    cursor.expectEndOfDefinition();
    const names = isDatabase ? { database: named.schema, schema: isKindOne ? 'PUBLIC' : 'public' } : named;
    const { database } = names;
    const schemas = isDatabase
        ? (writing.session.context.catalog.schemaNames?.(database) ?? [])
        : [names.schema];
    if (isDatabase && !isReplaced && schemas.length > 0) {
        if (ifMissing === '')
            throw sqlError(`the database "${database}" exists already`, at, writing);
        return { change: { sql: [], definesTables: false }, defaults: isKindOne ? [names] : [] };
    }
    const physical = (schema) => quoteName(physicalSchema(database, schema));
    const sql = [
        ...(isReplaced ? schemas.map((schema) => `DROP SCHEMA IF EXISTS ${physical(schema)} CASCADE`) : []),
        `CREATE SCHEMA ${ifMissing}${physical(names.schema)}`,
    ];
    return { change: { sql, definesTables: true }, defaults: isKindOne ? [names] : [] };
}
function readUse(cursor, writing) {
    if (cursor.warehouse !== 'WAREHOUSE_ONE' || !cursor.takeWord('USE'))
        return undefined;
    if (cursor.takeWord('SCHEMA')) {
        const names = schemaName(cursor, writing);
        cursor.expectEndOfDefinition();
        return names;
    }
    const isDatabase = cursor.takeWord('DATABASE');
    const hasSchema = cursor.isOperator('.', 1);
    if (isDatabase && hasSchema)
        throw cursor.refusal('USE DATABASE with two names');
    const { database, schema } = schemaName(cursor, writing);
    cursor.expectEndOfDefinition();
    return hasSchema ? { database, schema } : { database: schema, schema: 'PUBLIC' };
}

;// CONCATENATED MODULE: ./engine/dialect/translate.js









function withinStack(source, work, written = source.text) {
    try {
        return work();
    }
    catch (error) {
        if (!(error instanceof RangeError))
            throw withSql(error, written);
        throw new Refusal('SQL that is nested too deep', source.placeOf(0), 'split it');
    }
}
function translateQuery(source, context) {
    return withinStack(source, () => readQuery(source, context));
}
function readQuery(source, context) {
    const [part, more] = splitStatements(source, tokenize(source, context.warehouse));
    if (!part)
        throw new SqlError('the query is empty', { place: source.placeOf(0) });
    if (more)
        throw new Refusal('several statements in a query', source.placeOf(more.offset), 'write one SELECT');
    const cursor = cursorOver(source, part.tokens, context.warehouse);
    const query = cursor.query();
    cursor.expectEnd();
    const session = createSession(source, context);
    const { sql, columns } = session.query(query, { session, names: NO_NAMES, commonTables: new Map() });
    return { sql, columns, reads: [...session.reads.values()] };
}
function translateExpression(source, scope, context, values = new Map()) {
    const { value } = withinStack(source, () => translate_readExpression(source, scope, context, values));
    return { sql: value.sql, type: value.type };
}
function translateCondition(source, scope, context) {
    return withinStack(source, () => {
        const { value, at, writing } = translate_readExpression(source, scope, context, new Map());
        return expectBoolean(value, at, writing).sql;
    });
}
function translateJoin(how, source, [left, right], context) {
    return withinStack(source, () => {
        const cursor = cursorOver(source, tokenize(source, context.warehouse), context.warehouse);
        const on = cursor.expression();
        cursor.expectEnd();
        const outer = { ...NO_NAMES, isConstant: true };
        const names = { ...NO_NAMES, outer };
        const writing = { session: createSession(source, context), names, commonTables: new Map() };
        return conditionText({ how }, on, sideOf(left), sideOf(right), writing);
    });
}
function sideOf(scope) {
    return { relations: [...scope].map(([alias, relation]) => translate_visible(alias, relation)), merged: new Map() };
}
function translate_readExpression(source, scope, context, values) {
    const cursor = cursorOver(source, tokenize(source, context.warehouse), context.warehouse);
    const expression = cursor.expression();
    cursor.expectEnd();
    const session = createSession(source, context);
    const names = {
        ...NO_NAMES,
        relations: [...scope].map(([alias, relation]) => translate_visible(alias, relation)),
        outer: { ...NO_NAMES, relations: [{ alias: '', columns: values }], isConstant: true },
    };
    const writing = { session, names, commonTables: new Map() };
    return { value: session.expression(expression, writing), at: expression.at, writing };
}
function translate_visible(alias, relation) {
    const prefix = relation.sql === '' ? '' : `${relation.sql}.`;
    const columns = new Map(relation.columns.map((column) => [
        column.name,
        { sql: `${prefix}${quoteName(column.name)}`, type: column.type },
    ]));
    return { alias, columns, ignoresCase: true };
}
function* translateScript(source, context) {
    let { defaults } = context;
    const parts = withinStack(source, () => splitStatements(source, tokenize(source, context.warehouse)));
    for (const part of parts) {
        const session = createSession(source, { ...context, defaults });
        const cursor = cursorOver(source, part.tokens, context.warehouse);
        for (const statement of withinStack(source, () => writeStatement(cursor, session, part), part.text)) {
            yield statement;
            if (statement.kind !== 'defaults')
                continue;
            const { database = defaults.database, schema = defaults.schema } = statement;
            defaults = { database, schema };
        }
    }
}

;// CONCATENATED MODULE: ./engine/components/component-type.js
function onlyInput({ inputs, component }) {
    const [input] = inputs;
    if (input === undefined)
        throw new Error(`the component "${component.name}" was bound without an input`);
    return input;
}

;// CONCATENATED MODULE: ./engine/components/find-column.js

function storedName(name, kind) {
    return kind === 'WAREHOUSE_TWO' ? name.toLowerCase() : name;
}
function findColumn(columns, name, { warehouse }, of) {
    const stored = storedName(name.text, warehouse);
    const found = columns.find((column) => column.name === stored);
    if (found !== undefined)
        return found;
    const similar = columns.find((column) => column.name.toLowerCase() === stored.toLowerCase());
    const known = similar === undefined ? list(columns) : `; it has "${similar.name}": upper and lower case differ`;
    throw new SqlError(`the column "${name.text}" was not found in ${of}${known}`, { place: name.placeOf(0) });
}
function findInputColumns(names, input, dialect) {
    return names.map((name) => findInputColumn(name, input, dialect));
}
function findInputColumn(name, input, dialect) {
    return findColumn(input.columns, name, dialect, `the input "${input.name}"`);
}
function checkColumns(columns, place) {
    const seen = new Map();
    for (const { name } of columns) {
        const before = seen.get(name.toLowerCase());
        if (before === name) {
            throw new SqlError(`two output columns have the name "${name}"; rename one of them`, { place });
        }
        if (before !== undefined) {
            const both = `output columns "${before}" and "${name}", whose names differ only in upper and lower case`;
            throw new Refusal(both, place, 'rename one of them');
        }
        seen.set(name.toLowerCase(), name);
    }
    return columns;
}
function list(columns) {
    return `; it has ${columns.map(({ name }) => `"${name}"`).join(', ')}`;
}

;// CONCATENATED MODULE: ./engine/components/read-cells.js




function requiredText({ parameters, reader }, key) {
    const written = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, key), reader);
    if (written !== undefined)
        return written;
    throw new ParameterError(`the parameter ${key} is not set`, placeOfNode(parameters, reader));
}
function requiredRows({ parameters, reader }, key) {
    const node = (0,yaml_node/* childOf */.GG)(parameters, key);
    const rows = readRows(node, reader);
    if (rows.length > 0)
        return rows;
    const place = placeOfNode(node ?? parameters, reader);
    const isGrid = (0,yaml_node/* childOf */.GG)(node, 'fromGrid') !== undefined;
    throw new ParameterError(isGrid ? `the grid of the parameter ${key} has no rows` : `the parameter ${key} is not set`, place);
}
const ordinals = ['first', 'second', 'third', 'fourth'];
function requiredCell({ cells, place, parameter }, index, what) {
    const cell = cells[index];
    if (cell !== undefined && cell.text !== '')
        return cell;
    const message = `a row of ${parameter} has no ${what}: its ${ordinals[index] ?? 'next'} cell is empty or missing`;
    throw new ParameterError(message, cell?.placeOf(0) ?? place);
}
function read_cells_placeOf({ parameters, reader }, key) {
    return placeOfNode((0,yaml_node/* childOf */.GG)(parameters, key) ?? parameters, reader);
}
function readPair(row, first, second) {
    const pair = [requiredCell(row, 0, first), requiredCell(row, 1, second)];
    const extra = row.cells[2];
    if (extra === undefined)
        return pair;
    throw new ParameterError(`a row of ${row.parameter} must have two cells (1: ${first}, 2: ${second}), but this one has ${row.cells.length}`, extra.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/components/select-list.js




const select_list_TEXT = { name: 'VARCHAR', length: undefined };
function copyCell(column, { sql }, name = column.name) {
    return { name, type: column.type, sql: `${sql}.${quoteName(column.name)}` };
}
function valueCell(name, { sql, type: given }) {
    const type = given.name === 'NULL' ? select_list_TEXT : given;
    return { name, type, sql: `CAST(${sql} AS ${duckdbType(type)})` };
}
function replaceCells(cells, replacements) {
    const used = new Set();
    const replaced = cells.map((cell) => {
        const replacement = replacements.find(({ name }) => name === cell.name);
        if (replacement !== undefined)
            used.add(replacement);
        return replacement ?? cell;
    });
    return [...replaced, ...replacements.filter((cell) => !used.has(cell))];
}
function selectCells(cells, rest, place, word = 'SELECT') {
    if (cells.length === 0)
        throw new ParameterError('the component has no output column: list at least one', place);
    const columns = checkColumns(cells.map(({ name, type }) => ({ name, type })), place);
    const list = cells.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`).join(', ');
    return { kind: 'rows', sql: `${word} ${list} ${rest}`, columns };
}

;// CONCATENATED MODULE: ./engine/components/aggregate.js











const aggregate_functions = {
    sum: { sql: 'SUM(', name: 'sum' },
    average: { sql: 'AVG(', name: 'avg' },
    count: { sql: 'COUNT(', name: 'count' },
    'count distinct': { sql: 'COUNT(DISTINCT ', name: 'count_distinct' },
    max: { sql: 'MAX(', name: 'max' },
    min: { sql: 'MIN(', name: 'min' },
};
const aggregate = {
    type: 'aggregate',
    group: 'group',
    summary: 'Makes one row of each group of rows.',
    inputs: [1, 1],
    parameters: {
        groupings: { form: 'names', meaning: 'the columns that are equal in a group; without them, one row' },
        aggregations: {
            form: 'rows',
            meaning: 'rows of a column and Sum, Average, Count, Count Distinct, Max or Min; the output column has the name `sum_AMOUNT`, `avg_AMOUNT`, …',
        },
        groupingType: {
            form: 'choice',
            meaning: 'how rows are grouped',
            choices: ['Group By', 'Group By Rollup', 'Group By Cube'],
        },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const groups = findInputColumns(readNames((0,yaml_node/* childOf */.GG)(parameters, 'groupings'), reader), input, dialect).map((column) => copyCell(column, input));
        const values = readRows((0,yaml_node/* childOf */.GG)(parameters, 'aggregations'), reader).map((row) => aggregateCell(row, input, binding));
        const grouped = groupBy(groups, dialect.warehouse, groupList(groups, binding));
        return selectCells([...groups, ...values], `FROM ${input.sql}${grouped}`, read_cells_placeOf(binding, 'aggregations'));
    },
};
function groupList(groups, { parameters, reader }) {
    const list = groups.map(({ sql }) => sql).join(', ');
    const type = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'groupingType'), reader)?.text ?? '';
    const [, word] = /^group by (rollup|cube)$/i.exec(type.trim()) ?? [];
    return word === undefined ? list : `${word.toUpperCase()} (${list})`;
}
function aggregateCell(row, input, { dialect }) {
    const [column, word] = readPair(row, 'column', 'function');
    const known = findAggregate(word);
    const { name } = findInputColumn(column, input, dialect);
    const text = fixedText(`${known.sql}${quoteName(name)})`, column.placeOf(0));
    const value = translateExpression(text, new Map([['', input]]), dialect);
    return valueCell(storedName(`${known.name}_${name}`, dialect.warehouse), value);
}
function findAggregate(word) {
    const known = Object.hasOwn(aggregate_functions, key(word.text)) ? aggregate_functions[key(word.text)] : undefined;
    if (known !== undefined)
        return known;
    const hint = 'use Sum, Average, Count, Count Distinct, Max or Min';
    throw new Refusal(`the function "${word.text}"`, word.placeOf(0), hint);
}
function key(word) {
    return word.trim().toLowerCase();
}

;// CONCATENATED MODULE: ./engine/components/include-input.js



const includeInputColumns = {
    form: 'yes-no',
    meaning: 'whether the output has the columns of the input too',
};
function includesInput({ parameters, reader }, key = 'includeInputColumns') {
    const node = (0,yaml_node/* childOf */.GG)(parameters, key);
    if (parameter_reader_readText(node, reader) !== undefined)
        return readYesNo(node, reader, false);
    throw new ParameterError(`the parameter ${key} is not set: write Yes or No`, placeOfNode(parameters, reader));
}

;// CONCATENATED MODULE: ./engine/components/calculator.js










const calculator = {
    type: 'calculator',
    group: 'column',
    summary: 'Adds columns that are calculated from others, or replaces columns.',
    inputs: [1, 1],
    parameters: {
        includeInputColumns: includeInputColumns,
        calculations: {
            form: 'rows',
            meaning: 'rows of an SQL expression and a name; the name of an input column replaces it in its place',
        },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const calculated = [];
        for (const row of readRows((0,yaml_node/* childOf */.GG)(parameters, 'calculations'), reader)) {
            const [expression, name] = readPair(row, 'expression', 'name');
            calculated.push(calculate(expression, storedName(name.text, dialect.warehouse), input, calculated, dialect));
        }
        const { rows, cells } = stagesOf(input, calculated);
        const output = includesInput(binding)
            ? replaceCells(input.columns.map((column) => copyCell(column, input)), cells)
            : cells;
        const written = calculated.map(({ source }, index) => ({
            source,
            sql: `SELECT ${cells[index]?.sql ?? 'NULL'} FROM ${rows}`,
        }));
        return { ...selectCells(output, `FROM ${rows}`, placeOfNode(parameters, reader)), written };
    },
};
function calculate(expression, name, input, earlier, dialect) {
    const values = new Map(earlier.map(({ cell, reference }) => [cell.name, { sql: reference, type: cell.type }]));
    const cell = valueCell(name, translateExpression(expression, new Map([['', input]]), dialect, values));
    const uses = earlier.filter(({ reference }) => cell.sql.includes(reference));
    return { source: expression, cell, reference: `${input.sql}.${calculator_ownName(earlier.length)}`, uses };
}
function calculator_ownName(index) {
    return quoteName(`millrace calculated ${index}`);
}
function stagesOf(input, calculated) {
    const used = new Set(calculated.flatMap(({ uses }) => uses));
    const stages = new Map();
    for (const each of calculated)
        stages.set(each, Math.max(0, ...each.uses.map((use) => (stages.get(use) ?? 0) + 1)));
    let rows = input.sql;
    for (let stage = 0; stage <= Math.max(-1, ...[...used].map((each) => stages.get(each) ?? 0)); stage += 1) {
        const added = calculated.flatMap((each, index) => used.has(each) && stages.get(each) === stage ? [`${each.cell.sql} AS ${calculator_ownName(index)}`] : []);
        rows = `(SELECT ${input.sql}.*, ${added.join(', ')} FROM ${rows}) AS ${input.sql}`;
    }
    const cells = calculated.map((each) => used.has(each) ? { ...each.cell, sql: each.reference } : each.cell);
    return { rows, cells };
}

;// CONCATENATED MODULE: ./engine/dialect/convert-value.js






function storeValue(value, column, place, context) {
    return stored(value, column, 0, writingAt(place, context));
}
function castValue(value, type, place, context, isTry = false) {
    const writing = writingAt(place, context);
    const typed = typeof value === 'string' ? write({ kind: 'text', value, at: 0 }, writing) : value;
    const { sql } = isTry
        ? cast(typed, type, 0, writing, true)
        : explicitCast(typed, type, 0, writing, { isOfTable: typeof value !== 'string' });
    return { sql: `CAST(${sql} AS ${duckdbType(type)})`, type };
}
function commonTypeOf(types, place, context) {
    return commonType(types.map((type) => ({ sql: '', type })), 0, writingAt(place, context));
}
function writingAt(place, context) {
    const placeOf = typeof place === 'function' ? place : () => place;
    const session = createSession({ text: '', placeOf }, context);
    return { session, names: NO_NAMES, commonTables: new Map() };
}

;// CONCATENATED MODULE: ./engine/parameters/read-typed-rows.js



function readTypedRows(node, reader, kind) {
    return readRows(node, reader).map((row) => {
        const [name, type, size, precision, ...more] = row.cells;
        if (name === undefined || name.text === '') {
            const message = `a column in ${row.parameter} has no name: the first cell of its row is empty`;
            throw new ParameterError(message, row.place);
        }
        if (type === undefined) {
            const message = `the column "${name.text}" in ${row.parameter} has no type: add it as the second cell`;
            throw new ParameterError(message, row.place);
        }
        return { name, type: readType({ type, size, precision }, kind), more, row };
    });
}
const wholeNumbers = ['SMALLINT', 'INTEGER', 'BIGINT'];
const names = {
    VARCHAR: 'VARCHAR',
    TEXT: 'VARCHAR',
    STRING: 'VARCHAR',
    NUMBER: 'NUMBER',
    NUMERIC: 'NUMBER',
    DECIMAL: 'NUMBER',
    SMALLINT: 'SMALLINT',
    INT: 'INTEGER',
    INTEGER: 'INTEGER',
    BIGINT: 'BIGINT',
    FLOAT: 'FLOAT',
    DOUBLE: 'FLOAT',
    'DOUBLE PRECISION': 'FLOAT',
    REAL: 'FLOAT',
    BOOLEAN: 'BOOLEAN',
    DATE: 'DATE',
    TIME: 'TIME',
    TIMESTAMP: 'TIMESTAMP',
    TIMESTAMP_NTZ: 'TIMESTAMP',
    DATETIME: 'TIMESTAMP',
    TIMESTAMP_LTZ: 'TIMESTAMP_TZ',
    TIMESTAMP_TZ: 'TIMESTAMP_TZ',
    TIMESTAMPTZ: 'TIMESTAMP_TZ',
    BINARY: 'BINARY',
    VARIANT: 'VARIANT',
    OBJECT: 'VARIANT',
    ARRAY: 'VARIANT',
    SUPER: 'VARIANT',
};
function readType({ type, size, precision }, kind) {
    const written = type.text.trim().toUpperCase().replaceAll(/\s+/g, ' ');
    const name = Object.hasOwn(names, written) ? names[written] : undefined;
    if (name === undefined) {
        const hint = `use one of: ${[...new Set(Object.values(names))].join(', ')}`;
        throw new Refusal(`the type ${JSON.stringify(type.text)}`, type.placeOf(0), hint);
    }
    if (name === 'VARCHAR')
        return { name, length: read_typed_rows_sizeOf(size) };
    if (name === 'NUMBER')
        return numberType(size, precision, kind);
    if (wholeNumbers.some((whole) => whole === name) && kind === 'WAREHOUSE_ONE') {
        return { name: 'NUMBER', precision: 38, scale: 0 };
    }
    return written === 'TIMESTAMP_LTZ' ? { name: 'TIMESTAMP_TZ', isUtc: true } : { name };
}
function numberType(size, decimals, kind) {
    const precision = read_typed_rows_sizeOf(size) ?? (kind === 'WAREHOUSE_ONE' ? 38 : 18);
    const scale = read_typed_rows_sizeOf(decimals) ?? 0;
    const wrong = precision > 38 ? size : scale > precision ? decimals : undefined;
    if (wrong !== undefined) {
        const limit = 'it has at most 38 digits, and no more decimal places than digits';
        throw new ParameterError(`NUMBER(${precision},${scale}) is not a type: ${limit}`, wrong.placeOf(0));
    }
    return { name: 'NUMBER', precision, scale };
}
function read_typed_rows_sizeOf(cell) {
    const written = cell?.text.trim() ?? '';
    if (cell === undefined || written === '' || /^0+$/.test(written))
        return undefined;
    if (/^\d{1,8}$/.test(written))
        return Number(written);
    throw new ParameterError(`the size of a column must be a whole number, not "${cell.text}"`, cell.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/components/convert-type.js








const convertType = {
    type: 'convert-type',
    group: 'column',
    summary: 'Converts columns to other types, in their places.',
    inputs: [1, 1],
    parameters: {
        conversions: {
            form: 'typed rows',
            meaning: 'rows of column, type, size and decimal places; a value that cannot be converted is an error',
        },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const converted = [];
        for (const { name, type } of readTypedRows((0,yaml_node/* childOf */.GG)(parameters, 'conversions'), reader, dialect.warehouse)) {
            const column = findInputColumn(name, input, dialect);
            const place = name.placeOf(0);
            if (converted.some((cell) => cell.name === column.name)) {
                const message = `the column "${column.name}" is converted twice in conversions; remove one of the rows`;
                throw new SqlError(message, { place });
            }
            converted.push({ name: column.name, ...castValue(copyCell(column, input), type, place, dialect) });
        }
        const cells = input.columns.map((column) => copyCell(column, input));
        return selectCells(replaceCells(cells, converted), `FROM ${input.sql}`, placeOfNode(parameters, reader));
    },
};

;// CONCATENATED MODULE: ./engine/components/find-input.js

function findInput({ inputs }, name) {
    const found = inputs.find((input) => input.name === name.text);
    if (found !== undefined)
        return found;
    const known = inputs.map((input) => `"${input.name}"`).join(', ');
    const message = `"${name.text}" is not a source of the component; its sources are ${known === '' ? 'none' : known}`;
    throw new SqlError(message, { place: name.placeOf(0) });
}

;// CONCATENATED MODULE: ./engine/components/detect-changes.js










const detectChanges = {
    type: 'detect-changes',
    group: 'combine',
    summary: 'Compares two inputs by keys, and says of each row whether it is new, deleted, changed or identical.',
    inputs: [2, 2],
    parameters: {
        masterTable: { form: 'text', meaning: 'the component that the other one is compared with' },
        matchKeys: {
            form: 'names',
            meaning: 'the columns that identify a row; a row with a NULL in one is ignored',
        },
        compareColumns: { form: 'names', meaning: 'the columns whose difference is a change; NULLs are equal' },
        outputColumnMapping: {
            form: 'rows',
            meaning: '`master_COLUMN` or `compare_COLUMN`, and the name of the output column',
        },
        indicatorColumn: {
            form: 'text',
            meaning: 'the output column with `N` (new), `D` (deleted), `C` (changed) or `I` (identical)',
        },
    },
    bind: bindChanges,
};
const master = 'master_1';
const other = 'compare_1';
function bindChanges(binding) {
    const { parameters, reader, dialect } = binding;
    const sides = sidesOf(binding);
    requiredRows(binding, 'matchKeys');
    const keys = readNames((0,yaml_node/* childOf */.GG)(parameters, 'matchKeys'), reader);
    const compared = readNames((0,yaml_node/* childOf */.GG)(parameters, 'compareColumns'), reader);
    const indicator = requiredText(binding, 'indicatorColumn').text;
    const cells = [
        ...keys.map((key) => keyCell(binding, key, sides)),
        ...readRows((0,yaml_node/* childOf */.GG)(parameters, 'outputColumnMapping'), reader).map((row) => mappedCell(binding, row, sides)),
        {
            name: storedName(indicator, dialect.warehouse),
            type: select_list_TEXT,
            sql: indicatorSql(binding, keys, compared, sides),
        },
    ];
    const matches = keys.map((key) => pairSql(binding, key, '=', sides)).join(' AND ');
    const from = `FROM ${rowsWithKeys(binding, keys, sides.master)} AS ${master} FULL JOIN ${rowsWithKeys(binding, keys, sides.other)} AS ${other} ON ${matches}`;
    const rows = selectCells(cells, from, read_cells_placeOf(binding, 'outputColumnMapping'));
    return { ...rows, checks: binding.inputs.map((input) => doubledKeys(binding, keys, input)) };
}
function doubledKeys({ dialect }, keys, input) {
    const values = keys.map((key) => {
        const { name, type } = findInputColumn(key, input, dialect);
        return comparedText({ sql: quoteName(name), type }, dialect.warehouse);
    });
    const isKey = values.map((value) => `${value} IS NOT NULL`).join(' AND ');
    const doubled = `SELECT 1 FROM (${input.query}) WHERE ${isKey} GROUP BY ${values.join(', ')} HAVING count(*) > 1`;
    return {
        sql: `SELECT count(*) FROM (${doubled})`,
        notice: (count) => count === 0
            ? undefined
            : `${count} ${count === 1 ? 'key' : 'keys'} of "${input.name}" ${count === 1 ? 'appears' : 'appear'} more than once: each pair of equal keys is a row`,
    };
}
function sidesOf(binding) {
    const first = findInput(binding, requiredText(binding, 'masterTable'));
    const second = binding.inputs.find((input) => input !== first);
    if (second === undefined)
        throw new Error('the number of sources was not checked');
    const scope = new Map([
        ['m', { sql: master, columns: first.columns }],
        ['c', { sql: other, columns: second.columns }],
    ]);
    return { master: first, other: second, scope };
}
function pairSql(binding, name, operator, sides) {
    const [a, b] = bothColumns(binding, name, sides);
    const text = `"m".${quoteName(a.name)} ${operator} "c".${quoteName(b.name)}`;
    return translateCondition(fixedText(text, name.placeOf(0)), sides.scope, binding.dialect);
}
function bothColumns({ dialect }, name, sides) {
    return [findInputColumn(name, sides.master, dialect), findInputColumn(name, sides.other, dialect)];
}
function keyCell(binding, name, sides) {
    const [a, b] = bothColumns(binding, name, sides);
    const text = `COALESCE("m".${quoteName(a.name)}, "c".${quoteName(b.name)})`;
    return valueCell(a.name, translateExpression(fixedText(text, name.placeOf(0)), sides.scope, binding.dialect));
}
function mappedCell(binding, row, sides) {
    const [from, to] = readPair(row, 'column', 'output column');
    const [, side, column] = /^(master|compare)_(.+)$/is.exec(from.text) ?? [];
    if (side === undefined || column === undefined) {
        const message = `expected master_COLUMN or compare_COLUMN in ${row.parameter}, found "${from.text}"`;
        throw new ParameterError(message, from.placeOf(0));
    }
    const isMaster = side.toLowerCase() === 'master';
    const input = isMaster ? sides.master : sides.other;
    const start = side.length + 1;
    const name = { text: column, placeOf: (offset) => from.placeOf(start + offset) };
    return copyCell(findInputColumn(name, input, binding.dialect), { sql: isMaster ? master : other, columns: input.columns }, storedName(to.text, binding.dialect.warehouse));
}
function indicatorSql(binding, [key], compared, sides) {
    if (key === undefined)
        throw new Error('no key');
    const [a, b] = bothColumns(binding, key, sides);
    const changes = compared.map((name) => pairSql(binding, name, 'IS DISTINCT FROM', sides));
    const branches = [
        [`${other}.${quoteName(b.name)} IS NULL`, 'D'],
        [`${master}.${quoteName(a.name)} IS NULL`, 'N'],
        ...(changes.length === 0 ? [] : [[changes.join(' OR '), 'C']]),
    ].map(([condition = '', value = '']) => `WHEN ${condition} THEN ${quoteText(value)}`);
    return `CASE ${branches.join(' ')} ELSE 'I' END`;
}
function rowsWithKeys({ dialect }, keys, input) {
    const filters = keys.map((key) => `${quoteName(findInputColumn(key, input, dialect).name)} IS NOT NULL`);
    return `(SELECT * FROM ${input.sql} WHERE ${filters.join(' AND ')})`;
}

;// CONCATENATED MODULE: ./engine/components/distinct.js







const distinct_distinct = {
    type: 'distinct',
    group: 'row',
    summary: 'Keeps one of the rows that are equal in the listed columns, and only these columns.',
    inputs: [1, 1],
    parameters: { columns: { form: 'names', meaning: 'the columns, in the order of the output' } },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const names = readNames((0,yaml_node/* childOf */.GG)(parameters, 'columns'), reader);
        const cells = findInputColumns(names, input, dialect).map((column) => {
            const cell = copyCell(column, input);
            return { ...cell, sql: shownForEqual(cell, 'DISTINCT', dialect.warehouse) };
        });
        return selectCells(cells, `FROM ${input.sql}`, read_cells_placeOf(binding, 'columns'), 'SELECT DISTINCT');
    },
};

;// CONCATENATED MODULE: ./engine/components/order-by.js





const directions = {
    '': 'ASC NULLS LAST',
    asc: 'ASC NULLS LAST',
    ascending: 'ASC NULLS LAST',
    desc: 'DESC NULLS FIRST',
    descending: 'DESC NULLS FIRST',
    'nulls first': 'ASC NULLS FIRST',
};
function orderTerms(node, input, binding) {
    const terms = readTerms(node, input, binding);
    const { warehouse } = binding.dialect;
    return {
        written: terms.map(({ column, words }) => `${quoteName(column.name)} ${words}`),
        duckdb: terms.map(({ column: { name, type }, words }) => {
            const value = quoteName(name);
            return `${type.name === 'VARIANT' ? orderKeySql(value, warehouse) : value} ${words}`;
        }),
    };
}
function readTerms(node, input, { reader, dialect }) {
    return readRows(node, reader).flatMap(({ cells: [column, direction] }) => {
        if (column === undefined || column.text === '')
            return [];
        const found = findColumn(input.columns, column, dialect, `the input "${input.name}"`);
        const words = directions[(direction?.text ?? '').trim().toLowerCase()];
        if (words !== undefined)
            return [{ column: found, words }];
        const place = (direction ?? column).placeOf(0);
        throw new Refusal(`the order "${direction?.text ?? ''}"`, place, 'use Ascending, Descending or Nulls First');
    });
}
function orderByClause({ duckdb }) {
    return duckdb.length === 0 ? '' : ` ORDER BY ${duckdb.join(', ')}`;
}

;// CONCATENATED MODULE: ./engine/components/window.js










function readWindow(binding, input, partitionKey, orderKey) {
    const { parameters, reader, dialect } = binding;
    const names = readNames((0,yaml_node/* childOf */.GG)(parameters, partitionKey), reader);
    const partitions = findInputColumns(names, input, dialect).map(({ name }) => quoteName(name));
    const order = orderTerms((0,yaml_node/* childOf */.GG)(parameters, orderKey), input, binding);
    const others = input.columns.map(({ name, type }) => {
        const column = quoteName(name);
        return `${type.name === 'VARIANT' ? `CAST(${column} AS VARCHAR)` : column} ASC NULLS LAST`;
    });
    return {
        partitions: partitions.length === 0 ? '' : `PARTITION BY ${partitions.join(', ')} `,
        order: order.written,
        wholeOrder: [...order.written, ...others],
        duckdbOrder: [...order.duckdb, ...others],
    };
}
function windowValue(call, { partitions }, order, { input, at, binding }, frame = '') {
    const ordered = order.length === 0 ? '' : `ORDER BY ${order.join(', ')} ${frame}`;
    const text = `${call} OVER (${partitions}${ordered})`;
    return translateExpression(fixedText(text, at.placeOf(0)), new Map([['', input]]), binding.dialect);
}
function addWindowCells(binding, input, added) {
    const place = read_cells_placeOf(binding, 'functions');
    const copied = includesInput(binding) ? input.columns.map((column) => copyCell(column, input)) : [];
    for (const { name } of added) {
        if (copied.every((cell) => cell.name !== name))
            continue;
        throw new Refusal(`an output column with the name of an input column, "${name}"`, place, 'give the output column another name, or set includeInputColumns to No');
    }
    return selectCells([...copied, ...added], `FROM ${input.sql}`, place);
}

;// CONCATENATED MODULE: ./engine/components/first-last.js










const firstLast = {
    type: 'first-last',
    group: 'group',
    summary: 'Makes one row of each group of rows, with the first or last values in their order.',
    inputs: [1, 1],
    parameters: {
        groupingColumns: {
            form: 'names',
            meaning: 'the columns that are equal in a group; without them, one group',
        },
        orderingInPartitions: { form: 'rows', meaning: 'columns and directions: the order in a group' },
        firstLastColumns: { form: 'rows', meaning: 'rows of a column and First or Last' },
        ignoreNulls: { form: 'yes-no', meaning: 'whether values that are NULL are left out' },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const names = readNames((0,yaml_node/* childOf */.GG)(parameters, 'groupingColumns'), reader);
        const groups = findInputColumns(names, input, dialect).map((column) => copyCell(column, input));
        const values = first_last_readValues(binding, input);
        const grouped = groups.length === 0 ? ' HAVING count(*) > 0' : groupBy(groups, dialect.warehouse);
        const place = read_cells_placeOf(binding, 'firstLastColumns');
        return selectCells([...groups, ...values], `FROM ${input.sql}${grouped}`, place);
    },
};
function first_last_readValues(binding, input) {
    const { parameters, reader, dialect } = binding;
    const { order, duckdbOrder } = readWindow(binding, input, 'groupingColumns', 'orderingInPartitions');
    const ignoresNulls = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'ignoreNulls'), reader, false);
    return requiredRows(binding, 'firstLastColumns').map((row) => {
        const [column, which] = readPair(row, 'column', 'First or Last');
        const word = which.text.trim().toLowerCase();
        if (word !== 'first' && word !== 'last') {
            throw new Refusal(`the function "${which.text}"`, which.placeOf(0), 'use First or Last');
        }
        if (order.length === 0)
            throw new Refusal(`${which.text.trim()} without an order`, which.placeOf(0), 'set `orderingInPartitions`, the order of the rows in a group');
        const cell = copyCell(findInputColumn(column, input, dialect), input);
        const filter = ignoresNulls ? ` FILTER (WHERE ${cell.sql} IS NOT NULL)` : '';
        const sql = `${word}(${cell.sql} ORDER BY ${duckdbOrder.join(', ')})${filter}`;
        return { ...cell, sql };
    });
}

;// CONCATENATED MODULE: ./engine/components/lead-lag.js











const leadLag = {
    type: 'lead-lag',
    group: 'group',
    summary: 'Adds values of the rows after or before a row.',
    inputs: [1, 1],
    parameters: {
        includeInputColumns: includeInputColumns,
        partitionData: {
            form: 'names',
            meaning: 'the columns that are equal in a group; without them, one group',
        },
        orderingsWithinPartitions: { form: 'rows', meaning: 'columns and directions: the order in a group' },
        functions: {
            form: 'rows',
            meaning: 'rows of Lead or Lag, a column, the distance in rows (1 where it is empty) and the output column',
        },
        ignoreNulls: { form: 'yes-no', meaning: 'whether rows whose value is NULL are skipped' },
    },
    bind(binding) {
        const input = onlyInput(binding);
        return addWindowCells(binding, input, readFunctions(binding, input));
    },
};
function readFunctions(binding, input) {
    const { parameters, reader, dialect } = binding;
    const window = readWindow(binding, input, 'partitionData', 'orderingsWithinPartitions');
    const rows = requiredRows(binding, 'functions');
    if (window.order.length === 0)
        throw new Refusal('Lead or Lag without an order', read_cells_placeOf(binding, 'functions'), 'set `orderingsWithinPartitions`, the order of the rows in a group');
    const nulls = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'ignoreNulls'), reader, false) ? ' IGNORE NULLS' : '';
    return rows.map((row) => {
        const word = readFunction(requiredCell(row, 0, 'function'));
        const column = requiredCell(row, 1, 'column');
        const name = quoteName(findInputColumn(column, input, dialect).name);
        const call = `${word}(${name}, ${readDistance(row)})${nulls}`;
        const value = windowValue(call, window, window.wholeOrder, { input, at: column, binding });
        return valueCell(storedName(requiredCell(row, 3, 'output column').text, dialect.warehouse), value);
    });
}
function readFunction(cell) {
    const word = cell.text.trim().toUpperCase();
    if (word === 'LEAD' || word === 'LAG')
        return word;
    throw new Refusal(`the function "${cell.text}"`, cell.placeOf(0), 'use Lead or Lag');
}
function readDistance({ cells: [, , cell], parameter }) {
    const written = cell?.text.trim() ?? '';
    if (cell === undefined || written === '')
        return 1;
    if (/^\d{1,9}$/.test(written))
        return Number(written);
    const message = `expected the distance as a number of rows in ${parameter}, found "${cell.text}"`;
    throw new ParameterError(message, cell.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/core/source-text.js
function sourceText(text, file, line = 1, column = 1) {
    return {
        text,
        placeOf(offset) {
            const before = text.slice(0, offset).split('\n');
            const last = before.at(-1) ?? '';
            return {
                file,
                line: line + before.length - 1,
                column: before.length === 1 ? column + last.length : last.length + 1,
            };
        },
    };
}
function startOf(source) {
    return source.placeOf(source.text.length - source.text.trimStart().length);
}
function source_text_joinTexts(parts) {
    return {
        text: parts.map(({ text }) => text).join(''),
        placeOf(offset) {
            let rest = offset;
            for (const part of parts.slice(0, -1)) {
                if (rest < part.text.length)
                    return part.placeOf(rest);
                rest -= part.text.length;
            }
            const last = parts.at(-1);
            if (last === undefined)
                throw new Error('no texts to join');
            return last.placeOf(rest);
        },
    };
}

;// CONCATENATED MODULE: ./engine/dialect/text-literal.js
function textLiteral(text, kind) {
    const quoted = text.replaceAll("'", "''");
    if (!text.includes('\\'))
        return `'${quoted}'`;
    if (kind === 'WAREHOUSE_ONE')
        return `'${quoted.replaceAll('\\', '\\\\')}'`;
    return /\$\$|\$$/.test(text) ? undefined : `$$${text}$$`;
}

;// CONCATENATED MODULE: ./engine/components/pivot.js













const pivot = {
    type: 'pivot',
    group: 'group',
    summary: 'Makes values of one column columns; the rows are groups of the columns that are not named.',
    inputs: [1, 1],
    parameters: {
        aggregateFunction: { form: 'text', meaning: 'Sum, Average, Count, Count Distinct, Max or Min' },
        pivotColumn: { form: 'text', meaning: 'the column whose values become columns' },
        valueColumn: { form: 'text', meaning: 'the column that is aggregated' },
        pivotValues: { form: 'names', meaning: 'the values; each is the name of an output column' },
        quotePivotValueColumns: { form: 'choice', meaning: 'only `No`', choices: ['No', 'False'] },
    },
    bind: bindPivot,
};
function bindPivot(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const { sql: call } = findAggregate(requiredText(binding, 'aggregateFunction'));
    const column = (key) => findInputColumn(requiredText(binding, key), input, dialect).name;
    const [pivoted, aggregated] = [column('pivotColumn'), column('valueColumn')];
    requiredRows(binding, 'pivotValues');
    const valueOf = (value) => {
        const place = value.placeOf(0);
        const parts = [
            fixedText(`${call}CASE WHEN ${quoteName(pivoted)} = `, read_cells_placeOf(binding, 'pivotColumn')),
            fixedText(literalOf(value, binding), place),
            fixedText(` THEN ${quoteName(aggregated)} END)`, read_cells_placeOf(binding, 'valueColumn')),
        ];
        const translated = translateExpression(source_text_joinTexts(parts), new Map([['', input]]), dialect);
        return valueCell(storedName(value.text, dialect.warehouse), translated);
    };
    const groups = input.columns
        .filter(({ name }) => name !== pivoted && name !== aggregated)
        .map((each) => copyCell(each, input));
    const values = readNames((0,yaml_node/* childOf */.GG)(parameters, 'pivotValues'), reader).map(valueOf);
    const grouped = groupBy(groups, dialect.warehouse);
    return selectCells([...groups, ...values], `FROM ${input.sql}${grouped}`, read_cells_placeOf(binding, 'pivotValues'));
}
function literalOf(value, { dialect }) {
    const literal = textLiteral(value.text, dialect.warehouse);
    if (literal !== undefined)
        return literal;
    throw new Refusal(`the value ${JSON.stringify(value.text)} in pivotValues`, value.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/components/rank.js







const rowNumber = 'ROW_NUMBER()';
const rank_functions = {
    'row number': rowNumber,
    rank: 'RANK()',
    'dense rank': 'DENSE_RANK()',
    'cumulative distribution': 'CUME_DIST()',
    'percent rank': 'PERCENT_RANK()',
};
const rank_rank = {
    type: 'rank',
    group: 'group',
    summary: 'Numbers rows within groups by their order.',
    inputs: [1, 1],
    parameters: {
        includeInputColumns: includeInputColumns,
        partitionData: {
            form: 'names',
            meaning: 'the columns that are equal in a group; without them, one group',
        },
        orderingWithinPartitions: { form: 'rows', meaning: 'columns and directions: the order in a group' },
        functions: {
            form: 'rows',
            meaning: 'rows of Row Number, Rank, Dense Rank, Cumulative Distribution or Percent Rank, and the name of the output column',
        },
    },
    bind(binding) {
        const input = onlyInput(binding);
        return addWindowCells(binding, input, rank_readFunctions(binding, input));
    },
};
function rank_readFunctions(binding, input) {
    const window = readWindow(binding, input, 'partitionData', 'orderingWithinPartitions');
    return requiredRows(binding, 'functions').map((row) => {
        const [word, name] = readPair(row, 'function', 'output column');
        const key = word.text.trim().toLowerCase();
        const call = Object.hasOwn(rank_functions, key) ? rank_functions[key] : undefined;
        if (call === undefined) {
            const hint = 'use Row Number, Rank, Dense Rank, Cumulative Distribution or Percent Rank';
            throw new Refusal(`the function "${word.text}"`, word.placeOf(0), hint);
        }
        if (window.order.length === 0) {
            if (call !== rowNumber)
                throw new Refusal(`${word.text.trim()} without an order`, word.placeOf(0), 'set `orderingWithinPartitions`, the order of the rows in a group');
            binding.notice('no order is set: the warehouse may number the rows in any order');
        }
        const order = call === rowNumber ? window.wholeOrder : window.order;
        const value = windowValue(call, window, order, { input, at: word, binding });
        return valueCell(storedName(name.text, binding.dialect.warehouse), value);
    });
}

;// CONCATENATED MODULE: ./engine/components/construct-variant.js










const constructVariant = {
    type: 'construct-variant',
    group: 'nested',
    summary: 'Adds a column with an object of other columns; a NULL is not a member.',
    inputs: [1, 1],
    parameters: {
        columnMappings: { form: 'rows', meaning: 'column and key of the object' },
        outputSlot: { form: 'text', meaning: 'the name of the new column' },
    },
    bind: bindObject,
};
function bindObject(binding) {
    const input = onlyInput(binding);
    const { dialect } = binding;
    const slot = requiredText(binding, 'outputSlot');
    const members = requiredRows(binding, 'columnMappings').flatMap((row, index) => {
        const [column, key] = readPair(row, 'column', 'key');
        const literal = textLiteral(key.text, dialect.warehouse);
        if (literal === undefined)
            throw new Refusal(`the key ${JSON.stringify(key.text)}`, key.placeOf(0));
        const { name } = findInputColumn(column, input, dialect);
        return [
            fixedText(`${index === 0 ? '' : ', '}${literal}, `, key.placeOf(0)),
            fixedText(quoteName(name), column.placeOf(0)),
        ];
    });
    const place = read_cells_placeOf(binding, 'columnMappings');
    const text = source_text_joinTexts([fixedText('OBJECT_CONSTRUCT(', place), ...members, fixedText(')', place)]);
    const value = translateExpression(text, new Map([['', input]]), dialect);
    const cells = [
        ...input.columns.map((column) => copyCell(column, input)),
        valueCell(storedName(slot.text, dialect.warehouse), value),
    ];
    return selectCells(cells, `FROM ${input.sql}`, slot.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/components/needs-mock.js


class NeedsMock extends Refusal {
    columns;
    constructor({ component, reader }, columns) {
        const { line, column } = component.range;
        const place = { file: reader.source.file, line, column };
        const names = columns.map(({ name, type }) => `"${name}" ${describeType(type)}`);
        super(`the component type ${component.type}`, place, `mock the component: ${names.join(', ')}`);
        this.columns = columns;
    }
}

;// CONCATENATED MODULE: ./engine/components/cortex.js










function calling(type, summary, parameters, outputs) {
    return {
        type,
        group: 'mocked',
        summary,
        inputs: [1, 1],
        parameters: { includeInputColumns: includeInputColumns, ...parameters },
        bind(binding) {
            const hasInput = readYesNo((0,yaml_node/* childOf */.GG)(binding.parameters, 'includeInputColumns'), binding.reader, true);
            const added = outputs(binding).map((column) => ({
                ...column,
                name: storedName(column.name, binding.dialect.warehouse),
            }));
            const names = new Set(added.map(({ name }) => name.toLowerCase()));
            const before = hasInput
                ? onlyInput(binding).columns.filter(({ name }) => !names.has(name.toLowerCase()))
                : [];
            const place = read_cells_placeOf(binding, Object.keys(parameters).at(-1) ?? '');
            throw new NeedsMock(binding, checkColumns([...before, ...added], place));
        },
    };
}
const cortex_VARIANT = { name: 'VARIANT' };
const cortex_FLOAT = { name: 'FLOAT' };
const cortexCompletions = calling('cortex-completions', 'Adds `completion_result`, the answer of an AI model to a prompt.', {
    model: { form: 'text', meaning: 'the model' },
    systemPrompt: { form: 'text', meaning: 'the instructions of the model' },
    userPrompt: { form: 'text', meaning: 'the question' },
    temperature: { form: 'number', meaning: 'how much answers vary' },
    maxTokens: { form: 'number', meaning: 'the length of an answer' },
    topP: { form: 'number', meaning: 'how much answers vary' },
    inputs: { form: 'rows', meaning: 'column, and its name in the prompt' },
}, (binding) => {
    const rows = readRows((0,yaml_node/* childOf */.GG)(binding.parameters, 'inputs'), binding.reader);
    for (const row of rows)
        inputColumn(binding, requiredCell(row, 0, 'column'));
    return [{ name: 'completion_result', type: cortex_VARIANT }];
});
const cortexSentiment = calling('cortex-sentiment', 'Adds `sentiment_COLUMN`, from -1 to 1, for each column.', { columns: { form: 'names', meaning: 'the columns with texts' } }, (binding) => prefixed(binding, 'sentiment', cortex_FLOAT));
const cortexSummarize = calling('cortex-summarize', 'Adds `summarize_COLUMN`, a summary, for each column.', { columns: { form: 'names', meaning: 'the columns with texts' } }, (binding) => prefixed(binding, 'summarize', select_list_TEXT));
const cortexTranslate = calling('cortex-translate', 'Adds a translation of each column; its name starts with the code of the language, as in `en_COLUMN`.', { columns: { form: 'rows', meaning: 'column, language of its texts, and language of the translation' } }, (binding) => requiredRows(binding, 'columns').map((row) => {
    const { name } = inputColumn(binding, requiredCell(row, 0, 'column'));
    return { name: `${codeOf(requiredCell(row, 2, 'language'))}_${name}`, type: select_list_TEXT };
}));
const cortexExtractAnswer = calling('cortex-extract-answer', 'Adds the answers to questions about columns.', { columns: { form: 'rows', meaning: 'column, question, and the name of the output column' } }, (binding) => requiredRows(binding, 'columns').map((row) => {
    inputColumn(binding, requiredCell(row, 0, 'column'));
    return { name: requiredCell(row, 2, 'output column').text, type: select_list_TEXT };
}));
function prefixed(binding, prefix, type) {
    requiredRows(binding, 'columns');
    return readNames((0,yaml_node/* childOf */.GG)(binding.parameters, 'columns'), binding.reader).map((written) => ({
        name: `${prefix}_${inputColumn(binding, written).name}`,
        type,
    }));
}
function inputColumn(binding, name) {
    return findInputColumn(name, onlyInput(binding), binding.dialect);
}
const languages = new Map([
    ['chinese', 'zh'],
    ['dutch', 'nl'],
    ['english', 'en'],
    ['french', 'fr'],
    ['german', 'de'],
    ['hindi', 'hi'],
    ['italian', 'it'],
    ['japanese', 'ja'],
    ['korean', 'ko'],
    ['polish', 'pl'],
    ['portuguese', 'pt'],
    ['russian', 'ru'],
    ['spanish', 'es'],
    ['swedish', 'sv'],
]);
function codeOf(language) {
    const code = languages.get(language.text.trim().toLowerCase());
    if (code !== undefined)
        return code;
    throw new Refusal(`the language ${language.text}`, language.placeOf(0), 'mock the component');
}

;// CONCATENATED MODULE: ./engine/parameters/read-table.js



function read_table_readTable(parameters, key, reader, defaults) {
    const name = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, key), reader);
    if (name === undefined) {
        throw new ParameterError(`the parameter ${key} is not set`, placeOfNode(parameters, reader));
    }
    return { ...readSchema(parameters, reader, defaults), table: name.text, place: name.placeOf(0) };
}
function readSchema(parameters, reader, defaults) {
    const written = (key) => readDefaulted((0,yaml_node/* childOf */.GG)(parameters, key), reader);
    return {
        database: written('database') ?? written('catalog') ?? defaults.database,
        schema: written('schema') ?? defaults.schema,
    };
}
function readDefaulted(node, reader) {
    const written = parameter_reader_readText(node, reader);
    const word = written?.text.trim().toLowerCase();
    if (node === undefined || written === undefined || word === '' || word === '[environment default]')
        return undefined;
    if (/^\[.*\]$/.test(word ?? '')) {
        throw new ParameterError(`${written.text} cannot be used for ${parameterOf(node, reader)}; write the name itself`, written.placeOf(0));
    }
    return written.text;
}

;// CONCATENATED MODULE: ./engine/components/find-table.js



function namedTable({ parameters, reader, dialect }, key) {
    const { database, schema, table, place } = read_table_readTable(parameters, key, reader, dialect.defaults);
    const stored = (name) => storedName(name, dialect.warehouse);
    return { database: stored(database), schema: stored(schema), table: stored(table), place };
}
function find_table_existingTable(binding, key) {
    const name = namedTable(binding, key);
    const { catalog } = binding.dialect;
    const found = catalog.find(name);
    if (found !== undefined)
        return found;
    const similar = catalog.findIgnoringCase(name);
    const hint = similar === undefined ? '' : `; there is ${tableText(similar)}: upper and lower case differ`;
    throw new SqlError(`the table ${tableText(name)} was not found${hint}`, { place: name.place });
}
function replaceableName(binding, key, kind) {
    const name = namedTable(binding, key);
    const found = binding.dialect.catalog.findIgnoringCase(name);
    if (found === undefined)
        return name;
    if (tableText(found) !== tableText(name)) {
        const both = `${tableText(name)} next to ${tableText(found)}`;
        throw new Refusal(both, name.place, 'their names differ only in upper and lower case: rename one of them');
    }
    if (found.kind === kind)
        return name;
    const message = `${tableText(name)} is a ${found.kind}: it cannot be replaced by a ${kind}`;
    throw new SqlError(message, { place: name.place });
}
function writableTable(binding, key) {
    const found = find_table_existingTable(binding, key);
    if (found.kind === 'table')
        return found;
    const { place } = namedTable(binding, key);
    throw new SqlError(`${tableText(found)} is a view: its rows cannot be changed; name a table in ${key}`, {
        place,
    });
}
function tableText({ database, schema, table }) {
    return [database, schema, table].map((part) => `"${part}"`).join('.');
}

;// CONCATENATED MODULE: ./engine/components/table-parameters.js
const tableParameters = {
    warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
    database: {
        form: 'text',
        meaning: 'the database; if it is not set, the value of catalog, or else the database of the environment',
    },
    catalog: {
        form: 'text',
        meaning: 'another name for the parameter database, which one kind of warehouse uses',
    },
    schema: { form: 'text', meaning: 'the schema; if it is not set, the schema of the environment' },
};

;// CONCATENATED MODULE: ./engine/components/create-view.js








const createView = {
    type: 'create-view',
    group: 'write',
    summary: 'Creates or replaces a view, which computes its input whenever it is read.',
    inputs: [1, 1],
    storesSql: true,
    parameters: {
        ...tableParameters,
        viewName: { form: 'text', meaning: 'the view' },
        secureView: { form: 'yes-no', meaning: 'who may see the SQL of the view', isIgnored: true },
        viewType: { form: 'choice', meaning: 'only `Standard`', choices: ['Standard'] },
    },
    bind: bindView,
};
function bindView(binding) {
    const input = onlyInput(binding);
    const target = replaceableName(binding, 'viewName', 'view');
    const view = physicalTable(target);
    const columns = input.columns.map(({ name, type }) => ({ name, type: type.name === 'NULL' ? select_list_TEXT : type }));
    const cells = columns.map((column) => {
        const { sql } = copyCell(column, { sql: 'input_1', columns });
        return `CAST(${sql} AS ${duckdbType(column.type)}) AS ${quoteName(column.name)}`;
    });
    const create = `CREATE OR REPLACE VIEW ${view} AS SELECT ${cells.join(', ')} FROM (${input.query}) AS input_1`;
    const { warehouse: kind, catalog } = binding.dialect;
    const read = kind === 'WAREHOUSE_TWO' ? catalog.all().filter(({ sql }) => sql !== view) : [];
    const needs = queryNeeds(input.query, read);
    const statements = [create, ...declareTypes(view, columns), ...declareNeeds(view, needs)];
    return {
        kind: 'write',
        target,
        definesTables: true,
        statements,
        async write(warehouse) {
            await warehouse.createSchema(target.database, target.schema);
            for (const statement of statements)
                await warehouse.run(statement);
            await refuseCycle(warehouse, view, target);
            return { rows: undefined, message: `View "${target.table}" created.` };
        },
    };
}
async function refuseCycle(warehouse, view, { table, place }) {
    try {
        await warehouse.describe(`SELECT * FROM ${view}`);
    }
    catch (error) {
        if (!(error instanceof SqlError) || !error.message.includes('infinite recursion'))
            throw error;
        throw new SqlError(`the view "${table}" would read itself: choose another viewName, or read another table`, { place });
    }
}

;// CONCATENATED MODULE: ./engine/components/fixed-flow.js










const fixedFlow = {
    type: 'fixed-flow',
    group: 'read',
    summary: 'Gives rows that the file itself has.',
    inputs: [0, 0],
    parameters: {
        columns: { form: 'typed rows', meaning: 'rows of name, type, size and decimal places' },
        values: {
            form: 'rows',
            meaning: 'the rows, a text for each column, which is converted to its type; an empty one is NULL',
        },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const place = read_cells_placeOf(binding, 'columns');
        const columns = readTypedRows((0,yaml_node/* childOf */.GG)(parameters, 'columns'), reader, dialect.warehouse).map(({ name, type }) => ({ name: storedName(name.text, dialect.warehouse), type }));
        if (columns.length === 0)
            throw new ParameterError('the parameter columns is not set', place);
        const rows = readRows((0,yaml_node/* childOf */.GG)(parameters, 'values'), reader).map((row, index) => `(${rowCells(row, index, columns, dialect).join(', ')})`);
        const given = rows.length > 0 ? rows.join(', ') : `(${columns.map(() => noText).join(', ')})`;
        const names = columns.map(({ name }) => quoteName(name)).join(', ');
        const cells = columns.map(({ name, type }) => {
            const text = { sql: `given.${quoteName(name)}`, type: select_list_TEXT };
            return {
                name,
                ...(type.name === 'VARCHAR' ? { ...text, type } : castValue(text, type, place, dialect)),
            };
        });
        const from = `FROM (VALUES ${given}) AS given(${names})${rows.length > 0 ? '' : ' WHERE FALSE'}`;
        return selectCells(cells, from, place);
    },
};
const noText = 'CAST(NULL AS VARCHAR)';
function rowCells({ cells, place, parameter }, index, columns, dialect) {
    if (cells.length !== columns.length) {
        const message = `row ${index + 1} of ${parameter} has ${(0,number_of/* numberOf */.r)(cells.length, 'value')}, but the parameter columns lists ${(0,number_of/* numberOf */.r)(columns.length, 'column')}`;
        throw new ParameterError(message, place);
    }
    return columns.map(({ type }, column) => {
        const cell = cells[column];
        if (cell === undefined || cell.text === '')
            return noText;
        const { sql } = castValue(cell.text, type, () => cell.placeOf(0), dialect);
        return type.name === 'VARCHAR' && type.length !== undefined ? sql : quoteText(cell.text);
    });
}

;// CONCATENATED MODULE: ./engine/components/generate-sequence.js






const maxRows = 10000000n;
const generateSequence = {
    type: 'generate-sequence',
    group: 'read',
    summary: 'Gives whole numbers from a start to an end.',
    inputs: [0, 0],
    parameters: {
        startValue: { form: 'number', meaning: 'the first number' },
        incrementValue: { form: 'number', meaning: 'the distance of two numbers; it may be negative' },
        endValue: { form: 'number', meaning: 'the last number, which belongs to the sequence' },
        outputColumn: { form: 'text', meaning: 'the name of the column' },
    },
    bind(binding) {
        const start = generate_sequence_wholeNumber(binding, 'startValue');
        const step = generate_sequence_wholeNumber(binding, 'incrementValue');
        const end = generate_sequence_wholeNumber(binding, 'endValue');
        const place = read_cells_placeOf(binding, 'incrementValue');
        if (step === 0n)
            throw new ParameterError('incrementValue is 0, so the sequence would not end; set it to another number', place);
        if ((end - start) / step >= maxRows) {
            throw new Refusal(`a sequence of more than ${maxRows} numbers`, read_cells_placeOf(binding, 'endValue'));
        }
        const column = storedName(requiredText(binding, 'outputColumn').text, binding.dialect.warehouse);
        const name = quoteName(column);
        const limit = end + (step > 0n ? 1n : -1n);
        const isOne = binding.dialect.warehouse === 'WAREHOUSE_ONE';
        const type = isOne ? { name: 'NUMBER', precision: 38, scale: 0 } : { name: 'BIGINT' };
        const sql = `SELECT CAST(given.number AS ${duckdbType(type)}) AS ${name} FROM range(${start}, ${limit}, ${step}) AS given(number)`;
        return {
            kind: 'rows',
            sql,
            columns: [{ name: column, type }],
        };
    },
};
function generate_sequence_wholeNumber(binding, key) {
    const written = requiredText(binding, key);
    const digits = written.text.trim();
    if (/^[+-]?\d{1,18}$/.test(digits))
        return BigInt(digits.replace(/^\+/, ''));
    throw new ParameterError(`${key}: expected a whole number, found "${written.text}"`, written.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/components/common-type.js




const related = [
    ['NUMBER', 'SMALLINT', 'INTEGER', 'BIGINT', 'FLOAT'],
    ['DATE', 'TIMESTAMP', 'TIMESTAMP_TZ'],
];
function commonColumnType(columns, isCast, place, dialect) {
    const types = columns.map(({ type }) => type).filter(({ name }) => name !== 'NULL');
    const [first = select_list_TEXT] = types;
    const other = types.find((type) => type.name !== first.name);
    if (other === undefined)
        return commonTypeOf([first, ...types], place, dialect);
    if (!isCast) {
        const both = `${describeType(first)} and ${describeType(other)}`;
        const name = columns[0]?.name ?? '';
        throw new SqlError(`the column "${name}" has the types ${both} in the inputs, and castTypes is No; set it to Yes, or convert one of them`, { place });
    }
    const isRelated = related.some((names) => types.every(({ name }) => names.includes(name)));
    return isRelated ? commonTypeOf(types, place, dialect) : select_list_TEXT;
}
function castToCommon(value, type, place, dialect) {
    if (value.type.name === type.name && type.name !== 'NUMBER')
        return { ...value, type };
    return castValue(value, type, place, dialect);
}

;// CONCATENATED MODULE: ./engine/components/is-like.js
function isLike(text, pattern) {
    const [first = [], ...others] = pattern.split('%').map((part) => Array.from(part));
    const characters = Array.from(text);
    const fits = (part, at) => at + part.length <= characters.length &&
        part.every((character, index) => character === '_' || character === characters[at + index]);
    if (!fits(first, 0))
        return false;
    const last = others.pop();
    if (last === undefined)
        return characters.length === first.length;
    let at = first.length;
    for (const part of others) {
        while (at <= characters.length && !fits(part, at))
            at += 1;
        at += part.length;
    }
    const end = characters.length - last.length;
    return end >= at && fits(last, end);
}

;// CONCATENATED MODULE: ./engine/components/multi-table-input.js













const multiTableInput = {
    type: 'multi-table-input',
    group: 'read',
    summary: 'Reads the same columns of all tables and views whose names match a pattern.',
    inputs: [0, 0],
    parameters: {
        ...tableParameters,
        patternType: { form: 'choice', meaning: 'the language of the pattern', choices: ['Like'] },
        pattern: { form: 'text', meaning: 'the names: `%` is any text and `_` any character; case counts' },
        castTypes: { form: 'yes-no', meaning: 'whether columns of one name and different types are converted' },
        addSourceTable: {
            form: 'yes-no',
            meaning: 'whether the column `source_table` follows, with the name of the table',
        },
        columns: { form: 'names', meaning: 'the columns, in the order of the output' },
    },
    bind(binding) {
        const { parameters, reader } = binding;
        const names = readNames((0,yaml_node/* childOf */.GG)(parameters, 'columns'), reader);
        const place = read_cells_placeOf(binding, 'columns');
        if (names.length === 0)
            throw new ParameterError('the parameter columns names no column: list at least one', place);
        const tables = matchingTables(binding);
        const isCast = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'castTypes'), reader, false);
        const addsTable = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'addSourceTable'), reader, false);
        const cells = names.map((name) => cellsOf(name, tables, isCast, binding));
        const parts = tables.map((table, index) => {
            const own = cells.flatMap((sameColumn) => sameColumn[index] ?? []);
            const source = { name: 'source_table', type: select_list_TEXT, sql: quoteText(table.table) };
            return selectCells(addsTable ? [...own, source] : own, `FROM ${table.sql}`, place);
        });
        const columns = parts[0]?.columns ?? [];
        const isOfTables = tables.every(({ kind }) => kind === 'table');
        return { kind: 'rows', sql: parts.map(({ sql }) => sql).join(' UNION ALL '), columns, isOfTables };
    },
};
function matchingTables(binding) {
    const pattern = namedTable(binding, 'pattern');
    if (pattern.table.includes('\\'))
        throw new Refusal('a backslash in the parameter pattern', pattern.place);
    const { catalog } = binding.dialect;
    const tables = catalog
        .list(pattern.database, pattern.schema)
        .filter(({ table }) => isLike(table, pattern.table));
    if (tables.length > 0)
        return tables;
    throw new SqlError(`no table or view has a name that matches the pattern ${tableText(pattern)} (upper and lower case count)`, { place: pattern.place });
}
function cellsOf(name, tables, isCast, { dialect }) {
    const cells = tables.map((table) => copyCell(findColumn(table.columns, name, dialect, `the table ${tableText(table)}`), table));
    const place = name.placeOf(0);
    const type = commonColumnType(cells, isCast, place, dialect);
    return cells.map((cell) => ({ name: cell.name, ...castToCommon(cell, type, place, dialect) }));
}

;// CONCATENATED MODULE: ./engine/components/table-input.js








const tableInput = {
    type: 'table-input',
    aliases: ['table-input-1', 'table-input-2'],
    group: 'read',
    summary: 'Reads columns of a table or view.',
    inputs: [0, 0],
    parameters: {
        ...tableParameters,
        targetTable: { form: 'text', meaning: 'the table or view' },
        columnNames: { form: 'names', meaning: 'the columns, in the order of the output' },
        timeOffset: { form: 'text', meaning: 'reads the past: refused where it is set' },
        offsetType: { form: 'text', meaning: 'belongs to `timeOffset`', isIgnored: true },
    },
    bind(binding) {
        const { parameters, reader } = binding;
        const offset = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'timeOffset'), reader);
        if (offset !== undefined)
            throw new Refusal('a table read at a past time', offset.placeOf(0), 'leave timeOffset empty');
        return bindTable(binding, 'targetTable');
    },
};
function bindTable(binding, key) {
    const { parameters, reader, dialect } = binding;
    const table = find_table_existingTable(binding, key);
    const names = readNames((0,yaml_node/* childOf */.GG)(parameters, 'columnNames'), reader);
    const place = placeOfNode(parameters, reader);
    if (names.length === 0)
        throw new SqlError('no columns are listed in `columnNames`', { place });
    const columns = checkColumns(names.map((name) => findColumn(table.columns, name, dialect, `the table ${tableText(table)}`)), place);
    const sql = `SELECT ${columns.map(({ name }) => quoteName(name)).join(', ')} FROM ${table.sql}`;
    return { kind: 'rows', sql, columns, isOfTables: table.kind === 'table' };
}

;// CONCATENATED MODULE: ./engine/components/stream-input.js


const streamInput = {
    type: 'stream-input-sf',
    group: 'read',
    summary: 'Reads columns of a change stream: here, a table with its rows, which stay in it.',
    inputs: [0, 0],
    parameters: {
        ...tableParameters,
        targetStream: { form: 'text', meaning: 'the stream' },
        columnNames: {
            form: 'names',
            meaning: 'the columns, in the order of the output; the stream’s own columns too if the table has them',
        },
    },
    bind: (binding) => bindTable(binding, 'targetStream'),
};

;// CONCATENATED MODULE: ./engine/components/flattening.js








const inputName = 'input_1';
function openFlattening(binding) {
    const { dialect, component } = binding;
    const { columns, sql: source } = onlyInput(binding);
    if (dialect.warehouse !== 'WAREHOUSE_ONE') {
        const place = placeOfNode(binding.parameters, binding.reader);
        throw new Refusal(`${component.type} on a warehouse of the kind ${dialect.warehouse}`, place);
    }
    const input = { sql: inputName, columns };
    const scope = new Map([[inputName, input]]);
    const joined = [];
    let names = 0;
    const fresh = (prefix) => `${prefix}_${(names += 1)}`;
    return {
        inputCells: columns.map((column) => copyCell(column, input)),
        column: ({ name }) => `"${inputName}".${quoteName(name)}`,
        flatten(value, options) {
            const { sql, type } = translateExpression(value, scope, dialect);
            if (type.name !== 'VARIANT') {
                const [, column] = /"\."((?:[^"]|"")+)"$/.exec(value.text) ?? [];
                const of = column === undefined ? '' : `: the column "${column.replaceAll('""', '"')}"`;
                const message = `only a VARIANT can be flattened, and this value has the type ${type.name}${of}`;
                throw new SqlError(message, { place: value.placeOf(0) });
            }
            const own = fresh('flatten');
            joined.push(`, ${flattenSql(sql, options, fresh)} AS ${own}`);
            scope.set(own, { sql: own, columns: FLATTEN_COLUMNS });
            return `"${own}"."VALUE"`;
        },
        cell(name, value, type, isTry) {
            const translated = translateExpression(value, scope, dialect);
            return { name, ...castValue(translated, type, value.placeOf(0), dialect, isTry) };
        },
        from: () => `FROM ${source} AS ${inputName}${joined.join('')}`,
    };
}

;// CONCATENATED MODULE: ./engine/components/extract-nested-data.js













const extractNestedData = {
    type: 'extract-nested-data-sf',
    group: 'nested',
    summary: 'Makes columns of the values inside semi-structured columns, and rows of the items of arrays.',
    inputs: [1, 1],
    parameters: {
        includeInputColumns: includeInputColumns,
        columns: {
            form: 'tree',
            meaning: 'the elements, each with `name` (the key), `datatype`, `size`, `decimalPlaces`, `columnName`, `aliasName`, `isArray`, `include` and `childElements`; the child `element` or `<name>-element` of an array is its item',
        },
        outerJoin: { form: 'yes-no', meaning: 'whether a row without items stays, with NULLs' },
        castingMethod: {
            form: 'choice',
            meaning: 'what happens to a value that is not of its type',
            choices: ['Fail on invalid data', 'Replace all unparseable values with null'],
        },
        caseColumnAliasNames: { form: 'choice', meaning: 'only `No`', choices: ['No', 'False'] },
        inputAlias: { form: 'text', meaning: 'the name of the input in SQL', isIgnored: true },
        arrayPrefix: { form: 'text', meaning: 'the names of the arrays in SQL', isIgnored: true },
    },
    bind: bindTree,
};
function bindTree(binding) {
    const { parameters, reader } = binding;
    const flattening = openFlattening(binding);
    const method = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'castingMethod'), reader)?.text.trim().toLowerCase();
    const extraction = {
        binding,
        flattening,
        isOuter: readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'outerJoin'), reader, false),
        isTry: method?.startsWith('replace') === true,
    };
    const extracted = (0,yaml_node/* itemsOf */.S3)((0,yaml_node/* childOf */.GG)(parameters, 'columns')).flatMap((element) => {
        const column = findInputColumn(fieldOf(element, 'columnName', binding), onlyInput(binding), binding.dialect);
        return extract(element, { value: flattening.column(column), steps: [] }, extraction);
    });
    const place = read_cells_placeOf(binding, 'columns');
    if (extracted.length === 0)
        throw new ParameterError('no element is included: set `include` of at least one to Yes', place);
    const before = includesInput(binding) ? flattening.inputCells : [];
    return selectCells(replaceCells(before, extracted), flattening.from(), place);
}
const fields = new Set([
    'name',
    'datatype',
    'size',
    'decimalPlaces',
    'columnName',
    'aliasName',
    'isArray',
    'include',
    'childElements',
]);
function extract(element, parent, extraction, array) {
    const { binding, flattening, isOuter, isTry } = extraction;
    refuseUnknown(element, binding);
    const name = fieldOf(element, 'name', binding);
    const isItem = array !== undefined && [`${array}-element`, 'element'].includes(name.text);
    const position = isItem ? parent : { ...parent, steps: [...parent.steps, name.text] };
    const value = fixedText(valueText(position), name.placeOf(0));
    const isArray = flagOf(element, 'isArray', binding);
    const isIncluded = flagOf(element, 'include', binding);
    const type = isIncluded ? extract_nested_data_typeOf(element, binding) : undefined;
    const own = type === undefined
        ? []
        : [flattening.cell(fieldOf(element, 'aliasName', binding).text, value, type, isTry)];
    const inner = isArray
        ? { value: flattening.flatten(value, { isOuter, mode: 'BOTH' }), steps: [] }
        : position;
    const children = (0,yaml_node/* itemsOf */.S3)((0,yaml_node/* childOf */.GG)(element, 'childElements'));
    return [
        ...own,
        ...children.flatMap((child) => extract(child, inner, extraction, isArray ? name.text : undefined)),
    ];
}
function valueText({ value, steps }) {
    return value + steps.map((step, index) => `${index === 0 ? ':' : '.'}${quoteName(step)}`).join('');
}
function extract_nested_data_typeOf(element, binding) {
    const cell = (key) => parameter_reader_readText((0,yaml_node/* childOf */.GG)(element, key), binding.reader);
    const cells = {
        type: fieldOf(element, 'datatype', binding),
        size: cell('size'),
        precision: cell('decimalPlaces'),
    };
    return readType(cells, binding.dialect.warehouse);
}
function fieldOf(element, key, { reader }) {
    const written = parameter_reader_readText((0,yaml_node/* childOf */.GG)(element, key), reader);
    if (written !== undefined)
        return written;
    throw new ParameterError(`an element of ${parameterOf(element, reader)} has no \`${key}\``, placeOfNode(element, reader));
}
function flagOf(element, key, { reader }) {
    return readYesNo((0,yaml_node/* childOf */.GG)(element, key), reader, false);
}
function refuseUnknown(element, { reader }) {
    if (element.kind !== 'map') {
        throw new ParameterError(`expected an element with name, datatype, … in ${parameterOf(element, reader)}, found a ${element.kind}`, placeOfNode(element, reader));
    }
    for (const [key, { value }] of element.entries) {
        if (!fields.has(key))
            throw new Refusal(`\`${key}\` of an element`, placeOfNode(value, reader));
    }
}

;// CONCATENATED MODULE: ./engine/components/conditions.js








const operators = {
    'equal to': '=',
    'less than': '<',
    'less than or equal to': '<=',
    'greater than': '>',
    'greater than or equal to': '>=',
    like: 'LIKE',
};
function conditionsSql(conditions, combination, scope) {
    return combinedSql(conditions.map((condition) => conditionSql(condition, scope)), combination);
}
function combinedSql(all, combination) {
    if (all.length === 0)
        return undefined;
    return `(${all.join(combination === 'and' ? ' AND ' : ' OR ')})`;
}
function conditionSql(condition, scope) {
    const { dialect, relation, of } = scope;
    const column = findColumn(relation.columns, condition.column, dialect, of);
    const test = testOf(condition, column, scope);
    const place = condition.column.placeOf(0);
    const parts = condition.isNegated ? [fixedText('NOT (', place), test, fixedText(')', place)] : [test];
    return `(${translateExpression(source_text_joinTexts(parts), new Map([['', relation]]), dialect).sql})`;
}
function testOf(condition, column, scope) {
    const { comparator, value } = condition;
    const place = condition.column.placeOf(0);
    const name = quoteName(column.name);
    const operator = operators[comparator];
    if (operator === undefined || value === undefined)
        return fixedText(emptyTest(comparator, column), place);
    const isText = column.type.name === 'VARCHAR' || comparator === 'like';
    const compared = isText ? textValue(value, column, scope) : otherValue(value, column, scope);
    return source_text_joinTexts([fixedText(`${name} ${operator} (`, place), compared, fixedText('\n)', place)]);
}
function emptyTest(comparator, { name, type }) {
    const quoted = quoteName(name);
    if (comparator === 'null')
        return `${quoted} IS NULL`;
    const canBeBlank = type.name === 'VARCHAR' || type.name === 'VARIANT';
    if (comparator === 'blank') {
        return canBeBlank ? `CAST(${quoted} AS VARCHAR) = ''` : `CASE WHEN ${quoted} IS NOT NULL THEN FALSE END`;
    }
    return canBeBlank ? `(${quoted} IS NULL OR CAST(${quoted} AS VARCHAR) = '')` : `${quoted} IS NULL`;
}
function textValue(value, column, scope) {
    const { dialect, relation } = scope;
    if (isQuoted(value.text, dialect))
        return value;
    const word = storedName(value.text.trim(), dialect.warehouse);
    if (word !== column.name && relation.columns.some(({ name }) => name === word)) {
        scope.notice(`the column "${column.name}" is compared with the text "${word}", although the input has a column of this name`);
    }
    const literal = textLiteral(value.text, dialect.warehouse);
    if (literal !== undefined)
        return fixedText(literal, value.placeOf(0));
    throw new Refusal(`the text ${JSON.stringify(value.text)} in a condition`, value.placeOf(0));
}
function isQuoted(text, { warehouse }) {
    const pattern = warehouse === 'WAREHOUSE_ONE' ? /^\s*'(?:[^'\\]|''|\\[\s\S])*'\s*$/ : /^\s*'(?:[^']|'')*'\s*$/;
    return pattern.test(text);
}
const conditions_isoDate = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z| ?[+-]\d{2}:?\d{2})?)?$/;
function otherValue(value, { name: compared, type }, { relation, dialect }) {
    const written = value.text.trim();
    const place = value.placeOf(0);
    if (written === '') {
        const message = `the condition on the column "${compared}" has no value; to find NULL, use the comparator Null`;
        throw new ParameterError(message, place);
    }
    if (conditions_isoDate.test(written))
        return fixedText(`'${written}'`, place);
    if (type.name === 'BOOLEAN' && /^(?:true|false)$/i.test(written))
        return fixedText(written, place);
    const column = relation.columns.find(({ name }) => name === storedName(written, dialect.warehouse));
    if (column !== undefined)
        return fixedText(quoteName(column.name), place);
    translateExpression(value, new Map([['', relation]]), dialect);
    return value;
}

;// CONCATENATED MODULE: ./engine/components/filter.js






const filter = {
    type: 'filter',
    group: 'row',
    summary: 'Keeps the rows for which conditions hold.',
    inputs: [1, 1],
    parameters: {
        mode: { form: 'choice', meaning: 'only `Basic` is known', choices: ['Basic'] },
        filterConditions: {
            form: 'conditions',
            meaning: 'rows of column, `Is` or `Not`, comparator and value; without rows, all rows are kept',
        },
        combineCondition: {
            form: 'choice',
            meaning: 'whether all conditions must hold or one of them',
            choices: ['And', 'Or'],
        },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const conditions = readConditions((0,yaml_node/* childOf */.GG)(parameters, 'filterConditions'), reader);
        const scope = {
            relation: input,
            of: `the input "${input.name}"`,
            dialect,
            notice: (text) => binding.notice(text),
        };
        const all = conditions.map((condition) => conditionSql(condition, scope));
        const where = combinedSql(all, readCombination((0,yaml_node/* childOf */.GG)(parameters, 'combineCondition'), reader));
        const cells = input.columns.map((column) => copyCell(column, input));
        const rest = `FROM ${input.sql}${where === undefined ? '' : ` WHERE ${where}`}`;
        const written = conditions.map(({ column, value = column }, index) => ({
            source: value,
            sql: `SELECT ${all[index] ?? 'NULL'} FROM ${input.sql}`,
        }));
        return { ...selectCells(cells, rest, placeOfNode(parameters, reader)), written };
    },
};

;// CONCATENATED MODULE: ./engine/components/flatten-variant.js












const flattenVariant = {
    type: 'flatten-variant',
    group: 'nested',
    summary: 'Makes columns of the properties of semi-structured columns, and rows of the items of arrays or objects.',
    inputs: [1, 1],
    parameters: {
        includeInputColumns: includeInputColumns,
        columnMapping: {
            form: 'rows',
            meaning: 'in each row: a column, or the alias of a row of `columnFlattens`; a property of it (empty: the whole value); its type; the name of the output column',
        },
        columnFlattens: {
            form: 'rows',
            meaning: 'in each row: a column, or the alias of an earlier row; a property of it (empty: the whole value); the alias of its items; whether rows without items stay; recursive (only `No` is supported); what is flattened: Both, Array or Object',
        },
    },
    bind: bindFlatten,
};
function bindFlatten(binding) {
    const { parameters, reader } = binding;
    const flattening = openFlattening(binding);
    const items = new Map();
    for (const row of readRows((0,yaml_node/* childOf */.GG)(parameters, 'columnFlattens'), reader)) {
        flatten(binding, row, flattening, items);
    }
    const mapped = requiredRows(binding, 'columnMapping').map((row) => flatten_variant_cellOf(binding, row, flattening, items));
    const replaced = new Set(mapped.map(({ name }) => name));
    const before = includesInput(binding)
        ? flattening.inputCells.filter(({ name }) => !replaced.has(name))
        : [];
    return selectCells([...before, ...mapped], flattening.from(), read_cells_placeOf(binding, 'columnMapping'));
}
function flatten(binding, row, flattening, items) {
    const [, , , outer, recursive, mode] = row.cells;
    const alias = requiredCell(row, 2, 'alias');
    if (items.has(alias.text) || onlyInput(binding).columns.some(({ name }) => name === alias.text)) {
        const message = `the alias "${alias.text}" in ${row.parameter} is the name of a column or of another row; choose another alias`;
        throw new SqlError(message, { place: alias.placeOf(0) });
    }
    if (isYes(recursive, row)) {
        const hint = `set the fifth cell of the row of ${row.parameter} to No`;
        throw new Refusal('a recursive flattening', recursive?.placeOf(0) ?? row.place, hint);
    }
    const value = flatten_variant_valueOf(binding, row, flattening, items);
    items.set(alias.text, flattening.flatten(value, { isOuter: isYes(outer, row), mode: flatten_variant_modeOf(mode) }));
}
function isYes(cell, { parameter }) {
    const word = cell?.text.trim().toLowerCase() ?? '';
    if (['', 'no', 'false'].includes(word))
        return false;
    if (['yes', 'true'].includes(word) || cell === undefined)
        return true;
    throw new ParameterError(`expected Yes or No in ${parameter}, found "${cell.text}"`, cell.placeOf(0));
}
function flatten_variant_modeOf(cell) {
    const word = cell?.text.trim().toUpperCase() ?? '';
    if (cell === undefined || word === '')
        return 'BOTH';
    const known = FLATTEN_MODES.find((each) => each === word);
    if (known !== undefined)
        return known;
    throw new Refusal(`the mode ${cell.text}`, cell.placeOf(0), 'use Both, Array or Object');
}
function flatten_variant_cellOf(binding, row, flattening, items) {
    const [column, property, , alias] = row.cells;
    const type = readType({ type: requiredCell(row, 2, 'type') }, binding.dialect.warehouse);
    const names = [alias, property, column].map((cell) => cell?.text ?? '');
    const name = names.find((each) => each !== '') ?? '';
    return flattening.cell(name, flatten_variant_valueOf(binding, row, flattening, items), type);
}
const path = /^(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"\\]+")(?:\.(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"\\]+")|\[\d+\])*$/u;
function flatten_variant_valueOf(binding, row, flattening, items) {
    const column = requiredCell(row, 0, 'column');
    const item = items.get(column.text);
    const value = item ?? flattening.column(findInputColumn(column, onlyInput(binding), binding.dialect));
    const property = row.cells[1]?.text.trim() ?? '';
    if (property === '')
        return fixedText(value, column.placeOf(0));
    const place = row.cells[1]?.placeOf(0) ?? row.place;
    if (path.test(property))
        return fixedText(`${value}:${property}`, place);
    throw new Refusal(`the property ${JSON.stringify(property)}`, place, 'put a key in double quotes');
}

;// CONCATENATED MODULE: ./engine/components/join.js







const join_join = {
    type: 'join',
    group: 'combine',
    summary: 'Joins its inputs one after the other, each by an expression.',
    inputs: [1, 100],
    parameters: {
        mainTable: { form: 'text', meaning: 'the component that the others are joined to' },
        mainTableAlias: { form: 'text', meaning: 'its name in expressions' },
        joins: { form: 'rows', meaning: 'component, name in expressions, and Inner, Left, Right or Full' },
        joinExpressions: { form: 'rows', meaning: 'expression, and its name `<main alias>_<type>_<alias>`' },
        columnMappings: { form: 'rows', meaning: '`alias.column`, and the name of the output column' },
    },
    bind: bindJoin,
};
const join_words = new Map([
    ['inner', 'INNER'],
    ['left', 'LEFT'],
    ['right', 'RIGHT'],
    ['full', 'FULL'],
]);
function bindJoin(binding) {
    const main = requiredText(binding, 'mainTableAlias');
    const first = join_sideOf(binding, requiredText(binding, 'mainTable'), main, []);
    const sides = [first];
    const rows = requiredRows(binding, 'joins');
    const expressions = expressionsOf(binding, main, rows);
    const joined = rows.map((row, index) => {
        const type = requiredCell(row, 2, 'type of join');
        const word = join_words.get(type.text.trim().toLowerCase());
        if (word === undefined) {
            throw new Refusal(`the join ${type.text}`, type.placeOf(0), 'use Inner, Left, Right or Full');
        }
        const component = requiredCell(row, 0, 'component');
        const side = join_sideOf(binding, component, requiredCell(row, 1, 'alias'), sides);
        sides.push(side);
        const scopes = [scopeOf(sides.slice(0, -1)), scopeOf([side])];
        const expression = expressions[index];
        if (expression === undefined)
            throw new Error('a join has no expression');
        return { word, side, expression, on: translateJoin(word, expression, scopes, binding.dialect) };
    });
    const cells = requiredRows(binding, 'columnMappings').map((row) => join_cellOf(binding, row, sides));
    const { tables, nameOf } = repeatedInputs(sides);
    const joins = joined.map(({ word, side, on }) => ` ${word} JOIN ${nameOf(side)} AS ${side.sql} ON ${on}`);
    const from = `FROM ${nameOf(first)} AS ${first.sql}${joins.join('')}`;
    const { sql, columns } = selectCells(cells, from, read_cells_placeOf(binding, 'columnMappings'));
    const written = joined.map(({ expression }, index) => ({
        source: expression,
        sql: `${tables}SELECT 1 FROM ${nameOf(first)} AS ${first.sql}${joins.slice(0, index + 1).join('')}`,
    }));
    return { kind: 'rows', sql: tables + sql, columns, written };
}
function scopeOf(sides) {
    return new Map(sides.map(({ alias, input, sql }) => [alias.text, { sql, columns: input.columns }]));
}
function repeatedInputs(sides) {
    const repeated = sides.filter((side) => sides.find(({ input }) => input === side.input) !== side);
    const names = new Map(repeated.map(({ input }, index) => [input, `repeated_${index + 1}`]));
    const list = [...names].map(([input, name]) => `${name} AS MATERIALIZED (SELECT * FROM ${input.sql})`);
    return {
        tables: list.length === 0 ? '' : `WITH ${list.join(', ')} `,
        nameOf: ({ input }) => names.get(input) ?? input.sql,
    };
}
function join_sideOf(binding, component, alias, before) {
    const { warehouse } = binding.dialect;
    const stored = storedName(alias.text, warehouse);
    if (before.some((side) => storedName(side.alias.text, warehouse) === stored)) {
        throw new SqlError(`two inputs have the alias "${alias.text}": change one in joins or mainTableAlias`, {
            place: alias.placeOf(0),
        });
    }
    return { alias, input: findInput(binding, component), sql: `input_${before.length + 1}` };
}
function expressionsOf(binding, main, joins) {
    const rows = requiredRows(binding, 'joinExpressions');
    const names = joins.map(({ cells: [, alias, type] }) => `${main.text}_${type?.text ?? ''}_${alias?.text ?? ''}`);
    const named = names.map((name) => rows.find(({ cells }) => cells[1]?.text.trim().toLowerCase() === name.toLowerCase()));
    const used = joins.map((joined, index) => {
        const row = named[index] ?? rows[index];
        const isOther = named.some((other, position) => position !== index && other === row);
        if (row === undefined || isOther) {
            throw new ParameterError(`the join of "${joined.cells[1]?.text ?? ''}" has no row in joinExpressions: add one with its expression`, joined.place);
        }
        return row;
    });
    const stray = rows.find((row) => !used.includes(row));
    if (stray !== undefined)
        throw new ParameterError(`this row of joinExpressions belongs to no join, or its join has another row: delete it, or name it in its second cell as one of ${names.map((name) => `"${name}"`).join(', ')}`, stray.place);
    return used.map((row) => requiredCell(row, 0, 'expression'));
}
function join_cellOf(binding, row, sides) {
    const { dialect } = binding;
    const from = requiredCell(row, 0, 'column');
    const dot = from.text.indexOf('.');
    if (dot < 0) {
        const message = `expected alias.column in ${row.parameter}, found "${from.text}"`;
        throw new ParameterError(message, from.placeOf(0));
    }
    const wanted = storedName(from.text.slice(0, dot), dialect.warehouse);
    const side = sides.find(({ alias }) => storedName(alias.text, dialect.warehouse) === wanted);
    if (side === undefined) {
        const known = sides.map(({ alias }) => `"${alias.text}"`).join(', ');
        throw new SqlError(`no input has the alias "${wanted}"; there are ${known}`, { place: from.placeOf(0) });
    }
    const name = {
        text: from.text.slice(dot + 1),
        placeOf: (offset) => from.placeOf(dot + 1 + offset),
    };
    const column = findColumn(side.input.columns, name, dialect, `"${side.alias.text}"`);
    const output = storedName(requiredCell(row, 1, 'output column').text, dialect.warehouse);
    return copyCell(column, { ...side, columns: side.input.columns }, output);
}

;// CONCATENATED MODULE: ./engine/components/map-values.js










const mapValues = {
    type: 'map-values',
    group: 'column',
    summary: 'Adds a column with the text of the first condition that holds.',
    inputs: [1, 1],
    parameters: {
        valueMap: {
            form: 'conditions',
            meaning: 'rows of column, `Is` or `Not`, comparator, value, and the text',
        },
        columnName: {
            form: 'text',
            meaning: 'the name of the column; the name of an input column replaces it in its place',
        },
        other: { form: 'text', meaning: 'the text where no condition holds; NULL where it is not set' },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const scope = {
            relation: input,
            of: `the input "${input.name}"`,
            dialect,
            notice: (message) => binding.notice(message),
        };
        const branches = readConditions((0,yaml_node/* childOf */.GG)(parameters, 'valueMap'), reader).map((condition) => {
            const [text] = condition.more;
            if (text !== undefined)
                return ` WHEN ${conditionSql(condition, scope)} THEN ${quoteText(text.text)}`;
            const message = 'a row of valueMap has no text for the new column: add it as the fifth cell';
            throw new ParameterError(message, condition.row.place);
        });
        const place = read_cells_placeOf(binding, 'valueMap');
        if (branches.length === 0)
            throw new ParameterError('the parameter valueMap is not set', place);
        const other = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'other'), reader);
        const otherwise = other === undefined ? '' : ` ELSE ${quoteText(other.text)}`;
        const name = storedName(requiredText(binding, 'columnName').text, dialect.warehouse);
        const mapped = valueCell(name, { sql: `CASE${branches.join('')}${otherwise} END`, type: select_list_TEXT });
        const cells = input.columns.map((column) => copyCell(column, input));
        return selectCells(replaceCells(cells, [mapped]), `FROM ${input.sql}`, place);
    },
};

;// CONCATENATED MODULE: ./engine/components/rename.js








const rename = {
    type: 'rename',
    group: 'column',
    summary: 'Renames columns; without the other input columns, it also selects and orders them.',
    inputs: [1, 1],
    parameters: {
        columnMapping: { form: 'rows', meaning: 'rows of an input column and its new name' },
        includeInputColumns: {
            ...includeInputColumns,
            meaning: 'whether the output has the other columns of the input too; all columns then keep their places; `No` where not set',
        },
    },
    bind(binding) {
        const { parameters, reader } = binding;
        const input = onlyInput(binding);
        const renamed = readMapping(binding, input);
        const place = placeOfNode(parameters, reader);
        const cells = includesOthers(binding)
            ? input.columns.map((column) => renamed.find(({ before }) => before === column.name) ?? copyCell(column, input))
            : renamed;
        return selectCells(cells, `FROM ${input.sql}`, place);
    },
};
function includesOthers({ parameters, reader }) {
    return readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'includeInputColumns'), reader, false);
}
function readMapping(binding, input) {
    const { dialect } = binding;
    const renamed = [];
    for (const row of requiredRows(binding, 'columnMapping')) {
        const [name, newName] = readPair(row, 'column', 'new name');
        const column = findInputColumn(name, input, dialect);
        if (includesOthers(binding) && renamed.some(({ before }) => before === column.name)) {
            throw new Refusal(`two new names for "${column.name}"`, name.placeOf(0), 'keep one row of it in columnMapping');
        }
        const cell = copyCell(column, input, storedName(newName.text, dialect.warehouse));
        renamed.push({ ...cell, before: column.name });
    }
    return renamed;
}

;// CONCATENATED MODULE: ./engine/components/split-field.js











const splitField = {
    type: 'split-field',
    group: 'column',
    summary: 'Adds columns with the parts of a text.',
    inputs: [1, 1],
    parameters: {
        inputColumn: { form: 'text', meaning: 'the column that is split' },
        delimiter: { form: 'text', meaning: 'the text between two parts' },
        outputColumns: {
            form: 'rows',
            meaning: 'rows of the number of a part, from 0, and the name of its column; a missing part is an empty text',
        },
        includeInputColumn: { form: 'yes-no', meaning: 'whether the output has the column that is split too' },
    },
    bind(binding) {
        const input = onlyInput(binding);
        const split = findInputColumn(requiredText(binding, 'inputColumn'), input, binding.dialect);
        const isKept = includesInput(binding, 'includeInputColumn');
        const copied = input.columns
            .filter((column) => isKept || column !== split)
            .map((column) => copyCell(column, input));
        const parts = readParts(binding, input, split.name);
        return selectCells([...copied, ...parts], `FROM ${input.sql}`, read_cells_placeOf(binding, 'outputColumns'));
    },
};
function readParts(binding, input, column) {
    const { dialect } = binding;
    const delimiter = requiredText(binding, 'delimiter');
    const literal = textLiteral(delimiter.text, dialect.warehouse);
    if (literal === undefined) {
        throw new Refusal(`the delimiter ${JSON.stringify(delimiter.text)}`, delimiter.placeOf(0));
    }
    return requiredRows(binding, 'outputColumns').map((row) => {
        const [index, name] = readPair(row, 'number', 'output column');
        if (!/^\d{1,6}$/.test(index.text.trim())) {
            const message = `expected the number of a part, from 0, in ${row.parameter}, found "${index.text}"`;
            throw new ParameterError(message, index.placeOf(0));
        }
        const call = `SPLIT_PART(${quoteName(column)}, ${literal}, ${Number(index.text) + 1})`;
        const value = translateExpression(fixedText(call, index.placeOf(0)), new Map([['', input]]), dialect);
        return valueCell(storedName(name.text, dialect.warehouse), value);
    });
}

;// CONCATENATED MODULE: ./engine/components/sql.js




const sql = {
    type: 'sql',
    group: 'free SQL',
    summary: 'Runs a query; `$T{Component Name}` means the rows of a source.',
    inputs: [0, 100],
    parameters: {
        query: {
            form: 'text',
            meaning: 'one SELECT, which may begin with WITH; names without quotes become upper case (WAREHOUSE_ONE) or lower case (WAREHOUSE_TWO), also in the output',
        },
    },
    bind(binding) {
        const source = requiredText(binding, 'query');
        const query = translateQuery(source, binding.dialect);
        const cells = query.columns.map(({ name, type }) => valueCell(name, { sql: `query.${quoteName(name)}`, type }));
        const rows = selectCells(cells, `FROM (${query.sql}) AS query`, read_cells_placeOf(binding, 'query'));
        return { ...rows, written: [{ source, sql: query.sql }] };
    },
};

;// CONCATENATED MODULE: ./engine/components/write-text.js
function rowsText(count, { table }) {
    return `${count} ${count === 1 ? 'row' : 'rows'} written to "${table}".`;
}

;// CONCATENATED MODULE: ./engine/components/rewrite-table.js









const summary = 'Replaces a table, with its columns, by its input.';
const orderBy = {
    form: 'rows',
    meaning: 'columns with their directions: the order in which the table stores the rows',
};
const rewriteTable = {
    type: 'rewrite-table',
    group: 'write',
    summary,
    inputs: [1, 1],
    parameters: { ...tableParameters, targetTable: { form: 'text', meaning: 'the table' }, orderBy },
    bind: (binding) => bindRewrite(binding, 'targetTable'),
};
const rewriteTableOfCatalog = {
    type: 'rewrite-table-dl',
    group: 'write',
    summary,
    inputs: [1, 1],
    parameters: { ...tableParameters, table: { form: 'text', meaning: 'the table' }, orderBy },
    bind: (binding) => bindRewrite(binding, 'table'),
};
function bindRewrite(binding, key) {
    const input = onlyInput(binding);
    const { parameters, dialect } = binding;
    const target = replaceableName(binding, key, 'table');
    const columns = input.columns.map(storedColumn);
    const cells = columns.map(({ name, type }) => `CAST(${quoteName(name)} AS ${duckdbType(type)}) AS ${quoteName(name)}`);
    const order = orderByClause(orderTerms((0,yaml_node/* childOf */.GG)(parameters, 'orderBy'), input, binding));
    const rows = `SELECT ${cells.join(', ')} FROM (${input.query})${order}`;
    const table = physicalTable(target);
    const statements = replaceTableSql(table, rows, rewrite_table_limitsOf(table, columns, dialect.warehouse));
    return {
        kind: 'write',
        target,
        definesTables: true,
        statements,
        async write(warehouse) {
            await warehouse.createSchema(target.database, target.schema);
            const [create = '', ...others] = statements;
            const { rows: created } = await warehouse.query(create, { maxRows: 1 });
            for (const statement of others)
                await warehouse.run(statement);
            const count = Number(created[0]?.[0]);
            return { rows: count, message: rowsText(count, target) };
        },
    };
}
function storedColumn({ name, type }) {
    return { name, type: type.name === 'NULL' ? { name: 'VARCHAR', length: undefined } : type };
}
function rewrite_table_limitsOf(table, columns, kind) {
    const isLimited = columns.some(({ type }) => type.name === 'VARCHAR' && type.length !== undefined);
    return {
        definitions: isLimited ? columns.map((column) => columnDefinition(column, kind)) : undefined,
        afterwards: declareTypes(table, columns),
    };
}

;// CONCATENATED MODULE: ./engine/components/target-columns.js







function targetColumns(binding, key, given) {
    const { input, rows, target, isCast = false } = given;
    const { dialect } = binding;
    const seen = new Set();
    return requiredRows(binding, key).map((row) => {
        const from = requiredCell(row, 0, 'input column');
        const to = requiredCell(row, 1, 'target column');
        const value = copyCell(findColumn(input.columns, from, dialect, `the input "${input.name}"`), {
            sql: rows,
            columns: input.columns,
        });
        const column = findColumn(target.columns, to, dialect, `the table ${tableText(target)}`);
        if (seen.has(column.name)) {
            const message = `the target column "${column.name}" is mapped twice in ${row.parameter}; remove one of the rows`;
            throw new SqlError(message, { place: to.placeOf(0) });
        }
        seen.add(column.name);
        const place = from.placeOf(0);
        const stored = isCast && value.type.name !== column.type.name
            ? castValue(value, withoutLength(column), place, dialect).sql
            : storeValue(value, column, place, dialect);
        return { name: quoteName(column.name), value: stored };
    });
}
function withoutLength({ type }) {
    return type.name === 'VARCHAR' ? select_list_TEXT : type;
}

;// CONCATENATED MODULE: ./engine/components/table-output.js








const tableOutput = {
    type: 'table-output',
    group: 'write',
    summary: 'Inserts its input into a table that exists.',
    inputs: [1, 1],
    parameters: {
        ...tableParameters,
        targetTable: { form: 'text', meaning: 'the table' },
        fixDataTypeMismatches: {
            form: 'yes-no',
            meaning: 'whether to cast values to the types of the table; otherwise INSERT converts them',
        },
        columnMapping: {
            form: 'rows',
            meaning: 'input column and target column; the others get their default or NULL',
        },
        orderBy: { form: 'rows', meaning: 'columns and directions; the order of the new rows' },
        outputMode: {
            form: 'choice',
            meaning: '`Append` keeps the rows of the table, `Truncate` removes them first',
            choices: ['Append', 'Truncate'],
        },
    },
    bind: bindOutput,
};
function bindOutput(binding) {
    const { parameters, reader } = binding;
    const input = onlyInput(binding);
    const target = writableTable(binding, 'targetTable');
    const isCast = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'fixDataTypeMismatches'), reader, false);
    const columns = targetColumns(binding, 'columnMapping', { input, rows: 'input_1', target, isCast });
    const order = orderByClause(orderTerms((0,yaml_node/* childOf */.GG)(parameters, 'orderBy'), input, binding));
    const names = columns.map(({ name }) => name).join(', ');
    const values = columns.map(({ value }) => value).join(', ');
    const insert = `INSERT INTO ${target.sql} (${names}) SELECT ${values} FROM (${input.query}) AS input_1${order}`;
    const mode = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'outputMode'), reader)?.text.trim().toLowerCase();
    const statements = mode === 'truncate' ? [`DELETE FROM ${target.sql}`, insert] : [insert];
    return {
        kind: 'write',
        target,
        definesTables: false,
        statements,
        async write(warehouse) {
            let rows = 0;
            for (const statement of statements)
                rows = await warehouse.run(statement);
            return { rows, message: rowsText(rows, target) };
        },
    };
}

;// CONCATENATED MODULE: ./engine/components/table-update.js












const tableUpdate = {
    type: 'table-update',
    group: 'write',
    summary: 'Updates, deletes and inserts rows of a table by the rows of its input.',
    inputs: [1, 1],
    parameters: {
        ...tableParameters,
        targetTable: { form: 'text', meaning: 'the table' },
        targetAlias: { form: 'text', meaning: 'its name in expressions' },
        sourceAlias: { form: 'text', meaning: 'the name of the input in expressions' },
        joinExpression: {
            form: 'rows',
            meaning: 'the condition that a row of the input matches one of the table',
        },
        whenMatched: {
            form: 'rows',
            meaning: 'conditions with `Update` or `Delete`; of a row that matches, the first that holds applies',
        },
        updateMapping: { form: 'rows', meaning: 'input column and target column of an update' },
        includeNotMatched: {
            form: 'yes-no',
            meaning: 'whether rows of the input that match no row are inserted',
        },
        insertMapping: { form: 'rows', meaning: 'input column and target column of an insert' },
    },
    bind: bindUpdate,
};
const target = 'target_1';
const source = 'source_1';
const copy = 'temp.main.millrace_source';
function bindUpdate(binding) {
    const input = onlyInput(binding);
    const table = writableTable(binding, 'targetTable');
    const scope = table_update_scopeOf(binding, input, table);
    const joined = joinExpression(binding);
    const on = translateCondition(joined, scope, binding.dialect);
    const branches = branchesOf(binding, scope);
    const actions = [
        ...branches.map((branch) => matchedText(binding, branch, { input, table })),
        ...table_update_insertText(binding, { input, table }),
    ];
    if (actions.length === 0) {
        const place = read_cells_placeOf(binding, 'whenMatched');
        throw new SqlError('the component would neither update, delete nor insert rows: set whenMatched or includeNotMatched', { place });
    }
    const merge = (rows) => `MERGE INTO ${table.sql} AS ${target} USING ${rows} AS ${source} ON ${on}${actions.join('')}`;
    const counts = countsSql(table, on, branches);
    const statements = counts === undefined
        ? [merge(`(${input.query})`)]
        : [
            `CREATE OR REPLACE TEMP TABLE millrace_source AS ${input.query}`,
            counts,
            merge(copy),
            `DROP TABLE ${copy}`,
        ];
    const place = read_cells_placeOf(binding, 'joinExpression');
    return {
        kind: 'write',
        target: table,
        definesTables: false,
        statements,
        written: writtenSql(joined, branches, `${table.sql} AS ${target} JOIN (${input.query}) AS ${source} ON ${on}`),
        write: (warehouse) => table_update_write(warehouse, statements, table, place),
    };
}
async function table_update_write(warehouse, statements, table, place) {
    const [first = '', counts, merge, drop] = statements;
    const changed = await warehouse.run(first);
    if (counts === undefined || merge === undefined || drop === undefined) {
        return written({ inserted: changed, updated: 0, deleted: 0 }, table);
    }
    const { rows } = await warehouse.query(counts, { maxRows: 1 });
    const [doubled = 0, updated = 0, deleted = 0, deletions = 0] = (rows[0] ?? []).map(Number);
    if (doubled > 0) {
        const what = doubled === 1 ? 'row of the table matches' : 'rows of the table match';
        throw new SqlError(`${doubled} ${what} several rows of the input, so it is not clear which one applies; make the join expression match one`, {
            place,
        });
    }
    const all = await warehouse.run(merge);
    await warehouse.run(drop);
    return written({ inserted: all - updated - deletions, updated, deleted }, table);
}
function written({ inserted, updated, deleted }, { table }) {
    const rows = inserted === 1 ? 'row' : 'rows';
    return {
        rows: inserted + updated + deleted,
        message: `${inserted} ${rows} inserted, ${updated} updated, ${deleted} deleted in "${table}".`,
    };
}
function table_update_scopeOf(binding, input, table) {
    const { warehouse } = binding.dialect;
    const [a, b] = [requiredText(binding, 'targetAlias'), requiredText(binding, 'sourceAlias')];
    if (storedName(a.text, warehouse) === storedName(b.text, warehouse)) {
        const message = `targetAlias and sourceAlias are both "${b.text}": give them different names`;
        throw new SqlError(message, { place: b.placeOf(0) });
    }
    return new Map([
        [a.text, { sql: target, columns: table.columns }],
        [b.text, { sql: source, columns: input.columns }],
    ]);
}
function joinExpression(binding) {
    const [row, more] = requiredRows(binding, 'joinExpression');
    if (more !== undefined)
        throw new Refusal('several rows in joinExpression', more.place, 'join them with AND');
    if (row === undefined)
        throw new Error('no join expression');
    return requiredCell(row, 0, 'expression');
}
function branchesOf(binding, scope) {
    const { parameters, reader, dialect } = binding;
    const rows = readRows((0,yaml_node/* childOf */.GG)(parameters, 'whenMatched'), reader);
    if (rows.length === 0) {
        if (readRows((0,yaml_node/* childOf */.GG)(parameters, 'updateMapping'), reader).length === 0)
            return [];
        binding.notice('whenMatched is not set: every row that matches is updated');
        return [{ source: undefined, condition: 'TRUE', does: 'update' }];
    }
    return rows.map((row) => {
        const cell = requiredCell(row, 0, 'condition');
        const condition = hasNone(cell) ? 'TRUE' : translateCondition(cell, scope, dialect);
        const action = requiredCell(row, 1, 'action');
        const does = action.text.trim().toLowerCase();
        if (does === 'update' || does === 'delete')
            return { source: cell, condition, does };
        throw new Refusal(`the action ${action.text}`, action.placeOf(0), 'use Update or Delete');
    });
}
function hasNone({ text }) {
    return text.trim().toLowerCase() === '<none>';
}
function writtenSql(joined, branches, pairs) {
    const conditions = branches.flatMap(({ source: text, condition }) => text === undefined ? [] : [{ source: text, sql: `SELECT ${condition} FROM ${pairs}` }]);
    return [{ source: joined, sql: `SELECT 1 FROM ${pairs}` }, ...conditions];
}
function matchedText(binding, { condition, does }, { input, table }) {
    const when = ` WHEN MATCHED AND ${condition} THEN`;
    if (does === 'delete')
        return `${when} DELETE`;
    const columns = targetColumns(binding, 'updateMapping', { input, rows: source, target: table });
    return `${when} UPDATE SET ${columns.map(({ name, value }) => `${name} = ${value}`).join(', ')}`;
}
function table_update_insertText(binding, { input, table }) {
    const { parameters, reader } = binding;
    const node = (0,yaml_node/* childOf */.GG)(parameters, 'includeNotMatched');
    if (parameter_reader_readText(node, reader) === undefined) {
        throw new ParameterError('the parameter includeNotMatched is not set: write Yes or No', read_cells_placeOf(binding, 'includeNotMatched'));
    }
    if (!readYesNo(node, reader, false))
        return [];
    const columns = targetColumns(binding, 'insertMapping', { input, rows: source, target: table });
    const names = columns.map(({ name }) => name).join(', ');
    return [
        ` WHEN NOT MATCHED THEN INSERT (${names}) VALUES (${columns.map(({ value }) => value).join(', ')})`,
    ];
}
function countsSql(table, on, branches) {
    if (branches.length === 0)
        return undefined;
    const action = branches.map(({ condition, does }) => `WHEN ${condition} THEN '${does}'`).join(' ');
    const pairs = `SELECT ${target}.rowid AS id, CASE ${action} END AS action FROM ${table.sql} AS ${target} JOIN ${copy} AS ${source} ON ${on}`;
    const changed = `SELECT count(*) AS pairs, count(*) > 1 AND bool_or(action = 'update') AS is_unclear, any_value(action) AS action FROM (${pairs}) WHERE action IS NOT NULL GROUP BY id`;
    const count = (condition) => `count(*) FILTER (WHERE ${condition})`;
    const deletions = "coalesce(sum(pairs) FILTER (WHERE action = 'delete'), 0)";
    return `SELECT ${count('is_unclear')}, ${count("action = 'update'")}, ${count("action = 'delete'")}, ${deletions} FROM (${changed})`;
}

;// CONCATENATED MODULE: ./engine/components/transpose-columns.js












const transposeColumns = {
    type: 'transpose-columns',
    group: 'column',
    summary: 'Makes rows of each row: one for each label, with the values of the columns that belong to it.',
    inputs: [1, 1],
    parameters: {
        ordinaryColumns: { form: 'names', meaning: 'the columns that each of the rows keeps' },
        rowLabelName: { form: 'text', meaning: 'the output column with the label' },
        outputColumns: {
            form: 'typed rows',
            meaning: 'the output columns with the values: rows of name, type, size and decimal places',
        },
        columnToRowMapping: {
            form: 'rows',
            meaning: 'rows of a label and the input column of each output column, in their order',
        },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const ordinary = readNames((0,yaml_node/* childOf */.GG)(parameters, 'ordinaryColumns'), reader);
        const kept = findInputColumns(ordinary, input, dialect).map((column) => copyCell(column, input));
        requiredRows(binding, 'outputColumns');
        const outputs = readTypedRows((0,yaml_node/* childOf */.GG)(parameters, 'outputColumns'), reader, dialect.warehouse);
        const mapped = requiredRows(binding, 'columnToRowMapping').map(({ cells, place }) => {
            const [label, ...columns] = cells;
            if (label !== undefined && columns.length === outputs.length)
                return { label: label.text, columns };
            const message = `each row of columnToRowMapping needs a label and ${(0,number_of/* numberOf */.r)(outputs.length, 'column')}, one for each row of outputColumns; this one has ${(0,number_of/* numberOf */.r)(cells.length, 'cell')}`;
            throw new ParameterError(message, place);
        });
        const valuesOf = ({ name, type }, index) => {
            const values = mapped.flatMap(({ columns }) => {
                const written = columns[index];
                if (written === undefined)
                    return [];
                const cell = copyCell(findInputColumn(written, input, dialect), input);
                return castValue(cell, type, written.placeOf(0), dialect).sql;
            });
            const list = values.map((sql) => `CAST(${sql} AS ${duckdbType(type)})`).join(', ');
            return { name: storedName(name.text, dialect.warehouse), type, sql: `unnest([${list}])` };
        };
        const labels = mapped.map(({ label }) => quoteText(label)).join(', ');
        const label = storedName(requiredText(binding, 'rowLabelName').text, dialect.warehouse);
        return selectCells([...kept, { name: label, type: select_list_TEXT, sql: `unnest([${labels}])` }, ...outputs.map(valuesOf)], `FROM ${input.sql}`, read_cells_placeOf(binding, 'outputColumns'));
    },
};

;// CONCATENATED MODULE: ./engine/components/transpose-rows.js










const transposeRows = {
    type: 'transpose-rows',
    group: 'group',
    summary: 'Joins the values of columns with commas, in one row of each group.',
    inputs: [1, 1],
    parameters: {
        groupings: { form: 'names', meaning: 'the columns that are equal in a group; without them, one row' },
        aggregations: { form: 'names', meaning: 'the columns whose values are joined, without NULLs' },
        sortOrder: { form: 'rows', meaning: 'refused where it is set; the values are sorted' },
    },
    bind(binding) {
        const { parameters, reader, dialect } = binding;
        const input = onlyInput(binding);
        const [sort] = readRows((0,yaml_node/* childOf */.GG)(parameters, 'sortOrder'), reader);
        if (sort !== undefined)
            throw new Refusal('the parameter sortOrder', sort.place, 'leave it empty');
        const names = readNames((0,yaml_node/* childOf */.GG)(parameters, 'groupings'), reader);
        const groups = findInputColumns(names, input, dialect).map((column) => copyCell(column, input));
        requiredRows(binding, 'aggregations');
        const lists = readNames((0,yaml_node/* childOf */.GG)(parameters, 'aggregations'), reader).map((written) => {
            const { name } = findInputColumn(written, input, dialect);
            const column = quoteName(name);
            const text = `LISTAGG(${column}, ',') WITHIN GROUP (ORDER BY ${column})`;
            const place = written.placeOf(0);
            return valueCell(name, translateExpression(fixedText(text, place), new Map([['', input]]), dialect));
        });
        const grouped = groupBy(groups, dialect.warehouse);
        return selectCells([...groups, ...lists], `FROM ${input.sql}${grouped}`, read_cells_placeOf(binding, 'aggregations'));
    },
};

;// CONCATENATED MODULE: ./engine/components/unite.js










const unite = {
    type: 'unite',
    group: 'combine',
    summary: 'Gives the rows of all its inputs; columns match by name.',
    inputs: [1, 100],
    parameters: {
        method: {
            form: 'choice',
            meaning: 'whether the output has the columns of any input, or only those that all inputs have',
            choices: ['All Columns', 'Overlapping Columns'],
        },
        castTypes: {
            form: 'yes-no',
            meaning: 'whether columns of one name with different types become one type; otherwise they are an error',
        },
        addSourceComponentColumn: {
            form: 'yes-no',
            meaning: 'whether a last column, `source_table`, has the name of the input',
        },
        removeDuplicates: { form: 'yes-no', meaning: 'whether equal rows become one; NULLs are equal' },
    },
    bind: bindUnite,
};
function bindUnite(binding) {
    const { parameters, reader, inputs } = binding;
    const yes = (key) => readYesNo((0,yaml_node/* childOf */.GG)(parameters, key), reader, false);
    const method = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'method'), reader)?.text.trim().toLowerCase();
    const isCast = yes('castTypes');
    const names = namesOf(inputs, method === 'overlapping columns');
    if (names.length === 0) {
        throw new ParameterError('no column name is in all inputs, so the output would have no columns', read_cells_placeOf(binding, 'method'));
    }
    const place = read_cells_placeOf(binding, 'castTypes');
    const columns = names.map((name) => {
        const same = inputs.flatMap((input) => input.columns.filter((column) => column.name === name));
        return { name, type: commonColumnType(same, isCast, place, binding.dialect) };
    });
    const source = yes('addSourceComponentColumn')
        ? [{ name: 'source_table', type: select_list_TEXT }]
        : [];
    const selects = inputs.map((input) => selectOf(binding, input, columns, source));
    return {
        kind: 'rows',
        sql: yes('removeDuplicates')
            ? `SELECT DISTINCT * FROM (${selects.join(' UNION ALL ')})`
            : selects.join(' UNION ALL '),
        columns: checkColumns([...columns, ...source], read_cells_placeOf(binding, 'method')),
    };
}
function namesOf(inputs, isOverlap) {
    const names = [...new Set(inputs.flatMap(({ columns }) => columns.map(({ name }) => name)))];
    return isOverlap ? names.filter((name) => inputs.every((input) => hasColumn(input, name))) : names;
}
function hasColumn({ columns }, name) {
    return columns.some((column) => column.name === name);
}
function selectOf(binding, input, columns, source) {
    const place = read_cells_placeOf(binding, 'castTypes');
    const cells = columns.map((column) => `${unite_valueOf(binding, input, column, place)} AS ${quoteName(column.name)}`);
    const names = source.map(({ name }) => `${quoteText(input.name)} AS ${quoteName(name)}`);
    return `SELECT ${[...cells, ...names].join(', ')} FROM ${input.sql}`;
}
function unite_valueOf(binding, input, { name, type }, place) {
    const { dialect, parameters, reader } = binding;
    const keepsOne = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'removeDuplicates'), reader, false);
    const column = input.columns.find((each) => each.name === name);
    if (column === undefined || column.type.name === 'NULL')
        return `CAST(NULL AS ${duckdbType(type)})`;
    const { sql } = castToCommon(copyCell(column, input), type, place, dialect);
    return keepsOne ? shownForEqual({ sql, type }, 'DISTINCT', dialect.warehouse) : sql;
}

;// CONCATENATED MODULE: ./engine/components/unpivot.js









const unpivot = {
    type: 'unpivot',
    group: 'column',
    summary: 'Makes a row of each value of the listed columns, with the name of its column; NULLs give none.',
    inputs: [1, 1],
    parameters: {
        columnsToNarrow: { form: 'names', meaning: 'the columns, all of one type' },
        outputNamesColumnName: { form: 'text', meaning: 'the output column with the name of the value’s column' },
        outputValuesColumnName: { form: 'text', meaning: 'the output column with the value' },
    },
    bind: bindUnpivot,
};
function bindUnpivot(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    requiredRows(binding, 'columnsToNarrow');
    const names = readNames((0,yaml_node/* childOf */.GG)(parameters, 'columnsToNarrow'), reader);
    const narrowed = findInputColumns(names, input, dialect);
    const type = onlyType(binding, narrowed);
    const others = input.columns
        .filter(({ name }) => !narrowed.some((column) => column.name === name))
        .map((column) => copyCell(column, input));
    const output = (key) => storedName(requiredText(binding, key).text, dialect.warehouse);
    const values = narrowed.map((column) => `CAST(${copyCell(column, input).sql} AS ${duckdbType(type)})`);
    const [nameColumn, valueColumn] = [output('outputNamesColumnName'), output('outputValuesColumnName')];
    const cells = [
        ...others,
        {
            name: nameColumn,
            type: select_list_TEXT,
            sql: `unnest([${narrowed.map(({ name }) => quoteText(name)).join(', ')}])`,
        },
        { name: valueColumn, type, sql: `unnest([${values.join(', ')}])` },
    ];
    const { sql, columns } = selectCells(cells, `FROM ${input.sql}`, read_cells_placeOf(binding, 'columnsToNarrow'));
    return {
        kind: 'rows',
        sql: `SELECT * FROM (${sql}) WHERE ${quoteName(valueColumn)} IS NOT NULL`,
        columns,
    };
}
function onlyType(binding, columns) {
    const [first, ...others] = columns;
    if (first === undefined)
        throw new Error('no columns to narrow');
    const other = others.find(({ type }) => describeType(type) !== describeType(first.type));
    if (other === undefined)
        return first.type.name === 'NULL' ? select_list_TEXT : first.type;
    const both = [first, other].map(({ name, type }) => `"${name}" is ${describeType(type)}`).join(' and ');
    throw new SqlError(`the columns of columnsToNarrow must have one type, but ${both}; convert them first`, {
        place: read_cells_placeOf(binding, 'columnsToNarrow'),
    });
}

;// CONCATENATED MODULE: ./engine/components/window-calculation.js








const window_calculation_functions = {
    sum: 'SUM',
    average: 'AVG',
    count: 'COUNT',
    max: 'MAX',
    maximum: 'MAX',
    min: 'MIN',
    minimum: 'MIN',
};
const lowerBounds = ['UNBOUNDED PRECEDING', 'CURRENT ROW'];
const upperBounds = ['CURRENT ROW', 'UNBOUNDED FOLLOWING'];
const windowCalculation = {
    type: 'window-calculation',
    group: 'group',
    summary: 'Adds to each row what a function computes from rows of its group.',
    inputs: [1, 1],
    parameters: {
        includeInputColumns: includeInputColumns,
        partitionData: {
            form: 'names',
            meaning: 'the columns that are equal in a group; without them, one group',
        },
        orderingWithinPartitions: { form: 'rows', meaning: 'columns and directions: the order in a group' },
        functions: {
            form: 'rows',
            meaning: 'rows of Sum, Average, Count, Max or Min, an input column, and the name of the output column',
        },
        lowerBound: { form: 'text', meaning: 'the first of the rows: Unbounded Preceding or Current Row' },
        upperBound: { form: 'text', meaning: 'the last of the rows: Current Row or Unbounded Following' },
    },
    bind(binding) {
        const input = onlyInput(binding);
        return addWindowCells(binding, input, window_calculation_readFunctions(binding, input));
    },
};
function window_calculation_readFunctions(binding, input) {
    const { dialect } = binding;
    const window = readWindow(binding, input, 'partitionData', 'orderingWithinPartitions');
    const frame = readFrame(binding, window.order.length > 0);
    return requiredRows(binding, 'functions').map((row) => {
        const word = requiredCell(row, 0, 'function');
        const key = word.text.trim().toLowerCase();
        const name = Object.hasOwn(window_calculation_functions, key) ? window_calculation_functions[key] : undefined;
        if (name === undefined)
            throw new Refusal(`the function "${word.text}"`, word.placeOf(0), 'use Sum, Average, Count, Max or Min');
        const column = findInputColumn(requiredCell(row, 1, 'column'), input, dialect);
        const output = requiredCell(row, 2, 'output column');
        const call = `${name}(${quoteName(column.name)})`;
        const order = frame === undefined ? [] : window.wholeOrder;
        const value = windowValue(call, window, order, { input, at: word, binding }, frame);
        return valueCell(storedName(output.text, dialect.warehouse), value);
    });
}
function readFrame(binding, hasOrder) {
    const from = boundOf(requiredText(binding, 'lowerBound'), lowerBounds);
    const to = boundOf(requiredText(binding, 'upperBound'), upperBounds);
    if (from === 'UNBOUNDED PRECEDING' && to === 'UNBOUNDED FOLLOWING')
        return undefined;
    if (hasOrder)
        return `ROWS BETWEEN ${from} AND ${to}`;
    const place = requiredText(binding, 'lowerBound').placeOf(0);
    throw new Refusal('a part of a group without an order', place, 'set `orderingWithinPartitions`, the order of the rows in a group');
}
function boundOf(written, known) {
    const bound = written.text.trim().replaceAll(/\s+/g, ' ').toUpperCase();
    if (known.includes(bound))
        return bound;
    const words = known.map((one) => one.toLowerCase()).join(' or ');
    throw new Refusal(`the bound "${written.text}"`, written.placeOf(0), `use ${words}`);
}

;// CONCATENATED MODULE: ./engine/components/component-types.js

































const componentTypes = [
    tableInput,
    multiTableInput,
    streamInput,
    fixedFlow,
    generateSequence,
    filter,
    join_join,
    unite,
    detectChanges,
    distinct_distinct,
    calculator,
    rename,
    convertType,
    mapValues,
    splitField,
    unpivot,
    aggregate,
    pivot,
    transposeColumns,
    windowCalculation,
    transposeRows,
    rank_rank,
    leadLag,
    firstLast,
    sql,
    extractNestedData,
    flattenVariant,
    constructVariant,
    rewriteTable,
    rewriteTableOfCatalog,
    tableOutput,
    tableUpdate,
    createView,
    cortexCompletions,
    cortexSentiment,
    cortexTranslate,
    cortexSummarize,
    cortexExtractAnswer,
];
const byName = new Map(componentTypes.flatMap((type) => [type.type, ...(type.aliases ?? [])].map((name) => [name, type])));
function componentType(name) {
    return byName.get(name);
}

;// CONCATENATED MODULE: ./engine/orchestration/outside-types.js




const own = (parameters) => parameters;
const none = () => undefined;
const outside_types_named = (parameters, { reader }) => (0,yaml_node/* childOf */.GG)(parameters, parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'outputId'), reader)?.text ?? '');
const destination = (parameters) => {
    const node = (0,yaml_node/* childOf */.GG)(parameters, 'destination');
    return node?.kind === 'map' ? [...node.entries.values()][0]?.value : undefined;
};
const load = 'Loads rows into a table.';
const notice = 'Sends a message.';
const outsideTypes = [
    ...[
        'salesforce-query',
        'google-sheets-query',
        'excel-query',
        'database-query',
        's3-load',
        'azure-blob-storage-load',
    ].map((type) => ({ type, summary: load, target: own })),
    {
        type: 'modular-api-extract-input-v2',
        summary: load,
        target: outside_types_named,
        columns: { DATA_VALUE: { name: 'VARIANT' } },
    },
    { type: 'modular-postgresql-input-v1', summary: load, target: outside_types_named },
    ...['openai-ai-prompt', 'aws-ai-prompt', 'azure-ai-prompt'].map((type) => ({
        type,
        summary: 'Asks a language model about rows.',
        target: destination,
        columns: { DATA: { name: 'VARIANT' } },
    })),
    ...['send-email', 'send-email-v2', 'sns-message', 'webhook-post'].map((type) => ({
        type,
        summary: notice,
        target: none,
    })),
    { type: 'data-transfer-object', summary: 'Copies files.', target: none },
    { type: 'commands-for-dbt-core', summary: 'Runs dbt.', target: none },
    { type: 'python-pushdown', summary: 'Runs Python.', target: none },
    { type: 'python-script', summary: 'Runs Python.', target: none },
    { type: 'bash-script', summary: 'Runs a shell script.', target: none },
    { type: 'file-iterator', summary: 'Repeats a component for each file.', target: none },
    {
        type: 'create-external-table-sf',
        summary: 'Creates a table over files.',
        target: own,
        columns: { VALUE: { name: 'VARIANT' } },
    },
];
const outside_types_byName = new Map(outsideTypes.map((type) => [type.type, type]));
function outsideType(name) {
    return outside_types_byName.get(name);
}
const tableKeys = ['targetTable', 'newTableName', 'table', 'tableName', 'viewName'];
function targetTable(task) {
    const { component, parameters, reader, dialect } = task;
    const type = outsideType(component.type);
    const node = type === undefined ? parameters : type.target(parameters, task);
    const key = tableKeys.find((name) => ((0,yaml_node/* textOf */.b6)((0,yaml_node/* childOf */.GG)(node, name)) ?? '') !== '');
    if (node === undefined || key === undefined)
        return undefined;
    const { table } = read_table_readTable(node, key, reader, dialect.defaults);
    const place = readSchema(node, reader, dialect.defaults);
    const database = parameter_reader_readText((0,yaml_node/* childOf */.GG)(node, 'database2'), reader)?.text ?? place.database;
    const stored = (name) => storedName(name, dialect.warehouse);
    return { database: stored(database), schema: stored(place.schema), table: stored(table) };
}

;// CONCATENATED MODULE: ./engine/orchestration/missing-mock.js










function missingMock(task, known = []) {
    const { component, reader } = task;
    const { line, column } = component.range;
    const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
    const isOutside = outsideType(component.type) !== undefined;
    const isOfOther = componentType(component.type) !== undefined;
    const similar = isOfOther ? belongsTo('transformation') : closestType(component.type, known);
    const meant = isOutside ? '' : similar;
    const allow = isPython(component.type) ? 'allow Python with --allow-python, or ' : meant;
    return new Refusal(what, { file: reader.source.file, line, column }, `${allow}${mockHint(task)}`);
}
function isMissingMock(refusal) {
    return linesOfMock(refusal) !== undefined;
}
function linesOfMock({ hint = '' }) {
    return /(?:^|, or |Otherwise, )mock the component:\nmock:\n([^]+)$/.exec(hint)?.[1];
}
function closestType(type, known) {
    const meant = (0,did_you_mean/* meantQuestion */.eq)(type, known);
    return meant === undefined ? '' : `${meant} Otherwise, `;
}
function belongsTo(kind) {
    return `it is a type of ${kind}s, which are in ${(0,pipeline_kind/* suffixOf */.jT)(kind)} files. Otherwise, `;
}
function mockHint(task) {
    return `mock the component:\nmock:\n  ${yamlText(task.mockKey)}:${mockLines(task)}`;
}
function isPython(type) {
    return type === 'python-script' || type === 'python-pushdown';
}
function mockLines(task) {
    const target = targetTable(task);
    if (target !== undefined)
        return tableLines(target, task);
    const { component } = task;
    if (component.type === 'file-iterator') {
        const row = ((0,iterator/* iterationOf */.r)(component)?.variables ?? []).map((name) => `${yamlText(name)}: text`);
        return `\n    rows:\n      - { ${row.join(', ')} }`;
    }
    const names = scriptVariables(component.text('pythonScript') ?? component.text('script') ?? '');
    if (names.length === 0)
        return ' {}';
    return `\n    variables: { ${names.map((name) => `${yamlText(name)}: text`).join(', ')} }`;
}
function tableLines(target, task) {
    const existing = task.dialect.catalog.find(target);
    const types = existing === undefined
        ? missing_mock_knownColumns(task)
        : Object.fromEntries(existing.columns.map(({ name, type }) => [name, describeType(type, task.dialect.warehouse)]));
    const indent = '\n        ';
    const isDeclared = existing === undefined && Object.keys(types).length > 0;
    const declared = isDeclared ? `${indent}columns: ${typeMap(types)}` : '';
    const label = yamlText(tableLabel(target, task));
    return `\n    tables:\n      ${label}:${declared}${indent}rows:${indent}  - ${exampleRow(types)}`;
}
function missing_mock_knownColumns({ component, parameters, reader, dialect }) {
    const selected = (0,yaml_node/* childOf */.GG)(parameters, 'dataSelection') ?? (0,yaml_node/* childOf */.GG)(parameters, 'loadColumns');
    const names = selected?.kind === 'list' ? readNames(selected, reader).map(({ text }) => text) : [];
    const known = Object.entries(outsideType(component.type)?.columns ?? {}).map(([name, type]) => [name, describeType(type, dialect.warehouse)]);
    return Object.fromEntries([...names.map((name) => [name, 'VARCHAR']), ...known]);
}
function tableLabel({ database, schema, table }, { dialect: { defaults } }) {
    if (database !== defaults.database)
        return [database, schema, table].join('.');
    return schema === defaults.schema ? table : `${schema}.${table}`;
}
function scriptVariables(script) {
    const names = [...script.matchAll(/\bupdate(?:Grid)?Variable\(\s*(["'])([\p{L}_][\p{L}\p{N}_]*)\1/gu)];
    return [...new Set(names.flatMap(([, , name]) => name ?? []))];
}

;// CONCATENATED MODULE: ./engine/execution/passes-unmocked.js

function passesUnmocked({ run }, { refusal }) {
    return run.engine?.passesUnmocked === true && refusal !== undefined && isMissingMock(refusal);
}

// EXTERNAL MODULE: ./lib/core/look-alike.js
var look_alike = __webpack_require__(3511);
// EXTERNAL MODULE: ./lib/pipelines/checks/nearest-pipeline.js
var nearest_pipeline = __webpack_require__(4424);
;// CONCATENATED MODULE: ./engine/core/number-type.js
const LARGEST = 2n ** 63n;
class SeenNumbers {
    #scale = 0;
    #isLong = false;
    #isLarge = false;
    add({ units, scale }, places = Math.max(0, scale)) {
        this.#scale = Math.max(this.#scale, places);
        if (units === 0n)
            return;
        const whole = scale < -20 ? LARGEST : units * 10n ** BigInt(Math.max(0, -scale));
        this.#isLong ||= whole >= 2n ** 31n || whole < -(2n ** 31n);
        this.#isLarge ||= whole >= LARGEST || whole < -LARGEST;
    }
    typeIn(kind) {
        if (kind === 'WAREHOUSE_ONE' || this.#scale > 0 || this.#isLarge)
            return { name: 'NUMBER', precision: 38, scale: this.#scale };
        return { name: this.#isLong ? 'BIGINT' : 'INTEGER' };
    }
}

;// CONCATENATED MODULE: ./engine/orchestration/infer-columns.js




function inferColumns(rows, warehouse) {
    const names = new Set(rows.flatMap((row) => Object.keys(row)));
    return [...names].map((name) => ({ name, type: infer_columns_typeOf(name, rows, warehouse) }));
}
function infer_columns_typeOf(name, rows, warehouse) {
    const values = rows.flatMap((row) => {
        const value = Object.hasOwn(row, name) ? row[name] : undefined;
        return value === undefined || value === null ? [] : [value];
    });
    const kinds = new Set(values.map(kindOf));
    if (kinds.has('FLOAT'))
        kinds.delete('NUMBER');
    const [kind, other] = kinds;
    if (other !== undefined) {
        throw new SqlError(`the column "${name}" has values of several types: declare its type in \`columns\``);
    }
    if (kind === 'VARIANT' || kind === 'BOOLEAN' || kind === 'FLOAT')
        return { name: kind };
    if (kind !== 'NUMBER')
        return { name: 'VARCHAR', length: undefined };
    const numbers = new SeenNumbers();
    for (const value of values) {
        const text = value instanceof WrittenCell ? value.text : typeof value === 'object' ? '' : String(value);
        const number = (0,decimal/* parseDecimal */.$Q)(text);
        if (number !== undefined)
            numbers.add(number, infer_columns_scaleOf(value));
    }
    return numbers.typeIn(warehouse);
}
function kindOf(value) {
    if (value instanceof WrittenCell)
        return value.type.name;
    if (typeof value === 'number' || typeof value === 'bigint')
        return 'NUMBER';
    if (typeof value === 'boolean')
        return 'BOOLEAN';
    return typeof value === 'string' ? 'VARCHAR' : 'VARIANT';
}
function infer_columns_scaleOf(value) {
    if (value instanceof WrittenCell)
        return value.type.name === 'NUMBER' ? value.type.scale : 0;
    if (typeof value !== 'number')
        return 0;
    const [, decimals = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
    return Math.max(0, decimals.length - Number(exponent));
}

;// CONCATENATED MODULE: ./engine/orchestration/read-table-text.js

function readTableText(text, defaults) {
    const parts = text.split('.');
    if (parts.length > 3 || parts.includes('')) {
        const forms = 'write table, schema.table or database.schema.table';
        throw new SqlError(`"${text}" is not the name of a table: ${forms}`);
    }
    const [table = '', schema = defaults.schema, database = defaults.database] = parts.toReversed();
    return { database, schema, table };
}

;// CONCATENATED MODULE: ./engine/orchestration/apply-mock.js












async function applyMock(task, mock) {
    const tables = [...(mock.tables ?? [])].map(([text, rows]) => {
        const fault = { part: 'tables', name: text };
        try {
            return [readTableText(text, task.dialect.defaults), rows, fault];
        }
        catch (error) {
            throw mockError(error, fault);
        }
    });
    if (mock.rows !== undefined) {
        const target = targetTable(task);
        if (target === undefined) {
            const message = 'the mock has `rows`, but the component has no target table; give `tables`';
            throw new MockError(message, { part: 'rows' });
        }
        tables.push([target, { rows: mock.rows }, { part: 'rows' }]);
    }
    await apply_mock_addRows(tables, { warehouse: task.warehouse, kind: task.dialect.warehouse });
    for (const [name, value] of mock.variables ?? []) {
        const refusal = typeof value === 'string' ? task.variables.set(name, value) : task.variables.setGrid(name, value);
        if (refusal !== undefined)
            throw new MockError(refusal, { part: 'variables', name });
    }
    const count = tables.reduce((sum, [, { rows }]) => sum + rows.length, 0);
    const added = tables.length === 0 ? '' : `: ${count} ${count === 1 ? 'row' : 'rows'} added`;
    return {
        message: mock.message ?? `Mocked${added}.`,
        rowsWritten: tables.length === 0 ? undefined : count,
    };
}
async function apply_mock_addRows(tables, place) {
    await place.warehouse.transaction(async () => {
        for (const [name, rows, fault] of tables) {
            try {
                await addTo(name, rows, place);
            }
            catch (error) {
                throw mockError(error, fault);
            }
        }
    });
}
async function addTo(name, given, { warehouse, kind }) {
    const { catalog } = warehouse;
    const table = catalog.find(name);
    if (table !== undefined && given.rows.length === 0)
        return;
    const similar = table === undefined ? catalog.findIgnoringCase(name) : undefined;
    if (similar !== undefined) {
        const hint = 'their names differ only in upper and lower case: rename one of them';
        throw new Refusal(`the tables ${tableText(similar)} and ${tableText(name)}`, undefined, hint);
    }
    if (table === undefined) {
        const others = catalog.list(name.database, name.schema).map((one) => one.table);
        const alike = others.find((other) => (0,look_alike/* onlyLooksLike */.it)(other, name.table));
        if (alike !== undefined)
            throw new SqlError(`the table "${(0,visible_text/* visibleText */.Q6)(name.table)}" does not exist; ${(0,look_alike/* didYouMean */.au)(name.table, alike)}`);
        const columns = given.columns ?? inferColumns(given.rows, kind);
        await warehouse.createTable(name, columns, apply_mock_cellsOf(given.rows, columns));
        return;
    }
    if (table.kind === 'view')
        throw new SqlError(`${tableText(name)} is a view: it cannot receive rows`);
    const written = given.columns ?? apply_mock_namesOf(given.rows);
    const known = written.map((column) => apply_mock_columnOf(table, column.name, { kind, rows: given.rows }));
    await warehouse.insertRows(table, known, apply_mock_cellsOf(given.rows, known, written));
}
function apply_mock_namesOf(rows) {
    return [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => ({ name }));
}
function apply_mock_columnOf(table, written, { kind, rows }) {
    const name = storedName(written, kind);
    const found = table.columns.find((column) => column.name === name);
    if (found !== undefined)
        return found;
    const similar = table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
    const meant = (0,closest_word/* closestWord */.En)(name, table.columns.map((column) => column.name));
    const others = meant === undefined ? '' : `; ${(0,look_alike/* didYouMean */.au)(name, meant)}`;
    const hint = similar === undefined ? others : `; it has "${similar.name}": upper and lower case differ`;
    const row = 1 +
        Math.max(0, rows.findIndex((cells) => Object.hasOwn(cells, written)));
    throw new ValueError(`the table ${tableText(table)} has no column "${(0,visible_text/* visibleText */.Q6)(name)}"${hint}`, {
        row,
        column: name,
    });
}
function apply_mock_cellsOf(rows, columns, written = columns) {
    const names = new Set(written.map(({ name }) => name));
    return rows.map((row, index) => {
        const unknown = Object.keys(row).find((name) => !names.has(name));
        if (unknown !== undefined) {
            throw new ValueError(`row ${index + 1} of the mock has a column "${unknown}" that \`columns\` does not list`, { row: index + 1, column: unknown });
        }
        return written.map(({ name }, place) => {
            const cell = Object.hasOwn(row, name) ? (row[name] ?? null) : null;
            if (!(cell instanceof WrittenCell))
                return cell;
            const value = cell.valueFor(columns[place]?.type ?? cell.type);
            if (value !== undefined)
                return value;
            throw new ValueError(`row ${index + 1}: ${unkept(cell.text, name)}`, { row: index + 1, column: name });
        });
    });
}

;// CONCATENATED MODULE: ./engine/orchestration/notice-texts.js



const noticeTypes = new Set([
    'send-email',
    'send-email-v2',
    'sns-message',
    'webhook-post',
]);
const notice_texts_shown = ['subject', 'message', 'payload'];
function noticeTexts(component, { reader }) {
    if (!noticeTypes.has(component.type))
        return [];
    return notice_texts_shown.flatMap((name) => {
        const node = component.parameter(name);
        if (node?.kind !== 'scalar')
            return [];
        try {
            const text = parameter_reader_readText(node, reader)?.text;
            return text === undefined ? [] : [`${name}: ${text}`];
        }
        catch (error) {
            if (!(error instanceof ParameterError) && !(error instanceof Refusal))
                throw error;
            return [`${name}: ${error.message}`];
        }
    });
}

;// CONCATENATED MODULE: ./engine/components/check-parameters.js





const lists = new Set(['names', 'rows', 'typed rows', 'conditions', 'tree']);
function checkParameters(binding, { parameters: known }) {
    const { parameters, reader } = binding;
    if (parameters.kind !== 'map') {
        throw new ParameterError('expected a map of parameters', placeOfNode(parameters, reader));
    }
    for (const [name, { value }] of parameters.entries) {
        if (name === 'componentName' || isUnset(value))
            continue;
        const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
        if (parameter === undefined)
            throw new Refusal(`the parameter ${name}`, placeOfNode(value, reader), knownHint(name, known));
        if (parameter.isIgnored !== true)
            checkValue(name, value, parameter, binding);
    }
}
function knownHint(name, known) {
    const names = Object.keys(known);
    const list = names.length === 0 ? 'this type has no parameters' : `known parameters: ${names.join(', ')}`;
    return (0,did_you_mean/* meantQuestion */.eq)(name, names) ?? list;
}
function checkValue(name, value, parameter, { reader }) {
    if (lists.has(parameter.form))
        return;
    if (value.kind !== 'scalar') {
        throw new ParameterError(`the parameter ${name} must be a ${parameter.form}`, placeOfNode(value, reader));
    }
    const { choices } = parameter;
    if (choices === undefined)
        return;
    const written = parameter_reader_readText(value, reader);
    if (written === undefined)
        return;
    const word = written.text.trim().toLowerCase();
    if (choices.some((choice) => choice.toLowerCase() === word))
        return;
    throw new Refusal(`${name}: ${written.text}`, written.placeOf(0), `use ${choices.join(' or ')}`);
}
function isUnset(value) {
    return (0,yaml_node/* isEmpty */.Im)(value) || (value.kind === 'scalar' && value.text === '');
}

;// CONCATENATED MODULE: ./engine/orchestration/table-query.js












const queryParameters = {
    mode: {
        form: 'choice',
        meaning: 'whether `query` is run, or a table is read',
        choices: ['Advanced', 'Basic'],
    },
    query: { form: 'text', meaning: 'Advanced: one query' },
};
const sortParameters = {
    orderBy: { form: 'names', meaning: 'Basic: columns that sort the rows' },
    sort: {
        form: 'choice',
        meaning: 'Basic: the direction',
        choices: ['Ascending', 'Descending', 'Asc', 'Desc'],
    },
};
async function readRowsOf({ sql, source }, { runs, warehouse, parameters, reader }, maxRows) {
    runs(sql);
    try {
        return await warehouse.query(sql, { maxRows });
    }
    catch (error) {
        const place = source === undefined ? placeOfNode(parameters, reader) : startOf(source);
        throw atPlace(error, place, { sql: source?.text });
    }
}
function advancedQuery({ parameters, reader, dialect }) {
    const query = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'query'), reader);
    if (query === undefined) {
        throw new ParameterError('the parameter query is not set', placeOfNode(parameters, reader));
    }
    return { ...translateQuery(query, dialect), source: query };
}
function basicQuery(task, given) {
    const { parameters, reader, dialect } = task;
    const table = find_table_existingTable(task, given.table);
    const of = `the table ${tableText(table)}`;
    if (given.columns.length === 0) {
        throw new ParameterError(`no columns are listed in ${given.key}`, placeOfNode(parameters, reader));
    }
    const columns = checkColumns(given.columns.map((name) => findColumn(table.columns, name, dialect, of)), placeOfNode(parameters, reader));
    const relation = { sql: 't', columns: table.columns };
    const where = conditionsSql(readConditions((0,yaml_node/* childOf */.GG)(parameters, 'filterConditions'), reader), readCombination((0,yaml_node/* childOf */.GG)(parameters, 'combineCondition'), reader), { relation, of, dialect, notice: (message) => task.notice(message) });
    const order = readNames((0,yaml_node/* childOf */.GG)(parameters, 'orderBy'), reader).map((name) => quoteName(findColumn(table.columns, name, dialect, of).name) + sortWords(task));
    const sql = [
        `SELECT ${columns.map(({ name }) => `t.${quoteName(name)}`).join(', ')} FROM ${table.sql} AS t`,
        ...(where === undefined ? [] : [`WHERE ${where}`]),
        ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
        ...limitClause((0,yaml_node/* childOf */.GG)(parameters, 'limit'), task),
    ];
    return { sql: sql.join(' '), columns };
}
function sortWords({ parameters, reader }) {
    const written = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'sort'), reader);
    const word = (written?.text ?? '').trim().toLowerCase();
    if (['', 'asc', 'ascending'].includes(word))
        return ' ASC NULLS LAST';
    if (['desc', 'descending'].includes(word))
        return ' DESC NULLS FIRST';
    throw new Refusal(`the order "${written?.text ?? ''}"`, written?.placeOf(0), 'use Ascending or Descending');
}
function limitClause(node, { reader }) {
    const written = parameter_reader_readText(node, reader);
    if (written === undefined)
        return [];
    const limit = written.text.trim();
    if (!/^\d{1,15}$/.test(limit)) {
        throw new ParameterError(`expected a number of rows for limit, found "${written.text}"`, written.placeOf(0));
    }
    return [`LIMIT ${limit}`];
}
function resultColumn({ columns }, name) {
    const exact = columns.findIndex((column) => column.name === name.text);
    if (exact >= 0)
        return exact;
    const wanted = name.text.trim().toLowerCase();
    const index = columns.findIndex((column) => column.name.toLowerCase() === wanted);
    if (index >= 0)
        return index;
    const known = columns.map((column) => `"${column.name}"`).join(', ');
    throw new ParameterError(`the query has no column "${name.text}"; it has ${known}`, name.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/orchestration/value-text.js


function value_text_valueText(value, type) {
    if (value === null)
        return '';
    if (type.name === 'VARIANT' || typeof value === 'object')
        return withUndefined(read_value_writeJson(value));
    return typeof value === 'number' ? plainNumber(value) : String(value);
}
function plainNumber(value) {
    const [, sign = '', whole = '', decimals = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
    if (exponent === undefined)
        return String(value);
    const digits = whole + decimals;
    const point = whole.length + Number(exponent);
    if (point <= 0)
        return `${sign}0.${'0'.repeat(-point)}${digits}`;
    return point >= digits.length
        ? sign + digits.padEnd(point, '0')
        : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

;// CONCATENATED MODULE: ./engine/orchestration/table-rounds.js








const tableIteratorParameters = {
    ...tableParameters,
    ...queryParameters,
    columnMapping1: { form: 'rows', meaning: 'Advanced: rows of column and variable' },
    targetTable: { form: 'text', meaning: 'Basic: the table or view' },
    columnMapping: { form: 'rows', meaning: 'Basic: rows of column and variable' },
    ...sortParameters,
    concurrency: { form: 'text', meaning: '`Concurrent` or `Sequential`' },
    breakOnFailure: { form: 'yes-no', meaning: 'whether the first failed round ends the iterator' },
    stopOnCondition: { form: 'choice', meaning: 'only `No` is known', choices: ['No'] },
    recordValuesInTaskHistory: { form: 'yes-no', meaning: 'what the history shows', isIgnored: true },
};
async function readTableRounds(task) {
    const { parameters, reader, maxRows, variables } = task;
    checkParameters(task, { parameters: tableIteratorParameters });
    const mode = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'mode'), reader)?.text.trim().toLowerCase() ?? 'advanced';
    const key = mode === 'basic' ? 'columnMapping' : 'columnMapping1';
    const pairs = readRows((0,yaml_node/* childOf */.GG)(parameters, key), reader).map((row) => {
        const [column, variable] = row.cells;
        if (column === undefined || variable === undefined) {
            throw new ParameterError(`each row of ${key} needs two values: a column and a variable`, row.place);
        }
        if (variables.cell(variable.text) === undefined) {
            throw new ParameterError(`the variable "${variable.text}" is not defined`, variable.placeOf(0));
        }
        return { column, variable };
    });
    const query = mode === 'basic'
        ? basicQuery(task, { table: 'targetTable', columns: pairs.map(({ column }) => column), key })
        : advancedQuery(task);
    const mapping = pairs.map(({ column, variable }) => ({
        name: variable.text,
        index: resultColumn(query, column),
    }));
    const { rows } = await readRowsOf(query, task, maxRows + 1);
    return rows.map((row) => Object.fromEntries(mapping.map(({ name, index }) => {
        const column = query.columns[index];
        return [name, column === undefined ? '' : value_text_valueText(row[index] ?? null, column.type)];
    })));
}

;// CONCATENATED MODULE: ./engine/orchestration/assert-table.js






const comparisons = {
    'equal to': (count, value) => count === value,
    'greater than': (count, value) => count > value,
    'greater than or equal to': (count, value) => count >= value,
    'less than': (count, value) => count < value,
    'less than or equal to': (count, value) => count <= value,
};
const assertTable = {
    type: 'assert-table',
    summary: 'Fails unless a table exists, or does not, and has the expected number of rows.',
    parameters: {
        ...tableParameters,
        tableName: { form: 'text', meaning: 'the table or view' },
        exists: { form: 'yes-no', meaning: 'whether it must exist, or must not' },
        tableMetadata: { form: 'rows', meaning: 'refused where it is set' },
        rowCountComparisonType: {
            form: 'text',
            meaning: 'how the number of rows is compared; a range is refused',
        },
        rowCountValue: { form: 'number', meaning: 'the expected number; nothing is counted where it is not set' },
    },
    async run(task) {
        const { parameters, reader, dialect, warehouse } = task;
        const metadata = (0,yaml_node/* childOf */.GG)(parameters, 'tableMetadata');
        if (metadata !== undefined && !(0,yaml_node/* isEmpty */.Im)(metadata)) {
            throw new Refusal('`tableMetadata` of assert-table', placeOfNode(metadata, reader), 'leave it empty');
        }
        const name = namedTable(task, 'tableName');
        const place = name.place;
        const table = dialect.catalog.find(name);
        if (!readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'exists'), reader, true)) {
            if (table === undefined)
                return { message: `${tableText(name)} does not exist, as expected.` };
            throw new SqlError(`the ${table.kind} ${tableText(name)} exists, but the parameter exists is No`, {
                place,
            });
        }
        if (table === undefined) {
            const similar = dialect.catalog.findIgnoringCase(name);
            const hint = similar === undefined ? '' : `; there is ${tableText(similar)}: upper and lower case differ`;
            throw new SqlError(`the table ${tableText(name)} does not exist${hint}`, { place });
        }
        const expected = readExpected(task);
        if (expected === undefined)
            return { message: `${tableText(name)} exists.` };
        const sql = `SELECT count(*) FROM ${table.sql}`;
        task.runs(sql);
        const { rows } = await warehouse.query(sql, { maxRows: 1 });
        const count = Number(rows[0]?.[0]);
        const message = `${tableText(name)} has ${count} ${count === 1 ? 'row' : 'rows'}`;
        if (expected.holds(count))
            return { message: `${message}.` };
        throw new SqlError(`${message}, expected: ${expected.text}`, { place });
    },
};
function readExpected({ parameters, reader }) {
    const written = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'rowCountValue'), reader);
    if (written === undefined)
        return undefined;
    const value = Number(written.text.trim());
    if (!Number.isInteger(value) || value < 0) {
        throw new ParameterError(`expected a number of rows for rowCountValue, found "${written.text}"`, written.placeOf(0));
    }
    const type = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'rowCountComparisonType'), reader);
    const word = (type?.text ?? 'Equal to').trim().toLowerCase();
    const compare = Object.hasOwn(comparisons, word) ? comparisons[word] : undefined;
    if (compare === undefined) {
        const hint = `use one of: ${Object.keys(comparisons).join(', ')}`;
        throw new Refusal(`the comparison "${type?.text ?? ''}"`, type?.placeOf(0), hint);
    }
    return { text: `${word} ${value}`, holds: (count) => compare(count, value) };
}

;// CONCATENATED MODULE: ./engine/orchestration/delete-tables.js










const deleteTables = {
    type: 'delete-tables',
    summary: 'Drops tables.',
    commitsEach: true,
    parameters: {
        ...tableParameters,
        targetTable: { form: 'names', meaning: 'the tables' },
        ignoreMissing: { form: 'yes-no', meaning: 'whether a table may be missing; `No` where not set' },
    },
    async run(task) {
        const { parameters, reader, warehouse } = task;
        const names = readNames((0,yaml_node/* childOf */.GG)(parameters, 'targetTable'), reader);
        if (names.length === 0) {
            throw new ParameterError('no tables are listed in `targetTable`', placeOfNode(parameters, reader));
        }
        const mayBeMissing = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'ignoreMissing'), reader, false);
        const tables = names.flatMap((name) => delete_tables_findTable(name, mayBeMissing, task) ?? []);
        for (const { sql } of tables) {
            task.runs(`DROP TABLE ${sql}`);
            await warehouse.transaction(async () => {
                await warehouse.run(`DROP TABLE IF EXISTS ${sql}`);
                await warehouse.refresh();
            });
        }
        const dropped = tables.map(tableText).join(', ');
        return {
            message: dropped === '' ? 'None of the tables existed, so nothing was dropped.' : `Dropped ${dropped}.`,
        };
    },
};
function delete_tables_findTable(written, mayBeMissing, task) {
    const { parameters, reader, dialect } = task;
    const { database, schema } = readSchema(parameters, reader, dialect.defaults);
    const stored = (name) => storedName(name, dialect.warehouse);
    const name = { database: stored(database), schema: stored(schema), table: stored(written.text) };
    const place = written.placeOf(0);
    const found = dialect.catalog.find(name);
    if (found?.kind === 'view')
        throw new SqlError(`${tableText(name)} is a view, and only tables can be dropped here; remove it from targetTable`, { place });
    if (found !== undefined)
        refuseNeeded(found, task, place);
    if (found !== undefined || mayBeMissing)
        return found;
    const similar = dialect.catalog.findIgnoringCase(name);
    const hint = similar === undefined
        ? '; with ignoreMissing: Yes, a table that is not there is left out'
        : `; there is ${tableText(similar)}: upper and lower case differ`;
    throw new SqlError(`the table ${tableText(name)} was not found${hint}`, { place });
}
function refuseNeeded(table, { dialect }, place) {
    const [view] = dependentViews([table], dialect.catalog);
    if (view === undefined)
        return;
    throw new SqlError(`the view ${tableText(view)} needs the table ${tableText(table)}: drop the view first, in SQL`, { place });
}

;// CONCATENATED MODULE: ./engine/orchestration/create-table.js













const keyMeaning = 'its columns must not be NULL; that values are unique is not checked, as in the warehouse';
const commonParameters = {
    ...tableParameters,
    columns: {
        form: 'typed rows',
        meaning: 'name, type, size, decimal places, default, `Yes` for not null; further cells have no effect',
    },
    primaryKeys: { form: 'names', meaning: keyMeaning },
    clusteringKeys: { form: 'names', meaning: 'belongs to the storage', isIgnored: true },
    dataRetentionTimeInDays: { form: 'number', meaning: 'belongs to the storage', isIgnored: true },
    comment: { form: 'text', meaning: 'a comment', isIgnored: true },
};
const modes = ['Replace', 'Create', 'Create if not exists'];
const modeMeaning = 'what happens to an existing table';
const createTable = {
    type: 'create-table',
    summary: 'Creates a table.',
    parameters: {
        ...commonParameters,
        newTableName: { form: 'text', meaning: 'the table' },
        createReplace: { form: 'choice', meaning: modeMeaning, choices: modes },
        tableType: { form: 'text', meaning: 'how long the table is kept', isIgnored: true },
    },
    run: (task) => runCreate(task, { name: 'newTableName', mode: 'createReplace', columns: 'columns' }),
};
const createTableV2 = {
    type: 'create-table-v2',
    summary: 'Creates a table.',
    parameters: {
        ...commonParameters,
        table: { form: 'text', meaning: 'the table' },
        createMethod: { form: 'choice', meaning: modeMeaning, choices: modes },
        tableMetadata: { form: 'typed rows', meaning: 'instead of `columns`: name, type, size, decimal places' },
    },
    ignored: /TableType$/,
    run: (task) => {
        const hasMetadata = readTypedRows((0,yaml_node/* childOf */.GG)(task.parameters, 'tableMetadata'), task.reader, task.dialect.warehouse);
        const columns = hasMetadata.length > 0 ? 'tableMetadata' : 'columns';
        return runCreate(task, { name: 'table', mode: 'createMethod', columns });
    },
};
async function runCreate(task, keys) {
    const { parameters, reader, dialect } = task;
    const name = namedTable(task, keys.name);
    const mode = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, keys.mode), reader)?.text.trim().toLowerCase() ?? 'create';
    const existing = dialect.catalog.find(name);
    const similar = existing === undefined ? dialect.catalog.findIgnoringCase(name) : undefined;
    if (similar !== undefined) {
        const hint = 'their names differ only in upper and lower case: rename one of them';
        throw new Refusal(`the tables ${tableText(similar)} and ${tableText(name)}`, name.place, hint);
    }
    if (existing !== undefined && mode === 'create if not exists') {
        return { message: `${tableText(name)} exists already and stays as it is.` };
    }
    if (existing !== undefined && (existing.kind === 'view' || mode === 'create')) {
        const hint = existing.kind === 'view' ? 'choose another name' : `set ${keys.mode} to Replace to replace it`;
        throw new SqlError(`the ${existing.kind} ${tableText(name)} exists already; ${hint}`, {
            place: name.place,
        });
    }
    if (existing !== undefined)
        refuseNeeded(existing, task, name.place);
    const { columns, primaryKey, definitions } = create_table_readDefinitions(task, keys.columns);
    const table = physicalTable(name);
    const statements = [
        `CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`,
        ...declareTypes(table, columns, primaryKey),
    ];
    await task.warehouse.createSchema(name.database, name.schema);
    for (const statement of statements) {
        task.runs(statement);
        await task.warehouse.run(statement);
    }
    await task.warehouse.refresh();
    return { message: `${existing === undefined ? 'Created' : 'Replaced'} ${tableText(name)}.` };
}
function create_table_readDefinitions(task, key) {
    const { parameters, reader, dialect } = task;
    const place = placeOfNode(parameters, reader);
    const rows = readTypedRows((0,yaml_node/* childOf */.GG)(parameters, key), reader, dialect.warehouse);
    if (rows.length === 0)
        throw new SqlError(`no columns are listed in ${key}`, { place });
    const columns = checkColumns(rows.map(({ name, type }) => ({ name: storedName(name.text, dialect.warehouse), type })), place);
    const primaryKey = readNames((0,yaml_node/* childOf */.GG)(parameters, 'primaryKeys'), reader).map((name) => findColumn(columns, name, dialect, 'the new table').name);
    const definitions = columns.map((column, index) => {
        const more = key === 'columns' ? (rows[index]?.more ?? []) : [];
        const isRequired = create_table_isYes(more[1], column) || primaryKey.includes(column.name);
        const text = columnDefinition(column, dialect.warehouse);
        return `${text}${isRequired ? ' NOT NULL' : ''}${defaultSql(more[0], column, task)}`;
    });
    return { columns, primaryKey, definitions };
}
function create_table_isYes(cell, { name }) {
    const word = (cell?.text ?? '').trim().toLowerCase();
    if (['yes', 'true'].includes(word))
        return true;
    if (cell === undefined || ['', 'no', 'false'].includes(word))
        return false;
    const message = `expected Yes or No, whether the column "${name}" is NOT NULL, found "${cell.text}"`;
    throw new ParameterError(message, cell.placeOf(0));
}
function defaultSql(cell, { type }, { dialect }) {
    if (cell === undefined || cell.text.trim() === '')
        return '';
    const { sql } = translateExpression(cell, new Map(), { ...dialect, isStored: true });
    return ` DEFAULT CAST(${sql} AS ${duckdbType(type)})`;
}

// EXTERNAL MODULE: ./lib/core/coding-comment.js
var coding_comment = __webpack_require__(4219);
// EXTERNAL MODULE: ./lib/pipelines/checks/missing-file.js
var missing_file = __webpack_require__(4330);
;// CONCATENATED MODULE: ./engine/orchestration/script-file.js




function scriptFile(node, { reader, files }) {
    const written = parameter_reader_readText(node, reader)?.text ?? '';
    const path = (0,missing_file/* scriptPath */.VA)(written);
    const text = path === undefined ? undefined : files(path);
    if (path !== undefined && text !== undefined)
        return sourceText(text, path);
    throw new SqlError(`the file "${written}" was not found in the project`, {
        place: placeOfNode(node, reader),
    });
}

;// CONCATENATED MODULE: ./engine/orchestration/script-variables.js
function script_variables_scriptVariables(all) {
    return [...all].map(([name, { type, columns, value }]) => {
        if (typeof value !== 'string')
            return { name, type: 'GRID', columns, value };
        if (type !== 'NUMBER')
            return { name, type: 'TEXT', columns, value };
        return { name, type: 'NUMBER', columns, value: script_variables_numberText(value) };
    });
}
function script_variables_numberText(value) {
    const text = value.trim();
    return /^(?:|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/.test(text) ? text : String(Number(text));
}
function setFromScript(set, { variables, maxRows }) {
    const large = [...set].find(([, value]) => typeof value !== 'string' && value.length > maxRows);
    if (large !== undefined)
        return `the grid "${large[0]}" has more than ${maxRows} rows, the limit of a grid`;
    const before = variables.all();
    const refusals = [...set].flatMap(([name, value]) => setOne(name, value, variables) ?? []);
    if (refusals.length === 0)
        return undefined;
    for (const [name, { value }] of before)
        if (set.has(name))
            setOne(name, value, variables);
    return refusals[0];
}
function setOne(name, value, variables) {
    return typeof value === 'string' ? variables.set(name, value) : variables.setGrid(name, value);
}

;// CONCATENATED MODULE: ./engine/orchestration/python-script.js











const script = { form: 'text', meaning: 'the script; `${name}` in it is not replaced' };
const pythonScriptLocation = {
    form: 'text',
    meaning: 'the script as a file, relative to the root of the project, instead of in the component',
};
const timeout = {
    form: 'text',
    meaning: 'the time limit in seconds; 360 where not set, at most 3600',
};
const version = {
    form: 'text',
    meaning: 'the version of Python; the step says so if this machine has another one',
};
const pythonScript = {
    type: 'python-script',
    summary: 'Runs Python.',
    isPython: true,
    parameters: {
        script,
        pythonScriptLocation,
        interpreter: { form: 'choice', meaning: 'the language', choices: ['Python 3'] },
        timeout,
    },
    run: (task) => runPython(task, { script: 'script', timeout: 'timeout', hasSession: false }),
};
const pythonPushdown = {
    type: 'python-pushdown',
    summary: 'Runs Python. `session`, the connection to the warehouse, is refused.',
    isPython: true,
    parameters: {
        pythonScript: script,
        pythonScriptLocation,
        pythonVersion: version,
        scriptTimeout: timeout,
        packages: { form: 'names', meaning: 'packages; they must be installed on this machine', isIgnored: true },
        externalAccessIntegrations: {
            form: 'names',
            meaning: 'addresses; they change nothing: the table above says where a script has no network',
            isIgnored: true,
        },
        warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
    },
    run: (task) => runPython(task, { script: 'pythonScript', timeout: 'scriptTimeout', hasSession: true }),
};
const defaultSeconds = 360;
const maxSeconds = 3_600;
async function runPython(task, { script: scriptKey, timeout: timeoutKey, hasSession }) {
    const { python, signal, variables } = task;
    if (python === undefined)
        throw new Error('a Python component without permission');
    const source = readScript(scriptKey, task);
    refuseEncoding(source, task);
    const timeoutMs = readSeconds(timeoutKey, task) * 1_000;
    const job = { text: source.text, variables: script_variables_scriptVariables(variables.all()), hasSession, timeoutMs };
    const run = await python.run(job, signal);
    if (run === undefined || run.end.kind === 'stopped')
        throw new WarehouseStopped();
    if (run.end.kind !== 'ended')
        throw python_script_failureOf(run.end, run, source, task);
    const refusal = setFromScript(run.end.set, task);
    if (refusal !== undefined)
        throw new ScriptError(refusal, source.placeOf(0));
    addNotices(run, task);
    const printed = run.output.text.trimEnd();
    return { message: printed === '' ? 'The script ended without output.' : printed };
}
function readScript(key, task) {
    const { parameters, reader } = task;
    const node = (0,yaml_node/* childOf */.GG)(parameters, key);
    const isInline = node?.kind === 'scalar' && node.text.trim() !== '';
    const file = (0,yaml_node/* childOf */.GG)(parameters, 'pythonScriptLocation');
    if (file?.kind === 'scalar' && file.text.trim() !== '') {
        if (!isInline)
            return scriptFile(file, task);
        throw new ParameterError(`${key} and pythonScriptLocation are both set; remove one of them`, placeOfNode(file, reader));
    }
    if (isInline)
        return scalarText(node, reader.source);
    throw new ParameterError(`the parameter ${key} is not set`, placeOfNode(node ?? parameters, reader));
}
function refuseEncoding({ text, placeOf }, task) {
    const comment = (0,coding_comment/* codingComment */.o)(text);
    if (comment === undefined || !(0,coding_comment/* differsInEncoding */.e)(text, comment))
        return;
    throw new Refusal(`the encoding "${comment.encoding}" of a script`, placeOf(comment.offset), `the script is read as UTF-8: write \`# coding: utf-8\`, or remove the comment, or ${mockHint(task)}`);
}
function readSeconds(key, { parameters, reader }) {
    const written = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, key), reader);
    if (written === undefined)
        return defaultSeconds;
    const seconds = /^\d+(?:\.\d+)?$/.test(written.text.trim()) ? Number(written.text) : 0;
    if (seconds > 0)
        return Math.min(seconds, maxSeconds);
    throw new ParameterError(`expected a number of seconds above 0 for ${key}, found "${written.text}"`, written.placeOf(0));
}
function python_script_failureOf(end, run, source, task) {
    switch (end.kind) {
        case 'refused':
            return new Refusal(end.construct, placeOfLine(source, end.line), mockHint(task));
        case 'unsafe':
            return new PythonUnavailable(unsafeTexts[end.why]);
        case 'raised':
            return new ScriptError(raisedText(end) + outputText(run), placeOfLine(source, end.line));
        case 'lost':
            return new ScriptError(`the script did not end: ${end.how}${outputText(run)}`, source.placeOf(0));
        case 'limit':
            return new ScriptError(limitTexts[end.what] + outputText(run), source.placeOf(0));
    }
}
function raisedText({ type, message, line }) {
    const where = line === undefined ? '' : ` (line ${line} of the script)`;
    const hint = type === 'ModuleNotFoundError' ? '; install it for this Python, or mock the component' : '';
    return `${type}${message === '' ? '' : `: ${message}`}${where}${hint}`;
}
const limitTexts = {
    time: 'the script exceeded its time limit and was ended',
    memory: 'the script exceeded its memory limit of 1 GiB and was ended',
    processes: 'the script started more than 64 processes and was ended',
    result: 'the variables that the script set have more than 32 MiB',
};
const unsafeTexts = {
    unbounded: 'Python does not run here: this system does not limit the processes of root. Run Millrace as another user, or mock the component',
    unreadable: 'Python does not run here: scripts do not run as root, and only root can read this Python. Name another one with --python, such as /usr/bin/python3, or mock the component',
};
function outputText({ output, errors }) {
    const text = `${output.text.trimEnd()}\n${errors.text.trimEnd()}`.trim();
    return text === '' ? '' : `\nIts output:\n${text.slice(-500)}`;
}
function placeOfLine(source, line) {
    const lines = source.text.split('\n');
    if (line === undefined || line > lines.length)
        return source.placeOf(0);
    const begin = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    return source.placeOf(begin + (lines[line - 1]?.search(/\S|$/) ?? 0));
}
function addNotices(run, { parameters, reader, notice }) {
    const { output, errors, version: actual } = run;
    if (output.omitted > 0)
        notice(`the script wrote ${output.omitted} more characters, which are left out`);
    if (errors.text !== '')
        notice(`standard error: ${errors.text.trimEnd().slice(0, 2_000)}`);
    const asked = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'pythonVersion'), reader)?.text.trim() ?? actual;
    if (asked !== actual)
        notice(`the component asks for Python ${asked}; it ran with Python ${actual}`);
    const reachable = [
        ...(run.hasNoNetwork ? [] : ['the network']),
        ...(run.hasOwnFiles ? [] : ['files to write']),
    ];
    if (reachable.length > 0)
        notice(`this system cannot keep a script from ${reachable.join(' and ')}`);
}

;// CONCATENATED MODULE: ./engine/orchestration/set-variable.js

function setScalar({ variables }, name, value) {
    const refusal = variables.set(name.text, value);
    if (refusal !== undefined)
        throw new ParameterError(refusal, name.placeOf(0));
}
function setGrid({ variables }, name, rows) {
    const refusal = variables.setGrid(name.text, rows);
    if (refusal !== undefined)
        throw new ParameterError(refusal, name.placeOf(0));
}
function gridVariable({ variables }, name) {
    const cell = variables.cell(name.text);
    if (cell === undefined) {
        throw new ParameterError(`the variable "${name.text}" is not defined`, name.placeOf(0));
    }
    if (typeof cell.value !== 'string')
        return cell;
    throw new ParameterError(`the variable "${name.text}" is not a grid`, name.placeOf(0));
}

;// CONCATENATED MODULE: ./engine/orchestration/query-to-grid.js








const queryToGrid = {
    type: 'query-to-grid',
    summary: 'Replaces the rows of a grid by the rows of a query.',
    parameters: {
        warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
        mode: { form: 'choice', meaning: 'only `Advanced` is known', choices: ['Advanced'] },
        query: { form: 'text', meaning: 'one query' },
        gridVariable: { form: 'text', meaning: 'the grid' },
        gridVariableMapping: { form: 'rows', meaning: 'rows of column and grid column' },
    },
    run: queryGrid,
};
async function queryGrid(task) {
    const { parameters, reader, maxRows } = task;
    const name = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'gridVariable'), reader);
    if (name === undefined) {
        throw new ParameterError('the parameter gridVariable is not set', placeOfNode(parameters, reader));
    }
    const grid = gridVariable(task, name);
    const query = advancedQuery(task);
    const filled = new Set();
    const mapping = readRows((0,yaml_node/* childOf */.GG)(parameters, 'gridVariableMapping'), reader).map((row, position) => {
        const [column, target] = row.cells;
        if (column === undefined || target === undefined) {
            throw new ParameterError('each row of gridVariableMapping needs two values: a column of the query and a column of the grid', row.place);
        }
        const to = grid.columns.length === 0 ? position : findGridColumn(grid.columns, target.text);
        if (to < 0) {
            const message = `the grid "${name.text}" has no column "${target.text}"${knownColumns(grid.columns)}`;
            throw new ParameterError(message, target.placeOf(0));
        }
        if (filled.has(to)) {
            const message = `the grid column "${target.text}" is mapped twice in gridVariableMapping; remove one of the rows`;
            throw new ParameterError(message, target.placeOf(0));
        }
        filled.add(to);
        return { from: resultColumn(query, column), to };
    });
    if (mapping.length === 0) {
        throw new ParameterError('the parameter gridVariableMapping is not set', placeOfNode(parameters, reader));
    }
    const found = await readRowsOf(query, task, maxRows);
    if (found.isCut)
        throw new SqlError(`the query returned more than ${maxRows} rows, the limit of a grid; add a LIMIT`);
    const width = Math.max(grid.columns.length, mapping.length);
    const rows = found.rows.map((row) => {
        const cells = Array.from({ length: width }, () => '');
        for (const { from, to } of mapping) {
            const column = query.columns[from];
            cells[to] = column === undefined ? '' : value_text_valueText(row[from] ?? null, column.type);
        }
        return cells;
    });
    setGrid(task, name, rows);
    const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
    return { message: `${count} in "${name.text}".`, rowsRead: rows.length };
}

;// CONCATENATED MODULE: ./engine/orchestration/query-to-scalar.js









const queryToScalar = {
    type: 'query-to-scalar',
    summary: 'Sets variables to values of the first row of a query. It fails where the query has no row.',
    parameters: {
        ...tableParameters,
        ...queryParameters,
        table: { form: 'text', meaning: 'Basic: the table or view' },
        tableColumns: { form: 'names', meaning: 'Basic: its columns' },
        filterConditions: {
            form: 'conditions',
            meaning: 'Basic: rows of column, `Is` or `Not`, comparator and value',
        },
        combineCondition: {
            form: 'choice',
            meaning: 'Basic: whether all conditions must hold or one of them',
            choices: ['And', 'Or'],
        },
        ...sortParameters,
        limit: { form: 'number', meaning: 'Basic: the largest number of rows' },
        scalarVariableMapping: { form: 'rows', meaning: 'rows of variable and column' },
    },
    run: queryScalars,
};
async function queryScalars(task) {
    const { parameters, reader } = task;
    const query = query_to_scalar_readQuery(task);
    const mapping = readRows((0,yaml_node/* childOf */.GG)(parameters, 'scalarVariableMapping'), reader).map((row) => {
        const [variable, column] = row.cells;
        if (variable !== undefined && column !== undefined) {
            return { variable, index: resultColumn(query, column) };
        }
        throw new ParameterError('each row of scalarVariableMapping needs two values: a variable and a column', row.place);
    });
    const { rows, isCut } = await readRowsOf(query, task, 1);
    const [first] = rows;
    if (first === undefined) {
        const message = 'the query returned no rows, so the variables of scalarVariableMapping have no value';
        throw new SqlError(message, { place: placeOfNode(parameters, reader) });
    }
    if (isCut)
        task.notice('the query returned more than one row, and the first one is used');
    const parts = mapping.map(({ variable, index }) => {
        const column = query.columns[index];
        const text = column === undefined ? '' : value_text_valueText(first[index] ?? null, column.type);
        setScalar(task, variable, text);
        return `${variable.text}=${text}`;
    });
    return { message: parts.join(', '), rowsRead: 1 };
}
function query_to_scalar_readQuery(task) {
    const { parameters, reader } = task;
    const mode = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'mode'), reader)?.text.trim().toLowerCase();
    if (mode !== 'basic')
        return advancedQuery(task);
    return basicQuery(task, {
        table: 'table',
        columns: readNames((0,yaml_node/* childOf */.GG)(parameters, 'tableColumns'), reader),
        key: 'tableColumns',
    });
}

;// CONCATENATED MODULE: ./engine/orchestration/run-script.js


async function runScript(source, task) {
    let count = 0;
    let rows = 0;
    const ineffective = [];
    const statements = translateScript(source, task.dialect);
    let statement;
    const runNext = () => task.warehouse.transaction(async () => {
        statement = undefined;
        const next = statements.next();
        if (next.done === true)
            return false;
        statement = next.value;
        count += 1;
        if (statement.kind === 'no-effect')
            ineffective.push(statement.what);
        rows += await runStatement(statement, task);
        return true;
    });
    try {
        while (await runNext())
            ;
    }
    catch (error) {
        if (statement === undefined)
            throw error;
        const ran = statement.kind === 'query' ? statement.query.sql : undefined;
        throw atPlace(error, source.placeOf(statement.offset), { sql: statement.text, ran });
    }
    if (count === 0)
        throw new SqlError('the component has no SQL to run', { place: source.placeOf(0) });
    const changed = `${rows} ${rows === 1 ? 'row' : 'rows'} changed`;
    const noEffect = [...new Set(ineffective)].map((what) => ` ${what} has no effect in Millrace.`);
    return {
        message: `${count} ${count === 1 ? 'statement' : 'statements'} ran, ${changed}.${noEffect.join('')}`,
        rowsWritten: rows,
    };
}
async function runStatement(statement, task) {
    if (statement.kind === 'query')
        return computeRows(statement.query.sql, task);
    return statement.kind === 'change' ? change(statement, task) : 0;
}
async function computeRows(sql, { warehouse, runs }) {
    runs(sql);
    await warehouse.query(`SELECT bit_xor(hash(q)) FROM (${sql}) AS q`, { maxRows: 1 });
    return 0;
}
async function change({ sql, definesTables }, { warehouse, runs }) {
    let rows = 0;
    for (const each of sql) {
        runs(each);
        rows += await warehouse.run(each);
    }
    if (definesTables)
        await warehouse.refresh();
    return rows;
}

;// CONCATENATED MODULE: ./engine/orchestration/sql-executor.js







const sql_executor_script = { form: 'text', meaning: 'one or several statements' };
const declarations = {
    warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
    declareSqlVariables: {
        form: 'text',
        meaning: 'declares variables of the session, `$name`; a script that uses one is refused',
        isIgnored: true,
    },
    variablesToInclude: { form: 'names', meaning: 'belongs to `declareSqlVariables`', isIgnored: true },
    enableVariableResolution: { form: 'yes-no', meaning: 'whether `${name}` is replaced; `Yes` where not set' },
};
const sqlExecutor = {
    type: 'sql-executor',
    summary: 'Runs SQL, written in the component or in a file. Each statement commits.',
    commitsEach: true,
    parameters: {
        ...declarations,
        scriptLocation: {
            form: 'choice',
            meaning: 'where the SQL is: `sqlScript` or `fileName`',
            choices: ['Component', 'File'],
        },
        sqlScript: sql_executor_script,
        fileName: { form: 'text', meaning: 'a file, relative to the root of the project' },
    },
    run: async (task) => runScript(sql_executor_readScript(task), task),
};
const sqlScript = {
    type: 'sql-script',
    summary: 'Runs SQL. Each statement commits.',
    commitsEach: true,
    parameters: { ...declarations, sqlScript: sql_executor_script },
    run: async (task) => runScript(inlineScript(task), task),
};
function sql_executor_readScript(task) {
    const location = parameter_reader_readText((0,yaml_node/* childOf */.GG)(task.parameters, 'scriptLocation'), task.reader)?.text.trim();
    return location?.toLowerCase() === 'file'
        ? withVariables(scriptFile(required('fileName', task), task), task)
        : inlineScript(task);
}
function inlineScript(task) {
    const node = required('sqlScript', task);
    if (node.kind !== 'scalar') {
        const message = `expected a text for sqlScript, found a ${node.kind}`;
        throw new ParameterError(message, placeOfNode(node, task.reader));
    }
    return withVariables(scalarText(node, task.reader.source), task);
}
function withVariables(text, { parameters, reader }) {
    const isOn = readYesNo((0,yaml_node/* childOf */.GG)(parameters, 'enableVariableResolution'), reader, true);
    return isOn ? resolveText(text, reader.scope) : text;
}
function required(name, { parameters, reader }) {
    const node = (0,yaml_node/* childOf */.GG)(parameters, name);
    if (node !== undefined && !(node.kind === 'scalar' && node.text === ''))
        return node;
    throw new ParameterError(`the parameter ${name} is not set`, placeOfNode(parameters, reader));
}

;// CONCATENATED MODULE: ./engine/orchestration/table-metadata-to-grid.js









const attributes = {
    name: ({ name }) => name,
    type: ({ type }) => (type.name === 'TIMESTAMP' ? 'TIMESTAMP_NTZ' : describeType(type).replace(/\(.*/, '')),
    size: ({ type }) => type.name === 'NUMBER'
        ? String(type.precision)
        : type.name === 'VARCHAR' && type.length !== undefined
            ? String(type.length)
            : '',
    precision: ({ type }) => (type.name === 'NUMBER' ? String(type.scale) : ''),
    'primary key': ({ name }, { primaryKey = [] }) => (primaryKey.includes(name) ? 'Yes' : 'No'),
};
const tableMetadataToGrid = {
    type: 'table-metadata-to-grid',
    summary: 'Replaces the rows of a grid by the columns of a table.',
    parameters: {
        ...tableParameters,
        targetTable: { form: 'text', meaning: 'the table or view' },
        gridVariable: { form: 'text', meaning: 'the grid' },
        gridVariableMapping: {
            form: 'names',
            meaning: '`Name`, `Type`, `Size`, `Precision`, `Primary Key` (`Yes` or `No`), one for each column of the grid, in their order',
        },
    },
    async run(task) {
        const { parameters, reader } = task;
        const name = parameter_reader_readText((0,yaml_node/* childOf */.GG)(parameters, 'gridVariable'), reader);
        if (name === undefined) {
            throw new ParameterError('the parameter gridVariable is not set', placeOfNode(parameters, reader));
        }
        const grid = gridVariable(task, name);
        const table = find_table_existingTable(task, 'targetTable');
        const chosen = readNames((0,yaml_node/* childOf */.GG)(parameters, 'gridVariableMapping'), reader).map((attribute) => {
            const word = attribute.text.trim().toLowerCase();
            const read = Object.hasOwn(attributes, word) ? attributes[word] : undefined;
            if (read !== undefined)
                return read;
            const hint = 'use Name, Type, Size, Precision or Primary Key';
            throw new Refusal(`the attribute "${attribute.text}" of a column`, attribute.placeOf(0), hint);
        });
        if (grid.columns.length > 0 && chosen.length !== grid.columns.length) {
            const counts = `there are ${chosen.length} attributes, but the grid "${name.text}" has ${grid.columns.length} columns: give one for each`;
            throw new ParameterError(counts, placeOfNode(parameters, reader));
        }
        const rows = table.columns.map((column) => chosen.map((read) => read(column, table)));
        setGrid(task, name, rows);
        return { message: `${rows.length} columns of ${tableText(table)} in "${name.text}".` };
    },
};

;// CONCATENATED MODULE: ./engine/orchestration/without-effect.js
const types = {
    'create-file-format': 'Describes files of the warehouse.',
    'alter-warehouse': 'Changes the compute size.',
    'refresh-external-table': 'Finds new files of an external table.',
};
const withoutEffect = Object.entries(types).map(([type, summary]) => ({
    type,
    summary: `${summary} It has no effect in Millrace.`,
    parameters: {},
    ignored: /^/,
    run: async () => ({ message: 'It has no effect in Millrace.' }),
}));

;// CONCATENATED MODULE: ./engine/orchestration/task-types.js












const taskTypes = [
    sqlExecutor,
    sqlScript,
    queryToScalar,
    queryToGrid,
    tableMetadataToGrid,
    createTable,
    createTableV2,
    deleteTables,
    assertTable,
    pythonPushdown,
    pythonScript,
    ...withoutEffect,
];
const knownTypes = [...taskTypes, ...outsideTypes].map(({ type }) => type);
const task_types_byName = new Map(taskTypes.map((type) => [type.type, type]));
async function runTask(task) {
    const type = task_types_byName.get(task.component.type);
    const isAllowed = type?.isPython !== true || task.python !== undefined;
    if (type === undefined || !isAllowed)
        throw missingMock(task, knownTypes);
    checkParameters({ ...task, parameters: withoutIgnored(task.parameters, type) }, type);
    if (type.commitsEach === true || type.isPython === true)
        return type.run(task);
    return task.warehouse.transaction(() => type.run(task));
}
function withoutIgnored(parameters, { ignored }) {
    if (ignored === undefined || parameters.kind !== 'map')
        return parameters;
    const entries = new Map([...parameters.entries].filter(([name]) => !ignored.test(name)));
    return { ...parameters, entries };
}
function parametersOf(component) {
    const node = component.node('parameters');
    return node?.kind === 'map' ? node : { kind: 'map', entries: new Map(), ...component.span };
}

;// CONCATENATED MODULE: ./engine/execution/run-task.js









function runOnWarehouse(component, frame) {
    return withTask(component, frame, (task) => {
        const work = () => located(task, () => runTask(task));
        return frame.run.engine?.repair === undefined ? work() : task.warehouse.transaction(work);
    });
}
async function runMock(component, frame, mock) {
    frame.run.mocked += 1;
    if (mock.outcome === 'failure')
        return failure(mock.message ?? 'the mock lets it fail');
    const result = await withTask(component, frame, (task) => {
        for (const text of noticeTexts(component, task))
            task.notice(text);
        return applyMock(task, mock);
    });
    return { ...result, isReplaced: true };
}
async function tableRounds(component, frame, limit) {
    const sql = [];
    const task = { ...openTask(component, frame, sql, []), maxRows: limit };
    const rounds = await located(task, () => task.warehouse.transaction(() => readTableRounds(task)));
    return { rounds, details: { rowsRead: rounds.length, sql: stepSql(sql) } };
}
function refuseUnmocked(component, frame) {
    throw missingMock(openTask(component, frame, [], []));
}
async function withTask(component, frame, work) {
    const sql = [];
    const notices = [];
    const task = openTask(component, frame, sql, notices);
    const { message, rowsRead, rowsWritten } = await work(task);
    return { ...success(message), details: { rowsRead, rowsWritten, sql: stepSql(sql), notices } };
}
async function located({ component, reader }, work) {
    try {
        return await work();
    }
    catch (error) {
        const { line, column } = component.range;
        throw atPlace(error, { file: reader.source.file, line, column });
    }
}
function openTask(component, frame, sql, notices) {
    const { run, reader, variables, published, now } = frame;
    const engine = engineOf(frame);
    return {
        component,
        parameters: parametersOf(component),
        reader,
        dialect: {
            warehouse: engine.kind,
            catalog: engine.warehouse.catalog,
            defaults: engine.defaults,
            now,
            components: new Map(),
        },
        warehouse: engine.warehouse,
        variables,
        python: engine.python,
        signal: run.forced,
        files: (path) => published.files(path),
        maxRows: run.limits.iterations,
        mockKey: mockKey(component, frame),
        notice: (message) => void notices.push(message),
        runs: (text) => void sql.push(text),
    };
}
function engineOf({ run }) {
    if (run.engine === undefined)
        throw new Error('the execution has no warehouse');
    return run.engine;
}

// EXTERNAL MODULE: ./lib/pipelines/checks/breach.js
var breach = __webpack_require__(4422);
// EXTERNAL MODULE: ./lib/pipelines/checks/dangling-reference.js + 1 modules
var dangling_reference = __webpack_require__(5158);
;// CONCATENATED MODULE: ./engine/dialect/read-type-text.js



function readTypeText(source, kind) {
    const cursor = cursorOver(source, tokenize(source, kind), kind);
    const type = parseAnyType(cursor);
    cursor.expectEndOfDefinition();
    return type;
}

;// CONCATENATED MODULE: ./engine/orchestration/declared-columns.js


function declaredColumns(columns, kind, of) {
    if (columns === undefined)
        return undefined;
    return Object.entries(columns).map(([name, type]) => ({
        name,
        type: readTypeText(sourceText(type, `${of}, column ${name}`), kind),
    }));
}

;// CONCATENATED MODULE: ./engine/execution/scripted-tables.js



async function addScriptedRows({ tables = {}, pipeline }, { warehouse, kind, defaults }) {
    const all = Object.entries(tables).map(([name, { columns, rows }]) => {
        const declared = declaredColumns(columns, kind, `the scripted table ${name} of ${pipeline}`);
        const fault = { part: 'tables', name };
        return [readTableText(name, defaults), { columns: declared, rows }, fault];
    });
    if (all.length > 0)
        await apply_mock_addRows(all, { warehouse, kind });
}

;// CONCATENATED MODULE: ./engine/execution/simulate.js


async function pass(frame, ms) {
    return ms > 0 ? sleep(frame, ms) : !frame.run.forced.aborted;
}
async function breathe(frame) {
    return sleep(frame, 0);
}
async function sleep({ run: { request, forced } }, ms) {
    try {
        await request.clock.sleep(ms, forced);
    }
    catch (error) {
        if (!forced.aborted)
            throw error;
    }
    return !forced.aborted;
}
async function simulate(frame, scripted) {
    const { run } = frame;
    if (!(await pass(frame, scripted?.after ?? run.request.componentTimeMs)))
        return stopped;
    if (scripted?.outcome === 'failure')
        return failure(scripted.message ?? 'a script of the local platform lets it fail (simulated)');
    const refusal = setVariables(frame, scripted);
    if (refusal !== undefined)
        return failure(refusal);
    if (scripted !== undefined && run.engine !== undefined)
        await addScriptedRows(scripted, run.engine);
    return { ...success(scripted?.message ?? 'Simulated.'), isReplaced: true };
}
function setVariables(frame, scripted) {
    if (scripted?.variables === undefined || isStopped(frame))
        return undefined;
    for (const [name, value] of Object.entries(scripted.variables)) {
        const refusal = frame.variables.set(name, value);
        if (refusal !== undefined)
            return refusal;
    }
    return undefined;
}

// EXTERNAL MODULE: ./lib/pipelines/graph.js
var pipelines_graph = __webpack_require__(3825);
;// CONCATENATED MODULE: ./engine/execution/join-inputs.js

function joinInputs(graph, starts) {
    const next = (name) => graph
        .from(name)
        .filter(({ by }) => by !== 'iteration')
        .map(({ to }) => to);
    const live = (0,pipelines_graph/* reachable */.G)(starts, next);
    return (name) => new Set(graph
        .to(name)
        .filter(({ by, from }) => by !== 'iteration' && live.has(from))
        .map(({ from }) => from));
}

;// CONCATENATED MODULE: ./engine/execution/walk-orchestration.js



const maxListedFailures = 10;
async function walkOrchestration(frame, runComponent) {
    const { run, document } = frame;
    const starts = [...document.components.values()].filter(({ type }) => type === 'start');
    if (starts.length === 0)
        return noStart(document.path);
    const inputsOf = joinInputs((0,pipelines_graph/* componentGraph */.Y)(document), starts.map(({ name }) => name));
    const arrived = new Map();
    const visits = new Map();
    const endings = [];
    const joins = ({ name, type }, branch) => {
        const here = arrived.get(name) ?? new Set();
        arrived.set(name, here);
        if (type === 'or') {
            const runs = here.size === 0 || hasPassed(branch, name);
            here.add(branch.name);
            return runs;
        }
        here.add(branch.name);
        if ([...inputsOf(name)].some((input) => !here.has(input)))
            return false;
        here.clear();
        return true;
    };
    const visit = async (component, branch) => {
        const { name, type } = component;
        if (branch !== undefined && (type === 'and' || type === 'or') && !joins(component, branch))
            return;
        const times = (visits.get(name) ?? 0) + 1;
        visits.set(name, times);
        if (times > run.limits.repeats) {
            endAll(run, `Endless loop: transitions led to component "${name}" of pipeline "${document.path}" more than ${run.limits.repeats} times.`);
            return;
        }
        const result = await runComponent(component, frame);
        if (result.status === 'stopped')
            return;
        const targets = nextComponents(component, result).flatMap((to) => document.components.get(to) ?? []);
        const here = result.status === 'failure'
            ? (result.origin ?? failureOf(name, document.path, result.message))
            : undefined;
        const failed = branch?.failed ?? result.failed;
        const before = branch?.failures ?? [];
        const failures = here === undefined || before.length === maxListedFailures ? before : [...before, here];
        if (here !== undefined && (type === 'end-failure' || targets.length === 0)) {
            endings.push({ failures, failed });
            if (type !== 'end-failure')
                frame.end.failed = true;
            return;
        }
        const next = { name, before: branch, failures, failed };
        await Promise.all(targets.map((target) => visit(target, next)));
    };
    await Promise.all(starts.map((start) => visit(start, undefined)));
    if (run.fatal !== undefined || run.stopping)
        return stopped;
    if (endings.length > 0)
        return failureOfEndings(run, endings);
    if (isStopped(frame))
        return stopped;
    noteUnfinishedJoins(frame, arrived, inputsOf);
    return success('');
}
function failureOfEndings({ failures }, endings) {
    const failed = failures.find((one) => endings.some((ending) => ending.failed === one));
    const isFirst = (ending) => ending.failed === failed;
    const inOrder = [...endings.filter(isFirst), ...endings.filter((ending) => !isFirst(ending))];
    const sentences = [...new Set(inOrder.flatMap((ending) => ending.failures))];
    const [first = '', ...later] = sentences;
    const message = later.reduce((text, sentence) => {
        const space = text.includes('\n') ? '\n' : /[.!?…]$/.test(text) ? ' ' : '. ';
        return `${text}${space}Then: ${sentence}`;
    }, first);
    return failure(message, message, failed);
}
function hasPassed(branch, name) {
    for (let at = branch; at !== undefined; at = at.before)
        if (at.name === name)
            return true;
    return false;
}
function noStart(path) {
    const message = `Pipeline "${path}" has no start component: it needs one of the type start.`;
    return failure(message, message);
}
function nextComponents(component, { status, condition }) {
    const kinds = new Set(['unconditional', status === 'failure' ? 'failure' : 'success']);
    if (status === 'success' && component.type === 'if')
        kinds.add(condition === false ? 'false' : 'true');
    return [...new Set(component.transitions.filter(({ on }) => kinds.has(on)).map(({ to }) => to))];
}
function noteUnfinishedJoins({ run, document, step, iteration }, arrived, inputsOf) {
    for (const [name, here] of arrived) {
        const component = document.components.get(name);
        if (component?.type !== 'and' || here.size === 0)
            continue;
        const missing = [...inputsOf(name)].filter((input) => !here.has(input)).map((input) => `"${input}"`);
        const number = run.log.begin({
            parent: step,
            pipeline: document.path,
            component: name,
            type: component.type,
            iteration,
        });
        run.log.end(number, 'SKIPPED', `Did not run: it waits for a branch from ${missing.join(', ')}, and none came.`);
    }
}

;// CONCATENATED MODULE: ./engine/orchestration/missing-output.js





function missingOutput(component, given) {
    const { line, column } = component.range;
    const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
    const types = Object.fromEntries(given.columns.map(({ name, type }) => [name, describeType(type, given.kind)]));
    const columns = Object.keys(types).length === 0 ? '' : `\n      columns: ${typeMap(types)}`;
    const output = `\n    output:${columns}\n      rows:\n        - ${exampleRow(types)}`;
    const isKnown = componentType(component.type) !== undefined;
    const names = isKnown ? [] : componentTypes.map(({ type }) => type);
    const isOfOther = /^(?:start|end-success|end-failure|if|and|or|retry|(?:run|query|sql|create)-.*|.*-iterator)$/.test(component.type);
    const before = isOfOther && !isKnown ? belongsTo('orchestration') : closestType(component.type, names);
    const hint = `${before}mock the component:\nmock:\n  ${yamlText(given.mockKey)}:${given.isRead ? output : ' {}'}`;
    return new Refusal(what, { file: given.file, line, column }, hint);
}

;// CONCATENATED MODULE: ./engine/orchestration/mock-output.js






function mockOutput(given, kind, place) {
    const written = given.columns ?? inferColumns(given.rows, kind);
    const columns = checkColumns(written.map(({ name, type }) => ({ name: storedName(name, kind), type })), place);
    const readers = columns.map((column) => columnTexts(column, kind));
    const rows = apply_mock_cellsOf(given.rows, written).map((cells, row) => readers.map((read, index) => {
        const text = read(cells[index] ?? null, row);
        return text === null ? 'NULL' : quoteText(text);
    }));
    const list = columns
        .map(({ name, type }, index) => `${convertSql(`c${index}`, type)} AS ${quoteName(name)}`)
        .join(', ');
    if (columns.length === 0 || rows.length === 0) {
        const nulls = columns.map(({ name, type }) => `CAST(NULL AS ${duckdbType(type)}) AS ${quoteName(name)}`);
        return { kind: 'rows', sql: `SELECT ${nulls.join(', ')} WHERE FALSE`, columns };
    }
    const [first = [], ...others] = rows;
    const named = first.map((cell, index) => `CAST(${cell} AS VARCHAR) AS c${index}`).join(', ');
    const values = [`SELECT ${named}`, ...others.map((cells) => `SELECT ${cells.join(', ')}`)];
    return { kind: 'rows', sql: `SELECT ${list} FROM (${values.join(' UNION ALL ')})`, columns };
}

;// CONCATENATED MODULE: ./engine/transformation/compose-query.js
function composeQuery(last) {
    const parts = [];
    const seen = new Set();
    const add = (bound) => {
        if (seen.has(bound))
            return;
        seen.add(bound);
        for (const source of bound.sources)
            add(source);
        const materialized = bound.readers > 1 ? 'MATERIALIZED' : 'NOT MATERIALIZED';
        parts.push(`${bound.sqlName} AS ${materialized} (${bound.sql})`);
    };
    add(last);
    return `WITH ${parts.join(', ')} SELECT * FROM ${last.sqlName}`;
}

;// CONCATENATED MODULE: ./engine/transformation/find-culprit.js



async function findCulprit(last, warehouse) {
    for (const bound of inOrder(last)) {
        const error = await errorOf(composeQuery(bound), warehouse);
        if (error === undefined)
            continue;
        const { written = [] } = bound;
        const compose = ({ sql }) => composeQuery({ ...bound, sql });
        const found = await atWritten(error, written, warehouse, compose);
        return { component: bound.component, error: found };
    }
    return undefined;
}
async function atWritten(error, written, warehouse, compose) {
    for (const one of written) {
        const own = await errorOf(compose(one), warehouse);
        if (own !== undefined)
            return atPlace(own, startOf(one.source), { sql: one.source.text, ran: one.sql });
    }
    return error;
}
async function errorOf(query, warehouse) {
    try {
        await warehouse.query(`SELECT bit_xor(hash(q)) FROM (${query}) AS q`, { maxRows: 1 });
    }
    catch (error) {
        if (error instanceof SqlError)
            return error;
        throw error;
    }
    return undefined;
}
function inOrder(last) {
    const seen = new Set();
    const visit = (bound) => {
        if (seen.has(bound))
            return;
        for (const source of bound.sources)
            visit(source);
        seen.add(bound);
    };
    visit(last);
    return seen;
}

;// CONCATENATED MODULE: ./engine/transformation/open-transformation.js







class ComponentFailure extends Error {
    name = 'ComponentFailure';
    component;
    constructor(component, cause) {
        super(cause.message, { cause });
        this.component = component;
    }
}
function openTransformation(context) {
    const { document, warehouse } = context;
    const bound = new Map();
    const readers = countReaders(document);
    const stored = storedComponents(document);
    const hasWriters = [...document.components.values()].some(({ type }) => isWriter(type));
    function bind(component, notices) {
        const given = context.outputs.get(component.name);
        if (given !== undefined)
            return given;
        const isStored = stored.has(component.name);
        const binding = bindingOf(component, bound, { ...context, isStored }, notices);
        const type = knownType(component, binding);
        checkSources(component, type);
        checkParameters(binding, type);
        return type.bind(binding);
    }
    async function run(component) {
        const notices = [];
        const output = bind(component, notices);
        const sources = component.sources.flatMap((name) => bound.get(name) ?? []);
        const named = {
            component: component.name,
            sqlName: `component_${bound.size + 1}`,
            readers: readers.get(component.name) ?? 0,
        };
        if (output.kind === 'write') {
            const result = await write(output, sources);
            const table = output.definesTables ? warehouse.catalog.find(output.target) : undefined;
            if (table !== undefined)
                bound.set(component.name, { ...named, ...open_transformation_rowsOf(table), sources: [] });
            return { ...result, notices };
        }
        const isGiven = context.outputs.has(component.name);
        const rows = { ...named, ...output, sources: isGiven ? [] : sources };
        bound.set(component.name, rows);
        if (!hasWriters && rows.readers === 0)
            await throwCulprit([rows]);
        await open_transformation_addNotices(output, warehouse, notices);
        const message = `${output.columns.length} ${output.columns.length === 1 ? 'column' : 'columns'}.`;
        const rowsRead = context.countsReads ? await countRows(output, warehouse) : undefined;
        return { message, notices, rowsRead, rowsWritten: undefined, sql: [output.sql] };
    }
    function failureAt({ name, range }, error) {
        const place = { file: context.reader.source.file, line: range.line, column: range.column };
        const located = atPlace(error, place);
        return new ComponentFailure(name, located instanceof Error ? located : new Error(String(located)));
    }
    async function throwCulprit(sources) {
        for (const source of sources) {
            const culprit = await findCulprit(source, warehouse);
            const component = culprit && document.components.get(culprit.component);
            if (component !== undefined)
                throw failureAt(component, culprit?.error);
        }
    }
    async function write(output, sources) {
        try {
            const written = await warehouse.transaction(async () => {
                const done = await output.write(warehouse);
                if (output.definesTables)
                    await warehouse.refresh();
                return done;
            });
            const { message, rows } = written;
            return { message, rowsRead: undefined, rowsWritten: rows, sql: output.statements };
        }
        catch (error) {
            if (!(error instanceof SqlError))
                throw error;
            await throwCulprit(sources);
            if (error.place !== undefined)
                throw error;
            throw await atWritten(error, output.written ?? [], warehouse, ({ sql }) => sql);
        }
    }
    return {
        columnsOf: (component) => bound.get(component)?.columns,
        async run(component) {
            try {
                return await run(component);
            }
            catch (error) {
                if (error instanceof ComponentFailure || error instanceof WarehouseStopped)
                    throw error;
                throw failureAt(component, error);
            }
        },
    };
}
function open_transformation_rowsOf({ columns, sql }) {
    const list = columns.map(({ name }) => quoteName(name)).join(', ');
    return { kind: 'rows', sql: `SELECT ${list} FROM ${sql}`, columns };
}
async function open_transformation_addNotices({ checks = [] }, warehouse, notices) {
    for (const { sql, notice } of checks) {
        try {
            const { rows } = await warehouse.query(sql, { maxRows: 1 });
            const text = notice(Number(rows[0]?.[0]));
            if (text !== undefined)
                notices.push(text);
        }
        catch (error) {
            if (!(error instanceof SqlError))
                throw error;
        }
    }
}
async function countRows({ sql, isOfTables }, warehouse) {
    if (isOfTables !== true)
        return undefined;
    const { rows } = await warehouse.query(`SELECT count(*) FROM (${sql})`, { maxRows: 1 });
    return Number(rows[0]?.[0]);
}
function bindingOf(component, bound, given, notices) {
    const { reader, warehouse, kind, defaults, now, isStored, document } = given;
    const inputs = component.sources.map((name) => {
        const rows = bound.get(name);
        if (rows !== undefined)
            return { name, sql: rows.sqlName, columns: rows.columns, query: composeQuery(rows) };
        const why = document.components.has(name) ? 'gives no rows' : 'does not exist';
        throw new SqlError(`the source "${name}" of the component "${component.name}" ${why}`);
    });
    const dialect = {
        warehouse: kind,
        catalog: warehouse.catalog,
        defaults,
        now,
        ...(isStored !== undefined && { isStored }),
        components: new Map(inputs.map((input) => [input.name, input])),
    };
    const parameters = component.node('parameters') ?? { kind: 'map', entries: new Map(), ...component.span };
    const notice = (message) => void notices.push(message);
    return { component, parameters, reader, inputs, dialect, notice };
}
function knownType(component, { reader }) {
    const type = componentType(component.type);
    if (type !== undefined)
        return type;
    const { line, column } = component.range;
    const place = { file: reader.source.file, line, column };
    const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
    throw new Refusal(what, place, 'mock the component');
}
function checkSources(component, { inputs: [least, most] }) {
    const count = component.sources.length;
    if (count >= least && count <= most)
        return;
    const wanted = least === most ? String(least) : `${least} to ${most}`;
    const hint = count < least ? ': name the components that it reads in `sources`' : '';
    throw new SqlError(`the component "${component.name}" has ${count} sources; ${component.type} takes ${wanted}${hint}`);
}
function countReaders({ components }) {
    const readers = new Map();
    for (const { sources } of components.values())
        for (const name of sources)
            readers.set(name, (readers.get(name) ?? 0) + 1);
    return readers;
}
function isWriter(type) {
    return componentType(type)?.group === 'write';
}
function storedComponents({ components }) {
    const stored = new Set();
    const add = (name) => {
        if (stored.has(name))
            return;
        stored.add(name);
        for (const source of components.get(name)?.sources ?? [])
            add(source);
    };
    for (const { name, type } of components.values())
        if (componentType(type)?.storesSql === true)
            add(name);
    return stored;
}

;// CONCATENATED MODULE: ./engine/execution/source-order.js
function sourceOrder(document) {
    const left = new Map(document.components);
    const order = [];
    while (left.size > 0) {
        const ready = [...left.values()].filter(({ sources }) => !sources.some((source) => left.has(source)));
        if (ready.length === 0)
            return { cycle: [...left.keys()] };
        for (const component of ready) {
            order.push(component);
            left.delete(component.name);
        }
    }
    return { order };
}

;// CONCATENATED MODULE: ./engine/parameters/expression-scope.js

function expressionScope(variables, given) {
    return {
        now: given.now,
        text(name) {
            const value = variables.cell(name)?.value;
            return typeof value === 'string' ? value : undefined;
        },
        variable(name) {
            if (name === 'sysvar' && given.sysvar !== undefined)
                return { value: given.sysvar };
            const cell = variables.cell(name);
            return cell === undefined ? undefined : { value: datumOf(cell) };
        },
    };
}
function variableRecord(variables) {
    return new RecordValue([...variables].map(([name, variable]) => [name, datumOf(variable)]));
}
function datumOf({ type, columns, value }) {
    if (typeof value !== 'string') {
        return new RecordValue(columns.map((column, index) => [column, value.map((row) => row[index] ?? '')]));
    }
    if (type !== 'NUMBER')
        return value;
    return value.trim() === '' ? null : Number(value);
}

;// CONCATENATED MODULE: ./engine/execution/system-variables.js


function componentReader(frame, now) {
    return readerWith(frame, now, systemEntries(frame));
}
function resultReader(frame, now, result) {
    const thisComponent = new RecordValue([
        ['rowCount', result.details?.rowsWritten ?? 0],
        ['message', result.message],
        ['status', result.status === 'success' ? 'SUCCESS' : 'FAILED'],
    ]);
    const entries = systemEntries(frame);
    entries.push(['thisComponent', thisComponent]);
    if (result.called !== undefined) {
        entries.push(['childPipeline', new RecordValue([['vars', variableRecord(result.called)]])]);
    }
    return readerWith(frame, now, entries);
}
function readerWith({ document, variables }, now, entries) {
    const scope = expressionScope(variables, { now, sysvar: new RecordValue(entries) });
    return { source: document.source, variables, scope };
}
function systemEntries({ run: { request } }) {
    return [
        ['project', new RecordValue([['id', request.projectId ?? '']])],
        ['environment', new RecordValue([['name', request.environment]])],
        ['rootPipeline', new RecordValue([['executionId', request.id]])],
    ];
}

;// CONCATENATED MODULE: ./engine/execution/run-transformation.js














async function runTransformation(frame, runComponent) {
    const { run } = frame;
    for (;;) {
        const since = run.repairs.count;
        const result = await runOnce(frame, runComponent);
        const { failed } = result;
        if (failed === undefined || result.status !== 'failure' || isStopped(frame))
            return result;
        if (!(await isRepaired(failed, frame, since)))
            return result;
        run.failures.splice(run.failures.indexOf(failed), 1);
    }
}
async function runOnce(frame, runComponent) {
    const { document } = frame;
    const sorted = sourceOrder(document);
    if ('cycle' in sorted) {
        const names = sorted.cycle.map((name) => `"${name}"`).join(', ');
        const message = `Transformation "${document.path}" has a cycle of sources: ${names}.`;
        return failure(message, message);
    }
    let opened;
    try {
        opened = { ...frame, transformation: run_transformation_open(frame) };
    }
    catch (error) {
        if (!(error instanceof ComponentFailure))
            throw error;
        return failUnopened(error, frame);
    }
    let [rowsRead, rowsWritten] = [];
    const unmocked = new Set();
    for (const component of sorted.order) {
        if (component.sources.some((source) => unmocked.has(source))) {
            unmocked.add(component.name);
            continue;
        }
        const result = await runComponent(component, opened);
        if (result.status === 'success') {
            rowsRead = run_transformation_sum(rowsRead, result.details?.rowsRead);
            rowsWritten = run_transformation_sum(rowsWritten, result.details?.rowsWritten);
            continue;
        }
        if (result.status === 'stopped')
            return result;
        const { failed, message } = result;
        if (passesUnmocked(frame, result)) {
            unmocked.add(component.name);
            continue;
        }
        const origin = result.origin ?? failureOf(failed?.component ?? component.name, document.path, message);
        return failure(origin, origin, failed);
    }
    return { ...success(''), details: { rowsRead, rowsWritten } };
}
function failUnopened({ component, cause }, { run, document }) {
    const { message, mockFault } = failureOfError(cause);
    const failed = { pipeline: document.path, component, message, mockFault };
    run.failures.push(failed);
    const origin = failureOf(component, document.path, message);
    return failure(origin, origin, failed);
}
function run_transformation_sum(a, b) {
    return a === undefined ? b : a + (b ?? 0);
}
function run_transformation_open(frame) {
    const { run, document } = frame;
    const { engine } = run;
    if (engine === undefined)
        return undefined;
    const now = run.request.clock.now();
    const transformation = openTransformation({
        document,
        warehouse: engine.warehouse,
        kind: engine.kind,
        defaults: engine.defaults,
        now,
        reader: componentReader(frame, now),
        outputs: outputsOf(frame, engine.kind),
        countsReads: engine.countsReads ?? false,
    });
    return { transformation, steps: new Map() };
}
function outputsOf(frame, kind) {
    const outputs = new Map();
    for (const component of frame.document.components.values()) {
        const output = mockOf(component, frame)?.output;
        if (output === undefined)
            continue;
        const { line, column } = component.range;
        try {
            outputs.set(component.name, mockOutput(output, kind, { file: frame.document.path, line, column }));
        }
        catch (error) {
            throw new ComponentFailure(component.name, mockError(error, { part: 'output' }));
        }
    }
    return outputs;
}
async function runTransformed(component, frame, { transformation, steps }) {
    if (frame.step !== null)
        steps.set(component.name, frame.step);
    if (componentType(component.type) === undefined && mockOf(component, frame)?.output === undefined) {
        const columns = component.sources.flatMap((name) => transformation.columnsOf(name) ?? []);
        throw withoutOutput(component, frame, columns);
    }
    try {
        const { message, notices, rowsRead, rowsWritten, sql } = await transformation.run(component);
        return { ...success(message), details: { rowsRead, rowsWritten, sql: stepSql(sql), notices } };
    }
    catch (error) {
        if (!(error instanceof ComponentFailure))
            return failureOfError(error);
        const { cause } = error;
        if (cause instanceof NeedsMock)
            return failureOfError(withoutOutput(component, frame, cause.columns));
        const result = failureOfError(cause);
        if (error.component === component.name || result.status !== 'failure')
            return result;
        return failEarlier(error.component, result, frame, steps);
    }
}
function withoutOutput(component, frame, columns) {
    const { path, components } = frame.document;
    return missingOutput(component, {
        file: path,
        mockKey: mockKey(component, frame),
        kind: frame.run.engine?.kind ?? 'WAREHOUSE_ONE',
        columns,
        isRead: [...components.values()].some(({ sources }) => sources.includes(component.name)),
    });
}
function failEarlier(component, { message, place, sql, refusal, details }, { run, document }, steps) {
    const failed = { pipeline: document.path, component, message, place, sql, refusal };
    run.failures.push(failed);
    const step = steps.get(component);
    if (step !== undefined)
        run.log.end(step, 'FAILED', message, details);
    return {
        ...failure(`"${component}" failed: ${message}`, failureOf(component, document.path, message), failed),
        refusal,
    };
}

;// CONCATENATED MODULE: ./engine/execution/run-pipeline.js









async function runPipeline(run, call, runComponent) {
    const { published, path, given, caller } = call;
    const chain = [...(caller?.chain ?? []), path];
    const depth = (caller?.depth ?? 0) + 1;
    if (depth > run.limits.depth)
        return endAll(run, tooDeep(chain, run.limits.depth));
    const document = run.read(published, path);
    if (document === undefined)
        return outright(`This version has no pipeline "${path}".`);
    if (published === run.request)
        run.called.add(path);
    const [problem] = document.problems;
    if (problem !== undefined) {
        const { line, column, message } = problem;
        return outright(`Pipeline "${path}" cannot be read: line ${line}, column ${column}: ${message}.`);
    }
    if (run.engine !== undefined) {
        const [missing] = (0,breach/* firstBreaches */.Yr)((0,dangling_reference/* danglingReferences */.p)(document));
        if (missing !== undefined)
            return outright(noSuchComponent(missing));
    }
    const declared = pipelineVariables(document, run.project, given);
    if ('refusal' in declared)
        return outright(`Pipeline "${path}" could not start: ${declared.refusal}.`);
    if (caller === undefined)
        run.variables = declared.variables;
    const frame = {
        run,
        published,
        document,
        variables: declared.variables,
        chain,
        depth,
        step: caller?.step ?? null,
        iteration: caller?.iteration ?? null,
        end: { failed: false },
        parent: caller,
        transformation: undefined,
    };
    const scripted = run.script.take(path, undefined, run.request.environment);
    if (scripted !== undefined) {
        if (!(await pass(frame, scripted.after ?? run.request.componentTimeMs)))
            return stopped;
        if (scripted.outcome !== 'failure')
            return succeed(scripted, run);
        return outright(`Pipeline "${path}" failed: ${scripted.message ?? 'a script of the local platform lets it fail (simulated)'}`);
    }
    const result = document.kind === 'transformation'
        ? await runTransformation(frame, runComponent)
        : await walkOrchestration(frame, runComponent);
    return { ...result, called: declared.variables.all() };
}
function givenByRequest({ scalarVariables, gridVariables }) {
    return { scalars: Object.entries(scalarVariables), grids: Object.entries(gridVariables) };
}
function noSuchComponent({ file, range: { line, column }, message }) {
    return `Pipeline "${file}" cannot run: ${file}:${line}:${column}: ${message}`;
}
function outright(sentence) {
    return failure(sentence, sentence);
}
async function succeed(scripted, { engine }) {
    try {
        if (engine !== undefined)
            await addScriptedRows(scripted, engine);
        return success(scripted.message ?? '');
    }
    catch (error) {
        return failureOfError(error);
    }
}
function tooDeep(chain, limit) {
    const last = chain.at(-1) ?? '';
    const before = chain.lastIndexOf(last, -2);
    const cycle = (before < 0 ? chain : chain.slice(before)).map((path) => `"${path}"`).join(' → ');
    return `Pipelines call each other more than ${limit} deep: ${cycle}.`;
}

;// CONCATENATED MODULE: ./engine/execution/run-call.js















async function runCall(component, frame, runComponent, scripted) {
    const { published } = frame;
    const call = (0,calls/* callOf */.C8)(component);
    if (call === undefined)
        return simulate(frame, scripted);
    const target = replaceVariables(call.target, component, frame);
    if (target === '') {
        const parameter = call.kind === 'shared' ? 'pipelineName' : `${call.kind}Job`;
        return failure(`it does not name the pipeline to run: set ${parameter}`);
    }
    const given = {
        scalars: readScalars(component.parameter('setScalarVariables'), frame.reader),
        grids: readGrids(component.parameter('setGridVariables'), frame.reader),
    };
    if (call.kind === 'shared')
        return runShared({ call, target, given }, frame, runComponent, scripted);
    const path = (0,calls/* resolveCall */.XC)(target, { has: (name) => published.paths.includes(name) }, call.kind);
    if (path === undefined)
        return failure(unknownPipeline({ target, kind: call.kind, caller: frame.document.path }, published.paths));
    return enter(frame, published, path, given, runComponent);
}
function unknownPipeline(call, paths) {
    const meant = (0,nearest_pipeline/* nearestPipeline */.z)(call, paths);
    const hint = meant === undefined ? '' : `; ${(0,look_alike/* didYouMean */.au)(call.target, (0,pipeline_kind/* withoutSuffix */.al)(meant))}`;
    return `the ${call.kind} "${call.target}" was not found${hint}`;
}
function unknownShared(target, shared) {
    const source = shared?.pipelines.get((0,calls/* sharedReferenceOf */.or)(target)?.id ?? '');
    if (source !== undefined)
        return `the shared pipeline "${target}" is "${source}" in shared-pipelines.yaml, which does not exist`;
    const names = [...(shared?.pipelines.keys() ?? [])].map((id) => `${shared?.prefix}#${id}`);
    return `this project has no shared pipeline "${target}" in shared-pipelines.yaml${(0,did_you_mean/* meantClause */.bz)(target, names)}`;
}
async function runShared(given, frame, runComponent, scripted) {
    const { call, target } = given;
    const { run, published } = frame;
    const shared = (0,calls/* sharedReferenceOf */.or)(target);
    if (shared === undefined)
        return failure(`"${target}" is not the name of a shared pipeline, which is prefix#id`);
    const { ownShared } = run.request;
    if ((0,calls/* ownReferenceOf */.bj)({ ...call, target }, ownShared) !== undefined) {
        const targets = { has: (name) => published.paths.includes(name), shared: ownShared };
        const path = (0,calls/* calledPath */.v)({ ...call, target }, targets);
        if (path === undefined)
            return failure(unknownShared(target, ownShared));
        return enter(frame, published, path, given.given, runComponent);
    }
    if (run.request.shared === undefined) {
        if (run.engine === undefined)
            return simulate(frame, scripted);
        return refuseUnmocked(call.component, frame);
    }
    const version = replaceVariables(call.version ?? '[Latest]', call.component, frame);
    const found = run.request.shared(shared.prefix, shared.id, version);
    if (found === undefined) {
        return failure(`the shared pipeline "${target}" has no version ${version} that can run`);
    }
    return enter(frame, found, found.pipeline, given.given, runComponent);
}
function readScalars(node, reader) {
    return readRows(node, reader).flatMap(({ cells: [name, value] }) => name === undefined || name.text === '' ? [] : [[name.text, value?.text ?? '']]);
}
function readGrids(node, reader) {
    return (0,yaml_node/* itemsOf */.S3)(node).map((item) => {
        const name = (0,yaml_node/* textOf */.b6)((0,yaml_node/* childOf */.GG)(item, 'variable')) ?? '';
        if (name === '') {
            const message = 'a grid in setGridVariables has no `variable`, the name of the variable to set';
            throw new ParameterError(message, placeOfNode(item, reader));
        }
        const values = (0,yaml_node/* childOf */.GG)(item, 'gridValues');
        const status = parameter_reader_readText((0,yaml_node/* childOf */.GG)(item, 'status'), reader)?.text.trim().toLowerCase();
        if (status !== 'grid' && status !== 'values') {
            throw new Refusal(`the status "${status ?? ''}" of a grid`, placeOfNode(item, reader), 'use grid or values');
        }
        if ((status === 'grid') !== ((0,yaml_node/* childOf */.GG)(values, 'fromGrid') !== undefined)) {
            const needed = status === 'grid' ? '`gridValues` has no `fromGrid`' : '`gridValues` has a `fromGrid`';
            throw new ParameterError(`the status of the grid "${name}" is ${status}, but ${needed}`, placeOfNode(item, reader));
        }
        return [name, readRows(values, reader).map(({ cells }) => cells.map(({ text }) => text))];
    });
}
async function enter(frame, published, path, given, runComponent) {
    const result = await runPipeline(frame.run, { published, path, given, caller: frame }, runComponent);
    return result.status === 'success' ? { ...result, ...success(result.message || `Ran "${path}".`) } : result;
}

;// CONCATENATED MODULE: ./engine/execution/mocked-rounds.js







function mockedRounds(component, frame, rows) {
    const names = (0,iterator/* iterationOf */.r)(component)?.variables ?? [];
    const sources = sourcesOf(component);
    const types = new Map(inferColumns(rows, 'WAREHOUSE_ONE').map(({ name, type }) => [name, type]));
    const unknown = names.find((name) => frame.variables.cell(name) === undefined);
    if (unknown !== undefined)
        throw new SqlError(`the variable "${unknown}" is not defined`);
    const rounds = rows.map((row, index) => {
        const cells = names.map((name) => {
            const key = keyOf(row, [name, ...(sources.get(name) ?? [])]);
            if (key === undefined) {
                const message = `row ${index + 1} of the mock has no value for the variable "${name}"`;
                throw new MockError(message, { part: 'rows', row: index + 1 });
            }
            const type = types.get(key);
            const cell = row[key] ?? null;
            const value = cell instanceof WrittenCell ? (cell.valueFor(type ?? cell.type) ?? null) : cell;
            return [name, type === undefined ? '' : value_text_valueText(value, type)];
        });
        return Object.fromEntries(cells);
    });
    return component.type === 'file-iterator' ? filterFiles(component, frame, rounds) : rounds;
}
function sourcesOf(component) {
    const sources = new Map();
    const isFile = component.type === 'file-iterator';
    const parameters = isFile
        ? ['variables']
        : ['columnMapping1', 'columnMapping', 'gridIteratorVariableMapping'];
    for (const [first = '', second = ''] of parameters.flatMap((name) => (0,grid/* gridOf */.y)(component.parameter(name)))) {
        const [variable, source] = isFile ? [first, second] : [second, first];
        sources.set(variable, [...(sources.get(variable) ?? []), source]);
    }
    return sources;
}
function keyOf(row, names) {
    const wanted = names.map((name) => name.toLowerCase());
    return Object.keys(row).find((key) => wanted.includes(key.toLowerCase()));
}
function filterFiles(component, frame, rounds) {
    const most = Number(parameterText(component, 'maxIterations', frame) ?? '');
    return most > 0 ? rounds.slice(0, most) : rounds;
}

;// CONCATENATED MODULE: ./engine/execution/iteration-rows.js







async function iterationRounds(component, frame, scripted, limit, show) {
    const { variables, run } = frame;
    const mocked = mockOf(component, frame)?.rows;
    if (mocked !== undefined)
        return mockedRounds(component, frame, mocked);
    if (component.type === 'table-iterator' && run.engine !== undefined && scripted?.rows === undefined) {
        const { rounds, details } = await tableRounds(component, frame, limit);
        show(details);
        return rounds;
    }
    if (component.type === 'file-iterator' && run.engine !== undefined && scripted?.rows === undefined) {
        return refuseUnmocked(component, frame);
    }
    const names = (0,iterator/* iterationOf */.r)(component)?.variables ?? [];
    const unknown = names.find((name) => variables.cell(name) === undefined);
    if (unknown !== undefined)
        return `the variable "${unknown}" is not defined`;
    const rows = iteration_rows_rowsOf(component, frame, names, scripted, limit);
    if (typeof rows === 'string')
        return rows;
    return rows.slice(0, limit + 1).map((row) => roundOf(names, row));
}
function iteration_rows_rowsOf(component, frame, names, scripted, limit) {
    if (scripted?.rows !== undefined)
        return scripted.rows;
    switch (component.type) {
        case 'fixed-iterator':
            return readRows(component.parameter('iterationValues'), frame.reader).map(({ cells }) => cells.map(({ text }) => text));
        case 'loop-iterator':
            return loopRows(component, frame, limit);
        case 'grid-iterator':
            return iteration_rows_gridRows(component, frame.variables);
        default:
            return [names.map((name) => iteration_rows_textValue(frame.variables, name))];
    }
}
function loopRows(component, frame, limit) {
    const read = (...parameters) => {
        const written = parameters
            .map((name) => parameterText(component, name, frame))
            .find((text) => text !== undefined);
        return written === undefined || written === '' ? undefined : Number(written);
    };
    const start = read('startingValue', 'startValue');
    const end = read('endValue', 'endingValue');
    const step = read('incrementValue', 'increment') ?? 1;
    if (start === undefined || end === undefined)
        return 'the loop needs startingValue and endValue, and one of them is not set';
    if (![start, end, step].every(Number.isFinite))
        return 'startingValue, endValue and incrementValue of the loop must be numbers, and one of them is not';
    if (step === 0)
        return 'incrementValue is 0, so the loop would not end; set it to another number';
    const count = Math.max(0, Math.floor((end - start) / step) + 1);
    return Array.from({ length: Math.min(count, limit + 1) }, (_, index) => [String(start + index * step)]);
}
function iteration_rows_gridRows(component, variables) {
    const name = component.text('gridVariable') ?? '';
    const cell = variables.cell(name);
    if (cell === undefined)
        return `the variable "${name}" is not defined`;
    if (typeof cell.value === 'string')
        return `the variable "${name}" is not a grid`;
    const columns = (0,grid/* gridOf */.y)(component.parameter('gridIteratorVariableMapping')).map((row, place) => {
        const column = row.length > 1 ? (row[0] ?? '') : '';
        const index = cell.columns.length === 0 || column === '' ? place : findGridColumn(cell.columns, column);
        return { column, index };
    });
    const lost = columns.find(({ index }) => index < 0);
    if (lost !== undefined) {
        return `the grid "${name}" has no column "${lost.column}"${knownColumns(cell.columns)}`;
    }
    return cell.value.map((row) => columns.map(({ index }) => row[index] ?? ''));
}
function roundOf(names, row) {
    return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
}
function iteration_rows_textValue(variables, name) {
    const value = variables.cell(name)?.value;
    return typeof value === 'string' ? value : '';
}

;// CONCATENATED MODULE: ./engine/execution/run-iterator.js




async function runIterator(component, frame, runComponent, scripted) {
    const { run, document } = frame;
    const target = document.components.get(component.iterationTarget ?? '');
    if (target === undefined)
        return failure('it has nothing to repeat: set `iterationTarget` to a component of this pipeline');
    if (frame.depth >= run.limits.depth) {
        return endAll(run, `Iterators nest more than ${run.limits.depth} deep at "${component.name}".`);
    }
    let details;
    const show = (shown) => void (details = shown);
    const rounds = await iterationRounds(component, frame, scripted, run.limits.iterations, show);
    if (typeof rounds === 'string')
        return failure(rounds);
    if (rounds.length > run.limits.iterations) {
        return failure(`it has more than ${run.limits.iterations} rounds, the limit of the engine`);
    }
    const runRound = async (round, index) => {
        if (isStopped(frame))
            return stopped;
        const inRound = frameOf(frame, component.name, round, index + 1);
        for (const [name, value] of Object.entries(round)) {
            const refusal = inRound.variables.set(name, value);
            if (refusal !== undefined)
                return failure(refusal);
        }
        return runComponent(target, inRound);
    };
    const results = [];
    if (parameterText(component, 'concurrency', frame)?.trim().toLowerCase() === 'concurrent') {
        results.push(...(await Promise.all(rounds.map(runRound))));
    }
    else {
        const breaks = readYesNo(component.parameter('breakOnFailure'), frame.reader, false);
        for (const [index, round] of rounds.entries()) {
            const result = await runRound(round, index);
            results.push(result);
            if (result.status === 'stopped' || (breaks && result.status === 'failure'))
                break;
        }
    }
    return { ...run_iterator_summary(results, rounds, target, frame, scripted), details };
}
function frameOf(frame, iterator, variables, index) {
    return {
        ...frame,
        variables: frame.variables.fork(),
        iteration: { iterator, index, variables },
        depth: frame.depth + 1,
    };
}
function run_iterator_summary(results, rounds, target, frame, scripted) {
    const at = results.findIndex(({ status }) => status === 'failure');
    const failed = results[at];
    if (failed !== undefined) {
        const values = Object.entries(rounds[at] ?? {}).map(([name, value]) => `${name}=${value}`);
        const where = `round ${at + 1} of ${rounds.length}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
        return failure(`${where} failed: ${failed.message}`, failed.origin ?? failureOf(target.name, frame.document.path, `${failed.message}, in ${where}`), failed.failed);
    }
    if (results.some(({ status }) => status === 'stopped'))
        return stopped;
    return success(scripted?.message ?? `${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}.`);
}

;// CONCATENATED MODULE: ./engine/execution/run-retry.js





const defaultRetries = 2;
async function runRetry(component, frame, runComponent) {
    const { limits } = frame.run;
    const target = frame.document.components.get(component.iterationTarget ?? '');
    if (target === undefined)
        return success('It has no component to repeat. The pipeline continues as after a success.');
    if (frame.depth >= limits.depth) {
        return endAll(frame.run, `Components nest more than ${limits.depth} deep at "${component.name}".`);
    }
    const written = parameterText(component, 'numberOfRetries', frame);
    const retries = written === undefined ? defaultRetries : Number(written);
    if (!Number.isInteger(retries) || retries < 0)
        return failure(`expected a number of retries for numberOfRetries, found "${written}"`);
    const delayMs = readDelay(component, frame);
    const attempts = Math.min(retries + 1, limits.iterations);
    for (let attempt = 1;; attempt += 1) {
        const iteration = { iterator: component.name, index: attempt, variables: {} };
        const result = await runComponent(target, { ...frame, iteration, depth: frame.depth + 1 });
        if (result.status === 'success')
            return success(`Succeeded at attempt ${attempt}.`);
        if (result.status === 'stopped')
            return result;
        if (attempt >= attempts) {
            const times = attempts === 1 ? 'once' : `${attempts} times`;
            return failure(`"${target.name}" failed ${times}; the last error: ${result.message}`, result.origin, result.failed);
        }
        if (!(await pass(frame, delayMs)))
            return stopped;
    }
}
function readDelay(component, { reader }) {
    const node = component.parameter('retryDelay');
    const written = parameter_reader_readText(node, reader)?.text.trim() ?? '';
    if (node === undefined || written === '' || written.toLowerCase() === 'retry immediately')
        return 0;
    if (/^\d+(?:\.\d+)?$/.test(written))
        return Number(written) * 1_000;
    const hint = 'use Retry immediately or a number of seconds for retryDelay';
    throw new Refusal(`the delay "${written}" of a retry`, placeOfNode(node, reader), hint);
}

;// CONCATENATED MODULE: ./engine/execution/variable-components.js






function updateScalars(component, frame) {
    const { variables, run } = frame;
    const parts = [];
    for (const row of rowNodes(component.parameter('scalarsToUpdate'))) {
        const name = (0,yaml_node/* itemsOf */.S3)(row)[0];
        try {
            for (const [target, text] of variable_components_cellsOf(row, frame)) {
                const refusal = variables.set(target, text);
                if (refusal !== undefined)
                    return failure(refusal);
                parts.push(`${target}=${text}`);
            }
        }
        catch (error) {
            if (!(error instanceof Refusal) || run.engine !== undefined)
                throw error;
            const written = name?.kind === 'scalar' ? name.text : '';
            parts.push(`${written} keeps its value, because the new one cannot be computed in a simulated execution`);
        }
    }
    return success(parts.join(', '));
}
function rowNodes(node) {
    if ((0,yaml_node/* childOf */.GG)(node, 'fromGrid') !== undefined && node !== undefined)
        return [node];
    return (0,yaml_node/* itemsOf */.S3)(node).map((item) => ({ kind: 'list', items: [item], start: item.start, end: item.end }));
}
function variable_components_cellsOf(node, { reader }) {
    return readRows(node, reader).map(({ cells: [name, value] }) => [name?.text ?? '', value?.text ?? '']);
}
function appendToGrid(component, frame) {
    expectOperation(component, frame, 'Append');
    const name = parameterText(component, 'targetGridVariable', frame) ?? '';
    const grid = gridOf(name, frame);
    if (typeof grid === 'string')
        return failure(grid);
    const rows = valueRows(component.parameter('valuesGrid'), frame);
    frame.variables.setGrid(name, [...grid, ...rows]);
    return success(`${rows.length} ${rows.length === 1 ? 'row' : 'rows'} added to "${name}".`);
}
function removeFromGrid(component, frame) {
    const operation = expectOperation(component, frame, 'In', 'Not In');
    const name = parameterText(component, 'targetGridVariable', frame) ?? '';
    const grid = gridOf(name, frame);
    if (typeof grid === 'string')
        return failure(grid);
    const columns = frame.variables.cell(name)?.columns ?? [];
    const keys = readNames(component.parameter('keyColumns'), frame.reader).map(({ text }) => text);
    if (keys.length === 0)
        return failure('`keyColumns` is empty: list the columns that identify a row');
    const places = keys.map((key) => findGridColumn(columns, key));
    const missing = keys[places.indexOf(-1)];
    if (missing !== undefined)
        return failure(`the grid "${name}" has no column "${missing}"${knownColumns(columns)}`);
    const given = new Set(valueRows(component.parameter('valuesGrid'), frame).map((row) => JSON.stringify(keys.map((_, index) => row[index] ?? ''))));
    const isGiven = (row) => given.has(JSON.stringify(places.map((place) => row[place] ?? '')));
    const kept = grid.filter((row) => isGiven(row) === (operation === 'Not In'));
    frame.variables.setGrid(name, kept);
    const count = grid.length - kept.length;
    return success(`${count} ${count === 1 ? 'row' : 'rows'} removed from "${name}".`);
}
function printVariables(component, frame) {
    const { variables, reader } = frame;
    const named = readYesNo(component.parameter('includeVariableName'), reader, true);
    const lines = [];
    for (const { cells } of readRows(component.parameter('variablesToPrint'), reader)) {
        const name = cells[0]?.text ?? '';
        const cell = variables.cell(name);
        if (cell === undefined)
            return failure(`the variable "${name}" is not defined`);
        const value = typeof cell.value === 'string' ? cell.value : JSON.stringify(cell.value);
        lines.push(named ? `${name}=${value}` : value);
    }
    return success((parameterText(component, 'prefixText', frame) ?? '') + lines.join(', '));
}
function gridOf(name, { variables }) {
    const cell = variables.cell(name);
    if (cell === undefined)
        return `the variable "${name}" is not defined`;
    return typeof cell.value === 'string' ? `the variable "${name}" is not a grid` : cell.value;
}
function valueRows(node, { reader }) {
    return readRows(node, reader).map(({ cells }) => cells.map(({ text }) => text));
}
function expectOperation(component, frame, ...known) {
    const operation = parameterText(component, 'operation', frame) ?? known[0];
    const found = known.find((each) => each.toLowerCase() === operation.trim().toLowerCase());
    if (found !== undefined)
        return found;
    const { line, column } = component.range;
    const place = { file: frame.document.path, line, column };
    const hint = `use ${known.join(' or ')}`;
    throw new Refusal(`${component.type} with the operation "${operation}"`, place, hint);
}

;// CONCATENATED MODULE: ./engine/execution/run-component.js





















const passThrough = () => success('');
const endInFailure = () => failure('the branch ended in this end-failure component');
const actOf = {
    start: passThrough,
    and: passThrough,
    or: passThrough,
    'end-success': passThrough,
    'end-failure': endInFailure,
    if: decide,
    retry: runRetry,
    'fixed-iterator': runIterator,
    'loop-iterator': runIterator,
    'grid-iterator': runIterator,
    'table-iterator': runIterator,
    'file-iterator': runIterator,
    'run-orchestration': runCall,
    'run-transformation': runCall,
    'run-shared-pipeline': runCall,
    'update-scalar': updateScalars,
    'append-to-grid': appendToGrid,
    'remove-from-grid': removeFromGrid,
    'print-variables': printVariables,
};
const acts = new Map(Object.entries(actOf));
const breathEvery = 100;
const stepStatuses = { success: 'SUCCESS', failure: 'FAILED', stopped: 'CANCELLED' };
async function runComponent(component, frame) {
    const { run, document, iteration } = frame;
    if (isStopped(frame))
        return stopped;
    const { name, type, skipped } = component;
    run.components += 1;
    if (run.components > run.limits.steps) {
        const last = `the last was "${name}" of pipeline "${document.path}"`;
        return endAll(run, `More than ${run.limits.steps} components ran, the limit of an execution; ${last}.`);
    }
    if (run.components % breathEvery === 0 && !(await breathe(frame)))
        return stopped;
    const step = run.log.begin({
        parent: frame.step,
        pipeline: document.path,
        component: name,
        type,
        iteration,
    });
    const ended = skipped
        ? success('Skipped. The pipeline continues as after a success.')
        : await performRepaired(component, { ...frame, step }).catch((error) => endAll(run, `Millrace itself failed at "${name}": ${run_component_reasonOf(error)}.`));
    const result = withSeedHint(ended, component, frame);
    if (result.status === 'stopped' && !isStopped(frame))
        endAll(run, 'The warehouse was stopped.');
    const status = skipped ? 'SKIPPED' : stepStatuses[result.status];
    run.log.end(step, status, result.message, result.details);
    if (result.status !== 'failure' || result.failed !== undefined)
        return result;
    const failed = failedComponent(component, frame, result);
    run.failures.push(failed);
    return passesUnmocked(frame, result) && frame.transformation === undefined
        ? success('')
        : { ...result, failed };
}
function withSeedHint(result, { name }, { run, document }) {
    if (run.engine === undefined || run.engine.mocks !== undefined)
        return result;
    const entry = `{ pipeline: ${yamlText((0,pipeline_kind/* withoutSuffix */.al)(document.path))}, component: ${yamlText(name)}, outcome: success }`;
    const advice = `say its result in the seed of the local platform: executions: [${entry}]`;
    const { refusal } = result;
    const hint = refusal?.hint;
    if (refusal === undefined || hint === undefined) {
        const message = result.message.replace(/(?<=(?:, or|:) )mock the component(?=$|\n)/, () => advice);
        return { ...result, message };
    }
    const seedHint = hint.replace(/mock the component\b[^]*$/, () => advice);
    const message = result.message.replace(hint, () => seedHint);
    return { ...result, message, refusal: { ...refusal, hint: seedHint } };
}
async function performRepaired(component, frame) {
    const { run } = frame;
    for (;;) {
        const since = run.repairs.count;
        const now = run.request.clock.now();
        const result = await perform(component, { ...frame, now, reader: componentReader(frame, now) });
        if (result.status !== 'failure' || result.failed !== undefined)
            return result;
        if (frame.transformation !== undefined || isStopped(frame))
            return result;
        if (!(await isRepaired(failedComponent(component, frame, result), frame, since)))
            return result;
    }
}
function failedComponent({ name }, { document }, { message, place, sql, refusal, mockFault }) {
    return { pipeline: document.path, component: name, message, place, sql, refusal, mockFault };
}
async function perform(component, frame) {
    try {
        return await choose(component, frame);
    }
    catch (error) {
        return failureOfError(error);
    }
}
async function choose(component, frame) {
    const { run, document, transformation } = frame;
    if (run.engine === undefined)
        checkTexts(component, frame.reader);
    const scripted = run.script.take(document.path, component.name, run.request.environment);
    if (isFinal(scripted))
        return simulate(frame, scripted);
    const mock = mockOf(component, frame);
    if (mock !== undefined)
        return runMocked(component, frame, mock);
    if (transformation !== undefined)
        return runTransformed(component, frame, transformation);
    const act = document.kind === 'orchestration' ? acts.get(component.type) : undefined;
    if (act === undefined && run.engine === undefined)
        return simulate(frame, scripted);
    if (scripted?.after !== undefined && !(await pass(frame, scripted.after)))
        return stopped;
    const refusal = setVariables(frame, scripted);
    if (refusal !== undefined)
        return failure(refusal);
    const result = await (act ?? runOnWarehouse)(component, frame, runComponent, scripted);
    return postProcess(component, frame, result);
}
async function runMocked(component, frame, mock) {
    const { transformation } = frame;
    const fails = mock.outcome === 'failure';
    if (!fails && mock.output !== undefined && transformation !== undefined) {
        frame.run.mocked += 1;
        return runTransformed(component, frame, transformation);
    }
    const isIterator = frame.document.kind === 'orchestration' && component.type.endsWith('-iterator');
    if (!isIterator || fails || mock.rows === undefined) {
        const result = await runMock(component, frame, mock);
        if (component.type !== 'if' || result.status !== 'success')
            return result;
        if (mock.condition === undefined)
            return failure('the mock of an `if` needs a `condition`');
        return { ...result, ...answer(mock.condition, '(mocked)') };
    }
    const { rows: _, ...effects } = mock;
    const result = await runMock(component, frame, effects);
    return result.status === 'success' ? runIterator(component, frame, runComponent, undefined) : result;
}
function isFinal(scripted) {
    if (scripted?.outcome === undefined)
        return false;
    const finds = scripted.rows !== undefined || scripted.condition !== undefined;
    return scripted.outcome === 'failure' || !finds;
}
function run_component_reasonOf(error) {
    return error instanceof Error ? error.message : 'unknown reason';
}
function decide(component, frame, _run, scripted) {
    if (scripted?.condition !== undefined)
        return answer(scripted.condition, scripted.message ?? '(scripted)');
    try {
        return answer(evaluateCondition(component, frame), '');
    }
    catch (error) {
        if (!(error instanceof Refusal) || frame.run.engine !== undefined)
            throw error;
        frame.run.assumed.add(`"${component.name}" of "${frame.document.path}"`);
        return answer(true, '(assumed: it cannot be evaluated here)');
    }
}
function answer(condition, note) {
    return { status: 'success', message: `Condition is ${condition} ${note}`.trim(), condition };
}
function postProcess(component, frame, result) {
    const node = component.node('postProcessing');
    if ((0,yaml_node/* isEmpty */.Im)(node) || result.status !== 'success' || result.isReplaced === true)
        return result;
    const reader = resultReader(frame, frame.now, result);
    const grids = (0,yaml_node/* childOf */.GG)(node, 'updateGridVariables');
    if (grids !== undefined && !(0,yaml_node/* isEmpty */.Im)(grids)) {
        throw new Refusal('`updateGridVariables` after a component', placeOfNode(grids, reader));
    }
    for (const { cells } of readRows((0,yaml_node/* childOf */.GG)(node, 'updateScalarVariables'), reader)) {
        const refusal = frame.variables.set(cells[0]?.text ?? '', cells[1]?.text ?? '');
        if (refusal !== undefined)
            return failure(refusal);
    }
    const message = parameter_reader_readText((0,yaml_node/* childOf */.GG)(node, 'updateOutputMessage'), reader)?.text;
    return message === undefined ? result : { ...result, message };
}

;// CONCATENATED MODULE: ./engine/execution/step-log.js
function openStepLog(clock, kept, changed) {
    const steps = new Map();
    let last = 0;
    const now = () => new Date(clock.now()).toISOString();
    return {
        begin(step) {
            last += 1;
            steps.set(last, {
                number: last,
                ...step,
                status: 'RUNNING',
                startedAt: now(),
                finishedAt: null,
                message: '',
            });
            if (steps.size > kept)
                steps.delete(oldest(steps));
            changed();
            return last;
        },
        end(number, status, message, details) {
            const step = steps.get(number);
            if (step === undefined)
                return;
            steps.set(number, { ...step, status, message, finishedAt: now(), ...details });
            changed();
        },
        steps: () => [...steps.values()],
        dropped: () => last - steps.size,
    };
}
function oldest(steps) {
    for (const [number, { status }] of steps)
        if (status !== 'RUNNING')
            return number;
    const [first = 0] = steps.keys();
    return first;
}

;// CONCATENATED MODULE: ./engine/execution/start-execution.js













const defaultLimits = {
    depth: 30,
    steps: 10_000,
    repeats: 100,
    iterations: 1_000,
    keptSteps: 1_000,
};
function startExecution(request) {
    const { clock, pipeline, environment } = request;
    const limits = { ...defaultLimits, ...request.limits };
    const forced = new AbortController();
    const asked = new AbortController();
    const log = openStepLog(clock, limits.keptSteps, () => notify('step'));
    let head = {
        id: request.id,
        pipeline,
        environment,
        status: 'QUEUED',
        message: 'Queued.',
        startedAt: null,
        finishedAt: null,
    };
    const run = {
        request,
        limits,
        script: 'take' in request.script ? request.script : createScript(request.script),
        log,
        project: projectCells(request.projectVariables),
        forced: forced.signal,
        engine: undefined,
        stopping: false,
        fatal: undefined,
        components: 0,
        failures: [],
        repairs: { count: 0, last: Promise.resolve() },
        called: new Set(),
        mocked: 0,
        variables: undefined,
        assumed: new Set(),
        read: reader(),
    };
    const state = () => ({ ...head, steps: log.steps(), droppedSteps: log.dropped() });
    function notify(changed) {
        try {
            request.onChange(state(), changed);
        }
        catch (error) {
            run.fatal ??= `The execution could not be recorded: ${error instanceof Error ? error.message : 'unknown reason'}.`;
        }
    }
    function become(status, message, failed) {
        const now = new Date(clock.now()).toISOString();
        const startedAt = status === 'RUNNING' ? now : head.startedAt;
        head = { ...head, status, message, failed, startedAt, finishedAt: execution_state_isTerminal(status) ? now : null };
        notify('status');
    }
    async function walk() {
        await Promise.resolve();
        const { queueTimeMs = 0 } = request;
        if (queueTimeMs > 0) {
            await clock.sleep(queueTimeMs, asked.signal).catch((error) => {
                if (!asked.signal.aborted)
                    throw error;
            });
        }
        if (run.stopping)
            return stopped;
        run.engine = await openEngine(request, forced.signal);
        if (run.stopping)
            return stopped;
        const simulated = run.engine === undefined ? ' (simulated)' : '';
        become('RUNNING', `Running "${pipeline}" in environment "${environment}"${simulated}.`);
        const path = (0,calls/* resolveCall */.XC)(pipeline, { has: (name) => request.paths.includes(name) });
        if (path === undefined)
            return failure(`This version has no pipeline "${pipeline}".`);
        const call = { published: request, path, given: givenByRequest(request), caller: undefined };
        return runPipeline(run, call, runComponent);
    }
    async function end() {
        const result = await walk().catch((error) => failure(start_execution_reasonOf(error, environment)));
        const last = endMessage(run, result);
        become(last.status, last.message, last.status === 'FAILED' ? result.failed : undefined);
        return state();
    }
    return {
        state,
        variables: () => run.variables?.all() ?? new Map(),
        failures: () => [...run.failures],
        called: () => [...run.called],
        ended: end(),
        terminate(force) {
            if (execution_state_isTerminal(head.status))
                return;
            run.stopping = true;
            if (head.status !== 'CANCELLING') {
                become('CANCELLING', force ? 'Stopping at once.' : 'Stopping once what runs has ended.');
            }
            asked.abort();
            if (force)
                forced.abort();
        },
    };
}
function start_execution_reasonOf(error, environment) {
    const message = error instanceof Error ? error.message : 'unknown reason';
    const isKnown = error instanceof WarehouseNotOpened || error instanceof WarehouseUnavailable;
    return isKnown
        ? `Environment "${environment}" has no warehouse: ${message}.`
        : `Millrace itself failed: ${message}.`;
}
async function openEngine({ engine, clock }, signal) {
    const settings = typeof engine === 'function' ? await engine() : engine;
    if (settings === undefined)
        return undefined;
    const warehouse = settings.warehouse.abortable(signal, () => clock.now());
    try {
        await warehouse.createSchema(settings.defaults.database, settings.defaults.schema);
    }
    catch (error) {
        throw error instanceof SqlError || error instanceof Refusal
            ? new WarehouseNotOpened(error.message)
            : error;
    }
    return { ...settings, warehouse };
}
function reader() {
    const known = new WeakMap();
    return (published, path) => {
        if (published.parsed !== undefined)
            return published.parsed(path);
        const documents = known.get(published) ?? new Map();
        known.set(published, documents);
        const before = documents.get(path);
        if (before !== undefined)
            return before;
        const document = start_execution_parse(published, path);
        if (document !== undefined)
            documents.set(path, document);
        return document;
    };
}
function start_execution_parse({ files }, path) {
    try {
        const text = files(path);
        return text === undefined ? undefined : (0,read_pipeline/* readPipeline */.l9)(path, text);
    }
    catch (error) {
        if (!(error instanceof SqlError) || error.place === undefined)
            throw error;
        const { line, column } = error.place;
        return (0,read_pipeline/* unreadPipeline */.Ce)(path, error.message, { line, column, endLine: line, endColumn: column });
    }
}

;// CONCATENATED MODULE: ./engine/execution/index.js





// EXTERNAL MODULE: ./lib/core/system-clock.js
var system_clock = __webpack_require__(5079);
// EXTERNAL MODULE: external "node:async_hooks"
var external_node_async_hooks_ = __webpack_require__(6698);
;// CONCATENATED MODULE: ./engine/duckdb/session.js




class Mutex {
    #last = Promise.resolve();
    run(work) {
        const result = this.#last.then(work);
        this.#last = result.catch(() => undefined);
        return result;
    }
}
const interruptIntervalMs = 20;
const bytesOfChanges = `SELECT CAST(sum(memory_usage_bytes) AS DOUBLE) FROM duckdb_memory()
  WHERE tag IN ('IN_MEMORY_TABLE', 'OVERFLOW_STRINGS', 'ALLOCATOR', 'TRANSACTION')`;
const freeBytes = "SELECT CAST(free_blocks * block_size AS DOUBLE) FROM pragma_database_size() WHERE database_name = 'warehouse'";
class Session {
    #connection;
    #failures;
    #mutex = new Mutex();
    #scopes = new external_node_async_hooks_.AsyncLocalStorage();
    #generation = 0;
    #isStopped = false;
    #isInvalid = false;
    #isClosed = false;
    #running;
    #guard;
    #known;
    #interrupts;
    constructor(connection, { failures, guard, running }) {
        this.#connection = connection;
        this.#failures = failures;
        this.#guard = guard;
        this.#known = running;
    }
    get isInvalid() {
        return this.#isInvalid;
    }
    statement(work, options = {}) {
        const scope = this.#openScope();
        const generation = scope?.generation ?? this.#generation;
        const signal = options.signal ?? scope?.signal;
        return inTurn(scope?.mutex ?? this.#mutex, signal, () => {
            if (this.#isStopped || generation !== this.#generation)
                throw new WarehouseStopped();
            return this.#execute(work, { ...options, signal });
        });
    }
    transaction(work, save, signal) {
        if (this.#openScope() !== undefined)
            return work();
        const generation = this.#generation;
        return inTurn(this.#mutex, signal, async () => {
            if (this.#isStopped || generation !== this.#generation)
                throw new WarehouseStopped();
            const scope = { mutex: new Mutex(), generation, signal, isOpen: true, bytesBefore: 0 };
            if (this.#guard.takeRemoval())
                await this.#control('CHECKPOINT');
            this.#guard.forgetGrowth();
            scope.bytesBefore = await this.#bytesOfChanges();
            if (signal?.aborted === true)
                throw new WarehouseStopped();
            await this.#control('BEGIN TRANSACTION');
            const restore = save();
            try {
                const result = await this.#scopes.run(scope, work);
                await this.#commit(scope);
                return result;
            }
            catch (error) {
                await this.#rollBack(scope);
                restore();
                throw error;
            }
        });
    }
    stop() {
        this.#isStopped = true;
        this.#generation += 1;
        if (this.#running !== undefined)
            this.#stop(this.#running);
    }
    resume() {
        this.#isStopped = this.#isClosed;
    }
    async close() {
        this.#isClosed = true;
        this.stop();
        await this.#mutex.run(async () => this.#connection.closeSync());
    }
    #openScope() {
        const scope = this.#scopes.getStore();
        return scope?.isOpen === true ? scope : undefined;
    }
    async #commit(scope) {
        scope.isOpen = false;
        await scope.mutex.run(async () => {
            const isStopped = scope.generation !== this.#generation || scope.signal?.aborted === true;
            if (isStopped)
                throw new WarehouseStopped();
            await this.#refuseWhereTooLarge(scope);
            await this.#control('COMMIT');
        });
    }
    async #refuseWhereTooLarge({ bytesBefore }) {
        if (!this.#guard.isLimited)
            return;
        const changes = (await this.#bytesOfChanges()) - bytesBefore;
        if (!this.#guard.isFullWith(changes, 0))
            return;
        if (this.#guard.isFullWith(changes, await this.#number(freeBytes)))
            throw new SqlError(this.#guard.fullMessage);
    }
    async #bytesOfChanges() {
        return this.#guard.isLimited ? this.#number(bytesOfChanges) : 0;
    }
    async #number(sql) {
        return Number((await this.#connection.runAndReadAll(sql)).value(0, 0));
    }
    async #rollBack(scope) {
        scope.isOpen = false;
        try {
            await scope.mutex.run(() => this.#control('ROLLBACK'));
        }
        catch {
        }
    }
    async #control(sql) {
        try {
            await this.#connection.run(sql);
        }
        catch (error) {
            throw this.#failureOf(error, sql);
        }
    }
    #failureOf(error, sql) {
        const failure = sqlFailure(error, { ...this.#failures, sql });
        this.#isInvalid ||= failure instanceof InvalidDatabase;
        return failure;
    }
    #stop(running) {
        running.isStopped = true;
        this.#interrupt();
    }
    #interrupt() {
        this.#known.isEnding = true;
        this.#connection.interrupt();
        this.#interrupts ??= setInterval(() => this.#connection.interrupt(), interruptIntervalMs);
    }
    async #execute(work, { sql, signal }) {
        const running = { isStopped: false, exceeded: undefined };
        const stop = () => this.#stop(running);
        const endWatch = this.#guard.watch((reason) => {
            running.exceeded = reason;
            this.#interrupt();
        });
        this.#running = running;
        signal?.addEventListener('abort', stop, { once: true });
        try {
            return await work(this.#connection);
        }
        catch (error) {
            if (running.isStopped)
                throw new WarehouseStopped();
            if (running.exceeded === undefined)
                throw this.#failureOf(error, sql);
            throw new SqlError(running.exceeded, sql === undefined ? {} : { ran: sql });
        }
        finally {
            endWatch();
            signal?.removeEventListener('abort', stop);
            this.#running = undefined;
            this.#known.isEnding = false;
            this.#known.orderedTypes.clear();
            clearInterval(this.#interrupts);
            this.#interrupts = undefined;
        }
    }
}
const patienceMs = 250;
function inTurn(mutex, signal, work) {
    if (signal?.aborted === true)
        return Promise.reject(new WarehouseStopped());
    let hasBegun = false;
    const result = mutex.run(() => {
        if (signal?.aborted === true)
            throw new WarehouseStopped();
        hasBegun = true;
        return work();
    });
    if (signal === undefined)
        return result;
    const aborted = Promise.withResolvers();
    let patience;
    const leave = () => {
        const stop = () => aborted.reject(new WarehouseStopped());
        if (hasBegun)
            patience = setTimeout(stop, patienceMs);
        else
            stop();
    };
    signal.addEventListener('abort', leave, { once: true });
    return Promise.race([result, aborted.promise]).finally(() => {
        signal.removeEventListener('abort', leave);
        clearTimeout(patience);
    });
}

;// CONCATENATED MODULE: ./engine/duckdb/statement-columns.js

function statementColumns(statement, kind) {
    return Array.from({ length: statement.columnCount }, (_, index) => {
        const type = statement.columnType(index);
        const written = type.alias === 'JSON' ? 'JSON' : String(type);
        return { name: statement.columnName(index), type: warehouseType(written, kind) };
    });
}

;// CONCATENATED MODULE: ./engine/duckdb/stored-catalog.js





const tablesSql = `
SELECT c.schema_name, c.table_name, v.view_name IS NOT NULL, c.column_name, c.data_type, c.comment, v.comment
FROM duckdb_columns() c
LEFT JOIN duckdb_views() v
  ON v.database_oid = c.database_oid AND v.schema_oid = c.schema_oid AND v.view_name = c.table_name
WHERE NOT c.internal AND c.database_name = current_database()
ORDER BY c.schema_name, c.table_name, c.column_index`;
const schemasSql = 'SELECT schema_name FROM duckdb_schemas() WHERE NOT internal AND database_name = current_database()';
const functionsSql = `
SELECT schema_name, function_name, to_json(parameters)
FROM duckdb_functions()
WHERE function_type = 'macro' AND NOT internal AND database_name = current_database()`;
const temporary = /^(?:CREATE OR REPLACE TEMP TABLE|DROP TABLE temp\.) ?/;
const tableOfQuery = /^CREATE OR REPLACE TABLE ("(?:[^"]|"")+"\."(?:[^"]|"")+") AS /;
class StoredCatalog {
    #kind;
    #tables = new Map();
    #byLowerCase = new Map();
    #schemas;
    #isStale = true;
    #functions = new Map();
    #mayHaveFunctions;
    #created = new Set();
    constructor(kind, mayHaveFunctions = false) {
        this.#kind = kind;
        this.#mayHaveFunctions = mayHaveFunctions;
    }
    findFunction(name) {
        return this.#functions.get(physicalTable(name));
    }
    find(name) {
        return this.#tables.get(physicalTable(name));
    }
    findIgnoringCase(name) {
        return this.#byLowerCase.get(physicalTable(name).toLowerCase());
    }
    all() {
        return [...this.#tables.values()].toSorted((a, b) => stored_catalog_compare(a.database, b.database) || stored_catalog_compare(a.schema, b.schema) || stored_catalog_compare(a.table, b.table));
    }
    list(database, schema) {
        return this.all().filter((table) => table.database === database && table.schema === schema);
    }
    schemaNames(database) {
        return [...(this.#schemas ?? new Map()).values()].flatMap((physical) => {
            const place = logicalSchema(physical);
            return place?.database === database ? [place.schema] : [];
        });
    }
    note(sql, hasSucceeded) {
        if (temporary.test(sql))
            return;
        const [, created] = (hasSucceeded ? tableOfQuery.exec(sql) : undefined) ?? [];
        if (created !== undefined) {
            this.#created = new Set(this.#created).add(created);
            return;
        }
        this.#isStale = true;
        if (sql.startsWith('CREATE OR REPLACE MACRO '))
            this.#mayHaveFunctions = true;
        if (/\bschema\b/i.test(sql))
            this.#schemas = undefined;
    }
    async read(connection) {
        if (this.#isStale)
            await this.#readAll(connection);
        else
            for (const sql of this.#created)
                await this.#readTable(sql, connection);
        this.#created = new Set();
        this.#isStale = false;
    }
    async #readTable(sql, connection) {
        const name = logicalTable(sql);
        if (name === undefined)
            return;
        const statement = await connection.prepare(`SELECT * FROM ${sql}`);
        const columns = statementColumns(statement, this.#kind);
        statement.destroySync();
        this.#replace(new Map(this.#tables).set(sql, { ...name, kind: 'table', columns, sql }));
    }
    async #readAll(connection) {
        const tables = new Map();
        const reader = await connection.runAndReadAll(tablesSql);
        for (const row of reader.getRows()) {
            const [physical, table, isView, column, type, comment, needs] = row;
            const place = logicalSchema(String(physical));
            if (place === undefined)
                continue;
            const name = { ...place, table: String(table) };
            const sql = physicalTable(name);
            const known = tables.get(sql) ?? {
                ...name,
                kind: isView === true ? 'view' : 'table',
                columns: [],
                ...(isView === true && { needs: declaredNeeds(needs) }),
                sql,
            };
            const note = typeof comment === 'string' ? comment : null;
            known.columns.push({ name: String(column), type: declaredType(String(type), note, this.#kind) });
            if (isInPrimaryKey(note))
                known.primaryKey = [...(known.primaryKey ?? []), String(column)];
            if (isIdentity(note))
                known.identity = String(column);
            tables.set(sql, known);
        }
        this.#replace(tables);
        await this.schemas(connection);
        if (this.#mayHaveFunctions)
            await this.#readFunctions(connection);
    }
    async #readFunctions(connection) {
        const found = (await connection.runAndReadAll(functionsSql)).getRows().flatMap(([schema, name, list]) => {
            const place = logicalSchema(String(schema));
            if (place === undefined)
                return [];
            const sql = physicalTable({ ...place, table: String(name) });
            const known = readSignature(JSON.parse(String(list)), sql);
            return known === undefined ? [] : [[sql, known]];
        });
        this.#functions = new Map(found);
    }
    add({ database, schema, table }, columns) {
        const name = { database, schema, table };
        const sql = physicalTable(name);
        const stored = columns.map((column) => ({
            name: column.name,
            type: storedType(column.type, this.#kind),
        }));
        const added = { ...name, kind: 'table', columns: stored, sql };
        this.#created = new Set([...this.#created].filter((other) => other !== sql));
        this.#replace(new Map(this.#tables).set(sql, added));
        return added;
    }
    async schemas(connection) {
        if (this.#schemas !== undefined)
            return this.#schemas;
        const names = (await connection.runAndReadAll(schemasSql)).getRows().map(([name]) => String(name));
        return (this.#schemas = new Map(names.map((name) => [name.toLowerCase(), name])));
    }
    addSchema(physical) {
        if (this.#schemas !== undefined)
            this.#schemas = new Map(this.#schemas).set(physical.toLowerCase(), physical);
    }
    clear() {
        this.#replace(new Map());
        this.#schemas = new Map([['main', 'main']]);
        this.#created = new Set();
        this.#functions = new Map();
        this.#isStale = false;
    }
    save() {
        const [tables, byLowerCase, schemas] = [this.#tables, this.#byLowerCase, this.#schemas];
        const [isStale, created, functions] = [this.#isStale, this.#created, this.#functions];
        return () => {
            [this.#tables, this.#byLowerCase, this.#schemas] = [tables, byLowerCase, schemas];
            [this.#isStale, this.#created, this.#functions] = [isStale, created, functions];
        };
    }
    #replace(tables) {
        this.#tables = tables;
        this.#byLowerCase = new Map([...tables].map(([sql, table]) => [sql.toLowerCase(), table]));
    }
}
function stored_catalog_compare(a, b) {
    return Number(a > b) - Number(a < b);
}

;// CONCATENATED MODULE: ./engine/duckdb/duckdb-warehouse.js








const duckdb_warehouse_definitions = ['CREATE', 'DROP', 'ALTER'];
const allowedStatements = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE_INTO', ...duckdb_warehouse_definitions];
const removing = ['DELETE', 'DROP'];
const notGrowing = ['SELECT', ...removing];
class DuckdbWarehouse {
    #parts;
    #catalog;
    #signal;
    #closing;
    constructor(parts, catalog = new StoredCatalog(parts.kind, parts.isInFile), signal) {
        this.#parts = parts;
        this.#catalog = catalog;
        this.#signal = signal;
    }
    get catalog() {
        return this.#catalog;
    }
    get isInvalid() {
        return this.#parts.session.isInvalid;
    }
    abortable(signal, now) {
        const signals = this.#signal === undefined ? [signal] : [this.#signal, signal];
        const parts = { ...this.#parts, now: now ?? this.#parts.now };
        return new DuckdbWarehouse(parts, this.#catalog, AbortSignal.any(signals));
    }
    refresh() {
        return this.#statement((connection) => this.#catalog.read(connection));
    }
    query(sql, { maxRows }) {
        return this.#prepared(sql, async (statement) => {
            const reader = await statement.streamAndReadUntil(maxRows + 1);
            const types = reader.columnTypes();
            const count = Math.min(reader.currentRowCount, maxRows);
            const rows = Array.from({ length: count }, (_, row) => types.map((type, column) => readValue(this.#parts.duckdb, reader.value(column, row), type)));
            return {
                columns: statementColumns(statement, this.#parts.kind),
                rows,
                isCut: reader.currentRowCount > maxRows,
            };
        });
    }
    run(sql) {
        const run = () => this.#prepared(sql, async (statement) => rowsChanged(sql, await statement.run()));
        return this.#parts.guard.isLimited ? this.transaction(run) : run();
    }
    describe(sql) {
        const columns = async (statement) => statementColumns(statement, this.#parts.kind);
        return this.#prepared(sql, columns, { isRun: false });
    }
    transaction(work) {
        return this.#parts.session.transaction(work, () => this.#catalog.save(), this.#signal);
    }
    async createSchema(database, schema) {
        const physical = physicalSchema(database, schema);
        await this.#statement(async (connection) => {
            const existing = (await this.#catalog.schemas(connection)).get(physical.toLowerCase());
            if (existing === physical)
                return;
            if (existing !== undefined)
                throw duckdb_warehouse_otherCase('schemas', existing, physical);
            await connection.run(`CREATE SCHEMA ${quoteName(physical)}`);
            this.#catalog.addSchema(physical);
        });
    }
    createTable(name, columns, rows) {
        const { kind } = this.#parts;
        const table = physicalTable(name);
        return this.transaction(async () => {
            this.#refuseOtherCase(name);
            await this.createSchema(name.database, name.schema);
            return this.#statement(async (connection) => {
                this.#parts.guard.noteGrowth();
                await fillTable(connection, { table, place: physicalPlace(name), columns, kind }, rows);
                return this.#catalog.add(name, columns);
            });
        });
    }
    insertRows(table, columns, rows) {
        const given = { table: table.sql, place: physicalPlace(table), columns, kind: this.#parts.kind };
        return this.transaction(() => this.#statement((connection) => {
            this.#parts.guard.noteGrowth();
            return addRows(connection, given, rows);
        }));
    }
    clear() {
        return this.#statement(async (connection) => {
            const schemas = (await this.#catalog.schemas(connection)).values();
            const drops = [...schemas].flatMap((name) => name === 'main' ? [] : [`DROP SCHEMA ${quoteName(name)} CASCADE; `]);
            const sql = `${drops.join('')}${seedSql}`;
            this.#catalog.note(sql, false);
            await connection.run(sql);
            this.#catalog.clear();
        });
    }
    stop() {
        this.#parts.session.stop();
    }
    resume() {
        this.#parts.session.resume();
    }
    [Symbol.asyncDispose]() {
        this.#closing ??= this.#parts.session.close().then(() => this.#parts.close());
        return this.#closing;
    }
    #statement(work, sql) {
        return this.#parts.session.statement(work, { sql, signal: this.#signal });
    }
    #prepared(sql, work, { isRun } = { isRun: true }) {
        return this.#statement(async (connection) => {
            await this.#parts.clock.set(connection, this.#parts.now());
            if (sql.includes('random()'))
                await connection.run(seedSql);
            const statement = await this.#prepare(connection, sql);
            const defines = this.#isOneOf(duckdb_warehouse_definitions, statement);
            try {
                if (isRun)
                    await this.#refuseWhereFull(connection, statement);
                const result = await work(statement);
                if (defines)
                    this.#catalog.note(sql, isRun);
                if (this.#isOneOf(removing, statement))
                    this.#parts.guard.noteRemoval();
                return result;
            }
            catch (error) {
                if (defines)
                    this.#catalog.note(sql, false);
                throw error;
            }
            finally {
                statement.destroySync();
            }
        }, sql);
    }
    async #prepare(connection, sql) {
        const statement = await connection.prepare(sql).catch(async (error) => {
            throw (await severalStatements(connection, sql)) ?? error;
        });
        if (this.#isOneOf(allowedStatements, statement))
            return statement;
        const name = this.#parts.duckdb.StatementType[statement.statementType];
        statement.destroySync();
        throw new SqlError(`not allowed: statements of the kind ${name} do not run here`, { ran: sql });
    }
    async #refuseWhereFull(connection, statement) {
        const { guard } = this.#parts;
        if (this.#isOneOf(notGrowing, statement))
            return;
        guard.noteGrowth();
        if (!guard.isFull())
            return;
        const free = await connection.runAndReadAll(freeBytes);
        if (guard.isFull(Number(free.value(0, 0))))
            throw new SqlError(guard.fullMessage);
    }
    #isOneOf(names, { statementType }) {
        const { StatementType } = this.#parts.duckdb;
        return names.some((name) => StatementType[name] === statementType);
    }
    #refuseOtherCase(name) {
        const other = this.#catalog.find(name) === undefined ? this.#catalog.findIgnoringCase(name) : undefined;
        if (other === undefined)
            return;
        throw duckdb_warehouse_otherCase('tables', other.table, name.table);
    }
}
async function severalStatements(connection, sql) {
    const { count } = await connection.extractStatements(sql).catch(() => ({ count: 1 }));
    return count > 1
        ? new SqlError(`this SQL has ${count} statements, but only one can run here`, { ran: sql })
        : undefined;
}
function duckdb_warehouse_otherCase(what, existing, name) {
    return new Refusal(`the ${what} "${existing}" and "${name}"`, undefined, 'their names differ only in upper and lower case: rename one of them');
}
const duckdb_warehouse_temporary = /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?TEMP\b/i;
async function rowsChanged(sql, result) {
    if (!/^\s*CREATE\b/i.test(sql) || duckdb_warehouse_temporary.test(sql))
        return result.rowsChanged;
    const [row] = await result.getRows();
    return Number(row?.[0] ?? 0);
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./engine/duckdb/file-lock.js



const openFiles = new Set();
async function lockFile(file) {
    const path = await realPathOf(file);
    if (openFiles.has(path))
        throw new WarehouseNotOpened(`the database file ${(0,external_node_path_.basename)(file)} is already open in this process`);
    openFiles.add(path);
    return { path, [Symbol.dispose]: () => void openFiles.delete(path) };
}
async function realPathOf(file) {
    try {
        return await (0,promises_.realpath)(file);
    }
    catch {
        return (0,external_node_path_.join)(await realFolderOf(file), (0,external_node_path_.basename)(file));
    }
}
async function realFolderOf(file) {
    try {
        return await (0,promises_.realpath)((0,external_node_path_.dirname)(file));
    }
    catch (error) {
        throw notOpened((0,external_node_path_.basename)(file), error);
    }
}

;// CONCATENATED MODULE: ./engine/duckdb/open-warehouse.js












async function openWarehouse(options) {
    const { file, fileLimit, memoryLimit, kind, packages } = options;
    const duckdb = await (packages === undefined ? loadDuckdb() : loadDuckdbFrom(packages));
    const lock = file === undefined ? undefined : await lockFile(file);
    const failures = { kind, memoryLimit, hidden: lock === undefined ? [] : [(0,external_node_path_.dirname)(lock.path)] };
    let instance;
    const close = () => {
        instance?.closeSync();
        lock?.[Symbol.dispose]();
    };
    try {
        instance = await createInstance(duckdb, options);
        const connection = await sandboxed(instance, lock?.path);
        const running = { isEnding: false, orderedTypes: new Map() };
        registerFunctions(duckdb, connection, { memoryLimit, running });
        const guard = new StatementGuard({ memoryLimit, path: lock?.path, fileLimit });
        const warehouse = new DuckdbWarehouse({
            duckdb,
            kind,
            session: new Session(connection, { failures, guard, running }),
            guard,
            clock: createClock(),
            now: options.now ?? (() => system_clock/* systemClock */.m.now()),
            close,
            isInFile: file !== undefined,
        });
        await warehouse.refresh();
        return warehouse;
    }
    catch (error) {
        close();
        const failure = sqlFailure(error, { ...failures, sql: undefined });
        throw file === undefined ? failure : notOpened((0,external_node_path_.basename)(file), failure);
    }
}
function createInstance(duckdb, options) {
    return duckdb.DuckDBInstance.create(':memory:', {
        memory_limit: options.memoryLimit,
        threads: String(options.threads ?? 1),
        temp_directory: '',
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        allow_community_extensions: 'false',
    });
}
const WRONG_RULES = ['top_n_window_elimination', 'common_subplan', 'window_self_join'];
async function sandboxed(instance, path) {
    const connection = await instance.connect();
    await connection.run('SET errors_as_json = true');
    if (path !== undefined) {
        await connection.run(`ATTACH ${quoteText(path)} AS warehouse`);
        await connection.run('USE warehouse');
    }
    await connection.run('SET enable_external_access = false');
    await connection.run("SET timezone = 'UTC'");
    await connection.run(seedSql);
    await connection.run("SET default_null_order = 'nulls_last_on_asc_first_on_desc'");
    await connection.run(`SET disabled_optimizers = ${quoteText(WRONG_RULES.join(','))}`);
    await connection.run('SET lock_configuration = true');
    return connection;
}

;// CONCATENATED MODULE: ./engine/tables/cell-value.js

const asWritten = new Set([
    'VARCHAR',
    'BINARY',
    'DATE',
    'TIME',
    'TIMESTAMP',
    'TIMESTAMP_TZ',
]);
function cellValue(node, type) {
    if (node?.kind !== 'scalar' || type.name === 'VARIANT')
        return plainValue(node);
    const { value, text } = node;
    if (asWritten.has(type.name) && value !== null)
        return typeof value === 'string' ? value : text;
    return typeof value === 'number' && (0,decimal/* parseDecimal */.$Q)(text) !== undefined ? text : plainValue(node);
}
function changedNumber(node) {
    if (node === undefined)
        return undefined;
    if (node.kind === 'list')
        return firstOf(node.items);
    if (node.kind === 'map')
        return firstOf([...node.entries.values()].map((entry) => entry.value));
    if (typeof node.value !== 'number')
        return undefined;
    const value = plainValue(node);
    const kept = typeof value === 'object' ? undefined : (0,decimal/* parseDecimal */.$Q)(String(value));
    const written = (0,decimal/* parseDecimal */.$Q)(node.text) ?? kept;
    return kept !== undefined && kept.units === written?.units && kept.scale === written.scale
        ? undefined
        : node;
}
function firstOf(nodes) {
    return nodes.map(changedNumber).find((node) => node !== undefined);
}
function plainValue(node) {
    if (node === undefined)
        return null;
    if (node.kind === 'list')
        return node.items.map(plainValue);
    if (node.kind === 'map') {
        return Object.fromEntries([...node.entries].map(([key, entry]) => [key, plainValue(entry.value)]));
    }
    const { value, text } = node;
    if (typeof value !== 'number')
        return value;
    if ((0,decimal/* parseDecimal */.$Q)(text) === undefined && !Number.isFinite(value))
        return String(value);
    const isLong = /^(?:[+-]?\d+|0x[\dA-Fa-f]+|0o[0-7]+)$/.test(text) && !Number.isSafeInteger(value);
    return isLong ? BigInt(text.replace(/^\+/, '')) : value;
}

// EXTERNAL MODULE: ./lib/core/decode-text.js
var decode_text = __webpack_require__(3207);
;// CONCATENATED MODULE: ./engine/tables/file-problem.js

class FileProblems extends Error {
    name = 'FileProblems';
    problems;
    constructor(problems) {
        super(problems.map(({ message }) => message).join('; '));
        this.problems = problems;
    }
}
function problemAt(place, message) {
    const { file, line, column } = place;
    return new FileProblems([{ file, line, column, message }]);
}
function textOfFile(content, file) {
    const { text, fault } = content instanceof Uint8Array ? (0,decode_text/* decodeText */.g7)(content) : content;
    if (fault === undefined)
        return text;
    const { line, column, reason } = fault;
    throw problemAt({ file, line, column }, `the file cannot be read: ${reason}`);
}

// EXTERNAL MODULE: ./lib/yaml/text-position.js
var text_position = __webpack_require__(428);
;// CONCATENATED MODULE: ./engine/tables/csv-fields.js
const quote = 34;
const comma = 44;
const lineFeed = 10;
const carriageReturn = 13;
const charactersOfPart = 32 * 1024;
function* findRecords(text, onRecord, problem) {
    let starts = [];
    let at = text.startsWith('\uFEFF') ? 1 : 0;
    let pause = charactersOfPart;
    let columns = 0;
    let emptyLine;
    while (at < text.length) {
        if (at >= pause) {
            yield;
            pause = at + charactersOfPart;
        }
        const end = starts.length === 0 ? lineEnd(text, at) : 0;
        if (end > 0) {
            if (columns === 1)
                emptyLine ??= at;
            at += end;
            continue;
        }
        if (emptyLine !== undefined)
            throw problem(emptyLine, emptyLineMessage);
        starts.push(at);
        at = text.charCodeAt(at) === quote ? endOfQuoted(text, at, problem) : endOfPlain(text, at, problem);
        if (text.charCodeAt(at) === comma) {
            at += 1;
            if (at < text.length && lineEnd(text, at) === 0)
                continue;
            starts.push(at);
        }
        else if (at < text.length && lineEnd(text, at) === 0) {
            if (text.charCodeAt(at) === carriageReturn)
                throw loneReturn(text, at, problem);
            throw problem(at, 'expected a comma or the end of the line after the closing quote');
        }
        at += lineEnd(text, at);
        onRecord(starts);
        columns ||= starts.length;
        starts = [];
    }
    return undefined;
}
const emptyLineMessage = 'an empty line between the rows of a single column, which may be a row with null: remove it, write "" for an empty text, or write the rows in YAML or JSON';
function fieldAt(text, start) {
    if (text.charCodeAt(start) === quote) {
        const end = endOfQuoted(text, start, alreadyRead);
        const inner = text.slice(start + 1, end - 1).replaceAll('""', '"');
        return { kind: 'scalar', value: inner, text: inner, start, end };
    }
    const end = endOfPlain(text, start, alreadyRead);
    const written = text.slice(start, end);
    return { kind: 'scalar', value: csv_fields_plainValue(written), text: written, start, end };
}
function alreadyRead(offset, message) {
    return new Error(`the CSV text has changed at ${offset}: ${message}`);
}
function endOfPlain(text, start, problem) {
    let end = start;
    for (; end < text.length; end += 1) {
        const unit = text.charCodeAt(end);
        if (unit === comma || lineEnd(text, end) > 0)
            break;
        if (unit === carriageReturn)
            throw loneReturn(text, end, problem);
        if (unit === quote)
            throw problem(end, 'a quote inside a field that does not start with one');
    }
    return end;
}
function endOfQuoted(text, start, problem) {
    let at = start + 1;
    for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0)
            throw problem(start, 'the closing quote is missing');
        if (text.charCodeAt(end + 1) !== quote)
            return end + 1;
        at = end + 2;
    }
}
function csv_fields_plainValue(written) {
    if (written === '')
        return null;
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(written))
        return Number(written);
    if (/^(?:true|false)$/i.test(written))
        return written.toLowerCase() === 'true';
    return written;
}
function lineEnd(text, at) {
    const unit = text.charCodeAt(at);
    if (unit === lineFeed)
        return 1;
    return unit === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 0;
}
function loneReturn(text, at, problem) {
    const message = text.includes('\n')
        ? 'a CR without an LF: a line must end with LF or CRLF, and a value with a CR needs quotes'
        : 'the lines of the file end with CR: save it with LF or CRLF';
    return problem(at, message);
}

;// CONCATENATED MODULE: ./engine/tables/read-csv.js




function* readCsv(text, file) {
    let index;
    const place = (offset) => {
        index ??= new text_position/* LineIndex */.r(text);
        return { file, ...index.at(offset) };
    };
    let header;
    let otherLength;
    const starts = new OffsetList();
    const onRecord = (found) => {
        if (header === undefined) {
            header = found.map((start) => fieldAt(text, start));
            return;
        }
        if (found.length !== header.length) {
            otherLength ??= { start: found[0] ?? 0, count: found.length };
        }
        if (otherLength === undefined)
            starts.add(found);
    };
    yield* findRecords(text, onRecord, (offset, message) => problemAt(place(offset), message));
    const names = read_csv_namesOf(header, text, place);
    if (otherLength !== undefined) {
        const message = `the row has ${(0,number_of/* numberOf */.r)(otherLength.count, 'field')}; the header has ${names.length}`;
        throw problemAt(place(otherLength.start), message);
    }
    const content = {
        text,
        names,
        columns: new Map(names.map((name, column) => [name, column])),
        starts,
        place,
    };
    const rows = [];
    for (let row = 0; row < starts.length / names.length; row += 1) {
        rows.push(new CsvRow(content, row * names.length));
    }
    return { columns: names, rows, isUntyped: true };
}
function read_csv_namesOf(header, text, place) {
    if (header === undefined)
        throw problemAt(place(0), 'the file is empty: it needs a header with the names of the columns');
    refuseOddCharacter(header, text, place);
    const separator = otherSeparator(header, text);
    if (separator !== undefined) {
        const message = `the file has ${separator} between its fields: a CSV file needs commas here`;
        throw problemAt(place(0), message);
    }
    const names = header.map((field) => field.text);
    for (const [index, field] of header.entries()) {
        if (field.text === '')
            throw problemAt(place(field.start), 'a column in the header has no name');
        if (names.indexOf(field.text) < index)
            throw problemAt(place(field.start), `the column "${field.text}" appears twice`);
    }
    return names;
}
const oddCharacter = /[\v\f\x1c-\x1e\x85\u2028\u2029\uFEFF]/;
function refuseOddCharacter(header, text, place) {
    for (const field of header) {
        const at = text[field.start] === '"' ? -1 : field.text.search(oddCharacter);
        if (at < 0)
            continue;
        const code = field.text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
        throw problemAt(place(field.start + at), `the header has the character U+${code}: a line must end with LF or CRLF, and a name with this character needs quotes`);
    }
}
function otherSeparator([first, second], text) {
    if (first === undefined || second !== undefined || text[first.start] === '"')
        return undefined;
    if (first.text.includes(';'))
        return 'semicolons';
    return first.text.includes('\t') ? 'tabs' : undefined;
}
class OffsetList {
    #offsets = new Uint32Array(1024);
    length = 0;
    add(offsets) {
        if (this.length + offsets.length > this.#offsets.length) {
            const larger = new Uint32Array(2 * this.#offsets.length + offsets.length);
            larger.set(this.#offsets);
            this.#offsets = larger;
        }
        this.#offsets.set(offsets, this.length);
        this.length += offsets.length;
    }
    at(index) {
        return this.#offsets[index] ?? 0;
    }
}
class CsvRow {
    #content;
    #first;
    constructor(content, first) {
        this.#content = content;
        this.#first = first;
    }
    get cells() {
        return this;
    }
    get place() {
        return this.#content.place(this.#content.starts.at(this.#first));
    }
    placeOf(column) {
        return this.#content.place(this.#startOf(column) ?? this.#content.starts.at(this.#first));
    }
    get(column) {
        const start = this.#startOf(column);
        return start === undefined ? undefined : fieldAt(this.#content.text, start);
    }
    has(column) {
        return this.#content.columns.has(column);
    }
    keys() {
        return this.#content.names;
    }
    #startOf(column) {
        const index = this.#content.columns.get(column);
        return index === undefined ? undefined : this.#content.starts.at(this.#first + index);
    }
}

;// CONCATENATED MODULE: ./engine/tables/read-parquet.js








const read_parquet_limits = { rows: 100_000, values: 2_000_000 };
class Unreadable extends Error {
}
const known = new WeakMap();
async function readParquet(bytes, name, packages) {
    const reading = known.get(bytes) ?? readContent(bytes, packages);
    known.set(bytes, reading);
    try {
        const { columns, types, rows } = await reading;
        return {
            columns,
            rows: rows.map((cells) => ({
                cells: new Map(cells.map((cell, index) => [columns[index] ?? '', cell])),
                place: name.place,
                placeOf: () => name.place,
            })),
            types: new Map(types.map((type, index) => [columns[index] ?? '', type])),
            isUntyped: false,
        };
    }
    catch (error) {
        if (error instanceof Unreadable)
            throw problemAt(name.place, `the file "${name.text}" ${error.message}`);
        throw error;
    }
}
async function readContent(bytes, packages) {
    if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'PAR1') {
        const reason = (0,decode_text/* lfsReason */.Mp)(bytes);
        throw new Unreadable(reason === undefined ? 'is not a Parquet file' : `cannot be read: ${reason}`);
    }
    const duckdb = await (packages === undefined ? loadDuckdb() : loadDuckdbFrom(packages));
    const folder = await (0,promises_.mkdtemp)(external_node_path_.join((0,external_node_os_.tmpdir)(), 'millrace-parquet-'));
    try {
        const copy = external_node_path_.join(folder, 'rows.parquet');
        await (0,promises_.writeFile)(copy, bytes);
        return await readCopy(copy, duckdb);
    }
    finally {
        await (0,promises_.rm)(folder, { recursive: true, force: true });
    }
}
async function readCopy(copy, duckdb) {
    const instance = await openInstance(duckdb);
    try {
        const connection = await instance.connect();
        await confine(connection, copy);
        return await read_parquet_readRows(connection, `read_parquet(${quoteText(copy)})`, duckdb);
    }
    finally {
        instance.closeSync();
    }
}
function openInstance(duckdb) {
    return duckdb.DuckDBInstance.create(':memory:', {
        memory_limit: '1GB',
        threads: '1',
        temp_directory: '',
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        allow_community_extensions: 'false',
    });
}
async function confine(connection, copy) {
    await connection.run(`SET allowed_paths = [${quoteText(copy)}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run("SET timezone = 'UTC'");
    await connection.run('SET lock_configuration = true');
}
async function read_parquet_readRows(connection, from, duckdb) {
    const reader = await connection
        .streamAndReadUntil(`SELECT * FROM ${from}`, read_parquet_limits.rows + 1)
        .catch((error) => {
        throw new Unreadable('cannot be read: it is damaged, or needs too much memory', { cause: error });
    });
    const columns = reader.columnNames();
    refuseEqualNames(await ownNames(connection, from), columns);
    const count = reader.currentRowCount;
    if (count > read_parquet_limits.rows)
        throw new Unreadable(`has more than ${read_parquet_limits.rows} rows`);
    if (count * columns.length > read_parquet_limits.values) {
        throw new Unreadable(`has more than ${read_parquet_limits.values} values`);
    }
    const types = reader.columnTypes();
    const written = types.map((type) => (type.alias === 'JSON' ? 'JSON' : String(type)));
    const rows = Array.from({ length: count }, (_, row) => types.map((type, index) => read_parquet_cellOf(readValue(duckdb, reader.value(index, row), type), type, `row ${row + 1}, column "${columns[index] ?? ''}"`)));
    return { columns, types: written, rows };
}
const numeric = /^(?:DECIMAL|FLOAT|DOUBLE|U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER)/;
function read_parquet_cellOf(value, type, where) {
    const { valueType, entryNames = [], entryTypes = [] } = type;
    if (value === null)
        return scalar(null, '');
    if (read_parquet_isList(value))
        return {
            kind: 'list',
            items: value.map((item) => read_parquet_cellOf(item ?? null, valueType ?? type, where)),
            ...nowhere,
        };
    if (typeof value === 'object') {
        const typeOf = (key) => valueType ?? entryTypes[entryNames.indexOf(key)] ?? type;
        const entries = Object.entries(value).map(([key, item]) => [key, { key: nowhere, value: read_parquet_cellOf(item ?? null, typeOf(key), where) }]);
        return { kind: 'map', entries: new Map(entries), ...nowhere };
    }
    if (typeof value === 'bigint')
        return scalar(Number(value), value.toString());
    if (typeof value !== 'string')
        return scalar(value, String(value));
    const written = String(type);
    if (written === 'TIMESTAMP_NS' && /\.\d{7,}$/.test(value))
        throw new Unreadable(`has a time with nanoseconds, which the engine does not keep: ${where}`);
    return numeric.test(written) ? scalar(Number(value), value) : scalar(value, value);
}
async function ownNames(connection, from) {
    const schema = from.replace(/^read_parquet/, 'parquet_schema');
    const reader = await connection.runAndReadAll(`SELECT name, num_children FROM ${schema}`);
    const [root, ...parts] = reader
        .getRows()
        .map(([name, children]) => ({ name: String(name), children: Number(children ?? 0) }));
    const names = [];
    let inner = 0;
    for (const { name, children } of parts) {
        if (inner === 0 && names.length < (root?.children ?? 0))
            names.push(name);
        else
            inner -= 1;
        inner += children;
    }
    return names;
}
function refuseEqualNames(own, columns) {
    const other = own.find((name, index) => name !== columns[index]);
    if (other === undefined)
        return;
    const [first = other] = own.filter((name) => name.toLowerCase() === other.toLowerCase());
    throw new Unreadable(first === other
        ? `has the column "${other}" twice`
        : `has the columns "${first}" and "${other}", which differ only in upper and lower case`);
}
const nowhere = { start: 0, end: 0 };
function scalar(value, text) {
    return { kind: 'scalar', value, text, ...nowhere };
}
function read_parquet_isList(value) {
    return Array.isArray(value);
}

// EXTERNAL MODULE: ./lib/yaml/read-yaml.js + 5 modules
var read_yaml = __webpack_require__(8691);
;// CONCATENATED MODULE: ./engine/tables/find-json-fault.js
const token = /\s+|[{}[\]:]|,(?=\s*([}\]])?)|"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
function findSecondText(text) {
    token.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
    const start = token.lastIndex;
    let depth = 0;
    let isEnded = false;
    for (;;) {
        const at = token.lastIndex;
        const [found] = token.exec(text) ?? [];
        if (found === undefined)
            return undefined;
        if (/^\s/.test(found))
            continue;
        if (isEnded)
            return isJson(text.slice(start, at)) ? at : undefined;
        if (found === '{' || found === '[')
            depth += 1;
        else if (found === '}' || found === ']')
            depth -= 1;
        isEnded = depth === 0;
    }
}
function isJson(text) {
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}
function findComment(text) {
    const fault = findJsonFault(text);
    return fault !== undefined && isComment(text, fault.offset) ? fault : undefined;
}
function isComment(text, offset) {
    return /^(?:\/\/|\/\*|#)/.test(text.slice(offset, offset + 2));
}
function findJsonFault(text) {
    const start = text.startsWith('\uFEFF') ? 1 : 0;
    return isJson(text.slice(start)) ? undefined : faultIn(text, start);
}
function faultIn(text, start) {
    token.lastIndex = start;
    let offset = start;
    while (offset < text.length) {
        const [, closing] = token.exec(text) ?? [];
        if (closing !== undefined)
            return { offset, message: `JSON has no comma before \`${closing}\`` };
        if (token.lastIndex === 0)
            return {
                offset,
                message: isComment(text, offset)
                    ? 'JSON has no comments: remove this one'
                    : 'this is YAML, but not JSON',
            };
        offset = token.lastIndex;
    }
    return { offset: start, message: 'the file is YAML, but not JSON' };
}

;// CONCATENATED MODULE: ./engine/tables/read-rows.js
function read_rows_rowsOf(list, placeOf) {
    const columns = new Set();
    const rows = list.items.flatMap((item) => {
        if (item.kind !== 'map')
            return [];
        const cells = new Map();
        for (const [name, { value }] of item.entries) {
            columns.add(name);
            cells.set(name, value);
        }
        return [
            {
                cells,
                place: placeOf(item),
                placeOf: (column) => placeOf(item.entries.get(column)?.value ?? item),
            },
        ];
    });
    return { columns: [...columns], rows, isUntyped: false };
}
const noRows = { columns: [], rows: [], isUntyped: false };

;// CONCATENATED MODULE: ./engine/tables/read-fixture.js








const maxBytes = 32 * 1024 ** 2;
async function readFixture(name, beside) {
    read_fixture_formOf(name);
    const found = findBeside(name, beside);
    const rows = await (0,long_work/* inTurns */.gG)(textFixture(name, found));
    return rows ?? readParquet(found.bytes(), name, beside.packages);
}
function findBeside({ text, place }, { readBeside, explainMissing }) {
    const found = readBeside(text);
    if (found !== undefined)
        return found;
    throw problemAt(place, explainMissing?.(text) ?? `the file "${text}" does not exist in the project`);
}
function readTextFixture(name, found) {
    return atOnce(textFixture(name, found));
}
function* textFixture(name, found) {
    const form = read_fixture_formOf(name);
    if (found.size() > maxBytes) {
        const limit = `at most ${maxBytes / 1024 ** 2} MiB are read`;
        throw problemAt(name.place, `the file "${name.text}" has ${found.size()} bytes; ${limit}`);
    }
    if (form === 'parquet')
        return undefined;
    return form === 'csv' ? yield* readCsv(found.text(), found.file) : readJsonRows(found.text(), found.file);
}
function read_fixture_formOf(name) {
    const form = /\.([a-z]+)$/i.exec(name.text)?.[1]?.toLowerCase();
    if (form === 'csv' || form === 'json' || form === 'parquet')
        return form;
    throw problemAt(name.place, `the file "${name.text}" must end in .csv, .json or .parquet`);
}
function readJsonRows(text, file) {
    const source = (0,read_yaml/* readYaml */.g)(text, { file });
    const second = source.problems.length > 0 ? findSecondText(text) : undefined;
    if (second !== undefined)
        throw problemAt({ file, ...new text_position/* LineIndex */.r(text).at(second) }, 'a second JSON text begins here, as in JSON Lines: put all rows into one list of rows, as in [{ "id": 1 }, { "id": 2 }]');
    const [first] = source.problems;
    const comment = first === undefined ? undefined : findComment(text);
    if (comment !== undefined)
        throw problemAt({ file, ...new text_position/* LineIndex */.r(text).at(comment.offset) }, comment.message);
    if (first !== undefined)
        throw new FileProblems([first]);
    const placeOf = (span) => {
        const { line, column } = source.toRange(span);
        return { file, line, column };
    };
    const fault = findJsonFault(text);
    if (fault !== undefined)
        throw problemAt({ file, ...new text_position/* LineIndex */.r(text).at(fault.offset) }, fault.message);
    const { root } = source;
    if (root?.kind !== 'list')
        throw problemAt({ file, line: 1, column: 1 }, 'expected a list of rows: [{ "id": 1 }]');
    for (const item of root.items) {
        if (item.kind !== 'map')
            throw problemAt(placeOf(item), 'expected a row: { "id": 1 }');
    }
    return read_rows_rowsOf(root, placeOf);
}

;// CONCATENATED MODULE: ./engine/tables/check-spelling.js





function* checkSpelling(table) {
    yield* checkDeclared(table);
    yield* checkRareColumns(table);
}
function* checkDeclared({ name: { place }, columns, content }) {
    const { rows } = content;
    const declared = columns.map(({ name }) => name);
    if (declared.length === 0)
        return;
    const known = new Set(declared.map((name) => name.toLowerCase()));
    const { isUntyped } = content;
    if (isUntyped &&
        content.columns.length > 0 &&
        !content.columns.some((name) => known.has(name.toLowerCase()))) {
        const header = content.columns.map((name) => `"${(0,visible_text/* visibleText */.Q6)(name)}"`).join(', ');
        const message = `the first line of the CSV file must name its columns, and none of ${header} is in \`columns\``;
        const [alike = ''] = content.columns.flatMap((name) => {
            const other = declared.find((one) => (0,look_alike/* onlyLooksLike */.it)(one, name));
            return other === undefined ? [] : [`; ${(0,look_alike/* didYouMean */.au)(name, other)}`];
        });
        throw problemAt(place, message + alike);
    }
    for (const [index, row] of rows.entries()) {
        if (index % long_work/* itemsOfPart */.NR === 0)
            yield;
        const open = declared.filter((name) => !row.cells.has(name));
        for (const name of row.cells.keys()) {
            const meant = declared.includes(name) ? undefined : (0,closest_word/* closestWord */.En)(name, open);
            if (meant === undefined || meant.toLowerCase() === name.toLowerCase())
                continue;
            const message = `the column "${name}" is not in \`columns\`; ${(0,look_alike/* didYouMean */.au)(name, meant)}`;
            throw problemAt(row.placeOf(name), message);
        }
    }
}
const maxRare = 100;
function* checkRareColumns({ columns, content }) {
    const { rows, isUntyped, types } = content;
    if (isUntyped || types !== undefined || rows.length < 2)
        return;
    const uses = new Map();
    for (const [index, row] of rows.entries()) {
        if (index % long_work/* itemsOfPart */.NR === 0)
            yield;
        for (const name of row.cells.keys()) {
            const use = uses.get(name);
            if (use === undefined)
                uses.set(name, { count: 1, row });
            else
                use.count += 1;
        }
    }
    const declared = new Set(columns.map(({ name }) => name));
    const others = rows.length === 2
        ? [...(rows[0]?.cells.keys() ?? [])]
        : [...uses].flatMap(([name, { count }]) => (count > 1 ? [name] : []));
    const rare = [...uses].filter(([name, { count }]) => count === 1 && !declared.has(name) && !others.includes(name));
    const budget = (0,closest_word/* comparisonBudget */.VS)();
    for (const [name, { row }] of rare.slice(0, maxRare)) {
        const open = others.filter((other) => !row.cells.has(other) && withoutDigits(other) !== withoutDigits(name));
        const meant = (0,closest_word/* closestWord */.En)(name, open, budget);
        if (meant === undefined || meant.toLowerCase() === name.toLowerCase())
            continue;
        if ((0,look_alike/* onlyLooksLike */.it)(meant, name))
            continue;
        const message = `the column "${(0,visible_text/* visibleText */.Q6)(name)}" is only in this row, which lacks "${(0,visible_text/* visibleText */.Q6)(meant)}"; ${(0,look_alike/* didYouMean */.au)(name, meant)} If it is another column, add \`${(0,visible_text/* visibleText */.Q6)(meant)}: null\` to the row`;
        throw problemAt(row.placeOf(name), message);
    }
}
function withoutDigits(name) {
    return name.replaceAll(/\d/g, '');
}

;// CONCATENATED MODULE: ./engine/tables/table-columns.js













function* tableOfRows(table, kind, known = {}) {
    const { content } = table;
    yield* checkSpelling(table);
    const columns = yield* columnsOf(table, kind, known);
    const names = new Map();
    for (const name of content.columns) {
        const stored = storedName(name, kind);
        const other = names.get(stored);
        if (other !== undefined) {
            const message = `the columns "${other}" and "${name}" are one column in this kind of warehouse: write one name in all rows`;
            throw problemAt(placeOfColumn(content, name, table.name.place), message);
        }
        names.set(stored, name);
    }
    const wanted = columns.map(({ name, type }) => ({ name: names.get(name) ?? '', type }));
    const rows = yield* (0,long_work/* mapInParts */.YT)(content.rows, (row) => wanted.map(({ name, type }) => {
        const cell = row.cells.get(name);
        const changed = type.name === 'VARIANT' ? changedNumber(cell) : undefined;
        if (changed === undefined)
            return cellValue(cell, type);
        throw problemAt(row.placeOf(name), unkept(changed.text, name));
    }));
    return { columns, rows };
}
function* columnsOf({ name: { place }, columns: own, content }, kind, { schema, created }) {
    const columns = new ColumnList(kind);
    for (const column of [...own, ...(schema ?? [])]) {
        columns.add(column.name, column.place, () => readColumnType(column, kind));
    }
    if (schema === undefined) {
        for (const { name, type } of created ?? [])
            columns.add(name, place, () => type);
    }
    for (const name of content.columns) {
        const placeOfName = () => placeOfColumn(content, name, place);
        if (columns.has(name, placeOfName))
            continue;
        columns.append(name, yield* typeOfContent(content, name, kind, place));
    }
    return columns.all;
}
class ColumnList {
    all = [];
    #kind;
    constructor(kind) {
        this.#kind = kind;
    }
    has(written, place) {
        const name = storedName(written, this.#kind);
        const same = this.all.find((column) => column.name === name);
        if (same !== undefined)
            return true;
        const alike = this.all.find((column) => (0,look_alike/* lookOf */.Li)(column.name) === (0,look_alike/* lookOf */.Li)(name));
        if (alike === undefined)
            return false;
        const differ = (0,look_alike/* onlyLooksLike */.it)(alike.name, name)
            ? `the columns "${(0,look_alike/* escapedName */.Nm)(alike.name)}" and "${(0,look_alike/* escapedName */.Nm)(name)}" only look alike`
            : `the columns "${alike.name}" and "${name}" differ only in upper and lower case`;
        throw problemAt(place(), `${differ}: rename one of them`);
    }
    append(written, type) {
        this.all.push({ name: storedName(written, this.#kind), type });
    }
    add(written, place, type) {
        if (!this.has(written, () => place))
            this.append(written, type());
    }
}
function readColumnType({ name, type, place }, kind) {
    try {
        return readTypeText(sourceText(type, place.file, place.line, place.column), kind);
    }
    catch (error) {
        if (!(error instanceof Refusal) && !(error instanceof SqlError))
            throw error;
        const hint = error instanceof Refusal && error.hint !== undefined ? `; ${error.hint}` : '';
        throw problemAt(place, `"${type}" is not a type of the warehouse, for the column "${name}"${hint}`);
    }
}
function placeOfColumn({ rows }, name, other) {
    return rows.find((row) => row.cells.has(name))?.placeOf(name) ?? other;
}
function* typeOfContent(content, name, kind, place) {
    const type = content.types?.get(name);
    if (type === undefined)
        return yield* typeOfValues(content, name, kind);
    if (!/^(?:INTERVAL|BIT|TIME WITH TIME ZONE|TIMETZ)$/.test(type))
        return warehouseType(type, kind);
    const message = `the column "${name}" of the file has the type ${type}, which the engine does not have: declare another one in \`columns\``;
    throw problemAt(placeOfColumn(content, name, place), message);
}
function isNotFinite(node) {
    return (node.kind === 'scalar' &&
        typeof node.value === 'number' &&
        !Number.isFinite(node.value) &&
        (0,decimal/* parseDecimal */.$Q)(node.text) === undefined);
}
function* typeOfValues({ rows, isUntyped }, name, warehouse) {
    const kinds = new Map();
    const numbers = new SeenNumbers();
    let isFloat = false;
    for (const [index, row] of rows.entries()) {
        if (index % long_work/* itemsOfPart */.NR === 0)
            yield;
        const node = row.cells.get(name);
        const kind = kindOfCell(node);
        if (node === undefined || kind === undefined)
            continue;
        if (!kinds.has(kind))
            kinds.set(kind, row);
        isFloat ||= isNotFinite(node);
        if (kind === 'number' && node.kind === 'scalar')
            noteNumber(node, numbers);
    }
    const [kind, other] = kinds.keys();
    if (other !== undefined) {
        if (isUntyped)
            return { name: 'VARCHAR', length: undefined };
        const place = kinds.get(other)?.placeOf(name);
        const message = `the column "${name}" has values of several types: declare its type in \`columns\``;
        throw problemAt(place ?? { file: '', line: 1, column: 1 }, message);
    }
    if (kind === 'boolean')
        return { name: 'BOOLEAN' };
    if (kind === 'tree')
        return { name: 'VARIANT' };
    if (isFloat)
        return { name: 'FLOAT' };
    return kind === 'number' ? numbers.typeIn(warehouse) : { name: 'VARCHAR', length: undefined };
}
function noteNumber({ text, value }, numbers) {
    const number = (0,decimal/* parseDecimal */.$Q)(text) ?? (0,decimal/* parseDecimal */.$Q)(String(value));
    if (number !== undefined)
        numbers.add(number, table_columns_scaleOf(text));
}
function typeOfScalar(node) {
    if (typeof node.value === 'boolean')
        return { name: 'BOOLEAN' };
    return isNotFinite(node) ? { name: 'FLOAT' } : { name: 'NUMBER', precision: 38, scale: table_columns_scaleOf(node.text) };
}
function table_columns_scaleOf(text) {
    return /^[^.eE]*\.(\d+)$/.exec(text)?.[1]?.length ?? (0,decimal/* parseDecimal */.$Q)(text)?.scale ?? 0;
}
function kindOfCell(node) {
    if (node === undefined)
        return undefined;
    if (node.kind !== 'scalar')
        return 'tree';
    if (node.value === null)
        return undefined;
    if (typeof node.value === 'string')
        return 'text';
    return typeof node.value === 'number' ? 'number' : 'boolean';
}

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 5 modules
var schemas = __webpack_require__(7994);
;// CONCATENATED MODULE: ./engine/python/find-interpreter.js



const probe = 'import json, os, sys; print(json.dumps({"executable": sys.executable, "version": sys.version_info[:2], "system": os.name}))';
const probed = schemas/* object */.Ikc({
    executable: schemas/* string */.YjP().min(1),
    version: schemas/* tuple */.PVZ([schemas/* number */.aig(), schemas/* number */.aig()]),
    system: schemas/* string */.YjP(),
});
const find_interpreter_oldest = [3, 9];
const probeTimeoutMs = 30_000;
const hint = 'Install Python 3.9 or later, or name its program with --python';
async function findInterpreter(program, environment) {
    const text = await new Promise((resolve, reject) => {
        const options = { env: environment, timeout: probeTimeoutMs, shell: false };
        (0,external_node_child_process_.execFile)(program, ['-I', '-c', probe], options, (error, stdout) => {
            if (error === null)
                return resolve(stdout);
            const why = 'code' in error && typeof error.code === 'string' ? error.code : 'it failed';
            reject(new PythonUnavailable(`"${program}" could not be started (${why}). ${hint}`, { cause: error }));
        }).stdin?.end();
    });
    const { executable, version, system } = read(text, program);
    const name = version.join('.');
    if (system !== 'posix')
        throw new PythonUnavailable('Python components do not run on this system: mock the component');
    if (version[0] !== find_interpreter_oldest[0] || version[1] < find_interpreter_oldest[1]) {
        throw new PythonUnavailable(`"${program}" is Python ${name}. ${hint}`);
    }
    return { executable, version: name };
}
function read(text, program) {
    try {
        return probed.parse(JSON.parse(text));
    }
    catch (error) {
        throw new PythonUnavailable(`"${program}" is not a Python 3. ${hint}`, { cause: error });
    }
}

;// CONCATENATED MODULE: ./engine/python/limits.js
const limits_defaultLimits = {
    maxMemoryBytes: 1024 ** 3,
    maxMegabytes: 64,
    maxProcesses: 64,
    outputLength: 8_000,
    resultBytes: 32 * 1024 ** 2,
    reportBytes: 10_000,
    endMs: 2_000,
    scripts: 4,
};

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
;// CONCATENATED MODULE: ./engine/python/read-answer.js

const startSchema = schemas/* object */.Ikc({ process: schemas/* int */.Whr().min(2) });
const reportSchema = schemas/* object */.Ikc({
    end: schemas/* enum */.k5n(['ended', 'stopped', 'processes', 'memory']),
    code: schemas/* number */.aig(),
    hasNoNetwork: schemas/* boolean */.zMY(),
    hasOwnFiles: schemas/* boolean */.zMY(),
});
const line = schemas/* int */.Whr()
    .min(1)
    .nullable()
    .transform((value) => value ?? undefined);
const read_answer_value = schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* array */.YOg(schemas/* array */.YOg(schemas/* string */.YjP()))]);
const answerSchema = schemas/* discriminatedUnion */.gMt('kind', [
    schemas/* object */.Ikc({ kind: schemas/* literal */.euz('ended'), set: schemas/* record */.g1P(schemas/* string */.YjP(), read_answer_value) }),
    schemas/* object */.Ikc({ kind: schemas/* literal */.euz('raised'), type: schemas/* string */.YjP(), message: schemas/* string */.YjP(), line }),
    schemas/* object */.Ikc({ kind: schemas/* literal */.euz('unsafe'), why: schemas/* enum */.k5n(['unbounded', 'unreadable']) }),
    schemas/* object */.Ikc({ kind: schemas/* literal */.euz('refused'), construct: schemas/* string */.YjP(), line }),
]);
function readProcess(text) {
    return startSchema.safeParse(read_answer_parse(text.split('\n')[0] ?? '')).data?.process;
}
function read_answer_readReport(text) {
    return reportSchema.safeParse(read_answer_parse(text.split('\n')[1] ?? '')).data;
}
function readAnswer(text, report) {
    if (report?.end === 'memory' || report?.end === 'processes')
        return { kind: 'limit', what: report.end };
    const answer = answerSchema.safeParse(read_answer_parse(text)).data;
    if (answer === undefined)
        return { kind: 'lost', how: howLost(report) };
    return answer.kind === 'ended' ? { kind: 'ended', set: new Map(Object.entries(answer.set)) } : answer;
}
function howLost(report) {
    if (report === undefined)
        return 'its process could not be started';
    if (report.code < 0)
        return `a signal (${-report.code}) ended its process`;
    return `its process ended early, with exit code ${report.code}`;
}
function read_answer_parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}

// EXTERNAL MODULE: external "node:string_decoder"
var external_node_string_decoder_ = __webpack_require__(6193);
;// CONCATENATED MODULE: ./engine/python/read-stream.js

function readStart(stream, maxLength) {
    const decoder = new external_node_string_decoder_.StringDecoder('utf8');
    let text = '';
    let omitted = 0;
    const add = (more) => {
        const kept = more.slice(0, maxLength - text.length);
        text += kept;
        omitted += more.length - kept.length;
    };
    stream.on('data', (chunk) => add(decoder.write(chunk)));
    stream.on('end', () => add(decoder.end()));
    return () => ({ text, omitted });
}
function read_stream_readWhole(stream, maxBytes, tooLong) {
    let chunks = [];
    let left = maxBytes;
    stream.on('data', (chunk) => {
        if (left < 0)
            return;
        left -= chunk.length;
        chunks.push(chunk);
        if (left >= 0)
            return;
        chunks = [];
        tooLong();
    });
    return () => Buffer.concat(chunks).toString('utf8');
}

;// CONCATENATED MODULE: ./engine/python/run-launcher.js







const launcher = (0,external_node_path_.join)(import.meta.dirname, 'launcher.py');
const environment = { PYTHONHASHSEED: '0', PYTHONUTF8: '1' };
async function runLauncher(job, options) {
    const { interpreter, folder, clock, signal, limits } = options;
    const child = (0,external_node_child_process_.spawn)(interpreter.executable, ['-s', '-B', launcher], {
        cwd: folder,
        env: environment,
        stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
        detached: true,
        shell: false,
    });
    const closed = (0,external_node_events_.once)(child, 'close').catch((error) => {
        throw new PythonUnavailable(`${interpreter.executable} could not be started`, { cause: error });
    });
    let ending;
    const stop = (reason) => {
        ending ??= reason;
        endLauncher(child, limits.endMs, () => readProcess(report()));
    };
    const output = readStart(outputOf(child, 1), limits.outputLength);
    const errors = readStart(outputOf(child, 2), limits.outputLength);
    const answer = read_stream_readWhole(outputOf(child, 3), limits.resultBytes, () => stop({ kind: 'limit', what: 'result' }));
    const report = read_stream_readWhole(outputOf(child, 4), limits.reportBytes, () => stop({ kind: 'stopped' }));
    const abort = () => stop({ kind: 'stopped' });
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted)
        abort();
    const done = new AbortController();
    const timer = clock.sleep(job.timeoutMs, done.signal).then(() => stop({ kind: 'limit', what: 'time' }), () => undefined);
    sendJob(child, job, limits);
    try {
        await closed;
    }
    finally {
        signal.removeEventListener('abort', abort);
        done.abort();
        await timer;
    }
    const read = read_answer_readReport(report());
    return {
        end: ending ?? readAnswer(answer(), read),
        output: output(),
        errors: errors(),
        version: interpreter.version,
        hasNoNetwork: read?.hasNoNetwork ?? false,
        hasOwnFiles: read?.hasOwnFiles ?? false,
    };
}
function sendJob({ stdin }, { text, variables, hasSession }, { maxMemoryBytes, maxMegabytes, maxProcesses }) {
    const job = { text, variables, hasSession, maxMemoryBytes, maxMegabytes, maxProcesses };
    stdin?.on('error', () => undefined);
    stdin?.write(`${JSON.stringify(job)}\n`);
}
function endLauncher(child, endMs, script) {
    child.stdin?.destroy();
    const kill = setTimeout(() => {
        const isRunning = child.exitCode === null && child.signalCode === null;
        for (const group of isRunning ? [script(), child.pid] : [])
            if (group !== undefined)
                killGroup(group);
        for (const stream of child.stdio)
            stream?.destroy();
    }, endMs);
    child.once('close', () => clearTimeout(kill));
}
function killGroup(group) {
    try {
        process.kill(-group, 'SIGKILL');
    }
    catch {
    }
}
function outputOf(child, index) {
    const stream = child.stdio[index];
    if (!(stream instanceof external_node_stream_.Readable))
        throw new Error('a process without its pipes');
    return stream;
}

;// CONCATENATED MODULE: ./engine/python/slots.js
class Slots {
    #free;
    #waiting = [];
    constructor(count) {
        this.#free = count;
    }
    async run(signal, work) {
        if (!(await this.#acquire(signal)))
            return undefined;
        try {
            return await work();
        }
        finally {
            const next = this.#waiting.shift();
            if (next === undefined)
                this.#free += 1;
            else
                next();
        }
    }
    #acquire(signal) {
        if (signal.aborted)
            return false;
        if (this.#free > 0) {
            this.#free -= 1;
            return true;
        }
        const { promise, resolve } = Promise.withResolvers();
        const begin = () => resolve(true);
        const leave = () => {
            const at = this.#waiting.indexOf(begin);
            if (at >= 0)
                this.#waiting.splice(at, 1);
            resolve(false);
        };
        this.#waiting.push(begin);
        signal.addEventListener('abort', leave, { once: true });
        return promise.finally(() => signal.removeEventListener('abort', leave));
    }
}

;// CONCATENATED MODULE: ./engine/python/open-python.js








function openPython(options) {
    const { program = 'python3', environment, clock = system_clock/* systemClock */.m } = options;
    const limits = { ...limits_defaultLimits, ...options.limits };
    let found;
    const slots = new Slots(limits.scripts);
    return {
        run: (job, signal) => slots.run(signal, async () => {
            found ??= findInterpreter(program, environment);
            const interpreter = await found;
            const folder = await (0,promises_.realpath)(await (0,promises_.mkdtemp)((0,external_node_path_.join)((0,external_node_os_.tmpdir)(), 'millrace-python-')));
            try {
                return await runLauncher(job, { interpreter, folder, clock, signal, limits });
            }
            finally {
                await (0,promises_.rm)(folder, { recursive: true, force: true }).catch(() => undefined);
            }
        }),
    };
}

;// CONCATENATED MODULE: ./engine/index.js




























/***/ }),

/***/ 9598:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ refuseBroken),
/* harmony export */   P: () => (/* binding */ refuseBrokenCalls)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1862);
/* harmony import */ var _lib_pipelines_checks_breach_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4422);
/* harmony import */ var _lib_pipelines_checks_dangling_reference_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5158);
/* harmony import */ var _lib_pipelines_checks_unknown_key_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6779);




function refuseBroken(document) {
    const problems = brokenParts(document);
    if (problems.length > 0)
        throw new _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq(problems);
    if (document.components.size > 0)
        return;
    const { line, column } = document.range;
    throw (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)({ file: document.path, line, column }, 'the pipeline has no components');
}
function refuseBrokenCalls(called, project) {
    const problems = called.flatMap((path) => {
        const document = project.pipeline(path);
        return document === undefined ? [] : brokenParts(document);
    });
    if (problems.length > 0)
        throw new _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq(problems);
}
function brokenParts(document) {
    if (document.problems.length > 0)
        return document.problems;
    const breaches = [...(0,_lib_pipelines_checks_breach_js__WEBPACK_IMPORTED_MODULE_1__/* .firstBreaches */ .Yr)((0,_lib_pipelines_checks_unknown_key_js__WEBPACK_IMPORTED_MODULE_3__/* .unknownKeys */ .v)(document)), ...(0,_lib_pipelines_checks_breach_js__WEBPACK_IMPORTED_MODULE_1__/* .firstBreaches */ .Yr)((0,_lib_pipelines_checks_dangling_reference_js__WEBPACK_IMPORTED_MODULE_2__/* .danglingReferences */ .p)(document))];
    return breaches.map(({ file, range: { line, column }, message }) => ({ file, line, column, message }));
}


/***/ }),

/***/ 8574:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ checkOutcome)
/* harmony export */ });
/* harmony import */ var _lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3511);
/* harmony import */ var _lib_core_number_of_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1640);
/* harmony import */ var _given_names_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5972);
/* harmony import */ var _planned_test_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2475);
/* harmony import */ var _ran_components_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8626);
/* harmony import */ var _lib_core_visible_text_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2439);






function checkOutcome(run) {
    const { planned, state, isTimedOut } = run;
    const { test } = planned;
    const { outcome } = test.expected;
    if (isTimedOut) {
        const message = `the pipeline did not end within ${(0,_lib_core_number_of_js__WEBPACK_IMPORTED_MODULE_5__/* .numberOf */ .r)(test.timeoutMs / 1000, 'second')}`;
        return [{ kind: 'timeout', ...test.place, message }];
    }
    const refused = refusals(run);
    if (refused.length > 0)
        return [...failuresBefore(run), ...refused];
    const succeeded = state.status === 'SUCCESS';
    if (outcome.isSuccess)
        return succeeded ? [] : [unexpectedFailure(run, outcome.place)];
    if (succeeded) {
        const message = 'the pipeline succeeded; it was expected to fail';
        return [{ kind: 'outcome', ...outcome.place, expected: 'failure', actual: 'success', message }];
    }
    return [...checkComponent(run), ...checkMessage(run)];
}
function refusals({ failures, project }) {
    const all = failures.flatMap(({ refusal, component, pipeline, sql }) => {
        if (refusal === undefined)
            return [];
        const { construct, place, hint } = refusal;
        const range = project.pipeline(pipeline)?.components.get(component)?.range;
        const at = { file: pipeline, line: range?.line ?? 1, column: range?.column ?? 1 };
        const { file, line, column } = place ?? at;
        const message = `component "${component}": Millrace does not support ${construct}${hint === undefined ? '' : `; ${hint}`}`;
        return [{ kind: 'refused', file, line, column, component, at, message, ...sqlOf({ sql }) }];
    });
    return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
function failuresBefore({ planned, failures, project }) {
    const { test, document } = planned;
    const wanted = test.mocks.flatMap(({ name, outcome }) => outcome === 'failure' ? ((0,_planned_test_js__WEBPACK_IMPORTED_MODULE_2__/* .findComponent */ .Tn)(name.text, document, project) ?? []) : []);
    const before = failures.slice(0, failures.findIndex(({ refusal }) => refusal !== undefined));
    const first = before.find(({ pipeline, component }) => !wanted.some((one) => one.path === pipeline && one.component === component));
    if (first === undefined)
        return [];
    const message = `before the refusal, ${describe(first)}`;
    const at = componentPlace(first, project);
    return [{ kind: 'outcome', ...test.expected.outcome.place, ...at, message, ...sqlOf(first) }];
}
function sqlOf(failed) {
    return failed?.sql === undefined ? {} : { sql: failed.sql };
}
function unexpectedFailure(run, place) {
    const failed = run.state.failed;
    const cause = failed === undefined ? run.state.message : describe(failed);
    const message = `the pipeline failed: ${cause}${(0,_given_names_js__WEBPACK_IMPORTED_MODULE_1__/* .givenNames */ .S)(run).hint ?? ''}`;
    const of = { ...componentOf(run), ...sqlOf(failed) };
    return { kind: 'outcome', ...place, ...of, expected: 'success', actual: 'failure', message };
}
function describe({ component, pipeline, message }) {
    const of = message.startsWith(`${pipeline}:`) ? '' : ` of ${pipeline}`;
    return `component "${component}"${of}: ${message}`;
}
function componentOf({ state: { failed }, project }) {
    return failed === undefined ? {} : componentPlace(failed, project);
}
function componentPlace({ pipeline, component }, project) {
    const range = project.pipeline(pipeline)?.components.get(component)?.range;
    return {
        component,
        ...(range === undefined ? {} : { at: { file: pipeline, line: range.line, column: range.column } }),
    };
}
function checkComponent(run) {
    const { planned, state, project } = run;
    const { component: wanted } = planned.test.expected.outcome;
    if (wanted === undefined)
        return [];
    const target = (0,_planned_test_js__WEBPACK_IMPORTED_MODULE_2__/* .findComponent */ .Tn)(wanted.text, planned.document, project);
    const { failed } = state;
    const own = (0,_ran_components_js__WEBPACK_IMPORTED_MODULE_3__/* .ownSteps */ .y)(planned.document.path, state).find(({ status }) => status === 'FAILED');
    const isSame = ({ pipeline, component }) => pipeline === target?.path && component === target.component;
    if ((failed !== undefined && isSame(failed)) || (own !== undefined && isSame(own)))
        return [];
    const actual = failed?.component ?? 'none';
    const message = failed === undefined
        ? `no component failed, also not "${wanted.text}": ${state.message}`
        : `${describe(failed)}; it failed first, not "${wanted.text}"`;
    return [{ kind: 'outcome', ...wanted.place, ...componentOf(run), expected: wanted.text, actual, message }];
}
function checkMessage(run) {
    const { planned, state } = run;
    const { message: wanted } = planned.test.expected.outcome;
    const actual = state.failed?.message ?? state.message;
    if (wanted === undefined || actual.includes(wanted.text))
        return [];
    const isAlike = (0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .lookOf */ .Li)(actual).includes((0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .lookOf */ .Li)(wanted.text)) && !/^[ -~]*$/.test(wanted.text + actual);
    const shown = isAlike ? _lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .escapedName */ .Nm : _lib_core_visible_text_js__WEBPACK_IMPORTED_MODULE_4__/* .visibleText */ .Q6;
    const message = `the message of the failure does not contain "${shown(wanted.text)}": ${isAlike ? (0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .escapedName */ .Nm)(actual) : actual}`;
    return [{ kind: 'outcome', ...wanted.place, ...componentOf(run), expected: wanted.text, actual, message }];
}


/***/ }),

/***/ 8256:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  uV: () => (/* binding */ columnOf),
  fz: () => (/* binding */ compareRows),
  BO: () => (/* binding */ countRows),
  aK: () => (/* binding */ readRows),
  O$: () => (/* binding */ unreadable)
});

// EXTERNAL MODULE: ./engine/index.js + 279 modules
var engine = __webpack_require__(1862);
// EXTERNAL MODULE: ./flows/test/compare-values.js
var compare_values = __webpack_require__(2654);
// EXTERNAL MODULE: ./lib/core/decimal.js
var decimal = __webpack_require__(7046);
;// CONCATENATED MODULE: ./flows/test/match-rows.js

const maxPaired = 500;
function matchRows(expected, actual, tolerance) {
    const groups = new Map();
    const group = (row) => {
        const key = row.map((cell) => groupKey(cell, tolerance)).join('\u0000');
        const known = groups.get(key) ?? { expected: [], actual: [] };
        groups.set(key, known);
        return known;
    };
    for (const [index, row] of expected.entries())
        group(row).expected.push(index);
    for (const [index, row] of actual.entries())
        group(row).actual.push(index);
    const missing = [];
    const extra = [];
    for (const one of groups.values()) {
        const pairs = pairUp(one, tolerance, (left, right) => rowsAreEqual(expected[left] ?? [], actual[right] ?? [], tolerance));
        missing.push(...one.expected.filter((index) => !pairs.has(index)));
        const taken = new Set(pairs.values());
        extra.push(...one.actual.filter((index) => !taken.has(index)));
    }
    return withChanges(missing, extra, (left, right) => sameCells(expected[left] ?? [], actual[right] ?? [], tolerance), (left, right) => differingCells(expected[left] ?? [], actual[right] ?? [], tolerance));
}
function matchInOrder(expected, actual, tolerance) {
    const common = Math.min(expected.length, actual.length);
    const indices = Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => index);
    return {
        missing: indices.filter((index) => index >= common && index < expected.length),
        extra: indices.filter((index) => index >= common && index < actual.length),
        changed: indices
            .filter((index) => index < common)
            .map((index) => ({
            expected: index,
            actual: index,
            columns: differingCells(expected[index] ?? [], actual[index] ?? [], tolerance),
        }))
            .filter(({ columns }) => columns.length > 0),
    };
}
function groupKey(cell, tolerance) {
    return cell.number !== undefined && tolerance.units > 0n ? 'number' : cell.key;
}
function pairUp({ expected, actual }, tolerance, equal) {
    if (tolerance.units === 0n) {
        const common = Math.min(expected.length, actual.length);
        return new Map(expected.slice(0, common).map((left, index) => [left, actual[index] ?? -1]));
    }
    const partner = new Map();
    const assign = (left, seen) => {
        const fits = actual.filter((right) => !seen.has(right) && equal(left, right));
        const free = fits.find((right) => !partner.has(right));
        if (free !== undefined) {
            partner.set(free, left);
            return true;
        }
        for (const right of fits) {
            if (seen.has(right))
                continue;
            seen.add(right);
            const before = partner.get(right);
            if (before === undefined || !assign(before, seen))
                continue;
            partner.set(right, left);
            return true;
        }
        return false;
    };
    for (const left of expected)
        assign(left, new Set());
    return new Map([...partner].map(([right, left]) => [left, right]));
}
function withChanges(missing, extra, similarity, differing) {
    if (missing.length * extra.length > maxPaired * maxPaired)
        return { missing, extra, changed: [] };
    const left = new Set(missing);
    const right = new Set(extra);
    const candidates = missing
        .flatMap((expected) => extra.map((actual) => ({ expected, actual, same: similarity(expected, actual) })))
        .filter(({ same }) => same > 0)
        .toSorted((a, b) => b.same - a.same);
    const changed = candidates.filter(({ expected, actual }) => {
        if (!left.has(expected) || !right.has(actual))
            return false;
        left.delete(expected);
        right.delete(actual);
        return true;
    });
    return {
        missing: [...left],
        extra: [...right],
        changed: changed
            .map(({ expected, actual }) => ({ expected, actual, columns: differing(expected, actual) }))
            .toSorted((a, b) => a.expected - b.expected),
    };
}
function rowsAreEqual(a, b, tolerance) {
    return sameCells(a, b, tolerance) === a.length;
}
function differingCells(a, b, tolerance) {
    return [...a.keys()].filter((index) => !(0,compare_values/* areEqual */.t7)(a[index] ?? nothing, b[index] ?? nothing, tolerance));
}
const nothing = { key: 'null' };
function sameCells(a, b, tolerance) {
    return a.filter((cell, index) => (0,compare_values/* areEqual */.t7)(cell, b[index] ?? nothing, tolerance)).length;
}

;// CONCATENATED MODULE: ./flows/test/compare-table.js




const maxRows = 100_000;
function unreadable({ kind, table }, { message }) {
    return `the ${kind} "${table}" cannot be read: ${message}`;
}
async function countRows(table, { warehouse }) {
    const { rows } = await warehouse.query(`SELECT count(*) FROM ${table.sql}`, { maxRows: 1 });
    return Number(rows[0]?.[0] ?? 0);
}
function columnOf({ columns }, name, { project }) {
    const stored = (0,engine/* storedName */.Rs)(name, project.kind);
    return columns.find((column) => column.name === stored);
}
async function readRows(table, columns, run) {
    const list = columns.length === 0 ? '1' : columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(', ');
    const { rows, isCut } = await run.warehouse.query(`SELECT ${list} FROM ${table.sql}`, { maxRows });
    const count = isCut ? await countRows(table, run) : rows.length;
    return { rows: columns.length === 0 ? rows.map(() => []) : rows, count };
}
function compareRows({ isOrdered, tolerance }, written, columns, actual) {
    const wanted = written.rows.map(({ cells }) => columns.map(({ type }, index) => (0,compare_values/* comparableOfNode */.k1)(cells.get(written.columns[index] ?? ''), type)));
    const found = actual.map((row) => columns.map(({ type }, index) => (0,compare_values/* comparableOfValue */.Xf)(row[index] ?? null, type)));
    const limit = (0,decimal/* parseDecimal */.$Q)(String(tolerance)) ?? { units: 0n, scale: 0 };
    return isOrdered ? matchInOrder(wanted, found, limit) : matchRows(wanted, found, limit);
}


/***/ }),

/***/ 2654:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   If: () => (/* binding */ comparableAcross),
/* harmony export */   Xf: () => (/* binding */ comparableOfValue),
/* harmony export */   k1: () => (/* binding */ comparableOfNode),
/* harmony export */   t7: () => (/* binding */ areEqual)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1862);
/* harmony import */ var _lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7046);


const numericTypes = new Set([
    'NUMBER',
    'FLOAT',
    'SMALLINT',
    'INTEGER',
    'BIGINT',
]);
const nothing = { key: 'null' };
function comparableOfNode(node, type) {
    if (node === undefined)
        return nothing;
    if (type.name === 'VARIANT')
        return comparableOfTree(node);
    if (node.kind !== 'scalar')
        return { key: `tree:${comparableOfTree(node).key}` };
    const { value, text } = node;
    if (value === null)
        return nothing;
    if (typeof value === 'number')
        return comparableNumber(text, value);
    if (typeof value === 'boolean')
        return { key: `boolean:${value}` };
    return { key: textKey(value, type) };
}
function comparableOfValue(value, type, missingItem = 'as null') {
    if (type.name === 'VARIANT')
        return comparableOfData(value, missingItem);
    if (value === null)
        return nothing;
    if (typeof value === 'object')
        return { key: `tree:${comparableOfData(value, missingItem).key}` };
    if (typeof value === 'boolean')
        return { key: `boolean:${value}` };
    if (numericTypes.has(type.name))
        return comparableNumber(String(value), Number(value));
    return { key: storedKey(String(value), type) };
}
function comparableAcross(value, type, other) {
    if (!holdsTexts(type) || value === null)
        return comparableOfValue(value, type, 'as itself');
    if (typeof value === 'object')
        return { key: `tree:${comparableOfData(value, 'as itself').key}` };
    if (holdsTexts(other))
        return { key: treeKey(String(value)) ?? `text:${String(value)}` };
    if (typeof value === 'string')
        return readAs(value, other);
    return typeof value === 'boolean'
        ? { key: `boolean:${value}` }
        : comparableNumber(String(value), Number(value));
}
function holdsTexts({ name }) {
    return name === 'VARCHAR' || name === 'VARIANT';
}
function readAs(text, type) {
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
    if (numericTypes.has(type.name) && isNumber)
        return comparableNumber(text, Number(text));
    if (type.name === 'FLOAT' && /^-?\d(?:\.\d+)?e[+-]\d{2,3}$/.test(text))
        return comparableNumber(text, Number(text));
    if (type.name === 'FLOAT' && /^-?inf$/.test(text))
        return { key: `number:${text}inity`.replace('inf', 'Inf') };
    if (type.name === 'BOOLEAN' && (text === 'true' || text === 'false'))
        return { key: `boolean:${text}` };
    return { key: textKey(text, type) };
}
function treeKey(text) {
    if (!/^\s*[[{]/.test(text))
        return undefined;
    try {
        return `tree:${comparableOfData((0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(text), 'as itself').key}`;
    }
    catch {
        return undefined;
    }
}
function areEqual(a, b, tolerance) {
    if (a.key === b.key)
        return true;
    return (a.number !== undefined &&
        b.number !== undefined &&
        tolerance.units > 0n &&
        (0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .isNear */ .HQ)(a.number, b.number, tolerance));
}
const isPrefixed = /^0[xo]/;
function comparableNumber(text, value) {
    const number = (0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .parseDecimal */ .$Q)(text) ?? (0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .parseDecimal */ .$Q)(String(isPrefixed.test(text) ? BigInt(text) : value));
    if (number === undefined)
        return { key: `number:${String(value)}` };
    return { key: `number:${(0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .writeDecimal */ .Bz)(number)}`, number };
}
function textKey(text, type) {
    const { name } = type;
    if (name === 'FLOAT') {
        const number = (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .writtenText */ .v4)(text, type);
        return number !== undefined && !Number.isFinite(Number(number)) ? `number:${number}` : `text:${text}`;
    }
    return momentTypes.has(name) || name === 'BINARY'
        ? storedKey((0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .writtenText */ .v4)(text, type) ?? text, type)
        : `text:${text}`;
}
const momentTypes = new Set(['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_TZ']);
function storedKey(text, { name }) {
    if (name === 'BINARY')
        return `binary:${text}`;
    if (!momentTypes.has(name))
        return `text:${text}`;
    const inUtc = text.endsWith('+00:00') ? text.slice(0, -6) : text;
    return `moment:${inUtc.endsWith(' 00:00:00') ? inUtc.slice(0, -9) : inUtc}`;
}
function comparableOfTree(node) {
    if (node.kind === 'list')
        return { key: `[${node.items.map((item) => comparableOfTree(item).key).join()}]` };
    if (node.kind === 'map') {
        return mapOf([...node.entries].map(([key, entry]) => [key, comparableOfTree(entry.value)]));
    }
    return node.value === null ? nothing : ofScalar(node.value, node.text);
}
function comparableOfData(value, missingItem) {
    if (value === undefined)
        return missingItem === 'as null' ? nothing : { key: 'undefined' };
    if (value === null)
        return nothing;
    if (typeof value !== 'object')
        return ofScalar(value, String(value));
    const ofPart = (part) => comparableOfData(part, missingItem);
    if (isList(value))
        return { key: `[${value.map((item) => ofPart(item).key).join()}]` };
    return mapOf(Object.entries(value).map(([key, item]) => [key, ofPart(item)]));
}
function ofScalar(value, text) {
    if (typeof value === 'string')
        return { key: JSON.stringify(value) };
    if (typeof value === 'boolean')
        return { key: String(value) };
    return comparableNumber(text, Number(value));
}
function mapOf(entries) {
    const sorted = entries.toSorted(([a], [b]) => Number(a > b) - Number(a < b));
    return { key: `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${value.key}`).join()}}` };
}
function isList(value) {
    return Array.isArray(value);
}


/***/ }),

/***/ 5176:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ declaredTables),
/* harmony export */   q: () => (/* binding */ namedTable)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1862);
/* harmony import */ var _lib_pipelines_grid_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5425);


const nameKeys = new Map([
    ['create-table', 'newTableName'],
    ['create-table-v2', 'table'],
]);
function declaredTables(project) {
    let tables;
    return (table) => (tables ??= readAll(project)).get(keyOf(table));
}
function readAll(project) {
    const tables = new Map();
    for (const file of project.pipelines) {
        const document = project.pipeline(file);
        if (document === undefined || document.problems.length > 0)
            continue;
        for (const component of document.components.values()) {
            const name = tableOf(component, project);
            const columns = name === undefined ? [] : columnsOf(component, project, file);
            if (name !== undefined && columns.length > 0 && !tables.has(keyOf(name)))
                tables.set(keyOf(name), columns);
        }
    }
    return tables;
}
function tableOf(component, { defaults, kind }) {
    const key = nameKeys.get(component.type);
    const table = key === undefined ? undefined : component.text(key);
    if (table === undefined)
        return undefined;
    const part = (name, other) => {
        const text = component.text(name) ?? '';
        return text === '' || text.toLowerCase() === '[environment default]' ? other : text;
    };
    const database = part('database', part('catalog', defaults.database));
    const schema = part('schema', defaults.schema);
    if ([table, schema, database].some((text) => text.includes('${')))
        return undefined;
    return {
        database: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(database, kind),
        schema: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(schema, kind),
        table: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(table, kind),
    };
}
function columnsOf(component, { kind }, file) {
    const rows = (0,_lib_pipelines_grid_js__WEBPACK_IMPORTED_MODULE_1__/* .gridOf */ .y)(component.parameter('columns'));
    if (rows.some((row) => row.some((cell) => cell.includes('${'))))
        return [];
    try {
        return rows.map(([name = '', type = '', size = '', precision = '']) => ({
            name: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(name, kind),
            type: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .readType */ .hq)({
                type: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .sourceText */ .rI)(type, file),
                size: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .sourceText */ .rI)(size, file),
                precision: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .sourceText */ .rI)(precision, file),
            }, kind),
        }));
    }
    catch (error) {
        if (error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .Refusal */ .P_ || error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .ParameterError */ .un)
            return [];
        throw error;
    }
}
function keyOf({ database, schema, table }) {
    return JSON.stringify([database, schema, table]);
}
function namedTable(text, { defaults, kind }) {
    const { database, schema, table } = (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .readTableText */ .uo)(text, defaults);
    return {
        database: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(database, kind),
        schema: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(schema, kind),
        table: (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(table, kind),
    };
}


/***/ }),

/***/ 6534:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ defaultJobs)
/* harmony export */ });
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8161);

const defaultJobs = Math.min(4, (0,node_os__WEBPACK_IMPORTED_MODULE_0__.availableParallelism)());


/***/ }),

/***/ 257:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ exactNumber),
/* harmony export */   z: () => (/* binding */ isExactNumber)
/* harmony export */ });
function exactNumber(text) {
    return Object.defineProperty({ exactNumber: text }, 'toJSON', { value: () => text });
}
function isExactNumber(value) {
    return (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function');
}


/***/ }),

/***/ 8521:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $D: () => (/* binding */ testFilesOf),
/* harmony export */   Nu: () => (/* binding */ isTest),
/* harmony export */   hl: () => (/* binding */ isTestFile),
/* harmony export */   rH: () => (/* binding */ nameProblem),
/* harmony export */   us: () => (/* binding */ testFiles)
/* harmony export */ });
/* unused harmony export testFileOf */
/* harmony import */ var _lib_core_decode_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3207);
/* harmony import */ var _lib_pipelines_calls_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3824);
/* harmony import */ var _lib_pipelines_pipeline_kind_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1750);
/* harmony import */ var _lib_yaml_read_yaml_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8691);
/* harmony import */ var _lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5143);





const suffix = '.test.yaml';
function isTestFile(path) {
    return path.endsWith(suffix);
}
function isMisnamed(path, project) {
    if (isTestFile(path) || !/\.test\.ya?ml$/i.test(path))
        return false;
    const bytes = project.bytes(path) ?? Buffer.of();
    const { text, fault } = (0,_lib_core_decode_text_js__WEBPACK_IMPORTED_MODULE_0__/* .decodeText */ .g7)(bytes);
    const source = fault === undefined ? (0,_lib_yaml_read_yaml_js__WEBPACK_IMPORTED_MODULE_3__/* .readYaml */ .g)(text, { file: path }) : undefined;
    if (source === undefined || source.problems.length > 0)
        return (0,_lib_core_decode_text_js__WEBPACK_IMPORTED_MODULE_0__/* .lfsReason */ .Mp)(bytes) !== undefined || hasKeys(bytes);
    return ((0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_4__/* .textOf */ .b6)((0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_4__/* .childOf */ .GG)(source.root, 'pipeline')) !== undefined && (0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_4__/* .childOf */ .GG)(source.root, 'tests') !== undefined);
}
function hasKeys(bytes) {
    const ascii = Buffer.from(bytes).toString('latin1').replaceAll('\0', '');
    return ['pipeline', 'tests'].every((key) => new RegExp(`^\\W*${key}["']?\\s*:`, 'm').test(ascii));
}
function isTest(path, project) {
    return isTestFile(path) || isMisnamed(path, project);
}
function nameProblem(path) {
    if (isTestFile(path))
        return undefined;
    return `the name of a test file must end in .test.yaml: rename it to ${path.replace(/\.test\.ya?ml$/i, suffix)}`;
}
function testFileOf(pipeline) {
    return pipeline.replace(/\.(?:orch|tran)\.yaml$/, '') + suffix;
}
function testFiles(project) {
    const links = project.links.filter(isTestFile);
    return project.paths
        .filter((path) => isTest(path, project))
        .concat(links)
        .filter((path) => !project.isHidden(path))
        .toSorted();
}
function testFilesOf(names, project) {
    const pipelines = new Set(names.filter((name) => (0,_lib_pipelines_pipeline_kind_js__WEBPACK_IMPORTED_MODULE_2__/* .kindOf */ .I)(name) !== undefined));
    const own = names.filter((name) => isTest(name, project));
    if (pipelines.size === 0)
        return [...new Set(own)].toSorted();
    const others = project.paths.filter((file) => {
        if (!isTest(file, project))
            return false;
        const name = pipelineNameIn(file, project);
        if (name === undefined)
            return !project.isHidden(file);
        const tested = (0,_lib_pipelines_calls_js__WEBPACK_IMPORTED_MODULE_1__/* .resolveCall */ .XC)(name, project);
        return (tested !== undefined && pipelines.has(tested) && (!project.isHidden(file) || project.isHidden(tested)));
    });
    return [...new Set([...own, ...others])].toSorted();
}
function pipelineNameIn(file, project) {
    return (0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_4__/* .textOf */ .b6)((0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_4__/* .childOf */ .GG)(rootOf(file, project), 'pipeline'));
}
function rootOf(file, project) {
    const { text, fault } = (0,_lib_core_decode_text_js__WEBPACK_IMPORTED_MODULE_0__/* .decodeText */ .g7)(project.bytes(file) ?? Buffer.of());
    return fault === undefined ? (0,_lib_yaml_read_yaml_js__WEBPACK_IMPORTED_MODULE_3__/* .readYaml */ .g)(text, { file }).root : undefined;
}


/***/ }),

/***/ 5972:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ similarColumns),
/* harmony export */   S: () => (/* binding */ givenNames)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1862);
/* harmony import */ var _lib_core_closest_word_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6143);
/* harmony import */ var _lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3511);
/* harmony import */ var _declared_tables_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5176);




function givenNames(run) {
    const { state, planned } = run;
    if (state.failed === undefined || !planned.test.expected.outcome.isSuccess)
        return {};
    const { message, pipeline } = state.failed;
    const [, variable] = /the variable "([^"]+)" is not defined/.exec(message) ?? [];
    if (variable !== undefined)
        return { hint: variableHint(variable, pipeline, run) };
    const [, existing] = /; there is (?:"[^"]*"\.)*"([^"]+)"$/.exec(message) ?? [];
    const [, database, schema, table] = /table "([^"]+)"\."([^"]+)"\."([^"]+)" (?:was )?not found/.exec(message) ?? [];
    if (database !== undefined && schema !== undefined && table !== undefined) {
        const names = tableNames({ database, schema, table }, run);
        return names.problem === undefined && existing !== undefined
            ? { hint: quoteHint(table, existing, run) }
            : names;
    }
    const [, column] = /column "([^"]+)" (?:was )?not found/.exec(message) ?? [];
    return column === undefined ? {} : columnNames(column, run);
}
function similarColumns({ planned }) {
    for (const { name, columns, content } of planned.test.given) {
        const declared = new Set(columns.map((column) => column.name));
        const others = content.columns.filter((column) => !declared.has(column));
        for (const [index, first] of others.entries()) {
            const apart = others
                .slice(index + 1)
                .filter((other) => !content.rows.some(({ cells }) => cells.has(first) && cells.has(other)));
            const second = (0,_lib_core_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(first, apart);
            if (second !== undefined)
                return `; \`given\` has "${first}" in some rows of "${name.text}", and "${second}" in others`;
        }
    }
    return '';
}
function tableNames(wanted, run) {
    const { planned, project } = run;
    const { given } = planned.test;
    const keyOf = ({ database, schema, table }) => JSON.stringify([database, schema, table]);
    const sameLetters = given.find(({ name }) => keyOf((0,_declared_tables_js__WEBPACK_IMPORTED_MODULE_3__/* .namedTable */ .q)(name.text, project)).toLowerCase() === keyOf(wanted).toLowerCase());
    if (sameLetters !== undefined) {
        const { place, text } = sameLetters.name;
        const message = `the pipeline reads the table "${wanted.table}"${readAt(run)}, but this one is "${text}": upper and lower case differ${quoteHint(wanted.table, text, run)}`;
        return { problem: { ...place, message } };
    }
    const names = given.map(({ name }) => (0,_declared_tables_js__WEBPACK_IMPORTED_MODULE_3__/* .namedTable */ .q)(name.text, project).table);
    const meant = given[names.indexOf((0,_lib_core_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(wanted.table, names) ?? '')];
    if (meant === undefined)
        return { hint: '; `given` does not have it: add it' };
    const { text, place } = meant.name;
    const { table } = (0,_declared_tables_js__WEBPACK_IMPORTED_MODULE_3__/* .namedTable */ .q)(text, project);
    return { hint: `; \`given\` has ${alikeName(table, wanted.table, text)} (${place.line}:${place.column})` };
}
function columnNames(wanted, run) {
    const { planned, project } = run;
    const columns = planned.test.given.flatMap((table) => columnsOf(table));
    const stored = columns.map(({ name }) => (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(name, project.kind));
    const sameLetters = columns[stored.findIndex((name) => name.toLowerCase() === wanted.toLowerCase())];
    if (sameLetters !== undefined && (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(sameLetters.name, project.kind) !== wanted) {
        const { name, table, place } = sameLetters;
        const message = `the pipeline reads the column "${wanted}"${readAt(run)}, but the table "${table}" has "${name}": upper and lower case differ${quoteHint(wanted, name, run)}`;
        return { problem: { ...place, message } };
    }
    if (sameLetters !== undefined)
        return {};
    const meant = columns[stored.indexOf((0,_lib_core_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(wanted, stored) ?? '')];
    if (meant === undefined)
        return {};
    const { name, table, place } = meant;
    return {
        hint: `; "${table}" in \`given\` has ${alikeName(name, wanted, name)} (${place.line}:${place.column})`,
    };
}
function alikeName(name, wanted, written) {
    return (0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .onlyLooksLike */ .it)(name, wanted)
        ? `"${(0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .escapedName */ .Nm)(written)}", which only looks like "${(0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .escapedName */ .Nm)(wanted)}"`
        : `"${written}"`;
}
function readAt({ state: { failed } }) {
    const [, place] = /^(\S.*?:\d+:\d+): /.exec(failed?.message ?? '') ?? [];
    return place === undefined ? '' : ` (${place})`;
}
function quoteHint(wanted, existing, { project: { kind } }) {
    return kind === 'WAREHOUSE_ONE' && wanted === existing.toUpperCase()
        ? `. SQL reads a name without quotes in upper case: write "${existing}" with quotes there`
        : '';
}
function variableHint(name, pipeline, { project }) {
    const declared = [...(project.pipeline(pipeline)?.variables.keys() ?? [])];
    const meant = (0,_lib_core_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(name, declared);
    return meant === undefined
        ? `; declare it in \`variables\` of ${pipeline}, or give it a value in \`variables\` of the test`
        : `; ${(0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .didYouMean */ .au)(name, meant)}`;
}
function columnsOf({ name: table, columns, content }) {
    const found = columns.map(({ name, place }) => ({ name, place, table: table.text }));
    const others = content.columns.map((name) => {
        const row = content.rows.find(({ cells }) => cells.has(name));
        return { name, place: row?.placeOf(name) ?? table.place, table: table.text };
    });
    return [...found, ...others];
}


/***/ }),

/***/ 2133:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ mockFaults),
/* harmony export */   t: () => (/* binding */ placeOfRow)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1862);
/* harmony import */ var _planned_test_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2475);


function mockFaults({ planned, failures, project }) {
    const problems = failures.flatMap(({ pipeline, component, message, mockFault }) => {
        if (mockFault === undefined)
            return [];
        const mock = planned.test.mocks.find((one) => isFor(one, { pipeline, component }, planned, project));
        if (mock === undefined)
            return [];
        const place = placeOfFault(mock, mockFault, project);
        return [{ ...place, message: `the mock of "${mock.name.text}": ${message}` }];
    });
    return [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()];
}
function isFor({ name }, { pipeline, component }, { document }, project) {
    const found = (0,_planned_test_js__WEBPACK_IMPORTED_MODULE_1__/* .findComponent */ .Tn)(name.text, document, project);
    return found?.path === pipeline && found.component === component;
}
function placeOfFault(mock, { part, name, row, column }, project) {
    const other = mock.placeOf(part);
    switch (part) {
        case 'rows':
            return placeOfRow(mock.rows, { row, column }, other, project);
        case 'output':
            return placeOfRow(mock.output?.content, { row, column }, other, project);
        case 'variables':
            return mock.variables.find((variable) => variable.name.text === name)?.name.place ?? other;
        case 'tables': {
            const table = mock.tables.find((one) => one.name.text === name);
            return placeOfRow(table?.content, { row, column }, table?.name.place ?? other, project);
        }
    }
}
function placeOfRow(content, { row = 0, column }, other, { kind }) {
    const written = content?.rows[row - 1];
    if (content === undefined || written === undefined)
        return other;
    const name = content.columns.find((one) => (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(one, kind) === column);
    return name === undefined ? written.place : written.placeOf(name);
}


/***/ }),

/***/ 6452:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ overlayProject)
/* harmony export */ });
/* harmony import */ var _lib_core_decode_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3207);
/* harmony import */ var _lib_pipelines_pipeline_kind_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1750);
/* harmony import */ var _test_project_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9706);



function overlayProject(saved, { contents, settings }) {
    const bytes = (file) => (contents.has(file) ? contents.get(file) : saved.bytes(file));
    const has = (file) => (contents.has(file) ? contents.get(file) !== undefined : saved.has(file));
    const size = (file) => (contents.has(file) ? contents.get(file)?.byteLength : saved.size(file));
    const paths = [...new Set([...saved.paths, ...contents.keys()])].filter(has).toSorted();
    const pipelines = paths.filter((file) => (0,_lib_pipelines_pipeline_kind_js__WEBPACK_IMPORTED_MODULE_1__/* .kindOf */ .I)(file) !== undefined && (0,_lib_core_decode_text_js__WEBPACK_IMPORTED_MODULE_0__/* .isTextName */ .b5)(file));
    const other = (0,_test_project_js__WEBPACK_IMPORTED_MODULE_2__/* .projectTexts */ .G1)({ read: (file) => contents.get(file), size });
    const text = (file) => (contents.has(file) ? other.text(file) : saved.text(file));
    const uses = (file, variable) => contents.has(file) ? other.uses(file, variable) : saved.uses(file, variable);
    const readShared = (0,_test_project_js__WEBPACK_IMPORTED_MODULE_2__/* .sharedReader */ .ll)((settings ?? saved).sharedSource, text);
    return {
        ...saved,
        ...settings,
        get shared() {
            return readShared();
        },
        paths,
        pipelines,
        has,
        size,
        text,
        bytes,
        uses,
        mentions: (variable) => pipelines.some((file) => uses(file, variable)),
        pipeline: (file) => (contents.has(file) ? other.pipeline(file) : saved.pipeline(file)),
        beside: (0,_test_project_js__WEBPACK_IMPORTED_MODULE_2__/* .filesBeside */ .Gr)({ has, size, text, bytes }),
    };
}


/***/ }),

/***/ 2475:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Tn: () => (/* binding */ findComponent),
  z: () => (/* binding */ planTests)
});

// UNUSED EXPORTS: testedPipeline

// EXTERNAL MODULE: ./engine/index.js + 279 modules
var engine = __webpack_require__(1862);
// EXTERNAL MODULE: ./lib/pipelines/calls.js
var calls = __webpack_require__(3824);
// EXTERNAL MODULE: ./flows/test/broken-pipeline.js
var broken_pipeline = __webpack_require__(9598);
// EXTERNAL MODULE: ./flows/test/table-rows.js
var table_rows = __webpack_require__(6151);
// EXTERNAL MODULE: ./lib/core/did-you-mean.js
var did_you_mean = __webpack_require__(4746);
// EXTERNAL MODULE: ./lib/core/look-alike.js
var look_alike = __webpack_require__(3511);
// EXTERNAL MODULE: ./lib/pipelines/closest-pipeline.js
var closest_pipeline = __webpack_require__(161);
// EXTERNAL MODULE: ./lib/pipelines/pipeline-kind.js
var pipeline_kind = __webpack_require__(1750);
;// CONCATENATED MODULE: ./flows/test/unknown-names.js





const misnamed = ['', '.yaml', '.yml'];
function unknownPipeline(text, project) {
    const { directory, paths } = project;
    const isMeant = (file) => {
        const intended = (0,pipeline_kind/* intendedName */.jh)(file);
        return intended !== undefined && (0,pipeline_kind/* withoutSuffix */.al)(intended) === (0,pipeline_kind/* withoutSuffix */.al)(text);
    };
    const other = paths.find((file) => misnamed.some((suffix) => file === `${text}${suffix}`) || isMeant(file));
    if (other !== undefined)
        return `${other} is not a pipeline: its name must end in .orch.yaml or .tran.yaml`;
    const meant = (0,closest_pipeline/* closestPipeline */._)(text, project.pipelines);
    const hint = meant === undefined
        ? `a path from the root of the project, ${directory}, is needed`
        : (0,look_alike/* didYouMean */.au)((0,pipeline_kind/* withoutSuffix */.al)(text), meant);
    return `the pipeline "${text}" does not exist in the project; ${hint}`;
}
function unknownName(name, document, project) {
    const [pipeline = '', component] = name.text.split('#');
    if (component === undefined)
        return unknownIn(name, name.text, document);
    const called = project.pipeline((0,calls/* resolveCall */.XC)(pipeline, project) ?? '');
    return called === undefined
        ? { ...name.place, message: unknownPipeline(pipeline, project) }
        : unknownIn(name, component, called);
}
function unknownIn({ place }, component, document) {
    const hint = (0,did_you_mean/* meantClause */.bz)(component, document.components.keys());
    return { ...place, message: `the pipeline ${document.path} has no component "${component}"${hint}` };
}
function neverCalls(document, other, project) {
    const seen = new Set([document.path]);
    const waiting = [document];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const call of (0,calls/* callsOf */.p9)(next)) {
            if (!(0,calls/* isOwnCall */.dN)(call, project))
                return false;
            const called = (0,calls/* calledPath */.v)(call, project);
            const found = called === undefined || seen.has(called) ? undefined : project.pipeline(called);
            if (found === undefined)
                continue;
            if (found.path === other)
                return false;
            seen.add(found.path);
            waiting.push(found);
        }
    }
    return true;
}

// EXTERNAL MODULE: ./lib/core/closest-word.js
var closest_word = __webpack_require__(6143);
// EXTERNAL MODULE: ./lib/core/number-of.js
var number_of = __webpack_require__(1640);
// EXTERNAL MODULE: ./lib/pipelines/variable-value.js
var variable_value = __webpack_require__(6813);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
;// CONCATENATED MODULE: ./flows/test/variable-problems.js





function wrongVariable(variable, document, project) {
    const { name, node, place, value, placeOf } = variable;
    const declared = document.variables.get(name.text);
    if (declared === undefined) {
        if (project.mentions(name.text))
            return nullsIn(node, variable);
        const meant = (0,closest_word/* closestWord */.En)(name.text, [...document.variables.keys()]);
        const hint = meant === undefined ? '' : `; ${(0,look_alike/* didYouMean */.au)(name.text, meant)}`;
        return [
            { ...name.place, message: `the pipeline ${document.path} has no variable "${name.text}"${hint}` },
        ];
    }
    const isGrid = declared.type === 'GRID';
    if (isGrid !== (node.kind === 'list')) {
        return [
            {
                ...place,
                message: isGrid
                    ? `the variable "${name.text}" is a grid: write a list of rows`
                    : `the variable "${name.text}" is not a grid: write one value`,
            },
        ];
    }
    if (typeof value === 'string') {
        const fault = (0,variable_value/* valueFault */.SH)(declared.type, value);
        if (fault !== undefined)
            return [{ ...place, message: `the variable "${name.text}" ${fault}` }];
        return (0,variable_value/* isTyped */.xN)(declared.type) ? [] : nullsIn(node, variable);
    }
    const { columns } = declared;
    const wrongWidth = (0,yaml_node/* itemsOf */.S3)(node).flatMap((row, index) => {
        const count = value[index]?.length ?? 0;
        if (columns.length === 0 || count === columns.length)
            return [];
        const message = `the row has ${(0,number_of/* numberOf */.r)(count, 'cell')}, but the grid "${name.text}" has ${(0,number_of/* numberOf */.r)(columns.length, 'column')}: ${columns.join(', ')}`;
        return [{ ...placeOf(row), message }];
    });
    if (wrongWidth.length > 0)
        return wrongWidth;
    const cells = (0,yaml_node/* itemsOf */.S3)(node).flatMap((row) => (row.kind === 'list' ? row.items : [row]).flatMap((cell, column) => {
        const type = declared.columnTypes[column] ?? '';
        if ((0,variable_value/* isTyped */.xN)(type) && cell.kind === 'scalar' && cell.value === null)
            return [];
        const fault = cell.kind === 'scalar' ? (0,variable_value/* cellFault */.h5)(declared, column, cell.text) : undefined;
        return fault === undefined
            ? nullsIn(cell, variable)
            : [{ ...placeOf(cell), message: `the variable "${name.text}": ${fault}` }];
    }));
    return cells;
}
function nullsIn(node, variable) {
    if (node.kind === 'list')
        return node.items.flatMap((item) => nullsIn(item, variable));
    if (node.kind === 'map' || node.value !== null)
        return [];
    const message = `the variable "${variable.name.text}" has texts, which are never null: write '' for the empty text`;
    return [{ ...variable.placeOf(node), message }];
}
function privateVariable({ name }, document) {
    if (document.variables.get(name.text)?.visibility !== 'PRIVATE')
        return [];
    return [
        {
            ...name.place,
            message: `the variable "${name.text}" is private to the pipeline: no caller can set it`,
        },
    ];
}

;// CONCATENATED MODULE: ./flows/test/planned-test.js






function testedPipeline({ pipeline: { text, place } }, project) {
    const path = (0,calls/* resolveCall */.XC)(text, project);
    const document = path === undefined ? undefined : project.pipeline(path);
    if (document === undefined)
        throw (0,engine/* problemAt */.l4)(place, unknownPipeline(text, project));
    (0,broken_pipeline/* refuseBroken */.I)(document);
    return document;
}
function planTests(file, project) {
    const document = testedPipeline(file, project);
    const problems = file.tests.flatMap((test) => [
        ...test.mocks.flatMap((mock) => mockProblems(mock, document, project)),
        ...[...test.expected.ran, ...test.expected.notRan].flatMap((name) => unknownOwn(name, document)),
        ...(test.expected.outcome.component === undefined
            ? []
            : unknownComponent(test.expected.outcome.component, document, project)),
        ...[...test.variables, ...test.expected.variables].flatMap((variable) => wrongVariable(variable, document, project)),
        ...test.variables.flatMap((variable) => privateVariable(variable, document)),
        ...namedTwice(test, document, project),
    ]);
    if (problems.length > 0)
        throw new engine/* FileProblems */.jq(problems);
    return file.tests.map((test) => ({ file, test, document }));
}
function namedTwice(test, document, project) {
    const tableOf = ({ text, place }) => {
        const { database, schema, table } = (0,table_rows/* tableNamed */.u)(text, place, project);
        return JSON.stringify([database, schema, table]);
    };
    const componentOf = ({ text }) => JSON.stringify(findComponent(text, document, project) ?? text);
    const names = (tables) => tables.map(({ name }) => name);
    return [
        ...repeated(names(test.given), tableOf, 'table'),
        ...test.mocks.flatMap(({ tables }) => repeated(names(tables), tableOf, 'table')),
        ...repeated(test.mocks.map(({ name }) => name), componentOf, 'component'),
    ];
}
function repeated(names, keyOf, what) {
    const first = new Map();
    return names.flatMap((name) => {
        const other = first.get(keyOf(name));
        if (other === undefined)
            first.set(keyOf(name), name);
        const message = `"${name.text}" and "${other?.text ?? ''}" are names of one ${what}: remove one of them`;
        return other === undefined ? [] : [{ ...name.place, message }];
    });
}
function findComponent(name, document, project) {
    if (document.components.has(name))
        return { path: document.path, component: name };
    for (let at = name.indexOf('#'); at > 0; at = name.indexOf('#', at + 1)) {
        const path = (0,calls/* resolveCall */.XC)(name.slice(0, at), project);
        const component = name.slice(at + 1);
        if (path !== undefined && project.pipeline(path)?.components.has(component) === true)
            return { path, component };
    }
    return undefined;
}
function mockProblems(mock, document, project) {
    const found = findComponent(mock.name.text, document, project);
    const called = found === undefined ? undefined : project.pipeline(found.path);
    const component = called?.components.get(found?.component ?? '');
    if (called === undefined || component === undefined)
        return unknownComponent(mock.name, document, project);
    const isUnused = called.path !== document.path && neverCalls(document, called.path, project);
    const unused = `${document.path} does not call ${called.path}, so that the mock has no effect`;
    return [
        ...(isUnused ? [{ ...mock.name.place, message: unused }] : []),
        ...wrongMock(mock, called.kind === 'transformation', component.type),
        ...mock.variables.flatMap((variable) => wrongVariable(variable, called, project)),
    ];
}
function unknownComponent(name, document, project) {
    return findComponent(name.text, document, project) === undefined
        ? [unknownName(name, document, project)]
        : [];
}
function unknownOwn(name, document) {
    return document.components.has(name.text) ? [] : [unknownIn(name, name.text, document)];
}
function wrongMock(mock, isTransformation, type) {
    const at = (key, message) => ({ ...mock.placeOf(key), message });
    if (mock.outcome === 'failure') {
        return ['tables', 'rows', 'output', 'variables', 'condition']
            .filter((key) => mock.keys.has(key))
            .map((key) => at(key, `\`${key}\` has no effect with \`outcome: failure\``));
    }
    const problems = [];
    if (mock.message !== undefined)
        problems.push(at('message', '`message` needs `outcome: failure`'));
    if (mock.output !== undefined && !isTransformation) {
        problems.push(at('output', '`output` is for components of transformations: use `tables` or `rows`'));
    }
    const isIf = type === 'if' && !isTransformation;
    if (isIf && mock.condition === undefined) {
        const message = 'the mock of an `if` needs its answer: `condition: true` or `condition: false`';
        problems.push({ ...mock.name.place, message });
    }
    if (!isIf && mock.condition !== undefined) {
        problems.push(at('condition', '`condition` is for an `if`'));
    }
    return problems;
}


/***/ }),

/***/ 8626:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ ranComponents),
/* harmony export */   y: () => (/* binding */ ownSteps)
/* harmony export */ });
const calls = new Set([
    'run-orchestration',
    'run-transformation',
    'run-shared-pipeline',
]);
function ownSteps(path, { steps }) {
    const byNumber = new Map(steps.map((step) => [step.number, step]));
    const isOwn = (step) => {
        if (step.pipeline !== path)
            return false;
        const parent = step.parent === null ? undefined : byNumber.get(step.parent);
        return parent === undefined || (!calls.has(parent.type) && isOwn(parent));
    };
    return steps.filter(isOwn);
}
function ranComponents(path, state) {
    const ran = ownSteps(path, state).filter(({ status }) => status !== 'SKIPPED');
    return new Set(ran.map(({ component }) => component));
}


/***/ }),

/***/ 1825:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  j: () => (/* binding */ readTestFile)
});

// EXTERNAL MODULE: ./engine/index.js + 279 modules
var engine = __webpack_require__(1862);
// EXTERNAL MODULE: ./lib/config/read-config.js + 3 modules
var read_config = __webpack_require__(1416);
// EXTERNAL MODULE: ./lib/core/failure.js + 1 modules
var failure = __webpack_require__(9428);
// EXTERNAL MODULE: ./lib/core/look-alike.js
var look_alike = __webpack_require__(3511);
// EXTERNAL MODULE: ./lib/core/visible-text.js
var visible_text = __webpack_require__(2439);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
;// CONCATENATED MODULE: ./lib/yaml/prefixed-numbers.js

function prefixedNumbers({ file, root, toRange }) {
    return [...(0,yaml_node/* scalarsOf */.TM)(root)]
        .filter(({ value, text }) => typeof value === 'number' && /^0[xo]/.test(text))
        .map((node) => {
        const kind = node.text.startsWith('0x') ? 'a hexadecimal' : 'an octal';
        const message = `${node.text} is ${kind} number of YAML: write ${BigInt(node.text)}, or '${node.text}' in quotes for a text`;
        return { file, message, ...toRange(node) };
    });
}

// EXTERNAL MODULE: ./lib/yaml/read-yaml.js + 5 modules
var read_yaml = __webpack_require__(8691);
// EXTERNAL MODULE: ./flows/test/find-tests.js
var find_tests = __webpack_require__(8521);
// EXTERNAL MODULE: ./lib/pipelines/grid.js
var grid = __webpack_require__(5425);
;// CONCATENATED MODULE: ./flows/test/read-parts.js


function entriesOf(node) {
    return node?.kind === 'map'
        ? [...node.entries].map(([name, { key, value }]) => [name, key, value])
        : [];
}
function located(node, placeOf) {
    const text = (0,yaml_node/* textOf */.b6)(node);
    return node === undefined || text === undefined ? undefined : { text, place: placeOf(node) };
}
function variablesOf(node, placeOf) {
    return entriesOf(node).map(([name, key, value]) => ({
        name: { text: name, place: placeOf(key) },
        node: value,
        place: placeOf(value),
        placeOf,
        value: value.kind === 'list' ? (0,grid/* gridOf */.y)(value) : ((0,yaml_node/* textOf */.b6)(value) ?? ''),
    }));
}

;// CONCATENATED MODULE: ./flows/test/read-content.js



async function contentOf(node, reading) {
    const rows = (0,yaml_node/* childOf */.GG)(node, 'rows');
    if (rows?.kind === 'list')
        return (0,engine/* rowsOf */.RO)(rows, reading.placeOf);
    const file = located((0,yaml_node/* childOf */.GG)(node, 'file'), reading.placeOf);
    return file === undefined ? undefined : (0,engine/* readFixture */.Y_)(file, reading);
}

;// CONCATENATED MODULE: ./flows/test/read-expectations.js




async function readExpectations(node, test, reading) {
    const { placeOf } = reading;
    const names = (key) => (0,yaml_node/* itemsOf */.S3)((0,yaml_node/* childOf */.GG)(node, key)).flatMap((item) => located(item, placeOf) ?? []);
    const tables = [];
    for (const [name, key, value] of entriesOf((0,yaml_node/* childOf */.GG)(node, 'tables'))) {
        tables.push(await tableOf({ text: name, place: placeOf(key) }, value, reading));
    }
    return {
        outcome: outcomeOf((0,yaml_node/* childOf */.GG)(node, 'outcome'), test, placeOf),
        tables,
        variables: variablesOf((0,yaml_node/* childOf */.GG)(node, 'variables'), placeOf),
        ran: names('ran'),
        notRan: names('not-ran'),
    };
}
function outcomeOf(node, test, placeOf) {
    const expect = test.entries.get('expect');
    const place = placeOf(node ?? expect?.key ?? test);
    const failure = (0,yaml_node/* childOf */.GG)(node, 'failure');
    if (failure === undefined)
        return { isSuccess: true, place, component: undefined, message: undefined };
    const part = (key) => located((0,yaml_node/* childOf */.GG)(failure, key), placeOf);
    return { isSuccess: false, place, component: part('component'), message: part('message') };
}
async function tableOf(name, node, reading) {
    const { placeOf } = reading;
    const count = (0,yaml_node/* childOf */.GG)(node, 'count');
    return {
        name,
        isAbsent: node.kind === 'scalar',
        rows: await contentOf(node, reading),
        count: count?.kind === 'scalar' ? { value: Number(count.value), place: placeOf(count) } : undefined,
        isOrdered: read_expectations_valueOf((0,yaml_node/* childOf */.GG)(node, 'ordered')) === true,
        tolerance: Number(read_expectations_valueOf((0,yaml_node/* childOf */.GG)(node, 'tolerance')) ?? 0),
    };
}
function read_expectations_valueOf(node) {
    return node?.kind === 'scalar' ? node.value : undefined;
}

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 5 modules
var schemas = __webpack_require__(7994);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/iso.js
var iso = __webpack_require__(4377);
// EXTERNAL MODULE: ./lib/config/duration-schema.js
var duration_schema = __webpack_require__(556);
;// CONCATENATED MODULE: ./flows/test/test-file-schema.js


const nameSchema = schemas/* string */.YjP().min(1);
const cellSchema = schemas/* preprocess */.vkY((value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value), schemas/* json */.Pq9());
const rowSchema = schemas/* record */.g1P(nameSchema, cellSchema, { error: 'must be a map of columns, such as { id: 1 }' });
const rowsSchema = schemas/* array */.YOg(rowSchema, { error: 'must be a list of rows, such as [{ id: 1 }], or [] for none' })
    .describe('Rows by the names of their columns; a column left out is null.');
const columnsSchema = schemas/* record */.g1P(nameSchema, schemas/* string */.YjP().min(1), { error: 'must be a map of types, such as { id: NUMBER }' })
    .describe('Types of columns as SQL writes them: NUMBER(10,2), VARCHAR, DATE.');
const fileSchema = schemas/* string */.YjP()
    .min(1)
    .describe('A CSV, JSON or Parquet file with the rows, relative to the test file.');
const givenTableSchema = schemas/* strictObject */.rej({
    columns: columnsSchema.optional(),
    rows: rowsSchema.optional(),
    file: fileSchema.optional(),
})
    .refine(({ rows, file }) => rows === undefined || file === undefined, {
    error: 'must have `rows` or `file`, not both',
})
    .refine(({ rows, file, columns }) => rows !== undefined || file !== undefined || columns !== undefined, {
    error: 'must have `rows`, `file` or `columns`',
});
const tablesSchema = schemas/* record */.g1P(nameSchema, givenTableSchema, {
    error: 'must be a map of tables by their names',
});
const scalarSchema = schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* number */.aig(), schemas/* boolean */.zMY(), schemas/* null */.chJ()], {
    error: 'must be a single value: text, a number, true or false',
});
const gridRowSchema = schemas/* array */.YOg(scalarSchema, { error: 'must be a row of the grid, such as [a, b]' });
const valueSchema = schemas/* union */.KCZ([scalarSchema, schemas/* array */.YOg(gridRowSchema)], {
    error: 'must be a single value, or for a grid a list of rows such as [[a, b]]',
});
const variablesSchema = schemas/* record */.g1P(nameSchema, valueSchema);
const mockSchema = schemas/* strictObject */.rej({
    outcome: schemas/* enum */.k5n(['success', 'failure']).optional().describe('How the component ends; default: success.'),
    message: schemas/* string */.YjP().optional().describe('The message of the component.'),
    tables: tablesSchema.optional().describe('Rows that the component adds to tables.'),
    output: givenTableSchema.optional().describe('The whole output of a component of a transformation.'),
    condition: schemas/* boolean */.zMY().optional().describe('The answer of an `if`.'),
    variables: variablesSchema
        .optional()
        .describe('Variables that the component sets; grids as lists of rows.'),
    rows: rowsSchema
        .optional()
        .describe('Rows of the target table of the component, or the rounds of an iterator.'),
});
const expectedTableSchema = schemas/* strictObject */.rej({
    rows: rowsSchema.optional().describe('The whole table, in any order; only the columns named here count.'),
    file: fileSchema.optional(),
    count: schemas/* int */.Whr().min(0).optional().describe('Number of rows.'),
    ordered: schemas/* boolean */.zMY().optional().describe('Whether the rows are compared in order of insertion.'),
    tolerance: schemas/* number */.aig().min(0).optional().describe('Largest difference at which two numbers are equal.'),
})
    .refine(({ rows, file }) => rows === undefined || file === undefined, {
    error: 'must have `rows` or `file`, not both',
})
    .refine(({ rows, file, count }) => rows !== undefined || file !== undefined || count !== undefined, {
    error: 'must have `rows`, `file` or `count`',
})
    .refine(({ rows, file, count, ordered, tolerance }) => {
    const countOnly = rows === undefined && file === undefined && count !== undefined;
    return !countOnly || (ordered === undefined && tolerance === undefined);
}, {
    error: 'has `ordered` or `tolerance`, which need `rows` or `file`',
});
const failureSchema = schemas/* strictObject */.rej({
    failure: schemas/* strictObject */.rej({
        component: nameSchema
            .optional()
            .describe('The component that failed first; `pipeline path#Component` in a called pipeline.'),
        message: nameSchema.optional().describe('A part of its message.'),
    }),
});
const componentsSchema = schemas/* array */.YOg(nameSchema, {
    error: 'must be a list of components, such as [Load Files]',
});
const expectSchema = schemas/* strictObject */.rej({
    outcome: schemas/* union */.KCZ([schemas/* literal */.euz('success'), failureSchema], {
        error: 'must be `success` or `{ failure: { component: …, message: … } }`',
    })
        .optional()
        .describe('Default: success.'),
    tables: schemas/* record */.g1P(nameSchema, schemas/* union */.KCZ([schemas/* literal */.euz('absent'), expectedTableSchema], {
        error: 'must be `absent`, or a map with `rows`, `file` or `count`',
    }), { error: 'must be a map of tables by their names' })
        .optional(),
    variables: variablesSchema.optional().describe('Variables of the pipeline after the run.'),
    ran: componentsSchema.optional().describe('Components that must have run.'),
    'not-ran': componentsSchema.optional().describe('Components that must not have run.'),
})
    .refine((expected) => Object.values(expected).some(saysSomething), {
    error: 'is empty: a test without an expectation proves nothing',
});
function saysSomething(part) {
    return typeof part === 'object' && part !== null ? Object.keys(part).length > 0 : part !== undefined;
}
const testSchema = schemas/* strictObject */.rej({
    name: nameSchema.describe('What the pipeline is expected to do; unique in the file.'),
    variables: variablesSchema
        .optional()
        .describe('Values for variables of the pipeline; grids as lists of rows.'),
    clock: iso/* datetime */.w$({ offset: true })
        .optional()
        .describe('The time at which the pipeline starts; default: 2026-01-01T00:00:00Z.'),
    timeout: duration_schema/* durationSchema */.s.optional().describe('Default: 60s.'),
    given: tablesSchema.optional().describe('Tables before the run.'),
    mock: schemas/* record */.g1P(nameSchema, mockSchema)
        .optional()
        .describe('What replaces components, by name; `pipeline path#Component` in called pipelines.'),
    expect: expectSchema,
});
const testFileSchema = schemas/* strictObject */.rej({
    pipeline: nameSchema.describe('Path from the root of the project; the suffix is optional.'),
    schemas: schemas/* string */.YjP()
        .min(1)
        .optional()
        .describe('A YAML file with the columns of tables, relative to this file.'),
    tests: schemas/* array */.YOg(testSchema).min(1),
});
const tableSchemasSchema = schemas/* record */.g1P(nameSchema, columnsSchema);

// EXTERNAL MODULE: ./flows/test/test-problem.js
var test_problem = __webpack_require__(2496);
;// CONCATENATED MODULE: ./flows/test/read-test-file.js














const partNames = ['given', 'mock', 'expect'];
function misplacedKeys(root, placeOf) {
    return (0,yaml_node/* itemsOf */.S3)((0,yaml_node/* childOf */.GG)(root, 'tests')).flatMap((test) => {
        if (test.kind !== 'map')
            return [];
        const absent = partNames.filter((key) => !test.entries.has(key));
        return [...misplaced(test, absent, [], placeOf)];
    });
}
function* misplaced({ entries }, absent, above, placeOf) {
    for (const [name, { key, value }] of entries) {
        const parent = above.at(-1);
        if (parent !== undefined && absent.includes(name)) {
            const message = `\`${name}\` is indented too far: it is a part of \`${parent}\` here, not of the test`;
            yield { ...placeOf(key), message };
        }
        else if (value.kind === 'map')
            yield* misplaced(value, absent, [...above, name], placeOf);
    }
}
const defaultStart = Date.parse('2026-01-01T00:00:00Z');
const defaultTimeoutMs = 60_000;
async function readTestFile(text, file, beside) {
    const misnamed = (0,find_tests/* nameProblem */.rH)(file);
    if (misnamed !== undefined)
        throw (0,engine/* problemAt */.l4)({ file, line: 1, column: 1 }, misnamed);
    const { value, source } = readWritten(text, file, testFileSchema);
    const placeOf = placesIn(source);
    const reading = { ...beside, placeOf };
    const problems = [];
    const schemas = await (0,test_problem/* collectProblems */.vX)(problems, () => readSchemas((0,yaml_node/* childOf */.GG)(source.root, 'schemas'), reading));
    const nodes = (0,yaml_node/* itemsOf */.S3)((0,yaml_node/* childOf */.GG)(source.root, 'tests'));
    refuseEqualNames(nodes, placeOf, problems);
    const tests = [];
    for (const [index, written] of value.tests.entries()) {
        const node = nodes[index];
        if (node?.kind !== 'map')
            continue;
        const test = await (0,test_problem/* collectProblems */.vX)(problems, () => readTest(written, node, reading));
        if (test !== undefined)
            tests.push(test);
    }
    if (problems.length > 0)
        throw new engine/* FileProblems */.jq(problems);
    const pipeline = located((0,yaml_node/* childOf */.GG)(source.root, 'pipeline'), placeOf) ?? {
        text: value.pipeline,
        place: { file, line: 1, column: 1 },
    };
    return { file, pipeline, schemas: schemas ?? new Map(), tests, source };
}
function readWritten(text, file, schema) {
    try {
        const read = (0,read_config/* readConfig */.X)(text, file, { schema, readsSpelling: true });
        const prefixed = prefixedNumbers(read.source);
        if (prefixed.length > 0)
            throw new engine/* FileProblems */.jq(prefixed.map(({ file: at, line, column, message }) => ({ file: at, line, column, message })));
        return read;
    }
    catch (error) {
        if (!(error instanceof failure/* Failure */.HR) || !Array.isArray(error.details['problems']))
            throw error;
        const source = (0,read_yaml/* readYaml */.g)(text, { file });
        const placeOf = placesIn(source);
        const causes = [...misplacedKeys(source.root, placeOf), ...unquotedTypes(source.root, placeOf)];
        throw new engine/* FileProblems */.jq(causes.length === 0 ? error.details['problems'] : causes);
    }
}
function placesIn(source) {
    return (span) => {
        const { line, column } = source.toRange(span);
        return { file: source.file, line, column };
    };
}
async function readTest(written, node, reading) {
    const { placeOf } = reading;
    const given = await tablesOf((0,yaml_node/* childOf */.GG)(node, 'given'), reading);
    const mocks = [];
    for (const [name, key, value] of entriesOf((0,yaml_node/* childOf */.GG)(node, 'mock'))) {
        mocks.push(await mockOf({ text: name, place: placeOf(key) }, value, reading));
    }
    return {
        name: written.name,
        place: placeOf((0,yaml_node/* childOf */.GG)(node, 'name') ?? node),
        variables: variablesOf((0,yaml_node/* childOf */.GG)(node, 'variables'), placeOf),
        startsAt: written.clock === undefined ? defaultStart : Date.parse(written.clock),
        timeoutMs: written.timeout ?? defaultTimeoutMs,
        given,
        mocks,
        expected: await readExpectations((0,yaml_node/* childOf */.GG)(node, 'expect'), node, reading),
        node,
    };
}
async function mockOf(name, node, reading) {
    const output = (0,yaml_node/* childOf */.GG)(node, 'output');
    const rows = (0,yaml_node/* childOf */.GG)(node, 'rows');
    const condition = (0,yaml_node/* childOf */.GG)(node, 'condition');
    const keys = new Map(entriesOf(node).map(([key, span]) => [key, reading.placeOf(span)]));
    return {
        name,
        keys: new Set(keys.keys()),
        placeOf: (key) => keys.get(key) ?? name.place,
        outcome: (0,yaml_node/* textOf */.b6)((0,yaml_node/* childOf */.GG)(node, 'outcome')) === 'failure' ? 'failure' : 'success',
        message: (0,yaml_node/* textOf */.b6)((0,yaml_node/* childOf */.GG)(node, 'message')),
        tables: await tablesOf((0,yaml_node/* childOf */.GG)(node, 'tables'), reading),
        output: output === undefined
            ? undefined
            : await read_test_file_tableOf({ text: 'output', place: name.place }, output, reading),
        variables: variablesOf((0,yaml_node/* childOf */.GG)(node, 'variables'), reading.placeOf),
        rows: rows?.kind === 'list' ? (0,engine/* rowsOf */.RO)(rows, reading.placeOf) : undefined,
        condition: condition?.kind === 'scalar' ? condition.value === true : undefined,
    };
}
async function tablesOf(node, reading) {
    const tables = [];
    for (const [name, key, value] of entriesOf(node)) {
        tables.push(await read_test_file_tableOf({ text: name, place: reading.placeOf(key) }, value, reading));
    }
    return tables;
}
async function read_test_file_tableOf(name, node, reading) {
    const columns = columnsOf((0,yaml_node/* childOf */.GG)(node, 'columns'), reading.placeOf);
    return { name, columns, content: (await contentOf(node, reading)) ?? engine/* noRows */.jw };
}
function columnsOf(node, placeOf) {
    return entriesOf(node).map(([name, , value]) => ({
        name,
        type: (0,yaml_node/* textOf */.b6)(value) ?? '',
        place: placeOf(value),
    }));
}
function readSchemas(node, reading) {
    const name = located(node, reading.placeOf);
    if (name === undefined)
        return new Map();
    const found = (0,engine/* findBeside */.SS)(name, reading);
    const { source } = readWritten(found.text(), found.file, tableSchemasSchema);
    const tables = entriesOf(source.root);
    if (tables.length === 0)
        throw (0,engine/* problemAt */.l4)({ file: found.file, line: 1, column: 1 }, 'the file has no tables: write the columns of each table by its name');
    return new Map(tables.map(([table, , value]) => [table, columnsOf(value, placesIn(source))]));
}
function refuseEqualNames(nodes, placeOf, problems) {
    const seen = new Map();
    for (const node of nodes) {
        const name = located((0,yaml_node/* childOf */.GG)(node, 'name'), placeOf);
        if (name === undefined)
            continue;
        const other = seen
            .get((0,look_alike/* lookOf */.Li)(name.text))
            ?.find((one) => one === name.text || (0,look_alike/* onlyLooksLike */.it)(one, name.text));
        if (other !== undefined) {
            const what = other === name.text
                ? `has the name "${(0,visible_text/* visibleText */.Q6)(name.text)}"`
                : `has the name "${(0,look_alike/* escapedName */.Nm)(other)}", which only looks like "${(0,look_alike/* escapedName */.Nm)(name.text)}"`;
            problems.push({ ...name.place, message: `another test in this file ${what}: rename one of them` });
        }
        seen.set((0,look_alike/* lookOf */.Li)(name.text), [...(seen.get((0,look_alike/* lookOf */.Li)(name.text)) ?? []), name.text]);
    }
}
function* unquotedTypes(node, placeOf) {
    for (const item of node?.kind === 'list' ? node.items : [])
        yield* unquotedTypes(item, placeOf);
    if (node?.kind !== 'map')
        return;
    let before;
    for (const [name, { value }] of node.entries) {
        const begin = before?.kind === 'scalar' ? before.text : '';
        if (before !== undefined && /\(\d+$/.test(begin) && /^\d+\)$/.test(name)) {
            const message = `write the type in quotes, '${begin},${name}': without them, its comma ends the value`;
            yield { ...placeOf(before), message };
        }
        yield* unquotedTypes(value, placeOf);
        before = value;
    }
}


/***/ }),

/***/ 3400:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  ur: () => (/* binding */ createGiven),
  g7: () => (/* binding */ execute),
  YA: () => (/* binding */ runTest),
  ZL: () => (/* binding */ testSetting)
});

// EXTERNAL MODULE: ./engine/index.js + 279 modules
var engine = __webpack_require__(1862);
// EXTERNAL MODULE: ./lib/core/closest-word.js
var closest_word = __webpack_require__(6143);
// EXTERNAL MODULE: ./lib/core/look-alike.js
var look_alike = __webpack_require__(3511);
// EXTERNAL MODULE: ./lib/core/number-of.js
var number_of = __webpack_require__(1640);
// EXTERNAL MODULE: ./flows/test/compare-table.js + 1 modules
var compare_table = __webpack_require__(8256);
// EXTERNAL MODULE: ./flows/test/given-names.js
var given_names = __webpack_require__(5972);
// EXTERNAL MODULE: ./flows/test/table-rows.js
var table_rows = __webpack_require__(6151);
// EXTERNAL MODULE: ./lib/core/visible-text.js
var visible_text = __webpack_require__(2439);
// EXTERNAL MODULE: ./flows/test/shown-value.js
var shown_value = __webpack_require__(9485);
// EXTERNAL MODULE: ./flows/test/writers-of.js
var writers_of = __webpack_require__(8300);
;// CONCATENATED MODULE: ./flows/test/check-table.js










async function checkTable(expected, run) {
    const { project, warehouse } = run;
    const { text, place } = expected.name;
    const name = (0,table_rows/* tableNamed */.u)(text, place, project);
    await warehouse.refresh();
    const table = warehouse.catalog.find(name);
    if (expected.isAbsent) {
        const present = table ?? alikeTable(name, warehouse.catalog);
        if (present === undefined)
            return [];
        const message = table === undefined
            ? `the table "${(0,visible_text/* visibleText */.Q6)(text)}" was expected to be absent, but ${existing(name.table, present.table)}; write the name as the table has it`
            : `the table "${text}" exists; it was expected to be absent`;
        return [{ kind: 'present-table', table: text, ...place, ...(0,writers_of/* writersOf */.k)(present, run), message }];
    }
    if (table === undefined) {
        const similar = alikeTable(name, warehouse.catalog);
        const hint = similar === undefined
            ? closeTable(name, warehouse.catalog)
            : `; ${existing(name.table, similar.table)}`;
        return [
            {
                kind: 'missing-table',
                table: text,
                ...place,
                message: `the table "${(0,visible_text/* visibleText */.Q6)(text)}" does not exist${hint}`,
            },
        ];
    }
    try {
        return await checkContent(expected, table, run);
    }
    catch (error) {
        if (!(error instanceof engine/* SqlError */.L8))
            throw error;
        const message = (0,compare_table/* unreadable */.O$)(table, error);
        return [{ kind: 'missing-table', table: text, ...place, ...(0,writers_of/* writersOf */.k)(table, run), message }];
    }
}
async function checkContent(expected, table, run) {
    const rows = expected.rows === undefined ? undefined : await checkRows(expected, expected.rows, table, run);
    if (expected.count === undefined)
        return rows?.differences ?? [];
    const count = rows?.count ?? (await (0,compare_table/* countRows */.BO)(table, run));
    return [...(rows?.differences ?? []), ...checkCount(expected, { table, count }, run)];
}
function closeTable({ database, schema, table }, catalog) {
    const names = catalog.list(database, schema).map((one) => one.table);
    const meant = (0,closest_word/* closestWord */.En)(table, names);
    return meant === undefined ? '' : `; ${(0,look_alike/* didYouMean */.au)(table, meant)}`;
}
function alikeTable(name, catalog) {
    return (catalog.findIgnoringCase(name) ??
        catalog.list(name.database, name.schema).find(({ table }) => (0,look_alike/* lookOf */.Li)(table) === (0,look_alike/* lookOf */.Li)(name.table)) ??
        tableOfQuoted(name, catalog));
}
function tableOfQuoted({ database, schema, table }, catalog) {
    return unquoted(table) === table
        ? undefined
        : alikeTable({ database: unquoted(database), schema: unquoted(schema), table: unquoted(table) }, catalog);
}
function unquoted(name) {
    return /^"(.+)"$/s.exec(name)?.[1] ?? name;
}
function existing(wanted, found) {
    if (wanted !== found && unquoted(wanted) === found)
        return `there is "${(0,visible_text/* visibleText */.Q6)(found)}", without quotation marks in its name`;
    return (0,look_alike/* onlyLooksLike */.it)(wanted, found)
        ? (0,look_alike/* didYouMean */.au)(wanted, found)
        : `there is "${(0,visible_text/* visibleText */.Q6)(found)}": upper and lower case differ`;
}
function checkCount({ name, count: wanted }, { table, count }, run) {
    if (wanted === undefined || wanted.value === count)
        return [];
    const message = `the table "${name.text}" has ${(0,number_of/* numberOf */.r)(count, 'row')}, not ${wanted.value}`;
    return [
        {
            kind: 'count',
            table: name.text,
            ...wanted.place,
            ...(0,writers_of/* writersOf */.k)(table, run),
            expected: wanted.value,
            actual: count,
            message,
        },
    ];
}
async function checkRows(expected, written, table, run) {
    const names = written.rows.length === 0 ? table.columns.map(({ name }) => name) : written.columns;
    const named = names.map((name) => ({ name, column: (0,compare_table/* columnOf */.uV)(table, name, run) }));
    const missing = named.filter(({ column }) => column === undefined).map(({ name }) => name);
    if (missing.length > 0)
        return { differences: missing.map((name) => missingColumn(expected, written, { name, table }, run)) };
    const columns = named.flatMap(({ column }) => column ?? []);
    const { rows: actual, count } = await (0,compare_table/* readRows */.aK)(table, columns, run);
    const compared = { expected, written: { ...written, columns: names }, columns, actual, table, count };
    const match = (0,compare_table/* compareRows */.fz)(expected, compared.written, columns, actual);
    return { differences: rowDifferences({ ...compared, match }, run), count };
}
function missingColumn({ name: { text, place } }, { rows }, { name, table }, run) {
    const similar = table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
    const known = table.columns.map((column) => `"${(0,visible_text/* visibleText */.Q6)(column.name)}"`).join(', ');
    const meant = (0,closest_word/* closestWord */.En)(name, table.columns.map((column) => column.name));
    const others = meant === undefined ? `it has ${known}` : (0,look_alike/* didYouMean */.au)(name, meant);
    const hint = similar === undefined ? others : `it has "${(0,visible_text/* visibleText */.Q6)(similar.name)}": upper and lower case differ`;
    const at = rows.find((row) => row.cells.has(name))?.placeOf(name) ?? place;
    const message = `the table "${text}" has no column "${(0,visible_text/* visibleText */.Q6)(name)}"; ${hint}`;
    return { kind: 'missing-column', table: text, ...at, ...(0,writers_of/* writersOf */.k)(table, run), message };
}
function rowDifferences({ expected, written, columns, actual, match, table, count }, run) {
    const common = { table: expected.name.text, ...(0,writers_of/* writersOf */.k)(table, run) };
    const cut = count > actual.length ? `; of its ${count} rows, the first ${actual.length} were compared` : '';
    const note = `${cut}${(0,given_names/* similarColumns */.R)(run)}`;
    const wanted = (index) => Object.fromEntries(written.columns.map((name) => [name, (0,shown_value/* shownNode */.ud)(written.rows[index]?.cells.get(name))]));
    const found = (index) => Object.fromEntries(written.columns.map((name, place) => [
        name,
        (0,shown_value/* shownValue */.JJ)(actual[index]?.[place] ?? null, columns[place]?.type),
    ]));
    const placeOf = (index) => written.rows[index]?.place ?? expected.name.place;
    const of = `of the table "${expected.name.text}"`;
    return [
        ...match.changed.map((pair) => ({
            kind: 'changed-row',
            ...common,
            ...placeOf(pair.expected),
            expected: wanted(pair.expected),
            actual: found(pair.actual),
            columns: pair.columns.map((place) => written.columns[place] ?? ''),
            message: `a row ${of} differs${note}`,
        })),
        ...match.missing.map((index) => ({
            kind: 'missing-row',
            ...common,
            ...placeOf(index),
            expected: wanted(index),
            message: `an expected row is not in the table "${expected.name.text}"${note}`,
        })),
        ...match.extra.map((index) => ({
            kind: 'extra-row',
            ...common,
            ...expected.name.place,
            actual: found(index),
            message: `a row ${of} was not expected${note}`,
        })),
    ];
}

// EXTERNAL MODULE: ./flows/test/compare-values.js
var compare_values = __webpack_require__(2654);
// EXTERNAL MODULE: ./lib/core/decimal.js
var decimal = __webpack_require__(7046);
// EXTERNAL MODULE: ./flows/test/check-outcome.js
var check_outcome = __webpack_require__(8574);
// EXTERNAL MODULE: ./flows/test/ran-components.js
var ran_components = __webpack_require__(8626);
// EXTERNAL MODULE: ./lib/pipelines/grid.js
var grid = __webpack_require__(5425);
;// CONCATENATED MODULE: ./flows/test/check-expectations.js







async function checkExpectations(run) {
    const { expected } = run.planned.test;
    const outcome = (0,check_outcome/* checkOutcome */.T)(run);
    if (outcome.some(({ kind }) => kind === 'refused' || kind === 'timeout'))
        return outcome;
    const tables = [];
    for (const table of expected.tables)
        tables.push(...(await checkTable(table, run)));
    const variables = expected.variables.flatMap((variable) => checkVariable(variable, run));
    return [...outcome, ...tables, ...variables, ...checkRan(run)];
}
function checkRan({ planned: { test, document }, state }) {
    const ran = (0,ran_components/* ranComponents */._)(document.path, state);
    const difference = (kind, { text, place }) => ({
        kind,
        ...place,
        component: text,
        message: kind === 'ran'
            ? `the component "${text}" did not run`
            : `the component "${text}" ran; it was expected not to`,
    });
    return [
        ...test.expected.ran.filter(({ text }) => !ran.has(text)).map((name) => difference('ran', name)),
        ...test.expected.notRan.filter(({ text }) => ran.has(text)).map((name) => difference('not-ran', name)),
    ];
}
function checkVariable({ name, node, place }, run) {
    const variable = run.variables.get(name.text);
    const difference = (actual, message) => [
        { kind: 'variable', ...place, expected: (0,shown_value/* shownNode */.ud)(node), actual, message },
    ];
    if (variable === undefined)
        return difference(null, `the variable "${name.text}" does not exist`);
    const { type, value } = variable;
    const what = `the variable "${name.text}"`;
    if (typeof value !== 'string') {
        const same = node.kind === 'list' && JSON.stringify((0,grid/* gridOf */.y)(node)) === JSON.stringify(value);
        return same ? [] : difference(value, `${what} has other rows`);
    }
    if (node.kind !== 'scalar')
        return difference(value, `${what} is not a grid`);
    if (node.value === null && value === '')
        return [];
    if (type !== 'NUMBER') {
        if (node.value === value)
            return [];
        const isText = typeof node.value === 'string' || node.value === null;
        const hint = isText ? '' : `: it is a text, so write "${node.text}" in quotes`;
        return difference(value, `${what} has another value${hint}`);
    }
    const number = { name: 'FLOAT' };
    const actual = (0,decimal/* parseDecimal */.$Q)(value);
    const found = actual === undefined ? { key: `text:${value}` } : { key: `number:${writeKey(value)}`, number: actual };
    const isEqual = (0,compare_values/* areEqual */.t7)((0,compare_values/* comparableOfNode */.k1)(node, number), found, { units: 0n, scale: 0 });
    if (isEqual)
        return [];
    const isQuoted = typeof node.value === 'string' && (0,decimal/* parseDecimal */.$Q)(node.value) !== undefined;
    const hint = isQuoted ? ': it is a number, so write it without quotes' : '';
    return difference((0,shown_value/* shownNumber */.b8)(value), `${what} has another value${hint}`);
}
function writeKey(text) {
    const number = (0,decimal/* parseDecimal */.$Q)(text);
    return number === undefined ? text : `${number.units}e${-number.scale}`;
}

// EXTERNAL MODULE: ./flows/test/declared-tables.js
var declared_tables = __webpack_require__(5176);
// EXTERNAL MODULE: ./flows/test/planned-test.js + 2 modules
var planned_test = __webpack_require__(2475);
;// CONCATENATED MODULE: ./flows/test/engine-mocks.js



function engineMocks({ test, document }, sources, project) {
    return new Map(test.mocks.map((mock) => {
        const found = (0,planned_test/* findComponent */.Tn)(mock.name.text, document, project);
        const isOwn = found === undefined || found.path === document.path;
        const key = isOwn ? mock.name.text : `${found.path}#${found.component}`;
        return [key, mockOf(mock, sources, project)];
    }));
}
function mockOf(mock, sources, project) {
    const { outcome, message, condition, tables, output, variables, rows } = mock;
    return {
        outcome,
        message,
        condition,
        tables: new Map(tables.map((table) => [table.name.text, rowsOf(table, sources, project)])),
        output: output === undefined ? undefined : rowsOf(output, sources, project),
        variables: new Map(variables.map(({ name, value }) => [name.text, value])),
        rows: rows === undefined ? undefined : plainRows(rows, project),
    };
}
function rowsOf(table, sources, project) {
    const isTyped = table.columns.length > 0 || table.content.types !== undefined;
    if (!isTyped && !sources.schemas.has(table.name.text)) {
        return { rows: plainRows(table.content, project) };
    }
    const { columns, rows } = (0,table_rows/* tableRows */.Q)(table, sources, project);
    return {
        columns,
        rows: rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]))),
    };
}
function plainRows({ columns, rows }, { kind }) {
    return rows.map((row) => Object.fromEntries(columns.map((name) => [(0,engine/* storedName */.Rs)(name, kind), mockCell(row, name)])));
}
function mockCell(row, name) {
    const node = row.cells.get(name);
    if (node?.kind !== 'scalar') {
        const changed = (0,engine/* changedNumber */.QU)(node);
        if (changed !== undefined)
            throw (0,engine/* problemAt */.l4)(row.placeOf(name), (0,engine/* unkept */.s)(changed.text, name));
        return (0,engine/* plainValue */._y)(node);
    }
    const { value, text } = node;
    if (value === null || typeof value === 'string' || String(value) === text)
        return value;
    return new engine/* WrittenCell */.sZ(text, (0,engine/* typeOfScalar */.cl)(node), (type) => type.name === 'VARIANT' && (0,engine/* changedNumber */.QU)(node) !== undefined ? undefined : (0,engine/* cellValue */.Or)(node, type));
}

// EXTERNAL MODULE: ./flows/test/mock-problems.js
var mock_problems = __webpack_require__(2133);
// EXTERNAL MODULE: ./flows/test/broken-pipeline.js
var broken_pipeline = __webpack_require__(9598);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./flows/test/run-test.js









function testSetting(project, { clock, signal, python }) {
    const opened = python === undefined ? undefined : (0,engine/* openPython */.XS)(python);
    return { project, clock, signal, declared: (0,declared_tables/* declaredTables */.W)(project), python: opened };
}
async function runTest(planned, warehouse, setting, inspect) {
    const { file, test, document } = planned;
    const { project } = setting;
    const begin = setting.clock.now();
    try {
        const run = await execute(planned, warehouse, setting);
        (0,broken_pipeline/* refuseBrokenCalls */.P)(run.called, project);
        const faults = (0,mock_problems/* mockFaults */.Q)(run);
        if (faults.length > 0)
            throw new engine/* FileProblems */.jq(faults);
        const { problem } = (0,given_names/* givenNames */.S)(run);
        if (problem !== undefined)
            throw new engine/* FileProblems */.jq([problem]);
        const further = await furtherMissingMocks(run.failures, async () => {
            await warehouse.clear();
            return execute(planned, warehouse, setting, { passesUnmocked: true });
        });
        const differences = await checkExpectations({ ...run, failures: [...run.failures, ...further] });
        await inspect?.(run, differences);
        return {
            file: file.file,
            line: test.place.line,
            name: test.name,
            pipeline: document.path,
            status: statusOf(differences),
            durationMs: setting.clock.now() - begin,
            differences,
        };
    }
    finally {
        await warehouse.clear();
    }
}
function statusOf(differences) {
    if (differences.length === 0)
        return 'passed';
    return differences.some(({ kind }) => kind === 'refused') ? 'refused' : 'failed';
}
async function execute(planned, warehouse, setting, { passesUnmocked = false, repair } = {}) {
    const { test, document, file } = planned;
    const { project, declared, python } = setting;
    const sources = { schemas: file.schemas, declared };
    const mocks = engineMocks(planned, sources, project);
    await checkOutputs(planned, warehouse, setting);
    await createGiven(planned, warehouse, setting);
    const stopping = new AbortController();
    const unreadable = [];
    const clock = testClock(test.startsAt);
    const execution = (0,engine/* startExecution */.FP)({
        id: 'test',
        pipeline: document.path,
        environment: 'test',
        files: (path) => scriptText(path, project, unreadable),
        parsed: (path) => project.pipeline(path),
        paths: project.paths,
        ownShared: project.shared,
        ...variablesOf(planned),
        script: [],
        componentTimeMs: 0,
        clock,
        limits: { keptSteps: 100_000 },
        engine: {
            warehouse: warehouse.abortable(stopping.signal),
            kind: project.kind,
            defaults: project.defaults,
            mocks,
            python,
            passesUnmocked,
            ...(repair === undefined ? {} : { repair: (failed) => repair(failed, mocks) }),
        },
        onChange: () => { },
    });
    const { state, isTimedOut } = await endOf(execution, stopping, test, setting);
    if (unreadable.length > 0)
        throw new engine/* FileProblems */.jq(unreadable);
    const [variables, failures, called] = [execution.variables(), execution.failures(), execution.called()];
    const inspected = warehouse.abortable(new AbortController().signal, () => clock.now());
    return { planned, state, failures, called, isTimedOut, variables, warehouse: inspected, project };
}
async function createGiven(planned, warehouse, setting) {
    await createSchema(warehouse, setting.project);
    await warehouse.transaction(async () => {
        for (const table of planned.test.given)
            await createTable(table, planned, warehouse, setting);
    });
}
async function checkOutputs(planned, warehouse, setting) {
    const outputs = planned.test.mocks.flatMap(({ output }) => output ?? []);
    const typed = outputs.filter(({ columns }) => columns.length > 0);
    if (typed.length === 0)
        return;
    await warehouse.transaction(async () => {
        for (const output of typed)
            await createTable(output, planned, warehouse, setting);
    });
    await warehouse.clear();
}
function scriptText(path, project, unreadable) {
    try {
        return project.text(path);
    }
    catch (error) {
        if (!(error instanceof engine/* FileProblems */.jq))
            throw error;
        unreadable.push(...error.problems);
        return undefined;
    }
}
function createSchema(warehouse, { defaults: { database, schema } }) {
    return warehouse.createSchema(database, schema);
}
async function createTable(table, { file }, warehouse, { project, declared }) {
    const { name, content } = table;
    const { columns, rows } = (0,table_rows/* tableRows */.Q)(table, { schemas: file.schemas, declared }, project);
    const tableName = (0,table_rows/* tableNamed */.u)(name.text, name.place, project);
    try {
        await warehouse.createTable(tableName, columns, rows);
    }
    catch (error) {
        if (error instanceof engine/* ValueError */.Qp) {
            throw (0,engine/* problemAt */.l4)((0,mock_problems/* placeOfRow */.t)(content, error, name.place, project), error.message);
        }
        if (!(error instanceof engine/* SqlError */.L8) && !(error instanceof engine/* Refusal */.P_))
            throw error;
        throw (0,engine/* problemAt */.l4)(name.place, `the table "${name.text}": ${error.message}`);
    }
}
function variablesOf({ test, document }) {
    const own = test.variables.filter(({ name }) => document.variables.has(name.text));
    const others = test.variables.filter(({ name }) => !document.variables.has(name.text));
    const scalars = own.flatMap(({ name, value }) => typeof value === 'string' ? [[name.text, value]] : []);
    const grids = own.flatMap(({ name, value }) => typeof value === 'string' ? [] : [[name.text, value]]);
    return {
        scalarVariables: Object.fromEntries(scalars),
        gridVariables: Object.fromEntries(grids),
        projectVariables: new Map(others.map(({ name, node, value }) => {
            const type = node.kind === 'scalar' && typeof node.value === 'number' ? 'NUMBER' : 'TEXT';
            return [name.text, { type, behaviour: 'SHARED', value: String(value) }];
        })),
    };
}
async function endOf(execution, stopping, { timeoutMs }, { clock, signal }) {
    const done = new AbortController();
    let isTimedOut = false;
    const stop = () => {
        execution.terminate(true);
        stopping.abort();
    };
    const watch = async () => {
        try {
            await clock.sleep(timeoutMs, AbortSignal.any([done.signal, signal]));
            isTimedOut = true;
            stop();
        }
        catch {
            if (signal.aborted)
                stop();
        }
    };
    const watching = watch();
    const state = await execution.ended;
    done.abort();
    await watching;
    signal.throwIfAborted();
    return { state, isTimedOut };
}
async function furtherMissingMocks(failures, runPassingUnmocked) {
    if (!failures.some(isUnmocked))
        return [];
    const run = await runPassingUnmocked();
    const keyOf = ({ pipeline, component }) => JSON.stringify([pipeline, component]);
    const known = new Set(failures.map(keyOf));
    return run.failures.filter((failure) => isUnmocked(failure) && !known.has(keyOf(failure)));
}
function isUnmocked({ refusal }) {
    return refusal !== undefined && (0,engine/* isMissingMock */.JW)(refusal);
}
function testClock(startsAt) {
    let now = startsAt;
    return {
        now: () => now,
        async sleep(ms, signal) {
            signal?.throwIfAborted();
            now += ms;
            await (0,promises_.setImmediate)();
            signal?.throwIfAborted();
        },
    };
}


/***/ }),

/***/ 2572:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  wC: () => (/* binding */ noTest),
  WW: () => (/* binding */ openTestWarehouse),
  eS: () => (/* binding */ planFile),
  N$: () => (/* binding */ runTests)
});

// UNUSED EXPORTS: reportOf, runPlanned

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./engine/index.js + 279 modules
var engine = __webpack_require__(1862);
// EXTERNAL MODULE: ./lib/core/look-alike.js
var look_alike = __webpack_require__(3511);
// EXTERNAL MODULE: ./lib/core/failure.js + 1 modules
var failure = __webpack_require__(9428);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
;// CONCATENATED MODULE: ./flows/test/coverage.js

const separator = '\u0000';
function openCoverage(project, planned) {
    const components = new Set();
    const transitions = new Set();
    const paths = new Set(planned.map(({ document }) => document.path));
    return {
        add({ state }) {
            for (const { pipeline, component, status } of state.steps) {
                paths.add(pipeline);
                if (status !== 'SKIPPED')
                    components.add([pipeline, component].join(separator));
            }
            for (const [pipeline, from, on, to] of takenTransitions(state, project))
                transitions.add([pipeline, from, on, to].join(separator));
        },
        report: () => ({
            pipelines: [...paths].toSorted().flatMap((path) => {
                const document = project.pipeline(path);
                return document === undefined ? [] : [coverageOf(document, components, transitions)];
            }),
        }),
    };
}
function* takenTransitions({ steps }, project) {
    for (const step of steps) {
        const component = project.pipeline(step.pipeline)?.components.get(step.component);
        for (const { on, to } of component?.transitions ?? [])
            if (leadsOn(step, on))
                yield [step.pipeline, step.component, on, to];
    }
}
function leadsOn({ status, type, message }, on) {
    if (status === 'FAILED')
        return on === 'failure' || on === 'unconditional';
    if (status !== 'SUCCESS' && status !== 'SKIPPED')
        return false;
    if (on === 'success' || on === 'unconditional')
        return true;
    return type === 'if' && (on === 'true' || on === 'false') && message.startsWith(`Condition is ${on}`);
}
function coverageOf(document, components, transitions) {
    const { path } = document;
    const unreached = [];
    const count = { components: 0, transitions: 0, reachedTransitions: 0 };
    for (const component of document.components.values()) {
        const ran = components.has([path, component.name].join(separator));
        const { line, column } = component.range;
        if (ran)
            count.components += 1;
        else {
            const message = `no test reaches the component "${component.name}"`;
            unreached.push({ kind: 'component', component: component.name, file: path, line, column, message });
        }
        for (const { on, to } of component.transitions) {
            count.transitions += 1;
            if (transitions.has([path, component.name, on, to].join(separator)))
                count.reachedTransitions += 1;
            else if (ran)
                unreached.push(transitionOf(document, component.name, on, to));
        }
    }
    return {
        pipeline: path,
        components: { reached: count.components, all: document.components.size },
        transitions: { reached: count.reachedTransitions, all: count.transitions },
        unreached,
    };
}
function transitionOf({ path, components, source }, name, on, to) {
    const component = components.get(name);
    const targets = (0,yaml_node/* itemsOf */.S3)((0,yaml_node/* childOf */.GG)(component?.node('transitions'), on));
    const node = targets.find((item) => (0,yaml_node/* textOf */.b6)(item) === to);
    const { line, column } = node === undefined ? (component?.range ?? { line: 1, column: 1 }) : source.toRange(node);
    const isBranch = on === 'true' || on === 'false';
    const message = isBranch
        ? `no test takes the branch "${on}" of "${name}" to "${to}"`
        : `no test takes the transition "${on}" from "${name}" to "${to}"`;
    return { kind: isBranch ? 'branch' : 'transition', component: name, file: path, line, column, message };
}

// EXTERNAL MODULE: ./flows/test/planned-test.js + 2 modules
var planned_test = __webpack_require__(2475);
// EXTERNAL MODULE: ./flows/test/read-test-file.js + 5 modules
var read_test_file = __webpack_require__(1825);
// EXTERNAL MODULE: ./flows/test/run-test.js + 3 modules
var run_test = __webpack_require__(3400);
// EXTERNAL MODULE: ./flows/test/test-problem.js
var test_problem = __webpack_require__(2496);
// EXTERNAL MODULE: ./lib/core/closest-word.js
var closest_word = __webpack_require__(6143);
;// CONCATENATED MODULE: ./flows/test/run-tests.js
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










const memoryLimit = '1GB';
async function runTests(request, context) {
    const { project, files, filter, withCoverage, packages } = request;
    const problems = [];
    const planned = [];
    for (const path of files) {
        const tests = await (0,test_problem/* collectProblems */.vX)(problems, () => planFile(path, project, { filter, packages }));
        planned.push(...(tests ?? []));
    }
    if (planned.length + problems.length === 0)
        throw noTest(request);
    const coverage = withCoverage ? openCoverage(project, planned) : undefined;
    const setting = (0,run_test/* testSetting */.ZL)(project, context);
    const results = await runPlanned(planned, { ...request, coverage, settingOf: () => setting });
    for (const result of results.values())
        if (result instanceof engine/* FileProblems */.jq)
            problems.push(...result.problems);
    const tests = planned.flatMap((one) => resultOf(results.get(one)));
    const report = reportOf(tests, coverage?.report());
    return problems.length === 0 ? report : { ...report, problems: (0,test_problem/* sortedProblems */.ET)(problems) };
}
function resultOf(ended) {
    return ended === undefined || ended instanceof engine/* FileProblems */.jq ? [] : [ended];
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
async function planFile(path, project, { filter = '', packages }) {
    const word = filter.normalize('NFC').toLowerCase();
    if (project.links.includes(path)) {
        const message = 'the test file is a symbolic link, which Millrace does not follow: replace it by a plain file';
        throw (0,engine/* problemAt */.l4)({ file: path, line: 1, column: 1 }, message);
    }
    try {
        const beside = {
            readBeside: project.beside(path),
            explainMissing: explainMissing(path, project),
            packages,
        };
        const file = await (0,read_test_file/* readTestFile */.j)(project.text(path) ?? '', path, beside);
        return (0,planned_test/* planTests */.z)(file, project).filter(({ test }) => test.name.normalize('NFC').toLowerCase().includes(word));
    }
    catch (error) {
        throw engineMissing(error);
    }
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
async function runPlanned(planned, { jobs, project, settingOf, coverage, packages, inspect }) {
    const results = new Map();
    const waiting = planned.values();
    const look = async (run, differences) => {
        coverage?.add(run);
        await inspect?.(run, differences);
    };
    const job = async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const warehouse = __addDisposableResource(env_1, await openTestWarehouse(project, packages), true);
            for (const one of waiting) {
                const setting = settingOf(one);
                setting.signal.throwIfAborted();
                try {
                    results.set(one, await (0,run_test/* runTest */.YA)(one, warehouse, setting, look));
                }
                catch (error) {
                    if (!(error instanceof engine/* FileProblems */.jq))
                        throw error;
                    results.set(one, error);
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
    await Promise.all(Array.from({ length: Math.min(jobs, planned.length) }, job));
    return results;
}
async function openTestWarehouse({ kind }, packages, open = engine/* openWarehouse */.cH) {
    try {
        return await open({ kind, memoryLimit, packages });
    }
    catch (error) {
        throw engineMissing(error);
    }
}
function engineMissing(error) {
    return error instanceof engine/* WarehouseUnavailable */.yp
        ? new failure/* Failure */.HR('engine-missing', { message: `${error.message}.`, cause: error })
        : error;
}
function explainMissing(file, { paths }) {
    const folder = external_node_path_.posix.dirname(file);
    return (name) => {
        const target = external_node_path_.posix.join(folder, name);
        if (target.startsWith('../'))
            return `the file "${name}" is outside of the project`;
        const others = paths.filter((other) => external_node_path_.posix.extname(other) === external_node_path_.posix.extname(name));
        const sameName = others.find((other) => external_node_path_.posix.basename(other) === external_node_path_.posix.basename(name));
        const meant = sameName ?? (0,closest_word/* closestWord */.En)(target, others);
        const hint = meant === undefined ? '' : `; ${(0,look_alike/* didYouMean */.au)(name, external_node_path_.posix.relative(folder, meant))}`;
        return `the file "${target}" does not exist in the project${hint}`;
    };
}


/***/ }),

/***/ 4889:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ez: () => (/* binding */ comparedTexts),
/* harmony export */   Ft: () => (/* binding */ isSame),
/* harmony export */   f$: () => (/* binding */ shownText)
/* harmony export */ });
/* harmony import */ var _lib_core_visible_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2439);
/* harmony import */ var _exact_number_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(257);


const maxText = 44;
const maxWhole = 40;
const around = 12;
function shownText(value) {
    const text = typeof value === 'string' && isPlain(value) ? value : jsonText(value);
    return text.length > maxText ? `${withoutHalf(text.slice(0, maxText - 1))}…` : text;
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
    return text.normalize('NFKC').replaceAll(new RegExp(_lib_core_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .invisibleCharacter */ .Dy, 'gu'), '');
}
function roughLook(text) {
    const plain = text.replaceAll(/\\(?:[nrtbf]|u\{?[\da-f]+\}?)|[\s\p{Zs}]+/giu, ' ');
    return look(plain)
        .replaceAll(/ +/g, ' ')
        .replaceAll(/^[" ]+|[" ]+$/g, '');
}
function jsonText(value) {
    if ((0,_exact_number_js__WEBPACK_IMPORTED_MODULE_1__/* .isExactNumber */ .z)(value))
        return value.exactNumber;
    if (typeof value === 'string')
        return (0,_lib_core_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .visibleText */ .Q6)(JSON.stringify(value));
    if (value === null || typeof value !== 'object')
        return JSON.stringify(value);
    if (isList(value))
        return `[${value.map(jsonText).join(',')}]`;
    const members = Object.entries(value).toSorted(([a], [b]) => Number(a > b) - Number(a < b));
    return `{${members.map(([key, item]) => `${jsonText(key)}:${jsonText(item)}`).join(',')}}`;
}
function isList(value) {
    return Array.isArray(value);
}
function isPlain(text) {
    const looksLikeOther = /^(?:[-+]?[\d.]+(?:e[-+]?\d+)?|true|false|null|)$/i.test(text);
    return !looksLikeOther && !/^[ "]| $| {2}|→/.test(text) && !_lib_core_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .invisibleCharacter */ .Dy.test(text);
}
function inAscii(text) {
    return text.replaceAll(/[^ -~…]/gu, _lib_core_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .codePointEscape */ .BQ);
}


/***/ }),

/***/ 9485:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   JJ: () => (/* binding */ shownValue),
/* harmony export */   b8: () => (/* binding */ shownNumber),
/* harmony export */   ud: () => (/* binding */ shownNode)
/* harmony export */ });
/* harmony import */ var _lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7046);
/* harmony import */ var _exact_number_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(257);


function shownValue(value, type) {
    const isNumber = type?.name === 'NUMBER' || type?.name === 'FLOAT';
    return isNumber && typeof value === 'string' ? shownNumber(value) : plain(value);
}
function shownNumber(text) {
    const number = Number(text);
    const [exact, kept] = [(0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_0__/* .parseDecimal */ .$Q)(text), (0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_0__/* .parseDecimal */ .$Q)(String(number))];
    const isKept = exact !== undefined && kept !== undefined && (0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_0__/* .writeDecimal */ .Bz)(exact) === (0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_0__/* .writeDecimal */ .Bz)(kept);
    return isKept ? number : (0,_exact_number_js__WEBPACK_IMPORTED_MODULE_1__/* .exactNumber */ .r)(text);
}
function shownNode(node) {
    if (node?.kind === 'list')
        return node.items.map(shownNode);
    if (node?.kind === 'map')
        return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, shownNode(value)]));
    if (node === undefined || typeof node.value !== 'number')
        return node?.value ?? null;
    return (0,_lib_core_decimal_js__WEBPACK_IMPORTED_MODULE_0__/* .parseDecimal */ .$Q)(node.text) === undefined ? shownNumber(String(node.value)) : shownNumber(node.text);
}
function plain(value) {
    if (value === undefined)
        return 'undefined';
    if (typeof value === 'bigint')
        return (0,_exact_number_js__WEBPACK_IMPORTED_MODULE_1__/* .exactNumber */ .r)(String(value));
    if (value === null || typeof value !== 'object')
        return value;
    if (isList(value))
        return value.map(plain);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
function isList(value) {
    return Array.isArray(value);
}


/***/ }),

/***/ 6151:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ tableRows),
/* harmony export */   u: () => (/* binding */ tableNamed)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1862);
/* harmony import */ var _lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3511);
/* harmony import */ var _lib_core_long_work_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3821);
/* harmony import */ var _declared_tables_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5176);




function tableRows(table, { schemas, declared }, project) {
    const name = tableNamed(table.name.text, table.name.place, project);
    const known = { schema: schemaOf(name, schemas, project, table.name), created: declared(name) };
    return (0,_lib_core_long_work_js__WEBPACK_IMPORTED_MODULE_2__/* .atOnce */ .zd)((0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .tableOfRows */ .Fr)(table, project.kind, known));
}
function tableNamed(text, place, project) {
    try {
        return (0,_declared_tables_js__WEBPACK_IMPORTED_MODULE_3__/* .namedTable */ .q)(text, project);
    }
    catch (error) {
        if (error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .SqlError */ .L8)
            throw (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)(place, error.message);
        throw error;
    }
}
function schemaOf({ database, schema, table }, schemas, project, written) {
    let alike;
    let found;
    for (const [name, columns] of schemas) {
        const [first] = columns;
        const other = tableNamed(name, first?.place ?? { file: '', line: 1, column: 1 }, project);
        if (other.table === table && other.schema === schema && other.database === database) {
            if (found !== undefined && first !== undefined)
                throw (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)(first.place, `"${name}" is a table that \`schemas\` has twice, under two names: remove one`);
            found = columns;
            continue;
        }
        const isAlike = [other.table, other.schema, other.database].every((part, index) => (0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_1__/* .lookOf */ .Li)(part) === (0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_1__/* .lookOf */ .Li)([table, schema, database][index] ?? ''));
        if (isAlike)
            alike ??= name;
    }
    if (found !== undefined || alike === undefined)
        return found;
    const differ = (0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_1__/* .onlyLooksLike */ .it)(alike, written.text)
        ? `"${(0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_1__/* .escapedName */ .Nm)(alike)}", which only looks like "${(0,_lib_core_look_alike_js__WEBPACK_IMPORTED_MODULE_1__/* .escapedName */ .Nm)(written.text)}"`
        : `"${alike}": upper and lower case differ`;
    throw (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)(written.place, `the table "${written.text}" is not in \`schemas\`, which has ${differ}`);
}


/***/ }),

/***/ 2496:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ET: () => (/* binding */ sortedProblems),
/* harmony export */   t: () => (/* binding */ testFailure),
/* harmony export */   vX: () => (/* binding */ collectProblems)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1862);
/* harmony import */ var _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9428);
/* harmony import */ var _lib_core_sanitize_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6680);
/* harmony import */ var _find_tests_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8521);




async function collectProblems(problems, read) {
    try {
        return await read();
    }
    catch (error) {
        if (!(error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq))
            throw error;
        problems.push(...error.problems);
        return undefined;
    }
}
function sortedProblems(found) {
    const problems = found.map((problem) => ({ ...problem, message: (0,_lib_core_sanitize_text_js__WEBPACK_IMPORTED_MODULE_2__/* .oneLine */ .TN)(problem.message) }));
    return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()].toSorted((a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column);
}
function testFailure(found) {
    const problems = sortedProblems(found);
    const [first] = problems;
    const lines = problems.map((one) => `\n  ${one.file}:${one.line}:${one.column} ${one.message}`);
    const message = problems.length === 1
        ? `${first?.message ?? ''}.`.replace(/([?.!])\.$/u, '$1')
        : `${problems.length} problems:${lines.join('')}`;
    const { file = '', line = 1, column = 1 } = first ?? {};
    const where = { file, line, column };
    const hint = problems.some((one) => (0,_find_tests_js__WEBPACK_IMPORTED_MODULE_3__/* .isTestFile */ .hl)(one.file))
        ? {}
        : { hint: 'Fix the line that the message names.' };
    return new _lib_core_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .Failure */ .HR('test-invalid', { message, where, details: { problems }, ...hint });
}
function compare(a, b) {
    return Number(a > b) - Number(a < b);
}


/***/ }),

/***/ 9706:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Gr: () => (/* binding */ filesBeside),
  qD: () => (/* binding */ openTestProject),
  Mh: () => (/* binding */ projectOptions),
  G1: () => (/* binding */ projectTexts),
  ll: () => (/* binding */ sharedReader),
  _u: () => (/* binding */ sharedSourceOf),
  Lp: () => (/* binding */ usesVariable),
  fH: () => (/* binding */ warehouseSettings)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./engine/index.js + 279 modules
var engine = __webpack_require__(1862);
// EXTERNAL MODULE: ./lib/core/decode-text.js
var decode_text = __webpack_require__(3207);
// EXTERNAL MODULE: ./lib/git/package-folder.js
var package_folder = __webpack_require__(6755);
// EXTERNAL MODULE: ./lib/pipelines/pipeline-kind.js
var pipeline_kind = __webpack_require__(1750);
// EXTERNAL MODULE: ./lib/pipelines/read-pipeline.js
var read_pipeline = __webpack_require__(8060);
// EXTERNAL MODULE: ./lib/pipelines/shared-pipelines.js
var shared_pipelines = __webpack_require__(4094);
// EXTERNAL MODULE: ./lib/git/select-files.js
var select_files = __webpack_require__(2258);
;// CONCATENATED MODULE: ./flows/test/hidden-files.js


function hiddenFiles(pipelines, selection) {
    const selected = (0,select_files/* selectFiles */.A)(pipelines.flatMap((path) => (dottedPart(path) === undefined ? [] : [{ path }])), selection);
    const shown = new Set(selected.map(({ path }) => dottedPart(path)));
    return (path) => {
        const dotted = dottedPart(path);
        return dotted !== undefined && !shown.has(dotted);
    };
}
function dottedPart(path) {
    const suffix = (0,pipeline_kind/* kindOf */.I)(path) === undefined ? /\.test\.yaml$/ : /\.(?:orch|tran)\.yaml$/;
    return /^(?:.*\/)?\.[^/]+/.exec(path.replace(suffix, ''))?.[0];
}

;// CONCATENATED MODULE: ./flows/test/test-project.js









function sharedSourceOf({ release, configDir }) {
    const prefix = release.shared?.prefix;
    return prefix === undefined ? undefined : { prefix, file: (0,shared_pipelines/* sharedPipelinesPath */.uu)(configDir) };
}
function sharedReader(source, text) {
    let last;
    return () => {
        if (source === undefined)
            return undefined;
        const found = text(source.file) ?? 'pipelines: []\n';
        if (last?.text !== found)
            last = { text: found, own: (0,shared_pipelines/* ownSharedPipelines */.Lr)(source.prefix, (0,shared_pipelines/* readSharedPipelines */.tz)(source.file, found)) };
        return last.own;
    };
}
const maxBytes = 64 * 1024 * 1024;
function refuseLarge(location, file) {
    if ((0,external_node_fs_.statSync)(location).size > maxBytes)
        throw (0,engine/* problemAt */.l4)({ file, line: 1, column: 1 }, `the file ${file} is larger than 64 MiB, the limit for a file of a test`);
}
const otherFolders = new Set(['.git', package_folder/* packageFolder */.n]);
function projectOptions(config) {
    return { files: config.files, sharedSource: sharedSourceOf(config) };
}
function openTestProject(directory, kind, { files, sharedSource, otherProjects: known = [] } = {
    files: { include: [] },
    sharedSource: undefined,
}) {
    const folders = [];
    const otherProjects = [];
    const links = [];
    const paths = listFiles(directory, '', {
        folders,
        otherProjects,
        links,
        others: new Set(known),
    }).toSorted();
    const names = new Set(paths);
    const contents = new Map();
    const has = (file) => names.has(file);
    const size = (file) => (has(file) ? (0,external_node_fs_.statSync)(external_node_path_.join(directory, file)).size : undefined);
    const read = (file) => {
        if (!has(file))
            return undefined;
        refuseLarge(external_node_path_.join(directory, file), file);
        return (0,external_node_fs_.readFileSync)(external_node_path_.join(directory, file));
    };
    const bytes = (file) => {
        const content = contents.get(file) ?? read(file);
        if (content !== undefined)
            contents.set(file, content);
        return content;
    };
    const pipelines = paths.filter((file) => (0,pipeline_kind/* kindOf */.I)(file) !== undefined && (0,decode_text/* isTextName */.b5)(file));
    const { text, pipeline, uses } = projectTexts({ read, size });
    const readShared = sharedReader(sharedSource, text);
    return {
        directory,
        ...warehouseSettings(kind),
        sharedSource,
        get shared() {
            return readShared();
        },
        paths,
        folders,
        otherProjects,
        links,
        pipelines,
        isHidden: hiddenFiles(pipelines, files),
        mentions: (variable) => pipelines.some((file) => uses(file, variable)),
        has,
        size,
        text,
        bytes,
        uses,
        pipeline,
        beside: filesBeside({ has, size, text, bytes }),
    };
}
function projectTexts({ read, size, }) {
    const texts = new Map();
    const documents = new Map();
    const decoded = (file) => {
        const before = texts.get(file);
        if (before !== undefined)
            return before;
        const content = read(file);
        if (content === undefined)
            return undefined;
        const found = (0,decode_text/* decodeText */.g7)(content);
        texts.set(file, found);
        return found;
    };
    const isLong = (file) => (size(file) ?? 0) > read_pipeline/* maxPipelineBytes */.sE;
    return {
        text(file) {
            const found = decoded(file);
            return found === undefined ? undefined : (0,engine/* textOfFile */.nj)(found, file);
        },
        pipeline(file) {
            const before = documents.get(file);
            if (before !== undefined)
                return before;
            if (isLong(file))
                return (0,read_pipeline/* unreadPipeline */.Ce)(file);
            const found = decoded(file);
            if (found === undefined)
                return undefined;
            const document = (0,read_pipeline/* decodePipeline */.Ri)(file, found);
            documents.set(file, document);
            return document;
        },
        uses: (file, variable) => !isLong(file) && usesVariable(decoded(file)?.text ?? '', variable),
    };
}
function warehouseSettings(kind) {
    const isSecond = kind === 'WAREHOUSE_TWO';
    const defaults = isSecond ? { database: 'test', schema: 'public' } : { database: 'TEST', schema: 'PUBLIC' };
    return { kind, defaults };
}
function filesBeside(project) {
    return (file) => (name) => {
        const target = external_node_path_.posix.join(external_node_path_.posix.dirname(file), name);
        if (!project.has(target))
            return undefined;
        return {
            file: target,
            size: () => project.size(target) ?? 0,
            text: () => project.text(target) ?? '',
            bytes: () => project.bytes(target) ?? Buffer.of(),
        };
    };
}
function listFiles(directory, folder, found) {
    const entries = (0,external_node_fs_.readdirSync)(external_node_path_.join(directory, folder), { withFileTypes: true });
    found.folders.push(folder);
    const isOther = found.others.has(folder) || entries.some((entry) => entry.name === 'millrace.yaml');
    if (folder !== '' && isOther) {
        found.otherProjects.push(folder);
        return [];
    }
    return entries.flatMap((entry) => {
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isFile())
            return [name];
        if (entry.isSymbolicLink())
            found.links.push(name);
        return entry.isDirectory() && !otherFolders.has(entry.name) ? listFiles(directory, name, found) : [];
    });
}
function usesVariable(text, variable) {
    const start = `\${${variable}`;
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
        if (!/\w/.test(text.charAt(at + start.length)))
            return true;
    return false;
}


/***/ }),

/***/ 8300:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ writes),
/* harmony export */   k: () => (/* binding */ writersOf)
/* harmony export */ });
function writersOf(table, { state, project }) {
    const writers = new Map();
    for (const step of state.steps) {
        if (writes(step, table))
            writers.set(JSON.stringify([step.pipeline, step.component]), step);
    }
    const [step, other] = writers.values();
    if (step === undefined || other !== undefined)
        return {};
    const { pipeline, component } = step;
    const range = project.pipeline(pipeline)?.components.get(component)?.range;
    if (range === undefined)
        return { component };
    return { component, at: { file: pipeline, line: range.line, column: range.column } };
}
function writes({ sql = [] }, table) {
    return sql.some((statement) => {
        if (/^\s*CREATE\s+(?:OR\s+REPLACE\s+)?TEMP\b/i.test(statement))
            return false;
        if (!/^\s*(?:INSERT|UPDATE|DELETE|MERGE|CREATE|TRUNCATE|ALTER)\b/i.test(statement))
            return false;
        const [first] = /"(?:[^"]|"")+"\."(?:[^"]|"")+"/.exec(statement) ?? [];
        return first === table.sql;
    });
}


/***/ }),

/***/ 7967:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ names),
/* harmony export */   n: () => (/* binding */ indexEntries)
/* harmony export */ });
/* harmony import */ var _run_git_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6150);

async function indexEntries(place, onlyStaged, signal, files = []) {
    const ask = async (...args) => (await (0,_run_git_js__WEBPACK_IMPORTED_MODULE_0__/* .runGit */ .EO)(place, args, { signal })).stdout;
    const all = await withoutSparsity(withoutOtherSides(parseIndex(await ask('ls-files', '-z', '-v', '--stage', '--', ...files))), place, signal);
    const intended = onlyStaged ? await intendedToAdd(all, ask) : new Set();
    const entries = all.filter(({ path }) => !intended.has(path));
    if (!entries.some(({ isUnwatched }) => isUnwatched))
        return entries;
    const absent = new Set(await absentBlobs(place, signal));
    return entries.map((entry) => entry.isUnwatched && absent.has(entry.oid) ? { ...entry, isAbsent: true } : entry);
}
async function withoutSparsity(entries, place, signal) {
    if (!entries.some(({ isLeftOut }) => isLeftOut))
        return entries;
    const args = ['config', '--type=bool', '--get', 'core.sparseCheckout'];
    const { stdout } = await (0,_run_git_js__WEBPACK_IMPORTED_MODULE_0__/* .runGit */ .EO)(place, args, { signal, answers: [1], asked: 'read core.sparseCheckout' });
    return stdout.toString().trim() === 'true'
        ? entries
        : entries.map((entry) => ({ ...entry, isLeftOut: false }));
}
const emptyBlobs = [
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
    '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
];
async function intendedToAdd(entries, ask) {
    const empty = new Set(entries.flatMap(({ path, oid }) => (emptyBlobs.includes(oid) ? [path] : [])));
    if (empty.size === 0)
        return empty;
    const changes = async (view) => {
        const options = ['--cached', '--name-status', '--no-renames', '--no-ext-diff', view];
        const fields = names(await ask('diff', '-z', ...options));
        return new Map(fields.flatMap((field, at) => (at % 2 === 0 ? [[fields[at + 1] ?? '', field]] : [])));
    };
    const [counted, left] = [
        await changes('--ita-visible-in-index'),
        await changes('--ita-invisible-in-index'),
    ];
    return new Set([...empty].filter((path) => counted.get(path) !== left.get(path)));
}
async function absentBlobs(place, signal) {
    const remotes = ['config', '--get-regexp', String.raw `^remote\..*\.promisor$`];
    if ((await (0,_run_git_js__WEBPACK_IMPORTED_MODULE_0__/* .runGit */ .EO)(place, remotes, { signal, answers: [1] })).code === 1)
        return [];
    const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--no-walk'];
    const { stdout } = await (0,_run_git_js__WEBPACK_IMPORTED_MODULE_0__/* .runGit */ .EO)(place, [...args, '--indexed-objects'], { signal });
    return stdout
        .toString()
        .split('\n')
        .flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
}
function parseIndex(output) {
    return names(output).map((record) => {
        const tab = record.indexOf('\t');
        const [tag = '', mode = '', oid = '', stage = ''] = record.slice(0, tab).split(' ');
        const entry = {
            path: record.slice(tab + 1),
            mode,
            type: mode === '160000' ? 'commit' : 'blob',
            oid,
            isUnwatched: /[Sa-z]/.test(tag),
            isLeftOut: /[Ss]/.test(tag),
            isUnmerged: stage !== '0',
        };
        return { stage, entry };
    });
}
function withoutOtherSides(sides) {
    const kept = new Map();
    for (const side of sides) {
        const { path } = side.entry;
        const before = kept.get(path);
        if (before === undefined || side.stage === '2' || before.stage === '1')
            kept.set(path, side);
    }
    return Array.from(kept.values(), ({ entry }) => entry);
}
function names(output) {
    return output
        .toString('utf8')
        .split('\0')
        .filter((name) => name !== '');
}


/***/ })

};
