import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

const loginPage = '<!DOCTYPE html><html><title>Sign in</title></html>';

describe('an answer that is a web page', () => {
  test.each(['safe', 'repeatable'] as const)(
    'is unreadable for an operation that is %s, whatever its status',
    async (kind) => {
      await using server = await serve((response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(loginPage);
      });
      const { client } = clientFor(server.baseUrl);
      const error = await errorOf(calls[kind](client));
      expect(error).toMatchObject({ code: 'answer-unreadable', status: 200, attempts: 1 });
      expect(error.message).toContain('a web page instead of JSON');
    },
  );

  test('leaves the outcome of a promotion unknown: it may have replaced the real answer', async () => {
    await using server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(loginPage);
    });
    const { client } = clientFor(server.baseUrl);
    const promote = {
      projectId: 'p',
      sourceEnvironmentName: 'dev',
      targetEnvironmentName: 'test',
      versionName: '1',
    };
    const error = await errorOf(client.artifacts.promote(promote));
    expect(error).toMatchObject({ code: 'outcome-unknown', status: 200, attempts: 1 });
    expect(error.message).toContain('a web page instead of JSON');
  });

  test('is not quoted in an error', async () => {
    await using server = await serve((response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end(loginPage);
    });
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls.safe(client));
    expect(error).toMatchObject({ code: 'not-found', body: undefined });
    expect(error.message).not.toContain('<');
  });
});

describe('truncated JSON', () => {
  const broken = '{"pipelineExecutionId": "e';

  test('is unreadable for a reading operation', async () => {
    await using server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"page":0,"resul');
    });
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(calls.safe(client))).toMatchObject({ code: 'answer-unreadable' });
    expect(server.received.length).toBe(1);
  });

  test('leaves the outcome of a start unknown: the execution may be running', async () => {
    await using server = await serve((response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(broken);
    });
    const { client } = clientFor(server.baseUrl);
    expect(await errorOf(calls.once(client))).toMatchObject({ code: 'outcome-unknown', status: 201 });
  });

  test('shorter than the announced length is a lost answer', async () => {
    await using server = await serve((response, _, nth) => {
      if (nth > 1) return reply(response, 200, good.safe);
      response.writeHead(200, { 'content-length': '500' });
      response.write(broken, () => response.socket?.destroy());
    });
    const { client } = clientFor(server.baseUrl);
    expect(await calls.safe(client)).toEqual(good.safe);
    expect(server.received.length).toBe(2);
  });
});

