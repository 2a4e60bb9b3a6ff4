export const id = 313;
export const ids = [313];
export const modules = {

/***/ 7313:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  diffProject: () => (/* binding */ diffProject)
});

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./lib/git/snapshot.js
var git_snapshot = __webpack_require__(3804);
// EXTERNAL MODULE: ./lib/config/read-project-config.js + 1 modules
var read_project_config = __webpack_require__(6227);
// EXTERNAL MODULE: ./lib/config/project-schema.js + 3 modules
var project_schema = __webpack_require__(3793);
// EXTERNAL MODULE: ./lib/pipelines/pipeline-kind.js
var pipeline_kind = __webpack_require__(1750);
// EXTERNAL MODULE: ./lib/pipelines/read-pipeline.js
var read_pipeline = __webpack_require__(8060);
// EXTERNAL MODULE: ./flows/test/test-project.js
var test_project = __webpack_require__(9954);
;// CONCATENATED MODULE: ./flows/test/overlay-project.js



function overlayProject(saved, { contents, settings }) {
    const texts = new Map();
    const documents = new Map();
    const bytes = (file) => (contents.has(file) ? contents.get(file) : saved.bytes(file));
    const text = (file) => {
        if (!contents.has(file))
            return saved.text(file);
        const content = contents.get(file);
        if (content === undefined)
            return undefined;
        const read = texts.get(file) ?? Buffer.from(content).toString('utf8');
        texts.set(file, read);
        return read;
    };
    const has = (file) => (contents.has(file) ? contents.get(file) !== undefined : saved.has(file));
    const size = (file) => (contents.has(file) ? contents.get(file)?.byteLength : saved.size(file));
    const paths = [...new Set([...saved.paths, ...contents.keys()])].filter(has).toSorted();
    const pipelines = paths.filter((file) => (0,pipeline_kind/* kindOf */.I)(file) !== undefined);
    const isLong = (file) => (size(file) ?? 0) > read_pipeline/* maxPipelineBytes */.sE;
    return {
        ...saved,
        ...settings,
        paths,
        pipelines,
        has,
        size,
        text,
        bytes,
        mentions: (variable) => pipelines.some((file) => !isLong(file) && (0,test_project/* usesVariable */.Lp)(text(file) ?? '', variable)),
        pipeline(file) {
            if (!contents.has(file))
                return saved.pipeline(file);
            const before = documents.get(file);
            if (before !== undefined)
                return before;
            if (isLong(file))
                return (0,read_pipeline/* unreadPipeline */.Ce)(file);
            const found = text(file);
            if (found === undefined)
                return undefined;
            const document = (0,read_pipeline/* readPipeline */.l9)(file, found);
            documents.set(file, document);
            return document;
        },
        beside: (0,test_project/* filesBeside */.Gr)({ has, size, text, bytes }),
    };
}

;// CONCATENATED MODULE: ./flows/diff/base-project.js






const configName = 'millrace.yaml';
async function projectAtBase(saved, request) {
    const { repository, workTree, directory, commit, name, signal } = request;
    const prefix = directory === '' ? '' : `${directory}/`;
    const inProject = (path) => path?.startsWith(prefix) === true ? path.slice(prefix.length) : undefined;
    const changes = await workTree.changedSince(commit);
    const contents = new Map();
    for (const { status, path } of changes)
        if (status === 'added' || status === 'renamed')
            setIn(contents, inProject(path), undefined);
    const old = changes.flatMap((change) => oldPathOf(change) ?? []).filter((path) => path.startsWith(prefix));
    const snapshot = (0,git_snapshot/* commitSnapshot */.Ge)(repository, commit, signal);
    const read = await snapshot.readFiles(old);
    for (const path of old)
        setIn(contents, inProject(path), snapshot.links.has(path) ? undefined : read.get(path));
    for (const path of foreignPaths(contents, saved))
        contents.delete(path);
    const config = contents.has(configName) ? contents.get(configName) : undefined;
    const settings = contents.has(configName)
        ? (0,test_project/* warehouseSettings */.fH)(warehouseOf(config, `${prefix}${configName}`))
        : undefined;
    return {
        name,
        commit,
        project: overlayProject(saved, { contents, settings }),
        isOther: contents.size > 0,
        renamed: new Map(changes.flatMap(({ path, oldPath }) => {
            const [current, before] = [inProject(path), inProject(oldPath)];
            return current === undefined || before === undefined ? [] : [[current, before]];
        })),
        pipelines: new Map(changes.flatMap(({ status, path }) => {
            const current = inProject(path);
            if (current === undefined || (0,pipeline_kind/* kindOf */.I)(current) === undefined || !contents.has(current))
                return [];
            return [[current, changeOf(status)]];
        })),
    };
}
function setIn(map, key, value) {
    if (key !== undefined)
        map.set(key, value);
}
function oldPathOf({ status, path, oldPath }) {
    return status === 'added' ? undefined : (oldPath ?? path);
}
function changeOf(status) {
    if (status === 'added' || status === 'deleted')
        return status;
    return 'changed';
}
function foreignPaths(contents, { otherProjects }) {
    const atCommit = [...contents].flatMap(([path, content]) => content !== undefined && path.endsWith(`/${configName}`) ? [path.slice(0, -configName.length - 1)] : []);
    const folders = [...otherProjects, ...atCommit];
    return [...contents.keys()].filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
}
function warehouseOf(content, file) {
    const config = content === undefined
        ? project_schema/* projectSchema */.$.parse({ version: 1 })
        : (0,read_project_config/* readProjectConfig */.Q)(Buffer.from(content).toString('utf8'), file);
    return config.engine.warehouse;
}

// EXTERNAL MODULE: ./engine/index.js + 254 modules
var engine = __webpack_require__(389);
// EXTERNAL MODULE: ./flows/test/declared-tables.js
var declared_tables = __webpack_require__(5176);
// EXTERNAL MODULE: ./flows/test/run-test.js + 4 modules
var run_test = __webpack_require__(4918);
// EXTERNAL MODULE: ./flows/test/run-tests.js + 1 modules
var run_tests = __webpack_require__(2572);
// EXTERNAL MODULE: ./flows/test/test-problem.js
var test_problem = __webpack_require__(2496);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./flows/test/trace-reads.js


