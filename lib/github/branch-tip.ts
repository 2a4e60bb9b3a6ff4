import { z } from 'zod';
import type { GitHubConnection } from './connection.ts';
import { statusOf } from './request-status.ts';
import { githubFailure } from './github-failure.ts';
import { readAnswer } from './read-answer.ts';

const reference = z.object({ object: z.object({ sha: z.string() }) });

/** The commit at a branch's tip; `undefined` where the branch does not exist. Throws Failure 'github-failed'. */
export async function readBranchTip(
  { octokit, owner, repo }: GitHubConnection,
  branch: string,
): Promise<string | undefined> {
  try {
    const { data } = await octokit.rest.git.getRef({ owner, repo, ref: `heads/${branch}` });
    return readAnswer(reference, data).object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw githubFailure(`read branch "${branch}"`, 'contents: read', error);
  }
}
