import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { askDemo } from '../../../cli/demo/ask-demo.ts';
import { type ControlServer, startControlServer } from '../../../cli/demo/control-server.ts';
import { demoChange, scriptFile } from '../../../cli/demo/demo-change.ts';
import { demoRepository } from '../../../cli/demo/demo-config.ts';
import { commentFacts, pushFacts } from '../../../cli/demo/demo-protocol.ts';
import { exampleFiles } from '../../../cli/demo/example-files.ts';
import { createHostActions } from '../../../cli/demo/host-actions.ts';
import type { RunningDemo } from '../../../cli/operate/demo-record.ts';
import { buildRepository, type RepositoryBuilder } from '../../environment/github/bare-repository-builder.ts';
import { type GitHub, startGitHub } from '../../environment/github/start-github.ts';

let folder: string;
let builder: RepositoryBuilder;
let github: GitHub;
let control: ControlServer;
let demo: RunningDemo;
let first: string;
let released: string[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'demo-control-'));
  builder = await buildRepository(folder, demoRepository.name);
  first = await builder.commit('main', { 'sql/regions.sql': 'select 1\n' });
  github = await startGitHub({ gitRoot: folder, tokens: {} });
  released = [];
  const release = async (tag: string, commit: string): Promise<string[]> => {
    released.push(`${tag} ${commit}`);
    return [];
  };
  const source = { repository: demoRepository, branch: 'main', copy: undefined };
  control = await startControlServer(
    createHostActions({ github, builder, source, release, now: Date.now }),
    'token',
  );
  const worker = { url: 'http://127.0.0.1:1', token: 'a', webhookSecret: 'b' };
  demo = { worker, control: { url: control.url, token: 'token' } };
});
afterEach(async () => {
  await control[Symbol.asyncDispose]();
  await github.close();
  rmSync(folder, { recursive: true, force: true });
});

const { signal } = new AbortController();
const push = (body: object) => askDemo(demo, { path: '/push', body, signal }, pushFacts);
const comment = (body: object) => askDemo(demo, { path: '/comment', body, signal }, commentFacts);
const head = (ref: string) => github.repository(demoRepository.name).git.commit(ref);

test('a new tag is on a new commit of main, which a merged pull request brought', async () => {
  const facts = await push({ tag: 'v1' });
  expect(facts).toMatchObject({ ref: 'refs/tags/v1', before: '0'.repeat(40), after: facts.commit });
  expect(facts.commit).not.toBe(first);
  expect([await head('refs/heads/main'), await head('refs/tags/v1')]).toEqual([facts.commit, facts.commit]);
  expect(github.repository(demoRepository.name).pulls).toMatchObject([
    { number: 1, state: 'closed', mergeCommit: facts.commit },
  ]);
  expect(released).toEqual([`v1 ${facts.commit}`]);
});

test('a tag of the example project brings a column more, also the second one; a rewritten project gets a comment', async () => {
  const files: Record<string, string> = { ...(await exampleFiles()) };
  const read = async (file: string) => files[file];
  const rewritten = await demoChange('Change', async (file) => (file === scriptFile ? 'select 1\n' : ''));
  expect(rewritten).toEqual({ [scriptFile]: 'select 1\n-- Change\n' });
  for (const title of ['one', 'two']) Object.assign(files, await demoChange(title, read));
  const { pipeline } = parse(files['daily/build-orders.tran.yaml'] ?? '');
  const { calculations } = pipeline.components.Amount.parameters;
  expect(calculations.map((row: string[]) => row[1])).toEqual(['AMOUNT', 'TAX_1', 'TAX_2']);
});

test('two tags at the same time get two commits, one after the other', async () => {
  const [one, two] = await Promise.all([push({ tag: 'v1' }), push({ tag: 'v2' })]);
  const { git } = github.repository(demoRepository.name);
  expect((await git.git('rev-list', '--reverse', 'refs/heads/main')).trim().split('\n')).toEqual([
    first,
    one.commit,
    two.commit,
  ]);
});

