import { afterEach, describe, expect, test, vi } from 'vitest';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { type Answering, reply, serve } from '../serve.ts';

/** A platform whose token URL answers the given number of times and then never again. */
async function platform(tokens: number): Promise<Answering> {
  let issued = 0;
  return serve((response, { target }) => {
    if (target !== '/token') return reply(response, 200, good.safe);
    issued += 1;
    if (issued > tokens) return undefined;
    return reply(response, 200, { access_token: `issued-${issued}`, expires_in: 1000 });
  });
}

const credentials = (baseUrl: string) => ({
  clientId: 'c',
  clientSecret: 'hidden',
  tokenUrl: `${baseUrl}/token`,
});

const bearers = (server: Answering): string[] =>
  server.received.flatMap(({ headers }) =>
    headers.filter(([name]) => name === 'authorization').map(([, value]) => value),
  );

describe('a token request that hangs', () => {
  afterEach(() => void vi.useRealTimers());

  test('leaves the old token in use while it is valid', async () => {
    await using server = await platform(1);
    const { client, clock } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    await client.projects.list();
    clock.advance(850_000);
    await client.projects.list();
    await client.projects.list();
    expect(bearers(server)).toEqual(['Bearer issued-1', 'Bearer issued-1', 'Bearer issued-1']);
    await client.close();
  });

  test('ends a call at its deadline, and the call is not sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using server = await platform(0);
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    const input = { projectId: 'p', pipelineName: 'a', environmentName: 'dev' };
    const call = errorOf(client.executions.start(input, { deadlineMs: 40 }));
    await server.arrived();
    vi.advanceTimersByTime(40);
    expect(await call).toMatchObject({ code: 'no-answer', operation: 'authentication', isUnknown: false });
    expect(server.received.map(({ target }) => target)).toEqual(['/token']);
    await client.close();
  });

  test('does not keep a closed client open', async () => {
    await using server = await platform(0);
    const controller = new AbortController();
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    const call = errorOf(client.projects.list({}, { signal: controller.signal }));
    await server.arrived();
    controller.abort(new Error('enough'));
    expect(await call).toMatchObject({ code: 'cancelled' });
    await client.close();
  });
});

describe('a start that was sent before the signal aborts', () => {
  const input = { projectId: 'p', pipelineName: 'a', environmentName: 'dev', executionTag: 'nightly' };

  test('succeeds where the answer arrives within the grace period', async () => {
    const controller = new AbortController();
    await using server = await serve((response) => {
      controller.abort(new Error('enough'));
      reply(response, 201, good.once);
    });
    const { client } = clientFor(server.baseUrl);
    const options = { signal: controller.signal, answerGraceMs: 60_000 };
    expect(await client.executions.start(input, options)).toEqual(good.once);
  });

  test('has an unknown outcome where no answer arrives within the grace period', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort(new Error('enough')));
    const { client } = clientFor(server.baseUrl);
    const options = { signal: controller.signal, answerGraceMs: 20 };
    const error = await errorOf(client.executions.start(input, options));
    expect(error).toMatchObject({ code: 'cancelled', isUnknown: true });
  });

  test('is neither repeated, nor sent after the token that it waited for', async () => {
    const controller = new AbortController();
    await using server = await serve((response, { target }) => {
      controller.abort(new Error('enough'));
      reply(response, target === '/token' ? 200 : 429, { access_token: 'issued', expires_in: 1000 });
    });
    const options = { signal: controller.signal, answerGraceMs: 60_000 };
    const { client } = clientFor(server.baseUrl, { auth: credentials(server.baseUrl) });
    expect(await errorOf(client.executions.start(input, options))).toMatchObject({
      code: 'cancelled',
      isUnknown: false,
    });
    expect(server.received.map(({ target }) => target)).toEqual(['/token']);
  });
});

test('the error of a failed platform has the wait that the platform asked for', async () => {
  await using server = await serve((response) => reply(response, 503, undefined, { 'retry-after': '600' }));
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(calls.safe(client))).toMatchObject({ code: 'platform-failed', retryAfterMs: 600_000 });
});
