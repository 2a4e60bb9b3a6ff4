import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlType } from '../../../../engine/core/sql-type.ts';
import type { Value, Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openSmall } from '../open.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openSmall({ kind: 'WAREHOUSE_TWO' });
});
afterAll(() => warehouse[Symbol.asyncDispose]());

const name = { database: 'DB', schema: 'PUBLIC', table: 'W' };
const whole: SqlType = { name: 'NUMBER', precision: 38, scale: 0 };
const decimal: SqlType = { name: 'NUMBER', precision: 10, scale: 2 };
const numbers: readonly SqlType[] = [whole, decimal, { name: 'INTEGER' }, { name: 'FLOAT' }];
const moments: readonly SqlType[] = [{ name: 'DATE' }, { name: 'TIMESTAMP' }, { name: 'TIMESTAMP_TZ' }];

/** The value that the only cell of a table has after it was written. */
async function stored(type: SqlType, value: Value): Promise<Value | undefined> {
  const { sql } = await warehouse.createTable(name, [{ name: 'V', type }], [[value]]);
  const { rows } = await warehouse.query(`SELECT * FROM ${sql}`, { maxRows: 1 });
  return rows[0]?.[0];
}

const noNumber =
  '|7_1|1_000.5|0x10|0b11|1,5|1 000| 7|7 |７|--1|1e|.|abc|true|2024-01-05|1e99999|$5|7f|1.5.2|\u00a07|7\n|٧'.split(
    '|',
  );
const notFinite = ['NaN', 'nan', 'Infinity', '-inf'];
const noDay = [
  '',
  '2024-01-05zz',
  '2024-1-5',
  '2024/01/05',
  '20240105',
  '01/05/2024',
  '05-01-2024',
  '2024-02-30',
  '2023-02-29',
  '2024-13-01',
  '2024-00-10',
  '0000-01-01',
  '-2024-01-05',
  '02024-01-05',
  '0012024-01-05',
  '1234567-01-05',
  '24-01-05',
  '2024-01-05 (BC)',
  ' 2024-01-05',
  '2024-01-05 ',
  '2024-01',
  '2024-01-05T',
  '2024-01-05 10',
  '2024-01-05 10:00',
  '2024-01-05 24:00:00',
  '2024-01-05 10:60:00',
  '2024-01-05 10:00:60',
  '2024-01-05 10:00:00 Europe/Rome',
  '2024-01-05 10:00:00+25:00',
  '2024-01-05 10:00:00+02:60',
  '2024-01-05  10:00:00',
  '2024-01-05-06',
  '２024-01-05',
  '1704412800',
  'epoch',
  'infinity',
  '-infinity',
  'today',
  'now',
  'null',
];

const refused: readonly (readonly [SqlType, readonly Value[]])[] = [
  ...numbers.map((type) => [type, noNumber] as const),
  ...numbers.slice(0, 3).map((type) => [type, notFinite] as const),
  ...numbers.map((type) => [type, [true, false]] as const),
  [whole, ['0.5', 1.5, '1e-1', '1e40', '100000000000000000000000000000000000000']],
  [decimal, ['1.001', '100000000', 0.001]],
  [{ name: 'SMALLINT' }, ['32768', '1.5', '1_0']],
  [{ name: 'BIGINT' }, ['9223372036854775808', '0x7f']],
  [
    { name: 'FLOAT' },
    [
      '1e400',
      '1e-400',
      '0.1234567890123456789',
      '9007199254740993',
      'NaN1',
      'infinit',
      '1.23456789e-320',
      'nan',
      'inf',
      'INF',
      '+Infinity',
      '-inf',
      'infinity',
    ],
  ],
  [
    { name: 'BOOLEAN' },
    ['', 't', 'f', 'yes', 'no', 'on', 'off', 'y', 'n', '1', '0', 1, 0, ' true', 'true ', 'tru', 'tRUE'],
  ],
  ...moments.map((type) => [type, noDay] as const),
  [{ name: 'DATE' }, ['2024-01-05 00:00:01', '2024-01-05 00:00:00.1', '2024-01-05T00:00:00+01:00']],
  [
    { name: 'TIMESTAMP' },
    ['2024-01-05 10:00:00.1234567', '2024-01-05 10:00:00+01', '2024-01-05 10:00:00 -0030'],
  ],
  [{ name: 'TIMESTAMP_TZ' }, ['2024-01-05 10:00:00.1234567', '0001-01-01 00:00:00+01:00']],
  [
    { name: 'TIME' },
    [
      '',
      '10',
      '10:00',
      '1:00:00',
      '24:00:00',
      '10:60:00',
      '10:00:60',
      '10:00:00.1234567',
      '10:00:00Z',
      '10:00:00 PM',
      '2024-01-05 10:00:00',
      '2024-01-05',
    ],
  ],
  [{ name: 'BINARY' }, ['a', '0xff', 'zz', '00 ', ' 00', '\\x00', '00 01', 'AQ==']],
];

