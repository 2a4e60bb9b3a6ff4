import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceText } from '../../../../../engine/core/source-text.ts';
import { translateQuery } from '../../../../../engine/dialect/translate.ts';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { castTables, pairTables } from './cast-table.ts';
import { contextOf, openOrders, rowsOf as textRows, runScript } from '../orders.ts';

const ERROR = '!';
const REFUSED = '?';
type Outcomes = Readonly<Record<string, string>>;

function cellsOf(table: string): readonly (readonly string[])[] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('on %s', (kind) => {
  const [header = [], ...lines] = cellsOf(castTables[kind]);
  const texts = lines.map(([text = '']) => String(JSON.parse(text)));

  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
    const rows = texts.map((text, index) => `(${index}, '${text}')`).join(', ');
    await runScript(
      `create table texts (id int, x varchar); insert into texts values ${rows}`,
      kind,
      warehouse,
    );
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  async function rowsOf(sql: string): Promise<readonly (readonly string[])[]> {
    const { sql: duck } = translateQuery(sourceText(sql, 'query.sql'), contextOf(kind, warehouse));
    const { rows } = await warehouse.query(duck, { maxRows: 100 });
    return rows.map((row) => row.map(String));
  }

  /** What a query fails with, as a sign of the table; otherwise its value. */
  async function outcomeOf(sql: string): Promise<string> {
    try {
      return (await rowsOf(sql))[0]?.[0] ?? '';
    } catch (error) {
      const { message } = error as Error;
      if (
        /does not support (?:the (?:number|date|timestamp|time|boolean) text '|TRY_CAST|a cast (?:from|of the DECIMAL) |(?:the conversion of )?a number in semi|rounding the FLOAT)/.test(
          message,
        )
      )
        return REFUSED;
      return /the text '[^]*' is (?:not an? \w+|out of range)/.test(message) ? ERROR : message;
    }
  }

  /** All texts that give a value with one query, and each one that fails with its own. */
  async function outcomesOf(value: string, expected: Outcomes): Promise<Outcomes> {
    const indexes = [...texts.keys()];
    const fails = (index: number) => [ERROR, REFUSED].includes(expected[texts[index] ?? ''] ?? '');
    const passing = indexes.filter((index) => !fails(index)).join(', ');
    const rows =
      passing === '' ? [] : await rowsOf(`select x, ${value} as v from texts where id in (${passing})`);
    const values = rows.map(([text = '', cell = '']): [string, string] => [text, cell]);
    for (const index of indexes.filter(fails))
      values.push([texts[index] ?? '', await outcomeOf(`select ${value} from texts where id = ${index}`)]);
    return Object.fromEntries(values);
  }

  const columns = header.slice(1).map((type, index) => ({
    type,
    expected: Object.fromEntries(texts.map((text, line) => [text, lines[line]?.[index + 1] ?? ''])),
  }));

  test.each(columns)('texts as literals cast to $type', async ({ type, expected }) => {
    const outcomes: [string, string][] = [];
    for (const text of texts) outcomes.push([text, await outcomeOf(`select '${text}'::${type}`)]);
    expect(Object.fromEntries(outcomes)).toEqual(expected);
  });

  test.each(columns)('texts of a column cast to $type', async ({ type, expected }) => {
    expect(await outcomesOf(`x::${type}`, expected)).toEqual(expected);
  });

  test.each(columns)('texts of a column cast by TRY_CAST to $type', async ({ type, expected }) => {
    const tried = Object.fromEntries(
      Object.entries(expected).map(([text, cell]) => [text, cell === ERROR ? 'null' : cell]),
    );
    expect(await outcomesOf(`try_cast(x as ${type})`, tried)).toEqual(tried);
  });

  const [[, ...targets] = [], ...pairs] = cellsOf(pairTables[kind]);

  test.each(pairs)('%s in a column, cast to each type', async (value = '', ...expected) => {
    const from = `from (select ${value} as x from orders where id = 1) as t`;
    const outcomes: string[] = [];
    for (const type of targets) outcomes.push(await outcomeOf(`select x::${type} as v ${from}`));
    expect(outcomes).toEqual(expected);
  });

  const notDates = ['epoch', '2024-01-31abc', ' 2024-01-31'].map((text) => `'${text}'`);
  const implicit: readonly (readonly [sql: string, values: readonly string[]])[] = [
    ['select id from orders where day = TEXT', notDates],
    ["select id from orders where day in ('2024-01-31', TEXT)", notDates],
    ["select id from orders where day between '2024-01-01' and TEXT", notDates],
    ['select datediff(day, TEXT, day) from orders', notDates],
    ['select coalesce(day, TEXT::date) from orders', notDates],
    ['insert into made (d) values (TEXT)', notDates],
    ['insert into made (n) values (TEXT)', ["'2024_01'", "'0x10'"]],
    ['update made set d = TEXT', notDates],
    ["select to_date(TEXT, 'YYYY-MM-DD')", [...notDates, "'24-1-5'", "'2024-01-31 10:20'"]],
    ["select to_date(TEXT, 'YYYYMMDD')", ["'2024131'", "'infinity'", "' 20240131'"]],
  ];

  test.each(implicit)('%s fails for texts that are not in a form of the type', async (sql, values) => {
    const table =
      'create table if not exists made (d date, n decimal(10,2)); insert into made (d) values (null)';
    await runScript(table, kind, warehouse);
    for (const value of values) {
      const run = runScript(sql.replace('TEXT', value), kind, warehouse);
      await expect(run).rejects.toThrow(/the (?:text|date text|timestamp text) '|VARCHAR where/);
    }
  });

  test('a default of a column that casts a long expression is stored', async () => {
    const value = "lower(upper(lower(upper(lower(upper(lower(upper('2024-01-05'))))))))::date";
    const table = `create table kept (a int, d date default ${value}); insert into kept (a) values (1)`;
    await runScript(table, kind, warehouse);
    expect(await rowsOf('select d from kept')).toEqual([['2024-01-05']]);
  });

  test('a format without a year is refused, because the default of the year differs', async () => {
    await expect(rowsOf("select to_date('01-31', 'MM-DD')")).rejects.toThrow('these arguments of TO_DATE');
  });
});

test.each(['id = TEXT', 'id in (1, TEXT)', 'TEXT <> id', 'nullif(id, TEXT) = 1'])(
  'on WAREHOUSE_TWO, the text of %s must be a whole number as the warehouse writes it',
  async (condition) => {
    await using warehouse = await openOrders('WAREHOUSE_TWO');
    const rows = (text: string) =>
      textRows(`select 1 from orders where ${condition.replace('TEXT', text)}`, 'WAREHOUSE_TWO', warehouse);
    await expect(rows("'1'")).resolves.toBeDefined();
    for (const text of ["'1.0'", "'01'", "'+1'", "' 1'", "'a'"])
      await expect(rows(text)).rejects.toThrow(`does not support the text ${text} together with a number`);
    await expect(rows("'99999999999'")).rejects.toThrow("the text '99999999999' is out of range of INTEGER");
  },
);

describe('texts of columns on WAREHOUSE_ONE', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_ONE');
    const rows = ['2024-01-05', '2024-01-05abc', 'epoch', '2024_01', 'NULL']
      .map((text) => `('${text}')`)
      .join(', ');
    await runScript(
      `create table raw (x varchar); insert into raw values ${rows}`,
      'WAREHOUSE_ONE',
      warehouse,
    );
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each([
    ['select count(*) from raw where try_to_date(x) is not null', '[[1]]'],
    ["select count(*) from raw where try_to_date(x, 'YYYY-MM-DD') is not null", '[[1]]'],
    ["select count(*) from raw where try_to_timestamp(x || '') is not null", '[[1]]'],
    ['select count(*) from raw where try_to_number(x) is not null', '[[0]]'],
    ['select count(*) from raw where try_to_date(parse_json(\'"epoch"\')::varchar) is null', '[[5]]'],
    [
      "select to_date(x, 'MM/DD/YYYY') from (select '1/5/2024' || left(x, 0) as x from raw limit 1) t",
      '[["2024-01-05"]]',
    ],
  ])('%s gives %s', async (sql, expected) => {
    expect(await textRows(sql, 'WAREHOUSE_ONE', warehouse)).toBe(expected);
  });
});
