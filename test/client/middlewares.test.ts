import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  type AttemptRequest,
  logging,
  type Middleware,
  type RecordedAttempt,
  recording,
  type Span,
  tracing,
} from '../../client/index.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { calls, clientFor, errorOf, good } from './client-for.ts';
import { reply, serve } from './serve.ts';

const secret = 'secret-token';

describe('a middleware', () => {
  test('wraps every attempt; the first one is the outermost', async () => {
    await using server = await serve((response, _, nth) =>
      nth === 1 ? reply(response, 503) : reply(response, 200, good.safe),
    );
    const steps: string[] = [];
    const named =
      (name: string): Middleware =>
      async (request, next, { attempt }) => {
        steps.push(`${name} ${attempt} in`);
        const end = await next(request);
        steps.push(`${name} ${attempt} ${end.kind === 'answered' ? end.answer.status : end.kind}`);
        return end;
      };
    const { client } = clientFor(server.baseUrl, { middlewares: [named('outer'), named('inner')] });
    expect(await calls.safe(client)).toEqual(good.safe);
    expect(steps).toEqual([
      'outer 1 in',
      'inner 1 in',
      'inner 1 503',
      'outer 1 503',
      'outer 2 in',
      'inner 2 in',
      'inner 2 200',
      'outer 2 200',
    ]);
  });

  test('adds, changes and removes headers, but neither sees nor removes the credential', async () => {
    await using server = await serve((response) => reply(response, 200, good.safe));
    let seen: AttemptRequest | undefined;
    const { client } = clientFor(server.baseUrl, {
      middlewares: [
        async (request, next) => {
          seen = request;
          const { accept: _, ...headers } = request.headers;
          return next({ ...request, headers: { ...headers, 'user-agent': 'mine', 'x-tenant': 'finance' } });
        },
      ],
    });
    await client.request({
      method: 'GET',
      path: '/v1/odd',
      headers: { 'X-Api-Key': 'k-123', 'x-note': `about ${secret}` },
    });
    expect(seen?.headers).toMatchObject({ 'x-api-key': '[secret]', 'x-note': 'about [secret]' });
    expect(seen?.headers).not.toHaveProperty('authorization');
    const headers = Object.fromEntries(server.received[0]?.headers ?? []);
    expect(headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'user-agent': 'mine',
      'x-tenant': 'finance',
      // Passed on masked, sent with the real value.
      'x-api-key': 'k-123',
      'x-note': `about ${secret}`,
    });
    expect(headers).not.toHaveProperty('accept');
  });

  test('sees masked answers, and the caller gets the real ones', async () => {
    const page = { ...good.safe, echo: `it was ${secret}` };
    await using server = await serve((response) =>
      reply(response, 200, page, { 'set-cookie': 'session=1', 'x-echo': secret }),
    );
    const seen: unknown[] = [];
    const { client } = clientFor(server.baseUrl, {
      middlewares: [
        async (request, next) => {
          const end = await next(request);
          seen.push(end.kind === 'answered' ? [end.answer.text, end.answer.headers] : end);
          return end;
        },
      ],
    });
    expect(await client.projects.list()).toEqual(page);
    expect(inspect(seen, { depth: 9 })).not.toContain(secret);
    expect(seen).toMatchObject([
      [expect.stringContaining('it was [secret]'), { 'set-cookie': '[secret]', 'x-echo': '[secret]' }],
    ]);
  });

  test('may return its own answer, and nothing is sent', async () => {
    await using server = await serve((response) => reply(response, 500));
    const { client } = clientFor(server.baseUrl, {
      middlewares: [
        async () => ({
          kind: 'answered',
          answer: { status: 200, headers: {}, text: JSON.stringify(good.safe) },
        }),
      ],
    });
    expect(await calls.safe(client)).toEqual(good.safe);
    expect(server.received).toEqual([]);
  });

  test('cannot send twice in one attempt', async () => {
    await using server = await serve((response) => reply(response, 200, good.repeatable));
    const { client } = clientFor(server.baseUrl, {
      middlewares: [
        async (request, next) => {
          await next(request);
          return next(request);
        },
      ],
    });
    await expect(calls.repeatable(client)).rejects.toThrow('next() was called a second time');
    expect(server.received.length).toBe(1);
  });

  test('cannot cause a start to be repeated, whatever it returns for the lost answer', async () => {
    await using server = await serve((response) => void response.socket?.destroy());
    const { client } = clientFor(server.baseUrl, {
      middlewares: [
        async (request, next) => {
          await next(request);
          return { kind: 'never-sent', problem: 'I say so', permanent: false };
        },
      ],
    });
    const error = await errorOf(calls.once(client));
    expect(error).toMatchObject({ code: 'outcome-unknown', attempts: 1 });
    expect(server.received.length).toBe(1);
  });

  test.each<[string, Middleware]>([
    ['returns nothing', async (request, next) => void (await next(request)) as never],
    [
      'throws without waiting for the answer',
      async (request, next) => {
        void next(request);
        throw new Error('too slow for me');
      },
    ],
  ])('that %s leaves the outcome of a start unknown', async (_, middleware) => {
    await using server = await serve((response) => reply(response, 201, good.once));
    const { client } = clientFor(server.baseUrl, { middlewares: [middleware] });
    const error = await errorOf(calls.once(client));
    expect(error).toMatchObject({ code: 'outcome-unknown', executionTag: 'nightly' });
  });

  test('that throws before anything was sent ends the call with its own error', async () => {
    const broken = new Error('my own fault');
    await using server = await serve((response) => reply(response, 201, good.once));
    const { client } = clientFor(server.baseUrl, { middlewares: [() => Promise.reject(broken)] });
    await expect(calls.once(client)).rejects.toBe(broken);
    expect(server.received).toEqual([]);
  });

  test.each([201, 500])(
    'that throws after a start was answered with %i leaves the outcome unknown',
    async (status) => {
      const broken = new Error('my own fault');
      await using server = await serve((response) => reply(response, status, good.once));
      const { client } = clientFor(server.baseUrl, {
        middlewares: [
          async (request, next) => {
            await next(request);
            throw broken;
          },
        ],
      });
      const error = await errorOf(calls.once(client));
      expect(error).toMatchObject({ code: 'outcome-unknown', cause: broken, executionTag: 'nightly' });
      expect(server.received.length).toBe(1);
    },
  );

  test('sees only the length of an upload, and consumes nothing of it', async () => {
    await using server = await serve((response) => reply(response, 201, {}));
    const bodies: unknown[] = [];
    const { client } = clientFor(server.baseUrl, {
      middlewares: [
        async (request, next) => {
          bodies.push(request.body);
          return next(request);
        },
      ],
    });
    await client.artifacts.create({
      projectId: 'p',
      versionName: '1',
      environmentName: 'dev',
      commitHash: 'c',
      files: [{ path: 'a.sql', bytes: 9, open: () => Buffer.from('select 1;') }],
    });
    await client.executions
      .start({ projectId: 'p', pipelineName: secret, environmentName: 'dev' })
      .catch(() => {});
    expect(bodies).toEqual([
      { kind: 'stream', bytes: server.received[0]?.body.length },
      { kind: 'text', text: '{"pipelineName":"[secret]","environmentName":"dev"}' },
    ]);
  });

  test('does not see the exchange of client credentials', async () => {
    await using server = await serve((response, { target }) =>
      reply(response, 200, target === '/token' ? { access_token: 'issued-token' } : good.safe),
    );
    const urls: string[] = [];
    const { client } = clientFor(server.baseUrl, {
      auth: { clientId: 'c', clientSecret: 'hidden', tokenUrl: `${server.baseUrl}/token` },
      middlewares: [
        async (request, next) => {
          urls.push(request.url);
          return next(request);
        },
      ],
    });
    await calls.safe(client);
    expect(urls).toEqual([`${server.baseUrl}/v1/projects`]);
  });
});

