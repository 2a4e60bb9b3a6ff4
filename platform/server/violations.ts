import type * as z from 'zod';
import type { FieldError } from '../refusal.ts';

const secretFields: ReadonlySet<unknown> = new Set(['password', 'privateKey', 'passphrase']);

/** Zod's issues as the specification says them: a path to the field and a message (§7). */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap((issue) => describe(issue, []));
}

/** The same as sentences, for the `violations` of the third form (unknowns §1). */
export function sentences(error: z.core.$ZodError, where = ''): string[] {
  return error.issues.flatMap((issue) => sentencesOf(issue)).map((sentence) => `${where}${sentence}`);
}

/** One issue as sentences. */
export function sentencesOf(issue: z.core.$ZodIssue): string[] {
  return describe(issue, []).map(({ field, message }) => `${field === '' ? 'the value' : field} ${message}`);
}

function describe(issue: z.core.$ZodIssue, base: readonly PropertyKey[]): FieldError[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: fieldPath([...path, key]), message: 'is not a known field' }));
  if (issue.code === 'invalid_union') {
    // Of the alternatives, the one that fits best is the one that was meant.
    const [nearest] = issue.errors.toSorted((a, b) => a.length - b.length);
    const issues = nearest ?? [];
    const deeper = issues.some((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys');
    if (deeper) return issues.flatMap((inner) => describe(inner, path));
  }
  return [{ field: fieldPath(path), message: wordingOf(issue) }];
}

function wordingOf(issue: z.core.$ZodIssue): string {
  const missing = issue.input === undefined || issue.input === null;
  if (missing && issue.code !== 'custom') return 'must not be null';
  if (
    issue.code === 'too_small' &&
    issue.minimum === 1 &&
    (issue.origin === 'string' || issue.origin === 'array')
  )
    return 'must not be empty';
  // Spec §2.3, §2.5: a secret is named, never sent.
  if (typeof issue.input === 'string' && secretFields.has(issue.path.at(-1)))
    return 'must be a secret reference';
  return issue.code === 'custom' ? issue.message : `is wrong: ${issue.message}`;
}

/** A path as people write it: `tables[0].schema`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${String(step)}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
