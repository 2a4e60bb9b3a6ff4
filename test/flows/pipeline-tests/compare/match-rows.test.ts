import { expect, test } from 'vitest';
import type { Comparable } from '../../../../flows/pipeline-tests/compare/compare-values.ts';
import { parseDecimal } from '../../../../lib/core/values/decimal.ts';
import { matchInOrder, matchRows } from '../../../../flows/pipeline-tests/compare/match-rows.ts';

const none = { units: 0n, scale: 0 };

/** Rows of letters and numbers: `a1` has the cells `a` and 1. */
function rows(...texts: readonly string[]): Comparable[][] {
  return texts.map((text) =>
    text.split(' ').map((cell) => {
      const number = parseDecimal(cell);
      return number === undefined ? { key: cell } : { key: `n${number.units}e${number.scale}`, number };
    }),
  );
}

test('equal tables match in any order, and each row counts as often as it occurs', () => {
  expect(matchRows(rows('a', 'b', 'a'), rows('b', 'a', 'a'), none)).toEqual({
    missing: [],
    extra: [],
    changed: [],
  });
  expect(matchRows(rows('a', 'b'), rows('b', 'a', 'a'), none)).toEqual({
    missing: [],
    extra: [2],
    changed: [],
  });
  expect(matchRows(rows('a', 'a', 'b'), rows('b', 'a'), none)).toEqual({
    missing: [1],
    extra: [],
    changed: [],
  });
});

test('a missing and an extra row with equal cells are one changed row, the most similar first', () => {
  expect(matchRows(rows('1 x p', '2 y q'), rows('2 z q', '1 y q'), none)).toEqual({
    missing: [],
    extra: [],
    changed: [
      { expected: 0, actual: 1, columns: [1, 2] },
      { expected: 1, actual: 0, columns: [1] },
    ],
  });
  expect(matchRows(rows('1 x'), rows('2 y'), none)).toEqual({ missing: [0], extra: [0], changed: [] });
});

test('with a tolerance, rows match even where the first fit would leave one over', () => {
  const tolerance = parseDecimal('0.6') ?? none;
  expect(matchRows(rows('1', '2'), rows('1.5', '0.5'), tolerance)).toEqual({
    missing: [],
    extra: [],
    changed: [],
  });
  expect(matchRows(rows('1', '2'), rows('0.5', '0.6'), tolerance)).toMatchObject({
    missing: [1],
    extra: [1],
  });
});

test('thousands of equal rows match', () => {
  const many = rows(...Array.from({ length: 5000 }, () => 'a'));
  expect(matchRows(many, many.slice(1), none)).toEqual({ missing: [4999], extra: [], changed: [] });
});

test('in order, rows at the same place are compared', () => {
  expect(matchInOrder(rows('a', 'b'), rows('b', 'a'), none).changed).toHaveLength(2);
  expect(matchInOrder(rows('a', 'b', 'c'), rows('a', 'b'), none)).toEqual({
    missing: [2],
    extra: [],
    changed: [],
  });
  expect(matchInOrder(rows('a'), rows('a', 'b'), none)).toEqual({ missing: [], extra: [1], changed: [] });
});
