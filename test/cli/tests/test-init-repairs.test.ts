import { expect, test } from 'vitest';
import { copyPipeline, testFolder } from './test-project.ts';

const transformation = (components: string) =>
  `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${components}`;
const orchestration = (components: string) =>
  `type: orchestration\nversion: "1.0"\npipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [Next] } }\n${components}`;
const write = (from: string) =>
  `    Write: { type: rewrite-table, sources: [${from}], parameters: { targetTable: OUT } }\n`;
const read = (table: string, columns: string) =>
  `    In: { type: table-input, parameters: { targetTable: ${table}, columnNames: [${columns}] } }\n`;

/** Pipelines whose first examples do not fit, and what the test says when they do. */
test.each<[what: string, file: string, text: string, parts: readonly string[]]>([
  [
    'a column into which SQL has a path',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', 'ID, BODY')}    Sql:\n      type: sql\n      sources: [In]\n      parameters: { query: 'select id, body:user.name::varchar as name from $T{In}' }\n${write('Sql')}`,
    ),
    ['BODY: VARIANT', "BODY: { user: { name: '1' } }", 'ID: 1'],
  ],
  [
    'a column that is flattened',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', 'ID, ITEMS')}    Flat:\n      type: flatten-variant\n      sources: [In]\n      parameters:\n        includeInputColumns: "No"\n        columnFlattens: [[ITEMS, "", i, "Yes", "No", Both]]\n        columnMapping: [[ID, "", NUMBER, ID]]\n${write('Flat')}`,
    ),
    ['ITEMS: VARIANT'],
  ],
  [
    'a text that becomes a time',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', 'LastModifiedDate')}    Sql:\n      type: sql\n      sources: [In]\n      parameters: { query: 'select to_timestamp("LastModifiedDate") as t from $T{In} where upper("LastModifiedDate") is not null' }\n${write('Sql')}`,
    ),
    ["'2026-01-01'"],
  ],
  [
    'a column that SQL writes as a time, and a schema of another database',
    'a.orch.yaml',
    orchestration(
      `    Next: { type: sql-script, parameters: { sqlScript: "create table other.logs.runs as select to_varchar(high_mark, 'YYYY-MM-DD') as d from marks" } }\n`,
    ),
    ['HIGH_MARK: TIMESTAMP', 'OTHER.LOGS.EXAMPLE:', "{ D: '2026-01-01' }"],
  ],
  [
    'a variable of the project',
    'a.tran.yaml',
    transformation(
      `    Fix: { type: fixed-flow, parameters: { columns: [[DAY, DATE, "", ""]], values: [["\${load_date}"]] } }\n${write('Fix')}`,
    ),
    ["variables: { load_date: '2026-01-01' }", "DAY: '2026-01-01'"],
  ],
  [
    'tables that a pattern matches',
    'a.tran.yaml',
    transformation(
      `    In: { type: multi-table-input, parameters: { patternType: Like, pattern: SALES_%, columns: [ID, AMOUNT], castTypes: "No", addSourceTable: "No" } }\n${write('In')}`,
    ),
    ['SALES_1:', "AMOUNT: 'NUMBER(38,2)'"],
  ],
  [
    'a script that names a variable which its pipeline does not have',
    'a.orch.yaml',
    orchestration(
      `    Next: { type: python-pushdown, parameters: { pythonScript: "# context.updateVariable('myvar', 1)" } }\n`,
    ),
    ['Next: {}'],
  ],
  [
    'filters, with rows that pass them',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', 'ID, AMOUNT, STATE, DAY')}    Large: { type: filter, sources: [In], parameters: { filterConditions: [[AMOUNT, Is, Greater than, "10"], [STATE, Is, Equal to, "\${state}"], [DAY, Is, Less than or equal to, 2025-06-01]], combineCondition: And } }\n${write('Large')}  variables:\n    state: { metadata: { type: TEXT, visibility: PUBLIC }, defaultValue: open }\n`,
    ),
    ["{ ID: 1, AMOUNT: 11, STATE: open, DAY: '2025-06-01' }"],
  ],
  [
    'a time that SQL divides as a number',
    'a.tran.yaml',
    transformation(
      `${read('FLIGHTS', 'ID, DEP_TIME')}    Sql:\n      type: sql\n      sources: [In]\n      parameters: { query: 'select id, mod(dep_time, 100) as m, 60 * (dep_time - 1) as n from $T{In}' }\n${write('Sql')}`,
    ),
    ["DEP_TIME: 'NUMBER(38,2)'"],
  ],
  [
    'a column that SQL flattens',
    'a.orch.yaml',
    orchestration(
      `    Next: { type: sql-script, parameters: { sqlScript: "create table items as select value:id::number as id from events, lateral flatten(input => ITEMS)" } }\n`,
    ),
    ['ITEMS: VARIANT'],
  ],
  [
    'a table that only an INSERT without column names shows',
    'a.orch.yaml',
    orchestration(
      `    Next: { type: sql-script, parameters: { sqlScript: "insert into target select id, upper(name) as name, 1 as amount from people" } }\n`,
    ),
    ["TARGET:\n        columns: { ID: 'NUMBER(38,0)', NAME: VARCHAR, AMOUNT: 'NUMBER(1,0)' }"],
  ],
  [
    'a query that looks for a text',
    'a.orch.yaml',
    orchestration(
      `    Next: { type: query-to-scalar, parameters: { mode: Advanced, query: "select a.id from audit a where a.LOAD_STATE = 'DONE' and name = 'ORDERS'", scalarVariableMapping: [[found, ID]] } }\n  variables:\n    found: { metadata: { type: TEXT, visibility: PUBLIC }, defaultValue: '' }\n`,
    ),
    ["LOAD_STATE: 'DONE', ID: 1, NAME: 'ORDERS'", "found: '1'"],
  ],
  [
    'a pipeline that decides to fail',
    'a.orch.yaml',
    orchestration('    Next: { type: end-failure }\n'),
    ['outcome: { failure: { component: Next'],
  ],
])('--init writes a test that passes for %s', async (_, file, text, parts) => {
  using folder = testFolder({ [file]: text });
  const ended = await folder.run('--find-rows', '0s', '--init', 'a');
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote a.test.yaml.') });
  const written = folder.read('a.test.yaml').replaceAll('"', '');
  for (const part of parts) expect(written).toContain(part);
  expect(await folder.report()).toMatchObject({ passed: 1, failed: 0, refused: 0 });
});

