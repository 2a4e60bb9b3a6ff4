import * as fc from 'fast-check';
import {
  type CaseKind,
  type ColumnName,
  plainColumns,
  quote,
  quoteAll,
  read,
  readAll,
  yesNo,
} from '../differential-case.ts';
import { literal, type Shape } from '../random-tables.ts';
import { condition } from './conditions.ts';

const rename: CaseKind = {
  title: 'rename',
  types: ['rename'],
  tables: { a: 'plain' },
  cases: fc
    .tuple(fc.shuffledSubarray([...plainColumns], { minLength: 1 }), fc.boolean())
    .map(([chosen, includes]) => {
      // Without the input columns, a column may have several new names.
      const mapped = includes ? chosen : [...chosen, ...chosen.slice(0, 1)];
      const columnMapping = mapped.map((name, index) => [name, `new ${index}`]);
      return {
        components: {
          a: read('a'),
          R: {
            type: 'rename',
            sources: ['a'],
            parameters: { columnMapping, includeInputColumns: yesNo(includes) },
          },
        },
        query: includes ? 'SELECT * FROM a' : `SELECT ${quoteAll(mapped)} FROM a`,
      };
    }),
};

/** Where a column of a shape can be converted to: the cells of the type, and PostgreSQL's SQL. */
type Conversion = readonly [column: string, cells: readonly [string, string, string], sql: string];

const moment = 'YYYY-MM-DD HH24:MI:SS.MS';
const fromPlain: readonly Conversion[] = [
  ['ID', ['VARCHAR', '', ''], 'CAST("ID" AS text)'],
  ['ID', ['FLOAT', '', ''], 'CAST("ID" AS double precision)'],
  ['ID', ['BOOLEAN', '', ''], '"ID" <> 0'],
  ['ID', ['NUMBER', '10', '2'], 'CAST("ID" AS numeric(10,2))'],
  ['ID', ['NUMBER', '5', '2'], 'CAST("ID" AS numeric(5,2))'],
  ['AMOUNT', ['NUMBER', '', ''], 'CAST("AMOUNT" AS numeric(38,0))'],
  ['AMOUNT', ['VARCHAR', '3', ''], 'CAST(CAST("AMOUNT" AS text) AS varchar(3))'],
  ['AMOUNT', ['NUMBER', '12', '1'], 'CAST("AMOUNT" AS numeric(12,1))'],
  ['PART', ['NUMBER', '12', '2'], 'CAST("PART" AS numeric(12,2))'],
  ['PART', ['FLOAT', '', ''], 'CAST("PART" AS double precision)'],
  ['RATE', ['NUMBER', '', ''], 'CAST("RATE" AS numeric(38,0))'],
  ['RATE', ['NUMBER', '20', '4'], 'CAST("RATE" AS numeric(20,4))'],
  ['RATE', ['VARCHAR', '', ''], 'CAST("RATE" AS text)'],
  ['DAY', ['TIMESTAMP', '', ''], 'CAST("DAY" AS timestamp)'],
  ['DAY', ['VARCHAR', '', ''], 'CAST("DAY" AS text)'],
  ['AT', ['DATE', '', ''], 'CAST("AT" AS date)'],
  ['AT', ['VARCHAR', '', ''], `to_char(date_trunc('milliseconds', "AT"), '${moment}')`],
  ['OK', ['VARCHAR', '', ''], 'CAST("OK" AS text)'],
  ['OK', ['NUMBER', '1', '0'], 'CAST(CAST("OK" AS int) AS numeric)'],
  ['NAME', ['VARCHAR', '2', ''], 'CAST("NAME" AS varchar(2))'],
];
const fromTexts: readonly Conversion[] = [
  ['N', ['NUMBER', '', ''], 'CAST("N" AS numeric(38,0))'],
  ['N', ['NUMBER', '12', '2'], 'CAST("N" AS numeric(12,2))'],
  ['N', ['FLOAT', '', ''], 'CAST("N" AS double precision)'],
  ['D', ['DATE', '', ''], 'CAST("D" AS date)'],
  ['D', ['TIMESTAMP', '', ''], 'CAST("D" AS timestamp)'],
  ['T', ['TIMESTAMP', '', ''], 'CAST("T" AS timestamp)'],
  ['B', ['BOOLEAN', '', ''], 'CAST("B" AS boolean)'],
];

function convertType(
  table: string,
  shape: Shape,
  columns: readonly string[],
  choices: readonly Conversion[],
): CaseKind {
  return {
    title: `convert-type of ${shape}`,
    types: ['convert-type'],
    tables: { [table]: shape },
    cases: fc
      .uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 4, selector: ([name]) => name })
      .map((conversions) => {
        const cells = columns.map(
          (name) => conversions.find(([column]) => column === name)?.[2] ?? quote(name),
        );
        return {
          components: {
            ...readAll(table, shape),
            C: {
              type: 'convert-type',
              sources: [table],
              parameters: { conversions: conversions.map(([name, type]) => [name, ...type]) },
            },
          },
          query: `SELECT ${cells.join(', ')} FROM ${table}`,
          mayFail: true,
        };
      }),
  };
}

