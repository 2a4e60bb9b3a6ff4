import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { copyAssets } from '../setup/copy-assets.mjs';
import { installBudget } from './install-budget.ts';

/**
 * Measures an installation from the clone: what npm packs, with newly compiled code, and what package-lock.json makes
 * npm install with it. Fails where it is larger than its budget.
 */
const root = path.resolve(import.meta.dirname, '../..');

function sizeOf(place) {
  if (!existsSync(place)) return 0;
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** Without the packages that are nested in it: package-lock.json lists them too. */
function sizeOfPackage(place) {
  return sizeOf(place) - sizeOf(path.join(place, 'node_modules'));
}

/** Installed packages of the lock file. The optional ones are the engine with its libraries. */
function lockedSizes() {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const used = Object.entries(lock.packages).filter(([place, { dev }]) => place !== '' && dev !== true);
  const sum = (isOptional) =>
    used
      .filter(([, { optional, devOptional }]) => (optional ?? devOptional ?? false) === isOptional)
      .reduce((total, [place]) => total + sizeOfPackage(path.join(root, place)), 0);
  return [sum(false), sum(true)];
}

/** What npm packs: the compiled code, and all other files. */
function packageSize() {
  const work = path.join(root, '.millrace');
  mkdirSync(work, { recursive: true });
  const build = mkdtempSync(path.join(work, 'install-size-'));
  try {
    const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(tsc, 'utf8'));
    const args = [path.join(path.dirname(tsc), bin.tsc), '-p', 'tsconfig.build.json', '--outDir', build];
    execFileSync(process.execPath, [...args, '--noCheck'], { cwd: root });
    copyAssets(build);
    execFileSync(process.execPath, [path.join(root, 'tools/package/bundle-cli.mjs'), build]);
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ files } = { files: [] }] = JSON.parse(packed);
    const others = files.filter((file) => !file.path.startsWith('build/'));
    return sizeOf(build) + others.reduce((sum, { size }) => sum + size, 0);
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

const [dependencies, engine] = lockedSizes();
const sizes = {
  'the package': packageSize() / 1e6,
  'its dependencies': dependencies / 1e6,
  'the engine': engine / 1e6,
};
for (const what of Object.keys(installBudget)) {
  const [size, allowed] = [sizes[what], installBudget[what]];
  process.stdout.write(`${what}: ${size.toFixed(1)} MB of ${allowed} MB\n`);
  if (size <= allowed) continue;
  process.exitCode = 1;
  process.stdout.write(
    'Every user downloads this. Find what grew, such as a new package. Where the growth is worth it, raise the number in\n' +
      'tools/package/install-budget.ts and in docs/install.md in the same commit, to at most a twentieth above the new size.\n',
  );
}
