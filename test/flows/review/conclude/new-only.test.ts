import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeBaseline } from '../../../../flows/findings/baseline.ts';
import { problemsOfBase } from '../../../../flows/review/problems-of-base.ts';
import type { ReviewRequest } from '../../../../flows/review/scope/review-request.ts';
import { silentLogger, silentProgress } from '../../../../lib/core/ports/ports.ts';
import { openWorkCopy } from '../../../../lib/git/work-tree/work-copy.ts';
import { openRepository } from '../../../../lib/git/repository.ts';
import {
  baselineFile,
  namingRule,
  pipelineOf,
  type ReviewProject,
  reviewProject,
  rulesPath,
} from '../review-project.ts';

const context = {
  clock: { now: () => Date.UTC(2026, 5, 15), sleep: () => Promise.resolve() },
  random: () => 0,
  logger: silentLogger,
  progress: silentProgress,
  signal: new AbortController().signal,
};
const limit = (maxComponents: number) =>
  `rules:\n  - id: maximum-components\n    enabled: true\n    enforcementLevel: error\n    config: { maxComponents: ${maxComponents} }\n`;

describe('a review of only new problems', () => {
  let project: ReviewProject;
  let base: string;
  const commit = (message: string) => {
    project.commit(message);
    return project.git('rev-parse', 'HEAD');
  };
  const notes: string[] = [];
  const reviewed = async (more: Partial<ReviewRequest> = {}, from = base) => {
    const request: ReviewRequest = {
      repository: await openRepository(project.directory),
      directory: '',
      branch: 'main',
      commit: 'HEAD',
      scope: 'all',
      include: ['**/*'],
      configDir: '.platform',
      agentVersion: '',
      failOn: 'error',
      baseline: baselineFile,
      policyCommit: from,
      base: from,
      configFile: 'millrace.yaml',
      ...more,
    };
    const { baseProblems, notes: own } = await problemsOfBase(request, { base: from }, context);
    notes.splice(0, Infinity, ...own);
    return project.review({ ...request, baseProblems });
  };
  const states = (report: Awaited<ReturnType<typeof reviewed>>) =>
    report.findings.map(({ state, file, component }) => `${state} ${file} ${component ?? ''}`.trim());

  beforeEach(() => {
    project = reviewProject();
    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'Clean'));
    project.write('sub/b.orch.yaml', pipelineOf('Start', 'first'));
    base = commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  test('knows what the base has, with moved lines and in a renamed file, and fails what is new', async () => {
    project.write('a.orch.yaml', `# moved\n\n${pipelineOf('Start', 'Tidy', 'load')}`);
    project.git('mv', 'sub/b.orch.yaml', 'c.orch.yaml');
    commit('Moved');
    const moved = await reviewed();
    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'extra'));
    commit('One more');
    const more = await reviewed();

    expect(moved).toMatchObject({ outcome: 'passed', base: { commit: base, known: 2 } });
    expect(states(moved)).toEqual(['known a.orch.yaml load', 'known c.orch.yaml first']);
    expect(more).toMatchObject({ outcome: 'failed', counts: { error: 1 }, base: { known: 2 } });
    expect(states(more)[0]).toBe('new a.orch.yaml extra');
  });

  test('compares with the merge base, so a fix on the base does not make old problems new', async () => {
    project.git('checkout', '-q', '-b', 'fix');
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    const fixed = commit('Fixed on the base');
    project.git('checkout', '-q', '-');
    project.write('d.orch.yaml', pipelineOf('Start', 'Fine'));
    commit('The change');

    expect(await reviewed({}, fixed)).toMatchObject({ outcome: 'passed', base: { commit: base, known: 2 } });
  });

  test('evaluates the rules of the base, so a stricter rule counts in full', async () => {
    project.write(rulesPath, limit(2));
    commit('Another rule');
    const report = await reviewed();
    expect(report.outcome).toBe('failed');
    expect(states(report)).toContain('new a.orch.yaml');
  });

  test('counts a problem that got worse, and says what the base has', async () => {
    project.write(rulesPath, limit(2));
    base = commit('A limit');
    project.write('a.orch.yaml', pipelineOf('Start', 'Load', 'Clean', 'Tidy'));
    commit('Worse');
    const { findings, outcome } = await reviewed();
    expect(outcome).toBe('failed');
    expect(findings[0]?.message).toMatch(/; the base has 3$/u);
  });

  test('uses the settings of the base, or the review’s if the base has a broken file', async () => {
    project.write('millrace.yaml', 'version: 1\nfiles: { exclude: [sub/**] }\n');
    base = commit('Settings');
    const excluded = await reviewed();
    project.write('millrace.yaml', 'files: [\n');
    base = commit('Broken settings');
    const broken = await reviewed();

    expect(excluded).toMatchObject({ outcome: 'failed', base: { known: 1 } });
    expect(states(excluded)).toContain('new sub/b.orch.yaml first');
    expect(broken.base).toMatchObject({ known: 2 });
    expect(notes.join()).toContain('The millrace.yaml of the merge base is invalid');
  });

  test('knows the problems of a committed baseline, too, and reports only those as fixed', async () => {
    const { nextBaseline } = await project.review({ files: ['a.orch.yaml'] });
    project.write(baselineFile, writeBaseline(nextBaseline));
    base = commit('A baseline of one file');
    const both = await reviewed();
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    project.write('sub/b.orch.yaml', pipelineOf('Start', 'First'));
    commit('All fixed');

    expect(both).toMatchObject({ outcome: 'passed', base: { known: 1 } });
    expect(states(both)).toHaveLength(2);
    expect(states(await reviewed())).toEqual(['fixed a.orch.yaml load']);
  });

  test('does not know what a base could not evaluate', async () => {
    project.write(rulesPath, 'rules: [\n');
    base = commit('No rules');
    expect(await reviewed()).toMatchObject({ outcome: 'failed', base: { known: 0 } });
    project.write(rulesPath, namingRule);
    commit('Rules again');
    expect(await reviewed()).toMatchObject({ outcome: 'failed', counts: { error: 2 } });
  });

  test('reviews the files on disk against the base', async () => {
    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'extra'));
    const snapshot = await openWorkCopy(project.directory, 'working-tree');
    expect(states(await reviewed({ snapshot, policyCommit: undefined }))).toEqual([
      'new a.orch.yaml extra',
      'known a.orch.yaml load',
      'known sub/b.orch.yaml first',
    ]);
  });

  test('fails if the base cannot be read', async () => {
    const missing = '0123456789012345678901234567890123456789';
    await expect(reviewed({}, missing)).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining(
        'Cannot review the commit 012345678901, which the change is compared with.',
      ),
    });
  });
});
