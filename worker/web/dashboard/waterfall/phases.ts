import { factsIn, type HistoryEvent } from '../../../records/history-event.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';

/** How a phase ended. `open`: it has not ended. */
export type PhaseEnd = 'done' | 'failed' | 'stopped' | 'open';

/** A part of a promotion's time. Phases follow each other without gaps. Times in milliseconds since the epoch. */
export interface Phase {
  /** The same in all promotions of a lane, so that they can be compared. */
  readonly name: string;
  /** The phase only waits, so its length says nothing about the work. */
  readonly isWait: boolean;
  readonly from: number;
  /** Undefined while it is open. */
  readonly to: number | undefined;
  readonly end: PhaseEnd;
  /** The events in it that are not its beginning or end: retries, decisions of people, waits. */
  readonly events: readonly HistoryEvent[];
  readonly executionId?: string | undefined;
  /** Number of the verification that the execution is for; the first is 0. */
  readonly verify?: number | undefined;
  /** When the platform says that the execution ran. */
  readonly ran?: { readonly from: number; readonly to: number } | undefined;
}

type Mutable = { -readonly [Key in keyof Phase]: Phase[Key] } & { events: HistoryEvent[] };

type Facts = Pick<PromotionRecord, 'task' | 'createdAt' | 'outcome'> & {
  readonly report: Pick<PromotionRecord['report'], 'endSentAt'>;
};

/** The start of the name of a phase in which a pipeline verifies the version. */
export const verifyPrefix = 'Verify ';

/** Events after which the version is in the environment. */
const arrivals: ReadonlySet<string> = new Set(['promoted', 'promotion-found', 'already-there', 'made-live']);

const effects: ReadonlySet<string> = new Set(['intend-promote', 'intend-enable', 'intend-disable']);

/** Computes the phases of a promotion from its history. */
export function phasesOf(promotion: Facts, history: readonly HistoryEvent[]): readonly Phase[] {
  const { verify } = promotion.task.lane;
  const phases: Mutable[] = [];
  let verified = 0;
  let isInTarget = false;
  const current = (): Mutable | undefined => phases.at(-1);
  function close(at: number, end: PhaseEnd): void {
    const phase = current();
    if (phase?.to === undefined && phase !== undefined) Object.assign(phase, { to: at, end });
  }
  function open(at: number, name: string, isWait = false): void {
    close(at, 'done');
    phases.push({ name, isWait, from: at, to: undefined, end: 'open', events: [] });
  }
  const openExecution = (at: number): void => {
    const next = verify[verified];
    if (next === undefined) close(at, 'done');
    else open(at, `${verifyPrefix}${next.pipeline}`);
  };
  open(promotion.createdAt, 'Queue', true);
  for (const event of history) {
    const { what, at } = event;
    if (what === 'accepted') continue;
    if (what === 'activated') {
      if (isInTarget) openExecution(at);
      else open(at, 'Find version', true);
    } else if (what === 'resolved') open(at, 'Gates', true);
    else if (what === 'must-soak') open(at, 'Find version', true);
    else if (effects.has(what) && current()?.name === 'Gates') open(at, 'Promote');
    else if (arrivals.has(what)) {
      isInTarget = true;
      openExecution(at);
    } else if (what === 'started') {
      const phase = current();
      if (phase !== undefined)
        Object.assign(phase, { executionId: factOf(event, 'executionId'), verify: verified });
    } else if (what === 'verified') {
      const phase = current();
      if (phase !== undefined) phase.ran = ranOf(event);
      verified += 1;
      openExecution(at);
    } else if (what === 'verification-failed') {
      const phase = current();
      if (phase !== undefined) phase.ran = ranOf(event);
      close(at, 'failed');
      open(at, 'Roll back');
    } else if (what === 'rolled-back' && current()?.name === 'Roll back') close(at, 'done');
    else if (what === 'verdict') open(at, 'Queue again', true);
    else if (what === 'ended' || what === 'superseded' || what === 'cancelled') {
      close(at, endOf(event));
      if (event.data === 'indeterminate') open(at, 'Wait for a person', true);
      // Later events, such as a roll-back by hand, happen after the promotion's work: only the timeline has them.
    } else if (!isPlain(what) && current()?.to === undefined) current()?.events.push(event);
  }
  return withReport(phases, promotion);
}

/** Events that the bars show already. */
const isPlain = (what: string): boolean => what === 'intend-start' || effects.has(what);

function endOf({ what, data }: HistoryEvent): PhaseEnd {
  if (what !== 'ended') return 'stopped';
  if (data === 'passed' || data === 'already-done') return 'done';
  return data === 'failed' || data === 'error' || data === 'indeterminate' ? 'failed' : 'stopped';
}

/** Until GitHub shows how it ended. */
function withReport(phases: readonly Phase[], { outcome, report }: Facts): readonly Phase[] {
  const last = phases.at(-1);
  const from = last?.to;
  if (
    outcome === undefined ||
    from === undefined ||
    report.endSentAt === undefined ||
    report.endSentAt < from
  )
    return phases;
  return [...phases, { name: 'Report', isWait: false, from, to: report.endSentAt, end: 'done', events: [] }];
}

function factOf({ data }: HistoryEvent, name: string): string | undefined {
  return factsIn(data)?.find(([key]) => key === name)?.[1];
}

function ranOf(event: HistoryEvent): Phase['ran'] {
  const [from, to] = ['startedAt', 'finishedAt'].map((name) => Date.parse(factOf(event, name) ?? ''));
  return from === undefined || to === undefined || !(to >= from) ? undefined : { from, to };
}
