import fc, { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../../lib/config/environment/secret.ts';
import { createRedactor } from '../../../../lib/core/text/redactor.ts';
import { secretForms } from '../../../environment/secret-forms.ts';

const secret = 'tok/en+with=signs';
const forms = secretForms(secret);

test('a secret is masked in each of its forms, in nested values and in keys', () => {
  const redactor = createRedactor();
  redactor.add(secret);
  expect(redactor.value({ [secret]: [forms.join('|'), 7, null] })).toEqual({
    '[secret]': ['[secret]|[secret]|[secret]|[secret]', 7, null],
  });
});

test('a secret that contains another is masked completely', () => {
  const redactor = createRedactor(['abcd', 'abcd-efgh']);
  expect(redactor.text('x abcd-efgh y')).toBe('x [secret] y');
});

test('a secret is masked at any position in a longer base64 text', () => {
  const redactor = createRedactor();
  redactor.add(secret);
  for (const before of ['', 'a', 'ab', 'abc', 'some-id:']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(`${before}${secret}:after`).toString(encoding);
      const masked = redactor.text(`Basic ${text}`);
      const left = Buffer.from(masked.replace(/^Basic /, '').replace('[secret]', ''), encoding).toString(
        'latin1',
      );
      expect(masked).toContain('[secret]');
      expect(left).not.toContain(secret.slice(2, -2));
    }
  }
});

test('a secret with quotation marks is masked in its JSON form', () => {
  const redactor = createRedactor();
  redactor.add('pa"ss\\word');
  expect(redactor.text(JSON.stringify({ text: 'pa"ss\\word' }))).toBe('{"text":"[secret]"}');
});

test('the start of a secret is masked where the text was cut', () => {
  const redactor = createRedactor(['planted-secret/4711']);
  expect(redactor.text('1 planted-secr…')).toBe('1 [secret]…');
  expect(redactor.text('… plante… planted-planted-s… planted-secret/471…, planted-secret is a word')).toBe(
    '… plante… planted-[secret]… [secret]…, planted-secret is a word',
  );
  expect(redactor.text('a=planted-secret%2F4…')).toBe('a=[secret]…');
});

test('a secret is masked in JSON within JSON, and in a URL within JSON', () => {
  const quoted = 'pa"ss\\wo&rd';
  const json = (text: string) => JSON.stringify({ text });
  const redactor = createRedactor([quoted]);
  expect(redactor.text(json(json(quoted)))).toBe(json(json('[secret]')));
  expect(redactor.text(json(`/?a=${encodeURIComponent(json(quoted))}`))).toBe(
    json(`/?a=${encodeURIComponent(json('#'))}`).replace('%23', '[secret]'),
  );
});

test('a secret is masked whatever part of it is escaped, in upper and lower case', () => {
  const redactor = createRedactor();
  redactor.add('a+b/c="d');
  expect(
    [
      String.raw`{"error":"bad a\u002Bb/c=\u0022d"}`,
      String.raw`{"error":"bad a+b\/c\u003d\"d"}`,
      '/login?next=a%2bb%2fc=%22d',
      String.raw`C:\a+b/c="d`,
    ].map((text) => redactor.text(text)),
  ).toEqual([
    '{"error":"bad [secret]"}',
    '{"error":"bad [secret]"}',
    '/login?next=[secret]',
    String.raw`C:\[secret]`,
  ]);
});

test('a secret is masked in every escaped form in other text, and nothing else is masked', () => {
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
        // Contains a character that the other text does not, so that it occurs only once.
        const hidden = `#${value}#`;
        const written = Array.from(hidden, (character) => {
          const choice: number = choices.next().value ?? 0;
          // A writer that escapes anything also escapes the escape characters.
          return ways['\\%'.includes(character) ? Math.max(choice, 1) : choice]?.(character);
        }).join('');
        const redactor = createRedactor();
        redactor.add(hidden);
        expect(redactor.text(`${before}\n${written}\n${after}`)).toBe(`${before}\n[secret]\n${after}`);
      },
    ),
  );
});

test('a secret longer than the limit of a regular expression is masked when it is escaped', () => {
  const redactor = createRedactor();
  const long = 'a+b'.repeat(10_000);
  redactor.add(long);
  expect(redactor.text(`{"error":"${long.replaceAll('+', String.raw`\u002b`)}"}`)).toBe(
    '{"error":"[secret]"}',
  );
});

test('of a sequence of rotating tokens the last ones are masked; configured secrets always are', () => {
  const redactor = createRedactor();
  redactor.add('configured');
  for (let nth = 1; nth <= 100; nth += 1) redactor.addRotating(`token-<${nth}>`);
  expect(redactor.text('configured token-<1> token-<85> token-<100>')).toBe(
    '[secret] token-<1> [secret] [secret]',
  );
});

