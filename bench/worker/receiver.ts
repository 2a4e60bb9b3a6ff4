import { spawn } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { Pool } from 'undici';
import { type Row, sampleOf } from '../measure.ts';
import { cpuMs, startBenchRedis } from './bench-redis.ts';

const pushes = 1_500;
const inFlight = 64;
const rounds = 9;
const secret = 'bench';
const kinds = ['millrace', 'bare', 'octokit'] as const;
type Kind = (typeof kinds)[number];

interface Signed {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Signed pushes of about 8 kB, each another. */
function makePushes(): Signed[] {
  return Array.from({ length: pushes }, () => {
    const id = (): string => randomBytes(20).toString('hex');
    const commit = () => ({
      id: id(),
      message: 'Change a pipeline',
      added: [],
      modified: ['daily/load.orch.yaml'],
    });
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      before: id(),
      after: id(),
      created: false,
      deleted: false,
      forced: false,
      repository: { id: 77, full_name: 'example/warehouse' },
      sender: { id: 1, login: 'octocat' },
      commits: Array.from({ length: 57 }, commit),
    });
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    };
    return { body, headers };
  });
}

/** Signed pushes with a durable add each: the receiver, bare node:http and octokit’s middleware, in turn. */
export async function receiver(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  const servers = new Map<Kind, { url: string; pid: number; close(): Promise<void> }>();
  try {
    for (const kind of kinds) servers.set(kind, await startServer(kind, redis.socket));
    const times = measuresOf();
    const slow = measuresOf();
    const cpu = measuresOf();
    for (let round = 0; round <= rounds; round += 1) {
      // In turn, and each round in another order: a slow moment of the machine meets all.
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        const server = servers.get(kind);
        if (server === undefined) continue;
        const before = cpuMs(server.pid);
        const { ms, p99 } = await load(server.url);
        if (round === 0) continue;
        times[kind].push(ms);
        slow[kind].push(p99);
        cpu[kind].push(cpuMs(server.pid) - before);
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
    const all = `${pushes} signed pushes of 8 kB, durable add, ${inFlight} in flight`;
    return [
      row(`${all} (at most 1.18 is wanted)`, times, 'bare', bare),
      row(`${all} (at most 0.83 is wanted)`, times, 'octokit', octokit),
      row('the same: CPU of the receiver’s process', cpu, 'bare', bare),
      row('the same: CPU of the receiver’s process', cpu, 'octokit', octokit),
      row('the same: the slowest of a hundred, p99', slow, 'bare', bare),
      row('the same: the slowest of a hundred, p99', slow, 'octokit', octokit),
    ];
  } finally {
    for (const server of servers.values()) await server.close();
  }
}

const measuresOf = (): Record<Kind, number[]> => ({ millrace: [], bare: [], octokit: [] });

async function startServer(kind: Kind, socket: string) {
  const script = path.join(import.meta.dirname, 'webhook-server.ts');
  const child = spawn(process.execPath, [script, kind, socket, secret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: line.toString().trim(),
    pid: child.pid ?? 0,
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function load(url: string): Promise<{ ms: number; p99: number }> {
  const signed = makePushes();
  const pool = new Pool(url, { connections: inFlight });
  const latencies: number[] = [];
  const begun = performance.now();
  const send = async (): Promise<void> => {
    for (let one = signed.pop(); one !== undefined; one = signed.pop()) {
      const sent = performance.now();
      const { statusCode, body } = await pool.request({ path: '/webhooks/github', method: 'POST', ...one });
      await body.dump();
      if (statusCode >= 300) throw new Error(`a push was answered ${statusCode}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  const ms = performance.now() - begun;
  await pool.close();
  return { ms, p99: latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN };
}
