import type { RowsOutput } from '../components/component-type.ts';

/** A component of a transformation that gives rows, compiled to a part of a SQL statement. */
export interface BoundRows extends RowsOutput {
  /** The component's name. */
  readonly component: string;
  /** Its name in SQL, which the engine makes: components often have the name of the table that they read. */
  readonly sqlName: string;
  /** The bound sources, in any order. */
  readonly sources: readonly BoundRows[];
  /** How many components of the transformation read it. */
  readonly readers: number;
}

/**
 * Writes one SELECT that gives all rows of a component. The components that it reads come first, as common table
 * expressions.
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
