import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runAction, type RunOptions, type RunResult } from '../../runner/run-action.ts';

export const root = join(import.meta.dirname, '..', '..', '..');

/** A run of the action `test`, with the report files as they were at its end. */
export interface TestActionRun extends RunResult {
  /** Output, such as `junit-path` → the text of the file. */
  readonly files: Readonly<Record<string, string>>;
}

export interface TestWorkspace extends AsyncDisposable {
  readonly folder: string;
  write(file: string, text: string): Promise<void>;
  /** Runs the action in the workspace; with the engine of this clone, unless the inputs name another. */
  run(inputs?: Readonly<Record<string, string>>, more?: Partial<RunOptions>): Promise<TestActionRun>;
}

const facts = {
  event: {},
  eventName: 'workflow_dispatch',
  repository: 'demo/warehouse',
  repositoryId: 7,
  sha: '0'.repeat(40),
  ref: 'refs/heads/main',
  apiUrl: 'http://127.0.0.1:1/api/v3',
  serverUrl: 'http://127.0.0.1:1',
};

/** A checked-out repository with these files. */
export async function createTestWorkspace(files: Readonly<Record<string, string>>): Promise<TestWorkspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'millrace-test-action-')));
  const workspace: TestWorkspace = {
    folder,
    async write(file, text) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    },
    async run(inputs = {}, more = {}) {
      const reports: Record<string, string> = {};
      const result = await runAction({
        ...facts,
        path: join(root, 'actions', 'test'),
        workspace: folder,
        inputs: { engine: root, ...inputs },
        ...more,
        onFinished({ outputs }) {
          for (const name of [
            'summary-path',
            'report-path',
            'junit-path',
            'coverage-path',
            'blob-path',
            'durations-path',
          ]) {
            const path = outputs[name] ?? '';
            if (path !== '') reports[name] = readFileSync(path, 'utf8');
          }
        },
      });
      return { ...result, files: reports };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
  await mkdir(join(folder, '.git'));
  for (const [file, text] of Object.entries(files)) await workspace.write(file, text);
  return workspace;
}
