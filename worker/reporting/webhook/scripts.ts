import { loadScript, type Script } from '../../store/lua-script.ts';

export interface OfferArguments {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly id: string;
  readonly rememberSeconds: number;
}

/** Puts a notice in, if it never was before. Keys: the notices by when they are due, the mark of this one. */
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

/** Takes a notice that is due; undefined where none is. Keys: the notices by when they are due, their tries. */
export const takeNotice: Script<TakeArguments, TakenNotice | undefined> = loadScript(
  import.meta.dirname,
  'take-notice.lua',
  ([id = '', tries]) => (id === '' ? undefined : { id, tries: Number(tries) }),
);
