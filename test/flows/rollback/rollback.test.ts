import { expect, test } from 'vitest';
import { drift } from '../../../flows/drift/drift.ts';
import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { chooseRollback } from '../../../flows/rollback/choose-rollback.ts';
import { publish } from '../../../flows/publish/publish.ts';
import { publishShared } from '../../../flows/publish/publish-shared.ts';
import { rollback } from '../../../flows/rollback/rollback.ts';
import { rollBackShared } from '../../../flows/rollback/roll-back-shared.ts';
import { listSharedVersions, listVersions } from '../duplicate-listings.ts';
import { createFlowEnvironment, smallPipeline, source, type FlowEnvironment } from '../flow-environment.ts';

const disabling = (env: FlowEnvironment) => env.proxy.seen.filter((line) => line.startsWith('PATCH '));

test('a rollback never takes a version that the list shows twice for the version before', async () => {
  await using env = await createFlowEnvironment();
  listVersions(env, 'dev', [
    { versionName: 'v1.0.0', hour: 2 },
    { versionName: 'v1.0.0', hour: 2 },
  ]);

  await expect(rollback({ environment: 'dev', dryRun: false }, env.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
  });
  expect(disabling(env)).toEqual([]);
});

test('of two entries of one version the newer counts, and of two of one time the disabled one', async () => {
  await using env = await createFlowEnvironment();
  listVersions(env, 'dev', [
    { versionName: 'v1', hour: 1, enabled: false },
    { versionName: 'v1', hour: 2 },
    { versionName: 'v2', hour: 3 },
    { versionName: 'v2', hour: 3, enabled: false },
  ]);

  const listed = await listArtifacts('dev', env.context);
  expect(listed.map(({ versionName, enabled }) => [versionName, enabled])).toEqual([
    ['v2', false],
    ['v1', true],
  ]);
});

test('drift reports a version that the list shows twice once, and its environment once', async () => {
  await using env = await createFlowEnvironment();
  const { platform, repository, context } = env;
  listVersions(env, 'dev', [
    { versionName: 'v1', hour: 1 },
    { versionName: 'v1', hour: 1 },
  ]);
  const environment = { name: 'dev', defaultAgentId: platform.projectId, defaultAgentName: 'runner' };
  platform.faults.add([
    {
      operation: 'environments.list',
      status: 200,
      body: { page: 0, size: 25, total: 2, results: [environment, environment] },
    },
  ]);

  const report = await drift(
    { repository, release: { tag: 'v*', version: '{tag}' }, environments: [], failOn: 'never' },
    context,
  );
  expect(report.environments.map(({ environment: name, versions }) => [name, versions.length])).toEqual([
    ['dev', 1],
  ]);
});

const shared = (ids: readonly string[]) => `version: "1.0"
type: shared-pipelines-config
pipelines:
${ids
  .map(
    (id) => `  - pipeline: ${id}.orch.yaml
    displayName: ${id}
    id: ${id}
    description: Does something.
    enabled: true
    parameters: {}
`,
  )
  .join('')}`;

/** Each version shares one pipeline more than the one before. */
async function sharing(...versions: string[]): Promise<FlowEnvironment> {
  const env = await createFlowEnvironment();
  const ids: string[] = [];
  for (const version of versions) {
    ids.push(`convert-${version}`);
    env.work.write(`convert-${version}.orch.yaml`, smallPipeline);
    env.work.write('.platform/shared-pipelines.yaml', shared(ids));
    env.work.commit(version);
    const request = { ...source(env), prefix: 'finance', configDir: '.platform', version, dryRun: false };
    await publishShared(request, env.context);
  }
  return env;
}

const enabledShared = async ({ client }: FlowEnvironment): Promise<string[]> => {
  const names: string[] = [];
  for await (const { versionName } of client.sharedArtifacts.list({ sharedPipelineIdPrefix: 'finance' }))
    names.push(versionName);
  return names;
};
const back = { prefix: 'finance', dryRun: false };

