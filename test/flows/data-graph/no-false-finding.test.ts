import { expect, test } from 'vitest';
import {
  compiled,
  copy,
  type Files,
  findings,
  graphOf,
  script,
  type Step,
  sqlStep,
  steps,
  variable,
} from './small-projects.ts';
import { compile } from '../../../flows/data-graph/compile/compile.ts';

/** A correct project. `t` stands before the names of its tables, so that many of them are one project. */
type Case = (t: string, folder: string) => Files;

const run = (folder: string, called: string, values: readonly (readonly string[])[] = []): Step => [
  'Call',
  'run-transformation',
  { transformationJob: `${folder}/${called}`, setScalarVariables: values },
];
const python = (pythonScript: string): Step => ['Code', 'python-pushdown', { pythonScript }];
const iterator = (type: string, parameters: Readonly<Record<string, unknown>>): Step => [
  'Each',
  type,
  parameters,
  { iterationTarget: ['Copy'], transitions: {} },
];

const cases: Readonly<Record<string, Case>> = {
  'a called pipeline replaces a table between two scripts': (t, folder) => ({
    'source.orch.yaml': script(`create table ${t}S (ID number, NAME varchar)`),
    'child.tran.yaml': copy(`${t}S`, ['ID', 'NAME'], `${t}T`),
    'main.orch.yaml': steps([
      sqlStep('Make', `create or replace table ${t}T (ID number)`),
      run(folder, 'child'),
      sqlStep('Use', `create or replace table ${t}U as select * from ${t}T; select NAME from ${t}T`),
    ]),
    'reader.tran.yaml': copy(`${t}U`, ['NAME'], `${t}V`),
  }),
  'Python alters a table between two scripts': (t) => ({
    'main.orch.yaml': steps([
      sqlStep('Make', `create or replace table ${t}T (ID number)`),
      python(`session.sql('alter table ${t}T add column NAME varchar').collect()`),
      sqlStep('Use', `select NAME from ${t}T`),
    ]),
  }),
  'Python replaces a table by a data frame': (t) => ({
    'make.orch.yaml': script(`create table ${t}T (ID number)`),
    'code.orch.yaml': steps([python(`df.write.mode('overwrite').save_as_table('${t}T')`)]),
    'reader.tran.yaml': copy(`${t}T`, ['NAME'], `${t}U`),
  }),
  'a table is created if there is none, and altered elsewhere': (t) => ({
    'make.orch.yaml': script(
      `create table if not exists ${t}T (ID number);\ninsert into ${t}T (ID, N) select 1, 2;`,
    ),
    'alter.orch.yaml': script(`alter table ${t}T add column N number`),
    'again.orch.yaml': script(`alter table ${t}T add column N number`),
  }),
  'a migration adds a column that the table has by now': (t) => ({
    'make.orch.yaml': script(`create table ${t}T (ID number, N number)`),
    'alter.orch.yaml': script(`alter table ${t}T add column N number`),
    'reader.tran.yaml': copy(`${t}T`, ['N'], `${t}U`),
  }),
  'a table is renamed, and swapped': (t) => ({
    'old.orch.yaml': script(`create table ${t}T (ID number);\ncreate table ${t}S (ID number);`),
    'rename.orch.yaml': script(
      `create table ${t}NEW (ID number, N number);\ndrop table if exists ${t}T;\nalter table ${t}NEW rename to ${t}T;\nselect N from ${t}T;`,
    ),
    'swap.orch.yaml': script(
      `create table ${t}NEXT (ID number, N number);\nalter table ${t}NEXT swap with ${t}S;\nselect N from ${t}S;`,
    ),
    'reader.tran.yaml': copy(`${t}T`, ['N'], `${t}U`),
    'swapped.tran.yaml': copy(`${t}S`, ['N'], `${t}V`),
  }),
  'a table is read before it gets a column': (t) => ({
    'make.orch.yaml': script(`create table ${t}S (A number);\ncreate table ${t}T (A number);`),
    'insert.orch.yaml': script(`insert into ${t}T select A from ${t}S`),
    'later.orch.yaml': script(`alter table ${t}T add column B number`),
  }),
  'one of two definitions makes a name ambiguous': (t) => ({
    'a.orch.yaml': script(`create table ${t}A (ID number, NAME varchar)`),
    'b.orch.yaml': script(`create table ${t}B (ID number, X varchar)`),
    'c.orch.yaml': script(`create or replace table ${t}B (ID number, NAME varchar)`),
    'join.orch.yaml': script(`select NAME from ${t}A join ${t}B on ${t}A.ID = ${t}B.ID`),
  }),
  'one of two definitions gives a column a type that does not fit': (t) => ({
    'a.orch.yaml': script(
      `create table if not exists ${t}A (ID number, DAY boolean);\nselect ID from ${t}A where DAY > '2024-01-05';`,
    ),
    'b.orch.yaml': script(`create table if not exists ${t}A (ID number, DAY date)`),
  }),
  'a table is created from tables of other pipelines, without OR REPLACE': (t) => ({
    'a.orch.yaml': script(`create table ${t}U as select A from ${t}S`),
    'reader.tran.yaml': copy(`${t}U`, ['A'], `${t}V`),
    'source.orch.yaml': script(`create table ${t}S (A number)`),
    'branch.orch.yaml': script(`create table ${t}S (A number)`),
  }),
  'SQL that other SQL runs alters tables': (t) => ({
    'make.orch.yaml': script(
      `create table ${t}A (ID number);\ncreate table ${t}B (ID number);\ncreate table ${t}C (ID number);`,
    ),
    'a.orch.yaml': script(`execute immediate 'alter table ${t}A add column N number'`),
    'b.orch.yaml': script(
      `create procedure ${t}P() returns varchar language sql as $$ begin alter table ${t}B add column N number; end; $$;`,
    ),
    'c.orch.yaml': script(`begin\nalter table ${t}C add column N number;\nend;`),
    'ra.tran.yaml': copy(`${t}A`, ['N'], `${t}RA`),
    'rb.tran.yaml': copy(`${t}B`, ['N'], `${t}RB`),
    'rc.tran.yaml': copy(`${t}C`, ['N'], `${t}RC`),
  }),
  'a connector of an unknown type, and a pipeline from elsewhere, replace tables': (t) => ({
    'make.orch.yaml': script(`create table ${t}A (ID number);\ncreate table ${t}B (ID number);`),
    'load.orch.yaml': steps([
      [
        'Load',
        'modular-crm-input-v1',
        { outputId: 'warehouse-output', 'warehouse-output': { tableName: `${t}A` } },
      ],
    ]),
    'shared.orch.yaml': steps([
      [
        'Load',
        'run-shared-pipeline',
        { pipelineName: 'others#load', setScalarVariables: [['table', `${t}B`]] },
      ],
    ]),
    'ra.tran.yaml': copy(`${t}A`, ['N'], `${t}RA`),
    'rb.tran.yaml': copy(`${t}B`, ['N'], `${t}RB`),
  }),
  'a caller sets columns, a condition, a join and a schema': (t, folder) => ({
    'make.orch.yaml': script(
      `create table ${t}S (A number, B number);\ncreate table ${t}J (A number, NAME varchar);\ncreate schema ${t}X;\ncreate table ${t}X.S (A number);`,
    ),
    'main.orch.yaml': steps([
      [
        'Call',
        'run-orchestration',
        {
          orchestrationJob: `${folder}/called`,
          setScalarVariables: [
            ['columns', 'A, B'],
            ['condition', 'A > 1'],
            ['more', `join ${t}J using (A)`],
            ['place', '"RAW"'],
            ['code', 'xy'],
          ],
          setGridVariables: [{ variable: 'names', status: 'values', gridValues: [['B']] }],
        },
      ],
    ]),
    'called.orch.yaml': steps(
      [
        sqlStep('Columns', `create or replace table ${t}T as select \${columns} from ${t}S`),
        sqlStep('Condition', `select A from ${t}S where \${condition}`),
        sqlStep('Join', `select NAME from ${t}S \${more}`),
        sqlStep('Place', `select B from \${place}.S`),
        sqlStep('Computed', `select B from \${code.substring(0, 2)}.S`),
      ],
      { columns: 'ID, NAME', condition: 'REGION = 1', more: 'x', place: `"${t}X"`, code: `${t}X` },
    ),
    'reader.tran.yaml': copy(`${t}T`, ['B'], `${t}U`),
  }),
  'columns of a table are in a variable without a value': (t) => ({
    'make.orch.yaml': script(`create table ${t}S (A number, B number)`),
    'a.orch.yaml': steps(
      [sqlStep('Make', `create or replace table ${t}A as select A, \${columns} from ${t}S`)],
      {
        columns: '',
      },
    ),
    'b.orch.yaml': steps(
      [sqlStep('Make', `create or replace table ${t}B as select A as \${name} from ${t}S`)],
      {
        name: '',
      },
    ),
    'ra.tran.yaml': copy(`${t}A`, ['B'], `${t}RA`),
    'rb.tran.yaml': copy(`${t}B`, ['B'], `${t}RB`),
  }),
  'a component sets a variable with a default, also one that cannot be bound': (t) => ({
    'make.orch.yaml': script(`create table ${t}T (A varchar)`),
    'query.orch.yaml': steps(
      [
        [
          'Query',
          'query-to-scalar',
          {
            mode: 'Advanced',
            query: `select max(X) from ${t}OUTSIDE`,
            scalarVariableMapping: [['column', 'X']],
          },
        ],
        sqlStep('Use', `select \${column} from ${t}T`),
      ],
      { column: 'NOPE' },
    ),
    'computed.orch.yaml': steps(
      [
        python("for name in ['col']:\n  context.updateVariable(name + 'umn', 'A')"),
        sqlStep('Use', `select \${column} from ${t}T`),
      ],
      { column: 'NOPE' },
    ),
    'grid.orch.yaml': steps(
      [
        iterator('grid-iterator', {
          gridVariable: 'names',
          gridIteratorVariableMapping: [['name', 'column']],
        }),
        sqlStep('Copy', `select \${column} from ${t}T`),
      ],
      { column: 'NOPE', names: ['A'] },
    ),
  }),
  'another branch sets a variable': (t) => ({
    'make.orch.yaml': script(`create table ${t}T (A varchar)`),
    'main.orch.yaml': steps(
      [
        ['Both', 'sql-script', { sqlScript: 'select 1' }, { transitions: { success: ['Use', 'Set'] } }],
        ['Use', 'sql-script', { sqlScript: `select \${column} from ${t}T` }, { transitions: {} }],
        ['Set', 'update-scalar', { setScalarVariables: [['column', 'A']] }],
      ],
      { column: 'NOPE' },
    ),
  }),
  'several sources of a component depend on a variable': (t) => ({
    'make.orch.yaml': script(`create table ${t}S (A number, D date)`),
    'join.tran.yaml': JSON.stringify({
      pipeline: {
        components: {
          One: { type: 'sql', parameters: { query: `select A from ${t}S where D > '\${day}'` } },
          Two: { type: 'sql', parameters: { query: `select A from ${t}S where D < '\${day}'` } },
          Three: { type: 'sql', parameters: { query: `select A from ${t}S` } },
          All: { type: 'unite', sources: ['One', 'Two', 'Three'], parameters: { method: 'All Columns' } },
          Write: { type: 'rewrite-table', sources: ['All'], parameters: { targetTable: `${t}T` } },
        },
        variables: {
          day: { metadata: { type: 'TEXT', scope: 'SHARED', visibility: 'PUBLIC' }, defaultValue: '' },
        },
      },
    }),
  }),
  'only a test knows a table that a pipeline alters': (t, folder) => ({
    'alter.orch.yaml': script(`alter table ${t}T add column N number`),
    'alter.test.yaml': `pipeline: ${folder}/alter
tests: [{ name: adds, given: { ${t}T: { rows: [{ A: 1 }] } }, expect: { tables: { ${t}T: { count: 1 } } } }]
`,
    'reader.tran.yaml': copy(`${t}T`, ['B'], `${t}U`),
  }),
  'a test gives the table that the pipeline replaces': (t, folder) => ({
    'make.orch.yaml': script(`create table ${t}S (A number)`),
    'copy.tran.yaml': copy(`${t}S`, ['A'], `${t}T`),
    'copy.test.yaml': `pipeline: ${folder}/copy
tests:
  - name: replaces
    given: { ${t}S: { rows: [{ A: 1 }] }, ${t}T: { rows: [{ OLD: 1 }] } }
    expect: { tables: { ${t}T: { count: 1 } } }
`,
  }),
};

