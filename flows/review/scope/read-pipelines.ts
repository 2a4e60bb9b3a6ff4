import { isTextName } from '../../../lib/core/files/decode-text.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import {
  decodePipeline,
  maxPipelineBytes,
  type PipelineDocument,
  unreadPipeline,
} from '../../../lib/pipelines/model/read-pipeline.ts';

/** Files of one git process. Two batches are in memory at a time: a project may have ten thousand files. */
const readBatchSize = 100;

/**
 * Reads pipelines in order, in batches. Git reads the first batch at once, and each further batch while the one
 * before is being used.
 */
export function readPipelines(
  snapshot: Snapshot,
  paths: readonly string[],
): AsyncGenerator<PipelineDocument, void, undefined> {
  const read = (start: number) => {
    const batch = paths.slice(start, start + readBatchSize);
    const reading = snapshot.readFiles(batch, maxPipelineBytes);
    // The caller may stop before it asks for this batch.
    reading.catch(() => {});
    return { batch, reading, next: () => read(start + readBatchSize) };
  };
  return documentsOf(snapshot, read(0));
}

interface Batch {
  readonly batch: readonly string[];
  readonly reading: ReturnType<Snapshot['readFiles']>;
  /** Begins to read the batch after this one. */
  readonly next: () => Batch;
}

async function* documentsOf(
  snapshot: Snapshot,
  first: Batch,
): AsyncGenerator<PipelineDocument, void, undefined> {
  for (let { batch, reading, next } = first; batch.length > 0;) {
    const texts = await reading;
    const following = next();
    for (const path of batch) yield documentOf(path, texts.get(path), snapshot);
    ({ batch, reading, next } = following);
  }
}

function documentOf(
  path: string,
  content: Buffer | undefined,
  { links, unread }: Snapshot,
): PipelineDocument {
  if (links.has(path)) return unreadPipeline(path, 'The file is a symbolic link, which publishing refuses');
  if (!isTextName(path))
    return unreadPipeline(path, 'The name of the file is not UTF-8, which publishing refuses');
  if (content !== undefined) return decodePipeline(path, content);
  return unreadPipeline(path, `The file cannot be read: ${unread.get(path) ?? 'it does not exist'}`);
}
