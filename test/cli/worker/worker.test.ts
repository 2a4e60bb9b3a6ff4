import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { lendServerBinary } from '../../environment/redis-binary.ts';
import {
  deliver,
  createWorkerEnvironment,
  type WorkerEnvironment,
  webhookSecret,
  workerFile,
  workerToken,
} from '../../environment/worker/worker-environment.ts';
import { inProcess } from '../in-process.ts';
import { type Ended, millrace, type Running, startMillrace } from '../millrace.ts';

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace worker '));
  writeFileSync(path.join(folder, 'worker.yaml'), `${workerFile()}\ndrain: 0s\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secrets = {
  TOKEN: 'token-of-the-platform-1',
  MILLRACE_GITHUB_TOKEN: 'token-for-the-code-host',
  MILLRACE_WEBHOOK_SECRET: webhookSecret,
  MILLRACE_WORKER_TOKEN: workerToken,
};

describe('millrace worker', () => {
  let world: WorkerEnvironment;
  let worker: Running;
  let url: string;
  let env: Record<string, string>;

  beforeEach(async () => {
    await lendServerBinary(folder);
    world = await createWorkerEnvironment({
      lanes: `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    verify: [{ pipeline: daily/load, timeout: 5m }]
    on-failure: hold
`,
      seed: { executions: [{ pipeline: 'daily/load', component: 'Load', after: '5m' }] },
    });
    env = {
      ...secrets,
      TOKEN: world.platform.tokens.admin,
      // The one that the stand-in for GitHub knows.
      MILLRACE_GITHUB_TOKEN: 'worker',
      MILLRACE_BASE_URL: world.platform.baseUrl,
      GITHUB_API_URL: world.github.apiUrl,
    };
    worker = startMillrace(['worker', '--port', '0', '--json', '--verbose'], { cwd: folder, env });
    [, url = ''] = await worker.until('stdout', /"url": "(http:[^"]+)"[^]*\n\}\n/);
  });
  afterEach(async () => {
    // Not killed: that would leave its Redis alone.
    worker.send('SIGTERM');
    await worker.ended;
    await world[Symbol.asyncDispose]();
  });

  /** A command that reads from or operates the worker. */
  const ask = (...args: string[]): Promise<Ended> =>
    inProcess(args, { cwd: folder, env: { MILLRACE_WORKER_URL: url, MILLRACE_WORKER_TOKEN: workerToken } });
  const asJson = async <Answer>(...args: string[]): Promise<Answer> => {
    const ended = await ask(...args, '--json');
    expect(ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(ended.stdout) as Answer;
  };
  interface Runs {
    readonly promotions: readonly {
      id: string;
      lane: string;
      state: string;
      outcome: string | null;
      step: string | null;
    }[];
  }
  interface Lanes {
    readonly lanes: readonly {
      id: string;
      holds: { reason: string }[];
      active: { version: string } | null;
    }[];
  }

  test('starts with its own Redis, obeys the worker commands, and ends with 0 on SIGTERM', async () => {
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await ask('lanes')).stdout).toBe(
      'No lanes yet: the worker has not received a push for a lane.\n',
    );
    expect((await ask('promotions')).stdout).toBe('No promotions yet.\n');

    const commit = await world.repository.tag('v1', 'main');
    await world.publish('v1', commit);
    expect(await deliver(url, await world.push('refs/tags/v1'))).toMatchObject({ status: 202 });
    const watching = async () => (await asJson<Runs>('promotions')).promotions[0]?.step;
    await expect.poll(watching).toBe('watch');
    const { promotions } = await asJson<Runs>('promotions', '--limit', '1');
    const [{ id: run, lane } = { id: '', lane: '' }] = promotions;
    expect((await ask('promotions')).stdout).toMatch(
      new RegExp(
        `^PROMOTION +LANE +VERSION +STATE +CREATED +STATUS\\n${run}  to-test  v1  +active +20.*Z  v1 is in test`,
      ),
    );
    expect(await asJson('promotions', run)).toMatchObject({ id: run, history: expect.any(Array) });
    const timeline = (await ask('promotions', run)).stdout;
    expect(timeline).toContain(
      `${run}: v1 through ${lane}: active\n  example/warehouse refs/tags/v1 at ${commit.slice(0, 12)}, pushed by octocat\n`,
    );
    expect(timeline).toMatch(/\n {2}20\d\d-\d\d-\d\dT[\d:.]+Z {2}about to promote +what v1 in test\n/);
    // What is live the platform says, whatever the worker has verified.
    await expect
      .poll(async () => (await ask('lanes')).stdout)
      .toMatch(
        /^LANE +REPOSITORY +LIVE +VERIFIED +WANTED +QUEUED +STATE\nto-test +example\/warehouse +v1 \(\d+ s ago\) +– +v1 +0 +v1: v1 is in test/,
      );

    // Hold and release.
    const held = async () => (await asJson<Lanes>('lanes')).lanes[0]?.holds[0]?.reason;
    expect(await ask('hold', lane, '--reason', 'a party', '--dry-run')).toMatchObject({
      code: 0,
      stdout: `Would hold: ${lane} (a party).\n`,
    });
    expect(await held()).toBeUndefined();
    const called = lane.split('/').at(-1) ?? '';
    expect(await ask('hold', called, '--reason', 'a party')).toMatchObject({ code: 0 });
    expect(await held()).toBe('a party');
    expect((await ask('lanes')).stdout).toContain('on hold: a party');
    expect(await ask('resume', lane, '--dry-run')).toMatchObject({ code: 0 });
    expect(await held()).toBe('a party');
    expect((await ask('resume', lane, '--cause', 'state-lost')).code).toBe(1);
    expect(await ask('resume', lane)).toMatchObject({
      code: 0,
      stdout: `Resumed: ${lane}.\n  manual: a party (worker-token)\n`,
    });
    expect(await held()).toBeUndefined();
    expect((await ask('resume', lane)).code).toBe(1);
    expect((await ask('lanes', 'to-test')).stdout).toMatch(
      /Z {2}held +cause manual, by worker-token, via command-line, reason a party, since 20\S+Z\n.*Z {2}resumed +by worker-token, via command-line, lifted a party \(worker-token\)\n/,
    );

    // Nothing to approve, to let through, to replay or to roll back to.
    expect(await ask('approve', run)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('approvers'),
    });
    expect(await ask('approve', run, '--dry-run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('approvers'),
    });
    for (const [wrong, ...given] of [
      ['--version', '--version', 'v2'],
      ['--commit', '--version', 'v1', '--commit', '0000000'],
    ] as const)
      expect(await ask('approve', run, ...given)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          new RegExp(`^error: ${wrong}: The promotion .* do not match the ${wrong} `, 'm'),
        ),
      });
    expect(await ask('resume', '--override-freeze', run, '--reason', 'x')).toMatchObject({ code: 1 });
    expect(await ask('resolve', run, '--happened', 'yes')).toMatchObject({ code: 1 });
    expect(await ask('replay')).toMatchObject({ code: 0, stdout: 'No dead letters.\n' });
    expect(await ask('rollback', '--lane', 'to-test', '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cancel it first'),
    });
    expect(await ask('rollback', '--lane', 'to-test', '--reason', 'x', '--dry-run')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/Nothing would be done: promotion .+ cancel it first\n$/),
    });

    // Cancel and retry.
    const outcome = async (id: string) =>
      (await asJson<{ outcome: string | null }>('promotions', id)).outcome;
    expect((await ask('retry', run)).stderr).toContain('the promotion has not ended');
    expect(await ask('cancel', run, '--dry-run')).toMatchObject({
      code: 0,
      stdout: `Would cancel: ${run}.\n`,
    });
    expect(await outcome(run)).toBeNull();
    expect(await ask('cancel', run)).toMatchObject({ code: 0, stdout: `Cancel requested: ${run}.\n` });
    await expect.poll(() => outcome(run)).toBe('cancelled');
    const again = await asJson<{ promotion: string; retryOf: string }>('retry', run);
    expect(again.retryOf).toBe(run);

    for (const [args, code, says] of [
      [['hold', 'no-such-lane', '--reason', 'x'], 2, 'no lane "no-such-lane"'],
      [['hold', 'no-such-lane', '--reason', 'x', '--dry-run'], 2, 'no lane "no-such-lane"'],
      [['cancel', 'no-such-run'], 2, 'has no promotion "no-such-run", or you do not have access to it'],
      [['approve', 'no-such-run'], 2, 'has no promotion "no-such-run", or you do not have access to it'],
      [
        ['replay', 'no-such-letter'],
        2,
        'has no dead letter "no-such-letter", or you do not have access to it',
      ],
      [['resolve', run], 2, '--happened'],
      [
        ['resolve', 'no-such-run', '--happened', 'no'],
        2,
        'has no promotion "no-such-run", or you do not have access to it',
      ],
      [['resume'], 2, 'lane: Nothing to resume was named.'],
      [
        ['resume', lane, '--override-freeze', run],
        2,
        'Only one of these can be given: lane, --override-freeze.',
      ],
      [['resume', lane, '--all'], 2, '--all: Only one of these can be given: lane, --all.'],
      [['resume', '--override-freeze', run], 2, '--reason'],
      [['rollback', '--lane', 'to-test'], 2, '--reason'],
      [['rollback'], 2, '--environment'],
      [['promotions', '--limit', 'many'], 2, 'a number from 1'],
    ] as const) {
      const ended = await ask(...args);
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toContain(says);
    }

    worker.send('SIGTERM');
    const ended = await worker.ended;
    expect(ended.code).toBe(0);
    for (const secret of [env['TOKEN'] ?? '', webhookSecret, workerToken])
      expect(ended.stdout + ended.stderr).not.toContain(secret);
    const [, redis = ''] = /"pid":(\d+).*"msg":"Started a Redis\."/.exec(ended.stderr) ?? [];
    expect(() => process.kill(Number(redis), 0)).toThrow('ESRCH');
  });

  test('a second worker on the same port ends with 2 and does not disturb the first', async () => {
    const { port } = new URL(url);
    const ended = await millrace(['worker', '--port', port], { cwd: folder, env });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`cannot listen on 127.0.0.1:${port}`);
    expect(ended.stderr).toContain('Another program uses this port');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

test('SIGTERM makes the worker answer 503 first, and a second signal ends it at once', async () => {
  await lendServerBinary(folder);
  writeFileSync(path.join(folder, 'worker.yaml'), `${workerFile()}\ndrain: 5m\n`);
  const worker = startMillrace(['worker', '--port', '0'], {
    cwd: folder,
    env: { ...secrets, MILLRACE_BASE_URL: 'http://127.0.0.1:9' },
  });
  const [, url = ''] = await worker.until('stdout', /listens on (http:\S+)[^]*Ctrl-C/);
  const [, redis = ''] = await worker.until('stderr', /"pid":(\d+).*"msg":"Started a Redis\."/);
  worker.send('SIGTERM');
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await worker.sendAgain('SIGTERM')).code).toBe(130);
  // Nothing ends it with its worker then.
  process.kill(Number(redis), 'SIGKILL');
});

test('a signal that a parent process forwards besides is the same one: the worker ends in order', async () => {
  await lendServerBinary(folder);
  writeFileSync(path.join(folder, 'worker.yaml'), `${workerFile()}\ndrain: 0s\n`);
  const worker = startMillrace(['worker', '--port', '0'], {
    cwd: folder,
    env: { ...secrets, MILLRACE_BASE_URL: 'http://127.0.0.1:9' },
  });
  await worker.until('stdout', /listens on (http:\S+)[^]*Ctrl-C/);
  const [, redis = ''] = await worker.until('stderr', /"pid":(\d+).*"msg":"Started a Redis\."/);
  worker.send('SIGTERM');
  worker.send('SIGINT');
  expect((await worker.ended).code).toBe(0);
  expect(() => process.kill(Number(redis), 0)).toThrow('ESRCH');
});

test('a worker with operators only prints the address of the dashboard and how to sign in, and answers', async () => {
  await lendServerBinary(folder);
  const token = 'token-of-ada';
  const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`;
  const operators = `operators:\n  - { name: ada, role: viewer, repositories: all, token-hash: "${hash}" }\n`;
  writeFileSync(path.join(folder, 'worker.yaml'), `${workerFile()}\ndrain: 0s\n${operators}`);
  const { MILLRACE_WORKER_TOKEN: _, ...others } = secrets;
  const env = { ...others, MILLRACE_BASE_URL: 'http://127.0.0.1:9' };
  const worker = startMillrace(['worker', '--port', '0'], { cwd: folder, env });
  const [said = '', url = ''] = await worker.until('stdout', /listens on (http:\S+)[^]*Ctrl-C/);
  const asked = await inProcess(['lanes'], {
    env: { MILLRACE_WORKER_URL: url, MILLRACE_WORKER_TOKEN: token },
  });
  worker.send('SIGTERM');
  await worker.ended;
  expect(said).toContain(`dashboard: ${url}/\n`);
  expect(said).toContain('sign in with the token of an operator in worker.yaml');
  expect(said).not.toMatch(/is not set|cannot be/);
  expect(asked).toMatchObject({
    code: 0,
    stdout: 'No lanes yet: the worker has not received a push for a lane.\n',
  });
});

