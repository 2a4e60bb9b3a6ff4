import { expect, test } from 'vitest';
import { promote, type PromoteReport } from '../../../flows/promote/promote.ts';
import { reportOfPromotion } from '../../../flows/promote/report.ts';
import { publish } from '../../../flows/publish/publish.ts';
import { rollback } from '../../../flows/rollback/rollback.ts';
import { listVersions } from '../duplicate-listings.ts';
import { createFlowEnvironment, smallPipeline, source, type FlowEnvironment } from '../flow-environment.ts';

async function published(...versions: string[]): Promise<FlowEnvironment> {
  const env = await createFlowEnvironment();
  env.work.write('a.orch.yaml', smallPipeline);
  for (const version of versions) {
    env.work.commit(version);
    await publish(
      { ...source(env), version, environment: 'dev', connectors: false, dryRun: false },
      env.context,
    );
  }
  return env;
}

const promotions = (env: FlowEnvironment) => env.proxy.seen.filter((line) => line.endsWith('/promotions'));
const headlineOf = (report: PromoteReport): string =>
  reportOfPromotion(report, { ...report, missingOverrides: [] }).headline;
const step = { from: 'dev', to: 'test', dryRun: false };

test('a version is promoted once; the second time it is there already and nothing is sent', async () => {
  await using env = await published('1');

  expect((await promote({ ...step, version: '1' }, env.context)).outcome).toBe('passed');
  expect((await promote({ ...step, version: '1' }, env.context)).outcome).toBe('already-done');
  expect(promotions(env)).toHaveLength(1);
  expect(await env.versions('test')).toEqual({ '1': true });
});

test('an older version that is there already is left alone, and the live one is named', async () => {
  await using env = await published('1', '2');
  await promote({ ...step, version: '1' }, env.context);
  expect(await promote({ ...step, version: '2' }, env.context)).toMatchObject({ live: '2' });

  const again = await promote({ ...step, version: '1' }, env.context);
  expect(again).toMatchObject({ outcome: 'already-done', live: '2' });
  expect(headlineOf(again)).toContain('1 is already in test, but 2 is newer and live');
  const live = await promote({ ...step, version: '2' }, env.context);
  expect(headlineOf(live)).toBe('2 is already in test.');
});

test('an older version than the live one is refused, and after a roll-back it is promoted', async () => {
  await using env = await published('v1.9.0', 'v1.10.0');
  await promote({ ...step, version: 'v1.10.0' }, env.context);
  for (const dryRun of [true, false])
    await expect(promote({ ...step, version: 'v1.9.0', dryRun }, env.context)).rejects.toMatchObject({
      code: 'older-version',
      details: { version: 'v1.9.0', live: 'v1.10.0' },
    });
  expect(await env.versions('test')).toEqual({ 'v1.10.0': true });
  // A version that is disabled does not count.
  const { client, projectId } = env.context;
  await client.artifacts.setEnabled({
    projectId,
    environmentName: 'test',
    versionName: 'v1.10.0',
    enabled: false,
  });
  const done = await promote({ ...step, version: 'v1.9.0' }, env.context);
  expect(done).toMatchObject({ outcome: 'passed', live: 'v1.9.0' });
  expect(done.warnings).toBeUndefined();
});

test('a promotion whose answer was lost is read back and not sent again', async () => {
  await using env = await published('1');
  env.proxy.decide((line) => (line.endsWith('/promotions') ? 'lose-answer' : 'pass'));

  expect((await promote({ ...step, version: '1' }, env.context)).outcome).toBe('passed');
  expect(promotions(env)).toHaveLength(1);
});

test('a version that a person disabled in the target is not promoted again', async () => {
  await using env = await published('1');
  await promote({ ...step, version: '1' }, env.context);
  const { client, projectId } = env.context;
  await client.artifacts.setEnabled({ projectId, environmentName: 'test', versionName: '1', enabled: false });

  await expect(promote({ ...step, version: '1' }, env.context)).rejects.toMatchObject({
    code: 'version-disabled',
  });
});

test('a promotion whose answer was lost does not pass when the version turns out to be disabled', async () => {
  await using env = await published('1');
  env.proxy.decide((line) => {
    if (line.endsWith('/promotions')) return 'lose-answer';
    // By the time the client reads the list back, a person has disabled the version.
    if (promotions(env).length > 0)
      listVersions(env, 'test', [{ versionName: '1', hour: 1, enabled: false }]);
    return 'pass';
  });

  await expect(promote({ ...step, version: '1' }, env.context)).rejects.toMatchObject({
    code: 'version-disabled',
    message: 'Version 1 is in test, but disabled there.',
    hint: expect.stringContaining('artifacts.setEnabled'),
  });
  expect(promotions(env)).toHaveLength(1);
});

