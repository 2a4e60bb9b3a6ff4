import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestReport } from '../../../flows/pipeline-tests/run/test-report.ts';
import type { Ended } from '../millrace.ts';
import { type TestFolder, testFolder } from './test-project.ts';

const transformation = (components: string) =>
  `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${components}`;
const read = (name: string, table: string, columns: string) =>
  `    ${name}: { type: table-input, parameters: { targetTable: ${table}, columnNames: [${columns}] } }\n`;
const filter = (from: string, conditions: string) =>
  `    Some: { type: filter, sources: [${from}], parameters: { filterConditions: [${conditions}], combineCondition: And } }\n`;
const write = (from: string, table: string) =>
  `    Write: { type: rewrite-table, sources: [${from}], parameters: { targetTable: ${table} } }\n`;
const sql = (sources: string, query: string) =>
  `    Sql:\n      type: sql\n      sources: [${sources}]\n      parameters: { query: '${query.replaceAll("'", "''")}' }\n`;
const join = (type: string, on: string, columns: string) =>
  `    Both:\n      type: join\n      sources: [In, Other]\n      parameters:\n        mainTable: In\n        mainTableAlias: i\n        joins: [[Other, o, ${type}]]\n        joinExpressions: [['${on}', i_${type}_o]]\n        columnMappings: [${columns}]\n`;

/** Pipelines by name, and lines that their first test has. */
const cases: Readonly<Record<string, readonly [text: string, ...lines: string[]]>> = {
  'paths in SQL': [
    transformation(
      read('In', 'EVENTS', 'ID, BODY') +
        sql(
          'In',
          'select t.id, body:user.name::varchar as name, f.value:sku::varchar as sku, f.value:"net":amount::number as amount from $T{In} t, lateral flatten(input => t.body:items) f where body:op::varchar = \'c\' -- not:this',
        ) +
        write('Sql', 'EVENT_ITEMS'),
    ),
    "          - { ID: 1, BODY: { items: [{ sku: '1', net: { amount: 1 } }, { sku: '2', net: { amount: 2 } }], user: { name: '1' }, op: c } }",
    "            - { ID: 1, NAME: '1', SKU: '1', AMOUNT: 1 }",
  ],
  'flatten-variant': [
    transformation(
      `${read('In', 'ORDERS', 'ID, LINES')}    Flat:\n      type: flatten-variant\n      sources: [In]\n      parameters:\n        includeInputColumns: "No"\n        columnFlattens: [[LINES, "data.rows", i, "No", "No", Both]]\n        columnMapping: [[ID, "", NUMBER, ID], [i, sku, VARCHAR, SKU], [i, "price.net", NUMBER, NET]]\n${write('Flat', 'ORDER_LINES')}`,
    ),
    "          - { ID: 2, LINES: { data: { rows: [{ sku: '2', price: { net: 2 } }] } } }",
    "            - { ID: 1, SKU: '2', NET: 2 }",
  ],
  'nested data with a filter': [
    transformation(
      `${read('In', 'RAW', 'PAYLOAD')}    Get:\n      type: extract-nested-data-sf\n      sources: [In]\n      parameters:\n        includeInputColumns: "No"\n        columns:\n          - name: data\n            datatype: VARIANT\n            columnName: PAYLOAD\n            aliasName: data\n            isArray: "true"\n            childElements:\n              - name: data-element\n                datatype: VARIANT\n                columnName: PAYLOAD\n                aliasName: e\n                childElements:\n                  - { name: state, datatype: VARCHAR, columnName: PAYLOAD, aliasName: STATE, include: "true" }\n                  - { name: seen, datatype: TIMESTAMP, columnName: PAYLOAD, aliasName: SEEN, include: "true" }\n${filter('Get', '[STATE, Is, Equal to, open]')}${write('Some', 'STATES')}`,
    ),
    "          - { PAYLOAD: { data: [{ state: open, seen: '2026-01-01 06:00:00' }, { state: '2', seen: '2026-01-02 07:00:00' }] } }",
    "            - { STATE: open, SEEN: '2026-01-01 06:00:00' }",
  ],
  'a text that is parsed, under other names': [
    transformation(
      `${read('In', 'ANSWERS', 'ID, CONTENT')}    Parse:\n      type: calculator\n      sources: [In]\n      parameters: { includeInputColumns: "Yes", calculations: [['PARSE_JSON("CONTENT")', DOC]] }\n    Name: { type: rename, sources: [Parse], parameters: { includeInputColumns: "No", columnMapping: [[ID, ID], [DOC, ANSWER]] } }\n    Pick:\n      type: calculator\n      sources: [Name]\n      parameters: { includeInputColumns: "No", calculations: [['"ANSWER":choices[0]:"message"."text"::VARCHAR', TEXT]] }\n${write('Pick', 'TEXTS')}`,
    ),
    `CONTENT: '{"choices":[{"message":{"text":"1"}},{"message":{"text":"2"}}]}'`,
    "            - { TEXT: '1' }",
  ],
  'a filter on a key of a join': [
    transformation(
      read('In', 'SALES', 'SALE, CUSTOMER') +
        read('Other', 'CUSTOMERS', 'ID, NAME') +
        join('Inner', '"i"."CUSTOMER" = "o"."ID"', '[i.CUSTOMER, CUSTOMER], [o.NAME, NAME]') +
        filter('Both', '[CUSTOMER, Is, Greater than, "100"]') +
        write('Some', 'LARGE'),
    ),
    "            - { CUSTOMER: 101, NAME: '1' }",
  ],
  'a filter on a column with another name': [
    transformation(
      read('In', 'ROLES', 'ROLE, IS_MAIN') +
        read('Other', 'TITLES', 'ROLE, TITLE') +
        join('Inner', '"i"."ROLE" = "o"."ROLE"', '[i.IS_MAIN, I_MAIN], [o.TITLE, O_TITLE]') +
        filter('Both', '[I_MAIN, Is, Equal to, "yes"], [O_TITLE, Is, Like, "boss%"]') +
        write('Some', 'BOSSES'),
    ),
    "            - { I_MAIN: 'yes', O_TITLE: boss }",
  ],
  'rows that another table lacks': [
    transformation(
      read('In', 'NEW_PEOPLE', 'ID, NAME') +
        read('Other', 'KNOWN_PEOPLE', 'ID, NAME') +
        join('Left', '"i"."ID" = "o"."ID"', '[i.ID, ID], [o.ID, KNOWN_ID]') +
        filter('Both', '[KNOWN_ID, Is, "Null", ""]') +
        write('Some', 'UNKNOWN'),
    ),
    '            - { ID: 3, KNOWN_ID: null }',
  ],
  'rows that are newer than the target’s': [
    transformation(
      read('In', 'FRESH', 'ID, LOAD_DATE') +
        sql('In', 'select * from $T{In} where load_date > (select max(load_date) from loaded)') +
        `    Write: { type: table-output, sources: [Sql], parameters: { targetTable: LOADED, columnMapping: [[ID, ID], [LOAD_DATE, LOAD_DATE]] } }\n`,
    ),
    "            - { ID: 5, LOAD_DATE: '2026-01-05' }",
  ],
  'values that are null': [
    transformation(
      read('In', 'OPEN_TASKS', 'ID, CLOSED_AT') +
        filter('In', '[CLOSED_AT, Is, "Null", ""]') +
        write('Some', 'TASKS'),
    ),
    '            - { ID: 1, CLOSED_AT: null }',
  ],
  'no rows': [
    transformation(
      `${read('In', 'THINGS', 'ID')}${sql('In', 'select * from $T{In} where 1 = 0')}${write('Sql', 'NOTHING')}`,
    ),
    '        NOTHING: { rows: [] } # no example row reaches this table',
  ],
};

