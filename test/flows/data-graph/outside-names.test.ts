import { expect, test } from 'vitest';
import { columnGraph } from '../../../flows/data-graph/lineage/column-graph.ts';
import { findColumn } from '../../../flows/data-graph/lineage/find-column.ts';
import { lineageLines } from '../../../flows/data-graph/lineage/lineage-lines.ts';
import { traceLineage } from '../../../flows/data-graph/lineage/lineage.ts';
import { openLineageEvents } from '../../../flows/data-graph/lineage/open-lineage.ts';
import { compile } from '../../../flows/data-graph/compile/compile.ts';
import { compiled, copy, findings, graphOf, script } from './small-projects.ts';

const connection = (database: string, schema: string) =>
  `{ account: a, username: u, defaultRole: r, defaultWarehouse: w, defaultDatabase: ${database}, defaultSchema: ${schema}, privateKey: { secretName: s } }`;
const environment = (name: string, database: string, schema: string) => `  ${name}:
    defaultAgentId: 11111111-2222-4333-8444-555555555555
    defaultUserAccessLevel: admin
    connections: { shop-${name}: ${connection(database, schema)} }
`;
const provision = `version: 1
project: { name: shop, warehouse: WAREHOUSE_ONE }
connections: { shop-dev: { authType: key_pair }, shop-prod: { authType: key_pair } }
environments:
${environment('dev', 'dev', 'SHOP')}${environment('prod', 'PROD', 'SHOP')}`;
const settings = 'version: 1\nprovision: setup.yaml\n';

test('with the file of provision, a name that is written out and the default name are one table', async () => {
  const files = {
    'setup.yaml': provision,
    'a.orch.yaml': script('create or replace table ORDERS (ID number, AMOUNT number);'),
    'b.tran.yaml': copy('SALES', ['ID'], 'REPORT'),
    'c.orch.yaml': script('create or replace table SALES as\nselect ID, PRICE from DEV.SHOP.ORDERS;'),
    'd.orch.yaml': script('create or replace table LOW as\nselect ID, PRICE from PROD.SHOP.ORDERS;'),
    'e.orch.yaml': script('create or replace table TOP as\nselect ID, PRICE from PROD.OTHER.ORDERS;'),
  };
  expect((await compiled(files)).findings).toEqual([]);
  const report = await compiled({ ...files, 'millrace.yaml': settings });
  expect(findings(report)).toEqual([
    'c.orch.yaml:12 missing-column: column "PRICE" not found; "ORDERS" has "ID", "AMOUNT"',
    'd.orch.yaml:12 missing-column: column "PRICE" not found; "ORDERS" has "ID", "AMOUNT"',
  ]);
  expect(report.outside.map(({ table }) => Object.values(table).join('.'))).toEqual(['DEV.OTHER.ORDERS']);
});

test('declarations and tests use any of the names', async () => {
  const files = {
    'millrace.yaml': `${settings}schemas: [tables.yaml]\n`,
    'setup.yaml': provision,
    'tables.yaml': 'PROD.SHOP.ORDERS: { ID: NUMBER, AMOUNT: NUMBER }\n',
    'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'REPORT'),
    'b.tran.yaml': copy('ITEMS', ['ID'], 'SUMS'),
    'b.test.yaml': `pipeline: b
tests:
  - { name: one, given: { ITEMS: { rows: [{ ID: 1 }] } }, expect: { tables: { SUMS: { count: 1 } } } }
`,
  };
  expect(await compiled(files)).toMatchObject({ findings: [], reads: { bound: 2, total: 2 } });
  const twice = { ...files, 'tables.yaml': 'PROD.SHOP.ORDERS: { ID: NUMBER }\nORDERS: { DAY: DATE }\n' };
  await expect(graphOf(twice)).rejects.toThrow('the table "ORDERS" has other columns at tables.yaml:1');
});

test.each([
  ['a file that does not exist', {}, 'millrace.yaml:2:12'],
  ['a wrong file', { 'setup.yaml': provision.replace('warehouse: WAREHOUSE_ONE', 'x: 1') }, 'setup.yaml:2:'],
])('%s of `provision` is an error with its place', async (_, files, place) => {
  const found: unknown = await graphOf({ 'millrace.yaml': settings, ...files }).catch(
    (error: unknown) => error,
  );
  expect(found).toMatchObject({ code: 'config-invalid' });
  const { where } = found as { where: { file: string; line: number; column: number } };
  expect(`${where.file}:${where.line}:${where.column}`).toContain(place);
});

