import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportOfPlan } from '../../../flows/plan/report/report-plan.ts';
import { openRepository } from '../../../lib/git/repository.ts';
import { terminalLines } from '../../../lib/report/terminal.ts';
import { script, steps } from '../data-graph/small-projects.ts';
import { createFlowEnvironment, type FlowEnvironment } from '../flow-environment.ts';
import { artifactList, listArtifacts, planOf, withoutDuckdb } from './plan-environment.ts';

let env: FlowEnvironment;
let [first, second] = ['', ''];

beforeAll(async () => {
  env = await createFlowEnvironment();
  const { work } = env;
  work.write('sales/millrace.yaml', 'version: 1\n');
  work.write('sales/load.orch.yaml', loadOf('load.sql'));
  work.write('sales/load.sql', 'create or replace table SALES as select 1 as ID;');
  work.write('sales/convert.orch.yaml', calling('v1.0.0'));
  work.write('sales/other.orch.yaml', script('select 1'));
  work.write('sales/kept.orch.yaml', calling('v1.0.0', 'finance#kept'));
  work.write('sales/all.orch.yaml', caller);
  first = work.commit('The first version');
  work.write('notes/today.txt', 'nothing for sales');
  work.commit('Notes');
  work.write('sales/load.sql', "create or replace table SALES as select 1 as ID, '${stage}' as STAGE;");
  work.write('sales/convert.orch.yaml', calling('[Latest]'));
  second = work.commit('Add a column');
});
afterAll(() => env[Symbol.asyncDispose]());

function loadOf(file: string): string {
  return steps([['Load', 'sql-executor', { scriptLocation: 'File', fileName: file }]]);
}

function calling(version: string, pipelineName = 'finance#convert'): string {
  return steps([['Convert', 'run-shared-pipeline', { pipelineName, version }]]);
}

/** Runs what changes, and a shared pipeline of the same version as before. */
const caller = steps([
  ['Load', 'run-orchestration', { orchestrationJob: 'load' }],
  ['Clean up', 'run-shared-pipeline', { pipelineName: 'finance#clean-up', version: 'v1.0.0' }],
]);

const listed = () =>
  [
    { in: 'test', version: 'v1.4.0', commit: second },
    { in: 'prod', version: 'v1.3.0', commit: first },
  ] as const;
const inFolder = () => ({
  ...withoutDuckdb,
  source: { repository: env.repository, directory: 'sales' },
});

test('of a project in a folder, paths are relative to it, and only its commits are listed', async () => {
  listArtifacts(env, listed());
  const { commits, pipelines, tables } = await planOf(env, 'v1.4.0', {
    ...inFolder(),
    packages: undefined,
  });
  expect(commits).toMatchObject({
    relation: 'ahead',
    added: { count: 1, newest: [{ subject: 'Add a column' }] },
  });
  expect(pipelines?.changed).toMatchObject([
    { pipeline: 'convert.orch.yaml' },
    { pipeline: 'load.orch.yaml', what: 'runs load.sql, which changed' },
  ]);
  expect(tables?.changes).toMatchObject([{ table: { table: 'SALES' }, change: 'added', column: 'STAGE' }]);
});

test('a shared pipeline has the versions that are called, and what [Latest] means now', async () => {
  const details = {
    artifactDetails: {
      sharedPipelineIdPrefix: 'finance',
      versionName: 'v2.0.0',
      enabled: true,
      createdAt: '2026-01-01T00:00:00Z',
    },
    sharedPipelines: [],
  };
  const answer = (status: number, body: object) =>
    env.platform.faults.set([artifactList(listed()), { operation: 'sharedArtifacts.details', status, body }]);
  answer(200, details);
  const known = await planOf(env, 'v1.4.0', inFolder());
  const call = { pipeline: 'finance#convert', before: ['v1.0.0'], after: ['[Latest]'] };
  const same = { pipeline: 'finance#clean-up', before: ['v1.0.0'], after: ['v1.0.0'] };
  expect(known.shared).toEqual([same, { ...call, latest: 'v2.0.0' }]);
  answer(404, { error: 'not found', status: 404 });
  const none = await planOf(env, 'v1.4.0', inFolder());
  expect(none.shared).toEqual([same, call]);
  expect(none.unknown).toContain(
    'It is not known which version [Latest] of finance means: no version is enabled, so a call fails.',
  );
});

