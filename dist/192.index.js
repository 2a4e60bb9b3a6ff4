export const id = 192;
export const ids = [192];
export const modules = {

/***/ 8012:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ snapshotFileName),
/* harmony export */   W: () => (/* binding */ findSnapshotFile)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8161);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6760);




function snapshotFileName({ tree, directory }) {
    const project = directory === '' ? '' : `-${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(directory).digest('hex').slice(0, 12)}`;
    return `snapshot-${tree}${project}.json`;
}
async function findSnapshotFile(of, { RUNNER_TEMP: temp = '' }) {
    const folder = temp === '' ? (0,node_os__WEBPACK_IMPORTED_MODULE_2__.tmpdir)() : temp;
    const name = snapshotFileName(of);
    for (const entry of await namesIn(folder)) {
        if (!entry.startsWith('millrace-test-'))
            continue;
        const files = await namesIn((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, entry));
        if (files.includes(name))
            return (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, entry, name);
    }
    return undefined;
}
async function namesIn(folder) {
    return (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readdir)(folder).catch(() => []);
}


/***/ }),

/***/ 2430:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  automaticSnapshot: () => (/* binding */ automaticSnapshot),
  snapshotFact: () => (/* binding */ snapshotFact)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./flows/data-graph/bind/bind-project.js + 9 modules
var bind_project = __webpack_require__(9774);
// EXTERNAL MODULE: ./flows/data-graph/snapshot/snapshot-of.js + 6 modules
var snapshot_of = __webpack_require__(2033);
;// CONCATENATED MODULE: ./flows/data-graph/snapshot/take-snapshot.js



async function takeSnapshot(project, { columns, unread = [], ...options }) {
    const take = async (areColumnsKnown) => (0,snapshot_of/* snapshotOf */.e)(await (0,bind_project/* bindProject */.Z)(project, { ...options, columns: areColumnsKnown }), unread);
    if (columns !== 'if-possible')
        return take(columns);
    try {
        return await take(true);
    }
    catch (error) {
        if (!(error instanceof failure/* Failure */.HR) || error.code !== 'engine-missing')
            throw error;
        return take(false);
    }
}

// EXTERNAL MODULE: ./lib/config/project/project-schema.js + 5 modules
var project_schema = __webpack_require__(8243);
// EXTERNAL MODULE: ./lib/config/project/read-project-config.js + 1 modules
var read_project_config = __webpack_require__(3929);
// EXTERNAL MODULE: ./lib/core/files/decode-text.js
var decode_text = __webpack_require__(587);
// EXTERNAL MODULE: ./lib/git/in-repository.js
var in_repository = __webpack_require__(6980);
// EXTERNAL MODULE: ./lib/git/package-folder.js
var package_folder = __webpack_require__(6755);
// EXTERNAL MODULE: ./lib/git/snapshot.js
var git_snapshot = __webpack_require__(3804);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/overlay-project.js
var overlay_project = __webpack_require__(9926);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/project-roots.js
var project_roots = __webpack_require__(5995);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/project-texts.js
var project_texts = __webpack_require__(1622);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-project.js + 1 modules
var test_project = __webpack_require__(2857);
;// CONCATENATED MODULE: ./flows/pipeline-tests/files/project-of-commit.js










