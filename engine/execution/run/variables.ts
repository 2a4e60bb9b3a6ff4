import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import { gridFault, valueFault } from '../../../lib/pipelines/model/variable-value.ts';

/** A value that one or several pipelines share. */
export interface Cell {
  /** `TEXT`, `NUMBER` or `GRID`; readers accept others and treat them as text. */
  readonly type: string;
  /** Each iteration has its own copy; otherwise all share one value. */
  readonly copied: boolean;
  readonly columns: readonly string[];
  /** The types of a grid's columns; undefined for a text. */
  readonly columnTypes?: readonly (string | undefined)[];
  value: string | Grid;
}

/** The variables of a component: its pipeline's, then the project's. */
export interface Variables {
  cell(name: string): Cell | undefined;
  /** Sets a scalar. Returns the reason if the value is refused. */
  set(name: string, value: string): string | undefined;
  /** Replaces the rows of a grid. Returns the reason if they are refused. */
  setGrid(name: string, rows: Grid): string | undefined;
  /** The current value of each of them. */
  all(): ReadonlyMap<string, Readonly<Cell>>;
  /** The variables for one iteration, with copies of those whose scope is COPIED. */
  fork(): Variables;
}

export function createVariables(cells: ReadonlyMap<string, Cell>): Variables {
  return {
    cell: (name) => cells.get(name),
    set(name, value) {
      const cell = cells.get(name);
      if (cell === undefined) return `the variable "${name}" is not defined`;
      const refusal = refusalOf(cell, name, value);
      if (refusal === undefined) cell.value = value;
      return refusal;
    },
    setGrid(name, rows) {
      const cell = cells.get(name);
      if (cell === undefined) return `the variable "${name}" is not defined`;
      if (typeof cell.value === 'string') return `the variable "${name}" is not a grid`;
      const refusal = gridRefusal(cell, name, rows);
      if (refusal === undefined) cell.value = rows;
      return refusal;
    },
    all: () => new Map([...cells].map(([name, cell]) => [name, { ...cell }])),
    fork: () => createVariables(forkCells(cells)),
  };
}

/** Copies COPIED variables and shares the others. */
export function forkCells(cells: ReadonlyMap<string, Cell>): Map<string, Cell> {
  return new Map([...cells].map(([name, cell]) => [name, cell.copied ? { ...cell } : cell]));
}

/** Why a scalar cannot have the value. An empty value of another type than a text counts as not set. */
export function refusalOf(cell: Cell, name: string, value: string): string | undefined {
  if (cell.type === 'GRID') return `the variable "${name}" is a grid, so it needs rows, not one value`;
  const fault = valueFault(cell.type, value);
  return fault === undefined ? undefined : `the variable "${name}" ${fault}`;
}

/** Why a grid cannot have the rows: one has another number of cells than the grid has columns, or a cell is not of the type of its column. */
export function gridRefusal(
  { columns, columnTypes = [] }: Cell,
  name: string,
  rows: Grid,
): string | undefined {
  const fault = gridFault({ columns, columnTypes }, rows);
  return fault === undefined ? undefined : `the variable "${name}": ${fault}`;
}
