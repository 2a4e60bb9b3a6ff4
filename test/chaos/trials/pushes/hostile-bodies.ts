import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import {
  repositoryId,
  repositoryName,
  sign,
  webhookSecret,
} from '../../../environment/worker/worker-environment.ts';
import { pushOf } from '../../environment/flood.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { mustHold, type Trial } from '../../trial.ts';

const megabyte = 1024 * 1024;
const someSignature = `sha256=${'0'.repeat(64)}`;

/** Opens a connection and sends the head of a request. */
async function openRequest(url: string, headers: readonly string[]): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [
    'POST /webhooks/github HTTP/1.1',
    'host: worker',
    'content-type: application/json',
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** The status of the answer; 0 where the connection was cut without one. */
async function statusFrom(socket: Socket): Promise<number> {
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  await until('an answer or the end', () => received.includes('\r\n') || socket.destroyed);
  return Number(received.split(' ')[1] ?? 0);
}

/** Sends as much as the other side takes until it answers; gives the status and the bytes. */
async function pour(
  socket: Socket,
  total: number,
  chunked: boolean,
): Promise<{ status: number; sent: number }> {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let sent = 0;
  const answer = { status: 0 };
  socket.once('data', (head: Buffer) => (answer.status = Number(head.toString('latin1').split(' ')[1])));
  while (sent < total && answer.status === 0 && !socket.destroyed) {
    const whole = chunked ? Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]) : chunk;
    if (!socket.write(whole))
      await until(
        'it drains',
        () => !socket.writableNeedDrain || socket.destroyed || answer.status !== 0,
        30_000,
        1,
      );
    sent += chunk.length;
  }
  await until('an answer or the end', () => answer.status !== 0 || socket.destroyed);
  socket.destroy();
  return { status: answer.status, sent };
}

/** A signed push of a branch, filled with commits up to `bytes`. */
function largePush(bytes: number): string {
  const commit = JSON.stringify({
    id: 'a'.repeat(40),
    message: 'changed',
    added: ['a', 'b'],
    removed: [],
    modified: [],
  });
  const commits = `[${Array.from({ length: Math.floor((bytes - 1_000) / (commit.length + 1)) }, () => commit).join(',')}]`;
  const head = JSON.stringify({
    ref: 'refs/heads/large',
    before: '0'.repeat(40),
    after: 'b'.repeat(40),
    created: true,
    deleted: false,
    forced: false,
    repository: { id: repositoryId, full_name: repositoryName },
  });
  return `${head.slice(0, -1)},"commits":${commits}}`;
}

