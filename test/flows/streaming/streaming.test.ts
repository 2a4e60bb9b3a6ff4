import { expect, test } from 'vitest';
import { applyStreaming } from '../../../flows/streaming/apply-streaming.ts';
import { commandStreaming, streamingState } from '../../../flows/streaming/command-streaming.ts';
import { knownPipelines } from '../../../flows/streaming/known-pipelines.ts';
import { readDefinition } from '../../../flows/streaming/read-definition.ts';
import { defaultSeed } from '../../../platform/index.ts';
import { createFlowEnvironment, type FlowEnvironment } from '../flow-environment.ts';
import { definitionText } from './definition-text.ts';

/** The file of ids, as a variable. */
function memory(text?: string) {
  const file = { text };
  const known = () =>
    knownPipelines(file.text, 'ids.json', (content) => {
      file.text = content;
      return Promise.resolve();
    });
  return { file, known };
}
const seed = { ...defaultSeed, settings: { streamingTime: '1ms' } };
const definition = (change: (text: string) => string = (text) => text) =>
  readDefinition(change(definitionText), 'orders.yaml');
const apply = (
  env: FlowEnvironment,
  store: ReturnType<typeof memory>,
  definitions = [definition()],
  dryRun = false,
) => applyStreaming({ definitions, known: store.known(), dryRun }, env.context);

test('a definition is created once: its id is kept, and a second time it is there as defined', async () => {
  await using env = await createFlowEnvironment({ seed });
  const store = memory();
  const first = await apply(env, store);
  expect(first).toMatchObject({ outcome: 'passed', pipelines: [{ name: 'orders', result: 'created' }] });
  expect(JSON.parse(store.file.text ?? '')).toEqual({
    version: 1,
    projects: { [env.context.projectId]: { orders: { id: first.pipelines[0]?.id } } },
  });
  expect(await apply(env, store)).toMatchObject({
    outcome: 'nothing-to-do',
    pipelines: [{ result: 'unchanged' }],
  });
  expect(env.platform.ledger({ operation: 'streamingPipelines.create' })).toHaveLength(1);
});

test('a dry run creates nothing and remembers nothing', async () => {
  await using env = await createFlowEnvironment({ seed });
  const store = memory();
  expect(await apply(env, store, [definition()], true)).toMatchObject({ pipelines: [{ result: 'created' }] });
  expect(store.file.text).toBeUndefined();
  expect(env.platform.ledger()).toEqual([]);
});

test('what differs is named by its fields, because the API cannot change it', async () => {
  await using env = await createFlowEnvironment({ seed });
  const store = memory();
  await apply(env, store);
  const other = definition((text) =>
    text.replace('db.example.com', 'db2.example.com').replace('table: orders', 'table: o'),
  );
  expect(await apply(env, store, [other])).toMatchObject({
    outcome: 'failed',
    pipelines: [
      {
        result: 'differs',
        differences: ['streamingSource.connection.host', 'streamingSource.tables.0.table'],
      },
    ],
  });
});

test('a creation whose answer is lost is never sent again: the next apply says where to look', async () => {
  await using env = await createFlowEnvironment({ seed });
  const store = memory();
  env.proxy.decide((line) => (line.startsWith('POST') ? 'lose-answer' : 'pass'));
  await expect(apply(env, store)).rejects.toMatchObject({ code: 'outcome-unknown' });
  env.proxy.decide(() => 'pass');
  await expect(apply(env, store)).rejects.toMatchObject({
    code: 'outcome-unknown',
    hint: expect.stringContaining('put its id into streaming-ids.json') as string,
  });
  expect(env.platform.ledger({ operation: 'streamingPipelines.create' })).toHaveLength(1);
});

test('a creation that provably did not happen is forgotten, and can be tried again', async () => {
  await using env = await createFlowEnvironment({ seed });
  const store = memory();
  env.platform.faults.set([{ operation: 'streamingPipelines.create', status: 403 }]);
  await expect(apply(env, store)).rejects.toMatchObject({ code: 'forbidden' });
  env.platform.faults.clear();
  expect(await apply(env, store)).toMatchObject({ outcome: 'passed' });
});

