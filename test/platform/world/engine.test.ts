import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSeed, type Seed } from '../../../platform/index.ts';
import { field, talk, type Talk } from '../talk.ts';

const head = (kind: string) => `type: ${kind}\nversion: "1.0"\npipeline:\n  components:\n`;

/** Loads, then builds: the load is a component that talks to the outside. */
const files = {
  'load.orch.yaml': `${head('orchestration')}    Start: { type: start, transitions: { unconditional: [Load] } }
    Load:
      type: s3-load
      transitions: { success: [Build] }
      parameters: { targetTable: RAW }
    Build:
      type: run-transformation
      parameters: { transformationJob: build }
`,
  'build.tran.yaml': `${head('transformation')}    Raw:
      type: table-input
      parameters: { targetTable: RAW, columnNames: [ID, AMOUNT] }
    Large:
      type: filter
      sources: [Raw]
      parameters: { filterConditions: [[AMOUNT, Is, Greater than, "10"]], combineCondition: And }
    Write:
      type: rewrite-table
      sources: [Large]
      parameters: { targetTable: LARGE }
`,
  'endless.orch.yaml': `${head('orchestration')}    Start: { type: start, transitions: { unconditional: [Count] } }
    Count:
      type: sql-executor
      parameters:
        scriptLocation: Component
        sqlScript: "create table big as with recursive n as (select 1 as i union all select i + 1 from n) select count(*) c from n"
`,
};

const seed: Seed = {
  ...defaultSeed,
  settings: { execution: 'engine', componentTime: 0 },
  tables: [
    { name: 'RAW', columns: { ID: 'NUMBER', AMOUNT: 'NUMBER(10,2)' }, rows: [{ ID: 1, AMOUNT: 10.5 }] },
    { name: 'ONLY_DEV', environments: ['dev'], rows: [{ ID: 1 }] },
  ],
  executions: [
    {
      pipeline: 'load',
      component: 'Load',
      outcome: 'success',
      tables: { RAW: { rows: [{ ID: 2, AMOUNT: 99 }] } },
    },
  ],
};

async function started(platform: Talk, pipelineName: string, environmentName = 'dev'): Promise<string> {
  const answer = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName,
    environmentName,
  });
  return field(answer, 'pipelineExecutionId');
}

async function ended(platform: Talk, id: string): Promise<unknown> {
  const read = async () =>
    (await platform.get(`/_platform/executions/${id}.json`)).body as { status: string };
  await expect
    .poll(async () => (await read()).status, { timeout: 10_000 })
    .toMatch(/SUCCESS|FAILED|CANCELLED/);
  return read();
}

/** The rows of a table of an environment, as the inspector shows them; undefined where there is no such table. */
async function rowsOf(platform: Talk, table: string, environment = 0): Promise<unknown> {
  const list = await platform.get('/_platform/tables.json');
  const { environments } = list.body as { environments: { id: number }[] };
  const found = await platform.get(
    `/_platform/tables/${environments[environment]?.id}?table=${table}&format=json`,
  );
  return (found.body as { sample: { rows: unknown } | null }).sample?.rows;
}

test('an execution runs its pipelines on the warehouse of its environment', async () => {
  await using platform = await talk({ seed });
  await platform.publish('1', files);
  const id = await started(platform, 'load');
  expect(await ended(platform, id)).toMatchObject({
    status: 'SUCCESS',
    steps: expect.arrayContaining([
      expect.objectContaining({ component: 'Raw', rowsRead: 2 }),
      expect.objectContaining({ component: 'Build', rowsRead: 2, rowsWritten: 2 }),
      expect.objectContaining({
        component: 'Write',
        rowsWritten: 2,
        sql: [expect.stringContaining('CREATE')],
      }),
    ]) as unknown,
  });
  const url = `${platform.platform.baseUrl}/_platform/executions/${id}?format=html`;
  const page = await (await fetch(url)).text();
  expect(page).toMatch(
    /Raw <small>[^]*?data-label="Read" class="number"><div>2<[^]*?"Written" class="number"><div>–</,
  );
  expect(await rowsOf(platform, 'DEV.PUBLIC.LARGE')).toEqual([
    ['1', '10.50'],
    ['2', '99.00'],
  ]);
  expect(await rowsOf(platform, 'TEST.PUBLIC.LARGE', 1)).toBeUndefined();
  expect(await rowsOf(platform, 'TEST.PUBLIC.RAW', 1)).toEqual([['1', '10.50']]);
  expect(await rowsOf(platform, 'TEST.PUBLIC.ONLY_DEV', 1)).toBeUndefined();
});

