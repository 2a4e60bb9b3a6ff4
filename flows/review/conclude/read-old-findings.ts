import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { requireText } from '../../../lib/core/files/decode-text.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { fingerprintOf } from '../../../lib/pipelines/fingerprint.ts';
import { isWorseCount } from '../../../lib/pipelines/rules/quality-rules.ts';
import { type BaselineEntry, readBaseline } from '../../findings/baseline.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import { ignoreMissingHistory } from '../scope/ignore-missing-history.ts';

type Request = Pick<
  ReviewRequest,
  'repository' | 'baseline' | 'policyCommit' | 'replacedBaseline' | 'base' | 'baseProblems'
>;

/** The findings in the baseline and at the base, with the present paths of renamed files. */
export interface OldFindings {
  readonly entries: readonly BaselineEntry[];
  /** Fingerprints of the entries that the baseline does not have. */
  readonly ofBase: ReadonlySet<string>;
}

/**
 * Reads the baseline that applies, and adds the findings of the base. The findings of a renamed file get the
 * fingerprint for the new path. Throws Failure 'config-invalid' if the baseline cannot be read.
 */
export async function readOldFindings(request: Request, snapshot: Snapshot): Promise<OldFindings> {
  const { baseProblems } = request;
  const recorded = await readRecorded(request, snapshot);
  const ofBase = await withPresentPaths(baseProblems?.entries ?? [], snapshot, (missing) =>
    followRenames(missing, baseProblems?.commit, request, snapshot),
  );
  const merged = new Map(recorded.map((entry) => [entry.fingerprint, entry]));
  const added = ofBase.filter(({ fingerprint }) => !merged.has(fingerprint));
  for (const entry of ofBase) merged.set(entry.fingerprint, looser(entry, merged.get(entry.fingerprint)));
  return { entries: [...merged.values()], ofBase: new Set(added.map(({ fingerprint }) => fingerprint)) };
}

/** The entry with the worse count: a count that the baseline or the base has was there before the change. */
function looser(entry: BaselineEntry, other: BaselineEntry | undefined): BaselineEntry {
  if (other === undefined) return entry;
  if (other.count === undefined || entry.count === undefined) return other;
  return isWorseCount(entry.rule, entry.count, other.count) ? entry : other;
}

async function readRecorded(request: Request, snapshot: Snapshot): Promise<readonly BaselineEntry[]> {
  const { repository, baseline, policyCommit, replacedBaseline } = request;
  if (baseline === undefined) return [];
  const ofPolicy = policyCommit === undefined ? undefined : await repository.readFile(policyCommit, baseline);
  const readOwn = async () => (await snapshot.readFiles([baseline])).get(baseline);
  const entries =
    replacedBaseline !== undefined
      ? readText(replacedBaseline, baseline)
      : ofPolicy === undefined
        ? readText(await readOwn(), baseline)
        : await readOrRepair(ofPolicy, readOwn, baseline);
  return withPresentPaths(entries ?? [], snapshot, async (missing) => {
    const { commit } = snapshot;
    if (commit === '') return new Map();
    const recorded = await ignoreMissingHistory(repository.lastChange(policyCommit ?? commit, baseline));
    return followRenames(missing, recorded ?? policyCommit ?? request.base, request, snapshot);
  });
}

/** The entries with the paths and fingerprints after the renames. `follow` gets the old paths that do not exist now. */
async function withPresentPaths(
  entries: readonly BaselineEntry[],
  snapshot: Snapshot,
  follow: (missing: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>,
): Promise<readonly BaselineEntry[]> {
  if (entries.length === 0) return entries;
  const existing = new Set((await snapshot.list()).map(({ path }) => path));
  const missing = new Set(entries.map(({ file }) => file).filter((file) => !existing.has(file)));
  // Most reviews need no history: read it only if a file is missing.
  if (missing.size === 0) return entries;
  const renamed = await follow(missing);
  return entries.map((entry) => {
    const file = renamed.get(entry.file);
    return file === undefined ? entry : { ...entry, file, fingerprint: moveFingerprint(entry, file) };
  });
}

function readText(text: Buffer | undefined, file: string): readonly BaselineEntry[] | undefined {
  return text === undefined ? undefined : readBaseline(requireText(text, file), file);
}

/** If the baseline of the base cannot be read, the baseline of the change applies. Otherwise no change could repair it. */
async function readOrRepair(
  ofPolicy: Buffer,
  readOwn: () => Promise<Buffer | undefined>,
  file: string,
): Promise<readonly BaselineEntry[] | undefined> {
  try {
    return readText(ofPolicy, file);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error;
    return readText(await readOwn(), file);
  }
}

/** The new paths of the missing files, by following git's renames since the commit `from`. */
async function followRenames(
  missing: ReadonlySet<string>,
  from: string | undefined,
  { repository }: Request,
  snapshot: Snapshot,
): Promise<ReadonlyMap<string, string>> {
  const { commit } = snapshot;
  if (commit === '') return new Map();
  const steps =
    from === undefined ? [] : ((await ignoreMissingHistory(repository.renames(from, commit))) ?? []);
  // Renames that no single commit shows: in the working tree, and on a branch that moved a file by copy and delete.
  const latest = snapshot.kind === 'commit' ? (from ?? commit) : commit;
  const rest = (await ignoreMissingHistory(snapshot.changedSince(latest))) ?? [];
  const now = new Map(Array.from(missing, (file) => [file, file]));
  for (const { oldPath, path } of [...steps, ...rest]) {
    if (oldPath === undefined) continue;
    for (const [old, at] of now) if (at === oldPath) now.set(old, path);
  }
  return new Map([...now].filter(([old, at]) => old !== at));
}

/** The fingerprint for another path, with the same ordinal among equal findings. */
function moveFingerprint(entry: BaselineEntry, file: string): string {
  // The ordinal is not recorded; no component has hundreds of equal findings.
  for (let ordinal = 0; ordinal < 1000; ordinal += 1) {
    if (fingerprintOf(entry, ordinal) === entry.fingerprint)
      return fingerprintOf({ ...entry, file }, ordinal);
  }
  return entry.fingerprint;
}
