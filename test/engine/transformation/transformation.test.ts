import { expect, test } from 'vitest';
import { NUMBER, TEXT, transform } from './transform.ts';

const orders = {
  columns: { ID: NUMBER, NAME: TEXT },
  rows: [
    [1, 'a'],
    [2, null],
  ],
} as const;

const copy = `
orders:
  type: table-input
  parameters: { targetTable: orders, columnNames: [NAME, ID] }
Write:
  type: rewrite-table
  sources: [orders]
  parameters: { warehouse: "[Environment Default]", targetTable: copy, orderBy: [[ID, DESCENDING]] }
`;

test('a component may have the name of the table that it reads', async () => {
  await using done = await transform(copy, { tables: { orders } });
  const { rows, columns } = await done.read('copy');
  expect(columns.map(({ name }) => name)).toEqual(['NAME', 'ID']);
  expect(rows).toEqual([
    [null, 2],
    ['a', 1],
  ]);
  expect(done.results.get('Write')).toMatchObject({ rowsWritten: 2, message: '2 rows written to "copy".' });
});

test('a table that a pipeline reads and writes keeps the rows of the read', async () => {
  await using done = await transform(copy.replace('targetTable: copy', 'targetTable: orders'), {
    tables: { orders },
  });
  expect(await done.rows('orders')).toEqual([
    ['a', 1],
    [null, 2],
  ]);
});

test('what reads a component that replaces a table reads that table', async () => {
  const more = `Filter:
  type: filter
  sources: [Write]
  parameters: { filterConditions: [[ID, Is, Equal to, "1"]] }
View:
  type: create-view
  sources: [Filter]
  parameters: { viewName: view }
Last:
  type: rewrite-table
  sources: [View]
  parameters: { targetTable: last }
`;
  await using done = await transform(copy + more, { tables: { orders } });
  expect(await done.rows('copy')).toHaveLength(2);
  expect(await done.rows('last')).toEqual([['a', 1]]);
});

test('what reads a component that inserts rows is an error', async () => {
  const insert = copy
    .replace('rewrite-table', 'table-output')
    .replace('targetTable: copy', 'targetTable: orders, columnMapping: [[ID, ID]]');
  const more = 'Filter:\n  type: filter\n  sources: [Write]\n  parameters: {}\n';
  await expect(transform(insert + more, { tables: { orders } })).rejects.toThrow(
    'the source "Write" of the component "Filter" does not return rows',
  );
});

test.each([
  [
    'another case of a table',
    copy.replace('targetTable: orders', 'targetTable: ORDERS'),
    /there is "DB"."S"."orders": upper and lower case differ/,
  ],
  [
    'another case of a column',
    copy.replace('[NAME, ID]', '[Name, ID]'),
    /it has "NAME": upper and lower case differ/,
  ],
  [
    'an unknown component type',
    copy.replace('table-input', 'quantum-input'),
    /Millrace does not support the component type quantum-input/,
  ],
  [
    'an unknown parameter',
    copy.replace('columnNames', 'surprise: 1, columnNames'),
    /a.tran.yaml:\d+:\d+: Millrace does not support the parameter surprise/,
  ],
  [
    'a time offset',
    copy.replace('columnNames', 'timeOffset: "-60", columnNames'),
    /Millrace does not support a table read at a past time/,
  ],
  [
    'too many sources',
    copy.replace('[orders]', '[orders, orders]'),
    /has 2 sources, but the type rewrite-table needs 1/,
  ],
])('%s is an error that says where', async (_title, components, message) => {
  await expect(transform(components, { tables: { orders } })).rejects.toThrow(message);
});
