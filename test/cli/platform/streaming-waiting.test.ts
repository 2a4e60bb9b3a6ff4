import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultSeed } from '../../../platform/index.ts';
import type { FaultRule } from '../../../platform/faults/fault-schema.ts';
import { definitionText } from '../../flows/streaming/definition-text.ts';
import { createCliEnvironment, type CliEnvironment } from '../cli-environment.ts';

let testEnvironment: CliEnvironment;
beforeEach(async () => {
  testEnvironment = await createCliEnvironment({ ...defaultSeed, settings: { streamingTime: '1ms' } });
  testEnvironment.work.write('orders.yaml', definitionText);
  testEnvironment.work.write('others.yaml', definitionText.replace('name: orders', 'name: others'));
  await streaming('apply', 'orders.yaml', 'others.yaml');
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

const streaming = (...args: string[]) => testEnvironment.run(['streaming', ...args]);
const commands = () => testEnvironment.platform.requests().counts['streamingPipelines.command'];
/** The first status is asked for before anything is sent. */
const whileWaiting = (...rules: Omit<FaultRule, 'operation'>[]) =>
  testEnvironment.platform.faults.set(
    rules.map((rule) => ({ nth: [2, 3, 4, 5, 6], ...rule, operation: 'streamingPipelines.status' as const })),
  );

test('a status that is temporarily unreadable does not end the wait', async () => {
  whileWaiting({ status: 503 });
  expect(await streaming('start', 'orders', '--wait')).toMatchObject({
    code: 0,
    stdout: 'orders: streaming (simulated: nothing is captured)\n',
  });
  whileWaiting({ status: 404, nth: 2 });
  expect(await streaming('stop', 'orders', '--wait')).toMatchObject({
    code: 0,
    stdout: 'orders: not_running (simulated: nothing is captured)\n',
  });
  expect(commands()).toBe(2);
});

test('a status that is unreadable until the time limit is reported as unknown, with name and id', async () => {
  const nth = Array.from({ length: 200 }, (_, i) => i + 2);
  whileWaiting({ status: 503, nth });
  const ended = await streaming('start', 'orders', '--wait', '--timeout', '2s', '--json');
  expect(ended.code).toBe(4);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    outcome: 'indeterminate',
    pipelines: [
      { pipeline: 'orders', timedOut: true, hint: expect.stringContaining('streaming status orders') },
    ],
  });
});

test('a refused start is repeated with --wait until it is accepted', async () => {
  testEnvironment.platform.faults.set([{ operation: 'streamingPipelines.command', status: 503, times: 5 }]);
  expect(await streaming('start', 'orders', '--wait')).toMatchObject({
    code: 0,
    stdout: 'orders: streaming (simulated: nothing is captured)\n',
  });
  testEnvironment.platform.faults.set([{ operation: 'streamingPipelines.command', status: 503 }]);
  expect((await streaming('start', 'others')).code).toBe(3);
});

test('one time limit covers all started pipelines, and bounds unanswered requests', async () => {
  testEnvironment.platform.faults.set([{ operation: 'streamingPipelines.status', wire: 'silence' }]);
  const ended = await streaming('start', 'orders', 'others', '--wait', '--timeout', '2s');
  expect(ended.code).toBe(3);
  expect(commands()).toBeUndefined();
  const nth = Array.from({ length: 50 }, (_, i) => i + 3);
  testEnvironment.platform.faults.set([{ operation: 'streamingPipelines.status', wire: 'silence', nth }]);
  const waited = await streaming('start', 'orders', 'others', '--wait', '--timeout', '3s');
  expect(waited.code).toBe(4);
  expect(waited.stdout.split('\n')).toHaveLength(3);
  expect(commands()).toBe(2);
});

test('the time limit bounds the creation and the status of streaming pipelines too', async () => {
  testEnvironment.platform.faults.set([{ wire: 'silence' }]);
  expect((await streaming('status', 'orders', '--timeout', '1s')).code).toBe(3);
  testEnvironment.work.write('new.yaml', definitionText.replace('name: orders', 'name: fresh'));
  const created = await streaming('apply', 'new.yaml', '--timeout', '1s');
  expect(created.code).toBe(4);
});

test('the status of a stopped pipeline shows what the source keeps for it, and the warning', async () => {
  const lag = { bytes: 25_000_000, seconds: 90 };
  const warning = 'The source keeps 25 MB of its log for this pipeline.';
  const answer = JSON.stringify({ status: 'not_running', lag, warning });
  const always = { operation: 'streamingPipelines.status', status: 200, body: answer } as const;
  testEnvironment.platform.faults.set([always]);
  expect(await streaming('status', 'orders')).toMatchObject({
    code: 0,
    stdout: `orders: not_running, 90 seconds and 25000000 bytes behind: Warning: ${warning}\n`,
  });
  const json = await streaming('status', 'orders', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ pipelines: [{ lag, warning }] });
});
