import type { DifferentialCase } from './compare.ts';

const all = 'columnNames: [ID, NAME, AMOUNT, RATE, DAY, AT, OK]';

function read(table: string): string {
  return `${table}:\n  type: table-input\n  parameters: { targetTable: ${table}, ${all} }\n`;
}

/** Filters of one condition row, with the condition in PostgreSQL's SQL. */
const filters: readonly (readonly [row: string, condition: string])[] = [
  ['[NAME, Is, Equal to, a]', `"NAME" = 'a'`],
  ['[NAME, Not, Equal to, NAME]', `NOT ("NAME" = 'NAME')`],
  ['[NAME, Is, Like, "%a"]', `"NAME" LIKE '%a'`],
  ['[NAME, Is, Null or blank, ""]', `"NAME" IS NULL OR "NAME" = ''`],
  ['[NAME, Not, Null or blank, ""]', `NOT ("NAME" IS NULL OR "NAME" = '')`],
  ['[AMOUNT, Is, Greater than or equal to, "2.5"]', `"AMOUNT" >= 2.5`],
  ['[AMOUNT, Not, Less than, ID]', `NOT ("AMOUNT" < "ID")`],
  ['[DAY, Is, Less than or equal to, "2024-01-01"]', `"DAY" <= DATE '2024-01-01'`],
  ['[AT, Is, Greater than, "1999-12-31 12:00:00"]', `"AT" > TIMESTAMP '1999-12-31 12:00:00'`],
  ['[OK, Is, Equal to, tRuE]', `"OK"`],
  ['[RATE, Is, "Null", "7"]', `"RATE" IS NULL`],
];

const joins: readonly (readonly [type: string, sql: string])[] = [
  ['Inner', 'JOIN'],
  ['Left', 'LEFT JOIN'],
  ['Full', 'FULL JOIN'],
];

export const cases: readonly DifferentialCase[] = [
  { title: 'table-input', tables: ['a'], components: read('a'), query: 'SELECT * FROM a' },
  ...filters.map(([row, condition]): DifferentialCase => ({
    title: `filter ${row}`,
    tables: ['a'],
    components: `${read('a')}F:\n  type: filter\n  sources: [a]\n  parameters: { filterConditions: [${row}], combineCondition: And }\n`,
    query: `SELECT * FROM a WHERE ${condition}`,
  })),
  ...joins.map(([type, sql]): DifferentialCase => ({
    title: `join ${type}`,
    tables: ['a', 'b'],
    components: `${read('a')}${read('b')}J:
  type: join
  sources: [a, b]
  parameters:
    mainTable: a
    mainTableAlias: l
    joins: [[b, r, ${type}]]
    joinExpressions: [['"l"."ID" = "r"."ID" and "l"."NAME" = "r"."NAME"', l_${type}_r]]
    columnMappings: [[l.ID, LEFT_ID], [r.ID, RIGHT_ID], [r.AMOUNT, AMOUNT], [l.OK, OK]]
`,
    query: `SELECT l."ID", r."ID", r."AMOUNT", l."OK" FROM a l ${sql} b r ON l."ID" = r."ID" AND l."NAME" = r."NAME"`,
  })),
];
