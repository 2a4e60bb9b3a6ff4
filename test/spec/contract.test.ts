import { describe, expect, test } from 'vitest';
import { errorBody } from '../../lib/contract/description/error-body.ts';
import { asOperation, findOperation, operations } from '../../lib/contract/operations.ts';
import type { Operation } from '../../lib/contract/description/operation.ts';
import type { Example } from './example.ts';
import { examples } from './examples/index.ts';

const isGood = ({ answer }: Example): boolean => answer.status < 300;

test('the contract has the 34 operations of the specification, each once', () => {
  expect(operations.length).toBe(34);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(34);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(34);
});

test.each(operations.map(({ id }) => id))('%s has a literal request and a literal good answer', (id) => {
  expect(examples.some((example) => example.operation === id && isGood(example))).toBe(true);
});

test('each refusal of section 7 has a literal body or says that none is shown', () => {
  const refused = examples.filter((example) => !isGood(example)).map(({ answer }) => answer.status);
  expect(new Set(refused)).toEqual(new Set([400, 401, 403, 404, 409, 410, 429]));
});

describe.each(examples)('$operation: $title', (example) => {
  const operation = rowOf(example);
  const url = new URL(example.request.target, 'http://platform.example.com');

  test('method and path are the contract’s, slash by slash', () => {
    expect(example.request.method).toBe(operation.method);
    expect(url.pathname).toMatch(new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
  });

  test('the contract’s schemas accept the literal query, headers and body', () => {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(Object.keys(operation.params.shape)).toEqual(names);
    for (const name of url.searchParams.keys()) expect(Object.keys(operation.query.shape)).toContain(name);
    const { 'content-type': contentType, ...headers } = example.request.headers;
    expect(operation.headers.safeParse(headers).error).toBeUndefined();
    expect(contentType).toBe(operation.body.kind === 'json' ? 'application/json' : undefined);
    expect(example.request.form !== undefined).toBe(operation.body.kind === 'multipart');
    if (operation.body.kind !== 'json') return;
    // A definition that is to be refused is refused by the schema too.
    const accepted = operation.body.schema.safeParse(example.request.json).success;
    expect(accepted).toBe(example.clientRefusesWith === undefined);
  });

  test('the literal answer is read by the contract', () => {
    const { status, json } = example.answer;
    if (isGood(example)) {
      expect(operation.answer?.safeParse(json).error).toBeUndefined();
      return;
    }
    if (json !== undefined) expect(errorBody.parse(json)).toEqual(json);
    expect([...operation.errors.map((error) => error.status), 429]).toContain(status);
  });
});

function rowOf({ operation }: Example): Operation {
  const row = findOperation(operation);
  if (row === undefined) throw new Error(`the contract has no ${operation}`);
  return asOperation(row);
}
