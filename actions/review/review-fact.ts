import type { Fact } from '../../flows/evidence/sign-facts.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';

/**
 * A review as a fact to sign: numbers of findings, without their texts. Undefined for chosen files only, which say nothing about
 * the others.
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
