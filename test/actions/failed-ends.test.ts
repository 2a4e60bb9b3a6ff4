import { dirname, join } from 'node:path';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createActionEnvironment,
  createSharingEnvironment,
  repository,
  type ActionEnvironment,
} from './action-environment.ts';
import { orchestration, warehouseFiles } from './warehouse-files.ts';

const tag = 'refs/tags/v1.0.0';
const inDev = { pipeline: 'daily/load', environment: 'dev' };
const variables = 'version: 1\nvariables:\n  day: { type: TEXT, behaviour: SHARED, value: today }\n';
let testEnvironment: ActionEnvironment;

afterEach(() => testEnvironment[Symbol.asyncDispose]());

describe('an action with the outcome failed', () => {
  beforeEach(async () => {
    testEnvironment = await createActionEnvironment(
      { ...warehouseFiles, 'variables.yaml': variables },
      { executions: [{ pipeline: 'daily/load', component: 'Load orders', outcome: 'failure' }] },
    );
    await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
    await testEnvironment.publish('v1.0.0', tag);
  });

  test.each(['actions/run', 'actions/release'])(
    'leaves one error annotation, with the words of the platform in it and in the log (%s)',
    async (action) => {
      const result = await testEnvironment.push(tag, { action, inputs: inDev });
      const message = /The platform says: (\S.+)/u.exec(result.log)?.[1] ?? 'none';
      expect([result.exitCode, result.annotations.map(({ level, title }) => [level, title])]).toEqual([
        1,
        [['error', 'Millrace: Run']],
      ]);
      expect(result.annotations[0]?.message).toContain('daily/load in dev ended: FAILED.');
      expect(result.annotations[0]?.message).toContain(message);
      // A line of its own: the annotation's command is in the log too.
      expect(result.log.split('\n')).toContain(`The platform says: ${message}`);
    },
  );

  test('leaves an annotation and log lines with each drifted version', async () => {
    await testEnvironment.publish('hotfix', 'refs/heads/main');
    const result = await testEnvironment.push('refs/heads/main', { action: 'actions/drift' });
    expect(result.annotations).toMatchObject([
      { level: 'error', title: 'Millrace: Drift', message: expect.stringContaining('dev: hotfix: no tag') },
    ]);
    // A line of its own: the annotation's command is in the log too.
    expect(result.log.split('\n')).toContainEqual(
      expect.stringMatching(/^dev: hotfix: no tag with this name/u),
    );
  });

  test('leaves an annotation if a plan of variables fails the step', async () => {
    const inputs = { files: 'variables.yaml', mode: 'plan', 'exit-code': 'true' };
    const result = await testEnvironment.push('refs/heads/main', { action: 'actions/variables', inputs });
    expect([result.exitCode, result.annotations]).toMatchObject([
      1,
      [{ level: 'error', message: '1 to add, 0 to change, 0 to delete.' }],
    ]);
  });
});

describe('a review without a verdict', () => {
  let number: number;

  beforeEach(async () => {
    testEnvironment = await createActionEnvironment();
    const bad = { 'daily/load.orch.yaml': orchestration('load 1') };
    await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
    number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  });

  const checks = () =>
    testEnvironment.github.repository(repository).checkRuns.map(({ name, conclusion }) => [name, conclusion]);

  test('leaves a failed check run with the message of the platform', async () => {
    const body = JSON.stringify({ error: 'The disk is full', status: 500 });
    testEnvironment.platform.faults.set({ rules: [{ operation: 'reviews.create', status: 500, body }] });
    const result = await testEnvironment.pullRequest(number, { action: '' });
    expect([result.exitCode, result.annotations.length, checks()]).toEqual([
      3,
      1,
      [['Millrace review', 'failure']],
    ]);
    const [check] = testEnvironment.github.repository(repository).checkRuns;
    expect(check?.output.title).toContain('The disk is full');
    expect(result.log).toContain('The disk is full');
  });

  test('leaves a failed check run without a token, with an invalid file or a missing folder', async () => {
    await testEnvironment.pullRequest(number, { action: '', token: '' });
    const inputs = { 'working-directory': 'projects/none' };
    await testEnvironment.pullRequest(number, { action: '', inputs });
    await testEnvironment.builder.commit('main', { 'millrace.yaml': 'version: 1\nreview:\n  scop: all\n' });
    await testEnvironment.pullRequest(number, { action: '' });
    expect(checks()).toEqual([
      ['Millrace review', 'failure'],
      ['Millrace review projects/none', 'failure'],
      ['Millrace review', 'failure'],
    ]);
  });

  test('a file as working-directory is a usage error', async () => {
    await testEnvironment.builder.commit('feature/x', { 'notes.txt': 'x' });
    const inputs = { 'working-directory': 'notes.txt' };
    const { exitCode, log } = await testEnvironment.pullRequest(number, { action: '', inputs });
    expect(exitCode).toBe(2);
    expect(log).toContain('"notes.txt" is not a folder.');
  });

  test('is followed by a passed check run of the same name, when the platform works again', async () => {
    testEnvironment.platform.faults.set({ rules: [{ operation: 'reviews.create', status: 500 }] });
    await testEnvironment.pullRequest(number, { action: '' });
    testEnvironment.platform.faults.clear();
    await testEnvironment.builder.commit('feature/x', { 'daily/load.orch.yaml': orchestration('Load all') });
    await testEnvironment.pullRequest(number, { action: '' });
    expect(checks()).toEqual([
      ['Millrace review', 'failure'],
      ['Millrace review', 'success'],
    ]);
  });

  test('makes no check run with check: off, and logs why without permission', async () => {
    const inputs = { 'base-url': 'http://127.0.0.1:1' };
    await testEnvironment.pullRequest(number, { action: '', inputs: { ...inputs, check: 'off' } });
    const refused = await testEnvironment.pullRequest(number, { action: '', as: 'reader', inputs });
    expect(checks()).toEqual([]);
    expect(refused.log).toMatch(
      /The check run was not written\. GitHub could not create a check run on \S+ \(403\)/u,
    );
  });

  test('leaves neither an annotation nor a check run after a cancel', async () => {
    testEnvironment.platform.faults.set({ rules: [{ operation: 'reviews.create', wire: 'silence' }] });
    const cancel = new AbortController();
    const running = testEnvironment.pullRequest(number, { action: '', more: { signal: cancel.signal } });
    await expect
      .poll(() => testEnvironment.platform.requests().counts['reviews.create'] ?? 0)
      .toBeGreaterThan(0);
    cancel.abort();
    const result = await running;
    expect([result.exitCode, result.outputs['outcome'], result.annotations, checks()]).toEqual([
      130,
      'cancelled',
      [],
      [],
    ]);
  });
});

