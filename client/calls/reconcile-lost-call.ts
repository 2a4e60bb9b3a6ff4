import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { ClientError, Conflict, NotFound, OutcomeUnknown, VersionDisabled } from '../errors/errors.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { PlatformReader, ReadBack, ReadBackResult } from './read-backs.ts';

/** Delay before each read-back, in milliseconds: an effect may become visible late. */
const readBackDelaysMs = [0, 500, 2_000];

export interface ReconcileParts {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that the call still has. */
  leftMs(): number;
  readonly reader: PlatformReader;
}

/**
 * Reads back from the platform whether a call whose answer was lost took effect. Returns what the call would have
 * answered.
 *
 * @throws {Conflict} if the version exists from another commit.
 * @throws {VersionDisabled} if the version exists but is disabled.
 * @throws {OutcomeUnknown} if the effect is not visible: it may still appear.
 * @throws the signal's reason.
 */
export async function reconcileLostCall(
  readBack: ReadBack,
  input: Readonly<Record<string, unknown>>,
  lost: ClientError,
  parts: ReconcileParts,
): Promise<Readonly<Record<string, unknown>>> {
  let reads = 0;
  let summary = 'not done, because the time limit has passed';
  let disabled = false;
  for (const pause of readBackDelaysMs) {
    if (parts.leftMs() <= pause) break;
    if (pause > 0) await parts.clock.sleep(pause, parts.signal);
    reads += 1;
    const result = await readBackOnce(readBack, input, parts);
    if (result.kind === 'applied') return result.answer;
    if (result.kind === 'other-commit') throw conflict(lost, input, result.commitHash);
    summary = `${readBack.operation} (${numberOf(reads, 'time')}): ${describeResult(result)}`;
    // A platform may show a version before it enables it.
    disabled = result.kind === 'disabled';
    if (!mayStillChange(result)) break;
  }
  const { operation, status, requestId, attempts, body } = lost;
  if (disabled) throw versionDisabled(lost, input);
  const { versionName, executionTag } = lost.details as { versionName?: string; executionTag?: string };
  throw new OutcomeUnknown(
    `${lost instanceof OutcomeUnknown ? lost.message : `Whether ${operation} took effect is unknown: ${lost.message}`} Check on the platform: ${summary}.`,
    {
      operation,
      status,
      requestId,
      attempts,
      body,
      versionName: versionName ?? textOf(input['versionName']),
      executionTag,
      readBack: summary,
      cause: lost instanceof OutcomeUnknown ? lost.cause : lost,
    },
    operation === 'overrides.set',
  );
}

type ReadBackOutcome =
  ReadBackResult | { readonly kind: 'failed'; readonly problem: string; readonly isRefused: boolean };

/** Whether another read-back may give another result. After a refusal it cannot. */
function mayStillChange(result: ReadBackOutcome): boolean {
  return result.kind === 'failed'
    ? !result.isRefused
    : result.kind === 'absent' || result.kind === 'disabled';
}

async function readBackOnce(
  readBack: ReadBack,
  input: Readonly<Record<string, unknown>>,
  { reader, signal }: ReconcileParts,
): Promise<ReadBackOutcome> {
  try {
    return await readBack.check(input, reader);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NotFound) return { kind: 'absent' };
    const isRefused = error instanceof ClientError && error.isUserFault;
    return { kind: 'failed', problem: messageOf(error), isRefused };
  }
}

function describeResult(result: Exclude<ReadBackOutcome, { kind: 'applied' | 'other-commit' }>): string {
  switch (result.kind) {
    case 'absent':
      return 'no effect is visible yet';
    case 'disabled':
      return 'the version exists, but is disabled';
    case 'ambiguous':
      return 'the name exists, but the platform does not show from which commit it was built';
    case 'failed':
      return `failed: ${result.problem.replace(/\.$/, '')}`;
  }
}

function conflict(lost: ClientError, input: Readonly<Record<string, unknown>>, commitHash: string): Conflict {
  const { operation, status, requestId, attempts, body } = lost;
  return new Conflict(
    `Version “${String(input['versionName'])}” was already published from commit ${commitHash}.`,
    { operation, status, requestId, attempts, body, versionName: textOf(input['versionName']), cause: lost },
    { publishedCommit: commitHash },
  );
}

function versionDisabled(lost: ClientError, input: Readonly<Record<string, unknown>>): VersionDisabled {
  const { operation, status, requestId, attempts, body } = lost;
  const versionName = textOf(input['versionName']);
  return new VersionDisabled(
    `${operation}: the answer was lost, and version “${versionName ?? ''}” now exists, but is disabled.`,
    { operation, status, requestId, attempts, body, versionName, cause: lost },
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
