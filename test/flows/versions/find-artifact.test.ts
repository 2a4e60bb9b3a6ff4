import { expect, test } from 'vitest';
import { findArtifact } from '../../../flows/versions/find-artifact.ts';
import { findDisabled } from '../../../flows/versions/find-disabled.ts';
import { listVersions } from '../duplicate-listings.ts';
import { createFlowEnvironment, smallPipeline } from '../flow-environment.ts';

test('a version is looked for on every page: a later record of it may count', async () => {
  await using env = await createFlowEnvironment();
  const content = Buffer.from(smallPipeline);
  for (let nth = 1; nth <= 101; nth += 1) {
    await env.client.artifacts.create({
      projectId: env.context.projectId,
      versionName: `v${nth}`,
      environmentName: 'dev',
      commitHash: 'c'.repeat(40),
      files: [{ path: 'a.orch.yaml', bytes: content.length, open: () => content }],
    });
  }
  const pagesReadFor = async (version: string): Promise<number> => {
    const before = env.proxy.seen.length;
    expect((await findArtifact('dev', version, env.context))?.versionName).toBe(
      version === 'none' ? undefined : version,
    );
    return env.proxy.seen.length - before;
  };
  expect(await pagesReadFor('v101')).toBe(2);
  expect(await pagesReadFor('v1')).toBe(2);
  expect(await pagesReadFor('none')).toBe(2);
});

test.each([
  ['enabled older, disabled newer', [true, false], 'dev'],
  ['disabled older, enabled newer', [false, true], undefined],
] as const)(
  'a version that the source lists twice, %s: the newer record counts',
  async (_, states, disabledIn) => {
    await using env = await createFlowEnvironment();
    const records = states.map((enabled, hour) => ({ versionName: '1', hour, enabled }));
    for (const entries of [records, records.toReversed()]) {
      listVersions(env, 'dev', entries);
      expect((await findArtifact('dev', '1', env.context))?.enabled).toBe(states[1]);
      expect(await findDisabled({ version: '1', from: 'dev', to: 'test' }, env.context)).toBe(disabledIn);
    }
  },
);
