import { expect, test } from 'vitest';
import { compile } from '../../../flows/data-graph/compile/compile.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import { compiled, copy, findings, graphOf, script, steps, variable } from './small-projects.ts';

const orders = script('create or replace table ORDERS (ID number, DAY date, AMOUNT number(10,2));');

test('a column that another pipeline no longer writes is found on the line of its reader', async () => {
  const files = {
    'setup.orch.yaml': orders,
    'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'SALES', ['ID', 'TOTAL']),
    'b.tran.yaml': copy('SALES', ['ID', 'AMOUNT'], 'REPORT'),
  };
  const report = await compiled(files);
  expect(findings(report)).toEqual([
    'b.tran.yaml:7 missing-column: the column "AMOUNT" was not found in the table "TEST"."PUBLIC"."SALES"; it has "ID", "TOTAL"',
  ]);
  expect(report.findings[0]?.related).toEqual([
    { file: 'a.tran.yaml', line: 14, column: 5, pipeline: 'a.tran.yaml', component: 'Write' },
  ]);
  expect(report.reads).toEqual({ bound: 1, total: 2 });
});

test('with a base, a rename is found on the component that writes the table, with all its readers', async () => {
  const before = {
    'setup.orch.yaml': orders,
    'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'SALES'),
    'b.tran.yaml': copy('SALES', ['ID', 'AMOUNT'], 'REPORT'),
    'c.orch.yaml': script('create or replace table TOP as\nselect max(AMOUNT) as M from SALES;'),
  };
  const after = { ...before, 'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'SALES', ['ID', 'TOTAL']) };
  const report = await compiled(after, before);
  expect(findings(report)).toEqual([
    'a.tran.yaml:14 breaking-change: "SALES" no longer has the column "AMOUNT", which b (b.tran.yaml:7) and c (c.orch.yaml:12) read; write the column again, or change these readers too',
  ]);
  expect(findings(await compiled(before, before))).toEqual([]);
});

test('every column that a component lacks is found, each with its table in what identifies it', async () => {
  const read = (columns: string, from = 'ORDERS') => ({
    'setup.orch.yaml': orders,
    'other.orch.yaml': script('create or replace table OTHER (ID number);'),
    'r.orch.yaml': script(`create or replace table R as select ${columns} from ${from};`),
    'c.tran.yaml': copy(from, ['ID', 'ADDR', 'CITY'], 'COPY'),
  });
  const first = await compiled(read('ID, FOO'));
  const baseline = first.nextBaseline;
  expect(first.findings.map(({ file, subject }) => [file, subject])).toEqual([
    ['c.tran.yaml', 'TEST.PUBLIC.ORDERS, ADDR'],
    ['c.tran.yaml', 'TEST.PUBLIC.ORDERS, CITY'],
    ['r.orch.yaml', 'TEST.PUBLIC.ORDERS, TEST.PUBLIC.R, FOO'],
  ]);
  const news = async (files: ReturnType<typeof read>) =>
    (await compiled(files, undefined, { baseline })).findings
      .filter(({ state }) => state === 'new')
      .map(({ columnName, file }) => [file, columnName]);
  expect(await news(read('ID, FOO'))).toEqual([]);
  expect(await news(read('FOO, BAR, upper(BAZ), FOO'))).toEqual([
    ['r.orch.yaml', 'BAR'],
    ['r.orch.yaml', 'BAZ'],
  ]);
  // A condition of a full join tries its sides in both orders.
  expect(await news(read('FOO', 'ORDERS full join OTHER on OTHER.ID = ORDERS.ID'))).toEqual([
    ['r.orch.yaml', 'FOO'],
  ]);
  expect(await news(read('ID, FOO', 'OTHER'))).toEqual([
    ['c.tran.yaml', 'ADDR'],
    ['c.tran.yaml', 'CITY'],
    ['r.orch.yaml', 'FOO'],
  ]);
});

test('a column that a change drops is new beside one that was missing before, and no acceptance of that one hides it', async () => {
  const before = {
    'setup.orch.yaml': orders,
    'r.orch.yaml': script('create or replace table R as select ADDR, AMOUNT from ORDERS;'),
  };
  const after = { ...before, 'setup.orch.yaml': orders.replace(', AMOUNT number(10,2)', '') };
  const { nextBaseline: baseline } = await compiled(before);
  const ofColumns = ({ findings: list }: Awaited<ReturnType<typeof compiled>>) =>
    list.flatMap(({ columnName, state }) => (state === 'new' ? [columnName] : []));
  expect(ofColumns(await compiled(after, before, { baseline }))).toEqual(['AMOUNT']);
  const accept = [{ table: 'ORDERS', column: 'ADDR', reason: 'known' }];
  expect(ofColumns(await compiled(after, undefined, { accept }))).toEqual(['AMOUNT']);
});

test.each<[string, string]>([
  ['a subquery', 'select o.ID from ORD o where o.ID in (select KEY from MID)'],
  ['EXISTS', 'select ID from ORD where exists (select 1 from MID where KEY = 1)'],
  ['an alias', 'select ID * 2 as KEY from MID where KEY > 1'],
])('a column that is gone, or is new, is found if %s takes its name without an error', async (_, query) => {
  const files = (columns: string) => ({
    'setup.orch.yaml': script('create or replace table ORD (ID number, KEY number);'),
    'mid.orch.yaml': script(`create or replace table MID as select ${columns} from ORD;`),
    'r.orch.yaml': script(`create or replace table FIN as ${query};`),
  });
  const [full, renamed] = [files('ID, KEY'), files('ID, KEY as OTHER')];
  expect(findings(await compiled(renamed, full))).toEqual([
    'mid.orch.yaml:11 breaking-change: "MID" no longer has the column "KEY", so the name "KEY" in r (r.orch.yaml:11) now means another column; write the column again, or write the table before the name in this reader',
  ]);
  expect(findings(await compiled(full, renamed))).toEqual([
    'mid.orch.yaml:11 breaking-change: "MID" now has the column "KEY", so the name "KEY" in r (r.orch.yaml:11) now means this new column; give the column another name, or write the table before the name in this reader',
  ]);
  const adapted = {
    ...renamed,
    'r.orch.yaml': script(`create or replace table FIN as select OTHER from MID;`),
  };
  expect(findings(await compiled(adapted, full))).toEqual([]);
});

test('a pipeline that cannot start is found', async () => {
  const files = {
    'empty.orch.yaml': 'pipeline:\n  components: {}\n',
    'key.tran.yaml': 'pipeline:\n  Components:\n    A: { type: fixed-flow }\n',
    'link.orch.yaml': steps([['End', 'end-success', {}]]).replace('["End"]', '["Endd"]'),
    'start.orch.yaml': 'pipeline:\n  components:\n    End: { type: end-success }\n',
  };
  expect(findings(await compiled(files))).toEqual([
    'empty.orch.yaml:2 cannot-run: the pipeline has no components',
    'key.tran.yaml:2 cannot-run: unknown key `Components`; did you mean "components"?',
    'link.orch.yaml:1 cannot-run: the unconditional transition of "Start" names "Endd", which does not exist. Did you mean "End"?',
    'start.orch.yaml:2 cannot-run: the pipeline has no start component: add a component of the type start',
  ]);
});

test('a function that another pipeline creates is not taken for a misspelled one', async () => {
  const { unknown } = await compiled({
    'make.orch.yaml': script("create function NET(X number) returns number as 'X * 2';"),
    'use.orch.yaml': script('create or replace table T as select NET(1) as A;'),
  });
  expect(unknown.map(({ reason }) => reason)).toEqual([
    'Millrace does not know the function NET here, which another pipeline creates',
  ]);
});

test('a changed type that a reader cannot compare is found on the change', async () => {
  const reader = script("create or replace table LATE as select ID from ORDERS where DAY > '2024-01-05';");
  const before = { 'setup.orch.yaml': orders, 'late.orch.yaml': reader };
  const after = { ...before, 'setup.orch.yaml': orders.replace('DAY date', 'DAY boolean') };
  expect(findings(await compiled(before))).toEqual([]);
  const [finding, ...others] = findings(await compiled(after, before));
  expect(others).toEqual([]);
  expect(finding).toContain(
    'setup.orch.yaml:11 breaking-change: the column "DAY" of "ORDERS" is BOOLEAN instead of DATE',
  );
});

test('a changed type that readers can use is a notice on the change, with the readers', async () => {
  const before = {
    'setup.orch.yaml': orders,
    'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'SALES'),
    'b.tran.yaml': copy('ORDERS', ['ID'], 'REPORT'),
  };
  const after = { ...before, 'setup.orch.yaml': orders.replace('number(10,2)', 'number(10,4)') };
  const report = await compiled(after, before);
  expect(
    report.findings.map(({ severity, line, column, ...more }) => [severity, line, column, more.message]),
  ).toEqual([
    [
      'notice',
      11,
      expect.any(Number),
      'the column "AMOUNT" of "ORDERS" is NUMBER(10,4) instead of NUMBER(10,2); a (a.tran.yaml:3) reads it: check what this reader computes',
    ],
  ]);
  expect(report.nextBaseline).toEqual([]);
  expect((await compiled(before, before)).findings).toEqual([]);
});

test('a table that nothing creates any more is found at its readers', async () => {
  const before = {
    'setup.orch.yaml': orders,
    'a.tran.yaml': copy('ORDERS', ['ID'], 'SALES'),
    'b.tran.yaml': copy('SALES', ['ID'], 'REPORT'),
  };
  const { 'a.tran.yaml': _, ...after } = before;
  expect(findings(await compiled(after, before))).toEqual([
    'b.tran.yaml:3 missing-table: no pipeline creates the table "SALES" any more; a did: create it again, or remove this reader',
  ]);
});

test('several writers of a table are alternatives: a column of one of them may be there', async () => {
  const report = await compiled({
    'one.orch.yaml': script('create or replace table T (A number);'),
    'two.orch.yaml': script('create table if not exists T (B number);'),
    'read.tran.yaml': copy('T', ['A', 'B'], 'U'),
    'wrong.tran.yaml': copy('T', ['C'], 'V'),
  });
  expect(findings(report)).toEqual([
    'wrong.tran.yaml:7 missing-column: the column "C" was not found in the table "TEST"."PUBLIC"."T"; it has "A", "B"',
  ]);
});

const dropGrid = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Drop] } }
    Drop:
      type: delete-tables
      parameters: { targetTable: { fromGrid: { variable: names, columns: [name] } } }
  variables:
    names:
      metadata: { type: GRID, description: '', scope: SHARED, visibility: PUBLIC, columns: { name: { metadata: { type: TEXT } } } }
      defaultValue: []
