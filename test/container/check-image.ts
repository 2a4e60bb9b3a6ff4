import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShownPromotion } from '../environment/worker/worker-environment.ts';
import { delivery } from '../environment/worker/worker-environment.ts';
import type { ContainerEngine } from './container-engine.ts';
import type { ProjectFolder } from './project-folder.ts';

interface Check extends ProjectFolder {
  readonly engine: ContainerEngine;
  /** The name of the compose project. */
  readonly project: string;
  readonly ports: { readonly worker: number; readonly control: number };
  readonly log: (line: string) => void;
}

interface Outside {
  readonly versions: readonly { readonly versionName: string; readonly enabled: boolean }[];
  /** How many were started. */
  readonly executions: number;
  readonly statuses: readonly { readonly context: string; readonly state: string; readonly sha: string }[];
}

/** The services of compose.yaml in the order in which they start. */
const services = ['outside', 'redis', 'worker'] as const;
type Service = (typeof services)[number];

const patienceMs = 120_000;
/** `stop_grace_period` of the worker. */
const graceMs = 35_000;

/** Starts what compose.yaml describes, and does with it what an operator and time do. Throws at the first thing that is wrong. */
export async function checkImage(check: Check): Promise<void> {
  const { engine, folder, project, log } = check;
  const environment = { ...process.env, MILLRACE_BASE_URL: 'http://outside:4000' };
  const compose = (...args: string[]): Promise<string> =>
    engine.compose(['-f', 'compose.yaml', '-p', project, ...args], {
      cwd: folder,
      env: environment,
      timeout: 300_000,
    });
  await compose('up', '-d');
  await ready(check);
  log('compose started the worker, Valkey and their networks, and the worker is ready');

  const worker = await containerOf(check, 'worker');
  await checkHealth(engine, worker);
  await checkConfinement(engine, worker);
  log('the worker is healthy, does not run as root, cannot write to its root and has no capabilities');

  await simulates(check);
  log('`millrace platform` in the image simulates pipelines, and says so');

  await promote(check, 'v1.0.0');
  log('a pushed tag was promoted, verified and reported to GitHub');

  const first = await send(check, 'v1.1.0');
  await until(
    'the worker has begun the promotion of v1.1.0',
    async () => (await outside(check)).executions === 2,
  );
  await engine.run(['kill', '--signal', 'KILL', worker]);
  await engine.run(['start', worker]);
  await ready(check);
  await finished(check, 'v1.1.0');
  assert.equal((await outside(check)).executions, 2, 'the killed worker started the verification twice');
  log('a worker that was killed in a promotion finished it after its start, and started nothing twice');

  const redis = await containerOf(check, 'redis');
  await engine.run(['kill', '--signal', 'KILL', redis]);
  await engine.run(['start', redis]);
  await ready(check);
  assert.deepEqual(
    new Set((await promotions(check)).map(({ version }) => version)),
    new Set(['v1.0.0', 'v1.1.0']),
  );
  assert.equal(
    (await post(check, first)).status,
    200,
    'a push that came before Valkey was killed is not known any more',
  );
  await promote(check, 'v1.2.0');
  log('Valkey was killed and started again: its records are there, and a further tag was promoted');

  const startedAt = performance.now();
  await compose('stop', 'worker');
  const took = performance.now() - startedAt;
  const state = await engine.run(['inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', worker]);
  assert.equal(state.trim(), 'exited 0', 'the worker did not stop by itself');
  assert.ok(took < graceMs, `the worker took ${took} ms to stop`);
  log(`the worker stopped by itself in ${Math.round(took / 1_000)} s`);

  await engine.run(['start', worker]);
  await ready(check);
  assert.equal((await promotions(check)).length, 3);
  log('and started again, with all its promotions');
}

/** The id of the container of a service. */
async function containerOf({ engine, project }: Check, service: Service): Promise<string> {
  const labels = { project, service };
  const filters = Object.entries(labels).flatMap(([name, value]) => [
    '--filter',
    `label=com.docker.compose.${name}=${value}`,
  ]);
  const ids = (await engine.run(['ps', '--all', '--quiet', ...filters])).trim().split('\n');
  const [id = ''] = ids;
  assert.ok(ids.length === 1 && id !== '', `there is not one container of ${service}: ${ids.join(' ')}`);
  return id;
}

/** What the containers print, for a check that failed. */
export async function logsOf(check: Check): Promise<string> {
  const parts: string[] = [];
  for (const service of services) {
    const id = await containerOf(check, service).catch(() => undefined);
    const { both } =
      id === undefined ? { both: 'no container' } : await check.engine.attempt(['logs', '--tail', '40', id]);
    parts.push(`--- ${service}\n${both.trim()}`);
  }
  return parts.join('\n');
}

