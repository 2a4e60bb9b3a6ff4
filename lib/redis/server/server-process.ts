import { spawn } from 'node:child_process';
import {
  closeSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { serverEnvironment, type ServerBinary } from './server-binary.ts';
import type { LocalAddress } from './server-record.ts';

const largestLog = 4 * 1024 * 1024;

export const logIn = (folder: string): string => join(folder, 'redis.log');
const settingsIn = (folder: string): string => join(folder, 'redis.conf');

/**
 * Starts a server for the folder in a separate session, so that neither Ctrl-C nor the end of this process ends it.
 * Resolves as soon as it runs, which is before it answers.
 */
export function spawnServer(server: ServerBinary, folder: string, address: LocalAddress): Promise<number> {
  writeFileSync(settingsIn(folder), serverSettings(folder, address), { mode: 0o600 });
  rotateLog(logIn(folder));
  const log = openSync(logIn(folder), 'a', 0o600);
  const child = spawn(server.binary, [settingsIn(folder)], {
    cwd: folder,
    detached: true,
    env: serverEnvironment(server.libraries),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

/** Whether the process is running and is a server of this folder, as far as the system shows it. */
export async function isServerAlive(pid: number, folder: string): Promise<boolean> {
  // Zero is not a process id: the system would take it as our whole process group.
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const title = await titleOf(pid);
  // If the system does not show the title, assume that the process is our server: two servers in one folder would corrupt its file.
  return title === undefined || title.includes(settingsIn(folder));
}

/** The last lines of the server's log, which contain the reason of a failed start. */
export function lastWords(folder: string, lines = 5): string {
  try {
    return readFileSync(logIn(folder), 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

async function titleOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // A zombie has ended; its parent has not read its exit code yet.
      if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')) return '';
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      if (title !== '') return title;
      // A process has no title for a moment while it starts, and while it changes its title. A kernel thread never has one: it has
      // no program file either, and the next line throws.
      readlinkSync(`/proc/${pid}/exe`);
      return undefined;
    } catch {
      return '';
    }
  }
  const { code, stdout } = await runCommand('ps', ['-o', 'command=', '-p', String(pid)], { environment: {} });
  return code === 0 ? stdout : undefined;
}

function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLog) renameSync(file, `${file}.1`);
}

/**
 * The configuration file of the server: the append-only file is on disk before each answer, no keys are evicted,
 * and only this user has access.
 */
export function serverSettings(folder: string, address: LocalAddress): string {
  const listen =
    address.kind === 'socket'
      ? ['port 0', `unixsocket ${quote(address.path)}`, 'unixsocketperm 700']
      : [`bind ${address.host}`, `port ${address.port}`, `requirepass ${address.password}`];
  return [
    ...listen,
    `dir ${quote(folder)}`,
    'daemonize no',
    'appendonly yes',
    'appendfsync always',
    // No RDB snapshots: the append-only file rewrites itself, and there must be only one source of truth.
    'save ""',
    'maxmemory-policy noeviction',
    // The process title contains this file, so that a reused process id is detected.
    'proc-title-template "{title} {config-file}"',
    '',
  ].join('\n');
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;
}
