import { type Column, jsonNull, quoteName, type Value } from '../../engine/index.ts';
import { shownValue } from '../pipeline-tests/compare/shown-value.ts';
import type { RowChange } from '../diff/data-diff.ts';
import { cutRows, inTurn } from '../diff/order-rows.ts';
import { type ComparedTable, onlyRow, sameKeySql, type SharedColumn, valuesSql } from './compared-table.ts';

/** How many rows differ, and in which columns. */
export interface ComparedCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** By column: how many changed rows differ in it. */
  readonly cells: ReadonlyMap<string, number>;
}

/** Counts the differing rows, matching rows by key. The key must be unique on both sides. */
export async function compareByKey(
  table: ComparedTable,
  key: readonly SharedColumn[],
): Promise<ComparedCounts> {
  const others = table.columns.filter((column) => !key.includes(column));
  const columns = [...key, ...others];
  const differences = others.map((_, index) => differsSql(key.length + index));
  const counts = [
    'b.here IS NULL',
    'a.here IS NULL',
    `b.here AND a.here AND (${differences.length === 0 ? 'false' : differences.join(' OR ')})`,
    ...differences.map((difference) => `b.here AND a.here AND ${difference}`),
  ].map((condition) => `count(*) FILTER (${condition})`);
  const row = await onlyRow(
    `SELECT ${counts.join(', ')} FROM ${joinSql(table, columns, key.length)}`,
    table.warehouse,
  );
  const [added = 0, removed = 0, changed = 0, ...cells] = row.map(Number);
  return {
    added,
    removed,
    changed,
    cells: new Map(others.map(({ name }, index) => [name, cells[index] ?? 0])),
  };
}

/** Counts the rows that only one side has, or has more often. */
export async function compareWhole(table: ComparedTable): Promise<ComparedCounts> {
  const [added, removed] = await onlyRow(
    `SELECT coalesce(sum(greatest(n, 0)), 0)::BIGINT, coalesce(sum(greatest(-n, 0)), 0)::BIGINT FROM (${groupsSql(table)})`,
    table.warehouse,
  );
  return { added: Number(added), removed: Number(removed), changed: 0, cells: new Map() };
}

/** Counts, for each column of one side, the rows without a value, and all rows. */
export async function countNulls(
  { from, warehouse }: Pick<ComparedTable, 'warehouse'> & { readonly from: string },
  columns: readonly Pick<Column, 'name'>[],
): Promise<{ readonly rows: number; readonly nulls: ReadonlyMap<string, number> }> {
  const counts = columns.map(({ name }) => `count(${quoteName(name)})`);
  const [rows = 0, ...present] = (
    await onlyRow(`SELECT ${['count(*)', ...counts].join(', ')} FROM ${from}`, warehouse)
  ).map(Number);
  return { rows, nulls: new Map(columns.map(({ name }, index) => [name, rows - (present[index] ?? 0)])) };
}

/** At most `max` examples of rows that differ, in the order of their keys. */
export async function exampleRows(
  table: ComparedTable,
  key: readonly SharedColumn[] | undefined,
  max: number,
): Promise<readonly RowChange[]> {
  const { columns, warehouse } = table;
  if (key === undefined) {
    const read = async (sign: '>' | '<') => {
      const { rows } = await warehouse.query(
        `SELECT * EXCLUDE (n) FROM (${groupsSql(table)}) WHERE n ${sign} 0 ORDER BY ALL LIMIT ${max}`,
        { maxRows: max },
      );
      return rows.map((row) =>
        Object.fromEntries(
          columns.map(({ name, after }, index) => [
            name,
            shownValue(wholeValue(row[index] ?? null, after), after.type),
          ]),
        ),
      );
    };
    const added = await read('>');
    const removed = await read('<');
    return cutRows(
      [],
      inTurn(
        added.map((after) => ({ after })),
        removed.map((before) => ({ before })),
      ),
      max,
    );
  }
  const ordered = [...key, ...columns.filter((column) => !key.includes(column))];
  const differences = ordered.slice(key.length).map((_, index) => differsSql(key.length + index));
  const raw = ordered.flatMap((_, index) => [`b.o${index}`, `a.o${index}`]);
  const read = async (condition: string): Promise<readonly RowChange[]> => {
    const marks = differences.length === 0 ? [] : differences;
    const order = key.map((_, index) => `coalesce(b.o${index}::VARCHAR, a.o${index}::VARCHAR)`);
    const numeric = key.map((_, index) => `coalesce(b.v${index}, a.v${index})`);
    const { rows } = await warehouse.query(
      `SELECT ${[...raw, 'b.here', 'a.here', ...marks].join(', ')} FROM ${joinSql(table, ordered, key.length, { withRaw: true })} WHERE ${condition} ORDER BY ${[...numeric, ...order].join(', ')} LIMIT ${max}`,
      { maxRows: max, tellsJsonNull: true },
    );
    return rows.map((row) => {
      const at = raw.length;
      const [hasBefore, hasAfter] = [row[at] === true, row[at + 1] === true];
      const shown = ordered.flatMap((column, index) =>
        index < key.length || !hasBefore || !hasAfter || row[at + 2 + index - key.length] === true
          ? [{ column, index }]
          : [],
      );
      const side = (place: 0 | 1) =>
        Object.fromEntries(
          shown.map(({ column, index }) => [
            column.name,
            shownValue(row[2 * index + place] ?? null, (place === 0 ? column.before : column.after).type),
          ]),
        );
      return { ...(hasBefore ? { before: side(0) } : {}), ...(hasAfter ? { after: side(1) } : {}) };
    });
  };
  const changed =
    differences.length === 0 ? [] : await read(`b.here AND a.here AND (${differences.join(' OR ')})`);
  const added = await read('b.here IS NULL');
  const removed = await read('a.here IS NULL');
  return cutRows(changed, inTurn(added, removed), max);
}

/** Semi-structured data is compared as its JSON, in which a text has quotation marks. */
function wholeValue(value: Value, { type }: Column): Value {
  return type.name === 'VARIANT' && value === 'null' ? jsonNull : value;
}

function differsSql(index: number): string {
  return `b.v${index} IS DISTINCT FROM a.v${index}`;
}

/** Rows of both sides side by side, by their first columns. `withRaw`: also the values as they are, named o0, o1 and so on. */
function joinSql(
  table: ComparedTable,
  columns: readonly SharedColumn[],
  keyLength: number,
  { withRaw } = { withRaw: false },
): string {
  const side = (place: 0 | 1) => {
    const values = valuesSql(table, place, columns);
    const raw = columns.map(({ name }, index) => `${quoteName(name)} AS o${index}`).join(', ');
    return withRaw ? values.replace(/^SELECT /, `SELECT ${raw}, `) : values;
  };
  return `(${side(0)}) AS b FULL OUTER JOIN (${side(1)}) AS a ON ${sameKeySql(keyLength)}`;
}

/** Equal rows of both sides together; `n` is how often the new side has them more often. */
function groupsSql(table: ComparedTable): string {
  const list = table.columns.map((_, index) => `v${index}`).join(', ');
  const all = `SELECT *, -1 AS weight FROM (${valuesSql(table, 0, table.columns)}) UNION ALL SELECT *, 1 AS weight FROM (${valuesSql(table, 1, table.columns)})`;
  return `SELECT ${list === '' ? '' : `${list}, `}sum(weight) AS n FROM (${all})${list === '' ? '' : ` GROUP BY ${list}`} HAVING sum(weight) <> 0`;
}
