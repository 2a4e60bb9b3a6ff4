import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildRepository, type RepositoryBuilder } from '../environment/github/bare-repository-builder.ts';
import { startGitHub, type GitHub } from '../environment/github/start-github.ts';

const name = 'example/warehouse';
let gitRoot: string;
let builder: RepositoryBuilder;
let github: GitHub;
let base: string;
let head: string;

/** What the tests look at of all the answers. */
interface Shown {
  readonly id: number;
  readonly sha: string;
  readonly message: string;
  readonly full_name: string;
  readonly default_branch: string;
  readonly content: string;
  readonly state: string;
  readonly status: string;
  readonly filename: string;
  readonly previous_filename?: string;
  readonly patch?: string;
  readonly ahead_by: number;
  readonly commit: { readonly sha: string };
  readonly object: { readonly sha: string; readonly type: string };
  readonly merge_base_commit: { readonly sha: string };
  readonly errors: readonly { readonly message: string }[];
}

async function call(method: string, path: string, body?: unknown, token = 'writer') {
  const response = await fetch(`${github.apiUrl}${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'user-agent': 'test' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: unknown = JSON.parse(await response.text());
  // The shape is what the assertions find out.
  const json = parsed as Shown;
  const list = parsed as readonly Shown[];
  return { status: response.status, json, list, link: response.headers.get('link') };
}

beforeAll(async () => {
  gitRoot = await mkdtemp(join(tmpdir(), 'millrace-github-'));
  builder = await buildRepository(gitRoot, name);
  base = await builder.commit('main', {
    'a.txt': 'one\n',
    'gone.txt': 'x\n',
    'old name.txt': 'same\nlines\nhere\n',
  });
  const changes = {
    'a.txt': 'two\n',
    'gone.txt': null,
    'old name.txt': null,
    'new name.txt': 'same\nlines\nhere\n',
  };
  head = await builder.commit('feature/x', changes, { from: 'main' });
});
afterAll(() => rm(gitRoot, { recursive: true, force: true }));

beforeEach(async () => {
  github = await startGitHub({
    requireCompletedChecks: false,
    gitRoot,
    repositories: [{ fullName: name, id: 77 }],
    tokens: {
      writer: {
        permissions: {
          contents: 'read',
          pull_requests: 'write',
          checks: 'write',
          statuses: 'write',
          deployments: 'write',
        },
      },
      reader: { permissions: { contents: 'read', pull_requests: 'read' } },
    },
  });
  github.openPull(name, { head: 'feature/x', base: 'main' });
  return () => github.close();
});

describe('access', () => {
  test('a request without a token is refused with 401, a wrong token with Bad credentials', async () => {
    const none = await fetch(`${github.apiUrl}/repos/${name}`);
    expect(none.status).toBe(401);
    expect((await call('GET', `/repos/${name}`, undefined, 'wrong')).json.message).toBe('Bad credentials');
  });

  test('a token that may only read gets the words that GitHub uses', async () => {
    const answer = await call('POST', `/repos/${name}/statuses/${head}`, { state: 'success' }, 'reader');
    expect(answer.status).toBe(403);
    expect(answer.json.message).toBe('Resource not accessible by integration');
  });

  test('a repository is found by its name and by its id, an unknown one is 404', async () => {
    expect((await call('GET', '/repositories/77')).json.full_name).toBe(name);
    expect((await call('GET', `/repos/${name}`)).json.default_branch).toBe('main');
    expect((await call('GET', '/repos/example/other')).status).toBe(404);
  });
});

describe('git', () => {
  test('branches with a slash, refs and annotated tags are read from the bare repository', async () => {
    await builder.tag('v1.0.0', head, 'first');
    expect((await call('GET', `/repos/${name}/branches/feature%2Fx`)).json.commit.sha).toBe(head);
    const ref = await call('GET', `/repos/${name}/git/ref/tags/v1.0.0`);
    expect(ref.json.object.type).toBe('tag');
    const tag = await call('GET', `/repos/${name}/git/tags/${ref.json.object.sha}`);
    expect(tag.json.object.sha).toBe(head);
    expect((await call('GET', `/repos/${name}/commits/v1.0.0`)).json.sha).toBe(head);
  });

  test('a commit object is found by its whole id only', async () => {
    const { json } = await call('GET', `/repos/${name}/git/commits/${head}`);
    expect(json).toMatchObject({ sha: head, parents: [{ sha: base }] });
    expect(json).not.toHaveProperty('files');
    await builder.tag('v1.0.1', head, 'annotated');
    const tag = (await call('GET', `/repos/${name}/git/ref/tags/v1.0.1`)).json.object.sha;
    for (const other of [head.slice(0, 12), tag, 'main', 'v1.0.1', '--help', 'f'.repeat(40)])
      expect((await call('GET', `/repos/${name}/git/commits/${other}`)).status).toBe(404);
  });

  test('the branches are listed', async () => {
    const { list } = await call('GET', `/repos/${name}/branches`);
    expect(list.map(({ commit }) => commit.sha)).toEqual([head, base]);
  });

  test('contents come as base64 at the wanted commit', async () => {
    const answer = await call('GET', `/repos/${name}/contents/a.txt?ref=${base}`);
    expect(Buffer.from(answer.json.content, 'base64').toString()).toBe('one\n');
    expect((await call('GET', `/repos/${name}/contents/none.txt`)).status).toBe(404);
  });

  test('the files of a merged pull request are listed after its branch was deleted', async () => {
    await builder.commit('gone/x', { 'b.txt': 'new\n' }, { from: 'main' });
    const number = github.openPull(name, { head: 'gone/x', base: 'main' });
    await call('GET', `/repos/${name}/pulls/${number}`);
    const before = await github.repository(name).git.commit('main');
    const pull = github.repository(name).pulls.at(-1);
    if (pull === undefined) throw new Error('no pull request');
    Object.assign(pull, { state: 'closed', mergeCommit: await builder.commit('main', { 'b.txt': 'new\n' }) });
    await github.repository(name).git.git('branch', '-D', 'gone/x');
    const { list } = await call('GET', `/repos/${name}/pulls/${number}/files`);
    expect(list.map((file) => [file.status, file.filename])).toEqual([['added', 'b.txt']]);
    builder.setBranch('main', before ?? '');
  });

  test('a new comment in a locked conversation is refused with the words of GitHub', async () => {
    const [pull] = github.repository(name).pulls;
    if (pull !== undefined) pull.isLocked = true;
    const { status, json } = await call('POST', `/repos/${name}/issues/1/comments`, { body: 'x' });
    expect([status, json.message]).toEqual([403, 'Unable to create comment because issue is locked.']);
  });

  test('a check run that nobody completes is a complaint at the end, where that is required', async () => {
    const tokens = { writer: { permissions: { checks: 'write' } } } as const;
    const strict = await startGitHub({ gitRoot, tokens });
    const response = await fetch(`${strict.apiUrl}/repos/${name}/check-runs`, {
      method: 'POST',
      headers: { authorization: 'token writer' },
      body: JSON.stringify({ name: 'Review', head_sha: head, status: 'in_progress' }),
    });
    expect(response.status).toBe(201);
    await expect(strict.close()).rejects.toThrow('the check run "Review" is in_progress');
  });

  test('the files of a pull request tell renamed, removed and modified ones apart', async () => {
    const { list } = await call('GET', `/repos/${name}/pulls/1/files?per_page=100`);
    expect(list.map((f) => [f.status, f.filename, f.previous_filename])).toEqual([
      ['modified', 'a.txt', undefined],
      ['removed', 'gone.txt', undefined],
      ['renamed', 'new name.txt', 'old name.txt'],
    ]);
    expect(list[0]?.patch).toBe('@@ -1 +1 @@\n-one\n+two');
  });

  test('a comparison names the merge base and how far each side is ahead', async () => {
    const { json } = await call('GET', `/repos/${name}/compare/main...feature%2Fx`);
    expect([json.status, json.ahead_by, json.merge_base_commit.sha]).toEqual(['ahead', 1, base]);
  });

  test('a pull request from a fork names the head repository and its commit can be fetched from the base', async () => {
    const fork = await buildRepository(gitRoot, 'stranger/warehouse');
    await github.repository(name).git.git('push', '--quiet', fork.path, 'refs/heads/main:refs/heads/main');
    const sha = await fork.commit('patch', { 'a.txt': 'three\n' }, { from: 'main' });
    const number = github.openPull(name, {
      head: 'patch',
      base: 'main',
      headRepository: 'stranger/warehouse',
    });
    const event = await github.events.pullRequest(name, number);
    expect(event.pull_request.head.repo.full_name).toBe('stranger/warehouse');
    expect(await github.repository(name).git.commit(`refs/pull/${String(number)}/head`)).toBe(sha);
  });
});

describe('limits', () => {
  test('lists are paged with a Link header and never hold more than 100', async () => {
    for (let i = 0; i < 105; i += 1) {
      await call('POST', `/repos/${name}/issues/1/comments`, { body: `c${String(i)}` });
    }
    const first = await call('GET', `/repos/${name}/issues/1/comments?per_page=500`);
    expect(first.list).toHaveLength(100);
    const next = /<([^>]+)>; rel="next"/u.exec(first.link ?? '')?.[1] ?? '';
    expect((await call('GET', next.slice(github.apiUrl.length))).list).toHaveLength(5);
  });

  test('51 annotations in one request are refused, 50 more in an update are added', async () => {
    const annotation = {
      path: 'a.txt',
      start_line: 1,
      end_line: 1,
      annotation_level: 'failure',
      message: 'm',
    };
    const body = (count: number) => ({
      name: 'review',
      head_sha: head,
      output: { title: 't', summary: 's', annotations: Array.from({ length: count }, () => annotation) },
    });
    const refused = await call('POST', `/repos/${name}/check-runs`, body(51));
    expect(refused.status).toBe(422);
    expect(refused.json.message).toContain('No more than 50 items are allowed; 51 were supplied.');
    const { json } = await call('POST', `/repos/${name}/check-runs`, body(50));
    await call('PATCH', `/repos/${name}/check-runs/${String(json.id)}`, { output: body(50).output });
    expect(github.repository(name).checkRuns[0]?.annotations).toHaveLength(100);
    expect(github.takeComplaints()).toEqual([
      expect.stringContaining('body.output.annotations has 51 items, allowed are 0 to 50'),
    ]);
  });

  test.each([
    [
      'a summary of 65,536 characters',
      '/check-runs',
      { output: { title: 't', summary: 'x'.repeat(65_536) } },
    ],
    [
      'a summary of 65,536 bytes in fewer characters',
      '/check-runs',
      { output: { title: 't', summary: 'ü'.repeat(32_768) } },
    ],
    ['a completed check without conclusion', '/check-runs', { status: 'completed' }],
    [
      'columns over two lines',
      '/check-runs',
      {
        output: {
          title: 't',
          summary: 's',
          annotations: [
            {
              path: 'a',
              start_line: 1,
              end_line: 2,
              start_column: 1,
              annotation_level: 'notice',
              message: 'm',
            },
          ],
        },
      },
    ],
    ['a comment of 65,537 characters', '/issues/1/comments', { body: 'x'.repeat(65_537) }],
    ['a blank comment', '/issues/1/comments', { body: ' ' }],
    ['a commit that is not there', `/statuses/${'0'.repeat(40)}`, { state: 'success' }],
  ])('%s is refused with 422', async (_, path, body) => {
    const check = path === '/check-runs' ? { name: 'review', head_sha: head } : {};
    const answer = await call('POST', `/repos/${name}${path}`, { ...check, ...body });
    expect(answer.status).toBe(422);
    // Some of these limits GitHub describes, others only its answers tell.
    github.takeComplaints();
  });

  test('a status description of 141 characters is refused, one of 140 is kept', async () => {
    const post = (length: number) =>
      call('POST', `/repos/${name}/statuses/${head}`, { state: 'pending', description: 'x'.repeat(length) });
    expect((await post(141)).json.errors[0]?.message).toContain('maximum is 140 characters');
    expect((await post(140)).status).toBe(201);
    expect(github.repository(name).statuses).toHaveLength(1);
  });
});

test('a request that GitHub does not describe fails the test that made it, as text', async () => {
  await call('POST', `/repos/${name}/check-runs`, { name: 'review', head_sha: head, colour: 'red' });
  await call('GET', `/repos/${name}/pulls?sate=open`);
  await call('GET', `/repos/${name}/pulls?state=opened`);
  await call('GET', `/repos/${name}/pulls/one`);
  await call('GET', `/repos/${name}/stargazers`);
  await call('DELETE', `/repos/${name}/issues/comments/1`, {});
  const words = [
    'check-runs: body.colour is unknown to GitHub',
    'pulls: query "sate" is unknown to GitHub',
    'pulls: query "state" is none of open, closed, all',
    'pulls/one: path "pull_number" is not of type integer',
    'stargazers: GitHub describes no such operation, or operations.ts does not list it',
    'comments/1: there is a body, and GitHub reads none',
  ];
  expect(github.takeComplaints()).toEqual(words.map((each) => expect.stringContaining(each)));
  await call('GET', `/repos/${name}/pulls?sate=open`);
  await expect(github.close()).rejects.toThrow('query "sate" is unknown to GitHub');
});

test('the combined status takes the newest of each context', async () => {
  for (const state of ['pending', 'success']) {
    await call('POST', `/repos/${name}/statuses/${head}`, { state, context: 'lane' });
  }
  expect((await call('GET', `/repos/${name}/commits/${head}/status`)).json.state).toBe('success');
  expect((await call('GET', `/repos/${name}/commits/${head}/statuses`)).list).toHaveLength(2);
});

test('a deployment keeps its statuses', async () => {
  const made = await call('POST', `/repos/${name}/deployments`, { ref: 'main', environment: 'test' });
  const path = `/repos/${name}/deployments/${String(made.json.id)}/statuses`;
  expect((await call('POST', path, { state: 'success' })).status).toBe(201);
  expect(github.repository(name).deployments[0]?.statuses[0]?.state).toBe('success');
});

test('a test can interfere, and every request is recorded with its answer', async () => {
  github.interfere((request) =>
    request.path.endsWith('/branches') ? { status: 502, body: 'bad' } : undefined,
  );
  expect((await fetch(`${github.apiUrl}/repos/${name}/branches`)).status).toBe(502);
  expect(github.requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', `/repos/${name}/branches`, 502],
  ]);
});

test('a caller who hangs up during a request does not disturb other callers', async () => {
  const { hostname, port, pathname } = new URL(github.apiUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const fields = ['host: x', 'content-length: 100', 'content-type: application/json'];
  socket.write(`POST ${pathname}/repos/${name}/statuses/${head} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n{`);
  await expect.poll(() => github.writesAtOnce).toBe(1);
  socket.destroy();
  expect((await call('GET', `/repos/${name}/branches`)).status).toBe(200);
  expect(github.requests.map(({ method }) => method)).toEqual(['GET']);
});
