import type { CheckId, RuleId, RuleOverride } from '../../../lib/config/project/review-schema.ts';
import { compileGlob } from '../../../lib/core/files/glob.ts';
import type { Severity } from '../../../lib/core/outcomes/finding.ts';
import { evaluate } from '../../../lib/pipelines/evaluate.ts';
import type { PreparedRule } from '../../../lib/pipelines/prepare-rules.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { RuleResult } from '../../../lib/pipelines/rule-result.ts';
import { withLimit } from '../../../lib/pipelines/with-limit.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { localRawFindings } from './local-raw-findings.ts';
import type { RawFinding } from './raw-finding.ts';
import type { ReviewRequest } from '../scope/review-request.ts';

/** The severities and limits that `review.overrides` sets for some files. */
export interface PathRules {
  /** Undefined if no override sets the severity. A check is named with `millrace/`. */
  severityIn(rule: string, file: string): Severity | 'off' | undefined;
  /** Whether an override gives a check a severity in any file. */
  mayEnable(check: CheckId): boolean;
  /** The results of the rules that have another limit in this file. */
  evaluateLimits(rules: readonly PreparedRule[], document: PipelineDocument): readonly RuleResult[];
}

/** The overrides for a file. If several overrides match it, the last one that sets a value applies. */
export function pathRules({
  overrides = [],
  directory,
}: Pick<ReviewRequest, 'overrides' | 'directory'>): PathRules {
  const prefix = inRepository(directory, '');
  const matchers = overrides.map(({ files, rules }) => {
    const globs = files.map((glob) => compileGlob(glob));
    const matches = (file: string) =>
      file.startsWith(prefix) && globs.some((fits) => fits(file.slice(prefix.length)));
    return { matches, rules };
  });
  const find = <Value>(
    rule: string,
    file: string,
    valueOf: (override: RuleOverride) => Value | undefined,
  ) => {
    const id = rule.replace(/^millrace\//, '') as CheckId | RuleId;
    const matching = matchers.filter((matcher) => matcher.rules[id] !== undefined && matcher.matches(file));
    return matching
      .map(({ rules }) => rules[id] && valueOf(rules[id]))
      .findLast((value) => value !== undefined);
  };
  return {
    severityIn: (rule, file) => find(rule, file, ({ severity }) => severity),
    mayEnable: (check) => overrides.some(({ rules }) => (rules[check]?.severity ?? 'off') !== 'off'),
    evaluateLimits(rules, document) {
      if (matchers.length === 0) return [];
      const limited = rules.flatMap((rule) => {
        const limit = find(rule.ruleName, document.path, (override) => override.limit);
        return limit === undefined ? [] : (withLimit(rule, limit) ?? []);
      });
      return limited.length === 0 ? [] : evaluate(limited, document);
    },
  };
}

/** Findings with the limits and severities that apply to their files. */
export interface AdjustedFindings {
  readonly rawFindings: readonly RawFinding[];
  /** Whether an error of the platform was dropped or lowered. */
  readonly excused: boolean;
}

/**
 * Applies the overrides to the findings of the platform's rules. `limits`: the results with other limits, by file.
 * A rule that could not be evaluated keeps its error.
 */
export function adjustFindings(
  findings: readonly RawFinding[],
  { severityIn }: PathRules,
  limits: ReadonlyMap<string, readonly RuleResult[]>,
): AdjustedFindings {
  const isLimited = ({ rule, file, errorType }: RawFinding) =>
    errorType === undefined && limits.get(file)?.some(({ ruleName }) => ruleName === rule) === true;
  const limited = [
    ...findings.filter((finding) => !isLimited(finding)),
    ...[...limits].flatMap(([file, results]) => localRawFindings(file, results)),
  ];
  const rawFindings = limited.flatMap((finding) => {
    const severity = finding.errorType === undefined ? severityIn(finding.rule, finding.file) : undefined;
    if (severity === 'off') return [];
    return severity === undefined ? [finding] : [{ ...finding, severity }];
  });
  const errors = (list: readonly RawFinding[]) => list.filter(({ severity }) => severity === 'error').length;
  return { rawFindings, excused: errors(rawFindings) < errors(findings) };
}
