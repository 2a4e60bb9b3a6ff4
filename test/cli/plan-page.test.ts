import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../flows/plan/plan.ts';
import { reportOfPlan } from '../../flows/plan/report/report-plan.ts';
import { snapshotDigest } from '../../flows/snapshot/canonical-snapshot.ts';
import { readSnapshot } from '../../flows/snapshot/read-snapshot.ts';
import { fileLimit, reportMarkdown } from '../../lib/report/markdown.ts';
import { terminalLines } from '../../lib/report/terminal.ts';
import { listArtifacts } from '../flows/plan/plan-environment.ts';
import { createCliEnvironment, type CliEnvironment } from './cli-environment.ts';
import { codeBlocks } from './code-blocks.ts';
import { inProcess } from './in-process.ts';
import { testFolder } from './tests/test-project.ts';

const changed = 'daily/build-customers.tran.yaml';
const planned = ['--version', 'v1.4.0', '--from', 'test', '--to', 'prod'];
let env: CliEnvironment;
let live: string;
let wanted: string;
/** Replaces what differs from run to run. */
let stable: (text: string) => string;

beforeAll(async () => {
  env = await createCliEnvironment();
  const { work, client, platform } = env;
  cpSync('examples/warehouse', work.directory, { recursive: true });
  live = work.commit('Load the warehouse');
  const pipeline = readFileSync(path.join(work.directory, changed), 'utf8');
  const renamed = pipeline.replace(
    '- - "COUNTRY"\n          - "COUNTRY"',
    '- - "COUNTRY"\n          - "LAND"',
  );
  if (renamed === pipeline) throw new Error('the example has no such rename');
  work.write(changed, renamed);
  wanted = work.commit('Rename COUNTRY to LAND');
  listArtifacts(env, [
    { in: 'test', version: 'v1.4.0', commit: wanted, hour: 3 },
    { in: 'test', version: 'v1.3.0', commit: live, hour: 1 },
    { in: 'prod', version: 'v1.3.0', commit: live, hour: 2 },
  ]);
  const { projectId } = platform;
  const name = 'notify';
  await client.variables.create({ projectId, name, type: 'TEXT', behaviour: 'SHARED', value: 'nobody' });
  const own = { environmentName: 'test', value: 'testers@example.com' };
  await client.overrides.set({ projectId, variableName: name, overrides: [own] });
  stable = (text) =>
    text.replaceAll(live.slice(0, 12), '0a1b2c3d4e5f').replaceAll(wanted.slice(0, 12), '6a7b8c9d0e1f');
});
afterAll(() => env[Symbol.asyncDispose]());

test('the plan of docs/plan.md is what the command prints', async () => {
  const { code, stdout } = await env.run(['plan', ...planned]);
  const [shown = ''] = codeBlocks('plan.md', '');
  expect(code).toBe(0);
  expect(stable(stdout)).toBe(shown.replace(/^\$ .*\n/, ''));
});

test('values are shown only if they are asked for, and the formats have the same plan', async () => {
  const json = await env.run(['plan', ...planned, '--json', '--show-values']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    result: 'ready',
    variables: {
      differences: [
        {
          variable: 'notify',
          from: { source: 'own', value: 'testers@example.com' },
          to: { source: 'default', value: 'nobody' },
        },
      ],
    },
  });
  const markdown = await env.run(['plan', ...planned, '--format', 'markdown']);
  expect(markdown.stdout).toContain('Variables that differ');
  expect(markdown.stdout).not.toContain('nobody');
  const both = await env.run(['plan', ...planned, '--json', '--format', 'text']);
  expect(both.code).toBe(2);
});

