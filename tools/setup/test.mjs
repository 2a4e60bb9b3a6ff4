import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tool } from './build.mjs';
import { runThrough } from './child.mjs';
import { clone, store } from './clone.mjs';
import { folderInMemory } from './folder-in-memory.mjs';

/**
 * Runs vitest. The last line of the output is always `N passed, N failed, N skipped`; above it stands each failed test again,
 * because the reports of failures lie thousands of lines apart.
 */
export async function test({ node, env }, args) {
  // Who sets TMPDIR has decided where temporary files are.
  const inMemory = env.TMPDIR === undefined ? folderInMemory() : undefined;
  const folder = inMemory ?? mkdtempSync(join(tmpdir(), 'millrace-test-'));
  // In the clone, where Node finds the packages that are not in it; always the same, so that compiled code is kept.
  const bundle = join(store, 'test-bundle');
  try {
    const covers = args.includes('--coverage');
    // A run inside of a run, as a test of this task starts it, uses the bundle of the outer one.
    const given = env.MILLRACE_TEST_BUNDLE;
    const bundler = join(clone, 'test/environment/processes/bundle-entries.mjs');
    const bundled = given === undefined && !covers ? await runThrough(node, [bundler, bundle], { env }) : 0;
    const file = join(folder, 'counts.json');
    const reporters = [
      '--reporter=default',
      `--reporter=${join(clone, 'tools/setup/counting-reporter.mjs')}`,
    ];
    const tests = [tool('vitest'), 'run', ...reporters, ...args];
    const code =
      bundled !== 0
        ? bundled
        : await runThrough(node, tests, {
            env: {
              ...env,
              ...(covers ? fromSources(folder) : bundles(given ?? bundle, env)),
              ...(inMemory === undefined ? {} : { TMPDIR: inMemory }),
              MILLRACE_TEST_COUNTS: file,
            },
          });
    const counts = finalCounts(read(file), code);
    process.stdout.write(failedTests(counts.failures));
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    return code === 0 && counts.failed > 0 ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The processes of the tests, and the processes that they start, run bundles and keep compiled code. */
function bundles(bundle, env) {
  return {
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? join(store, 'compile-cache'),
    MILLRACE_TEST_BUNDLE: bundle,
  };
}

/**
 * Coverage counts lines of the sources, and is less exact for code from a cache: so all processes run the sources. The scripts
 * of actions are written again, with the sources in place of the bundle that they import.
 */
function fromSources(folder) {
  const shipped = join(clone, 'dist');
  const scripts = join(folder, 'action-scripts');
  mkdirSync(scripts);
  const sources = pathToFileURL(join(clone, 'actions/index.ts')).href;
  const names = readdirSync(shipped).filter((file) => /^[a-z-]+\.js$/u.test(file) && file !== 'index.js');
  for (const name of names) {
    const script = readFileSync(join(shipped, name), 'utf8');
    writeFileSync(join(scripts, name), script.replace("'./index.js'", JSON.stringify(sources)));
  }
  writeFileSync(join(scripts, 'package.json'), '{ "type": "module" }\n');
  return { MILLRACE_TEST_ACTION_SCRIPTS: scripts, MILLRACE_TEST_BUNDLE: undefined };
}

/**
 * A run with an error but without a failed test (a crash, a wrong path), and a run without any test, each count as one
 * failure, so that they do not look like a success.
 */
export function finalCounts(counts, code) {
  const ranNothing = counts.passed + counts.failed === 0;
  return counts.failed === 0 && (code !== 0 || ranNothing) ? { ...counts, failed: 1 } : counts;
}

/** The failures by name, each on a line of its own. */
export function failedTests(failures = []) {
  return failures.length === 0 ? '' : `\nFailed:\n${failures.map((line) => `  ${line}\n`).join('')}`;
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
