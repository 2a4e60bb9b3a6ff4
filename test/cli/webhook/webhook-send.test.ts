import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhooks } from '@octokit/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reduceCheck } from '../../../worker/records/check-event.ts';
import { reduceComment } from '../../../worker/records/comment-event.ts';
import { reducePush } from '../../../worker/records/push-event.ts';
import { validatePing } from '../../../worker/intake/receiver/validate-ping.ts';
import { inProcess } from '../in-process.ts';

interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const secret = 'the secret of the webhook';
const facts = { delivery: 'd', digest: 'e', receivedAt: 1 };
const sha = 'a'.repeat(40);
let folder: string;
let url: string;
let received: Received[];
let answer: { status: number; body: string };
let stop: () => Promise<unknown>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'webhook-send-'));
  received = [];
  answer = { status: 202, body: '{"result":"accepted","reason":"accepted"}' };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' });
      return response.end(answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  stop = () => new Promise((resolve) => server.close(resolve));
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const send = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  inProcess(['webhook', 'send', ...args], {
    cwd: folder,
    env: { TMPDIR: folder, MILLRACE_WEBHOOK_SECRET: secret, ...env },
  });
const repository = ['--repository', 'example/warehouse', '--repository-id', '77'];
const bodyOf = ({ body = '' }: Partial<Received> = {}): unknown => JSON.parse(body);

describe('a webhook to the worker at --url', () => {
  test('is signed like GitHub’s and posted to the path for webhooks', async () => {
    const ended = await send(['push', '--tag', 'v1', '--sha', sha, '--url', url, ...repository]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toBe(
      `Sent a push of refs/tags/v1 to ${url}/webhooks/github.\nThe worker answered 202: accepted.\n\`millrace deliveries\` shows what it starts, or why nothing.\n`,
    );
    const [one] = received;
    expect(one?.url).toBe('/webhooks/github');
    expect(one?.headers).toMatchObject({
      'x-github-event': 'push',
      'content-type': 'application/json',
      'x-github-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const signature = String(one?.headers['x-hub-signature-256']);
    expect(await new Webhooks({ secret }).verify(one?.body ?? '', signature)).toBe(true);
    expect(await new Webhooks({ secret: 'another' }).verify(one?.body ?? '', signature)).toBe(false);
  });

  test('is read by the worker as the push, comment, click or ping that it is', async () => {
    const to = ['--url', url, '--sender', 'ada:12', ...repository];
    await send(['push', '--branch', 'main', '--sha', sha, '--before', 'b'.repeat(40), ...to]);
    await send([
      'issue_comment',
      '--pull',
      '4',
      '--comment',
      '99',
      '--text',
      '/millrace approve to-prod',
      ...to,
    ]);
    await send(['check_run', '--promotion', 'p1', '--sha', sha, ...to]);
    await send(['ping', '--url', url]);
    const [push, comment, check, ping] = received.map(bodyOf);
    expect(reducePush(push, facts)).toMatchObject({
      repositoryId: 77,
      repositoryName: 'example/warehouse',
      ref: 'refs/heads/main',
      before: 'b'.repeat(40),
      after: sha,
      created: false,
      deleted: false,
      sender: 'ada',
      senderId: 12,
    });
    expect(reduceComment(comment, facts)).toMatchObject({
      pull: 4,
      comment: 99,
      author: { id: 12, login: 'ada' },
      command: { act: 'approve', lane: 'to-prod' },
    });
    expect(reduceCheck(check, facts)).toMatchObject({
      request: { act: 'retry', commit: sha, promotion: 'p1' },
    });
    expect(validatePing(ping)).toMatchObject({ problems: [] });
  });

  test('has the commit of the tag in the git repository of the folder, and the id of the repository in worker.yaml', async () => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).trim();
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    git('tag', '-a', 'v1', '-m', 'annotated');
    writeFileSync(
      path.join(folder, 'worker.yaml'),
      `version: 1
credentials: { a: { token-env: A } }
repositories:
  - { id: 88, name: example/warehouse, projects: [00000000-0000-4000-8000-000000000001], branches: [main], environments: [test], credential: a }
`,
    );
    expect(await send(['push', '--tag', 'v1', '--url', url])).toMatchObject({ code: 0 });
    expect(reducePush(bodyOf(received[0]), facts)).toMatchObject({
      repositoryId: 88,
      after: git('rev-parse', 'v1'),
      headCommit: git('rev-parse', 'v1^{commit}'),
    });
    expect(await send(['push', '--tag', 'v2', '--url', url])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--sha: The commit of refs/tags/v2 is not known'),
    });
  });

  test('is printed and not sent with --dry-run, also without a secret', async () => {
    const args = ['push', '--tag', 'v1', '--sha', sha, '--url', url, '--dry-run', '--json', ...repository];
    const printed = JSON.parse((await send(args)).stdout) as Received & { readonly body: unknown };
    expect(printed.headers['x-hub-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(reducePush(printed.body, facts)).toMatchObject({ ref: 'refs/tags/v1' });
    expect((await send(args, { MILLRACE_WEBHOOK_SECRET: '' })).stdout).not.toContain('x-hub-signature');
    expect(received).toEqual([]);
  });
});

describe('an error', () => {
  const push = (...more: string[]) => ['push', '--tag', 'v1', '--sha', sha, ...repository, ...more];

  test.each([
    ['an unknown event names the events', ['pushed'], /push, issue_comment, check_run, ping/],
    ['no demo and no --url', ['ping'], /^error: --url: No demo is running, and --url is missing\.\n/],
    ['a push without a ref', ['push'], /^error: --tag: A push needs --tag or --branch\.\n/],
    ['a short commit id', ['push', '--tag', 'v1', '--sha', 'abc123'], /"abc123" is not a full commit id/],
    [
      'a repository without its id',
      ['push', '--tag', 'v1', '--sha', sha, '--url', 'http://127.0.0.1:1'],
      /^error: --repository:/,
    ],
    ['an address that is none', push('--url', 'worker'), /^error: --url: /],
  ])('%s', async (_, args, message) => {
    expect(await send(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });

  test('a missing secret names its variable, and nothing is sent', async () => {
    expect(await send(push('--url', url), { MILLRACE_WEBHOOK_SECRET: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: MILLRACE_WEBHOOK_SECRET: The secret of the webhook is not set/),
    });
    expect(received).toEqual([]);
  });

  test.each([
    [
      401,
      '{"result":"refused","reason":"invalid signature"}',
      2,
      'MILLRACE_WEBHOOK_SECRET: The worker refused',
    ],
    [503, '{"result":"unavailable","reason":"stopping"}', 3, 'status 503): stopping'],
    [400, '{"result":"refused","reason":"the body is not JSON"}', 2, 'status 400): the body is not JSON'],
    [200, '<html>', 3, 'but not as a worker'],
  ])('the answer %i is explained', async (status, body, code, message) => {
    answer = { status, body };
    expect(await send(push('--url', url))).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  test('a worker that does not run is said to be unreachable', async () => {
    await stop();
    expect(await send(push('--url', url))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`No worker answers at ${url}/webhooks/github`),
    });
  });
});
