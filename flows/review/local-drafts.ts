import type { RuleResult } from '../../lib/pipelines/rule-result.ts';
import { type Draft, draftOfError, severityOf } from './draft.ts';

/** What our own evaluation says of one file. */
export function localDrafts(file: string, results: readonly RuleResult[]): Draft[] {
  return results.flatMap((result) => {
    const { ruleName, enforcementLevel, status, errorDetail, violations } = result;
    if (status === 'ERROR' && errorDetail !== undefined)
      return [draftOfError(ruleName, enforcementLevel, errorDetail, 'millrace')];
    return violations.map(({ message, component, range, count }) => ({
      rule: ruleName,
      severity: severityOf(enforcementLevel),
      file,
      ...range,
      ...(component === undefined ? {} : { component }),
      ...(count === undefined ? {} : { count }),
      message,
      source: 'millrace' as const,
    }));
  });
}
