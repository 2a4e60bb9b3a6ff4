import type { Finding, Severity } from '../../lib/core/finding.ts';
import type { ErrorDetail, EnforcementLevel } from '../../lib/pipelines/rule-result.ts';
import { fingerprints } from '../../lib/pipelines/fingerprint.ts';

/** A finding before it is compared with a baseline. */
export type Draft = Omit<Finding, 'state' | 'fingerprint'>;

/** Only `warn` weighs less: a level that cannot be told fails closed (unknowns §4). */
export function severityOf(level: EnforcementLevel): Severity {
  return level === 'warn' ? 'warning' : 'error';
}

const weight: Readonly<Record<Severity, number>> = { notice: 0, warning: 1, error: 2 };

/** The rule of the one finding of a pipeline file that cannot be read: every rule of the file says the same. */
export const pipelineFileRule = 'pipeline-file';

/** A rule that could not be evaluated, on the file and line that are to blame. */
export function draftOfError(
  rule: string,
  level: EnforcementLevel,
  detail: ErrorDetail,
  source: Draft['source'],
): Draft {
  return {
    rule: detail.type === 'designer/document-parse-error' ? pipelineFileRule : rule,
    severity: severityOf(level),
    file: detail.file,
    ...detail.range,
    message: `${detail.reason} (${detail.type}).`,
    errorType: detail.type,
    source,
  };
}

/**
 * Drafts to findings, all of them new: each fault of the rules file once and not once per pipeline, each unreadable
 * file once and not once per rule, at the worst of the severities.
 */
export function identify(drafts: readonly Draft[]): readonly Finding[] {
  const found = new Map<string | Draft, Draft>();
  for (const draft of drafts) {
    const { rule, file, line, column, message } = draft;
    const key = draft.component === undefined ? JSON.stringify([rule, file, line, column, message]) : draft;
    const before = found.get(key);
    if (before === undefined || weight[draft.severity] > weight[before.severity]) found.set(key, draft);
  }
  const unique = [...found.values()];
  const prints = fingerprints(unique);
  return unique.map((draft, index): Finding => ({
    ...draft,
    state: 'new',
    fingerprint: prints[index] ?? '',
  }));
}
