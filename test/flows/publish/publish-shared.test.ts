import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishShared } from '../../../flows/publish/publish-shared.ts';
import { planPublishShared } from '../../../flows/publish/plan-publication.ts';
import { createFlowEnvironment, smallPipeline, source, type FlowEnvironment } from '../flow-environment.ts';

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

async function sharing(): Promise<FlowEnvironment> {
  const env = await createFlowEnvironment();
  env.work.write('convert.orch.yaml', smallPipeline);
  env.work.write('.platform/shared-pipelines.yaml', shared);
  env.work.commit('A shared pipeline');
  return env;
}

const publishes = (env: FlowEnvironment) =>
  env.proxy.seen.filter((line) => line === 'POST /v1/shared-pipelines/artifacts');

test('a shared version is published with its configuration file, once', async () => {
  await using env = await sharing();
  const request = { ...source(env), ...into, version: '1' };

  const first = await publishShared(request, env.context);
  const second = await publishShared(request, env.context);

  expect(first).toMatchObject({ outcome: 'passed', sharedPipelines: ['convert'] });
  expect(first.files.map(({ path }) => path)).toContain('.platform/shared-pipelines.yaml');
  expect(second).toMatchObject({ outcome: 'already-done', files: [] });
  expect(publishes(env)).toHaveLength(1);
  const { artifactDetails } = await env.client.sharedArtifacts.details({
    sharedPipelineIdPrefix: 'finance',
  });
  expect(artifactDetails).toMatchObject({ versionName: '1', enabled: true, commitHash: first.commit });
});

test('a shared version that is older than the newest enabled one is refused', async () => {
  await using env = await sharing();
  await publishShared({ ...source(env), ...into, version: '1.10.0' }, env.context);
  const older = { ...source(env), ...into, version: '1.9.0' };
  await expect(publishShared(older, env.context)).rejects.toMatchObject({
    code: 'older-version',
    message:
      '1.9.0 is older than 1.10.0, which is the newest enabled version of finance. Nothing was changed.',
    hint: expect.stringContaining('`millrace rollback --shared --prefix finance --version 1.10.0`'),
  });
  expect(publishes(env)).toHaveLength(1);
});

test('the same shared version from another commit is refused: it is immutable', async () => {
  await using env = await sharing();
  await publishShared({ ...source(env), ...into, version: '1' }, env.context);
  env.work.commit('Another');

  await expect(publishShared({ ...source(env), ...into, version: '1' }, env.context)).rejects.toMatchObject({
    code: 'version-exists',
  });
});

test('a shared version that is there but disabled does not pass', async () => {
  await using env = await sharing();
  const request = { ...source(env), ...into, version: '1' };
  await publishShared(request, env.context);
  const version = { sharedPipelineIdPrefix: 'finance', versionName: '1' };
  await env.client.sharedArtifacts.setEnabled({ ...version, enabled: false });

  await expect(publishShared(request, env.context)).rejects.toMatchObject({
    code: 'version-disabled',
    exitCode: 1,
    message: 'Version 1 of finance is already published and disabled.',
    hint: expect.stringContaining('sharedArtifacts.setEnabled'),
  });
  expect(publishes(env)).toHaveLength(1);
});

test('a shared publish whose answer was lost does not pass when the version turns out to be disabled', async () => {
  await using env = await sharing();
  const commitHash = env.work.git('rev-parse', 'HEAD');
  env.proxy.decide((line) => {
    if (line === 'POST /v1/shared-pipelines/artifacts') return 'lose-answer';
    if (publishes(env).length > 0) {
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
      env.platform.faults.set([{ operation: 'sharedArtifacts.details', status: 200, body }]);
    }
    return 'pass';
  });

  await expect(publishShared({ ...source(env), ...into, version: '1' }, env.context)).rejects.toMatchObject({
    code: 'version-disabled',
  });
});

test('a shared publish whose answer was lost ends as done', async () => {
  await using env = await sharing();
  let lost = 0;
  env.proxy.decide((line) =>
    line === 'POST /v1/shared-pipelines/artifacts' && (lost += 1) === 1 ? 'lose-answer' : 'pass',
  );

  expect((await publishShared({ ...source(env), ...into, version: '1' }, env.context)).outcome).toBe(
    'passed',
  );
});

test('without a shared-pipelines file nothing is sent, and the file is named', async () => {
  await using env = await sharing();
  env.work.git('rm', '-q', '.platform/shared-pipelines.yaml');
  env.work.commit('Unshared');

  await expect(publishShared({ ...source(env), ...into, version: '1' }, env.context)).rejects.toMatchObject({
    code: 'config-missing',
    where: { file: '.platform/shared-pipelines.yaml' },
  });
  expect(publishes(env)).toEqual([]);
});

