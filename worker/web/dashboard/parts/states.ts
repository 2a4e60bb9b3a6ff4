import type { ShownLane } from '../../api/operations/describe-lane.ts';
import type { ShownPromotion } from '../../api/operations/describe-promotion.ts';
import type { Content } from '../../../../lib/html/markup.ts';
import { pill, type Tone } from '../../../../lib/html/parts.ts';

const outOfStepLabel = 'out of step';
const rolledBackLabel = 'rolled back';

/** The state of a lane or a promotion, with its word and its colour. */
export interface State {
  readonly tone: Tone;
  readonly label: string;
  /** The group for the overview. */
  readonly group: 'needs-you' | 'moving' | 'waiting' | 'failed' | 'quiet';
}

/** Outcomes after which the wanted version is not live, with their tone and group. */
const undone: ReadonlyMap<string, Pick<State, 'tone' | 'group'>> = new Map([
  ['failed', { tone: 'bad', group: 'failed' }],
  ['error', { tone: 'bad', group: 'failed' }],
  // It is unknown whether it failed, until a person checks.
  ['indeterminate', { tone: 'bad', group: 'needs-you' }],
  ['cancelled', { tone: 'calm', group: 'quiet' }],
  // Promoted, but never verified.
  ['nothing-to-do', { tone: 'calm', group: 'quiet' }],
]);

const paused: State = { tone: 'wait', label: 'paused', group: 'waiting' };

/** How the status of a promotion begins that waits for the end of a pause. */
const pausedStatus = 'Waiting: paused';

export function laneState(lane: ShownLane): State {
  const { holds, pauses, active, last, live, verified, outOfStep, byAnotherLane } = lane;
  if (holds.length > 0) return { tone: 'bad', label: 'on hold', group: 'needs-you' };
  if (pauses.length > 0 && (active === null || active.status.startsWith(pausedStatus))) return paused;
  if (active !== null) return promotionState(active);
  if (last?.state === 'queued') return { tone: 'wait', label: 'queued', group: 'waiting' };
  const ended = last === null || last.id === verified?.promotion ? undefined : undone.get(last.outcome ?? '');
  if (ended !== undefined) {
    // An end needs no attention, unless it has left an unverified version live.
    const isUnverified = outOfStep === true && !byAnotherLane && live.version !== (verified?.version ?? null);
    const group = isUnverified ? 'needs-you' : ended.group;
    return { ...ended, group, label: `last ${(last?.outcome ?? '').replaceAll('-', ' ')}` };
  }
  // If another lane promoted the live version, no action is needed.
  if (outOfStep === true)
    return byAnotherLane
      ? { tone: 'wait', label: outOfStepLabel, group: 'quiet' }
      : { tone: 'bad', label: outOfStepLabel, group: 'needs-you' };
  if (verified === null) return { tone: 'calm', label: 'no version yet', group: 'quiet' };
  // A person has acknowledged the roll-back by lifting its hold.
  if (outOfStep === false && isRolledBack(last) && live.version !== verified.version)
    return { tone: 'wait', label: rolledBackLabel, group: 'quiet' };
  if (outOfStep === null) return { tone: 'calm', label: 'live not known', group: 'quiet' };
  return { tone: 'good', label: 'up to date', group: 'quiet' };
}

/** A mark that the live, verified and wanted version disagree; null if they agree, or if the state already shows it. */
export function outOfStepMark({ outOfStep }: ShownLane, { label }: State): Content {
  return outOfStep === true && label !== outOfStepLabel ? pill('bad', outOfStepLabel) : null;
}

/** Whether the version of a promotion was taken out of its target after it had passed. */
const isRolledBack = (promotion: Pick<ShownPromotion, 'rolledBack'> | null): boolean =>
  (promotion?.rolledBack ?? null) !== null;

/** The text about the result of a promotion. After a roll-back, it is no longer the result at the promotion's end. */
export const resultText = ({ message, status, rolledBack }: ShownPromotion): string =>
  isRolledBack({ rolledBack }) ? status : (message ?? status);

export function promotionState(promotion: ShownPromotion): State {
  const { state, outcome, waitsFor, status, step } = promotion;
  if (isRolledBack(promotion)) return { tone: 'bad', label: rolledBackLabel, group: 'quiet' };
  if (state === 'finished' && promotion.rejection !== null)
    return { tone: 'bad', label: 'rejected', group: 'quiet' };
  if (state === 'finished') return { tone: toneOf(outcome), label: outcome ?? 'finished', group: 'quiet' };
  if (state === 'queued') return { tone: 'wait', label: 'queued', group: 'waiting' };
  if (waitsFor === 'approval')
    return promotion.approvalWait?.isOverdue === true
      ? { tone: 'bad', label: 'approval overdue', group: 'needs-you' }
      : { tone: 'wait', label: 'needs approval', group: 'needs-you' };
  if (waitsFor === 'policy') return { tone: 'bad', label: 'not allowed', group: 'needs-you' };
  if (waitsFor === 'freeze') return { tone: 'wait', label: 'frozen', group: 'waiting' };
  if (status.startsWith(pausedStatus)) return paused;
  if (status.startsWith('Waiting')) return { tone: 'wait', label: 'waiting', group: 'waiting' };
  if (step === 'roll-back') return { tone: 'bad', label: 'rolling back', group: 'moving' };
  return { tone: 'move', label: 'in progress', group: 'moving' };
}

function toneOf(outcome: string | null): Tone {
  if (outcome === 'passed' || outcome === 'already-done') return 'good';
  if (outcome === 'failed' || outcome === 'indeterminate' || outcome === 'error') return 'bad';
  return 'calm';
}
