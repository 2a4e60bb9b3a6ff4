import type * as z from 'zod';
import { errorBody } from './description/error-body.ts';
import { wireSchema } from './description/wire-schema.ts';
import type { ErrorCondition, Operation } from './description/operation.ts';

type Json = Record<string, unknown>;

/**
 * The contract as an OpenAPI 3.1 document. Its `x-` fields hold the role, the retry class and the section of an operation,
 * and mark answers that the specification does not show. A pure function; `docs/openapi.json` holds its result.
 */
export function openApiOf(operations: readonly Operation[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Data pipeline platform API',
      version,
      description:
        'Generated from lib/contract/operations.ts; see docs/unknowns.md for what the specification leaves open.',
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'https://platform.example.com' } } }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(areaOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: wireSchema(errorBody) },
    },
  };
}

function areaOf({ id }: Operation): string {
  return id.slice(0, id.indexOf('.'));
}

function describeOperation(operation: Operation): Json {
  const parameters = [
    ...parametersOf(operation.params, 'path'),
    ...parametersOf(operation.query, 'query'),
    ...parametersOf(operation.headers, 'header'),
  ];
  return {
    operationId: operation.id,
    tags: [areaOf(operation)],
    summary: operation.summary,
    'x-section': operation.section,
    'x-role': operation.role,
    'x-retry': operation.retry,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(operation),
    responses: { [operation.status]: goodAnswerOf(operation), ...refusalsOf(operation.errors) },
  };
}

function parametersOf(schema: z.ZodObject, place: 'path' | 'query' | 'header'): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: !field.safeParse(undefined).success,
    schema: wireSchema(field as z.ZodType),
  }));
}

function requestBodyOf({ body }: Operation): Json {
  switch (body.kind) {
    case 'none':
      return {};
    case 'json':
      return {
        requestBody: { required: true, content: { 'application/json': { schema: wireSchema(body.schema) } } },
      };
    case 'multipart':
      return {
        requestBody: {
          required: true,
          description: 'One part per file; the key is the file’s path relative to the project root.',
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                additionalProperties: { type: 'string', contentMediaType: 'text/plain' },
              },
            },
          },
        },
      };
  }
}

function goodAnswerOf(operation: Operation): Json {
  const notShown = operation.answerNotShown === true;
  const description = notShown ? 'Done. The specification does not show this answer.' : 'Done.';
  return {
    description,
    ...(notShown ? { 'x-not-shown': true } : {}),
    ...(operation.answer === undefined
      ? {}
      : { content: { 'application/json': { schema: wireSchema(operation.answer) } } }),
  };
}

/** Several conditions may share a status. */
function refusalsOf(errors: readonly ErrorCondition[]): Record<string, Json> {
  const byStatus = Map.groupBy(errors, ({ status }) => String(status));
  return Object.fromEntries(
    [...byStatus].map(([status, conditions]) => [
      status,
      {
        description: conditions.map(({ when, section }) => `${when} (${section})`).join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
