import { closestWord } from '../../core/text/closest-word.ts';
import { meantClause } from '../../core/text/did-you-mean.ts';
import { knownKeys, nodeAt, type SchemaNode } from '../../core/values/known-keys.ts';
import {
  describeSchemaIssue,
  nearestIssues,
  type SchemaIssue,
  valueAt,
} from '../../core/errors/schema-issue.ts';

/** A problem without its position in the file: the path in the data, and whether the key or the value is wrong. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly atKey?: boolean;
}

/** Converts zod's issues to messages for the author of the file. Never repeats a value. */
export function describeIssues(
  issues: readonly SchemaIssue[],
  value: unknown,
  schema: SchemaNode,
): ConfigIssue[] {
  const nearest = issues.flatMap(nearestIssues);
  const key = ({ path }: Pick<SchemaIssue, 'path'>) => path.map(String).join('\u0000');
  const misspelled = new Set(nearest.filter(({ code }) => code === 'unrecognized_keys').map(key));
  const meant = new Set(nearest.flatMap((issue) => meantKeys(issue, schema)).map(key));
  // A missing key may be in the file with a spelling mistake.
  const isExplained = (issue: SchemaIssue) =>
    issue.code === 'custom'
      ? misspelled.has(key(issue))
      : meant.has(key(issue)) && valueAt(value, issue.path) === undefined;
  return nearest.filter((issue) => !isExplained(issue)).flatMap((issue) => describeOne(issue, value, schema));
}

/** The paths of known keys that unknown keys probably mean. */
function meantKeys({ path, keys = [] }: SchemaIssue, schema: SchemaNode): Pick<SchemaIssue, 'path'>[] {
  const allowedKeys = knownKeys(nodeAt(schema, textPath(path)));
  return keys.flatMap((unknown) => {
    const meant = closestWord(unknown, allowedKeys);
    return meant === undefined ? [] : [{ path: [...path, meant] }];
  });
}

function textPath(path: readonly PropertyKey[]): (string | number)[] {
  return path.filter((step) => typeof step !== 'symbol');
}

function describeOne(issue: SchemaIssue, value: unknown, schema: SchemaNode): ConfigIssue[] {
  const path = textPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const allowedKeys = knownKeys(nodeAt(schema, path));
    return (issue.keys ?? []).map((key) => ({
      path: [...path, key],
      message: unknownKey(key, allowedKeys),
      atKey: true,
    }));
  }
  const name = nameOf(path);
  const actual = valueAt(value, path);
  if (actual === undefined) {
    const message = `${name} is missing${onlyValue(path, nodeAt(schema, path))}`;
    return [{ path: path.slice(0, -1), message, atKey: true }];
  }
  return [{ path, message: `${name} ${describeSchemaIssue(issue, actual)}` }];
}

function nameOf(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return typeof last === 'string' ? `\`${last}\`` : `item ${last + 1} of ${nameOf(path.slice(0, -1))}`;
}

function unknownKey(key: string, allowedKeys: readonly string[]): string {
  const list = allowedKeys.length === 0 ? '' : `; known keys: ${allowedKeys.join(', ')}`;
  return `unknown key \`${key}\`${meantClause(key, allowedKeys) || list}`;
}

/** A missing key that can have one value only. */
function onlyValue(path: readonly (string | number)[], node: SchemaNode | undefined): string {
  return node?.const === undefined ? '' : `; add \`${path.at(-1) ?? ''}: ${String(node.const)}\``;
}