function traceReads(project, declared) {
    const { kind, pipelines } = project;
    const reads = {
        kind,
        pipelines,
        texts: new Map(),
        sizes: new Map(),
        digests: new Map(),
        presence: new Map(),
        mentions: new Map(),
        declared: new Map(),
    };
    const text = (path) => recorded(reads.texts, path, project.text(path));
    const has = (path) => recorded(reads.presence, path, project.has(path));
    const size = (path) => recorded(reads.sizes, path, project.size(path));
    const bytes = (path) => {
        const found = project.bytes(path);
        recorded(reads.digests, path, digestOf(found));
        return found;
    };
    return {
        reads,
        declared(table) {
            const columns = declared(table);
            recorded(reads.declared, JSON.stringify(table), columnsKey(columns));
            return columns;
        },
        project: {
            ...project,
            text,
            has,
            size,
            bytes,
            mentions: (variable) => recorded(reads.mentions, variable, project.mentions(variable)),
            pipeline(path) {
                text(path);
                return project.pipeline(path);
            },
            beside: (0,test_project/* filesBeside */.Gr)({ has, size, text, bytes }),
        },
    };
}
function changedReads({ kind, pipelines, texts, sizes, digests, presence, mentions, declared }, project, tables) {
    const before = new Set(pipelines);
    const files = new Set([
        ...differing(texts, project.text),
        ...differing(sizes, project.size),
        ...differing(digests, (path) => digestOf(project.bytes(path))),
        ...differing(presence, project.has),
        ...project.pipelines.filter((path) => !before.delete(path)),
        ...before,
    ]);
    const isSame = files.size === 0 &&
        kind === project.kind &&
        differing(mentions, project.mentions).length === 0 &&
        differing(declared, (table) => columnsKey(tables(JSON.parse(table)))).length === 0;
    return isSame ? undefined : files;
}
function recorded(answers, question, answer) {
    answers.set(question, answer);
    return answer;
}
function differing(answers, ask) {
    return [...answers].filter(([question, answer]) => ask(question) !== answer).map(([question]) => question);
}
function digestOf(bytes) {
    return bytes === undefined ? undefined : (0,external_node_crypto_.createHash)('sha256').update(bytes).digest('hex');
}
function columnsKey(columns) {
    return JSON.stringify(columns ?? null);
}

// EXTERNAL MODULE: ./lib/pipelines/calls.js
var calls = __webpack_require__(3824);
// EXTERNAL MODULE: ./flows/test/broken-pipeline.js + 1 modules
var broken_pipeline = __webpack_require__(6778);
// EXTERNAL MODULE: ./flows/test/planned-test.js
var planned_test = __webpack_require__(6423);
// EXTERNAL MODULE: ./flows/test/read-test-file.js + 4 modules
var read_test_file = __webpack_require__(5532);
;// CONCATENATED MODULE: ./flows/diff/base-test.js





async function testAtBase(planned, current, base) {
    const { file, test, document } = planned;
    const { project, renamed } = base;
    const path = renamed.get(document.path) ?? (0,calls.resolveCall)(file.pipeline.text, project);
    const before = path === undefined ? undefined : project.pipeline(path);
    if (before === undefined)
        return undefined;
    (0,broken_pipeline/* refuseBroken */.I)(before);
    const typeBefore = ({ name }) => componentType(name.text, before, project);
    const mocks = test.mocks.filter((mock) => typeBefore(mock) !== undefined);
    const own = new Set(mocks.map(({ name }) => name.text));
    const others = (await mocksAtBase(planned, base)).filter((mock) => {
        const type = typeBefore(mock);
        const isOther = type !== componentType(mock.name.text, document, current);
        return type !== undefined && isOther && !own.has(mock.name.text);
    });
    return { file, test: { ...test, mocks: [...mocks, ...others] }, document: before };
}
function componentType(name, document, project) {
    const found = (0,planned_test/* findComponent */.Tn)(name, document, project);
    return found === undefined
        ? undefined
        : project.pipeline(found.path)?.components.get(found.component)?.type;
}
async function mocksAtBase({ file, test }, { project, renamed }) {
    const path = renamed.get(file.file) ?? file.file;
    const text = project.text(path);
    if (text === undefined)
        return [];
    try {
        const before = await (0,read_test_file/* readTestFile */.j)(text, path, { readBeside: project.beside(path) });
        return before.tests.find(({ name }) => name === test.name)?.mocks ?? [];
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return [];
        throw error;
    }
}

// EXTERNAL MODULE: ./flows/test/compare-values.js
var compare_values = __webpack_require__(2654);
// EXTERNAL MODULE: ./flows/test/shown-value.js
var shown_value = __webpack_require__(9485);
;// CONCATENATED MODULE: ./flows/diff/data-diff.js
const maxValues = 3;
const maxRowChanges = 200;

;// CONCATENATED MODULE: ./flows/diff/find-key.js
const nullKey = 'null';
const maxPairedColumns = 12;
const keyName = /(?:^|[_ ])(?:id|key|code|no|nr|number|sk|pk)$|[a-z](?:Id|Key|Code)$/i;
function findKey(names, { before, after, candidates, }, wanted = []) {
    const own = wanted.map((name) => names.indexOf(name));
    if (own.length > 0 && !own.includes(-1) && metRows(own, before, after) !== undefined)
        return own;
    const tried = [...candidates.map((place) => [place]), ...pairsOf(candidates.slice(0, maxPairedColumns))];
    const rated = tried.flatMap((columns) => {
        const met = metRows(columns, before, after);
        if (met === undefined || met === 0)
            return [];
        const isNamed = columns.every((place) => keyName.test(names[place] ?? ''));
        return [{ columns, met, isNamed }];
    });
    const [best] = rated.toSorted((a, b) => b.met - a.met || Number(b.isNamed) - Number(a.isNamed) || a.columns.length - b.columns.length);
    return best?.columns;
}
function keyOf(row, columns) {
    return JSON.stringify(columns.map((index) => row[index]));
}
function metRows(columns, before, after) {
    const [first, second] = [uniqueKeys(columns, before), uniqueKeys(columns, after)];
    if (first === undefined || second === undefined)
        return undefined;
    return first.intersection(second).size;
}
function uniqueKeys(columns, rows) {
    const keys = new Set();
    for (const row of rows) {
        if (columns.some((index) => row[index] === nullKey))
            return undefined;
        const key = keyOf(row, columns);
        if (keys.has(key))
            return undefined;
        keys.add(key);
    }
    return keys;
}
function pairsOf(places) {
    return places.flatMap((first, index) => places.slice(index + 1).map((second) => [first, second]));
}

