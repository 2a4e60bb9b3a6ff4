import { type Datum, isTrue, nameKind } from './datum.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { fail, refuse } from './expression-error.ts';
import { type Node, parseExpression } from './parse.ts';

/** A parsed expression of the JavaScript subset. */
export interface Expression {
  /** Its value. */
  evaluate(scope: Scope): Datum;
  /** Its value as the text that replaces `${…}`. */
  toText(scope: Scope): string;
  /** Whether the condition holds: an empty text, 0, null and undefined are false, as in JavaScript. */
  holds(scope: Scope): boolean;
  /** The name, if the whole expression is one. */
  readonly name: string | undefined;
}

/** Parses an expression. This function and the three methods of its result throw ExpressionError. */
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
