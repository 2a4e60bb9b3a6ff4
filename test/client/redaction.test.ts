import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Logger } from '../../lib/core/ports.ts';
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

test('a secret is masked however it is escaped among other text, and nothing else is', () => {
  const ways: ((character: string) => string)[] = [
    (character) => character,
    (character) =>
      Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
        .map((code) => String.raw`\u${code.toString(16).padStart(4, '0')}`)
        .join(''),
    (character) =>
      Array.from(
        Buffer.from(character),
        (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
      ).join(''),
  ];
  const around = fc.string({ unit: fc.constantFrom('x', ' ', '%2', '\\n', '%C3%A9', 'é', '🚀', '%ff') });
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 }).filter((text) => text.isWellFormed()),
      fc.infiniteStream(fc.nat(ways.length - 1)),
      around,
      around,
      (value, choices, before, after) => {
        // With something that is nowhere in the text around it, so that it cannot be there twice.
        const hidden = `#${value}#`;
        const written = Array.from(hidden, (character) => {
          const choice: number = choices.next().value ?? 0;
          // Whoever escapes anything escapes what escapes are written with.
          return ways['\\%'.includes(character) ? Math.max(choice, 1) : choice]?.(character);
        }).join('');
        const redaction = createRedaction();
        redaction.add(hidden);
        expect(redaction.text(`${before}\n${written}\n${after}`)).toBe(`${before}\n***\n${after}`);
      },
    ),
  );
});

test('a secret that is longer than any pattern may be is masked when it is escaped', () => {
  const redaction = createRedaction();
  const long = 'a+b'.repeat(10_000);
  redaction.add(long);
  expect(redaction.text(`{"error":"${long.replaceAll('+', String.raw`\u002b`)}"}`)).toBe('{"error":"***"}');
});

test('of tokens that follow one another the last ones are masked, what was configured always is', () => {
  const redaction = createRedaction();
  redaction.add('configured');
  for (let nth = 1; nth <= 100; nth += 1) redaction.addPassing(`token-<${nth}>`);
  expect(redaction.text('configured token-<1> token-<85> token-<100>')).toBe('*** token-<1> *** ***');
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
