import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import type { Clock } from '../../../../lib/core/ports/ports.ts';
import type { PromotionLane } from '../../../../worker/records/promotion-task.ts';
import type { AdvanceKey } from '../../../../worker/store/advances/advances.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore, type LaneStore } from '../../../../worker/app/lane-store.ts';
import { createLiveStore, type LiveStore } from '../../../../worker/store/live/live-store.ts';
import { commandsOf, type DeliveryOptions } from './one-delivery.ts';

/** Repositories that are filled at once. */
const atOnce = 25;

const minute = 60_000;
const day = 1_440 * minute;

const names = [
  'warehouse',
  'stock',
  'finance',
  'crm',
  'events',
  'hr',
  'web',
  'orders-and-returns-of-all-shops',
];
export const repositoryNameOf = (i: number): string =>
  i < names.length ? `acme/${names[i] ?? ''}` : `acme/${names[i % names.length] ?? ''}-${i}`;
const firstId = 1_000;
const projectOf = (i: number): string => {
  const hex = createHash('sha256').update(String(i)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Entries of worker.yaml for the repositories of as many lanes. */
export function repositoryEntries(lanes: number): string {
  return Array.from(
    { length: Math.ceil(lanes / 2) },
    (_, i) => `
  - id: ${firstId + i}
    name: ${repositoryNameOf(i)}
    projects: [${projectOf(i)}]
    credential: platform
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
    approvers: [ada, grace]
`,
  ).join('');
}

const daily = { variables: {}, timeout: 3_600_000 };

function laneOf(i: number, to: 'test' | 'prod'): PromotionLane {
  const project = projectOf(i);
  return {
    name: `to-${to}`,
    id: `${firstId + i}/${project}/to-${to}`,
    project,
    credential: 'platform',
    from: to === 'test' ? 'dev' : 'test',
    to,
    policy: 'latest',
    verify: [
      { ...daily, pipeline: 'daily/load' },
      { ...daily, pipeline: 'reports/weekly' },
    ],
    onFailure: 'rollback',
    gates: { approvals: to === 'prod' && i % 10 === 1 ? 1 : 0, soak: 0, freeze: [] },
    next: [],
  };
}

/** The id of the lane of a repository to an environment. */
export const laneIdOf = (i: number, to: 'test' | 'prod'): string => laneOf(i, to).id;

/** A clock that the test sets, so that records look as if they had grown over weeks. */
interface SetClock extends Clock {
  time: number;
}

interface Filling {
  readonly store: LaneStore;
  readonly live: LiveStore;
  readonly clock: SetClock;
  readonly now: number;
}

/**
 * Fills the records with two lanes in each of many repositories: three weeks of promotions, some of which failed, and now
 * every tenth in each state. With an odd number, the last repository has one lane. No worker has worked for it.
 */
export async function manyRepositories(
  redis: Redis,
  prefix: string,
  lanes: number,
  { versions = 6 }: { readonly versions?: number } = {},
): Promise<void> {
  const keys = keysUnder(prefix);
  await redis.setnx(keys.state, 'new');
  const now = systemClock.now();
  const open = (): Filling => {
    const clock: SetClock = { ...systemClock, time: now, now: () => clock.time };
    return {
      store: createLaneStore(redis, keys, clock),
      live: createLiveStore(redis, keys, clock),
      clock,
      now,
    };
  };
  for (let first = 0; first < lanes / 2; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, Math.ceil(lanes / 2) - first) }, (_, i) => first + i);
    await Promise.all(
      some.map(async (i) => fillRepository(i, { versions, hasProd: 2 * i + 1 < lanes }, open())),
    );
  }
  // GitHub shows all of them.
  await redis.del(keys.unsent);
}

interface Wanted {
  readonly versions: number;
  /** Whether it has a lane to prod, too. */
  readonly hasProd: boolean;
}

async function fillRepository(i: number, { versions, hasProd }: Wanted, filling: Filling): Promise<void> {
  const { clock, now } = filling;
  const [test, prod] = [laneOf(i, 'test'), laneOf(i, 'prod')];
  for (let n = 0; n < versions; n += 1) {
    const pushedAt = now - 21 * day + (n * 20 * day) / versions + ((i * 37) % 500) * minute;
    const hasFailed = (i + n) % 7 === 3 && n < versions - 1;
    clock.time = pushedAt;
    await deliver(test, version(i, n), { i, n, filling, hasFailed });
    if (hasFailed || !hasProd) continue;
    clock.time = pushedAt + 3 * 60 * minute;
    await deliver(prod, version(i, n), { i, n, filling });
  }
  if (hasProd) await happensNow(i, versions, { test, prod }, filling);
  else await keepLive(test, version(i, versions - 1), filling);
}

