import { expect, test } from 'vitest';
import { drift, type DriftRequest } from '../../../flows/drift/drift.ts';
import { publish } from '../../../flows/publish/publish.ts';
import { createFlowEnvironment, smallPipeline, source, type FlowEnvironment } from '../flow-environment.ts';

/** A repository with the tags v1, v2 and v3, and dev with the versions that are named. */
async function tagged(...versions: string[]): Promise<FlowEnvironment> {
  const env = await createFlowEnvironment();
  for (const [index, tag] of ['v1', 'v2', 'v3'].entries()) {
    env.work.write('a.orch.yaml', `${smallPipeline}# ${tag}\n`);
    process.env['GIT_COMMITTER_DATE'] = `2026-01-0${String(index + 1)}T00:00:00Z`;
    env.work.commit(tag);
    env.work.git('tag', tag);
  }
  delete process.env['GIT_COMMITTER_DATE'];
  for (const version of versions) {
    const [name = '', commit = name] = version.split('@');
    const upload = { ...source(env), commit, version: name, environment: 'dev' };
    await publish({ ...upload, connectors: false, dryRun: false }, env.context);
  }
  return env;
}

function request(env: FlowEnvironment, more: Partial<DriftRequest> = {}): DriftRequest {
  const release = { tag: 'v*', version: '{tag}' };
  return { repository: env.repository, release, environments: ['dev'], failOn: 'unknown', ...more };
}

test('an environment that holds the newest tag is up to date', async () => {
  await using env = await tagged('v1', 'v3');
  expect(await drift(request(env), env.context)).toEqual({
    outcome: 'passed',
    newest: 'v3',
    environments: [
      {
        environment: 'dev',
        exists: true,
        live: 'v3',
        behind: 0,
        versions: [
          expect.objectContaining({ version: 'v3', enabled: true, tagged: 'yes' }),
          expect.objectContaining({ version: 'v1', enabled: true, tagged: 'yes' }),
        ],
      },
    ],
  });
});

test('a live version behind the newest tag is counted, and fails where that was asked', async () => {
  await using env = await tagged('v1');
  const report = await drift(request(env), env.context);
  expect([report.outcome, report.environments[0]?.behind]).toEqual(['passed', 2]);
  expect((await drift(request(env, { failOn: 'behind' }), env.context)).outcome).toBe('failed');
});

test.each([
  ['that no tag has', 'hotfix@v1', 'unknown'],
  ['from another commit than its tag', 'v3@v1', 'other-commit'],
])('a version %s fails, and no longer fails once it is disabled', async (_, version, what) => {
  await using env = await tagged(version);
  const before = await drift(request(env), env.context);
  expect([before.outcome, before.environments[0]?.versions[0]?.tagged]).toEqual(['failed', what]);
  expect((await drift(request(env, { failOn: 'never' }), env.context)).outcome).toBe('passed');

  const [versionName = ''] = version.split('@');
  const { client, projectId } = env.context;
  await client.artifacts.setEnabled({ projectId, environmentName: 'dev', versionName, enabled: false });
  const after = await drift(request(env), env.context);
  expect([after.outcome, after.environments[0]?.versions[0]?.enabled]).toEqual(['passed', false]);
  expect(after.environments[0]).not.toHaveProperty('live');
});

test('an environment of millrace.yaml that the platform lacks is reported; without a list all are checked', async () => {
  await using env = await tagged('v3');
  const missing = await drift(request(env, { environments: ['dev', 'moon'] }), env.context);
  expect(missing.outcome).toBe('failed');
  expect(missing.environments[1]).toEqual({ environment: 'moon', exists: false, versions: [] });
  const all = await drift(request(env, { environments: [] }), env.context);
  expect(all.environments.map(({ environment }) => environment).toSorted()).toEqual(['dev', 'prod', 'test']);
});

test('a misspelled environment is an error with the one that was meant, a listed one that is missing is drift', async () => {
  await using env = await tagged('v1');
  await expect(drift(request(env, { only: ['dve'] }), env.context)).rejects.toMatchObject({
    code: 'not-found',
    where: { input: 'environment' },
    message: expect.stringContaining('no environment "dve"') as string,
    hint: expect.stringMatching(/^Did you mean "dev"\?/) as string,
  });
  const listed = request(env, { environments: ['dve'], only: ['dve'] });
  expect((await drift(listed, env.context)).environments).toMatchObject([{ exists: false }]);
});
