export interface RunRequest {
  /** What runs and where: needed to start an execution; of one to attach to they only name it in messages. */
  readonly pipeline?: string | undefined;
  readonly environment?: string | undefined;
  /** The newest enabled version where it is not given (spec §4.4 rule 1). */
  readonly version?: string | undefined;
  /** One that is not given is made from project, environment and pipeline. */
  readonly tag?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** For start and wait together, requests included. What happens on a time-out has some seconds of its own. */
  readonly timeoutMs: number;
  readonly onTimeout: 'terminate' | 'detach';
  readonly onCancel: 'terminate' | 'detach';
  /** When an execution with the tag is running. */
  readonly onConflict: 'fail' | 'wait' | 'skip';
  /** Wait for this execution and start none. */
  readonly attach?: string | undefined;
  /** False: start and go. */
  readonly wait: boolean;
  readonly dryRun: boolean;
  /** Told the execution tag before anything is sent. */
  readonly onStarting?: ((tag: string) => void) | undefined;
  /** Told the execution's id as soon as it is known, so that somebody else can end it if this process cannot. */
  readonly onStarted?: ((executionId: string) => void) | undefined;
}
