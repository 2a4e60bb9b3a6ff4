import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Operation } from '../../lib/contract/description/operation.ts';
import { badRequest, invalidDefinition } from '../refusal/refusal.ts';
import { fieldErrors, sentences } from '../refusal/violations.ts';

/** The validated parts of a request. */
export interface ReadRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/**
 * Validates a request.
 * @throws Refusal 400: all violations at once, or the body of §7 for a streaming definition
 */
export type RequestReader = (request: FastifyRequest, instance: string) => ReadRequest;

/**
 * Creates the reader for an operation's requests. It refuses unknown fields, unless the platform accepts them
 * (`--loose`).
 */
export function requestReader(operation: Operation, loose: boolean): RequestReader {
  const read = loose ? readLoosely : readStrictly;
  const { body: expected } = operation;
  const headerNames = Object.keys(operation.headers.shape);
  // Most requests have an empty query, and most operations no headers.
  const emptyQuery = read(operation.query, {});
  const noHeaders = read(operation.headers, {});
  return (request, instance) => {
    const params = read(operation.params, request.params);
    const asked = request.query as Record<string, unknown>;
    const query =
      Object.keys(asked).length === 0 ? emptyQuery : read(operation.query, readQuery(operation.query, asked));
    const headers =
      headerNames.length === 0 ? noHeaders : read(operation.headers, readHeaders(headerNames, request));
    const body = expected.kind === 'json' ? read(expected.schema, request.body) : undefined;
    if (params.success && query.success && headers.success && body?.success !== false)
      return { params: params.data, query: query.data, headers: headers.data, body: body?.data };
    const violations = [
      ...(params.success ? [] : sentences(params.error, 'path ')),
      ...(query.success ? [] : sentences(query.error, 'query ')),
      ...(headers.success ? [] : sentences(headers.error, 'header ')),
    ];
    if (violations.length === 0 && body?.success === false && operation.id === 'streamingPipelines.create')
      throw invalidDefinition(instance, fieldErrors(body.error));
    if (body?.success === false) violations.push(...sentences(body.error));
    throw badRequest(instance, violations);
  };
}

/** Converts numbers and booleans of a query from text. Other values stay text, and the schema refuses them. */
function readQuery(schema: z.ZodObject, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => {
      const field = schema.shape[key];
      const held = field instanceof z.ZodOptional ? field.unwrap() : field;
      if (held instanceof z.ZodNumber && typeof value === 'string' && /^-?\d{1,15}$/.test(value))
        return [key, Number(value)];
      if (held instanceof z.ZodBoolean && (value === 'true' || value === 'false'))
        return [key, value === 'true'];
      return [key, value];
    }),
  );
}

/** Matches header names without regard to case, as in HTTP. Other headers are ignored. */
function readHeaders(names: readonly string[], request: FastifyRequest): Record<string, unknown> {
  const named = names.map((name) => [name, request.headers[name.toLowerCase()]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

const options = { reportInput: true } as const;

function readStrictly<Schema extends z.ZodType>(schema: Schema, value: unknown) {
  return schema.safeParse(value, options);
}

/** Maximum number of nested levels with unknown fields; deeper ones are refused. No request of the specification is deeper. */
const maxRounds = 10;

/** Validates strictly, but first removes the fields that the schema does not know, at every level. */
function readLoosely<Schema extends z.ZodType>(schema: Schema, value: unknown) {
  let remaining = value;
  for (let round = 0; round < maxRounds; round += 1) {
    const checked = schema.safeParse(remaining, options);
    const unknown = checked.error?.issues.filter((issue) => issue.code === 'unrecognized_keys') ?? [];
    if (unknown.length === 0) return checked;
    remaining = unknown.reduce(
      (rest: unknown, { path, keys }) => without(rest, path, new Set(keys)),
      remaining,
    );
  }
  return schema.safeParse(remaining, options);
}

/** A copy of a JSON value without some keys of the object at a path. */
function without(
  value: unknown,
  [step, ...rest]: readonly PropertyKey[],
  keys: ReadonlySet<string>,
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? without(item, rest, keys) : item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, held]) => {
      if (step === undefined) return keys.has(key) ? [] : [[key, held]];
      return [[key, key === step ? without(held, rest, keys) : held]];
    }),
  );
}
