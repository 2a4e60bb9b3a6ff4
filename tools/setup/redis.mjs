import { join } from 'node:path';
import { runThrough } from './child.mjs';
import { clone, store } from './clone.mjs';
import { withLock } from './lock.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * Provides a Redis. Product code (lib/redis) finds and downloads it, because an installed worker does the same. Node 24 is
 * available at this point, and runs the TypeScript directly.
 */
export async function prepareRedis({ node, env }) {
  if (env.MILLRACE_REDIS_URL) return;
  const entry = join(clone, 'tools/setup/redis-under-node24.mjs');
  const code = await withLock(join(store, 'redis.lock'), () =>
    runThrough(node, [entry, join(store, 'redis')], { env }),
  );
  if (code !== 0) throw new SetupError('Nothing was started. The lines above show what is missing.');
}
