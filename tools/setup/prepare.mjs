import { delimiter, dirname, join } from 'node:path';
import { clone, store } from './clone.mjs';
import { withLock } from './lock.mjs';
import { fetchNode24, node24AtHand } from './node24.mjs';
import { installPackages, packagesAreThere } from './packages.mjs';
import { prepareRedis } from './redis.mjs';
import { say } from './say.mjs';

/**
 * Makes sure of packages, Node 24 and, where the task wants one, a Redis. Where all is there it costs a few file
 * reads and takes no lock; otherwise one set-up at a time works in a clone.
 */
export async function prepare({ redis }) {
  let node = node24AtHand();
  if (node === undefined || !packagesAreThere()) {
    node = await withLock(join(store, 'setup.lock'), async () => {
      // Asked again: whoever held the lock before us may have done it all.
      if (!packagesAreThere()) await installPackages();
      return node24AtHand() ?? (await fetchNode24());
    });
    say('packages and Node 24 are ready');
  }
  const env = {
    ...process.env,
    PATH: [dirname(node), join(clone, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  };
  if (redis) await prepareRedis({ node, env });
  return { node, env };
}
