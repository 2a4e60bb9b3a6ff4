import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { withOperators, tokens } from '../../worker/web/dashboard/operators.ts';
import { eventually } from '../../environment/worker/eventually.ts';
import { ended, pushed, release, toTest } from '../../environment/worker/lanes-at-work.ts';
import {
  projectId,
  promotionsOf,
  createWorkerEnvironment,
  workerToken,
} from '../../environment/worker/worker-environment.ts';
import { inProcess } from '../in-process.ts';

const redis = testRedis();

/** A worker that asks the platform what is live only when it hears of a change, and commands beside it. */
async function begin(gates = '', clock = systemClock) {
  const env = await createWorkerEnvironment({ lanes: toTest });
  const options = env.options(redis);
  const settings = { ...options.settings, liveTickMs: 20, liveMs: 3_600_000 };
  const worker = await startWorker({ ...options, clock, settings, config: withOperators(gates) });
  const cwd = mkdtempSync(path.join(tmpdir(), 'millrace live '));
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
    rmSync(cwd, { recursive: true });
  });
  const platform = {
    MILLRACE_BASE_URL: env.platform.baseUrl,
    MILLRACE_TOKEN: env.platform.tokens.admin,
    MILLRACE_PROJECT_ID: projectId,
  };
  const operator = { MILLRACE_WORKER_URL: worker.url, MILLRACE_WORKER_TOKEN: workerToken };
  const millrace = (args: string, variables: Record<string, string> = {}) =>
    inProcess(args.split(' '), { cwd, env: { ...platform, ...operator, ...variables } });
  return { env, worker, millrace };
}

async function twoVersions() {
  const begun = await begin();
  for (const version of ['v1.0.0', 'v1.1.0']) {
    await release(begun.env, version);
    await pushed(begun.env, begun.worker, version);
    await ended(begun.worker, 'to-test', version);
  }
  await eventually(async () => (await begun.millrace('lanes')).stdout).toMatch(
    /to-test +example\/warehouse +v1\.1\.0 \(\d+ s ago\) +v1\.1\.0 +v1\.1\.0 +0 +idle\n/,
  );
  return begun;
}

test('a rollback of an environment refreshes the worker’s lane, which shows it at once as out of step', async () => {
  const { millrace } = await twoVersions();
  const planned = await millrace('rollback --environment test --dry-run');
  expect(planned.stdout).toMatch(
    /^Versions to go back to in test\n[\s\S]*\n {2}v1\.0\.0 [\s\S]*\nWould disable v1\.1\.0 in test; v1\.0\.0 would be live\.\n$/,
  );
  expect(await millrace('rollback --environment test')).toMatchObject({
    code: 0,
    stdout:
      'The worker refreshes the lanes that promote there: to-test.\nDisabled v1.1.0 in test; v1.0.0 is live.\n',
  });
  await eventually(async () => (await millrace('lanes')).stdout).toMatch(
    /v1\.0\.0 \(\d+ s ago\) +v1\.1\.0 +v1\.1\.0 +0 +out of step: v1\.0\.0 is live in test, but this lane verified v1\.1\.0 last\n/,
  );
  const lane = await millrace('lanes to-test');
  expect(lane.stdout).toMatch(
    /\n {2}live: {5}v1\.0\.0 \(\d+ s ago\)\n {2}verified: v1\.1\.0\n {2}wanted: {3}v1\.1\.0\n {2}out of step: /,
  );
  expect(JSON.parse((await millrace('lanes --json')).stdout)).toMatchObject({
    lanes: [
      {
        live: { state: 'version', version: 'v1.0.0', ageSeconds: expect.any(Number) },
        verified: { version: 'v1.1.0' },
        wanted: { version: 'v1.1.0' },
        outOfStep: true,
      },
    ],
  });
});

