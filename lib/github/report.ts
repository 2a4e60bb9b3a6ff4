import type { Finding } from '../core/finding.ts';
import type { Outcome } from '../core/outcome.ts';

/** A table of a report; all of its cells are plain text, whatever they hold. */
export interface ReportTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * What a use case has to say, in plain text: every channel (summary, comment, check run, annotations) renders the same
 * report, and every text in it is treated as foreign.
 */
export interface Report {
  /** `Review`, `Publish`, … */
  readonly title: string;
  readonly outcome: Outcome;
  /** One sentence: how it ended. */
  readonly headline: string;
  /** What it was about: label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly tables?: readonly ReportTable[];
  /** What a reader must know beside: one sentence each. */
  readonly notes: readonly string[];
}
