import { expect, test } from 'vitest';
import { githubLimits } from '../../../../../worker/rate-limit/write-budget.ts';
import type { AdvanceKey } from '../../../../../worker/store/advances/advances.ts';
import { mutationsIn } from '../../../../../local-github/graphql/answer-mutation.ts';
import type { Fault } from '../../../../environment/github/start-github.ts';
import { testRedis } from '../../../../environment/redis.ts';
import { createReporterEnvironment, type ReporterEnvironmentOptions } from '../reporter-environment.ts';

const redis = testRedis();
const count = 6;
const ids = Array.from({ length: count }, (_, i) => `promotion-${i + 1}`);

type Environment = Awaited<ReturnType<typeof createReporterEnvironment>>;

/**
 * Promotions of independent lanes, each with a check run and a deployment, and a state that GitHub does not show yet. After a
 * request, all wait for five seconds.
 */
async function independent(options: ReporterEnvironmentOptions = {}, fault?: Fault) {
  const keys = new Map<string, AdvanceKey>();
  const limits = { ...githubLimits, gapMs: 5_000 };
  const env = await createReporterEnvironment(redis, { limits, isFrozen: true, ...options });
  env.github.interfere(fault);
  for (const id of ids) {
    const to = `env-${id}`;
    await env.accept(id, { version: id, lane: { id: `77/p/${to}`, name: `to-${to}`, to } });
    const key = await env.beginAdvance(id);
    await env.say(key, 'Resolving', 'resolve');
    keys.set(id, key);
  }
  await run(env);
  env.time.skipped += 60_000;
  for (const [id, key] of keys) await env.say(key, `Promoting ${id}`);
  const begun = env.github.requests.length;
  return {
    ...env,
    /** The mutations of each request that has some, from then on. */
    batches: () => batchesIn(env.github.requests.slice(begun)),
    async end(): Promise<void> {
      for (const key of keys.values()) await env.finish(key, 'passed', 'It is live');
    },
  };
}

/** What each sender is answered that asks now. */
async function ask(env: Environment, some = ids): Promise<readonly (number | undefined)[]> {
  const waits = [];
  for (const id of some) waits.push(await env.report(id));
  return waits;
}

/** Runs reports as their queue does, each when it is due. */
async function run(env: Environment, reporter = env.report): Promise<void> {
  const due = new Map(ids.map((id) => [id, env.now()]));
  for (let i = 0; i < 1_000 && due.size > 0; i += 1) {
    const [next = '', at = 0] = [...due].toSorted((a, b) => a[1] - b[1])[0] ?? [];
    env.time.skipped += Math.max(0, at - env.now());
    const wait = await reporter(next);
    if (wait === undefined) due.delete(next);
    else due.set(next, env.now() + wait);
  }
  expect([...due.keys()]).toEqual([]);
}

const batchesIn = (requests: Environment['github']['requests']): readonly (readonly string[])[] =>
  requests.map(mutationsIn).filter((names) => names.length > 0);
const shown = (env: Environment): readonly string[] =>
  env.repository.checkRuns.map(({ external_id: id, output }) => `${id}: ${output.title}`).toSorted();
const wanted = (text: (id: string) => string): readonly string[] => ids.map((id) => `${id}: ${text(id)}`);
const live = wanted(() => 'It is live');
const active = ids.map((id) => `${id} success`);
const isBatch = (request: Parameters<Fault>[0]): boolean => mutationsIn(request).length > 1;
const update = ['updateCheckRun', 'createDeploymentStatus'];

test('updates that wait go with the next request of any promotion, and their own jobs find nothing to do', async () => {
  const env = await independent();
  const [first, ...waits] = await ask(env);
  expect(first).toBeUndefined();
  expect(waits).toEqual(waits.map(() => 5_000));
  env.time.skipped += 5_000;
  expect(await env.report('promotion-6')).toBeUndefined();
  expect(env.batches().map((names) => names.toSorted())).toEqual([
    update.toSorted(),
    waits.flatMap(() => update).toSorted(),
  ]);
  expect(shown(env)).toEqual(wanted((id) => `Promoting ${id}`));
  const sent = env.github.requests.length;
  expect(await ask(env)).toEqual(ids.map(() => undefined));
  expect(env.github.requests).toHaveLength(sent);
});

test('all ends of independent promotions are shown, with few requests', async () => {
  const env = await independent();
  await env.end();
  await run(env);
  expect(shown(env)).toEqual(live);
  expect(env.shownDeployments()).toEqual(active);
  expect(env.batches().length).toBeLessThanOrEqual(2);
});

test('a lost answer to several writes: GitHub is read before anything is sent again, and nothing is written twice', async () => {
  const env = await independent();
  let losses = 2;
  env.github.interfere((request) => (isBatch(request) && losses-- > 0 ? 'lose' : undefined));
  await env.end();
  await run(env);
  expect(losses).toBeLessThanOrEqual(0);
  expect(shown(env)).toEqual(live);
  const ends = env.repository.deployments.map(
    ({ statuses }) => statuses.filter(({ state }) => state === 'success').length,
  );
  expect(ends).toEqual(ids.map(() => 1));
});