test('promote --lane makes an older version live through the worker, and needs a reason', async () => {
  const { env, worker, millrace } = await twoVersions();
  expect(await millrace('promote --lane to-test --version v1.0.0')).toMatchObject({ code: 2 });
  expect(await millrace('promote --lane to-test --from dev --version v1.0.0')).toMatchObject({ code: 2 });
  expect(await millrace('promote --lane to-test --version v9 --reason x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('v9 is not in dev'),
  });
  const dry = await millrace('promote --lane to-test --version v1.0.0 --reason figures --dry-run');
  expect(dry.stdout).toMatch(
    /^VERSION[\s\S]*\nv1\.0\.0 [\s\S]*\nWould promote v1\.0\.0 through \S+\/to-test\.\nv1\.0\.0 becomes live in test; first disables v1\.1\.0\.\n$/,
  );
  expect(await env.versions('test')).toEqual(['v1.1.0', 'v1.0.0']);
  expect(await millrace('promote --lane to-test --dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nv1\.0\.0 [\s\S]*\nLive in test now: v1\.1\.0\.\n$/),
  });
  const back = await millrace('rollback --lane to-test --to v1.0.0 --dry-run');
  expect(back.stdout).toMatch(/\nWould hold and roll back: \S+\.\nv1\.0\.0 becomes live in test; /);
  const asked = await millrace('promote --lane to-test --version v1.0.0 --reason figures --json');
  const { promotion } = JSON.parse(asked.stdout) as { promotion: string };
  await eventually(async () =>
    (await promotionsOf(worker.url, 'to-test')).find(({ id }) => id === promotion),
  ).toMatchObject({ outcome: 'passed', version: 'v1.0.0' });
  expect(await env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
  await eventually(async () => (await millrace('lanes')).stdout).toMatch(
    / v1\.0\.0 \(\d+ s ago\) +v1\.0\.0 +v1\.0\.0 +0 +idle\n/,
  );
});

test('resume --all previews, asks for a confirmation, and resumes what was previewed', async () => {
  const { millrace } = await twoVersions();
  expect((await millrace('resume --all')).stdout).toBe('Nothing matches these options.\n');
  await millrace('hold to-test --reason audit');
  const dry = await millrace('resume --all --environment test --since 1h --dry-run');
  expect(dry.stdout).toMatch(/^Would resume:\n {2}\S+\/to-test: audit\n$/);
  expect(await millrace('resume --all')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the command needs a confirmation'),
  });
  expect(await millrace('resume --all to-test')).toMatchObject({ code: 2 });
  expect((await millrace('resume --all --cause x')).stderr).toContain('`cause` must be one of');
  expect((await millrace('lanes')).stdout).toContain('on hold: audit');
  expect((await millrace('resume --all --yes')).stdout).toMatch(/^Done: 1 of 1\.\n {2}\S+\/to-test\n$/);
  expect((await millrace('lanes')).stdout).not.toContain('on hold');
  expect((await millrace('retry --all --outcome cancelled')).stdout).toBe('Nothing matches these options.\n');
  expect((await millrace('resolve --all --happened no')).stdout).toBe('Nothing matches these options.\n');
  const { code, stderr } = await millrace('resume to-test --since 1h');
  expect([code, stderr]).toEqual([2, expect.stringContaining('--since has no effect without --all.')]);
  for (const wrong of [
    'retry',
    'retry x --outcome error',
    'retry --all x',
    'resolve --happened no',
    'resolve --all --execution 5',
  ])
    expect(await millrace(wrong), wrong).toMatchObject({ code: 2 });
});

test('refresh makes the worker ask the platform what is live', async () => {
  const { env, millrace } = await twoVersions();
  await env.client.artifacts.setEnabled({
    projectId,
    environmentName: 'test',
    versionName: 'v1.1.0',
    enabled: false,
  });
  expect((await millrace('refresh to-test --dry-run')).stdout).toMatch(/^Would refresh: \S+\/to-test\.\n$/);
  expect((await millrace('refresh to-test')).stdout).toMatch(/^Refresh requested: \S+\/to-test\. /);
  await eventually(async () => (await millrace('lanes')).stdout).toContain('v1.0.0 is live in test');
});

