import { expect, test } from 'vitest';
import { affectedBy as report } from './affected-by.ts';
import { type Files, type Step, sqlStep, steps } from './small-projects.ts';

async function affectedBy(before: Files, after: Files, renamed: Files = {}) {
  const { edges: _, ...texts } = await report(before, after, { renamed });
  return texts;
}

const read = (from: string, to: string, column = 'A') => `pipeline:
  components:
    Read: { type: table-input, parameters: { targetTable: ${from}, columnNames: [${column}] } }
    Write: { type: rewrite-table, sources: [Read], parameters: { targetTable: ${to} } }
`;
const call = (target: string) => `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Call] } }
    Call: { type: run-transformation, parameters: { transformationJob: ${target} } }
`;
const sql = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Make] } }
    Make: { type: sql-executor, parameters: { scriptLocation: File, fileName: sql/make.sql } }
`;
const query = (text: string) => `pipeline:
  components:
    Read:
      type: sql
      parameters:
        query: |
${text.replace(/^/gm, '          ')}
    Sum: { type: calculator, sources: [Read], parameters: { calculations: [["A + 1", NEXT]] } }
    Write: { type: rewrite-table, sources: [Sum], parameters: { targetTable: Q } }
`;
const testOf = (pipeline: string, table: string, rows: string) => `pipeline: ${pipeline}
tests:
  - { name: one, given: { ${table}: { ${rows} } }, expect: { tables: { B: { count: 1 } } } }
`;

const project = {
  'make.orch.yaml': sql,
  'sql/make.sql': 'create or replace table RAW (A number, B number);',
  'b.tran.yaml': read('RAW', 'B'),
  'c.tran.yaml': read('B', 'C'),
  'd.tran.yaml': read('C', 'D'),
  'other.tran.yaml': read('ELSEWHERE', 'OTHER'),
  'query.tran.yaml': query("select A, 'x' as T from ELSEWHERE"),
  'main.orch.yaml': call('b'),
  'top.orch.yaml': call('c').replace('transformationJob: c', 'transformationJob: "${which}"')
    .concat(`  variables:
    which:
      metadata: { type: TEXT, description: '', scope: SHARED, visibility: PUBLIC }
      defaultValue: c
`),
  'b.test.yaml': testOf('b', 'RAW', 'rows: [{ A: 1 }]'),
  'c.test.yaml': testOf('c', 'B', 'file: rows.csv').replace('{ B: { count', '{ C: { count'),
  'rows.csv': 'A\n1\n',
};

test('callers, readers of what is written, entry points and tests are affected, each with its path', async () => {
  const result = await affectedBy(project, { ...project, 'b.tran.yaml': read('RAW', 'B', 'A, B') });
  expect(result).toEqual({
    changed: ['b.tran.yaml changed at line 3'],
    affected: [
      'c.tran.yaml:3 c reads B, which b writes; b changed at line 3',
      'd.tran.yaml:3 d reads C, which c writes; c reads B, which b writes; b changed at line 3',
      'main.orch.yaml:4 main calls b; b changed at line 3',
      'top.orch.yaml:4 top calls a pipeline that is known only at run time; b changed at line 3',
    ],
    entryPoints: ['c.tran.yaml', 'd.tran.yaml', 'main.orch.yaml', 'top.orch.yaml'],
    tests: ['b.test.yaml it tests b; b changed at line 3'],
  });
});

const unchanged = { changed: [], affected: [], entryPoints: [], tests: [] };

test.each<[string, (text: string) => string]>([
  ['moved boxes', (text) => `${text}design:\n  components: { Read: { position: { x: 5, y: 7 } } }\n`],
  ['comments', (text) => `# a comment\n${text.replace('    Write', '    # another\n    Write')}`],
  ['quotes', (text) => text.replace('[A]', '["A"]').replace('RAW', "'RAW'")],
  [
    'the order of keys',
    (text) => text.replace('targetTable: RAW, columnNames: [A]', 'columnNames: [A], targetTable: RAW'),
  ],
  [
    'the form of lists and maps',
    (text) =>
      text
        .replace('[A]', '\n        - A\n    ')
        .replace(
          /Read: \{.*\n.*\n.*\n/,
          'Read:\n      type: table-input\n      parameters:\n        targetTable: RAW\n        columnNames:\n        - A\n',
        ),
  ],
])('%s change nothing', async (_, edit) => {
  const after = { ...project, 'b.tran.yaml': edit(project['b.tran.yaml']) };
  expect(after['b.tran.yaml']).not.toBe(project['b.tran.yaml']);
  expect(await affectedBy(project, after)).toEqual(unchanged);
});

