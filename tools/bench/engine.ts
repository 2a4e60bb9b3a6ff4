import { type Execution, openWarehouse, startExecution, type Warehouse } from '../../engine/index.ts';
import { systemClock } from '../../lib/core/system-clock.ts';
import { components, createTables, handWritten } from './engine-pipeline.ts';
import { pairwise, type Row } from './measure.ts';
import { tests } from './tests.ts';

const schema = '"DB.S"';
const file = `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${components.replaceAll(/^(?=.)/gm, '    ')}`;

/** A transformation on many rows, and tests of pipelines. */
export async function engine(): Promise<Row[]> {
  return [...(await transformation()), ...(await tests())];
}

/** A transformation of twenty components on a million rows against the same SQL, both on one warehouse. */
async function transformation(): Promise<Row[]> {
  await using warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '2GB' });
  for (const sql of createTables(schema)) await warehouse.run(sql);
  await warehouse.refresh();
  const both = await pairwise(
    9,
    async () => {
      const { status, message } = await startOn(warehouse).ended;
      if (status !== 'SUCCESS') throw new Error(message);
    },
    async () => void (await warehouse.run(handWritten(schema))),
  );
  return [
    {
      what: 'a transformation of 20 components, 1,000,000 rows',
      ...both,
      referenceName: 'the same SQL by hand in DuckDB',
    },
  ];
}

function startOn(warehouse: Warehouse): Execution {
  return startExecution({
    id: 'bench',
    pipeline: 'bench',
    environment: 'dev',
    paths: ['bench.tran.yaml'],
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
