import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import { gridFault, valueFault } from '../../../lib/pipelines/model/variable-value.ts';

/** The value of a variable. Several pipelines may share it. */
export interface Cell {
  /** The type: `TEXT`, `NUMBER` or `GRID`. Readers also accept other types, and treat them as text. */
  readonly type: string;
  /** Whether each iteration has its own copy. Otherwise, all iterations share one value. */
  readonly copied: boolean;
  readonly columns: readonly string[];
  /** The types of the columns of a grid. Undefined for a scalar. */
  readonly columnTypes?: readonly (string | undefined)[];
  value: string | Grid;
}

/** The variables that a component can use. Variables of its pipeline take precedence over project variables. */
export interface Variables {
  cell(name: string): Cell | undefined;
  /** Sets a scalar variable. Returns the reason if the value is refused. */
  set(name: string, value: string): string | undefined;
  /** Replaces the rows of a grid variable. Returns the reason if the rows are refused. */
  setGrid(name: string, rows: Grid): string | undefined;
  /** Returns the current values of all variables. */
  all(): ReadonlyMap<string, Readonly<Cell>>;
  /** Returns the variables for one iteration, with copies of the variables whose behaviour is COPIED. */
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

/**
 * Creates the variables of an iteration or a called pipeline from the caller's variables. COPIED variables are
 * copied, and the others are shared.
 */
export function forkCells(cells: ReadonlyMap<string, Cell>): Map<string, Cell> {
  return new Map([...cells].map(([name, cell]) => [name, cell.copied ? { ...cell } : cell]));
}

/**
 * Explains why a scalar variable cannot have the value. An empty value means "not set", unless the type is a text.
 * Undefined if it can.
 */
export function refusalOf(cell: Cell, name: string, value: string): string | undefined {
  if (cell.type === 'GRID') return `the variable "${name}" is a grid, so it needs rows, not one value`;
  const fault = valueFault(cell.type, value);
  return fault === undefined ? undefined : `the variable "${name}" ${fault}`;
}

/**
 * Explains why a grid variable cannot have the rows: a row has a number of cells that differs from the number of
 * columns, or a cell does not have the type of its column. Undefined if the variable can have them.
 */
export function gridRefusal(
  { columns, columnTypes = [] }: Cell,
  name: string,
  rows: Grid,
): string | undefined {
  const fault = gridFault({ columns, columnTypes }, rows);
  return fault === undefined ? undefined : `the variable "${name}": ${fault}`;
}
