import type { Finding, Range, Severity } from '../../../lib/core/outcomes/finding.ts';
import type { CheckBreach } from '../../../lib/pipelines/checks/breach.ts';
import type { ErrorDetail, EnforcementLevel } from '../../../lib/pipelines/rule-result.ts';
import { fingerprints } from '../../../lib/pipelines/fingerprint.ts';
import type { SourceProblem } from '../../../lib/yaml/read-yaml.ts';

/** A finding before it has a fingerprint and is compared with the baseline. */
export type RawFinding = Omit<Finding, 'state' | 'fingerprint'>;

/**
 * The severity for the platform's level. Only `warn` is a warning; an unknown level counts as an error (unknowns
 * §4).
 */
export function severityOf(level: EnforcementLevel): Severity {
  return level === 'warn' ? 'warning' : 'error';
}

/** Whether a finding is about the whole file and has no position. */
export function isWholeFile({ line, column, endLine, endColumn }: Range): boolean {
  return line === 1 && endLine === 1 && column === endColumn;
}

const weight: Readonly<Record<Severity, number>> = { notice: 0, warning: 1, error: 2 };

/**
 * The rule id of the single finding about a pipeline file that cannot be read, because every rule would report the
 * same.
 */
export const pipelineFileRule = 'pipeline-file';

/** The finding for a rule that could not be evaluated, at the file and line that cause it. */
export function errorFinding(
  rule: string,
  level: EnforcementLevel,
  detail: ErrorDetail,
  source: RawFinding['source'],
): RawFinding {
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

/** The finding about a pipeline that cannot be read, if no rule reports it. */
export function unreadFinding({ message, file, ...range }: SourceProblem): RawFinding {
  const type = 'designer/document-parse-error';
  return errorFinding(pipelineFileRule, 'error', { type, reason: message, file, range }, 'millrace');
}

/**
 * Converts raw findings to findings with fingerprints, all of them new. An error in the rules file is listed once,
 * not for each pipeline; an unreadable file once, not for each rule, with the worst severity.
 */
export function identify(rawFindings: readonly RawFinding[]): readonly Finding[] {
  const byKey = new Map<string | RawFinding, RawFinding>();
  for (const rawFinding of rawFindings) {
    const { rule, file, line, column, message } = rawFinding;
    const key =
      rawFinding.component === undefined ? JSON.stringify([rule, file, line, column, message]) : rawFinding;
    const before = byKey.get(key);
    if (before === undefined || weight[rawFinding.severity] > weight[before.severity])
      byKey.set(key, rawFinding);
  }
  const unique = [...byKey.values()];
  const prints = fingerprints(unique);
  return unique.map((rawFinding, index): Finding => ({
    ...rawFinding,
    state: 'new',
    fingerprint: prints[index] ?? '',
  }));
}

/** The finding for a violation that a check of Millrace found, with the severity in the settings. */
export function breachFinding(
  { check, range, isNotice, ...breach }: CheckBreach,
  setting: Severity,
): RawFinding {
  const severity = isNotice === true ? 'notice' : setting;
  return { rule: `millrace/${check}`, severity, ...breach, ...range, source: 'millrace' };
}
