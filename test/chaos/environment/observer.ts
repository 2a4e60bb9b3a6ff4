import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';

// Loaded before the worker (`node --import`): looks at it from within the process, without a hook in the product. On
// SIGUSR2 it writes what it saw to the file that MILLRACE_OBSERVED names, and begins again.
const file = process.env['MILLRACE_OBSERVED'] ?? '';
const connections = new Set<string>();
// CPU time of this thread between two turns of a timer: what a busy machine takes away does not count.
let maxMs = 0;
let last = cpuMs();
setInterval(() => {
  const now = cpuMs();
  maxMs = Math.max(maxMs, now - last);
  last = now;
}, 5).unref();
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// Node writes it at the end of a process, and a process that is killed writes none.
setTimeout(flushCompileCache, 2_000).unref();

const connect = Socket.prototype.connect;
/** What is passed differs: options, an array of them (node's own calls), a port and a host, a path. */
function targetOf(given: unknown): string {
  const first: unknown = Array.isArray(given) ? given[0] : given;
  const options: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof options !== 'object' || options === null) return String(options);
  const { host, port, path } = options as { host?: string; port?: number; path?: string };
  return path ?? `${host ?? 'localhost'}:${port ?? ''}`;
}
Socket.prototype.connect = function observed(this: Socket, ...given: unknown[]): Socket {
  connections.add(targetOf(given));
  return Reflect.apply(connect, this, given) as Socket;
};

// On SIGWINCH it collects garbage and returns what is free to the system: what remains is used. `gc()` would keep pages for new
// objects: 263 MB instead of 164.
process.on('SIGWINCH', () => {
  const session = new Session();
  session.connect();
  // Not within the answer: Node would wait for itself.
  session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
});

process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify({ connections: [...connections], maxBlockMs: maxMs }));
  maxMs = 0;
});
