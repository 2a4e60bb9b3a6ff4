import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '../../core/errors/message-of.ts';
import { Failure } from '../../core/errors/failure.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { connectRedis } from '../connection/redis-connection.ts';
import { readRedisFacts } from '../connection/redis-facts.ts';
import type { ServerBinary } from './server-binary.ts';
import { isServerAlive, lastWords, logIn, spawnServer } from './server-process.ts';
import {
  type LocalAddress,
  readServerRecord,
  removeServerRecord,
  type ServerRecord,
  writeServerRecord,
} from './server-record.ts';

export interface RunningServer {
  readonly pid: number;
  readonly address: LocalAddress;
  /** True if it was already running: started by another worker, or by one that crashed. */
  readonly adopted: boolean;
}

export interface EnsureServerOptions {
  readonly folder: string;
  /** Called only when a server must be started. */
  readonly findBinary: () => Promise<ServerBinary>;
  readonly clock: Clock;
  /** The address where connections expect the server; chosen if absent. */
  readonly address?: LocalAddress | undefined;
  readonly signal?: AbortSignal;
}

/** Maximum time to wait for a server that neither loads its data nor answers, in milliseconds. */
const patience = 10_000;
const askEvery = 20;
/** The process id in a record of a server that is being started, whose real id is not known yet. */
const starting = 0;
const graceOfStart = 1_000;

/**
 * Makes sure that a server for the folder is running and answers. The caller must have the folder's lock.
 *
 * @throws Failure `redis-missing` if it does not start, or if a running server does not answer
 */
export async function ensureServer(options: EnsureServerOptions): Promise<RunningServer> {
  const { folder } = options;
  const record = readServerRecord(folder);
  if (record !== undefined && record.pid !== starting && (await isServerAlive(record.pid, folder))) {
    await untilItAnswers(record.pid, record.address, options);
    return { ...record, adopted: true };
  }
  const address = options.address ?? (await chooseServerAddress(folder, record?.address));
  const expected = record?.address ?? address;
  const pid = await findUnrecorded(record, expected, options);
  if (pid !== undefined) {
    writeServerRecord(folder, { pid, address: expected });
    return { pid, address: expected, adopted: true };
  }
  return startServer(address, options);
}

async function startServer(address: LocalAddress, options: EnsureServerOptions): Promise<RunningServer> {
  const { folder, findBinary } = options;
  const server = await findBinary();
  writeServerRecord(folder, { pid: starting, address });
  const pid = await spawnServer(server, folder, address).catch((cause: unknown) => {
    removeServerRecord(folder);
    throw new Failure('redis-missing', {
      message: `${server.binary} could not be started: ${messageOf(cause)}`,
      hint: `Run ${server.binary} by hand to see why it fails. Or set MILLRACE_REDIS_URL to a Redis that already runs.`,
      cause,
    });
  });
  // Written before it answers: if this process ends now, the next one must not start a second server.
  writeServerRecord(folder, { pid, address });
  await untilItAnswers(pid, address, options);
  return { pid, address, adopted: false };
}

/**
 * The process id of a running server without a complete record: the record was lost, or the starter was killed
 * between the start and the record. Such a server may need some time to answer.
 */
async function findUnrecorded(
  record: ServerRecord | undefined,
  address: LocalAddress,
  { clock, signal }: EnsureServerOptions,
): Promise<number | undefined> {
  const until = clock.now() + (record?.pid === starting ? graceOfStart : 0);
  for (;;) {
    const answer = await ask(address);
    if (typeof answer === 'number') return answer;
    if (answer === 'silent' && clock.now() >= until) return undefined;
    await clock.sleep(askEvery, signal);
  }
}

async function untilItAnswers(
  pid: number,
  address: LocalAddress,
  options: EnsureServerOptions,
): Promise<void> {
  const { folder, clock, signal } = options;
  let silentSince = clock.now();
  for (;;) {
    const answer = await ask(address);
    if (typeof answer === 'number') return;
    if (!(await isServerAlive(pid, folder))) {
      throw new Failure('redis-missing', {
        message: `The Redis that Millrace started ended immediately. The last lines of its log:\n${lastWords(folder)}`,
        where: { file: logIn(folder) },
        hint: 'Fix the problem in its log (for example a full disk or a damaged append-only file), then start again.',
      });
    }
    // There is no time limit while the server loads a large file.
    if (answer === 'loading') silentSince = clock.now();
    if (clock.now() - silentSince > patience) {
      throw new Failure('redis-missing', {
        message: `The Redis that Millrace started (process ${pid}) runs but does not answer.`,
        where: { file: logIn(folder) },
        hint: `Look at its log, the file above. If process ${pid} hangs, end it (kill ${pid}) and start again.`,
      });
    }
    await clock.sleep(askEvery, signal);
  }
}

/** The server's process id if it answers and has loaded its data. */
async function ask(address: LocalAddress): Promise<number | 'loading' | 'silent'> {
  const redis = connectRedis({ address, role: 'probe' });
  try {
    await redis.ping();
    return (await readRedisFacts(redis)).pid;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('LOADING') ? 'loading' : 'silent';
  } finally {
    redis.disconnect();
  }
}

/** The system's limit for the length of a socket's path, without the terminating zero. */
const maxSocketPathLength = process.platform === 'darwin' ? 103 : 107;

/**
 * The address for a server in this folder: a socket that only its owner can access, or, without sockets or with a too
 * long path, the loopback interface with a random password. Keeps the previous address if possible, so that
 * connections reconnect.
 */
async function chooseServerAddress(folder: string, before: LocalAddress | undefined): Promise<LocalAddress> {
  const path = join(folder, 'redis.sock');
  if (process.platform !== 'win32' && Buffer.byteLength(path) <= maxSocketPathLength)
    return { kind: 'socket', path };
  if (before?.kind === 'tcp' && (await freePort(before.port)) !== undefined) return before;
  const port = await freePort(0);
  if (port === undefined) throw new Error('no free port on the loopback interface');
  return { kind: 'tcp', host: '127.0.0.1', port, password: randomBytes(32).toString('hex') };
}

function freePort(preferred: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(preferred, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(port));
    });
  });
}
