import { durationText } from '../../lib/core/text/duration-text.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { Capture } from '../streaming/capture/capture.ts';
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

/**
 * Whether a command changes the state. A second start, and a stop of a stopped pipeline, are accepted but change
 * nothing.
 */
export function changesState(status: string, next: Command): boolean {
  const runs = status === 'starting' || status === 'snapshotting' || status === 'streaming';
  return next === 'start' ? !runs : runs;
}

/** A streaming pipeline as the store has it. */
export interface StreamingRow {
  readonly id: string;
  readonly command: Command | null;
  readonly commanded_at: number | null;
  readonly takes_ms: number | null;
  readonly fails: number;
}

/** The answer to a request for the status (spec §4.2). All fields except `status` are extensions. */
export interface StreamingState {
  readonly status: string;
  /** Nothing is captured: the status changes with the clock. */
  readonly simulated?: true;
  /** Why it failed, or why it has to try again. */
  readonly reason?: string;
  readonly hint?: string;
  readonly lag?: Lag;
  /** What happens in the source if the pipeline stays as it is. */
  readonly warning?: string;
}

interface Lag {
  /** Of the source's log. */
  readonly bytes: number;
  readonly seconds: number;
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
  const now = systemClock.now();
  const lag =
    status === 'streaming'
      ? { bytes: progress.behindBytes, seconds: progress.behindSeconds(now) }
      : keptLog(
          capture,
          progress.streamedAt === undefined
            ? clock.now() - (row.commanded_at ?? 0)
            : now - progress.streamedAt,
        );
  const warning = status === 'streaming' ? undefined : warningOf(capture, lag);
  return {
    status,
    ...(reason === undefined ? {} : { reason: reason.message }),
    ...(reason?.hint === undefined ? {} : { hint: reason.hint }),
    ...(lag === undefined ? {} : { lag }),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** What the source keeps for a pipeline that does not stream, as its slot was read last. */
function keptLog({ slot }: Capture, stoppedMs: number): Lag | undefined {
  if (slot === undefined) return undefined;
  const bytes = Number(slot.behindBytes);
  return { bytes, seconds: bytes > 0 ? Math.max(0, stoppedMs / 1000) : 0 };
}

/** A server writes that much also when nothing happens: a file of its log has this size. */
const usualBytes = 16 * 1024 ** 2;

function warningOf({ slot }: Capture, lag: Lag | undefined): string | undefined {
  if (slot?.lost !== undefined)
    return `The source has lost what the pipeline has not read (${slot.lost}). Take a new snapshot of the pipeline.`;
  if (lag === undefined || lag.bytes <= usualBytes) return undefined;
  const kept = `${(lag.bytes / 1e6).toFixed(0)} MB`;
  const time = durationText(Math.round(lag.seconds) * 1000);
  return `The source keeps ${kept} of its log for this pipeline, which has not read it for ${time}, and more with each change of any table: its disk can become full. Start the pipeline, or delete it.`;
}

/** When the slots of a capture were read last, for a status. */
const reads = new WeakMap<Capture, { readonly at: number; readonly done: Promise<unknown> }>();
const maxAgeMs = 5000;
const maxWaitMs = 2000;

/**
 * Asks the source, at most every five seconds, how much log it keeps for a pipeline that does not stream. If the
 * source does not answer soon, the known value stays.
 */
export async function readKeptLog({ captures }: World, projectId: string, row: StreamingRow): Promise<void> {
  const capture = row.command === null ? undefined : captures.of(projectId, row.id);
  if (capture === undefined || !(capture.status === 'not_running' || capture.reason !== undefined)) return;
  const now = systemClock.now();
  const last = reads.get(capture);
  const read =
    last !== undefined && now - last.at < maxAgeMs
      ? last
      : { at: now, done: capture.readSlots().catch(() => undefined) };
  reads.set(capture, read);
  const ending = new AbortController();
  await Promise.race([read.done, systemClock.sleep(maxWaitMs, ending.signal).catch(() => undefined)]);
  ending.abort();
}
