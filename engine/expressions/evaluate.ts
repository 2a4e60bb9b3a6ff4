import { isList } from '../../lib/core/values/is-list.ts';
import { Arguments } from './arguments.ts';
import {
  areEqual,
  DateValue,
  type Datum,
  isTrue,
  limitText,
  nameKind,
  RecordValue,
  toNumber,
  toText,
} from './datum.ts';
import { ExpressionError, fail, refuse } from './expression-error.ts';
import { createDate, functions, namespaces } from './functions.ts';
import { callDateMethod, listMethods, numberMethods } from './other-methods.ts';
import type { Node } from './parse.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { textMethods } from './text-methods.ts';

/** The variables and the clock that an expression can use. */
export interface Scope {
  /** Finds the value of a variable. Undefined if the variable does not exist. */
  variable(name: string): { readonly value: Datum } | undefined;
  /**
   * The text of a scalar variable exactly as it was set, for `${name}`. Converting it to a number and back could lose
   * zeros and digits.
   */
  text?(name: string): string | undefined;
  /** The time that `new Date()` returns, in milliseconds since the epoch. */
  readonly now: number;
}

/** Computes the value of a parsed expression. Throws ExpressionError. */
export function evaluate(node: Node, scope: Scope): Datum {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'regex':
      return refuse('a regular expression outside `replace`', node.offset);
    case 'list':
      return node.items.map((item) => evaluate(item, scope));
    case 'name':
      return variableOf(node.name, scope, node.offset);
    case 'member':
      return memberOf(evaluate(node.object, scope), node.name, node.offset);
    case 'index':
      return itemOf(evaluate(node.object, scope), evaluate(node.index, scope), node.offset);
    case 'call':
      return call(node, scope);
    case 'new-date':
      return createDate(new Arguments('new Date', valuesOf(node.values, scope), node.offset), scope.now);
    case 'unary':
      return unary(node.operator, evaluate(node.operand, scope), node.offset);
    case 'binary':
      return binary(node, scope);
    case 'choice':
      return evaluate(isTrue(evaluate(node.test, scope)) ? node.yes : node.no, scope);
  }
}

function variableOf(name: string, scope: Scope, offset: number): Datum {
  const variable = scope.variable(name);
  if (variable !== undefined) return variable.value;
  throw new ExpressionError('failed', `the variable "${name}" is not defined`, offset);
}

function memberOf(object: Datum, name: string, offset: number): Datum {
  if ((typeof object === 'string' || isList(object)) && name === 'length') return object.length;
  if (object instanceof RecordValue) {
    if (object.entries.has(name)) return object.entries.get(name);
    fail(`there is no "${name}"; there is ${[...object.entries.keys()].slice(0, 10).join(', ')}`, offset);
  }
  if (object === null || object === undefined) fail(`${String(object)} has no "${name}"`, offset);
  return refuse(`the member \`${name}\` of ${nameKind(object)}`, offset);
}

function itemOf(object: Datum, index: Datum, offset: number): Datum {
  if (object instanceof RecordValue) return memberOf(object, toText(index, offset), offset);
  if (object === null || object === undefined) fail(`${String(object)} has no items`, offset);
  if (typeof object !== 'string' && !isList(object)) refuse(`reading an item of ${nameKind(object)}`, offset);
  const at = typeof index === 'string' && /^(?:0|[1-9]\d*)$/.test(index) ? Number(index) : index;
  if (typeof at !== 'number') refuse(`${nameKind(index)} as an index`, offset);
  return object[at];
}

function call(node: Extract<Node, { kind: 'call' }>, scope: Scope): Datum {
  const { object, name, offset } = node;
  const path = functionPath(object, name, scope);
  if (object === undefined || path !== undefined) {
    const namedFunction = functions.get(path ?? name);
    if (namedFunction === undefined) refuse(`the function \`${path ?? name}\``, offset);
    return namedFunction(new Arguments(path ?? name, valuesOf(node.values, scope), offset), scope.now);
  }
  const receiver = evaluate(object, scope);
  return callMethod(receiver, name, new Arguments(name, valuesOf(node.values, scope), offset));
}

