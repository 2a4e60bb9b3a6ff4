import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/testing.md'), 'utf8');

const query = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Sum] } }
    Sum:
      type: query-to-scalar
      transitions: { success: [Note] }
      parameters:
        mode: Advanced
        query: 'SELECT SUM(o.amount) AS total FROM sales.orders o JOIN customers c ON c.id = o.customer_id WHERE o.day <= CURRENT_DATE()'
        scalarVariableMapping: [[total, TOTAL]]
    Note: { type: send-email, transitions: { success: [Script] } }
    Script:
      type: python-pushdown
      parameters: { pythonScript: "context.updateVariable('batch_number', 5)" }
  variables:
    total: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
    batch_number: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`;

describe('--init writes a first test that passes', () => {
  test.each([
    [
      'a transformation',
      'daily/build-orders',
      'daily/build-orders',
      ['given:', 'staging_orders:', 'orders:'],
    ],
    [
      'an orchestration that needs a mock',
      'daily/load.orch.yaml',
      'daily/load',
      ['mock:', 'Load Files:', 'rows_loaded: 1', 'not-ran: [Notify Failure, No Orders]'],
    ],
    [
      'tables that only SQL names, notices and Python',
      'query',
      'query',
      [
        'sales.orders'.toUpperCase(),
        'CUSTOMERS:',
        'CUSTOMER_ID',
        'total: 1.50',
        'batch_number: 1',
        'Note: {}',
      ],
    ],
  ])('for %s', async (_, name, file, parts) => {
    using folder = testFolder({
      'daily/build-orders.tran.yaml': copyPipeline,
      'daily/load.orch.yaml': loadPipeline,
      'query.orch.yaml': query,
    });
    const ended = await folder.run('--init', name);
    expect(ended).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining(`Wrote ${file}.test.yaml.`),
    });
    for (const part of parts) expect(folder.read(`${file}.test.yaml`)).toContain(part);
    expect(await folder.report()).toMatchObject({ passed: 1, failed: 0, refused: 0 });
  });

  test('and gives a number that a condition compares with a whole one a scale', async () => {
    const [, pipeline = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    using folder = testFolder({ 'build-orders.tran.yaml': pipeline });
    await folder.run('--init', 'build-orders');
    expect(folder.read('build-orders.test.yaml')).toContain(
      "columns: { id: NUMBER, amount: 'NUMBER(38,2)' }",
    );
  });

  test('and fails when the pipeline changes', async () => {
    using folder = testFolder({ 'daily/build-orders.tran.yaml': copyPipeline });
    await folder.run('--init', 'daily/build-orders');
    folder.write(
      'daily/build-orders.tran.yaml',
      copyPipeline.replace('targetTable: orders', 'targetTable: other'),
    );
    expect(await folder.report()).toMatchObject({ failed: 1 });
  });
});

test('--init does not overwrite a file, and --dry-run writes none', async () => {
  using folder = testFolder({ 'a.tran.yaml': copyPipeline });
  const dry = await folder.run('--init', 'a', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pipeline: a\ntests:\n/) });
  expect(folder.has('a.test.yaml')).toBe(false);
  folder.write('a.test.yaml', 'mine');
  expect(await folder.run('--init', 'a')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a.test.yaml exists already'),
  });
  expect(folder.read('a.test.yaml')).toBe('mine');
});

test('--init writes no test for a pipeline with a construct that the engine refuses', async () => {
  const refused = copyPipeline.replace('columnNames:', 'timeOffset: 1h\n        columnNames:');
  using folder = testFolder({ 'a.tran.yaml': refused });
  expect(await folder.run('--init', 'a')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^a\.tran\.yaml:11:21 {2}component "Staged": not supported: a table read at a past time/,
    ),
  });
  expect(folder.has('a.test.yaml')).toBe(false);
});

test('--init names the components that it mocks', async () => {
  using folder = testFolder({ 'a.tran.yaml': copyPipeline.replace('rewrite-table', 'rewrite-lake') });
  expect(await folder.run('--init', 'a')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Mocked, because they do not run here: Write Orders.\n'),
  });
});

test('--init for a pipeline that does not exist is an error', async () => {
  using folder = testFolder({ 'a.tran.yaml': copyPipeline });
  expect(await folder.run('--init', 'b')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The pipeline "b" does not exist in the project.'),
  });
});
