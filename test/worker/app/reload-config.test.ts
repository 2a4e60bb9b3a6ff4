import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { type Logger, silentLogger } from '../../../lib/core/ports/ports.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { pushed, release, toTest } from '../../environment/worker/lanes-at-work.ts';
import {
  askWorker,
  createWorkerEnvironment,
  deliver,
  promotionsOf,
  repositoryId,
  workerFile,
  workerToken,
} from '../../environment/worker/worker-environment.ts';

const redis = testRedis();

const operator = (name: string, token: string): string => `
operators:
  - name: ${name}
    token-hash: sha256:${createHash('sha256').update(token).digest('hex')}
    role: viewer
    repositories: all`;

type LogLine = readonly [level: string, message: string, fields: unknown];

/** A worker whose worker.yaml a test changes. */
async function createTestEnvironment({ tickMs = 20, text = workerFile() } = {}) {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const log: LogLine[] = [];
  const keep =
    (level: string): Logger['info'] =>
    (message, fields) =>
      void log.push([level, message, fields]);
  const base = env.options(redis);
  const load = (yaml: string) => ({ config: readWorkerConfig(yaml, 'worker.yaml') });
  const credentials: string[] = [];
  const disk = { text, reads: 0, request: () => {} };
  const worker = await startWorker({
    ...base,
    ...load(text),
    logger: { ...silentLogger, info: keep('info'), warn: keep('warn'), error: keep('error') },
    settings: { ...base.settings, configTickMs: tickMs, gateMs: 50 },
    createClientFor(name, middlewares, config) {
      credentials.push(config.credentials[name]?.tokenEnv ?? '');
      return base.createClientFor(name, middlewares, config);
    },
    configFile: {
      name: 'worker.yaml',
      text,
      async readText() {
        disk.reads += 1;
        return disk.text;
      },
      load,
      onRequest: (listener) => void (disk.request = listener),
    },
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  const me = async (token: string): Promise<number> =>
    (await fetch(`${worker.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;
  const logged = (part: string): readonly LogLine[] => log.filter(([, message]) => message.includes(part));
  /** Waits until the file was read this many times more. */
  const read = async (times: number): Promise<void> => {
    const before = disk.reads;
    await eventually(() => disk.reads >= before + times).toBe(true);
  };
  const status = async () => (await askWorker<{ refused: unknown }>(worker.url, 'config')).body;
  return { env, worker, disk, me, logged, read, status, credentials };
}

/** The first page of the dashboard, as an operator sees it. */
async function lanesPage(url: string, token: string): Promise<string> {
  const headers = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
  const body = `token=${token}`;
  const signedIn = await fetch(`${url}/session`, { method: 'POST', redirect: 'manual', headers, body });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (await fetch(url, { headers: { cookie } })).text();
}

test('operators that a changed worker.yaml adds or removes may sign in or no longer', async () => {
  const { disk, me, logged } = await createTestEnvironment({ text: workerFile() + operator('ada', 'first') });
  expect([await me('first'), await me('second')]).toEqual([200, 401]);
  disk.text = workerFile() + operator('ada', 'second');
  await eventually(() => me('second')).toBe(200);
  expect(await me('first')).toBe(401);
  expect(logged('was read again')).toEqual([
    ['info', 'worker.yaml was read again and is in use.', { changed: ['operators'] }],
  ]);
});

test('a gate that a changed worker.yaml adds holds back a later promotion', async () => {
  const { env, worker, disk, logged } = await createTestEnvironment();
  disk.text = `${workerFile()}    approvers: [ada]\n    gates: { test: { approvals: 1 } }\n`;
  await eventually(() => logged('was read again').length).toBe(1);
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const waits = async () => (await promotionsOf(worker.url, 'to-test'))[0];
  await eventually(waits).toMatchObject({ version: 'v1.0.0', waitsFor: 'approval' });
  expect(await env.versions('test')).toEqual([]);
});

test('a repository that a changed worker.yaml no longer lists is no longer served', async () => {
  const { env, worker, disk, logged } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  disk.text = workerFile().replace(`id: ${repositoryId}`, 'id: 78');
  await eventually(() => logged('was read again').length).toBe(1);
  expect(await deliver(worker.url, await env.push('refs/tags/v1.0.0'))).toEqual({
    status: 200,
    result: 'ignored',
  });
  disk.text = workerFile();
  await eventually(() => logged('was read again').length).toBe(2);
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.outcome).toBe('passed');
});

test('an invalid worker.yaml is refused once, with its place, and the previous one stays in use', async () => {
  const text = workerFile() + operator('ada', 'first');
  const { worker, disk, me, logged, read, status } = await createTestEnvironment({ text });
  expect(await status()).toEqual({ refused: null, afterRestart: [] });
  disk.text = `${text}\n    rank: high`;
  await eventually(() => logged('is refused').length).toBe(1);
  await read(5);
  expect(logged('is refused')).toEqual([
    [
      'error',
      'The changed worker.yaml is refused. The worker keeps the previous configuration.',
      { file: 'worker.yaml', line: 19, column: 5, reason: expect.stringContaining('rank') },
    ],
  ]);
  expect(await me('first')).toBe(200);
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
  expect(await status()).toMatchObject({ refused: { file: 'worker.yaml', line: 19, column: 5 } });
  expect(await lanesPage(worker.url, 'first')).toContain(
    'is refused, and the worker keeps the previous one. worker.yaml:19:5: unknown key `rank`',
  );
  const metric = async () => {
    const headers = { authorization: `Bearer ${workerToken}` };
    const answer = await fetch(`${worker.url}/metrics`, { headers });
    return /^millrace_config_refused (\d)$/m.exec(await answer.text())?.[1];
  };
  expect(await metric()).toBe('1');
  disk.text = text;
  await eventually(metric).toBe('0');
  expect(await status()).toEqual({ refused: null, afterRestart: [] });
  expect(await lanesPage(worker.url, 'first')).not.toContain('is refused');
});

test('a file that is still being written is not used', async () => {
  const { disk, logged, read } = await createTestEnvironment();
  let n = 0;
  Object.defineProperty(disk, 'text', { get: () => `${workerFile()}# ${(n += 1)}` });
  await read(5);
  expect(logged('was read again')).toEqual([]);
  Object.defineProperty(disk, 'text', { value: `${workerFile()}# whole` });
  await eventually(() => logged('was read again').length).toBe(1);
});

test('a request reads the changed file at once', async () => {
  const text = workerFile() + operator('ada', 'first');
  const { disk, me } = await createTestEnvironment({ text, tickMs: 3_600_000 });
  disk.text = workerFile() + operator('ada', 'second');
  disk.request();
  await eventually(() => me('second')).toBe(200);
  expect(await me('first')).toBe(401);
});

test('a change that only a restart applies is named once, also in the API and on the dashboard', async () => {
  const { worker, disk, logged, read, status } = await createTestEnvironment();
  disk.text = `${workerFile()}\ngithub: { app-id: 5, app-key-file: key.pem }`;
  await eventually(() => logged('takes effect only after a restart').length).toBe(1);
  await read(3);
  expect(logged('takes effect only after a restart')).toEqual([
    [
      'warn',
      'worker.yaml has a change that takes effect only after a restart of the worker.',
      { keys: ['github.app-id', 'github.app-key-file'] },
    ],
  ]);
  expect(await status()).toMatchObject({ afterRestart: ['github.app-id', 'github.app-key-file'] });
  expect(await lanesPage(worker.url, workerToken)).toContain(
    'take effect after a restart of the worker: github.app-id, github.app-key-file.',
  );
});

test('a changed credential gets a new client, and a promotion that polls with it continues', async () => {
  const { env, worker, disk, logged, credentials } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(() => credentials).toEqual(['TOKEN']);
  disk.text = workerFile().replace('token-env: TOKEN', 'token-env: OTHER');
  await eventually(() => logged('was read again').length).toBe(1);
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.outcome).toBe('passed');
  await release(env, 'v1.0.1');
  await pushed(env, worker, 'v1.0.1');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]).toMatchObject({
    version: 'v1.0.1',
    outcome: 'passed',
  });
  expect(credentials).toEqual(['TOKEN', 'OTHER']);
});
