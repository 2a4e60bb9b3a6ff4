import { meantClause } from '../text/did-you-mean.ts';

/**
 * An issue that a schema found, in the form of zod's issues. This file words every message about invalid fields, for
 * files, inputs, requests and answers.
 */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string | undefined;
  readonly values?: readonly unknown[];
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly format?: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly SchemaIssue[])[];
}

/**
 * The issue itself; for a union, the issues of the alternative that is closest to the value and so probably
 * intended (for example a key pair without its role, spec §2.3). Alternatives for other types of values are
 * ignored. Paths are complete.
 */
export function nearestIssues(issue: SchemaIssue): readonly SchemaIssue[] {
  const [closest] = (issue.errors ?? [])
    .map((issues) => issues.flatMap(nearestIssues))
    .filter((issues) => issues.length > 0 && !issues.some(isOfAnotherType))
    .toSorted((a, b) => a.length - b.length);
  return closest?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

function isOfAnotherType({ code = '', path }: SchemaIssue): boolean {
  return path.length === 0 && ['invalid_type', 'invalid_value', 'invalid_union'].includes(code);
}

/**
 * Describes the issue as text to put after the name of the field: `is missing`, `must be text`. Never repeats the
 * value.
 */
export function describeSchemaIssue(issue: SchemaIssue, value: unknown): string {
  // A schema's own message is more specific; zod's default messages begin with these words.
  const ownWords = !/^(?:Invalid|Too|Unrecognized) /.test(issue.message);
  if (value === undefined && (!ownWords || issue.code !== 'custom')) return 'is missing';
  if (ownWords) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return mistyped(issue.expected ?? '', value);
    case 'invalid_union':
      return ofNoAlternative(issue, value);
    case 'invalid_value':
      return notAnOption(issue.values ?? [], value);
    case 'invalid_format':
      return formats[issue.format ?? ''] ?? 'has the wrong format';
    case 'too_small':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at least ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : `must contain at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
    case undefined:
    default:
      return 'has an invalid value';
  }
}

/** The part of a value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let part = value;
  for (const step of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) return undefined;
    part = Reflect.get(part, step);
  }
  return part;
}

const formats: Readonly<Record<string, string>> = {
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  url: 'must be a URL such as https://example.com',
  email: 'must be an e-mail address',
  date: 'must be a date such as 2031-01-31',
  datetime: 'must be a time with an offset, such as 2031-01-31T12:00:00Z',
};

function notAnOption(values: readonly unknown[], value: unknown): string {
  const options = values.map(String);
  if (typeof value === 'string' && options.includes(value)) return `must be ${value} without quotes`;
  const meant = typeof value === 'string' ? meantClause(value, options) : '';
  const list = options.length === 1 ? `must be ${options[0] ?? ''}` : `must be one of ${options.join(', ')}`;
  return `${list}${meant}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of keys',
};

function mistyped(expected: string, value: unknown): string {
  const requirement = `must be ${typeWords[expected] ?? expected}`;
  if (value === null) return `is empty; it ${requirement}`;
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return `${requirement}; put it in quotes`;
  }
  if (typeof value === 'string' && isQuoted(value, expected))
    return `${requirement}; write it without quotes`;
  return requirement;
}

/** Whether a text is a number, or true or false, that a person put in quotes. */
function isQuoted(text: string, expected: string): boolean {
  if (expected === 'boolean') return text === 'true' || text === 'false';
  return ['number', 'int'].includes(expected) && /^-?\d+(?:\.\d+)?$/.test(text);
}

function ofNoAlternative({ errors = [] }: SchemaIssue, value: unknown): string {
  const types = errors.flatMap((issues) =>
    issues.flatMap(({ code, expected }) =>
      code === 'invalid_type' && expected !== undefined ? [expected] : [],
    ),
  );
  if (errors.length === 0 || types.length !== errors.length) {
    const [first] = errors.flat();
    return first === undefined ? 'has an invalid value' : describeSchemaIssue(first, value);
  }
  const words = [...new Set(types.map((type) => typeWords[type] ?? type))];
  const last = words.at(-1) ?? '';
  return `must be ${words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`}`;
}
