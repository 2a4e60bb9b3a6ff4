import type { Canaries } from '../store/canaries.ts';
import type { Engine } from '../promotion/engine.ts';
import { messageOf } from '../promotion/advance.ts';
import { createLivePoller } from '../promotion/live/live-poller.ts';
import { reconcile } from '../promotion/reconcile.ts';
import type { StateGuard } from '../promotion/state-guard.ts';

interface BackgroundTasks {
  readonly guard: StateGuard;
  readonly canaries: Canaries;
  readonly sweep: () => Promise<void>;
  readonly sendNotifications: () => Promise<void>;
  readonly checkConfig: () => Promise<void>;
}

/** Runs the periodic tasks until the signal aborts. */
export async function runBackgroundTasks(
  { guard, canaries, sweep, sendNotifications, checkConfig }: BackgroundTasks,
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  const { settings } = engine;
  const tasks = [
    { what: 'A sweep for missed pushes failed.', everyMs: settings.sweepTickMs, work: sweep },
    { what: 'Sending notifications failed.', everyMs: settings.notifyTickMs, work: sendNotifications },
    { what: 'Checking worker.yaml failed.', everyMs: settings.configTickMs, work: checkConfig },
    {
      what: 'Polling the live versions failed.',
      everyMs: settings.liveTickMs,
      work: createLivePoller(engine, signal),
    },
  ];
  await Promise.all([
    keepReconciling(engine, guard, signal),
    sendCanaries(canaries, engine, signal),
    ...tasks.map((task) => keepDoing(task, engine, signal)),
  ]);
}

/** Rounds between two trims of the histories: trimming is not urgent. */
const trimEvery = 20;

/** Reconciles at the start and every few seconds, so that lost jobs are found without a request. */
async function keepReconciling(engine: Engine, guard: StateGuard, signal: AbortSignal): Promise<void> {
  const { clock, failures, settings } = engine;
  const what = 'Reconciling lost jobs failed.';
  for (let round = 0; !signal.aborted; round += 1) {
    try {
      await guard.check();
      await reconcile(engine, { trims: round % trimEvery === 0 });
      failures.worked(what);
    } catch (error) {
      failures.failed(what, what, { error: messageOf(error) });
    }
    await clock.sleep(settings.reconcileMs, signal).catch(() => undefined);
  }
}

async function sendCanaries(canaries: Canaries, { clock, settings }: Engine, signal: AbortSignal) {
  while (!signal.aborted) {
    await canaries.ask();
    await clock.sleep(settings.canaryMs / 3, signal).catch(() => undefined);
  }
}

/** Runs `work` at once and then at an interval until the signal aborts. An error does not end it. */
async function keepDoing(
  {
    what,
    everyMs,
    work,
  }: { readonly what: string; readonly everyMs: number; readonly work: () => Promise<void> },
  { clock, failures }: Pick<Engine, 'clock' | 'failures'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      failures.worked(what);
    } catch (error) {
      failures.failed(what, what, { error: messageOf(error) });
    }
    await clock.sleep(everyMs, signal).catch(() => undefined);
  }
}
