import { expect, test } from 'vitest';
import { all, endsOf, createExampleEnvironment, runOwnWorkflow } from './own-workflow.ts';
import { repository } from '../action-environment.ts';

test('the workflow that uses the actions by path runs from review to rollback on a push', async () => {
  await using testEnvironment = await createExampleEnvironment();
  const ref = 'refs/heads/main';
  const sha = (await testEnvironment.github.repository(repository).git.commit(ref)) ?? '';
  const payload = await testEnvironment.github.events.push(repository, ref);
  const result = await runOwnWorkflow(testEnvironment, { name: 'push', ref, sha, payload });
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
