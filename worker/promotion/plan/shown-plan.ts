import type {
  ChangedSince,
  PlanFacts,
  PlannedCommits,
  PlannedValue,
  PlannedVersion,
  PromotionPlan,
  VariablesUnknown,
} from '../../records/promotion-plan.ts';
import { planId } from '../../records/promotion-plan.ts';
import type { ShortDifference } from '../../../flows/plan/digest/short-difference.ts';
import { type PlanPart, planParts } from './plan-parts.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';

/** Whether the value of a variable in an environment is its own value, the default, or missing. */
export type ValueSource = 'own value' | 'default value' | 'no value';

/**
 * A variable with different values in the source and the target, or with its own value in only one of them. Never
 * contains a value.
 */
export interface VariableDifference {
  readonly name: string;
  readonly from: ValueSource;
  readonly to: ValueSource;
}

/** A plan in the form in which people see it. */
export interface ShownPlan {
  readonly digest: string;
  /** Twelve hex digits of the digest: `/millrace approve plan:…`. */
  readonly id: string;
  /** Since when it is the plan, as ISO 8601. */
  readonly at: string;
  readonly wanted: PlannedVersion & { readonly enabled: boolean | null };
  readonly live: PlannedVersion | null;
  readonly wayBack: string | null;
  /** The variables that affected pipelines use, or all of the project; null if they are not known. `compared`: how many were compared. */
  readonly variables: {
    readonly compared: number;
    readonly notCompared: number;
    readonly differences: readonly VariableDifference[];
    /** Which of them changed in the target since the live version was promoted; null if its plan was not kept. */
    readonly changedSince: ChangedSince | null;
  } | null;
  readonly snapshots: PlanFacts['snapshots'];
  /** What the wanted version does otherwise than the live one; null unless both snapshots are known. The lists are shortened. */
  readonly contents: ShortDifference | null;
  /** Null if they are not known, or nothing is live. */
  readonly commits: PlannedCommits | null;
  /** The same and the variables since the last promotion, as lists of lines; the empty ones are left out. */
  readonly parts: readonly PlanPart[];
  /** What is not known, one sentence each. */
  readonly unknown: readonly string[];
  /** The last changes, oldest first; `from`: the short name of the plan before. */
  readonly changes: readonly { readonly at: string; readonly from: string; readonly because: string }[];
}

/** Converts a plan to the form that the API, the dashboard and GitHub show. */
export function shownPlan(plan: PromotionPlan): ShownPlan {
  const { digest, at, facts, wayBack, changes } = plan;
  const { version, wanted, live, snapshots } = facts;
  return {
    digest,
    id: planId(digest),
    at: new Date(at).toISOString(),
    wanted: { version, commit: wanted?.commit ?? null, enabled: wanted?.enabled ?? null },
    live,
    wayBack: wayBack ?? null,
    variables: plan.variablesUnknown === undefined ? shownVariables(plan) : null,
    snapshots,
    contents: plan.difference ?? null,
    commits: plan.commits ?? null,
    parts: planParts(plan, facts),
    unknown: unknownParts(plan),
    changes: changes.map((change) => ({
      at: new Date(change.at).toISOString(),
      from: planId(change.from),
      because: change.reasons.join(', '),
    })),
  };
}

/**
 * The path on GitHub, below the repository, of the page that compares both versions; undefined unless both commits
 * are known.
 */
export function comparePath({ live, wanted }: Pick<ShownPlan, 'live' | 'wanted'>): string | undefined {
  const [before, after] = [live?.commit, wanted.commit];
  if (!before || !after || before === after) return undefined;
  return `compare/${encodeURIComponent(before)}...${encodeURIComponent(after)}`;
}

/** `v1.3.0 (0a1b2c3d4e5f) → v1.4.0 (6a7b8c9d0e1f)`. */
export function planTitle({ live, wanted }: Pick<ShownPlan, 'live' | 'wanted'>): string {
  return `${live === null ? 'nothing' : versionText(live)} → ${versionText(wanted)}`;
}

function versionText({ version, commit }: PlannedVersion): string {
  return commit === null ? `${version} (commit not known)` : `${version} (${commit.slice(0, 12)})`;
}

/** How many variables a text names. */
const maxNamed = 20;

/** The variables that differ, as one text; undefined if the variables are not known. */
export function variablesText({ variables }: Pick<ShownPlan, 'variables'>): string | undefined {
  if (variables === null) return undefined;
  const { differences } = variables;
  if (differences.length === 0) return 'none';
  const named = differences.slice(0, maxNamed).map(({ name, from, to }) => `${name} (${from}, then ${to})`);
  const left = differences.length - named.length;
  return `${named.join(', ')}${left === 0 ? '' : `, and ${left} more`}`;
}

function shownVariables({
  facts,
  notCompared,
  changedSince,
}: PromotionPlan): NonNullable<ShownPlan['variables']> {
  const { variables } = facts;
  return {
    compared: variables.length,
    notCompared,
    changedSince: changedSince ?? null,
    differences: variables
      .filter(({ from, to }) => keyed(from) !== keyed(to) || isOwn(from) !== isOwn(to))
      .map(({ name, from, to }) => ({ name, from: sources[from.source], to: sources[to.source] })),
  };
}

const sources: Readonly<Record<PlannedValue['source'], ValueSource>> = {
  own: 'own value',
  default: 'default value',
  none: 'no value',
};

const keyed = (value: PlannedValue): string | undefined =>
  value.source === 'none' ? undefined : value.value;
const isOwn = ({ source }: PlannedValue): boolean => source === 'own';

const variablesUnknown: Readonly<Record<VariablesUnknown, string>> = {
  access: 'The variables are not known: the credential of the lane may not read them.',
  secret: 'The variables are not known: the worker has no webhook secret to key their values with.',
};

function unknownParts(plan: PromotionPlan): readonly string[] {
  const { facts, notCompared, variablesUnknown: reason, changedSince, contentsUnknown } = plan;
  const { version, from, wanted, live, snapshots } = facts;
  const areNoneKnown = snapshots.wanted === null && snapshots.live === null;
  return [
    ...(wanted === null ? [`${from} does not have ${version}.`] : []),
    ...(wanted !== null && wanted.commit === null
      ? [`The platform does not say the commit of ${version}.`]
      : []),
    ...(live !== null && live.commit === null
      ? [`The platform does not say the commit of ${live.version}.`]
      : []),
    // Plans of older workers do not say why.
    ...(contentsUnknown ??
      (areNoneKnown ? ['The contents of the versions are not compared: no snapshot is known.'] : [])),
    ...(plan.commitsUnknown === undefined ? [] : [plan.commitsUnknown]),
    ...(plan.commits === undefined || plan.commits.notRead === 0
      ? []
      : [
          `${numberOf(plan.commits.notRead, 'more pull request was', 'more pull requests were')} not read: a plan reads the pull requests of the newest ten commits that name one.`,
        ]),
    ...(reason === undefined ? [] : [variablesUnknown[reason]]),
    ...(live !== null && changedSince === undefined && reason === undefined
      ? [
          `It is not known which variables changed since ${live.version} went live: no plan of its promotion by this lane is kept.`,
        ]
      : []),
    ...(notCompared === 0
      ? []
      : [
          `${numberOf(notCompared, 'variable was', 'variables were')} not compared: the API has a request for each, and a plan has its share of the rate limit.`,
        ]),
  ];
}
