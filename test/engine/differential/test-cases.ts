import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { missingPostgres as missing } from '../../environment/postgres.ts';
import { caseKinds } from './case-kinds.ts';
import { bothResults } from './compare.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { randomTables } from './random-tables.ts';

/** Compares random cases of each kind. `rounds` is their number. */
export function testCases({ seed, rounds }: { readonly seed: number; readonly rounds: number }): void {
  let postgres: Postgres;
  let warehouse: Warehouse;

  // The set-up provides PostgreSQL where the machine's package sources have it. Only this comparison needs it.
  const title = 'the engine and PostgreSQL give equal rows';
  const reason = missing === undefined ? '' : ` (skipped, no PostgreSQL: ${missing})`;
  describe.skipIf(missing !== undefined)(`${title}${reason}`, () => {
    beforeAll(async () => {
      [postgres, warehouse] = await Promise.all([
        startPostgres(),
        openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '500MB' }),
      ]);
    });
    afterAll(async () => {
      await Promise.all([postgres[Symbol.asyncDispose](), warehouse[Symbol.asyncDispose]()]);
    });

    test.each(caseKinds)(
      '$title',
      async ({ tables, cases }) => {
        const property = fc.asyncProperty(cases, randomTables(tables), async (testCase, rows) => {
          const { engine, oracle } = await bothResults(testCase, rows, { warehouse, postgres });
          expect(engine).toEqual(oracle);
        });
        await fc.assert(property, { seed, numRuns: rounds });
      },
      120_000 + rounds * 2000,
    );
  });
}
