import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSharingEnvironment, type ActionEnvironment } from '../action-environment.ts';

let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
  await testEnvironment.publish('v1.0.0', 'refs/tags/v1.0.0');
  await testEnvironment.builder.commit('main', { 'sql/orders.sql': 'SELECT 2;\n' });
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

const publish = ({ version, environment }: { version: string; environment?: string }) =>
  testEnvironment.publish(version, 'refs/heads/main', environment);
const rollback = (inputs: Record<string, string>) =>
  testEnvironment.push('refs/heads/main', {
    action: 'actions/rollback',
    inputs: { environment: 'dev', ...inputs },
  });
const drift = (inputs: Record<string, string> = {}) =>
  testEnvironment.push('refs/heads/main', { action: 'actions/drift', inputs });

test('a rollback makes the previous version live, and a re-run changes nothing', async () => {
  await publish({ version: 'v1.1.0' });
  const dry = await rollback({ version: 'v1.1.0', 'dry-run': 'true' });
  expect([dry.outputs['outcome'], dry.summary.includes('Would disable v1.1.0')]).toEqual(['passed', true]);

  await publish({ version: 'v1.0.1' });
  await rollback({ version: 'v1.0.1', to: 'v1.1.0' });
  const done = await rollback({ version: 'v1.1.0', to: 'v1.0.0' });
  expect([done.exitCode, done.outputs['version'], done.outputs['disabled']]).toEqual([0, 'v1.0.0', 'v1.1.0']);
  const again = await rollback({ version: 'v1.1.0' });
  expect([again.exitCode, again.outputs['outcome']]).toEqual([0, 'already-done']);
});

test('a rollback without an earlier version is refused', async () => {
  const result = await rollback({});
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([1, 'Millrace: nothing-to-roll-back-to']);
});

test('a shared rollback makes the previous shared version live, and never disables the last one', async () => {
  const share = (version: string) =>
    testEnvironment.push('refs/heads/main', { action: 'actions/publish-shared', inputs: { version } });
  const back = (inputs: Record<string, string> = {}) =>
    testEnvironment.push('refs/heads/main', {
      action: 'actions/rollback',
      inputs: { shared: 'true', ...inputs },
    });
  await share('v1.0.0');
  await share('v1.1.0');

  const done = await back({ version: 'v1.1.0' });
  expect([done.exitCode, done.outputs['outcome']]).toEqual([0, 'passed']);
  expect([done.outputs['version'], done.outputs['disabled'], done.outputs['environment']]).toEqual([
    'v1.0.0',
    'v1.1.0',
    '',
  ]);
  expect((await back({ version: 'v1.1.0' })).outputs['outcome']).toBe('already-done');
  const last = await back();
  expect([last.exitCode, last.annotations[0]?.title]).toEqual([1, 'Millrace: nothing-to-roll-back-to']);
  const again = await share('v1.1.0');
  expect([again.exitCode, again.annotations[0]?.title]).toEqual([1, 'Millrace: version-disabled']);
});

test('a rollback of two targets, of none, with a prefix but not shared, or with to but shared, is a usage error', async () => {
  for (const inputs of [
    {},
    { environment: 'dev', shared: 'true' },
    { environment: 'dev', prefix: 'x' },
    { shared: 'true', to: 'v1' },
  ]) {
    const result = await testEnvironment.push('refs/heads/main', { action: 'actions/rollback', inputs });
    expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: usage']);
  }
});

test('publishing an existing but disabled version fails', async () => {
  await publish({ version: 'v1.1.0' });
  await rollback({ version: 'v1.1.0' });
  const result = await testEnvironment.push('refs/heads/main', {
    action: 'actions/publish',
    inputs: { version: 'v1.1.0' },
  });
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([1, 'Millrace: version-disabled']);
});

test('environments that match the tags have no drift, even in a shallow clone without tags', async () => {
  const result = await drift();
  expect([result.exitCode, result.outputs['outcome'], result.outputs['newest']]).toEqual([
    0,
    'passed',
    'v1.0.0',
  ]);
  expect(result.summary).toContain('| dev | v1&#46;0&#46;0 | up to date |'.replaceAll('&#46;', '.'));
  expect(result.summary).toContain('no version is enabled');
});

test('a version without a tag fails the step and is in the table; disabled versions are counted', async () => {
  await publish({ version: 'hotfix' });
  const result = await drift();
  expect([result.exitCode, result.outputs['outcome'], result.outputs['unknown']]).toEqual([1, 'failed', '1']);
  expect(result.summary).toContain('| dev | hotfix | no tag with this name |');
  expect((await drift({ 'fail-on': 'never' })).exitCode).toBe(0);

  await rollback({});
  const after = await drift();
  expect([after.exitCode, after.outputs['unknown'], after.outputs['disabled']]).toEqual([0, '0', '1']);
});

test('an environment behind the newest tag is reported, and fails with fail-on: behind', async () => {
  await testEnvironment.builder.tag('v2.0.0', 'main');
  const result = await drift({ environments: 'dev' });
  expect([result.exitCode, result.outputs['newest'], result.outputs['behind']]).toEqual([0, 'v2.0.0', '1']);
  expect(JSON.parse(result.outputs['behind-environments'] ?? '')).toEqual(['dev']);
  expect(JSON.parse(result.outputs['environments'] ?? '')).toContain('dev');
  expect(result.summary).toContain('1 version behind');
  expect((await drift({ environments: 'dev', 'fail-on': 'behind' })).exitCode).toBe(1);
});
