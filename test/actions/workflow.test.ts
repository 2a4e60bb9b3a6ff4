import { expect, test } from 'vitest';
import { all, endsOf, openExampleScene, runOwnWorkflow } from './own-workflow.ts';
import { repository } from './scene.ts';

test('on a pull request it reviews and changes nothing', async () => {
  await using scene = await openExampleScene();
  const name = 'examples/warehouse/sql/new.sql';
  await scene.builder.commit('feature/x', { [name]: 'SELECT 1;\n' }, { from: 'main' });
  const number = scene.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const { mergeSha, ...payload } = await scene.github.events.pullRequest(repository, number);
  const ref = `refs/pull/${String(number)}/merge`;
  const result = await runOwnWorkflow(scene, { name: 'pull_request', ref, sha: mergeSha, payload });
  expect(endsOf(result).steps).toEqual({
    'Start the local platform': 'success',
    review: 'success',
    ...all('skipped'),
    'Stop the local platform': 'success',
  });
});
