import { z } from 'zod';
import type { GitHubCaller } from '../access/github-caller.ts';
import { repositoryPath } from '../access/rest-request.ts';

/** The files of a tree, with the ids of their blobs. */
export interface TreeFiles {
  readonly files: readonly { readonly path: string; readonly mode: string; readonly oid: string }[];
  /** GitHub left files out: it lists at most 100,000 entries and 7 MB. */
  readonly isTruncated: boolean;
}

/** Trees and blobs of git. */
export interface Trees {
  /** All files of a tree, by one request; undefined if GitHub does not have the tree. */
  filesOf(fullName: string, tree: string): Promise<TreeFiles | undefined>;
  /** The content of a blob; undefined if GitHub does not have it, or if it is larger than `maxBytes`. */
  blob(fullName: string, oid: string, maxBytes: number): Promise<Buffer | undefined>;
}

const treeAnswer = z.object({
  // GitHub leaves it out of no answer; if it did, the list could not be trusted.
  truncated: z.boolean(),
  tree: z.array(z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string() })),
});
const blobAnswer = z.object({ encoding: z.literal('base64'), content: z.string(), size: z.number() });

const permission = 'contents: read';

export function createTrees(github: GitHubCaller): Trees {
  return {
    async filesOf(repository, tree) {
      const answer = await github.find(
        { operation: `list the files of ${repository}`, repository, permission },
        treeAnswer,
        ({ rest }) =>
          rest({
            method: 'GET',
            path: `${repositoryPath(repository)}/git/trees/${encodeURIComponent(tree)}?recursive=1`,
          }),
      );
      return (
        answer && {
          files: answer.tree
            .filter(({ type }) => type !== 'tree')
            .map(({ path, mode, sha }) => ({ path, mode, oid: sha })),
          isTruncated: answer.truncated,
        }
      );
    },
    async blob(repository, oid, maxBytes) {
      const answer = await github.find(
        { operation: `read a file of ${repository}`, repository, permission },
        blobAnswer,
        ({ rest }) =>
          rest({ method: 'GET', path: `${repositoryPath(repository)}/git/blobs/${encodeURIComponent(oid)}` }),
      );
      if (answer === undefined || answer.size > maxBytes) return undefined;
      return Buffer.from(answer.content, 'base64');
    },
  };
}
