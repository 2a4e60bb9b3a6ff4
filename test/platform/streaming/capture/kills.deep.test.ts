import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingPostgres, type PostgresServer, startPostgresServer } from '../../../environment/postgres.ts';
import { runKillTrial } from './kill-trial.ts';

describe.skipIf(missingPostgres !== undefined)(`kills (${missingPostgres ?? 'with PostgreSQL'})`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgresServer();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  // Together: 102 kills of the process, 21 crashes of the server, 12 dead connections.
  test.each([
    ['COPY_TABLE', 11],
    ['COPY_TABLE_SOFT_DELETE', 12],
    ['CHANGE_LOG', 13],
  ] as const)(
    '%s has lost and doubled nothing after many kills, crashes of the server and dead connections',
    async (transformation, seed) => {
      const trial = { transformation, seed, kills: 34, crashesOfServer: 7, cuts: 4, pace: 20 };
      const statements = await runKillTrial(server, trial);
      expect(statements).toBeGreaterThan(700);
    },
    900_000,
  );
});
