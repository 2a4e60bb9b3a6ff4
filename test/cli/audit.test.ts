import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defaultSeed } from '../../platform/index.ts';
import { createFlowEnvironment } from './stage.ts';

test('audit prints entries as NDJSON or CSV, keeps its place, and says what is wrong with a time', async () => {
  await using stage = await createFlowEnvironment();
  await stage.run(['publish', '--version', '1', '--environment', 'dev']);

  const first = await stage.run(['audit', '--from', '1h', '--cursor', 'place.json']);
  expect(first.code).toBe(0);
  const names = first.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { eventName: string }).eventName);
  expect(names).toContain('Artifact created');
  expect(JSON.parse(readFileSync(path.join(stage.work.directory, 'place.json'), 'utf8'))).toMatchObject({
    version: 1,
  });

  const again = await stage.run(['audit', '--cursor', 'place.json']);
  expect(again).toMatchObject({ code: 0, stdout: '' });

  const csv = await stage.run(['audit', '--format', 'csv']);
  expect(csv.stdout).toMatch(/^eventId,eventName,.*\n.*Artifact created/);

  expect(await stage.run(['audit', '--from', 'yesterday'])).toMatchObject({ code: 2, stdout: '' });
  stage.work.write('place.json', '{}');
  const wrong = await stage.run(['audit', '--cursor', 'place.json']);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('place.json does not hold a position in an audit log.');
});

test('a member is told that the audit log is for Super Admins', async () => {
  await using stage = await createFlowEnvironment();
  const refused = await stage.run(['audit'], { MILLRACE_TOKEN: stage.platform.tokens.member });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('forbidden');
});

test('following ends with Ctrl-C in 0, after what came until then', async () => {
  await using stage = await createFlowEnvironment();
  await stage.run(['publish', '--version', '1', '--environment', 'dev']);
  await using running = stage.start(['audit', '--follow', '--every', '1s']);
  await running.until('stdout', /Artifact created/);
  running.send('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0 });
});

test('a job that appends writes the head once, also where nothing had happened at first', async () => {
  await using stage = await createFlowEnvironment({ ...defaultSeed, projects: [] });
  const read = () => stage.run(['audit', '--format', 'csv', '--cursor', 'place.json']);
  expect((await read()).stdout).toMatch(/^eventId,.*\n$/);
  const { projectId } = await stage.client.projects.create({
    name: 'shop',
    warehouse: 'WAREHOUSE_ONE',
    agentDeploymentType: 'HYBRID',
  });
  const next = await read();
  expect(next.stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(next.stdout).toContain(projectId);
});

test('a reader that has seen enough ends it without a complaint, and the place is not moved past what was not read', async () => {
  await using stage = await createFlowEnvironment();
  await stage.run(['publish', '--version', '1', '--environment', 'dev']);
  await using running = stage.start(['audit', '--cursor', 'place.json']);
  running.closeStdout();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error') as string });
  expect(existsSync(path.join(stage.work.directory, 'place.json'))).toBe(false);
});

test('a day that the month does not have is refused', async () => {
  await using stage = await createFlowEnvironment();
  expect(await stage.run(['audit', '--from', '2026-02-31'])).toMatchObject({ code: 2, stdout: '' });
  expect(await stage.run(['audit', '--from', '2024-02-29T10:00:00+01:00'])).toMatchObject({ code: 0 });
});
