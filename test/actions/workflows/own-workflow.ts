import { mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOut } from '../../runner/check-out.ts';
import { runWorkflowJob, type WorkflowJobResult } from '../../runner/run-workflow-job.ts';
import { createActionEnvironment, repository, type ActionEnvironment } from '../action-environment.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** An environment whose repository holds the example project. */
export async function createExampleEnvironment(): Promise<ActionEnvironment> {
  const example = join(root, 'examples', 'warehouse');
  const names = await readdir(example, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    files.map(async (file) => [file.slice(root.length + 1), await readFile(file, 'utf8')] as const),
  );
  return await createActionEnvironment(Object.fromEntries(contents));
}

/** The workflow of this repository, in a clone that has the example project and takes all else from here. */
export async function runOwnWorkflow(
  testEnvironment: ActionEnvironment,
  event: { name: string; ref: string; sha: string; payload: unknown },
) {
  const workspace = await mkdtemp(join(testEnvironment.folder, 'workspace-'));
  await checkOut({
    remote: testEnvironment.builder.path,
    folder: workspace,
    sha: event.sha,
    ref: event.ref,
    depth: 0,
  });
  await symlink(join(root, '.ci'), join(workspace, '.ci'));
  const tools = await mkdtemp(join(testEnvironment.folder, 'tools-'));
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
    repositoryId: testEnvironment.github.repository(repository).id,
    apiUrl: testEnvironment.github.apiUrl,
    serverUrl: testEnvironment.github.url,
    token: 'reader',
    env: { PATH: `${tools}:${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}` },
  });
}

export const endsOf = ({ steps, log }: WorkflowJobResult) => ({ steps, log: log.slice(-3000) });
export const all = (end: 'success' | 'skipped') =>
  Object.fromEntries(
    ['release', 'again', 'next', 'promote', 'rollback', 'run', 'drift', 'Everything ended as it should'].map(
      (name) => [name, end],
    ),
  );
