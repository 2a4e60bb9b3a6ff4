import { join } from 'node:path';
import { build, compile } from './build.mjs';
import { check } from './check.mjs';
import { runThrough } from './child.mjs';
import { clone, store } from './clone.mjs';
import { say } from './say.mjs';
import { testInBrowser, withBrowser } from './test-in-browser.mjs';
import { test } from './test.mjs';

/** Runs one TypeScript file of the clone; the arguments after the task's name are its own. */
const entry =
  (file) =>
  ({ node, env }, args) =>
    runThrough(node, ['--', join(clone, file), ...args], { env });

/** As `entry`, once `build/` is fresh: what an installed package would run is what it starts. */
const compiledEntry = (file) => async (tools, args) => {
  const code = await compile(tools);
  return code === 0 ? entry(file)(tools, args) : code;
};

/** What `npm run …` offers. `redis` says whether the task needs one; `run` resolves to the exit code. */
export const tasks = {
  setup: {
    redis: true,
    run: async () => {
      say('all is ready; try: npm run demo');
      return 0;
    },
  },
  demo: { redis: true, run: entry('tools/demo/main.ts') },
  test: { redis: true, run: test },
  'test:deep': {
    redis: true,
    run: ({ node, env }, args) => test({ node, env: { ...env, MILLRACE_TEST_DEPTH: 'deep' } }, args),
  },
  'test:conformance': { redis: false, run: (tools, args) => test(tools, ['test/conformance', ...args]) },
  'test:conformance:faults': { redis: false, run: entry('test/conformance/planted-faults.ts') },
  'test:browser': { redis: true, run: testInBrowser },
  'test:chaos': { redis: true, run: entry('test/chaos/main.ts') },
  check: { redis: false, run: check },
  build: { redis: false, run: build },
  compile: { redis: false, run: compile },
  bench: { redis: true, run: compiledEntry('tools/bench/main.ts') },
  'docs:pictures': {
    redis: true,
    run: async (tools, args) => entry('tools/pictures/main.ts')(await withBrowser(tools), args),
  },
  docs: { redis: false, run: entry('tools/docs/generate.ts') },
  millrace: { redis: false, run: inCallersFolder('cli/main.ts') },
};

/** npm runs scripts in the clone; a command line must see the folder in which it was typed. */
function inCallersFolder(file) {
  return ({ node, env }, args) => {
    // Before the first file is read: to take the types out of it is half of a start.
    const compiled = join(store, 'compile-cache');
    return runThrough(node, ['--', join(clone, file), ...args], {
      env: { NODE_COMPILE_CACHE: compiled, ...env },
      cwd: env.INIT_CWD ?? process.cwd(),
    });
  };
}
