export const id = 613;
export const ids = [613];
export const modules = {

/***/ 9613:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  diffProject: () => (/* binding */ diffProject)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./flows/diff/base-project.js + 1 modules
var base_project = __webpack_require__(2546);
// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/declared-tables.js
var declared_tables = __webpack_require__(3494);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-test.js + 3 modules
var run_test = __webpack_require__(7931);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-tests.js + 1 modules
var run_tests = __webpack_require__(5880);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/plan-file.js
var plan_file = __webpack_require__(1196);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/open-test-warehouse.js
var open_test_warehouse = __webpack_require__(8953);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-problem.js
var test_problem = __webpack_require__(8442);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/trace-reads.js
var trace_reads = __webpack_require__(4243);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/shown-value.js
var shown_value = __webpack_require__(5511);
;// CONCATENATED MODULE: ./flows/diff/data-diff.js
const maxValues = 3;
const maxRowChanges = 200;

;// CONCATENATED MODULE: ./flows/diff/changed-columns.js



function changedColumns(left, right, kind, pairs) {
    const types = new Map(right.columns.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type, kind)]));
    const gone = left.columns.filter(({ name }) => !types.has(name));
    const fresh = right.columns.filter(({ name }) => !has(left.columns, name));
    const renamed = renamedColumns({ left, right, gone, fresh, pairs });
    const oldNames = new Set(renamed.values());
    return [
        ...left.columns.flatMap(({ name, type }) => {
            const [old, other] = [(0,engine/* describeType */.MF)(type, kind), types.get(name)];
            if (old === other || oldNames.has(name))
                return [];
            if (left.isView !== right.isView && withoutSize(old) === withoutSize(other))
                return [];
            return [{ name, before: old, ...(other === undefined ? {} : { after: other }) }];
        }),
        ...fresh.map(({ name, type }) => {
            const [renamedFrom, after] = [renamed.get(name), (0,engine/* describeType */.MF)(type, kind)];
            return renamedFrom === undefined
                ? { name, after, ...valuesOf(right, name) }
                : { name, renamedFrom, before: after, after };
        }),
    ];
}
function withoutSize(type) {
    return type?.replace(/\(.*/, '');
}
function renamedColumns({ left, right, gone, fresh, pairs, }) {
    const contentOf = (content, { name, type }, side) => {
        const values = valuesIn(content, name);
        const paired = pairs.map((pair) => JSON.stringify(values[pair[side]]));
        const hasDifferent = new Set(paired.filter((value) => value !== 'null')).size > 1;
        return hasDifferent ? JSON.stringify([(0,engine/* describeType */.MF)(type), paired]) : undefined;
    };
    const before = Map.groupBy(gone, (column) => contentOf(left, column, 0));
    const after = Map.groupBy(fresh, (column) => contentOf(right, column, 1));
    return new Map([...after].flatMap(([content, columns]) => {
        const [old, ...others] = content === undefined ? [] : (before.get(content) ?? []);
        const [current] = columns;
        if (old === undefined || current === undefined || others.length > 0 || columns.length > 1)
            return [];
        return [[current.name, old.name]];
    }));
}
function valuesIn({ columns, rows }, name) {
    const place = columns.findIndex((column) => column.name === name);
    return rows.map((row) => (0,shown_value/* shownValue */.JJ)(row[place] ?? null, columns[place]?.type));
}
function valuesOf(content, name) {
    const values = valuesIn(content, name);
    const different = new Map(values.map((value) => [JSON.stringify(value), value]));
    different.delete('null');
    return {
        values: [...different.values()].slice(0, maxValues),
        nulls: values.filter((value) => value === null).length,
    };
}
function has(columns, name) {
    return columns.some((column) => column.name === name);
}

// EXTERNAL MODULE: ./flows/pipeline-tests/compare/compare-values.js
var compare_values = __webpack_require__(6852);
;// CONCATENATED MODULE: ./flows/diff/compared-rows.js

function comparedRows(left, right) {
    const names = left.columns.flatMap(({ name }) => (columnIn(right, name) === undefined ? [] : [name]));
    return { names, before: keyedRows(left, right, names), after: keyedRows(right, left, names) };
}
function keyedRows(content, other, names) {
    const cells = names.flatMap((name) => {
        const [column, opposite] = [columnIn(content, name), columnIn(other, name)];
        return column === undefined || opposite === undefined
            ? []
            : [{ place: content.columns.indexOf(column), type: column.type, otherType: opposite.type }];
    });
    return content.rows.map((row) => cells.map(({ place, type, otherType }) => {
        const value = row[place] ?? null;
        const comparable = type.name === otherType.name
            ? (0,compare_values/* comparableOfValue */.Xf)(value, type, 'as itself')
            : (0,compare_values/* comparableAcross */.If)(value, type, otherType);
        return comparable.key;
    }));
}
function columnIn({ columns }, name) {
    return columns.find((column) => column.name === name);
}

;// CONCATENATED MODULE: ./flows/diff/find-key.js
const maxCombined = 10;
const maxColumns = 4;
const manyRows = 5000;
const keyWord = /(?:^|[_ ])(?:id|key|code|no|nr|number|sk|pk)$/i;
const keyEnding = /(?<=[a-z])(?:Id|Key|Code)$/;
const rowNumber = /^row_?(?:no|nr|num|number|id)?$|^(?:rn|rownum)$/i;
const resultName = /^(?:count|sum|avg|average|min|max|median|stddev|variance)_/i;
function isOwnKey(name, table) {
    if (!isKeyName(name))
        return false;
    const thing = name.replace(keyWord, '').replace(keyEnding, '').toLowerCase();
    if (thing === '')
        return /^(?:id|key|pk|sk)$/i.test(name);
    const last = table
        .split(/[_. ]|(?<=[a-z])(?=[A-Z])/)
        .at(-1)
        ?.toLowerCase() ?? '';
    return [thing, `${thing}s`, `${thing}es`, thing.replace(/y$/, 'ies')].includes(last);
}
function isKeyName(name) {
    return (keyWord.test(name) || keyEnding.test(name)) && !resultName.test(name) && !rowNumber.test(name);
}
function isResultName(name) {
    return resultName.test(name);
}
function canIdentify(type) {
    if (type.name === 'NUMBER')
        return type.scale === 0;
    return !['FLOAT', 'BOOLEAN', 'VARIANT'].includes(type.name);
}
function findKey(search, ownKey = []) {
    const { names, before, after } = search;
    const ownPlaces = ownKey.map((name) => names.indexOf(name));
    if (ownPlaces.length > 0 && !ownPlaces.includes(-1) && metRows(ownPlaces, before, after) !== undefined)
        return ownPlaces;
    const places = search.candidates.filter((place) => !isResultName(names[place] ?? ''));
    const others = places.filter((place) => !isNumbering(names[place] ?? '', place, search));
    return bestKey(others, search) ?? bestKey(places, search);
}
function bestKey(places, { names, before, after }) {
    const isLarge = before.length + after.length > manyRows;
    const most = Math.min(before.length, after.length);
    const rated = [];
    for (let length = 1; length <= (isLarge ? 2 : maxColumns); length += 1) {
        const tried = length === 1 ? places.map((place) => [place]) : combinationsOf(places.slice(0, maxCombined), length);
        for (const columns of tried) {
            const met = metRows(columns, before, after);
            const isNamed = columns.every((place) => isKeyName(names[place] ?? ''));
            if (met !== undefined && met > 0)
                rated.push({ columns, met, isNamed });
        }
        if (rated.some(({ met, isNamed }) => met === most && (isNamed || length > 1)))
            break;
    }
    const [best] = rated.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.met - a.met || a.columns.length - b.columns.length);
    return best?.columns;
}
function isNumbering(name, place, { before, after }) {
    if (isKeyName(name) || before.length < 2)
        return false;
    return [before, after].every((rows) => {
        const values = new Set(rows.map((row) => Number((row[place] ?? '').replace('number:', ''))));
        const first = values.has(0) ? 0 : 1;
        return rows.every((_, index) => values.has(index + first));
    });
}
function keyOf(row, columns) {
    return JSON.stringify(columns.map((index) => row[index]));
}
function metRows(columns, before, after) {
    const first = uniqueKeys(columns, before);
    if (first === undefined)
        return undefined;
    const second = uniqueKeys(columns, after);
    return second === undefined ? undefined : first.intersection(second).size;
}
function uniqueKeys(columns, rows) {
    const keys = new Set();
    for (const row of rows) {
        const key = keyOf(row, columns);
        if (keys.has(key))
            return undefined;
        keys.add(key);
    }
    return keys;
}
function combinationsOf(places, length) {
    if (length === 0)
        return [[]];
    return places.flatMap((first, index) => combinationsOf(places.slice(index + 1), length - 1).map((rest) => [first, ...rest]));
}

// EXTERNAL MODULE: ./flows/pipeline-tests/report/shown-text.js
var shown_text = __webpack_require__(3574);
;// CONCATENATED MODULE: ./flows/diff/order-rows.js


function byValues({ columns, rows }, names) {
    const places = names.map((name) => columns.findIndex((column) => column.name === name));
    const valueAt = (index, place) => (0,shown_value/* shownValue */.JJ)(rows[index]?.[place] ?? null, columns[place]?.type);
    return (a, b) => {
        for (const place of places) {
            const order = compareValues(valueAt(a, place), valueAt(b, place));
            if (order !== 0)
                return order;
        }
        return a - b;
    };
}
function compareValues(a, b) {
    if (a === null || b === null)
        return Number(b === null) - Number(a === null);
    if (typeof a === 'number' && typeof b === 'number')
        return a - b;
    const [left, right] = [(0,shown_text/* shownText */.f$)(a), (0,shown_text/* shownText */.f$)(b)];
    return Number(left > right) - Number(left < right);
}
function inTurn(added, removed) {
    return Array.from({ length: Math.max(added.length, removed.length) }, (_, index) => [removed[index], added[index]].filter((row) => row !== undefined)).flat();
}
function cutRows(changed, others, max) {
    const first = changed.slice(0, Math.max(Math.ceil(max / 2), max - others.length));
    return [...first, ...others.slice(0, max - first.length)];
}

;// CONCATENATED MODULE: ./flows/diff/pair-rows.js

function pairByKey(before, after, key) {
    const places = new Map(after.map((row, index) => [keyOf(row, key), index]));
    return before.flatMap((row, index) => {
        const place = places.get(keyOf(row, key));
        return place === undefined ? [] : [[index, place]];
    });
}
function pairEqual(before, after) {
    const places = Map.groupBy(indicesOf(after).toReversed(), (index) => JSON.stringify(after[index]));
    return before.flatMap((row, index) => {
        const place = places.get(JSON.stringify(row))?.pop();
        return place === undefined ? [] : [[index, place]];
    });
}
function indicesOf(rows) {
    return rows.map((_, index) => index);
}

;// CONCATENATED MODULE: ./flows/diff/compare-tables.js







function compareTables(before, after, { project, onlyWritten }) {
    const written = (name) => (after.get(name) ?? before.get(name))?.lastWrite ?? Infinity;
    const names = [...new Set([...before.keys(), ...after.keys()])]
        .filter((name) => !onlyWritten || Number.isFinite(written(name)))
        .toSorted();
    const changes = names
        .toSorted((a, b) => (written(a) === written(b) ? 0 : written(a) - written(b)))
        .flatMap((name) => compareTable(before.get(name), after.get(name), project) ?? []);
    const changed = new Set(changes.map(({ table }) => table));
    const equal = names.filter((name) => !changed.has(name) && Number.isFinite(written(name)));
    return { changes, equal: equal.length };
}
function compareTable(before, after, project) {
    const content = after ?? before;
    if (content === undefined)
        return undefined;
    const kind = before === undefined ? 'created' : after === undefined ? 'removed' : 'changed';
    const [left, right] = [before ?? without(content), after ?? without(content)];
    const warehouse = project.kind;
    const writer = kind === 'removed' ? writerNow(content, project) : content.writer;
    const common = { table: content.name, kind, ...writer };
    const reason = left.unknown ?? right.unknown;
    if (reason !== undefined) {
        if (left.digest !== undefined && left.digest === right.digest)
            return undefined;
        const columns = changedColumns(left, right, warehouse, []);
        const unknown = `${reason}${sizesText(before, after, columns.length === 0)}`;
        return { ...common, ...noRows, columns, unknown };
    }
    const { pairs, ...rows } = compareRows(left, right);
    const columns = changedColumns(left, right, warehouse, pairs);
    const isEqual = rows.added + rows.removed + rows.changed + columns.length === 0;
    return kind === 'changed' && isEqual ? undefined : { ...common, ...rows, columns };
}
function sizesText(before, after, hasSameColumns) {
    const sides = [before, after].filter((side) => side !== undefined);
    if (sides.some(({ unknown, digest }) => unknown !== undefined && digest === undefined))
        return '';
    const sizes = [
        ...(before === undefined ? [] : [`${before.count} before`]),
        ...(after === undefined ? [] : [`${after.count} now`]),
    ];
    const differ = hasSameColumns && sides.length > 1 ? ', and some rows differ' : '';
    return `${differ} (${sizes.join(', ')})`;
}
function writerNow({ writer: { component, at } }, project) {
    if (component === undefined)
        return {};
    const range = at === undefined ? undefined : project.pipeline(at.file)?.components.get(component)?.range;
    if (at === undefined || range === undefined)
        return { component };
    return { component, at: { file: at.file, line: range.line, column: range.column } };
}
const noRows = { key: [], added: 0, removed: 0, changed: 0, cells: {}, rows: [] };
function without(content) {
    const { unknown: _, digest: __, ...rest } = content;
    return { ...rest, rows: [], count: 0, writer: {} };
}
function compareRows(left, right) {
    const { names, before, after } = comparedRows(left, right);
    const candidates = names.flatMap((name, place) => canBeKey(left, name) && canBeKey(right, name) ? [place] : []);
    const key = findKey({ names, before, after, candidates }, right.primaryKey);
    const pairs = key === undefined ? pairEqual(before, after) : pairByKey(before, after, key);
    const taken = new Set(pairs.map(([, index]) => index));
    const kept = new Set(pairs.map(([index]) => index));
    const keyNames = key?.map((place) => names[place] ?? '') ?? [];
    const order = keyNames.length === 0 ? names : keyNames;
    const inRight = byValues(right, order);
    const inLeft = byValues(left, order);
    const added = indicesOf(after)
        .filter((index) => !taken.has(index))
        .toSorted(inRight);
    const removed = indicesOf(before)
        .filter((index) => !kept.has(index))
        .toSorted(inLeft);
    const cells = new Map();
    const changed = pairs
        .flatMap(([old, current]) => {
        const different = names.filter((_, place) => before[old]?.[place] !== after[current]?.[place]);
        for (const name of different)
            cells.set(name, (cells.get(name) ?? 0) + 1);
        return different.length === 0 ? [] : [{ old, current, different }];
    })
        .toSorted((a, b) => inRight(a.current, b.current));
    const changedRows = changed.slice(0, maxRowChanges).map(({ old, current, different }) => {
        const shown = [...keyNames, ...different];
        return { before: shownRow(left, old, shown), after: shownRow(right, current, shown) };
    });
    const otherRows = inTurn(added.slice(0, maxRowChanges).map((index) => ({ after: shownRow(right, index) })), removed.slice(0, maxRowChanges).map((index) => ({ before: shownRow(left, index) })));
    const lostKey = findLostKey({ names, before, after, candidates }, right);
    return {
        pairs,
        key: keyNames,
        ...(lostKey === undefined ? {} : { lostKey }),
        added: added.length,
        removed: removed.length,
        changed: changed.length,
        cells: Object.fromEntries(cells),
        rows: cutRows(changedRows, otherRows, maxRowChanges),
    };
}
function findLostKey({ names, before, after, candidates }, right) {
    if (before.length === 0)
        return undefined;
    const place = candidates.find((candidate) => isOwnKey(names[candidate] ?? '', right.name) &&
        before.every((row) => row[candidate] !== 'null') &&
        uniqueKeys([candidate], before) !== undefined &&
        uniqueKeys([candidate], after) === undefined);
    if (place === undefined)
        return undefined;
    const groups = Map.groupBy(indicesOf(after), (index) => keyOf(after[index] ?? [], [place]));
    const twice = [...groups.values()].find((indices) => indices.length > 1);
    const [first = 0] = twice ?? [];
    const name = names[place] ?? '';
    return {
        columns: [name],
        values: [shownRow(right, first, [name])[name] ?? null],
        rows: twice?.length ?? 0,
    };
}
function canBeKey({ columns }, name) {
    const type = columns.find((column) => column.name === name)?.type;
    return type !== undefined && canIdentify(type);
}
function shownRow({ columns, rows }, index, names = columns.map(({ name }) => name)) {
    return Object.fromEntries(names.map((name) => {
        const place = columns.findIndex((column) => column.name === name);
        return [name, (0,shown_value/* shownValue */.JJ)(rows[index]?.[place] ?? null, columns[place]?.type)];
    }));
}

// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
// EXTERNAL MODULE: ./lib/pipelines/model/calls.js
var calls = __webpack_require__(9846);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/broken-pipeline.js
var broken_pipeline = __webpack_require__(6356);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/planned-test.js + 1 modules
var planned_test = __webpack_require__(9015);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/read-test-file.js + 4 modules
var read_test_file = __webpack_require__(7897);
;// CONCATENATED MODULE: ./flows/diff/base-test.js





async function testAtBase(planned, current, base) {
    const { file, test, document } = planned;
    const { project, renamed } = base;
    const path = renamed.get(document.path) ?? (0,calls/* resolveCall */.XC)(file.pipeline.text, project);
    const before = path === undefined ? undefined : project.pipeline(path);
    if (before === undefined)
        return undefined;
    (0,broken_pipeline/* refuseBroken */.ID)(before);
    const testBefore = await ownTest(planned, before, base);
    const typeBefore = ({ name }) => componentType(name.text, before, project);
    const mocks = test.mocks.filter((mock) => typeBefore(mock) !== undefined);
    const names = new Set(mocks.map(({ name }) => name.text));
    const others = (testBefore?.test.mocks ?? []).filter((mock) => {
        const type = typeBefore(mock);
        const isOther = type !== componentType(mock.name.text, document, current);
        return type !== undefined && isOther && !names.has(mock.name.text);
    });
    const shared = { file, test: { ...test, mocks: [...mocks, ...others] }, document: before };
    return { shared, own: testBefore };
}
function componentType(name, document, project) {
    const target = (0,planned_test/* findComponent */.Tn)(name, document, project);
    return target === undefined
        ? undefined
        : project.pipeline(target.path)?.components.get(target.component)?.type;
}
async function ownTest({ file, test }, before, { project, renamed }) {
    const path = renamed.get(file.file) ?? file.file;
    const text = project.text(path);
    if (text === undefined)
        return undefined;
    try {
        const fileBefore = await (0,read_test_file/* readTestFile */.j)(text, path, { findFile: project.beside(path) });
        const sameTest = fileBefore.tests.find(({ name }) => name === test.name);
        return sameTest === undefined ? undefined : { file: fileBefore, test: sameTest, document: before };
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return undefined;
        throw error;
    }
}

;// CONCATENATED MODULE: ./flows/diff/describe.js
function describe({ file, line, column, message }) {
    const [first = ''] = message.split('\n');
    return `${file}:${line}:${column} ${first.replace(/:$/u, '')}`;
}

// EXTERNAL MODULE: ./flows/pipeline-tests/compare/check-outcome.js
var check_outcome = __webpack_require__(5423);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/given-names.js
var given_names = __webpack_require__(4502);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/mock-problems.js
var mock_problems = __webpack_require__(6685);
// EXTERNAL MODULE: ./lib/core/text/compare-texts.js
var compare_texts = __webpack_require__(315);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/compare-table.js + 1 modules
var compare_table = __webpack_require__(8607);
// EXTERNAL MODULE: ./flows/pipeline-tests/compare/writers-of.js
var writers_of = __webpack_require__(2486);
;// CONCATENATED MODULE: ./flows/diff/table-content.js




const table_content_maxValues = 500_000;
async function readTables(left, acceptsUnwritten = () => true) {
    const { warehouse, project } = left;
    await warehouse.refresh();
    const tables = new Map();
    for (const table of warehouse.catalog.all()) {
        const name = shownName(table, project);
        if (!acceptsUnwritten(name) && !Number.isFinite(writesOf(table, left).lastWrite))
            continue;
        tables.set(name, await readTable(table, name, left));
    }
    return tables;
}
async function readTable(table, name, left) {
    const { columns, primaryKey } = table;
    const isView = table.kind === 'view';
    const common = { name, columns, isView, primaryKey, ...writesOf(table, left) };
    try {
        const count = await (0,compare_table/* countRows */.BO)(table, left);
        const isReadable = count * columns.length <= table_content_maxValues;
        const { rows } = isReadable ? await (0,compare_table/* readRows */.aK)(table, columns, left) : { rows: [] };
        if (rows.length === count)
            return { ...common, rows, count };
        const digest = await digestOf(table, left);
        return { ...common, rows: [], count, digest, unknown: 'it has more than 100,000 rows or 500,000 values' };
    }
    catch (error) {
        if (!(error instanceof engine/* SqlError */.L8) && !(error instanceof engine/* Refusal */.P_))
            throw error;
        return { ...common, rows: [], count: 0, unknown: (0,compare_table/* unreadable */.O$)(table, error) };
    }
}
async function digestOf({ columns, sql }, { warehouse }) {
    const sorted = columns.toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.name, b.name));
    const list = sorted.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(', ');
    const { rows } = await warehouse.query(`SELECT concat_ws(' ', count(*), sum(hash(hash(q))), bit_xor(hash(hash(q)))) FROM (SELECT ${list} FROM ${sql}) AS q`, { maxRows: 1 });
    return JSON.stringify([sorted.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type)]), rows]);
}
function writesOf(table, { state, project }) {
    const last = state?.steps.findLast((step) => (0,writers_of/* writes */.D)(step, table));
    if (last === undefined)
        return { writer: {}, lastWrite: Infinity };
    const { pipeline, component, number } = last;
    const range = project.pipeline(pipeline)?.components.get(component)?.range;
    const at = range === undefined ? undefined : { file: pipeline, line: range.line, column: range.column };
    return { writer: { component, ...(at === undefined ? {} : { at }) }, lastWrite: number };
}
function shownName({ database, schema, table }, { defaults }) {
    if (database !== defaults.database)
        return `${database}.${schema}.${table}`;
    return schema === defaults.schema ? table : `${schema}.${table}`;
}

;// CONCATENATED MODULE: ./flows/diff/run-both.js









async function runOnce(planned, warehouse, setting) {
    try {
        const run = await (0,run_test/* execute */.g7)(planned, warehouse, setting);
        (0,broken_pipeline/* refuseBrokenCalls */.PZ)(run.called, setting.project);
        const faults = (0,mock_problems/* mockFaults */.Q)(run);
        if (faults.length > 0)
            throw new engine/* FileProblems */.jq(faults);
        const { problem } = (0,given_names/* givenNames */.S)(run);
        if (problem !== undefined)
            throw new engine/* FileProblems */.jq([problem]);
        const differences = (0,check_outcome/* checkOutcome */.T)(run);
        const stop = differences.find(({ kind }) => kind === 'refused' || kind === 'timeout');
        const { status, failed, message } = run.state;
        const failure = failed === undefined ? { message } : { component: failed.component, message: failed.message };
        const end = status === 'SUCCESS' ? { status: 'success' } : { status: 'failure', ...failure };
        const isAsExpected = differences.length === 0;
        const facts = { end, isAsExpected, called: run.called, ...componentsOf(run) };
        if (stop !== undefined)
            return { ...facts, tables: new Map(), unknown: describe({ ...stop }) };
        return { ...facts, tables: await readTables(run) };
    }
    finally {
        await warehouse.clear();
    }
}
async function givenOnly(planned, warehouse, setting) {
    try {
        await (0,run_test/* createGiven */.ur)(planned, warehouse, setting);
        return {
            end: { status: 'success' },
            ...nothingRan,
            tables: await readTables({ warehouse, project: setting.project }),
        };
    }
    finally {
        await warehouse.clear();
    }
}
const nothingRan = {
    isAsExpected: true,
    called: [],
    ran: new Set(),
    mocked: new Set(),
};
function keyOfComponent(pipeline, component) {
    return JSON.stringify([pipeline, component]);
}
function componentsOf({ planned, state, project }) {
    const ran = state.steps.filter(({ status }) => status !== 'SKIPPED');
    return {
        ran: new Set(ran.map(({ pipeline, component }) => keyOfComponent(pipeline, component))),
        mocked: mockedComponents(planned, project),
    };
}
function mockedComponents({ test, document }, project) {
    const mocked = test.mocks.flatMap(({ name }) => {
        const target = (0,planned_test/* findComponent */.Tn)(name.text, document, project);
        return target === undefined ? [] : [keyOfComponent(target.path, target.component)];
    });
    return new Set(mocked);
}
function withNewPaths(ran, { renamed }) {
    const current = new Map(Array.from(renamed, ([now, before]) => [before, now]));
    return new Set(Array.from(ran, (key) => {
        const [file, component] = parsed(key);
        return keyOfComponent(current.get(file) ?? file, component);
    }));
}
function componentsOnlyIn(components, other, { project, base }) {
    const pipelines = new Set([...other].map((key) => parsed(key)[0]));
    return [...components].flatMap((key) => {
        const [file, component] = parsed(key);
        if (other.has(key) || !pipelines.has(file))
            return [];
        const range = project.pipeline(file)?.components.get(component)?.range;
        if (range === undefined ||
            base.project.pipeline(base.renamed.get(file) ?? file)?.components.has(component) !== true)
            return [];
        return [{ component, at: { file, line: range.line, column: range.column } }];
    });
}
function parsed(key) {
    return JSON.parse(key);
}

;// CONCATENATED MODULE: ./flows/diff/run-at-base.js





async function runAtBase(planned, at) {
    const { warehouse, setting, project, base, succeedsNow } = at;
    const run = (test) => attempt(() => runOnce(test, warehouse, setting));
    const tests = await attempt(() => testAtBase(planned, project, base));
    if (tests === undefined) {
        const givenRun = await attempt(() => givenOnly(planned, warehouse, setting));
        return { ...resultOf(givenRun), isNew: true, rowsAtBase: 'same' };
    }
    if (typeof tests === 'string')
        return { ...resultOf(tests), isNew: false, rowsAtBase: 'same' };
    const shared = resultOf(await run(tests.shared));
    const same = { ...shared, isNew: false, rowsAtBase: 'same' };
    const { own: baseTest } = tests;
    if (!succeedsNow || baseTest === undefined || isSuccess(shared) || !lacksName(shared))
        return same;
    if (rowValues(baseTest.test) !== rowValues(planned.test))
        return same;
    const test = { ...tests.shared.test, given: baseTest.test.given, mocks: baseTest.test.mocks };
    const result = resultOf(await run({ ...tests.shared, file: baseTest.file, test }));
    return isSuccess(result) ? { ...result, isNew: false, rowsAtBase: 'own' } : same;
}
function lacksName({ end, unknown = '' }) {
    return /\b(?:column|table)\b[^]*\bnot found\b|\bhas no column\b/.test(unknown === '' ? (end.message ?? '') : unknown);
}
function rowValues({ given, mocks }) {
    const valuesIn = ({ rows }) => rows.map(({ cells }) => Array.from(cells.keys(), (column) => (0,yaml_node/* spellingOf */.k2)(cells.get(column))));
    const ofMock = ({ tables, rows, output }) => [...tables.map(({ content }) => content), rows, output?.content].flatMap((content) => content === undefined ? [] : [valuesIn(content)]);
    return JSON.stringify([given.map(({ content }) => valuesIn(content)), mocks.map(ofMock)]);
}
function isSuccess({ end, unknown }) {
    return unknown === undefined && end.status === 'success';
}
async function attempt(work) {
    try {
        return await work();
    }
    catch (error) {
        if (!(error instanceof engine/* FileProblems */.jq))
            throw error;
        const [first] = error.problems;
        return first === undefined ? error.message : describe(first);
    }
}
function resultOf(result) {
    if (typeof result !== 'string')
        return result;
    return { end: { status: 'failure' }, ...nothingRan, tables: new Map(), unknown: result };
}

// EXTERNAL MODULE: ./flows/pipeline-tests/cache/stored-reads.js
var stored_reads = __webpack_require__(8868);
// EXTERNAL MODULE: ./flows/pipeline-tests/cache/test-cache.js
var test_cache = __webpack_require__(9500);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/coverage.js
var coverage = __webpack_require__(4668);
;// CONCATENATED MODULE: ./flows/diff/known-tests.js







function openKnownRuns({ project, base, filter = '', cache: options, }, context) {
    if (options === undefined)
        return { ofFile: () => undefined, of: () => undefined };
    const { declared } = (0,run_test/* testSetting */.ZL)(project, context);
    const cache = (0,test_cache/* openTestCache */.T)(project, declared, options);
    const isSameAtBase = (0,stored_reads/* readsChecker */.HD)(base.project, declared);
    const accepts = (0,plan_file/* nameFilter */.I)(filter);
    const found = new Map();
    const keptOf = (file) => {
        if (!found.has(file))
            found.set(file, cache.find(file));
        return found.get(file);
    };
    const runOf = (kept, place) => {
        const entry = kept?.entries.find(({ index }) => index === place);
        if (entry === undefined || !isSameAtBase(entry.reads))
            return undefined;
        const keys = (parts) => new Set(parts.map((part) => keyOfComponent(...(0,coverage/* splitKey */._$)(part))));
        return {
            called: entry.called,
            ran: keys(entry.reached.components),
            mocked: keys(entry.mocked),
            files: entry.reads.texts.map(([path]) => path),
        };
    };
    return {
        ofFile(file) {
            const kept = keptOf(file);
            const places = kept?.names.flatMap((name, place) => (accepts(name) ? [place] : [])) ?? [];
            const runs = places.flatMap((place) => runOf(kept, place) ?? []);
            const isWhole = runs.length > 0 && runs.length === places.length;
            return isWhole && runs.every(({ files }) => (0,base_project/* unknownFile */.jU)(files, base) === undefined) ? runs : undefined;
        },
        of: ({ file, test }) => runOf(keptOf(file.file), file.tests.indexOf(test)),
    };
}

;// CONCATENATED MODULE: ./flows/diff/other-end.js
const places = /[^\s"'(]+\.\w+:\d+(?::\d+)?/g;
function isOtherEnd(before, after) {
    return (before.status !== after.status ||
        before.component !== after.component ||
        withoutPlaces(before) !== withoutPlaces(after));
}
function withoutPlaces({ message = '' }) {
    return message.replaceAll(places, '');
}

// EXTERNAL MODULE: ./lib/core/text/look-alike.js
var look_alike = __webpack_require__(3143);
;// CONCATENATED MODULE: ./flows/diff/table-totals.js

function tableTotals(changes) {
    const tables = Map.groupBy(changes.flatMap((change) => change.tables.filter(({ unknown }) => unknown === undefined)), ({ table }) => table);
    return [...tables].map(([table, tableChanges]) => {
        const sum = (count) => tableChanges.reduce((total, change) => total + change[count], 0);
        const cells = new Map();
        for (const change of tableChanges)
            for (const [column, count] of Object.entries(change.cells))
                cells.set(column, (cells.get(column) ?? 0) + count);
        return {
            table,
            tests: tableChanges.length,
            added: sum('added'),
            removed: sum('removed'),
            changed: sum('changed'),
            cells: Object.fromEntries(cells),
            columns: columnTexts(tableChanges.flatMap(({ columns }) => columns)),
        };
    });
}
function columnTexts(columns) {
    const nameOf = (0,look_alike/* shownNames */.kA)(columns.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]));
    return [...new Set(columns.map((column) => columnText(column, nameOf)))];
}
function columnText({ name, before, after, renamedFrom }, nameOf) {
    if (renamedFrom !== undefined)
        return `column ${nameOf(renamedFrom)} is now ${nameOf(name)}`;
    if (after === undefined)
        return `column ${nameOf(name)} is gone`;
    return before === undefined ? `new column ${nameOf(name)}` : `other type of column ${nameOf(name)}`;
}

