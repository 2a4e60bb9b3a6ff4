import { describe, expect, test } from 'vitest';
import {
  AnswerUnreadable,
  type Client,
  PlatformFailed,
  RequestInvalid,
  RoleRequired,
} from '../../../../client/index.ts';
import type { PlatformContext } from '../../../../flows/context/context.ts';
import { requestReview } from '../../../../flows/review/evaluate/request-review.ts';
import type { ErrorCode } from '../../../../lib/core/errors/error-catalogue.ts';
import { Failure } from '../../../../lib/core/errors/failure.ts';
import { silentLogger, silentProgress } from '../../../../lib/core/ports/ports.ts';

/** A platform that answers each request as the test says. */
function platform(answer: (pipelines: readonly string[]) => string | Failure, times: number[] = []) {
  let time = 0;
  const requests: (readonly string[])[] = [];
  const signals: AbortSignal[] = [];
  let [now, most] = [0, 0];
  const create = async (
    { pipelines }: { pipelines: readonly string[] },
    { signal }: { signal: AbortSignal },
  ) => {
    requests.push(pipelines);
    signals.push(signal);
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    const result = answer(pipelines);
    if (result instanceof Failure) throw result;
    return {
      reviewStatus: result,
      results: Object.fromEntries(pipelines.map((path) => [path, []])),
      excludedFiles: [],
    };
  };
  const context: PlatformContext = {
    client: { reviews: { create } } as unknown as Client,
    projectId: 'p',
    clock: { now: () => (time = times.shift() ?? time), sleep: () => Promise.resolve() },
    random: () => 0,
    logger: silentLogger,
    progress: silentProgress,
    signal: new AbortController().signal,
  };
  const ask = (count: number, deadline?: number) =>
    requestReview(
      { branch: 'main', agentVersion: '9.0.0', ...(deadline === undefined ? {} : { deadline }) },
      'c0ffee',
      Array.from({ length: count }, (_, index) => `${index}.orch.yaml`),
      context,
    );
  return { ask, requests, signals, most: () => most };
}

const failure = (code: ErrorCode) => new Failure(code, { message: 'Something broke.' });

describe('a large review', () => {
  test('goes in batches of 200, four at a time, and comes back in order', async () => {
    const { ask, requests, most } = platform(() => 'PASSED');
    const { results, reviewStatus } = await ask(1901);

    expect(requests.map((one) => one.length)).toEqual([...Array.from({ length: 9 }, () => 200), 101]);
    expect(most()).toBe(4);
    expect([...results.keys()].slice(0, 3)).toEqual(['0.orch.yaml', '1.orch.yaml', '2.orch.yaml']);
    expect([...results.keys()].at(-1)).toBe('1900.orch.yaml');
    expect(reviewStatus).toBe('PASSED');
  });

  test('repeats a batch that fails in halves, so that one bad file does not hide the rest', async () => {
    const { ask, requests } = platform((pipelines) =>
      pipelines.includes('77.orch.yaml') ? failure('platform-failed') : 'PASSED',
    );
    const { results, failed } = await ask(250);

    expect(results.size).toBe(249);
    expect([...failed]).toMatchObject([['77.orch.yaml', { code: 'platform-failed' }]]);
    expect(requests.length).toBeLessThan(20);
  });

  test.each(['unauthorized', 'not-found', 'unreachable', 'rate-limited', 'no-answer'] as const)(
    'does not repeat after %s, which is the same for each half',
    async (code) => {
      const { ask, requests } = platform(() => failure(code));
      await expect(ask(100)).rejects.toMatchObject({ code });
      expect(requests).toHaveLength(1);
    },
  );

  const facts = (status: number) => ({ operation: 'reviews.create', status });
  const page = new AnswerUnreadable('A web page.', facts(200), true);

  test.each([
    ...[408, 502, 503, 504].map(
      (status) => [status, new PlatformFailed('It failed.', facts(status))] as const,
    ),
    ['a web page', page] as const,
  ])('does not halve a batch after %s, which says nothing about its files', async (_, error) => {
    const { ask, requests } = platform(() => error);
    await expect(ask(100)).rejects.toBe(error);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['a web page', page] as const,
    ['502', new PlatformFailed('It failed.', facts(502))] as const,
    ['403 of a firewall', new RoleRequired('Refused.', facts(403))] as const,
  ])('keeps the results of the other batches if one meets %s', async (_, error) => {
    const { ask } = platform((pipelines) => (pipelines.includes('250.orch.yaml') ? error : 'PASSED'));
    const { results, failed } = await ask(500);
    expect([results.size, failed.size]).toEqual([300, 200]);
    expect(new Set(failed.values())).toEqual(new Set([error]));
  });

  test.each([
    [413, new RequestInvalid({ ...facts(413), violations: [] })] as const,
    [422, new RequestInvalid({ ...facts(422), violations: [] })] as const,
    [500, new PlatformFailed('It failed.', facts(500))] as const,
    ['broken JSON', new AnswerUnreadable('Its JSON is broken.', facts(200))] as const,
  ])('halves a batch after %s, which one of its files may cause', async (_, error) => {
    const { ask } = platform((pipelines) => (pipelines.includes('7.orch.yaml') ? error : 'PASSED'));
    expect((await ask(50)).results.size).toBe(49);
  });

  test('ends at its deadline, and names it as the reason', async () => {
    const { ask, requests } = platform(() => failure('platform-failed'), [0, 0, 5_000, 61_000]);
    await expect(ask(100, 60_000)).rejects.toMatchObject({
      code: 'no-answer',
      message: expect.stringContaining('100 files within the time limit') as string,
    });
    expect(requests).toHaveLength(1);
  });

  test('sends no later batch once one has failed, and gives up those on their way', async () => {
    const { ask, requests, signals } = platform((pipelines) =>
      pipelines.includes('0.orch.yaml') ? failure('unauthorized') : 'PASSED',
    );
    await expect(ask(1901)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
    expect(requests).toHaveLength(4);
  });

  test('gives up where every file fails, and does not ask two thousand times', async () => {
    const { ask, requests } = platform(() => failure('platform-failed'));
    await expect(ask(1000)).rejects.toMatchObject({ code: 'platform-failed' });
    expect(requests.length).toBeLessThan(60);
    await expect(platform(() => failure('platform-failed')).ask(2)).rejects.toMatchObject({
      code: 'platform-failed',
    });
  });

  test('ends with the worst status of its batches, an unknown one before FAILED', async () => {
    const review = (...words: string[]) => platform(() => words.shift() ?? 'PASSED').ask(600);
    expect((await review('PASSED', 'FAILED', 'PASSED')).reviewStatus).toBe('FAILED');
    expect((await review('FAILED', 'PARTIAL', 'PASSED')).reviewStatus).toBe('PARTIAL');
  });
});
