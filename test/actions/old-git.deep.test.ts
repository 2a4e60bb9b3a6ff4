import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { oldGit } from '../lib/git/old-git.ts';
import { checkOut } from '../runner/check-out.ts';
import { createActionEnvironment, repository, type ActionEnvironment } from './action-environment.ts';
import { orchestration, warehouseFiles } from './warehouse-files.ts';

const tag = 'refs/tags/v1.0.0';
const inDev = { environment: 'dev' };
const running = { pipeline: 'daily/load', ...inDev };
const variablesFile = 'version: 1\nvariables:\n  bucket: { type: TEXT, behaviour: SHARED, value: none }\n';
let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createActionEnvironment({ ...warehouseFiles, 'variables.yaml': variablesFile });
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

/** The PATH of a container whose git is older than 2.38 and whose user is not the owner of the workspace. */
function containerPath(): string {
  return `${oldGit(join(testEnvironment.folder, 'bin'))}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
}

describe('in a container with a git before 2.38, whose workspace belongs to another user', () => {
  test('all actions for a tag can read the repository and millrace.yaml', async () => {
    const more = { env: { PATH: containerPath() } };
    const ends = [];
    for (const [action, inputs] of [
      ['publish', {}],
      ['promote', { version: 'v1.0.0', from: 'dev', to: 'test' }],
      ['run', running],
      ['drift', {}],
      ['rollback', { ...inDev, version: 'v1.0.0' }],
      ['variables', { files: 'variables.yaml' }],
    ] as const) {
      const { annotations, outputs } = await testEnvironment.push(tag, {
        action: `actions/${action}`,
        inputs,
        more,
      });
      ends.push([action, outputs['outcome'], annotations.map(({ title }) => title)]);
    }
    expect(ends).toEqual([
      ['publish', 'passed', []],
      ['promote', 'passed', []],
      ['run', 'passed', []],
      ['drift', 'passed', []],
      ['rollback', 'failed', ['Millrace: nothing-to-roll-back-to']],
      ['variables', 'passed', []],
    ]);
  });

  test('a pull request is reviewed with the policy of its base, which is fetched', async () => {
    await testEnvironment.builder.commit(
      'feature/x',
      { 'daily/load.orch.yaml': orchestration('load 1') },
      { from: 'main' },
    );
    const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
    const more = { env: { PATH: containerPath() } };
    const result = await testEnvironment.pullRequest(number, { action: '', as: 'reader', more });
    expect(result.annotations.map(({ title }) => title)).toEqual(['component-naming-convention']);
  });
});

describe.each([
  ['promote', { version: 'v1.0.0', from: 'dev', to: 'test' }],
  ['run', running],
  ['rollback', inDev],
])('%s, where git cannot read millrace.yaml', (action, inputs) => {
  const project = '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b';
  const given = { action: `actions/${action}`, inputs: { ...inputs, project } };

  test('fails with a message, even if the inputs give everything', async () => {
    const workspace = join(testEnvironment.folder, 'broken');
    const sha = (await testEnvironment.github.repository(repository).git.commit(tag)) ?? '';
    await mkdir(workspace);
    await checkOut({ remote: testEnvironment.builder.path, folder: workspace, sha, ref: tag });
    await rm(join(workspace, '.git', 'HEAD'));
    const result = await testEnvironment.push(tag, { ...given, more: { workspace } });
    expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: git-failed']);
  });

  test('fails after a check-out without git, with a hint to install git', async () => {
    const workspace = join(testEnvironment.folder, 'downloaded');
    const sha = (await testEnvironment.github.repository(repository).git.commit(tag)) ?? '';
    await mkdir(workspace);
    await checkOut({ remote: testEnvironment.builder.path, folder: workspace, sha, ref: tag });
    await rm(join(workspace, '.git'), { recursive: true });
    const result = await testEnvironment.push(tag, { ...given, more: { workspace } });
    expect([result.exitCode, result.annotations[0]?.message]).toEqual([
      2,
      expect.stringContaining('Install git before'),
    ]);
  });
});

test('run without a check-out needs only its inputs', async () => {
  const workspace = join(testEnvironment.folder, 'empty');
  await mkdir(workspace);
  await testEnvironment.push(tag, { action: 'actions/publish' });
  const inputs = { ...running, project: '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b' };
  const result = await testEnvironment.push(tag, { action: 'actions/run', inputs, more: { workspace } });
  expect([result.exitCode, result.outputs['outcome']]).toEqual([0, 'passed']);
});
