import { expect, test } from 'vitest';
import { isExactNumber, parseExactJson } from '../../../../lib/core/values/exact-number.ts';

test.each([
  '0',
  '-0',
  '007',
  '1.10',
  '1.50e2',
  '+5',
  '.5',
  '5.',
  '1e3',
  '9007199254740992',
  '0.1',
  '1e-7',
  '0x10',
  '0o17',
  '.inf',
])('the number %s is kept exactly', (written) => {
  expect(isExactNumber(written)).toBe(true);
});

test.each([
  '9007199254740993',
  '0.1234567890123456789',
  '1e400',
  '1e-400',
  '0x20000000000001',
  '123456789012345678901234567890',
])('the number %s is not kept exactly', (written) => {
  expect(isExactNumber(written)).toBe(false);
});

test('JSON with a number that would lose digits is refused, a text with the same digits is read', () => {
  expect(() => parseExactJson('{"a": [1, 9007199254740993]}')).toThrow(
    new RangeError('The number 9007199254740993 has too many digits: it would be read as 9007199254740992'),
  );
  expect(parseExactJson('{"a": [1.50, "9007199254740993"]}')).toEqual({ a: [1.5, '9007199254740993'] });
  expect(() => parseExactJson('{')).toThrow(SyntaxError);
});
