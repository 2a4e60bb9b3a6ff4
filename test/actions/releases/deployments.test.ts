import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ActionEnvironment, createActionEnvironment, repository } from '../action-environment.ts';

let testEnvironment: ActionEnvironment;
const tag = 'refs/tags/v1.0.0';

beforeEach(async () => {
  testEnvironment = await createActionEnvironment();
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
  await testEnvironment.publish('v1.0.0', tag);
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

const deployments = () => testEnvironment.github.repository(repository).deployments;
/** The deployments, oldest first, with their states in order. */
const recorded = () =>
  deployments().map(({ environment, payload, statuses }) => ({
    environment,
    version: (payload as { version?: string }).version,
    states: statuses.map(({ state }) => state),
  }));
const act = (name: string, inputs: Record<string, string>, as: 'deployer' | 'reader' = 'deployer') =>
  testEnvironment.push(tag, { action: `actions/${name}`, inputs: { deployment: 'true', ...inputs }, as });

test('promote, run and rollback record deployments with their states, commit and links', async () => {
  const { builder, github } = testEnvironment;
  const first = await github.repository(repository).git.commit(tag);
  const promotion = {
    version: 'v1.0.0',
    from: 'dev',
    to: 'test',
    'deployment-url': 'https://dash.example.com',
  };
  expect((await act('promote', promotion)).exitCode).toBe(0);
  expect(deployments()[0]).toMatchObject({
    sha: first,
    environment: 'test',
    statuses: expect.arrayContaining([
      expect.objectContaining({
        state: 'success',
        log_url: expect.stringContaining('/actions/runs/'),
        environment_url: 'https://dash.example.com',
      }),
    ]),
  });
  // A second run changes nothing, so it creates no deployment.
  expect((await act('promote', promotion)).outputs['outcome']).toBe('already-done');
  expect(recorded()).toHaveLength(1);

  await builder.commit('main', { 'README.md': 'second' });
  await builder.tag('v2.0.0', 'main', 'second');
  await testEnvironment.publish('v2.0.0', 'refs/tags/v2.0.0', 'test');
  expect((await act('run', { pipeline: 'daily/load', environment: 'test' })).exitCode).toBe(0);
  expect((await act('rollback', { environment: 'test' })).exitCode).toBe(0);
  expect(recorded()).toMatchObject([
    { environment: 'test', version: 'v1.0.0', states: expect.arrayContaining(['in_progress', 'success']) },
    {
      environment: 'test',
      version: 'v2.0.0',
      states: expect.arrayContaining(['in_progress', 'success', 'inactive']),
    },
    { environment: 'test', version: 'v1.0.0', states: ['in_progress', 'success'] },
  ]);
  expect(deployments()[2]?.sha).toBe(first);
});

test('a failed action is a failed deployment', async () => {
  testEnvironment.platform.faults.set({ rules: [{ operation: 'artifacts.promote', status: 400 }] });
  const failed = await act('promote', { version: 'v1.0.0', from: 'dev', to: 'test' });
  expect(failed.exitCode).toBe(2);
  expect(recorded()).toMatchObject([{ states: expect.arrayContaining(['in_progress', 'failure']) }]);
});

test('a token without permission gives a warning with the line to add, and the action does its work', async () => {
  const result = await act('promote', { version: 'v1.0.0', from: 'dev', to: 'test' }, 'reader');
  expect([result.exitCode, result.outputs['live']]).toEqual([0, 'v1.0.0']);
  expect(result.annotations).toMatchObject([{ level: 'warning', title: 'Millrace: deployment' }]);
  expect(result.annotations[0]?.message).toContain('deployments: write');
});
