import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDirectory } from '../../../worker/operators/directory.ts';
import { inProcess } from '../in-process.ts';

test('millrace worker token creates a new token and its hash each time', async () => {
  const made = async () => {
    const ended = await inProcess(['worker', 'token', '--json']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(ended.stdout) as { token: string; hash: string };
  };
  const [one, other] = [await made(), await made()];
  expect(one.token).toMatch(/^mrw_[\w-]{43}$/);
  expect(other.token).not.toBe(one.token);
  expect(one.hash).toBe(`sha256:${createHash('sha256').update(one.token).digest('hex')}`);
  const entry = { name: 'ada', role: 'viewer', repositories: 'all', tokenHashes: [one.hash] } as const;
  const directory = createDirectory([{ ...entry, tokenHashes: [one.hash] }], undefined);
  expect(directory.identify(one.token)).toMatchObject({ name: 'ada' });
  expect((await inProcess(['worker', 'token'])).stdout).toContain('token-hash: sha256:');
});
