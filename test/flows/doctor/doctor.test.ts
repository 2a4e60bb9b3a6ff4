import { expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { checkPlatform } from '../../../flows/doctor/doctor.ts';
import { startPlatform } from '../../../platform/index.ts';
import { clientFor } from '../../client/client-for.ts';
import { serve } from '../../client/serve.ts';

test('a platform that never answers is reported as hanging, every check within one deadline', async () => {
  // Answers nothing.
  await using server = await serve(() => undefined);
  const { client } = clientFor(server.baseUrl);
  const project = { projectIdOf: async () => 'p', environments: [] };
  const checks = await checkPlatform(client, project, new AbortController().signal, 200);
  expect(checks.map(({ ok, exitCode }) => ({ ok, exitCode }))).toEqual(
    Array.from({ length: 4 }, () => ({ ok: false, exitCode: 3 })),
  );
  expect(checks[0]?.message).toContain('no answer was received: no answer within');
  expect(new Set(server.received.map(({ target }) => target)).size).toBe(4);
  await client.close();
});

test('an environment of millrace.yaml that the credential cannot see is reported, and unchecked writes are named', async () => {
  await using platform = await startPlatform({
    seed: {
      projects: [{ name: 'p', environments: ['dev', 'prod'] }],
      credentials: [{ name: 'ben', role: 'member', projects: { p: { prod: 'noAccess' } } }],
    },
  });
  await using client = createClient({
    baseUrl: platform.baseUrl,
    auth: { token: platform.tokens.member },
  });
  const projectCheck = async (environments: readonly string[]) => {
    const project = { projectIdOf: async () => platform.projectId, environments };
    const checks = await checkPlatform(client, project, new AbortController().signal);
    return checks.find(({ what }) => what === 'project');
  };
  expect(await projectCheck(['dev', 'prod'])).toMatchObject({
    ok: false,
    exitCode: 2,
    message: expect.stringMatching(/has no environment "prod".*access level noAccess.*it sees dev\.$/),
    hint: expect.stringContaining('runner to run pipelines'),
  });
  expect(await projectCheck(['dev'])).toMatchObject({
    ok: true,
    message: expect.stringMatching(
      /the environments dev, and the credential can read them; .*cannot be checked/,
    ),
  });
});
