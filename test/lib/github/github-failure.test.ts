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
  ['the token', 401, 'Bad credentials', /The token is wrong, expired or revoked/u],
  ['a permission', 403, 'Resource not accessible by integration', /Add "statuses: write"/u],
  ['a permission', 404, 'Not Found', /Add "statuses: write"/u],
  ['the rate limit', 403, 'You have exceeded a secondary rate limit', /reached GitHub’s rate limit/u],
  ['the request', 422, 'No commit found for SHA', /quotes GitHub’s answer/u],
  ['GitHub', 500, 'Server Error', /GitHub itself failed/u],
  ['GitHub', 502, 'Bad Gateway', /GitHub itself failed/u],
])('the hint names %s as the cause of a %i "%s"', async (_, code, message, hint) => {
  here.github.interfere(() => ({ status: code, body: { message } }));
  expect(await refusal()).toMatchObject({
    code: 'github-failed',
    message: expect.stringContaining(`(${String(code)})`),
    hint: expect.stringMatching(hint),
  });
});

test('a broken connection has the hint about the connection and no status', async () => {
  here.github.interfere(() => 'drop');
  expect(await refusal()).toMatchObject({
    message: expect.not.stringContaining('(500)'),
    hint: expect.stringMatching(/^The connection to GitHub failed/u),
  });
});
