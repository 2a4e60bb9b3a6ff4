import type { LocalAddress } from './server-record.ts';

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
