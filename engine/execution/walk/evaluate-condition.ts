import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { compareDecimals } from '../../../lib/core/values/decimal.ts';
import { parseWritten } from '../../core/written-number.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { sortedValue, valueFault } from '../../../lib/pipelines/model/variable-value.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import { isEmpty } from '../../../lib/yaml/yaml-node.ts';
import { Refusal } from '../../core/refusal.ts';
import { readExpression } from '../../expressions/expression.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode } from '../../parameters/parameter-reader.ts';
import { type Condition, readCombination, readConditions } from '../../parameters/read-conditions.ts';
import { withPlace } from '../../parameters/resolve-text.ts';
import { scalarText } from '../../parameters/scalar-text.ts';
import { parameterText } from '../run/parameter-text.ts';
import type { ComponentFrame } from '../run/run.ts';
import type { Cell } from '../run/variables.ts';

/**
 * Whether the condition of an `if` is true. The condition is either an expression (`mode: Advanced`) or a list of
 * rows with a variable, `Is` or `Not`, a comparator and a value, which are combined with `And` or `Or`. Throws
 * ParameterError, and Refusal for a comparator that the engine does not support.
 */
export function evaluateCondition(component: Component, frame: ComponentFrame): boolean {
  const mode = (parameterText(component, 'mode', frame) ?? 'Simple').trim().toLowerCase();
  if (mode === 'advanced') return evaluateAdvanced(component, frame);
  if (mode !== 'simple')
    throw new Refusal(
      `an \`if\` with the mode "${mode}"`,
      placeOf(component, frame),
      'use Simple or Advanced',
    );
  // A variable is named as it is, or as `${name}`, which a reader would replace by its value.
  const names = gridOf(component.parameter('condition')).map(([name = '']) =>
    name.replace(/^\$\{\s*(.*?)\s*\}$/, '$1'),
  );
  const conditions = readConditions(component.parameter('condition'), frame.reader);
  if (conditions.length === 0) {
    throw new Refusal(
      'an `if` without a condition',
      placeOf(component, frame),
      'set the parameter `condition`',
    );
  }
  const answers = conditions.map((condition, row) => evaluateRow(names[row] ?? '', condition, frame));
  const or = readCombination(component.parameter('combineConditions'), frame.reader) === 'or';
  return or ? answers.includes(true) : !answers.includes(false);
}

function evaluateAdvanced(component: Component, frame: ComponentFrame): boolean {
  const node = component.parameter('condition1');
  if (node?.kind !== 'scalar' || isEmpty(node) || node.text.trim() === '') {
    throw new Refusal(
      'an `if` without a condition',
      placeOf(component, frame),
      'set the parameter `condition1`',
    );
  }
  const text = scalarText(node, frame.reader.source);
  return withPlace(text, 0, () => readExpression(text.text).holds(frame.reader.scope));
}

function evaluateRow(name: string, condition: Condition, frame: ComponentFrame): boolean {
  const cell = frame.variables.cell(name);
  const { place } = condition.row;
  if (cell === undefined) throw new ParameterError(`the variable "${name}" is not defined`, place);
  if (typeof cell.value !== 'string')
    throw new Refusal(
      `a condition with the grid variable "${name}"`,
      place,
      'a condition can only compare scalar variables',
    );
  return compare(cell, cell.value, condition) !== condition.isNegated;
}

function compare(cell: Cell, left: string, { comparator, value, row }: Condition): boolean {
  // A variable without a value is an empty text.
  if (comparator === 'blank' || comparator === 'null or blank') return left === '';
  const order = orderOf(cell, left, value?.text ?? '', row.place);
  if (comparator === 'equal to') return order === 0;
  if (comparator === 'less than') return order < 0;
  if (comparator === 'less than or equal to') return order <= 0;
  if (comparator === 'greater than') return order > 0;
  if (comparator === 'greater than or equal to') return order >= 0;
  throw new Refusal(`the comparator "${comparator}" in an \`if\``, row.place);
}

/**
 * Text is compared as text: "10" is less than "9" unless the variable is a number. Values of other types are compared as what they are, however
 * they are written. Throws ParameterError for a value that a variable of
 * this type cannot have, such as `2024-9-6` beside a date.
 */
function orderOf({ type }: Cell, left: string, right: string, place: ParameterError['place']): number {
  const fault = type === 'NUMBER' || right === '' ? undefined : valueFault(type, right);
  if (fault !== undefined) throw new ParameterError(`the variable of the condition ${fault}`, place);
  if (type !== 'NUMBER' || left === '' || right === '')
    return compareTexts(sortedValue(type, left), sortedValue(type, right));
  const value = parseWritten(left);
  const number = parseWritten(right);
  if (value === undefined || number === undefined)
    throw new ParameterError(
      `"${value === undefined ? left : right}" in condition is not a number, but the variable of the condition is a number`,
      place,
    );
  return compareDecimals(value, number);
}

function placeOf(component: Component, { reader }: ComponentFrame) {
  const node = component.node('parameters');
  if (node !== undefined) return placeOfNode(node, reader);
  const { line, column } = component.range;
  return { file: reader.source.file, line, column };
}
