import { createHash } from 'node:crypto';
import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { release } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker } from '../../../environment/worker/worker-environment.ts';
import type { WireCall } from '../../../environment/worker/wire.ts';
import {
  createVariables,
  liveOf,
  nothing,
  platformChange,
  platformKinds,
  showsOf,
} from '../../../worker/promotion/plan/platform-changes.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { releaseAll } from '../../environment/promotions-in.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment, type TrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { type Counts, mustHold, type Trial, type TrialContext } from '../../trial.ts';

const lanes = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    on-failure: hold
`;

const token = 'token-of-ada';
const operators = `operators:
  - name: ada
    role: approver
    repositories: all
    token-hash: "sha256:${createHash('sha256').update(token).digest('hex')}"
`;
const policy = (approvals: number): string => `
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
    approvers: [ada, grace]
    gates: { test: { approvals: ${approvals} } }
`;

/** What happens between the approval and the effect, beside the kill. `stricter worker.yaml`: the next worker starts with it. */
const kinds = [...platformKinds, 'stricter worker.yaml', 'nothing'] as const;

type Kind = (typeof kinds)[number];

/** `held`: the promotion took effect, and the lane is held with the reason. */
type Result = 'no effect' | 'held' | 'passed';

interface Draw {
  readonly n: number;
  readonly kind: Kind;
  /** The change precedes the request to the platform with this number, counted from the approval. */
  readonly request: number;
  /** The worker is killed at the moment with this number: before or after a request or a command of Redis. */
  readonly moment: number;
}

/** About the numbers of requests and moments between the approval of a promotion and its end. */
const [maxRequests, maxMoments] = [14, 90];

/** The live version and its order are read often, and versions are never deleted: a new environment keeps the lists short. */
const trialsInOneEnvironment = 50;

export const plansUnderKills: Trial = {
  id: 'T29',
  title:
    'An approved plan changes before the effect (another version live, an override, a variable, a disabled version, a stricter worker.yaml), and SIGKILL at a random moment',
  criterion:
    'no promotion takes effect under another plan than the approved one if a read before the effect showed the change; every other one is found after the effect, and its lane is held; no promotion takes effect twice',
  async run(context) {
    const { form, random, scale } = context;
    await using server = await startRedisServer();
    const count = form === 'short' ? 14 : Math.ceil(1_000 * scale);
    const draws = Array.from({ length: count }, (_, n): Draw => {
      const kind = form === 'short' ? (kinds[n % kinds.length] ?? 'nothing') : random.pick(kinds);
      return { n, kind, request: 1 + random.below(maxRequests), moment: 1 + random.below(maxMoments) };
    });
    const chains = form === 'short' ? 2 : 4;
    const tried = await Promise.all(
      Array.from({ length: chains }, (_, chain) =>
        walk(
          server,
          draws.filter((__, i) => i % chains === chain),
          context,
        ),
      ),
    );
    const all = tried.flat();
    const countOf = (fits: (trial: Tried) => boolean): number => all.filter(fits).length;
    const counts: Counts = {
      trials: all.length,
      'changes that came before the end': countOf(({ isChanged }) => isChanged),
      kills: countOf(({ isKilled }) => isKilled),
      'no effect': countOf(({ result }) => result === 'no effect'),
      'took effect, and its lane is held': countOf(({ result }) => result === 'held'),
      'took effect as approved': countOf(({ result }) => result === 'passed'),
      'ended indeterminate, and its lane is held': countOf(({ isUnknown }) => isUnknown),
      'under another plan, and not held': 0,
    };
    mustHold(
      countOf(({ isKilled }) => isKilled) >= all.length * 0.4,
      `too few kills: ${JSON.stringify(counts)}`,
    );
    return counts;
  },
};

interface Tried {
  readonly result: Result;
  readonly isChanged: boolean;
  readonly isKilled: boolean;
  /** It ended `indeterminate`, with its lane held. */
  readonly isUnknown: boolean;
}

/** One trial after the other. */
async function walk(server: RedisServer, draws: readonly Draw[], { log }: TrialContext): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (let from = 0; from < draws.length; from += trialsInOneEnvironment) {
    await using env = await createTrialEnvironment(server, { lanes });
    await createVariables(env.services);
    const starts = new Starts(env);
    await starts.start();
    for (const draw of draws.slice(from, from + trialsInOneEnvironment)) {
      tried.push(await tryOne(starts, draw));
      log(`${tried.length} of ${draws.length} trials, the last: ${draw.kind}, ${tried.at(-1)?.result ?? ''}`);
    }
    const twice = repeated(effectsOf(env.services).promotions.filter((text) => /"v1\./u.test(text)));
    mustHold(twice.length === 0, `twice: ${twice.join(', ')}`);
  }
  return tried;
}

/** The worker that runs now, with the approvals that its worker.yaml asks for. */
class Starts {
  readonly env: TrialEnvironment;
  approvals = 1;
  /** Called when a worker was killed, before the next one starts. */
  beforeNext: (promotion: PromotionRecord | undefined) => void = () => undefined;
  #worker: WorkerProcess | undefined;

  constructor(env: TrialEnvironment) {
    this.env = env;
  }

  get worker(): WorkerProcess {
    if (this.#worker === undefined) throw new Error('no worker was started');
    return this.#worker;
  }

  async start(): Promise<void> {
    const options = { policy: policy(this.approvals), operators };
    this.#worker = await this.env.start({ liveTickMs: 3_600_000 }, undefined, options);
  }

  async kill(): Promise<void> {
    this.worker.signal('SIGKILL');
    await this.worker.exited;
  }
}

async function tryOne(starts: Starts, draw: Draw): Promise<Tried> {
  const { env } = starts;
  const { services } = env;
  const { n, kind } = draw;
  const [version, other] = [`v1.${n}.0`, `v0.${n}.1`];
  const where = `${kind} before request ${draw.request}, SIGKILL at moment ${draw.moment} (${version})`;
  const live = liveOf(await services.versions('test'));
  const commit = await release(services, version);
  await services.publish(other, commit);
  mustHold(
    (await env.send(starts.worker.url, await services.push(`refs/tags/${version}`))) === 202,
    `${where}: the push is taken`,
  );
  const find = async (): Promise<PromotionRecord | undefined> => {
    const [id = ''] = await env.store.promotionIds(1);
    const found = await env.store.promotion(id);
    return found?.task.commit === commit ? found : undefined;
  };
  await until(`${where}: it waits for approval`, async () => {
    const found = await find();
    return found?.plan !== undefined && found.step.name === 'promote' && found.step.waits !== undefined;
  });
  const waiting = await find();
  if (waiting === undefined) throw new Error(`${where}: no promotion`);

  const change =
    kind === 'nothing' || kind === 'stricter worker.yaml'
      ? { apply: nothing, undo: nothing }
      : platformChange(kind, { env: services, n, version, other, live });
  const seen = watchPlatform(starts, draw, change.apply);
  const isEnded = async (): Promise<true | string> => {
    if (!starts.worker.alive) {
      await starts.worker.exited;
      starts.beforeNext(await find());
      await starts.start();
    }
    const found = await find();
    if (found === undefined) return 'no record';
    // The approval itself reads the versions: it is refused if it finds the change.
    if (found.approvals.length === 0 && (await approve(starts.worker.url, waiting)) === 409) return true;
    const isVoid = found.plan?.digest !== waiting.plan?.digest;
    const wantsMore = starts.approvals > 1 && found.report.text !== waiting.report.text;
    const isAtGate =
      found.intent === undefined && found.step.name === 'promote' && found.step.waits !== undefined;
    const isOver = found.state === 'finished' || (isAtGate && (isVoid || wantsMore));
    return isOver || `${found.state}, ${found.step.name}, ${found.report.text}`;
  };
  await untilReached(`${where}: it ends, or waits for another approval`, isEnded);
  env.watch(undefined);
  const { expected, isChanged, isKilled } = seen();
  if (!starts.worker.alive) await starts.start();
  const ended = await end(starts, where, waiting.id);
  // With fewer approvals, a promotion that waits would continue.
  if (starts.approvals > 1) {
    starts.approvals = 1;
    await starts.kill();
    await starts.start();
  }
  const { holds = [] } = (await env.store.lane(ended.lane)) ?? {};
  const listed = await services.versions('test');
  const hasEffect = listed.some((name) => name.replace('!', '') === version);
  const result = resultOf(ended, { hasEffect, isHeld: holds.length > 0 });
  // A kill while the platform is asked to promote leaves nothing that tells whether it did: then the lane is held.
  const isUnknown = isKilled && ended.outcome === 'indeterminate' && holds.length > 0;
  if (result === 'wrong' || !(expected.includes(result) || (isUnknown && !hasEffect)))
    throw new Error(
      `${where}: expected ${expected.join(' or ')}, found ${result}: ${String(ended.outcome)}, ${ended.message ?? ended.report.text}`,
    );
  await change.undo();
  await releaseAll(env, (path, body) => askWorker(starts.worker.url, path, body));
  return { result, isChanged, isKilled, isUnknown };
}

/** Approves as ada. Gives the status; undefined if the worker is killed before it answers. */
async function approve(
  url: string,
  { id, task, version, plan }: PromotionRecord,
): Promise<number | undefined> {
  try {
    const answer = await fetch(`${url}/api/promotions/${id}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ commit: task.commit, version, plan: plan?.digest }),
    });
    return answer.status;
  } catch {
    return undefined;
  }
}

