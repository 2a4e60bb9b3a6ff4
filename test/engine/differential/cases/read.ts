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
import { literal } from '../random-tables.ts';
import { condition } from './conditions.ts';
import { commonValue } from './common-value.ts';

const someColumns = fc.shuffledSubarray([...plainColumns], { minLength: 1 });

const tableInput: CaseKind = {
  title: 'table-input',
  types: ['table-input', 'table-input-1', 'table-input-2'],
  tables: { a: 'plain' },
  cases: fc
    .tuple(someColumns, fc.constantFrom('table-input', 'table-input-1', 'table-input-2'))
    .map(([columns, type]) => ({
      components: { a: { ...read('a', columns), type } },
      query: `SELECT ${quoteAll(columns)} FROM a`,
    })),
};

const streamInput: CaseKind = {
  title: 'stream-input-sf',
  types: ['stream-input-sf'],
  tables: { a: 'plain' },
  cases: someColumns.map((columns) => ({
    components: { s: { type: 'stream-input-sf', parameters: { targetStream: 'a', columnNames: columns } } },
    query: `SELECT ${quoteAll(columns)} FROM a`,
  })),
};

const parts = ['part_a', 'part_b', 'partXc', 'party', 'Part_a2'];

const multiTableInput: CaseKind = {
  title: 'multi-table-input',
  types: ['multi-table-input'],
  tables: Object.fromEntries(parts.map((name) => [name, 'plain'])),
  cases: fc
    .record({
      columns: someColumns,
      pattern: fc.constantFrom('part_a', 'part_%', 'p%', 'part__', 'pa%a%', 'p%t_%', '_art%y'),
      castTypes: fc.boolean(),
      addSourceTable: fc.boolean(),
    })
    .map(({ columns, pattern, castTypes, addSourceTable }) => ({
      components: {
        all: {
          type: 'multi-table-input',
          parameters: {
            patternType: 'Like',
            pattern,
            columns,
            castTypes: yesNo(castTypes),
            addSourceTable: yesNo(addSourceTable),
          },
        },
      },
      query: parts
        .map((name) => {
          const source = addSourceTable ? `, ${literal(name)}` : '';
          const isLike = `${literal(name)} LIKE ${literal(pattern)}`;
          return `SELECT ${quoteAll(columns)}${source} FROM ${quote(name)} WHERE ${isLike}`;
        })
        .join(' UNION ALL '),
    })),
};

const castTables: CaseKind = {
  title: 'multi-table-input of tables with other types',
  types: ['multi-table-input'],
  tables: { mixed_a: 'plain', mixed_o: 'other' },
  cases: someColumns.map((columns) => ({
    components: {
      all: {
        type: 'multi-table-input',
        parameters: {
          patternType: 'Like',
          pattern: 'mixed%',
          columns,
          castTypes: 'Yes',
          addSourceTable: 'No',
        },
      },
    },
    query: ['mixed_a', 'mixed_o']
      .map((name) => `SELECT ${columns.map(commonValue).join(', ')} FROM ${name}`)
      .join(' UNION ALL '),
  })),
};

/** The cells of a type, PostgreSQL's type, and texts of its values. */
const cellTypes = [
  ['NUMBER', '', '', 'numeric(38,0)', ['1', '-2.5', '0.5', ' 3 ', '1000000', '+4']],
  ['NUMBER', '10', '2', 'numeric(10,2)', ['0.005', '-0.005', '99999999.99', '1', '.5']],
  ['VARCHAR', '', '', 'text', ['a', ' ', 'SELECT 1', "it's", '\\n', 'ü€', '10', 'line\nbreak']],
  ['VARCHAR', '3', '', 'varchar(3)', ['abc', 'abcd', 'ü€ü€', "''''"]],
  ['DATE', '', '', 'date', ['2024-02-29', '1970-01-01']],
  ['TIMESTAMP', '', '', 'timestamp', ['2024-02-29 23:59:59.5', '2024-01-01', '1999-12-31 12:00:00']],
  ['BOOLEAN', '', '', 'boolean', ['true', 'FALSE', 'yes', '0', 'off']],
  ['FLOAT', '', '', 'double precision', ['0.1', '-1.25', '1e3', '7']],
] as const;

const fixedFlow: CaseKind = {
  title: 'fixed-flow',
  types: ['fixed-flow'],
  tables: {},
  cases: fc
    .array(fc.constantFrom(...cellTypes), { minLength: 1, maxLength: 4 })
    .chain((types) => {
      const cells = types.map(([, , , , texts]) =>
        fc.oneof(fc.constantFrom<string>(...texts), fc.constant('')),
      );
      return fc.tuple(fc.constant(types), fc.array(fc.tuple(...cells), { maxLength: 5 }));
    })
    .map(([types, rows]) => {
      const cast = (cell: string | null, index: number) =>
        `CAST(${literal(cell === '' ? null : cell)} AS ${types[index]?.[3] ?? ''})`;
      const selects = rows.map((row) => `SELECT ${row.map(cast).join(', ')}`);
      const none = `SELECT ${types.map((_, index) => cast(null, index)).join(', ')} WHERE false`;
      return {
        components: {
          flow: {
            type: 'fixed-flow',
            parameters: {
              columns: types.map(([type, size, places], index) => [`C${index}`, type, size, places]),
              values: rows,
            },
          },
        },
        query: [none, ...selects].join(' UNION ALL '),
      };
    }),
};

const generateSequence: CaseKind = {
  title: 'generate-sequence',
  types: ['generate-sequence'],
  tables: {},
  cases: fc
    .tuple(
      fc.integer({ min: -20, max: 20 }),
      fc.constantFrom(1, 2, 7, -1, -3),
      fc.integer({ min: -20, max: 20 }),
    )
    .map(([start, step, end]) => ({
      components: {
        numbers: {
          type: 'generate-sequence',
          parameters: {
            startValue: String(start),
            incrementValue: String(step),
            endValue: String(end),
            outputColumn: 'N',
          },
        },
      },
      query: `SELECT * FROM generate_series(${start}, ${end}, ${step})`,
    })),
};

const filter: CaseKind = {
  title: 'filter',
  types: ['filter'],
  tables: { a: 'plain' },
  cases: fc
    .tuple(fc.array(condition, { maxLength: 3 }), fc.constantFrom('And', 'Or', 'AND', ''))
    .map(([conditions, combination]) => ({
      components: {
        a: read('a'),
        Filter: {
          type: 'filter',
          sources: ['a'],
          parameters: {
            filterConditions: conditions.map(({ row }) => row),
            combineCondition: combination,
          },
        },
      },
      query: `SELECT * FROM a WHERE ${
        conditions.length === 0
          ? 'true'
          : conditions.map(({ sql }) => sql).join(combination === 'Or' ? ' OR ' : ' AND ')
      }`,
    })),
};

const distinct: CaseKind = {
  title: 'distinct',
  types: ['distinct'],
  tables: { a: 'plain' },
  cases: fc
    .shuffledSubarray<ColumnName>([...plainColumns], { minLength: 1, maxLength: 3 })
    .map((columns) => ({
      components: { a: read('a'), D: { type: 'distinct', sources: ['a'], parameters: { columns } } },
      query: `SELECT DISTINCT ${quoteAll(columns)} FROM a`,
    })),
};

export const readCases: readonly CaseKind[] = [
  tableInput,
  streamInput,
  multiTableInput,
  castTables,
  fixedFlow,
  generateSequence,
  filter,
  distinct,
];
