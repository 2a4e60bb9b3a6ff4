import { expect, test } from 'vitest';
import { systemClock } from '../../lib/core/system-clock.ts';
import { reply, serve } from '../client/serve.ts';
import { inProcess } from './in-process.ts';

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
