import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { ArtifactVersion } from '../versions/find-artifact.ts';
import type { LaneGate, PlannedGate, WorkerPlan } from './gates.ts';
import type { PlannedVariables } from './variables/planned-variables.ts';
import { commitOf, type PlannedPromotion, type VersionLists } from './versions/compare-versions.ts';

/** What this plan says, as far as a worker's plan says it too. */
export interface OwnPlan extends PlannedPromotion {
  readonly lists: VersionLists;
  readonly wayBack: string | undefined;
  readonly variables: PlannedVariables | undefined;
  /** Whether a digest is the one of the snapshot of a version, with or without columns; undefined if this plan has no snapshot of it. */
  readonly isSnapshot: (side: 'live' | 'wanted', digest: string | null) => Promise<boolean | undefined>;
}

/** The gates of a worker, with what its plans say otherwise than this plan. */
export async function compareWorkerPlans(
  gates: readonly LaneGate[],
  own: OwnPlan,
): Promise<readonly PlannedGate[]> {
  return Promise.all(
    gates.map(async ({ promotion, ...gate }) => {
      if (promotion === undefined) return gate;
      const { plan, ...rest } = promotion;
      if (plan === undefined) return { ...gate, promotion: rest };
      const { digest, id } = plan;
      return { ...gate, promotion: { ...rest, plan: { digest, id, differs: await differences(plan, own) } } };
    }),
  );
}

async function differences(plan: WorkerPlan, own: OwnPlan): Promise<readonly string[]> {
  const versions = [...liveDifferences(plan, own), ...wantedDifferences(plan, own)];
  // Other versions have other contents and variables.
  if (versions.length > 0) return versions;
  const { wayBack: back } = own;
  const contents = await contentDifferences(plan, own);
  return [
    ...(plan.wayBack === (back ?? null)
      ? []
      : [`a roll-back makes ${plan.wayBack ?? 'no version'} live there, and ${back ?? 'no version'} here`]),
    ...contents.texts,
    ...(contents.isSameScope ? variableDifferences(plan, own) : []),
  ];
}

function liveDifferences({ live }: WorkerPlan, { lists, to }: OwnPlan): readonly string[] {
  const here = lists.live && { version: lists.live.versionName, commit: commitOf(lists.live) ?? null };
  if (live?.version === here?.version && live?.commit === here?.commit) return [];
  return [`live in ${to} is ${versionText(live)} there, and ${versionText(here ?? null)} here`];
}

function wantedDifferences({ wanted }: WorkerPlan, { lists, version, from }: OwnPlan): readonly string[] {
  const listed = lists.inSource.find(({ versionName }: ArtifactVersion) => versionName === version);
  const here = { version, commit: (listed && commitOf(listed)) ?? null };
  const state = (enabled: boolean | null): string =>
    enabled === null ? `not in ${from}` : enabled ? `enabled in ${from}` : `disabled in ${from}`;
  const enabled = listed?.enabled ?? null;
  return [
    ...(wanted.version === version && wanted.commit === here.commit
      ? []
      : [`the wanted version is ${versionText(wanted)} there, and ${versionText(here)} here`]),
    ...(wanted.enabled === enabled
      ? []
      : [`${version} is ${state(wanted.enabled)} there, and ${state(enabled)} here`]),
  ];
}

function versionText(version: { readonly version: string; readonly commit: string | null } | null): string {
  if (version === null) return 'no version';
  return `${version.version} (${version.commit?.slice(0, 12) ?? 'commit not known'})`;
}

/** `isSameScope`: whether both plans compare the variables of the same pipelines. */
async function contentDifferences(
  { snapshots }: WorkerPlan,
  { version, lists, isSnapshot }: OwnPlan,
): Promise<{ readonly texts: readonly string[]; readonly isSameScope: boolean }> {
  const texts: string[] = [];
  let isSameScope = true;
  for (const side of ['wanted', 'live'] as const) {
    const digest = snapshots[side];
    const name = side === 'wanted' ? version : lists.live?.versionName;
    if (name === undefined) continue;
    const isSame = await isSnapshot(side, digest);
    if (isSame === false || (isSame === undefined && digest !== null)) isSameScope = false;
    if (isSame !== false) continue;
    texts.push(
      digest === null
        ? `the contents of ${name} are not known there`
        : `the signed snapshot of ${name} says something else than its files here; another version of Millrace may have taken it`,
    );
  }
  return { texts, isSameScope };
}

const sources = { own: 'own value', default: 'default value', none: 'no value' };

/** Of two limited lists, only what both have read can differ. */
function variableDifferences(
  { variables: there }: WorkerPlan,
  { variables: here }: OwnPlan,
): readonly string[] {
  if (there === null || here === undefined) return [];
  const pairText = (from: string, to: string): string => `${from}, then ${to}`;
  const [worker, own] = [
    new Map(there.differences.map(({ name, from, to }) => [name, pairText(from, to)])),
    new Map(
      here.differences.map(({ variable, from, to }) => [
        variable,
        pairText(sources[from.source], sources[to.source]),
      ]),
    ),
  ];
  const names = [...new Set([...worker.keys(), ...own.keys()])].toSorted(compareTexts);
  return names.flatMap((name) => {
    const [a, b] = [worker.get(name), own.get(name)];
    if (a === b) return [];
    if ((a === undefined && there.notCompared > 0) || (b === undefined && here.notRead > 0)) return [];
    return [`the variable ${name} ${difference(a)} there, and ${difference(b)} here`];
  });
}

const difference = (values: string | undefined): string =>
  values === undefined ? 'does not differ' : `differs (${values})`;
