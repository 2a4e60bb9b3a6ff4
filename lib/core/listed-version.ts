/** What the platform's list says about one version in one environment. */
export interface ListedVersion {
  readonly versionName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly deployedAt?: string | null | undefined;
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

/** When a version came into its environment: by promotion, or else by creation. */
export function cameAt({ deployedAt, createdAt }: ListedVersion): string {
  return deployedAt ?? createdAt;
}
