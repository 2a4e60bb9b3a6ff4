import { z } from 'zod';
import type { Target } from '../../lib/github/event-target.ts';
import { Failure } from '../../lib/core/failure.ts';

const pushed = z.object({ repository: z.object({ default_branch: z.string() }) });

export interface Decision {
  readonly mode: 'plan' | 'apply';
  /** What the reader should know about it. */
  readonly notes: readonly string[];
}

/**
 * Plan or apply. `auto` applies on a push to the default branch alone, so that no branch that happens to be pushed
 * changes what others use. Throws Failure 'usage' where a pull request of a fork would change something.
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
      hint: 'Use mode: auto, or plan, on pull requests.',
    });
  }
  if (mode !== 'auto') return { mode, notes: [] };
  if (eventName !== 'push') return { mode: 'plan', notes: [] };
  const found = pushed.safeParse(payload);
  const branch = found.success ? found.data.repository.default_branch : undefined;
  if (target.kind === 'branch' && target.branch === branch) return { mode: 'apply', notes: [] };
  return {
    mode: 'plan',
    notes: [
      `This push is not to the default branch${branch === undefined ? '' : `, ${branch}`}: it was planned only. With mode: apply it is applied.`,
    ],
  };
}