`;

test('nothing is found that depends on what is not known before a run', async () => {
  const load = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Load] } }
    Load: { type: google-sheets-query, parameters: { targetTable: LOADED } }
`;
  const python = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Code] } }
    Code: { type: python-pushdown, parameters: { pythonScript: "session.sql('alter table T add column B number')" } }
`;
  const report = await compiled({
    'outside.tran.yaml': copy('ELSEWHERE', ['A'], 'FROM_OUTSIDE'),
    'load.orch.yaml': load,
    'loaded.tran.yaml': copy('LOADED', ['A'], 'FROM_LOAD'),
    'make.orch.yaml': script('create or replace table T (A number);'),
    'code.orch.yaml': python,
    'altered.tran.yaml': copy('T', ['B'], 'FROM_PYTHON'),
    'named.orch.yaml': script('create or replace table N_${part} as select 1 as A;', variable('part')),
    'name.tran.yaml': copy('N_1', ['B'], 'FROM_NAME'),
    'day.orch.yaml': script(
      'select A from T where A = ${limit};\nselect * from ${source};',
      `${variable('limit')}${variable('source').replace('  variables:\n', '')}`,
    ),
    'drop.orch.yaml': dropGrid,
    'copied.orch.yaml': script('create or replace table C like T;'),
    'clone.tran.yaml': copy('C', ['Z'], 'FROM_CLONE'),
  });
  expect(findings(report)).toEqual([]);
  expect(report.outside.map(({ table }) => table.table)).toContain('ELSEWHERE');
  expect(report.unknown.map(({ reason }) => reason)).toContain(
    'the name of a table depends on the variable "…", whose value is only known when the pipeline runs',
  );
});

test('a variable in a value does not hide a column that is missing', async () => {
  const report = await compiled({
    'setup.orch.yaml': orders,
    'day.orch.yaml': script(
      "create or replace table D as\nselect PRICE from ORDERS where DAY > '${day}';",
      variable('day'),
    ),
  });
  expect(findings(report)).toEqual([
    'day.orch.yaml:12 missing-column: column "PRICE" not found; "ORDERS" has "ID", "DAY", "AMOUNT"',
  ]);
});

test('a variable in the SQL of a transformation does not hide one either', async () => {
  const reader = JSON.stringify({
    pipeline: {
      components: {
        Query: { type: 'sql', parameters: { query: "select PRICE from ORDERS where DAY > '${day}'" } },
        Write: { type: 'rewrite-table', sources: ['Query'], parameters: { targetTable: 'D' } },
      },
      variables: {
        day: { metadata: { type: 'TEXT', scope: 'SHARED', visibility: 'PUBLIC' }, defaultValue: '' },
      },
    },
  });
  const report = await compiled({ 'setup.orch.yaml': orders, 'day.tran.yaml': reader });
  expect(report.findings.map(({ component, rule }) => [component, rule])).toEqual([
    ['Query', 'missing-column'],
  ]);
});

test('both branches of a condition are bound, and what an iterator repeats', async () => {
  const walk = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [If] } }
    If:
      type: if
      transitions: { "true": [Yes], "false": [Each] }
      parameters: { mode: Simple, condition: [[x, Is, Equal to, "1"]], combineConditions: And }
    Yes:
      type: sql-script
      parameters: { sqlScript: select WRONG_ONE from ORDERS }
    Each:
      type: fixed-iterator
      iterationTarget: [No]
      parameters: { variablesToIterate: [x], iterationValues: [["1"]] }
    No:
      type: sql-script
      parameters: { sqlScript: select WRONG_TWO from ORDERS }
    Never:
      type: sql-script
      parameters: { sqlScript: select WRONG_THREE from ORDERS }
${variable('x', '1')}`;
  const report = await compiled({ 'setup.orch.yaml': orders, 'walk.orch.yaml': walk });
  expect(report.findings.map(({ component, rule }) => [component, rule])).toEqual([
    ['Yes', 'missing-column'],
    ['No', 'missing-column'],
  ]);
});