test.each(refused)('%o refuses what is not one of its values, or would lose a part', async (type, values) => {
  for (const value of values)
    await expect(stored(type, value), JSON.stringify(value)).rejects.toThrow(/^row 1: "/);
});

const accepted: readonly (readonly [SqlType, readonly (readonly [written: Value, stored: Value])[]])[] = [
  [
    whole,
    [
      ['7', 7],
      ['+7', 7],
      ['-07', -7],
      ['1e3', 1000],
      ['7.0', 7],
      ['7.', 7],
      [7n, 7],
    ],
  ],
  [
    decimal,
    [
      ['.5', '0.50'],
      ['1.5', '1.50'],
      ['-15e-1', '-1.50'],
      [2, '2.00'],
    ],
  ],
  [
    { name: 'INTEGER' },
    [
      ['1e3', 1000],
      ['-2147483648', -2147483648],
    ],
  ],
  [{ name: 'BIGINT' }, [['-9223372036854775808', -9223372036854775808n]]],
  [
    { name: 'FLOAT' },
    [
      ['1e-7', 1e-7],
      ['-0', -0],
      ['5e-324', 5e-324],
      ['NaN', 'NaN'],
      ['Infinity', 'Infinity'],
      ['-Infinity', '-Infinity'],
    ],
  ],
  [
    { name: 'BOOLEAN' },
    [
      ['true', true],
      ['FALSE', false],
      ['True', true],
      [true, true],
    ],
  ],
  [
    { name: 'DATE' },
    [
      ['2024-02-29', '2024-02-29'],
      ['2024-01-05T00:00:00Z', '2024-01-05'],
      ['12024-01-05', '12024-01-05'],
    ],
  ],
  [
    { name: 'TIME' },
    [
      ['10:00:00.500', '10:00:00.5'],
      ['23:59:59.1234560', '23:59:59.123456'],
    ],
  ],
  [
    { name: 'TIMESTAMP' },
    [
      ['2024-01-05', '2024-01-05 00:00:00'],
      ['2024-01-05T10:00:00.50Z', '2024-01-05 10:00:00.5'],
      ['2024-01-05 10:00:00 +0000', '2024-01-05 10:00:00'],
    ],
  ],
  [
    { name: 'TIMESTAMP_TZ' },
    [
      ['2024-01-05', '2024-01-05 00:00:00+00:00'],
      ['2024-01-05 10:00:00', '2024-01-05 10:00:00+00:00'],
      ['2024-01-05 10:00:00.000 +0000', '2024-01-05 10:00:00+00:00'],
      ['2024-01-05 10:00:00.500 Z', '2024-01-05 10:00:00.5+00:00'],
      ['2024-01-05 10:00:00+00', '2024-01-05 10:00:00+00:00'],
      ['2024-01-01 01:00:00+05:30', '2023-12-31 19:30:00+00:00'],
      ['2024-02-28 23:00:00.25-14:00', '2024-02-29 13:00:00.25+00:00'],
    ],
  ],
  [
    { name: 'BINARY' },
    [
      ['00ff', '00FF'],
      ['', ''],
    ],
  ],
];

test.each(accepted)('%o takes other spellings of its values', async (type, values) => {
  for (const [written, value] of values)
    expect(await stored(type, written), typeof written === 'object' ? undefined : String(written)).toEqual(
      value,
    );
});

test.each<[SqlType, string, string]>([
  [{ name: 'DATE' }, '2024-01-05zz', 'is not a DATE, in column "V": write YYYY-MM-DD'],
  [{ name: 'BOOLEAN' }, 'yes', 'is not a BOOLEAN, in column "V": write true or false'],
  [{ name: 'DATE' }, '2024-01-05\u{200b}', 'is not a DATE'],
  [whole, '7_1', 'is not a DECIMAL(38,0), in column "V"'],
])('the message for %o and %s says what to write', async (type, value, message) => {
  await expect(stored(type, value)).rejects.toThrow(
    `row 1: "${value.replace('\u{200b}', '\\u{200b}')}" ${message}`,
  );
});