const streaming = (transformation: string) => `name: shop
streamingSource:
  connection: { database: shop }
  tables:
    - { schema: public, table: orders }
streamingTarget: { database: RAW, tableSchema: PUBLIC, stagePrefix: '', tablePrefixType: NONE, transformationType: ${transformation} }
`;
const streamed = {
  'millrace.yaml': 'version: 1\nstreaming: [streaming/*.yaml]\n',
  'a.orch.yaml': script('create or replace table TOP as\nselect OPERATION, AFTER from RAW.PUBLIC.ORDERS;'),
  'b.orch.yaml': script(
    'create or replace table LOW as\nselect ID from RAW.PUBLIC.ORDERS where not IS_DELETED;',
  ),
};

test.each([
  ['a change log has the columns that streaming adds', 'CHANGE_LOG', {}, 1],
  [
    'a copy with marks has the mark, and columns of the source that are not known',
    'COPY_TABLE_SOFT_DELETE',
    {},
    0,
  ],
  [
    'a declaration has the columns of the source',
    'COPY_TABLE_SOFT_DELETE',
    {
      'tables.yaml':
        'RAW.PUBLIC.ORDERS: { ID: NUMBER, IS_DELETED: BOOLEAN, OPERATION: VARCHAR, AFTER: VARIANT }\n',
    },
    2,
  ],
])('%s', async (_, transformation, more, bound) => {
  const files = { ...streamed, 'streaming/shop.yaml': streaming(transformation), ...more };
  const keys = Object.keys(more).length === 0 ? '' : 'schemas: [tables.yaml]\n';
  const report = await compiled({ ...files, 'millrace.yaml': streamed['millrace.yaml'] + keys });
  expect(report).toMatchObject({ findings: [], reads: { bound, total: 2 } });
});

test('a streaming pipeline is a writer in the lineage of what it adds and of what it copies', async () => {
  const graph = await graphOf(
    {
      ...streamed,
      'millrace.yaml': `${streamed['millrace.yaml']}schemas: [tables.yaml]\n`,
      'tables.yaml': 'RAW.PUBLIC.ORDERS: { ID: NUMBER, IS_DELETED: BOOLEAN }\n',
      'streaming/shop.yaml': streaming('COPY_TABLE_SOFT_DELETE'),
    },
    'WAREHOUSE_ONE',
    true,
  );
  const columns = columnGraph(graph);
  const { kind, defaults } = graph.project;
  const lineage = (name: string) =>
    lineageLines(traceLineage(columns, findColumn(columns, name), { up: true, down: false }), {
      kind,
      defaults,
      up: true,
      down: false,
    }).filter((line) => line.includes('─'));
  expect([...lineage('RAW.PUBLIC.ORDERS.IS_DELETED'), ...lineage('LOW.ID')]).toEqual([
    '└─ no column: computed by "shop" (streaming/shop.yaml:5)',
    '├─ RAW.PUBLIC.ORDERS.ID, copied by "Script" (b.orch.yaml:11)',
    '│  └─ unknown: a streaming pipeline copies it from its source, which is outside of the project: "shop" (streaming/shop.yaml:5)',
    '└─ "Script" (b.orch.yaml:11) chooses rows by RAW.PUBLIC.ORDERS.IS_DELETED',
  ]);
  expect(openLineageEvents(columns, { namespace: 'n', now: 0 }).at(-1)).toMatchObject({
    job: { name: 'streaming/shop.yaml' },
    outputs: [{ name: 'RAW.PUBLIC.ORDERS' }],
  });
});

test('a mistake in a definition of a streaming pipeline has its place', async () => {
  const files = {
    ...streamed,
    'streaming/shop.yaml': streaming('CHANGE_LOG').replace('database: RAW, ', ''),
  };
  await expect(graphOf(files)).rejects.toMatchObject({
    code: 'config-invalid',
    where: { file: 'streaming/shop.yaml', line: 6, column: 1 },
  });
});

test.each([
  ['WAREHOUSE_ONE', 'select TABLE_NAME, ROW_COUNT from RAW.INFORMATION_SCHEMA.TABLES'],
  ['WAREHOUSE_TWO', 'select column_name, numeric_scale from information_schema.columns'],
] as const)('the views of INFORMATION_SCHEMA have their documented columns (%s)', async (kind, query) => {
  const special = query.replace(/select .* from/, 'select SPECIAL from');
  const create = kind === 'WAREHOUSE_ONE' ? 'create or replace table' : 'create table';
  const files = {
    'a.orch.yaml': script(`${create} A as\n${query};`),
    'b.orch.yaml': script(`${create} B as\n${special};`),
  };
  const report = compile(await graphOf(files, kind));
  expect(report).toMatchObject({ findings: [], reads: { bound: 1, total: 2 }, outside: [] });
});