test('a statement that cannot be bound does not hide the ones after it', async () => {
  const report = await compiled({
    'setup.orch.yaml': orders,
    'many.orch.yaml': script(
      'copy into ORDERS from @stage;\nselect NOTHING from ORDERS;\nselect ID from ORDERS;',
    ),
  });
  expect(findings(report)).toEqual([
    'many.orch.yaml:12 missing-column: column "NOTHING" not found; "ORDERS" has "ID", "DAY", "AMOUNT"',
  ]);
});

test('a test that gives a table a column that no pipeline writes is found on its line', async () => {
  const files = {
    'setup.orch.yaml': orders,
    'a.tran.yaml': copy('ORDERS', ['ID'], 'SALES'),
    'a.test.yaml': `pipeline: a
tests:
  - name: copies
    given:
      ORDERS:
        rows:
          - { ID: 1, PRICE: 2 }
    expect: { tables: { SALES: { count: 1 } } }
`,
  };
  expect(findings(await compiled(files))).toEqual([
    'a.test.yaml:7 given-column: the test "copies" gives "ORDERS" the column "PRICE", but setup creates the table without it: correct the name, or remove the column from the test',
  ]);
});

test('tests say which columns a table from outside has, and nothing is concluded from their types', async () => {
  const given = (rows: string) => `pipeline: a
tests:
  - { name: one, given: { RAW: { rows: [${rows}] } }, expect: { tables: { SALES: { count: 1 } } } }
`;
  const files = {
    'a.tran.yaml': copy('RAW', ['ID', 'DAY'], 'SALES', ['ID', 'ON_DAY']),
    'a.test.yaml': given('{ ID: 1, DAY: "2024-01-05" }'),
    'b.tran.yaml': copy('SALES', ['DAY'], 'REPORT'),
    'c.orch.yaml': script('create or replace table C as select ON_DAY + 1 as N from SALES;'),
    'd.tran.yaml': copy('RAW', ['OTHER'], 'ELSE'),
  };
  expect(findings(await compiled(files))).toEqual([
    'b.tran.yaml:7 missing-column: the column "DAY" was not found in the table "TEST"."PUBLIC"."SALES"; it has "ID", "ON_DAY"',
  ]);
});

