import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Datum, RecordValue } from '../../../engine/expressions/datum.ts';
import type { Scope } from '../../../engine/expressions/evaluate.ts';
import { ExpressionError } from '../../../engine/expressions/expression-error.ts';
import { readExpression } from '../../../engine/expressions/expression.ts';

const texts = fc.stringMatching(/^[ -~]{0,6}$/).map((text) => JSON.stringify(text));
const numbers = fc.oneof(fc.nat(20).map(String), fc.constantFrom('0.5', '1e3', '.25'));
const names = fc.constantFrom('a', 'n', 'list', 'grid.x', 'true', 'null', 'undefined');

/** Texts of expressions, most of which the engine supports. */
export const expressions = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const pair = fc.tuple(inner, inner);
  const operator = fc.constantFrom(
    '+',
    '-',
    '*',
    '/',
    '%',
    '==',
    '!=',
    '===',
    '!==',
    '<',
    '<=',
    '>',
    '>=',
    '&&',
    '||',
  );
  const method = fc.constantFrom(
    'indexOf',
    'lastIndexOf',
    'includes',
    'startsWith',
    'substring',
    'slice',
    'split',
    'substr',
    'charAt',
    'at',
  );
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(texts, numbers, names),
      fc.tuple(inner, operator, inner).map(([left, sign, right]) => `${left} ${sign} ${right}`),
      inner.map((text) => `(${text})`),
      inner.map((text) => `!(${text})`),
      inner.map((text) => `-(${text})`),
      fc.tuple(inner, pair).map(([test, [yes, no]]) => `(${test}) ? ${yes} : ${no}`),
      fc.tuple(inner, method, inner).map(([text, name, value]) => `String(${text}).${name}(${value})`),
      fc
        .tuple(inner, pair)
        .map(([text, [from, to]]) => `String(${text}).replaceAll(String(${from}), String(${to}))`),
      fc
        .tuple(inner, fc.constantFrom('[a-c]', '\\\\d+', '.', '(x|1)', '^'), inner)
        .map(
          ([text, pattern, to]) =>
            `String(${text}).replace(/${pattern.replace('\\\\', '\\')}/g, String(${to}))`,
        ),
      inner.map((text) => `(${text}).length`),
      fc.tuple(inner, inner).map(([list, index]) => `(${list})[${index}]`),
    ),
  };
}).expression;

const values: Readonly<Record<string, Datum>> = { a: 'Ab c1', n: 7, list: ['x', 'y', 'z'] };
const grid = { x: ['1', '2'] };
const scope: Scope = {
  now: 0,
  variable(name) {
    if (name === 'grid') return { value: new RecordValue(Object.entries(grid)) };
    return Object.hasOwn(values, name) ? { value: values[name] } : undefined;
  },
};

/** JavaScript and the engine give the same value, unless the engine refuses; where JavaScript throws, the engine does. */
export function expectSameAsJavaScript(text: string): void {
  let value: unknown;
  try {
    value = readExpression(text).evaluate(scope);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    expect(error.offset).toBeGreaterThanOrEqual(0);
    expect(error.offset).toBeLessThanOrEqual(text.length);
    return;
  }
  const expected: unknown = runInNewContext(text, { ...values, grid }, { timeout: 1000 });
  // Lists of another context have another prototype.
  expect(Array.isArray(value) ? [...value] : value).toEqual(
    Array.isArray(expected) ? Array.from<unknown>(expected) : expected,
  );
}
