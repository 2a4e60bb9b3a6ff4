import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorOf } from '../client-for.ts';
import { type HurtPlatform, type Kind, type Rule, type Seen, startHurtPlatform } from './hurt-platform.ts';

/** Ended in, how often the platform was hit, how often it took effect by its ledger. */
type Row = readonly [ended: string, hits: number, effects: number];
type Expected = Readonly<Record<Kind, Row>>;

// Reading the table: a reading call is sent again and has no effect; a repeatable one may take effect at each attempt
// and ends in the same state; a shared publish is sent again and takes effect once; create, promote and start are
// never sent again once they may have left, and the first two are looked up where their answer was lost.
const all = (row: Row): Expected => ({
  safe: row,
  repeatable: row,
  keyed: row,
  create: row,
  promote: row,
  start: row,
});
const sentAgain: Expected = {
  safe: ['ok', 2, 0],
  repeatable: ['ok', 2, 1],
  keyed: ['ok', 2, 1],
  create: ['ok', 2, 1],
  promote: ['ok', 2, 1],
  start: ['ok', 2, 1],
};
const atOnce: Expected = {
  safe: ['ok', 1, 0],
  repeatable: ['ok', 1, 1],
  keyed: ['ok', 1, 1],
  create: ['ok', 1, 1],
  promote: ['ok', 1, 1],
  start: ['ok', 1, 1],
};
const lostBefore: Expected = {
  ...sentAgain,
  create: ['outcome-unknown', 1, 0],
  promote: ['outcome-unknown', 1, 0],
  start: ['outcome-unknown', 1, 0],
};
const lostAfter: Expected = {
  safe: ['ok', 2, 0],
  repeatable: ['ok', 2, 2],
  keyed: ['ok', 2, 1],
  create: ['ok', 1, 1],
  promote: ['ok', 1, 1],
  start: ['outcome-unknown', 1, 1],
};
const unreadable: Expected = {
  ...lostAfter,
  safe: ['answer-unreadable', 1, 0],
  repeatable: ['answer-unreadable', 1, 1],
  keyed: ['ok', 1, 1],
};
const burst = (times: number): Expected => ({
  ...lostBefore,
  safe: ['ok', times + 1, 0],
  repeatable: ['ok', times + 1, 1],
  keyed: ['ok', times + 1, 1],
});
const again = (headers: Record<string, string>): Rule => ({ status: 429, headers, times: 1 });
const html = { 'content-type': 'text/html' };

const faults: readonly (readonly [fault: string, rules: readonly Rule[], expected: Expected])[] = [
  ['nothing', [], atOnce],
  ['a connection that is closed at once', [{ wire: 'refuse', times: 1 }], lostBefore],
  ['a reset before processing', [{ wire: 'reset-before', times: 1 }], lostBefore],
  ['a reset after processing', [{ wire: 'reset-after', times: 1 }], lostAfter],
  [
    'resets after processing without end',
    [{ wire: 'reset-after' }],
    { ...lostAfter, safe: ['no-answer', 4, 0], repeatable: ['ok', 4, 4], keyed: ['ok', 4, 1] },
  ],
  ['an empty answer', [{ wire: 'empty', times: 1 }], lostAfter],
  ['silence', [{ wire: 'silence', times: 1 }], lostAfter],
  ['one byte a second', [{ wire: 'dribble', interval: '1s', times: 1 }], lostAfter],
  ['a malformed chunk', [{ wire: 'malformed-chunk', times: 1 }], lostAfter],
  ['a body that breaks off', [{ wire: 'truncated', times: 1 }], lostAfter],
  ['429 with Retry-After in seconds', [again({ 'retry-after': '2' })], sentAgain],
  ['429 with Retry-After in milliseconds', [again({ 'retry-after-ms': '150' })], sentAgain],
  ['429 with Retry-After as a date', [again({ 'retry-after': 'Wed, 01 Jan 2031 12:00:09 GMT' })], sentAgain],
  ['429 without Retry-After', [again({})], sentAgain],
  ['429 without end', [{ status: 429, headers: { 'retry-after': '1' } }], all(['rate-limited', 4, 0])],
  [
    '429 that asks for more than any deadline',
    [{ status: 429, headers: { 'retry-after': '4000' } }],
    all(['rate-limited', 1, 0]),
  ],
  ['a burst of two 500', [{ status: 500, times: 2 }], burst(2)],
  ['a burst of three 502', [{ status: 502, times: 3 }], burst(3)],
  ['a 503 after processing', [{ status: 503, processed: true, times: 1 }], lostAfter],
  [
    '503 without end',
    [{ status: 503 }],
    {
      ...lostBefore,
      safe: ['platform-failed', 4, 0],
      repeatable: ['outcome-unknown', 4, 0],
      keyed: ['outcome-unknown', 4, 0],
    },
  ],
  ['401 to a token that cannot be renewed', [{ status: 401 }], all(['unauthorized', 1, 0])],
  [
    'a redirect',
    [{ status: 302, headers: { location: 'http://elsewhere.example.com/login' } }],
    all(['answer-unreadable', 1, 0]),
  ],
  [
    'a web page in place of the answer',
    [{ status: 200, headers: html, body: '<!doctype html><p>log in', processed: true, times: 1 }],
    unreadable,
  ],
  [
    'the web page of a gateway that failed',
    [{ status: 502, headers: html, body: '<html>bad gateway', times: 1 }],
    lostBefore,
  ],
  ['JSON that breaks off', [{ status: 200, body: '{"page":0,', processed: true, times: 1 }], unreadable],
  [
    'a content-length that is too long',
    [{ status: 200, headers: { 'content-length': '999' }, body: {}, processed: true, times: 1 }],
    lostAfter,
  ],
  [
    'a content-length that is too short',
    [{ status: 200, headers: { 'content-length': '1' }, body: { page: 0 }, processed: true, times: 1 }],
    unreadable,
  ],
  [
    'an answer of 100 MB',
    [{ status: 200, bodyBytes: 100 * 1024 * 1024, processed: true, times: 1 }],
    { ...unreadable, repeatable: ['ok', 1, 1] },
  ],
  ['a 400', [{ status: 400, body: { error: 'no', status: 400 } }], all(['request-invalid', 1, 0])],
  [
    'a 409, which is an answer',
    [{ status: 409, body: { error: 'no', status: 409 } }],
    { ...all(['conflict', 1, 0]), start: ['execution-tag-conflict', 1, 0] },
  ],
];

