import { expect, test } from 'vitest';
import { drift } from '../../../flows/drift/drift.ts';
import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { publishShared } from '../../../flows/publish/publish-shared.ts';
import { rollback } from '../../../flows/rollback/rollback.ts';
import { rollBackShared } from '../../../flows/rollback/roll-back-shared.ts';
import { listSharedVersions, listVersions } from '../doubled-lists.ts';
import { setStage, smallPipeline, source, type Stage } from '../stage.ts';

const disabling = (stage: Stage) => stage.proxy.seen.filter((line) => line.startsWith('PATCH '));

test('a rollback never takes a version that the list shows twice for the version before', async () => {
  await using stage = await setStage();
  listVersions(stage, 'dev', [
    { versionName: 'v1.0.0', hour: 2 },
    { versionName: 'v1.0.0', hour: 2 },
  ]);

  await expect(rollback({ environment: 'dev', dryRun: false }, stage.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
  });
  expect(disabling(stage)).toEqual([]);
});

test('of two entries of one version the newer counts, and of two of one time the disabled one', async () => {
  await using stage = await setStage();
  listVersions(stage, 'dev', [
    { versionName: 'v1', hour: 1, enabled: false },
    { versionName: 'v1', hour: 2 },
    { versionName: 'v2', hour: 3 },
    { versionName: 'v2', hour: 3, enabled: false },
  ]);

  const listed = await listArtifacts('dev', stage.context);
  expect(listed.map(({ versionName, enabled }) => [versionName, enabled])).toEqual([
    ['v2', false],
    ['v1', true],
  ]);
});

test('drift reports a version that the list shows twice once, and its environment once', async () => {
  await using stage = await setStage();
  const { platform, repository, context } = stage;
  listVersions(stage, 'dev', [
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
async function sharing(...versions: string[]): Promise<Stage> {
  const stage = await setStage();
  const ids: string[] = [];
  for (const version of versions) {
    ids.push(`convert-${version}`);
    stage.work.write(`convert-${version}.orch.yaml`, smallPipeline);
    stage.work.write('.platform/shared-pipelines.yaml', shared(ids));
    stage.work.commit(version);
    const request = { ...source(stage), prefix: 'finance', configDir: '.platform', version, dryRun: false };
    await publishShared(request, stage.context);
  }
  return stage;
}

const enabledShared = async ({ client }: Stage): Promise<string[]> => {
  const names: string[] = [];
  for await (const { versionName } of client.sharedArtifacts.list({ sharedPipelineIdPrefix: 'finance' }))
    names.push(versionName);
  return names;
};
const back = { prefix: 'finance', dryRun: false };

test('a shared rollback disables the newest enabled version and says what callers will miss', async () => {
  await using stage = await sharing('1', '2');

  expect(await rollBackShared({ ...back, dryRun: true }, stage.context)).toMatchObject({
    disabled: '2',
    live: '1',
  });
  expect(await enabledShared(stage)).toEqual(['2', '1']);

  expect(await rollBackShared({ ...back, version: '2' }, stage.context)).toMatchObject({
    outcome: 'passed',
    prefix: 'finance',
    disabled: '2',
    live: '1',
    gone: [{ id: 'convert-2', version: '2' }],
  });
  expect(await enabledShared(stage)).toEqual(['1']);
  expect(await rollBackShared({ ...back, version: '2' }, stage.context)).toMatchObject({
    outcome: 'already-done',
    live: '1',
  });
});

test('a shared rollback never disables the last enabled version of a prefix', async () => {
  await using stage = await sharing('1');

  await expect(rollBackShared(back, stage.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
  });
  listSharedVersions(stage, 'finance', [
    { versionName: '1', hour: 1 },
    { versionName: '1', hour: 1 },
  ]);
  await expect(rollBackShared(back, stage.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
  });
  expect(disabling(stage)).toEqual([]);
});

test('a shared rollback of an unknown prefix or of an older version is refused', async () => {
  await using stage = await sharing('1', '2');

  await expect(rollBackShared({ ...back, prefix: 'sales' }, stage.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
    message: 'No version of the shared pipelines sales is enabled.',
  });
  await expect(rollBackShared({ ...back, version: '1' }, stage.context)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('2 is'),
  });
  expect(await enabledShared(stage)).toEqual(['2', '1']);
});

test('keep-enabled never disables the last enabled version when the list shows it twice', async () => {
  await using stage = await sharing('1');
  listSharedVersions(stage, 'finance', [
    { versionName: '1', hour: 1 },
    { versionName: '1', hour: 1 },
  ]);

  const request = { ...source(stage), prefix: 'finance', configDir: '.platform', version: '1' };
  const report = await publishShared({ ...request, keepEnabled: 1, dryRun: false }, stage.context);
  expect([report.disabled, disabling(stage)]).toEqual([[], []]);
});
