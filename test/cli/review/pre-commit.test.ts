import { chmodSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { pipelineOf, type ReviewProject, reviewProject } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';
import { entry } from '../millrace.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const [hook] = parse(readFileSync(path.join(root, '.pre-commit-hooks.yaml'), 'utf8')) as [{ entry: string }];
const { PATH = '', HOME = '' } = process.env;

const caller = `pipeline:
  components:
    Start: { type: start, transitions: { success: [Run] } }
    Run: { type: run-orchestration, parameters: { orchestrationJob: called } }
`;

let project: ReviewProject;
beforeEach(() => {
  project = reviewProject();
  project.write('.platform/config/pipeline_quality_rules.yaml', 'rules: []\n');
  project.write('millrace.yaml', 'version: 1\nreview: { checks: { unknown-call: error } }\n');
  project.write('caller.orch.yaml', caller);
  project.write('called.orch.yaml', pipelineOf('Start'));
  project.write('README.md', 'A project\n');
  project.commit('A project');
});
afterEach(() => project[Symbol.dispose]());

/** Runs the published hook as pre-commit does, which sets these variables. */
const runHook = (variables: Record<string, string> = {}) =>
  inProcess(hook.entry.split(' ').slice(1), {
    cwd: project.directory,
    env: { PATH, HOME, PRE_COMMIT: '1', ...variables },
  });

const breakCall = () => {
  project.git('rm', '-q', 'called.orch.yaml');
  return project.commit('Delete what the caller calls');
};

describe('git commit with the hook', () => {
  beforeEach(() => {
    const command = hook.entry.replace(/^millrace/, `'${process.execPath}' '${entry}'`);
    project.write('.git/hooks/pre-commit', `#!/bin/sh\nPRE_COMMIT=1 exec ${command}\n`);
    chmodSync(path.join(project.directory, '.git/hooks/pre-commit'), 0o755);
  });

  test('a commit that only deletes a called pipeline is refused', () => {
    project.git('rm', '-q', 'called.orch.yaml');
    expect(() => project.git('commit', '-q', '-m', 'Delete')).toThrow(
      /caller\.orch\.yaml[^]*still calls "called", which this change removes/,
    );
  });

  test('a call of a pipeline that git add -N only announces is refused', () => {
    project.write('caller.orch.yaml', caller.replace('called', 'announced'));
    project.write('announced.orch.yaml', pipelineOf('Start'));
    project.git('add', '-N', 'announced.orch.yaml');
    project.git('add', 'caller.orch.yaml');
    expect(() => project.git('commit', '-q', '-m', 'Call')).toThrow(
      /calls "announced", which does not exist/,
    );
    project.git('add', '.');
    project.git('commit', '-q', '-m', 'Both');
  });

  test('an amended message with nothing staged reviews nothing, also where the project has findings', () => {
    project.git('-c', 'core.hooksPath=/dev/null', 'rm', '-q', 'called.orch.yaml');
    project.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'Delete');
    expect(() => project.git('commit', '-q', '--amend', '-m', 'Another message')).not.toThrow();
  });
});

