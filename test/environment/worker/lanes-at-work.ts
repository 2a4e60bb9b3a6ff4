import { expect, onTestFinished } from 'vitest';
import { type RunningWorker, startWorker, type WorkerOptions } from '../../../worker/app/start-worker.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import type { TestRedis } from '../redis.ts';
import {
  askWorker,
  deliver,
  projectId,
  promotionsOf,
  type ShownPromotion,
  createWorkerEnvironment,
  type WorkerEnvironment,
  type WorkerEnvironmentOptions,
} from './worker-environment.ts';
import { eventually } from './eventually.ts';

/** One lane, started by tags. */
export const toTest = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: rollback
`;

/** And a second one for what the first has verified. */
export const twoLanes = `${toTest}
  - name: to-prod
    after: to-test
    from: test
    to: prod
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: rollback
`;

/** Every execution takes `ms`. */
export const slow = (ms: number) => ({
  executions: [{ pipeline: 'daily/load', component: 'Load', after: ms }],
});

/** The first execution takes `ms`. */
export const slowOnce = (ms: number) => ({
  executions: [{ pipeline: 'daily/load', component: 'Load', after: ms, times: 1 }],
});

/** The first execution in an environment fails. */
export const failing = (environment: string) => ({
  executions: [
    {
      pipeline: 'daily/load',
      component: 'Load',
      environment,
      outcome: 'failure' as const,
      message: 'no such table',
      times: 1,
    },
  ],
});

/** The first execution in an environment succeeds, and the second fails. */
export const failingSecond = (environment: string) => ({
  executions: [
    { pipeline: 'daily/load', component: 'Load', environment, times: 1 },
    ...failing(environment).executions,
  ],
});

/** Loses the answer to each start of an execution, after the platform has started it. */
export function loseStarts({ wire }: Pick<WorkerEnvironment, 'wire'>): void {
  wire.interfere(({ path, method }) =>
    method === 'POST' && path.endsWith('/pipeline-executions') ? 'lose' : undefined,
  );
}

/** Promotes a released version to its end as indeterminate, because the answer to its start is lost. */
export async function loseStart(
  env: WorkerEnvironment,
  worker: RunningWorker,
  version: string,
): Promise<ShownPromotion> {
  loseStarts(env);
  await pushed(env, worker, version);
  const promotion = await ended(worker, 'to-test', version);
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  env.wire.interfere(undefined);
  return promotion;
}

/** A worker and all around it, closed after the test. */
export async function createTestEnvironment(
  redis: TestRedis,
  overrides: Partial<WorkerEnvironmentOptions> = {},
  settings: WorkerOptions['settings'] = {},
  clock: WorkerOptions['clock'] = systemClock,
): Promise<{ env: WorkerEnvironment; worker: RunningWorker }> {
  const env = await createWorkerEnvironment({ lanes: twoLanes, ...overrides });
  const options = env.options(redis);
  const worker = await startWorker({ ...options, clock, settings: { ...options.settings, ...settings } });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  return { env, worker };
}

/** A commit and its tag; gives the commit. */
export async function tagged(env: WorkerEnvironment, version: string): Promise<string> {
  const commit = await env.repository.commit('main', { 'notes.txt': version });
  await env.repository.tag(version, commit);
  return commit;
}

/** A release: a commit, its tag, its artifact; gives the commit. */
export async function release(env: WorkerEnvironment, version: string): Promise<string> {
  const commit = await tagged(env, version);
  await env.publish(version, commit);
  return commit;
}

/** Delivers the push of a tag. */
export async function pushed(env: WorkerEnvironment, worker: RunningWorker, version: string): Promise<void> {
  expect(await deliver(worker.url, await env.push(`refs/tags/${version}`))).toMatchObject({ status: 202 });
}

/** The promotion of a version in a lane once it is over, with its history. */
export async function ended(worker: { url: string }, lane: string, version: string): Promise<ShownPromotion> {
  const find = async () =>
    (await promotionsOf(worker.url, lane)).find(
      (promotion) => promotion.version === version && promotion.state === 'finished',
    );
  await eventually(find).toBeDefined();
  const promotion = await find();
  if (promotion === undefined) throw new Error('the promotion no longer exists');
  return (await askWorker<ShownPromotion>(worker.url, `promotions/${promotion.id}`)).body;
}

/** Why a lane is held; undefined where it is not. */
export async function holdOf(worker: { url: string }, lane: string): Promise<string | undefined> {
  const reasons = (await holdsIn(worker, lane)).map(({ reason }) => reason);
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

interface ShownHold {
  readonly id: string;
  readonly cause: string;
  readonly reason: string;
}

async function holdsIn(worker: { url: string }, lane: string): Promise<readonly ShownHold[]> {
  const { body } = await askWorker<{ lanes: { name: string; holds: ShownHold[] }[] }>(worker.url, 'lanes');
  return body.lanes.find(({ name }) => name === lane)?.holds ?? [];
}

/** Resumes a lane that is held for any number of causes, as an operator does. */
export async function resumeLane(worker: { url: string }, lane: string): Promise<void> {
  const holds = (await holdsIn(worker, lane)).map(({ id }) => id);
  const { status } = await askWorker(worker.url, `lanes/${laneId(lane)}/resume`, { holds });
  expect(status).toBe(200);
}

/** A lane's id as it is in an address. */
export function laneId(name: string): string {
  return encodeURIComponent(`77/${projectId}/${name}`);
}
