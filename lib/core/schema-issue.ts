import { closestWord } from './closest-word.ts';

/**
 * What a schema found wrong with a value, as far as words are made of it: zod's issues have this form. All that a
 * person reads about wrong fields is worded here, for files, inputs, requests and answers alike.
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
 * The issue itself, or what is wrong with that alternative of a union that fits best: it is the one that was meant, a
 * key pair, say, that lacks its role (spec §2.3). Paths are whole.
 */
export function nearestIssues(issue: SchemaIssue): readonly SchemaIssue[] {
  const alternatives = (issue.errors ?? []).map((issues) => issues.flatMap(nearestIssues));
  const [closest = []] = alternatives.toSorted((a, b) => a.length - b.length);
  if (!closest.some(({ path, keys }) => path.length > 0 || keys !== undefined)) return [issue];
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** What is wrong with `given`, after the name of its field: `is missing`, `must be text`. Never repeats the value. */
export function describeSchemaIssue(issue: SchemaIssue, given: unknown): string {
  // A schema that has words of its own knows best; all others begin as zod's do.
  const ownWords = !/^(?:Invalid|Too|Unrecognized) /.test(issue.message);
  if (given === undefined && (!ownWords || issue.code !== 'custom')) return 'is missing';
  if (ownWords) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return mistyped(issue.expected ?? '', given);
    case 'invalid_union':
      return ofNoAlternative(issue, given);
    case 'invalid_value':
      return notAnOption((issue.values ?? []).map(String), given);
    case 'invalid_format':
      return formats[issue.format ?? ''] ?? 'does not have the form that is needed here';
    case 'too_small':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at least ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : `must hold at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
    case undefined:
    default:
      return 'is not what belongs here';
  }
}

/** The part of a value that a path leads to; undefined where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Reflect.get(found, step);
  }
  return found;
}

const formats: Readonly<Record<string, string>> = {
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  url: 'must be an address such as https://example.com',
  email: 'must be an e-mail address',
  date: 'must be a day such as 2031-01-31',
  datetime: 'must be a time with an offset, such as 2031-01-31T12:00:00Z',
};

function notAnOption(options: readonly string[], given: unknown): string {
  const meant = typeof given === 'string' ? closestWord(given, options) : undefined;
  const list = options.length === 1 ? `must be ${options[0] ?? ''}` : `must be one of ${options.join(', ')}`;
  return meant === undefined ? list : `${list}; did you mean ${meant}?`;
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

function mistyped(expected: string, given: unknown): string {
  const wanted = `must be ${typeWords[expected] ?? expected}`;
  if (given === null) return `is empty; it ${wanted}`;
  if (expected === 'string' && (typeof given === 'number' || typeof given === 'boolean')) {
    return `${wanted}; put it in quotes`;
  }
  return wanted;
}

function ofNoAlternative({ errors = [] }: SchemaIssue, given: unknown): string {
  const types = errors.flatMap((issues) =>
    issues.flatMap(({ code, expected }) =>
      code === 'invalid_type' && expected !== undefined ? [expected] : [],
    ),
  );
  if (errors.length === 0 || types.length !== errors.length) {
    const [first] = errors.flat();
    return first === undefined ? 'is not what belongs here' : describeSchemaIssue(first, given);
  }
  const words = [...new Set(types.map((type) => typeWords[type] ?? type))];
  const last = words.at(-1) ?? '';
  return `must be ${words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`}`;
}
