import type { MockRow } from '../../orchestration/mocks/mock.ts';

/**
 * A simulated result, as the seed of a local platform defines it. It applies to a component or, if it names no
 * component, to a whole pipeline, which is then not executed. The first matching entry whose number of uses is not
 * exhausted applies.
 */
export interface ScriptedOutcome {
  /** The path of the pipeline, with or without its suffix. */
  readonly pipeline: string;
  /** The name of the component: its key in the file. */
  readonly component?: string | undefined;
  /** The environment to which the entry applies. By default, all environments. */
  readonly environment?: string | undefined;
  /**
   * The result, which applies without executing anything. If there is none (or if it is `success` with `rows` or
   * `condition`), a control or call component is executed after the time in `after`, and any other component
   * succeeds.
   */
  readonly outcome?: 'success' | 'failure' | undefined;
  /** The time until the component ends, in milliseconds. Default: the `componentTime` of the seed. */
  readonly after?: number | undefined;
  readonly message?: string | undefined;
  /** How often the entry applies. By default, always. */
  readonly times?: number | undefined;
  /** For a table iterator or file iterator: the rows, with a value for each variable. */
  readonly rows?: readonly (readonly string[])[] | undefined;
  /** The result of the condition of an `if` that the engine cannot evaluate. */
  readonly condition?: boolean | undefined;
  /** Scalar variables that the component sets, as a component with a query does. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Rows that the component adds to tables, if the execution has a warehouse. */
  readonly tables?: Readonly<Record<string, ScriptedRows>> | undefined;
}

export interface ScriptedRows {
  /**
   * The types of columns by name, as the warehouse's SQL writes them. By default, the types of the existing table, or
   * if there is none, the types that the values suggest.
   */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly rows: readonly MockRow[];
}

/**
 * The simulated results of a seed, and how often each of them was used. Executions that share a script share these
 * counts.
 */
export interface Script {
  /** Finds the result that applies now, and counts one use of it. */
  take(pipeline: string, component: string | undefined, environment: string): ScriptedOutcome | undefined;
}
