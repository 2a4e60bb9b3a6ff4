import { type PlanContents, planContents } from '../../../flows/plan/digest/plan-json.ts';
import { type ShortDifference, shortDifference } from '../../../flows/plan/digest/short-difference.ts';
import { trustFor } from '../../../lib/config/worker/evidence-trust.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import type { PlannedVersion, PromotionPlan } from '../../records/promotion-plan.ts';
import type { Advance } from '../advance/advance.ts';
import { allowedRefs } from '../gates/evidence-gate.ts';
import { keep } from '../gates/evidence-source.ts';
import {
  findSnapshot,
  type FoundSnapshot,
  knownSnapshots,
  loadSnapshot,
  type SnapshotSource,
} from './find-snapshot.ts';

/** What a plan says about the contents of both versions. */
export interface ReadContents extends PlanContents {
  /** What differs; undefined unless both snapshots are known. */
  readonly difference: ShortDifference | undefined;
  /** What is not known, and why: one sentence each. */
  readonly unknown: readonly string[];
}

/** The versions that are compared; `live` is null if nothing is live. */
export interface PlannedVersions {
  readonly wanted: PlannedVersion;
  readonly live: PlannedVersion | null;
}

/** How many names of variables a record keeps. A plan with more of them is not carried on while GitHub cannot be read. */
const maxNames = 2_000;

/** The parts of a record that keep what was read. */
export function keptContents({
  names,
  difference,
  unknown,
}: ReadContents): Pick<PromotionPlan, 'names' | 'difference' | 'contentsUnknown'> {
  return {
    ...(names === undefined || names.size > maxNames ? {} : { names: [...names] }),
    ...(difference === undefined ? {} : { difference }),
    ...(unknown.length === 0 ? {} : { contentsUnknown: unknown }),
  };
}

/**
 * Reads the snapshots of both versions from the statements on GitHub, and compares them. If GitHub cannot be read, what the promotion's plan
 * says about the same versions stays. Without a key in worker.yaml, nothing is read.
 */
export async function readContents(advance: Advance, versions: PlannedVersions): Promise<ReadContents> {
  const { promotion, ports } = advance;
  const { config, github, clock } = ports;
  const { id } = promotion.task.repository;
  const trust = trustFor(config.repositories, id);
  if (trust.keys.length === 0) return notKnown([noKeys]);
  try {
    const { fullName } = await github.repository(id);
    return await compareVersions(versions, {
      github,
      fullName,
      repositoryId: id,
      trust,
      isRefAllowed: allowedRefs(config, id),
      now: clock.now(),
      known: knownSnapshots(config),
      texts: new Map(),
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return (
      recordedContents(promotion.plan, versions) ??
      notKnown([
        `The contents of the versions are not known, because GitHub could not be read: ${error.message}`,
      ])
    );
  }
}

/** What a plan says about the contents of the same versions; undefined if it is about others. */
export function recordedContents(
  plan: PromotionPlan | undefined,
  { wanted, live }: PlannedVersions,
): ReadContents | undefined {
  if (plan === undefined) return undefined;
  const { facts, names, difference, contentsUnknown = [] } = plan;
  if (!isAbout(plan, { wanted, live }) || (facts.snapshots.wanted !== null && names === undefined))
    return undefined;
  return { ...facts.snapshots, names: names && new Set(names), difference, unknown: contentsUnknown };
}

/** Whether a plan is about these versions, of these commits. */
export function isAbout({ facts }: Pick<PromotionPlan, 'facts'>, { wanted, live }: PlannedVersions): boolean {
  return (
    facts.version === wanted.version &&
    (facts.wanted?.commit ?? null) === wanted.commit &&
    facts.live?.version === live?.version &&
    facts.live?.commit === live?.commit
  );
}

const noKeys =
  'The contents of the versions are not compared: worker.yaml lists no key that signs evidence of this repository.';

function notKnown(unknown: readonly string[]): ReadContents {
  return { live: null, wanted: null, names: undefined, difference: undefined, unknown };
}

/** The differences that this process has made, by the snapshots. */
const differences = new Map<string, Pick<ReadContents, 'names' | 'difference'>>();
const maxDifferences = 100;

async function compareVersions(
  { wanted, live }: PlannedVersions,
  source: SnapshotSource,
): Promise<ReadContents> {
  const after = await findSnapshot(wanted, source);
  const before = live === null ? undefined : await findSnapshot(live, source);
  const reasons = [
    ...(typeof after === 'string' ? [sentence(wanted, after)] : []),
    ...(live !== null && typeof before === 'string' ? [sentence(live, before)] : []),
  ];
  const [known, knownBefore] = [after, before].map((found) =>
    typeof found === 'string' ? undefined : found,
  );
  const compared = known === undefined ? undefined : await compare(known, knownBefore, source);
  if (known !== undefined && compared === undefined) reasons.push(sentence(wanted, 'its statement is gone'));
  return {
    live: knownBefore?.digest ?? null,
    wanted: compared === undefined ? null : (known?.digest ?? null),
    names: compared?.names,
    difference: compared?.difference,
    unknown: [...reasons, ...withoutColumns([wanted, known], [live ?? wanted, knownBefore])],
  };
}

async function compare(
  wanted: FoundSnapshot,
  live: FoundSnapshot | undefined,
  source: SnapshotSource,
): Promise<Pick<ReadContents, 'names' | 'difference'> | undefined> {
  const key = `${live?.digest ?? ''} ${wanted.digest} ${live?.oid ?? ''} ${wanted.oid}`;
  const made = differences.get(key);
  if (made !== undefined) return made;
  const after = await loadSnapshot(wanted, source);
  const before = live && (await loadSnapshot(live, source));
  if (after === undefined || (live !== undefined && before === undefined)) return undefined;
  const { names, difference } = planContents({ live: before, wanted: after });
  const compared = { names, difference: difference && shortDifference(difference) };
  keep(differences, key, compared, maxDifferences);
  return compared;
}

function sentence({ version }: PlannedVersion, reason: string): string {
  return `The contents of ${version} are not known: ${reason}.`;
}

/** Columns are compared only if both snapshots have them. */
function withoutColumns(
  ...sides: readonly (readonly [PlannedVersion, FoundSnapshot | undefined])[]
): readonly string[] {
  if (sides.some(([, found]) => found === undefined)) return [];
  const names = sides.flatMap(([{ version }, found]) => (found?.columns === 'unknown' ? [version] : []));
  if (names.length === 0) return [];
  return [
    `Columns are not known: the ${names.length === 1 ? 'snapshot' : 'snapshots'} of ${listText(names)} ${names.length === 1 ? 'has' : 'have'} calls and names of tables only.`,
  ];
}
