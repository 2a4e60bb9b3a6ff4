import type { Snapshot } from '../../lib/git/snapshot.ts';
import {
  maxPipelineBytes,
  type PipelineDocument,
  readPipeline,
  unreadPipeline,
} from '../../lib/pipelines/read-pipeline.ts';

/** Files in memory at a time: a project may have ten thousand. */
const readBatchSize = 100;

/** Reads pipelines in order. */
export async function* readPipelines(
  snapshot: Snapshot,
  paths: readonly string[],
): AsyncGenerator<PipelineDocument, void, undefined> {
  for (let start = 0; start < paths.length; start += readBatchSize) {
    const batch = paths.slice(start, start + readBatchSize);
    const texts = await snapshot.readFiles(batch, maxPipelineBytes);
    for (const path of batch) {
      const text = texts.get(path)?.toString('utf8');
      if (snapshot.links.has(path))
        yield unreadPipeline(path, 'The file is a symbolic link, which publishing refuses');
      else if (text !== undefined) yield readPipeline(path, text);
      else
        yield unreadPipeline(
          path,
          `The file cannot be read: ${snapshot.unread.get(path) ?? 'it does not exist'}`,
        );
    }
  }
}