describe('the hook, as pre-commit starts it', () => {
  test('--from-ref and --to-ref review the range as a range', async () => {
    const from = project.git('rev-parse', 'HEAD');
    const to = breakCall();
    project.write('other.orch.yaml', pipelineOf('Start'));
    project.commit('A later commit');
    const ran = await runHook({ PRE_COMMIT_FROM_REF: from, PRE_COMMIT_TO_REF: to });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('still calls "called", which this change removes');
  });

  test('a range or a push that goes back to a broken commit is reviewed, and its problems are new', async () => {
    const broken = breakCall();
    project.write('called.orch.yaml', pipelineOf('Start'));
    const repaired = project.commit('Repair');
    const range = { PRE_COMMIT_FROM_REF: repaired, PRE_COMMIT_TO_REF: broken };
    const ran = await runHook(range);
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('still calls "called"') });
    const [command = '', ...args] = hook.entry.split(' ').slice(1);
    const newOnly = await inProcess([command, ...args, '--new-only'], {
      cwd: project.directory,
      env: { PATH, HOME, PRE_COMMIT: '1', ...range },
    });
    expect(newOnly).toMatchObject({ code: 1, stdout: expect.stringContaining('still calls "called"') });
    // A forced push of another history: what both have in common is broken, too.
    project.git('checkout', '-q', '-b', 'other', broken);
    project.write('README.md', 'Another history\n');
    const other = project.commit('Other');
    const push = { PRE_COMMIT_FROM_REF: repaired, PRE_COMMIT_TO_REF: other };
    expect(await runHook({ ...push, PRE_COMMIT_REMOTE_BRANCH: 'refs/heads/main' })).toMatchObject({
      code: 1,
    });
  });

  test('a range is compared with the baseline of its beginning, and files on disk do not count', async () => {
    const from = project.git('rev-parse', 'HEAD');
    const to = breakCall();
    project.write('called.orch.yaml', pipelineOf('Start'));
    project.git('add', '.');
    const ran = await runHook({ PRE_COMMIT_FROM_REF: from, PRE_COMMIT_TO_REF: to });
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('caller.orch.yaml') });
  });

  test('a range without pipelines is nothing to review, and says so with its beginning', async () => {
    const from = project.git('rev-parse', 'HEAD');
    project.write('README.md', 'Another text\n');
    project.commit('Text');
    const ran = await runHook({ PRE_COMMIT_FROM_REF: from, PRE_COMMIT_TO_REF: 'HEAD' });
    expect(ran).toMatchObject({
      code: 0,
      stdout: `Nothing to review: no pipelines changed since ${from.slice(0, 12)}.\n`,
    });
  });

  test('with nothing staged, as with --all-files in CI, the whole project is reviewed', async () => {
    breakCall();
    const ran = await runHook();
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('caller.orch.yaml');
    expect(ran.stdout).toContain('1 file reviewed (all pipelines of the project, because nothing is staged)');
  });

  test('the first push of a branch with its root commit reviews the whole branch', async () => {
    breakCall();
    project.write('README.md', 'Staged, and not pushed\n');
    project.git('add', '.');
    const ran = await runHook({
      PRE_COMMIT_LOCAL_BRANCH: 'refs/heads/main',
      PRE_COMMIT_REMOTE_NAME: 'origin',
    });
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('caller.orch.yaml') });
  });

  test.each([40, 64])(
    'a range from an id of %i zeros, a new branch, reviews the whole branch',
    async (length) => {
      const to = breakCall();
      const ran = await runHook({ PRE_COMMIT_FROM_REF: '0'.repeat(length), PRE_COMMIT_TO_REF: to });
      expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('caller.orch.yaml') });
      expect(ran.stdout).toContain('1 file reviewed (all pipelines of the project)');
    },
  );

  test.each([{ PRE_COMMIT: '1' }, { PRE_COMMIT: '', GIT_INDEX_FILE: '.git/index' }])(
    'a hook above the projects fails with the option that it needs: %j',
    async (env) => {
      project.write('sales/millrace.yaml', 'version: 1\n');
      project.git('rm', '-q', '--cached', 'millrace.yaml');
      rmSync(path.join(project.directory, 'millrace.yaml'));
      project.git('add', 'sales');
      const ran = await runHook(env);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain(
        'This folder has no millrace.yaml, but these folders below it have one: sales. So the hook would review no project',
      );
      expect(ran.stderr).toContain('args: [--working-directory, sales]');
      const [command, ...args] = hook.entry.split(' ').slice(1);
      const below = await inProcess([command ?? '', ...args, '--working-directory', 'sales'], {
        cwd: project.directory,
        env: { PATH, HOME, ...env },
      });
      expect(below).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test('the push that deletes a branch has no commit to review, and says so', async () => {
    const ran = await runHook({ PRE_COMMIT_FROM_REF: 'HEAD', PRE_COMMIT_TO_REF: '0'.repeat(40) });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('or that a push deletes') });
  });

  test('a ref that does not exist fails the hook', async () => {
    const ran = await runHook({ PRE_COMMIT_FROM_REF: 'f'.repeat(40), PRE_COMMIT_TO_REF: 'HEAD' });
    expect(ran).toMatchObject({ code: 2 });
  });
});

test('review --staged with nothing staged says so', async () => {
  const ran = await inProcess(['review', '--local', '--staged'], {
    cwd: project.directory,
    env: { PATH, HOME },
  });
  expect(ran).toMatchObject({ code: 0, stdout: 'Nothing to review: nothing is staged.\n' });
});
