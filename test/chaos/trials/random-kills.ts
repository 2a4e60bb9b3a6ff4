import { setTimeout as delay } from 'node:timers/promises';
import { askWorker, type Delivery } from '../../worker/surroundings.ts';
import { type Crew, gatherCrew } from '../stage/crew.ts';
import { effectsOf } from '../stage/effects.ts';
import { queueStates } from '../stage/queue-states.ts';
import { startRedisServer } from '../stage/redis-server.ts';
import { releaseAll, runsIn } from '../stage/runs-of.ts';
import { type Scene, setScene } from '../stage/scene.ts';
import { until } from '../stage/until.ts';
import { type Counts, mustHold, type Trial, type TrialContext } from '../trial.ts';

/** Three families of tags, each with lanes of another policy. */
const laneSettings = ['latest', 'every', 'cancel']
  .map(
    (policy) => `
  - name: ${policy}-test
    on: { push: { tags: ["v${policy}-*"] } }
    from: dev
    to: test
    policy: ${policy}
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: hold
  - name: ${policy}-prod
    after: ${policy}-test
    from: test
    to: prod
    policy: ${policy}
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: hold
`,
  )
  .join('');
const families = ['latest', 'every', 'cancel'] as const;

interface Story {
  readonly newest: Map<string, string>;
  /** Answered 2xx by nobody yet. */
  readonly undelivered: Set<Delivery>;
  readonly offers: Set<Promise<void>>;
  pushes: number;
  readonly retried: Map<string, number>;
}

export const randomKills: Trial = {
  id: 'T2',
  title: 'Three workers on one Redis under random pushes, SIGKILL, SIGSTOP and SIGCONT',
  criterion:
    'no push is lost, every lane ends on its newest head, the ledger shows each promotion and execution once, GitHub each end once',
  async run(context) {
    const acts = context.form === 'short' ? 36 : Math.round(1_000 * context.scale);
    await using server = await startRedisServer();
    await using scene = await setScene(server, {
      lanes: laneSettings,
      seed: { settings: { componentTime: 60 } },
    });
    await using crew = await gatherCrew(scene, 3);
    const story: Story = {
      newest: new Map(),
      undelivered: new Set(),
      offers: new Set(),
      pushes: 0,
      retried: new Map(),
    };
    for (let count = 1; count <= acts; count += 1) {
      await act(scene, crew, story, context);
      if (count % 50 === 0)
        context.say(`${count} of ${acts}: ${story.pushes} pushes, ${crew.counts.kills} kills`);
      await delay(context.random.below(200));
    }
    await crew.settle();
    await bringToRest(scene, crew, story);
    return { acts, ...(await judge(scene, story)), ...crew.counts };
  },
};

async function act(scene: Scene, crew: Crew, story: Story, { random }: TrialContext): Promise<void> {
  const what = random.next();
  if (what < 0.15) {
    void crew.replace(random.below(3));
    return;
  }
  if (what < 0.3) {
    // Up to twice the life of a lock.
    crew.freeze(random.below(3), random.below(3_000));
    return;
  }
  const family = random.pick(families);
  story.pushes += 1;
  const version = `v${family}-${story.pushes}`;
  const commit = await scene.around.repository.commit('main', { 'notes.txt': version });
  await scene.around.repository.tag(version, commit);
  await scene.around.publish(version, commit);
  story.newest.set(family, version);
  const delivery = await scene.around.push(`refs/tags/${version}`);
  story.undelivered.add(delivery);
  const offered = offer(scene, crew, story, delivery, random.below(3));
  story.offers.add(offered);
  void offered.finally(() => story.offers.delete(offered));
}

/** What is not answered 2xx is a failed delivery in the sender's list, and comes again. */
async function offer(scene: Scene, crew: Crew, story: Story, delivery: Delivery, to: number): Promise<void> {
  const worker = crew.workers[to];
  const status = worker === undefined ? undefined : await scene.send(worker.url, delivery);
  if (status !== undefined && status < 300) story.undelivered.delete(delivery);
}

