import { expect, test } from 'vitest';
import { tablesOfProject, type TableName, type WarehouseKind } from '../../../engine/index.ts';
import { bindProject } from '../../../flows/data-graph/bind/bind-project.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';
import { root } from '../../repository/repository-files.ts';

/** `effect table`, with the label of the table. */
function usesOf(files: Readonly<Record<string, string>>, kind: WarehouseKind = 'WAREHOUSE_ONE') {
  const documents = Object.entries(files)
    .filter(([path]) => path.endsWith('.yaml'))
    .map(([path, text]) => [path, readPipeline(`project/${path}`, text)] as const);
  const paths = new Set(Object.keys(files));
  const { uses, tables, unknown } = tablesOfProject({
    documents: new Map(documents),
    targets: paths,
    kind,
    defaults: kind === 'WAREHOUSE_ONE' ? { database: 'DB', schema: 'S' } : { database: 'db', schema: 's' },
    files: (path) => files[path],
  });
  const labels = new Map(tables.map(({ name, label }) => [name, label]));
  return {
    uses: uses.map(({ effect, table }) => `${effect} ${labels.get(table)}`),
    lines: uses.map(({ file, line }) => `${file}:${line}`),
    unknown: unknown.map(({ component, reason }) => `${component}: ${reason}`),
  };
}

const script = (sql: string) => `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Run] } }
    Run:
      type: sql-executor
      parameters: { componentName: Run, scriptLocation: Component, sqlScript: ${JSON.stringify(sql)} }
`;

const statements: readonly (readonly [sql: string, ...uses: string[]])[] = [
  [
    'select * from a, b as x join other.c on a.id = c.id, (select 1 from d) q, lateral flatten(input => a.v) f',
    'reads A',
    'reads B',
    'reads OTHER.C',
    'reads D',
  ],
  [
    'insert into t (x) select extract(year from day), trim(both from name) from s where v is distinct from w',
    'writes T',
    'reads S',
  ],
  [
    'with a as (select * from a), b (x) as (select * from a) select * from a, b where x in (select x from c)',
    'reads A',
    'reads C',
  ],
  ['with recursive r as (select 1 from base union all select 1 from r) select * from r', 'reads BASE'],
  ['create or replace table t as select * from "Mixed".s', 'creates T', 'reads Mixed.S'],
  ['create view v as with x as (select * from s) select * from x', 'creates V', 'reads S'],
  ['create table t clone s; create table u like t', 'creates T', 'reads S', 'creates U', 'reads T'],
  ['merge into t using s on t.id = s.id when matched then update set x = 1', 'changes T', 'reads S'],
  [
    'merge into t using (select * from s join u using (id)) q on true when matched then delete',
    'changes T',
    'reads S',
    'reads U',
  ],
  [
    'update t set x = (select max(x) from s) where y = 1; delete from t using u where t.id = u.id',
    'changes T',
    'reads S',
    'changes T',
    'reads U',
  ],
  [
    'truncate table if exists t; drop table if exists u; alter table v add column x number',
    'changes T',
    'drops U',
    'alters V',
  ],
  ['insert all into t1 into t2 (x) values (1) select * from s', 'writes T1', 'writes T2', 'reads S'],
  [
    "copy into t from @stage/path file_format = (type = 'csv'); copy into @stage/out from s; select $1, t.$2 from @stage",
    'writes T',
    'reads S',
  ],
  [
    'use schema other; select * from t; use database d2; select * from t',
    'reads OTHER.T',
    'reads D2.PUBLIC.T',
  ],
  [
    'select * from (a join b on a.x = b.x) left join c on true order by 1, 2',
    'reads A',
    'reads B',
    'reads C',
  ],
  [
    'revoke select on t from role r; create database d from share h; alter table t rename to u',
    'alters T',
    'creates U',
  ],
  ["select 'from x', \"from\" from t -- from y\n where s like 'from z'", 'reads T'],
];

test.each(statements)('the tables of: %s', (sql, ...expected) => {
  expect(usesOf({ 'run.orch.yaml': script(sql) })).toMatchObject({ uses: expected, unknown: [] });
});

const others = 'the statement may write tables that it does not name';
const any = 'the statement runs code that may use any table';
test.each<readonly [sql: string, uses: readonly string[], reason: string]>([
  ['begin; insert into t select 1 from u; commit', ['writes T', 'reads U'], ''],
  ['begin transaction; delete from t; end', ['changes T'], ''],
  ['begin insert into t select 1 from u; end', ['reads U'], others],
  ['declare x int; begin delete from t; end', ['reads T'], others],
  ["execute immediate 'delete from t'", [], others],
  ['execute immediate $$x$$ || y', [], any],
  ['call p()', [], any],
  ['create task x as insert into t select * from u', ['reads U'], others],
  ['create file format f type = csv', [], ''],
  ['alter session set x = 1', [], ''],
])('what %s uses is reported, or reported as unknown', (sql, uses, reason) => {
  const found = usesOf({ 'a.orch.yaml': script(sql) });
  expect(found).toMatchObject({ uses, unknown: reason === '' ? [] : [`Run: ${reason}`] });
});

