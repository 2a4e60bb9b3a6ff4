import { setTimeout as delay } from 'node:timers/promises';
import { recordFormat } from '../../../../worker/records/record-format.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker } from '../../../environment/worker/worker-environment.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { promotionsIn, releaseAll } from '../../environment/promotions-in.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment, type TrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

const lanes = twoLanes.replaceAll('on-failure: rollback', 'on-failure: hold\n    policy: every');

const [older, newer] = [{ recordFormat }, { recordFormat: recordFormat + 1 }];

const rounds = 20;

export const rollingUpgrade: Trial = {
  id: 'T24',
  title:
    'A newer version raises the format of the records beside two older workers, under pushes and SIGKILL of both versions',
  criterion:
    'each version enters both lanes once and is promoted and verified once, or its outcome is unknown; the older workers change no record after that, still store webhooks, and do not start again',
  async run(context) {
    const { form, scale, log } = context;
    await using server = await startRedisServer();
    const counts = { rounds: 0, versions: 0, kills: 0, 'refused starts': 0, 'unknown outcomes': 0 };
    const total = form === 'short' ? 1 : Math.max(2, Math.round(rounds * scale));
    while (counts.rounds < total) {
      const round = await playRound(server, context);
      counts.rounds += 1;
      counts.versions += round.versions;
      counts.kills += round.kills;
      counts['refused starts'] += round.refused;
      counts['unknown outcomes'] += round.unknown;
      log(`${counts.rounds} upgrades, ${counts.versions} versions, ${counts.kills} kills`);
    }
    return { ...counts, 'done twice, lost, or changed by an older worker': 0 };
  },
};

async function playRound(server: RedisServer, { random, form }: TrialContext) {
  await using env = await createTrialEnvironment(server, { lanes, watched: false });
  const versions = Array.from({ length: form === 'short' ? 7 : 12 }, (_, i) => `v1.${i}.0`);
  const raiseAt = 2 + random.below(3);
  const old = [await env.start(older), await env.start(older)];
  const next: WorkerProcess[] = [];
  let [kills, refused] = [0, 0];
  for (const [i, version] of versions.entries()) {
    if (i === raiseAt) next.push(await env.start(newer));
    await push(env, [...old, ...next], version, random);
    await delay(random.below(250));
    if (i % 3 === 1) {
      await kill(i < raiseAt ? old : next, random.below(2));
      kills += 1;
      if (i < raiseAt) old.push(await env.start(older));
      else next.push(await env.start(newer));
    }
  }
  // A supervisor starts what was killed again.
  await kill(old, 0);
  kills += 1;
  const refusal = await env.start(older).then(() => '', String);
  mustHold(refusal.includes('have format'), 'an older worker started on newer records');
  refused += 1;
  await untilOver(env, next, versions.length);
  await standBy(env, { old, next }, 'v2.0.0');
  const unknown = await checkLanes(env, [...versions, 'v2.0.0']);
  return { versions: versions.length + 1, kills, refused, unknown };
}

const alive = (workers: readonly WorkerProcess[]): readonly WorkerProcess[] =>
  workers.filter((worker) => worker.alive);

async function kill(workers: readonly WorkerProcess[], place: number): Promise<void> {
  const running = alive(workers);
  const chosen = running[place % running.length];
  chosen?.signal('SIGKILL');
  await chosen?.exited;
}

/** The sender repeats what nobody answered. */
async function push(
  env: TrialEnvironment,
  workers: readonly WorkerProcess[],
  version: string,
  random: TrialContext['random'],
): Promise<void> {
  await release(env.services, version);
  const delivery = await env.services.push(`refs/tags/${version}`);
  await until(`${version} is taken`, async () => {
    const running = alive(workers);
    const status = await env.send(running[random.below(running.length)]?.url ?? '', delivery);
    return status === 202 || status === 200;
  });
}