test('an id that was renamed or removed since the last version is reported before the upload', async () => {
  await using env = await sharing();
  const second = shared.replace('convert.orch.yaml', 'other.orch.yaml').split('pipelines:\n')[1] ?? '';
  env.work.write('other.orch.yaml', smallPipeline);
  env.work.write('.platform/shared-pipelines.yaml', shared + second.replace('id: convert', 'id: other'));
  env.work.commit('Two');
  await publishShared({ ...source(env), ...into, version: '1' }, env.context);
  env.work.write('.platform/shared-pipelines.yaml', shared.replace('id: convert', 'id: convert-2'));
  env.work.commit('Renamed');

  const warned: number[] = [];
  const logger = { ...env.context.logger, warn: () => void warned.push(publishes(env).length) };
  const request = { ...source(env), ...into, version: '2' };
  const report = await publishShared(request, { ...env.context, logger });

  expect(report.removedIds).toEqual([
    { id: 'convert', version: '1', renamedTo: 'convert-2' },
    { id: 'other', version: '1' },
  ]);
  expect(warned).toEqual([1, 1]);
});

test('an entry whose pipeline is not published does not count, and its id is reported as removed', async () => {
  await using env = await sharing();
  const entry = (id: string) => (shared.split('pipelines:\n')[1] ?? '').replaceAll('convert', id);
  env.work.write('other.orch.yaml', smallPipeline);
  env.work.write('.platform/shared-pipelines.yaml', shared + entry('other'));
  env.work.commit('Two');
  await publishShared({ ...source(env), ...into, version: '1' }, env.context);
  rmSync(join(env.work.directory, 'other.orch.yaml'));
  env.work.commit('The entry stays');

  const warnings: string[] = [];
  const logger = { ...env.context.logger, warn: (text: string) => void warnings.push(text) };
  const request = { ...source(env), ...into, version: '2' };
  const report = await publishShared(request, { ...env.context, logger });

  expect(report).toMatchObject({
    sharedPipelines: ['convert'],
    removedIds: [{ id: 'other', version: '1' }],
    ignored: [{ name: 'other.orch.yaml' }],
  });
  expect(warnings).toEqual([
    expect.stringContaining('declares "other", but its pipeline "other.orch.yaml" is not among'),
    expect.stringContaining('"other" of version 1 is no longer shared'),
  ]);
  const again = await publishShared(request, { ...env.context, logger });
  expect(again).toMatchObject({ outcome: 'already-done', sharedPipelines: ['convert'] });
  const plan = await planPublishShared(request, { ...env.context, logger });
  expect(plan.sharedPipelines).toEqual(['convert']);
});

test('an entry with another spelling of its path is left out, with the path to write', async () => {
  await using env = await sharing();
  const entry = (path: string) =>
    (shared.split('pipelines:\n')[1] ?? '').replaceAll('convert', 'other').replace('other.orch', path);
  env.work.write('other.orch.yaml', smallPipeline);
  env.work.write('.platform/shared-pipelines.yaml', shared + entry('./other.orch'));
  env.work.commit('Two');
  const warnings: string[] = [];
  const logger = { ...env.context.logger, warn: (text: string) => void warnings.push(text) };
  const report = await publishShared({ ...source(env), ...into, version: '1' }, { ...env.context, logger });
  expect(report).toMatchObject({ sharedPipelines: ['convert'], ignored: [{ name: './other.orch.yaml' }] });
  expect(warnings).toEqual([expect.stringContaining('Write "other": the platform compares the path')]);
});

test('only the given number of versions stays enabled, and at least one', async () => {
  await using env = await sharing();
  const enabled = async () => {
    const names: string[] = [];
    const list = env.client.sharedArtifacts.list({ sharedPipelineIdPrefix: 'finance' });
    for await (const { versionName } of list) names.push(versionName);
    return names;
  };
  for (const version of ['1', '2', '3']) {
    await publishShared({ ...source(env), ...into, version }, env.context);
  }
  const request = { ...source(env), ...into, version: '4', keepEnabled: 2 };
  const planned = await publishShared({ ...request, dryRun: true }, env.context);
  expect([planned.disabled, await enabled()]).toEqual([
    ['2', '1'],
    ['3', '2', '1'],
  ]);
  const done = await publishShared(request, env.context);
  expect([done.disabled, await enabled()]).toEqual([
    ['2', '1'],
    ['4', '3'],
  ]);

  const last = await publishShared({ ...request, keepEnabled: 0 }, env.context);
  expect([last.outcome, last.disabled, await enabled()]).toEqual(['already-done', ['3'], ['4']]);
});
