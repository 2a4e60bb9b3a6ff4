import process from 'node:process';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import type { CaptureArguments } from './kill-trial.ts';
import { testCapture } from './test-capture.ts';

/** A process that a test kills: captures the table `orders` until the signal SIGTERM. */
const { file, ...options } = JSON.parse(process.argv[2] ?? '') as CaptureArguments;
const warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '500MB', file });
const capture = testCapture({ ...options, warehouse, tables: ['orders'], silenceMs: 1500, batchRows: 50 });
capture.start();
process.stdout.write('started\n');
process.once('SIGTERM', () => {
  void capture
    .stop()
    .then(() => warehouse[Symbol.asyncDispose]())
    .then(() => process.exit(0));
});
