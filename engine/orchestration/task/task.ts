import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { Parameter } from '../../components/component-type.ts';
import type { DialectContext } from '../../core/dialect.ts';
import type { Warehouse } from '../../duckdb/connection/warehouse.ts';
import type { PipelineVariable, PipelineVariables } from '../../parameters/expression-scope.ts';
import type { ParameterReader } from '../../parameters/parameter-reader.ts';
import type { Python } from '../../python/python.ts';

/** The variables of a pipeline, which a component can read and set. */
export interface TaskVariables extends PipelineVariables {
  /** Returns the current values of all variables. */
  all(): ReadonlyMap<string, PipelineVariable>;
  /** Sets a scalar variable. Returns the reason if the value is refused. */
  set(name: string, value: string): string | undefined;
  /** Replaces the rows of a grid variable. Returns the reason if the rows are refused. */
  setGrid(name: string, rows: Grid): string | undefined;
}

/** One run of a component of an orchestration. */
export interface Task {
  readonly component: Component;
  /** The YAML under `parameters`. */
  readonly parameters: YamlNode;
  readonly reader: ParameterReader;
  readonly dialect: DialectContext;
  readonly warehouse: Warehouse;
  readonly variables: TaskVariables;
  /** Runs Python scripts. Undefined if Python is not allowed. */
  readonly python: Python | undefined;
  /** Aborts when the component must stop at once. */
  readonly signal: AbortSignal;
  /** Returns the text of a file of the published version. */
  readonly files: (path: string) => string | undefined;
  /** The maximum number of rows that a query may write to a grid, and of iterations of an iterator. */
  readonly maxRows: number;
  /** The name of the component in the mocks of a test. */
  readonly mockKey: string;
  /** Reports something that the user should know, but that does not stop the component. */
  readonly notice: (message: string) => void;
  /** Called with SQL that is about to run in DuckDB. */
  readonly runs: (sql: string) => void;
}

export interface TaskResult {
  readonly message: string;
  /** The number of rows that the component read. */
  readonly rowsRead?: number | undefined;
  readonly rowsWritten?: number | undefined;
}

/** A component type of orchestrations that runs on the warehouse. */
export interface TaskType {
  /** The name of the type in pipeline files. */
  readonly type: string;
  /** One sentence that says what the type does. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** True if the type runs only if the operator allows Python. Otherwise, it needs a mock. */
  readonly isPython?: true;
  /** Matches the names of further parameters, which have no effect here. */
  readonly ignored?: RegExp;
  /** True if each statement is committed separately. Other types run in a single transaction. */
  readonly commitsEach?: true;
  /** Runs the component. Throws Refusal, ParameterError, SqlError and WarehouseStopped. */
  run(task: Task): Promise<TaskResult>;
}
