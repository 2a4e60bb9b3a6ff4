export const id = 981;
export const ids = [981];
export const modules = {

/***/ 8868:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HD: () => (/* binding */ readsChecker),
/* harmony export */   IL: () => (/* binding */ storedReadsSchema),
/* harmony export */   ol: () => (/* binding */ digestOf),
/* harmony export */   uz: () => (/* binding */ withReads),
/* harmony export */   xb: () => (/* binding */ storeReads)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var zod__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9713);
/* harmony import */ var _files_trace_reads_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4243);



const answers = zod__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(zod__WEBPACK_IMPORTED_MODULE_2__/* .tuple */ .PVZ([zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()])).readonly();
const storedReadsSchema = zod__WEBPACK_IMPORTED_MODULE_2__/* .strictObject */ .rej({
    project: zod__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    texts: answers,
    sizes: answers,
    digests: answers,
    presence: answers,
    mentions: answers,
    roots: answers,
    declared: answers,
});
function storeReads(reads) {
    const stored = (kind) => Array.from(reads[kind], ([question, answer]) => [
        question,
        textOf(answer),
    ]);
    return {
        project: projectText(reads),
        texts: stored('texts'),
        sizes: stored('sizes'),
        digests: stored('digests'),
        presence: stored('presence'),
        mentions: stored('mentions'),
        roots: stored('roots'),
        declared: stored('declared'),
    };
}
function withReads(some, others) {
    const both = (kind) => [...new Map([...some[kind], ...others[kind]])];
    return {
        project: some.project,
        texts: both('texts'),
        sizes: both('sizes'),
        digests: both('digests'),
        presence: both('presence'),
        mentions: both('mentions'),
        roots: both('roots'),
        declared: both('declared'),
    };
}
function readsChecker(project, tables) {
    const known = new Map();
    const now = projectText(project);
    const current = (kind, question) => {
        const key = `${kind} ${question}`;
        const before = known.get(key);
        if (before !== undefined)
            return before;
        const text = textOf((0,_files_trace_reads_js__WEBPACK_IMPORTED_MODULE_1__/* .answerOf */ .ut)(kind, question, { project, tables }));
        known.set(key, text);
        return text;
    };
    return (stored) => stored.project === now &&
        _files_trace_reads_js__WEBPACK_IMPORTED_MODULE_1__/* .questionKinds */ .cT.every((kind) => stored[kind].every(([question, answer]) => current(kind, question) === answer));
}
function textOf(answer) {
    return typeof answer === 'string' ? digestOf(answer) : String(answer);
}
function projectText({ kind, sharedSource, pipelines, }) {
    const shared = sharedSource === undefined ? null : [sharedSource.prefix, sharedSource.file];
    return digestOf(JSON.stringify([kind, shared, pipelines]));
}
function digestOf(text) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(text).digest('hex');
}


/***/ }),

/***/ 5423:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ checkOutcome)
/* harmony export */ });
/* harmony import */ var _lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3143);
/* harmony import */ var _lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5752);
/* harmony import */ var _given_names_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4502);
/* harmony import */ var _files_planned_test_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9015);
/* harmony import */ var _ran_components_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2012);
/* harmony import */ var _lib_core_text_visible_text_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(327);






function checkOutcome(run) {
    const { planned, state, isTimedOut } = run;
    const { test } = planned;
    const { outcome } = test.expected;
    if (isTimedOut) {
        const message = `the pipeline did not end within ${(0,_lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__/* .numberOf */ .r)(test.timeoutMs / 1000, 'second')}`;
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
    return [...new Map(all.map((refusal) => [JSON.stringify(refusal), refusal])).values()];
}
function failuresBefore({ planned, failures, project }) {
    const { test, document } = planned;
    const failingMocks = test.mocks.flatMap(({ name, outcome }) => outcome === 'failure' ? ((0,_files_planned_test_js__WEBPACK_IMPORTED_MODULE_2__/* .findComponent */ .Tn)(name.text, document, project) ?? []) : []);
    const before = failures.slice(0, failures.findIndex(({ refusal }) => refusal !== undefined));
    const first = before.find(({ pipeline, component }) => !failingMocks.some((mock) => mock.path === pipeline && mock.component === component));
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
    const { component: expected } = planned.test.expected.outcome;
    if (expected === undefined)
        return [];
    const target = (0,_files_planned_test_js__WEBPACK_IMPORTED_MODULE_2__/* .findComponent */ .Tn)(expected.text, planned.document, project);
    const { failed } = state;
    const failedStep = (0,_ran_components_js__WEBPACK_IMPORTED_MODULE_3__/* .ownSteps */ .y)(planned.document.path, state).find(({ status }) => status === 'FAILED');
    const isSame = ({ pipeline, component }) => pipeline === target?.path && component === target.component;
    if ((failed !== undefined && isSame(failed)) || (failedStep !== undefined && isSame(failedStep)))
        return [];
    const actual = failed?.component ?? 'none';
    const message = failed === undefined
        ? `no component failed, also not "${expected.text}": ${state.message}`
        : `${describe(failed)}; it failed first, not "${expected.text}"`;
    return [
        { kind: 'outcome', ...expected.place, ...componentOf(run), expected: expected.text, actual, message },
    ];
}
function checkMessage(run) {
    const { planned, state } = run;
    const { message: expected } = planned.test.expected.outcome;
    const actual = state.failed?.message ?? state.message;
    if (expected === undefined || actual.includes(expected.text))
        return [];
    const isAlike = (0,_lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .lookOf */ .Li)(actual).includes((0,_lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .lookOf */ .Li)(expected.text)) && !/^[ -~]*$/.test(expected.text + actual);
    const shown = isAlike ? _lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .escapedName */ .Nm : _lib_core_text_visible_text_js__WEBPACK_IMPORTED_MODULE_4__/* .visibleText */ .Q6;
    const message = `the message of the failure does not contain "${shown(expected.text)}": ${isAlike ? (0,_lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_0__/* .escapedName */ .Nm)(actual) : actual}`;
    return [
        { kind: 'outcome', ...expected.place, ...componentOf(run), expected: expected.text, actual, message },
    ];
}


/***/ }),

