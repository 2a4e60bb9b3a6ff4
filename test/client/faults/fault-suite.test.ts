import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorOf } from '../client-for.ts';
import {
  type FaultyPlatform,
  type Kind,
  type Rule,
  type Seen,
  startFaultyPlatform,
} from './faulty-platform.ts';

/** The call's end, the number of requests to the platform, and the number of effects in its ledger. */
type Row = readonly [ended: string, hits: number, effects: number];
type Expected = Readonly<Record<Kind, Row>>;

// How to read the table: a reading call is repeated and has no effect. A repeatable one may take effect at each
// attempt and ends in the same state. A shared publish is repeated and takes effect once. Create, promote and start
// are never repeated once they may have been sent; create and promote are read back after a lost answer.
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
    'endless resets after processing',
    [{ wire: 'reset-after' }],
    { ...lostAfter, safe: ['no-answer', 4, 0], repeatable: ['ok', 4, 4], keyed: ['ok', 4, 1] },
  ],
  ['an empty answer', [{ wire: 'empty', times: 1 }], lostAfter],
  ['silence', [{ wire: 'silence', times: 1 }], lostAfter],
  ['one byte a second', [{ wire: 'dribble', interval: '1s', times: 1 }], lostAfter],
  ['a malformed chunk', [{ wire: 'malformed-chunk', times: 1 }], lostAfter],
  ['a truncated body', [{ wire: 'truncated', times: 1 }], lostAfter],
  ['429 with Retry-After in seconds', [again({ 'retry-after': '2' })], sentAgain],
  ['429 with Retry-After in milliseconds', [again({ 'retry-after-ms': '150' })], sentAgain],
  [
    '429 with Retry-After as a date',
    // It counts from the time of the answer.
    [again({ 'retry-after': 'Wed, 01 Jan 2031 12:00:09 GMT', date: 'Wed, 01 Jan 2031 12:00:00 GMT' })],
    sentAgain,
  ],
  ['429 without Retry-After', [again({})], sentAgain],
  ['endless 429', [{ status: 429, headers: { 'retry-after': '1' } }], all(['rate-limited', 4, 0])],
  [
    '429 that asks for more than any deadline',
    [{ status: 429, headers: { 'retry-after': '4000' } }],
    all(['rate-limited', 1, 0]),
  ],
  ['a burst of two 500', [{ status: 500, times: 2 }], burst(2)],
  ['a burst of three 502', [{ status: 502, times: 3 }], burst(3)],
  ['a 503 after processing', [{ status: 503, processed: true, times: 1 }], lostAfter],
  [
    'endless 503',
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
    'a web page instead of the answer',
    [{ status: 200, headers: html, body: '<!doctype html><p>log in', processed: true, times: 1 }],
    unreadable,
  ],
  [
    'the web page of a failed gateway',
    [{ status: 502, headers: html, body: '<html>bad gateway', times: 1 }],
    lostBefore,
  ],
  ['truncated JSON', [{ status: 200, body: '{"page":0,', processed: true, times: 1 }], unreadable],
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
    'a 409, which is final',
    [{ status: 409, body: { error: 'no', status: 409 } }],
    { ...all(['conflict', 1, 0]), start: ['execution-tag-conflict', 1, 0] },
  ],
];

const kinds: readonly Kind[] = ['safe', 'repeatable', 'keyed', 'create', 'promote', 'start'];
const once: ReadonlySet<Kind> = new Set(['keyed', 'create', 'promote', 'start']);

/** The number of requests that a wire fault has affected. */
function strikes({ platform }: FaultyPlatform): number {
  return platform.requests().requests.filter(({ outcome }) => outcome === 'silence' || outcome === 'dribble')
    .length;
}

describe('the caller’s result, the number of requests and the number of effects:', () => {
  test.each(faults)('%s', async (_, rules, expected) => {
    const slow = rules.some(({ wire }) => wire === 'silence' || wire === 'dribble');
    // The test controls the client's time-out: it fires once the platform has processed the request without an
    // answer.
    if (slow) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using faulty = await startFaultyPlatform(slow ? { timeoutMs: 1_000 } : {});
    const seen: Partial<Record<Kind, Seen>> = {};
    for (const kind of kinds) {
      const struck = strikes(faulty);
      const call = faulty.callWithRules(kind, rules);
      if (slow) {
        while (strikes(faulty) === struck) await turn();
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

test('after a 401 every call gets one new token, and nothing takes effect twice', async () => {
  await using faulty = await startFaultyPlatform({}, 'client-credentials');
  const tokens = () => faulty.platform.requests().counts['oauth.token'] ?? 0;
  for (const kind of kinds) {
    const before = tokens();
    const [ended, hits, effects] = sentAgain[kind];
    expect(await faulty.callWithRules(kind, [{ status: 401, times: 1 }]), kind).toEqual({
      ended,
      hits,
      effects,
    });
    expect(tokens() - before, kind).toBe(1);
  }
  expect(await faulty.callWithRules('start', [{ status: 401 }])).toEqual({
    ended: 'unauthorized',
    hits: 2,
    effects: 0,
  });
});

describe('an answer with more or fewer fields than the specification', () => {
  const answered = async (body: unknown) => {
    await using faulty = await startFaultyPlatform();
    faulty.platform.faults.set([{ operation: 'variables.list', status: 200, body }]);
    // Awaited here, because the platform closes at the end of this function.
    return await faulty.client.variables.list({ projectId: faulty.projectId });
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

  test('is unreadable without a required field, which the error names', async () => {
    const lacking = answered({ ...envelope, results: [{ id: 'v', type: 'TEXT' }] });
    await expect(lacking).rejects.toMatchObject({ code: 'answer-unreadable', status: 200, attempts: 1 });
    await expect(lacking).rejects.toThrow('results.0.name');
  });
});

test('no call to an unreachable platform has an unknown outcome', async () => {
  const gone = await startFaultyPlatform();
  await gone.platform.close();
  for (const kind of kinds) {
    expect(await gone.attempt(kind), kind).toBe('unreachable');
  }
  await gone.client.close();
});

test('calls above the platform’s rate limit succeed a minute later', async () => {
  await using faulty = await startFaultyPlatform();
  const { platform, client, projectId } = faulty;
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
  expect(await faulty.attempt('start')).toBe('ok');
});
