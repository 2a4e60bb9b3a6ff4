import type { Place, TableName } from '../../engine/index.ts';
import type { Definition } from './project-tables.ts';

/** What a finding is about. */
export const compileRules = [
  'breaking-change',
  'missing-table',
  'missing-column',
  'ambiguous-column',
  'cannot-run',
  'given-column',
] as const;

export type CompileRule = (typeof compileRules)[number];

/** Something in another place that belongs to a finding. */
export interface RelatedPlace extends Place {
  readonly pipeline: string;
  readonly component: string;
}

/** Where a table is defined. */
export function definitionPlace({ pipeline, component, place }: Definition): RelatedPlace {
  const { file, line, column } = place;
  return { file, line, column, pipeline, component };
}

/** Something that fails in every run that reaches it. */
export interface CompileFinding extends Place {
  readonly rule: CompileRule;
  /** A warning: what the engine refuses may work in the warehouse. */
  readonly severity: 'error' | 'warning';
  /** The path of the pipeline; of a test, the pipeline that it tests. */
  readonly pipeline: string;
  readonly component?: string;
  readonly message: string;
  /** The readers of a changed table, or the components that define a read one. */
  readonly related: readonly RelatedPlace[];
}

/** A table that no pipeline of the project creates. */
export interface OutsideTable {
  readonly table: TableName;
  /** How many components read it. */
  readonly reads: number;
  /** Whether its columns are known, from a test or a file of schemas. */
  readonly isKnown: boolean;
}

export interface UnknownReason {
  readonly reason: string;
  readonly count: number;
  /** The first component with the reason. */
  readonly example: RelatedPlace;
}

export interface CompileReport {
  /** In the order of files and lines. */
  readonly findings: readonly CompileFinding[];
  readonly pipelines: number;
  /** How many components read a table, and how many of these could be bound. */
  readonly reads: { readonly bound: number; readonly total: number };
  /** The most frequent first. */
  readonly unknown: readonly UnknownReason[];
  /** The one with most reads first. */
  readonly outside: readonly OutsideTable[];
}
