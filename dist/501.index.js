export const id = 501;
export const ids = [501];
export const modules = {

/***/ 8501:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runProjectTests: () => (/* binding */ runProjectTests)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./engine/index.js + 306 modules
var engine = __webpack_require__(2566);
// EXTERNAL MODULE: ./lib/pipelines/model/calls.js
var calls = __webpack_require__(9846);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-tests.js + 1 modules
var run_tests = __webpack_require__(4721);
// EXTERNAL MODULE: ./lib/pipelines/model/component-types.js
var component_types = __webpack_require__(8080);
;// CONCATENATED MODULE: ./flows/data-graph/project-text.js

function textIn(project, path) {
    try {
        return project.text(path);
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return undefined;
        throw error;
    }
}

;// CONCATENATED MODULE: ./flows/data-graph/mentioned-tables.js




const known = new Set([...component_types/* knownTypes */.ts.orchestration, ...component_types/* knownTypes */.ts.transformation]);
const scriptTypes = new Set(['sql-executor', 'sql-script']);
const definitionWords = /create|alter|replace|rename|to_sql|save_?as|write|overwrite/i;
const dynamicSql = /\bexecute\s+immediate\b|\bprocedure\b|\$\$|\bdeclare\b|\bbegin\b(?!\s*(?:;|work\b|transaction\b|$))/i;
const script = /\.sql$/i;
const code = /\.(?:py|sh|ipynb)$/i;
function mentionedWords(project) {
    return new Set([...componentTexts(project), ...fileTexts(project)].flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []));
}
function* componentTexts(project) {
    const targets = { has: (path) => project.has(path), shared: project.shared };
    for (const path of project.pipelines)
        for (const component of project.pipeline(path)?.components.values() ?? []) {
            const call = (0,calls/* callOf */.C8)(component);
            if (call !== undefined && (0,calls/* calledPath */.v)(call, targets) === undefined)
                yield* textsOf(component);
            else if (!known.has(component.type))
                yield* textsOf(component);
            else if (component_types/* codeTypes */.BA.has(component.type))
                yield* textsOf(component).filter((text) => definitionWords.test(text));
            else if (scriptTypes.has(component.type))
                yield* textsOf(component).filter((text) => dynamicSql.test(text));
        }
}
function* fileTexts(project) {
    for (const path of project.paths) {
        const form = script.test(path) ? dynamicSql : code.test(path) ? definitionWords : undefined;
        const text = form === undefined ? '' : (textIn(project, path) ?? '');
        if (form?.test(text) === true)
            yield text;
    }
}
function textsOf(component) {
    return Array.from((0,yaml_node/* scalarsOf */.TM)(component.node('parameters')), (scalar) => (0,yaml_node/* textOf */.b6)(scalar) ?? '');
}

;// CONCATENATED MODULE: ./flows/data-graph/project-tables.js

