import { describeFailure, Failure } from '../../lib/core/failure.ts';
import { provideServerBinary } from '../../lib/redis/provide-server-binary.ts';
import { runCommand } from '../../lib/redis/command.ts';
import { findServerBinary } from '../../lib/redis/server-binary.ts';
import { say } from './say.mjs';

// Run by Node 24 (see redis.mjs): the code that finds and fetches a Redis is TypeScript of the product.
const [unpacked = ''] = process.argv.slice(2);
const search = { environment: process.env, unpacked };
const logger = { debug() {}, info: say, warn: say, error: say };

try {
  if ((await findServerBinary(search)) === undefined) {
    if (process.env.MILLRACE_INSTALL === 'system') await installOnTheMachine();
    const server = await provideServerBinary({ ...search, logger });
    say(`Redis ${server.version} is ready`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Failure ? describeFailure(error) : error.stack}\n`);
  process.exitCode = 1;
}

/** Only where the person asked for it. If it fails, fetching into the clone is tried all the same. */
async function installOnTheMachine() {
  say('installing redis-server on this machine, because MILLRACE_INSTALL=system');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  await runCommand('apt-get', ['update', '-qq'], { environment });
  const { code, stderr } = await runCommand('apt-get', ['install', '-qq', '-y', 'redis-server'], {
    environment,
  });
  if (code !== 0) say(`that failed: ${stderr.trim().split('\n').at(-1)}`);
}
