import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultSeed, readSeed, type Seed } from '../../../platform/index.ts';
import { field, resultsOf, talk, type Talk } from '../talk.ts';

const seed: Seed = {
  ...defaultSeed,
  settings: { execution: 'engine', componentTime: 0 },
  connectors: {
    custom: [{ id: 'weather', name: 'Weather', version: 3 }],
    flex: [
      { id: 7, alternateId: 'shop', name: 'Shop' },
      { id: 'bare', name: 'Bare' },
    ],
    rows: {
      weather: [
        { city: 'Oslo', degrees: 3, wind: { speed: 9 } },
        { city: 'Bergen', degrees: 5, wind: { speed: 4 } },
      ],
      shop: { orders: [{ id: 1 }], customers: [] },
    },
  },
};

/** A pipeline whose only component reads a connector, as files write it. */
const reading = (parameters: string, type = 'modular-api-extract-input-v2') => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Read] } }
    Read:
      type: ${type}
      parameters: { ${parameters} }
`;
const into = (name: string, mode: string) =>
  `outputId: out, out: { tableName: ${name}, createTableMode: ${mode} }`;

let platform: Talk;
beforeAll(async () => {
  platform = await talk({ seed });
});
afterAll(() => platform[Symbol.asyncDispose]());

let versions = 0;

/** Publishes the pipeline under a new version, and gives what its execution ended with. */
async function run(text: string, times = 1): Promise<{ status: string; message: string }> {
  versions += 1;
  await platform.publish(String(versions), { 'read.orch.yaml': text });
  let ended: { status: string; message: string; finishedAt: string | null } | undefined;
  for (let round = 0; round < times; round += 1) {
    const path = `${platform.project}/pipeline-executions`;
    const started = await platform.post(path, { pipelineName: 'read', environmentName: 'dev' });
    do {
      await platform.platform.clock.advance('1s');
      const { body } = await platform.get(`${path}/${field(started, 'pipelineExecutionId')}`);
      ended = (body as { result: typeof ended }).result;
    } while (ended?.finishedAt === null);
  }
  return ended ?? { status: '', message: '' };
}

/** A table of dev with its rows, as the inspector shows it. */
async function table(name: string): Promise<string> {
  const { environments } = (await platform.get('/_platform/tables.json')).body as {
    environments: { id: number; environment: string }[];
  };
  const dev = environments.find(({ environment }) => environment === 'dev')?.id ?? 0;
  const { body } = await platform.get(
    `/_platform/tables/${String(dev)}?table=DEV.PUBLIC.${name}&format=json`,
  );
  return JSON.stringify((body as { sample: unknown }).sample);
}

test.each(['weather', 'custom-weather', 'Weather'])(
  'a pipeline that reads the connector as "%s" runs without a mock, a record in each row',
  async (profile) => {
    const name = `RAW_${profile.replace('-', '_').toUpperCase()}`;
    const done = await run(reading(`profile: ${profile}, endpoint: today, ${into(name, 'APPEND')}`));
    expect(done).toMatchObject({ status: 'SUCCESS' });
    expect(await table(name)).toMatch(/DATA_VALUE.*Oslo/);
  },
);

test('the rows are of the endpoint, and an endpoint without rows is not answered', async () => {
  const of = (endpoint: string) => `profile: flex-shop, endpoint: ${endpoint}, ${into('ORDERS', 'APPEND')}`;
  expect((await run(reading(of('orders')))).status).toBe('SUCCESS');
  expect(await table('ORDERS')).toMatch(/DATA_VALUE/);
  expect(await run(reading(of('refunds')))).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining('does not support the component type modular-api-extract-input-v2'),
  });
});

test('createTableMode decides about a table that exists', async () => {
  const count = async (name: string) => (await table(name)).split('Oslo').length - 1;
  const of = (name: string, mode: string) => reading(`profile: weather, ${into(name, mode)}`);
  await run(of('EMPTIED', 'TRUNCATE_AND_INSERT'), 2);
  expect(await count('EMPTIED')).toBe(1);
  await run(of('ADDED', 'APPEND'), 2);
  expect(await count('ADDED')).toBe(2);
  expect(await run(of('NEW', 'FAIL_IF_EXISTS'), 2)).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining('exists already'),
  });
});

test('a component whose type is the connector fills its columns', async () => {
  const done = await run(reading('targetTable: CITIES', 'custom-weather'));
  expect(done).toMatchObject({ status: 'SUCCESS' });
  expect(await table('CITIES')).toMatch(/degrees/i);
  expect(await run(reading('profile: weather', 'custom-weather'))).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining('names no target table'),
  });
});

test('a connector without rows still needs a result, and the lists of the API have no rows', async () => {
  expect(await run(reading(`profile: bare, ${into('BARE', 'APPEND')}`))).toMatchObject({ status: 'FAILED' });
  expect((await platform.get('/v1/custom-connectors')).body).toEqual([
    { id: 'weather', name: 'Weather', version: 3 },
  ]);
});

test('rows of a connector that the seed does not have are refused', async () => {
  const rows = { wether: [] };
  await expect(talk({ seed: { ...seed, connectors: { ...seed.connectors, rows } } })).rejects.toThrow(
    /connectors\.rows\.wether names "wether", which is not the id of a connector of the seed; did you mean "weather"/,
  );
  expect(resultsOf(await platform.get('/v1/projects'))).toHaveLength(1);
});

test('the seed of the page is accepted', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/connectors.md'), 'utf8');
  const [, text = ''] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
  const { connectors } = readSeed(text, { file: 'seed.yaml' });
  expect(connectors?.rows).toMatchObject({ weather: [{ city: 'Oslo' }], shop: { customers: [] } });
});