test('comments and formatting of SQL, in components and files, change nothing', async () => {
  const after = {
    ...project,
    'query.tran.yaml': query("-- the letters\nSELECT a,\n  'x' AS t\nFROM elsewhere").replace('A + 1', 'a+1'),
    'sql/make.sql': '/* raw */\nCREATE OR REPLACE TABLE raw (\n  a number,\n  b number\n);',
  };
  expect(await affectedBy(project, after)).toEqual(unchanged);
});

test.each<[string, Files, string]>([
  [
    'a text in SQL',
    { 'query.tran.yaml': query("select A, 'X' as T from ELSEWHERE") },
    'query.tran.yaml changed at line 6',
  ],
  [
    'an expression',
    { 'query.tran.yaml': project['query.tran.yaml'].replace('A + 1', 'A + 2') },
    'query.tran.yaml changed at line 8',
  ],
  [
    'the case of a column that a parameter names',
    { 'query.tran.yaml': project['query.tran.yaml'].replace('NEXT', 'next') },
    'query.tran.yaml changed at line 8',
  ],
  [
    'a file that cannot be read',
    { 'sql/make.sql': "create or replace table RAW (A number, B number); select 'x" },
    'make.orch.yaml runs sql/make.sql, which changed',
  ],
])('%s is a change', async (_, files, changed) => {
  expect((await affectedBy(project, { ...project, ...files })).changed).toEqual([changed]);
});

test('a script, a deleted pipeline and a renamed one change what uses them', async () => {
  const script = await affectedBy(project, {
    ...project,
    'sql/make.sql': 'create or replace table RAW (A number);',
  });
  expect(script.changed).toEqual(['make.orch.yaml runs sql/make.sql, which changed']);
  expect(script.affected[0]).toBe(
    'b.tran.yaml:3 b reads RAW, which make writes; make runs sql/make.sql, which changed',
  );
  const { 'b.tran.yaml': b, ...without } = project;
  const deleted = await affectedBy(project, without);
  expect(deleted.changed).toEqual(['b.tran.yaml is deleted']);
  expect(deleted.affected.map((line) => line.split(' ')[0])).toEqual([
    'c.tran.yaml:3',
    'd.tran.yaml:3',
    'main.orch.yaml:4',
    'top.orch.yaml:4',
  ]);
  const { 'c.tran.yaml': _, ...untestable } = project;
  expect((await affectedBy(project, untestable)).tests).toEqual([
    expect.stringMatching(
      /^c\.test\.yaml it is refused: c\.test\.yaml:1:11: the pipeline "c" does not exist/,
    ),
  ]);
  const renamed = await affectedBy(
    project,
    { ...without, 'e.tran.yaml': b },
    { 'e.tran.yaml': 'b.tran.yaml' },
  );
  expect(renamed.changed).toEqual(['e.tran.yaml was b.tran.yaml']);
});

test('a changed variable changes its pipeline; a changed test or a file of its rows only the test', async () => {
  const top = project['top.orch.yaml'].replace('defaultValue: c', 'defaultValue: d');
  expect((await affectedBy(project, { ...project, 'top.orch.yaml': top })).changed).toEqual([
    'top.orch.yaml changed at line 6',
  ]);
  const rows = await affectedBy(project, { ...project, 'rows.csv': 'A\n2\n' });
  expect(rows).toEqual({
    changed: [],
    affected: [],
    entryPoints: [],
    tests: ['c.test.yaml it reads rows.csv, which changed'],
  });
});

const definition = (transformation: string, tables: string) => `name: shop
streamingSource:
  connection: { database: shop }
  tables:
${tables}
streamingTarget:
  database: TEST
  tableSchema: PUBLIC
  stagePrefix: s
  tablePrefixType: PREFIX
  transformationType: ${transformation}
`;
const one = '    - { schema: public, table: orders }\n';

