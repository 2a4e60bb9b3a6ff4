import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { createSharingEnvironment, type ActionEnvironment } from '../action-environment.ts';

let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

async function versions(environmentName: string) {
  const { baseUrl, projectId, tokens } = testEnvironment.platform;
  await using client = createClient({ baseUrl, auth: { token: tokens.admin } });
  const found: unknown[] = [];
  for await (const { versionName, commitHash } of client.artifacts.list({ projectId, environmentName })) {
    found.push([versionName, commitHash]);
  }
  return found;
}

const commitOf = async (ref: string): Promise<string> =>
  (await testEnvironment.github.repository('demo/warehouse').git.commit(ref)) ?? '';

describe('the publish action on a tag', () => {
  const action = 'actions/publish';

  test('publishes the artifact under the tag, and a second run ends as already-done', async () => {
    const commit = await commitOf('v1.0.0');
    const first = await testEnvironment.push('refs/tags/v1.0.0', { action });
    expect([first.exitCode, first.outputs['outcome'], first.outputs['version']]).toEqual([
      0,
      'passed',
      'v1.0.0',
    ]);
    expect(await versions('dev')).toEqual([['v1.0.0', commit]]);
    expect(first.summary).toContain('daily/load.orch.yaml');

    const second = await testEnvironment.push('refs/tags/v1.0.0', { action });
    expect([second.exitCode, second.outputs['outcome']]).toEqual([0, 'already-done']);
    expect(await versions('dev')).toHaveLength(1);
  });

  test('refuses the same version from another commit', async () => {
    await testEnvironment.push('refs/tags/v1.0.0', { action });
    await testEnvironment.builder.commit('main', { 'sql/orders.sql': 'SELECT 2;\n' });
    const again = await testEnvironment.push('refs/heads/main', { action, inputs: { version: 'v1.0.0' } });
    expect([again.exitCode, again.annotations[0]?.title]).toEqual([1, 'Millrace: version-exists']);
  });

  test('in a dry run sends nothing', async () => {
    const dry = await testEnvironment.push('refs/tags/v1.0.0', { action, inputs: { 'dry-run': 'true' } });
    expect([dry.exitCode, dry.outputs['files']]).toEqual([0, '3']);
    expect(await versions('dev')).toEqual([]);
  });

  test('refuses an unknown environment', async () => {
    const inputs = { environment: 'moon' };
    const result = await testEnvironment.push('refs/tags/v1.0.0', { action, inputs });
    expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: not-found']);
    expect(await versions('dev')).toEqual([]);
  });

  test('refuses a branch without a version, and a tag that is not a release tag', async () => {
    const branch = await testEnvironment.push('refs/heads/main', { action });
    expect(branch.annotations[0]?.message).toContain('The version is missing');
    await testEnvironment.builder.tag('nightly', 'main');
    const tag = await testEnvironment.push('refs/tags/nightly', { action });
    expect(tag.annotations[0]?.message).toContain('release.tag is "v*"');
  });
});

test('the shared pipelines are published once', async () => {
  const run = { action: 'actions/publish-shared' };
  const first = await testEnvironment.push('refs/tags/v1.0.0', run);
  expect([first.exitCode, first.outputs['outcome'], first.outputs['shared']]).toEqual([0, 'passed', '1']);
  const second = await testEnvironment.push('refs/tags/v1.0.0', run);
  expect([second.exitCode, second.outputs['outcome']]).toEqual([0, 'already-done']);
});

test('a version is promoted, and a second promotion changes nothing', async () => {
  await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/publish' });
  const run = { action: 'actions/promote', inputs: { version: 'v1.0.0', from: 'dev', to: 'test' } };
  expect((await testEnvironment.push('refs/tags/v1.0.0', run)).outputs['outcome']).toBe('passed');
  expect((await testEnvironment.push('refs/tags/v1.0.0', run)).outputs['outcome']).toBe('already-done');
  expect(await versions('test')).toHaveLength(1);
});

test('names without an order are compared by their commits at GitHub: a check-out has one commit', async () => {
  await testEnvironment.builder.commit('main', { 'README.md': 'second' });
  await testEnvironment.publish('red', 'refs/heads/main');
  await testEnvironment.publish('red', 'refs/heads/main', 'test');
  await testEnvironment.publish('blue', 'refs/tags/v1.0.0');
  const run = (as: 'reader' | 'blind', inputs: Record<string, string> = {}) =>
    testEnvironment.push('refs/heads/main', {
      action: 'actions/promote',
      as,
      inputs: { version: 'blue', from: 'dev', to: 'test', ...inputs },
    });
  const refused = await run('reader');
  expect([refused.exitCode, refused.annotations[0]?.message]).toEqual([
    1,
    expect.stringContaining('blue is older than red, which is live in test'),
  ]);
  expect((await run('reader', { older: 'allow', 'dry-run': 'true' })).annotations).toEqual([]);
  const unknown = await run('blind');
  expect([unknown.exitCode, unknown.annotations[0]?.message]).toEqual([
    0,
    expect.stringMatching(
      /^It is not known whether blue is newer than red, which is live in test: .*GitHub/u,
    ),
  ]);
});

test('an empty required input is an error, although GitHub does not check it', async () => {
  const result = await testEnvironment.push('refs/tags/v1.0.0', {
    action: 'actions/promote',
    inputs: { from: 'dev', to: 'test' },
  });
  expect([result.exitCode, result.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('"version" must be given'),
  ]);
});

