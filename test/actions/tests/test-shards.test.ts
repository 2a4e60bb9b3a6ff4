import { afterAll, beforeAll, expect, test } from 'vitest';
import { testInputs } from '../../../actions/test/inputs.ts';
import { readShard } from '../../../actions/test/read-shard.ts';
import { mergeFolder } from '../../../actions/test/shards.ts';
import { mixedProject } from '../../flows/pipeline-tests/mixed-project.ts';
import { copyPipeline } from '../../cli/tests/test-project.ts';
import { createTestWorkspace, type TestWorkspace } from './test-action.ts';

const given =
  'given: { staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR }, rows: [{ id: 1 }] } }';
const copyTest = `pipeline: copy
tests:
  - { name: fails, ${given}, expect: { tables: { orders: { count: 2 } } } }
  - { name: passes, ${given}, expect: { tables: { orders: { count: 1 } } } }
`;

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createTestWorkspace({
    'one/copy.tran.yaml': copyPipeline,
    'one/copy.test.yaml': copyTest,
    'one/left-out.test.yaml': copyTest,
    'many/many.orch.yaml': mixedProject['many.orch.yaml'],
    'many/many.test.yaml': mixedProject['many.test.yaml'],
  });
});
afterAll(() => workspace[Symbol.asyncDispose]());

const withoutTimes = (text = '') =>
  text.replaceAll(/\b\d+ ms\b/g, 'ms').replaceAll(/"durationMs": [\d.]+|time="[\d.]+"/g, '');

test('the job that merges shards reports what one job reports, and the shards report no finding', async () => {
  const inputs = { 'working-directory': 'one', files: 'copy.test.yaml' };
  const whole = await workspace.run(inputs);
  const shards = await Promise.all(
    ['1/2', '2/2'].map(async (shard) => {
      const run = await workspace.run({ ...inputs, shard });
      await workspace.write(`blobs/${shard}/blob.json`, run.files['blob-path'] ?? '');
      return run;
    }),
  );
  for (const [index, { exitCode, outputs, summary, annotations }] of shards.entries()) {
    expect([exitCode, outputs]).toEqual([1 - index, expect.objectContaining({ tests: '1', findings: '' })]);
    expect([outputs['coverage-path'], outputs['durations-path']]).toEqual(['', '']);
    expect(summary).toContain(`Only shard ${index + 1}/2 ran&#58; 1 of 2 tests.`);
    // Only why the step failed, without a place.
    expect(annotations.filter(({ file }) => file !== undefined)).toEqual([]);
  }
  const merged = await workspace.run({ 'working-directory': 'one', blobs: 'blobs' });
  expect([merged.exitCode, merged.annotations]).toEqual([1, whole.annotations]);
  expect(whole.summary).toContain('Only some tests were chosen&#58; files&#58; copy.test.yaml.');
  expect(withoutTimes(merged.summary)).toBe(withoutTimes(whole.summary));
  for (const name of ['report-path', 'junit-path', 'coverage-path'])
    expect(withoutTimes(merged.files[name])).toBe(withoutTimes(whole.files[name]));
  expect(JSON.parse(merged.files['durations-path'] ?? '')).toMatchObject({
    tests: { 'copy.test.yaml': { fails: expect.any(Number) as number } },
  });
});

test('many tests run in several processes', async () => {
  const { outputs } = await workspace.run({ 'working-directory': 'many', jobs: '2', compile: 'off' });
  expect(outputs).toMatchObject({ outcome: 'failed', tests: '110', passed: '66', failed: '44' });
});

test.for([
  [{ shard: '3/2' }, '"3/2" is not a part of the tests.'],
  [{ durations: 'd.json' }, 'The input durations has no effect without shard.'],
  [{ blobs: 'blobs', shard: '1/2' }, 'The input shard has no effect with blobs'],
  [{ blobs: 'blobs', files: 'a' }, 'The input files has no effect with blobs'],
  [{ blobs: 'blobs', filter: 'a' }, 'The input filter has no effect with blobs'],
  [{ blobs: 'blobs', jobs: '1' }, 'The input jobs has no effect with blobs'],
  [{ shard: '1/2', mutate: 'true' }, 'The input mutate has no effect with shard'],
  [{ 'mutate-threshold': '80' }, 'The input mutate-threshold has no effect without mutate.'],
] as const)('refused: %j', ([inputs, message]) => {
  expect(() => readShard(testInputs.parse(inputs))).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) as string }),
  );
});

test('a folder without blobs, and blobs of another commit or project, are refused', async () => {
  const facts = { workspace: workspace.folder } as Parameters<typeof mergeFolder>[2]['facts'];
  await expect(mergeFolder('none', { commit: '', project: 'one/' }, { facts })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('The folder "none" cannot be read') as string,
  });
  await expect(mergeFolder('one', { commit: '', project: 'one/' }, { facts })).rejects.toMatchObject({
    code: 'blob-invalid',
  });
  await expect(
    mergeFolder('blobs', { commit: 'c'.repeat(40), project: 'one/' }, { facts }),
  ).rejects.toMatchObject({
    code: 'blob-invalid',
    message: 'The shards tested the commit , and cccccccccccc is checked out.',
  });
  const other = await workspace.run({ 'working-directory': 'many', blobs: 'blobs' });
  expect(other.exitCode).toBe(2);
  expect(other.annotations).toMatchObject([
    {
      message: expect.stringContaining(
        'The shards tested the project in one, and this step reports the project in many.',
      ) as string,
    },
  ]);
});
