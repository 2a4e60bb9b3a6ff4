import type { RepositoryKey } from './github-access.ts';
import type { RefusalCause } from './refusal-cause.ts';

/**
 * Whether the worker has access to a repository on GitHub: `ok`, or the cause of the last refusal that concerns the
 * whole repository.
 */
export type AccessState = 'ok' | (typeof states)[number];

/** The access to each repository according to the last calls. It is kept in the memory of this process. */
export interface AccessHealth {
  /** A call succeeded. */
  succeeded(repository: RepositoryKey): void;
  /** A call failed. A cause that concerns only this call changes nothing. */
  failed(repository: RepositoryKey, cause: RefusalCause): void;
  /** Undefined before the first call. */
  stateOf(repository: RepositoryKey): AccessState | undefined;
}

/** Causes that concern the whole repository. A 404 may concern one file or ref. */
const states = ['suspended', 'not-installed', 'key', 'clock', 'token'] as const;

export function createAccessHealth(): AccessHealth {
  const lastStates = new Map<RepositoryKey, AccessState>();
  return {
    succeeded: (repository) => void lastStates.set(repository, 'ok'),
    failed(repository, cause) {
      const state = states.find((candidate) => candidate === cause);
      if (state !== undefined) lastStates.set(repository, state);
    },
    stateOf: (repository) => lastStates.get(repository),
  };
}
