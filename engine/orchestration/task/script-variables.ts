import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import type { PipelineVariable } from '../../parameters/expression-scope.ts';
import type { ScriptVariable } from '../../python/python.ts';
import type { Task, TaskVariables } from './task.ts';

/** Converts the variables of a pipeline to the form in which a Python script receives them. */
export function scriptVariables(all: ReadonlyMap<string, PipelineVariable>): readonly ScriptVariable[] {
  return [...all].map(([name, { type, columns, value }]) => {
    if (typeof value !== 'string') return { name, type: 'GRID', columns, value };
    if (type !== 'NUMBER') return { name, type: 'TEXT', columns, value };
    return { name, type: 'NUMBER', columns, value: numberText(value) };
  });
}

/** A number as Python reads it: variables may have other forms, such as `0x10`. */
function numberText(value: string): string {
  const text = value.trim();
  return /^(?:|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/.test(text) ? text : String(Number(text));
}

/**
 * Sets the variables that a Python script has set: either all of them or none. Returns the reason if a variable
 * cannot have its value. The process of the script checks this too and can name the line, but its answer cannot be
 * trusted.
 */
export function setFromScript(
  set: ReadonlyMap<string, string | Grid>,
  { variables, maxRows }: Pick<Task, 'variables' | 'maxRows'>,
): string | undefined {
  const large = [...set].find(([, value]) => typeof value !== 'string' && value.length > maxRows);
  if (large !== undefined)
    return `the grid "${large[0]}" has more than ${maxRows} rows, which is the limit of a grid`;
  const before = variables.all();
  const refusals = [...set].flatMap(([name, value]) => setOne(name, value, variables) ?? []);
  if (refusals.length === 0) return undefined;
  for (const [name, { value }] of before) if (set.has(name)) setOne(name, value, variables);
  return refusals[0];
}

function setOne(name: string, value: string | Grid, variables: TaskVariables): string | undefined {
  return typeof value === 'string' ? variables.set(name, value) : variables.setGrid(name, value);
}
