import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { openWarehouse, startExecution } from '../../../engine/index.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { Capture } from '../../../platform/streaming/capture/capture.ts';
import { openSource } from '../../../platform/streaming/source/open-source.ts';
import { components, createTables } from '../engine-pipeline.ts';
import { answerOrders, costOf } from './answer-orders.ts';
import type { Order, ProgramArguments, Seen } from './programs.ts';

// A process of its own, started by `programs.ts`: the capture of the product into a warehouse in a file.
const { source, folder, transformation } = JSON.parse(process.argv[2] ?? '') as ProgramArguments;

const warehouse = await openWarehouse({
  kind: 'WAREHOUSE_ONE',
  memoryLimit: '500MB',
  file: path.join(folder, 'ours.duckdb'),
});
const capture = new Capture({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'orders',
  tables: [{ schema: 'public', table: 'orders' }],
  openSource: () => openSource({ ...source, sslMode: 'disable', connectMs: 10_000, silenceMs: 60_000 }),
  openTarget: async () => ({
    warehouse,
    kind: 'WAREHOUSE_ONE',
    options: {
      database: 'DB',
      schema: 'S',
      sourceDatabase: source.database,
      prefixType: 'PREFIX',
      prefix: 'shop',
      transformation,
      temporal: 'NATIVE',
    },
  }),
  folder,
  clock: systemClock,
  logger: silentLogger,
});

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) {
    if (capture.reason !== undefined) throw new Error(capture.reason.message);
    await delay(5);
  }
}

let stopped = new AbortController();
let reached: (readonly [number, string])[] = [];
let memory: (readonly [number, number])[] = [];
let statementMs: number[] = [];
let beside: Promise<unknown> = Promise.resolve();

/** Notes what is reached every few milliseconds, until it is stopped. */
async function watch(): Promise<void> {
  let last = capture.progress.position;
  for (let turn = 0; !stopped.signal.aborted; turn += 1) {
    const { position } = capture.progress;
    if (position !== last) reached.push([Date.now(), String(position)]);
    last = position;
    if (turn % 10 === 0) memory.push([Date.now(), process.memoryUsage.rss() / 1e6]);
    await delay(4);
  }
}

async function execute(): Promise<void> {
  for (const sql of createTables('"DB.S"')) await warehouse.run(sql);
  await warehouse.refresh();
  while (!stopped.signal.aborted) await transform();
}

/** The transformation of twenty components over 1,000,000 rows that the bench of the engine has. */
async function transform(): Promise<void> {
  const { status, message } = await startExecution({
    id: 'bench',
    pipeline: 'bench',
    environment: 'dev',
    paths: ['bench.tran.yaml'],
    files: () =>
      `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${components.replaceAll(/^(?=.)/gm, '    ')}`,
    scalarVariables: {},
    gridVariables: {},
    projectVariables: new Map(),
    script: [],
    componentTimeMs: 0,
    clock: systemClock,
    engine: { warehouse, kind: 'WAREHOUSE_ONE', defaults: { database: 'DB', schema: 'S' } },
    onChange: () => undefined,
  }).ended;
  if (status !== 'SUCCESS') throw new Error(message);
}

/** A statement that takes no time by itself, again and again: what it takes is its wait. */
async function query(): Promise<void> {
  while (!stopped.signal.aborted) {
    const begin = performance.now();
    await warehouse.query('SELECT 1', { maxRows: 1 });
    statementMs.push(performance.now() - begin);
    await delay(5);
  }
}

if (process.execArgv.some((a) => a.includes('cpu-prof'))) process.once('disconnect', () => process.exit(0));
answerOrders(async (order: Order) => {
  switch (order.kind) {
    case 'snapshot':
      return costOf(async () => {
        capture.start();
        await until(() => capture.status === 'streaming');
        await capture.stop();
      });
    case 'capture':
      return costOf(async () => {
        capture.start();
        await until(() => capture.progress.position >= BigInt(order.until));
        await capture.stop();
      });
    case 'stream': {
      stopped = new AbortController();
      reached = [];
      memory = [];
      statementMs = [];
      capture.start();
      await until(() => capture.status === 'streaming');
      const work = { nothing: async () => {}, execution: execute, queries: query }[order.work];
      beside = Promise.all([watch(), work()]);
      return undefined;
    }
    case 'wait':
      await until(() => capture.progress.position > BigInt(order.until));
      // The watch notes it a moment later.
      return delay(20);
    case 'stop': {
      stopped.abort();
      await beside;
      await capture.stop();
      const seen: Seen = { reached, memory, statementMs };
      return seen;
    }
  }
});