test('a shared rollback disables the newest enabled version and says what callers will miss', async () => {
  await using env = await sharing('1', '2');

  expect(await rollBackShared({ ...back, dryRun: true }, env.context)).toMatchObject({
    disabled: '2',
    live: '1',
  });
  expect(await enabledShared(env)).toEqual(['2', '1']);

  expect(await rollBackShared({ ...back, version: '2' }, env.context)).toMatchObject({
    outcome: 'passed',
    prefix: 'finance',
    disabled: '2',
    live: '1',
    removedIds: [{ id: 'convert-2', version: '2' }],
  });
  expect(await enabledShared(env)).toEqual(['1']);
  expect(await rollBackShared({ ...back, version: '2' }, env.context)).toMatchObject({
    outcome: 'already-done',
    live: '1',
  });
});

test('a shared rollback never disables the last enabled version of a prefix', async () => {
  await using env = await sharing('1');

  await expect(rollBackShared(back, env.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
  });
  listSharedVersions(env, 'finance', [
    { versionName: '1', hour: 1 },
    { versionName: '1', hour: 1 },
  ]);
  await expect(rollBackShared(back, env.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
  });
  expect(disabling(env)).toEqual([]);
});

test('a shared rollback of an unknown prefix or of an older version is refused', async () => {
  await using env = await sharing('1', '2');

  await expect(rollBackShared({ ...back, prefix: 'sales' }, env.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
    message: 'No version of the shared pipelines sales is enabled, so there is nothing to roll back.',
  });
  await expect(rollBackShared({ ...back, version: '1' }, env.context)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('The live version is 2.'),
  });
  expect(await enabledShared(env)).toEqual(['2', '1']);
});

test('keep-enabled never disables the last enabled version when the list shows it twice', async () => {
  await using env = await sharing('1');
  listSharedVersions(env, 'finance', [
    { versionName: '1', hour: 1 },
    { versionName: '1', hour: 1 },
  ]);

  const request = { ...source(env), prefix: 'finance', configDir: '.platform', version: '1' };
  const report = await publishShared({ ...request, keepEnabled: 1, dryRun: false }, env.context);
  expect([report.disabled, disabling(env)]).toEqual([[], []]);
});

test('a misspelled environment or version is reported with the one that was meant', async () => {
  await using env = await createFlowEnvironment();
  env.work.write('a.orch.yaml', smallPipeline);
  env.work.commit('A pipeline');
  const upload = { ...source(env), version: 'v1.0.0', environment: 'dev', connectors: false, dryRun: false };
  await publish(upload, env.context);

  await expect(rollback({ environment: 'dve', dryRun: false }, env.context)).rejects.toMatchObject({
    code: 'not-found',
    hint: expect.stringMatching(/^Did you mean "dev"\?/) as string,
  });
  const misspelled = { environment: 'dev', version: 'v1.0.00', dryRun: false };
  await expect(rollback(misspelled, env.context)).rejects.toMatchObject({
    where: { input: 'version' },
    hint: expect.stringMatching(/^Did you mean "v1\.0\.0"\?/) as string,
  });
});

test('a person goes back only to an earlier, enabled version that was verified there, and over those between', () => {
  const listed = (['v1', 'v2', 'v3', 'v4'] as const).map((versionName, hour) => ({
    versionName,
    enabled: versionName !== 'v2',
    createdAt: new Date(hour * 3_600_000).toISOString(),
  }));
  const choose = (to: string, verified?: ReadonlySet<string>) =>
    chooseRollback(listed, { to, verified, place: 'in prod' });
  expect(choose('v1')).toMatchObject({ disabled: 'v4', alsoDisabled: ['v3'], live: 'v1' });
  expect(choose('v3', new Set(['v3']))).toMatchObject({ disabled: 'v4', alsoDisabled: [], live: 'v3' });
  for (const [to, message] of [
    ['v4', 'Version v4 is already live in prod.'],
    ['v2', 'Version v2 is disabled in prod.'],
    ['v9', 'Version v9 does not exist in prod.'],
    ['v3', 'Version v3 was never verified in prod.'],
  ] as const)
    expect(() => choose(to, new Set(['v1', 'v2'])), to).toThrow(message);
});
