import path from 'node:path';
import process from 'node:process';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { answerOrders, costOf } from './answer-orders.ts';
import type { Order, ProgramArguments } from './programs.ts';

// A process of its own, started by `programs.ts`: the least that captures the table `orders` of the bench. It knows the columns, checks
// nothing, keeps all changes of a batch in memory, writes the last state of each row in one transaction with the position, and then
// acknowledges.
const { source, folder, transformation } = JSON.parse(process.argv[2] ?? '') as ProgramArguments;
const isLog = transformation === 'CHANGE_LOG';
const batchRows = 10_000;

const instance = await DuckDBInstance.create(path.join(folder, 'bare.duckdb'), { threads: '1' });
const connection = await instance.connect();
await connection.run('CREATE TABLE position (position BIGINT)');
await connection.run(
  isLog
    ? `CREATE TABLE orders (operation VARCHAR, before JSON, after JSON, position DECIMAL(38, 0), transaction_order DECIMAL(38, 0),
         committed_at TIMESTAMP WITH TIME ZONE)`
    : `CREATE TABLE orders (id DECIMAL(38, 0), note VARCHAR, amount DECIMAL(10, 2), "at" TIMESTAMP WITH TIME ZONE, flag BOOLEAN)`,
);
await connection.run('CREATE TEMP TABLE removed (id DECIMAL(38, 0))');
let stored = 0n;

type Row = readonly (string | null)[];

/** The columns of numbers with 38 digits: DuckDB converts a text to such a number very slowly. */
const wholePlaces: ReadonlySet<number> = new Set(isLog ? [3, 4] : [0]);