describe('millrace worker refuses to start', () => {
  test.each([
    {
      title: 'without the webhook’s secret',
      missing: 'MILLRACE_WEBHOOK_SECRET',
      says: 'MILLRACE_WEBHOOK_SECRET_FILE',
    },
    { title: 'without a token for GitHub', missing: 'MILLRACE_GITHUB_TOKEN', says: 'commit statuses' },
    {
      title: 'without the credential that worker.yaml names',
      missing: 'TOKEN',
      says: 'TOKEN, which worker.yaml names, is not set',
    },
    {
      title: 'without the platform’s address',
      missing: 'MILLRACE_BASE_URL',
      says: 'has no `base-url`, and MILLRACE_BASE_URL is not set',
    },
  ])('$title', async ({ missing, says }) => {
    const ended = await inProcess(['worker', '--port', '0'], {
      cwd: folder,
      env: { ...secrets, MILLRACE_BASE_URL: 'http://platform.example.com', [missing]: '' },
    });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).toMatch(/how to fix: .+\n {2}code: [a-z-]+\n$/);
    // No Redis was made ready for nothing.
    expect(readdirSync(folder)).toEqual(['worker.yaml']);
  });

  test('without worker.yaml, or with a wrong one, at its line', async () => {
    writeFileSync(path.join(folder, 'wrong.yaml'), 'version: 1\ncredentials: {}\nrepositores: []\n');
    const [none, wrong] = await Promise.all([
      inProcess(['worker', '--config', 'no.yaml'], { cwd: folder, env: secrets }),
      inProcess(['worker', '--config', 'wrong.yaml'], { cwd: folder, env: secrets }),
    ]);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toMatch(/no\.yaml: This file does not exist in .*\n {2}how to fix: .*--config/);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/^error: wrong\.yaml:\d:\d+: /);
  });

  test('without access to the given Redis, and does not print its password', async () => {
    const ended = await inProcess(['worker', '--port', '0'], {
      cwd: folder,
      env: {
        ...secrets,
        MILLRACE_BASE_URL: 'http://platform.example.com',
        MILLRACE_REDIS_URL: 'redis://:password-of-redis@127.0.0.1:9',
      },
    });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('code: redis-unreachable');
    expect(ended.stderr).not.toContain('password-of-redis');
  });
});

