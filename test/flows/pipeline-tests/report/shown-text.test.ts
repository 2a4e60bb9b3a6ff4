import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exactNumber,
  jsonNullCell,
  sqlNullItem,
} from '../../../../flows/pipeline-tests/compare/exact-number.ts';
import { rowLines, rowTexts } from '../../../../flows/pipeline-tests/report/row-lines.ts';
import { differenceLines } from '../../../../flows/pipeline-tests/report/difference-lines.ts';
import { comparedTexts, shownText } from '../../../../flows/pipeline-tests/report/shown-text.ts';
import type { Difference, Shown } from '../../../../flows/pipeline-tests/compare/test-result.ts';

const row = (
  kind: Difference['kind'],
  expected: Shown | undefined,
  actual: Shown | undefined,
): Difference => ({
  kind,
  file: 'a.test.yaml',
  line: 5,
  column: 3,
  table: 't',
  message: 'a row differs',
  ...(expected === undefined ? {} : { expected }),
  ...(actual === undefined ? {} : { actual }),
});

/** Values that differ, and could look the same. */
const alike: readonly (readonly [Shown, Shown, left: string, right: string])[] = [
  ['a\r\nb', 'a\nb', '"a\\r\\nb"', '"a\\nb"'],
  ['a\nb', 'a b', '"a\\nb"', '"a b"'],
  ['a\tb', 'a b', '"a\\tb"', '"a b"'],
  ['a ', 'a', '"a "', '"a"'],
  ['a  b', 'a b', '"a  b"', '"a b"'],
  [' ', '', '" "', '""'],
  ['a\u00a0b', 'a b', '"a\\u{a0}b"', '"a b"'],
  ['\ufeffa', 'a', '"\\u{feff}a"', '"a"'],
  ['a\u200bb', 'ab', '"a\\u{200b}b"', 'ab'],
  ['a\u3164', 'a', '"a\\u{3164}"', '"a"'],
  ['\u00e9', 'e\u0301', '"\\u{e9}"', '"e\\u{301}"'],
  ['\uff17', '7', '"\\u{ff17}"', '"7"'],
  ['1', 1, '"1"', '1'],
  ['1.5', 1.5, '"1.5"', '1.5'],
  [
    '12345678901234567890',
    exactNumber('12345678901234567890'),
    '"12345678901234567890"',
    '12345678901234567890',
  ],
  [
    ['12345678901234567890'],
    [exactNumber('12345678901234567890')],
    '["12345678901234567890"]',
    '[12345678901234567890]',
  ],
  ['NaN', exactNumber('NaN'), '"NaN"', 'NaN'],
  [['undefined'], [sqlNullItem], '["undefined"]', '[undefined]'],
  [[null], [sqlNullItem], '[null]', '[undefined]'],
  ['JSON null', jsonNullCell, '"JSON null"', 'JSON null'],
  [null, jsonNullCell, 'null', 'JSON null'],
  ['true', true, '"true"', 'true'],
  ['null', null, '"null"', 'null'],
  ['', null, '""', 'null'],
  ['"1"', '1', '"\\"1\\""', '"1"'],
  ['[1]', [1], '"[1]"', '[1]'],
  ['a\\nb', 'a\nb', '"a\\\\nb"', '"a\\nb"'],
  [['a '], ['a'], '["a "]', '["a"]'],
  [`${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`, '…"xxxxxxxxxxxx1"', '…"xxxxxxxxxxxx2"'],
  [{ a: 'x'.repeat(60), b: 1 }, { a: 'x'.repeat(60), b: 2 }, '…xxxxxx","b":1}', '…xxxxxx","b":2}'],
];

test.each(alike)('%j and %j do not look the same beside each other', (expected, actual, left, right) => {
  expect(comparedTexts([expected, actual])).toEqual([left, right]);
});

test.each(alike)(
  '%j and %j look different as cells of a row, with carets, and as two rows',
  (expected, actual, left, right) => {
    const changed = rowLines([row('changed-row', { id: 1, v: expected }, { id: 1, v: actual })]);
    expect(changed[2]?.split(' | ').map((text) => text.slice(text.indexOf('1  ') + 3).trim())).toEqual([
      left,
      right,
    ]);
    expect(changed[3]?.match(/\^+/g)?.map((carets) => carets.length)).toEqual([left.length, right.length]);
    const alone = rowLines([
      row('missing-row', { v: expected }, undefined),
      row('extra-row', undefined, { v: actual }),
    ]);
    expect(alone.slice(2).map((line) => line.replace(/^. | *\| */g, '').trim())).toEqual([left, right]);
    expect(rowTexts(row('changed-row', { v: expected }, { v: actual }))).toEqual([
      `expected v ${left}`,
      `actual v ${right}`,
    ]);
  },
);

test('the value of a variable is shown so that the difference can be seen', () => {
  const difference = row('variable', 'a\r\n', 'a\n');
  const result = {
    file: 'a.test.yaml',
    line: 1,
    name: 'a',
    pipeline: 'a',
    status: 'failed',
    durationMs: 1,
  } as const;
  expect(differenceLines({ ...result, differences: [difference] }).slice(1)).toEqual([
    '  expected  "a\\r\\n"',
    '  actual    "a\\n"',
  ]);
});

test('only the cells that differ have carets, whatever their texts', () => {
  const one = row('changed-row', { day: '2024-01-05 00:00:00', n: 1 }, { day: '2024-01-05', n: 2 });
  const [, , , carets = ''] = rowLines([{ ...one, columns: ['n'] }]);
  expect(carets.match(/\^+/g)).toEqual(['^', '^']);
});

const character = fc.constantFrom(
  ...'ab1 "\\n\t\r\n\u00a0\u200b\ufeff\u00e9e\u0301\u3000\u{1b}\u0085…→[]{}:,.-'.split(''),
);
const text = fc.string({ unit: character, maxLength: 60 });
const value: fc.Arbitrary<Shown> = fc.oneof(
  text,
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.constantFrom<Shown>(null, true, 1, '1', exactNumber('1e400')),
  fc.array(text, { maxLength: 3 }),
);

test('any values that differ have texts that differ, in one line of visible characters', () => {
  const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
  fc.assert(
    fc.property(
      fc.uniqueArray(value, { minLength: 2, maxLength: 5, selector: (one) => JSON.stringify(one) }),
      (values) => {
        const texts = comparedTexts(values);
        expect(new Set(texts).size).toBe(values.length);
        for (const one of [...texts, ...values.map(shownText)]) expect(one).not.toMatch(unseen);
      },
    ),
  );
});
