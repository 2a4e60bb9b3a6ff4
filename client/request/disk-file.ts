import { closeSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';
import { asStream, type Chunks } from '../transport/chunks.ts';
import { readFileInChunks } from './read-file-in-chunks.ts';
import type { UploadFile } from './upload-file.ts';

/** Up to this size a file is read synchronously: the thread pool's overhead exceeds the time to read. */
const smallBytes = 64 * 1024;

/**
 * A file on disk as a form part. Its path `relative` to `root` becomes the part's key. It is opened when it is sent
 * and read through a few reusable buffers, so that a gigabyte takes no more memory than a megabyte; code that keeps
 * its chunks must copy them. Its size is read now: if the size has changed at the upload, the upload ends with
 * `file-changed`.
 *
 * @throws {Failure} `file-refused` if it cannot be read or is not a file.
 */
export async function diskFile(root: string, relative: string): Promise<UploadFile> {
  const file = path.join(root, relative);
  const stats = await stat(file).catch((cause: unknown) => {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw refusal(relative, isMissing ? `does not exist in ${root}` : 'cannot be read', cause);
  });
  if (!stats.isFile()) throw refusal(relative, 'is not a file');
  const bytes = stats.size;
  const pathAndSize = { path: relative.split(path.sep).join('/'), bytes };
  if (bytes > smallBytes) {
    const chunks = (): Chunks => readFileInChunks(file);
    return { ...pathAndSize, chunks, open: () => asStream(chunks()) };
  }
  const readInto = (target: Uint8Array): number => readAtOnce(file, target, bytes);
  return {
    ...pathAndSize,
    readInto,
    open: () => {
      const content = Buffer.allocUnsafe(bytes + 1);
      return content.subarray(0, readInto(content));
    },
  };
}

/**
 * Returns the number of bytes read, at most the size of `target`, which is one byte more than the file should have.
 */
function readAtOnce(file: string, target: Uint8Array, bytes: number): number {
  const handle = openSync(file, 'r');
  try {
    let read = 0;
    for (;;) {
      const more = readSync(handle, target, read, target.length - read, null);
      read += more;
      // The read asked for one byte more than expected and did not get it: this is the end of the file.
      if (more === 0 || read >= bytes) return read;
    }
  } finally {
    closeSync(handle);
  }
}

function refusal(file: string, reason: string, cause?: unknown): Failure {
  return new Failure('file-refused', {
    message: `${file} ${reason}.`,
    where: { file },
    hint: 'Give the path of an existing file, not of a folder.',
    ...(cause === undefined ? {} : { cause }),
  });
}
