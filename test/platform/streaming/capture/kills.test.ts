import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingPostgres, type PostgresServer, startPostgresServer } from '../../../environment/postgres.ts';
import { runKillTrial } from './kill-trial.ts';

describe.skipIf(missingPostgres !== undefined)(`kills (${missingPostgres ?? 'with PostgreSQL'})`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgresServer();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  // `npm run test:deep` has more of them.
  test.each([
    ['COPY_TABLE', 1],
    ['COPY_TABLE_SOFT_DELETE', 2],
    ['CHANGE_LOG', 3],
  ] as const)(
    '%s has lost and doubled nothing after kills, a crash of the server and a dead connection',
    async (transformation, seed) => {
      const trial = { transformation, seed, kills: 2, crashesOfServer: 1, cuts: 1, pace: 15 };
      expect(await runKillTrial(server, trial)).toBeGreaterThan(40);
    },
  );
});
