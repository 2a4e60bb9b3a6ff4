import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCopyDecoder } from '../../../../platform/streaming/source/copy-text.ts';

/** Writes a value as COPY does. */
function written(value: string | null): string {
  if (value === null) return '\\N';
  const letters: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  };
  return value.replaceAll(/[\\\b\f\n\r\t\v]/g, (letter) => letters[letter] ?? letter);
}

const value = fc.option(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('', '\\N', '\\', '\\.', '\\\\N', '\t', '\n', 'a\\tb', '😀'),
  ),
);

test('rows come out as they were, wherever the chunks end', () => {
  const rows = fc.integer({ min: 1, max: 4 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.array(value, { minLength: columns, maxLength: columns }), { maxLength: 5 }),
      cuts: fc.array(fc.nat(60), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(rows, ({ columns, rows: expected, cuts }) => {
      const bytes = Buffer.from(expected.map((row) => `${row.map(written).join('\t')}\n`).join(''));
      const decoder = createCopyDecoder(columns);
      const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
      const decoded = ends.flatMap((end, nth) => decoder.decode(bytes.subarray(ends[nth - 1] ?? 0, end)));
      expect(decoded).toEqual(expected);
      expect(decoder.isComplete).toBe(true);
    }),
  );
});

test('a row without columns is an empty list', () => {
  expect(createCopyDecoder(0).decode(Buffer.from('\n\n'))).toEqual([[], []]);
  expect(createCopyDecoder(1).decode(Buffer.from('\n\n'))).toEqual([[''], ['']]);
});

test('a copy that ends inside of a row is not complete', () => {
  const decoder = createCopyDecoder(1);
  expect(decoder.decode(Buffer.from('a\nb'))).toEqual([['a']]);
  expect(decoder.isComplete).toBe(false);
});
