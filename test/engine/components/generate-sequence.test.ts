import { expect, test } from 'vitest';
import type { WarehouseKind } from '../../../engine/core/sql-type.ts';
import { outputs } from './outputs.ts';

const output = outputs();

function sequence(start: string, increment: string, end: string, kind: WarehouseKind = 'WAREHOUSE_ONE') {
  return output(
    `
Sequence:
  type: generate-sequence
  parameters: { startValue: "${start}", incrementValue: "${increment}", endValue: "${end}", outputColumn: Number }
`,
    { kind },
  );
}

test.each([
  ['1', '1', '3', [1, 2, 3]],
  ['0', '5', '14', [0, 5, 10]],
  ['3', '-2', '-1', [-1, 1, 3]],
  ['3', '-2', '0', [1, 3]],
  ['2', '1', '2', [2]],
  ['2', '1', '1', []],
  ['1', '-1', '2', []],
])('from %s by %s to %s are %j', async (start, increment, end, numbers) => {
  const { columns, rows } = await sequence(start, increment, end);
  expect(columns).toEqual(['Number NUMBER(38,0)']);
  expect(rows).toEqual(numbers.map((number) => [number]));
});

test('blanks of ASCII around a number are left out, and other spaces are refused', async () => {
  expect((await sequence(' 1', '1 ', ' 2 ')).rows).toHaveLength(2);
  await expect(sequence('1', '1', '\u00A03')).rejects.toThrow(
    'endValue: expected a whole number, found "\u00A03"',
  );
});

test('in the second kind of warehouse, the name is in lower case, and the numbers are BIGINT', async () => {
  const { columns } = await sequence('1', '1', '2', 'WAREHOUSE_TWO');
  expect(columns).toEqual(['number BIGINT']);
});

test.each([
  ['1', '0', '3', /incrementValue is 0, so the sequence would not end/],
  ['1', '1', '10000001', /Millrace does not support a sequence of more than 10000000 numbers/],
  ['0', '-1', '-10000000', /Millrace does not support a sequence of more than 10000000 numbers/],
  ['1.5', '1', '3', /startValue: expected a whole number, found "1.5"/],
  ['1', '', '3', /the parameter incrementValue is not set/],
])('from %s by %s to %s is an error', async (start, increment, end, message) => {
  await expect(sequence(start, increment, end)).rejects.toThrow(message);
});

test('10 million numbers are allowed', async () => {
  // Nothing reads the sequence, so it is only checked.
  const { rows } = await output(`
Sequence:
  type: generate-sequence
  parameters: { startValue: "1", incrementValue: "1", endValue: "10000000", outputColumn: N }
Given:
  type: fixed-flow
  parameters: { columns: [[ID, NUMBER]], values: [["1"]] }
`);
  expect(rows).toEqual([[1]]);
});
