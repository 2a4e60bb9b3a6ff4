import { expect, test } from 'vitest';
import type { WarehouseKind } from '../../../engine/core/sql-type.ts';
import {
  BOOLEAN,
  DATE,
  type GivenTable,
  NUMBER,
  TEXT,
  TIMESTAMP,
  VARIANT,
} from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const items: GivenTable = {
  columns: {
    ID: NUMBER,
    NAME: TEXT,
    OLD: NUMBER,
    NEW: NUMBER,
    OPEN: BOOLEAN,
    DAY: DATE,
    AT: TIMESTAMP,
    DOC: VARIANT,
  },
  rows: [
    [1, 'A', 1, 2, true, '2026-01-01', '2026-01-01 10:00:00', { kind: 'x' }],
    [2, 'NAME', 3, 2, false, '2026-02-01', '2026-02-01 10:00:00.5', ''],
    [3, '', 2, 2, true, '2026-03-01', null, null],
    [4, null, null, 5, null, null, null, null],
    [5, 'OLD', 7, null, false, '2026-01-01', '2026-01-01 00:00:00', 'NEW'],
    [6, "it's", 0, 9, true, '2025-12-31', '2025-12-31 23:59:59', null],
  ],
};
const lower: GivenTable = {
  ...items,
  columns: Object.fromEntries(
    Object.entries(items.columns).map(([name, type]) => [name.toLowerCase(), type]),
  ),
};

function components(conditions: string, combine = 'And'): string {
  return `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [ID, NAME, OLD, NEW, OPEN, DAY, AT, DOC] }
Keep:
  type: filter
  sources: [items]
  parameters:
    combineCondition: ${combine}
    filterConditions: ${conditions}
    mode: Basic
`;
}

async function idsOf(conditions: string, combine?: string, kind: WarehouseKind = 'WAREHOUSE_ONE') {
  const { rows } = await output(components(conditions, combine), {
    kind,
    tables: { items: kind === 'WAREHOUSE_ONE' ? items : lower },
  });
  return rows.map(([id]) => id);
}

test.each<[condition: string, ids: number[]]>([
  ['NAME, Is, Equal to, A', [1]],
  ['NAME, Not, Equal to, A', [2, 3, 5, 6]],
  ['NAME, Not, Equal to, NAME', [1, 3, 5, 6]],
  ['NAME, Is, Equal to, OLD', [5]],
  ['NAME, Is, Equal to, ""', [3]],
  [`NAME, Is, Equal to, "it's"`, [6]],
  [`NAME, Is, Equal to, "'it''s'"`, [6]],
  [`NAME, Is, Equal to, "'A' || ''"`, []],
  ['NAME, is, LIKE, "%A%"', [1, 2]],
  ['NAME, Not, Like, "_"', [2, 3, 5, 6]],
  ['NAME, Is, "Null", "an old value"', [4]],
  ['NAME, Not, "Null"', [1, 2, 3, 5, 6]],
  ['NAME, Is, Null or blank, ""', [3, 4]],
  ['NAME, Not, Null or blank, ""', [1, 2, 5, 6]],
  ['NAME, Is, Blank, ""', [3]],
  ['ID, Is, Like, "1%"', [1]],
  ['ID, Is, Less than or equal to, 2', [1, 2]],
  ['ID, Not, Greater than or equal to, "3"', [1, 2]],
  ['ID, Is, Equal to, " 1 + 1 -- two"', [2]],
  ['ID, Is, Blank, ""', []],
  ['ID, Not, Blank, ""', [1, 2, 3, 4, 5, 6]],
  ['OLD, Not, Blank, ""', [1, 2, 3, 5, 6]],
  ['OLD, Is, Null or blank, ""', [4]],
  ['OLD, Is, Less than, NEW', [1, 6]],
  ['OLD, Not, Less than, NEW', [2, 3]],
  ['OLD, Is, Greater than, "\\"NEW\\" - 1"', [2, 3]],
  ['OLD, Is, Equal to, "ABS(-7)"', [5]],
  ['OPEN, Is, Equal to, tRuE', [1, 3, 6]],
  ['OPEN, Not, Equal to, "FALSE"', [1, 3, 6]],
  ['OPEN, Is, Null or blank, ""', [4]],
  ['DAY, Is, Equal to, 2026-01-01', [1, 5]],
  ['DAY, Is, Greater than, "\'2026-01-31\'"', [2, 3]],
  ['DAY, Is, Greater than, CURRENT_DATE()', [1, 2, 3, 5, 6]],
  ['AT, Is, Less than, "2026-01-01 10:00:00"', [5, 6]],
  ['AT, Is, Equal to, "2026-02-01T10:00:00.500Z"', [2]],
  ['AT, Is, Greater than or equal to, DAY', [1, 2, 5, 6]],
  ['DOC, Is, Null or blank, ""', [2, 3, 4, 6]],
  ['DOC, Is, Blank, ""', [2]],
  [`DOC, Is, Equal to, "'NEW'"`, [5]],
  ['DOC, Is, Less than, 2026-01-01', [2]],
])('the condition %s keeps the rows %j', async (condition, ids) => {
  expect(await idsOf(`[[${condition}]]`)).toEqual(ids);
});

