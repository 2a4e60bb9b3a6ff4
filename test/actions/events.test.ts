import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createSharingEnvironment, repository, type ActionEnvironment } from './action-environment.ts';
import { componentLine, orchestration, warehouseFiles } from './warehouse-files.ts';

const bad = { 'daily/load.orch.yaml': orchestration('load 1') };
let testEnvironment: ActionEnvironment;
afterEach(() => testEnvironment[Symbol.asyncDispose]());

async function commitOf(ref: string): Promise<string> {
  return (await testEnvironment.github.repository(repository).git.commit(ref)) ?? '';
}

test('a merge group is reviewed on its temporary branch, so that a required check gets its result', async () => {
  testEnvironment = await createSharingEnvironment();
  const branch = 'gh-readonly-queue/main/pr-1-abc';
  const sha = await testEnvironment.builder.commit(branch, bad, { from: 'main' });
  const ref = `refs/heads/${branch}`;
  const group = {
    head_ref: ref,
    head_sha: sha,
    base_ref: 'refs/heads/main',
    base_sha: await commitOf('refs/heads/main'),
  };
  const event = {
    name: 'merge_group',
    payload: { action: 'checks_requested', merge_group: group },
    ref,
    sha,
  };
  const result = await testEnvironment.event(event, { action: '', as: 'reader' });
  expect(result.annotations.map(({ file, line }) => [file, line])).toEqual([
    ['daily/load.orch.yaml', componentLine],
  ]);
  expect(result.exitCode).toBe(1);
});

test('a manually started workflow reviews all pipelines of the branch', async () => {
  testEnvironment = await createSharingEnvironment();
  const sha = await commitOf('refs/heads/main');
  const event = { name: 'workflow_dispatch', payload: { inputs: {} }, ref: 'refs/heads/main', sha };
  const result = await testEnvironment.event(event, { action: '' });
  expect([result.exitCode, result.outputs['reviewed']]).toEqual([0, '2']);
  expect(result.summary).toContain('there is nothing to compare with');
});

test('a pull request of Dependabot without secrets is reviewed with the local rules', async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit('dependabot/x', bad, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'dependabot/x', base: 'main' });
  const result = await testEnvironment.pullRequest(number, {
    action: '',
    as: 'reader',
    token: '',
    more: { actor: 'dependabot[bot]' },
  });
  expect([result.exitCode, result.annotations[0]?.line]).toEqual([1, componentLine]);
});

test('a deleted branch ends as nothing-to-do', async () => {
  testEnvironment = await createSharingEnvironment();
  const [sha, none] = [await commitOf('refs/heads/main'), '0'.repeat(40)];
  const payload = { ref: 'refs/heads/gone', before: sha, after: none };
  const result = await testEnvironment.event(
    { name: 'push', payload, ref: 'refs/heads/main', sha },
    { action: '' },
  );
  expect([result.exitCode, result.outputs['outcome']]).toEqual([0, 'nothing-to-do']);
});

const comment = { action: 'created', comment: { body: '/review' }, issue: { number: 1 } };

test('an event that is not about a commit is refused, and the error names the two inputs', async () => {
  testEnvironment = await createSharingEnvironment();
  const sha = await commitOf('refs/heads/main');
  const event = { name: 'issue_comment', payload: comment, ref: 'refs/heads/main', sha };
  const result = await testEnvironment.event(event, { action: '', inputs: { local: 'true' } });
  expect([result.exitCode, result.outputs['outcome']]).toEqual([2, 'error']);
  expect(result.annotations[0]?.message).toContain('The event "issue_comment" does not say which commit');
  expect(result.annotations[0]?.message).toMatch(/input `commit`.*input `base`/u);
  expect(testEnvironment.github.repository(repository).checkRuns).toEqual([]);
});

