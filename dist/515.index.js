export const id = 515;
export const ids = [515];
export const modules = {

/***/ 5515:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  provenanceFact: () => (/* binding */ provenanceFact),
  snapshotFact: () => (/* binding */ snapshotFact)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./flows/snapshot/canonical-snapshot.js
var canonical_snapshot = __webpack_require__(1703);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/core/errors/schema-issue.js
var schema_issue = __webpack_require__(2496);
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
    const value = parsed(text, name);
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
    const text = snapshotText(snapshot);
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

// EXTERNAL MODULE: ./lib/core/files/read-text-file.js
var read_text_file = __webpack_require__(6900);
// EXTERNAL MODULE: ./lib/core/values/version.js
var values_version = __webpack_require__(56);
// EXTERNAL MODULE: ./lib/core/values/commit-id.js
var commit_id = __webpack_require__(9245);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./lib/core/values/canonical-json.js
var canonical_json = __webpack_require__(3825);
;// CONCATENATED MODULE: ./lib/evidence/manifest.js




const sha256 = schemas/* string */.YjP().regex(/^[0-9a-f]{64}$/u);
const fileSchema = schemas/* strictObject */.rej({
    path: schemas/* string */.YjP().min(1),
    bytes: schemas/* int */.Whr().nonnegative(),
    sha256,
    mode: schemas/* string */.YjP()
        .regex(/^[0-7]{6}$/u)
        .optional(),
    gitBlob: schemas/* string */.YjP().regex(commit_id/* commitIdPattern */.d).optional(),
});
const manifestSchema = schemas/* strictObject */.rej({
    directory: schemas/* string */.YjP(),
    files: schemas/* array */.YOg(fileSchema).min(1),
});
function manifest_manifestDigest({ directory, files }) {
    const listed = files.map(({ path, bytes, sha256: digest, mode, gitBlob }) => ({
        path,
        bytes,
        sha256: digest,
        mode,
        gitBlob,
    }));
    return (0,external_node_crypto_.createHash)('sha256')
        .update((0,canonical_json/* canonicalJson */.d)({ directory, files: listed }))
        .digest('hex');
}
function compareWithTree({ directory, files }, tree) {
    const byPath = new Map(tree.map((file) => [file.path, file]));
    const seen = new Set();
    for (const { path, mode, gitBlob } of files) {
        if (seen.has(path))
            return `lists ${path} twice`;
        seen.add(path);
        if (gitBlob === undefined)
            continue;
        const file = byPath.get(directory === '' ? path : `${directory}/${path}`);
        if (file === undefined)
            return `lists ${path}, which the commit does not have`;
        if (file.oid !== gitBlob)
            return `lists ${path} with another content than the commit`;
        if (file.mode !== mode)
            return `lists ${path} with the mode ${mode ?? 'unknown'}, and the commit has ${file.mode}`;
    }
    return undefined;
}

;// CONCATENATED MODULE: ./lib/evidence/predicates.js



function provenancePredicate(publication) {
    const { source, ref, commit, version, environment, project, workflow, run, finishedAt, millrace } = publication;
    const { directory, files } = publication.manifest;
    return {
        buildDefinition: {
            buildType: 'urn:millrace:publication:v1',
            externalParameters: { source, ref, version, environment, project, directory, workflow },
            resolvedDependencies: [{ uri: `git+${source}@${ref}`, digest: { gitCommit: commit } }],
        },
        runDetails: {
            builder: { id: workflow, version: { millrace } },
            metadata: { invocationId: run, finishedOn: finishedAt },
            byproducts: [
                {
                    name: 'manifest',
                    digest: { sha256: manifest_manifestDigest(publication.manifest) },
                    annotations: { directory, files: files.map((file) => ({ ...file })) },
                },
            ],
        },
    };
}
const commit = schemas/* string */.YjP().regex(commit_id/* commitIdPattern */.d);
const provenanceSchema = schemas/* object */.Ikc({
    buildDefinition: schemas/* object */.Ikc({
        buildType: schemas/* literal */.euz('urn:millrace:publication:v1'),
        externalParameters: schemas/* object */.Ikc({ ref: schemas/* string */.YjP(), version: schemas/* string */.YjP(), environment: schemas/* string */.YjP() }),
        resolvedDependencies: schemas/* tuple */.PVZ([schemas/* object */.Ikc({ digest: schemas/* object */.Ikc({ gitCommit: commit }) })]),
    }),
    runDetails: schemas/* object */.Ikc({
        byproducts: schemas/* tuple */.PVZ([
            schemas/* object */.Ikc({
                name: schemas/* literal */.euz('manifest'),
                digest: schemas/* object */.Ikc({ sha256: schemas/* string */.YjP() }),
                annotations: manifestSchema,
            }),
        ]),
    }),
});
function readProvenance(predicate, { commit: bound, version, ref, }) {
    const parsed = provenanceSchema.safeParse(predicate);
    if (!parsed.success)
        return 'its predicate is not the provenance of a publication';
    const { buildDefinition, runDetails } = parsed.data;
    const { externalParameters, resolvedDependencies } = buildDefinition;
    const [{ digest, annotations: manifest }] = runDetails.byproducts;
    const isConsistent = externalParameters.version === version &&
        externalParameters.ref === ref &&
        resolvedDependencies[0].digest.gitCommit === bound;
    if (!isConsistent)
        return 'its predicate is about another publication than its subject';
    if (manifestDigest(manifest) !== digest.sha256)
        return 'its manifest does not have the digest that it names';
    return { environment: externalParameters.environment, manifest, digest: digest.sha256 };
}
const count = schemas/* int */.Whr().nonnegative();
const outcome = schemas/* enum */.k5n(['passed', 'failed']);
const reviewSchema = schemas/* object */.Ikc({
    outcome,
    by: schemas/* enum */.k5n(['platform', 'local']),
    pipelines: count,
    findings: schemas/* object */.Ikc({ error: count, warning: count, notice: count }),
});
const testsSchema = schemas/* object */.Ikc({
    outcome,
    tests: schemas/* object */.Ikc({ passed: count, failed: count, refused: count }),
    coverage: schemas/* object */.Ikc({ covered: count, total: count }).optional(),
    mutation: schemas/* object */.Ikc({ noticed: count, total: count }).optional(),
});
const diffSchema = schemas/* object */.Ikc({
    outcome,
    base: commit,
    tests: count,
    notCompared: count,
    tables: count,
    rows: schemas/* object */.Ikc({ added: count, removed: count, changed: count }),
});
const approvalsSchema = schemas/* object */.Ikc({
    pullRequest: schemas/* int */.Whr().positive(),
    head: commit,
    author: schemas/* string */.YjP(),
    approvals: schemas/* array */.YOg(schemas/* object */.Ikc({ login: schemas/* string */.YjP(), id: schemas/* int */.Whr(), at: schemas/* string */.YjP() })),
});
const readFacts = {
    review: (predicate) => reviewSchema.safeParse(predicate).data,
    tests: (predicate) => testsSchema.safeParse(predicate).data,
    diff: (predicate) => diffSchema.safeParse(predicate).data,
    approvals: (predicate) => approvalsSchema.safeParse(predicate).data,
};

// EXTERNAL MODULE: ./lib/evidence/statement.js
var statement = __webpack_require__(4733);
;// CONCATENATED MODULE: ./actions/publish/publication-facts.js







function provenanceFact({ commit, version, environment, files }, { project, directory }, { facts, environment: variables, context }) {
    const source = `${facts.serverUrl}/${facts.repository}`;
    const predicate = provenancePredicate({
        source,
        ref: facts.ref,
        commit,
        version,
        environment,
        project,
        workflow: variables['GITHUB_WORKFLOW_REF'] ?? '',
        run: `${source}/actions/runs/${variables['GITHUB_RUN_ID'] ?? ''}/attempts/${facts.attempt}`,
        finishedAt: (0,statement/* momentOf */.Et)(context.clock.now()),
        millrace: values_version/* version */.r,
        manifest: { directory, files },
    });
    return { kind: 'provenance', version, predicate };
}
async function snapshotFact(file, version, { facts }) {
    const snapshot = readSnapshot(await (0,read_text_file/* readTextFile */.G)((0,external_node_path_.resolve)(facts.workspace, file), file), file);
    return { kind: 'snapshot', version, predicate: (0,canonical_snapshot/* canonicalSnapshot */.nx)(snapshot) };
}


/***/ }),

