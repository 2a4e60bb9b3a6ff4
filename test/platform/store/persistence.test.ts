import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import type { Seed } from '../../../platform/index.ts';
import { serve } from '../child.ts';
import { orchestration } from '../../environment/orchestration.ts';
import { field, form, resultsOf, talk } from '../talk.ts';

let data = '';
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'platform-data-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

async function kept(): Promise<string[]> {
  const entries = await readdir(join(data, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

const headers = (versionName: string) => ({ versionName, environmentName: 'dev', commitHash: 'abc' });

test('with a directory, everything is there again after a restart: tokens, versions, variables, audit', async () => {
  let before;
  {
    await using platform = await talk({ data });
    await platform.publish('1');
    await platform.post(`${platform.project}/variables`, {
      name: 'v',
      type: 'NUMBER',
      behaviour: 'SHARED',
      value: 1.5,
    });
    before = { tokens: platform.platform.tokens, events: (await platform.get('/v1/events')).body };
  }
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const seed: Seed = { credentials: [{ name: 'other', role: 'member' }] };
  await using platform = await talk({ data, seed, logger });
  expect(warnings).toEqual(['The directory already has state, so the seed is not planted again.']);
  expect(platform.platform.tokens).toEqual(before.tokens);
  expect((await platform.get('/v1/events')).body).toEqual(before.events);
  expect(resultsOf(await platform.get(`${platform.project}/variables`))[0]).toMatchObject({
    name: 'v',
    value: 1.5,
  });
  expect(resultsOf(await platform.get(`${platform.project}/published-pipelines`))).toHaveLength(1);
});

test('an execution that was cut off by a restart is FAILED, and its tag is free', async () => {
  const body = { pipelineName: 'daily/load', environmentName: 'dev', executionTag: 'nightly' };
  const slow = orchestration
    .replace('"Done"]', '"Load"]')
    .concat(
      '    Load:\n      type: "sql-executor"\n      parameters:\n        componentName: "Load"\n        sqlScript: "select 1"\n',
    );
  let id = '';
  {
    await using platform = await talk({ data });
    await platform.publish('1', { 'daily/load.orch.yaml': slow });
    id = field(await platform.post(`${platform.project}/pipeline-executions`, body), 'pipelineExecutionId');
    await platform.clock.asleep();
  }
  await using platform = await talk({ data });
  const { result } = (await platform.get(`${platform.project}/pipeline-executions/${id}`)).body as {
    result: object;
  };
  expect(result).toMatchObject({ status: 'FAILED', finishedAt: expect.any(String) });
  expect((await platform.post(`${platform.project}/pipeline-executions`, body)).status).toBe(201);
});

test('an answered write survives kill -9 under load, and no artifact is half there', async () => {
  const answered = new Set<string>();
  {
    await using child = await serve(data);
    const publish = async (version: string) => {
      const files = { 'a.orch.yaml': `${orchestration}# ${version}\n`, 'x.sql': version.repeat(5000) };
      const { status } = await child.send(
        'POST',
        `${child.project}/artifacts`,
        form(files),
        headers(version),
      );
      if (status === 201) answered.add(version);
      if (answered.size === 20) await child.kill();
    };
    await Promise.allSettled(Array.from({ length: 60 }, (_, i) => publish(String(i))));
  }
  expect(answered.size).toBeGreaterThanOrEqual(20);
  await using platform = await talk({ data });
  const there = resultsOf(await platform.get(`${platform.project}/artifacts/?size=100`)).map(
    (row) => row['versionName'],
  );
  expect(there).toEqual(expect.arrayContaining([...answered]));
  // A write in progress is complete or absent: as many files as the versions have, two each.
  expect(await kept()).toHaveLength(there.length * 2);
});

test('a full disk is answered 507 and leaves nothing behind, and what fits is still taken', async () => {
  // A limit on the size of a file is the full disk that needs no disk of its own.
  await using child = await serve(data, `trap '' XFSZ; ulimit -f 4096;`);
  const big = { 'a.orch.yaml': orchestration, 'big.sql': 'x'.repeat(6 * 1024 ** 2) };
  const answer = await child.send('POST', `${child.project}/artifacts`, form(big), headers('1'));
  expect(answer).toMatchObject({
    status: 507,
    body: { error: 'The local platform has no disk space left. Nothing was stored.', status: 507 },
  });
  expect(await kept()).toEqual([]);
  const small = await child.send(
    'POST',
    `${child.project}/artifacts`,
    form({ 'a.orch.yaml': orchestration }),
    headers('1'),
  );
  expect(small.status).toBe(201);
});

test('a database that cannot grow is answered 507, and what was answered before stays', async () => {
  const description = 'x'.repeat(200_000);
  let stored = 0;
  {
    await using child = await serve(data, `trap '' XFSZ; ulimit -f 4096;`);
    const create = (name: string) =>
      child.send('POST', `${child.project}/variables`, {
        name,
        type: 'TEXT',
        behaviour: 'SHARED',
        description,
      });
    let answer = await create('v0');
    while (answer.status === 201) answer = await create(`v${String((stored += 1))}`);
    expect(answer).toMatchObject({ status: 507, body: { status: 507 } });
    expect((await child.send('GET', `${child.project}/variables?size=1`)).body).toMatchObject({
      total: stored,
    });
  }
  await using platform = await talk({ data });
  expect((await platform.get(`${platform.project}/variables?size=1`)).body).toMatchObject({ total: stored });
});

test('files that a crash left are removed at the next start', async () => {
  {
    await using platform = await talk({ data });
    await platform.publish('1');
  }
  const before = await kept();
  await writeFile(join(data, 'files', 'arriving', 'left-over'), 'x');
  await writeFile(join(data, 'files', before[0]?.slice(0, 2) ?? '', 'f'.repeat(64)), 'x');
  await using platform = await talk({ data });
  expect(await kept()).toEqual(before);
  expect(platform.platform.baseUrl).not.toBe('');
});

test('the state of another version of the platform is refused, not guessed at', async () => {
  const database = new DatabaseSync(join(data, 'platform.sqlite'));
  database.exec('PRAGMA user_version = 999');
  database.close();
  await expect(talk({ data })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('schema version 999'),
  });
});

test('a directory that another platform uses is refused, and free again after that one was killed', async () => {
  const child = await serve(data);
  await expect(talk({ data })).rejects.toMatchObject({
    code: 'storage-failed',
    message: `The platform cannot keep its state in ${data}: another platform uses it.`,
  });
  await child.kill();
  await using platform = await talk({ data });
  expect((await platform.publish('1')).status).toBe(201);
  await expect(talk({ data })).rejects.toMatchObject({ code: 'storage-failed' });
});

test('a directory that cannot be used is a failure', async () => {
  const file = join(data, 'file');
  await writeFile(file, 'x');
  await expect(talk({ data: file })).rejects.toMatchObject({
    code: 'storage-failed',
    message: `The platform cannot keep its state in ${file}: ${file} is not a folder.`,
    where: { input: '--data' },
    hint: expect.stringContaining('Move this file'),
  });
});

test.each(['files', 'files/arriving'])(
  'a file in the place of the folder %s is named, and the hint does not speak of free space',
  async (name) => {
    if (name !== 'files') await mkdir(join(data, 'files'));
    await writeFile(join(data, name), 'x');
    await expect(talk({ data })).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining(`${join(data, name)} is not a folder`),
      where: { input: '--data' },
      hint: 'Move this file to another place, or choose another folder.',
    });
  },
);

