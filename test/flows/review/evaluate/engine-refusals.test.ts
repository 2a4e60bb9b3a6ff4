import { expect, test } from 'vitest';
import { testFolder } from '../../../cli/tests/test-project.ts';
import { type Step, steps } from '../../data-graph/small-projects.ts';
import { reviewProject } from '../review-project.ts';

const sql = (text: string, more = {}): Step => ['S', 'sql-script', { sqlScript: text }, more];
const run = (more: object): Step => ['C', 'run-orchestration', { orchestrationJob: 'sub', ...more }];
const grid = (more: object): Step =>
  run({ setGridVariables: [{ variable: 'g', status: 'values', ...more }] });
const declared = { a: '1', own: ['x'] };
const ofType = (type: string, defaultValue: unknown, columns?: object) => ({
  pipeline: {
    components: { Start: { type: 'start' } },
    variables: { v: { metadata: { type, ...(columns && { columns }) }, defaultValue } },
  },
});

/** Pipelines that the engine refuses, each with what the review says. */
const refused: Readonly<Record<string, readonly [text: string, ...findings: string[]]>> = {
  'grid-width': [
    steps([grid({ gridValues: [['1']] })]),
    'passed-variable g: The component "C" passes the variable "g" to "sub.orch.yaml", where a row with 1 cell is not possible, because it has 2 columns: n, t.',
  ],
  'grid-cell': [
    steps([
      grid({
        gridValues: [
          ['1', 'x'],
          ['z', ''],
        ],
      }),
    ]),
    'passed-variable g: The component "C" passes the variable "g" to "sub.orch.yaml", where the column "n" is a number and cannot be "z".',
  ],
  'grid-from-grid': [
    steps(
      [grid({ status: 'grid', gridValues: { fromGrid: { variable: 'own', columns: ['name'] } } })],
      declared,
    ),
    'passed-variable g: The component "C" passes the variable "g" to "sub.orch.yaml", where a row with 1 cell is not possible, because it has 2 columns: n, t.',
  ],
  'grid-without-rows': [
    steps([grid({})]),
    'passed-variable g: The component "C" passes the grid "g" without `gridValues`; for a grid without rows, write [].',
  ],
  'grid-status': [
    steps([grid({ status: 'grid', gridValues: [['1', 'x']] })]),
    'passed-variable g: The component "C" passes the grid "g" with the status grid, but `gridValues` has no `fromGrid`.',
  ],
  'grid-without-name': [
    steps([run({ setGridVariables: [{ status: 'values', gridValues: [] }] })]),
    'passed-variable setGridVariables: The component "C" passes a grid without the name of its variable: set `variable`.',
  ],
  'grid-twice': [
    steps([
      run({
        setGridVariables: ['g', 'g'].map((variable) => ({ variable, status: 'values', gridValues: [] })),
      }),
    ]),
    'passed-variable g: The component "C" passes the variable "g" twice.',
  ],
  'scalar-twice': [
    steps([
      run({
        setScalarVariables: [
          ['n', '5'],
          ['n', '6'],
        ],
      }),
    ]),
    'passed-variable n: The component "C" passes the variable "n" twice.',
  ],
  'scalar-row': [
    steps([run({ setScalarVariables: [['n']] })]),
    'passed-variable n: The component "C" has a row with 1 value in setScalarVariables: each row is a variable and its value.',
  ],
  'other-kind': [
    steps([['C', 'run-orchestration', { orchestrationJob: 'other.tran.yaml' }]]),
    'unknown-call other.tran.yaml: The component "C" runs only orchestrations, but "other.tran.yaml" is a file of the other kind; run-transformation calls it.',
  ],
  'post-processing': [
    steps([sql('select 1', { postProcessing: { updateScalarVariables: [['zz', '1']] } })]),
    'undeclared-variable zz',
  ],
  'post-processing-value': [
    steps([sql('select 1', { postProcessing: { updateScalarVariables: [['a', '${zz}']] } })], declared),
    'undeclared-variable zz',
  ],
  'update-scalar': [
    steps(
      [
        [
          'U',
          'update-scalar',
          {
            scalarsToUpdate: [
              ['a', '2'],
              ['zz', '1'],
            ],
          },
        ],
      ],
      declared,
    ),
    'undeclared-variable zz',
  ],
  print: [steps([['P', 'print-variables', { variablesToPrint: [['zz']] }]]), 'undeclared-variable zz'],
  append: [
    steps([['A', 'append-to-grid', { operation: 'Append', targetGridVariable: 'zz', valuesGrid: [['x']] }]]),
    'undeclared-variable zz',
  ],
  'query-to-scalar': [
    steps([
      [
        'Q',
        'query-to-scalar',
        { mode: 'Advanced', query: 'select 1 as X', scalarVariableMapping: [['zz', 'X']] },
      ],
    ]),
    'undeclared-variable zz',
  ],
  'query-to-grid': [
    steps([
      [
        'Q',
        'query-to-grid',
        { mode: 'Advanced', query: 'select 1 as X', gridVariable: 'zz', gridVariableMapping: [['X', 'x']] },
      ],
    ]),
    'undeclared-variable zz',
  ],
  condition: [
    steps([
      ['I', 'if', { mode: 'Simple', condition: [['zz', 'Is', 'Equal to', '1']], combineConditions: 'And' }],
    ]),
    'undeclared-variable zz',
  ],
  'from-grid': [
    steps([run({ setScalarVariables: { fromGrid: { variable: 'zz', columns: ['a', 'b'] } } })]),
    'undeclared-variable zz',
  ],
  expression: [steps([sql("select '${a + zz.toUpperCase()}'")], declared), 'undeclared-variable zz'],
  'two-in-an-expression': [
    steps([sql('select \'${yy ? zz : "x.y"}\'')]),
    'undeclared-variable yy',
    'undeclared-variable zz',
  ],
  'default-number': [
    JSON.stringify(ofType('NUMBER', 'abc')),
    'wrong-type variable v: The variable "v" cannot have its default: it is a number and cannot be "abc".',
  ],
  'default-date': [
    JSON.stringify(ofType('DATE', '2024-1-5')),
    'wrong-type variable v: The variable "v" cannot have its default: it is a date and cannot be "2024-1-5": write YYYY-MM-DD.',
  ],
  'default-cell': [
    JSON.stringify(ofType('GRID', [['x']], { n: { type: 'NUMBER' } })),
    'wrong-type variable v: The variable "v" cannot have its default: the column "n" is a number and cannot be "x".',
  ],
};

