export const id = 284;
export const ids = [284];
export const modules = {

/***/ 9774:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Z: () => (/* binding */ bindProject)
});

// UNUSED EXPORTS: openDataGraph

// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/open-test-warehouse.js
var open_test_warehouse = __webpack_require__(8953);
// EXTERNAL MODULE: ./flows/pipeline-tests/outside/project-schemas.js
var project_schemas = __webpack_require__(1058);
// EXTERNAL MODULE: ./flows/data-graph/bind/table-definitions.js
var table_definitions = __webpack_require__(6114);
;// CONCATENATED MODULE: ./flows/data-graph/bind/declared-columns.js



function changedSchemas(before, now) {
    const contents = ({ all }) => new Map(all.map(({ table, columns }) => [
        (0,table_definitions/* tableKey */.ih)(table),
        JSON.stringify(columns.map(({ name, type }) => [name, type])),
    ]));
    const [old, next] = [contents(before), contents(now)];
    return [...new Set([...old.keys(), ...next.keys()])].filter((key) => old.get(key) !== next.get(key));
}
const standIn = { name: 'VARCHAR', length: undefined };
function declaredColumns(schemas, { kind }) {
    const converted = new Map();
    const convert = (table) => {
        const declared = schemas.get(table);
        if (declared === undefined)
            return undefined;
        const typed = declared.columns.map((column) => ({
            name: (0,engine/* storedName */.Rs)(column.name, kind),
            type: (0,engine/* readColumnType */.bk)(column, kind),
        }));
        const columns = (0,table_definitions/* firstOfEachName */.cq)(typed.map(({ name, type = standIn }) => ({ name, type })));
        return {
            columns,
            areNamesComplete: columns.length === typed.length,
            areTypesKnown: typed.every(({ type }) => type !== undefined),
        };
    };
    return (table) => {
        const key = (0,table_definitions/* tableKey */.ih)(table);
        if (!converted.has(key))
            converted.set(key, convert(table));
        return converted.get(key);
    };
}

// EXTERNAL MODULE: ./flows/data-graph/texts/mentioned-tables.js
var mentioned_tables = __webpack_require__(2711);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
;// CONCATENATED MODULE: ./flows/data-graph/bind/binding-order.js


const targets = ['targetTable', 'table', 'viewName', 'newTableName'];
const created = /\b(?:create|replace)\s+(?:\w+\s+){0,3}?(?:table|view)\s+(?:if\s+not\s+exists\s+)?((?:"[^"]+"|[\w$]+)(?:\s*\.\s*(?:"[^"]+"|[\w$]+)){0,2})/giu;
const word = /[\p{L}\p{N}_$]+/gu;
function bindingOrder(paths, documentOf) {
    const names = paths.map((path) => namesIn(documentOf(path)));
    const missing = new Map();
    for (const { creates } of names)
        for (const name of creates)
            missing.set(name, (missing.get(name) ?? 0) + 1);
    const waiting = new Map();
    const open = names.map(({ creates, uses }, index) => {
        const needed = [...uses].filter((name) => missing.has(name) && !creates.has(name));
        for (const name of needed) {
            const list = waiting.get(name);
            if (list === undefined)
                waiting.set(name, [index]);
            else
                list.push(index);
        }
        return needed.length;
    });
    const order = new Set();
    const ready = open.flatMap((count, index) => (count === 0 ? [index] : []));
    let next = 0;
    const add = (index) => {
        order.add(index);
        for (const name of names[index]?.creates ?? []) {
            const left = (missing.get(name) ?? 0) - 1;
            missing.set(name, left);
            if (left > 0)
                continue;
            for (const other of waiting.get(name) ?? []) {
                open[other] = (open[other] ?? 0) - 1;
                if (open[other] === 0)
                    ready.push(other);
            }
        }
    };
    while (order.size < paths.length) {
        for (let at = 0; at < ready.length; at += 1) {
            const index = ready[at];
            if (index !== undefined && !order.has(index))
                add(index);
        }
        ready.length = 0;
        while (order.has(next))
            next += 1;
        if (next < paths.length)
            add(next);
    }
    return [...order].flatMap((index) => paths[index] ?? []);
}
function namesIn(document) {
    const [creates, uses] = [new Set(), new Set()];
    for (const component of document?.components.values() ?? []) {
        for (const text of (0,mentioned_tables/* textsOf */.CB)(component)) {
            for (const [found] of text.matchAll(word))
                uses.add(found.toLowerCase());
            for (const [, name = ''] of text.matchAll(created))
                creates.add(lastPart(name));
        }
        if (document?.kind === 'transformation' && component.sources.length === 0)
            continue;
        for (const target of targets) {
            const text = (0,yaml_node/* textOf */.b6)((0,yaml_node/* childOf */.GG)(component.node('parameters'), target));
            if (text !== undefined && text !== '')
                creates.add(text.toLowerCase());
        }
    }
    return { creates, uses };
}
function lastPart(name) {
    return (name.split('.').at(-1) ?? '').replaceAll('"', '').trim().toLowerCase();
}

// EXTERNAL MODULE: ./lib/core/text/compare-texts.js
var compare_texts = __webpack_require__(315);
;// CONCATENATED MODULE: ./flows/data-graph/bind/tables-outside.js

