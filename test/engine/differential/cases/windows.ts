import * as fc from 'fast-check';
import {
  type CaseKind,
  type ColumnName,
  plainColumns,
  quote,
  quoteAll,
  read,
  yesNo,
} from '../differential-case.ts';

/** A direction as files write it, and its meaning: NULL is the largest value. */
const directions = [
  ['Ascending', 'ASC NULLS LAST'],
  ['Descending', 'DESC NULLS FIRST'],
  ['Asc', 'ASC NULLS LAST'],
  ['Desc', 'DESC NULLS FIRST'],
  ['Nulls First', 'ASC NULLS FIRST'],
] as const;

interface Order {
  readonly rows: readonly (readonly string[])[];
  readonly terms: readonly string[];
}

const order: fc.Arbitrary<Order> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...plainColumns), fc.constantFrom(...directions)), {
    minLength: 1,
    maxLength: 2,
    selector: ([name]) => name,
  })
  .map((terms) => ({
    rows: terms.map(([name, [word]]) => [name, word]),
    terms: terms.map(([name, [, sql]]) => `${quote(name)} ${sql}`),
  }));

/** All columns, for rows that are equal in the order. */
const everything = plainColumns.map((name) => `${quote(name)} ASC NULLS LAST`);

const partitions = fc.shuffledSubarray<ColumnName>([...plainColumns], { maxLength: 2 });

function over(names: readonly string[], terms: readonly string[]): string {
  const by = names.length === 0 ? '' : `PARTITION BY ${quoteAll(names)} `;
  return `(${by}ORDER BY ${terms.join(', ')})`;
}

const rankFunctions = [
  ['Row Number', 'row_number()'],
  ['Rank', 'rank()'],
  ['Dense Rank', 'dense_rank()'],
  ['Cumulative Distribution', 'cume_dist()'],
  ['Percent Rank', 'percent_rank()'],
] as const;

const frames = [
  ['Unbounded Preceding', 'Unbounded Following'],
  ['Unbounded Preceding', 'Current Row'],
  ['Current Row', 'Unbounded Following'],
] as const;

const windowCalculation: CaseKind = {
  title: 'window-calculation',
  types: ['window-calculation'],
  tables: { a: 'plain' },
  cases: fc
    .record({ names: partitions, order, frame: fc.constantFrom(...frames) })
    .map(({ names, order: { rows, terms }, frame: [lower, upper] }) => {
      const rowsOf = `ROWS BETWEEN ${lower} AND ${upper}`;
      const window = over(names, [...terms, ...everything]).replace(/\)$/, ` ${rowsOf})`);
      const values = ['count("NAME")', 'sum("ID")', 'max("DAY")', 'min("AMOUNT")'];
      return {
        components: {
          a: read('a'),
          W: {
            type: 'window-calculation',
            sources: ['a'],
            parameters: {
              includeInputColumns: 'Yes',
              partitionData: names,
              orderingWithinPartitions: rows,
              functions: [
                ['Count', 'NAME', 'F1'],
                ['Sum', 'ID', 'F2'],
                ['Max', 'DAY', 'F3'],
                ['Min', 'AMOUNT', 'F4'],
              ],
              lowerBound: lower,
              upperBound: upper,
            },
          },
        },
        query: `SELECT *, ${values.map((value) => `${value} OVER ${window}`).join(', ')} FROM a`,
      };
    }),
};

const rank: CaseKind = {
  title: 'rank',
  types: ['rank'],
  tables: { a: 'plain' },
  cases: fc
    .record({
      by: partitions,
      order,
      functions: fc.shuffledSubarray([...rankFunctions], { minLength: 1 }),
      includes: fc.boolean(),
    })
    .map(({ by, order: { rows, terms }, functions, includes }) => {
      const cells = functions.map(
        ([name, call]) =>
          `${call} OVER ${over(by, name === 'Row Number' ? [...terms, ...everything] : terms)}`,
      );
      return {
        components: {
          a: read('a'),
          R: {
            type: 'rank',
            sources: ['a'],
            parameters: {
              includeInputColumns: yesNo(includes),
              partitionData: by.length === 0 ? null : by,
              orderingWithinPartitions: rows,
              functions: functions.map(([name]) => [name, `${name} of it`]),
            },
          },
        },
        query: `SELECT ${[...(includes ? ['*'] : []), ...cells].join(', ')} FROM a`,
      };
    }),
};

