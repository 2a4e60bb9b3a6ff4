import * as z from 'zod';
import * as answers from '../operate/operator-answers.ts';
import { historyEntry } from '../operate/timeline.ts';

const dryRun = z.boolean();

/** What a command prints for a dry run that would make another version of a lane live. */
export const laneDryRun = answers.offerAnswer.extend({
  dryRun,
  version: z.string().optional(),
  reason: z.string().optional(),
});

const promotionPlan = z.object({ dryRun, promotion: z.string() });
const bulk = {
  'preview of a bulk action': answers.bulkPreviewAnswer.extend({ dryRun }),
  'bulk action': answers.bulkAnswer,
};
const { holds } = answers.laneAnswer.shape;

/**
 * What the commands for a worker print. The keys are the words of the command. Unknown fields of a newer worker are
 * kept.
 */
export const workerResults = {
  lanes: {
    'all lanes': answers.lanesAnswer,
    'one lane': answers.wholeLaneAnswer,
    'a line of --watch: a lane': answers.laneAnswer,
    'a line of --watch: a lane that is gone': z.object({ id: z.string(), gone: z.literal(true) }),
    'a line of --watch: an event of one lane': historyEntry,
  },
  metrics: { metrics: answers.metricsAnswer },
  promotions: {
    'the newest promotions': answers.promotionsAnswer,
    'one promotion': answers.wholePromotionAnswer,
    'a line of --follow: a promotion': answers.promotionAnswer,
    'a line of --follow: an event of one promotion': historyEntry,
  },
  deliveries: { deliveries: answers.deliveriesAnswer },
  export: {
    export: z.object({
      file: z.string(),
      lanes: z.int(),
      promotions: z.int(),
      events: z.int(),
      audit: z.int(),
    }),
  },
  approve: { approval: answers.anyAnswer },
  reject: { rejection: answers.anyAnswer },
  hold: { 'dry run': z.object({ dryRun, held: z.string(), reason: z.string() }), hold: answers.anyAnswer },
  refresh: { 'dry run': z.object({ dryRun, lane: z.string() }), refresh: answers.anyAnswer },
  pause: {
    'dry run': z.object({
      dryRun,
      reason: z.string(),
      repository: z.string().optional(),
      environment: z.string().optional(),
    }),
    pause: answers.pausedAnswer,
  },
  resume: {
    'dry run of a lane': z.object({ dryRun, lane: z.string(), holds }),
    lane: answers.resumedAnswer,
    'dry run of a pause': z.object({ dryRun, pause: answers.pausedAnswer.shape.paused }),
    'dry run of an override': z.object({
      dryRun,
      promotion: z.string(),
      commit: z.string(),
      version: z.string().nullish(),
    }),
    ...bulk,
    'pause or override': answers.anyAnswer,
  },
  retry: { 'dry run': promotionPlan, retry: answers.promotionActionAnswer, ...bulk },
  cancel: { 'dry run': promotionPlan, cancel: answers.promotionActionAnswer, ...bulk },
  resolve: {
    'dry run': promotionPlan.extend({ execution: z.string().optional(), happened: z.unknown().optional() }),
    resolution: answers.resolvedAnswer,
    ...bulk,
  },
  replay: {
    'dead letters': answers.deadLettersAnswer.extend({ dryRun: dryRun.optional() }),
    replay: answers.replayedAnswer,
  },
};

export const workerAuditResult = answers.auditAnswer;

export const laneRollbackResult = answers.rolledBackAnswer;

export const lanePromotionResult = answers.promotionActionAnswer;
