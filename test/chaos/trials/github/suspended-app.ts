import { writtenPaths } from '../../../../local-github/graphql/written-paths.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { testApp } from '../../../lib/github/app.ts';
import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { repositoryName, webhookSecret } from '../../../environment/worker/worker-environment.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment, type TrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

const lanes = twoLanes.replaceAll('on-failure: rollback', 'on-failure: hold\n    policy: every');

/** Longer than two sweeps; GitHub delivers nothing in this time. */
const outageMs = 3_000;

type Outage = 'suspended' | 'reinstalled' | 'without deployments';

export const suspendedApp: Trial = {
  id: 'T20',
  title:
    'Tags while the GitHub App is suspended several times, removed and installed again, and without the permission for deployments',
  criterion:
    'every tag gets a promotion; no check run or deployment stays in progress; in each environment only the deployment of the live version is active',
  async run(context) {
    const { random, form } = context;
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, {
      lanes,
      watched: false,
      github: { app: testApp },
    });
    const settings = { sweepMs: 1_000, sweepTickMs: 200, refusedMs: 500 };
    const { github } = env.services;
    // Before the workers: they look once an hour for a list of deliveries.
    const hook = github.addHook({
      place: 'app',
      url: 'http://127.0.0.1:1/',
      secret: webhookSecret,
      events: ['push'],
    });
    const workers = await Promise.all([env.start(settings), env.start(settings)]);
    await until('the refs are compared for the first time', () => isCompared(env));
    const suspensions = form === 'short' ? 1 : Math.max(2, Math.round(4 * context.scale));
    const outages = shuffle(
      [
        ...Array.from({ length: suspensions }, (): Outage => 'suspended'),
        'reinstalled',
        'without deployments',
      ],
      context,
    );
    const commits = new Map<string, string>();
    let missed = 0;
    const push = async (): Promise<void> => {
      const version = `v1.${commits.size}.0`;
      commits.set(version, await release(env.services, version));
      hook.url = `${random.pick(workers).url}/webhooks/github`;
      const before = hook.attempts.length;
      await github.deliver('push', await github.events.push(repositoryName, `refs/tags/${version}`));
      if (hook.attempts.length === before) missed += 1;
    };
    for (const outage of outages) {
      await push();
      await delay(random.below(500));
      const end = begin(outage, env);
      const endsAt = Date.now() + outageMs;
      for (let i = 0; i < 2; i += 1) await push();
      await delay(Math.max(0, endsAt - Date.now()));
      end();
      context.log(`${outage}: ${commits.size} tags`);
      await push();
      await delay(random.below(1_500));
    }
    await untilReached('every tag has a promotion', async () => {
      const found = new Set((await promotionsIn(env)).map(({ task }) => task.commit));
      const left = [...commits].filter(([, commit]) => !found.has(commit)).map(([version]) => version);
      return left.length === 0 || `without one: ${left.join(' ')}`;
    });
    await untilQuiet(env);
    return { ...(await verify(env)), outages: outages.length, tags: commits.size, 'not delivered': missed };
  },
};

/** Begins an outage; gives what ends it. */
function begin(outage: Outage, { services: { github } }: TrialEnvironment): () => void {
  const { app } = github;
  switch (outage) {
    case 'suspended':
      app.isSuspended = true;
      return () => void (app.isSuspended = false);
    case 'reinstalled': {
      const installation = (app.installation ?? 0) + 1;
      app.installation = undefined;
      return () => void (app.installation = installation);
    }
    case 'without deployments': {
      const { deployments: _, ...others } = app.permissions;
      const all = app.permissions;
      app.permissions = others;
      // The tokens of before lose it too.
      github.interfere((request) =>
        request.path.includes('/deployments') ||
        writtenPaths(request).some((path) => path.includes('/deployments'))
          ? { status: 403, body: { message: 'Resource not accessible by integration' } }
          : undefined,
      );
      return () => {
        app.permissions = all;
        github.interfere(undefined);
      };
    }
  }
}

async function isCompared({ server, services }: TrialEnvironment): Promise<boolean> {
  return (await server.redis.hget(`${services.prefix}:sweep:comparisons`, '77')) !== null;
}

async function verify(env: TrialEnvironment) {
  const { checkRuns, deployments } = env.services.github.repository(repositoryName);
  const promotions = await promotionsIn(env);
  const unfinished = checkRuns.filter(({ status }) => status !== 'completed');
  mustHold(unfinished.length === 0, `${unfinished.length} of ${checkRuns.length} check runs are in progress`);
  const stateOf = ({ statuses }: (typeof deployments)[number]) => statuses.at(-1)?.state ?? 'none';
  const open = deployments.filter(
    (one) => !['success', 'inactive', 'failure', 'error'].includes(stateOf(one)),
  );
  mustHold(open.length === 0, `deployments are ${open.map(stateOf).join(', ')}`);
  for (const id of await env.store.laneIds()) {
    const lane = await env.store.lane(id);
    const { to } = promotions.find((promotion) => promotion.lane === id)?.task.lane ?? { to: '' };
    const active = deployments
      .filter((one) => one.environment === to && stateOf(one) === 'success')
      .map(({ payload }) => (payload as { version: string }).version);
    mustHold(
      active.length === 1 && active[0] === lane?.verified?.version,
      `in ${to} ${lane?.verified?.version ?? 'nothing'} is live; the active deployments are ${active.join(', ')}`,
    );
  }
  const { promotions: promoted, executions } = effectsOf(env.services);
  for (const list of [promoted, executions])
    mustHold(repeated(list).length === 0, `twice: ${repeated(list).join(', ')}`);
  return { promotions: promotions.length, 'check runs': checkRuns.length, deployments: deployments.length };
}

function shuffle(list: readonly Outage[], { random }: TrialContext): readonly Outage[] {
  return list
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