/***/ 8607:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  uV: () => (/* binding */ columnOf),
  fz: () => (/* binding */ compareRows),
  BO: () => (/* binding */ countRows),
  aK: () => (/* binding */ readRows),
  O$: () => (/* binding */ unreadable)
});

// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/compare-values.js
var compare_values = __webpack_require__(6852);
;// CONCATENATED MODULE: ./flows/pipeline-tests/compare/match-rows.js

const maxPaired = 500;
function matchRows(expected, actual, tolerance) {
    const groups = new Map();
    const group = (row) => {
        const key = row.map((cell) => groupKey(cell, tolerance)).join('\u0000');
        const members = groups.get(key) ?? { expected: [], actual: [] };
        groups.set(key, members);
        return members;
    };
    for (const [index, row] of expected.entries())
        group(row).expected.push(index);
    for (const [index, row] of actual.entries())
        group(row).actual.push(index);
    const missing = [];
    const extra = [];
    for (const members of groups.values()) {
        const pairs = pairUp(members, tolerance, (left, right) => rowsAreEqual(expected[left] ?? [], actual[right] ?? [], tolerance));
        missing.push(...members.expected.filter((index) => !pairs.has(index)));
        const taken = new Set(pairs.values());
        extra.push(...members.actual.filter((index) => !taken.has(index)));
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

;// CONCATENATED MODULE: ./flows/pipeline-tests/compare/compare-table.js



const maxRows = 100_000;
function unreadable({ kind, table }, { message }) {
    return `the ${kind} "${table}" cannot be read: ${message}`;
}
async function countRows(table, { warehouse }) {
    (0,engine/* expectReadable */.I$)(table, warehouse.catalog, `"${table.table}"`, undefined);
    const { rows } = await warehouse.query(`SELECT count(*) FROM ${table.sql}`, { maxRows: 1 });
    return Number(rows[0]?.[0] ?? 0);
}
function columnOf({ columns }, name, { project }) {
    const stored = (0,engine/* storedName */.Rs)(name, project.kind);
    return columns.find((column) => column.name === stored);
}
async function readRows(table, columns, run) {
    (0,engine/* expectReadable */.I$)(table, run.warehouse.catalog, `"${table.table}"`, undefined);
    const list = columns.length === 0 ? '1' : columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(', ');
    const { rows, isCut } = await run.warehouse.query(`SELECT ${list} FROM ${table.sql}`, {
        maxRows,
        tellsJsonNull: true,
    });
    const count = isCut ? await countRows(table, run) : rows.length;
    return { rows: columns.length === 0 ? rows.map(() => []) : rows, count };
}
function compareRows({ isOrdered, tolerance }, written, columns, actual) {
    const expectedRows = written.rows.map(({ cells }) => columns.map(({ type }, index) => (0,compare_values/* comparableOfNode */.k1)(cells.get(written.columns[index] ?? ''), type)));
    const actualRows = actual.map((row) => columns.map(({ type }, index) => (0,compare_values/* comparableOfValue */.Xf)(row[index] ?? null, type)));
    return isOrdered
        ? matchInOrder(expectedRows, actualRows, tolerance)
        : matchRows(expectedRows, actualRows, tolerance);
}


/***/ }),

/***/ 6852:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   If: () => (/* binding */ comparableAcross),
/* harmony export */   Xf: () => (/* binding */ comparableOfValue),
/* harmony export */   k1: () => (/* binding */ comparableOfNode),
/* harmony export */   sO: () => (/* binding */ isJsonNull),
/* harmony export */   t7: () => (/* binding */ areEqual)
/* harmony export */ });
/* harmony import */ var _lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(315);
/* harmony import */ var _lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4995);
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(215);