test('a plan has the compare link, pull requests, connectors and what consumers of shared pipelines get', async () => {
  const { work } = env;
  const settings = 'version: 1\nrelease: { shared: { prefix: sales } }\n';
  const list = (...ids: readonly string[]) =>
    `pipelines: [${ids.map((id) => `{ pipeline: ${id}, id: ${id} }`).join(', ')}]\n`;
  const loads = (limit: string) =>
    steps([['Load', 'modular-api-extract-input-v2', { profile: 'custom-shop', limit }]]);
  work.git('checkout', '-q', '-b', 'published', second);
  work.write('sales/millrace.yaml', settings);
  work.write('sales/.platform/shared-pipelines.yaml', list('load'));
  work.write('sales/shop.orch.yaml', loads('10'));
  const before = work.commit('Publish pipelines');
  work.write('sales/.platform/shared-pipelines.yaml', list('load', 'shop'));
  work.write('sales/shop.orch.yaml', loads('20'));
  const after = work.commit('Load more (#12)');
  work.git('checkout', '-q', 'main');
  const artifactDetails = {
    sharedPipelineIdPrefix: 'sales',
    versionName: 'v1.3.0',
    enabled: true,
    createdAt: '2026-01-01T00:00:00Z',
  };
  const [wanted, live] = listed();
  env.platform.faults.set([
    artifactList([
      { ...wanted, commit: after },
      { ...live, commit: before },
    ]),
    { operation: 'sharedArtifacts.details', status: 200, body: { artifactDetails, sharedPipelines: [] } },
  ]);
  const remote = { host: 'github.com', path: 'team/sales' };
  const plan = await planOf(env, 'v1.4.0', { ...inFolder(), remote });
  expect(plan).toMatchObject({
    commits: {
      link: `https://github.com/team/sales/compare/${before}...${after}`,
      added: { newest: [{ subject: 'Load more (#12)', pull: 12 }] },
    },
    connectors: ['custom-shop'],
    published: {
      prefix: 'sales',
      latest: 'v1.3.0',
      changes: [{ pipeline: 'sales#shop', change: 'added' }],
    },
  });
  expect(plan.unknown).toEqual([
    expect.stringMatching(/^Columns are not known/),
    expect.stringMatching(/^Pull requests are known from the subjects of commits only/),
    expect.stringMatching(/^It is not known whether connectors differ \(custom-shop\)/),
    expect.stringMatching(/gates of a worker/),
  ]);
  const lines = terminalLines(reportOfPlan(plan)).join('\n');
  expect(lines).toContain('sales#shop  a new shared pipeline');
  expect(lines).toContain('not with this promotion, and get v1.3.0 now.');
});