let folder: TestFolder;
let written: Ended;
let report: TestReport;
beforeAll(async () => {
  folder = testFolder(
    Object.fromEntries(Object.entries(cases).map(([name, [text]]) => [`${name}.tran.yaml`, text])),
  );
  written = await folder.run('--find-rows', '0s', '--init', '.');
  report = await folder.report();
});
afterAll(() => folder[Symbol.dispose]());

test.each(Object.entries(cases).map(([name, [, ...lines]]) => [name, lines] as const))(
  'the first test of a pipeline has rows that fit: %s',
  (name, lines) => {
    const text = folder.read(`${name}.test.yaml`);
    for (const line of lines) expect(text).toContain(line);
    expect(report.tests.find(({ pipeline }) => pipeline === `${name}.tran.yaml`)?.status).toBe('passed');
  },
);

test('--init says which test expects no rows', async () => {
  const noted = written.stdout.split('\n').filter((line) => line.includes('expects no rows'));
  expect(noted).toEqual(['no rows.tran.yaml: wrote no rows.test.yaml, which expects no rows in NOTHING']);
  const alone = await folder.run('--find-rows', '0s', '--init', 'no rows', '--dry-run');
  expect(alone.stdout).toContain(
    '# The test expects no rows in NOTHING, because no example row reaches it: add rows to `given` that do.',
  );
  const { stdout } = await folder.run('--find-rows', '0s', '--init', 'no rows', '--dry-run', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ empty: ['NOTHING'] });
});

test('rows that other tables lack tell a left join from an inner one', async () => {
  const joined = (type: string) =>
    transformation(
      read('In', 'SALES', 'ID, CUSTOMER_ID') +
        read('Other', 'PEOPLE', 'ID, NAME') +
        join(type, '"i"."CUSTOMER_ID" = "o"."ID"', '[i.ID, ID], [o.NAME, NAME]') +
        write('Both', 'OUT'),
    );
  using other = testFolder({ 'a.tran.yaml': joined('Left') });
  await other.run('--find-rows', '0s', '--init', 'a');
  expect(other.read('a.test.yaml')).toContain('- { ID: 3, NAME: null }');
  other.write('a.tran.yaml', joined('Inner'));
  expect(await other.report()).toMatchObject({ failed: 1 });
});

