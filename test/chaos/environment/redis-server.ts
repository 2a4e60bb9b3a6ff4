import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { RedisAddress } from '../../../lib/redis/address/redis-address.ts';
import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { serverEnvironment } from '../../../lib/redis/server/server-binary.ts';
import { serverSettings } from '../../../lib/redis/server/server-process.ts';
import { testServerBinary } from '../../environment/redis-binary.ts';
import { endWithParent } from '../../environment/processes/end-with-parent.ts';

/** A real Redis that can be killed, frozen and started again; nothing restarts it automatically. */
export interface RedisServer extends AsyncDisposable {
  readonly socket: string;
  readonly address: RedisAddress;
  /** For looking at what is in it; reconnects by itself. */
  readonly redis: Redis;
  kill(): Promise<void>;
  /** On the same files. Resolves when it takes commands. */
  start(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Copies its append-only file as it is now. The result puts it back, while the server is down. */
  copyFile(): () => void;
  /** Bytes of the append-only file now. */
  fileSize(): number;
  /** Cuts the file, while the server is down: as after a power cut. */
  cutFile(size: number): void;
}

export async function startRedisServer(fsync: 'everysec' | 'always' = 'everysec'): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-chaos-redis-'));
  const socket = join(folder, 'redis.sock');
  const address = { kind: 'socket', path: socket } as const;
  const { binary, libraries } = await testServerBinary();
  const settings = join(folder, 'redis.conf');
  writeFileSync(
    settings,
    serverSettings(folder, address).replace('appendfsync always', `appendfsync ${fsync}`),
  );
  let child: ChildProcess;
  const launch = (): void => {
    child = endWithParent(
      spawn(binary, [settings], { cwd: folder, env: serverEnvironment(libraries), stdio: 'ignore' }),
    );
  };
  launch();
  const redis = connectRedis({ address, role: 'worker', name: 'chaos' });
  await redis.ping();

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  const appendOnly = join(folder, 'appendonlydir');
  /** The newest part of the file; Redis only appends to it. */
  function growing(): string {
    const parts = readdirSync(appendOnly).filter((name) => name.endsWith('.incr.aof'));
    const numbered = parts.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    return join(appendOnly, numbered.at(-1) ?? '');
  }
  return {
    socket,
    address,
    redis,
    kill,
    async start() {
      launch();
      await redis.ping();
    },
    signal: (name) => void child.kill(name),
    copyFile() {
      const copy = join(folder, 'copy');
      rmSync(copy, { recursive: true, force: true });
      cpSync(appendOnly, copy, { recursive: true });
      return () => {
        rmSync(appendOnly, { recursive: true });
        cpSync(copy, appendOnly, { recursive: true });
      };
    },
    fileSize: () => statSync(growing()).size,
    cutFile: (size) => truncateSync(growing(), size),
    async [Symbol.asyncDispose]() {
      redis.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
