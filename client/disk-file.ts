import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../model/failure.ts';
import type { UploadFile } from './upload-file.ts';

/** Up to this size a file is read at once, larger ones in pieces of this size. */
const pieceBytes = 256 * 1024;

/**
 * A file of the disk as a form part: `relative` to `root`, which becomes its key, and opened when its turn comes. Its
 * size is taken now; an upload of a file that has another one by then ends in `file-changed`.
 *
 * @throws {Failure} `file-refused` where it cannot be read or is no file.
 */
export async function diskFile(root: string, relative: string): Promise<UploadFile> {
  const file = path.join(root, relative);
  const found = await stat(file).catch((cause: unknown) => {
    throw new Failure('file-refused', {
      message: `${relative} cannot be read.`,
      where: { file: relative },
      cause,
    });
  });
  if (!found.isFile()) {
    throw new Failure('file-refused', { message: `${relative} is no file.`, where: { file: relative } });
  }
  return {
    path: relative.split(path.sep).join('/'),
    bytes: found.size,
    open: () => (found.size <= pieceBytes ? whole(file) : inPieces(file)),
  };
}

async function* whole(file: string): AsyncGenerator<Uint8Array> {
  yield await readFile(file);
}

function inPieces(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Uint8Array>;
}
