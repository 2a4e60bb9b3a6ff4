import { expect, test } from 'vitest';
import { setCommitStatus } from '../../../lib/github/commit-status.ts';
import { oneRepository } from '../../environment/github/one-repository.ts';

const here = oneRepository();
const status = { state: 'success', context: 'c', description: 'd' } as const;
const refusal = async () =>
  await setCommitStatus(here.connect('writer'), { ...status, sha: here.head }).catch(
    (error: unknown) => error,
  );

test.each([
  ['the token', 401, 'Bad credentials', /does not accept the token/u],
  ['a permission', 403, 'Resource not accessible by integration', /Add "statuses: write"/u],
  ['a permission', 404, 'Not Found', /Add "statuses: write"/u],
  ['too many requests', 403, 'You have exceeded a secondary rate limit', /no more requests/u],
  ['what was sent', 422, 'No commit found for SHA', /GitHub’s own words/u],
  ['GitHub', 500, 'Server Error', /GitHub itself failed/u],
  ['GitHub', 502, 'Bad Gateway', /GitHub itself failed/u],
])('the advice blames %s for a %i "%s"', async (_, code, message, hint) => {
  here.github.interfere(() => ({ status: code, body: { message } }));
  expect(await refusal()).toMatchObject({
    code: 'github-failed',
    message: expect.stringContaining(`(${String(code)})`),
    hint: expect.stringMatching(hint),
  });
});

test('the advice blames the way to GitHub for a line that is cut, and names no status', async () => {
  here.github.interfere(() => 'drop');
  expect(await refusal()).toMatchObject({
    message: expect.not.stringContaining('(500)'),
    hint: expect.stringMatching(/^The way to GitHub is at fault/u),
  });
});
