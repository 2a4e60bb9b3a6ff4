import type { Grid } from '../../lib/pipelines/grid.ts';

/** A value as one or several pipelines see it. */
export interface Cell {
  /** `TEXT`, `NUMBER` or `GRID`; readers accept others and treat them as text. */
  readonly type: string;
  /** A round of an iterator has its own copy; otherwise all see one value. */
  readonly copied: boolean;
  readonly columns: readonly string[];
  value: string | Grid;
}

/** The variables that a component sees: those of its pipeline, and behind them the project's. */
export interface Variables {
  cell(name: string): Cell | undefined;
  /** Sets a scalar; answers why not, or nothing. */
  set(name: string, value: string): string | undefined;
  /** The same variables with copies of those whose scope is COPIED: for one round of an iterator. */
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
    fork: () => createVariables(forkCells(cells)),
  };
}

/** Copies what is COPIED and hands on the rest. */
export function forkCells(cells: ReadonlyMap<string, Cell>): Map<string, Cell> {
  return new Map([...cells].map(([name, cell]) => [name, cell.copied ? { ...cell } : cell]));
}

/** Why a scalar cannot have the value. An empty number is one that has not been set. */
export function refusalOf(cell: Cell, name: string, value: string): string | undefined {
  if (cell.type === 'GRID') return `the variable "${name}" is a grid and takes rows, not one value`;
  if (cell.type === 'NUMBER' && value !== '' && !Number.isFinite(Number(value))) {
    return `the variable "${name}" is a number and cannot be "${value}"`;
  }
  return undefined;
}