/** The faults are over: what failed is delivered again, and a person looks after what could not be known. */
async function bringToRest(scene: Scene, crew: Crew, story: Story): Promise<void> {
  const url = (): string => crew.workers.find(({ alive }) => alive)?.url ?? '';
  const ask = (path: string, body: unknown = {}) => askWorker<{ run?: string }>(url(), path, body);
  await Promise.all(story.offers);
  await until('what failed is taken when it is delivered again', async () => {
    for (const delivery of story.undelivered) await offer(scene, crew, story, delivery, 0);
    return story.undelivered.size === 0;
  });
  await until(
    'every lane is at rest on its newest head',
    async () => {
      await releaseAll(scene, ask);
      if ((await scene.store.openIds()).length > 0) return false;
      const runs = await runsIn(scene);
      for (const [family, version] of story.newest) {
        for (const lane of [`${family}-test`, `${family}-prod`]) {
          const last = runs.findLast((run) => run.plan.lane.name === lane && run.version === version);
          if (last?.outcome === 'passed') continue;
          if (last?.outcome !== 'indeterminate') return false;
          const key = `${version} ${last.plan.lane.to}`;
          if ((await ask(`runs/${last.id}/retry`)).status === 202)
            story.retried.set(key, (story.retried.get(key) ?? 0) + 1);
          return false;
        }
      }
      return true;
    },
    240_000,
    500,
  ).catch(async (error: unknown) => {
    throw new Error(`${String(error)}\n${await picture(scene)}`, { cause: error });
  });
}

/** Where everything stands, for whoever must find out why. */
async function picture(scene: Scene): Promise<string> {
  const runs = await runsIn(scene);
  const lanes = await Promise.all((await scene.store.laneIds()).map((id) => scene.store.lane(id)));
  return [
    `ingest: ${await queueStates(scene.server, scene.around.prefix)}`,
    `open: ${(await scene.store.openIds()).join(' ')}`,
    ...lanes.map((lane) => JSON.stringify(lane)),
    ...runs
      .slice(-30)
      .map(({ id, plan, seq, version, state, outcome, message, step, report }) =>
        [id, plan.lane.name, seq, version, state, outcome, message, step.name, JSON.stringify(report)].join(
          ' ',
        ),
      ),
  ].join('\n');
}

async function judge(scene: Scene, { newest, pushes, retried }: Story): Promise<Counts> {
  const runs = await runsIn(scene);
  const { promotions, executions, ends } = effectsOf(scene.around);
  const allowed = (version: string, environment: string): number =>
    1 + (retried.get(`${version} ${environment}`) ?? 0);
  const wanted = [...newest].flatMap(([family, version]) =>
    ['test', 'prod'].map((environment) => ({ lane: `${family}-${environment}`, version })),
  );
  for (const id of await scene.store.laneIds()) {
    const lane = await scene.store.lane(id);
    const version = wanted.find((one) => one.lane === lane?.name)?.version;
    mustHold(
      lane?.live?.version === version,
      `${id} ends on ${lane?.live?.version ?? 'nothing'}, not ${version ?? ''}`,
    );
  }
  for (const [kind, list] of [
    ['promoted', promotions],
    ['run', executions],
  ] as const)
    for (const [text, count] of tally(list)) {
      const [, version = '', environment = ''] = / "([a-z]+-\d+)".* (?:to|in) "([a-z]+)"$/.exec(text) ?? [];
      const most = kind === 'run' ? allowed(version, environment) : 1;
      mustHold(count <= most, `${count} times: ${text}`);
    }
  const retriedRuns = [...retried.values()].reduce((sum, count) => sum + count, 0);
  const ended = tally(runs.map(({ plan }) => `${plan.commit} millrace/${plan.lane.name}`));
  const told = tally(ends);
  for (const [key, count] of ended)
    mustHold((told.get(key) ?? 0) === count, `GitHub heard ${told.get(key) ?? 0} ends of ${count}: ${key}`);
  const commits = new Set(runs.map(({ plan }) => plan.commit));
  mustHold(commits.size === pushes, `${pushes} pushes, but runs for ${commits.size}`);
  const outcomes = tally(runs.map(({ outcome }) => outcome ?? 'none'));
  return {
    pushes,
    runs: runs.length,
    promotions: promotions.length,
    executions: executions.length,
    ends: ends.length,
    'retried by a person': retriedRuns,
    ...Object.fromEntries(outcomes),
  };
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