const nothing = {
    declared: () => undefined,
    testDeclared: [],
    guessed: [],
    streamed: [],
    words: new Set(),
};
class TablesOutside {
    #outside = nothing;
    #testDeclared = new Map();
    #guessed = new Map();
    #streamed = new Map();
    #hasGuesses = false;
    declared(table) {
        return this.#outside.declared(table);
    }
    testDeclared(table) {
        return this.#testDeclared.get((0,table_definitions/* tableKey */.ih)(table));
    }
    guessed(table) {
        return this.#guessed.get((0,table_definitions/* tableKey */.ih)(table));
    }
    streamed(table) {
        return this.#streamed.get((0,table_definitions/* tableKey */.ih)(table)) ?? [];
    }
    isMentioned(table) {
        return this.#outside.words.has(table.table.toLowerCase());
    }
    get keys() {
        return [...this.#testDeclared.keys(), ...this.#guessed.keys()];
    }
    note(now) {
        const before = this.#outside;
        const hasGuesses = this.#hasGuesses;
        const old = { testDeclared: this.#testDeclared, guessed: this.#guessed, streamed: this.#streamed };
        const hasSameWords = before.words.size === now.words.size && before.words.isSubsetOf(now.words);
        const isLimited = before.declared === now.declared && hasSameWords && !hasGuesses;
        const concerned = [
            ...differing(before.testDeclared, now.testDeclared),
            ...differing(before.guessed, now.guessed),
            ...differing(before.streamed, now.streamed),
        ];
        this.#outside = now;
        this.#hasGuesses = false;
        if (concerned.length > 0 || hasGuesses) {
            this.#testDeclared = unions(now.testDeclared);
            this.#guessed = unions(now.guessed);
            this.#streamed = Map.groupBy(now.streamed, ({ table }) => (0,table_definitions/* tableKey */.ih)(table));
        }
        const isSame = (key) => JSON.stringify(old.testDeclared.get(key)) === JSON.stringify(this.#testDeclared.get(key)) &&
            JSON.stringify(old.guessed.get(key)) === JSON.stringify(this.#guessed.get(key)) &&
            (0,table_definitions/* contentOf */.$E)(old.streamed.get(key)) === (0,table_definitions/* contentOf */.$E)(this.#streamed.get(key)) &&
            (hasSameWords || before.words.has(wordOf(key)) === now.words.has(wordOf(key)));
        if (isLimited)
            return { keys: new Set(concerned.map(({ table }) => (0,table_definitions/* tableKey */.ih)(table))), isAll: false, isSame };
        const maps = [
            old.testDeclared,
            this.#testDeclared,
            old.guessed,
            this.#guessed,
            old.streamed,
            this.#streamed,
        ];
        return { keys: new Set(maps.flatMap((map) => [...map.keys()])), isAll: true, isSame };
    }
    guess(named) {
        const guessed = unions(named);
        this.#guessed = new Map([...this.#guessed, ...guessed]);
        this.#hasGuesses = true;
        return new Set(guessed.keys());
    }
}
function differing(before, now) {
    const isEqual = before.length === now.length && before.every((item, index) => item === now[index]);
    return isEqual ? [] : [...new Set(before).symmetricDifference(new Set(now))];
}
function wordOf(key) {
    const [, , table = ''] = JSON.parse(key);
    return table.toLowerCase();
}
function unions(tables) {
    const groups = Map.groupBy(tables, ({ table }) => (0,table_definitions/* tableKey */.ih)(table));
    return new Map([...groups].map(([key, list]) => [
        key,
        {
            columns: (0,table_definitions/* firstOfEachName */.cq)(list.flatMap(({ columns }) => columns)),
            areNamesComplete: true,
            areTypesKnown: list.every(({ areTypesKnown = true }) => areTypesKnown),
        },
    ]));
}

;// CONCATENATED MODULE: ./flows/data-graph/bind/project-tables.js



class ProjectTables {
    #defined = new Map();
    #keys = new Map();
    #outside = new TablesOutside();
    #others = new Map();
    setOutside(outside) {
        const { keys, isAll, isSame } = this.#outside.note(outside);
        const concerned = isAll ? keys.union(this.#defined) : keys;
        this.#forget(concerned);
        if (isAll)
            this.#others.clear();
        return new Set([...concerned].filter((key) => !isSame(key)));
    }
    #forget(keys) {
        for (const key of keys) {
            this.#others.delete(key);
            const defined = this.#defined.get(key);
            if (defined !== undefined)
                defined.knowledge = undefined;
        }
    }
    update(pipeline, { writes }) {
        const byTable = Map.groupBy(writes.filter(({ mode }) => mode === 'define' || mode === 'alter'), ({ table }) => (0,table_definitions/* tableKey */.ih)(table));
        const keys = new Set(byTable.keys());
        const changed = new Set();
        for (const key of keys.union(this.#keys.get(pipeline) ?? new Set())) {
            const definitions = (byTable.get(key) ?? []).map((write) => ({ ...write, pipeline }));
            if (this.#set(key, pipeline, definitions))
                changed.add(key);
        }
        this.#keys.set(pipeline, keys);
        return changed;
    }
    guess(named) {
        const guessed = this.#outside.guess(named.filter(({ table }) => this.find(table) === undefined));
        this.#forget(guessed);
        return guessed;
    }
    #set(key, pipeline, definitions) {
        const defined = this.#defined.get(key) ?? {
            byPipeline: new Map(),
            ways: new Map(),
            list: undefined,
            knowledge: undefined,
        };
        this.#defined.set(key, defined);
        const { byPipeline, ways } = defined;
        const before = byPipeline.get(pipeline);
        if ((0,table_definitions/* contentOf */.$E)(before) === (0,table_definitions/* contentOf */.$E)(definitions))
            return false;
        const count = ways.size;
        if (before !== undefined)
            (0,table_definitions/* addTo */.DN)(ways, (0,table_definitions/* wayOf */.VO)(before), -1);
        if (definitions.length > 0)
            (0,table_definitions/* addTo */.DN)(ways, (0,table_definitions/* wayOf */.VO)(definitions), 1);
        if (definitions.length > 0)
            byPipeline.set(pipeline, definitions);
        else
            byPipeline.delete(pipeline);
        defined.list = undefined;
        const isSame = count === 1 && ways.size === 1 && [...ways.values()][0] !== 1;
        if (!isSame)
            defined.knowledge = undefined;
        return true;
    }
    definitionsOf(table) {
        return [...this.#componentsOf(table), ...this.#outside.streamed(table)];
    }
    #componentsOf(table) {
        const defined = this.#defined.get((0,table_definitions/* tableKey */.ih)(table));
        if (defined === undefined)
            return [];
        return (defined.list ??= [...defined.byPipeline]
            .toSorted(([a], [b]) => (0,compare_texts/* compareTexts */.q)(a, b))
            .flatMap(([, definitions]) => (0,table_definitions/* afterComponents */.Nu)(definitions)));
    }
    definitionsIn(pipeline, table) {
        return this.#defined.get((0,table_definitions/* tableKey */.ih)(table))?.byPipeline.get(pipeline) ?? [];
    }
    declared(table) {
        return this.#outside.declared(table);
    }
    isMentioned(table) {
        return this.#outside.isMentioned(table);
    }
    isOutside(table) {
        return (0,table_definitions/* isCreatedNowhere */.vc)(this.#componentsOf(table));
    }
    find(table) {
        return this.knowledge(table).table;
    }
    knowledge(table, pipeline) {
        const key = (0,table_definitions/* tableKey */.ih)(table);
        const defined = this.#defined.get(key);
        const own = pipeline === undefined ? undefined : defined?.byPipeline.get(pipeline);
        if (own?.some(({ mode }) => mode === 'alter') === true)
            return this.#combine(table, [...(defined?.byPipeline ?? [])]
                .toSorted(([a], [b]) => (0,compare_texts/* compareTexts */.q)(a, b))
                .flatMap(([path, list]) => path === pipeline ? list.filter(({ mode }) => mode !== 'alter') : (0,table_definitions/* afterComponents */.Nu)(list)));
        if (defined === undefined) {
            const knowledge = this.#others.get(key) ?? this.#combine(table, []);
            this.#others.set(key, knowledge);
            return knowledge;
        }
        if (defined.knowledge !== undefined)
            return defined.knowledge;
        const knowledge = this.#combine(table, this.#componentsOf(table));
        if (knowledge.below === undefined)
            defined.knowledge = knowledge;
        return knowledge;
    }
    like({ database, schema }, matches) {
        const keys = new Set([...this.#defined.keys(), ...this.#outside.keys]);
        const names = Array.from(keys, (key) => {
            const [databaseName = '', schemaName = '', table = ''] = JSON.parse(key);
            return { database: databaseName, schema: schemaName, table };
        });
        return names.filter((name) => name.database === database &&
            name.schema === schema &&
            matches(name.table) &&
            (this.find(name)?.columns.length ?? 0) > 0);
    }
    isDefinedBy(table, pipeline) {
        const definitions = this.definitionsOf(table);
        const [only, ...others] = definitions;
        if (only?.pipeline !== pipeline || others.length > 0 || only.mode !== 'define')
            return false;
        return (0,table_definitions/* knowledgeOf */.a$)(only.columns).text === this.knowledge(table).text;
    }
    #combine(table, written) {
        const below = written.flatMap(({ columns }) => columns?.unreadable ?? [])[0];
        if (below === undefined)
            return this.#combineReadable(table, written);
        const isBroken = written.every(({ columns }) => columns?.unreadable !== undefined);
        if (isBroken && !this.isMentioned(table) && this.#isOnlyOf(below.table, written))
            return {
                ...(0,table_definitions/* knowledgeOf */.a$)({ columns: [], areNamesComplete: true, areTypesKnown: true, unreadable: below }),
                below: below.table,
            };
        const definitions = written.map((each) => each.columns?.unreadable === undefined ? each : { ...each, columns: undefined });
        return { ...this.#combineReadable(table, definitions), below: below.table };
    }
    #isOnlyOf(table, definitions) {
        const pipelines = new Set(definitions.map(({ pipeline }) => pipeline));
        return (this.definitionsOf(table).every(({ pipeline }) => pipelines.has(pipeline)) && !this.isMentioned(table));
    }
    #combineReadable(table, definitions) {
        const known = definitions.flatMap(({ columns }) => columns ?? []);
        const declared = this.#outside.declared(table) ?? this.#outside.testDeclared(table);
        const isOutside = (0,table_definitions/* isCreatedNowhere */.vc)(definitions);
        const isDeclared = declared !== undefined && (isOutside || known.length === 0);
        const isClear = isDeclared
            ? definitions.every(({ mode, columns: own }) => mode !== 'alter' || own !== undefined)
            : known.length === definitions.length && !isOutside;
        const isKnown = isClear && !this.isMentioned(table);
        const other = isKnown && !isDeclared ? undefined : (declared ?? this.#outside.guessed(table));
        const streamed = isKnown ? [] : this.#outside.streamed(table).flatMap((each) => each.columns ?? []);
        const all = [...known, ...streamed, ...(other === undefined ? [] : [other])];
        const columns = (0,table_definitions/* firstOfEachName */.cq)(all.flatMap((each) => each.columns));
        if (columns.length === 0)
            return (0,table_definitions/* knowledgeOf */.a$)(undefined);
        return (0,table_definitions/* knowledgeOf */.a$)({
            columns,
            areNamesComplete: isKnown && all.every(({ areNamesComplete }) => areNamesComplete),
            areTypesKnown: isKnown && all.every(({ areTypesKnown }) => areTypesKnown) && (0,table_definitions/* areAlike */.xn)(known),
        });
    }
}

// EXTERNAL MODULE: ./flows/data-graph/texts/read-text.js
var read_text = __webpack_require__(9330);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/declared-tables.js
var declared_tables = __webpack_require__(3494);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/find-tests.js
var find_tests = __webpack_require__(5299);
// EXTERNAL MODULE: ./flows/pipeline-tests/outside/table-named.js
var table_named = __webpack_require__(4486);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/table-rows.js
var table_rows = __webpack_require__(8613);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/trace-reads.js
var trace_reads = __webpack_require__(4243);
// EXTERNAL MODULE: ./lib/pipelines/model/pipeline-kind.js
var pipeline_kind = __webpack_require__(5544);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/plan-file.js
var plan_file = __webpack_require__(1196);
;// CONCATENATED MODULE: ./flows/data-graph/bind/test-tables.js








function createTestReader() {
    let known = new Map();
    return async (project, names) => {
        const created = (0,declared_tables/* declaredTables */.W)(project);
        const next = new Map();
        for (const path of (0,find_tests/* testFiles */.us)(project)) {
            const before = known.get(path);
            const isSame = before !== undefined && (0,trace_reads/* changedReads */.ig)(before.reads, project, created) === undefined;
            next.set(path, isSame ? before : await readTables(path, project, { created, names }));
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
async function readTables(path, project, { created, names }) {
    const given = [];
    const mocked = [];
    const declared = [];
    const traced = (0,trace_reads/* traceReads */.vu)(project, created);
    const faults = [];
    const planned = await unlessWrong(() => (0,plan_file/* planFile */.e)(path, traced.project, {}), faults);
    const [first, ...more] = planned ?? [];
    const types = { schemas: first?.file.schemas ?? new Map(), declared: traced.declared };
    const add = async (table, list) => {
        const named = await unlessWrong(async () => namedTable(table, types, project));
        if (named !== undefined)
            list({ ...named, table: names.canonical(named.table) });
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
        const areTypesKnown = columns.every((column) => column.type.toLowerCase() !== 'unknown');
        await add({ name: { text: name, place }, columns, content: engine/* noRows */.jw }, (named) => declared.push({ ...named, areTypesKnown }));
    }
    const { reads } = traced;
    const [fault] = faults;
    const file = {
        test: path,
        pipeline: first?.document.path,
        fault: fault && `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`,
        beside: besideOf(path, reads),
        reads,
    };
    return { reads, tables: { file, given, mocked, declared } };
}
function besideOf(path, reads) {
    const read = [...reads.texts.keys(), ...reads.digests.keys()].filter((file) => file !== path && (0,pipeline_kind/* kindOf */.I)(file) === undefined);
    return [...new Set([...read, ...reads.declaredIn])];
}
function namedTable(table, types, project) {
    const name = (0,table_named/* tableNamed */.u)(table.name.text, table.name.place, project);
    return { table: name, columns: (0,table_rows/* tableRows */.Q)(table, types, project).columns };
}
function writtenColumns({ name: table, columns, content }, { kind }) {
    const placeOf = (name) => columns.find((column) => column.name === name)?.place ??
        content.rows.find((row) => row.cells.has(name))?.placeOf(name) ??
        table.place;
    const names = new Set([...columns.map(({ name }) => name), ...content.columns]);
    return Array.from(names, (name) => ({ name: (0,engine/* storedName */.Rs)(name, kind), place: placeOf(name) }));
}
async function unlessWrong(work, faults = []) {
    try {
        return await work();
    }
    catch (error) {
        if (!(error instanceof engine/* FileProblems */.jq))
            throw error;
        faults.push(...error.problems);
        return undefined;
    }
}

;// CONCATENATED MODULE: ./flows/data-graph/bind/canonical-tables.js
function withCanonicalTables({ reads, writes, problems, unknown, open, lineage }, { canonical }) {
    const one = (use) => ({
        ...use,
        table: canonical(use.table),
    });
    const all = (use) => ({
        ...use,
        tables: use.tables.map(canonical),
    });
    const column = (each) => ({
        ...each,
        values: each.values.map(one),
        choices: each.choices.map(one),
    });
    return {
        reads: reads.map(one),
        writes: writes.map(one),
        problems: problems.map(all),
        unknown: unknown.map(all),
        open: open.map(one),
        lineage: lineage.map((write) => ({
            ...write,
            table: write.table && canonical(write.table),
            columns: write.columns.map(column),
            rows: write.rows.map(one),
            tables: write.tables.map(canonical),
        })),
    };
}

// EXTERNAL MODULE: ./flows/data-graph/bind/catalog-views.js
var catalog_views = __webpack_require__(4873);
// EXTERNAL MODULE: ./lib/config/fields/read-config.js + 2 modules
var read_config = __webpack_require__(6328);
// EXTERNAL MODULE: ./flows/pipeline-tests/outside/environment-names.js + 2 modules
var environment_names = __webpack_require__(3746);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 3 modules
var schemas = __webpack_require__(9713);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./flows/pipeline-tests/outside/outside-files.js
var outside_files = __webpack_require__(2603);
;// CONCATENATED MODULE: ./flows/pipeline-tests/outside/streamed-tables.js





const streamed_tables_text = schemas/* string */.YjP().min(1);
const transformations = ['CHANGE_LOG', 'COPY_TABLE', 'COPY_TABLE_SOFT_DELETE'];
const prefixTypes = ['PREFIX', 'SOURCE_DATABASE_AND_SCHEMA', 'NONE'];
const definitionSchema = schemas/* looseObject */._H3({
    name: streamed_tables_text,
    streamingSource: schemas/* looseObject */._H3({
        connection: schemas/* looseObject */._H3({ database: streamed_tables_text }),
        tables: schemas/* array */.YOg(schemas/* looseObject */._H3({ schema: streamed_tables_text, table: streamed_tables_text })),
    }),
    streamingTarget: schemas/* looseObject */._H3({
        database: streamed_tables_text,
        tableSchema: streamed_tables_text,
        stagePrefix: schemas/* string */.YjP(),
        tablePrefixType: streamed_tables_text,
        transformationType: streamed_tables_text,
    }),
});
function streamedTables(project, { canonical }) {
    const { paths, problems: missing } = (0,outside_files/* outsideFiles */.be)('streaming', project);
    const problems = [...missing];
    const definitions = paths.flatMap((file) => {
        try {
            return definitionsIn(file, project).map((each) => ({ ...each, table: canonical(each.table) }));
        }
        catch (error) {
            if (error instanceof engine/* FileProblems */.jq)
                problems.push(...error.problems);
            else if (error instanceof failure/* Failure */.HR && Array.isArray(error.details['problems']))
                problems.push(...error.details['problems']);
            else
                throw error;
            return [];
        }
    });
    if (problems.length > 0)
        throw new engine/* FileProblems */.jq(problems);
    return definitions;
}
function definitionsIn(file, project) {
    const { value, placeOf } = (0,read_config/* readConfig */.X)(project.text(file) ?? '', file, { schema: definitionSchema });
    const { name, streamingSource, streamingTarget } = value;
    const { tablePrefixType, transformationType, database, tableSchema, stagePrefix } = streamingTarget;
    const prefixType = prefixTypes.find((each) => each === tablePrefixType);
    if (prefixType === undefined)
        return [];
    return streamingSource.tables.map((source, index) => {
        const { line = 1, column = 1 } = placeOf(['streamingSource', 'tables', index]);
        return {
            table: (0,engine/* targetName */.je)(source, {
                kind: project.kind,
                prefixType,
                prefix: stagePrefix,
                sourceDatabase: streamingSource.connection.database,
                database,
                schema: tableSchema,
            }),
            pipeline: file,
            component: name,
            place: { file, line, column },
            mode: 'define',
            columns: columnsOf(transformationType, project.kind),
        };
    });
}
function columnsOf(written, kind) {
    const partly = { areNamesComplete: false, areTypesKnown: false };
    switch (transformations.find((each) => each === written)) {
        case 'CHANGE_LOG':
            return { columns: (0,engine/* changeLogColumns */.cn)(kind), ...partly };
        case 'COPY_TABLE_SOFT_DELETE':
            return { columns: [{ name: (0,engine/* columnName */.uS)(engine/* DELETED */.UW, kind), type: { name: 'BOOLEAN' } }], ...partly };
        case 'COPY_TABLE':
        case undefined:
            return undefined;
    }
}

;// CONCATENATED MODULE: ./flows/data-graph/bind/outside-of.js





function outsideOf(project, { after, isLenient = false, }) {
    const read = (work, nothing) => {
        try {
            return work();
        }
        catch (error) {
            if (!(error instanceof engine/* FileProblems */.jq))
                throw error;
            if (isLenient || after !== undefined)
                return nothing;
            throw (0,read_config/* invalidConfig */.q)(error.problems);
        }
    };
    const own = { defaults: project.defaults, canonical: (table) => table, key: '' };
    const names = after?.names ?? read(() => (0,environment_names/* environmentNames */.i)(project), own);
    return {
        names,
        schemas: read(() => (0,project_schemas/* projectSchemas */.it)(project), project_schemas/* noSchemas */.oS),
        streamed: read(() => streamedTables(project, names), []),
    };
}

// EXTERNAL MODULE: ./lib/pipelines/model/variables-of-calls.js
var variables_of_calls = __webpack_require__(8998);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/project-roots.js
var project_roots = __webpack_require__(5995);
// EXTERNAL MODULE: ./flows/data-graph/texts/unreadable-pipelines.js
var unreadable_pipelines = __webpack_require__(7029);
;// CONCATENATED MODULE: ./flows/data-graph/bind/variables-set-by-callers.js




function variablesSetByCallers(paths, project) {
    const targets = (0,project_roots/* callTargetsOf */.g)(project);
    const documents = paths.flatMap((path) => project.pipeline(path) ?? []);
    const ofCalls = (0,variables_of_calls/* variablesOfCalls */.K)(documents, targets);
    const words = new Set((0,unreadable_pipelines/* unreadableTexts */.My)(project).flatMap(mentioned_tables/* wordsOf */.Z9));
    if (words.size === 0)
        return ofCalls;
    return (path) => {
        const declared = [...(project.pipeline(path)?.variables.keys() ?? [])];
        return ofCalls(path).union(new Set(declared.filter((name) => words.has(name.toLowerCase()))));
    };
}

;// CONCATENATED MODULE: ./flows/data-graph/bind/bind-project.js
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
async function bindProject(project, { signal, ...options }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const graph = __addDisposableResource(env_1, await openDataGraph(project, options), true);
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
async function openDataGraph(opened, { packages, after, isLenient = false, traces = false, columns = true } = {}) {
    let readTests = createTestReader();
    let tables = new ProjectTables();
    let names;
    const bound = new Map();
    const users = new Map();
    const listers = new Set();
    const changed = new Set();
    const due = new Set();
    let schemas = project_schemas/* noSchemas */.oS;
    let streamed = [];
    let declared = declaredColumns(schemas, opened);
    const warehouse = columns ? await (0,open_test_warehouse/* openTestWarehouse */.W)(opened, packages) : (0,engine/* nameWarehouse */.LF)();
    async function bind(path, project, { setByCallers, canonical, }) {
        const document = project.pipeline(path);
        if (document === undefined)
            return;
        const files = new Map();
        const seen = new Map();
        const listed = [];
        const see = (table, isMissing) => {
            const knowledge = tables.knowledge(table, path);
            const key = (0,table_definitions/* tableKey */.ih)(table);
            const before = seen.get(key);
            seen.set(key, { table, text: knowledge.text, isMissing: isMissing || before?.isMissing === true });
            users.set(key, (users.get(key) ?? new Set()).add(path));
            return knowledge;
        };
        const written = await (0,engine/* bindPipeline */.kv)(document, {
            warehouse,
            kind: project.kind,
            defaults: project.defaults,
            files(file) {
                files.set(file, (0,read_text/* readText */.y)(file, project));
                return project.text(file);
            },
            tableOf(name, isMissing) {
                if (!columns)
                    return undefined;
                const view = (0,catalog_views/* catalogView */.b)(name, project.kind);
                if (view !== undefined)
                    return view;
                const table = canonical(name);
                const { table: known, below } = see(table, isMissing);
                if (below !== undefined)
                    see(below, true);
                return known;
            },
            tablesLike(schema, matches) {
                const list = () => tables.like(schema, matches);
                listed.push(list);
                return list();
            },
            setByCallers,
            traces,
        });
        const pipeline = withCanonicalTables(written, { canonical });
        const text = (0,read_text/* readText */.y)(path, project);
        bound.set(path, { pipeline, text, setByCallers: keyOf(setByCallers), files, seen, listed });
        if (listed.length > 0)
            listers.add(path);
        else
            listers.delete(path);
        for (const key of tables.update(path, pipeline))
            changed.add(key);
    }
    function isCurrent(path, project, setByCallers) {
        const before = bound.get(path);
        return (before !== undefined &&
            before.text === (0,read_text/* readText */.y)(path, project) &&
            before.setByCallers === keyOf(setByCallers) &&
            [...before.files].every(([file, text]) => text === (0,read_text/* readText */.y)(file, project)));
    }
    function isStale(path) {
        const { listed = [], seen } = bound.get(path) ?? {};
        if (listed.some((list) => list().some((table) => seen?.has((0,table_definitions/* tableKey */.ih)(table)) !== true)))
            return true;
        return [...(seen?.values() ?? [])].some(({ table, text, isMissing }) => tables.knowledge(table, path).text !== text && (isMissing || !tables.isDefinedBy(table, path)));
    }
    function forget() {
        readTests = createTestReader();
        tables = new ProjectTables();
        bound.clear();
        users.clear();
        changed.clear();
        due.clear();
    }
    function remove(path) {
        for (const key of tables.update(path, engine/* nothingBound */.Gf))
            changed.add(key);
        bound.delete(path);
        due.delete(path);
        listers.delete(path);
    }
    return {
        async update(written, signal) {
            const outsideNow = outsideOf(written, { after, isLenient });
            if (names?.key !== outsideNow.names.key)
                forget();
            names = outsideNow.names;
            const { canonical } = names;
            const project = { ...written, defaults: names.defaults };
            const tests = await readTests(project, names);
            const { schemas: declaredNow } = outsideNow;
            if (declaredNow !== schemas) {
                for (const key of changedSchemas(schemas, declaredNow))
                    changed.add(key);
                schemas = declaredNow;
                declared = declaredColumns(schemas, project);
            }
            streamed = outsideNow.streamed;
            const outside = tables.setOutside({
                declared,
                streamed,
                testDeclared: tests.declared,
                guessed: [...tests.given, ...tests.mocked],
                words: (0,mentioned_tables/* mentionedWords */.h8)(project),
            });
            for (const key of outside)
                changed.add(key);
            const paths = project.pipelines.filter((path) => !project.isHidden(path));
            const present = new Set(paths);
            for (const path of bound.keys())
                if (!present.has(path))
                    remove(path);
            const variablesOf = variablesSetByCallers(paths, project);
            for (const path of paths)
                if (!isCurrent(path, project, variablesOf(path)))
                    due.add(path);
            const rounds = new Map();
            const addStale = () => {
                const concerned = new Set([...changed].flatMap((key) => [...(users.get(key) ?? [])]));
                if (changed.size > 0)
                    for (const path of listers)
                        concerned.add(path);
                changed.clear();
                for (const path of concerned)
                    if (present.has(path) && (rounds.get(path) ?? 0) < maxBinds && isStale(path))
                        due.add(path);
            };
            addStale();
            const order = due.size > 1 ? bindingOrder(paths, (path) => project.pipeline(path)) : paths;
            const bindDue = async () => {
                for (; due.size > 0; addStale())
                    for (const path of order.filter((each) => due.has(each))) {
                        signal.throwIfAborted();
                        if (!rounds.has(path))
                            for (const key of tables.update(path, engine/* nothingBound */.Gf))
                                changed.add(key);
                        rounds.set(path, (rounds.get(path) ?? 0) + 1);
                        await bind(path, project, { setByCallers: variablesOf(path), canonical });
                        due.delete(path);
                    }
            };
            await bindDue();
            if (traces) {
                for (const key of tables.guess(listedTables(bound)))
                    changed.add(key);
                addStale();
                await bindDue();
            }
            const pipelines = new Map(paths.map((path) => [path, bound.get(path)?.pipeline ?? engine/* nothingBound */.Gf]));
            return { project, pipelines, tables, tests, schemas, streamed, names, areColumnsKnown: columns };
        },
        [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
    };
}
function keyOf(names) {
    return JSON.stringify([...names].toSorted());
}
function listedTables(bound) {
    const reads = [...bound.values()].flatMap(({ pipeline }) => pipeline.reads);
    return reads
        .filter(({ columns, isBound }) => !isBound && columns.length > 0)
        .map(({ table, columns }) => ({
        table,
        columns: columns.map((name) => ({ name, type: { name: 'VARCHAR', length: undefined } })),
    }));
}


/***/ }),

/***/ 4873:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ catalogView)
/* harmony export */ });
const text = { name: 'VARCHAR', length: undefined };
const whole = { name: 'NUMBER', precision: 38, scale: 0 };
const moment = { name: 'TIMESTAMP_TZ', isUtc: true };
const numbers = /^(?:ordinal_position|.*_maximum_length|.*_octet_length|numeric_.*|datetime_precision|interval_precision|maximum_cardinality|row_count|bytes|retention_time)$/;
const moments = /^(?:created|last_altered|last_ddl)$/;
const ofTable = ['table_catalog', 'table_schema', 'table_name'];
const standard = {
    tables: [...ofTable, 'table_type'],
    views: [...ofTable, 'view_definition', 'check_option', 'is_updatable', 'insertable_into'],
    schemata: ['catalog_name', 'schema_name', 'schema_owner'],
    columns: [
        ...ofTable,
        'column_name',
        'ordinal_position',
        'column_default',
        'is_nullable',
        'data_type',
        'character_maximum_length',
        'character_octet_length',
        'numeric_precision',
        'numeric_precision_radix',
        'numeric_scale',
        'datetime_precision',
        'interval_type',
        'interval_precision',
        'character_set_name',
        'collation_name',
        'domain_name',
        'maximum_cardinality',
        'dtd_identifier',
        'is_self_referencing',
    ],
};
const changes = ['created', 'last_altered', 'last_ddl', 'last_ddl_by', 'comment'];
const ofOne = {
    tables: [
        'table_owner',
        'is_transient',
        'clustering_key',
        'row_count',
        'bytes',
        'retention_time',
        'is_insertable_into',
        'is_typed',
        'auto_clustering_on',
        ...changes,
    ],
    views: ['table_owner', 'is_secure', ...changes],
    schemata: ['is_transient', 'is_managed_access', 'retention_time', ...changes],
    columns: ['is_identity', 'identity_start', 'identity_increment', 'comment'],
};
function catalogView({ schema, table }, kind) {
    const isOne = kind === 'WAREHOUSE_ONE';
    const stored = (name) => (isOne ? name.toUpperCase() : name);
    if (schema !== stored('information_schema'))
        return undefined;
    const view = Object.keys(standard).find((name) => stored(name) === table);
    if (view === undefined)
        return undefined;
    const names = [...(standard[view] ?? []), ...(isOne ? (ofOne[view] ?? []) : [])];
    return {
        columns: names.map((name) => ({
            name: stored(name),
            type: numbers.test(name) ? whole : moments.test(name) ? moment : text,
        })),
        areNamesComplete: false,
        areTypesKnown: false,
    };
}


/***/ }),

/***/ 6114:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $E: () => (/* binding */ contentOf),
/* harmony export */   DN: () => (/* binding */ addTo),
/* harmony export */   Nu: () => (/* binding */ afterComponents),
/* harmony export */   VO: () => (/* binding */ wayOf),
/* harmony export */   a$: () => (/* binding */ knowledgeOf),
/* harmony export */   cq: () => (/* binding */ firstOfEachName),
/* harmony export */   ih: () => (/* binding */ tableKey),
/* harmony export */   vc: () => (/* binding */ isCreatedNowhere),
/* harmony export */   xn: () => (/* binding */ areAlike)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);

function tableKey({ database, schema, table }) {
    return JSON.stringify([database, schema, table]);
}
function afterComponents(definitions) {
    return [...Map.groupBy(definitions, ({ component }) => component).values()].flatMap((own) => {
        const last = own.at(-1);
        if (last?.columns === undefined || own.some(({ columns }) => columns === undefined))
            return own;
        return [{ ...last, mode: own.some(({ mode }) => mode === 'define') ? 'define' : last.mode }];
    });
}
function firstOfEachName(columns) {
    const byName = new Map();
    for (const column of columns) {
        const key = column.name.toLowerCase();
        if (!byName.has(key))
            byName.set(key, column);
    }
    return [...byName.values()];
}
function areAlike([first, ...others]) {
    const text = (table) => JSON.stringify(table?.columns.map(({ name, type }) => [name, (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .describeType */ .MF)(type)]));
    return others.every((other) => text(other) === text(first));
}
function knowledgeOf(table) {
    const { columns, areNamesComplete, areTypesKnown, unreadable } = table ?? {};
    return { table, text: JSON.stringify([columns, areNamesComplete, areTypesKnown, unreadable?.reason]) };
}
function isCreatedNowhere(definitions) {
    return definitions.every(({ mode }) => mode === 'alter');
}
function wayOf(definitions) {
    return JSON.stringify(definitions.map(({ columns, mode }) => [columns, mode]));
}
function contentOf(definitions) {
    return JSON.stringify((definitions ?? []).map(({ columns, mode, component, place }) => [columns, mode, component, place.line]));
}
function addTo(counts, key, change) {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0)
        counts.delete(key);
    else
        counts.set(key, count);
}


/***/ }),

/***/ 7552:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ sha256),
/* harmony export */   w: () => (/* binding */ pipelineMeaning)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7223);
/* harmony import */ var _lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(315);
/* harmony import */ var _lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5143);
/* harmony import */ var _snapshot_marks_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(246);
/* harmony import */ var _texts_sql_texts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(295);