const numericTypes = new Set([
    'NUMBER',
    'FLOAT',
    'SMALLINT',
    'INTEGER',
    'BIGINT',
]);
const nothing = { key: 'null' };
const wholeJsonNull = { key: 'JSON null' };
function comparableOfNode(node, type) {
    if (node === undefined)
        return nothing;
    if (type.name === 'VARIANT')
        return isJsonNull(node) ? wholeJsonNull : comparableOfTree(node);
    if (node.kind !== 'scalar')
        return { key: `tree:${comparableOfTree(node).key}` };
    const { value, text } = node;
    if (value === null)
        return nothing;
    if (typeof value === 'number')
        return comparableNumber(writtenNumber(text, value, type), value);
    if (typeof value === 'boolean')
        return { key: `boolean:${value}` };
    return { key: textKey(value, type) };
}
function isJsonNull(node) {
    if (node?.kind !== 'map' || node.entries.size !== 1)
        return false;
    const value = node.entries.get('jsonNull')?.value;
    return value?.kind === 'scalar' && value.value === true;
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
    if (value instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .JsonNull */ .YG)
        return nothing;
    if (!holdsTexts(type) || value === null)
        return comparableOfValue(value, type, 'as itself');
    if (value instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .LongDecimal */ .qT)
        return holdsTexts(other) ? { key: `text:${value.text}` } : ofLongDecimal(value);
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
        return comparableNumber(writtenNumber(text, Number(text), type), Number(text));
    if (type.name === 'FLOAT' && /^-?\d(?:\.\d+)?e[+-]\d{2,3}$/.test(text))
        return comparableNumber(writtenNumber(text, Number(text), type), Number(text));
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
        (0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .isNear */ .HQ)(a.number, b.number, tolerance));
}
function writtenNumber(text, value, { name }) {
    return name === 'FLOAT' && Number.isFinite(value) ? String(value) : text;
}
const isPrefixed = /^0[xo]/;
function comparableNumber(text, value) {
    const number = (0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .parseDecimal */ .$Q)(text) ?? (0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .parseDecimal */ .$Q)(String(isPrefixed.test(text) ? BigInt(text) : value));
    if (number === undefined)
        return { key: `number:${String(value)}` };
    return { key: `number:${(0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_1__/* .writeDecimal */ .Bz)(number)}`, number };
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
    if (value instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .JsonNull */ .YG)
        return wholeJsonNull;
    if (value instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .LongDecimal */ .qT)
        return ofLongDecimal(value);
    if (typeof value !== 'object')
        return ofScalar(value, String(value));
    const ofPart = (part) => comparableOfData(part, missingItem);
    if ((0,_lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_2__/* .isList */ .L)(value))
        return { key: `[${value.map((item) => ofPart(item).key).join()}]` };
    return mapOf(Object.entries(value).map(([key, item]) => [key, ofPart(item)]));
}
function ofLongDecimal({ text }) {
    return comparableNumber(text, Number(text));
}
function ofScalar(value, text) {
    if (typeof value === 'string')
        return { key: JSON.stringify(value) };
    if (typeof value === 'boolean')
        return { key: String(value) };
    return comparableNumber(text, Number(value));
}
function mapOf(entries) {
    const sorted = entries.toSorted(([a], [b]) => (0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .compareTexts */ .q)(a, b));
    return { key: `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${value.key}`).join()}}` };
}


/***/ }),

/***/ 9115:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   cu: () => (/* binding */ jsonNullCell),
/* harmony export */   jl: () => (/* binding */ sqlNullItem),
/* harmony export */   rf: () => (/* binding */ exactNumber),
/* harmony export */   zr: () => (/* binding */ isExactNumber)
/* harmony export */ });
function exactNumber(text) {
    return Object.defineProperty({ exactNumber: text }, 'toJSON', { value: () => text });
}
const sqlNullItem = Object.defineProperty({ exactNumber: 'undefined' }, 'toJSON', {
    value: () => ({ sqlNull: true }),
});
const jsonNullCell = Object.defineProperty({ exactNumber: 'JSON null' }, 'toJSON', {
    value: () => ({ jsonNull: true }),
});
function isExactNumber(value) {
    return (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function');
}


/***/ }),

/***/ 4502:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ similarColumns),
/* harmony export */   S: () => (/* binding */ givenNames)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _lib_core_text_closest_word_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(383);
/* harmony import */ var _lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3143);
/* harmony import */ var _outside_table_named_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4486);




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
            const second = (0,_lib_core_text_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(first, apart);
            if (second !== undefined)
                return `; \`given\` has "${first}" in some rows of "${name.text}", and "${second}" in others`;
        }
    }
    return '';
}
function tableNames(missing, run) {
    const { planned, project } = run;
    const { given } = planned.test;
    const keyOf = ({ database, schema, table }) => JSON.stringify([database, schema, table]);
    const sameLetters = given.find(({ name }) => keyOf((0,_outside_table_named_js__WEBPACK_IMPORTED_MODULE_3__/* .namedTable */ .q)(name.text, project)).toLowerCase() === keyOf(missing).toLowerCase());
    if (sameLetters !== undefined) {
        const { place, text } = sameLetters.name;
        const message = `the pipeline reads the table "${missing.table}"${readAt(run)}, but this one is "${text}": upper and lower case differ${quoteHint(missing.table, text, run)}`;
        return { problem: { ...place, message } };
    }
    const names = given.map(({ name }) => (0,_outside_table_named_js__WEBPACK_IMPORTED_MODULE_3__/* .namedTable */ .q)(name.text, project).table);
    const meant = given[names.indexOf((0,_lib_core_text_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(missing.table, names) ?? '')];
    if (meant === undefined)
        return { hint: '; `given` does not have it: add it' };
    const { text, place } = meant.name;
    const { table } = (0,_outside_table_named_js__WEBPACK_IMPORTED_MODULE_3__/* .namedTable */ .q)(text, project);
    return { hint: `; \`given\` has ${alikeName(table, missing.table, text)} (${place.line}:${place.column})` };
}
function columnNames(missing, run) {
    const { planned, project } = run;
    const columns = planned.test.given.flatMap((table) => columnsOf(table));
    const stored = columns.map(({ name }) => (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(name, project.kind));
    const sameLetters = columns[stored.findIndex((name) => name.toLowerCase() === missing.toLowerCase())];
    if (sameLetters !== undefined && (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(sameLetters.name, project.kind) !== missing) {
        const { name, table, place } = sameLetters;
        const message = `the pipeline reads the column "${missing}"${readAt(run)}, but the table "${table}" has "${name}": upper and lower case differ${quoteHint(missing, name, run)}`;
        return { problem: { ...place, message } };
    }
    if (sameLetters !== undefined)
        return {};
    const meant = columns[stored.indexOf((0,_lib_core_text_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(missing, stored) ?? '')];
    if (meant === undefined)
        return {};
    const { name, table, place } = meant;
    return {
        hint: `; "${table}" in \`given\` has ${alikeName(name, missing, name)} (${place.line}:${place.column})`,
    };
}
function alikeName(name, missing, written) {
    return (0,_lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .onlyLooksLike */ .it)(name, missing)
        ? `"${(0,_lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .escapedName */ .Nm)(written)}", which only looks like "${(0,_lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .escapedName */ .Nm)(missing)}"`
        : `"${written}"`;
}
function readAt({ state: { failed } }) {
    const [, place] = /^(\S.*?:\d+:\d+): /.exec(failed?.message ?? '') ?? [];
    return place === undefined ? '' : ` (${place})`;
}
function quoteHint(missing, existing, { project: { kind } }) {
    return kind === 'WAREHOUSE_ONE' && missing === existing.toUpperCase()
        ? `. SQL reads a name without quotes in upper case: write "${existing}" with quotes there`
        : '';
}
function variableHint(name, pipeline, { project }) {
    const declared = [...(project.pipeline(pipeline)?.variables.keys() ?? [])];
    const meant = (0,_lib_core_text_closest_word_js__WEBPACK_IMPORTED_MODULE_1__/* .closestWord */ .En)(name, declared);
    return meant === undefined
        ? `; declare it in \`variables\` of ${pipeline}, or give it a value in \`variables\` of the test`
        : `; ${(0,_lib_core_text_look_alike_js__WEBPACK_IMPORTED_MODULE_2__/* .didYouMean */ .au)(name, meant)}`;
}
function columnsOf({ name: table, columns, content }) {
    const declared = columns.map(({ name, place }) => ({ name, place, table: table.text }));
    const others = content.columns.map((name) => {
        const row = content.rows.find(({ cells }) => cells.has(name));
        return { name, place: row?.placeOf(name) ?? table.place, table: table.text };
    });
    return [...declared, ...others];
}


/***/ }),

/***/ 2012:
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

/***/ 5511:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Aq: () => (/* binding */ shownCell),
/* harmony export */   JJ: () => (/* binding */ shownValue),
/* harmony export */   b8: () => (/* binding */ shownNumber),
/* harmony export */   ud: () => (/* binding */ shownNode)
/* harmony export */ });
/* harmony import */ var _lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4995);
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(215);
/* harmony import */ var _compare_values_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6852);
/* harmony import */ var _exact_number_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9115);





