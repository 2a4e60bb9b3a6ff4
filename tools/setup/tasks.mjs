import { join } from 'node:path';
import { build, compile } from './build.mjs';
import { check } from './check.mjs';
import { runThrough } from './child.mjs';
import { clone, store } from './clone.mjs';
import { log } from './log.mjs';
import { testInBrowser, withBrowser } from './test-in-browser.mjs';
import { test } from './test.mjs';
import { testInterior } from './test-interior.mjs';
import { testOnServers } from './test-redis.mjs';

/** Runs a TypeScript file of the clone with the arguments after the task's name. */
const entry =
  (file) =>
  ({ node, env }, args) =>
    runThrough(node, ['--', join(clone, file), ...args], { env });

/** Like `entry`, after a new build in `build/`: it then starts the code of an installed package. */
const compiledEntry = (file) => async (tools, args) => {
  const code = await compile(tools);
  return code === 0 ? entry(file)(tools, args) : code;
};

/** The tests of the product, without the tests of tools, pages and the repository. */
const covered = [
  'actions',
  'cli',
  'client',
  'conformance',
  'engine',
  'flows',
  'lib',
  'platform',
  'spec',
  'worker',
];
const withCoverage = ['--coverage', ...covered.map((name) => `test/${name}/`)];

/** The tests that need neither Redis nor PostgreSQL, for systems where nobody installs them: client, review and command line. */
const portable = [
  'client',
  'lib/pipelines',
  'lib/yaml',
  'lib/config',
  'flows/review',
  'cli/kit',
  'cli/review',
].map((name) => `test/${name}/`);

/** Plants faults into the example project, to see whether its tests notice. */
const mutateExample = ['test', '--working-directory', join(clone, 'examples/warehouse'), '--mutate'];

/** The tasks of `npm run …`. `redis`, `postgres`: whether the task needs such a server. `run` resolves to the exit code. */
export const tasks = {
  setup: {
    redis: true,
    postgres: true,
    run: async () => {
      log('everything is ready; try: npm run demo');
      return 0;
    },
  },
  demo: { redis: true, postgres: true, run: entry('tools/demo/main.ts') },
  test: { redis: true, postgres: true, run: test },
  'test:deep': {
    redis: true,
    postgres: true,
    run: ({ node, env }, args) => test({ node, env: { ...env, MILLRACE_TEST_DEPTH: 'deep' } }, args),
  },
  'test:coverage': {
    redis: true,
    postgres: true,
    run: (tools, args) => test(tools, [...withCoverage, ...args]),
  },
  'test:portable': { redis: false, run: (tools, args) => test(tools, [...portable, ...args]) },
  'test:conformance': { redis: false, run: (tools, args) => test(tools, ['test/conformance', ...args]) },
  'test:conformance:faults': { redis: false, run: entry('test/conformance/planted-faults.ts') },
  'test:browser': { redis: true, run: testInBrowser },
  'test:container': { redis: false, run: entry('test/container/main.ts') },
  'test:chaos': { redis: true, run: entry('test/chaos/main.ts') },
  'test:redis': { redis: false, run: testOnServers },
  'test:interior': { redis: true, run: testInterior },
  'test:mutation': {
    redis: false,
    run: (tools, args) => entry('cli/main.ts')(tools, [...mutateExample, ...args]),
  },
  'test:mutation:product': { redis: true, run: entry('tools/mutation/product/main.ts') },
  corpus: { redis: false, run: entry('tools/corpus/main.ts') },
  check: { redis: false, run: check },
  sizes: { redis: false, run: sizes },
  build: { redis: false, run: build },
  compile: { redis: false, run: compile },
  bench: { redis: true, run: compiledEntry('tools/bench/main.ts') },
  'docs:pictures': {
    redis: true,
    run: async (tools, args) => entry('tools/pictures/main.ts')(await withBrowser(tools), args),
  },
  'docs:session': { redis: false, run: entry('tools/session/main.ts') },
  'docs:site': { redis: false, run: entry('tools/site/build.ts') },
  docs: { redis: false, run: entry('tools/docs/generate.ts') },
  millrace: { redis: false, run: inCallersFolder('cli/main.ts') },
};

/** Prints the sizes of the install and of the actions' bundles, and fails above their budgets. */
async function sizes({ node, env }) {
  const codes = [];
  for (const args of [['tools/package/install-size.mjs'], ['tools/actions/bundle.mjs', '--check']])
    codes.push(await runThrough(node, [join(clone, args[0]), ...args.slice(1)], { env }));
  return Math.max(...codes);
}

/** Runs a file in the folder in which the user typed the command: npm runs scripts in the clone. */
function inCallersFolder(file) {
  return ({ node, env }, args) => {
    // The cache must be set before the first file is loaded: stripping types is half of the start time.
    const compiled = join(store, 'compile-cache');
    return runThrough(node, ['--', join(clone, file), ...args], {
      env: { NODE_COMPILE_CACHE: compiled, ...env },
      cwd: env.INIT_CWD ?? process.cwd(),
    });
  };
}
