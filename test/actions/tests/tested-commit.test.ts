import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSnapshot } from '../../../flows/snapshot/read-snapshot.ts';
import { checkOut } from '../../runner/check-out.ts';
import { repository, type ActionEvent } from '../action-environment.ts';
import {
  copyTest,
  engineFolder,
  filtered,
  pipeline,
  testedRepository,
  testFile,
  type TestedRepository,
} from './tested-repository.ts';

let tested: TestedRepository;
let number: number;
beforeAll(async () => {
  tested = await testedRepository({ 'millrace.yaml': 'version: 1\n' });
  // Its test fails.
  number = await tested.openPull({ [pipeline]: filtered });
});
afterAll(() => tested[Symbol.asyncDispose]());

const tipOf = async (branch: string) =>
  (await tested.environment.github.repository(repository).git.commit(`refs/heads/${branch}`)) ?? '';

const testOn = (event: ActionEvent, action: string, inputs: Readonly<Record<string, string>> = {}) =>
  tested.environment.event(event, { action, inputs: { engine: engineFolder, ...inputs } });

/** The event of the pull request, with this commit checked out. */
async function pullRequest(sha: string, name = 'pull_request'): Promise<ActionEvent> {
  const { mergeSha: _, ...payload } = await tested.environment.github.events.pullRequest(repository, number);
  return { name, payload, ref: 'refs/heads/main', sha };
}

test.each(['actions/test', 'actions/diff'])(
  '%s refuses pull_request_target: the target branch would be tested, or the head beside secrets',
  async (action) => {
    for (const branch of ['main', 'feature/x']) {
      const result = await testOn(await pullRequest(await tipOf(branch), 'pull_request_target'), action);
      expect([result.exitCode, result.outputs['outcome']]).toEqual([2, 'error']);
      expect(result.annotations[0]?.message).toContain('The event pull_request_target runs with secrets');
      expect(result.annotations[0]?.message).toContain(
        'Start the workflow on pull_request, and use actions/checkout without a ref.',
      );
    }
  },
);

test('on a pull request the report names GitHub’s test merge, with the head and what it merges into', async () => {
  let snapshot = '';
  const result = await tested.run(number, {
    action: 'actions/test',
    more: {
      onFinished: ({ outputs }) => (snapshot = readFileSync(outputs['snapshot-path'] ?? '', 'utf8')),
    },
  });
  const [{ tree } = { tree: '' }] = await tested.environment.github
    .repository(repository)
    .git.describe([result.outputs['commit'] ?? '']);
  expect(basename(result.outputs['snapshot-path'] ?? '')).toBe(`snapshot-${tree}.json`);
  expect(readSnapshot(snapshot)).toMatchObject({ columns: 'known', pipelines: [{ path: pipeline }] });
  const [main, head] = [(await tipOf('main')).slice(0, 12), (await tipOf('feature/x')).slice(0, 12)];
  expect([result.exitCode, result.outputs['commit']]).toEqual([1, expect.stringMatching(/^[0-9a-f]{40}$/u)]);
  const merge = result.outputs['commit']?.slice(0, 12) ?? '';
  const sentence = `Tested: ${merge}, GitHub’s test merge of the head ${head} of pull request ${number} into ${main}.`;
  expect(result.log).toContain(sentence);
  expect(result.summary).toContain(`- commit: <code>${result.outputs['commit']?.slice(0, 12) ?? ''}</code>`);
  expect(result.summary).toContain('GitHub’s test merge of the head');
});

test('on a pull request another check-out is refused, because it would pass without the change', async () => {
  const result = await testOn(await pullRequest(await tipOf('main')), 'actions/test');
  expect(result.exitCode).toBe(2);
  expect(result.annotations[0]?.message).toContain('is neither the head');
});

test('an event that is not about a commit is refused, unless the input names what is checked out', async () => {
  const [main, head] = [await tipOf('main'), await tipOf('feature/x')];
  const payload = { workflow_run: { head_sha: head } };
  const event = { name: 'workflow_run', payload, ref: 'refs/heads/main', sha: main };
  for (const action of ['actions/test', 'actions/diff']) {
    const refused = await testOn(event, action);
    expect([refused.exitCode, refused.annotations[0]?.message]).toEqual([
      2,
      expect.stringContaining('The event "workflow_run" does not say which commit to check'),
    ]);
    const other = await testOn(event, action, { commit: head, base: main });
    expect([other.exitCode, other.annotations[0]?.message]).toEqual([
      2,
      expect.stringContaining(`is not ${head.slice(0, 12)}, the commit to check`),
    ]);
  }
  const result = await testOn({ ...event, sha: head }, 'actions/test', { commit: head });
  expect([result.exitCode, result.outputs['commit'], result.outputs['failed']]).toEqual([1, head, '1']);
});

test.each(['actions/test', 'actions/diff'])(
  'in the merge queue %s refuses another check-out than the head of the group',
  async (action) => {
    const [main, head] = [await tipOf('main'), await tipOf('feature/x')];
    const merge_group = { head_ref: 'refs/heads/feature/x', head_sha: head, base_sha: main };
    const event = { name: 'merge_group', payload: { merge_group }, ref: 'refs/heads/main', sha: main };
    const result = await testOn(event, action);
    expect([result.exitCode, result.annotations[0]?.message]).toEqual([
      2,
      expect.stringContaining(`is not ${head.slice(0, 12)}, the commit to check`),
    ]);
  },
);

