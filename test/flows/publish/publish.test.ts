import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../../flows/publish/publish.ts';
import { defaultSeed } from '../../../platform/index.ts';
import { listVersions } from '../duplicate-listings.ts';
import { createFlowEnvironment, smallPipeline, source, type FlowEnvironment } from '../flow-environment.ts';

const into = { environment: 'dev', connectors: true, dryRun: false };
const creates = (env: FlowEnvironment) => env.proxy.seen.filter((line) => /^POST .*\/artifacts$/.test(line));

describe('publishing an artifact', () => {
  let env: FlowEnvironment;
  beforeEach(async () => {
    env = await createFlowEnvironment({
      seed: {
        connectors: { custom: [{ id: 'c1', name: 'Orders' }], flex: [{ id: 'f1', alternateId: 'f-alt' }] },
      },
    });
    env.work.write('daily/load.orch.yaml', smallPipeline);
    env.work.write('sql/orders.sql', 'select 1;\n');
    env.work.write('notes.md', 'not included\n');
    env.work.commit('A project');
  });
  afterEach(() => env[Symbol.asyncDispose]());

  test('warns of pipelines that only a dot or the suffix in a name keeps out', async () => {
    env.work.write('.etl/hidden.orch.yaml', smallPipeline);
    env.work.write('daily/misnamed.ORCH.yml', smallPipeline);
    env.work.commit('Two pipelines that are left out');
    await publish({ ...source(env), ...into, version: '1.0.0' }, env.context);
    expect(env.warnings).toContainEqual(expect.stringContaining('.etl/hidden.orch.yaml'));
    expect(env.warnings).toContainEqual(
      expect.stringContaining('must end in .orch.yaml or .tran.yaml: daily/misnamed.ORCH.yml. Rename them.'),
    );
  });

  test('sends the files of the commit and the connectors, and says the digest of each', async () => {
    const report = await publish({ ...source(env), ...into, version: '1.0.0' }, env.context);

    expect(report.outcome).toBe('passed');
    expect(report.files.map(({ path: name }) => name)).toEqual([
      'daily/load.orch.yaml',
      'sql/orders.sql',
      'connector-profile:custom-c1.json',
      'connector-profile:flex-f-alt.json',
    ]);
    const sql = report.files.find(({ path: name }) => name === 'sql/orders.sql');
    expect(sql).toMatchObject({
      bytes: 10,
      sha256: createHash('sha256').update('select 1;\n').digest('hex'),
    });
    expect(await env.versions('dev')).toEqual({ '1.0.0': true });
  });

  test('takes the content from the commit, not from the work tree', async () => {
    const commit = env.work.git('rev-parse', 'HEAD');
    env.work.write('sql/orders.sql', 'dirty\n');

    const report = await publish({ ...source(env), ...into, version: '1.0.0' }, env.context);

    expect(report.commit).toBe(commit);
    expect(report.files.find(({ path: name }) => name === 'sql/orders.sql')?.bytes).toBe(10);
  });

  test('a version that is there but disabled does not pass, in a dry run neither', async () => {
    const request = { ...source(env), ...into, version: '1.0.0' };
    await publish(request, env.context);
    const { client, projectId } = env.context;
    const version = { projectId, environmentName: 'dev', versionName: '1.0.0' };
    await client.artifacts.setEnabled({ ...version, enabled: false });

    for (const dryRun of [true, false]) {
      await expect(publish({ ...request, dryRun }, env.context)).rejects.toMatchObject({
        code: 'version-disabled',
        exitCode: 1,
        message: 'Version 1.0.0 is in dev, but disabled there.',
        hint: expect.stringContaining('artifacts.setEnabled'),
      });
    }
    expect(creates(env)).toHaveLength(1);
  });

  test('goes by the newer record where the list shows the version twice, in either order', async () => {
    const commitHash = env.work.git('rev-parse', 'HEAD');
    const publishWith = async (olderEnabled: boolean, isNewerFirst: boolean) => {
      const records = [
        { versionName: '1.0.0', hour: 1, enabled: olderEnabled, commitHash },
        { versionName: '1.0.0', hour: 2, enabled: !olderEnabled, commitHash },
      ];
      listVersions(env, 'dev', isNewerFirst ? records.toReversed() : records);
      return publish({ ...source(env), ...into, version: '1.0.0' }, env.context);
    };

    for (const isNewerFirst of [true, false]) {
      await expect(publishWith(true, isNewerFirst)).rejects.toMatchObject({ code: 'version-disabled' });
      expect(await publishWith(false, isNewerFirst)).toMatchObject({ outcome: 'already-done' });
    }
    expect(creates(env)).toHaveLength(0);
  });

  test('a publish whose answer was lost does not pass when the version turns out to be disabled', async () => {
    const commitHash = env.work.git('rev-parse', 'HEAD');
    env.proxy.decide((line) => {
      if (/^POST .*\/artifacts$/.test(line)) return 'lose-answer';
      if (creates(env).length > 0)
        listVersions(env, 'dev', [{ versionName: '1.0.0', hour: 1, enabled: false, commitHash }]);
      return 'pass';
    });

    await expect(publish({ ...source(env), ...into, version: '1.0.0' }, env.context)).rejects.toMatchObject({
      code: 'version-disabled',
    });
    expect(creates(env)).toHaveLength(1);
  });

  test('a second publish of the same commit is already done and sends nothing', async () => {
    await publish({ ...source(env), ...into, version: '1.0.0' }, env.context);
    const again = await publish({ ...source(env), ...into, version: '1.0.0' }, env.context);

    // Of what is there the platform tells only the commit.
    expect(again).toMatchObject({ outcome: 'already-done', files: [] });
    expect(creates(env)).toHaveLength(1);
  });

  test('the same version from another commit is refused', async () => {
    await publish({ ...source(env), ...into, version: '1.0.0' }, env.context);
    env.work.commit('Another commit');

    await expect(publish({ ...source(env), ...into, version: '1.0.0' }, env.context)).rejects.toMatchObject({
      code: 'version-exists',
    });
    expect(creates(env)).toHaveLength(1);
  });

  test('a lost answer is read back, and nothing is sent twice', async () => {
    env.proxy.decide((line) => (/^POST .*\/artifacts$/.test(line) ? 'lose-answer' : 'pass'));

    const report = await publish({ ...source(env), ...into, version: '1.0.0' }, env.context);

    expect(report.outcome).toBe('passed');
    expect(creates(env)).toHaveLength(1);
  });

  test('a 500 although the artifact was made counts as made', async () => {
    env.proxy.decide((line) => (/^POST .*\/artifacts$/.test(line) ? 'answer-500' : 'pass'));

    expect((await publish({ ...source(env), ...into, version: '1.0.0' }, env.context)).outcome).toBe(
      'passed',
    );
    expect(creates(env)).toHaveLength(1);
  });

  test('a request that never took effect ends as unknown, sent once', async () => {
    env.proxy.decide((line) => (/^POST .*\/artifacts$/.test(line) ? 'lose-request' : 'pass'));

    await expect(publish({ ...source(env), ...into, version: '1.0.0' }, env.context)).rejects.toMatchObject({
      code: 'outcome-unknown',
      exitCode: 4,
    });
    expect(creates(env)).toHaveLength(1);
    expect(await env.versions('dev')).toEqual({});
  });

  test('a dry run shows the list and sends nothing', async () => {
    const report = await publish({ ...source(env), ...into, version: '1.0.0', dryRun: true }, env.context);

    expect(report).toMatchObject({ outcome: 'passed', dryRun: true });
    expect(report.files).toHaveLength(4);
    expect(await env.versions('dev')).toEqual({});
  });

  test.each(['1.0\n0', 'latest', 'Latest', '', ' 1.0', 'größe'])(
    'the version name %j is refused before anything is sent',
    async (version) => {
      await expect(publish({ ...source(env), ...into, version }, env.context)).rejects.toMatchObject({
        code: 'version-invalid',
        exitCode: 2,
      });
      expect(env.proxy.seen).toEqual([]);
    },
  );

  test('no file that fits, and no pipeline among the files, are refused with their globs', async () => {
    const request = { ...source(env), ...into, version: '1.0.0' };
    await expect(publish({ ...request, include: ['*.none'] }, env.context)).rejects.toMatchObject({
      code: 'nothing-to-publish',
      message: expect.stringContaining('"*.none"'),
    });
    await expect(publish({ ...request, include: ['**/*.sql'] }, env.context)).rejects.toMatchObject({
      code: 'nothing-to-publish',
      message: expect.stringContaining('is not a pipeline'),
    });
    expect(creates(env)).toEqual([]);
  });

  test('a symbolic link is refused with its name', async () => {
    symlinkSync('orders.sql', path.join(env.work.directory, 'sql/link.sql'));
    env.work.commit('A link');

    await expect(publish({ ...source(env), ...into, version: '1.0.0' }, env.context)).rejects.toMatchObject({
      code: 'file-refused',
      message: expect.stringContaining('sql/link.sql'),
    });
    expect(creates(env)).toEqual([]);
  });

  test('an unknown environment is said with its name, and nothing is left behind', async () => {
    const request = { ...source(env), ...into, environment: 'nowhere', version: '1.0.0' };
    await expect(publish(request, env.context)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('nowhere'),
    });
  });
});

test('connectors that cannot be read stop the publish, unless they are left out', async () => {
  await using env = await createFlowEnvironment({ seed: defaultSeed });
  env.work.write('a.orch.yaml', smallPipeline);
  env.work.commit('A pipeline');
  env.proxy.decide((line) => (line.endsWith('-connectors') ? 'answer-500' : 'pass'));
  const request = { ...source(env), ...into, version: '1' };

  await expect(publish(request, env.context)).rejects.toMatchObject({
    code: 'platform-failed',
    exitCode: 3,
  });
  expect((await publish({ ...request, connectors: false }, env.context)).outcome).toBe('passed');
});

test('a project in a folder is published with paths relative to the folder', async () => {
  await using env = await createFlowEnvironment();
  env.work.write('projects/finance team/daily/load.orch.yaml', smallPipeline);
  env.work.write('projects/other/x.orch.yaml', smallPipeline);
  env.work.commit('Two projects');

  const report = await publish(
    { ...source(env), ...into, directory: 'projects/finance team', version: '1' },
    env.context,
  );

  expect(report.files.map(({ path: name }) => name)).toEqual(['daily/load.orch.yaml']);
});
