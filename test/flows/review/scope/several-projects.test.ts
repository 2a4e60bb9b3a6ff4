import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reviewLocally } from '../../../../flows/review/review-locally.ts';
import { reviewOnPlatform } from '../../../../flows/review/review-on-platform.ts';
import type { ReviewRequest } from '../../../../flows/review/scope/review-request.ts';
import { namingRule, rulesPath } from '../review-project.ts';
import {
  createFlowEnvironment,
  smallPipeline,
  reviewRequestOf,
  type FlowEnvironment,
} from '../../flow-environment.ts';

const badName = smallPipeline.replaceAll('Work', 'work load');
const warn = namingRule.replace('Level: error', 'Level: warn');

describe('of several projects in one repository', () => {
  let env: FlowEnvironment;
  beforeEach(async () => {
    env = await createFlowEnvironment();
  });
  afterEach(() => env[Symbol.asyncDispose]());
  const commit = (files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) env.work.write(file, text);
    env.work.commit('Next');
    env.push();
    return env.work.git('rev-parse', 'HEAD');
  };

  /** What both entrances say of a project; they must say the same. */
  const reviewed = async (directory: string, more: Partial<ReviewRequest> = {}) => {
    const request = reviewRequestOf(env, { directory, ...more });
    const local = await reviewLocally(request, env.context);
    const platform = await reviewOnPlatform(request, env.context);
    const essence = ({ outcome, findings, reviewed: files }: typeof local) => ({
      outcome,
      files: files.toSorted(),
      findings: findings.map(
        ({ severity, rule, file, line, column }) => `${severity} ${rule} ${file}:${line}:${column}`,
      ),
    });
    expect(essence(platform)).toEqual(essence(local));
    return essence(local);
  };
  const naming = (severity: string, file: string) => `${severity} component-naming-convention ${file}:9:5`;

  test('one with its own rules file is reviewed by it, another by the repository’s', async () => {
    commit({
      [rulesPath]: namingRule,
      [`finance/${rulesPath}`]: warn,
      'finance/daily/a.orch.yaml': badName,
      'sales/a.orch.yaml': badName,
    });
    expect(await reviewed('finance')).toMatchObject({
      outcome: 'passed',
      findings: [naming('warning', 'finance/daily/a.orch.yaml')],
    });
    expect(await reviewed('sales')).toMatchObject({
      outcome: 'failed',
      findings: [naming('error', 'sales/a.orch.yaml')],
    });
  });

  test('one alone may have rules, and the other misses the rules of the repository', async () => {
    commit({ [`finance/${rulesPath}`]: warn, 'finance/a.orch.yaml': badName, 'sales/a.orch.yaml': badName });
    expect((await reviewed('finance')).findings).toEqual([naming('warning', 'finance/a.orch.yaml')]);
    expect((await reviewed('sales')).findings).toEqual([`error rules-file ${rulesPath}:1:1`]);
  });

  test('all are reviewed again when the rules file of the repository changes', async () => {
    const base = commit({ [rulesPath]: namingRule, 'sales/a.orch.yaml': badName });
    commit({ [rulesPath]: warn });
    const more = { base, scope: 'changed' } as const;
    expect(await reviewed('sales', more)).toMatchObject({
      files: ['sales/a.orch.yaml'],
      findings: [
        `warning millrace/rules-loosened ${rulesPath}:2:9`,
        naming('warning', 'sales/a.orch.yaml'),
        `notice millrace/policy-changed ${rulesPath}:1:1`,
      ],
    });
  });

  test('one cannot loosen its rules by a rules file of its own, nor by deleting a stricter one', async () => {
    const base = commit({ [rulesPath]: namingRule, 'sales/a.orch.yaml': badName });
    const own = commit({ [`sales/${rulesPath}`]: warn });
    const loosened = `warning millrace/rules-loosened sales/${rulesPath}:2:9`;
    expect((await reviewed('sales', { base, scope: 'changed' })).findings).toContain(loosened);

    const strict = commit({ [rulesPath]: warn, [`sales/${rulesPath}`]: namingRule });
    expect(own).not.toBe(strict);
    env.work.git('rm', '-q', `sales/${rulesPath}`);
    env.work.commit('The root’s hold');
    env.push();
    const { findings } = await reviewed('sales', { base: strict, scope: 'changed' });
    expect(findings).toContain(`warning millrace/rules-loosened sales/${rulesPath}:1:1`);
  });
});
