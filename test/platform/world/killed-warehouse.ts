import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openWarehouse } from '../../../engine/index.ts';
import { defaultSeed, type Seed } from '../../../platform/index.ts';
import { type Child, serve } from '../child.ts';
import { readExecution, startExecution } from './run-execution.ts';
import { form } from '../talk.ts';

const rowsOfBig = 400;
/** One statement adds a pair of rows, the next one replaces a table: each must be whole, or as it was. */
const statements = `
insert into pairs select coalesce(max(n), 0) + 1, 'first' from pairs union all select coalesce(max(n), 0) + 1, 'second' from pairs;
create or replace table big as with recursive r as (select 1 as n union all select n + 1 from r where n < ${rowsOfBig}) select n, 'text ' || n as t from r;`;

const head = 'type: orchestration\nversion: "1.0"\npipeline:\n  components:\n';
const files = {
  'work.orch.yaml': `${head}    Start: { type: start, transitions: { unconditional: [Write] } }
    Write: { type: sql-executor, parameters: { scriptLocation: File, fileName: write.sql } }
`,
  // The last statement never ends: the execution runs whenever it is killed.
  'write.sql': `create table if not exists pairs (n number, s varchar);${statements.repeat(40)}
with recursive r as (select 1 as n union all select n from r) select count(*) as n from r;`,
};

const seed: Seed = { ...defaultSeed, settings: { execution: 'engine', componentTime: 0 } };

/** How many pairs the inspector shows. */
async function pairsShown(child: Child): Promise<number> {
  const list = await child.send('GET', '/_platform/tables.json');
  const [{ id } = { id: 0 }] = (list.body as { environments: { id: number }[] }).environments;
  const { body } = await child.send('GET', `/_platform/tables/${id}?format=json`);
  const { tables } = body as { tables: { name: string; rows: number }[] };
  return (tables.find(({ name }) => name === 'DEV.PUBLIC.PAIRS')?.rows ?? 0) / 2;
}

/** What the killed process left, read without the platform. */
async function inspect(data: string) {
  const folder = join(data, 'warehouses');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const file = join(folder, names.find((name) => name.endsWith('.duckdb')) ?? '');
  await using warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '500MB', file });
  const has = (table: string) =>
    warehouse.catalog.find({ database: 'DEV', schema: 'PUBLIC', table }) !== undefined;
  const row = async (sql: string) => (await warehouse.query(sql, { maxRows: 1 })).rows[0] ?? [];
  const numbers = `count(*) FILTER ("S" = 'first'), count(*) FILTER ("S" = 'second'), count(DISTINCT "N"), coalesce(max("N"), 0)`;
  return {
    pairs: has('PAIRS') ? (await row(`SELECT ${numbers} FROM "DEV.PUBLIC"."PAIRS"`)).map(Number) : [0],
    big: has('BIG')
      ? (await row('SELECT count(*), count(DISTINCT "N"), max("N") FROM "DEV.PUBLIC"."BIG"')).map(Number)
      : undefined,
  };
}

/** Declares the test with this many kills. */
export function testKilledWarehouse(kills: number): void {
  test(
    `killed ${kills} times during a query, it opens its tables each time with every statement whole`,
    { timeout: 60_000 + kills * 20_000 },
    async () => {
      const data = mkdtempSync(join(tmpdir(), 'platform-killed-'));
      onTestFinished(() => rmSync(data, { recursive: true, force: true }));
      let before: string | undefined;
      let committed = 0;
      for (let round = 0; round < kills; round += 1) {
        await using child = await serve(data, '', seed);
        if (before === undefined)
          await child.send('POST', `${child.project}/artifacts`, form(files), {
            versionName: '1',
            environmentName: 'dev',
            commitHash: 'abc',
          });
        else
          expect(await readExecution(child, before)).toMatchObject({
            status: 'FAILED',
            message:
              'The local platform stopped while this execution was running. Start the execution again.',
            finishedAt: expect.any(String) as unknown,
          });
        before = await startExecution(child, 'work');
        // Another moment each time: within the first statements, or at some distance from them.
        const wanted = committed + ((round * 7) % 12);
        await vi.waitFor(
          async () => {
            committed = Math.max(committed, await pairsShown(child));
            expect(committed).toBeGreaterThanOrEqual(wanted);
          },
          { timeout: 60_000, interval: 1 + ((round * 5) % 9) },
        );
        await child.kill();
        const { pairs, big } = await inspect(data);
        const [last = 0] = pairs.toReversed();
        expect(last).toBeGreaterThanOrEqual(committed);
        expect(pairs).toEqual(pairs.map(() => last));
        if (big !== undefined) expect(big).toEqual([rowsOfBig, rowsOfBig, rowsOfBig]);
        committed = last;
      }
    },
  );
}
