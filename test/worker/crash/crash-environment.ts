import { expect, onTestFinished } from 'vitest';
import { eventually } from '../../environment/worker/eventually.ts';
import {
  askWorker,
  createWorkerEnvironment,
  deliver,
  promotionsOf,
  type ShownPromotion,
  type WorkerEnvironment,
} from '../../environment/worker/worker-environment.ts';

const lanes = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    verify: [{ pipeline: daily/load, timeout: 1m }]
  - name: to-prod
    after: to-test
    from: test
    to: prod
    verify: [{ pipeline: daily/load, timeout: 1m }]
`;

export const settings = { pollScale: 0.05, reconcileMs: 500, lockMs: 2_000, stalledMs: 500 };

export async function createTestEnvironment(): Promise<WorkerEnvironment> {
  const env = await createWorkerEnvironment({ lanes });
  onTestFinished(() => env[Symbol.asyncDispose]());
  return env;
}

/**
 * Delivers the push and waits until its execution runs and the worker has recorded its id: from here on nothing is
 * unknown. The execution runs until the platform's clock is resumed.
 */
export async function watching(env: WorkerEnvironment, url: string): Promise<void> {
  env.platform.clock.freeze();
  expect(await deliver(url, await env.push('refs/tags/v1.0.0'))).toMatchObject({ status: 202 });
  await eventually(async () => (await promotionsOf(url, 'to-test'))[0]?.step).toBe('watch');
}

export async function endOf(url: string, lane: string): Promise<ShownPromotion> {
  await eventually(async () => (await promotionsOf(url, lane))[0]?.state).toBe('finished');
  const id = (await promotionsOf(url, lane))[0]?.id ?? '';
  return (await askWorker<ShownPromotion>(url, `promotions/${id}`)).body;
}

export function promotionsTo(env: WorkerEnvironment, environment: string): number {
  return env.wire.calls.filter(
    ({ path, body }) =>
      path.endsWith('/promotions') &&
      (JSON.parse(body) as { targetEnvironmentName: string }).targetEnvironmentName === environment,
  ).length;
}
