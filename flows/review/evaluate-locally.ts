import type { Snapshot } from '../../lib/git/snapshot.ts';
import { evaluate } from '../../lib/pipelines/evaluate.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { type PreparedRule, prepareRules } from '../../lib/pipelines/prepare-rules.ts';
import { maxPipelineBytes, type PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import type { RuleResult } from '../../lib/pipelines/rule-result.ts';
import { folderOf, rulesFileFor } from '../../lib/pipelines/rules-file.ts';
import { readPipelines } from './read-pipelines.ts';
import type { ReviewRequest } from './review-request.ts';

export interface LocalEvaluation {
  readonly results: ReadonlyMap<string, readonly RuleResult[]>;
  readonly excluded: readonly string[];
  /** Path of the rules file that applies to a pipeline. */
  readonly rulesFileOf: (path: string) => string;
}

/**
 * Evaluates the quality rules locally on the files of the snapshot, each with the rules file of the same snapshot
 * that applies to it. Calls `onDocument` with each pipeline.
 */
export async function evaluateLocally(
  { configDir }: Pick<ReviewRequest, 'configDir'>,
  snapshot: Snapshot,
  paths: readonly string[],
  onDocument: (document: PipelineDocument) => void,
): Promise<LocalEvaluation> {
  const pipelines = paths.filter((path) => kindOf(path) !== undefined);
  const existing = new Set((await snapshot.list()).map(({ path }) => path));
  const rulesFileOf = (path: string) => rulesFileFor(folderOf(path), (file) => existing.has(file), configDir);
  const rules = await prepareAll([...new Set(pipelines.map(rulesFileOf))], snapshot);
  const results = new Map<string, readonly RuleResult[]>();
  for await (const document of readPipelines(snapshot, pipelines)) {
    results.set(document.path, evaluate(rules.get(rulesFileOf(document.path)) ?? [], document));
    onDocument(document);
  }
  return { results, excluded: paths.filter((path) => kindOf(path) === undefined), rulesFileOf };
}

async function prepareAll(
  rulesFiles: readonly string[],
  snapshot: Snapshot,
): Promise<ReadonlyMap<string, readonly PreparedRule[]>> {
  const texts = await snapshot.readFiles(rulesFiles, maxPipelineBytes);
  const prepared = rulesFiles.map(async (path) => {
    const rules = await prepareRules({
      path,
      text: texts.get(path)?.toString('utf8'),
      unread: snapshot.unread.get(path),
    });
    return [path, rules] as const;
  });
  return new Map(await Promise.all(prepared));
}
