import type { Dispatcher } from 'undici';
import type { AttemptEnd } from './attempt.ts';
import { decodeBody, isEncoded } from './decode-body.ts';
import { openBody, type SentBytes } from './open-body.ts';
import { describeProblem, isPermanent } from './transport-problem.ts';
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
  { timeoutMs, leftMs, maxAnswerBytes, signal, answerGraceMs = 0, onSent }: AttemptLimits,
): Promise<AttemptEnd> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return resolve({ kind: 'cancelled', sent: false });
    let abortRequest: ((reason: Error) => void) | undefined;
    let ended = false;
    let head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;

    const cleanUp = (): void => {
      ended = true;
      clearTimeout(timer);
      clearTimeout(deadlineTimer);
      clearTimeout(graceTimer);
      signal?.removeEventListener('abort', onAbort);
    };
    const end = (attemptEnd: AttemptEnd): void => {
      if (ended) return;
      cleanUp();
      resolve(attemptEnd);
    };
    /** Ends the attempt before undici does; later reports of undici are only about this abort. */
    const abortWith = (attemptEnd: AttemptEnd): void => {
      end(attemptEnd);
      abortRequest?.(new Error('broken off'));
    };
    const endWithoutAnswer = (problem: string): AttemptEnd => {
      if (head === undefined) return { kind: 'lost', problem };
      // A 4xx or 5xx counts as an answer even if its body was lost.
      if (head.status >= 400) return { kind: 'answered', answer: { ...head, text: '' } };
      return { kind: 'lost', problem, status: head.status };
    };
    const onTimeout = (ms: number): void => {
      if (abortRequest !== undefined) return abortWith(endWithoutAnswer(`no answer within ${ms} ms`));
      abortWith({ kind: 'never-sent', problem: `no connection within ${ms} ms`, permanent: false });
    };
    let graceTimer: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      const sent = abortRequest !== undefined;
      if (!sent || answerGraceMs === 0) return abortWith({ kind: 'cancelled', sent });
      graceTimer = setTimeout(() => abortWith({ kind: 'cancelled', sent }), answerGraceMs);
    };

    const timer = setTimeout(onTimeout, timeoutMs, timeoutMs);
    const deadlineTimer = request.body?.kind === 'stream' ? setTimeout(onTimeout, leftMs, leftMs) : undefined;
    signal?.addEventListener('abort', onAbort, { once: true });
    const upload = openBody(request.body, {
      onActivity: () => void timer.refresh(),
      onChunk: (size) => onSent?.(size),
    });

    dispatcher.dispatch(
      {
        origin: request.origin,
        path: request.path,
        method: request.method,
        headers: authorization === undefined ? request.headers : { ...request.headers, authorization },
        body: upload.body,
      },
      {
        // Called when the connection is established, before the first byte is written.
        onConnect(abort) {
          if (ended) abort(new Error('ended before it was sent'));
          else abortRequest = abort;
        },
        onHeaders(status, headers) {
          if (status >= 200) head = { status, headers: readHeaders(headers) };
          return true;
        },
        onData(chunk) {
          bytes += chunk.length;
          if (bytes > maxAnswerBytes) {
            abortWith({ kind: 'too-large', status: head?.status ?? 0 });
            return false;
          }
          chunks.push(chunk);
          return true;
        },
        onComplete() {
          if (head === undefined) return;
          const { status, headers } = head;
          const body = concatenate(chunks, bytes);
          const encoding = headers['content-encoding'];
          if (isEncoded(encoding)) void decoded({ status, headers }, body, maxAnswerBytes).then(end);
          else end({ kind: 'answered', answer: { status, headers, text: textOf(body) } });
        },
        onError(error) {
          if (ended) return;
          if (upload.failure !== undefined) {
            cleanUp();
            return reject(upload.failure.error);
          }
          const problem = describeProblem(error);
          end(
            abortRequest === undefined
              ? { kind: 'never-sent', problem, permanent: isPermanent(error) }
              : endWithoutAnswer(problem),
          );
        },
      },
    );
  });
}

type AnswerHead = Omit<WireAnswer, 'text'>;

async function decoded(head: AnswerHead, encoded: Buffer, maxBytes: number): Promise<AttemptEnd> {
  const body = await decodeBody(encoded, head.headers['content-encoding'], maxBytes);
  if (body.kind === 'decoded') return { kind: 'answered', answer: { ...head, text: textOf(body.bytes) } };
  // A 4xx or 5xx counts as an answer even if its body was lost.
  if (head.status >= 400) return { kind: 'answered', answer: { ...head, text: '' } };
  return { ...body, status: head.status };
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
