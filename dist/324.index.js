export const id = 324;
export const ids = [324];
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

/***/ 8324:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runProjectTests: () => (/* binding */ runProjectTests)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./flows/data-graph/bind/bind-project.js + 9 modules
var bind_project = __webpack_require__(9774);
// EXTERNAL MODULE: ./engine/index.js + 344 modules
var engine = __webpack_require__(7223);
// EXTERNAL MODULE: ./lib/core/text/compare-texts.js
var compare_texts = __webpack_require__(315);
// EXTERNAL MODULE: ./lib/pipelines/model/pipeline-kind.js
var pipeline_kind = __webpack_require__(5544);
;// CONCATENATED MODULE: ./lib/core/text/list-text.js
function listText(names) {
    const last = names.at(-1) ?? '';
    return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

;// CONCATENATED MODULE: ./flows/snapshot/difference/lost-readers.js



function lostColumns(now, before) {
    const lost = new Map();
    for (const reader of lostReaders(now, before))
        for (const change of changesOf(reader, now, before)) {
            const { pipeline, component } = change.maker;
            const key = JSON.stringify([pipeline, component, change.what]);
            const known = lost.get(key) ?? { ...change, readers: [] };
            lost.set(key, known);
            known.readers.push(reader);
        }
    return [...lost.values()];
}
function lostReaders(now, before) {
    const keyOf = ({ component, reason }) => JSON.stringify([component, reason]);
    return [...now.pipelines].flatMap(([pipeline, { unknown }]) => {
        const old = before.pipelines.get(pipeline);
        if (old === undefined)
            return [];
        const unbound = new Set(old.unknown.map(keyOf));
        return unknown
            .filter((each) => !each.isAfterOther && !unbound.has(keyOf(each)))
            .map((each) => ({ ...each, pipeline }));
    });
}
function changesOf({ pipeline, component, tables }, now, before) {
    const changes = tables.flatMap((table) => {
        const [types, old] = [now.columnsOf(table), before.columnsOf(table)];
        const read = new Set((before.pipelines.get(pipeline)?.reads ?? [])
            .filter((each) => each.component === component && each.table === table)
            .flatMap(({ columns, readsAll }) => (readsAll ? [...columns, ...old.keys()] : columns)));
        const makers = now.makersOf(table).filter((maker) => isChangedMaker(table, maker, before));
        return [...old].flatMap(([column, type]) => {
            const other = types.get(column);
            if (!read.has(column) || other === type)
                return [];
            const text = `"${now.nameOf(table)}"`;
            const what = other === undefined
                ? `${text} no longer has the column "${column}"`
                : `the column "${column}" of ${text} is ${other} instead of ${type}`;
            return makers.map((maker) => ({ maker, column, what, isGone: other === undefined }));
        });
    });
    const gone = changes.filter(({ isGone }) => isGone);
    return gone.length > 0 ? gone : changes;
}
function isChangedMaker(table, { pipeline, component, content }, before) {
    const old = before
        .makersOf(table)
        .find((each) => each.pipeline === pipeline && each.component === component);
    return old?.content !== content;
}
function lostColumnMessage({ what, isGone }, readers, reason) {
    if (!isGone)
        return `${what}, and ${listText(readers)} cannot use it: ${reason}`;
    const [read, these] = readers.length === 1 ? ['reads', 'this reader'] : ['read', 'these readers'];
    return `${what}, which ${listText(readers)} ${read}; write the column again, or change ${these} too`;
}
function lostTables(now, before) {
    return [...now.pipelines].flatMap(([pipeline, { reads }]) => reads.flatMap((read) => {
        const { table } = read;
        const creators = before.makersOf(table).filter(({ isCreator }) => isCreator);
        if (creators.length === 0 || now.makersOf(table).some(({ isCreator }) => isCreator))
            return [];
        if (now.isMentioned(table) || creators.some((creator) => mayCreate(creator, now)))
            return [];
        const names = [...new Set(creators.map((creator) => (0,pipeline_kind/* withoutSuffix */.al)(creator.pipeline)))].toSorted(compare_texts/* compareTexts */.q);
        const message = `no pipeline creates the table "${before.nameOf(table)}" any more; ${listText(names)} did: create it again, or remove this reader`;
        return [{ pipeline, read, message }];
    }));
}
function mayCreate({ pipeline, component }, now) {
    const found = now.pipelines.get(pipeline);
    if (found === undefined)
        return false;
    return found.isUnreadable || found.unknown.some((each) => each.component === component);
}
function listedOnce(list) {
    const listed = new Map();
    return (table) => {
        const makers = listed.get(table) ?? list(table);
        listed.set(table, makers);
        return makers;
    };
}

// EXTERNAL MODULE: ./flows/data-graph/bind/table-definitions.js
var table_definitions = __webpack_require__(6114);
;// CONCATENATED MODULE: ./flows/data-graph/compile/breaking-changes.js




function breakingChanges(graph, base) {
    const sides = [boundSide(graph), boundSide(base)];
    const areColumnsKnown = graph.areColumnsKnown && base.areColumnsKnown;
    const changes = areColumnsKnown ? lostColumns(...sides) : [];
    const problems = changes.flatMap(({ readers }) => readers.map((reader) => problemOf(reader, graph)));
    return {
        findings: [
            ...changes.map((change) => breakingFinding(change, graph)),
            ...lostTables(...sides).map(lostTableFinding),
        ],
        covered: new Set(problems.filter((problem) => problem !== undefined)),
    };
}
function boundSide({ pipelines, tables, project, areColumnsKnown, }) {
    return {
        pipelines: new Map([...pipelines].map(([path, { unknown, reads }]) => [
            path,
            {
                unknown: unknown
                    .filter(({ others, unnamed }) => areColumnsKnown || others !== 'none' || unnamed !== undefined)
                    .map((each) => ({ ...each, tables: each.tables.map(table_definitions/* tableKey */.ih) })),
                reads: reads.map((use) => ({ ...use, table: (0,table_definitions/* tableKey */.ih)(use.table), use })),
                isUnreadable: (project.pipeline(path)?.problems.length ?? 0) > 0,
            },
        ])),
        makersOf: listedOnce((key) => tables.definitionsOf(tableOf(key)).map(makerOf)),
        columnsOf: (key) => new Map(tables.find(tableOf(key))?.columns.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type)])),
        nameOf: (key) => tableOf(key).table,
        isMentioned: (key) => tables.isMentioned(tableOf(key)),
    };
}
function makerOf(definition) {
    const { pipeline, component, mode, columns } = definition;
    return {
        pipeline,
        component,
        isCreator: mode === 'define',
        content: JSON.stringify(columns?.columns) ?? '',
        definition,
    };
}
function tableOf(key) {
    const [database = '', schema = '', table = ''] = JSON.parse(key);
    return { database, schema, table };
}
function isChanged(definition, base) {
    return isChangedMaker((0,table_definitions/* tableKey */.ih)(definition.table), makerOf(definition), {
        makersOf: (key) => base.tables.definitionsOf(tableOf(key)).map(makerOf),
    });
}
function problemOf({ pipeline, component, reason }, graph) {
    return graph.pipelines
        .get(pipeline)
        ?.problems.find((each) => each.component === component && each.message === reason);
}
function breakingFinding(change, graph) {
    const { maker, column, what, readers } = change;
    const { pipeline, component, place, table } = maker.definition;
    const names = readers.map(({ pipeline: reader, place: { file, line } }) => `${(0,pipeline_kind/* withoutSuffix */.al)(reader)} (${file}:${line})`);
    const isSure = readers.some((reader) => problemOf(reader, graph) !== undefined);
    return {
        ...place,
        rule: 'breaking-change',
        severity: isSure ? 'error' : 'warning',
        pipeline,
        component,
        tables: [table],
        columnName: column,
        subject: what,
        message: lostColumnMessage(change, names, readers[0]?.reason ?? ''),
        related: readers.map((reader) => ({
            ...reader.place,
            pipeline: reader.pipeline,
            component: reader.component,
        })),
    };
}
function lostTableFinding({ pipeline, read: { use }, message }) {
    return {
        ...use.place,
        rule: 'missing-table',
        severity: 'error',
        pipeline,
        component: use.component,
        tables: [use.table],
        subject: use.table.table,
        message,
        related: [],
    };
}

;// CONCATENATED MODULE: ./flows/data-graph/compile/changed-types.js





function changedTypes(graph, base, breaking) {
    const known = new Set(breaking.flatMap(({ tables, columnName }) => tables.map((table) => JSON.stringify([(0,table_definitions/* tableKey */.ih)(table), columnName]))));
    const readers = readersByTable(graph);
    return [...readers].flatMap(([key, reads]) => {
        const [{ table }] = reads;
        const types = retyped(graph.tables.find(table), base.tables.find(table), graph);
        if (types.size === 0)
            return [];
        const changed = graph.tables.definitionsOf(table).filter((definition) => isChanged(definition, base));
        return [...types].flatMap(([name, what]) => {
            if (known.has(JSON.stringify([key, name])))
                return [];
            const own = new Set(changed.map(({ pipeline }) => pipeline));
            const related = reads.filter((read) => read.columns.includes(name) && !own.has(read.place.pipeline));
            return related.length === 0
                ? []
                : changed.map(({ pipeline, component, place }) => findingOf({ table, name, what }, { ...place, pipeline, component }, related));
        });
    });
}
function readersByTable({ pipelines }) {
    const readers = new Map();
    for (const [pipeline, { reads }] of pipelines)
        for (const { table, columns, component, place } of reads) {
            const read = { table, columns, place: { ...place, pipeline, component } };
            const list = readers.get((0,table_definitions/* tableKey */.ih)(table));
            if (list === undefined)
                readers.set((0,table_definitions/* tableKey */.ih)(table), [read]);
            else
                list.push(read);
        }
    return readers;
}
function retyped(now, old, { project: { kind } }) {
    if (now?.areTypesKnown !== true || old?.areTypesKnown !== true)
        return new Map();
    const before = new Map(old.columns.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type, kind)]));
    return new Map(now.columns.flatMap(({ name, type }) => {
        const [was, is] = [before.get(name), (0,engine/* describeType */.MF)(type, kind)];
        return was === undefined || was === is ? [] : [[name, `${is} instead of ${was}`]];
    }));
}
function findingOf({ table, name, what }, { file, line, column, pipeline, component }, readers) {
    const names = readers.map(({ place }) => `${(0,pipeline_kind/* withoutSuffix */.al)(place.pipeline)} (${place.file}:${place.line})`);
    const subject = `the column "${name}" of "${table.table}" is ${what}`;
    return {
        file,
        line,
        column,
        rule: 'changed-type',
        severity: 'notice',
        pipeline,
        component,
        tables: [table],
        columnName: name,
        subject,
        message: `${subject}; ${listText([...new Set(names)])} ${names.length === 1 ? 'reads' : 'read'} it: check what ${names.length === 1 ? 'this reader computes' : 'these readers compute'}`,
        related: readers.map(({ place }) => place),
    };
}

;// CONCATENATED MODULE: ./flows/data-graph/compile/compile-report.js
function isAboutChange(rule) {
    return rule === 'breaking-change' || rule === 'changed-type';
}
function definitionPlace({ pipeline, component, place }) {
    const { file, line, column } = place;
    return { file, line, column, pipeline, component };
}

;// CONCATENATED MODULE: ./flows/data-graph/compile/declared-differences.js




function declaredDifferences({ schemas, tables, project }) {
    return schemas.all.flatMap(({ table, place }) => {
        const definitions = tables.definitionsOf(table);
        const [creator] = definitions.filter(({ mode }) => mode === 'define');
        const created = tables.find(table);
        const declared = tables.declared(table);
        if (creator === undefined || created?.areNamesComplete !== true || declared === undefined)
            return [];
        if (definitions.every(({ columns }) => columns === undefined))
            return [];
        const what = differenceOf(declared, created, project.kind);
        if (what === undefined)
            return [];
        const writers = [...new Set(definitions.map(({ pipeline }) => (0,pipeline_kind/* withoutSuffix */.al)(pipeline)))];
        return [
            {
                ...place,
                rule: 'declared-table',
                severity: 'notice',
                pipeline: creator.pipeline,
                component: creator.component,
                tables: [table],
                subject: table.table,
                message: `"${table.table}" is declared ${what}. ${writers.length === 1 ? 'The pipeline' : 'The pipelines'} ${listText(writers)} ${writers.length === 1 ? 'creates' : 'create'} this table, so Millrace uses the columns of the created table and ignores the declaration: remove it`,
                related: definitions.map(definitionPlace),
            },
        ];
    });
}
function differenceOf(declared, created, kind) {
    const lacks = namesOf(created).difference(namesOf(declared));
    if (lacks.size > 0)
        return `without ${namedColumns([...lacks])}`;
    const more = namesOf(declared).difference(namesOf(created));
    if (more.size > 0)
        return `with ${namedColumns([...more])} too`;
    if (!declared.areTypesKnown || !created.areTypesKnown)
        return undefined;
    const types = new Map(created.columns.map(({ name, type }) => [name, (0,engine/* describeType */.MF)(type, kind)]));
    const other = declared.columns.find(({ name, type }) => types.get(name) !== (0,engine/* describeType */.MF)(type, kind));
    return (other &&
        `with the column "${other.name}" as ${(0,engine/* describeType */.MF)(other.type, kind)} instead of ${types.get(other.name)}`);
}
function namesOf({ columns }) {
    return new Set(columns.map(({ name }) => name));
}
function namedColumns(names) {
    const [first, ...others] = names;
    const one = `the column "${first}"`;
    return others.length === 0 ? one : `${one} and ${others.length} more`;
}

;// CONCATENATED MODULE: ./flows/data-graph/compile/without-fix.js
function withoutFix(reason) {
    return reason.replace(/[;:,] (?:mock the component|allow Python).*$/, '');
}

// EXTERNAL MODULE: ./lib/pipelines/model/calls.js
var calls = __webpack_require__(9846);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/project-roots.js
var project_roots = __webpack_require__(5995);
;// CONCATENATED MODULE: ./flows/data-graph/compile/given-columns.js





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
    const targets = (0,project_roots/* callTargetsOf */.g)(project);
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

// EXTERNAL MODULE: ./flows/data-graph/bind/catalog-views.js
var catalog_views = __webpack_require__(4873);
;// CONCATENATED MODULE: ./flows/data-graph/compile/outside-tables.js



function outsideTables(graph) {
    const { pipelines, tables, project } = graph;
    const waiting = [...pipelines.values()].flatMap((bound) => waitingIn(bound, graph));
    const definitions = countDefinitions(waiting);
    const isUnclear = ({ columns, pipeline, component }) => columns === undefined &&
        pipelines.get(pipeline)?.problems.some((problem) => problem.component === component) !== true;
    const isOutside = (table) => tables.isOutside(table) ||
        (tables.find(table) === undefined &&
            tables.definitionsOf(table).filter(isUnclear).length > (definitions.get((0,table_definitions/* tableKey */.ih)(table)) ?? 0));
    const reads = [...pipelines.values()].flatMap((bound) => bound.reads);
    const groups = Map.groupBy(reads.filter(({ table }) => (0,catalog_views/* catalogView */.b)(table, project.kind) === undefined && isOutside(table)), ({ table }) => (0,table_definitions/* tableKey */.ih)(table));
    const binds = bindingReads(waiting);
    return [...groups]
        .flatMap(([key, list]) => {
        const [first] = list;
        if (first === undefined)
            return [];
        const isKnown = tables.find(first.table) !== undefined;
        return [{ table: first.table, reads: list.length, isKnown, binds: isKnown ? 0 : binds(key) }];
    })
        .toSorted((a, b) => b.binds - a.binds || b.reads - a.reads || (0,compare_texts/* compareTexts */.q)((0,table_definitions/* tableKey */.ih)(a.table), (0,table_definitions/* tableKey */.ih)(b.table)));
}
function countDefinitions(waiting) {
    const definitions = new Map();
    for (const { defines } of waiting)
        for (const key of defines)
            definitions.set(key, (definitions.get(key) ?? 0) + 1);
    return definitions;
}
function bindingReads(waiting) {
    const byTable = new Map();
    const definitions = countDefinitions(waiting);
    for (const each of waiting)
        for (const key of each.tables)
            byTable.set(key, [...(byTable.get(key) ?? []), each]);
    return (declared) => {
        const left = new Map();
        const undefinedBy = new Map();
        let reads = 0;
        const known = new Set([declared]);
        for (const key of known)
            for (const each of byTable.get(key) ?? []) {
                const others = (left.get(each) ?? each.tables.size) - 1;
                left.set(each, others);
                if (others > 0)
                    continue;
                reads += each.reads;
                for (const defined of each.defines) {
                    const more = (undefinedBy.get(defined) ?? definitions.get(defined) ?? 0) - 1;
                    undefinedBy.set(defined, more);
                    if (more === 0)
                        known.add(defined);
                }
            }
        return reads;
    };
}
function partOf(component, { line, column }) {
    return JSON.stringify([component, line, column]);
}
function waitingIn({ reads, writes, unknown }, { tables, project }) {
    const isUnknown = (table) => tables.find(table) === undefined && (0,catalog_views/* catalogView */.b)(table, project.kind) === undefined;
    const written = Map.groupBy(writes, ({ component, place }) => partOf(component, place));
    const read = Map.groupBy(reads.filter(({ isBound }) => !isBound), ({ component, place }) => partOf(component, place));
    const own = Map.groupBy(unknown.filter(({ isAfterOther }) => !isAfterOther), ({ component, part }) => partOf(component, part));
    const workOf = (parts) => ({
        reads: parts.reduce((sum, part) => sum + (read.get(part)?.length ?? 0), 0),
        defines: parts
            .flatMap((part) => written.get(part) ?? [])
            .filter(({ mode, columns }) => (mode === 'define' || mode === 'alter') && columns === undefined)
            .map(({ table }) => (0,table_definitions/* tableKey */.ih)(table)),
    });
    const causes = [...own].map(([part, list]) => {
        const targets = new Set((written.get(part) ?? []).map(({ table }) => (0,table_definitions/* tableKey */.ih)(table)));
        const missing = list.map(({ tables: used }) => used
            .map((table) => (isUnknown(table) ? (0,table_definitions/* tableKey */.ih)(table) : ''))
            .filter((key) => key !== '' && !targets.has(key)));
        return { part, tables: missing.some((keys) => keys.length === 0) ? undefined : new Set(missing.flat()) };
    });
    const alone = causes.flatMap(({ part, tables: waitsFor }) => waitsFor === undefined ? [] : [{ tables: waitsFor, ...workOf([part]) }]);
    if (causes.length === 0 || causes.some(({ tables: waitsFor }) => waitsFor === undefined))
        return alone;
    const all = new Set(causes.flatMap(({ tables: waitsFor }) => [...(waitsFor ?? [])]));
    const others = [...new Set([...read.keys(), ...written.keys()])].filter((part) => !own.has(part));
    return [...alone, { tables: all, ...workOf(others) }];
}

// EXTERNAL MODULE: ./flows/data-graph/texts/component-texts.js
var component_texts = __webpack_require__(5860);
;// CONCATENATED MODULE: ./flows/data-graph/compile/rebound-readers.js