test('views, altered tables and a table that depends on itself end, and keep their columns', async () => {
  const report = await compiled({
    'setup.orch.yaml': orders,
    'view.orch.yaml': script(
      'create or replace view V as select ID, AMOUNT * 2 as DOUBLE_AMOUNT from ORDERS;',
    ),
    'alter.orch.yaml': script('alter table ORDERS add column NOTE varchar;'),
    'self.orch.yaml': script('create or replace table SELF as select * from SELF;'),
    'read.tran.yaml': copy('V', ['ID', 'DOUBLE_AMOUNT'], 'W'),
    'note.tran.yaml': copy('ORDERS', ['NOTE'], 'NOTES'),
  });
  expect(findings(report)).toEqual([]);
  expect(report.reads).toMatchObject({ bound: 3 });
});

test('names of kind 2 are compared in lower case', async () => {
  const graph = await graphOf(
    {
      'make.orch.yaml': script('create table Orders (Id int, Amount numeric(10,2));'),
      'read.tran.yaml': copy('ORDERS', ['ID', 'Price'], 'sales'),
    },
    'WAREHOUSE_TWO',
  );
  expect(findings(compile(graph))).toEqual([
    'read.tran.yaml:7 missing-column: the column "Price" was not found in the table "test"."public"."orders"; it has "id", "amount"',
  ]);
});

