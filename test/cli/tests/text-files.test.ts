import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { testReportSchema } from '../../../flows/pipeline-tests/report/report-schema.ts';
import { diffProject, pipeline } from '../diff/diff-project.ts';
import { inProcess } from '../in-process.ts';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { copyPipeline, testFolder } from './test-project.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const columns = 'columns: { id: NUMBER, day: VARCHAR, amount: NUMBER, note: VARCHAR }';
const fromFiles = (given: string, expected: string) => `pipeline: copy
tests:
  - name: copies
    given: { staging_orders: { ${columns}, file: ${given} } }
    expect: { tables: { orders: { file: ${expected} } } }
`;
const header = 'id,day,amount,note\n';

/** The problems of a test whose given table is in a file: `file:line:column message`. */
async function problemsOf(name: string, content: string | Buffer) {
  using folder = testFolder({
    'copy.tran.yaml': copyPipeline,
    'copy.test.yaml': fromFiles(name, 'expected.csv'),
    [name]: content,
    'expected.csv': `${header}1,a,2,b\n`,
  });
  const { code, stdout } = await folder.run('--format', 'json');
  const { problems = [] } = testReportSchema.parse(JSON.parse(stdout));
  return { code, problems: problems.map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`) };
}

test('a given and an expected CSV file in Latin-1 are refused, not equal in every letter', async () => {
  using folder = testFolder({
    'copy.tran.yaml': copyPipeline,
    'copy.test.yaml': fromFiles('given.csv', 'expected.csv'),
    'given.csv': latin1(`${header}1,a,2,caf\xe9\n`),
    'expected.csv': latin1(`${header}1,a,2,caf\xe8\n`),
  });
  const { code, stdout, stderr } = await folder.run();
  expect(stderr).toContain(
    'error: given.csv:2:10: the file cannot be read: byte 29 is not UTF-8; save the file as UTF-8.',
  );
  expect({ code, passed: /[1-9]\d* passed/.test(stdout) }).toEqual({ code: 2, passed: false });
});

describe('a fixture that is not a table as text is one problem that says what the file is', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
  const rows = '{ "id": 1, "note": "a" }';
  test.each<[string, string, string | Buffer, RegExp]>([
    [
      'UTF-16',
      'given.csv',
      utf16(`\uFEFF${header}1,a,2,b\n`),
      /^given\.csv:1:1 .*: it is UTF-16; save it as UTF-8/,
    ],
    ['UTF-16 without a mark', 'given.json', utf16(`[${rows}]`), /^given\.json:1:1 .*: it is UTF-16;/],
    [
      'a Git LFS pointer',
      'given.csv',
      pointer,
      /^given\.csv:1:1 .*: it is a Git LFS pointer, not the file itself;/,
    ],
    ['a Git LFS pointer', 'given.json', pointer, /^given\.json:1:1 .*: it is a Git LFS pointer/],
    ['a Git LFS pointer', 'given.parquet', pointer, /: it is a Git LFS pointer/],
    [
      'a conflict',
      'given.csv',
      `${header}<<<<<<< ours\n1\n=======\n2\n>>>>>>> theirs\n`,
      /^given\.csv:2:1 .*: line 2 is a conflict marker of git;/,
    ],
    [
      'a conflict',
      'given.json',
      `[\n<<<<<<< ours\n${rows}\n=======\n>>>>>>> b\n]`,
      /^given\.json:2:1 .*: line 2 is a conflict/,
    ],
    ['a NUL', 'given.csv', `${header}1,a,2,\0\n`, /^given\.csv:2:7 .*: byte 26 is NUL/],
    ['a compressed file', 'given.csv', gzipSync(header), /^given\.csv:1:1 .*: it is compressed by gzip;/],
    [
      'JSON Lines',
      'given.json',
      `${rows}\n${rows}\n`,
      /^given\.json:2:1 a second JSON text begins here, as in JSON Lines: .*one list/,
    ],
    [
      'JSON Lines after a mark',
      'given.json',
      `\uFEFF${rows}\r\n\r\n${rows}`,
      /^given\.json:3:1 a second JSON text begins here/,
    ],
    [
      'a list after a list',
      'given.json',
      `[\n  ${rows}\n]\n[\n  ${rows}\n]\n`,
      /^given\.json:4:1 a second JSON text begins here/,
    ],
    [
      'lists with a comma',
      'given.json',
      `[${rows}], [${rows}]`,
      /^given\.json:1:\d+ a second JSON text begins here/,
    ],
    [
      'a list that is cut',
      'given.json',
      `[\n  ${rows},\n  { "id": 2, "note": "b\n`,
      /^given\.json:4:1 The closing quotation mark/,
    ],
    ['brackets too many', 'given.json', `[${rows}]]]\n}\n`, /^given\.json:1:27 /],
    [
      'lines that end in CR only',
      'given.json',
      `[\r${rows}\r]\r`,
      /^given\.json:1:2 The lines of the file end with CR: save it with LF or CRLF/,
    ],
    [
      'lines that end in CR only',
      'given.csv',
      `${header}1,a,2,b\n`.replaceAll('\n', '\r'),
      /^given\.csv:1:19 the lines of the file end with CR/,
    ],
  ])('%s as %s', async (_, name, content, expected) => {
    const { code, problems } = await problemsOf(name, content);
    expect(code).toBe(2);
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });
});