function pipelineMeaning(document, kind) {
    const order = (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_1__/* .runOrder */ .wW)(document);
    const rank = new Map(order.map((name, index) => [name, index]));
    const parameters = new Map();
    const digests = [];
    const components = [...document.components.values()].map((component) => {
        const { name, type, range, sources, skipped, iterationTarget, transitions } = component;
        const { digest, marks } = parameterMeaning(component, document, kind);
        parameters.set(name, digest);
        const flow = JSON.stringify([type, sources, skipped, iterationTarget, transitions]);
        const whole = sha256(`${digest} ${flow}`);
        digests.push(`${JSON.stringify(name)} ${whole}`);
        const place = rank.get(name);
        return {
            name,
            type,
            line: range.line,
            digest: whole.slice(0, 16),
            ...(place === undefined ? {} : { rank: place }),
            marks,
        };
    });
    const variables = [...document.variables.values()].map((variable) => ({
        name: variable.name,
        line: variable.range.line,
        digest: sha256(declarationOf(variable)),
    }));
    const declarations = sha256(variables
        .map(({ name, digest }) => `${JSON.stringify(name)} ${digest}`)
        .toSorted(_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .compareTexts */ .q)
        .join('\n'));
    return {
        digest: sha256([...digests.toSorted(_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .compareTexts */ .q), declarations, JSON.stringify(order)].join('\n')).slice(0, 32),
        components,
        variables: variables.map(({ digest, ...variable }) => ({ ...variable, digest: digest.slice(0, 16) })),
        parameters,
        declarations,
    };
}
function sha256(text) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', text);
}
function declarationOf({ type, scope, visibility, columns, columnTypes, defaultValue }) {
    return JSON.stringify([type, scope, visibility, columns, columnTypes, defaultValue]);
}
function parameterMeaning(component, { source }, kind) {
    const sql = (0,_texts_sql_texts_js__WEBPACK_IMPORTED_MODULE_2__/* .sqlTexts */ .J)(component);
    const parts = [];
    const lines = { scalars: new Map(), sizes: new Map() };
    const add = (node, part) => {
        parts.push(part);
        const { line } = source.toRange(node);
        const marked = node.kind === 'scalar' ? lines.scalars : lines.sizes;
        marked.set(line, `${marked.get(line) ?? ''}${part}\n`);
    };
    const visit = (node, path) => {
        if (node.kind === 'scalar')
            add(node, `${path} ${scalarMeaning(node, sql, kind)}`);
        else if (node.kind === 'list') {
            add(node, `${path} [${node.items.length}]`);
            for (const [index, item] of node.items.entries())
                visit(item, `${path}/${index}`);
        }
        else {
            add(node, `${path} {${node.entries.size}}`);
            for (const [key, { value }] of node.entries)
                visit(value, `${path}/${JSON.stringify(key)}`);
        }
    };
    for (const key of ['parameters', 'postProcessing']) {
        const node = component.node(key);
        if (node !== undefined)
            visit(node, key);
    }
    return {
        digest: sha256(parts.toSorted(_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .compareTexts */ .q).join('\n')),
        marks: `${(0,_snapshot_marks_js__WEBPACK_IMPORTED_MODULE_4__/* .writeMarks */ .k)(lines.scalars)}|${(0,_snapshot_marks_js__WEBPACK_IMPORTED_MODULE_4__/* .writeMarks */ .k)(lines.sizes)}`,
    };
}
function scalarMeaning(node, sql, kind) {
    if (node.value === null)
        return 'null';
    return JSON.stringify(sql.has(node) && !(0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_5__/* .isEmpty */ .Im)(node) ? (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_1__/* .sqlMeaning */ .g2)(node.text, kind) : node.text);
}


