import { getEventListeners } from 'node:events';
import { Agent, buildConnector } from 'undici';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { manualClock } from '../../environment/clock.ts';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { instantClock } from '../instant-clock.ts';
import { reply, serve } from '../serve.ts';

test.each([
  ['timeoutMs', 0],
  ['deadlineMs', Number.NaN],
  ['maxAttempts', 0],
  ['maxAnswerBytes', -1],
  ['untilMs', Number.NaN],
])('an impossible limit is rejected and named: %s: %d', async (name, limit) => {
  const refusal = { code: 'usage', where: { input: name } };
  expect(() => clientFor('http://127.0.0.1:9', { [name]: limit })).toThrow(expect.objectContaining(refusal));
  if (!['timeoutMs', 'deadlineMs'].includes(name)) return;
  const { client } = clientFor('http://127.0.0.1:9');
  await expect(client.projects.list({}, { [name]: limit })).rejects.toMatchObject(refusal);
});

describe('silence', () => {
  // The test controls the client's timers: they fire when the server has the request, however slow the machine is.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('ends a read after its attempts', async () => {
    await using server = await serve(() => {});
    const { client } = clientFor(server.baseUrl, { timeoutMs: 40 });
    const call = errorOf(calls.safe(client));
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await server.arrived(attempt);
      vi.advanceTimersByTime(40);
    }
    const error = await call;
    expect(error).toMatchObject({ code: 'no-answer', attempts: 4 });
    expect(error.message).toContain('no answer within 40 ms');
    expect(server.received.length).toBe(4);
  });

  test('after a start leaves its outcome unknown', async () => {
    await using server = await serve(() => {});
    const { client } = clientFor(server.baseUrl);
    const start = client.executions.start(
      { projectId: 'p', pipelineName: 'a', environmentName: 'dev' },
      { timeoutMs: 40 },
    );
    const call = errorOf(start);
    await server.arrived();
    vi.advanceTimersByTime(40);
    expect(await call).toMatchObject({ code: 'outcome-unknown', attempts: 1 });
    expect(server.received.length).toBe(1);
  });

  test('after a start leaves its outcome unknown where the limit of all calls has passed', async () => {
    const clock = instantClock();
    await using server = await serve(() => {});
    const { client } = clientFor(server.baseUrl, { clock, untilMs: clock.now() + 40 });
    const call = errorOf(calls.once(client));
    await server.arrived();
    vi.advanceTimersByTime(40);
    expect(await call).toMatchObject({ code: 'outcome-unknown', attempts: 1 });
    expect(server.received.length).toBe(1);
  });

  test('is not extended by single bytes of the answer', async () => {
    const dripping = Promise.withResolvers<void>();
    await using server = await serve((response) => {
      response.writeHead(200);
      let drops = 0;
      const drip = setInterval(() => {
        response.write(' ');
        drops += 1;
        if (drops === 5) dripping.resolve();
      }, 1);
      response.on('close', () => clearInterval(drip));
    });
    const { client } = clientFor(server.baseUrl, { timeoutMs: 60, maxAttempts: 1 });
    const call = errorOf(calls.safe(client));
    await dripping.promise;
    vi.advanceTimersByTime(60);
    expect(await call).toMatchObject({ code: 'no-answer' });
  });

  test('before a connection exists proves that nothing was sent: a start may be repeated', async () => {
    await using server = await serve((response) => reply(response, 201, good.once));
    const waiting: (() => void)[] = [];
    const asked = Promise.withResolvers<void>();
    const toServer = buildConnector({});
    let opened = 0;
    // The first connection is established after the attempt has ended.
    const agent = new Agent({
      pipelining: 0,
      connect: (options, callback) => {
        opened += 1;
        if (opened > 1) return toServer(options, callback);
        waiting.push(() => toServer(options, callback));
        asked.resolve();
      },
    });
    const { client } = clientFor(server.baseUrl, { dispatcher: agent, timeoutMs: 40 });
    const call = calls.once(client);
    await asked.promise;
    vi.advanceTimersByTime(40);
    expect(await call).toEqual(good.once);
    for (const connect of waiting) connect();
    await agent.close();
    expect({ opened, requests: server.received.length }).toEqual({ opened: 2, requests: 1 });
  });

  test('that never ends in a connection is unreachable, and no start has an unknown outcome', async () => {
    const asked = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    let opened = 0;
    const agent = new Agent({
      connect: () => {
        asked[opened]?.resolve();
        opened += 1;
      },
    });
    const { client } = clientFor('http://platform.example.com', { dispatcher: agent, timeoutMs: 40 });
    const call = errorOf(calls.once(client));
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await asked[attempt]?.promise;
      vi.advanceTimersByTime(40);
    }
    expect(await call).toMatchObject({ code: 'unreachable', attempts: 4, isUnknown: false });
  });
});

