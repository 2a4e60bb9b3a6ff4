import { Failure } from '../model/failure.ts';
import type { BlobReader } from './blob-reader.ts';
import { printable } from './run-git.ts';
import type { TreeEntry } from './tree-entry.ts';

/** A file that must not be part of an artifact, and why. */
export interface Refusal {
  readonly path: string;
  readonly reason: string;
}

const archive = /\.(zip|jar|war|ear|whl|egg|gz|tgz|bz2|tbz2?|xz|txz|zst|lz4|br|tar|7z|rar|cab|iso)$/i;

/** Spec §2.6 and unknowns §3: connector files are fetched and added, never taken from the repository. */
const connectorFile = /(^|\/)connector-profile:(custom|flex)-[^/]*\.json$/i;

/** Whether a path is a connector file's, which must not be in a repository. */
export function isConnectorFile(path: string): boolean {
  return connectorFile.test(path);
}

/** Why a file is refused by what its tree entry says (spec §4.3, §2.6); undefined where nothing is wrong. */
export function refuseEntry(entry: Pick<TreeEntry, 'path' | 'mode' | 'type'>): string | undefined {
  if (entry.mode === '120000') return 'a symbolic link';
  if (entry.mode === '160000' || entry.type === 'commit') return 'a submodule';
  if (isConnectorFile(entry.path)) return 'a connector file, which must not be in the repository (spec §2.6)';
  if (archive.test(entry.path)) return 'an archive (spec §4.3)';
  if (entry.path.includes('\uFFFD')) return 'a file whose name is not UTF-8';
  return undefined;
}

/** Why a file is refused by its content, read piece by piece. */
export async function refuseContent(
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<string | undefined> {
  let head = '';
  for await (const chunk of content) {
    if (chunk.includes(0)) return 'a binary file';
    if (head.length < pointer.length) head += chunk.subarray(0, pointer.length).toString('latin1');
    if (head.startsWith(pointer)) return 'a large-file pointer, not the file itself';
  }
  return undefined;
}

const pointer = 'version https://git-lfs';

/** Git is asked for so many files before the first answer is read: it need not wait for us between two small ones. */
const askedAhead = 64;

/**
 * Looks at all files that are to be published. Throws one Failure 'file-refused' that names each file that
 * cannot go, so that a person mends them in one go.
 */
export async function refuseFiles(files: readonly TreeEntry[], reader: BlobReader): Promise<void> {
  const refusals: Refusal[] = [];
  for (let from = 0; from < files.length; from += askedAhead) {
    const asked = files.slice(from, from + askedAhead).map(async (file) => ({
      path: file.path,
      reason: refuseEntry(file) ?? (await refuseContent(reader.stream(file.oid))),
    }));
    for (const { path, reason } of await Promise.all(asked))
      if (reason !== undefined) refusals.push({ path, reason });
  }
  const [first] = refusals;
  if (first === undefined) return;
  const list = refusals.map(({ path, reason }) => `${printable(path)} is ${reason}`).join('; ');
  throw new Failure('file-refused', {
    message: `${refusals.length === 1 ? 'A file' : `${refusals.length} files`} cannot be part of an artifact: ${list}.`,
    where: { file: printable(first.path) },
    details: { files: refusals },
  });
}
