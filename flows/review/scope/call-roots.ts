import { decodeText } from '../../../lib/core/files/decode-text.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import {
  type CallFolder,
  callRoot,
  type CallRoots,
  callsInText,
  type FoundRoot,
  isOwnRoot,
  takenRoot,
  type WrittenCall,
} from '../../../lib/pipelines/model/call-root.ts';
import { type Call, resolveCall } from '../../../lib/pipelines/model/calls.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';

/** The project whose calls are resolved. */
interface CallingProject {
  readonly snapshot: Snapshot;
  /** The project's folder in the repository. */
  readonly directory: string;
  /** All its pipelines, relative to the repository. */
  readonly files: readonly string[];
  /** The folder that the settings name. */
  readonly set: CallFolder | undefined;
}

/** Finds the folder from which the calls of a project in git resolve. */
export interface ReadRoots {
  readonly roots: CallRoots;
  /** Finds the folder if one of these calls leads nowhere from the project's own. Later ones are resolved from it, too. */
  prepare(calls: Iterable<Pick<Call, 'kind' | 'target'>>): Promise<void>;
}

/**
 * Creates the reader. The texts of all pipelines are only read if a call needs them, because thousands of files
 * take time.
 */
export function readRoots({ snapshot, directory, files, set }: CallingProject): ReadRoots {
  const prefix = inRepository(directory, '').length;
  const paths = new Set(files.map((path) => path.slice(prefix)));
  let finding: Promise<FoundRoot | undefined> | undefined;
  let found: FoundRoot | undefined;
  const find = async () => {
    const root = callRoot(paths, await writtenCalls(snapshot, files, prefix));
    return isOwnRoot(root) ? undefined : root;
  };
  return {
    roots: { set, found: () => found, taken: () => takenRoot(set, found) },
    async prepare(calls) {
      if (set !== undefined) return;
      for (const { kind, target } of calls)
        if (kind !== 'shared' && target !== '' && resolveCall(target, paths, kind) === undefined) {
          found = await (finding ??= find());
          return;
        }
    },
  };
}

/** Files per git process. */
const readBatchSize = 500;

async function writtenCalls(
  snapshot: Snapshot,
  files: readonly string[],
  prefix: number,
): Promise<readonly WrittenCall[]> {
  const calls: WrittenCall[] = [];
  for (let start = 0; start < files.length; start += readBatchSize) {
    const batch = files.slice(start, start + readBatchSize);
    const contents = await snapshot.readFiles(batch, maxPipelineBytes, (content) => content.includes('Job'));
    for (const [path, content] of contents)
      if (!snapshot.links.has(path))
        calls.push(...callsInText(path.slice(prefix), decodeText(content).text ?? ''));
  }
  return calls;
}
