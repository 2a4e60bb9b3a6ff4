import { rmSync } from 'node:fs';
import type { Clock, Logger } from '../../core/ports/ports.ts';
import { connectRedis } from '../connection/redis-connection.ts';
import { isServerAlive } from './server-process.ts';
import { readServerRecord, removeServerRecord, type ServerRecord } from './server-record.ts';
import { hasOtherUsers } from './server-watch.ts';

export interface StopServerOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The user that stops the server; other users keep it running. */
  readonly user: string;
}

/** Maximum wait for the answer of a server, in milliseconds. */
const answersWithinMs = 5_000;
/** Maximum wait for the end of a server that was asked to stop, in milliseconds: its disk may be slow. */
const endsWithinMs = 30_000;

/**
 * Makes the server of a folder save its data and end, unless it has other users. The caller must hold the folder's lock.
 * `hangs`: it neither answered nor ended, and still runs; its record is kept, so that no second server is started on its data.
 */
export async function stopServer(options: StopServerOptions): Promise<'ended' | 'used' | 'hangs'> {
  const { folder, clock, logger, user } = options;
  const record = readServerRecord(folder);
  if (record === undefined) return 'ended';
  const begun = clock.now();
  let isAsked = false;
  while (await isServerAlive(record.pid, folder)) {
    if (!isAsked) {
      const answer = await askToStop(record, user);
      if (answer === 'used') return 'used';
      isAsked = answer === 'asked';
    }
    if (clock.now() - begun > (isAsked ? endsWithinMs : answersWithinMs)) {
      logger.warn('The Redis that Millrace started does not end. If it hangs, end its process.', {
        pid: record.pid,
        folder,
      });
      return 'hangs';
    }
    await clock.sleep(10);
  }
  removeServerRecord(folder);
  if (record.address.kind === 'socket') rmSync(record.address.path, { force: true });
  return 'ended';
}

async function askToStop({ address }: ServerRecord, user: string): Promise<'asked' | 'used' | 'silent'> {
  const redis = connectRedis({ address, role: 'probe' });
  try {
    if (hasOtherUsers(String(await redis.client('LIST')), user)) return 'used';
    // The answer to SHUTDOWN is the end of the connection.
    await redis.call('SHUTDOWN', 'NOSAVE').catch(() => undefined);
    return 'asked';
  } catch {
    return 'silent';
  } finally {
    redis.disconnect();
  }
}