test('a changed streaming pipeline affects the readers of its tables', async () => {
  const before = {
    'millrace.yaml': 'version: 1\nstreaming: [streaming/*.yaml]\n',
    'streaming/shop.yaml': definition('COPY_TABLE', `${one}    - { schema: public, table: items }\n`),
    'a.tran.yaml': read('S_ORDERS', 'B'),
    'b.tran.yaml': read('S_ITEMS', 'C'),
  };
  const after = { ...before, 'streaming/shop.yaml': definition('CHANGE_LOG', one) };
  expect(await affectedBy(before, after)).toEqual({
    changed: ['streaming/shop.yaml changed'],
    affected: [
      'a.tran.yaml:3 a reads S_ORDERS, which streaming/shop.yaml writes; streaming/shop.yaml changed',
      'b.tran.yaml:3 b reads S_ITEMS, which streaming/shop.yaml writes; streaming/shop.yaml changed',
    ],
    entryPoints: ['a.tran.yaml', 'b.tran.yaml'],
    tests: [],
  });
});

test('another declaration of a table affects its readers, and the tests that take its columns from there', async () => {
  const before = {
    'millrace.yaml': 'version: 1\nschemas: [tables.yaml]\n',
    'tables.yaml': 'RAW: { A: NUMBER }\nOTHER: { A: NUMBER }\n',
    'a.tran.yaml': read('RAW', 'B'),
    'b.tran.yaml': read('OTHER', 'C'),
    'a.test.yaml': testOf('a', 'RAW', 'rows: [{ A: 1 }]'),
    'b.test.yaml': testOf('b', 'X', 'rows: [{ A: 1 }]'),
  };
  const after = { ...before, 'tables.yaml': 'RAW: { A: VARCHAR }\nOTHER: { A: NUMBER }\n' };
  expect(await affectedBy(before, after)).toEqual({
    changed: [],
    affected: ['a.tran.yaml:3 a reads RAW, which tables.yaml declares; tables.yaml changed'],
    entryPoints: ['a.tran.yaml'],
    tests: ['a.test.yaml it reads tables.yaml, which changed'],
  });
});

const passing =
  (...more: readonly Step[]) =>
  (value: string) =>
    steps(
      [
        ...more,
        ['Call', 'run-transformation', { transformationJob: 'c', setScalarVariables: [['limit', value]] }],
      ],
      { x: '1' },
    );
const readsConfig: Step = [
  'Read',
  'query-to-scalar',
  { mode: 'Advanced', query: 'select A from B', scalarVariableMapping: [['x', 'A']] },
];

test.each<[string, Files, Files, readonly string[]]>([
  [
    'another value that a caller passes',
    { 'o.orch.yaml': passing()('5') },
    { 'o.orch.yaml': passing()('50') },
    [
      'c.tran.yaml:1 c is called by o, which no longer calls it as before; o changed at line 1',
      'd.tran.yaml:3 d reads C, which c writes; c is called by o, which no longer calls it as before; o changed at line 1',
      'top.orch.yaml:4 top calls a pipeline that is known only at run time; o changed at line 1',
    ],
  ],
  [
    'a call that is gone',
    { 'o.orch.yaml': passing(sqlStep('First', 'select 1'))('5') },
    { 'o.orch.yaml': steps([sqlStep('First', 'select 1')], { x: '1' }) },
    [
      'c.tran.yaml:1 c is called by o, which no longer calls it as before; o changed at line 1',
      'd.tran.yaml:3 d reads C, which c writes; c is called by o, which no longer calls it as before; o changed at line 1',
      'top.orch.yaml:4 top calls a pipeline that is known only at run time; o changed at line 1',
    ],
  ],
  [
    'a change of a caller before and beside the call',
    { 'o.orch.yaml': passing(sqlStep('First', 'select 1'))('5') },
    { 'o.orch.yaml': passing(sqlStep('First', 'select 2'))('5') },
    ['top.orch.yaml:4 top calls a pipeline that is known only at run time; o changed at line 1'],
  ],
  [
    'values that come from a table that changed',
    { 'o.orch.yaml': passing(readsConfig)('${x}'), 'b.tran.yaml': read('RAW', 'B') },
    { 'o.orch.yaml': passing(readsConfig)('${x}'), 'b.tran.yaml': read('RAW', 'B', 'A, B') },
    [
      'c.tran.yaml:1 c is called by o, with values or conditions that depend on data; o reads B, which b writes; b changed at line 3',
      'd.tran.yaml:3 d reads C, which c writes; c is called by o, with values or conditions that depend on data; o reads B, which b writes; b changed at line 3',
      'main.orch.yaml:4 main calls b; b changed at line 3',
      'o.orch.yaml:1 o reads B, which b writes; b changed at line 3',
      'top.orch.yaml:4 top calls a pipeline that is known only at run time; b changed at line 3',
    ],
  ],
])('%s: readers of what the called pipeline writes', async (_, before, after, expected) => {
  const files = { ...project, 'c.tran.yaml': read('ELSEWHERE', 'C') };
  expect((await affectedBy({ ...files, ...before }, { ...files, ...after })).affected).toEqual(expected);
});