/** The value `distance` rows away that is not NULL, among the numbered rows of the same partition. */
function neighbour(word: string, column: string, distance: number, by: readonly string[]): string {
  const [operator, direction] = word === 'Lead' ? ['>', 'ASC'] : ['<', 'DESC'];
  const same = by.map((name) => `AND n.${quote(name)} IS NOT DISTINCT FROM o.${quote(name)} `).join('');
  return `(SELECT o.${quote(column)} FROM numbered o WHERE o.${quote(column)} IS NOT NULL ${same}
    AND o.place ${operator} n.place ORDER BY o.place ${direction} OFFSET ${distance - 1} LIMIT 1)`;
}

const leadLagFunction = fc.tuple(
  fc.constantFrom('Lead', 'Lag'),
  fc.constantFrom(...plainColumns),
  fc.constantFrom('', '1', '2', '3'),
);

const leadLag: CaseKind = {
  title: 'lead-lag',
  types: ['lead-lag'],
  tables: { a: 'plain' },
  cases: fc
    .record({
      by: partitions,
      order,
      functions: fc.array(leadLagFunction, { minLength: 1, maxLength: 3 }),
      ignoresNulls: fc.boolean(),
      includes: fc.boolean(),
    })
    .map(({ by, order: { rows, terms }, functions, ignoresNulls, includes }) => {
      const window = over(by, [...terms, ...everything]);
      const cells = functions.map(([word, column, written]) => {
        const distance = written === '' ? 1 : Number(written);
        return ignoresNulls
          ? neighbour(word, column, distance, by)
          : `${word}(${quote(column)}, ${distance}) OVER ${window}`;
      });
      const list = [...(includes ? plainColumns.map(quote) : []), ...cells].join(', ');
      return {
        components: {
          a: read('a'),
          L: {
            type: 'lead-lag',
            sources: ['a'],
            parameters: {
              includeInputColumns: yesNo(includes),
              partitionData: by.length === 0 ? null : by,
              orderingsWithinPartitions: rows,
              functions: functions.map((each, index) => [...each, `F${index}`]),
              ignoreNulls: yesNo(ignoresNulls),
            },
          },
        },
        query: `WITH numbered AS (SELECT *, row_number() OVER ${window} AS place FROM a) SELECT ${list} FROM numbered n`,
      };
    }),
};

const firstLast: CaseKind = {
  title: 'first-last',
  types: ['first-last'],
  tables: { a: 'plain' },
  cases: fc
    .record({
      some: partitions,
      order,
      chosen: fc.shuffledSubarray<ColumnName>([...plainColumns], { minLength: 1, maxLength: 3 }),
      which: fc.constantFrom('First', 'Last'),
      ignoresNulls: fc.boolean(),
    })
    .map(({ some, order: { rows, terms }, chosen, which, ignoresNulls }) => {
      const by = some.filter((name) => !chosen.includes(name));
      const cells = chosen.map((name) => {
        const filter = ignoresNulls ? ` FILTER (WHERE ${quote(name)} IS NOT NULL)` : '';
        const values = `(array_agg(${quote(name)} ORDER BY ${[...terms, ...everything].join(', ')})${filter})`;
        return `${values}[${which === 'First' ? '1' : `cardinality(${values})`}]`;
      });
      const grouped = by.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${quoteAll(by)}`;
      return {
        components: {
          a: read('a'),
          F: {
            type: 'first-last',
            sources: ['a'],
            parameters: {
              groupingColumns: by.length === 0 ? null : by,
              orderingInPartitions: rows,
              firstLastColumns: chosen.map((name) => [name, which]),
              ignoreNulls: yesNo(ignoresNulls),
            },
          },
        },
        query: `SELECT ${[...by.map(quote), ...cells].join(', ')} FROM a ${grouped}`,
      };
    }),
};

export const windowCases: readonly CaseKind[] = [windowCalculation, rank, leadLag, firstLast];
