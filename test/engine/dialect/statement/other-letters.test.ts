import { expect, test } from 'vitest';
import { openOrders, rowsOf } from '../write/orders.ts';

/** Long s, dotless i and the Kelvin sign: their other case is a letter of ASCII. */
const [LONG_S, DOTLESS_I, KELVIN] = ['\u{17f}', '\u{131}', '\u{212a}'];

test.each([
  `select 1 a${LONG_S} v where 1 in (1)`,
  `select 1 as v where 1 ${DOTLESS_I}n (1)`,
  `select m${DOTLESS_I}n(1)`,
  `select 1::${DOTLESS_I}nt`,
  `${LONG_S}elect 1`,
  `select dateadd(day${LONG_S}, 1, date '2024-01-05')`,
  `select date_part('day${LONG_S}', date '2024-01-05')`,
])('no keyword, function, type or unit has another letter: %s', async (sql) => {
  for (const kind of ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const) {
    await using warehouse = await openOrders(kind);
    await expect(rowsOf(sql, kind, warehouse)).rejects.toThrow(
      /Millrace does not|syntax|not found|expected|exist/i,
    );
  }
});

test('a name of kind 1 without quotes has no letter whose capital is one of ASCII, or several letters', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  for (const name of [`${LONG_S}id`, `${DOTLESS_I}d`, 'straße', '\u{fb01}t']) {
    const capitals = name.toUpperCase();
    await expect(
      rowsOf(`select ${name} from (select 1 as ${capitals})`, 'WAREHOUSE_ONE', warehouse),
    ).rejects.toThrow(/the letter ".*" in the name .*write the name in double quotes/);
    const quoted = `select "${name}" from (select 1 as "${name}")`;
    expect(await rowsOf(quoted, 'WAREHOUSE_ONE', warehouse)).toBe('[[1]]');
  }
  expect(await rowsOf('select é from (select 1 as É)', 'WAREHOUSE_ONE', warehouse)).toBe('[[1]]');
});

test('kind 2 folds the letters of ASCII only', async () => {
  await using warehouse = await openOrders('WAREHOUSE_TWO');
  for (const [stored, read] of [
    ['ö', 'Ö'],
    ['key1', `${KELVIN}ey1`],
  ] as const) {
    const from = (name: string) => `select ${name} from (select 1 as "${stored}")`;
    await expect(rowsOf(from(read), 'WAREHOUSE_TWO', warehouse)).rejects.toThrow(/not found|does not exist/);
    expect(await rowsOf(from(stored.toUpperCase().replace('Ö', 'ö')), 'WAREHOUSE_TWO', warehouse)).toBe(
      '[[1]]',
    );
  }
  expect(await rowsOf('select straße from (select 1 as STRAßE)', 'WAREHOUSE_TWO', warehouse)).toBe('[[1]]');
});

test.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)(
  '%s: an interval has plain blanks only',
  async (kind) => {
    await using warehouse = await openOrders(kind);
    const added = (interval: string) =>
      rowsOf(`select (date '2024-01-05' + interval '${interval}')::varchar`, kind, warehouse);
    expect(await added(' 1\tday ')).toContain('2024-01-06');
    for (const blank of ['\u{a0}', '\u{3000}'])
      await expect(added(`1${blank}day`)).rejects.toThrow(/INTERVAL/);
  },
);
