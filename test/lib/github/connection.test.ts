import { describe, expect, test } from 'vitest';
import { readBranchTip } from '../../../lib/github/branch-tip.ts';
import { setCommitStatus } from '../../../lib/github/commit-status.ts';
import { connectGitHub, type GitHubConnection } from '../../../lib/github/connection.ts';
import { oneRepository, repository } from '../../environment/github/one-repository.ts';

const here = oneRepository();

test('a read is retried after a server error, a write is not', async () => {
  let faults = 2;
  here.github.interfere(() => (faults-- > 0 ? { status: 502, body: 'bad' } : undefined));
  expect(await readBranchTip(here.connect('writer'), 'feature/x')).toBe(here.head);
  faults = 1;
  const before = here.github.requests.length;
  const set = setCommitStatus(here.connect('writer'), {
    sha: here.head,
    state: 'success',
    context: 'c',
    description: 'd',
  });
  await expect(set).rejects.toMatchObject({ code: 'github-failed' });
  expect(here.github.requests.length - before).toBe(1);
});

describe('at a rate limit of GitHub', () => {
  const slept: number[] = [];
  const limits = {
    'secondary, with a stated wait': {
      status: 403,
      headers: { 'retry-after': '7' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    },
    'secondary, without a stated wait': {
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit.' },
    },
    primary: {
      status: 429,
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.UTC(2031, 0, 1) / 1000 + 20),
        date: new Date(Date.UTC(2031, 0, 1)).toUTCString(),
      },
      body: { message: 'API rate limit exceeded for installation.' },
    },
  } as const;

  function patient(patienceMs: number): GitHubConnection {
    slept.length = 0;
    const sleep = async (ms: number): Promise<void> => void slept.push(ms);
    const clock = { now: () => 0, sleep };
    return connectGitHub({ apiUrl: here.github.apiUrl, token: 'writer', repository, clock, patienceMs });
  }
  const status = (): Parameters<typeof setCommitStatus>[1] => ({
    sha: here.head,
    state: 'success',
    context: 'c',
    description: 'd',
  });

  test.each([
    ['secondary, with a stated wait', 7_000],
    ['secondary, without a stated wait', 60_000],
    ['primary', 20_000],
  ] as const)('%s, a write waits and is repeated', async (kind, ms) => {
    let refusals = 1;
    here.github.interfere(() => (refusals-- > 0 ? limits[kind] : undefined));
    await setCommitStatus(patient(120_000), status());
    expect(slept).toEqual([ms]);
    expect(here.github.repository(repository).statuses).toHaveLength(1);
  });

  test('a wait above the maximum fails, and the hint does not name a permission', async () => {
    here.github.interfere(() => ({ ...limits['primary'], headers: { 'retry-after': '1800' } }));
    await expect(setCommitStatus(patient(120_000), status())).rejects.toMatchObject({
      code: 'github-failed',
      hint: expect.stringContaining('its permissions are sufficient'),
    });
    expect(slept).toEqual([]);
  });

  test('the maximum wait is for all requests together', async () => {
    here.github.interfere(() => ({ ...limits['primary'], headers: { 'retry-after': '50' } }));
    const connection = patient(120_000);
    for (const _ of [1, 2, 3]) await setCommitStatus(connection, status()).catch(() => undefined);
    expect(slept).toEqual([50_000, 50_000]);
  });

  test('without a maximum wait the call fails at once', async () => {
    here.github.interfere(() => limits['secondary, with a stated wait']);
    await expect(setCommitStatus(patient(0), status())).rejects.toMatchObject({ code: 'github-failed' });
    expect([slept, here.github.requests.length]).toEqual([[], 1]);
  });

  test('a missing permission is not taken for a rate limit', async () => {
    here.github.interfere(() => ({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    }));
    await expect(setCommitStatus(patient(120_000), status())).rejects.toMatchObject({
      hint: expect.stringContaining('"statuses: write"'),
    });
    expect(slept).toEqual([]);
  });
});

test('a call to a server that never answers ends at the time limit, and at once on cancel', async () => {
  here.github.interfere(() => 'hang');
  const options = { apiUrl: here.github.apiUrl, token: 'writer', repository, attempts: 1 };
  const slow = readBranchTip(connectGitHub({ ...options, timeoutMs: 50 }), 'main');
  await expect(slow).rejects.toMatchObject({ code: 'github-failed' });
  const cancel = new AbortController();
  const asking = readBranchTip(connectGitHub({ ...options, signal: cancel.signal }), 'main');
  cancel.abort(new Error('cancelled by the user'));
  await expect(asking).rejects.toThrow('cancelled by the user');
});
