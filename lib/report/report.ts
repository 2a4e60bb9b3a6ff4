import type { Finding } from '../core/outcomes/finding.ts';
import type { Outcome } from '../core/outcomes/outcome.ts';

/** A table of a report; all its cells are plain text. */
export interface ReportTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Left out of short forms. */
  readonly isDetail?: boolean | undefined;
}

/** Lines of plain text that must be shown with aligned columns, such as rows side by side. */
export interface ReportBlock {
  readonly title: string;
  readonly lines: readonly string[];
  /** Left out of short forms. */
  readonly isDetail?: boolean | undefined;
}

/**
 * The result of a use case in plain text. Every channel (summary, comment, check run, annotations) renders the same
 * report and treats all its texts as foreign.
 */
export interface Report {
  /** `Review`, `Publish`, … */
  readonly title: string;
  readonly outcome: Outcome;
  /** The result in one sentence. */
  readonly headline: string;
  /** Facts of the use case: label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Most severe first. */
  readonly findings: readonly Finding[];
  readonly tables?: readonly ReportTable[];
  readonly blocks?: readonly ReportBlock[];
  /** Further notes for the reader: one sentence each. */
  readonly notes: readonly string[];
  /** Whether a pull request without a comment gets one. Default: if there are new findings. */
  readonly isNews?: boolean | undefined;
}

/** Whether the report is important enough to create a comment on a pull request that has none. */
export function isNews({ findings, isNews: own }: Report): boolean {
  return own ?? findings.some(({ state }) => state === 'new');
}

/** The facts in one line; empty if there are none. */
export function factLines(facts: Report['facts']): readonly string[] {
  return facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${value}`).join(', ')];
}

/** The report with secrets masked in all texts, so that it can be sent to GitHub. */
export function withoutSecrets(report: Report, redact: (text: string) => string): Report {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
  };
  // Only texts were changed, so the shape is the same.
  return clean(report) as Report;
}
