import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';

/** The reason why the `worker.yaml` on disk is not in use. */
export interface ConfigRefusal {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Whether the worker uses the `worker.yaml` that is on disk. */
export interface ConfigStatus {
  /** Undefined while the file on disk is the one in use. */
  readonly refused: ConfigRefusal | undefined;
  /** Keys whose change takes effect only after a restart, such as `github.app-id`. */
  readonly afterRestart: readonly string[];
}

/**
 * The configuration of `worker.yaml` that is in use. Read `config` again for each use, because it changes when the
 * file changes.
 */
export interface CurrentConfig {
  readonly config: WorkerConfig;
  readonly status: ConfigStatus;
}

/** The status of a configuration that never changes. */
export const fixedStatus: ConfigStatus = { refused: undefined, afterRestart: [] };
