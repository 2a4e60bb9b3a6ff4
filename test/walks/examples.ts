import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { releaseTag } from '../../cli/demo/release.ts';
import { silentLogger, silentProgress } from '../../lib/core/ports/ports.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { parse, stringify } from 'yaml';
import { startDemoServers } from '../../tools/demo/demo-servers.ts';
import { exampleFiles } from '../../tools/demo/example-files.ts';
import { provision } from '../../tools/demo/provision.ts';
import { deliver, pushDelivery } from '../../tools/demo/webhook.ts';
import { copyTest, engineFolder, filtered, pipeline, testFile } from '../actions/tests/tested-repository.ts';
import { createActionEnvironment } from '../actions/action-environment.ts';
import { warehouseFiles } from '../actions/warehouse-files.ts';
import { copyPipeline, testFolder } from '../cli/tests/test-project.ts';
import { eventually } from '../environment/worker/eventually.ts';

/** The variables of a process whose calls are recorded. */
type Variables = Readonly<Record<string, string>>;

/** Runs what a walk is about, in a process that gets these variables. */
export type Example = (variables: Variables) => Promise<void>;

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Loads `record-calls.ts` before a program. */
export const recording = `--import=${pathToFileURL(join(import.meta.dirname, 'record-calls.ts')).href}`;

const inProcessOf = (variables: Variables) => ({ env: { PATH: process.env['PATH'], ...variables } });

/** The manifest of an action that starts its source: what is shipped is one file. */
async function actionFromSource(folder: string, action: string): Promise<string> {
  const target = join(folder, action);
  await mkdir(target, { recursive: true });
  const manifest = parse(await readFile(join(root, 'actions', action, 'action.yml'), 'utf8')) as object;
  const main = relative(target, join(import.meta.dirname, 'start-action.ts'));
  await writeFile(join(target, 'action.yml'), stringify({ ...manifest, runs: { using: 'node24', main } }));
  return target;
}

/** A pull request that changes a file of the warehouse, and an action that runs on it. */
async function onPullRequest(
  action: 'review' | 'diff',
  variables: Variables,
  inputs: Readonly<Record<string, string>>,
  { main, branch }: { readonly main: Record<string, string>; readonly branch: Record<string, string> },
): Promise<void> {
  await using environment = await createActionEnvironment(main);
  const { builder, github, folder } = environment;
  await builder.commit('feature/x', branch, { from: 'main' });
  const number = github.openPull('demo/warehouse', { head: 'feature/x', base: 'main', title: 'x' });
  await environment.pullRequest(number, {
    action: '',
    inputs,
    more: {
      path: await actionFromSource(folder, action),
      env: { ...variables, MILLRACE_ACTION: action },
    },
  });
}

/** It calls a pipeline that does not exist. */
const bad = {
  'daily/bad.orch.yaml': `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Call] } }
    Call: { type: run-orchestration, transitions: { success: [End] }, parameters: { orchestrationJob: daily/missing } }
    End: { type: end-success }
`,
};

export const examples: Readonly<Record<string, Example>> = {
  'A push to a promotion': async (variables) => {
    await using servers = await startDemoServers({
      environment: { PATH: process.env['PATH'] },
      unpacked: join(root, '.millrace/redis'),
    });
    const { builder, client, github } = servers;
    const projectId = await provision(client);
    const commit = await builder.commit('main', await exampleFiles(projectId));
    await builder.tag('v1.0.0', commit);
    const context = { client, projectId, clock: systemClock, random: Math.random, logger: silentLogger };
    await releaseTag(
      builder.path,
      { tag: 'v1.0.0', commit },
      {
        ...context,
        progress: silentProgress,
        signal: new AbortController().signal,
        environment: { PATH: process.env['PATH'] },
      },
    );
    await using worker = await servers.startWorkerFor(projectId, '', variables);
    await deliver(worker.url, await pushDelivery(servers, 'v1.0.0'));
    await eventually(() => github.repository('demo/warehouse').statuses.at(-1)?.state).toBe('success');
  },
  'An input of the review action to an annotation': (variables) =>
    onPullRequest('review', variables, { local: 'true' }, { main: warehouseFiles, branch: bad }),
  'A YAML line to SARIF': (variables) =>
    onPullRequest('review', variables, { local: 'true' }, { main: warehouseFiles, branch: bad }),
  'A client call to the socket': async (variables) => {
    await run(process.execPath, [join(import.meta.dirname, 'lost-answer.ts')], inProcessOf(variables));
  },
  'A test file to a failing row': async (variables) => {
    using folder = testFolder({ [pipeline]: filtered, [testFile]: copyTest });
    await run(process.execPath, [join(root, 'cli/main.ts'), 'test'], {
      cwd: folder.directory,
      ...inProcessOf(variables),
    }).catch(() => undefined);
  },
  'A diff to a comment': (variables) =>
    onPullRequest(
      'diff',
      variables,
      { engine: engineFolder },
      {
        main: { [pipeline]: copyPipeline, [testFile]: copyTest, 'millrace.yaml': 'version: 1\n' },
        branch: { [pipeline]: filtered },
      },
    ),
};
