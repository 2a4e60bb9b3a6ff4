import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { testReportSchema } from '../../../flows/pipeline-tests/report/report-schema.ts';
import { copyPipeline, testFolder } from './test-project.ts';

const given = 'given: { staging_orders: { rows: [{ id: 1, day: a, amount: 2, note: b }] } }';
const testFile = (name: string, expected: string) =>
  `pipeline: copy\ntests:\n  - name: ${name}\n    ${given}\n    expect: { tables: { orders: ${expected} } }\n`;

const files = {
  'copy.tran.yaml': copyPipeline,
  'good.test.yaml': testFile('good', '{ count: 1 }'),
  'wrong.test.yaml': testFile('wrong', '{ cuont: 1 }'),
};
const error = 'wrong.test.yaml:5:35: unknown key `cuont`; did you mean "count"?';

test('a wrong test file is an error with exit code 2, and the tests of other files run', async () => {
  using folder = testFolder(files);
  const ended = await folder.run();
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(`error: ${error}\n`) });
  expect(ended.stdout).toContain('  passed   good');
});

test('outside of a git repository, settings that are not read are named by their whole path', async () => {
  using folder = testFolder({ 'Millrace.yaml': 'version: 1\n', 'good.test.yaml': files['good.test.yaml'] });
  const { code, stderr } = await folder.run();
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Millrace.yaml" is not read'),
  });
  expect(stderr).toContain(`"${folder.directory.split(path.sep).join('/')}/Millrace.yaml"`);
});

test('in a folder without millrace.yaml above projects, a warning says that their tests do not run', async () => {
  using folder = testFolder({
    'copy.tran.yaml': copyPipeline,
    'good.test.yaml': files['good.test.yaml'],
    'finance/millrace.yaml': 'version: 1\n',
  });
  const ended = await folder.run();
  expect(ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'these folders below it have one: finance. Their tests do not run. To test one project, give --working-directory finance.',
    ),
  });
  expect((await folder.run('good.test.yaml')).stderr).not.toContain('finance');
});

test.each([
  ['of YAML 1.1', '%YAML 1.1\n---\n', '2024-01-05', '2024-12-31', '1:1'],
  ['with a date as a tag', '', '!!timestamp 2024-01-05', '!!timestamp 2024-12-31', '5:46'],
  ['with bytes as a tag', '', '!!binary aGVsbG8=', '!!binary d29ybGQ=', '5:46'],
])('a test file %s is refused, so that no two values are null', async (_, head, day, expected, place) => {
  const text = `${head}pipeline: copy
tests:
  - name: copies
    given:
      staging_orders: { rows: [{ id: 1, day: ${day}, amount: 2, note: b }] }
    expect: { tables: { orders: { rows: [{ day: ${expected} }] } } }
`;
  using folder = testFolder({ 'copy.tran.yaml': copyPipeline, 'copy.test.yaml': text });
  const { code, stdout, stderr } = await folder.run();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`error: copy.test.yaml:${place}: `);
  expect(stderr).toMatch(/The (?:directive %YAML 1\.1|tag !!\w+) would change/);
});

test.each(['[\n', 'tests: []\n', 'pipline: copy\ntests: []\n'])(
  'a test file %j, which names no pipeline, is an error of a run for any pipeline',
  async (text) => {
    using folder = testFolder({ ...files, 'wrong.test.yaml': text });
    const ended = await folder.run('copy');
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('error: wrong.test.yaml:') });
    expect(ended.stdout).toContain('  passed   good');
  },
);

test('all formats for programs name the wrong file and its line', async () => {
  using folder = testFolder(files);
  const json = await folder.run('--format', 'json');
  const report = testReportSchema.parse(JSON.parse(json.stdout));
  expect(report).toMatchObject({
    passed: 1,
    problems: [
      { file: 'wrong.test.yaml', line: 5, column: 35, message: error.slice('wrong.test.yaml:5:35: '.length) },
    ],
  });
  const junit = await folder.run('--format', 'junit');
  expect(junit.stdout).toContain('<testsuites name="millrace test" tests="2" failures="0" errors="1"');
  expect(junit.stdout).toContain('<testcase name="line 5, column 35" classname="wrong.test.yaml"');
  const markdown = await folder.run('--format', 'markdown');
  expect(markdown.stdout).toContain('wrong.test.yaml:5:35  unknown key `cuont`');
  expect(markdown.stdout).toContain('0 refused; 1 file is wrong, so its tests did not run.');
  for (const { code, stderr } of [json, junit, markdown]) {
    expect(code).toBe(2);
    expect(stderr).toContain(error);
  }
});