test('correct projects have no finding', async () => {
  const files = Object.entries(cases).flatMap(([name, make], index) => {
    const folder = `${index} ${name.replaceAll(/\W/g, ' ')}`;
    return Object.entries(make(`T${index}_`, folder)).map(([path, text]) => [`${folder}/${path}`, text]);
  });
  expect(findings(await compiled(Object.fromEntries(files)))).toEqual([]);
});

test('a call whose target a variable names may set variables of any pipeline', async () => {
  const files = {
    'make.orch.yaml': script('create table S (A number)'),
    'main.orch.yaml': steps(
      [
        [
          'Call',
          'run-orchestration',
          { orchestrationJob: '${which}', setScalarVariables: [['column', 'A']] },
        ],
      ],
      { which: '' },
    ),
    'called.orch.yaml': steps([sqlStep('Use', 'select ${column} from S')], { column: 'NOPE' }),
  };
  expect(findings(await compiled(files))).toEqual([]);
});

test('a table of kind 2 that is renamed over another one has its columns', async () => {
  const graph = await graphOf(
    {
      'old.orch.yaml': script('create table t (a int)'),
      'new.orch.yaml': script(
        'create table t_new (a int, b int);\nalter table t rename to t_old;\nalter table t_new rename to t;\nselect b from t;',
      ),
      'columns.orch.yaml': steps([sqlStep('Make', 'create table u as select a, ${columns} from t')], {
        columns: '',
      }),
      'reader.tran.yaml': copy('u', ['b'], 'v'),
    },
    'WAREHOUSE_TWO',
  );
  expect(findings(compile(graph))).toEqual([]);
});