test('a refusal of the platform has the line of the file that caused it (§7)', async () => {
  await using env = await createFlowEnvironment({ seed });
  env.platform.faults.set([
    {
      operation: 'streamingPipelines.create',
      status: 400,
      body: {
        title: 'Bad Request',
        status: 400,
        detail: 'Invalid',
        instance: '/',
        'validation-errors': [
          { field: 'streamingTarget.stageName', message: 'must not be empty' },
          { field: 'streamingSource.tables[0].table', message: 'is not a table' },
        ],
      },
    },
  ]);
  const lines = definitionText.split('\n');
  const line = lines.findIndex((text) => text.includes('table: orders')) + 1;
  await expect(apply(env, memory())).rejects.toMatchObject({
    code: 'config-invalid',
    where: { file: 'orders.yaml', line },
    message: expect.stringMatching(
      /2 problems:\n {2}\d+:\d+ streamingSource\.tables\[0\]\.table is not a table\n/,
    ) as string,
  });
});

test.each([
  ['host: db.example.com', 'host: ""', 'streamingSource.connection.host'],
  ['port: 5432', 'port: many', 'streamingSource.connection.port must be a number'],
  ['role: LOADER', 'rolle: LOADER', 'streamingTarget.rolle'],
])('a wrong field is refused at its line before anything is sent: %s → %s', (right, wrong, field) => {
  const text = definitionText.replace(right, wrong);
  const line = text.split('\n').findIndex((one) => one.includes(wrong)) + 1;
  let thrown: unknown;
  try {
    readDefinition(text, 'orders.yaml');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    code: 'config-invalid',
    details: { problems: expect.arrayContaining([expect.objectContaining({ line })]) as unknown },
  });
  expect(String(thrown)).toContain(field);
});

test('a password in clear text is refused without being quoted', () => {
  const text = definitionText.replace(/password: .*/, 'password: hunter22');
  expect(() => readDefinition(text, 'orders.yaml')).toThrow(
    'streamingSource.connection.password must be a reference to a secret: { secretType: …',
  );
  expect(() => readDefinition(text, 'orders.yaml')).not.toThrow('hunter22');
});

test('start waits until it streams, stop until it no longer does; what is so already is sent nothing', async () => {
  await using env = await createFlowEnvironment({ seed });
  const store = memory();
  await apply(env, store);
  const tell = async (command: 'start' | 'stop') => {
    const request = { command, pipelines: ['orders'], known: store.known(), wait: true } as const;
    const { pipelines } = await commandStreaming(
      { ...request, timeoutMs: 20_000, dryRun: false },
      env.context,
    );
    return pipelines[0];
  };
  expect(await tell('start')).toMatchObject({ outcome: 'passed', status: 'streaming' });
  expect(await tell('start')).toMatchObject({ outcome: 'already-done', status: 'streaming' });
  expect(await tell('stop')).toMatchObject({ outcome: 'passed', status: 'not_running' });
  expect(await tell('stop')).toMatchObject({ outcome: 'already-done' });
  const commands = env.proxy.seen.filter((line) => line.endsWith('/commands'));
  expect(commands).toHaveLength(2);
});

test('a start that ends in not running is failed, one that takes too long says so, and statuses come in any case', async () => {
  await using env = await createFlowEnvironment({ seed: { ...seed, settings: { streamingTime: '10m' } } });
  const store = memory();
  const { pipelines } = await apply(env, store);
  const id = pipelines[0]?.id ?? '';
  const start = async (timeoutMs: number) => {
    const request = { command: 'start', pipelines: [id], known: store.known(), wait: true } as const;
    return (await commandStreaming({ ...request, timeoutMs, dryRun: false }, env.context)).pipelines[0];
  };
  expect(await start(1_000)).toMatchObject({ outcome: 'failed', timedOut: true, status: 'starting' });
  env.platform.faults.set([
    { operation: 'streamingPipelines.status', nth: 1, status: 200, body: { status: 'STARTING' } },
    { operation: 'streamingPipelines.status', status: 200, body: { status: 'NOT_RUNNING' } },
  ]);
  expect(await start(20_000)).toMatchObject({ outcome: 'failed', timedOut: false, status: 'not_running' });
  expect(await streamingState(id, env.context)).toEqual({ status: 'not_running' });
});

test('a name that is not known says which are, and what may have been meant', async () => {
  await using env = await createFlowEnvironment({ seed });
  const store = memory();
  await apply(env, store);
  const request = {
    command: 'start',
    known: store.known(),
    wait: false,
    timeoutMs: 20_000,
    dryRun: false,
  } as const;
  await expect(commandStreaming({ ...request, pipelines: ['order'] }, env.context)).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('did you mean "orders"?') as string,
  });
  expect(() => knownPipelines('{"version":2}', 'ids.json', () => Promise.resolve())).toThrow(
    expect.objectContaining({
      message: 'This file does not contain the ids of streaming pipelines in the expected form.',
      where: { input: '--ids', file: 'ids.json' },
    }),
  );
});