/***/ }),

/***/ 2033:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  e: () => (/* binding */ snapshotOf)
});

// EXTERNAL MODULE: ./lib/core/text/shorten.js
var shorten = __webpack_require__(4280);
// EXTERNAL MODULE: ./lib/pipelines/model/calls.js
var model_calls = __webpack_require__(9846);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/project-roots.js
var project_roots = __webpack_require__(5995);
// EXTERNAL MODULE: ./flows/snapshot/canonical-snapshot.js
var canonical_snapshot = __webpack_require__(1703);
// EXTERNAL MODULE: ./flows/snapshot/snapshot.js
var snapshot = __webpack_require__(1954);
// EXTERNAL MODULE: ./flows/data-graph/texts/read-text.js
var read_text = __webpack_require__(9330);
// EXTERNAL MODULE: ./flows/data-graph/texts/sql-objects.js
var sql_objects = __webpack_require__(3655);
// EXTERNAL MODULE: ./lib/pipelines/checks/missing-file.js
var missing_file = __webpack_require__(4330);
// EXTERNAL MODULE: ./lib/pipelines/model/component-types.js
var component_types = __webpack_require__(8080);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
// EXTERNAL MODULE: ./flows/data-graph/texts/mentioned-tables.js
var mentioned_tables = __webpack_require__(2711);
// EXTERNAL MODULE: ./flows/data-graph/texts/sql-texts.js
var sql_texts = __webpack_require__(295);
;// CONCATENATED MODULE: ./flows/data-graph/texts/unread-parts.js