test.each<[string, string]>([
  ['select SQ.nextval as N', 'create sequence SQ'],
  ['create or replace table T (ID number default SQ.nextval, X number)', 'create sequence SQ'],
  ['drop sequence SQ', 'create sequence SQ'],
  ['drop function NET(number)', "create function NET(X number) returns number as 'X * 2'"],
  [
    'create or replace table T as select NET(1) as A',
    "create function NET(X number) returns number as 'X * 2'",
  ],
  ['drop schema LATE', 'create schema LATE'],
  ['use schema LATE; create table LATE.A (B number)', 'create schema LATE'],
  ['drop view V', 'create view V as select 1 as A'],
  ['drop table V', 'create table V as select 1 as A'],
])(
  '%s is not reported, whether another pipeline or something outside makes the object',
  async (use, make) => {
    expect(findings(await compiled({ 'b.orch.yaml': script(use) }))).toEqual([]);
    const both = { 'a.orch.yaml': script(make), 'b.orch.yaml': script(use) };
    expect(findings(await compiled(both))).toEqual([]);
  },
);

test('a table that the pipeline itself creates is not dropped as a view', async () => {
  const own = script('create or replace table V (A number);\ndrop view V;');
  expect(findings(await compiled({ 'a.orch.yaml': own }))).toEqual([
    'a.orch.yaml:12 cannot-run: "V" is a table: use DROP TABLE',
  ]);
});