describe('a worker command without an answer', () => {
  const lanes = (env: Record<string, string>) => inProcess(['lanes'], { cwd: folder, env });

  test('names the missing variable', async () => {
    const [address, token] = await Promise.all([
      lanes({ MILLRACE_WORKER_TOKEN: workerToken }),
      lanes({ MILLRACE_WORKER_URL: 'http://127.0.0.1:9' }),
    ]);
    expect(address.code).toBe(2);
    expect(address.stderr).toContain('error: MILLRACE_WORKER_URL: ');
    expect(token.code).toBe(2);
    expect(token.stderr).toContain('error: MILLRACE_WORKER_TOKEN: ');
  });

  test('reports an unreachable worker, a wrong token, or another kind of server', async () => {
    const server = createServer((request, response) => {
      const denied = request.headers.authorization !== `Bearer ${workerToken}`;
      response.writeHead(denied ? 401 : 200, { 'content-type': denied ? 'application/json' : 'text/html' });
      response.end(denied ? '{"error":"the token is wrong","status":401}' : '<!doctype html>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const denied = await lanes({ MILLRACE_WORKER_URL: address, MILLRACE_WORKER_TOKEN: 'wrong-token' });
    expect(denied.code).toBe(2);
    expect(denied.stderr).toMatch(/the token is wrong[^]*code: unauthorized/);
    const other = await lanes({ MILLRACE_WORKER_URL: address, MILLRACE_WORKER_TOKEN: workerToken });
    expect(other.code).toBe(3);
    expect(other.stderr).toMatch(/answered, but not as a worker of this version[^]*code: answer-unreadable/);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    const gone = await lanes({ MILLRACE_WORKER_URL: address, MILLRACE_WORKER_TOKEN: workerToken });
    expect(gone.code).toBe(3);
    expect(gone.stderr).toContain('code: unreachable');
  });
});
