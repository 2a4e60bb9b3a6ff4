import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';

export interface OfferArguments {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly id: string;
  readonly rememberSeconds: number;
}

/** Adds a notification, unless it was added before. Keys: the notifications by due time, the mark of this one. */
export const offerNotice: Script<OfferArguments, void> = loadScript(
  import.meta.dirname,
  'offer-notice.lua',
  () => undefined,
);

export interface TakeArguments {
  /** Both in milliseconds since the epoch. */
  readonly now: number;
  readonly leaseUntil: number;
}

export interface TakenNotice {
  readonly id: string;
  /** How often it has been taken, this time included. */
  readonly tries: number;
}

/** Takes a notification that is due; undefined if none is. Keys: the notifications by due time, their attempts. */
export const takeNotice: Script<TakeArguments, TakenNotice | undefined> = loadScript(
  import.meta.dirname,
  'take-notice.lua',
  ([id = '', tries]) => (id === '' ? undefined : { id, tries: Number(tries) }),
);
