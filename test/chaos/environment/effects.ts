import type { WorkerEnvironment } from '../../environment/worker/worker-environment.ts';

/** What really happened on the platform and on GitHub, as texts that repeat where something happened twice. */
export interface Effects {
  /** `promoted v1.0.0 to test`. */
  readonly promotions: readonly string[];
  /** `run daily/load in test with v1.0.0`. */
  readonly executions: readonly string[];
  /** `<commit> millrace/to-test`: a state that is not pending. */
  readonly ends: readonly string[];
}

export function effectsOf(services: WorkerEnvironment): Effects {
  const ledger = services.platform.ledger();
  return {
    promotions: ledger.filter(({ effect }) => effect === 'promoted').map(({ description }) => description),
    executions: ledger
      .filter(({ effect, operation }) => effect === 'started' && operation.startsWith('executions'))
      .map(({ description }) => description),
    ends: services.github
      .repository('example/warehouse')
      .statuses.filter(({ state }) => state !== 'pending')
      .map(({ sha, context }) => `${sha} ${context}`),
  };
}

/** Those that are there more than once. */
export function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, i) => names.indexOf(name) !== i);
}