test('--init does not record a failure that its examples cause, and says what failed', async () => {
  using folder = testFolder({
    'a.orch.yaml': orchestration(
      '    Next: { type: sql-script, parameters: { sqlScript: "select 1 / 0" }, transitions: { failure: [Bad] } }\n    Bad: { type: end-failure }\n',
    ),
  });
  const ended = await folder.run('--find-rows', '0s', '--init', 'a');
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(
    /^a\.orch\.yaml:6:5 {2}component "Next": .*Division by zero\nNo test was written: /,
  );
  expect(folder.has('a.test.yaml')).toBe(false);
});

test('on a warehouse of kind 2, semi-structured columns are SUPER, in a test and in the lines of a mock', async () => {
  using folder = testFolder({
    'millrace.yaml': 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n',
    'a.orch.yaml': orchestration(
      '    Next:\n      type: modular-api-extract-input-v2\n      parameters: { outputId: out, out: { targetTable: raw } }\n',
    ),
    'a.test.yaml': 'pipeline: a\ntests:\n  - name: runs\n    expect: { ran: [Next] }\n',
  });
  const { tests } = await folder.report();
  expect(tests[0]?.differences[0]?.message).toContain('columns: { DATA_VALUE: SUPER }');
  await folder.run('--find-rows', '0s', '--init', 'a', '--dry-run');
  const dry = await folder.run('--find-rows', '0s', '--init', 'a', '--dry-run');
  expect(dry.stdout).toContain('DATA_VALUE: SUPER');
});

test.each([
  [
    'a calculator',
    `    events: { type: table-input, parameters: { targetTable: events, columnNames: [id, doc] } }
    Parts:
      type: calculator
      sources: [events]
      parameters:
        includeInputColumns: "No"
        calculations: [['"doc"."customer"."age"::int', age], ['doc.items[0].price::int * 2', price]]
`,
    'doc: { customer: { age: 2 }, items: [{ price: 2 }] }',
  ],
  [
    'SQL',
    `    Parts: { type: sql, parameters: { query: "select e.doc.customer.age::int as age from events e where e.doc.kind = 'order'" } }
`,
    'doc: { customer: { age: 1 }, kind: order }',
  ],
])(
  'on a warehouse of kind 2, rows fit the paths of %s into a SUPER column, and the test passes',
  async (_title, components, row) => {
    using folder = testFolder({
      'millrace.yaml': 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n',
      'a.tran.yaml': `type: transformation
version: "1.0"
pipeline:
  components:
${components}    Write: { type: rewrite-table, sources: [Parts], parameters: { targetTable: result } }
`,
    });
    expect(await folder.run('--find-rows', '0s', '--init', 'a')).toMatchObject({ code: 0, stderr: '' });
    expect(folder.read('a.test.yaml')).toContain(row);
    expect(await folder.report()).toMatchObject({ passed: 1 });
  },
);

test('on a warehouse of kind 2, whole numbers are INTEGER, others DECIMAL, and the test passes', async () => {
  using folder = testFolder({
    'millrace.yaml': 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n',
    'a.tran.yaml': copyPipeline,
  });
  expect(await folder.run('--find-rows', '0s', '--init', 'a')).toMatchObject({ code: 0, stderr: '' });
  expect(folder.read('a.test.yaml')).toContain("id: INTEGER, day: DATE, amount: 'DECIMAL(38,2)'");
  expect(await folder.report()).toMatchObject({ passed: 1 });
});

test.each([
  [
    'a list of lists',
    '    In: { type: table-input, parameters: { targetTable: RAW, columnNames: [["id"], ["DAY"]] } }',
    'id: NUMBER, DAY: DATE',
  ],
  ['SQL', `    In: { type: sql, parameters: { query: 'select day from raw' } }`, 'DAY: DATE'],
])('a table has only the columns that %s names, and the test passes', async (_title, component, columns) => {
  using folder = testFolder({ 'a.tran.yaml': transformation(`${component}\n${write('In')}`) });
  expect(await folder.run('--find-rows', '0s', '--init', 'a')).toMatchObject({ code: 0, stderr: '' });
  expect(folder.read('a.test.yaml')).toContain(`columns: { ${columns} }`);
  expect(await folder.report()).toMatchObject({ passed: 1 });
});
