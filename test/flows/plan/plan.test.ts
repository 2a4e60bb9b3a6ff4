import { afterAll, beforeAll, expect, test } from 'vitest';
import { planOutcome } from '../../../flows/plan/plan.ts';
import { planSchema } from '../../../flows/plan/report/plan-schema.ts';
import { reportOfPlan } from '../../../flows/plan/report/report-plan.ts';
import { terminalLines } from '../../../lib/report/terminal.ts';
import { createFlowEnvironment, type FlowEnvironment } from '../flow-environment.ts';
import {
  commitFiles,
  firstFiles,
  listArtifacts,
  type Listed,
  planOf,
  secondFiles,
  withoutDuckdb,
} from './plan-environment.ts';

let env: FlowEnvironment;
let [first, second, hotfix, unrelated] = ['', '', '', ''];

beforeAll(async () => {
  env = await createFlowEnvironment();
  first = commitFiles(env, firstFiles, 'The first version');
  second = commitFiles(env, secondFiles, 'Rename PRICE');
  env.work.git('checkout', '-q', '-b', 'hotfix', first);
  hotfix = commitFiles(env, { ...firstFiles, 'notes.txt': 'fixed' }, 'Fix it in prod');
  env.work.git('checkout', '-q', '--orphan', 'other');
  unrelated = commitFiles(env, firstFiles, 'Another history');
  env.work.git('checkout', '-q', 'main');
  const { client } = env;
  const { projectId } = env.context;
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    region: { test: 'north', prod: 'south' },
    api_key: { test: 'k1' },
    unused: { test: 'a', prod: 'b' },
  };
  for (const [name, overrides] of Object.entries(values)) {
    await client.variables.create({ projectId, name, type: 'TEXT', behaviour: 'COPIED', value: 'default' });
    const list = Object.entries(overrides).map(([environmentName, value]) => ({ environmentName, value }));
    await client.overrides.set({ projectId, variableName: name, overrides: list });
  }
});
afterAll(() => env[Symbol.asyncDispose]());

const inTest = (version: string, commit: string | null, more: Partial<Listed> = {}): Listed => ({
  in: 'test',
  version,
  commit,
  ...more,
});
const inProd = (version: string, commit: string | null, more: Partial<Listed> = {}): Listed => ({
  in: 'prod',
  version,
  commit,
  ...more,
});

const absent = 'd'.repeat(40);
const cannot = 'The commits, pipelines and tables cannot be compared';