test('a long chain of pipelines is known to its end, in any order of the files', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [
      `p${String(20 - index)}.tran.yaml`,
      copy(`L${index}`, ['A', 'B'], `L${index + 1}`),
    ]),
  );
  const report = await compiled({
    ...files,
    'source.orch.yaml': script('create table L0 (A number, B number)'),
  });
  expect(report.reads).toEqual({ bound: 15, total: 15 });
});

test('a table is not reported as gone while something that is not known may create it', async () => {
  const before = {
    'make.orch.yaml': script('create table T (A number)'),
    'second.orch.yaml': script('create table U (A number)'),
    'broken.orch.yaml': script('create table V (A number)'),
    'reader.tran.yaml': copy('T', ['A'], 'R1'),
    'second.tran.yaml': copy('U', ['A'], 'R2'),
    'broken.tran.yaml': copy('V', ['A'], 'R3'),
  };
  const after = {
    ...before,
    'make.orch.yaml': script('create table ${part}T (A number)', variable('part')),
    'second.orch.yaml': steps([
      ['Code', 'python-pushdown', { pythonScript: "session.sql('create table U (A int)').collect()" }],
    ]),
    'broken.orch.yaml': `${script('create table V (A number)')}: [`,
  };
  const { findings: list } = await compiled(after, before);
  expect(list.map(({ file, rule }) => `${file} ${rule}`)).toEqual(['broken.orch.yaml unreadable-pipeline']);
});
