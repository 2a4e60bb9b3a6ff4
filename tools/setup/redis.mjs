import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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

/** Provides a PostgreSQL for the demo, and for tests of streaming pipelines and of the engine. Without one, they leave out what needs it. */
export async function preparePostgres({ node, env }) {
  // Found by files alone, so that a prepared clone does not wait for another process.
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  const found = [
    ...(env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'initdb')),
    ...versions.map((version) => join(installed, version, 'bin/initdb')),
    join(store, 'postgres/server/server.json'),
    join(store, 'postgres/unavailable.txt'),
  ];
  if (process.platform !== 'linux' || found.some((file) => existsSync(file))) return;
  const entry = join(clone, 'tools/setup/postgres-under-node24.mjs');
  await withLock(join(store, 'postgres.lock'), () => runThrough(node, [entry], { env }));
}
