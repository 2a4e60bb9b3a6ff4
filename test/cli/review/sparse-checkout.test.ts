import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { pipelineOf, type ReviewProject, reviewProject } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';

interface Report {
  readonly outcome: string;
  readonly scopeReason: string;
  readonly notFetched?: readonly string[];
  readonly findings: readonly { file: string; rule: string; severity: string; message: string }[];
}
const reportOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Report;

const { PATH = '', HOME = '' } = process.env;

const callerOf = (called: string) => `pipeline:
  components:
    Start: { type: start, transitions: { success: [Run] } }
    Run: { type: run-orchestration, parameters: { orchestrationJob: ${called} } }
`;

const writer = `pipeline:
  components:
    Start: { type: start, transitions: { success: [Write] } }
    Write: { type: sql-executor, parameters: { scriptLocation: File, fileName: script.sql } }
`;
const testOf = (pipeline: string) =>
  `pipeline: ${pipeline}\ntests: [{ name: runs, expect: { tables: { T: { count: 1 } } } }]\n`;

const settings = 'review: { scope: all, checks: { unknown-call: error } }\n';

let project: ReviewProject;
beforeEach(() => {
  project = reviewProject();
  project.write('millrace.yaml', `version: 1\n${settings}`);
  project.write('inside/caller.orch.yaml', callerOf('outside/called'));
  project.write('inside/broken.orch.yaml', callerOf('outside/missing'));
  project.write('outside/called.orch.yaml', pipelineOf('Start', 'lower'));
  project.commit('A project');
});
afterEach(() => project[Symbol.dispose]());

const run = (cwd: string, ...args: string[]) => inProcess(args, { cwd, env: { PATH, HOME } });
const findingsOf = ({ stdout }: { stdout: string }) =>
  (JSON.parse(stdout) as { findings: { file: string; rule: string }[] }).findings.map(
    ({ file, rule }) => `${file} ${rule}`,
  );
const expected = [
  'inside/broken.orch.yaml millrace/unknown-call',
  'outside/called.orch.yaml component-naming-convention',
];

test('in a sparse check-out, a review of the work tree has the findings of the commit', async () => {
  project.git('sparse-checkout', 'set', 'inside');
  const ofCommit = await run(project.directory, 'review', '--local', '--json');
  expect(findingsOf(ofCommit)).toEqual(expected);
  const ofDisk = await run(project.directory, 'review', '--local', '--working-tree', '--json');
  expect(findingsOf(ofDisk)).toEqual(expected);
});

test('in a sparse check-out, a change is what the work tree changed', async () => {
  project.git('sparse-checkout', 'set', 'inside');
  project.write('inside/caller.orch.yaml', callerOf('outside/other'));
  const options = ['--local', '--working-tree', '--scope', 'changed', '--json'];
  const ran = await run(project.directory, 'review', ...options);
  expect(findingsOf(ran)).toEqual(['inside/caller.orch.yaml millrace/unknown-call']);
});

test('in a sparse check-out, test --init takes a test that is left out for one that exists', async () => {
  project.write('inside/broken.test.yaml', testOf('inside/broken'));
  project.write('inside/caller.test.yaml', testOf('inside/caller'));
  project.commit('Tests');
  project.git('sparse-checkout', 'set', '--no-cone', '/*', '!*.test.yaml');
  const named = await run(project.directory, 'test', '--init', 'inside/caller');
  expect(named.code).toBe(2);
  expect(named.stderr).toContain(
    'inside/caller.test.yaml exists already, outside of the sparse check-out; --init does not overwrite it.',
  );
  const folder = await run(project.directory, 'test', '--init', 'inside', '--json');
  expect(JSON.parse(folder.stdout)).toMatchObject({
    tested: [{ file: 'inside/broken.test.yaml' }, { file: 'inside/caller.test.yaml' }],
    pipelines: [],
  });
  expect(project.git('status', '--short')).toBe('');
});

test('in a sparse check-out, the graph of the work tree has the pipelines that are left out', async () => {
  project.git('sparse-checkout', 'set', 'inside');
  const ofCommit = await run(project.directory, 'graph');
  expect((await run(project.directory, 'graph', '--working-tree')).stdout).toBe(ofCommit.stdout);
});