;// CONCATENATED MODULE: ./flows/diff/compare-tables.js





function compareTables(before, after, project) {
    const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted();
    return keys.flatMap((key) => {
        const change = compareTable(before.get(key), after.get(key), project);
        return change === undefined ? [] : [change];
    });
}
function compareTable(before, after, project) {
    const content = after ?? before;
    if (content === undefined)
        return undefined;
    const kind = before === undefined ? 'created' : after === undefined ? 'removed' : 'changed';
    const [left, right] = [before ?? without(content), after ?? without(content)];
    const common = { table: content.name, kind, ...content.writer };
    const columns = kind === 'changed' ? changedColumns(left, right, project) : [];
    const unknown = left.unknown ?? right.unknown;
    if (unknown !== undefined) {
        const isSame = left.unknown === right.unknown && left.count === right.count;
        if (isSame && columns.length === 0)
            return undefined;
        return { ...common, ...noRows, columns, unknown };
    }
    const rows = compareRows(left, right);
    const isEqual = rows.added + rows.removed + rows.changed + columns.length === 0;
    return kind === 'changed' && isEqual ? undefined : { ...common, ...rows, columns };
}
const noRows = { key: [], added: 0, removed: 0, changed: 0, cells: {}, rows: [] };
function without(content) {
    const { unknown: _, ...known } = content;
    return { ...known, rows: [], count: 0, writer: {} };
}
function changedColumns({ columns: before }, right, { kind }) {
    const { columns: after } = right;
    const types = new Map(after.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type, kind)]));
    return [
        ...before.flatMap(({ name, type }) => {
            const [old, other] = [(0,engine/* describeType */.MF)(type, kind), types.get(name)];
            if (old === other)
                return [];
            return [{ name, before: old, ...(other === undefined ? {} : { after: other }) }];
        }),
        ...after.flatMap(({ name, type }, place) => has(before, name) ? [] : [{ name, after: (0,engine/* describeType */.MF)(type, kind), ...valuesOf(right, place) }]),
    ];
}
function valuesOf({ columns, rows }, place) {
    const column = columns[place];
    if (column === undefined)
        return {};
    const values = rows.map((row) => (0,shown_value/* shownValue */.J)(row[place] ?? null, column.type));
    const different = new Map(values.map((value) => [JSON.stringify(value), value]));
    different.delete('null');
    return {
        values: [...different.values()].slice(0, maxValues),
        nulls: values.filter((value) => value === null).length,
    };
}
function compareRows(left, right) {
    const names = left.columns.map(({ name }) => name).filter((name) => has(right.columns, name));
    const [before, after] = [keyedRows(left, names), keyedRows(right, names)];
    const candidates = names.flatMap((name, place) => canIdentify(left, name) && canIdentify(right, name) ? [place] : []);
    const key = findKey(names, { before, after, candidates }, right.primaryKey);
    const pairs = key === undefined ? pairEqual(before, after) : pairByKey(before, after, key);
    const taken = new Set(pairs.map(([, index]) => index));
    const kept = new Set(pairs.map(([index]) => index));
    const added = indicesOf(after).filter((index) => !taken.has(index));
    const removed = indicesOf(before).filter((index) => !kept.has(index));
    const cells = new Map();
    const changed = pairs.flatMap(([old, current]) => {
        const different = names.filter((_, place) => before[old]?.[place] !== after[current]?.[place]);
        for (const name of different)
            cells.set(name, (cells.get(name) ?? 0) + 1);
        return different.length === 0 ? [] : [{ old, current, different }];
    });
    const keyNames = key?.map((place) => names[place] ?? '') ?? [];
    const rows = function* () {
        for (const { old, current, different } of changed) {
            const shown = [...keyNames, ...different];
            yield { before: shownRow(left, old, shown), after: shownRow(right, current, shown) };
        }
        for (const index of added)
            yield { after: shownRow(right, index) };
        for (const index of removed)
            yield { before: shownRow(left, index) };
    };
    return {
        key: keyNames,
        added: added.length,
        removed: removed.length,
        changed: changed.length,
        cells: Object.fromEntries(cells),
        rows: rows().take(maxRowChanges).toArray(),
    };
}
function canIdentify({ columns }, name) {
    const type = columns.find((column) => column.name === name)?.type;
    if (type === undefined || type.name === 'NUMBER')
        return type?.scale === 0;
    return !['FLOAT', 'BOOLEAN', 'VARIANT'].includes(type.name);
}
function has(columns, name) {
    return columns.some((column) => column.name === name);
}
function keyedRows({ columns, rows }, names) {
    const compared = names.map((name) => {
        const place = columns.findIndex((column) => column.name === name);
        return { place, type: columns[place]?.type };
    });
    return rows.map((row) => compared.map(({ place, type }) => type === undefined ? '' : (0,compare_values/* comparableOfValue */.Xf)(row[place] ?? null, type).key));
}
function pairByKey(before, after, key) {
    const places = new Map(after.map((row, index) => [keyOf(row, key), index]));
    return before.flatMap((row, index) => {
        const place = places.get(keyOf(row, key));
        return place === undefined ? [] : [[index, place]];
    });
}
function pairEqual(before, after) {
    const places = new Map();
    for (const [index, row] of after.entries()) {
        const key = JSON.stringify(row);
        const known = places.get(key) ?? [];
        known.push(index);
        places.set(key, known);
    }
    for (const known of places.values())
        known.reverse();
    return before.flatMap((row, index) => {
        const place = places.get(JSON.stringify(row))?.pop();
        return place === undefined ? [] : [[index, place]];
    });
}
function indicesOf(rows) {
    return rows.map((_, index) => index);
}
function shownRow({ columns, rows }, index, names = columns.map(({ name }) => name)) {
    return Object.fromEntries(names.map((name) => {
        const place = columns.findIndex((column) => column.name === name);
        return [name, (0,shown_value/* shownValue */.J)(rows[index]?.[place] ?? null, columns[place]?.type)];
    }));
}

