import { describe, expect, test } from 'vitest';
import { readCommitStatus, setCommitStatus } from '../../../lib/github/commit-status.ts';
import { oneRepository, repository } from '../../environment/github/one-repository.ts';

const here = oneRepository();

describe('a commit status', () => {
  test('is set with its description shortened to GitHub’s limit, and read back', async () => {
    const connection = here.connect('writer');
    const status = {
      sha: here.head,
      state: 'pending',
      context: 'millrace/to-test',
      description: 'x'.repeat(200),
    } as const;
    await setCommitStatus(connection, status);
    expect(here.github.repository(repository).statuses[0]?.description).toHaveLength(140);
    expect(await readCommitStatus(connection, here.head, 'millrace/to-test')).toMatchObject({
      state: 'pending',
    });
    expect(await readCommitStatus(connection, here.head, 'other')).toBeUndefined();
  });

  test('that is refused has an error with the permission to add', async () => {
    const set = setCommitStatus(here.connect('reader'), {
      sha: here.head,
      state: 'success',
      context: 'c',
      description: 'd',
    });
    await expect(set).rejects.toMatchObject({
      code: 'github-failed',
      hint: expect.stringContaining('"statuses: write"'),
    });
  });
});
