import { expect, test } from 'vitest';
import { openApiOf } from '../../../lib/contract/openapi.ts';
import { asOperation, operations } from '../../../lib/contract/operations.ts';

const document = JSON.parse(JSON.stringify(openApiOf(operations.map(asOperation), '0.0.0'))) as {
  paths: Record<string, Record<string, Described>>;
};
interface Described {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>;
}
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('the document describes each operation once', () => {
  expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
    operations.map(({ id }) => id).toSorted(),
  );
});

test('a path with a trailing slash is separate from the one without', () => {
  expect(Object.keys(document.paths['/v1/projects/{projectId}/artifacts/'] ?? {})).toEqual(['get']);
  expect(Object.keys(document.paths['/v1/projects/{projectId}/artifacts'] ?? {}).toSorted()).toEqual([
    'patch',
    'post',
  ]);
});

test('headers are parameters with the names of the specification', () => {
  const review = described.find(({ operationId }) => operationId === 'reviews.create');
  expect(review?.parameters).toContainEqual(
    expect.objectContaining({ name: 'Agent-Version', in: 'header', required: true }),
  );
});

test('a request rejects unknown fields, an answer accepts them', () => {
  const start = described.find(({ operationId }) => operationId === 'executions.start');
  expect(start?.requestBody?.content['application/json']?.schema).toMatchObject({
    additionalProperties: false,
  });
  const answer = start?.responses['201']?.content?.['application/json']?.schema;
  expect(answer).toMatchObject({ required: ['pipelineExecutionId'] });
  expect(answer).not.toMatchObject({ additionalProperties: false });
});

test('no schema names a dialect, and every reference has a target', () => {
  const text = JSON.stringify(document);
  expect(text).not.toContain('$schema');
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
  expect(new Set(references)).toEqual(new Set(['#/components/schemas/Error']));
});

test('every answer with a body has a schema, also where the schema transforms the body', () => {
  const empty = described.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      content !== undefined && Object.keys(content['application/json']?.schema ?? {}).length === 0
        ? [operationId]
        : [],
    ),
  );
  expect(empty).toEqual([]);
});
