import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startPlatform } from '../../platform/index.ts';

const run = promisify(execFile);
const examples = path.resolve(import.meta.dirname, '../../examples');

test('publish-and-run publishes the example project, runs a pipeline of it and waits for the end', async () => {
  await using platform = await startPlatform({ checkAnswers: true });
  const { stdout } = await run(
    process.execPath,
    [
      path.join(examples, 'client/publish-and-run.ts'),
      path.join(examples, 'warehouse'),
      '1.0.0',
      'daily/load',
    ],
    { env: { ...process.env, ...platform.environment() } },
  );
  expect(stdout.split('\n')).toEqual([
    'environment dev',
    'environment test',
    'environment prod',
    expect.stringMatching(/^published 1\.0\.0: \d\d files, 0 ignored$/),
    'daily/load ended: SUCCESS',
    '',
  ]);
  expect(platform.ledger().map(({ operation, effect }) => `${operation} ${effect}`)).toEqual([
    'artifacts.create created',
    'executions.start started',
  ]);
});

test('publish-and-run prints what to search for where the answer to the start is lost', async () => {
  await using platform = await startPlatform({
    faults: [{ operation: 'executions.start', wire: 'reset-after' }],
  });
  const ended = run(
    process.execPath,
    [
      path.join(examples, 'client/publish-and-run.ts'),
      path.join(examples, 'warehouse'),
      '1.0.0',
      'daily/load',
    ],
    { env: { ...process.env, ...platform.environment() } },
  );
  await expect(ended).rejects.toMatchObject({ code: 4, stderr: expect.stringContaining('example-1.0.0') });
  expect(platform.ledger({ operation: 'executions.start' }).length).toBe(1);
});

test('watch-the-wire prints and records attempts, and calls an endpoint outside the contract', async () => {
  await using platform = await startPlatform();
  const { stdout, stderr } = await run(process.execPath, [path.join(examples, 'client/watch-the-wire.ts')], {
    env: { ...process.env, ...platform.environment() },
  });
  expect(stdout).toBe(
    `GET /v1/projects/${platform.projectId}/variables\n0 variables, request with id, 1 attempt\n` +
      'GET /_platform/openapi.json\nOpenAPI 3.1.0\n',
  );
  expect(stderr).toMatch(
    /^variables\.list, attempt 1: 200 after \d+ ms\nGET \/_platform\/openapi\.json, attempt 1: 200/,
  );
});
