import { evaluate } from './evaluate.ts';
import { kindOf } from './pipeline-kind.ts';
import { type PreparedRule, prepareRules, type RulesFileText } from './prepare-rules.ts';
import { readPipeline, unreadPipeline } from './read-pipeline.ts';
import type { RuleResult } from './rule-result.ts';
import type { RuleOptions } from './rules/rule.ts';

/** A pipeline file; without a text it is larger than `maxPipelineBytes`. */
export interface PipelineFile {
  readonly path: string;
  readonly text: string | undefined;
  /** The rules file that holds for it, where it is not that of the input. */
  readonly rulesFile?: RulesFileText;
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
  const prepared = new Map<string, Promise<readonly PreparedRule[]>>();
  const rulesOf = (file: RulesFileText) => {
    const rules = prepared.get(file.path) ?? prepareRules(file, options);
    prepared.set(file.path, rules);
    return rules;
  };
  const results = new Map<string, readonly RuleResult[]>();
  const excludedFiles: string[] = [];
  for (const { path, text, rulesFile: own = rulesFile } of pipelines) {
    if (kindOf(path) === undefined) excludedFiles.push(path);
    else
      results.set(
        path,
        evaluate(await rulesOf(own), text === undefined ? unreadPipeline(path) : readPipeline(path, text)),
      );
  }
  const failed = [...results.values()]
    .flat()
    .some(({ status, enforcementLevel }) => status === 'FAILED' && enforcementLevel === 'error');
  return { reviewStatus: failed ? 'FAILED' : 'PASSED', results, excludedFiles };
}