test('a folder in the place of the database is refused, and the hint does not speak of free space', async () => {
  await mkdir(join(data, 'platform.sqlite'));
  await expect(talk({ data })).rejects.toMatchObject({
    code: 'storage-failed',
    hint: expect.stringContaining('Make platform.sqlite in this folder a file'),
  });
});

test.each([
  ['empty', (place: string) => truncate(place, 0)],
  ['missing', (place: string) => rm(place)],
])('a database that is %s beside stored files is refused, and the files stay', async (word, lose) => {
  {
    await using platform = await talk({ data });
    expect((await platform.publish('1')).status).toBe(201);
  }
  const files = await kept();
  await lose(join(data, 'platform.sqlite'));
  await expect(talk({ data })).rejects.toMatchObject({
    code: 'storage-failed',
    message: `The database platform.sqlite in ${data} is ${word}, but the folder contains other data of a platform.`,
    where: { input: '--data' },
    hint: expect.stringContaining('from a backup'),
  });
  expect(await kept()).toEqual(files);
});

test('an empty database without other data is a new platform, and a foreign file beside the stored ones stays', async () => {
  await writeFile(join(data, 'platform.sqlite'), '');
  await mkdir(join(data, 'files', 'arriving'), { recursive: true });
  {
    await using platform = await talk({ data });
    expect((await platform.publish('1')).status).toBe(201);
  }
  await writeFile(join(data, 'files', '.DS_Store'), 'x');
  await using platform = await talk({ data });
  expect(resultsOf(await platform.get(`${platform.project}/published-pipelines`))).toHaveLength(1);
  expect(await kept()).toContain('.DS_Store');
});

test('a damaged database is refused, and the hint does not speak of free space', async () => {
  const damaged = {
    code: 'storage-failed',
    message: expect.stringContaining(`platform.sqlite in ${data} is damaged`),
    where: { input: '--data' },
    hint: expect.stringContaining('from a backup'),
  };
  const place = join(data, 'platform.sqlite');
  await writeFile(place, 'this is not a database at all, but long enough to look like one'.repeat(50));
  await expect(talk({ data })).rejects.toMatchObject(damaged);
  await rm(place);
  {
    await using platform = await talk({ data });
    expect((await platform.publish('1')).status).toBe(201);
  }
  await truncate(place, 5_000);
  await expect(talk({ data })).rejects.toMatchObject(damaged);
});
