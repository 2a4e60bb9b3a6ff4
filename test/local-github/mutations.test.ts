import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildRepository } from '../environment/github/bare-repository-builder.ts';
import { type ContentLimits } from '../../local-github/server/content-limit.ts';
import { startGitHub } from '../environment/github/start-github.ts';

const name = 'example/warehouse';

async function begin(options: { readonly contentLimits?: ContentLimits; readonly now?: () => number } = {}) {
  const gitRoot = await mkdtemp(join(tmpdir(), 'millrace-mutations-'));
  const commit = await (await buildRepository(gitRoot, name)).commit('main', { 'a.txt': 'a' });
  const github = await startGitHub({
    requireCompletedChecks: false,
    gitRoot,
    repositories: [{ fullName: name, id: 77 }],
    tokens: { all: { permissions: { checks: 'write', deployments: 'write' } }, none: { permissions: {} } },
    ...options,
  });
  onTestFinished(async () => {
    await github.close();
    await rm(gitRoot, { recursive: true, force: true });
  });
  const check = { repositoryId: 'R_77', headSha: commit, name: 'c', status: 'QUEUED' };
  async function ask(query: string, variables: object, { token = 'all', accept = '' } = {}) {
    const answer = await fetch(`${github.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `bearer ${token}`, accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  return { github, ask, check, runs: github.repository(name).checkRuns };
}

const one = 'mutation W($a: CreateCheckRunInput!) { a: createCheckRun(input: $a) { checkRun { id } } }';

test.each([
  [
    'a mutation that GitHub does not have',
    one.replace('createCheckRun', 'createCommitStatus'),
    'undefinedField',
  ],
  [
    'another type of the input',
    one.replace('CreateCheckRunInput', 'UpdateCheckRunInput'),
    'variableMismatch',
  ],
  ['a variable that is not declared', one.replace('input: $a', 'input: $b'), 'variableNotDefined'],
  ['a field that the answer does not have', one.replace('{ id }', '{ number }'), 'undefinedField'],
  ['two fields of one alias', one.replace(/\{ a: (.*) \}$/u, '{ a: $1 a: $1 }'), 'fieldConflict'],
  ['a document that does not end', one.slice(0, -1), 'parse_error'],
  [
    'a mutation of a preview that was not asked for',
    one
      .replace('CreateCheckRunInput', 'CreateDeploymentStatusInput')
      .replace('createCheckRun', 'createDeploymentStatus'),
    'undefinedField',
  ],
])('%s is refused as a whole', async (_, document, code) => {
  const { ask, check, runs } = await begin();
  const { status, body } = await ask(document, { a: check });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('data');
  expect(body).toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ extensions: { code } })]),
  });
  expect(runs).toEqual([]);
});

test.each([
  ['an unknown field', { colour: 'red' }],
  ['a value that the enumeration does not have', { status: 'queued' }],
  ['a missing field', { repositoryId: undefined }],
])('an input with %s is refused as a whole', async (_, changed) => {
  const { ask, check, runs } = await begin();
  const { body } = await ask(one, { a: { ...check, ...changed } });
  expect(body).not.toHaveProperty('data');
  expect(body).toMatchObject({ errors: [{ extensions: { problems: [{}] } }] });
  expect(runs).toEqual([]);
});

test('a token without the permission, and content that the REST API refuses, are errors of their field', async () => {
  const { ask, check, runs } = await begin();
  const refused = await ask(one, { a: check }, { token: 'none' });
  expect(refused.body).toMatchObject({ data: { a: null }, errors: [{ type: 'FORBIDDEN', path: ['a'] }] });
  const long = { title: 'x'.repeat(256), summary: '' };
  const invalid = await ask(one, { a: { ...check, output: long } });
  expect(invalid.body).toMatchObject({ data: { a: null }, errors: [{ type: 'UNPROCESSABLE', path: ['a'] }] });
  expect(runs).toEqual([]);
});

test.each([
  [false, [200, 200, 403]],
  [true, [200, 403, 403]],
])(
  'the limit of writes counts a request with two mutations (each of them: %s)',
  async (eachMutation, expected) => {
    let now = Date.UTC(2031, 0, 1);
    const contentLimits = { perMinute: 2, perHour: 3, eachMutation };
    const { ask, check, runs } = await begin({ contentLimits, now: () => now });
    const two = one.replace(/\{ a: (.*) \}$/u, '{ a: $1 b: $1 }');
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await ask(two, { a: check })).status);
    expect(statuses).toEqual(expected);
    now += 60_000;
    expect((await ask(one, { a: check })).status).toBe(200);
    now += 60_000;
    expect((await ask(one, { a: check })).status).toBe(403);
    expect(runs.length).toBe(eachMutation ? 3 : 5);
  },
);
