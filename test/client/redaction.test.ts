import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Logger } from '../../model/ports.ts';
import { createRedaction } from '../../client/redaction.ts';
import { calls, clientFor, errorOf, good } from './client-for.ts';
import { reply, serve } from './serve.ts';

const secret = 'tok/en+with=signs';
const forms = [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  encodeURIComponent(secret),
];

describe('a token that the platform echoes', () => {
  test.each([
    [
      'as JSON',
      (response: Parameters<typeof reply>[0]) =>
        reply(response, 400, { error: forms.join(' '), status: 400 }),
    ],
    ['as text', (response: Parameters<typeof reply>[0]) => void response.writeHead(500).end(forms.join(' '))],
    [
      'in a redirect',
      (response: Parameters<typeof reply>[0]) =>
        reply(response, 302, undefined, { location: `http://${secret}.example.com/` }),
    ],
  ])('%s is in no part of the error and in no log line', async (_, answer) => {
    const lines: unknown[] = [];
    const keep = (message: string, fields?: Record<string, unknown>): void =>
      void lines.push([message, fields]);
    const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
    await using server = await serve(answer);
    const { client } = clientFor(server.baseUrl, { auth: { token: secret }, logger });
    const error = await errorOf(calls.once(client));
    const everything = inspect([error, lines], { depth: 9, showHidden: true });
    for (const form of forms) expect(everything).not.toContain(form);
    expect(lines.length).toBeGreaterThan(0);
  });
});

test('a secret is masked in each of its forms, in nested values and in keys', () => {
  const redaction = createRedaction();
  redaction.add(secret);
  expect(redaction.value({ [secret]: [forms.join('|'), 7, null] })).toEqual({
    '***': ['***|***|***|***', 7, null],
  });
});

test('a secret that holds another is masked whole', () => {
  const redaction = createRedaction();
  redaction.add('abcd');
  redaction.add('abcd-efgh');
  expect(redaction.text('x abcd-efgh y')).toBe('x *** y');
});

test('a secret is masked inside longer base64 texts, wherever it lies in them', () => {
  const redaction = createRedaction();
  redaction.add(secret);
  for (const before of ['', 'a', 'ab', 'abc', 'some-id:']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(`${before}${secret}:after`).toString(encoding);
      const masked = redaction.text(`Basic ${text}`);
      const left = Buffer.from(masked.replace(/^Basic /, '').replace('***', ''), encoding).toString('latin1');
      expect(masked).toContain('***');
      expect(left).not.toContain(secret.slice(2, -2));
    }
  }
});

test('a secret with quotes is masked as JSON writes it', () => {
  const redaction = createRedaction();
  redaction.add('pa"ss\\word');
  expect(redaction.text(JSON.stringify({ said: 'pa"ss\\word' }))).toBe('{"said":"***"}');
});

test('a secret is masked whatever is escaped of it, in letters of either case', () => {
  const redaction = createRedaction();
  redaction.add('a+b/c="d');
  expect(
    [
      String.raw`{"error":"bad a\u002Bb/c=\u0022d"}`,
      String.raw`{"error":"bad a+b\/c\u003d\"d"}`,
      '/login?next=a%2bb%2fc=%22d',
      String.raw`C:\a+b/c="d`,
    ].map((text) => redaction.text(text)),
  ).toEqual(['{"error":"bad ***"}', '{"error":"bad ***"}', '/login?next=***', String.raw`C:\***`]);
});

test('fields that name a secret are masked whatever they hold, others are not', () => {
  const redaction = createRedaction();
  expect(
    redaction.value({
      Authorization: 'Bearer x',
      'set-cookie': 'a=b',
      'X-Api-Key': 'k',
      client_secret: 's',
      accessToken: 't',
      executionTag: 'nightly',
      tokens: 5,
      secretName: 'vault/finance',
    }),
  ).toEqual({
    Authorization: '***',
    'set-cookie': '***',
    'X-Api-Key': '***',
    client_secret: '***',
    accessToken: '***',
    executionTag: 'nightly',
    tokens: 5,
    secretName: 'vault/finance',
  });
});

test('a logger that throws costs no answer', async () => {
  await using server = await serve((response) => reply(response, 201, good.once));
  const full = (): never => {
    throw new Error('the disk is full');
  };
  const { client } = clientFor(server.baseUrl, {
    logger: { debug: full, info: full, warn: full, error: full },
  });
  expect(await calls.once(client)).toEqual(good.once);
});
