import { expect, test } from 'vitest';
import { approveIdentifier } from '../../../../worker/records/check-event.ts';
import { writtenPaths } from '../../../../local-github/graphql/written-paths.ts';
import type { Fault } from '../../../environment/github/start-github.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment } from './reporter-environment.ts';

const redis = testRedis();

/** Whether a request creates a check run, by itself or together with others. */
const creates = (request: Parameters<Fault>[0]): boolean =>
  writtenPaths(request).some((path) => path.endsWith('/check-runs'));

test('an App shows a promotion as one check run, from its wait to its end, with all that happened', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Waiting for v1.0.0 in dev', 'resolve');
  await env.sendAll();
  expect(env.repository.checkRuns).toMatchObject([
    {
      name: 'millrace/to-test',
      head_sha: env.commit,
      external_id: 'promotion-1',
      details_url: 'https://worker.example.com/promotions/promotion-1',
      status: 'in_progress',
      conclusion: null,
      output: { title: 'Waiting for v1.0.0 in dev' },
    },
  ]);
  await env.store.record(key, {
    kind: 'effect',
    what: 'intend-promote',
    data: { what: 'v1.0.0 in test' },
    fields: { intent: JSON.stringify({ effect: 'promote', at: 0, what: 'v1.0.0 in test' }) },
  });
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  const [check] = env.repository.checkRuns;
  expect(env.repository.checkRuns).toHaveLength(1);
  expect(check).toMatchObject({ status: 'completed', conclusion: 'success' });
  expect(check?.output.title).toBe('v1.0.0 is live in test');
  expect(check?.output.text).toContain('about to promote');
  expect(check?.output.text).toContain('what: <code>v1.0.0 in test</code>');
  expect(check?.output.summary).toContain('](https://worker.example.com/promotions/promotion-1)');
  expect(env.writes(/\/statuses\//)).toBe(0);
  expect(await redis.connect().scard(`${env.prefix}:open`)).toBe(0);
});

test.each([
  ['passed', 'success'],
  ['failed', 'failure'],
  ['error', 'failure'],
  ['indeterminate', 'failure'],
  ['cancelled', 'cancelled'],
  ['superseded', 'neutral'],
] as const)('a promotion that ended %s is concluded %s', async (outcome, conclusion) => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  await env.finish(await env.beginAdvance(), outcome, 'It is over');
  await env.sendAll();
  expect(env.repository.checkRuns).toMatchObject([{ status: 'completed', conclusion }]);
});

test('a check run whose making was never answered is found again by its promotion, not made twice', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Waiting', 'resolve');
  let cuts = 1;
  env.github.interfere((request) => (creates(request) && cuts-- > 0 ? 'lose' : undefined));
  await env.sendAll();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  expect(env.writes(/\/check-runs$/)).toBe(1);
  expect(env.repository.checkRuns).toMatchObject([{ external_id: 'promotion-1', conclusion: 'success' }]);
});

test('a worker that died while it made the check run leaves it to the next one, which finds it', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is live in test');
  env.github.interfere((request) => (creates(request) ? 'lose' : undefined));
  // Its answer never came, and nothing of it was written down after that.
  expect(await env.report('promotion-1')).toBeGreaterThan(1_000);
  env.github.interfere(undefined);
  await env.sendAll('promotion-1', env.makeReporter());
  expect(env.repository.checkRuns).toMatchObject([{ external_id: 'promotion-1', conclusion: 'success' }]);
  expect(env.writes(/\/check-runs$/)).toBe(1);
});

test('an end whose answer was lost is not sent again if GitHub shows it', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Promoting');
  await env.sendAll();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  let cuts = 1;
  env.github.interfere(({ method }) => (method === 'PATCH' && cuts-- > 0 ? 'lose' : undefined));
  await env.sendAll();
  expect(env.writes(/\/check-runs\/\d+$/)).toBe(1);
  expect(env.repository.checkRuns).toMatchObject([{ conclusion: 'success' }]);
});

test('states in between are left out, and nothing is sent twice', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'one');
  await env.say(key, 'two');
  await env.say(key, 'three');
  await env.sendAll();
  await env.sendAll();
  expect(env.repository.checkRuns.map(({ output }) => output.title)).toEqual(['three']);
  expect(env.writes(/check-runs/)).toBe(1);
});

