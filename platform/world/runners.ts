import { refuse } from '../refusal/refusal.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';
import type { Store } from '../store/store.ts';

export const runnerStates = ['running', 'paused', 'stopped'] as const;
/** The state of a runner (unknowns §2). `paused`: executions stay queued. `stopped`: executions end as `FORBIDDEN`. */
export type RunnerState = (typeof runnerStates)[number];

/** A runner of the seed (spec §2.3). */
export interface Runner {
  readonly id: string;
  readonly name: string;
  readonly state: RunnerState;
  /** As in the header `Agent-Version` (spec §4.5). */
  readonly version: string;
}

type WithRunners = Pick<ReadySeed, 'agents' | 'settings'>;

/** Lists the runners of the seed with their current states. If the seed has none, every id exists. */
export function listRunners(store: Store, { agents, settings }: WithRunners): Runner[] {
  return Object.entries(agents).map(([id, written]) => {
    const agent = typeof written === 'string' ? { name: written } : written;
    return {
      id,
      name: agent.name,
      state: stateOf(store, id) ?? agent.state ?? 'running',
      version: agent.version ?? settings.agentVersion,
    };
  });
}

/** A runner by its id; `undefined` if the seed lists runners, and this one is not among them. */
export function findRunner(store: Store, seed: WithRunners, id: string): Runner | undefined {
  const runners = listRunners(store, seed);
  if (runners.length > 0) return runners.find((runner) => runner.id.toLowerCase() === id.toLowerCase());
  return { id, name: `agent-${id.slice(0, 8)}`, state: 'running', version: seed.settings.agentVersion };
}

/** The runner of an environment for which the seed names none: the first in its list. */
export function firstRunner({ agents }: WithRunners): string | undefined {
  return Object.keys(agents)[0];
}

/** Finds a runner by id. @throws Refusal 404 */
export function requireRunner(store: Store, seed: WithRunners, id: string): Runner {
  const runner = findRunner(store, seed, id);
  if (runner === undefined) throw refuse(404, `The runner "${id}" does not exist.`);
  return runner;
}

/** Changes the state of a runner of the seed. A reset undoes it. */
export function setRunnerState(store: Store, id: string, state: RunnerState): void {
  store.run('INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)', keyOf(id), state);
}

const keyOf = (id: string): string => `runner:${id.toLowerCase()}`;

function stateOf(store: Store, id: string): RunnerState | undefined {
  const row = store.get<{ value: string }>('SELECT value FROM setting WHERE key = ?', keyOf(id));
  return runnerStates.find((state) => state === row?.value);
}