test('the value of a field with a secret’s name is masked, others are not', () => {
  const redactor = createRedactor();
  expect(
    redactor.value({
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
    Authorization: '[secret]',
    'set-cookie': '[secret]',
    'X-Api-Key': '[secret]',
    client_secret: '[secret]',
    accessToken: '[secret]',
    executionTag: 'nightly',
    tokens: 5,
    secretName: 'vault/finance',
  });
});

const token = 'tok_abcdefgh1234';
const redact = createRedactor([token, 'other-secret', 'abcd']).text;

test.each([
  'tok_abc\ndefgh1234',
  'tok_abc  \r\n   defgh1234',
  'tok_abc\\ndefgh1234',
  'tok_abc%0Adefgh1234',
  JSON.stringify('tok_abc\r\ndefgh1234'),
  'tok_abc defgh1234',
  'tok_abc\u200Bdefgh1234',
  't\no\nk\n_abcdefgh1234',
])('a secret that is split is masked completely: %j', (text) => {
  expect(redact(`before ${text} after`).replaceAll('"', '')).toBe('before [secret] after');
});

test('several secrets, split or not, are masked, and the text between them stays', () => {
  expect(redact(`a ${token} b tok_\nabcdefgh1234 c other-\nsecret d tok_abcdef\ngh1234`)).toBe(
    'a [secret] b [secret] c [secret] d [secret]',
  );
});

test('words that form a short secret by chance are not masked', () => {
  expect(redact('ab cd')).toBe('ab cd');
});

describe('masking', () => {
  test('the value is masked everywhere, and the rest stays', () => {
    const mask = createRedactor([new Secret('p$^(w).*')]).text;
    expect(mask('a p$^(w).* b p$^(w).*')).toBe('a [secret] b [secret]');
    expect(mask('p$^(w)')).toBe('p$^(w)');
  });

  test('of two secrets the longer one is masked completely', () => {
    expect(createRedactor(['abcd', 'abcdefgh']).text('abcdefgh abcd')).toBe('[secret] [secret]');
  });

  test('every line of a key is masked, but not its frame', () => {
    const mask = createRedactor(['-----BEGIN KEY-----\nAAAABBBBCCCC\nDDDDEEEEFFFF\n-----END KEY-----']).text;
    expect(mask('x DDDDEEEEFFFF y AAAABBBBCCCC -----BEGIN KEY-----')).toBe(
      'x [secret] y [secret] -----BEGIN KEY-----',
    );
  });

  test('a value that is too short for a secret is not masked', () => {
    expect(createRedactor(['', 'abc', '   ']).text('abc   def')).toBe('abc   def');
  });

  const fixed = { seed: 11, numRuns: 200 };
  const anySecret = string({ unit: 'grapheme', minLength: 8, maxLength: 60 }).filter(
    (text) => text.trim() === text,
  );

  test('URL-encoded, form-encoded and JSON-escaped forms are masked', () => {
    assert(
      property(anySecret, (value) => {
        const mask = createRedactor([value]).text;
        const encoded = encodeURIComponent(value);
        const form = new URLSearchParams({ v: value }).toString().slice(2);
        const lower = encoded.replace(/%../g, (code) => code.toLowerCase());
        const every = Buffer.from(value).toString('hex').replace(/../g, '%$&');
        for (const text of [value, encoded, lower, form, every]) expect(mask(`<${text}>`)).toBe('<[secret]>');
        expect(mask(JSON.stringify(value))).toBe('"[secret]"');
      }),
      fixed,
    );
  });

  test('HTML-escaped forms are masked', () => {
    const mask = createRedactor(['a<b>&"c\'']).text;
    for (const text of ['a&lt;b&gt;&amp;&quot;c&#39;', 'a&#60;b&#x3E;&#038;&#34;c&apos;'])
      expect(mask(text)).toBe('[secret]');
  });

  test('a secret in base64 is masked at any position of the encoded text', () => {
    assert(
      property(string({ maxLength: 9 }), anySecret, string({ maxLength: 9 }), (before, value, after) => {
        const bytes = Buffer.from(`${before}${value}${after}`);
        for (const encoding of ['base64', 'base64url'] as const) {
          const masked = createRedactor([value]).text(bytes.toString(encoding));
          expect(masked).toContain('[secret]');
          const left = masked.replace(/^(.*?)\[secret\].*$/s, '$1').length;
          // At most the character that the value shares with its neighbour remains.
          expect(left).toBeLessThanOrEqual(Math.ceil((Buffer.byteLength(before) * 8) / 6));
        }
      }),
      fixed,
    );
  });
});

test('base64 that is wrapped into lines is masked completely', () => {
  const encoded = Buffer.from(`id:${secret}:after`)
    .toString('base64')
    .replaceAll(/(.{6})/g, '$1\r\n');
  const masked = createRedactor([secret]).text(encoded);
  expect(masked).toContain('[secret]');
  expect(Buffer.from(masked.replace('[secret]', ''), 'base64').toString('latin1')).not.toContain(
    secret.slice(2, -2),
  );
});

test('a secret with a space does not match the same letters without the space', () => {
  expect(createRedactor(['pass word']).text('the password of ada')).toBe('the password of ada');
});
