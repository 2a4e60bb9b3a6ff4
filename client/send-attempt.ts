import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Failure } from '../model/failure.ts';
import type { AttemptEnd } from './attempt.ts';
import { readLimited } from './read-limited.ts';
import { describeProblem, neverSent } from './transport-problem.ts';
import type { WireBody, WireRequest } from './wire.ts';

export interface AttemptLimits {
  /** Milliseconds from the start to the last byte of the answer; an upload's every piece starts it anew. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request once and reads its answer; redirects are not followed, because the credential must not travel.
 *
 * @throws the signal's reason, when it aborts; a `Failure` that a file of the upload ended in.
 */
export async function sendAttempt(
  request: WireRequest,
  authorization: string | undefined,
  dispatcher: Dispatcher,
  { timeoutMs, maxAnswerBytes, signal }: AttemptLimits,
): Promise<AttemptEnd> {
  signal?.throwIfAborted();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  const onAbort = (): void => abort.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const upload = openBody(request.body, () => timer.refresh());
  let status: number | undefined;
  try {
    const response = await dispatcher.request({
      origin: request.origin,
      path: request.path,
      method: request.method,
      headers: { ...request.headers, ...(authorization === undefined ? {} : { authorization }) },
      body: upload.body,
      signal: abort.signal,
    });
    status = response.statusCode;
    const text = await readLimited(response.body, maxAnswerBytes);
    if (text === undefined) return { kind: 'too-large', status };
    return { kind: 'answered', answer: { status, headers: flatten(response.headers), text } };
  } catch (error) {
    signal?.throwIfAborted();
    if (upload.failure !== undefined) throw upload.failure;
    // A refusal is a refusal, whatever became of its body.
    if (status !== undefined && status >= 400) {
      return { kind: 'answered', answer: { status, headers: {}, text: '' } };
    }
    if (abort.signal.aborted) return lost((abort.signal.reason as Error).message, status);
    return neverSent(error) ?? lost(describeProblem(error), status);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function lost(problem: string, status: number | undefined): AttemptEnd {
  return status === undefined ? { kind: 'lost', problem } : { kind: 'lost', problem, status };
}

interface OpenBody {
  readonly body: string | Readable | null;
  /** Why the body could not be made; undici would report it as a broken connection. */
  readonly failure: Failure | undefined;
}

function openBody(body: WireBody | undefined, onPiece: () => void): OpenBody {
  if (body === undefined) return { body: null, failure: undefined };
  if (body.kind === 'text') return { body: body.text, failure: undefined };
  let failure: Failure | undefined;
  async function* pieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of stream) {
        onPiece();
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

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
