import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  loseStart,
  pushed,
  release,
  toTest,
} from '../../environment/worker/lanes-at-work.ts';
import { askWorker, promotionsOf, workerToken } from '../../environment/worker/worker-environment.ts';
import { inProcess } from '../in-process.ts';

const redis = testRedis();

/** A lane with a lost start, a newer promotion in its queue, and the command line of an operator. */
async function indeterminateLane() {
  const setup = await createTestEnvironment(redis, { lanes: toTest });
  const { env, worker } = setup;
  await release(env, 'v1.0.0');
  const { id } = await loseStart(env, worker, 'v1.0.0');
  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await expect.poll(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.version).toBe('v1.1.0');
  const variables = { MILLRACE_WORKER_URL: worker.url, MILLRACE_WORKER_TOKEN: workerToken };
  const cliWith = (more: Record<string, string>, ...args: string[]) =>
    inProcess(args, { env: { ...variables, ...more } });
  return { ...setup, id, cliWith, cli: (...args: string[]) => cliWith({}, ...args) };
}

test('`millrace resolve` with an unknown execution ends in 1, with --dry-run too, and nothing has changed', async () => {
  const { id, cli } = await indeterminateLane();
  for (const more of [[], ['--dry-run']])
    expect(await cli('resolve', id, '--execution', 'bogus', ...more)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('the platform does not know execution bogus'),
    });
  expect((await cli('promotions', id)).stdout).toMatch(/: indeterminate\n/);
  const both = await cli('resolve', id, '--execution', 'x', '--happened', 'no');
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') });
});

test('`millrace resolve` ends in 3 while the worker cannot ask the platform, and says that nothing changed', async () => {
  const { env, id, cli } = await indeterminateLane();
  env.wire.interfere(() => 'drop');
  const ran = await cli('resolve', id, '--execution', 'e-1');
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  expect(ran.stderr).toMatch(/could not be reached[\s\S]*Nothing has changed/);
});

test('`millrace cancel` of a queued promotion says that it is cancelled', async () => {
  const { worker, cli } = await indeterminateLane();
  const queued = (await promotionsOf(worker.url, 'to-test'))[0]?.id ?? '';
  expect(await cli('cancel', queued)).toMatchObject({ code: 0, stdout: `Cancelled: ${queued}.\n` });
  expect((await cli('promotions', queued)).stdout).toMatch(/: cancelled\n/);
});

test('the hint of a hold names its commands as npx started them', async () => {
  const { id, cliWith } = await indeterminateLane();
  for (const args of [['lanes'], ['lanes', 'to-test']]) {
    const { stdout } = await cliWith({ npm_command: 'exec' }, ...args);
    expect(stdout).toContain(`\`npx millrace resolve ${id} --execution <id>\``);
  }
});

test('`millrace resolve` continues an indeterminate promotion and the one that waits after it', async () => {
  const { env, worker, id, cli } = await indeterminateLane();
  const [lanes, lane] = [await cli('lanes'), await cli('lanes', 'to-test')];
  for (const { stdout } of [lanes, lane]) {
    expect(stdout).toContain(`\`millrace resolve ${id} --execution <id>\``);
    expect(stdout).toContain(`\`millrace resolve ${id} --happened no\``);
    expect(stdout).toMatch(/on hold: .+ \(the worker\)/);
  }
  interface Shown {
    readonly lanes: readonly {
      holds: { promotion: string; hint: string }[];
      indeterminate: { id: string; version: string }[];
    }[];
  }
  const { body } = await askWorker<Shown>(worker.url, 'lanes');
  expect(body.lanes[0]).toMatchObject({
    holds: [{ promotion: id, hint: expect.stringContaining(`resolve ${id}`) }],
    indeterminate: [{ id, version: 'v1.0.0' }],
  });
  const execution = env.platform.ledger({ operation: 'executions.start' })[0]?.subject.id ?? '';
  expect(await cli('resolve', id, '--execution', execution)).toMatchObject({
    code: 0,
    stdout: `Resolved: ${id}. It continues.\n`,
  });
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
  expect(await ended(worker, 'to-test', 'v1.1.0')).toMatchObject({ outcome: 'passed' });
});

test('`millrace resolve` in a lane that an operator holds says that the promotion waits for the resume', async () => {
  const { id, cli } = await indeterminateLane();
  expect(await cli('hold', 'to-test', '--reason', 'month end')).toMatchObject({ code: 0 });
  const resolved = await cli('resolve', id, '--happened', 'no');
  expect(resolved).toMatchObject({ code: 0, stdout: expect.stringContaining('when its lane is resumed') });
  expect((await cli('lanes')).stdout).toContain('`millrace resume to-test`');
});

test('`millrace retry` gives the id of the new promotion, and a second retry names the first', async () => {
  const { id, cli } = await indeterminateLane();
  const retried = await cli('retry', id);
  const [, fresh = ''] = /New promotion: (\w+)\.\n$/.exec(retried.stdout) ?? [];
  expect(fresh).not.toBe(id);
  expect((await cli('promotions', fresh)).stdout).toContain(`${fresh}: v1.0.0 through`);
  const again = await cli('retry', id);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(fresh) });
});
