export type Command = 'start' | 'stop';

/**
 * The state machine of §3.1, by the clock alone: starting → streaming, stopping → not_running. In the case of the
 * specification; the states that it does not show are from unknowns §6.
 * @param sinceMs milliseconds since the last command
 * @param takesMs milliseconds that a start or a stop takes
 */
export function streamingStatus(command: Command | null, sinceMs: number, takesMs: number): string {
  if (command === null) return 'not_running';
  const over = sinceMs >= takesMs;
  if (command === 'start') return over ? 'streaming' : 'starting';
  return over ? 'not_running' : 'stopping';
}

/** A second start, and a stop of what does not run, are received and change nothing. */
export function changesState(last: Command | null, next: Command): boolean {
  return (last ?? 'stop') !== next;
}
