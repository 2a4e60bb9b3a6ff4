import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  deliver,
  workerToken,
} from '../../environment/worker/worker-environment.ts';
import { tokens, withOperators } from '../../worker/web/dashboard/operators.ts';
import { inProcess } from '../in-process.ts';

const redis = testRedis();

function commandLine(worker: { readonly url: string }, token = workerToken) {
  const env = { MILLRACE_WORKER_URL: worker.url, MILLRACE_WORKER_TOKEN: token };
  return (...args: string[]) => inProcess(args, { env });
}

test('`millrace deliveries` shows each delivery, its answer, and why a push started no promotion', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const millrace = commandLine(worker);
  expect(await millrace('deliveries')).toMatchObject({
    code: 0,
    stdout: 'No deliveries in the last week.\n',
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await env.repository.commit('main', { 'notes.txt': 'more' });
  expect(await deliver(worker.url, await env.push('refs/heads/main'))).toMatchObject({ status: 202 });
  await eventually(async () => (await millrace('deliveries')).stdout).toMatch(/ no-lane: /);
  await eventually(async () => (await millrace('deliveries')).stdout).not.toContain('not processed yet');
  const { stdout } = await millrace('deliveries');
  expect(stdout).toMatch(/^TIME +DELIVERY +ABOUT +ANSWER +RESULT\n/);
  expect(stdout).toMatch(
    /\n\d{4}-\S+Z +push [\w-]{36} +example\/warehouse refs\/heads\/main +accepted \(202, .+\) +no-lane: \S/,
  );
  expect(stdout).toMatch(/ example\/warehouse refs\/tags\/v1\.0\.0 +accepted \(202, /);
  const one = JSON.parse((await millrace('deliveries', '--limit', '1', '--json')).stdout) as object;
  expect(one).toMatchObject({ deliveries: [{ ref: 'refs/heads/main', noPromotion: 'no-lane' }] });
});

test('`millrace audit --worker` shows who did what, newest first, by pages and with filters', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  const millrace = commandLine(worker);
  expect(await millrace('audit', '--worker')).toMatchObject({ code: 0, stdout: 'No actions.\n' });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await millrace('hold', 'to-test', '--reason', 'month end');
  await millrace('resume', 'to-test', '--reason', 'books are closed');
  const all = await millrace('audit', '--worker', '--lane', 'to-test');
  expect(all.stdout).toMatch(
    /^TIME +WHO +ACTION +ON +DETAILS\n\S+Z +worker-token via command line +resume .*to-test.*books are closed.*\n\S+Z +worker-token via command line +hold .*to-test.*month end/,
  );
  const first = await millrace('audit', '--worker', '--limit', '1');
  const next = /--before (\S+)\.\n$/.exec(first.stdout)?.[1] ?? '';
  const second = await millrace('audit', '--worker', '--limit', '1', '--before', next);
  expect(second.stdout).toContain('month end');
  expect(second.stdout).not.toContain('books are closed');
  expect((await millrace('audit', '--worker', '--by', 'ada')).stdout).toBe('No actions.\n');
});

test.each([
  [['--lane', 'to-test'], 'Add --worker'],
  [['--worker', '--format', 'csv'], "cannot be used with option '--format"],
])('`millrace audit %s` is refused', async (args, message) => {
  const refused = await inProcess(['audit', ...args], { env: {} });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(message);
});

test('`millrace lanes` shows a refused worker.yaml and keys that need a restart, to those who may see everything', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options(redis);
  const config = withOperators('');
  let text = 'first';
  const worker = await startWorker({
    ...options,
    config,
    settings: { ...options.settings, configTickMs: 20 },
    configFile: {
      name: 'worker.yaml',
      text,
      readText: async () => Promise.resolve(text),
      load: (now) => {
        if (now === 'bad') throw new Error('no such key');
        return { config: { ...config, github: { ...config.github, appId: 7 } } };
      },
    },
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const lanes = async () => (await commandLine(worker)('lanes')).stdout;
  text = 'second';
  await eventually(lanes).toContain(
    'These changes of worker.yaml take effect after a restart of the worker: github.app-id.\n',
  );
  text = 'bad';
  await eventually(lanes).toContain(
    'The changed worker.yaml is refused, and the worker keeps the previous one. worker.yaml: no such key\n',
  );
  const limited = await commandLine(worker, tokens.sam)('lanes', '--json');
  expect(JSON.parse(limited.stdout)).toMatchObject({ config: null });
});

test('an id that the worker does not have is named, with the command that lists such ids', async () => {
  const { worker } = await createTestEnvironment(redis, { lanes: toTest });
  const millrace = commandLine(worker);
  for (const args of [
    ['approve', 'to-test'],
    ['cancel', 'to-test'],
    ['promotions', 'to-test'],
  ]) {
    const { code, stderr } = await millrace(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'promotion: The worker has no promotion "to-test", or you do not have access to it.',
    );
    expect(stderr).toContain('Give the id of a promotion: `millrace promotions` lists them.');
  }
  const { stderr } = await millrace('replay', 'a b');
  expect(stderr).toContain('The worker has no dead letter "a b", or you do not have access to it.');
  expect(stderr).toContain('`millrace replay` lists them.');
});

test('what waits in a lane is rejected and approved by the name of the lane, with reason and comment', async () => {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const worker = await startWorker({
    ...env.options(redis),
    config: withOperators('\n    gates: { test: { approvals: 1 } }'),
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const millrace = commandLine(worker, tokens.ada);
  const waits = async (version: string) => {
    await release(env, version);
    await pushed(env, worker, version);
    const line = new RegExp(`${version} .*Waiting for 1 approval`);
    await eventually(async () => (await millrace('promotions')).stdout).toMatch(line);
  };
  await waits('v1.0.0');
  const dry = await millrace('reject', 'to-test', '--reason', 'March is wrong', '--dry-run');
  expect(dry.stdout).toMatch(/^Would reject:\n\S+: v1.0.0 through /);
  expect(await millrace('reject', 'to-test', '--reason', 'March is wrong')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Rejected: v1.0.0 at [\da-f]{12} for test\.\n$/),
  });
  await eventually(async () => (await millrace('promotions')).stdout).toContain('rejected by ada: March');
  expect(await millrace('approve', 'to-test')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No promotion of to-test waits for an approval'),
  });
  await waits('v1.1.0');
  expect(await millrace('approve', 'to-test', '--comment', 'Checked')).toMatchObject({ code: 0 });
  const { stdout } = await millrace('promotions');
  const [, id = ''] = /^(\S+) +to-test +v1\.1\.0/m.exec(stdout) ?? [];
  expect((await millrace('promotions', id)).stdout).toMatch(/ {2}ada wrote:\n {4}Checked\n/);
});

test('a server that is not a worker is named, and not asked for its lanes again', async () => {
  const { env } = await createTestEnvironment(redis, { lanes: toTest });
  const { code, stderr } = await commandLine({ url: env.platform.baseUrl })('lanes');
  expect(code).toBe(3);
  expect(stderr).toContain(`${env.platform.baseUrl} answered, but not as a worker`);
  expect(stderr).not.toContain('`millrace lanes`');
});
