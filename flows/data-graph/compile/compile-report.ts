import type { Place, TableName } from '../../../engine/index.ts';
import type { AcceptEntry, CompileRule } from '../../../lib/config/project/compile-schema.ts';
import type { Severity } from '../../../lib/core/outcomes/finding.ts';
import type { BaselineEntry } from '../../findings/baseline.ts';
import type { Definition } from '../bind/table-definitions.ts';

/** A place that belongs to a finding elsewhere, such as a reader. */
export interface RelatedPlace extends Place {
  readonly pipeline: string;
  readonly component: string;
}

/** Whether the findings of a rule are about a change; then `related` contains the readers. */
export function isAboutChange(rule: CompileRule): boolean {
  return rule === 'breaking-change' || rule === 'changed-type';
}

/** The place where a table is created or altered. */
export function definitionPlace({ pipeline, component, place }: Definition): RelatedPlace {
  const { file, line, column } = place;
  return { file, line, column, pipeline, component };
}

/** Something that fails in every run that reaches it, or that two files contradict each other about. */
export interface CompileFinding extends Place {
  readonly rule: CompileRule;
  /** A warning: what the engine refuses may work in the warehouse. A notice: nothing fails. */
  readonly severity: Severity;
  /** The path of the pipeline; of a test, the pipeline that it tests. */
  readonly pipeline: string;
  readonly component?: string;
  /** The tables that it may be about. */
  readonly tables: readonly TableName[];
  readonly columnName?: string | undefined;
  /** What it is about in its component, without places: part of its identity. */
  readonly subject: string;
  readonly message: string;
  /** The readers of a changed table, or the components that define a read one. */
  readonly related: readonly RelatedPlace[];
}

/** A finding after the settings of the project were applied. */
export interface ConcludedFinding extends CompileFinding {
  /** `known`: the baseline has it. */
  readonly state: 'new' | 'known';
  /** Stable identity without line numbers. */
  readonly fingerprint: string;
}

/** An entry of `compile.accept` with the findings that it matches. */
export interface AcceptedFindings extends AcceptEntry {
  /** Its last day is over, so that its findings count. */
  readonly isExpired: boolean;
  /** It matches nothing, and would if it were needed. */
  readonly isUseless: boolean;
  readonly findings: readonly ConcludedFinding[];
}

/** A table that no component of the project creates, or only components that cannot be bound. */
export interface OutsideTable {
  readonly table: TableName;
  /** How many components read it. */
  readonly reads: number;
  /** Whether its columns are known, from a test or a file of schemas. */
  readonly isKnown: boolean;
  /**
   * How many reads become bound at most if the table is declared: also the reads of tables that are computed from it, by components that
   * wait for nothing else.
   */
  readonly binds: number;
}

export interface UnknownReason {
  readonly reason: string;
  readonly count: number;
  /** The first component with the reason. */
  readonly example: RelatedPlace;
}

export interface CompileReport {
  /** In the order of files and lines, without accepted ones. */
  readonly findings: readonly ConcludedFinding[];
  /** In the order of `millrace.yaml`. */
  readonly accepted: readonly AcceptedFindings[];
  /** What a new baseline would have. */
  readonly nextBaseline: readonly BaselineEntry[];
  readonly pipelines: number;
  /** How many of the pipelines could not be read. */
  readonly unreadable: number;
  /** How many components read a table, and how many of these could be bound. */
  readonly reads: { readonly bound: number; readonly total: number };
  /** Only calls and tables were checked, so that no read is bound. */
  readonly withoutColumns?: true | undefined;
  /** The most frequent first. */
  readonly unknown: readonly UnknownReason[];
  /** First the one whose declaration would bind most reads. */
  readonly outside: readonly OutsideTable[];
}