// EXTERNAL MODULE: ./flows/test/check-outcome.js
var check_outcome = __webpack_require__(8574);
// EXTERNAL MODULE: ./flows/test/mock-problems.js
var mock_problems = __webpack_require__(2133);
// EXTERNAL MODULE: ./flows/test/compare-table.js + 1 modules
var compare_table = __webpack_require__(8256);
// EXTERNAL MODULE: ./flows/test/writers-of.js
var writers_of = __webpack_require__(8300);
;// CONCATENATED MODULE: ./flows/diff/table-content.js



async function readTables(left) {
    const { warehouse, project } = left;
    await warehouse.refresh();
    const tables = new Map();
    for (const table of warehouse.catalog.all()) {
        const name = shownName(table, project);
        tables.set(name, await readTable(table, name, left));
    }
    return tables;
}
async function readTable(table, name, { warehouse, project, state }) {
    const { columns, primaryKey } = table;
    const writer = state === undefined ? {} : (0,writers_of/* writersOf */.k)(table, { state, project });
    const common = { name, columns, primaryKey, writer };
    try {
        const { rows, count } = await (0,compare_table/* readRows */.aK)(table, columns, { warehouse });
        if (count === rows.length)
            return { ...common, rows, count };
        return { ...common, rows: [], count, unknown: `it has more than ${rows.length} rows` };
    }
    catch (error) {
        if (!(error instanceof engine/* SqlError */.L8))
            throw error;
        return { ...common, rows: [], count: 0, unknown: (0,compare_table/* unreadable */.O$)(table, error) };
    }
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
        (0,broken_pipeline/* refuseBrokenCalls */.P)(run.called, setting.project);
        const faults = (0,mock_problems/* mockFaults */.Q)(run);
        if (faults.length > 0)
            throw new engine/* FileProblems */.jq(faults);
        const stop = (0,check_outcome/* checkOutcome */.T)(run).find(({ kind }) => kind === 'refused' || kind === 'timeout');
        const { status, failed, message } = run.state;
        const failure = failed === undefined ? { message } : { component: failed.component, message: failed.message };
        const end = status === 'SUCCESS' ? { status: 'success' } : { status: 'failure', ...failure };
        const known = { end, called: run.called };
        if (stop !== undefined)
            return { ...known, tables: new Map(), unknown: describe({ ...stop }) };
        return { ...known, tables: await readTables(run) };
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
            called: [],
            tables: await readTables({ warehouse, project: setting.project }),
        };
    }
    finally {
        await warehouse.clear();
    }
}
function describe({ file, line, column, message }) {
    const [first = ''] = message.split('\n');
    return `${file}:${line}:${column} ${first.replace(/:$/u, '')}`;
}

