import type { Client } from '../../client/index.ts';
import type { Clock, Logger, Progress, Random } from '../../lib/core/ports.ts';

/** What every use case is given. `signal` is the user's cancel; it is honoured at every wait. */
export interface FlowContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What a use case needs that talks to the platform. */
export interface PlatformContext extends FlowContext {
  readonly client: Client;
  readonly projectId: string;
}
