import { describe, expect, test } from 'vitest';
import { OutcomeUnknown, RateLimited, TagConflict, Unreachable } from '../../../client/index.ts';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

/** No program on this machine listens on this port, and no test gets it. */
const nowhere = 'http://127.0.0.1:1';
const harmless = ['safe', 'repeatable'] as const;

describe.each(harmless)('an operation that is %s', (kind) => {
  test.each([408, 500, 502, 503, 504])('is sent again after %i', async (status) => {
    await using server = await serve((response, _, nth) =>
      nth < 3 ? reply(response, status) : reply(response, 200, good[kind]),
    );
    const { client, clock } = clientFor(server.baseUrl);
    expect(await calls[kind](client)).toEqual(good[kind]);
    expect(server.received.length).toBe(3);
    expect(clock.waits.map(Math.round)).toEqual([100, 200]);
    await client.close();
  });

  test('is sent again after a connection that was reset when it had been processed', async () => {
    await using server = await serve((response, _, nth) =>
      nth === 1 ? void response.socket?.resetAndDestroy() : reply(response, 200, good[kind]),
    );
    const { client } = clientFor(server.baseUrl);
    expect(await calls[kind](client)).toEqual(good[kind]);
    expect(server.received.length).toBe(2);
  });

  test('is sent at most four times and then ends as platform-failed', async () => {
    await using server = await serve((response) =>
      reply(response, 503, { error: 'down for repair', status: 503 }),
    );
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls[kind](client));
    expect(error).toMatchObject({
      code: 'platform-failed',
      status: 503,
      attempts: 4,
      isRetryable: true,
      isUnknown: false,
    });
    expect(error.message).toContain('down for repair');
    expect(server.received.length).toBe(4);
  });

  test('that never gets an answer ends as no-answer', async () => {
    await using server = await serve((response) => void response.socket?.destroy());
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls[kind](client));
    expect(error).toMatchObject({ code: 'no-answer', attempts: 4, isRetryable: true });
    expect(server.received.length).toBe(4);
  });

  test('has the same request id in all its attempts', async () => {
    await using server = await serve((response) => reply(response, 500));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls[kind](client));
    const ids = server.received.map(({ headers }) => headers.find(([name]) => name === 'x-request-id')?.[1]);
    expect(new Set(ids)).toEqual(new Set([error.requestId]));
  });
});

describe('an execution start, with or without a tag,', () => {
  test('whose connection is reset after processing is never repeated, and its outcome is unknown', async () => {
    await using server = await serve((response) => void response.socket?.resetAndDestroy());
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls.once(client));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({
      code: 'outcome-unknown',
      exitCode: 4,
      operation: 'executions.start',
      executionTag: 'nightly',
      versionName: '1.4.0',
      attempts: 1,
      isUnknown: true,
      isRetryable: false,
    });
    expect(error.message).toContain('tag “nightly”');
    expect(error.message).toContain(error.requestId);
    expect(server.received.length).toBe(1);
  });

  test.each([408, 500, 502, 503])(
    'that is answered with %i is not repeated: the status proves nothing',
    async (status) => {
      await using server = await serve((response) => reply(response, status, { error: 'oops', status }));
      const { client } = clientFor(server.baseUrl);
      const error = await errorOf(calls.once(client));
      expect(error).toMatchObject({
        code: 'outcome-unknown',
        status,
        attempts: 1,
        body: { error: 'oops', status },
      });
      expect(server.received.length).toBe(1);
    },
  );

  test('with a busy tag fails at once: a 409 is not transient', async () => {
    await using server = await serve((response) => reply(response, 409, { error: 'busy', status: 409 }));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls.once(client));
    expect(error).toBeInstanceOf(TagConflict);
    expect(error).toMatchObject({
      code: 'execution-tag-conflict',
      executionTag: 'nightly',
      body: { error: 'busy' },
    });
    expect(server.received.length).toBe(1);
  });

  test('that was refused with 429 is repeated: it was not processed', async () => {
    await using server = await serve((response, _, nth) =>
      nth === 1 ? reply(response, 429, undefined, { 'retry-after': '2' }) : reply(response, 201, good.once),
    );
    const { client, clock } = clientFor(server.baseUrl);
    expect(await calls.once(client)).toEqual(good.once);
    expect(clock.waits).toEqual([2000]);
  });

  test('that was never sent is tried up to four times', async () => {
    const { client, clock } = clientFor(nowhere);
    const error = await errorOf(calls.once(client));
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ code: 'unreachable', attempts: 4, isUnknown: false, isRetryable: true });
    expect(error.message).toContain('ECONNREFUSED');
    expect(clock.waits.length).toBe(3);
  });

  test('uses a new connection, because a used one may be closed at the same moment', async () => {
    const sockets = new Set<unknown>();
    await using server = await serve((response) => {
      sockets.add(response.socket);
      reply(response, 201, good.once);
    });
    const { client } = clientFor(server.baseUrl);
    for (let call = 0; call < 5; call += 1) await calls.once(client);
    expect(sockets.size).toBe(5);
    for (const { headers } of server.received) expect(headers).toContainEqual(['connection', 'close']);
  });
});

