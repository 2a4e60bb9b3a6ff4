import type { Clock } from '../lib/core/ports.ts';
import { ClientError, Conflict, NotFound, OutcomeUnknown, VersionDisabled } from './errors.ts';
import type { Look, Sight, Viewpoint } from './looks.ts';

/** Looks after these pauses, in milliseconds: an effect can show up late. */
const pausesMs = [0, 500, 2_000];

export interface LookParts {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that the call still has. */
  leftMs(): number;
  readonly from: Viewpoint;
}

/**
 * Looks on the platform whether a call whose answer was lost took place, and gives what it would have answered.
 *
 * @throws {Conflict} where its name is taken by another commit.
 * @throws {VersionDisabled} where it is there and disabled.
 * @throws {OutcomeUnknown} where nothing can be seen of it: it may still come.
 * @throws the signal's reason.
 */
export async function lookAfterwards(
  look: Look,
  input: Readonly<Record<string, unknown>>,
  lost: ClientError,
  parts: LookParts,
): Promise<Readonly<Record<string, unknown>>> {
  let times = 0;
  let seen = 'not looked at: the deadline is over';
  let disabled = false;
  for (const pause of pausesMs) {
    if (parts.leftMs() <= pause) break;
    if (pause > 0) await parts.clock.sleep(pause, parts.signal);
    times += 1;
    const sight = await see(look, input, parts);
    if (sight.kind === 'there') return sight.answer;
    if (sight.kind === 'foreign') throw conflict(lost, input, sight.commitHash);
    seen = `${look.at} (${times} times): ${inWords(sight)}`;
    // A platform may show a version before it enables it.
    disabled = sight.kind === 'disabled';
    if (!mayChange(sight)) break;
  }
  const { operation, status, requestId, attempts, body } = lost;
  if (disabled) throw versionDisabled(lost, input);
  const { versionName, executionTag } = lost.details as { versionName?: string; executionTag?: string };
  throw new OutcomeUnknown(
    `${lost instanceof OutcomeUnknown ? lost.message : `Whether ${operation} took place is unknown: ${lost.message}`} Looked at: ${seen}.`,
    {
      operation,
      status,
      requestId,
      attempts,
      body,
      versionName: versionName ?? textOf(input['versionName']),
      executionTag,
      looked: seen,
      cause: lost instanceof OutcomeUnknown ? lost.cause : lost,
    },
    operation === 'overrides.set',
  );
}

type LookResult = Sight | { readonly kind: 'blind'; readonly problem: string; readonly isRefused: boolean };

/** A look that met the trouble that lost the answer, or came too early, is worth another; one that was refused is not. */
function mayChange(sight: LookResult): boolean {
  return sight.kind === 'blind' ? !sight.isRefused : sight.kind === 'absent' || sight.kind === 'disabled';
}

async function see(
  look: Look,
  input: Readonly<Record<string, unknown>>,
  { from, signal }: LookParts,
): Promise<LookResult> {
  try {
    return await look.see(input, from);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NotFound) return { kind: 'absent' };
    const isRefused = error instanceof ClientError && error.isUserFault;
    return { kind: 'blind', problem: error instanceof Error ? error.message : String(error), isRefused };
  }
}

function inWords(sight: Exclude<LookResult, { kind: 'there' | 'foreign' }>): string {
  switch (sight.kind) {
    case 'absent':
      return 'nothing of it is there yet';
    case 'disabled':
      return 'it is there, but disabled';
    case 'unclear':
      return 'something of that name is there, but whether it is ours cannot be told';
    case 'blind':
      return `could not be looked at: ${sight.problem.replace(/\.$/, '')}`;
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
    `${operation}: the answer was lost, and version “${versionName ?? ''}” is there now, but disabled.`,
    { operation, status, requestId, attempts, body, versionName, cause: lost },
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
