import type { Component } from '../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import type { TestRun } from '../compare/test-run.ts';
import { ownerOf } from './examples/variable-forms.ts';

/**
 * Chooses values with which the last condition before a failed end has the opposite result. Returns false if no
 * condition with a variable and a fixed value is left.
 */
export function takeOtherBranch(
  { wanted: chosenValues, decided }: { readonly wanted: Map<string, string>; readonly decided: Set<string> },
  { state, project }: Pick<TestRun, 'state' | 'project'>,
): boolean {
  for (const { pipeline, component: name, type, message } of state.steps.toReversed()) {
    const key = ownerOf(pipeline, name);
    const component = type === 'if' ? project.pipeline(pipeline)?.components.get(name) : undefined;
    if (component === undefined || decided.has(key)) continue;
    decided.add(key);
    const values = valuesFor(component, !message.startsWith('Condition is true'));
    for (const [variable, value] of values) chosenValues.set(ownerOf(pipeline, variable), value);
    if (values.length > 0) return true;
  }
  return false;
}

/** Values of the variables of a condition for which it holds, or does not. */
function valuesFor(
  component: Component,
  holds: boolean,
): readonly (readonly [name: string, value: string])[] {
  const rows = gridOf(component.parameter('condition'));
  const or = component.text('combineConditions')?.trim().toLowerCase() === 'or';
  const values = rows.map(([name = '', word = '', comparator = '', value = '']) => {
    const isEqual = holds !== (word.trim().toLowerCase() === 'not');
    const needed = valueFor(comparator.trim().toLowerCase(), value, isEqual);
    return needed === undefined ? undefined : ([name.replace(/^\$\{\s*(.*?)\s*\}$/, '$1'), needed] as const);
  });
  const fixedValues = values.filter((value) => value !== undefined);
  if (holds === or) return fixedValues.slice(0, 1);
  return fixedValues.length === values.length ? fixedValues : [];
}

function valueFor(comparator: string, value: string, holds: boolean): string | undefined {
  if (/blank$|^null$/.test(comparator)) return holds ? '' : '1';
  if (value.includes('${')) return undefined;
  const number = /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
  const beside = (step: 1 | -1) => (number === undefined ? undefined : String(number + step));
  switch (comparator) {
    case 'equal to':
      return holds ? value : (beside(1) ?? `not ${value}`);
    case 'less than':
      return holds ? beside(-1) : value;
    case 'less than or equal to':
      return holds ? value : beside(1);
    case 'greater than':
      return holds ? beside(1) : value;
    case 'greater than or equal to':
      return holds ? value : beside(-1);
    default:
      return undefined;
  }
}
