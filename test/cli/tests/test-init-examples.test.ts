import { expect, test } from 'vitest';
import { testFolder } from './test-project.ts';

const transformation = (components: string) =>
  `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${components}`;
const orchestration = (components: string) =>
  `type: orchestration\nversion: "1.0"\npipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [Next] } }\n${components}`;
const read = (table: string, columns: string) =>
  `    In: { type: table-input, parameters: { targetTable: ${table}, columnNames: [${columns}] } }\n`;
const sql = (query: string) =>
  `    Sql:\n      type: sql\n      sources: [In]\n      parameters: { query: ${JSON.stringify(query)} }\n`;
const write = (from: string) =>
  `    Write: { type: rewrite-table, sources: [${from}], parameters: { targetTable: OUT } }\n`;
const next = (script: string) =>
  `    Next:\n      type: sql-executor\n      parameters: { sqlScript: ${JSON.stringify(script)} }\n`;

test.each<[what: string, file: string, text: string, parts: readonly string[]]>([
  [
    'a column that decides alone in a condition',
    'a.tran.yaml',
    transformation(
      `${read('A', 'ID, Current')}${sql('SELECT * FROM $T{In} WHERE "Current"')}${write('Sql')}`,
    ),
    ['Current: BOOLEAN', '{ ID: 1, Current: true }'],
  ],
  [
    'texts that SQL reads in a format',
    'a.tran.yaml',
    transformation(
      `${read('A', 'ID, BEGAN')}${sql("SELECT ID, TO_DATE(BEGAN, 'DD/MM/YYYY') AS D FROM $T{In}")}${write('Sql')}`,
    ),
    ["BEGAN: '01/01/2026'", "BEGAN: '02/01/2026'", "D: '2026-01-02'"],
  ],
  [
    'texts that SQL compares with a text',
    'a.tran.yaml',
    transformation(
      `${read('A', 'EVENT_ID')}${sql("SELECT * FROM $T{In} WHERE EVENT_ID = 'open'")}${write('Sql')}`,
    ),
    ['EVENT_ID: VARCHAR', '{ EVENT_ID: open }'],
  ],
  [
    'columns that become rows of a column of dates',
    'a.tran.yaml',
    transformation(
      `${read('A', 'ID, MON, TUE')}    Rows: { type: transpose-columns, sources: [In], parameters: { ordinaryColumns: [ID], rowLabelName: DAY, outputColumns: [[date, VARCHAR]], columnToRowMapping: [[Monday, MON], [Tuesday, TUE]] } }
    Days: { type: convert-type, sources: [Rows], parameters: { conversions: [[date, DATE, '', '']] } }\n${write('Days')}`,
    ),
    ['MON: DATE', "{ ID: 1, DAY: Monday, date: '2026-01-01' }"],
  ],
  [
    'a subquery that may give one row only',
    'a.tran.yaml',
    transformation(
      `${read('A', 'ID')}${sql('SELECT ID, (SELECT LIMIT_ID FROM B) AS OTHER FROM $T{In}')}${write('Sql')}`,
    ),
    ['- { ID: 1, OTHER: 1 }\n'],
  ],
  [
    'the values that a pivot makes columns of',
    'a.tran.yaml',
    transformation(
      `${read('A', 'ID, MONTH, SOLD')}    Pivot: { type: pivot, sources: [In], parameters: { aggregateFunction: Sum, pivotColumn: MONTH, valueColumn: SOLD, pivotValues: [Jan, Feb], quotePivotValueColumns: "No" } }\n${write('Pivot')}`,
    ),
    ["SOLD: 'NUMBER(38,2)'", "{ ID: 1, MONTH: 'Jan', SOLD: 1.5 }", "{ ID: 2, MONTH: 'Feb', SOLD: 2.5 }"],
  ],
  [
    'lists of one item where a MERGE refuses two with one key',
    'a.orch.yaml',
    orchestration(
      next(
        'MERGE INTO T USING (SELECT r.value:id::number AS ID, c.value:name::string AS NAME FROM S, LATERAL FLATTEN(input => BODY:records) r, LATERAL FLATTEN(input => r.value:credits) c) s ON T.ID = s.ID WHEN MATCHED THEN UPDATE SET T.NAME = s.NAME WHEN NOT MATCHED THEN INSERT (ID, NAME) VALUES (s.ID, s.NAME)',
      ),
    ),
    [
      "{ records: [{ credits: [{ name: '1' }], id: 1 }] }",
      "{ records: [{ credits: [{ name: '2' }], id: 2 }] }",
    ],
  ],
  [
    'variables that are names in SQL',
    'a.orch.yaml',
    orchestration(next('CREATE TABLE ${env_database}.${env_schema}.T AS SELECT 1 AS ID')),
    ["env_database: 'ENV_DATABASE'", "env_schema: 'ENV_SCHEMA'", 'ENV_DATABASE.ENV_SCHEMA.T:'],
  ],
  [
    'a call of a pipeline that the project does not have',
    'a.orch.yaml',
    orchestration(
      `    Next: { type: run-transformation, parameters: { transformationJob: other/missing } }\n`,
    ),
    ['Next: {}'],
  ],
])('the first test of a pipeline has %s', async (_, file, text, parts) => {
  using folder = testFolder({ [file]: text });
  const init = await folder.run('--find-rows', '0s', '--init', file);
  expect(init).toMatchObject({ code: 0 });
  const written = folder.read('a.test.yaml');
  for (const part of parts) expect(written).toContain(part);
  expect(await folder.report()).toMatchObject({ passed: 1 });
});
