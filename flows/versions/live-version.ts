import { enteredAt, type ListedVersion, onePerVersion } from '../../lib/core/values/listed-version.ts';

/**
 * The live version of an environment: the newest enabled one that the platform lists there, which an execution
 * without a version name uses (spec §4.4 rule 1). `undefined` if none is enabled. The order of the list does not
 * matter. Commands, actions (both through `flows/`) and the worker all use this function, so that they agree.
 */
export function liveVersion<Version extends ListedVersion>(
  versions: readonly Version[],
): Version | undefined {
  let live: Version | undefined;
  let liveAt = Number.NEGATIVE_INFINITY;
  for (const version of onePerVersion(versions)) {
    if (!version.enabled) continue;
    const at = Date.parse(enteredAt(version));
    // Of the same time, or of one that cannot be read, the first counts.
    if (live !== undefined && !(at > liveAt)) continue;
    live = version;
    liveAt = at;
  }
  return live;
}

/** Sorts the versions of one environment by the time of their promotion or creation; the newest first. */
export function newestFirst<Version extends ListedVersion>(versions: readonly Version[]): Version[] {
  const timed = versions.map((version) => ({ version, at: Date.parse(enteredAt(version)) }));
  return timed.toSorted((a, b) => b.at - a.at).map(({ version }) => version);
}
