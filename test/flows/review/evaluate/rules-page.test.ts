import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkIds } from '../../../../lib/config/project/review-schema.ts';
import { helpedRules } from '../../../../flows/review/evaluate/rule-help.ts';
import { qualityRules } from '../../../../lib/pipelines/rules/quality-rules.ts';
import { reviewProject, rulesPath } from '../review-project.ts';

const page = readFileSync(new URL('../../../../docs/rules.md', import.meta.url), 'utf8');
const sections = page.split(/^## /m).slice(1);

describe('the page of rules', () => {
  test.each(checkIds)(
    '%s has a reason, a fix, and an example with its findings at the marked lines',
    async (check) => {
      const section = sections.find((one) => one.startsWith(`${check}\n`)) ?? '';
      expect(section).toContain('**Why.**');
      expect(section).toContain('**How to fix.**');
      const [, example = ''] = /^```yaml\n(.*?)^```$/ms.exec(section) ?? [];
      using project = reviewProject();
      project.write(rulesPath, 'rules: []\n');
      // A project without a pipeline would be a finding of its own.
      project.write('other.orch.yaml', 'pipeline:\n  components:\n    Start: { type: start }\n');
      const expected: string[] = [];
      for (const part of example.split(/^# file: /m).slice(1)) {
        const [name = '', ...lines] = part.split('\n');
        const [, file = '', tag] = /^(.*?)(?: at (v\d+))?$/.exec(name) ?? [];
        project.write(file, lines.join('\n'));
        if (tag !== undefined) {
          project.commit('Released');
          project.git('tag', tag);
        } else
          lines.forEach((line, index) => line.endsWith('# found') && expected.push(`${file}:${index + 1}`));
      }
      project.commit('The example');

      const { findings } = await project.review({ checks: { [check]: 'warning' } });
      expect(expected.length).toBeGreaterThan(0);
      expect(findings.map(({ file, line }) => `${file}:${line}`).toSorted()).toEqual(expected.toSorted());
      expect(
        findings.every(({ rule, severity }) => rule === `millrace/${check}` && severity === 'warning'),
      ).toBe(true);
      expect((await project.review()).findings).toEqual([]);
    },
  );

  test('every rule and check has help for SARIF', () => {
    expect(helpedRules).toEqual(
      expect.arrayContaining([...qualityRules.keys(), ...checkIds.map((check) => `millrace/${check}`)]),
    );
  });
});