/** Waits until nothing is left to do, with an operator who resumes lanes that are held after a kill. */
async function untilOver(
  env: TrialEnvironment,
  workers: readonly WorkerProcess[],
  count: number,
): Promise<void> {
  const [worker] = alive(workers);
  await untilReached('all promotions are over', async () => {
    await releaseAll(env, (path, body) => askWorker(worker?.url ?? '', path, body)).catch(() => 0);
    const [open, all] = await Promise.all([env.store.openIds(), promotionsIn(env)]);
    const first = all.filter(({ task }) => task.lane.name === 'to-test');
    return (open.length === 0 && first.length >= count) || `${first.length}, ${open.length} open`;
  });
}

/** While no newer worker runs, the older one stores a push and changes no record; the next newer one promotes it. */
async function standBy(
  env: TrialEnvironment,
  { old, next }: { readonly old: readonly WorkerProcess[]; readonly next: WorkerProcess[] },
  version: string,
): Promise<void> {
  for (const worker of alive(next)) {
    worker.signal('SIGTERM');
    await worker.exited;
  }
  await release(env.services, version);
  const before = await recordsOf(env);
  const status = await env.send(alive(old)[0]?.url ?? '', await env.services.push(`refs/tags/${version}`));
  mustHold(status === 202, `the older worker answered a push with ${status ?? 'nothing'}`);
  // Several of its rounds, in each of which it would have found the push.
  await delay(2_500);
  mustHold((await recordsOf(env)) === before, 'an older worker changed a record of a newer format');
  next.push(await env.start(newer));
  await untilOver(env, next, (await versionsIn(env, 'to-test')).length + 1);
}

/** All lanes and promotions with their histories, and the audit. */
async function recordsOf({ store, server, services: { prefix } }: TrialEnvironment): Promise<string> {
  const keys = keysUnder(prefix);
  const [laneIds, promotions] = await Promise.all([store.laneIds(), store.promotionIds(100_000)]);
  const all = [
    ...laneIds.flatMap((lane) => [
      keys.lane(lane),
      keys.queue(lane),
      keys.heads(lane),
      keys.history({ lane }),
    ]),
    ...promotions.flatMap((promotion) => [keys.promotion(promotion), keys.history({ promotion })]),
    keys.lanes,
    keys.promotions,
    keys.open,
    keys.audit,
    keys.format,
  ];
  const dumps = await Promise.all(all.map((key) => server.redis.dumpBuffer(key)));
  return all.length + dumps.map((dump) => Buffer.from(dump ?? []).toString('base64')).join(' ');
}

async function versionsIn(env: TrialEnvironment, lane: string): Promise<readonly string[]> {
  const promotions = (await promotionsIn(env)).filter(({ task }) => task.lane.name === lane);
  return promotions.toSorted((a, b) => a.seq - b.seq).map(({ version }) => version ?? '');
}

const sorted = (versions: readonly string[]): string =>
  versions.toSorted((a, b) => a.localeCompare(b)).join(' ');

async function checkLanes(env: TrialEnvironment, versions: readonly string[]): Promise<number> {
  const { promotions, executions } = effectsOf(env.services);
  for (const list of [promotions, executions])
    mustHold(repeated(list).length === 0, `twice: ${repeated(list).join(', ')}`);
  const all = await promotionsIn(env);
  const inTest = await versionsIn(env, 'to-test');
  mustHold(
    sorted(inTest) === sorted(versions),
    `to-test got ${inTest.join(' ')} instead of ${versions.join(' ')}`,
  );
  const passed = all.filter(({ task, outcome }) => task.lane.name === 'to-test' && outcome === 'passed');
  const inProd = await versionsIn(env, 'to-prod');
  mustHold(
    sorted(passed.map(({ version }) => version ?? '')) === sorted(inProd),
    `to-test passed ${passed.length} versions, to-prod got ${inProd.join(' ')}`,
  );
  const ends = all.filter(({ outcome }) => outcome !== 'passed');
  const others = ends.filter(({ outcome }) => outcome !== 'indeterminate');
  mustHold(
    others.length === 0,
    others.map(({ version, outcome }) => `${version ?? ''} ${outcome ?? ''}`).join(', '),
  );
  return ends.length;
}