test.each([
  [
    'does not know the mutations',
    { status: 200, body: { errors: [{ message: 'x', extensions: { code: 'undefinedField' } }] } },
  ],
  ['has no such API', { status: 404, body: { message: 'Not Found' } }],
])('a server that %s gets each update by itself, and is asked once an hour', async (_, answer) => {
  const env = await independent({}, (request) => (mutationsIn(request).length > 0 ? answer : undefined));
  await env.end();
  await run(env);
  expect(shown(env)).toEqual(live);
  expect(env.shownDeployments()).toEqual(active);
  expect(batchesIn(env.github.requests)).toHaveLength(1);
  expect(env.warnings).toHaveLength(1);
});

test('an update that GitHub refuses in a request with others is sent by itself, and the others are not affected', async () => {
  const env = await independent();
  // The check run has another global id by now.
  env.github.interfere((request) => {
    const { variables } = (request.body ?? {}) as { variables?: Record<string, { checkRunId?: string }> };
    for (const input of isBatch(request) ? Object.values(variables ?? {}) : [])
      if (JSON.stringify(input).includes('Promoting promotion-4') && input.checkRunId !== undefined)
        input.checkRunId = 'CR_0';
    return undefined;
  });
  await run(env);
  expect(shown(env)).toEqual(wanted((id) => `Promoting ${id}`));
  expect(env.writes(/^PATCH \/repos\//u)).toBe(1);
  expect(env.warnings).toEqual([]);
});

test('check runs that GitHub refused in a request with others are never sent with others again', async () => {
  const env = await independent();
  const refused = ['promotion-3', 'promotion-4'];
  const nodes = new Set(
    env.repository.checkRuns.flatMap(({ id, external_id: of }) =>
      refused.includes(of ?? '') ? [`CR_${id}`] : [],
    ),
  );
  const sentTogether: string[] = [];
  env.github.interfere((request) => {
    const { variables } = (request.body ?? {}) as { variables?: Record<string, { checkRunId?: string }> };
    for (const input of isBatch(request) ? Object.values(variables ?? {}) : []) {
      if (input.checkRunId === undefined || !nodes.has(input.checkRunId)) continue;
      sentTogether.push(input.checkRunId);
      input.checkRunId = 'CR_0';
    }
    return undefined;
  });
  await run(env);
  expect(shown(env)).toEqual(wanted((id) => `Promoting ${id}`));
  // Both wait at the same time again, with four that may go together.
  env.time.skipped += 60_000;
  await env.end();
  await run(env);
  expect(shown(env)).toEqual(live);
  expect(sentTogether.toSorted()).toEqual([...nodes].toSorted());
  expect(env.writes(/^PATCH \/repos\//u)).toBe(2 * refused.length);
});

test.each([
  [
    'the whole request',
    { status: 403, headers: { 'retry-after': '60' }, body: { message: 'a secondary rate limit' } },
  ],
  [
    'its writes',
    {
      status: 200,
      body: {
        data: { w0: null },
        errors: Array.from({ length: 10 }, (_, index) => ({
          type: 'UNPROCESSABLE',
          path: [`w${index}`],
          message: 'was submitted too quickly',
        })),
      },
    },
  ],
])(
  'a limit that GitHub states for %s pauses the account; the next requests have half as many writes',
  async (_, answer) => {
    const env = await independent();
    await ask(env);
    env.time.skipped += 5_000;
    env.github.interfere((request) => (isBatch(request) ? answer : undefined));
    expect(await env.report('promotion-6')).toBeGreaterThanOrEqual(60_000);
    const asked = env.github.requests.length;
    for (const wait of await ask(env, ids.slice(1))) expect(wait).toBeGreaterThan(50_000);
    expect(env.github.requests).toHaveLength(asked);
    env.github.interfere(undefined);
    env.time.skipped += 60_000;
    await run(env);
    expect(shown(env)).toEqual(wanted((id) => `Promoting ${id}`));
    const [, refused = [], ...later] = env.batches();
    expect(refused).toHaveLength(10);
    expect(Math.max(...later.map((names) => names.length))).toBe(5);
  },
);

test('with a token the states of deployments go together too', async () => {
  const permissions = { statuses: 'write', deployments: 'write' } as const;
  const env = await independent({ as: 'token', permissions });
  await env.end();
  await run(env);
  expect(env.shownDeployments()).toEqual(active);
  const ends = env.repository.statuses.filter(({ state }) => state === 'success');
  expect(ends).toHaveLength(count);
  expect(new Set(env.batches().flat())).toEqual(new Set(['createDeploymentStatus']));
});
