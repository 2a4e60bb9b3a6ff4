import type * as z from 'zod';
import { inputNameOf } from '../../lib/contract/description/input-name.ts';
import type { Operation } from '../../lib/contract/description/operation.ts';
import { RequestInvalid, VersionInvalid, type Violation } from '../errors/errors.ts';
import type { UploadFile } from './upload-file.ts';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';
import {
  describeSchemaIssue,
  nearestIssues,
  type SchemaIssue,
  valueAt,
} from '../../lib/core/errors/schema-issue.ts';

/** The flat input of a method, split by the part of the request that carries each field. */
export interface ValidatedInput {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  /** By the header's name in the specification. */
  readonly headers: Record<string, string | undefined>;
  readonly body: unknown;
  readonly files: readonly UploadFile[];
}

/**
 * Splits a method's input and validates it against the contract. Rejects unknown fields.
 *
 * @throws {VersionInvalid} first, because its message says more than a schema's message.
 * @throws {RequestInvalid} naming each field that is wrong.
 */
export function validateInput(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): ValidatedInput {
  validateVersionName(operation.id, input['versionName']);
  const taken = new Set<string>();
  const violations: Violation[] = [];

  const take = (schema: z.ZodObject, nameInInput: (name: string) => string): Record<string, unknown> => {
    const part: Record<string, unknown> = {};
    const names = Object.keys(schema.shape);
    if (names.length === 0) return part;
    for (const name of names) {
      const field = nameInInput(name);
      if (!taken.has(field) && input[field] !== undefined) part[name] = input[field];
      taken.add(field);
    }
    return check(schema, part, nameInInput);
  };
  const bodyFields = operation.body.kind === 'json' ? Object.keys(operation.body.schema.shape) : [];
  const fieldNames = () => [...taken, ...bodyFields];
  const check = (schema: z.ZodType, part: unknown, nameInInput = same): Record<string, unknown> => {
    const result = schema.safeParse(part, withoutCompiling);
    if (result.success) return result.data as Record<string, unknown>;
    violations.push(
      ...result.error.issues.flatMap((issue) => violationsOf(issue, part, nameInInput, fieldNames())),
    );
    return {};
  };

  const params = take(operation.params, same);
  const query = take(operation.query, same);
  const headers = take(operation.headers, inputNameOf) as Record<string, string | undefined>;
  const files = operation.body.kind === 'multipart' ? takeFiles(input, taken, violations) : [];
  const rest = Object.entries(input).filter(([field]) => !taken.has(field));
  const body =
    operation.body.kind === 'json' ? check(operation.body.schema, Object.fromEntries(rest)) : undefined;
  if (operation.body.kind !== 'json') {
    violations.push(...rest.map(([field]) => unknownField(field, taken)));
  }
  if (violations.length > 0) throw new RequestInvalid({ operation: operation.id, violations });
  return { params, query, headers, body, files };
}

/** Inputs are small: in a process with few calls, compiling their schemas takes more time than it saves. */
const withoutCompiling = { jitless: true };

const same = (name: string): string => name;

function takeFiles(
  { files }: Readonly<Record<string, unknown>>,
  taken: Set<string>,
  violations: Violation[],
): readonly UploadFile[] {
  taken.add('files');
  violations.push(...violationsOfFiles(files));
  return Array.isArray(files) ? (files as UploadFile[]) : [];
}

/** The violations in the files of an upload that can be found before the files are opened. */
export function violationsOfFiles(files: unknown): Violation[] {
  const field = 'files';
  if (!Array.isArray(files) || files.length === 0)
    return [{ field, message: 'must contain at least one file' }];
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const file of files as (Partial<UploadFile> | null | undefined)[]) {
    const path = file?.path;
    const bytes = file?.bytes ?? Number.NaN;
    if (typeof path !== 'string' || path === '') {
      violations.push({ field, message: 'contains a file without a path' });
      continue;
    }
    if (seen.has(path)) violations.push({ field, message: `contains “${path}” twice` });
    else if (!Number.isSafeInteger(bytes) || bytes < 0)
      violations.push({ field, message: `contains “${path}” without its size in bytes` });
    seen.add(path);
  }
  return violations;
}

/** The field that was meant may have a similar name. */
function unknownField(field: string, fieldNames: Iterable<string>): Violation {
  return { field, message: `is not a field of this operation${meantClause(field, fieldNames)}` };
}

/** A schema issue about `value` as violations with the field names of the method's input. */
function violationsOf(
  issue: SchemaIssue,
  value: unknown,
  nameInInput: (name: string) => string,
  fieldNames: readonly string[] = [],
): Violation[] {
  const field = (path: readonly PropertyKey[]): string => {
    const [head = '', ...tail] = path.map(String);
    return [nameInInput(head), ...tail].join('.');
  };
  return nearestIssues(issue).flatMap((nearest): Violation[] =>
    nearest.code === 'unrecognized_keys'
      ? (nearest.keys ?? []).map((key) =>
          unknownField(field([...nearest.path, key]), nearest.path.length === 0 ? fieldNames : []),
        )
      : [{ field: field(nearest.path), message: describeSchemaIssue(nearest, valueAt(value, nearest.path)) }],
  );
}

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/u;

/**
 * Rejects a version name with a control character and, for the shared pipeline artifacts (spec §4.8 rule 1), `latest`
 * and `[Latest]`, the spelling of the consumers' selector.
 *
 * @throws {VersionInvalid}
 */
function validateVersionName(operation: string, version: unknown): void {
  if (typeof version !== 'string') return;
  const field = 'versionName';
  if (control.test(version)) {
    throw new VersionInvalid({
      operation,
      field,
      reason: 'it contains a line break or another control character',
    });
  }
  if (operation.startsWith('sharedArtifacts.') && (version === 'latest' || version === '[Latest]')) {
    throw new VersionInvalid({
      operation,
      field,
      reason:
        `the platform looks for a version with the literal name “${version}” and answers 404 (spec §4.8 rule 1); ` +
        'omit versionName to get the latest enabled version',
    });
  }
}
