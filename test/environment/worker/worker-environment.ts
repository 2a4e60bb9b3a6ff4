import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../../client/index.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { type Platform, type Seed, startPlatform } from '../../../platform/index.ts';
import { createGitHubPort } from '../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../lib/github/access/github-access.ts';
import type { WorkerOptions } from '../../../worker/app/start-worker.ts';
import { buildRepository, type RepositoryBuilder } from '../github/bare-repository-builder.ts';
import { type GitHub, type GitHubOptions, startGitHub } from '../github/start-github.ts';
import type { TestRedis } from '../redis.ts';
import { openWire, type Wire } from './wire.ts';

export const repositoryName = 'example/warehouse';
export const repositoryId = 77;
export const projectId = '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b';
export const webhookSecret = 'It is nobody’s business';
export const workerToken = 'operators-only';

/** Tests write more to GitHub in a second than it takes in a minute; the limits have tests of their own. */
export const noLimits = { perMinute: 1_000_000, perHour: 1_000_000, gapMs: 0 };

/** Everything that a worker talks to, real and on the loopback. */
export interface WorkerEnvironment extends AsyncDisposable {
  readonly github: GitHub;
  readonly repository: RepositoryBuilder;
  readonly platform: Platform;
  readonly wire: Wire;
  /** Talks to the platform past the wire. */
  readonly client: Client;
  /** Prefix of all keys, so that tests on one Redis do not meet. */
  readonly prefix: string;
  /** Options for a worker, here or in a process of its own. */
  options(redis: Pick<TestRedis, 'address'> & Partial<TestRedis>): WorkerOptions;
  /** Publishes an artifact as a release does. */
  publish(version: string, commit: string, environment?: string): Promise<void>;
  /** The versions in an environment, newest first; `!` before a disabled one. */
  versions(environment: string): Promise<readonly string[]>;
  /** A push as GitHub delivers it, signed. */
  push(ref: string, before?: string): Promise<Delivery>;
  /** The last status of a context on a commit: state and description. */
  status(commit: string, context: string): string | undefined;
}

export interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface WorkerEnvironmentOptions {
  /** The `lanes:` of millrace.yaml. */
  readonly lanes: string;
  readonly seed?: Pick<Seed, 'credentials' | 'executions' | 'settings'>;
  /** The repository's entry of worker.yaml, beyond id, name, projects and credential. */
  readonly policy?: string;
  /** Those after `dev`; by default `test` and `prod`. */
  readonly targets?: readonly string[];
  /** Further tokens and an App of GitHub. */
  readonly github?: Partial<Pick<GitHubOptions, 'app' | 'oauthApp' | 'tokens' | 'now'>>;
}

const usualTargets = ['test', 'prod'];

const openPolicy = (targets: readonly string[]): string => `
    branches: [main]
    tags: ["v*"]
    environments: [${targets.join(', ')}]
    pipelines: ["**"]
`;

export const orchestration = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions: { unconditional: ["Load"] }
      parameters: { componentName: "Start" }
    Load:
      type: "sql-executor"
      transitions: { success: ["Done"] }
      parameters: { componentName: "Load", sqlScript: "select 1" }
    Done:
      type: "end-success"
      parameters: { componentName: "Done" }
`;

export function projectFile(lanes: string, targets: readonly string[] = usualTargets): string {
  const environments = ['dev', ...targets].join(', ');
  return `version: 1\nproject: ${projectId}\nenvironments: [${environments}]\nlanes:\n${lanes}`;
}

/** @param targets of `openPolicy` */
export function workerFile(policy?: string, targets: readonly string[] = usualTargets): string {
  return `version: 1
credentials:
  platform: { token-env: TOKEN }