function shownValue(value, type) {
    const isNumber = type?.name === 'NUMBER' || type?.name === 'FLOAT';
    return isNumber && typeof value === 'string' ? shownNumber(value) : plain(value);
}
function shownNumber(text) {
    const number = Number(text);
    const [exact, kept] = [(0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_3__/* .parseDecimal */ .$Q)(text), (0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_3__/* .parseDecimal */ .$Q)(String(number))];
    const isKept = exact !== undefined && kept !== undefined && (0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_3__/* .writeDecimal */ .Bz)(exact) === (0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_3__/* .writeDecimal */ .Bz)(kept);
    return isKept ? number : (0,_exact_number_js__WEBPACK_IMPORTED_MODULE_2__/* .exactNumber */ .rf)(text);
}
function shownNode(node) {
    if (node?.kind === 'list')
        return node.items.map(shownNode);
    if (node?.kind === 'map')
        return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, shownNode(value)]));
    if (node === undefined || typeof node.value !== 'number')
        return node?.value ?? null;
    return (0,_lib_core_values_decimal_js__WEBPACK_IMPORTED_MODULE_3__/* .parseDecimal */ .$Q)(node.text) === undefined ? shownNumber(String(node.value)) : shownNumber(node.text);
}
function shownCell(node, type) {
    return type?.name === 'VARIANT' && (0,_compare_values_js__WEBPACK_IMPORTED_MODULE_1__/* .isJsonNull */ .sO)(node) ? _exact_number_js__WEBPACK_IMPORTED_MODULE_2__/* .jsonNullCell */ .cu : shownNode(node);
}
function plain(value) {
    if (value === undefined)
        return _exact_number_js__WEBPACK_IMPORTED_MODULE_2__/* .sqlNullItem */ .jl;
    if (typeof value === 'bigint')
        return (0,_exact_number_js__WEBPACK_IMPORTED_MODULE_2__/* .exactNumber */ .rf)(String(value));
    if (value === null || typeof value !== 'object')
        return value;
    if (value instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .JsonNull */ .YG)
        return _exact_number_js__WEBPACK_IMPORTED_MODULE_2__/* .jsonNullCell */ .cu;
    if (value instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .LongDecimal */ .qT)
        return (0,_exact_number_js__WEBPACK_IMPORTED_MODULE_2__/* .exactNumber */ .rf)(value.text);
    if ((0,_lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_4__/* .isList */ .L)(value))
        return value.map(plain);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}


