import { join } from 'node:path';
import { silentLogger } from '../../lib/core/ports.ts';
import { provideServerBinary } from '../../lib/redis/provide-server-binary.ts';
import type { ServerBinary } from '../../lib/redis/server-binary.ts';

/** Finds the server that `npm test` made sure of; fetches it where a test is run by itself. */
export function testServerBinary(): Promise<ServerBinary> {
  return provideServerBinary({
    environment: process.env,
    unpacked: join(import.meta.dirname, '../../.millrace/redis'),
    logger: silentLogger,
  });
}