test('in a sparse check-out, tests and data diffs run the pipelines that are left out', async () => {
  const write = (value: number) => `pipeline:
  components:
    Start: { type: start, transitions: { success: [Write] } }
    Write: { type: sql-executor, parameters: { scriptLocation: File, fileName: outside/write.sql } }
    Unused: { type: print-variables, parameters: { prefixText: ${value} } }
`;
  project.write('outside/called.orch.yaml', write(1));
  project.write('outside/write.sql', 'create table t as select 1 as n');
  project.write(
    'inside/caller.test.yaml',
    'pipeline: inside/caller\ntests: [{ name: runs, expect: { tables: { T: { count: 1 } } } }]\n',
  );
  project.write(
    'outside/other.test.yaml',
    'pipeline: outside/called\ntests: [{ name: other, expect: { tables: { T: { count: 2 } } } }]\n',
  );
  const base = project.commit('A test');
  project.write('outside/write.sql', 'create table t as select 2 as n');
  project.commit('Another value');
  project.git('sparse-checkout', 'set', 'inside');
  const ran = await run(project.directory, 'test');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed') });
  const diff = await run(project.directory, 'diff', '--base', base, '--json');
  expect(JSON.parse(diff.stdout)).toMatchObject({ tables: [{ table: 'T', added: 1, removed: 1 }] });
});

/** `git update-index` says nothing about a file that is deleted later. */
const bits = ['--skip-worktree', '--assume-unchanged'];

test.each(bits)(
  'a file with %s that is not on disk is gone, and one on disk is as it is there',
  async (bit) => {
    project.git('update-index', bit, 'outside/called.orch.yaml', 'inside/broken.orch.yaml');
    rmSync(path.join(project.directory, 'outside/called.orch.yaml'));
    project.write('inside/broken.orch.yaml', callerOf('outside/called'));
    const ran = await run(project.directory, 'review', '--local', '--working-tree', '--json');
    const found = [
      'inside/broken.orch.yaml millrace/unknown-call',
      'inside/caller.orch.yaml millrace/unknown-call',
    ];
    expect(findingsOf(ran)).toEqual(found);
    const changed = await run(
      project.directory,
      'review',
      '--local',
      '--working-tree',
      '--scope',
      'changed',
      '--json',
    );
    expect(findingsOf(changed)).toEqual(found);
    const graph = await run(project.directory, 'graph', '--working-tree');
    expect(graph.stdout).toContain('missing');
  },
);

test.each(bits)('a rules file and a script with %s that are not on disk are gone', async (bit) => {
  project.write('millrace.yaml', `version: 1\nreview: { scope: all, checks: { missing-file: error } }\n`);
  project.write('one.orch.yaml', writer);
  project.write('script.sql', 'create table t as select 1 as n');
  project.write('one.test.yaml', testOf('one'));
  project.commit('A script');
  const rules = '.platform/config/pipeline_quality_rules.yaml';
  project.git('update-index', bit, 'script.sql', rules);
  for (const name of ['script.sql', rules]) rmSync(path.join(project.directory, name));
  const ran = await run(project.directory, 'review', '--local', '--working-tree', '--json');
  expect(findingsOf(ran)).toEqual(
    expect.arrayContaining([`${rules} rules-file`, 'one.orch.yaml millrace/missing-file']),
  );
  expect(await run(project.directory, 'test')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the file "script.sql" was not found in the project'),
  });
  expect((await run(project.directory, 'diff', '--exit-code')).code).toBe(1);
});

describe.each(bits)('a file with %s', (bit) => {
  const changed = ['--local', '--working-tree', '--scope', 'changed', '--json'];

  test('that is another one on disk is a change', async () => {
    project.git('update-index', bit, 'inside/caller.orch.yaml', 'inside/broken.orch.yaml');
    expect(findingsOf(await run(project.directory, 'review', ...changed))).toEqual([]);
    project.write('inside/caller.orch.yaml', callerOf('outside/other'));
    const ran = await run(project.directory, 'review', ...changed);
    expect(findingsOf(ran)).toEqual(['inside/caller.orch.yaml millrace/unknown-call']);
  });

  test('that is another one on disk is one in the data diff', async () => {
    project.write('script.sql', 'create table t as select 1 as n');
    project.write('one.orch.yaml', writer);
    project.write('one.test.yaml', testOf('one'));
    project.commit('A test');
    project.git('update-index', bit, 'script.sql');
    project.write('script.sql', 'create table t as select 2 as n');
    const diff = await run(project.directory, 'diff', '--json');
    expect(JSON.parse(diff.stdout)).toMatchObject({ tables: [{ table: 'T', added: 1, removed: 1 }] });
  });
});

