import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { createSplitter, wordsOfCommand } from '../../chaos/lines/resp.ts';

type Answer = (words: readonly string[], socket: Socket) => string | Promise<string>;

/** A server that talks as Redis does. `undefined` words are answered with OK. */
async function serve(answer: Answer): Promise<{ readonly port: number; end(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const split = createSplitter();
    let last = Promise.resolve();
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      for (const message of split(chunk)) {
        const words = wordsOfCommand(message);
        // In turn, as they came.
        last = last.then(async () => void socket.write(await answer(words, socket)));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(end);
  return { port: (server.address() as AddressInfo).port, end };
}

const text = (value: string | number): string => `$${String(value).length}\r\n${value}\r\n`;
const list = (...values: readonly (string | number)[]): string =>
  `*${values.length}\r\n${values.map(text).join('')}`;

function common([command = '']: readonly string[]): string {
  if (command.toLowerCase() === 'hello') return "-ERR unknown command 'HELLO'\r\n";
  if (command.toLowerCase() === 'info') return text('role:master\r\nloading:0');
  return '+OK\r\n';
}

/** A master, whose only value is its name. */
const serveMaster = (name: string) =>
  serve((words) => (words[0]?.toLowerCase() === 'get' ? text(name) : common(words)));

/** A Sentinel; `masterPort` answers where the master is. */
async function serveSentinel(masterPort: () => number | Promise<number>) {
  const subscribers = new Set<Socket>();
  let onSubscriber = (): void => undefined;
  const { port } = await serve(async (words, socket) => {
    const [command = ''] = words;
    if (command.toLowerCase() === 'sentinel' && words[1]?.toLowerCase() === 'get-master-addr-by-name')
      return list('127.0.0.1', await masterPort());
    if (command.toLowerCase() === 'sentinel') return '*0\r\n';
    if (command.toLowerCase() !== 'subscribe') return common(words);
    subscribers.add(socket);
    onSubscriber();
    return `*3\r\n${text('subscribe')}${text('+switch-master')}:1\r\n`;
  });
  return {
    port,
    subscribed: () =>
      new Promise<void>((resolve) => {
        onSubscriber = resolve;
        if (subscribers.size > 0) resolve();
      }),
    /** Says that the master is another one; resolves once all that heard it have closed their connections. */
    async publishSwitch(): Promise<void> {
      const closed = [...subscribers].map((socket) => once(socket, 'close'));
      for (const socket of subscribers) socket.write(list('message', '+switch-master', 'main'));
      subscribers.clear();
      await Promise.all(closed);
    },
  };
}

test('a switch that is published while the Sentinels are asked for the master does not end the connection', async () => {
  const first = await serveMaster('first');
  const second = await serveMaster('second');
  const asked = Promise.withResolvers<void>();
  const published = Promise.withResolvers<void>();
  let isKilled = false;
  const sentinel = await serveSentinel(async () => {
    if (!isKilled) return first.port;
    asked.resolve();
    await published.promise;
    return second.port;
  });
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;
  const redis = connectRedis({ address: { kind: 'url', url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  expect(await redis.get('name')).toBe('first');
  await sentinel.subscribed();

  isKilled = true;
  await first.end();
  const name = redis.get('name');
  await asked.promise;
  await sentinel.publishSwitch();
  published.resolve();
  expect(await name).toBe('second');
});

test('a switch between the answer of a Sentinel and the subscription is noticed while the old master hangs', async () => {
  const hanging = await serve((words) =>
    words[0]?.toLowerCase() === 'get' ? new Promise<string>(() => undefined) : common(words),
  );
  const second = await serveMaster('second');
  let asked = 0;
  const sentinel = await serveSentinel(() => ((asked += 1) === 1 ? hanging.port : second.port));
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;
  const redis = connectRedis({ address: { kind: 'url', url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  expect(await redis.get('name')).toBe('second');
});

test('a Sentinel that still names the master before does not end the connection to the one that another named', async () => {
  const gone = await serveMaster('gone');
  await gone.end();
  const master = await serveMaster('master');
  const behind = await serveSentinel(() => gone.port);
  let asked = 0;
  const askedAgain = Promise.withResolvers<void>();
  const leader = await serveSentinel(() => {
    if ((asked += 1) === 2) askedAgain.resolve();
    return master.port;
  });
  const url = `redis+sentinel://127.0.0.1:${behind.port},127.0.0.1:${leader.port}/main`;
  const redis = connectRedis({ address: { kind: 'url', url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  expect(await redis.get('name')).toBe('master');
  let closed = 0;
  redis.on('close', () => (closed += 1));
  await askedAgain.promise;
  expect(await redis.get('name')).toBe('master');
  expect(closed).toBe(0);
});

test('a connection stays where the Sentinels still name its master', async () => {
  const first = await serveMaster('first');
  let asked = 0;
  const askedAgain = Promise.withResolvers<void>();
  const sentinel = await serveSentinel(() => {
    if ((asked += 1) === 2) askedAgain.resolve();
    return first.port;
  });
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;
  const redis = connectRedis({ address: { kind: 'url', url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  let closed = 0;
  redis.on('close', () => (closed += 1));
  await askedAgain.promise;
  expect(await redis.get('name')).toBe('first');
  expect(closed).toBe(0);
});

test('a Sentinel that hangs is passed over', async () => {
  const { port } = await serveMaster('first');
  const hanging = await serveSentinel(() => new Promise<number>(() => undefined));
  const working = await serveSentinel(() => port);
  const url = `redis+sentinel://127.0.0.1:${hanging.port},127.0.0.1:${working.port}/main`;
  const redis = connectRedis({ address: { kind: 'url', url }, role: 'worker' });
  onTestFinished(() => redis.disconnect());
  expect(await redis.get('name')).toBe('first');
});

test('a connection that is closed while the Sentinels are asked stays closed', async () => {
  const asked = Promise.withResolvers<void>();
  const { promise: port, resolve: answer } = Promise.withResolvers<number>();
  const sentinel = await serveSentinel(() => {
    asked.resolve();
    return port;
  });
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`;
  const redis = connectRedis({ address: { kind: 'url', url }, role: 'worker' });
  await asked.promise;
  const ended = once(redis, 'end');
  redis.disconnect();
  answer((await serveMaster('first')).port);
  await ended;
  await expect(redis.get('name')).rejects.toThrow('Connection is closed.');
});