;// CONCATENATED MODULE: ./flows/diff/table-totals.js
function tableTotals(changes) {
    const tables = Map.groupBy(changes.flatMap((change) => change.tables), ({ table }) => table);
    return [...tables]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([table, found]) => {
        const sum = (count) => found.reduce((total, change) => total + change[count], 0);
        const cells = new Map();
        for (const change of found)
            for (const [column, count] of Object.entries(change.cells))
                cells.set(column, (cells.get(column) ?? 0) + count);
        return {
            table,
            tests: found.length,
            added: sum('added'),
            removed: sum('removed'),
            changed: sum('changed'),
            cells: Object.fromEntries(cells),
            columns: [...new Set(found.flatMap(({ columns }) => columns.map(({ name }) => name)))],
        };
    });
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
    const { project, base } = request;
    const { name, commit } = base;
    if (!base.isOther)
        return { base: { name, commit }, isSame: true, tests: 0, tables: [], changes: [], untested: [] };
    const problems = [];
    const tests = await planAll(request, context, problems);
    if (tests.length + problems.length === 0)
        throw (0,run_tests/* noTest */.wC)(request);
    const called = new Set();
    const changes = await compareAll(tests, request, context, { problems, called });
    const ordered = tests.flatMap(({ planned }) => changes.get(planned) ?? []);
    return {
        base: { name, commit },
        isSame: false,
        tests: tests.length,
        tables: tableTotals(ordered),
        changes: ordered,
        untested: untestedChanges(base, project, called),
        ...(problems.length === 0 ? {} : { problems: (0,test_problem/* sortedProblems */.ET)(problems) }),
    };
}
async function planAll({ project, files, filter, packages }, context, problems) {
    const common = (0,run_test/* testSetting */.ZL)(project, context);
    const tests = [];
    for (const file of files) {
        const traced = traceReads(project, common.declared);
        const setting = { ...common, project: traced.project, declared: traced.declared };
        const plan = () => (0,run_tests/* planFile */.eS)(file, traced.project, { filter, packages });
        for (const planned of (await (0,test_problem/* collectProblems */.vX)(problems, plan)) ?? [])
            tests.push({ planned, setting, reads: traced.reads });
    }
    return tests;
}
async function compareAll(tests, { project, base, jobs, packages }, context, { problems, called }) {
    const changes = new Map();
    const declared = (0,declared_tables/* declaredTables */.W)(base.project);
    const baseSetting = { ...(0,run_test/* testSetting */.ZL)(base.project, context), declared };
    const waiting = tests.values();
    const job = async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const current = __addDisposableResource(env_1, await (0,run_tests/* openTestWarehouse */.WW)(project, packages), true);
            const before = __addDisposableResource(env_1, await (0,run_tests/* openTestWarehouse */.WW)(base.project, packages), true);
            for (const { planned, setting, reads } of waiting) {
                context.signal.throwIfAborted();
                const after = await (0,test_problem/* collectProblems */.vX)(problems, () => runOnce(planned, current, setting));
                if (after === undefined)
                    continue;
                for (const path of after.called)
                    called.add(path);
                if (changedReads(reads, base.project, declared) === undefined)
                    continue;
                const atBase = await runAtBase(planned, before, { setting: baseSetting, project, base });
                for (const path of atBase.called)
                    called.add(path);
                const change = diff_data_changeOf(planned, atBase, after, project);
                if (change !== undefined)
                    changes.set(planned, change);
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
    return changes;
}
async function runAtBase(planned, warehouse, { setting, project, base, }) {
    try {
        const before = await testAtBase(planned, project, base);
        return before === undefined
            ? { ...(await givenOnly(planned, warehouse, setting)), isNew: true }
            : { ...(await runOnce(before, warehouse, setting)), isNew: false };
    }
    catch (error) {
        if (!(error instanceof engine/* FileProblems */.jq))
            throw error;
        const [first] = error.problems;
        const unknown = first === undefined ? error.message : describe(first);
        return { end: { status: 'failure' }, called: [], tables: new Map(), unknown, isNew: false };
    }
}
function diff_data_changeOf({ file, test, document }, before, after, project) {
    const common = { file: file.file, line: test.place.line, name: test.name, pipeline: document.path };
    const reason = after.unknown ?? (before.unknown === undefined ? undefined : `at the base: ${before.unknown}`);
    if (reason !== undefined)
        return { ...common, status: 'not-compared', tables: [], reason };
    const status = before.isNew ? 'new-pipeline' : 'changed';
    const hasOtherEnd = !before.isNew && isOther(before.end, after.end);
    const tables = hasOtherEnd && before.end.status !== after.end.status
        ? []
        : compareTables(before.tables, after.tables, project);
    if (!hasOtherEnd && tables.length === 0)
        return undefined;
    const end = hasOtherEnd ? { end: { before: before.end, after: after.end } } : {};
    return { ...common, status, tables, ...end };
}
function isOther(before, after) {
    return before.status !== after.status || before.component !== after.component;
}
function untestedChanges({ pipelines, renamed }, project, called) {
    return [...pipelines]
        .filter(([path]) => !called.has(path) && !called.has(renamed.get(path) ?? path))
        .filter(([path, change]) => (0,pipeline_kind/* kindOf */.I)(path) !== undefined && (change === 'deleted' || project.has(path)))
        .map(([pipeline, change]) => ({ pipeline, change }))
        .toSorted((a, b) => (a.pipeline < b.pipeline ? -1 : 1));
}

// EXTERNAL MODULE: ./lib/core/number-of.js
var number_of = __webpack_require__(1640);
// EXTERNAL MODULE: ./lib/core/sanitize-text.js
var sanitize_text = __webpack_require__(6680);
// EXTERNAL MODULE: ./flows/test/row-lines.js
var row_lines = __webpack_require__(8982);
;// CONCATENATED MODULE: ./flows/diff/row-table.js


const maxRows = 20;
const maxColumns = 8;
function rowTable({ rows, key, cells, added, removed, changed }) {
    const shown = rows.slice(0, maxRows);
    const all = [
        ...new Set([
            ...key,
            ...Object.keys(cells),
            ...shown.flatMap(({ before, after }) => keysOf(before, after)),
        ]),
    ];
    const columns = all.slice(0, maxColumns);
    const lines = shown.map((row) => ({
        mark: markOf(row),
        cells: columns.map((name) => cellText(row, name)),
    }));
    const widths = columns.map((name, index) => Math.max((0,sanitize_text/* oneLine */.TN)(name).length, ...lines.map((line) => line.cells[index]?.length ?? 0)));
    const line = (mark, texts) => `${mark} ${texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd();
    const more = added + removed + changed - shown.length;
    const left = all.length - columns.length;
    return shown.length === 0
        ? []
        : [
            line(' ', columns.map(sanitize_text/* oneLine */.TN)) + (left > 0 ? `  (${left} more columns)` : ''),
            ...lines.map(({ mark, cells: texts }) => line(mark, texts)),
            ...(more > 0 ? [`  and ${more} more`] : []),
        ];
}
function markOf({ before, after }) {
    if (before === undefined)
        return '+';
    return after === undefined ? '-' : '~';
}
function keysOf(before, after) {
    return [...Object.keys(before ?? {}), ...Object.keys(after ?? {})];
}
function cellText({ before, after }, column) {
    const [old, current] = [cellOf(before, column), cellOf(after, column)];
    const texts = [...new Set([old, current].filter((cell) => cell !== undefined).map(row_lines/* shownText */.f$))];
    return texts.join(' → ');
}
function cellOf(row, column) {
    return row !== undefined && Object.hasOwn(row, column) ? row[column] : undefined;
}

;// CONCATENATED MODULE: ./flows/diff/diff-lines.js




function diffLines(diff) {
    const { shown, others } = shownChanges(diff);
    return [
        ...shown.flatMap((change) => [
            `${(0,sanitize_text/* oneLine */.TN)(change.file)}:${change.line} ${(0,sanitize_text/* oneLine */.TN)(change.name)}`,
            ...changeLines(change).map((line) => `  ${line}`),
            '',
        ]),
        ...(others === 0 ? [] : [othersText(others), '']),
        ...unknownLines(diff),
        headline(diff),
        comparedWith(diff),
    ];
}
function shownChanges({ changes }) {
    const known = changes.filter(({ status }) => status !== 'not-compared');
    const seen = new Set();
    const shown = known.filter(({ tables, end }) => {
        const columns = tables.map((one) => JSON.stringify([one.table, one.columns.map(({ name, before, after }) => [name, before, after])]));
        const isNew = columns.some((one) => !seen.has(one));
        for (const one of columns)
            seen.add(one);
        const hasRows = tables.some((one) => one.kind !== 'changed' || one.unknown !== undefined || rowCount(one) > 0);
        return isNew || hasRows || end !== undefined;
    });
    return { shown, others: known.length - shown.length };
}
function rowCount({ added, removed, changed }) {
    return added + removed + changed;
}
function othersText(count) {
    return `In ${(0,number_of/* numberOf */.r)(count, 'more test')}, only columns change, in the same way.`;
}
function headline({ tables, changes, tests, isSame }) {
    if (isSame)
        return 'No file of the project differs, so no data changes.';
    const ends = changes.filter(({ end }) => end !== undefined).length;
    const unknown = changes.filter(({ status }) => status === 'not-compared').length;
    const parts = [
        ...(tables.length === 0
            ? []
            : [
                `Data changes in ${(0,number_of/* numberOf */.r)(tables.length, 'table')}: ${tables.slice(0, 5).map(totalText).join(', ')}${tables.length > 5 ? ', …' : ''}`,
            ]),
        ...(ends === 0 ? [] : [`${(0,number_of/* numberOf */.r)(ends, 'test')} ${ends === 1 ? 'ends' : 'end'} in another way`]),
        ...(unknown === 0 ? [] : [`${(0,number_of/* numberOf */.r)(unknown, 'test')} could not be compared`]),
    ];
    if (parts.length > 0)
        return `${parts.join('; ')}.`;
    return `No data changes in the tables of ${(0,number_of/* numberOf */.r)(tests, 'test')}.`;
}
function totalText({ columns, table, ...counts }) {
    const [first = ''] = columns;
    const names = columns.length === 1 ? `column ${(0,sanitize_text/* oneLine */.TN)(first)}` : `${columns.length} columns`;
    return `${(0,sanitize_text/* oneLine */.TN)(table)} ${countsText(counts)}${columns.length === 0 ? '' : ` (${names})`}`;
}
function countsText({ added, removed, changed, }) {
    return `+${added} −${removed} ~${changed}`;
}
function comparedWith({ tests, base, isSame }) {
    const id = base.commit.slice(0, 12);
    const name = base.name === base.commit || base.name === id ? id : `${base.name} (${id})`;
    if (isSame)
        return `Compared with ${(0,sanitize_text/* oneLine */.TN)(name)}. To compare a branch with where it began, give --base and its target, such as --base main.`;
    return `Compared with ${(0,sanitize_text/* oneLine */.TN)(name)}, on the rows of ${(0,number_of/* numberOf */.r)(tests, 'test')}.`;
}
function changeLines({ end, tables, status, pipeline }) {
    return [
        ...(status === 'new-pipeline' ? [`${(0,sanitize_text/* oneLine */.TN)(pipeline)} is new: compared with the given tables`] : []),
        ...(end === undefined ? [] : endLines(end)),
        ...tables.flatMap((table) => tableLines(table)),
    ];
}
function endLines({ before, after }) {
    return [`before: ${endText(before)}`, `now:    ${endText(after)}`];
}
function endText({ status, component, message }) {
    if (status === 'success')
        return 'the pipeline succeeds';
    const where = component === undefined ? '' : ` in "${(0,sanitize_text/* oneLine */.TN)(component)}"`;
    const [first = ''] = (message ?? '').split('\n');
    return `the pipeline fails${where}${first === '' ? '' : `: ${(0,sanitize_text/* oneLine */.TN)(first)}`}`;
}
function tableLines(change) {
    return [
        tableHead(change),
        ...change.columns.map((column) => `  ${columnText(column)}`),
        ...rowTable(change).map((line) => `  ${line}`),
    ];
}
function tableHead(change) {
    const { table, kind, key, cells, unknown, component, at } = change;
    const place = at === undefined ? '' : ` (${(0,sanitize_text/* oneLine */.TN)(at.file)}:${at.line})`;
    const writer = component === undefined ? '' : `; written by "${(0,sanitize_text/* oneLine */.TN)(component)}"${place}`;
    const what = { created: ' (new table)', removed: ' (table is gone)', changed: '' }[kind];
    const name = `table "${(0,sanitize_text/* oneLine */.TN)(table)}"${what}`;
    if (unknown !== undefined)
        return `${name}: its rows could not be compared: ${(0,sanitize_text/* oneLine */.TN)(unknown)}${writer}`;
    const columns = Object.entries(cells).map(([column, count]) => `${(0,sanitize_text/* oneLine */.TN)(column)} ${count}`);
    const changed = columns.length === 0 ? '' : ` (${columns.join(', ')})`;
    const by = key.length === 0 ? '' : `; key ${key.map(sanitize_text/* oneLine */.TN).join(', ')}`;
    return `${name}: ${countsText(change)}${changed}${by}${writer}`;
}
function columnText({ name, before, after, values = [], nulls = 0 }) {
    if (after === undefined)
        return `- column ${(0,sanitize_text/* oneLine */.TN)(name)} ${before ?? ''}`;
    if (before !== undefined)
        return `~ column ${(0,sanitize_text/* oneLine */.TN)(name)} ${before} → ${after}`;
    const shown = [...values.map(row_lines/* shownText */.f$), ...(nulls === 0 ? [] : [`null in ${(0,number_of/* numberOf */.r)(nulls, 'row')}`])];
    return `+ column ${(0,sanitize_text/* oneLine */.TN)(name)} ${after}${shown.length === 0 ? '' : `: ${shown.join(', ')}`}`;
}
function unknownBlocks({ changes, untested, }) {
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
            title: 'Changed, but run by no test, so that nothing is known about their data',
            lines: untested.map(({ pipeline, change }) => `${(0,sanitize_text/* oneLine */.TN)(pipeline)} (${change})`),
        },
    ];
    return blocks.filter(({ lines }) => lines.length > 0);
}
function unknownLines(diff) {
    return unknownBlocks(diff).flatMap(({ title, lines }) => [
        `${title}:`,
        ...lines.map((line) => `  ${line}`),
        '',
    ]);
}

// EXTERNAL MODULE: ./lib/git/blob-reader.js
var blob_reader = __webpack_require__(7159);
// EXTERNAL MODULE: ./lib/git/changed-file.js
var changed_file = __webpack_require__(1601);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./lib/git/disk-reader.js
var disk_reader_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var disk_reader_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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
        const known = folders.get(folder) ?? (0,promises_.realpath)(folder);
        folders.set(folder, known);
        return known;
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
        const handle = disk_reader_addDisposableResource(env_1, await (0,promises_.open)(file, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NOFOLLOW | external_node_fs_.constants.O_NONBLOCK), true);
        const stat = await handle.stat();
        if (!stat.isFile())
            return 'it is not a regular file';
        return stat.size > maxBytes ? (0,git_snapshot/* tooLarge */.g$)(maxBytes) : await handle.readFile();
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = disk_reader_disposeResources(env_1);
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

// EXTERNAL MODULE: ./lib/git/open-place.js + 1 modules
var open_place = __webpack_require__(4538);
// EXTERNAL MODULE: ./lib/git/resolve-commit.js
var resolve_commit = __webpack_require__(914);
// EXTERNAL MODULE: ./lib/git/run-git.js
var run_git = __webpack_require__(6150);
// EXTERNAL MODULE: ./lib/git/scan-blobs.js
var scan_blobs = __webpack_require__(2108);
// EXTERNAL MODULE: ./lib/git/tree-entry.js
var tree_entry = __webpack_require__(4413);
;// CONCATENATED MODULE: ./lib/git/work-copy.js










async function openWorkCopy(directory, kind, { environment, signal } = {}) {
    const { place: opened, root } = await (0,open_place/* openPlace */.Q)(directory, environment, signal);
    const place = { ...opened, directory: root, environment: withIndex(opened, environment, root) };
    const ask = async (...args) => (await (0,run_git/* runGit */.EO)(place, args, { signal })).stdout;
    const askNames = async (...options) => names(await ask('ls-files', '-z', ...options));
    const untracked = kind === 'staged' ? [] : askNames('--others', '--exclude-standard');
    const list = async () => {
        const staged = ask('ls-files', '-z', '--stage').then(parseIndex);
        if (kind === 'staged')
            return staged;
        const [tracked, deleted, fresh] = await Promise.all([staged, askNames('--deleted'), untracked]);
        const gone = new Set(deleted);
        return [
            ...tracked.filter((entry) => !gone.has(entry.path)),
            ...fresh.map((name) => entryOf(name, '100644', '')),
        ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    };
    const listed = list();
    listed.catch(() => { });
    const commit = await (0,resolve_commit/* resolveCommit */.W)(place, 'HEAD', signal).catch(() => '');
    const unread = new Map();
    const links = new Set();
    const readOnDisk = diskReader(root, links);
    return {
        kind,
        commit,
        list: async (under = '') => (0,git_snapshot/* inFolder */._z)(await listed, under),
        unread,
        links,
        async readFiles(paths, maxBytes = blob_reader/* defaultMaxBytes */.f, wanted) {
            const asked = new Set(paths);
            const entries = (await listed).filter((entry) => entry.type === 'blob' && asked.has(entry.path));
            if (kind === 'working-tree') {
                const contents = new Map();
                for (const { path: name } of entries) {
                    const read = await readOnDisk(name, maxBytes);
                    if (typeof read === 'string')
                        unread.set(name, read);
                    else if (wanted?.(read) !== false)
                        contents.set(name, read);
                }
                return contents;
            }
            for (const entry of entries.filter(tree_entry/* isLink */.P))
                links.add(entry.path);
            const scan = (oids, visit) => (0,scan_blobs/* scanBlobs */._)(place, oids, visit, signal);
            return (0,git_snapshot/* readEntries */.$2)(scan, entries, { unread, maxBytes, wanted });
        },
        async changedSince(base) {
            const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames'];
            const where = kind === 'staged' ? ['--cached'] : [];
            const id = base === commit ? commit : await (0,resolve_commit/* resolveCommit */.W)(place, base, signal);
            const changed = (0,changed_file/* parseChanges */.p)(await ask('diff', '--raw', '-z', ...plain, ...where, '--end-of-options', id));
            const fresh = (await untracked).map((name) => ({ status: 'added', path: name }));
            return [...changed, ...fresh];
        },
    };
}
function withIndex({ environment }, outside, root) {
    const index = outside?.GIT_INDEX_FILE;
    if (environment === undefined || index === undefined || index === '')
        return environment;
    return { ...environment, GIT_INDEX_FILE: external_node_path_.resolve(root, index) };
}
function parseIndex(output) {
    return names(output).flatMap((record) => {
        const tab = record.indexOf('\t');
        const [mode = '', oid = '', stage] = record.slice(0, tab).split(' ');
        return stage === '0' || stage === '2' ? [entryOf(record.slice(tab + 1), mode, oid)] : [];
    });
}
function entryOf(name, mode, oid) {
    return { path: name, mode, type: mode === '160000' ? 'commit' : 'blob', oid };
}
function names(output) {
    return output
        .toString('utf8')
        .split('\0')
        .filter((name) => name !== '');
}

// EXTERNAL MODULE: ./lib/github/deliver-report.js + 1 modules
var deliver_report = __webpack_require__(1697);
// EXTERNAL MODULE: ./lib/github/event-target.js
var event_target = __webpack_require__(8075);
// EXTERNAL MODULE: ./actions/kit/checked-out-tests.js + 3 modules
var checked_out_tests = __webpack_require__(4355);
// EXTERNAL MODULE: ./actions/kit/connect-to-github.js
var connect_to_github = __webpack_require__(514);
// EXTERNAL MODULE: ./actions/kit/project.js + 3 modules
var project = __webpack_require__(113);
// EXTERNAL MODULE: ./actions/kit/report-failed-step.js
var report_failed_step = __webpack_require__(7669);
// EXTERNAL MODULE: ./actions/kit/redact-report.js
var redact_report = __webpack_require__(6036);
// EXTERNAL MODULE: ./actions/kit/test-failures.js
var test_failures = __webpack_require__(7502);
// EXTERNAL MODULE: ./lib/github/annotation-commands.js
var annotation_commands = __webpack_require__(3789);
;// CONCATENATED MODULE: ./actions/diff/diff-report.js



function reportOfDiff(diff, { prefix, notes, failsOnChange }) {
    const { shown, others } = shownChanges(diff);
    const hasChanges = diff.changes.length > 0;
    return {
        title: 'Data diff',
        outcome: diff.isSame ? 'nothing-to-do' : failsOnChange && hasChanges ? 'failed' : 'passed',
        headline: headline(diff),
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
            ...shown.map((change) => ({
                title: `${prefix}${change.file}:${change.line} ${change.name}`,
                lines: changeLines(change),
            })),
            ...unknownBlocks(diff),
        ],
        isNews: hasChanges,
        notes: [comparedWith(diff), ...(others === 0 ? [] : [othersText(others)]), ...notes],
    };
}
function totalRow({ table, added, removed, changed, cells, columns, tests }) {
    const byColumn = Object.entries(cells).map(([column, count]) => `${column} ${count}`);
    return [
        table,
        String(added),
        String(removed),
        String(changed),
        byColumn.join(', '),
        columns.join(', '),
        String(tests),
    ];
}
function diffAnnotations(diff, prefix) {
    const written = diff.changes.flatMap(({ tables }) => tables.filter(({ at }) => at !== undefined));
    const groups = Map.groupBy(written, ({ table, at }) => JSON.stringify([table, at]));
    return [...groups.values()].slice(0, annotation_commands/* maximumPerLevel */.en).flatMap((changes) => {
        const [first] = changes;
        if (first?.at === undefined)
            return [];
        const { table, at } = first;
        const sum = (count) => changes.reduce((total, change) => total + change[count], 0);
        const counts = countsText({ added: sum('added'), removed: sum('removed'), changed: sum('changed') });
        const message = `Table "${table}": ${counts} on the rows of ${(0,number_of/* numberOf */.r)(changes.length, 'test')}. The job summary has the rows.`;
        const { file, line, column } = at;
        return [
            (0,annotation_commands/* annotationCommand */.jx)('notice', message, { file: `${prefix}${file}`, line, column, title: 'Data changes' }),
        ];
    });
}

// EXTERNAL MODULE: ./lib/core/failure.js + 1 modules
var failure = __webpack_require__(9428);
// EXTERNAL MODULE: ./lib/github/fetch-commit.js
var fetch_commit = __webpack_require__(7039);
;// CONCATENATED MODULE: ./actions/diff/find-base.js


async function findBase(target, search) {
    const { given, repository, fetch } = search;
    const have = (commit) => (0,fetch_commit/* fetchedCommit */.vm)(repository, { ...fetch, commit });
    if (given !== undefined) {
        if (/^[0-9a-f]{40,64}$/u.test(given))
            return { commit: await have(given), notes: [] };
        throw new failure/* Failure */.HR('usage', {
            message: `"${given}" is not a commit id.`,
            where: { input: 'base' },
            hint: 'Give the full commit id, 40 (or 64) hexadecimal digits, such as ${{ github.event.before }}.',
        });
    }
    const { base, kind, mergeCommits = [] } = target;
    if (base === undefined)
        return undefined;
    const { signal } = fetch;
    const head = await repository.resolveCommit('HEAD', { signal });
    if (kind !== 'pull-request')
        return { commit: await have(base), notes: [] };
    const [onto, merged] = mergeCommits.includes(head) ? await repository.parents(head, { signal }) : [];
    if (onto !== undefined && merged !== undefined)
        return { commit: await have(onto), notes: [] };
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
async function mergeBase(base, head, { repository, connection, fetch: { signal } }) {
    const unlessAborted = (error) => {
        if (!(error instanceof failure/* Failure */.HR) || signal?.aborted === true)
            throw error;
        return undefined;
    };
    return ((await repository.mergeBase(base, head, { signal }).catch(unlessAborted)) ??
        (await connection?.commits.mergeBase(connection.repository, base, head).catch(unlessAborted)));
}

;// CONCATENATED MODULE: ./actions/diff/diff-project.js


















const title = 'Data diff';
const maxJobs = 4;
async function diffProject(inputs, step) {
    const target = (0,event_target/* readTarget */._)(step.facts);
    if (target === undefined)
        return nothingToCompare('The branch was deleted.');
    let key = diff_project_keyOf(inputs['working-directory']);
    try {
        const checkedOut = await (0,project/* openProject */.U8)(step, inputs['working-directory']);
        key = diff_project_keyOf(checkedOut.directory);
        return await compare(target, checkedOut, inputs, step);
    }
    catch (error) {
        const { comment, 'github-token': token } = inputs;
        await (0,report_failed_step/* reportFailedStep */.G)(error, { title, token, check: 'off', comment, target, key, step });
        throw error;
    }
}
async function compare(target, checkedOut, inputs, step) {
    const { facts, context, environment } = step;
    const { signal } = context;
    const { repository, directory, path } = checkedOut;
    const connection = await (0,connect_to_github/* connectToGitHub */.t)(inputs['github-token'], step);
    const fetch = { directory: path, environment, signal };
    const base = await findBase(target, { given: inputs.base, repository, connection, fetch });
    if (base === undefined)
        return nothingToCompare('The event has no commit to compare with. To name one, set the input base.');
    const { filter, jobs = Math.min(maxJobs, (0,external_node_os_.availableParallelism)()), files: names } = inputs;
    const { project, files, prefix } = await (0,checked_out_tests/* openCheckedOutTests */.j)(inputs['working-directory'], names, step);
    try {
        const { commit } = base;
        const workTree = await openWorkCopy(path, 'working-tree', { environment, signal });
        const name = nameOf(commit, target);
        const atBase = await projectAtBase(project, { repository, workTree, directory, commit, name, signal });
        step.log(`Running the tests of ${(0,number_of/* numberOf */.r)(files.length, 'file')} as they are, and with the pipelines of ${commit}, ${jobs} at a time.`);
        const packages = (0,external_node_path_.resolve)(facts.workspace, inputs.engine);
        const diff = await diffData({ project, base: atBase, files, filter, jobs, packages }, context);
        for (const line of diffLines(diff))
            step.log(line);
        for (const line of diffAnnotations(diff, prefix))
            step.command(line);
        const failsOnChange = inputs['fail-on'] === 'change';
        const report = reportOfDiff(diff, { prefix, notes: base.notes, failsOnChange });
        const delivery = await (0,deliver_report/* deliverReport */.x)((0,redact_report/* withoutSecrets */.c)(report, step.redact), {
            connection,
            serverUrl: facts.serverUrl,
            commit: target.commit,
            pullRequest: target.pullRequest,
            key: diff_project_keyOf(directory),
            check: 'off',
            comment: inputs.comment,
            writeLine: step.command,
        });
        const result = { report, delivery, details: diff, outputs: outputsOf(diff, delivery.commentUrl) };
        if (diff.problems === undefined)
            return result;
        return { ...result, failure: (0,test_failures/* invalidTests */.B)((0,test_problem/* testFailure */.t)(diff.problems), prefix, step) };
    }
    catch (error) {
        throw (0,test_failures/* explainTestFailure */.A)(error, prefix, step);
    }
}
function diff_project_keyOf(directory) {
    const folder = external_node_path_.posix.normalize(directory).replace(/^\.?\/*|\/+$/gu, '');
    return folder === '' ? 'data' : `data ${folder}`;
}
function nameOf(commit, { base, kind }) {
    if (kind === 'pull-request')
        return base === commit ? 'the target branch' : 'the point where the branch began';
    return base === commit ? 'the commit before' : commit;
}
function outputsOf({ tests, tables, changes, base }, url = '') {
    const sum = (count) => tables.reduce((total, table) => total + table[count], 0);
    return {
        tests,
        tables: tables.length,
        added: sum('added'),
        removed: sum('removed'),
        changed: sum('changed'),
        'not-compared': changes.filter(({ status }) => status === 'not-compared').length,
        base: base.commit,
        url,
    };
}
function nothingToCompare(headline) {
    return {
        report: { title, outcome: 'nothing-to-do', headline, facts: [], findings: [], notes: [] },
        details: {},
        outputs: { tests: 0, tables: 0, added: 0, removed: 0, changed: 0, 'not-compared': 0, base: '', url: '' },
    };
}


/***/ })

};