test('an App without permission for check runs falls back to commit statuses and names the permission', async () => {
  const env = await createReporterEnvironment(redis, {
    permissions: { statuses: 'write', deployments: 'write' },
  });
  await env.accept();
  await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is live in test');
  await env.sendAll();
  expect(env.repository.statuses).toMatchObject([
    {
      context: 'millrace/to-test',
      state: 'success',
      target_url: 'https://worker.example.com/promotions/promotion-1',
    },
  ]);
  expect(env.warnings).toEqual([
    'The GitHub App may not create check runs. The worker writes commit statuses until it may.',
  ]);
  expect(env.warningFields).toMatchObject([{ hint: expect.stringContaining('checks: write') }]);
});

test('a worker without permission for statuses logs the permission that it lacks', async () => {
  const env = await createReporterEnvironment(redis, { permissions: { deployments: 'write' } });
  await env.accept();
  await env.finish(await env.beginAdvance(), 'passed', 'v1.0.0 is live in test');
  const report = env.makeReporter();
  for (let i = 0; i < 3; i += 1) env.time.skipped += (await report('promotion-1')) ?? 0;
  expect(env.repository.statuses).toEqual([]);
  expect(env.warningFields).toContainEqual(
    expect.objectContaining({ hint: expect.stringContaining('statuses: write') }),
  );
});

test('foreign text in a promotion starts no mention, link, table cell or markup on GitHub', async () => {
  const version = '| </td><img src=x> @octocat #1 ![a](http://evil.example) `x`';
  const env = await createReporterEnvironment(redis, { version });
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, `Waiting for ${version}\nnew line\u202e`);
  await env.sendAll();
  const output = env.repository.checkRuns[0]?.output;
  for (const text of [output?.summary ?? '', output?.text ?? '']) {
    expect(text).toContain('octocat');
    expect(text).not.toMatch(/@octocat|<img|<\/td>|\]\(http:\/\/evil|`x`|\u202e/);
    expect(text).not.toMatch(/[^|\n]\| &lt;/);
  }
  expect(output?.title).not.toMatch(/[\n\u202e]/);
});

test('a promotion of a thousand entries fits: the oldest are counted, the newest are shown', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  const key = await env.beginAdvance();
  for (let i = 0; i < 600; i += 1) await env.say(key, `entry ${i} ${'ä@|'.repeat(40)}`);
  await env.sendAll();
  const text = env.repository.checkRuns[0]?.output.text ?? '';
  expect(text).toMatch(/^\d+ earlier entries are not shown\./);
  expect(text).toContain('entry 599');
  expect(text.length).toBeLessThan(65_535);
});

test('a check run has the times of the promotion, not the times of its reports', async () => {
  const env = await createReporterEnvironment(redis);
  // An hour ago.
  env.time.skipped = -3_600_000;
  await env.accept();
  const key = await env.beginAdvance();
  await env.finish(key, 'passed', 'v1.0.0 is live in test');
  const { startedAt = 0, endedAt = 0 } = (await env.store.promotion('promotion-1')) ?? {};
  env.time.skipped = 0;
  await env.sendAll();
  const seconds = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  expect(env.repository.checkRuns).toMatchObject([
    { started_at: seconds(startedAt), completed_at: seconds(endedAt) },
  ]);
});

test('a check run has a button that approves its version while the promotion waits for approval, and only then', async () => {
  const env = await createReporterEnvironment(redis, {
    gate: 'approval',
    version: 'v1.0.0 with a name that is too long for GitHub',
  });
  await env.accept();
  const key = await env.beginAdvance();
  await env.say(key, 'Waiting for 1 approval');
  await env.sendAll();
  const [check] = env.repository.checkRuns;
  const identifier = approveIdentifier('v1.0.0 with a name that is too long for GitHub');
  expect(check?.actions).toMatchObject([{ label: 'Approve', identifier }, { label: 'Reject' }]);
  expect(check?.actions[0]?.description).toHaveLength(40);

  await env.finish(key, 'cancelled', 'Cancelled');
  await env.sendAll('promotion-1', env.makeReporter(undefined, 'freeze'));
  expect(check?.actions).toEqual([]);
});

test('a check run that was re-run on GitHub shows the end of its promotion again', async () => {
  const env = await createReporterEnvironment(redis);
  await env.accept();
  await env.finish(await env.beginAdvance(), 'failed', 'daily/load failed');
  await env.sendAll();
  const [check] = env.repository.checkRuns;
  if (check === undefined) throw new Error('no check run');
  // As GitHub does before it sends the event.
  Object.assign(check, { status: 'queued', conclusion: null });
  await env.showAgain('promotion-1');
  await env.sendAll();
  expect(env.repository.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
  await env.showAgain('promotion-1');
  await env.sendAll();
  expect(env.writes(/check-runs\/\d+$/)).toBe(1);
});
