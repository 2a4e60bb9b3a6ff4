import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyPipeline } from '../../cli/tests/test-project.ts';
import {
  filtered,
  pipeline,
  testedRepository,
  testFile,
  type TestedRepository,
} from './tested-repository.ts';
import { warehouseFiles } from '../warehouse-files.ts';

const action = 'actions/pull-request';

let tested: TestedRepository;

beforeEach(async () => {
  tested = await testedRepository(warehouseFiles);
});
afterEach(() => tested[Symbol.asyncDispose]());

const run: TestedRepository['run'] = (number, { inputs, ...given }) =>
  tested.run(number, { ...given, inputs: { tests: 'true', ...inputs } });

test('the comment follows the next commit, and there is never a second one', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  await run(number, { action, inputs: { tests: 'false', 'fail-on': 'never' } });
  expect(tested.comments()).toEqual([]);
  await run(number, { action });
  await tested.commit({ [pipeline]: `${copyPipeline}# as before\n` });
  const result = await run(number, { action });
  expect(result.exitCode).toBe(0);
  expect(tested.comments()).toHaveLength(1);
  expect(tested.comments()[0]).toMatch(/^<!-- millrace:pull%20request -->\n### ✅ Passed\n/);
});

test('a token that may only read changes no result', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  const result = await run(number, { action, as: 'reader' });
  expect(result.steps).toMatchObject({
    review: 'success',
    test: 'failure',
    diff: 'success',
    comment: 'success',
  });
  expect(tested.comments()).toEqual([]);
  expect(result.log).toContain('The comment was not written.');
});

test('a test file that is wrong is shown as a result that is missing', async () => {
  const number = await tested.openPull({ [testFile]: 'pipeline: nowhere\ntests: []\n' });
  const result = await run(number, { action });
  expect(result.exitCode).toBe(2);
  expect(tested.comments()[0]).toMatch(/### ❌ Tests&#58; no result · Data&#58; no result\n/);
});

test('with `comment: off` there is no comment', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  const result = await run(number, { action, inputs: { comment: 'off' } });
  expect(result.steps).toMatchObject({ comment: 'skipped' });
  expect(tested.comments()).toEqual([]);
});
