import { expect, test } from 'vitest';
import { canonicalJson, type JsonValue } from '../../../../lib/core/values/canonical-json.ts';

test.each<[string, JsonValue, string]>([
  [
    'keys by UTF-16 code units',
    { '\u20ac': 1, '\r': 2, '\ufb33': 3, 1: 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 },
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
  ],
  [
    'nested values without blanks',
    { b: [1, { d: null, c: true }], a: {} },
    '{"a":{},"b":[1,{"c":true,"d":null}]}',
  ],
  ['escapes as JavaScript writes them', '\u20ac$\u000f\nA\'B"\\/', '"\u20ac$\\u000f\\nA\'B\\"\\\\/"'],
  ['whole numbers', [-0, 9_007_199_254_740_991, -7], '[0,9007199254740991,-7]'],
  ['no property that is undefined', { a: undefined, b: 1 }, '{"b":1}'],
])('canonical JSON has %s (RFC 8785)', (_, value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each<[string, unknown, string]>([
  ['a fraction', { a: 0.5 }, 'only whole numbers'],
  ['a number that is too large', 2 ** 53, 'only whole numbers'],
  ['NaN', Number.NaN, 'only whole numbers'],
  ['a lone surrogate', ['\ud800'], 'lone surrogate'],
  ['a lone surrogate in a key', { '\udc00': 1 }, 'lone surrogate'],
  ['undefined', undefined, 'undefined'],
  ['a gap in a list', [undefined], 'undefined'],
  ['a date', { at: new Date(0) }, 'an object of Date'],
  ['a function', () => 1, 'function'],
  ['a list in itself', Array.from({ length: 70 }).reduce<unknown>((inner) => [inner], 1), '64 levels'],
])('canonical JSON refuses %s', (_, value, message) => {
  expect(() => canonicalJson(value as JsonValue)).toThrow(message);
});