test('a pipeline is executed, and the step waits for its end', async () => {
  await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/publish' });
  const inputs = { pipeline: 'daily/load', environment: 'dev' };
  const result = await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/run', inputs });
  expect([result.exitCode, result.outputs['outcome'], result.outputs['status']]).toEqual([
    0,
    'passed',
    'SUCCESS',
  ]);
});

describe('the composite release', () => {
  const action = 'actions/release';

  test('publishes artifact and shared pipelines, promotes and runs', async () => {
    const inputs = { to: 'test', pipeline: 'daily/load' };
    const result = await testEnvironment.push('refs/tags/v1.0.0', { action, inputs });
    expect(result.steps).toEqual({
      publish: 'success',
      'publish-shared': 'success',
      promote: 'success',
      run: 'success',
      terminate: 'skipped',
    });
    expect(result.outputs).toMatchObject({
      outcome: 'passed',
      version: 'v1.0.0',
      'shared-outcome': 'passed',
      'promote-outcome': 'passed',
      'run-outcome': 'passed',
    });
    expect(await versions('test')).toHaveLength(1);
  });

  test('only publishes without further inputs, and a re-run changes nothing', async () => {
    for (const outcome of ['passed', 'already-done']) {
      const result = await testEnvironment.push('refs/tags/v1.0.0', { action });
      expect(result.steps).toMatchObject({ promote: 'skipped', run: 'skipped' });
      expect([result.exitCode, result.outputs['outcome'], result.outputs['shared-outcome']]).toEqual([
        0,
        outcome,
        outcome,
      ]);
    }
  });

  test('an old release that runs again does not go over a newer one, unless the workflow allows it', async () => {
    await testEnvironment.builder.commit('main', { 'README.md': 'second' });
    await testEnvironment.builder.tag('v1.1.0', 'main', 'second');
    await testEnvironment.publish('v1.1.0', 'refs/tags/v1.1.0');
    await testEnvironment.publish('v1.1.0', 'refs/tags/v1.1.0', 'test');
    const again = (inputs: Record<string, string>) =>
      testEnvironment.push('refs/tags/v1.0.0', {
        action,
        as: 'deployer',
        inputs: { to: 'test', deployment: 'true', ...inputs },
      });
    const refused = await again({});
    expect(refused.steps).toMatchObject({
      publish: 'failure',
      'publish-shared': 'skipped',
      promote: 'skipped',
    });
    expect([refused.exitCode, refused.annotations]).toEqual([
      1,
      [
        expect.objectContaining({
          title: 'Millrace: older-version',
          message: expect.stringMatching(
            /^v1\.0\.0 is older than v1\.1\.0, which is live in dev\. Nothing was changed\.\nHow to fix: .*rollback.*`older: allow`/u,
          ),
        }),
      ],
    ]);
    expect((await versions('dev')).length).toBe(1);
    expect(testEnvironment.github.repository('demo/warehouse').deployments).toEqual([]);

    const warned = await again({ older: 'warn' });
    expect(warned.steps).toMatchObject({ publish: 'success', promote: 'success' });
    expect(warned.annotations.map(({ message }) => message)).toEqual([
      'v1.0.0 is older than v1.1.0, which is live in dev. Millrace continued with v1.0.0.',
      'v1.0.0 is older than v1.1.0, which is live in test. Millrace continued with v1.0.0.',
    ]);
    expect(await versions('test')).toHaveLength(2);
  });

  test('stops at the step that fails', async () => {
    const result = await testEnvironment.push('refs/tags/v1.0.0', {
      action,
      inputs: { environment: 'moon', to: 'test' },
    });
    expect(result.steps).toEqual({
      publish: 'failure',
      'publish-shared': 'skipped',
      promote: 'skipped',
      run: 'skipped',
      terminate: 'skipped',
    });
    expect(result.exitCode).toBe(2);
  });

  test('prints a hint if the job has an older Node', async () => {
    const { mkdir, writeFile } = await import('node:fs/promises');
    const old = `${testEnvironment.folder}/old-node`;
    await mkdir(old);
    await writeFile(`${old}/node`, '#!/bin/sh\necho v20.20.0\n', { mode: 0o755 });
    const env = { PATH: `${old}:${process.env['PATH'] ?? ''}` };
    const result = await testEnvironment.push('refs/tags/v1.0.0', { action, more: { env } });
    expect([result.exitCode, result.annotations[0]?.message]).toEqual([
      2,
      expect.stringContaining('v20.20.0'),
    ]);
    expect(result.annotations[0]?.message).toContain('actions/setup-node');
  });

  test('passes a cancellation on to Node, which ends in time', async () => {
    await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/publish' });
    const cancel = new AbortController();
    const inputs = { pipeline: 'daily/load' };
    const result = await testEnvironment.push('refs/tags/v1.0.0', {
      action,
      inputs,
      more: {
        signal: cancel.signal,
        onLine: (line) => {
          if (line.startsWith('Starting daily/load')) cancel.abort();
        },
      },
    });
    expect([result.outcome, result.exitCode]).toEqual(['cancelled', 130]);
    expect(result.outputs['run-outcome']).toBe('cancelled');
  });
});
