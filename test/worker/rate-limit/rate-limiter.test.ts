import { expect, test } from 'vitest';
import type { AttemptEnd, AttemptRequest } from '../../../client/index.ts';
import { createRateLimiter, type RateLimiter } from '../../../worker/rate-limit/rate-limiter.ts';
import type { RequestKind } from '../../../worker/rate-limit/token-bucket.ts';
import { RateLimited } from '../../../worker/rate-limit/rate-limited.ts';
import { type ManualClock, manualClock } from '../../environment/clock.ts';

const answered: AttemptEnd = { kind: 'answered', answer: { status: 200, headers: {}, text: '{}' } };

interface TestSetup {
  readonly clock: ManualClock;
  readonly rateLimiter: RateLimiter;
  /** Kinds of the tokens that were taken. */
  readonly taken: readonly string[];
  /** What was read. */
  readonly reads: readonly string[];
  /** How long the platform asked for a pause, in milliseconds, and how often. */
  readonly pauses: readonly number[];
  throttled(): number;
  send(method: 'GET' | 'POST', end?: AttemptEnd): Promise<AttemptEnd>;
  readonly sent: readonly string[];
}

/** A pace that always has a token, and says so after so long. */
function env({ answersAfterMs = 0 } = {}): TestSetup {
  const clock = manualClock();
  const taken: string[] = [];
  const reads: string[] = [];
  const sent: string[] = [];
  const pauses: number[] = [];
  let throttled = 0;
  const bucket = {
    tokenTtlMs: 1_000,
    async take(kind: RequestKind, what: string) {
      taken.push(kind);
      if (kind === 'read') reads.push(what);
      await clock.sleep(answersAfterMs);
      return 0;
    },
    slow: async (ms: number) => void pauses.push(ms),
  };
  const onThrottled = () => {
    throttled += 1;
  };
  const rateLimiter = createRateLimiter(bucket, { clock, onThrottled });
  const send = async (method: 'GET' | 'POST', end = answered): Promise<AttemptEnd> => {
    const request: AttemptRequest = {
      method,
      url: 'https://platform.example/v1',
      headers: {},
      body: undefined,
    };
    const next = async (): Promise<AttemptEnd> => {
      sent.push(method);
      return end;
    };
    const context = { operation: 'any', retry: 'repeatable', attempt: 1, requestId: undefined } as const;
    return rateLimiter.middleware(request, next, { ...context, signal: undefined });
  };
  return { clock, rateLimiter, taken, reads, pauses, throttled: () => throttled, send, sent };
}

test('an effect uses the token acquired ahead, and its second attempt acquires another', async () => {
  const { rateLimiter, send, taken, sent } = env();
  await rateLimiter.acquire();
  await send('POST');
  expect(taken).toEqual(['effect']);
  await send('POST');
  expect(taken).toEqual(['effect', 'effect']);
  expect(sent).toEqual(['POST', 'POST']);
});

test('a read does not use the token acquired ahead for an effect', async () => {
  const { rateLimiter, send, taken } = env();
  await rateLimiter.acquire();
  await send('GET');
  await send('POST');
  expect(taken).toEqual(['effect', 'read']);
});

test('an effect whose process was suspended after it acquired its token is not sent', async () => {
  const { clock, rateLimiter, send, sent } = env();
  await rateLimiter.acquire();
  await clock.advance(1_001);
  await expect(send('POST')).rejects.toBeInstanceOf(RateLimited);
  expect(sent).toEqual([]);
  await rateLimiter.acquire();
  await send('POST');
  expect(sent).toEqual(['POST']);
});

test('a token that an effect left behind is of no use to a later one', async () => {
  const { clock, rateLimiter, send, taken } = env();
  await rateLimiter.acquire();
  await clock.advance(5_000);
  await rateLimiter.acquire();
  await send('POST');
  await send('POST');
  expect(taken).toEqual(['effect', 'effect', 'effect']);
});

test('a read whose token came too late from Redis is not sent', async () => {
  const { clock, send, sent } = env({ answersAfterMs: 1_500 });
  const reading = send('GET');
  await Promise.all([expect(reading).rejects.toBeInstanceOf(RateLimited), clock.advance(1_500)]);
  expect(sent).toEqual([]);
});

test('reads within work in the background take its tokens, and reads beside it do not', async () => {
  const { rateLimiter, send, taken } = env();
  await Promise.all([rateLimiter.inBackground(async () => send('GET')), send('GET')]);
  expect([...taken].toSorted()).toEqual(['background', 'read']);
});

test('an effect with a token of its own is sent, although another one left its token behind long ago', async () => {
  const { clock, rateLimiter, send, sent, taken } = env();
  await rateLimiter.acquire();
  await clock.advance(5_000);
  await rateLimiter.withOwnTokens(async () => send('POST'));
  expect(sent).toEqual(['POST']);
  expect(taken).toEqual(['effect', 'effect']);
});

test('reads of one address by two promotions do not share a place in the line', async () => {
  const { rateLimiter, send, reads } = env();
  await rateLimiter.readingFor('first', () => send('GET'));
  await rateLimiter.readingFor('second', () => send('GET'));
  await rateLimiter.readingFor('first', () => send('GET'));
  const [first, second, again] = reads;
  expect(second).not.toBe(first);
  expect(again).toBe(first);
});

const seconds = (ms: number, after: number) => new Date(ms + after * 1_000).toUTCString();

test.each<
  [
    status: number,
    method: 'GET' | 'POST',
    retryAfter: string | number,
    pause: number | undefined,
    isReturned: boolean,
  ]
>([
  [429, 'GET', '2', 2_000, false],
  [429, 'POST', ' 1.5 ', 1_500, false],
  [429, 'POST', '', 5_000, false],
  [429, 'GET', 'soon', 5_000, false],
  [429, 'GET', 3, 3_000, false],
  [429, 'GET', -3, 0, false],
  [503, 'GET', '2', 2_000, false],
  [503, 'POST', '2', 2_000, true],
  [500, 'GET', '2', undefined, true],
  [200, 'POST', '2', undefined, true],
])(
  'after %d to %s with Retry-After "%s", all workers pause for %s ms; is the answer returned: %s',
  async (status, method, retryAfter, pause, isReturned) => {
    const { clock, send, pauses, throttled } = env();
    const after = typeof retryAfter === 'number' ? seconds(clock.now(), retryAfter) : retryAfter;
    const headers = after === '' ? {} : { 'retry-after': after };
    const end: AttemptEnd = { kind: 'answered', answer: { status, headers, text: '{}' } };
    const result = await send(method, end).catch((error: unknown) => error);
    if (isReturned) expect(result).toBe(end);
    else expect(result).toBeInstanceOf(RateLimited);
    expect(pauses).toEqual(pause === undefined ? [] : [pause]);
    expect(throttled()).toBe(pauses.length);
  },
);
