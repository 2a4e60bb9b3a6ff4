import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';

/** How a push connects to the earlier pushes of its ref: its `before` should be the `after` of the last one. */
export type Link = 'first' | 'fits' | 'known' | 'filled' | 'gap';

export interface LinkArguments {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly repositoryId: number;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  /** Whether this push created the ref. */
  readonly created: boolean;
}

/** Adds a push to the chain of its ref. Keys: the repository's refs, the request for a sweep, the deleted refs. */
export const linkPush: Script<LinkArguments, Link> = loadScript(
  import.meta.dirname,
  'link-push.lua',
  statusIn('first', 'fits', 'known', 'filled', 'gap'),
);

/**
 * Removes the records of a ref, unless it was created again after `since`. Keys: the deleted refs, the chain, the
 * heads of each lane.
 */
export const forgetRef: Script<{ readonly ref: string; readonly since: number }, 'forgotten' | 'back'> =
  loadScript(import.meta.dirname, 'forget-ref.lua', statusIn('forgotten', 'back'));

export interface EarlierPlaceArguments {
  /** Id of the job of the push. */
  readonly job: string;
  /** Prefix of the keys of such jobs. */
  readonly jobKeys: string;
}

/** Whether an earlier push still waits for its ingest. Key: the places. */
export const earlierPlace: Script<EarlierPlaceArguments, 'first' | 'waits'> = loadScript(
  import.meta.dirname,
  'earlier-place.lua',
  statusIn('first', 'waits'),
);

/** Gives up the place of a push. Returns the job that is first now, or ''. Key: the places. */
export const leavePlace: Script<{ readonly job: string }, string> = loadScript(
  import.meta.dirname,
  'leave-place.lua',
  ([first = '']) => first,
);
