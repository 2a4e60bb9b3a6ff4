import type { Admission } from '../../../store/admission.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Reporting } from '../../../store/reports/reporting.ts';
import type { DeadLetterStore, Queues, Records } from '../../../promotion/context/ports.ts';
import type { DeadLetter } from '../../../store/jobs/dead-letters.ts';
import { replayDeadLetter } from '../../../promotion/admission/replay.ts';
import { type ApiAnswer, conflict, ok, unknown } from './answers.ts';
import { type ApiCall, limitOf } from './api-call.ts';
import { timeOf } from './time-of.ts';

const maxLetters = 200;

/** The dead letters, newest first. */
export async function listDeadLetters(call: ApiCall<DeadLetterStore>): Promise<ApiAnswer> {
  const letters = await call.ports.deadLetters.list(limitOf(call, maxLetters));
  return ok({ deadLetters: letters.map(describeLetter) });
}

/** Replays a dead letter. */
export async function replayLetter({
  id,
  operator,
  via,
  ports,
}: ApiCall<Records<Admission & LaneReads & Reporting> & Queues & DeadLetterStore>): Promise<ApiAnswer> {
  const replayed = await replayDeadLetter(id, { by: operator.name, via }, ports);
  if (replayed.status === 'unknown') return unknown();
  if (replayed.status === 'refused')
    return conflict(`the dead letter cannot be replayed: ${replayed.reason}`);
  const { promotion = '' } = replayed;
  return ok({ replayed: id, promotion: promotion === '' ? null : promotion }, 202);
}

/** A dead letter for people: without its data, except the fields that identify its work. */
export function describeLetter({ id, queue, kind, cause, at, data }: DeadLetter) {
  const fields: Readonly<Record<string, unknown>> = { ...(typeof data === 'object' ? data : {}) };
  const text = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null);
  return {
    id,
    queue,
    kind,
    cause,
    at: timeOf(at),
    promotion: text('promotionId'),
    delivery: text('delivery'),
    repository: text('repositoryName'),
    ref: text('ref'),
    /** For a comment. */
    pull: typeof fields['pull'] === 'number' ? fields['pull'] : null,
  };
}
