import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeBaseline } from '../../../../flows/findings/baseline.ts';
import type { ReviewRequest } from '../../../../flows/review/scope/review-request.ts';
import { sarifOf } from '../../../../flows/review/formats/sarif.ts';
import { baselineFile, type ReviewProject, reviewProject } from '../review-project.ts';

/** Two findings of the naming rule, and two literal schemas. */
const lines = [
  'type: "orchestration"',
  'pipeline:',
  '  components:',
  '    load:',
  '      type: "sql-executor"',
  '      parameters:',
  '        schema: "DEV"',
  '        targetSchema: "DEV"',
  '    clean:',
  '      type: "sql-executor"',
];
const checks = { 'literal-environment': 'error' } as const;
const naming = 'component-naming-convention';

/** The pipeline with comments: own lines before the line of a number, or the end of that line. */
function commented(comments: Readonly<Record<number, string>>, end = '\n'): string {
  return lines
    .flatMap((line, index) => {
      const text = comments[index + 1];
      if (text === undefined) return [line];
      return text.startsWith(' ') ? [line + text] : [...text.split('\n'), line];
    })
    .map((line) => line + end)
    .join('');
}

let project: ReviewProject;
beforeEach(() => {
  project = reviewProject();
});
afterEach(() => project[Symbol.dispose]());

const reviewed = async (text: string, more: Partial<ReviewRequest> = {}) => {
  project.write('a.orch.yaml', text);
  project.commit('A pipeline');
  return project.review({ checks, ...more });
};
const shown = ({ findings }: Awaited<ReturnType<typeof reviewed>>) =>
  findings
    .filter(({ state }) => state === 'new')
    .map(({ rule, line }) => `${line} ${rule.replace('millrace/', '')}`);

