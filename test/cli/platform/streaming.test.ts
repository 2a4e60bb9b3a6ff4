import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defaultSeed } from '../../../platform/index.ts';
import { definitionText } from '../../flows/streaming/definition-text.ts';
import { createCliEnvironment } from '../cli-environment.ts';

test('a streaming pipeline is applied from a file, started, shown and stopped by its name', async () => {
  await using testEnvironment = await createCliEnvironment({
    ...defaultSeed,
    settings: { streamingTime: '1ms' },
  });
  testEnvironment.work.write('orders.yaml', definitionText);
  const run = (...args: string[]) => testEnvironment.run(['streaming', ...args]);

  expect(await run('apply', 'orders.yaml', '--dry-run')).toMatchObject({
    code: 0,
    stdout: 'orders: would be created\n',
  });
  expect((await run('apply', 'orders.yaml')).stdout).toMatch(/^orders: created, [0-9a-f-]{36}\n$/);
  expect(readFileSync(path.join(testEnvironment.work.directory, 'streaming-ids.json'), 'utf8')).toContain(
    '"orders"',
  );
  expect(await run('status')).toMatchObject({
    code: 0,
    stdout: 'orders: not_running (simulated: nothing is captured)\n',
  });
  expect(await run('start', 'orders', '--wait')).toMatchObject({
    code: 0,
    stdout: 'orders: streaming (simulated: nothing is captured)\n',
  });
  expect(await run('stop', 'orders', '--wait', '--json')).toMatchObject({ code: 0 });

  testEnvironment.work.write('orders.yaml', definitionText.replace('port: 5432', 'port: 5433'));
  const differs = await run('apply', 'orders.yaml');
  expect(differs).toMatchObject({ code: 1 });
  expect(differs.stdout).toContain('differs in streamingSource.connection.port. The API cannot change it');

  expect(await run('start')).toMatchObject({ code: 2, stdout: '' });
  testEnvironment.work.write('orders.yaml', definitionText.replace('  role: LOADER\n', ''));
  const wrong = await run('apply', 'orders.yaml');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/orders\.yaml:\d+:\d+: streamingTarget\.role is missing\.\n/);
});

test('a start that fails shows the reason and the hint of the platform', async () => {
  await using testEnvironment = await createCliEnvironment({
    ...defaultSeed,
    settings: { streaming: 'engine' },
  });
  testEnvironment.work.write('orders.yaml', definitionText);
  await testEnvironment.run(['streaming', 'apply', 'orders.yaml']);
  const started = await testEnvironment.run(['streaming', 'start', 'orders', '--wait']);
  expect(started.code).toBe(1);
  expect(started.stdout).toMatch(
    /^orders: started, but its status is not_running\. The source \S+ is not one that the local platform may connect to\. Start the platform with `--allow-source \S+=reader`, or add it to `streamingSources` in the seed\. A folder of --data keeps its first seed\.\n$/,
  );
  const status = await testEnvironment.run(['streaming', 'status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({
    pipelines: [{ status: 'not_running', reason: expect.stringContaining('--allow-source') as unknown }],
  });

  const ids = readFileSync(path.join(testEnvironment.work.directory, 'streaming-ids.json'), 'utf8');
  testEnvironment.work.write('streaming-ids.json', ids.replace(/"id": "[0-9a-f]{8}/, '"id": "00000000'));
  const gone = await testEnvironment.run(['streaming', 'status']);
  expect(gone.code).toBe(0);
  expect(gone.stdout).toMatch(
    /^orders: unknown: the platform has no streaming pipeline with the id 00000000-\S+\. If it was deleted, remove it from streaming-ids\.json\.\n$/,
  );
  expect((await testEnvironment.run(['streaming', 'status', 'orders'])).code).not.toBe(0);
});
