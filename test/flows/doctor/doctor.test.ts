import { expect, test } from 'vitest';
import { checkPlatform } from '../../../flows/doctor/doctor.ts';
import { clientFor } from '../../client/client-for.ts';
import { serve } from '../../client/serve.ts';

test('a platform that never answers is reported as hanging, every check within one deadline', async () => {
  // Answers nothing.
  await using server = await serve(() => undefined);
  const { client } = clientFor(server.baseUrl);
  const checks = await checkPlatform(client, async () => 'p', new AbortController().signal, 200);
  expect(checks.map(({ ok, exitCode }) => ({ ok, exitCode }))).toEqual(
    Array.from({ length: 4 }, () => ({ ok: false, exitCode: 3 })),
  );
  expect(checks[0]?.message).toContain('no answer was received: no answer within');
  expect(new Set(server.received.map(({ target }) => target)).size).toBe(4);
  await client.close();
});
