export const id = 701;
export const ids = [701];
export const modules = {

/***/ 2701:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  provenanceFact: () => (/* binding */ provenanceFact)
});

// EXTERNAL MODULE: ./lib/core/values/version.js
var values_version = __webpack_require__(56);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 3 modules
var schemas = __webpack_require__(9713);
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
