import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Via } from './audit-entry.ts';
import { type PromotionPlan, readPlan } from './promotion-plan.ts';
import type { Pusher, PromotionTask } from './promotion-task.ts';
import { readTask } from './stored-task.ts';

/**
 * The state of a promotion. `following`: its own work is done, and the following lanes have not accepted its
 * version yet.
 */
export type PromotionState = 'queued' | 'active' | 'following' | 'finished';

/** The gate that a step waits at, and since when. Absent in steps of older workers. */
interface StepWait {
  readonly waits?: { readonly gate: string; readonly since: number };
}

/** The current step of a promotion. Times in milliseconds since the epoch. */
export type Step =
  | { readonly name: 'resolve'; readonly since: number }
  | (StepWait & {
      readonly name: 'promote';
      /** When it began, or was last kept back by a gate: its time limits begin then. */
      readonly since: number;
      readonly readBacks: number;
      /** The platform answered 503 and asked to wait: since when, and until when, while the answer to the intent is open. */
      readonly busy?: { readonly since: number; readonly until?: number };
      /** The digest of the plan of its last effect; absent before that, and if the promotion needs no plan. */
      readonly underPlan?: string;
      /** What the history says already about the evidence; absent before it was verified. */
      readonly evidence?: string;
    })
  | (StepWait & { readonly name: 'start'; readonly verify: number; readonly since: number })
  | {
      readonly name: 'watch';
      readonly verify: number;
      readonly since: number;
      readonly executionId: string;
      /** Usual duration of such executions, in milliseconds; undefined if too few are known. */
      readonly usualMs?: number;
      /** A person's verdict on an execution that the platform no longer knows. */
      readonly verdict?: { readonly succeeded: boolean; readonly by: string };
      /** The execution succeeded; which version is live is still to be read. */
      readonly hasSucceeded?: true;
      /** When it ran, as the platform reported at its end. */
      readonly ran?: { readonly startedAt: string; readonly finishedAt?: string | undefined } | undefined;
      /** Number of the last read of what is live in the target that was begun before that; see `LiveReads`. */
      readonly lastRead?: number;
      /**
       * Since when the platform does not find it, in milliseconds since the epoch; undefined if it found it
       * last time.
       */
      readonly missingSince?: number;
      /** Why its termination was requested; undefined before that. */
      readonly ending?: string;
      /** It was terminated while it was queued: no runner had started it, so it says nothing about the version. */
      readonly neverStarted?: true;
      /** When the termination was first requested. */
      readonly endingSince?: number;
      /** The platform's last refusal to terminate it. */
      readonly refused?: string;
    }
  | { readonly name: 'roll-back'; readonly reason: string; readonly since: number };

/**
 * An external effect that a promotion is about to cause. While it is recorded, it is unknown whether the effect
 * happened.
 */
export interface Intent {
  readonly effect: 'promote' | 'start' | 'terminate' | 'disable' | 'enable';
  readonly at: number;
  /** What to check on the platform. */
  readonly what: string;
  /** The digest of the plan; absent if the promotion needs none. */
  readonly plan?: string;
}

/** One person's approval of one promotion, for exactly the commit, version and plan that they saw. */
export interface Approval {
  /** The person, whatever the entrance (`personOf`). */
  readonly person: string;
  /** The name under which they acted. */
  readonly by: string;
  readonly via: Via;
  /** GitHub's id of the person, if they acted with a GitHub account. */
  readonly githubId?: number;
  /** The team of `approvers` that they were in at that time, if they are not named themselves. */
  readonly team?: string;
  readonly commit: string;
  readonly version: string;
  /** What the person wrote with it. */
  readonly comment?: string;
  /** The digest of the plan; absent if they saw none: then it counts for any plan. */
  readonly plan?: string;
  readonly at: number;
}

/**
 * An approver's rejection of one promotion, for exactly the commit and version that they saw; it ends the
 * promotion.
 */
export type Rejection = Omit<Approval, 'comment'> & { readonly reason: string };

/**
 * An admin's permission for one promotion to continue during a freeze or without evidence, for exactly the commit
 * and version that the admin saw.
 */
export interface GatePass {
  readonly by: string;
  /** Absent in passes of older workers. */
  readonly via?: Via;
  readonly reason: string;
  readonly commit: string;
  readonly version: string;
  readonly at: number;
}