/** By the command of the image's HEALTHCHECK: podman runs it by itself only with systemd. */
async function checkHealth(engine: ContainerEngine, id: string): Promise<void> {
  const text = await engine.run(['inspect', '--format', '{{json .Config.Healthcheck}}', id]);
  const { Test: [kind, ...command] = [] } = JSON.parse(text) as { Test?: readonly string[] };
  assert.equal(kind, 'CMD', 'the image has no health check');
  await engine.run(['exec', id, ...command]);
}

async function checkConfinement(engine: ContainerEngine, id: string): Promise<void> {
  const script = `
    const fs = require('node:fs');
    const status = fs.readFileSync('/proc/1/status', 'utf8');
    const field = (name) => new RegExp('^' + name + ':\\\\s*(\\\\S+)', 'm').exec(status)[1];
    let root = 'writable';
    try { fs.writeFileSync('/app/x', ''); } catch (error) { root = error.code; }
    console.log(JSON.stringify({ uid: field('Uid'), capabilities: Number.parseInt(field('CapEff'), 16), privileges: field('NoNewPrivs'), root, duckdb: fs.existsSync('/app/node_modules/@duckdb') }));`;
  const found = JSON.parse(await engine.run(['exec', id, 'node', '-e', script])) as unknown;
  assert.deepEqual(found, { uid: '1000', capabilities: 0, privileges: '1', root: 'EROFS', duckdb: false });
}

/** Starts `millrace platform` in a container of its own until it says where it is. */
async function simulates(check: Check): Promise<void> {
  const id = await containerOf(check, 'outside');
  const run = await check.engine.attempt(
    ['exec', id, 'timeout', '5', 'node', '/app/build/cli/main.js', 'platform'],
    { timeout: 60_000 },
  );
  assert.match(run.both, /simulat/i, `\`millrace platform\` does not say that it simulates:\n${run.both}`);
}

async function promote(check: Check, version: string): Promise<void> {
  await send(check, version);
  await finished(check, version);
}

/** Tags a version outside, and delivers the push as GitHub does. */
async function send(check: Check, version: string): Promise<unknown> {
  const payload = await ask(check, `/tag?name=${version}`);
  assert.equal((await post(check, payload)).status, 202);
  return payload;
}

async function post({ ports, webhookSecret }: Check, payload: unknown): Promise<Response> {
  const { headers, body } = delivery('push', payload, webhookSecret);
  return fetch(`http://127.0.0.1:${ports.worker}/webhooks/github`, { method: 'POST', headers, body });
}

async function finished(check: Check, version: string): Promise<void> {
  const find = async (): Promise<ShownPromotion | undefined> =>
    (await promotions(check)).find((one) => one.version === version);
  await until(`the promotion of ${version} ends`, async () => (await find())?.outcome != null);
  const promotion = await find();
  assert.equal(promotion?.outcome, 'passed', `${version}: ${promotion?.message ?? ''}`);
  await until(`${version} is live and GitHub knows it`, async () => {
    const { versions, statuses } = await outside(check);
    const live = versions.find(({ enabled }) => enabled)?.versionName;
    const status = statuses.findLast(({ sha }) => sha === promotion.commit);
    return live === version && status?.context === 'millrace/to-test' && status.state === 'success';
  });
}

async function promotions({ ports, workerToken }: Check): Promise<readonly ShownPromotion[]> {
  const response = await fetch(`http://127.0.0.1:${ports.worker}/api/promotions`, {
    headers: { authorization: `Bearer ${workerToken}` },
  });
  return ((await response.json()) as { promotions: readonly ShownPromotion[] }).promotions;
}

const outside = async (check: Check): Promise<Outside> => (await ask(check, '/state')) as Outside;

async function ask({ ports }: Check, where: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${ports.control}${where}`);
  assert.ok(response.ok, `${where}: ${response.ok ? '' : await response.text()}`);
  return response.json();
}

async function ready(check: Check): Promise<void> {
  await until(
    'the worker is ready',
    async () => (await fetch(`http://127.0.0.1:${check.ports.worker}/readyz`)).ok,
  );
  await until('the platform and GitHub answer', async () => (await outside(check)) !== undefined);
}

/** Asks until it is so. What cannot be asked yet is not so. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs;
  let last: unknown = '';
  while (performance.now() < end) {
    try {
      if (await isSo()) return;
      last = '';
    } catch (error) {
      last = error;
    }
    await wait(200);
  }
  throw new Error(`Not within ${patienceMs / 1_000} s: ${what}. ${String(last)}`);
}
