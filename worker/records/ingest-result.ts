import type { PushEvent } from './push-event.ts';

/**
 * Why a push started no promotion. `ref-not-shown`: GitHub did not show the pushed commit in time. `overtaken`: GitHub
 * could not show it, because a later push moved or deleted the ref. `no-settings`: there was no millrace.yaml.
 * `no-lane`: no lane matches. `refused`: the settings are invalid or forbid it. `version-not-allowed`: by the
 * `versions` of its lanes. `older-version`: its lanes have a newer one. `accepted-before`: its lanes have accepted this
 * head. `already-live`: it was found live after the records were lost. `given-up`: see the dead letters.
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

/** How far the ingest of a push came. */
export type IngestResult =
  /** `text`: for people. `noPromotion`: the reason, if it started none. */
  | { readonly status: 'done'; readonly text: string; readonly noPromotion?: NoPromotion }
  /** To be ingested again after `ms`, as `event`. */
  | { readonly status: 'waits'; readonly text: string; readonly ms: number; readonly event: PushEvent };
