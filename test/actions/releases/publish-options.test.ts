import { evidenceBranch } from '../../../lib/evidence/evidence-branch.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { evidenceFolder } from '../../../flows/evidence/evidence-files.ts';
import { verifyVersion } from '../../../flows/evidence/verify-version.ts';
import { evidenceRulesSchema } from '../../../lib/config/project/evidence-rules-schema.ts';
import { createSigningKey, privateKeyText } from '../../../lib/evidence/keys.ts';
import { repository } from '../action-environment.ts';
import { publishedTag, usePublishEnvironment } from './publish-environment.ts';
import { componentLine, orchestration, warehouseFiles } from '../warehouse-files.ts';

const action = 'actions/publish';
const tag = publishedTag;
const publish = usePublishEnvironment();
const { versions } = publish;

describe('with require-review', () => {
  const inputs = { 'require-review': 'true' };

  test('a commit that passes is published', async () => {
    const result = await publish.testEnvironment().push(tag, { action, inputs });
    expect([result.exitCode, result.outputs['outcome'], await versions('dev')]).toEqual([
      0,
      'passed',
      ['v1.0.0'],
    ]);
  });

  test('a commit that does not pass is annotated and not published, independent of other checks', async () => {
    const bad = await publish.testEnvironment().builder.commit('main', {
      'daily/load.orch.yaml': orchestration('load 1'),
    });
    await publish.testEnvironment().builder.tag('v1.1.0', 'main');
    publish.testEnvironment().github.repository(repository).statuses.push({
      id: 1,
      sha: bad,
      state: 'success',
      context: 'Millrace review',
      description: null,
      target_url: null,
      created_at: '2026-01-01T00:00:00Z',
    });
    const result = await publish.testEnvironment().push('refs/tags/v1.1.0', { action, inputs });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'failed']);
    expect(result.annotations[0]).toMatchObject({ file: 'daily/load.orch.yaml', line: componentLine });
    expect(result.summary).toContain('v1.1.0 was not published&#58; the review of its commit failed');
    expect(await versions('dev')).toEqual([]);
  });

  test('a commit that is not on the branch is not published', async () => {
    await publish
      .testEnvironment()
      .builder.commit('other', { 'x.orch.yaml': orchestration('Other') }, { from: 'main' });
    await publish.testEnvironment().builder.tag('v2.0.0', 'other');
    const result = await publish.testEnvironment().push('refs/tags/v2.0.0', { action, inputs });
    expect(result.exitCode).not.toBe(0);
    expect(await versions('dev')).toEqual([]);
    const named = await publish.testEnvironment().push('refs/tags/v2.0.0', {
      action,
      inputs: { ...inputs, 'review-branch': 'other' },
    });
    expect([named.exitCode, await versions('dev')]).toEqual([0, ['v2.0.0']]);
  });
});

describe('with deployment', () => {
  const inputs = { deployment: 'true' };

  test('one deployment is recorded, without a merge and without waiting for other checks', async () => {
    await publish.testEnvironment().push(tag, { action, inputs, as: 'deployer' });
    await publish.testEnvironment().push(tag, { action, inputs, as: 'deployer' });
    const { deployments, git } = publish.testEnvironment().github.repository(repository);
    expect(deployments).toMatchObject([
      {
        sha: await git.commit(tag),
        environment: 'dev',
        payload: { version: 'v1.0.0' },
        statuses: [{ state: 'success', log_url: expect.stringContaining('/actions/runs/') }],
      },
    ]);
    const sent = publish
      .testEnvironment()
      .github.requests.find(({ method, path }) => method === 'POST' && path.endsWith('/deployments'));
    expect(sent?.body).toMatchObject({ auto_merge: false, required_contexts: [] });
  });

  test('a failed publication is a failed deployment, and a dry run is none', async () => {
    await publish
      .testEnvironment()
      .push(tag, { action, inputs: { ...inputs, 'dry-run': 'true' }, as: 'deployer' });
    expect(publish.testEnvironment().github.repository(repository).deployments).toEqual([]);
    publish
      .testEnvironment()
      .platform.faults.set({ rules: [{ operation: 'artifacts.create', status: 400 }] });
    const failed = await publish.testEnvironment().push(tag, { action, inputs, as: 'deployer' });
    expect(failed.exitCode).toBe(2);
    expect(publish.testEnvironment().github.repository(repository).deployments[0]?.statuses[0]?.state).toBe(
      'failure',
    );
  });

  test.each([[{}], [{ 'dry-run': 'true' }]])(
    'an environment that the project does not have is refused before GitHub makes one of its name (%o)',
    async (more) => {
      const given = { ...inputs, ...more, environment: 'tset' };
      const failed = await publish.testEnvironment().push(tag, { action, inputs: given, as: 'deployer' });
      expect([failed.exitCode, failed.annotations[0]?.title]).toEqual([2, 'Millrace: not-found']);
      expect(failed.annotations[0]?.message).toContain('Its environments are dev, test, prod.');
      expect(failed.annotations[0]?.message).toContain('Did you mean "test"?');
      expect(publish.testEnvironment().github.repository(repository).deployments).toEqual([]);
    },
  );

  test('a token without permission leads to a note with the line to add, and the version is published', async () => {
    const result = await publish.testEnvironment().push(tag, { action, inputs, as: 'reader' });
    expect([result.exitCode, await versions('dev')]).toEqual([0, ['v1.0.0']]);
    expect(result.summary).toContain('deployments&#58; write');
  });
});