test('with the inputs commit and base, such an event reviews that change, by the settings of its base', async () => {
  testEnvironment = await createSharingEnvironment();
  const sha = await commitOf('refs/heads/main');
  const loose = (warehouseFiles['millrace.yaml'] ?? '').replace('review:\n', 'review:\n  fail-on: never\n');
  const head = await testEnvironment.builder.commit(
    'feature/x',
    { ...bad, 'millrace.yaml': loose },
    { from: 'main' },
  );
  const event = { name: 'issue_comment', payload: comment, ref: 'refs/heads/main', sha };
  const inputs = { local: 'true', commit: head, base: sha };
  const result = await testEnvironment.event(event, { action: '', inputs });
  expect([result.exitCode, result.outputs['commit'], result.outputs['reviewed']]).toEqual([1, head, '1']);
  const checks = testEnvironment.github.repository(repository).checkRuns;
  expect(checks.map(({ head_sha, conclusion }) => [head_sha, conclusion])).toEqual([[head, 'failure']]);
});

test('nothing is published on a pull request', async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const result = await testEnvironment.pullRequest(number, {
    action: 'actions/publish',
    inputs: { version: '1' },
  });
  expect([result.exitCode, result.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('Cannot publish on the event "pull_request"'),
  ]);
});

test('a project in a folder is reviewed with repository paths and published with project paths', async () => {
  const inFolder = Object.fromEntries(
    Object.entries(warehouseFiles).map(([path, text]) => [`projects/finance data/${path}`, text]),
  );
  testEnvironment = await createSharingEnvironment({
    ...inFolder,
    'elsewhere/other.orch.yaml': orchestration('Other'),
  });
  const inputs = { 'working-directory': 'projects/finance data' };
  const changes = {
    'projects/finance data/daily/load.orch.yaml': orchestration('load 1'),
    'elsewhere/other.orch.yaml': orchestration('other 1'),
  };
  await testEnvironment.builder.commit('feature/x', changes, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const reviewed = await testEnvironment.pullRequest(number, {
    action: '',
    as: 'reader',
    inputs: { ...inputs, local: 'true' },
  });
  // Without it, the review would have the default settings.
  const atRoot = await testEnvironment.pullRequest(number, {
    action: '',
    as: 'reader',
    inputs: { local: 'true' },
  });
  expect([atRoot.exitCode, atRoot.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining(
      'This folder has no millrace.yaml, but these folders below it have one: projects/finance data. So the action would review no project with its settings.',
    ),
  ]);
  expect(reviewed.annotations.map(({ file }) => file)).toEqual([
    'projects/finance data/daily/load.orch.yaml',
  ]);

  await testEnvironment.builder.tag('v1.0.0', 'main');
  const published = await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/publish', inputs });
  expect([published.exitCode, published.outputs['files']]).toEqual([0, '3']);
  expect(published.summary).toContain('| daily/load.orch.yaml |');
});

test('an unreachable platform ends with exit code 3 and without a verdict', async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const inputs = { 'base-url': 'http://127.0.0.1:1' };
  const result = await testEnvironment.pullRequest(number, { action: '', inputs });
  expect([result.exitCode, result.outputs['outcome'], result.annotations[0]?.title]).toEqual([
    3,
    'error',
    'Millrace: unreachable',
  ]);
});

test('a login page instead of the platform ends with exit code 3 and is reported', async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const server = createServer((_, response) => response.end('<html>::error::log in</html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const inputs = { 'base-url': `http://127.0.0.1:${String(port)}` };
    const result = await testEnvironment.pullRequest(number, { action: '', inputs });
    expect([result.exitCode, result.annotations.map(({ title }) => title)]).toEqual([
      3,
      ['Millrace: answer-unreadable'],
    ]);
  } finally {
    server.close();
  }
});

test('without a check-out the hint shows the missing step', async () => {
  testEnvironment = await createSharingEnvironment();
  const { mkdir } = await import('node:fs/promises');
  const empty = `${testEnvironment.folder}/empty`;
  await mkdir(empty);
  const sha = await commitOf('refs/heads/main');
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  const result = await testEnvironment.event(event, { action: '', more: { workspace: empty } });
  expect([result.exitCode, result.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('actions/checkout'),
  ]);
});

