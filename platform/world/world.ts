import type { Logger } from '../../lib/core/ports/ports.ts';
import type { Captures } from './captures.ts';
import type { Executions } from './executions.ts';
import type { ReadyPlan } from '../faults/fault-schema.ts';
import type { Faults } from '../faults/faults.ts';
import type { Ids } from '../random/ids.ts';
import type { ReadySeed, Settings } from '../seed/seed-schema.ts';
import type { PlatformClock } from '../clock/platform-clock.ts';
import type { RequestLog } from './request-log.ts';
import type { FileStore } from '../store/file-store.ts';
import type { StreamingScript } from './streaming-script.ts';
import type { Warehouses } from './warehouses.ts';
import type { Store } from '../store/store.ts';

/** Everything that an operation may read or change. */
export interface World {
  readonly store: Store;
  readonly files: FileStore;
  readonly clock: PlatformClock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly seed: ReadySeed;
  readonly settings: Settings;
  readonly limits: Limits;
  /** Folder of the linked repositories: `<gitRoot>/<ownerName>/<repositoryName>`. */
  readonly gitRoot: string | undefined;
  /** Environment variables for git. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
  readonly executions: Executions;
  readonly warehouses: Warehouses;
  /** The results of commands, where streaming is simulated. */
  readonly streaming: StreamingScript;
  readonly captures: Captures;
  /** Whether fields that the specification does not define are accepted (and dropped). */
  readonly loose: boolean;
  readonly faults: Faults;
  /** The faults after a reset. */
  readonly firstFaults: ReadyPlan;
  readonly requests: RequestLog;
  /** Aborts when the platform shuts down: nothing may wait any longer. */
  readonly ending: AbortSignal;
}

/** Limits of one request. */
export interface Limits {
  readonly jsonBytes: number;
  readonly fileBytes: number;
  readonly uploadBytes: number;
  readonly parts: number;
  readonly pathBytes: number;
}

export const defaultLimits: Limits = {
  jsonBytes: 1024 ** 2,
  fileBytes: 2 * 1024 ** 3,
  uploadBytes: 4 * 1024 ** 3,
  parts: 10_000,
  pathBytes: 1024,
};
