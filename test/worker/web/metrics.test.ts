import { expect, test } from 'vitest';
import { version } from '../../../lib/core/values/version.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { showMetrics } from '../../../worker/web/show-metrics.ts';
import { overviewPage } from '../../../worker/web/dashboard/pages/overview-page.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane, person, type OneLane } from '../promotion/gates/one-lane.ts';
import { noJobs } from './no-jobs.ts';

const redis = testRedis();

async function metricOf({ ports }: OneLane, name: string): Promise<string | undefined> {
  const line = (await showMetrics(ports, noJobs)).split('\n').find((one) => one.startsWith(`${name} `));
  return line?.slice(name.length + 1);
}

/** Sends the newest state of a promotion, as a sender does. */
async function send({ ports, clock }: OneLane, promotion: string): Promise<void> {
  const until = clock.now() + 60_000;
  const taken = await ports.store.takeReport(promotion, until);
  expect(taken.status).toBe('send');
  if (taken.status === 'send') await ports.store.returnReport(promotion, taken.seq, until);
}

const lag = async (lane: OneLane): Promise<readonly (string | undefined)[]> => [
  await metricOf(lane, 'millrace_unsent_updates'),
  await metricOf(lane, 'millrace_oldest_unsent_update_age_seconds'),
];

async function overviewOf({ ports }: OneLane): Promise<string> {
  const visit = {
    operator: person('ada'),
    ports,
    csrf: '',
    id: '',
    query: new URLSearchParams(),
    address: '/',
  };
  const shown = await overviewPage.show(visit);
  return shown !== undefined && 'main' in shown ? JSON.stringify(shown.main) : '';
}

test('metrics, API and dashboard say how long GitHub has shown an older state, until it has the newest', async () => {
  const lane = await oneLane(redis);
  expect(await lag(lane)).toEqual(['0', '0']);
  const first = await lane.push('v1.0.0');
  await lane.advance(first);
  await lane.clock.advance(90_000);
  const second = await lane.push('v1.1.0');
  await lane.advance(second);
  expect(await lag(lane)).toEqual(['2', '90']);
  expect(await lane.ask('ada', 'GET', 'lanes')).toMatchObject({
    body: { github: { unsentUpdates: 2, behindSeconds: 90, since: expect.stringMatching(/T12:00:00/u) } },
  });
  expect(await overviewOf(lane)).toContain('it shows an older state of 2 promotions');
  await send(lane, first);
  await lane.clock.advance(10_000);
  expect(await lag(lane)).toEqual(['1', '10']);
  expect(await overviewOf(lane)).not.toContain('GitHub is behind');
  await send(lane, second);
  expect(await lag(lane)).toEqual(['0', '0']);
});

test('a state that was recorded while an earlier one was sent counts from when it was recorded', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const { ports, clock } = lane;
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  await clock.advance(60_000);
  const until = clock.now() + 60_000;
  const taken = await ports.store.takeReport(promotion, until);
  await lane.approve('ada', promotion);
  await lane.advance(promotion);
  expect(await lag(lane)).toEqual(['1', '60']);
  await ports.store.returnReport(promotion, taken.status === 'send' ? taken.seq : undefined, until);
  await clock.advance(5_000);
  expect(await lag(lane)).toEqual(['1', '5']);
});

test('an update that an older worker sent or recorded is not counted, or is, once it is compared', async () => {
  const lane = await oneLane(redis);
  const { ports } = lane;
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  const { unsent, promotion: key } = keysUnder(ports.settings.prefix);
  await redis.connect().del(unsent);
  expect(await lag(lane)).toEqual(['0', '0']);
  await ports.store.promotionsToReconcile([promotion], ports.queues.advanceJobKeys);
  expect(await lag(lane)).toEqual(['1', '0']);
  await redis.connect().hset(key(promotion), 'reported', '1000');
  expect(await lag(lane)).toEqual(['0', '0']);
});

test('the age of the oldest hold counts while a lane is held', async () => {
  const lane = await oneLane(redis);
  await lane.advance(await lane.push('v1.0.0'));
  expect(await metricOf(lane, 'millrace_oldest_hold_age_seconds')).toBe('0');
  await lane.ask('ada', 'POST', `lanes/${encodeURIComponent(lane.lane)}/hold`, { reason: 'a' });
  await lane.clock.advance(60_000);
  await lane.ask('ada', 'POST', `lanes/${encodeURIComponent(lane.lane)}/hold`, { reason: 'b' });
  expect(await metricOf(lane, 'millrace_oldest_hold_age_seconds')).toBe('60');
  await lane.release('ada');
  expect(await metricOf(lane, 'millrace_oldest_hold_age_seconds')).toBe('0');
});

test('an approval that waits for longer than worker.yaml says is counted as overdue', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  await lane.advance(await lane.push('v1.0.0'));
  expect(await metricOf(lane, 'millrace_approvals_overdue')).toBe('0');
  await lane.clock.advance(86_400_000);
  expect(await metricOf(lane, 'millrace_approvals_overdue')).toBe('1');
});

test('the metrics have the version, the process and every reason of a push without a promotion', async () => {
  const lane = await oneLane(redis);
  const text = await showMetrics(lane.ports, noJobs);
  expect(text).toContain(`millrace_build_info{version="${version}",node="${process.versions.node}"} 1\n`);
  expect(text).toMatch(/^process_cpu_seconds_total \d/mu);
  expect(text).toMatch(/^process_resident_memory_bytes \d/mu);
  expect(text).toMatch(/^nodejs_heap_size_used_bytes \d/mu);
  expect(text).toContain('millrace_pushes_without_promotion_total{reason="given-up"} 0\n');
  expect(text).toContain('millrace_poison_jobs_total{queue="report"} 0\n');
  const names = [...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('when the hour of an allowance has ended without a request, all of it is left', async () => {
  const { ports, clock } = await oneLane(redis);
  const resetAt = clock.now() + 60_000;
  const stated = { account: 'installation-1', resource: 'graphql', limit: 5_000, remaining: 12, resetAt };
  const allowances = { ...ports.github.allowances, all: () => [stated] };
  const shown = { ...ports, github: { ...ports.github, allowances } };
  const left = async (): Promise<string | undefined> =>
    /^millrace_github_requests_left\{.*\} (\d+)$/mu.exec(await showMetrics(shown, noJobs))?.[1];
  expect(await left()).toBe('12');
  await clock.advance(60_000);
  expect(await left()).toBe('5000');
});
