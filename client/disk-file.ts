import { closeSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../lib/core/failure.ts';
import { asStream, type Pieces } from './pieces.ts';
import { readInPieces } from './read-in-pieces.ts';
import type { UploadFile } from './upload-file.ts';

/** Up to this size a file is read at one go: to ask the thread pool takes longer than to read. */
const smallBytes = 64 * 1024;

/**
 * A file of the disk as a form part: `relative` to `root`, which becomes its key. It is opened when its turn comes and
 * read through a few buffers that are used again, so that a gigabyte takes no more memory than a megabyte; who takes
 * its pieces for something other than sending copies them. Its size is taken now: an upload of a file that has another
 * one by then ends in `file-changed`.
 *
 * @throws {Failure} `file-refused` where it cannot be read or is no file.
 */
export async function diskFile(root: string, relative: string): Promise<UploadFile> {
  const file = path.join(root, relative);
  const found = await stat(file).catch((cause: unknown) => {
    throw refusal(relative, 'cannot be read', cause);
  });
  if (!found.isFile()) throw refusal(relative, 'is no file');
  const bytes = found.size;
  const known = { path: relative.split(path.sep).join('/'), bytes };
  if (bytes > smallBytes) {
    const pieces = (): Pieces => readInPieces(file);
    return { ...known, pieces, open: () => asStream(pieces()) };
  }
  const readInto = (target: Uint8Array): number => readAtOnce(file, target, bytes);
  return {
    ...known,
    readInto,
    open: () => {
      const content = Buffer.allocUnsafe(bytes + 1);
      return content.subarray(0, readInto(content));
    },
  };
}

/** Gives how many bytes there are, at most what `target` holds: one more than the file should have. */
function readAtOnce(file: string, target: Uint8Array, bytes: number): number {
  const handle = openSync(file, 'r');
  try {
    let read = 0;
    for (;;) {
      const more = readSync(handle, target, read, target.length - read, null);
      read += more;
      // Asked for one more and given what was expected: that was the end, and need not be asked for again.
      if (more === 0 || read >= bytes) return read;
    }
  } finally {
    closeSync(handle);
  }
}

function refusal(file: string, why: string, cause?: unknown): Failure {
  return new Failure('file-refused', {
    message: `${file} ${why}.`,
    where: { file },
    hint: 'Name files that are there, and no folders.',
    ...(cause === undefined ? {} : { cause }),
  });
}
