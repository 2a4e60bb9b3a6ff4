import type { ShownLane } from '../api/describe-lane.ts';
import type { ShownRun } from '../api/describe-run.ts';
import type { Tone } from './parts.ts';

/** How a lane or a run stands, in a word. */
export interface State {
  readonly tone: Tone;
  readonly word: string;
  /** What it is to whoever watches many. */
  readonly group: 'needs-you' | 'moving' | 'failed' | 'quiet';
}

/** The outcomes that leave what was wanted undone. */
const undone = new Set(['failed', 'indeterminate', 'error', 'cancelled']);

export function laneState({ holds, active, last, live }: ShownLane): State {
  if (holds.length > 0) return { tone: 'bad', word: 'on hold', group: 'needs-you' };
  if (active !== null) return runState(active);
  if (last?.state === 'queued') return { tone: 'wait', word: 'queued', group: 'moving' };
  if (last !== null && last.id !== live?.run && undone.has(last.outcome ?? ''))
    return { tone: 'bad', word: `last ${last.outcome ?? ''}`, group: 'failed' };
  if (live === null) return { tone: 'calm', word: 'nothing yet', group: 'quiet' };
  return { tone: 'good', word: 'up to date', group: 'quiet' };
}

export function runState(run: ShownRun): State {
  const { state, outcome, waitsFor, status, step } = run;
  if (state === 'finished') return { tone: toneOf(outcome), word: outcome ?? 'over', group: 'quiet' };
  if (state === 'queued') return { tone: 'wait', word: 'queued', group: 'moving' };
  if (waitsFor === 'approval') return { tone: 'wait', word: 'needs approval', group: 'needs-you' };
  if (waitsFor === 'policy') return { tone: 'bad', word: 'not allowed', group: 'needs-you' };
  if (waitsFor === 'freeze') return { tone: 'wait', word: 'frozen', group: 'moving' };
  if (status.startsWith('Waiting')) return { tone: 'wait', word: 'waiting', group: 'moving' };
  if (step === 'roll-back') return { tone: 'bad', word: 'rolling back', group: 'moving' };
  return { tone: 'move', word: 'moving', group: 'moving' };
}

function toneOf(outcome: string | null): Tone {
  if (outcome === 'passed' || outcome === 'already-done') return 'good';
  if (outcome === 'failed' || outcome === 'indeterminate' || outcome === 'error') return 'bad';
  return 'calm';
}
