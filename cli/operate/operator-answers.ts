import * as z from 'zod';
import { planAnswer } from './plan-answer.ts';
import { historyEntry } from './timeline.ts';

/** An answer of any form, which the command passes on unchanged. */
export const anyAnswer = z.looseObject({});

const approvals = z.looseObject({
  needed: z.number(),
  given: z.array(z.string()),
  mayApprove: z.array(z.string()),
  comments: z.array(z.looseObject({ by: z.string(), comment: z.string() })).nullish(),
});

/** A promotion as the worker's API describes it. */
export const promotionAnswer = z.looseObject({
  id: z.string(),
  lane: z.string(),
  laneName: z.string().nullish(),
  state: z.string(),
  outcome: z.string().nullish(),
  message: z.string().nullish(),
  version: z.string().nullish(),
  repository: z.string().nullish(),
  ref: z.string().nullish(),
  commit: z.string(),
  pusher: z.string().nullish(),
  to: z.string().nullish(),
  waitsFor: z.string().nullish(),
  approvals: approvals.nullish(),
  approvalWait: z.looseObject({ since: z.string(), isOverdue: z.boolean() }).nullish(),
  plan: planAnswer.nullish(),
  override: z.looseObject({ by: z.string(), reason: z.string() }).nullish(),
  rejection: z.looseObject({ by: z.string(), reason: z.string() }).nullish(),
  executionId: z.string().nullish(),
  executionUrl: z.string().nullish(),
  evidencePass: z.looseObject({ by: z.string(), reason: z.string() }).nullish(),
  status: z.string().nullish(),
  createdAt: z.string().nullish(),
});

export type PromotionAnswer = z.output<typeof promotionAnswer>;

/** Promotions, newest first. */
export const promotionsAnswer = z.object({ promotions: z.array(promotionAnswer) });

/** One promotion with its history. */
export const wholePromotionAnswer = promotionAnswer.extend({ history: z.array(historyEntry) });

/** One of the reasons why a lane is on hold. */
const holdAnswer = z.looseObject({
  id: z.string(),
  cause: z.string(),
  reason: z.string(),
  by: z.string(),
  /** How to fix the cause. */
  hint: z.string().nullish(),
});

export type HoldAnswer = z.output<typeof holdAnswer>;

/** The holds of a lane that were lifted, and those that remain. */
export const resumedAnswer = z.looseObject({ lifted: z.array(holdAnswer), left: z.array(holdAnswer) });

/** A pause of the worker. */
const pauseAnswer = z.looseObject({
  id: z.string(),
  by: z.string(),
  reason: z.string(),
  since: z.string().nullish(),
  repository: z.looseObject({ id: z.number(), name: z.string().nullish() }).nullish(),
  environment: z.string().nullish(),
});

export type PauseAnswer = z.output<typeof pauseAnswer>;

/** The answer to a pause: the pause that began. */
export const pausedAnswer = z.looseObject({ paused: pauseAnswer });

/** All pauses of the worker. */
export const pausesAnswer = z.looseObject({ pauses: z.array(pauseAnswer) });

/** A lane as the worker's API describes it. */
export const laneAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  project: z.string().nullish(),
  repository: z.string().nullish(),
  from: z.string().nullish(),
  to: z.string().nullish(),
  live: z
    .looseObject({
      state: z.string().nullish(),
      version: z.string().nullish(),
      ageSeconds: z.number().nullish(),
      changedSince: z.boolean().nullish(),
      problem: z.looseObject({ reason: z.string() }).nullish(),
    })
    .nullish(),
  verified: z.looseObject({ version: z.string().nullish() }).nullish(),
  wanted: z.looseObject({ version: z.string().nullish(), commit: z.string().nullish() }).nullish(),
  outOfStep: z.boolean().nullish(),
  disagreements: z.array(z.string()).nullish(),
  active: promotionAnswer.nullish(),
  waiting: z.array(z.string()),
  holds: z.array(holdAnswer),
  pauses: z.array(pauseAnswer).nullish(),
});

export type LaneAnswer = z.output<typeof laneAnswer>;

/** The versions that an operator may make live in a lane, and what each would change. */
export const offerAnswer = z.looseObject({
  lane: z.string(),
  environment: z.string(),
  live: z.string().nullable(),
  versions: z.array(
    z.looseObject({
      version: z.string(),
      commit: z.string().nullable(),
      since: z.string(),
      isLive: z.boolean(),
      isVerified: z.boolean().nullable(),
      promotes: z.boolean(),
      enables: z.boolean(),
      disables: z.array(z.string()),
      denial: z.string().nullable(),
    }),
  ),
  would: z.looseObject({ live: z.string(), disables: z.array(z.string()) }).nullable(),
  problem: z.string().nullable(),
});

