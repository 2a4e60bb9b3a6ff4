import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../flows/plan/plan.ts';
import type { JsonValue } from '../../../../lib/core/values/canonical-json.ts';
import { html } from '../../../../lib/html/markup.ts';
import { createSigningKey, publicKeyText } from '../../../../lib/evidence/keys.ts';
import { growthChange, growthProject } from '../../../../tools/bench/growth-project.ts';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import type { ShownPlan } from '../../../../worker/promotion/plan/shown-plan.ts';
import { checkContent } from '../../../../worker/reporting/github/channels/check-content.ts';
import { planRows } from '../../../../worker/web/dashboard/parts/plan-rows.ts';
import type { WorkerPorts } from '../../../../worker/app/open-ports.ts';
import { inProcess } from '../../../cli/in-process.ts';
import { testFolder } from '../../../cli/tests/test-project.ts';
import { testRedis } from '../../../environment/redis.ts';
import { projectId, repositoryName } from '../../../environment/worker/worker-environment.ts';
import { approvers, oneLane, type OneLane } from '../gates/one-lane.ts';
import { storeStatements } from '../gates/store-statements.ts';

const redis = testRedis();
const key = createSigningKey();
const start = Date.UTC(2031, 0, 1, 12);
const policy = `${approvers}    evidence: { keys: [{ name: release, public-key: ${publicKeyText(key)} }] }\n`;

const repos = `/repos/${repositoryName}`;
const pipelines = 500;
const commits = 1_000;
/** Each report uses two of them, so changed and affected pipelines use all. */
const variables = Array.from({ length: 200 }, (_, n) => `limit_${String(n).padStart(3, '0')}`);
/** The pull requests of the newest commits, of which a plan reads the first ten. */
const pulls = 15;

/** The files of a project whose reports use the variables. */
function projectFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const used = (file: string, text: string): string => {
    const unit = Number(/\/report-(\d+)\.orch\.yaml$/u.exec(file)?.[1] ?? Number.NaN);
    if (Number.isNaN(unit)) return text;
    const [low = '', high = ''] = variables.slice(2 * unit);
    return text.replace(/FROM JOINED_\d+/u, `$& WHERE id > \${${low}} AND id < \${${high}}`);
  };
  return new Map([...files].map(([file, text]) => [file, used(file, text)]));
}

/** Imports commits into the main branch of a bare repository: the project, 999 small changes, and the one of the project. */
function importCommits(repository: string): { readonly live: string; readonly wanted: string } {
  const parts: string[] = [];
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commit = (n: number, message: string, files: ReadonlyMap<string, string>): void => {
    parts.push(
      `commit refs/heads/main\nmark :${n + 1}\ncommitter octo <octo@example.com> ${1_700_000_000 + n} +0000\n`,
      data(message),
      n === 0 ? 'from refs/heads/main^0\n' : `from :${n}\n`,
      ...[...files].map(([file, text]) => `M 100644 inline ${file}\n${data(text)}`),
    );
  };
  commit(0, 'Load the warehouse', projectFiles(growthProject(pipelines)));
  for (let n = 1; n < commits; n += 1)
    commit(n, `Change note ${n} (#${n})`, new Map([['notes.txt', `${n}`]]));
  commit(commits, `Rename DOUBLED to TWICE (#${commits})`, projectFiles(growthChange(pipelines)));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8' }).trim();
  execFileSync('git', ['--git-dir', repository, 'fast-import', '--quiet'], { input: parts.join('') });
  return { live: git('rev-parse', `main~${commits}`), wanted: git('rev-parse', 'main') };
}

/** The newest commits are the merges of pull requests, which Grace approved. */
async function openPulls({ env }: OneLane): Promise<void> {
  const repository = env.github.repository(repositoryName);
  const merges = await repository.git.git('rev-list', '-n', `${pulls}`, 'main');
  const submittedAt = '2026-01-01T00:00:00Z';
  for (const commit of merges.trim().split('\n')) {
    env.github.openPull(repositoryName, { head: 'main', base: 'main' });
    const reviews = [{ login: 'grace', id: 2, state: 'APPROVED', commit, submittedAt }];
    Object.assign(repository.pulls.at(-1) ?? {}, { mergeCommit: commit, mergedAt: submittedAt, reviews });
  }
}

