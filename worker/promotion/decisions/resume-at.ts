import type { PromotionRecord, Step } from '../../records/promotion-record.ts';

/** A person's answer to the question what really happened in a promotion whose outcome the worker does not know. */
export interface Verdict {
  /** The execution that the promotion started, by its id on the platform. */
  readonly executionId?: string | undefined;
  /**
   * Whether it happened: the promotion or the start. For an execution that the platform no longer knows:
   * whether it succeeded.
   */
  readonly happened?: boolean | undefined;
}

export type ResumeAt =
  | { readonly step: Step; readonly keepIntent: boolean }
  /** Why the verdict is not sufficient. */
  | { readonly wrong: string };

/**
 * The step at which a promotion continues after a verdict. Nothing is sent again unless the verdict says that it
 * did not happen.
 */
export function resumeAt(
  { step }: Pick<PromotionRecord, 'step'>,
  { executionId, happened }: Verdict,
  by: string,
  now: number,
): ResumeAt {
  switch (step.name) {
    case 'promote':
      if (happened === undefined)
        return { wrong: 'set `happened` to true or false: whether the platform has promoted the version' };
      // If it happened, the version must be in the list: the list is read again.
      return { step: { name: 'promote', since: now, readBacks: 0 }, keepIntent: happened };
    case 'start':
      if (executionId !== undefined) return watching(step.verify, executionId, now);
      if (happened === false) return { step: { ...step, since: now }, keepIntent: false };
      return {
        wrong:
          'give the `executionId` of the execution that was started, or set `happened` to false if none was',
      };
    case 'watch':
      if (executionId !== undefined) return watching(step.verify, executionId, now);
      if (happened === undefined)
        return {
          wrong: 'give an `executionId`, or set `happened` to true or false: whether the execution succeeded',
        };
      return { step: { ...step, verdict: { succeeded: happened, by } }, keepIntent: false };
    case 'resolve':
    case 'roll-back':
      return {
        wrong: 'this step of the promotion leaves nothing unknown; resume the lane and retry the promotion',
      };
  }
}

function watching(verify: number, executionId: string, now: number): ResumeAt {
  return { step: { name: 'watch', verify, since: now, executionId }, keepIntent: false };
}
