import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import { statementTracer, type TracedStatement } from '../../../engine/lineage/statement-tracer.ts';
import { fillTables, withTableNames } from './changed-columns.ts';

/** A warehouse with the tables of `tracedQueries`, and a tracer over it. */
export interface Traced extends AsyncDisposable {
  readonly warehouse: Warehouse;
  /** Traces a statement, and then runs it. */
  run(statement: string): Promise<TracedStatement | undefined>;
  query(sql: string): Promise<TracedStatement>;
}

export async function openTraced(): Promise<Traced> {
  const warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '200MB' });
  await fillTables(warehouse);
  const tracer = statementTracer(warehouse);
  async function run(statement: string): Promise<TracedStatement | undefined> {
    const sql = withTableNames(statement);
    const traced = await tracer.trace(sql);
    await warehouse.run(sql);
    await warehouse.refresh();
    return traced;
  }
  await run('CREATE OR REPLACE VIEW V AS SELECT a + 1 AS a1, upper(b) AS ub FROM T');
  return {
    warehouse,
    run,
    async query(sql) {
      const traced = await tracer.trace(withTableNames(`CREATE OR REPLACE TABLE NEW AS ${sql}`));
      if (traced === undefined) throw new Error('nothing was traced');
      return traced;
    },
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  };
}

export function sourceName({
  table,
  column,
}: {
  readonly table: { readonly table: string };
  readonly column: string;
}) {
  return `${table.table}.${column}`;
}

const marks = { copied: '', computed: '+', aggregated: '#' } as const;
const sorted = (text: string) => text.split(' ').filter(Boolean).toSorted().join(' ');

/** A trace in the form of `tracedQueries`, with the sources of each part in alphabetical order. */
export function described(traced: TracedStatement | undefined) {
  const { columns = [], rows = [], unknown } = traced ?? {};
  const text = ({ values, choices, computedIn }: TracedStatement['columns'][number]) =>
    [
      sorted(Array.from(values, ([column, use]) => `${sourceName(column)}${marks[use]}`).join(' ')),
      ...(choices.size === 0 ? [] : ['|', sorted(Array.from(choices, sourceName).join(' '))]),
      ...(computedIn.size === 0 ? [] : [`@${[...computedIn].join(',')}`]),
    ]
      .filter(Boolean)
      .join(' ');
  return {
    columns: Object.fromEntries(columns.map((column) => [column.name, text(column)])),
    rows: sorted(Array.from(rows, sourceName).join(' ')),
    ...(unknown !== undefined && { unknown }),
  };
}

/** What is expected, in the order of `described`. */
export function inOrder(columns: Readonly<Record<string, string>>, rows = '') {
  const text = (parts: string) => {
    const [, values = '', choices, computedIn] = /^([^|@]*)(?:\|([^@]*))?(@.*)?$/.exec(parts) ?? [];
    return [sorted(values), ...(choices === undefined ? [] : ['|', sorted(choices)]), computedIn ?? '']
      .filter(Boolean)
      .join(' ');
  };
  return {
    columns: Object.fromEntries(Object.entries(columns).map(([name, parts]) => [name, text(parts)])),
    rows: sorted(rows),
  };
}