const writingWords = /insert|update|delete|merge|truncate|copy|create|alter|replace|rename|drop|write|load|save|append|to_sql|immediate|call\b/i;
function unreadParts(document, { unknown, writes }, project) {
    const scripts = (0,missing_file/* scriptFacts */.Xp)(document);
    const targets = (0,project_roots/* callTargetsOf */.g)(project);
    return [...document.components.values()].flatMap((component) => {
        const { name, range, skipped } = component;
        const reasons = unknown.filter((each) => each.component === name && !each.isAfterOther);
        const call = (0,model_calls/* callOf */.C8)(component);
        const leadsOut = call !== undefined && !call.dynamic && (0,model_calls/* calledPath */.v)(call, targets) === undefined;
        if (skipped || !(reasons.length > 0 || leadsOut || component_types/* codeTypes */.BA.has(component.type)))
            return [];
        const path = scripts.find((each) => each.component === name)?.path;
        const script = path === undefined ? undefined : (0,read_text/* readText */.y)(path, project);
        const all = [...(0,mentioned_tables/* textsOf */.CB)(component), script ?? ''];
        const words = new Map();
        for (const word of all.flatMap(mentioned_tables/* wordsOf */.Z9))
            words.set(word, (words.get(word) ?? 0) + 1);
        for (const { component: writer, table } of writes) {
            const word = table.table.toLowerCase();
            if (writer === name)
                words.set(word, (words.get(word) ?? 0) - 1);
        }
        const variables = reasons.flatMap((each) => each.variables);
        const isCode = component_types/* codeTypes */.BA.has(component.type);
        const onlyReads = isCode && !all.some((text) => writingWords.test(text));
        const written = reasons
            .filter(({ others }) => others !== 'none' && !onlyReads)
            .map(({ others, text }) => mayWrite(text === undefined ? all : [text], others === 'any'));
        if (written.length === 0 && (leadsOut || (isCode && !onlyReads)))
            written.push(mayWrite(all, false));
        return [
            {
                component: name,
                file: document.source.file,
                line: range.line,
                words,
                open: openNames(component, script, variables),
                written,
            },
        ];
    });
}
function mayWrite(written, isAny) {
    return { words: new Set(written.flatMap(mentioned_tables/* wordsOf */.Z9)), isAny };
}
function allUnreadParts({ pipelines, project, }) {
    return [...pipelines].flatMap(([pipeline, bound]) => {
        const document = project.pipeline(pipeline);
        const parts = document === undefined ? [] : unreadParts(document, bound, project);
        return parts.map((part) => ({ ...part, pipeline }));
    });
}
const texts = /'(?:[^'\\]|\\.|'')*'/gs;
const wordWithVariable = /[\p{L}\p{N}_"]*\$\{[^}]*\}(?:[\p{L}\p{N}_"]|\$\{[^}]*\})*/gu;
const variable = /\$\{[^}]*\}/g;
const nameBehind = /^\s*\./;
const valueAhead = /(?:[=<>+\-*/%|]|\b(?:limit|offset|then|else|and|between|like))\s*$/i;
const reach = 100;
function openNames(component, file, variables) {
    const uses = (text) => variables.some((name) => (0,mentioned_tables/* wordsOf */.Z9)(text).includes(name.toLowerCase()));
    if (component.type === 'sql-executor' && uses(component.text('fileName') ?? ''))
        return ['*'];
    const sql = [...(0,sql_texts/* sqlTexts */.J)(component)].flatMap((node) => (0,yaml_node/* textOf */.b6)(node) ?? []);
    if (file !== undefined)
        sql.push(file);
    return sql.flatMap((text) => {
        const bare = text.replace(texts, "''");
        return [...bare.matchAll(wordWithVariable)].flatMap(({ index, 0: word }) => {
            const end = index + word.length;
            const isTable = (word.match(variable) ?? []).some(uses) &&
                !nameBehind.test(bare.slice(end, end + reach)) &&
                !valueAhead.test(bare.slice(Math.max(0, index - reach), index));
            return isTable ? word.replaceAll('"', '').replace(variable, '*') : [];
        });
    });
}

// EXTERNAL MODULE: ./flows/data-graph/texts/unreadable-pipelines.js
var unreadable_pipelines = __webpack_require__(7029);
// EXTERNAL MODULE: ./lib/pipelines/model/graph.js
var model_graph = __webpack_require__(8223);
;// CONCATENATED MODULE: ./lib/pipelines/model/updated-variables.js

function updatesVariables(component) {
    const node = component.node('postProcessing');
    if (node?.kind !== 'map')
        return !(0,yaml_node/* isEmpty */.Im)(node);
    return [...node.entries].some(([key, { value }]) => key !== 'updateOutputMessage' && !isBlank(value));
}
function isBlank(node) {
    if (node.kind === 'scalar')
        return (0,yaml_node/* isEmpty */.Im)(node);
    return node.kind === 'list' ? node.items.length === 0 : node.entries.size === 0;
}

// EXTERNAL MODULE: ./flows/data-graph/snapshot/pipeline-meaning.js
var pipeline_meaning = __webpack_require__(7552);
;// CONCATENATED MODULE: ./flows/data-graph/snapshot/pipeline-calls.js







