import type { Fact } from '../../flows/evidence/sign-facts.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';

/**
 * A review as a fact to sign: the numbers of findings, without their texts. Undefined for a review of chosen files,
 * which says nothing about the others.
 */
export function reviewFact(
  { outcome, source, reviewed, counts }: ReviewReport,
  { scope, files }: Pick<ReviewRequest, 'scope' | 'files'>,
): Fact | undefined {
  if (files !== undefined) return undefined;
  const { error, warning, notice } = counts;
  return {
    kind: 'review',
    predicate: {
      outcome: outcome === 'failed' ? 'failed' : 'passed',
      by: source,
      scope,
      pipelines: reviewed.length,
      findings: { error, warning, notice },
    },
  };
}