function reboundReaders(graph, base) {
    const changes = new Map();
    for (const rebound of reboundNames(graph, base)) {
        const { table, column, isGone, reader } = rebound;
        const what = `"${table.table}" ${isGone ? 'no longer has' : 'now has'} the column "${column}"`;
        for (const definition of graph.tables.definitionsOf(table).filter((each) => isChanged(each, base))) {
            const key = JSON.stringify([definition.pipeline, definition.component, what]);
            const change = changes.get(key) ?? { what, definition, rebound, readers: [] };
            changes.set(key, change);
            change.readers.push(reader);
        }
    }
    return Array.from(changes.values(), rebound_readers_findingOf);
}
function rebound_readers_findingOf({ what, definition: { pipeline, component, place, table }, rebound: { column, isGone }, readers, }) {
    const names = readers.map((reader) => `${(0,pipeline_kind/* withoutSuffix */.al)(reader.pipeline)} (${reader.file}:${reader.line})`);
    const these = readers.length === 1 ? 'this reader' : 'these readers';
    const meaning = isGone ? 'now means another column' : 'now means this new column';
    const fix = isGone ? 'write the column again' : 'give the column another name';
    return {
        ...place,
        rule: 'breaking-change',
        severity: 'error',
        pipeline,
        component,
        tables: [table],
        columnName: column,
        subject: what,
        message: `${what}, so the name "${column}" in ${listText(names)} ${meaning}; ${fix}, or write the table before the name in ${these}`,
        related: readers,
    };
}
function* reboundNames(graph, base) {
    for (const [pipeline, { reads }] of graph.pipelines) {
        const before = Map.groupBy(base.pipelines.get(pipeline)?.reads ?? [], readKey);
        for (const [key, now] of Map.groupBy(reads, readKey)) {
            const old = before.get(key);
            const [first] = now;
            if (old === undefined || first === undefined || ![...now, ...old].every(({ isBound }) => isBound))
                continue;
            const [columns, oldColumns] = [columnsOf(now), columnsOf(old)];
            const { table, component, place } = first;
            const has = columnNames(graph, table);
            const had = columnNames(base, table);
            if (has === undefined || had === undefined)
                continue;
            const gone = [...oldColumns].filter((name) => !columns.has(name) && had.has(name) && !has.has(name));
            const added = [...columns].filter((name) => !oldColumns.has(name) && has.has(name) && !had.has(name));
            if (gone.length + added.length === 0 || !(0,component_texts/* isAsAtBase */.x)(pipeline, component, graph, base))
                continue;
            const reader = { ...place, pipeline, component };
            for (const column of gone)
                yield { table, column, isGone: true, reader };
            for (const column of added)
                yield { table, column, isGone: false, reader };
        }
    }
}
function readKey({ component, table }) {
    return JSON.stringify([component, (0,table_definitions/* tableKey */.ih)(table)]);
}
function columnsOf(reads) {
    return new Set(reads.flatMap(({ columns }) => columns));
}
function columnNames({ tables }, table) {
    const known = tables.find(table);
    return known?.areNamesComplete === true ? new Set(known.columns.map(({ name }) => name)) : undefined;
}

// EXTERNAL MODULE: ./lib/pipelines/checks/call-facts.js
var call_facts = __webpack_require__(3737);
// EXTERNAL MODULE: ./lib/pipelines/checks/passed-variable.js
var passed_variable = __webpack_require__(3544);
;// CONCATENATED MODULE: ./flows/data-graph/compile/refused-calls.js




function refusedCalls({ project, pipelines, }) {
    const targets = (0,project_roots/* callTargetsOf */.g)(project);
    return [...pipelines.keys()].flatMap((pipeline) => {
        const document = project.pipeline(pipeline);
        if (document === undefined || document.problems.length > 0)
            return [];
        return factsOf(document).flatMap((call) => {
            if (document.components.get(call.component)?.skipped === true)
                return [];
            const path = (0,calls/* calledPath */.v)(call, targets);
            const called = path === undefined ? undefined : project.pipeline(path);
            const variables = called && (0,passed_variable/* declaredVariables */.At)(called);
            const breaches = [
                ...(0,passed_variable/* passingBreaches */.dG)(pipeline, call),
                ...(path === undefined || variables === undefined
                    ? []
                    : (0,passed_variable/* refusedVariables */.Yx)(pipeline, call, { path, variables }, () => true)),
            ];
            return breaches.map(({ subject, message, range: { line, column } }) => ({
                file: pipeline,
                line,
                column,
                rule: 'cannot-run',
                severity: 'error',
                pipeline,
                component: call.component,
                tables: [],
                subject: `passes ${subject}`,
                message: message.replace(/^The (.*)\.$/s, 'the $1'),
                related: [],
            }));
        });
    });
}
const factsByDocument = new WeakMap();
function factsOf(document) {
    const facts = factsByDocument.get(document) ?? (0,call_facts/* callFacts */.W)(document);
    factsByDocument.set(document, facts);
    return facts;
}

// EXTERNAL MODULE: ./flows/pipeline-tests/files/broken-pipeline.js
var broken_pipeline = __webpack_require__(6356);
;// CONCATENATED MODULE: ./flows/data-graph/compile/refused-starts.js