const kinds: readonly Kind[] = ['safe', 'repeatable', 'keyed', 'create', 'promote', 'start'];
const once: ReadonlySet<Kind> = new Set(['keyed', 'create', 'promote', 'start']);

/** How many requests a fault on the wire has befallen. */
function strikes({ platform }: HurtPlatform): number {
  return platform.requests().requests.filter(({ fate }) => fate === 'silence' || fate === 'dribble').length;
}

describe('what the caller gets, how often the platform is hit, and how often it took effect:', () => {
  test.each(faults)('%s', async (_, rules, expected) => {
    const slow = rules.some(({ wire }) => wire === 'silence' || wire === 'dribble');
    // The client's patience is the test's: it ends once the platform has done what it keeps to itself.
    if (slow) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using hurt = await startHurtPlatform(slow ? { timeoutMs: 1_000 } : {});
    const seen: Partial<Record<Kind, Seen>> = {};
    for (const kind of kinds) {
      const struck = strikes(hurt);
      const call = hurt.suffer(kind, rules);
      if (slow) {
        while (strikes(hurt) === struck) await turn();
        vi.advanceTimersByTime(1_000);
      }
      seen[kind] = await call;
    }
    expect(seen).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([kind, [ended, hits, effects]]) => [kind, { ended, hits, effects }]),
      ),
    );
    for (const kind of once) expect(seen[kind]?.effects, `${kind} took effect`).toBeLessThanOrEqual(1);
  });
});

test('a 401 in the middle is met with one new token, whatever the call, and nothing takes effect twice', async () => {
  await using hurt = await startHurtPlatform({}, 'client-credentials');
  const tokens = () => hurt.platform.requests().counts['oauth.token'] ?? 0;
  for (const kind of kinds) {
    const before = tokens();
    const [ended, hits, effects] = sentAgain[kind];
    expect(await hurt.suffer(kind, [{ status: 401, times: 1 }]), kind).toEqual({ ended, hits, effects });
    expect(tokens() - before, kind).toBe(1);
  }
  expect(await hurt.suffer('start', [{ status: 401 }])).toEqual({
    ended: 'unauthorized',
    hits: 2,
    effects: 0,
  });
});

describe('an answer that says more or less than the specification', () => {
  const answered = async (body: unknown) => {
    await using hurt = await startHurtPlatform();
    hurt.platform.faults.set([{ operation: 'variables.list', status: 200, body }]);
    // Awaited here: the platform ends with this function.
    return await hurt.client.variables.list({ projectId: hurt.projectId });
  };
  const envelope = { page: 0, size: 25, total: 1 };

  test('passes with unknown enumeration values and fields, which are kept', async () => {
    const odd = { id: 'v', name: 'limit', type: 'GRID', behaviour: 'SHADOWED', colour: 'red' };
    const page = { ...envelope, results: [odd], next: 'more' };
    expect(await answered(page)).toEqual(page);
  });

  test('passes without optional fields', async () => {
    const results = [{ id: 'v', name: 'limit', type: 'TEXT' }];
    expect((await answered({ ...envelope, results })).results).toEqual(results);
  });

  test('is unreadable without required ones, and the field is named', async () => {
    const lacking = answered({ ...envelope, results: [{ id: 'v', type: 'TEXT' }] });
    await expect(lacking).rejects.toMatchObject({ code: 'answer-unreadable', status: 200, attempts: 1 });
    await expect(lacking).rejects.toThrow('results.0.name');
  });
});

test('a platform that is not there gets nothing, and no call of any kind is unknown', async () => {
  const gone = await startHurtPlatform();
  await gone.platform.close();
  for (const kind of kinds) {
    expect(await gone.attempt(kind), kind).toBe('unreachable');
  }
  await gone.client.close();
});

test('the platform’s rate limit is kept to: what was too much is done a minute later', async () => {
  await using hurt = await startHurtPlatform();
  const { platform, client, projectId } = hurt;
  platform.clock.freeze();
  platform.faults.set({ rateLimit: 1 });
  await client.variables.list({ projectId });
  const error = await errorOf(client.variables.list({ projectId }, { deadlineMs: 30_000 }));
  expect(error).toMatchObject({
    code: 'rate-limited',
    attempts: 1,
    isRetryable: true,
    retryAfterMs: 60_000,
  });
  await platform.clock.advance('1m');
  expect(await hurt.attempt('start')).toBe('ok');
});