const memoryOf = ({ pid }: WorkerProcess, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const hostileBodies: Trial = {
  id: 'T12',
  title:
    'Hostile bodies: 400 MB, no length, a byte a second, a gzip bomb, 25 MB of signed JSON, `__proto__`, bytes that are not UTF-8',
  criterion:
    'unsigned bodies cost at most the size limit and 50 MB of memory; only signed JSON is parsed; other requests are answered: in the long form no turn of the event loop takes 50 ms of CPU',
  alone: true,
  async run({ form, scale, log }) {
    const long = form === 'long';
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: toTest });
    const worker = await env.start();
    const { url } = worker;
    mustHold((await env.send(url, pushOf('warm-up'))) === 202, 'a push is taken');
    const atRest = memoryOf(worker, 'VmRSS');

    const named = await pour(
      await openRequest(url, [`content-length: ${400 * megabyte}`, `x-hub-signature-256: ${someSignature}`]),
      400 * megabyte,
      false,
    );
    // The answer may be lost where the connection is cut right after it.
    mustHold(named.status === 413 || named.status === 0, `400 MB by their length: ${named.status}`);
    mustHold(named.sent < 8 * megabyte, `400 MB by their length: ${named.sent} bytes were taken`);
    log(`after a length of 400 MB: ${Math.round(memoryOf(worker, 'VmHWM') - atRest)} MB`);
    const endless = await pour(
      await openRequest(url, ['transfer-encoding: chunked', `x-hub-signature-256: ${someSignature}`]),
      400 * megabyte,
      true,
    );
    mustHold(endless.status === 413 || endless.status === 0, `no length: ${endless.status}`);
    mustHold(endless.sent < 40 * megabyte, `no length: ${endless.sent} bytes were taken`);

    log(`after no length: ${Math.round(memoryOf(worker, 'VmHWM') - atRest)} MB`);
    const drips = long ? Math.round(1_000 * Math.min(1, scale)) : 60;
    const slow = await Promise.all(
      Array.from({ length: drips }, () =>
        openRequest(url, ['content-length: 1000', `x-hub-signature-256: ${someSignature}`]),
      ),
    );
    const dripping = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write('x');
    }, 1_000);
    log(`after ${drips} slow ones: ${Math.round(memoryOf(worker, 'VmHWM') - atRest)} MB`);
    const bomb = gzipSync(Buffer.alloc((long ? 200 : 20) * megabyte));
    const coded = await openRequest(url, [
      'content-encoding: gzip',
      `content-length: ${bomb.length}`,
      `x-hub-signature-256: ${sign(bomb.toString('latin1'))}`,
    ]);
    coded.write(bomb);
    const decoded = await statusFrom(coded);
    mustHold(decoded === 415, `a gzip bomb: ${decoded}`);

    mustHold((await env.send(url, pushOf('between-drips'))) === 202, 'others are served in the meantime');
    const strangersPeak = memoryOf(worker, 'VmHWM') - atRest;
    mustHold(strangersPeak < 25 + 50, `strangers cost ${Math.round(strangersPeak)} MB`);
    log(`strangers cost ${Math.round(strangersPeak)} MB`);

    for (const [name, body, status] of [
      ['__proto__', '{"__proto__":{"deleted":true},"constructor":{"prototype":{"deleted":true}}}', 200],
      ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 200],
      ['no JSON', 'hello', 400],
      ['nested a million deep', '['.repeat(megabyte), 400],
      ['empty', '', 400],
    ] as const) {
      const bytes = Buffer.from(body);
      const socket = await openRequest(url, [
        `content-length: ${bytes.length}`,
        'x-github-event: push',
        'x-github-delivery: hostile',
        `x-hub-signature-256: ${signBytes(bytes)}`,
      ]);
      socket.write(bytes);
      const got = await statusFrom(socket);
      socket.destroy();
      mustHold(got === status, `${name}: ${got}, not ${status}`);
    }
    await worker.observed();
    const body = largePush((long ? 24.9 : 6) * megabyte);
    const large = env.send(url, {
      body,
      headers: { ...pushOf('x').headers, 'x-hub-signature-256': sign(body) },
    });
    let served = 0;
    const waiting = { over: false };
    void large.finally(() => (waiting.over = true));
    while (!waiting.over) {
      if ((await fetch(`${url}/livez`)).status === 200) served += 1;
      await delay(5);
    }
    mustHold((await large) === 202, `a large push: ${await large}`);
    const { maxBlockMs } = await worker.observed();
    mustHold(maxBlockMs < (long ? 50 : 200), `the event loop blocked for ${Math.round(maxBlockMs)} ms`);
    if (long)
      await until(
        'connections that send a byte a second are closed',
        () => slow.every(({ destroyed }) => destroyed),
        30_000,
      );
    clearInterval(dripping);
    for (const socket of slow) socket.destroy();
    return {
      'memory for unsigned bodies, MB': Math.round(strangersPeak),
      'connections with a byte a second': drips,
      'signed JSON, MB': Math.round(body.length / megabyte),
      'longest turn of the event loop, ms of CPU': Math.round(maxBlockMs),
      'other requests answered': served,
      'memory with signed JSON, MB': Math.round(memoryOf(worker, 'VmHWM') - atRest),
    };
  },
};

function signBytes(bytes: Buffer): string {
  return `sha256=${createHmac('sha256', webhookSecret).update(bytes).digest('hex')}`;
}
