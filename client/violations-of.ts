import { describeSchemaIssue, nearestIssues, type SchemaIssue, valueAt } from '../lib/core/schema-issue.ts';
import type { Violation } from './errors.ts';

/** A schema issue about `value` as violations with the field names of the method's input. */
export function violationsOf(
  issue: SchemaIssue,
  value: unknown,
  nameInInput: (name: string) => string,
): Violation[] {
  const field = (path: readonly PropertyKey[]): string => {
    const [head = '', ...tail] = path.map(String);
    return [nameInInput(head), ...tail].join('.');
  };
  return nearestIssues(issue).flatMap((one): Violation[] =>
    one.code === 'unrecognized_keys'
      ? (one.keys ?? []).map((key) => ({
          field: field([...one.path, key]),
          message: 'is not a field of this operation',
        }))
      : [{ field: field(one.path), message: describeSchemaIssue(one, valueAt(value, one.path)) }],
  );
}
