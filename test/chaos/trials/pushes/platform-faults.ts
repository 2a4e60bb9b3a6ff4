import type { FaultRule } from '../../../../platform/faults/fault-schema.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker } from '../../../environment/worker/worker-environment.ts';
import { effectsOf } from '../../environment/effects.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { releaseAll, promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

interface Case {
  readonly name: string;
  readonly rule: FaultRule;
  /** How the promotion may end. */
  readonly outcomes: readonly string[];
  /** How often the fault must strike for the case to count. */
  readonly strikes?: number;
  readonly longOnly?: boolean;
}

const promote = { operation: 'artifacts.promote', times: 1 } as const;
const start = { operation: 'executions.start', times: 1 } as const;
const check = { operation: 'executions.get', times: 2 } as const;
const list = { operation: 'artifacts.list', times: 1 } as const;
const error = (status: number) => ({ status, body: { error: 'trouble', status } });

/** Each fault with the ends that are documented for it (docs/worker.md, "When the platform fails"). */
const cases: readonly Case[] = [
  {
    name: 'promote: 500, not done',
    rule: { ...promote, ...error(500) },
    outcomes: ['indeterminate'],
  },
  {
    name: 'promote: 502 after it was done',
    rule: { ...promote, ...error(502), processed: true },
    outcomes: ['passed'],
  },
  { name: 'promote: the answer is lost', rule: { ...promote, wire: 'reset-after' }, outcomes: ['passed'] },
  {
    name: 'promote: the connection ends before the request is read',
    rule: { ...promote, wire: 'refuse' },
    outcomes: ['passed', 'indeterminate'],
  },
  {
    name: 'promote: 429 with Retry-After',
    rule: { ...promote, ...error(429), headers: { 'Retry-After': '1' } },
    outcomes: ['passed'],
  },
  { name: 'promote: 429 without', rule: { ...promote, ...error(429) }, outcomes: ['passed'] },
  { name: 'promote: 401', rule: { ...promote, ...error(401) }, outcomes: ['error'] },
  { name: 'promote: 409', rule: { ...promote, ...error(409) }, outcomes: ['failed'] },
  {
    name: 'promote: no JSON',
    rule: { ...promote, status: 200, body: 'hello', processed: true },
    outcomes: ['passed'],
  },
  { name: 'start: 500, not done', rule: { ...start, ...error(500) }, outcomes: ['indeterminate'] },
  {
    name: 'start: 502 after it was done',
    rule: { ...start, ...error(502), processed: true },
    outcomes: ['indeterminate'],
  },
  { name: 'start: the answer is lost', rule: { ...start, wire: 'reset-after' }, outcomes: ['indeterminate'] },
  {
    name: 'start: the answer is cut in two',
    rule: { ...start, wire: 'truncated' },
    outcomes: ['indeterminate'],
  },
  {
    name: 'start: no JSON',
    rule: { ...start, status: 201, body: 'hello', processed: true },
    outcomes: ['indeterminate'],
  },
  {
    name: 'start: 429 with Retry-After',
    rule: { ...start, ...error(429), headers: { 'Retry-After': '1' } },
    outcomes: ['passed'],
  },
  { name: 'start: 401', rule: { ...start, ...error(401) }, outcomes: ['error'] },
  { name: 'start: 409', rule: { ...start, ...error(409) }, outcomes: ['passed'] },
  { name: 'start: 400', rule: { ...start, ...error(400) }, outcomes: ['failed'] },
  { name: 'poll: 500', rule: { ...check, ...error(500) }, outcomes: ['passed'] },
  { name: 'poll: 401 during an execution', rule: { ...check, ...error(401) }, outcomes: ['passed'] },
  {
    name: 'poll: 429 with Retry-After',
    rule: { ...check, ...error(429), headers: { 'Retry-After': '1' } },
    outcomes: ['passed'],
  },
  { name: 'poll: no JSON', rule: { ...check, status: 200, body: 'hello' }, outcomes: ['passed'] },
  { name: 'poll: connection lost', rule: { ...check, wire: 'reset-before' }, outcomes: ['passed'] },
  {
    name: 'poll: an unknown status',
    rule: { ...check, status: 200, body: { result: { pipelineExecutionId: 'x', status: 'PONDERING' } } },
    outcomes: ['passed'],
  },
  { name: 'list: 503', rule: { ...list, ...error(503) }, outcomes: ['passed'] },
  { name: 'list: connection lost', rule: { ...list, wire: 'reset-after' }, outcomes: ['passed'] },
  {
    name: 'promote: an answer after 60 s',
    rule: { ...promote, latency: '60s' },
    outcomes: ['passed', 'indeterminate'],
    longOnly: true,
  },
  {
    name: 'start: an answer after 60 s',
    rule: { ...start, latency: '60s' },
    outcomes: ['indeterminate'],
    longOnly: true,
  },
];

export const platformFaults: Trial = {
  id: 'T9',
  title: 'Faults of the platform on every call of a promotion',
  criterion:
    'each promotion ends as documented; no promotion or start takes effect twice; after an unknown status the worker polls again',
  async run({ form, log, random }) {
    const chosen =
      form === 'long'
        ? cases
        : random.sample(
            cases.filter(({ longOnly }) => longOnly !== true),
            12,
          );
    await using server = await startRedisServer();
    const waiting = [...chosen];
    const counts: Record<string, number> = {};
    const work = async (): Promise<void> => {
      await using env = await createTrialEnvironment(server, { lanes: toTest });
      const worker = await env.start();
      let i = 0;
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        i += 1;
        const outcome = await strike(env, worker.url, one, `v1.${i}.0`);
        counts[outcome] = (counts[outcome] ?? 0) + 1;
        log(`${one.name}: ${outcome}`);
      }
    };
    await Promise.all([work(), work(), work()]);
    return { faults: chosen.length, ...counts };
  },
};

async function strike(
  env: TrialEnvironment,
  url: string,
  { name, rule, outcomes }: Case,
  version: string,
): Promise<string> {
  const { services } = env;
  await release(services, version);
  services.platform.faults.set([rule]);
  await env.send(url, await services.push(`refs/tags/${version}`));
  const promotion = async () => (await promotionsIn(env)).find((one) => one.version === version);
  await until(`${name}: it ends`, async () => (await promotion())?.state === 'finished', 100_000);
  const struck = services.platform.faults.list().rules[0]?.struck ?? 0;
  services.platform.faults.clear();
  await untilQuiet(env);
  const { outcome = 'none', message = '', lane } = (await promotion()) ?? {};
  mustHold(struck > 0, `${name}: the fault never struck`);
  mustHold(
    outcomes.includes(outcome),
    `${name}: ended ${outcome} (${message}), not ${outcomes.join(' or ')}`,
  );
  const { promotions, executions } = effectsOf(services);
  for (const effects of [promotions, executions]) {
    const count = effects.filter((text) => text.includes(`"${version}"`)).length;
    mustHold(count <= 1, `${name}: carried out ${count} times`);
  }
  const holds = lane === undefined ? undefined : (await env.store.lane(lane))?.holds;
  if (outcome === 'indeterminate' || outcome === 'error')
    mustHold(holds !== undefined && holds.length > 0, `${name}: ${outcome}, and the lane is not held`);
  await releaseAll(env, (path, body) => askWorker(url, path, body));
  return outcome;
}
