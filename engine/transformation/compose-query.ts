import type { RowsOutput } from '../components/component-type.ts';

/** A component of a transformation that returns rows, translated to a part of an SQL statement. */
export interface BoundRows extends RowsOutput {
  /** The component's name. */
  readonly component: string;
  /**
   * The component's name in the SQL. The engine generates it, because components often have the name of the table
   * that they read.
   */
  readonly sqlName: string;
  /** The translated source components, in any order. */
  readonly sources: readonly BoundRows[];
  /** The number of components of the transformation that read from this component. */
  readonly readers: number;
}

/**
 * Writes a single SELECT that returns all rows of a component. The components that it reads from come first, as
 * common table expressions.
 */
export function composeQuery(last: BoundRows): string {
  const parts: string[] = [];
  const seen = new Set<BoundRows>();
  const add = (bound: BoundRows): void => {
    if (seen.has(bound)) return;
    seen.add(bound);
    for (const source of bound.sources) add(source);
    // If two components read the rows, they are computed once.
    const materialized = bound.readers > 1 ? 'MATERIALIZED' : 'NOT MATERIALIZED';
    parts.push(`${bound.sqlName} AS ${materialized} (${bound.sql})`);
  };
  add(last);
  return `WITH ${parts.join(', ')} SELECT * FROM ${last.sqlName}`;
}
