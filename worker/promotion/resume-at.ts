import type { PromotionRecord, Step } from '../records/promotion-record.ts';

/** What a person has found out about a promotion of which the worker could not know how it stands. */
export interface Verdict {
  /** The execution that it started, as the platform names it. */
  readonly executionId?: string | undefined;
  /**
   * Whether it happened: the promotion, the start; of an execution that the platform no longer knows, its success.
   */
  readonly happened?: boolean | undefined;
}

export type ResumeAt =
  | { readonly step: Step; readonly keepIntent: boolean }
  /** Why what was found out does not settle it. */
  | { readonly wrong: string };

/** Where a promotion goes on after a person has looked. Nothing is sent again unless they said that it did not happen. */
export function resumeAt(
  { step }: Pick<PromotionRecord, 'step'>,
  { executionId, happened }: Verdict,
  by: string,
  now: number,
): ResumeAt {
  switch (step.name) {
    case 'promote':
      if (happened === undefined) return { wrong: 'say whether the promotion happened: `happened`' };
      // It happened: then it must be in the list, and the list is read again.
      return { step: { name: 'promote', since: now, readBacks: 0 }, keepIntent: happened };
    case 'start':
      if (executionId !== undefined) return watching(step.verify, executionId, now);
      if (happened === false) return { step: { ...step, since: now }, keepIntent: false };
      return {
        wrong: 'give the `executionId` of what was started, or say that nothing was: `happened: false`',
      };
    case 'watch':
      if (executionId !== undefined) return watching(step.verify, executionId, now);
      if (happened === undefined)
        return { wrong: 'give an `executionId`, or say whether the execution succeeded: `happened`' };
      return { step: { ...step, verdict: { succeeded: happened, by } }, keepIntent: false };
    case 'resolve':
    case 'roll-back':
      return { wrong: 'its step has no outcome to resolve; resume the lane and retry the promotion' };
  }
}

function watching(verify: number, executionId: string, now: number): ResumeAt {
  return { step: { name: 'watch', verify, since: now, executionId }, keepIntent: false };
}
