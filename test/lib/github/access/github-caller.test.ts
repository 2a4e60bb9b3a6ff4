import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectGitHub, type GitHubConnection } from '../../../../lib/github/workflow-run/connect-github.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import { createGitHubCaller } from '../../../../lib/github/access/github-caller.ts';
import { createStatuses } from '../../../../lib/github/endpoints/statuses.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

const here = oneRepository();

const readBranch = ({ refs }: Pick<GitHubConnection, 'refs'>, branch: string) =>
  refs.head(repository, `refs/heads/${branch}`);

const setStatus = ({ github }: Pick<GitHubConnection, 'github'>) =>
  createStatuses(github).setStatus(repository, {
    sha: here.head,
    state: 'success',
    context: 'c',
    description: 'd',
  });

test('a read is sent again after a server failure, a write is not', async () => {
  let failures = 2;
  here.github.interfere(() => (failures-- > 0 ? { status: 502, body: 'bad' } : undefined));
  expect(await readBranch(here.connect('writer'), 'feature/x')).toBe(here.head);
  failures = 1;
  const before = here.github.requests.length;
  await expect(setStatus(here.connect('writer'))).rejects.toMatchObject({ code: 'github-failed' });
  expect(here.github.requests.length - before).toBe(1);
});

test('a read is sent three times at most', async () => {
  here.github.interfere(() => ({ status: 502, body: 'bad' }));
  await expect(readBranch(here.connect('writer'), 'main')).rejects.toMatchObject({
    details: { status: 502 },
  });
  expect(here.github.requests).toHaveLength(3);
});

test('a write whose answer is lost is not sent again, and counts as not refused', async () => {
  here.github.interfere(() => 'lose');
  await expect(setStatus(here.connect('writer'))).rejects.toMatchObject({
    code: 'github-failed',
    details: { status: undefined, refused: false },
  });
  expect(here.github.repository(repository).statuses).toHaveLength(1);
});

test('a redirect is an error, so that the token is sent to no other address', async () => {
  here.github.interfere(({ path }) =>
    path === '/elsewhere'
      ? undefined
      : { status: 302, headers: { location: `${here.github.apiUrl}/elsewhere` }, body: {} },
  );
  await expect(readBranch(here.connect('writer'), 'main')).rejects.toMatchObject({ code: 'github-failed' });
  await expect(setStatus(here.connect('writer'))).rejects.toMatchObject({ code: 'github-failed' });
  expect(here.github.requests.map(({ path }) => path)).not.toContain('/elsewhere');
});

