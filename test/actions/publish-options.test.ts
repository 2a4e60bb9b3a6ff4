import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { checkOut } from '../runner/check-out.ts';
import { createActionEnvironment, repository, type ActionEnvironment } from './action-environment.ts';
import { componentLine, orchestration, warehouseFiles } from './warehouse-files.ts';

const action = 'actions/publish';
const tag = 'refs/tags/v1.0.0';
let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createActionEnvironment(warehouseFiles, {
    projects: [
      {
        id: '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b',
        name: 'warehouse',
        environments: ['dev', 'test', 'prod'],
        repository: { ownerName: 'demo', repositoryName: 'warehouse' },
        variables: [
          { name: 'bucket', type: 'TEXT', behaviour: 'SHARED', value: 'none', overrides: { dev: 'one' } },
          { name: 'day', type: 'TEXT', behaviour: 'SHARED', value: 'x', overrides: { dev: 'a', test: 'b' } },
        ],
      },
    ],
  });
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

async function versions(environmentName: string): Promise<string[]> {
  const { baseUrl, projectId, tokens } = testEnvironment.platform;
  await using client = createClient({ baseUrl, auth: { token: tokens.admin } });
  const found: string[] = [];
  for await (const { versionName } of client.artifacts.list({ projectId, environmentName }))
    found.push(versionName);
  return found;
}

describe('with require-review', () => {
  const inputs = { 'require-review': 'true' };

  test('a commit that passes is published', async () => {
    const result = await testEnvironment.push(tag, { action, inputs });
    expect([result.exitCode, result.outputs['outcome'], await versions('dev')]).toEqual([
      0,
      'passed',
      ['v1.0.0'],
    ]);
  });

  test('a commit that does not pass is annotated and not published, independent of other checks', async () => {
    const bad = await testEnvironment.builder.commit('main', {
      'daily/load.orch.yaml': orchestration('load 1'),
    });
    await testEnvironment.builder.tag('v1.1.0', 'main');
    testEnvironment.github.repository(repository).statuses.push({
      id: 1,
      sha: bad,
      state: 'success',
      context: 'Millrace review',
      description: null,
      target_url: null,
      created_at: '2026-01-01T00:00:00Z',
    });
    const result = await testEnvironment.push('refs/tags/v1.1.0', { action, inputs });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'failed']);
    expect(result.annotations[0]).toMatchObject({ file: 'daily/load.orch.yaml', line: componentLine });
    expect(result.summary).toContain('v1.1.0 was not published&#58; the review of its commit failed');
    expect(await versions('dev')).toEqual([]);
  });

  test('a commit that is not on the branch is not published', async () => {
    await testEnvironment.builder.commit(
      'other',
      { 'x.orch.yaml': orchestration('Other') },
      { from: 'main' },
    );
    await testEnvironment.builder.tag('v2.0.0', 'other');
    const result = await testEnvironment.push('refs/tags/v2.0.0', { action, inputs });
    expect(result.exitCode).not.toBe(0);
    expect(await versions('dev')).toEqual([]);
    const named = await testEnvironment.push('refs/tags/v2.0.0', {
      action,
      inputs: { ...inputs, 'review-branch': 'other' },
    });
    expect([named.exitCode, await versions('dev')]).toEqual([0, ['v2.0.0']]);
  });
});

describe('with deployment', () => {
  const inputs = { deployment: 'true' };

  test('one deployment is recorded, without a merge and without waiting for other checks', async () => {
    await testEnvironment.push(tag, { action, inputs, as: 'deployer' });
    await testEnvironment.push(tag, { action, inputs, as: 'deployer' });
    const { deployments, git } = testEnvironment.github.repository(repository);
    expect(deployments).toMatchObject([
      {
        sha: await git.commit(tag),
        environment: 'dev',
        payload: { version: 'v1.0.0' },
        statuses: [{ state: 'success', log_url: expect.stringContaining('/actions/runs/') }],
      },
    ]);
    const sent = testEnvironment.github.requests.find(
      ({ method, path }) => method === 'POST' && path.endsWith('/deployments'),
    );
    expect(sent?.body).toMatchObject({ auto_merge: false, required_contexts: [] });
  });

  test('a failed publication is a failed deployment, and a dry run is none', async () => {
    await testEnvironment.push(tag, { action, inputs: { ...inputs, 'dry-run': 'true' }, as: 'deployer' });
    expect(testEnvironment.github.repository(repository).deployments).toEqual([]);
    testEnvironment.platform.faults.set({ rules: [{ operation: 'artifacts.create', status: 400 }] });
    const failed = await testEnvironment.push(tag, { action, inputs, as: 'deployer' });
    expect(failed.exitCode).toBe(2);
    expect(testEnvironment.github.repository(repository).deployments[0]?.statuses[0]?.state).toBe('failure');
  });

  test.each([[{}], [{ 'dry-run': 'true' }]])(
    'an environment that the project does not have is refused before GitHub makes one of its name (%o)',
    async (more) => {
      const given = { ...inputs, ...more, environment: 'tset' };
      const failed = await testEnvironment.push(tag, { action, inputs: given, as: 'deployer' });
      expect([failed.exitCode, failed.annotations[0]?.title]).toEqual([2, 'Millrace: not-found']);
      expect(failed.annotations[0]?.message).toContain('it has dev, test, prod.');
      expect(failed.annotations[0]?.message).toContain('Did you mean "test"?');
      expect(testEnvironment.github.repository(repository).deployments).toEqual([]);
    },
  );

  test('a token without permission leads to a note with the line to add, and the version is published', async () => {
    const result = await testEnvironment.push(tag, { action, inputs, as: 'reader' });
    expect([result.exitCode, await versions('dev')]).toEqual([0, ['v1.0.0']]);
    expect(result.summary).toContain('deployments&#58; write');
  });
});

