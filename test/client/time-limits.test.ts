import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { manualClock } from '../clock.ts';
import { calls, clientFor, errorOf, good } from './client-for.ts';
import { reply, serve } from './serve.ts';

describe('silence', () => {
  test('ends a read after its attempts', async () => {
    await using server = await serve(() => {});
    const { client } = clientFor(server.baseUrl, { timeoutMs: 40 });
    const error = await errorOf(calls.safe(client));
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
    expect(await errorOf(start)).toMatchObject({ code: 'outcome-unknown', attempts: 1 });
    expect(server.received.length).toBe(1);
  });

  test('cannot be bought off with a byte now and then', async () => {
    await using server = await serve((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    const { client } = clientFor(server.baseUrl, { timeoutMs: 60, maxAttempts: 1 });
    expect(await errorOf(calls.safe(client))).toMatchObject({ code: 'no-answer' });
  });
});

describe('the caller’s signal', () => {
  const reason = new Error('enough');

  test('that has aborted already sends nothing', async () => {
    await using server = await serve((response) => reply(response, 200, good.safe));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.projects.list({}, { signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ code: 'cancelled', exitCode: 130, cause: reason, isUnknown: false });
    expect(server.received).toEqual([]);
  });

  test('ends a read on its way', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort(reason));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.projects.list({}, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'cancelled', cause: reason, isUnknown: false });
    expect(server.received.length).toBe(1);
  });

  test('that ends a start on its way says that the outcome is unknown', async () => {
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

  test('holds no listener after a thousand calls', async () => {
    const { signal } = new AbortController();
    await using server = await serve((response) => reply(response, 200, good.safe));
    const { client } = clientFor(server.baseUrl);
    for (let batch = 0; batch < 20; batch += 1) {
      await Promise.all(Array.from({ length: 50 }, () => client.projects.list({}, { signal })));
    }
    expect(server.received.length).toBe(1000);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
