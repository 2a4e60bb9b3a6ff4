import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActionEnvironment, type ActionEnvironment } from './action-environment.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
/** The files of the bundle that contain a text. */
const filesWith = (text: string): string[] =>
  readdirSync(dist).filter(
    (name) => name.endsWith('.js') && readFileSync(join(dist, name), 'utf8').includes(text),
  );
/** GitHub's client. */
const withOctokit = filesWith('endpointMethodsMap');
/** The engine of the action `test`. */
const withEngine = filesWith('DuckDBInstance');

let testEnvironment: ActionEnvironment;
beforeAll(async () => {
  testEnvironment = await createActionEnvironment();
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
});
afterAll(() => testEnvironment[Symbol.asyncDispose]());

async function readBy(action: string, inputs: Readonly<Record<string, string>>): Promise<string[]> {
  const env = { NODE_OPTIONS: `--import=${new URL('say-what-is-read.mjs', import.meta.url).href}` };
  const result = await testEnvironment.push('refs/tags/v1.0.0', {
    action,
    inputs,
    as: 'deployer',
    more: { env },
  });
  expect([action, result.exitCode, result.log]).toEqual([action, 0, expect.any(String)]);
  return Array.from(result.log.matchAll(/^read: (.+)$/gmu), ([, name = '']) => name);
}

test('GitHub’s client is in a separate file', () => {
  expect(withOctokit).toHaveLength(1);
  expect(withOctokit).not.toContain('index.js');
});

test('the engine is in a separate file, without DuckDB itself', () => {
  expect(withEngine).toHaveLength(1);
  expect(withEngine).not.toContain('index.js');
  expect(filesWith('duckdb.node')).toEqual([]);
});

test('only an action that calls GitHub’s API loads its client', async () => {
  const promotion = { version: 'v1.0.0', from: 'dev', to: 'test' };
  const without: [string, Record<string, string>][] = [
    ['publish', {}],
    ['publish-shared', {}],
    ['promote', promotion],
    ['run', { pipeline: 'daily/load', environment: 'dev' }],
    ['drift', { 'fail-on': 'never' }],
    ['rollback', { environment: 'dev', version: 'v1.0.0' }],
    ['variables', { files: 'variables.yaml' }],
  ];
  const last = await readBy('actions/publish', { version: 'v0.9.0' });
  expect(last).toContain('index.js');
  for (const [name, inputs] of without) {
    const read = await readBy(`actions/${name}`, inputs);
    expect(read).toEqual(expect.arrayContaining([`${name}.js`, 'index.js']));
    expect(read).not.toEqual(expect.arrayContaining(withOctokit));
    expect(read).not.toEqual(expect.arrayContaining(withEngine));
  }
  const deployment = { deployment: 'true', version: 'v1.1.0' };
  expect(await readBy('actions/publish', deployment)).toEqual(expect.arrayContaining(withOctokit));
});
