import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Logger } from '../../../lib/core/ports/ports.ts';
import { secretForms } from '../../environment/secret-forms.ts';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

const secret = 'tok/en+with=signs';
const forms = secretForms(secret);

describe('a token that the platform returns', () => {
  test.each([
    [
      'as JSON',
      (response: Parameters<typeof reply>[0]) =>
        reply(response, 400, { error: forms.join(' '), status: 400 }),
    ],
    ['as text', (response: Parameters<typeof reply>[0]) => void response.writeHead(500).end(forms.join(' '))],
    [
      'in a redirect',
      (response: Parameters<typeof reply>[0]) =>
        reply(response, 302, undefined, { location: `http://${secret}.example.com/` }),
    ],
  ])('%s appears neither in the error nor in the log', async (_, answer) => {
    const lines: unknown[] = [];
    const keep = (message: string, fields?: Record<string, unknown>): void =>
      void lines.push([message, fields]);
    const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
    await using server = await serve(answer);
    const { client } = clientFor(server.baseUrl, { auth: { token: secret }, logger });
    const error = await errorOf(calls.once(client));
    const everything = inspect([error, lines], { depth: 9, showHidden: true });
    for (const form of forms) expect(everything).not.toContain(form);
    expect(lines.length).toBeGreaterThan(0);
  });
});

test('a logger that throws does not fail the call', async () => {
  await using server = await serve((response) => reply(response, 201, good.once));
  const full = (): never => {
    throw new Error('the disk is full');
  };
  const { client } = clientFor(server.baseUrl, {
    logger: { debug: full, info: full, warn: full, error: full },
  });
  expect(await calls.once(client)).toEqual(good.once);
});