const fromData = new Set([
    'query-to-scalar',
    'query-to-grid',
    'table-iterator',
    'table-metadata-to-grid',
    ...component_types/* codeTypes */.BA,
]);
const deciding = new Set([...component_types/* flowTypes */.YA, ...fromData]);
function pipelineCalls(document, meaning, targets) {
    const calls = (0,model_calls/* callsOf */.p9)(document);
    if (calls.length === 0)
        return [];
    const graph = (0,model_graph/* componentGraph */.Y)(document);
    return calls.map((call) => {
        const { component, kind, target, version, dynamic } = call;
        const path = (0,model_calls/* calledPath */.v)(call, targets);
        const { ways, leading } = waysTo(call, document, graph);
        const usesValues = usesVariables(leading);
        const context = [
            ways,
            ...leading.map(({ name }) => meaning.parameters.get(name)),
            ...(usesValues ? [meaning.declarations] : []),
        ];
        return {
            component: component.name,
            line: component.range.line,
            kind,
            target,
            ...(version === undefined ? {} : { version }),
            ...(path === undefined ? {} : { path }),
            ...(dynamic ? { dynamic } : {}),
            ...((0,model_calls/* isOwnCall */.dN)(call, targets) ? { own: true } : {}),
            ...(updatesVariables(component) ? { result: true } : {}),
            ...(dependsOnData(component, leading) ? { fromData: true } : {}),
            ...(usesValues ? { fromVariables: true } : {}),
            context: (0,pipeline_meaning/* sha256 */.s)(context.join('\n')).slice(0, 16),
        };
    });
}
function waysTo({ component }, document, graph) {
    const names = (0,model_graph/* reachable */.G)([component.name], (name) => graph.to(name).map(({ from }) => from));
    const edges = graph.edges.filter(({ from, to }) => names.has(from) && names.has(to));
    const leading = [...names].toSorted().flatMap((name) => document.components.get(name) ?? []);
    const isHandled = new Set(edges.filter(({ by }) => by === 'failure').map(({ from }) => from));
    return {
        ways: JSON.stringify([
            leading.map(({ name, type, skipped }) => JSON.stringify([name, type, skipped])).toSorted(),
            edges.map((edge) => JSON.stringify([edge.from, edge.by, edge.to])).toSorted(),
        ]),
        leading: leading.filter((each) => deciding.has(each.type) || isHandled.has(each.name) || updatesVariables(each)),
    };
}
function dependsOnData(call, leading) {
    const isRepeated = leading.some(({ type }) => type === 'retry' || type.endsWith('-iterator'));
    return leading.some((each) => fromData.has(each.type) || (updatesVariables(each) && (each !== call || isRepeated)));
}
function usesVariables(components) {
    return components.some((component) => component.type === 'if' ||
        component.type.endsWith('-iterator') ||
        !(0,yaml_node/* isEmpty */.Im)(component.parameter('setGridVariables')) ||
        (0,mentioned_tables/* textsOf */.CB)(component).some((text) => text.includes('${')));
}

// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
;// CONCATENATED MODULE: ./flows/data-graph/snapshot/pipeline-scripts.js





function pipelineScripts(document) {
    const named = (0,missing_file/* scriptFacts */.Xp)(document).flatMap(({ component, path, isSql, range }) => path === undefined
        ? []
        : [{ component, line: range.line, path, ...(isSql === true ? { sql: true } : {}) }]);
    const open = [...document.components.values()].flatMap(({ name, type, range, text }) => missing_file/* scriptParameters */.yb.flatMap((parameter) => {
        const written = text(parameter) ?? '';
        if (!written.includes('${'))
            return [];
        const path = written
            .trim()
            .replace(/^(?:\.?\/)+/, '')
            .replace(/\$\{[^}]*\}/g, '*');
        const sql = type === 'sql-executor' ? { sql: true } : {};
        return [{ component: name, line: range.line, path, open: true, ...sql }];
    }));
    return [...named, ...open];
}
const maxOpenFiles = 2_000;
function scriptFiles(scripts, project) {
    const named = new Map();
    const add = (path, isSql) => named.set(path, isSql && named.get(path) !== false);
    for (const { path, open, sql = false } of scripts)
        if (open === undefined && project.has(path))
            add(path, sql);
    const patterns = new Map(scripts
        .filter(({ open }) => open === true)
        .map(({ path, sql = false }) => [JSON.stringify([path, sql]), { pattern: path, sql }]));
    const fitting = new Set();
    for (const { pattern, sql } of patterns.values()) {
        const fits = new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 's');
        for (const path of project.paths)
            if (fits.test(path) && (fitting.has(path) || fitting.size < maxOpenFiles)) {
                fitting.add(path);
                add(path, sql);
            }
    }
    const files = [...named].map(([path, isSql]) => {
        const text = (0,read_text/* readText */.y)(path, project);
        if (text === undefined)
            return { path, digest: fileDigest(path, project) };
        return { path, digest: (0,pipeline_meaning/* sha256 */.s)(isSql ? (0,engine/* sqlMeaning */.g2)(text, project.kind) : text).slice(0, 32) };
    });
    const unread = fitting.size < maxOpenFiles
        ? []
        : [
            `Names of scripts with variables may mean more than ${(0,number_of/* numberOf */.r)(maxOpenFiles, 'file')}: changes of the others are not noticed.`,
        ];
    return { files, unread };
}
function fileDigest(path, project) {
    try {
        return (0,pipeline_meaning/* sha256 */.s)(project.bytes(path) ?? '').slice(0, 32);
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return (0,pipeline_meaning/* sha256 */.s)(`size ${project.size(path)}`).slice(0, 32);
        throw error;
    }
}

// EXTERNAL MODULE: ./lib/yaml/read-yaml.js + 5 modules
var read_yaml = __webpack_require__(8691);
// EXTERNAL MODULE: ./flows/data-graph/bind/table-definitions.js
var table_definitions = __webpack_require__(6114);
;// CONCATENATED MODULE: ./flows/data-graph/snapshot/snapshot-tables.js







function snapshotName({ database, schema, table }) {
    return [database, schema, table];
}
function snapshotKey(table) {
    return (0,snapshot/* tableKeyOf */.ZR)(snapshotName(table));
}
function tableNames({ pipelines, schemas, streamed }) {
    const names = new Map();
    const add = (table) => names.set((0,table_definitions/* tableKey */.ih)(table), table);
    for (const { reads, writes, unknown } of pipelines.values()) {
        for (const { table } of [...reads, ...writes])
            add(table);
        for (const { tables } of unknown)
            for (const table of tables)
                add(table);
    }
    for (const { table } of [...schemas.all, ...streamed])
        add(table);
    return [...names.values()];
}
function snapshotTable(table, graph) {
    const { tables, schemas } = graph;
    const known = tables.find(table);
    const declared = schemas.all.find((each) => (0,table_definitions/* tableKey */.ih)(each.table) === (0,table_definitions/* tableKey */.ih)(table));
    return {
        name: snapshotName(table),
        definitions: tables.definitionsOf(table).map((definition) => definitionOf(definition, graph)),
        ...(known === undefined
            ? {}
            : { columns: known.columns.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type)]) }),
        ...(known?.areNamesComplete === true ? { complete: true } : {}),
        ...(known?.areTypesKnown === true ? { typed: true } : {}),
        ...(tables.isMentioned(table) ? { mentioned: true } : {}),
        ...(declared === undefined
            ? {}
            : {
                declared: {
                    file: declared.place.file,
                    digest: shortDigest(declared.columns.map(({ name, type }) => [name, type])),
                },
            }),
    };
}
function definitionOf({ pipeline, component, place: { file, line }, mode, columns }, { pipelines }) {
    return {
        pipeline,
        component,
        line,
        ...(file === pipeline ? {} : { file }),
        mode: mode === 'alter' ? 'alter' : 'define',
        ...(columns === undefined ? {} : { digest: shortDigest(columns) }),
        ...(pipelines.has(pipeline) ? {} : { streaming: true }),
    };
}
function shortDigest(value) {
    return (0,pipeline_meaning/* sha256 */.s)(JSON.stringify(value)).slice(0, 16);
}
function snapshotStreaming({ streamed, project }) {
    return [...Map.groupBy(streamed, ({ pipeline }) => pipeline)].map(([file, definitions]) => ({
        file,
        line: definitions[0]?.place.line ?? 1,
        digest: (0,pipeline_meaning/* sha256 */.s)((0,yaml_node/* spellingOf */.k2)((0,read_yaml/* readYaml */.g)((0,read_text/* readText */.y)(file, project) ?? '', { file }).root)).slice(0, 32),
        tables: definitions.map(({ table }) => snapshotKey(table)),
    }));
}

// EXTERNAL MODULE: ./lib/pipelines/model/expression-names.js
var expression_names = __webpack_require__(3480);
// EXTERNAL MODULE: ./lib/pipelines/model/variable-name.js
var variable_name = __webpack_require__(7199);
;// CONCATENATED MODULE: ./flows/data-graph/snapshot/used-variables.js



const firstName = new RegExp(String.raw `\$\{(${variable_name/* variableName */.c})`, 'gu');
function usedVariables(document, scripts) {
    const names = new Set();
    const add = (text) => {
        if (!text.includes('${'))
            return;
        for (const [, name = ''] of text.matchAll(firstName))
            names.add(name);
        for (const [, expression = ''] of text.matchAll(expression_names/* expressionUse */.Q))
            for (const name of (0,expression_names/* expressionNames */.H)(expression))
                names.add(name);
    };
    if (document.problems.length > 0)
        add(document.source.text);
    else
        for (const scalar of (0,yaml_node/* scalarsOf */.TM)(document.source.root))
            add(scalar.text);
    for (const script of scripts)
        add(script);
    return [...names];
}

;// CONCATENATED MODULE: ./flows/data-graph/snapshot/snapshot-of.js














