import { describe, expect, test } from 'vitest';
import { jsonNull, LongDecimal, type SqlType, type Value } from '../../../../engine/index.ts';
import {
  areEqual,
  comparableAcross,
  comparableOfNode,
  comparableOfValue,
} from '../../../../flows/pipeline-tests/compare/compare-values.ts';
import { parseDecimal } from '../../../../lib/core/values/decimal.ts';
import { readYaml } from '../../../../lib/yaml/read-yaml.ts';
import { childOf } from '../../../../lib/yaml/yaml-node.ts';

/** Whether a value of a column equals what a test file writes. */
function equals(type: SqlType, value: Value, written: string, tolerance = '0'): boolean {
  const { root } = readYaml(`v: ${written}\n`, { file: 'a' });
  const limit = parseDecimal(tolerance) ?? { units: 0n, scale: 0 };
  return areEqual(comparableOfNode(childOf(root, 'v'), type), comparableOfValue(value, type), limit);
}

const number = { name: 'NUMBER', precision: 38, scale: 4 } as const;
const float = { name: 'FLOAT' } as const;
const text = { name: 'VARCHAR', length: undefined } as const;
const date = { name: 'DATE' } as const;
const timestamp = { name: 'TIMESTAMP' } as const;
const variant = { name: 'VARIANT' } as const;

describe('numbers compare by value', () => {
  test.each<[SqlType, Value, string, boolean]>([
    [number, '1.0000', '1', true],
    [number, '1.0000', '1.00', true],
    [number, '1.0000', '1.0001', false],
    [number, 12345678901234567890n, '12345678901234567890', true],
    [number, 12345678901234567890n, '12345678901234567891', false],
    [number, 9007199254740993n, '0x20000000000001', true],
    [number, 9007199254740992n, '0x20000000000001', false],
    [number, 9007199254740992n, '0o400000000000000001', false],
    [number, 31, '0x1F', true],
    [number, '1.0000', '"1"', false],
    [number, 9007199254740992, '0x20000000000001', false],
    [number, 9007199254740993n, '0x20000000000001', true],
    [number, 1, 'true', false],
    [float, 0.1, '0.1', true],
    [float, 0.1 + 0.2, '0.3', false],
    [float, 0.1, '0.10000000000000001', true],
    [float, 0.1, '0.10000000000000002', false],
    [float, 123456789.12345679, '123456789.123456789', true],
    [float, 'Infinity', '1e400', false],
    [number, '0.1000', '0.10000000000000001', false],
    [float, 1e21, '1000000000000000000000', true],
    [float, 1e21, '1e21', true],
    [float, 'NaN', '.nan', true],
    [float, '-Infinity', '-.inf', true],
    [float, 'Infinity', '-.inf', false],
    [number, null, '0', false],
    [number, null, 'null', true],
    [number, 0, '', false],
  ])('%j with %s against %s: %s', (type, value, written, expected) => {
    expect(equals(type, value, written)).toBe(expected);
  });

  test.each([
    ['0.01', '1.0100', true],
    ['0.01', '1.0101', false],
    ['0', '1.0001', false],
  ])('with a tolerance of %s, 1 against %s: %s', (tolerance, value, expected) => {
    expect(equals(number, value, '1', tolerance)).toBe(expected);
  });
});

test.each<[Value, string, boolean]>([
  ['a', 'a', true],
  ['a', 'A', false],
  ['a ', '"a"', false],
  ['1', '1', false],
  ['1', '"1"', true],
  ['true', 'true', false],
  ['', '""', true],
  ['', 'null', false],
  [null, '""', false],
  ['2026-01-02 00:00:00', '2026-01-02', false],
])('a text %j against %s: %s', (value, written, expected) => {
  expect(equals(text, value, written)).toBe(expected);
});

test.each<[SqlType, Value, string, boolean]>([
  [date, '2026-01-02', '2026-01-02', true],
  [date, '2026-01-02', "'2026-01-02 06:00:00'", false],
  [date, '2026-01-02', "'2026-01-02 00:00:00'", true],
  [date, '2026-01-02', "'2026-1-2'", false],
  [timestamp, '2026-01-02 06:00:00', "'2026-01-02 06:00:00'", true],
  [timestamp, '2026-01-02 06:00:00', "'2026-01-02 06:00:00.000000'", true],
  [timestamp, '2026-01-02 06:00:00.5', "'2026-01-02 06:00:00.500'", true],
  [timestamp, '2026-01-02 06:00:00.5', "'2026-01-02 06:00:00'", false],
  [timestamp, '2026-01-02 06:00:00', '2026-01-02', false],
  [{ name: 'TIMESTAMP_TZ' }, '2026-01-02 06:00:00+00:00', "'2026-01-02 06:00:00'", true],
  [{ name: 'TIME' }, '06:00:00.5', "'06:00:00.50'", true],
  [{ name: 'BINARY' }, '0AFF', "'0aff'", true],
])('%j with %s against %s: %s', (type, value, written, expected) => {
  expect(equals(type, value, written)).toBe(expected);
});

