import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { reply, serve } from '../../client/serve.ts';
import { smallPipeline } from '../../flows/flow-environment.ts';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { inProcess } from '../in-process.ts';

const artifact = {
  environmentName: 'dev',
  enabled: true,
  commitHash: 'c0ffee',
  createdAt: '2031-01-01T12:00:00Z',
};

/** Four pages of environments or artifacts take two and a half minutes each, but for a moment; then no answer comes. */
test.each([
  ['promote', '--version', '1.0.0', '--from', 'dev', '--to', 'prod'],
  ['rollback', '--environment', 'prod'],
  ['drift'],
])('%s ends after ten minutes for all its calls where no answer comes', async (...args) => {
  let skippedMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + skippedMs };
  await using server = await serve((response, { target }, nth) => {
    if (target === '/token') return reply(response, 200, { access_token: 'short-lived', expires_in: 86_400 });
    if (skippedMs > 590_000) return;
    skippedMs += 149_800;
    const name = `n${String(nth)}`;
    reply(response, 200, {
      page: nth - 2,
      results: [{ ...artifact, name, versionName: name }],
      size: 1,
      total: 100,
    });
  });
  const env = {
    MILLRACE_BASE_URL: server.baseUrl,
    MILLRACE_PROJECT_ID: 'p',
    MILLRACE_CLIENT_ID: 'ci',
    MILLRACE_CLIENT_SECRET: 'hidden-secret',
    MILLRACE_TOKEN_URL: `${server.baseUrl}/token`,
  };
  const ended = await inProcess(args, { env, clock });
  expect(ended.code).toBe(3);
  expect(ended.stderr).toContain('code: no-answer');
  expect(server.received.length).toBeLessThanOrEqual(6);
});

/** Each batch is refused after 200 seconds, and would be halved until every file was refused alone. */
test('review without --timeout ends after ten minutes, even with parts still to review', async () => {
  let skippedMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + skippedMs };
  using work = temporaryRepository();
  for (let nth = 0; nth < 8; nth += 1) work.write(`p${String(nth)}.orch.yaml`, smallPipeline);
  work.write('millrace.yaml', 'version: 1\nreview: { scope: all, agent-version: "9.0.0" }\n');
  work.commit('Eight pipelines');
  await using server = await serve((response) => {
    skippedMs += 200_000;
    reply(response, 413, {});
  });
  const env = { MILLRACE_BASE_URL: server.baseUrl, MILLRACE_PROJECT_ID: 'p', MILLRACE_TOKEN: 'hidden-token' };
  const ended = await inProcess(['review'], { cwd: work.directory, env, clock });
  expect(ended).toMatchObject({ code: 3, stdout: '' });
  expect(ended.stderr).toContain('did not finish the review of 8 files within the time limit');
  expect(server.received).toHaveLength(3);
});
