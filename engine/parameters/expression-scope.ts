import type { Grid } from '../../lib/pipelines/model/grid.ts';
import { type Datum, RecordValue } from '../expressions/datum.ts';
import type { Scope } from '../expressions/evaluate.ts';

/** A variable of a running pipeline, with its value. */
export interface PipelineVariable {
  /** The type: `TEXT`, `NUMBER` or `GRID`. Any other type counts as text. */
  readonly type: string;
  /** The columns of a grid. */
  readonly columns: readonly string[];
  readonly value: string | Grid;
}

export interface PipelineVariables {
  cell(name: string): PipelineVariable | undefined;
}

/** What the expressions of a component can use: the variables, `sysvar` and the clock. */
export function expressionScope(
  variables: PipelineVariables,
  context: { readonly now: number; readonly sysvar?: RecordValue },
): Scope {
  return {
    now: context.now,
    text(name) {
      const value = variables.cell(name)?.value;
      return typeof value === 'string' ? value : undefined;
    },
    variable(name) {
      if (name === 'sysvar' && context.sysvar !== undefined) return { value: context.sysvar };
      const cell = variables.cell(name);
      return cell === undefined ? undefined : { value: datumOf(cell) };
    },
  };
}

/** The variables as one object of the expression language. Its members are the values of the variables. */
export function variableRecord(variables: ReadonlyMap<string, PipelineVariable>): RecordValue {
  return new RecordValue([...variables].map(([name, variable]) => [name, datumOf(variable)]));
}

/** A text is a text, a NUMBER a number (null while it is empty), a grid an object of its columns. */
function datumOf({ type, columns, value }: PipelineVariable): Datum {
  if (typeof value !== 'string') {
    return new RecordValue(columns.map((column, index) => [column, value.map((row) => row[index] ?? '')]));
  }
  if (type !== 'NUMBER') return value;
  return value.trim() === '' ? null : Number(value);
}
