import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { Canaries } from '../store/jobs/canaries.ts';
import type { Policy, StateKnowledge, Telemetry } from '../promotion/context/ports.ts';
import type { WorkerPorts } from './open-ports.ts';
import { createLivePoller } from '../promotion/live/live-poller.ts';
import { NewerFormat } from '../store/scripts/newer-format.ts';
import { reconcile } from '../promotion/admission/reconcile.ts';
import type { StateGuard } from '../promotion/state-guard.ts';
import { createTicks, type Ticks } from './ticks.ts';

interface BackgroundTasks {
  readonly guard: StateGuard;
  /** The connection for records. */
  readonly records: Redis;
  readonly canaries: Canaries;
  readonly checkStalled: () => Promise<void>;
  readonly sweep: () => Promise<void>;
  readonly sendNotifications: () => Promise<void>;
  readonly sendAnswers: () => Promise<void>;
  readonly checkConfig: () => Promise<void>;
}

/** Runs the periodic tasks until the signal aborts. */
export async function runBackgroundTasks(
  {
    guard,
    records,
    canaries,
    checkStalled,
    sweep,
    sendNotifications,
    sendAnswers,
    checkConfig,
  }: BackgroundTasks,
  ports: WorkerPorts,
  signal: AbortSignal,
): Promise<void> {
  const { settings } = ports;
  const ticks = createTicks(ports.clock);
  const stalledTask = {
    what: 'The check for jobs of workers that ended failed.',
    everyMs: settings.stalledMs,
    work: checkStalled,
  };
  const configTask = {
    what: 'Checking worker.yaml failed.',
    everyMs: settings.configTickMs,
    work: checkConfig,
  };
  const tasks = [
    { what: 'A sweep for missed pushes failed.', everyMs: settings.sweepTickMs, work: sweep },
    { what: 'Sending notifications failed.', everyMs: settings.notifyTickMs, work: sendNotifications },
    { what: 'Answering comments failed.', everyMs: settings.notifyTickMs, work: sendAnswers },
    {
      what: 'Polling the live versions failed.',
      everyMs: settings.liveTickMs,
      work: createLivePoller(ports, signal),
    },
  ];
  await Promise.all([
    keepReconciling(ports, { guard, records }, signal),
    sendCanaries(canaries, ports, { ticks, signal }),
    keepDoing(stalledTask, ports, { ticks, signal }),
    keepDoing(configTask, ports, { ticks, signal }),
    ...tasks.map((task) => keepDoing(unlessNewer(task, ports), ports, { ticks, signal })),
  ]);
}

/** Delay until lanes that could not be compared are compared again: nothing takes effect in them until then. */
const recheckMs = 3_000;

/** Rounds between two trims of the histories: trimming is not urgent. */
const trimEvery = 20;

/** Reconciles at the start and every few seconds, so that lost jobs are found without a request. */
async function keepReconciling(
  ports: WorkerPorts,
  { guard, records }: Pick<BackgroundTasks, 'guard' | 'records'>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, failures, settings } = ports;
  const what = 'Finding and restoring lost jobs failed.';
  let isChecked = true;
  for (let round = 0; !signal.aborted; round += 1) {
    try {
      isChecked = await guard.check();
      await reconcile(ports, { trims: round % trimEvery === 0 });
      failures.worked(what);
    } catch (error) {
      // The newer worker does it; its format was logged once.
      if (!(error instanceof NewerFormat)) failures.failed(what, what, { error: messageOf(error) });
    }
    await sleepUntilRestart(
      records,
      isChecked ? settings.reconcileMs : Math.min(settings.reconcileMs, recheckMs),
      {
        clock,
        signal,
      },
    );
  }
}

/** Sleeps, but not longer than until the connection is there again: it may be to another Redis. */
async function sleepUntilRestart(
  records: Redis,
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const restarted = new AbortController();
  const wake = (): void => restarted.abort();
  records.once('ready', wake);
  await clock.sleep(ms, AbortSignal.any([signal, restarted.signal])).catch(() => undefined);
  records.off('ready', wake);
}

async function sendCanaries(
  canaries: Canaries,
  { settings, format }: Pick<Policy, 'settings'> & Pick<StateKnowledge, 'format'>,
  { ticks, signal }: Pace,
) {
  while (!signal.aborted) {
    // A worker that stands by takes no job, so no canary either.
    if (format.newer === undefined) await canaries.ask();
    await ticks(settings.canaryMs / 3, signal);
  }
}

interface Pace {
  readonly ticks: Ticks;
  readonly signal: AbortSignal;
}

interface Task {
  readonly what: string;
  readonly everyMs: number;
  readonly work: () => Promise<void>;
}

/** What a newer worker does alone once it has raised the format of the records. */
function unlessNewer({ work, ...task }: Task, { format }: Pick<StateKnowledge, 'format'>): Task {
  const workUnlessNewer = async (): Promise<void> => {
    if (format.newer !== undefined) return;
    await work().catch((error: unknown) => {
      if (!(error instanceof NewerFormat)) throw error;
    });
  };
  return { ...task, work: workUnlessNewer };
}

/** Runs `work` at once and then at an interval until the signal aborts. An error does not end it. */
async function keepDoing(
  { what, everyMs, work }: Task,
  { failures }: Pick<Telemetry, 'failures'>,
  { ticks, signal }: Pace,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      failures.worked(what);
    } catch (error) {
      failures.failed(what, what, { error: messageOf(error) });
    }
    await ticks(everyMs, signal);
  }
}
