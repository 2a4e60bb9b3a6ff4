import { type Datum, RecordValue } from '../../../engine/expressions/datum.ts';
import type { Scope } from '../../../engine/expressions/evaluate.ts';
import { readExpression } from '../../../engine/expressions/expression.ts';
import { ExpressionError } from '../../../engine/expressions/expression-error.ts';

const variables: Readonly<Record<string, Datum>> = {
  a: 'Alpha',
  b: 'beta',
  flag: 'y',
  count: 1,
  max: 0,
  empty: '',
  connector: 's3',
  config: new RecordValue([
    ['connector', ['jdbc', 's3']],
    ['code', ['J', 'S']],
  ]),
  __proto__: 'unused',
};

export const scope: Scope = {
  now: Date.UTC(2026, 10, 3, 4, 5, 6, 789),
  variable: (name) => (Object.hasOwn(variables, name) ? { value: variables[name] } : undefined),
};

export function valueOf(text: string): Datum {
  return readExpression(text).evaluate(scope);
}

/** The error of an expression: its kind, its offset and its message. */
export function errorOf(text: string): string {
  try {
    valueOf(text);
    return 'no error';
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return `${error.kind} ${error.offset}: ${error.message}`;
  }
}