test('the manifest file contains the SHA-256 of every part', async () => {
  let manifest = '';
  const result = await testEnvironment.push(tag, {
    action,
    more: {
      onFinished: ({ outputs }) => {
        manifest = readFileSync(outputs['manifest-path'] ?? '', 'utf8');
      },
    },
  });
  const sql = warehouseFiles['sql/orders.sql'] ?? '';
  const sha256 = createHash('sha256').update(sql).digest('hex');
  expect(JSON.parse(manifest)).toMatchObject({
    version: 'v1.0.0',
    files: expect.arrayContaining([{ path: 'sql/orders.sql', bytes: sql.length, sha256 }]),
  });
  expect(result.summary).toContain('sql/orders.sql');
});

test('a promotion logs the live version of the target and the variables without a value there', async () => {
  await testEnvironment.push(tag, { action });
  const inputs = { version: 'v1.0.0', from: 'dev', to: 'test' };
  const dry = await testEnvironment.push(tag, {
    action: 'actions/promote',
    inputs: { ...inputs, 'dry-run': 'true' },
  });
  expect(dry.log).toContain('Plan: v1.0.0 from dev to test, which has no enabled version now.');
  expect(dry.log).toContain('The variable bucket has its own value in dev, but not in test');
  expect(dry.log).not.toContain('The variable day');
  expect(await versions('test')).toEqual([]);

  await testEnvironment.push(tag, { action: 'actions/promote', inputs });
  await testEnvironment.push(tag, { action, inputs: { version: 'v1.1.0' } });
  const next = { ...inputs, version: 'v1.1.0' };
  const result = await testEnvironment.push(tag, { action: 'actions/promote', inputs: next });
  expect(result.outputs['before']).toBe('v1.0.0');
  expect(result.log.indexOf('Plan: v1.1.0')).toBeLessThan(result.log.indexOf('Promoting v1.1.0'));
});

test('a dry run without a token shows what would be sent, and lists what was not checked', async () => {
  const inputs = { 'dry-run': 'true' };
  const dry = await testEnvironment.push(tag, { action, inputs, token: '' });
  expect([dry.exitCode, dry.outputs['files']]).toEqual([0, '3']);
  expect(dry.summary).toContain('sql/orders.sql');
  expect(dry.log).toContain(
    'note: The platform was not called, because token is not given. Not checked: whether dev exists and already has v1.0.0',
  );
  const shared = await testEnvironment.push(tag, { action: 'actions/publish-shared', inputs, token: '' });
  expect([shared.exitCode, shared.outputs['shared']]).toEqual([0, '1']);
  const reviewed = await testEnvironment.push(tag, {
    action,
    inputs: { ...inputs, 'require-review': 'true' },
    token: '',
  });
  expect([reviewed.exitCode, reviewed.annotations[0]?.title]).toEqual([2, 'Millrace: no-token']);
});

test('an existing version is reported without the files of this commit', async () => {
  await testEnvironment.push(tag, { action });
  let report = '';
  const again = await testEnvironment.push(tag, {
    action,
    more: { onFinished: ({ outputs }) => (report = readFileSync(outputs['report-path'] ?? '', 'utf8')) },
  });
  expect([again.outputs['outcome'], again.outputs['files'], again.outputs['manifest-path']]).toEqual([
    'already-done',
    '0',
    undefined,
  ]);
  expect(JSON.parse(report)).toMatchObject({ outcome: 'already-done', files: [] });
  expect(again.log).toMatch(/Already there: v1\.0\.0 in dev, published from [0-9a-f]{12}\./u);
  expect(again.summary).not.toContain('sql/orders.sql');
});

test('uncommitted changes lead to a notice', async () => {
  const workspace = await mkdtemp(join(testEnvironment.folder, 'dirty-'));
  const sha = (await testEnvironment.github.repository(repository).git.commit('v1.0.0')) ?? '';
  await checkOut({ remote: testEnvironment.builder.path, folder: workspace, sha, ref: tag });
  await writeFile(join(workspace, 'sql', 'orders.sql'), 'SELECT 2;\n');
  const result = await testEnvironment.push(tag, { action, more: { workspace } });
  expect(result.annotations).toMatchObject([
    { level: 'notice', message: expect.stringContaining('are left out: sql/orders.sql.') },
  ]);
  expect(result.summary).toContain('Uncommitted changes are left out');
});

test('a promotion of an existing older version reports the live version', async () => {
  const promote = { action: 'actions/promote', inputs: { version: 'v1.0.0', from: 'dev', to: 'test' } };
  await testEnvironment.push(tag, { action });
  await testEnvironment.push(tag, promote);
  await testEnvironment.push(tag, { action, inputs: { version: 'v1.1.0' } });
  const newer = await testEnvironment.push(tag, {
    ...promote,
    inputs: { ...promote.inputs, version: 'v1.1.0' },
  });
  expect(newer.outputs['live']).toBe('v1.1.0');
  const older = await testEnvironment.push(tag, promote);
  expect([older.outputs['outcome'], older.outputs['live']]).toEqual(['already-done', 'v1.1.0']);
  expect(older.log).toContain('v1.0.0 is already in test, but v1.1.0 is newer and live');
});
