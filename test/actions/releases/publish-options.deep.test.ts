import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOut } from '../../runner/check-out.ts';
import { repository } from '../action-environment.ts';
import { publishedTag, usePublishEnvironment } from './publish-environment.ts';
import { sharedPipelines } from '../warehouse-files.ts';

const action = 'actions/publish';
const tag = publishedTag;
const publish = usePublishEnvironment();
const { versions } = publish;

test('a promotion logs the live version of the target and the variables without a value there', async () => {
  await publish.testEnvironment().push(tag, { action });
  const inputs = { version: 'v1.0.0', from: 'dev', to: 'test' };
  const dry = await publish.testEnvironment().push(tag, {
    action: 'actions/promote',
    inputs: { ...inputs, 'dry-run': 'true' },
  });
  expect(dry.log).toContain('Plan: v1.0.0 from dev to test, which has no enabled version now.');
  expect(dry.log).toContain('The variable bucket has its own value in dev, but not in test');
  expect(dry.log).not.toContain('The variable day');
  expect(await versions('test')).toEqual([]);

  await publish.testEnvironment().push(tag, { action: 'actions/promote', inputs });
  await publish.testEnvironment().push(tag, { action, inputs: { version: 'v1.1.0' } });
  const next = { ...inputs, version: 'v1.1.0' };
  const result = await publish.testEnvironment().push(tag, { action: 'actions/promote', inputs: next });
  expect(result.outputs['before']).toBe('v1.0.0');
  expect(result.log.indexOf('Plan: v1.1.0')).toBeLessThan(result.log.indexOf('Promoting v1.1.0'));
});

test('a dry run without a token shows what would be sent, and lists what was not checked', async () => {
  const inputs = { 'dry-run': 'true' };
  const dry = await publish.testEnvironment().push(tag, { action, inputs, token: '' });
  expect([dry.exitCode, dry.outputs['files']]).toEqual([0, '3']);
  expect(dry.summary).toContain('sql/orders.sql');
  expect(dry.log).toContain(
    'note: The platform was not called, because token is not set. Not checked: whether dev exists and already has v1.0.0',
  );
  const shared = await publish
    .testEnvironment()
    .push(tag, { action: 'actions/publish-shared', inputs, token: '' });
  expect([shared.exitCode, shared.outputs['shared']]).toEqual([0, '1']);
  const reviewed = await publish.testEnvironment().push(tag, {
    action,
    inputs: { ...inputs, 'require-review': 'true' },
    token: '',
  });
  expect([reviewed.exitCode, reviewed.annotations[0]?.title]).toEqual([2, 'Millrace: no-token']);
});

test('uncommitted changes lead to a notice', async () => {
  const workspace = await mkdtemp(join(publish.testEnvironment().folder, 'dirty-'));
  const sha = (await publish.testEnvironment().github.repository(repository).git.commit('v1.0.0')) ?? '';
  await checkOut({ remote: publish.testEnvironment().builder.path, folder: workspace, sha, ref: tag });
  await writeFile(join(workspace, 'sql', 'orders.sql'), 'SELECT 2;\n');
  const result = await publish.testEnvironment().push(tag, { action, more: { workspace } });
  expect(result.annotations).toMatchObject([
    { level: 'notice', message: expect.stringContaining('are left out: sql/orders.sql.') },
  ]);
  expect(result.summary).toContain('Uncommitted changes are left out');
});

test('a promotion of an existing older version reports the live version', async () => {
  const promote = { action: 'actions/promote', inputs: { version: 'v1.0.0', from: 'dev', to: 'test' } };
  await publish.testEnvironment().push(tag, { action });
  await publish.testEnvironment().push(tag, promote);
  await publish.testEnvironment().push(tag, { action, inputs: { version: 'v1.1.0' } });
  const newer = await publish.testEnvironment().push(tag, {
    ...promote,
    inputs: { ...promote.inputs, version: 'v1.1.0' },
  });
  expect(newer.outputs['live']).toBe('v1.1.0');
  const older = await publish.testEnvironment().push(tag, promote);
  expect([older.outputs['outcome'], older.outputs['live']]).toEqual(['already-done', 'v1.1.0']);
  expect(older.log).toContain('v1.0.0 is already in test, but v1.1.0 is newer and live');
});

test('a shared id that consumers lose, and a resource that the platform ignored, are warnings', async () => {
  const run = { action: 'actions/publish-shared', inputs: { 'keep-enabled': '1' } };
  await publish.testEnvironment().push('refs/tags/v1.0.0', run);
  const entry = sharedPipelines.split('pipelines:\n')[1] ?? '';
  await publish.testEnvironment().builder.commit('main', {
    '.platform/shared-pipelines.yaml': `${sharedPipelines.replace('id: "clean-up"', 'id: "tidy-up"')}${entry
      .replace('id: "clean-up"', 'id: "old"')
      .replace('enabled: true', 'enabled: false')}`,
  });
  await publish.testEnvironment().builder.tag('v1.1.0', 'main');
  const result = await publish.testEnvironment().push('refs/tags/v1.1.0', run);
  expect(result.exitCode).toBe(0);
  expect(result.annotations.map(({ level, title, file }) => [level, title, file])).toEqual([
    ['warning', 'millrace/shared-id-gone', '.platform/shared-pipelines.yaml'],
    ['warning', 'millrace/left-out', 'shared/clean up.orch.yaml'],
  ]);
  expect(result.annotations[0]?.message).toContain('is now called "tidy-up"');
  expect(result.outputs['disabled']).toBe('v1.0.0');
  const wrong = await publish
    .testEnvironment()
    .push('refs/tags/v1.1.0', { ...run, inputs: { 'keep-enabled': '0' } });
  expect(wrong.annotations[0]?.message).toContain('"keep-enabled" must be a whole number of at least 1');
});