test.each(['actions/pull-request', 'actions/release'])(
  '%s on an older Node reports this and sets its outcome',
  async (action) => {
    testEnvironment = await createActionEnvironment();
    await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
    const bin = join(testEnvironment.folder, 'old-node');
    await mkdir(bin);
    await writeFile(join(bin, 'node'), '#!/bin/sh\necho v20.19.0\n');
    await chmod(join(bin, 'node'), 0o755);
    const env = { PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
    const result = await testEnvironment.push(tag, { action, more: { env } });
    expect([result.exitCode, result.outputs['outcome'], result.annotations[0]?.title]).toEqual([
      2,
      'error',
      'Millrace needs Node 24',
    ]);
  },
);

test.each([
  ['actions/publish', { version: 'v7.0.0' }, [0, 'passed']],
  ['actions/publish', {}, [2, 'error']],
  ['actions/variables', { files: 'variables.yaml' }, [0, 'passed']],
  ['', { local: 'TRUE' }, [0, 'passed']],
  ['', {}, [2, 'error']],
])('a deployment of a commit alone, without a ref, starts "%s" with %o', async (action, inputs, end) => {
  testEnvironment = await createSharingEnvironment({ ...warehouseFiles, 'variables.yaml': variables });
  const sha = (await testEnvironment.github.repository(repository).git.commit('main')) ?? '';
  const payload = { action: 'created', deployment: { id: 1, ref: sha, sha, environment: 'dev' } };
  const result = await testEnvironment.event(
    { name: 'deployment', payload, ref: '', sha },
    { action, inputs },
  );
  expect([result.exitCode, result.outputs['outcome']]).toEqual(end);
  expect(result.log).not.toContain('not a step of a GitHub workflow');
});

test.each(['TRUE'])('the input dry-run accepts %s as true', async (yes) => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
  const inputs = { 'dry-run': yes, deployment: yes === 'TRUE' ? 'FALSE' : 'False' };
  const result = await testEnvironment.push(tag, { action: 'actions/publish', inputs });
  expect([result.exitCode, result.summary.includes('Would publish')]).toEqual([0, true]);
  expect(
    (await testEnvironment.push(tag, { action: 'actions/publish', inputs: { 'dry-run': 'yes' } })).exitCode,
  ).toBe(2);
});

test('a token with a line break in a finding is masked in all reports and files', async () => {
  const token = 'canary-aaaa-bbbb-cccc-dddd';
  const cut = `canary-aaaa-\n    bbbb-cccc-dddd`;
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit(
    'feature/x',
    { 'daily/load.orch.yaml': orchestration('load 1').replaceAll('"load 1"', `"load ${cut}"`) },
    { from: 'main' },
  );
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const body = JSON.stringify({ error: `no: ${cut}`, status: 400 });
  testEnvironment.platform.faults.set({ rules: [{ operation: 'reviews.create', status: 400, body }] });
  const more = { env: { MILLRACE_GITHUB_TOKEN: token } };
  const result = await testEnvironment.pullRequest(number, { action: '', more });
  const sent = JSON.stringify(testEnvironment.github.requests.map((request) => request.body));
  expect(sent).toContain('Millrace review');
  for (const text of [sent, result.raw, result.summary]) expect(text).not.toContain('bbbb-cccc-dddd');
});
