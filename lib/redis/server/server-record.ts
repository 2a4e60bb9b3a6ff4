import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisAddress } from '../address/redis-address.ts';

export type LocalAddress = Exclude<RedisAddress, { kind: 'url' }>;

/** The facts with which the next process finds the server that this process started. They may contain a password: mode 0600. */
export interface ServerRecord {
  readonly pid: number;
  readonly address: LocalAddress;
}

const fileIn = (folder: string): string => join(folder, 'server.json');

export function readServerRecord(folder: string): ServerRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Partial<ServerRecord>;
    return record.pid === undefined || record.address === undefined
      ? undefined
      : { pid: record.pid, address: record.address };
  } catch {
    // Missing, or truncated by a full disk: the server is found by its socket, or started again.
    return undefined;
  }
}

export function writeServerRecord(folder: string, record: ServerRecord): void {
  const part = `${fileIn(folder)}.part`;
  writeFileSync(part, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(part, fileIn(folder));
}

export function removeServerRecord(folder: string): void {
  rmSync(fileIn(folder), { force: true });
}
