import { setImmediate } from 'node:timers/promises';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { evaluate } from '../../../lib/pipelines/evaluate.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { RuleResult } from '../../../lib/pipelines/rule-result.ts';
import {
  readSuppressionComments,
  type SuppressionComment,
} from '../../../lib/pipelines/model/suppression-comments.ts';
import type { CommentsByFile } from './comment-suppressions.ts';
import { pathRules } from './path-rules.ts';
import { readPipelines } from '../scope/read-pipelines.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import { prepareRulesOf } from './rules-of-files.ts';

export interface LocalEvaluation {
  readonly results: ReadonlyMap<string, readonly RuleResult[]>;
  readonly excluded: readonly string[];
  /** The results of rules that have another limit in a file, by file. */
  readonly limits: ReadonlyMap<string, readonly RuleResult[]>;
  /** The comments in these pipelines that suppress findings. */
  readonly comments: CommentsByFile;
  /** Path of the rules file that applies to a pipeline. */
  readonly rulesFileOf: (path: string) => string;
}

/**
 * Evaluates the quality rules on the files of the snapshot, on this machine. For each file, the rules file of the
 * same snapshot applies. Calls `onDocument` with each pipeline. Throws the signal's reason between two pipelines;
 * the checks also throw it inside a pipeline.
 */
export async function evaluateLocally(
  { configDir, overrides, directory }: Pick<ReviewRequest, 'configDir' | 'overrides' | 'directory'>,
  snapshot: Snapshot,
  paths: readonly string[],
  onDocument: (document: PipelineDocument) => Promise<void>,
  signal?: AbortSignal,
): Promise<LocalEvaluation> {
  const pipelines = paths.filter((path) => kindOf(path) !== undefined);
  const documents = readPipelines(snapshot, pipelines);
  const { rulesFileOf, rulesOf } = await prepareRulesOf(pipelines, snapshot, configDir);
  const { evaluateLimits } = pathRules({ overrides, directory });
  const limits = new Map<string, readonly RuleResult[]>();
  const results = new Map<string, readonly RuleResult[]>();
  const comments = new Map<string, readonly SuppressionComment[]>();
  for await (const document of documents) {
    // Signals of the system, and other requests of an editor, arrive only between the turns of the event loop.
    await setImmediate();
    signal?.throwIfAborted();
    const ofFile = rulesOf(document.path);
    results.set(document.path, evaluate(ofFile, document));
    const limited = evaluateLimits(ofFile, document);
    if (limited.length > 0) limits.set(document.path, limited);
    const fileComments = readSuppressionComments(document);
    if (fileComments.length > 0) comments.set(document.path, fileComments);
    await onDocument(document);
  }
  return {
    results,
    limits,
    comments,
    excluded: paths.filter((path) => kindOf(path) === undefined),
    rulesFileOf,
  };
}
