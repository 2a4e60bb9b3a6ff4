export interface RunRequest {
  /** Pipeline and environment: required to start an execution. With `attach` they only appear in messages. */
  readonly pipeline?: string | undefined;
  readonly environment?: string | undefined;
  /** Default: the newest enabled version (spec §4.4 rule 1). */
  readonly version?: string | undefined;
  /** Default: a tag made from project, environment and pipeline. */
  readonly tag?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /**
   * Time limit in milliseconds for start and wait, requests included. The termination after a time-out has its own
   * limit.
   */
  readonly timeoutMs: number;
  readonly onTimeout: 'terminate' | 'detach';
  readonly onCancel: 'terminate' | 'detach';
  /** What to do if an execution with the tag is running. */
  readonly onConflict: 'fail' | 'wait' | 'skip';
  /** Wait for this execution instead of starting one. */
  readonly attach?: string | undefined;
  /** False: start the execution and return. */
  readonly wait: boolean;
  readonly dryRun: boolean;
  /** Called with the execution tag before the start is sent. */
  readonly onStarting?: ((tag: string) => void) | undefined;
  /** Called with the execution's id as soon as it is known, so that another process can terminate it. */
  readonly onStarted?: ((executionId: string) => void) | undefined;
}
