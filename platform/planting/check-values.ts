import {
  type Column,
  columnTexts,
  declaredColumns,
  type Place,
  problemAt,
  Refusal,
  SqlError,
  ValueError,
  type WarehouseKind,
} from '../../engine/index.ts';
import { parseDecimal, writeDecimal } from '../../lib/core/values/decimal.ts';
import { childOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { TableSeed } from '../seed/seed-schema.ts';

interface WrittenTable {
  /** The table in the seed file. */
  readonly node: YamlNode | undefined;
  readonly placeOf: (node: YamlNode) => Place;
}

/**
 * Checks the values in the rows of a seed's table, so that an error names their position. Throws FileProblems for a value
 * that does not fit its declared type, and for a number that would lose digits.
 */
export function checkValues({ name, columns, rows }: TableSeed, { node, placeOf }: WrittenTable): void {
  const list = childOf(node, 'rows');
  if (list?.kind !== 'list') return;
  const cellAt = (row: number, column: string) => childOf(list.items[row], column);
  for (const [index, row] of rows.entries()) {
    for (const column of Object.keys(row)) {
      const cell = cellAt(index, column);
      const number = cell === undefined ? undefined : longNumber(cell);
      if (cell === undefined || number === undefined) continue;
      throw problemAt(
        placeOf(cell),
        `the number ${number} has more digits than a seed keeps: write it in quotes`,
      );
    }
  }
  const { typed, kind } = knownColumns(columns, `the seed's table ${name}`);
  for (const column of typed) {
    const read = columnTexts(column, kind);
    for (const [index, row] of rows.entries()) {
      try {
        read(row[column.name] ?? null, index);
      } catch (error) {
        const cell = cellAt(index, column.name);
        if (!(error instanceof ValueError) || cell === undefined) throw error;
        throw problemAt(placeOf(cell), error.message);
      }
    }
  }
}

/** The declared columns. A table may be for projects of both kinds, so its types are read by the first kind that knows all of them. */
function knownColumns(
  columns: TableSeed['columns'],
  of: string,
): { readonly typed: readonly Column[]; readonly kind: WarehouseKind } {
  for (const kind of ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const) {
    try {
      return { typed: declaredColumns(columns, kind, of) ?? [], kind };
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof SqlError)) throw error;
    }
  }
  // An unknown type is an error when the table is created.
  return { typed: [], kind: 'WAREHOUSE_ONE' };
}

/** The first number of a cell that has more digits than a number of JavaScript. */
function longNumber(node: YamlNode): string | undefined {
  if (node.kind === 'list') return firstOf(node.items);
  if (node.kind === 'map') return firstOf([...node.entries.values()].map(({ value }) => value));
  const [written, kept] = [parseDecimal(node.text), parseDecimal(String(node.value))];
  if (typeof node.value !== 'number' || written === undefined) return undefined;
  return kept !== undefined && writeDecimal(kept) === writeDecimal(written) ? undefined : node.text;
}

function firstOf(nodes: readonly YamlNode[]): string | undefined {
  return nodes.map(longNumber).find((number) => number !== undefined);
}
