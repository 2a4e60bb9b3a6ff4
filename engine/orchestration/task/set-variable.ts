import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import type { SourceText } from '../../core/source-text.ts';
import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import type { PipelineVariable } from '../../parameters/expression-scope.ts';
import { placeOfNode } from '../../parameters/parameter-reader.ts';
import { readRows } from '../../parameters/read-rows.ts';
import type { Task } from './task.ts';

/** Sets the scalar variable that a parameter names. */
export function setScalar({ variables }: Pick<Task, 'variables'>, name: SourceText, value: string): void {
  const refusal = variables.set(name.text, value);
  if (refusal !== undefined) throw new ParameterError(refusal, name.placeOf(0));
}

export function setGrid({ variables }: Pick<Task, 'variables'>, name: SourceText, rows: Grid): void {
  const refusal = variables.setGrid(name.text, rows);
  if (refusal !== undefined) throw new ParameterError(refusal, name.placeOf(0));
}

/** A variable, and the name of the column whose values it gets. */
export interface MappedVariable {
  readonly variable: SourceText;
  readonly column: SourceText;
}

/**
 * Reads the parameter that maps columns to variables. `variableAt` is the index of the variable in a row. Throws
 * ParameterError for a variable that is not defined, and for a variable that is mapped twice, because one of its
 * values would be lost.
 */
export function mappedVariables(
  { parameters, reader, variables }: Task,
  key: string,
  variableAt: 0 | 1,
): readonly MappedVariable[] {
  const names = new Set<string>();
  const mapping = readRows(childOf(parameters, key), reader).map(({ cells, place }) => {
    const [variable, column] = [cells[variableAt], cells[1 - variableAt]];
    if (variable === undefined || column === undefined || variable.text === '') {
      const order = variableAt === 0 ? 'a variable and a column' : 'a column and a variable';
      throw new ParameterError(`each row of ${key} needs two values: ${order}`, place);
    }
    if (variables.cell(variable.text) === undefined)
      throw new ParameterError(`the variable "${variable.text}" is not defined`, variable.placeOf(0));
    if (names.has(variable.text)) {
      const message = `the variable "${variable.text}" is mapped twice in ${key}; remove one of its two rows`;
      throw new ParameterError(message, variable.placeOf(0));
    }
    names.add(variable.text);
    return { variable, column };
  });
  return mapping;
}

/** Throws ParameterError for a mapping without rows, which would have no effect. */
export function refuseNoMapping(
  mapping: readonly unknown[],
  key: string,
  { parameters, reader }: Task,
): void {
  if (mapping.length > 0) return;
  throw new ParameterError(`the parameter ${key} is not set`, placeOfNode(parameters, reader));
}

/** Finds the grid variable that a parameter names. */
export function gridVariable({ variables }: Pick<Task, 'variables'>, name: SourceText): PipelineVariable {
  const cell = variables.cell(name.text);
  if (cell === undefined) {
    throw new ParameterError(`the variable "${name.text}" is not defined`, name.placeOf(0));
  }
  if (typeof cell.value !== 'string') return cell;
  throw new ParameterError(`the variable "${name.text}" is not a grid`, name.placeOf(0));
}
