/** What the platform's list says about one version in one environment. */
interface ListedVersion {
  readonly versionName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly deployedAt?: string | null | undefined;
}

/**
 * The live version of an environment: the newest enabled one that the platform lists there, which an execution without
 * a version name uses (spec §4.4 rule 1); undefined where none is enabled. The order of the list does not matter.
 * Everything that says "live" asks here, so that commands, actions and the worker cannot disagree.
 */
export function liveVersion<Version extends ListedVersion>(
  versions: readonly Version[],
): Version | undefined {
  return newestFirst(onePerVersion(versions)).find(({ enabled }) => enabled);
}

/**
 * Each version once. A list that grows while its pages are read shows a version on two of them, and nothing keeps a
 * platform from listing two records of one version: counted twice, a version would pass for its own predecessor. The
 * record that came last counts; of two that came at the same time, the disabled one.
 */
export function onePerVersion<Version extends ListedVersion>(versions: readonly Version[]): Version[] {
  const byName = new Map<string, Version>();
  for (const version of versions) {
    const known = byName.get(version.versionName);
    if (known === undefined || counts(version, known)) byName.set(version.versionName, version);
  }
  return [...byName.values()];
}

function counts(version: ListedVersion, known: ListedVersion): boolean {
  const [at, knownAt] = [Date.parse(cameAt(version)), Date.parse(cameAt(known))];
  return at === knownAt ? !version.enabled : at > knownAt;
}

/** Versions of one environment by when they came into it, by promotion or creation; the newest first. */
export function newestFirst<Version extends ListedVersion>(versions: readonly Version[]): Version[] {
  return versions.toSorted((a, b) => Date.parse(cameAt(b)) - Date.parse(cameAt(a)));
}

function cameAt({ deployedAt, createdAt }: ListedVersion): string {
  return deployedAt ?? createdAt;
}
