import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../../lib/core/errors/error-catalogue.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import { createRefs } from '../../../lib/github/endpoints/refs.ts';
import { createStatuses } from '../../../lib/github/endpoints/statuses.ts';
import { oneRepository, repository } from '../../environment/github/one-repository.ts';
import type { Fault } from '../../environment/github/start-github.ts';

const here = oneRepository();

/** Makes the same call through an action's connection and through the worker's port; returns both failures. */
async function failBoth(kind: 'read' | 'write', fault: ReturnType<Fault>): Promise<readonly unknown[]> {
  here.github.interfere(() => fault);
  const clock = { now: () => 0, sleep: async () => {} };
  const { github } = here.connect('writer');
  const action = { ...createRefs(github), ...createStatuses(github) };
  const worker = createGitHubPort({ apiUrl: here.github.apiUrl, access: tokenAccess(() => 'writer'), clock });
  const status = { sha: here.head, state: 'success', context: 'c', description: 'd' } as const;
  return await Promise.all(
    [action, worker].map((entrance) =>
      (kind === 'read' ? entrance.branches(repository) : entrance.setStatus(repository, status)).then(
        () => 'no failure',
        (error: unknown) =>
          error instanceof Failure
            ? { code: error.code, message: error.message, hint: error.hint, details: error.details }
            : error,
      ),
    ),
  );
}

const answer = (status: number, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: { message },
});
const date = 'Wed, 01 Jan 2031 00:00:00 GMT';
const reset = String(Date.parse(date) / 1_000 + 300);
const exhausted = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date };

const hints = {
  token: /^The token is wrong, expired or revoked/u,
  permission: /^Add "(?:statuses: write|contents: read)" under "permissions:"/u,
  absent: /^It does not exist any more, or the token may not see it\./u,
  locked: /^The conversation is locked\. The permissions of the token are not the cause/u,
  noApp: /^Only a GitHub App may do this/u,
  reason: /^See the reason in GitHub’s message/u,
  limit: /reached GitHub’s rate limit/u,
  server: /^GitHub itself failed/u,
  network: /^The connection to GitHub failed/u,
} as const;

const limited = (status: number, pauseMs: number) => ({ status, refused: true, pauseMs });
const refused = (status: number) => ({ status, refused: true, pauseMs: undefined });
const unanswered = { status: undefined, refused: false, pauseMs: undefined };

describe.each(['read', 'write'] as const)('for a %s, action and worker report the same for', (kind) => {
  test.each<[string, ReturnType<Fault>, keyof typeof hints | 'catalogue', object]>([
    ['401', answer(401, 'Bad credentials'), 'token', refused(401)],
    [
      '403 of a permission',
      answer(403, 'Resource not accessible by integration'),
      'permission',
      refused(403),
    ],
    [
      '403 with retry-after',
      answer(403, 'secondary rate limit', { 'retry-after': '90' }),
      'limit',
      limited(403, 90_000),
    ],
    ['403 with a reset', answer(403, 'API rate limit exceeded', exhausted), 'limit', limited(403, 300_000)],
    ['403 with a message about a limit', answer(403, 'secondary rate limit'), 'limit', limited(403, 60_000)],
    ['403 of a locked conversation', answer(403, 'Issue is locked.'), 'locked', refused(403)],
    [
      '403 of a person’s token',
      answer(403, 'You must authenticate via a GitHub App.'),
      'noApp',
      refused(403),
    ],
    ['403 for another reason', answer(403, 'Repository was archived.'), 'reason', refused(403)],
    ['404', answer(404, 'Not Found'), 'absent', refused(404)],
    ['422', answer(422, 'No commit found for SHA'), 'catalogue', refused(422)],
    [
      '429 with retry-after',
      answer(429, 'Too Many Requests', { 'retry-after': '90' }),
      'limit',
      limited(429, 90_000),
    ],
    ['429 without retry-after', answer(429, 'Too Many Requests'), 'limit', limited(429, 60_000)],
    ['500', answer(500, 'Server Error'), 'server', { ...unanswered, status: 500 }],
    ['502', { status: 502, body: 'Bad Gateway' }, 'server', { ...unanswered, status: 502 }],
    ['a connection that is cut', 'drop', 'network', unanswered],
    ['a web page with 200', { status: 200, body: '<html>log in</html>' }, 'network', unanswered],
    ['JSON that is not GitHub’s', { status: 200, body: { login: 'please' } }, 'network', unanswered],
  ])('%s', async (_, fault, hint, details) => {
    const [action, worker] = await failBoth(kind, fault);
    expect(action).toMatchObject({
      code: 'github-failed',
      hint: hint === 'catalogue' ? errorCatalogue['github-failed'].hint : expect.stringMatching(hints[hint]),
      details: { ...details, permission: kind === 'read' ? 'contents: read' : 'statuses: write' },
    });
    expect(worker).toEqual(action);
  });
});

test('a failure without an answer names no status', async () => {
  for (const failure of await failBoth('write', 'drop')) {
    expect(failure).toMatchObject({ message: expect.not.stringMatching(/\(\d+\)/u) });
  }
});

test('a failure with an answer names its status', async () => {
  for (const failure of await failBoth('write', answer(404, 'Not Found'))) {
    expect(failure).toMatchObject({ message: expect.stringContaining('(404)') });
  }
});

test.each(['read', 'write'] as const)('a web page instead of an answer is named for a %s', async (kind) => {
  for (const failure of await failBoth(kind, { status: 200, body: '<html>log in</html>' })) {
    expect(failure).toMatchObject({ message: expect.stringContaining('a proxy or login page') });
  }
});
