import { describe, expect, test } from 'vitest';
import { createStatuses } from '../../../../lib/github/endpoints/statuses.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

const here = oneRepository();
const statusesAs = (token: string) => createStatuses(here.connect(token).github);

describe('a commit status', () => {
  const status = { state: 'pending', context: 'millrace/to-test', description: 'd' } as const;

  test('is set with its description shortened to GitHub’s limit, and read back', async () => {
    const statuses = statusesAs('writer');
    await statuses.setStatus(repository, { ...status, sha: here.head, description: 'x'.repeat(200) });
    expect(here.github.repository(repository).statuses[0]?.description).toHaveLength(140);
    expect(await statuses.readStatus(repository, here.head, 'millrace/to-test')).toMatchObject({
      state: 'pending',
    });
    expect(await statuses.readStatus(repository, here.head, 'other')).toBeUndefined();
  });

  test('that is older than 100 others is found on the second page', async () => {
    const statuses = statusesAs('writer');
    await statuses.setStatus(repository, { ...status, sha: here.head });
    for (let i = 0; i < 100; i += 1)
      await statuses.setStatus(repository, { ...status, sha: here.head, context: `other ${i}` });
    expect(await statuses.readStatus(repository, here.head, 'millrace/to-test')).toEqual({
      state: 'pending',
      description: 'd',
    });
  });

  test('that GitHub refuses names the permission to add', async () => {
    await expect(
      statusesAs('reader').setStatus(repository, { ...status, sha: here.head }),
    ).rejects.toMatchObject({
      code: 'github-failed',
      hint: expect.stringContaining('"statuses: write"'),
      details: { status: 403, refused: true, permission: 'statuses: write' },
    });
  });
});