describe('a pipeline with a wrong type or version is an error with its place and the allowed values', () => {
  const problems = `error: copy.tran.yaml:1:7: 2 problems:
  copy.tran.yaml:1:7 \`type\` must be "orchestration" or "transformation", not "transformatoin"
  copy.tran.yaml:2:10 \`version\` must be "1.0", not "9.9"
`;
  const caller = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Copy] } }
    Copy: { type: run-transformation, parameters: { transformationJob: copy }, transitions: { failure: [Done] } }
    Done: { type: end-success }
`;
  const ofCaller = 'pipeline: caller\ntests: [{ name: calls, expect: { ran: [Copy] } }]\n';
  test.each([
    ['when it is tested', {}, []],
    [
      'when it is called, also where a branch handles the failure',
      { 'caller.orch.yaml': caller, 'good.test.yaml': ofCaller },
      [],
    ],
    ['with --init', {}, ['--init', 'copy']],
  ])('%s', async (_, others, args) => {
    const wrong = copyPipeline.replace('transformation', 'transformatoin').replace('1.0', '9.9');
    using folder = testFolder({
      'copy.tran.yaml': wrong,
      'good.test.yaml': testFile('good', '{ count: 1 }'),
      ...others,
    });
    const ended = await folder.run(...args);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(problems) });
  });
});

test('a fixture that is wrong keeps only its own test from running', async () => {
  using folder = testFolder({
    ...files,
    'wrong.test.yaml': `${testFile('first', '{ count: 1 }')}  - name: second\n    given: { staging_orders: { columns: { id: DATE }, rows: [{ id: x }] } }\n    expect: { tables: { orders: { count: 1 } } }\n`,
  });
  const { stdout, stderr, code } = await folder.run('--json');
  const report = testReportSchema.parse(JSON.parse(stdout));
  expect(report.tests.map(({ name }) => name)).toEqual(['good', 'first']);
  expect(report.problems).toMatchObject([{ line: 7, message: expect.stringContaining('"x" is not a DATE') }]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
});

test('a file that does not exist is named by its path in the project, with the nearest one', async () => {
  using folder = testFolder({
    'copy.tran.yaml': copyPipeline,
    'daily/fixtures/orders.csv': 'id\n1\n',
    'daily/a.test.yaml':
      'pipeline: copy\ntests:\n  - name: a\n    given: { a: { file: orders.csv }, b: { file: ../../b.csv } }\n    expect: { ran: [Staged] }\n  - name: b\n    given: { b: { file: ../../b.csv } }\n    expect: { ran: [Staged] }\n',
  });
  const { stderr } = await folder.run();
  expect(stderr).toContain(
    '4:25 the file "daily/orders.csv" does not exist in the project; did you mean "fixtures/orders.csv"?',
  );
  expect(stderr).toContain('7:25 the file "../../b.csv" is outside of the project');
});

test.each([
  [['--dry-run'], '--dry-run has no effect without --init, --update or --add-row.'],
  [['--json', '--format', 'junit'], '--json cannot be combined with --format junit.'],
  [
    ['--format', 'junit', '--coverage'],
    '--coverage cannot be combined with --format junit, which has no place for it.',
  ],
  [['--working-directory', '/nonexistent'], 'The folder /nonexistent does not exist.'],
  [['good.test.yaml', '--filter', 'none'], 'Give a part of the name of a test.'],
  [
    ['--init', 'copy', '--update'],
    '--init cannot be combined with --update: --init writes a new test, and --update changes existing tests.',
  ],
])('%j is wrong use', async (options, message) => {
  using folder = testFolder(files);
  const { code, stdout, stderr } = await folder.run(...options);
  expect(code).toBe(2);
  expect(stdout + stderr).toContain(message);
});