// EXTERNAL MODULE: ./lib/pipelines/model/pipeline-kind.js
var pipeline_kind = __webpack_require__(5544);
// EXTERNAL MODULE: ./lib/pipelines/model/uses-variable.js
var uses_variable = __webpack_require__(1940);
;// CONCATENATED MODULE: ./flows/diff/untested-changes.js






function untestedChanges(base, project, reached) {
    const submodules = base.submodules.map((file) => ({ file, change: 'changed', isSubmodule: true }));
    const files = [...base.changed]
        .toSorted(([a], [b]) => (0,compare_texts/* compareTexts */.q)(a, b))
        .flatMap(([file, change]) => {
        if (project.unread.has(file))
            return [{ file, change }];
        if (change !== 'deleted' && !project.has(file))
            return [];
        if ((0,pipeline_kind/* kindOf */.I)(file) === undefined) {
            return (0,base_project/* isUsedFile */.s)(file) && !reached.read.has(file) ? [{ file, change }] : [];
        }
        if (change === 'deleted')
            return reached.before.called.has(file) ? [] : [{ file, change }];
        return reached.now.called.has(file)
            ? untestedComponents(file, base, project, reached)
            : [{ file, change }];
    });
    return [...files, ...submodules];
}
function untestedComponents(file, { project: atBase, renamed }, project, { now, before }) {
    const oldFile = renamed.get(file) ?? file;
    const [current, old] = [project.pipeline(file), atBase.pipeline(oldFile)];
    const variables = changedVariables(current, old);
    const components = current?.components ?? new Map();
    const existing = [...components].flatMap(([component, definition]) => {
        const key = keyOfComponent(file, component);
        const previous = old?.components.get(component);
        const content = contentOf(definition);
        const isSame = previous !== undefined && contentOf(previous) === content;
        if (now.ran.has(key) || (isSame && !variables.some((name) => (0,uses_variable/* usesVariable */.L)(content, name))))
            return [];
        const change = previous === undefined ? 'added' : 'changed';
        return [{ file, change, component, line: definition.range.line, isMocked: now.mocked.has(key) }];
    });
    const gone = [...(old?.components.keys() ?? [])].flatMap((component) => {
        const ran = before.ran.has(keyOfComponent(oldFile, component));
        return components.has(component) || ran ? [] : [{ file, change: 'deleted', component }];
    });
    return [...existing, ...gone];
}
function changedVariables(current, old) {
    return [...(current?.variables ?? [])].flatMap(([name, { type, scope, columns, defaultValue }]) => {
        const before = old?.variables.get(name);
        const now = JSON.stringify([type, scope, columns, defaultValue]);
        const isSame = before !== undefined &&
            now === JSON.stringify([before.type, before.scope, before.columns, before.defaultValue]);
        return isSame ? [] : [name];
    });
}
function contentOf({ type, sources, skipped, iterationTarget, node }) {
    return JSON.stringify([
        type,
        sources,
        skipped,
        iterationTarget,
        (0,yaml_node/* spellingOf */.k2)(node('parameters')),
        (0,yaml_node/* spellingOf */.k2)(node('postProcessing')),
    ]);
}

;// CONCATENATED MODULE: ./flows/diff/diff-data.js
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

















