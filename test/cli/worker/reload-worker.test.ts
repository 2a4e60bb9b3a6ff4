import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lendServerBinary } from '../../environment/redis-binary.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { delivery, deliver, repositoryId, workerFile } from '../../environment/worker/worker-environment.ts';
import { startMillrace } from '../millrace.ts';

/** `millrace worker` in a folder with worker.yaml and files for the webhook secrets and its own token. */
async function createTestEnvironment() {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace reload '));
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write('worker.yaml', workerFile());
  write('secrets', 'first-secret\n');
  write('own-token', 'first-own-token\n');
  await lendServerBinary(folder);
  const worker = startMillrace(['worker', '--port', '0', '--json'], {
    cwd: folder,
    env: {
      TOKEN: 'token-of-the-platform-1',
      MILLRACE_BASE_URL: 'http://127.0.0.1:9',
      GITHUB_API_URL: 'http://127.0.0.1:9',
      MILLRACE_GITHUB_TOKEN: 'token-for-the-code-host',
      MILLRACE_WEBHOOK_SECRET_FILE: 'secrets',
      MILLRACE_WORKER_TOKEN_FILE: 'own-token',
    },
  });
  onTestFinished(async () => {
    // Without the time in which SIGTERM keeps the port open.
    worker.send('SIGINT');
    await worker.ended;
    rmSync(folder, { recursive: true });
  });
  const [, url = ''] = await worker.until('stdout', /"url": "(http:[^"]+)"/);
  const ping = async (secret: string, body = {}): Promise<number> =>
    (await deliver(url, delivery('ping', body, secret))).status;
  const signIn = async (token: string): Promise<number> =>
    (await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;
  return { worker, url, write, ping, signIn };
}

test('SIGHUP reads worker.yaml again, and the log names the place of what is invalid', async () => {
  const { worker, url, write } = await createTestEnvironment();
  write('worker.yaml', `${workerFile()}\nrank: high\n`);
  worker.send('SIGHUP');
  const [, line = ''] = await worker.until('stderr', /(\{[^\n]*worker\.yaml is refused[^\n]*)\n/);
  expect(JSON.parse(line)).toMatchObject({ file: 'worker.yaml', line: 14, column: 1 });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  write('worker.yaml', workerFile().replace('TOKEN', 'UNSET'));
  await worker.until('stderr', /UNSET, which worker\.yaml names, is not set/);
  write('worker.yaml', `${workerFile()}\nurl: https://millrace.example.com\n`);
  worker.send('SIGHUP');
  await worker.until('stderr', /worker\.yaml was read again/);
});

test('a webhook secret and the worker’s own token are rotated in their files without a restart', async () => {
  const { worker, write, ping, signIn } = await createTestEnvironment();
  expect([await ping('first-secret'), await ping('second-secret')]).toEqual([200, 401]);
  write('secrets', 'first-secret\nsecond-secret\n');
  await eventually(() => ping('second-secret')).toBe(200);
  expect(await ping('first-secret')).toBe(200);
  write('secrets', 'second-secret\n');
  await eventually(() => ping('first-secret')).toBe(401);
  write('own-secret', 'of-the-repository\n');
  write('worker.yaml', `${workerFile()}    webhook-secret-file: own-secret\n`);
  const body = { repository: { id: repositoryId } };
  await eventually(() => ping('of-the-repository', body)).toBe(200);
  expect(await ping('second-secret', body)).toBe(401);
  // The file of one repository does not stop the rotation of the others' secret.
  write('own-secret', '');
  write('secrets', 'third-secret\n');
  await eventually(() => ping('third-secret')).toBe(200);
  expect([await ping('second-secret'), await ping('third-secret', body)]).toEqual([401, 401]);
  expect(await ping('of-the-repository', body)).toBe(200);
  expect(await signIn('first-own-token')).toBe(200);
  write('own-token', 'second-own-token\n');
  await eventually(() => signIn('second-own-token')).toBe(200);
  expect(await signIn('first-own-token')).toBe(401);
  write('secrets', '');
  let isLogged = false;
  const logged = worker.until('stderr', /webhook secrets cannot be read/).then(() => (isLogged = true));
  await eventually(async () => {
    await ping('third-secret');
    return isLogged;
  }).toBe(true);
  await logged;
  expect(await ping('third-secret')).toBe(200);
});
