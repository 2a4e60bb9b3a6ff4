import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './child.mjs';
import { clone } from './clone.mjs';
import { say } from './say.mjs';
import { Trouble } from './trouble.mjs';

const modules = join(clone, 'node_modules');
const stamp = join(modules, '.millrace-stamp');
/** npm's own record of what it installed: where it says the same as the lock file, an install by hand counts too. */
const installed = join(modules, '.package-lock.json');

/** True where node_modules holds what package-lock.json asks for. */
export function packagesAreThere() {
  return existsSync(installed) && existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === wanted();
}

/** `npm ci`, without any package's install script. Half an install leaves no stamp, so the next run begins again. */
export async function installPackages() {
  say('installing packages (npm ci)');
  const { code, both } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    throw new Trouble(
      `npm ci failed:\n${both.trim()}`,
      'Check the network and the registry settings of npm, then run the command again.',
    );
  }
  writeFileSync(stamp, `${wanted()}\n`);
}

/** By content, not by time: a checkout or a copy changes times without changing what is wanted. */
function wanted() {
  return createHash('sha256')
    .update(readFileSync(join(clone, 'package-lock.json')))
    .digest('hex');
}
