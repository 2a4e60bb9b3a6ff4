import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { readSeed, type Seed } from '../../../platform/index.ts';
import { orchestration } from '../../environment/orchestration.ts';
import { field, resultsOf, type Talk, talk } from '../talk.ts';

/** A folder with files, and a seed in it. */
function seedIn(files: Record<string, string | Uint8Array>, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'platform-seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return { folder, read: () => readSeed(text, { file: 'seed.yaml', folder }) };
}

const shared = `version: "1.0"
type: shared-pipelines-config
pipelines:
  - { pipeline: load.orch.yaml, displayName: Load, id: load, enabled: true }
`;

const streaming = `
      - name: orders
        state: streaming
        streamingSource:
          type: database
          connection: { host: db, port: 1521, database: d, username: u, password: { secretType: VAULT, secretLocation: v, secretName: s } }
          tables: [{ schema: a, table: b }]
        streamingTarget:
          type: warehouse
          connection:
            accountName: a
            username: u
            authentication: { type: key-pair, privateKey: { secretType: VAULT, secretLocation: v, secretName: k } }
          role: r
          warehouse: w
          database: d
          stageSchema: s
          stageName: n
          stagePrefix: p
          tableSchema: t
          tablePrefixType: PREFIX
          transformationType: CHANGE_LOG
          temporalMapping: NATIVE`;

const text = `settings: { streamingTime: 2s }
projects:
  - name: finance
    environments: [dev, test, prod]
    artifacts:
      - { version: 1.0.0, folder: project, environments: [dev, test, { name: prod, enabled: false }] }
      - { version: 1.1.0, folder: project, commitHash: abc123, branch: main, environments: [dev] }
    streamingPipelines:${streaming}
shared:
  - { prefix: finance, version: 1.0.0, folder: shared }
  - { prefix: finance, version: 1.1.0, folder: shared, enabled: false }
credentials:
  - { name: me, role: superAdmin }
streaming:
  - { pipeline: orders, outcome: failure, after: 5s, times: 1 }
`;

const files = {
  'project/daily/load.orch.yaml': orchestration,
  'project/sql/q.sql': 'select 1',
  'project/.git/config': 'never read',
  'shared/load.orch.yaml': orchestration,
  'shared/.platform/shared-pipelines.yaml': shared,
};

async function readAll(platform: Talk) {
  const { project } = platform;
  return {
    artifacts: resultsOf(await platform.get(`${project}/artifacts/?includeDisabled=true`)).map(
      (row) => `${String(row['versionName'])} ${String(row['environmentName'])} ${String(row['enabled'])}`,
    ),
    published: resultsOf(await platform.get(`${project}/published-pipelines`)).map((row) => row['name']),
    shared: (await platform.get('/v1/shared-pipelines/artifacts/details?sharedPipelineIdPrefix=finance'))
      .body,
  };
}

test('a seed plants versions from folders, shared versions and streaming pipelines, and a reset plants them again', async () => {
  const { read, folder } = seedIn(files, text);
  await using platform = await talk({ seed: read() });
  const planted = await readAll(platform);
  expect(planted).toMatchObject({
    artifacts: ['1.1.0 dev true', '1.0.0 prod false', '1.0.0 test true', '1.0.0 dev true'],
    published: ['daily/load.orch.yaml'],
    shared: {
      artifactDetails: { versionName: '1.0.0', enabled: true },
      sharedPipelines: [{ sharedPipelineId: 'load', sourcePipeline: 'load' }],
    },
  });
  expect(resultsOf(await platform.get('/v1/events'))).toEqual([]);
  await platform.publish('2', { 'other.orch.yaml': orchestration });
  // What was read once is there, whatever became of the folder.
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  platform.platform.reset();
  expect(await readAll(platform)).toEqual(planted);
  const started = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'daily/load',
    environmentName: 'test',
  });
  expect(started.status).toBe(201);
});

test('a planted version survives a restart, and a reset after it', async () => {
  const { read, folder } = seedIn(files, text);
  const data = join(folder, 'data');
  let planted: object;
  {
    await using platform = await talk({ seed: read(), data });
    planted = await readAll(platform);
  }
  await using platform = await talk({ data });
  expect(await readAll(platform)).toEqual(planted);
  platform.platform.reset();
  expect(await readAll(platform)).toEqual(planted);
});

test('a planted streaming pipeline streams; a scripted start takes its time and fails once (§3.1)', async () => {
  const { read } = seedIn(files, text);
  await using platform = await talk({ seed: read() });
  const { body } = await platform.get('/_platform/streaming');
  const [{ streamingPipelineId }] = (body as { streamingPipelines: [{ streamingPipelineId: string }] })
    .streamingPipelines;
  const path = `${platform.project}/streaming-pipelines/${streamingPipelineId}`;
  const status = async () => field(await platform.get(`${path}/status`), 'status');
  const command = (name: string) => platform.post(`${path}/commands`, { command: name });
  const after = async (time: string) => {
    await platform.platform.clock.advance(time);
    return status();
  };
  expect(field(await platform.get(path), 'name')).toBe('orders');
  expect(await status()).toBe('streaming');
  await command('stop');
  expect([await status(), await after('2s')]).toEqual(['stopping', 'not_running']);
  await command('start');
  expect([await after('4s'), await after('1s')]).toEqual(['starting', 'not_running']);
  // A start that failed can be tried again.
  await command('start');
  expect([await status(), await after('2s')]).toEqual(['starting', 'streaming']);
  platform.platform.reset();
  await command('stop');
  await platform.platform.clock.advance('2s');
  await command('start');
  expect(await after('5s')).toBe('not_running');
});

