import { inspect } from 'node:util';
import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactor } from '../../../lib/config/redactor.ts';
import { Secret } from '../../../lib/config/secret.ts';

describe('a secret', () => {
  const secret = new Secret('hunter22');

  test('shows its value to nobody who does not ask for it', () => {
    expect(secret.reveal()).toBe('hunter22');
    const error = new Error('x', { cause: secret });
    const seen = [
      String(secret),
      JSON.stringify({ secret }),
      inspect({ deep: [secret] }, { depth: 9, showHidden: true }),
      inspect(error),
    ];
    expect(seen.slice(0, 2)).toEqual(['[secret]', '{"secret":"[secret]"}']);
    expect(seen.join()).not.toContain('hunter22');
    expect(Object.entries(structuredClone(secret))).toEqual([]);
  });
});

describe('masking', () => {
  test('the value goes wherever it stands, the rest stays', () => {
    const mask = redactor([new Secret('p$^(w).*')]);
    expect(mask('a p$^(w).* b p$^(w).*')).toBe('a [secret] b [secret]');
    expect(mask('p$^(w)')).toBe('p$^(w)');
  });

  test('of two secrets the longer one is masked whole', () => {
    expect(redactor(['abcd', 'abcdefgh'])('abcdefgh abcd')).toBe('[secret] [secret]');
  });

  test('every line of a key is masked, its frame is not', () => {
    const mask = redactor(['-----BEGIN KEY-----\nAAAABBBBCCCC\nDDDDEEEEFFFF\n-----END KEY-----']);
    expect(mask('x DDDDEEEEFFFF y AAAABBBBCCCC -----BEGIN KEY-----')).toBe(
      'x [secret] y [secret] -----BEGIN KEY-----',
    );
  });

  test('what is too short to be a secret masks nothing', () => {
    expect(redactor(['', 'abc', '   '])('abc   def')).toBe('abc   def');
  });

  const fixed = { seed: 11, numRuns: 200 };
  const token = string({ unit: 'grapheme', minLength: 8, maxLength: 60 }).filter(
    (text) => text.trim() === text,
  );

  test('URL-encoded, form-encoded and JSON-escaped forms are masked', () => {
    assert(
      property(token, (value) => {
        const mask = redactor([value]);
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
    const mask = redactor(['a<b>&"c\'']);
    for (const text of ['a&lt;b&gt;&amp;&quot;c&#39;', 'a&#60;b&#x3E;&#038;&#34;c&apos;'])
      expect(mask(text)).toBe('[secret]');
  });

  test('in base64 it is masked wherever it stands in the encoded text', () => {
    assert(
      property(string({ maxLength: 9 }), token, string({ maxLength: 9 }), (before, value, after) => {
        const bytes = Buffer.from(`${before}${value}${after}`);
        for (const encoding of ['base64', 'base64url'] as const) {
          const masked = redactor([value])(bytes.toString(encoding));
          expect(masked).toContain('[secret]');
          const left = masked.replace(/^(.*?)\[secret\].*$/s, '$1').length;
          // At most the character that the value shares with its neighbour is left.
          expect(left).toBeLessThanOrEqual(Math.ceil((Buffer.byteLength(before) * 8) / 6));
        }
      }),
      fixed,
    );
  });
});
