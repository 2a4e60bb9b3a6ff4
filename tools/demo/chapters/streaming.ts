import { setTimeout as delay } from 'node:timers/promises';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { DemoFailure, expectThat, type Demo } from '../demo.ts';
import { passwordReference, sourceDatabase } from '../demo-source.ts';
import { readTable } from '../read-table.ts';

const staged = 'SALES_DEV.PUBLIC.STG_ORDERS';
const built = 'SALES_DEV.PUBLIC.ORDERS';
const pipelineName = 'daily/build-orders';

/** Streams orders from PostgreSQL into dev, where a pipeline of the version transforms them. */
export async function streaming(demo: Demo, projectId: string): Promise<void> {
  const { servers, narrator, rows } = demo;
  const { client, source } = servers;
  narrator.chapter('Stream orders from PostgreSQL into dev');
  if ('reason' in source) {
    narrator.say(`Left out: ${source.reason}.`);
    rows.push(['orders streamed into dev', 'platform', 'left out: see above']);
    return;
  }
  await source.sql(`
    CREATE TABLE orders (order_id text, customer_id text, product_id text, quantity integer, price numeric(12, 2),
      order_day date, PRIMARY KEY (order_id, product_id));
    INSERT INTO orders VALUES ('o1', 'c1', 'p1', 2, 3.50, '2026-01-02'), ('o2', 'c2', 'p1', 4, 3.50, '2026-01-02'),
      ('o3', 'c1', 'p1', 1, 3.50, '2026-01-01')`);
  const { streamingPipelineId } = await client.streamingPipelines.create(definition(projectId, source.port));
  await client.streamingPipelines.command({ projectId, streamingPipelineId, command: 'start' });
  await until(demo, async () => {
    const { status, reason } = await client.streamingPipelines.status({ projectId, streamingPipelineId });
    expectThat(status !== 'not_running', `the streaming pipeline runs: ${reason ?? ''}`);
    return status === 'streaming';
  });
  const snapshot = (await readTable(servers, 'dev', staged))?.length ?? 0;
  expectThat(snapshot === 3, `the snapshot has the three orders of the source (${snapshot})`);
  narrator.say(
    `A streaming pipeline of the API copies the table orders of a PostgreSQL server: ${staged} has its ${numberOf(snapshot, 'row')}.`,
  );
  const before = await build(demo, projectId);
  await source.sql(
    `UPDATE orders SET quantity = 5 WHERE order_id = 'o2'; INSERT INTO orders VALUES ('o4', 'c2', 'p1', 1, 10, '2026-01-02')`,
  );
  await until(demo, async () => (await readTable(servers, 'dev', staged))?.length === 4);
  const after = await build(demo, projectId);
  expectThat(before.length === 2 && after.length === 3, `${pipelineName} builds the orders of the day`);
  narrator.say(
    `${pipelineName} runs there, and builds ${numberOf(before.length, 'order')} of the day. Then an order changes in PostgreSQL, and one is`,
  );
  narrator.say(`added. Both changes arrive as they happen, and the next execution builds ${built}:`);
  narrator.quote(after);
  rows.push(['orders streamed into dev', 'platform', `snapshot and changes, transformed by ${pipelineName}`]);
}

/** Runs the pipeline in dev, and returns the orders that it built. */
async function build(demo: Demo, projectId: string): Promise<readonly string[]> {
  const { client } = demo.servers;
  const { pipelineExecutionId } = await client.executions.start({
    projectId,
    pipelineName,
    environmentName: 'dev',
  });
  await until(demo, async () => {
    const { result } = await client.executions.get({ projectId, pipelineExecutionId });
    expectThat(result.status !== 'FAILED', `${pipelineName} runs in dev: ${result.message ?? ''}`);
    return result.status === 'SUCCESS';
  });
  return (await readTable(demo.servers, 'dev', built))?.toSorted() ?? [];
}

/** Asks until it is so. */
async function until({ signal }: Demo, isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (await isDone()) return;
    await delay(50, undefined, { signal });
  }
  throw new DemoFailure('The streaming pipeline did not come so far within 30 seconds.');
}

/** The fields of the target that mean nothing on the local platform are needed by others (spec §2.5). */
function definition(projectId: string, port: number) {
  return {
    projectId,
    name: 'orders',
    agentId: '11111111-2222-4333-8444-555555555555',
    streamingSource: {
      type: 'postgres',
      connection: { host: '127.0.0.1', port, ...sourceDatabase, password: passwordReference },
      tables: [{ schema: 'public', table: 'orders' }],
    },
    streamingTarget: {
      type: 'warehouse',
      connection: {
        accountName: 'example-account',
        username: 'loader_dev',
        authentication: {
          type: 'key-pair' as const,
          privateKey: { ...passwordReference, secretName: 'loader-key-dev' },
        },
      },
      role: 'LOADER',
      warehouse: 'LOADING',
      database: 'SALES_DEV',
      stageSchema: 'PUBLIC',
      stageName: 'STAGED',
      stagePrefix: 'STG',
      tableSchema: 'PUBLIC',
      tablePrefixType: 'PREFIX',
      transformationType: 'COPY_TABLE',
      temporalMapping: 'NATIVE',
    },
  };
}
