import { takeSnapshot } from '../../data-graph/snapshot/take-snapshot.ts';
import type { ProjectOfCommit } from '../../pipeline-tests/files/project-of-commit.ts';
import { differenceOf, type SnapshotDifference } from '../../snapshot/difference/difference-of.ts';
import { snapshotDigest } from '../../snapshot/canonical-snapshot.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { isKnown, type NotKnown } from './compare-commits.ts';
import { type OpenedVersion, reasonOf } from './open-version.ts';

/** The snapshots of two versions, as far as they could be read. */
export interface ComparedSnapshots {
  readonly live?: Snapshot;
  readonly wanted?: Snapshot;
  /** Or why it is not known, as the end of a sentence. */
  readonly difference: SnapshotDifference | NotKnown;
}

export interface CompareOptions {
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
  readonly signal: AbortSignal;
}

/** Creates the snapshots of two versions from git's objects, and compares them. */
export async function compareSnapshots(
  { live, wanted }: { readonly [Side in 'live' | 'wanted']: OpenedVersion['project'] },
  options: CompareOptions,
): Promise<ComparedSnapshots> {
  if (!isKnown(wanted)) return { difference: wanted };
  const isSame = isKnown(live) && live.commit === wanted.commit;
  // Columns only say what differs.
  const columns = isKnown(live) && !isSame ? 'if-possible' : false;
  const after = await snapshotOrReason(wanted, { ...options, columns });
  if ('reason' in after) return { difference: after };
  if (!isKnown(live)) return { wanted: after.snapshot, difference: live };
  if (isSame) return { live: after.snapshot, wanted: after.snapshot, difference: noDifference };
  // Wrong files about what is outside of the live version do not keep a version from replacing it.
  const before = await snapshotOrReason(live, { ...options, columns, isLenient: true });
  if ('reason' in before) return { wanted: after.snapshot, difference: before };
  return {
    live: before.snapshot,
    wanted: after.snapshot,
    difference: differenceOf(before.snapshot, after.snapshot),
  };
}

/**
 * Whether a digest is one of the snapshot of a version. A snapshot without columns has another digest than one with them, and either may have
 * been signed: the second is taken only if the first does not match. Undefined without a snapshot.
 */
export function isSnapshotOf(
  projects: { readonly [Side in 'live' | 'wanted']: OpenedVersion['project'] },
  taken: Pick<ComparedSnapshots, 'live' | 'wanted'>,
  options: CompareOptions,
): (side: 'live' | 'wanted', digest: string | null) => Promise<boolean | undefined> {
  return async (side, digest) => {
    const [snapshot, project] = [taken[side], projects[side]];
    if (snapshot === undefined || !isKnown(project)) return undefined;
    if (digest === null) return false;
    if (snapshotDigest(snapshot) === digest) return true;
    const columns = snapshot.columns === 'known' ? false : 'if-possible';
    const other = await snapshotOrReason(project, { ...options, columns, isLenient: side === 'live' });
    return 'snapshot' in other && snapshotDigest(other.snapshot) === digest;
  };
}

async function snapshotOrReason(
  { project, unread }: Pick<ProjectOfCommit, 'project' | 'unread'>,
  options: Omit<Parameters<typeof takeSnapshot>[1], 'unread'>,
): Promise<{ readonly snapshot: Snapshot } | NotKnown> {
  try {
    return { snapshot: await takeSnapshot(project, { ...options, unread }) };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

const noDifference: SnapshotDifference = {
  pipelines: { changed: [], affected: [], entryPoints: [], unreadable: [] },
  tables: { areColumnsKnown: true, changes: [], unknownColumns: [], broken: [] },
  calls: { added: [], removed: [] },
  shared: [],
  published: [],
  connectors: [],
  variables: [],
};