test('names without a database are in the database of the environment’s connection', async () => {
  const value = (text: string) => ({ value: text });
  const connectionProperties = {
    account: value('a'),
    username: value('u'),
    defaultRole: value('r'),
    defaultWarehouse: value('w'),
    defaultDatabase: value('SALES'),
    defaultSchema: value('DAILY'),
    privateKey: { secretName: 'key' },
  };
  const [project] = defaultSeed.projects ?? [];
  if (project === undefined) throw new Error('the default seed has no project');
  const environment = {
    name: 'dev',
    connectionOverrides: [{ connectionName: 'warehouse-connection', connectionProperties }],
  };
  await using platform = await talk({
    seed: { ...seed, projects: [{ ...project, environments: [environment] }] },
  });
  await platform.publish('1', files);
  expect(await ended(platform, await started(platform, 'load'))).toMatchObject({ status: 'SUCCESS' });
  expect(await rowsOf(platform, 'SALES.DAILY.LARGE')).toHaveLength(2);
});

test('a component that talks to the outside fails without a scripted outcome', async () => {
  await using platform = await talk({ seed: { ...seed, executions: [] } });
  await platform.publish('1', files);
  expect(await ended(platform, await started(platform, 'load'))).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining('Load') as unknown,
  });
});

test('a published file that is not the text of a script fails its component, at its line', async () => {
  await using platform = await talk({ seed });
  const script = `${head('orchestration')}    Start: { type: start, transitions: { unconditional: [Count] } }
    Count: { type: sql-executor, parameters: { scriptLocation: File, fileName: count.sql } }
`;
  const conflict = 'select 1;\n<<<<<<< ours\nselect 2;\n=======\n>>>>>>> theirs\n';
  await platform.publish('1', { 'count.orch.yaml': script, 'count.sql': conflict });
  expect(await ended(platform, await started(platform, 'count'))).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining(
      'count.sql:2:1: the file cannot be read: line 2 is a conflict marker of git',
    ) as unknown,
  });
});

test('tables are there again after a restart, and the seed’s tables after a reset', async () => {
  const data = await mkdtemp(join(tmpdir(), 'platform-data-'));
  try {
    {
      await using platform = await talk({ seed, data });
      await platform.publish('1', files);
      await ended(platform, await started(platform, 'load'));
    }
    await using platform = await talk({ seed, data });
    expect(await rowsOf(platform, 'DEV.PUBLIC.LARGE')).toHaveLength(2);
    expect(await rowsOf(platform, 'DEV.PUBLIC.RAW')).toHaveLength(2);
    platform.platform.reset();
    expect(await rowsOf(platform, 'DEV.PUBLIC.LARGE')).toBeUndefined();
    expect(await rowsOf(platform, 'DEV.PUBLIC.RAW')).toHaveLength(1);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test('a terminated execution ends its query, and the next one of the environment runs', async () => {
  await using platform = await talk({ seed });
  await platform.publish('1', files);
  const id = await started(platform, 'endless');
  await expect
    .poll(async () => JSON.stringify((await platform.get(`/_platform/executions/${id}.json`)).body))
    .toContain('"component":"Count"');
  await platform.patch(`${platform.project}/pipeline-executions/${id}`, {
    status: 'CANCELLED',
    forceUpdate: true,
  });
  expect(await ended(platform, id)).toMatchObject({ status: 'CANCELLED' });
  expect(await ended(platform, await started(platform, 'load'))).toMatchObject({ status: 'SUCCESS' });
});

test('a component that cannot run says how the seed gives its result, after the failure that led to it', async () => {
  await using platform = await talk({ seed });
  const alarmed = `${head('orchestration')}    Start: { type: start, transitions: { unconditional: [Read] } }
    Read:
      type: sql-executor
      transitions: { failure: [Alert] }
      parameters: { scriptLocation: Component, sqlScript: select * from nothing }
    Alert: { type: sns-message }
`;
  await platform.publish('1', { 'daily/alarmed.orch.yaml': alarmed });
  const id = await started(platform, 'daily/alarmed');
  expect(await ended(platform, id)).toMatchObject({
    status: 'FAILED',
    message: expect.stringMatching(
      /^Component "Read" .* not found\. Then: Component "Alert" .*; define its result in the seed of the local platform: executions: \[\{ pipeline: "daily\/alarmed", component: Alert, outcome: success \}\]\. 3 components ran\.$/,
    ),
  });
});