export type OfferAnswer = z.output<typeof offerAnswer>;

/** What a bulk action would do. */
export const bulkPreviewAnswer = z.looseObject({
  fingerprint: z.string(),
  items: z.array(
    z.looseObject({
      id: z.string(),
      laneName: z.string().nullish(),
      version: z.string().nullish(),
      holds: z.array(z.looseObject({ reason: z.string() })).nullish(),
    }),
  ),
  more: z.number(),
});

/** What a bulk action did, and what it left out. */
export const bulkAnswer = z.looseObject({
  done: z.array(z.looseObject({ id: z.string(), promotion: z.string().nullish() })),
  left: z.array(z.looseObject({ id: z.string(), reason: z.string() })),
});

/** All lanes and pauses; for operators of all repositories also whether the `worker.yaml` on disk is in use. */
export const lanesAnswer = z.object({
  lanes: z.array(laneAnswer),
  pauses: z.array(pauseAnswer).default([]),
  config: z
    .looseObject({
      refused: z
        .looseObject({
          file: z.string(),
          line: z.number().nullish(),
          column: z.number().nullish(),
          reason: z.string(),
        })
        .nullish(),
      afterRestart: z.array(z.string()),
    })
    .nullish(),
});

export type LanesAnswer = z.output<typeof lanesAnswer>;

/** One lane with its history. */
export const wholeLaneAnswer = laneAnswer.extend({ history: z.array(historyEntry) });

const measured = {
  deployments: z.number(),
  deploymentsPerDay: z.number(),
  leadTimeMs: z.number().nullable(),
  changes: z.number(),
  failures: z.number(),
  changeFailureRate: z.number().nullable(),
  timeToRestoreMs: z.number().nullable(),
};

const metricsOf = z.looseObject(measured);

export type MetricsAnswer = z.output<typeof metricsOf>;

/** The delivery metrics of each lane, and of each repository in the environments at the end of its lanes. */
export const metricsAnswer = z.looseObject({
  since: z.string(),
  until: z.string(),
  repositories: z.array(
    z.looseObject({ repository: z.string(), environments: z.array(z.string()), ...measured }),
  ),
  lanes: z.array(
    z.looseObject({
      lane: z.string(),
      laneName: z.string(),
      repository: z.string(),
      from: z.string(),
      to: z.string(),
      ...measured,
    }),
  ),
});

/** The jobs that the worker has given up. */
export const deadLettersAnswer = z.object({
  deadLetters: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      cause: z.string(),
      at: z.string().nullish(),
      repository: z.string().nullish(),
      ref: z.string().nullish(),
      pull: z.number().nullish(),
      promotion: z.string().nullish(),
    }),
  ),
});

const delivery = z.looseObject({
  at: z.string().nullish(),
  /** GitHub's id; '' if it had none. */
  delivery: z.string(),
  event: z.string(),
  status: z.number(),
  result: z.string(),
  reason: z.string(),
  repository: z.string().nullish(),
  ref: z.string().nullish(),
  pull: z.number().nullish(),
  ingestResult: z.string().nullish(),
  noPromotion: z.string().nullish(),
});

export type DeliveryAnswer = z.output<typeof delivery>;

/** What GitHub delivered, newest first. */
export const deliveriesAnswer = z.object({ deliveries: z.array(delivery) });

/** A page of the worker's audit, newest first. `next`: where the next page begins. */
export const auditAnswer = z.object({
  entries: z.array(
    z.looseObject({
      at: z.string(),
      by: z.string(),
      via: z.string(),
      act: z.string(),
      lane: z.string(),
      promotion: z.string(),
      data: z.string(),
    }),
  ),
  next: z.string().nullable(),
});

/** A lane that an operator rolled back. */
export const rolledBackAnswer = z.looseObject({
  disabled: z.string(),
  alsoDisabled: z.array(z.string()).nullish(),
  live: z.string(),
});

/**
 * The promotion that was cancelled, or the new promotion of a retry. `status`: whether the cancelled promotion has
 * ended, or was asked to end.
 */
export const promotionActionAnswer = z.looseObject({ promotion: z.string(), status: z.string().nullish() });

/** The dead letter that was replayed, and the promotion that the replay created, if any. */
export const replayedAnswer = z.looseObject({ promotion: z.string().nullish() });

/** A promotion that an operator resolved. `continues`: its lane is not on hold, so the promotion continues. */
export const resolvedAnswer = z.looseObject({ promotion: z.string(), continues: z.boolean().nullish() });
