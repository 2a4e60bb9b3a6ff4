import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPipeline } from '../../cli/tests/test-project.ts';
import { createTestWorkspace, root, type TestWorkspace } from './test-action.ts';

const good = `pipeline: build-orders
tests:
  - name: copies the orders
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows: [{ id: 1, note: a }, { id: 2 }]
    expect: { tables: { orders: { rows: [{ id: 1, note: a }, { id: 2 }] } } }
`;
const bad = good.replace('copies the', 'changes the').replace('note: a }, { id: 2 }] } }', 'note: b }] } }');

const unfit = `pipeline:
  components:
    Orders: { type: table-input, parameters: { targetTable: orders, columnNames: [id, price] } }
`;

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createTestWorkspace({
    'good/build-orders.tran.yaml': copyPipeline,
    'good/build-orders.test.yaml': good,
    'bad/build-orders.tran.yaml': copyPipeline,
    'bad/a.test.yaml': good,
    'bad/b.test.yaml': bad,
    'refused/build-orders.tran.yaml': copyPipeline.replace('type: rewrite-table', 'type: rewrite-lake'),
    'refused/a.test.yaml': good,
    'broken/build-orders.tran.yaml': copyPipeline,
    'broken/a.test.yaml': good.replace('DATE', 'DAT').replace('orders: { rows', 'orders: { row'),
    'broken/b.test.yaml': good.replace('build-orders', 'build-order'),
    'mixed/build-orders.tran.yaml': copyPipeline,
    'mixed/a.test.yaml': bad,
    'mixed/b.test.yaml': good.replace('expect:', 'expects:'),
    'none/build-orders.tran.yaml': copyPipeline,
    'unfit/build-orders.tran.yaml': copyPipeline,
    'unfit/build-orders.test.yaml': good,
    'unfit/report.tran.yaml': unfit,
    'left-out/millrace.yaml': 'version: 1\ncompile: { enabled: false }\n',
    'left-out/build-orders.tran.yaml': copyPipeline,
    'left-out/build-orders.test.yaml': good,
    'left-out/report.tran.yaml': unfit,
  });
});
afterAll(() => workspace[Symbol.asyncDispose]());

test('tests that pass: outputs, summary, JUnit file, coverage, and no annotation', async () => {
  const result = await workspace.run({ 'working-directory': 'good' });
  expect([result.exitCode, result.log, result.annotations, result.errors]).toEqual([
    0,
    expect.stringContaining('1 test: 1 passed, 0 failed, 0 refused.'),
    [],
    [],
  ]);
  expect(result.steps).toEqual({ install: 'skipped', test: 'success' });
  expect(result.outputs).toMatchObject({
    outcome: 'passed',
    tests: '1',
    passed: '1',
    failed: '0',
    refused: '0',
  });
  expect(result.summary).toContain('### ✅ Test: passed');
  expect(result.summary).toContain('- components reached: <code>2 of 2</code>');
  expect(result.files['summary-path']?.trim()).toBe(result.summary.trim());
  expect(JSON.parse(result.files['report-path'] ?? '')).toMatchObject({ action: 'test', outcome: 'passed' });
  expect(result.files['junit-path']).toContain('<testsuites name="millrace test" tests="1" failures="0"');
  expect(JSON.parse(result.files['coverage-path'] ?? '')).toMatchObject({
    pipelines: [{ pipeline: 'build-orders.tran.yaml', components: { reached: 2, all: 2 } }],
  });
});

test('a false expectation is an error on its line, and a warning on the line of its component', async () => {
  const result = await workspace.run({ 'working-directory': 'bad' });
  expect([result.exitCode, result.outputs['outcome'], result.outputs['failed']]).toEqual([1, 'failed', '1']);
  expect(result.annotations).toEqual([
    {
      level: 'error',
      title: 'millrace/test-failed',
      file: 'bad/b.test.yaml',
      line: 8,
      endLine: 8,
      column: 42,
      endColumn: 42,
      message:
        'changes the orders: table "orders": 1 row differs, 1 row was not expected. First: expected id 1, note b; actual id 1, note a',
    },
    {
      level: 'warning',
      title: 'millrace/test-component',
      file: 'bad/build-orders.tran.yaml',
      line: 12,
      endLine: 12,
      column: 5,
      endColumn: 5,
      message:
        'The component "Write Orders" causes a false expectation of the test "changes the orders" (bad/b.test.yaml:8): table "orders": 1 row differs, 1 row was not expected',
    },
  ]);
  expect(result.summary).toContain('~ 1   b    | 1   a');
  expect(result.log).toContain('~ 1   b    | 1   a');
  expect(result.files['junit-path']).toContain('failures="1"');
});

