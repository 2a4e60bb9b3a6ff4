import { expect, test } from 'vitest';
import { readRateLimit } from '../../../../lib/github/access/rate-limit.ts';

/** Local time; GitHub's clock is an hour ahead. */
const now = Date.UTC(2031, 0, 1, 11);
const githubNow = Date.UTC(2031, 0, 1, 12);
const date = new Date(githubNow).toUTCString();
const secondsAfter = (ms: number, seconds: number): string => String(ms / 1_000 + seconds);

const denied = 'Resource not accessible by integration';
const secondary = 'You have exceeded a secondary rate limit.';
const primary = 'API rate limit exceeded for installation.';

/** An error as octokit throws it. */
const octokitError = (status: number, message: string, headers: Record<string, unknown>): Error =>
  Object.assign(new Error(message), { status, response: { status, headers, data: { message } } });

const remaining = 'x-ratelimit-remaining';
const reset = 'x-ratelimit-reset';

test.each<[string, number, string, Record<string, unknown>, number | undefined]>([
  // retry-after
  ['retry-after', 403, secondary, { 'retry-after': '90' }, 90_000],
  ['retry-after', 429, secondary, { 'retry-after': '90' }, 90_000],
  ['retry-after without a message about a limit', 403, denied, { 'retry-after': '90' }, 90_000],
  ['retry-after as a number', 403, secondary, { 'retry-after': 90 }, 90_000],
  ['retry-after below a minute', 403, secondary, { 'retry-after': '7' }, 60_000],
  ['retry-after: 0', 403, secondary, { 'retry-after': '0' }, 60_000],
  ['an empty retry-after', 429, secondary, { 'retry-after': '' }, 60_000],
  ['retry-after as a date', 429, secondary, { 'retry-after': date }, 60_000],
  ['a negative retry-after on a denial', 403, denied, { 'retry-after': '-5' }, undefined],
  // x-ratelimit-remaining and x-ratelimit-reset
  ['a reset', 403, primary, { [remaining]: '0', [reset]: secondsAfter(githubNow, 300), date }, 300_000],
  ['a reset', 429, primary, { [remaining]: '0', [reset]: secondsAfter(githubNow, 300), date }, 300_000],
  ['a reset, no date', 403, primary, { [remaining]: '0', [reset]: secondsAfter(now, 300) }, 300_000],
  [
    'a reset that is over',
    403,
    primary,
    { [remaining]: '0', [reset]: secondsAfter(githubNow, -9), date },
    1_000,
  ],
  [
    'a reset in a day',
    403,
    primary,
    { [remaining]: '0', [reset]: secondsAfter(githubNow, 86_400), date },
    3_600_000,
  ],
  ['no requests left, no reset', 403, denied, { [remaining]: '0' }, 60_000],
  [
    'no requests left, a reset that is not a number',
    403,
    denied,
    { [remaining]: '0', [reset]: 'soon' },
    60_000,
  ],
  [
    'requests left, a reset',
    403,
    denied,
    { [remaining]: '4999', [reset]: secondsAfter(githubNow, 300), date },
    undefined,
  ],
  [
    'an empty x-ratelimit-remaining',
    403,
    denied,
    { [remaining]: '', [reset]: secondsAfter(githubNow, 300), date },
    undefined,
  ],
  // both
  [
    'retry-after and a later reset',
    403,
    secondary,
    { 'retry-after': '90', [remaining]: '0', [reset]: secondsAfter(githubNow, 300), date },
    300_000,
  ],
  [
    'retry-after and an earlier reset',
    403,
    secondary,
    { 'retry-after': '90', [remaining]: '0', [reset]: secondsAfter(githubNow, 20), date },
    90_000,
  ],
  // neither
  ['no headers', 429, 'Too Many Requests', {}, 60_000],
  ['no headers', 403, secondary, {}, 60_000],
  ['no headers', 403, primary, {}, 60_000],
  ['no headers, an old server', 403, 'You have triggered an abuse detection mechanism.', {}, 60_000],
  ['no headers', 403, denied, {}, undefined],
  ['requests left', 403, secondary, { [remaining]: '4999' }, 60_000],
  // other statuses
  ['retry-after', 503, 'Service Unavailable', { 'retry-after': '90' }, undefined],
  [
    'no requests left',
    404,
    'Not Found',
    { [remaining]: '0', [reset]: secondsAfter(githubNow, 300), date },
    undefined,
  ],
  ['no requests left', 401, 'Bad credentials', { [remaining]: '0' }, undefined],
])('with %s, a %i "%s" %o asks for a pause of %s ms', (_, status, message, headers, pauseMs) => {
  expect(readRateLimit(octokitError(status, message, headers), now)).toBe(pauseMs);
});

test('a network failure that mentions a rate limit asks for no pause', () => {
  expect(readRateLimit(Object.assign(new Error('rate limit'), { status: 403 }), now)).toBeUndefined();
});
