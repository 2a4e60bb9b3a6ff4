import { expect, test } from 'vitest';
import { all, endsOf, openExampleScene, runOwnWorkflow } from './own-workflow.ts';
import { repository } from './scene.ts';

test('the workflow that uses the actions by path runs from review to rollback on a push', async () => {
  await using scene = await openExampleScene();
  const ref = 'refs/heads/main';
  const sha = (await scene.github.repository(repository).git.commit(ref)) ?? '';
  const payload = await scene.github.events.push(repository, ref);
  const result = await runOwnWorkflow(scene, { name: 'push', ref, sha, payload });
  expect(endsOf(result)).toEqual({
    steps: {
      'Start the local platform': 'success',
      review: 'success',
      ...all('success'),
      'Stop the local platform': 'success',
    },
    log: expect.any(String),
  });
});
