import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import type { AuditCursor } from '../../../flows/audit/audit-cursor.ts';
import { type AuditRequest, readAudit } from '../../../flows/audit/read-audit.ts';
import type { PlatformContext } from '../../../flows/context/context.ts';
import { silentLogger, silentProgress } from '../../../lib/core/ports/ports.ts';
import { type ManualClock, manualClock } from '../../environment/clock.ts';
import { type AuditServer, startAuditServer } from './audit-server.ts';

// The same cases everywhere and every time.
fc.configureGlobal({ seed: 20_310_101 });

const minute = 60_000;
const day = 86_400_000;

interface AuditEnvironment extends AsyncDisposable {
  readonly server: AuditServer;
  readonly clock: ManualClock;
  readonly context: PlatformContext;
  readonly warnings: string[];
  readonly stop: AbortController;
  /** Reads to the end; gives the ids in the order in which they came. */
  ids(request: AuditRequest): Promise<string[]>;
}

async function createAuditEnvironment(order?: 'newest' | 'oldest'): Promise<AuditEnvironment> {
  const server = await startAuditServer(order);
  const clock = manualClock();
  const client = createClient({ baseUrl: server.baseUrl, auth: { token: 't' }, maxAttempts: 1 });
  const warnings: string[] = [];
  const stop = new AbortController();
  const context: PlatformContext = {
    client,
    projectId: '',
    clock,
    random: () => 0.5,
    logger: { ...silentLogger, warn: (message) => void warnings.push(message) },
    progress: silentProgress,
    signal: stop.signal,
  };
  return {
    server,
    clock,
    context,
    warnings,
    stop,
    async ids(request) {
      const found: string[] = [];
      for await (const { entries } of readAudit(request, context))
        found.push(...entries.map(({ eventId }) => eventId));
      return found;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const order = (server: AuditServer) =>
  server.entries
    .toSorted((a, b) => Date.parse(a.eventTimestamp) - Date.parse(b.eventTimestamp))
    .map(({ eventId }) => eventId);

test.each(['newest', 'oldest'] as const)(
  'every page is read, and entries come oldest first, on a server that lists the %s first',
  async (listed) => {
    await using env = await createAuditEnvironment(listed);
    for (let i = 0; i < 250; i += 1) env.server.add(env.clock.now() - i * minute);
    expect(await env.ids({ from: env.clock.now() - day })).toEqual(order(env.server));
  },
);

test('an offset is encoded, so that no plus sign becomes a space (§4.7)', async () => {
  await using env = await createAuditEnvironment();
  env.server.add(env.clock.now());
  await env.ids({ from: env.clock.now() - day });
  expect(env.server.queries[0]?.get('from')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test.each(['newest', 'oldest'] as const)(
  'entries that arrive while pages are read neither double nor hide others (%s first)',
  async (listed) => {
    await using env = await createAuditEnvironment(listed);
    const { server, clock } = env;
    for (let i = 0; i < 350; i += 1) server.add(clock.now() - 400 * minute + i * 1_000);
    // After each of the first pages some come, late ones among them: they move the others to the next page.
    server.afterAnswer = (request) => {
      if (request > 6) return;
      for (let i = 0; i < 7; i += 1) server.add(clock.now() - request * minute - i);
      server.add(clock.now() - 390 * minute);
    };
    const found = await env.ids({ from: clock.now() - day });
    expect(new Set(found).size).toBe(found.length);
    expect(new Set(found)).toEqual(new Set(server.entries.map(({ eventId }) => eventId)));
  },
);

test('entries that expire while pages are read hide none of the others', async () => {
  await using env = await createAuditEnvironment('oldest');
  const { server, clock } = env;
  for (let i = 0; i < 350; i += 1) server.add(clock.now() - 400 * minute + i * 1_000);
  const kept = new Set(server.entries.slice(60).map(({ eventId }) => eventId));
  server.afterAnswer = (request) => {
    if (request <= 4) server.entries.splice(0, 15);
  };
  const found = new Set(await env.ids({ from: clock.now() - day }));
  expect([...kept].filter((id) => !found.has(id))).toEqual([]);
});

test('whatever arrives between requests, each entry comes once (random histories)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('newest' as const, 'oldest' as const),
      fc.integer({ min: 0, max: 420 }),
      fc.array(fc.array(fc.integer({ min: 0, max: day / 2 }), { maxLength: 5 }), { maxLength: 8 }),
      async (listed, many, arrivals) => {
        await using env = await createAuditEnvironment(listed);
        const { server, clock } = env;
        for (let i = 0; i < many; i += 1) server.add(clock.now() - ((i * 7_919) % (day / 2)));
        server.afterAnswer = (request) => {
          for (const age of arrivals[request] ?? []) server.add(clock.now() - age);
        };
        const found = await env.ids({ from: clock.now() - day });
        const all = server.entries.map(({ eventId }) => eventId);
        expect(found).toHaveLength(new Set(found).size);
        // Entries may arrive after the last answer.
        const late =
          arrivals.slice(server.queries.length).flat().length +
          (arrivals[server.queries.length]?.length ?? 0);
        expect(all.filter((id) => !found.includes(id)).length).toBeLessThanOrEqual(late);
      },
    ),
    { numRuns: 60 },
  );
});

test('more entries than are held at once are read in shorter stretches, each once', async () => {
  await using env = await createAuditEnvironment();
  const { server, clock } = env;
  for (let i = 0; i < 12_000; i += 1) server.add(clock.now() - Math.floor(i / 3) * 5_000);
  const portions: number[] = [];
  const found: string[] = [];
  for await (const { entries } of readAudit({ from: clock.now() - day }, env.context)) {
    portions.push(entries.length);
    found.push(...entries.map(({ eventId }) => eventId));
  }
  expect(Math.max(...portions)).toBeLessThanOrEqual(5_000);
  expect(found).toHaveLength(12_000);
  expect(new Set(found).size).toBe(12_000);
});

test('what is older than 90 days is said to be unavailable, and not asked for', async () => {
  await using env = await createAuditEnvironment();
  env.server.add(env.clock.now() - minute);
  await env.ids({ from: env.clock.now() - 200 * day });
  expect(env.warnings).toEqual([expect.stringContaining('keeps audit entries for 90 days (§6)')]);
  expect(Date.parse(env.server.queries[0]?.get('from') ?? '')).toBe(env.clock.now() - 90 * day);
});

test('a stretch that is wholly older than 90 days asks for nothing', async () => {
  await using env = await createAuditEnvironment();
  expect(await env.ids({ from: env.clock.now() - 200 * day, to: env.clock.now() - 100 * day })).toEqual([]);
  expect(env.server.queries).toEqual([]);
});

test('a reading that continues at a cursor gives newer and late entries, and none twice', async () => {
  await using env = await createAuditEnvironment();
  const { server, clock, context } = env;
  for (let i = 0; i < 130; i += 1) server.add(clock.now() - i * 500);
  let cursor: AuditCursor | undefined;
  const first: string[] = [];
  for await (const portion of readAudit({ from: clock.now() - day }, context)) {
    first.push(...portion.entries.map(({ eventId }) => eventId));
    cursor = portion.cursor;
  }
  const late = server.add(clock.now() - 20_000);
  await clock.advance(5 * minute);
  const fresh = server.add(clock.now());
  expect(await env.ids({ from: 0, cursor })).toEqual([late.eventId, fresh.eventId]);
  expect(first).toHaveLength(130);
});

test('following gives new entries as they come, waits for a platform that is away, and ends with the signal', async () => {
  await using env = await createAuditEnvironment();
  const { server, clock, context, stop } = env;
  const old = server.add(clock.now() - minute);
  const got: string[] = [];
  const reading = (async () => {
    for await (const { entries } of readAudit(
      { from: clock.now() - day, follow: { everyMs: 5_000 } },
      context,
    ))
      got.push(...entries.map(({ eventId }) => eventId));
  })();
  await clock.asleep();
  expect(got).toEqual([old.eventId]);
  const next = server.add(clock.now() + 1_000);
  await clock.advance(5_000);
  await clock.asleep();
  expect(got).toEqual([old.eventId, next.eventId]);
  await clock.advance(5_000);
  await clock.asleep();
  expect(got).toHaveLength(2);
  stop.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});
