import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The context of a span in the W3C format; undefined if no spans are recorded. */
export function writeTraceParent(context: SpanContext): string | undefined {
  if (!isSpanContextValid(context)) return undefined;
  return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Parses a span's context in the W3C format; undefined if the text is not valid. */
export function readTraceParent(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = form.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
