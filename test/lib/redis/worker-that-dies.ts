import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { startEmbeddedRedis } from '../../../lib/redis/server/embedded-redis.ts';
import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { testServerBinary } from '../../environment/redis-binary.ts';

// A process that uses an embedded Redis until it is killed: prints the server's process id, then stays.
const embedded = await startEmbeddedRedis({
  directory: process.argv[2] ?? '',
  findBinary: testServerBinary,
  logger: silentLogger,
  clock: systemClock,
});
await connectRedis({ address: embedded.address, role: 'worker' }).set('written', 'before the crash');
process.stdout.write(`${embedded.pid}\n`);
