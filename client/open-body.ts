import { Readable } from 'node:stream';
import type { WireBody } from './wire.ts';

/** Told how many bytes of the body go next. */
export type SentBytes = (bytes: number) => void;

export interface OpenBody {
  readonly body: string | Readable | null;
  /** Why the body could not be made; undici would report it as a broken connection. */
  readonly failure: { readonly error: unknown } | undefined;
}

export interface BodyWatch {
  /** The files gave something, although it may be too little to be sent alone; or a piece goes next. */
  onMove(): void;
  /** What it throws breaks the body off. */
  readonly onPiece: SentBytes;
}

/** The body of one attempt; a stream is opened anew for each. */
export function openBody(body: WireBody | undefined, { onMove, onPiece }: BodyWatch): OpenBody {
  if (body === undefined) return { body: null, failure: undefined };
  if (body.kind === 'text') return { body: body.text, failure: undefined };
  const pieces = body.open();
  let failure: OpenBody['failure'];
  let making = false;
  const make = (): IteratorResult<Uint8Array | Promise<void>, void> => {
    making = true;
    try {
      return pieces.next();
    } finally {
      making = false;
    }
  };
  const goOn = (): void => {
    if (stream.destroyed) return;
    try {
      onMove();
      const { value, done } = make();
      if (stream.destroyed) pieces.return();
      else if (done === true) stream.push(null);
      else if (value instanceof Promise) void value.then(goOn);
      else {
        onPiece(value.length);
        stream.push(value);
      }
    } catch (error) {
      failure = { error };
      stream.destroy(new Error('the body could not be made'));
    }
  };
  const stream = new Readable({
    // One piece waits while the one before is on its way.
    highWaterMark: 1,
    read: goOn,
    destroy(error, done) {
      // Pieces that are being made cannot be ended; who makes them looks afterwards.
      if (!making) pieces.return();
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
