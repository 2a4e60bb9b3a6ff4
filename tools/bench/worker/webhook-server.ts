import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { connectRedis, untilReady } from '../../../lib/redis/connection/redis-connection.ts';
import { millraceListener } from './millrace-listener.ts';

// One of three receivers of signed pushes, in a separate process. Each answers when the same BullMQ add is durable.
const [kind = '', socket = '', secret = ''] = process.argv.slice(2);
const redis =
  kind === 'millrace'
    ? connectRedis({ address: { kind: 'socket', path: socket }, role: 'producer' })
    : new Redis(socket, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
await untilReady(redis);
const prefix = `{bench-${kind}}`;
const queue = new Queue('ingest', { connection: redis, prefix, skipWaitingForReady: true });
queue.on('error', () => undefined);

/** The job that the worker adds for a push. */
async function add(id: string, push: Record<string, unknown>): Promise<void> {
  const { ref, before, after, created, deleted, forced } = push;
  const event = { ref, before, after, created, deleted, forced, delivery: id, receivedAt: Date.now() };
  await queue.add('push', event, {
    jobId: `b-${id}`,
    attempts: 4_500,
    backoff: { type: 'custom' },
    removeOnComplete: { age: 86_400, count: 1_000 },
    removeOnFail: { count: 1_000 },
  });
}

type Answerer = (...args: Parameters<RequestListener>) => Promise<void>;

const listeners: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  millrace: () => millraceListener({ redis, prefix, secret }),
  bare() {
    const read = async (request: IncomingMessage): Promise<Buffer> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    };
    const answer: Answerer = async (request, response) => {
      const body = await read(request);
      const right = createHmac('sha256', secret).update(body).digest();
      const signature = Buffer.from(String(request.headers['x-hub-signature-256']).slice(7), 'hex');
      if (!timingSafeEqual(signature, right)) return void response.writeHead(401).end();
      const push = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
      await add(String(request.headers['x-github-delivery']), push);
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"fate":"accepted"}');
    };
    return (request, response) => void answer(request, response);
  },
  octokit() {
    const webhooks = new Webhooks({ secret });
    webhooks.on('push', async ({ id, payload }) => add(id, { ...payload }));
    const middleware = createNodeMiddleware(webhooks, { path: '/webhooks/github' });
    return (request, response) => void middleware(request, response);
  },
};

// Answers with its CPU time so far.
process.on('message', () => process.send?.(process.cpuUsage()));

const server = createServer(await listeners[kind]?.());
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