function tableKey({ database, schema, table }) {
    return JSON.stringify([database, schema, table]);
}
class ProjectTables {
    #definitions = new Map();
    #declared = new Map();
    #guessed = new Map();
    #words = new Set();
    setOutside({ declared, guessed, words }) {
        const [oldDeclared, oldGuessed, oldWords] = [this.#declared, this.#guessed, this.#words];
        this.#declared = unions(declared);
        this.#guessed = unions(guessed);
        this.#words = words;
        const isSame = (key) => JSON.stringify(oldDeclared.get(key)) === JSON.stringify(this.#declared.get(key)) &&
            JSON.stringify(oldGuessed.get(key)) === JSON.stringify(this.#guessed.get(key)) &&
            oldWords.has(wordOf(key)) === words.has(wordOf(key));
        const keys = [oldDeclared, this.#declared, oldGuessed, this.#guessed, this.#definitions].flatMap((map) => [...map.keys()]);
        return new Set(keys.filter((key) => !isSame(key)));
    }
    update(pipeline, { writes }) {
        const defined = Map.groupBy(writes.filter(({ mode }) => mode === 'define' || mode === 'alter'), ({ table }) => tableKey(table));
        const changed = new Set();
        for (const [key, pipelines] of this.#definitions)
            if (!defined.has(key) && pipelines.delete(pipeline))
                changed.add(key);
        for (const [key, list] of defined) {
            const pipelines = this.#definitions.get(key) ?? new Map();
            this.#definitions.set(key, pipelines);
            const definitions = list.map((write) => ({ ...write, pipeline }));
            if (contentOf(pipelines.get(pipeline)) !== contentOf(definitions))
                changed.add(key);
            pipelines.set(pipeline, definitions);
        }
        return changed;
    }
    definitionsOf(table) {
        return [
            ...(this.#definitions.get(tableKey(table)) ?? new Map()).values(),
        ].flat();
    }
    isMentioned(table) {
        return this.#words.has(table.table.toLowerCase());
    }
    isOutside(table) {
        return this.definitionsOf(table).every(({ mode }) => mode === 'alter');
    }
    find(table, pipeline) {
        const key = tableKey(table);
        const definitions = this.definitionsOf(table).filter((definition) => definition.mode !== 'alter' || definition.pipeline !== pipeline);
        const known = definitions.flatMap(({ columns }) => columns ?? []);
        const declared = this.#declared.get(key);
        const guessed = this.#guessed.get(key) ?? [];
        const isAltered = known.length === definitions.length && !this.isMentioned(table);
        const isOutside = definitions.every(({ mode }) => mode === 'alter');
        const isKnown = isAltered && (!isOutside || declared !== undefined);
        const others = isKnown && !isOutside ? [] : (declared ?? guessed);
        const columns = union([...known.flatMap((each) => each.columns), ...others]);
        if (columns.length === 0)
            return undefined;
        return {
            columns,
            areNamesComplete: isKnown && known.every(({ areNamesComplete }) => areNamesComplete),
            areTypesKnown: isKnown && known.every(({ areTypesKnown }) => areTypesKnown) && areAlike(known),
        };
    }
}
function wordOf(key) {
    const [, , table = ''] = JSON.parse(key);
    return table.toLowerCase();
}
function contentOf(definitions) {
    return JSON.stringify(definitions?.map(({ columns, component, place }) => [columns, component, place.line]));
}
function unions(tables) {
    const groups = Map.groupBy(tables, ({ table }) => tableKey(table));
    return new Map([...groups].map(([key, list]) => [key, union(list.flatMap(({ columns }) => columns))]));
}
function union(columns) {
    const byName = new Map();
    for (const column of columns) {
        const key = column.name.toLowerCase();
        if (!byName.has(key))
            byName.set(key, column);
    }
    return [...byName.values()];
}
function areAlike([first, ...others]) {
    const text = (table) => JSON.stringify(table?.columns.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type)]));
    return others.every((other) => text(other) === text(first));
}

// EXTERNAL MODULE: ./flows/pipeline-tests/files/declared-tables.js
var declared_tables = __webpack_require__(3494);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/find-tests.js
var find_tests = __webpack_require__(5299);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/table-rows.js
var table_rows = __webpack_require__(994);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/trace-reads.js
var trace_reads = __webpack_require__(4243);
// EXTERNAL MODULE: ./lib/pipelines/model/pipeline-kind.js
var pipeline_kind = __webpack_require__(5544);
;// CONCATENATED MODULE: ./flows/data-graph/test-tables.js







function createTestReader() {
    let known = new Map();
    return async (project) => {
        const created = (0,declared_tables/* declaredTables */.W)(project);
        const next = new Map();
        for (const path of (0,find_tests/* testFiles */.us)(project)) {
            const before = known.get(path);
            const isSame = before !== undefined && (0,trace_reads/* changedReads */.i)(before.reads, project, created) === undefined;
            next.set(path, isSame ? before : await readTables(path, project, created));
        }
        known = next;
        const files = Array.from(next.values(), ({ tables }) => tables);
        return {
            files: files.map(({ file }) => file),
            given: files.flatMap(({ given }) => given),
            mocked: files.flatMap(({ mocked }) => mocked),
            declared: files.flatMap(({ declared }) => declared),
        };
    };
}
async function readTables(path, project, created) {
    const given = [];
    const mocked = [];
    const declared = [];
    const traced = (0,trace_reads/* traceReads */.v)(project, created);
    const [first, ...more] = (await unlessWrong(() => (0,run_tests/* planFile */.eS)(path, traced.project, {}))) ?? [];
    const types = { schemas: first?.file.schemas ?? new Map(), declared: traced.declared };
    const add = async (table, list) => {
        const named = await unlessWrong(async () => namedTable(table, types, project));
        if (named !== undefined)
            list(named);
    };
    for (const { test, document } of first === undefined ? [] : [first, ...more]) {
        for (const table of test.given)
            await add(table, (named) => given.push({
                ...named,
                test: test.name,
                pipeline: document.path,
                written: writtenColumns(table, project),
            }));
        for (const table of test.mocks.flatMap(({ tables }) => tables))
            await add(table, (named) => mocked.push(named));
    }
    for (const [name, columns] of first?.file.schemas ?? []) {
        const place = columns[0]?.place ?? { file: path, line: 1, column: 1 };
        await add({ name: { text: name, place }, columns, content: engine/* noRows */.jw }, (named) => declared.push(named));
    }
    const { reads } = traced;
    const beside = [...reads.texts.keys(), ...reads.digests.keys()].filter((file) => file !== path && (0,pipeline_kind/* kindOf */.I)(file) === undefined);
    const file = { test: path, pipeline: first?.document.path, beside: [...new Set(beside)] };
    return { reads, tables: { file, given, mocked, declared } };
}
function namedTable(table, types, project) {
    const name = (0,table_rows/* tableNamed */.u)(table.name.text, table.name.place, project);
    return { table: name, columns: (0,table_rows/* tableRows */.Q)(table, types, project).columns };
}
function writtenColumns({ name: table, columns, content }, { kind }) {
    const placeOf = (name) => columns.find((column) => column.name === name)?.place ??
        content.rows.find((row) => row.cells.has(name))?.placeOf(name) ??
        table.place;
    const names = new Set([...columns.map(({ name }) => name), ...content.columns]);
    return Array.from(names, (name) => ({ name: (0,engine/* storedName */.Rs)(name, kind), place: placeOf(name) }));
}
async function unlessWrong(work) {
    try {
        return await work();
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return undefined;
        throw error;
    }
}

;// CONCATENATED MODULE: ./flows/data-graph/bind-project.js
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








const maxBinds = 10;
async function bindProject(project, { signal, packages }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const graph = __addDisposableResource(env_1, await openDataGraph(project, packages), true);
        return await graph.update(project, signal);
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
async function openDataGraph(opened, packages) {
    const readTests = createTestReader();
    const tables = new ProjectTables();
    const pipelines = new Map();
    const inputs = new Map();
    const changed = new Set();
    const due = new Set();
    const warehouse = await (0,run_tests/* openTestWarehouse */.WW)(opened, packages);
    async function bind(path, project, setByCallers) {
        const document = project.pipeline(path);
        if (document === undefined)
            return;
        const files = new Map();
        const bound = await (0,engine/* bindPipeline */.kv)(document, {
            warehouse,
            kind: project.kind,
            defaults: project.defaults,
            files(file) {
                files.set(file, textIn(project, file));
                return project.text(file);
            },
            tableOf: (table) => tables.find(table, path),
            setByCallers,
        });
        pipelines.set(path, bound);
        inputs.set(path, { text: textIn(project, path), setByCallers: keyOf(setByCallers), files });
        for (const key of tables.update(path, bound))
            changed.add(key);
    }
    function isCurrent(path, project, setByCallers) {
        const before = inputs.get(path);
        return (before !== undefined &&
            before.text === textIn(project, path) &&
            before.setByCallers === keyOf(setByCallers) &&
            [...before.files].every(([file, text]) => text === textIn(project, file)));
    }
    function remove(path) {
        for (const key of tables.update(path, nothing))
            changed.add(key);
        pipelines.delete(path);
        inputs.delete(path);
        due.delete(path);
    }
    return {
        async update(project, signal) {
            const tests = await readTests(project);
            const outside = tables.setOutside({
                declared: tests.declared,
                guessed: [...tests.given, ...tests.mocked],
                words: mentionedWords(project),
            });
            for (const key of outside)
                changed.add(key);
            const paths = project.pipelines.filter((path) => !project.isHidden(path));
            const present = new Set(paths);
            for (const path of [...inputs.keys()])
                if (!present.has(path))
                    remove(path);
            const setByCallers = variablesOfCalls(paths, project);
            const variablesOf = (path) => setByCallers.get(path) ?? new Set();
            const binds = new Map();
            const collect = () => {
                for (const path of paths)
                    if ((binds.get(path) ?? 0) < maxBinds && uses(pipelines.get(path), changed))
                        due.add(path);
                changed.clear();
            };
            for (const path of paths)
                if (!isCurrent(path, project, variablesOf(path)))
                    due.add(path);
            for (collect(); due.size > 0; collect())
                for (const path of paths.filter((each) => due.has(each))) {
                    signal.throwIfAborted();
                    binds.set(path, (binds.get(path) ?? 0) + 1);
                    await bind(path, project, variablesOf(path));
                    due.delete(path);
                }
            return {
                project,
                pipelines: new Map(paths.map((path) => [path, pipelines.get(path) ?? nothing])),
                tables,
                tests,
            };
        },
        [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
    };
}
const nothing = { reads: [], writes: [], problems: [], unknown: [] };
function keyOf(names) {
    return JSON.stringify([...names].toSorted());
}
function uses(bound, changed) {
    const { reads = [], writes = [] } = bound ?? {};
    return (reads.some(({ table }) => changed.has(tableKey(table))) ||
        writes.some(({ table, mode }) => mode !== 'define' && changed.has(tableKey(table))));
}
function variablesOfCalls(paths, project) {
    const variables = new Map();
    const targets = { has: (path) => project.has(path), shared: project.shared };
    for (const path of paths) {
        const document = project.pipeline(path);
        for (const call of document === undefined ? [] : (0,calls/* callsOf */.p9)(document)) {
            const called = (0,calls/* calledPath */.v)(call, targets);
            for (const target of called === undefined ? (call.dynamic ? paths : []) : [called]) {
                const names = variables.get(target) ?? new Set();
                variables.set(target, names);
                for (const name of setBy(call))
                    names.add(name);
            }
        }
    }
    return variables;
}
function setBy({ scalarVariables, component }) {
    const grids = (0,yaml_node/* itemsOf */.S3)(component.parameter('setGridVariables')).map((item) => (0,yaml_node/* textOf */.b6)((0,yaml_node/* childOf */.GG)(item, 'variable')) ?? '');
    return [...scalarVariables.map(([name]) => name), ...grids];
}

// EXTERNAL MODULE: ./lib/core/text/compare-texts.js
var compare_texts = __webpack_require__(315);
;// CONCATENATED MODULE: ./lib/core/text/list-text.js
function listText(names) {
    const last = names.at(-1) ?? '';
    return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

;// CONCATENATED MODULE: ./flows/data-graph/breaking-changes.js




function breakingChanges(graph, base) {
    const covered = new Set();
    const changes = new Map();
    for (const reader of lostReaders(graph, base)) {
        for (const { definition, column, what, isGone } of changesOf(reader, graph, base)) {
            if (reader.problem !== undefined)
                covered.add(reader.problem);
            const key = JSON.stringify([definition.pipeline, definition.component, what]);
            const change = changes.get(key) ?? { definition, column, what, isGone, readers: [] };
            changes.set(key, change);
            change.readers.push(reader);
        }
    }
    return {
        findings: [...Array.from(changes.values(), breakingFinding), ...lostTables(graph, base)],
        covered,
    };
}
function breakingFinding({ definition, column, what, isGone, readers }) {
    const { pipeline, component, place } = definition;
    const names = readers.map(({ pipeline: reader, place: { file, line } }) => `${(0,pipeline_kind/* withoutSuffix */.al)(reader)} (${file}:${line})`);
    const [first] = readers;
    const cannot = `${listText(names)} cannot use it: ${first?.message ?? ''}`;
    const isSure = readers.some(({ problem }) => problem !== undefined);
    return {
        ...place,
        rule: 'breaking-change',
        severity: isSure ? 'error' : 'warning',
        pipeline,
        component,
        tables: [definition.table],
        columnName: column,
        subject: what,
        message: isGone
            ? `${what}, which ${listText(names)} ${names.length === 1 ? 'reads' : 'read'}; write the column again, or change ${names.length === 1 ? 'this reader' : 'these readers'} too`
            : `${what}, and ${cannot}`,
        related: readers.map((reader) => ({
            ...reader.place,
            pipeline: reader.pipeline,
            component: reader.component,
        })),
    };
}
function lostReaders(graph, base) {
    return [...graph.pipelines].flatMap(([pipeline, { unknown, problems }]) => {
        const before = base.pipelines.get(pipeline);
        if (before === undefined)
            return [];
        const unbound = new Set(before.unknown.map(({ component, reason }) => JSON.stringify([component, reason])));
        return unknown
            .filter(({ component, reason, isAfterOther }) => !isAfterOther && !unbound.has(JSON.stringify([component, reason])))
            .map(({ component, place, reason, tables }) => {
            const problem = problems.find((each) => each.component === component && each.message === reason);
            return { pipeline, component, place, message: reason, tables, problem };
        });
    });
}
function changesOf({ pipeline, component, tables }, graph, base) {
    const changes = tables.flatMap((table) => {
        const now = typesOf(graph.tables.find(table)?.columns);
        const old = typesOf(base.tables.find(table)?.columns);
        const read = new Set((base.pipelines.get(pipeline)?.reads ?? [])
            .filter((each) => each.component === component && tableKey(each.table) === tableKey(table))
            .flatMap(({ columns, readsAll }) => (readsAll ? [...columns, ...old.keys()] : columns)));
        const definitions = graph.tables.definitionsOf(table).filter((definition) => isChanged(definition, base));
        return [...old].flatMap(([name, type]) => {
            const other = now.get(name);
            if (!read.has(name) || other === type)
                return [];
            const text = `"${table.table}"`;
            const what = other === undefined
                ? `${text} no longer has the column "${name}"`
                : `the column "${name}" of ${text} is ${other} instead of ${type}`;
            return definitions.map((definition) => ({
                definition,
                column: name,
                what,
                isGone: other === undefined,
            }));
        });
    });
    const gone = changes.filter(({ isGone }) => isGone);
    return gone.length > 0 ? gone : changes;
}
function typesOf(columns = []) {
    return new Map(columns.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type)]));
}
function isChanged({ pipeline, component, table, columns }, base) {
    const old = base.tables
        .definitionsOf(table)
        .find((each) => each.pipeline === pipeline && each.component === component);
    return JSON.stringify(old?.columns?.columns) !== JSON.stringify(columns?.columns);
}
function lostTables(graph, base) {
    return [...graph.pipelines].flatMap(([pipeline, { reads }]) => reads.flatMap(({ table, component, place }) => {
        const creators = base.tables.definitionsOf(table).filter(({ mode }) => mode === 'define');
        if (creators.length === 0 || !graph.tables.isOutside(table))
            return [];
        if (graph.tables.isMentioned(table) || creators.some((creator) => isUnknown(creator, graph)))
            return [];
        const names = [...new Set(creators.map((creator) => (0,pipeline_kind/* withoutSuffix */.al)(creator.pipeline)))];
        const message = `no pipeline creates the table "${table.table}" any more; ${listText(names)} did: create it again, or remove this reader`;
        return [
            {
                ...place,
                rule: 'missing-table',
                severity: 'error',
                pipeline,
                component,
                tables: [table],
                subject: table.table,
                message,
                related: [],
            },
        ];
    }));
}
function isUnknown({ pipeline, component }, graph) {
    const document = graph.project.pipeline(pipeline);
    if (document === undefined)
        return false;
    const unknown = graph.pipelines.get(pipeline)?.unknown ?? [];
    return document.problems.length > 0 || unknown.some((each) => each.component === component);
}

;// CONCATENATED MODULE: ./flows/data-graph/compile-report.js
function definitionPlace({ pipeline, component, place }) {
    const { file, line, column } = place;
    return { file, line, column, pipeline, component };
}

;// CONCATENATED MODULE: ./flows/data-graph/given-columns.js




function givenColumns({ tests, tables, project }) {
    return tests.given.flatMap(({ table, written, pipeline, test }) => {
        const known = tables.isOutside(table) ? undefined : tables.find(table);
        if (known?.areNamesComplete !== true)
            return [];
        const names = new Set(known.columns.map(({ name }) => name));
        const missing = written.filter(({ name }) => !names.has(name));
        if (missing.length === 0)
            return [];
        const definitions = tables.definitionsOf(table);
        const ran = reachedFrom(pipeline, project);
        if (definitions.some((definition) => ran.has(definition.pipeline)))
            return [];
        const writers = [...new Set(definitions.map((definition) => (0,pipeline_kind/* withoutSuffix */.al)(definition.pipeline)))];
        return missing.map(({ name, place }) => ({
            ...place,
            rule: 'given-column',
            severity: 'error',
            pipeline,
            tables: [table],
            columnName: name,
            subject: `${test}: ${table.table}.${name}`,
            message: `the test "${test}" gives "${table.table}" the column "${name}", but ${listText(writers)} ${writers.length === 1 ? 'creates' : 'create'} the table without it: correct the name, or remove the column from the test`,
            related: definitions.map(definitionPlace),
        }));
    });
}
function reachedFrom(pipeline, project) {
    const targets = { has: (path) => project.has(path), shared: project.shared };
    const reached = new Set([pipeline]);
    for (const path of reached) {
        const document = project.pipeline(path);
        for (const call of document === undefined ? [] : (0,calls/* callsOf */.p9)(document)) {
            const called = (0,calls/* calledPath */.v)(call, targets);
            if (called !== undefined)
                reached.add(called);
        }
    }
    return reached;
}

;// CONCATENATED MODULE: ./flows/data-graph/compile.js





function compile(graph, base) {
    const problems = [...graph.pipelines].flatMap(([pipeline, { problems: list }]) => list.map((problem) => ({ pipeline, problem })));
    const breaking = base === undefined ? undefined : breakingChanges(graph, base);
    const findings = [
        ...problems
            .filter(({ problem }) => breaking?.covered.has(problem) !== true)
            .map(({ pipeline, problem }) => findingOf(pipeline, problem, graph)),
        ...(breaking?.findings ?? []),
        ...givenColumns(graph),
    ];
    const reads = [...graph.pipelines.values()].flatMap((bound) => bound.reads);
    return {
        findings: findings.toSorted(compareFindings),
        hasBase: base !== undefined,
        pipelines: graph.pipelines.size,
        reads: { bound: reads.filter(({ isBound }) => isBound).length, total: reads.length },
        unknown: unknownReasons(graph),
        outside: outsideTables(graph),
    };
}
const ruleOf = {
    'missing-table': 'missing-table',
    'missing-column': 'missing-column',
    'ambiguous-column': 'ambiguous-column',
    exists: 'cannot-run',
};
function findingOf(pipeline, problem, { tables }) {
    const { component, place, message, code, column } = problem;
    const [table, ...others] = problem.tables;
    const definitions = table === undefined || others.length > 0 ? [] : tables.definitionsOf(table);
    const related = definitions.map(definitionPlace);
    const rule = code === undefined ? 'cannot-run' : ruleOf[code];
    return {
        ...place,
        rule,
        severity: 'error',
        pipeline,
        component,
        tables: problem.tables,
        columnName: isAboutColumn(rule) ? column : undefined,
        subject: isAboutColumn(rule) ? (column ?? message) : message,
        message,
        related: code === 'missing-column' ? related : [],
    };
}
function isAboutColumn(rule) {
    return rule === 'missing-column' || rule === 'ambiguous-column';
}
function unknownReasons({ pipelines }) {
    const groups = new Map();
    for (const [pipeline, { unknown, problems }] of pipelines) {
        const found = new Set(problems.map(({ component, message }) => JSON.stringify([component, message])));
        for (const { component, place, reason } of unknown) {
            if (found.has(JSON.stringify([component, reason])))
                continue;
            const text = groupText(reason);
            const group = groups.get(text) ?? { count: 0, example: { ...place, pipeline, component } };
            group.count += 1;
            groups.set(text, group);
        }
    }
    return Array.from(groups, ([reason, group]) => ({ reason, ...group })).toSorted((a, b) => b.count - a.count);
}
function groupText(reason) {
    const [first = ''] = reason.split('\n');
    return first.replace(/"[^"]*"/g, '"…"').replace(/[;:,] (?:mock the component|allow Python).*$/, '');
}
function outsideTables({ pipelines, tables }) {
    const reads = [...pipelines.values()].flatMap((bound) => bound.reads);
    const groups = Map.groupBy(reads.filter(({ table }) => tables.isOutside(table)), ({ table }) => tableKey(table));
    return [...groups.values()]
        .flatMap((list) => {
        const [first] = list;
        return first === undefined
            ? []
            : [{ table: first.table, reads: list.length, isKnown: tables.find(first.table) !== undefined }];
    })
        .toSorted((a, b) => b.reads - a.reads || (0,compare_texts/* compareTexts */.q)(tableKey(a.table), tableKey(b.table)));
}
function compareFindings(a, b) {
    return ((0,compare_texts/* compareTexts */.q)(a.file, b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        (0,compare_texts/* compareTexts */.q)(a.rule, b.rule) ||
        (0,compare_texts/* compareTexts */.q)(a.message, b.message));
}

// EXTERNAL MODULE: ./flows/findings/baseline.js
var findings_baseline = __webpack_require__(4655);
;// CONCATENATED MODULE: ./flows/data-graph/compile-settings.js

function compileBaseline({ compile, configDir }) {
    return compile.baseline ?? (0,findings_baseline/* baselinePath */.XB)(configDir, 'compile');
}
function compileSettings(project, config, clock) {
    const file = compileBaseline(config);
    const text = project.text(file);
    const { rules, accept } = config.compile;
    const baseline = text === undefined ? [] : (0,findings_baseline/* readBaseline */.mF)(text, file, 'compile');
    return { rules, accept, baseline, now: clock.now() };
}

// EXTERNAL MODULE: ./lib/core/files/glob.js
var glob = __webpack_require__(5903);
// EXTERNAL MODULE: ./lib/pipelines/fingerprint.js
var fingerprint = __webpack_require__(3281);
;// CONCATENATED MODULE: ./flows/data-graph/conclude-compile.js


function concludeCompile({ findings: found, hasBase, ...facts }, { rules, accept, baseline, now }) {
    const today = new Date(now).toISOString().slice(0, 10);
    const known = new Set(baseline.map(({ fingerprint }) => fingerprint));
    const ids = (0,fingerprint/* fingerprints */.W)(found.map((finding) => ({ ...finding, rule: ruleName(finding) })));
    const findings = found.flatMap((finding, index) => {
        const severity = rules[finding.rule] ?? finding.severity;
        const fingerprint = ids[index] ?? '';
        const isKnown = finding.rule !== 'breaking-change' && known.has(fingerprint);
        return severity === 'off'
            ? []
            : [{ ...finding, severity, fingerprint, state: isKnown ? 'known' : 'new' }];
    });
    const entries = accept.map((acceptance) => ({
        acceptance,
        isExpired: acceptance.until !== undefined && acceptance.until < today,
        matches: matcherOf(acceptance),
        findings: [],
    }));
    const left = [];
    for (const finding of findings) {
        const matching = entries.filter(({ matches }) => matches(finding));
        const entry = matching.find(({ isExpired }) => !isExpired);
        for (const each of entry === undefined ? matching : [entry])
            each.findings.push(finding);
        if (entry === undefined)
            left.push(finding);
    }
    return {
        ...facts,
        findings: left,
        accepted: entries.map(({ acceptance, isExpired, findings: list }) => ({
            ...acceptance,
            isExpired,
            isUseless: list.length === 0 && (hasBase || acceptance.rule !== 'breaking-change'),
            findings: list,
        })),
        nextBaseline: left
            .filter(({ rule }) => rule !== 'breaking-change')
            .map((finding) => {
            const { file, component, subject, fingerprint } = finding;
            return { rule: ruleName(finding), file, ...(component && { component }), subject, fingerprint };
        }),
    };
}
function ruleName({ rule }) {
    return `compile/${rule}`;
}
function matcherOf({ rule, table, column, file, component, }) {
    const inFile = file === undefined ? undefined : (0,glob/* compileGlob */.S)(file);
    return (finding) => (rule === undefined || finding.rule === rule) &&
        (table === undefined || finding.tables.some((each) => namesOf(each).includes(table.toLowerCase()))) &&
        (column === undefined || finding.columnName?.toLowerCase() === column.toLowerCase()) &&
        (inFile === undefined || inFile(finding.file)) &&
        (component === undefined || finding.component === component);
}
function namesOf({ database, schema, table }) {
    return [table, `${schema}.${table}`, `${database}.${schema}.${table}`].map((name) => name.toLowerCase());
}

// EXTERNAL MODULE: ./lib/core/outcomes/finding.js
var finding = __webpack_require__(770);
// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
// EXTERNAL MODULE: ./lib/report/terminal.js + 1 modules
var terminal = __webpack_require__(1963);
;// CONCATENATED MODULE: ./flows/data-graph/report.js





const maxRows = 10;
function reportOfCompile(report, { prefix = '', notes = [] } = {}) {
    const { reads } = report;
    const findings = report.findings.map((finding) => report_findingOf(finding, prefix)).toSorted(finding/* compareFindings */.Eg);
    const news = findings.filter(({ state }) => state === 'new');
    const known = findings.length - news.length;
    const accepted = report.accepted.reduce((sum, each) => sum + (each.isExpired ? 0 : each.findings.length), 0);
    return {
        title: 'Compile',
        outcome: news.some(({ severity }) => severity === 'error') ? 'failed' : 'passed',
        headline: `${(0,number_of/* numberOf */.r)(report.pipelines, 'pipeline')} compiled: ${(0,number_of/* numberOf */.r)(news.length, known > 0 ? 'new finding' : 'finding')}.`,
        facts: [
            ['reads of tables with known columns', `${reads.bound} of ${reads.total}`],
            ...(known > 0 ? [['known findings', String(known)]] : []),
            ...(accepted > 0 ? [['accepted findings', String(accepted)]] : []),
        ],
        findings,
        tables: [unknownTable(report, prefix), outsideTable(report), acceptedTable(report, prefix)],
        notes: [...notes, ...acceptedNotes(report), ...cutNotes(report)],
    };
}
function withCompiled(report, compiled, { prefix, onlyWarns }) {
    const { outcome: ownOutcome, headline, facts, findings: all, tables = [], notes, } = reportOfCompile(compiled, { prefix });
    const errors = all.filter(({ state }) => state === 'new');
    const outcome = onlyWarns ? 'passed' : ownOutcome;
    const findings = onlyWarns
        ? errors.map((finding) => ({
            ...finding,
            severity: finding.severity === 'error' ? 'warning' : finding.severity,
        }))
        : errors;
    const lines = (0,terminal/* findingLines */.h)(findings);
    return {
        ...report,
        outcome: report.outcome === 'passed' ? outcome : report.outcome,
        headline: findings.length === 0 ? report.headline : `${report.headline} ${headline}`,
        facts: [...report.facts, ...facts],
        notes: [...report.notes, ...notes],
        tables: [...(report.tables ?? []), ...tables.filter(({ isDetail }) => isDetail !== true)],
        findings: [...report.findings, ...findings],
        blocks: [
            ...(report.blocks ?? []),
            ...(lines.length === 0 ? [] : [{ title: 'Pipelines that do not fit together', lines }]),
        ],
    };
}
function suppressedOf({ accepted }) {
    return accepted
        .filter(({ isExpired }) => !isExpired)
        .flatMap(({ findings, reason }) => findings.map((finding) => ({ ...report_findingOf(finding, ''), reason, suppressedBy: 'settings' })));
}
function report_findingOf(finding, prefix) {
    const { file, line, column, component, related, subject, severity, state, fingerprint } = finding;
    const writers = related.map((place) => `${prefix}${place.file}:${place.line}`);
    const isNamed = finding.rule === 'breaking-change';
    const where = writers.length === 0 || isNamed ? '' : ` (the table is created at ${writers.join(', ')})`;
    return {
        rule: ruleName(finding),
        severity,
        file: `${prefix}${file}`,
        line,
        column,
        endLine: line,
        endColumn: column + 1,
        ...(component === undefined ? {} : { component }),
        subject,
        message: `${finding.message}${where}`,
        source: 'millrace',
        state,
        fingerprint,
    };
}
function unknownTable({ unknown }, prefix) {
    return {
        title: 'Components of which not everything is known',
        columns: ['components', 'why', 'for example'],
        rows: unknown
            .slice(0, maxRows)
            .map(({ count, reason, example }) => [
            String(count),
            reason,
            `${prefix}${example.file}:${example.line}`,
        ]),
        isDetail: true,
    };
}
function outsideTable({ outside }) {
    return {
        title: 'Tables that no pipeline creates, and whose columns are not known',
        columns: ['reads', 'table'],
        rows: undeclared(outside)
            .slice(0, maxRows)
            .map(({ table: { database, schema, table }, reads }) => [
            String(reads),
            `${database}.${schema}.${table}`,
        ]),
        isDetail: true,
    };
}
function undeclared(outside) {
    return outside.filter(({ isKnown }) => !isKnown);
}
function acceptedTable({ accepted }, prefix) {
    const open = accepted.filter(({ findings, isExpired }) => findings.length > 0 && !isExpired);
    return {
        title: 'Accepted in millrace.yaml, and still open',
        columns: ['until', 'what', 'findings', 'reason'],
        rows: open.map((entry) => [
            entry.until ?? 'no date',
            acceptanceText(entry),
            placesText(openPlaces(entry).map(({ file, line }) => `${prefix}${file}:${line}`)),
            entry.reason,
        ]),
    };
}
function placesText(places) {
    const shown = places.slice(0, maxRows);
    const left = places.length - shown.length;
    return listText(left > 0 ? [...shown, `${left} more`] : shown);
}
function openPlaces({ findings, }) {
    return findings.flatMap((finding) => finding.rule === 'breaking-change' && finding.related.length > 0 ? finding.related : [finding]);
}
function acceptanceText({ rule, table, column, file, component }) {
    const name = [table, column].filter((part) => part !== undefined).join('.');
    return [rule, name === '' ? undefined : name, component, file]
        .filter((part) => part !== undefined)
        .join(', ');
}
function acceptedNotes({ accepted }) {
    return accepted.flatMap((entry) => {
        const what = `The entry "${acceptanceText(entry)}" of compile.accept in millrace.yaml`;
        if (entry.isExpired && entry.findings.length > 0)
            return [`${what} expired on ${entry.until ?? ''}: change what still reads it, or set a new date.`];
        if (entry.isUseless)
            return [`${what} matches no finding. Remove it if the change is complete.`];
        return [];
    });
}
function cutNotes({ unknown, outside }) {
    const more = (count, what) => (count > maxRows ? [`${count - maxRows} more ${what}.`] : []);
    return [
        ...more(unknown.length, 'reasons why components are not bound'),
        ...more(undeclared(outside).length, 'tables that no pipeline creates'),
    ];
}

// EXTERNAL MODULE: ./lib/core/text/sanitize-text.js
var sanitize_text = __webpack_require__(7192);
;// CONCATENATED MODULE: ./lib/core/text/escape-xml.js

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const noXml = /[\p{Cs}\uFFFE\uFFFF]/gu;
function escapeXml(text) {
    return (0,sanitize_text/* sanitizeText */.jZ)(text, () => '\uFFFD')
        .replaceAll(noXml, '\uFFFD')
        .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}

;// CONCATENATED MODULE: ./lib/report/junit.js

function junitLines(name, suites) {
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites${attributes({ name, ...totals(suites.flatMap(({ cases }) => cases)) })}>`,
        ...suites.flatMap((suite) => [
            `  <testsuite${attributes({ name: suite.name, ...totals(suite.cases) })}>`,
            ...suite.cases.flatMap(caseLines),
            '  </testsuite>',
        ]),
        '</testsuites>',
    ];
}
function caseLines({ name, className, file, line, durationMs, result }) {
    const time = durationMs === undefined ? undefined : seconds(durationMs);
    const head = `    <testcase${attributes({ name, classname: className, file, line, time })}`;
    if (result === undefined)
        return [`${head}/>`];
    const { kind, type, message, text } = result;
    const element = `      <${kind}${attributes({ type, message })}>${escapeXml(text)}</${kind}>`;
    return [`${head}>`, ...element.split('\n'), '    </testcase>'];
}
function totals(cases) {
    const count = (kind) => cases.filter(({ result }) => result?.kind === kind).length;
    const times = cases.flatMap(({ durationMs }) => durationMs ?? []);
    return {
        tests: cases.length,
        failures: count('failure'),
        errors: count('error'),
        time: times.length === 0 ? undefined : seconds(times.reduce((sum, ms) => sum + ms, 0)),
    };
}
function attributes(values) {
    return Object.entries(values)
        .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escapeXml(String(value))}"`))
        .join('');
}
function seconds(ms) {
    return (ms / 1000).toFixed(3);
}

// EXTERNAL MODULE: ./flows/pipeline-tests/report/difference-lines.js
var difference_lines = __webpack_require__(7112);
;// CONCATENATED MODULE: ./flows/pipeline-tests/report/report-junit.js


function reportJunit({ tests, problems = [] }) {
    return junitLines('millrace test', [
        ...suitesOf(tests, testCase),
        ...suitesOf(problems, problemCase),
    ]);
}
function suitesOf(parts, caseOf) {
    return [...Map.groupBy(parts, ({ file }) => file)].map(([name, group]) => ({
        name,
        cases: group.map(caseOf),
    }));
}
function problemCase({ file, line, column, message }) {
    return {
        name: `line ${line}, column ${column}`,
        className: file,
        file,
        line,
        durationMs: 0,
        result: { kind: 'error', message, text: `${file}:${line}:${column} ${message}` },
    };
}
function testCase(test) {
    const { name, pipeline: className, file, line, durationMs, status, differences } = test;
    const about = { name, className, file, line, durationMs };
    if (status === 'passed')
        return about;
    return {
        ...about,
        result: {
            kind: status === 'refused' ? 'error' : 'failure',
            message: differences[0]?.message ?? '',
            text: (0,difference_lines/* differenceLines */.Z)(test).join('\n'),
        },
    };
}

// EXTERNAL MODULE: ./flows/pipeline-tests/report/report.js
var report_report = __webpack_require__(3035);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/default-jobs.js
var default_jobs = __webpack_require__(8462);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-problem.js
var test_problem = __webpack_require__(8442);
// EXTERNAL MODULE: ./lib/core/errors/failure.js + 1 modules
var failure = __webpack_require__(8826);
// EXTERNAL MODULE: ./lib/core/text/visible-text.js
var visible_text = __webpack_require__(327);
// EXTERNAL MODULE: ./lib/report/annotations.js
var annotations = __webpack_require__(2850);
// EXTERNAL MODULE: ./lib/github/workflow-run/event-target.js
var event_target = __webpack_require__(9017);
// EXTERNAL MODULE: ./actions/kit/checkout/checked-out-commit.js
var checked_out_commit = __webpack_require__(8057);
// EXTERNAL MODULE: ./actions/kit/checkout/checked-out-tests.js + 4 modules
var checked_out_tests = __webpack_require__(9045);
// EXTERNAL MODULE: ./actions/kit/checkout/project.js + 4 modules
var project = __webpack_require__(2002);
// EXTERNAL MODULE: ./actions/kit/inputs/report-key.js
var report_key = __webpack_require__(6228);
// EXTERNAL MODULE: ./actions/kit/checkout/test-failures.js
var test_failures = __webpack_require__(5823);
;// CONCATENATED MODULE: ./actions/test/run-project-tests.js






















async function runProjectTests(inputs, step) {
    (0,checked_out_commit/* refusePullRequestTarget */.cq)(step.facts);
    const target = (0,event_target/* readCheckTarget */.Mm)(step.facts, { commit: inputs.commit });
    if (target === undefined)
        return nothingToTest;
    const { filter, jobs = default_jobs/* defaultJobs */.y, coverage } = inputs;
    const { project, files, prefix, config } = await (0,checked_out_tests/* openCheckedOutTests */.j)(inputs['working-directory'], inputs.files, step);
    const tested = await describeTested(target, inputs, step);
    try {
        step.log(`Running the tests of ${(0,number_of/* numberOf */.r)(files.length, 'file')}, ${jobs} at a time.`);
        const packages = (0,external_node_path_.resolve)(step.facts.workspace, inputs.engine);
        const request = { project, files, filter, jobs, withCoverage: coverage, packages };
        const { signal } = step.context;
        const report = await (0,run_tests/* runTests */.N$)(request, step.context);
        const isCompiled = inputs.compile !== 'off' && config.compile.enabled;
        const compiled = !isCompiled
            ? undefined
            : concludeCompile(compile(await bindProject(project, { signal, packages })), compileSettings(project, config, step.context.clock));
        const chosen = (0,report_key/* describeSettings */.TR)({ files: inputs.files, filter });
        const notes = [...tested.notes, ...(chosen === '' ? [] : [`Only some tests were chosen: ${chosen}.`])];
        const result = resultOf(report, { prefix, commit: tested.commit, notes, compiled, onlyWarns: inputs.compile === 'warn' }, step);
        if (report.problems === undefined)
            return result;
        annotateFindings(report, prefix, step);
        return { ...result, failure: (0,test_failures/* invalidTests */.B)((0,test_problem/* testFailure */.t)(report.problems), prefix, step) };
    }
    catch (error) {
        throw (0,test_failures/* explainTestFailure */.A)(error, prefix, step);
    }
}
async function describeTested(target, inputs, step) {
    const decides = target.kind === 'pull-request' ||
        target.kind === 'merge-group' ||
        step.facts.eventName === 'push' ||
        inputs.commit !== undefined;
    try {
        const { repository } = await (0,project/* openProject */.U8)(step, inputs['working-directory']);
        const checkedOut = await (0,checked_out_commit/* readCheckedOutCommit */.$q)(target, repository, step.context.signal);
        if (decides) {
            (0,checked_out_commit/* refuseOtherCheckOut */.PZ)(checkedOut, target, { input: 'commit', otherwise: checked_out_commit/* otherCheckOut */.xg });
        }
        const { commit, description } = checkedOut;
        const { changed } = await repository.changedOnDisk({ signal: step.context.signal });
        return { commit, notes: [`Tested: ${commit.slice(0, 12)}, ${description}${describeChanged(changed)}.`] };
    }
    catch (error) {
        const isUnknown = error instanceof failure/* Failure */.HR && error.code === 'git-failed' && !step.context.signal.aborted;
        if (decides || !isUnknown)
            throw error;
        return {
            commit: '',
            notes: ['Which commit was tested is not known: the check-out has no git repository.'],
        };
    }
}
function describeChanged(files) {
    const [first] = files;
    if (first === undefined)
        return '';
    const names = files.length === 1 ? (0,visible_text/* visibleText */.Q6)(first) : `${files.length} files, such as ${(0,visible_text/* visibleText */.Q6)(first)}`;
    return `, with uncommitted changes on disk: ${names}`;
}
const nothingToTest = {
    report: {
        title: 'Test',
        outcome: 'nothing-to-do',
        headline: 'The branch was deleted.',
        facts: [],
        findings: [],
        notes: [],
    },
    details: {},
    outputs: {
        tests: 0,
        passed: 0,
        failed: 0,
        refused: 0,
        findings: 0,
        commit: '',
        'junit-path': '',
        'coverage-path': '',
    },
};
function annotateFindings(report, prefix, { command }) {
    const { findings } = (0,report_report/* reportOfTests */.th)(report, { prefix });
    const left = Math.max(0, annotations/* maximumPerLevel */.en - (report.problems?.length ?? 0));
    for (const { severity, message, rule, file, line, column } of findings.slice(0, left))
        command((0,annotations/* annotationCommand */.jx)(severity, message, { file, line, column, title: rule }));
}
function resultOf(report, { prefix, commit, notes, compiled, onlyWarns, }, { log }) {
    const ofTests = (0,report_report/* reportOfTests */.th)(report, { prefix, commit, notes });
    const shown = compiled === undefined ? ofTests : withCompiled(ofTests, compiled, { prefix, onlyWarns });
    for (const line of (0,terminal/* terminalLines */.M)({ ...shown, facts: [], notes: [] }))
        log(line);
    const { passed, failed, refused, tests, coverage } = report;
    const files = {
        'junit-path': { name: 'junit.xml', text: `${reportJunit(report).join('\n')}\n` },
    };
    if (coverage !== undefined) {
        const text = `${JSON.stringify(coverage, null, 2)}\n`;
        files['coverage-path'] = { name: 'coverage.json', text };
    }
    return {
        report: shown,
        details: { ...report, ...(compiled && { compiled }) },
        outputs: {
            tests: tests.length,
            passed,
            failed,
            refused,
            commit,
            findings: compiled?.findings.filter(({ state }) => state === 'new').length ?? '',
        },
        files,
    };
}


/***/ })

};
