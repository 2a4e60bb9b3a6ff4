import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestFolder, testFolder } from './test-project.ts';

const pipeline = 'pipeline: { components: { Start: { type: start } } }\n';
const testOf = (name: string) =>
  `  - { name: ${name}, expect: { ${name === 'bad' ? 'not-ran: [Start]' : 'outcome: success'} } }\n`;
const testsOf = (...names: readonly string[]) => `pipeline: empty\ntests:\n${names.map(testOf).join('')}`;

let folder: TestFolder;
beforeAll(() => {
  folder = testFolder({
    'empty.orch.yaml': pipeline,
    'empty.test.yaml': testsOf('a', 'b', 'bad'),
    'merge/more.test.yaml': testsOf('"c\\u200b"'),
  });
});
afterAll(() => folder[Symbol.dispose]());

test('blobs of all shards are merged to the report, the durations and the exit code of one run', async () => {
  const whole = await folder.report();
  await folder.run('--write-durations', 'durations.json');
  const codes: (number | null)[] = [];
  for (const number of [1, 2]) {
    const shard = ['--shard', `${number}/2`, '--durations', 'durations.json', '--format', 'blob'];
    const { code, stdout } = await folder.run(...shard);
    codes.push(code);
    folder.write(`shard-${number}.json`, stdout);
  }
  expect(new Set(codes)).toEqual(new Set([0, 1]));
  const blobs = ['shard-1.json', 'shard-2.json'];
  const json = await folder.run('merge', '--json', ...blobs, '--write-durations', 'merged.json');
  const merged = JSON.parse(json.stdout) as typeof whole;
  const withoutTimes = (report: typeof whole) =>
    JSON.stringify(report, (key: string, value: unknown) => (key === 'durationMs' ? 0 : value));
  expect(withoutTimes(merged)).toBe(withoutTimes(whole));
  expect(Object.keys(JSON.parse(folder.read('merged.json')).tests)).toEqual([
    'empty.test.yaml',
    'merge/more.test.yaml',
  ]);
  const { code, stdout } = await folder.run('merge', ...blobs);
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '4 tests: 3 passed, 1 failed, 0 refused.']);
  const refused = await folder.run('merge', 'shard-1.json', 'none.json');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('none.json')]);
});

test('a shard says that it is a part, and a list has the tests of the shard', async () => {
  const { stdout } = await folder.run('--shard', '2/2', '--filter', 'a');
  expect(stdout).toContain('Only shard 2/2 ran: 1 of 2 tests.\n1 test: ');
  const empty = await folder.run('--shard', '3/3', '--filter', 'a');
  expect([empty.code, empty.stdout]).toEqual([
    0,
    'Only shard 3/3 ran: 0 of 2 tests.\n0 tests: 0 passed, 0 failed, 0 refused.\n',
  ]);
  const names = await Promise.all(
    ['1/2', '2/2'].map(async (shard) =>
      (await folder.report('--list', '--shard', shard)).tests.map(({ name }) => name),
    ),
  );
  expect([names.map(({ length }) => length), names.flat().toSorted()]).toEqual([
    [2, 2],
    ['a', 'b', 'bad', 'c\u200b'],
  ]);
  expect((await folder.run('./merge')).stdout).toContain('1 test: 1 passed');
});

test.for([
  [['--shard', '0/2'], 'It must be the number of a part and the number of all parts'],
  [['--shard', '1/2', '--watch'], '--shard cannot be combined with --watch'],
  [['--shard', '1/2', '--update'], '--shard cannot be combined with --update'],
  [['--format', 'blob', '--update'], '--format blob cannot be combined with --update'],
  [['--write-durations', 'd', '--init', 'empty'], '--write-durations cannot be combined with --init'],
  [['--format', 'blob', '--list'], '--list runs no test, so --format blob has no effect'],

  [['--durations', 'd'], '--durations has no effect without --shard'],
  [['--write-durations', 'd', '--list'], '--write-durations cannot be combined with --list'],
  [['--write-durations', 'd', '--shard', '1/2'], '--write-durations cannot be combined with --shard'],
  [['--durations', 'empty.orch.yaml', '--shard', '1/2'], 'empty.orch.yaml: It is not a file of durations'],
  [['--json', 'merge', 'a'], '--json has no effect before the word merge'],
  [['merge'], "Missing required argument 'files'"],
  [['merge', 'a', '--format', 'blob'], 'It must be one of text, json, junit, markdown'],
] as const)('refused: %j', async ([args, message]) => {
  const { code, stderr } = await folder.run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
