import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createWorkerEnvironment } from '../../../environment/worker/worker-environment.ts';
import { tokens, withOperators } from './operators.ts';

const redis = testRedis();

test('while Redis is frozen every page, action and form is answered in time, and then it works again', async () => {
  const env = await createWorkerEnvironment({ lanes: '  []' });
  const options = env.options(redis);
  // Long enough for a busy machine that has a Redis; only a frozen one takes all of it.
  const settings = { ...options.settings, pageWithinMs: 2_000, actionWithinMs: 2_000 };
  const worker = await startWorker({ ...options, settings, config: withOperators() });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const send = (path: string, cookie: string, fields?: Record<string, string>) =>
    fetch(`${worker.url}${path}`, {
      redirect: 'manual',
      // Redis must continue, even if an answer is missing.
      signal: AbortSignal.timeout(20_000),
      headers: { accept: 'text/html', origin: worker.url, cookie },
      ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
    });
  const signIn = (cookie: string) => send('/session', cookie, { token: tokens.ada });
  const cookie = (await signIn('')).headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await send('/', cookie)).status).toBe(200);
  process.kill(redis.pid, 'SIGSTOP');
  try {
    const answers = await Promise.all([
      send('/', cookie),
      send('/lanes/x/hold', cookie),
      send('/lanes/x/hold', cookie, { reason: 'x' }),
      signIn(''),
      send('/session/end', cookie, {}),
      send('/nonsense', cookie),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 404]);
    for (const answer of answers) expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answers[0]?.text()).toContain('The worker cannot read its records now.');
  } finally {
    process.kill(redis.pid, 'SIGCONT');
  }
  // The sign-out may have reached Redis after all.
  const again = (await signIn('')).headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await send('/', again)).status).toBe(200);
});
