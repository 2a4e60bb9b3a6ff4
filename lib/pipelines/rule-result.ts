import type { Range } from '../core/finding.ts';
import type { ErrorDetailType } from './rules/rule.ts';

/** One thing that breaks a rule, with its place. */
export interface Violation {
  readonly message: string;
  /** Absent where the violation is about the whole file. */
  readonly component?: string;
  readonly range: Range;
  /** What a rule about a number counted. */
  readonly count?: number;
}

export type RuleStatus = 'PASSED' | 'FAILED' | 'ERROR';

/** `unknown` where the rules file gives no level that can be told; it weighs as much as `error` at our own gate. */
export type EnforcementLevel = 'warn' | 'error' | 'unknown';

/** What one rule says of one file (spec §2.8). */
export interface RuleResult {
  readonly ruleName: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly status: RuleStatus;
  /** Present where the rule could not be evaluated. */
  readonly errorDetail?: ErrorDetail;
  /** Empty unless `FAILED`. */
  readonly violations: readonly Violation[];
}

export interface ErrorDetail {
  readonly type: ErrorDetailType;
  /** One sentence in our own words; the platform's answer has only the type. */
  readonly reason: string;
  /** The file that is to blame: the rules file or the pipeline. */
  readonly file: string;
  readonly range: Range;
}