test('the manifest file contains the SHA-256 of every part', async () => {
  let manifest = '';
  const result = await publish.testEnvironment().push(tag, {
    action,
    more: {
      onFinished: ({ outputs }) => {
        manifest = readFileSync(outputs['manifest-path'] ?? '', 'utf8');
      },
    },
  });
  const sql = warehouseFiles['sql/orders.sql'] ?? '';
  const sha256 = createHash('sha256').update(sql).digest('hex');
  expect(JSON.parse(manifest)).toMatchObject({
    version: 'v1.0.0',
    files: expect.arrayContaining([
      expect.objectContaining({ path: 'sql/orders.sql', bytes: sql.length, sha256, mode: '100644' }),
    ]),
  });
  expect(result.summary).toContain('sql/orders.sql');
});

test('an existing version is reported without the files of this commit', async () => {
  await publish.testEnvironment().push(tag, { action });
  let report = '';
  const again = await publish.testEnvironment().push(tag, {
    action,
    more: { onFinished: ({ outputs }) => (report = readFileSync(outputs['report-path'] ?? '', 'utf8')) },
  });
  expect([again.outputs['outcome'], again.outputs['files'], again.outputs['manifest-path']]).toEqual([
    'already-done',
    '0',
    undefined,
  ]);
  expect(JSON.parse(report)).toMatchObject({ outcome: 'already-done', files: [] });
  expect(again.log).toMatch(/Already published: v1\.0\.0 in dev, from [0-9a-f]{12}\./u);
  expect(again.summary).not.toContain('sql/orders.sql');
});

describe('with evidence-key', () => {
  const key = createSigningKey();
  const inputs = { 'evidence-key': privateKeyText(key) };
  const verify = async () => {
    const { github } = publish.testEnvironment();
    const { id, git } = github.repository(repository);
    const commit = (await git.commit(tag)) ?? '';
    const [{ tree } = { tree: '' }] = await git.describe([commit]);
    const folder = `${evidenceBranch}:${evidenceFolder(tree)}`;
    const names = (await git.git('ls-tree', '--name-only', folder).catch(() => ''))
      .split('\n')
      .filter(Boolean);
    const texts = await Promise.all(
      names.map(async (name) => git.git('cat-file', 'blob', `${folder}/${name}`)),
    );
    const list = (await git.git('ls-tree', '-r', commit)).trim().split('\n');
    const files = list.map((line) => {
      const [, mode = '', oid = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/u.exec(line) ?? [];
      return { mode, oid, path };
    });
    const result = await verifyVersion(
      {
        repository,
        repositoryId: id,
        commit,
        tree,
        version: 'v1.0.0',
        isRefAllowed: (ref) => ref === tag,
        now: Date.now(),
        trust: { keys: [{ ...key, name: 'release' }] },
        rules: evidenceRulesSchema.parse(['provenance', 'snapshot', 'approvals']),
      },
      {
        statements: async () => names.map((name, index) => ({ name, text: texts[index] })),
        files: async () => files,
      },
    );
    return result.rules.map(({ kind, isMet, text }) => [kind, isMet, text]);
  };

  test('provenance and the approvals of the merged pull request are signed, once, and verified', async () => {
    const { github } = publish.testEnvironment();
    const { pulls, git } = github.repository(repository);
    const commit = (await git.commit(tag)) ?? '';
    const number = github.openPull(repository, { head: 'main', base: 'main' });
    const pull = pulls.find((one) => one.number === number);
    const review = { commit, submittedAt: '2026-01-01T00:00:00Z', state: 'APPROVED' as const };
    Object.assign(pull ?? {}, {
      state: 'closed',
      author: 'ada',
      mergeCommit: commit,
      mergedAt: '2026-01-02T00:00:00Z',
      reviews: [
        { ...review, login: 'grace', id: 7 },
        { ...review, login: 'ada', id: 8 },
        { ...review, login: 'alan', id: 9, commit: 'e'.repeat(40) },
      ],
    });
    const first = await publish.testEnvironment().push(tag, { action, inputs, as: 'signer' });
    expect([first.exitCode, first.outputs['outcome']]).toEqual([0, 'passed']);
    expect(first.summary).toContain('provenance, snapshot, approvals of');
    expect(first.summary).toContain('The signed snapshot has no columns');
    expect(first.log).not.toContain(privateKeyText(key).split('\n')[1]);
    expect(await verify()).toEqual([
      ['provenance', true, undefined],
      ['snapshot', true, undefined],
      ['approvals', true, undefined],
    ]);
    const again = await publish.testEnvironment().push(tag, { action, inputs, as: 'signer' });
    expect(again.outputs['outcome']).toBe('already-done');
    expect(again.summary).toContain('No evidence was signed, because an earlier run published v1.0.0');
  });

  test('a wrong key, or a token that may not store evidence, publishes nothing unnoticed', async () => {
    const wrong = await publish
      .testEnvironment()
      .push(tag, { action, inputs: { 'evidence-key': 'hunter2' }, as: 'signer' });
    expect([wrong.exitCode, wrong.annotations[0]?.title, await versions('dev')]).toEqual([
      2,
      'Millrace: evidence-key-invalid',
      [],
    ]);
    const refused = await publish.testEnvironment().push(tag, { action, inputs, as: 'reader' });
    expect([refused.exitCode, refused.annotations[0]?.message]).toEqual([
      3,
      expect.stringContaining('contents: write'),
    ]);
    expect(await verify()).toMatchObject([
      ['provenance', false, 'there is no statement'],
      ['snapshot', false, expect.anything()],
      ['approvals', false, expect.anything()],
    ]);
  });
});