/***/ }),

/***/ 2486:
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
function writes({ changed = [] }, table) {
    return changed.includes(table.sql);
}


/***/ }),

/***/ 4685:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ writeRecipe),
/* harmony export */   p: () => (/* binding */ reopenProject)
/* harmony export */ });
/* harmony import */ var _overlay_project_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9926);
/* harmony import */ var _test_project_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2857);


function writeRecipe({ contents, ...recipe }) {
    const written = contents.map((overlay) => [...overlay].map(([path, bytes]) => [path, bytes === undefined ? null : Buffer.from(bytes).toString('base64')]));
    return { ...recipe, contents: written };
}
function reopenProject({ directory, kind, options, contents }) {
    let project = (0,_test_project_js__WEBPACK_IMPORTED_MODULE_1__/* .openTestProject */ .qD)(directory, kind, options);
    for (const overlay of contents)
        project = (0,_overlay_project_js__WEBPACK_IMPORTED_MODULE_0__/* .overlayProject */ ._)(project, {
            contents: new Map(overlay.map(([path, text]) => [path, text === null ? undefined : Buffer.from(text, 'base64')])),
        });
    return project;
}


/***/ }),

/***/ 4668:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H2: () => (/* binding */ openCoverage),
/* harmony export */   Kg: () => (/* binding */ reachedBy),
/* harmony export */   TN: () => (/* binding */ keyOf),
/* harmony export */   _$: () => (/* binding */ splitKey),
/* harmony export */   _5: () => (/* binding */ coverageOf),
/* harmony export */   rz: () => (/* binding */ joinReached)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5143);
/* harmony import */ var _files_find_tests_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5299);



const separator = '\u0000';
function openCoverage(project, planned, { files, filter }) {
    const isWhole = filter === undefined && files.length === (0,_files_find_tests_js__WEBPACK_IMPORTED_MODULE_1__/* .testFiles */ .us)(project).length;
    const all = [
        { pipelines: planned.map(({ document }) => document.path), components: [], transitions: [] },
    ];
    return {
        add: (reached) => void all.push(reached),
        parts() {
            const reached = joinReached(all);
            const outlines = [...new Set([...reached.pipelines, ...(isWhole ? project.pipelines : [])])]
                .toSorted()
                .flatMap((path) => outlineOf(readable(project, path)));
            return { outlines, reached };
        },
    };
}
function reachedBy({ state, project }) {
    return {
        pipelines: [...new Set(state.steps.map(({ pipeline }) => pipeline))],
        components: [
            ...new Set(state.steps.flatMap(({ pipeline, component, status }) => status === 'SKIPPED' ? [] : [keyOf(pipeline, component)])),
        ],
        transitions: [
            ...new Set([...takenTransitions(state, project)].map((transition) => keyOf(...transition))),
        ],
    };
}
function splitKey(key) {
    const [pipeline = '', component = ''] = key.split(separator);
    return [pipeline, component];
}
function joinReached(all) {
    const join = (what) => [...new Set(all.flatMap((reached) => reached[what]))].toSorted();
    return { pipelines: join('pipelines'), components: join('components'), transitions: join('transitions') };
}
function coverageOf({ outlines, reached }) {
    const [paths, components, transitions] = [
        new Set(reached.pipelines),
        new Set(reached.components),
        new Set(reached.transitions),
    ];
    return {
        pipelines: outlines.map((outline) => paths.has(outline.pipeline) ? pipelineCoverage(outline, components, transitions) : notRun(outline)),
    };
}
function keyOf(...parts) {
    return parts.join(separator);
}
function readable(project, path) {
    try {
        return project.pipeline(path);
    }
    catch (error) {
        if (error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq)
            return undefined;
        throw error;
    }
}
function outlineOf(document) {
    if (document === undefined)
        return [];
    const components = [...document.components.values()].map((component) => ({
        name: component.name,
        line: component.range.line,
        column: component.range.column,
        transitions: component.transitions.map(({ on, to }) => ({
            on,
            to,
            ...transitionPlace(document, component, on, to),
        })),
    }));
    return [{ pipeline: document.path, components }];
}
function transitionPlace({ source }, component, on, to) {
    const targets = (0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_2__/* .itemsOf */ .S3)((0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_2__/* .childOf */ .GG)(component.node('transitions'), on));
    const node = targets.find((item) => (0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_2__/* .textOf */ .b6)(item) === to);
    const { line, column } = node === undefined ? component.range : source.toRange(node);
    return { line, column };
}
function notRun({ pipeline, components }) {
    const message = 'no test runs this pipeline';
    const transitions = components.reduce((sum, component) => sum + component.transitions.length, 0);
    return {
        pipeline,
        components: { reached: 0, all: components.length },
        transitions: { reached: 0, all: transitions },
        unreached: [{ kind: 'pipeline', component: '', file: pipeline, line: 1, column: 1, message }],
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
function pipelineCoverage({ pipeline, components: all }, components, transitions) {
    const unreached = [];
    const count = { components: 0, transitions: 0, reachedTransitions: 0 };
    for (const component of all) {
        const { name, line, column } = component;
        const ran = components.has(keyOf(pipeline, name));
        if (ran)
            count.components += 1;
        else {
            const message = `no test reaches the component "${name}"`;
            unreached.push({ kind: 'component', component: name, file: pipeline, line, column, message });
        }
        for (const transition of component.transitions) {
            count.transitions += 1;
            if (transitions.has(keyOf(pipeline, name, transition.on, transition.to)))
                count.reachedTransitions += 1;
            else if (ran)
                unreached.push(unreachedTransition(pipeline, name, transition));
        }
    }
    return {
        pipeline,
        components: { reached: count.components, all: all.length },
        transitions: { reached: count.reachedTransitions, all: count.transitions },
        unreached,
    };
}
function unreachedTransition(file, component, { on, to, line, column }) {
    const isBranch = on === 'true' || on === 'false';
    const message = isBranch
        ? `no test takes the branch "${on}" of "${component}" to "${to}"`
        : `no test takes the transition "${on}" from "${component}" to "${to}"`;
    return { kind: isBranch ? 'branch' : 'transition', component, file, line, column, message };
}


/***/ }),

