import {
  context,
  ROOT_CONTEXT,
  type Context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { type Middleware, tracing } from '../../client/index.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { PushEvent } from '../records/push-event.ts';
import type { PromotionRecord, Step } from '../records/promotion-record.ts';
import { pushAttributes, resultOf, promotionAttributes, stepAttributes } from './promotion-attributes.ts';
import { readTraceParent, writeTraceParent } from './trace-parent.ts';

/**
 * The worker's spans for OpenTelemetry. A promotion outlives processes, so its spans are written when something
 * ended, with its start time; the promotion's plan contains their trace. Without an SDK nothing is recorded.
 */
export interface Spans {
  /** Records the ingest of a push; `work` gets the trace that its promotions belong to. */
  ingest<T>(event: PushEvent, work: (traceParent: string | undefined) => Promise<T>): Promise<T>;
  /** A step of a promotion has ended. */
  step(promotion: PromotionRecord, step: Step, outcome?: Outcome): void;
  /** A promotion has ended. */
  promotion(promotion: PromotionRecord, outcome: Outcome, message: string): void;
  /** Runs work whose calls belong to a promotion. */
  within<T>(promotion: PromotionRecord, work: () => Promise<T>): Promise<T>;
  /** A span for each effect on the platform; polls would be thousands. */
  readonly middleware: Middleware;
}

export function createSpans(tracer: Tracer, clock: Clock): Spans {
  const traced = tracing(tracer);
  const place = ({ plan }: PromotionRecord): Context => {
    const parent = readTraceParent(plan.trace);
    return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  };

  return {
    async ingest(event, work) {
      const attributes = {
        ...pushAttributes(event.ref, event.repositoryName, event.after),
        'millrace.delivery.id': event.delivery,
      };
      const span = tracer.startSpan('ingest push', { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT);
      try {
        return await work(writeTraceParent(span.spanContext()));
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    step(promotion, step, outcome) {
      const startTime = Math.max(step.since, promotion.startedAt ?? step.since);
      const span = tracer.startSpan(
        step.name,
        { attributes: stepAttributes(promotion, step), startTime },
        place(promotion),
      );
      span.setAttribute('cicd.pipeline.task.run.result', resultOf[outcome ?? 'passed']);
      span.end(clock.now());
    },
    promotion(promotion, outcome, message) {
      const startTime = promotion.startedAt ?? promotion.createdAt;
      const options = { kind: SpanKind.SERVER, attributes: promotionAttributes(promotion), startTime };
      const span = tracer.startSpan(`RUN ${promotion.plan.lane.name}`, options, place(promotion));
      const result = resultOf[outcome];
      span.setAttribute('cicd.pipeline.result', result);
      if (result === 'failure' || result === 'error') {
        span.setAttribute('error.type', outcome);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end(clock.now());
    },
    within: (promotion, work) => context.with(place(promotion), work),
    middleware: (request, next, attempt) =>
      request.method === 'GET' ? next(request) : traced(request, next, attempt),
  };
}