test('a tag that was pushed to the repository is released and reported as it is', async () => {
  await builder.tag('v1', 'main', 'annotated');
  const facts = await push({ tag: 'v1' });
  expect(facts.commit).toBe(first);
  expect(facts.after).not.toBe(first);
  expect(released).toEqual([`v1 ${first}`]);
  await expect(push({ tag: 'v1', sha: (await push({ branch: 'main' })).commit })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a branch is made or moved, and knows what it replaced', async () => {
  const moved = await push({ branch: 'main' });
  expect(moved).toMatchObject({ ref: 'refs/heads/main', before: first });
  expect(await push({ branch: 'feature/x' })).toMatchObject({ before: '0'.repeat(40) });
  expect(await push({ branch: 'main', sha: first })).toMatchObject({ before: moved.after, after: first });
  expect(await head('refs/heads/main')).toBe(first);
  expect(released).toEqual([]);
});

test('a dry run changes nothing', async () => {
  expect(await push({ tag: 'v1', dryRun: true })).toMatchObject({ after: first, done: [] });
  expect(await head('refs/tags/v1')).toBeUndefined();
  expect(await head('refs/heads/main')).toBe(first);
});

test('a comment is on the newest pull request, and is known to the stand-in for GitHub', async () => {
  await expect(comment({ text: '/millrace approve' })).rejects.toMatchObject({ code: 'not-found' });
  await push({ tag: 'v1' });
  const facts = await comment({ text: '/millrace approve' });
  expect(facts).toMatchObject({ pull: 1, author: { login: 'demo-operator' } });
  expect(github.repository(demoRepository.name).comments).toMatchObject([
    { id: facts.comment, issue: 1, body: '/millrace approve' },
  ]);
  await expect(comment({ text: 'x', pull: 7 })).rejects.toMatchObject({ where: { input: '--pull' } });
});

test.each([
  '../../../outside',
  'a/../../b',
  '.hidden',
  'a..b',
  '-x',
  'a.lock',
  'a/.b',
  'a b',
  'a/',
  '/a',
  '',
])('the name %j is refused, and nothing is written', async (tag) => {
  for (const name of ['tag', 'branch'])
    await expect(push({ [name]: tag })).rejects.toMatchObject({
      code: 'usage',
      where: { input: `--${name}` },
    });
  expect(await head('refs/heads/main')).toBe(first);
  expect(existsSync(path.join(folder, 'outside'))).toBe(false);
});

test('a request without the token, or to another path, is refused', async () => {
  const post = async (at: string, authorization: string): Promise<number> =>
    (await fetch(`${control.url}${at}`, { method: 'POST', body: '{}', headers: { authorization } })).status;
  expect(await post('/push', '')).toBe(401);
  expect(await post('/push', 'Bearer tokem')).toBe(401);
  expect(await post('/elsewhere', 'Bearer token')).toBe(404);
  expect((await fetch(control.url)).status).toBe(401);
});

test('of the user’s own repository, its tags and branches are pushed as they are, and a comment finds a pull request', async () => {
  const mine = await builder.commit('trunk', { 'notes.txt': 'mine' });
  const source = {
    repository: demoRepository,
    branch: 'trunk',
    copy: async () => {
      if ((await head('refs/tags/v7')) === undefined) await builder.tag('v7', mine);
    },
  };
  const release = async (tag: string) => [`Published ${tag}`];
  const actions = createHostActions({ github, builder, source, release, now: Date.now });
  expect(await actions.push({ tag: 'v7', dryRun: false })).toMatchObject({ commit: mine, after: mine });
  expect(actions.comment({ text: '/millrace approve', dryRun: false })).toMatchObject({ pull: 1 });
  expect(github.repository(demoRepository.name).pulls).toMatchObject([
    { state: 'closed', mergeCommit: mine },
  ]);
  await expect(actions.push({ tag: 'v8', dryRun: false })).rejects.toThrow(
    'Your repository does not have the tag v8',
  );
  expect(await actions.push({ dryRun: false })).toMatchObject({ before: mine, after: mine });
});
