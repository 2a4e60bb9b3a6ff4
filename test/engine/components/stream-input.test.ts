import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, transform } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const changes: GivenTable = { columns: { ID: NUMBER, METADATA$ACTION: TEXT }, rows: [[1, 'INSERT']] };

const components = `
Read changes:
  type: stream-input-sf
  parameters: { database: "[Environment Default]", schema: S, targetStream: CHANGES, columnNames: [METADATA$ACTION, ID] }
`;

test('a stream gives the rows of its table, and reading it leaves them there', async () => {
  const { columns, rows } = await output(components, { tables: { CHANGES: changes } });
  expect(columns).toEqual(['METADATA$ACTION VARCHAR', 'ID NUMBER(38,0)']);
  expect(rows).toEqual([['INSERT', 1]]);
  const writer =
    'Write:\n  type: rewrite-table\n  sources: [Read changes]\n  parameters: { targetTable: t }\n';
  await using done = await transform(`${components.trim()}\n${writer}`, { tables: { CHANGES: changes } });
  expect(await done.rows('CHANGES')).toEqual([[1, 'INSERT']]);
});

test('columns of the stream itself exist only where the table has them', async () => {
  const table: GivenTable = { columns: { ID: NUMBER }, rows: [] };
  await expect(output(components, { tables: { CHANGES: table } })).rejects.toThrow(
    /"METADATA\$ACTION" was not found in the table "DB"."S"."CHANGES"/,
  );
});

test('a stream that does not exist is an error', async () => {
  await expect(output(components.replace('CHANGES', 'OTHERS'))).rejects.toThrow(/"OTHERS" was not found/);
});
