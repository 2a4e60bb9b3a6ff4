import * as fc from 'fast-check';
import { type CaseKind, type ColumnName, plainColumns, quote, quoteAll, read } from '../differential-case.ts';
import { literal } from '../random-tables.ts';
import { textOf } from './text-of.ts';

const functions = ['Sum', 'Average', 'Count', 'Count Distinct', 'Max', 'Min'] as const;
type Aggregate = (typeof functions)[number];

/** The decimal places of an average: six more than its values have, and up to twelve. */
const averageScales: Readonly<Record<string, number>> = { ID: 6, AMOUNT: 8, TOTAL: 8, PART: 11 };

/** An aggregate of a value, which is the column's, or NULL. */
function aggregated(name: Aggregate, column: ColumnName, value = quote(column)): string {
  if (name === 'Sum') return `sum(${value})`;
  if (name === 'Count') return `count(${value})`;
  if (name === 'Count Distinct') return `count(DISTINCT ${value})`;
  if (name !== 'Average') return `${name.toLowerCase()}(${value})`;
  const scale = averageScales[column];
  return scale === undefined ? `avg(${value})` : `divided(sum(${value}), count(${value}), ${scale})`;
}

const numbers: readonly ColumnName[] = ['ID', 'AMOUNT', 'TOTAL', 'PART', 'RATE'];
const ordered = plainColumns.filter((name) => name !== 'OK');

/** The columns that a function can aggregate: booleans have no order in PostgreSQL. */
function columnsOf(name: Aggregate): readonly ColumnName[] {
  if (name === 'Sum' || name === 'Average') return numbers;
  return name === 'Count' || name === 'Count Distinct' ? plainColumns : ordered;
}

const aggregation = fc
  .constantFrom(...functions)
  .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...columnsOf(name))));

const groups = fc.shuffledSubarray<ColumnName>([...plainColumns], { maxLength: 2 });

const aggregate: CaseKind = {
  title: 'aggregate',
  types: ['aggregate'],
  tables: { a: 'plain' },
  cases: fc
    .tuple(groups, fc.uniqueArray(aggregation, { minLength: 1, maxLength: 4, selector: String }))
    .map(([groupings, aggregations]) => {
      const values = aggregations.map(([name, column]) => aggregated(name, column));
      return {
        components: {
          a: read('a'),
          A: {
            type: 'aggregate',
            sources: ['a'],
            parameters: {
              groupings: groupings.length === 0 ? null : groupings,
              aggregations: aggregations.map(([name, column]) => [column, name]),
              groupingType: 'Group By',
            },
          },
        },
        query: `SELECT ${[...groupings.map(quote), ...values].join(', ')} FROM a${groupedBy(groupings)}`,
      };
    }),
};

function groupedBy(names: readonly string[]): string {
  return names.length === 0 ? '' : ` GROUP BY ${quoteAll(names)}`;
}

const pivoted = fc
  .constantFrom<readonly [ColumnName, readonly string[]]>(
    ['NAME', ['a', 'b', "it's", 'NULL', 'ü€']],
    ['TOTAL', ['1.00', '2.5', '-3.33']],
    ['DAY', ['2024-02-29', '1970-01-01']],
  )
  .chain(([key, values]) => fc.tuple(fc.constant(key), fc.shuffledSubarray([...values], { minLength: 1 })));

const pivot: CaseKind = {
  title: 'pivot',
  types: ['pivot'],
  tables: { a: 'plain' },
  cases: fc
    .record({
      name: fc.constantFrom(...functions),
      column: fc.constantFrom<ColumnName>('ID', 'AMOUNT', 'PART', 'RATE'),
      pivoted,
      some: fc.shuffledSubarray<ColumnName>(['NOTE', 'OK', 'AT'], { maxLength: 2 }),
    })
    .map(({ name, column, pivoted: [key, values], some }) => {
      const cells = values.map((value) =>
        aggregated(name, column, `CASE WHEN ${quote(key)} = ${literal(value)} THEN ${quote(column)} END`),
      );
      return {
        components: {
          a: read('a', [...some, key, column]),
          P: {
            type: 'pivot',
            sources: ['a'],
            parameters: {
              aggregateFunction: name,
              pivotColumn: key,
              valueColumn: column,
              pivotValues: values,
              quotePivotValueColumns: 'No',
            },
          },
        },
        query: `SELECT ${[...some.map(quote), ...cells].join(', ')} FROM a${groupedBy(some)}`,
      };
    }),
};

const transposeRows: CaseKind = {
  title: 'transpose-rows',
  types: ['transpose-rows'],
  tables: { a: 'plain' },
  cases: fc
    .tuple(groups, fc.shuffledSubarray<ColumnName>([...plainColumns], { minLength: 1, maxLength: 3 }))
    .map(([some, listed]) => {
      const groupings = some.filter((name) => !listed.includes(name));
      // A group without values has an empty text, as LISTAGG gives.
      const lists = listed.map(
        (name) => `coalesce(string_agg(${textOf(name)}, ',' ORDER BY ${quote(name)}), '')`,
      );
      return {
        components: {
          a: read('a'),
          T: {
            type: 'transpose-rows',
            sources: ['a'],
            parameters: {
              groupings: groupings.length === 0 ? null : groupings,
              aggregations: listed,
              sortOrder: null,
            },
          },
        },
        query: `SELECT ${[...groupings.map(quote), ...lists].join(', ')} FROM a${groupedBy(groupings)}`,
      };
    }),
};

export const groupCases: readonly CaseKind[] = [aggregate, pivot, transposeRows];
