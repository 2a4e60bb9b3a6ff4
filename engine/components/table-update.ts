import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import type { Table } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Scope } from '../core/dialect.ts';
import { translateCondition } from '../dialect/translate.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readText, readYesNo } from '../parameters/parameter-reader.ts';
import { readRows } from '../parameters/read-rows.ts';
import {
  type Binding,
  type ComponentType,
  type Input,
  onlyInput,
  type WriteOutput,
  type Written,
} from './component-type.ts';
import { storedName } from './find-column.ts';
import { writableTable } from './find-table.ts';
import { placeOf, requiredCell, requiredRows, requiredText } from './read-cells.ts';
import { tableParameters } from './table-parameters.ts';
import { targetColumns } from './target-columns.ts';

export const tableUpdate: ComponentType = {
  type: 'table-update',
  group: 'write',
  summary: 'Updates, deletes and inserts rows of a table, depending on the rows of its input.',
  inputs: [1, 1],
  parameters: {
    ...tableParameters,
    targetTable: { form: 'text', meaning: 'the name of the table' },
    targetAlias: { form: 'text', meaning: 'the name of the table in expressions' },
    sourceAlias: { form: 'text', meaning: 'the name of the input in expressions' },
    joinExpression: {
      form: 'rows',
      cells: 2,
      meaning: 'the condition under which a row of the input matches a row of the table',
    },
    whenMatched: {
      form: 'rows',
      cells: 2,
      meaning:
        'in each row: a condition, and `Update` or `Delete`; for a row that matches, the first condition that is true applies',
    },
    updateMapping: {
      form: 'rows',
      cells: 2,
      meaning: 'for an update, in each row: an input column, and the column of the table',
    },
    includeNotMatched: {
      form: 'yes-no',
      meaning: 'whether rows of the input that do not match a row of the table are inserted',
    },
    insertMapping: {
      form: 'rows',
      cells: 2,
      meaning: 'for an insert, in each row: an input column, and the column of the table',
    },
  },
  bind: bindUpdate,
};

/** What happens to a row of the table that matches. */
interface Branch {
  readonly source: SourceText | undefined;
  /** The condition in DuckDB's SQL. */
  readonly condition: string;
  readonly does: 'update' | 'delete';
}

/** The alias of the target table in the statements. */
const target = 'target_1';
const source = 'source_1';
/**
 * A table with the rows of the input. The input is computed only once, because both the check and the merge read it.
 */
const copy = 'temp.main.millrace_source';

function bindUpdate(binding: Binding): WriteOutput {
  const input = onlyInput(binding);
  const table = writableTable(binding, 'targetTable');
  const scope = scopeOf(binding, input, table);
  const joined = joinExpression(binding);
  const on = translateCondition(joined, scope, binding.dialect);
  const branches = branchesOf(binding, scope);
  const actions = [
    ...branches.map((branch) => matchedText(binding, branch, { input, table })),
    ...insertText(binding, { input, table }),
  ];
  if (actions.length === 0) {
    const place = placeOf(binding, 'whenMatched');
    throw new SqlError(
      'the component would not change any rows: set whenMatched to update or delete rows, or includeNotMatched to insert rows',
      { place },
    );
  }
  const merge = (rows: string) =>
    `MERGE INTO ${table.sql} AS ${target} USING ${rows} AS ${source} ON ${on}${actions.join('')}`;
  const counts = countsSql(table, on, branches);
  const statements =
    counts === undefined
      ? [merge(`(${input.query})`)]
      : [
          `CREATE OR REPLACE TEMP TABLE millrace_source AS ${input.query}`,
          counts,
          merge(copy),
          `DROP TABLE ${copy}`,
        ];
  const place = placeOf(binding, 'joinExpression');
  return {
    kind: 'write',
    target: table,
    definesTables: false,
    statements,
    written: writtenSql(
      joined,
      branches,
      `${table.sql} AS ${target} JOIN (${input.query}) AS ${source} ON ${on}`,
    ),
    write: (warehouse) => write(warehouse, statements, table, place),
  };
}

async function write(
  warehouse: Warehouse,
  statements: readonly string[],
  table: Table,
  place: ReturnType<typeof placeOf>,
): Promise<Written> {
  const [first = '', counts, merge, drop] = statements;
  const changed = await warehouse.run(first);
  if (counts === undefined || merge === undefined || drop === undefined) {
    return written({ inserted: changed, updated: 0, deleted: 0 }, table);
  }
  const { rows } = await warehouse.query(counts, { maxRows: 1 });
  const [doubled = 0, updated = 0, deleted = 0, deletions = 0] = (rows[0] ?? []).map(Number);
  if (doubled > 0) {
    const what = doubled === 1 ? 'row of the table matches' : 'rows of the table match';
    throw new SqlError(
      `${doubled} ${what} several rows of the input, and they would change it in different ways; make sure that at most one row of the input matches`,
      {
        place,
      },
    );
  }
  const all = await warehouse.run(merge);
  await warehouse.run(drop);
  return written({ inserted: all - updated - deletions, updated, deleted }, table);
}

function written(
  { inserted, updated, deleted }: { inserted: number; updated: number; deleted: number },
  { table }: Table,
): Written {
  const rows = inserted === 1 ? 'row' : 'rows';
  return {
    rows: inserted + updated + deleted,
    message: `${inserted} ${rows} inserted, ${updated} updated, ${deleted} deleted in "${table}".`,
  };
}