/***/ 5616:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ decodeResult),
/* harmony export */   Y: () => (/* binding */ encodeResult)
/* harmony export */ });
/* harmony import */ var _lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4995);
/* harmony import */ var _compare_exact_number_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9115);


const specials = { null: _compare_exact_number_js__WEBPACK_IMPORTED_MODULE_0__/* .sqlNullItem */ .jl, 'JSON null': _compare_exact_number_js__WEBPACK_IMPORTED_MODULE_0__/* .jsonNullCell */ .cu, '-0': -0 };
function encodeResult(result) {
    return { ...result, differences: result.differences.map(encodeDifference) };
}
function decodeResult(result) {
    return { ...result, differences: result.differences.map(decodeDifference) };
}
function encodeDifference(difference) {
    const { expected, actual } = difference;
    return {
        ...difference,
        ...(expected === undefined ? {} : { expected: encodeShown(expected) }),
        ...(actual === undefined ? {} : { actual: encodeShown(actual) }),
    };
}
function decodeDifference(difference) {
    const { expected, actual } = difference;
    return {
        ...difference,
        ...(expected === undefined ? {} : { expected: decodeShown(expected) }),
        ...(actual === undefined ? {} : { actual: decodeShown(actual) }),
    };
}
function encodeShown(shown) {
    if (shown === _compare_exact_number_js__WEBPACK_IMPORTED_MODULE_0__/* .sqlNullItem */ .jl)
        return { special: 'null' };
    if (shown === _compare_exact_number_js__WEBPACK_IMPORTED_MODULE_0__/* .jsonNullCell */ .cu)
        return { special: 'JSON null' };
    if (Object.is(shown, -0))
        return { special: '-0' };
    if ((0,_compare_exact_number_js__WEBPACK_IMPORTED_MODULE_0__/* .isExactNumber */ .zr)(shown))
        return { exact: shown.exactNumber };
    if (shown === null || typeof shown !== 'object')
        return shown;
    if ((0,_lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_1__/* .isList */ .L)(shown))
        return { list: shown.map(encodeShown) };
    return { object: Object.entries(shown).map(([key, value]) => [key, encodeShown(value)]) };
}
function decodeShown(encoded) {
    if (encoded === null || typeof encoded !== 'object')
        return encoded;
    if ('special' in encoded)
        return specials[encoded.special];
    if ('exact' in encoded)
        return (0,_compare_exact_number_js__WEBPACK_IMPORTED_MODULE_0__/* .exactNumber */ .rf)(encoded.exact);
    if ('list' in encoded)
        return encoded.list.map(decodeShown);
    return Object.fromEntries(encoded.object.map(([key, value]) => [key, decodeShown(value)]));
}


/***/ }),

/***/ 6685:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ mockFaults),
/* harmony export */   t: () => (/* binding */ placeOfRow)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _files_planned_test_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9015);


function mockFaults({ planned, failures, project }) {
    const problems = failures.flatMap(({ pipeline, component, message, mockFault }) => {
        if (mockFault === undefined)
            return [];
        const mock = planned.test.mocks.find((candidate) => isFor(candidate, { pipeline, component }, planned, project));
        if (mock === undefined)
            return [];
        const place = placeOfFault(mock, mockFault, project);
        return [{ ...place, message: `the mock of "${mock.name.text}": ${message}` }];
    });
    return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}
