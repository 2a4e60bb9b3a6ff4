import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  loadDuckdb,
  loadDuckdbFrom,
  WarehouseUnavailable,
} from '../../../../engine/duckdb/connection/load-duckdb.ts';
import { openWarehouse } from '../../../../engine/index.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'millrace-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('without the optional package, an error says how to install it', async () => {
  const missing = loadDuckdb(() => {
    throw new Error("Cannot find module '@duckdb/node-api'");
  });
  await expect(missing).rejects.toThrow(WarehouseUnavailable);
  await expect(missing).rejects.toThrow(/npm install @duckdb\/node-api@1\.5\.5-r\.5$/);
});

test('a warehouse opens with the package of a named folder', async () => {
  await using warehouse = await openWarehouse({
    kind: 'WAREHOUSE_ONE',
    memoryLimit: '100MB',
    packages: root,
  });
  expect((await warehouse.query('SELECT 42', { maxRows: 1 })).rows).toEqual([[42]]);
});

test('only the folder itself counts: a package in a folder above it is not loaded', async () => {
  const below = path.join(root, 'engine');
  await expect(loadDuckdbFrom(below)).rejects.toThrow(WarehouseUnavailable);
  await expect(loadDuckdbFrom(below)).rejects.toThrow(
    `The folder "${below}" has no @duckdb/node-api@1.5.5-r.5`,
  );
});

test('another version of the package is refused, and its code does not run', async () => {
  const place = path.join(folder, 'node_modules', '@duckdb', 'node-api');
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'package.json'), '{ "version": "1.4.0-r.1", "main": "index.js" }');
  writeFileSync(path.join(place, 'index.js'), 'throw new Error("it ran");');
  await expect(loadDuckdbFrom(folder)).rejects.toThrow(/can be loaded: its version is 1\.4\.0-r\.1$/);
});
