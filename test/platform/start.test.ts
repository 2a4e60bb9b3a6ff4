import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import { startPlatform } from '../../platform/index.ts';
import { field, talk } from './talk.ts';

test('by default the platform listens on a free loopback port only', async () => {
  await using one = await startPlatform();
  await using two = await startPlatform();
  expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(two.baseUrl).not.toBe(one.baseUrl);
});

test('a port that is taken is a failure that names it, and nothing stays open', async () => {
  await using platform = await startPlatform();
  const port = Number(new URL(platform.baseUrl).port);
  await expect(startPlatform({ port })).rejects.toMatchObject({
    code: 'usage',
    exitCode: 2,
    message: `The local platform cannot listen on 127.0.0.1:${String(port)} (EADDRINUSE).`,
    where: { input: '--port' },
    hint: expect.stringContaining('Another program uses this port'),
  });
});

test('closing twice is fine, ends running executions and leaves no temporary folder behind', async () => {
  const own = await mkdtemp(join(tmpdir(), 'platform-start-'));
  vi.stubEnv('TMPDIR', own);
  const platform = await talk();
  await platform.publish('1');
  expect(await readdir(own)).toHaveLength(1);
  await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'daily/load',
    environmentName: 'dev',
  });
  await Promise.all([platform.platform.close(), platform.platform.close()]);
  expect(await readdir(own)).toEqual([]);
  vi.unstubAllEnvs();
  await rm(own, { recursive: true });
  await expect(platform.get('/v1/projects')).rejects.toThrow('fetch failed');
});

test('with a source of randomness, ids and tokens repeat themselves', async () => {
  const seeded = () => {
    let state = 1;
    return () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
  };
  const idOf = async () => {
    await using platform = await talk({ random: seeded() });
    const created = await platform.post('/v1/projects', {
      name: 'q',
      warehouse: 'WAREHOUSE_ONE',
      agentDeploymentType: 'HYBRID',
    });
    return [field(created, 'projectId'), platform.platform.tokens.member];
  };
  expect(await idOf()).toEqual(await idOf());
});

test('an answer that does not fit the contract is a 500 where answers are checked, and only there', async () => {
  const data = await mkdtemp(join(tmpdir(), 'platform-start-'));
  const statusOf = async (checkAnswers: boolean) => {
    await using platform = await talk({ data, checkAnswers });
    return (await platform.get(`${platform.project}/streaming-pipelines/s`)).status;
  };
  expect(await statusOf(true)).toBe(404);
  const database = new DatabaseSync(join(data, 'platform.sqlite'));
  database.exec(
    `INSERT INTO streaming_pipeline (id, project_id, definition, command, commanded_at) SELECT 's', id, '{}', NULL, NULL FROM project`,
  );
  database.close();
  expect(await statusOf(true)).toBe(500);
  expect(await statusOf(false)).toBe(200);
  await rm(data, { recursive: true });
});