test('a file that was deleted from disk but not staged is gone', async () => {
  rmSync(path.join(project.directory, 'outside/called.orch.yaml'));
  const ran = await run(project.directory, 'review', '--local', '--working-tree', '--json');
  expect(findingsOf(ran)).toEqual([expected[0], 'inside/caller.orch.yaml millrace/unknown-call']);
});

/** A partial clone with only these folders on disk; answers its folder. */
function clonePartly(...folders: string[]): string {
  project.git('config', 'uploadpack.allowFilter', 'true');
  const clone = `${project.directory} clone`;
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  const options = ['-q', '--filter=blob:none', '--sparse'];
  execFileSync('git', ['clone', ...options, `file://${project.directory}`, clone], { stdio: 'pipe' });
  execFileSync('git', ['sparse-checkout', 'set', ...folders], { cwd: clone, stdio: 'pipe' });
  return clone;
}

test('a sparse partial clone without the content of the shared-pipelines file reports no call of them', async () => {
  const shared = 'release: { tag: v*, environment: dev, shared: { prefix: own } }';
  project.write('millrace.yaml', `version: 1\n${settings}${shared}\n`);
  project.write(
    '.platform/shared-pipelines.yaml',
    'pipelines:\n  - { pipeline: outside/called, id: called }\n',
  );
  const call = 'type: run-shared-pipeline, parameters: { pipelineName: own#called }';
  project.write('inside/shared.orch.yaml', callerOf('x').replace(/type: run-orch[^}]*}/, call));
  project.commit('A shared pipeline');
  const clone = clonePartly('inside');
  const ran = await run(clone, 'review', '--local', '--working-tree', '--json');
  expect(findingsOf(ran)).not.toContain('inside/shared.orch.yaml millrace/unknown-call');
  expect(JSON.parse(ran.stdout)).toMatchObject({
    reviewed: expect.arrayContaining(['inside/shared.orch.yaml']),
  });
});

test('a sparse partial clone reviews what it has, finds calls of the rest, and says what it left out', async () => {
  const clone = clonePartly('inside', '.platform');
  const ran = await run(clone, 'review', '--local', '--working-tree', '--json');
  expect(findingsOf(ran)).toEqual([expected[0], 'outside/called.orch.yaml millrace/not-fetched']);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    notFetched: ['outside/called.orch.yaml'],
    reviewed: ['inside/broken.orch.yaml', 'inside/caller.orch.yaml'],
    scopeReason:
      'all pipelines of the project that this partial clone has; it has not fetched the content of 1 pipeline',
  });
});

