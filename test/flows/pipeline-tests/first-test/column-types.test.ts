import { expect, test } from 'vitest';
import { knownTables } from '../../../../flows/data-graph/bind/known-tables.ts';
import { typeInScripts } from '../../../../flows/pipeline-tests/first-test/examples/script-types.ts';
import { writeFirstTests } from '../../../../flows/pipeline-tests/first-test/write-first-test.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { testFolder } from '../../../cli/tests/test-project.ts';

const read = (table: string, columns: string) =>
  `    In: { type: table-input, parameters: { targetTable: ${table}, columnNames: [${columns}] } }\n`;
const write = (from: string, table: string) =>
  `    Write: { type: rewrite-table, sources: [${from}], parameters: { targetTable: ${table} } }\n`;
const tran = (components: string) => `pipeline:\n  components:\n${components}`;

const files = {
  'millrace.yaml': 'version: 1\n',
  // No pipeline runs it.
  'sql/create_tables.sql': `-- the tables of the shop
CREATE OR REPLACE TRANSIENT TABLE \${database}.RAW.ORDERS (
  order_id VARCHAR(20) NOT NULL, -- a text, (with letters)
  total NUMBER(12, 3) DEFAULT 0,
  note_date TIMESTAMP_NTZ(9),
  "is_paid" VARCHAR(16777216) COMMENT 'yes, or no',
  PRIMARY KEY (order_id)
);
create table if not exists differs (price number(10,2)); create table differs (price varchar);`,
  'read-orders.tran.yaml': tran(
    `${read('orders', 'order_id, total, note_date, is_paid, amount')}${write('In', 'OUT')}`,
  ),
  'create-codes.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Create] } }
    Create:
      type: sql-executor
      parameters: { scriptLocation: Component, sqlScript: 'CREATE TABLE CODES (CODE_ID VARCHAR(8), RATE FLOAT); ALTER TABLE CODES ADD COLUMN TOTAL VARCHAR' }
`,
  'read-codes.tran.yaml': tran(`${read('CODES', 'CODE_ID, TOTAL')}${write('In', 'OUT')}`),
  'write-names.tran.yaml': tran(
    `${read('CODES', 'CODE_ID')}    Names: { type: calculator, sources: [In], parameters: { includeInputColumns: 'No', calculations: [["'x'", valid_date], ["0.5", name]] } }\n${write('Names', 'NAMES')}`,
  ),
  'read-names.tran.yaml': tran(
    `${read('NAMES', 'valid_date')}    Sql: { type: sql, sources: [In], parameters: { query: 'SELECT "name" FROM NAMES' } }\n${write('Sql', 'OUT')}`,
  ),
};

test.each<[what: string, pipeline: string, columns: string]>([
  [
    'a file of SQL declares, whether a pipeline runs it or not',
    'read-orders.tran.yaml',
    'orders:\n        columns: { order_id: VARCHAR(20), total: NUMBER(12,3), note_date: TIMESTAMP, is_paid: VARCHAR, amount: NUMBER(38,2) }',
  ],
  [
    'another pipeline creates and alters',
    'read-codes.tran.yaml',
    'CODES:\n        columns: { CODE_ID: VARCHAR(8), RATE: FLOAT, TOTAL: VARCHAR }',
  ],
  [
    'another pipeline computes',
    'read-names.tran.yaml',
    "NAMES:\n        columns: { valid_date: VARCHAR(1), name: NUMBER(1,1) }\n        rows:\n          - { valid_date: '1', name: 0.1 }",
  ],
])('the first test has the types that %s', async (_, pipeline, columns) => {
  using folder = testFolder(files);
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const { signal } = new AbortController();
  const context = { clock: systemClock, signal, knownTables: knownTables(project, signal) };
  for await (const { first } of writeFirstTests([pipeline], project, context))
    expect(first?.text.replaceAll(/'(\w+\([\d,]+\))'/g, '$1')).toContain(columns);
});

test('a column whose declarations differ has no type, and a constraint is not a column', () => {
  using folder = testFolder(files);
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const typeOf = (table: string, column: string) => typeInScripts(table, column, project);
  expect([typeOf('DIFFERS', 'PRICE'), typeOf('orders', 'primary'), typeOf('orders', 'gone')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(typeOf('Orders', 'ORDER_ID')).toBe('VARCHAR(20)');
});
