import { spawn } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { firstOutput } from '../../../test/environment/processes/first-output.ts';
import { type Row, sampleOf } from '../measure.ts';
import { startBenchRedis } from './bench-redis.ts';
import { openRawSender, type RawSender } from './raw-sender.ts';

const pushes = 1_500;
const inFlight = 64;
const rounds = 15;
const secret = 'bench';
const kinds = ['millrace', 'bare', 'octokit'] as const;
type Kind = (typeof kinds)[number];

const id = (): string => randomBytes(20).toString('hex');
const commit = () => ({
  id: id(),
  message: 'Change a pipeline',
  added: [],
  modified: ['daily/load.orch.yaml'],
});

/** Signed pushes of about 8 kB, each different, as bytes of requests. */
function makePushes(): Buffer[] {
  const commits = Array.from({ length: 57 }, commit);
  return Array.from({ length: pushes }, () => {
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      before: id(),
      after: id(),
      created: false,
      deleted: false,
      forced: false,
      repository: { id: 77, full_name: 'example/warehouse' },
      sender: { id: 1, login: 'octocat' },
      commits,
    });
    const head = [
      'POST /webhooks/github HTTP/1.1',
      'host: worker.example',
      'user-agent: GitHub-Hookshot/bench',
      'accept: */*',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'x-github-event: push',
      `x-github-delivery: ${randomUUID()}`,
      'x-github-hook-id: 1',
      `x-hub-signature-256: sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** Signed pushes with a durable add each: the receiver, bare node:http and octokit’s middleware, in turn. */
export async function receiver(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  const servers = new Map<Kind, Receiver>();
  try {
    for (const kind of kinds) servers.set(kind, await startServer(kind, redis.socket));
    const times = measuresOf();
    const slow = measuresOf();
    const cpu = measuresOf();
    const sendingCpu: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      // In turn, and each round in another order, so that a slow moment of the machine affects all.
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        const server = servers.get(kind);
        if (server === undefined) continue;
        const before = await server.cpuMs();
        const { ms, p99, ownCpuMs } = await load(server.url);
        const after = await server.cpuMs();
        if (round === 0) continue;
        times[kind].push(ms);
        slow[kind].push(p99);
        cpu[kind].push(after - before);
        sendingCpu.push(ownCpuMs);
      }
    }
    const row = (what: string, of: Record<Kind, number[]>, other: Kind, referenceName: string): Row => ({
      what,
      ours: sampleOf(of.millrace),
      reference: sampleOf(of[other]),
      referenceName,
    });
    const bare = 'bare node:http, verify, the same BullMQ add';
    const octokit = 'createNodeMiddleware of @octokit/webhooks, the same add';
    const sending = `sending takes ${sampleOf(sendingCpu).medianMs.toFixed(0)} ms of CPU elsewhere`;
    const all = `${pushes} signed pushes of 8 kB, durable add, ${inFlight} in flight`;
    return [
      row(`${all} (at most 1.18 is wanted)`, times, 'bare', bare),
      row(`${all} (at most 0.83 is wanted)`, times, 'octokit', octokit),
      row(`the same: CPU of the receiver’s process; ${sending}`, cpu, 'bare', bare),
      row(`the same: CPU of the receiver’s process; ${sending}`, cpu, 'octokit', octokit),
      row('the same: the slowest of a hundred, p99', slow, 'bare', bare),
      row('the same: the slowest of a hundred, p99', slow, 'octokit', octokit),
    ];
  } finally {
    for (const server of servers.values()) await server.close();
  }
}

const measuresOf = (): Record<Kind, number[]> => ({ millrace: [], bare: [], octokit: [] });

interface Receiver {
  readonly url: string;
  /** CPU time of its process so far, user and system; finer than the kernel's hundredths of a second. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

async function startServer(kind: Kind, socket: string): Promise<Receiver> {
  const script = path.join(import.meta.dirname, 'webhook-server.ts');
  const child = spawn(process.execPath, [script, kind, socket, secret], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await firstOutput(child);
  return {
    url: url.trim(),
    async cpuMs() {
      const usage = once(child, 'message') as Promise<[NodeJS.CpuUsage]>;
      child.send('cpu');
      return sumMs((await usage)[0]);
    },
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const sumMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

async function load(url: string): Promise<{ ms: number; p99: number; ownCpuMs: number }> {
  const signed = makePushes();
  const senders = await Promise.all(Array.from({ length: inFlight }, async () => openRawSender(url)));
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const send = async (sender: RawSender): Promise<void> => {
    for (let push = signed.pop(); push !== undefined; push = signed.pop()) {
      const sent = performance.now();
      const status = await sender.send(push);
      if (status >= 300) throw new Error(`a push was answered ${status}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(senders.map(send));
  const ms = performance.now() - begun;
  const ownCpuMs = sumMs(process.cpuUsage(cpuBefore));
  await Promise.all(senders.map(async (sender) => sender.close()));
  return {
    ms,
    ownCpuMs,
    p99: latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}
