import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceText } from '../../../engine/core/source-text.ts';
import { translateQuery } from '../../../engine/dialect/translate.ts';
import type { Warehouse } from '../../../engine/duckdb/warehouse.ts';
import { castTables } from './cast-table.ts';
import { contextOf, openOrders, runScript } from './orders.ts';

const ERROR = '!';
const REFUSED = '?';
type Outcomes = Readonly<Record<string, string>>;

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('on %s', (kind) => {
  const [header = [], ...lines] = castTables[kind]
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
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
      if (/does not support (?:the (?:number|date|timestamp|time) text '|TRY_CAST)/.test(message))
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
    if (kind === 'WAREHOUSE_TWO' && type === 'boolean')
      return expect(await outcomeOf(`select try_cast(x as boolean) from texts`)).toBe(REFUSED);
    expect(await outcomesOf(`try_cast(x as ${type})`, tried)).toEqual(tried);
  });
});