test('a column that a pipeline reads and none writes is a warning, and an error with compile: fail', async () => {
  const annotation = {
    title: 'compile/missing-column',
    file: 'unfit/report.tran.yaml',
    line: 3,
    message: expect.stringContaining(
      'the column "price" was not found in the table "TEST"."PUBLIC"."orders"',
    ),
  };
  const warned = await workspace.run({ 'working-directory': 'unfit' });
  expect([warned.exitCode, warned.outputs]).toMatchObject([
    0,
    { outcome: 'passed', passed: '1', findings: '1' },
  ]);
  expect(warned.annotations).toMatchObject([{ level: 'warning', ...annotation }]);
  expect(warned.log).toContain('1 test: 1 passed, 0 failed, 0 refused. 2 pipelines compiled: 1 finding.');
  const failed = await workspace.run({ 'working-directory': 'unfit', compile: 'fail' });
  expect([failed.exitCode, failed.outputs]).toMatchObject([
    1,
    { outcome: 'failed', failed: '0', findings: '1' },
  ]);
  expect(failed.annotations).toMatchObject([{ level: 'error', ...annotation }]);
  const off = { 'working-directory': 'unfit', compile: 'off' };
  for (const inputs of [off, { 'working-directory': 'left-out', compile: 'fail' }]) {
    const without = await workspace.run(inputs);
    expect([without.exitCode, without.annotations, without.outputs]).toMatchObject([0, [], { findings: '' }]);
  }
});

test('a construct that the engine refuses is an error on its line', async () => {
  const result = await workspace.run({ 'working-directory': 'refused', coverage: 'false' });
  expect([result.exitCode, result.outputs['outcome'], result.outputs['refused']]).toEqual([1, 'failed', '1']);
  expect(result.annotations).toMatchObject([
    { level: 'error', title: 'millrace/test-refused', file: 'refused/build-orders.tran.yaml', line: 12 },
  ]);
  expect(result.annotations[0]?.message).toContain(
    'Millrace does not support the component type rewrite-lake',
  );
  expect(result.outputs['coverage-path']).toBe('');
});

test('in a folder without millrace.yaml above projects, the step fails with 2, unless tests are named', async () => {
  await using above = await createTestWorkspace({
    'build-orders.tran.yaml': copyPipeline,
    'a.test.yaml': good,
    'finance/millrace.yaml': 'version: 1\n',
    'finance/build-orders.tran.yaml': copyPipeline,
    'finance/a.test.yaml': bad,
  });
  const result = await above.run();
  expect([result.exitCode, result.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('these folders below it have one: finance. So the action would test no project'),
  ]);
  expect((await above.run({ files: 'a.test.yaml' })).exitCode).toBe(0);
  await above.write('millrace.yaml', 'version: 1\n');
  expect((await above.run()).exitCode).toBe(0);
});

test('a file as working-directory is refused with the input', async () => {
  await workspace.write('notes.txt', 'x');
  const { exitCode, annotations } = await workspace.run({ 'working-directory': 'notes.txt' });
  expect([exitCode, annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('"notes.txt" is not a folder.'),
  ]);
});

test('without a test, the step fails with 2 and never passes', async () => {
  const none = await workspace.run({ 'working-directory': 'none' });
  expect([none.exitCode, none.outputs['outcome']]).toEqual([2, 'error']);
  expect(none.annotations).toMatchObject([{ level: 'error', title: 'Millrace: no-test' }]);
  const filtered = await workspace.run({ 'working-directory': 'good', filter: 'late' });
  expect([filtered.exitCode, filtered.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('No test has a name that contains "late".'),
  ]);
  expect(none.summary).toContain('### ❌ Test: error');
});

test('every problem of broken test files is annotated on its line, and the step fails with 2', async () => {
  const { exitCode, outputs, annotations, files } = await workspace.run({ 'working-directory': 'broken' });
  expect([exitCode, outputs['outcome'], outputs['tests']]).toEqual([2, 'error', '0']);
  expect(files['junit-path']).toContain('<testsuite name="b.test.yaml" tests="1" failures="0" errors="1"');
  expect(new Set(annotations.map(({ level, title }) => [level, title].join(' ')))).toEqual(
    new Set(['error Millrace: test-invalid']),
  );
  // The last one lists all.
  expect(annotations.map(({ file, line }) => [file, line])).toEqual([
    ['broken/b.test.yaml', 1],
    ['broken/a.test.yaml', 8],
  ]);
  expect(annotations.at(-1)?.message).toContain('2 problems:');
});