test('an invalid millrace.yaml is annotated on its line', async () => {
  testEnvironment = await createSharingEnvironment({
    ...warehouseFiles,
    'millrace.yaml': 'version: 1\nreview:\n  scop: all\n',
  });
  await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const result = await testEnvironment.pullRequest(number, { action: '' });
  expect([result.exitCode, result.annotations[0]?.file, result.annotations[0]?.line]).toEqual([
    2,
    'millrace.yaml',
    3,
  ]);
});

test('files that millrace.yaml excludes are neither reviewed nor published', async () => {
  const files = 'files: { include: ["**/*.orch.yaml"], exclude: ["drafts/**"] }\n';
  const millrace = `${warehouseFiles['millrace.yaml'] ?? ''}${files}`;
  testEnvironment = await createSharingEnvironment({
    ...warehouseFiles,
    'millrace.yaml': millrace,
    'drafts/new.orch.yaml': orchestration('new 1'),
  });
  await testEnvironment.builder.tag('v1.0.0', 'main');
  const sha = await commitOf('refs/heads/main');
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  const reviewed = await testEnvironment.event(event, { action: '', inputs: { scope: 'all' } });
  expect([reviewed.exitCode, reviewed.outputs['reviewed']]).toEqual([0, '2']);
  const published = await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/publish' });
  expect([published.exitCode, published.outputs['files']]).toEqual([0, '2']);
});

test('a missing rules file fails the review with one finding on the file', async () => {
  const { '.platform/config/pipeline_quality_rules.yaml': _, ...without } = warehouseFiles;
  testEnvironment = await createSharingEnvironment(without);
  const sha = await commitOf('refs/heads/main');
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  const result = await testEnvironment.event(event, { action: '', as: 'reader', inputs: { check: 'off' } });
  expect([result.exitCode, result.annotations.length]).toEqual([1, 1]);
  expect(result.annotations[0]?.file).toBe('.platform/config/pipeline_quality_rules.yaml');
});

test('a pipeline with invalid YAML is annotated on the line of the error', async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit(
    'feature/x',
    { 'daily/load.orch.yaml': 'type: "orchestration"\npipeline: [\n' },
    { from: 'main' },
  );
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const result = await testEnvironment.pullRequest(number, { action: '', as: 'reader' });
  expect(result.exitCode).toBe(1);
  expect(result.annotations[0]).toMatchObject({ file: 'daily/load.orch.yaml', line: 3 });
});

test('a secret does not leave the process in any form', async () => {
  testEnvironment = await createSharingEnvironment();
  const sha = await commitOf('refs/heads/main');
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  // Percent and blank: the encoded forms differ from the plain one.
  const secret = 'a b%c+d/e-very-secret';
  const result = await testEnvironment.event(event, {
    action: '',
    inputs: { 'client-secret': secret, 'client-id': 'me' },
    token: '',
  });
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: no-token']);
  const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
  for (const form of forms) expect(result.raw).not.toContain(form);
});

describe('a review for which the platform does not answer', () => {
  const inputs = { 'base-url': 'http://127.0.0.1:1' };
  const absent = { status: 404, body: { message: 'Not Found' } };

  async function pushed(name: string, { attempt = 1, blind = false } = {}) {
    testEnvironment = await createSharingEnvironment();
    const sha = await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
    const ref = 'refs/heads/feature/x';
    const payload = await testEnvironment.github.events.push(repository, ref, await commitOf('main'));
    if (blind) testEnvironment.github.interfere(() => absent);
    else await testEnvironment.builder.commit('feature/x', { 'notes.txt': 'newer' });
    const event = { name, payload: name === 'push' ? payload : {}, ref, sha };
    const more = { runAttempt: attempt };
    const { exitCode, outputs } = await testEnvironment.event(event, { action: '', inputs, more });
    return [exitCode, outputs['outcome']];
  }

  test('fails if the token may not see the branch: GitHub answers 404 as for a deleted one', async () => {
    expect(await pushed('push', { blind: true })).toEqual([3, 'error']);
  });

  test('is superseded by the run for a newer push', async () => {
    expect(await pushed('push')).toEqual([0, 'superseded']);
  });

  test('fails on a schedule, because the newer commit has no run', async () => {
    expect(await pushed('schedule')).toEqual([3, 'error']);
  });

  test('fails if the run is run again, because its earlier verdict may have been failed', async () => {
    expect(await pushed('push', { attempt: 2 })).toEqual([3, 'error']);
  });
});

