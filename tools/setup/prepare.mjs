import { delimiter, dirname, join } from 'node:path';
import { clone, store } from './clone.mjs';
import { withLock } from './lock.mjs';
import { fetchNode24, findNode24 } from './node24.mjs';
import { installPackages, arePackagesInstalled } from './packages.mjs';
import { preparePostgres, prepareRedis } from './redis.mjs';
import { log } from './log.mjs';

/**
 * Provides packages, Node 24 and, if the task needs them, a Redis and a PostgreSQL. If everything is available, it costs a few file reads and
 * takes no lock. Otherwise only one set-up at a time runs in a clone.
 */
export async function prepare({ redis, postgres }) {
  let node = findNode24();
  if (node === undefined || !arePackagesInstalled()) {
    node = await withLock(join(store, 'setup.lock'), async () => {
      // Check again: the previous owner of the lock may have installed everything.
      if (!arePackagesInstalled()) await installPackages();
      return findNode24() ?? (await fetchNode24());
    });
    log('packages and Node 24 are ready');
  }
  const env = {
    ...process.env,
    PATH: [dirname(node), join(clone, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  };
  if (redis) await prepareRedis({ node, env });
  if (postgres) await preparePostgres({ node, env });
  return { node, env };
}
