import type { Command, StreamingOutcome } from './streaming-script.ts';

/**
 * The state machine of §3.1, driven by the clock: starting → streaming, stopping → not_running, in the spelling of
 * the specification. The states that it does not show, and the results of a failed start or stop, are from unknowns
 * §6.
 * @param sinceMs milliseconds since the last command
 */
export function streamingStatus(
  command: Command | null,
  sinceMs: number,
  { takesMs, fails }: StreamingOutcome,
): string {
  if (command === null) return 'not_running';
  const over = sinceMs >= takesMs;
  if (!over) return command === 'start' ? 'starting' : 'stopping';
  return (command === 'start') === fails ? 'not_running' : 'streaming';
}

/** A second start, and a stop of a stopped pipeline, are accepted and change nothing. */
export function changesState(status: string, next: Command): boolean {
  const runs = status === 'starting' || status === 'streaming';
  return next === 'start' ? !runs : runs;
}
