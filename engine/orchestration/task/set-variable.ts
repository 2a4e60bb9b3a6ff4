import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import type { SourceText } from '../../core/source-text.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import type { PipelineVariable } from '../../parameters/expression-scope.ts';
import type { Task } from './task.ts';

/** Sets the variable that a parameter names. */
export function setScalar({ variables }: Pick<Task, 'variables'>, name: SourceText, value: string): void {
  const refusal = variables.set(name.text, value);
  if (refusal !== undefined) throw new ParameterError(refusal, name.placeOf(0));
}

export function setGrid({ variables }: Pick<Task, 'variables'>, name: SourceText, rows: Grid): void {
  const refusal = variables.setGrid(name.text, rows);
  if (refusal !== undefined) throw new ParameterError(refusal, name.placeOf(0));
}

/** The grid that a parameter names. */
export function gridVariable({ variables }: Pick<Task, 'variables'>, name: SourceText): PipelineVariable {
  const cell = variables.cell(name.text);
  if (cell === undefined) {
    throw new ParameterError(`the variable "${name.text}" is not defined`, name.placeOf(0));
  }
  if (typeof cell.value !== 'string') return cell;
  throw new ParameterError(`the variable "${name.text}" is not a grid`, name.placeOf(0));
}