/** Pipelines that the engine runs, although they look unusual: nothing is found. */
const accepted: Readonly<Record<string, string>> = {
  'empty-grid': steps([grid({ gridValues: [] })]),
  'cells-of-variables': steps([grid({ gridValues: [['${a}', '${a}']] })], declared),
  'no-values': steps([run({ setScalarVariables: [], setGridVariables: [] })]),
  suffix: steps([['C', 'run-orchestration', { orchestrationJob: './sub.orch.yaml' }]]),
  expressions: steps(
    [
      sql(
        "select '${a.length > 0 && !(a == \"zz\") ? a.toUpperCase() : Math.max(1, 2)}', '${new Date().getFullYear()}'",
      ),
    ],
    declared,
  ),
  'own-value': steps(
    [
      sql('select 1', {
        postProcessing: { updateScalarVariables: [['a', '${sysvar.thisComponent.rowCount}']] },
      }),
    ],
    declared,
  ),
  'if-braces': steps(
    [['I', 'if', { mode: 'Simple', condition: [['${a}', 'Is', 'Equal to', '1']], combineConditions: 'And' }]],
    declared,
  ),
  'empty-default': JSON.stringify(ofType('NUMBER', '')),
  'number-default': JSON.stringify(ofType('NUMBER', 7)),
};

const called = {
  'sub.orch.yaml': JSON.stringify({
    pipeline: {
      components: { Start: { type: 'start' } },
      variables: {
        n: { metadata: { type: 'NUMBER' }, defaultValue: '1' },
        g: {
          metadata: { type: 'GRID', columns: { n: { type: 'NUMBER' }, t: { type: 'TEXT' } } },
          defaultValue: [],
        },
      },
    },
  }),
  'other.tran.yaml': 'pipeline: { components: { Q: { type: sql, parameters: { query: select 1 A } } } }',
};
const files = Object.fromEntries([
  ...Object.entries(refused).map(([name, [text]]) => [`refused/${name}.orch.yaml`, text] as const),
  ...Object.entries(accepted).map(([name, text]) => [`accepted/${name}.orch.yaml`, text] as const),
  ...Object.entries(called),
]);

test('the review finds what the engine refuses, and nothing in what the engine runs', async () => {
  using project = reviewProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  project.commit('Pipelines');
  const severity = 'error' as const;
  const checks = {
    'unknown-call': severity,
    'wrong-type': severity,
    'passed-variable': severity,
    'undeclared-variable': severity,
  };
  const { findings } = await project.review({ checks });
  const found = Object.groupBy(findings, ({ file }) => file);
  const shown = Object.fromEntries(
    Object.entries(found).map(([file, list]) => [
      file,
      list?.map(({ rule, subject, message }) => {
        const head = `${rule.replace('millrace/', '')} ${subject}`;
        return rule.endsWith('undeclared-variable') ? head : `${head}: ${message}`;
      }),
    ]),
  );
  expect(shown).toEqual(
    Object.fromEntries(
      Object.entries(refused).map(([name, [, ...expected]]) => [`refused/${name}.orch.yaml`, expected]),
    ),
  );
});

test('the engine refuses the former, and runs the latter', async () => {
  const tests = Object.keys(files)
    .filter((file) => file.includes('/'))
    .map((file) => [
      file.replace('.orch.yaml', '.test.yaml'),
      `pipeline: ${file.replace('.orch.yaml', '')}\ntests:\n  - name: n\n    expect: { outcome: success }\n`,
    ]);
  using folder = testFolder({ 'millrace.yaml': 'version: 1\n', ...files, ...Object.fromEntries(tests) });
  const report = await folder.report();
  const results = report.tests.map(({ file, status }) => `${file} ${status === 'passed' ? 'passed' : 'not'}`);
  const expected = tests.map(([file = '']) => `${file} ${file.startsWith('refused/') ? 'not' : 'passed'}`);
  expect(results.toSorted()).toEqual(expected.toSorted());
});
