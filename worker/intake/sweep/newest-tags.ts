import { sortNames } from '../../../flows/versions/version-order.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';

/** A ref and its current id: the commit or, for an annotated tag, the tag object. */
export interface RefTip {
  readonly ref: string;
  readonly commit: string;
}

/** A ref with the commit that it points at. GitHub cannot compare the id of an annotated tag with anything. */
export type Head = RefTip & { readonly headCommit: string };

/** The commit of a ref; undefined if the ref was deleted since, or is a tag of something other than a commit. */
export async function headCommitOf(
  fullName: string,
  { ref, commit }: RefTip,
  github: Pick<GitHubPort, 'head'>,
): Promise<string | undefined> {
  return ref.startsWith('refs/tags/') ? github.head(fullName, ref) : commit;
}

/** Tags to sort, the highest by name: each costs GitHub some requests. */
const maxTags = 50;

/**
 * The tags on some branches that are not an ancestor of another of these tags. Usually this is one tag for each
 * release line.
 */
export async function newestTags(
  fullName: string,
  { tags, branches }: { readonly tags: readonly RefTip[]; readonly branches: readonly Head[] },
  github: Pick<GitHubPort, 'relation' | 'head'>,
): Promise<readonly Head[]> {
  const isIn = async (older: string, newer: string): Promise<boolean> =>
    older === newer || ['ahead', 'identical'].includes(await github.relation(fullName, older, newer));
  const isInOne = async (older: Head, heads: readonly Head[]): Promise<boolean> => {
    for (const { headCommit } of heads) if (await isIn(older.headCommit, headCommit)) return true;
    return false;
  };
  // A release before its candidates: of two tags on one commit the first counts.
  const highest = tags.toSorted((a, b) => sortNames(b.ref, a.ref)).slice(0, maxTags);
  let newest: Head[] = [];
  for (const tip of highest) {
    const headCommit = await headCommitOf(fullName, tip, github);
    if (headCommit === undefined) continue;
    const tag = { ...tip, headCommit };
    if ((await isInOne(tag, newest)) || !(await isInOne(tag, branches))) continue;
    const passed: Head[] = [];
    for (const other of newest) if (await isIn(other.headCommit, tag.headCommit)) passed.push(other);
    newest = [...newest.filter((other) => !passed.includes(other)), tag];
  }
  return newest;
}
