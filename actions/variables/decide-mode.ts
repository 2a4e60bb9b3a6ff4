import { z } from 'zod';
import type { Target } from '../../lib/github/workflow-run/event-target.ts';
import { Failure } from '../../lib/core/errors/failure.ts';

const pushPayload = z.object({ repository: z.object({ default_branch: z.string() }) });

export interface Decision {
  readonly mode: 'plan' | 'apply';
  /** Notes for the report. */
  readonly notes: readonly string[];
}

/**
 * Plan or apply. `auto` applies only on a push to the default branch, so that a push to another branch cannot change the
 * variables of all. Throws Failure 'usage' for `apply` on a pull request of a fork.
 */
export function decideMode(
  mode: 'auto' | 'plan' | 'apply',
  target: Target,
  { eventName, payload }: { readonly eventName: string; readonly payload: unknown },
): Decision {
  if (mode === 'apply' && target.fork) {
    throw new Failure('usage', {
      message: 'A pull request of a fork cannot change variables.',
      where: { input: 'mode' },
      hint: 'Use mode: auto or mode: plan on pull requests.',
    });
  }
  if (mode !== 'auto') return { mode, notes: [] };
  if (eventName !== 'push') return { mode: 'plan', notes: [] };
  const found = pushPayload.safeParse(payload);
  const branch = found.success ? found.data.repository.default_branch : undefined;
  if (target.kind === 'branch' && target.branch === branch) return { mode: 'apply', notes: [] };
  return {
    mode: 'plan',
    notes: [
      `This push is not to the default branch${branch === undefined ? '' : `, ${branch}`}, so the changes are only planned. Use mode: apply to apply them.`,
    ],
  };
}
