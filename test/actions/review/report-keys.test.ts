import { afterEach, describe, expect, test } from 'vitest';
import { repository } from '../action-environment.ts';
import {
  filtered,
  pipeline,
  testedRepository,
  testFile,
  copyTest,
  type TestedRepository,
} from '../tests/tested-repository.ts';
import { orchestration, warehouseFiles } from '../warehouse-files.ts';

let tested: TestedRepository;
afterEach(() => tested[Symbol.asyncDispose]());

const checks = () =>
  tested.environment.github
    .repository(repository)
    .checkRuns.map(({ name, conclusion }) => [name, conclusion]);

describe('two reviews of one project on a pull request', () => {
  const action = 'actions/review';
  const wrong = {
    'daily/load.orch.yaml': orchestration('load 1'),
    'shared/new.orch.yaml': orchestration('New'),
  };

  test.each([
    ['other files', { files: 'shared/new.orch.yaml' }, 'files: shared/new.orch.yaml; local'],
    ['another limit', { 'fail-on': 'never' }, 'fail-on: never; local'],
    [
      'another agent version, as in a matrix',
      { 'agent-version': '8.0.0', 'fail-on': 'never' },
      'agent-version: 8.0.0; fail-on: never; local',
    ],
  ])('with %s have check runs and comments of their own', async (_, inputs, described) => {
    tested = await testedRepository(warehouseFiles);
    const number = await tested.openPull(wrong);
    const first = await tested.run(number, { action, inputs: { local: 'true' } });
    const second = await tested.run(number, { action, inputs: { local: 'true', ...inputs } });
    expect([first.exitCode, second.exitCode]).toEqual([1, 0]);
    expect(checks()).toEqual([
      ['Millrace review (local)', 'failure'],
      [`Millrace review (${described})`, 'success'],
    ]);
    expect(tested.comments()[0]).toContain('### ❌ Review: failed');
  });
});

test('the comment with tests and data, and the one of a review alone, do not replace each other', async () => {
  tested = await testedRepository(warehouseFiles);
  const number = await tested.openPull({ [pipeline]: filtered });
  await tested.run(number, { action: 'actions/pull-request', inputs: { tests: 'true', local: 'true' } });
  await tested.run(number, { action: 'actions/pull-request', inputs: { tests: 'false', local: 'true' } });
  expect(tested.comments()).toHaveLength(1);
  expect(tested.comments()[0]).toContain('Tests failed');
});

test('a data diff of some tests says so, and leaves the comment of a whole one as it is', async () => {
  // Its rows pass the filter that the pull request adds.
  const equal = copyTest
    .replace('copies the orders', 'copies a late order')
    .replace('{ id: 1, amount: 5 }, ', '')
    .replace('count: 2', 'count: 1');
  tested = await testedRepository({ 'millrace.yaml': 'version: 1\n' });
  const number = await tested.openPull({
    [pipeline]: filtered,
    [testFile]: copyTest,
    'daily/late.test.yaml': equal,
  });
  const action = 'actions/diff';
  await tested.run(number, { action });
  const partial = await tested.run(number, { action, inputs: { filter: 'late' } });
  expect(tested.comments()).toHaveLength(1);
  expect(tested.comments()[0]).toContain('Data changes in 1 table');
  expect(partial.log).toContain('the tables are equal in 1 chosen test.');
  expect(partial.log).toContain('on the rows of 1 chosen test');
});

test('a test run of some tests says which were chosen', async () => {
  tested = await testedRepository();
  const number = await tested.openPull({ 'notes.txt': 'x' });
  const whole = await tested.run(number, { action: 'actions/test' });
  expect(whole.log).not.toContain('chosen');
  const inputs = { files: 'daily\n', filter: 'copies' };
  const partial = await tested.run(number, { action: 'actions/test', inputs });
  expect(partial.log).toContain('Only some tests were chosen: files: daily; filter: copies.');
});