describe('a sparse partial clone without the callers', () => {
  const checks = (...names: string[]) =>
    `version: 1\nreview: { checks: { ${names.map((name) => `${name}: error`).join(', ')} } }\n`;
  const cloned = () => {
    project.commit('What is cloned');
    return clonePartly('outside', '.platform');
  };
  const git = (clone: string, ...args: string[]) => execFileSync('git', args, { cwd: clone, stdio: 'pipe' });
  const changed = ['review', '--local', '--scope', 'changed', '--json'];
  const lack = 'this partial clone has not fetched the content of 2 pipelines';
  const notFetched = ['inside/broken.orch.yaml', 'inside/caller.orch.yaml'];

  test.each(['--staged', '--working-tree'])('does not pass the deletion of a pipeline (%s)', async (kind) => {
    const clone = cloned();
    if (kind === '--staged') git(clone, 'rm', '-q', 'outside/called.orch.yaml');
    else rmSync(path.join(clone, 'outside/called.orch.yaml'));
    const ran = await run(clone, ...changed, kind);
    expect(ran.code).toBe(1);
    expect(reportOf(ran)).toMatchObject({
      outcome: 'failed',
      notFetched,
      scopeReason: `pipelines changed since the last commit; ${lack}`,
      findings: [
        {
          rule: 'millrace/not-fetched',
          severity: 'error',
          file: 'inside/broken.orch.yaml',
          message:
            'This review needs the content of 2 files, which this partial clone has not fetched: "inside/broken.orch.yaml", "inside/caller.orch.yaml". Millrace never fetches files itself. Fetch a folder with `git sparse-checkout add <folder>`, all files with `git sparse-checkout disable`, or one file with `git cat-file -e :<path>`. Then review again.',
        },
      ],
    });
    for (const name of notFetched) git(clone, 'cat-file', '-e', `:${name}`);
    const again = await run(clone, ...changed, kind);
    expect(findingsOf(again)).toEqual(['inside/caller.orch.yaml millrace/unknown-call']);
  });

  test('says in the hook how many it did not read, and stops the commit', async () => {
    const clone = cloned();
    git(clone, 'rm', '-q', 'outside/called.orch.yaml');
    const hook = ['review', '--local', '--staged', '--scope', 'changed'];
    const ran = await inProcess(hook, { cwd: clone, env: { PATH, HOME, PRE_COMMIT: '1' } });
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining(lack) });
  });

  test('passes a change that can break no caller, and says how many it did not read', async () => {
    project.write('millrace.yaml', checks('unknown-call', 'passed-variable', 'missing-file'));
    project.write('README.md', 'A project');
    project.write('outside/called.orch.yaml', pipelineOf('Start'));
    const clone = cloned();
    execFileSync('sh', ['-c', 'echo "# more" >> outside/called.orch.yaml; git rm -q README.md; git add -A'], {
      cwd: clone,
    });
    const ran = await run(clone, ...changed, '--staged');
    expect(reportOf(ran)).toMatchObject({
      scopeReason: `pipelines changed since the last commit; ${lack}`,
      notFetched,
    });
    expect(findingsOf(ran)).toEqual([]);
  });

  test.each([
    ['a script that is deleted', 'missing-file', 'rm outside/write.sql'],
    ['a script with a new variable', 'undeclared-variable', "printf 'select ${more}' > outside/write.sql"],
    [
      'a pipeline that loses a variable',
      'passed-variable',
      "sed -i 's/day:/other:/' outside/called.orch.yaml",
    ],
  ])('does not pass %s (%s)', async (_, check, command) => {
    project.write('millrace.yaml', checks(check));
    project.write('outside/write.sql', 'select 1');
    project.write(
      'outside/called.orch.yaml',
      `${pipelineOf('Start')}  variables: { day: { metadata: { type: TEXT }, defaultValue: a } }\n`,
    );
    const clone = cloned();
    execFileSync('sh', ['-c', command], { cwd: clone });
    const ran = await run(clone, ...changed, '--working-tree');
    expect(findingsOf(ran)).toEqual(['inside/broken.orch.yaml millrace/not-fetched']);
  });

  test('a call with variables of a pipeline that it has not fetched fails, one without passes', async () => {
    project.write('millrace.yaml', checks('passed-variable'));
    const clone = cloned();
    const passing = 'inside/caller, setScalarVariables: [[day, x]]';
    const call = (called: string) =>
      execFileSync('sh', ['-c', 'cat > outside/new.orch.yaml'], { cwd: clone, input: callerOf(called) });
    call('inside/caller');
    expect(findingsOf(await run(clone, ...changed, '--working-tree'))).toEqual([]);
    call(passing);
    expect(findingsOf(await run(clone, ...changed, '--working-tree'))).toEqual([
      'inside/caller.orch.yaml millrace/not-fetched',
    ]);
  });

  test('a named pipeline that it has not fetched fails the review', async () => {
    const clone = cloned();
    const ran = await run(clone, 'review', '--local', '--staged', 'inside/caller.orch.yaml', '--json');
    expect(ran.code).toBe(1);
    expect(findingsOf(ran)).toEqual(['inside/caller.orch.yaml millrace/not-fetched']);
  });
});

