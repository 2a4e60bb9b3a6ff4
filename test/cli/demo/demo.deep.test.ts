import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lendServerBinary } from '../../environment/redis-binary.ts';
import { inProcess } from '../in-process.ts';
import { type Running, startMillrace } from '../millrace.ts';

let folder: string;
let temporary: string;
let demo: Running | undefined;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'demo-'));
  temporary = mkdtempSync(path.join(tmpdir(), 'demo-'));
  await lendServerBinary(folder);
});
afterEach(async () => {
  // Not killed: that would leave its Redis alone.
  demo?.send('SIGINT');
  await demo?.ended;
  for (const one of [folder, temporary]) rmSync(one, { recursive: true, force: true });
});

const page = readFileSync(new URL('../../../docs/worker.md', import.meta.url), 'utf8');
const firstScreen = page.slice(page.indexOf('## Try it without GitHub'), page.indexOf('## How it works'));
/** The commands of the first screen that are for the demo, in the order of the page. */
const commands = Array.from(
  firstScreen.matchAll(/(?:^|`)npx millrace ([^`\n]+)/gm),
  ([, words = '']) => words,
)
  .filter((words) => !words.includes('--url'))
  .map((words) => Array.from(words.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word = '']) => quoted ?? word));

interface Promotion {
  readonly id: string;
  readonly lane: string;
  readonly version: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly waitsFor: string | null;
}

test('the commands of docs/worker.md lead from nothing to a roll-back, and Ctrl-C leaves nothing', async () => {
  const [start = [], push = [], ...next] = commands;
  expect(start).toEqual(['worker', '--demo']);
  const env = { TMPDIR: temporary };
  demo = startMillrace([...start, '--port', '0', '--json'], { cwd: folder, env });
  const [text = ''] = await demo.until('stdout', /^\{[^]*^\}\n/m);
  const facts = JSON.parse(text) as Readonly<Record<string, string>> & { platform: Record<string, string> };
  const { dashboard = '', token, repository = '', config = '', inspector = '' } = facts;

  const headers = { authorization: `Bearer ${token}` };
  const run = (...words: readonly string[]) => inProcess(words, { cwd: folder, env });
  const succeed = async (...words: readonly string[]): Promise<string> => {
    const ended = await run(...words);
    expect(ended, words.join(' ')).toMatchObject({ code: 0 });
    return ended.stdout;
  };
  const promotion = async (version: string, lane: string): Promise<Promotion | undefined> => {
    const answer = await fetch(`${dashboard}api/promotions`, { headers });
    const { promotions } = (await answer.json()) as { promotions: Promotion[] };
    return promotions.find((one) => one.version === version && one.lane.endsWith(lane));
  };
  const untilPromotion = (version: string, lane: string, expected: Partial<Promotion>) =>
    expect.poll(() => promotion(version, lane)).toMatchObject(expected);

  /** A comment approves the plan that GitHub shows. */
  const untilShown = (version: string) =>
    expect
      .poll(async () => (await fetch(`${facts['github'] ?? ''}/tree/${version}`)).text())
      .toContain('/millrace approve to-prod plan:');

  // The dashboard accepts the token.
  expect((await fetch(`${dashboard}api/lanes`, { headers })).status).toBe(200);
  expect((await fetch(`${dashboard}api/lanes`)).status).toBe(401);
  expect((await fetch(inspector)).status).toBe(200);
  for (const url of [dashboard, inspector, facts['github'] ?? ''])
    expect(new URL(url).hostname).toBe('127.0.0.1');
  const secrets = path.join(path.dirname(config), 'secrets');
  const modes = [config, ...readdirSync(secrets).map((name) => path.join(secrets, name))].map(
    (file) => statSync(file).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
  expect(repository.startsWith(temporary)).toBe(true);
  expect(await succeed('promotions')).toBe('No promotions yet.\n');
  // Only one at a time: the commands could not tell two apart.
  expect(await run('worker', '--demo')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(dashboard),
  });

  const pushed = await succeed(...push);
  expect(pushed).toMatch(/^Merged pull request #1 into main: [0-9a-f]{12}\.\nPushed the tag v1\.2\.0\.\n/);
  expect(pushed).toContain('The worker answered 202: accepted.\n');
  await untilPromotion('v1.2.0', 'to-prod', { state: 'active', waitsFor: 'approval' });
  await untilShown('v1.2.0');

  const words = next.map((one) => one.join(' '));
  expect(words).toContain('webhook send issue_comment');
  await succeed('webhook', 'send', 'issue_comment');
  await untilPromotion('v1.2.0', 'to-prod', { outcome: 'passed' });

  const rerun = next.find((one) => one.includes('check_run')) ?? [];
  const { id = '' } = (await promotion('v1.2.0', 'to-test')) ?? {};
  await succeed(...rerun.map((word) => (word === '<id>' ? id : word)));
  await expect.poll(async () => (await promotion('v1.2.0', 'to-test'))?.id).not.toBe(id);

  await succeed('webhook', 'send', 'push', '--tag', 'v1.3.0');
  await untilPromotion('v1.3.0', 'to-prod', { waitsFor: 'approval' });
  await untilShown('v1.3.0');
  // An approver sees what changes.
  const { id: waiting = '' } = (await promotion('v1.3.0', 'to-prod')) ?? {};
  expect(await succeed('promotions', waiting)).toContain('ORDERS.TAX_2: new');
  await succeed('webhook', 'send', 'issue_comment', '--json');
  await untilPromotion('v1.3.0', 'to-prod', { outcome: 'passed' });
  const rollback = next.find(([first]) => first === 'rollback') ?? [];
  expect(await succeed(...rollback)).toContain('Disabled v1.3.0; v1.2.0 is live.');
  await succeed(...(next.find(([first]) => first === 'resume') ?? []));

  demo.send('SIGINT');
  expect(await demo.ended).toMatchObject({ code: 0 });
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['.millrace']);
});

test('the demo takes the user’s own repository: its tag reaches the last environment, and the repository stays as it is', async () => {
  const project = path.join(folder, 'own project');
  cpSync(new URL('../../../examples/warehouse', import.meta.url), project, { recursive: true });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: project,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'trunk');
  git('add', '.');
  git('commit', '-qm', 'First');
  const env = { TMPDIR: temporary };
  demo = startMillrace(['worker', '--demo', '--repository', project, '--port', '0', '--json'], {
    cwd: folder,
    env,
  });
  const [text = ''] = await demo.until('stdout', /^\{[^]*^\}\n/m);
  const facts = JSON.parse(text) as Readonly<Record<string, string>>;
  expect(facts['github']).toMatch(/\/demo\/own-project$/);
  const run = (...words: readonly string[]) => inProcess(words, { cwd: folder, env });
  expect(await run('webhook', 'send', 'push', '--tag', 'v3.0.0')).toMatchObject({
    stderr: expect.stringContaining('git tag v3.0.0'),
  });
  git('tag', 'v3.0.0');
  const before = git('for-each-ref');
  expect(await run('webhook', 'send', 'push', '--tag', 'v3.0.0')).toMatchObject({ code: 0 });
  await expect
    .poll(async () => (await run('promotions')).stdout, { timeout: 60_000 })
    .toMatch(/to-prod +v3\.0\.0 .*Waiting for 1 approval/);
  expect(await run('webhook', 'send', 'issue_comment')).toMatchObject({ code: 0 });
  await expect
    .poll(async () => (await run('promotions')).stdout, { timeout: 60_000 })
    .toMatch(/to-prod +v3\.0\.0 +passed/);
  expect(git('for-each-ref')).toBe(before);
  expect(git('status', '--porcelain')).toBe('');
});