describe('where GitHub limits requests', () => {
  const slept: number[] = [];
  const secondary = (headers: Record<string, string> = {}) => ({
    status: 403,
    headers,
    body: { message: 'You have exceeded a secondary rate limit.' },
  });
  const primary = {
    status: 429,
    headers: {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.UTC(2031, 0, 1) / 1000 + 20),
      date: new Date(Date.UTC(2031, 0, 1)).toUTCString(),
    },
    body: { message: 'API rate limit exceeded for installation.' },
  };

  function connectWithPatience(patienceMs: number): GitHubConnection {
    slept.length = 0;
    let now = 0;
    const sleep = async (ms: number): Promise<void> => {
      slept.push(ms);
      now += ms;
    };
    const clock = { now: () => now, sleep };
    return connectGitHub({ apiUrl: here.github.apiUrl, token: 'writer', repository, clock, patienceMs });
  }

  test.each([
    ['after a secondary limit of 90 seconds', secondary({ 'retry-after': '90' }), 90_000],
    ['after a secondary limit of unknown length', secondary(), 60_000],
    ['after the primary limit', primary, 20_000],
  ])('%s, a write waits and is repeated', async (_, answer, ms) => {
    let refusals = 1;
    here.github.interfere(() => (refusals-- > 0 ? answer : undefined));
    await setStatus(connectWithPatience(120_000));
    expect(slept).toEqual([ms]);
    expect(here.github.repository(repository).statuses).toHaveLength(1);
  });

  test('a wait above the maximum fails, and the hint does not name a permission', async () => {
    here.github.interfere(() => secondary({ 'retry-after': '1800' }));
    await expect(setStatus(connectWithPatience(120_000))).rejects.toMatchObject({
      code: 'github-failed',
      hint: expect.stringContaining('reached GitHub’s rate limit'),
      details: { pauseMs: 1_800_000 },
    });
    expect(slept).toEqual([]);
  });

  test('the patience is for all calls together', async () => {
    here.github.interfere(() => secondary({ 'retry-after': '70' }));
    const connection = connectWithPatience(150_000);
    for (const _ of [1, 2, 3]) await setStatus(connection).catch(() => undefined);
    expect(slept).toEqual([70_000, 70_000]);
  });

  test('a caller without patience fails at once, and until the pause ends nothing is sent', async () => {
    here.github.interfere(() => secondary({ 'retry-after': '70' }));
    const connection = connectWithPatience(0);
    for (const _ of [1, 2]) {
      await expect(readBranch(connection, 'main')).rejects.toMatchObject({
        details: { refused: true, pauseMs: 70_000 },
      });
    }
    await expect(setStatus(connection)).rejects.toMatchObject({ details: { pauseMs: 70_000 } });
    expect([slept, here.github.requests.length]).toEqual([[], 1]);
  });

  test('a later call waits for the end of a pause that another call met', async () => {
    const clock = { current: 0, slept: [] as number[] };
    const access = tokenAccess(() => 'writer');
    const github = createGitHubCaller({
      apiUrl: here.github.apiUrl,
      access,
      clock: {
        now: () => clock.current,
        sleep: async (ms) => {
          clock.slept.push(ms);
          clock.current += ms;
        },
      },
      timeoutMs: 10_000,
      // A single attempt: the first call does not wait.
      patienceMs: 120_000,
    });
    here.github.interfere(() => secondary({ 'retry-after': '90' }));
    await expect(setStatus({ github })).rejects.toMatchObject({ details: { pauseMs: 90_000 } });
    here.github.interfere(undefined);
    clock.current += 30_000;
    await setStatus({ github });
    expect(clock.slept).toEqual([60_000]);
  });

  test('a limit is never taken for something that is missing', async () => {
    here.github.interfere(() => secondary());
    const call = { operation: 'read', repository, absent: [403, 404] };
    const read = connectWithPatience(0).github.find(call, z.unknown(), ({ octokit }) =>
      octokit.request(`GET /repos/${repository}`),
    );
    await expect(read).rejects.toMatchObject({ details: { status: 403, pauseMs: 60_000 } });
  });

  test('a missing permission is not taken for a limit', async () => {
    here.github.interfere(() => ({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    }));
    await expect(setStatus(connectWithPatience(120_000))).rejects.toMatchObject({
      hint: expect.stringContaining('"statuses: write"'),
    });
    expect(slept).toEqual([]);
  });
});

test('a server that never answers is given up after the time limit', async () => {
  here.github.interfere(() => 'hang');
  const options = { apiUrl: here.github.apiUrl, token: 'writer', repository, attempts: 1 };
  const slow = readBranch(connectGitHub({ ...options, timeoutMs: 50 }), 'main');
  await expect(slow).rejects.toMatchObject({ code: 'github-failed' });
});

test('a cancel ends a call at once, with the reason of the cancel', async () => {
  here.github.interfere(() => 'hang');
  const cancel = new AbortController();
  const options = { apiUrl: here.github.apiUrl, token: 'writer', repository, signal: cancel.signal };
  const read = readBranch(connectGitHub(options), 'main');
  const reason = new Error('cancelled by the user');
  cancel.abort(reason);
  await expect(read).rejects.toBe(reason);
});

describe('a limit that a write has met', () => {
  const limited = (headers: Record<string, string>) => ({
    status: 403,
    headers,
    body: { message: 'You have exceeded a secondary rate limit.' },
  });
  async function meetLimit(headers: Record<string, string>) {
    const connection = here.connect('writer');
    here.github.interfere(({ method }) => (method === 'GET' ? undefined : limited(headers)));
    await expect(setStatus(connection)).rejects.toMatchObject({ details: { cause: 'rate-limit' } });
    here.github.interfere(undefined);
    return connection;
  }

  test('stops writes until the pause ends, and no reads', async () => {
    const connection = await meetLimit({ 'retry-after': '90' });
    const sent = here.github.requests.length;
    await expect(setStatus(connection)).rejects.toMatchObject({ details: { status: 429, pauseMs: 90_000 } });
    expect(here.github.requests).toHaveLength(sent);
    expect(await readBranch(connection, 'feature/x')).toBe(here.head);
  });

  test('stops reads too where it counts every request', async () => {
    const connection = await meetLimit({ 'x-ratelimit-remaining': '0', 'retry-after': '90' });
    await expect(readBranch(connection, 'feature/x')).rejects.toMatchObject({ details: { status: 429 } });
  });
});