function isFor({ name }, { pipeline, component }, { document }, project) {
    const target = (0,_files_planned_test_js__WEBPACK_IMPORTED_MODULE_1__/* .findComponent */ .Tn)(name.text, document, project);
    return target?.path === pipeline && target.component === component;
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
            const table = mock.tables.find((mockTable) => mockTable.name.text === name);
            return placeOfRow(table?.content, { row, column }, table?.name.place ?? other, project);
        }
    }
}
function placeOfRow(content, { row = 0, column }, other, { kind }) {
    const written = content?.rows[row - 1];
    if (content === undefined || written === undefined)
        return other;
    const name = content.columns.find((columnName) => (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .storedName */ .Rs)(columnName, kind) === column);
    return name === undefined ? written.place : written.placeOf(name);
}


/***/ }),

/***/ 7931:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  ur: () => (/* binding */ createGiven),
  g7: () => (/* binding */ execute),
  YA: () => (/* binding */ runTest),
  ZL: () => (/* binding */ testSetting)
});

// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./lib/core/text/closest-word.js
var closest_word = __webpack_require__(383);
// EXTERNAL MODULE: ./lib/core/text/look-alike.js
var look_alike = __webpack_require__(3143);
// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/compare-table.js + 1 modules
var compare_table = __webpack_require__(8607);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/given-names.js
var given_names = __webpack_require__(4502);
// EXTERNAL MODULE: ./flows/pipeline-tests/outside/table-named.js
var table_named = __webpack_require__(4486);
// EXTERNAL MODULE: ./lib/core/text/visible-text.js
var visible_text = __webpack_require__(327);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/shown-value.js
var shown_value = __webpack_require__(5511);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/writers-of.js
var writers_of = __webpack_require__(2486);
;// CONCATENATED MODULE: ./flows/pipeline-tests/compare/check-table.js










async function checkTable(expected, run) {
    const { project, warehouse } = run;
    const { text, place } = expected.name;
    const name = (0,table_named/* tableNamed */.u)(text, place, project);
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
        if (error instanceof engine/* Refusal */.P_)
            return [{ kind: 'refused', table: text, ...place, ...(0,writers_of/* writersOf */.k)(table, run), message: error.message }];
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
    const names = catalog.list(database, schema).map((listed) => listed.table);
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
function existing(expected, present) {
    if (expected !== present && unquoted(expected) === present)
        return `there is "${(0,visible_text/* visibleText */.Q6)(present)}", without quotation marks in its name`;
    return (0,look_alike/* onlyLooksLike */.it)(expected, present)
        ? (0,look_alike/* didYouMean */.au)(expected, present)
        : `there is "${(0,visible_text/* visibleText */.Q6)(present)}": upper and lower case differ`;
}
function checkCount({ name, count: expectedCount }, { table, count }, run) {
    if (expectedCount === undefined || expectedCount.value === count)
        return [];
    const message = `the table "${name.text}" has ${(0,number_of/* numberOf */.r)(count, 'row')}, not ${expectedCount.value}`;
    return [
        {
            kind: 'count',
            table: name.text,
            ...expectedCount.place,
            ...(0,writers_of/* writersOf */.k)(table, run),
            expected: expectedCount.value,
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
    const names = table.columns.map((column) => `"${(0,visible_text/* visibleText */.Q6)(column.name)}"`).join(', ');
    const meant = (0,closest_word/* closestWord */.En)(name, table.columns.map((column) => column.name));
    const others = meant === undefined ? `it has ${names}` : (0,look_alike/* didYouMean */.au)(name, meant);
    const hint = similar === undefined ? others : `it has "${(0,visible_text/* visibleText */.Q6)(similar.name)}": upper and lower case differ`;
    const at = rows.find((row) => row.cells.has(name))?.placeOf(name) ?? place;
    const message = `the table "${text}" has no column "${(0,visible_text/* visibleText */.Q6)(name)}"; ${hint}`;
    return { kind: 'missing-column', table: text, ...at, ...(0,writers_of/* writersOf */.k)(table, run), message };
}
function rowDifferences({ expected, written, columns, actual, match, table, count }, run) {
    const common = { table: expected.name.text, ...(0,writers_of/* writersOf */.k)(table, run) };
    const cut = count > actual.length ? `; of its ${count} rows, the first ${actual.length} were compared` : '';
    const note = `${cut}${(0,given_names/* similarColumns */.R)(run)}`;
    const expectedRow = (index) => Object.fromEntries(written.columns.map((name, place) => [
        name,
        (0,shown_value/* shownCell */.Aq)(written.rows[index]?.cells.get(name), columns[place]?.type),
    ]));
    const actualRow = (index) => Object.fromEntries(written.columns.map((name, place) => [
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
            expected: expectedRow(pair.expected),
            actual: actualRow(pair.actual),
            columns: pair.columns.map((place) => written.columns[place] ?? ''),
            message: `a row ${of} differs${note}`,
        })),
        ...match.missing.map((index) => ({
            kind: 'missing-row',
            ...common,
            ...placeOf(index),
            expected: expectedRow(index),
            message: `an expected row is not in the table "${expected.name.text}"${note}`,
        })),
        ...match.extra.map((index) => ({
            kind: 'extra-row',
            ...common,
            ...expected.name.place,
            actual: actualRow(index),
            message: `a row ${of} was not expected${note}`,
        })),
    ];
}

// EXTERNAL MODULE: ./flows/pipeline-tests/compare/compare-values.js
var compare_values = __webpack_require__(6852);
// EXTERNAL MODULE: ./lib/core/values/decimal.js
var decimal = __webpack_require__(215);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/check-outcome.js
var check_outcome = __webpack_require__(5423);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/ran-components.js
var ran_components = __webpack_require__(2012);
// EXTERNAL MODULE: ./lib/pipelines/model/grid.js
var grid = __webpack_require__(7635);
;// CONCATENATED MODULE: ./flows/pipeline-tests/compare/check-expectations.js







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
        const hint = isText
            ? ''
            : `. The actual value is a text: write the expected text "${node.text}" in quotes`;
        return difference(value, `${what} has a different value${hint}`);
    }
    const number = { name: 'NUMBER', precision: 38, scale: 0 };
    const actual = (0,decimal/* parseDecimal */.$Q)(value);
    const actualValue = actual === undefined ? { key: `text:${value}` } : { key: `number:${writeKey(value)}`, number: actual };
    const isEqual = (0,compare_values/* areEqual */.t7)((0,compare_values/* comparableOfNode */.k1)(node, number), actualValue, { units: 0n, scale: 0 });
    if (isEqual)
        return [];
    const isQuoted = typeof node.value === 'string' && (0,decimal/* parseDecimal */.$Q)(node.value) !== undefined;
    const hint = isQuoted ? '. The actual value is a number: write the expected number without quotes' : '';
    return difference((0,shown_value/* shownNumber */.b8)(value), `${what} has a different value${hint}`);
}
function writeKey(text) {
    const number = (0,decimal/* parseDecimal */.$Q)(text);
    return number === undefined ? text : `${number.units}e${-number.scale}`;
}

