import type { Snapshot } from '../../lib/git/snapshot.ts';
import { decodeText } from '../../lib/core/decode-text.ts';
import { maxPipelineBytes } from '../../lib/pipelines/read-pipeline.ts';
import { inRepository } from './review-scope.ts';

/** Files of one git process, which are in memory together. */
const readBatchSize = 100;

/** Whether a file may be a script of a component. */
export function isScript(path: string): boolean {
  return /\.(?:sql|py)$/i.test(path);
}

/**
 * Reads scripts, and adds why those that are not text cannot be read, as the end of a sentence. Paths are relative to the
 * project.
 */
export async function addScriptFaults(
  faults: Map<string, string>,
  paths: readonly string[],
  { snapshot, directory }: { readonly snapshot: Snapshot; readonly directory: string },
): Promise<void> {
  for (let start = 0; start < paths.length; start += readBatchSize) {
    const batch = new Map(
      paths.slice(start, start + readBatchSize).map((path) => [inRepository(directory, path), path] as const),
    );
    const contents = await snapshot.readFiles([...batch.keys()], maxPipelineBytes);
    for (const [file, content] of contents) {
      const { fault } = decodeText(content);
      const path = batch.get(file);
      if (fault !== undefined && path !== undefined) faults.set(path, fault.reason);
    }
  }
}
