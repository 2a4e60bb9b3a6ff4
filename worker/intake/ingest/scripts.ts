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

export interface EarlierPlaceArguments {
  /** Of the push. */
  readonly job: string;
  /** Prefix of the keys of such jobs. */
  readonly jobKeys: string;
}

/** Tells whether an earlier push is still to be ingested. Key: the places. */
export const earlierPlace: Script<EarlierPlaceArguments, 'first' | 'waits'> = loadScript(
  import.meta.dirname,
  'earlier-place.lua',
  statusIn('first', 'waits'),
);

/** Gives up a place; answers the job that is first now, or ''. Key: the places. */
export const leavePlace: Script<{ readonly job: string }, string> = loadScript(
  import.meta.dirname,
  'leave-place.lua',
  ([first = '']) => first,
);