/** Appends rows of texts, which DuckDB converts. */
async function append(table: string, rows: Iterable<Row>): Promise<void> {
  const isTemporary = table === 'removed';
  const appender = await connection.createAppender(table, 'main', isTemporary ? 'temp' : undefined);
  for (const row of rows) {
    for (const [place, text] of row.entries())
      if (text === null) appender.appendNull();
      else if (wholePlaces.has(place)) appender.appendHugeInt(BigInt(text));
      else appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();
}

function clientOf(more: object): pg.Client {
  return new pg.Client({
    ...source,
    user: source.username,
    options: '-c datestyle=ISO -c timezone=UTC',
    ...more,
  });
}

async function snapshot(): Promise<void> {
  const maker = clientOf({ replication: 'database' });
  await maker.connect();
  await maker.query('CREATE PUBLICATION bare FOR TABLE orders');
  const { rows } = await maker.query<{ consistent_point: string; snapshot_name: string }>(
    `CREATE_REPLICATION_SLOT bare LOGICAL pgoutput (SNAPSHOT 'export')`,
  );
  const [slot] = rows;
  stored = lsn(slot?.consistent_point ?? '');
  const reader = clientOf({});
  await reader.connect();
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await reader.query(`SET TRANSACTION SNAPSHOT '${slot?.snapshot_name ?? ''}'`);
  await connection.run('BEGIN TRANSACTION');
  let rest = '';
  let order = 0;
  for await (const chunk of reader.query(to('COPY orders TO STDOUT'))) {
    const lines = (rest + (chunk as Buffer).toString()).split('\n');
    rest = lines.pop() ?? '';
    const list = lines.map((line) => line.split('\t').map((cell) => (cell === '\\N' ? null : cell)));
    await append(
      'orders',
      isLog
        ? list.map((row) => ['snapshot', null, json(row), String(stored), String((order += 1)), null])
        : list,
    );
  }
  await savePosition(stored);
  await connection.run('COMMIT');
  await reader.end();
  await maker.end();
}

async function savePosition(position: bigint): Promise<void> {
  await connection.run(`DELETE FROM position; INSERT INTO position VALUES (${String(position)})`);
}

function lsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

const names = ['id', 'note', 'amount', 'at', 'flag'];

/** A row as JSON: numbers and booleans as such. */
function json([id, note, amount, at, flag]: Row): string {
  return `{"id":${id},"note":${JSON.stringify(note)},"amount":${amount},"at":${JSON.stringify(at)},"flag":${
    flag === null ? 'null' : flag === 't'
  }}`;
}

/** The cells of a row in a message of `pgoutput`, and where the row ends. */
function readRow(message: Buffer, start: number): { readonly row: Row; readonly end: number } {
  const row: (string | null)[] = [];
  let offset = start + 2;
  for (let left = message.readInt16BE(start); left > 0; left -= 1) {
    const kind = message[offset];
    offset += 1;
    if (kind !== 0x74) {
      row.push(null);
      continue;
    }
    const end = offset + 4 + message.readInt32BE(offset);
    row.push(message.toString('utf8', offset + 4, end));
    offset = end;
  }
  return { row, end: offset };
}

/** The last state of each row that changed, by its key; null: it is removed. For the log: its rows. */
let rows = new Map<string, Row | null>();
let log: Row[] = [];
let removed = new Set<string>();
let changes = 0;
let begin: { readonly position: string; readonly time: string } = { position: '', time: '' };
let order = 0;

function put(row: Row, isNew: boolean): void {
  const key = row[0] ?? '';
  rows.set(key, row);
  if (!isNew) removed.add(key);
}

function takeChange(message: Buffer): void {
  const kind = message[0];
  changes += 1;
  order += 1;
  const place = () => [begin.position, String(order), begin.time];
  if (kind === 0x49) {
    const { row } = readRow(message, 6);
    if (isLog) log.push(['insert', null, json(row), ...place()]);
    else put(row, true);
  } else if (kind === 0x55) {
    // No key changes here, and the replica identity is the default.
    const { row } = readRow(message, 6);
    if (isLog) log.push(['update', null, json(row), ...place()]);
    else put(row, false);
  } else {
    const { row } = readRow(message, 6);
    const key = row[0] ?? '';
    if (isLog) log.push(['delete', `{"${names[0] ?? ''}":${key}}`, null, ...place()]);
    else {
      rows.set(key, null);
      removed.add(key);
    }
  }
}

async function flush(position: bigint): Promise<void> {
  await connection.run('BEGIN TRANSACTION');
  if (isLog) await append('orders', log);
  else {
    await append(
      'removed',
      [...removed].map((key) => [key]),
    );
    await connection.run(
      'DELETE FROM orders USING removed WHERE orders.id = removed.id; DELETE FROM removed',
    );
    await append(
      'orders',
      [...rows.values()].filter((row) => row !== null),
    );
  }
  await savePosition(position);
  await connection.run('COMMIT');
  stored = position;
  rows = new Map();
  removed = new Set();
  log = [];
  changes = 0;
}

/** From PostgreSQL's epoch, in microseconds. */
function timeText(microseconds: bigint): string {
  const ms = Number(microseconds / 1000n) + 946_684_800_000;
  const rest = String(microseconds % 1000n).padStart(3, '0');
  return `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}${rest}+00:00`;
}

async function captureUntil(until: bigint): Promise<void> {
  const client = clientOf({ replication: 'database' });
  // Its end, below, is not a failure.
  client.on('error', () => undefined);
  await client.connect();
  const wire = client.connection as unknown as NodeJS.EventEmitter & {
    sendCopyFromChunk(bytes: Buffer): void;
    readonly stream: import('node:net').Socket;
  };
  const acknowledge = (): void => {
    const bytes = Buffer.alloc(34);
    bytes.write('r', 'latin1');
    for (const at of [1, 9, 17]) bytes.writeBigUInt64BE(stored, at);
    wire.sendCopyFromChunk(bytes);
  };
  let messages: Buffer[] = [];
  let wake = (): void => {};
  wire.on('copyData', ({ chunk }: { readonly chunk: Buffer }) => {
    if (chunk[0] === 0x77) messages.push(Buffer.from(chunk.subarray(25)));
    else if (chunk[17] === 1) acknowledge();
    wake();
    if (messages.length > 50_000) wire.stream.pause();
  });
  client
    .query(`START_REPLICATION SLOT bare LOGICAL 0/0 (proto_version '1', publication_names 'bare')`)
    .catch(() => undefined);
  while (stored < until) {
    if (messages.length === 0) {
      await new Promise<void>((resolve) => (wake = resolve));
      continue;
    }
    const list = messages;
    messages = [];
    wire.stream.resume();
    let position = 0n;
    for (const message of list) {
      const kind = message[0];
      if (kind === 0x42) {
        begin = {
          position: String(message.readBigUInt64BE(1)),
          time: timeText(message.readBigInt64BE(9)),
        };
        order = 0;
      } else if (kind === 0x43) {
        position = message.readBigUInt64BE(10);
        if (changes < batchRows) continue;
        await flush(position);
        acknowledge();
        position = 0n;
      } else if (kind === 0x49 || kind === 0x55 || kind === 0x44) takeChange(message);
    }
    // Everything that has arrived, as whole transactions.
    if (list.at(-1)?.[0] !== 0x43 || position === 0n) continue;
    await flush(position);
    acknowledge();
  }
  wire.stream.destroy();
}

if (process.execArgv.some((a) => a.includes('cpu-prof'))) process.once('disconnect', () => process.exit(0));
answerOrders(async (order_: Order) => {
  if (order_.kind === 'snapshot') return costOf(snapshot);
  if (order_.kind === 'capture') return costOf(() => captureUntil(BigInt(order_.until)));
  throw new Error(`the bare program does not ${order_.kind}`);
});
