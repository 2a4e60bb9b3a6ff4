import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { RedisAddress } from '../../../lib/redis/address/redis-address.ts';
import type { RecordArguments } from '../../../worker/store/advances/advance.ts';
import type { Moment, Watch } from './moment.ts';
import { createSplitter, wordsOfCommand } from './resp.ts';
import { scriptNames } from './script-names.ts';

/** A line to Redis that sees every command and its answer, one at a time. */
export interface RedisLine extends AsyncDisposable {
  readonly address: RedisAddress & { readonly kind: 'url' };
  /** Cuts every connection and takes no new one. */
  cut(): void;
  restore(): void;
}

/** Commands that change nothing are not observed. */
const reads = new Set(
  'AUTH CLIENT COMMAND EXISTS GET HELLO HGET HGETALL HMGET INFO LLEN LRANGE MGET PING SCARD SELECT SMEMBERS SMISMEMBER XLEN XRANGE XREVRANGE ZCARD ZRANGE ZRANGEBYSCORE ZREVRANGE ZSCORE QUIT'.split(
    ' ',
  ),
);

/** @param socketPath of the Redis server */
export async function openRedisLine(socketPath: string, watch: Watch): Promise<RedisLine> {
  const names = scriptNames();
  const sockets = new Set<Socket>();
  let open = true;

  function labelOf(words: readonly string[]): string | undefined {
    const command = (words[0] ?? '').toUpperCase();
    if (reads.has(command)) return undefined;
    if (command !== 'EVALSHA' && command !== 'EVAL') return `${command} ${withoutIds(words[1] ?? '')}`.trim();
    const digest = words[1] ?? '';
    const sha1 = command === 'EVALSHA' ? digest : createHash('sha1').update(digest).digest('hex');
    // One that its file keeps to itself.
    const name = names.get(sha1) ?? `script ${sha1.slice(0, 6)}`;
    if (name !== 'record') return name;
    // Script, number of keys, keys, named arguments.
    const { kind, what } = JSON.parse(words[3 + Number(words[2])] ?? '{}') as RecordArguments;
    return `record ${kind} ${what}`.trim();
  }

  function carry(near: Socket): void {
    if (!open) return void near.destroy();
    const far = connect(socketPath);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        near.destroy();
        far.destroy();
        sockets.delete(socket);
      });
    }
    const asked: (Omit<Moment, 'phase'> | undefined)[] = [];
    const queue = (pass: (value: Buffer) => Promise<void>): ((chunk: Buffer) => void) => {
      const split = createSplitter();
      const passAll = async (before: Promise<void>, values: readonly Buffer[]): Promise<void> => {
        await before;
        for (const value of values) if (!near.destroyed) await pass(value);
      };
      let last = Promise.resolve();
      return (chunk) => {
        last = passAll(last, split(chunk));
      };
    };
    const through = async (moment: Moment): Promise<boolean> => {
      if ((await watch(moment)) === 'pass') return true;
      near.destroy();
      return false;
    };
    near.on(
      'data',
      queue(async (value) => {
        const words = wordsOfCommand(value);
        const label = labelOf(words);
        const moment =
          label === undefined ? undefined : { line: 'redis' as const, label, text: words.join(' ') };
        if (moment !== undefined && !(await through({ ...moment, phase: 'before' }))) return;
        asked.push(moment);
        far.write(value);
      }),
    );
    far.on(
      'data',
      queue(async (value) => {
        const moment = asked.shift();
        const what = moment !== undefined && begunIn(moment.label, value) ? { label: beginsAdvance } : {};
        if (moment !== undefined && !(await through({ ...moment, ...what, phase: 'after' }))) return;
        near.write(value);
      }),
    );
  }

  const server = createServer(carry);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    open = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: { kind: 'url', url: `redis://127.0.0.1:${port}` },
    cut,
    restore: () => void (open = true),
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The label of an answer by which an advance has begun. */
export const beginsAdvance = 'an advance has begun';

/** Whether an advance has begun: also with the job that was taken, or that was taken at the end of another one. */
function begunIn(label: string, answer: Buffer): boolean {
  if (label === 'begin') return true;
  return (label === 'take-advance' || label === 'end-and-delay') && answer.includes('promotionId');
}

/** Keys without what differs from run to run. */
function withoutIds(key: string): string {
  return key.replace(/^\{[^}]*\}:?/, '').replaceAll(/[0-9a-f-]{16,}/g, '*');
}
