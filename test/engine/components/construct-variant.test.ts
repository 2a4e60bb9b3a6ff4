import { expect, test } from 'vitest';
import { DATE, NUMBER, TEXT, VARIANT } from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

const tables = {
  rows: {
    columns: { ID: NUMBER, NAME: TEXT, DAY: DATE, DOC: VARIANT },
    rows: [
      [1, `it's "one"`, '2026-01-02', { a: [1, null] }],
      [2, null, null, null],
    ],
  },
} as const;

function construct(mappings: string, slot = 'DATA'): Promise<Output> {
  const components = `
rows:
  type: table-input
  parameters: { targetTable: rows, columnNames: [ID, NAME, DAY, DOC] }
Construct:
  type: construct-variant
  sources: [rows]
  parameters: { columnMappings: ${mappings}, outputSlot: ${slot} }
`;
  return outputOf(components, { tables });
}

test('the object follows the input columns, and a NULL is not a member', async () => {
  const { columns, rows } = await construct(
    `[[ID, order id], [NAME, "it's \\\\ \\"x\\""], [DAY, day], [DOC, doc]]`,
  );
  expect(columns.at(-1)).toBe('DATA VARIANT');
  expect(rows.map((row) => row.at(-1))).toEqual([
    { 'order id': 1, 'it\'s \\ "x"': `it's "one"`, day: '2026-01-02', doc: { a: [1, null] } },
    { 'order id': 2 },
  ]);
});

test('an object of NULLs is empty', async () => {
  const { rows } = await construct('[[NAME, a]]');
  expect(rows[1]?.at(-1)).toEqual({});
});

test.each([
  ['an unknown column', '[[NOPE, a]]', 'DATA', /"NOPE" was not found in the input "rows"/],
  [
    'two equal keys',
    '[[ID, a], [NAME, a]]',
    'DATA',
    /Millrace does not support these arguments of OBJECT_CONSTRUCT/,
  ],
  ['no members', 'null', 'DATA', /columnMappings is not set/],
  ['the name of an input column', '[[ID, a]]', 'NAME', /two output columns have the name "NAME"/],
])('%s is an error that says where', async (_title, mappings, slot, message) => {
  await expect(construct(mappings, slot)).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(construct(mappings, slot)).rejects.toThrow(message);
});

test('a warehouse of kind 2 is refused', async () => {
  const components = `
rows:
  type: table-input
  parameters: { targetTable: rows, columnNames: [id] }
Construct:
  type: construct-variant
  sources: [rows]
  parameters: { columnMappings: [[ID, a]], outputSlot: DATA }
`;
  const lower = { rows: { columns: { id: NUMBER }, rows: [] } };
  await expect(outputOf(components, { tables: lower, kind: 'WAREHOUSE_TWO' })).rejects.toThrow(
    /Millrace does not support the function OBJECT_CONSTRUCT/,
  );
});
