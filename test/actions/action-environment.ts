import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../client/index.ts';
import { defaultSeed, type Platform, type Seed, startPlatform } from '../../platform/index.ts';
import {
  buildRepository,
  type Changes,
  type RepositoryBuilder,
} from '../environment/github/bare-repository-builder.ts';
import { type GitHub, startGitHub } from '../environment/github/start-github.ts';
import type { TokenGrant } from '../../local-github/state/state.ts';
import { checkOut } from '../runner/check-out.ts';
import { runAction, type RunOptions, type RunResult } from '../runner/run-action.ts';
import { warehouseFiles } from './warehouse-files.ts';

export const repository = 'demo/warehouse';
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Tokens that the stand-in for GitHub knows. */
export const githubTokens = {
  writer: {
    permissions: { contents: 'read', pull_requests: 'write', checks: 'write', statuses: 'write' },
  },
  deployer: { permissions: { contents: 'read', deployments: 'write' } },
  /** Stores evidence. */
  signer: { permissions: { contents: 'write', pull_requests: 'read' } },
  reader: { permissions: { contents: 'read', pull_requests: 'read' } },
  /** May list neither the files of a pull request nor the files of a comparison. */
  blind: { permissions: {} },
} as const satisfies Record<string, TokenGrant>;

export interface ActionRun {
  /** `''` for the root action, `actions/publish`, … */
  readonly action: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Which of the tokens `github.token` is. */
  readonly as?: keyof typeof githubTokens;
  /** `with: token:`; an empty text means a missing secret. */
  readonly token?: string;
  readonly more?: Partial<RunOptions>;
}

export interface ActionEvent {
  readonly name: string;
  readonly payload: unknown;
  readonly ref: string;
  readonly sha: string;
}

/** A repository with a project in it, the local platform, GitHub, and a runner for the shipped actions. */
export interface ActionEnvironment extends AsyncDisposable {
  readonly builder: RepositoryBuilder;
  readonly platform: Platform;
  readonly github: GitHub;
  readonly folder: string;
  pullRequest(number: number, run: ActionRun): Promise<RunResult>;
  /** Any other event, with its payload. */
  event(event: ActionEvent, run: ActionRun): Promise<RunResult>;
  /** @param ref `refs/heads/main` or `refs/tags/v1` */
  push(ref: string, run: ActionRun, before?: string): Promise<RunResult>;
  /**
   * Publishes the files of `main` as they were at first, for tests of what comes after. Not with the action: a process for
   * each test would be most of its time.
   */
  publish(version: string, ref: string, environment?: string): Promise<void>;
}

/**
 * @param files what is on `main`
 * @param seed what the platform has beside its usual seed
 * @param options.sharesProcess whether one process runs the actions one after the other
 */
export async function createActionEnvironment(
  files: Changes = warehouseFiles,
  seed: Seed = {},
  { sharesProcess = false } = {},
): Promise<ActionEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-actions-'));
  const gitRoot = join(folder, 'git');
  const builder = await buildRepository(gitRoot, repository);
  await builder.commit('main', files);
  const platform = await startPlatform({ gitRoot, checkAnswers: true, seed: { ...defaultSeed, ...seed } });
  const github = await startGitHub({ gitRoot, tokens: githubTokens });

  async function run(
    event: ActionEvent,
    { action, inputs, as = 'writer', token = platform.tokens.admin, more }: ActionRun,
  ): Promise<RunResult> {
    const workspace = await mkdtemp(join(folder, 'workspace-'));
    await checkOut({ remote: builder.path, folder: workspace, sha: event.sha, ref: event.ref });
    return await runAction({
      path: join(root, action),
      workspace,
      event: event.payload,
      eventName: event.name,
      ref: event.ref,
      sha: event.sha,
      repository,
      repositoryId: github.repository(repository).id,
      apiUrl: github.apiUrl,
      serverUrl: github.url,
      token: as,
      inputs: { 'base-url': platform.baseUrl, token, ...inputs },
      sharesProcess,
      ...more,
    });
  }

  async function close(): Promise<void> {
    await github.close();
    await platform.close();
    await rm(folder, { recursive: true, force: true });
  }
  return {
    builder,
    platform,
    github,
    folder,
    event: run,
    async pullRequest(number, given) {
      const { mergeSha, ...payload } = await github.events.pullRequest(repository, number);
      const ref = `refs/pull/${String(number)}/merge`;
      return await run({ name: 'pull_request', payload, ref, sha: mergeSha }, given);
    },
    async push(ref, given, before) {
      const payload = await github.events.push(repository, ref, before);
      const sha = (await github.repository(repository).git.commit(ref)) ?? '';
      return await run({ name: 'push', payload, ref, sha }, given);
    },
    async publish(versionName, ref, environmentName = 'dev') {
      const { baseUrl, projectId, tokens } = platform;
      await using client = createClient({ baseUrl, auth: { token: tokens.admin } });
      const commitHash = (await github.repository(repository).git.commit(ref)) ?? '';
      await client.artifacts.create({
        projectId,
        versionName,
        environmentName,
        commitHash,
        files: Object.entries(files).flatMap(([path, text]) =>
          text !== null && /\.(?:orch\.yaml|tran\.yaml|sql)$/u.test(path)
            ? [{ path, bytes: Buffer.byteLength(text), open: () => Buffer.from(text) }]
            : [],
        ),
      });
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The same, where one process runs the actions one after the other: for files with many runs that test no process. */
export function createSharingEnvironment(files?: Changes, seed?: Seed): Promise<ActionEnvironment> {
  return createActionEnvironment(files, seed, { sharesProcess: true });
}

/** The example project with `v1.0.0` published, whose execution takes an hour. */
export async function createRunEnvironment(): Promise<ActionEnvironment> {
  const environment = await createActionEnvironment(warehouseFiles, {
    executions: [{ pipeline: 'daily/load', component: 'Load orders', after: '60m' }],
  });
  await environment.builder.tag('v1.0.0', 'main', 'first');
  await environment.publish('v1.0.0', 'refs/tags/v1.0.0');
  return environment;
}