test('a sparse partial clone without any pipeline says how many it did not review, with a warning', async () => {
  const clone = clonePartly('.platform');
  const review = ['review', '--local', '--working-tree', '--scope', 'all'];
  const ran = await run(clone, ...review, '--json');
  expect(ran.code).toBe(0);
  expect(reportOf(ran)).toMatchObject({
    outcome: 'nothing-to-do',
    scopeReason: 'this partial clone has not fetched the content of 3 pipelines',
    findings: [
      {
        rule: 'millrace/not-fetched',
        severity: 'warning',
        message: expect.stringMatching(/^3 pipelines were not/),
      },
    ],
  });
  expect((await run(clone, ...review, '--fail-on', 'warning')).code).toBe(1);
  const graph = await run(clone, 'graph', '--working-tree');
  expect(graph.stderr).toContain('3 pipelines are drawn without their calls');
});

describe('settings that a sparse check-out leaves out', () => {
  const without = (...files: string[]) =>
    project.git('sparse-checkout', 'set', '--no-cone', '/*', ...files.map((file) => `!/${file}`));
  const readable = ['review', '--local', '--working-tree'];
  const working = [...readable, '--json'];

  test('are as in git’s index: the review of the work tree, the tests, the data diff and the graph', async () => {
    project.write('millrace.yaml', `version: 1\n${settings}engine: { warehouse: WAREHOUSE_TWO }\n`);
    project.write('one.orch.yaml', writer);
    project.write('script.sql', 'create table t as select 7/2 as n');
    project.write(
      'one.test.yaml',
      'pipeline: one\ntests: [{ name: whole, expect: { tables: { T: { rows: [{ N: 3 }] } } } }]\n',
    );
    project.commit('Settings');
    without('millrace.yaml');
    expect(findingsOf(await run(project.directory, ...working))).toEqual(expected);
    project.write('inside/caller.orch.yaml', callerOf('outside/other'));
    expect(findingsOf(await run(project.directory, ...working, '--scope', 'changed'))).toEqual([
      'inside/caller.orch.yaml millrace/unknown-call',
    ]);
    expect(await run(project.directory, 'test', 'one.test.yaml')).toMatchObject({ code: 0 });
    const diff = await run(project.directory, 'diff', '--exit-code');
    expect(diff).toMatchObject({ code: 0, stdout: expect.not.stringContaining('could not') });
    expect(await run(project.directory, 'graph', '--working-tree')).toMatchObject({ code: 0 });
    const named = ['--config', 'millrace.yaml'];
    expect(findingsOf(await run(project.directory, ...working, ...named))).toHaveLength(3);
  });

  test('are the ones of git’s index also where they extend a file in another folder', async () => {
    project.write('inside/millrace.yaml', 'version: 1\nreview: { extends: ../shared/review.yaml }\n');
    project.write('shared/review.yaml', 'checks: { unknown-call: error }\n');
    project.commit('Shared rules');
    project.git('sparse-checkout', 'set', 'inside');
    project.write('inside/new.orch.yaml', callerOf('missing'));
    const inside = path.join(project.directory, 'inside');
    const ran = await run(inside, ...working, '--scope', 'changed');
    expect(findingsOf(ran)).toEqual(['inside/new.orch.yaml millrace/unknown-call']);
  });

  test.each(['shared/review.yaml', 'shared/last.yaml'])(
    'that %s extends in a chain count too',
    async (left) => {
      project.write('millrace.yaml', 'version: 1\nreview: { extends: shared/review.yaml }\n');
      project.write('shared/review.yaml', 'extends: last.yaml\n');
      project.write('shared/last.yaml', 'checks: { unknown-call: error }\n');
      project.commit('Shared rules');
      without(left);
      project.write('inside/new.orch.yaml', callerOf('missing'));
      const ran = await run(project.directory, ...working, '--scope', 'changed');
      expect(findingsOf(ran)).toEqual(['inside/new.orch.yaml millrace/unknown-call']);
    },
  );

  test.each([
    ['review', '--local', '--working-tree'],
    ['review', '--local', '--staged'],
    ['test'],
    ['diff'],
    ['graph', '--working-tree'],
  ])('in a folder above are not ignored: %s %s', async (...args) => {
    without('millrace.yaml');
    const ran = await run(path.join(project.directory, 'inside'), ...args);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'The sparse check-out leaves out "millrace.yaml", the settings of the project that this folder may belong to.',
      ),
    });
  });

  test('in a folder between are not ignored for the ones above', async () => {
    project.write('inside/millrace.yaml', 'version: 1\n');
    project.write('inside/deep/one.orch.yaml', pipelineOf('Start'));
    project.commit('Another project');
    without('inside/millrace.yaml');
    const ran = await run(path.join(project.directory, 'inside/deep'), ...readable);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('"inside/millrace.yaml"') });
  });

  test('are not missing above projects of their own: the hook reviews, and no warning is written', async () => {
    project.write('below/millrace.yaml', 'version: 1\n');
    project.write('one.test.yaml', testOf('one'));
    project.write('one.orch.yaml', writer);
    project.write('script.sql', 'create table t as select 1 as n');
    project.commit('A project below');
    without('millrace.yaml');
    const args = ['review', '--local', '--staged', '--scope', 'changed'];
    const env = { PATH, HOME, PRE_COMMIT: '1' };
    expect(await inProcess(args, { cwd: project.directory, env })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('calls "outside/missing", which does not exist'),
      stderr: 'Reviewing 4 files\n',
    });
    expect(await run(project.directory, 'test')).toMatchObject({ code: 0, stderr: '' });
  });

  test('of a project below keep its tests out of the ones above', async () => {
    project.write('below/millrace.yaml', 'version: 1\n');
    project.write('below/one.orch.yaml', writer);
    project.write('below/one.test.yaml', testOf('one'));
    project.write('above.orch.yaml', writer);
    project.write('above.test.yaml', testOf('above'));
    project.write('script.sql', 'create table t as select 1 as n');
    project.commit('A project below');
    without('below/millrace.yaml');
    expect(await run(project.directory, 'test')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 test: 1 passed'),
    });
  });

  test('that were deleted do not count in a check-out that is not sparse', async () => {
    project.git('update-index', '--skip-worktree', 'millrace.yaml');
    rmSync(path.join(project.directory, 'millrace.yaml'));
    expect(findingsOf(await run(project.directory, ...working, '--scope', 'all'))).toEqual([
      expected[1],
      'millrace.yaml millrace/policy-changed',
    ]);
  });

  test.each(['millrace.yaml', 'shared/review.yaml'])(
    'and whose content a partial clone lacks (%s) are refused, with the command that fetches it',
    async (file) => {
      project.write('millrace.yaml', 'version: 1\nreview: { extends: shared/review.yaml }\n');
      project.write('shared/review.yaml', 'checks: { unknown-call: error }\n');
      project.commit('Shared rules');
      const clone = clonePartly('inside');
      const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, stdio: 'pipe' });
      if (file === 'millrace.yaml') {
        rmSync(clone, { recursive: true });
        const url = `file://${project.directory}`;
        execFileSync('git', ['clone', '-q', '--filter=blob:none', '--no-checkout', url, clone], {
          stdio: 'pipe',
        });
        git('sparse-checkout', 'set', '--no-cone', '/inside/');
        git('checkout', '-q');
      }
      const staged = ['review', '--local', '--staged'];
      const commands = file === 'millrace.yaml' ? [['test'], ['diff']] : [];
      for (const args of [readable, staged, ...commands]) {
        expect(await run(clone, ...args)).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(
            new RegExp(
              `The file "${file}" is outside of the sparse check-out, .*git cat-file -e ":${file}"`,
              's',
            ),
          ),
        });
      }
      git('cat-file', '-e', `:${file}`);
      const again = await run(clone, ...readable, '--scope', 'all');
      // The file that it extends is not fetched either.
      if (file === 'millrace.yaml') expect(again.stderr).toContain(':shared/review.yaml');
      else expect(again.stdout).toContain('calls "outside/missing", which does not exist');
    },
  );

  test('fail a command if git cannot tell them, and do not become the defaults', async () => {
    project.write('script.sql', 'create table t as select 1 as n');
    project.write('one.orch.yaml', writer);
    project.write('one.test.yaml', testOf('one'));
    project.commit('A test');
    const index = path.join(project.directory, '.git', 'index');
    const saved = readFileSync(index);
    writeFileSync(index, 'no index');
    // Without patterns, nothing is left out: what is on disk is everything.
    expect(await run(project.directory, 'test')).toMatchObject({ code: 0 });
    writeFileSync(index, saved);
    without('millrace.yaml');
    writeFileSync(index, 'no index');
    const refusal = /The check-out is sparse, and git could not read what it leaves out: .*index/s;
    for (const command of ['test', 'diff'])
      expect(await run(project.directory, command)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(refusal),
      });
  });

  test('fail a command if the folder of the repository is not there', async () => {
    project.write('script.sql', 'create table t as select 1 as n');
    project.write('one.orch.yaml', writer);
    project.write('one.test.yaml', testOf('one'));
    project.commit('A test');
    const linked = path.join(project.directory, '..', `${path.basename(project.directory)}-linked`);
    onTestFinished(() => rmSync(linked, { recursive: true, force: true }));
    project.git('worktree', 'add', '-q', linked, '-b', 'linked');
    rmSync(path.join(linked, 'millrace.yaml'));
    rmSync(path.join(project.directory, '.git', 'worktrees'), { recursive: true });
    expect(await run(linked, 'test')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The folder of the git repository does not exist'),
    });
    expect(await run(linked, 'diff')).toMatchObject({ code: 2 });
  });

  test('fail a command if the index is not there', async () => {
    project.write('script.sql', 'create table t as select 1 as n');
    project.write('one.orch.yaml', writer);
    project.write('one.test.yaml', testOf('one'));
    project.commit('A test');
    without('millrace.yaml');
    rmSync(path.join(project.directory, '.git', 'index'));
    expect(await run(project.directory, 'test')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Git’s index does not exist'),
    });
  });

  test('are not written again by init', async () => {
    project.write('.platform/config/pipeline_quality_rules.yaml', 'rules: []\n');
    project.commit('Rules');
    project.git('sparse-checkout', 'set', '--no-cone', '/*', '!/millrace.yaml', '!/.platform/');
    const ran = await run(project.directory, 'init', '--yes', '--dry-run');
    expect(ran.code).toBe(0);
    for (const name of ['millrace.yaml', '.platform/config/pipeline_quality_rules.yaml'])
      expect(ran.stdout).toMatch(new RegExp(`= ${name} +exists already`));
  });

  test('and are a symbolic link without its target fail a command, and do not become the defaults', async () => {
    rmSync(path.join(project.directory, 'millrace.yaml'));
    project.write('conf/m.yaml', `version: 1\n${settings}`);
    symlinkSync('conf/m.yaml', path.join(project.directory, 'millrace.yaml'));
    project.write('script.sql', 'create table t as select 1 as n');
    project.write('one.orch.yaml', writer);
    project.write('one.test.yaml', testOf('one'));
    project.commit('A link');
    const commands = [[...readable, '--scope', 'all'], ['test'], ['diff']];
    for (const [patterns, reason] of [
      ['!/conf/', 'its target is not on disk'],
      ['!/millrace.yaml', 'the sparse check-out leaves it out'],
    ]) {
      project.git('sparse-checkout', 'set', '--no-cone', '/*', patterns ?? '');
      for (const args of commands)
        expect(await run(project.directory, ...args)).toMatchObject({
          code: 2,
          stderr: expect.stringContaining(`"millrace.yaml" is a symbolic link, and ${reason ?? ''}`),
        });
    }
    project.git('sparse-checkout', 'disable');
    expect(await run(project.directory, 'test')).toMatchObject({ code: 0 });
    rmSync(path.join(project.directory, 'conf/m.yaml'));
    expect(await run(project.directory, 'test')).toMatchObject({ code: 2 });
  });
});

test('a submodule that is not checked out is named by a review and by the tests', async () => {
  const head = project.git('rev-parse', 'HEAD').trim();
  project.write('inside/caller.test.yaml', testOf('inside/caller'));
  project.git('update-index', '--add', '--cacheinfo', `160000,${head},library`);
  project.git('add', 'inside');
  project.git('commit', '-q', '-m', 'A submodule');
  const reviewed = await run(project.directory, 'review', '--local');
  expect(reviewed.stdout).toContain(
    'Not reviewed, because they are not part of what is published: pipelines of the submodule library.',
  );
  const named = await run(project.directory, 'review', '--local', '--json', 'inside/caller.orch.yaml');
  expect(JSON.parse(named.stdout)).not.toHaveProperty('submodules');
  const tested = await run(project.directory, 'test', '--list');
  expect(tested.stderr).toContain('The submodule library is not checked out, so pipelines and tests there');
});
