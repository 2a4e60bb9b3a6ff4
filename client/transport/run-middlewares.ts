import type { AttemptEnd } from './attempt.ts';
import type { AttemptContext, AttemptRequest, Middleware } from './middleware.ts';
import { Masked } from './masked.ts';
import type { Redactor } from '../../lib/core/text/redactor.ts';
import type { WireRequest } from './wire.ts';

/** How an attempt ended on the wire, and the end that the middlewares returned. */
export interface LayeredEnd {
  readonly end: AttemptEnd;
  /** Absent if no middleware called `next`. */
  readonly onWire: AttemptEnd | undefined;
}

const notAwaited = 'a middleware did not wait for the answer';

/** A middleware threw; `onWire` is the end of the request, if it was sent. */
export class MiddlewareFailed extends Error {
  readonly onWire: AttemptEnd | undefined;
  constructor(cause: unknown, onWire: AttemptEnd | undefined) {
    super('a middleware threw', { cause });
    this.onWire = onWire;
  }
}

/**
 * Runs one attempt through all middlewares, by the contract in `middleware.ts`.
 *
 * @throws {MiddlewareFailed} and what `send` throws.
 */
export async function runMiddlewares(
  middlewares: readonly Middleware[],
  request: WireRequest,
  context: AttemptContext,
  redactor: Redactor,
  send: (request: WireRequest) => Promise<AttemptEnd>,
): Promise<LayeredEnd> {
  let onWire: AttemptEnd | undefined;
  let viewOfWireEnd: AttemptEnd | undefined;
  let wasSent = false;
  let thrownByWire: { readonly error: unknown } | undefined;

  const view = viewOf(request, redactor);
  const toWire = async (visible: AttemptRequest): Promise<AttemptEnd> => {
    wasSent = true;
    try {
      onWire = await send(visible === view ? request : withHeaders(request, visible.headers, view.headers));
    } catch (error) {
      thrownByWire = { error };
      throw error;
    }
    viewOfWireEnd = viewOfEnd(onWire, redactor);
    return viewOfWireEnd;
  };
  // Not async: each async function between an attempt and the wire adds turns of the microtask queue.
  const layer = (index: number, visible: AttemptRequest): Promise<AttemptEnd> => {
    const middleware = middlewares[index];
    if (middleware === undefined) return toWire(visible);
    let called = false;
    const next = (nextRequest: AttemptRequest): Promise<AttemptEnd> => {
      try {
        if (called) throw new Error('next() was called a second time in one attempt');
        called = true;
        return layer(index + 1, nextRequest);
      } catch (error) {
        return Promise.reject(error);
      }
    };
    return middleware(visible, next, context);
  };

  // A request that is still active when the middleware ends may already be processed by the platform.
  const wireEnd = (): AttemptEnd | undefined =>
    onWire ?? (wasSent && thrownByWire === undefined ? { kind: 'lost', problem: notAwaited } : undefined);

  try {
    const end = (await layer(0, view)) as AttemptEnd | undefined;
    if (end === undefined) throw new TypeError('a middleware returned nothing');
    return { end: end === viewOfWireEnd && onWire !== undefined ? onWire : end, onWire: wireEnd() };
  } catch (error) {
    if (thrownByWire?.error === error) throw error;
    throw new MiddlewareFailed(error, wireEnd());
  }
}

function viewOf(request: WireRequest, redactor: Redactor): AttemptRequest {
  const { method, origin, path, headers, body } = request;
  return Masked.beside(
    { method, url: redactor.text(origin + path), body: bodyOf(body, headers, redactor) },
    { headers },
    redactor,
  );
}

function bodyOf(
  body: WireRequest['body'],
  headers: WireRequest['headers'],
  redactor: Redactor,
): AttemptRequest['body'] {
  if (body === undefined) return undefined;
  if (body.kind === 'stream') return { kind: 'stream', bytes: Number(headers['content-length']) };
  return Masked.beside({ kind: 'text' as const }, { text: body.text }, redactor);
}

function viewOfEnd(end: AttemptEnd, redactor: Redactor): AttemptEnd {
  if (end.kind !== 'answered') {
    return 'problem' in end ? { ...end, problem: redactor.text(end.problem) } : { ...end };
  }
  const { status, headers, text } = end.answer;
  return { kind: 'answered', answer: Masked.beside({ status }, { headers, text }, redactor) };
}

/** The request with the headers that a middleware returned. A masked value that it returned is replaced by the real one. */
function withHeaders(
  request: WireRequest,
  returned: Readonly<Record<string, string>>,
  masked: Readonly<Record<string, string>>,
): WireRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(returned)) {
    headers[name] = value === masked[name] ? (request.headers[name] ?? value) : value;
  }
  return { ...request, headers };
}
