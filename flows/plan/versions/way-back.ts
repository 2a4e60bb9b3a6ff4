import { enteredAt, type ListedVersion } from '../../../lib/core/values/listed-version.ts';
import { changeToRollBack } from '../../versions/change-live.ts';

/**
 * The version that would be live again if a version were rolled back after its promotion; undefined if there is
 * none. Every enabled version counts, even if it was never verified.
 */
export function wayBack(inTarget: readonly ListedVersion[], version: string): string | undefined {
  const isThere = inTarget.some(({ versionName }) => versionName === version);
  const after = isThere ? inTarget : [promotedLast(version, inTarget), ...inTarget];
  return changeToRollBack(after, version, undefined)?.live;
}

/** A version as the list has it after its promotion: newer than all others. */
function promotedLast(versionName: string, others: readonly ListedVersion[]): ListedVersion {
  const times = others.map((other) => Date.parse(enteredAt(other))).filter((at) => !Number.isNaN(at));
  const createdAt = new Date(Math.max(0, ...times) + 1_000).toISOString();
  return { versionName, enabled: true, createdAt };
}
