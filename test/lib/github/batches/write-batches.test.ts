import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import type { CheckContent } from '../../../../lib/github/endpoints/check-content.ts';
import type { NewCheck } from '../../../../lib/github/endpoints/checks.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import type { DeploymentStatus } from '../../../../lib/github/endpoints/deployments.ts';
import type { BatchedWrite } from '../../../../lib/github/batches/write-batches.ts';
import { buildRepository } from '../../../environment/github/bare-repository-builder.ts';
import { startGitHub } from '../../../environment/github/start-github.ts';
import { appKey, testApp } from '../app.ts';

const names = ['example/warehouse', 'example/lake'] as const;
const [name] = names;

async function begin(permissions = testApp.permissions) {
  const gitRoot = await mkdtemp(join(tmpdir(), 'millrace-batches-'));
  const commits: string[] = [];
  for (const one of names) {
    const builder = await buildRepository(gitRoot, one);
    commits.push(await builder.commit('main', { 'a.txt': one }));
  }
  const github = await startGitHub({
    requireCompletedChecks: false,
    gitRoot,
    repositories: names.map((fullName, index) => ({ fullName, id: 77 + index })),
    tokens: {},
    app: { ...testApp, permissions },
  });
  onTestFinished(async () => {
    await github.close();
    await rm(gitRoot, { recursive: true, force: true });
  });
  const port = createGitHubPort({
    apiUrl: github.apiUrl,
    access: appAccess({ apiUrl: github.apiUrl, appId: testApp.id, privateKey: appKey }),
    clock: systemClock,
  });
  const checkFor = (index: number): NewCheck => ({
    ...content,
    commit: commits[index] ?? '',
    name: 'millrace/to-test',
    externalId: `promotion-${index}`,
    detailsUrl: 'https://worker.example.com/promotions/1',
  });
  const deploy = async () => {
    const about = { commit: commits[0] ?? '', environment: 'test', description: 'v1', payload: {} };
    return (await port.deployments.create(name, about)).node ?? '';
  };
  /** Requests to the GraphQL API. */
  const sent = () => github.requests.filter(({ path }) => path === '/graphql');
  return { github, port, checkFor, deploy, sent, shown: github.repository(name) };
}

const content: CheckContent = {
  status: 'in_progress',
  conclusion: undefined,
  startedAt: Date.UTC(2031, 0, 1, 12, 0, 0, 250),
  title: 'Promoting "v1.0.0"',
  summary: 'A $variable, {braces} and # signs',
  text: 'ä',
  actions: [{ label: 'Approve', description: 'Approve v1.0.0', identifier: 'approve' }],
};
const completed: CheckContent = {
  ...content,
  status: 'completed',
  conclusion: 'success',
  completedAt: Date.UTC(2031, 0, 1, 12, 1),
  title: 'v1.0.0 is live',
  actions: [],
};
const active: DeploymentStatus = {
  state: 'success',
  description: 'v1.0.0 is live',
  logUrl: 'https://worker.example.com/promotions/1',
  environmentUrl: 'https://test.example.com',
  closesPrior: true,
};

