import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';
import { serverEnvironment } from '../../lib/redis/server/server-binary.ts';
import { testServerBinary } from './redis-binary.ts';
import { endWithParent } from './processes/end-with-parent.ts';

/** One Redis of a group. */
export interface Member {
  readonly port: number;
  /** For looking at what is in it; reconnects by itself. */
  readonly redis: Redis;
}

/** A master, its replicas, and Sentinels that watch them: real processes on ports of their own. */
export interface RedisGroup extends AsyncDisposable {
  /** For MILLRACE_REDIS_URL. */
  readonly url: string;
  /** The master as the Sentinels know it now. */
  master(): Promise<Member>;
  /** Resolves when all other members are replicas of the master and have what it has. */
  synced(): Promise<void>;
  /** The replicas get nothing more from the master. */
  cutReplicas(): Promise<void>;
  /** Makes the replicas get everything again. */
  joinReplicas(): Promise<void>;
  /** Kills the master; resolves when the Sentinels have made a replica the master. */
  killMaster(): Promise<void>;
  /** Starts what was killed, as a replica. */
  restart(): Promise<void>;
  /** Lets the Sentinels exchange master and replica; nothing is killed. */
  exchange(): Promise<void>;
}

const name = 'main';

export async function startRedisGroup({
  members = 3,
  sentinels = 3,
  downAfterMs = 500,
} = {}): Promise<RedisGroup> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-redis-group-'));
  const { binary, libraries } = await testServerBinary();
  const children = new Map<number, ChildProcess>();
  const [masterPort = 0, ...otherPorts] = await freePorts(members + sentinels);
  const replicaPorts = otherPorts.slice(0, members - 1);
  const sentinelPorts = otherPorts.slice(members - 1);

  function launch(port: number, lines: readonly string[], args: readonly string[] = []): void {
    const home = path.join(folder, String(port));
    mkdirSync(home, { recursive: true });
    const file = path.join(home, 'server.conf');
    writeFileSync(
      file,
      [`port ${port}`, 'bind 127.0.0.1', `dir ${home}`, 'loglevel warning', ...lines, ''].join('\n'),
    );
    const environment = serverEnvironment(libraries);
    children.set(
      port,
      endWithParent(spawn(binary, [file, ...args], { cwd: home, env: environment, stdio: 'ignore' })),
    );
  }
  const launchMember = (port: number, replicaOf?: number): void =>
    launch(port, [
      'save ""',
      'appendonly yes',
      'appendfsync everysec',
      'maxmemory-policy noeviction',
      'repl-diskless-sync-delay 0',
      'user replica on >replica ~* &* +@all',
      'masteruser replica',
      'masterauth replica',
      ...(replicaOf === undefined ? [] : [`replicaof 127.0.0.1 ${replicaOf}`]),
    ]);

  launchMember(masterPort);
  for (const port of replicaPorts) launchMember(port, masterPort);
  const memberOf = (port: number): Member => ({
    port,
    redis: connectRedis({ address: { kind: 'url', url: `redis://127.0.0.1:${port}` }, role: 'worker' }),
  });
  const all = [masterPort, ...replicaPorts].map(memberOf);
  await Promise.all(all.map(({ redis }) => redis.ping()));
  for (const port of sentinelPorts)
    launch(
      port,
      [
        `sentinel monitor ${name} 127.0.0.1 ${masterPort} ${Math.floor(sentinels / 2) + 1}`,
        `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
        `sentinel failover-timeout ${name} 3000`,
        `sentinel parallel-syncs ${name} ${members}`,
        // Otherwise they take ten seconds to find each other.
        `sentinel myid ${idOf(port)}`,
        ...replicaPorts.map((one) => `sentinel known-replica ${name} 127.0.0.1 ${one}`),
        ...sentinelPorts
          .filter((one) => one !== port)
          .map((one) => `sentinel known-sentinel ${name} 127.0.0.1 ${one} ${idOf(one)}`),
      ],
      ['--sentinel'],
    );
  const watchers = sentinelPorts.map((port) => memberOf(port).redis);

  const masterOf = async (): Promise<number> => {
    const answers = await Promise.all(
      watchers.map(
        async (one) => (await one.call('SENTINEL', 'get-master-addr-by-name', name)) as string[] | null,
      ),
    );
    const ports = answers.map((answer) => Number(answer?.[1] ?? 0));
    // While they disagree, it is not decided.
    return new Set(ports).size === 1 ? (ports[0] ?? 0) : 0;
  };
  const alive = (): Member[] =>
    all.filter(
      ({ port }) => children.get(port)?.exitCode === null && children.get(port)?.signalCode === null,
    );
  const infoOf = async ({ redis }: Member): Promise<(field: string) => string> => {
    const info = await redis.info('replication');
    return (field) => new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  };
  async function poll(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 1_500; i += 1) {
      if (await isTrue()) return;
      await delay(20);
    }
    throw new Error(`the group of Redis processes did not reach this in 30 s: ${what}`);
  }
  async function master(): Promise<Member> {
    const port = await masterOf();
    const found = all.find((one) => one.port === port);
    if (found === undefined) throw new Error('the Sentinels disagree about the master');
    return found;
  }
  // The Sentinel that led a failover ends it after the others: a second one before that leaves it with another master.
  const isReady = async (): Promise<boolean> => {
    const counts = await Promise.all(
      watchers.map(async (one) => {
        const fields = (await one.call('SENTINEL', 'master', name)) as string[];
        const field = (key: string): number => Number(fields[fields.indexOf(key) + 1]);
        return (
          field('num-slaves') >= members - 1 &&
          field('num-other-sentinels') >= sentinels - 1 &&
          fields[fields.indexOf('flags') + 1] === 'master'
        );
      }),
    );
    return counts.every(Boolean);
  };
  const isSynced = async (): Promise<boolean> => {
    const port = await masterOf();
    const top = all.find((one) => one.port === port);
    if (top === undefined || alive().length < members) return false;
    const facts = await Promise.all(all.filter((one) => one !== top).map(infoOf));
    const isUp = facts.every(
      (field) =>
        field('role') === 'slave' &&
        field('master_port') === String(port) &&
        field('master_link_status') === 'up',
    );
    return isUp && (await top.redis.wait(members - 1, 100)) === members - 1;
  };
  const synced = (): Promise<void> => poll('all replicas have what the master has', isSynced);
  const changed = async (before: number): Promise<void> =>
    poll('another master', async () => {
      const now = await masterOf();
      const found = all.find(({ port }) => port === now);
      return found !== undefined && now !== before && (await infoOf(found))('role') === 'master';
    });
  await synced();
  await poll('the Sentinels know the replicas and each other, and none leads a failover', isReady);

  return {
    url: `redis+sentinel://${sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')}/${name}`,
    master,
    synced,
    async cutReplicas() {
      const { redis } = await master();
      await redis.call('ACL', 'SETUSER', 'replica', 'off');
      await redis.client('KILL', 'TYPE', 'REPLICA');
    },
    async joinReplicas() {
      await Promise.all(alive().map(({ redis }) => redis.call('ACL', 'SETUSER', 'replica', 'on')));
      await synced();
    },
    async killMaster() {
      const { port } = await master();
      const child = children.get(port);
      if (child === undefined) throw new Error(`no Redis runs on port ${port}`);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await changed(port);
    },
    async restart() {
      const { port: top } = await master();
      const dead = all.filter((one) => !alive().includes(one));
      for (const { port } of dead) launchMember(port, top);
      // While one loads what the master has, it answers LOADING, also after it was ready.
      const answers = async ({ redis }: Member): Promise<boolean> =>
        redis.ping().then(
          () => true,
          () => false,
        );
      await poll('the started Redis processes answer', async () =>
        (await Promise.all(dead.map(answers))).every(Boolean),
      );
      await synced();
      await poll('the Sentinels know the replicas and each other, and none leads a failover', isReady);
    },
    async exchange() {
      const { port } = await master();
      await watchers[0]?.call('SENTINEL', 'FAILOVER', name);
      await changed(port);
    },
    async [Symbol.asyncDispose]() {
      for (const redis of [...all.map((one) => one.redis), ...watchers]) redis.disconnect();
      await Promise.all(
        [...children.values()].map(async (child) => {
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

/** What a Sentinel calls itself: 40 hexadecimal digits. */
const idOf = (port: number): string => String(port).padStart(40, '0');

/** Ports that are free now, each once. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}
