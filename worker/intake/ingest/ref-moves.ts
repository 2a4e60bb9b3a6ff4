import type { PushEvent } from '../../records/push-event.ts';

/** A move of a ref by a received push: the old and the new id. */
export interface RefMove {
  readonly before: string;
  /** The commit; for an annotated tag, the tag's own id. */
  readonly after: string;
  /** The commit at the ref after the push. */
  readonly commit: string;
}

type Push = Pick<PushEvent, 'ref' | 'before' | 'after' | 'headCommit' | 'digest'>;

/**
 * Encodes a push as an entry in the list of moves. It contains the event's digest, so that a repeated delivery
 * counts once.
 */
export const moveOf = ({ ref, before, after, headCommit = after, digest }: Push): string =>
  `${ref} ${before} ${after} ${headCommit} ${digest}`;

/** Decodes the moves of one ref from a list of entries. */
export function movesIn(list: readonly string[], ref: string): readonly RefMove[] {
  return list.flatMap((text) => {
    const [of, before = '', after = '', commit = ''] = text.split(' ');
    return of === ref ? [{ before, after, commit }] : [];
  });
}

/** The ids that a ref at a commit may have: the commit's, or the id of an annotated tag on it. */
export const idsOf = (commit: string, moves: readonly RefMove[]): readonly string[] => [
  ...new Set([commit, ...moves.filter((move) => move.commit === commit).map(({ after }) => after)]),
];

/**
 * The commits where a ref that was at `commit` may be now. Follows the known pushes from there, and returns the
 * commits to which the ref was moved more often than away from. This does not depend on the order in which the
 * pushes were received. If the result is empty, a push is missing.
 */
export function endsFrom(commit: string, moves: readonly RefMove[]): ReadonlySet<string> {
  const commitOf = new Map(moves.map((move) => [move.after, move.commit]));
  const steps = moves.map((move) => ({ from: commitOf.get(move.before) ?? move.before, to: move.commit }));
  const reached = new Set([commit]);
  // The loop also visits what is added to the set during it.
  for (const place of reached) for (const { from, to } of steps) if (from === place) reached.add(to);
  const surplus = (place: string): number =>
    steps.filter(({ to }) => to === place).length - steps.filter(({ from }) => from === place).length;
  return new Set([...reached].filter((place) => surplus(place) > 0));
}
