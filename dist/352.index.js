export const id = 352;
export const ids = [352];
export const modules = {

/***/ 352:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createSigner: () => (/* binding */ createSigner)
});

;// CONCATENATED MODULE: ./lib/evidence/evidence-branch.js
const evidenceBranch = 'millrace-evidence';

;// CONCATENATED MODULE: ./flows/evidence/approval-facts.js
function approvalFacts(pull, reviews) {
    const last = new Map();
    for (const review of reviews)
        if (review.state !== 'COMMENTED')
            last.set(review.id, review);
    const approvals = [...last.values()]
        .filter(({ state, commit, login }) => state === 'APPROVED' && commit === pull.head && login !== pull.author)
        .map(({ login, id, submittedAt }) => ({ login, id, at: submittedAt }));
    return { pullRequest: pull.number, head: pull.head, author: pull.author, approvals };
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 3 modules
var schemas = __webpack_require__(9713);
// EXTERNAL MODULE: ./lib/core/values/canonical-json.js
var canonical_json = __webpack_require__(3825);
;// CONCATENATED MODULE: ./lib/evidence/envelope.js



const payloadType = 'application/vnd.in-toto+json';
const maxEnvelopeBytes = (/* unused pure expression or super */ null && (32 * 1024 * 1024));
const base64 = schemas/* string */.YjP().transform((text, context) => {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text)
        context.addIssue({ code: 'custom', message: 'is not base64' });
    return bytes;
});
const envelopeSchema = schemas/* strictObject */.rej({
    payloadType: schemas/* literal */.euz(payloadType),
    payload: base64,
    signatures: schemas/* array */.YOg(schemas/* strictObject */.rej({ keyid: schemas/* string */.YjP().regex(/^[0-9a-f]{64}$/u), sig: base64 }))
        .min(1)
        .max(8),
});
function signEnvelope(payload, keys) {
    const signed = preAuthenticationEncoding(payload);
    const signatures = keys.map(({ id, privateKey }) => ({
        keyid: id,
        sig: (0,external_node_crypto_.sign)(null, signed, privateKey).toString('base64'),
    }));
    return `${(0,canonical_json/* canonicalJson */.d)({ payloadType, payload: payload.toString('base64'), signatures })}\n`;
}
function readEnvelope(text) {
    if (Buffer.byteLength(text) > maxEnvelopeBytes)
        return undefined;
    let value;
    try {
        value = JSON.parse(text);
    }
    catch {
        return undefined;
    }
    const parsed = envelopeSchema.safeParse(value);
    if (!parsed.success)
        return undefined;
    const { payload, signatures } = parsed.data;
    return { payload, signatures: signatures.map(({ keyid, sig }) => ({ keyId: keyid, signature: sig })) };
}
function isSignedBy({ payload }, signature, { key }) {
    return verify(null, preAuthenticationEncoding(payload), key, signature);
}
function preAuthenticationEncoding(payload) {
    const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
    return Buffer.concat([Buffer.from(head), payload]);
}

// EXTERNAL MODULE: ./lib/evidence/statement.js
var evidence_statement = __webpack_require__(4733);
// EXTERNAL MODULE: ./lib/evidence/evidence-kinds.js
var evidence_kinds = __webpack_require__(9692);
;// CONCATENATED MODULE: ./flows/evidence/evidence-files.js

const maxStatements = 200;
function evidenceFolder(tree) {
    return `statements/${tree.slice(0, 2)}/${tree}`;
}
function isNamedAs(kind, name) {
    return name.startsWith(`${kind}-`);
}
function evidencePath(tree, kind, text) {
    const digest = (0,external_node_crypto_.createHash)('sha256').update(text).digest('hex');
    return `${evidenceFolder(tree)}/${kind}-${digest.slice(0, 32)}.json`;
}

;// CONCATENATED MODULE: ./flows/evidence/sign-facts.js





function signFacts(facts, about, { key, now }) {
    const madeAt = (0,evidence_statement/* momentOf */.Et)(now);
    const files = facts.map(({ kind, predicate, version }) => {
        const statement = { ...about, version, madeAt, predicateType: evidence_kinds/* predicateTypes */.Z[kind], predicate };
        const text = signEnvelope((0,evidence_statement/* encodeStatement */._i)(statement), [key]);
        return [evidencePath(about.tree, kind, text), text];
    });
    const kinds = facts.map(({ kind }) => kind).join(', ');
    return {
        branch: evidenceBranch,
        files: Object.fromEntries(files),
        message: `Add ${kinds} of ${about.commit.slice(0, 12)}`,
    };
}

// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
;// CONCATENATED MODULE: ./lib/evidence/keys.js


