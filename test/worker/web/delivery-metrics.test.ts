import { expect, test } from 'vitest';
import { showMetrics } from '../../../worker/web/show-metrics.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane, type OneLane } from '../promotion/gates/one-lane.ts';
import { noJobs } from './no-jobs.ts';

const redis = testRedis();
const minute = 60_000;

/** A promotion of a version, as a worker records it: it passes after ten minutes, or fails and is rolled back after six. */
async function delivered(
  { ports, clock, push }: OneLane,
  version: string,
  hasPassed: boolean,
): Promise<void> {
  const { store } = ports;
  const id = await push(version, {
    committedAt: clock.now() - 30 * minute,
    commit: version.repeat(10).slice(0, 40),
  });
  const begun = await store.beginAdvance({ id });
  if ('status' in begun) throw new Error(begun.status);
  const { key } = begun;
  const write = (what: string) => store.record(key, { kind: 'state', what });
  await write('promoted');
  await clock.advance(5 * minute);
  if (!hasPassed) {
    const step = { name: 'roll-back', reason: 'x', since: clock.now() };
    await store.record(key, {
      kind: 'state',
      what: 'verification-failed',
      fields: { step: JSON.stringify(step) },
    });
    await clock.advance(minute);
    await write('rolled-back');
  }
  await clock.advance(5 * minute);
  const report = { state: 'success', text: 'over' } as const;
  const outcome = hasPassed ? 'passed' : 'failed';
  await store.finish(key, {
    outcome,
    message: 'over',
    report,
    verified: hasPassed ? version : '',
    state: 'finished',
  });
}

test('API and metrics have the delivery metrics of the promotions, and follow new ones', async () => {
  const lane = await oneLane(redis);
  await delivered(lane, 'v1.0.0', true);
  const path = `metrics?lane=to-test&days=10`;
  const shown = async () => (await lane.ask('ada', 'GET', path)).body;
  expect(await shown()).toMatchObject({
    repositories: [{ repository: 'example/warehouse', environments: ['test'], deployments: 1 }],
    lanes: [
      { laneName: 'to-test', deployments: 1, deploymentsPerDay: 0.1, leadTimeMs: 40 * minute, failures: 0 },
    ],
  });
  await delivered(lane, 'v1.1.0', false);
  expect(await shown()).toMatchObject({
    lanes: [{ deployments: 1, changes: 2, changeFailureRate: 0.5, timeToRestoreMs: 6 * minute, restored: 1 }],
  });
  const text = await showMetrics(lane.ports, noJobs);
  const labels = `repository="example/warehouse",lane="${lane.lane}",environment="test"`;
  expect(text).toContain(`millrace_lane_change_failure_ratio{${labels}} 0.5\n`);
  expect(text).toContain(`millrace_lane_lead_time_seconds{${labels}} 2400\n`);
  expect(text).toContain(`millrace_lane_time_to_restore_seconds{${labels}} 360\n`);
});

test('other repositories are not in the answer, and a wrong number of days is refused', async () => {
  const lane = await oneLane(redis);
  await delivered(lane, 'v1.0.0', true);
  const stranger = { name: 'sam', role: 'admin', repositories: [42] } as const;
  expect(await lane.ask(stranger, 'GET', 'metrics')).toMatchObject({ body: { repositories: [], lanes: [] } });
  expect(await lane.ask('ada', 'GET', 'metrics?repository=example%2Fother')).toMatchObject({
    body: { lanes: [] },
  });
  for (const days of ['0', '31', '1.5', 'x'])
    expect(await lane.ask('ada', 'GET', `metrics?days=${days}`), days).toMatchObject({ status: 400 });
});
