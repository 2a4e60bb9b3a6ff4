import type { Scene } from './scene.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Several workers on one Redis; who dies is replaced. */
export interface Crew extends AsyncDisposable {
  readonly workers: readonly WorkerProcess[];
  readonly counts: { kills: number; freezes: number };
  /** Kills one; another is started in its place. Resolves when that one listens. */
  replace(index: number): Promise<void>;
  /** Stops one for a while, without its knowing. */
  freeze(index: number, ms: number): void;
  /** Thaws all; resolves once each place has a worker. */
  settle(): Promise<void>;
}

export async function gatherCrew(scene: Scene, size: number): Promise<Crew> {
  const workers = await Promise.all(Array.from({ length: size }, () => scene.start()));
  const counts = { kills: 0, freezes: 0 };
  const frozen = new Map<WorkerProcess, NodeJS.Timeout>();
  const starting = new Map<number, Promise<void>>();

  const thawAll = (): void => {
    for (const worker of workers) if (frozen.has(worker)) thaw(worker);
  };
  function thaw(worker: WorkerProcess): void {
    clearTimeout(frozen.get(worker));
    frozen.delete(worker);
    worker.signal('SIGCONT');
  }
  async function start(index: number): Promise<void> {
    workers[index] = await scene.start();
  }
  return {
    workers,
    counts,
    async replace(index) {
      const worker = workers[index];
      if (worker === undefined || starting.has(index)) return;
      thaw(worker);
      worker.signal('SIGKILL');
      counts.kills += 1;
      const begun = start(index).finally(() => starting.delete(index));
      starting.set(index, begun);
      await begun;
    },
    freeze(index, ms) {
      const worker = workers[index];
      if (worker?.alive !== true || frozen.has(worker)) return;
      worker.signal('SIGSTOP');
      counts.freezes += 1;
      frozen.set(
        worker,
        setTimeout(() => thaw(worker), ms),
      );
    },
    async settle() {
      thawAll();
      await Promise.all(starting.values());
    },
    async [Symbol.asyncDispose]() {
      thawAll();
      await Promise.allSettled(starting.values());
    },
  };
}
