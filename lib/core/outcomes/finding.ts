import { compareTexts } from '../text/compare-texts.ts';

/** `error` fails a review by default; `warning` and `notice` only inform. */
export type Severity = 'error' | 'warning' | 'notice';

/** Severities from most to least severe: the order in every report. */
export const severities = ['error', 'warning', 'notice'] as const satisfies readonly Severity[];

/** The state of a finding relative to the recorded baseline. */
export type FindingState = 'new' | 'known' | 'fixed';

/** A range in a file: lines and columns count from 1, the end column is exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** An automatic fix: `text` replaces the range, and every other byte stays unchanged. */
export interface Edit extends Range {
  readonly text: string;
}

/** A problem in one file: the model of every report. Rules and their wording: spec §2.8. */
export interface Finding extends Range {
  /** The rule's id (`component-naming-convention`), or `designer/…` for a rule that could not be evaluated. */
  readonly rule: string;
  readonly severity: Severity;
  /** Path relative to the repository, with forward slashes. */
  readonly file: string;
  /** The affected component; absent if the finding is about the whole file. */
  readonly component?: string;
  /**
   * The affected part of the component: a parameter, a variable, the name of the called pipeline. Part of the
   * identity.
   */
  readonly subject?: string;
  readonly message: string;
  /**
   * Why a rule could not be evaluated: the platform's type, or `millrace/…`. Such a finding may hide other findings,
   * so it never counts as known and cannot be suppressed.
   */
  readonly errorType?: string;
  /** The number that a counting rule found. If it gets worse, the finding is new again. */
  readonly count?: number;
  /** The automatic fix, if there is a certain one. */
  readonly fix?: Edit;
  /** Why `--fix` does not fix this finding although its rule has an automatic fix. A sentence. */
  readonly unfixable?: string;
  /** The origin: the platform's review, or Millrace's own evaluation. */
  readonly source: 'platform' | 'millrace';
  readonly state: FindingState;
  /** Stable identity without line numbers, so it survives moved lines. */
  readonly fingerprint: string;
}

/** Enough digits to be unique among the findings of a project. */
const idLength = 10;

/** The id of a finding for people: the first digits of its fingerprint. It stays when lines move. */
export function findingId({ fingerprint }: Pick<Finding, 'fingerprint'>): string {
  return fingerprint.slice(0, idLength);
}

/** The range of a finding about a whole file. */
export const wholeFile: Range = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** States in the order of every report. */
const states = ['new', 'known', 'fixed'] as const satisfies readonly FindingState[];

/** Orders new before known, most severe first, then by file and position. Limits cut a list in this order. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    states.indexOf(a.state) - states.indexOf(b.state) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compareTexts(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareTexts(a.rule, b.rule) ||
    compareTexts(a.message, b.message)
  );
}
