import { Readable } from 'node:stream';
import type { WireBody } from './wire.ts';

/** Called with the number of bytes of the next chunk. */
export type SentBytes = (bytes: number) => void;

export interface OpenBody {
  readonly body: string | Readable | null;
  /** Why the body could not be produced; undici would report it as a broken connection. */
  readonly failure: { readonly error: unknown } | undefined;
}

export interface BodyWatch {
  /** The files produced data, possibly too little to be sent yet, or a chunk is sent next. */
  onActivity(): void;
  /** An exception thrown here aborts the body. */
  readonly onChunk: SentBytes;
}

/** The body of one attempt; a stream is opened again for each attempt. */
export function openBody(body: WireBody | undefined, { onActivity, onChunk }: BodyWatch): OpenBody {
  if (body === undefined) return { body: null, failure: undefined };
  if (body.kind === 'text') return { body: body.text, failure: undefined };
  const chunks = body.open();
  let failure: OpenBody['failure'];
  let making = false;
  const nextChunk = (): IteratorResult<Uint8Array | Promise<void>, void> => {
    making = true;
    try {
      return chunks.next();
    } finally {
      making = false;
    }
  };
  const readNext = (): void => {
    if (stream.destroyed) return;
    try {
      onActivity();
      const { value, done } = nextChunk();
      if (stream.destroyed) chunks.return();
      else if (done === true) stream.push(null);
      else if (value instanceof Promise) void value.then(readNext);
      else {
        onChunk(value.length);
        stream.push(value);
      }
    } catch (error) {
      failure = { error };
      stream.destroy(new Error('the body could not be produced'));
    }
  };
  const stream = new Readable({
    // One chunk waits while the previous one is sent.
    highWaterMark: 1,
    read: readNext,
    destroy(error, done) {
      // A running generator cannot be closed; `readNext` closes it afterwards.
      if (!making) chunks.return();
      done(error);
    },
  });
  return {
    body: stream,
    get failure() {
      return failure;
    },
  };
}
