import { lstatSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Io } from '../terminal/io.ts';

const address = z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ });

const running = z.object({
  worker: z.object({ url: address, token: z.string(), webhookSecret: z.string() }),
  control: z.object({ url: address, token: z.string() }),
});

const record = z.object({
  pid: z.int().positive(),
  /** The folder with the demo's data. */
  data: z.string(),
  /** Absent while the demo starts. */
  running: running.optional(),
});

/** What a running demo tells commands of the same user: its address and tokens. Only that user can read it. */
export type DemoRecord = z.output<typeof record>;

/** The address and the credentials with which a command reaches a running demo. */
export type RunningDemo = z.output<typeof running>;

/** The folder of this user's demo. At most one demo of a user runs at a time. */
export function demoFolder({ env }: Pick<Io, 'env'>): string {
  const place = env['TMPDIR'] === undefined || env['TMPDIR'] === '' ? tmpdir() : env['TMPDIR'];
  return path.join(place, `millrace-demo-${String(process.getuid?.() ?? 'user')}`);
}

export const recordIn = (folder: string): string => path.join(folder, 'demo.json');

/**
 * Reads the record of the demo that runs, or of a demo that was killed. Throws Failure 'usage' if the folder
 * belongs to another user.
 */
export function readDemoRecord(io: Pick<Io, 'env'>): DemoRecord | undefined {
  const folder = demoFolder(io);
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
  requirePrivate(folder);
  try {
    return record.safeParse(JSON.parse(readFileSync(recordIn(folder), 'utf8'))).data;
  } catch {
    // Killed while it wrote the record.
    return undefined;
  }
}

/** The demo that runs now; undefined if none does, or it is still starting. */
export function findRunningDemo(io: Pick<Io, 'env'>): RunningDemo | undefined {
  const demo = readDemoRecord(io);
  return demo !== undefined && isAlive(demo.pid) ? demo.running : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is alive, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Throws Failure 'usage' unless the folder belongs to this user and nobody else can open it: another user could put
 * a record with a false address there.
 */
export function requirePrivate(folder: string): void {
  const { uid, mode, isFolder } = describe(folder);
  const user = process.getuid?.();
  if (isFolder && (user === undefined || (uid === user && (mode & 0o077) === 0))) return;
  throw new Failure('usage', {
    message: `The demo and its commands do not use ${folder}: it must be a folder that belongs to you and that nobody else can open.`,
    where: { file: folder },
    hint: 'Set TMPDIR to a folder of yours. Use the same TMPDIR for the demo and for each command that talks to it.',
  });
}

function describe(folder: string) {
  const stats = lstatSync(folder);
  return { uid: stats.uid, mode: stats.mode, isFolder: stats.isDirectory() };
}