/***/ 1703:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   nx: () => (/* binding */ canonicalSnapshot)
/* harmony export */ });
/* unused harmony exports snapshotText, snapshotDigest */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(315);


function canonicalSnapshot(snapshot) {
    return ordered(snapshot, '', nothing);
}
function snapshotText(snapshot) {
    return JSON.stringify(canonicalSnapshot(snapshot));
}
function snapshotDigest(snapshot) {
    return hash('sha256', JSON.stringify(ordered(snapshot, '', places)));
}
const nothing = new Set();
const places = new Set(['line', 'column', 'marks']);
function ordered(value, key, without) {
    if (typeof value === 'string')
        return value.isWellFormed() ? value : value.toWellFormed();
    if (typeof value !== 'object' || value === null)
        return value;
    if (isList(value)) {
        if (key === 'name' || isList(value[0] ?? null))
            return value.map((item) => ordered(item, 'name', without));
        return value.map((item) => ordered(item, '', without)).toSorted(compareItems);
    }
    const object = value;
    const result = {};
    for (const name of Object.keys(object).toSorted()) {
        const part = object[name];
        if (part !== undefined && !without.has(name))
            result[name] = ordered(part, name, without);
    }
    return result;
}
function isList(value) {
    return Array.isArray(value);
}
function compareItems(a, b) {
    if (typeof a === 'string' && typeof b === 'string')
        return (0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .compareTexts */ .q)(a, b);
    return ((0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .compareTexts */ .q)(nameOf(a), nameOf(b)) ||
        (0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_1__/* .compareTexts */ .q)(JSON.stringify(a), JSON.stringify(b)));
}
function nameOf({ path, name, file, key, component }) {
    const written = path ?? name ?? file ?? key ?? component;
    return typeof written === 'string' ? written : JSON.stringify(written ?? '');
}


