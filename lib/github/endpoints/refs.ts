import { z } from 'zod';
import type { GitHubCaller } from '../access/github-caller.ts';
import { repositoryPath } from '../access/rest-request.ts';

/** A branch or tag, and the commit at its tip. */
export interface NamedTip {
  readonly name: string;
  readonly commit: string;
}

/** Branches and tags. */
export interface Refs {
  /** The commit at a ref (`refs/…`), annotated tags followed; undefined if the ref does not exist. */
  head(fullName: string, ref: string): Promise<string | undefined>;
  /**
   * Whether a ref (`refs/…`) exists. Throws Failure 'github-failed' if the token may not see it: for a single ref,
   * GitHub answers 404 in both cases.
   */
  exists(fullName: string, ref: string): Promise<boolean>;
  /** When an annotated tag was made, in milliseconds since the epoch; undefined for all other refs. */
  taggedAt(fullName: string, ref: string): Promise<number | undefined>;
  /** All branches with the commits at their tips. */
  branches(fullName: string): Promise<readonly NamedTip[]>;
  /** All tags; for an annotated tag the id is the tag object's. */
  tags(fullName: string): Promise<readonly NamedTip[]>;
}

/** A tag may point to a tag. At most this many are followed. */
const maxTagDepth = 5;

const gitObject = z.object({ type: z.string(), sha: z.string() });
const refAnswer = z.object({ object: gitObject });
const tagAnswer = z.object({
  object: gitObject,
  tagger: z.object({ date: z.string().optional() }).nullish(),
});
const branchesAnswer = z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) }));
const matchingAnswer = z.array(z.object({ ref: z.string(), object: z.object({ sha: z.string() }) }));

const permission = 'contents: read';

export function createRefs(github: GitHubCaller): Refs {
  async function peel(
    repository: string,
    object: z.infer<typeof gitObject>,
    depth = 0,
  ): Promise<string | undefined> {
    if (object.type === 'commit') return object.sha;
    if (object.type !== 'tag' || depth >= maxTagDepth) return undefined;
    const tag = await readTag(repository, object.sha);
    return tag && peel(repository, tag.object, depth + 1);
  }

  const readTag = (repository: string, id: string) =>
    github.find({ operation: `read a tag of ${repository}`, repository, permission }, tagAnswer, ({ rest }) =>
      rest({ method: 'GET', path: `${repositoryPath(repository)}/git/tags/${id}` }),
    );

  const listRefs = (repository: string, prefix: string) =>
    github.call(
      { operation: `list ${prefix} of ${repository}`, repository, permission },
      matchingAnswer,
      ({ pages }) =>
        pages(
          `${repositoryPath(repository)}/git/matching-refs/${encodeURIComponent(prefix.replace(/^refs\//u, ''))}`,
        ),
    );

  const readRef = (repository: string, ref: string) =>
    github.find(
      { operation: `read ${ref} of ${repository}`, repository, permission },
      refAnswer,
      ({ rest }) =>
        rest({
          method: 'GET',
          path: `${repositoryPath(repository)}/git/ref/${encodeURIComponent(ref.replace(/^refs\//u, ''))}`,
        }),
    );

  return {
    async head(repository, ref) {
      const answer = await readRef(repository, ref);
      return answer && peel(repository, answer.object);
    },
    async exists(repository, ref) {
      return (await listRefs(repository, ref)).some((listed) => listed.ref === ref);
    },
    async taggedAt(repository, ref) {
      const object = (await readRef(repository, ref))?.object;
      const tag = object?.type === 'tag' ? await readTag(repository, object.sha) : undefined;
      const date = tag?.tagger?.date;
      return date === undefined ? undefined : Date.parse(date);
    },
    async branches(repository) {
      const branches = await github.call(
        { operation: `list the branches of ${repository}`, repository, permission },
        branchesAnswer,
        ({ pages }) => pages(`${repositoryPath(repository)}/branches?per_page=100`),
      );
      return branches.map(({ name, commit }) => ({ name, commit: commit.sha }));
    },
    async tags(repository) {
      const tags = await listRefs(repository, 'refs/tags/');
      return tags.map(({ ref, object }) => ({
        name: ref.replace(/^refs\/tags\//u, ''),
        commit: object.sha,
      }));
    },
  };
}
