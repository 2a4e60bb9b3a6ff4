import { join } from 'node:path';
import { runThrough } from './child.mjs';
import { clone, store } from './clone.mjs';
import { withLock } from './lock.mjs';
import { Trouble } from './trouble.mjs';

/**
 * Makes sure that a Redis is at hand. How one is found and fetched is product code (worker/redis), because an
 * installed worker does the same; here Node 24 is there already, which runs TypeScript as it is.
 */
export async function prepareRedis({ node, env }) {
  if (env.MILLRACE_REDIS_URL) return;
  const entry = join(clone, 'tools/setup/redis-under-node24.mjs');
  const code = await withLock(join(store, 'redis.lock'), () =>
    runThrough(node, [entry, join(store, 'redis')], { env }),
  );
  if (code !== 0) throw new Trouble('Nothing was started: the lines above say what is missing.');
}
