import type { Severity } from '../core/outcomes/finding.ts';

/** A pipeline of a project, or the target of a call outside of it. */
export interface DrawnPipeline {
  /** The path, relative to the project. */
  readonly name: string;
  readonly kind: 'orchestration' | 'transformation' | 'streaming' | 'foreign' | 'missing';
  /** True if no pipeline of the project calls it: it is started from outside, or never. */
  readonly entry: boolean;
  /** The stable id under which other projects call it. */
  readonly sharedId?: string | undefined;
  /** The worst of its findings. */
  readonly worst?: Severity | undefined;
}

/** A table or view. */
export interface DrawnTable {
  /** `DATABASE.SCHEMA.TABLE`. */
  readonly name: string;
  /** The name without what the defaults of the environment add. */
  readonly label: string;
}

/** A component of a pipeline. */
export interface DrawnPlace {
  readonly component: string;
  /** The file: of the pipeline, or of its script. */
  readonly file: string;
  readonly line: number;
}

export interface DrawnCall {
  readonly from: string;
  readonly to: string;
}

/**
 * The effects of components on tables: `writes` adds rows, `changes` updates or removes rows, `alters` changes
 * columns.
 */
export const tableEffects = ['reads', 'creates', 'writes', 'changes', 'alters', 'drops'] as const;

export interface DrawnUse extends DrawnPlace {
  readonly pipeline: string;
  /** The whole name of the table. */
  readonly table: string;
  readonly effect: (typeof tableEffects)[number];
}

/** The pipelines of a project with their calls and the tables that they use. */
export interface DrawnGraph {
  readonly nodes: readonly DrawnPipeline[];
  readonly calls: readonly DrawnCall[];
  readonly tables: readonly DrawnTable[];
  readonly uses: readonly DrawnUse[];
}
