import { expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { readProvision } from '../../../lib/config/project/read-provision.ts';
import { provision } from '../../../flows/provision/provision.ts';
import { provisionLines } from '../../../flows/provision/provision-lines.ts';
import { createFlowEnvironment, type FlowEnvironment } from '../flow-environment.ts';
import { lineOf, passwordFile, setupFile } from './setup-file.ts';

const run = (env: FlowEnvironment, text = setupFile, more: { planOnly?: boolean; projectId?: string } = {}) =>
  provision({ file: readProvision(text, 'setup.yaml'), planOnly: false, ...more }, env.context);
const writes = (env: FlowEnvironment) => env.proxy.seen.filter((line) => line.startsWith('POST'));
/** Loses the answers to POST requests whose path ends with this suffix. */
const lose = (env: FlowEnvironment, end: string, action: 'lose-answer' | 'lose-request' = 'lose-answer') =>
  env.proxy.decide((line) => (line.startsWith('POST') && line.endsWith(end) ? action : 'pass'));

test('a project is set up in the call order of §4.1, and a second run finds everything there', async () => {
  await using env = await createFlowEnvironment();
  const first = await run(env);
  expect(first).toMatchObject({ outcome: 'passed', applied: true, warnings: [] });
  const id = first.projectId ?? '';
  expect(writes(env)).toEqual([
    'POST /v1/projects',
    ...[
      'data-platform-connections',
      'data-platform-connections',
      'environments',
      'environments',
      'repositories',
    ].map((part) => `POST /v1/projects/${id}/${part}`),
  ]);
  expect(provisionLines(first.parts, true)).toEqual([
    '+ project shop',
    '+ connection shop-dev',
    '+ connection shop-prod',
    '+ environment dev',
    '+ environment prod',
    '+ repository demo/shop',
    '6 created, 0 existing, 0 different.',
  ]);

  const effects = env.platform.ledger().length;
  const second = await run(env);
  expect(second).toMatchObject({ outcome: 'nothing-to-do', projectId: id });
  expect(provisionLines(second.parts, true)).toEqual([
    '= project shop',
    '= connection shop-dev: exists; the API does not show its fields',
    '= connection shop-prod: exists; the API does not show its fields',
    '= environment dev',
    '= environment prod',
    '= repository demo/shop: exists; the API does not show its fields',
    'Not compared, because the API does not show it: warehouse and agentDeploymentType of the project; all but the runner of environments.',
    '0 created, 6 existing, 0 different.',
  ]);
  expect(env.platform.ledger()).toHaveLength(effects);
});

test('a connection that signs in by password is set up, numbers and flags as text', async () => {
  await using env = await createFlowEnvironment();
  expect(await run(env, passwordFile)).toMatchObject({ outcome: 'passed' });
});

test('a plan says what would be done, and does nothing', async () => {
  await using env = await createFlowEnvironment();
  const plan = await run(env, setupFile, { planOnly: true });
  expect(plan).toMatchObject({ outcome: 'passed', applied: false });
  expect(plan.projectId).toBeUndefined();
  expect(provisionLines(plan.parts, false).at(-1)).toBe('6 to create, 0 existing, 0 different.');
  expect(writes(env)).toEqual([]);

  await run(env, setupFile.slice(0, setupFile.indexOf('  prod:')));
  const rest = await run(env, setupFile, { planOnly: true });
  expect(provisionLines(rest.parts, false)).toEqual([
    '= project shop',
    '? connection shop-dev: the API does not show it; created if it does not exist',
    '? connection shop-prod: the API does not show it; created if it does not exist',
    '= environment dev',
    '+ environment prod',
    '? repository demo/shop: the API does not show it; created if it does not exist',
    expect.stringContaining('Not compared'),
    '1 to create, 3 to create if missing, 2 existing, 0 different.',
  ]);
});

test('a difference that the API cannot change is said and fails; the rest is done all the same', async () => {
  await using env = await createFlowEnvironment();
  await run(env, setupFile.slice(0, setupFile.indexOf('  prod:')));
  const other = setupFile
    .replace('description: The shop', 'description: A shop')
    .replace('4333-8444-555555555555', '4333-8444-555555555557');
  const report = await run(env, other);
  expect(report).toMatchObject({ outcome: 'failed' });
  const lines = provisionLines(report.parts, true);
  expect(lines).toContain(
    '! project shop: description is "The shop" on the platform, "A shop" in the file; the API cannot change it',
  );
  expect(lines).toContain(
    '! environment dev: defaultAgentId is "11111111-2222-4333-8444-555555555555" on the platform, "11111111-2222-4333-8444-555555555557" in the file; the API cannot change it',
  );
  expect(lines).toContain('+ environment prod');
});

test('environments that the file does not have are named and left alone', async () => {
  await using env = await createFlowEnvironment();
  await run(env);
  const text = setupFile.slice(0, setupFile.indexOf('  prod:'));
  expect(provisionLines((await run(env, text)).parts, true)).toContain(
    '? environment prod: on the platform only; the API cannot delete it',
  );
});

test('environments that share a connection, or its details, are warned of at their line (§2.3)', async () => {
  await using env = await createFlowEnvironment();
  const shared = setupFile.replace('      shop-prod:', '      shop-dev:');
  const { warnings } = await run(env, shared, { planOnly: true });
  const line = shared.split('\n').findLastIndex((one) => one.includes('      shop-dev:')) + 1;
  expect(warnings).toEqual([
    `setup.yaml:${String(line)}:7: dev and prod share the connection shop-dev: changing its details in one changes them in the others. Give each its own (spec §2.3).`,
  ]);
  const alike = setupFile
    .replace('username: prod', 'username: dev')
    .replace('defaultDatabase: PROD', 'defaultDatabase: DEV')
    .replace(
      'secretName: prod-key }\n        passphrase: { secretName: prod-key, secretKey: passphrase }',
      'secretName: dev-key }',
    );
  expect((await run(env, alike, { planOnly: true })).warnings).toEqual([
    expect.stringContaining('dev and prod have the same connection details'),
  ]);
});

test.each([
  ['', 'project'],
  ['/environments', 'environment'],
])('a creation whose answer is lost is looked up and done once: POST …projects%s', async (end, kind) => {
  await using env = await createFlowEnvironment();
  lose(env, end === '' ? '/v1/projects' : end);
  const report = await run(env);
  expect(report).toMatchObject({ outcome: 'passed' });
  expect(report.parts.every(({ state }) => state === 'created')).toBe(true);
  const effects = env.platform.ledger({
    operation: kind === 'project' ? 'projects.create' : 'environments.create',
  });
  expect(effects).toHaveLength(kind === 'project' ? 1 : 2);
});

test.each([
  ['/v1/projects', 'lose-request', 'Look for the project on the platform'],
  ['/data-platform-connections', 'lose-answer', 'Look at the connections of the project'],
  ['/environments', 'lose-request', 'Look at the environments of the project'],
  ['/repositories', 'lose-answer', 'Look at the repository of the project'],
] as const)(
  'after a lost answer without a read-back the outcome is unknown, and the next run continues: %s',
  async (end, action, hint) => {
    await using env = await createFlowEnvironment();
    lose(env, end, action);
    const tried = () => writes(env).filter((line) => line.endsWith(end)).length;
    await expect(run(env)).rejects.toMatchObject({
      code: 'outcome-unknown',
      hint: expect.stringContaining(hint) as string,
    });
    expect(tried()).toBe(1);
    env.proxy.decide(() => 'pass');
    expect(await run(env)).toMatchObject({
      outcome: expect.stringMatching(/passed|nothing-to-do/) as string,
    });
    const again = await run(env);
    expect(again.outcome).toBe('nothing-to-do');
  },
);

test('two projects of one name are refused, and the id decides', async () => {
  await using env = await createFlowEnvironment();
  const { projectId = '' } = await run(env);
  // Deployments may allow it; the local platform does not.
  env.platform.faults.set([
    {
      operation: 'projects.list',
      status: 200,
      body: {
        page: 0,
        size: 100,
        total: 2,
        results: [
          { id: '99999999-2222-4333-8444-555555555555', name: 'shop', description: 'Another' },
          { id: projectId, name: 'shop', description: 'The shop' },
        ],
      },
    },
  ]);
  await expect(run(env)).rejects.toMatchObject({
    code: 'config-invalid',
    message: '2 projects on the platform are named "shop".',
    where: { file: 'setup.yaml', line: 3 },
    hint: expect.stringContaining(projectId) as string,
  });
  expect(await run(env, setupFile, { projectId: projectId.toUpperCase() })).toMatchObject({ projectId });
  const withId = setupFile.replace('project:\n', `project:\n  id: ${projectId}\n`);
  expect(await run(env, withId)).toMatchObject({ outcome: 'nothing-to-do' });
  await expect(
    run(env, setupFile, { projectId: '00000000-0000-4000-8000-000000000000' }),
  ).rejects.toMatchObject({ code: 'not-found' });
});

test.each([
  ['warehouse: WAREHOUSE_ONE', 'warehouse: WAREHOUSE_NINE', 'warehouse must be one of'],
  [
    'shop-dev: { authType: key_pair }',
    'shop-dev: { authType: key_pair, authProvider: nine }',
    'authProvider must be',
  ],
  ['provider: git-host', 'provider: other-host', 'provider must be git-host'],
])(
  'a refusal of the platform has the position in the file that caused it: %s → %s',
  async (right, wrong, words) => {
    await using env = await createFlowEnvironment();
    const text = setupFile.replace(right, wrong);
    await expect(run(env, text)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(words) as string,
      where: { file: 'setup.yaml', line: lineOf(text, wrong) },
    });
  },
);

test('an admin who may not see the new project gets its id, and a conflict the second time (§1)', async () => {
  await using env = await createFlowEnvironment();
  await using client = createClient({
    baseUrl: env.platform.baseUrl,
    auth: { token: env.platform.tokens.admin },
  });
  const file = readProvision(setupFile, 'setup.yaml');
  const asAdmin = () => provision({ file, planOnly: false }, { ...env.context, client });
  await expect(asAdmin()).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(
      /"shop" was created \([0-9a-f-]{36}\), but this credential may not see it/,
    ) as string,
    hint: expect.stringContaining('Super Admin') as string,
  });
  await expect(asAdmin()).rejects.toMatchObject({ code: 'conflict' });
  expect(await run(env)).toMatchObject({ outcome: 'passed' });
});
