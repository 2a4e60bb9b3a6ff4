import type * as fc from 'fast-check';
import { type Shape, shapes } from './random-tables.ts';

/** A component as its file has it. */
export interface Component {
  readonly type: string;
  readonly sources?: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A transformation, and independent SQL for the same result: written for the meaning, not from the engine's text. */
export interface DifferentialCase {
  /** Maps names to components, in the order of the file. Without `result`, the last one is written to `output`. */
  readonly components: Readonly<Record<string, Component>>;
  /** The table or view to compare. Default: `output`. */
  readonly result?: string;
  /** Statements of PostgreSQL that come before `query`. */
  readonly statements?: string;
  /** A query of PostgreSQL with the same columns in the same order. */
  readonly query: string;
  /** Some rows are an error, in both. */
  readonly mayFail?: true;
}

/** Random cases of one kind. */
export interface CaseKind {
  readonly title: string;
  /** The component types that they compare. */
  readonly types: readonly string[];
  /** The tables that exist before. */
  readonly tables: Readonly<Record<string, Shape>>;
  readonly cases: fc.Arbitrary<DifferentialCase>;
}

export type ColumnName = keyof (typeof shapes)['plain'];

export const plainColumns = Object.keys(shapes.plain) as readonly ColumnName[];

/** A reader of a table, by default of all columns of `plain`. */
export function read(table: string, columns: readonly string[] = plainColumns): Component {
  return { type: 'table-input', parameters: { targetTable: table, columnNames: columns } };
}

/** A reader of a whole table, whose name is the component's too, as in most files. */
export function readAll(table: string, shape: Shape): Readonly<Record<string, Component>> {
  return { [table]: read(table, Object.keys(shapes[shape])) };
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteAll(names: readonly string[], alias = ''): string {
  return names.map((name) => `${alias}${quote(name)}`).join(', ');
}

export function yesNo(is: boolean): string {
  return is ? 'Yes' : 'No';
}
