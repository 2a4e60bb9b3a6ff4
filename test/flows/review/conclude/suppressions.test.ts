import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeBaseline } from '../../../../flows/findings/baseline.ts';
import { baselineFile, pipelineOf, type ReviewProject, reviewProject } from '../review-project.ts';

describe('a suppression', () => {
  const rule = 'component-naming-convention';
  let project: ReviewProject;
  beforeEach(() => {
    project = reviewProject();
    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'clean'));
    project.write('old/b.orch.yaml', pipelineOf('Start', 'first'));
    project.write(
      'millrace.yaml',
      `version: 1\nreview:\n  suppress:\n    - rule: ${rule}\n      reason: Later\n`,
    );
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  test('removes findings by rule, file and component, and reports the reason', async () => {
    const suppress = [{ rule, file: 'old/**', component: 'first', reason: 'It is retired soon' }];
    const report = await project.review({ suppress });

    expect(report.suppressed).toMatchObject([
      { file: 'old/b.orch.yaml', component: 'first', reason: 'It is retired soon' },
    ]);
    expect(report.findings.map(({ component }) => component)).toEqual(['load', 'clean']);
    expect(report.counts.error).toBe(2);
  });

  test('of everything lets the review pass, and nothing of it gets into a baseline', async () => {
    const report = await project.review({ suppress: [{ rule, reason: 'Later' }] });
    expect(report).toMatchObject({ outcome: 'passed', findings: [], nextBaseline: [] });
  });

  test.each([
    ['2026-06-14', ['millrace/suppression-expired'], 2],
    ['2026-06-15', [], 0],
  ])('until %s, reviewed on 15 June 2026', async (until, notices, errors) => {
    const { findings, counts } = await project.review({
      suppress: [{ rule, file: 'a.orch.yaml', reason: 'Later', until }],
    });
    const own = findings.filter(({ rule: id }) => id.startsWith('millrace/'));
    expect(own.map(({ rule: id }) => id)).toEqual(notices);
    expect(own.every(({ severity, line }) => severity === 'notice' && line === 4)).toBe(true);
    expect(counts.error).toBe(errors + 1);
  });

  test('that has expired is reported for a change only if it touches the file or a finding returns', async () => {
    const suppress = [{ rule, file: 'a.orch.yaml', reason: 'Later', until: '2026-01-01' }];
    const asked = { suppress, scope: 'changed', base: project.git('rev-parse', 'HEAD').trim() } as const;
    const notices = async () =>
      (await project.review(asked)).findings.filter(({ rule: id }) => id === 'millrace/suppression-expired');

    project.write('new.orch.yaml', pipelineOf('Start', 'Load'));
    project.commit('Another pipeline');
    expect(await notices()).toEqual([]);

    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'Clean'));
    project.commit('The pipeline of the suppression');
    expect(await notices()).toHaveLength(1);

    project.write('a.orch.yaml', pipelineOf('Start', 'Load', 'Clean'));
    project.write('millrace.yaml', 'version: 1\n');
    project.commit('Repaired');
    expect(await notices()).toHaveLength(1);
  });

  test('that has expired is not reported if the change removes it, and has the position of the change', async () => {
    const entry = (name: string) =>
      `    - { rule: ${name}, reason: It was agreed upon, until: 2026-01-01 }\n`;
    const head = 'version: 1\nreview:\n  suppress:\n';
    project.write('millrace.yaml', head + entry('first') + entry('second'));
    const base = project.commit('Suppressions that have ended');
    const suppress = ['first', 'second'].map((name) => ({
      rule: name,
      reason: 'It was agreed upon',
      until: '2026-01-01',
    }));
    const notices = async (scope: 'all' | 'changed') =>
      (await project.review({ suppress, scope, base, policyCommit: base })).findings
        .filter(({ rule: id }) => id === 'millrace/suppression-expired')
        .map(({ subject, line }) => [subject, line]);

    project.write('millrace.yaml', head + entry('second'));
    project.commit('One less');
    expect(await notices('changed')).toEqual([['second', 4]]);
    expect(await notices('all')).toEqual([['second', 4]]);

    project.git('rm', '-q', 'millrace.yaml');
    project.commit('None');
    expect(await notices('all')).toEqual([]);
  });

  test('that matches no finding is a notice, unless only a part was reviewed', async () => {
    const suppress = [{ rule, component: 'nobody', reason: 'Later' }];
    const all = await project.review({ suppress });
    const part = await project.review({ suppress, files: ['a.orch.yaml'] });

    const notices = ({ findings }: typeof all) => findings.filter(({ severity }) => severity === 'notice');
    expect(notices(all)).toMatchObject([
      { rule: 'millrace/suppression-useless', file: 'millrace.yaml', line: 4, column: 13 },
    ]);
    expect(notices(part)).toEqual([]);
  });

  test('of an old finding does not make it fixed', async () => {
    const { nextBaseline } = await project.review();
    project.write(baselineFile, writeBaseline(nextBaseline));
    project.commit('The baseline');
    const { findings } = await project.review({ suppress: [{ rule, component: 'load', reason: 'Later' }] });

    expect(findings.map(({ state }) => state)).toEqual(['known', 'known']);
  });
});
