import { log } from './log.mjs';
import { providePostgres, search } from './postgres-server.ts';

// Runs under Node 24 (see redis.mjs). Without PostgreSQL, the tests that need it are skipped, and the demo leaves out streaming.
const logger = { debug() {}, info: log, warn: log, error: log };
try {
  await providePostgres(search, { environment: process.env, logger });
} catch (error) {
  log(`PostgreSQL could not be fetched: ${error.message}`);
}
