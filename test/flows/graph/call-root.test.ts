import { expect, test } from 'vitest';
import { pipelineGraph } from '../../../flows/graph/pipeline-graph.ts';
import { calledFrom, type EditorProject } from '../../../flows/editor/editor-project.ts';
import { callTargetsOf } from '../../../flows/pipeline-tests/files/project-roots.ts';
import { calledPath } from '../../../lib/pipelines/model/calls.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { reportOfReview } from '../../../flows/review/report.ts';
import { openWorkCopy } from '../../../lib/git/work-tree/work-copy.ts';
import { inProcess } from '../../cli/in-process.ts';
import { type ReviewProject, reviewProject, rulesPath } from '../review/review-project.ts';

const checks = { 'unknown-call': 'error', 'passed-variable': 'error', 'call-cycle': 'error' } as const;
const script = (sql: string) => `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Run] } }
    Run: { type: sql-script, parameters: { sqlScript: '${sql}' } }
`;
const calls = (...targets: string[]) =>
  `pipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [Run 0] } }\n${targets
    .map(
      (target, index) =>
        `    Run ${index}:\n      type: run-orchestration\n      transitions: { success: [${targets[index + 1] === undefined ? '' : `Run ${index + 1}`}] }\n      parameters:\n        orchestrationJob: ${target}\n`,
    )
    .join('')}`;

/** A project whose calls are relative to its folder etl, but for one call that leads nowhere. */
function subFolderProject(): ReviewProject {
  const project = reviewProject();
  project.write(rulesPath, 'rules: []\n');
  project.write('etl/main.orch.yaml', calls('daily/load', 'daily/build', 'daily/lod'));
  project.write('etl/daily/load.orch.yaml', script('create table a as select 1 as x'));
  project.write('etl/daily/build.orch.yaml', script('create table b as select 2 as x'));
  project.write(
    'etl/main.test.yaml',
    'pipeline: etl/main\ntests:\n  - name: runs\n    expect:\n      ran: [Run 0, Run 1]\n      outcome: { failure: {} }\n      tables: { A: { count: 1 }, B: { count: 1 } }\n',
  );
  project.commit('A project');
  return project;
}

const place = `Calls between pipelines are resolved from the folder "etl": then 2 of 3 calls lead to a pipeline, otherwise 0.`;

test('calls relative to a folder lead to its pipelines in review, graph and tests, which say so', async () => {
  using project = subFolderProject();
  const review = await project.review({ checks });
  expect(review.findings.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    `etl/main.orch.yaml:8 The component "Run 0" calls "daily/load", which does not exist from the project's own folder. ${place} On the platform these calls work only if its project starts in "etl". If it does, set \`calls: { root: "etl" }\` in millrace.yaml.`,
    'etl/main.orch.yaml:18 The component "Run 2" calls "daily/lod", which does not exist. Did you mean "daily/load"?',
  ]);
  expect(reportOfReview(review).notes).toEqual([place]);

  const snapshot = await openWorkCopy(project.directory, 'working-tree');
  const graph = await pipelineGraph({
    snapshot,
    directory: '',
    include: ['**/*'],
    configDir: '.platform',
    findings: [],
  });
  expect(graph.calls.map(({ to }) => to)).toEqual([
    'etl/daily/load.orch.yaml',
    'etl/daily/build.orch.yaml',
    'daily/lod',
  ]);
  expect(graph.callRoot).toMatchObject({ folder: 'etl', resolved: 2 });

  const call = { kind: 'orchestration', target: 'daily/load' } as const;
  const request = { snapshot, directory: '', include: ['**/*'] } as unknown as EditorProject['request'];
  expect(await calledFrom({ request } as EditorProject, call)).toBe('etl/daily/load.orch.yaml');
  const targets = callTargetsOf(openTestProject(project.directory, 'WAREHOUSE_ONE'));
  expect(calledPath({ ...call, version: undefined }, targets)).toBe('etl/daily/load.orch.yaml');

  const { code, stdout, stderr } = await inProcess(['test'], { cwd: project.directory });
  expect(stderr).toBe('');
  expect(stdout).toContain(place);
  expect(stdout).toContain('1 test: 1 passed');
  expect(code).toBe(0);
});

test('a change that removes a pipeline breaks the calls that lead to it from their folder', async () => {
  using project = subFolderProject();
  project.write('etl/other.orch.yaml', calls('daily/load', 'daily/build', 'other'));
  project.commit('Another caller');
  project.git('mv', 'etl/daily/build.orch.yaml', 'etl/daily/make.orch.yaml');
  project.git('commit', '-qm', 'Rename a pipeline');
  const { findings } = await project.review({
    checks,
    scope: 'changed',
    base: project.git('rev-parse', 'HEAD~1'),
  });
  expect(findings.map(({ file, message }) => `${file} ${message}`).toSorted()).toEqual(
    ['main', 'other'].map(
      (name) =>
        `etl/${name}.orch.yaml The component "Run 1" still calls "daily/build", which this change removes. Its path is "daily/make".`,
    ),
  );
});

test('a change of the folder in the settings reviews all pipelines', async () => {
  using project = subFolderProject();
  project.write('millrace.yaml', 'version: 1\ncalls: { root: etl }\n');
  project.commit('A folder');
  const base = project.git('rev-parse', 'HEAD~1');
  const { findings } = await project.review({
    checks,
    scope: 'changed',
    base,
    callFolder: { folder: 'etl' },
  });
  expect(findings.map(({ message }) => message)).toEqual([
    'The component "Run 2" calls "daily/lod", which does not exist. Did you mean "daily/load"?',
  ]);
});

test('a folder in the settings is the only one, and publishing refuses it', async () => {
  using project = subFolderProject();
  project.write('top.orch.yaml', calls('etl/daily/load', 'daily/load'));
  project.write(
    'millrace.yaml',
    'version: 1\nproject: 00000000-0000-4000-8000-000000000001\ncalls: { root: etl/ }\n',
  );
  project.commit('A folder');
  const { findings } = await project.review({ checks, callFolder: { folder: 'etl' } });
  expect(findings.map(({ file, message }) => `${file} ${message}`)).toEqual([
    'etl/main.orch.yaml The component "Run 2" calls "daily/lod", which does not exist. Did you mean "daily/load"?',
    'top.orch.yaml The component "Run 0" calls "etl/daily/load", which does not exist. Did you mean "daily/load"?',
  ]);
  const { code, stderr } = await inProcess(
    ['publish', '--version', 'v1', '--environment', 'dev', '--dry-run'],
    { cwd: project.directory },
  );
  expect(stderr).toContain('calls are relative to the folder "etl"');
  expect(code).toBe(2);
  const { roots } = openTestProject(project.directory, 'WAREHOUSE_ONE', {
    files: { include: [] },
    sharedSource: undefined,
    callFolder: { folder: '', calledAs: undefined },
  });
  expect(roots.taken()).toBeUndefined();
});
