import { closeSync, open, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Chunks, waitFor } from '../transport/chunks.ts';

/** Smaller chunks need more turns of the event loop; larger ones do not fit into the processor's cache. */
const chunkBytes = 768 * 1024;
/** One buffer is sent, one waits, one is being read; the fourth is a reserve. */
const chunks = 4;
/** Average milliseconds per chunk. A longer read did not come from the system's cache alone. */
const maxQuickReadMs = 2;
/** Number of reads in the average: a single read is slow whenever another process has the processor. */
const averageWindow = 8;

const openByPool = promisify(open);
const readByPool = promisify(read);

/**
 * Reads a file's content through a few reusable buffers. The thread pool reads the first chunk. While reads are
 * quick, the next chunks are read synchronously, because waking a thread takes as long as copying half a chunk. While
 * reads are slow, the thread pool reads ahead, so that the event loop never waits for the disk. `now` returns
 * milliseconds.
 */
export function* readFileInChunks(file: string, now: () => number = () => performance.now()): Chunks {
  const descriptor = yield* opened(file);
  const buffers: Buffer[] = [];
  const bufferOf = (nth: number): Buffer => (buffers[nth % chunks] ??= Buffer.allocUnsafeSlow(chunkBytes));
  let averageMs = 0;
  const timed = (startedAt: number, bytes: number): number => {
    averageMs += (now() - startedAt - averageMs) / averageWindow;
    return bytes;
  };
  const readAhead = async (nth: number): Promise<number> => {
    const startedAt = now();
    return timed(startedAt, (await readByPool(descriptor, bufferOf(nth), 0, chunkBytes, null)).bytesRead);
  };
  let ahead: Promise<number> | undefined;
  try {
    ahead = readAhead(0);
    for (let nth = 0; ; nth += 1) {
      let bytes: number;
      if (ahead === undefined) bytes = timed(now(), readSync(descriptor, bufferOf(nth), 0, chunkBytes, null));
      else bytes = yield* waitFor(ahead);
      if (bytes === 0) return;
      ahead = averageMs >= maxQuickReadMs ? readAhead(nth + 1) : undefined;
      // It is awaited later, and may reject before that.
      ahead?.catch(() => {});
      yield bufferOf(nth).subarray(0, bytes);
    }
  } finally {
    const close = (): void => closeSync(descriptor);
    // Do not close the file during a read.
    if (ahead === undefined) close();
    else ahead.then(close, close);
  }
}

function* opened(file: string): Generator<Promise<void>, number, void> {
  const opening = openByPool(file, 'r');
  let descriptor: number | undefined;
  try {
    return (descriptor = yield* waitFor(opening));
  } finally {
    // The consumer stopped while the file was being opened: close it here.
    if (descriptor === undefined) opening.then(closeSync, () => {});
  }
}
