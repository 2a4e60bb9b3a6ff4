import type { LaneReads } from '../../../../worker/store/lanes/lane-reads.ts';
import type { Admission } from '../../../../worker/store/admission.ts';
import type { AdvanceKey, Advances } from '../../../../worker/store/advances/advances.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore, type LaneStore } from '../../../../worker/app/lane-store.ts';
import type { PromotionLane } from '../../../../worker/records/promotion-task.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import { projectId, repositoryId, repositoryName } from '../../../environment/worker/worker-environment.ts';

/** Text of an attacker: markup, quotes, and marks that turn the direction of writing. */
export const foreign = `<script>document.title='gotcha'</script>"'&amp; \u202eevil\u202c <img src=x onerror=alert(1)>`;

const daily = { pipeline: 'daily/load', variables: {}, timeout: 60_000 };
const always = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], zone: 'Europe/London' } as const;

/** Fills the records with lanes in every state, as runs leave them; no worker has worked for it. Gives their ids. */
export async function manyLanes(redis: TestRedis, prefix: string, count: number): Promise<readonly string[]> {
  const connection = redis.connect();
  // A worker that runs already has a marker of its own.
  await connection.setnx(keysUnder(prefix).state, 'new');
  const store = createLaneStore(connection, keysUnder(prefix), systemClock);
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push(await makeLane(store, i));
  return ids;
}

const names = ['orders', 'customers', 'inventory', 'finance-and-controlling-month-end-closing', 'web', 'crm'];

function taskOf(i: number): PromotionLane {
  const to = i % 2 === 0 ? 'test' : 'prod';
  const name = i === 7 ? `lane ${foreign}` : `${names[i % names.length] ?? ''}-${i}-to-${to}`;
  const gates = {
    approvals: i % 10 === 1 ? 1 : 0,
    soak: 0,
    authorsMayApprove: true,
    checks: [],
    windows: [],
    freeze: i % 10 === 4 ? [{ ...always, days: [...always.days] }] : [],
  };
  return {
    name,
    id: `${repositoryId}/${projectId}/${name}`,
    project: projectId,
    credential: 'platform',
    from: to === 'test' ? 'dev' : 'test',
    to,
    policy: 'latest',
    verify: [daily, { ...daily, pipeline: 'daily/check' }],
    onFailure: 'rollback',
    gates,
    next: [],
  };
}

async function makeLane(store: LaneStore, i: number): Promise<string> {
  const lane = taskOf(i);
  const old = await accept(store, lane, i, `v1.${i}.0`);
  const report = {
    state: 'success',
    text: `v1.${i}.0 is in ${lane.to}, verified by 2 executions`,
  } as const;
  if (i % 10 !== 9)
    await store.finish(old, {
      outcome: 'passed',
      message: report.text,
      report,
      verified: `v1.${i}.0`,
      state: 'finished',
    });
  else return lane.id;
  if (i % 10 > 5 && i !== 7) return lane.id;
  const version = i === 7 ? foreign.slice(0, 60) : `v1.${i + 1}.0`;
  const key = await accept(store, lane, i, version);
  const since = Date.now();
  const step = (value: object) => ({ step: JSON.stringify(value), version });
  if (i % 10 === 0) {
    const message = `${version} failed in ${lane.to}: daily/load: ${i === 0 ? foreign : 'no such table: staging.orders'}`;
    const failed = { state: 'failure', text: message } as const;
    await store.finish(key, {
      outcome: 'failed',
      message,
      report: failed,
      hold: { cause: 'failed', by: 'millrace', reason: message, since },
      state: 'finished',
    });
  } else if (i % 10 === 1 || i % 10 === 4) {
    const text =
      i % 10 === 1
        ? 'Waiting for 1 approval (ada, grace may approve)'
        : `Waiting until 2031-01-06T08:00Z: ${lane.to} is frozen`;
    await store.record(key, {
      kind: 'state',
      what: 'resolved',
      data: { version },
      fields: step({ name: 'promote', since, readBacks: 0 }),
      report: { state: 'pending', text },
    });
    await store.endAdvance(key);
  } else if (i % 10 === 3) {
    const message = `${version} failed in ${lane.to}: daily/check ended as FAILED; rolled back to v1.${i}.0`;
    await store.finish(key, {
      outcome: 'failed',
      message,
      report: { state: 'failure', text: message },
      state: 'finished',
    });
  } else {
    const fields = step({
      name: 'watch',
      verify: i % 2,
      since: since - 40_000,
      executionId: `e-${i}`,
      usualMs: 90_000,
    });
    await store.record(key, {
      kind: 'state',
      what: 'started',
      data: { executionId: `e-${i}`, pipeline: 'daily/load' },
      fields,
      report: { state: 'pending', text: `${version} is in ${lane.to}; running daily/load (1 of 2)` },
    });
    await store.endAdvance(key);
  }
  return lane.id;
}

async function accept(
  store: Admission & Advances & LaneReads,
  lane: PromotionLane,
  i: number,
  version: string,
): Promise<AdvanceKey> {
  const promotionId = `promotion-${i}-${version.replaceAll(/[^\w.]/g, '').slice(0, 20)}`;
  const commit = (i + 16).toString(16).repeat(20);
  const ref = `refs/heads/${i === 7 ? foreign.replaceAll(' ', '-') : 'main'}`;
  await store.accept({
    promotionId,
    order: 'any',
    head: { field: '', value: '' },
    task: {
      repository: { id: repositoryId, fullName: repositoryName },
      ref,
      commit,
      delivery: `d-${i}`,
      pusher: { login: 'octocat', id: 1 },
      version: { kind: 'named', name: version },
      lane,
    },
  });
  const promotion = await store.promotion(promotionId);
  if (promotion === undefined) throw new Error(`promotion ${promotionId} was not accepted`);
  const begun = await store.beginAdvance(promotion);
  if ('status' in begun) throw new Error(`promotion ${promotionId} is ${begun.status}`);
  return begun.key;
}
