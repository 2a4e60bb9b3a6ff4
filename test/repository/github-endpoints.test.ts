import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceFiles, root } from './repository-files.ts';

const files = ['actions', 'cli', 'client', 'flows', 'lib', 'platform', 'worker'].flatMap(readSourceFiles);

const call =
  /\boctokit\.(?:rest\.(\w+\.\w+)|request\((.+))|\brest\(\{\s*method: '(\w+)',\s*path:\s*`([^`]+)`|\bpages\(`([^`]+)`/gu;

/** Calls of octokit, and of the same API without it, as `file: endpoint`. */
const calls = files.flatMap(({ path }) =>
  Array.from(
    readFileSync(join(root, path), 'utf8').matchAll(call),
    ([, endpoint, route, method, file, list]) => ({
      path,
      endpoint: endpoint ?? route ?? `${method ?? 'GET'} ${file ?? list ?? ''}`,
    }),
  ),
);

test('only lib/github calls GitHub', () => {
  expect(calls.filter(({ path }) => !path.startsWith('lib/github/'))).toEqual([]);
});

test('each endpoint of GitHub is called from one place', () => {
  const endpoints = calls.map(({ endpoint }) => endpoint);
  expect(endpoints.length).toBeGreaterThan(25);
  expect(endpoints.filter((endpoint, index) => endpoints.indexOf(endpoint) !== index)).toEqual([]);
});

test('no action loads the code of the GitHub App', () => {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const loaded = new Set(['actions/index.ts']);
  for (const path of loaded) {
    for (const specifier of importsOf.get(path) ?? [])
      if (specifier.startsWith('.')) loaded.add(posix.join(posix.dirname(path), specifier));
  }
  expect(loaded).toContain('lib/github/workflow-run/connect-github.ts');
  expect(loaded).not.toContain('lib/github/access/app-access.ts');
});
