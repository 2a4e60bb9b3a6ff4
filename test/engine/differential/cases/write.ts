import * as fc from 'fast-check';
import {
  type CaseKind,
  type Component,
  plainColumns,
  quote,
  quoteAll,
  read,
  readAll,
  yesNo,
} from '../differential-case.ts';

const rewriteTable: CaseKind = {
  title: 'rewrite-table',
  types: ['rewrite-table', 'rewrite-table-dl'],
  tables: { a: 'plain', target: 'target' },
  cases: fc
    .record({
      columns: fc.shuffledSubarray([...plainColumns], { minLength: 1 }),
      word: fc.constantFrom('', 'ASCENDING', 'DESCENDING', 'Nulls First'),
      isOfCatalog: fc.boolean(),
    })
    .map(({ columns, word, isOfCatalog }) => {
      const orderBy = word === '' ? null : [[columns[0], word]];
      const parameters = isOfCatalog
        ? { catalog: 'DB', schema: 'S', table: 'target', orderBy }
        : { warehouse: '[Environment Default]', targetTable: 'target', orderBy };
      return {
        components: {
          a: read('a', columns),
          W: { type: isOfCatalog ? 'rewrite-table-dl' : 'rewrite-table', sources: ['a'], parameters },
        },
        result: 'target',
        query: `SELECT ${quoteAll(columns)} FROM a`,
      };
    }),
};

/** A view shows what its tables have when it is read: here, after another writer of the same transformation. */
const createView: CaseKind = {
  title: 'create-view',
  types: ['create-view', 'table-output'],
  tables: { a: 'plain', b: 'plain' },
  cases: fc.shuffledSubarray([...plainColumns], { minLength: 1 }).map((columns) => ({
    components: {
      a: read('a', columns),
      V: {
        type: 'create-view',
        sources: ['a'],
        parameters: { viewName: 'seen', secureView: 'No', viewType: 'Standard' },
      },
      b: read('b'),
      W: {
        type: 'table-output',
        sources: ['b'],
        parameters: {
          targetTable: 'a',
          fixDataTypeMismatches: 'No',
          columnMapping: plainColumns.map((name) => [name, name]),
          outputMode: 'Append',
        },
      },
    },
    result: 'seen',
    statements: 'INSERT INTO a SELECT * FROM b',
    query: `SELECT ${quoteAll(columns)} FROM a`,
  })),
};

/** The columns of `target`, and the columns of `plain` whose values they can take. */
const mappings: readonly (readonly [target: string, sources: readonly string[]])[] = [
  ['ID', ['ID', 'AMOUNT', 'PART']],
  ['NAME', ['NAME', 'NOTE']],
  ['AMOUNT', ['AMOUNT', 'PART', 'ID', 'TOTAL']],
  ['RATE', ['RATE', 'ID', 'PART']],
  ['DAY', ['DAY', 'AT']],
  ['AT', ['AT', 'DAY']],
  ['OK', ['OK']],
];

const mapped = fc
  .shuffledSubarray([...mappings], { minLength: 1 })
  .chain((chosen) =>
    fc.tuple(...chosen.map(([to, from]) => fc.tuple(fc.constantFrom(...from), fc.constant(to)))),
  );

const tableOutput: CaseKind = {
  title: 'table-output',
  types: ['table-output'],
  tables: { a: 'plain', target: 'target' },
  cases: fc
    .record({
      mapped,
      isTruncated: fc.boolean(),
      isCast: fc.boolean(),
      word: fc.constantFrom('', 'Ascending', 'Nulls First'),
    })
    .map(({ mapped: pairs, isTruncated, isCast, word }) => {
      const [from, to] = [0, 1].map((index) => quoteAll(pairs.map((pair) => pair[index] ?? '')));
      return {
        components: {
          a: read('a'),
          W: {
            type: 'table-output',
            sources: ['a'],
            parameters: {
              targetTable: 'target',
              fixDataTypeMismatches: yesNo(isCast),
              columnMapping: pairs,
              orderBy: word === '' ? null : [['RATE', word]],
              outputMode: isTruncated ? 'Truncate' : 'Append',
            },
          },
        },
        result: 'target',
        statements: `${isTruncated ? 'TRUNCATE target;' : ''} INSERT INTO target (${to}) SELECT ${from} FROM a`,
        query: 'SELECT * FROM target',
        mayFail: true,
      };
    }),
};

const joinExpressions = [
  '"input"."ID" = "target"."ID"',
  '"input"."ID"="target"."ID"AND"target"."NAME"="input"."NAME"',
  '"target"."DAY" = "input"."DAY"',
];

