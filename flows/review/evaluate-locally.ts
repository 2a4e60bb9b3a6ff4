import type { Snapshot } from '../../git/snapshot.ts';
import { evaluate } from '../../pipelines/evaluate.ts';
import { kindOf } from '../../pipelines/pipeline-kind.ts';
import { prepareRules } from '../../pipelines/prepare-rules.ts';
import { readPipeline } from '../../pipelines/read-pipeline.ts';
import type { RuleResult } from '../../pipelines/rule-result.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

export interface LocalEvaluation {
  readonly results: ReadonlyMap<string, readonly RuleResult[]>;
  readonly excluded: readonly string[];
  readonly rulesFile: string;
}

/** How many files are held at a time: a project may have ten thousand. */
const batchSize = 100;

/** The quality rules, evaluated here on the files of the snapshot with the rules file of the same snapshot. */
export async function evaluateLocally(
  { directory, configDir }: Pick<ReviewRequest, 'directory' | 'configDir'>,
  snapshot: Snapshot,
  paths: readonly string[],
): Promise<LocalEvaluation> {
  const rulesFile = inRepository(directory, rulesFilePath(configDir));
  const text = (await snapshot.readFiles([rulesFile])).get(rulesFile)?.toString('utf8');
  const rules = prepareRules(text === undefined ? undefined : { path: rulesFile, text });
  const results = new Map<string, readonly RuleResult[]>();
  const pipelines = paths.filter((path) => kindOf(path) !== undefined);
  for (let start = 0; start < pipelines.length; start += batchSize) {
    const batch = pipelines.slice(start, start + batchSize);
    const texts = await snapshot.readFiles(batch);
    for (const path of batch) {
      results.set(path, evaluate(rules, readPipeline(path, texts.get(path)?.toString('utf8') ?? '')));
    }
  }
  return { results, excluded: paths.filter((path) => kindOf(path) === undefined), rulesFile };
}
