import type { MockRow } from '../../orchestration/mocks/mock.ts';

/**
 * A simulated result, as the seed of a local platform gives it. It applies to a component or, if it names no
 * component, to a whole pipeline, which is then not executed. The first matching entry that may still be used
 * applies.
 */
export interface ScriptedOutcome {
  /** Path of the pipeline, with or without suffix. */
  readonly pipeline: string;
  /** The component's key in the file. */
  readonly component?: string | undefined;
  /** Only in this environment. */
  readonly environment?: string | undefined;
  /**
   * The result without executing anything. If absent (or `success` with `rows` or `condition`), a control or call
   * component is executed after `after`; any other component succeeds.
   */
  readonly outcome?: 'success' | 'failure' | undefined;
  /** Milliseconds until the end. Default: the `componentTime`. */
  readonly after?: number | undefined;
  readonly message?: string | undefined;
  /** How often the entry applies. Default: always. */
  readonly times?: number | undefined;
  /** For a table or file iterator: its rows, with one value for each variable. */
  readonly rows?: readonly (readonly string[])[] | undefined;
  /** For an `if` that cannot be evaluated here. */
  readonly condition?: boolean | undefined;
  /** Scalar variables that the component sets, like a query. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Rows that it adds to tables, if the execution has a warehouse. */
  readonly tables?: Readonly<Record<string, ScriptedRows>> | undefined;
}

export interface ScriptedRows {
  /** Types by name, as the warehouse's SQL writes them. Default: the columns of the table, else of the values. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly rows: readonly MockRow[];
}

/**
 * The simulated results of a seed, with the number of times that each was used. Executions that share a script
 * share these numbers.
 */
export interface Script {
  /** The result that applies now; counts one use. */
  take(pipeline: string, component: string | undefined, environment: string): ScriptedOutcome | undefined;
}