const configName = 'millrace.yaml';
function isOfProject(path) {
    return /\.(?:ya?ml|sql|py|sh|ipynb|csv|tsv|json|jsonl|ndjson|parquet)$/iu.test(path);
}
const maxOtherBytes = 1024 * 1024;
async function projectOfCommit({ repository, commit, directory, fallback, signal, snapshot = (0,git_snapshot/* commitSnapshot */.Ge)(repository, commit, signal), }) {
    const prefix = (0,in_repository/* inRepository */.y)(directory, '');
    const entries = (await snapshot.list(directory)).map((entry) => ({
        ...entry,
        path: entry.path.slice(prefix.length),
    }));
    const nested = entries.flatMap(({ path }) => path.endsWith(`/${configName}`) ? [path.slice(0, -configName.length)] : []);
    const own = entries.filter(({ path }) => !(0,package_folder/* isInPackages */.X)(path) && !nested.some((folder) => path.startsWith(folder)));
    const paths = own.flatMap(({ path, type }) => (type === 'blob' ? [path] : []));
    const contents = new Map();
    const read = async (some, maxBytes) => {
        const found = await snapshot.readFiles(some.map((path) => `${prefix}${path}`), maxBytes);
        for (const [path, content] of found)
            if (!snapshot.links.has(path))
                contents.set(path.slice(prefix.length), content);
    };
    await read(paths.filter(isOfProject));
    const unread = [...snapshot.unread];
    await read(paths.filter((path) => !isOfProject(path)), maxOtherBytes);
    const config = configOf(contents.get(configName), `${prefix}${configName}`, fallback);
    const { files, sharedSource, outside, callFolder } = (0,test_project/* projectOptions */.Mh)(config);
    const settings = { ...(0,test_project/* warehouseSettings */.fH)(config.engine.warehouse), files, sharedSource, callFolder };
    return {
        project: (0,overlay_project/* overlayProject */._)(emptyProject, {
            contents,
            settings: { ...settings, outside: outside ?? emptyProject.outside },
        }),
        config,
        unread: [
            ...unread.map(([path, reason]) => `${path} was not read: ${reason}.`),
            ...own
                .filter(({ type }) => type === 'commit')
                .map(({ path }) => `The files of the submodule ${prefix}${path} are not known.`),
        ],
    };
}
function configOf(content, file, fallback) {
    if (content === undefined)
        return project_schema/* projectSchema */.$.parse({ version: 1 });
    try {
        return (0,read_project_config/* readProjectConfig */.Q)((0,decode_text/* requireText */.He)(content, file), file);
    }
    catch (error) {
        if (fallback === undefined)
            throw error;
        return fallback;
    }
}
const nothing = { has: () => false, size: () => undefined, bytes: () => undefined };
const noTexts = (0,project_texts/* projectTexts */.G)({ read: nothing.bytes, size: nothing.size });
const emptyProject = {
    directory: '',
    ...(0,test_project/* warehouseSettings */.fH)('WAREHOUSE_ONE'),
    paths: [],
    folders: [],
    otherProjects: [],
    unread: new Map(),
    ...nothing,
    ...noTexts,
    pipelines: [],
    isHidden: () => false,
    mentions: () => false,
    beside: (0,test_project/* filesBeside */.Gr)({ ...nothing, ...noTexts }),
    outside: { schemas: [], streaming: [], provision: undefined },
    sharedSource: undefined,
    shared: undefined,
    roots: (0,project_roots/* projectRoots */.j)({ pipelines: [], text: noTexts.text }, undefined),
};

// EXTERNAL MODULE: ./flows/snapshot/canonical-snapshot.js
var canonical_snapshot = __webpack_require__(1703);
// EXTERNAL MODULE: ./flows/snapshot/read-snapshot.js + 1 modules
var read_snapshot = __webpack_require__(5870);
// EXTERNAL MODULE: ./lib/core/files/read-text-file.js
var read_text_file = __webpack_require__(6900);
// EXTERNAL MODULE: ./actions/kit/releases/snapshot-file.js
var snapshot_file = __webpack_require__(8012);
;// CONCATENATED MODULE: ./actions/publish/snapshot-fact.js









async function snapshotFact(input, version, { facts }, of) {
    const path = (0,external_node_path_.resolve)(facts.workspace, input);
    const isFolder = (await (0,promises_.stat)(path).catch(() => undefined))?.isDirectory() === true;
    const name = (0,snapshot_file/* snapshotFileName */.U)(of);
    const [file, shown] = isFolder ? [(0,external_node_path_.join)(path, name), `${input}/${name}`] : [path, input];
    const named = /snapshot-[0-9a-f]{40,64}(?:-[0-9a-f]{12})?\.json$/u.exec(input)?.[0];
    const isMissing = isFolder && (await (0,promises_.stat)(file).catch(() => undefined)) === undefined;
    if (isMissing || (named !== undefined && named !== name))
        throw new failure/* Failure */.HR('usage', {
            message: isMissing
                ? `The folder ${input} has no snapshot of the files that are published: ${name} is missing.`
                : `The file ${input} is a snapshot of other files than those that are published: their snapshot is named ${name}.`,
            where: { input: 'snapshot' },
            hint: 'Test the commit that is published, and pass on the file at snapshot-path. Without the input snapshot, the action takes one itself.',
        });
    return factOf(await (0,read_text_file/* readTextFile */.G)(file, shown), version, shown);
}
async function automaticSnapshot({ project, config, commit, version }, of, { environment, context: { signal } }) {
    try {
        const file = await (0,snapshot_file/* findSnapshotFile */.W)(of, environment);
        if (file !== undefined)
            return { facts: [factOf(await (0,read_text_file/* readTextFile */.G)(file, file), version, file)], notes: [] };
        const { repository, directory } = project;
        const opened = await projectOfCommit({ repository, directory, commit, fallback: config, signal });
        const { unread } = opened;
        const snapshot = await takeSnapshot(opened.project, { columns: false, isLenient: true, unread, signal });
        return {
            facts: [factOf((0,read_snapshot/* writeSnapshot */.oF)(snapshot), version, 'the snapshot')],
            notes: [
                'The signed snapshot has no columns: in this job, the action test did not leave a snapshot of these files.',
            ],
        };
    }
    catch (error) {
        if (!(error instanceof failure/* Failure */.HR) || signal.aborted)
            throw error;
        return { facts: [], notes: [`No snapshot was signed. ${error.message} ${error.hint}`] };
    }
}
function factOf(text, version, name) {
    const snapshot = (0,canonical_snapshot/* canonicalSnapshot */.nx)((0,read_snapshot/* readSnapshot */.RA)(text, name));
    return { kind: 'snapshot', version, predicate: snapshot };
}