test('a worker that is known says what the gates still want, and the command compares its plan with its own', async () => {
  const lane = {
    id: 'l1',
    name: 'to-prod',
    project: env.platform.projectId,
    from: 'test',
    to: 'prod',
    waiting: [],
    holds: [{ id: 'h1', cause: 'operator', reason: 'month end', by: 'ada' }],
  };
  const promotion = {
    id: 'p1',
    lane: 'l1',
    state: 'active',
    version: 'v1.4.0',
    commit: 'c'.repeat(40),
    waitsFor: 'approval',
    approvals: { needed: 2, given: ['ada'], mayApprove: [] },
  };
  const digestOf = async (commit: string) =>
    snapshotDigest(readSnapshot((await env.run(['snapshot', '--commit', commit])).stdout));
  const version = (name: string, commit: string) => ({ version: name, commit });
  const plan = {
    digest: 'd'.repeat(64),
    id: 'd'.repeat(12),
    wanted: { ...version('v1.4.0', wanted), enabled: true },
    live: version('v1.3.0', live),
    wayBack: 'v1.3.0',
    snapshots: { wanted: await digestOf(wanted), live: await digestOf(live) },
    variables: {
      notCompared: 0,
      differences: [{ name: 'notify', from: 'own value', to: 'default value' }],
    },
  };
  const plans = [
    plan,
    { ...plan, wayBack: null, variables: { notCompared: 0, differences: [] } },
    { ...plan, snapshots: { wanted: 'e'.repeat(64), live: null } },
    { ...plan, live: version('v1.2.0', live), wanted: { ...plan.wanted, enabled: false } },
    // A plan of an older worker.
    { digest: plan.digest, id: plan.id },
  ];
  const others = plans.map((_, n) => ({ ...lane, id: `p${n}`, name: `with-plan-${n}`, holds: [] }));
  const waiting = plans.map((one, n) => ({ id: `w${n}`, lane: `p${n}`, state: 'active', plan: one }));
  const answers: Readonly<Record<string, object>> = {
    '/api/lanes': { lanes: [lane, { ...lane, id: 'l2', name: 'other', project: 'another' }, ...others] },
    '/api/promotions': {
      promotions: [
        promotion,
        { ...promotion, id: 'p0', version: 'v1.3.0' },
        ...waiting.map((one) => ({ ...one, version: 'v1.4.0', commit: wanted })),
      ],
    },
  };
  const worker = createServer((request, response) =>
    response.end(JSON.stringify(answers[request.url ?? ''])),
  );
  await new Promise<void>((listening) => worker.listen(0, '127.0.0.1', listening));
  const { port } = worker.address() as AddressInfo;
  const access = { MILLRACE_WORKER_URL: `http://127.0.0.1:${port}`, MILLRACE_WORKER_TOKEN: 'a-worker-token' };
  const asked = await env.run(['plan', ...planned, '--json'], access);
  const { gates, unknown } = JSON.parse(asked.stdout) as { gates?: unknown; unknown: string[] };
  expect(gates).toEqual([
    {
      lane: 'to-prod',
      holds: ['on hold: month end'],
      promotion: { id: 'p1', waitsFor: 'approval', approvals: { needed: 2, given: ['ada'] } },
    },
    ...[
      [],
      [
        'a roll-back makes no version live there, and v1.3.0 here',
        'the variable notify does not differ there, and differs (own value, then default value) here',
      ],
      [
        'the signed snapshot of v1.4.0 says something else than its files here; another version of Millrace may have taken it',
        'the contents of v1.3.0 are not known there',
      ],
      [
        `live in prod is v1.2.0 (${live.slice(0, 12)}) there, and v1.3.0 (${live.slice(0, 12)}) here`,
        'v1.4.0 is disabled in test there, and enabled in test here',
      ],
      undefined,
    ].map((differs, n) => ({
      lane: `with-plan-${n}`,
      holds: [],
      promotion: {
        id: `w${n}`,
        ...(differs === undefined ? {} : { plan: { digest: plan.digest, id: plan.id, differs } }),
      },
    })),
  ]);
  const report = reportOfPlan(JSON.parse(asked.stdout) as Plan);
  const texts = [terminalLines(report).join('\n'), reportMarkdown(report, { limit: fileLimit })];
  for (const text of texts) {
    // Markdown shows it as code, which can be copied.
    expect(text).toMatch(new RegExp(`plan of the worker for with-plan-0: (?:<code>)?${plan.id}`, 'u'));
    expect(text).toContain('promotion w0; its plan says the same');
    expect(text).toContain('promotion w1; its plan differs');
    expect(text).toMatch(
      /The plan of the worker for with-plan-1 differs from this one.{1,5} a roll-back makes/u,
    );
  }
  expect(unknown).toEqual([expect.stringMatching(/which variables changed since v1\.3\.0/)]);
  worker.closeAllConnections();
  await new Promise((closed) => worker.close(closed));
  const gone = await env.run(['plan', ...planned], access);
  expect([gone.code, gone.stdout]).toEqual([
    0,
    expect.stringContaining('It is not known what the gates of a worker still want: The worker at') as string,
  ]);
});

test('a dry run of a promotion names the command that shows what changes', async () => {
  const { stdout } = await env.run(['promote', ...planned, '--dry-run']);
  expect(stdout).toContain(`what changes: millrace plan ${planned.join(' ')}`);
  expect(stdout).toContain('The variable notify has its own value in test, but not in prod');
});

test('outside of a repository, versions and variables are compared, and the plan says what is missing', async () => {
  using folder = testFolder();
  const asked = { cwd: folder.directory, env: { ...env.env, MILLRACE_PROJECT_ID: env.platform.projectId } };
  const { code, stdout } = await inProcess(['plan', ...planned], asked);
  expect(code).toBe(0);
  expect(stdout).toContain('The commits, pipelines and tables cannot be compared: Git could not open');
  expect(stdout).toContain('1 of 1 variable of the project differs between test and prod.');
  const missing = await inProcess(['plan', ...planned.with(1, 'v1.4.1'), '--json'], asked);
  expect([missing.code, JSON.parse(missing.stdout)]).toMatchObject([
    1,
    { result: 'missing-in-source', message: 'Version v1.4.1 is not in test.' },
  ]);
});
