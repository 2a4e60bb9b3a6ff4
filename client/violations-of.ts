import type * as z from 'zod';
import type { Violation } from './errors.ts';

/** A schema's complaint as violations that name the fields of the method's input. */
export function violationsOf(issue: z.core.$ZodIssue, nameInInput: (name: string) => string): Violation[] {
  return fieldIssues(issue).map(({ path, message }) => {
    const [head = '', ...tail] = path.map(String);
    return { field: [nameInInput(head), ...tail].join('.'), message };
  });
}

interface FieldIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function fieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: 'is not a field of this operation',
    }));
  }
  if (issue.code === 'invalid_union') {
    // The alternative that fits best is the one that was meant: a key pair, say, that lacks its role (§2.3).
    const alternatives = issue.errors.map((issues) => issues.flatMap(fieldIssues));
    const closest = alternatives.toSorted((a, b) => a.length - b.length)[0] ?? [];
    if (closest.some(({ path }) => path.length > 0)) {
      return closest.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
    }
  }
  return [{ path: issue.path, message: issue.message }];
}
