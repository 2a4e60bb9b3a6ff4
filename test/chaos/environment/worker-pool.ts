import type { WorkerSettings } from '../../../worker/settings/settings.ts';
import type { TrialEnvironment } from './trial-environment.ts';
import { until } from './until.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Several workers on one Redis; a worker that dies is replaced. */
export interface WorkerPool extends AsyncDisposable {
  readonly workers: readonly WorkerProcess[];
  readonly counts: { kills: number; freezes: number };
  /**
   * Kills one that runs and starts another in its place. Resolves once the start has begun, as soon as a worker
   * is running.
   */
  kill(first: number): Promise<void>;
  /** Freezes one that runs for a while. */
  freeze(first: number, ms: number): Promise<void>;
  /** Thaws all; resolves once each place has a worker. */
  finish(): Promise<void>;
}

export async function startWorkerPool(
  env: TrialEnvironment,
  size: number,
  settings: Partial<WorkerSettings> = {},
): Promise<WorkerPool> {
  const workers = await Promise.all(Array.from({ length: size }, () => env.start(settings)));
  const counts = { kills: 0, freezes: 0 };
  const frozen = new Map<number, NodeJS.Timeout>();
  const starting = new Map<number, Promise<void>>();

  const thawAll = (): void => {
    for (const index of frozen.keys()) thaw(index);
  };
  function thaw(index: number): void {
    clearTimeout(frozen.get(index));
    if (frozen.delete(index)) workers[index]?.signal('SIGCONT');
  }
  /** The first that lives and fits, from `first` on. */
  async function running(first: number, fits: (index: number) => boolean): Promise<number> {
    const order = workers.map((_, i) => (first + i) % workers.length);
    const find = (): number | undefined =>
      order.find((index) => workers[index]?.alive === true && !starting.has(index) && fits(index));
    await until('a worker is running', () => find() !== undefined);
    return find() ?? first;
  }
  /** As a supervisor: a worker that Redis did not answer in time ends, and is started again. */
  async function start(index: number, tries = 3): Promise<void> {
    try {
      workers[index] = await env.start(settings);
    } catch (error) {
      if (tries === 1) throw error;
      await start(index, tries - 1);
    }
  }
  return {
    workers,
    counts,
    async kill(first) {
      const index = await running(first, () => true);
      workers[index]?.signal('SIGKILL');
      counts.kills += 1;
      frozen.delete(index);
      starting.set(
        index,
        start(index).finally(() => starting.delete(index)),
      );
    },
    async freeze(first, ms) {
      const index = await running(first, (one) => !frozen.has(one));
      workers[index]?.signal('SIGSTOP');
      counts.freezes += 1;
      frozen.set(
        index,
        setTimeout(() => thaw(index), ms),
      );
    },
    async finish() {
      thawAll();
      await Promise.all(starting.values());
    },
    async [Symbol.asyncDispose]() {
      thawAll();
      await Promise.allSettled(starting.values());
    },
  };
}