test('a false expectation is annotated also where another test file is broken', async () => {
  const { exitCode, outputs, annotations, files } = await workspace.run({ 'working-directory': 'mixed' });
  expect([exitCode, outputs['outcome'], outputs['failed']]).toEqual([2, 'error', '1']);
  expect(files['junit-path']).toContain('<testsuites name="millrace test" tests="2" failures="1" errors="1"');
  expect(files['junit-path']).toContain('<error message=');
  expect(JSON.parse(files['coverage-path'] ?? '')).toHaveProperty('pipelines');
  expect(JSON.parse(files['report-path'] ?? '')).toMatchObject({
    outcome: 'error',
    failed: 1,
    error: { code: 'test-invalid' },
  });
  expect(files['summary-path']).toContain('build-orders');
  expect(annotations.map(({ level, title, file, line }) => [level, title, file, line])).toEqual([
    ['error', 'millrace/test-failed', 'mixed/a.test.yaml', 8],
    ['warning', 'millrace/test-component', 'mixed/build-orders.tran.yaml', 12],
    ['error', 'Millrace: test-invalid', 'mixed/b.test.yaml', 8],
  ]);
});

test('tests are chosen by file, folder and name, relative to the project', async () => {
  const result = await workspace.run({ 'working-directory': 'bad', files: 'a.test.yaml\n', jobs: '1' });
  expect([result.exitCode, result.outputs['tests']]).toEqual([0, '1']);
  const wrong = await workspace.run({ 'working-directory': 'bad', files: 'c.test.yaml' });
  expect([wrong.exitCode, wrong.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('"c.test.yaml" does not exist in the project.'),
  ]);
});

test('a folder without the engine, or with a relative name, is named in the error', async () => {
  const result = await workspace.run({ 'working-directory': 'good', engine: 'good' });
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: engine-missing']);
  expect(result.annotations[0]?.message).toContain(
    `The folder "${join(workspace.folder, 'good')}" has no @duckdb/node-api@1.5.5-r.5 that can be loaded`,
  );
});

test('a cancelled workflow ends a running query, and the step ends as cancelled', async () => {
  const rows = Array.from({ length: 100 }, (_, id) => `{ id: ${id} }`).join(', ');
  await workspace.write(
    'endless/a.tran.yaml',
    `pipeline:
  components:
    Query: { type: sql, parameters: { query: 'SELECT COUNT(*) AS n FROM "a" a CROSS JOIN "a" b CROSS JOIN "a" c CROSS JOIN "a" d CROSS JOIN "a" e CROSS JOIN "a" f' } }
    Write: { type: rewrite-table, sources: [Query], parameters: { targetTable: totals } }
`,
  );
  await workspace.write(
    'endless/a.test.yaml',
    `pipeline: a\ntests: [{ name: ends, given: { a: { rows: [${rows}] } }, expect: { tables: { totals: { count: 1 } } } }]\n`,
  );
  const cancel = new AbortController();
  const result = await workspace.run(
    { 'working-directory': 'endless' },
    {
      signal: cancel.signal,
      onLine: (line) => {
        if (line.startsWith('Running the tests of 1 file')) cancel.abort();
      },
    },
  );
  expect([result.outcome, result.exitCode, result.outputs['outcome']]).toEqual([
    'cancelled',
    130,
    'cancelled',
  ]);
});

test('a name in a test file starts no workflow command, and sets no output', async () => {
  await workspace.write('hostile/build-orders.tran.yaml', copyPipeline);
  await workspace.write(
    'hostile/a.test.yaml',
    bad.replace('changes the orders', '"x\\n::error::injected\\n##[error]y%0A::notice::z"'),
  );
  const result = await workspace.run({ 'working-directory': 'hostile', engine: root });
  expect(result.annotations.map(({ title }) => title)).toEqual([
    'millrace/test-failed',
    'millrace/test-component',
  ]);
  expect(result.log).not.toMatch(/^(?:::error::injected|::notice)/m);
});

test('with `cache`, a test that passed does not run again, and a folder in the workspace is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-cache-'));
  try {
    const run = () => workspace.run({ 'working-directory': 'good', cache: folder });
    expect((await run()).log).toContain('1 test: 1 passed, 0 failed, 0 refused.');
    const again = await run();
    expect(again.log).toContain('1 test: 1 passed (1 from the cache), 0 failed, 0 refused.');
    expect(again.outputs).toMatchObject({ outcome: 'passed', tests: '1', passed: '1' });
    const inside = await workspace.run({ 'working-directory': 'good', cache: 'good/cache' });
    expect(inside.exitCode).toBe(2);
    expect([inside.log, ...inside.annotations.map(({ message }) => message)].join()).toContain(
      'is in the workspace',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