function createSigningKey() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return { privateKey, ...idOf(publicKey) };
}
function readSigningKey(text, where) {
    const privateKey = attempt(() => {
        const trimmed = text.trim();
        return trimmed.startsWith('-----')
            ? (0,external_node_crypto_.createPrivateKey)(trimmed)
            : (0,external_node_crypto_.createPrivateKey)({ key: Buffer.from(trimmed, 'base64'), format: 'der', type: 'pkcs8' });
    });
    if (privateKey?.asymmetricKeyType !== 'ed25519')
        throw new failure/* Failure */.HR('evidence-key-invalid', {
            message: privateKey === undefined
                ? 'The key that signs evidence is not a private key.'
                : `The key that signs evidence is an ${privateKey.asymmetricKeyType ?? 'unknown'} key, not an Ed25519 key.`,
            where,
        });
    return { privateKey, ...idOf((0,external_node_crypto_.createPublicKey)(privateKey)) };
}
function readPublicKey(text) {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text)
        return undefined;
    const key = attempt(() => createPublicKey({ key: bytes, format: 'der', type: 'spki' }));
    return key?.asymmetricKeyType === 'ed25519' ? idOf(key) : undefined;
}
function publicKeyText({ key }) {
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
}
function privateKeyText({ privateKey }) {
    return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}
function idOf(key) {
    const id = (0,external_node_crypto_.createHash)('sha256')
        .update(key.export({ format: 'der', type: 'spki' }))
        .digest('hex');
    return { id, key };
}
function attempt(read) {
    try {
        return read();
    }
    catch {
        return undefined;
    }
}

// EXTERNAL MODULE: ./lib/report/annotations.js
var annotations = __webpack_require__(2850);
// EXTERNAL MODULE: ./actions/kit/step/connect-to-github.js
var connect_to_github = __webpack_require__(8861);
;// CONCATENATED MODULE: ./actions/kit/releases/sign-evidence.js







async function createSigner(keyText, { token, storeToken }, step) {
    const key = readSigningKey(keyText, { input: 'evidence-key' });
    const connection = await (0,connect_to_github/* connectToGitHub */.t)(token, step);
    const store = token === storeToken ? connection : await (0,connect_to_github/* connectToGitHub */.t)(storeToken, step);
    const { repository, ref } = step.facts;
    if (connection === undefined || store === undefined || ref === '')
        throw new failure/* Failure */.HR('usage', {
            message: `Evidence cannot be signed: ${ref === '' ? 'the event names no branch or tag' : 'the input github-token is empty'}.`,
            where: { input: ref === '' ? 'GITHUB_REF' : 'github-token' },
            hint: 'Remove the input evidence-key from this step, or correct what the message names.',
        });
    const id = Number(step.environment['GITHUB_REPOSITORY_ID'] ?? '');
    const signer = {
        async addOrNote(fact, about) {
            try {
                return [await signer.add([fact], about)];
            }
            catch (error) {
                if (!(error instanceof failure/* Failure */.HR) || step.context.signal.aborted)
                    throw error;
                const note = `No evidence was signed. ${error.message} ${error.hint}`;
                step.command((0,annotations/* annotationCommand */.jx)('warning', note, { title: 'Millrace: evidence' }));
                return [note];
            }
        },
        async add(facts, { repository: git, commit, pullRequest }) {
            const { signal, clock } = step.context;
            const tree = await git.treeOf(commit, { signal });
            const repositoryId = Number.isSafeInteger(id) && id > 0 ? id : undefined;
            const about = { repository, repositoryId, commit, tree, ref, pullRequest };
            await store.branchFiles.addFiles(repository, signFacts(facts, about, { key, now: clock.now() }));
            const kinds = facts.map(({ kind }) => kind).join(', ');
            return `Signed evidence with the key ${key.id.slice(0, 12)}: ${kinds} of ${commit.slice(0, 12)}, in the branch ${evidenceBranch}.`;
        },
        async approvals(commit) {
            try {
                const [pull] = await connection.pulls.mergedAs(repository, commit);
                if (pull === undefined)
                    return {
                        facts: [],
                        notes: ['The commit is not the merge of a pull request, so no approvals were signed.'],
                    };
                const reviews = await connection.pulls.reviews(repository, pull.number);
                return { facts: [{ kind: 'approvals', predicate: approvalFacts(pull, reviews) }], notes: [] };
            }
            catch (error) {
                if (!(error instanceof failure/* Failure */.HR) || step.context.signal.aborted)
                    throw error;
                return { facts: [], notes: [`No approvals were signed. ${error.message} ${error.hint}`] };
            }
        },
    };
    return signer;
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
