import type { z } from 'zod';
import { closestWord } from '../model/closest-word.ts';

/** A problem before it has a place: where in the data, and whether the key or the value is meant. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly atKey?: boolean;
}

type SchemaNode = z.core.JSONSchema.BaseSchema;

type Issue = z.core.$ZodIssue;

/** Turns one of zod's issues into sentences for the person who wrote the file. Never repeats a value. */
export function describeIssue(issue: Issue, value: unknown, schema: SchemaNode): ConfigIssue[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  const name = nameOf(path);
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(nodeAt(schema, path)?.properties ?? {});
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, known), atKey: true }));
  }
  const given = valueAt(value, path);
  if (given === undefined) return [{ path: path.slice(0, -1), message: `${name} is missing`, atKey: true }];
  return [{ path, message: `${name} ${sentence(issue, given)}` }];
}

function nameOf(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return typeof last === 'string' ? `\`${last}\`` : `item ${last + 1} of ${nameOf(path.slice(0, -1))}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = closestWord(key, known);
  const hint = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean \`${meant}\`?`;
  return `unknown key \`${key}\`; ${hint}`;
}

function sentence(issue: Issue, given: unknown): string {
  // A schema that has words of its own knows best; all others begin as zod's do.
  if (!/^(?:Invalid|Too|Unrecognized) /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return mistyped(issue.expected, given);
  if (issue.code === 'invalid_union') return 'must be a single value: text, a number, true or false';
  if (issue.code === 'invalid_value') return notAnOption(issue.values.map(String), given);
  if (issue.code === 'too_small') {
    if (issue.origin === 'number' || issue.origin === 'int') return `must be at least ${issue.minimum}`;
    return issue.minimum === 1 ? 'must not be empty' : `must hold at least ${issue.minimum}`;
  }
  if (issue.code === 'too_big') {
    return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
  }
  return issue.message;
}

function notAnOption(options: readonly string[], given: unknown): string {
  const meant = typeof given === 'string' ? closestWord(given, options) : undefined;
  const list = options.length === 1 ? `must be ${options[0] ?? ''}` : `must be one of ${options.join(', ')}`;
  return meant === undefined ? list : `${list}; did you mean ${meant}?`;
}

const typeWords: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of keys',
};

function mistyped(expected: string, given: unknown): string {
  const wanted = `must be ${typeWords[expected] ?? expected}`;
  if (given === null) return `is empty; it ${wanted}`;
  if (expected === 'string' && (typeof given === 'number' || typeof given === 'boolean')) {
    return `${wanted}; put it in quotes`;
  }
  return wanted;
}

function nodeAt(schema: SchemaNode, path: readonly (string | number)[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema;
  for (const step of path) node = node && childAt(node, step);
  return node;
}

function childAt(
  { properties, additionalProperties, items }: SchemaNode,
  step: string | number,
): SchemaNode | undefined {
  const child = typeof step === 'number' ? items : (properties?.[step] ?? additionalProperties);
  return typeof child === 'object' && !Array.isArray(child) ? child : undefined;
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Reflect.get(found, step);
  }
  return found;
}
