/**
 * What the seed says about something that happens outside: a component's outcome or, without a component, that of a
 * whole pipeline, which is then not walked. The first entry that fits and is not used up counts.
 */
export interface ScriptedOutcome {
  /** Path of the pipeline, with or without suffix. */
  readonly pipeline: string;
  /** The component's key in the file. */
  readonly component?: string | undefined;
  /** Only in this environment. */
  readonly environment?: string | undefined;
  /**
   * How it ends, without anything in it being done. Left out (or `success` with `rows` or `condition`), a component
   * that steers or calls does what it does, `after` so long; any other succeeds.
   */
  readonly outcome?: 'success' | 'failure' | undefined;
  /** Milliseconds until it ends; the usual time of a component by default. */
  readonly after?: number | undefined;
  readonly message?: string | undefined;
  /** How often the entry counts; without it, always. */
  readonly times?: number | undefined;
  /** For a table or file iterator: the rows that it finds, one value for each of its variables. */
  readonly rows?: readonly (readonly string[])[] | undefined;
  /** For an `if` that cannot be evaluated here. */
  readonly condition?: boolean | undefined;
  /** Scalar variables that the component sets, as a query would. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** Outcomes with a memory of how often each was used. One script given to many executions counts over all of them. */
export interface Script {
  /** The outcome that counts now; uses up one of its times. */
  take(pipeline: string, component: string | undefined, environment: string): ScriptedOutcome | undefined;
}
