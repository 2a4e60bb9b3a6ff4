import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Delivery } from '../../worker/surroundings.ts';
import { startRedisServer } from '../stage/redis-server.ts';
import { runsIn, untilQuiet } from '../stage/runs-of.ts';
import { type Scene, setScene } from '../stage/scene.ts';
import { until } from '../stage/until.ts';
import { mustHold, type Trial, type TrialContext } from '../trial.ts';

const git = promisify(execFile);

const lanes = `
  - name: to-test
    on: { push: { branches: [main] } }
    from: dev
    to: test
    version: commit
    on-failure: hold
`;

/** A push moves the branch, and gives what GitHub would tell of it. */
type Move = (scene: Scene, name: string, past: readonly string[]) => Promise<void>;

const moveTo = async ({ around }: Scene, commit: string): Promise<void> => {
  await git('git', ['--git-dir', around.repository.path, 'update-ref', 'refs/heads/main', commit]);
};
const commitOn: Move = async (scene, name) => {
  const commit = await scene.around.repository.commit('main', { 'notes.txt': name });
  await scene.around.publish(name, commit);
};
const moves: readonly Move[] = [
  commitOn,
  commitOn,
  // Another line, from where the branch was three pushes ago.
  async (scene, name, past) => {
    await moveTo(scene, past.at(-3) ?? past[0] ?? '');
    await commitOn(scene, name, past);
  },
  // Back to an older commit, which has its artifact.
  async (scene, _, past) => moveTo(scene, past.at(-2) ?? past[0] ?? ''),
  // Gone and made anew, from an older commit.
  async (scene, name, past) => {
    await git('git', ['--git-dir', scene.around.repository.path, 'update-ref', '-d', 'refs/heads/main']);
    await moveTo(scene, past.at(-2) ?? past[0] ?? '');
    await commitOn(scene, name, past);
  },
];

export const ordersOfPushes: Trial = {
  id: 'T7',
  title:
    'Five pushes in any order, told in any other: commits, a force-push, a reset, a branch deleted and made anew, one delivery lost',
  criterion: 'the version of the head is live in the end, whatever came when',
  async run(context) {
    const rounds = context.form === 'short' ? 2 : Math.max(4, Math.round(30 * context.scale));
    await using server = await startRedisServer();
    await using scene = await setScene(server, { lanes });
    const worker = await scene.start({ sweepMs: 1_000, sweepTickMs: 200 });
    const past = [await scene.around.repository.commit('main', { 'notes.txt': 'begin' })];
    await scene.around.publish('begin', past[0] ?? '');
    const versions = new Map([[past[0] ?? '', 'begin']]);
    let lost = 0;
    for (let round = 1; round <= rounds; round += 1) {
      lost += await oneRound(scene, worker.url, round, { past, versions }, context);
    }
    await untilQuiet(scene);
    return { rounds, pushes: 5 * rounds, 'deliveries lost': lost, runs: (await runsIn(scene)).length };
  },
};

interface Memory {
  readonly past: string[];
  readonly versions: Map<string, string>;
}

async function oneRound(
  scene: Scene,
  url: string,
  round: number,
  { past, versions }: Memory,
  { random, say }: TrialContext,
): Promise<number> {
  const untold: Delivery[] = [];
  let lost = 0;
  const tellOne = async (): Promise<void> => {
    const [delivery] = untold.splice(random.below(untold.length), 1);
    if (delivery !== undefined) await scene.send(url, delivery);
  };
  const order = moves.map((move) => ({ move, at: random.next() })).toSorted((a, b) => a.at - b.at);
  for (const [i, { move }] of order.entries()) {
    const name = `r${round}-${i}`;
    const before = past.at(-1) ?? '';
    await move(scene, name, past);
    const head = await headOf(scene);
    past.push(head);
    if (!versions.has(head)) versions.set(head, name);
    untold.push(await scene.around.push('refs/heads/main', before));
    // Never the last one: that GitHub told nobody is found by the sweep, which has a trial of its own.
    if (i < 3 && random.next() < 0.15) lost += untold.splice(-1).length;
    if (random.next() < 0.4) await tellOne();
  }
  while (untold.length > 0) await tellOne();
  const wanted = versions.get(await headOf(scene));
  await until(`round ${round}: ${wanted ?? ''} is live`, async () => {
    const [id = ''] = await scene.store.laneIds();
    const lane = await scene.store.lane(id);
    return lane?.live?.version === wanted && lane?.active === undefined;
  }).catch(async (error: unknown) => {
    const told = order.map(({ move }) => moves.indexOf(move)).join(' ');
    const [id = ''] = await scene.store.laneIds();
    throw new Error(`${String(error)}; moves ${told}; ${JSON.stringify(await scene.store.lane(id))}`, {
      cause: error,
    });
  });
  const there = await scene.around.versions('test');
  mustHold(there.includes(wanted ?? ''), `round ${round}: ${wanted ?? ''} is not in test`);
  say(`round ${round}: ${wanted ?? ''} is live`);
  return lost;
}

async function headOf({ around }: Scene): Promise<string> {
  const { stdout } = await git('git', ['--git-dir', around.repository.path, 'rev-parse', 'refs/heads/main']);
  return stdout.trim();
}