async function diffData(request, context) {
    const { project, base: atBase } = request;
    const { name, commit, isFork } = atBase;
    const base = { name, commit, isFork };
    const problems = [];
    const kept = openKnownRuns(request, context);
    const { tests, known: unplanned } = await planAll(request, context, { problems, kept });
    const { unaffected } = request;
    const others = unaffected && (await planAll({ ...request, files: unaffected.tests }, context, { problems, kept }));
    const leftOut = others && others.tests.length + others.known.length;
    const all = tests.length + unplanned.length;
    if (all + problems.length + (leftOut ?? 0) === 0)
        throw (0,run_tests/* noTest */.wC)({ ...request, files: [...request.files, ...(unaffected?.tests ?? [])] });
    if (!atBase.isOther)
        return {
            base,
            isSame: true,
            isPartial: request.isPartial || request.filter !== undefined,
            tests: 0,
            compared: 0,
            tables: [],
            changes: [],
            untested: [],
            ...(problems.length === 0 ? {} : { problems: (0,test_problem/* sortedProblems */.ET)(problems) }),
        };
    const collected = {
        problems,
        now: nothingReached(),
        before: nothingReached(),
        compared: 0,
        changes: new Map(),
    };
    const known = new Map(tests.flatMap(({ planned }) => {
        const run = kept.of(planned);
        return run === undefined ? [] : [[planned, run]];
    }));
    for (const run of [...unplanned, ...known.values()])
        note(collected.now, run);
    for (const [planned, { files }] of known) {
        const reason = (0,base_project/* unknownFile */.jU)(files, atBase);
        if (reason !== undefined)
            collected.changes.set(planned, notCompared(planned, reason));
    }
    await compareAll(tests.filter(({ planned }) => !known.has(planned)), request, context, collected);
    const ordered = tests.flatMap(({ planned }) => collected.changes.get(planned) ?? []);
    const read = new Set([
        ...unplanned.flatMap(({ files }) => files),
        ...tests.flatMap(({ planned, reads }) => [...reads.texts.keys(), ...(known.get(planned)?.files ?? [])]),
    ]);
    return {
        base,
        isSame: false,
        isPartial: request.isPartial || request.filter !== undefined,
        tests: all,
        compared: collected.compared,
        tables: tableTotals(ordered),
        changes: ordered,
        untested: untestedChanges(atBase, project, { ...collected, read }).filter(({ file, isSubmodule }) => isSubmodule === true || unaffected?.isSame(file) !== true),
        ...(leftOut === undefined ? {} : { leftOut }),
        ...(problems.length === 0 ? {} : { problems: (0,test_problem/* sortedProblems */.ET)(problems) }),
    };
}
async function planAll({ project, files, filter, packages }, context, { problems, kept }) {
    const common = (0,run_test/* testSetting */.ZL)(project, context);
    const tests = [];
    const known = [];
    for (const file of files) {
        const runs = kept.ofFile(file);
        if (runs !== undefined) {
            known.push(...runs);
            continue;
        }
        const traced = (0,trace_reads/* traceReads */.vu)(project, common.declared);
        const setting = { ...common, project: traced.project, declared: traced.declared };
        const plan = () => (0,plan_file/* planFile */.e)(file, traced.project, { filter, packages });
        for (const planned of (await (0,test_problem/* collectProblems */.vX)(problems, plan)) ?? [])
            tests.push({ planned, setting, reads: traced.reads });
    }
    return { tests, known };
}
async function compareAll(tests, { project, base, jobs, packages }, context, collected) {
    const declared = (0,declared_tables/* declaredTables */.W)(project);
    const baseSetting = { ...(0,run_test/* testSetting */.ZL)(base.project, context), declared };
    const waiting = tests.values();
    const job = async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const current = __addDisposableResource(env_1, await (0,open_test_warehouse/* openTestWarehouse */.W)(project, packages), true);
            const before = __addDisposableResource(env_1, await (0,open_test_warehouse/* openTestWarehouse */.W)(base.project, packages), true);
            for (const { planned, setting: currentSetting, reads } of waiting) {
                context.signal.throwIfAborted();
                try {
                    const after = await runOnce(planned, current, currentSetting);
                    note(collected.now, after);
                    const read = [...reads.texts.keys()];
                    if ((0,trace_reads/* changedReads */.ig)(reads, base.project, declared) !== undefined) {
                        collected.compared += 1;
                        const succeedsNow = after.unknown === undefined && after.end.status === 'success';
                        const traced = (0,trace_reads/* traceReads */.vu)(base.project, declared);
                        const setting = { ...baseSetting, project: traced.project };
                        const traceable = { ...base, project: traced.project };
                        const at = { warehouse: before, setting, project, base: traceable, succeedsNow };
                        const atBase = await runAtBase(planned, at);
                        note(collected.before, atBase);
                        read.push(...traced.reads.texts.keys());
                        const change = changeOf(planned, atBase, after, { project, base });
                        if (change !== undefined)
                            collected.changes.set(planned, change);
                    }
                    const reason = (0,base_project/* unknownFile */.jU)(read, base);
                    if (reason !== undefined && !collected.changes.has(planned))
                        collected.changes.set(planned, notCompared(planned, reason));
                }
                catch (error) {
                    if (!(error instanceof engine/* FileProblems */.jq))
                        throw error;
                    collected.problems.push(...error.problems);
                    const [first] = error.problems;
                    collected.changes.set(planned, notCompared(planned, first === undefined ? error.message : describe(first)));
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
    await Promise.all(Array.from({ length: Math.min(jobs, tests.length) }, job));
}
function nothingReached() {
    return { called: new Set(), ran: new Set(), mocked: new Set() };
}
function note(reached, { called, ran, mocked }) {
    for (const path of called)
        reached.called.add(path);
    for (const component of mocked)
        reached.mocked.add(component);
    for (const component of ran)
        if (!mocked.has(component))
            reached.ran.add(component);
}
function placeOf({ file, test, document }) {
    return { file: file.file, line: test.place.line, name: test.name, pipeline: document.path };
}
const nothing = { rowsAtBase: 'same', stopped: [], started: [], tables: [], equalTables: 0 };
function notCompared(planned, reason) {
    return { ...placeOf(planned), ...nothing, status: 'not-compared', reason };
}
function changeOf(planned, before, after, { project, base }) {
    if (after.unknown !== undefined)
        return notCompared(planned, after.unknown);
    if (before.unknown !== undefined)
        return notCompared(planned, `at the base: ${before.unknown}`);
    const { status: ended, component } = after.end;
    const failsBoth = ended === 'failure' && before.end.status === 'failure';
    if (failsBoth && planned.test.expected.outcome.isSuccess)
        return notCompared(planned, `the pipeline fails on both sides${component === undefined ? '' : `, now in "${component}"`}`);
    const status = before.isNew ? 'new-pipeline' : 'changed';
    const isUnexpected = !after.isAsExpected;
    const isOther = !before.isNew && isOtherEnd(before.end, after.end);
    const hasEnd = isOther || isUnexpected;
    const isComparable = !hasEnd || before.end.status === ended;
    const { changes: tables, equal: equalTables } = isComparable
        ? compareTables(before.tables, after.tables, { project, onlyWritten: before.rowsAtBase === 'own' })
        : { changes: [], equal: 0 };
    const moved = isComparable && !before.isNew;
    const ranBefore = withNewPaths(before.ran, base);
    const stopped = moved ? componentsOnlyIn(ranBefore, after.ran, { project, base }) : [];
    const started = moved ? componentsOnlyIn(after.ran, ranBefore, { project, base }) : [];
    const isEqual = tables.length + stopped.length + started.length === 0;
    if (!hasEnd && isEqual && before.rowsAtBase === 'same')
        return undefined;
    const { isSuccess } = planned.test.expected.outcome;
    const endNow = isUnexpected && !isSuccess ? { ...after.end, isUnexpected } : after.end;
    const endBefore = before.isNew ? {} : { before: before.end };
    const end = hasEnd ? { end: { ...endBefore, after: endNow } } : {};
    return {
        ...placeOf(planned),
        status,
        rowsAtBase: before.rowsAtBase,
        ...end,
        stopped,
        started,
        tables,
        equalTables,
    };
}

// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
// EXTERNAL MODULE: ./lib/core/text/sanitize-text.js
var sanitize_text = __webpack_require__(7192);
// EXTERNAL MODULE: ./lib/core/text/visible-text.js
var visible_text = __webpack_require__(327);
;// CONCATENATED MODULE: ./flows/diff/row-table.js




const maxRows = 20;
const row_table_maxColumns = 8;
function rowTable({ rows, key, cells, columns, added, removed, changed, }) {
    const shown = shownRows(rows);
    const fresh = columns.filter(({ before }) => before === undefined).map(({ name }) => name);
    const all = [...new Set([...key, ...Object.keys(cells), ...fresh, ...shown.flatMap(columnsOf)])].filter((name) => shown.some((row) => columnsOf(row).includes(name)));
    const names = all.slice(0, row_table_maxColumns);
    const columnTexts = names.map((name) => cellTexts(shown, name));
    const lines = shown.map((row, index) => ({
        mark: markOf(row),
        cells: columnTexts.map((texts) => texts[index] ?? ''),
    }));
    const widths = names.map((name, index) => Math.max((0,visible_text/* visibleText */.Q6)(name).length, ...lines.map((line) => line.cells[index]?.length ?? 0)));
    const line = (mark, texts) => `${mark} ${texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd();
    const more = added + removed + changed - shown.length;
    const left = all.length - names.length;
    return shown.length === 0
        ? []
        : [
            line(' ', names.map(visible_text/* visibleText */.Q6)) + (left > 0 ? `  (${(0,number_of/* numberOf */.r)(left, 'more column')})` : ''),
            ...lines.map(({ mark, cells: texts }) => line(mark, texts)),
            ...(more > 0 ? [`  and ${more} more`] : []),
        ];
}
function shownRows(rows) {
    const isChanged = ({ before, after }) => before !== undefined && after !== undefined;
    return cutRows(rows.filter(isChanged), rows.filter((row) => !isChanged(row)), maxRows);
}
function markOf({ before, after }) {
    if (before === undefined)
        return '+';
    return after === undefined ? '-' : '~';
}
function columnsOf({ before, after }) {
    return [...Object.keys(before ?? {}), ...Object.keys(after ?? {})];
}
function cellTexts(rows, column) {
    const alone = rows.map(({ before, after }) => {
        const [old, current] = [before?.[column], after?.[column]];
        return old === undefined ? current : current === undefined || (0,shown_text/* isSame */.Ft)(old, current) ? old : undefined;
    });
    const texts = (0,shown_text/* comparedTexts */.Ez)(alone.filter((cell) => cell !== undefined)).values();
    return rows.map(({ before, after }, index) => {
        if (alone[index] !== undefined)
            return texts.next().value ?? '';
        const [old, current] = [before?.[column], after?.[column]];
        return old === undefined || current === undefined ? '' : changeText(old, current);
    });
}
function changeText(before, after) {
    return (0,shown_text/* comparedTexts */.Ez)([before, after]).join(' → ');
}

;// CONCATENATED MODULE: ./flows/diff/change-lines.js






function changeLines(change) {
    const { end, tables, status, pipeline, rowsAtBase, stopped, started, equalTables } = change;
    return [
        ...(status === 'new-pipeline'
            ? [
                `${(0,sanitize_text/* oneLine */.TN)(pipeline)} is new${end === undefined ? ': its tables are compared with the given ones' : ''}`,
            ]
            : []),
        ...(rowsAtBase === 'own'
            ? [
                'the old pipeline does not find a name in the rows of this test, so it ran on the rows that the test had at the base',
            ]
            : []),
        ...(end?.before === undefined ? [] : [`before: ${endText(end.before)}`]),
        ...(end === undefined ? [] : [`now:    ${endText(end.after)}`]),
        ...stopped.map((place) => `no longer runs: ${placeText(place)}`),
        ...started.map((place) => `runs now: ${placeText(place)}`),
        ...linesOfTables(tables),
        ...(tables.length === 0 || equalTables === 0 ? [] : [`${(0,number_of/* numberOf */.r)(equalTables, 'other table')} equal`]),
    ];
}
function linesOfTables(tables) {
    const nameOf = (0,look_alike/* shownNames */.kA)(tables.map(({ table }) => table));
    return tables.flatMap((table) => tableLines(table, nameOf));
}
function placeText({ component, at }) {
    return `"${(0,sanitize_text/* oneLine */.TN)(component)}" (${(0,sanitize_text/* oneLine */.TN)(at.file)}:${at.line})`;
}
function endText({ status, component, message, isUnexpected = false }) {
    if (status === 'success')
        return `the pipeline succeeds${isUnexpected ? '; the test expects a failure' : ''}`;
    const where = component === undefined ? '' : ` in "${(0,sanitize_text/* oneLine */.TN)(component)}"`;
    const [first = ''] = (message ?? '').split('\n');
    const cause = first === '' ? '' : `: ${(0,sanitize_text/* oneLine */.TN)(first)}`;
    return `the pipeline fails${where}${cause}${isUnexpected ? '; the test expects another failure' : ''}`;
}
function tableLines(change, nameOf) {
    const { columns, lostKey } = change;
    const twice = lostKey === undefined ? [] : [lostKeyText(lostKey)];
    const columnName = (0,look_alike/* shownNames */.kA)(columns.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]));
    return [
        tableHead(change, nameOf),
        ...[...columns.map((column) => change_lines_columnText(column, columnName)), ...twice, ...rowTable(change)].map((line) => `  ${line}`),
    ];
}
function lostKeyText({ columns, values, rows }) {
    return `! ${columns.map(visible_text/* visibleText */.Q6).join(', ')} was unique and is not any more: ${values.map(shown_text/* shownText */.f$).join(', ')} is in ${(0,number_of/* numberOf */.r)(rows, 'row')}`;
}
function tableHead(change, nameOf) {
    const { table, kind, key, cells, unknown, component, at } = change;
    const place = at === undefined ? '' : ` (${(0,sanitize_text/* oneLine */.TN)(at.file)}:${at.line})`;
    const verb = kind === 'removed' ? 'was written by' : 'written by';
    const writer = component === undefined ? '' : `; ${verb} "${(0,sanitize_text/* oneLine */.TN)(component)}"${place}`;
    const what = { created: ' (new)', removed: ' (no longer written)', changed: '' }[kind];
    const name = `table "${nameOf(table)}"${what}`;
    if (unknown !== undefined)
        return `${name}: its rows could not be compared: ${(0,sanitize_text/* oneLine */.TN)(unknown)}${writer}`;
    const columns = Object.entries(cells).map(([column, count]) => `${(0,visible_text/* visibleText */.Q6)(column)} ${count}`);
    const changed = columns.length === 0 ? '' : ` (${columns.join(', ')})`;
    const by = key.length === 0 ? '' : `; key ${key.map(visible_text/* visibleText */.Q6).join(', ')}`;
    return `${name}: ${countsText(change)}${changed}${by}${writer}`;
}
function change_lines_columnText({ name, before, after, renamedFrom, values = [], nulls = 0 }, nameOf) {
    if (renamedFrom !== undefined)
        return `~ column ${nameOf(renamedFrom)} is now ${nameOf(name)}, with the same values`;
    if (after === undefined)
        return `- column ${nameOf(name)} ${before ?? ''}`;
    if (before !== undefined)
        return `~ column ${nameOf(name)} ${before} → ${after}`;
    const shown = [...values.map(shown_text/* shownText */.f$), ...(nulls === 0 ? [] : [`null in ${(0,number_of/* numberOf */.r)(nulls, 'row')}`])];
    return `+ column ${nameOf(name)} ${after}${shown.length === 0 ? '' : `, such as ${shown.join(', ')}`}`;
}
function countsText({ added, removed, changed, }) {
    return `+${added} −${removed} ~${changed}`;
}
function rowBlocks({ rows = [] }) {
    const found = rows.filter(({ status }) => status === 'found');
    const others = rows.filter(({ status }) => status !== 'found');
    const blocks = [
        ...found.map((row) => ({
            title: `No test shows a difference, but these rows would: ${(0,sanitize_text/* oneLine */.TN)(row.pipeline)}`,
            lines: linesOf(row),
        })),
        {
            title: 'No test shows a difference, and the search found no rows that do: the change may have no effect',
            lines: others.map(({ pipeline, status }) => `${(0,sanitize_text/* oneLine */.TN)(pipeline)}${status === 'not-searched' ? ' (the time of --find-rows was used up)' : ''}`),
        },
    ];
    return blocks.filter(({ lines }) => lines.length > 0);
}
function linesOf({ test, given = [], tables = [], isOtherEnd = false }) {
    const name = test === undefined ? [] : [`as in ${(0,sanitize_text/* oneLine */.TN)(test.file)}:${test.line} ${(0,sanitize_text/* oneLine */.TN)(test.name)}, with`];
    const rows = given.flatMap((input) => [
        `given "${(0,visible_text/* visibleText */.Q6)(input.table)}"${input.rows.length === 0 ? ' without rows' : ''}`,
        ...input.rows.map((row) => `  ${Object.entries(row)
            .map(([column, value]) => `${(0,visible_text/* visibleText */.Q6)(column)}: ${value === null ? 'null' : (0,visible_text/* visibleText */.Q6)(value)}`)
            .join(', ')}`),
    ]);
    const end = isOtherEnd ? ['only one of the two versions succeeds'] : [];
    return [...name, ...rows, ...end, ...linesOfTables(tables)];
}

;// CONCATENATED MODULE: ./flows/diff/changed-places.js


function changedPlaces(diff) {
    const written = diff.changes.flatMap(({ tables }) => tables.filter(({ at }) => at !== undefined));
    const groups = Map.groupBy(written, ({ table, at }) => JSON.stringify([table, at]));
    return [...groups.values()].flatMap((changes) => {
        const [first] = changes;
        if (first?.at === undefined)
            return [];
        return [{ at: first.at, message: `Table "${first.table}": ${changesText(changes)}` }];
    });
}
function changesText(changes) {
    const compared = changes.filter(({ unknown }) => unknown === undefined);
    const sum = (count) => compared.reduce((total, change) => total + change[count], 0);
    const counts = countsText({ added: sum('added'), removed: sum('removed'), changed: sum('changed') });
    const left = changes.length - compared.length;
    const counted = compared.length === 0 ? [] : [`${counts} on the rows of ${(0,number_of/* numberOf */.r)(compared.length, 'test')}`];
    const unknown = left === 0 ? [] : [`could not be compared in ${(0,number_of/* numberOf */.r)(left, 'test')}`];
    const rest = compared.length === 0 ? 'the reason' : 'the rows';
    return `${[...counted, ...unknown].join('; ')}. The report has ${rest}.`;
}

// EXTERNAL MODULE: ./flows/pipeline-tests/report/report.js
var report = __webpack_require__(3035);
;// CONCATENATED MODULE: ./flows/diff/is-change.js
function isChange({ status, tables, end }) {
    return status === 'not-compared' || tables.length > 0 || end !== undefined;
}
function hasUnknown({ status, tables }) {
    return status === 'not-compared' || tables.some(({ unknown }) => unknown !== undefined);
}
function runsOthers({ stopped, started }) {
    return stopped.length + started.length > 0;
}

;// CONCATENATED MODULE: ./flows/diff/report.js









function reportOfDiff(diff, { prefix = '', failsOnChange = false, notes = [] } = {}) {
    const { shown, others } = shownChanges(diff);
    return {
        title: 'Data diff',
        outcome: outcomeOf(diff, failsOnChange),
        headline: headlineOf(diff),
        facts: [],
        findings: [],
        tables: [
            {
                title: 'Tables',
                columns: ['table', 'added', 'removed', 'changed', 'changed rows by column', 'other columns', 'tests'],
                rows: diff.tables.map(totalRow),
            },
        ],
        blocks: [
            ...unknownBlocks(diff),
            ...rowBlocks(diff),
            ...shown.map((change) => ({
                title: `${(0,sanitize_text/* oneLine */.TN)(prefix + change.file)}:${change.line} ${(0,sanitize_text/* oneLine */.TN)(change.name)}`,
                lines: changeLines(change),
            })),
        ],
        isNews: diff.changes.some((change) => isChange(change) || runsOthers(change)) || diff.untested.length > 0,
        notes: [
            comparedWith(diff),
            ...leftOutText(diff),
            ...(others === 0 ? [] : [othersText(others)]),
            ...notes,
        ],
    };
}
function outcomeOf({ isSame, changes, problems }, failsOnChange) {
    if (problems !== undefined)
        return 'error';
    if (isSame)
        return 'nothing-to-do';
    return failsOnChange && changes.some(isChange) ? 'failed' : 'passed';
}
function totalRow({ table, added, removed, changed, cells, columns, tests }) {
    const byColumn = Object.entries(cells).map(([column, count]) => `${(0,visible_text/* visibleText */.Q6)(column)} ${count}`);
    return [
        (0,visible_text/* visibleText */.Q6)(table),
        String(added),
        String(removed),
        String(changed),
        byColumn.join(', '),
        columns.join(', '),
        String(tests),
    ];
}
function shownChanges({ changes }) {
    const compared = changes.filter(({ status }) => status !== 'not-compared');
    const seen = new Set();
    const shown = compared.filter(({ tables, end }) => {
        const columns = tables.map(({ table, columns: tableColumns }) => JSON.stringify([
            table,
            tableColumns.map(({ name, before, after, renamedFrom }) => [name, before, after, renamedFrom]),
        ]));
        const isNew = columns.some((column) => !seen.has(column));
        for (const column of columns)
            seen.add(column);
        const hasRows = tables.some((table) => table.kind !== 'changed' || table.unknown !== undefined || rowCount(table) > 0);
        return isNew || hasRows || end !== undefined || tables.length === 0;
    });
    return { shown, others: compared.length - shown.length };
}
function rowCount({ added, removed, changed }) {
    return added + removed + changed;
}
function leftOutText({ leftOut }) {
    if (leftOut === undefined)
        return [];
    if (leftOut === 0)
        return ['All tests are affected, so none was left out.'];
    return [
        `${(0,number_of/* numberOf */.r)(leftOut, 'test was', 'tests were')} left out, because nothing that ${leftOut === 1 ? 'it reads' : 'they read'} changed in what it does.`,
    ];
}
function othersText(count) {
    return `In ${(0,number_of/* numberOf */.r)(count, 'more test')}, only columns change, in the same way.`;
}
const maxTables = 5;
function headlineOf({ tables, changes, problems = [], untested, compared, isSame, isPartial, }) {
    if (isSame)
        return problems.length === 0
            ? 'No file of the project differs, so no data changes; no test ran.'
            : 'No file of the project differs, but files have errors, so their tests cannot run.';
    const ended = changes.flatMap(({ end }) => end ?? []);
    const newFailures = ended.filter(({ before, after }) => before === undefined && after.status === 'failure').length;
    const ends = ended.filter(({ before, after }) => before !== undefined && isOtherEnd(before, after)).length;
    const unexpected = ended.length - newFailures - ends;
    const others = changes.filter((change) => !isChange(change) && runsOthers(change)).length;
    const unknown = changes.filter(({ status }) => status === 'not-compared').length;
    const unread = changes.flatMap((change) => change.tables.filter((table) => table.unknown !== undefined)).length;
    const nameOf = (0,look_alike/* shownNames */.kA)(tables.map(({ table }) => table));
    const shown = tables
        .slice(0, maxTables)
        .map((total) => totalText(total, nameOf))
        .join(', ');
    const test = isPartial ? 'chosen test' : 'test';
    const equal = compared === 0
        ? `No data changes in the ${test}s: none of them reads what has changed`
        : `No data changes: the tables are equal in ${(0,number_of/* numberOf */.r)(compared, test)}`;
    const sentences = [
        ...(tables.length === 0
            ? []
            : [
                `Data changes in ${(0,number_of/* numberOf */.r)(tables.length, 'table')}: ${shown}${tables.length > maxTables ? ', …' : ''}`,
            ]),
        ...(ends === 0 ? [] : [`${(0,number_of/* numberOf */.r)(ends, 'test')} ${ends === 1 ? 'ends' : 'end'} in another way`]),
        ...(newFailures === 0
            ? []
            : [`${(0,number_of/* numberOf */.r)(newFailures, 'test')} ${newFailures === 1 ? 'runs' : 'run'} a new pipeline that fails`]),
        ...(unexpected === 0
            ? []
            : [`${(0,number_of/* numberOf */.r)(unexpected, 'test')} ${unexpected === 1 ? 'does' : 'do'} not end as expected`]),
        ...(unknown === 0 ? [] : [`${(0,number_of/* numberOf */.r)(unknown, 'test')} could not be compared`]),
        ...(unread === 0 ? [] : [`${(0,number_of/* numberOf */.r)(unread, 'table')} could not be compared`]),
        ...(unknown > 0 ? [] : (0,report/* wrongFiles */.R)(problems)),
    ];
    const moved = others === 0 ? [] : [`other components run in ${(0,number_of/* numberOf */.r)(others, test)}`];
    const unreported = untested.length === 0 ? [] : [`no ${test} runs ${(0,number_of/* numberOf */.r)(untested.length, 'change')}`];
    return `${[...(sentences.length === 0 ? [equal] : sentences), ...moved, ...unreported].join('; ')}.`;
}
function totalText({ columns, table, tests, ...counts }, nameOf = visible_text/* visibleText */.Q6) {
    const [first = ''] = columns;
    const changed = columns.length === 0 ? '' : columns.length === 1 ? ` (${first})` : ` (${columns.length} columns differ)`;
    return `${nameOf(table)} ${countsText(counts)}${changed} in ${(0,number_of/* numberOf */.r)(tests, 'test')}`;
}
function comparedWith({ tests, compared, base: { name, commit, isFork }, isSame, isPartial, problems = [], }) {
    const id = commit.slice(0, 12);
    const named = commit.startsWith(name) ? id : `${(0,sanitize_text/* oneLine */.TN)(name)} (${id})`;
    const base = isFork ? `${id}, where the branch left ${(0,sanitize_text/* oneLine */.TN)(name)}` : named;
    if (isSame || tests === 0)
        return `Compared with ${base}.`;
    const read = compared === tests || problems.length > 0
        ? ''
        : `, ${compared === 0 ? 'none' : compared} of which ${compared < 2 ? 'reads' : 'read'} what has changed`;
    return `Compared with ${base}, on the rows of ${(0,number_of/* numberOf */.r)(tests, isPartial ? 'chosen test' : 'test')}${read}.`;
}
function unknownBlocks({ changes, untested, problems = [], isPartial }) {
    const unknown = changes.filter(({ status }) => status === 'not-compared');
    const blocks = [
        {
            title: 'Not compared',
            lines: unknown.flatMap(({ file, line, name, reason = '' }) => [
                `${(0,sanitize_text/* oneLine */.TN)(file)}:${line} ${(0,sanitize_text/* oneLine */.TN)(name)}`,
                `  ${(0,sanitize_text/* oneLine */.TN)(reason)}`,
            ]),
        },
        {
            title: 'Errors in the files of the project',
            lines: problems
                .map(describe)
                .filter((line) => !unknown.some(({ reason }) => reason === line))
                .map(sanitize_text/* oneLine */.TN),
        },
        {
            title: `Changed, but not run by any ${isPartial ? 'chosen ' : ''}test${problems.length === 0 ? '' : ' that could run'}, so their effect on the data is unknown`,
            lines: untested.map(untestedText),
        },
    ];
    return blocks.filter(({ lines }) => lines.length > 0);
}
function untestedText({ file, change, component, line, isMocked = false, isSubmodule = false, }) {
    if (isSubmodule)
        return `${(0,sanitize_text/* oneLine */.TN)(file)} (a submodule: both sides ran with its files on disk)`;
    if (component === undefined)
        return `${(0,sanitize_text/* oneLine */.TN)(file)} (${change})`;
    const place = line === undefined ? (0,sanitize_text/* oneLine */.TN)(file) : `${(0,sanitize_text/* oneLine */.TN)(file)}:${line}`;
    return `"${(0,sanitize_text/* oneLine */.TN)(component)}" (${place}, ${change}${isMocked ? '; mocked' : ''})`;
}

// EXTERNAL MODULE: ./flows/pipeline-tests/run/default-jobs.js
var default_jobs = __webpack_require__(8462);
// EXTERNAL MODULE: ./lib/git/work-tree/work-copy.js + 2 modules
var work_copy = __webpack_require__(8859);
// EXTERNAL MODULE: ./lib/github/channels/deliver-report.js + 1 modules
var deliver_report = __webpack_require__(5038);
// EXTERNAL MODULE: ./lib/report/annotations.js
var annotations = __webpack_require__(2850);
// EXTERNAL MODULE: ./lib/report/terminal.js + 1 modules
var terminal = __webpack_require__(1963);
// EXTERNAL MODULE: ./lib/github/workflow-run/event-target.js
var event_target = __webpack_require__(9017);
// EXTERNAL MODULE: ./actions/kit/checkout/checked-out-tests.js + 3 modules
var checked_out_tests = __webpack_require__(8070);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./actions/kit/step/connect-to-github.js
var connect_to_github = __webpack_require__(8861);
// EXTERNAL MODULE: ./actions/kit/checkout/current-base.js
var current_base = __webpack_require__(9262);
// EXTERNAL MODULE: ./actions/kit/checkout/checked-out-commit.js
var checked_out_commit = __webpack_require__(8057);
// EXTERNAL MODULE: ./actions/kit/checkout/project.js + 4 modules
var project = __webpack_require__(2002);
// EXTERNAL MODULE: ./actions/kit/checkout/test-cache.js + 3 modules
var checkout_test_cache = __webpack_require__(2024);
// EXTERNAL MODULE: ./actions/kit/inputs/report-key.js
var report_key = __webpack_require__(6228);
// EXTERNAL MODULE: ./actions/kit/step/finish-step.js
var finish_step = __webpack_require__(5245);
// EXTERNAL MODULE: ./actions/kit/step/report-failed-step.js
var report_failed_step = __webpack_require__(1676);
// EXTERNAL MODULE: ./actions/kit/checkout/test-failures.js
var test_failures = __webpack_require__(5823);
// EXTERNAL MODULE: ./flows/snapshot/marks.js
var snapshot_marks = __webpack_require__(246);
;// CONCATENATED MODULE: ./flows/snapshot/difference/changed-line.js

function changedLine(now, before) {
    if (now.unreadable !== undefined || before.unreadable !== undefined)
        return now.line;
    const old = new Map(before.components.map((component) => [component.name, component]));
    const changed = now.components.filter(({ name, digest }) => old.get(name)?.digest !== digest);
    const [first, ...others] = changed.map((component) => lineIn(component, old.get(component.name)));
    if (first !== undefined)
        return Math.min(first, ...others);
    const declared = new Map(before.variables.map(({ name, digest }) => [name, digest]));
    const variables = now.variables.filter(({ name, digest }) => declared.get(name) !== digest);
    if (variables.length > 0)
        return Math.min(...variables.map(({ line }) => line));
    const isLess = now.components.length < before.components.length || now.variables.length < before.variables.length;
    if (isLess)
        return now.line;
    const order = runOrder(before);
    const moved = runOrder(now).find(({ name }, index) => name !== order[index]?.name);
    return moved?.line ?? now.line;
}
function lineIn({ line, type, marks }, before) {
    if (before?.type !== type)
        return line;
    const olds = before.marks.split('|').map((part) => new Set((0,snapshot_marks/* readMarks */.p)(part).map(([, mark]) => mark)));
    for (const [index, part] of marks.split('|').entries()) {
        const first = (0,snapshot_marks/* readMarks */.p)(part).find(([, mark]) => olds[index]?.has(mark) !== true);
        if (first !== undefined)
            return first[0];
    }
    return line;
}
function runOrder({ components }) {
    return components
        .filter(({ rank }) => rank !== undefined)
        .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

;// CONCATENATED MODULE: ./flows/snapshot/difference/changed-pipelines.js



function changedPipelines(now, before, files) {
    const old = new Set(files.renamed.values());
    const gone = [...before.pipelines.keys(), ...before.snapshot.leftOut].filter((path) => !now.has(path) && !old.has(path));
    const leftOut = now.snapshot.leftOut.filter((path) => before.pipelines.has(path));
    const scripts = scriptDifferences(now, before, files);
    return [
        ...[...now.pipelines.values()].flatMap((pipeline) => changed_pipelines_changeOf(pipeline, { now, before, files, scripts }) ?? []),
        ...gone.map((pipeline) => ({ pipeline, line: undefined, what: 'is deleted' })),
        ...leftOut.map((pipeline) => ({
            pipeline,
            line: undefined,
            what: 'is left out by `files` in millrace.yaml',
        })),
    ];
}
function changed_pipelines_changeOf(pipeline, { now, before, files, scripts }) {
    const { path, line } = pipeline;
    const at = (place, what) => ({ pipeline: path, line: place, what });
    const oldPath = files.renamed.get(path) ?? path;
    const unknown = files.unknown.get(path);
    if (unknown !== undefined)
        return at(line, unknown);
    if (before.snapshot.warehouse !== now.snapshot.warehouse)
        return at(line, 'runs on another kind of warehouse');
    if (!before.has(oldPath))
        return at(line, 'is new');
    if (oldPath !== path)
        return at(line, `was ${oldPath}`);
    const previous = before.pipelines.get(path);
    if (previous === undefined)
        return at(line, 'was left out by `files` in millrace.yaml');
    if (pipeline.digest !== previous.digest) {
        const changed = changedLine(pipeline, previous);
        return at(changed, `changed at line ${changed}`);
    }
    return changedScript(pipeline, scripts) ?? changedCall(pipeline, now, before);
}
function scriptDifferences(now, before, { renamed, unknown }) {
    const filesOf = ({ snapshot }) => new Map(snapshot.files.map((file) => [file.path, file]));
    const [files, oldFiles] = [filesOf(now), filesOf(before)];
    const newPaths = new Map([...renamed].map(([path, old]) => [old, path]));
    const of = (path) => {
        const reason = unknown.get(path);
        if (reason !== undefined)
            return reason;
        const [file, old] = [files.get(path), oldFiles.get(path)];
        if (file === undefined && old === undefined)
            return undefined;
        if (old === undefined)
            return 'is new';
        if (file === undefined)
            return newPaths.has(path) ? `is now ${newPaths.get(path)}` : 'is deleted';
        return file.digest === old.digest ? undefined : 'changed';
    };
    const paths = [...new Set([...files.keys(), ...oldFiles.keys(), ...unknown.keys()])];
    return { of, paths: paths.toSorted(compare_texts/* compareTexts */.q) };
}
function changedScript({ path: pipeline, scripts }, differences) {
    const inOrder = scripts.toSorted((a, b) => Number(a.open ?? 0) - Number(b.open ?? 0) || a.line - b.line);
    for (const { path, line, open } of inOrder) {
        if (open === undefined) {
            const difference = differences.of(path);
            if (difference !== undefined)
                return { pipeline, line, what: `runs ${path}, which ${difference}` };
            continue;
        }
        const fits = new RegExp(`^${path.split('*').map(RegExp.escape).join('.*')}$`, 's');
        const file = differences.paths.find((each) => fits.test(each) && differences.of(each) !== undefined);
        if (file !== undefined)
            return {
                pipeline,
                line,
                what: `runs a file whose name is known only at run time: it may be ${file}, which ${differences.of(file)}`,
            };
    }
    return undefined;
}
function changedCall({ path: pipeline, calls }, now, before) {
    const old = new Map(before.pipelines.get(pipeline)?.calls.map((call) => [call.component, call]));
    for (const call of calls.toSorted((a, b) => a.line - b.line)) {
        const was = old.get(call.component);
        const what = call.dynamic === true ? otherList(call, now, before) : was && otherTarget(call, was, { now, before });
        if (what !== undefined)
            return { pipeline, line: call.line, what };
    }
    return undefined;
}
function otherTarget({ target, path, own }, { path: old, own: wasOwn }, { now, before }) {
    if (path === old && own === wasOwn)
        return undefined;
    if (path === undefined && old !== undefined && !now.has(old))
        return undefined;
    if (old === undefined && path !== undefined && !before.has(path))
        return undefined;
    if (path === undefined)
        return old === undefined
            ? `calls ${target}, which is ${own === true ? 'now' : 'no longer'} a shared pipeline of this project`
            : `calls ${target}, which no longer leads to ${(0,pipeline_kind/* withoutSuffix */.al)(old)}`;
    return `calls ${target}, which now leads to ${path}${old === undefined ? '' : ` instead of ${old}`}`;
}
function otherList({ kind, target }, now, before) {
    if (kind !== 'shared')
        return undefined;
    const lists = [now.snapshot.shared, before.snapshot.shared];
    const split = target.indexOf('#');
    const prefix = split <= 0 || split === target.length - 1 ? '' : target.slice(0, split);
    if (!prefix.includes('${') && lists.every((list) => list?.prefix !== prefix))
        return undefined;
    const [list, old] = lists.map((each) => JSON.stringify(each && [each.prefix, each.pipelines.map(({ id, pipeline }) => [id, pipeline])]));
    return list === old
        ? undefined
        : 'calls a shared pipeline that is known only at run time, and the list of shared pipelines changed';
}

;// CONCATENATED MODULE: ./flows/snapshot/difference/edges.js

function callEdges({ pipelines }, changed) {
    return [...pipelines.values()].flatMap(({ path: to, calls }) => byLine(calls).flatMap(({ line, path, dynamic = false, result = false }) => {
        const edge = (from, how) => ({
            from,
            to,
            line,
            how,
            table: undefined,
            isSure: !dynamic,
            movesData: result,
        });
        if (dynamic)
            return changed.map((from) => edge(from, 'calls a pipeline that is known only at run time'));
        return path === undefined ? [] : [edge(path, `calls ${(0,pipeline_kind/* withoutSuffix */.al)(path)}`)];
    }));
}
function tableReaders(now, before) {
    const byTable = new Map();
    let rank = 0;
    for (const { path: to, reads: own } of now.pipelines.values()) {
        const keys = new Set(own.map(({ table }) => table));
        const old = (before.pipelines.get(to)?.reads ?? []).filter(({ table }) => !keys.has(table));
        for (const { table, line } of [...byLine(own), ...byLine(old)]) {
            const list = byTable.get(table);
            rank += 1;
            if (list === undefined)
                byTable.set(table, [{ to, line, table, rank }]);
            else
                list.push({ to, line, table, rank });
        }
    }
    const streams = Map.groupBy([before, now].flatMap(({ snapshot }) => snapshot.streaming), ({ file }) => file);
    const written = (from) => new Set([
        ...[before, now].flatMap(({ pipelines }) => (pipelines.get(from)?.writes ?? []).map(({ table }) => table)),
        ...(streams.get(from) ?? []).flatMap(({ tables }) => tables),
    ]);
    const readersOf = (from, keys) => Array.from(keys)
        .flatMap((key) => byTable.get(key) ?? [])
        .filter(({ to }) => to !== from)
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ to, line, table: key }) => {
        const table = (now.tables.get(key) ?? before.tables.get(key))?.name[2] ?? key;
        const how = `reads ${table}, which ${(0,pipeline_kind/* withoutSuffix */.al)(from)} writes`;
        return { from, to, line, how, table, isSure: true, movesData: true };
    });
    return eachOnce(written, readersOf);
}
function objectUsers(now, before) {
    const names = new Map([now, before].flatMap(({ pipelines }) => [...pipelines.values()].flatMap(({ defines }) => defines.map(({ key, name }) => [key, name]))));
    const known = new Set([...now.pipelines.values()].flatMap(({ defines }) => defines.map(({ key }) => key)));
    const users = new Map();
    for (const { path: to, objects, defines } of now.pipelines.values()) {
        const old = before.pipelines.get(to)?.objects.filter(({ key }) => !known.has(key)) ?? [];
        for (const { key, line } of [...objects, ...old]) {
            if (defines.some((defined) => defined.key === key))
                continue;
            const list = users.get(key);
            if (list === undefined)
                users.set(key, [{ to, line }]);
            else
                list.push({ to, line });
        }
    }
    const keysOf = (from) => new Set([now, before].flatMap(({ pipelines }) => (pipelines.get(from)?.defines ?? []).map(({ key }) => key)));
    return eachOnce(keysOf, (from, keys) => Array.from(keys).flatMap((key) => (users.get(key) ?? []).flatMap(({ to, line }) => {
        const table = names.get(key) ?? '';
        const how = `uses ${table}, which ${(0,pipeline_kind/* withoutSuffix */.al)(from)} creates`;
        return to === from ? [] : [{ from, to, line, how, table, isSure: true, movesData: true }];
    })));
}
function eachOnce(keysOf, edges) {
    const seen = new Set();
    return {
        all: (from) => edges(from, keysOf(from)),
        next(from) {
            const keys = [...keysOf(from)].filter((key) => !seen.has(key));
            for (const key of keys)
                seen.add(key);
            return edges(from, keys);
        },
    };
}
function byLine(list) {
    return list.length < 2 ? list : list.toSorted((a, b) => a.line - b.line);
}

// EXTERNAL MODULE: ./flows/snapshot/snapshot.js
var snapshot_snapshot = __webpack_require__(1954);
;// CONCATENATED MODULE: ./flows/snapshot/difference/project-facts.js

function projectFacts(written, names = written.defaults) {
    const snapshot = withNames(written, names);
    const pipelines = new Map(snapshot.pipelines.map((pipeline) => [pipeline.path, pipeline]));
    const leftOut = new Set(snapshot.leftOut);
    const tables = new Map(snapshot.tables.map((table) => [(0,snapshot_snapshot/* tableKeyOf */.ZR)(table.name), table]));
    return {
        snapshot,
        pipelines,
        tables,
        has: (pipeline) => pipelines.has(pipeline) || leftOut.has(pipeline),
        definitionsOf: (table) => tables.get(table)?.definitions ?? [],
        isOutside: (table) => (tables.get(table)?.definitions ?? []).every(({ mode, streaming }) => mode === 'alter' || streaming === true),
        isMentioned: (table) => tables.get(table)?.mentioned === true,
    };
}
function tableNameOf([database, schema, table]) {
    return { database, schema, table };
}
function withNames(snapshot, names) {
    const { defaults } = snapshot;
    if (defaults.database === names.database && defaults.schema === names.schema)
        return snapshot;
    const renamed = ([database, schema, table]) => database === defaults.database
        ? [names.database, schema === defaults.schema ? names.schema : schema, table]
        : [database, schema, table];
    const keys = new Map(snapshot.tables.map(({ name }) => [(0,snapshot_snapshot/* tableKeyOf */.ZR)(name), (0,snapshot_snapshot/* tableKeyOf */.ZR)(renamed(name))]));
    const keyOf = (key) => keys.get(key) ?? key;
    const one = (use) => ({
        ...use,
        table: keyOf(use.table),
    });
    return {
        ...snapshot,
        tables: snapshot.tables.map((table) => ({ ...table, name: renamed(table.name) })),
        streaming: snapshot.streaming.map((each) => ({ ...each, tables: each.tables.map(keyOf) })),
        pipelines: snapshot.pipelines.map((pipeline) => ({
            ...pipeline,
            reads: pipeline.reads.map(one),
            writes: pipeline.writes.map(one),
            open: pipeline.open.map((use) => ({ ...use, name: renamed(use.name) })),
            unknown: pipeline.unknown.map((each) => ({ ...each, tables: each.tables.map(keyOf) })),
        })),
    };
}

;// CONCATENATED MODULE: ./flows/snapshot/difference/open-edges.js



const openName = 'reads a table whose name is known only at run time';
const openSql = 'runs SQL that is known only at run time, and may read any table';
const inPart = 'in a component that Millrace cannot analyse completely';
function openEdges(now, before, writesOf) {
    const parts = partsOf(now, before);
    const openReaders = [
        ...[...now.pipelines.values()].flatMap(({ path: to, open }) => byLine(open).flatMap(({ effect, name, line }) => effect === 'read'
            ? [{ to, line, how: openName, table: undefined, mayRead: nameMatcher(tableNameOf(name)) }]
            : [])),
        ...parts.flatMap(({ pipeline: to, line, open }) => open.map((name) => ({
            to,
            line,
            how: name === '*' ? openSql : openName,
            table: undefined,
            mayRead: nameMatcher({ database: '*', schema: '*', table: name }, 'i'),
        }))),
    ];
    const reads = [...now.pipelines.values()].flatMap(({ path: to, reads: own }) => byLine(own).flatMap(({ table, line }) => {
        const name = now.tables.get(table)?.name;
        return name === undefined ? [] : [{ to, line, table: tableNameOf(name) }];
    }));
    const byWord = Map.groupBy(reads, ({ table: { table } }) => table.toLowerCase());
    const partsByWord = new Map();
    for (const part of parts)
        for (const word of part.words) {
            const list = partsByWord.get(word);
            if (list === undefined)
                partsByWord.set(word, [part]);
            else
                list.push(part);
        }
    const named = (table, how) => (partsByWord.get(table.toLowerCase()) ?? []).map(({ pipeline: to, line }) => ({ to, line, how, table }));
    return (from) => {
        const name = (0,pipeline_kind/* withoutSuffix */.al)(from);
        const { tables, open, words } = writesOf(from);
        const mayWrite = open.map((table) => nameMatcher(table));
        const certain = [...new Set(tables.map(({ table }) => table))];
        const possible = [...words].filter((word) => byWord.has(word));
        const may = `${name} may write: the name of its table is known only at run time`;
        const readers = [
            ...openReaders.filter(({ mayRead }) => open.length > 0 || tables.some(mayRead)),
            ...certain.flatMap((table) => named(table, `names ${table}, which ${name} writes, ${inPart}`)),
            ...possible
                .flatMap((word) => byWord.get(word) ?? [])
                .map(({ to, line, table: { table } }) => ({
                to,
                line,
                how: `reads ${table}, which ${name} may write: it names the table ${inPart}`,
                table,
            })),
            ...possible.flatMap((word) => {
                const table = byWord.get(word)?.[0]?.table.table ?? word;
                return named(table, `names ${table}, which ${name} may write, ${inPart}`);
            }),
            ...reads
                .filter(({ table }) => mayWrite.some((matches) => matches(table)))
                .map(({ to, line, table: { table } }) => ({ to, line, how: `reads ${table}, which ${may}`, table })),
        ];
        return readers
            .filter(({ to }) => to !== from)
            .map(({ to, line, how, table }) => ({ from, to, line, how, table, isSure: false, movesData: true }));
    };
}
function partsOf(now, before) {
    const words = tableWords(now);
    return [...now.pipelines.values()].flatMap(({ path: pipeline, parts }) => {
        const old = new Map(before.pipelines.get(pipeline)?.parts.map((part) => [part.component, part]));
        return byLine(parts).map(({ component, line, words: own, open }) => {
            const gone = (old.get(component)?.words ?? []).filter((word) => !words.has(word));
            return { pipeline, component, line, open, words: [...new Set([...own, ...gone])] };
        });
    });
}
function tableWords({ snapshot }) {
    return new Set(snapshot.tables.map(({ name: [, , table] }) => table.toLowerCase()));
}
function pipelineWrites(now, before) {
    const sides = [now, before];
    return (pipeline) => {
        const own = sides.flatMap((side) => {
            const found = side.pipelines.get(pipeline);
            return found === undefined ? [] : [{ side, ...found }];
        });
        const written = own.flatMap(({ parts }) => parts.flatMap(({ writes }) => writes));
        const isOpen = written.some(({ words, any }) => any === true && words.length === 0);
        return {
            tables: own.flatMap(({ side, writes }) => writes.flatMap(({ table }) => {
                const name = side.tables.get(table)?.name;
                return name === undefined ? [] : [tableNameOf(name)];
            })),
            open: [
                ...own.flatMap(({ open }) => open.flatMap(({ effect, name }) => (effect === 'write' ? [tableNameOf(name)] : []))),
                ...(isOpen ? [anyTable] : []),
            ],
            words: new Set(written.flatMap(({ words }) => words)),
        };
    };
}
const anyTable = { database: '*', schema: '*', table: '*' };
function nameMatcher(open, flag = '') {
    const [database, schema, name] = [open.database, open.schema, open.table].map((text) => new RegExp(`^${text.split('*').map(RegExp.escape).join('.*')}$`, `s${flag}`));
    return (table) => database?.test(table.database) === true &&
        schema?.test(table.schema) === true &&
        name?.test(table.table) === true;
}

;// CONCATENATED MODULE: ./flows/snapshot/difference/outside-changes.js


function changedStreaming(now, before) {
    const [files, old] = [now, before].map(({ snapshot }) => new Map(snapshot.streaming.map((each) => [each.file, each])));
    const paths = new Set([...(files?.keys() ?? []), ...(old?.keys() ?? [])]);
    return [...paths].flatMap((pipeline) => {
        const file = files?.get(pipeline);
        if (file === undefined)
            return [{ pipeline, line: undefined, what: 'is deleted' }];
        if (file.digest === old?.get(pipeline)?.digest)
            return [];
        return [{ pipeline, line: file.line, what: 'changed' }];
    });
}
function readersOfChangedDeclarations(now, before) {
    const files = new Map();
    for (const key of new Set([...now.tables.keys(), ...before.tables.keys()])) {
        const [declared, old] = [now.tables.get(key)?.declared, before.tables.get(key)?.declared];
        const file = (declared ?? old)?.file;
        if (file !== undefined && declared?.digest !== old?.digest)
            files.set(key, file);
    }
    if (files.size === 0)
        return [];
    return [...now.pipelines.values()].flatMap(({ path: pipeline, reads }) => byLine(reads).flatMap(({ table: key, line }) => {
        const file = files.get(key);
        if (file === undefined || !now.isOutside(key))
            return [];
        const table = now.tables.get(key)?.name[2] ?? key;
        return [{ pipeline, line, file, table, how: `reads ${table}, which ${(0,pipeline_kind/* withoutSuffix */.al)(file)} declares` }];
    }));
}

;// CONCATENATED MODULE: ./flows/snapshot/difference/passed-edges.js


function passedEdges(now, before, changed) {
    const edges = [];
    const add = (from, to, how) => {
        if (from !== to)
            edges.push({ from, to, line: 1, how, table: undefined, isSure: true, movesData: true });
    };
    const passing = new Set();
    for (const { pipeline } of changed)
        for (const called of otherCalls(pipeline, now, before)) {
            passing.add(called);
            add(pipeline, called, `is called by ${(0,pipeline_kind/* withoutSuffix */.al)(pipeline)}, which no longer calls it as before`);
        }
    for (const pipeline of passing)
        for (const { called, call } of passed_edges_calls(pipeline, now))
            if (call.fromVariables === true) {
                passing.add(called);
                add(pipeline, called, `is called by ${(0,pipeline_kind/* withoutSuffix */.al)(pipeline)}, which may pass on other values`);
            }
    for (const pipeline of now.pipelines.keys())
        for (const { called, call } of passed_edges_calls(pipeline, now))
            if (call.fromData === true)
                add(pipeline, called, `is called by ${(0,pipeline_kind/* withoutSuffix */.al)(pipeline)}, with values or conditions that depend on data`);
    return edges;
}
function passed_edges_calls(path, { pipelines }) {
    const pipeline = pipelines.get(path);
    if (pipeline === undefined || pipeline.unreadable !== undefined)
        return [];
    return byLine(pipeline.calls).flatMap((call) => call.path === undefined ? [] : [{ call, called: call.path }]);
}
function otherCalls(pipeline, now, before) {
    const left = new Map(passed_edges_calls(pipeline, before).map((each) => [each.call.component, each]));
    const other = new Set();
    for (const { call, called } of passed_edges_calls(pipeline, now)) {
        const was = left.get(call.component);
        if (was?.called === called && was.call.context === call.context)
            left.delete(call.component);
        else
            other.add(called);
    }
    for (const { called } of left.values())
        if (now.has(called))
            other.add(called);
    return other;
}

;// CONCATENATED MODULE: ./flows/snapshot/difference/affected-pipelines.js







function affectedPipelines(now, before, files) {
    const pipelinesChanged = changedPipelines(now, before, files);
    const changed = [...pipelinesChanged, ...changedStreaming(now, before)].toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.pipeline, b.pipeline));
    const paths = new Set(changed.map(({ pipeline }) => pipeline));
    const renamed = [...files.renamed].filter(([path]) => paths.has(path));
    const declarations = readersOfChangedDeclarations(now, before);
    const start = new Map([
        ...declarations.map(({ file }) => [file, { line: 1, because: [`${file} changed`] }]),
        ...changed.map(({ pipeline, line = 1, what }) => [pipeline, { line, because: [`${(0,pipeline_kind/* withoutSuffix */.al)(pipeline)} ${what}`] }]),
        ...renamed.map(([path, old]) => [old, { line: 1, because: [`${(0,pipeline_kind/* withoutSuffix */.al)(old)} is now ${path}`] }]),
    ]);
    const changedPaths = [
        ...pipelinesChanged.map(({ pipeline }) => pipeline),
        ...renamed.map(([, old]) => old),
    ];
    const callsNow = callEdges(now, changedPaths);
    const calls = [...callsNow, ...callEdges(before, [])];
    const [tables, objects] = [tableReaders(now, before), objectUsers(now, before)];
    const readers = (from) => [...tables.next(from), ...objects.next(from)];
    const declared = declarations.map(({ pipeline, file, line, how, table }) => ({
        from: file,
        to: pipeline,
        line,
        how,
        movesData: true,
        table,
        isSure: true,
    }));
    const passed = passedEdges(now, before, pipelinesChanged);
    const writesOf = pipelineWrites(now, before);
    const open = openEdges(now, before, writesOf);
    const data = [...calls.filter(({ movesData }) => movesData), ...passed, ...declared];
    const sure = reachedFrom(start, data, readers);
    const openFrom = [...sure.keys()].flatMap((from) => open(from));
    const moved = reachedFrom(firstSteps(sure, openFrom), data, readers);
    const reached = reachedFrom(moved, calls);
    const called = new Set(callEdges(now, []).map(({ from }) => from));
    const edges = [
        ...calls,
        ...passed,
        ...declared,
        ...[...moved.keys()].flatMap((from) => [...tables.all(from), ...objects.all(from)]),
        ...openFrom,
    ];
    return {
        changed,
        affected: [...reached]
            .filter(([pipeline]) => !start.has(pipeline))
            .map(([pipeline, { line, because }]) => ({ pipeline, line, because }))
            .toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.pipeline, b.pipeline)),
        entryPoints: [...reached.keys()]
            .filter((path) => now.pipelines.has(path) && !called.has(path))
            .toSorted(compare_texts/* compareTexts */.q),
        edges: edgesAmong(edges, {
            reached,
            moved,
            newPaths: new Map(renamed.map(([path, old]) => [old, path])),
        }),
        notFollowed: [...moved.keys()]
            .filter((pipeline) => !sure.has(pipeline) && writesOf(pipeline).open.length > 0)
            .toSorted(compare_texts/* compareTexts */.q),
        callers: reachedFrom(start, calls),
    };
}
function edgesAmong(edges, { reached, moved, newPaths, }) {
    const among = new Map();
    for (const { from: source, to: target, line, table, isSure, movesData } of edges) {
        if (!reached.has(target) || !(movesData ? moved : reached).has(source))
            continue;
        const [from, to] = [newPaths.get(source) ?? source, newPaths.get(target) ?? target];
        if (from === to)
            continue;
        const key = JSON.stringify([from, to, table]);
        if (!among.has(key))
            among.set(key, { from, to, line, table, isSure });
    }
    return [...among.values()].toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.from, b.from) || (0,compare_texts/* compareTexts */.q)(a.to, b.to) || (0,compare_texts/* compareTexts */.q)(a.table ?? '', b.table ?? ''));
}
function reachedFrom(start, edges, more = () => []) {
    const byFrom = Map.groupBy(edges, ({ from }) => from);
    const reached = new Map(start);
    for (const [pipeline, { because }] of reached)
        for (const { to, line, how } of [...(byFrom.get(pipeline) ?? []), ...more(pipeline)])
            if (!reached.has(to))
                reached.set(to, { line, because: [`${(0,pipeline_kind/* withoutSuffix */.al)(to)} ${how}`, ...because] });
    return reached;
}
function firstSteps(reached, edges) {
    const all = new Map(reached);
    for (const { from, to, line, how } of edges)
        if (!all.has(to))
            all.set(to, {
                line,
                because: [`${(0,pipeline_kind/* withoutSuffix */.al)(to)} ${how}`, ...(reached.get(from)?.because ?? [])],
            });
    return all;
}

// EXTERNAL MODULE: ./lib/pipelines/model/component-types.js
var component_types = __webpack_require__(8080);
;// CONCATENATED MODULE: ./flows/snapshot/difference/changed-columns.js





const componentTypes = new Set([
    ...component_types/* knownTypes */.ts.orchestration,
    ...component_types/* knownTypes */.ts.transformation,
]);
function changedTables(now, before) {
    const [columns, unknown, created] = [[], [], []];
    const areKnown = [now, before].every(({ snapshot }) => snapshot.columns === 'known');
    const readersOf = columnReaders(now, before);
    for (const key of definedTables(now, before)) {
        const name = (now.tables.get(key) ?? before.tables.get(key))?.name;
        if (name === undefined)
            continue;
        const table = tableNameOf(name);
        const [definitions, old] = [now.definitionsOf(key), before.definitionsOf(key)];
        if (changed_columns_contentOf(definitions, areKnown) === changed_columns_contentOf(old, areKnown))
            continue;
        const writers = placesOf(definitions.length > 0 ? definitions : old);
        if (before.isOutside(key)) {
            if (!now.isOutside(key) && !isMentionedOn(before, key, now))
                created.push({ table, writers, readers: readersOf(key, undefined) });
        }
        else if (now.isOutside(key)) {
            if (isMentionedOn(now, key, before))
                unknown.push({ table, writers });
            else
                columns.push({
                    table,
                    column: undefined,
                    change: 'dropped',
                    before: undefined,
                    after: undefined,
                    writers,
                    readers: readersOf(key, undefined),
                });
        }
        else {
            const [known, was] = [now.tables.get(key), before.tables.get(key)];
            if (!areKnown || known?.complete !== true || was?.complete !== true)
                unknown.push({ table, writers });
            else
                for (const change of differences(known, was))
                    columns.push({ table, ...change, writers, readers: readersOf(key, change.column) });
        }
    }
    return { columns, unknown, created };
}
function isMentionedOn(side, table, other) {
    if (side.tables.has(table))
        return side.isMentioned(table);
    return (other.isMentioned(table) ||
        other.definitionsOf(table).some(({ pipeline, component }) => {
            const { unreadable, components = [] } = side.pipelines.get(pipeline) ?? {};
            const type = components.find(({ name }) => name === component)?.type;
            return unreadable !== undefined || (type !== undefined && !componentTypes.has(type));
        }));
}
function definedTables(...sides) {
    const keys = new Set();
    for (const { pipelines } of sides)
        for (const { writes } of pipelines.values())
            for (const { table, mode } of writes)
                if (mode === 'define' || mode === 'alter')
                    keys.add(table);
    return [...keys].toSorted(compare_texts/* compareTexts */.q);
}
function changed_columns_contentOf(definitions, areColumnsKnown) {
    const contents = definitions.map(({ pipeline, component, mode, digest }) => `${pipeline}\n${component}\n${mode}\n${areColumnsKnown ? digest : ''}`);
    return contents.length < 2 ? (contents[0] ?? '') : contents.toSorted().join('\n');
}
function placesOf(definitions) {
    return definitions
        .map(({ pipeline, file = pipeline, line }) => ({ pipeline, file, line }))
        .toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.pipeline, b.pipeline) || a.line - b.line);
}
function differences({ columns: now = [], typed }, { columns: old = [], typed: wasTyped }) {
    const renamed = renamedColumn(now, old);
    if (renamed !== undefined)
        return [renamed];
    const [types, oldTypes] = [new Map(now), new Map(old)];
    const areTypesKnown = typed === true && wasTyped === true;
    const lost = [...oldTypes].flatMap(([column, before]) => {
        const after = types.get(column);
        if (after === undefined)
            return [{ column, change: 'removed', before, after }];
        return after === before || !areTypesKnown ? [] : [{ column, change: 'retyped', before, after }];
    });
    const added = [...types].filter(([column]) => !oldTypes.has(column));
    return [
        ...lost,
        ...added.map(([column, after]) => ({ column, change: 'added', before: undefined, after })),
    ];
}
function renamedColumn(now, old) {
    if (now.length !== old.length)
        return undefined;
    const pairs = old.map((before, index) => ({ before, after: now[index] ?? before }));
    if (pairs.some(({ before: [, type], after: [, other] }) => type !== other))
        return undefined;
    const [pair, ...more] = pairs.filter(({ before: [name], after: [other] }) => name !== other);
    if (pair === undefined || more.length > 0)
        return undefined;
    return { column: pair.before[0], change: 'renamed', before: undefined, after: pair.after[0] };
}
function columnReaders(now, before) {
    const reads = [...now.pipelines.values()].flatMap(({ path: pipeline, reads: own }) => byLine(own).map((read) => ({ pipeline, read })));
    const byTable = Map.groupBy(reads, ({ read }) => read.table);
    const parts = partsOf(now, before);
    const isSame = sameComponents(now, before);
    return (table, column) => {
        const word = ((now.tables.get(table) ?? before.tables.get(table))?.name[2] ?? '').toLowerCase();
        const readers = new Map();
        const add = (pipeline, at, kind) => {
            const { file, line } = at;
            const key = JSON.stringify([file, line]);
            if (!readers.has(key))
                readers.set(key, { pipeline, file, line, reads: kind });
        };
        const known = byTable.get(table) ?? [];
        for (const { pipeline, read } of known) {
            const kind = column === undefined
                ? 'column'
                : kindOfRead(read, column, readBefore(pipeline, read, before), () => isSame(pipeline, read.component));
            if (kind !== undefined)
                add(pipeline, { file: read.file ?? pipeline, line: read.line }, kind);
        }
        for (const { pipeline, line, component, words } of parts) {
            const isKnown = known.some((each) => each.pipeline === pipeline && each.read.component === component);
            if (!isKnown && words.includes(word))
                add(pipeline, { file: pipeline, line }, 'unknown');
        }
        return [...readers.values()].toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.file, b.file) || a.line - b.line);
    };
}
function readBefore(pipeline, { component, table }, before) {
    return byLine(before.pipelines.get(pipeline)?.reads ?? []).find((each) => each.unbound !== true && each.component === component && each.table === table);
}
function kindOfRead({ columns, all, unbound }, column, before, isSame) {
    if (columns.includes(column))
        return 'column';
    const isBound = unbound !== true;
    const wasRead = before?.columns.includes(column) === true;
    if (wasRead && (!isBound || isSame()))
        return 'column';
    if (all === true || (!isBound && before?.all === true))
        return 'all';
    return isBound || before !== undefined ? undefined : 'unknown';
}
function sameComponents(now, before) {
    const meaning = ({ pipelines, snapshot }) => {
        const files = new Map(snapshot.files.map(({ path, digest }) => [path, digest]));
        return (pipeline, component) => {
            const { components = [], scripts = [] } = pipelines.get(pipeline) ?? {};
            const found = components.find(({ name }) => name === component);
            const script = scripts.find((each) => each.component === component)?.path;
            return found && `${found.digest} ${script === undefined ? '' : files.get(script)}`;
        };
    };
    const [own, old] = [meaning(now), meaning(before)];
    return (pipeline, component) => {
        const is = own(pipeline, component);
        return is !== undefined && is === old(pipeline, component);
    };
}

// EXTERNAL MODULE: ./flows/data-graph/snapshot/snapshot-of.js + 6 modules
var snapshot_of = __webpack_require__(2033);
// EXTERNAL MODULE: ./flows/data-graph/texts/unreadable-pipelines.js
var unreadable_pipelines = __webpack_require__(7029);
// EXTERNAL MODULE: ./flows/data-graph/change/file-difference.js
var file_difference = __webpack_require__(9988);
;// CONCATENATED MODULE: ./flows/data-graph/affected/affected-tests.js




function affectedTests({ tests, project }, base, reached) {
    const [declared, declaredBefore] = [project, base.project].map((side) => (0,declared_tables/* declaredTables */.W)(side));
    return tests.files.flatMap((file) => {
        const { test, pipeline, fault, beside } = file;
        for (const path of [test, ...beside]) {
            const difference = (0,file_difference/* fileDifference */.o)(path, project, base);
            if (difference === undefined)
                continue;
            const isKnown = difference === 'changed' || difference === 'is new';
            const own = isKnown ? 'the test changed' : `the test ${difference}`;
            return [{ test, because: [path === test ? own : `it reads ${path}, which ${difference}`] }];
        }
        if (pipeline === undefined)
            return [{ test, because: [`it is refused: ${fault ?? ''}`] }];
        const because = reached.get(pipeline)?.because;
        if (because !== undefined && project.has(pipeline))
            return [{ test, because: [`it tests ${(0,pipeline_kind/* withoutSuffix */.al)(pipeline)}`, ...because] }];
        const read = otherRead(file, { declared, declaredBefore, base });
        return read === undefined ? [] : [{ test, because: [read] }];
    });
}
function otherRead({ pipeline = '', reads: { presence, mentions, declared: tables } }, { declared, declaredBefore, base: { project: before }, }) {
    for (const [path, has] of presence)
        if (before.has(path) !== has)
            return has ? `it names ${path}, which is new` : `it named ${path}, and tests ${pipeline} now`;
    for (const [variable, isMentioned] of mentions)
        if (before.mentions(variable) !== isMentioned)
            return `it sets the variable ${variable}, which ${isMentioned ? 'a pipeline uses now' : 'no pipeline uses any more'}`;
    for (const key of tables.keys()) {
        const table = JSON.parse(key);
        if (affected_tests_columnsOf(table, declared) !== affected_tests_columnsOf(table, declaredBefore))
            return `it gives rows to ${table.table}, and the project declares other columns or types of this table than before`;
    }
    return undefined;
}
function affected_tests_columnsOf(table, declared) {
    try {
        const { created, schema } = declared(table) ?? {};
        return JSON.stringify([created, schema?.map(({ name, type }) => [name, type])]);
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return '';
        throw error;
    }
}

;// CONCATENATED MODULE: ./flows/data-graph/affected/affected.js






function affected(graph, before, base) {
    const [now, old] = [projectFacts((0,snapshot_of/* snapshotOf */.e)(graph)), projectFacts((0,snapshot_of/* snapshotOf */.e)(before))];
    const { renamed, unknown = new Map() } = base;
    const { callers, ...pipelines } = affectedPipelines(now, old, { renamed, unknown });
    const { columns, unknown: unknownColumns } = changedTables(now, old);
    return {
        ...pipelines,
        tests: affectedTests(graph, base, callers),
        columns,
        unknownColumns,
        unreadable: (0,unreadable_pipelines/* unreadablePipelines */.xw)(graph.project),
    };
}

// EXTERNAL MODULE: ./flows/data-graph/bind/bind-project.js + 9 modules
var bind_project = __webpack_require__(9774);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 3 modules
var schemas = __webpack_require__(9713);
;// CONCATENATED MODULE: ./flows/snapshot/difference/change-text.js
function change_text_changeText({ change, before = '', after = '', }) {
    const texts = {
        created: 'new table',
        dropped: 'no longer created',
        removed: 'removed',
        renamed: `renamed to ${after}`,
        retyped: `${after} instead of ${before}`,
        added: `new: ${after}`,
    };
    return texts[change];
}

// EXTERNAL MODULE: ./lib/core/outcomes/finding.js
var finding = __webpack_require__(770);
// EXTERNAL MODULE: ./lib/config/project/compile-schema.js
var compile_schema = __webpack_require__(1971);
;// CONCATENATED MODULE: ./flows/data-graph/compile/report-schema.js



const position = schemas/* int */.Whr().min(1);
const placeSchema = schemas/* object */.Ikc({
    file: schemas/* string */.YjP().describe('Relative to the project.'),
    line: position,
    column: position,
});
const relatedSchema = placeSchema.extend({ pipeline: schemas/* string */.YjP(), component: schemas/* string */.YjP() });
const tableSchema = schemas/* object */.Ikc({ database: schemas/* string */.YjP(), schema: schemas/* string */.YjP(), table: schemas/* string */.YjP() });
const findingSchema = placeSchema.extend({
    rule: schemas/* enum */.k5n(compile_schema/* compileRules */.nb),
    severity: schemas/* enum */.k5n(finding/* severities */.gO),
    state: schemas/* enum */.k5n(['new', 'known']).describe('`known`: the baseline has it.'),
    fingerprint: schemas/* string */.YjP().describe('Stable identity without line numbers.'),
    pipeline: schemas/* string */.YjP().describe('The path of the pipeline; of a test, the pipeline that it tests.'),
    component: schemas/* string */.YjP().optional(),
    tables: schemas/* array */.YOg(tableSchema).describe('The tables that it may be about.'),
    columnName: schemas/* string */.YjP().optional(),
    subject: schemas/* string */.YjP().describe('What it is about in its component: part of its identity.'),
    message: schemas/* string */.YjP(),
    related: schemas/* array */.YOg(relatedSchema)
        .describe('The readers of a changed table, or the components that create a table that is read.'),
});
const compileReportSchema = schemas/* object */.Ikc({
    findings: schemas/* array */.YOg(findingSchema)
        .describe('What fails in every run that reaches it, and notices, in the order of files and lines.'),
    accepted: schemas/* array */.YOg(schemas/* object */.Ikc({
        rule: schemas/* enum */.k5n(compile_schema/* compileRules */.nb).optional(),
        table: schemas/* string */.YjP().optional(),
        column: schemas/* string */.YjP().optional(),
        file: schemas/* string */.YjP().optional(),
        component: schemas/* string */.YjP().optional(),
        reason: schemas/* string */.YjP(),
        until: schemas/* string */.YjP().optional(),
        isExpired: schemas/* boolean */.zMY().describe('The entry has expired, so its findings count.'),
        isUseless: schemas/* boolean */.zMY().describe('The entry matches no finding, so it can be removed.'),
        findings: schemas/* array */.YOg(findingSchema),
    }))
        .describe('The entries of `compile.accept`, with the findings that they match.'),
    nextBaseline: schemas/* array */.YOg(schemas/* object */.Ikc({
        rule: schemas/* string */.YjP(),
        file: schemas/* string */.YjP(),
        component: schemas/* string */.YjP().optional(),
        subject: schemas/* string */.YjP().optional(),
        fingerprint: schemas/* string */.YjP(),
    }))
        .describe('What `--update-baseline` would record.'),
    pipelines: schemas/* int */.Whr(),
    unreadable: schemas/* int */.Whr().describe('How many of the pipelines could not be read.'),
    reads: schemas/* object */.Ikc({ bound: schemas/* int */.Whr(), total: schemas/* int */.Whr() })
        .describe('How many components read a table, and how many of these could be compiled.'),
    withoutColumns: schemas/* literal */.euz(true).optional().describe('Only calls and tables were checked.'),
    unknown: schemas/* array */.YOg(schemas/* object */.Ikc({ reason: schemas/* string */.YjP(), count: schemas/* int */.Whr(), example: relatedSchema }))
        .describe('Why components could not be compiled, the most frequent reason first.'),
    outside: schemas/* array */.YOg(schemas/* object */.Ikc({ table: tableSchema, reads: schemas/* int */.Whr(), isKnown: schemas/* boolean */.zMY(), binds: schemas/* int */.Whr() }))
        .describe('Tables that no pipeline creates, or only components that cannot be compiled, with their reads. `isKnown`: a test or a file of schemas has its columns. `binds`: how many more reads could be compiled at most if the table were declared, including reads of tables that are computed from it.'),
});

;// CONCATENATED MODULE: ./flows/data-graph/affected/report-affected.js






const line = schemas/* int */.Whr().min(1);
const usedAtSchema = schemas/* object */.Ikc({ pipeline: schemas/* string */.YjP(), file: schemas/* string */.YjP(), line });
const changes = ['dropped', 'removed', 'renamed', 'retyped', 'added'];
const columnReaderSchema = usedAtSchema.extend({
    reads: schemas/* enum */.k5n(['column', 'all', 'unknown'])
        .describe('`column`: by its name; `all`: with all columns; `unknown`: the component names the table, but Millrace cannot analyse all of it.'),
});
const changedPipelinesSchema = schemas/* array */.YOg(schemas/* object */.Ikc({
    pipeline: schemas/* string */.YjP().describe('The path now; of a deleted pipeline, the old path.'),
    line: line.optional().describe('The first change; left out for a deleted pipeline.'),
    what: schemas/* string */.YjP(),
}));
const affectedPipelinesSchema = schemas/* array */.YOg(schemas/* object */.Ikc({ pipeline: schemas/* string */.YjP(), line, because: schemas/* array */.YOg(schemas/* string */.YjP()) }));
const unreadableSchema = schemas/* array */.YOg(schemas/* object */.Ikc({ pipeline: schemas/* string */.YjP(), file: schemas/* string */.YjP(), line, column: schemas/* int */.Whr().min(1), message: schemas/* string */.YjP() }));
const affectedReportSchema = schemas/* object */.Ikc({
    changed: changedPipelinesSchema.describe('Pipelines that do something different from the base.'),
    affected: affectedPipelinesSchema.describe('Callers, and readers of tables that changed pipelines write; `because` leads from the pipeline to the change.'),
    entryPoints: schemas/* array */.YOg(schemas/* string */.YjP())
        .describe('Changed and affected pipelines that no pipeline of the project calls.'),
    tests: schemas/* array */.YOg(schemas/* object */.Ikc({ test: schemas/* string */.YjP(), because: schemas/* array */.YOg(schemas/* string */.YjP()) })),
    columns: schemas/* array */.YOg(schemas/* object */.Ikc({
        table: tableSchema,
        column: schemas/* string */.YjP()
            .optional()
            .describe('The old name; left out if no pipeline creates the table any more.'),
        change: schemas/* enum */.k5n(changes)
            .describe('`dropped`: the table; `renamed`: a new column of the same type is in its place, and no other column changed.'),
        before: schemas/* string */.YjP().optional().describe('The type before, of `removed` and `retyped`.'),
        after: schemas/* string */.YjP()
            .optional()
            .describe('The type now, of `added` and `retyped`; of `renamed`, the new name.'),
        writers: schemas/* array */.YOg(usedAtSchema).describe('What creates or alters the table.'),
        readers: schemas/* array */.YOg(columnReaderSchema),
    }))
        .describe('Columns of tables that pipelines create, with the components that read them.'),
    unknownColumns: schemas/* array */.YOg(schemas/* object */.Ikc({ table: tableSchema, writers: schemas/* array */.YOg(usedAtSchema) }))
        .describe('Tables whose definition changed, and whose columns are not all known.'),
    edges: schemas/* array */.YOg(schemas/* object */.Ikc({
        from: schemas/* string */.YjP(),
        to: schemas/* string */.YjP(),
        line,
        table: schemas/* string */.YjP()
            .optional()
            .describe('The table that `to` reads; left out for a call, and if it is known only at run time.'),
        isSure: schemas/* boolean */.zMY().describe('True: `to` uses `from`. False: it possibly does.'),
    }))
        .describe('How changed and affected pipelines are connected: `to` calls `from`, or reads a table that `from` writes.'),
    notFollowed: schemas/* array */.YOg(schemas/* string */.YjP())
        .describe('Pipelines that may be affected, and write tables whose names are known only at run time: the readers of these tables are left out.'),
    unreadable: unreadableSchema.describe('Pipelines that cannot be read: what they call and read is not known.'),
});
const maxPlaces = 10;
function reportOfAffected(report, base, { prefix = '', maxRows = Infinity, notes = [] } = {}) {
    const { changed, affected, entryPoints, tests, columns, unknownColumns, notFollowed } = report;
    const place = (file, at) => at === undefined ? `${prefix}${file}` : `${prefix}${file}:${at}`;
    const because = (steps) => steps.join('; ');
    const tables = [
        {
            title: 'Changed columns and their readers',
            columns: changeColumns,
            rows: columns.toSorted(compareChanges).map((column) => columnRow(column, prefix)),
        },
        {
            title: 'Changed pipelines',
            columns: ['pipeline', 'what'],
            rows: changed.map((each) => [place(each.pipeline, each.line), each.what]),
        },
        {
            title: 'Affected pipelines',
            columns: ['pipeline', 'because'],
            rows: affected.map((each) => [place(each.pipeline, each.line), because(each.because)]),
        },
        {
            title: 'Entry points to run',
            columns: ['pipeline'],
            rows: entryPoints.map((pipeline) => [place(pipeline, undefined)]),
        },
        {
            title: 'Tests to run',
            columns: ['test', 'because'],
            rows: tests.map((each) => [place(each.test, undefined), because(each.because)]),
        },
    ];
    const cut = tables.flatMap(({ title, rows }) => rows.length > maxRows ? [`${title}: ${rows.length - maxRows} more.`] : []);
    const unknown = unknownColumns.map(({ table, writers: [writer] }) => `${table.table}${writer === undefined ? '' : ` (${place(writer.file, writer.line)})`}`);
    return {
        title: 'Affected',
        outcome: affectedOutcome(report),
        headline: report_affected_headlineOf(report),
        facts: [['compared with', base]],
        findings: (0,unreadable_pipelines/* unreadableFindings */.wX)(report.unreadable, prefix),
        tables: tables.map((table) => ({ ...table, rows: table.rows.slice(0, maxRows) })),
        notes: [
            ...(unknown.length === 0
                ? []
                : [
                    `The readers of changed columns are not listed for ${shortList(unknown)}, because the columns of ${unknown.length === 1 ? 'this table' : 'these tables'} are not all known. The pipelines that read the ${unknown.length === 1 ? 'table' : 'tables'} are among the affected pipelines.`,
                ]),
            ...(notFollowed.length === 0
                ? []
                : [
                    `${(0,number_of/* numberOf */.r)(notFollowed.length, 'pipeline')} may be affected, and ${notFollowed.length === 1 ? 'writes' : 'write'} tables whose names are known only at run time. The readers of these tables are not listed: ${shortList(notFollowed.map((pipeline) => place(pipeline, undefined)))}.`,
                ]),
            ...cut,
            ...notes,
        ],
        isNews: columns.some(isBreaking),
    };
}
function affectedOutcome({ unreadable }) {
    return unreadable.length > 0 ? 'failed' : 'passed';
}
function report_affected_headlineOf(report) {
    const { unreadable } = report;
    const affected = affectedCounts(report);
    return unreadable.length === 0
        ? affected
        : `${affected} ${(0,number_of/* numberOf */.r)(unreadable.length, 'pipeline')} could not be read: more may be affected.`;
}
function affectedCounts({ changed, affected, entryPoints, tests, columns }) {
    const broken = columns.filter(isBreaking);
    const readers = new Set(broken.flatMap((column) => column.readers.map(({ file, line: at }) => `${file}:${at}`)));
    const counts = `${(0,number_of/* numberOf */.r)(changed.length, 'pipeline')} changed, ${affected.length} more affected; ${(0,number_of/* numberOf */.r)(entryPoints.length, 'entry point')} and ${(0,number_of/* numberOf */.r)(tests.length, 'test file')} to run.`;
    if (broken.length === 0)
        return counts;
    const [one] = broken;
    const what = one?.column === undefined ? 'table or column' : 'column';
    return `${counts} ${(0,number_of/* numberOf */.r)(broken.length, `changed ${what}`, `changed ${what}s`)} ${broken.length === 1 ? 'has' : 'have'} ${(0,number_of/* numberOf */.r)(readers.size, 'reader')}.`;
}
function isBreaking({ change, readers }) {
    return change !== 'added' && readers.length > 0;
}
function compareChanges(a, b) {
    return (Number(isBreaking(b)) - Number(isBreaking(a)) ||
        changes.indexOf(a.change) - changes.indexOf(b.change) ||
        (0,compare_texts/* compareTexts */.q)(a.table.table, b.table.table));
}
const changeColumns = ['column', 'change', 'written at', 'read at'];
function columnRow({ table, column, change, before, after, writers, readers }, prefix) {
    const at = ({ file, line: row }) => `${prefix}${file}:${row}`;
    const kinds = { column: '', all: ' (all columns)', unknown: ' (possibly: cannot be analysed completely)' };
    return [
        column === undefined ? table.table : `${table.table}.${column}`,
        change_text_changeText({ change, before, after }),
        shortList(writers.map(at)),
        readers.length === 0
            ? 'nothing'
            : shortList(readers.map((reader) => `${at(reader)}${kinds[reader.reads]}`)),
    ];
}
function shortList(items) {
    const shown = items.slice(0, maxPlaces).join(', ');
    return items.length > maxPlaces ? `${shown} and ${items.length - maxPlaces} more` : shown;
}

// EXTERNAL MODULE: ./lib/report/report.js
var report_report = __webpack_require__(6656);
// EXTERNAL MODULE: ./actions/kit/step/output-limit.js
var output_limit = __webpack_require__(994);
// EXTERNAL MODULE: ./actions/kit/step/json-list.js
var json_list = __webpack_require__(2059);
;// CONCATENATED MODULE: ./actions/diff/affected-part.js






const affected_part_maxRows = 20;
async function affectedPart(project, base, { prefix, packages, signal, }) {
    const now = await (0,bind_project/* bindProject */.Z)(project, { signal, packages });
    const before = await (0,bind_project/* bindProject */.Z)(base.project, { signal, packages, after: now });
    const result = affected(now, before, base);
    const name = base.commit.startsWith(base.name) ? '' : `${base.name} `;
    const compared = `${name}${base.commit.slice(0, 12)}`;
    return { affected: result, report: reportOfAffected(result, compared, { prefix, maxRows: affected_part_maxRows }) };
}
function withAffected(report, part) {
    if (part === undefined)
        return report;
    const { headline, tables = [], notes } = part.report;
    return {
        ...report,
        headline: `${report.headline} Affected: ${headline}`,
        tables: [...(report.tables ?? []), ...tables],
        notes: [...report.notes, ...notes],
        isNews: (0,report_report/* isNews */.Ms)(report) || (0,report_report/* isNews */.Ms)(part.report),
    };
}
function affectedOutputs(part) {
    if (part === undefined)
        return { 'entry-points': '', matrix: '', 'affected-tests': '' };
    const { entryPoints, tests } = part.affected;
    const matrix = JSON.stringify({ pipeline: entryPoints });
    return {
        'entry-points': entryPoints.length,
        matrix: matrix.length > output_limit/* outputLimit */.p ? '' : matrix,
        'affected-tests': (0,json_list/* jsonList */.R)(tests.map(({ test }) => test)),
    };
}

// EXTERNAL MODULE: ./actions/kit/releases/evidence-inputs.js
var evidence_inputs = __webpack_require__(7724);
;// CONCATENATED MODULE: ./actions/diff/diff-fact.js

function diffFact({ base, tests, tables, changes }, outcome) {
    const sum = (count) => tables.reduce((total, table) => total + table[count], 0);
    return {
        kind: 'diff',
        predicate: {
            outcome,
            base: base.commit,
            tests,
            notCompared: changes.filter(hasUnknown).length,
            tables: tables.length,
            rows: { added: sum('added'), removed: sum('removed'), changed: sum('changed') },
        },
    };
}

// EXTERNAL MODULE: ./actions/kit/checkout/find-base.js
var find_base = __webpack_require__(4108);
;// CONCATENATED MODULE: ./actions/diff/diff-project.js





























const title = 'Data diff';
async function diffProject(inputs, step) {
    (0,checked_out_commit/* refusePullRequestTarget */.cq)(step.facts);
    const target = (0,event_target/* readCheckTarget */.Mm)(step.facts, { commit: inputs.commit });
    if (target === undefined)
        return nothingToCompare('The branch was deleted.');
    let key = diff_project_keyOf(inputs['working-directory'], inputs);
    try {
        const opened = await (0,project/* openProject */.U8)(step, inputs['working-directory']);
        key = diff_project_keyOf(opened.directory, inputs);
        return await compare(target, opened, inputs, step);
    }
    catch (error) {
        const { comment, 'github-token': token } = inputs;
        await (0,report_failed_step/* reportFailedStep */.G)(error, { title, token, check: 'off', comment, target, key, step });
        throw error;
    }
}
async function compare(ofEvent, opened, inputs, step) {
    const { facts, context, environment } = step;
    const { signal } = context;
    const { repository, directory, path } = opened;
    const connection = await (0,connect_to_github/* connectToGitHub */.t)(inputs['github-token'], step);
    const fetch = { directory: path, environment, signal };
    const target = connection === undefined ? ofEvent : await (0,current_base/* withCurrentBase */.B)(ofEvent, connection);
    const checkedOut = await (0,checked_out_commit/* readCheckedOutCommit */.$q)(ofEvent, repository, signal);
    if (checkedOut.kind === 'merge' && inputs.base === undefined)
        refuseOldMerge(ofEvent, target);
    if (inputs.commit !== undefined)
        (0,checked_out_commit/* refuseOtherCheckOut */.PZ)(checkedOut, target, { input: 'commit', otherwise: 'Or correct the input commit.' });
    else if (facts.eventName === 'push' && inputs.base === undefined)
        (0,checked_out_commit/* refuseOtherCheckOut */.PZ)(checkedOut, target, { input: 'commit', otherwise: checked_out_commit/* otherCheckOut */.xg });
    const base = await (0,find_base/* findBase */.l)(target, { inputBase: inputs.base, checkedOut, repository, connection, fetch });
    if ('reason' in base)
        return nothingToCompare(base.reason);
    const { filter, jobs = default_jobs/* defaultJobsInOneProcess */.i4, files: names } = inputs;
    const { project, files, prefix } = await (0,checked_out_tests/* openCheckedOutTests */.j)(inputs['working-directory'], names, step);
    try {
        const { commit } = base;
        const workTree = await (0,work_copy/* openWorkCopy */.p)(path, 'working-tree', { environment, signal });
        const name = nameOf(commit, target);
        const atBase = await (0,base_project/* projectAtBase */._f)(project, {
            repository,
            workTree,
            directory,
            commit,
            name,
            isFork: false,
            environment,
            signal,
        });
        step.log(`Running the tests of ${(0,number_of/* numberOf */.r)(files.length, 'file')} as they are, and with the pipelines of ${commit}, ${jobs} at a time.`);
        const packages = (0,external_node_path_.resolve)(facts.workspace, inputs.engine);
        const cache = (0,checkout_test_cache/* testCache */.x)(inputs.cache, packages, step);
        const diff = await diffData({ project, base: atBase, files, filter, isPartial: names.length > 0, jobs, packages, cache }, context);
        const failsOnChange = inputs['fail-on'] === 'change';
        const plain = reportOfDiff(diff, { prefix, notes: base.notes, failsOnChange });
        const { changed } = await repository.changedOnDisk({ signal });
        const isWhole = names.length === 0 && filter === undefined && changed.length === 0;
        const fact = isWhole && diff.problems === undefined
            ? diffFact(diff, plain.outcome === 'failed' ? 'failed' : 'passed')
            : undefined;
        const about = { repository, commit: checkedOut.commit, pullRequest: target.pullRequest };
        const report = { ...plain, notes: [...plain.notes, ...(await (0,evidence_inputs/* signChecked */.TF)(fact, about, inputs, step))] };
        const part = diff.isSame || !inputs.affected
            ? undefined
            : await affectedPart(project, atBase, { prefix, packages, signal });
        const whole = withAffected(report, part);
        for (const line of (0,terminal/* terminalLines */.M)({ ...whole, notes: [] }))
            step.log(line);
        for (const { at, message } of changedPlaces(diff).slice(0, annotations/* maximumPerLevel */.en)) {
            const place = { file: `${prefix}${at.file}`, line: at.line, column: at.column };
            step.command((0,annotations/* annotationCommand */.jx)('notice', message, { ...place, title: 'Data changes' }));
        }
        const delivery = await (0,deliver_report/* deliverReport */.x)(whole, {
            connection,
            serverUrl: facts.serverUrl,
            commit: target.commit,
            pullRequest: target.pullRequest,
            key: diff_project_keyOf(directory, inputs),
            check: 'off',
            comment: inputs.comment,
            writeLine: step.command,
            redact: step.redact,
        });
        const result = {
            report,
            delivery,
            details: { ...diff, ...(part && { affected: part.affected }) },
            outputs: { ...outputsOf(diff, delivery.commentUrl), ...affectedOutputs(part) },
            ...(part && { parts: { [finish_step/* affectedPartName */.L_]: part.report } }),
        };
        if (diff.problems === undefined)
            return result;
        return { ...result, failure: (0,test_failures/* invalidTests */.B)((0,test_problem/* testFailure */.t)(diff.problems), prefix, step) };
    }
    catch (error) {
        throw (0,test_failures/* explainTestFailure */.A)(error, prefix, step);
    }
}
function refuseOldMerge(ofEvent, { baseBranch = '' }) {
    if (baseBranch === (ofEvent.baseBranch ?? ''))
        return;
    throw new failure/* Failure */.HR('usage', {
        message: `${(0,current_base/* otherBase */.O)(baseBranch, ofEvent)} The checked-out commit is a merge with the old base.`,
        where: { input: 'base' },
        hint: 'See the workflow run for the new base. This run keeps its check-out when it is run again; a push starts a new one.',
    });
}
function diff_project_keyOf(directory, inputs) {
    const { files, filter, base, 'fail-on': failOn, affected } = inputs;
    const changes = failOn === 'never' ? undefined : failOn;
    return (0,report_key/* reportKey */.y1)('data', directory, {
        files,
        filter,
        base: base !== undefined,
        'fail-on': changes,
        'without affected': !affected,
    });
}
function nameOf(commit, { base, kind, isBaseNamed = false }) {
    if (kind === 'pull-request')
        return base === commit ? 'the target branch' : 'the point where the branch began';
    return base === commit && !isBaseNamed ? 'the commit before' : commit;
}
function outputsOf({ tests, tables, changes, base }, url = '') {
    const sum = (count) => tables.reduce((total, table) => total + table[count], 0);
    return {
        tests,
        tables: tables.length,
        added: sum('added'),
        removed: sum('removed'),
        changed: sum('changed'),
        'not-compared': changes.filter(hasUnknown).length,
        base: base.commit,
        url,
    };
}
function nothingToCompare(headline) {
    return {
        report: { title, outcome: 'nothing-to-do', headline, facts: [], findings: [], notes: [] },
        details: {},
        outputs: {
            tests: 0,
            tables: 0,
            added: 0,
            removed: 0,
            changed: 0,
            'not-compared': 0,
            ...affectedOutputs(undefined),
            base: '',
            url: '',
        },
    };
}


/***/ })

};
