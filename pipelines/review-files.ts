import { evaluate } from './evaluate.ts';
import { kindOf } from './pipeline-kind.ts';
import { prepareRules, type RulesFileText } from './prepare-rules.ts';
import { readPipeline, unreadPipeline } from './read-pipeline.ts';
import type { RuleResult } from './rule-result.ts';
import type { RuleOptions } from './rules/rule.ts';

/** A pipeline file; without a text it is larger than `mostBytes`. */
export interface PipelineFile {
  readonly path: string;
  readonly text: string | undefined;
}

export interface ReviewInput extends RuleOptions {
  /** Without a text every file gets `designer/rules-file-retrieval-error`. */
  readonly rulesFile: RulesFileText;
  readonly pipelines: Iterable<PipelineFile>;
}

export interface Review {
  /** `FAILED` where a rule with `error` enforcement failed, and only there (spec §2.8). */
  readonly reviewStatus: 'PASSED' | 'FAILED';
  /** By path, in the order given. */
  readonly results: ReadonlyMap<string, readonly RuleResult[]>;
  /** Files that are no pipelines by their suffix. */
  readonly excludedFiles: readonly string[];
}

/**
 * Reviews pipeline files against a rules file: the evaluation behind both the local platform, which hands out the
 * messages, and the local review, which also uses the places. Never throws for what files hold.
 */
export async function reviewFiles({ rulesFile, pipelines, ...options }: ReviewInput): Promise<Review> {
  const rules = await prepareRules(rulesFile, options);
  const results = new Map<string, readonly RuleResult[]>();
  const excludedFiles: string[] = [];
  for (const { path, text } of pipelines) {
    if (kindOf(path) === undefined) excludedFiles.push(path);
    else
      results.set(
        path,
        evaluate(rules, text === undefined ? unreadPipeline(path) : readPipeline(path, text)),
      );
  }
  const failed = [...results.values()]
    .flat()
    .some(({ status, enforcementLevel }) => status === 'FAILED' && enforcementLevel === 'error');
  return { reviewStatus: failed ? 'FAILED' : 'PASSED', results, excludedFiles };
}
