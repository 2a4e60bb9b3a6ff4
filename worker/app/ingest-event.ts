import { messageOf } from '../../lib/core/errors/message-of.ts';
import { actOnCheck } from '../intake/ingest/act-on-check.ts';
import { decideByComment } from '../intake/ingest/decide-by-comment.ts';
import { type IngestContext, ingestPush } from '../intake/ingest/ingest-push.ts';
import { delayJob, JobDelayed, type QueuedJob } from '../queue/queued-job.ts';
import type { WorkerPorts } from './open-ports.ts';
import { giveUp } from '../promotion/context/take-job.ts';
import type { CommentAnswer } from '../records/comment-answer.ts';
import type { DeliverySubject } from '../records/delivery-subject.ts';
import type { IncomingEvent } from '../records/incoming-event.ts';
import type { IngestResult } from '../records/ingest-result.ts';
import { NewerFormat } from '../store/scripts/newer-format.ts';
import type { ShowAgain } from '../reporting/github/show-again.ts';

export interface EventContext extends IngestContext {
  readonly ports: WorkerPorts;
  readonly showAgain: ShowAgain;
  /** Queues the answer to a comment, unless the comment got one before. */
  readonly answerComment: (answer: CommentAnswer) => Promise<void>;
}

/** Ingests a webhook event, records the result, and returns it as text. Throws JobDelayed if the event must wait. */
export async function ingestEvent(
  job: QueuedJob<IncomingEvent>,
  token: string | undefined,
  context: EventContext,
): Promise<string> {
  const { ports } = context;
  const event = job.data;
  const { delivery, repositoryName, receivedAt } = event;
  const { what, about } = factsOf(event);
  const subject = { repository: repositoryName, ...about };
  try {
    const result = await ingestByKind(event, context);
    if (result.status === 'waits') return await waitFor(result, { job, token, subject }, context);
    const { text, noPromotion } = result;
    ports.deliveries.ingestResult(delivery, text, subject, noPromotion);
    if (noPromotion !== undefined) ports.metrics.pushesWithoutPromotion.inc({ reason: noPromotion });
    ports.metrics.ingestLag.observe(Math.max(0, ports.clock.now() - receivedAt) / 1_000);
    ports.logger.info('Event ingested.', {
      delivery_id: delivery,
      repository: repositoryName,
      ...what,
      result: text,
      reason: noPromotion,
    });
    return text;
  } catch (error) {
    if (error instanceof JobDelayed || error instanceof NewerFormat) throw error;
    if (job.attemptsMade === 0)
      ports.deliveries.ingestResult(
        delivery,
        `not processed yet: ${messageOf(error)}; the worker tries again`,
        subject,
      );
    // Given up before the job fails for good, because no record of it is left afterwards.
    if (job.attemptsMade + 1 >= (job.opts.attempts ?? 1))
      await giveUpEvent(job, messageOf(error), subject, context);
    throw error;
  }
}

async function ingestByKind(event: IncomingEvent, context: EventContext): Promise<IngestResult> {
  if ('ref' in event)
    return context.ports.spans.ingest(event, (trace) => ingestPush(event, { ...context, trace }));
  if (!('command' in event)) return { status: 'done', text: await actOnCheck(event, context) };
  const { text, answer } = await decideByComment(event, context);
  // Before the job ends. After a crash in between, the comment is processed again, with the same result.
  if (answer !== undefined) await context.answerComment(answer);
  return { status: 'done', text };
}

/** What an event is about: for the log, and for the list of deliveries. */
function factsOf(event: IncomingEvent): { readonly what: object; readonly about: DeliverySubject } {
  if ('ref' in event) return { what: { ref: event.ref }, about: { ref: event.ref } };
  if ('command' in event) return { what: { comment: event.comment }, about: { pull: event.pull } };
  const { act, promotion } = event.request;
  return { what: { check: act, promotion }, about: {} };
}

async function giveUpEvent(
  { id, data: event }: QueuedJob<IncomingEvent>,
  cause: string,
  subject: DeliverySubject,
  { ports, order }: EventContext,
): Promise<void> {
  ports.deliveries.ingestResult(
    event.delivery,
    `the worker has given up: ${cause}; see the dead letters`,
    subject,
    'given-up',
  );
  await giveUp(ports, { queue: 'ingest', id: `ingest-${id ?? ''}`, kind: 'exhausted', cause, data: event });
  if (!('ref' in event)) return;
  ports.metrics.pushesWithoutPromotion.inc({ reason: 'given-up' });
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
    readonly job: QueuedJob<IncomingEvent>;
    readonly token: string | undefined;
    readonly subject: DeliverySubject;
  },
  { ports, order }: EventContext,
): Promise<never> {
  const before = 'ref' in job.data ? job.data.waits : undefined;
  // Recorded once for each kind of wait, because the list of deliveries is short.
  if (Object.keys(event.waits ?? {}).length > Object.keys(before ?? {}).length)
    ports.deliveries.ingestResult(event.delivery, `not processed yet: ${text}`, subject);
  // Stored before the job is moved, because the lock is lost with the move.
  await job.updateData(event);
  const isTurn = event.waits?.turnSince === undefined ? undefined : () => order.isFirst(event);
  return delayJob(job, token, ms, isTurn);
}
