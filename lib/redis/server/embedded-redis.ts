import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger } from '../../core/ports/ports.ts';
import { ensureServer, type RunningServer } from './ensure-server.ts';
import type { ServerBinary } from './server-binary.ts';
import type { LocalAddress } from './server-record.ts';
import { type ServerWatch, watchServer } from './server-watch.ts';
import { stopServer } from './stop-server.ts';
import { type FileLock, tryFileLock } from '../../core/files/file-lock.ts';

export interface EmbeddedRedisOptions {
  /** The server's own folder: its data, socket, log and record. Created with mode 0700. */
  readonly directory: string;
  /** Finds the server program; usually `provideServerBinary`. Not called if a server already runs. */
  readonly findBinary: () => Promise<ServerBinary>;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface EmbeddedRedis {
  /** Does not change while this embedded Redis is open, not even after a restart. */
  readonly address: LocalAddress;
  /** True if the server was already running: started by another worker, or left by a killed one. */
  readonly adopted: boolean;
  /** The server's process id; changes with a restart. */
  readonly pid: number;
  /** Stops the server and its supervision. With `keep`, or while another worker uses it, the server keeps running. */
  close(options?: { readonly keep?: boolean }): Promise<void>;
}

/** A server that ran for this long is restarted at once. */
const stableMs = 10_000;

/**
 * Starts an embedded Redis, or adopts the one that runs in the folder, and restarts it whenever it ends. The server
 * survives the end of this process: the next call for the folder adopts it.
 *
 * @throws Failure `redis-missing`
 */
export async function startEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
  const { clock, logger, findBinary } = options;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const folder = realpathSync(options.directory);
  chmodSync(folder, 0o700);
  const ending = new AbortController();
  const { signal } = ending;
  const user = randomUUID();

  async function ensure(at?: LocalAddress): Promise<RunningServer & { watch: ServerWatch }> {
    const work = async (): Promise<RunningServer & { watch: ServerWatch }> => {
      const running = await ensureServer({ folder, findBinary, clock, signal, address: at });
      // Watch before the lock is released: the next process that closes must see that we use the server.
      return { ...running, watch: await watchServer(running.address, user) };
    };
    return withFolderLock(folder, clock, work, signal);
  }

  let server = await ensure();
  const { address, adopted } = server;
  logger.info(adopted ? 'Using the Redis that an earlier start left running.' : 'Started a Redis.', {
    pid: server.pid,
    folder,
  });
  const supervision = supervise();

  async function supervise(): Promise<void> {
    let lastError = '';
    for (let attempts = 0; ;) {
      const began = clock.now();
      // It may have been started just before the close, which ended only the watch of the one before.
      if (signal.aborted) return;
      await server.watch.closed;
      // A server that starts and ends again at once must not be started many times a second.
      if (clock.now() - began >= stableMs) attempts = 0;
      if (attempts > 0) await clock.sleep(Math.min(50 * 2 ** attempts, 5_000), signal).catch(() => undefined);
      if (signal.aborted) return;
      attempts += 1;
      try {
        server = await ensure(address);
        lastError = '';
        if (!server.adopted) logger.warn('Redis had stopped, so it was started again.', { pid: server.pid });
      } catch (error) {
        if (signal.aborted) return;
        if (String(error) !== lastError)
          logger.error('Redis could not be restarted.', { error: String(error) });
        lastError = String(error);
      }
    }
  }

  return {
    address,
    adopted,
    get pid() {
      return server.pid;
    },
    async close({ keep = false } = {}) {
      if (signal.aborted) return;
      ending.abort(new Error('the embedded Redis is being closed'));
      server.watch.end();
      await supervision;
      server.watch.end();
      if (!keep) await withFolderLock(folder, clock, () => stopServer({ folder, clock, logger, user }));
    },
  };
}

/**
 * Runs `work` while no other process (and nothing else in this one) works on the folder. The lock ends with its process, even
 * after a crash.
 */
async function withFolderLock<T>(
  folder: string,
  clock: Clock,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const file = join(folder, 'lock');
  let lock: FileLock | undefined;
  while ((lock = tryFileLock(file)) === undefined) await clock.sleep(20, signal);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
