/** How much a finding weighs. `error` counts against the gate by default, `warning` and `notice` inform. */
export type Severity = 'error' | 'warning' | 'notice';

/** Severities from the worst to the mildest: the order of every report. */
export const severities = ['error', 'warning', 'notice'] as const satisfies readonly Severity[];

/** Where a finding stands against the recorded baseline. */
export type FindingState = 'new' | 'known' | 'fixed';

/** A range in a file: lines and columns count from 1, the end column is exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A mend that is sure: this text in place of the range, and every other byte as it is. */
export interface Edit extends Range {
  readonly text: string;
}

/**
 * One thing that is wrong (or worth saying) about one file: the model that every report is made from.
 * Rules and their wording: spec §2.8.
 */
export interface Finding extends Range {
  /** The rule's id (`component-naming-convention`), or `designer/…` for a rule that could not be evaluated. */
  readonly rule: string;
  readonly severity: Severity;
  /** Path relative to the repository, with forward slashes. */
  readonly file: string;
  /** The component that the finding is about; absent where it is about the whole file. */
  readonly component?: string;
  /** What exactly in the component: a parameter, a variable, the name of what is called. Part of the identity. */
  readonly subject?: string;
  readonly message: string;
  /**
   * Why a rule could not be evaluated: the platform's type, or `millrace/…`. Nobody knows what such a finding hides, so
   * it is never known and never suppressed.
   */
  readonly errorType?: string;
  /** What a rule about a number counted; one that got worse is not known any more. */
  readonly count?: number;
  /** How it is mended, where that is sure. */
  readonly fix?: Edit;
  /** Why `--fix` leaves this one alone, where its rule has an automatic fix. A sentence. */
  readonly unfixable?: string;
  /** Who found it: the platform's review, or Millrace's own evaluation. */
  readonly source: 'platform' | 'millrace';
  readonly state: FindingState;
  /** Stable identity without line numbers; survives moved lines. */
  readonly fingerprint: string;
}

/** The range that stands for a whole file. */
export const wholeFile: Range = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** States in the order of every report. */
const states = ['new', 'known', 'fixed'] as const satisfies readonly FindingState[];

/** New before known, worst first, then by file and position: the order in which caps may cut a list. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    states.indexOf(a.state) - states.indexOf(b.state) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.rule, b.rule) ||
    compareText(a.message, b.message)
  );
}

/** Code-unit order: the same on every machine, unlike `localeCompare`. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
