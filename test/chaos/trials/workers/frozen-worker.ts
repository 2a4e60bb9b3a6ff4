import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import type { Moment, Passage } from '../../lines/moment.ts';
import { beginsAdvance } from '../../lines/redis-line.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

interface Freeze {
  readonly line: Moment['line'];
  readonly label: string;
  readonly phase: Moment['phase'];
  /** Outside calls that the woken worker may still make: the one that was past its fence. */
  readonly allowed: 0 | 1;
  readonly short?: boolean;
}

/** `after` a Redis command: frozen before it reads the answer. `before` a call: frozen while the call is under way. */
const freezes: readonly Freeze[] = [
  { line: 'redis', label: 'record effect intend-promote', phase: 'after', allowed: 1, short: true },
  { line: 'redis', label: 'record effect intend-start', phase: 'after', allowed: 1, short: true },
  { line: 'platform', label: 'POST /artifacts/promotions', phase: 'before', allowed: 1 },
  { line: 'platform', label: 'POST /pipeline-executions', phase: 'before', allowed: 1 },
  { line: 'platform', label: 'GET /artifacts/?test', phase: 'after', allowed: 0, short: true },
  { line: 'platform', label: 'GET /pipeline-executions/*', phase: 'after', allowed: 0 },
  // It begins the turn and reads the promotion in one step: the fence of the look that comes next, and of nothing after it.
  { line: 'redis', label: beginsAdvance, phase: 'after', allowed: 1 },
  { line: 'redis', label: 'finish', phase: 'before', allowed: 0 },
  { line: 'redis', label: 'accept', phase: 'after', allowed: 0 },
  // Reports are sent beside the turns: one of those may have been past its fence just then.
  { line: 'redis', label: 'take-report', phase: 'after', allowed: 1 },
  { line: 'github', label: 'POST /statuses/*', phase: 'before', allowed: 1 },
];

export const frozenWorker: Trial = {
  id: 'T3',
  title:
    'SIGSTOP for longer than the lock at every kind of moment, also between the fence and the call, then SIGCONT',
  criterion:
    'the resumed worker makes no outside call except one that had passed its fence, and that call never has a second effect',
  async run({ form, scale, log }) {
    await using server = await startRedisServer();
    const rounds = form === 'short' ? 1 : Math.max(1, Math.round(2 * scale));
    const chosen = form === 'short' ? freezes.filter(({ short }) => short) : freezes;
    const jobs = Array.from({ length: rounds }, () => chosen).flat();
    let late = 0;
    let done = 0;
    const work = async (): Promise<void> => {
      for (let freeze = jobs.shift(); freeze !== undefined; freeze = jobs.shift()) {
        late += await freezeAt(server, freeze);
        done += 1;
        log(`${freeze.phase} ${freeze.label}: held`);
      }
    };
    await Promise.all([work(), work(), work()]);
    return { freezes: done, 'calls already past their fence': late, 'second effects': 0 };
  },
};

async function freezeAt(server: RedisServer, freeze: Freeze): Promise<number> {
  await using env = await createTrialEnvironment(server, { lanes: twoLanes });
  const { services } = env;
  await release(services, 'v1.0.0');
  // What is live is read whenever it is due, past no fence: here only the calls of promotions count.
  const settings = { liveTickMs: 3_600_000 };
  const first = await env.start(settings);
  const thaw = Promise.withResolvers<void>();
  let frozen = false;
  let watching = true;
  const calls: string[] = [];
  env.watch(async ({ line, label, phase }): Promise<Passage> => {
    if (line === 'platform' && phase === 'before') calls.push(label);
    if (!watching || line !== freeze.line || label !== freeze.label || phase !== freeze.phase) return 'pass';
    watching = false;
    first.signal('SIGSTOP');
    frozen = true;
    // Messages to a frozen process wait for it; its own messages are under way until it resumes.
    if (freeze.phase === 'before') await thaw.promise;
    return 'pass';
  });
  await env.send(first.url, await services.push('refs/tags/v1.0.0'));
  const where = `${freeze.phase} ${freeze.label}`;
  await until(`${where}: frozen`, () => frozen);
  const second = await env.start(settings);
  await until(`${where}: the second worker finishes`, async () => {
    const last = (await promotionsIn(env)).at(-1);
    return last?.state === 'finished' && (last.task.lane.name === 'to-prod' || last.outcome !== 'passed');
  });
  await untilQuiet(env);
  const before = calls.length;
  first.signal('SIGCONT');
  thaw.resolve();
  await until(`${where}: it wakes up`, async () =>
    fetch(`${first.url}/livez`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  // Stopped in good order it has ended every turn that it was in.
  first.signal('SIGTERM');
  await first.exited;
  const late = calls.slice(before);
  // A call that was under way when the worker froze was counted then.
  const inFlight = freeze.line === 'platform' && freeze.phase === 'before' ? 1 : 0;
  mustHold(late.length + inFlight <= freeze.allowed, `${where}: the woken worker called ${late.join(', ')}`);
  const { promotions, executions } = effectsOf(services);
  for (const list of [promotions, executions])
    mustHold(repeated(list).length === 0, `${where}: a second effect: ${repeated(list).join(', ')}`);
  await untilQuiet(env);
  for (const promotion of await promotionsIn(env)) {
    // The sender may have been frozen with an older status under way: the last status must still be the end.
    await until(`${where}: GitHub knows the end of ${promotion.task.lane.name}`, () => {
      const reported = services.status(promotion.task.commit, `millrace/${promotion.task.lane.name}`) ?? '';
      return reported !== '' && !reported.startsWith('pending');
    });
    const held = ((await env.store.lane(promotion.lane))?.holds ?? []).length > 0;
    mustHold(
      promotion.outcome === 'passed' || (promotion.outcome === 'indeterminate' && held),
      `${where}: ${promotion.outcome ?? ''}`,
    );
  }
  second.signal('SIGKILL');
  return late.length + inFlight;
}
