import process from 'node:process';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** Tests that drive a browser run where one is named: `npm run test:browser` does. */
const browserTests = process.env['MILLRACE_BROWSER'] === undefined ? ['test/browser/**'] : [];

/** `npm run test:deep` runs these, `npm test` all others. */
const deepTests = 'test/**/*.deep.test.ts';
const deep = process.env['MILLRACE_TEST_DEPTH'] === 'deep';

/** Files with a process each: they change or measure what all of a process shares (listeners, timers, memory, hooks). */
const needProcess = [
  'test/browser/**/*.test.ts',
  'test/client/transport/connections.test.ts',
  'test/flows/review/evaluate/hostile-files.test.ts',
  'test/platform/faults.test.ts',
  'test/worker/crash/*.test.ts',
  'test/worker/telemetry/spans.test.ts',
  'test/actions/workflows/github-parser.test.ts',
];

/**
 * Files that start git many times. In a process that has run the tests of the worker, this takes several times as much CPU,
 * because the system copies the page tables of the process. So these files run first, in processes that only they share.
 */
const startGit = [
  'test/cli/{init/init,journey,review/review,review/review-fix}.test.ts',
  'test/flows/publish/*.test.ts',
  'test/flows/review/{review,scope/{baseline,several-projects}}.test.ts',
  'test/flows/review/evaluate/{checks,evaluation-errors,policy-changes,request-review}.test.ts',
  'test/lib/git/**/*.test.ts',
];
const exclude = [...configDefaults.exclude, 'test/**/fixtures/**', ...browserTests];

/** The folders whose tests start processes, workers or servers: their files take longest. */
const longFolders = /\/test\/(?:actions|chaos|cli|tools|worker)\//;

/** Long files first, so that no process is left with one at the end. A clean clone has no durations of an earlier run. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's, which changes no array
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: (typeof sorted)[number]) =>
      2 * ['own', 'git', 'shared'].indexOf(project.name) + (longFolders.test(moduleId) ? 0 : 1);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    projects: deep
      ? [{ extends: true, test: { name: 'deep', include: [deepTests], exclude } }]
      : [
          { extends: true, test: { name: 'own', include: needProcess, exclude: [...exclude, deepTests] } },
          // One process reads the modules for many files.
          {
            extends: true,
            test: { name: 'git', include: startGit, exclude: [...exclude, deepTests], isolate: false },
          },
          {
            extends: true,
            test: {
              name: 'shared',
              include: ['test/**/*.test.ts'],
              exclude: [...exclude, deepTests, ...needProcess, ...startGit],
              isolate: false,
            },
          },
        ],
    pool: 'forks',
    // Node itself reads the TypeScript, as it does outside of tests, and keeps compiled code. Vite's own way would evaluate
    // each module again in each process: about a tenth of all CPU time. No test replaces a module, which needs the loader.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: [
      'test/environment/processes/resolve-own-modules.ts',
      'test/environment/processes/start-through-helper.ts',
    ],
    sequence: { sequencer: LongFilesFirst },
    // Tests wait for processes and timers about as long as they compute: two files for each core keep it busy.
    maxWorkers: 2 * availableParallelism(),
    // Patience costs nothing where all is well: what is waited for comes for sure, on a busy machine later. By default a
    // poll would have one second.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // For `npm run test:coverage`, also of the processes that tests start.
    coverage: {
      provider: 'v8',
      autoAttachSubprocess: true,
      include: ['{actions,cli,client,engine,flows,lib,platform,worker}/**/*.ts'],
      reporter: ['text-summary', 'html'],
      // A little below what decision 019 measured. Raise them with the figures; never lower them for a change.
      thresholds: { statements: 95, branches: 88, functions: 96, lines: 96 },
    },
  },
});