type Branches = readonly (readonly [condition: string, action: 'Update' | 'Delete'])[];

const branches: readonly Branches[] = [
  [['true', 'Update']],
  [['1=1', 'Delete']],
  [
    [`"input"."NAME" = 'a'`, 'Delete'],
    ['true', 'Update'],
  ],
  [
    ['"input"."AMOUNT" > "target"."AMOUNT"', 'Update'],
    ['"target"."OK"', 'Delete'],
  ],
  [['"input"."OK"', 'Update']],
];

const updates = [['NAME'], ['AMOUNT', 'RATE'], ['AT', 'OK', 'NAME']];
const inserts = [['ID', 'NAME'], ['ID', 'NAME', 'AMOUNT', 'RATE', 'DAY', 'AT', 'OK'], ['DAY']];

interface Merge {
  readonly on: string;
  /** Without any, every row that matches is updated. */
  readonly matched: Branches | null;
  readonly updated: readonly string[];
  readonly inserted: readonly string[] | null;
  /** Whether only some rows of the input are used: several that update one row of the target are an error. */
  readonly isFiltered: boolean;
}

/**
 * PostgreSQL fails where several rows of the input delete one row of the target. In the warehouse only that is clear:
 * such rows are deleted before, and the rows to insert are found before that.
 */
function mergeStatements({ on, matched, updated, inserted, isFiltered }: Merge): string {
  const set = updated.map((name) => `${quote(name)} = input.${quote(name)}`).join(', ');
  const actions = matched ?? [['true', 'Update'] as const];
  const whens = actions.map(
    ([condition, action]) =>
      `WHEN MATCHED AND ${condition} THEN ${action === 'Update' ? `UPDATE SET ${set}` : 'DELETE'}`,
  );
  const action = `CASE ${actions.map(([condition, name]) => `WHEN ${condition} THEN '${name}'`).join(' ')} END`;
  const rows = `(SELECT * FROM changes${isFiltered ? ' WHERE "ID" = 1' : ''}) AS input`;
  return [
    `CREATE TEMP TABLE missing AS SELECT * FROM ${rows} WHERE NOT EXISTS (SELECT FROM target WHERE ${on})`,
    `DELETE FROM target USING (SELECT target.ctid AS id FROM target JOIN ${rows} ON ${on} GROUP BY target.ctid
       HAVING count(*) FILTER (WHERE ${action} = 'Delete') > 1 AND count(*) FILTER (WHERE ${action} = 'Update') = 0)
       AS several WHERE target.ctid = several.id`,
    `MERGE INTO target USING ${rows} ON ${on} ${whens.join(' ')}`,
    ...(inserted === null
      ? []
      : [`INSERT INTO target (${quoteAll(inserted)}) SELECT ${quoteAll(inserted)} FROM missing`]),
  ].join(';\n');
}

const onlyOne: Component = {
  type: 'filter',
  sources: ['changes'],
  parameters: { filterConditions: [['ID', 'Is', 'Equal to', '1']], combineCondition: 'And' },
};

const tableUpdate: CaseKind = {
  title: 'table-update',
  types: ['table-update'],
  tables: { changes: 'target', target: 'target' },
  cases: fc
    .record({
      on: fc.constantFrom(...joinExpressions),
      matched: fc.option(fc.constantFrom(...branches), { freq: 5 }),
      updated: fc.constantFrom(...updates),
      inserted: fc.option(fc.constantFrom(...inserts), { freq: 3 }),
      isFiltered: fc.boolean(),
    })
    .map((merge) => ({
      components: {
        ...readAll('changes', 'target'),
        ...(merge.isFiltered && { One: onlyOne }),
        M: {
          type: 'table-update',
          sources: [merge.isFiltered ? 'One' : 'changes'],
          parameters: {
            targetTable: 'target',
            targetAlias: 'target',
            sourceAlias: 'input',
            joinExpression: [[merge.on, 'Case']],
            whenMatched: merge.matched,
            updateMapping: merge.updated.map((name) => [name, name]),
            includeNotMatched: yesNo(merge.inserted !== null),
            insertMapping: merge.inserted?.map((name) => [name, name]) ?? null,
          },
        },
      },
      result: 'target',
      statements: mergeStatements(merge),
      query: 'SELECT * FROM target',
      mayFail: true,
    })),
};

export const writeCases: readonly CaseKind[] = [rewriteTable, createView, tableOutput, tableUpdate];
