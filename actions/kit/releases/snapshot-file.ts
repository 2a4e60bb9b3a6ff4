import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../step/step.ts';

/** What a snapshot is of: files have one tree, whatever commit has them. */
export interface SnapshotOf {
  readonly tree: string;
  /** The project's folder in the repository; `''` for its root. */
  readonly directory: string;
}

/** The name of the file with a snapshot: it says which files of which project the snapshot is of. */
export function snapshotFileName({ tree, directory }: SnapshotOf): string {
  const project =
    directory === '' ? '' : `-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
  return `snapshot-${tree}${project}.json`;
}

/** The file that the action `test` left in this job; undefined if there is none of these files. */
export async function findSnapshotFile(
  of: SnapshotOf,
  { RUNNER_TEMP: temp = '' }: Environment,
): Promise<string | undefined> {
  const folder = temp === '' ? tmpdir() : temp;
  const name = snapshotFileName(of);
  for (const entry of await namesIn(folder)) {
    if (!entry.startsWith('millrace-test-')) continue;
    const files = await namesIn(join(folder, entry));
    if (files.includes(name)) return join(folder, entry, name);
  }
  return undefined;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((): readonly string[] => []);
}
