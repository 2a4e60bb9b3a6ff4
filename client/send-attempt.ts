import type { Dispatcher } from 'undici';
import type { AttemptEnd } from './attempt.ts';
import { decodeBody, isEncoded } from './decode-body.ts';
import { openBody, type SentBytes } from './open-body.ts';
import { describeProblem, isPermanent } from './transport-problem.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

export interface AttemptLimits {
  /** Milliseconds from the start to the last byte of the answer; an upload's every piece starts it anew. */
  readonly timeoutMs: number;
  /** Milliseconds that nothing starts anew. */
  readonly leftMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that a request which has left may still take to be answered once the signal has aborted. */
  readonly answerGraceMs?: number | undefined;
  readonly onSent?: SentBytes | undefined;
}

/**
 * Sends a request once and reads its answer; redirects are not followed, because the credential must not travel.
 *
 * Speaks to the dispatcher itself, below undici's `request`: only there it says when a connection stands and the
 * first byte is about to be written, which is what proves that a request never left.
 *
 * @throws what a file of the upload ended in, or what `onSent` threw.
 */
export function sendAttempt(
  request: WireRequest,
  authorization: string | undefined,
  dispatcher: Dispatcher,
  { timeoutMs, leftMs, maxAnswerBytes, signal, answerGraceMs = 0, onSent }: AttemptLimits,
): Promise<AttemptEnd> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return resolve({ kind: 'cancelled', sent: false });
    let breakOff: ((reason: Error) => void) | undefined;
    let ended = false;
    let head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;

    const leave = (): void => {
      ended = true;
      clearTimeout(timer);
      clearTimeout(lastTimer);
      clearTimeout(graceTimer);
      signal?.removeEventListener('abort', onAbort);
    };
    const end = (how: AttemptEnd): void => {
      if (ended) return;
      leave();
      resolve(how);
    };
    /** Ends before undici does; what it reports afterwards is about our own breaking off. */
    const cut = (how: AttemptEnd): void => {
      end(how);
      breakOff?.(new Error('broken off'));
    };
    const unanswered = (problem: string): AttemptEnd => {
      if (head === undefined) return { kind: 'lost', problem };
      // A refusal is a refusal, whatever became of its body.
      if (head.status >= 400) return { kind: 'answered', answer: { ...head, text: '' } };
      return { kind: 'lost', problem, status: head.status };
    };
    const onTimeout = (ms: number): void => {
      if (breakOff !== undefined) return cut(unanswered(`no answer within ${ms} ms`));
      cut({ kind: 'never-sent', problem: `no connection within ${ms} ms`, permanent: false });
    };
    let graceTimer: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      const sent = breakOff !== undefined;
      if (!sent || answerGraceMs === 0) return cut({ kind: 'cancelled', sent });
      graceTimer = setTimeout(() => cut({ kind: 'cancelled', sent }), answerGraceMs);
    };

    const timer = setTimeout(onTimeout, timeoutMs, timeoutMs);
    const lastTimer = request.body?.kind === 'stream' ? setTimeout(onTimeout, leftMs, leftMs) : undefined;
    signal?.addEventListener('abort', onAbort, { once: true });
    const upload = openBody(request.body, {
      onMove: () => void timer.refresh(),
      onPiece: (size) => onSent?.(size),
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
        // Called when the connection stands and before anything is written to it.
        onConnect(abort) {
          if (ended) abort(new Error('ended before it was sent'));
          else breakOff = abort;
        },
        onHeaders(status, headers) {
          if (status >= 200) head = { status, headers: readHeaders(headers) };
          return true;
        },
        onData(chunk) {
          bytes += chunk.length;
          if (bytes > maxAnswerBytes) {
            cut({ kind: 'too-large', status: head?.status ?? 0 });
            return false;
          }
          chunks.push(chunk);
          return true;
        },
        onComplete() {
          if (head === undefined) return;
          const { status, headers } = head;
          const whole = wholeOf(chunks, bytes);
          const encoding = headers['content-encoding'];
          if (isEncoded(encoding)) void decoded({ status, headers }, whole, maxAnswerBytes).then(end);
          else end({ kind: 'answered', answer: { status, headers, text: textOf(whole) } });
        },
        onError(error) {
          if (ended) return;
          if (upload.failure !== undefined) {
            leave();
            return reject(upload.failure.error);
          }
          const problem = describeProblem(error);
          end(
            breakOff === undefined
              ? { kind: 'never-sent', problem, permanent: isPermanent(error) }
              : unanswered(problem),
          );
        },
      },
    );
  });
}

type AnswerHead = Omit<WireAnswer, 'text'>;

async function decoded(head: AnswerHead, whole: Buffer, maxBytes: number): Promise<AttemptEnd> {
  const body = await decodeBody(whole, head.headers['content-encoding'], maxBytes);
  if (body.kind === 'decoded') return { kind: 'answered', answer: { ...head, text: textOf(body.bytes) } };
  // A refusal is a refusal, whatever became of its body.
  if (head.status >= 400) return { kind: 'answered', answer: { ...head, text: '' } };
  return { ...body, status: head.status };
}

function wholeOf(chunks: readonly Buffer[], bytes: number): Buffer {
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
