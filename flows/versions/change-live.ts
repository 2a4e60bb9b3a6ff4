import { type ListedVersion, onePerVersion } from '../../lib/core/values/listed-version.ts';
import { newestFirst } from './live-version.ts';

/** The versions of an environment to enable and to disable, so that another version is live. */
export interface LiveChange {
  /** The version that is live afterwards. */
  readonly live: string;
  /** It is disabled now. */
  readonly enable: boolean;
  /** Enabled versions, in the order in which to disable them: the live one last, so that the live version changes once. */
  readonly disable: readonly string[];
}

/**
 * The changes that make a version of an environment live: it is enabled, and every newer version is disabled (spec
 * §3.3, §4.4 rule 1). Promoting a version again would change nothing (unknowns §3). `undefined` if the environment
 * does not have the version.
 */
export function changeToMakeLive(
  versions: readonly ListedVersion[],
  version: string,
): LiveChange | undefined {
  const ordered = newestFirst(onePerVersion(versions));
  const at = ordered.findIndex(({ versionName }) => versionName === version);
  const target = ordered[at];
  if (target === undefined) return undefined;
  return { live: version, enable: !target.enabled, disable: namesToDisable(ordered.slice(0, at)) };
}

/**
 * The changes that take a version back, so that the newest earlier version that is enabled and was verified in this
 * environment becomes live. Versions in between were promoted but never verified, so they are disabled too. A newer
 * enabled version stays, and is live afterwards. `undefined` if there is no version to go back to: then nothing may
 * be disabled, because nothing could run (spec §4.8 rule 2).
 *
 * `verified`: the names of the versions that were verified in this environment; `undefined` if that is not known,
 * and any enabled version counts.
 */
export function changeToRollBack(
  versions: readonly ListedVersion[],
  version: string,
  verified: ReadonlySet<string> | undefined,
): LiveChange | undefined {
  const ordered = newestFirst(onePerVersion(versions));
  const at = ordered.findIndex(({ versionName }) => versionName === version);
  if (at === -1) return undefined;
  const newer = ordered.slice(0, at).find(({ enabled }) => enabled);
  const goal = ordered
    .slice(at + 1)
    .find(({ enabled, versionName }) => enabled && (verified === undefined || verified.has(versionName)));
  if (newer !== undefined)
    return { live: newer.versionName, enable: false, disable: namesToDisable(ordered.slice(at, at + 1)) };
  if (goal === undefined) return undefined;
  return {
    live: goal.versionName,
    enable: false,
    disable: namesToDisable(ordered.slice(at, ordered.indexOf(goal))),
  };
}

function namesToDisable(newestFirstVersions: readonly ListedVersion[]): string[] {
  return newestFirstVersions
    .filter(({ enabled }) => enabled)
    .map(({ versionName }) => versionName)
    .toReversed();
}