describe('a comment that suppresses', () => {
  test.each([
    [
      'on its own line, the next line',
      { 7: '        # millrace-ignore literal-environment: Only for tests' },
      1,
    ],
    ['at the end of a line, that line', { 7: '  # millrace-ignore literal-environment: Only for tests' }, 1],
    [
      'with the prefix of the rule',
      { 7: '  #millrace-ignore: millrace/literal-environment : Only for tests' },
      1,
    ],
    [
      'before a component, all of the component',
      { 4: '    # millrace-ignore literal-environment: Only for tests' },
      2,
    ],
    [
      'after an empty line and another comment',
      { 7: '# millrace-ignore literal-environment: Tests\n\n# More' },
      1,
    ],
  ])('%s', async (_, comments, count) => {
    for (const end of ['\n', '\r\n']) {
      const report = await reviewed(commented(comments, end));
      expect(report.suppressed.map(({ rule, suppressedBy }) => [rule, suppressedBy])).toEqual(
        Array.from({ length: count }, () => ['millrace/literal-environment', 'comment']),
      );
      expect(report.findings).toHaveLength(4 - count);
    }
  });

  test('several rules has its reason in the report, in SARIF as a suppression in the source', async () => {
    const text = commented({ 4: `    # millrace-ignore ${naming}, literal-environment: Agreed: old names` });
    const report = await reviewed(text);
    expect(report.suppressed.map(({ rule, reason }) => [rule, reason])).toEqual([
      [naming, 'Agreed: old names'],
      ['millrace/literal-environment', 'Agreed: old names'],
      ['millrace/literal-environment', 'Agreed: old names'],
    ]);
    expect(shown(report)).toEqual([`9 ${naming}`]);
    const [run] = sarifOf(report, '1.0.0')['runs'] as [{ results: readonly object[] }];
    const suppressions = [{ kind: 'inSource', status: 'accepted', justification: 'Agreed: old names' }];
    expect(run.results.filter((one) => 'suppressions' in one)).toMatchObject(
      report.suppressed.map(() => ({ suppressions })),
    );
  });

  test('a finding in a long text is before the text, and a comment inside of the text has no effect', async () => {
    const script = (before: string, inside: string) =>
      `pipeline:\n  components:\n    Load:\n      type: "sql-executor"\n      parameters:\n${before}        sqlScript: |\n          select 1\n${inside}          from \${missing}\n`;
    const comment = '# millrace-ignore undeclared-variable: It is set elsewhere\n';
    const more = { checks: { 'undeclared-variable': 'error' } } as const;
    expect(shown(await reviewed(script('', `          ${comment}`), more))).toEqual([
      '9 undeclared-variable',
    ]);
    expect(shown(await reviewed(script(comment, ''), more))).toEqual([]);
    const header = script('', '').replace('|\n', `| ${comment}`);
    expect(shown(await reviewed(header, more))).toEqual([]);
  });

  test('a finding about the whole file is before the first line', async () => {
    project.write(
      '.platform/config/pipeline_quality_rules.yaml',
      'rules: [{ id: minimum-components, enabled: true, enforcementLevel: error, config: { minComponents: 3 } }]\n',
    );
    const report = await reviewed(commented({ 3: '# millrace-ignore minimum-components: Not finished' }), {
      checks: {},
    });
    expect([shown(report), report.suppressed.length]).toEqual([[], 1]);
  });

  test('leaves a recorded finding in the baseline neither known nor fixed', async () => {
    const { nextBaseline } = await reviewed(commented({}));
    project.write(baselineFile, writeBaseline(nextBaseline));
    const { findings } = await reviewed(commented({ 4: `# millrace-ignore ${naming}: An old name` }));
    expect(findings.map(({ state }) => state)).toEqual(['known', 'known', 'known']);
  });

  test.each([
    [`# millrace-ignore ${naming}`, 'gives no reason'],
    [`# millrace-ignore ${naming}:  `, 'gives no reason'],
    [
      `# millrace-ignore ${naming}: r`,
      'gives "r" as its reason, but a reason has at least two letters or digits, so it suppresses nothing',
    ],
    ...['\u{a0}\u{200b}', '\u{200b}\u{200b}', '\u{3164}\u{3164}', '\u{2800}\u{2800}', '--'].map((blank) => [
      `# millrace-ignore ${naming}: ${blank}`,
      'so it suppresses nothing',
    ]),
    ['# millrace-ignore : An old name', 'names no rule'],
    [
      '# millrace-ignore component-naming-conventoin: An old name',
      'Did you mean "component-naming-convention"?',
    ],
  ])('%s has no effect and is a warning', async (comment, part) => {
    const { findings } = await reviewed(commented({ 4: comment }), { checks: {} });
    expect(findings.map(({ rule }) => rule)).toEqual([naming, naming, 'millrace/suppression-invalid']);
    expect(findings.at(-1)).toMatchObject({
      severity: 'warning',
      line: 4,
      message: expect.stringContaining(part),
    });
  });

  test.each([
    ['matches no finding', { 5: `  # millrace-ignore ${naming}: Old` }, 'suppression-useless'],
    ['is the last line', { 10: `\n# millrace-ignore ${naming}: Old` }, 'suppression-useless'],
  ])('and %s is a notice, unless its check is off', async (_, comments, rule) => {
    const text = commented(comments);
    const atEnd = text.replace(/\n(# millrace.*)\n(.*)\n$/, '\n$2\n$1\n');
    expect(shown(await reviewed(atEnd, { checks: {} })).at(-1)).toContain(rule);
    const off = atEnd.replace(naming, 'unknown-call');
    expect(shown(await reviewed(off, { checks: {} }))).toHaveLength(2);
    expect(shown(await reviewed(off, { checks: { 'unknown-call': 'error' } }))).toHaveLength(3);
  });
});

describe('the comments of a change that is reviewed with the policy of its base', () => {
  const comment = { 7: '  # millrace-ignore literal-environment: Only for tests' };

  test.each([
    ['base', ['7 literal-environment', '8 literal-environment', '7 suppression-added']],
    ['all', ['8 literal-environment', '7 suppression-added']],
    ['off', ['7 literal-environment', '8 literal-environment', '7 suppression-useless']],
  ] as const)(
    'have an effect as the setting %s says, and are reported',
    async (suppressionComments, expected) => {
      project.write('a.orch.yaml', commented({}));
      const base = project.commit('The base');
      const report = await reviewed(commented(comment), { policyCommit: base, suppressionComments });
      expect(shown(report).filter((one) => !one.includes(naming))).toEqual(expected);
    },
  );

  test('have an effect if the base has them, also after a rename and on another line', async () => {
    project.write('old.orch.yaml', commented(comment));
    const base = project.commit('The base');
    project.git('rm', '-q', 'old.orch.yaml');
    const text = commented(comment).replace('pipeline:', '\npipeline:');
    const report = await reviewed(text, { policyCommit: base, base, scope: 'changed' });
    expect(shown(report).filter((one) => !one.includes(naming))).toEqual(['9 literal-environment']);

    const other = await reviewed(text.replace('schema: "DEV"', 'schema: "PROD"'), {
      policyCommit: base,
      base,
    });
    expect(shown(other).filter((one) => one.includes('literal'))).toHaveLength(2);
  });

  test.each(['', ':', ': x'])('have no effect if the base has them without a reason: "%s"', async (old) => {
    project.write('a.orch.yaml', commented({ 7: `  # millrace-ignore literal-environment${old}` }));
    const base = project.commit('The base');
    const report = await reviewed(commented(comment), { policyCommit: base, base, scope: 'changed' });
    expect(shown(report).filter((one) => !one.includes(naming))).toEqual([
      '7 literal-environment',
      '8 literal-environment',
      '7 suppression-added',
    ]);
  });
});

test('a file full of comments is read in time, and the last ones have no effect', async () => {
  const many = '# millrace-ignore literal-environment: Only for tests\n'.repeat(20_000);
  const report = await reviewed(many + commented({}));
  expect(report.findings.filter(({ rule }) => rule.endsWith('useless'))).toHaveLength(1000);
});
