import { rulesFileRule } from '../../../lib/pipelines/prepare-rules.ts';
import type { ProjectChecks } from './check-project.ts';
import type { PathRules } from './path-rules.ts';
import { pipelineFileRule } from './raw-finding.ts';

/** Tells whether a rule or check was evaluated on a file, so that a missing finding means that it is fixed. */
export type RuleCoverage = (rule: string, file: string) => boolean;

/** One rule's result on one file, of the local or the platform's evaluation. */
interface RuleRun {
  readonly ruleName: string;
  readonly status: string;
}

/** Derives the coverage from the results. A disabled rule, or one that could not be evaluated, covers nothing. */
export function ruleCoverage(
  results: ReadonlyMap<string, readonly RuleRun[]>,
  rulesFileOf: (path: string) => string,
  checks: Pick<ProjectChecks, 'covers' | 'reads'>,
  { severityIn }: Pick<PathRules, 'severityIn'>,
): RuleCoverage {
  const read = ([, runs]: readonly [string, readonly RuleRun[]]) =>
    runs.every(({ ruleName }) => ruleName !== rulesFileRule);
  const rulesRead = new Set(Array.from([...results].filter(read), ([path]) => rulesFileOf(path)));
  const evaluated = ({ status }: RuleRun) => ['PASSED', 'FAILED'].includes(status.toUpperCase());
  return (rule, file) => {
    if (rulesRead.has(file)) return true;
    if (rule.startsWith('millrace/')) return checks.covers(rule.slice('millrace/'.length), file);
    if (severityIn(rule, file) === 'off') return false;
    const all = results.get(file) ?? [];
    if (rule === pipelineFileRule && results.has(file) && all.length === 0) return checks.reads(file);
    const runs = all.filter(evaluated);
    return runs.some(({ ruleName }) => rule === pipelineFileRule || ruleName === rule);
  };
}
