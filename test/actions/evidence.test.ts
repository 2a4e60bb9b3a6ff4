import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diffFact } from '../../actions/diff/diff-fact.ts';
import { snapshotFileName } from '../../actions/kit/releases/snapshot-file.ts';
import { automaticSnapshot, snapshotFact } from '../../actions/publish/snapshot-fact.ts';
import { reviewFact } from '../../actions/review/review-fact.ts';
import { testsFact } from '../../actions/test/tests-fact.ts';
import { approvalFacts } from '../../flows/evidence/approval-facts.ts';
import { evidenceFolder } from '../../flows/evidence/evidence-files.ts';
import { evidenceBranch } from '../../lib/evidence/evidence-branch.ts';
import { canonicalJson } from '../../lib/core/values/canonical-json.ts';
import { createSigningKey, privateKeyText } from '../../lib/evidence/keys.ts';
import { readFacts } from '../../lib/evidence/predicates.ts';
import { verifyStatement } from '../../lib/evidence/verify-statement.ts';
import { type ActionEnvironment, createActionEnvironment, repository } from './action-environment.ts';

let testEnvironment: ActionEnvironment;
beforeAll(async () => {
  testEnvironment = await createActionEnvironment();
});
afterAll(() => testEnvironment[Symbol.asyncDispose]());

test('a review of a pull request holds for the commit that gets its files, whatever its id', async () => {
  const { builder, github } = testEnvironment;
  await builder.commit('feature/x', { 'notes.txt': 'new\n' }, { from: 'main' });
  const number = github.openPull(repository, { head: 'feature/x', base: 'main' });
  const key = createSigningKey();
  const result = await testEnvironment.pullRequest(number, {
    action: 'actions/review',
    as: 'signer',
    inputs: { local: 'true', check: 'off', comment: 'off', 'evidence-key': privateKeyText(key) },
  });
  expect([result.exitCode, result.summary]).toEqual([0, expect.stringContaining('review of')]);
  const squashed = await builder.commit('main', { 'notes.txt': 'new\n' }, { message: 'Squash' });
  const { id, git } = github.repository(repository);
  const [{ tree } = { tree: '' }] = await git.describe([squashed]);
  const folder = `${evidenceBranch}:${evidenceFolder(tree)}`;
  const [name = ''] = (await git.git('ls-tree', '--name-only', folder)).split('\n');
  const text = await git.git('cat-file', 'blob', `${folder}/${name}`);
  const expected = { repository, repositoryId: id, commit: squashed, tree, version: 'v1', now: Date.now() };
  const verdict = verifyStatement(
    text,
    { keys: [{ ...key, name: 'checks' }] },
    { ...expected, isRefAllowed: () => false },
  );
  expect(verdict).toMatchObject({ status: 'accepted', kind: 'review', statement: { pullRequest: number } });
});

test('facts have numbers only, in the form that rules read', () => {
  const counts = { error: 1, warning: 2, notice: 0 };
  const reviewed = { outcome: 'failed', source: 'local', reviewed: ['a', 'b'], counts } as const;
  const review = reviewFact(reviewed as never, { scope: 'changed' });
  expect(readFacts.review(review?.predicate ?? null)).toEqual({
    outcome: 'failed',
    by: 'local',
    pipelines: 2,
    findings: counts,
  });
  expect(reviewFact(reviewed as never, { scope: 'all', files: ['a'] })).toBeUndefined();
  const pipelines = [3, 4].map((all) => ({ components: { reached: 2, all } }));
  const ran = { passed: 5, failed: 0, refused: 1, coverage: { pipelines } };
  const tests = testsFact(ran as never, 'passed', { noticed: 9, total: 12 });
  expect(readFacts.tests(tests.predicate)).toEqual({
    outcome: 'passed',
    tests: { passed: 5, failed: 0, refused: 1 },
    coverage: { covered: 4, total: 7 },
    mutation: { noticed: 9, total: 12 },
  });
  const tables = [
    { added: 1, removed: 2, changed: 3, name: 'SECRET' },
    { added: 4, removed: 0, changed: 0, name: 'SECRET' },
  ];
  const diff = diffFact(
    { base: { commit: 'a'.repeat(40) }, tests: 2, tables, changes: [] } as never,
    'passed',
  );
  expect(readFacts.diff(diff.predicate)).toMatchObject({
    tables: 2,
    rows: { added: 5, removed: 2, changed: 3 },
  });
  expect(JSON.stringify(diff)).not.toContain('SECRET');
});

test('an approval counts if it is a person’s last word, about the newest commit, and not the author’s', () => {
  const head = 'a'.repeat(40);
  const review = (id: number, state: string, commit: string | undefined = head) =>
    ({ login: `p${id}`, id, state, commit, submittedAt: '2026-01-01T00:00:00Z' }) as const;
  const { approvals } = approvalFacts({ number: 1, head, author: 'p1' }, [
    review(1, 'APPROVED'),
    review(2, 'APPROVED'),
    review(2, 'COMMENTED'),
    review(3, 'APPROVED'),
    review(3, 'CHANGES_REQUESTED'),
    review(4, 'APPROVED', 'b'.repeat(40)),
    review(5, 'CHANGES_REQUESTED'),
    review(5, 'APPROVED'),
    review(6, 'DISMISSED'),
  ]);
  expect(approvals.map(({ login }) => login)).toEqual(['p2', 'p5']);
});

test('a snapshot is signed as canonical JSON, and a file that is none is refused', async () => {
  const folder = testEnvironment.folder;
  const step = { facts: { workspace: folder } } as never;
  const snapshot = {
    format: 1,
    warehouse: 'WAREHOUSE_ONE',
    columns: 'unknown',
    defaults: { database: 'D', schema: 'S' },
  };
  const lists = { pipelines: [], leftOut: ['b', 'a'], tables: [], files: [], streaming: [], unread: [] };
  await writeFile(join(folder, 'snapshot.json'), JSON.stringify({ ...lists, ...snapshot }));
  const of = { tree: 'a'.repeat(40), directory: 'warehouse' };
  const fact = await snapshotFact('snapshot.json', 'v1', step, of);
  expect(fact).toMatchObject({
    kind: 'snapshot',
    version: 'v1',
    predicate: { ...snapshot, leftOut: ['a', 'b'] },
  });
  expect(canonicalJson(fact.predicate)).toMatch(/^\{"columns":"unknown",/u);
  await writeFile(join(folder, 'snapshot.json'), '{}');
  const invalid = { code: 'snapshot-invalid' };
  await expect(snapshotFact('snapshot.json', 'v1', step, of)).rejects.toMatchObject(invalid);

  // What the action test left: found by the files and the folder of the project, in this job or in a folder.
  const left = join(folder, 'temp', 'millrace-test-1');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, snapshotFileName(of)), JSON.stringify({ ...lists, ...snapshot }));
  const source = { version: 'v1' } as never;
  const temp = { environment: { RUNNER_TEMP: join(folder, 'temp') }, context: { signal: {} } } as never;
  expect(await automaticSnapshot(source, of, temp)).toEqual({ facts: [fact], notes: [] });
  expect(await snapshotFact('temp/millrace-test-1', 'v1', step, of)).toEqual(fact);
  for (const [input, other] of [
    ['temp/millrace-test-1', { ...of, directory: '' }],
    [`temp/millrace-test-1/${snapshotFileName(of)}`, { ...of, tree: 'b'.repeat(40) }],
  ] as const)
    await expect(snapshotFact(input, 'v1', step, other)).rejects.toMatchObject({ code: 'usage' });
});
