import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { operations } from '../../lib/contract/operations.ts';
import type { Example } from './example.ts';
import { literalForm } from './literal-form.ts';
import { differencesOf, learnIdentifiers } from './same-shape.ts';
import { startWalk, tokenOf, type Walk, walked } from './start-walk.ts';
import { clientInput } from './client-input.ts';

test('the walk asks for every operation of the contract', () => {
  const asked = new Set(walked.map(({ operation }) => operation));
  expect(asked).toEqual(new Set(operations.map(({ id }) => id)));
});

describe('the local platform answers each literal request with the literal answer', () => {
  walkThrough(askLiterally);
});

describe('the client and the local platform understand each other', () => {
  walkThrough(askByClient);
});

async function askLiterally(example: Example, walk: Walk): Promise<unknown> {
  const response = await send(example, walk);
  const text = await response.text();
  expect(response.status, text).toBe(example.answer.status);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

async function askByClient(example: Example, walk: Walk): Promise<unknown> {
  const client = createClient({ baseUrl: walk.baseUrl, auth: { token: tokenOf(example.as) } });
  const call = client.exchange(example.operation, clientInput(walk.replaced(example)));
  const code = example.clientRefusesWith ?? example.failsWith;
  if (code !== undefined) {
    await expect(call).rejects.toMatchObject({ code });
    return undefined;
  }
  const { answer, status } = await call;
  expect(status).toBe(example.answer.status);
  return answer;
}

/** One test each, in order: an example may build on what the ones before it made. */
function walkThrough(ask: (example: Example, walk: Walk) => Promise<unknown>): void {
  let walk: Walk;
  beforeAll(async () => {
    walk = await startWalk();
  });
  afterAll(async () => {
    await walk[Symbol.asyncDispose]();
  });
  for (const example of walked) {
    test(`${example.operation}: ${example.title}`, async () => {
      const actual = await ask(example, walk);
      const { json, status } = example.answer;
      // A refusal that the client has turned into an error was compared by its code.
      if (json === undefined || (status >= 300 && actual === undefined)) return;
      learnIdentifiers(json, actual, walk.identifiers);
      expect(differencesOf(walk.replaced(json), actual)).toEqual([]);
    });
  }
}

async function send(example: Example, walk: Walk): Promise<Response> {
  const { method, target, headers, json, form } = walk.replaced(example.request);
  const boundary = 'literal-boundary';
  const body =
    form === undefined ? (json === undefined ? null : JSON.stringify(json)) : literalForm(form, boundary);
  return fetch(walk.baseUrl + target, {
    method,
    body,
    headers: {
      ...headers,
      authorization: `Bearer ${tokenOf(example.as)}`,
      ...(form === undefined ? {} : { 'content-type': `multipart/form-data; boundary=${boundary}` }),
    },
  });
}
