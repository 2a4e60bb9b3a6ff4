import type { Snapshot } from '../../git/snapshot.ts';
import {
  mostBytes,
  type PipelineDocument,
  readPipeline,
  unreadPipeline,
} from '../../pipelines/read-pipeline.ts';

/** How many files are held at a time: a project may have ten thousand. */
const readAtOnce = 100;
/** The same where most are only looked at and dropped: each batch starts git once. */
const filterAtOnce = 500;

/** Reads pipelines one after the other, of those alone whose text is `wanted`. */
export async function* readPipelines(
  snapshot: Snapshot,
  paths: readonly string[],
  wanted?: (text: string) => boolean,
): AsyncGenerator<PipelineDocument, void, undefined> {
  const batchSize = wanted === undefined ? readAtOnce : filterAtOnce;
  for (let start = 0; start < paths.length; start += batchSize) {
    const batch = paths.slice(start, start + batchSize);
    const texts = await snapshot.readFiles(batch, mostBytes);
    for (const path of batch) {
      const text = texts.get(path)?.toString('utf8');
      if (wanted?.(text ?? '') === false) continue;
      if (text !== undefined) yield readPipeline(path, text);
      else
        yield unreadPipeline(
          path,
          `The file cannot be read: ${snapshot.unread.get(path) ?? 'it is not there'}`,
        );
    }
  }
}
