import { mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOut } from '../runner/check-out.ts';
import { runWorkflowJob, type WorkflowJobResult } from '../runner/run-workflow-job.ts';
import { openScene, repository, type Scene } from './scene.ts';

const root = join(import.meta.dirname, '..', '..');
let scene: Scene;

beforeEach(async () => {
  const example = join(root, 'examples', 'warehouse');
  const names = await readdir(example, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    files.map(async (file) => [file.slice(root.length + 1), await readFile(file, 'utf8')] as const),
  );
  scene = await openScene(Object.fromEntries(contents));
});
afterEach(() => scene[Symbol.asyncDispose]());

/** The workflow of this repository, in a clone that has the example project and takes all else from here. */
async function runHere(event: { name: string; ref: string; sha: string; payload: unknown }) {
  const workspace = await mkdtemp(join(scene.folder, 'workspace-'));
  await checkOut({ remote: scene.builder.path, folder: workspace, sha: event.sha, ref: event.ref, depth: 0 });
  await symlink(join(root, '.ci'), join(workspace, '.ci'));
  const tools = await mkdtemp(join(scene.folder, 'tools-'));
  // The packages of this clone serve: only where npm looks for its scripts is another place.
  const npm = `#!/usr/bin/env bash\nINIT_CWD="$PWD" exec node ${JSON.stringify(join(root, 'tools/setup/run.mjs'))} "\${@:3:1}" "\${@:5}"\n`;
  await writeFile(join(tools, 'npm'), npm, { mode: 0o755 });
  return await runWorkflowJob({
    file: join(root, '.github', 'workflows', 'actions.yml'),
    job: 'from-review-to-roll-back',
    root,
    workspace,
    event: event.payload,
    eventName: event.name,
    ref: event.ref,
    sha: event.sha,
    repository,
    repositoryId: scene.github.repository(repository).id,
    apiUrl: scene.github.apiUrl,
    serverUrl: scene.github.url,
    token: 'reader',
    env: { PATH: `${tools}:${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}` },
  });
}

const endsOf = ({ steps, log }: WorkflowJobResult) => ({ steps, log: log.slice(-3000) });
const all = (end: 'success' | 'skipped') =>
  Object.fromEntries(
    ['release', 'again', 'next', 'promote', 'rollback', 'run', 'drift', 'Everything ended as it should'].map(
      (name) => [name, end],
    ),
  );

test('the workflow that uses the actions by path goes from review to roll-back on a push', async () => {
  const ref = 'refs/heads/main';
  const sha = (await scene.github.repository(repository).git.commit(ref)) ?? '';
  const payload = await scene.github.events.push(repository, ref);
  const result = await runHere({ name: 'push', ref, sha, payload });
  expect(endsOf(result)).toEqual({
    steps: {
      'Start the local platform': 'success',
      review: 'success',
      ...all('success'),
      'Stop the local platform': 'success',
    },
    log: expect.any(String),
  });
});

test('on a pull request it reviews and changes nothing', async () => {
  const name = 'examples/warehouse/sql/new.sql';
  await scene.builder.commit('feature/x', { [name]: 'SELECT 1;\n' }, { from: 'main' });
  const number = scene.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const { mergeSha, ...payload } = await scene.github.events.pullRequest(repository, number);
  const ref = `refs/pull/${String(number)}/merge`;
  const result = await runHere({ name: 'pull_request', ref, sha: mergeSha, payload });
  expect(endsOf(result).steps).toEqual({
    'Start the local platform': 'success',
    review: 'success',
    ...all('skipped'),
    'Stop the local platform': 'success',
  });
});
