import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defaultSeed } from '../../../platform/index.ts';
import { createCliEnvironment } from '../cli-environment.ts';

test('audit prints entries as NDJSON or CSV, updates its cursor, and explains an invalid time', async () => {
  await using testEnvironment = await createCliEnvironment();
  await testEnvironment.run(['publish', '--version', '1', '--environment', 'dev']);

  const first = await testEnvironment.run(['audit', '--from', '1h', '--cursor', 'place.json']);
  expect(first.code).toBe(0);
  const names = first.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { eventName: string }).eventName);
  expect(names).toContain('Artifact created');
  expect(
    JSON.parse(readFileSync(path.join(testEnvironment.work.directory, 'place.json'), 'utf8')),
  ).toMatchObject({
    version: 1,
  });

  const again = await testEnvironment.run(['audit', '--cursor', 'place.json']);
  expect(again).toMatchObject({ code: 0, stdout: '' });

  const csv = await testEnvironment.run(['audit', '--format', 'csv']);
  expect(csv.stdout).toMatch(/^eventId,eventName,.*\n.*Artifact created/);

  expect(await testEnvironment.run(['audit', '--from', 'yesterday'])).toMatchObject({ code: 2, stdout: '' });
  testEnvironment.work.write('place.json', '{}');
  const wrong = await testEnvironment.run(['audit', '--cursor', 'place.json']);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain(
    '--cursor: The file place.json is not one that `millrace audit --cursor` wrote.',
  );
});

test('audit with the token of a member fails with the required role Super Admin', async () => {
  await using testEnvironment = await createCliEnvironment();
  const refused = await testEnvironment.run(['audit'], {
    MILLRACE_TOKEN: testEnvironment.platform.tokens.member,
  });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('code: forbidden');
  expect(refused.stderr).toContain('Super Admin');
});

test('audit --follow prints all entries until Ctrl-C, and ends with 0', async () => {
  await using testEnvironment = await createCliEnvironment();
  await testEnvironment.run(['publish', '--version', '1', '--environment', 'dev']);
  await using running = testEnvironment.start(['audit', '--follow', '--every', '1s']);
  await running.until('stdout', /Artifact created/);
  running.send('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0 });
});

test('audit with a cursor writes the CSV header once, even if the first run had no entries', async () => {
  await using testEnvironment = await createCliEnvironment({ ...defaultSeed, projects: [] });
  const read = () => testEnvironment.run(['audit', '--format', 'csv', '--cursor', 'place.json']);
  expect((await read()).stdout).toMatch(/^eventId,.*\n$/);
  const { projectId } = await testEnvironment.client.projects.create({
    name: 'shop',
    warehouse: 'WAREHOUSE_ONE',
    agentDeploymentType: 'HYBRID',
  });
  const next = await read();
  expect(next.stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(next.stdout).toContain(projectId);
});

test('a closed pipe ends audit without an error, and the cursor stays before the unread entries', async () => {
  await using testEnvironment = await createCliEnvironment();
  await testEnvironment.run(['publish', '--version', '1', '--environment', 'dev']);
  await using running = testEnvironment.start(['audit', '--cursor', 'place.json']);
  running.closeStdout();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error') as string });
  expect(existsSync(path.join(testEnvironment.work.directory, 'place.json'))).toBe(false);
});

test('a day beyond the end of its month is refused', async () => {
  await using testEnvironment = await createCliEnvironment();
  expect(await testEnvironment.run(['audit', '--from', '2026-02-31'])).toMatchObject({ code: 2, stdout: '' });
  expect(await testEnvironment.run(['audit', '--from', '2024-02-29T10:00:00+01:00'])).toMatchObject({
    code: 0,
  });
});
