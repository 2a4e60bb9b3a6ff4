import type { Review } from '../../lib/pipelines/review-files.ts';
import type { RuleResult } from '../../lib/pipelines/rule-result.ts';

/** The answer of spec §2.8, ready to send: messages without positions. */
export interface CommitReview {
  readonly reviewStatus: 'PASSED' | 'FAILED';
  readonly results: Readonly<Record<string, readonly RuleAnswer[]>>;
  readonly excludedFiles: readonly string[];
}

export interface RuleAnswer {
  readonly ruleName: string;
  readonly status: 'PASSED' | 'FAILED' | 'ERROR';
  /** Present when the status is `ERROR`. */
  readonly errorDetail?: { readonly type: string };
  /** Present when the status is `FAILED`. */
  readonly violations?: readonly string[];
}

export function answerOf({ reviewStatus, results, excludedFiles }: Review): CommitReview {
  return {
    reviewStatus,
    results: Object.fromEntries([...results].map(([path, rules]) => [path, rules.map(ruleAnswer)])),
    excludedFiles,
  };
}

function ruleAnswer({ ruleName, status, errorDetail, violations }: RuleResult): RuleAnswer {
  return {
    ruleName,
    status,
    ...(errorDetail === undefined ? {} : { errorDetail: { type: errorDetail.type } }),
    ...(violations.length === 0 ? {} : { violations: violations.map(({ message }) => message) }),
  };
}
