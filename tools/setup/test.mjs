import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    // A run inside of a run, as a test of this task starts it, uses the bundle of the outer one.
    const given = env.MILLRACE_TEST_BUNDLE;
    const bundler = join(clone, 'test/environment/processes/bundle-entries.mjs');
    const bundled = given === undefined ? await runThrough(node, [bundler, bundle], { env }) : 0;
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
              ...compileCache(args),
              ...env,
              ...(inMemory === undefined ? {} : { TMPDIR: inMemory }),
              MILLRACE_TEST_COUNTS: file,
              MILLRACE_TEST_BUNDLE: given ?? bundle,
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

/** The processes of the tests, and those that they start, keep compiled code. Coverage would be less exact with it. */
function compileCache(args) {
  return args.includes('--coverage') ? {} : { NODE_COMPILE_CACHE: join(store, 'compile-cache') };
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