test.each([
  ['And', [6]],
  ['AND', [6]],
  ['Or', [1, 2, 6]],
])('conditions are combined with %s', async (combine, ids) => {
  const conditions = '[[OLD, Is, Less than, NEW], [OLD, Is, Equal to, "0"], [NAME, Not, Like, "A"]]';
  const either = '[[OLD, Is, Less than, NEW], [NAME, Is, Equal to, NAME]]';
  expect(await idsOf(combine === 'Or' ? either : conditions, combine)).toEqual(ids);
});

test('without conditions, a filter keeps all rows and all columns', async () => {
  const { columns, rows } = await output(components('[]'), { tables: { items } });
  expect(rows).toHaveLength(6);
  expect(columns.slice(0, 3)).toEqual(['ID NUMBER(38,0)', 'NAME VARCHAR', 'OLD NUMBER(38,0)']);
});

test.each(['NAME, Is, Equal to, a\\b', 'name, Is, Equal to, a\\b'])(
  'a backslash in a compared text is itself: %s',
  async (condition) => {
    const kind = condition.startsWith('NAME') ? 'WAREHOUSE_ONE' : 'WAREHOUSE_TWO';
    const table = kind === 'WAREHOUSE_ONE' ? items : lower;
    const { rows } = await output(components(`[[${condition}]]`), {
      kind,
      tables: { items: { ...table, rows: [[1, 'a\\b', 1, 1, true, null, null, null]] } },
    });
    expect(rows).toHaveLength(1);
  },
);

test.each<[condition: string, ids: number[]]>([
  ['Name, Is, Equal to, A', [1]],
  ['OLD, Is, Less than, New', [1, 6]],
  ['OPEN, Is, Blank, ""', []],
  ['DAY, Is, Equal to, 2026-01-01', [1, 5]],
  ['NAME, Is, Null or blank, ""', [3, 4]],
])('in the second kind of warehouse, the condition %s keeps %j', async (condition, ids) => {
  expect(await idsOf(`[[${condition}]]`, 'And', 'WAREHOUSE_TWO')).toEqual(ids);
});

test('a text that is the name of another column is compared as a text, with a notice', async () => {
  const notices = async (conditions: string) =>
    (await output(components(conditions), { tables: { items } })).notices;
  expect(await notices('[[NAME, Is, Equal to, OLD]]')).toEqual([
    'the column "NAME" is compared with the text "OLD", but the input also has a column with the name "OLD"; that column is not used',
  ]);
  expect(await notices(`[[NAME, Is, Equal to, NAME], [NAME, Is, Equal to, "'OLD'"]]`)).toEqual([]);
});

test.each([
  ['[[Name, Is, Equal to, A]]', /it has "NAME": upper and lower case differ/],
  ['[[ID, Is, Equal to, " 1 + other"]]', /a.tran.yaml:13:53: column "OTHER" not found/],
  ['[[ID, Is, Equal to, "2026-01-01"]]', /the text '2026-01-01' is not a number/],
  [
    '[[ID, Is, Equal to, ""]]',
    /a.tran.yaml:\d+:\d+: the condition on the column "ID" has no value to compare with; to test for NULL, use the comparator Null/,
  ],
  ['[[ID, Is, Equal to, "1) OR (1 = 1"]]', /syntax error near \)/],
  ['[[ID, Is, Between, "1"]]', /Millrace does not support the comparator "Between"/],
  ['[[ID, Maybe, Equal to, "1"]]', /expected Is or Not/],
  ['[[DAY, Is, Equal to, "01/02/2026"]]', /DATE/],
  [
    String.raw`[[DAY, Is, Equal to, "\u00a02026-01-02"]]`,
    /Millrace does not support the blank "\\u\{a0\}" between words/,
  ],
  [
    String.raw`[[ID, Is, Equal to, "ID\u00a0"]]`,
    /Millrace does not support the blank "\\u\{a0\}" between words/,
  ],
])('the conditions %s are refused', async (conditions, message) => {
  await expect(idsOf(conditions)).rejects.toThrow(message);
});
