import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf } from '../../../../cli/tests/report-tests.ts';
import { testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { runParts } from '../../../../flows/pipeline-tests/run/run-tests.ts';
import { reportOfParts, type TestReport } from '../../../../flows/pipeline-tests/run/test-report.ts';
import type { Blob } from '../../../../flows/pipeline-tests/shards/blob-schema.ts';
import { selectShard } from '../../../../flows/pipeline-tests/shards/choose-shard.ts';
import { mergeBlobs } from '../../../../flows/pipeline-tests/shards/merge-blobs.ts';
import { sealBlob, writeBlob } from '../../../../flows/pipeline-tests/shards/write-blob.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { version } from '../../../../lib/core/values/version.ts';
import { mixedProject } from '../mixed-project.ts';
import { testFolder } from '../../../cli/tests/test-project.ts';

const context = { clock: systemClock, signal: new AbortController().signal };

const settings = { files: '', filter: '', python: 'false', coverage: 'true' };

/** The reports of one run of all tests, and of shards that were merged. */
async function bothReports(directory: string, count: number) {
  const project = openTestProject(directory, 'WAREHOUSE_ONE');
  const request = { project, files: testFiles(project), jobs: 1, withCoverage: true };
  const whole = await runParts(request, context);
  const blobs: { name: string; text: string }[] = [];
  for (let number = 1; number <= count; number += 1) {
    const shard = { number, count };
    const parts = await runParts({ ...request, select: selectShard(shard, new Map()) }, context);
    const run = { project, files: request.files, shard, durations: undefined, settings };
    blobs.unshift({ name: `${number}.json`, text: writeBlob(parts, run) });
  }
  return { whole: reportOfParts(whole), merged: mergeBlobs(blobs).report };
}

const withoutTimes = (report: TestReport): TestReport => ({
  ...report,
  tests: report.tests.map((result) => ({ ...result, durationMs: 1 })),
});

test.each([
  { name: 'the example', shards: 2, files: undefined },
  { name: 'failures, refusals, wrong files and coverage', shards: 5, files: mixedProject },
])('merged shards equal one run in every format: $name', async ({ shards, files }) => {
  using folder = testFolder(files);
  const example = join(import.meta.dirname, '../../../../examples/warehouse');
  const { whole, merged } = await bothReports(files === undefined ? example : folder.directory, shards);
  for (const format of ['json', 'junit', 'markdown', 'text'] as const)
    expect(await linesOf(withoutTimes(merged), { format })).toEqual(
      await linesOf(withoutTimes(whole), { format }),
    );
});

test('a secret is removed from a blob before its digest is computed', async () => {
  using folder = testFolder({
    'a.orch.yaml': 'pipeline: { components: { Start: { type: start } } }\n',
    'a.test.yaml': 'pipeline: a\ntests: [{ name: a secret, expect: { outcome: success } }]\n',
  });
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const files = testFiles(project);
  const parts = await runParts({ project, files, jobs: 1, withCoverage: false }, context);
  const redact = (text: string) => text.replaceAll('secret', '***');
  const shard = { number: 1, count: 1 };
  const text = writeBlob(parts, { project, files, shard, durations: undefined, settings, redact });
  expect(mergeBlobs([{ name: 'a.json', text }]).report.tests).toMatchObject([{ name: 'a ***' }]);
});

const zeros = '0'.repeat(64);
const ones = '1'.repeat(64);

/** A shard with one of two tests. */
function shardOf(number: number, changes: Partial<Blob> = {}): Blob {
  const result = { file: 'a', line: 1, name: `${number}`, pipeline: 'a', durationMs: 1, differences: [] };
  return {
    form: 1,
    millrace: version,
    shard: { number, count: 2 },
    testsDigest: zeros,
    durationsDigest: null,
    projectDigest: zeros,
    settings: { filter: '' },
    tests: 2,
    ended: [{ index: number - 1, result: { ...result, status: 'passed' } }],
    problems: [],
    ...changes,
  };
}

const first = sealBlob(shardOf(1));
const second = sealBlob(shardOf(2));
const other = (changes: Partial<Blob>) => [first, sealBlob(shardOf(2, changes))];
const once = (blob: Blob) => blob.ended[0] ?? { index: 0 };

test.each([
  {
    what: 'a file that ends early',
    texts: [first, second.slice(0, -40)],
    at: 'b.json',
    says: 'not complete',
  },
  {
    what: 'an edited file',
    texts: [first, second.replace('passed', 'failed')],
    at: 'b.json',
    says: 'was changed',
  },
  { what: 'a JSON file without a blob', texts: ['{}', second], at: 'a.json', says: 'is not a blob' },
  { what: 'a file that is not JSON', texts: ['a', second], at: 'a.json', says: 'is not a blob' },
  { what: 'another version', texts: other({ millrace: '0.0.1' }), at: 'b.json', says: 'by Millrace 0.0.1' },
  { what: 'another form', texts: other({ form: 2 as 1 }), at: 'b.json', says: 'this is Millrace' },
  { what: 'a wrong form', texts: other({ tests: -1 }), at: 'b.json', says: 'tests: Too small' },
  { what: 'other tests', texts: other({ testsDigest: ones }), at: 'b.json', says: 'lists of tests differ' },
  {
    what: 'other durations',
    texts: other({ durationsDigest: ones }),
    at: 'b.json',
    says: 'durations differ',
  },
  { what: 'another commit', texts: other({ projectDigest: ones }), at: 'b.json', says: 'another commit' },
  { what: 'other settings', texts: other({ settings: {} }), at: 'b.json', says: 'filter is' },
  {
    what: 'another count',
    texts: other({ shard: { number: 2, count: 3 } }),
    at: 'b.json',
    says: 'of 3 shards',
  },
  { what: 'a missing shard', texts: [first], at: undefined, says: 'A shard is missing: 2/2.' },
  {
    what: 'a doubled shard',
    texts: [first, second, first],
    at: 'c.json',
    says: 'Shard 1/2 is also in a.json.',
  },
  {
    what: 'a test twice',
    texts: other({ ended: [once(shardOf(1))] }),
    at: 'b.json',
    says: 'The list of tests in the blob is not',
  },
  { what: 'a test too few', texts: other({ ended: [] }), at: 'a.json', says: '1 of 2 tests' },
])('refused: $what', ({ texts, at, says }) => {
  const files = texts.map((text, index) => ({ name: `${'abc'[index] ?? ''}.json`, text }));
  expect(() => mergeBlobs(files)).toThrow(
    expect.objectContaining({
      code: 'blob-invalid',
      exitCode: 2,
      where: at === undefined ? undefined : { file: at },
      message: expect.stringContaining(says) as string,
      hint: expect.stringMatching(/\.$/) as string,
    }),
  );
});

test('the blobs of the table above are merged if nothing is wrong with them', () => {
  expect(mergeBlobs([first, second].map((text, index) => ({ name: `${index}`, text })))).toMatchObject({
    report: { passed: 2, tests: [{ name: '1' }, { name: '2' }] },
    settings: { filter: '' },
  });
});
