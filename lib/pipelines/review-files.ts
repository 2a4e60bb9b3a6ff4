import type { TextFault } from '../core/files/decode-text.ts';
import { evaluate } from './evaluate.ts';
import { kindOf } from './model/pipeline-kind.ts';
import { type PreparedRule, prepareRules, type RulesFileText } from './prepare-rules.ts';
import {
  decodePipeline,
  type PipelineDocument,
  readPipeline,
  unreadPipeline,
} from './model/read-pipeline.ts';
import type { RuleResult } from './rule-result.ts';
import type { RuleOptions } from './rules/rule.ts';

/** A pipeline file. Without a text and a fault, it is larger than `maxPipelineBytes`. */
export interface PipelineFile {
  readonly path: string;
  readonly text: string | undefined;
  /** Why its bytes are not text. */
  readonly fault?: TextFault | undefined;
  /** The rules file for this pipeline, if it differs from the rules file of the input. */
  readonly rulesFile?: RulesFileText;
}

export interface ReviewInput extends RuleOptions {
  /** Without a text every file gets `designer/rules-file-retrieval-error`. */
  readonly rulesFile: RulesFileText;
  readonly pipelines: Iterable<PipelineFile>;
}

export interface Review {
  /** `FAILED` only if a rule with `error` enforcement failed (spec §2.8). */
  readonly reviewStatus: 'PASSED' | 'FAILED';
  /** By path, in the order of the input. */
  readonly results: ReadonlyMap<string, readonly RuleResult[]>;
  /** Files that do not have the suffix of a pipeline. */
  readonly excludedFiles: readonly string[];
}

/**
 * Reviews pipeline files against a rules file. The local platform uses the messages; the local review also uses the
 * positions. Never throws because of the content of files.
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
  for (const { path, text, fault, rulesFile: pipelineRules = rulesFile } of pipelines) {
    if (kindOf(path) === undefined) excludedFiles.push(path);
    else results.set(path, evaluate(await rulesOf(pipelineRules), documentOf(path, text, fault)));
  }
  const failed = [...results.values()]
    .flat()
    .some(({ status, enforcementLevel }) => status === 'FAILED' && enforcementLevel === 'error');
  return { reviewStatus: failed ? 'FAILED' : 'PASSED', results, excludedFiles };
}

function documentOf(path: string, text: string | undefined, fault: TextFault | undefined): PipelineDocument {
  if (fault !== undefined) return decodePipeline(path, { fault });
  return text === undefined ? unreadPipeline(path) : readPipeline(path, text);
}
