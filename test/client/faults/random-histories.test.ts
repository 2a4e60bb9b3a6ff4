import process from 'node:process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '../../../client/index.ts';
import {
  clientOf,
  type HurtPlatform,
  type Kind,
  operations,
  type Rule,
  startHurtPlatform,
} from './hurt-platform.ts';

// More on demand: MILLRACE_HISTORIES=50000, another walk: MILLRACE_HISTORY_SEED=7.
const histories = Number(process.env['MILLRACE_HISTORIES'] ?? 2000);
const onDemand = process.env['MILLRACE_HISTORIES'] !== undefined;
const seed = Number(process.env['MILLRACE_HISTORY_SEED'] ?? 20_310_101);

const html = { 'content-type': 'text/html' };
/** What can befall one attempt; `undefined` is nothing. */
const fault: fc.Arbitrary<Rule | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 8,
    arbitrary: fc.constantFrom<Rule[]>(
      { wire: 'refuse' },
      { wire: 'reset-before' },
      { wire: 'reset-after' },
      { wire: 'empty' },
      { wire: 'malformed-chunk' },
      { wire: 'truncated' },
    ),
  },
  {
    weight: 8,
    arbitrary: fc
      .record({ status: fc.constantFrom(408, 500, 502, 503, 504), processed: fc.boolean() })
      .map((rule): Rule => rule),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom<Record<string, string>[]>(
        {},
        { 'retry-after': '2' },
        { 'retry-after-ms': '20' },
        { 'retry-after': 'Wed, 01 Jan 2031 12:00:09 GMT' },
        { 'retry-after': '90000' },
      )
      .map((headers): Rule => ({ status: 429, headers })),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Rule[]>(
      { status: 401 },
      { status: 302, headers: { location: 'http://elsewhere.example.com' } },
      { status: 400, body: { error: 'no', status: 400 } },
      { status: 409, body: { error: 'no', status: 409 } },
      { status: 200, headers: html, body: '<html>', processed: true },
      { status: 200, body: '{"page":0,', processed: true },
      { status: 200, headers: { 'content-length': '999' }, body: {}, processed: true },
    ),
  },
);

interface Step {
  readonly kind: Kind;
  /** What befalls the first attempt, the second, and so on. */
  readonly attempts: readonly (Rule | undefined)[];
  /** What befalls the looks after a lost answer. */
  readonly looks: readonly (Rule | undefined)[];
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind[]>('safe', 'repeatable', 'keyed', 'create', 'start', 'start'),
  attempts: fc.array(fault, { maxLength: 4 }),
  looks: fc.array(fault, { maxLength: 2 }),
});

const lookedAt: Partial<Record<Kind, string>> = {
  keyed: 'sharedArtifacts.details',
  create: 'artifacts.list',
  repeatable: 'overrides.list',
};
const onlyOnce: ReadonlySet<Kind> = new Set(['keyed', 'create', 'start']);
/** Ends that promise that nothing took place. */
const nothingDone: ReadonlySet<string> = new Set([
  'rate-limited',
  'unauthorized',
  'request-invalid',
  'unreachable',
]);

/** A rule for each attempt that something befalls. */
function rulesFor(operation: string | undefined, befallen: readonly (Rule | undefined)[]): Rule[] {
  if (operation === undefined) return [];
  return befallen.flatMap((rule, index) =>
    rule === undefined ? [] : [{ ...rule, operation: operation as never, nth: index + 1 }],
  );
}

let ledgerEnd = 0;
/** How often an operation took effect since this was asked last. */
function effectsSince(platform: HurtPlatform['platform'], operation: string): number {
  const entries = platform.ledger({ after: ledgerEnd });
  ledgerEnd = entries.at(-1)?.seq ?? ledgerEnd;
  return entries.filter((entry) => entry.operation === operation).length;
}

/** Lives through a step and says what was wrong with it, or nothing. */
async function wrongIn(
  { platform, attempt }: HurtPlatform,
  client: Client,
  { kind, attempts, looks }: Step,
): Promise<string | undefined> {
  const { id } = operations[kind];
  const hitsBefore = platform.requests().counts[id] ?? 0;
  platform.faults.set([...rulesFor(id, attempts), ...rulesFor(lookedAt[kind], looks)]);
  const ended = await attempt(kind, client);
  const effects = effectsSince(platform, id);
  const hits = (platform.requests().counts[id] ?? 0) - hitsBefore;
  const seen = `${kind} ended in ${ended} after ${hits} requests and ${effects} effects`;
  if (hits > 4) return `${seen}: too many requests`;
  if (!onlyOnce.has(kind)) return undefined;
  if (effects > 1) return `${seen}: took effect more than once`;
  if (ended === 'ok' && effects !== 1) return `${seen}: said to be done`;
  if (nothingDone.has(ended) && effects !== 0) return `${seen}: said not to be done`;
  const refusals = attempts.filter((rule) => rule?.status === 429).length;
  if (kind !== 'keyed' && hits > 1 + refusals) return `${seen}: sent again after it may have left`;
  return undefined;
}

test(`in ${histories} random histories (seed ${seed}) no call that must not be repeated took effect twice, and what is said is true`, async () => {
  await using hurt = await startHurtPlatform();
  effectsSince(hurt.platform, '');
  let lived = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      // Each history has a client of its own, with a full retry budget.
      const client = clientOf(hurt.platform);
      for (const one of steps) expect(await wrongIn(hurt, client, one)).toBeUndefined();
      lived += 1;
      await client.close();
    }),
    // A machine that is too slow lives fewer of them; on demand there is no limit.
    { numRuns: histories, seed, ...(onDemand ? {} : { interruptAfterTimeLimit: 60_000 }) },
  );
  expect(lived).toBeGreaterThanOrEqual(Math.min(histories, 200));
}, 3_600_000);
