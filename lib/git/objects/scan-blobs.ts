import { endedEarly } from '../process/ended-early.ts';
import type { GitPlace } from '../process/git-place.ts';
import { endOf, gitFailure, missingHint, printable, spawnGit } from '../process/run-git.ts';

/**
 * Called with a chunk of the `nth` requested blob. The chunks of a blob come in order, before the chunks of the next blob,
 * and have `bytes` in total. An empty blob is one empty chunk. The chunk is valid only until the visitor returns.
 */
export type BlobVisitor = (nth: number, part: Buffer, bytes: number) => void;

/**
 * Reads many blobs in the given order, with one git process and in constant memory. Git gets all ids at once and
 * writes without a pause, and no blob needs a promise: thousands of small files take a quarter of the time of a
 * reader. Throws Failure 'git-failed' if an object is missing or not a blob, and what the visitor throws.
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
  if (odd !== undefined) throw gitFailure(`read the object "${odd}"`, 'this is not the id of an object');
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
    // Only this reports a git that could not be started; its streams only report an early end.
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

/** Parses `<oid> blob <bytes>\n<content>\n` from chunks of any size, and counts the complete blobs. */
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
        const part = chunk.subarray(at, at + left);
        left -= part.length;
        at += part.length;
        visit(nth, part, bytes);
      } else {
        // The line feed after the content.
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
    throw gitFailure(`read the object ${oid}`, 'it is not in this repository', missingHint);
  }
  throw gitFailure(`read the object ${oid}`, `it is a ${printable(type)}, not a file`);
}