test('the test merge as named commit is reviewed by the settings of the base, not by its own', async () => {
  testEnvironment = await createSharingEnvironment();
  const loose = (warehouseFiles['millrace.yaml'] ?? '').replace('review:\n', 'review:\n  fail-on: never\n');
  await testEnvironment.builder.commit('feature/x', { ...bad, 'millrace.yaml': loose }, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const { mergeSha: sha, ...payload } = await testEnvironment.github.events.pullRequest(repository, number);
  const event = { name: 'pull_request', payload, ref: 'refs/pull/1/merge', sha };
  const inputs = { local: 'true', commit: sha };
  const result = await testEnvironment.event(event, { action: '', inputs });
  expect([result.exitCode, result.outputs['reviewed']]).toEqual([1, '1']);
});

test('the run of an older head keeps its verdict, and leaves the comment to the run of the newer one', async () => {
  testEnvironment = await createSharingEnvironment();
  const { builder, github } = testEnvironment;
  const good = { 'daily/load.orch.yaml': warehouseFiles['daily/load.orch.yaml'] ?? '' };
  await builder.commit('feature/x', bad, { from: 'main' });
  const number = github.openPull(repository, { head: 'feature/x', base: 'main' });
  const { mergeSha: sha, ...payload } = await github.events.pullRequest(repository, number);
  const older = { name: 'pull_request', payload, ref: 'refs/pull/1/merge', sha };
  // GitHub lists only the other pipeline for the newer head.
  await builder.commit('feature/x', { ...good, 'shared/new.orch.yaml': orchestration('new 1') });
  const given = { action: '', inputs: { local: 'true' } };
  await testEnvironment.pullRequest(number, given);
  const { comments } = github.repository(repository);
  const before = comments[0]?.body;
  const result = await testEnvironment.event(older, given);
  expect([result.exitCode, result.outputs['reviewed']]).toEqual([1, '1']);
  expect(comments.map(({ body }) => body)).toEqual([before]);
  expect(result.log).toContain('The comment was not written: the pull request has a newer commit');
});

test('a forced push back to a broken commit is reviewed, although that commit adds nothing', async () => {
  testEnvironment = await createSharingEnvironment();
  const { builder, github } = testEnvironment;
  const sha = await builder.commit('main', bad);
  const before = await builder.commit('main', { 'daily/load.orch.yaml': orchestration('Load orders') });
  builder.setBranch('main', sha);
  const payload = { ...(await github.events.push(repository, 'refs/heads/main', before)), forced: true };
  const event = { name: 'push', payload, ref: 'refs/heads/main', sha };
  const result = await testEnvironment.event(event, { action: '', inputs: { local: 'true' } });
  expect([result.exitCode, result.outputs['reviewed']]).toEqual([1, '1']);
});

test('a push that changes little does not replace the result of the pull request on the same commit', async () => {
  testEnvironment = await createSharingEnvironment();
  const { builder, github } = testEnvironment;
  const before = await builder.commit('feature/x', bad, { from: 'main' });
  const sha = await builder.commit('feature/x', { 'shared/new.orch.yaml': orchestration('New') });
  const number = github.openPull(repository, { head: 'feature/x', base: 'main' });
  const given = { action: '', inputs: { local: 'true' } };
  await testEnvironment.pullRequest(number, given);
  await testEnvironment.push('refs/heads/feature/x', given, before);
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/feature/x', sha };
  await testEnvironment.event(event, given);
  const checks = github.repository(repository).checkRuns;
  expect(checks.map(({ name, conclusion }) => [name, conclusion])).toEqual([
    ['Millrace review (local)', 'failure'],
    ['Millrace review (push: feature/x; local)', 'success'],
    ['Millrace review (everything; local)', 'failure'],
  ]);
});
