export const id = 619;
export const ids = [619];
export const modules = {

/***/ 3619:
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
// EXTERNAL MODULE: ./lib/report/terminal.js + 1 modules
var terminal = __webpack_require__(1963);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/run-tests.js + 1 modules
var run_tests = __webpack_require__(4721);
// EXTERNAL MODULE: ./flows/pipeline-tests/run/default-jobs.js
var default_jobs = __webpack_require__(8462);
// EXTERNAL MODULE: ./flows/pipeline-tests/files/test-problem.js
var test_problem = __webpack_require__(8442);
// EXTERNAL MODULE: ./lib/core/text/number-of.js
var number_of = __webpack_require__(5752);
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
    const { findings } = (0,report_report/* reportOfTests */.th)(report, { prefix });
    const left = Math.max(0, annotations/* maximumPerLevel */.en - (report.problems?.length ?? 0));
    for (const { severity, message, rule, file, line, column } of findings.slice(0, left))
        command((0,annotations/* annotationCommand */.jx)(severity, message, { file, line, column, title: rule }));
}
function resultOf(report, { prefix, commit, notes }, { log }) {
    const shown = (0,report_report/* reportOfTests */.th)(report, { prefix, commit, notes });
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
        details: report,
        outputs: { tests: tests.length, passed, failed, refused, commit },
        files,
    };
}


/***/ })

};
