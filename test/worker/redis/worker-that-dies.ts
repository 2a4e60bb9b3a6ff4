import { silentLogger } from '../../../model/ports.ts';
import { systemClock } from '../../../model/system-clock.ts';
import { startEmbeddedRedis } from '../../../worker/redis/embedded-redis.ts';
import { connectRedis } from '../../../worker/redis/redis-connection.ts';
import { testServerBinary } from '../../redis-binary.ts';

// A process that uses an embedded Redis until it is killed: prints the server's process id, then stays.
const embedded = await startEmbeddedRedis({
  directory: process.argv[2] ?? '',
  findBinary: testServerBinary,
  logger: silentLogger,
  clock: systemClock,
});
await connectRedis({ address: embedded.address, role: 'worker' }).set('written', 'before the crash');
process.stdout.write(`${embedded.pid}\n`);
