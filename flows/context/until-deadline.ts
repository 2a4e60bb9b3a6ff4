import type { CallOptions } from '../../client/index.ts';
import type { FlowContext } from './context.ts';

/**
 * Options of a call that must end by the deadline (epoch milliseconds), with all its attempts, pauses and token
 * requests. The call has at least `minMs`, for a last request after the deadline.
 */
export function untilDeadline(
  deadline: number,
  { clock, signal }: Pick<FlowContext, 'clock' | 'signal'>,
  minMs = 1,
): Pick<CallOptions, 'signal' | 'deadlineMs'> {
  return { signal, deadlineMs: Math.max(minMs, deadline - clock.now()) };
}
