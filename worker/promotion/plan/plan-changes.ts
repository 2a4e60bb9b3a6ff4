import type { ArtifactVersion } from '../../../flows/versions/find-artifact.ts';
import { enteredAt } from '../../../lib/core/values/listed-version.ts';
import type { PlanFacts, PlannedValue, PromotionPlan } from '../../records/promotion-plan.ts';
import type { MadePlan } from './make-plan.ts';

/** How many changes of variables are named. */
const maxNamed = 5;

/** The differences between a plan and a later one, each as a part of a sentence; empty if they are equal. */
export function planChanges(before: PromotionPlan, made: MadePlan): readonly string[] {
  if (before.digest === made.digest) return [];
  const { facts: was } = before;
  const { facts: is } = made;
  return [
    ...wantedChanges(was, is),
    ...liveChanges(was, is, made.target),
    ...variableChanges(before, made),
    ...snapshotChanges(was, is),
  ];
}

function wantedChanges(before: PlanFacts, { version, from, wanted }: PlanFacts): readonly string[] {
  if (before.version !== version) return [`the wanted version was ${before.version} and is ${version}`];
  if (before.wanted?.enabled !== wanted?.enabled) {
    if (wanted === null) return [`${version} is no longer in ${from}`];
    return [wanted.enabled ? `${version} is enabled in ${from} again` : `${version} was disabled in ${from}`];
  }
  if (before.wanted === null || wanted === null || before.wanted.commit === wanted.commit) return [];
  return [commitChange(`${version} in ${from}`, before.wanted, wanted)];
}

function liveChanges(
  { live: before }: PlanFacts,
  { live: after, to }: PlanFacts,
  target: readonly ArtifactVersion[],
): readonly string[] {
  if (before?.version === after?.version) {
    if (before === null || after === null || before.commit === after.commit) return [];
    return [commitChange(`${after.version} in ${to}`, before, after)];
  }
  const previous = target.find(({ versionName }) => versionName === before?.version);
  const isLive = after === null ? `no version is live in ${to}` : `${after.version} is live in ${to}`;
  if (before !== null && previous === undefined)
    return [`${before.version} is no longer in ${to}, and ${isLive}`];
  if (before !== null && previous?.enabled === false)
    return [`${before.version} was disabled in ${to}, and ${isLive}`];
  const artifact = target.find(({ versionName }) => versionName === after?.version);
  return [artifact === undefined ? isLive : wentLive(artifact, to)];
}

/** `v1.3.1 went live in prod at 2031-01-31T10:02Z`. */
export function wentLive(artifact: ArtifactVersion, environment: string): string {
  const at = Date.parse(enteredAt(artifact));
  const time = Number.isNaN(at) ? '' : ` at ${new Date(at).toISOString().slice(0, 16)}Z`;
  return `${artifact.versionName} went live in ${environment}${time}`;
}

/** What is known otherwise of the contents of the same version. For another version, its name is the reason. */
function snapshotChanges(before: PlanFacts, after: PlanFacts): readonly string[] {
  const isSameWanted = before.version === after.version && before.wanted?.commit === after.wanted?.commit;
  const isSameLive =
    before.live?.version === after.live?.version && before.live?.commit === after.live?.commit;
  return [
    ...(isSameWanted ? snapshotChange(after.version, before.snapshots.wanted, after.snapshots.wanted) : []),
    ...(isSameLive && after.live !== null
      ? snapshotChange(after.live.version, before.snapshots.live, after.snapshots.live)
      : []),
  ];
}

function snapshotChange(version: string, before: string | null, after: string | null): readonly string[] {
  if (before === after) return [];
  if (before === null) return [`the snapshot of ${version} became known`];
  if (after === null) return [`the snapshot of ${version} is no longer known`];
  return [`another snapshot of ${version} counts`];
}

interface WithCommit {
  readonly commit: string | null;
}

/** The text that a version was built from another commit than before. */
export function commitChange(version: string, before: WithCommit, after: WithCommit): string {
  const short = ({ commit }: WithCommit): string => commit?.slice(0, 12) ?? 'none';
  return `the commit of ${version} was ${short(before)} and is ${short(after)}`;
}

function variableChanges(before: PromotionPlan, { facts, limits }: MadePlan): readonly string[] {
  if (before.variablesUnknown !== limits.variablesUnknown)
    return [
      limits.variablesUnknown === undefined
        ? 'the variables can be read now'
        : 'the variables can no longer be read',
    ];
  if (before.key !== limits.key) return ['the webhook secret that values are compared with was changed'];
  const named = changedVariables(before.facts, facts);
  const left = named.length - maxNamed;
  return left > 1 ? [...named.slice(0, maxNamed), `${left} more changes of variables`] : named;
}

function changedVariables(
  { variables: before, snapshots: known }: PlanFacts,
  { variables: after, from, to, snapshots }: PlanFacts,
): readonly string[] {
  // Other contents lead to other variables: the contents are the reason.
  const isSameScope = known.wanted === snapshots.wanted && known.live === snapshots.live;
  const was = new Map(before.map((variable) => [variable.name, variable]));
  const is = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap((variable) => {
      const { name } = variable;
      const previous = was.get(name);
      if (previous === undefined) return isSameScope ? [`the variable ${name} is compared now`] : [];
      const places = [
        ...(isSame(previous.from, variable.from) ? [] : [from]),
        ...(isSame(previous.to, variable.to) ? [] : [to]),
      ];
      if (places.length > 0) return [`the variable ${name} has another value in ${places.join(' and ')}`];
      return previous.type === variable.type ? [] : [`the variable ${name} has another type`];
    }),
    ...before
      .filter(({ name }) => isSameScope && !is.has(name))
      .map(({ name }) => `the variable ${name} is no longer there or no longer compared`),
  ];
}

function isSame(a: PlannedValue, b: PlannedValue): boolean {
  const keyed = (value: PlannedValue): string | undefined =>
    value.source === 'none' ? undefined : value.value;
  return a.source === b.source && keyed(a) === keyed(b);
}
