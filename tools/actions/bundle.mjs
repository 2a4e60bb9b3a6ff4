import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from '../setup/lock.mjs';
import { bundleLicences } from './bundle-licences.ts';
import { overBudget } from './bundle-size.ts';

/**
 * Bundles the actions into `dist/`, which GitHub runs as it is: one bundle by ncc, made of emitted JavaScript (ncc
 * cannot read TypeScript 7), and a stub for each action. With `--check` it writes nothing, and fails where `dist/` or
 * an `action.yml` is stale, or `dist/` larger than its budget. Always emits afresh, so that what it says does not depend on an older build.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const dist = join(root, 'dist');
const check = process.argv.includes('--check');
const stubs = {
  review: 'startReview',
  publish: 'startPublish',
  'publish-shared': 'startPublishShared',
  promote: 'startPromote',
  run: 'startRun',
  'run-post': 'startRunPost',
  comment: 'startComment',
  diff: 'startDiff',
  drift: 'startDrift',
  rollback: 'startRollback',
  test: 'startTest',
  variables: 'startVariables',
  'job-process': 'startJobProcess',
};

/** Runs a script of a package with this Node. */
function run(script, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    encoding: 'utf8',
    ...options,
  });
  if (error !== undefined) throw error;
  return { status, text: `${stdout}${stderr}` };
}

function must({ status, text }, what) {
  if (status === 0) return;
  process.stderr.write(`${what} failed:\n${text}\n`);
  process.exit(1);
}

/**
 * Copies `@actions/core` to a folder where the bundler finds it first, and marks the copy as free of side effects. Without
 * the mark, its OIDC client, which Millrace does not use, would load all of undici at the start of every step.
 */
function copyToolkit(folder) {
  const place = join('node_modules', '@actions', 'core');
  const copy = join(folder, place);
  cpSync(join(root, place), copy, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, sideEffects: false }));
}

/** Every file of the new `dist/`: name → bytes. */
function bundle() {
  // Below the clone, so that node_modules is found; always the same, because module ids are made from paths.
  const work = join(root, '.millrace', 'bundle');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const emitted = join(work, 'emitted');
    const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(tsc, 'utf8'));
    must(
      run(join(dirname(tsc), bin.tsc), [
        '-p',
        'tsconfig.build.json',
        '--outDir',
        emitted,
        '--declaration',
        'false',
        '--noCheck',
        // Every step loads the bundle at its start. Comments are in the sources.
        '--removeComments',
      ]),
      'tsc',
    );
    writeFileSync(join(emitted, 'package.json'), '{ "type": "module" }\n');
    copyToolkit(emitted);
    const ncc = createRequire(import.meta.url).resolve('@vercel/ncc/dist/ncc/cli.js');
    const out = join(work, 'out');
    const stats = join(work, 'stats.json');
    must(
      run(ncc, [
        'build',
        join(emitted, 'actions', 'index.js'),
        '--out',
        out,
        '--stats-out',
        stats,
        '--no-cache',
        '--target',
        'es2022',
        '--quiet',
      ]),
      'ncc',
    );
    // ncc writes the path of each module into the bundle. Remove the temporary folder from these paths.
    const place = `./${relative(root, emitted)}/`;
    const clean = (name) => Buffer.from(readFileSync(join(out, name), 'utf8').replaceAll(place, './'));
    const files = new Map(readdirSync(out).map((name) => [name, clean(name)]));
    for (const [name, start] of Object.entries(stubs)) {
      files.set(`${name}.js`, Buffer.from(`import { ${start} } from './index.js';\n\nawait ${start}();\n`));
    }
    files.set('licenses.txt', Buffer.from(bundleLicences(JSON.parse(readFileSync(stats, 'utf8')))));
    return files;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const tables = run(join(root, 'tools/actions/generate.ts'), check ? ['--check'] : []);
must(tables, 'tools/actions/generate.ts');
// One at a time in a clone: they share a folder.
const files = await withLock(join(root, '.millrace', 'bundle.lock'), async () => bundle());
const present = existsSync(dist) ? readdirSync(dist) : [];
const stale = [
  ...[...files].filter(
    ([name, bytes]) => !present.includes(name) || !readFileSync(join(dist, name)).equals(bytes),
  ),
  ...present.filter((name) => !files.has(name)).map((name) => [name]),
].map(([name]) => relative(root, join(dist, name)));
if (check) {
  const complaints = overBudget(files);
  if (stale.length > 0) complaints.unshift(`stale: ${stale.join(', ')}`, 'Run: npm run build');
  if (complaints.length > 0) {
    process.stdout.write(`${complaints.join('\n')}\n`);
    process.exitCode = 1;
  }
} else {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  for (const [name, bytes] of files) writeFileSync(join(dist, name), bytes);
  const total = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  process.stdout.write(`dist/: ${files.size} files, ${total} bytes\n`);
}
