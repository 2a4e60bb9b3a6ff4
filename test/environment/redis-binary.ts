import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../lib/core/ports/ports.ts';
import { provideServerBinary } from '../../lib/redis/server/provide-server-binary.ts';
import type { ServerBinary } from '../../lib/redis/server/server-binary.ts';

/** Finds the server that `npm test` made sure of; fetches it where a test is run by itself. */
export function testServerBinary(): Promise<ServerBinary> {
  return provideServerBinary({
    environment: process.env,
    unpacked: join(import.meta.dirname, '../../.millrace/redis'),
    logger: silentLogger,
  });
}

/** Lends the server program to a worker that is started in `folder`, so that it fetches none. */
export async function lendServerBinary(folder: string): Promise<void> {
  await testServerBinary();
  const unpacked = join(import.meta.dirname, '../../.millrace/redis');
  mkdirSync(join(folder, '.millrace'));
  if (existsSync(unpacked)) symlinkSync(unpacked, join(folder, '.millrace/redis'));
}