/** What is planned is v1.4.0. */
const situations: readonly {
  readonly title: string;
  readonly listed: () => readonly Listed[];
  readonly result: string;
  readonly message: string | RegExp;
  readonly outcome: string;
  readonly wayBack?: string;
  readonly relation?: string;
  /** Counts of commits: more, and fewer. */
  readonly commits?: readonly [number, number];
  /** A part of what is not known. */
  readonly unknown?: string;
}[] = [
  {
    title: 'a version that replaces an older one',
    listed: () => [inTest('v1.4.0', second), inProd('v1.3.0', first)],
    result: 'ready',
    message: 'v1.4.0 can be promoted from test to prod, where it replaces v1.3.0.',
    outcome: 'passed',
    wayBack: 'v1.3.0',
    relation: 'ahead',
    commits: [1, 0],
  },
  {
    title: 'the first version of an environment',
    listed: () => [inTest('v1.4.0', second)],
    result: 'ready',
    message: 'v1.4.0 can be promoted from test to prod, where no version is live.',
    outcome: 'passed',
    unknown: `${cannot}: no version is live in prod.`,
  },
  {
    title: 'the live version itself',
    listed: () => [inTest('v1.4.0', second), inProd('v1.4.0', second, { hour: 2 }), inProd('v1.3.0', first)],
    result: 'already-live',
    message: 'v1.4.0 is live in prod: there is nothing to promote.',
    outcome: 'already-done',
    wayBack: 'v1.3.0',
    relation: 'identical',
    commits: [0, 0],
  },
  {
    title: 'the live version itself, which the source no longer has',
    listed: () => [inProd('v1.4.0', second, { hour: 2 }), inProd('v1.3.0', first), inTest('v1.3.0', first)],
    result: 'already-live',
    message: 'v1.4.0 is live in prod: there is nothing to promote.',
    outcome: 'already-done',
    wayBack: 'v1.3.0',
    relation: 'identical',
    commits: [0, 0],
  },
  {
    title: 'a version that is there behind a newer one',
    listed: () => [inTest('v1.4.0', first), inProd('v1.4.0', first), inProd('v1.5.0', second, { hour: 2 })],
    result: 'already-in-target',
    message: 'v1.4.0 is already in prod, but v1.5.0 is newer and live. A promotion would change nothing.',
    outcome: 'already-done',
    wayBack: 'v1.5.0',
    relation: 'behind',
    commits: [0, 1],
  },
  {
    title: 'a version that is older than the live one',
    listed: () => [inTest('v1.4.0', first), inProd('v1.10.0', second)],
    result: 'older-than-live',
    message: 'v1.4.0 is older than v1.10.0, which is live in prod.',
    outcome: 'failed',
    wayBack: 'v1.10.0',
    relation: 'behind',
    commits: [0, 1],
  },
  {
    title: 'a version that is disabled in the source',
    listed: () => [inTest('v1.4.0', second, { enabled: false }), inProd('v1.3.0', first)],
    result: 'disabled-in-source',
    message: 'Version v1.4.0 is in test, but disabled there.',
    outcome: 'failed',
    wayBack: 'v1.3.0',
    relation: 'ahead',
    commits: [1, 0],
  },
  {
    title: 'a version that is disabled in the target',
    listed: () => [
      inTest('v1.4.0', second),
      inProd('v1.4.0', second, { enabled: false, hour: 2 }),
      inProd('v1.3.0', first),
    ],
    result: 'disabled-in-target',
    message: 'Version v1.4.0 is in prod, but disabled there.',
    outcome: 'failed',
    wayBack: 'v1.3.0',
    relation: 'ahead',
    commits: [1, 0],
  },
  {
    title: 'a version that the source does not have',
    listed: () => [inTest('v1.4.1', second), inProd('v1.3.0', first)],
    result: 'missing-in-source',
    message: 'Version v1.4.0 is not in test.',
    outcome: 'failed',
    unknown: `${cannot}: v1.4.0 is not in test.`,
  },
  {
    title: 'a hotfix in the target',
    listed: () => [inTest('v1.4.0', second), inProd('v1.3.1', hotfix)],
    result: 'ready',
    message: /^v1\.4\.0 can be promoted/,
    outcome: 'passed',
    wayBack: 'v1.3.1',
    relation: 'diverged',
    commits: [1, 1],
  },
  {
    title: 'versions of unrelated histories',
    listed: () => [inTest('v1.4.0', second), inProd('v1.3.0', unrelated)],
    result: 'ready',
    message: /^v1\.4\.0 can be promoted/,
    outcome: 'passed',
    wayBack: 'v1.3.0',
    relation: 'unrelated',
    commits: [2, 1],
  },
  {
    title: 'a live version without a commit',
    listed: () => [inTest('v1.4.0', second), inProd('v1.3.0', null)],
    result: 'ready',
    message: /^v1\.4\.0 can be promoted/,
    outcome: 'passed',
    wayBack: 'v1.3.0',
    unknown: `${cannot}: the platform does not say the commit of v1.3.0.`,
  },
  {
    title: 'a commit that was not fetched',
    listed: () => [inTest('v1.4.0', absent), inProd('v1.3.0', first)],
    result: 'ready',
    message: /^v1\.4\.0 can be promoted/,
    outcome: 'passed',
    wayBack: 'v1.3.0',
    unknown: `${cannot}: this clone does not have the commit dddddddddddd of v1.4.0; \`git fetch --tags\` may get it.`,
  },
  {
    title: 'names without an order, and a commit that is not whole',
    listed: () => [inTest('v1.4.0', second), inProd('nightly', 'abc123')],
    result: 'ready',
    message: /^v1\.4\.0 can be promoted/,
    outcome: 'passed',
    wayBack: 'nightly',
    unknown: 'It is not known whether v1.4.0 is newer than nightly: the names have no order',
  },
];

test.each(situations)('the plan of $title says so', async (one) => {
  listArtifacts(env, one.listed());
  const plan = await planOf(env, 'v1.4.0', withoutDuckdb);
  expect(plan).toMatchObject({ result: one.result, message: expect.stringMatching(one.message) as string });
  expect(planOutcome(plan)).toBe(one.outcome);
  expect([plan.wayBack, plan.commits?.relation]).toEqual([one.wayBack, one.relation]);
  const counts = plan.commits && [plan.commits.added.count, plan.commits.removed.count];
  expect(counts).toEqual(one.commits);
  expect(plan.unknown.join('\n')).toContain(one.unknown ?? 'gates of a worker');
  // What fits the schema is all that there is.
  expect(planSchema.parse(plan)).toEqual(plan);
  expect(terminalLines(reportOfPlan(plan)).at(-1)).toBe(plan.message);
});