const mapValues: CaseKind = {
  title: 'map-values',
  types: ['map-values'],
  tables: { a: 'plain' },
  cases: fc
    .record({
      branches: fc.array(fc.tuple(condition, fc.constantFrom('one', "it's", 'x', '')), {
        minLength: 1,
        maxLength: 3,
      }),
      columnName: fc.constantFrom('NEW', 'NAME', 'ID'),
      other: fc.constantFrom('', 'none'),
    })
    .map(({ branches, columnName, other }) => {
      const whens = branches.map(([{ sql }, text]) => `WHEN ${sql} THEN ${literal(text)}`).join(' ');
      const value = `CASE ${whens} ELSE ${literal(other === '' ? null : other)} END`;
      const cells = plainColumns.map((name) => (name === columnName ? value : quote(name)));
      return {
        components: {
          a: read('a'),
          M: {
            type: 'map-values',
            sources: ['a'],
            parameters: { valueMap: branches.map(([{ row }, text]) => [...row, text]), columnName, other },
          },
        },
        query: `SELECT ${[...cells, ...(columnName === 'NEW' ? [value] : [])].join(', ')} FROM a`,
      };
    }),
};

const splitField: CaseKind = {
  title: 'split-field',
  types: ['split-field'],
  tables: { a: 'plain' },
  cases: fc
    .record({
      delimiter: fc.constantFrom(',', '@', 'a', ' ', ',,', 'ü', '\\', "'"),
      parts: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
      includes: fc.boolean(),
    })
    .map(({ delimiter, parts, includes }) => ({
      components: {
        a: read('a', ['ID', 'NAME', 'NOTE']),
        S: {
          type: 'split-field',
          sources: ['a'],
          parameters: {
            inputColumn: 'NAME',
            delimiter,
            outputColumns: parts.map((part, index) => [String(part), `PART ${index}`]),
            includeInputColumn: yesNo(includes),
          },
        },
      },
      query: `SELECT "ID", ${includes ? '"NAME", ' : ''}"NOTE", ${parts
        .map((part) => `split_part("NAME", ${literal(delimiter)}, ${part + 1})`)
        .join(', ')} FROM a`,
    })),
};

const alike: readonly (readonly ColumnName[])[] = [
  ['AMOUNT', 'TOTAL'],
  ['NAME', 'NOTE'],
  ['NOTE'],
  ['ID'],
  ['AT'],
];

const unpivot: CaseKind = {
  title: 'unpivot',
  types: ['unpivot'],
  tables: { a: 'plain' },
  cases: fc
    .tuple(fc.constantFrom(...alike), fc.shuffledSubarray([...plainColumns]))
    .map(([narrowed, some]) => {
      const others = some.filter((name) => !narrowed.includes(name));
      const values = narrowed.map((name) => `(${literal(name)}, ${quote(name)})`).join(', ');
      return {
        components: {
          a: read('a', [...narrowed, ...others]),
          U: {
            type: 'unpivot',
            sources: ['a'],
            parameters: {
              columnsToNarrow: narrowed,
              outputNamesColumnName: 'N',
              outputValuesColumnName: 'V',
            },
          },
        },
        query: `SELECT ${[...others.map(quote), 'n', 'v'].join(', ')} FROM a, LATERAL (VALUES ${values}) AS u(n, v) WHERE v IS NOT NULL`,
      };
    }),
};

const transposeColumns: CaseKind = {
  title: 'transpose-columns',
  types: ['transpose-columns'],
  tables: { a: 'plain' },
  cases: fc.shuffledSubarray([...plainColumns]).map((some) => {
    const others = some.filter((name) => !['NAME', 'NOTE', 'AMOUNT', 'TOTAL'].includes(name));
    const labels = `(VALUES ('one', "NAME", "AMOUNT"), ('two', "NOTE", "TOTAL"), ('three', "NAME", "TOTAL"))`;
    return {
      components: {
        a: read('a', ['NAME', 'NOTE', 'AMOUNT', 'TOTAL', ...others]),
        T: {
          type: 'transpose-columns',
          sources: ['a'],
          parameters: {
            ordinaryColumns: others,
            rowLabelName: 'L',
            outputColumns: [
              ['TEXT', 'VARCHAR', '', ''],
              ['VALUE', 'NUMBER', '10', '2'],
            ],
            columnToRowMapping: [
              ['one', 'NAME', 'AMOUNT'],
              ['two', 'NOTE', 'TOTAL'],
              ['three', 'NAME', 'TOTAL'],
            ],
          },
        },
      },
      query: `SELECT ${[...others.map(quote), 'l', 't', 'v'].join(', ')} FROM a, LATERAL ${labels} AS u(l, t, v)`,
    };
  }),
};

export const columnCases: readonly CaseKind[] = [
  rename,
  convertType('a', 'plain', plainColumns, fromPlain),
  convertType('t', 'texts', ['ID', 'N', 'D', 'T', 'B'], fromTexts),
  mapValues,
  splitField,
  unpivot,
  transposeColumns,
];