test('writes of several kinds go with one request, and GitHub shows what the REST API would show', async () => {
  const { port, checkFor, deploy, sent, shown } = await begin();
  const about = checkFor(0);
  const byRest = await port.checks.create(name, about);
  const [made] = await port.writeTogether([{ repository: 77, kind: 'create-check', check: about }]);
  const [first, second] = shown.checkRuns;
  expect({ ...second, id: first?.id }).toEqual(first);
  const node = made?.status === 'done' ? made.node : '';
  await port.checks.update(name, byRest.id, completed);
  const byGraph = await deploy();
  const answers = await port.writeTogether([
    { repository: 77, kind: 'update-check', node, content: completed },
    { repository: 77, kind: 'deployment-status', node: byGraph, status: active },
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['done', 'done']);
  expect({ ...second, id: first?.id }).toEqual(first);
  await port.deployments.setStatus(name, shown.deployments[0]?.id ?? 0, active);
  const [graph, rest] = shown.deployments[0]?.statuses ?? [];
  expect({ ...graph, id: rest?.id }).toEqual(rest);
  expect(sent()).toHaveLength(2);
});

test('a write that GitHub refuses does not keep the others of its request back', async () => {
  const { port, checkFor, shown } = await begin();
  const answers = await port.writeTogether([
    { repository: 77, kind: 'deployment-status', node: 'DE_404', status: active },
    { repository: 77, kind: 'create-check', check: checkFor(0) },
    { repository: 77, kind: 'create-check', check: { ...checkFor(0), commit: 'f'.repeat(40) } },
  ]);
  expect(answers).toMatchObject([
    { status: 'refused', failure: { details: { status: 404, refused: true } } },
    { status: 'done' },
    { status: 'refused', failure: { details: { status: 422, refused: true } } },
  ]);
  expect(shown.checkRuns).toHaveLength(1);
});

test('writes to several repositories use a token for exactly the permissions that they need', async () => {
  const { github, port, checkFor } = await begin();
  const writes = [0, 1].map((index): BatchedWrite => ({
    repository: 77 + index,
    kind: 'create-check',
    check: checkFor(index),
  }));
  const answers = await port.writeTogether(writes);
  expect(answers.map(({ status }) => status)).toEqual(['done', 'done']);
  for (const one of names) expect(github.repository(one).checkRuns).toHaveLength(1);
  const asked = github.requests.filter(({ path }) => path.endsWith('/access_tokens')).at(-1);
  expect(asked?.body).toEqual({ permissions: { checks: 'write' } });
});

const answered = (errors: readonly object[], data?: object) => ({ status: 200, body: { errors, data } });

test.each([
  [
    'a server that does not know the mutation',
    answered([{ message: 'no field', extensions: { code: 'undefinedField' } }]),
    { refused: true },
  ],
  ['a server without the API', { status: 404, body: { message: 'Not Found' } }, { refused: true }],
  [
    'the limit of points',
    answered([{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }]),
    { refused: true, pauseMs: 60_000 },
  ],
  [
    'the limit of writes',
    { status: 403, headers: { 'retry-after': '90' }, body: { message: 'a secondary rate limit' } },
    { refused: true, pauseMs: 90_000 },
  ],
  [
    'an error without data',
    answered([{ message: 'Something went wrong while executing your query.' }]),
    { refused: false, pauseMs: undefined },
  ],
  ['a failure of the server', { status: 502, body: {} }, { refused: false }],
  ['a lost answer', 'lose' as const, { refused: false }],
])('%s: what is known about the effect of the whole request', async (_, fault, details) => {
  const { github, port, checkFor, sent } = await begin();
  github.interfere(({ path }) => (path === '/graphql' ? fault : undefined));
  await expect(
    port.writeTogether([{ repository: 77, kind: 'create-check', check: checkFor(0) }]),
  ).rejects.toMatchObject({ details });
  // A write is never repeated by itself.
  expect(sent()).toHaveLength(1);
});

test.each([
  [
    'a limit',
    [{ type: 'UNPROCESSABLE', path: ['w0'], message: 'was submitted too quickly' }],
    'refused',
    60_000,
  ],
  [
    'an error of an unknown type',
    [{ type: 'INTERNAL', path: ['w0'], message: 'oops' }],
    'unknown',
    undefined,
  ],
  ['no error', [{ type: 'INTERNAL', message: 'oops' }], 'unknown', undefined],
] as const)('a write without a result and with %s', async (_, errors, status, pauseMs) => {
  const { github, port, checkFor } = await begin();
  const data = { w0: null, w1: { checkRun: { id: 'CR_1' } } };
  github.interfere(({ path }) => (path === '/graphql' ? answered(errors, data) : undefined));
  const check = { repository: 77, kind: 'create-check', check: checkFor(0) } as const;
  expect(await port.writeTogether([check, check])).toMatchObject([
    { status, failure: { details: { pauseMs } } },
    { status: 'done', node: 'CR_1' },
  ]);
});

test('an App without a permission that the writes to several repositories need: nothing is written', async () => {
  const { port, checkFor, sent } = await begin({ contents: 'read', statuses: 'write' });
  const writes = [0, 1].map((index): BatchedWrite => ({
    repository: 77 + index,
    kind: 'create-check',
    check: checkFor(index),
  }));
  await expect(port.writeTogether(writes)).rejects.toMatchObject({ details: { refused: true } });
  expect(sent()).toEqual([]);
});
