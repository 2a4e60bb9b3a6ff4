import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyPipeline } from '../../cli/tests/test-project.ts';
import { repository } from '../action-environment.ts';
import {
  copyTest,
  engineFolder,
  filtered,
  pipeline,
  testedRepository,
  testFile,
  writerLine,
  type TestedRepository,
} from './tested-repository.ts';

const action = 'actions/diff';

let tested: TestedRepository;

beforeEach(async () => {
  tested = await testedRepository({ 'millrace.yaml': 'version: 1\n' });
});
afterEach(() => tested[Symbol.asyncDispose]());

/** The commit of a branch. */
const tipOf = async (branch: string) =>
  (await tested.environment.github.repository(repository).git.commit(`refs/heads/${branch}`)) ?? '';

describe('a pull request that changes data', () => {
  test('gets one comment, a notice on the component that writes the table, and a summary', async () => {
    const number = await tested.openPull({ [pipeline]: filtered });
    let report = '';
    const result = await tested.run(number, {
      action,
      more: {
        onFinished: ({ outputs }) => {
          report = readFileSync(outputs['report-path'] ?? '', 'utf8');
        },
      },
    });
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(result.outputs).toMatchObject({
      outcome: 'passed',
      tests: '1',
      tables: '1',
      added: '0',
      removed: '1',
      changed: '0',
      'not-compared': '0',
    });
    expect(result.annotations.map(({ level, file, line, title }) => [level, file, line, title])).toEqual([
      ['notice', pipeline, writerLine, 'Data changes'],
    ]);
    expect(result.annotations[0]?.message).toBe(
      'Table "orders": +0 −1 ~0 on the rows of 1 test. The report has the rows.',
    );
    expect(tested.comments()).toHaveLength(1);
    expect(result.outputs['url']).toMatch(/\/demo\/warehouse\/pull\/1#issuecomment-\d+$/);
    for (const text of [tested.comments()[0], result.summary]) {
      expect(text).toContain('table "orders": +0 −1 ~0; key id');
      expect(text).toContain('- 1 ');
      expect(text).toContain(
        'Affected&#58; 1 pipeline changed, 0 more affected; 1 entry point and 1 test file',
      );
      expect(text).toContain('**Entry points to run**');
    }
    expect(JSON.parse(report)).toMatchObject({ action: 'diff', tables: [{ table: 'orders', removed: 1 }] });
  });

  test('the comment is updated by the next commit, also where data changes no longer', async () => {
    const number = await tested.openPull({ [pipeline]: filtered });
    await tested.run(number, { action });
    await tested.commit({ [pipeline]: `${copyPipeline}# as before\n` });
    await tested.run(number, { action });
    expect(tested.comments()).toHaveLength(1);
    expect(tested.comments()[0]).toContain('No data changes&#58; the tables are equal in 1 test.');
  });

  test('changes of the target branch do not count', async () => {
    const number = await tested.openPull({ 'daily/other.tran.yaml': copyPipeline });
    await tested.commit({ [pipeline]: filtered }, 'main');
    const result = await tested.run(number, { action });
    expect(result.outputs).toMatchObject({ outcome: 'passed', tables: '0' });
    // The pull request itself adds something that no test runs.
    for (const text of [tested.comments()[0], result.summary]) {
      expect(text).toContain('No data changes&#58; the tables are equal in 1 test; no test runs 1 change.');
      expect(text).toContain('daily/other.tran.yaml (added)');
    }
  });

  test('a table that could not be compared is an output, and its notice gives no numbers', async () => {
    const script = (value: number) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill: { type: sql-script, parameters: { sqlScript: "CREATE TABLE BIG AS SELECT ${value} AS V FROM TABLE(GENERATOR(ROWCOUNT => 100001))" } }
`;
    const big = 'pipeline: big\ntests: [{ name: fills, expect: { ran: [Fill] } }]\n';
    await tested.commit({ 'big.orch.yaml': script(1), 'big.test.yaml': big }, 'main');
    const number = await tested.openPull({ 'big.orch.yaml': script(2) });
    const result = await tested.run(number, { action });
    expect(result.outputs).toMatchObject({ tables: '0', changed: '0', 'not-compared': '1' });
    expect(result.annotations.map(({ message }) => message)).toEqual([
      'Table "BIG": could not be compared in 1 test. The report has the reason.',
    ]);
  });

  test('with `fail-on: change` the step fails', async () => {
    const number = await tested.openPull({ [pipeline]: filtered });
    const result = await tested.run(number, { action, inputs: { 'fail-on': 'change' } });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'failed']);
  });

  test('with `affected: false` nothing is said about what is affected, and the comment is another one', async () => {
    const number = await tested.openPull({ [pipeline]: filtered });
    const result = await tested.run(number, { action, inputs: { affected: 'false' } });
    expect(result.outputs).toMatchObject({ removed: '1', 'entry-points': '', matrix: '' });
    expect(tested.comments()[0]).not.toContain('Entry points');
    expect(tested.comments()[0]).toContain('millrace:data%20(without%20affected)');
  });

  test('a token that may only read changes neither the result nor the summary', async () => {
    const number = await tested.openPull({ [pipeline]: filtered });
    const result = await tested.run(number, { action, as: 'reader' });
    expect(result.exitCode).toBe(0);
    expect(tested.comments()).toEqual([]);
    expect(result.summary).toContain('table "orders": +0 −1 ~0; key id');
    expect(result.summary).toContain('pull-requests&#58; write');
  });

  test('texts of a pipeline and a test make no markup and no command', async () => {
    const name = 'copies <img src=x> @team ::error::x';
    const number = await tested.openPull({
      [pipeline]: filtered.replaceAll('targetTable: orders', 'targetTable: "a|b `x` @team"'),
      [testFile]: copyTest.replace('copies the orders', `"${name}"`),
    });
    const result = await tested.run(number, { action });
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    expect(result.annotations.map(({ level, title }) => [level, title])).toEqual([
      ['notice', 'Data changes'],
      ['notice', 'Data changes'],
    ]);
    const body = tested.comments()[0] ?? '';
    expect(body.replaceAll(/```text[^]*?```/g, '')).not.toMatch(/<img|@team/);
  });
});

test('a push is compared with the commit before it', async () => {
  const before = await tipOf('main');
  await tested.commit({ [pipeline]: filtered }, 'main');
  const given = { action, inputs: { engine: engineFolder } };
  const result = await tested.environment.push('refs/heads/main', given, before);
  expect(result.outputs).toMatchObject({ outcome: 'passed', removed: '1', base: before });
});

test('a new branch has nothing to compare with, unless the input base names a commit', async () => {
  const main = await tipOf('main');
  await tested.openPull({ [pipeline]: filtered });
  const given = { action, inputs: { engine: engineFolder } };
  const none = '0'.repeat(40);
  const nothing = await tested.environment.push('refs/heads/feature/x', given, none);
  expect(nothing).toMatchObject({ exitCode: 0, outputs: { outcome: 'nothing-to-do', base: '' } });
  const named = { ...given, inputs: { ...given.inputs, base: main } };
  const result = await tested.environment.push('refs/heads/feature/x', named, none);
  expect(result.outputs).toMatchObject({ outcome: 'passed', removed: '1', base: main });
});

test('an input base that is not a commit id is refused', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  const result = await tested.run(number, { action, inputs: { base: 'main' } });
  expect(result.exitCode).toBe(2);
  expect(result.annotations[0]?.message).toContain('"main" is not a commit id.');
});

test('a pipeline that is wrong fails the step on its line, and the comment says that there is no verdict', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  await tested.run(number, { action });
  await tested.commit({
    [pipeline]: 'type: transformation\nversion: "1.0"\npipeline: {\n',
  });
  const result = await tested.run(number, { action });
  expect([result.exitCode, result.outputs['outcome']]).toEqual([2, 'error']);
  expect(result.annotations.map(({ level, file }) => [level, file])).toEqual([['error', pipeline]]);
  expect(tested.comments()).toHaveLength(1);
  for (const text of [tested.comments()[0], result.summary]) {
    expect(text).toContain('### ❌ Data diff&#58; error'.replace('&#58;', ':'));
    expect(text).not.toMatch(/passed|No data changes|\+0 −1/);
  }
});

test('a check-out of another commit is refused: nothing of the pull request would differ', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  const { mergeSha: _, ...payload } = await tested.environment.github.events.pullRequest(repository, number);
  const sha = await tipOf('main');
  const event = { name: 'pull_request', payload, ref: 'refs/heads/main', sha };
  const result = await tested.environment.event(event, { action, inputs: { engine: engineFolder } });
  expect(result.exitCode).toBe(2);
  expect(result.annotations[0]?.message).toContain('is neither the head');
});

describe('a pull request that was merged', () => {
  /** Merges the open pull request with its two commits as `commit`, and deletes its branch. */
  async function runClosed(number: number, commit: string) {
    const { github } = tested.environment;
    const { mergeSha: _, ...payload } = await github.events.pullRequest(repository, number, 'closed');
    const pull_request = {
      ...payload.pull_request,
      state: 'closed',
      merged: true,
      merge_commit_sha: commit,
      commits: 2,
    };
    await github.repository(repository).git.git('update-ref', '-d', 'refs/heads/feature/x');
    const event = {
      name: 'pull_request',
      payload: { ...payload, pull_request },
      ref: `refs/pull/${String(number)}/merge`,
      sha: commit,
    };
    return tested.environment.event(event, { action, inputs: { engine: engineFolder } });
  }

  test('as a squash is compared with the commit before it', async () => {
    const number = await tested.openPull({ 'notes.txt': 'first' });
    await tested.commit({ [pipeline]: filtered });
    const before = await tipOf('main');
    const squash = await tested.environment.builder.commit(
      'main',
      { 'notes.txt': 'first', [pipeline]: filtered },
      { message: 'Filter the orders (#1)' },
    );
    const result = await runClosed(number, squash);
    expect(result.outputs).toMatchObject({ outcome: 'passed', removed: '1', base: before });
    expect(tested.comments()[0]).toContain('orders +0 −1');
  });

  test('as a squash with the author and the title of its last commit is compared', async () => {
    const number = await tested.openPull({ 'notes.txt': 'first' });
    const before = await tipOf('main');
    const { builder } = tested.environment;
    const filter = { message: 'Filter the orders', seconds: 1_800_000_000 };
    await builder.commit('feature/x', { [pipeline]: filtered }, filter);
    const merged = { 'notes.txt': 'first', [pipeline]: filtered };
    const squash = await builder.commit('main', merged, { ...filter, seconds: filter.seconds + 60 });
    const result = await runClosed(number, squash);
    expect(result.outputs).toMatchObject({ outcome: 'passed', removed: '1', base: before });
  });

  test('by a rebase of several commits is not compared, and the report says why', async () => {
    const number = await tested.openPull({ 'notes.txt': 'first' });
    await tested.commit({ 'notes.txt': 'first' }, 'main');
    for (const branch of ['feature/x', 'main'])
      await tested.environment.builder.commit(
        branch,
        { [pipeline]: filtered },
        { message: 'Filter the orders', seconds: 1_800_000_000 },
      );
    const result = await runClosed(number, await tipOf('main'));
    expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'nothing-to-do', base: '' } });
    expect(result.summary).toContain('was merged as several commits');
  });
});

test('a run for an older commit keeps its result, and leaves the comment to the run for the newer one', async () => {
  const number = await tested.openPull({ [pipeline]: filtered });
  const { mergeSha, ...payload } = await tested.environment.github.events.pullRequest(repository, number);
  await tested.commit({ 'notes.txt': 'newer' });
  const event = { name: 'pull_request', payload, ref: `refs/pull/${String(number)}/merge`, sha: mergeSha };
  const inputs = { engine: engineFolder, 'fail-on': 'change' };
  const result = await tested.environment.event(event, { action, inputs });
  expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'failed' } });
  expect(result.log).toContain('The comment was not written: the pull request has a newer commit');
  expect(tested.comments()).toEqual([]);
});

test('a commit before the push that cannot be fetched for another reason fails the step', async () => {
  const before = await tipOf('main');
  await tested.commit({ [pipeline]: filtered }, 'main');
  // A Git without a transport for the address of the remote.
  const more = { env: { GIT_ALLOW_PROTOCOL: 'none' } };
  const given = { action, inputs: { engine: engineFolder }, more };
  const result = await tested.environment.push('refs/heads/main', given, before);
  expect(result.exitCode).toBe(2);
  expect(result.annotations[0]?.message).toContain('could not be fetched');
});

test('a forced push over a commit that is gone has nothing to compare with', async () => {
  const given = { action, inputs: { engine: engineFolder } };
  const result = await tested.environment.push('refs/heads/main', given, '1'.repeat(40));
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'nothing-to-do' } });
});

test('without a test the step fails, as the action test does', async () => {
  const number = await tested.openPull({ [testFile]: null });
  const result = await tested.run(number, { action });
  expect(result.exitCode).toBe(2);
  expect(result.annotations[0]?.message).toContain('has no test');
});
