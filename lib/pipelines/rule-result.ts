import type { Range } from '../core/outcomes/finding.ts';
import type { ErrorDetailType } from './rules/rule.ts';

/** One violation of a rule, with its position. */
export interface Violation {
  readonly message: string;
  /** Absent if the violation is about the whole file. */
  readonly component?: string;
  readonly range: Range;
  /** The number that a counting rule found. */
  readonly count?: number;
}

export type RuleStatus = 'PASSED' | 'FAILED' | 'ERROR';

/** The level of a rule. `unknown`: the rules file has no valid level, and the review treats it as `error`. */
export type EnforcementLevel = 'warn' | 'error' | 'unknown';

/** The result of one rule for one file (spec §2.8). */
export interface RuleResult {
  readonly ruleName: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly status: RuleStatus;
  /** Present if the rule could not be evaluated. */
  readonly errorDetail?: ErrorDetail;
  /** Empty unless `FAILED`. */
  readonly violations: readonly Violation[];
}

export interface ErrorDetail {
  readonly type: ErrorDetailType;
  /** One sentence of Millrace; the platform's answer has only the type. */
  readonly reason: string;
  /** The file with the error: the rules file or the pipeline. */
  readonly file: string;
  readonly range: Range;
}
