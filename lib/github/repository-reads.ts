import { z } from 'zod';
import { Failure } from '../core/failure.ts';
import type { Ask } from './ask.ts';
import type { GitHubAccess } from './github-access.ts';
import type { RepositoryReads } from './github-port.ts';

/** Maximum depth of tags that point to tags. */
const maxTagDepth = 5;

const repositoryAnswer = z.object({ full_name: z.string(), default_branch: z.string() });

/** Reads refs, commits and files. */
export function repositoryReads(ask: Ask, access: GitHubAccess): RepositoryReads {
  async function peel(
    fullName: string,
    object: { type: string; sha: string },
    depth = 0,
  ): Promise<string | undefined> {
    if (object.type === 'commit') return object.sha;
    if (object.type !== 'tag' || depth >= maxTagDepth) return undefined;
    const tag = await ask('read the tag', fullName, ({ octokit, owner, repo }) =>
      octokit.rest.git.getTag({ owner, repo, tag_sha: object.sha }),
    );
    return tag === undefined ? undefined : peel(fullName, tag.object, depth + 1);
  }

  return {
    async repository(id) {
      const data = await ask(`find repository ${id}`, id, ({ octokit }) =>
        octokit.request('GET /repositories/{id}', { id }),
      );
      const read = repositoryAnswer.safeParse(data).data;
      if (read === undefined)
        throw new Failure('github-failed', {
          message: `GitHub has no repository with the id ${id}, or the token has no access to it.`,
        });
      access.learn(read.full_name, id);
      return { id, fullName: read.full_name, defaultBranch: read.default_branch };
    },
    async head(fullName, ref) {
      const found = await ask(`read ${ref} of ${fullName}`, fullName, ({ octokit, owner, repo }) =>
        octokit.rest.git.getRef({ owner, repo, ref: ref.replace(/^refs\//, '') }),
      );
      return found === undefined ? undefined : peel(fullName, found.object);
    },
    async parentOf(fullName, commit) {
      const found = await ask(`read a commit of ${fullName}`, fullName, ({ octokit, owner, repo }) =>
        octokit.rest.repos.getCommit({ owner, repo, ref: commit }),
      );
      if (found === undefined)
        throw new Failure('github-failed', {
          message: `GitHub has no commit ${commit}, or the token has no access to it.`,
        });
      return found.parents[0]?.sha;
    },
    async textAt(fullName, path, commit) {
      const found = await ask(
        `read ${path} of ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) => octokit.rest.repos.getContent({ owner, repo, path, ref: commit }),
        // 422: no such commit.
        { absent: [404, 422] },
      );
      if (found === undefined || Array.isArray(found) || found.type !== 'file' || !('content' in found))
        return undefined;
      return Buffer.from(found.content, 'base64').toString('utf8');
    },
    async branches(fullName) {
      const found = await ask(
        `list the branches of ${fullName}`,
        fullName,
        async ({ octokit, owner, repo }) => ({
          data: await octokit.paginate(octokit.rest.repos.listBranches, { owner, repo, per_page: 100 }),
        }),
        { absent: [] },
      );
      return (found ?? []).map(({ name, commit }) => ({ name, commit: commit.sha }));
    },
    async tags(fullName) {
      const found = await ask(
        `list the tags of ${fullName}`,
        fullName,
        async ({ octokit, owner, repo }) => ({
          data: await octokit.paginate(octokit.rest.git.listMatchingRefs, {
            owner,
            repo,
            ref: 'tags/',
          }),
        }),
        { absent: [] },
      );
      return (found ?? []).map(({ ref, object }) => ({
        name: ref.replace(/^refs\/tags\//, ''),
        commit: object.sha,
      }));
    },
    async relation(fullName, base, head) {
      const found = await ask(`compare commits of ${fullName}`, fullName, ({ octokit, owner, repo }) =>
        octokit.rest.repos.compareCommitsWithBasehead({
          owner,
          repo,
          basehead: `${base}...${head}`,
          per_page: 1,
        }),
      );
      return found?.status ?? 'unrelated';
    },
  };
}
