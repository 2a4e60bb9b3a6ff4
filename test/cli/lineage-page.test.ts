import { expect, test } from 'vitest';
import { codeBlocks } from './code-blocks.ts';
import { inProcess } from './in-process.ts';

const run = (...words: string[]) => inProcess(['lineage', ...words], { cwd: 'examples/warehouse' });

test('what docs/lineage.md shows is what the command prints', async () => {
  const [shown = ''] = codeBlocks('lineage.md', '');
  const { code, stdout } = await run('ORDERS.AMOUNT');
  expect(code).toBe(0);
  expect(stdout).toBe(shown.replace('$ npx millrace lineage ORDERS.AMOUNT\n', ''));
});

test('the formats for programs have the same lineage', async () => {
  const { stdout } = await run('weekly_summary.difference', '--up', '--json');
  const { columns } = JSON.parse(stdout) as { columns: readonly { id: string }[] };
  const ids = columns.map(({ id }) => id.replace('TEST.PUBLIC.', ''));
  expect(ids).toEqual([
    'WEEKLY_SUMMARY.DIFFERENCE',
    'WEEKLY_TOTALS.AMOUNT',
    'ORDERS.AMOUNT',
    'STG_ORDERS.QUANTITY',
    'STG_ORDERS.PRICE',
  ]);
  const events = await run(
    'WEEKLY_SUMMARY.DIFFERENCE',
    '--up',
    '--format',
    'openlineage',
    '--namespace',
    'w',
  );
  const jobs = events.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { job: { namespace: string; name: string } }).job);
  expect(jobs.map(({ namespace, name }) => `${namespace} ${name}`)).toEqual([
    'w daily/build-orders',
    'w reports/weekly summary',
    'w reports/weekly',
  ]);
});

test('a name that is missing is an error of use', async () => {
  expect(await run()).toMatchObject({ code: 2, stdout: '' });
});
