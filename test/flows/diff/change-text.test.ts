import { expect, test } from 'vitest';
import { changeText } from '../../../flows/diff/row-table.ts';

const long = 'a street with a very long name in the old town near the harbour, ';

test.each([
  [5, 10, '5 → 10'],
  [null, 'x', 'null → x'],
  ['', null, '"" → null'],
  ['Ada', 'Eve', 'Ada → Eve'],
  ['Ada  ', 'Ada', '"Ada  " → "Ada"'],
  ['a\nb', 'a b', '"a\\nb" → "a b"'],
  ['a\u00a0b', 'a b', '"a\\u{a0}b" → "a b"'],
  ['\u00e9', 'e\u0301', '"\\u{e9}" → "e\\u{301}"'],
  ['x → y', 'x', '"x → y" → x'],
  [`${long}Norway`, `${long}Norge`, '…"harbour, Norway" → …"harbour, Norge"'],
])('%j and %j are shown so that the difference can be seen', (before, after, text) => {
  expect(changeText(before, after)).toBe(text);
});

test('a long text is cut after its first difference', () => {
  const text = changeText(`a${long}`, `b${long}`);
  expect(text).toMatch(/^"a.+"… → "b.+"…$/);
  expect(text.length).toBeLessThan(80);
});
