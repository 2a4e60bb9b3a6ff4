import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultSeed, type Seed } from '../../../platform/index.ts';
import { endOfExecution, runExecution, startExecution } from './run-execution.ts';
import { serve } from '../child.ts';
import { form, talk, type Talk } from '../talk.ts';

const orchestration = (sql: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Run] } }
    Run: { type: sql-script, parameters: { sqlScript: ${JSON.stringify(sql)} } }
`;

const transformation = (query: string) => `type: transformation
version: "1.0"
pipeline:
  components:
    Query: { type: sql, parameters: { query: ${JSON.stringify(query)} } }
    Write:
      type: rewrite-table
      sources: [Query]
      parameters: { targetTable: SORTED }
`;

const numbers = (count: number) =>
  `with recursive d as (select 0 as n union all select n + 1 from d where n < ${count - 1})`;

/** Each needs more than the limit: a sort, groups, a list of one row, and a table whose rows a transaction keeps. */
const large: Readonly<Record<string, string>> = {
  sort: `${numbers(2_000)} select row_number() over (order by md5(to_varchar(a.n + b.n * 2000))) as n from d a, d b`,
  groups: `${numbers(2_000)} select count(distinct md5(to_varchar(a.n + b.n * 2000))) as n from d a, d b`,
  list: `${numbers(2_000)} select array_size(array_agg(md5(to_varchar(a.n + b.n * 2000)))) as n from d a, d b`,
};

const files = {
  ...Object.fromEntries(
    Object.entries(large).map(([name, sql]) => [`${name}.orch.yaml`, orchestration(sql)] as const),
  ),
  'write.orch.yaml': orchestration(`insert into kept (n) ${large['sort'] ?? ''}`),
  'transform.tran.yaml': transformation(large['sort'] ?? ''),
  'first.orch.yaml': orchestration('create table kept (n number); insert into kept values (0)'),
  'add.orch.yaml': orchestration('insert into kept select count(*) from kept'),
};

const seed: Seed = {
  ...defaultSeed,
  settings: { execution: 'engine', componentTime: 0, memoryLimit: '50MB' },
};

const outOfMemory = expect.stringContaining(
  'Millrace does not support a statement that needs more than 50MB of memory; use fewer rows',
) as unknown;

function newFolder(): string {
  const data = mkdtempSync(join(tmpdir(), 'platform-memory-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

/** The tables of the first environment with their numbers of rows. */
async function tables(platform: Talk): Promise<readonly (readonly [name: string, rows: number])[]> {
  const list = (await platform.get('/_platform/tables.json')).body as { environments: { id: number }[] };
  const [{ id } = { id: 0 }] = list.environments;
  const { body } = await platform.get(`/_platform/tables/${id}?format=json`);
  return (body as { tables: { name: string; rows: number }[] }).tables.map(({ name, rows }) => [name, rows]);
}

test('executions that run out of memory fail; others, requests and a restart work', async () => {
  const data = newFolder();
  {
    await using platform = await talk({ seed, data });
    await platform.publish('1', files);
    expect(await runExecution(platform, 'first')).toMatchObject({ status: 'SUCCESS' });
    for (const name of [...Object.keys(large), 'write', 'transform']) {
      const id = await startExecution(platform, name);
      // A request while the statement runs.
      expect((await platform.get('/v1/projects')).status).toBe(200);
      expect(await endOfExecution(platform, id)).toMatchObject({ status: 'FAILED', message: outOfMemory });
      expect(await runExecution(platform, 'add')).toMatchObject({ status: 'SUCCESS' });
    }
  }
  await using platform = await talk({ seed, data });
  expect(await runExecution(platform, 'add')).toMatchObject({ status: 'SUCCESS' });
  // One row of the first execution, and one of each of the six that added: what failed left nothing.
  expect(await tables(platform)).toEqual([['DEV.PUBLIC.KEPT', 7]]);
});

test('executions that run out of memory at the same time leave a platform that was killed readable', async () => {
  const data = newFolder();
  const names = Object.keys(large);
  {
    await using platform = await serve(data, '', seed);
    const version = { versionName: '1', environmentName: 'dev', commitHash: 'abc' };
    await platform.send('POST', `${platform.project}/artifacts`, form(files), version);
    expect(await runExecution(platform, 'first')).toMatchObject({ status: 'SUCCESS' });
    const ends = await Promise.all([...names, 'add'].map((name) => runExecution(platform, name)));
    expect(ends.map(({ status }) => status)).toEqual([...names.map(() => 'FAILED'), 'SUCCESS']);
  }
  await using platform = await talk({ seed, data });
  expect(await runExecution(platform, 'add')).toMatchObject({ status: 'SUCCESS' });
});
