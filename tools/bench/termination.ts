import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openWarehouse, startExecution, type Warehouse } from '../../engine/index.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { type Row, sampleOf } from './measure.ts';

const numbers = (count: number) =>
  `with recursive d as (select 0 as n union all select n + 1 from d where n < ${count - 1})`;
const json = (length: number) =>
  `${numbers(2_000)} select max(array_size(parse_json('[' || repeat('{"a":1,"b":"xyz"},', ${Math.floor(length / 18)}) || to_varchar(a.n) || ']'))) from d a, d b`;

const table = `create or replace table big as ${numbers(3_000)} select a.n * 3000 + b.n as n, to_varchar(a.n) as t from d a, d b where a.n < 500`;

/** Statements that take long to end: a commit, and what the engine itself does with many rows at once. */
const statements: Readonly<Record<string, string>> = {
  'UPDATE of 1,500,000 rows in a file': "update big set n = n + 1, t = t || 'x'",
  'JSON texts of 1 kB': json(1_000),
  'JSON texts of 4 kB': json(4_000),
  'JSON texts of 60 kB': json(60_000),
};

/** From the termination of an execution to its end, at different moments of its statement. */
export async function termination(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    const file = path.join(folder, 'warehouse.duckdb');
    await using warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '1GB', file });
    const { status, message } = await start(warehouse, table).ended;
    if (status !== 'SUCCESS') throw new Error(message);
    const rows: Row[] = [];
    for (const [what, sql] of Object.entries(statements)) rows.push(await rowOf(warehouse, what, sql));
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rowOf(warehouse: Warehouse, what: string, sql: string): Promise<Row> {
  const ours: number[] = [];
  const free: number[] = [];
  for (let trial = 0; trial < 10; trial += 1) {
    const execution = start(warehouse, sql);
    const after = 100 + trial * 130;
    // Counted from the moment at which it should happen: a function of the engine may keep this process busy.
    const due = performance.now() + after;
    await delay(after);
    execution.terminate(true);
    const { status, message } = await execution.ended;
    if (status === 'FAILED') throw new Error(message);
    const end = performance.now() - due;
    await warehouse.query('SELECT 1', { maxRows: 1 });
    if (status === 'SUCCESS') continue;
    ours.push(end);
    free.push(performance.now() - due);
  }
  return {
    what: `a terminated execution ends: ${what}`,
    ours: sampleOf(ours),
    reference: sampleOf(free),
    referenceName: 'DuckDB has ended the statement',
  };
}

function start(warehouse: Warehouse, sqlScript: string) {
  const file = `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Run] } }
    Run: { type: sql-script, parameters: { sqlScript: ${JSON.stringify(sqlScript)} } }
`;
  return startExecution({
    id: 'bench',
    pipeline: 'bench',
    environment: 'dev',
    paths: ['bench.orch.yaml'],
    files: () => file,
    scalarVariables: {},
    gridVariables: {},
    projectVariables: new Map(),
    script: [],
    componentTimeMs: 0,
    clock: systemClock,
    engine: { warehouse, kind: 'WAREHOUSE_ONE', defaults: { database: 'DB', schema: 'S' } },
    onChange: () => undefined,
  });
}