/** `Math.min`, unless a variable has the name `Math`. */
function functionPath(object: Node | undefined, name: string, scope: Scope): string | undefined {
  if (object?.kind !== 'name' || !namespaces.has(object.name)) return undefined;
  return scope.variable(object.name) === undefined ? `${object.name}.${name}` : undefined;
}

function callMethod(receiver: Datum, name: string, values: Arguments): Datum {
  if (receiver === null || receiver === undefined)
    fail(`${String(receiver)} has no method "${name}"`, values.offset);
  if (receiver instanceof DateValue) return callDateMethod(receiver, name, values);
  const result =
    typeof receiver === 'string'
      ? bind(textMethods.get(name), receiver, values)
      : typeof receiver === 'number'
        ? bind(numberMethods.get(name), receiver, values)
        : isList(receiver)
          ? bind(listMethods.get(name), receiver, values)
          : undefined;
  if (result === undefined) refuse(`the method \`${name}\` of ${nameKind(receiver)}`, values.offset);
  return result();
}

function bind<Receiver>(
  method: ((receiver: Receiver, values: Arguments) => Datum) | undefined,
  receiver: Receiver,
  values: Arguments,
): (() => Datum) | undefined {
  return method === undefined ? undefined : () => method(receiver, values);
}

/** Patterns may be passed to a method, and nothing else can be done with them. */
function valuesOf(nodes: readonly Node[], scope: Scope): readonly (Datum | Pattern)[] {
  return nodes.map((node) =>
    node.kind === 'regex' ? compilePattern(node.source, node.flags, node.offset) : evaluate(node, scope),
  );
}

function unary(operator: '!' | '-' | '+', value: Datum, offset: number): Datum {
  if (operator === '!') return !isTrue(value);
  const number = toNumber(value, offset);
  return operator === '-' ? -number : number;
}

function binary({ operator, left, right, offset }: Extract<Node, { kind: 'binary' }>, scope: Scope): Datum {
  const first = evaluate(left, scope);
  if (operator === '&&') return isTrue(first) ? evaluate(right, scope) : first;
  if (operator === '||') return isTrue(first) ? first : evaluate(right, scope);
  const second = evaluate(right, scope);
  switch (operator) {
    case '==':
    case '===':
      return areEqual(first, second, operator === '===', offset);
    case '!=':
    case '!==':
      return !areEqual(first, second, operator === '!==', offset);
    case '+':
      return add(first, second, offset);
    case '-':
      return toNumber(first, offset) - toNumber(second, offset);
    case '*':
      return toNumber(first, offset) * toNumber(second, offset);
    case '/':
      return toNumber(first, offset) / toNumber(second, offset);
    case '%':
      return toNumber(first, offset) % toNumber(second, offset);
    default:
      return isOrdered(operator, first, second, offset);
  }
}

function add(left: Datum, right: Datum, offset: number): Datum {
  for (const value of [left, right]) {
    if (typeof value === 'object' && value !== null) refuse(`\`+\` with ${nameKind(value)}`, offset);
  }
  if (typeof left !== 'string' && typeof right !== 'string') return Number(left) + Number(right);
  const [first, second] = [toText(left, offset), toText(right, offset)];
  limitText(first.length + second.length, offset);
  return first + second;
}

function isOrdered(operator: string, left: Datum, right: Datum, offset: number): boolean {
  const areTexts = typeof left === 'string' && typeof right === 'string';
  const [first, second] = areTexts ? [left, right] : [toNumber(left, offset), toNumber(right, offset)];
  if (operator === '<') return first < second;
  if (operator === '<=') return first <= second;
  return operator === '>' ? first > second : first >= second;
}
