export const id = 576;
export const ids = [576];
export const modules = {

/***/ 5576:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runProjectTests: () => (/* binding */ runProjectTests)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
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

// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
// EXTERNAL MODULE: ./flows/pipeline-tests/report/shown-text.js
var shown_text = __webpack_require__(3574);
;// CONCATENATED MODULE: ./flows/pipeline-tests/report/row-lines.js


const maxRows = 20;
const heading = 'expected';
const marks = { 'changed-row': '~', 'missing-row': '-', 'extra-row': '+' };
function isRow({ kind }) {
    return Object.hasOwn(marks, kind);
}
function rowLines(differences) {
    const columns = [
        ...new Set(differences.flatMap((one) => [...keysOf(one.expected), ...keysOf(one.actual)])),
    ];
    const shown = differences.slice(0, maxRows);
    const rows = cellTexts(shown, columns);
    const widths = columns.map((column, place) => Math.max((0,sanitize_text/* oneLine */.TN)(column).length, ...rows.flatMap(({ expected, actual }) => [expected, actual]).map((cells) => cells[place]?.length ?? 0)));
    const missing = heading.length - widths.reduce((sum, width) => sum + width + 2, -2);
    widths.push((widths.pop() ?? 0) + Math.max(0, missing));
    const side = (cells) => widths.map((width, index) => (cells[index] ?? '').padEnd(width)).join('  ');
    const line = (mark, left, right) => `${mark} ${left} | ${right}`.trimEnd();
    const heads = side(columns.map(sanitize_text/* oneLine */.TN));
    const lines = shown.flatMap((one, index) => {
        const { expected, actual } = rows[index] ?? { expected: [], actual: [] };
        const main = line(marks[one.kind] ?? ' ', side(expected), side(actual));
        if (one.kind !== 'changed-row')
            return [main];
        const carets = (cells) => side(columns.map((column, place) => (differs(one, column) ? '^'.repeat(cells[place]?.length ?? 0) : '')));
        return [main, `  ${carets(expected)}   ${carets(actual)}`.trimEnd()];
    });
    const more = differences.length - shown.length;
    return [
        line(' ', heading.padEnd(side([]).length), 'actual'),
        line(' ', heads, heads),
        ...lines,
        ...(more > 0 ? [`  and ${more} more`] : []),
    ];
}
function cellTexts(rows, columns) {
    const columnTexts = columns.map((column) => {
        const alone = rows.flatMap(({ expected, actual }) => expected === undefined ? [actual] : actual === undefined ? [expected] : []);
        const texts = (0,shown_text/* comparedTexts */.Ez)(alone.map((row) => cellOf(row, column)));
        let next = 0;
        return rows.map((one) => {
            const [expected, actual] = [cellOf(one.expected, column), cellOf(one.actual, column)];
            if (one.expected === undefined || one.actual === undefined) {
                const text = texts[next] ?? '';
                next += 1;
                return one.expected === undefined ? ['', text] : [text, ''];
            }
            const [left = '', right = ''] = differs(one, column)
                ? (0,shown_text/* comparedTexts */.Ez)([expected, actual])
                : [(0,shown_text/* shownText */.f$)(expected), (0,shown_text/* shownText */.f$)(actual)];
            return [left, right];
        });
    });
    return rows.map((_, index) => ({
        expected: columnTexts.map((texts) => texts[index]?.[0] ?? ''),
        actual: columnTexts.map((texts) => texts[index]?.[1] ?? ''),
    }));
}
function differs({ expected, actual, columns }, column) {
    return columns?.includes(column) ?? !(0,shown_text/* isSame */.Ft)(cellOf(expected, column), cellOf(actual, column));
}
function keysOf(row) {
    return typeof row === 'object' && row !== null && !Array.isArray(row) ? Object.keys(row) : [];
}
function cellOf(row, column) {
    const cell = typeof row === 'object' && row !== null ? Reflect.get(row, column) : undefined;
    return cell ?? null;
}
function rowTexts(difference) {
    const columns = [...new Set([...keysOf(difference.expected), ...keysOf(difference.actual)])];
    const [texts = { expected: [], actual: [] }] = cellTexts([difference], columns);
    return ['expected', 'actual'].flatMap((side) => {
        if (difference[side] === undefined)
            return [];
        const cells = columns.map((column, place) => `${(0,sanitize_text/* oneLine */.TN)(column)} ${texts[side][place] ?? ''}`);
        return [`${side} ${cells.length === 0 ? 'a row' : cells.join(', ')}`];
    });
}

;// CONCATENATED MODULE: ./flows/pipeline-tests/report/difference-groups.js



function groupDifferences(differences) {
    const tables = Map.groupBy(differences.filter(isRow), ({ table }) => table ?? '');
    const others = differences.filter((one) => !isRow(one)).map(groupOfOne);
    const groups = [...others, ...[...tables].flatMap(([table, rows]) => groupOfTable(table, rows))];
    if (differences.some(({ kind }) => kind === 'refused'))
        return groups;
    return groups.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}
function groupOfOne(difference) {
    const [first = '', ...more] = difference.message.split('\n');
    return { place: difference, sentence: (0,sanitize_text/* oneLine */.TN)(first), more, rows: [] };
}
function groupOfTable(table, rows) {
    const [place] = rows.toSorted((a, b) => a.line - b.line);
    if (place === undefined)
        return [];
    return [{ place, sentence: `table "${(0,sanitize_text/* oneLine */.TN)(table)}": ${rowSummary(rows)}`, more: [], rows }];
}
function rowSummary(rows) {
    const count = (kind) => rows.filter((row) => row.kind === kind).length;
    const parts = [
        { count: count('changed-row'), one: 'row differs', many: 'rows differ' },
        { count: count('missing-row'), one: 'expected row is not in it', many: 'expected rows are not in it' },
        { count: count('extra-row'), one: 'row was not expected', many: 'rows were not expected' },
    ];
    const found = parts.filter((part) => part.count > 0);
    const cut = /; (?:of its|`given`) .*$/.exec(rows[0]?.message ?? '')?.[0] ?? '';
    return found.map((part) => (0,number_of/* numberOf */.r)(part.count, part.one, part.many)).join(', ') + cut;
}

;// CONCATENATED MODULE: ./flows/pipeline-tests/report/report-lines.js





function reportLines(report) {
    const files = Map.groupBy(report.tests, ({ file }) => file);
    const list = [...files].flatMap(([file, tests]) => [
        (0,sanitize_text/* oneLine */.TN)(file),
        ...tests.map((test) => `  ${test.status.padEnd(7)}  ${(0,sanitize_text/* oneLine */.TN)(test.name)}  ${Math.round(test.durationMs)} ms`),
    ]);
    const failed = report.tests.filter(({ status }) => status !== 'passed');
    return [
        ...list,
        '',
        ...failed.flatMap((test) => [...failureLines(test), '']),
        ...(report.coverage === undefined ? [] : [...coverageLines(report.coverage), '']),
        totalLine(report),
    ];
}
function totalLine({ tests, passed, failed, refused }) {
    return `${(0,number_of/* numberOf */.r)(tests.length, 'test')}: ${passed} passed, ${failed} failed, ${refused} refused.`;
}
function failureLines(test) {
    return [
        `${(0,sanitize_text/* oneLine */.TN)(test.file)}:${test.line} ${(0,sanitize_text/* oneLine */.TN)(test.name)}`,
        ...differenceLines(test).map((line) => `  ${line}`),
    ];
}
function differenceLines({ differences, file }) {
    let hasMocks = false;
    const isNew = (line) => {
        const isHead = line === 'mock:';
        const isFurther = isHead && hasMocks;
        hasMocks ||= isHead;
        return !isFurther;
    };
    return groupDifferences(differences).flatMap(({ place, sentence, more, rows }) => [
        `${placeText(place, file)}  ${sentence}${writerText(place)}`,
        ...more.filter(isNew).map((line) => `    ${(0,sanitize_text/* sanitizeLine */.g$)(line, ' ').trimEnd()}`),
        ...valueLines(place),
        ...sqlLines(place),
        ...(rows.length === 0 ? [] : rowLines(rows).map((line) => `  ${line}`)),
    ]);
}
function valueLines({ kind, expected, actual }) {
    if (kind !== 'variable')
        return [];
    const [left = '', right = ''] = (0,shown_text/* comparedTexts */.Ez)([expected ?? null, actual ?? null]);
    return [`  expected  ${left}`, `  actual    ${right}`];
}
const shownSqlLines = 20;
const shownSqlCharacters = 500;
function sqlLines({ sql }) {
    const parts = [
        ['SQL as written:', sql?.written],
        ['what the engine made of it:', sql?.ran],
    ];
    return parts.flatMap(([head, text]) => {
        if (text === undefined)
            return [];
        const lines = text.trim().split('\n');
        const shown = lines.slice(0, shownSqlLines);
        const more = lines.length > shown.length ? ['…'] : [];
        return [head, ...[...shown, ...more].map((line) => `  ${cut((0,sanitize_text/* sanitizeLine */.g$)(line, ' ').trimEnd())}`)].map((line) => `  ${line}`);
    });
}
function cut(line) {
    return line.length > shownSqlCharacters ? `${line.slice(0, shownSqlCharacters)}…` : line;
}
function placeText({ file, line, column }, own) {
    return file === own ? `${line}:${column}` : `${(0,sanitize_text/* oneLine */.TN)(file)}:${line}:${column}`;
}
function writerText({ kind, component, at, message }) {
    if (component === undefined || kind === 'ran' || kind === 'not-ran' || kind === 'refused')
        return '';
    if (kind === 'outcome' && namesPlaceIn(message, at?.file))
        return '';
    const place = at === undefined ? '' : ` (${(0,sanitize_text/* oneLine */.TN)(at.file)}:${at.line})`;
    if (kind === 'outcome')
        return place;
    const writer = `ritten by "${(0,sanitize_text/* oneLine */.TN)(component)}"${place}`;
    return message.endsWith('?') ? ` W${writer}` : `; w${writer}`;
}
function namesPlaceIn(message, file) {
    if (file === undefined)
        return false;
    const [, ...rest] = message.split(`${file}:`);
    return rest.some((text) => /^\d/.test(text));
}
function coverageLines({ pipelines }) {
    return pipelines.flatMap(({ pipeline, components, transitions, unreached }) => [
        `${(0,sanitize_text/* oneLine */.TN)(pipeline)}  ${components.reached} of ${(0,number_of/* numberOf */.r)(components.all, 'component')}, ${transitions.reached} of ${(0,number_of/* numberOf */.r)(transitions.all, 'transition')}`,
        ...unreached.map(({ line, column, message }) => `  ${line}:${column}  ${(0,sanitize_text/* oneLine */.TN)(message)}`),
    ]);
}

;// CONCATENATED MODULE: ./flows/pipeline-tests/report/report-junit.js


function reportJunit({ tests, failed, refused, problems = [] }) {
    const files = Map.groupBy(tests, ({ file }) => file);
    const all = counts(tests.length + problems.length, failed, refused + problems.length);
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="millrace test" ${all} time="${seconds(tests)}">`,
        ...[...files].flatMap(([file, own]) => [
            `  <testsuite name="${escapeXml(file)}" ${counts(own.length, countOf(own, 'failed'), countOf(own, 'refused'))} time="${seconds(own)}">`,
            ...own.flatMap(testCase),
            '  </testsuite>',
        ]),
        ...problemSuites(problems),
        '</testsuites>',
    ];
}
function problemSuites(problems) {
    return [...Map.groupBy(problems, ({ file }) => file)].flatMap(([file, own]) => [
        `  <testsuite name="${escapeXml(file)}" ${counts(own.length, 0, own.length)} time="0.000">`,
        ...own.flatMap(({ line, column, message }) => {
            const text = escapeXml(message);
            return [
                `    <testcase name="line ${line}, column ${column}" classname="${escapeXml(file)}" file="${escapeXml(file)}" line="${line}" time="0.000">`,
                `      <error message="${text}">${escapeXml(`${file}:${line}:${column}`)} ${text}</error>`,
                '    </testcase>',
            ];
        }),
        '  </testsuite>',
    ]);
}
function testCase(test) {
    const { name, pipeline, file, line, durationMs, status, differences } = test;
    const head = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(pipeline)}" file="${escapeXml(file)}" line="${line}" time="${(durationMs / 1000).toFixed(3)}"`;
    if (status === 'passed')
        return [`${head}/>`];
    const element = status === 'refused' ? 'error' : 'failure';
    const message = escapeXml(differences[0]?.message ?? '');
    const text = escapeXml(differenceLines(test).join('\n'));
    return [
        `${head}>`,
        `      <${element} message="${message}">${text}</${element}>`,
        '    </testcase>',
    ].flatMap((one) => one.split('\n'));
}
function counts(all, failures, errors) {
    return `tests="${all}" failures="${failures}" errors="${errors}"`;
}
function countOf(tests, status) {
    return tests.filter((test) => test.status === status).length;
}
function seconds(tests) {
    return (tests.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);
}

// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-tests.js + 1 modules
var run_tests = __webpack_require__(4721);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/default-jobs.js
var default_jobs = __webpack_require__(8462);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-problem.js
var test_problem = __webpack_require__(8442);
// EXTERNAL MODULE: ./lib/core/errors/failure.js + 1 modules
var failure = __webpack_require__(8826);
// EXTERNAL MODULE: ./lib/core/text/visible-text.js
var visible_text = __webpack_require__(327);
// EXTERNAL MODULE: ./lib/github/report/annotation-commands.js
var annotation_commands = __webpack_require__(6574);
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
;// CONCATENATED MODULE: ./actions/test/test-report.js



function reportOfTests(report, { prefix, commit = '', notes = [], }) {
    const failed = report.tests.filter(({ status }) => status !== 'passed');
    return {
        title: 'Test',
        outcome: failed.length === 0 ? 'passed' : 'failed',
        headline: totalLine(report),
        facts: [...(commit === '' ? [] : [['commit', commit]]), ...coverageFacts(report)],
        findings: failed.flatMap((test) => groupDifferences(test.differences).flatMap((group) => findingsOf(test, group, prefix))),
        tables: coverageTables(report),
        blocks: [...failed.map((test) => blockOf(test, prefix)), ...unreachedBlocks(report)],
        notes,
    };
}
function findingsOf(test, group, prefix) {
    const { place, sentence, more } = group;
    const { kind, component, at } = place;
    const isRefused = kind === 'refused';
    const shown = more.length === 0 ? sentence : `${sentence.replace(/:$/u, '')} (the job summary has the lines to add)`;
    const what = `${test.name}: ${shown}${firstRow(group)}`;
    const common = { test, component, prefix };
    const own = finding(place, `millrace/test-${isRefused ? 'refused' : 'failed'}`, what, common);
    if (at === undefined || component === undefined || isRefused)
        return [own];
    const where = `${prefix}${place.file}:${place.line}`;
    const message = `The component "${component}" causes a false expectation of the test "${test.name}" (${where}): ${sentence}`;
    return [own, { ...finding(at, 'millrace/test-component', message, common), severity: 'warning' }];
}
function firstRow({ rows }) {
    const [first] = rows;
    if (first === undefined)
        return '';
    return `. First: ${rowTexts(first).join('; ')}`;
}
function finding({ file, line, column }, rule, message, { test, component, prefix }) {
    return {
        rule,
        severity: 'error',
        file: `${prefix}${file}`,
        line,
        column,
        endLine: line,
        endColumn: column + 1,
        ...(component === undefined ? {} : { component }),
        message,
        source: 'millrace',
        state: 'new',
        fingerprint: [rule, test.file, test.name, message].join(' '),
    };
}
function blockOf(test, prefix) {
    return { title: `${prefix}${test.file}:${test.line} ${test.name}`, lines: differenceLines(test) };
}
function coverageFacts({ coverage }) {
    if (coverage === undefined)
        return [];
    const sum = (what, which) => coverage.pipelines.reduce((total, pipeline) => total + pipeline[what][which], 0);
    const fact = (what) => [`${what} reached`, `${sum(what, 'reached')} of ${sum(what, 'all')}`];
    return [fact('components'), fact('transitions')];
}
function coverageTables({ coverage }) {
    if (coverage === undefined)
        return [];
    const rows = coverage.pipelines.map(({ pipeline, components, transitions }) => [
        pipeline,
        `${components.reached} of ${components.all}`,
        `${transitions.reached} of ${transitions.all}`,
    ]);
    return [{ title: 'Coverage', columns: ['pipeline', 'components', 'transitions'], rows, isDetail: true }];
}
function unreachedBlocks({ coverage }) {
    const pipelines = coverage?.pipelines.filter(({ unreached }) => unreached.length > 0) ?? [];
    return pipelines.length === 0
        ? []
        : [{ title: 'What no test reached', lines: coverageLines({ pipelines }), isDetail: true }];
}

;// CONCATENATED MODULE: ./actions/test/run-project-tests.js

















async function runProjectTests(inputs, step) {
    (0,checked_out_commit/* refusePullRequestTarget */.cq)(step.facts);
    const target = (0,event_target/* readCheckTarget */.Mm)(step.facts, { commit: inputs.commit });
    if (target === undefined)
        return nothingToTest;
    const { filter, jobs = default_jobs/* defaultJobs */.y, coverage } = inputs;
    const { project, files, prefix } = await (0,checked_out_tests/* openCheckedOutTests */.j)(inputs['working-directory'], inputs.files, step);
    const tested = await describeTested(target, inputs, step);
    try {
        step.log(`Running the tests of ${(0,number_of/* numberOf */.r)(files.length, 'file')}, ${jobs} at a time.`);
        const packages = (0,external_node_path_.resolve)(step.facts.workspace, inputs.engine);
        const request = { project, files, filter, jobs, withCoverage: coverage, packages };
        const report = await (0,run_tests/* runTests */.N$)(request, step.context);
        const chosen = (0,report_key/* describeSettings */.TR)({ files: inputs.files, filter });
        const notes = [...tested.notes, ...(chosen === '' ? [] : [`Only some tests were chosen: ${chosen}.`])];
        const result = resultOf(report, { prefix, commit: tested.commit, notes }, step);
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
    outputs: { tests: 0, passed: 0, failed: 0, refused: 0, commit: '', 'junit-path': '', 'coverage-path': '' },
};
function annotateFindings(report, prefix, { command }) {
    const { findings } = reportOfTests(report, { prefix });
    const left = Math.max(0, annotation_commands/* maximumPerLevel */.en - (report.problems?.length ?? 0));
    for (const { severity, message, rule, file, line, column } of findings.slice(0, left))
        command((0,annotation_commands/* annotationCommand */.jx)(severity, message, { file, line, column, title: rule }));
}
function resultOf(report, { prefix, commit, notes }, { log }) {
    for (const line of reportLines(report))
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
        report: reportOfTests(report, { prefix, commit, notes }),
        details: report,
        outputs: { tests: tests.length, passed, failed, refused, commit },
        files,
    };
}


/***/ })

};
