import type { RuleResult } from '../../../lib/pipelines/rule-result.ts';
import { type RawFinding, errorFinding, severityOf } from './raw-finding.ts';

/** The raw findings of the local evaluation of one file. */
export function localRawFindings(file: string, results: readonly RuleResult[]): RawFinding[] {
  return results.flatMap((result) => {
    const { ruleName, enforcementLevel, status, errorDetail, violations } = result;
    if (status === 'ERROR' && errorDetail !== undefined)
      return [errorFinding(ruleName, enforcementLevel, errorDetail, 'millrace')];
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