test('an unknown version is not found, in a dry run too', async () => {
  await using env = await published('1');

  await expect(promote({ ...step, version: '9' }, env.context)).rejects.toMatchObject({
    code: 'not-found',
  });
  await expect(promote({ ...step, version: '9', dryRun: true }, env.context)).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(promotions(env)).toHaveLength(1);
});

test('a dry run goes by the newer record where the source lists the version twice, in either order', async () => {
  await using env = await published('1');
  const dryRunWith = async (olderEnabled: boolean, isNewerFirst: boolean) => {
    const records = [
      { versionName: '1', hour: 1, enabled: olderEnabled },
      { versionName: '1', hour: 2, enabled: !olderEnabled },
    ];
    listVersions(env, 'dev', isNewerFirst ? records.toReversed() : records);
    return promote({ ...step, version: '1', dryRun: true }, env.context);
  };

  for (const isNewerFirst of [true, false]) {
    await expect(dryRunWith(true, isNewerFirst)).rejects.toMatchObject({
      code: 'version-disabled',
      message: 'Version 1 is in dev, but disabled there.',
    });
    expect(await dryRunWith(false, isNewerFirst)).toMatchObject({ outcome: 'passed' });
  }
});

test('a promotion from an environment to itself is wrong use', async () => {
  await using env = await published('1');
  await expect(
    promote({ from: 'dev', to: 'dev', version: '1', dryRun: false }, env.context),
  ).rejects.toMatchObject({ code: 'usage' });
});

test('a rollback disables the live version and names the one before, and a named one only once', async () => {
  await using env = await published('1', '2');

  const report = await rollback({ environment: 'dev', version: '2', dryRun: false }, env.context);
  const again = await rollback({ environment: 'dev', version: '2', dryRun: false }, env.context);

  expect(report).toMatchObject({ outcome: 'passed', disabled: '2', live: '1' });
  expect(again).toMatchObject({ outcome: 'already-done', disabled: '2', live: '1' });
  expect(await env.versions('dev')).toEqual({ '1': true, '2': false });
});

test('a rollback without an earlier enabled version is refused and disables nothing', async () => {
  await using env = await published('1');

  await expect(rollback({ environment: 'dev', dryRun: false }, env.context)).rejects.toMatchObject({
    code: 'nothing-to-roll-back-to',
    exitCode: 1,
  });
  expect(await env.versions('dev')).toEqual({ '1': true });
});

test('a rollback of a version that is not the live one is wrong use', async () => {
  await using env = await published('1', '2');
  await expect(
    rollback({ environment: 'dev', version: '1', dryRun: false }, env.context),
  ).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('The live version is 2.'),
  });
});

test('a dry run of a rollback changes nothing', async () => {
  await using env = await published('1', '2');
  expect(await rollback({ environment: 'dev', dryRun: true }, env.context)).toMatchObject({
    disabled: '2',
    live: '1',
  });
  expect(await env.versions('dev')).toEqual({ '1': true, '2': true });
});

test('what is live after a promotion is read from the platform, not taken for granted', async () => {
  await using env = await published('1');
  env.proxy.decide(() => {
    // This platform counts a version from its creation, so that the one that came by another way is newer.
    if (promotions(env).length > 0)
      listVersions(env, 'test', [
        { versionName: '1', hour: 1, enabled: true },
        { versionName: '2', hour: 2, enabled: true },
      ]);
    return 'pass';
  });

  const report = await promote({ ...step, version: '1' }, env.context);
  expect(report).toMatchObject({ outcome: 'passed', live: '2' });
  expect(headlineOf(report)).toBe(
    'Promoted 1 from dev to test, but the platform lists 2 as the newest enabled version there, so 2 is live.',
  );
});

test('a promotion passes without a live version where the list cannot be read after it', async () => {
  await using env = await published('1');
  let promoted = false;
  env.proxy.decide((line) => {
    if (promoted) return 'lose-answer';
    promoted = line.endsWith('/promotions');
    return 'pass';
  });

  const report = await promote({ ...step, version: '1' }, env.context);
  expect(report.outcome).toBe('passed');
  expect(report).not.toHaveProperty('live');
  expect(headlineOf(report)).toBe('Promoted 1 from dev to test.');
});