test('components name tables in their parameters, in the case of the warehouse', () => {
  const transformation = `pipeline:
  components:
    In: { type: table-input, parameters: { targetTable: Raw, columnNames: [A] } }
    All: { type: multi-table-input, parameters: { pattern: 'part_%' } }
    None: { type: multi-table-input, parameters: { pattern: 'no_%' } }
    Query: { type: sql, sources: [In], parameters: { query: 'select * from $T{In} where x in (select x from k)' } }
    Out: { type: table-output, sources: [Query], parameters: { targetTable: Out } }
    New: { type: rewrite-table, sources: [Query], parameters: { targetTable: part_1, schema: other } }
    Here: { type: rewrite-table, sources: [Query], parameters: { targetTable: part_2 } }
`;
  expect(usesOf({ 'a.tran.yaml': transformation })).toMatchObject({
    uses: ['reads Raw', 'reads part_2', 'reads K', 'writes Out', 'creates other.part_1', 'creates part_2'],
    unknown: ['None: no component of the project names a table that matches the pattern "no_%"'],
  });
  expect(usesOf({ 'a.tran.yaml': transformation }, 'WAREHOUSE_TWO').uses).toContain('reads raw');
});

test('what is known only at run time is listed with its reason, and does not hide the rest', () => {
  const files = {
    'caller.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Call, Code, File, Drop] } }
    Call: { type: run-transformation, parameters: { transformationJob: generic, setScalarVariables: [[target, x]] } }
    Code: { type: python-script, parameters: { script: 'print(1)' } }
    File: { type: sql-executor, parameters: { scriptLocation: File, fileName: load.sql } }
    Drop: { type: delete-tables, parameters: { targetTable: [OLD_A, OLD_B] } }
    Unreached: { type: delete-tables, parameters: { targetTable: [NEVER] } }
`,
    'load.sql': 'insert into t select * from s;\ncall refresh();\nselect `x` from q;\nselect * from u;\n',
    'generic.tran.yaml': `pipeline:
  variables:
    target: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: fallback }
    fixed: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: known }
  components:
    In: { type: table-input, parameters: { targetTable: '\${fixed}_x', columnNames: [A] } }
    Out: { type: table-output, sources: [In], parameters: { targetTable: 'out_\${target}' } }
`,
  };
  const { uses, lines, unknown } = usesOf(files);
  expect(uses.toSorted()).toEqual([
    'drops OLD_A',
    'drops OLD_B',
    'reads S',
    'reads U',
    'reads known_x',
    'writes T',
  ]);
  expect(lines).toContain('load.sql:4');
  expect(unknown.toSorted()).toEqual([
    'Code: it runs a program, whose use of tables is not analysed',
    expect.stringContaining('File: Millrace does not support the character "`"'),
    'File: the statement runs code that may use any table',
    'Out: the name of a table depends on the variable "target", whose value is only known when the pipeline runs',
  ]);
});

const nameOf = ({ database, schema, table }: TableName) => `${database}.${schema}.${table}`;

test('the example names the tables that its pipelines use when they are bound', async () => {
  const project = openTestProject(`${root}/examples/warehouse`, 'WAREHOUSE_ONE');
  const { pipelines } = await bindProject(project, { signal: new AbortController().signal });
  const { uses } = tablesOfProject({
    documents: new Map(
      project.pipelines.flatMap((path) => {
        const document = project.pipeline(path);
        return document === undefined ? [] : [[path, document] as const];
      }),
    ),
    targets: project,
    kind: 'WAREHOUSE_ONE',
    defaults: project.defaults,
    files: (path) => project.text(path),
  });
  const named = uses.map(({ pipeline, effect, table }) => [
    pipeline,
    effect === 'reads' ? 'read' : 'write',
    table,
  ]);
  const bound = [...pipelines].flatMap(([pipeline, { reads, writes }]) => [
    // What updates rows counts as a reader there, too.
    ...reads
      .filter(
        (read) => !writes.some(({ mode, place }) => mode === 'change' && place.line === read.place.line),
      )
      .map(({ table }) => [pipeline, 'read', nameOf(table)]),
    ...writes.map(({ table }) => [pipeline, 'write', nameOf(table)]),
  ]);
  const sorted = (list: readonly (readonly string[])[]) =>
    [...new Set(list.map((each) => each.join(' ')))].toSorted();
  expect(sorted(named)).toEqual(sorted(bound));
});
