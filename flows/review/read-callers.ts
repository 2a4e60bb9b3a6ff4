import type { Snapshot } from '../../lib/git/snapshot.ts';
import { decodeText } from '../../lib/core/decode-text.ts';
import { withoutSuffix } from '../../lib/pipelines/pipeline-kind.ts';
import {
  decodePipeline,
  maxPipelineBytes,
  type PipelineDocument,
} from '../../lib/pipelines/read-pipeline.ts';
import type { ReviewScope } from './review-scope.ts';

/** A call whose target is not plain text on its line: escapes, aliases, block scalars. */
const unclearCall = /(?:orchestration|transformation)Job["']?\s*:\s*(?:[|>&*!]|"[^"\n]*\\|$)/m;

/** Files per git process; two processes run at a time. Only files that may contain a call stay in memory. */
const readBatchSize = 500;

/**
 * The pipelines outside the scope that may call one of `targets` (relative to the project), also those that are not text.
 * Most files are excluded by a text search, because parsing thousands of files would be too slow.
 */
export async function* readCallers(
  snapshot: Snapshot,
  scope: ReviewScope,
  targets: ReadonlySet<string>,
  inProject: (path: string) => string,
): AsyncGenerator<PipelineDocument, void, undefined> {
  const names = Array.from(targets, (path) => withoutSuffix(path).slice(path.lastIndexOf('/') + 1));
  const own = new Set(scope.paths);
  const others = scope.all.filter((path) => !own.has(path) && !targets.has(inProject(path)));
  const mayCall = (content: Buffer) => {
    const { text } = decodeText(content);
    if (text === undefined) return true;
    if (!content.includes('orchestrationJob') && !content.includes('transformationJob')) return false;
    return names.some((name) => text.includes(name)) || unclearCall.test(text);
  };
  const readBatch = (start: number) =>
    snapshot.readFiles(others.slice(start, start + readBatchSize), maxPipelineBytes, mayCall);
  for (let start = 0; start < others.length; start += 2 * readBatchSize) {
    for (const found of await Promise.all([readBatch(start), readBatch(start + readBatchSize)]))
      for (const [path, content] of found) yield decodePipeline(path, content);
  }
}
