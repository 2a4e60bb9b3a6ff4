import type { PushEvent } from '../../records/push-event.ts';

/** The move of a ref by a push that was received: from where to where. */
export interface RefMove {
  readonly before: string;
  /** The commit; for an annotated tag, the tag's own id. */
  readonly after: string;
  /** The commit at the ref after the push. */
  readonly commit: string;
}

type Push = Pick<PushEvent, 'ref' | 'before' | 'after' | 'headCommit' | 'digest'>;

/** A push in the list of moves; the digest makes each one count once. */
export const moveOf = ({ ref, before, after, headCommit = after, digest }: Push): string =>
  `${ref} ${before} ${after} ${headCommit} ${digest}`;

/** The moves of one ref in such a list. */
export function movesIn(list: readonly string[], ref: string): readonly RefMove[] {
  return list.flatMap((text) => {
    const [of, before = '', after = '', commit = ''] = text.split(' ');
    return of === ref ? [{ before, after, commit }] : [];
  });
}

/** What a ref that is at a commit may hold: the commit, or one of its annotated tags. */
export const idsOf = (commit: string, moves: readonly RefMove[]): readonly string[] => [
  ...new Set([commit, ...moves.filter((move) => move.commit === commit).map(({ after }) => after)]),
];

/**
 * Where a ref that was at a commit may be now: the commits that known pushes lead to from there, and to which the ref
 * was moved more often than away from. Whatever the order in which the pushes were received, that is the last one.
 * If the result is empty, a push is missing.
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
