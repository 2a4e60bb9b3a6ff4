import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  copyTest,
  filtered,
  pipeline,
  testedRepository,
  testFile,
  type TestedRepository,
} from './tested-repository.ts';
import { copyPipeline } from '../../cli/tests/test-project.ts';
import { leaksOf } from '../leaks.ts';
import { orchestration, warehouseFiles } from '../warehouse-files.ts';

const action = 'actions/pull-request';

let tested: TestedRepository;

beforeEach(async () => {
  tested = await testedRepository(warehouseFiles);
});
afterEach(() => tested[Symbol.asyncDispose]());

const run: TestedRepository['run'] = (number, { inputs, ...given }) =>
  tested.run(number, { ...given, inputs: { tests: 'true', ...inputs } });

test('with tests, one comment has the review, the tests and the data, each with its figures', async () => {
  const number = await tested.openPull({
    [pipeline]: filtered,
    'daily/load.orch.yaml': orchestration('load 1'),
  });
  const result = await run(number, { action });
  expect(result.errors).toEqual([]);
  expect(result.steps).toMatchObject({
    review: 'failure',
    test: 'failure',
    diff: 'success',
    comment: 'success',
  });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({
    outcome: 'failed',
    'test-outcome': 'failed',
    'changed-tables': '1',
  });
  expect(tested.comments()).toHaveLength(1);
  const [body = ''] = tested.comments();
  expect(body).toMatch(
    /^<!-- millrace:pull%20request -->\n### ❌ Review failed · Tests failed · Data changes in 1 table/,
  );
  expect(body).toContain('<details open><summary><b>Review</b>: ');
  expect(body).toContain('component-naming-convention');
  expect(body).toContain(
    '<details open><summary><b>Tests</b>: 1 test&#58; 0 passed, 1 failed, 0 refused.</summary>',
  );
  expect(body).toContain(
    '<details><summary><b>Data</b>: Data changes in 1 table&#58; orders +0 −1 &#126;0 in 1 test; no test runs 1 change.</summary>',
  );
  expect(body).toContain('- 1 ');
});

/** The pull request marks it as equal. Only marks of the base count. */
const markedChange = '6wzoq9';

test('with mutate, the part Tests has the score of the changed components, and what no test notices', async () => {
  const own = `mutation:\n  equal:\n    - { file: ${pipeline}, change: ${markedChange}, reason: The pull request says so. }\n`;
  const number = await tested.openPull({
    [pipeline]: filtered.replace("'1'", "'0'"),
    'millrace.yaml': `${warehouseFiles['millrace.yaml']}${own}`,
  });
  const inputs = { mutate: 'true', 'mutate-threshold': '80' };
  const result = await run(number, { action, inputs });
  expect(result.steps).toMatchObject({ review: 'success', test: 'failure' });
  const [body = ''] = tested.comments();
  const score = '3 of 5 planted changes noticed (60 %), below the threshold of 80 %.';
  expect(body).toContain(`<b>Tests</b>: 1 test&#58; 1 passed, 0 failed, 0 refused. ${score}</summary>`);
  expect(body).toContain('Greater than → Greater than or equal to. The test that runs it passes');
  expect(body).toContain(`(change ${markedChange})`);
  expect(body).toContain(
    '1 mark of mutation.equal in millrace.yaml does not count yet&#58; the base lacks it.',
  );
  expect(body).toContain('daily/copy-orders.tran.yaml?plain=1#L15');
  expect(result.summary).toContain('Late Orders');
  expect(result.annotations.map(({ file, title }) => [file, title])).toContainEqual([
    pipeline,
    'millrace/change-not-noticed',
  ]);
});

test('the comment has what the change affects, above all the readers of changed columns', async () => {
  const totals = copyPipeline
    .replace('targetTable: orders', 'targetTable: totals')
    .replace('staging_orders', 'orders');
  await tested.commit({ 'report/totals.tran.yaml': totals }, 'main');
  const number = await tested.openPull({ [pipeline]: copyPipeline.replace(', note]', ']') });
  const result = await run(number, { action });
  expect(result.errors).toEqual([]);
  expect(result.outputs).toMatchObject({
    'entry-points': '2',
    matrix: JSON.stringify({ pipeline: [pipeline, 'report/totals.tran.yaml'] }),
    'affected-tests': JSON.stringify([testFile]),
  });
  const [body = ''] = tested.comments();
  const affected = body.split('<details>').at(-1)?.replaceAll('&#58;', ':');
  expect(affected).toContain(
    '<summary><b>Affected</b>: 1 pipeline changed, 1 more affected; 2 entry points and 1 test file to run. 1 changed column has 1 reader.</summary>',
  );
  expect(affected).toContain(
    'orders.note | removed | daily/copy-orders.tran.yaml:12 | report/totals.tran.yaml:5',
  );
  expect(affected).toContain(
    'report/totals.tran.yaml:5 | report/totals reads orders, which daily/copy-orders writes; daily/copy-orders changed at line',
  );
});

test('without the engine, the comment says that it is not known what the change affects', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  const result = await run(number, { action, inputs: { engine: 'no-such-folder' } });
  expect(result.steps).toMatchObject({ diff: 'failure', comment: 'success' });
  expect(tested.comments()[0]).toContain(
    '<b>Affected</b>: It is not known what the change affects, because the step that compares the data has no result.',
  );
});

test('the platform’s secrets are in no comment, also if the rows of a test hold them', async () => {
  const token = tested.environment.platform.tokens.member;
  const number = await tested.openPull({
    [pipeline]: filtered,
    [testFile]: copyTest
      .replace('{ id: 1, amount: 5 }', `{ id: 1, amount: 5, note: "${token}" }`)
      .replace('{ count: 2 }', `{ rows: [{ id: 2, note: "${token}" }] }`),
  });
  const result = await run(number, { action, inputs: { token } });
  expect(result.errors).toEqual([]);
  expect(tested.comments()).toHaveLength(1);
  expect(tested.comments()[0]).toContain('[secret]');
  expect(leaksOf([token], tested.comments())).toEqual([]);
});

test('a pull request with nothing to say gets no comment', async () => {
  const number = await tested.openPull({ 'notes.txt': 'x' });
  const result = await run(number, { action });
  expect(result).toMatchObject({ exitCode: 0, outputs: { 'test-outcome': 'passed', 'changed-tables': '0' } });
  expect(tested.comments()).toEqual([]);
});

test.each(['no', 'yes please', '1'])(
  'the input tests: %s is refused, as every input that must be true or false',
  async (tests) => {
    const number = await tested.openPull({ [pipeline]: filtered });
    const result = await run(number, { action, inputs: { tests } });
    expect(result).toMatchObject({ exitCode: 2, errors: [], outputs: { outcome: 'error' } });
    expect(result.steps).toMatchObject({ validate: 'failure', review: 'skipped', test: 'skipped' });
    expect(result.annotations).toMatchObject([
      { title: 'Millrace: usage', message: expect.stringContaining('"tests" must be true or false.') },
    ]);
  },
);
