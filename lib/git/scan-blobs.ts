import { endedEarly } from './ended-early.ts';
import type { GitPlace } from './git-place.ts';
import { endOf, gitFailure, missingHint, printable, spawnGit } from './run-git.ts';

/**
 * Told a piece of the blob that was asked for as the `nth`; its pieces come in order, before those of the next, and make
 * up `bytes` together. An empty blob is one empty piece. The piece is its memory only until the visitor returns.
 */
export type BlobVisitor = (nth: number, piece: Buffer, bytes: number) => void;

/**
 * Reads many blobs in the order in which they are named, by one git process and in flat memory. Git is told all names at
 * once and fills its pipe without a pause, and no blob costs a promise: thousands of small files take a quarter of what
 * they take through a reader. Failure 'git-failed' where one is missing or no blob; what the visitor throws ends it.
 */
export async function scanBlobs(
  place: GitPlace,
  oids: readonly string[],
  visit: BlobVisitor,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  if (oids.length === 0) return;
  const odd = oids.find((oid) => !/^[0-9a-f]{40,64}$/.test(oid));
  if (odd !== undefined) throw gitFailure(`object "${odd}"`, 'not an object id');
  const child = spawnGit(place, ['cat-file', '--batch', '--buffer']);
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  const ended = endOf(child);
  ended.catch(() => {});
  child.stdin.on('error', () => {});
  const early = endedEarly(child);
  child.stdin.end(`${oids.join('\n')}\n`);
  const take = blobParser(oids, visit);
  try {
    let seen = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      seen = take(chunk);
    }
    signal?.throwIfAborted();
    await ended;
    if (seen < oids.length) throw early();
  } catch (error) {
    signal?.throwIfAborted();
    // A git that could not be started says so here; its streams only say that they ended too early.
    if (child.pid === undefined) await ended;
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    child.stdout.destroy();
    stop();
    await ended.catch(() => {});
  }
}

const lineFeed = 10;

/** Takes `<oid> blob <bytes>\n<content>\n` chunk by chunk, however it is cut, and says how many blobs are complete. */
function blobParser(oids: readonly string[], visit: BlobVisitor): (chunk: Buffer) => number {
  let nth = 0;
  let header = '';
  let inContent = false;
  let bytes = 0;
  let left = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (!inContent) {
        const end = chunk.indexOf(lineFeed, at);
        header += chunk.toString('latin1', at, end < 0 ? chunk.length : end);
        if (end < 0) break;
        bytes = sizeOf(header, oids[nth] ?? '');
        left = bytes;
        header = '';
        inContent = true;
        at = end + 1;
        if (bytes === 0) visit(nth, chunk.subarray(at, at), 0);
      } else if (left > 0) {
        const piece = chunk.subarray(at, at + left);
        left -= piece.length;
        at += piece.length;
        visit(nth, piece, bytes);
      } else {
        // The line feed behind the content.
        at += 1;
        nth += 1;
        inContent = false;
      }
    }
    return nth;
  };
}

function sizeOf(header: string, oid: string): number {
  const [, type = '', size = ''] = header.split(' ');
  if (type === 'blob' && /^\d+$/.test(size)) return Number(size);
  if (type === 'missing' || !/^\d+$/.test(size)) {
    throw gitFailure(`object ${oid}`, 'the object is not in this repository', missingHint);
  }
  throw gitFailure(`object ${oid}`, `it is a ${printable(type)}, not a file`);
}
