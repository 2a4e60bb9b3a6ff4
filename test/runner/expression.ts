import { messageOf } from '../../lib/core/errors/message-of.ts';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** A value of an expression. Of an object only the keys that it has may be asked for; a `Map` gives nothing for others. */
export type Value =
  string | number | boolean | null | { readonly [key: string]: Value } | ReadonlyMap<string, Value>;

export interface ExpressionContext {
  readonly values: Readonly<Record<string, Value>>;
  /** `success`, `failure`, `always`, `cancelled` and whatever else may be called here, beside what GitHub builds in. */
  readonly functions: Readonly<Record<string, () => boolean>>;
}

/** GitHub gives an empty value for an unknown key; a typing error in an action.yml would pass unseen. */
class StrictDictionary extends data.Dictionary {
  override get(key: string): data.ExpressionData {
    const found = super.get(key);
    if (found === undefined) throw new Error(`unknown name ${key}`);
    return found;
  }
}

function dataOf(value: Value): data.ExpressionData {
  if (value === null) return new data.Null();
  if (typeof value === 'string') return new data.StringData(value);
  if (typeof value === 'number') return new data.NumberData(value);
  if (typeof value === 'boolean') return new data.BooleanData(value);
  const open = value instanceof Map;
  const entries: Iterable<[string, Value]> = open ? value : Object.entries(value);
  const pairs = Array.from(entries, ([key, inner]) => ({ key, value: dataOf(inner) }));
  return open ? new data.Dictionary(...pairs) : new StrictDictionary(...pairs);
}

function evaluated(source: string, { values, functions }: ExpressionContext): data.ExpressionData {
  try {
    const callable = Object.entries(functions).map(([name, call]) => ({
      name,
      minArgs: 0,
      maxArgs: 0,
      call: () => new data.BooleanData(call()),
    }));
    const { tokens } = new Lexer(source).lex();
    const tree = new Parser(tokens, Object.keys(values), callable).parse();
    const context = Object.entries(values).map(([key, value]) => ({ key, value: dataOf(value) }));
    const known = new Map(callable.map((one) => [one.name, one]));
    return new Evaluator(tree, new data.Dictionary(...context), known).evaluate();
  } catch (cause) {
    throw new Error(`${source}: ${messageOf(cause)}`, { cause });
  }
}

/** Evaluates one expression (without `${{ }}`) as GitHub does; throws on a name or a function that is not there. */
export function evaluate(source: string, context: ExpressionContext): string | number | boolean | null {
  const result = evaluated(source, context);
  switch (result.kind) {
    case data.Kind.Null:
      return null;
    case data.Kind.String:
    case data.Kind.Number:
    case data.Kind.Boolean:
      return result.value;
    case data.Kind.Array:
    case data.Kind.Dictionary:
      return result.coerceString();
  }
}

/** Whether a condition holds; without a status function in it, `success()` is meant as well. */
export function isDue(condition: string, context: ExpressionContext): boolean {
  const source = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/su, '$1');
  const texts = new Lexer(source).lex().tokens.map(({ lexeme }) => lexeme.toLowerCase());
  const asks = texts.some((text, at) => Object.hasOwn(context.functions, text) && texts[at + 1] === '(');
  return Boolean(evaluate(asks ? source : `success() && (${source})`, context));
}

/** Two closing braces inside a text of an expression do not end it. */
const expressions = /\$\{\{((?:'(?:[^']|'')*'|(?!\}\})[^'])*)\}\}/gsu;

/** Replaces every `${{ … }}` in a text. */
export function interpolate(text: string, context: ExpressionContext): string {
  return text.replaceAll(expressions, (_, source: string) => evaluated(source, context).coerceString());
}
