import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Failure } from '../core/failure.ts';
import { endedEarly } from './ended-early.ts';
import type { GitPlace } from './git-place.ts';
import { endOf, gitFailure, missingHint, printable, spawnGit } from './run-git.ts';

/** One `git cat-file --batch` process that hands out one blob after the other: thousands of files, one start. */
export interface BlobReader extends AsyncDisposable {
  /** The whole content. Failure 'git-failed' where the object is missing, no blob, or above `maxBytes`. */
  read(oid: string, maxBytes?: number): Promise<Buffer>;
  /** The whole content, or nothing where it has more than `maxBytes`. Failure 'git-failed' where it cannot be read. */
  readWithin(oid: string, maxBytes: number): Promise<Buffer | undefined>;
  /** The content piece by piece, in flat memory. Streams are served in the order in which they are asked for. */
  stream(oid: string): AsyncGenerator<Buffer, void, undefined>;
  close(): Promise<void>;
}

class TooLarge extends Error {}

/** 64 MB: above any pipeline or script, below what hurts. */
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
    if (!/^[0-9a-f]{40,64}$/.test(oid)) throw gitFailure(`object "${oid}"`, 'not an object id');
    const before = turn;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    turn = promise;
    // Asked at once, answered in turn: git need not wait for us between two of many.
    child.stdin.write(`${oid}\n`);
    await before;
    try {
      signal?.throwIfAborted();
      yield* contentOf(oid, maxBytes);
    } finally {
      done();
    }
  }

  async function* contentOf(oid: string, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
    const header = await output.line();
    signal?.throwIfAborted();
    const [, type = '', size = ''] = header.split(' ');
    let left = Number(size);
    if (type === 'missing' || !Number.isInteger(left)) {
      throw gitFailure(`object ${oid}`, 'the object is not in this repository', missingHint);
    }
    const refusal = type === 'blob' ? undefined : `it is a ${type}, not a file`;
    try {
      if (refusal !== undefined) throw gitFailure(`object ${oid}`, refusal);
      if (left > maxBytes)
        throw new TooLarge(`it has ${left} bytes, more than the ${maxBytes} that may be read`);
      while (left > 0) {
        const chunk = await output.upTo(left);
        left -= chunk.length;
        yield chunk;
      }
    } finally {
      // A consumer that stops early leaves the rest in the pipe; the next blob begins behind it.
      if (signal?.aborted !== true) await output.skip(left + 1);
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
        throw error instanceof TooLarge ? gitFailure(`object ${oid}`, error.message) : error;
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

/** The child's output as lines and pieces. The end of the child in the middle of either is a Failure. */
function chunksOf(
  child: ChildProcessWithoutNullStreams,
  ended: Promise<number>,
  early: () => Failure,
  signal: AbortSignal | undefined,
) {
  const iterator: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<void> {
    // A stream that was destroyed throws; one whose process ended is done: both mean that there is no more.
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
      const piece = rest.subarray(0, limit);
      rest = rest.subarray(piece.length);
      return piece;
    },
    async skip(count: number): Promise<void> {
      for (let left = count; left > 0;) left -= (await this.upTo(left)).length;
    },
  };
}
