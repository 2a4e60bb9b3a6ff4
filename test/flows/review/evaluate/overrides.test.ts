import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readProjectConfig } from '../../../../lib/config/project/read-project-config.ts';
import { ruleIds, type PathOverride } from '../../../../lib/config/project/review-schema.ts';
import { limitSettings } from '../../../../lib/pipelines/with-limit.ts';
import { qualityRules } from '../../../../lib/pipelines/rules/quality-rules.ts';
import { writeBaseline } from '../../../../flows/findings/baseline.ts';
import { baselineFile, pipelineOf, type ReviewProject, reviewProject, rulesPath } from '../review-project.ts';

const rules = `rules:
  - { id: maximum-components, enabled: true, enforcementLevel: error, config: { maxComponents: 2 } }
  - { id: component-naming-convention, enabled: true, enforcementLevel: warn, config: { regexMatchPattern: "[A-Z].*" } }
`;

describe('review.overrides', () => {
  let project: ReviewProject;
  beforeEach(() => {
    project = reviewProject();
    project.write(rulesPath, rules);
    project.write('a.orch.yaml', pipelineOf('Start', 'B', 'C'));
    project.write('old/b.orch.yaml', pipelineOf('Start', 'b', 'c', 'd'));
    project.write('new/c.orch.yaml', pipelineOf('Start', 'B'));
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  const found = async (overrides: readonly PathOverride[], more = {}) => {
    const { findings } = await project.review({ overrides, ...more });
    return findings
      .filter(({ state }) => state === 'new')
      .map(({ severity, file, rule, message }) =>
        `${severity} ${file} ${rule} ${/at most \d+/.exec(message)?.[0] ?? ''}`.trim(),
      )
      .filter((one) => !one.includes('component-naming'));
  };
  const maximum = (setting: object, files = ['old/**']) => [
    { files, rules: { 'maximum-components': setting } },
  ];

  test('give a rule another severity or limit in the files that match, and leave the others', async () => {
    const a = 'error a.orch.yaml maximum-components at most 2';
    const b = 'old/b.orch.yaml maximum-components at most';
    expect(await found([])).toEqual([a, `error ${b} 2`]);
    expect(await found(maximum({ severity: 'notice' }))).toEqual([a, `notice ${b} 2`]);
    expect(await found(maximum({ severity: 'off' }))).toEqual([a]);
    expect(await found(maximum({ limit: 4 }))).toEqual([a]);
    expect(await found(maximum({ limit: 3, severity: 'warning' }))).toEqual([a, `warning ${b} 3`]);
    const stricter = 'error new/c.orch.yaml maximum-components at most 1';
    expect(await found(maximum({ limit: 1 }, ['new/*']))).toEqual([a, stricter, `error ${b} 2`]);
  });

  test('apply in their order: the last one that sets a value', async () => {
    const overrides = [...maximum({ limit: 1, severity: 'notice' }, ['**']), ...maximum({ limit: 4 })];
    expect(await found(overrides)).toEqual([
      'notice a.orch.yaml maximum-components at most 1',
      'notice new/c.orch.yaml maximum-components at most 1',
    ]);
  });

  test('turn a check on in some files, and off in others', async () => {
    for (const file of ['old/x.tran.yaml', 'new/x.tran.yaml', 'x.tran.yaml'])
      project.write(file, 'pipeline: { components: { A: { type: rewrite-table, sources: [Gone] } } }\n');
    project.commit('Dangling');
    const check = (severity: 'error' | 'off', files: string[]) => ({
      files,
      rules: { 'dangling-reference': { severity } },
    });
    const of = async (...args: Parameters<typeof found>) =>
      (await found(...args)).filter((one) => one.includes('dangling'));
    expect(await of([check('error', ['new/**'])])).toEqual([
      'error new/x.tran.yaml millrace/dangling-reference',
    ]);
    expect(await of([check('off', ['old/**'])], { checks: { 'dangling-reference': 'warning' } })).toEqual([
      'warning new/x.tran.yaml millrace/dangling-reference',
      'warning x.tran.yaml millrace/dangling-reference',
    ]);
  });

  test('keep the recorded findings of a rule that is off in the baseline', async () => {
    const { nextBaseline } = await project.review();
    project.write(baselineFile, writeBaseline(nextBaseline));
    project.commit('The baseline');
    const report = await project.review({ overrides: maximum({ severity: 'off' }) });
    expect(report.findings.filter(({ state }) => state === 'fixed')).toEqual([]);
    expect(report.nextBaseline).toHaveLength(nextBaseline.length);
  });
});

test.each([
  ['maximum-component: { severity: off }', 'did you mean'],
  ['unused-components: { limit: 3 }', 'has no limit'],
  ['maximum-components: { limit: -1 }', 'limit'],
])('an override with %s is refused at its line', (rule, part) => {
  const text = `version: 1\nreview:\n  overrides:\n    - files: ['**']\n      rules:\n        ${rule}\n`;
  expect(() => readProjectConfig(text, 'millrace.yaml')).toThrow(
    expect.objectContaining({
      where: expect.objectContaining({ line: 6 }),
      message: expect.stringMatching(new RegExp(part, 'i')),
    }),
  );
});

test('the schema has all rules of the platform, and those that have a limit', () => {
  expect([...ruleIds].toSorted()).toEqual([...qualityRules.keys()].toSorted());
  const counting = [...qualityRules.values()].filter(({ worse }) => worse !== undefined).map(({ id }) => id);
  expect(Object.keys(limitSettings).toSorted()).toEqual(counting.toSorted());
});