function refusedStarts({ project, pipelines, }) {
    return [...pipelines].flatMap(([pipeline, { problems }]) => {
        const document = project.pipeline(pipeline);
        const found = new Set(problems.map(({ place }) => place.line));
        return (document === undefined ? [] : (0,broken_pipeline/* startProblems */.RZ)(document))
            .filter(({ line }) => !found.has(line))
            .map(({ file, line, column, message }) => {
            const text = `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, '');
            return {
                file,
                line,
                column,
                rule: 'cannot-run',
                severity: 'error',
                pipeline,
                tables: [],
                subject: text,
                message: text,
                related: [],
            };
        });
    });
}

// EXTERNAL MODULE: ./flows/data-graph/texts/sql-objects.js
var sql_objects = __webpack_require__(3655);
// EXTERNAL MODULE: ./flows/data-graph/texts/unreadable-pipelines.js
var unreadable_pipelines = __webpack_require__(7029);
;// CONCATENATED MODULE: ./flows/data-graph/compile/compile.js














function compile(graph, base) {
    const problems = [...graph.pipelines].flatMap(([pipeline, { problems: list }]) => list.map((problem) => ({ pipeline, problem })));
    const breaking = base === undefined ? undefined : breakingChanges(graph, base);
    const unreadable = (0,unreadable_pipelines/* unreadablePipelines */.xw)(graph.project);
    if (!graph.areColumnsKnown)
        return withoutColumns(graph, { breaking: breaking?.findings, unreadable });
    const findings = [
        ...unreadable.map(unreadableFinding),
        ...problems
            .filter(({ pipeline, problem }) => breaking?.covered.has(problem) !== true && !isNamed(pipeline, problem, breaking?.findings ?? []))
            .map(({ pipeline, problem }) => compile_findingOf(pipeline, problem, graph)),
        ...(breaking?.findings ?? []),
        ...(base === undefined ? [] : reboundReaders(graph, base)),
        ...(base === undefined ? [] : changedTypes(graph, base, breaking?.findings ?? [])),
        ...givenColumns(graph),
        ...declaredDifferences(graph),
        ...refusedCalls(graph),
        ...refusedStarts(graph),
    ];
    const reads = [...graph.pipelines.values()].flatMap((bound) => bound.reads);
    return {
        findings: findings.toSorted(compareFindings),
        hasBase: base !== undefined,
        pipelines: new Set([...graph.pipelines.keys(), ...unreadable.map(({ pipeline }) => pipeline)]).size,
        unreadable: unreadable.length,
        reads: { bound: reads.filter(({ isBound }) => isBound).length, total: reads.length },
        unknown: unknownReasons(graph),
        outside: outsideTables(graph),
    };
}
function withoutColumns(graph, { breaking, unreadable, }) {
    const starts = refusedStarts({
        project: graph.project,
        pipelines: new Map([...graph.pipelines.keys()].map((path) => [path, engine/* nothingBound */.Gf])),
    });
    const findings = [
        ...unreadable.map(unreadableFinding),
        ...(breaking ?? []),
        ...refusedCalls(graph),
        ...starts,
    ];
    return {
        findings: findings.toSorted(compareFindings),
        hasBase: breaking !== undefined,
        pipelines: new Set([...graph.pipelines.keys(), ...unreadable.map(({ pipeline }) => pipeline)]).size,
        unreadable: unreadable.length,
        reads: { bound: 0, total: [...graph.pipelines.values()].flatMap(({ reads }) => reads).length },
        withoutColumns: true,
        unknown: [],
        outside: [],
    };
}
function isNamed(pipeline, { component, column }, breaking) {
    return breaking.some(({ rule, columnName, related }) => rule === 'breaking-change' &&
        columnName === column &&
        related.some((reader) => reader.pipeline === pipeline && reader.component === component));
}
function unreadableFinding(unreadable) {
    return {
        ...unreadable,
        rule: 'unreadable-pipeline',
        severity: 'error',
        tables: [],
        subject: '',
        related: [],
    };
}
const ruleOf = {
    'missing-table': 'missing-table',
    'missing-column': 'missing-column',
    'ambiguous-column': 'ambiguous-column',
    exists: 'cannot-run',
    'missing-object': 'cannot-run',
    'other-kind': 'cannot-run',
};
function compile_findingOf(pipeline, problem, { tables, schemas }) {
    const { component, place, message, code, column } = problem;
    const [table, ...others] = problem.tables;
    const definitions = table === undefined || others.length > 0 ? [] : tables.definitionsOf(table);
    const related = definitions.map(definitionPlace);
    const declared = problem.tables.flatMap((each) => {
        const { place: at } = (tables.isOutside(each) ? schemas.get(each) : undefined) ?? {};
        return at === undefined ? [] : [`"${each.table}" is declared at ${at.file}:${at.line}`];
    });
    const where = declared.length === 0 || code !== 'missing-column' ? '' : ` (${declared.join(', ')})`;
    const rule = code === undefined ? 'cannot-run' : ruleOf[code];
    return {
        ...place,
        rule,
        severity: 'error',
        pipeline,
        ...(component === undefined ? {} : { component }),
        tables: problem.tables,
        columnName: isAboutColumn(rule) ? column : undefined,
        subject: isAboutColumn(rule) && column !== undefined ? columnSubject(column, problem.tables) : message,
        message: `${message}${where}`,
        related: code === 'missing-column' ? related : [],
    };
}
function columnSubject(column, tables) {
    const names = tables.map(({ database, schema, table }) => `${database}.${schema}.${table}`);
    return [...[...new Set(names)].toSorted(compare_texts/* compareTexts */.q), column].join(', ');
}
function isAboutColumn(rule) {
    return rule === 'missing-column' || rule === 'ambiguous-column';
}
const unknownFunction = /\bdoes not support the function (\w+)(?:; did you mean [^?]*\?)?/;
function unknownReasons(graph) {
    const { pipelines } = graph;
    let created;
    const isCreated = (key) => (created ??= new Set([...(0,sql_objects/* definedObjects */.Ye)(graph).values()].flatMap((objects) => [...objects.keys()]))).has(key);
    const shown = (reason) => reason.replace(unknownFunction, (text, name) => isCreated((0,sql_objects/* objectKey */.T5)('called', name))
        ? `does not know the function ${name} here, which another pipeline creates`
        : text);
    const groups = new Map();
    for (const [pipeline, { unknown, problems }] of pipelines) {
        const found = new Set(problems.map(({ component, message }) => JSON.stringify([component, message])));
        for (const { component, place, reason } of unknown) {
            if (found.has(JSON.stringify([component, reason])))
                continue;
            const text = groupText(shown(reason));
            const group = groups.get(text) ?? { count: 0, example: { ...place, pipeline, component } };
            group.count += 1;
            groups.set(text, group);
        }
    }
    return Array.from(groups, ([reason, group]) => ({ reason, ...group })).toSorted((a, b) => b.count - a.count);
}
function groupText(reason) {
    const [first = ''] = reason.split('\n');
    return withoutFix(first).replace(/"[^"]*"/g, '"…"');
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
;// CONCATENATED MODULE: ./flows/data-graph/compile/compile-settings.js

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

// EXTERNAL MODULE: ./lib/config/project/compile-schema.js
var compile_schema = __webpack_require__(1971);
// EXTERNAL MODULE: ./lib/core/files/glob.js
var glob = __webpack_require__(5903);
// EXTERNAL MODULE: ./lib/pipelines/fingerprint.js
var fingerprint = __webpack_require__(3281);
;// CONCATENATED MODULE: ./flows/data-graph/compile/conclude-compile.js




function concludeCompile({ findings: found, hasBase, ...facts }, { rules, accept, baseline, now }) {
    const today = new Date(now).toISOString().slice(0, 10);
    const known = new Set(baseline.map(({ fingerprint }) => fingerprint));
    const ids = (0,fingerprint/* fingerprints */.W)(found.map((finding) => ({ ...finding, rule: ruleName(finding) })));
    const findings = found.flatMap((finding, index) => {
        const { rule } = finding;
        const severity = ((0,compile_schema/* isUnreadable */.GZ)(rule) ? undefined : rules[rule]) ?? finding.severity;
        const fingerprint = ids[index] ?? '';
        const isKnown = isRecordable(rule) && known.has(fingerprint);
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
            isUseless: list.length === 0 && (hasBase || acceptance.rule === undefined || !isAboutChange(acceptance.rule)),
            findings: list,
        })),
        nextBaseline: left
            .filter(({ rule }) => isRecordable(rule))
            .map((finding) => {
            const { file, component, subject, fingerprint } = finding;
            return { rule: ruleName(finding), file, ...(component && { component }), subject, fingerprint };
        }),
    };
}
function isRecordable(rule) {
    return !isAboutChange(rule) && !(0,compile_schema/* isUnreadable */.GZ)(rule);
}
function ruleName({ rule }) {
    return `compile/${rule}`;
}
function matcherOf({ rule, table, column, file, component, }) {
    const inFile = file === undefined ? undefined : (0,glob/* compileGlob */.S)(file);
    return (finding) => !(0,compile_schema/* isUnreadable */.GZ)(finding.rule) &&
        (rule === undefined || finding.rule === rule) &&
        (table === undefined || finding.tables.some((each) => conclude_compile_namesOf(each).includes(table.toLowerCase()))) &&
        (column === undefined || finding.columnName?.toLowerCase() === column.toLowerCase()) &&
        (inFile === undefined || inFile(finding.file)) &&
        (component === undefined || finding.component === component);
}
function conclude_compile_namesOf({ database, schema, table }) {
    return [table, `${schema}.${table}`, `${database}.${schema}.${table}`].map((name) => name.toLowerCase());
}

// EXTERNAL MODULE: ./lib/core/outcomes/finding.js
var finding = __webpack_require__(770);
// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
// EXTERNAL MODULE: ./lib/report/terminal.js + 1 modules
var terminal = __webpack_require__(1963);
;// CONCATENATED MODULE: ./flows/data-graph/compile/report.js








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
        headline: `${(0,unreadable_pipelines/* readCount */._0)(report.pipelines, report.unreadable)} compiled: ${(0,number_of/* numberOf */.r)(news.length, known > 0 ? 'new finding' : 'finding')}.`,
        facts: [
            ...(report.withoutColumns === true
                ? [['columns', 'not checked']]
                : [['reads of tables with known columns', `${reads.bound} of ${reads.total}`]]),
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
    const isWarned = ({ severity, errorType }) => onlyWarns && severity === 'error' && errorType === undefined;
    const findings = all
        .filter(({ state }) => state === 'new')
        .map((finding) => (isWarned(finding) ? { ...finding, severity: 'warning' } : finding));
    const isFailed = onlyWarns
        ? findings.some(({ severity }) => severity === 'error')
        : ownOutcome !== 'passed';
    const outcome = isFailed ? ownOutcome : 'passed';
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
    const isNamed = isAboutChange(finding.rule);
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
        ...((0,compile_schema/* isUnreadable */.GZ)(finding.rule) ? { errorType: unreadable_pipelines/* unreadableError */.Sw } : {}),
        source: 'millrace',
        state,
        fingerprint,
    };
}
function unknownTable({ unknown }, prefix) {
    return {
        title: 'Components that Millrace cannot analyse completely',
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
        title: 'Tables to declare, because their columns are not known',
        columns: ['reads', 'to compile', 'table'],
        rows: undeclared(outside)
            .slice(0, maxRows)
            .map(({ table: { database, schema, table }, reads, binds }) => [
            String(reads),
            String(binds),
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
    return findings.flatMap((finding) => isAboutChange(finding.rule) && finding.related.length > 0 ? finding.related : [finding]);
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
        ...more(unknown.length, 'reasons why components are not compiled'),
        ...more(undeclared(outside).length, 'tables to declare'),
    ];
}

// EXTERNAL MODULE: ./lib/core/text/sanitize-text.js
var sanitize_text = __webpack_require__(7192);
// EXTERNAL MODULE: ./flows/pipeline-tests/report/report.js
var report_report = __webpack_require__(3035);
;// CONCATENATED MODULE: ./flows/mutation/report/change-text.js
function changeText({ before, after }) {
    return after === '' ? `left out: ${before}` : `${before} → ${after}`;
}
function placeText({ file, line, column }) {
    return `${file}:${line}:${column}`;
}

;// CONCATENATED MODULE: ./flows/mutation/report/report.js




function reportOfMutation(report, { prefix = '', threshold } = {}) {
    const { changes, seed, notTried } = report;
    const isSample = notTried.byMax + notTried.byBudget > 0;
    const facts = [
        ['not reached by a test', report.notReached],
        ['refused by the engine', report.refused],
        ['marked as equal', report.equal],
        ['not tried', notTried.byMax + notTried.byBudget],
    ];
    return {
        title: 'Mutation',
        outcome: outcomeOfMutation(report, threshold),
        headline: headlineOf(report, threshold),
        facts: [
            ...facts.flatMap(([label, count]) => (count > 0 ? [[label, String(count)]] : [])),
            ...(isSample ? [['seed', String(seed)]] : []),
        ],
        findings: changes.flatMap((change) => change.verdict === 'not-noticed' ? [report_report_findingOf(change, prefix)] : []),
        tables: [
            changeTable('Refused by the engine', changes, 'refused', prefix),
            changeTable('Not reached by a test', changes, 'not-reached', prefix),
            changeTable('Marked as equal', changes, 'equal', prefix),
        ],
        notes: notesOf(report, prefix),
    };
}
function outcomeOfMutation(report, threshold) {
    if ((report.problems ?? []).length > 0)
        return 'error';
    const isMissed = threshold !== undefined && !reaches(report, threshold);
    return report.failed.length > 0 || isMissed ? 'failed' : 'passed';
}
function reaches({ percent, notTried, refused }, threshold) {
    if (percent !== null)
        return percent >= threshold;
    return notTried.byMax + notTried.byBudget + refused === 0;
}
function headlineOf(report, threshold) {
    const counted = countOf(report, threshold, 'change');
    return `${[counted, ...(0,report_report/* wrongFiles */.R)(report.problems ?? [])].join('; ')}.`;
}
function countOf(report, threshold, what) {
    const { noticed, notNoticed, percent, refused } = report;
    const total = noticed + notNoticed;
    const isMissed = threshold !== undefined && !reaches(report, threshold);
    if (total > 0) {
        const share = percent === null ? '' : ` (${percent} %)`;
        const limit = isMissed ? `, below the threshold of ${threshold} %` : '';
        return `${noticed} of ${(0,number_of/* numberOf */.r)(total, what)} noticed${share}${limit}`;
    }
    const nothing = refused > 0 ? `The engine refused each ${what}` : `No ${what} was tried`;
    return isMissed ? `${nothing}, so the threshold of ${threshold} % is not reached` : nothing;
}
const maxFindings = 20;
function withMutation(report, mutation, { prefix = '', threshold }) {
    const { outcome, findings, facts, tables = [], notes, } = reportOfMutation({ ...mutation, failed: [], problems: [] }, { prefix, threshold });
    const left = findings.length - maxFindings;
    const more = `${(0,number_of/* numberOf */.r)(left, 'further planted change')} that no test notices: millrace test --mutate shows all, and so does the file of report-path.`;
    return {
        ...report,
        outcome: report.outcome === 'passed' ? outcome : report.outcome,
        headline: `${report.headline} ${countOf(mutation, threshold, 'planted change')}.`,
        facts: [...report.facts, ...facts.map(([label, value]) => [`planted changes, ${label}`, value])],
        findings: [...report.findings, ...findings.slice(0, maxFindings)],
        tables: [...(report.tables ?? []), ...tables],
        notes: [...report.notes, ...(left > 0 ? [more] : []), ...notes],
    };
}
function report_report_findingOf(change, prefix) {
    const { id, file, component, line, column, endLine, endColumn, tests } = change;
    const runs = tests === 1 ? 'The test that runs it passes' : `The ${tests} tests that run it pass`;
    const where = component === undefined ? '' : `"${(0,sanitize_text/* oneLine */.TN)(component)}": `;
    return {
        rule: 'millrace/change-not-noticed',
        severity: 'warning',
        file: `${prefix}${file}`,
        line,
        column,
        endLine,
        endColumn,
        ...(component === undefined ? {} : { component }),
        message: `${where}${changeText(change)}. ${runs} (change ${id}).${rowsText(change)}`,
        source: 'millrace',
        state: 'new',
        fingerprint: id,
    };
}
function rowsText({ id, rows }) {
    if (rows === 'found')
        return ` Other rows show it: millrace test --add-row ${id}.`;
    return rows === 'perhaps-equal' ? ' No rows were found that show it: it may have no effect.' : '';
}
const report_maxRows = 100;
function changeTable(title, changes, verdict, prefix) {
    const all = changes.filter((change) => change.verdict === verdict);
    const own = all.slice(0, report_maxRows);
    const more = all.length - own.length;
    const hasReason = own.some(({ reason }) => reason !== undefined);
    return {
        title: more > 0 ? `${title}, the first ${report_maxRows} of ${all.length}` : title,
        columns: ['id', 'where', 'component', 'change', ...(hasReason ? ['reason'] : [])],
        rows: own.map((change) => [
            change.id,
            `${prefix}${placeText(change)}`,
            (0,sanitize_text/* oneLine */.TN)(change.component ?? ''),
            changeText(change),
            ...(hasReason ? [(0,sanitize_text/* oneLine */.TN)(change.reason ?? '')] : []),
        ]),
        isDetail: true,
    };
}
function rowNotes({ changes, notNoticed }) {
    const count = (rows) => changes.filter((change) => change.rows === rows).length;
    const [found, equal, others] = [count('found'), count('perhaps-equal'), count('not-searched')];
    if (found + equal + others === 0)
        return notNoticed === 0
            ? []
            : [
                'To search for rows that show such a change, and add a test with them: millrace test --add-row ID, with the id of the change.',
            ];
    return [
        `Rows were found that show ${found} of the ${(0,number_of/* numberOf */.r)(notNoticed, 'change')} that no test notices. millrace test --add-row ID adds a test with such rows.`,
        ...(equal > 0 ? [`For ${(0,number_of/* numberOf */.r)(equal, 'change')}, no rows were found: they may have no effect.`] : []),
        ...(others > 0
            ? [
                `The time of --find-rows was used up before rows for ${(0,number_of/* numberOf */.r)(others, 'change')} could be searched. Give it more time, or search for one change: millrace test --add-row ID.`,
            ]
            : []),
    ];
}
function notesOf(report, prefix) {
    const { changes, failed, unusedMarks, notTried, problems = [] } = report;
    const byFailure = changes.filter(({ noticedBy }) => noticedBy?.by === 'failure').length;
    const verb = byFailure === 1 ? 'was' : 'were';
    return [
        ...problems.map(({ file, line, column, message }) => `${prefix}${file}:${line}:${column}: ${message}`),
        ...failed.map(({ file, line, name, status }) => `${prefix}${file}:${line}: the test "${(0,sanitize_text/* oneLine */.TN)(name)}" ${status === 'refused' ? 'is refused' : 'fails'} without a change, so it notices nothing. Fix it first.`),
        ...(byFailure > 0
            ? [
                `${(0,number_of/* numberOf */.r)(byFailure, 'change')} of these ${verb} noticed because the pipeline fails, not by an expectation about its result.`,
            ]
            : []),
        ...(notTried.byBudget > 0
            ? [`The budget was used up before ${(0,number_of/* numberOf */.r)(notTried.byBudget, 'change')} could be tried.`]
            : []),
        ...(notTried.byMax > 0
            ? [`${(0,number_of/* numberOf */.r)(notTried.byMax, 'change')} more could be tried without --max.`]
            : []),
        ...rowNotes(report),
        ...unusedMarks.map(({ file, change }) => `millrace.yaml marks the change ${change} of ${file} as equal, but the file has no such change any more: remove the entry of mutation.equal.`),
    ];
}

;// CONCATENATED MODULE: ./lib/core/text/escape-xml.js

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const noXml = /[\p{Cs}\uFFFE\uFFFF]/gu;
function xmlText(text) {
    return (0,sanitize_text/* sanitizeText */.jZ)(text, () => '\uFFFD').replaceAll(noXml, '\uFFFD');
}
function escapeXml(text) {
    return xmlText(text).replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
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

// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-tests.js + 1 modules
var run_tests = __webpack_require__(5880);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 3 modules
var schemas = __webpack_require__(9713);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/errors.js
var errors = __webpack_require__(961);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/core/errors/message-of.js
var message_of = __webpack_require__(2318);
;// CONCATENATED MODULE: ./flows/pipeline-tests/shards/durations-file.js




const durationsSchema = schemas/* strictObject */.rej({
    version: schemas/* literal */.euz(1),
    unit: schemas/* literal */.euz('ms'),
    tests: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* number */.aig().min(0).max(1e9))),
});
function readDurations(text, file) {
    const { tests } = parseDurations(text, file);
    return new Map(Object.entries(tests).map(([path, names]) => [path, new Map(Object.entries(names))]));
}
function parseDurations(text, file) {
    try {
        return durationsSchema.parse(JSON.parse(text));
    }
    catch (cause) {
        const reason = cause instanceof errors/* ZodError */.G
            ? `${cause.issues[0]?.path.join('.') ?? ''}: ${cause.issues[0]?.message ?? ''}`
            : (0,message_of/* messageOf */.b)(cause);
        throw new failure/* Failure */.HR('usage', {
            message: `It is not a file of durations: ${reason}.`,
            where: { file },
            hint: 'Write the file again with `millrace test --write-durations FILE`, or remove --durations: then every test counts the same.',
            cause,
        });
    }
}
function durationsText(tests) {
    const files = [...Map.groupBy(tests, ({ file }) => file)].toSorted(([a], [b]) => (0,compare_texts/* compareTexts */.q)(a, b));
    const entries = files.map(([file, results]) => {
        const names = results
            .toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.name, b.name))
            .map(({ name, durationMs }) => [name, Math.round(durationMs)]);
        return [file, Object.fromEntries(names)];
    });
    const content = { version: 1, unit: 'ms', tests: Object.fromEntries(entries) };
    return `${JSON.stringify(content, null, 2)}\n`;
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/test-report.js
var test_report = __webpack_require__(9137);
// EXTERNAL MODULE: ./flows/pipeline-tests/shards/choose-shard.js
var choose_shard = __webpack_require__(8144);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./lib/core/values/version.js
var version = __webpack_require__(56);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/coverage.js
var coverage = __webpack_require__(4668);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/encode-result.js
var encode_result = __webpack_require__(5616);
;// CONCATENATED MODULE: ./flows/pipeline-tests/compare/test-result.js
const differenceKinds = [
    'outcome',
    'timeout',
    'refused',
    'missing-table',
    'present-table',
    'missing-column',
    'missing-row',
    'extra-row',
    'changed-row',
    'count',
    'variable',
    'ran',
    'not-ran',
];

// EXTERNAL MODULE: ./lib/config/project/calls-schema.js
var calls_schema = __webpack_require__(7331);
;// CONCATENATED MODULE: ./flows/pipeline-tests/shards/blob-schema.js




const blobForm = 1;
const position = schemas/* int */.Whr().min(1);
const place = { file: schemas/* string */.YjP(), line: position, column: position };
const problemSchema = schemas/* looseObject */._H3({ ...place, message: schemas/* string */.YjP() });
const digestSchema = schemas/* string */.YjP().regex(/^[\da-f]{64}$/);
const shownSchema = schemas/* lazy */.RZV(() => schemas/* union */.KCZ([
    schemas/* null */.chJ(),
    schemas/* string */.YjP(),
    schemas/* number */.aig(),
    schemas/* boolean */.zMY(),
    schemas/* strictObject */.rej({ special: schemas/* enum */.k5n(['null', '-0']) }),
    schemas/* strictObject */.rej({ exact: schemas/* string */.YjP() }),
    schemas/* strictObject */.rej({ list: schemas/* array */.YOg(shownSchema) }),
    schemas/* strictObject */.rej({ object: schemas/* array */.YOg(schemas/* tuple */.PVZ([schemas/* string */.YjP(), shownSchema])) }),
]));
const differenceSchema = schemas/* looseObject */._H3({
    ...place,
    kind: schemas/* enum */.k5n(differenceKinds),
    table: schemas/* string */.YjP().exactOptional(),
    component: schemas/* string */.YjP().exactOptional(),
    at: schemas/* looseObject */._H3(place).exactOptional(),
    expected: shownSchema.exactOptional(),
    actual: shownSchema.exactOptional(),
    columns: schemas/* array */.YOg(schemas/* string */.YjP()).exactOptional(),
    message: schemas/* string */.YjP(),
    sql: schemas/* strictObject */.rej({ written: schemas/* string */.YjP().exactOptional(), ran: schemas/* string */.YjP().exactOptional() })
        .exactOptional(),
});
const testResultSchema = schemas/* looseObject */._H3({
    file: schemas/* string */.YjP(),
    line: position,
    name: schemas/* string */.YjP(),
    pipeline: schemas/* string */.YjP(),
    status: schemas/* enum */.k5n(['passed', 'failed', 'refused']),
    durationMs: schemas/* number */.aig().min(0),
    differences: schemas/* array */.YOg(differenceSchema),
});
const outlineSchema = schemas/* strictObject */.rej({
    pipeline: schemas/* string */.YjP(),
    components: schemas/* array */.YOg(schemas/* strictObject */.rej({
        name: schemas/* string */.YjP(),
        line: position,
        column: position,
        transitions: schemas/* array */.YOg(schemas/* strictObject */.rej({
            on: schemas/* enum */.k5n(['success', 'failure', 'unconditional', 'true', 'false']),
            to: schemas/* string */.YjP(),
            line: position,
            column: position,
        })),
    })),
});
const texts = schemas/* array */.YOg(schemas/* string */.YjP());
const blobSchema = schemas/* strictObject */.rej({
    form: schemas/* literal */.euz(blobForm),
    millrace: schemas/* string */.YjP(),
    shard: schemas/* strictObject */.rej({ number: schemas/* int */.Whr().min(1).max(choose_shard/* maxShards */.y_), count: schemas/* int */.Whr().min(1).max(choose_shard/* maxShards */.y_) }),
    testsDigest: digestSchema,
    durationsDigest: digestSchema.nullable(),
    projectDigest: digestSchema,
    settings: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()),
    tests: schemas/* int */.Whr().min(0),
    ended: schemas/* array */.YOg(schemas/* strictObject */.rej({
        index: schemas/* int */.Whr().min(0),
        result: testResultSchema.optional(),
        problems: schemas/* array */.YOg(problemSchema).min(1).optional(),
    })),
    problems: schemas/* array */.YOg(problemSchema),
    callRoot: calls_schema/* callRootSchema */.u7,
    coverage: schemas/* strictObject */.rej({
        outlines: schemas/* array */.YOg(outlineSchema),
        reached: schemas/* strictObject */.rej({ pipelines: texts, components: texts, transitions: texts }),
    })
        .optional(),
});

;// CONCATENATED MODULE: ./flows/pipeline-tests/shards/merge-blobs.js








function mergeBlobs(files) {
    const blobs = files.map(readBlob).toSorted((a, b) => a.blob.shard.number - b.blob.shard.number);
    const [first, ...others] = blobs;
    if (first === undefined)
        throw invalid('There are no blobs to merge.', '', giveAll);
    for (const other of others)
        refuseOther(first, other);
    refuseShards(blobs, first);
    const ended = new Map();
    for (const { name, blob } of blobs)
        for (const { index, result, problems } of blob.ended) {
            if (ended.has(index) || index >= blob.tests || (result === undefined) === (problems === undefined))
                throw invalid('The list of tests in the blob is not as Millrace writes it.', name, runAgain);
            ended.set(index, result === undefined ? new engine/* FileProblems */.jq(problems ?? []) : (0,encode_result/* decodeResult */.S)(result));
        }
    if (ended.size < first.blob.tests) {
        const message = `The blobs contain only ${ended.size} of ${first.blob.tests} tests.`;
        throw invalid(message, first.name, runAgain);
    }
    const inOrder = [...ended].toSorted(([a], [b]) => a - b).map(([, test]) => test);
    const problems = blobs.flatMap(({ blob }) => blob.problems);
    const report = (0,test_report/* reportOfEnded */.Eq)(inOrder, {
        problems,
        coverage: joinCoverage(blobs.map(({ blob }) => blob.coverage)),
        callRoot: blobs.map(({ blob }) => blob.callRoot).find((root) => root !== undefined),
    });
    return { report, settings: first.blob.settings };
}
const giveAll = 'Give one blob of each shard of the same run.';
const runAgain = 'Run the shard again with `--format blob`, and give the file as it was written.';
const sameRun = 'Give blobs of one run of the workflow: all shards on one commit, with the same options and the same file of durations.';
function invalid(message, file, hint) {
    return new failure/* Failure */.HR('blob-invalid', { message, hint, ...(file === '' ? {} : { where: { file } }) });
}
function readBlob({ name, text }) {
    const content = parsed(text, name);
    if (typeof content !== 'object' || content === null || !('digest' in content) || !('form' in content))
        throw invalid('The file is not a blob of `millrace test --format blob`.', name, runAgain);
    const { digest, ...rest } = content;
    const writer = 'millrace' in rest ? String(rest.millrace) : '';
    if ((0,external_node_crypto_.hash)('sha256', JSON.stringify(rest), 'hex') !== digest) {
        const message = 'The blob was changed after Millrace wrote it: its digest does not match its content.';
        throw invalid(message, name, runAgain);
    }
    if (writer !== version/* version */.r || rest.form !== blobForm) {
        const message = `The blob was written by Millrace ${writer}, and this is Millrace ${version/* version */.r}.`;
        throw invalid(message, name, 'Run the shards and the merge with the same version of Millrace.');
    }
    const read = blobSchema.safeParse(rest);
    if (read.success)
        return { name, blob: rest };
    const [issue] = read.error.issues;
    const message = `The file is not a blob of Millrace: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`;
    throw invalid(message, name, runAgain);
}
function parsed(text, name) {
    try {
        return JSON.parse(text);
    }
    catch {
        const isCut = text.trimStart().startsWith('{"form":') && !text.trimEnd().endsWith('"}');
        const message = isCut
            ? `The blob is not complete: it ends after ${text.length} characters.`
            : 'The file is not a blob of `millrace test --format blob`.';
        throw invalid(message, name, runAgain);
    }
}
function refuseOther(first, other) {
    const [a, b] = [first.blob, other.blob];
    const reason = merge_blobs_differenceOf(a, b);
    if (reason !== undefined)
        throw invalid(`The blob is not of the same run as ${first.name}: ${reason}.`, other.name, sameRun);
}
function merge_blobs_differenceOf(a, b) {
    if (a.shard.count !== b.shard.count)
        return `it is one of ${b.shard.count} shards, and the other blob is one of ${a.shard.count}`;
    if (a.testsDigest !== b.testsDigest || a.tests !== b.tests)
        return 'the digests of their lists of tests differ, so other tests were chosen, or it is another commit';
    if (a.durationsDigest !== b.durationsDigest)
        return 'the digests of their files of durations differ, so the tests were split differently';
    const names = new Set([...Object.keys(a.settings), ...Object.keys(b.settings)]);
    const name = [...names].find((key) => a.settings[key] !== b.settings[key]);
    if (name !== undefined)
        return `${name} is "${b.settings[name] ?? ''}" in it, and "${a.settings[name] ?? ''}" in the other blob`;
    if (a.projectDigest !== b.projectDigest)
        return 'the pipelines, scripts or test files differ, so it is another commit';
    return undefined;
}
function refuseShards(blobs, { blob: { shard } }) {
    const byNumber = Map.groupBy(blobs, ({ blob }) => blob.shard.number);
    for (const [number, [one, twice]] of byNumber)
        if (twice !== undefined)
            throw invalid(`Shard ${number}/${shard.count} is also in ${one?.name ?? ''}.`, twice.name, giveAll);
    const missing = Array.from({ length: shard.count }, (_, index) => index + 1).filter((number) => !byNumber.has(number));
    if (missing.length === 0)
        return;
    const list = missing.map((number) => `${number}/${shard.count}`).join(', ');
    const message = `${missing.length === 1 ? 'A shard is' : `${missing.length} shards are`} missing: ${list}.`;
    const hint = 'The log of the missing shard shows why it wrote no blob. Run it again, and give all blobs.';
    throw invalid(message, '', hint);
}
function joinCoverage(all) {
    const parts = all.filter((part) => part !== undefined);
    if (parts.length === 0)
        return undefined;
    const outlines = new Map(parts.flatMap((part) => part.outlines.map((outline) => [outline.pipeline, outline])));
    return {
        outlines: [...outlines.keys()].toSorted().flatMap((path) => outlines.get(path) ?? []),
        reached: (0,coverage/* joinReached */.rz)(parts.map(({ reached }) => reached)),
    };
}

;// CONCATENATED MODULE: ./flows/pipeline-tests/shards/write-blob.js






function writeBlob(parts, { project, files, shard, durations, settings, redact = (text) => text }) {
    const { planned, results, problems, coverage, callRoot } = parts;
    const names = planned.map(choose_shard/* testName */.UU);
    const blob = {
        form: blobForm,
        millrace: version/* version */.r,
        shard: { number: shard.number, count: shard.count },
        testsDigest: digestOf(names),
        durationsDigest: durations === undefined ? null : (0,external_node_crypto_.hash)('sha256', durations, 'hex'),
        projectDigest: digestOfProject(project, files),
        settings: { warehouse: project.kind, ...settings },
        tests: planned.length,
        ended: planned.flatMap((test, index) => endedTest(index, results.get(test))),
        problems,
        ...(coverage === undefined ? {} : { coverage }),
        ...(callRoot === undefined ? {} : { callRoot }),
    };
    return sealBlob(JSON.parse(redact(JSON.stringify(blob))));
}
function sealBlob(blob) {
    return JSON.stringify({ ...blob, digest: (0,external_node_crypto_.hash)('sha256', JSON.stringify(blob), 'hex') });
}
function digestOf(names) {
    return (0,external_node_crypto_.hash)('sha256', JSON.stringify(names.map(({ file, name }) => [file, name])), 'hex');
}
function endedTest(index, ended) {
    if (ended === undefined)
        return [];
    if (ended instanceof engine/* FileProblems */.jq)
        return [{ index, problems: ended.problems }];
    return [{ index, result: (0,encode_result/* encodeResult */.Y)(ended) }];
}
function digestOfProject(project, files) {
    const scripts = project.paths.filter((path) => /\.(?:sql|py)$/.test(path));
    const digest = (0,external_node_crypto_.createHash)('sha256');
    for (const path of new Set([...files, ...project.pipelines, ...scripts, 'millrace.yaml']))
        digest.update(JSON.stringify([path, contentOf(project, path)]));
    return digest.digest('hex');
}
function contentOf(project, path) {
    try {
        return project.text(path) ?? null;
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return error.message;
        throw error;
    }
}

// EXTERNAL MODULE: ./lib/core/files/read-plain-file.js
var read_plain_file = __webpack_require__(1951);
;// CONCATENATED MODULE: ./actions/test/shards.js












async function runShard(request, { shard, durations: file, settings, }, { context, redact }) {
    const { project, files } = request;
    const durations = file === undefined ? undefined : durationsOf(project, file);
    const select = (0,choose_shard/* selectShard */.Xm)(shard, durations === undefined ? new Map() : readDurations(durations, file ?? ''));
    const parts = await (0,run_tests/* runParts */.e2)({ ...request, select }, context);
    const { number, count } = shard;
    return {
        report: (0,test_report/* reportOfParts */.IB)({ ...parts, coverage: undefined }),
        blob: {
            name: `blob-${number}-of-${count}.json`,
            text: `${writeBlob(parts, { project, files, shard, durations, settings, redact })}\n`,
        },
        note: `Only shard ${number}/${count} ran: ${parts.results.size} of ${(0,number_of/* numberOf */.r)(parts.planned.length, 'test')}. The job that merges the shards reports all.`,
    };
}
function durationsOf(project, file) {
    const text = project.text(file);
    if (text !== undefined)
        return text;
    throw new failure/* Failure */.HR('usage', {
        message: `The project has no file "${file}".`,
        where: { input: 'durations' },
        hint: 'Give the file relative to the project, and commit it, or write it in a step before this one. To begin, leave the input out: then every test counts the same.',
    });
}
async function mergeFolder(folder, { commit, project }, { facts }) {
    const place = (0,external_node_path_.resolve)(facts.workspace, folder);
    const entries = await (0,promises_.readdir)(place, { withFileTypes: true, recursive: true }).catch((cause) => {
        throw new failure/* Failure */.HR('usage', {
            message: `The folder "${folder}" cannot be read: ${(0,message_of/* messageOf */.b)(cause)}.`,
            where: { input: 'blobs' },
            hint: 'Add a step with actions/download-artifact before this step, and give blobs its path.',
            cause,
        });
    });
    const names = entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
        .map((entry) => (0,external_node_path_.join)(entry.parentPath, entry.name))
        .toSorted();
    const blobs = await Promise.all(names.map(async (name) => ({ name: name.slice(place.length + 1), text: await (0,read_plain_file/* readPlainFile */.b)(name) })));
    const merged = mergeBlobs(blobs);
    const { commit: tested = '', project: testedProject } = merged.settings;
    if (testedProject !== project)
        throw new failure/* Failure */.HR('blob-invalid', {
            message: `The shards tested ${describeProject(testedProject)}, and this step reports ${describeProject(project)}.`,
            where: { input: 'blobs' },
            hint: 'Give the step that merges the shards the same working-directory as the jobs that ran them.',
        });
    if (tested === commit)
        return merged;
    throw new failure/* Failure */.HR('blob-invalid', {
        message: `The shards tested the commit ${tested.slice(0, 12)}, and ${commit.slice(0, 12)} is checked out.`,
        where: { input: 'blobs' },
        hint: 'Merge the shards in a later job of the same workflow run, with the same check-out.',
    });
}
function describeProject(folder) {
    if (folder === undefined)
        return 'a project whose folder is not known';
    return folder === ''
        ? 'the project at the root of the repository'
        : `the project in ${folder.replace(/\/$/, '')}`;
}

// EXTERNAL MODULE: ./flows/pipeline-tests/run/default-jobs.js
var default_jobs = __webpack_require__(8462);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-problem.js
var test_problem = __webpack_require__(8442);
// EXTERNAL MODULE: ./lib/core/text/visible-text.js
var visible_text = __webpack_require__(327);
// EXTERNAL MODULE: ./lib/report/annotations.js
var annotations = __webpack_require__(2850);
// EXTERNAL MODULE: ./lib/github/workflow-run/event-target.js
var event_target = __webpack_require__(9017);
// EXTERNAL MODULE: ./actions/kit/checkout/checked-out-commit.js
var checked_out_commit = __webpack_require__(8057);
// EXTERNAL MODULE: ./actions/kit/checkout/checked-out-tests.js + 3 modules
var checked_out_tests = __webpack_require__(8070);
// EXTERNAL MODULE: ./actions/kit/checkout/project.js + 4 modules
var checkout_project = __webpack_require__(2002);
// EXTERNAL MODULE: ./actions/kit/checkout/test-cache.js + 3 modules
var test_cache = __webpack_require__(2024);
// EXTERNAL MODULE: ./actions/kit/inputs/report-key.js
var report_key = __webpack_require__(6228);
// EXTERNAL MODULE: ./actions/kit/checkout/test-failures.js
var test_failures = __webpack_require__(5823);
;// CONCATENATED MODULE: ./actions/test/nothing-to-test.js
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
        noticed: '',
        commit: '',
        'junit-path': '',
        'blob-path': '',
        'durations-path': '',
        'snapshot-path': '',
        'coverage-path': '',
    },
};

// EXTERNAL MODULE: ./flows/diff/base-project.js + 1 modules
var base_project = __webpack_require__(2546);
// EXTERNAL MODULE: ./lib/pipelines/model/named-variables.js
var named_variables = __webpack_require__(5470);
// EXTERNAL MODULE: ./lib/pipelines/model/uses-variable.js
var uses_variable = __webpack_require__(1940);
// EXTERNAL MODULE: ./lib/yaml/yaml-node.js
var yaml_node = __webpack_require__(5143);
// EXTERNAL MODULE: ./flows/data-graph/change/file-difference.js
var file_difference = __webpack_require__(9988);
// EXTERNAL MODULE: ./flows/data-graph/snapshot/pipeline-meaning.js
var pipeline_meaning = __webpack_require__(7552);
;// CONCATENATED MODULE: ./flows/mutation/run/readable.js

function readable(read) {
    try {
        return read();
    }
    catch (error) {
        if (error instanceof engine/* FileProblems */.jq)
            return undefined;
        throw error;
    }
}

;// CONCATENATED MODULE: ./flows/mutation/run/changed-components.js







function isInChange(base, project) {
    const known = new Map();
    return ({ file, component }) => {
        if (!base.changed.has(file))
            return false;
        if (component === undefined || (0,pipeline_kind/* kindOf */.I)(file) === undefined)
            return !(0,file_difference/* isSameScript */.E)(file, project, base);
        if (!known.has(file))
            known.set(file, changedComponents(file, base, project));
        return known.get(file)?.has(component) !== false;
    };
}
function changedComponents(file, base, project) {
    const now = readable(() => project.pipeline(file));
    const before = readable(() => base.project.pipeline(base.renamed.get(file) ?? file));
    if (now === undefined || before === undefined || before.problems.length > 0)
        return undefined;
    const [meaning, old] = [(0,pipeline_meaning/* pipelineMeaning */.w)(now, project.kind), (0,pipeline_meaning/* pipelineMeaning */.w)(before, project.kind)];
    const changedIn = (parts) => {
        const digests = new Map(old[parts].map(({ name, digest }) => [name, digest]));
        return meaning[parts].flatMap(({ name, digest }) => (digests.get(name) === digest ? [] : [name]));
    };
    const variables = changedIn('variables');
    const users = [...now.components].flatMap(([name, component]) => {
        const text = [component.node('parameters'), component.node('postProcessing')].map(yaml_node/* spellingOf */.k2).join(' ');
        const named = new Set((0,named_variables/* namedVariables */.h)(component).map((variable) => variable.name));
        return variables.some((variable) => named.has(variable) || (0,uses_variable/* usesVariable */.L)(text, variable)) ? [name] : [];
    });
    return new Set([...changedIn('components'), ...users]);
}

// EXTERNAL MODULE: ./lib/pipelines/checks/missing-file.js
var missing_file = __webpack_require__(4330);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/overlay-project.js
var overlay_project = __webpack_require__(9926);
;// CONCATENATED MODULE: ./flows/mutation/faults/fault.js
function withEdits(text, edits) {
    let result = '';
    let at = 0;
    for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
        result += text.slice(at, edit.start) + edit.text;
        at = edit.end;
    }
    return result + text.slice(at);
}

// EXTERNAL MODULE: ./lib/yaml/text-position.js
var text_position = __webpack_require__(428);
// EXTERNAL MODULE: ./lib/yaml/read-yaml.js + 5 modules
var read_yaml = __webpack_require__(8691);
;// CONCATENATED MODULE: ./flows/mutation/faults/next-constant.js
const day = /^(\d{4})-(\d{2})-(\d{2})((?:[ T].*)?)$/;
function nextConstant(text) {
    const date = day.exec(text);
    if (date !== null) {
        const [, year, month, dayOfMonth, time = ''] = date;
        const next = new Date(Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth) + 1));
        return Number.isNaN(next.getTime()) ? undefined : `${next.toISOString().slice(0, 10)}${time}`;
    }
    const number = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text);
    if (number !== null)
        return nextNumber(number[1] ?? '', number[2] ?? '', number[3]);
    if (/^\d/.test(text) && /^[\d.]+e[+-]?\d+$/i.test(text))
        return undefined;
    return /[\p{L}\p{N}]/u.test(text) ? `${text}X` : undefined;
}
function nextNumber(sign, whole, decimals) {
    const digits = `${whole}${decimals ?? ''}`;
    const value = BigInt(`${sign === '-' ? '-' : ''}${digits}`) + 1n;
    const written = (value < 0n ? -value : value).toString().padStart(digits.length, '0');
    const split = written.length - (decimals?.length ?? 0);
    const point = decimals === undefined || decimals === '' ? '' : `.${written.slice(split)}`;
    return `${value < 0n ? '-' : ''}${written.slice(0, split)}${point}`;
}

;// CONCATENATED MODULE: ./flows/mutation/faults/sql-fault.js

const maxWords = 80;
function shownWords(text) {
    const line = (0,sanitize_text/* oneLine */.TN)(text).replaceAll(/\s+/g, ' ');
    return line.length <= maxWords ? line : `${line.slice(0, maxWords - 1).trimEnd()}…`;
}
function replaceToken(kind, token, word) {
    const text = token.kind === 'word' && token.raw === token.raw.toLowerCase() ? word.toLowerCase() : word;
    const { start, end, raw } = token;
    return { kind, edits: [{ start, end, text }], before: raw, after: text, at: { start, end } };
}
function replaceRange(kind, script, [first, last], text) {
    const at = { start: first.start, end: last.end };
    const before = shownWords(script.text.slice(at.start, at.end));
    return { kind, edits: [{ ...at, text }], before, after: shownWords(text), at };
}
function leaveOut(kind, script, part, next) {
    const [first, last] = [part[0], part.at(-1)];
    const shown = first?.raw === ',' ? part[1] : first;
    if (first === undefined || last === undefined || shown === undefined)
        return [];
    const at = { start: shown.start, end: last.end };
    const blanks = /\s*$/.exec(script.text.slice(0, first.start))?.[0].length ?? 0;
    const isAfterToken = script.tokens.some(({ end }) => end === first.start - blanks);
    const start = next === undefined && isAfterToken ? first.start - blanks : first.start;
    const edit = { start, end: next?.start ?? at.end, text: '' };
    return [{ kind, edits: [edit], before: shownWords(script.text.slice(at.start, at.end)), after: '', at }];
}

;// CONCATENATED MODULE: ./flows/mutation/faults/sql-structure.js

const clauses = new Set(('SELECT FROM WHERE HAVING QUALIFY LIMIT OFFSET FETCH WINDOW ON USING SET VALUES WHEN THEN ELSE ROWS RANGE ' +
    'UNION EXCEPT MINUS INTERSECT JOIN RETURNING').split(' '));
const clausesWithBy = new Set(['GROUP', 'ORDER', 'PARTITION', 'CLUSTER']);
const joinWords = new Set(['LEFT', 'RIGHT', 'INNER', 'FULL', 'CROSS', 'NATURAL']);
const changing = new Set(['SELECT', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', '(']);
function readSql(text, kind, { isExpression }) {
    const written = (0,engine/* writtenTokens */.U0)(text, kind);
    if (written === undefined)
        return undefined;
    const tokens = [];
    const statements = [];
    let from = 0;
    for (const [index, token] of [...written, undefined].entries()) {
        if (token !== undefined && token.raw !== ';')
            continue;
        const statement = readStatement(written.slice(from, index), from, isExpression);
        from = index + 1;
        tokens.push(...statement);
        if (statement.length > 0)
            statements.push(statement);
    }
    return { text, tokens, statements, isExpression };
}
function readStatement(written, offset, isExpression) {
    const top = { parent: undefined, isCase: false, opener: '', outside: '' };
    let level = top;
    const clauseOf = new Map([[top, '']]);
    const betweens = new Map();
    const first = written[0]?.value ?? '';
    let isFixed = !isExpression && !changing.has(first);
    const open = (opener, isCase) => {
        level = { parent: level, isCase, opener, outside: clauseOf.get(level) ?? '' };
        clauseOf.set(level, '');
    };
    return written.map((token, index) => {
        const [before, after] = [written[index - 1], written[index + 1]];
        const word = token.kind === 'word' && !token.hasVariable && before?.raw !== '.' ? token.value : '';
        if (first === 'CREATE' && (word === 'SELECT' || word === 'WITH'))
            isFixed = false;
        if ((token.raw === ')' && !level.isCase) || (word === 'END' && level.isCase))
            level = level.parent ?? top;
        if (isClause(word, written, index))
            clauseOf.set(level, joinWords.has(word) ? 'JOIN' : word);
        if (word === 'BETWEEN')
            betweens.set(level, (betweens.get(level) ?? 0) + 1);
        const isBetweenAnd = word === 'AND' && (betweens.get(level) ?? 0) > 0;
        if (isBetweenAnd)
            betweens.set(level, (betweens.get(level) ?? 1) - 1);
        const placed = {
            ...token,
            value: word === '' && token.kind === 'word' ? '' : token.value,
            index: offset + index,
            level,
            clause: clauseOf.get(level) ?? '',
            isBetweenAnd,
            isFixed: isFixed || isData(level),
        };
        if (token.raw === '(')
            open((before?.value ?? before?.raw ?? '').toUpperCase(), false);
        if (word === 'CASE' && after !== undefined)
            open('CASE', true);
        return placed;
    });
}
function isClause(word, tokens, index) {
    const next = tokens[index + 1];
    if (clausesWithBy.has(word))
        return next?.value === 'BY';
    if (joinWords.has(word))
        return next?.raw !== '(';
    if (word === 'FROM' && tokens[index - 1]?.value === 'DISTINCT')
        return tokens[index - 2]?.value === 'SELECT';
    return clauses.has(word);
}
function isData(level) {
    if (level.outside === 'VALUES')
        return true;
    return level.parent !== undefined && isData(level.parent);
}
function regionFrom(tokens, start, level, ends) {
    let end = start;
    for (let token = tokens[end]; token !== undefined; token = tokens[end]) {
        if (!isWithin(token.level, level) || (token.level === level && ends(token)))
            break;
        end += 1;
    }
    return tokens.slice(start, end);
}
function isWithin(level, outer) {
    return level === outer || (level.parent !== undefined && isWithin(level.parent, outer));
}
function splitList(tokens, level) {
    const items = [[]];
    for (const token of tokens) {
        if (token.raw === ',' && token.level === level)
            items.push([]);
        else
            items.at(-1)?.push(token);
    }
    return items.filter((item) => item.length > 0);
}

;// CONCATENATED MODULE: ./flows/mutation/faults/sql-conditions.js


const filters = new Set(['WHERE', 'HAVING', 'QUALIFY']);
const findLeftOut = (script, statement) => {
    const found = [];
    if (script.isExpression) {
        const [first] = statement;
        if (first !== undefined && !first.isFixed)
            found.push(...conjunctFaults('left-out-key', script, statement, first.level));
    }
    for (const [index, token] of statement.entries()) {
        if (token.isFixed || token.hasVariable)
            continue;
        const region = () => regionFrom(statement, index + 1, token.level, ({ clause, raw }) => clause !== token.clause || raw === ',');
        const isHere = token.clause === token.value;
        if (filters.has(token.value) && isHere) {
            const condition = region();
            const parts = conjunctFaults('left-out-condition', script, condition, token.level);
            found.push(...parts);
            if (parts.length === 0)
                found.push(...leaveOut('left-out-condition', script, [token, ...condition]));
        }
        if (token.value === 'ON' && isHere)
            found.push(...conjunctFaults('left-out-key', script, region(), token.level));
        if (token.value === 'CASE')
            found.push(...caseFaults(script, statement, index));
        if (token.value === 'PARTITION' && isHere)
            found.push(...partitionFaults(script, statement, index));
    }
    return [...found, ...mergeFaults(script, statement)];
};
function conjunctFaults(kind, script, condition, level) {
    const joints = condition.filter((token) => token.level === level && !token.isBetweenAnd && (token.value === 'AND' || token.value === 'OR'));
    if (joints.length === 0 || joints.some(({ value }) => value === 'OR'))
        return [];
    const at = joints.map((joint) => condition.indexOf(joint));
    const starts = [0, ...at.map((index) => index + 1)];
    return starts.flatMap((start, index) => {
        const end = at[index] ?? condition.length;
        if (start >= end)
            return [];
        return index === 0
            ? leaveOut(kind, script, condition.slice(start, end), condition[end + 1])
            : leaveOut(kind, script, condition.slice(start - 1, end));
    });
}
function caseFaults(script, statement, index) {
    const level = statement[index + 1]?.level;
    if (level?.isCase !== true)
        return [];
    const inside = regionFrom(statement, index + 1, level, () => false);
    const starts = inside.flatMap((token, position) => token.level === level && (token.value === 'WHEN' || token.value === 'ELSE') ? [position] : []);
    const whens = starts.filter((position) => inside[position]?.value === 'WHEN');
    return starts.flatMap((start, place) => {
        const next = starts[place + 1] ?? inside.length;
        if (inside[start]?.value === 'WHEN' && whens.length < 2)
            return [];
        return leaveOut('left-out-branch', script, inside.slice(start, next));
    });
}
function partitionFaults(script, statement, index) {
    const [word, by] = [statement[index], statement[index + 1]];
    if (word === undefined || by === undefined)
        return [];
    const list = regionFrom(statement, index + 2, word.level, ({ clause }) => clause !== 'PARTITION');
    const items = splitList(list, word.level);
    if (items.length < 2)
        return leaveOut('left-out-partition', script, [word, by, ...list]);
    return items.flatMap((item, place) => {
        const comma = list[list.indexOf(item[0] ?? word) - 1];
        const next = items[place + 1]?.[0];
        return place === 0
            ? leaveOut('left-out-partition', script, item, next)
            : leaveOut('left-out-partition', script, comma === undefined ? item : [comma, ...item]);
    });
}
function mergeFaults(script, statement) {
    const [first] = statement;
    if (first?.value !== 'MERGE')
        return [];
    const starts = statement.flatMap((token, index) => token.level === first.level && token.value === 'WHEN' ? [index] : []);
    if (starts.length < 2)
        return [];
    return starts.flatMap((start, index) => leaveOut('left-out-branch', script, statement.slice(start, starts[index + 1] ?? statement.length)));
}

;// CONCATENATED MODULE: ./flows/mutation/faults/sql-order.js


const findOrderFaults = (script, statement) => statement.flatMap((token, index) => {
    if (token.isFixed || token.value !== 'ORDER' || token.clause !== 'ORDER')
        return [];
    const list = regionFrom(statement, index + 2, token.level, ({ clause }) => clause !== 'ORDER');
    const follows = statement.slice(index).filter(({ level }) => level === token.level);
    const isLimited = follows.some(({ value }) => value === 'LIMIT' || value === 'FETCH') ||
        statement.some((other) => other.level === token.level && other.value === 'TOP');
    const isOfFunction = token.level.opener !== '' && !token.level.isCase && !hasSelect(statement, token);
    if (!isLimited && !isOfFunction)
        return [];
    return splitList(list, token.level).flatMap((item) => {
        const [first] = item;
        const last = item.findLast(({ value }) => value !== 'NULLS' && value !== 'FIRST' && value !== 'LAST');
        if (first === undefined || last === undefined)
            return [];
        const own = item.filter(({ level }) => level === token.level);
        const nulls = own.find(({ value }, at) => value === 'NULLS' && own[at + 1] !== undefined);
        const position = nulls === undefined ? undefined : own[own.indexOf(nulls) + 1];
        const moved = position?.value === 'FIRST' || position?.value === 'LAST'
            ? [replaceToken('order', position, position.value === 'FIRST' ? 'LAST' : 'FIRST')]
            : [];
        const direction = own.find(({ value }) => value === 'ASC' || value === 'DESC');
        if (direction !== undefined)
            return [replaceToken('order', direction, direction.value === 'ASC' ? 'DESC' : 'ASC'), ...moved];
        const word = token.raw === token.raw.toLowerCase() ? 'desc' : 'DESC';
        const text = script.text.slice(first.start, last.end);
        return [replaceRange('order', script, [first, last], `${text} ${word}`), ...moved];
    });
});
function hasSelect(statement, { level }) {
    return statement.some((token) => token.level === level && token.value === 'SELECT');
}

;// CONCATENATED MODULE: ./flows/mutation/faults/sql-values.js



const comparing = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);
const types = new Set('NUMBER DECIMAL NUMERIC VARCHAR CHAR CHARACTER STRING TEXT TIMESTAMP TIMESTAMP_NTZ TIMESTAMP_LTZ TIMESTAMP_TZ TIME DATETIME BINARY FLOAT'.split(' '));
const replacingNull = new Set([
    'COALESCE',
    'NVL',
    'IFNULL',
    'NULLIF',
    'ZEROIFNULL',
    'NULLIFZERO',
]);
const findValueFaults = (script, statement) => statement.flatMap((token, index) => {
    if (token.isFixed || token.hasVariable)
        return [];
    if (token.kind === 'number')
        return numberFaults(token, statement, index);
    if (token.kind === 'text')
        return textFaults(token, statement, index);
    if (token.kind !== 'word' || statement[index + 1]?.raw !== '(')
        return [];
    return callFaults(script, token, statement, index);
});
function numberFaults(token, statement, index) {
    const before = statement[index - 1];
    if (types.has(token.level.opener))
        return decimalFaults(token, before);
    const isPosition = (token.clause === 'ORDER' || token.clause === 'GROUP') && (before?.value === 'BY' || before?.raw === ',');
    if (isPosition || before?.raw === '[')
        return [];
    const next = nextConstant(token.raw);
    return next === undefined ? [] : [replaceToken('constant', token, next)];
}
function decimalFaults(token, before) {
    const isScale = before?.raw === ',' && ['NUMBER', 'DECIMAL', 'NUMERIC'].includes(token.level.opener);
    return isScale && token.raw !== '0' ? [replaceToken('decimals', token, '0')] : [];
}
function textFaults(token, statement, index) {
    const [before, next] = [statement[index - 1], statement[index + 1]];
    const isCompared = comparing.has(before?.raw ?? '') ||
        comparing.has(next?.raw ?? '') ||
        (token.level.opener === 'IN' && (before?.raw === '(' || before?.raw === ',')) ||
        ['LIKE', 'ILIKE', 'BETWEEN', 'THEN', 'ELSE'].includes(before?.value ?? '') ||
        (before?.isBetweenAnd ?? false) ||
        (before?.value === 'WHEN' && token.level.isCase) ||
        (before?.value === 'DATE' && before.kind === 'word');
    const isAssigned = before?.raw === '=' && token.clause === 'SET';
    if ((!isCompared && !isAssigned) || !token.raw.startsWith("'"))
        return [];
    const inner = token.raw.slice(1, -1);
    const other = nextConstant(inner);
    return other === undefined ? [] : [replaceToken('constant', token, `'${other}'`)];
}
function callFaults(script, token, statement, index) {
    const open = statement[index + 1];
    const level = statement[index + 2]?.level;
    if (open === undefined || level === undefined || level.parent !== token.level)
        return [];
    const inside = regionFrom(statement, index + 2, level, () => false);
    const items = splitList(inside, level);
    const textOf = (item) => script.text.slice(item?.[0]?.start ?? 0, item?.at(-1)?.end ?? 0);
    const [first, second, third] = items;
    const close = statement[index + 2 + inside.length];
    if (close === undefined || first === undefined)
        return [];
    if (replacingNull.has(token.value)) {
        const from = first.at(-1)?.end ?? close.start;
        const edits = [
            { start: token.start, end: token.end, text: '' },
            ...(from < close.start ? [{ start: from, end: close.start, text: '' }] : []),
        ];
        const at = { start: token.start, end: close.end };
        const before = shownWords(script.text.slice(at.start, at.end));
        return [{ kind: 'null-handling', edits, before, after: shownWords(textOf(first)), at }];
    }
    if ((token.value !== 'IFF' && token.value !== 'NVL2') || second === undefined || third === undefined)
        return [];
    const [from, to] = [second[0], third.at(-1)];
    if (from === undefined || to === undefined)
        return [];
    const between = script.text.slice(second.at(-1)?.end, third[0]?.start);
    return [
        replaceRange('swapped-branches', script, [from, to], `${textOf(third)}${between}${textOf(second)}`),
    ];
}

;// CONCATENATED MODULE: ./flows/mutation/faults/sql-words.js

const comparisons = {
    '=': '<>',
    '<>': '=',
    '!=': '=',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
};
const arithmetic = { '+': '-', '-': '+', '*': '/', '/': '*' };
const functions = {
    SUM: ['aggregate', 'MAX'],
    MAX: ['aggregate', 'MIN'],
    MIN: ['aggregate', 'MAX'],
    AVG: ['aggregate', 'SUM'],
    GREATEST: ['comparison', 'LEAST'],
    LEAST: ['comparison', 'GREATEST'],
    ROW_NUMBER: ['window', 'RANK'],
    RANK: ['window', 'DENSE_RANK'],
    DENSE_RANK: ['window', 'RANK'],
    LEAD: ['window', 'LAG'],
    LAG: ['window', 'LEAD'],
    FIRST_VALUE: ['window', 'LAST_VALUE'],
    LAST_VALUE: ['window', 'FIRST_VALUE'],
};
const setOperators = {
    EXCEPT: 'INTERSECT',
    MINUS: 'INTERSECT',
    INTERSECT: 'EXCEPT',
};
const beforeOperand = new Set(('SELECT DISTINCT ALL AND OR NOT WHERE HAVING QUALIFY ON WHEN THEN ELSE IN LIKE ILIKE BETWEEN BY CASE RETURN ' +
    'LIMIT OFFSET INTERVAL AS IS FROM SET VALUES USING TOP RETURNING').split(' '));
const findWordFaults = (script, statement) => statement.flatMap((token, index) => {
    if (token.isFixed || token.hasVariable)
        return [];
    const near = { before: statement[index - 1], next: statement[index + 1], after: statement[index + 2] };
    if (token.kind === 'operator')
        return operatorFaults(token, near);
    if (token.kind !== 'word' || token.value === '')
        return [];
    return [
        ...functionFaults(token, near),
        ...joinFaults(script, token, statement, index),
        ...logicFaults(script, token, near),
        ...rowFaults(script, token, near),
    ];
});
function operatorFaults(token, { before, next }) {
    const { raw, clause } = token;
    const other = Object.hasOwn(comparisons, raw) ? comparisons[raw] : undefined;
    if (other !== undefined && !(raw === '=' && clause === 'SET'))
        return [replaceToken('comparison', token, other)];
    const opposite = Object.hasOwn(arithmetic, raw) ? arithmetic[raw] : undefined;
    const isBetween = endsOperand(before) && beginsOperand(next);
    return opposite !== undefined && isBetween ? [replaceToken('arithmetic', token, opposite)] : [];
}
function endsOperand(token) {
    if (token === undefined)
        return false;
    if (token.kind === 'operator')
        return token.raw === ')' || token.raw === ']';
    return token.kind !== 'word' || !beforeOperand.has(token.value);
}
function beginsOperand(token) {
    if (token === undefined)
        return false;
    return token.kind !== 'operator' || token.raw === '(' || token.raw === '-';
}
function functionFaults(token, { next, after }) {
    if (next?.raw !== '(')
        return [];
    const [kind, other] = (Object.hasOwn(functions, token.value) ? functions[token.value] : undefined) ?? [];
    if (kind !== undefined && other !== undefined)
        return [replaceToken(kind, token, other)];
    if (token.value !== 'COUNT' || after === undefined || after.raw === '*' || after.raw === ')')
        return [];
    const at = { start: token.start, end: token.end };
    if (after.value === 'DISTINCT') {
        const edits = [{ start: after.start, end: after.end, text: '' }];
        return [
            { kind: 'aggregate', edits, before: `${token.raw}(${after.raw} …)`, after: `${token.raw}(…)`, at },
        ];
    }
    const word = token.raw === token.raw.toLowerCase() ? 'distinct' : 'DISTINCT';
    const edits = [{ start: next.end, end: next.end, text: `${word} ` }];
    return [{ kind: 'aggregate', edits, before: `${token.raw}(…)`, after: `${token.raw}(${word} …)`, at }];
}
const joins = {
    LEFT: 'INNER',
    RIGHT: 'INNER',
    FULL: 'LEFT',
    INNER: 'LEFT',
};
function joinFaults(script, token, statement, index) {
    if (token.value !== 'JOIN')
        return [];
    const before = statement[index - 1];
    const first = before?.value === 'OUTER' ? statement[index - 2] : before;
    const other = first === undefined ? undefined : joins[first.value];
    if (first === undefined || before === undefined)
        return [];
    const word = (text) => (token.raw === token.raw.toLowerCase() ? text.toLowerCase() : text);
    if (other !== undefined)
        return [replaceRange('join-type', script, [first, token], word(`${other} JOIN`))];
    if (['CROSS', 'NATURAL', 'OUTER', 'ASOF', 'LATERAL', 'DIRECTED'].includes(before.value))
        return [];
    return [replaceRange('join-type', script, [token, token], word('LEFT JOIN'))];
}
const negatable = new Set(['IN', 'LIKE', 'ILIKE', 'RLIKE', 'BETWEEN', 'EXISTS']);
function logicFaults(script, token, near) {
    const { before, next, after } = near;
    const { value } = token;
    const word = (text) => (token.raw === token.raw.toLowerCase() ? text.toLowerCase() : text);
    if (value === 'AND' || value === 'OR') {
        const isOfMerge = ['MATCHED', 'TARGET', 'SOURCE'].includes(before?.value ?? '');
        if (token.isBetweenAnd || isOfMerge)
            return [];
        return [replaceToken('combination', token, value === 'AND' ? 'OR' : 'AND')];
    }
    if (value === 'IS' && next !== undefined && after !== undefined) {
        if (next.value === 'NULL')
            return [replaceRange('null-handling', script, [token, next], word('IS NOT NULL'))];
        if (next.value === 'NOT' && after.value === 'NULL')
            return [replaceRange('null-handling', script, [token, after], word('IS NULL'))];
    }
    if (value === 'IS' && next?.value === 'NULL')
        return [replaceRange('null-handling', script, [token, next], word('IS NOT NULL'))];
    if (value === 'NOT' && next !== undefined) {
        const isOther = ['NULL', 'MATCHED', 'DISTINCT', 'MATERIALIZED'].includes(next.value);
        if (isOther || before?.value === 'IS' || before?.value === 'IF')
            return [];
        return [replaceRange('negation', script, [token, next], next.raw)];
    }
    if (!negatable.has(value) || before?.value === 'NOT' || before?.value === 'IF')
        return [];
    const isList = value === 'IN' || value === 'EXISTS';
    const isOperator = value === 'EXISTS' || endsOperand(before);
    if ((isList && next?.raw !== '(') || !isOperator || token.clause === 'ROWS' || token.clause === 'RANGE')
        return [];
    if (token.level.opener === 'POSITION')
        return [];
    return [replaceRange('negation', script, [token, token], `${word('NOT')} ${token.raw}`)];
}
function rowFaults(script, token, { before, next, after }) {
    const { value } = token;
    const word = (text) => (token.raw === token.raw.toLowerCase() ? text.toLowerCase() : text);
    if (value === 'SELECT' && next?.value === 'DISTINCT' && after?.value !== 'ON')
        return [replaceRange('distinct', script, [token, next], token.raw)];
    if (value === 'UNION' && next !== undefined) {
        const isAll = next.value === 'ALL';
        return [
            isAll
                ? replaceRange('set-operator', script, [token, next], token.raw)
                : replaceRange('set-operator', script, [token, token], word('UNION ALL')),
        ];
    }
    const other = Object.hasOwn(setOperators, value) ? setOperators[value] : undefined;
    if (other !== undefined &&
        before?.raw !== '*' &&
        ['SELECT', 'ALL', 'VALUES'].includes(next?.value ?? next?.raw ?? ''))
        return [replaceToken('set-operator', token, other)];
    return [];
}

;// CONCATENATED MODULE: ./flows/mutation/faults/sql-faults.js





const finders = [findWordFaults, findValueFaults, findLeftOut, findOrderFaults];
const sql_faults_changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE']);
function sqlFaults(script) {
    const found = script.statements.flatMap((statement) => [
        ...finders.flatMap((find) => find(script, statement)),
        ...(script.statements.length > 1 && sql_faults_changing.has(statement[0]?.value ?? '')
            ? leaveOut('left-out-statement', script, statement)
            : []),
    ]);
    return found.toSorted((a, b) => a.at.start - b.at.start);
}

;// CONCATENATED MODULE: ./flows/mutation/faults/part-faults.js





function cellsAt({ node, path }, index) {
    if (node.kind !== 'list')
        return [];
    return node.items.flatMap((row, rowIndex) => {
        const cell = row.kind === 'list' ? row.items[index] : index === 0 ? row : undefined;
        if (cell?.kind !== 'scalar' || cell.value === null)
            return [];
        const cellPath = [...path, rowIndex, ...(row.kind === 'list' ? [index] : [])];
        return [{ row, rowIndex, path: cellPath, node: cell }];
    });
}
function rowText(row) {
    return (0,yaml_node/* itemsOf */.S3)(row)
        .map((cell) => (0,yaml_node/* textOf */.b6)(cell) ?? '')
        .join(', ');
}
function otherWords(kind, index, words, isChanged = () => true) {
    return (part) => cellsAt(part, index).flatMap(({ row, path, node }) => isChanged(row) ? wordFaults(kind, words, { path, node, context: rowText(row) }) : []);
}
function otherWord(kind, words) {
    return ({ node, path }) => node.kind === 'scalar' ? wordFaults(kind, words, { path, node, context: '' }) : [];
}
function wordFaults(kind, words, { path, node, context }) {
    const written = node.text.trim().toLowerCase();
    const known = Object.keys(words).find((word) => word.toLowerCase() === written);
    return (known === undefined ? [] : (words[known] ?? [])).map((text) => ({
        kind: typeof kind === 'function' ? kind(text) : kind,
        before: shownWords(node.text),
        after: text,
        changes: [{ path, text }],
        at: node,
        context,
    }));
}
function otherAnswer(kind) {
    return otherWord(kind, { Yes: ['No'], No: ['Yes'], True: ['False'], False: ['True'] });
}
function nextInCells(index, isChanged = () => true) {
    return (part) => cellsAt(part, index).flatMap(({ row, path, node }) => isChanged(row) && !isName(node, part) ? constantFaults(node, path, rowText(row)) : []);
}
function isName(node, { document }) {
    if (!/^[A-Z_]\w*$/i.test(node.text))
        return false;
    const components = (0,yaml_node/* childOf */.GG)((0,yaml_node/* childOf */.GG)(document.source.root, 'pipeline'), 'components');
    for (const scalar of (0,yaml_node/* scalarsOf */.TM)(components, node))
        if (scalar.text === node.text)
            return true;
    return false;
}
const nextValue = ({ node, path }) => node.kind === 'scalar' ? constantFaults(node, path, '') : [];
function constantFaults(node, path, context) {
    if (node.text.includes('${'))
        return [];
    const quoted = /^'([^'\\]*)'$/.exec(node.text.trim())?.[1];
    const next = nextConstant(quoted ?? node.text);
    if (next === undefined)
        return [];
    const text = quoted === undefined ? next : `'${next}'`;
    const shown = { before: shownWords(node.text), after: shownWords(text) };
    return [{ kind: 'constant', ...shown, changes: [{ path, text }], at: node, context }];
}
function zeroInCells(kind, index) {
    return (part) => cellsAt(part, index).flatMap(({ row, path, node }) => /^[1-9]\d*$/.test(node.text)
        ? [
            {
                kind,
                before: node.text,
                after: '0',
                changes: [{ path, text: '0' }],
                at: node,
                context: rowText(row),
            },
        ]
        : []);
}
function withoutRow(kind, { min = 1, isLeftOut = () => true, } = {}) {
    return ({ node, path }) => {
        if (node.kind !== 'list' || node.items.length < min)
            return [];
        const count = node.items.length;
        return node.items.flatMap((row, index) => {
            if (!isLeftOut(row, index, count))
                return [];
            const text = rowText(row);
            const shown = { before: shownWords(text), after: '' };
            return [{ kind, ...shown, changes: [{ path, without: index }], at: row, context: text }];
        });
    };
}
function swappedRows(kind, index) {
    return (part) => {
        const cells = cellsAt(part, index);
        return cells.slice(0, -1).flatMap((cell, at) => {
            const next = cells[at + 1];
            if (next === undefined || next.node.text === cell.node.text)
                return [];
            return [
                {
                    kind,
                    before: shownWords(`${cell.node.text}, ${next.node.text}`),
                    after: shownWords(`${next.node.text}, ${cell.node.text}`),
                    changes: [
                        { path: cell.path, text: next.node.text },
                        { path: next.path, text: cell.node.text },
                    ],
                    at: cell.node,
                    context: `${rowText(cell.row)}; ${rowText(next.row)}`,
                },
            ];
        });
    };
}
function sqlInCells(index) {
    return (part) => cellsAt(part, index).flatMap(({ path, node, row }) => sqlFaultsAt(part, path, node, true, rowText(row)));
}
const sqlInText = (part) => part.node.kind === 'scalar' ? sqlFaultsAt(part, part.path, part.node, false, '') : [];
function sqlFaultsAt({ kind: warehouse }, path, node, isExpression, row) {
    const isNone = node.text.trim().toLowerCase() === '<none>';
    const script = isNone ? undefined : readSql(node.text, warehouse, { isExpression });
    if (script === undefined)
        return [];
    return sqlFaults(script).map(({ kind, before, after, edits, at }) => ({
        kind,
        before,
        after,
        changes: [{ path, parts: edits }],
        at: { path, ...at },
        context: `${isExpression ? row.slice(-80) : ''} ${aroundOf(script.text, at)}`,
    }));
}
function aroundOf(text, { start, end }) {
    const near = (part) => part.replaceAll(/\s+/g, '');
    const before = text.slice(Math.max(0, start - 120), start);
    const [after = ''] = text.slice(end, end + 120).split(';', 1);
    return `${near(before.slice(before.lastIndexOf(';') + 1)).slice(-24)}|${near(after).slice(0, 24)}`;
}

;// CONCATENATED MODULE: ./flows/mutation/faults/changes-elsewhere.js




const words = {
    Sum: ['Max'],
    Average: ['Sum'],
    Count: ['Count Distinct'],
    'Count Distinct': ['Count'],
    Max: ['Min'],
    Min: ['Max'],
};
const pivotWords = otherWord('aggregate', words);
const otherFunctions = otherWords('aggregate', 1, words);
const prefixes = {
    sum: 'sum',
    average: 'avg',
    count: 'count',
    'count distinct': 'count_distinct',
    max: 'max',
    min: 'min',
};
const aggregateWords = (part) => otherFunctions(part).map((fault) => {
    const [change] = fault.changes;
    const row = change === undefined ? undefined : (0,yaml_node/* itemsOf */.S3)(part.node)[Number(change.path.at(-2))];
    const column = (0,yaml_node/* textOf */.b6)((0,yaml_node/* itemsOf */.S3)(row)[0]) ?? '';
    const nameOf = (word) => `${prefixes[word.trim().toLowerCase()] ?? word}_${column}`;
    const uses = usesOf(part, nameOf(fault.before), nameOf(fault.after));
    return { ...fault, changes: [...fault.changes, ...uses] };
});
const withOutput = new Set([
    'columnMapping',
    'columnMappings',
    'updateMapping',
    'insertMapping',
    'outputColumnMapping',
    'calculations',
    'functions',
    'outputColumns',
]);
function usesOf(part, name, newName) {
    const { document, component, kind } = part;
    return readersOf(component, [...document.components.values()]).flatMap((reader) => {
        const parameters = reader.node('parameters');
        if (parameters?.kind !== 'map')
            return [];
        return [...parameters.entries].flatMap(([key, { value }]) => cellsOf(value, withOutput.has(key)).flatMap(({ path, text }) => {
            if (!text.toLowerCase().includes(name.toLowerCase()))
                return [];
            const parts = ((0,engine/* writtenTokens */.U0)(text, kind) ?? []).flatMap((token) => {
                const isName = token.kind === 'quoted' || token.kind === 'word';
                const written = token.kind === 'quoted' ? token.value : token.raw;
                if (!isName || written.toLowerCase() !== name.toLowerCase())
                    return [];
                const isUpper = written === written.toUpperCase() && written !== written.toLowerCase();
                const renamed = isUpper ? newName.toUpperCase() : newName;
                return [
                    { start: token.start, end: token.end, text: token.kind === 'quoted' ? `"${renamed}"` : renamed },
                ];
            });
            const at = ['pipeline', 'components', reader.name, 'parameters', key, ...path];
            return parts.length === 0 ? [] : [{ path: at, parts }];
        }));
    });
}
function readersOf(component, all) {
    const found = new Set();
    const names = new Set([component.name]);
    for (let size = -1; size !== found.size;) {
        size = found.size;
        for (const other of all)
            if (other.sources.some((source) => names.has(source))) {
                found.add(other);
                names.add(other.name);
            }
    }
    return [...found];
}
function cellsOf(node, hasOutput) {
    if (node.kind === 'scalar')
        return node.value === null ? [] : [{ path: [], text: node.text }];
    if (node.kind === 'map')
        return [];
    return node.items.flatMap((row, index) => {
        if (row.kind !== 'list')
            return cellsOf(row, false).map(({ text }) => ({ path: [index], text }));
        const cells = hasOutput && row.items.length > 1 ? row.items.slice(0, -1) : row.items;
        return cells.flatMap((cell, place) => cellsOf(cell, false).map(({ path, text }) => ({ path: [index, place, ...path], text })));
    });
}
const swappedMaster = ({ component, node, path }) => {
    const [other, ...more] = component.sources.filter((source) => source !== (0,yaml_node/* textOf */.b6)(node));
    if (node.kind !== 'scalar' || other === undefined || more.length > 0)
        return [];
    const shown = { before: shownWords(node.text), after: shownWords(other) };
    return [{ kind: 'swapped-inputs', ...shown, changes: [{ path, text: other }], at: node, context: '' }];
};
const swappedSide = ({ node, path }) => (0,yaml_node/* itemsOf */.S3)(node).flatMap((row, index) => {
    const cell = (0,yaml_node/* itemsOf */.S3)(row)[0];
    const [, side, column] = /^(master|compare)_(.+)$/is.exec((0,yaml_node/* textOf */.b6)(cell) ?? '') ?? [];
    if (cell?.kind !== 'scalar' || side === undefined || column === undefined)
        return [];
    const text = `${side.toLowerCase() === 'master' ? 'compare' : 'master'}_${column}`;
    const shown = { before: shownWords(cell.text), after: shownWords(text) };
    const changes = [{ path: [...path, index, 0], text }];
    return [{ kind: 'swapped-inputs', ...shown, changes, at: cell, context: (0,yaml_node/* textOf */.b6)((0,yaml_node/* itemsOf */.S3)(row)[1]) ?? '' }];
});
const keptDuplicates = ({ component, node, path }) => {
    const type = component.node('type');
    const items = node.kind === 'list' ? node.items : [];
    const names = items.flatMap((item) => (0,yaml_node/* textOf */.b6)((0,yaml_node/* itemsOf */.S3)(item)[0]) ?? []);
    if (type === undefined || names.length === 0 || names.length !== items.length)
        return [];
    return [
        {
            kind: 'distinct',
            before: component.type,
            after: '',
            changes: [
                { path: [...path.slice(0, -2), 'type'], text: 'rename' },
                ...names.map((name, index) => ({ path: [...path, index], list: [name, name] })),
                { path, key: 'columnMapping' },
            ],
            at: type,
            context: names.join(', '),
        },
    ];
};

;// CONCATENATED MODULE: ./flows/mutation/faults/condition-faults.js


const comparators = {
    'Equal to': ['Less than or equal to'],
    'Less than': ['Less than or equal to', 'Greater than'],
    'Less than or equal to': ['Less than'],
    'Greater than': ['Greater than or equal to', 'Less than'],
    'Greater than or equal to': ['Greater than'],
    Like: ['Equal to'],
    Null: ['Null or blank'],
    'Null or blank': ['Null', 'Blank'],
    Blank: ['Null or blank'],
};
function isOrdered(row) {
    const [, , comparator, value] = (0,yaml_node/* itemsOf */.S3)(row).map((cell) => (0,yaml_node/* textOf */.b6)(cell)?.trim() ?? '');
    if (comparator?.toLowerCase() !== 'equal to' || value === undefined)
        return true;
    return value.includes('${') || /^'?[+-]?\d/.test(value);
}
const withoutValue = new Set(['null', 'null or blank', 'blank']);
function hasValue(row) {
    const comparator = (0,yaml_node/* textOf */.b6)((0,yaml_node/* itemsOf */.S3)(row)[2])?.trim().toLowerCase() ?? '';
    return !withoutValue.has(comparator);
}
const inRows = [
    otherWords('negation', 1, { Is: ['Not'], Not: ['Is'] }),
    otherWords((word) => (withoutValue.has(word.toLowerCase()) ? 'null-handling' : 'comparison'), 2, comparators, isOrdered),
    nextInCells(3, hasValue),
];
const filterConditions = [...inRows, withoutRow('left-out-condition')];
const ifConditions = [...inRows, withoutRow('left-out-condition', { min: 2 })];
const mappedValues = [
    ...inRows,
    nextInCells(4),
    withoutRow('left-out-branch', { min: 2 }),
];
function combination(conditions) {
    const find = otherWord('combination', { And: ['Or'], Or: ['And'] });
    return (part) => ((0,yaml_node/* itemsOf */.S3)(part.component.parameter(conditions)).length > 1 ? find(part) : []);
}

;// CONCATENATED MODULE: ./flows/mutation/faults/expression-faults.js



const otherSigns = {
    '==': ['comparison', '!='],
    '===': ['comparison', '!=='],
    '!=': ['comparison', '=='],
    '!==': ['comparison', '==='],
    '<': ['comparison', '<='],
    '<=': ['comparison', '<'],
    '>': ['comparison', '>='],
    '>=': ['comparison', '>'],
    '&&': ['combination', '||'],
    '||': ['combination', '&&'],
};
const expressionFaults = ({ node, path }) => {
    if (node.kind !== 'scalar')
        return [];
    return ((0,engine/* expressionTokens */.jx)(node.text) ?? []).flatMap((token) => {
        const at = { path, start: token.offset, end: token.end };
        const before = node.text.slice(at.start, at.end);
        const [kind, after] = token.kind === 'sign'
            ? (otherSigns[token.value] ?? [])
            : ['constant', otherConstant(token.kind, before)];
        if (kind === undefined || after === undefined)
            return [];
        const changes = [{ path, parts: [{ start: at.start, end: at.end, text: after }] }];
        return [{ kind, before, after, changes, at, context: aroundOf(node.text, at) }];
    });
};
function otherConstant(kind, written) {
    if (kind === 'number')
        return nextConstant(written);
    const next = kind === 'text' && !written.includes('\\') ? nextConstant(written.slice(1, -1)) : undefined;
    return next === undefined ? undefined : `${written.charAt(0)}${next}${written.charAt(0)}`;
}

;// CONCATENATED MODULE: ./flows/mutation/faults/join-faults.js


const otherTypes = otherWords('join-type', 2, {
    Inner: ['Left'],
    Left: ['Inner'],
    Right: ['Inner'],
    Full: ['Left'],
});
const joinTypes = (part) => otherTypes(part).map((fault) => {
    const [change] = fault.changes;
    const row = change === undefined ? undefined : (0,yaml_node/* itemsOf */.S3)(part.node)[Number(change.path.at(-2))];
    return { ...fault, changes: [...fault.changes, ...renamed(part, (0,yaml_node/* textOf */.b6)((0,yaml_node/* itemsOf */.S3)(row)[1]) ?? '', fault)] };
});
function renamed({ component, path }, alias, { before, after }) {
    const main = component.text('mainTableAlias') ?? '';
    const nameOf = (type) => `${main}_${type}_${alias}`;
    return (0,yaml_node/* itemsOf */.S3)(component.parameter('joinExpressions')).flatMap((row, index) => {
        const name = (0,yaml_node/* textOf */.b6)((0,yaml_node/* itemsOf */.S3)(row)[1])?.trim();
        if (name?.toLowerCase() !== nameOf(before).toLowerCase())
            return [];
        return [{ path: [...path.slice(0, -1), 'joinExpressions', index, 1], text: nameOf(after) }];
    });
}

;// CONCATENATED MODULE: ./flows/mutation/faults/component-faults.js






const direction = [
    otherWords('order', 1, {
        Ascending: ['Descending'],
        Asc: ['Desc'],
        Descending: ['Ascending'],
        Desc: ['Asc'],
        'Nulls First': ['Ascending'],
    }),
];
const partition = [withoutRow('left-out-partition')];
const ignoreNulls = [otherAnswer('null-handling')];
const mapping = [swappedRows('swapped-columns', 0), withoutRow('left-out-row', { min: 2 })];
const bounds = [
    otherWord('window', {
        'Unbounded Preceding': ['Current Row'],
        'Unbounded Following': ['Current Row'],
        'Current Row': ['Unbounded Preceding', 'Unbounded Following'],
    }),
];
const edgeRows = withoutRow('left-out-row', {
    min: 2,
    isLeftOut: (_, index, count) => index === 0 || index === count - 1,
});
const conditionsOfTable = {
    filterConditions: filterConditions,
    combineCondition: [combination('filterConditions')],
};
const query = {
    ...conditionsOfTable,
    query: [sqlInText],
    sort: [
        otherWord('order', {
            Ascending: ['Descending'],
            Asc: ['Desc'],
            Descending: ['Ascending'],
            Desc: ['Asc'],
        }),
    ],
    limit: [nextValue],
};
const variables = { setScalarVariables: [withoutRow('left-out-row')] };
const setValue = [
    nextInCells(1, (row) => isConstant((0,yaml_node/* itemsOf */.S3)(row)[1])),
    withoutRow('left-out-row', { min: 2 }),
];
function isConstant(cell) {
    return (0,yaml_node/* textOf */.b6)(cell)?.includes('${') === false;
}
const componentFaults = {
    filter: conditionsOfTable,
    'map-values': { valueMap: mappedValues, other: [nextValue] },
    join: { joins: [joinTypes], joinExpressions: [sqlInCells(0)] },
    unite: {
        method: [
            otherWord('set-operator', {
                'All Columns': ['Overlapping Columns'],
                'Overlapping Columns': ['All Columns'],
            }),
        ],
        removeDuplicates: [otherAnswer('distinct')],
        sources: [withoutRow('left-out-input', { min: 2 })],
    },
    'detect-changes': {
        masterTable: [swappedMaster],
        matchKeys: [withoutRow('left-out-key', { min: 2 })],
        compareColumns: [withoutRow('left-out-key')],
        outputColumnMapping: [swappedSide],
    },
    distinct: { columns: [keptDuplicates] },
    calculator: { calculations: [sqlInCells(0)] },
    rename: { columnMapping: [swappedRows('swapped-columns', 0)] },
    'convert-type': { conversions: [zeroInCells('decimals', 3)] },
    'split-field': { delimiter: [nextValue], outputColumns: [nextInCells(0)] },
    aggregate: { aggregations: [aggregateWords] },
    pivot: { aggregateFunction: [pivotWords] },
    'window-calculation': {
        partitionData: partition,
        orderingWithinPartitions: direction,
        functions: [
            otherWords('aggregate', 0, {
                Sum: ['Max'],
                Average: ['Sum'],
                Count: ['Sum'],
                Max: ['Min'],
                Maximum: ['Minimum'],
                Min: ['Max'],
                Minimum: ['Maximum'],
            }),
            swappedRows('swapped-columns', 1),
        ],
        lowerBound: bounds,
        upperBound: bounds,
    },
    rank: {
        partitionData: partition,
        orderingWithinPartitions: direction,
        functions: [
            otherWords('window', 0, { 'Row Number': ['Rank'], Rank: ['Dense Rank'], 'Dense Rank': ['Rank'] }),
        ],
    },
    'lead-lag': {
        partitionData: partition,
        orderingsWithinPartitions: direction,
        functions: [otherWords('window', 0, { Lead: ['Lag'], Lag: ['Lead'] }), nextInCells(2)],
        ignoreNulls,
    },
    'first-last': {
        orderingInPartitions: direction,
        firstLastColumns: [otherWords('window', 1, { First: ['Last'], Last: ['First'] })],
        ignoreNulls,
    },
    'generate-sequence': { startValue: [nextValue], incrementValue: [nextValue], endValue: [nextValue] },
    'fixed-flow': { values: [edgeRows] },
    sql: { query: [sqlInText] },
    'extract-nested-data-sf': { outerJoin: [otherAnswer('join-type')] },
    'flatten-variant': { columnFlattens: [otherWords('join-type', 3, { Yes: ['No'], No: ['Yes'] })] },
    'table-output': {
        outputMode: [otherWord('write-mode', { Append: ['Truncate'], Truncate: ['Append'] })],
        columnMapping: mapping,
    },
    'table-update': {
        joinExpression: [sqlInCells(0)],
        whenMatched: [
            sqlInCells(0),
            otherWords('write-mode', 1, { Update: ['Delete'], Delete: ['Update'] }),
            withoutRow('left-out-branch', { min: 2 }),
        ],
        updateMapping: mapping,
        includeNotMatched: [otherAnswer('write-mode')],
        insertMapping: mapping,
    },
    if: {
        condition: ifConditions,
        combineConditions: [combination('condition')],
        condition1: [expressionFaults],
    },
    'sql-executor': { sqlScript: [sqlInText] },
    'sql-script': { sqlScript: [sqlInText] },
    'query-to-scalar': query,
    'query-to-grid': query,
    'table-iterator': query,
    'assert-table': {
        rowCountComparisonType: [otherWord('comparison', comparators)],
        rowCountValue: [nextValue],
    },
    'create-table': {
        createReplace: [
            otherWord('write-mode', { Replace: ['Create if not exists'], 'Create if not exists': ['Replace'] }),
        ],
    },
    'create-table-v2': {
        createMethod: [
            otherWord('write-mode', { Replace: ['Create if not exists'], 'Create if not exists': ['Replace'] }),
        ],
    },
    'fixed-iterator': { iterationValues: [edgeRows] },
    'loop-iterator': {
        startingValue: [nextValue],
        startValue: [nextValue],
        endValue: [nextValue],
        endingValue: [nextValue],
    },
    'run-orchestration': variables,
    'run-transformation': variables,
    'run-shared-pipeline': variables,
    'update-scalar': { scalarsToUpdate: setValue },
    'remove-from-grid': { operation: [otherWord('negation', { In: ['Not In'], 'Not In': ['In'] })] },
};

// EXTERNAL MODULE: ./lib/pipelines/model/component.js
var component = __webpack_require__(9440);
;// CONCATENATED MODULE: ./flows/mutation/faults/transition-faults.js



const withoutTransition = ({ node, path }) => component/* transitionKinds */.LV.flatMap((on) => {
    const list = (0,yaml_node/* childOf */.GG)(node, on);
    if (list?.kind !== 'list')
        return [];
    const isOnlyWay = list.items.length === 1 && (on === 'success' || on === 'unconditional');
    if (isOnlyWay)
        return [];
    return list.items.flatMap((item, index) => {
        const to = (0,yaml_node/* textOf */.b6)(item);
        if (to === undefined)
            return [];
        return [
            {
                kind: 'left-out-transition',
                before: shownWords(`${on}: ${to}`),
                after: '',
                changes: [{ path: [...path, on], without: index }],
                at: item,
                context: '',
                transition: { on, to },
            },
        ];
    });
});
const swappedBranches = ({ node, path }) => {
    const [yes, no] = [(0,yaml_node/* childOf */.GG)(node, 'true'), (0,yaml_node/* childOf */.GG)(node, 'false')];
    const [first, ...moreOfTrue] = (0,yaml_node/* itemsOf */.S3)(yes);
    const [second, ...moreOfFalse] = (0,yaml_node/* itemsOf */.S3)(no);
    const [ofTrue, ofFalse] = [(0,yaml_node/* textOf */.b6)(first), (0,yaml_node/* textOf */.b6)(second)];
    const isSingle = moreOfTrue.length + moreOfFalse.length === 0 && yes?.kind === 'list' && no?.kind === 'list';
    if (!isSingle || first === undefined || ofTrue === undefined || ofFalse === undefined || ofTrue === ofFalse)
        return [];
    return [
        {
            kind: 'swapped-branches',
            before: shownWords(`true: ${ofTrue}, false: ${ofFalse}`),
            after: shownWords(`true: ${ofFalse}, false: ${ofTrue}`),
            changes: [
                { path: [...path, 'true', 0], text: ofFalse },
                { path: [...path, 'false', 0], text: ofTrue },
            ],
            at: first,
            context: '',
        },
    ];
};

;// CONCATENATED MODULE: ./lib/yaml/compare-values.js
function isSameValue(a, b) {
    return differsOnlyAt(a, b, () => false);
}
function differsOnlyAt(before, after, isAllowed, path = []) {
    if (isAllowed(path, after))
        return true;
    const inside = (a, b, step) => differsOnlyAt(a, b, isAllowed, [...path, step]);
    if (before === undefined || after === undefined)
        return before === after;
    if (before.kind === 'scalar')
        return after.kind === 'scalar' && before.text === after.text && Object.is(before.value, after.value);
    if (before.kind === 'list')
        return (after.kind === 'list' &&
            before.items.length === after.items.length &&
            before.items.every((item, index) => inside(item, after.items[index], index)));
    if (after.kind !== 'map' || before.entries.size !== after.entries.size)
        return false;
    const keys = [...after.entries.keys()];
    return [...before.entries].every(([key, { value }], index) => keys[index] === key && inside(value, after.entries.get(key)?.value, key));
}

// EXTERNAL MODULE: ./lib/yaml/edit-scalar.js
var edit_scalar = __webpack_require__(1354);
;// CONCATENATED MODULE: ./flows/mutation/faults/yaml-change.js






function editsOf(source, changes) {
    const editLists = [];
    for (const change of changes) {
        const own = editsOfOne(source, change);
        if (own === undefined)
            return undefined;
        editLists.push(own);
    }
    const edits = editLists.flat();
    const isSure = changes.every((change, index) => isReadAlone(source, change, editLists[index] ?? []));
    return isSure || isReadAsChanged(source, changes, edits) ? edits : undefined;
}
function isReadAlone(source, change, edits) {
    const node = (0,read_yaml/* entryAt */._)(source.root, change.path)?.value;
    if (node === undefined || 'key' in change || 'list' in change)
        return false;
    if (change.path.some((_, index) => (0,yaml_node/* isShared */.yM)((0,read_yaml/* entryAt */._)(source.root, change.path.slice(0, index))?.value)))
        return false;
    if ('without' in change)
        return node.kind === 'list' && !hasShared(node);
    if (node.kind !== 'scalar')
        return false;
    const written = source.text.slice(node.start, node.end);
    const isPlainWord = 'text' in change && /^[\w./ -]*$/.test(written);
    if (!isPlainWord && !/^["']/.test(written))
        return false;
    const moved = edits.map(({ start, end, text }) => ({
        start: start - node.start,
        end: end - node.start,
        text,
    }));
    const { root, problems } = (0,read_yaml/* readYaml */.g)(`v: ${withEdits(written, moved)}`, { file: source.file });
    const value = (0,yaml_node/* childOf */.GG)(root, 'v');
    return problems.length === 0 && value?.kind === 'scalar' && value.text === textAfter(node, change);
}
function hasShared(node) {
    if ((0,yaml_node/* isShared */.yM)(node))
        return true;
    if (node.kind === 'list')
        return node.items.some(hasShared);
    return (node.kind === 'map' &&
        [...node.entries.values()].some(({ key, value }) => (0,yaml_node/* isShared */.yM)(key) || hasShared(value)));
}
function isReadAsChanged(source, changes, edits) {
    const expected = changes.reduce((root, change) => root &&
        ('key' in change
            ? replaceAt(root, change.path.slice(0, -1), (node) => yaml_change_renamed(node, change))
            : replaceAt(root, change.path, (node) => changed(node, change, source))), source.root);
    const after = (0,read_yaml/* readYaml */.g)(withEdits(source.text, edits), { file: source.file });
    return after.problems.length === 0 && isSameValue(expected, after.root);
}
function editsOfOne(source, change) {
    const entry = (0,read_yaml/* entryAt */._)(source.root, change.path);
    const node = entry?.value;
    if (node === undefined || (0,yaml_node/* isShared */.yM)(node) || (0,yaml_node/* isShared */.yM)(entry?.key))
        return undefined;
    if ('key' in change)
        return entry && [{ start: entry.key.start, end: entry.key.end, text: change.key }];
    if ('list' in change) {
        const text = `[${change.list.map((item) => (0,edit_scalar/* quoted */.T)(item, '"')).join(', ')}]`;
        return [{ start: node.start, end: node.end, text }];
    }
    if ('without' in change)
        return withoutItem(source, node, change.without);
    if (node.kind !== 'scalar')
        return undefined;
    if ('text' in change) {
        const { start, end } = node;
        if (isPlainNumber(node) && isNumber(change.text))
            return [{ start, end, text: change.text }];
        const text = (0,edit_scalar/* scalarEditor */.c)(source, node)(change.text)?.text;
        return text === undefined ? undefined : [{ start, end, text }];
    }
    const spanOf = spansIn(node, source);
    const quote = /^["']/.exec(source.text.slice(node.start, node.end))?.[0];
    const edits = [];
    for (const part of change.parts) {
        const span = spanOf(part.start, part.end);
        if (span === undefined)
            return undefined;
        const text = quote === undefined ? part.text : (0,edit_scalar/* quoted */.T)(part.text, quote).slice(1, -1);
        edits.push({ ...span, text: part.text === '' ? '' : text });
    }
    return edits;
}
const knownSpans = new WeakMap();
function spansIn(node, source) {
    const spanOf = knownSpans.get(node) ?? (0,engine/* writtenSpans */.v5)(node, source);
    knownSpans.set(node, spanOf);
    return spanOf;
}
function isPlainNumber(node) {
    return typeof node.value === 'number' && isNumber(node.text);
}
function isNumber(text) {
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
}
function withoutItem({ text }, list, index) {
    if (list.kind !== 'list')
        return undefined;
    const [item, before, next] = [list.items[index], list.items[index - 1], list.items[index + 1]];
    if (item === undefined || (0,yaml_node/* isShared */.yM)(item))
        return undefined;
    if (text[list.start] === '[') {
        if (next !== undefined)
            return [{ start: item.start, end: next.start, text: '' }];
        return [{ start: before?.end ?? item.start, end: item.end, text: '' }];
    }
    const lineStart = text.lastIndexOf('\n', item.start) + 1;
    if (!/^ *- *$/.test(text.slice(lineStart, item.start)))
        return undefined;
    const end = item.end > lineStart ? text.indexOf('\n', Math.max(item.end - 1, item.start)) : -1;
    return [{ start: lineStart, end: end < 0 ? text.length : end + 1, text: '' }];
}
function yaml_change_renamed(node, { path, key }) {
    if (node.kind !== 'map')
        return node;
    const old = String(path.at(-1));
    return {
        ...node,
        entries: new Map([...node.entries].map(([name, entry]) => [name === old ? key : name, entry])),
    };
}
function changed(node, change, { text: file }) {
    if ('list' in change) {
        const { start, end } = node;
        const items = change.list.map((text) => ({ kind: 'scalar', value: text, text, start, end }));
        return { kind: 'list', items, start, end };
    }
    if ('without' in change) {
        if (node.kind !== 'list')
            return node;
        const items = node.items.filter((_, index) => index !== change.without);
        if (items.length > 0 || file[node.start] === '[')
            return { ...node, items };
        return { kind: 'scalar', value: null, text: '', start: node.start, end: node.end };
    }
    if (node.kind !== 'scalar')
        return node;
    const text = textAfter(node, change);
    return { ...node, text, value: isPlainNumber(node) && isNumber(text) ? Number(text) : text };
}
function textAfter({ text }, change) {
    return 'text' in change ? change.text : withEdits(text, change.parts);
}
function replaceAt(root, path, replace) {
    const [step, ...rest] = path;
    if (step === undefined)
        return replace(root);
    if (root.kind === 'list')
        return {
            ...root,
            items: root.items.map((item, index) => index === Number(step) ? replaceAt(item, rest, replace) : item),
        };
    if (root.kind === 'scalar')
        return root;
    return {
        ...root,
        entries: new Map([...root.entries].map(([key, entry]) => [
            key,
            key === String(step) ? { ...entry, value: replaceAt(entry.value, rest, replace) } : entry,
        ])),
    };
}

;// CONCATENATED MODULE: ./flows/mutation/faults/file-faults.js









function pipelineFaults(document, kind) {
    if (document.problems.length > 0)
        return [];
    const known = new Map();
    return [...document.components.values()]
        .filter(({ skipped }) => !skipped)
        .flatMap((component) => partsOf(component, document, kind))
        .flatMap(({ part, name, find }) => find(part).flatMap((fault) => placed(fault, { part, name, known }) ?? []))
        .toSorted((a, b) => a.line - b.line || a.column - b.column);
}
function sqlFileFaults(file, text, kind) {
    const script = readSql(text.replace(/^\u{feff}/u, ' '), kind, { isExpression: false });
    if (script === undefined)
        return [];
    const lines = new text_position/* LineIndex */.r(text);
    const known = new Map();
    return sqlFaults(script).map(({ kind: faultKind, before, after, edits, at }) => {
        const context = aroundOf(text, at);
        const id = idOf([file, '', '', faultKind, before, after, context], known);
        const range = lines.range(at.start, at.end);
        return { id, file, component: undefined, part: '', kind: faultKind, before, after, edits, ...range };
    });
}
function partsOf(component, document, kind) {
    const base = ['pipeline', 'components', component.name];
    const named = (name, node, path, find) => node === undefined
        ? []
        : find.map((each) => ({ part: { document, component, kind, path, node }, name, find: each }));
    const parameters = Object.entries(componentFaults[component.type] ?? {}).flatMap(([name, find]) => {
        if (!isUsed(component, name))
            return [];
        const isSources = name === 'sources';
        const node = isSources ? component.node(name) : component.parameter(name);
        return named(name, node, [...base, ...(isSources ? [] : ['parameters']), name], find);
    });
    const transitions = [withoutTransition, ...(component.type === 'if' ? [swappedBranches] : [])];
    return [
        ...parameters,
        ...named('transitions', component.node('transitions'), [...base, 'transitions'], transitions),
    ];
}
const ofQueries = new Set(['query-to-scalar', 'query-to-grid', 'table-iterator']);
function isUsed(component, name) {
    const textOf = (key) => component.text(key)?.trim().toLowerCase() ?? '';
    if (component.type === 'sql-executor')
        return textOf('scriptLocation') !== 'file';
    if (component.type === 'if')
        return (name === 'condition1') === (textOf('mode') === 'advanced');
    if (!ofQueries.has(component.type))
        return true;
    return (name === 'query') === (textOf('mode') !== 'basic');
}
function placed(fault, { part, name, known }) {
    const { document, component } = part;
    const { source, path: file } = document;
    const edits = editsOf(source, fault.changes);
    const range = edits === undefined ? undefined : rangeOf(fault, part);
    if (edits === undefined || range === undefined)
        return undefined;
    const { kind, before, after, transition, context } = fault;
    const id = idOf([file, component.name, name, kind, before, after, context], known);
    return {
        id,
        file,
        component: component.name,
        part: name,
        kind,
        before,
        after,
        transition,
        edits,
        ...range,
    };
}
function rangeOf({ at }, { document: { source } }) {
    if (!('path' in at))
        return source.toRange(at);
    const node = (0,read_yaml/* entryAt */._)(source.root, at.path)?.value;
    const span = node?.kind === 'scalar' ? spansIn(node, source)(at.start, at.end) : undefined;
    return span && source.toRange(span);
}
function idOf(parts, known) {
    const key = JSON.stringify(parts);
    const count = known.get(key) ?? 0;
    known.set(key, count + 1);
    const digest = (0,external_node_crypto_.createHash)('sha256').update(count === 0 ? key : `${key}${count}`);
    return BigInt(`0x${digest.digest('hex')}`)
        .toString(36)
        .slice(-6);
}

;// CONCATENATED MODULE: ./flows/mutation/run/mutants.js








function mutants_changeableFiles(project) {
    const pipelines = project.pipelines.filter((file) => !project.isHidden(file));
    const scripts = pipelines.flatMap((file) => {
        const document = readable(() => project.pipeline(file));
        if (document === undefined || document.problems.length > 0)
            return [];
        return (0,missing_file/* scriptFacts */.Xp)(document).flatMap(({ path, isSql }) => isSql === true && path !== undefined && project.has(path) ? [path] : []);
    });
    return [...new Set([...pipelines, ...scripts])].toSorted(compare_texts/* compareTexts */.q);
}
function mutants_faultsOf(file, project) {
    if ((0,pipeline_kind/* kindOf */.I)(file) === undefined) {
        const text = readable(() => project.text(file));
        return text === undefined ? [] : sqlFileFaults(file, text, project.kind);
    }
    const document = readable(() => project.pipeline(file));
    return document === undefined ? [] : pipelineFaults(document, project.kind);
}
function runnersOf(file, project) {
    return project.pipelines.flatMap((pipeline) => {
        const document = readable(() => project.pipeline(pipeline));
        if (document === undefined || document.problems.length > 0)
            return [];
        return (0,missing_file/* scriptFacts */.Xp)(document).flatMap(({ path, component }) => path === file ? [`${pipeline}#${component}`] : []);
    });
}
function mutantText({ file, edits }, project) {
    const text = (0,pipeline_kind/* kindOf */.I)(file) === undefined ? project.text(file) : project.pipeline(file)?.source.text;
    return withEdits(text ?? '', edits);
}
function mutants_mutantProject(fault, project) {
    return overlayProject(project, {
        contents: new Map([[fault.file, Buffer.from(mutantText(fault, project))]]),
    });
}
function inSeededOrder(faults, seed) {
    const keyed = faults.map((fault) => ({
        fault,
        key: (0,external_node_crypto_.createHash)('sha256').update(`${seed}:${fault.id}`).digest('hex'),
    }));
    return keyed.toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.key, b.key)).map(({ fault }) => fault);
}

