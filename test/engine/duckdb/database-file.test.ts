import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sourceText } from '../../../engine/core/source-text.ts';
import { translateExpression } from '../../../engine/dialect/translate.ts';
import { functionSignature } from '../../../engine/duckdb/catalog/user-functions.ts';
import { openSmall, valueOf } from './open.ts';

let folder: string;
let file: string;
const name = { database: 'DB', schema: 'PUBLIC', table: 'T' };
const varchar = { name: 'VARCHAR', length: 40 } as const;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-database-'));
  file = join(folder, 'prod.db');
});

afterEach(() => rm(folder, { recursive: true }));

test('tables, their declared types and views survive in the file', async () => {
  {
    await using warehouse = await openSmall({ file });
    await warehouse.createTable(name, [{ name: 's', type: varchar }], [['x']]);
    await warehouse.run('CREATE VIEW "DB.PUBLIC"."V" AS SELECT * FROM "DB.PUBLIC"."T"');
  }
  await using warehouse = await openSmall({ file });

  expect(warehouse.catalog.find(name)).toMatchObject({ columns: [{ name: 's', type: varchar }] });
  expect(await valueOf(warehouse, 'SELECT * FROM "DB.PUBLIC"."V"')).toBe('x');
});

test('functions survive in the file, with the types of their parameters', async () => {
  const decimal = { name: 'NUMBER', precision: 10, scale: 2 } as const;
  const list = functionSignature([{ name: 'A "b" }', type: varchar }], decimal);
  {
    await using warehouse = await openSmall({ file });
    await warehouse.createSchema('DB', 'PUBLIC');
    await warehouse.run(`CREATE OR REPLACE MACRO "DB.PUBLIC"."F"(${list}) AS (1)`);
  }
  await using warehouse = await openSmall({ file });

  const signature = { parameters: [varchar], returns: decimal, sql: '"DB.PUBLIC"."F"' };
  expect(warehouse.catalog.findFunction?.({ ...name, table: 'F' })).toEqual(signature);
});

test('a view that divides decimals is readable after its file was opened again', async () => {
  const expression = sourceText('10.00 / 3', 'query.sql');
  {
    await using warehouse = await openSmall({ file });
    const context = {
      warehouse: 'WAREHOUSE_ONE',
      catalog: warehouse.catalog,
      defaults: { database: 'DB', schema: 'PUBLIC' },
      now: 0,
      components: new Map(),
    } as const;
    const { sql } = translateExpression(expression, new Map(), context);
    await warehouse.createSchema('DB', 'PUBLIC');
    await warehouse.run(`CREATE VIEW "DB.PUBLIC"."V" AS SELECT ${sql} AS x`);
  }
  await using warehouse = await openSmall({ file });

  expect(await valueOf(warehouse, 'SELECT x FROM "DB.PUBLIC"."V"')).toBe('3.33333333');
});

test('a file is opened once in a process, also under another name, and again after it was closed', async () => {
  await (await openSmall({ file }))[Symbol.asyncDispose]();
  const alias = join(folder, 'alias.db');
  await symlink(file, alias);
  await using first = await openSmall({ file });

  await expect(openSmall({ file: alias })).rejects.toThrow(
    /^the database file alias.db is already open in this process$/,
  );
  expect(await valueOf(first, 'SELECT 1')).toBe(1);
});

test('a file in a folder that does not exist is refused without its path', async () => {
  await expect(openSmall({ file: join(folder, 'none', 'prod.db') })).rejects.toThrow(
    /the database file prod\.db cannot be opened: its folder is missing, or there is a folder with the name of the file; check the folder of the file/,
  );
});

test('a file that is not a database is refused without its path', async () => {
  const opened = openSmall({ file: fileURLToPath(import.meta.url) });

  await expect(opened).rejects.toThrow(/cannot be opened: it is damaged, or it is not a database/);
  await expect(opened).rejects.not.toThrow(process.cwd());
});

