import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import { createRefChain } from '../../../../worker/intake/ingest/ref-chain.ts';
import { createDeletedRefs } from '../../../../worker/intake/sweep/deleted-refs.ts';
import { createSweeper } from '../../../../worker/intake/sweep/create-sweeper.ts';
import { createSweepState } from '../../../../worker/intake/sweep/sweep-state.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createFailureLog } from '../../../../worker/telemetry/failure-log.ts';
import { manualClock } from '../../../environment/clock.ts';
import {
  buildRepository,
  type RepositoryBuilder,
} from '../../../environment/github/bare-repository-builder.ts';
import { startGitHub } from '../../../environment/github/start-github.ts';
import { projectFile } from '../../../environment/worker/worker-environment.ts';
import type { TestRedis } from '../../../environment/redis.ts';

const lane = `  - { name: to-test, on: { push: { tags: ['v*'] } }, from: dev, to: test }\n`;

export const sweepMs = 300_000;
const url = 'https://worker.example.com';

export interface ManyRepositoriesOptions {
  readonly count: number;
  /** `hook`: the token sees the webhooks of the repositories. */
  readonly as: 'heads' | 'hook';
  /** Ids that the token opens; all by default. */
  readonly only?: readonly number[];
  /** Requests an hour that GitHub allows. */
  readonly requestsPerHour?: number;
}

/** A sweeper of many repositories, on a clock that only the test moves. */
export async function createManyRepositories(
  redis: TestRedis,
  { count, as, only, requestsPerHour = 5_000 }: ManyRepositoriesOptions,
) {
  const gitRoot = await mkdtemp(path.join(tmpdir(), 'millrace-many-'));
  const names = Array.from({ length: count }, (_, index) => `example/repository-${index}`);
  const builders: RepositoryBuilder[] = [];
  for (const name of names) {
    const builder = await buildRepository(gitRoot, name);
    await builder.commit('main', { 'millrace.yaml': projectFile(lane) });
    builders.push(builder);
  }
  const clock = manualClock();
  const github = await startGitHub({
    gitRoot,
    now: clock.now,
    requestsPerHour,
    repositories: names.map((fullName, index) => ({ fullName, id: index + 1 })),
    tokens: {
      heads: { permissions: { contents: 'read' }, ...(only === undefined ? {} : { only }) },
      hook: { permissions: { contents: 'read', repository_hooks: 'write' } },
    },
  });
  onTestFinished(async () => {
    await github.close();
    await rm(gitRoot, { recursive: true });
  });
  if (as === 'hook')
    for (const place of names)
      github.addHook({ place, url: `${url}/webhooks/github`, secret: 'secret', events: ['push'] });

  const config = readWorkerConfig(configFor(names), 'worker.yaml');
  const prefix = `{m-${randomUUID().slice(0, 8)}}`;
  const keys = keysUnder(prefix);
  const connection = redis.connect();
  await connection.set(keys.state, 'new-1');
  const state = createSweepState(connection, keys, clock);
  const chain = createRefChain(connection, keys, clock);
  const accepted: PushEvent[] = [];
  const port = createGitHubPort({ apiUrl: github.apiUrl, access: tokenAccess(() => as), clock });
  const createOne = () =>
    createSweeper({
      config,
      github: port,
      chain,
      deletedRefs: createDeletedRefs(connection, keys),
      state,
      clock,
      logger: silentLogger,
      failures: createFailureLog(silentLogger, clock),
      settings: { sweepMs },
      // As if each push were taken in at once: otherwise the next sweep finds it again.
      async accept(push) {
        accepted.push(push);
        await chain.link(push);
      },
      onSwept: () => undefined,
      onRecovered: () => undefined,
    });
  return { builders, clock, github, state, accepted, port, createOne, config, prefix };
}

function configFor(names: readonly string[]): string {
  const repositories = names.map(
    (name, index) => `  - id: ${index + 1}
    name: ${name}
    projects: [3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b]
    credential: platform
    environments: [dev, test]
    branches: ['*']
    tags: ['v*']
    pipelines: ['*']`,
  );
  return `version: 1
url: ${url}
credentials:
  platform: { token-env: TOKEN }
repositories:
${repositories.join('\n')}
`;
}
