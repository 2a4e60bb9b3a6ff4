import { describe, expect, test } from 'vitest';
import { reviewFiles } from '../../../lib/pipelines/review-files.ts';

const rulesFile = (level: string, ...more: string[]) => ({
  path: '.platform/config/pipeline_quality_rules.yaml',
  text: ['rules:', `- { id: unused-components, enabled: true, enforcementLevel: ${level} }`, ...more].join(
    '\n',
  ),
});

const good = { path: 'good.tran.yaml', text: 'pipeline: {}' };
const bad = { path: 'bad.tran.yaml', text: 'pipeline: { components: { Alone: { type: filter } } }' };
const noStart = { path: 'no start.orch.yaml', text: 'pipeline: {}' };

describe('the status of a review', () => {
  test('is FAILED where a rule with error enforcement failed', async () => {
    expect((await reviewFiles({ rulesFile: rulesFile('error'), pipelines: [good, bad] })).reviewStatus).toBe(
      'FAILED',
    );
  });

  test('is PASSED where only a rule with warn enforcement failed', async () => {
    const { reviewStatus, results } = await reviewFiles({
      rulesFile: rulesFile('warn'),
      pipelines: [good, bad],
    });
    expect(reviewStatus).toBe('PASSED');
    expect(results.get(bad.path)?.[0]?.status).toBe('FAILED');
  });

  test('is PASSED where a rule could not be evaluated, which the caller can tell by its level', async () => {
    const { reviewStatus, results } = await reviewFiles({
      rulesFile: rulesFile('error'),
      pipelines: [noStart],
    });
    expect(reviewStatus).toBe('PASSED');
    expect(results.get(noStart.path)?.[0]).toMatchObject({ status: 'ERROR', enforcementLevel: 'error' });
  });

  test('is PASSED without a rules file, at a level that is not known', async () => {
    const { reviewStatus, results } = await reviewFiles({
      rulesFile: { path: 'rules.yaml', text: undefined },
      pipelines: [bad, noStart],
    });
    expect(reviewStatus).toBe('PASSED');
    expect([...results.values()].flat().map(({ enforcementLevel }) => enforcementLevel)).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  test('is PASSED for no files', async () => {
    expect(await reviewFiles({ rulesFile: rulesFile('error'), pipelines: [] })).toMatchObject({
      reviewStatus: 'PASSED',
    });
  });
});

test('files of any other suffix are left out and named', async () => {
  const others = ['load.sql', 'load.yaml', 'README.md'].map((path) => ({ path, text: ':::' }));
  const review = await reviewFiles({ rulesFile: rulesFile('error'), pipelines: [...others, good] });
  expect(review.excludedFiles).toEqual(['load.sql', 'load.yaml', 'README.md']);
  expect([...review.results.keys()]).toEqual(['good.tran.yaml']);
});

test('results keep the order of the files given', async () => {
  const { results } = await reviewFiles({ rulesFile: rulesFile('warn'), pipelines: [noStart, good, bad] });
  expect([...results.keys()]).toEqual(['no start.orch.yaml', 'good.tran.yaml', 'bad.tran.yaml']);
});

test('a setting adds types of outputs', async () => {
  const files = {
    rulesFile: rulesFile(
      'error',
      '- { id: end-output-components, enabled: true, enforcementLevel: error }',
      '- { id: maximum-outputs, enabled: true, enforcementLevel: error, config: { maxOutputs: 0 } }',
    ),
    pipelines: [
      {
        path: 'a.tran.yaml',
        text: 'pipeline: { components: { A: { type: table-input }, B: { type: my-output, sources: [A] } } }',
      },
    ],
  };
  const statuses = (review: Awaited<ReturnType<typeof reviewFiles>>) =>
    review.results.get('a.tran.yaml')?.map(({ status }) => status);
  expect(statuses(await reviewFiles(files))).toEqual(['PASSED', 'FAILED', 'PASSED']);
  expect(statuses(await reviewFiles({ ...files, outputTypes: ['my-output'] }))).toEqual([
    'PASSED',
    'PASSED',
    'FAILED',
  ]);
});

test('a violation names the component in double quotes and marks its whole name', async () => {
  const { results } = await reviewFiles({ rulesFile: rulesFile('error'), pipelines: [bad] });
  expect(results.get(bad.path)?.[0]?.violations).toEqual([
    {
      message: 'The component "Alone" has neither a source nor a consumer',
      component: 'Alone',
      range: { line: 1, column: 27, endLine: 1, endColumn: 32 },
    },
  ]);
});

test('a pattern that cannot be matched in bounded time is an error of the rule, and the review continues', async () => {
  const { results } = await reviewFiles({
    rulesFile: rulesFile(
      'warn',
      '- { id: component-naming-convention, enabled: true, enforcementLevel: error, config: { regexMatchPattern: "(?=a)b" } }',
    ),
    pipelines: [
      { path: 'a.tran.yaml', text: `pipeline: { components: { ${'a'.repeat(50)}b: { type: filter } } }` },
      bad,
    ],
  });
  for (const path of ['a.tran.yaml', 'bad.tran.yaml']) {
    expect(results.get(path)?.map(({ errorDetail, status }) => errorDetail?.type ?? status)).toEqual([
      'FAILED',
      'designer/invalid-regex-pattern',
    ]);
  }
});

test('the strictest level of a rule that is enabled twice counts', async () => {
  const { results } = await reviewFiles({
    rulesFile: rulesFile('error', '- { id: unused-components, enabled: true, enforcementLevel: warn }'),
    pipelines: [good],
  });
  expect(results.get(good.path)).toMatchObject([
    { enforcementLevel: 'error', errorDetail: { type: 'designer/duplicate-enabled-rule' } },
  ]);
});
