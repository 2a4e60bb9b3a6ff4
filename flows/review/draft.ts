import type { Finding, Severity } from '../../model/finding.ts';
import type { ErrorDetail, EnforcementLevel } from '../../pipelines/rule-result.ts';
import { fingerprints } from '../../pipelines/fingerprint.ts';

/** A finding before it is compared with a baseline. */
export type Draft = Omit<Finding, 'state' | 'fingerprint'>;

/** Only `warn` weighs less: a level that cannot be told fails closed (unknowns §4). */
export function severityOf(level: EnforcementLevel): Severity {
  return level === 'warn' ? 'warning' : 'error';
}

/** A rule that could not be evaluated, on the file and line that are to blame. */
export function draftOfError(
  rule: string,
  level: EnforcementLevel,
  detail: ErrorDetail,
  source: Draft['source'],
): Draft {
  return {
    rule,
    severity: severityOf(level),
    file: detail.file,
    ...detail.range,
    message: `${detail.reason} (${detail.type}).`,
    source,
  };
}

/** Drafts to findings: each fault of the rules file once and not once per pipeline, all of them new. */
export function identify(drafts: readonly Draft[]): readonly Finding[] {
  const seen = new Set<string>();
  const unique = drafts.filter((draft) => {
    if (draft.component !== undefined) return true;
    const key = JSON.stringify([draft.rule, draft.file, draft.line, draft.column, draft.message]);
    return seen.size < seen.add(key).size;
  });
  const prints = fingerprints(unique);
  return unique.map((draft, index): Finding => ({
    ...draft,
    state: 'new',
    fingerprint: prints[index] ?? '',
  }));
}
