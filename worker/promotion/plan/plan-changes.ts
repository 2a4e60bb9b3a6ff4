import type { ArtifactVersion } from '../../../flows/versions/find-artifact.ts';
import { enteredAt } from '../../../lib/core/values/listed-version.ts';
import type {
  PlanFacts,
  PlannedValue,
  PlannedVariable,
  PromotionPlan,
} from '../../records/promotion-plan.ts';
import type { MadePlan } from './make-plan.ts';

/** How many changes of variables are named. */
const maxNamed = 5;

/** The differences between a plan and a later one, each as a part of a sentence; empty if they are equal. */
export function planChanges(before: PromotionPlan, made: MadePlan): readonly string[] {
  if (before.digest === made.digest) return [];
  const { facts: was } = before;
  const { facts: is } = made;
  const isSameSnapshots =
    was.snapshots.wanted === is.snapshots.wanted && was.snapshots.live === is.snapshots.live;
  return [
    ...wantedChanges(was, is),
    ...liveChanges(was, is, made.target),
    ...variableChanges(before, made),
    ...(isSameSnapshots ? [] : ['the snapshots of the versions have changed']),
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
  const named = changedVariables(before.facts.variables, facts);
  const left = named.length - maxNamed;
  return left > 1 ? [...named.slice(0, maxNamed), `${left} more changes of variables`] : named;
}

function changedVariables(
  before: readonly PlannedVariable[],
  { variables: after, from, to }: PlanFacts,
): readonly string[] {
  const was = new Map(before.map((variable) => [variable.name, variable]));
  const is = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap((variable) => {
      const { name } = variable;
      const previous = was.get(name);
      if (previous === undefined) return [`the variable ${name} is compared now`];
      const places = [
        ...(isSame(previous.from, variable.from) ? [] : [from]),
        ...(isSame(previous.to, variable.to) ? [] : [to]),
      ];
      if (places.length > 0) return [`the variable ${name} has another value in ${places.join(' and ')}`];
      return previous.type === variable.type ? [] : [`the variable ${name} has another type`];
    }),
    ...before
      .filter(({ name }) => !is.has(name))
      .map(({ name }) => `the variable ${name} is no longer there or no longer compared`),
  ];
}

function isSame(a: PlannedValue, b: PlannedValue): boolean {
  const keyed = (value: PlannedValue): string | undefined =>
    value.source === 'none' ? undefined : value.value;
  return a.source === b.source && keyed(a) === keyed(b);
}