function scopeOf(binding: Binding, input: Input, table: Table): Scope {
  const { warehouse } = binding.dialect;
  const [a, b] = [requiredText(binding, 'targetAlias'), requiredText(binding, 'sourceAlias')];
  if (storedName(a.text, warehouse) === storedName(b.text, warehouse)) {
    const message = `targetAlias and sourceAlias are both "${b.text}": choose two different names`;
    throw new SqlError(message, { place: b.placeOf(0) });
  }
  return new Map([
    [a.text, { sql: target, columns: table.columns, table: table.sql }],
    [b.text, { sql: source, columns: input.columns }],
  ]);
}

function joinExpression(binding: Binding): SourceText {
  const [row, more] = requiredRows(binding, 'joinExpression');
  if (more !== undefined)
    throw new Refusal('several rows in joinExpression', more.place, 'combine them in one row with AND');
  if (row === undefined) throw new Error('no join expression');
  return requiredCell(row, 0, 'expression');
}

function branchesOf(binding: Binding, scope: Scope): readonly Branch[] {
  const { parameters, reader, dialect } = binding;
  const rows = readRows(childOf(parameters, 'whenMatched'), reader);
  if (rows.length === 0) {
    if (readRows(childOf(parameters, 'updateMapping'), reader).length === 0) return [];
    binding.notice('whenMatched is not set: every row that matches is updated');
    return [{ source: undefined, condition: 'TRUE', does: 'update' }];
  }
  return rows.map((row) => {
    const cell = requiredCell(row, 0, 'condition');
    const condition = hasNone(cell) ? 'TRUE' : translateCondition(cell, scope, dialect);
    const action = requiredCell(row, 1, 'action');
    const does = action.text.trim().toLowerCase();
    if (does === 'update' || does === 'delete') return { source: cell, condition, does };
    throw new Refusal(`the action ${action.text}`, action.placeOf(0), 'use Update or Delete');
  });
}

/**
 * Whether there is no condition. Pipelines that were converted from an older form have this text instead of a
 * condition.
 */
function hasNone({ text }: SourceText): boolean {
  return text.trim().toLowerCase() === '<none>';
}

/** Each text, with a query that computes it for the pairs of matching rows. */
function writtenSql(
  joined: SourceText,
  branches: readonly Branch[],
  pairs: string,
): NonNullable<WriteOutput['written']> {
  const conditions = branches.flatMap(({ source: text, condition }) =>
    text === undefined ? [] : [{ source: text, sql: `SELECT ${condition} FROM ${pairs}` }],
  );
  return [{ source: joined, sql: `SELECT 1 FROM ${pairs}` }, ...conditions];
}

interface Sides {
  readonly input: Input;
  readonly table: Table;
}

function matchedText(binding: Binding, { condition, does }: Branch, { input, table }: Sides): string {
  const when = ` WHEN MATCHED AND ${condition} THEN`;
  if (does === 'delete') return `${when} DELETE`;
  const columns = targetColumns(binding, 'updateMapping', { input, rows: source, target: table });
  return `${when} UPDATE SET ${columns.map(({ name, value }) => `${name} = ${value}`).join(', ')}`;
}

function insertText(binding: Binding, { input, table }: Sides): readonly string[] {
  const { parameters, reader } = binding;
  const node = childOf(parameters, 'includeNotMatched');
  if (readText(node, reader) === undefined) {
    throw new ParameterError(
      'the parameter includeNotMatched is not set: write Yes or No',
      placeOf(binding, 'includeNotMatched'),
    );
  }
  if (!readYesNo(node, reader, false)) return [];
  const columns = targetColumns(binding, 'insertMapping', { input, rows: source, target: table });
  const names = columns.map(({ name }) => name).join(', ');
  return [
    ` WHEN NOT MATCHED THEN INSERT (${names}) VALUES (${columns.map(({ value }) => value).join(', ')})`,
  ];
}

/**
 * A query whose result is four numbers: the rows of the table that several rows of the input would change in
 * different ways; the rows that are updated; the rows that are deleted; and the deletions that DuckDB counts. If the
 * first number is not 0, the warehouse fails, whereas DuckDB would use an arbitrary one of the input rows. A row of
 * the table is deleted if all input rows that match it delete it.
 */
function countsSql(table: Table, on: string, branches: readonly Branch[]): string | undefined {
  if (branches.length === 0) return undefined;
  const action = branches.map(({ condition, does }) => `WHEN ${condition} THEN '${does}'`).join(' ');
  const pairs = `SELECT ${target}.rowid AS id, CASE ${action} END AS action FROM ${table.sql} AS ${target} JOIN ${copy} AS ${source} ON ${on}`;
  const changed = `SELECT count(*) AS pairs, count(*) > 1 AND bool_or(action = 'update') AS is_unclear, any_value(action) AS action FROM (${pairs}) WHERE action IS NOT NULL GROUP BY id`;
  const count = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
  const deletions = "coalesce(sum(pairs) FILTER (WHERE action = 'delete'), 0)";
  return `SELECT ${count('is_unclear')}, ${count("action = 'update'")}, ${count("action = 'delete'")}, ${deletions} FROM (${changed})`;
}
