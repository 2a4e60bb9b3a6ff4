import { expect, test } from 'vitest';
import { all, endsOf, createExampleEnvironment, runOwnWorkflow } from './own-workflow.ts';
import { repository } from '../action-environment.ts';

test('on a pull request it reviews and changes nothing', async () => {
  await using testEnvironment = await createExampleEnvironment();
  const name = 'examples/warehouse/sql/new.sql';
  await testEnvironment.builder.commit('feature/x', { [name]: 'SELECT 1;\n' }, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const { mergeSha, ...payload } = await testEnvironment.github.events.pullRequest(repository, number);
  const ref = `refs/pull/${String(number)}/merge`;
  const result = await runOwnWorkflow(testEnvironment, { name: 'pull_request', ref, sha: mergeSha, payload });
  expect(endsOf(result).steps).toEqual({
    'Start the local platform': 'success',
    review: 'success',
    ...all('skipped'),
    'Stop the local platform': 'success',
  });
});
