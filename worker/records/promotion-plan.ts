import type { ShortDifference } from '../../flows/plan/digest/short-difference.ts';

/** A version of a plan. */
export interface PlannedVersion {
  readonly version: string;
  /** In lower case; null if the platform does not say it. */
  readonly commit: string | null;
}

/**
 * The value of a variable in an environment: its own value or the default. `value` is hashed with a secret key of
 * the installation, so that it cannot be guessed.
 */
export type PlannedValue =
  { readonly source: 'own' | 'default'; readonly value: string } | { readonly source: 'none' };

/** A variable of a plan, in the source and in the target. */
export interface PlannedVariable {
  readonly name: string;
  readonly type: string;
  readonly from: PlannedValue;
  readonly to: PlannedValue;
}

/** The parsed canonical JSON of a plan (`flows/plan/digest/plan-json.ts`). */
export interface PlanFacts {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  /** The version in the source; null if the source does not have it. */
  readonly wanted: { readonly commit: string | null; readonly enabled: boolean } | null;
  /** What is live in the target; null if nothing is. */
  readonly live: PlannedVersion | null;
  /** The digests of the snapshots of both versions; null while they are not known. */
  readonly snapshots: { readonly wanted: string | null; readonly live: string | null };
  /** By their names; those that were compared. */
  readonly variables: readonly PlannedVariable[];
}

/**
 * Why the variables of a plan are not known: the credential may not read them, or the worker has no secret for
 * hashing their values.
 */
export type VariablesUnknown = 'access' | 'secret';

/** A commit that the wanted version has and the live one lacks. */
export interface PlannedCommit {
  readonly commit: string;
  readonly subject: string;
  /** A login, or the name in the commit. */
  readonly author: string;
  /** The pull request whose merge it is. */
  readonly pull?: number;
  /** Who approved the newest commit of the pull request. Absent without one. */
  readonly approvedBy?: readonly string[];
}

/** The commits between the live and the wanted version, as GitHub compares them. */
export interface PlannedCommits {
  readonly added: number;
  /** How many commits the live version has and the wanted one lacks. */
  readonly removed: number;
  /** The newest of the added ones, the newest first. */
  readonly newest: readonly PlannedCommit[];
  /** How many of `newest` name a pull request that was not read, because the requests are bounded. */
  readonly notRead: number;
}

/** Which of the compared variables have another value in the target than when the live version was promoted. */
export interface ChangedSince {
  /** The live version. */
  readonly version: string;
  /** How many variables are in both plans. */
  readonly compared: number;
  readonly count: number;
  /** The first of them by name. */
  readonly names: readonly string[];
}

/** What a plan says about itself, beside its facts. */
export interface PlanLimits {
  /** Names the secret that the values are keyed with; absent without one. */
  readonly key?: string;
  /** How many variables were left out, because the API has a request for each. */
  readonly notCompared: number;
  readonly variablesUnknown?: VariablesUnknown;
  /** The variables that the plan is about: those that affected pipelines use. Absent if it is about all of the project. */
  readonly names?: readonly string[];
  /** What the wanted version does otherwise than the live one; absent unless both snapshots are known. */
  readonly difference?: ShortDifference;
  /** What is not known of the contents of the versions: one sentence each. Absent if nothing, and in plans of older workers. */
  readonly contentsUnknown?: readonly string[];
  /** Absent if nothing is live, if a commit is not known, and while GitHub cannot be read. */
  readonly commits?: PlannedCommits;
  /** Why the commits are not known: one sentence. */
  readonly commitsUnknown?: string;
  /** Absent if the plan of the live version was not kept. */
  readonly changedSince?: ChangedSince;
}

/** A change of the plan while the promotion waited. */
export interface PlanChange {
  /** The digest before. */
  readonly from: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What changed, each as a part of a sentence. */
  readonly reasons: readonly string[];
}

/** The plan in the record of a promotion. Times in milliseconds since the epoch. */
export interface PromotionPlan extends PlanLimits {
  /** SHA-256 of the canonical JSON of the facts, in hex. */
  readonly digest: string;
  readonly facts: PlanFacts;
  /** Since when it is the plan. */
  readonly at: number;
  /** When the platform was last read for it. */
  readonly readAt: number;
  /** The version that becomes live if the wanted one is rolled back; absent if there is none. */
  readonly wayBack?: string;
  /** The last changes, oldest first. */
  readonly changes: readonly PlanChange[];
  /** The plan that GitHub shows, and since when; undefined if it shows none. */
  readonly shown?: { readonly digest: string; readonly at: number } | undefined;
}

/** How many hex digits of a digest name a plan for people. */
const idLength = 12;

/** The short name of a plan: the start of its digest. */
export function planId(digest: string): string {
  return digest.slice(0, idLength);
}

/** Whether a text names a plan: by its digest or its short name. */
export function namesPlan(text: string, { digest }: Pick<PromotionPlan, 'digest'>): boolean {
  return text === digest || text === planId(digest);
}

/**
 * The reason why an approval for the plan `digest` no longer counts, as the end of a sentence; undefined if it was
 * not recorded.
 */
export function whyVoid({ changes }: Pick<PromotionPlan, 'changes'>, digest: string): string | undefined {
  const first = changes.findLastIndex(({ from }) => from === digest);
  if (first < 0) return undefined;
  return [...new Set(changes.slice(first).flatMap(({ reasons }) => reasons))].join(', ');
}

/** The reason of the plan's last change, in parentheses; '' if there was none. */
export function lastChange(plan: Pick<PromotionPlan, 'changes'> | undefined): string {
  const last = plan?.changes.at(-1);
  return last === undefined ? '' : ` (${last.reasons.join(', ')})`;
}

/** The fields in which a promotion's hash in Redis stores its plan. */
export function planFields({ digest, ...plan }: PromotionPlan): Readonly<Record<string, string>> {
  return { planDigest: digest, planned: JSON.stringify({ ...plan, shown: undefined }) };
}

/**
 * Reads the plan from the fields of a promotion's hash, with the fields about what GitHub shows
 * (`return-report.lua`). Undefined without a plan.
 */
export function readPlan(hash: Readonly<Record<string, string>>): PromotionPlan | undefined {
  const { planDigest: digest, planned, planShown, planShownAt } = hash;
  if (digest === undefined || planned === undefined) return undefined;
  return {
    // Written by our own scripts only.
    ...(JSON.parse(planned) as Omit<PromotionPlan, 'digest' | 'shown'>),
    digest,
    shown: planShown === undefined ? undefined : { digest: planShown, at: Number(planShownAt) },
  };
}