const version = (i: number, n: number): string => `v${(i % 4) + 1}.${n}.0`;

interface Delivery {
  readonly i: number;
  readonly n: number;
  readonly filling: Filling;
  readonly hasFailed?: boolean;
}

/** A whole promotion, that passes or fails. */
async function deliver(
  lane: PromotionLane,
  name: string,
  { i, n, filling, hasFailed = false }: Delivery,
): Promise<void> {
  const key = await accept(lane, name, i, n, filling);
  const options: DeliveryOptions = { store: filling.store, key, lane, version: name, seed: i * 7 + n };
  for (const command of commandsOf(options, hasFailed)) {
    filling.clock.time += command.after;
    await command.run();
  }
}

async function accept(
  lane: PromotionLane,
  name: string,
  i: number,
  n: number,
  { store, clock }: Filling,
): Promise<AdvanceKey> {
  const promotionId = `p-${i}-${lane.to}-${n}`;
  await store.accept({
    promotionId,
    order: 'any',
    head: { field: '', value: '' },
    task: {
      repository: { id: firstId + i, fullName: repositoryNameOf(i) },
      ref: `refs/tags/${name}`,
      commit: (i * 100 + n + 16).toString(16).padStart(8, '0').repeat(5),
      committedAt: clock.time - (60 + ((i * 13 + n * 7) % 200)) * minute,
      delivery: `d-${i}-${n}`,
      pusher: { login: ['ada', 'grace', 'linus'][i % 3] ?? 'ada', id: 1 + (i % 3) },
      version: { kind: 'named', name },
      lane,
    },
  });
  clock.time += 18_000;
  const begun = await store.beginAdvance({ id: promotionId });
  if ('status' in begun) throw new Error(`promotion ${promotionId} is ${begun.status}`);
  return begun.key;
}

/** What the lanes do now, and what the platform says is live. */
async function happensNow(
  i: number,
  versions: number,
  { test, prod }: { readonly test: PromotionLane; readonly prod: PromotionLane },
  filling: Filling,
): Promise<void> {
  const { store, clock, now } = filling;
  const [last, next] = [version(i, versions - 1), version(i, versions)];
  clock.time = now - ((i * 11) % 50) * minute - 4 * minute;
  const lane = i % 10 === 2 || i % 10 === 3 ? test : prod;
  if ([1, 2, 3, 4].includes(i % 10)) {
    const key = await accept(lane, next, i, versions, filling);
    const options: DeliveryOptions = { store, key, lane, version: next, seed: i };
    const all = commandsOf(options, true);
    const until = { 1: 1, 2: 5, 3: all.length, 4: all.length }[i % 10] ?? 0;
    for (const command of all.slice(0, until)) {
      clock.time = Math.min(clock.time + command.after, now);
      await command.run();
    }
    if (i % 10 === 1)
      await store.record(key, {
        kind: 'state',
        what: 'waits-for-approval',
        report: { state: 'pending', text: 'Waiting for 1 approval (ada, grace may approve)' },
      });
    if (until < all.length) await store.endAdvance(key);
  }
  if (i % 10 === 6)
    await store.hold(prod.id, {
      cause: 'manual',
      by: 'grace',
      via: 'dashboard',
      reason: 'stock-taking until Monday',
      since: now,
    });
  await keepLive(test, last, filling);
  await keepLive(prod, i % 10 === 5 ? version(i, versions - 2) : last, filling);
}

async function keepLive(
  { project, to }: PromotionLane,
  name: string,
  { live, clock, now }: Filling,
): Promise<void> {
  const target = { project, environment: to };
  clock.time = now;
  await live.register([target]);
  const number = await live.claim(target, 1_000);
  if (number === undefined) throw new Error(`the poll of ${to} was not claimed`);
  await live.keep(target, number, {
    version: name,
    commit: undefined,
    nextMs: 3_600_000,
    before: undefined,
    lanes: [],
  });
}
