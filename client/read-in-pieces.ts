import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Of a large file: smaller pieces cost more turns, larger ones fall out of the processor's cache. */
const pieceBytes = 1024 * 1024;
/** One on its way, one waiting for it, one being read; the fourth is to spare. */
const pieces = 4;
/** Milliseconds. What takes longer was not only copied out of the system's cache. */
const quickMs = 2;

/**
 * A file's content through a few buffers that are used again. The first piece is read by the thread pool. While readings
 * are quick the others are not: waking a thread takes as long as copying half a piece. With the first slow one the
 * pool reads again, ahead of what is being sent, and the event loop waits for no disk. `now` tells milliseconds.
 */
export async function* readInPieces(
  file: string,
  now: () => number = () => performance.now(),
): AsyncGenerator<Uint8Array> {
  await using handle = await open(file);
  const buffers = Array.from({ length: pieces }, () => Buffer.allocUnsafeSlow(pieceBytes));
  const bufferOf = (nth: number) => buffers[nth % pieces] ?? Buffer.alloc(0);
  const readByPool = async (nth: number) => (await handle.read(bufferOf(nth), 0, pieceBytes)).bytesRead;
  let begun = now();
  let read = await readByPool(0);
  let quick = now() - begun < quickMs;
  let ahead: Promise<number> | undefined;
  try {
    for (let nth = 0; read > 0; nth += 1) {
      if (!quick) ahead = readByPool(nth + 1);
      yield bufferOf(nth).subarray(0, read);
      if (ahead === undefined) {
        begun = now();
        read = readSync(handle.fd, bufferOf(nth + 1), 0, pieceBytes, null);
        quick = now() - begun < quickMs;
      } else read = await ahead;
    }
  } finally {
    // Closing under a reading would take its buffer away.
    await ahead?.catch(() => {});
  }
}
