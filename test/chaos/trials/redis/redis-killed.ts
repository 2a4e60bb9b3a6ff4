import { setTimeout as delay } from 'node:timers/promises';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import { branchesAsked, flood, type Offered, offerOne } from '../../environment/flood.ts';
import { notThere, openInbox } from '../../environment/inbox.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

export const redisKilled: Trial = {
  id: 'T4',
  title:
    'Redis killed by SIGKILL under load and restarted from its append-only file, with fsync everysec and always',
  criterion:
    'no acknowledged push is lost; the worker continues without help, and does its first job at most 3 s after the restart',
  async run(context) {
    const sums = { rounds: 0, acknowledged: 0, refused: 0, lost: 0 };
    let slowest = 0;
    for (const fsync of context.form === 'short'
      ? (['everysec'] as const)
      : (['everysec', 'always'] as const)) {
      const result = await rounds(fsync, context);
      sums.rounds += result.rounds;
      sums.acknowledged += result.acknowledged;
      sums.refused += result.refused;
      slowest = Math.max(slowest, result.slowestMs);
    }
    return { ...sums, 'slowest first job after the restart, s': (slowest / 1000).toFixed(1) };
  },
};

async function rounds(fsync: 'everysec' | 'always', { form, scale, random, log }: TrialContext) {
  await using server = await startRedisServer(fsync);
  await using env = await createTrialEnvironment(server, { lanes: toTest });
  const worker = await env.start();
  const count = form === 'short' ? 1 : Math.max(1, Math.round(5 * scale));
  const all: Offered[] = [];
  let slowestMs = 0;
  for (let round = 1; round <= count; round += 1) {
    let going = true;
    const flooding = flood(env, worker, `b${round}`, () => going);
    await delay(300 + random.below(700));
    await server.kill();
    await delay(random.below(form === 'short' ? 1_000 : 4_000));
    const back = Date.now();
    await server.start();
    const before = env.services.github.requests.length;
    await until('a job is done after the restart', () => env.services.github.requests.length > before);
    slowestMs = Math.max(slowestMs, Date.now() - back);
    await until('a push is accepted after the restart', async () => {
      return (await offerOne(env, worker, `probe${round}-${Date.now()}`)).status === 202;
    });
    going = false;
    all.push(...(await flooding));
    log(`${fsync}, round ${round} of ${count}: ${all.length} pushes`);
  }
  const acknowledged = all.filter(({ status }) => status === 202);
  await using inbox = openInbox(server, env.services.prefix);
  const lost = (): readonly Offered[] => {
    const asked = branchesAsked(env);
    return acknowledged.filter(({ branch }) => !asked.has(branch));
  };
  await untilReached(
    `${fsync}: every acknowledged push is ingested`,
    async () => lost().length === 0 || `${lost().length} of ${acknowledged.length} are not`,
    // A push that could not be ingested is retried after 75 seconds at most.
    120_000,
  ).catch(async (error: unknown) => {
    const fates = await Promise.all(lost().map(({ digest }) => inbox.result(digest)));
    const exited = fates.filter((result) => result === notThere).length;
    throw new Error(`${String(error)}; ${exited} are in Redis no more; ${await inbox.picture()}`, {
      cause: error,
    });
  });
  mustHold(acknowledged.length > 10, `only ${acknowledged.length} pushes were acknowledged`);
  return {
    rounds: count,
    acknowledged: acknowledged.length,
    refused: all.length - acknowledged.length,
    slowestMs,
  };
}
