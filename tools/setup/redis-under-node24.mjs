import { describeFailure, Failure } from '../../lib/core/errors/failure.ts';
import { provideServerBinary } from '../../lib/redis/server/provide-server-binary.ts';
import { runCommand } from '../../lib/redis/server/command.ts';
import { findServerBinary } from '../../lib/redis/server/server-binary.ts';
import { log } from './log.mjs';

// Runs under Node 24 (see redis.mjs), because the code that finds and downloads a Redis is TypeScript of the product.
const [unpacked = ''] = process.argv.slice(2);
const search = { environment: process.env, unpacked };
const logger = { debug() {}, info: log, warn: log, error: log };

try {
  if ((await findServerBinary(search)) === undefined) {
    if (process.env.MILLRACE_INSTALL === 'system') await installSystemPackage();
    const server = await provideServerBinary({ ...search, logger });
    log(`Redis ${server.version} is ready`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Failure ? describeFailure(error) : error.stack}\n`);
  process.exitCode = 1;
}

/** Runs only with MILLRACE_INSTALL=system. After a failure, the download into the clone follows. */
async function installSystemPackage() {
  log('installing redis-server on this machine, because MILLRACE_INSTALL=system');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  await runCommand('apt-get', ['update', '-qq'], { environment });
  const { code, stderr } = await runCommand('apt-get', ['install', '-qq', '-y', 'redis-server'], {
    environment,
  });
  if (code !== 0) log(`installing redis-server failed: ${stderr.trim().split('\n').at(-1)}`);
}
