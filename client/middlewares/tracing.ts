import type { Middleware } from '../transport/middleware.ts';

/** The part of OpenTelemetry's span that is used here; a span of `@opentelemetry/api` fits. */
export interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  end(): void;
}

/** The part of OpenTelemetry's tracer that is used here; `trace.getTracer('…')` fits. */
export interface Tracer {
  startSpan(name: string, options: { kind: number; attributes: Record<string, string | number> }): Span;
}

const clientKind = 2;
const errorStatus = 2;

/**
 * Creates a client span per attempt by OpenTelemetry's conventions for HTTP and sends its context as `traceparent`.
 * The span contains nothing of the request's or the answer's body.
 */
export function tracing(tracer: Tracer): Middleware {
  const hostOf = hostReader();
  return async (request, next, { operation, attempt, requestId }) => {
    const span = tracer.startSpan(operation, {
      kind: clientKind,
      attributes: {
        'http.request.method': request.method,
        'url.full': request.url,
        'server.address': hostOf(request.url),
        'millrace.operation': operation,
        ...(requestId === undefined ? {} : { 'millrace.request_id': requestId }),
        ...(attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 }),
      },
    });
    try {
      const end = await next({ ...request, headers: { ...request.headers, traceparent: parentOf(span) } });
      if (end.kind === 'answered') span.setAttribute('http.response.status_code', end.answer.status);
      const fault =
        end.kind !== 'answered' ? end.kind : end.answer.status >= 400 ? String(end.answer.status) : undefined;
      if (fault !== undefined) {
        span.setAttribute('error.type', fault);
        span.setStatus({ code: errorStatus, ...('problem' in end ? { message: end.problem } : {}) });
      }
      return end;
    } catch (error) {
      span.setStatus({ code: errorStatus });
      throw error;
    } finally {
      span.end();
    }
  };
}

/** A client uses one platform, so its address is parsed once. */
function hostReader(): (url: string) => string {
  let origin: string | undefined;
  let host = '';
  return (url) => {
    if (origin === undefined || !url.startsWith(origin)) {
      const read = new URL(url);
      origin = `${read.origin}/`;
      host = read.hostname;
    }
    return host;
  };
}

function parentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
