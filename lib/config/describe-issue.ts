import type { z } from 'zod';
import { closestWord } from '../core/closest-word.ts';
import { describeSchemaIssue, nearestIssues, type SchemaIssue, valueAt } from '../core/schema-issue.ts';

/** A problem without its position in the file: the path in the data, and whether the key or the value is wrong. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly atKey?: boolean;
}

type SchemaNode = z.core.JSONSchema.BaseSchema;

/** Converts one of zod's issues to messages for the author of the file. Never repeats a value. */
export function describeIssue(issue: SchemaIssue, value: unknown, schema: SchemaNode): ConfigIssue[] {
  return nearestIssues(issue).flatMap((one) => describeOne(one, value, schema));
}

function describeOne(issue: SchemaIssue, value: unknown, schema: SchemaNode): ConfigIssue[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(nodeAt(schema, path));
    return (issue.keys ?? []).map((key) => ({
      path: [...path, key],
      message: unknownKey(key, known),
      atKey: true,
    }));
  }
  const name = nameOf(path);
  const given = valueAt(value, path);
  if (given === undefined) return [{ path: path.slice(0, -1), message: `${name} is missing`, atKey: true }];
  return [{ path, message: `${name} ${sentence(issue, given)}` }];
}

/** The allowed keys of a map: its properties, or the listed names of a record. */
function knownKeys(node: SchemaNode | undefined): string[] {
  const { properties = {}, propertyNames } = node ?? {};
  const names = typeof propertyNames === 'object' ? (propertyNames.enum ?? []) : [];
  return [...Object.keys(properties), ...names.map(String)];
}

function nameOf(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return typeof last === 'string' ? `\`${last}\`` : `item ${last + 1} of ${nameOf(path.slice(0, -1))}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = closestWord(key, known);
  if (meant !== undefined) return `unknown key \`${key}\`; did you mean \`${meant}\`?`;
  return `unknown key \`${key}\`${known.length === 0 ? '' : `; known keys: ${known.join(', ')}`}`;
}

function sentence(issue: SchemaIssue, given: unknown): string {
  if (issue.code === 'invalid_union' && issue.message.startsWith('Invalid '))
    return 'must be a single value: text, a number, true or false';
  return describeSchemaIssue(issue, given);
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
