import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loosenedRules } from '../../../../lib/pipelines/loosened-rules.ts';
import { writeBaseline } from '../../../../flows/findings/baseline.ts';
import { namingRule, pipelineOf, type ReviewProject, reviewProject, rulesPath } from '../review-project.ts';

const rule = (id: string, level = 'error', config = '{}', enabled = true) =>
  `  - { id: ${id}, enabled: ${enabled}, enforcementLevel: ${level}, config: ${config} }\n`;
const rules = (...entries: string[]) => `rules:\n${entries.join('')}`;

describe('a change of the rules file', () => {
  let project: ReviewProject;
  let base: string;
  beforeEach(() => {
    project = reviewProject();
    project.write('millrace.yaml', 'version: 1\n');
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    project.commit('A project');
    base = project.git('rev-parse', 'HEAD');
  });
  afterEach(() => project[Symbol.dispose]());
  const reviewed = async (more = {}) => {
    const report = await project.review({
      base,
      policyCommit: base,
      scope: 'changed',
      configFile: 'millrace.yaml',
      ...more,
    });
    const { outcome, counts, findings, nextBaseline } = report;
    return {
      outcome,
      counts,
      nextBaseline,
      findings: findings.map(({ severity, rule: id }) => `${severity} ${id}`),
    };
  };
  const change = (files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    project.commit('A change');
  };

  test('that leaves no rule fails, whatever the pipelines hold', async () => {
    change({ [rulesPath]: 'rules: []\n', 'a.orch.yaml': pipelineOf('Start', 'broken') });
    expect(await reviewed()).toMatchObject({
      outcome: 'failed',
      counts: { error: 1, warning: 0, notice: 1 },
      findings: ['error millrace/rules-loosened', 'notice millrace/policy-changed'],
      nextBaseline: [],
    });
  });

  test('that lowers a rule is a warning, which fail-on: warning holds', async () => {
    change({ [rulesPath]: namingRule.replace('Level: error', 'Level: warn') });
    expect(await reviewed()).toMatchObject({
      outcome: 'passed',
      counts: { warning: 1, notice: 1 },
      findings: ['warning millrace/rules-loosened', 'notice millrace/policy-changed'],
    });
    expect(await reviewed({ failOn: 'warning' })).toMatchObject({ outcome: 'failed' });
  });

  describe('that loosens a rule', () => {
    const limit = (max: number) => rule('maximum-components', 'error', `{ maxComponents: ${max} }`);
    const trivial = rule('maximum-outputs', 'error', '{ maxOutputs: 99 }');
    const large = pipelineOf('Start', 'Load', 'Clean');
    beforeEach(() => {
      project.write('old.orch.yaml', large);
      change({ [rulesPath]: rules(trivial, limit(2)) });
      base = project.git('rev-parse', 'HEAD');
    });
    const loosened = async (more = {}) =>
      (await reviewed(more)).findings.filter((one) => one.endsWith('rules-loosened'));
    const asError = ['error millrace/rules-loosened'];
    const asWarning = ['warning millrace/rules-loosened'];

    test.each([
      ['removes it', rules(trivial)],
      ['lowers it', rules(trivial, limit(2).replace('error', 'warn'))],
      ['raises its limit', rules(trivial, limit(3))],
    ])('and breaks it as it was fails, where it %s', async (_, text) => {
      change({ [rulesPath]: text, 'a.orch.yaml': large });
      expect(await loosened()).toEqual(asError);
      expect(await reviewed()).toMatchObject({ outcome: 'failed' });
    });

    test('is a warning where only other pipelines break it', async () => {
      change({ [rulesPath]: rules(trivial), 'a.orch.yaml': pipelineOf('Start', 'Clean') });
      expect(await loosened()).toEqual(asWarning);
    });

    test('is a warning where the baseline knows what breaks it', async () => {
      const { nextBaseline } = await project.review();
      change({ '.platform/review-baseline.json': writeBaseline(nextBaseline) });
      base = project.git('rev-parse', 'HEAD');
      change({ [rulesPath]: rules(trivial, limit(9)), 'old.orch.yaml': `${large}# more\n` });
      expect(await loosened()).toEqual(asWarning);
      change({ 'old.orch.yaml': pipelineOf('Start', 'Load', 'Clean', 'Tell') });
      expect(await loosened()).toEqual(asError);
    });

    test('is a warning where a suppression of the base names what breaks it', async () => {
      change({ [rulesPath]: rules(trivial), 'a.orch.yaml': large });
      const suppress = [{ rule: 'maximum-components', file: 'a.orch.yaml', reason: 'It may be large' }];
      expect(await loosened({ suppress })).toEqual(asWarning);
    });

    test('is a warning if it is unknown whether the other pattern is looser', async () => {
      change({ [rulesPath]: namingRule });
      base = project.git('rev-parse', 'HEAD');
      change({
        [rulesPath]: namingRule.replace('[A-Z].*', '[a-z].*'),
        'a.orch.yaml': pipelineOf('start', 'load'),
      });
      expect(await loosened()).toEqual(asWarning);
    });
  });

  test('passes with a suppression of the base', async () => {
    change({ [rulesPath]: 'rules: []\n' });
    const suppress = [{ rule: 'rules-loosened', reason: 'We give the rules up' }];
    expect(await reviewed({ suppress })).toMatchObject({ outcome: 'passed' });
  });

  test('or of millrace.yaml that leaves no pipeline in the project is a warning', async () => {
    change({ 'millrace.yaml': 'version: 1\nfiles: { include: ["nothing/**"] }\n' });
    expect(await reviewed({ include: ['nothing/**'] })).toMatchObject({
      outcome: 'nothing-to-do',
      findings: ['warning millrace/no-pipelines', 'notice millrace/policy-changed'],
    });
    expect(await reviewed({ include: ['nothing/**'], failOn: 'warning' })).toMatchObject({
      outcome: 'failed',
    });
  });

  test('does not hide that a folder has no pipeline, in any scope', async () => {
    const start = project.git('rev-parse', 'HEAD');
    change({ 'p/notes.md': 'Text' });
    for (const scope of ['changed', 'all'] as const) {
      const more = { directory: 'p', base: start, scope };
      expect(await reviewed(more)).toMatchObject({
        outcome: 'nothing-to-do',
        findings: ['warning millrace/no-pipelines'],
      });
      expect(await reviewed({ ...more, failOn: 'warning' })).toMatchObject({ outcome: 'failed' });
    }
  });

  test('is measured against the commit where the branch began', async () => {
    project.git('switch', '-q', '-c', 'side');
    change({ [rulesPath]: `${namingRule}${rule('unused-components')}` });
    project.git('switch', '-q', 'main');
    change({ [rulesPath]: `${namingRule}${rule('start-and-end-components')}` });
    const main = project.git('rev-parse', 'HEAD');
    project.git('switch', '-q', 'side');
    const { findings } = await reviewed({ base: main, policyCommit: main });
    expect(findings).not.toContain('warning millrace/rules-loosened');
  });

  test.each([
    ['millrace.yaml', 'version: 1\nreview: { fail-on: never }\n'],
    [rulesPath, `${namingRule}# more\n`],
    ['.platform/review-baseline.json', '[{"baseline":"millrace review","version":1}\n]\n'],
  ])('or another file of policy is a notice that counts: %s', async (file, text) => {
    change({ [file]: text });
    expect(await reviewed()).toMatchObject({
      counts: { notice: 1 },
      findings: ['notice millrace/policy-changed'],
    });
    expect(await reviewed({ failOn: 'notice' })).toMatchObject({ outcome: 'failed' });
  });
});

