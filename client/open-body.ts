import { Readable } from 'node:stream';
import { Failure } from '../model/failure.ts';
import { describeProblem } from './transport-problem.ts';
import type { WireBody } from './wire.ts';

/** Told how many bytes of the body go next. */
export type SentBytes = (bytes: number) => void;

export interface OpenBody {
  readonly body: string | Readable | null;
  /** Why the body could not be made; undici would report it as a broken connection. */
  readonly failure: Failure | undefined;
}

/** The body of one attempt; a stream is opened anew for each. */
export function openBody(body: WireBody | undefined, onPiece: SentBytes): OpenBody {
  if (body === undefined) return { body: null, failure: undefined };
  if (body.kind === 'text') return { body: body.text, failure: undefined };
  const pieces = body.open();
  let failure: Failure | undefined;
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
      const { value, done } = make();
      if (stream.destroyed) pieces.return();
      else if (done === true) stream.push(null);
      else if (value instanceof Promise) void value.then(goOn);
      else {
        onPiece(value.length);
        stream.push(value);
      }
    } catch (error) {
      failure = failureOf(error);
      stream.destroy(failure);
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

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('file-refused', {
    message: `A file of the upload cannot be read: ${describeProblem(error)}.`,
    cause: error,
  });
}
