import { expect, test } from 'vitest';
import { inBatches } from '../../../engine/dialect/write/sql/in-batches.ts';
import {
  FUNCTIONS,
  registerFunctions,
  type RunningStatement,
} from '../../../engine/duckdb/values/functions.ts';
import { type Duckdb, loadDuckdb } from '../../../engine/duckdb/connection/load-duckdb.ts';
import { openSmall, valueOf } from './open.ts';

/** DuckDB's package that notes how many rows it gives to a function at once; `running` is being ended after the first call. */
function noting(duckdb: Duckdb, counts: number[], running?: RunningStatement): Duckdb {
  class NotingFunction extends duckdb.DuckDBScalarFunction {
    static override create(definition: Parameters<Duckdb['DuckDBScalarFunction']['create']>[0]) {
      return duckdb.DuckDBScalarFunction.create({
        ...definition,
        mainFunction(info, input, output) {
          counts.push(input.rowCount);
          definition.mainFunction(info, input, output);
          if (running !== undefined) running.isEnding = true;
        },
      });
    }
  }
  return { ...duckdb, DuckDBScalarFunction: NotingFunction };
}

const statement = (): RunningStatement => ({ isEnding: false, orderedTypes: new Map() });

test.each([
  ['short', 10, 2048],
  ['long', 1500, 400],
  ['large', 5000, 400],
])('a function gets rows with %s texts at once as far as they are short', async (_, length, most) => {
  const duckdb = await loadDuckdb();
  const counts: number[] = [];
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  registerFunctions(noting(duckdb, counts), connection, { memoryLimit: '500MB', running: statement() });
  const json = inBatches('t', (text) => `${FUNCTIONS.json}(${text})`);
  const rows = `SELECT '["' || repeat('a', ${length}) || i || '"]' AS t FROM range(2048) r(i)`;
  const reader = await connection.runAndReadAll(`SELECT count(*) FILTER (${json} = t) FROM (${rows})`);
  connection.closeSync();
  instance.closeSync();
  expect(Number(reader.value(0, 0))).toBe(2048);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2048);
  expect(Math.max(...counts)).toBeLessThanOrEqual(most);
});

test('a function computes nothing more once its statement is being ended', async () => {
  const duckdb = await loadDuckdb();
  const counts: number[] = [];
  const running = statement();
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  registerFunctions(noting(duckdb, counts, running), connection, { memoryLimit: '500MB', running });
  const json = inBatches("'[\"' || repeat('1', 5000) || i || '\"]'", (text) => `${FUNCTIONS.json}(${text})`);
  await expect(connection.run(`SELECT ${json} FROM range(2048) r(i)`)).rejects.toThrow('is being ended');
  connection.closeSync();
  instance.closeSync();
  expect(counts).toHaveLength(2);
});

test('a semi-structured value of more than 16 MiB is refused', async () => {
  await using warehouse = await openSmall({ memoryLimit: '500MB' });
  const value = (length: number) => `SELECT length(${FUNCTIONS.json}('"' || repeat('x', ${length}) || '"'))`;
  expect(await valueOf(warehouse, value(16 * 1024 * 1024 - 2))).toBe(16 * 1024 * 1024);
  await expect(valueOf(warehouse, value(16 * 1024 * 1024))).rejects.toThrow(
    'a semi-structured value would have more than 16777216 characters',
  );
});
