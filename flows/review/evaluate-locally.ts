import type { Snapshot } from '../../git/snapshot.ts';
import { evaluate } from '../../pipelines/evaluate.ts';
import { kindOf } from '../../pipelines/pipeline-kind.ts';
import { prepareRules } from '../../pipelines/prepare-rules.ts';
import { mostBytes, type PipelineDocument } from '../../pipelines/read-pipeline.ts';
import type { RuleResult } from '../../pipelines/rule-result.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import { readPipelines } from './read-pipelines.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

export interface LocalEvaluation {
  readonly results: ReadonlyMap<string, readonly RuleResult[]>;
  readonly excluded: readonly string[];
  readonly rulesFile: string;
}

/** The quality rules, evaluated here on the files of the snapshot with the rules file of the same snapshot; `look` sees each. */
export async function evaluateLocally(
  { directory, configDir }: Pick<ReviewRequest, 'directory' | 'configDir'>,
  snapshot: Snapshot,
  paths: readonly string[],
  look: (document: PipelineDocument) => void,
): Promise<LocalEvaluation> {
  const rulesFile = inRepository(directory, rulesFilePath(configDir));
  const text = (await snapshot.readFiles([rulesFile], mostBytes)).get(rulesFile)?.toString('utf8');
  const unread = snapshot.unread.get(rulesFile);
  const rules = await prepareRules({ path: rulesFile, text, unread });
  const results = new Map<string, readonly RuleResult[]>();
  const pipelines = paths.filter((path) => kindOf(path) !== undefined);
  for await (const document of readPipelines(snapshot, pipelines)) {
    results.set(document.path, evaluate(rules, document));
    look(document);
  }
  return { results, excluded: paths.filter((path) => kindOf(path) === undefined), rulesFile };
}
