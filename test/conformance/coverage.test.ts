import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations as contract } from '../../lib/contract/operations.ts';
import { errors, operations, points } from './points.ts';

const folder = import.meta.dirname;
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts');
const read = (names: readonly string[]) =>
  names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
const text = read(files);
/** The suite with its helpers; this file itself compares with the contract. */
const sources = read(
  readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'coverage.test.ts'),
);

test('the points are the contract’s: the same operations in the same sections', () => {
  const bySection: Record<string, string[]> = {};
  for (const { section, method, path } of Object.values(contract))
    (bySection[section] ??= []).push(`${method} ${path}`);
  const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(table).map(([section, list]) => [section, list.toSorted()]));
  expect(sorted(operations)).toEqual(sorted(bySection));
});

test('every refusal that the contract takes from §5 and §7 is a point, but the 401 of §5 that all have', () => {
  const ofContract = Object.values(contract)
    .flatMap((operation) => operation.errors)
    .filter(({ section, status }) => /§[57]/.test(section) && status !== 401)
    .map(({ status }) => String(status));
  const ofPoints = errors.filter((point) => point.startsWith('§7')).map((point) => point.slice(3, 6));
  expect(new Set(ofContract)).toEqual(new Set(ofPoints));
});

test('every point is shown by at least one test', () => {
  const shown = points.filter((point) => text.includes(`'${point}'`));
  expect(points.filter((point) => !shown.includes(point))).toEqual([]);
  expect(points.length).toBeGreaterThan(100);
  expect(new Set(points).size).toBe(points.length);
});

test('the suite asks by plain requests: it imports nothing of contract, client or operations', () => {
  expect(sources).not.toMatch(/from '\.\.\/\.\.\/(lib\/contract|platform\/operations|client|flows)\//);
});