test('an infinite time-out, or one above Node’s maximum, does not end a call', async () => {
  await using server = await serve((response) => void setImmediate(() => reply(response, 200, good.safe)));
  for (const timeoutMs of [Infinity, 2 ** 31]) {
    const { client } = clientFor(server.baseUrl, { timeoutMs, deadlineMs: Infinity });
    expect(await client.withResponse.projects.list()).toMatchObject({ attempts: 1 });
  }
});

test('the limit of all calls shortens the waits of a call and blocks later calls', async () => {
  const clock = instantClock();
  await using server = await serve((response) => reply(response, 503, {}, { 'retry-after': '4' }));
  const { client } = clientFor(server.baseUrl, { clock, untilMs: clock.now() + 10_000 });
  expect(await errorOf(client.projects.list())).toMatchObject({ code: 'platform-failed', attempts: 3 });
  expect(clock.waits).toEqual([4_000, 4_000]);
  clock.advance(2_000);
  for (const call of [calls.safe, calls.once])
    expect(await errorOf(call(client))).toMatchObject({ code: 'no-answer', attempts: 0, isUnknown: false });
  expect(await errorOf(client.projects.list({}, { deadlineMs: 60_000 }))).toMatchObject({
    message: 'projects.list was not sent, because the time limit for all calls together has passed.',
  });
  expect(server.received.length).toBe(3);
});

describe('the caller’s signal', () => {
  const reason = new Error('enough');

  test('that was already aborted prevents the request', async () => {
    await using server = await serve((response) => reply(response, 200, good.safe));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.projects.list({}, { signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ code: 'cancelled', exitCode: 130, cause: reason, isUnknown: false });
    expect(server.received).toEqual([]);
  });

  test('ends a read that was sent', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort(reason));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.projects.list({}, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'cancelled', cause: reason, isUnknown: false });
    expect(server.received.length).toBe(1);
  });

  test('that ends a sent start leaves its outcome unknown', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort(reason));
    const { client } = clientFor(server.baseUrl);
    const input = { projectId: 'p', pipelineName: 'a', environmentName: 'dev' };
    const error = await errorOf(client.executions.start(input, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'cancelled', isUnknown: true, attempts: 1 });
  });

  test('ends the wait between two attempts', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    await using server = await serve((response) => reply(response, 503));
    const { client } = clientFor(server.baseUrl, { clock });
    const call = errorOf(client.projects.list({}, { signal: controller.signal }));
    await clock.asleep();
    controller.abort(reason);
    expect(await call).toMatchObject({ code: 'cancelled', cause: reason });
    expect(clock.sleepers).toBe(0);
    expect(server.received.length).toBe(1);
  });

  test('ends the wait for a token', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort(reason));
    const auth = { clientId: 'c', clientSecret: 'hidden', tokenUrl: `${server.baseUrl}/token` };
    const { client } = clientFor(server.baseUrl, { auth, timeoutMs: 100 });
    const error = await errorOf(client.projects.list({}, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'cancelled', cause: reason });
  });

  test('has no listener after ten thousand calls, whatever their end', async () => {
    const { signal } = new AbortController();
    await using server = await serve((response, _, nth) =>
      nth % 100 === 0 ? reply(response, 404) : reply(response, 200, good.safe),
    );
    const { client } = clientFor(server.baseUrl);
    for (let batch = 0; batch < 200; batch += 1) {
      await Promise.allSettled(Array.from({ length: 50 }, () => client.projects.list({}, { signal })));
    }
    expect(server.received.length).toBe(10_000);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
