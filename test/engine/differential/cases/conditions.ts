import * as fc from 'fast-check';
import { type ColumnName, quote } from '../differential-case.ts';
import { literal } from '../random-tables.ts';

/** The cells of a condition row, and the condition in PostgreSQL's SQL. */
export interface Condition {
  readonly row: readonly string[];
  readonly sql: string;
}

/** A value as a file writes it, and as PostgreSQL's SQL. */
type Written = readonly [written: string, sql: string];

const column = (name: string): Written => [name, quote(name)];
const numbers: readonly Written[] = [
  ['2', '2'],
  ['-7', '-7'],
  ['2.5', '2.5'],
  column('ID'),
  column('AMOUNT'),
  column('PART'),
  column('RATE'),
  ['"ID" + 1', '"ID" + 1'],
];
const texts = ['a', 'b', '', ' a', 'ü€', "it's", 'NULL', 'NOTE', '10', 'a,b,,c'].map((text): Written => [
  text,
  literal(text),
]);

const values: Readonly<Record<ColumnName, readonly Written[]>> = {
  ID: numbers,
  NAME: [...texts, [`'a'`, `'a'`], [`'it''s'`, `'it''s'`]],
  NOTE: texts,
  AMOUNT: numbers,
  TOTAL: numbers,
  PART: numbers,
  RATE: numbers,
  DAY: [['2024-01-01', "DATE '2024-01-01'"], column('AT')],
  AT: [
    ['1999-12-31 12:00:00', "TIMESTAMP '1999-12-31 12:00:00'"],
    ['2024-02-29T23:59:59.999999', "TIMESTAMP '2024-02-29 23:59:59.999999'"],
    ['2024-01-01', "TIMESTAMP '2024-01-01'"],
    column('DAY'),
  ],
  OK: [
    ['tRuE', 'true'],
    ['FALSE', 'false'],
  ],
};

const comparators = [
  ['Equal to', '='],
  ['Less than', '<'],
  ['Less than or equal to', '<='],
  ['Greater than', '>'],
  ['Greater than or equal to', '>='],
] as const;

const names = Object.keys(values) as readonly ColumnName[];

const compared = fc
  .constantFrom(...names)
  .chain((name) =>
    fc.tuple(fc.constant(name), fc.constantFrom(...comparators), fc.constantFrom(...values[name])),
  )
  .map(([name, [comparator, operator], [written, sql]]) => ({
    cells: [comparator, written],
    name,
    sql: `${quote(name)} ${operator} (${sql})`,
  }));

const like = fc
  .tuple(
    fc.constantFrom<ColumnName>('NAME', 'NOTE'),
    fc.constantFrom('%a', '_', '%', 'a%', '10', "%'%", '_€', ''),
  )
  .map(([name, pattern]) => ({
    cells: ['Like', pattern],
    name,
    sql: `${quote(name)} LIKE ${literal(pattern)}`,
  }));

const empty = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('Null', 'Null or blank', 'Blank'))
  .map(([name, comparator]) => {
    const isBlank = `CAST(${quote(name)} AS text) = ''`;
    const isNull = `${quote(name)} IS NULL`;
    const sql =
      { Null: isNull, 'Null or blank': `${isNull} OR ${isBlank}`, Blank: isBlank }[comparator] ?? '';
    // Files have old values there.
    return { cells: [comparator, 'old'], name, sql };
  });

/** A condition row of the columns of `plain`. */
export const condition: fc.Arbitrary<Condition> = fc
  .tuple(fc.oneof(compared, compared, like, empty), fc.boolean())
  .map(([{ cells, name, sql }, isNegated]) => ({
    row: [name, isNegated ? 'Not' : 'Is', ...cells],
    sql: isNegated ? `NOT (${sql})` : `(${sql})`,
  }));
