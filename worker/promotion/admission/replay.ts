import { admit, promotionIdOf } from './admit.ts';
import { taskAgain } from './retry-promotion.ts';
import type { IncomingEvent } from '../../records/incoming-event.ts';
import type { AuditEntry } from '../../records/audit-entry.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Reporting } from '../../store/reports/reporting.ts';
import type { Admission } from '../../store/admission.ts';
import type { DeadLetterStore, Queues, Records } from '../context/ports.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { DeadLetter } from '../../store/jobs/dead-letters.ts';

export type Replayed =
  | { readonly status: 'unknown' }
  | { readonly status: 'refused'; readonly reason: string }
  /** `promotion`: the new promotion, if one was created. */
  | { readonly status: 'replayed'; readonly promotion?: string };

/**
 * Replays a dead letter in the name of a person, and removes it from the list. The action and its audit entry are
 * one step in Redis; if this process ends in between, the reconciler completes the replay.
 */
export async function replayDeadLetter(
  id: string,
  { by, via }: Pick<AuditEntry, 'by' | 'via'>,
  ports: Records<Admission & LaneReads & Reporting> & Queues & DeadLetterStore,
): Promise<Replayed> {
  const { deadLetters, store } = ports;
  const letter = await deadLetters.get(id);
  if (letter === undefined) return { status: 'unknown' };
  const promotion = letter.queue === 'ingest' ? undefined : await store.promotion(promotionOf(letter.data));
  const reason = await replayRefusal(letter, promotion, ports);
  if (reason !== undefined) return { status: 'refused', reason };
  const fresh = letter.queue === 'promotion' && promotion !== undefined ? replayIdOf(promotion) : '';
  const data = JSON.stringify({ deadLetter: id });
  const out = await deadLetters.beginReplay(id, {
    by,
    via,
    lane: promotion?.lane ?? '',
    promotion: fresh,
    data,
  });
  if (out === undefined) return { status: 'unknown' };
  await replay(out, ports);
  return fresh === '' ? { status: 'replayed' } : { status: 'replayed', promotion: fresh };
}

/** Completes replays that were begun but not finished. Repeating a replay has no further effect. */
export async function finishReplays(
  ports: Records<Admission & LaneReads & Reporting> & Queues & DeadLetterStore,
): Promise<void> {
  for (const letter of await ports.deadLetters.unfinishedReplays()) await replay(letter, ports);
}

async function replayRefusal(
  { queue, data }: DeadLetter,
  promotion: PromotionRecord | undefined,
  { store }: Records<LaneReads>,
): Promise<string | undefined> {
  if (queue === 'ingest')
    return isIncoming(data)
      ? undefined
      : 'another version of the worker wrote the event of this job, and this version cannot read it';
  if (promotion === undefined) return 'the promotion of the job no longer exists';
  if (queue === 'report') return undefined;
  if (promotion.state !== 'finished') return 'the promotion of the job is not finished';
  const again = await store.promotion(replayIdOf(promotion));
  return again === undefined ? undefined : 'this job was replayed before; retry the promotion of that replay';
}

async function replay(
  { id, queue, data }: DeadLetter,
  ports: Records<Admission & LaneReads & Reporting> & Queues & DeadLetterStore,
): Promise<void> {
  const { queues, store, deadLetters } = ports;
  const promotion = queue === 'ingest' ? undefined : await store.promotion(promotionOf(data));
  if (promotion === undefined) {
    if (isIncoming(data)) await queues.replayPush(data);
  } else if (queue === 'report') {
    await store.resendReport(promotion);
    await queues.addReport(promotion.id, promotion.report.seq);
  } else {
    const head = { field: '', value: '' };
    const task = taskAgain(promotion.task);
    await admit({ promotionId: replayIdOf(promotion), task, order: 'any', head }, ports);
  }
  await deadLetters.finishReplay(id);
}

const replayIdOf = (promotion: PromotionRecord): string =>
  promotionIdOf(promotion.lane, `replay of ${promotion.id}`);

/** Data that a worker wrote, perhaps of another version. */
function isIncoming(data: unknown): data is IncomingEvent {
  return (
    typeof data === 'object' &&
    data !== null &&
    'digest' in data &&
    'repositoryId' in data &&
    ('ref' in data || 'command' in data || 'request' in data)
  );
}

function promotionOf(data: unknown): string {
  const promotionId =
    typeof data === 'object' && data !== null && 'promotionId' in data ? data.promotionId : '';
  return typeof promotionId === 'string' ? promotionId : '';
}
