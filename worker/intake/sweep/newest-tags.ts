import { sortNames } from '../../../flows/versions/version-order.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';

/** A ref and its current commit; of an annotated tag, the id of the tag itself. */
export interface Tip {
  readonly ref: string;
  readonly commit: string;
}

/** Tags to sort, the highest by name: each costs GitHub a request or two. */
const maxTags = 50;

/**
 * The tags on some branches that are not an ancestor of another of these tags: usually one, and one for each
 * release line.
 */
export async function newestTags(
  fullName: string,
  { tags, branches }: { readonly tags: readonly Tip[]; readonly branches: readonly Tip[] },
  github: Pick<GitHubPort, 'relation'>,
): Promise<readonly Tip[]> {
  const isIn = async (older: string, newer: string): Promise<boolean> =>
    older === newer || ['ahead', 'identical'].includes(await github.relation(fullName, older, newer));
  const isInOne = async (older: Tip, tips: readonly Tip[]): Promise<boolean> => {
    for (const { commit } of tips) if (await isIn(older.commit, commit)) return true;
    return false;
  };
  // A release before its candidates: of two tags on one commit the first counts.
  const highest = tags.toSorted((a, b) => sortNames(b.ref, a.ref)).slice(0, maxTags);
  let newest: Tip[] = [];
  for (const tag of highest) {
    if ((await isInOne(tag, newest)) || !(await isInOne(tag, branches))) continue;
    const passed: Tip[] = [];
    for (const other of newest) if (await isIn(other.commit, tag.commit)) passed.push(other);
    newest = [...newest.filter((other) => !passed.includes(other)), tag];
  }
  return newest;
}