test.each<[string, readonly string[]]>([
  ['updateOutputMessage: done, updateScalarVariables: ', ['o calls b']],
  ['updateScalarVariables: [], updateGridVariables: {}', ['o calls b']],
  [
    'updateScalarVariables: [[x, a]]',
    [
      'e is called by o, with values or conditions that depend on data',
      'o calls b',
      'u reads O, which o writes',
    ],
  ],
])(
  'postProcessing { %s }: only a result that sets a variable counts, and only after its call',
  async (after, expected) => {
    const files = (column: string) => ({
      'b.tran.yaml': read('RAW', 'B', column),
      'e.tran.yaml': read('ELSEWHERE', 'E'),
      'f.tran.yaml': read('ELSEWHERE', 'F'),
      'u.tran.yaml': read('O', 'U'),
      'o.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [First] } }
    First:
      type: run-transformation
      parameters: { transformationJob: f }
      transitions: { success: [Call] }
      postProcessing: { updateScalarVariables: [[x, a]] }
    Call:
      type: run-transformation
      parameters: { transformationJob: b }
      transitions: { success: [Next] }
      postProcessing: { ${after} }
    Next: { type: run-transformation, parameters: { transformationJob: e }, transitions: { success: [Write] } }
    Write: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: "insert into O select 1" } }
`,
    });
    const { affected } = await affectedBy(files('A'), files('C'));
    expect(affected.map((line) => line.replace(/^\S+ ([^;]*);.*$/, '$1'))).toEqual(expected);
  },
);

test.each<[string, string, string]>([
  [
    "create or replace function NET(X number) returns number as 'X * 2'",
    "create or replace function NET(X number) returns number as 'X * 3'",
    'create table R as select NET(1) as A',
  ],
  [
    'create or replace sequence "IDS"',
    'create or replace sequence "IDS" start 9',
    'create table R as select IDS.nextval as A',
  ],
  ['create stage LANDING', 'create or replace stage LANDING', 'copy into R from @LANDING/a.csv'],
  [
    'create file format FF type = csv',
    'create file format FF type = json',
    'copy into R from @S file_format = (format_name = FF)',
  ],
  ["create procedure P() returns int as 'x'", "create procedure P() returns int as 'y'", 'call PUBLIC.P()'],
])('%s: its users are affected, and their readers', async (old, now, use) => {
  const files = (make: string) => ({
    'make.orch.yaml': steps([sqlStep('Make', make)]),
    'use.orch.yaml': steps([sqlStep('Use', use), sqlStep('After', 'insert into R select 1')]),
    'reader.tran.yaml': read('R', 'S'),
    'other.orch.yaml': steps([sqlStep('Other', 'create table O as select 1 as NET, 2 as IDS, 3 as P')]),
  });
  const { affected } = await affectedBy(files(old), files(now));
  expect(affected.map((line) => line.replace(/:\d+ /, ' ').split(';')[0])).toEqual([
    'reader.tran.yaml reader reads R, which use writes',
    expect.stringMatching(/^use\.orch\.yaml use uses \w+, which make creates$/),
  ]);
});

test('a pattern of names may mean each matching table that a changed pipeline writes, also without known columns', async () => {
  const files = (source: string) => ({
    'load.orch.yaml': steps([sqlStep('Make', `create or replace table SALES_FL as select * from ${source}`)]),
    'all.tran.yaml': `pipeline:
  components:
    Read: { type: multi-table-input, parameters: { pattern: "SALES%", columns: [A] } }
    Write: { type: rewrite-table, sources: [Read], parameters: { targetTable: EACH } }
`,
    'other.tran.yaml': read('COSTS', 'O'),
  });
  expect((await affectedBy(files('ONE'), files('TWO'))).affected).toEqual([
    'all.tran.yaml:3 all reads a table whose name is known only at run time; load changed at line 1',
  ]);
});
