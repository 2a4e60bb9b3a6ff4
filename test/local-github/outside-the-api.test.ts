import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildRepository, type RepositoryBuilder } from '../environment/github/bare-repository-builder.ts';
import { type GitHub, startGitHub } from '../environment/github/start-github.ts';

const name = 'example/warehouse';
let gitRoot: string;
let builder: RepositoryBuilder;
let github: GitHub;

beforeEach(async () => {
  gitRoot = mkdtempSync(join(tmpdir(), 'millrace-pages-'));
  builder = await buildRepository(gitRoot, name);
  await builder.commit('main', { 'a.txt': 'one' });
  github = await startGitHub({ gitRoot, tokens: {} });
});
afterEach(async () => {
  await github.close();
  rmSync(gitRoot, { recursive: true, force: true });
});

describe('web pages', () => {
  test('show what was written to a commit and a pull request, with text from outside escaped', async () => {
    const sha = await builder.commit('pages', { 'a.txt': 'x' }, { message: 'A <b> & "c"', from: 'main' });
    const { statuses, comments } = github.repository(name);
    const status = { id: 1, sha, context: 'millrace/to-test', target_url: null, created_at: '' };
    statuses.push({ ...status, state: 'success', description: '<script>alert(1)</script>' });
    const number = github.openPull(name, { head: 'pages', base: 'main', title: 'Pages' });
    comments.push({ id: 2, issue: number, login: 'ada', body: "it's <i>good</i>" });
    const page = async (path: string): Promise<string> => {
      const answer = await fetch(`${github.url}/${name}${path}`);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      return answer.text();
    };
    expect(await page('')).toContain(`href="/${name}/commit/${sha}"`);
    const commit = await page(`/commit/${sha}`);
    expect(commit).toContain('A &lt;b&gt; &amp; &quot;c&quot;');
    expect(commit).toContain('millrace/to-test');
    expect(await page('/tree/pages')).toContain('millrace/to-test');
    expect(commit).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const main = await github.repository(name).git.commit('main');
    const compared = await page(`/compare/${String(main)}...${sha}`);
    expect(compared).toContain('A &lt;b&gt; &amp; &quot;c&quot;');
    expect(compared).toMatch(/^-one\n.*\n\+x$/mu);
    expect(await page(`/pull/${String(number)}`)).toContain('it&#39;s &lt;i&gt;good&lt;/i&gt;');
  });

  test.each([
    '/none/such',
    '/example/warehouse/tree/none',
    '/example/warehouse/tree/--all',
    '/example',
    '/..%2f..%2fetc/passwd',
    '/example/warehouse/commit/0123',
    '/example/warehouse/pull/99',
    '/example/warehouse/compare/main',
    '/example/warehouse/compare/main...none',
  ])('at %s is not found', async (path) => {
    expect((await fetch(`${github.url}${path}`)).status).toBe(404);
  });
});

test('a body that is larger than GitHub accepts ends the connection', async () => {
  const send = fetch(`${github.apiUrl}/graphql`, { method: 'POST', body: Buffer.alloc(26 * 1024 * 1024) });
  await expect(send).rejects.toThrow('fetch failed');
  expect((await fetch(`${github.url}/${name}`)).status).toBe(200);
});
