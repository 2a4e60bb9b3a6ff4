import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { checkOut } from '../../test/runner/check-out.ts';
import { runAction, type RunResult } from '../../test/runner/run-action.ts';
import { repository, type DemoServers } from './demo-servers.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Job {
  readonly action: string;
  readonly eventName: 'pull_request' | 'push';
  readonly event: unknown;
  readonly ref: string;
  readonly sha: string;
  readonly branches?: { readonly head: string; readonly base: string };
  readonly inputs?: Readonly<Record<string, string>>;
}

/** Runs a composite action like a workflow: with a new shallow check-out and the variables of the runner. */
export async function runWorkflow(
  { github, githubToken, platform, folder, builder }: DemoServers,
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
    inputs: { 'base-url': platform.baseUrl, token: platform.tokens.superAdmin, ...job.inputs },
  });
}

/** The review workflow of a pull request. */
export async function reviewPullRequest(
  servers: DemoServers,
  number: number,
  branches: { head: string; base: string },
  inputs: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const { mergeSha, ...event } = await servers.github.events.pullRequest(repository, number);
  const ref = `refs/pull/${number}/merge`;
  return runWorkflow(servers, {
    action: 'actions/pull-request',
    eventName: 'pull_request',
    event,
    ref,
    sha: mergeSha,
    branches,
    inputs,
  });
}

/** The release workflow of a tag. */
export async function release(servers: DemoServers, tag: string, commit: string): Promise<RunResult> {
  const ref = `refs/tags/${tag}`;
  const event = await servers.github.events.push(repository, ref);
  return runWorkflow(servers, { action: 'actions/release', eventName: 'push', event, ref, sha: commit });
}
