import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../../lib/git/repository.ts';
import { fetchCommit } from '../../../../lib/github/workflow-run/fetch-commit.ts';
import { checkOut } from '../../../runner/check-out.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

const here = oneRepository();

describe('a commit that is not checked out', () => {
  async function clone(depth: number): Promise<string> {
    const work = await mkdtemp(join(here.folder, 'work-'));
    const bare = here.github.repository(repository).git;
    const ref = depth === 0 ? 'refs/heads/main' : 'refs/pull/1/merge';
    const sha = (await bare.commit(ref)) ?? '';
    await checkOut({ remote: here.builder.path, folder: work, sha, ref, depth });
    return work;
  }

  test('is fetched into a shallow clone', async () => {
    const work = await clone(1);
    await fetchCommit({ directory: work, commit: here.head });
    const local = await openRepository(work);
    expect(await local.resolveCommit(here.head)).toBe(here.head);
  });

  test('is fetched into a complete clone, which stays complete', async () => {
    const work = await clone(0);
    await fetchCommit({ directory: work, commit: here.head });
    const local = await openRepository(work);
    expect(await local.isShallow()).toBe(false);
    expect(await local.mergeBase(here.head, 'HEAD')).toBe(await local.resolveCommit('HEAD'));
  });

  test('that does not exist ends in a failure with a hint', async () => {
    const work = await clone(1);
    const fetching = fetchCommit({ directory: work, commit: '1'.repeat(40) });
    await expect(fetching).rejects.toMatchObject({
      code: 'git-failed',
      hint: expect.stringContaining('fetch-depth: 0'),
    });
  });
});
