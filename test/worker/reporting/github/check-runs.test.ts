import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { scene } from './reporter-environment.ts';

const redis = testRedis();

test('an App shows a promotion as one check run, from its wait to its end, with all that happened', async () => {
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Waiting for v1.0.0 in dev', 'resolve');
  await around.tellAll();
  expect(around.repository.checkRuns).toMatchObject([
    {
      name: 'millrace/to-test',
      head_sha: around.commit,
      external_id: 'promotion-1',
      details_url: 'https://worker.example.com/promotions/promotion-1',
      status: 'in_progress',
      conclusion: null,
      output: { title: 'Waiting for v1.0.0 in dev' },
    },
  ]);
  await around.store.record(key, {
    kind: 'effect',
    what: 'intend-promote',
    data: { what: 'v1.0.0 in test' },
    fields: { intent: JSON.stringify({ effect: 'promote', at: 0, what: 'v1.0.0 in test' }) },
  });
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  const [check] = around.repository.checkRuns;
  expect(around.repository.checkRuns).toHaveLength(1);
  expect(check).toMatchObject({ status: 'completed', conclusion: 'success' });
  expect(check?.output.title).toBe('v1.0.0 is live in test');
  expect(check?.output.text).toContain('about to promote');
  expect(check?.output.text).toContain('what: <code>v1.0.0 in test</code>');
  expect(check?.output.summary).toContain('](https://worker.example.com/promotions/promotion-1)');
  expect(around.writes(/\/statuses\//)).toBe(0);
  expect(await redis.connect().scard(`${around.prefix}:open`)).toBe(0);
});

test.each([
  ['passed', 'success'],
  ['failed', 'failure'],
  ['error', 'failure'],
  ['indeterminate', 'failure'],
  ['cancelled', 'cancelled'],
  ['superseded', 'neutral'],
] as const)('a promotion that ended %s is concluded %s', async (outcome, conclusion) => {
  const around = await scene(redis);
  await around.accept();
  await around.finish(await around.begin(), outcome, 'It is over');
  await around.tellAll();
  expect(around.repository.checkRuns).toMatchObject([{ status: 'completed', conclusion }]);
});

test('a check run whose making was never answered is found again by its promotion, not made twice', async () => {
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Waiting', 'resolve');
  let cuts = 1;
  around.github.interfere(({ method, path }) =>
    method === 'POST' && path.endsWith('/check-runs') && cuts-- > 0 ? 'lose' : undefined,
  );
  await around.tellAll();
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  expect(around.writes(/\/check-runs$/)).toBe(1);
  expect(around.repository.checkRuns).toMatchObject([{ external_id: 'promotion-1', conclusion: 'success' }]);
});

test('a worker that died while it made the check run leaves it to the next one, which finds it', async () => {
  const around = await scene(redis);
  await around.accept();
  await around.finish(await around.begin(), 'passed', 'v1.0.0 is live in test');
  around.github.interfere(({ method, path }) =>
    method === 'POST' && path.endsWith('/check-runs') ? 'lose' : undefined,
  );
  // Its answer never came, and nothing of it was written down after that.
  expect(await around.report('promotion-1')).toBeGreaterThan(1_000);
  around.github.interfere(undefined);
  await around.tellAll('promotion-1', around.makeReporter());
  expect(around.repository.checkRuns).toMatchObject([{ external_id: 'promotion-1', conclusion: 'success' }]);
  expect(around.writes(/\/check-runs$/)).toBe(1);
});

test('an end whose answer was lost is not sent again where GitHub shows it', async () => {
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'Promoting');
  await around.tellAll();
  await around.finish(key, 'passed', 'v1.0.0 is live in test');
  let cuts = 1;
  around.github.interfere(({ method }) => (method === 'PATCH' && cuts-- > 0 ? 'lose' : undefined));
  await around.tellAll();
  expect(around.writes(/\/check-runs\/\d+$/)).toBe(1);
  expect(around.repository.checkRuns).toMatchObject([{ conclusion: 'success' }]);
});

test('states in between are left out, and nothing is said twice', async () => {
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  await around.say(key, 'one');
  await around.say(key, 'two');
  await around.say(key, 'three');
  await around.tellAll();
  await around.tellAll();
  expect(around.repository.checkRuns.map(({ output }) => output.title)).toEqual(['three']);
  expect(around.writes(/check-runs/)).toBe(1);
});

test('an App that may make no check runs falls back to commit statuses, and says what it lacks', async () => {
  const around = await scene(redis, { permissions: { statuses: 'write', deployments: 'write' } });
  await around.accept();
  await around.finish(await around.begin(), 'passed', 'v1.0.0 is live in test');
  await around.tellAll();
  expect(around.repository.statuses).toMatchObject([
    {
      context: 'millrace/to-test',
      state: 'success',
      target_url: 'https://worker.example.com/promotions/promotion-1',
    },
  ]);
  expect(around.warnings).toEqual([expect.stringContaining('check runs')]);
});

test('foreign text in a promotion starts no mention, link, table cell or markup on GitHub', async () => {
  const version = '| </td><img src=x> @octocat #1 ![a](http://evil.example) `x`';
  const around = await scene(redis, { version });
  await around.accept();
  const key = await around.begin();
  await around.say(key, `Waiting for ${version}\nnew line\u202e`);
  await around.tellAll();
  const output = around.repository.checkRuns[0]?.output;
  for (const text of [output?.summary ?? '', output?.text ?? '']) {
    expect(text).toContain('octocat');
    expect(text).not.toMatch(/@octocat|<img|<\/td>|\]\(http:\/\/evil|`x`|\u202e/);
    expect(text).not.toMatch(/[^|\n]\| &lt;/);
  }
  expect(output?.title).not.toMatch(/[\n\u202e]/);
});

test('a promotion of a thousand entries fits: the oldest are counted, the newest are shown', async () => {
  const around = await scene(redis);
  await around.accept();
  const key = await around.begin();
  for (let i = 0; i < 600; i += 1) await around.say(key, `entry ${i} ${'ä@|'.repeat(40)}`);
  await around.tellAll();
  const text = around.repository.checkRuns[0]?.output.text ?? '';
  expect(text).toMatch(/^\d+ earlier entries are not shown\./);
  expect(text).toContain('entry 599');
  expect(text.length).toBeLessThan(65_535);
});
