import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openSmall, valueOf } from './open.ts';

let folder: string;
let warehouse: Warehouse;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-sandbox-'));
  await writeFile(join(folder, 'secret.csv'), 'a,b\n1,2\n');
  warehouse = await openSmall();
});

afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const noAccess = /^the statement is not allowed: SQL has no access to files, the network or extensions$/;
const notRun = /^statements of the kind \w+ are not allowed here/;
const locked = /configuration has been locked|^statements of the kind/;

test.for<[what: string, sql: string, refusal: RegExp]>([
  ['read_text', "SELECT * FROM read_text('$F/secret.csv')", noAccess],
  ['read_blob', "SELECT * FROM read_blob('$F/secret.csv')", noAccess],
  ['read_csv', "SELECT * FROM read_csv('$F/secret.csv')", noAccess],
  ['read_json', "SELECT * FROM read_json('$F/secret.csv')", noAccess],
  ['read_parquet', "SELECT * FROM read_parquet('$F/secret.csv')", noAccess],
  ['a file as a table', "SELECT * FROM '$F/secret.csv'", /not allowed|does not exist|not found/],
  ['glob', "SELECT * FROM glob('$F/*')", noAccess],
  ['COPY TO', "COPY (SELECT 1) TO '$F/out.csv'", noAccess],
  ['COPY FROM', "COPY t FROM '$F/secret.csv'", /not allowed|does not exist|not found/],
  ['EXPORT DATABASE', "EXPORT DATABASE '$F/export'", noAccess],
  ['IMPORT DATABASE', "IMPORT DATABASE '$F/export'", noAccess],
  ['ATTACH of a file', "ATTACH '$F/other.db'", notRun],
  ['ATTACH of memory', "ATTACH ':memory:' AS other", notRun],
  ['INSTALL', 'INSTALL httpfs', notRun],
  ['LOAD', 'LOAD httpfs', notRun],
  ['LOAD of a file', "LOAD '$F/x.duckdb_extension'", notRun],
  ['SET', "SET memory_limit = '10GB'", locked],
  ['SET GLOBAL', 'SET GLOBAL enable_external_access = true', locked],
  ['SET of the schema', "SET schema = 'main'", notRun],
  ['RESET', 'RESET memory_limit', locked],
  ['PRAGMA with a value', "PRAGMA memory_limit = '10GB'", locked],
  ['PRAGMA that prints', 'PRAGMA enable_profiling', notRun],
  ['USE', 'USE main', notRun],
  ['CALL', 'CALL pragma_version()', notRun],
  ['BEGIN', 'BEGIN TRANSACTION', notRun],
  ['a query in a text', "SELECT * FROM query('SELECT * FROM read_text(''$F/secret.csv'')')", noAccess],
  ['CREATE SECRET', "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')", /./],
  ['two statements', 'SELECT 1; SELECT 2', /^this SQL has 2 statements, but only one is allowed here$/],
])('refuses %s', async ([, sql, refusal]) => {
  const before = await readdir(folder);

  const result = warehouse.run(sql.replaceAll('$F', folder));

  await expect(result).rejects.toThrow(refusal);
  await expect(result).rejects.toMatchObject({ name: 'SqlError' });
  await expect(result).rejects.not.toThrow(homedir());
  expect(await readdir(folder)).toEqual(before);
});

test('refuses to read over HTTP, without a connection', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.csv`;

  await expect(warehouse.run(`SELECT * FROM read_csv('${url}')`)).rejects.toThrow(noAccess);
  await expect(warehouse.run(`SELECT * FROM '${url}'`)).rejects.toThrow(noAccess);

  expect(connections).toBe(0);
  await new Promise((resolve) => void server.close(resolve));
});

test('uses UTC and the order of NULL that the warehouses have', async () => {
  expect(await valueOf(warehouse, "SELECT CAST(TIMESTAMPTZ '2024-07-01 12:00:00+02' AS VARCHAR)")).toBe(
    '2024-07-01 10:00:00+00',
  );
  const order = (direction: string) =>
    warehouse.query(`SELECT * FROM (VALUES (1), (NULL), (2)) v(a) ORDER BY a ${direction}`, { maxRows: 9 });
  expect((await order('ASC')).rows).toEqual([[1], [2], [null]]);
  expect((await order('DESC')).rows).toEqual([[null], [2], [1]]);
});

test('a statement beyond the memory limit fails and leaves the warehouse usable', async () => {
  await expect(
    warehouse.run('SELECT list(r) FROM (SELECT range(100000) r FROM range(3000))'),
  ).rejects.toThrow(
    /^Millrace does not support a statement that needs more than 100MB of memory; use fewer rows$/,
  );
  expect(await valueOf(warehouse, 'SELECT 42')).toBe(42);
});
