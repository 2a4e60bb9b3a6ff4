import { log } from './log.mjs';
import { providePostgres, search } from './postgres-server.ts';

// Runs under Node 24 (see redis.mjs). Without PostgreSQL, only the tests that need it are skipped.
const logger = { debug() {}, info: log, warn: log, error: log };
try {
  await providePostgres(search, { environment: process.env, logger });
} catch (error) {
  log(`PostgreSQL could not be fetched: ${error.message}`);
}
