import path from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { connectionOfKey } from '../../../lib/redis/connection/one-slot-cluster.ts';
import { readScript } from '../../../lib/redis/scripts/lua-script.ts';
import { holdAll } from '../lanes/hold-all.ts';
import type { Keys } from '../scripts/keys.ts';

/** One key of the records with its content, as Redis serializes it. */
export interface StoredKey {
  readonly name: string;
  /** Milliseconds since the epoch; undefined: it stays. */
  readonly expiresAt: number | undefined;
  /** Its content as `DUMP` gives it, with a checksum and the version of the form. */
  readonly dump: Buffer;
}

/**
 * The format of the records during a restore. It is greater than every real format, so that all workers leave the
 * records alone, even if the restore is interrupted.
 */
export const restoringFormat = 1_000_000;

const { source } = readScript(path.join(import.meta.dirname, 'snapshot.lua'));

/** Reads all records at one moment. Redis does nothing else while it reads them. */
export async function readRecords(redis: Redis, keys: Keys, now: number): Promise<readonly StoredKey[]> {
  const answer = await connectionOfKey(redis, keys.state).callBuffer(
    'EVAL',
    source,
    '1',
    keys.state,
    JSON.stringify({ pattern: `${keys.prefix}:*` }),
  );
  const parts = answer as readonly (Buffer | number)[];
  return Array.from({ length: parts.length / 3 }, (_, i) => {
    const [name, ttl, dump] = parts.slice(3 * i, 3 * i + 3);
    const ms = Number(ttl);
    return { name: String(name), expiresAt: ms < 0 ? undefined : now + ms, dump: dump as Buffer };
  });
}

/** The names of all keys of the records. */
export async function snapshotNames(redis: Redis, keys: Keys): Promise<readonly string[]> {
  const node = connectionOfKey(redis, keys.state);
  const names = new Set<string>();
  let cursor = '0';
  do {
    const [next, page] = await node.scan(cursor, 'MATCH', `${keys.prefix}:*`, 'COUNT', 1_000);
    cursor = next;
    for (const name of page) names.add(name);
  } while (cursor !== '0');
  return [...names];
}

/**
 * Checks whether this Redis understands the content of a key. Rejects with the error of Redis if a newer Redis made
 * it.
 */
export async function tryKey(redis: Redis, keys: Keys, { dump }: StoredKey): Promise<void> {
  const name = `${keys.prefix}:restore-trial`;
  await redis.restore(name, 1_000, dump, 'REPLACE');
  await redis.del(name);
}

/** Keys that are sent in one batch. */
const batchSize = 250;

/** What is written last: the marker and the format, with which workers begin to use the records. */
const lastNames = (keys: Keys): readonly string[] => [keys.state, keys.format];

/**
 * Replaces all records by the records of a backup, and holds every lane. During the restore, and after an
 * interrupted one, the records have `restoringFormat`, so that workers leave them alone. Returns the lanes.
 */
export async function replaceRecords(
  redis: Redis,
  keys: Keys,
  {
    entries,
    hold,
    now,
  }: {
    readonly entries: AsyncIterable<StoredKey>;
    /** As JSON. */
    readonly hold: { readonly json: string; readonly by: string };
    readonly now: number;
  },
): Promise<readonly string[]> {
  await redis.hset(keys.format, { number: restoringFormat, version: 'restore', since: now });
  const last: StoredKey[] = [];
  const old = new Set(await snapshotNames(redis, keys));
  for (const name of lastNames(keys)) old.delete(name);
  let batch: StoredKey[] = [];
  for await (const entry of entries) {
    if (lastNames(keys).includes(entry.name)) last.push(entry);
    else batch.push(entry);
    old.delete(entry.name);
    if (batch.length === batchSize) {
      await restoreAll(redis, batch, now);
      batch = [];
    }
  }
  await restoreAll(redis, batch, now);
  for (const some of batchesOf([...old])) await redis.unlink(...some);
  // As after a restart of Redis: before anything takes effect, workers compare the lanes with the platform and their journals.
  await redis.hset(keys.epoch, { run: 'restored', journalsRun: 'restored' });
  const marker = last.filter(({ name }) => name === keys.state);
  await restoreAll(redis, marker, now);
  const { json, by } = hold;
  const input = {
    prefix: keys.prefix,
    now,
    hold: json,
    fresh: randomUUID(),
    by,
    via: 'command-line',
  } as const;
  const lanes = await holdAll(redis, [keys.state], { ...input, dryRun: false });
  const format = last.filter(({ name }) => name === keys.format);
  if (format.length === 0) await redis.del(keys.format);
  else await restoreAll(redis, format, now);
  return lanes.toSorted();
}

async function restoreAll(redis: Redis, entries: readonly StoredKey[], now: number): Promise<void> {
  const alive = entries.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  if (alive.length === 0) return;
  const pipeline = redis.pipeline();
  for (const { name, expiresAt, dump } of alive) {
    // By the clock of this program, as when it was read: the clock of Redis may differ.
    pipeline.restore(name, expiresAt === undefined ? 0 : expiresAt - now, dump, 'REPLACE');
  }
  for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error;
}

function batchesOf(names: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  for (let i = 0; i < names.length; i += batchSize) batches.push(names.slice(i, i + batchSize));
  return batches;
}
