import { expect, test } from 'vitest';
import { operationExamples } from '../../../lib/contract/examples.ts';
import { targetOf } from '../../../lib/contract/operation-reference.ts';
import { asOperation, operations } from '../../../lib/contract/operations.ts';
import { walked } from '../../spec/start-walk.ts';

const rows = operations.map((operation) => [operation.id, asOperation(operation)] as const);

test('each operation has one example, and nothing else has', () => {
  expect(Object.keys(operationExamples).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

test.each(rows)('the example of %s fits the schemas of request and answer', (id, operation) => {
  const { params, query, headers, body, files, answer } = operationExamples[id];
  expect(operation.params.safeParse(params ?? {}).error).toBeUndefined();
  expect(operation.query.safeParse(query ?? {}).error).toBeUndefined();
  expect(operation.headers.safeParse(headers ?? {}).error).toBeUndefined();
  if (operation.body.kind === 'json') expect(operation.body.schema.safeParse(body).error).toBeUndefined();
  else expect(body).toBeUndefined();
  expect(files !== undefined).toBe(operation.body.kind === 'multipart');
  expect(operation.answer?.safeParse(answer).error).toBeUndefined();
});

// test/spec sends these literal requests to the local platform and compares its answers.
test.each(rows)('the example of %s is one that the local platform is tested with', (id, operation) => {
  const example = operationExamples[id];
  const literals = walked
    .filter((literal) => literal.operation === id && literal.answer.status < 300)
    .map(({ request, answer }) => ({
      line: `${request.method} ${decodeURIComponent(request.target)}`,
      headers: Object.entries(request.headers).filter(([name]) => name !== 'content-type'),
      body: request.json,
      files: request.form?.map(({ key }) => key),
      answer: answer.json,
    }));
  expect(literals).toContainEqual({
    line: `${operation.method} ${decodeURIComponent(targetOf(operation, example))}`,
    headers: Object.entries(example.headers ?? {}),
    body: example.body,
    files: example.files,
    answer: example.answer,
  });
});