/***/ }),

/***/ 5870:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  RA: () => (/* binding */ readSnapshot),
  oF: () => (/* binding */ writeSnapshot)
});

// UNUSED EXPORTS: maxSnapshotBytes, snapshotOfValue

// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/core/errors/schema-issue.js
var schema_issue = __webpack_require__(2496);
// EXTERNAL MODULE: ./flows/snapshot/canonical-snapshot.js
var canonical_snapshot = __webpack_require__(1703);
// EXTERNAL MODULE: ./flows/snapshot/snapshot.js
var snapshot = __webpack_require__(1954);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 3 modules
var schemas = __webpack_require__(9713);
;// CONCATENATED MODULE: ./flows/snapshot/snapshot-schema.js


const snapshot_schema_text = schemas/* string */.YjP();
const texts = schemas/* array */.YOg(snapshot_schema_text);
const line = schemas/* int */.Whr().min(1);
const yes = schemas/* literal */.euz(true).optional();
const snapshot_schema_name = schemas/* tuple */.PVZ([snapshot_schema_text, snapshot_schema_text, snapshot_schema_text]);
const use = { table: snapshot_schema_text, component: snapshot_schema_text, line, file: snapshot_schema_text.optional() };
const pipeline = schemas/* object */.Ikc({
    path: snapshot_schema_text,
    digest: snapshot_schema_text,
    line,
    unreadable: schemas/* object */.Ikc({ line, column: line, message: snapshot_schema_text }).optional(),
    components: schemas/* array */.YOg(schemas/* object */.Ikc({ name: snapshot_schema_text, type: snapshot_schema_text, line, digest: snapshot_schema_text, rank: schemas/* int */.Whr().min(0).optional(), marks: snapshot_schema_text })),
    variables: schemas/* array */.YOg(schemas/* object */.Ikc({ name: snapshot_schema_text, line, digest: snapshot_schema_text })),
    uses: texts,
    connectors: texts,
    calls: schemas/* array */.YOg(schemas/* object */.Ikc({
        component: snapshot_schema_text,
        line,
        kind: schemas/* enum */.k5n(['orchestration', 'transformation', 'shared']),
        target: snapshot_schema_text,
        version: snapshot_schema_text.optional(),
        path: snapshot_schema_text.optional(),
        dynamic: yes,
        own: yes,
        result: yes,
        fromData: yes,
        fromVariables: yes,
        context: snapshot_schema_text,
    })),
    scripts: schemas/* array */.YOg(schemas/* object */.Ikc({ component: snapshot_schema_text, line, path: snapshot_schema_text, open: yes, sql: yes })),
    reads: schemas/* array */.YOg(schemas/* object */.Ikc({ ...use, columns: texts, all: yes, unbound: yes })),
    writes: schemas/* array */.YOg(schemas/* object */.Ikc({ ...use, mode: schemas/* enum */.k5n(snapshot/* writeModes */.Ih) })),
    open: schemas/* array */.YOg(schemas/* object */.Ikc({ name: snapshot_schema_name, component: snapshot_schema_text, line, effect: schemas/* enum */.k5n(['read', 'write']) })),
    unknown: schemas/* array */.YOg(schemas/* object */.Ikc({
        component: snapshot_schema_text,
        line,
        file: snapshot_schema_text.optional(),
        reason: snapshot_schema_text,
        tables: texts,
        after: yes,
    })),
    parts: schemas/* array */.YOg(schemas/* object */.Ikc({
        component: snapshot_schema_text,
        line,
        words: texts,
        open: texts,
        writes: schemas/* array */.YOg(schemas/* object */.Ikc({ words: texts, any: yes })),
    })),
    defines: schemas/* array */.YOg(schemas/* object */.Ikc({ key: snapshot_schema_text, name: snapshot_schema_text })),
    objects: schemas/* array */.YOg(schemas/* object */.Ikc({ key: snapshot_schema_text, line })),
});
const table = schemas/* object */.Ikc({
    name: snapshot_schema_name,
    definitions: schemas/* array */.YOg(schemas/* object */.Ikc({
        pipeline: snapshot_schema_text,
        component: snapshot_schema_text,
        line,
        file: snapshot_schema_text.optional(),
        mode: schemas/* enum */.k5n(['define', 'alter']),
        digest: snapshot_schema_text.optional(),
        streaming: yes,
    })),
    columns: schemas/* array */.YOg(schemas/* tuple */.PVZ([snapshot_schema_text, snapshot_schema_text])).optional(),
    complete: yes,
    typed: yes,
    mentioned: yes,
    declared: schemas/* object */.Ikc({ file: snapshot_schema_text, digest: snapshot_schema_text }).optional(),
});
const snapshotSchema = schemas/* object */.Ikc({
    format: schemas/* literal */.euz(snapshot/* snapshotFormat */.QE).describe('The version of the form.'),
    warehouse: snapshot_schema_text,
    columns: schemas/* enum */.k5n(['known', 'unknown'])
        .describe('`unknown`: only names of tables are known, because DuckDB was not installed.'),
    defaults: schemas/* object */.Ikc({ database: snapshot_schema_text, schema: snapshot_schema_text }),
    pipelines: schemas/* array */.YOg(pipeline),
    leftOut: texts.describe('Pipelines that `files` in millrace.yaml leaves out.'),
    tables: schemas/* array */.YOg(table),
    files: schemas/* array */.YOg(schemas/* object */.Ikc({ path: snapshot_schema_text, digest: snapshot_schema_text })).describe('Scripts that components run.'),
    streaming: schemas/* array */.YOg(schemas/* object */.Ikc({ file: snapshot_schema_text, line, digest: snapshot_schema_text, tables: texts })),
    shared: schemas/* object */.Ikc({
        prefix: snapshot_schema_text,
        pipelines: schemas/* array */.YOg(schemas/* object */.Ikc({ id: snapshot_schema_text, pipeline: snapshot_schema_text, path: snapshot_schema_text.optional() })),
    })
        .optional()
        .describe('The shared pipelines that the project publishes.'),
    unread: texts.describe('What is not known of the files of the project: one sentence each.'),
});

