import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryRepository } from '../lib/git/temporary-repository.ts';
import { copy, script } from '../flows/data-graph/small-projects.ts';
import { codeBlocks } from './code-blocks.ts';
import { inProcess } from './in-process.ts';
import { testFolder } from './tests/test-project.ts';

const changed = 'daily/build-customers.tran.yaml';
let repository: ReturnType<typeof temporaryRepository>;

beforeAll(() => {
  repository = temporaryRepository();
  cpSync('examples/warehouse', repository.directory, { recursive: true });
  repository.commit('the example');
  const pipeline = readFileSync(join(repository.directory, changed), 'utf8');
  const renamed = pipeline.replace(
    '- - "COUNTRY"\n          - "COUNTRY"',
    '- - "COUNTRY"\n          - "LAND"',
  );
  if (renamed === pipeline) throw new Error('the example has no such rename');
  repository.write(changed, renamed);
  return () => repository[Symbol.dispose]();
});

const run = (...words: string[]) => inProcess(['compile', ...words], { cwd: repository.directory });

test('the first finding of docs/compile.md is what the command prints', async () => {
  const { code, stdout } = await run('--base', 'HEAD');
  const [shown = ''] = codeBlocks('compile.md', '');
  expect(code).toBe(1);
  expect(stdout.replaceAll(/, [0-9a-f]{10}\)$/gm, ', 0000000000)')).toBe(
    shown.replace('$ npx millrace compile --base HEAD\n', ''),
  );
});

test('what docs/affected.md shows is what the command prints', async () => {
  const { code, stdout } = await inProcess(['affected', '--base', 'HEAD'], { cwd: repository.directory });
  const [shown = ''] = codeBlocks('affected.md', '');
  expect(code).toBe(0);
  expect(stdout.replace(/HEAD \([0-9a-f]{12}\)/, 'HEAD (0123456789ab)')).toBe(
    shown.replace('$ npx millrace affected --base HEAD\n', ''),
  );
});

test('test --affected runs only the tests whose result the change may change', async () => {
  const { code, stdout } = await inProcess(['test', '--affected', 'HEAD', '--list', '--json'], {
    cwd: repository.directory,
  });
  expect(code).toBe(0);
  const { tests } = JSON.parse(stdout) as { tests: readonly { file: string }[] };
  expect([...new Set(tests.map(({ file }) => file))]).toEqual([
    'daily/build-customers.test.yaml',
    'daily/load.test.yaml',
  ]);
  for (const more of [[], ['--list']])
    expect(
      await inProcess(['test', 'reports', '--affected', 'HEAD', ...more], { cwd: repository.directory }),
    ).toMatchObject({ code: 0, stdout: 'No test is affected by the change.\n' });
});

test('the drawing of docs/affected.md is what the command prints', async () => {
  const { stdout } = await inProcess(['affected', '--format', 'mermaid'], { cwd: repository.directory });
  expect(codeBlocks('affected.md', 'mermaid')).toEqual([stdout]);
});

test('the matrix has the entry points', async () => {
  const { stdout } = await inProcess(['affected', '--format', 'matrix'], { cwd: repository.directory });
  expect(JSON.parse(stdout)).toEqual({
    pipeline: ['daily/changed-customers.tran.yaml', 'daily/load.orch.yaml'],
  });
});

test('without a base, each reader is a finding; the report in Markdown has the same', async () => {
  const text = await run();
  expect(text.code).toBe(1);
  expect(text.stdout).toContain(
    '16:12    error    the column "COUNTRY" was not found in the table "TEST"."PUBLIC"."CUSTOMERS"; it has "CUSTOMER_ID", "CUSTOMER_NAME", "LAND" (the table is created at daily/build-customers.tran.yaml:60)',
  );
  expect(text.stdout).toMatch(/13 pipelines compiled: 4 findings\.\n$/);
  const markdown = await run('--format', 'markdown');
  expect(markdown.stdout).toContain('13 pipelines compiled&#58; 4 findings.');
});

test('the example itself has no finding, and all its reads are bound', async () => {
  const { code, stdout } = await inProcess(['compile', '--json'], { cwd: 'examples/warehouse' });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ findings: [], pipelines: 13, reads: { bound: 17, total: 17 } });
});

test('--json and another format exclude each other', async () => {
  const { code, stderr } = await run('--json', '--format', 'markdown');
  expect(code).toBe(2);
  expect(stderr + (await run('--json', '--format', 'text')).stdout).toContain(
    '--json cannot be combined with --format',
  );
});