const maxReason = 500;
function snapshotOf(graph, unread = []) {
    const { project, areColumnsKnown } = graph;
    const defined = (0,sql_objects/* definedObjects */.Ye)(graph);
    const names = tableNames(graph);
    const words = new Set(names.map(({ table }) => table.toLowerCase()));
    const facts = {
        graph,
        targets: (0,project_roots/* callTargetsOf */.g)(project),
        parts: Map.groupBy(allUnreadParts(graph), ({ pipeline }) => pipeline),
        words,
        defined,
        objects: new Set([...defined.values()].flatMap((objects) => [...objects.keys()])),
        unreadable: new Map((0,unreadable_pipelines/* unreadablePipelines */.xw)(project).map(({ pipeline, line, column, message }) => [
            pipeline,
            { line, column, message },
        ])),
    };
    const pipelines = [...graph.pipelines].flatMap(([path, bound]) => {
        const document = project.pipeline(path);
        return document === undefined ? [] : [snapshotPipeline(document, bound, facts)];
    });
    const { files, unread: notRead } = scriptFiles(pipelines.flatMap(({ scripts }) => scripts), project);
    const shared = sharedOf(project);
    return (0,canonical_snapshot/* canonicalSnapshot */.nx)({
        format: snapshot/* snapshotFormat */.QE,
        warehouse: project.kind,
        columns: areColumnsKnown ? 'known' : 'unknown',
        defaults: graph.names.defaults,
        pipelines,
        leftOut: project.pipelines.filter((path) => project.isHidden(path)),
        tables: names.map((table) => snapshotTable(table, graph)),
        files,
        streaming: snapshotStreaming(graph),
        ...(shared === undefined ? {} : { shared }),
        unread: [...unread, ...notRead, ...withoutDocument(graph)],
    });
}
function withoutDocument({ project, pipelines }) {
    return (0,unreadable_pipelines/* unreadablePipelines */.xw)(project).flatMap(({ pipeline, file, message }) => pipelines.has(pipeline) ? [] : [`${file}: ${message}.`]);
}
function snapshotPipeline(document, bound, { graph, targets, parts, words, defined, objects, unreadable }) {
    const { project } = graph;
    const { path, range, problems } = document;
    const meaning = (0,pipeline_meaning/* pipelineMeaning */.w)(document, project.kind);
    const scripts = pipelineScripts(document);
    const scriptTexts = scripts.flatMap((script) => script.open === true ? [] : ((0,read_text/* readText */.y)(script.path, project) ?? []));
    const placed = ({ component, place: { file, line }, }) => ({ component, line, ...(file === path ? {} : { file }) });
    const fault = unreadable.get(path);
    const uses = objects.size === 0 ? [] : [...(0,sql_objects/* usedObjects */.aM)(path, graph, (key) => objects.has(key))];
    return {
        path,
        digest: problems.length > 0 ? rawDigest(document, project) : meaning.digest,
        line: range.line,
        ...(fault === undefined ? {} : { unreadable: fault }),
        components: meaning.components,
        variables: meaning.variables,
        uses: usedVariables(document, scriptTexts),
        connectors: connectorsOf(document),
        calls: pipelineCalls(document, meaning, targets),
        scripts,
        reads: bound.reads.map((read) => ({
            ...placed(read),
            table: snapshotKey(read.table),
            columns: read.columns,
            ...(read.readsAll ? { all: true } : {}),
            ...(read.isBound ? {} : { unbound: true }),
        })),
        writes: bound.writes.map((write) => ({
            ...placed(write),
            table: snapshotKey(write.table),
            mode: write.mode,
        })),
        open: [
            ...bound.open.map(({ table, component, place, effect }) => ({
                name: snapshotName(table),
                component,
                line: place.line,
                effect,
            })),
            ...patternReads(document),
        ],
        unknown: bound.unknown.map((each) => ({
            ...placed(each),
            reason: (0,shorten/* shorten */.m)(each.reason, maxReason),
            tables: each.tables.map(snapshotKey),
            ...(each.isAfterOther ? { after: true } : {}),
        })),
        parts: (parts.get(path) ?? []).map((part) => partOf(part, words)),
        defines: [...(defined.get(path) ?? [])].map(([key, name]) => ({ key, name })),
        objects: uses.map(([key, line]) => ({ key, line })),
    };
}
function patternReads({ components }) {
    return [...components.values()].flatMap(({ name, type, range, skipped, text }) => {
        const pattern = type === 'multi-table-input' && !skipped ? (text('pattern') ?? '') : '';
        const table = pattern.replaceAll(/\$\{[^}]*\}|[%_]/g, '*');
        return pattern === ''
            ? []
            : [{ name: ['*', '*', table], component: name, line: range.line, effect: 'read' }];
    });
}
function connectorsOf({ components }) {
    const names = [...components.values()].map((component) => component.text('profile')?.trim() ?? '');
    return [...new Set(names)].filter((name) => name !== '' && !name.includes('${'));
}
function rawDigest({ path, fault, source }, project) {
    return fault === undefined && source.text !== ''
        ? (0,pipeline_meaning/* sha256 */.s)(source.text).slice(0, 32)
        : fileDigest(path, project);
}
function partOf({ component, line, words, open, written }, tables) {
    return {
        component,
        line,
        words: [...words].flatMap(([word, count]) => (count > 0 && tables.has(word) ? [word] : [])),
        open,
        writes: written.map(({ words: own, isAny }) => ({
            words: [...own].filter((word) => tables.has(word)),
            ...(isAny ? { any: true } : {}),
        })),
    };
}
function sharedOf(project) {
    const { shared } = project;
    if (shared === undefined)
        return undefined;
    return {
        prefix: shared.prefix,
        pipelines: [...shared.pipelines].map(([id, pipeline]) => {
            const path = (0,model_calls/* sharedFile */.QY)(pipeline, project);
            return { id, pipeline, ...(path === undefined ? {} : { path }) };
        }),
    };
}


/***/ }),

/***/ 5860:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ componentTexts),
/* harmony export */   x: () => (/* binding */ isAsAtBase)
/* harmony export */ });
/* harmony import */ var _lib_pipelines_checks_missing_file_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4330);
/* harmony import */ var _mentioned_tables_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2711);
/* harmony import */ var _read_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9330);



function componentTexts(component, document, project) {
    const [fact] = (0,_lib_pipelines_checks_missing_file_js__WEBPACK_IMPORTED_MODULE_0__/* .scriptFacts */ .Xp)({ ...document, components: new Map([[component.name, component]]) });
    const path = fact?.path;
    const script = path === undefined ? undefined : (0,_read_text_js__WEBPACK_IMPORTED_MODULE_2__/* .readText */ .y)(path, project);
    return [...(0,_mentioned_tables_js__WEBPACK_IMPORTED_MODULE_1__/* .textsOf */ .CB)(component), ...(script === undefined ? [] : [script])];
}
function isAsAtBase(pipeline, component, { project }, { project: base }) {
    const [now, before] = [project, base].map((side) => {
        const document = side.pipeline(pipeline);
        const found = document?.components.get(component);
        return document && found && JSON.stringify([found.type, componentTexts(found, document, side)]);
    });
    return now !== undefined && now === before;
}


/***/ }),

/***/ 2711:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CB: () => (/* binding */ textsOf),
/* harmony export */   Z9: () => (/* binding */ wordsOf),
/* harmony export */   h8: () => (/* binding */ mentionedWords)
/* harmony export */ });
/* harmony import */ var _lib_pipelines_model_calls_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9846);
/* harmony import */ var _lib_pipelines_model_component_types_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8080);
/* harmony import */ var _lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5143);
/* harmony import */ var _read_text_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9330);
/* harmony import */ var _unreadable_pipelines_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7029);
/* harmony import */ var _pipeline_tests_files_project_roots_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5995);






const typesWithMeaning = new Set([
    ..._lib_pipelines_model_component_types_js__WEBPACK_IMPORTED_MODULE_1__/* .knownTypes */ .ts.orchestration,
    ..._lib_pipelines_model_component_types_js__WEBPACK_IMPORTED_MODULE_1__/* .knownTypes */ .ts.transformation,
]);
const scriptTypes = new Set(['sql-executor', 'sql-script']);
const definitionWords = /create|alter|replace|rename|to_sql|save_?as|write|overwrite/i;
const dynamicSql = /\bexecute\s+immediate\b|\bprocedure\b|\$\$|\bdeclare\b|\bbegin\b(?!\s*(?:;|work\b|transaction\b|$))/i;
const script = /\.sql$/i;
const code = /\.(?:py|sh|ipynb)$/i;
function mentionedWords(project) {
    const targets = (0,_pipeline_tests_files_project_roots_js__WEBPACK_IMPORTED_MODULE_4__/* .callTargetsOf */ .g)(project);
    const words = new Set([...fileTexts(project), ...(0,_unreadable_pipelines_js__WEBPACK_IMPORTED_MODULE_3__/* .unreadableTexts */ .My)(project)].flatMap(wordsOf));
    for (const path of project.pipelines) {
        const document = project.pipeline(path);
        if (document === undefined)
            continue;
        const mentions = mentionsOf(document);
        for (const word of mentions.words)
            words.add(word);
        for (const call of mentions.calls)
            if ((0,_lib_pipelines_model_calls_js__WEBPACK_IMPORTED_MODULE_0__/* .calledPath */ .v)(call, targets) === undefined)
                for (const word of textsOf(call.component).flatMap(wordsOf))
                    words.add(word);
    }
    return words;
}
const mentionsByDocument = new WeakMap();
function mentionsOf(document) {
    const known = mentionsByDocument.get(document);
    if (known !== undefined)
        return known;
    const components = [...document.components.values()];
    const mentions = {
        words: components.filter((component) => (0,_lib_pipelines_model_calls_js__WEBPACK_IMPORTED_MODULE_0__/* .callOf */ .C8)(component) === undefined).flatMap(mentionedBy),
        calls: (0,_lib_pipelines_model_calls_js__WEBPACK_IMPORTED_MODULE_0__/* .callsOf */ .p9)(document),
    };
    mentionsByDocument.set(document, mentions);
    return mentions;
}
function mentionedBy(component) {
    const { type } = component;
    if (!typesWithMeaning.has(type))
        return textsOf(component).flatMap(wordsOf);
    const form = _lib_pipelines_model_component_types_js__WEBPACK_IMPORTED_MODULE_1__/* .codeTypes */ .BA.has(type) ? definitionWords : scriptTypes.has(type) ? dynamicSql : undefined;
    return form === undefined
        ? []
        : textsOf(component)
            .filter((text) => form.test(text))
            .flatMap(wordsOf);
}
function* fileTexts(project) {
    for (const path of project.paths) {
        const form = script.test(path) ? dynamicSql : code.test(path) ? definitionWords : undefined;
        const text = form === undefined ? '' : ((0,_read_text_js__WEBPACK_IMPORTED_MODULE_2__/* .readText */ .y)(path, project) ?? '');
        if (form?.test(text) === true)
            yield text;
    }
}
function wordsOf(text) {
    return text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
}
function textsOf(component) {
    return Array.from((0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_5__/* .scalarsOf */ .TM)(component.node('parameters')), (scalar) => (0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_5__/* .textOf */ .b6)(scalar) ?? '');
}


/***/ }),

/***/ 9330:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ readText)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);

function readText(path, project) {
    try {
        return project.text(path);
    }
    catch (error) {
        if (error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq)
            return undefined;
        throw error;
    }
}


/***/ }),

