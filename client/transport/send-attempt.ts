import type { Dispatcher } from 'undici';
import type { AttemptEnd } from './attempt.ts';
import { decodeBody, isEncoded } from '../../lib/http/decode-body.ts';
import { type OpenBody, openBody, type SentBytes } from './open-body.ts';
import { describeProblem, isPermanent } from '../../lib/http/transport-problem.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

export interface AttemptLimits {
  /** Milliseconds from the start to the last byte of the answer; each chunk of an upload restarts the limit. */
  readonly timeoutMs: number;
  /** Milliseconds for the whole attempt; never restarted. */
  readonly leftMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds to wait for the answer of a sent request after the signal has aborted. */
  readonly answerGraceMs?: number | undefined;
  readonly onSent?: SentBytes | undefined;
}

/**
 * Sends a request once and reads its answer. Does not follow redirects, because the credential must not go to another
 * host.
 *
 * Uses the dispatcher directly, below undici's `request`: only there a callback marks the moment between the
 * connection and the first byte, which proves whether a request was sent.
 *
 * @throws the error of an upload's file, or of `onSent`.
 */
export function sendAttempt(
  request: WireRequest,
  authorization: string | undefined,
  dispatcher: Dispatcher,
  limits: AttemptLimits,
): Promise<AttemptEnd> {
  return new Promise((resolve, reject) => {
    if (limits.signal?.aborted === true) return resolve({ kind: 'cancelled', sent: false });
    const attempt = startAttempt(limits, request.body?.kind === 'stream', resolve);
    const upload = openBody(request.body, {
      onActivity: attempt.restartTimeout,
      onChunk: (size) => limits.onSent?.(size),
    });
    dispatcher.dispatch(
      {
        origin: request.origin,
        path: request.path,
        method: request.method,
        headers: authorization === undefined ? request.headers : { ...request.headers, authorization },
        body: upload.body,
      },
      createHandler(attempt, upload, limits.maxAnswerBytes, reject),
    );
  });
}

type Attempt = ReturnType<typeof startAttempt>;

/** One attempt from its start to its end: its time limits, its cancellation, and what is known of its answer. */
function startAttempt(
  { timeoutMs, leftMs, signal, answerGraceMs = 0 }: AttemptLimits,
  isStream: boolean,
  onEnd: (end: AttemptEnd) => void,
) {
  const state: AttemptState = { ended: false, abortRequest: undefined, head: undefined };

  const cleanUp = (): void => {
    state.ended = true;
    clearTimeout(timer);
    clearTimeout(deadlineTimer);
    clearTimeout(graceTimer);
    signal?.removeEventListener('abort', onAbort);
  };
  const end = (attemptEnd: AttemptEnd): void => {
    if (state.ended) return;
    cleanUp();
    onEnd(attemptEnd);
  };
  /** Ends the attempt before undici does; later reports of undici are only about this abort. */
  const abortWith = (attemptEnd: AttemptEnd): void => {
    end(attemptEnd);
    state.abortRequest?.(new Error('broken off'));
  };
  const endWithoutAnswer = (problem: string): AttemptEnd =>
    state.head === undefined
      ? { kind: 'lost', problem }
      : endWithoutBody(state.head, { kind: 'lost', problem });
  const onTimeout = (ms: number): void => {
    if (state.abortRequest !== undefined) return abortWith(endWithoutAnswer(`no answer within ${ms} ms`));
    abortWith({ kind: 'never-sent', problem: `no connection within ${ms} ms`, permanent: false });
  };
  let graceTimer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    const sent = state.abortRequest !== undefined;
    if (!sent || answerGraceMs === 0) return abortWith({ kind: 'cancelled', sent });
    graceTimer = setTimeout(() => abortWith({ kind: 'cancelled', sent }), answerGraceMs);
  };

  const timer = setTimeout(onTimeout, timeoutMs, timeoutMs);
  const deadlineTimer = isStream ? setTimeout(onTimeout, leftMs, leftMs) : undefined;
  signal?.addEventListener('abort', onAbort, { once: true });
  const restartTimeout = (): void => void timer.refresh();
  return { state, restartTimeout, cleanUp, end, abortWith, endWithoutAnswer };
}

/** The events of undici about the connection and the answer. */
function createHandler(
  attempt: Attempt,
  upload: OpenBody,
  maxAnswerBytes: number,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandlers {
  const { state } = attempt;
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    // Called when the connection is established, before the first byte is written.
    onConnect(abort) {
      if (state.ended) abort(new Error('ended before it was sent'));
      else state.abortRequest = abort;
    },
    onHeaders(status, headers) {
      if (status >= 200) state.head = { status, headers: readHeaders(headers) };
      return true;
    },
    onData(chunk) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) {
        attempt.abortWith({ kind: 'too-large', status: state.head?.status ?? 0 });
        return false;
      }
      chunks.push(chunk);
      return true;
    },
    onComplete() {
      const { head } = state;
      if (head === undefined) return;
      const body = concatenate(chunks, bytes);
      if (isEncoded(head.headers['content-encoding']))
        void decoded(head, body, maxAnswerBytes).then(attempt.end);
      else
        attempt.end({
          kind: 'answered',
          answer: { status: head.status, headers: head.headers, text: textOf(body) },
        });
    },
    onError(error) {
      if (state.ended) return;
      if (upload.failure !== undefined) {
        attempt.cleanUp();
        return reject(upload.failure.error);
      }
      const problem = describeProblem(error);
      attempt.end(
        state.abortRequest === undefined
          ? { kind: 'never-sent', problem, permanent: isPermanent(error) }
          : attempt.endWithoutAnswer(problem),
      );
    },
  };
}

/** What is known of an attempt. `abortRequest`: set when the request is on the wire. */
interface AttemptState {
  ended: boolean;
  abortRequest: ((reason: Error) => void) | undefined;
  head: AnswerHead | undefined;
}

type AnswerHead = Omit<WireAnswer, 'text'>;

async function decoded(head: AnswerHead, encoded: Buffer, maxBytes: number): Promise<AttemptEnd> {
  const body = await decodeBody(encoded, head.headers['content-encoding'], maxBytes);
  if (body.kind === 'decoded') return { kind: 'answered', answer: { ...head, text: textOf(body.bytes) } };
  return endWithoutBody(head, body);
}

/** A 4xx or 5xx counts as an answer even if its body was lost. */
function endWithoutBody(
  head: AnswerHead,
  otherwise:
    { readonly kind: 'lost' | 'undecodable'; readonly problem: string } | { readonly kind: 'too-large' },
): AttemptEnd {
  if (head.status >= 400) return { kind: 'answered', answer: { ...head, text: '' } };
  return { ...otherwise, status: head.status };
}

function concatenate(chunks: readonly Buffer[], bytes: number): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes);
}

function textOf(body: Buffer): string {
  return body.toString('utf8').replace(/^\uFEFF/, '');
}

/** Names in lower case; a repeated header's values joined by a comma. */
function readHeaders(raw: readonly Buffer[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]).toLowerCase();
    const value = String(raw[index + 1]);
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
