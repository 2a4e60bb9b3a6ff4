import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { checkOut } from '../../test/runner/check-out.ts';
import { runAction, type RunResult } from '../../test/runner/run-action.ts';
import { repository, type Stage } from './stage.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Job {
  readonly action: string;
  readonly eventName: 'pull_request' | 'push';
  readonly event: unknown;
  readonly ref: string;
  readonly sha: string;
  readonly branches?: { readonly head: string; readonly base: string };
}

/** Runs one of the shipped composite actions as a workflow would: fresh shallow check-out, the runner's variables. */
export async function runWorkflow(
  { github, githubToken, platform, folder, builder }: Stage,
  job: Job,
): Promise<RunResult> {
  const workspace = await mkdtemp(path.join(folder, 'workspace-'));
  await checkOut({ remote: builder.path, folder: workspace, sha: job.sha, ref: job.ref });
  return runAction({
    path: path.join(root, job.action),
    workspace,
    event: job.event,
    eventName: job.eventName,
    ref: job.ref,
    sha: job.sha,
    ...(job.branches === undefined ? {} : { headRef: job.branches.head, baseRef: job.branches.base }),
    repository,
    repositoryId: github.repository(repository).id,
    apiUrl: github.apiUrl,
    serverUrl: github.url,
    token: githubToken,
    inputs: { 'base-url': platform.baseUrl, token: platform.tokens.superAdmin },
  });
}

/** The review workflow of a pull request. */
export async function reviewPullRequest(
  stage: Stage,
  number: number,
  branches: { head: string; base: string },
): Promise<RunResult> {
  const { mergeSha, ...event } = await stage.github.events.pullRequest(repository, number);
  const ref = `refs/pull/${number}/merge`;
  return runWorkflow(stage, {
    action: 'actions/pull-request',
    eventName: 'pull_request',
    event,
    ref,
    sha: mergeSha,
    branches,
  });
}

/** The release workflow of a tag. */
export async function release(stage: Stage, tag: string, commit: string): Promise<RunResult> {
  const ref = `refs/tags/${tag}`;
  const event = await stage.github.events.push(repository, ref);
  return runWorkflow(stage, { action: 'actions/release', eventName: 'push', event, ref, sha: commit });
}