const flow = (sources: Readonly<Record<string, readonly string[]>>, skipped: readonly string[] = []) =>
  JSON.stringify({
    pipeline: {
      components: Object.fromEntries(
        Object.entries(sources).map(([name, from]) => [
          name,
          {
            ...(name.startsWith('W')
              ? { type: 'rewrite-table', parameters: { targetTable: `T_${name}` } }
              : {
                  type: 'sql',
                  parameters: { query: `select 1 A${from.length > 0 ? ` from $T{${from[0]}}` : ''}` },
                }),
            sources: from,
            skipped: skipped.includes(name),
          },
        ]),
      ),
    },
  }).replace(/("(?:Q|W)\w*":\{"type")/g, '\n$1');

test.each<readonly [string, string, readonly string[]]>([
  [
    'a cycle of sources',
    flow({ Q: [], Q1: ['Q2'], Q2: ['Q1'], W: ['Q2'], W2: ['Q'] }),
    [
      'x.tran.yaml:3 cannot-run: Transformation "x.tran.yaml" has components that read from each other in a cycle: "Q1", "Q2". Remove one of these sources.',
    ],
  ],
  [
    'a source that is skipped',
    flow({ Q: [], Q1: ['Q'], W: ['Q1'], W2: ['Q'] }, ['Q1']),
    ['x.tran.yaml:4 cannot-run: the source "Q1" of the component "W" is skipped, so it returns no rows'],
  ],
  [
    'a source that does not exist',
    flow({ Q: [], W: ['Q1'] }),
    ['x.tran.yaml:3 cannot-run: the source "Q1" of the component "W" does not exist'],
  ],
  [
    'skipped components that nothing reads',
    flow({ Q: [], Q1: ['Q'], W: ['Q'], W2: ['Q1'] }, ['Q1', 'W2']),
    [],
  ],
])('a transformation with %s is found as a run finds it', async (_, text, expected) => {
  const report = await compiled({ 'x.tran.yaml': text });
  expect(findings(report)).toEqual(expected);
  using folder = testFolder({
    'x.tran.yaml': text,
    'x.test.yaml': 'pipeline: x\ntests:\n  - name: n\n    expect: { outcome: success }\n',
  });
  const { passed } = await folder.report();
  expect(passed).toBe(expected.length === 0 ? 1 : 0);
});

test('a pipeline that does not start is found: its default, or what a call passes', async () => {
  const typed = (defaultValue: unknown, type = 'NUMBER', columns?: object) =>
    JSON.stringify({
      pipeline: {
        components: { Start: { type: 'start' } },
        variables: { v: { metadata: { type, columns }, defaultValue } },
      },
    });
  const call = (more: object, skipped = false) =>
    steps([['C', 'run-orchestration', { orchestrationJob: 'grid', ...more }, { skipped }]]);
  const narrow = { setGridVariables: [{ variable: 'v', status: 'values', gridValues: [['x']] }] };
  const report = await compiled({
    'alone.orch.yaml': typed('abc'),
    'called.orch.yaml': typed('abc'),
    'caller.orch.yaml': steps([
      ['C', 'run-orchestration', { orchestrationJob: 'called', setScalarVariables: [['v', '1']] }],
    ]),
    'grid.orch.yaml': typed([], 'GRID', { a: { type: 'TEXT' }, b: { type: 'TEXT' } }),
    'narrow.orch.yaml': call(narrow),
    'skipped.orch.yaml': call(narrow, true),
    'twice.orch.yaml': call({
      setScalarVariables: [
        ['p', '1'],
        ['p', '2'],
      ],
    }),
    'project.orch.yaml': call({ setScalarVariables: [['p', '1']] }),
  });
  expect(findings(report)).toEqual([
    'alone.orch.yaml:1 cannot-run: the pipeline cannot start with the default values of its variables: the variable "v" is a number and cannot be "abc"',
    'narrow.orch.yaml:1 cannot-run: the component "C" passes the variable "v" to "grid.orch.yaml", where a row with 1 cell is not possible, because it has 2 columns: a, b',
    'twice.orch.yaml:1 cannot-run: the component "C" passes the variable "p" twice',
  ]);
});

test('of a script that creates a table and alters it, what is left counts', async () => {
  const reader = copy('T', ['ID', 'AMT'], 'U');
  const drop = 'create or replace table T (ID number, AMT number);\nalter table T drop column AMT;';
  const found = [
    'r.tran.yaml:7 missing-column: the column "AMT" was not found in the table "TEST"."PUBLIC"."T"; it has "ID"',
  ];
  expect(findings(await compiled({ 'c.orch.yaml': script(drop), 'r.tran.yaml': reader }))).toEqual(found);
  const added = script(`create or replace table T (ID number);\nalter table T add column AMT number;`);
  expect(findings(await compiled({ 'c.orch.yaml': added, 'r.tran.yaml': reader }))).toEqual([]);
  const kept = script(drop.replace('or replace table', 'table if not exists'));
  expect(findings(await compiled({ 'c.orch.yaml': kept, 'r.tran.yaml': reader }))).toEqual(found);
  // Another pipeline may add it again, and another component need not run.
  const again = script('alter table T add column AMT number;');
  expect(
    findings(await compiled({ 'c.orch.yaml': script(drop), 'd.orch.yaml': again, 'r.tran.yaml': reader })),
  ).toEqual([]);
  const before = { 'c.orch.yaml': script(drop.split('\n')[0] ?? ''), 'r.tran.yaml': reader };
  expect(findings(await compiled({ ...before, 'c.orch.yaml': script(drop) }, before))).toEqual([
    'c.orch.yaml:12 breaking-change: "T" no longer has the column "AMT", which r (r.tran.yaml:7) reads; write the column again, or change this reader too',
  ]);
});

const readerOfView = script('create or replace table LAST_ONE as select A from V');
const makesView = 'create or replace table T (A number, B number); create view V as select A from T;';
const gone = (reason: string) =>
  `read.orch.yaml:11 cannot-run: the view "V" cannot be read: it reads ${reason}; create the view again`;

test.each([
  ['alter table T drop column A', [gone('the column "A" of "T", which no longer exists')]],
  ['create or replace table T (B number)', [gone('the column "A" of "T", which no longer exists')]],
  ['drop table T', [gone('"T", which no longer exists')]],
  ['drop table T; create table T (A number)', []],
  ['alter table T drop column A; create or replace view V as select B as A from T', []],
])('a view that the script breaks by %s is not read', async (change, expected) => {
  const files = { 'write.orch.yaml': script(`${makesView} ${change}`), 'read.orch.yaml': readerOfView };
  const { findings: found, reads } = await compiled(files);
  expect(findings({ findings: found })).toEqual(expected);
  expect(reads).toMatchObject({ bound: expected.length === 0 ? reads.total : reads.total - 1 });
});

test('a view that cannot be read is a change for its readers', async () => {
  const before = { 'write.orch.yaml': script(makesView), 'read.orch.yaml': readerOfView };
  const after = { ...before, 'write.orch.yaml': script(`${makesView} alter table T drop column A`) };
  expect(findings(await compiled(after, before))).toEqual([
    expect.stringMatching(
      /^write\.orch\.yaml:\d+ breaking-change: "V" no longer has the column "A", which read /,
    ),
  ]);
});

test.each([
  [
    'another pipeline makes the table too',
    makesView,
    { 'other.orch.yaml': script('create or replace table T (A number);') },
  ],
  [
    'the table is from outside',
    'create view V as select A from T;',
    { 'other.orch.yaml': script('create or replace table U as select A from T') },
  ],
])('nothing is known of the columns of a broken view if %s', async (_, makes, others) => {
  const files = {
    'write.orch.yaml': script(`${makes} alter table T drop column A;`),
    'read.orch.yaml': readerOfView,
    ...others,
  };
  expect(findings(await compiled(files)).filter((text) => text.startsWith('read.'))).toEqual([]);
});

test('of two writers of a table, the change is on the one that changed, also if the other script alters its table', async () => {
  const files = (columns: string) => ({
    'same.orch.yaml': script('create or replace table T (A number); alter table T add column B number;'),
    'other.orch.yaml': script(`create or replace table T (${columns});`),
    'reader.orch.yaml': script('create or replace table R as select C from T;'),
  });
  const before = files('A number, B number, C number');
  expect(
    findings(await compiled(files('A number, B number'), before)).map((each) => each.split(':')[0]),
  ).toEqual(['other.orch.yaml']);
});