// EXTERNAL MODULE: ./flows/pipeline-tests/files/declared-tables.js
var declared_tables = __webpack_require__(3494);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/planned-test.js + 1 modules
var planned_test = __webpack_require__(9015);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/table-rows.js
var table_rows = __webpack_require__(8613);
;// CONCATENATED MODULE: ./flows/pipeline-tests/run/engine-mocks.js



function engineMocks({ test, document }, sources, project) {
    return new Map(test.mocks.map((mock) => {
        const target = (0,planned_test/* findComponent */.Tn)(mock.name.text, document, project);
        const isOwn = target === undefined || target.path === document.path;
        const key = isOwn ? mock.name.text : `${target.path}#${target.component}`;
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

// EXTERNAL MODULE: ./flows/pipeline-tests/run/mock-problems.js
var mock_problems = __webpack_require__(6685);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/broken-pipeline.js
var broken_pipeline = __webpack_require__(6356);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./flows/pipeline-tests/run/run-test.js










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
        (0,broken_pipeline/* refuseBrokenCalls */.PZ)(run.called, project);
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
async function execute(planned, warehouse, setting, { passesUnmocked = false, loadRows, repair } = {}) {
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
        callRoots: project.roots,
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
            loadRows,
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
    const tableName = (0,table_named/* tableNamed */.u)(name.text, name.place, project);
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
    const declared = test.variables.filter(({ name }) => document.variables.has(name.text));
    const others = test.variables.filter(({ name }) => !document.variables.has(name.text));
    const scalars = declared.flatMap(({ name, value }) => typeof value === 'string' ? [[name.text, value]] : []);
    const grids = declared.flatMap(({ name, value }) => typeof value === 'string' ? [] : [[name.text, value]]);
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
    const seenKeys = new Set(failures.map(keyOf));
    return run.failures.filter((failure) => isUnmocked(failure) && !seenKeys.has(keyOf(failure)));
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

/***/ 8472:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ tracedSetting)
/* harmony export */ });
/* harmony import */ var _cache_stored_reads_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8868);
/* harmony import */ var _files_trace_reads_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4243);
/* harmony import */ var _coverage_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4668);



function tracedSetting(common, shared) {
    const { project, declared, reads } = (0,_files_trace_reads_js__WEBPACK_IMPORTED_MODULE_1__/* .traceReads */ .vu)(common.project, common.declared);
    let hasRunPython = false;
    let seen = {
        called: [],
        reached: { pipelines: [], components: [], transitions: [] },
    };
    const noted = (python) => ({
        run(job, signal) {
            hasRunPython = true;
            return python.run(job, signal);
        },
    });
    return {
        setting: { ...common, project, declared, python: common.python && noted(common.python) },
        see(run) {
            seen = { called: run.called, reached: (0,_coverage_js__WEBPACK_IMPORTED_MODULE_2__/* .reachedBy */ .Kg)(run) };
        },
        trace: () => ({
            reads: (0,_cache_stored_reads_js__WEBPACK_IMPORTED_MODULE_0__/* .withReads */ .uz)((0,_cache_stored_reads_js__WEBPACK_IMPORTED_MODULE_0__/* .storeReads */ .xb)(shared), (0,_cache_stored_reads_js__WEBPACK_IMPORTED_MODULE_0__/* .storeReads */ .xb)(reads)),
            texts: [...reads.texts.keys()],
            hasRunPython,
            ...seen,
        }),
    };
}


/***/ })

};
