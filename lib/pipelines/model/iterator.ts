import type { Component } from './component.ts';
import { type Grid, gridOf } from './grid.ts';

export interface Iteration {
  /** Names of the variables with a new value in each iteration. */
  readonly variables: readonly string[];
  /** Only the literal `Concurrent` counts; the value of a variable is unknown (unknowns §4). */
  readonly concurrent: boolean;
  readonly target: string | undefined;
  /**
   * The iterations of a fixed iterator: one row of values each, in the order of the variables. Empty for other
   * iterators.
   */
  readonly values: Grid;
}

interface IteratorForm {
  readonly parameters: readonly string[];
  /** Which cell names the variable in rows of several (unknowns §5). */
  readonly cell: 0 | 1;
}

const forms: ReadonlyMap<string, IteratorForm> = new Map([
  ['fixed-iterator', { parameters: ['variablesToIterate'], cell: 0 }],
  ['loop-iterator', { parameters: ['variableToIterate'], cell: 0 }],
  ['grid-iterator', { parameters: ['gridIteratorVariableMapping'], cell: 1 }],
  ['table-iterator', { parameters: ['columnMapping', 'columnMapping1'], cell: 1 }],
  ['file-iterator', { parameters: ['variables'], cell: 0 }],
]);

/** Whether a cell in a parameter's rows is the name of a variable of the iterator. */
export function namesIteratorVariable(
  type: string,
  parameter: string,
  row: { readonly length: number },
  cell: number,
): boolean {
  const form = forms.get(type);
  if (form === undefined || !form.parameters.includes(parameter)) return false;
  return cell === (row.length > 1 ? form.cell : 0);
}

/** The target and variables of an iterator; undefined for any other component. */
export function iterationOf(component: Component): Iteration | undefined {
  const form = forms.get(component.type);
  if (form === undefined) return undefined;
  const variables = form.parameters
    .flatMap((name) => gridOf(component.parameter(name)))
    .map((row) => (row.length > 1 ? row[form.cell] : row[0]) ?? '')
    .filter((name) => name !== '');
  return {
    variables: [...new Set(variables)],
    concurrent: component.text('concurrency') === 'Concurrent',
    target: component.iterationTarget,
    // Unknowns §5: the values are next to the variables, one row per iteration.
    values: component.type === 'fixed-iterator' ? gridOf(component.parameter('iterationValues')) : [],
  };
}
