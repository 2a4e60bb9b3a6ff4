import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { Command, StreamingOutcome } from './streaming-script.ts';
import type { World } from './world.ts';

/**
 * The state machine of §3.1, driven by the clock: starting → streaming, stopping → not_running, in the spelling of
 * the specification. The states that it does not show, and the results of a failed start or stop, are from unknowns
 * §6.
 * @param sinceMs milliseconds since the last command
 */
function simulatedStatus(
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
  const runs = status === 'starting' || status === 'snapshotting' || status === 'streaming';
  return next === 'start' ? !runs : runs;
}

/** What the store has of a streaming pipeline. */
export interface StreamingRow {
  readonly id: string;
  readonly command: Command | null;
  readonly commanded_at: number | null;
  readonly takes_ms: number | null;
  readonly fails: number;
}

/** The answer to a question for the status (spec §4.2). All but `status` are extensions. */
export interface StreamingState {
  readonly status: string;
  /** Nothing is captured: the status changes with the clock. */
  readonly simulated?: true;
  /** Why it failed, or why it has to try again. */
  readonly reason?: string;
  readonly hint?: string;
  readonly lag?: { readonly bytes: number; readonly seconds: number };
}

/** The status of a streaming pipeline. */
export function statusOf({ captures, clock }: World, projectId: string, row: StreamingRow): StreamingState {
  const capture = captures.of(projectId, row.id);
  if (capture === undefined) {
    const outcome = { takesMs: row.takes_ms ?? 0, fails: row.fails === 1 };
    const status = simulatedStatus(row.command, clock.now() - (row.commanded_at ?? 0), outcome);
    return { status, simulated: true };
  }
  const { status, reason, progress } = capture;
  return {
    status,
    ...(reason === undefined ? {} : { reason: reason.message }),
    ...(reason?.hint === undefined ? {} : { hint: reason.hint }),
    ...(status === 'streaming'
      ? { lag: { bytes: progress.behindBytes, seconds: progress.behindSeconds(systemClock.now()) } }
      : {}),
  };
}