repositories:
  - id: ${repositoryId}
    name: ${repositoryName}
    projects: [${projectId}]
    credential: platform${policy ?? openPolicy(targets)}`;
}

/** Signs a body as GitHub does. */
export function sign(body: string, secret = webhookSecret): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export function delivery(event: string, payload: unknown, secret = webhookSecret): Delivery {
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': sign(body, secret),
    },
  };
}

/** Starts a platform, a GitHub and a repository whose first commit holds millrace.yaml and one pipeline. */
export async function createWorkerEnvironment({
  lanes,
  seed = {},
  policy,
  targets = usualTargets,
  github: githubOptions = {},
}: WorkerEnvironmentOptions): Promise<WorkerEnvironment> {
  const gitRoot = await mkdtemp(join(tmpdir(), 'millrace-worker-'));
  const repository = await buildRepository(gitRoot, repositoryName);
  await repository.commit('main', {
    'millrace.yaml': projectFile(lanes, targets),
    'daily/load.orch.yaml': orchestration,
  });
  const github = await startGitHub({
    requireCompletedChecks: false,
    gitRoot,
    repositories: [{ fullName: repositoryName, id: repositoryId }],
    ...githubOptions,
    tokens: {
      worker: {
        permissions: {
          checks: 'read',
          contents: 'read',
          members: 'read',
          pull_requests: 'read',
          statuses: 'write',
        },
      },
      ...githubOptions.tokens,
    },
  });
  const platform = await startPlatform({
    seed: {
      projects: [
        {
          id: projectId,
          name: 'warehouse',
          connections: [{ name: 'warehouse-connection', authType: 'key_pair' }],
          environments: ['dev', ...targets],
        },
      ],
      credentials: [{ name: 'worker', role: 'admin' }],
      ...seed,
      settings: { componentTime: 20, ...seed.settings },
    },
  });
  const wire = await openWire(platform.baseUrl);
  const token = platform.tokens.admin;
  const client = createClient({ baseUrl: platform.baseUrl, auth: { token } });
  const prefix = `{t-${randomUUID().slice(0, 8)}}`;

  return {
    github,
    repository,
    platform,
    wire,
    client,
    prefix,
    options: (redis) => ({
      config: readWorkerConfig(workerFile(policy, targets), 'worker.yaml'),
      settings: {
        prefix,
        pollScale: 0.05,
        missingMs: 200,
        planWaitMs: 0,
        reconcileMs: 500,
        reportRetryMs: 100,
        stopWithinMs: 3_000,
        redisWithinMs: 2_000,
        githubLimits: noLimits,
        // Tests count what goes to the platform; the polls of what is live ask more often.
        liveTickMs: 3_600_000,
      },
      redis: redis.address,
      clock: systemClock,
      random: Math.random,
      logger: process.env['MILLRACE_TEST_LOG'] === undefined ? silentLogger : console,
      createClientFor: (_, middlewares) =>
        createClient({ baseUrl: wire.baseUrl, auth: { token }, middlewares }),
      github: createGitHubPort({
        apiUrl: github.apiUrl,
        access: tokenAccess(() => 'worker'),
        clock: systemClock,
      }),
      webhookSecrets: () => [webhookSecret],
      token: () => workerToken,
    }),
    async publish(version, commit, environmentName = 'dev') {
      await client.artifacts.create({
        projectId,
        versionName: version,
        environmentName,
        commitHash: commit,
        files: [
          {
            path: 'daily/load.orch.yaml',
            bytes: Buffer.byteLength(orchestration),
            open: () => Buffer.from(orchestration),
          },
        ],
      });
    },
    async versions(environmentName) {
      const page = await client.artifacts.list({ projectId, environmentName, includeDisabled: true });
      return page.results.map(({ versionName, enabled }) => (enabled ? versionName : `!${versionName}`));
    },
    async push(ref, before) {
      return delivery('push', await github.events.push(repositoryName, ref, before));
    },
    status(commit, context) {
      const found = github
        .repository(repositoryName)
        .statuses.findLast((status) => status.sha === commit && status.context === context);
      return found === undefined ? undefined : `${found.state}: ${found.description ?? ''}`;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await wire[Symbol.asyncDispose]();
      await platform.close();
      await github.close();
      await rm(gitRoot, { recursive: true, force: true });
    },
  };
}

/** Sends a delivery to a worker. */
export async function deliver(
  url: string,
  { headers, body }: Delivery,
): Promise<{ status: number; result: string }> {
  const response = await fetch(`${url}/webhooks/github`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { result: string };
  return { status: response.status, result: answer.result };
}

/** A promotion as the worker's API shows it. */
export interface ShownPromotion {
  readonly id: string;
  readonly lane: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly message: string | null;
  readonly version: string | null;
  readonly commit: string;
  readonly step: string | null;
  readonly history?: readonly { readonly what: string }[];
}

/** Asks a worker's API. */
export async function askWorker<T>(
  url: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${url}/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${workerToken}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** The promotions of a lane, newest first. */
export async function promotionsOf(url: string, lane: string): Promise<readonly ShownPromotion[]> {
  const { body } = await askWorker<{ promotions: readonly ShownPromotion[] }>(url, `promotions?lane=${lane}`);
  return body.promotions;
}

/** A delivery as the worker lists it. */
export interface ShownDelivery {
  readonly ref: string | null;
  readonly result: string;
  readonly ingestResult?: string;
  readonly noPromotion: string | null;
}

/** The last deliveries, newest first. */
export async function deliveriesOf(url: string): Promise<readonly ShownDelivery[]> {
  return (await askWorker<{ deliveries: readonly ShownDelivery[] }>(url, 'deliveries')).body.deliveries;
}