test('pause stops what would begin, lanes shows it, and resume --pause ends it', async () => {
  const { env, worker, millrace } = await begin();
  expect((await millrace('pause --reason audit --environment prdo')).stderr).toContain(
    'worker.yaml lists no environment prdo',
  );
  const dry = await millrace('pause --reason audit --environment test --dry-run');
  expect(dry.stdout).toBe('Would pause: all lanes to test (audit).\n');
  expect((await millrace('lanes')).stdout).not.toContain('Paused');
  const paused = await millrace('pause --reason audit --environment test');
  const [, id = ''] =
    /^Paused: all lanes to test \(audit\)\. .* --pause (\S+)`\.\n$/.exec(paused.stdout) ?? [];
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await millrace('lanes')).stdout).toMatch(
    new RegExp(
      `^Paused by worker-token since \\S+: audit \\(all lanes to test\\). .*${id}[\\s\\S]* paused: audit \\(worker-token\\); v1.0.0: Waiting: paused by worker-token: audit\n`,
    ),
  );
  expect((await millrace('resume --pause 1-1')).stderr).toContain('The worker has no pause "1-1"');
  expect((await millrace(`resume --pause ${id} --dry-run`)).stdout).toBe(
    `Would resume: pause ${id} (audit).\n`,
  );
  expect((await millrace('resume --pause 1-1 --dry-run')).stderr).toContain(`The pauses are: ${id}.`);
  expect(await millrace(`resume --pause ${id} to-test`)).toMatchObject({ code: 2 });
  expect((await millrace(`resume --pause ${id}`)).stdout).toBe(`Resumed: pause ${id} has ended.\n`);
  expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
});

test('the age of the live version counts from the platform’s answer, in CLI, API and dashboard', async () => {
  let skippedMs = 0;
  const { env, worker, millrace } = await begin('', {
    ...systemClock,
    now: () => systemClock.now() + skippedMs,
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  const liveNow = async () => {
    const { lanes } = JSON.parse((await millrace('lanes --json')).stdout) as {
      lanes: { live: { version: string; at: string; ageSeconds: number; changedSince: boolean } }[];
    };
    return lanes[0]?.live;
  };
  await eventually(liveNow).toMatchObject({ version: 'v1.0.0', changedSince: false });
  const { at = '' } = (await liveNow()) ?? {};

  skippedMs = 300_000;
  expect(await liveNow()).toMatchObject({ version: 'v1.0.0', at });
  expect((await liveNow())?.ageSeconds).toBeGreaterThanOrEqual(300);
  expect((await millrace('lanes')).stdout).toMatch(/ v1\.0\.0 \(\d min ago\) /);
  const { look } = await browser(worker.url, tokens.ada);
  expect(await look('/')).toMatch(new RegExp(`as of <time datetime="${at.replaceAll('.', '\\.')}"`));
});

test('a rollback without access to the worker is done, with a warning', async () => {
  const { env, millrace } = await twoVersions();
  const message = await millrace('rollback --environment test', { MILLRACE_WORKER_TOKEN: 'nobody’s' });
  expect(message).toMatchObject({ code: 0, stdout: expect.not.stringContaining('worker') });
  expect(message.stderr).toMatch(/\nwarning: Cannot refresh the worker’s lanes of test: /);
  expect(await env.versions('test')).toEqual(['!v1.1.0', 'v1.0.0']);
});

test('a dry run of an approval reports whether it would count, without approving the promotion', async () => {
  const { env, worker, millrace } = await begin('\n    gates: { test: { approvals: 1 } }');
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.version).toBe('v1.0.0');
  const [{ id } = { id: '' }] = await promotionsOf(worker.url, 'to-test');
  const ada = { MILLRACE_WORKER_TOKEN: tokens.ada };
  expect(await millrace(`approve ${id} --dry-run`, ada)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Would approve:\n'),
  });
  expect((await millrace(`promotions ${id}`, ada)).stdout).toContain('approvals: 0 of 1');
});

test('an approval without an answer of the platform shows this in the dashboard', async () => {
  const { env, worker } = await begin('\n    gates: { test: { approvals: 1 } }');
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.version).toBe('v1.0.0');
  const [{ id, commit } = { id: '', commit: '' }] = await promotionsOf(worker.url, 'to-test');
  env.wire.interfere(({ method }) => (method === 'GET' ? 'drop' : undefined));
  const { send, look } = await browser(worker.url, tokens.ada);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await look(`/promotions/${id}/approve`))?.[1] ?? '';
  const done = await send(`/promotions/${id}/approve`, { csrf, commit, version: 'v1.0.0' });
  expect(done.status).toBe(303);
  expect(await look(done.headers.get('location') ?? '')).toContain(
    'The platform did not answer whether the version is disabled',
  );
});

/** A browser that is signed in. */
async function browser(url: string, token: string) {
  const send = (place: string, fields: Record<string, string>, cookie: string) =>
    fetch(`${url}${place}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { origin: url, cookie },
    });
  const cookie = (await send('/session', { token }, '')).headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    send: (place: string, fields: Record<string, string>) => send(place, fields, cookie),
    look: async (place: string) => (await fetch(`${url}${place}`, { headers: { cookie } })).text(),
  };
}

