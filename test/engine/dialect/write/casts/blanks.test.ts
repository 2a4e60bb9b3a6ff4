import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { visibleText } from '../../../../../lib/core/text/visible-text.ts';
import { openOrders, rowsOf } from '../orders.ts';

/** Blanks other than the space, the only one that the functions remove by default. */
const others = ['\u{a0}', '\u{1680}', '\u{2003}', '\u{2028}', '\u{3000}', '\t', '\n'];

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });
  const rows = async (sql: string) => JSON.parse(await rowsOf(sql, kind, warehouse)) as unknown;

  test.each(['trim', 'ltrim', 'rtrim'])('%s removes spaces, and no other blank', async (name) => {
    const values = others.map((blank) => `${name}('${blank}a${blank}')`);
    expect(await rows(`select ${values.join(', ')}`)).toEqual([others.map((blank) => `${blank}a${blank}`)]);
  });

  test('trim removes all spaces of the sides, and the characters that it is given', async () => {
    expect(
      await rows("select trim('  a b '), ltrim('  a '), rtrim(' a  '), trim('xxaxy', 'xy'), trim(null)"),
    ).toEqual([['a b', 'a ', ' a', 'a', null]]);
  });
});

test('JSON has four blanks, and no other around it', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const rows = async (sql: string) => JSON.parse(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)) as unknown;
  const json = ' \t\r\n{"a":7} \t\r\n';
  expect(await rows(`select parse_json('${json}'):a::int, try_parse_json('${json}'):a::int`)).toEqual([
    [7, 7],
  ]);
  expect(await rows("select parse_json(''), parse_json(' \t\r\n'), try_parse_json(' ')")).toEqual([
    [null, null, null],
  ]);
  expect(
    await rows("select try_parse_json('\u{a0}7'), try_parse_json('7\u{3000}'), try_parse_json('\u{a0}')"),
  ).toEqual([[null, null, null]]);
  await expect(rows('select parse_json(\'\u{a0}{"a":1}\')')).rejects.toThrow(/JSON/);
});

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s: between words of SQL', (kind) => {
  test.each(['\u{a0}', '\u{2003}', '\u{202f}', '\u{3000}', '\u{feff}', '\u{200b}'])(
    'the blank %j is refused, except in texts and comments',
    async (blank) => {
      await using warehouse = await openOrders(kind);
      await expect(rowsOf(`select${blank}1`, kind, warehouse)).rejects.toThrow(
        `Millrace does not support the blank "${visibleText(blank)}" between words`,
      );
      expect(await rowsOf(`select\t1,\r\n'${blank}' /*${blank}*/ --${blank}`, kind, warehouse)).toBe(
        JSON.stringify([[1, blank]]),
      );
    },
  );
});

test('kind 2 counts comments inside of a comment, and kind 1 does not', async () => {
  await using two = await openOrders('WAREHOUSE_TWO');
  const nested = 'select 1 /* off: /* old */ union all select 2 -- */';
  expect(await rowsOf(nested, 'WAREHOUSE_TWO', two)).toBe('[[1]]');
  expect(await rowsOf('select /* a /* b /**/ */ c */ 1/**/ /* */', 'WAREHOUSE_TWO', two)).toBe('[[1]]');
  await expect(rowsOf('select 1 /* a /* b */', 'WAREHOUSE_TWO', two)).rejects.toThrow(
    /is not closed: add \*\/$/,
  );
  await using kindOne = await openOrders('WAREHOUSE_ONE');
  expect(await rowsOf(nested, 'WAREHOUSE_ONE', kindOne)).toBe('[[1],[2]]');
});

test.each(['0x10', '1_000', '0b11', '123abc', '1e', '1and 2', '1é', '1$a'])(
  'a number with letters, %s, is refused',
  async (number) => {
    for (const kind of ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const) {
      await using warehouse = await openOrders(kind);
      await expect(rowsOf(`select ${number}`, kind, warehouse)).rejects.toThrow(/a number with letters/);
    }
  },
);
