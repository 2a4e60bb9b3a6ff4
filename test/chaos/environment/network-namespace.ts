import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { endWithParent } from '../../environment/processes/end-with-parent.ts';

/** A way to a Redis through a network namespace of its own, whose packets can be dropped. */
export interface NamespaceLine extends AsyncDisposable {
  readonly address: { readonly kind: 'url'; readonly url: string };
  /** Drops the packets of all connections that are open now, in both directions: no end of a connection is ever seen. */
  dropOpen(): number;
}

/** Why this machine has none; undefined if it has. */
export function whyNoNamespace(): string | undefined {
  const made = spawnSync('ip', ['netns', 'add', `${name}-try`]);
  if (made.error !== undefined) return 'there is no program `ip`';
  if (made.status !== 0) return 'network namespaces need the capability NET_ADMIN';
  const filters = spawnSync('ip', ['netns', 'exec', `${name}-try`, 'iptables', '-L', '-n']);
  spawnSync('ip', ['netns', 'del', `${name}-try`]);
  return filters.status === 0 ? undefined : 'there is no program `iptables`';
}

const name = `millrace-${process.pid}`;
const port = 6_379;

/** Passes bytes on to a socket; unlike addresses, the paths of sockets are the same in each network namespace. */
const relay = `
const { connect, createServer } = require('node:net');
createServer((near) => {
  const far = connect(process.argv[1]);
  near.pipe(far).pipe(near);
  for (const socket of [near, far]) socket.on('error', () => undefined).on('close', () => { near.destroy(); far.destroy(); });
}).listen(${port}, process.argv[2], () => console.log('listening'));
`;

/** @param socketPath of the Redis server */
export async function openNamespaceLine(socketPath: string): Promise<NamespaceLine> {
  const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });
  const inside = (...args: readonly string[]): string =>
    execFileSync('ip', ['netns', 'exec', name, ...args], { encoding: 'utf8', stdio: 'pipe' });
  // One of the networks for tests of devices (RFC 2544), by the process.
  const network = `198.18.${process.pid % 256}`;
  const [near, far] = [`mr${process.pid}a`, `mr${process.pid}b`];
  ip('netns', 'add', name);
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name);
  ip('addr', 'add', `${network}.1/30`, 'dev', near);
  ip('link', 'set', near, 'up');
  inside('ip', 'addr', 'add', `${network}.2/30`, 'dev', far);
  inside('ip', 'link', 'set', far, 'up');
  const child = endWithParent(
    spawn('ip', ['netns', 'exec', name, process.execPath, '--eval', relay, socketPath, `${network}.2`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  if (child.stdout !== null) await once(child.stdout, 'data');
  return {
    address: { kind: 'url', url: `redis://${network}.2:${port}` },
    dropOpen() {
      const open = inside('ss', '-Htn', 'state', 'established', `( sport = :${port} )`);
      const ports = new Set([...open.matchAll(/:(\d+)\s*$/gm)].map(([, one = '']) => one));
      for (const one of ports) {
        inside('iptables', '-A', 'INPUT', '-p', 'tcp', '--sport', one, '-j', 'DROP');
        inside('iptables', '-A', 'OUTPUT', '-p', 'tcp', '--dport', one, '-j', 'DROP');
      }
      return ports.size;
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await exited;
      }
      ip('netns', 'del', name);
    },
  };
}