/** Creates the variables, with the same value in each environment. */
async function createVariables({ env }: OneLane): Promise<void> {
  for (const name of variables)
    await env.client.variables.create({ projectId, name, type: 'NUMBER', behaviour: 'SHARED', value: 1 });
}

/** Gives variables another value in the target. */
async function changeVariables({ env }: OneLane, count: number): Promise<void> {
  for (const variableName of variables.slice(0, count)) {
    const overrides = [{ environmentName: 'test', value: 7 }];
    await env.client.overrides.set({ projectId, variableName, overrides });
  }
}

/** How many requests there are of each kind: method, and path without what differs. */
type Counts = Readonly<Record<string, number>>;

function countsOf(requests: readonly { readonly method: string; readonly path: string }[]): Counts {
  const counts: Record<string, number> = {};
  for (const { method, path } of requests) {
    const kind = path
      .replace(/\?.*$/u, '')
      .replace(new RegExp(`^.*/projects/${projectId}/`, 'u'), '')
      .replace(/^variables\/.*\/environment-overrides$/u, 'overrides')
      .replace(/[0-9a-f]{40}/gu, '*')
      .replace(/\/\d+/gu, '/*')
      .replace(/statements\/.*$|\/$/u, (end) => (end === '/' ? '' : 'statements'));
    const name = `${method} ${kind}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What a worker sends while it advances a promotion. */
async function advanced({ env, id }: OneLane & { readonly id: string }, ports: WorkerPorts) {
  const [github, platform] = [env.github.requests.length, env.wire.calls.length];
  await advancePromotion(id, ports, new AbortController().signal);
  return {
    github: countsOf(env.github.requests.slice(github)),
    platform: countsOf(env.wire.calls.slice(platform)),
  };
}

/** The operators' API of a lane at an address. */
async function serveApi({ ask }: OneLane): Promise<AsyncDisposable & { readonly url: string }> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await ask('root', 'GET', (request.url ?? '').replace(/^\/api\//u, ''));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a plan of 1,000 commits, 500 pipelines and 200 variables sends few requests, and is read once; all who show it show the same', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 }, policy, start });
  const { env, clock } = lane;
  const { path } = env.github.repository(repositoryName).git;
  const { live, wanted } = importCommits(path);
  await openPulls(lane);
  await createVariables(lane);
  using clone = testFolder();
  execFileSync('git', ['clone', '--quiet', path, clone.directory]);
  const millrace = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    inProcess(args, {
      cwd: clone.directory,
      env: { ...env.platform.environment(), MILLRACE_PROJECT_ID: projectId, ...more },
    });
  for (const [version, commit] of [
    ['v1.0.0', live],
    ['v1.1.0', wanted],
  ] as const) {
    const { stdout } = await millrace(['snapshot', '--commit', commit]);
    const predicate = JSON.parse(stdout) as JsonValue;
    const about = { ref: `refs/tags/${version}`, commit };
    const signed = { by: key, at: start, isAdded: true };
    await storeStatements(lane, about, [{ kind: 'snapshot', version, predicate }], signed);
    await env.publish(version, commit);
  }
  const first = await lane.push('v1.0.0', { commit: live }, { published: true });
  const { plan: firstPlan } = await lane.advance(first);
  const seen = { commit: live, version: 'v1.0.0', plan: firstPlan?.digest };
  expect(await lane.ask('ada', 'POST', `promotions/${first}/approve`, seen)).toMatchObject({ status: 200 });
  expect(await lane.advance(first)).toMatchObject({ outcome: 'passed' });
  await changeVariables(lane, 120);

  const id = await lane.push('v1.1.0', { commit: wanted }, { published: true });
  // It has read nothing yet.
  const worker = lane.openWorker();
  expect(await advanced({ ...lane, id }, worker)).toEqual({
    github: {
      'GET /repositories/*': 2,
      [`GET ${repos}/git/commits/*`]: 2,
      [`GET ${repos}/contents/statements`]: 2,
      [`GET ${repos}/git/blobs/*`]: 2,
      // The first page, and the two last ones.
      [`GET ${repos}/compare/*...*`]: 3,
      [`GET ${repos}/commits/*/pulls`]: 10,
      [`GET ${repos}/pulls/*/reviews`]: 10,
    },
    // The plan sends 20. Before, the promotion finds its version in a list.
    platform: { 'GET artifacts': 3, 'GET variables': 2, 'GET overrides': 16 },
  });
  await clock.advance(15_000);
  expect(await advanced({ ...lane, id }, worker)).toEqual({ github: {}, platform: {} });
  await clock.advance(300_000);
  expect(await advanced({ ...lane, id }, worker)).toEqual({
    github: { 'GET /repositories/*': 1, [`GET ${repos}/contents/statements`]: 2 },
    platform: { 'GET artifacts': 2, 'GET variables': 2, 'GET overrides': 16 },
  });

  const { body } = await lane.ask('ada', 'GET', `promotions/${id}`);
  const { plan } = body as { plan: ShownPlan };
  const promotion = (await lane.ports.store.promotion(id)) ?? expect.unreachable();
  expect(plan).toMatchObject({
    digest: promotion.plan?.digest,
    changes: [],
    commits: { added: commits, removed: 0, notRead: 10 },
    contents: { changed: { count: 10 }, affected: { count: expect.any(Number) as number } },
    variables: { compared: 16, notCompared: 184, changedSince: { compared: 16, count: 16 } },
    unknown: [
      'Columns are not known: the snapshots of v1.1.0 and v1.0.0 have calls and names of tables only.',
      expect.stringMatching(/^10 more pull requests were not read/u),
      expect.stringMatching(/^184 variables were not compared/u),
    ],
  });
  // The record keeps the first of each list.
  expect(JSON.stringify(promotion.plan).length).toBeLessThan(64_000);
  const { summary } = checkContent(
    { promotion, seq: '1', state: 'pending', text: '' },
    { events: [], address: undefined, needsApproval: true, webUrl: 'https://host' },
  );
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
  expect(summary).toContain(plan.id);
  const rows = planRows(plan, { webUrl: 'https://host', repository: repositoryName });
  const page = html`${rows.map(([, row]) => row)}`.text;
  expect(page).toContain(plan.digest);
  for (const { title, items, more } of plan.parts) {
    const [, list = ''] = summary.split(`- ${title}:\n`);
    const shown = list.split('\n- ')[0]?.match(/^ {2}- (?!and \d+ more$)/gmu) ?? [];
    const left = items.length - shown.length + more;
    expect(shown.length).toBeGreaterThan(0);
    if (left > 0) expect(list).toContain(`\n  - and ${left} more`);
    if (more > 0) expect(page).toContain(`and ${more} more`);
  }

  // The command computes the same, with columns from the clone, and has the id of the worker's plan.
  await using api = await serveApi(lane);
  const planned = ['plan', '--version', 'v1.1.0', '--from', 'dev', '--to', 'test'];
  const { stdout } = await millrace([...planned, '--json'], {
    MILLRACE_WORKER_URL: api.url,
    MILLRACE_WORKER_TOKEN: 'a-worker-token',
  });
  const computed = JSON.parse(stdout) as Plan;
  expect(computed.gates).toMatchObject([
    { promotion: { id, plan: { digest: plan.digest, id: plan.id, differs: [] } } },
  ]);
  expect(computed.commits).toMatchObject({ added: { count: commits }, removed: { count: 0 } });
  expect(computed.variables).toMatchObject({ scope: 'affected', read: 100, notRead: 100 });
  const { changed = [], affected = [] } = computed.pipelines ?? {};
  expect([changed.length, affected.length]).toEqual([
    plan.contents?.changed.count,
    plan.contents?.affected.count,
  ]);
}, 300_000);
