import path from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { RestoreReport } from '../../worker/app/back-up-records.ts';
import { keptIn, notKeptText } from '../../worker/records/not-kept-text.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { linkedFile } from '../kit/write-file-atomically.ts';
import type { Session } from '../kit/session.ts';

/** Writes the records of the Redis of MILLRACE_REDIS_URL, or of the embedded one, to a file. Throws as `backUpRecords`. */
export async function backUpToFile(session: Session, file: string) {
  const { backUpRecords } = await import('../../worker/app/back-up-records.ts');
  const target = await linkedFile(path.resolve(session.here, file));
  return withRedis(session, (address) =>
    backUpRecords({ address, clock: session.io.clock }, target).catch(asFileFailure(file)),
  );
}

/** Replaces the records by the records of a file. Throws as `restoreRecords`. */
export async function restoreFromFile(
  session: Session,
  file: string,
  options: { readonly reason: string; readonly replace: boolean; readonly dryRun: boolean },
): Promise<RestoreReport> {
  const { restoreRecords } = await import('../../worker/app/back-up-records.ts');
  const source = path.resolve(session.here, file);
  return withRedis(session, async (address) => {
    const restored = await restoreRecords({ address, clock: session.io.clock }, source, options).catch(
      asFileFailure(file),
    );
    const kept = options.dryRun ? undefined : keptIn(restored);
    if (kept === 'no' || kept === 'unknown') session.output.logger.warn(notKeptText[kept]);
    return restored;
  });
}

async function withRedis<Answer>(
  { io, settings, output }: Session,
  use: (address: RedisAddress) => Promise<Answer>,
): Promise<Answer> {
  const { openRedis } = await import('../worker/open-redis.ts');
  const { address, close } = await openRedis(io, settings.redisUrl, output.logger);
  try {
    return await use(address);
  } finally {
    await close();
  }
}

/** An error of the file system, as a failure that names the file. */
const asFileFailure =
  (file: string) =>
  (error: unknown): never => {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new Failure('usage', {
      message: `${file} cannot be used: ${error.message}.`,
      where: { input: 'file' },
      hint: 'Give the path of a file that this user may read and write.',
      cause: error,
    });
  };