/***/ 3655:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T5: () => (/* binding */ objectKey),
/* harmony export */   Ye: () => (/* binding */ definedObjects),
/* harmony export */   aM: () => (/* binding */ usedObjects)
/* harmony export */ });
/* harmony import */ var _component_texts_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5860);

const definition = /\b(?:create|alter|drop|undrop)\s+(?:or\s+replace\s+)?(?:(?:temporary|temp|secure|external|aggregate|local|global)\s+)*(function|procedure|sequence|stage|file\s+format|stream|task|pipe)\s+(?:if\s+(?:not\s+)?exists\s+)?((?:"[^"]+"|[\w$]+)(?:\s*\.\s*(?:"[^"]+"|[\w$]+))*)/giu;
const call = /(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_$]*))\s*\(/gu;
const counting = /(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_$]*))\s*\.\s*(?:nextval|currval)\b/giu;
const countingText = /\b(?:nextval|currval)\s*\(\s*'(?:[^']*\.)?"?([^'."]+)"?'/giu;
const word = /[\p{L}\p{N}_$]+/gu;
const kinds = new Map([
    ['function', 'called'],
    ['procedure', 'called'],
    ['sequence', 'counting'],
]);
function definedObjects(graph) {
    return new Map([...graph.pipelines.keys()].map((pipeline) => [
        pipeline,
        new Map(textsOfPipeline(pipeline, graph, isScript)
            .flatMap(({ texts }) => texts)
            .flatMap((text) => [...text.matchAll(definition)])
            .map(([, what = '', name = '']) => {
            const last = name
                .slice(name.lastIndexOf('.') + 1)
                .trim()
                .replaceAll('"', '');
            return [objectKey(kinds.get(what.toLowerCase()) ?? 'named', last), last];
        })),
    ]));
}
function usedObjects(pipeline, graph, isDefined) {
    const uses = new Map();
    for (const { texts, line } of textsOfPipeline(pipeline, graph))
        for (const text of texts)
            for (const key of keysIn(text))
                if (isDefined(key) && !uses.has(key))
                    uses.set(key, line);
    return uses;
}
function* keysIn(text) {
    const found = (matches, kind) => Array.from(matches, ([all, quoted, plain]) => objectKey(kind, quoted ?? plain ?? all));
    yield* found(text.matchAll(call), 'called');
    yield* found(text.matchAll(counting), 'counting');
    yield* found(text.matchAll(countingText), 'counting');
    yield* found(text.matchAll(word), 'named');
}
function isScript({ type }) {
    return type === 'sql-executor' || type === 'sql-script';
}
function textsOfPipeline(pipeline, { project }, counts = () => true) {
    const document = project.pipeline(pipeline);
    if (document === undefined)
        return [];
    return [...document.components.values()].filter(counts).map((component) => ({
        line: component.range.line,
        texts: (0,_component_texts_js__WEBPACK_IMPORTED_MODULE_0__/* .componentTexts */ .S)(component, document, project),
    }));
}
function objectKey(kind, name) {
    return `${kind} ${name.toLowerCase()}`;
}


/***/ }),

/***/ 295:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ sqlTexts)
/* harmony export */ });
/* harmony import */ var _lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5143);

const sqlParameters = new Map([
    ['sql', { name: 'query' }],
    ['query-to-scalar', { name: 'query' }],
    ['query-to-grid', { name: 'query' }],
    ['table-iterator', { name: 'query' }],
    ['sql-executor', { name: 'sqlScript' }],
    ['sql-script', { name: 'sqlScript' }],
    ['calculator', { name: 'calculations', isList: true }],
    ['join', { name: 'joinExpressions', isList: true }],
]);
function sqlTexts(component) {
    const { name, isList = false } = sqlParameters.get(component.type) ?? {};
    const node = name === undefined ? undefined : component.parameter(name);
    if (node === undefined)
        return new Set();
    return new Set(isList ? (0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_0__/* .itemsOf */ .S3)(node).flatMap((row) => (0,_lib_yaml_yaml_node_js__WEBPACK_IMPORTED_MODULE_0__/* .itemsOf */ .S3)(row).slice(0, 1)) : [node]);
}


/***/ }),

/***/ 7029:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   My: () => (/* binding */ unreadableTexts),
/* harmony export */   Sw: () => (/* binding */ unreadableError),
/* harmony export */   _0: () => (/* binding */ readCount),
/* harmony export */   wX: () => (/* binding */ unreadableFindings),
/* harmony export */   xw: () => (/* binding */ unreadablePipelines)
/* harmony export */ });
/* harmony import */ var _lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(315);
/* harmony import */ var _lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5752);
/* harmony import */ var _lib_pipelines_fingerprint_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3281);
/* harmony import */ var _lib_pipelines_model_pipeline_kind_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5544);
/* harmony import */ var _lib_pipelines_model_read_pipeline_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5882);
/* harmony import */ var _read_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9330);






const unreadableError = 'designer/document-parse-error';
function unreadablePipelines(project) {
    const documents = unreadableDocuments(project).map(({ path, problems: [problem] }) => {
        const { line = 1, column = 1, message = '' } = problem ?? {};
        const reason = message.replace(/^The file cannot be read: /, '');
        const text = `this pipeline cannot be read, so its tables and calls are not known: ${reason}`;
        return { pipeline: path, file: path, line, column, message: text };
    });
    return [...documents, ...unreadFiles(project)].toSorted((a, b) => (0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_4__/* .compareTexts */ .q)(a.file, b.file));
}
function unreadFiles(project) {
    return [...project.unread].flatMap(([path, { what, hint, isFolder }]) => {
        if ((!isFolder && (0,_lib_pipelines_model_pipeline_kind_js__WEBPACK_IMPORTED_MODULE_1__/* .kindOf */ .I)(path) === undefined) || project.isHidden(path))
            return [];
        const message = isFolder
            ? `the pipelines of this folder are not read, so their tables and calls are not known: the folder is ${what}: ${hint}`
            : `this pipeline is not read, so its tables and calls are not known: it is ${what}: ${hint}`;
        return [{ pipeline: path, file: path, line: 1, column: 1, message }];
    });
}
function unreadableDocuments(project) {
    return project.pipelines.flatMap((path) => {
        const document = project.isHidden(path) ? undefined : project.pipeline(path);
        return document === undefined || document.problems.length === 0 ? [] : [document];
    });
}
function unreadableTexts(project) {
    return unreadableDocuments(project).map(({ path, fault }) => {
        const text = fault === undefined ? (0,_read_text_js__WEBPACK_IMPORTED_MODULE_3__/* .readText */ .y)(path, project) : asciiText(path, project);
        return text?.slice(0, 4 * _lib_pipelines_model_read_pipeline_js__WEBPACK_IMPORTED_MODULE_2__/* .maxPipelineBytes */ .sE) ?? '';
    });
}
function asciiText(path, project) {
    return Buffer.from(project.bytes(path) ?? []).toString('latin1');
}
function unreadableFindings(pipelines, prefix) {
    const rule = 'compile/unreadable-pipeline';
    const ids = (0,_lib_pipelines_fingerprint_js__WEBPACK_IMPORTED_MODULE_0__/* .fingerprints */ .W)(pipelines.map(({ file }) => ({ rule, file, subject: '' })));
    return pipelines.map(({ file, line, column, message }, index) => ({
        rule,
        severity: 'error',
        file: `${prefix}${file}`,
        line,
        column,
        endLine: line,
        endColumn: column + 1,
        subject: '',
        message,
        errorType: unreadableError,
        source: 'millrace',
        state: 'new',
        fingerprint: ids[index] ?? '',
    }));
}
function readCount(total, unreadable) {
    const all = (0,_lib_core_text_number_of_js__WEBPACK_IMPORTED_MODULE_5__/* .numberOf */ .r)(total, 'pipeline');
    return unreadable === 0 ? all : `${total - unreadable} of ${all}`;
}


/***/ }),

/***/ 1703:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MY: () => (/* binding */ snapshotText),
/* harmony export */   nx: () => (/* binding */ canonicalSnapshot)
/* harmony export */ });
/* unused harmony export snapshotDigest */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4995);
/* harmony import */ var _lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(315);



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
    if ((0,_lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_1__/* .isList */ .L)(value)) {
        if (key === 'name' || (0,_lib_core_values_is_list_js__WEBPACK_IMPORTED_MODULE_1__/* .isList */ .L)(value[0] ?? null))
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
function compareItems(a, b) {
    if (typeof a === 'string' && typeof b === 'string')
        return (0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_2__/* .compareTexts */ .q)(a, b);
    return ((0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_2__/* .compareTexts */ .q)(nameOf(a), nameOf(b)) ||
        (0,_lib_core_text_compare_texts_js__WEBPACK_IMPORTED_MODULE_2__/* .compareTexts */ .q)(JSON.stringify(a), JSON.stringify(b)));
}
function nameOf({ path, name, file, key, component }) {
    const written = path ?? name ?? file ?? key ?? component;
    return typeof written === 'string' ? written : JSON.stringify(written ?? '');
}


/***/ }),

/***/ 246:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   k: () => (/* binding */ writeMarks),
/* harmony export */   p: () => (/* binding */ readMarks)
/* harmony export */ });
const markLength = 4;
function writeMarks(marks) {
    const runs = [];
    let last = NaN;
    for (const line of [...marks.keys()].toSorted((a, b) => a - b)) {
        const mark = markOf(marks.get(line) ?? '');
        if (line === last + 1)
            runs.push(`${runs.pop() ?? ''}${mark}`);
        else
            runs.push(`${line}:${mark}`);
        last = line;
    }
    return runs.join(',');
}
function readMarks(text) {
    if (text === '')
        return [];
    return text.split(',').flatMap((run) => {
        const split = run.indexOf(':');
        const [first, marks] = [Number(run.slice(0, split)), run.slice(split + 1)];
        return Array.from({ length: Math.floor(marks.length / markLength) }, (_, index) => [first + index, marks.slice(index * markLength, (index + 1) * markLength)]);
    });
}
function markOf(text) {
    let value = 0x811c9dc5;
    for (let at = 0; at < text.length; at += 1)
        value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    value ^= value >>> 24;
    return Buffer.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255).toString('base64url');
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


/***/ })

};
