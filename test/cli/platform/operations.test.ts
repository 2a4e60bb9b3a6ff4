import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../../lib/contract/operations.ts';
import { inProcess } from '../in-process.ts';
import { operationCalls } from './operation-calls.ts';
import { sharedPipelines } from '../shared-pipelines.ts';
import { createCliEnvironment, type CliEnvironment } from '../cli-environment.ts';

let testEnvironment: CliEnvironment;
beforeAll(async () => {
  testEnvironment = await createCliEnvironment({
    connectors: {
      custom: [{ id: '17', name: 'Weather' }],
      flex: [{ id: '4', alternateId: 'ticket-system' }],
    },
  });
  testEnvironment.work.write('.platform/shared-pipelines.yaml', sharedPipelines);
});
afterAll(() => testEnvironment[Symbol.asyncDispose]());

/** `millrace api …` in the environment's repository. */
const api = (args: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') =>
  inProcess(['api', ...args], {
    cwd: testEnvironment.work.directory,
    env: { ...testEnvironment.env, ...env },
    input,
  });

test('the table of calls contains exactly the operations of the contract', () => {
  const called = new Set<string>(operationCalls.map(({ operation }) => operation));
  expect(called).toEqual(new Set(operations.map(({ id }) => id)));
});

test('each operation is callable and returns the answer of the specification', async () => {
  const known: Record<string, string> = { commit: testEnvironment.work.git('rev-parse', 'HEAD') };
  for (const { operation, args, body, answer, learn } of operationCalls) {
    // The first call needs no project, because there may be none yet.
    const env = { MILLRACE_PROJECT_ID: known['projectId'] ?? '' };
    const ended = await api([operation, ...(args?.(known) ?? [])], env, JSON.stringify(body ?? ''));
    const message = body === undefined ? '' : 'Reading standard input\n';
    expect(ended, operation).toMatchObject({ code: 0, stderr: message });
    const answered = JSON.parse(ended.stdout) as Record<string, unknown> | null;
    if (answer === null) expect(answered, operation).toBeNull();
    else expect(answered, operation).toMatchObject(answer as object);
    if (learn === undefined) continue;
    expect(answered?.[learn], learn).toMatch(/^[0-9a-f-]{36}$/);
    known[learn] = String(answered?.[learn]);
  }
});

test('api --list shows each operation with its method and path', async () => {
  const listed = await api(['--list']);
  expect(listed.stdout.trim().split('\n')).toHaveLength(operations.length);
  expect(listed.stdout).toMatch(/^artifacts\.list +GET +\/v1\/projects\/\{projectId\}\/artifacts\/$/m);
  expect(JSON.parse((await api(['--json'])).stdout)).toHaveLength(operations.length);
});

test.each([
  ['artifacts.promote', '--help'],
  ['-h', 'artifacts.promote'],
])('api %s %s shows the fields, the example and the refusals of the operation', async (...args) => {
  const { code, stdout, stderr } = await api(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: millrace api artifacts\.promote /);
  expect(stdout).toMatch(/^ {2}sourceEnvironmentName +body +yes +string, not empty$/m);
  expect(stdout).toContain('  "sourceEnvironmentName": "dev",');
  expect(stdout).toContain('  millrace api artifacts.promote --body body.json\n');
  expect(stdout).toMatch(/^ {2}409 {2}The version is disabled in the source environment\./m);
});

test('help api with an operation is the help of the operation; an unknown one is a mistake', async () => {
  const { stdout } = await inProcess(['help', 'api', 'projects.list'], { cwd: '/', env: {} });
  expect(stdout).toMatch(/^Usage: millrace api projects\.list /);
  const wrong = await api(['project.list', '--help']);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('Did you mean "projects.list"?');
});

test('api --dry-run shows valid input, refuses invalid input, and sends nothing', async () => {
  const create = ['variables.create', '--dry-run', '--param', 'name=rows', '--param', 'type=NUMBER'];
  const shown = await api([...create, '--param', 'behaviour=SHARED', '--param', 'value:=5'], {
    MILLRACE_TOKEN: '',
  });
  expect(shown.code).toBe(0);
  expect(JSON.parse(shown.stdout)).toMatchObject({ input: { name: 'rows', value: 5 } });
  const misspelled = await api([...create, '--param', 'behavior=SHARED']);
  expect(misspelled.stderr).toContain(
    'behavior: is not a field of this operation; did you mean "behaviour"?\n',
  );
  const refused = await api([...create, '--param', 'colour=red']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('colour: is not a field of this operation.');
  expect(refused.stderr).toContain('code: request-invalid');
  expect(
    await testEnvironment.client.variables.list({ projectId: testEnvironment.platform.projectId }),
  ).toMatchObject({
    total: 0,
  });
});

test.each([
  { title: 'an unknown operation', args: ['artifact.list'], message: 'Did you mean "artifacts.list"?' },
  {
    title: 'a body of invalid JSON',
    args: ['projects.create', '--body', '-'],
    message: 'The body is not valid JSON',
  },
  {
    title: 'a body file that is not there',
    args: ['projects.create', '--body', 'no.json'],
    message: '--body: The file no.json',
  },
  {
    title: 'a parameter without a value',
    args: ['projects.list', '--param', 'page'],
    message: 'It must be name=value',
  },
  {
    title: 'a parameter of invalid JSON',
    args: ['variables.create', '--param', 'value:=x'],
    message: 'The value of value:= is not valid JSON',
  },
  {
    title: 'a number with more digits than it can pass on',
    args: ['variables.create', '--param', 'value:=9007199254740993'],
    message: 'The number 9007199254740993 has too many digits',
  },
  { title: 'a page size of no number', args: ['projects.list', '--param', 'size=many'], message: 'size' },
  {
    title: 'a file for an operation that takes none',
    args: ['projects.list', '--file', 'millrace.yaml'],
    message: 'does not accept files',
  },
  {
    title: 'an artifact without a file',
    args: [
      'artifacts.create',
      '--param',
      'versionName=1',
      '--param',
      'environmentName=dev',
      '--param',
      'commitHash=abc',
    ],
    message: 'must contain at least one file',
  },
  {
    title: 'a file outside the project',
    args: ['artifacts.create', '--file', '../outside.yaml'],
    message: '"../outside.yaml" is not a file in the project’s folder',
  },
  {
    title: 'a folder for a file',
    args: ['artifacts.create', '--file', 'daily'],
    message: '"daily" is not a file',
  },
  {
    title: 'the version name latest',
    args: ['sharedArtifacts.details', '--param', 'sharedPipelineIdPrefix=x', '--param', 'versionName=latest'],
    message: 'latest',
  },
])('$title ends in 2 with a sentence that says so', async ({ args, message }) => {
  const ended = await api(args, {}, '{');
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).toMatch(/\n {2}how to fix: .+\n {2}code: [a-z-]+\n$/);
});
