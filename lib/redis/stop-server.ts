import { rmSync } from 'node:fs';
import type { Clock, Logger } from '../core/ports.ts';
import { connectRedis } from './redis-connection.ts';
import { isServerAlive } from './server-process.ts';
import { readServerRecord, removeServerRecord } from './server-record.ts';
import { hasOtherUsers } from './server-watch.ts';

export interface StopServerOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The user that stops the server; other users keep it running. */
  readonly user: string;
}

/** Longest wait for the end of the server, in milliseconds. */
const endsWithinMs = 5_000;

/**
 * Makes the server save its data and end, unless it has other users. The caller must hold the folder's lock. A server that hangs
 * is left running, and the next start in the folder uses it again.
 */
export async function stopServer({ folder, clock, logger, user }: StopServerOptions): Promise<void> {
  const record = readServerRecord(folder);
  if (record === undefined) return;
  const redis = connectRedis({ address: record.address, role: 'probe' });
  try {
    if (hasOtherUsers(String(await redis.client('LIST')), user)) return;
    // The answer to SHUTDOWN is the end of the connection.
    await redis.call('SHUTDOWN', 'NOSAVE').catch(() => undefined);
  } catch (error) {
    logger.warn('Redis could not be asked to stop.', {
      error: error instanceof Error ? error.message : error,
    });
  } finally {
    redis.disconnect();
  }
  const until = clock.now() + endsWithinMs;
  while (await isServerAlive(record.pid, folder)) {
    if (clock.now() > until) {
      logger.warn(
        'The Redis that Millrace started did not end. End its process, or start Millrace again to use it.',
        {
          pid: record.pid,
          folder,
        },
      );
      return;
    }
    await clock.sleep(10);
  }
  removeServerRecord(folder);
  if (record.address.kind === 'socket') rmSync(record.address.path, { force: true });
}
