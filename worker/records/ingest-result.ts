import type { PushEvent } from './push-event.ts';

/**
 * Why a push started no promotion. `ref-not-shown`: GitHub did not show the pushed commit in time. `overtaken`: a
 * later push moved or deleted the ref before. `no-settings`: there was no millrace.yaml. `no-lane`: no lane
 * matches. `refused`: the settings are invalid or forbid it. `version-not-allowed`: its lanes' `versions` exclude
 * it. `older-version`: its lanes have a newer one. `accepted-before`: its lanes have accepted this head.
 * `already-live`: it was live when the records were rebuilt. `given-up`: see the dead letters.
 */
export type NoPromotion = (typeof noPromotionReasons)[number];

export const noPromotionReasons = [
  'ref-not-shown',
  'overtaken',
  'no-settings',
  'no-lane',
  'refused',
  'version-not-allowed',
  'older-version',
  'accepted-before',
  'already-live',
  'given-up',
] as const;

/** The result of ingesting a push: done, or what it waits for. */
export type IngestResult =
  /** `text`: for people. `noPromotion`: the reason, if it started none. */
  | { readonly status: 'done'; readonly text: string; readonly noPromotion?: NoPromotion }
  /** To be ingested again after `ms`, as `event`. */
  | { readonly status: 'waits'; readonly text: string; readonly ms: number; readonly event: PushEvent };
