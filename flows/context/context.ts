import type { Client } from '../../client/index.ts';
import type { Clock, Logger, Progress, Random } from '../../lib/core/ports/ports.ts';

/** What every use case receives. `signal` aborts when the user cancels; every wait observes it. */
export interface FlowContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What a use case that calls the platform receives. */
export interface PlatformContext extends FlowContext {
  readonly client: Client;
  readonly projectId: string;
}