test('logging writes one line per attempt, successful ones at the given level', async () => {
  const lines: unknown[] = [];
  const at =
    (level: string): Logger['debug'] =>
    (message, fields) =>
      void lines.push([level, message, fields?.['status'] ?? fields?.['ended'], fields?.['attempt']]);
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  await using server = await serve((response, _, nth) =>
    nth === 1 ? void response.socket?.destroy() : reply(response, 200, good.safe),
  );
  const { client } = clientFor(server.baseUrl, { middlewares: [logging(logger, { level: 'debug' })] });
  await calls.safe(client);
  const line = `GET ${server.baseUrl}/v1/projects`;
  expect(lines).toEqual([
    ['warn', line, 'lost', 1],
    ['debug', line, 200, 2],
  ]);
});

test('recording passes on each attempt as plain data without secrets', async () => {
  await using server = await serve((response) => reply(response, 200, { ...good.safe, echo: secret }));
  const kept: RecordedAttempt[] = [];
  const { client } = clientFor(server.baseUrl, { middlewares: [recording((attempt) => kept.push(attempt))] });
  await calls.safe(client);
  expect(JSON.parse(JSON.stringify(kept))).toMatchObject([
    {
      operation: 'projects.list',
      attempt: 1,
      request: { method: 'GET', url: `${server.baseUrl}/v1/projects` },
      end: { kind: 'answered', answer: { status: 200 } },
    },
  ]);
  expect(inspect(kept, { depth: 9 })).not.toContain(secret);
});

test('tracing creates one client span per attempt and sends its context', async () => {
  await using server = await serve((response, _, nth) =>
    nth === 1 ? reply(response, 503) : reply(response, 200, good.safe),
  );
  const spans: {
    name: string;
    attributes: Record<string, string | number>;
    code?: number;
    ended: boolean;
  }[] = [];
  const tracer = {
    startSpan(name: string, { attributes }: { attributes: Record<string, string | number> }): Span {
      const span: (typeof spans)[number] = { name, attributes: { ...attributes }, ended: false };
      const nth = spans.push(span);
      return {
        setAttribute: (key, value) => void (span.attributes[key] = value),
        setStatus: ({ code }) => void (span.code = code),
        spanContext: () => ({ traceId: 'a'.repeat(32), spanId: String(nth).repeat(16), traceFlags: 1 }),
        end: () => void (span.ended = true),
      };
    },
  };
  const { client } = clientFor(server.baseUrl, { middlewares: [tracing(tracer)] });
  await calls.safe(client);
  expect(spans).toMatchObject([
    {
      name: 'projects.list',
      attributes: { 'http.response.status_code': 503, 'error.type': '503' },
      code: 2,
      ended: true,
    },
    { attributes: { 'http.response.status_code': 200, 'http.request.resend_count': 1 }, ended: true },
  ]);
  expect(server.received.map(({ headers }) => Object.fromEntries(headers)['traceparent'])).toEqual([
    `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'2'.repeat(16)}-01`,
  ]);
});
