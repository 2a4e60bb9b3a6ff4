import type { Middleware } from '../middleware.ts';

/** As much of OpenTelemetry's span as is used here; a span of `@opentelemetry/api` fits. */
export interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  end(): void;
}

/** As much of OpenTelemetry's tracer as is used here; `trace.getTracer('…')` fits. */
export interface Tracer {
  startSpan(name: string, options: { kind: number; attributes: Record<string, string | number> }): Span;
}

const clientKind = 2;
const errorStatus = 2;

/**
 * A client span per attempt, named and described by OpenTelemetry's conventions for HTTP, whose context travels as
 * `traceparent`. Nothing of the request's body or the answer's goes into it.
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

/** A client speaks to one platform: its address is taken apart once. */
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