// EXTERNAL MODULE: ./lib/pipelines/model/graph.js
var graph = __webpack_require__(8223);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/declared-tables.js
var declared_tables = __webpack_require__(3494);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/unknown-names.js
var unknown_names = __webpack_require__(9541);
;// CONCATENATED MODULE: ./flows/mutation/run/may-reach.js





function mayReach(files, project) {
    const targets = new Set(files.flatMap((file) => ((0,pipeline_kind/* kindOf */.I)(file) === undefined ? runners(file, project) : [file])));
    const known = new Map();
    return ({ document }) => {
        const before = known.get(document.path);
        if (before !== undefined)
            return before;
        const may = [...targets].some((path) => path === document.path || !(0,unknown_names/* neverCalls */.OH)(document, path, project));
        known.set(document.path, may);
        return may;
    };
}
function runners(file, project) {
    return project.pipelines.filter((path) => {
        const components = readable(() => project.pipeline(path))?.components.values() ?? [];
        return [...components].some((component) => {
            const written = (0,yaml_node/* textOf */.b6)(component.parameter('fileName')) ?? '';
            return written.includes('${') || (0,missing_file/* scriptPath */.VA)(written) === file;
        });
    });
}

// EXTERNAL MODULE: ./flows/pipeline-tests/files/planned-test.js + 1 modules
var planned_test = __webpack_require__(9015);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/trace-reads.js
var trace_reads = __webpack_require__(4243);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/count-processes.js
var count_processes = __webpack_require__(7239);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/plan-file.js
var plan_file = __webpack_require__(1196);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-test.js + 3 modules
var run_test = __webpack_require__(7931);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-planned.js + 1 modules
var run_planned = __webpack_require__(5787);
;// CONCATENATED MODULE: ./flows/mutation/run/reach.js













