import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCommands, wordsOf } from '../../cli/kit/help.ts';
import { withoutResult } from '../../cli/kit/result-schema.ts';
import { commandResults } from '../../cli/results/command-results.ts';
import { checkResult, schemaOf } from './check-result.ts';
import { createCliEnvironment, type CliEnvironment } from './cli-environment.ts';
import { inProcess } from './in-process.ts';
import { wholeProgram } from './whole-program.ts';

let testEnvironment: CliEnvironment;
let empty: string;
beforeAll(async () => {
  empty = mkdtempSync(path.join(tmpdir(), 'millrace-results-'));
  testEnvironment = await createCliEnvironment();
});
afterAll(async () => {
  rmSync(empty, { recursive: true, force: true });
  await testEnvironment[Symbol.asyncDispose]();
});

test('each command with --json has a schema of what it prints, and no other has one', () => {
  const withJson = allCommands(wholeProgram())
    .filter(({ options }) => options.some(({ long }) => long === '--json'))
    .map(wordsOf);
  const expected = withJson.filter((words) => !withoutResult.includes(words));
  expect(Object.keys(commandResults).toSorted()).toEqual(expected.toSorted());
});

const param = (...pairs: string[]) => pairs.flatMap((pair) => ['--param', pair]);

// Every other test of a command with --json compares its output too: see check-result.ts.
test.each([
  ['review', '--local', '--json'],
  ['review', '--local', '--statistics', '--json'],
  ['review', '--explain', 'minimum-components', '--json'],
  ['graph', '--json'],
  ['snapshot', '--json'],
  ['publish', '--version', '1.0.0', '--environment', 'dev', '--dry-run', '--json'],
  ['run', 'daily/load', '--environment', 'dev', '--dry-run', '--json'],
  ['drift', '--json'],
  ['streaming', 'status', '--json'],
  ['doctor', '--json'],
  ['init', '--dry-run', '--diff', '--json'],
  ['api', '--list', '--json'],
  ['api', 'projects.list', '--json'],
  [
    'api',
    'projects.create',
    '--json',
    ...param('name=sales', 'warehouse=WAREHOUSE_ONE', 'agentDeploymentType=HYBRID'),
  ],
  ['audit', '--json'],
  ['completion', 'bash', '--json'],
  ['worker', 'token', '--json'],
])('millrace %s %s %s …: the output fits the schema', async (...args) => {
  // `inProcess` compares.
  const { stdout, stderr } = await inProcess(args, {
    cwd: testEnvironment.work.directory,
    env: testEnvironment.env,
  });
  expect(stdout, stderr).not.toBe('');
  expect(stdout).not.toContain('"error": {');
});

test('the help of a command names the schema of its JSON', async () => {
  const { stdout } = await inProcess(['worker', 'token', '--help']);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    '--json print the result as JSON: docs/schemas/commands/worker-token.schema.json describes it',
  );
  expect((await inProcess(['lsp', '--help'])).stdout).not.toContain('schemas/commands');
});

test('an error fits the schema of errors', async () => {
  const { stdout } = await inProcess(['drift', '--json'], { cwd: empty });
  expect(schemaOf('error').safeParse(JSON.parse(stdout)).success).toBe(true);
});

test.each([
  ['a field that is not in the schema', { shell: 'bash', script: '', colour: 'red' }],
  ['a field of another type', { shell: 'bash', script: 1 }],
  ['a missing field', { shell: 'bash' }],
])('%s does not fit', (_, document) => {
  expect(() => checkResult(['completion', 'bash', '--json'], JSON.stringify(document))).toThrow(
    'does not fit completion.schema.json',
  );
});
