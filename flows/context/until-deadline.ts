import type { CallOptions } from '../../client/index.ts';
import type { FlowContext } from './context.ts';

/**
 * Options of a call that must be through by the deadline (epoch milliseconds), with all its attempts, pauses and token
 * requests. Where less is left than `minMs`, that much: for a last question after the time is up.
 */
export function untilDeadline(
  deadline: number,
  { clock, signal }: Pick<FlowContext, 'clock' | 'signal'>,
  minMs = 1,
): Pick<CallOptions, 'signal' | 'deadlineMs'> {
  return { signal, deadlineMs: Math.max(minMs, deadline - clock.now()) };
}