async function reach_reachOf(request, context) {
    const { project, files, filter, jobs, packages, changed } = request;
    const isAsked = changed === undefined ? () => true : mayReach(changed, project);
    const declared = (0,declared_tables/* declaredTables */.W)(project);
    const problems = [];
    const due = [];
    const readFiles = new Set();
    let planCount = 0;
    for (const path of files) {
        const planned = await (0,test_problem/* collectProblems */.vX)(problems, () => (0,plan_file/* planFile */.e)(path, project, { filter, packages }));
        planCount += planned?.length ?? 0;
        due.push(...(planned?.filter(isAsked) ?? []));
    }
    if (planCount + problems.length === 0)
        throw (0,run_tests/* noTest */.wC)(request);
    const processes = (0,count_processes/* countProcesses */.tI)(due.length, { jobs, project }, context);
    const python = (0,count_processes/* sharedPython */.UU)(context.python, processes);
    const common = (0,run_test/* testSetting */.ZL)(project, { ...context, python });
    const settings = new Map();
    const texts = new Map();
    for (const test of due) {
        const traced = (0,trace_reads/* traceReads */.vu)(project, declared);
        settings.set(test, { ...common, project: traced.project, declared: traced.declared });
        texts.set(test, traced.reads.texts.keys());
    }
    const ran = new Map();
    const note = (test, called, reached) => ran.set(test, reach_partsOf(test, { called, reached }, project));
    const results = await (0,run_planned/* runPlanned */.i)(due, {
        jobs,
        project,
        packages,
        processes,
        python,
        coverage: undefined,
        settingOf: (test) => settings.get(test) ?? common,
        onRun: (test, run) => note(test, run.called, (0,coverage/* reachedBy */.Kg)(run)),
        onTrace(test, trace) {
            texts.set(test, trace.texts);
            note(test, trace.called, trace.reached);
        },
    });
    const leadsToJoin = joinFinder(project);
    const tests = [];
    const failed = [];
    for (const planned of due) {
        const result = results.get(planned);
        const read = new Set(texts.get(planned));
        for (const file of read)
            readFiles.add(file);
        if (result instanceof engine/* FileProblems */.jq)
            problems.push(...result.problems);
        else if (result?.status === 'passed')
            tests.push(reachingTest(planned, { texts: read, parts: ran.get(planned), leadsToJoin }));
        else if (result !== undefined)
            failed.push(failedTest(result));
    }
    return { tests, failed, problems: (0,test_problem/* sortedProblems */.ET)(problems), declared, files: readFiles };
}
function failedTest({ file, line, name, status }) {
    return { file, line, name, status: status === 'refused' ? status : 'failed' };
}
function reach_partsOf({ test, document }, { called, reached }, project) {
    const mocked = test.mocks.flatMap(({ name }) => {
        const target = (0,planned_test/* findComponent */.Tn)(name.text, document, project);
        return target === undefined ? [] : [(0,coverage/* keyOf */.TN)(target.path, target.component)];
    });
    return {
        called: new Set(called),
        ran: new Set(reached.components),
        mocked: new Set(mocked),
        transitions: new Set(reached.transitions),
    };
}
function joinFinder(project) {
    const known = new Map();
    return (pipeline, component) => {
        const key = (0,coverage/* keyOf */.TN)(pipeline, component);
        const before = known.get(key);
        if (before !== undefined)
            return before;
        const components = project.pipeline(pipeline)?.components;
        const seen = (0,graph/* reachable */.G)([component], (name) => (components?.get(name)?.transitions ?? []).map(({ to }) => to));
        const leads = [...seen].some((name) => name !== component && components?.get(name)?.type === 'and');
        known.set(key, leads);
        return leads;
    };
}
function reachingTest(planned, { texts, parts, leadsToJoin, }) {
    return {
        planned,
        reaches({ file, component, part, transition }) {
            if (component === undefined)
                return texts.has(file);
            const key = (0,coverage/* keyOf */.TN)(file, component);
            const isRun = parts?.ran.has(key) === true;
            if (part !== 'transitions')
                return isRun && !parts.mocked.has(key);
            const isTaken = transition === undefined
                ? isRun
                : parts?.transitions.has((0,coverage/* keyOf */.TN)(file, component, transition.on, transition.to)) === true;
            return isTaken || (parts?.called.has(file) === true && leadsToJoin(file, component));
        },
    };
}

