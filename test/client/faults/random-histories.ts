import process from 'node:process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '../../../client/index.ts';
import {
  clientOf,
  type FaultyPlatform,
  type Kind,
  operations,
  type Rule,
  startFaultyPlatform,
} from './faulty-platform.ts';

/** Another seed: MILLRACE_HISTORY_SEED=7. */
const seed = Number(process.env['MILLRACE_HISTORY_SEED'] ?? 20_310_101);

const html = { 'content-type': 'text/html' };
/** The fault of one attempt; `undefined` for none. */
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
  /** The faults of the first attempt, the second, and so on. */
  readonly attempts: readonly (Rule | undefined)[];
  /** The faults of the read-backs after a lost answer. */
  readonly readBacks: readonly (Rule | undefined)[];
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind[]>('safe', 'repeatable', 'keyed', 'create', 'start', 'start'),
  attempts: fc.array(fault, { maxLength: 4 }),
  readBacks: fc.array(fault, { maxLength: 2 }),
});

const readBackOperations: Partial<Record<Kind, string>> = {
  keyed: 'sharedArtifacts.details',
  create: 'artifacts.list',
  repeatable: 'overrides.list',
};
const onlyOnce: ReadonlySet<Kind> = new Set(['keyed', 'create', 'start']);
/** Error codes that promise that the call took no effect. */
const nothingDone: ReadonlySet<string> = new Set([
  'rate-limited',
  'unauthorized',
  'request-invalid',
  'unreachable',
]);

/** A rule for each attempt with a fault. */
function rulesFor(operation: string | undefined, attemptFaults: readonly (Rule | undefined)[]): Rule[] {
  if (operation === undefined) return [];
  return attemptFaults.flatMap((rule, index) =>
    rule === undefined ? [] : [{ ...rule, operation: operation as never, nth: index + 1 }],
  );
}

let ledgerEnd = 0;
/** Number of effects of an operation since the last call of this function. */
function effectsSince(platform: FaultyPlatform['platform'], operation: string): number {
  const entries = platform.ledger({ after: ledgerEnd });
  ledgerEnd = entries.at(-1)?.seq ?? ledgerEnd;
  return entries.filter((entry) => entry.operation === operation).length;
}

/** Runs a step and returns the violated promise, or `undefined`. */
async function problemOf(
  { platform, attempt }: FaultyPlatform,
  client: Client,
  { kind, attempts, readBacks }: Step,
): Promise<string | undefined> {
  const { id } = operations[kind];
  const hitsBefore = platform.requests().counts[id] ?? 0;
  platform.faults.set([...rulesFor(id, attempts), ...rulesFor(readBackOperations[kind], readBacks)]);
  const ended = await attempt(kind, client);
  const effects = effectsSince(platform, id);
  const hits = (platform.requests().counts[id] ?? 0) - hitsBefore;
  const seen = `${kind} ended in ${ended} after ${hits} requests and ${effects} effects`;
  if (hits > 4) return `${seen}: too many requests`;
  if (!onlyOnce.has(kind)) return undefined;
  if (effects > 1) return `${seen}: took effect more than once`;
  if (ended === 'ok' && effects !== 1) return `${seen}: reported as done`;
  if (nothingDone.has(ended) && effects !== 0) return `${seen}: reported as not done`;
  const refusals = attempts.filter((rule) => rule?.status === 429).length;
  if (kind !== 'keyed' && hits > 1 + refusals) return `${seen}: repeated although it may have been sent`;
  return undefined;
}

/** Declares the test with this many histories. */
export function testRandomHistories(histories: number): void {
  test(`in ${histories} random histories (seed ${seed}) no unrepeatable call takes effect twice, and every result is true`, async () => {
    await using faulty = await startFaultyPlatform();
    effectsSince(faulty.platform, '');
    let completed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        // Each history has a client of its own, with a full retry budget.
        const client = clientOf(faulty.platform);
        for (const one of steps) expect(await problemOf(faulty, client, one)).toBeUndefined();
        completed += 1;
        await client.close();
      }),
      { numRuns: histories, seed },
    );
    expect(completed).toBe(histories);
  }, 3_600_000);
}
