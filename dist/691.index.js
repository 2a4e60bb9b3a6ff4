export const id = 691;
export const ids = [691];
export const modules = {

/***/ 1072:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runProjectTests: () => (/* binding */ runProjectTests)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./flows/data-graph/bind/bind-project.js + 7 modules
var bind_project = __webpack_require__(7973);
// EXTERNAL MODULE: ./lib/core/text/compare-texts.js
var compare_texts = __webpack_require__(315);
// EXTERNAL MODULE: ./engine/index.js + 341 modules
var engine = __webpack_require__(1985);
;// CONCATENATED MODULE: ./lib/core/text/list-text.js
function listText(names) {
    const last = names.at(-1) ?? '';
    return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

// EXTERNAL MODULE: ./lib/pipelines/model/pipeline-kind.js
var pipeline_kind = __webpack_require__(5544);
// EXTERNAL MODULE: ./flows/data-graph/bind/project-tables.js
var project_tables = __webpack_require__(1472);
// EXTERNAL MODULE: ./flows/data-graph/bind/table-definitions.js
var table_definitions = __webpack_require__(6114);
;// CONCATENATED MODULE: ./flows/data-graph/compile/breaking-changes.js





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
            .filter((each) => each.component === component && (0,project_tables/* tableKey */.i)(each.table) === (0,project_tables/* tableKey */.i)(table))
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
    const old = base.tables.definitionsIn(pipeline, table).find((each) => each.component === component);
    return JSON.stringify(old?.columns?.columns) !== JSON.stringify(columns?.columns);
}
function lostTables(graph, base) {
    return [...graph.pipelines].flatMap(([pipeline, { reads }]) => reads.flatMap(({ table, component, place }) => {
        const creators = base.tables.definitionsOf(table).filter(({ mode }) => mode === 'define');
        if (creators.length === 0 || graph.tables.definitionsOf(table).some(({ mode }) => mode === 'define'))
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

;// CONCATENATED MODULE: ./flows/data-graph/compile/changed-types.js





function changedTypes(graph, base, breaking) {
    const known = new Set(breaking.flatMap(({ tables, columnName }) => tables.map((table) => JSON.stringify([(0,project_tables/* tableKey */.i)(table), columnName]))));
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
            const list = readers.get((0,project_tables/* tableKey */.i)(table));
            if (list === undefined)
                readers.set((0,project_tables/* tableKey */.i)(table), [read]);
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
                message: `"${table.table}" is declared ${what}, and ${listText(writers)} ${writers.length === 1 ? 'creates' : 'create'} it, which counts: remove the declaration`,
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
            tables.definitionsOf(table).filter(isUnclear).length > (definitions.get((0,project_tables/* tableKey */.i)(table)) ?? 0));
    const reads = [...pipelines.values()].flatMap((bound) => bound.reads);
    const groups = Map.groupBy(reads.filter(({ table }) => (0,catalog_views/* catalogView */.b)(table, project.kind) === undefined && isOutside(table)), ({ table }) => (0,project_tables/* tableKey */.i)(table));
    const binds = bindingReads(waiting);
    return [...groups]
        .flatMap(([key, list]) => {
        const [first] = list;
        if (first === undefined)
            return [];
        const isKnown = tables.find(first.table) !== undefined;
        return [{ table: first.table, reads: list.length, isKnown, binds: isKnown ? 0 : binds(key) }];
    })
        .toSorted((a, b) => b.binds - a.binds || b.reads - a.reads || (0,compare_texts/* compareTexts */.q)((0,project_tables/* tableKey */.i)(a.table), (0,project_tables/* tableKey */.i)(b.table)));
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
            .map(({ table }) => (0,project_tables/* tableKey */.i)(table)),
    });
    const causes = [...own].map(([part, list]) => {
        const targets = new Set((written.get(part) ?? []).map(({ table }) => (0,project_tables/* tableKey */.i)(table)));
        const missing = list.map(({ tables: used }) => used
            .map((table) => (isUnknown(table) ? (0,project_tables/* tableKey */.i)(table) : ''))
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
    const [take, these] = readers.length === 1 ? ['takes', 'this reader'] : ['take', 'these readers'];
    const from = isGone ? 'now from elsewhere' : 'from there now';
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
        message: `${what}, and ${listText(names)} ${take} the value of this name ${from}; ${fix}, or write the table before the name in ${these}`,
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
    return JSON.stringify([component, (0,project_tables/* tableKey */.i)(table)]);
}
function columnsOf(reads) {
    return new Set(reads.flatMap(({ columns }) => columns));
}
function columnNames({ tables }, table) {
    const known = tables.find(table);
    return known?.areNamesComplete === true ? new Set(known.columns.map(({ name }) => name)) : undefined;
}

// EXTERNAL MODULE: ./lib/pipelines/checks/call-facts.js + 1 modules
var call_facts = __webpack_require__(615);
// EXTERNAL MODULE: ./lib/pipelines/checks/passed-variable.js
var passed_variable = __webpack_require__(3544);
;// CONCATENATED MODULE: ./flows/data-graph/compile/refused-calls.js




function refusedCalls({ project, pipelines, }) {
    const targets = (0,project_roots/* callTargetsOf */.g)(project);
    return [...pipelines.keys()].flatMap((pipeline) => {
        const document = project.pipeline(pipeline);
        if (document === undefined || document.problems.length > 0)
            return [];
        return (0,call_facts/* callFacts */.W)(document).flatMap((call) => {
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
        pipelines: graph.pipelines.size,
        unreadable: unreadable.length,
        reads: { bound: reads.filter(({ isBound }) => isBound).length, total: reads.length },
        unknown: unknownReasons(graph),
        outside: outsideTables(graph),
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
    const created = new Set([...(0,sql_objects/* definedObjects */.Ye)(graph).values()].flatMap((objects) => [...objects.keys()]));
    const shown = (reason) => reason.replace(unknownFunction, (text, name) => created.has((0,sql_objects/* objectKey */.T5)('called', name))
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
        title: 'Tables to declare: no component says their columns',
        columns: ['reads', 'to bind', 'table'],
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
        ...more(unknown.length, 'reasons why components are not bound'),
        ...more(undeclared(outside).length, 'tables to declare'),
    ];
}

// EXTERNAL MODULE: ./lib/core/text/sanitize-text.js
var sanitize_text = __webpack_require__(7192);
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

// EXTERNAL MODULE: ./flows/pipeline-tests/report/report.js
var report_report = __webpack_require__(3035);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-tests.js + 5 modules
var run_tests = __webpack_require__(1106);
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
        throw invalid('No blob is there to merge.', '', giveAll);
    for (const other of others)
        refuseOther(first, other);
    refuseShards(blobs, first);
    const ended = new Map();
    for (const { name, blob } of blobs)
        for (const { index, result, problems } of blob.ended) {
            if (ended.has(index) || index >= blob.tests || (result === undefined) === (problems === undefined))
                throw invalid('The blob lists its tests in a way that Millrace does not write.', name, runAgain);
            ended.set(index, result === undefined ? new engine/* FileProblems */.jq(problems ?? []) : (0,encode_result/* decodeResult */.S)(result));
        }
    if (ended.size < first.blob.tests) {
        const message = `The blobs have ${ended.size} of ${first.blob.tests} tests.`;
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
        const message = 'The blob was changed after Millrace wrote it: its digest is of another content.';
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
        throw invalid(`The blob does not belong to ${first.name}: ${reason}.`, other.name, sameRun);
}
function merge_blobs_differenceOf(a, b) {
    if (a.shard.count !== b.shard.count)
        return `it is one of ${b.shard.count} shards, and that one is one of ${a.shard.count}`;
    if (a.testsDigest !== b.testsDigest || a.tests !== b.tests)
        return 'the digests of their lists of tests differ, so other tests were chosen, or it is another commit';
    if (a.durationsDigest !== b.durationsDigest)
        return 'the digests of their files of durations differ, so the tests were split in two ways';
    const names = new Set([...Object.keys(a.settings), ...Object.keys(b.settings)]);
    const name = [...names].find((key) => a.settings[key] !== b.settings[key]);
    if (name !== undefined)
        return `${name} is "${b.settings[name] ?? ''}" there, and "${a.settings[name] ?? ''}" here`;
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
    const hint = 'Find out in the log of the missing shard why it left no blob, run it again, and give all blobs.';
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
async function mergeFolder(folder, commit, { facts }) {
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
    const { commit: tested = '' } = merged.settings;
    if (tested === commit)
        return merged;
    throw new failure/* Failure */.HR('blob-invalid', {
        message: `The shards tested the commit ${tested.slice(0, 12)}, and ${commit.slice(0, 12)} is checked out.`,
        where: { input: 'blobs' },
        hint: 'Merge the shards in a later job of the same workflow run, with the same check-out.',
    });
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
// EXTERNAL MODULE: ./actions/kit/checkout/checked-out-tests.js + 4 modules
var checked_out_tests = __webpack_require__(9045);
// EXTERNAL MODULE: ./actions/kit/checkout/project.js + 4 modules
var project = __webpack_require__(2002);
// EXTERNAL MODULE: ./actions/kit/checkout/test-cache.js + 3 modules
var test_cache = __webpack_require__(2024);
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
    const { filter, jobs = default_jobs/* defaultJobs */.yV, coverage } = inputs;
    const { project, files, prefix, config } = await (0,checked_out_tests/* openCheckedOutTests */.j)(inputs['working-directory'], inputs.files, step);
    const tested = await describeTested(target, inputs, step);
    try {
        const packages = (0,external_node_path_.resolve)(step.facts.workspace, inputs.engine);
        const cache = (0,test_cache/* testCache */.x)(inputs.cache, packages, step);
        const request = { project, files, filter, jobs, withCoverage: coverage, packages, cache };
        const { signal } = step.context;
        const { report, settings, shard } = await resultsOf(request, { inputs, commit: tested.commit }, step);
        const isCompiled = inputs.compile !== 'off' && config.compile.enabled && shard === undefined;
        const compiled = !isCompiled
            ? undefined
            : concludeCompile(compile(await (0,bind_project/* bindProject */.Z)(project, { signal, packages })), compileSettings(project, config, step.context.clock));
        const chosen = (0,report_key/* describeSettings */.TR)(settings);
        const notes = [
            ...tested.notes,
            ...(chosen === '' ? [] : [`Only some tests were chosen: ${chosen}.`]),
            ...(shard === undefined ? [] : [shard.note]),
        ];
        const result = resultOf(report, {
            prefix,
            commit: tested.commit,
            notes,
            compiled,
            onlyWarns: inputs.compile === 'warn',
            blob: shard?.blob,
        }, step);
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
async function resultsOf(request, { inputs, commit }, step) {
    const { shard, durations, blobs } = inputs;
    if (blobs !== undefined) {
        step.log(`Merging the shards of the folder ${blobs}.`);
        const { report, settings } = await mergeFolder(blobs, commit, step);
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
        'blob-path': '',
        'durations-path': '',
        'coverage-path': '',
    },
};
function annotateFindings(report, prefix, { command }) {
    const { findings } = (0,report_report/* reportOfTests */.th)(report, { prefix });
    const left = Math.max(0, annotations/* maximumPerLevel */.en - (report.problems?.length ?? 0));
    for (const { severity, message, rule, file, line, column } of findings.slice(0, left))
        command((0,annotations/* annotationCommand */.jx)(severity, message, { file, line, column, title: rule }));
}
function resultOf(report, { prefix, commit, notes, compiled, onlyWarns, blob, }, { log }) {
    const ofTests = (0,report_report/* reportOfTests */.th)(report, { prefix, commit, notes });
    const all = compiled === undefined ? ofTests : withCompiled(ofTests, compiled, { prefix, onlyWarns });
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
