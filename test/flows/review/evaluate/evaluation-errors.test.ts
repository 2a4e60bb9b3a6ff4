import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeBaseline } from '../../../../flows/findings/baseline.ts';
import { platformRawFindings } from '../../../../flows/review/evaluate/platform-raw-findings.ts';
import { reportSchema } from '../../../../flows/review/formats/report-schema.ts';
import { reviewLocally } from '../../../../flows/review/review-locally.ts';
import { reviewOnPlatform } from '../../../../flows/review/review-on-platform.ts';
import type { ReviewRequest } from '../../../../flows/review/scope/review-request.ts';
import { baselineFile, namingRule, rulesPath } from '../review-project.ts';
import {
  createFlowEnvironment,
  smallPipeline,
  reviewRequestOf,
  type FlowEnvironment,
} from '../../flow-environment.ts';

const badName = smallPipeline.replaceAll('Work', 'work load');
const brokenYaml = 'type: "orchestration"\npipeline:\n  components: [\n';
const reviews = [
  ['evaluated locally', reviewLocally],
  ['evaluated by the platform', reviewOnPlatform],
] as const;

describe.each(reviews)('a rule that could not be evaluated (%s)', (_, review) => {
  let env: FlowEnvironment;
  const reviewed = (more: Partial<ReviewRequest> = {}) =>
    review(reviewRequestOf(env, { baseline: baselineFile, ...more }), env.context);
  const commit = (files: Record<string, string | undefined>) => {
    for (const [file, text] of Object.entries(files)) {
      if (text === undefined) env.work.git('rm', '-q', file);
      else env.work.write(file, text);
    }
    env.work.commit('Next');
    env.push();
  };
  beforeEach(async () => {
    env = await createFlowEnvironment();
    commit({ [rulesPath]: namingRule, 'a.orch.yaml': smallPipeline });
  });
  afterEach(() => env[Symbol.asyncDispose]());

  test.each([
    ['a broken rules file', { [rulesPath]: 'rules: [\n' }, {}],
    ['a broken pipeline', { 'a.orch.yaml': brokenYaml }, { 'b.orch.yaml': badName }],
  ])('is neither recorded in a baseline nor known because of %s', async (_what, broken, also) => {
    commit(broken);
    const first = await reviewed();
    expect(first).toMatchObject({ outcome: 'failed', nextBaseline: [] });
    // A baseline that an earlier version recorded holds the error.
    commit({ [baselineFile]: writeBaseline(first.findings), ...also });

    const again = await reviewed();
    expect(again.outcome).toBe('failed');
    expect(again.findings.filter(({ errorType }) => errorType !== undefined)).toMatchObject([
      { state: 'new', severity: 'error' },
    ]);
    expect(again.findings.filter(({ state }) => state === 'fixed')).toEqual([]);
    expect(again.nextBaseline.filter(({ file }) => file !== 'b.orch.yaml')).toEqual([]);
  });

  test('hides no broken pipeline where the rules file is recorded as missing and then deleted', async () => {
    commit({ [rulesPath]: undefined });
    const { findings } = await reviewed();
    commit({ [rulesPath]: namingRule, [baselineFile]: writeBaseline(findings) });
    expect((await reviewed()).outcome).toBe('passed');
    commit({ [rulesPath]: undefined, 'a.orch.yaml': badName });

    expect(await reviewed()).toMatchObject({ outcome: 'failed', counts: { error: 1 } });
  });

  test.each([
    ['rules-file', { [rulesPath]: 'rules: [\n' }],
    ['pipeline-file', { 'a.orch.yaml': brokenYaml }],
    ['component-naming-convention', { [rulesPath]: namingRule.replace('Level: error', 'Level: errorr') }],
  ])('is not suppressed by an entry for %s', async (rule, broken) => {
    commit(broken);
    const report = await reviewed({ suppress: [{ rule, reason: 'It may stay' }] });
    expect(report).toMatchObject({ outcome: 'failed', suppressed: [] });
  });

  test('says its type in JSON', async () => {
    commit({ [rulesPath]: 'rules: [\n' });
    const { nextBaseline: _next, ...shown } = await reviewed();
    const written: unknown = JSON.parse(JSON.stringify(shown));
    expect(reportSchema.parse(written)).toEqual(written);
    expect(shown.findings).toMatchObject([{ errorType: 'designer/rules-file-parse-error' }]);
  });
});

describe('a platform’s error that our own evaluation does not share', () => {
  const rawFindings = (type: string | undefined) =>
    platformRawFindings(
      'daily/a.orch.yaml',
      [{ ruleName: 'unused-components', status: 'ERROR', errorDetail: type === undefined ? null : { type } }],
      [],
      rulesPath,
    );

  test('of a type that blames the rules file is there and names the type', () => {
    expect(rawFindings('designer/invalid-rule-configuration')).toMatchObject([
      { file: rulesPath, errorType: 'designer/invalid-rule-configuration' },
    ]);
  });

  test.each(['designer/out-of-memory', 'other/thing', undefined])(
    'of the unknown type %s is on the pipeline that it is about',
    (type) => {
      const [rawFinding] = rawFindings(type);
      expect(rawFinding).toMatchObject({
        file: 'daily/a.orch.yaml',
        rule: 'unused-components',
        severity: 'error',
      });
      expect(rawFinding?.errorType).toBe(type ?? 'no type given');
      expect(rawFinding?.message).toContain('daily/a.orch.yaml');
    },
  );

  test('as a status that the specification does not name is an error of evaluation', () => {
    const answer = { ruleName: 'unused-components', status: 'SKIPPED' };
    const [rawFinding] = platformRawFindings('daily/a.orch.yaml', [answer], [], rulesPath);
    expect(rawFinding).toMatchObject({ severity: 'error', errorType: 'millrace/unknown-rule-status' });
    expect(rawFinding?.message).toContain('"SKIPPED"');
  });
});
