import {
  type Attributes,
  context,
  type Context,
  ROOT_CONTEXT,
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
import { readTraceParent, writeTraceParent } from './trace-parent.ts';
import type { PromotionTask } from '../records/promotion-task.ts';

/**
 * The worker's spans for OpenTelemetry. A promotion can outlive processes, so a span is written when its work ends,
 * with the time when it started; the promotion's task contains the trace. Without an OpenTelemetry SDK, nothing is
 * recorded.
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
  const place = ({ task }: PromotionRecord): Context => {
    const parent = readTraceParent(task.trace);
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
      const span = tracer.startSpan(`RUN ${promotion.task.lane.name}`, options, place(promotion));
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

/** Outcomes as values of OpenTelemetry's conventions for CI/CD. */
const resultOf: Readonly<Record<Outcome, string>> = {
  passed: 'success',
  failed: 'failure',
  cancelled: 'cancellation',
  superseded: 'skip',
  'nothing-to-do': 'skip',
  'already-done': 'skip',
  'skipped-fork': 'skip',
  indeterminate: 'error',
  error: 'error',
};

/** Repository and ref by OpenTelemetry's conventions for version control. */
function pushAttributes(ref: string, repository: string, commit?: string): Attributes {
  const isTag = ref.startsWith('refs/tags/');
  return {
    'vcs.provider.name': 'github',
    'vcs.owner.name': repository.split('/')[0] ?? '',
    'vcs.repository.name': repository.split('/')[1] ?? '',
    'vcs.ref.head.name': ref.replace(/^refs\/(?:heads|tags)\//, ''),
    'vcs.ref.head.type': isTag ? 'tag' : 'branch',
    ...(commit === undefined ? {} : { 'vcs.ref.head.revision': commit }),
  };
}

/** A promotion as a pipeline run of OpenTelemetry: the lane is the pipeline. */
function promotionAttributes({ id, task, version }: PromotionRecord): Attributes {
  const { lane, ref, repository, commit }: PromotionTask = task;
  return {
    'cicd.pipeline.name': lane.name,
    'cicd.pipeline.action.name': 'RUN',
    'cicd.pipeline.run.id': id,
    'deployment.environment.name': lane.to,
    'millrace.lane.id': lane.id,
    ...(version === undefined ? {} : { 'millrace.version': version }),
    ...pushAttributes(ref, repository.fullName, commit),
  };
}

/** A step of a promotion as a task of the pipeline. */
function stepAttributes(promotion: PromotionRecord, step: Step): Attributes {
  const verify = 'verify' in step ? step.verify : undefined;
  const pipeline = verify === undefined ? undefined : promotion.task.lane.verify[verify]?.pipeline;
  const type = step.name === 'promote' ? 'deploy' : verify === undefined ? undefined : 'test';
  return {
    'cicd.pipeline.name': promotion.task.lane.name,
    'cicd.pipeline.run.id': promotion.id,
    'cicd.pipeline.task.name': pipeline === undefined ? step.name : `${step.name} ${pipeline}`,
    'cicd.pipeline.task.run.id': `${promotion.id}/${step.name}${verify === undefined ? '' : `-${verify}`}`,
    ...(type === undefined ? {} : { 'cicd.pipeline.task.type': type }),
    ...('executionId' in step ? { 'millrace.execution.id': step.executionId } : {}),
  };
}
