import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reviewLocally } from '../../../flows/review/review-locally.ts';
import { reviewOnPlatform } from '../../../flows/review/review-on-platform.ts';
import { platformRawFindings } from '../../../flows/review/evaluate/platform-raw-findings.ts';
import { reviewFiles } from '../../../lib/pipelines/review-files.ts';
import {
  createFlowEnvironment,
  smallPipeline,
  reviewRequestOf,
  type FlowEnvironment,
} from '../flow-environment.ts';

const rules = `rules:
  - id: component-naming-convention
    enabled: true
    enforcementLevel: error
    config:
      regexMatchPattern: "[A-Z].*"
  - id: maximum-components
    enabled: true
    enforcementLevel: warn
    config:
      maxComponents: 2
`;
const rulesPath = '.platform/config/pipeline_quality_rules.yaml';
const badName = smallPipeline.replaceAll('Work', 'work load');

describe('a review', () => {
  let env: FlowEnvironment;
  beforeEach(async () => {
    env = await createFlowEnvironment();
    env.work.write(rulesPath, rules);
    env.work.write('good.orch.yaml', smallPipeline);
    env.work.write('daily/bad.orch.yaml', badName);
    env.work.commit('A project');
    env.push();
  });
  afterEach(() => env[Symbol.asyncDispose]());

  test('on the platform has the component’s line and the level of the rules file, worst first', async () => {
    const report = await reviewOnPlatform(reviewRequestOf(env), env.context);

    expect(report).toMatchObject({
      outcome: 'failed',
      reviewStatus: 'FAILED',
      counts: { error: 1, warning: 2 },
    });
    expect(
      report.findings.map(({ rule, severity, file, line, component, source: by }) => ({
        rule,
        severity,
        file,
        line,
        component,
        by,
      })),
    ).toEqual([
      {
        rule: 'component-naming-convention',
        severity: 'error',
        file: 'daily/bad.orch.yaml',
        line: 9,
        component: 'work load',
        by: 'platform',
      },
      {
        rule: 'maximum-components',
        severity: 'warning',
        file: 'daily/bad.orch.yaml',
        line: 4,
        component: undefined,
        by: 'platform',
      },
      {
        rule: 'maximum-components',
        severity: 'warning',
        file: 'good.orch.yaml',
        line: 4,
        component: undefined,
        by: 'platform',
      },
    ]);
  });

  test('evaluated locally finds the same, on the same lines', async () => {
    const platform = await reviewOnPlatform(reviewRequestOf(env), env.context);
    const local = await reviewLocally(reviewRequestOf(env), env.context);

    const essence = ({ findings }: typeof local) =>
      findings.map(({ source: _source, ...finding }) => finding);
    expect(essence(local)).toEqual(essence(platform));
    expect(local.outcome).toBe('failed');
  });

  test('of changed files leaves the others alone, and without a changed pipeline there is nothing to do', async () => {
    const base = env.work.git('rev-parse', 'HEAD');
    env.work.write('notes.md', 'x');
    env.work.commit('Notes');
    const none = await reviewLocally(reviewRequestOf(env, { scope: 'changed', base }), env.context);
    env.work.write('good.orch.yaml', `${smallPipeline}# touched\n`);
    env.work.git('mv', 'daily/bad.orch.yaml', 'daily/worse.orch.yaml');
    env.work.commit('A pipeline, and one renamed');
    const some = await reviewLocally(reviewRequestOf(env, { scope: 'changed', base }), env.context);

    expect(none).toMatchObject({ outcome: 'nothing-to-do', reviewed: [] });
    expect(some.reviewed.toSorted()).toEqual(['daily/worse.orch.yaml', 'good.orch.yaml']);
  });

  test('covers all pipelines when the rules file changed', async () => {
    const base = env.work.git('rev-parse', 'HEAD');
    env.work.write(rulesPath, rules.replace('maxComponents: 2', 'maxComponents: 9'));
    env.work.commit('Looser');
    const report = await reviewLocally(reviewRequestOf(env, { scope: 'changed', base }), env.context);

    expect(report.reviewed).toHaveLength(2);
    expect(report.scopeReason).toBe('all pipelines, because the rules file changed');
  });

  test('names a fault of the rules file once, on its own line, not once per pipeline', async () => {
    env.work.write(
      rulesPath,
      `${rules}  - id: no-such-rule\n    enabled: true\n    enforcementLevel: error\n`,
    );
    env.work.commit('A rule that is not there');
    env.push();

    for (const review of [reviewLocally, reviewOnPlatform]) {
      const { findings, outcome } = await review(reviewRequestOf(env), env.context);
      const faults = findings.filter(({ rule }) => rule === 'no-such-rule');
      expect(outcome).toBe('failed');
      expect(faults).toMatchObject([{ file: rulesPath, line: 12, severity: 'error' }]);
      expect(faults[0]?.message).toContain('designer/validator-not-found');
    }
  });

  test('without a rules file fails and names the missing file', async () => {
    env.work.git('rm', '-q', rulesPath);
    env.work.commit('No rules');
    env.push();
    const report = await reviewOnPlatform(reviewRequestOf(env), env.context);

    expect(report.outcome).toBe('failed');
    expect(report.findings).toMatchObject([
      { file: rulesPath, message: expect.stringContaining('designer/rules-file-retrieval-error') },
    ]);
  });

  test('of broken YAML has the position of the error', async () => {
    env.work.write('broken.orch.yaml', 'type: "orchestration"\npipeline:\n  components: [\n');
    env.work.commit('Broken');
    const { findings } = await reviewLocally(
      reviewRequestOf(env, { files: ['broken.orch.yaml'] }),
      env.context,
    );

    expect(findings[0]).toMatchObject({
      file: 'broken.orch.yaml',
      message: expect.stringContaining('designer/document-parse-error'),
    });
    expect(findings[0]?.line).toBeGreaterThan(1);
  });

  test('lets everything through with fail-on never, and fails on warnings where that is wanted', async () => {
    const never = await reviewOnPlatform(reviewRequestOf(env, { failOn: 'never' }), env.context);
    const warning = await reviewLocally(
      reviewRequestOf(env, { failOn: 'warning', files: ['good.orch.yaml'] }),
      env.context,
    );

    expect(never).toMatchObject({ outcome: 'passed', counts: { error: 1 } });
    expect(warning).toMatchObject({ outcome: 'failed', counts: { error: 0, warning: 1 } });
  });

  test('of a file that is not in the commit is wrong use', async () => {
    await expect(
      reviewLocally(reviewRequestOf(env, { files: ['none.orch.yaml'] }), env.context),
    ).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('none.orch.yaml'),
    });
  });

  test('of a commit that was not pushed is refused by the platform with the reason', async () => {
    env.work.write('good.orch.yaml', `${smallPipeline}\n`);
    env.work.commit('Not pushed');
    await expect(reviewOnPlatform(reviewRequestOf(env), env.context)).rejects.toMatchObject({
      code: 'not-found',
      exitCode: 2,
    });
  });
});