/***/ }),

/***/ 1954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ih: () => (/* binding */ writeModes),
/* harmony export */   QE: () => (/* binding */ snapshotFormat),
/* harmony export */   ZR: () => (/* binding */ tableKeyOf)
/* harmony export */ });
const snapshotFormat = 1;
const writeModes = ['define', 'alter', 'insert', 'change', 'drop'];
function tableKeyOf(name) {
    return name.map((part) => (/^[\p{L}\p{N}_$]+$/u.test(part) ? part : JSON.stringify(part))).join('.');
}


/***/ }),

/***/ 3825:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ canonicalJson)
/* harmony export */ });
const maxDepth = 64;
function canonicalJson(value) {
    return write(value, 0);
}
function write(value, depth) {
    if (depth > maxDepth)
        throw new TypeError(`Canonical JSON has at most ${maxDepth} levels.`);
    if (value === null || typeof value === 'boolean')
        return String(value);
    if (typeof value === 'string')
        return writeText(value);
    if (typeof value === 'number') {
        if (!Number.isSafeInteger(value))
            throw new TypeError(`Canonical JSON has only whole numbers up to 2^53 - 1, not ${value}.`);
        return JSON.stringify(value);
    }
    if (Array.isArray(value))
        return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
    if (typeof value !== 'object' || !isPlain(value))
        throw new TypeError(`Canonical JSON cannot carry ${describe(value)}.`);
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${writeText(key)}:${write(item, depth + 1)}`).join(',')}}`;
}
function writeText(text) {
    if (!text.isWellFormed())
        throw new TypeError('Canonical JSON cannot carry a lone surrogate.');
    return JSON.stringify(text);
}
function isPlain(value) {
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
}
function describe(value) {
    return typeof value === 'object' && value !== null
        ? `an object of ${value.constructor.name}`
        : typeof value;
}