/** A version that was disabled in its target after its promotion: by whom, why, and which version is live instead. */
export interface RolledBack {
  readonly by: string;
  readonly via: Via;
  readonly disabled: string;
  readonly live: string;
  readonly reason: string;
  /** It was found disabled, but not by Millrace. */
  readonly outside?: boolean;
}

/** A promotion as Redis stores it. */
export interface PromotionRecord {
  readonly id: string;
  readonly lane: string;
  readonly seq: number;
  readonly state: PromotionState;
  readonly task: PromotionTask;
  readonly step: Step;
  readonly intent: Intent | undefined;
  readonly version: string | undefined;
  /** Since when the version is known; undefined if that was not recorded. */
  readonly versionAt: number | undefined;
  /** The commit that the version's artifact was built from; undefined if it is not resolved, or the platform does not say. */
  readonly artifactCommit: string | undefined;
  readonly approvals: readonly Approval[];
  readonly rejection: Rejection | undefined;
  /** What it will change; absent before it was made, and if it needs no approval. */
  readonly plan?: PromotionPlan | undefined;
  /** The freeze was overridden. */
  readonly override: GatePass | undefined;
  /** An admin let the promotion continue without evidence. */
  readonly evidencePass: GatePass | undefined;
  /** Why it must end, once that was requested. */
  readonly cancel: string | undefined;
  /** When GitHub was last asked at the gate who wrote what is promoted; undefined if it was not. */
  readonly authorsAskedAt: number | undefined;
  /** Whether it was changed from outside since its last advance began: it must be advanced now. */
  readonly advanceRequested: boolean;
  /** Advances in a row that did not end: each killed its worker or lost its lock. */
  readonly unfinished: number;
  readonly outcome: Outcome | undefined;
  readonly message: string | undefined;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** Its place in the order in which promotions changed their environments; undefined before it has its lane. */
  readonly place: number | undefined;
  /** Its version was disabled in the target after it had passed. */
  readonly rolledBack: RolledBack | undefined;
  readonly report: {
    readonly state: string;
    readonly text: string;
    readonly seq: number;
    readonly sent: number;
    /** When it became what it is; undefined if an older worker recorded it. */
    readonly at?: number | undefined;
    /** When a state after its end was first sent; undefined if none was, or an older worker sent it. */
    readonly endSentAt?: number | undefined;
  };
}

/** Whether a promotion may have changed something outside of the worker; the same as `has_begun` in lane-rules.lua. */
export function hasBegun({ step, intent }: Pick<PromotionRecord, 'step' | 'intent'>): boolean {
  return intent !== undefined || (step.name !== 'resolve' && step.name !== 'promote');
}

