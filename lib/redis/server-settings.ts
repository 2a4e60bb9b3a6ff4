import type { LocalAddress } from './server-record.ts';

/** The server's configuration file: append-only file each second, nothing evicted, nobody but us comes in. */
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
    'appendfsync everysec',
    // A second kind of snapshot would only be a second truth: the append-only file rewrites itself.
    'save ""',
    'maxmemory-policy noeviction',
    // The program's title names this file: so a process id that was given to someone else is noticed.
    'proc-title-template "{title} {config-file}"',
    '',
  ].join('\n');
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;
}
