import { Failure } from '../../model/failure.ts';
import type { Clock } from '../../model/ports.ts';
import { connectRedis } from './redis-connection.ts';
import { readRedisFacts } from './redis-facts.ts';
import { chooseServerAddress } from './server-address.ts';
import type { ServerBinary } from './server-binary.ts';
import { isServerAlive, lastWords, logIn, spawnServer } from './server-process.ts';
import { type LocalAddress, readServerRecord, writeServerRecord } from './server-record.ts';

export interface RunningServer {
  readonly pid: number;
  readonly address: LocalAddress;
  /** True where it ran already: started by another worker, or by one that crashed. */
  readonly adopted: boolean;
}

export interface EnsureServerOptions {
  readonly folder: string;
  /** Asked for only when a server must be started. */
  readonly findBinary: () => Promise<ServerBinary>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** How long a server that is neither loading nor answering is waited for, in milliseconds. */
const patience = 10_000;
const askEvery = 20;

/**
 * Makes sure that a server runs on the folder and answers. The caller holds the folder's lock.
 *
 * @throws Failure `redis-missing` if it does not start, or one is there that does not answer
 */
export async function ensureServer(options: EnsureServerOptions): Promise<RunningServer> {
  const { folder } = options;
  const record = readServerRecord(folder);
  if (record !== undefined && (await isServerAlive(record.pid, folder))) {
    await untilItAnswers(record.pid, record.address, options);
    return { ...record, adopted: true };
  }
  const address = await chooseServerAddress(folder, record?.address);
  if (address.kind === 'socket') {
    // The record is lost but the server is not: its socket answers.
    const pid = await ask(address);
    if (typeof pid === 'number') {
      writeServerRecord(folder, { pid, address });
      return { pid, address, adopted: true };
    }
  }
  const server = await options.findBinary();
  const pid = await spawnServer(server, folder, address).catch((cause: unknown) => {
    throw new Failure('redis-missing', {
      message: `${server.binary} could not be started: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  });
  // Written before it answers: if we die now, the next process must not start a second one.
  writeServerRecord(folder, { pid, address });
  await untilItAnswers(pid, address, options);
  return { pid, address, adopted: false };
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
        message: `The embedded Redis ended at its start. Its last words:\n${lastWords(folder)}`,
        where: { file: logIn(folder) },
        mend: 'Mend what its log says (a full disk, a damaged append-only file), then start again.',
      });
    }
    // Reading back a large file takes as long as it takes.
    if (answer === 'loading') silentSince = clock.now();
    if (clock.now() - silentSince > patience) {
      throw new Failure('redis-missing', {
        message: `The embedded Redis (process ${pid}) runs but does not answer.`,
        where: { file: logIn(folder) },
        mend: `Look at its log; if it hangs, end process ${pid} and start again.`,
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
