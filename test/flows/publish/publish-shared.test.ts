import { expect, test } from 'vitest';
import { publishShared } from '../../../flows/publish/publish-shared.ts';
import { setStage, smallPipeline, source, type Stage } from '../stage.ts';

const shared = `version: "1.0"
type: shared-pipelines-config
pipelines:
  - pipeline: convert.orch.yaml
    displayName: Convert
    id: convert
    description: Converts.
    enabled: true
    parameters: {}
`;
const into = { prefix: 'finance', configDir: '.platform', dryRun: false };

async function sharing(): Promise<Stage> {
  const stage = await setStage();
  stage.work.write('convert.orch.yaml', smallPipeline);
  stage.work.write('.platform/shared-pipelines.yaml', shared);
  stage.work.commit('A shared pipeline');
  return stage;
}

const publishes = (stage: Stage) =>
  stage.proxy.seen.filter((line) => line === 'POST /v1/shared-pipelines/artifacts');

test('a shared version is published with its configuration file, once', async () => {
  await using stage = await sharing();
  const request = { ...source(stage), ...into, version: '1' };

  const first = await publishShared(request, stage.context);
  const second = await publishShared(request, stage.context);

  expect(first).toMatchObject({ outcome: 'passed', sharedPipelines: ['convert'] });
  expect(first.files.map(({ path }) => path)).toContain('.platform/shared-pipelines.yaml');
  expect(second).toMatchObject({ outcome: 'already-done', files: [] });
  expect(publishes(stage)).toHaveLength(1);
  const { artifactDetails } = await stage.client.sharedArtifacts.details({
    sharedPipelineIdPrefix: 'finance',
  });
  expect(artifactDetails).toMatchObject({ versionName: '1', enabled: true, commitHash: first.commit });
});

test('the same shared version from another commit is refused: it is immutable', async () => {
  await using stage = await sharing();
  await publishShared({ ...source(stage), ...into, version: '1' }, stage.context);
  stage.work.commit('Another');

  await expect(
    publishShared({ ...source(stage), ...into, version: '1' }, stage.context),
  ).rejects.toMatchObject({ code: 'version-exists' });
});

test('a shared version that is there but disabled does not pass', async () => {
  await using stage = await sharing();
  const request = { ...source(stage), ...into, version: '1' };
  await publishShared(request, stage.context);
  const version = { sharedPipelineIdPrefix: 'finance', versionName: '1' };
  await stage.client.sharedArtifacts.setEnabled({ ...version, enabled: false });

  await expect(publishShared(request, stage.context)).rejects.toMatchObject({
    code: 'version-disabled',
    exitCode: 1,
    message: 'Version 1 of finance is published already and disabled.',
    hint: expect.stringContaining('sharedArtifacts.setEnabled'),
  });
  expect(publishes(stage)).toHaveLength(1);
});

test('a shared publish whose answer was lost does not pass when the version turns out to be disabled', async () => {
  await using stage = await sharing();
  const commitHash = stage.work.git('rev-parse', 'HEAD');
  stage.proxy.decide((line) => {
    if (line === 'POST /v1/shared-pipelines/artifacts') return 'lose-answer';
    if (publishes(stage).length > 0) {
      const artifactDetails = {
        sharedPipelineIdPrefix: 'finance',
        versionName: '1',
        enabled: false,
        createdAt: '2026-01-01T01:00:00Z',
        provider: 'git-host',
        commitHash,
        branch: null,
      };
      const body = { artifactDetails, sharedPipelines: [] };
      stage.platform.faults.set([{ operation: 'sharedArtifacts.details', status: 200, body }]);
    }
    return 'pass';
  });

  await expect(
    publishShared({ ...source(stage), ...into, version: '1' }, stage.context),
  ).rejects.toMatchObject({ code: 'version-disabled' });
});

test('a shared publish whose answer was lost ends as done', async () => {
  await using stage = await sharing();
  let lost = 0;
  stage.proxy.decide((line) =>
    line === 'POST /v1/shared-pipelines/artifacts' && (lost += 1) === 1 ? 'lose-answer' : 'pass',
  );

  expect((await publishShared({ ...source(stage), ...into, version: '1' }, stage.context)).outcome).toBe(
    'passed',
  );
});

test('without a shared-pipelines file nothing is sent, and the file is named', async () => {
  await using stage = await sharing();
  stage.work.git('rm', '-q', '.platform/shared-pipelines.yaml');
  stage.work.commit('Unshared');

  await expect(
    publishShared({ ...source(stage), ...into, version: '1' }, stage.context),
  ).rejects.toMatchObject({
    code: 'config-missing',
    where: { file: '.platform/shared-pipelines.yaml' },
  });
  expect(publishes(stage)).toEqual([]);
});

test('an id that was renamed or removed since the last version is told before anything is sent', async () => {
  await using stage = await sharing();
  const second = shared.replace('convert.orch.yaml', 'other.orch.yaml').split('pipelines:\n')[1] ?? '';
  stage.work.write('other.orch.yaml', smallPipeline);
  stage.work.write('.platform/shared-pipelines.yaml', shared + second.replace('id: convert', 'id: other'));
  stage.work.commit('Two');
  await publishShared({ ...source(stage), ...into, version: '1' }, stage.context);
  stage.work.write('.platform/shared-pipelines.yaml', shared.replace('id: convert', 'id: convert-2'));
  stage.work.commit('Renamed');

  const warned: number[] = [];
  const logger = { ...stage.context.logger, warn: () => void warned.push(publishes(stage).length) };
  const request = { ...source(stage), ...into, version: '2' };
  const report = await publishShared(request, { ...stage.context, logger });

  expect(report.gone).toEqual([
    { id: 'convert', version: '1', renamedTo: 'convert-2' },
    { id: 'other', version: '1' },
  ]);
  expect(warned).toEqual([1, 1]);
});

test('only so many versions stay enabled, and never none', async () => {
  await using stage = await sharing();
  const enabled = async () => {
    const names: string[] = [];
    const list = stage.client.sharedArtifacts.list({ sharedPipelineIdPrefix: 'finance' });
    for await (const { versionName } of list) names.push(versionName);
    return names;
  };
  for (const version of ['1', '2', '3']) {
    await publishShared({ ...source(stage), ...into, version }, stage.context);
  }
  const request = { ...source(stage), ...into, version: '4', keepEnabled: 2 };
  const planned = await publishShared({ ...request, dryRun: true }, stage.context);
  expect([planned.disabled, await enabled()]).toEqual([
    ['2', '1'],
    ['3', '2', '1'],
  ]);
  const done = await publishShared(request, stage.context);
  expect([done.disabled, await enabled()]).toEqual([
    ['2', '1'],
    ['4', '3'],
  ]);

  const last = await publishShared({ ...request, keepEnabled: 0 }, stage.context);
  expect([last.outcome, last.disabled, await enabled()]).toEqual(['already-done', ['3'], ['4']]);
});
