import type { Component } from './component.ts';
import { type Grid, gridOf } from './grid.ts';

export interface Iteration {
  /** Names of the variables that take a new value in each round. */
  readonly variables: readonly string[];
  /** Only the word `Concurrent` counts; a reference to a variable may turn out to be anything (unknowns §4). */
  readonly concurrent: boolean;
  readonly target: string | undefined;
  /** The rounds of a fixed iterator: one row of values each, in the order of the variables. Empty for any other. */
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

/** What an iterator repeats and with which variables; nothing for any other component. */
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
    // Unknowns §5: the rounds stand beside the variables, one row of values each.
    values: component.type === 'fixed-iterator' ? gridOf(component.parameter('iterationValues')) : [],
  };
}