test('the hint about a value that the worker refuses is to correct it', async () => {
  const { millrace } = await begin();
  const since = await millrace('export --out out.ndjson --since banana');
  expect(since).toMatchObject({ code: 2, stdout: '' });
  expect(since.stderr).not.toContain('List the lanes');
});

test('a filter by a lane that the worker does not have is an error, not an empty list', async () => {
  const { millrace } = await begin();
  for (const command of ['promotions', 'promotions --follow', 'metrics'])
    expect(await millrace(`${command} --lane nope`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('The worker has no lane "nope".'),
    });
});

test('a rollback without a version to roll back is refused in a message that ends with one full stop', async () => {
  const { env, worker, millrace } = await begin('\n    gates: { test: { approvals: 1 } }');
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.version).toBe('v1.0.0');
  const refused = await millrace('rollback --lane to-test --reason totals');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/then resume the lane\.\n/) });
});

test('approving a disabled version is refused on the command line, in the dashboard and the API alike', async () => {
  const { env, worker, millrace } = await begin('\n    gates: { test: { approvals: 1 } }');
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await eventually(async () => (await promotionsOf(worker.url, 'to-test'))[0]?.version).toBe('v1.0.0');
  const [promotion] = await promotionsOf(worker.url, 'to-test');
  const { id = '', commit = '' } = promotion ?? {};
  const name = { projectId, environmentName: 'dev', versionName: 'v1.0.0' };
  await env.client.artifacts.setEnabled({ ...name, enabled: false });
  const reason = 'v1.0.0 is disabled in dev: enable it there first, or promote another version';

  const message = await millrace(`approve ${id}`, { MILLRACE_WORKER_TOKEN: tokens.ada });
  expect(message).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The worker refused: ${reason}.`),
  });

  const tried = await millrace(`approve ${id} --dry-run`, { MILLRACE_WORKER_TOKEN: tokens.ada });
  expect(tried).toMatchObject({ code: 1, stderr: expect.stringContaining(`The worker refused: ${reason}.`) });

  const headers = { authorization: `Bearer ${tokens.ada}` };
  const body = JSON.stringify({ commit, version: 'v1.0.0' });
  const answer = await fetch(`${worker.url}/api/promotions/${id}/approve`, { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toEqual([409, { error: reason, status: 409 }]);

  const { send, look } = await browser(worker.url, tokens.ada);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await look(`/promotions/${id}/approve`))?.[1] ?? '';
  const page = await send(`/promotions/${id}/approve`, { csrf, commit, version: 'v1.0.0' });
  expect([page.status, await page.text()]).toEqual([409, expect.stringContaining(reason)]);
});
