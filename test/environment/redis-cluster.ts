import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Command, type Redis } from 'ioredis';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';
import { serverEnvironment } from '../../lib/redis/server/server-binary.ts';
import { testServerBinary } from './redis-binary.ts';
import { freePorts } from './redis-group.ts';
import { endWithParent } from './processes/end-with-parent.ts';

/** One node of a cluster. */
export interface ClusterMember {
  readonly port: number;
  readonly id: string;
  /** For looking at what is in it; reconnects by itself. */
  readonly redis: Redis;
}

/** A Redis Cluster of three masters, and one replica of the master that has the slot of `key`: real processes. */
export interface RedisCluster extends AsyncDisposable {
  /** For MILLRACE_REDIS_URL. */
  readonly url: string;
  /** Has the slot of the key. */
  readonly master: ClusterMember;
  /** Have the other slots. */
  readonly others: readonly [ClusterMember, ClusterMember];
  readonly replica: ClusterMember;
  /** The slot of the key. */
  readonly slot: number;
  /** Kills the master; resolves when its replica is the master. */
  killMaster(): Promise<void>;
  /** Starts the killed one; resolves when it is a replica that has everything. */
  restart(): Promise<void>;
}

const slots = 16_384;

export async function startRedisCluster(key = '{millrace}'): Promise<RedisCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-redis-cluster-'));
  const { binary, libraries } = await testServerBinary();
  const ports = await freePorts(4);
  const buses = await freePorts(4);
  const children = ports.map((port, i) => launch(port, buses[i] ?? 0));

  function launch(port: number, bus: number): ChildProcess {
    const home = path.join(folder, String(port));
    mkdirSync(home, { recursive: true });
    const settings = {
      port,
      'cluster-port': bus,
      bind: '127.0.0.1',
      dir: home,
      save: '',
      appendonly: 'yes',
      loglevel: 'warning',
      'maxmemory-policy': 'noeviction',
      'cluster-enabled': 'yes',
      'cluster-node-timeout': 500,
      'cluster-require-full-coverage': 'no',
      'repl-diskless-sync-delay': 0,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return endWithParent(
      spawn(binary, args, { cwd: home, env: serverEnvironment(libraries), stdio: 'ignore' }),
    );
  }
  const nodes = ports.map((port) =>
    connectRedis({ address: { kind: 'url', url: `redis://127.0.0.1:${port}` }, role: 'worker' }),
  );
  const ids = await Promise.all(nodes.map((redis) => redis.cluster('MYID')));
  const [first, second, third, fourth] = nodes.map((redis, i) => ({
    port: ports[i] ?? 0,
    id: ids[i] ?? '',
    redis,
  })) as [ClusterMember, ClusterMember, ClusterMember, ClusterMember];
  const slot = new Command('get', [key]).getSlot() ?? 0;

  async function poll(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 1_500; i += 1) {
      if (await isTrue().catch(() => false)) return;
      await delay(20);
    }
    throw new Error(`the Redis Cluster did not reach this in 30 s: ${what}`);
  }
  const nodesIn = async ({ redis }: ClusterMember): Promise<string[]> =>
    String(await redis.cluster('NODES'))
      .trim()
      .split('\n');

  // A greater epoch wins where two nodes claim a slot; each needs its own.
  await Promise.all(
    [first, second, third, fourth].map(({ redis }, i) => redis.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)),
  );
  await Promise.all(
    [second, third, fourth].map(({ port }, i) =>
      first.redis.call('CLUSTER', 'MEET', '127.0.0.1', port, buses[i + 1] ?? 0),
    ),
  );
  // The master of the key's slot has only a few others: a replica copies less.
  const rest = Array.from({ length: slots }, (_, i) => i).filter((one) => one !== slot);
  await first.redis.call('CLUSTER', 'ADDSLOTS', slot);
  await second.redis.call('CLUSTER', 'ADDSLOTS', ...rest.slice(0, slots / 2));
  await third.redis.call('CLUSTER', 'ADDSLOTS', ...rest.slice(slots / 2));
  await poll('every node knows the others', async () =>
    (await Promise.all([first, second, third, fourth].map(nodesIn))).every(
      (lines) => lines.length === 4 && lines.every((line) => line.includes(' connected')),
    ),
  );
  await fourth.redis.call('CLUSTER', 'REPLICATE', first.id);
  await poll('the replica has what its master has, and every node is ready', async () => {
    const [link, ...states] = await Promise.all([
      fourth.redis.info('replication'),
      ...[first, second, third, fourth].map(({ redis }) => redis.cluster('INFO')),
    ]);
    const knows = await Promise.all([second, third].map(nodesIn));
    return (
      link.includes('master_link_status:up') &&
      states.every((state) => state.includes('cluster_state:ok')) &&
      knows.every((lines) => lines.some((line) => line.includes(`slave ${first.id}`)))
    );
  });

  return {
    url: `redis+cluster://127.0.0.1:${second.port},127.0.0.1:${third.port}/`,
    master: first,
    others: [second, third],
    replica: fourth,
    slot,
    async killMaster() {
      const [child] = children;
      if (child === undefined) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await poll('the replica is the master', async () =>
        (await Promise.all([fourth, second, third].map(nodesIn))).every((lines) =>
          lines.some(
            (line) => line.startsWith(fourth.id) && /master/.test(line) && line.includes(` ${slot}`),
          ),
        ),
      );
    },
    async restart() {
      children[0] = launch(first.port, buses[0] ?? 0);
      await poll('the started node is a replica', async () => {
        const link = await first.redis.info('replication');
        return link.includes('role:slave') && link.includes('master_link_status:up');
      });
    },
    async [Symbol.asyncDispose]() {
      for (const redis of nodes) redis.disconnect();
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const exited = once(child, 'exit');
          child.kill('SIGKILL');
          await exited;
        }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
