import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { Parameter } from '../../components/component-type.ts';
import type { DialectContext } from '../../core/dialect.ts';
import type { Warehouse } from '../../duckdb/connection/warehouse.ts';
import type { PipelineVariable, PipelineVariables } from '../../parameters/expression-scope.ts';
import type { ParameterReader } from '../../parameters/parameter-reader.ts';
import type { Python } from '../../python/python.ts';

/** The variables of a pipeline, in the form in which a component sets them. */
export interface TaskVariables extends PipelineVariables {
  /** The current value of each of them. */
  all(): ReadonlyMap<string, PipelineVariable>;
  /** Sets a scalar. Returns the reason if the value is refused. */
  set(name: string, value: string): string | undefined;
  /** Replaces the rows of a grid. Returns the reason if they are refused. */
  setGrid(name: string, rows: Grid): string | undefined;
}

/** One run of a component of an orchestration. */
export interface Task {
  readonly component: Component;
  /** The tree under `parameters`. */
  readonly parameters: YamlNode;
  readonly reader: ParameterReader;
  readonly dialect: DialectContext;
  readonly warehouse: Warehouse;
  readonly variables: TaskVariables;
  /** Undefined if Python is not allowed. */
  readonly python: Python | undefined;
  /** Aborts when the component must stop at once. */
  readonly signal: AbortSignal;
  /** The text of a file of the published version. */
  readonly files: (path: string) => string | undefined;
  /** Rows that a query may put into a grid, and rounds of an iterator. */
  readonly maxRows: number;
  /** The component's name in the mocks of a test. */
  readonly mockKey: string;
  /** Something that the user should know and that does not stop the component. */
  readonly notice: (message: string) => void;
  /** DuckDB's SQL that is about to run. */
  readonly runs: (sql: string) => void;
}

export interface TaskResult {
  readonly message: string;
  /** Rows of a query that it read. */
  readonly rowsRead?: number | undefined;
  readonly rowsWritten?: number | undefined;
}

/** A component type of orchestrations that runs on the warehouse. */
export interface TaskType {
  /** As files write it. */
  readonly type: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** It runs only if the operator allows Python; otherwise it needs a mock. */
  readonly isPython?: true;
  /** Names of further parameters that have no effect here. */
  readonly ignored?: RegExp;
  /** Each of its statements commits; other types run in one transaction. */
  readonly commitsEach?: true;
  /** Throws Refusal, ParameterError, SqlError and WarehouseStopped. */
  run(task: Task): Promise<TaskResult>;
}