test('--update leaves a test file in Latin-1 as it is', async () => {
  const text = latin1(fromFiles('a.csv', 'b.csv').replace('copies', 'caf\xe9'));
  using folder = testFolder({ 'copy.tran.yaml': copyPipeline, 'copy.test.yaml': text, 'a.csv': header });
  const { code, stderr } = await folder.run('--update');
  expect(code).toBe(2);
  expect(stderr).toContain('error: copy.test.yaml:3:14: the file cannot be read: byte 36 is not UTF-8');
  expect(folder.read('copy.test.yaml')).toBe(text.toString('utf8'));
});

/** Runs the SQL of a file, and handles its failure. */
const script = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Count] } }
    Count:
      type: sql-executor
      parameters: { scriptLocation: File, fileName: count.sql }
      transitions: { success: [Done], failure: [Done] }
    Done: { type: end-success }
`;
const scriptTest = 'pipeline: count\ntests: [{ name: counts, expect: { ran: [Done] } }]\n';

test('a SQL file in Latin-1 makes its test wrong, also where a branch handles the failure', async () => {
  using folder = testFolder({
    'count.orch.yaml': script,
    'count.test.yaml': scriptTest,
    'count.sql': latin1("SELECT 1 AS n;\nSELECT '\xe9' AS e;\n"),
  });
  const { code, stdout, stderr } = await folder.run();
  expect(stderr + stdout).toContain(
    'count.sql:2:9: the file cannot be read: byte 24 is not UTF-8; save the file as UTF-8',
  );
  expect(code).toBe(2);
});

test('a pipeline in Latin-1 makes its test wrong, and the tests of others run', async () => {
  using folder = testFolder({
    'copy.tran.yaml': copyPipeline,
    'copy.test.yaml': fromFiles('rows.csv', 'rows.csv'),
    'rows.csv': `${header}1,a,2,b\n`,
    'count.orch.yaml': latin1(`# \xe9\n${script}`),
    'count.test.yaml': scriptTest,
  });
  const { code, stdout, stderr } = await folder.run();
  expect(stderr).toContain('count.orch.yaml:1:3: The file cannot be read: byte 3 is not UTF-8');
  expect(stdout).toContain('  passed   copies');
  expect(code).toBe(2);
});

test.each([
  [
    'lines that end with CR only',
    copyPipeline.replaceAll('\n', '\r'),
    '1:21: The lines of the file end with CR: save it with LF or CRLF',
  ],
  [
    'one CR among lines with LF',
    copyPipeline.replace('"1.0"\n', '"1.0"\r'),
    '2:15: A CR without an LF: a line must end with LF or CRLF',
  ],
])('a pipeline with %s is one problem', async (_, text, message) => {
  using folder = testFolder({
    'copy.tran.yaml': text,
    'copy.test.yaml': fromFiles('rows.csv', 'rows.csv'),
    'rows.csv': `${header}1,a,2,b\n`,
  });
  const { code, stderr } = await folder.run();
  expect(stderr).toContain(`copy.tran.yaml:${message}`);
  expect(stderr.match(/copy\.tran\.yaml:/g)).toHaveLength(1);
  expect(code).toBe(2);
});

