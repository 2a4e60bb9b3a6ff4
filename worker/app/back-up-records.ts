import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { version } from '../../lib/core/values/version.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';
import { recordFormat } from '../records/record-format.ts';
import { workerTokenName } from '../../lib/config/worker/operator-schema.ts';
import { toJson } from '../../lib/redis/scripts/lua-script.ts';
import { defaultSettings } from '../settings/settings.ts';
import { isOnDisk } from '../store/recovery/on-disk.ts';
import { readRecords, replaceRecords, snapshotNames, tryKey } from '../store/recovery/snapshot.ts';
import { type Keys, keysUnder } from '../store/scripts/keys.ts';
import type { Redis } from 'ioredis';
import { type BackupHeader, readBackup, writeBackup } from './backup-file.ts';
import { refuseNewer, refuseTooOld } from './refuse-other-formats.ts';

interface Records {
  readonly address: RedisAddress;
  readonly clock: Clock;
  /** The beginning of the names of all keys. Default: the prefix of every worker. */
  readonly prefix?: string;
}

/**
 * Writes all records of one moment to a file, while workers run. Throws Failure 'not-found' if there are none, 'records-newer'
 * and 'records-too-old', errors of Redis, and the file system's error.
 */
export async function backUpRecords(
  { clock, ...records }: Records,
  file: string,
): Promise<BackupHeader & { readonly keys: number }> {
  return withRedis(records, 'millrace-backup', async (redis, keys) => {
    await refuseNewer(redis, keys, recordFormat);
    await refuseTooOld(redis, keys);
    const now = clock.now();
    const entries = await readRecords(redis, keys, now);
    if (!entries.some(({ name }) => name === keys.state))
      throw new Failure('not-found', {
        message: `The Redis has no records of a worker (${keys.prefix}), so there is nothing to back up.`,
        hint: 'Set MILLRACE_REDIS_URL to the Redis of the worker. Without it, the command uses the one under .millrace/ in the current folder.',
      });
    const format = Number((await redis.hget(keys.format, 'number')) ?? recordFormat);
    const about = { format, millrace: version, prefix: keys.prefix, at: new Date(now).toISOString() };
    await writeBackup(file, about, entries);
    return { ...about, keys: entries.length };
  });
}

/** What a restore did, or would do in a dry run. */
export interface RestoreReport extends BackupHeader {
  /** Records in the backup. */
  readonly keys: number;
  /** Keys that Redis had before. */
  readonly replaced: number;
  /** The lanes of the backup, which are all on hold. */
  readonly lanes: readonly string[];
  /** Whether Redis has it on its disk; null if Redis does not say it. */
  readonly durable: boolean | null;
}

/** A worker that called Redis less than this before is running, in milliseconds. */
const runningMs = 5_000;

/**
 * Replaces the records by the records of a backup, and holds every lane with the reason, also those that the backup does not have.
 * `replace`: also if there are records. `dryRun`: checks the backup and changes nothing. Throws Failure 'usage' for a file
 * that is not a whole backup, 'conflict' if a worker runs or there are records, 'records-newer', errors of Redis and of the file
 * system.
 */
export async function restoreRecords(
  { clock, ...records }: Records,
  file: string,
  {
    reason,
    replace,
    dryRun,
  }: { readonly reason: string; readonly replace: boolean; readonly dryRun: boolean },
): Promise<RestoreReport> {
  const backup = await readBackup(file);
  const { format, millrace, prefix, at, keys: count, first } = backup;
  return withRedis(records, 'millrace-restore', async (redis, keys) => {
    if (prefix !== keys.prefix || format > recordFormat)
      throw new Failure('records-newer', {
        message: `The backup of ${at} has format ${format} of the records, which Millrace ${millrace} wrote. This is Millrace ${version}, which knows formats up to ${recordFormat}. Nothing was changed.`,
        hint: `Restore it with Millrace ${millrace} or later.`,
      });
    const now = clock.now();
    await refuseRunning(redis, keys, now);
    const names = await snapshotNames(redis, keys);
    if (names.length > 0 && !replace)
      throw new Failure('conflict', {
        message: `The Redis has records of a worker already: ${names.length} keys, ${await redis.scard(keys.lanes)} lanes. Nothing was changed.`,
        where: { input: '--replace' },
        hint: 'Make a backup of them, then repeat the command with --replace, or name an empty Redis in MILLRACE_REDIS_URL.',
      });
    if (first !== undefined) await refuseOtherForm(redis, keys, first);
    const report = { format, millrace, prefix, at, keys: count, replaced: names.length };
    if (dryRun) return { ...report, lanes: [], durable: null };
    const by = workerTokenName;
    const json = toJson({ cause: 'manual', by, via: 'command-line', reason, since: now });
    const lanes = await replaceRecords(redis, keys, { entries: backup.entries(), hold: { json, by }, now });
    const kept = await isOnDisk(redis, keys, { call: undefined, replicas: 0 });
    return { ...report, lanes, durable: kept ?? null };
  });
}

async function withRedis<Answer>(
  { address, prefix = defaultSettings.prefix }: Omit<Records, 'clock'>,
  name: string,
  use: (redis: Redis, keys: Keys) => Promise<Answer>,
): Promise<Answer> {
  const redis = connectRedis({ address, role: 'worker', name });
  try {
    return await use(redis, keysUnder(prefix));
  } finally {
    redis.disconnect();
  }
}

/** What a running worker stores during a restore would be lost. */
async function refuseRunning(redis: Redis, keys: Keys, now: number): Promise<void> {
  const calls = Object.values(await redis.hgetall(keys.workers)).map((call) =>
    Number(call.split(' ')[1] ?? 0),
  );
  const age = now - Math.max(0, ...calls);
  if (age >= runningMs) return;
  throw new Failure('conflict', {
    message: `A worker used this Redis ${Math.max(0, Math.round(age / 1_000))} s ago. Nothing was changed.`,
    hint: `Stop all workers, wait ${runningMs / 1_000} seconds, then repeat the command.`,
  });
}

/** Redis refuses the content of a key that a newer Redis wrote; before anything is replaced. */
async function refuseOtherForm(redis: Redis, keys: Keys, first: Parameters<typeof tryKey>[2]): Promise<void> {
  try {
    await tryKey(redis, keys, first);
  } catch (cause) {
    throw new Failure('redis-unsuitable', {
      message: `This Redis does not accept the backup: ${messageOf(cause)}. Nothing was changed.`,
      hint: 'Restore it into the version of Redis that it was made with, or a newer one. If Redis limits the rights of users, the user needs +restore and +scan.',
      cause,
    });
  }
}
