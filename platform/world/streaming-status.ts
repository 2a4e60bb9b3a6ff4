import type { Command, StreamingOutcome } from './streaming-script.ts';

/**
 * The state machine of §3.1, by the clock alone: starting → streaming, stopping → not_running. In the case of the
 * specification; the states that it does not show, and what a failed start or stop ends in, are from unknowns §6.
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

/** A second start, and a stop of what does not run, are received and change nothing. */
export function changesState(status: string, next: Command): boolean {
  const runs = status === 'starting' || status === 'streaming';
  return next === 'start' ? !runs : runs;
}
