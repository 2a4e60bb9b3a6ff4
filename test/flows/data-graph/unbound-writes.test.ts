import { describe, expect, test } from 'vitest';
import { columnGraph } from '../../../flows/data-graph/lineage/column-graph.ts';
import { findColumn } from '../../../flows/data-graph/lineage/find-column.ts';
import { traceLineage } from '../../../flows/data-graph/lineage/lineage.ts';
import { affectedBy } from './affected-by.ts';
import { copy, type Files, graphOf, type Step, steps } from './small-projects.ts';

/** SQL with a number in place of `#` that cannot be bound, and writes the table M#. */
const sql: Readonly<Record<string, string>> = {
  update: 'update M# set A = soundex(A)',
  'update with an alias': 'update M# as m set A = soundex(A) from OTH where A > 0',
  delete: 'delete from M# where soundex(A) = 1',
  'delete without from': 'delete M# using OTH where soundex(A) = Z',
  'insert all': 'insert all into M# values (soundex(Z)) select Z from OTH',
  'insert first': `insert first when Z > 1 then into X (A) values (soundex(Z)) else into M# (A) values (Z)
    select Z from OTH`,
  'insert overwrite all':
    'insert overwrite all into X values (soundex(Z)) into M# values (Z) select Z from OTH',
  'truncate of a table with options': 'truncate table if exists PUBLIC.M# restart identity',
  'copy from a stage': 'copy into M# from @stage/a.csv',
  'copy of a query': 'copy into PUBLIC."M#" (A) from (select $1 from @st/b)',
  'merge from a stage': 'merge into M# using @stage/x s on 1 = 2 when matched then update set A = 2',
  block: 'begin delete from M# where A = 2; end',
  'block with declarations': 'declare x int; begin delete from M# where A = 2; end;',
  'branch of a block': `begin
    if (1 = 1) then update M# set A = 1; end if; end`,
  'execute immediate': "execute immediate 'delete from M#'",
  'execute immediate of a block': 'execute immediate $$ begin delete from M#; end $$',
  call: "call PROC('M#')",
  procedure: `create or replace procedure P() returns int language sql as $$ begin
    delete from M#; end $$`,
  task: "create or replace task T warehouse = W schedule = '1 minute' as delete from M# where A = 2",
  pipe: 'create pipe P auto_ingest = true as copy into M# from @stage',
  'dynamic table':
    "create or replace dynamic table M# target_lag = '1 minute' warehouse = W as select 2 as A",
  'external table': 'create or replace external table M# with location = @s file_format = (type = csv)',
  'statement after one with a stage': 'list @stage; update M# set A = soundex(A)',
};

const components: readonly Step[] = [
  ['python', 'python-pushdown', { pythonScript: 'session.sql("delete from M#").collect()' }],
  ['bash', 'bash-script', { script: 'client -q "delete from M#"' }],
  ['dbt', 'commands-for-dbt-core', { commands: 'run --select M#' }],
  ['load', 's3-load', { targetTable: 'M#', pattern: 'b' }],
  ['query of a database', 'database-query', { targetTable: 'M#', sqlQuery: 'select 1' }],
  ['unknown type', 'some-unknown-type', { tableName: 'M#', x: 'b' }],
];

const cases: readonly Step[] = [
  ...Object.entries(sql).map(([name, sqlScript]): Step => [name, 'sql-script', { sqlScript }]),
  ...components,
];

function numbered([name, type, parameters]: Step, number: number | string): Step {
  const texts = Object.entries(parameters).map(([key, value]) => [
    key,
    String(value).replaceAll('#', String(number)),
  ]);
  return [name, type, Object.fromEntries(texts)];
}

const make = (count: number) => {
  const tables = Array.from({ length: count }, (_, index) => `create table M${index} (A number);`);
  return steps([['Make', 'sql-script', { sqlScript: `${tables.join(' ')} create table OTH (Z number);` }]]);
};

const project: Files = {
  'make.orch.yaml': make(cases.length),
  ...Object.fromEntries(
    cases.flatMap((step, index) => [
      [`w${index}.orch.yaml`, steps([numbered(step, index)])],
      [`r${index}.tran.yaml`, copy(`M${index}`, ['A'], `R${index}`)],
    ]),
  ),
};

describe('a statement or component that cannot be bound', () => {
  test('affects the readers of what it writes, and no others', async () => {
    const changed = cases.map((step, index) => [
      `w${index}.orch.yaml`,
      steps([numbered(step, index), ['End', 'end-success', {}]]),
    ]);
    const { affected } = await affectedBy(project, { ...project, ...Object.fromEntries(changed) });
    const readers = affected.map((line) =>
      line.replace(/^(r\d+)\.tran\.yaml:3 \1 reads (M\d+), which (w\d+) (may )?write.*/, '$1 $2 $3'),
    );
    const expected = cases.map((_, index) => `r${index} M${index} w${index}`);
    expect(readers.toSorted()).toEqual(expected.toSorted());
  });

  test('is a source of what it writes, and not all sources are known', async () => {
    const columns = columnGraph(await graphOf(project, 'WAREHOUSE_ONE', true));
    const silent = cases.flatMap(([name], index) => {
      const report = traceLineage(columns, findColumn(columns, `M${index}.A`), { up: true, down: false });
      const writers = report.columns.flatMap(({ unknown }) => unknown.map(({ writer }) => writer?.pipeline));
      return writers.includes(`w${index}.orch.yaml`) ? [] : name;
    });
    expect(silent).toEqual([]);
  });

  test('may write any table if it runs SQL that names none', async () => {
    const files = (sqlScript: string): Files => ({
      'make.orch.yaml': make(1),
      'r.tran.yaml': copy('M0', ['A'], 'R'),
      'z.orch.yaml': steps([['Z', 'sql-script', { sqlScript }]]),
    });
    const { affected } = await affectedBy(files('call REFRESH()'), files('call REFRESH(1)'));
    expect(affected).toEqual([
      'r.tran.yaml:3 r reads M0, which z may write: the name of its table is known only at run time; z changed at line 1',
    ]);
    const columns = columnGraph(await graphOf(files('call REFRESH()'), 'WAREHOUSE_ONE', true));
    const { unnamed } = traceLineage(columns, findColumn(columns, 'M0.A'), { up: true, down: false });
    expect(unnamed.map(({ user }) => user.component)).toEqual(['Z']);
  });

  test('is a reader of what it names', async () => {
    const declared: Files = {
      'millrace.yaml': 'version: 1\nschemas: [s.yaml]',
      's.yaml': 'LATE: { Z: NUMBER }',
      'z.orch.yaml': steps([
        [
          'Block',
          'sql-script',
          { sqlScript: "execute immediate 'delete from X where A in (select Z from LATE)'" },
        ],
        [
          'Copy',
          'sql-script',
          { sqlScript: 'insert into X select soundex(B) from EARLY, (select 1 from SIDE) s' },
        ],
      ]),
    };
    const columns = columnGraph(await graphOf(declared, 'WAREHOUSE_ONE', true));
    const { reads } = traceLineage(columns, findColumn(columns, 'LATE.Z'), { up: false, down: true });
    expect(reads.map(({ reader }) => reader.component)).toEqual(['Block']);
    expect(columns.tables.map(({ table }) => table)).toEqual(['EARLY', 'LATE', 'SIDE', 'X']);
  });
});