// EXTERNAL MODULE: ./lib/core/ports/ports.js
var ports = __webpack_require__(6190);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/open-test-warehouse.js
var open_test_warehouse = __webpack_require__(8953);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-in-process.js
var run_in_process = __webpack_require__(9149);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-until-failed.js
var run_until_failed = __webpack_require__(464);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/together.js
var together = __webpack_require__(3339);
;// CONCATENATED MODULE: ./flows/mutation/run/try-changes.js
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










async function tryChanges(due, { project, jobs, packages, declared, progress = ports/* silentProgress */.R, isOver }, context) {
    const trials = new Map();
    const stepSize = Math.ceil(due.length / 20);
    const note = ({ fault, tests }, end) => {
        trials.set(fault, trialOf(end, tests));
        if (trials.size % stepSize === 0)
            progress.step(`Tried ${trials.size} of ${(0,number_of/* numberOf */.r)(due.length, 'change')}`);
    };
    const waiting = due.values();
    const take = () => (isOver() ? undefined : waiting.next().value);
    const processes = (0,count_processes/* countProcesses */.tI)(due.length, { jobs, project }, context);
    const python = (0,count_processes/* sharedPython */.UU)(context.python, processes);
    const setting = { ...(0,run_test/* testSetting */.ZL)(project, { ...context, python }), declared };
    const atOnce = (0,count_processes/* atOnceInEach */.ZJ)(processes, { jobs, tests: due.length });
    const lane = (signal) => async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const warehouse = __addDisposableResource(env_1, await (0,open_test_warehouse/* openTestWarehouse */.W)(project, packages), true);
            for (let change = take(); change !== undefined; change = take()) {
                signal.throwIfAborted();
                note(change, await endOf(change, project, { warehouse, setting }));
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
    const others = (0,count_processes/* jobSettings */.bJ)(processes, { project, python, packages, atOnce });
    await (0,together/* together */.b)(context.signal, (signal) => [
        ...Array.from({ length: atOnce }, () => lane(signal)),
        ...others.map((other) => () => (0,run_in_process/* runInProcess */.m)(changeQueue(take, project), {
            setting: other,
            signal,
            onEnded(change, { trial, problems }) {
                if (trial === undefined)
                    throw (0,test_problem/* testFailure */.t)(problems ?? []);
                note(change, trial);
            },
        })),
    ]);
    return trials;
}
async function tryChange(change, project, running) {
    return trialOf(await endOf(change, project, running), change.tests);
}
async function endOf({ fault, tests }, project, running) {
    const planned = tests.map((test) => test.planned);
    return (0,run_until_failed/* runUntilFailed */.D)(planned, new Map([[fault.file, mutantText(fault, project)]]), running);
}
function changeQueue(take, project) {
    return {
        takeWork() {
            const change = take();
            if (change === undefined)
                return undefined;
            const { fault, tests } = change;
            const changed = [[fault.file, mutantText(fault, project)]];
            const named = tests.map(({ planned }) => ({ file: planned.file.file, name: planned.test.name }));
            return {
                items: [change],
                orderOf: ([id = 0]) => ({ kind: 'try', trial: { id, changed, tests: named } }),
            };
        },
        describe(changes) {
            const [first] = changes;
            const places = changes.map(({ fault: { file, line, id } }) => `${file}:${line} (${id})`).join(', ');
            return {
                what: `these changes were tried: ${places}`,
                ...(first === undefined ? {} : { where: { file: first.fault.file, line: first.fault.line } }),
            };
        },
    };
}
function trialOf(end, tests) {
    if (end.verdict === 'passed')
        return { verdict: 'not-noticed' };
    if (end.verdict === 'refused')
        return end;
    const planned = tests[end.test]?.planned;
    if (planned === undefined)
        throw new Error('no test has this index');
    return { verdict: 'noticed', noticedBy: noticeOf(planned, end.by) };
}
function noticeOf({ file, test }, by) {
    return { file: file.file, line: test.place.line, name: test.name, by };
}

;// CONCATENATED MODULE: ./flows/mutation/run/mutate.js




async function mutate(request, context) {
    const { project, seed, max, budgetMs, equal } = request;
    const start = context.clock.now();
    const reach = await reach_reachOf(request, context);
    request.onReach?.((fault) => reachingTests(fault, reach));
    const all = faultsIn(request, reach);
    const marks = new Map(equal.map((mark) => [markKey(mark.file, mark.change), mark]));
    const testsOf = new Map(all.map((fault) => [fault, reachingTests(fault, reach)]));
    const reached = all.filter((fault) => !marks.has(markKey(fault.file, fault.id)) && (testsOf.get(fault)?.length ?? 0) > 0);
    const isSample = max !== undefined || budgetMs !== undefined;
    const ordered = isSample ? inSeededOrder(reached, seed) : reached;
    const due = ordered.slice(0, max).map((fault) => ({ fault, tests: testsOf.get(fault) ?? [] }));
    const isOver = () => budgetMs !== undefined && context.clock.now() - start >= budgetMs;
    const trials = await tryChanges(due, { ...request, declared: reach.declared, isOver }, context);
    const reachedSet = new Set(reached);
    const componentOf = componentFinder(project);
    const changes = all.flatMap((fault) => {
        const mark = marks.get(markKey(fault.file, fault.id));
        const about = resultOf(fault, componentOf(fault), testsOf.get(fault)?.length ?? 0);
        if (mark !== undefined)
            return [{ ...about, verdict: 'equal', reason: mark.reason }];
        if (!reachedSet.has(fault))
            return [{ ...about, verdict: 'not-reached' }];
        const trial = trials.get(fault);
        if (trial === undefined)
            return [];
        if (trial.verdict === 'refused')
            return [{ ...about, verdict: 'refused', reason: trial.message }];
        return [{ ...about, ...trial }];
    });
    const count = (verdict) => changes.filter((change) => change.verdict === verdict).length;
    const [noticed, notNoticed] = [count('noticed'), count('not-noticed')];
    const tried = noticed + notNoticed;
    return {
        seed,
        noticed,
        notNoticed,
        notReached: count('not-reached'),
        refused: count('refused'),
        equal: count('equal'),
        notTried: { byMax: reached.length - due.length, byBudget: due.length - trials.size },
        percent: tried === 0 ? null : Math.floor((noticed * 100) / tried),
        changes,
        tests: reach.tests.length,
        failed: reach.failed,
        unusedMarks: unusedMarks(request),
        ...(reach.problems.length > 0 && { problems: reach.problems }),
    };
}
async function findMutant(id, request, context) {
    const { project } = request;
    const found = changeableFiles(project)
        .flatMap((file) => faultsOf(file, project))
        .filter((fault) => fault.id.startsWith(id.toLowerCase()));
    const [fault, ...others] = found;
    if (fault === undefined || others.length > 0)
        return undefined;
    const reach = await reachOf({ ...request, changed: [fault.file] }, context);
    return { fault, project: mutantProject(fault, project), tests: reachingTests(fault, reach) };
}
function reachingTests(fault, { tests }) {
    const reaching = tests.filter((test) => test.reaches(fault));
    const isOwn = ({ planned }) => planned.document.path === fault.file;
    return [...reaching.filter(isOwn), ...reaching.filter((test) => !isOwn(test))];
}
function faultsIn({ project, changed, isChosen = () => true, isOnlyRead = false }, reach) {
    const all = changed ?? mutants_changeableFiles(project).filter((file) => !isOnlyRead || reach.files.has(file));
    return [...new Set(all)]
        .toSorted(compare_texts/* compareTexts */.q)
        .flatMap((file) => mutants_faultsOf(file, project))
        .filter(isChosen);
}
function markKey(file, change) {
    return JSON.stringify([file, change]);
}
function unusedMarks({ project, equal }) {
    return [...Map.groupBy(equal, ({ file }) => file)]
        .flatMap(([file, marks]) => {
        const ids = new Set(project.has(file) ? mutants_faultsOf(file, project).map(({ id }) => id) : []);
        return marks.filter(({ change }) => !ids.has(change));
    })
        .toSorted((a, b) => (0,compare_texts/* compareTexts */.q)(a.file, b.file) || (0,compare_texts/* compareTexts */.q)(a.change, b.change));
}
function componentFinder(project) {
    const runners = new Map();
    return ({ file, component }) => {
        if (component !== undefined)
            return component;
        if (!runners.has(file))
            runners.set(file, runnersOf(file, project)[0]);
        return runners.get(file);
    };
}
function resultOf({ id, file, part, kind, before, after, line, column, endLine, endColumn }, component, tests) {
    const place = { line, column, endLine, endColumn };
    return { id, file, component, part, kind, before, after, ...place, tests };
}

// EXTERNAL MODULE: ./lib/git/work-tree/work-copy.js + 2 modules
var work_copy = __webpack_require__(8859);
// EXTERNAL MODULE: ./actions/kit/checkout/find-base.js
var find_base = __webpack_require__(4108);
;// CONCATENATED MODULE: ./actions/test/plant-changes.js










const seed = 1;
async function plantChanges(target, request, step) {
    const isMergeable = target.kind === 'pull-request' || target.kind === 'merge-group';
    if (!request.inputs.mutate || !isMergeable)
        return undefined;
    try {
        return await plant(target, request, step);
    }
    catch (error) {
        if (!(error instanceof failure/* Failure */.HR) || step.context.signal.aborted)
            throw error;
        return { failure: error };
    }
}
async function plant(target, { inputs, equal, ...tests }, step) {
    const { context, environment } = step;
    const { signal } = context;
    const { project } = tests;
    const opened = await (0,checkout_project/* openProject */.U8)(step, inputs['working-directory']);
    const { repository, directory, path } = opened;
    const base = await (0,find_base/* findBase */.l)(target, {
        inputBase: undefined,
        checkedOut: await (0,checked_out_commit/* readCheckedOutCommit */.$q)(target, repository, signal),
        repository,
        connection: undefined,
        fetch: { directory: path, environment, signal },
    });
    if ('reason' in base)
        return { note: 'No changes were planted, because the commit to compare with is not known.' };
    const atBase = await (0,base_project/* projectAtBase */._f)(project, {
        repository,
        workTree: await (0,work_copy/* openWorkCopy */.p)(path, 'working-tree', { environment, signal }),
        directory,
        commit: base.commit,
        name: base.commit,
        isFork: false,
        signal,
    });
    const changed = mutants_changeableFiles(project).filter((file) => atBase.changed.has(file));
    if (changed.length === 0)
        return { note: 'No changes were planted, because the pull request changes no pipeline and no SQL.' };
    step.log(`Planting changes into the changed components of ${(0,number_of/* numberOf */.r)(changed.length, 'file')}.`);
    const marks = await marksAt(base.commit, opened, equal);
    const report = await mutate({
        ...tests,
        changed,
        isChosen: isInChange(atBase, project),
        seed,
        max: inputs['mutate-max'],
        budgetMs: inputs['mutate-budget'],
        equal: marks.equal,
    }, context);
    const unusedMarks = report.unusedMarks.filter((mark) => equal.some((own) => isSameMark(own, mark)));
    return { report: { ...report, unusedMarks }, ...(marks.note !== undefined && { note: marks.note }) };
}
async function marksAt(commit, project, own) {
    try {
        const config = await (0,checkout_project/* readConfigAt */["in"])(project, commit);
        if (config === undefined)
            return { equal: own };
        const { equal } = config.mutation;
        const added = own.filter((mark) => !equal.some((known) => isSameMark(known, mark))).length;
        if (added === 0)
            return { equal };
        const verb = added === 1 ? 'does' : 'do';
        const note = `${(0,number_of/* numberOf */.r)(added, 'mark')} of mutation.equal in millrace.yaml ${verb} not count yet: the base lacks ${added === 1 ? 'it' : 'them'}.`;
        return { equal, note };
    }
    catch (error) {
        if (!(error instanceof failure/* Failure */.HR) || error.code !== 'config-invalid')
            throw error;
        const note = `The millrace.yaml of the base is invalid, so mutation.equal of this change applies. ${error.message}`;
        return { equal: own, note };
    }
}
function isSameMark(a, b) {
    return a.file === b.file && a.change === b.change;
}

// EXTERNAL MODULE: ./flows/data-graph/snapshot/snapshot-of.js + 6 modules
var snapshot_of = __webpack_require__(2033);
// EXTERNAL MODULE: ./flows/snapshot/read-snapshot.js + 1 modules
var read_snapshot = __webpack_require__(5870);
// EXTERNAL MODULE: ./actions/kit/releases/snapshot-file.js
var snapshot_file = __webpack_require__(8012);
;// CONCATENATED MODULE: ./actions/test/tested-snapshot.js





async function snapshotFile(graph, commit, workingDirectory, step) {
    const { repository, directory } = await (0,checkout_project/* openProject */.U8)(step, workingDirectory);
    const tree = await repository.treeOf(commit, { signal: step.context.signal });
    try {
        return { name: (0,snapshot_file/* snapshotFileName */.U)({ tree, directory }), text: (0,read_snapshot/* writeSnapshot */.oF)((0,snapshot_of/* snapshotOf */.e)(graph)) };
    }
    catch (error) {
        if (!(error instanceof failure/* Failure */.HR) || error.code !== 'snapshot-invalid')
            throw error;
        step.log(error.message);
        return undefined;
    }
}

// EXTERNAL MODULE: ./lib/core/files/read-text-file.js
var read_text_file = __webpack_require__(6900);
// EXTERNAL MODULE: ./actions/kit/releases/evidence-inputs.js
var evidence_inputs = __webpack_require__(7724);
;// CONCATENATED MODULE: ./actions/test/tests-fact.js





const count = schemas/* int */.Whr().nonnegative();
const mutationSchema = schemas/* object */.Ikc({ noticed: count, notNoticed: count });
async function readMutationScore(file, { facts }) {
    try {
        const value = JSON.parse(await (0,read_text_file/* readTextFile */.G)((0,external_node_path_.resolve)(facts.workspace, file), file));
        const { noticed, notNoticed } = mutationSchema.parse(value);
        return { noticed, total: noticed + notNoticed };
    }
    catch (cause) {
        throw new failure/* Failure */.HR('usage', {
            message: `The file ${file} is not the report of \`millrace test --mutate\`.`,
            where: { input: 'mutation-report' },
            hint: 'Give the file that `millrace test --mutate --format json` printed, relative to the workspace.',
            cause,
        });
    }
}
function testsFact({ passed, failed, refused, coverage }, outcome, mutation) {
    const sum = (which) => (coverage?.pipelines ?? []).reduce((total, { components }) => total + components[which], 0);
    return {
        kind: 'tests',
        predicate: {
            outcome,
            tests: { passed, failed, refused },
            coverage: coverage === undefined ? undefined : { covered: sum('reached'), total: sum('all') },
            mutation: mutation === undefined ? undefined : { noticed: mutation.noticed, total: mutation.total },
        },
    };
}
async function signTests({ report, result, planted }, about, inputs, step) {
    const file = inputs['mutation-report'];
    const { noticed = 0, notNoticed = 0 } = planted !== undefined && 'report' in planted ? planted.report : {};
    const ofStep = noticed + notNoticed === 0 ? undefined : { noticed, total: noticed + notNoticed };
    const mutation = file === undefined ? ofStep : await readMutationScore(file, step);
    const outcome = result.report.outcome === 'passed' ? 'passed' : 'failed';
    const signed = await (0,evidence_inputs/* signChecked */.TF)(testsFact(report, outcome, mutation), about, inputs, step);
    return { ...result, report: { ...result.report, notes: [...result.report.notes, ...signed] } };
}

;// CONCATENATED MODULE: ./actions/test/run-project-tests.js






























async function runProjectTests(inputs, step) {
    (0,checked_out_commit/* refusePullRequestTarget */.cq)(step.facts);
    const target = (0,event_target/* readCheckTarget */.Mm)(step.facts, { commit: inputs.commit });
    if (target === undefined)
        return nothingToTest;
    const { filter, jobs = default_jobs/* defaultJobs */.yV, coverage } = inputs;
    const { project, files, prefix, config } = await (0,checked_out_tests/* openCheckedOutTests */.j)(inputs['working-directory'], inputs.files, step);
    const tested = await describeTested(target, inputs, step);
    try {
        const packages = (0,external_node_path_.resolve)(step.facts.workspace, inputs.engine);
        const cache = (0,test_cache/* testCache */.x)(inputs.cache, packages, step);
        const request = { project, files, filter, jobs, withCoverage: coverage, packages, cache };
        const { signal } = step.context;
        const { report, settings, shard } = await resultsOf(request, { inputs, commit: tested.commit, prefix }, step);
        const isCompiled = inputs.compile !== 'off' && config.compile.enabled && shard === undefined;
        const graph = isCompiled ? await (0,bind_project/* bindProject */.Z)(project, { signal, packages }) : undefined;
        const compiled = graph && concludeCompile(compile(graph), compileSettings(project, config, step.context.clock));
        const hasPassed = report.problems === undefined && report.failed + report.refused === 0;
        const planted = hasPassed && shard === undefined
            ? await plantChanges(target, { ...request, inputs, equal: config.mutation.equal }, step)
            : undefined;
        const chosen = (0,report_key/* describeSettings */.TR)(settings);
        const notes = [
            ...tested.notes,
            ...(chosen === '' ? [] : [`Only some tests were chosen: ${chosen}.`]),
            ...(shard === undefined ? [] : [shard.note]),
            ...(planted !== undefined && 'note' in planted && planted.note !== undefined ? [planted.note] : []),
        ];
        const result = run_project_tests_resultOf(report, {
            prefix,
            commit: tested.commit,
            notes,
            compiled,
            onlyWarns: inputs.compile === 'warn',
            mutation: planted !== undefined && 'report' in planted ? planted.report : undefined,
            threshold: inputs['mutate-threshold'],
            blob: shard?.blob,
            snapshot: graph && tested.isClean
                ? await snapshotFile(graph, tested.commit, inputs['working-directory'], step)
                : undefined,
        }, step);
        if (planted !== undefined && 'failure' in planted)
            return { ...result, failure: planted.failure };
        const isWhole = shard === undefined && chosen === '' && tested.isClean && report.problems === undefined;
        if (isWhole && inputs['evidence-key'] !== undefined) {
            const { repository } = await (0,checkout_project/* openProject */.U8)(step, inputs['working-directory']);
            const about = { repository, commit: tested.commit, pullRequest: target.pullRequest };
            return await signTests({ report, result, planted }, about, inputs, step);
        }
        if (report.problems === undefined)
            return result;
        if (shard === undefined)
            annotateFindings(report, prefix, step);
        const command = shard === undefined ? step.command : () => { };
        return { ...result, failure: (0,test_failures/* invalidTests */.B)((0,test_problem/* testFailure */.t)(report.problems), prefix, { command }) };
    }
    catch (error) {
        throw (0,test_failures/* explainTestFailure */.A)(error, prefix, step);
    }
}
async function resultsOf(request, { inputs, commit, prefix }, step) {
    const { shard, durations, blobs } = inputs;
    if (blobs !== undefined) {
        step.log(`Merging the shards of the folder ${blobs}.`);
        const { report, settings } = await mergeFolder(blobs, { commit, project: prefix }, step);
        const { files = '', filter = '' } = settings;
        return { report, settings: { files: files.split('\n').filter((file) => file !== ''), filter } };
    }
    const { filter = '', files, jobs, withCoverage } = { ...request, files: inputs.files };
    const settings = { files, filter };
    step.log(`Running the tests of ${(0,number_of/* numberOf */.r)(request.files.length, 'file')}, ${jobs} at a time.`);
    if (shard === undefined)
        return { report: await (0,run_tests/* runTests */.N$)(request, step.context), settings };
    const shardSettings = {
        commit,
        project: prefix,
        filter,
        files: files.join('\n'),
        python: 'false',
        coverage: String(withCoverage),
    };
    const run = await runShard(request, { shard, durations, settings: shardSettings }, step);
    return { report: run.report, settings, shard: run };
}
async function describeTested(target, inputs, step) {
    const decides = target.kind === 'pull-request' ||
        target.kind === 'merge-group' ||
        step.facts.eventName === 'push' ||
        inputs.commit !== undefined;
    try {
        const { repository } = await (0,checkout_project/* openProject */.U8)(step, inputs['working-directory']);
        const checkedOut = await (0,checked_out_commit/* readCheckedOutCommit */.$q)(target, repository, step.context.signal);
        if (decides) {
            (0,checked_out_commit/* refuseOtherCheckOut */.PZ)(checkedOut, target, { input: 'commit', otherwise: checked_out_commit/* otherCheckOut */.xg });
        }
        const { commit, description } = checkedOut;
        const { changed } = await repository.changedOnDisk({ signal: step.context.signal });
        const isClean = changed.length === 0;
        return {
            commit,
            isClean,
            notes: [`Tested: ${commit.slice(0, 12)}, ${description}${describeChanged(changed)}.`],
        };
    }
    catch (error) {
        const isUnknown = error instanceof failure/* Failure */.HR && error.code === 'git-failed' && !step.context.signal.aborted;
        if (decides || !isUnknown)
            throw error;
        return {
            commit: '',
            isClean: false,
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
function annotateFindings(report, prefix, { command }) {
    const { findings } = (0,report_report/* reportOfTests */.th)(report, { prefix });
    const left = Math.max(0, annotations/* maximumPerLevel */.en - (report.problems?.length ?? 0));
    for (const { severity, message, rule, file, line, column } of findings.slice(0, left))
        command((0,annotations/* annotationCommand */.jx)(severity, message, { file, line, column, title: rule }));
}
function run_project_tests_resultOf(report, { prefix, commit, notes, compiled, onlyWarns, mutation, threshold, blob, snapshot, }, { log }) {
    const ofTests = (0,report_report/* reportOfTests */.th)(report, { prefix, commit, notes });
    const withColumns = compiled === undefined ? ofTests : withCompiled(ofTests, compiled, { prefix, onlyWarns });
    const all = mutation === undefined ? withColumns : withMutation(withColumns, mutation, { prefix, threshold });
    const shown = blob === undefined ? all : { ...all, findings: [] };
    for (const line of (0,terminal/* terminalLines */.M)({ ...shown, facts: [], notes: [] }))
        log(line);
    const { passed, failed, refused, tests, coverage } = report;
    const files = {
        'junit-path': { name: 'junit.xml', text: `${reportJunit(report).join('\n')}\n` },
    };
    if (blob === undefined)
        files['durations-path'] = { name: 'durations.json', text: durationsText(tests) };
    else
        files['blob-path'] = blob;
    if (snapshot !== undefined)
        files['snapshot-path'] = snapshot;
    if (coverage !== undefined) {
        const text = `${JSON.stringify(coverage, null, 2)}\n`;
        files['coverage-path'] = { name: 'coverage.json', text };
    }
    return {
        report: shown,
        details: { ...report, ...(compiled && { compiled }), ...(mutation && { mutation }) },
        outputs: {
            tests: tests.length,
            passed,
            failed,
            refused,
            commit,
            noticed: mutation?.percent ?? '',
            findings: compiled?.findings.filter(({ state }) => state === 'new').length ?? '',
        },
        files,
    };
}


/***/ }),

/***/ 464:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ runUntilFailed)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _files_overlay_project_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9926);
/* harmony import */ var _files_planned_test_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9015);
/* harmony import */ var _run_test_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7931);




