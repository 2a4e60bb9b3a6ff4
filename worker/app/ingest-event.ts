import { DelayedError, type Job } from 'bullmq';
import { approveByComment } from '../intake/ingest/approve-by-comment.ts';
import { type IngestContext, ingestPush } from '../intake/ingest/ingest-push.ts';
import { messageOf } from '../promotion/advance.ts';
import { delayJob } from '../promotion/delay-job.ts';
import { giveUp } from '../promotion/take-job.ts';
import type { CommentEvent } from '../records/comment-event.ts';
import type { DeliverySubject } from '../records/delivery-subject.ts';
import type { IngestResult } from '../records/ingest-result.ts';
import type { PushEvent } from '../records/push-event.ts';

/** Ingests an event and records the result; returns it as text. Throws DelayedError if the event waits. */
export async function ingestEvent(
  job: Job<PushEvent | CommentEvent>,
  token: string | undefined,
  context: IngestContext,
): Promise<string> {
  const { engine } = context;
  const event = job.data;
  const { delivery, repositoryName, receivedAt } = event;
  const what = 'command' in event ? { comment: event.comment } : { ref: event.ref };
  const subject = {
    repository: repositoryName,
    ...('command' in event ? { pull: event.pull } : { ref: event.ref }),
  };
  try {
    const result =
      'command' in event
        ? { status: 'done' as const, text: await approveByComment(event, context) }
        : await engine.spans.ingest(event, (trace) => ingestPush(event, { ...context, trace }));
    if (result.status === 'waits') return await waitFor(result, { job, token, subject }, context);
    const { text, noPromotion } = result;
    engine.deliveries.ingestResult(delivery, text, subject, noPromotion);
    if (noPromotion !== undefined) engine.metrics.pushesWithoutPromotion.inc({ reason: noPromotion });
    engine.metrics.ingestLag.observe(Math.max(0, engine.clock.now() - receivedAt) / 1_000);
    engine.logger.info('Event ingested.', {
      delivery_id: delivery,
      repository: repositoryName,
      ...what,
      result: text,
      reason: noPromotion,
    });
    return text;
  } catch (error) {
    if (error instanceof DelayedError) throw error;
    if (job.attemptsMade === 0)
      engine.deliveries.ingestResult(delivery, `not ingested yet: ${messageOf(error)}; retrying`, subject);
    // Before the job fails for good: afterwards no record of it is left.
    if (job.attemptsMade + 1 >= (job.opts.attempts ?? 1))
      await giveUpEvent(job, messageOf(error), subject, context);
    throw error;
  }
}

async function giveUpEvent(
  { id, data: event }: Job<PushEvent | CommentEvent>,
  cause: string,
  subject: DeliverySubject,
  { engine, order }: IngestContext,
): Promise<void> {
  engine.deliveries.ingestResult(event.delivery, `given up: ${cause}`, subject, 'given-up');
  await giveUp(engine, { queue: 'ingest', id: `ingest-${id ?? ''}`, kind: 'exhausted', cause, data: event });
  if ('command' in event) return;
  engine.metrics.pushesWithoutPromotion.inc({ reason: 'given-up' });
  await order.leave(event);
}

/** Ingests the push again later. What it waits for is in its job, so that any worker continues the wait. */
async function waitFor(
  { text, ms, event }: Extract<IngestResult, { status: 'waits' }>,
  {
    job,
    token,
    subject,
  }: {
    readonly job: Job<PushEvent | CommentEvent>;
    readonly token: string | undefined;
    readonly subject: DeliverySubject;
  },
  { engine, order }: IngestContext,
): Promise<never> {
  const before = 'command' in job.data ? undefined : job.data.waits;
  // Not each time: the list of deliveries is short.
  if (Object.keys(event.waits ?? {}).length > Object.keys(before ?? {}).length)
    engine.deliveries.ingestResult(event.delivery, `not ingested yet: ${text}`, subject);
  // Before the move: the lock is lost with it.
  await job.updateData(event);
  const isTurn = event.waits?.turnSince === undefined ? undefined : () => order.isFirst(event);
  return delayJob(job, token, ms, isTurn);
}
