import { type Datum, isTrue, nameKind } from './datum.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { fail, refuse } from './expression-error.ts';
import { type Node, parseExpression } from './parse.ts';

/** A parsed expression of the supported subset of JavaScript. */
export interface Expression {
  /** Returns the value of the expression. */
  evaluate(scope: Scope): Datum;
  /** Returns the text with which the expression is replaced in `${…}`. */
  toText(scope: Scope): string;
  /**
   * Whether the expression is true as a condition. As in JavaScript, an empty text, 0, null and undefined are false.
   */
  holds(scope: Scope): boolean;
  /** The name of the variable, if the whole expression is a single name. */
  readonly name: string | undefined;
}

/** Parses an expression. Throws ExpressionError, and so do the three methods of the result. */
export function readExpression(text: string): Expression {
  const tree = parseExpression(text);
  return {
    evaluate: (scope) => evaluate(tree, scope),
    toText: (scope) => textOf(evaluate(tree, scope), tree),
    holds: (scope) => isTrue(evaluate(tree, scope)),
    name: tree.kind === 'name' ? tree.name : undefined,
  };
}

function textOf(value: Datum, { offset }: Node): string {
  if (value === undefined) fail('the expression has no value', offset);
  if (value === null) return '';
  if (typeof value === 'object') refuse(`converting ${nameKind(value)} to text`, offset);
  return String(value);
}