test('SQL of a warehouse in a file reads and writes no other file', async () => {
  await using warehouse = await openSmall({ file });

  await expect(warehouse.run(`SELECT * FROM read_text('${fileURLToPath(import.meta.url)}')`)).rejects.toThrow(
    /not allowed/,
  );
  await expect(warehouse.run(`COPY (SELECT 1) TO '${file}'`)).rejects.toThrow(/not allowed/);
  await expect(warehouse.run(`COPY (SELECT 1) TO '${join(folder, 'x.csv')}'`)).rejects.toThrow(/not allowed/);
  expect(await readdir(folder)).not.toContain('x.csv');
});

test('in a file that is larger than its limit, statements that write fail until rows are gone', async () => {
  const fileLimit = { size: '1MB', setting: 'the key of a setting' };
  const rows = (count: number) => `SELECT i, hash(i) AS h FROM range(${count}) t(i)`;
  {
    await using warehouse = await openSmall({ file });
    await warehouse.run(`CREATE TABLE kept AS ${rows(1000)}`);
    await warehouse.run(`CREATE TABLE large AS ${rows(300_000)}`);
  }
  await using warehouse = await openSmall({ file, fileLimit });
  expect(await valueOf(warehouse, 'SELECT count(*) FROM large')).toBe(300_000);
  const insert = () => warehouse.transaction(() => warehouse.run(`INSERT INTO kept ${rows(1)}`));
  await expect(insert()).rejects.toThrow(
    /^the database file would become larger than its limit of 1MB, which is set by the key of a setting$/,
  );
  await warehouse.run('DROP TABLE large');
  await insert();
  expect(await valueOf(warehouse, 'SELECT count(*) FROM kept')).toBe(1001);
});

test.each([
  ['INSERT', (rows: string) => `INSERT INTO kept SELECT i, md5(CAST(i AS VARCHAR)) FROM ${rows}`],
  ['CREATE TABLE', (rows: string) => `CREATE TABLE made AS SELECT i, md5(CAST(i AS VARCHAR)) FROM ${rows}`],
  [
    'UPDATE',
    (rows: string) => `UPDATE kept SET s = repeat(md5(s), 8) WHERE i < (SELECT count(*) FROM ${rows})`,
  ],
])('%s fails where what it keeps in memory does not fit into the limit of the file', async (_, write) => {
  const fileLimit = { size: '2MB', setting: 'the key of a setting' };
  await using warehouse = await openSmall({ file, fileLimit });
  await warehouse.run('CREATE TABLE kept AS SELECT i, CAST(i AS VARCHAR) AS s FROM range(20000) t(i)');
  const before = await valueOf(warehouse, 'SELECT sum(hash(t)) FROM kept t');

  await expect(warehouse.run(write('range(60000) t(i)'))).rejects.toThrow(
    /^the database file would become larger than its limit of 2MB, which is set by the key of a setting$/,
  );

  expect(statSync(file).size + statSync(`${file}.wal`).size).toBeLessThan(2e6);
  expect(await valueOf(warehouse, 'SELECT sum(hash(t)) FROM kept t')).toBe(before);
  await warehouse.run(write('range(10) t(i)'));
});

test('a process that is killed while it writes leaves every finished transaction, whole', async () => {
  const writer = fileURLToPath(new URL('write-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last === 3) await expect(openSmall({ file })).rejects.toThrow(/another process has opened it/);
    if (last === 20) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');

  await using warehouse = await openSmall({ file });
  const { rows } = await warehouse.query(
    'SELECT count(*), count(DISTINCT "N"), max("N"), count(*) FILTER ("S" = \'first\') FROM "DB.PUBLIC"."T"',
    { maxRows: 1 },
  );
  const [count, numbers, highest, first] = (rows[0] ?? []).map(Number);
  expect(highest).toBeGreaterThanOrEqual(last);
  expect({ count, numbers, first }).toEqual({
    count: 2 * (Number(highest) + 1),
    numbers: Number(highest) + 1,
    first: Number(highest) + 1,
  });
  expect(warehouse.catalog.find(name)).toMatchObject({
    columns: [{ name: 'N' }, { name: 'S', type: varchar }, { name: 'D' }],
  });
});
