import type { CallOptions } from '../../client/index.ts';
import type { FlowContext } from './context.ts';

/**
 * Options for a call that must end by the deadline (epoch milliseconds), including all attempts, pauses and token
 * requests. The call gets at least `minMs` milliseconds, so that one last request is possible after the deadline.
 */
export function untilDeadline(
  deadline: number,
  { clock, signal }: Pick<FlowContext, 'clock' | 'signal'>,
  minMs = 1,
): Pick<CallOptions, 'signal' | 'deadlineMs'> {
  return { signal, deadlineMs: Math.max(minMs, deadline - clock.now()) };
}
