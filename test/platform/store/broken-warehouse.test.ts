import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { defaultSeed, type Seed } from '../../../platform/index.ts';
import { runExecution } from '../world/run-execution.ts';
import { talk } from '../talk.ts';

const orchestration = `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Add] } }
    Add: { type: sql-script, parameters: { sqlScript: "create table if not exists t (a number); insert into t values (1)" } }
`;

function withScript(sql: string): string {
  return orchestration.replace(/(sqlScript: )".*"/, (_, key: string) => key + JSON.stringify(sql));
}

const seed: Seed = { ...defaultSeed, settings: { execution: 'engine', componentTime: 0 } };

let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'platform-broken-'));
  await using platform = await talk({ seed, data });
  await platform.publish('1', { 'add.orch.yaml': orchestration });
  const { status, message } = await runExecution(platform, 'add');
  if (status !== 'SUCCESS') throw new Error(`The first execution failed: ${message}`);
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** The only database file. */
function databaseFile(): string {
  const found = readdirSync(join(data, 'warehouses'), { recursive: true, encoding: 'utf8' });
  const [file = '', ...more] = found.filter((name) => name.endsWith('.duckdb'));
  if (more.length > 0) throw new Error('several files');
  return join(data, 'warehouses', file);
}

test('a damaged database file is named, and the platform serves everything else', async () => {
  const file = databaseFile();
  const whole = readFileSync(file);
  writeFileSync(file, 'no database');
  await using platform = await talk({ seed, data });
  const message = expect.stringMatching(
    /^The warehouse of the environment "dev" could not be opened: the database file \w+\.duckdb cannot be opened: it is damaged/,
  ) as unknown;
  const { status, message: answered } = await runExecution(platform, 'add');
  expect({ status, message: answered }).toEqual({ status: 'FAILED', message });
  expect(answered).toMatch(/ 0 components ran\.$/);
  expect(answered).not.toContain('Simulated');
  const list = await platform.get('/_platform/tables.json');
  const [{ id } = { id: 0 }] = (list.body as { environments: { id: number }[] }).environments;
  expect(await platform.get(`/_platform/tables/${id}?format=json`)).toMatchObject({
    status: 409,
    body: { error: message },
  });
  // Once the file is restored, the next execution opens it.
  writeFileSync(file, whole);
  expect(await runExecution(platform, 'add')).toMatchObject({ status: 'SUCCESS' });
});

test('a data folder in which no warehouse can be created is named', async () => {
  const folder = join(data, 'warehouses');
  const before = readFileSync(databaseFile());
  const file = databaseFile();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  {
    await using platform = await talk({ seed, data });
    expect(await runExecution(platform, 'add')).toMatchObject({
      status: 'FAILED',
      message: expect.stringMatching(
        /^The warehouse of the environment "dev" could not be opened: the database file \w+\.duckdb/,
      ),
    });
  }
  rmSync(folder);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, before);
  await using platform = await talk({ seed, data });
  expect(await runExecution(platform, 'add')).toMatchObject({ status: 'SUCCESS' });
});

test('a table of the seed that cannot be created is named', async () => {
  const tables = [{ name: 'T', columns: { A: 'NUMBER' }, rows: [{ A: 'one' }] }];
  await using platform = await talk({ seed: { ...seed, tables } });
  await platform.publish('1', { 'add.orch.yaml': orchestration });
  expect(await runExecution(platform, 'add')).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining(
      `The warehouse of the environment "dev" could not be opened: the seed's table T cannot be created`,
    ),
  });
});

test('a script that fills the database file fails, and the next ones free and use its space', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const limited: Seed = { ...seed, settings: { ...seed.settings, databaseLimit: '2MB' } };
  const hashes = "select md5(a.n || '-' || b.n) as h from n a cross join n b";
  const fill = `create table n as with recursive r as (select 1 as n union all select n + 1 from r where n < 600) select n from r;
    create table filled as ${hashes} where a.n <= 20;
    insert into filled ${hashes} where a.n <= 200`;
  await using platform = await talk({ seed: limited, data: folder });
  await platform.publish('1', {
    'add.orch.yaml': orchestration,
    'fill.orch.yaml': withScript(fill),
    'empty.orch.yaml': withScript(`drop table filled; create table filled as ${hashes} where a.n <= 20`),
  });

  expect(await runExecution(platform, 'fill')).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining(
      'fill.orch.yaml:6:280: the database file would become larger than its limit of 2MB, which is set by settings.databaseLimit of the seed',
    ) as unknown,
  });
  expect(await runExecution(platform, 'empty')).toMatchObject({ status: 'SUCCESS' });
  expect(await runExecution(platform, 'add')).toMatchObject({ status: 'SUCCESS' });
});