/** Cancels a promotion that still waits. */
async function end({ env, worker }: Starts, where: string, id: string): Promise<PromotionRecord> {
  const read = async (): Promise<PromotionRecord> => {
    const found = await env.store.promotion(id);
    if (found === undefined) throw new Error(`${where}: the promotion is gone`);
    return found;
  };
  if ((await read()).state !== 'finished') await askWorker(worker.url, `promotions/${id}/cancel`, {});
  await untilReached(`${where}: it is over`, async () => {
    const { state } = await read();
    return state === 'finished' || state;
  });
  return read();
}

function resultOf(
  { outcome }: PromotionRecord,
  { hasEffect, isHeld }: { readonly hasEffect: boolean; readonly isHeld: boolean },
): Result | 'wrong' {
  if (!hasEffect) return 'no effect';
  if (outcome === 'passed') return 'passed';
  return isHeld ? 'held' : 'wrong';
}

interface Seen {
  /** What may follow, by the reads that showed the change. */
  readonly expected: readonly Result[];
  readonly isChanged: boolean;
  readonly isKilled: boolean;
}

/** Watches the lines from the approval on: makes the change and kills the worker at the moments that were drawn. */
function watchPlatform(
  starts: Starts,
  { kind, request, moment }: Draw,
  apply: () => Promise<unknown>,
): () => Seen {
  const { env } = starts;
  const isPost = ({ method }: WireCall): boolean => method === 'POST';
  // Requests of the worker that runs now, and the one that took effect.
  let started: WireCall[] = [];
  let ended: WireCall[] = [];
  let requests = 0;
  let moments = 0;
  let isKilled = false;
  let isChanged = false;
  let expected: readonly Result[] = ['passed'];

  const expectedOfChange = (): readonly Result[] => {
    if (kind === 'nothing' || kind === 'stricter worker.yaml') return expected;
    const shows = showsOf[kind];
    const post = started.findIndex(isPost);
    if (post < 0) {
      // The platform promotes no version that is disabled in the source.
      if (!started.some(shows) || kind === 'wanted version disabled') return ['no effect'];
      return ['no effect', 'held'];
    }
    const later = started.slice(post + 1);
    return later.some(shows) ? ['held', 'passed'] : ['held'];
  };

  env.watch(async ({ line, phase, text }) => {
    moments += 1;
    const kills = moments === moment && !isKilled;
    const call = line === 'platform' ? callOf(text) : undefined;
    if (call !== undefined && phase === 'before') {
      requests += 1;
      if (requests === request) {
        const before = expectedOfChange();
        isChanged = kind !== 'nothing' && kind !== 'stricter worker.yaml';
        await apply();
        // Other requests may have been sent while the change was made.
        expected = [...new Set([...before, ...expectedOfChange()])];
      }
      if (!kills) started.push(call);
    }
    if (call !== undefined && phase === 'after') ended.push(call);
    if (!kills) return 'pass';
    isKilled = true;
    starts.worker.signal('SIGKILL');
    return 'cut';
  });
  // What the dead worker sent until its end still arrives. The next worker reads again.
  starts.beforeNext = (promotion) => {
    [started, ended] = [started.filter(isPost), ended.filter(isPost)];
    if (kind === 'stricter worker.yaml') {
      starts.approvals = 2;
      isChanged = true;
      // A worker records its intent before it asks the platform.
      const mayHavePosted = promotion?.intent !== undefined || started.length > 0;
      if (!mayHavePosted) expected = ['no effect'];
    }
    // The next worker may read the change after the effect, or find that nobody got the answer.
    if (expected.includes('passed')) expected = ['passed', 'held'];
  };
  return () => ({ expected, isChanged, isKilled });
}

function callOf(text: string): WireCall {
  const [method = '', path = ''] = text.split(' ', 2);
  return { method, path, body: text.slice(method.length + path.length + 2) };
}
