import type * as z from 'zod';
import { describeSchemaIssue } from '../../lib/core/errors/schema-issue.ts';
import type { FieldError } from './refusal.ts';

const secretFields: ReadonlySet<unknown> = new Set(['password', 'privateKey', 'passphrase']);

/** Converts Zod issues to the form of the specification (§7): the path of the field and a message. */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap((issue) => describe(issue, []));
}

/** Converts Zod issues to sentences, for `violations` in the third form (unknowns §1). */
export function sentences(error: z.core.$ZodError, where = ''): string[] {
  return error.issues
    .flatMap((issue) => listed(describe(issue, [])))
    .map((sentence) => `${where}${sentence}`);
}

/** Converts issues to sentences for a file or a program, in which an absent key "is missing". */
export function writtenSentences(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => listed(describe(issue, [], 'is missing')));
}

function listed(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, message }) => `${field === '' ? 'the value' : field} ${message}`);
}

function describe(
  issue: z.core.$ZodIssue,
  base: readonly PropertyKey[],
  absent = 'must not be null',
): FieldError[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: fieldPath([...path, key]), message: 'is not a known field' }));
  if (issue.code === 'invalid_union') {
    // Report the alternative of the union with the fewest issues.
    const [nearest] = issue.errors.toSorted((a, b) => a.length - b.length);
    const issues = nearest ?? [];
    const deeper = issues.some((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys');
    if (deeper) return issues.flatMap((inner) => describe(inner, path, absent));
  }
  return [{ field: fieldPath(path), message: wordingOf(issue, absent) }];
}

function wordingOf(issue: z.core.$ZodIssue, absent: string): string {
  if (issue.input === undefined && issue.code !== 'custom') return absent;
  if (issue.input === null && issue.code !== 'custom') return 'must not be null';
  if (
    issue.code === 'too_small' &&
    issue.minimum === 1 &&
    (issue.origin === 'string' || issue.origin === 'array')
  )
    return 'must not be empty';
  // Spec §2.3, §2.5: a secret is a reference, never the value.
  if (typeof issue.input === 'string' && secretFields.has(issue.path.at(-1)))
    return 'must be a secret reference';
  return issue.code === 'custom' ? issue.message : `is wrong: ${describeSchemaIssue(issue, issue.input)}`;
}

/** Renders a path: `tables[0].schema`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${String(step)}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