test('rows that other tables lack fit the types of their columns', async () => {
  const tables = Array.from({ length: 9 }, (_, index) => `SIZES_${index + 1}`);
  const create = (table: string) =>
    `    ${table}: { type: create-table, parameters: { newTableName: ${table}, createReplace: Replace, columns: [[SIZE, NUMBER, "1", "0"]] } }\n`;
  using other = testFolder({
    'a.tran.yaml': transformation(
      `${tables.map((table) => read(table, table, 'SIZE')).join('')}    All: { type: unite, sources: [${tables.join(', ')}], parameters: { method: All Columns, castTypes: "Yes", addSourceComponentColumn: "No", removeDuplicates: "Yes" } }\n${write('All', 'OUT')}`,
    ),
    'create.orch.yaml': `pipeline:\n  components:\n${tables.map(create).join('')}`,
  });
  expect(await other.run('--find-rows', '0s', '--init', 'a')).toMatchObject({ code: 0, stderr: '' });
  expect(other.read('a.test.yaml')).toContain('- { SIZE: 9 }');
});

test('a table that a pipeline only reads is not expected to stay as it is', () => {
  for (const name of Object.keys(cases)) {
    const [given = '', expected = ''] = folder.read(`${name}.test.yaml`).split('    expect:\n');
    const tables = [...given.matchAll(/^ {6}(\w+):$/gm)].map(([, table = '']) => table);
    expect(tables.filter((table) => expected.includes(`        ${table}:`) && table !== 'LOADED')).toEqual(
      [],
    );
  }
});

test('the rows of an orchestration pass the conditions of the pipelines that it calls and its own', async () => {
  using other = testFolder({
    'a.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { success: [Copy] } }
    Copy: { type: run-transformation, parameters: { transformationJob: copy }, transitions: { success: [Count] } }
    Count:
      type: query-to-scalar
      parameters:
        mode: Advanced
        query: select count(*) as n from OUT where "STATE" = 'paid'
        scalarVariableMapping: [[paid, n]]
  variables: { paid: { metadata: { type: NUMBER, visibility: PUBLIC }, defaultValue: 0 } }
`,
    'copy.tran.yaml': transformation(
      read('In', 'SALES', 'ID, STATE') +
        filter('In', '[STATE, Not, Equal to, cancelled]') +
        write('Some', 'OUT'),
    ),
  });
  await other.run('--find-rows', '0s', '--init', 'a');
  expect(other.read('a.test.yaml')).toContain("- { ID: 1, STATE: 'paid' }");
  expect(other.read('a.test.yaml')).toContain('variables: { paid: 1 }');
});

test('the rows of a mock have the parts that another pipeline reads', async () => {
  using other = testFolder({
    'load.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { success: [Create] } }
    Create:
      type: sql-script
      parameters: { sqlScript: create table raw_data (payload variant) }
      transitions: { success: [Load] }
    Load: { type: s3-load, parameters: { targetTable: RAW_DATA }, transitions: { success: [Read] } }
    Read: { type: run-transformation, parameters: { transformationJob: read } }
`,
    'read.tran.yaml': transformation(
      `${read('In', 'RAW_DATA', 'PAYLOAD')}${sql('In', 'select payload:name::varchar as name from $T{In}')}${write('Sql', 'OUT')}`,
    ),
  });
  await other.run('--find-rows', '0s', '--init', 'load');
  const text = other.read('load.test.yaml');
  expect(text).toContain("- { PAYLOAD: { name: '1' } }");
  expect(text).toContain("- { NAME: '1' }");
});

test('--init adds rows that notice planted changes, each with what it is for', async () => {
  using other = testFolder({
    'build.tran.yaml': `pipeline:
  components:
    Staged: { type: table-input, parameters: { targetTable: staged, columnNames: [id, amount] } }
    Large:
      type: filter
      sources: [Staged]
      parameters: { filterConditions: [[amount, Is, Greater than, '10'], [id, Not, 'Null', '']], combineCondition: And }
    Write: { type: rewrite-table, sources: [Large], parameters: { targetTable: large } }
`,
  });
  const { code } = await other.run('--init', 'build', '--find-rows', '60s');
  expect(code).toBe(0);
  expect(other.read('build.test.yaml')).toBe(`pipeline: build
tests:
  - name: runs build
    given:
      staged:
        columns: { id: NUMBER, amount: 'NUMBER(38,2)' }
        rows:
          - { id: 1, amount: 11 } # the usual case
          - { id: 2, amount: 2.5 } # other values
          - { id: null, amount: 11 } # id: null
          - { id: 21, amount: 10 } # amount: exactly 10
    expect:
      tables:
        large:
          rows:
            - { id: 1, amount: 11 }
`);
  // A number is never blank.
  expect((await other.run('--mutate')).stdout).toContain('8 of 9 changes noticed');
});
