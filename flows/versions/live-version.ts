import { enteredAt, type ListedVersion, onePerVersion } from '../../lib/core/listed-version.ts';

/**
 * The live version of an environment: the newest enabled one that the platform lists there, which an execution
 * without a version name uses (spec §4.4 rule 1). `undefined` if none is enabled. The order of the list does not
 * matter. Commands, actions (both through `flows/`) and the worker all use this function, so that they agree.
 */
export function liveVersion<Version extends ListedVersion>(
  versions: readonly Version[],
): Version | undefined {
  return newestFirst(onePerVersion(versions)).find(({ enabled }) => enabled);
}

/** Sorts the versions of one environment by the time of their promotion or creation; the newest first. */
export function newestFirst<Version extends ListedVersion>(versions: readonly Version[]): Version[] {
  return versions.toSorted((a, b) => Date.parse(enteredAt(b)) - Date.parse(enteredAt(a)));
}