test('a content length shorter than the answer invalidates its JSON, but not the next answer', async () => {
  await using server = await serve((response, _, nth) => {
    if (nth > 1) return reply(response, 200, good.safe);
    const body = JSON.stringify(good.safe);
    response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length - 5}\r\n\r\n${body}`);
  });
  const { client } = clientFor(server.baseUrl, { maxAttempts: 1 });
  await errorOf(calls.safe(client));
  expect(await calls.safe(client)).toEqual(good.safe);
});

test('a content length longer than the answer ends at the time-out', async () => {
  // The time-out fires when the client has the headers, so the speed of the machine does not matter.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const heads: unknown[] = [];
  const noteHead = (head: unknown) => void heads.push(head);
  subscribe('undici:request:headers', noteHead);
  onTestFinished(() => {
    vi.useRealTimers();
    unsubscribe('undici:request:headers', noteHead);
  });
  await using server = await serve((response) => {
    response.writeHead(200, { 'content-length': '500' });
    response.write(JSON.stringify(good.safe));
  });
  const { client } = clientFor(server.baseUrl, { timeoutMs: 60, maxAttempts: 2 });
  const call = errorOf(calls.safe(client));
  for (const attempt of [1, 2]) {
    while (heads.length < attempt) await turn();
    vi.advanceTimersByTime(60);
  }
  expect(await call).toMatchObject({ code: 'no-answer', attempts: 2, status: 200 });
});

test('an answer longer than the client’s limit is aborted', async () => {
  await using server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const block = Buffer.alloc(64 * 1024, 0x20);
    const more = (): void => {
      while (!response.destroyed) if (!response.write(block)) return;
    };
    response.on('drain', more);
    more();
  });
  const { client } = clientFor(server.baseUrl, { maxAnswerBytes: 1024 * 1024 });
  const error = await errorOf(calls.safe(client));
  expect(error).toMatchObject({ code: 'answer-unreadable', attempts: 1 });
  expect(error.message).toContain('longer than the maximum that the client accepts');
});

test('unknown fields and enumeration values are passed on', async () => {
  const answer = { result: { status: 'HIBERNATING', mood: 'calm' }, version: 2 };
  await using server = await serve((response) => reply(response, 200, answer));
  const { client } = clientFor(server.baseUrl);
  expect(await client.executions.get({ projectId: 'p', pipelineExecutionId: 'e' })).toEqual(answer);
});

test('a missing required field is named', async () => {
  await using server = await serve((response) =>
    reply(response, 200, { ...good.safe, results: [{ name: 'x' }] }),
  );
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(calls.safe(client));
  expect(error).toMatchObject({ code: 'answer-unreadable' });
  expect(error.message).toContain('results.0.id');
});

test('plain text is accepted where the specification does not show the answer', async () => {
  await using server = await serve((response) => {
    response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted.');
  });
  const { client } = clientFor(server.baseUrl);
  const promote = {
    projectId: 'p',
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: '1',
  };
  expect(await client.artifacts.promote(promote)).toBeUndefined();
});

test.each([301, 302, 307, 308])(
  'a redirect (%i) is not followed, and the error contains only its host',
  async (status) => {
    await using elsewhere = await serve((response) => reply(response, 200, good.safe));
    await using server = await serve((response) =>
      reply(response, status, undefined, { location: `${elsewhere.baseUrl}/login?state=private` }),
    );
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(calls.safe(client));
    expect(error).toMatchObject({ code: 'answer-unreadable', status });
    expect(error.message).toContain(new URL(elsewhere.baseUrl).host);
    expect(error.message).not.toContain('private');
    expect(elsewhere.received).toEqual([]);
  },
);

test('a 303 to an operation that must not be repeated leaves its outcome unknown', async () => {
  await using server = await serve((response) =>
    reply(response, 303, undefined, { location: '/v1/projects/p/pipeline-executions/e' }),
  );
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(calls.once(client))).toMatchObject({ code: 'outcome-unknown', status: 303 });
  expect(server.received.filter(({ method }) => method === 'POST').length).toBe(1);
});

describe('a 400', () => {
  const call = { projectId: 'p', name: 'limit', type: 'NUMBER', behaviour: 'SHARED', value: 1 } as const;

  test('in the first form names each field', async () => {
    const body = {
      title: 'Bad Request',
      status: 400,
      detail: 'wrong',
      instance: '/v1',
      'validation-errors': [{ field: 'value', message: 'must not be null' }],
    };
    await using server = await serve((response) => reply(response, 400, body));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.variables.create(call));
    expect(error).toMatchObject({
      code: 'request-invalid',
      violations: [{ field: 'value', message: 'must not be null' }],
      body,
      isUserFault: true,
    });
    expect(error.message).toBe('variables.create: was answered 400: “wrong”: value: must not be null.');
  });

  test('in the third form has its sentences as violations', async () => {
    const body = { title: 'Bad Request', status: 400, violations: ['value is too large', 'name is taken'] };
    await using server = await serve((response) => reply(response, 400, body));
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.variables.create(call));
    expect(error).toMatchObject({
      violations: [{ message: 'value is too large' }, { message: 'name is taken' }],
      body,
    });
  });

  test('in no known form is quoted on one line, without terminal escapes', async () => {
    await using server = await serve((response) => {
      response.writeHead(400).end('no\u001b[31m\nway');
    });
    const { client } = clientFor(server.baseUrl);
    const error = await errorOf(client.variables.create(call));
    expect(error.message).toBe('variables.create: was answered 400: no [31m way.');
    expect(error.body).toBeUndefined();
  });
});

test('the platform’s own request id takes precedence over the sent one', async () => {
  await using server = await serve((response) =>
    reply(response, 404, undefined, { 'x-request-id': 'theirs-7' }),
  );
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(calls.safe(client))).toMatchObject({ requestId: 'theirs-7' });
});

test('a refusal with a truncated body is still a refusal', async () => {
  await using server = await serve((response) => {
    response.writeHead(403, { 'content-length': '500' });
    response.write('{"error":', () => response.socket?.destroy());
  });
  const { client } = clientFor(server.baseUrl);
  expect(await errorOf(calls.once(client))).toMatchObject({
    code: 'forbidden',
    status: 403,
    attempts: 1,
    body: undefined,
  });
});

test('an answer without a body to a read is unreadable', async () => {
  await using server = await serve((response) => reply(response, 200));
  const { client } = clientFor(server.baseUrl);
  const error = await errorOf(calls.safe(client));
  expect(error.message).toBe('projects.list was answered 200, but without a body.');
});
