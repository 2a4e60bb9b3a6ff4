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
  let failure: Failure | undefined;
  async function* pieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of stream) {
        onPiece(piece.length);
        yield piece;
      }
    } catch (error) {
      failure =
        error instanceof Failure
          ? error
          : new Failure('file-refused', {
              message: `A file of the upload cannot be read: ${describeProblem(error)}.`,
              cause: error,
            });
      throw error;
    }
  }
  return {
    body: Readable.from(pieces(body.open())),
    get failure() {
      return failure;
    },
  };
}