/** Reads a promotion from its hash in Redis, with its id; `undefined` if it does not exist. */
export function readPromotion(hash: Readonly<Record<string, string>>): PromotionRecord | undefined {
  const { id, lane, state } = hash;
  // Format 2 and older call the field `plan`.
  const text = hash['task'] ?? hash['plan'];
  if (id === undefined || lane === undefined || text === undefined || state === undefined) return undefined;
  const createdAt = Number(hash['createdAt'] ?? 0);
  const task = readTask(text, lane);
  const named = task.version.kind === 'named' ? task.version.name : undefined;
  // Fields about people; most promotions have none of them, and each poll reads a record.
  const people = Object.keys(hash).filter((field) => field.includes(':'));
  return {
    id,
    lane,
    seq: Number(hash['seq'] ?? 0),
    // Written by our own scripts only.
    state: state as PromotionState,
    task: isUnchanged(task, hash, people) ? task : withPushers(task, hash),
    step: hash['step'] ? (JSON.parse(hash['step']) as Step) : { name: 'resolve', since: createdAt },
    intent: hash['intent'] ? (JSON.parse(hash['intent']) as Intent) : undefined,
    version: (hash['version'] ?? named) || undefined,
    versionAt: named !== undefined ? createdAt : timeOf(hash['versionAt']),
    artifactCommit: hash['artifactCommit'] || undefined,
    approvals: people
      .filter((field) => field.startsWith('approval:'))
      .map((field) => JSON.parse(hash[field] ?? '') as Approval)
      .toSorted((a, b) => a.at - b.at),
    rejection: hash['rejection'] ? (JSON.parse(hash['rejection']) as Rejection) : undefined,
    plan: readPlan(hash),
    override: hash['override'] ? (JSON.parse(hash['override']) as GatePass) : undefined,
    evidencePass: hash['evidencePass'] ? (JSON.parse(hash['evidencePass']) as GatePass) : undefined,
    cancel: hash['cancel'] || undefined,
    authorsAskedAt: timeOf(hash['authorsAskedAt']),
    advanceRequested: hash['advanceRequested'] !== undefined,
    unfinished: Number(hash['unfinished'] ?? 0),
    outcome: hash['outcome'] as Outcome | undefined,
    message: hash['message'],
    createdAt,
    // Recorded only if it waited for its lane; it gets its place with the lane.
    startedAt: timeOf(hash['startedAt'] ?? (hash['place'] === undefined ? undefined : hash['createdAt'])),
    endedAt: timeOf(hash['endedAt']),
    place: hash['place'] === undefined ? undefined : Number(hash['place']),
    rolledBack: hash['rolledBack'] ? (JSON.parse(hash['rolledBack']) as RolledBack) : undefined,
    report: {
      state: hash['reportState'] ?? 'pending',
      text: hash['reportText'] ?? '',
      seq: Number(hash['reportSeq'] ?? 0),
      sent: Number(hash['reported'] ?? 0),
      at: timeOf(hash['reportAt']),
      endSentAt: timeOf(hash['endSentAt']),
    },
  };
}

/** Whether nothing about people became known after the promotion was created. */
function isUnchanged(
  { otherPushers }: PromotionTask,
  hash: Readonly<Record<string, string>>,
  people: readonly string[],
): boolean {
  return (
    people.length === 0 &&
    otherPushers === undefined &&
    hash['pusher'] === undefined &&
    hash['authorsReadFrom'] === undefined
  );
}

/**
 * Pushers and authors may become known after the promotion was created; the pushers and authors of earlier promotions
 * whose commits it contains count as its own.
 */
function withPushers(task: PromotionTask, hash: Readonly<Record<string, string>>): PromotionTask {
  const learned = hash['pusher'];
  const pusher = task.pusher ?? (learned === undefined ? undefined : (JSON.parse(learned) as Pusher));
  const later = Object.entries(hash)
    .filter(([field]) => field.startsWith('pusher:'))
    .map(([, text]) => JSON.parse(text) as Pusher);
  // The task of a retry has the other pushers of the promotion that it repeats.
  const all = new Map([...(task.otherPushers ?? []), ...later].map((person) => [person.login, person]));
  const otherPushers = [...all.values()].filter(({ login }) => login !== pusher?.login);
  const [authors, earlier] = [loginsIn(hash, 'author:'), loginsIn(hash, 'earlier-author:')];
  const authorIds = Object.entries(hash).flatMap(([field, id]) => {
    const [, login] = /^(?:earlier-)?author:(.*)$/.exec(field) ?? [];
    return login === undefined || id === '' ? [] : [[login, Number(id)] as const];
  });
  const readFrom = hash['authorsReadFrom'];
  const areAuthorsKnown = task.areAuthorsKnown ?? (task.authors ?? []).length > 0;
  return {
    ...task,
    ...(pusher === undefined ? {} : { pusher }),
    ...(otherPushers.length === 0 ? {} : { otherPushers }),
    ...(authors.length + earlier.length === 0
      ? {}
      : {
          authors: [...new Set([...(task.authors ?? []), ...authors, ...earlier])],
          areAuthorsKnown: areAuthorsKnown || authors.length > 0,
        }),
    ...(readFrom === undefined
      ? {}
      : { authorsReadFrom: readFrom, mayHaveOtherAuthors: Boolean(hash['mayHaveOtherAuthors']) }),
    ...(authorIds.length === 0 ? {} : { authorIds: { ...task.authorIds, ...Object.fromEntries(authorIds) } }),
  };
}

function loginsIn(hash: Readonly<Record<string, string>>, prefix: string): readonly string[] {
  return Object.keys(hash)
    .filter((field) => field.startsWith(prefix))
    .map((field) => field.slice(prefix.length));
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
