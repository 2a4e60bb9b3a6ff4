import { type Execution, openWarehouse, startExecution, type Warehouse } from '../../engine/index.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import {
  castByHand,
  casts,
  components,
  createTables,
  dividedByHand,
  division,
  handWritten,
} from './engine-pipeline.ts';
import { pairwise, type Row } from './measure.ts';
import { termination } from './termination.ts';

const schema = '"DB.S"';

/** Transformations on many rows, and terminated executions. */
export async function engine(): Promise<Row[]> {
  return [...(await transformation()), ...(await termination())];
}

/** Transformations of a million rows against the same SQL by hand, both on one warehouse. */
async function transformation(): Promise<Row[]> {
  await using warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '2GB' });
  for (const sql of createTables(schema)) await warehouse.run(sql);
  await warehouse.refresh();
  const compare = (text: string, sql: string) =>
    pairwise(
      9,
      async () => {
        const { status, message } = await startOn(warehouse, text).ended;
        if (status !== 'SUCCESS') throw new Error(message);
      },
      async () => void (await warehouse.run(sql)),
    );
  return [
    {
      what: 'a transformation of 20 components, 1,000,000 rows',
      ...(await compare(components, handWritten(schema))),
      referenceName: 'the same SQL by hand in DuckDB',
    },
    {
      what: 'an exact division, 1,000,000 rows',
      ...(await compare(division, dividedByHand(schema))),
      referenceName: 'DuckDB’s inexact division',
    },
    {
      what: 'checked casts of four columns of texts, 1,000,000 rows',
      ...(await compare(casts, castByHand(schema))),
      referenceName: 'DuckDB’s unchecked casts',
    },
  ];
}

function startOn(warehouse: Warehouse, text: string): Execution {
  const file = `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${text.replaceAll(/^(?=.)/gm, '    ')}`;
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
