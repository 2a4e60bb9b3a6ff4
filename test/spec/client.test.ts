import { describe, expect, test } from 'vitest';
import { ClientError, createClient } from '../../client/index.ts';
import { type Received, reply, serve } from '../client/serve.ts';
import type { Example } from './example.ts';
import { examples } from './examples/index.ts';
import { literalForm } from './literal-form.ts';
import { clientInput } from './client-input.ts';

describe.each(examples)('$operation: $title', (example) => {
  test('the client sends the literal request and reads the literal answer', async () => {
    const { status, json, headers } = example.answer;
    await using server = await serve((response) => reply(response, status, json, headers));
    await using client = createClient({ baseUrl: server.baseUrl, auth: { token: 'literal-token' } });

    const answer = client.request(example.operation, clientInput(example));
    if (example.clientRefusesWith !== undefined) {
      await expect(answer).rejects.toMatchObject({ code: example.clientRefusesWith });
      expect(server.received).toEqual([]);
      return;
    }
    if (example.failsWith === undefined) {
      expect(await answer).toEqual('reads' in example ? example.reads : json);
    } else {
      const error: unknown = await answer.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ClientError);
      expect(error).toMatchObject({
        code: example.failsWith,
        operation: example.operation,
        status,
        attempts: 1,
      });
      expect((error as ClientError).body).toEqual(json);
    }
    expect(server.received.length).toBe(1);
    for (const request of server.received) assertLiteral(request, example);
  });
});

/** Headers that HTTP needs, or that are the client's own; all others must be literal. */
const ambient = [
  'host',
  'connection',
  'accept',
  'user-agent',
  'x-request-id',
  'content-length',
  'authorization',
];

function assertLiteral(received: Received, { request }: Example): void {
  expect(`${received.method} ${received.target}`).toBe(`${request.method} ${request.target}`);
  expect(received.headers.filter(([name]) => name.toLowerCase() === 'authorization')).toEqual([
    ['authorization', 'Bearer literal-token'],
  ]);
  const sent = received.headers.filter(([name]) => !ambient.includes(name.toLowerCase()));
  const bodyText = received.body.toString('utf8');
  if (request.form === undefined) {
    expect(Object.fromEntries(sent)).toEqual(request.headers);
    if (request.json === undefined) expect(bodyText).toBe('');
    else expect(JSON.parse(bodyText)).toEqual(request.json);
    return;
  }
  const { 'content-type': contentType = '', ...others } = Object.fromEntries(sent);
  expect(others).toEqual(request.headers);
  const boundary = /^multipart\/form-data; boundary=([\w-]+)$/.exec(contentType)?.[1] ?? 'none';
  expect(bodyText).toBe(literalForm(request.form, boundary));
  expect(received.headers).toContainEqual(['content-length', String(received.body.length)]);
}