test.each<[Value, string, boolean]>([
  [{ a: 1, b: [1, 2] }, '{ b: [1, 2], a: 1.0 }', true],
  [{ a: 1, b: [1, 2] }, '{ b: [2, 1], a: 1 }', false],
  [{ a: 1 }, '{ a: 1, b: null }', false],
  [{ a: '1' }, '{ a: 1 }', false],
  [['x', null], '[x, null]', true],
  [['x', undefined], '[x, null]', true],
  [{ a: [undefined] }, '{ a: [null] }', true],
  [['x', undefined], '[x]', false],
  [new LongDecimal('12345678901234567.25'), '12345678901234567.250', true],
  [new LongDecimal('12345678901234567.25'), '12345678901234567.26', false],
  [[new LongDecimal('12345678901234567.25')], '[12345678901234568]', false],
  [null, 'null', true],
  [null, '{ jsonNull: true }', false],
  [jsonNull, 'null', false],
  [jsonNull, '{ jsonNull: true }', true],
  [jsonNull, '"JSON null"', false],
  [{ jsonNull: true }, '{ jsonNull: true }', false],
  [{ a: null }, '{ a: { jsonNull: true } }', false],
  ['x', 'x', true],
  [1, '"1"', false],
  [true, 'true', true],
])('a semi-structured %j against %s: %s', (value, written, expected) => {
  expect(equals(variant, value, written)).toBe(expected);
});

test.each<[SqlType, Value, string, boolean]>([
  [{ name: 'TIMESTAMP_TZ' }, '2024-01-05 10:00:00+00:00', "'2024-01-05 10:00:00.000 +0000'", true],
  [{ name: 'TIMESTAMP_TZ' }, '2024-01-05 10:00:00+00:00', "'2024-01-05 12:00:00+02:00'", true],
  [{ name: 'TIMESTAMP_TZ' }, '2024-01-05 10:00:00+00:00', "'2024-01-05T10:00:00Z'", true],
  [{ name: 'TIMESTAMP_TZ' }, '2024-01-05 10:00:00+00:00', "'2024-01-05 10:00:00+02:00'", false],
  [timestamp, '2024-01-05 10:00:00', "'2024-01-05 12:00:00+02:00'", false],
  [date, '2024-01-05', "'2024-01-05zz'", false],
  [date, '2024-01-05', "'2024-1-5'", false],
  [float, 'NaN', 'NaN', true],
  [float, 'Infinity', 'Infinity', true],
  [float, 'Infinity', 'inf', false],
  [float, 'Infinity', '.inf', true],
  [float, '-Infinity', 'NaN', false],
  [float, 1, "'1'", false],
  [text, 'NaN', '.nan', false],
  [text, 'NaN', 'NaN', true],
  [{ name: 'BINARY' }, '00FF', '00ff', true],
  [{ name: 'TIME' }, '06:00:00', "'06:00'", false],
])('%j with %j against a value as files write it: %s is %s', (type, value, written, expected) => {
  expect(equals(type, value, written)).toBe(expected);
});

test.each<[Value, SqlType, Value, SqlType, boolean]>([
  ['0.10000000000000001', text, 0.1, float, true],
  ['0.10000000000000002', text, 0.1, float, false],
  [new LongDecimal('12345678901234567.25'), variant, '12345678901234567.25', number, true],
  [new LongDecimal('12345678901234567.25'), variant, '12345678901234567.26', number, false],
  [new LongDecimal('12345678901234567.25'), variant, '12345678901234567.25', text, true],
  [new LongDecimal('12345678901234567.25'), variant, '12345678901234568', text, false],
])('%j in a %j equals %s in a %j: %s', (left, leftType, right, rightType, expected) => {
  const [a, b] = [comparableAcross(left, leftType, rightType), comparableAcross(right, rightType, leftType)];
  expect(a.key === b.key).toBe(expected);
});
