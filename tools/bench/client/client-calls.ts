import process from 'node:process';
import { Pool } from 'undici';
import * as z from 'zod';
import {
  createClient,
  type Client,
  logging,
  type Middleware,
  recording,
  tracing,
} from '../../../client/index.ts';
import { findOperation } from '../../../lib/contract/operations.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { pairwise, pairwiseOf, type Row } from '../measure.ts';
import { startBenchServer } from '../servers/start-bench-server.ts';

// Many short rounds in turn: on a machine that others use too, a slow moment meets both sides.
const calls = 400;
const rounds = 41;
const warmUps = 4000;
const inFlight = 32;

/** Calls of a page of 25 audit entries, 32 in flight, each kind in turn with a raw Pool that only parses JSON. */
export async function clientCalls(): Promise<Row[]> {
  await using server = await startBenchServer();
  const pool = new Pool(server.url, { connections: inFlight });
  const headers = { authorization: 'Bearer secret-token', accept: 'application/json' };
  const raw = async (): Promise<unknown> => {
    const { body } = await pool.request({ path: '/v1/events', method: 'GET', headers });
    return body.json();
  };
  const withTimeout = async (): Promise<unknown> => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), 60_000);
    try {
      const request = { path: '/v1/events', method: 'GET', headers, signal: abort.signal } as const;
      return await (await pool.request(request)).body.json();
    } finally {
      clearTimeout(timer);
    }
  };
  const schema = findOperation('audit.list')?.answer ?? z.unknown();
  const compiled = z.compile(schema);
  // The same work as the client's: credential, time-out, whole answer, JSON, validation.
  const fetched = async (): Promise<unknown> => {
    const response = await fetch(`${server.url}/v1/events`, { headers, signal: AbortSignal.timeout(60_000) });
    if (!response.ok) throw new Error(String(response.status));
    return schema.parse(await response.json());
  };

  const bare = clientAt(server.url, []);
  const full = clientAt(server.url, [logging(silentLogger), recording(() => {}), tracing(noTracer)]);
  const passing: Middleware[] = Array.from({ length: 3 }, () => async (request, next) => next(request));
  const layered = clientAt(server.url, passing);
  const kinds: [string, () => PromiseLike<unknown>][] = [
    ['raw Pool + validation', async () => schema.parse(await raw())],
    ['raw Pool + validation by z.compile', async () => compiled.parse(await raw())],
    ['raw Pool + time-out', withTimeout],
    ['client, without validation and middlewares', () => bare.request({ method: 'GET', path: '/v1/events' })],
    ['client, without middlewares', () => bare.audit.list()],
    ['client, 3 empty middlewares', () => layered.audit.list()],
    ['client, logging + recording + tracing', () => full.audit.list()],
  ];
  const rows: Row[] = [];
  const referenceName = 'raw undici Pool, JSON.parse';
  await repeat(raw, warmUps);
  for (const [what, call] of kinds) {
    await repeat(call, warmUps);
    const result = await pairwise(
      rounds,
      () => repeat(call),
      () => repeat(raw),
    );
    rows.push({ what: `${calls} calls: ${what}`, ...result, referenceName });
  }
  const everything = (): PromiseLike<unknown> => full.audit.list();
  const processor = await pairwiseOf(
    rounds,
    () => processorTime(() => repeat(everything)),
    () => processorTime(() => repeat(raw)),
  );
  rows.push({ what: `${calls} calls: the same, processor time of the caller`, ...processor, referenceName });
  await repeat(fetched, warmUps);
  const fetching = await pairwise(
    rounds,
    () => repeat(everything),
    () => repeat(fetched),
  );
  rows.push({
    what: `${calls} calls: client, logging + recording + tracing`,
    ...fetching,
    referenceName: 'global `fetch` doing the same',
  });
  await Promise.all([pool.close(), bare.close(), full.close(), layered.close()]);
  return rows;
}

function clientAt(baseUrl: string, middlewares: readonly Middleware[]): Client {
  return createClient({ baseUrl, auth: { token: 'secret-token' }, middlewares });
}

const noTracer = {
  startSpan: () => ({
    setAttribute() {},
    setStatus() {},
    end() {},
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
  }),
};

async function repeat(call: () => PromiseLike<unknown>, times = calls): Promise<void> {
  let left = times;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

async function processorTime(work: () => Promise<void>): Promise<number> {
  const begin = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}