test.each([
  ['/etc', 'names "/etc", which is outside the folder of the seed'],
  ['..', 'names "..", which is outside the folder of the seed'],
  ['project/../..', 'which is outside the folder of the seed'],
  ['way-out', 'names "way-out", which is outside the folder of the seed'],
  ['moon', 'names "moon", which does not exist'],
  ['project/sql/q.sql', 'which is not a folder'],
  ['empty', 'has no file'],
  ['linked', 'contains "x.sql", which is not a regular file'],
  ['binary', 'contains "x.bin", which cannot be read: byte 2 is NUL, which a text file cannot contain'],
  ['latin', 'contains "q.sql", which cannot be read: byte 4 is not UTF-8; save the file as UTF-8'],
  ['archive', 'contains "all.zip", which is an archive'],
])('a folder that a seed may not have is an error at its line: %s', (named, sentence) => {
  const seed = `projects:\n  - name: p\n    environments: [dev]\n    artifacts:\n      - { version: 1, folder: x, environments: [dev] }\n`;
  const { folder, read } = seedIn(
    {
      ...files,
      'binary/x.bin': new Uint8Array([65, 0, 66]),
      'archive/all.zip': 'x',
      'latin/q.sql': Buffer.from('-- \xe9', 'latin1'),
    },
    seed.replace('version: 1', 'version: "1"').replace('folder: x', `folder: ${named}`),
  );
  mkdirSync(join(folder, 'empty'));
  mkdirSync(join(folder, 'linked'));
  symlinkSync('/', join(folder, 'way-out'));
  symlinkSync('/etc/hosts', join(folder, 'linked', 'x.sql'));
  expect(faultOf(read)).toMatch(
    /^seed\.yaml:5:\d+ The seed is invalid: projects\[0\]\.artifacts\[0\]\.folder /,
  );
  expect(faultOf(read)).toContain(sentence);
});

test.each([
  ['artifacts: [{ version: "1", environments: [dev] }]', 'needs a folder'],
  [
    'artifacts: [{ version: "1", folder: x, environments: [moon] }]',
    'which is not an environment of the project',
  ],
  ['artifacts: [{ version: "1", folder: x, environments: [dev, dev] }]', 'is a duplicate: "dev"'],
  ['artifacts: [{ version: "1", folder: x, environments: [] }]', 'environments must not be empty'],
  [
    'artifacts: [{ version: 1, folder: x, environments: [dev] }]',
    'projects[0].artifacts[0].version is wrong',
  ],
  ['streamingPipelines: [{ name: s, state: flying }]', 'streamingPipelines[0]'],
])('what is wrong with planted content is an error at its line: %s', (line, sentence) => {
  const { read } = seedIn(files, `projects:\n  - name: p\n    environments: [dev]\n    ${line}\n`);
  expect(faultOf(read)).toMatch(/^seed\.yaml:4:\d+ /);
  expect(faultOf(read)).toContain(sentence);
});

test('a shared version without its list, and an artifact without a pipeline, are refused before anything listens', async () => {
  const seed = (more: Seed): Seed => ({ credentials: [{ name: 'me', role: 'superAdmin' }], ...more });
  await expect(
    talk({
      seed: seed({ shared: [{ prefix: 'f', version: '1', files: { 'a.orch.yaml': orchestration } }] }),
    }),
  ).rejects.toThrow('The shared version "f" 1 lacks the file .platform/shared-pipelines.yaml.');
  const artifact = { version: '1', files: { 'a.sql': 'select 1' }, environments: ['dev'] };
  await expect(
    talk({ seed: seed({ projects: [{ name: 'p', environments: ['dev'], artifacts: [artifact] }] }) }),
  ).rejects.toThrow('The artifact "1" has no pipeline');
  await expect(
    talk({ seed: seed({ shared: [{ prefix: 'f', version: '1', folder: 'x' }] }) }),
  ).rejects.toThrow('folder');
});

