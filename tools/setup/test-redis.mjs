import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runThrough } from './child.mjs';
import { clone } from './clone.mjs';
import { provideRedisServer, redisServers } from './redis-servers.mjs';
import { SetupError } from './setup-error.mjs';
import { test } from './test.mjs';

const usage = `npm run test:redis -- [--tests | --chaos] [${Object.keys(redisServers).join(' | ')} …]`;

/**
 * Runs the tests of the worker and of its connections on each server, or on those that are named; with `--chaos` the trials
 * instead, each in a short version of its long form. Resolves to 0 if all passed.
 */
export async function testOnServers({ node, env }, args) {
  const chaos = args.includes('--chaos');
  const named = args.filter((arg) => arg !== '--chaos' && arg !== '--tests');
  const unknown = named.find((name) => !Object.hasOwn(redisServers, name));
  if (unknown !== undefined) throw new SetupError(`Unknown server "${unknown}".`, usage);
  const results = [];
  for (const name of named.length === 0 ? Object.keys(redisServers) : named) {
    const { bin, version } = await provideRedisServer(name);
    const tools = { node, env: { ...env, PATH: `${bin}${delimiter}${env.PATH}`, MILLRACE_INSTALL: 'never' } };
    const code = chaos
      ? await runThrough(node, [join(clone, 'test/chaos/main.ts'), ...trialsOf(name)], { env: tools.env })
      : await test(tools, ['test/worker/', 'test/lib/redis/']);
    results.push({ text: `${name} (${version}): ${code === 0 ? 'passed' : 'failed'}`, code });
  }
  for (const { text } of results) process.stdout.write(`${text}\n`);
  return results.every(({ code }) => code === 0) ? 0 : 1;
}

/** The page of the trials stays about the usual server. */
const trialsOf = (name) => ['--scale', '0.1', '--page', join(tmpdir(), `reliability-${name}.md`)];
