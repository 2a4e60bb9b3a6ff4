import { closeSync, open, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Pieces, waitFor } from './pieces.ts';

/** Of a large file: smaller pieces cost more turns, larger ones fall out of the processor's cache. */
const pieceBytes = 768 * 1024;
/** One on its way, one waiting for it, one being read; the fourth is to spare. */
const pieces = 4;
/** Milliseconds a piece on average. What takes longer was not only copied out of the system's cache. */
const quickMs = 2;
/** Of so many readings: a single one is slow whenever another process has the processor. */
const averagedOver = 8;

const openByPool = promisify(open);
const readByPool = promisify(read);

/**
 * A file's content through a few buffers that are used again. The first piece is read by the thread pool. While readings
 * are quick the others are not: waking a thread takes as long as copying half a piece. While they are slow the pool reads,
 * ahead of what is being sent, so that the event loop waits for no disk. `now` tells milliseconds.
 */
export function* readInPieces(file: string, now: () => number = () => performance.now()): Pieces {
  const descriptor = yield* opened(file);
  const buffers: Buffer[] = [];
  const bufferOf = (nth: number): Buffer => (buffers[nth % pieces] ??= Buffer.allocUnsafeSlow(pieceBytes));
  let averageMs = 0;
  const timed = (begun: number, bytes: number): number => {
    averageMs += (now() - begun - averageMs) / averagedOver;
    return bytes;
  };
  const readAhead = async (nth: number): Promise<number> => {
    const begun = now();
    return timed(begun, (await readByPool(descriptor, bufferOf(nth), 0, pieceBytes, null)).bytesRead);
  };
  let ahead: Promise<number> | undefined;
  try {
    ahead = readAhead(0);
    for (let nth = 0; ; nth += 1) {
      let bytes: number;
      if (ahead === undefined) bytes = timed(now(), readSync(descriptor, bufferOf(nth), 0, pieceBytes, null));
      else bytes = yield* waitFor(ahead);
      if (bytes === 0) return;
      ahead = averageMs >= quickMs ? readAhead(nth + 1) : undefined;
      // It is waited for later, and may fail before.
      ahead?.catch(() => {});
      yield bufferOf(nth).subarray(0, bytes);
    }
  } finally {
    const close = (): void => closeSync(descriptor);
    // Closing under a reading would take its buffer away.
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
    // Given up meanwhile: nobody else would close it.
    if (descriptor === undefined) opening.then(closeSync, () => {});
  }
}