test('a host that does not exist is unreachable', async () => {
  const { client } = clientFor('http://nowhere.invalid', { maxAttempts: 2 });
  expect(await errorOf(calls.safe(client))).toMatchObject({ code: 'unreachable', attempts: 2 });
});

describe('a 429', () => {
  test.each([
    ['seconds', { 'retry-after': '3' }, 3000],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [
      'a date, by the clock of the platform',
      { 'retry-after': 'Tue, 01 Jan 2030 00:00:07 GMT', date: 'Tue, 01 Jan 2030 00:00:00 GMT' },
      7000,
    ],
  ])('with Retry-After in %s is repeated after that wait', async (_, headers, wait) => {
    await using server = await serve((response, _request, nth) =>
      nth === 1 ? reply(response, 429, undefined, headers) : reply(response, 200, good.safe),
    );
    const { client, clock } = clientFor(server.baseUrl);
    await calls.safe(client);
    expect(clock.waits).toEqual([wait]);
  });

  test('with a wait beyond the deadline fails at once, and the error has the wait', async () => {
    await using server = await serve((response) =>
      reply(response, 429, undefined, { 'retry-after': '3600' }),
    );
    const { client, clock } = clientFor(server.baseUrl);
    const error = await errorOf(calls.safe(client));
    expect(error).toBeInstanceOf(RateLimited);
    expect(error).toMatchObject({ code: 'rate-limited', retryAfterMs: 3_600_000, attempts: 1 });
    expect(clock.waits).toEqual([]);
  });

  test('with an invalid Retry-After is repeated after our own backoff', async () => {
    await using server = await serve((response, _, nth) =>
      nth === 1
        ? reply(response, 429, undefined, { 'retry-after': 'soon' })
        : reply(response, 200, good.safe),
    );
    const { client, clock } = clientFor(server.baseUrl);
    await calls.safe(client);
    expect(clock.waits.map(Math.round)).toEqual([100]);
  });
});

test('the deadline of the call ends the attempts before their maximum number', async () => {
  await using server = await serve((response) => reply(response, 500));
  const { client } = clientFor(server.baseUrl, { deadlineMs: 250 });
  expect(await errorOf(calls.safe(client))).toMatchObject({ attempts: 2 });
});

describe('a DELETE', () => {
  const remove = { projectId: 'p', variableName: 'limit' };

  test('that gets 404 after a lost answer succeeds: the first attempt deleted it', async () => {
    await using server = await serve((response, _, nth) =>
      nth === 1 ? void response.socket?.destroy() : reply(response, 404, { error: 'gone', status: 404 }),
    );
    const { client } = clientFor(server.baseUrl);
    expect(await client.variables.delete(remove)).toBeUndefined();
    expect(server.received.length).toBe(2);
  });

  test('that gets 404 at first ends as not-found', async () => {
    await using server = await serve((response) => reply(response, 404, { error: 'gone', status: 404 }));
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(client.variables.delete(remove))).toMatchObject({ code: 'not-found', attempts: 1 });
  });

  test('that gets 404 after a 429 ends as not-found: the refused attempt deleted nothing', async () => {
    await using server = await serve((response, _, nth) => reply(response, nth === 1 ? 429 : 404));
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(client.variables.delete(remove))).toMatchObject({ code: 'not-found', attempts: 2 });
  });
});