describe('project roles', () => {
  const projects = ['sales', 'finance', 'secret'].map((name) => ({
    name,
    environments: ['dev'],
    invited: name !== 'secret',
    variables: [{ name: 'v', type: 'TEXT' as const, behaviour: 'SHARED' as const }],
  }));
  const seed: Seed = {
    projects,
    credentials: [
      { name: 'boss', role: 'superAdmin' },
      { name: 'all', role: 'member', token: 'all' },
      { name: 'some', role: 'member', token: 'some', projects: { finance: 'readOnly', secret: 'admin' } },
      { name: 'none', role: 'admin', token: 'none', projects: [] },
    ],
  };

  test('a member sees the projects that it was given, and nothing says that others exist (§1)', async () => {
    await using platform = await talk({ seed });
    const seen = async (token: string) =>
      resultsOf(await platform.get('/v1/projects', { token })).map((row) => row['name']);
    const { superAdmin } = platform.platform.tokens;
    expect(await seen(superAdmin)).toEqual(['sales', 'finance', 'secret']);
    expect(await seen('all')).toEqual(['sales', 'finance']);
    expect(await seen('some')).toEqual(['finance', 'secret']);
    expect(await seen('none')).toEqual([]);
    const all = resultsOf(await platform.get('/v1/projects'));
    const ask = async (token: string) =>
      Promise.all(
        all.map(
          async ({ id }) => (await platform.get(`/v1/projects/${String(id)}/variables`, { token })).status,
        ),
      );
    expect(await ask('some')).toEqual([404, 200, 200]);
    expect(await ask('all')).toEqual([200, 200, 404]);
    expect(await ask('none')).toEqual([404, 404, 404]);
  });

  test('its access level in a project decides on overrides there (§5 rule 7)', async () => {
    await using platform = await talk({ seed });
    const [, finance, secret] = resultsOf(await platform.get('/v1/projects'));
    const set = async (project: Record<string, unknown> | undefined) =>
      platform.post(
        `/v1/projects/${String(project?.['id'])}/variables/v/environment-overrides`,
        { overrides: [{ environmentName: 'dev', value: 'x' }] },
        { token: 'some' },
      );
    expect((await set(finance)).body).toMatchObject({
      successfulOverrides: [],
      failedOverrides: [{ reason: expect.stringContaining('readOnly') }],
    });
    expect((await set(secret)).body).toMatchObject({ failedOverrides: [] });
  });

  test('a project that the seed does not hold is an error at its line', () => {
    const { read } = seedIn({}, 'credentials:\n  - { name: a, role: member, projects: [moon] }\n');
    expect(faultOf(read)).toMatch(/^seed\.yaml:2:41 .*names "moon", which is not a project of the seed/);
  });
});

test('a loose platform lets unknown fields through and forgets them; what is missing stays missing', async () => {
  await using platform = await talk({ loose: true });
  const variable = { name: 'v', type: 'TEXT', behaviour: 'SHARED', value: 'x', colour: 'red' };
  expect((await platform.post(`${platform.project}/variables?trace=1`, variable)).status).toBe(201);
  const overrides = {
    overrides: [{ environmentName: 'dev', value: 'y', why: 'test', deep: { er: 1 } }],
    dry: true,
  };
  const set = await platform.post(`${platform.project}/variables/v/environment-overrides`, overrides);
  expect(set).toMatchObject({
    status: 200,
    body: { successfulOverrides: [{ environmentName: 'dev', value: 'y' }] },
  });
  expect(await platform.post(`${platform.project}/variables`, { name: 'w', colour: 'red' })).toMatchObject({
    status: 400,
    body: { violations: expect.not.arrayContaining([expect.stringContaining('colour')]) },
  });
  await using strict = await talk();
  expect((await strict.post(`${strict.project}/variables`, variable)).status).toBe(400);
});

function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { file, line, column } = error.where ?? {};
    return `${String(file)}:${String(line)}:${String(column)} ${error.message}`;
  }
  return 'fine';
}

test('the seed of the examples plants all that it says', async () => {
  const file = join(import.meta.dirname, '..', '..', '..', 'examples', 'seed.yaml');
  await using platform = await talk({ seed: readSeed(readFileSync(file, 'utf8'), { file }) });
  expect(resultsOf(await platform.get('/v1/projects')).map((row) => row['name'])).toEqual([
    'warehouse',
    'plans',
  ]);
  expect(resultsOf(await platform.get('/v1/shared-pipelines')).map((row) => row['sharedPipelineId'])).toEqual(
    ['convert-currency'],
  );
  expect((await platform.get('/_platform/streaming')).body).toMatchObject({
    streamingPipelines: [{ name: 'orders', status: 'streaming' }],
  });
  expect(resultsOf(await platform.get(`${platform.project}/artifacts/`))).toHaveLength(4);
  const start = async () => {
    const answer = await platform.post(`${platform.project}/pipeline-executions`, {
      pipelineName: 'daily/load',
      environmentName: 'prod',
    });
    const id = field(answer, 'pipelineExecutionId');
    // The pipelines run: their statements end by themselves, not by the platform's clock.
    return expect.poll(
      async () => {
        await platform.platform.clock.advance('1m');
        return (await platform.get(`${platform.project}/pipeline-executions/${id}`)).body;
      },
      { timeout: 10_000 },
    );
  };
  await (await start()).toMatchObject({ result: { status: 'FAILED' } });
  await (await start()).toMatchObject({ result: { status: 'SUCCESS' } });
});