async function runUntilFailed(tests, changed, { warehouse, setting }) {
    const contents = new Map([...changed].map(([file, text]) => [file, Buffer.from(text)]));
    const project = (0,_files_overlay_project_js__WEBPACK_IMPORTED_MODULE_1__/* .overlayProject */ ._)(setting.project, { contents });
    const replanned = new Map();
    const planOf = ({ file, test }) => {
        const known = replanned.get(file) ?? (0,_files_planned_test_js__WEBPACK_IMPORTED_MODULE_2__/* .planTests */ .z)(file, project);
        replanned.set(file, known);
        const planned = known.find((other) => other.test === test);
        if (planned === undefined)
            throw new Error('a test is not planned again');
        return planned;
    };
    let refusal;
    for (const [index, planned] of tests.entries()) {
        setting.signal.throwIfAborted();
        const result = await problemsOr(async () => (0,_run_test_js__WEBPACK_IMPORTED_MODULE_3__/* .runTest */ .YA)(planOf(planned), warehouse, { ...setting, project }));
        if (result instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq)
            return { verdict: 'failed', test: index, by: 'failure' };
        if (result.status === 'failed')
            return { verdict: 'failed', test: index, by: reasonOf(result) };
        if (result.status === 'refused')
            refusal ??= result.differences[0]?.message ?? '';
    }
    return refusal === undefined ? { verdict: 'passed' } : { verdict: 'refused', message: refusal };
}
function reasonOf({ differences }) {
    return differences.some(({ kind }) => kind === 'outcome' || kind === 'timeout') ? 'failure' : 'result';
}
async function problemsOr(work) {
    try {
        return await work();
    }
    catch (error) {
        if (error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq)
            return error;
        throw error;
    }
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