/***/ }),

/***/ 4733:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Et: () => (/* binding */ momentOf),
/* harmony export */   _i: () => (/* binding */ encodeStatement)
/* harmony export */ });
/* unused harmony exports decodeStatement, kindOf */
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9713);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4377);
/* harmony import */ var _core_values_canonical_json_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3825);
/* harmony import */ var _core_values_commit_id_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9245);
/* harmony import */ var _evidence_kinds_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9692);




const statementType = 'https://in-toto.io/Statement/v1';
function momentOf(milliseconds) {
    return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
const digest = zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().regex(_core_values_commit_id_js__WEBPACK_IMPORTED_MODULE_2__/* .commitIdPattern */ .d);
const name = zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().min(1).max(300);
const statementSchema = zod__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({
    _type: zod__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz(statementType),
    subject: zod__WEBPACK_IMPORTED_MODULE_1__/* .tuple */ .PVZ([
        zod__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({
            name: zod__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
            digest: zod__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({ gitCommit: digest, gitTree: digest }),
            annotations: zod__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({
                repository: name,
                repositoryId: zod__WEBPACK_IMPORTED_MODULE_1__/* .int */ .Whr().positive().optional(),
                ref: name.startsWith('refs/'),
                version: name.optional(),
                pullRequest: zod__WEBPACK_IMPORTED_MODULE_1__/* .int */ .Whr().positive().optional(),
                madeAt: zod__WEBPACK_IMPORTED_MODULE_3__/* .datetime */ .w$({ precision: 0 }),
            }),
        }),
    ]),
    predicateType: name,
    predicate: zod__WEBPACK_IMPORTED_MODULE_1__/* .json */ .Pq9(),
});
function encodeStatement({ predicateType, predicate, commit, tree, ...annotations }) {
    const { repository, repositoryId, ref, version, pullRequest, madeAt } = annotations;
    return Buffer.from((0,_core_values_canonical_json_js__WEBPACK_IMPORTED_MODULE_4__/* .canonicalJson */ .d)({
        _type: statementType,
        subject: [
            {
                name: subjectName(annotations),
                digest: { gitCommit: commit, gitTree: tree },
                annotations: { repository, repositoryId, ref, version, pullRequest, madeAt },
            },
        ],
        predicateType,
        predicate,
    }));
}
function decodeStatement(bytes) {
    let value;
    try {
        value = JSON.parse(bytes.toString('utf8'));
        if (!Buffer.from(canonicalJson(value)).equals(bytes))
            return 'it is not canonical JSON';
    }
    catch {
        return 'it is not canonical JSON';
    }
    const parsed = statementSchema.safeParse(value);
    if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return `it is not an in-toto statement of Millrace: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
    }
    const { subject, predicateType, predicate } = parsed.data;
    const [{ name: subjectOf, digest: ids, annotations }] = subject;
    if (subjectOf !== subjectName(annotations))
        return `its subject is named "${subjectOf}"`;
    return {
        ...annotations,
        commit: ids.gitCommit,
        tree: ids.gitTree,
        predicateType,
        predicate: predicate,
    };
}
function kindOf({ predicateType }) {
    return evidenceKinds.find((kind) => predicateTypes[kind] === predicateType);
}
function subjectName({ repository, version }) {
    return version === undefined ? repository : `${repository}@${version}`;
}


/***/ })

};
