import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Failure } from '../../core/errors/failure.ts';
import { endedEarly } from '../process/ended-early.ts';
import type { GitPlace } from '../process/git-place.ts';
import { endOf, gitFailure, missingHint, printable, spawnGit } from '../process/run-git.ts';

/** Reads blobs one after another with a single `git cat-file --batch` process, even thousands of them. */
export interface BlobReader extends AsyncDisposable {
  /**
   * The whole content. Throws Failure 'git-failed' if the object is missing, not a blob, or larger than
   * `maxBytes`.
   */
  read(oid: string, maxBytes?: number): Promise<Buffer>;
  /**
   * The whole content; undefined if it has more than `maxBytes`. Throws Failure 'git-failed' if it cannot be
   * read.
   */
  readWithin(oid: string, maxBytes: number): Promise<Buffer | undefined>;
  /** The content in chunks, in constant memory. Streams are served in the order of the calls. */
  stream(oid: string): AsyncGenerator<Buffer, void, undefined>;
  close(): Promise<void>;
}

class TooLarge extends Error {}

/** The default limit of a blob, 64 MB: larger than any pipeline or script, and still small enough for the memory. */
export const defaultMaxBytes = 64 * 1024 * 1024;

export function openBlobReader(place: GitPlace, signal?: AbortSignal): BlobReader {
  signal?.throwIfAborted();
  const child = spawnGit(place, ['cat-file', '--batch']);
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  const ended = endOf(child).finally(() => signal?.removeEventListener('abort', stop));
  ended.catch(() => {});
  child.stdin.on('error', () => {});
  const output = chunksOf(child, ended, endedEarly(child), signal);
  let turn: Promise<void> = Promise.resolve();

  async function* stream(
    oid: string,
    maxBytes = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<Buffer, void, undefined> {
    signal?.throwIfAborted();
    if (!/^[0-9a-f]{40,64}$/.test(oid))
      throw gitFailure(`read the object "${oid}"`, 'this is not the id of an object');
    const before = turn;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    turn = promise;
    // Request all at once and read the answers in order, so that git does not wait between two of many.
    child.stdin.write(`${oid}\n`);
    await before;
    try {
      signal?.throwIfAborted();
      yield* contentOf(output, oid, maxBytes, signal);
    } finally {
      done();
    }
  }

  async function read(oid: string, maxBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream(oid, maxBytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async function close(): Promise<void> {
    child.stdin.end();
    child.stdout.destroy();
    child.kill('SIGKILL');
    await ended.catch(() => {});
  }

  return {
    stream: (oid) => stream(oid),
    read: (oid, maxBytes = defaultMaxBytes) =>
      read(oid, maxBytes).catch((error: unknown) => {
        throw error instanceof TooLarge ? gitFailure(`read the object ${oid}`, error.message) : error;
      }),
    readWithin: (oid, maxBytes) =>
      read(oid, maxBytes).catch((error: unknown) => {
        if (error instanceof TooLarge) return undefined;
        throw error;
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The content of the object whose header comes next in the output. */
async function* contentOf(
  output: ReturnType<typeof chunksOf>,
  oid: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const header = await output.line();
  signal?.throwIfAborted();
  const [, type = '', size = ''] = header.split(' ');
  let left = Number(size);
  if (type === 'missing' || !Number.isInteger(left)) {
    throw gitFailure(`read the object ${oid}`, 'it is not in this repository', missingHint);
  }
  try {
    if (type !== 'blob') throw gitFailure(`read the object ${oid}`, `it is a ${type}, not a file`);
    if (left > maxBytes) throw new TooLarge(`it has ${left} bytes, more than the limit of ${maxBytes}`);
    while (left > 0) {
      const chunk = await output.upTo(left);
      left -= chunk.length;
      yield chunk;
    }
  } finally {
    // A consumer that stops early leaves the rest in the pipe; the next blob begins after it.
    if (signal?.aborted !== true) await output.skip(left + 1);
  }
}

/**
 * The child's output as lines and chunks. Throws a Failure if the child ends before a line or a chunk is complete.
 */
function chunksOf(
  child: ChildProcessWithoutNullStreams,
  ended: Promise<number>,
  early: () => Failure,
  signal: AbortSignal | undefined,
) {
  const iterator: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<void> {
    // A destroyed stream throws, and the stream of an ended process is done: both mean the end.
    const next = await iterator.next().catch(() => ({ done: true as const, value: undefined }));
    if (next.done !== true) {
      rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
      return;
    }
    signal?.throwIfAborted();
    await ended;
    throw early();
  }

  return {
    async line(): Promise<string> {
      while (!rest.includes(10)) await more();
      const end = rest.indexOf(10);
      const text = rest.subarray(0, end).toString();
      rest = rest.subarray(end + 1);
      return printable(text);
    },
    async upTo(limit: number): Promise<Buffer> {
      if (rest.length === 0) await more();
      const chunk = rest.subarray(0, limit);
      rest = rest.subarray(chunk.length);
      return chunk;
    },
    async skip(count: number): Promise<void> {
      for (let left = count; left > 0;) left -= (await this.upTo(left)).length;
    },
  };
}
