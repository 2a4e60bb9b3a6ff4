import type { Client } from '../../client/index.ts';
import type { Clock, Logger, Random } from '../../model/ports.ts';
import type { LaneStore } from '../lanes/lane-store.ts';
import type { WorkQueues } from '../queue/work-queues.ts';
import type { WorkerSettings } from '../settings.ts';

/** What everything in the worker works with. */
export interface Engine {
  readonly store: LaneStore;
  readonly queues: WorkQueues;
  /** The client of a credential of worker.yaml. Throws Failure 'config-invalid' or 'no-token'. */
  readonly clientFor: (credential: string) => Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly settings: WorkerSettings;
}