test('pipelines, tables, columns and their readers are compared by meaning, from git alone', async () => {
  listArtifacts(env, [inTest('v1.4.0', second), inProd('v1.3.0', first)]);
  // What is on disk does not count.
  env.work.write('sales.tran.yaml', 'pipeline: [');
  env.work.write('millrace.yaml', 'version: 7\n');
  const { pipelines, tables } = await planOf(env, 'v1.4.0');
  env.work.git('checkout', '-q', '--', '.');
  expect(pipelines).toMatchObject({
    changed: [
      { pipeline: 'sales.tran.yaml', what: expect.stringMatching(/^changed at line/) as string },
      { pipeline: 'stock.tran.yaml', what: 'is new' },
    ],
    affected: [{ pipeline: 'load.orch.yaml' }, { pipeline: 'report.tran.yaml' }],
    entryPoints: ['load.orch.yaml', 'stock.tran.yaml'],
  });
  expect(tables).toMatchObject({
    areColumnsKnown: true,
    changes: [
      {
        table: { table: 'SALES' },
        change: 'renamed',
        column: 'PRICE',
        after: 'COST',
        readers: [{ pipeline: 'report.tran.yaml', reads: 'column' }],
      },
      {
        table: { table: 'STOCK' },
        change: 'created',
        writers: [{ pipeline: 'stock.tran.yaml' }],
        readers: [],
      },
    ],
    broken: [{ file: 'sales.tran.yaml', message: expect.stringContaining('"PRICE"') as string }],
  });
});

test('without DuckDB, calls and tables are compared, and columns are not known', async () => {
  listArtifacts(env, [inTest('v1.4.0', second), inProd('v1.3.0', first)]);
  const { pipelines, tables, unknown } = await planOf(env, 'v1.4.0', withoutDuckdb);
  expect(pipelines?.affected.map(({ pipeline }) => pipeline)).toEqual(['load.orch.yaml', 'report.tran.yaml']);
  expect(tables).toMatchObject({
    areColumnsKnown: false,
    changes: [{ table: { table: 'STOCK' }, change: 'created' }],
    broken: [],
  });
  expect(unknown[0]).toBe('Columns are not known: DuckDB is not installed here.');

  env.work.git('checkout', '-q', '-b', 'dropped', first);
  const { 'sales.tran.yaml': _, 'load.orch.yaml': __, ...kept } = firstFiles;
  const dropped = commitFiles(env, kept, 'Drop sales');
  env.work.git('checkout', '-q', 'main');
  listArtifacts(env, [inTest('v1.4.0', dropped), inProd('v1.3.0', first)]);
  expect((await planOf(env, 'v1.4.0', withoutDuckdb)).tables).toMatchObject({
    changes: [{ table: { table: 'SALES' }, change: 'dropped', readers: [{ pipeline: 'report.tran.yaml' }] }],
    broken: [
      {
        file: 'report.tran.yaml',
        message: expect.stringContaining('no pipeline creates the table "SALES" any more') as string,
      },
    ],
  });
});

test('variables that affected pipelines use are compared, without values unless they are asked for', async () => {
  listArtifacts(env, [inTest('v1.4.0', second), inProd('v1.3.0', first)]);
  const own = { source: 'own' };
  expect((await planOf(env, 'v1.4.0', withoutDuckdb)).variables).toEqual({
    scope: 'affected',
    read: 1,
    notRead: 0,
    differences: [{ variable: 'region', from: own, to: own }],
  });
  // Without a commit, all variables count; a secret one is never shown.
  listArtifacts(env, [inTest('v1.4.0', null), inProd('v1.3.0', first)]);
  expect((await planOf(env, 'v1.4.0', { showValues: true })).variables).toEqual({
    scope: 'all',
    read: 3,
    notRead: 0,
    differences: [
      {
        variable: 'api_key',
        from: { source: 'own', value: '[secret]' },
        to: { source: 'default', value: '[secret]' },
      },
      { variable: 'region', from: { ...own, value: 'north' }, to: { ...own, value: 'south' } },
      { variable: 'unused', from: { ...own, value: 'a' }, to: { ...own, value: 'b' } },
    ],
  });
});

test('equal states give equal plans, whatever the order of the list is', async () => {
  const listed = [
    inTest('v1.4.0', second),
    inTest('v1.3.0', first),
    inProd('v1.3.0', first, { hour: 2 }),
    inProd('v1.2.0', first),
  ];
  listArtifacts(env, listed);
  const plan = JSON.stringify(await planOf(env, 'v1.4.0'));
  listArtifacts(env, listed.toReversed());
  expect(JSON.stringify(await planOf(env, 'v1.4.0'))).toBe(plan);
});

test('an environment that does not exist is refused, and nothing is changed', async () => {
  listArtifacts(env, [inTest('v1.4.0', second)]);
  await expect(planOf(env, 'v1.4.0', { to: 'production' })).rejects.toMatchObject({
    code: 'not-found',
    where: { input: 'to' },
  });
  await expect(planOf(env, 'v1.4.0', { to: 'test' })).rejects.toMatchObject({ code: 'usage' });
});
