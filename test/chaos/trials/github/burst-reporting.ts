import { githubLimits } from '../../../../worker/rate-limit/write-budget.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { promotionsIn } from '../../environment/promotions-in.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment, type TrialEnvironment } from '../../environment/trial-environment.ts';
import { untilReached } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

/** Some writes of GitHub's limit, which is one a second, and a busy machine. */
const maxDelayMs = 15_000;

export const burstReporting: Trial = {
  id: 'T23',
  title: 'A burst of pushes to one lane, the last one refused, under the limits that GitHub sets for writes',
  criterion: `GitHub shows the end of the newest promotion, and the refusal, at most ${maxDelayMs / 1_000} s later, while older states still wait`,
  waits: true,
  async run({ form, scale, log }) {
    const pushes = form === 'short' ? 25 : Math.max(25, Math.round(120 * scale));
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: toTest, watched: false });
    const { services } = env;
    const worker = await env.start({ githubLimits, reportLeaseMs: 40_000, matchWaitMs: 1 });
    const newest = await push(env, worker.url, pushes);
    const end = await untilEnded(env, newest);
    // On no branch that worker.yaml allows.
    const refused = await services.repository.commit('feature/x', { 'notes.txt': 'x' }, { from: 'main' });
    await services.repository.tag('v9.0.0', refused);
    const refusedAt = Date.now();
    await env.send(worker.url, await services.push('refs/tags/v9.0.0'));
    const endMs = (await untilShown(env, newest, 'millrace/to-test', /^(?:success|failure)/u)) - end;
    const waiting = (await env.store.unsentUpdates()).count;
    const refusalMs = (await untilShown(env, refused, 'millrace/policy', /^error/u)) - refusedAt;
    mustHold(endMs <= maxDelayMs, `GitHub showed the end of the newest promotion after ${endMs} ms`);
    mustHold(refusalMs <= maxDelayMs, `GitHub showed the refusal after ${refusalMs} ms`);
    mustHold(waiting > 0, 'nothing older waited, so that the order does not matter');
    log(`${pushes} pushes: the end after ${endMs} ms, the refusal after ${refusalMs} ms, ${waiting} wait`);
    return {
      pushes,
      'milliseconds until GitHub showed the newest end': endMs,
      'milliseconds until GitHub showed the refusal': refusalMs,
      'older states that still waited': waiting,
    };
  },
};

/** Sends the pushes of some versions at once; gives the newest commit. */
async function push(env: TrialEnvironment, url: string, pushes: number): Promise<string> {
  const { services } = env;
  let commit = '';
  const deliveries = [];
  for (let i = 1; i <= pushes; i += 1) {
    commit = await release(services, `v1.${i}.0`);
    deliveries.push(await services.push(`refs/tags/v1.${i}.0`));
  }
  await Promise.all(deliveries.map((delivery) => env.send(url, delivery)));
  return commit;
}

/** When the promotion of a commit ended. */
async function untilEnded(env: TrialEnvironment, commit: string): Promise<number> {
  const find = async () => (await promotionsIn(env)).find(({ task }) => task.commit === commit);
  await untilReached('the newest promotion has ended', async () => {
    const found = await find();
    return found?.outcome !== undefined || `${(await promotionsIn(env)).length} ${found?.step.name ?? ''}`;
  });
  return (await find())?.endedAt ?? 0;
}

async function untilShown(
  env: TrialEnvironment,
  commit: string,
  context: string,
  wanted: RegExp,
): Promise<number> {
  await untilReached(`GitHub shows ${context}`, async () => {
    const shown = env.services.status(commit, context) ?? 'nothing';
    return wanted.test(shown) || shown;
  });
  return Date.now();
}