;// CONCATENATED MODULE: ./flows/snapshot/read-snapshot.js





const maxSnapshotBytes = 16 * 1024 * 1024;
function readSnapshot(text, name = 'the snapshot') {
    const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength;
    if (bytes > maxSnapshotBytes)
        throw invalid(`${upper(name)} has ${bytes} bytes, and at most ${maxSnapshotBytes} are read.`);
    return snapshotOfValue(parsed(text, name), name);
}
function snapshotOfValue(value, name = 'the snapshot') {
    const format = (0,schema_issue/* valueAt */.fK)(value, ['format']);
    if (format !== snapshot/* snapshotFormat */.QE)
        throw invalid(typeof format === 'number'
            ? `${upper(name)} has the format ${format}, and this version of Millrace reads ${snapshot/* snapshotFormat */.QE}.`
            : `${upper(name)} is not a snapshot of Millrace: it has no format.`);
    const { data, error } = snapshotSchema.safeParse(value);
    if (error !== undefined) {
        const [issue] = error.issues.flatMap(schema_issue/* nearestIssues */.np);
        const path = issue?.path.map(String).join('.') ?? '';
        const what = issue === undefined ? 'is invalid' : (0,schema_issue/* describeSchemaIssue */.Eq)(issue, (0,schema_issue/* valueAt */.fK)(value, issue.path));
        throw invalid(`In ${name}, ${path} ${what}.`);
    }
    return (0,canonical_snapshot/* canonicalSnapshot */.nx)(data);
}
function writeSnapshot(snapshot) {
    const text = (0,canonical_snapshot/* snapshotText */.MY)(snapshot);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxSnapshotBytes)
        throw invalid(`The snapshot of this project has ${bytes} bytes, and at most ${maxSnapshotBytes} are allowed.`);
    return text;
}
function parsed(text, name) {
    try {
        return JSON.parse(typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text));
    }
    catch (error) {
        throw new failure/* Failure */.HR('snapshot-invalid', { message: `${upper(name)} is not JSON.`, cause: error });
    }
}
function invalid(message) {
    return new failure/* Failure */.HR('snapshot-invalid', { message });
}
function upper(name) {
    return name.charAt(0).toUpperCase() + name.slice(1);
}


/***/ })

};
