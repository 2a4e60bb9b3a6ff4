import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import { FencedOff } from '../../../../worker/promotion/advance/advance.ts';
import type { CheckRun } from '../../../../local-github/state/state.ts';
import { repositoryName, workerFile } from '../../../environment/worker/worker-environment.ts';
import { testRedis } from '../../../environment/redis.ts';
import { approvers, oneLane, type OneLane } from './one-lane.ts';

const redis = testRedis();

async function waitingLane(): Promise<{ lane: OneLane; promotion: string; commit: string }> {
  const lane = await oneLane(redis, { gates: { checks: ['review'] } });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  return { lane, promotion, commit: task.commit };
}

/** Adds a check run to a commit, as another App's. */
function addCheck(lane: OneLane, commit: string, conclusion: string | null): CheckRun {
  const { checkRuns } = lane.env.github.repository(repositoryName);
  const run: CheckRun = {
    id: checkRuns.length + 1,
    head_sha: commit,
    name: 'review',
    status: conclusion === null ? 'in_progress' : 'completed',
    conclusion,
    external_id: null,
    details_url: null,
    started_at: '2031-01-01T00:00:00Z',
    completed_at: null,
    actions: [],
    output: { title: null, summary: null, text: null },
    annotations: [],
  };
  checkRuns.push(run);
  return run;
}

async function textAfterAdvance({ lane, promotion }: Awaited<ReturnType<typeof waitingLane>>) {
  return (await lane.advance(promotion)).report.text;
}

test('a promotion waits until the required check has succeeded on its commit', async () => {
  const waiting = await waitingLane();
  const { lane, promotion, commit } = waiting;
  expect(await textAfterAdvance(waiting)).toBe(
    'Waiting for the check "review": the commit does not have it yet',
  );
  const run = addCheck(lane, commit, null);
  expect(await textAfterAdvance(waiting)).toBe('Waiting for the check "review", which is still running');
  expect(lane.promotions()).toBe(0);
  const shown = async () => (await lane.ask('root', 'GET', `promotions/${promotion}`)).body;
  expect(await shown()).toMatchObject({ waitsFor: 'checks' });
  await lane.ask('root', 'POST', `lanes/${encodeURIComponent(lane.lane)}/hold`, { reason: 'wait' });
  Object.assign(run, { status: 'completed', conclusion: 'success' });
  expect(await textAfterAdvance(waiting)).toBe('Waiting: the lane is on hold');
  expect(await shown()).toMatchObject({ waitsFor: null });
  await lane.release('root');
  expect(await lane.advance(promotion)).toMatchObject({ outcome: 'passed' });
  expect(lane.promotions()).toBe(1);
});

test.each(['failure', 'neutral', 'skipped', 'cancelled'])(
  'a check that ended as %s does not count',
  async (conclusion) => {
    const waiting = await waitingLane();
    addCheck(waiting.lane, waiting.commit, conclusion);
    expect(await textAfterAdvance(waiting)).toBe(
      `Waiting: the check "review" of the commit ended as ${conclusion}`,
    );
    expect(waiting.lane.promotions()).toBe(0);
  },
);

test('the success of a check on another commit does not count', async () => {
  const waiting = await waitingLane();
  const commit = await waiting.lane.env.repository.commit('main', { 'other.txt': 'x' });
  addCheck(waiting.lane, commit, 'success');
  expect(await textAfterAdvance(waiting)).toContain('the commit does not have it yet');
});

test('while GitHub cannot be read, the promotion waits and shows why', async () => {
  const waiting = await waitingLane();
  waiting.lane.env.github.interfere(({ path }) =>
    path.endsWith('/check-runs') ? { status: 502, body: {} } : undefined,
  );
  expect(await textAfterAdvance(waiting)).toContain('Waiting: the checks of the commit could not be read:');
  expect(waiting.lane.promotions()).toBe(0);
});

test('a check that worker.yaml requires since the push counts', async () => {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  const file = workerFile(`${approvers}    gates: { test: { checks: [review] } }\n`);
  const config = readWorkerConfig(file, 'worker.yaml');
  await advancePromotion(promotion, { ...lane.ports, config }, new AbortController().signal);
  expect(lane.promotions()).toBe(0);
});

test('a worker that lost its promotion while it read the checks reads nothing of the target', async () => {
  const { lane, promotion, commit } = await waitingLane();
  addCheck(lane, commit, 'success');
  const { ports } = lane;
  const { github, store } = ports;
  const conclusionsOf: typeof github.checks.conclusionsOf = async (...asked) => {
    // Another worker takes it over.
    await store.beginAdvance((await store.promotion(promotion)) ?? expect.unreachable());
    return github.checks.conclusionsOf(...asked);
  };
  const frozen = { ...ports, github: { ...github, checks: { ...github.checks, conclusionsOf } } };
  const calls = lane.env.wire.calls.length;
  await expect(advancePromotion(promotion, frozen, new AbortController().signal)).rejects.toBeInstanceOf(
    FencedOff,
  );
  expect(lane.env.wire.calls.slice(calls)).toEqual([]);
});
