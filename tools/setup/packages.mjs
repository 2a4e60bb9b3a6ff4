import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './child.mjs';
import { clone } from './clone.mjs';
import { log } from './log.mjs';
import { SetupError } from './setup-error.mjs';

const modules = join(clone, 'node_modules');
const stamp = join(modules, '.millrace-stamp');
/** npm's record of the installed packages. */
const installed = join(modules, '.package-lock.json');

/** Whether node_modules matches package-lock.json. */
export function arePackagesInstalled() {
  return existsSync(installed) && existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === lockFileHash();
}

/** Runs `npm ci` without install scripts. An incomplete install has no stamp, so the next run repeats it. */
export async function installPackages() {
  log('installing packages (npm ci)');
  const { code, both } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    throw new SetupError(
      `npm ci failed:\n${both.trim()}`,
      'Check the network and the registry settings of npm, then run the command again.',
    );
  }
  writeFileSync(stamp, `${lockFileHash()}\n`);
}

/** A hash of the lock file. Its modification time is not usable: a check-out or a copy changes it. */
function lockFileHash() {
  return createHash('sha256')
    .update(readFileSync(join(clone, 'package-lock.json')))
    .digest('hex');
}
