/** A version in one environment, as the platform lists it. */
export interface ListedVersion {
  readonly versionName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly deployedAt?: string | null | undefined;
}

/**
 * Removes duplicate versions from a list. A list that grows between two pages repeats a version, and a platform may
 * list two records of one version; without this, a version could be taken for its own predecessor. The newest
 * record counts; of two records with the same time, the disabled one.
 */
export function onePerVersion<Version extends ListedVersion>(versions: readonly Version[]): Version[] {
  const byName = new Map<string, Version>();
  for (const version of versions) {
    const previous = byName.get(version.versionName);
    if (previous === undefined || counts(version, previous)) byName.set(version.versionName, version);
  }
  return [...byName.values()];
}

function counts(version: ListedVersion, previous: ListedVersion): boolean {
  const [at, previousAt] = [Date.parse(enteredAt(version)), Date.parse(enteredAt(previous))];
  return at === previousAt ? !version.enabled : at > previousAt;
}

/** When a version entered its environment, by promotion or else by creation, in ISO 8601. */
export function enteredAt({ deployedAt, createdAt }: ListedVersion): string {
  return deployedAt ?? createdAt;
}
