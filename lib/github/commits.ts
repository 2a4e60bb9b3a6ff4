import { z } from 'zod';
import { Failure } from '../core/failure.ts';
import type { GitHubCaller } from './github-caller.ts';
import { permissionHint } from './github-failure.ts';

export const listedFiles = z.array(
  z.object({ filename: z.string(), status: z.string(), previous_filename: z.string().optional() }),
);

/** A changed file as GitHub lists it. */
export type ListedFile = z.infer<typeof listedFiles>[number];

/** Commits, and the files in them. */
export interface Commits {
  /** The first parent of a commit. */
  parentOf(fullName: string, commit: string): Promise<string | undefined>;
  /** When a commit was made, in milliseconds since the epoch; undefined if GitHub does not have it. */
  committedAt(fullName: string, commit: string): Promise<number | undefined>;
  /** A file's text at a commit; undefined if the file or the commit does not exist. */
  textAt(fullName: string, path: string, commit: string): Promise<string | undefined>;
  /**
   * The files that `head` changes since its common ancestor with `base`. GitHub lists no more than 300 and does not say
   * that it left some out.
   */
  filesBetween(fullName: string, base: string, head: string): Promise<readonly ListedFile[]>;
  /** How `head` relates to `base`: `ahead` means that `head` is newer, `unrelated` that they cannot be compared. */
  relation(
    fullName: string,
    base: string,
    head: string,
  ): Promise<'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated'>;
}

const commitAnswer = z.object({
  parents: z.array(z.object({ sha: z.string() })),
  commit: z.object({ committer: z.object({ date: z.string().optional() }).nullish() }).optional(),
});
const fileAnswer = z.object({ type: z.literal('file'), content: z.string() });
const comparisonAnswer = z.object({
  status: z.enum(['identical', 'ahead', 'behind', 'diverged']),
  files: listedFiles.default([]),
});

const permission = 'contents: read';

export function createCommits(github: GitHubCaller): Commits {
  /** Undefined if one does not exist, or if they have no common ancestor. */
  const compare = (repository: string, base: string, head: string) =>
    github.find(
      { operation: `compare commits of ${repository}`, repository, permission },
      comparisonAnswer,
      ({ octokit, owner, repo }) =>
        octokit.rest.repos.compareCommitsWithBasehead({
          owner,
          repo,
          basehead: `${base}...${head}`,
          // Of the commits; the files are on the first page, all of them.
          per_page: 1,
        }),
    );

  const readCommit = (repository: string, commit: string) =>
    github.find(
      { operation: `read a commit of ${repository}`, repository, permission },
      commitAnswer,
      ({ octokit, owner, repo }) => octokit.rest.repos.getCommit({ owner, repo, ref: commit }),
    );

  return {
    async filesBetween(repository, base, head) {
      const comparison = await compare(repository, base, head);
      if (comparison !== undefined) return comparison.files;
      throw new Failure('github-failed', {
        message: `GitHub could not compare commits of ${repository}: it does not have both ${base} and ${head}, or the token has no access to them.`,
        hint: permissionHint(permission),
      });
    },
    relation: async (repository, base, head) =>
      (await compare(repository, base, head))?.status ?? 'unrelated',
    async committedAt(repository, commit) {
      const date = (await readCommit(repository, commit))?.commit?.committer?.date;
      return date === undefined ? undefined : Date.parse(date);
    },
    async parentOf(repository, commit) {
      const found = await readCommit(repository, commit);
      if (found === undefined) {
        throw new Failure('github-failed', {
          message: `GitHub has no commit ${commit} in ${repository}, or the token has no access to it.`,
        });
      }
      return found.parents[0]?.sha;
    },
    async textAt(repository, path, commit) {
      const found = await github.find(
        // 422: the commit does not exist.
        { operation: `read ${path} of ${repository}`, repository, permission, absent: [404, 422] },
        // A folder is a list; a symbolic link or a submodule has another type.
        z.union([fileAnswer, z.array(z.unknown()), z.object({ type: z.string() })]),
        ({ octokit, owner, repo }) => octokit.rest.repos.getContent({ owner, repo, path, ref: commit }),
      );
      if (found === undefined || !('content' in found)) return undefined;
      return Buffer.from(found.content, 'base64').toString('utf8');
    },
  };
}