test('a pipeline whose name is not UTF-8 does not keep the tests of others from running', async () => {
  using folder = testFolder({
    'copy.tran.yaml': copyPipeline,
    'copy.test.yaml': fromFiles('rows.csv', 'rows.csv'),
    'rows.csv': `${header}1,a,2,b\n`,
  });
  writeFileSync(Buffer.concat([Buffer.from(`${folder.directory}/`), latin1('\xe9.tran.yaml')]), copyPipeline);
  expect(await folder.run()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
});

test('a data diff names a changed SQL file in Latin-1, and compares nothing with it', async () => {
  using project = diffProject({
    'count.orch.yaml': script,
    'count.test.yaml': scriptTest,
    'count.sql': "SELECT 'e' AS e;\n",
  });
  project.write('count.sql', latin1("SELECT '\xe9' AS e;\n"));
  const { code, stdout, stderr } = await project.text('--exit-code');
  expect(stdout + stderr).toContain('count.sql:1:9: the file cannot be read: byte 9 is not UTF-8');
  expect(code).toBe(2);
});

test('a data diff with a base in Latin-1 compares nothing with it', async () => {
  using project = diffProject({ [pipeline]: latin1(copyPipeline.replace('type', '# \xe9\ntype')) });
  project.write(pipeline, copyPipeline);
  const { code, stdout, stderr } = await project.text('--exit-code');
  expect(stdout + stderr).toContain(`${pipeline}:1:3`);
  expect(stdout + stderr).toContain('byte 3 is not UTF-8');
  expect(code).not.toBe(0);
});

describe('a file that a command reads is refused at its first byte that is not UTF-8', () => {
  const text = latin1('variables:\n  a: caf\xe9\n');
  const commands = [
    ['variables', 'diff', 'a.yaml'],
    ['provision', 'a.yaml'],
    ['streaming', 'apply', 'a.yaml'],
    ['streaming', 'status', '--ids', 'a.yaml'],
    ['audit', '--cursor', 'a.yaml'],
    ['review', '--local', '--working-tree', '--config', 'a.yaml'],
    ['worker', '--config', 'a.yaml'],
    ['platform', '--seed', 'a.yaml'],
    ['api', 'connections.create', '--body', 'a.yaml'],
    ['test', '--config', 'a.yaml'],
    ['diff', '--config', 'a.yaml'],
  ];
  test.each(commands.map((args) => [args.join(' '), args] as const))('%s', async (_, args) => {
    using repository = temporaryRepository();
    repository.write('a.yaml', text);
    const env = { MILLRACE_BASE_URL: 'http://127.0.0.1:9', MILLRACE_TOKEN: 't', MILLRACE_PROJECT_ID: 'p' };
    const { code, stderr } = await inProcess(args, { cwd: repository.directory, env });
    expect(stderr).toMatch(
      /a\.yaml:2:9: .*a\.yaml cannot be read: byte 20 is not UTF-8; save the file as UTF-8\./,
    );
    expect(code).toBe(2);
  });
});

test('standard input that is not UTF-8 is refused', async () => {
  const input = latin1('variables:\n  a: caf\xe9\n');
  const { code, stderr } = await inProcess(['variables', 'diff', '-'], { input });
  expect(stderr).toContain('standard input:2:9: standard input cannot be read: byte 20 is not UTF-8');
  expect(code).toBe(2);
});

test('a token in a file as UTF-16, as some shells write it, is refused before it is sent', async () => {
  using folder = testFolder({ token: Buffer.from('\uFEFFsecret-token', 'utf16le') });
  const env = { MILLRACE_TOKEN_FILE: 'token', MILLRACE_BASE_URL: 'http://127.0.0.1:9' };
  const { code, stdout, stderr } = await inProcess(['doctor'], { cwd: folder.directory, env });
  expect(stderr).toContain('token cannot be read: it is UTF-16; save it as UTF-8.');
  expect(stdout + stderr).not.toMatch(/s.?e.?c.?r.?e.?t/);
  expect(code).toBe(2);
});
