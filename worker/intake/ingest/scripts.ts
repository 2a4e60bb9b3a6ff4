import { loadScript, type Script, statusIn } from '../../store/lua-script.ts';

/** How a push stands to the ones before it: its `before` should be where the last one ended. */
export type Link = 'first' | 'fits' | 'known' | 'filled' | 'gap';

export interface LinkArguments {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  /** Whether this push made the ref. */
  readonly created: boolean;
}

/** Links a push into the chain of its ref. Keys: the repository's refs, the wish for a sweep, the refs that are gone. */
export const linkPush: Script<LinkArguments, Link> = loadScript(
  import.meta.dirname,
  'link-push.lua',
  statusIn('first', 'fits', 'known', 'filled', 'gap'),
);

/** Forgets a ref that has been gone `since`. Keys: the refs that are gone, the chain, the heads of each lane. */
export const forgetRef: Script<{ readonly ref: string; readonly since: number }, 'forgotten' | 'back'> =
  loadScript(import.meta.dirname, 'forget-ref.lua', statusIn('forgotten', 'back'));

export interface PlaceArguments {
  readonly receivedAt: number;
  readonly now: number;
  readonly keepMs: number;
}

/** Takes a place in the order of a repository's pushes: its counter and `now`. Keys: the places, the counter. */
export const takePlace: Script<PlaceArguments, string> = loadScript(
  import.meta.dirname,
  'take-place.lua',
  ([place = '']) => place,
);
