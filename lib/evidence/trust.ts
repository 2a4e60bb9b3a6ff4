import type { PublicKey } from './keys.ts';
import type { EvidenceKind } from './evidence-kinds.ts';

/** A public key that may sign statements about one repository. Times in milliseconds since the epoch. */
export interface TrustedKey extends PublicKey {
  /** The name in `worker.yaml`, for messages. */
  readonly name: string;
  /** Statements from before are refused. */
  readonly from?: number | undefined;
  /** Statements from this moment on are refused. */
  readonly until?: number | undefined;
  /** Statements from this moment on are refused, because the key was revoked. */
  readonly revoked?: number | undefined;
  /** The kinds of statements that the key may sign; undefined for all. */
  readonly kinds?: readonly EvidenceKind[] | undefined;
}

/** The keys that may sign statements about a repository. */
export interface Trust {
  readonly keys: readonly TrustedKey[];
  /** Keys that are trusted for other repositories only, by their ids: for messages. */
  readonly elsewhere?: ReadonlyMap<string, string> | undefined;
}

/** The reason why a key cannot have signed a statement. */
export type KeyRefusal = 'key-not-valid-yet' | 'key-expired' | 'key-revoked' | 'key-for-other-statements';

/** The reason why a key may not sign a statement of this kind at a moment; undefined if it may. */
export function refuseKey(
  { from, until, revoked, kinds }: TrustedKey,
  kind: EvidenceKind,
  madeAt: number,
): KeyRefusal | undefined {
  if (revoked !== undefined && madeAt >= revoked) return 'key-revoked';
  if (from !== undefined && madeAt < from) return 'key-not-valid-yet';
  if (until !== undefined && madeAt >= until) return 'key-expired';
  if (kinds !== undefined && !kinds.includes(kind)) return 'key-for-other-statements';
  return undefined;
}