describe('the platform’s messages get positions', async () => {
  const twoBad = smallPipeline.replaceAll('Work', 'load').replaceAll('Done', 'load orders');
  const local = await reviewFiles({
    rulesFile: { path: rulesPath, text: rules },
    pipelines: [{ path: 'a.orch.yaml', text: twoBad }],
  });
  const own = local.results.get('a.orch.yaml') ?? [];
  const place = (...violations: string[]) =>
    platformRawFindings(
      'a.orch.yaml',
      [{ ruleName: 'component-naming-convention', status: 'FAILED', violations }],
      own,
      rulesPath,
    ).map(({ component, line }) => ({ component, line }));
  const orders = { component: 'load orders', line: 16 };
  const load = { component: 'load', line: 9 };

  test.each([
    [
      'in double quotes',
      'Component "load orders" breaks the convention',
      'Component "load" breaks the convention',
    ],
    ['in other quotes', 'Bad name: `load orders`', "Bad name: 'load'"],
    ['without quotes', 'The name of load orders does not match', 'The name of load does not match'],
    ['at the end', 'Does not match: load orders', 'Does not match: load'],
    ['in brackets', '[load orders] is misnamed', '[load] is misnamed'],
  ])('a component named %s', (_, first, second) => {
    expect(place(first, second)).toEqual([orders, load]);
    expect(place(second, first)).toEqual([load, orders]);
  });

  test('a sentence that names nothing takes the one place that is left, and only then', () => {
    expect(place('"load orders" is bad', 'Another name is bad')).toEqual([orders, load]);
    expect(place('Something is bad', 'And something else')).toEqual([
      { component: undefined, line: 1 },
      { component: undefined, line: 1 },
    ]);
  });

  test('a name inside a longer word is not taken for the component', () => {
    expect(place('The upload is bad', 'The reload is bad')).toEqual([
      { component: undefined, line: 1 },
      { component: undefined, line: 1 },
    ]);
  });

  test('an unknown status is an error', () => {
    const [rawFinding] = platformRawFindings(
      'a.orch.yaml',
      [{ ruleName: 'x', status: 'MAYBE' }],
      own,
      rulesPath,
    );
    expect(rawFinding).toMatchObject({ severity: 'error', message: expect.stringContaining('MAYBE') });
  });
});
