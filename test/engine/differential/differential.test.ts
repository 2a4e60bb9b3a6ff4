import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cases } from './cases.ts';
import { bothResults } from './compare.ts';
import { type Postgres, postgresFolder, startPostgres } from './postgres.ts';
import { randomTables } from './random-tables.ts';

const folder = postgresFolder();
let postgres: Postgres;

// PostgreSQL is not part of the set-up: where a machine has none, this comparison cannot run.
describe.skipIf(folder === undefined)('the engine and PostgreSQL give equal rows', () => {
  beforeAll(async () => {
    postgres = await startPostgres(folder ?? '');
  });
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]();
  });

  test.each(cases)('$title', async (given) => {
    await fc.assert(
      fc.asyncProperty(randomTables(given.tables), async (tables) => {
        const { engine, oracle } = await bothResults(given, tables, postgres);
        expect(engine).toEqual(oracle);
      }),
      { seed: 7, numRuns: 4 },
    );
  });
});
