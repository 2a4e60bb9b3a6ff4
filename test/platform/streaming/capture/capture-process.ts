import process from 'node:process';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { Capture } from '../../../../platform/streaming/capture/capture.ts';
import { openSource } from '../../../../platform/streaming/source/open-source.ts';
import type { CaptureArguments } from './kill-trial.ts';

/** A process that a test kills: captures the table `orders` until the signal SIGTERM, or the end of its input. */
const { file, folder, id, port, database, transformation } = JSON.parse(
  process.argv[2] ?? '',
) as CaptureArguments;
const warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '500MB', file });
const capture = new Capture({
  id,
  name: 'orders',
  tables: [{ schema: 'public', table: 'orders' }],
  openSource: () =>
    openSource({
      host: '127.0.0.1',
      port,
      database,
      username: 'postgres',
      password: 'secret',
      sslMode: 'disable',
      connectMs: 5000,
      silenceMs: 1500,
    }),
  openTarget: async () => ({
    warehouse,
    kind: 'WAREHOUSE_ONE',
    options: {
      database: 'RAW',
      schema: 'PUBLIC',
      sourceDatabase: database,
      prefixType: 'NONE',
      prefix: '',
      transformation,
      temporal: 'NATIVE',
    },
  }),
  folder,
  clock: { now: () => systemClock.now(), sleep: (_ms, signal) => systemClock.sleep(50, signal) },
  logger: { ...silentLogger, warn: (_, fields) => process.stdout.write(`${JSON.stringify(fields)}\n`) },
  batchRows: 50,
});
capture.start();
process.stdout.write('started\n');
process.once('SIGTERM', () => {
  void capture
    .stop()
    .then(() => warehouse[Symbol.asyncDispose]())
    .then(() => process.exit(0));
});
