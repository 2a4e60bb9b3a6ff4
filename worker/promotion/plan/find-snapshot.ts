import { isNamedAs } from '../../../flows/evidence/evidence-files.ts';
import { snapshotDigest } from '../../../flows/snapshot/canonical-snapshot.ts';
import { snapshotOfValue } from '../../../flows/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../../flows/snapshot/snapshot.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { readEnvelope } from '../../../lib/evidence/envelope.ts';
import { decodeStatement } from '../../../lib/evidence/statement.ts';
import { type Expected, verifyStatement } from '../../../lib/evidence/verify-statement.ts';
import type { Trust } from '../../../lib/evidence/trust.ts';
import type { EvidenceReads } from '../context/ports.ts';
import { keep, listStatements, treeOfCommit } from '../gates/evidence-source.ts';

/** The snapshot of a version that counts. */
export interface FoundSnapshot {
  /** SHA-256 of what it says (`snapshotDigest`). */
  readonly digest: string;
  /** The id of the blob with its statement. */
  readonly oid: string;
  /** When it was signed, in milliseconds since the epoch. */
  readonly madeAt: number;
  readonly columns: Snapshot['columns'];
}

/** The largest statement with a snapshot that a worker reads, in bytes: a project of about 4,000 pipelines. */
export const maxStatementBytes = 6 * 1024 * 1024;

/** How many snapshots of versions with the same files are read. */
const maxSnapshots = 8;

/** What this process knows of snapshots: a blob never changes. */
export interface KnownSnapshots {
  readonly verdicts: Map<string, FoundSnapshot | { readonly refused: string }>;
  /** The last ones, by their blobs. */
  readonly snapshots: Map<string, Snapshot>;
}

const maxVerdicts = 500;
/** A snapshot of 500 pipelines takes a few megabytes. */
const maxParsed = 4;

const knownFor = new WeakMap<object, KnownSnapshots>();

/** What is known under the rules of a worker.yaml: other keys or refs need another verification. */
export function knownSnapshots({ repositories }: Pick<WorkerConfig, 'repositories'>): KnownSnapshots {
  const existing = knownFor.get(repositories);
  if (existing !== undefined) return existing;
  const known: KnownSnapshots = { verdicts: new Map(), snapshots: new Map() };
  knownFor.set(repositories, known);
  return known;
}

/** Where snapshots are read, and by which rules. */
export interface SnapshotSource {
  readonly github: EvidenceReads;
  readonly fullName: string;
  readonly repositoryId: number;
  readonly trust: Trust;
  readonly isRefAllowed: Expected['isRefAllowed'];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly known: KnownSnapshots;
  /** The texts that were just read, by their blobs: two versions may have the same files. */
  readonly texts: Map<string, string | undefined>;
}

/**
 * The newest accepted snapshot of a version, or why there is none, as the end of a sentence. Verifies as the gate for evidence does, whatever
 * the age. Reads the tree of the commit, the list of its statements, and at most eight statements; what is known already
 * is not read again. Throws Failure 'github-failed'.
 */
export async function findSnapshot(
  { version, commit }: { readonly version: string; readonly commit: string | null },
  source: SnapshotSource,
): Promise<FoundSnapshot | string> {
  const { github, fullName } = source;
  if (commit === null) return 'the platform does not say its commit';
  const tree = await treeOfCommit(github, fullName, commit);
  if (tree === undefined) return `GitHub does not show its commit ${commit.slice(0, 12)}`;
  const listed = await listStatements(github, fullName, tree);
  if (listed === 'truncated') return 'the list of its evidence is truncated';
  if (listed.length === 0) return 'it was published before evidence existed, or without a key';
  const files = listed.filter(({ name }) => isNamedAs('snapshot', name));
  if (files.length === 0) return 'its evidence has no snapshot';
  if (files.length > maxSnapshots) return `its files have more than ${maxSnapshots} snapshots`;
  const expected = { ...source, repository: fullName, commit, tree, version };
  let best: FoundSnapshot | undefined;
  let refused = '';
  for (const { oid, bytes } of files) {
    const verdict =
      bytes > maxStatementBytes
        ? { refused: `it has more than ${maxStatementBytes / 1024 / 1024} MiB` }
        : await verdictOf(oid, expected, source);
    if ('refused' in verdict) refused = verdict.refused;
    else if (best === undefined || isNewer(verdict, best)) best = verdict;
  }
  return best ?? `its snapshot is refused: ${refused}`;
}

/** The same for every worker, also for two of the same second. */
function isNewer(a: FoundSnapshot, b: FoundSnapshot): boolean {
  return a.madeAt === b.madeAt ? a.digest > b.digest : a.madeAt > b.madeAt;
}

async function verdictOf(
  oid: string,
  expected: Expected,
  source: SnapshotSource,
): Promise<FoundSnapshot | { readonly refused: string }> {
  const { verdicts, snapshots } = source.known;
  const key = [oid, source.repositoryId, expected.commit, expected.version].join(' ');
  const earlier = verdicts.get(key);
  if (earlier !== undefined) return earlier;
  const text = await readText(oid, source);
  if (text === undefined) return { refused: 'GitHub does not show its file' };
  const verdict = verifyStatement(text, source.trust, expected);
  // The future becomes the past.
  if (verdict.status === 'refused' && verdict.reason === 'from-the-future') return { refused: verdict.text };
  const found = ((): FoundSnapshot | { readonly refused: string } => {
    if (verdict.status === 'refused') return { refused: verdict.text };
    if (verdict.kind !== 'snapshot') return { refused: `it is a statement of the kind ${verdict.kind}` };
    try {
      const snapshot = snapshotOfValue(verdict.statement.predicate);
      keep(snapshots, oid, snapshot, maxParsed);
      return {
        digest: snapshotDigest(snapshot),
        oid,
        madeAt: Date.parse(verdict.statement.madeAt),
        columns: snapshot.columns,
      };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { refused: error.message.replace(/\.$/u, '') };
    }
  })();
  keep(verdicts, key, found, maxVerdicts);
  return found;
}

/** A snapshot that was found. Reads its blob again if this process forgot it; undefined if GitHub does not show it any more. */
export async function loadSnapshot(
  { oid }: FoundSnapshot,
  source: SnapshotSource,
): Promise<Snapshot | undefined> {
  const { snapshots } = source.known;
  const kept = snapshots.get(oid);
  if (kept !== undefined) return kept;
  const envelope = readEnvelope((await readText(oid, source)) ?? '');
  const statement = envelope && decodeStatement(envelope.payload);
  if (statement === undefined || typeof statement === 'string') return undefined;
  const snapshot = snapshotOfValue(statement.predicate);
  keep(snapshots, oid, snapshot, maxParsed);
  return snapshot;
}

async function readText(
  oid: string,
  { github, fullName, texts }: SnapshotSource,
): Promise<string | undefined> {
  if (!texts.has(oid))
    texts.set(oid, (await github.trees.blob(fullName, oid, maxStatementBytes))?.toString('utf8'));
  return texts.get(oid);
}