test.each(['actions/test', 'actions/diff'])(
  'after a push %s refuses another check-out than the pushed commit',
  async (action) => {
    const [main, head] = [await tipOf('main'), await tipOf('feature/x')];
    const ref = 'refs/heads/feature/x';
    const payload = await tested.environment.github.events.push(repository, ref, main);
    const result = await testOn({ name: 'push', payload, ref: 'refs/heads/main', sha: main }, action);
    expect([result.exitCode, result.annotations[0]?.message]).toEqual([
      2,
      expect.stringContaining(`is not ${head.slice(0, 12)}, the commit to check`),
    ]);
  },
);

test('in a sparse check-out without a test the step fails: the other tests would pass for it', async () => {
  const sha = await tested.environment.builder.commit(
    'sparse',
    { 'weekly/a.test.yaml': copyTest, 'weekly/b.test.yaml': copyTest, 'other/notes.txt': 'x' },
    { from: 'main' },
  );
  const ref = 'refs/heads/sparse';
  const payload = await tested.environment.github.events.push(repository, ref);
  const workspace = await mkdtemp(join(tested.environment.folder, 'sparse-'));
  await checkOut({ remote: tested.environment.builder.path, folder: workspace, sha, ref });
  await promisify(execFile)('git', ['sparse-checkout', 'set', 'daily'], { cwd: workspace });
  const run = (inputs: Readonly<Record<string, string>>) =>
    tested.environment.event(
      { name: 'push', payload, ref, sha },
      { action: 'actions/test', inputs: { engine: engineFolder, ...inputs }, more: { workspace } },
    );
  const result = await run({});
  expect([result.exitCode, result.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('weekly/a.test.yaml and 1 other test file would not run'),
  ]);
  const chosen = await run({ files: testFile });
  expect([chosen.exitCode, chosen.outputs['tests']]).toEqual([0, '1']);
});

test('in a sparse check-out without millrace.yaml the step takes it from git’s index', async () => {
  const settings = { 'millrace.yaml': 'version: 1\nengine: { warehouse: NONE }\n' };
  const sha = await tested.environment.builder.commit('left-out', settings, { from: 'main' });
  const ref = 'refs/heads/left-out';
  const payload = await tested.environment.github.events.push(repository, ref);
  const workspace = await mkdtemp(join(tested.environment.folder, 'sparse-'));
  await checkOut({ remote: tested.environment.builder.path, folder: workspace, sha, ref });
  const patterns = ['--no-cone', '/*', '!/millrace.yaml'];
  await promisify(execFile)('git', ['sparse-checkout', 'set', ...patterns], { cwd: workspace });
  const result = await tested.environment.event(
    { name: 'push', payload, ref, sha },
    { action: 'actions/test', inputs: { engine: engineFolder }, more: { workspace } },
  );
  expect([result.exitCode, result.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('warehouse'),
  ]);
});

test('in a sparse check-out the tests of a project below do not run if its millrace.yaml is left out', async () => {
  const files = {
    'below/millrace.yaml': 'version: 1\n',
    'below/a.test.yaml': copyTest,
    'below/notes.txt': 'x',
  };
  const sha = await tested.environment.builder.commit('below', files, { from: 'main' });
  const ref = 'refs/heads/below';
  const payload = await tested.environment.github.events.push(repository, ref);
  const workspace = await mkdtemp(join(tested.environment.folder, 'sparse-'));
  await checkOut({ remote: tested.environment.builder.path, folder: workspace, sha, ref });
  const patterns = ['--no-cone', '/*', '!/below/millrace.yaml'];
  await promisify(execFile)('git', ['sparse-checkout', 'set', ...patterns], { cwd: workspace });
  const result = await tested.environment.event(
    { name: 'push', payload, ref, sha },
    { action: 'actions/test', inputs: { engine: engineFolder }, more: { workspace } },
  );
  expect([result.exitCode, result.outputs['tests'], result.annotations]).toEqual([0, '1', []]);
});

test('the report names what a step before the tests changed on disk', async () => {
  const [ref, sha] = ['refs/heads/main', await tipOf('main')];
  const payload = await tested.environment.github.events.push(repository, ref);
  const workspace = await mkdtemp(join(tested.environment.folder, 'changed-'));
  await checkOut({ remote: tested.environment.builder.path, folder: workspace, sha, ref });
  await writeFile(join(workspace, testFile), `${copyTest}# changed\n`);
  const run = () =>
    tested.environment.event(
      { name: 'push', payload, ref, sha },
      { action: 'actions/test', inputs: { engine: engineFolder }, more: { workspace } },
    );
  const one = await run();
  expect(one.exitCode).toBe(0);
  expect(one.log).toContain(`Tested: ${sha.slice(0, 12)}, `);
  expect(one.log).toContain(`, with uncommitted changes on disk: ${testFile}.`);
  await writeFile(join(workspace, 'new.sql'), 'select 1\n');
  expect((await run()).log).toContain(`on disk: 2 files, such as ${testFile}.`);
});

test('a folder inside of a project, and settings under another name, are refused', async () => {
  const sha = await tested.environment.builder.commit(
    'elsewhere',
    { 'other/millrace.yml': 'version: 1\n', 'other/notes.txt': 'x' },
    { from: 'main' },
  );
  const ref = 'refs/heads/elsewhere';
  const payload = await tested.environment.github.events.push(repository, ref);
  const messageIn = async (action: string, folder: string) => {
    const result = await testOn({ name: 'push', payload, ref, sha }, action, { 'working-directory': folder });
    return [result.exitCode, result.annotations[0]?.message];
  };
  expect(await messageIn('actions/test', 'daily')).toEqual([
    2,
    expect.stringContaining('The folder "daily" has no millrace.yaml'),
  ]);
  expect(await messageIn('actions/test', 'other')).toEqual([
    2,
    expect.stringContaining('"other/millrace.yml" is not read'),
  ]);
});
