import { commitIdPattern } from '../../lib/core/values/commit-id.ts';
import type { VersionRule } from '../../lib/config/project/versions-schema.ts';
import { orderByName, orderByTime, type VersionTimes } from './version-order.ts';

/** A version that is compared with others. */
export interface KnownVersion {
  /** Undefined if it is found only later. */
  readonly name: string | undefined;
  readonly commit: string | undefined;
  /** The ref that was pushed for it; undefined if that is not known. */
  readonly ref?: string | undefined;
}

/** Facts about commits and tags, from GitHub or from a clone. */
export interface CommitFacts {
  /** How `head` relates to `base`. `unrelated`: they cannot be compared. */
  relation(base: string, head: string): Promise<VersionTimes['relation']>;
  /** In milliseconds since the epoch; undefined if the commit is not known. */
  committedAt(commit: string): Promise<number | undefined>;
  /** When an annotated tag was made, in milliseconds since the epoch; undefined for other refs. */
  taggedAt(ref: string): Promise<number | undefined>;
}

/**
 * The result of a search for a newer version. `unknown`: it cannot be decided whether `than` is newer, and no other
 * version is.
 */
export type NewerVersion<Version> =
  | { readonly status: 'newest' }
  | { readonly status: 'older'; readonly than: Version }
  | { readonly status: 'unknown'; readonly than: Version };

/**
 * Compares a version with others by name: whether it is older than one of them, or newer than all whose names can
 * be compared.
 */
export function compareNames<Version extends KnownVersion>(
  version: string,
  versions: readonly Version[],
  rule: Pick<VersionRule, 'order'>,
): { readonly order: 'older'; readonly than: Version } | { readonly order: 'newer' | 'unknown' } {
  let order: 'newer' | 'unknown' = 'unknown';
  for (const than of versions) {
    const relation = than.name === undefined ? 'unknown' : orderByName(version, than.name, rule);
    if (relation === 'older') return { order: 'older', than };
    if (relation === 'newer' || than.name === version) order = 'newer';
  }
  return { order };
}

/**
 * Finds a version that is newer than this one (decision 018): by name if the name of one of them can be compared,
 * otherwise by commits and tags. Worker, actions and commands use this function. `facts` is only asked for what
 * decides.
 */
export async function findNewerVersion<Version extends KnownVersion>(
  version: KnownVersion,
  versions: readonly Version[],
  rule: Pick<VersionRule, 'order'>,
  facts: CommitFacts,
): Promise<NewerVersion<Version>> {
  const { name, commit, ref } = version;
  if (name !== undefined) {
    const compared = compareNames(name, versions, rule);
    if (compared.order === 'newer') return { status: 'newest' };
    if (compared.order === 'older') return { status: 'older', than: compared.than };
  }
  let unknown: Version | undefined;
  for (const than of othersThan(version, versions)) {
    const isComparable = isCommit(commit) && isCommit(than.commit);
    const times = isComparable ? await readTimes([ref, than.ref], [commit, than.commit], facts) : undefined;
    const order = times === undefined ? 'unknown' : orderByTime(times);
    if (order === 'older') return { status: 'older', than };
    // Two versions of one commit have the same content.
    if (order === 'unknown' && times?.relation !== 'identical') unknown ??= than;
  }
  return unknown === undefined ? { status: 'newest' } : { status: 'unknown', than: unknown };
}

const isCommit = (commit: string | undefined): commit is string =>
  commit !== undefined && commitIdPattern.test(commit);

/** Each commit once, without versions of the same ref or name: a tag may have been moved back on purpose. */
function othersThan<Version extends KnownVersion>(
  { ref: ownRef, name: ownName }: KnownVersion,
  versions: readonly Version[],
): readonly Version[] {
  const isOwn = ({ ref, name }: Version): boolean =>
    (ref !== undefined && ref === ownRef) || (name !== undefined && name === ownName);
  const seen = new Set(versions.filter(isOwn).flatMap(({ commit }) => commit ?? []));
  return versions.filter((version) => {
    if (isOwn(version)) return false;
    if (version.commit === undefined) return true;
    if (version.ref === undefined && seen.has(version.commit)) return false;
    seen.add(version.commit);
    return true;
  });
}

const unknownTimes = [undefined, undefined] as const;

async function readTimes(
  [ref, otherRef]: readonly [string | undefined, string | undefined],
  [commit, other]: readonly [string, string],
  facts: CommitFacts,
): Promise<VersionTimes> {
  const first = commit === other ? 'identical' : await facts.relation(other, commit);
  if (first === 'ahead' || first === 'behind')
    return { relation: first, committedAt: unknownTimes, taggedAt: unknownTimes };
  const committedAt =
    first === 'identical'
      ? unknownTimes
      : ([await facts.committedAt(commit), await facts.committedAt(other)] as const);
  // GitHub may have begun to show them after the comparison.
  const relation =
    first === 'unrelated' && !committedAt.includes(undefined) ? await facts.relation(other, commit) : first;
  const isTagged = ref?.startsWith('refs/tags/') === true && otherRef?.startsWith('refs/tags/') === true;
  const taggedAt = isTagged
    ? ([await facts.taggedAt(ref), await facts.taggedAt(otherRef)] as const)
    : unknownTimes;
  return { relation, committedAt, taggedAt };
}
