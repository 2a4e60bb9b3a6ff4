import type { PromotionRecord } from '../../records/promotion-record.ts';

/** How far a promotion is: its current step, and the steps that follow. */
export interface Progress {
  /** Completed steps and all steps: the version resolved, promoted, and each verification. */
  readonly done: number;
  readonly of: number;
  readonly doing: string;
  /** When the current step began, in ISO 8601, and how long it usually takes, in milliseconds. */
  readonly since: string;
  readonly usualMs: number | null;
}

export function progressOf({ task: { lane }, step }: Pick<PromotionRecord, 'task' | 'step'>): Progress {
  const of = 2 + lane.verify.length;
  const facts = { of, since: new Date(step.since).toISOString(), usualMs: null };
  switch (step.name) {
    case 'resolve':
      return { ...facts, done: 0, doing: `looking for the version in ${lane.from}` };
    case 'promote':
      return { ...facts, done: 1, doing: `promoting to ${lane.to}` };
    case 'start':
    case 'watch': {
      const pipeline = lane.verify[step.verify]?.pipeline ?? 'a verification';
      const starting = step.name === 'start' ? 'starting' : 'running';
      const usualMs = step.name === 'watch' ? (step.usualMs ?? null) : null;
      return { ...facts, usualMs, done: 2 + step.verify, doing: `${starting} ${pipeline}` };
    }
    case 'roll-back':
      return { ...facts, done: of - 1, doing: `rolling ${lane.to} back` };
  }
}
