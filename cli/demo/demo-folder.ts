import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Failure } from '../../lib/core/errors/failure.ts';
import { silentLogger } from '../../lib/core/ports/ports.ts';
import { readServerRecord } from '../../lib/redis/server/server-record.ts';
import { stopServer } from '../../lib/redis/server/stop-server.ts';
import {
  demoFolder,
  type DemoRecord,
  isAlive,
  readDemoRecord,
  recordIn,
  requirePrivate,
  type RunningDemo,
} from '../operate/demo-record.ts';
import type { Io } from '../terminal/io.ts';

/** The folders of one demo. */
export interface DemoFolder extends AsyncDisposable {
  /** What is kept with `--data`. */
  readonly data: string;
  /** Lets the commands of this user find the demo. */
  announce(running: RunningDemo): void;
}

export const redisIn = (data: string): string => path.join(data, 'redis');

/** The file that marks a folder of `--data` as one that a demo wrote. */
const mark = 'millrace-demo';

/**
 * Creates the folders of the demo, and records that this user runs one. Throws Failure 'usage' if a demo runs
 * already, or if `data` is a folder with other files.
 */
export async function openDemoFolder(
  io: Pick<Io, 'env' | 'clock'>,
  dataOption: string | undefined,
): Promise<DemoFolder> {
  const folder = demoFolder(io);
  if (dataOption !== undefined) requireOwnData(dataOption);
  const data = dataOption ?? path.join(folder, 'data');
  await takePlace(folder, { pid: process.pid, data }, io);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(data, mark), 'Data of `millrace worker --demo`.\n', { mode: 0o600 });
  return {
    data,
    announce: (running) => writeRecord(folder, { pid: process.pid, data, running }),
    // With retries, because a server that just ended may still be removing a file.
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Puts a folder with a record in place by one rename, so only one of two demos that start together gets it. */
async function takePlace(folder: string, record: DemoRecord, io: Pick<Io, 'env' | 'clock'>): Promise<void> {
  const made = mkdtempSync(`${folder}-`);
  try {
    writeRecord(made, record);
    if (isPlaced(made, folder)) return;
    requirePrivate(folder);
    const earlier = readDemoRecord(io);
    if (earlier !== undefined && isAlive(earlier.pid)) throw runsAlready(earlier, folder);
    // That demo was killed: its Redis may still run.
    const redis = redisIn(earlier?.data ?? path.join(folder, 'data'));
    const state = await stopServer({ folder: redis, clock: io.clock, logger: silentLogger, user: '' });
    if (state !== 'ended') throw stillRuns(redis);
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function isPlaced(made: string, folder: string): boolean {
  try {
    renameSync(made, folder);
    return true;
  } catch {
    // Something is there. The caller checks what it is.
    return false;
  }
}

function writeRecord(folder: string, record: DemoRecord): void {
  const part = `${recordIn(folder)}.part`;
  writeFileSync(part, JSON.stringify(record), { mode: 0o600 });
  renameSync(part, recordIn(folder));
}

function runsAlready({ pid, running }: DemoRecord, folder: string): Failure {
  const at = running === undefined ? '' : `, dashboard ${running.worker.url}/`;
  return new Failure('usage', {
    message: `A demo is running already (process ${String(pid)}${at}).`,
    hint: `Use that demo, or stop it with Ctrl-C in its terminal. If process ${String(pid)} is not a demo, delete ${folder}.`,
  });
}

function stillRuns(redis: string): Failure {
  const pid = String(readServerRecord(redis)?.pid);
  return new Failure('usage', {
    message: `The Redis of an earlier demo still runs (process ${pid}): it does not answer, or another process uses it.`,
    hint: `End process ${pid} (kill -9 ${pid}), then start the demo again.`,
  });
}

/** The demo writes into the folder, so it must be new, empty, or from an earlier demo. */
function requireOwnData(data: string): void {
  const files = filesIn(data);
  if (files.length === 0 || files.includes(mark)) return;
  throw new Failure('usage', {
    message: `The folder ${data} contains files that no demo wrote.`,
    where: { input: '--data' },
    hint: 'Give --data a new or empty folder, or the folder of an earlier demo.',
  });
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