test.each([
  [
    'a rule is removed',
    rules(rule('unused-components'), rule('copied-variables')),
    rules(rule('copied-variables')),
    ['unused-components'],
  ],
  [
    'a rule is disabled',
    rules(rule('unused-components'), rule('copied-variables')),
    rules(rule('copied-variables'), rule('unused-components', 'error', '{}', false)),
    ['unused-components'],
  ],
  [
    'a level is lowered',
    rules(rule('unused-components')),
    rules(rule('unused-components', 'warn')),
    ['unused-components'],
  ],
  ['a level is raised', rules(rule('unused-components', 'warn')), rules(rule('unused-components')), []],
  [
    'a maximum rises',
    rules(rule('maximum-components', 'warn', '{ maxComponents: 10 }')),
    rules(rule('maximum-components', 'warn', '{ maxComponents: 11 }')),
    ['maximum-components'],
  ],
  [
    'a maximum falls',
    rules(rule('maximum-outputs', 'warn', '{ maxOutputs: 2 }')),
    rules(rule('maximum-outputs', 'warn', '{ maxOutputs: 1 }')),
    [],
  ],
  [
    'a minimum falls',
    rules(rule('minimum-components', 'warn', '{ minComponents: 2 }')),
    rules(rule('minimum-components', 'warn', '{ minComponents: 1 }')),
    ['minimum-components'],
  ],
  [
    'a pattern changes',
    rules(rule('component-naming-convention', 'warn', '{ regexMatchPattern: "[A-Z].*" }')),
    rules(rule('component-naming-convention', 'warn', '{ regexMatchPattern: ".*" }')),
    ['component-naming-convention'],
  ],
  [
    'order and comments change',
    rules(rule('unused-components'), rule('copied-variables')),
    `# why\n${rules(rule('copied-variables'), rule('unused-components'))}`,
    [],
  ],
  [
    'a rule is added',
    rules(rule('unused-components')),
    rules(rule('unused-components'), rule('copied-variables')),
    [],
  ],
  ['the base cannot be read', 'rules: [', rules(rule('unused-components')), []],
  ['the head cannot be read', rules(rule('unused-components')), 'rules: [', []],
])('what a rules file loosens where %s', (_, before, after, expected) => {
  expect(loosenedRules('rules.yaml', before, after).loosened.map(({ rule: id }) => id)).toEqual(expected);
});
