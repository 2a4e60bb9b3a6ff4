import * as fc from 'fast-check';
import {
  type CaseKind,
  type ColumnName,
  type Component,
  plainColumns,
  quote,
  read,
  yesNo,
} from '../differential-case.ts';
import { literal } from '../random-tables.ts';
import { commonValue } from './common-value.ts';

const joinWords = [
  ['Inner', 'JOIN'],
  ['Left', 'LEFT JOIN'],
  ['Right', 'RIGHT JOIN'],
  ['Full', 'FULL JOIN'],
] as const;

/** Conditions between two aliases. PostgreSQL has no full join with the last two. */
const conditions = [
  (l: string, r: string) => `"${l}"."ID" = "${r}"."ID"`,
  (l: string, r: string) => `"${l}"."ID" = "${r}"."ID" and "${l}"."NAME" = "${r}"."NAME"`,
  (l: string, r: string) => `"${l}"."AMOUNT" = "${r}"."TOTAL"`,
  (l: string, r: string) => `"${l}"."DAY"="${r}"."DAY"AND"${l}"."OK"="${r}"."OK"`,
  (l: string, r: string) => `"${l}"."ID" < "${r}"."ID" or "${l}"."NOTE" = "${r}"."NAME"`,
  () => '1 = 1',
] as const;

const joined = fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...joinWords)).chain(([table, words]) => {
  const possible = words[0] === 'Full' ? conditions.slice(0, 4) : conditions;
  return fc.tuple(fc.constant(table), fc.constant(words), fc.constantFrom(...possible));
});

const join: CaseKind = {
  title: 'join',
  types: ['join'],
  tables: { a: 'plain', b: 'plain' },
  cases: fc
    .tuple(
      fc.array(joined, { minLength: 1, maxLength: 2 }),
      fc.array(fc.tuple(fc.nat(2), fc.constantFrom(...plainColumns)), { minLength: 1, maxLength: 5 }),
    )
    .map(([joins, picked]) => {
      const aliases = ['main', 'r1', 'r2'].slice(0, joins.length + 1);
      const on = joins.map(([, , condition], index) => condition(aliases[index] ?? '', `r${index + 1}`));
      const cells = picked.map(([side, name]) => [aliases[side % aliases.length] ?? '', name] as const);
      const sql = joins.map(
        ([table, [, words]], index) => ` ${words} ${table} r${index + 1} ON ${on[index]}`,
      );
      const list = cells.map(([alias, name]) => `${alias}.${quote(name)}`).join(', ');
      return {
        components: {
          a: read('a'),
          b: read('b'),
          J: {
            type: 'join',
            sources: ['a', 'b'],
            parameters: {
              mainTable: 'a',
              mainTableAlias: 'main',
              joins: joins.map(([table, [word]], index) => [table, `r${index + 1}`, word]),
              joinExpressions: joins.map(([, [word]], index) => [on[index], `main_${word}_r${index + 1}`]),
              columnMappings: cells.map(([alias, name], index) => [`${alias}.${name}`, `C${index}`]),
            },
          },
        },
        query: `SELECT ${list} FROM a main${sql.join('')}`,
      };
    }),
};

const someColumns = fc
  .shuffledSubarray<ColumnName>(
    plainColumns.filter((name) => name !== 'ID'),
    { maxLength: 4 },
  )
  .map((names): readonly ColumnName[] => [...names, 'ID']);

type InputColumns = readonly [table: string, columns: readonly ColumnName[]];

/** The rows of one input: each column with the type of all inputs, and NULL for the missing ones. */
function unitedRows(
  [table, tableColumns]: InputColumns,
  names: readonly ColumnName[],
  inputs: readonly InputColumns[],
  addsName: boolean,
): string {
  const cells = names.map((name) => {
    const having = inputs.filter(([, columns]) => columns.includes(name)).map(([each]) => each);
    const isMixed = having.includes('o') && having.some((each) => each !== 'o');
    const value = isMixed ? commonValue(name) : quote(name);
    // A row of a table that has the column gives NULL its type.
    return tableColumns.includes(name) ? value : `(SELECT ${value} FROM ${having[0]} WHERE false)`;
  });
  return `SELECT ${[...cells, ...(addsName ? [literal(table)] : [])].join(', ')} FROM ${table}`;
}

