import { expect, test } from 'vitest';
import { compiled, copy, findings, graphOf, script, variable } from './small-projects.ts';

const settings = "version: 1\nschemas: ['schemas/*.yaml']\n";
const orders = 'RAW.SHOP.ORDERS:\n  ID: NUMBER(38,0)\n  AMOUNT: NUMBER(10,2)\n  PLACE: unknown\n';
const top = (columns: string) =>
  script(`create or replace table TOP as\nselect ${columns} from RAW.SHOP.ORDERS;`);

test('a table that a file of `schemas` declares is known without a test', async () => {
  const files = {
    'millrace.yaml': settings,
    'schemas/raw.yaml': orders,
    'a.orch.yaml': top('ID, AMOUNT'),
    'b.tran.yaml': copy('TOP', ['ID', 'PRICE'], 'REPORT'),
    'c.orch.yaml': script('create or replace table LOW as\nselect COUNTRY from RAW.SHOP.ORDERS;'),
  };
  const report = await compiled(files);
  expect(findings(report)).toEqual([
    'b.tran.yaml:7 missing-column: the column "PRICE" was not found in the table "TEST"."PUBLIC"."TOP"; it has "ID", "AMOUNT"',
    'c.orch.yaml:12 missing-column: column "COUNTRY" not found; "ORDERS" has "ID", "AMOUNT", "PLACE" ("ORDERS" is declared at schemas/raw.yaml:1)',
  ]);
  expect(report.reads).toEqual({ bound: 1, total: 3 });
});

test('of a column with the type `unknown`, only the name is known', async () => {
  const files = {
    'millrace.yaml': settings,
    'schemas/raw.yaml': orders,
    'a.orch.yaml': top('ID + 1 as NEXT, PLACE'),
    'b.orch.yaml': top("PLACE + DATE '2024-01-01' as DAY"),
  };
  const { tables, pipelines } = await graphOf(files);
  expect(pipelines.get('b.orch.yaml')?.problems).toEqual([]);
  const known = tables.find({ database: 'TEST', schema: 'PUBLIC', table: 'TOP' });
  expect(known).toMatchObject({ areTypesKnown: false });
  expect(known?.columns.map(({ name }) => name)).toEqual(['NEXT', 'PLACE']);
});

test.each([
  [
    'a wrong type',
    { 'schemas/raw.yaml': 'ORDERS:\n  ID: NUMBR\n' },
    'schemas/raw.yaml:2:7 "NUMBR" is not a type of the warehouse (column "ID"); did you mean "NUMBER"?',
  ],
  [
    'a wrong name of a table',
    { 'schemas/raw.yaml': 'A.B.C.D:\n  ID: DATE\n' },
    'schemas/raw.yaml:1:1 "A.B.C.D" is not the name of a table: write table, schema.table or database.schema.table.',
  ],
  [
    'two declarations that differ',
    { 'schemas/a.yaml': 'ORDERS: { ID: DATE }\n', 'schemas/b.yaml': '\nTEST.PUBLIC.ORDERS: { DAY: DATE }\n' },
    'schemas/b.yaml:2:1 the table "TEST.PUBLIC.ORDERS" has other columns at schemas/a.yaml:1: remove one of the two.',
  ],
  [
    'a pattern without a file',
    {},
    'millrace.yaml:2:11 `schemas` names "schemas/*.yaml", but the project has no such file: correct the name, or remove it.',
  ],
])('%s is an error with its place', async (_, files, text) => {
  const found = await graphOf({ 'millrace.yaml': settings, 'a.orch.yaml': top('ID'), ...files }).catch(
    (error: unknown) => error,
  );
  expect(found).toMatchObject({ code: 'config-invalid' });
  const { where, message } = found as {
    where: { file: string; line: number; column: number };
    message: string;
  };
  expect(`${where.file}:${where.line}:${where.column} ${message}`).toBe(text);
});

test('a declared table that a pipeline creates is as the pipeline creates it, and the report has a notice', async () => {
  const files = {
    'millrace.yaml': settings,
    'schemas/raw.yaml': 'TOP:\n  ID: NUMBER(38,0)\n  PRICE: NUMBER(38,0)\nLOW:\n  ID: NUMBER(38,0)\n',
    'a.orch.yaml': script('create or replace table TOP (ID number, AMOUNT number);'),
    'b.orch.yaml': script('create or replace table LOW (ID number);'),
    'c.tran.yaml': copy('TOP', ['ID', 'AMOUNT'], 'REPORT'),
  };
  const report = await compiled(files);
  expect(findings(report)).toEqual([
    'schemas/raw.yaml:1 declared-table: "TOP" is declared without the column "AMOUNT". The pipeline a creates this table, so Millrace uses the columns of the created table and ignores the declaration: remove it',
  ]);
  expect(report.findings[0]?.severity).toBe('notice');
  expect(report.reads).toEqual({ bound: 1, total: 1 });
});

test('a declaration gives the columns that a component writes and Millrace cannot know', async () => {
  const load = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Make] } }
    Make: { type: create-table, parameters: { newTableName: RAW, columns: [[A, '\${kind}']] } }
  variables:
    kind: { metadata: { type: TEXT, description: '', scope: SHARED, visibility: PUBLIC } }
`;
  const files = { 'make.orch.yaml': load, 'b.tran.yaml': copy('RAW', ['A', 'B'], 'REPORT') };
  expect((await compiled(files)).reads).toEqual({ bound: 0, total: 1 });
  const declared = {
    ...files,
    'millrace.yaml': settings,
    'schemas/raw.yaml': 'RAW: { A: DATE, B: DATE }\n',
  };
  expect(await compiled(declared)).toMatchObject({ findings: [], reads: { bound: 1, total: 1 } });
});

test('a declared table may have a column that a component adds under a name that is not known', async () => {
  const files = {
    'millrace.yaml': settings,
    'schemas/raw.yaml': 'RAW: { A: DATE }\n',
    'a.orch.yaml': script('alter table RAW add column ${name} date;', variable('name')),
    'b.tran.yaml': copy('RAW', ['B'], 'REPORT'),
    'c.orch.yaml': script('alter table OTHER add column C date;\nalter table RAW drop column A;'),
  };
  expect(findings(await compiled(files))).toEqual([]);
});
