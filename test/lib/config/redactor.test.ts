import { expect, test } from 'vitest';
import { redactor } from '../../../lib/config/redactor.ts';

const token = 'tok_abcdefgh1234';
const redact = redactor([token, 'other-secret', 'abcd']);

test.each([
  'tok_abc\ndefgh1234',
  'tok_abc  \r\n   defgh1234',
  'tok_abc\\ndefgh1234',
  'tok_abc%0Adefgh1234',
  JSON.stringify('tok_abc\r\ndefgh1234'),
  'tok_abc defgh1234',
  'tok_abc\u200Bdefgh1234',
  't\no\nk\n_abcdefgh1234',
])('a secret that is cut is masked as a whole: %j', (text) => {
  expect(redact(`before ${text} after`).replaceAll('"', '')).toBe('before [secret] after');
});

test('several secrets, cut and not, are masked each, and what stands between them stays', () => {
  expect(redact(`a ${token} b tok_\nabcdefgh1234 c other-\nsecret d tok_abcdef\ngh1234`)).toBe(
    'a [secret] b [secret] c [secret] d [secret]',
  );
});

test('words that make up a short secret by chance are left alone', () => {
  expect(redact('ab cd')).toBe('ab cd');
});
