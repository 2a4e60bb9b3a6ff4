import type { Component } from '../../lib/pipelines/component.ts';
import { gridOf } from '../../lib/pipelines/grid.ts';
import { resolveText } from './resolve-text.ts';
import type { Variables } from './variables.ts';

/**
 * Evaluates an `if` in its simple mode: rows of variable, `Is` or `Not`, comparator and value, joined by `And` or
 * `Or`. `undefined` if it cannot be evaluated here: an advanced condition is in the platform's own language.
 */
export function evaluateCondition(
  component: Component,
  variables: Variables,
): { readonly answer: boolean } | { readonly undefinedName: string } | undefined {
  const mode = component.text('mode') ?? 'Simple';
  const rows = gridOf(component.parameter('condition'));
  if (mode !== 'Simple' || rows.length === 0) return undefined;
  const answers: boolean[] = [];
  for (const [subject = '', qualifier = '', comparator = '', value = ''] of rows) {
    const name = subject.replace(/^\$\{\s*(.*?)\s*\}$/, '$1');
    const cell = variables.cell(name);
    if (cell === undefined) return { undefinedName: name };
    if (typeof cell.value !== 'string') return undefined;
    const other = resolveText(value, variables);
    const answer = other.partial ? undefined : compare(cell.value, comparator, other.text, cell.type);
    if (answer === undefined || !/^(is|not)$/i.test(qualifier)) return undefined;
    answers.push(qualifier.toLowerCase() === 'not' ? !answer : answer);
  }
  const or = component.text('combineConditions')?.toLowerCase() === 'or';
  return { answer: or ? answers.includes(true) : !answers.includes(false) };
}

function compare(left: string, comparator: string, right: string, type: string): boolean | undefined {
  // Text is compared as text: "10" is less than "9" unless the variable is a number.
  const order =
    type === 'NUMBER' && left !== '' && right !== ''
      ? Number(left) - Number(right)
      : Number(left > right) - Number(left < right);
  switch (comparator.toLowerCase()) {
    case 'equal to':
      return order === 0;
    case 'less than':
      return order < 0;
    case 'less than or equal to':
      return order <= 0;
    case 'greater than':
      return order > 0;
    case 'greater than or equal to':
      return order >= 0;
    case 'blank':
      return left.trim() === '';
    default:
      return undefined;
  }
}
