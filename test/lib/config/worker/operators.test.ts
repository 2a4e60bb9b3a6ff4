import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { workerText } from './worker-text.ts';

const hash = (digit: string): string => `sha256:${digit.repeat(64)}`;
const withOperators = (...operators: readonly string[]) =>
  readWorkerConfig(
    `${workerText}operators:\n${operators.map((one) => `  - ${one}\n`).join('')}`,
    'worker.yaml',
  );
const ada = (extra = `token-hash: "${hash('a')}"`): string =>
  `{ name: ada, role: approver, repositories: [42], ${extra} }`;

test('operators are parsed with roles, repositories, logins and one or more token hashes', () => {
  const { operators } = withOperators(
    ada(),
    `{ name: grace, github: hopper, role: admin, repositories: all, token-hash: ["${hash('b')}", "${hash('c')}"] }`,
  );
  expect(operators).toEqual([
    { name: 'ada', role: 'approver', repositories: [42], tokenHashes: [hash('a')] },
    {
      name: 'grace',
      github: 'hopper',
      role: 'admin',
      repositories: 'all',
      tokenHashes: [hash('b'), hash('c')],
    },
  ]);
});

test('an operator may have a login instead of a token, or be a team', () => {
  const { operators } = withOperators(
    '{ name: ada, github: ada-l, role: admin, repositories: all }',
    '{ name: "@example/platform", role: viewer, repositories: [42] }',
  );
  expect(operators).toEqual([
    { name: 'ada', github: 'ada-l', role: 'admin', repositories: 'all', tokenHashes: [] },
    { name: '@example/platform', role: 'viewer', repositories: [42], tokenHashes: [] },
  ]);
});

test.each([
  [
    'neither token nor login',
    ['{ name: ada, role: admin, repositories: all }'],
    'needs a way to sign in: `token-hash` (of a token), or `github`',
  ],
  [
    'a team with a token',
    [ada().replace('ada', '"@example/platform"')],
    'is a team, whose members sign in with GitHub; remove `token-hash`',
  ],
  [
    'a team with a login',
    ['{ name: "@example/platform", github: ada, role: admin, repositories: all }'],
    'is a team, whose members sign in with their own GitHub logins; remove `github`',
  ],
  [
    'a team twice',
    [1, 2].map((i) => `{ name: "@example/${i === 1 ? 'a' : 'A'}", role: admin, repositories: all }`),
    'is listed twice',
  ],
  ['a token instead of its hash', [ada('token-hash: hunter2')], 'millrace worker token'],
  ['no role', ['{ name: ada, repositories: all, token-hash: "x" }'], '`role` is missing'],
  [
    'no repositories',
    [`{ name: ada, role: admin, token-hash: "${hash('a')}" }`],
    '`repositories` is missing',
  ],
  [
    'an unlisted repository',
    [`{ name: ada, role: admin, repositories: [7], token-hash: "${hash('a')}" }`],
    'repository 7 is not in `repositories`',
  ],
  [
    'a name twice',
    [ada(), ada().replace('ada', 'Ada').replace(hash('a'), hash('b'))],
    '"Ada" is listed twice',
  ],
  ['a token of two', [ada(), ada().replace('ada', 'bob')], 'this hash also belongs to another operator'],
  [
    'a login of two',
    [ada(), ada().replace('ada', 'bob, github: ADA').replace(hash('a'), hash('b'))],
    'another operator',
  ],
  ['the name of the worker’s own token', [ada().replace('ada', 'Worker-Token')], 'is reserved'],
  [
    'the name of the worker’s own token as a login',
    [ada().replace('ada', 'ada, github: worker-token')],
    'is reserved',
  ],
  ['the name of the worker', [ada().replace('ada', 'millrace')], 'is reserved'],
  [
    'a name that would be a mention on GitHub',
    [ada().replace('ada', '"@ada"')],
    'must be a name or GitHub login',
  ],
])('%s is rejected at its line', (_, operators, message) => {
  expect(() => withOperators(...operators)).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(message) }),
  );
});

test('the shared token is not an approver, and the same person counts once', () => {
  const shared = workerText.replace('[ada, grace]', '[ada, worker-token]');
  expect(() => readWorkerConfig(shared, 'worker.yaml')).toThrow('name a person');
  const twice = workerText.replace('[ada, grace]', '[ada, ADA]').replace('approvals: 1', 'approvals: 2');
  expect(() => readWorkerConfig(twice, 'worker.yaml')).toThrow('more than this repository has');
  const operator = ada().replace('ada', 'ada, github: Ada-L');
  const both = twice.replace('[ada, ADA]', '[ada, ada-l]');
  expect(readWorkerConfig(both, 'worker.yaml').repositories).toHaveLength(1);
  expect(() => readWorkerConfig(`${both}operators:\n  - ${operator}\n`, 'worker.yaml')).toThrow(
    'more than this repository has',
  );
});