test('a baseline that --update-baseline records makes findings known, also as SARIF', async () => {
  using folder = testFolder({
    'millrace.yaml': 'version: 1\ncompile:\n  rules: { given-column: off }\n',
    'a.tran.yaml': copy('ORDERS', ['ID'], 'SALES'),
    'b.tran.yaml': copy('SALES', ['PRICE'], 'REPORT'),
    'schema.sql.orch.yaml': script('create or replace table ORDERS (ID number);'),
  });
  const compile = (...words: string[]) => inProcess(['compile', ...words], { cwd: folder.directory });
  const sarif = async () => {
    const { stdout } = await compile('--format', 'sarif');
    const { runs } = JSON.parse(stdout) as { runs: readonly { results: readonly object[] }[] };
    return runs[0]?.results;
  };
  expect(await sarif()).toMatchObject([
    { ruleId: 'compile/missing-column', level: 'error', baselineState: 'new' },
  ]);
  const recorded = await compile('--update-baseline');
  expect(recorded.code).toBe(0);
  expect(recorded.stdout).toContain(
    'Recorded 1 finding in .platform/compile-baseline.json. Commit this file.',
  );
  expect(await compile()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/known findings: 1\n3 pipelines compiled: 0 new findings\.\n$/),
  });
  expect(await sarif()).toMatchObject([{ baselineState: 'unchanged' }]);

  folder.write('c.tran.yaml', 'pipeline: [');
  const unread = await compile('--update-baseline');
  expect(unread.code).toBe(1);
  expect(unread.stdout).toMatch(/^c\.tran\.yaml\n  1:12 .* \(compile\/unreadable-pipeline, /);
  expect(unread.stdout).toContain('1 pipeline could not be read, so not all findings are recorded');
  expect(await compile()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/3 of 4 pipelines compiled: 1 new finding/),
  });
});

test('compile --staged checks calls and tables of the staged files, and columns only with --columns', async () => {
  using work = temporaryRepository();
  const make = (table: string) => script(`create or replace table ${table};`);
  work.write('make.orch.yaml', make('T (A number, B number)'));
  work.write('read.orch.yaml', script('create or replace table R as select B from T;'));
  work.commit('both');
  const staged = async (text: string, ...more: string[]) => {
    work.write('make.orch.yaml', text);
    work.git('add', 'make.orch.yaml');
    work.write('make.orch.yaml', make('T (A number, B number)'));
    const { code, stdout } = await inProcess(['compile', '--staged', '--json', ...more], {
      cwd: work.directory,
    });
    const { findings } = JSON.parse(stdout) as {
      readonly findings: readonly { rule: string; file: string }[];
    };
    return [code, ...findings.map(({ rule, file }) => `${rule} ${file}`)];
  };
  expect(await staged(make('T (A number)'))).toEqual([0]);
  expect(await staged(make('T (A number)'), '--columns')).toEqual([1, 'breaking-change make.orch.yaml']);
  expect(await staged(make('U (A number, B number)'))).toEqual([1, 'missing-table read.orch.yaml']);
  expect(await staged('pipeline: [')).toEqual([1, 'unreadable-pipeline make.orch.yaml']);
  expect(await inProcess(['compile', '--staged', '--base', 'HEAD'], { cwd: work.directory })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be combined with --base') as string,
  });
});

test('compile --staged checks the range of commits that pre-commit names, and the push', async () => {
  using work = temporaryRepository();
  work.write('make.orch.yaml', script('create or replace table T (A number);'));
  work.write('read.orch.yaml', script('create or replace table R as select A from T;'));
  work.commit('both');
  const both = work.git('rev-parse', 'HEAD').trim();
  rmSync(join(work.directory, 'make.orch.yaml'));
  work.commit('without the writer');
  const without = work.git('rev-parse', 'HEAD').trim();
  const checked = async (env: Readonly<Record<string, string>>) => {
    const { code, stdout } = await inProcess(['compile', '--staged', '--json'], {
      cwd: work.directory,
      env: { PRE_COMMIT: '1', ...env },
    });
    const { findings = [] } = JSON.parse(stdout) as { readonly findings?: readonly { rule: string }[] };
    return [code, ...findings.map(({ rule }) => rule)];
  };
  const range = { PRE_COMMIT_FROM_REF: both, PRE_COMMIT_TO_REF: without };
  expect(await checked({})).toEqual([0]);
  expect(await checked(range)).toEqual([1, 'missing-table']);
  expect(await checked({ ...range, PRE_COMMIT_REMOTE_BRANCH: 'refs/heads/main' })).toEqual([
    1,
    'missing-table',
  ]);
  // Back to the commit that has the writer.
  expect(await checked({ PRE_COMMIT_FROM_REF: without, PRE_COMMIT_TO_REF: both })).toEqual([0]);
  expect(await checked({ ...range, PRE_COMMIT_FROM_REF: '0'.repeat(40) })).toEqual([0]);
  expect(await checked({ ...range, PRE_COMMIT_FROM_REF: 'no-such-branch' })).toEqual([2]);
});
