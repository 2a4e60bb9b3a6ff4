import {
  createScript,
  type Execution,
  type ExecutionRequest,
  type ExecutionState,
  interrupted,
  isTerminal,
  startExecution,
} from '../../engine/index.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';
import type { Store } from '../store/store.ts';
import { findRunner } from './runners.ts';
import type { Warehouses } from './warehouses.ts';

/** The identity of an execution. */
export interface ExecutionRecord {
  readonly projectId: string;
  readonly versionName: string;
  readonly tag: string | undefined;
}

type Walk = Omit<ExecutionRequest, 'script' | 'componentTimeMs' | 'engine' | 'onChange'>;

/** The running executions, and the records of all executions. */
export interface Executions {
  /** Records an execution inside the caller's transaction. Call `begin` after the commit. */
  add(record: ExecutionRecord, walk: Walk): ExecutionState;
  begin(projectId: string, walk: Walk, runner: string): void;
  /** Lets the executions that wait for a runner start, or end, as its state now says. */
  runnerChanged(runner: string): void;
  find(projectId: string, id: string): ExecutionState | undefined;
  terminate(id: string, force: boolean): void;
  /** Forgets every walk and the used script entries. The caller removes the records. */
  reset(): void;
  /** Stops every walk. An execution that had not ended is marked as interrupted at the next start. */
  close(): Promise<void>;
}

interface ExecutionsOptions {
  readonly store: Store;
  readonly seed: ReadySeed;
  readonly warehouses: Warehouses;
  readonly now: () => number;
}

/** An execution that waits for its runner. */
interface Waiting {
  readonly projectId: string;
  readonly walk: Walk;
  readonly runner: string;
}

export function createExecutions({ store, seed, warehouses, now }: ExecutionsOptions): Executions {
  let script = createScript(seed.executions);
  const running = new Map<string, Execution>();
  const waiting = new Map<string, Waiting>();
  let closed = false;
  // Seeded ids repeat after a reset. An execution from before the reset must not write to the new record with the same id.
  let generation = 0;
  const save = (state: ExecutionState) => {
    if (closed) return;
    store.run(
      'UPDATE execution SET state = ?, finished = ? WHERE id = ?',
      JSON.stringify(state),
      isTerminal(state.status) ? 1 : 0,
      state.id,
    );
    if (isTerminal(state.status)) running.delete(state.id);
  };
  for (const { state } of store.all<{ state: string }>('SELECT state FROM execution WHERE finished = 0'))
    save(interrupted(JSON.parse(state) as ExecutionState, now()));

  /** Saves the end of an execution that never started. */
  const endUnstarted = (walk: Walk, status: 'FORBIDDEN' | 'CANCELLED', message: string) =>
    save({ ...queued(walk), status, message, finishedAt: new Date(now()).toISOString() });

  function startOn(entry: Waiting): void {
    const { walk } = entry;
    const runner = findRunner(store, seed, entry.runner);
    const name = runner?.name ?? entry.runner;
    waiting.delete(walk.id);
    if (runner?.state === 'running') return start(entry);
    if (runner?.state !== 'paused')
      return endUnstarted(walk, 'FORBIDDEN', `The runner "${name}" is stopped, so it takes no execution.`);
    waiting.set(walk.id, entry);
    save({ ...queued(walk), message: `Waiting: the runner "${name}" is paused.` });
  }

  function start({ projectId, walk }: Waiting): void {
    const mine = generation;
    const componentTimeMs = seed.settings.componentTime;
    const execution = startExecution({
      ...walk,
      script,
      componentTimeMs,
      engine: warehouses.engineOf(projectId, walk.environment),
      // The state of a running execution is read from memory, so its steps are not stored.
      onChange: (state, changed) => {
        if (changed === 'status' && mine === generation) save(state);
      },
    });
    if (!isTerminal(execution.state().status)) running.set(walk.id, execution);
  }

  return {
    add({ projectId, versionName, tag }, walk) {
      const state = queued(walk);
      store.run(
        'INSERT INTO execution VALUES (?, ?, ?, ?, ?, 0, ?)',
        walk.id,
        projectId,
        walk.environment,
        versionName,
        tag ?? null,
        JSON.stringify(state),
      );
      return state;
    },
    begin: (projectId, walk, runner) => startOn({ projectId, walk, runner }),
    runnerChanged(runner) {
      const entries = [...waiting.values()].filter((entry) => entry.runner === runner);
      for (const entry of entries) startOn(entry);
    },
    find(projectId, id) {
      const row = store.get<{ state: string }>(
        'SELECT state FROM execution WHERE project_id = ? AND id = ?',
        projectId,
        id,
      );
      // A running execution has a newer state than its record.
      return row && (running.get(id)?.state() ?? (JSON.parse(row.state) as ExecutionState));
    },
    terminate(id, force) {
      running.get(id)?.terminate(force);
      const entry = waiting.get(id);
      if (entry === undefined) return;
      waiting.delete(id);
      endUnstarted(entry.walk, 'CANCELLED', 'Cancelled before it started.');
    },
    reset() {
      generation += 1;
      for (const execution of running.values()) execution.terminate(true);
      running.clear();
      waiting.clear();
      script = createScript(seed.executions);
    },
    async close() {
      closed = true;
      const walks = [...running.values()];
      for (const execution of walks) execution.terminate(true);
      await Promise.all(walks.map((execution) => execution.ended));
    },
  };
}

function queued(walk: Walk): ExecutionState {
  return {
    id: walk.id,
    pipeline: walk.pipeline,
    environment: walk.environment,
    status: 'QUEUED',
    message: 'Waiting for a runner.',
    startedAt: null,
    finishedAt: null,
    steps: [],
    droppedSteps: 0,
  };
}
