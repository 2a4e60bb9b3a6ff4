import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Row, type Sample, sampleOf } from '../measure.ts';
import { type BenchSource, insertRows, startBenchSource } from './bench-source.ts';
import { inFolder } from './in-folder.ts';
import { type Order, type Program, type Seen, startProgram } from './programs.ts';

const seconds = 20;
/** 1,000 changes a second. */
const transactionsPerSecond = 100;
const rowsOfTransaction = 10;
const limitMs = 1000;

/** From the moment at which a change is sent to the source until it is in the target, without and with a running execution. */
export function lag(): Promise<Row[]> {
  return inFolder(async (folder) => {
    await using source = await startBenchSource(0);
    const options = { source: source.address, folder, transformation: 'COPY_TABLE' } as const;
    await using program = await startProgram('ours', options);
    const alone = await lagsOf(program, source, 'nothing');
    const beside = await lagsOf(program, source, 'execution');
    const at = (lags: readonly number[], share: number): Sample =>
      sampleOf([lags[Math.floor(lags.length * share)] ?? Number.NaN]);
    const limit = { referenceName: 'the limit', reference: sampleOf([limitMs]) };
    return [0.5, 0.99].flatMap((share) => {
      const what = `lag of 1,000 changes a second, p${share * 100}`;
      return [
        { what, ours: at(alone, share), ...limit },
        {
          what: `${what}, beside transformations of 1,000,000 rows`,
          ours: at(beside, share),
          referenceName: 'alone',
          reference: at(alone, share),
        },
      ];
    });
  });
}

let nextId = 1;

/** Sorted, in milliseconds. */
async function lagsOf(
  program: Program,
  source: BenchSource,
  work: Extract<Order, { kind: 'stream' }>['work'],
): Promise<readonly number[]> {
  await program.ask({ kind: 'stream', work });
  // The capture streams, and the execution runs.
  await delay(2000);
  const sent = await write(source);
  await program.ask({ kind: 'wait', until: String(sent.at(-1)?.position ?? 0) });
  const { reached } = await program.ask<Seen>({ kind: 'stop' });
  const lags: number[] = [];
  let next = 0;
  for (const { at, position } of sent) {
    while (next < reached.length && BigInt(reached[next]?.[1] ?? 0) <= position) next += 1;
    lags.push((reached[next]?.[0] ?? Number.NaN) - at);
  }
  return lags.toSorted((one, other) => one - other);
}

interface Sent {
  readonly at: number;
  /** Before the end of the transaction, and after the one before. */
  readonly position: bigint;
}

/** Writes at a constant rate. */
async function write({ address }: BenchSource): Promise<readonly Sent[]> {
  const client = new pg.Client({ ...address, user: address.username });
  await client.connect();
  const sent: Sent[] = [];
  const begin = Date.now();
  const due = (count: number) => begin + (count * 1000) / transactionsPerSecond;
  while (sent.length < seconds * transactionsPerSecond) {
    const wait = due(sent.length) - Date.now();
    if (wait > 0) await delay(wait);
    const at = Date.now();
    const insert = insertRows(nextId, nextId + rowsOfTransaction - 1);
    nextId += rowsOfTransaction;
    const results = (await client.query(
      `${insert}; SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS position`,
    )) as unknown as readonly pg.QueryResult<{ position: string }>[];
    sent.push({ at, position: BigInt(results.at(-1)?.rows[0]?.position ?? 0) });
  }
  await client.end();
  return sent;
}
