import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRepository } from '../../git/repository.ts';
import { readBranchTip } from '../../github/branch-tip.ts';
import { findChangedFiles } from '../../github/changed-files.ts';
import { makeCheckRun } from '../../github/check-run.ts';
import { readCommitStatus, setCommitStatus } from '../../github/commit-status.ts';
import { connectGitHub, type GitHubConnection } from '../../github/connection.ts';
import { deliverReport } from '../../github/deliver-report.ts';
import { readTarget, type Target } from '../../github/event-target.ts';
import { fetchCommit } from '../../github/fetch-commit.ts';
import type { Report } from '../../github/report.ts';
import { putStickyComment, stickyMarker } from '../../github/sticky-comment.ts';
import { checkOut } from '../runner/check-out.ts';
import { buildRepository, type RepositoryBuilder } from './bare-repository-builder.ts';
import { finding } from './findings.ts';
import { type GitHub, startGitHub } from './start-github.ts';

const repository = 'example/warehouse';
let folder: string;
let builder: RepositoryBuilder;
let github: GitHub;
let head: string;
let target: Target;

function connect(token: string): GitHubConnection {
  const clock = { now: () => 0, sleep: async () => {} };
  return connectGitHub({ apiUrl: github.apiUrl, token, repository, clock });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-github-api-'));
  builder = await buildRepository(folder, repository);
  await builder.commit('main', { 'a.orch.yaml': '1\n', 'gone.orch.yaml': '2\n', 'b.orch.yaml': 'x\ny\nz\n' });
  const changes = {
    'a.orch.yaml': '2\n',
    'gone.orch.yaml': null,
    'b.orch.yaml': null,
    'c d.orch.yaml': 'x\ny\nz\n',
  };
  head = await builder.commit('feature/x', changes, { from: 'main' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  const permissions = {
    contents: 'read',
    pull_requests: 'write',
    checks: 'write',
    statuses: 'write',
  } as const;
  github = await startGitHub({
    gitRoot: folder,
    tokens: {
      writer: { permissions },
      person: { login: 'octocat', permissions },
      reader: { permissions: { contents: 'read', pull_requests: 'read' } },
    },
  });
  const number = github.openPull(repository, { head: 'feature/x', base: 'main' });
  const payload = await github.events.pullRequest(repository, number);
  const read = readTarget({
    eventName: 'pull_request',
    payload,
    ref: 'refs/pull/1/merge',
    sha: payload.mergeSha,
    repository,
    actor: 'octocat',
  });
  if (read === undefined) throw new Error('no target');
  target = read;
  return () => github.close();
});

describe('a commit status', () => {
  test('is set with its description cut to what GitHub takes, and read back', async () => {
    const connection = connect('writer');
    const status = {
      sha: head,
      state: 'pending',
      context: 'millrace/to-test',
      description: 'x'.repeat(200),
    } as const;
    await setCommitStatus(connection, status);
    expect(github.repository(repository).statuses[0]?.description).toHaveLength(140);
    expect(await readCommitStatus(connection, head, 'millrace/to-test')).toMatchObject({ state: 'pending' });
    expect(await readCommitStatus(connection, head, 'other')).toBeUndefined();
  });

  test('that is refused names the permission to add', async () => {
    const set = setCommitStatus(connect('reader'), {
      sha: head,
      state: 'success',
      context: 'c',
      description: 'd',
    });
    await expect(set).rejects.toMatchObject({
      code: 'github-failed',
      mend: expect.stringContaining('"statuses: write"'),
    });
  });
});

describe('the sticky comment', () => {
  const comment = { pullRequest: 1, key: 'review a--b', body: 'one', shortBody: 'short', create: true };

  test('is made once, left alone when equal, and updated when not', async () => {
    const connection = connect('writer');
    await putStickyComment(connection, comment);
    await putStickyComment(connection, comment);
    await putStickyComment(connection, { ...comment, body: 'two' });
    expect(github.repository(repository).comments.map(({ body }) => body)).toEqual([
      `${stickyMarker(comment.key)}\ntwo`,
    ]);
    const writes = github.requests.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });

  test('is found on the second page, and one of another project is not taken for it', async () => {
    const connection = connect('writer');
    const { comments } = github.repository(repository);
    for (let id = 1; id <= 120; id += 1) comments.push({ id, issue: 1, login: 'someone', body: 'hello' });
    await putStickyComment(connection, { ...comment, key: 'other' });
    await putStickyComment(connection, comment);
    await putStickyComment(connection, { ...comment, body: 'two' });
    expect(comments).toHaveLength(122);
  });

  test('of a stranger who quotes the marker is not changed', async () => {
    const { comments } = github.repository(repository);
    comments.push({ id: 1, issue: 1, login: 'stranger', body: `${stickyMarker(comment.key)}\nmine` });
    await putStickyComment(connect('person'), comment);
    expect(comments[0]?.body).toContain('mine');
    expect(comments[1]?.login).toBe('octocat');
  });

  test('of the token’s own user is updated', async () => {
    await putStickyComment(connect('person'), comment);
    await putStickyComment(connect('person'), { ...comment, body: 'two' });
    expect(github.repository(repository).comments).toHaveLength(1);
  });

  test('that GitHub finds too long is sent again in its short form', async () => {
    await putStickyComment(connect('writer'), { ...comment, body: 'x'.repeat(70_000) });
    expect(github.repository(repository).comments[0]?.body).toContain('short');
  });

  test('is not made where there is nothing to say', async () => {
    expect(await putStickyComment(connect('writer'), { ...comment, create: false })).toBeUndefined();
    expect(github.repository(repository).comments).toEqual([]);
  });
});

describe('a check run', () => {
  const check = {
    name: 'Millrace',
    sha: head,
    externalId: 'x',
    outcome: 'failed',
    title: 't',
    summary: 's',
  } as const;

  test.each([
    [0, 1],
    [50, 1],
    [51, 2],
    [120, 3],
    [400, 8],
  ])('with %i findings takes %i requests and loses none', async (count, requests) => {
    const findings = Array.from({ length: count }, (_, line) =>
      finding({ line: line + 1, endLine: line + 1 }),
    );
    await makeCheckRun(connect('writer'), { ...check, sha: head, findings });
    const [run] = github.repository(repository).checkRuns;
    expect(run?.annotations).toHaveLength(count);
    expect([run?.status, run?.conclusion]).toEqual(['completed', 'failure']);
    expect(github.requests).toHaveLength(requests);
  });

  test('shows the 400 worst, says how many more there are, and keeps its summary within what GitHub takes', async () => {
    const findings = Array.from({ length: 500 }, (_, line) =>
      finding({ severity: line < 499 ? 'warning' : 'error', line: line + 1, endLine: line + 1 }),
    );
    await makeCheckRun(connect('writer'), { ...check, sha: head, summary: 'ü'.repeat(70_000), findings });
    const [run] = github.repository(repository).checkRuns;
    expect(run?.annotations).toHaveLength(400);
    expect(run?.annotations[0]).toMatchObject({ annotation_level: 'failure' });
    expect(run?.output.summary).toHaveLength(65_535);
    expect(run?.output.summary).toContain('100 more findings');
  });

  test('with a rule and a message longer than GitHub takes is made all the same', async () => {
    const findings = ['m', 'ü', '€', '😀'].map((sign) =>
      finding({ rule: 'r'.repeat(300), message: sign.repeat(70_000) }),
    );
    await makeCheckRun(connect('writer'), { ...check, sha: head, title: 't'.repeat(300), findings });
    expect(github.repository(repository).checkRuns[0]?.annotations).toHaveLength(4);
  });

  test('with a finding over several lines gives its lines without columns, which GitHub would refuse', async () => {
    await makeCheckRun(connect('writer'), { ...check, sha: head, findings: [finding({ endLine: 6 })] });
    const [annotation] = github.repository(repository).checkRuns[0]?.annotations ?? [];
    expect(annotation).toMatchObject({ start_line: 4, end_line: 6 });
    expect(annotation).not.toHaveProperty('start_column');
  });

  test('of many requests sends one after the other, as GitHub asks of what writes', async () => {
    const findings = Array.from({ length: 200 }, (_, line) => finding({ line: line + 1, endLine: line + 1 }));
    await makeCheckRun(connect('writer'), { ...check, sha: head, findings });
    expect([github.requests.length, github.writesAtOnce]).toEqual([4, 1]);
  });

  test('of a re-run is a new one of the same name, because annotations cannot be taken out of the old one', async () => {
    for (const _ of [1, 2]) {
      await makeCheckRun(connect('writer'), { ...check, sha: head, findings: [finding()] });
    }
    const runs = github.repository(repository).checkRuns;
    expect(runs.map(({ name, external_id, annotations }) => [name, external_id, annotations.length])).toEqual(
      [
        ['Millrace', 'x', 1],
        ['Millrace', 'x', 1],
      ],
    );
  });
});

describe('changed files', () => {
  const trouble: string[] = [];
  const changed = { paths: ['a.orch.yaml', 'c d.orch.yaml'], gone: ['b.orch.yaml', 'gone.orch.yaml'] };

  async function find(connection: GitHubConnection | undefined, given = target) {
    trouble.length = 0;
    const local = await openRepository(builder.path);
    const found = await findChangedFiles(given, {
      connection,
      repository: local,
      onTrouble: (sentence) => trouble.push(sentence),
    });
    return found && { paths: found.paths.toSorted(), gone: found.gone.toSorted(), way: found.way };
  }

  test('of a pull request come from GitHub with new names and without deleted ones', async () => {
    expect(await find(connect('writer'))).toMatchObject({
      ...changed,
      way: expect.stringContaining('pull request 1'),
    });
  });

  test('of a push come from a comparison', async () => {
    const { pullRequest: _, ...push } = target;
    expect(await find(connect('writer'), push)).toMatchObject(changed);
  });

  test('come from git where GitHub refuses, and the reason is told', async () => {
    github.interfere(() => ({ status: 403, body: '{"message":"Resource not accessible by integration"}' }));
    expect(await find(connect('writer'))).toMatchObject({
      ...changed,
      way: expect.stringContaining('in git'),
    });
    expect(trouble[0]).toContain('"pull-requests: read"');
  });

  test('come from git where something in between answers a page of its own, and never count as none', async () => {
    github.interfere(() => ({ status: 200, body: '<html>log in</html>' }));
    expect(await find(connect('writer'))).toMatchObject({
      ...changed,
      way: expect.stringContaining('in git'),
    });
    const { pullRequest: _, ...push } = target;
    expect(await find(connect('writer'), push)).toMatchObject(changed);
    expect(trouble[0]).toContain('the answer is not one of its API');
  });

  test('come from git where the list may be cut off', async () => {
    const files = Array.from({ length: 300 }, (_, i) => ({ filename: `f${String(i)}`, status: 'added' }));
    github.interfere((request) =>
      request.path.includes('/compare/') ? { status: 200, body: { files } } : undefined,
    );
    const { pullRequest: _, ...push } = target;
    expect(await find(connect('writer'), push)).toMatchObject(changed);
    expect(trouble[0]).toContain('300');
  });

  test.each([
    ['a pull request of 3,001 files', 3_001, 'pull request'],
    ['a push of 301 files', 301, 'push'],
  ])('of %s lose none: git is asked', async (_, count, event) => {
    const names = Array.from({ length: count }, (__, i) => `many/${String(i).padStart(4, '0')}.orch.yaml`);
    const branch = `many-${String(count)}`;
    const base = (await github.repository(repository).git.commit('main')) ?? '';
    const commit = await builder.commit(branch, Object.fromEntries(names.map((name) => [name, 'x\n'])), {
      from: 'main',
    });
    const number = github.openPull(repository, { head: branch, base: 'main' });
    const { pullRequest: ___, ...push } = { ...target, base, commit };
    const given = event === 'push' ? push : { ...push, pullRequest: number };
    const found = await find(connect('writer'), given);
    expect(found?.paths).toEqual(names);
    expect(found?.way).toContain('in git');
    expect(trouble[0]).toContain('3,000');
  });

  test('count as changed where GitHub says zero changes, past 20,000 lines in one answer', async () => {
    const long = Array.from({ length: 20_001 }, (_, line) => `select ${String(line)};\n`).join('');
    const base = (await github.repository(repository).git.commit('main')) ?? '';
    const changes = { 'a-long.sql': long, 'z.orch.yaml': 'changed\n' };
    const commit = await builder.commit('long', changes, { from: 'main' });
    const number = github.openPull(repository, { head: 'long', base: 'main' });
    const found = await find(connect('writer'), { ...target, base, commit, pullRequest: number });
    const { octokit, owner, repo } = connect('writer');
    const { data: listed } = await octokit.rest.pulls.listFiles({ owner, repo, pull_number: number });
    expect(listed).toEqual(
      expect.arrayContaining([expect.objectContaining({ filename: 'z.orch.yaml', changes: 0 })]),
    );
    expect(found).toMatchObject({
      paths: ['a-long.sql', 'z.orch.yaml'],
      way: expect.stringContaining('pull request'),
    });
  });

  test('are unknown without a base', async () => {
    const { base: _, ...without } = target;
    expect(await find(connect('writer'), without)).toBeUndefined();
  });
});

describe('a commit that is not checked out', () => {
  async function clone(depth: number): Promise<string> {
    const work = await mkdtemp(join(folder, 'work-'));
    const bare = github.repository(repository).git;
    const ref = depth === 0 ? 'refs/heads/main' : 'refs/pull/1/merge';
    const sha = (await bare.commit(ref)) ?? '';
    await checkOut({ remote: builder.path, folder: work, sha, ref, depth });
    return work;
  }

  test('is fetched into a shallow clone', async () => {
    const work = await clone(1);
    await fetchCommit({ directory: work, commit: head });
    const local = await openRepository(work);
    expect(await local.resolveCommit(head)).toBe(head);
  });

  test('is fetched into a whole clone without cutting its history short', async () => {
    const work = await clone(0);
    await fetchCommit({ directory: work, commit: head });
    const local = await openRepository(work);
    expect(await local.isShallow()).toBe(false);
    expect(await local.mergeBase(head, 'HEAD')).toBe(await local.resolveCommit('HEAD'));
  });

  test('that exists nowhere is a failure that says what to do', async () => {
    const work = await clone(1);
    const fetching = fetchCommit({ directory: work, commit: '1'.repeat(40) });
    await expect(fetching).rejects.toMatchObject({
      code: 'git-failed',
      mend: expect.stringContaining('fetch-depth: 0'),
    });
  });
});

describe('delivering a report', () => {
  const report: Report = {
    title: 'Review',
    outcome: 'failed',
    headline: '1 error.',
    facts: [],
    findings: [finding()],
    notes: [],
  };
  const lines: string[] = [];

  async function deliver(token: string | undefined) {
    lines.length = 0;
    return await deliverReport(report, {
      connection: token === undefined ? undefined : connect(token),
      serverUrl: github.url,
      commit: head,
      pullRequest: 1,
      key: 'review',
      check: 'auto',
      comment: 'auto',
      writeLine: (line) => lines.push(line),
    });
  }

  test('with all permissions makes a check run and a comment, and annotates nothing twice', async () => {
    const { checkUrl, commentUrl } = await deliver('writer');
    expect([checkUrl, commentUrl]).toEqual([
      expect.stringContaining('/runs/'),
      expect.stringContaining('/pull/1'),
    ]);
    expect(lines).toEqual([]);
  });

  test('with a token that may only read annotates by commands and names both permissions', async () => {
    const { summary } = await deliver('reader');
    expect(lines).toHaveLength(1);
    expect(summary).toContain('checks&#58; write');
    expect(summary).toContain('pull-requests&#58; write');
  });

  test('without a token annotates by commands and asks GitHub for nothing', async () => {
    await deliver(undefined);
    expect(lines).toHaveLength(1);
    expect(github.requests).toEqual([]);
  });

  test('with a server that fails still annotates', async () => {
    github.interfere(() => ({ status: 500, body: 'no' }));
    await deliver('writer');
    expect(lines).toHaveLength(1);
  });
});

test('a read is tried again after a fault of the server, a write is not', async () => {
  let faults = 2;
  github.interfere(() => (faults-- > 0 ? { status: 502, body: 'bad' } : undefined));
  expect(await readBranchTip(connect('writer'), 'feature/x')).toBe(head);
  faults = 1;
  const before = github.requests.length;
  const set = setCommitStatus(connect('writer'), {
    sha: head,
    state: 'success',
    context: 'c',
    description: 'd',
  });
  await expect(set).rejects.toMatchObject({ code: 'github-failed' });
  expect(github.requests.length - before).toBe(1);
});

describe('where GitHub asks for fewer requests', () => {
  const slept: number[] = [];
  const limits = {
    'at a time, with the seconds to wait': {
      status: 403,
      headers: { 'retry-after': '7' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    },
    'at a time, without a word on how long': {
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit.' },
    },
    'in an hour': {
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
    return connectGitHub({ apiUrl: github.apiUrl, token: 'writer', repository, clock, patienceMs });
  }
  const status = (): Parameters<typeof setCommitStatus>[1] => ({
    sha: head,
    state: 'success',
    context: 'c',
    description: 'd',
  });

  test.each([
    ['at a time, with the seconds to wait', 7_000],
    ['at a time, without a word on how long', 60_000],
    ['in an hour', 20_000],
  ] as const)('%s, a write waits as long and is sent again', async (kind, ms) => {
    let refusals = 1;
    github.interfere(() => (refusals-- > 0 ? limits[kind] : undefined));
    await setCommitStatus(patient(120_000), status());
    expect(slept).toEqual([ms]);
    expect(github.repository(repository).statuses).toHaveLength(1);
  });

  test('a longer wait than there is patience for is given up, and the message blames no permission', async () => {
    github.interfere(() => ({ ...limits['in an hour'], headers: { 'retry-after': '1800' } }));
    await expect(setCommitStatus(patient(120_000), status())).rejects.toMatchObject({
      code: 'github-failed',
      mend: expect.stringContaining('nothing is wrong with its permissions'),
    });
    expect(slept).toEqual([]);
  });

  test('the patience is for the whole run, not for each request', async () => {
    github.interfere(() => ({ ...limits['in an hour'], headers: { 'retry-after': '50' } }));
    const connection = patient(120_000);
    for (const _ of [1, 2, 3]) await setCommitStatus(connection, status()).catch(() => undefined);
    expect(slept).toEqual([50_000, 50_000]);
  });

  test('a caller without patience is told at once', async () => {
    github.interfere(() => limits['at a time, with the seconds to wait']);
    await expect(setCommitStatus(patient(0), status())).rejects.toMatchObject({ code: 'github-failed' });
    expect([slept, github.requests.length]).toEqual([[], 1]);
  });

  test('a missing permission is not taken for it', async () => {
    github.interfere(() => ({ status: 403, body: { message: 'Resource not accessible by integration' } }));
    await expect(setCommitStatus(patient(120_000), status())).rejects.toMatchObject({
      mend: expect.stringContaining('"statuses: write"'),
    });
    expect(slept).toEqual([]);
  });
});

test('a branch that is gone has no tip', async () => {
  expect(await readBranchTip(connect('writer'), 'gone')).toBeUndefined();
});

test('a server that never answers is given up after the time limit, and at once on cancel', async () => {
  github.interfere(() => 'hang');
  const options = { apiUrl: github.apiUrl, token: 'writer', repository, attempts: 1 };
  const slow = readBranchTip(connectGitHub({ ...options, timeoutMs: 50 }), 'main');
  await expect(slow).rejects.toMatchObject({ code: 'github-failed' });
  const cancel = new AbortController();
  const asking = readBranchTip(connectGitHub({ ...options, signal: cancel.signal }), 'main');
  cancel.abort(new Error('cancelled by the user'));
  await expect(asking).rejects.toThrow('cancelled by the user');
});