const unite: CaseKind = {
  title: 'unite',
  types: ['unite'],
  tables: { a: 'plain', b: 'plain', o: 'other' },
  cases: fc
    .record({
      a: someColumns,
      b: someColumns,
      o: fc.option(someColumns),
      isOverlap: fc.boolean(),
      castTypes: fc.boolean(),
      addsName: fc.boolean(),
      removes: fc.boolean(),
    })
    .map(({ a, b, o, isOverlap, castTypes, addsName, removes }) => {
      const pairs: readonly InputColumns[] = [
        ['a', a],
        ['b', b],
      ];
      const inputs: readonly InputColumns[] = o === null ? pairs : [...pairs, ['o', o]];
      const all = [...new Set(inputs.flatMap(([, names]) => names))];
      const names = isOverlap
        ? all.filter((name) => inputs.every(([, tableColumns]) => tableColumns.includes(name)))
        : all;
      const rows = inputs.map((input) => unitedRows(input, names, inputs, addsName)).join(' UNION ALL ');
      return {
        components: {
          ...Object.fromEntries(
            inputs.map(([table, tableColumns]): [string, Component] => [table, read(table, tableColumns)]),
          ),
          U: {
            type: 'unite',
            sources: inputs.map(([table]) => table),
            parameters: {
              method: isOverlap ? 'Overlapping Columns' : 'All Columns',
              // The table with other types needs it.
              castTypes: yesNo(castTypes || o !== null),
              addSourceComponentColumn: yesNo(addsName),
              removeDuplicates: yesNo(removes),
            },
          },
        },
        query: removes ? `SELECT DISTINCT * FROM (${rows}) AS q` : rows,
      };
    }),
};

interface Changes {
  readonly master: string;
  readonly keys: readonly ColumnName[];
  readonly compared: readonly ColumnName[];
  readonly mapped: readonly (readonly [side: string, name: ColumnName])[];
}

/** Rows of both tables, then rows of the master only, then rows of the other only. */
function changesQuery({ master, keys, compared, mapped }: Changes): string {
  const second = master === 'a' ? 'b' : 'a';
  const matches = keys.map((key) => `m.${quote(key)} = c.${quote(key)}`).join(' AND ');
  const isKeyed = (alias: string) => keys.map((key) => `${alias}.${quote(key)} IS NOT NULL`).join(' AND ');
  const changed = compared.map((name) => `m.${quote(name)} IS DISTINCT FROM c.${quote(name)}`);
  const select = (keysOf: string, sides: string, indicator: string) => {
    const cells = mapped.map(([from, name]) => {
      const alias = from === 'master' ? 'm' : 'c';
      return sides.includes(alias) ? `${alias}.${quote(name)}` : 'NULL';
    });
    return `SELECT ${[...keys.map((key) => `${keysOf}.${quote(key)}`), ...cells, indicator].join(', ')}`;
  };
  const indicator = changed.length === 0 ? `'I'` : `CASE WHEN ${changed.join(' OR ')} THEN 'C' ELSE 'I' END`;
  return `${select('m', 'mc', indicator)} FROM ${master} m JOIN ${second} c ON ${matches}
    UNION ALL ${select('m', 'm', `'D'`)} FROM ${master} m
      WHERE ${isKeyed('m')} AND NOT EXISTS (SELECT FROM ${second} c WHERE ${matches})
    UNION ALL ${select('c', 'c', `'N'`)} FROM ${second} c
      WHERE ${isKeyed('c')} AND NOT EXISTS (SELECT FROM ${master} m WHERE ${matches})`;
}

const detectChanges: CaseKind = {
  title: 'detect-changes',
  types: ['detect-changes'],
  tables: { a: 'plain', b: 'plain' },
  cases: fc
    .record({
      master: fc.constantFrom('a', 'b'),
      keys: fc.constantFrom<readonly ColumnName[]>(['ID'], ['NAME'], ['ID', 'DAY'], ['AMOUNT']),
      compared: fc.shuffledSubarray<ColumnName>([...plainColumns], { maxLength: 3 }),
      mapped: fc.array(fc.tuple(fc.constantFrom('master', 'compare'), fc.constantFrom(...plainColumns)), {
        maxLength: 3,
      }),
    })
    .map((options) => {
      const mapping = options.mapped.map(([from, name], index) => [`${from}_${name}`, `M${index}`]);
      return {
        components: {
          a: read('a'),
          b: read('b'),
          D: {
            type: 'detect-changes',
            sources: ['a', 'b'],
            parameters: {
              masterTable: options.master,
              matchKeys: options.keys,
              compareColumns: options.compared,
              outputColumnMapping: mapping.length === 0 ? null : mapping,
              indicatorColumn: 'Indicator',
            },
          },
        },
        query: changesQuery(options),
      };
    }),
};

export const combineCases: readonly CaseKind[] = [join, unite, detectChanges];