test('of more than 100 variables, the others are counted, and a script that names one counts', async () => {
  const variable = (name: string) => ({ id: name, name, type: 'TEXT', behaviour: 'SHARED', value: 'a' });
  const all = [...Array.from({ length: 102 }, (_, index) => `v${index}`), 'stage'].map(variable);
  const list = (results: readonly object[]) => ({ page: 0, size: 100, total: results.length, results });
  const overrides = { variable: variable('any'), overrides: [{ environmentName: 'test', value: 'b' }] };
  const answer = (commit: string | null) => {
    const [wanted, live] = listed();
    env.platform.faults.set([
      artifactList([{ ...wanted, commit }, live]),
      { operation: 'variables.list', status: 200, body: list(all) },
      { operation: 'overrides.list', status: 200, body: overrides },
    ]);
  };
  answer(second);
  const used = await planOf(env, 'v1.4.0', inFolder());
  expect(used.variables).toMatchObject({ scope: 'affected', read: 1, notRead: 0 });
  expect(used.variables?.differences).toEqual([
    { variable: 'stage', from: { source: 'own' }, to: { source: 'default' } },
  ]);
  answer(null);
  const requests = () => env.proxy.seen.filter((line) => line.endsWith('/environment-overrides')).length;
  const before = requests();
  const { variables, unknown } = await planOf(env, 'v1.4.0', inFolder());
  expect(variables).toMatchObject({ scope: 'all', read: 100, notRead: 3 });
  expect(requests() - before).toBe(100);
  expect(unknown).toContain(
    '3 more variables were not compared: the API has a request for each, and at most 100 are read.',
  );
});

test('a clone that lacks commits or files says which, and which fetch helps', async () => {
  listArtifacts(env, listed());
  env.work.git('config', 'uploadpack.allowFilter', 'true');
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace clones '));
  const planIn = async (name: string, ...options: readonly string[]) => {
    const clone = path.join(folder, name);
    env.work.git('clone', '-q', ...options, pathToFileURL(env.work.directory).href, clone);
    const repository = await openRepository(clone);
    return planOf(env, 'v1.4.0', { ...withoutDuckdb, source: { repository, directory: 'sales' } });
  };
  expect((await planIn('short', '--depth', '1')).unknown[0]).toBe(
    `The commits, pipelines and tables cannot be compared: this clone does not have the commit ${first.slice(0, 12)} of v1.3.0; \`git fetch --unshallow --tags\` may get it.`,
  );
  const longer = await planIn('longer', '--depth', '3');
  expect(longer.pipelines?.changed).toHaveLength(2);
  expect(longer.unknown[0]).toMatch(/^There may be more commits: this clone is shallow/);
  const partial = await planIn('partial', '--filter=blob:none');
  rmSync(folder, { recursive: true });
  expect(partial.commits).toMatchObject({ added: { count: 1 } });
  expect(partial.unknown[0]).toMatch(
    /^The pipelines and tables cannot be compared: v1\.3\.0 cannot be read: .*partial clone/,
  );
});

test('wrong settings of the wanted commit leave commits and variables; of the live one, nothing is lost', async () => {
  env.work.write('sales/millrace.yaml', 'version: 7\n');
  const broken = env.work.commit('Break the settings');
  const [wanted, live] = listed();
  listArtifacts(env, [{ ...wanted, commit: broken }, live]);
  const plan = await planOf(env, 'v1.4.0', inFolder());
  expect(plan).toMatchObject({
    result: 'ready',
    commits: { relation: 'ahead' },
    variables: { scope: 'all' },
  });
  expect(plan.unknown[0]).toMatch(
    /^The pipelines and tables cannot be compared: v1\.4\.0 cannot be read: .*version/,
  );

  listArtifacts(env, [wanted, { ...live, commit: broken }]);
  const back = await planOf(env, 'v1.4.0', inFolder());
  expect(back).toMatchObject({ commits: { relation: 'behind' }, pipelines: { changed: [] } });
});

test('a pipeline that moved to another project in a folder of this one is gone', async () => {
  const { work } = env;
  work.git('checkout', '-q', '-b', 'moved', second);
  work.write('sales/inner/millrace.yaml', 'version: 1\n');
  work.git('mv', 'sales/other.orch.yaml', 'sales/inner/other.orch.yaml');
  const moved = work.commit('Move a pipeline');
  const [wanted, live] = listed();
  listArtifacts(env, [
    { ...wanted, commit: moved },
    { ...live, commit: second },
  ]);
  const { pipelines } = await planOf(env, 'v1.4.0', inFolder());
  expect(pipelines?.changed).toEqual([{ pipeline: 'other.orch.yaml', line: undefined, what: 'is deleted' }]);
});
