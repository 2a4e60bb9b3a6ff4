import { isTextName, lfsPointer, utf8Check } from '../core/files/decode-text.ts';
import { Failure } from '../core/errors/failure.ts';
import { printable } from './process/run-git.ts';
import type { BlobVisitor } from './objects/scan-blobs.ts';
import { isLink, type TreeEntry } from './objects/tree-entry.ts';

/** A file that must not be part of an artifact, with the reason. */
export interface Refusal {
  readonly path: string;
  readonly reason: string;
}

const archive = /\.(zip|jar|war|ear|whl|egg|gz|tgz|bz2|tbz2?|xz|txz|zst|lz4|br|tar|7z|rar|cab|iso)$/i;

/** Spec §2.6 and unknowns §3: connector files are fetched and added, never taken from the repository. */
const connectorFile = /(^|\/)connector-profile:(custom|flex)-[^/]*\.json$/i;

/** Whether a path leads to a connector file, which must not be in a repository. */
export function isConnectorFile(path: string): boolean {
  return connectorFile.test(path);
}

/** The reason why a file is refused because of its tree entry (spec §4.3, §2.6); undefined if it is accepted. */
export function refuseEntry(entry: Pick<TreeEntry, 'path' | 'mode' | 'type'>): string | undefined {
  if (isLink(entry)) return 'a symbolic link';
  if (entry.mode === '160000' || entry.type === 'commit') return 'a submodule';
  if (isConnectorFile(entry.path)) return 'a connector file, which must not be in the repository (spec §2.6)';
  if (archive.test(entry.path)) return 'an archive (spec §4.3)';
  if (!isTextName(entry.path)) return 'a file whose name is not UTF-8';
  return undefined;
}

/**
 * Returns a function that checks the content of a file chunk by chunk, and returns the reason why it is refused;
 * undefined while it is accepted. Call it with `undefined` after the last chunk.
 */
export function contentCheck(): (chunk: Buffer | undefined) => string | undefined {
  const wrongByte = utf8Check();
  let head = '';
  let reason: string | undefined;
  const judge = (chunk: Buffer | undefined): string | undefined => {
    if (chunk !== undefined && head.length < lfsPointer.length)
      head += chunk.toString('latin1', 0, lfsPointer.length - head.length);
    if (head === lfsPointer) return 'a Git LFS pointer, not the file itself';
    if (/^(?:\xff\xfe|\xfe\xff)/.test(head)) return 'UTF-16, not UTF-8';
    if (chunk?.includes(0) === true) return 'a binary file';
    const offset = wrongByte(chunk);
    return offset === undefined ? undefined : `not UTF-8 at byte ${offset + 1}`;
  };
  return (chunk) => (reason ??= judge(chunk));
}

/** Passes the blobs to a visitor, like `Repository.scanBlobs`. */
export type BlobScan = (oids: readonly string[], visit: BlobVisitor) => Promise<void>;

/**
 * Checks all files to publish. Throws one Failure 'file-refused' that names every refused file, so that the user can
 * fix all of them at once.
 */
export async function refuseFiles(files: readonly TreeEntry[], scan: BlobScan): Promise<void> {
  const byName = files.map(refuseEntry);
  const oids = [...new Set(files.filter((_, index) => byName[index] === undefined).map(({ oid }) => oid))];
  const byContent = new Map<string, string>();
  let current = -1;
  let check = contentCheck();
  let left = 0;
  await scan(oids, (nth, chunk, bytes) => {
    if (nth !== current) [check, left] = [contentCheck(), bytes];
    current = nth;
    left -= chunk.length;
    const reason = check(chunk) ?? (left === 0 ? check(undefined) : undefined);
    if (reason !== undefined) byContent.set(oids[nth] ?? '', reason);
  });
  const refusals = files.flatMap(({ path, oid }, index): Refusal[] => {
    const reason = byName[index] ?? byContent.get(oid);
    return reason === undefined ? [] : [{ path, reason }];
  });
  const [first] = refusals;
  if (first === undefined) return;
  const list = refusals.map(({ path, reason }) => `${printable(path)} is ${reason}`).join('; ');
  const isOne = refusals.length === 1;
  throw new Failure('file-refused', {
    message: `${isOne ? 'A file' : `${refusals.length} files`} cannot be part of an artifact: ${list}.`,
    hint: isOne
      ? 'Exclude the file with `files.exclude` in millrace.yaml, or replace it by a plain text file in UTF-8.'
      : 'Exclude such files with `files.exclude` in millrace.yaml, or replace them by plain text files in UTF-8.',
    where: { file: printable(first.path) },
    details: { files: refusals },
  });
}
