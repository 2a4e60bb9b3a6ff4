import type { Redis } from 'ioredis';

/** All keys under a prefix as they are now; the result puts exactly that state back, as a restored backup does. */
export async function takeSnapshot(redis: Redis, prefix: string): Promise<() => Promise<void>> {
  const keysNow = (): Promise<string[]> => redis.keys(`${prefix}*`);
  const dumps = await Promise.all(
    (await keysNow()).map(async (key) => [key, await redis.dumpBuffer(key)] as const),
  );
  return async () => {
    const change = redis.multi();
    for (const key of await keysNow()) change.del(key);
    for (const [key, dump] of dumps) change.restore(key, 0, dump);
    await change.exec();
  };
}
