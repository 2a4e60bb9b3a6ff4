import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm, runQuietly, runThrough } from './child.mjs';
import { clone, store } from './clone.mjs';
import { log } from './log.mjs';
import { SetupError } from './setup-error.mjs';
import { test } from './test.mjs';

/**
 * Packages of which we use more than the documented interface, and the tests that notice when that changes. Their versions are
 * pinned; decisions 007 and 014 say what is used, and why.
 */
export const interiorTests = {
  bullmq: [
    'test/worker/queue/',
    'test/worker/store/jobs/',
    'test/worker/app/advance-taker.test.ts',
    'test/worker/intake/ingest/ingest-order.test.ts',
    'test/worker/intake/receiver/inbox.test.ts',
    'test/worker/promotion/end-and-delay.test.ts',
    'test/worker/promotion/lost-wake-up.test.ts',
    'test/worker/promotion/report-job.test.ts',
    'test/worker/queue-guards.test.ts',
    'test/worker/redis-cluster.test.ts',
    'test/worker/redis-faults.test.ts',
    'test/worker/web/frozen-redis.test.ts',
  ],
  undici: ['test/lib/http/', 'test/client/transport/', 'test/lib/github/access/pooled-fetch.test.ts'],
  '@actions/github': ['test/lib/github/access/', 'test/lib/github/both-entrances.test.ts'],
};

const packages = Object.keys(interiorTests);
const usage = `npm run test:interior -- [--list | --newest] [${packages.join(' | ')} …], or with --newest a version, such as bullmq@6.7.0`;

/**
 * Runs the tests of what we use of the interior of some packages, of all by default. `--list` prints the tests. `--newest` runs
 * them with the newest version of the pinned major version, or with a named version, in a clone beside this one, which keeps its
 * pinned versions. Resolves to 0 if all passed.
 */
export async function testInterior(tools, args) {
  const options = args.filter((arg) => arg.startsWith('--'));
  const named = args.filter((arg) => !arg.startsWith('--')).map(nameAndVersion);
  const unknown = [
    ...named.map(({ name }) => name).filter((name) => !Object.hasOwn(interiorTests, name)),
    ...options.filter((option) => option !== '--list' && option !== '--newest'),
  ][0];
  if (unknown !== undefined) throw new SetupError(`Unknown package or option "${unknown}".`, usage);
  const chosen = named.length === 0 ? packages.map(nameAndVersion) : named;
  if (options.includes('--list')) {
    for (const { name } of chosen) process.stdout.write(`${name}\n  ${interiorTests[name].join('\n  ')}\n`);
    return 0;
  }
  if (!options.includes('--newest'))
    return test(
      tools,
      chosen.flatMap(({ name }) => interiorTests[name]),
    );
  const results = [];
  for (const one of chosen) results.push(await testNewest(one, tools));
  for (const { text } of results) process.stdout.write(`${text}\n`);
  return results.every(({ code }) => code === 0) ? 0 : 1;
}

/** Reads `bullmq` or `bullmq@6.7.0`; a name may begin with `@`. */
function nameAndVersion(text) {
  const at = text.indexOf('@', 1);
  return at < 0 ? { name: text } : { name: text.slice(0, at), version: text.slice(at + 1) };
}

async function testNewest({ name, version: wanted }, { node, env }) {
  const pinned = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')).dependencies[name];
  const version = wanted ?? (await newestOf(name, pinned.split('.')[0]));
  if (version === pinned) return { text: `${name} ${version} is pinned: nothing is newer`, code: 0 };
  const copy = join(store, 'newest', name);
  rmSync(copy, { recursive: true, force: true });
  log(`testing with ${name} ${version} in ${copy}, without changes that are not committed`);
  try {
    await must('git', ['clone', '--quiet', '--shared', clone, copy], { env });
    const setup = join(copy, 'tools/setup/run.mjs');
    const prepared = await runThrough(node, [setup, 'setup'], { env, cwd: copy });
    if (prepared !== 0) return { text: `${name} ${version}: the set-up failed`, code: prepared };
    // The stamp of the set-up stays: it compares the lock file, which does not change.
    const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    await mustNpm(['install', ...options, '--loglevel=error', `${name}@${version}`], { cwd: copy });
    const code = await runThrough(node, [setup, 'test:interior', name], { env, cwd: copy });
    return { text: `${name} ${version}: ${code === 0 ? 'passed' : 'failed'}`, code };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The newest version of a major version: another one needs a decision (002). */
async function newestOf(name, major) {
  const stdout = await mustNpm(['view', `${name}@${major}`, 'version', '--json']);
  const versions = [JSON.parse(stdout)].flat();
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
}

async function mustNpm(args, options) {
  const { code, stdout, both } = await npm(args, options);
  if (code !== 0)
    throw new SetupError(
      `npm ${args[0]} failed:\n${both.trim()}`,
      'Check the network and the registry settings of npm, then run the command again.',
    );
  return stdout;
}

async function must(command, args, options) {
  const { code, both } = await runQuietly(command, args, options);
  if (code !== 0) throw new SetupError(`${command} ${args[0]} failed:\n${both.trim()}`);
}
