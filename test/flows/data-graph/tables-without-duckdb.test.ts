import { expect, test } from 'vitest';
import { bindProject } from '../../../flows/data-graph/bind/bind-project.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import { copy, graphOf, openFolder, script } from './small-projects.ts';

const { signal } = new AbortController();

test.each([
  ['create or replace table A (X number)', 'define'],
  ['create view A as select * from B', 'define'],
  ['alter table A add column Z number', 'alter'],
  ['insert into A select * from B', 'insert'],
  ['merge into A using B on A.X = B.X when matched then update set X = 1', 'change'],
  ['update A set X = 1', 'change'],
  ['delete from A where X = 1', 'change'],
  ['truncate table A', 'change'],
  ['drop table A', 'drop'],
])('without DuckDB, `%s` is known to write A', async (sql, mode) => {
  using folder = testFolder({ 'a.orch.yaml': script(`${sql};`), 'b.tran.yaml': copy('A', ['X'], 'C') });
  const graph = await bindProject(openFolder(folder.directory, {}), { signal, columns: false });
  const [written, read] = ['a.orch.yaml', 'b.tran.yaml'].map((path) => graph.pipelines.get(path));
  expect(written?.writes).toMatchObject([{ table: { table: 'A' }, mode }]);
  expect(read?.reads).toMatchObject([{ table: { table: 'A' } }]);
  expect(read?.writes).toMatchObject([{ table: { table: 'C' }, mode: 'define' }]);
});

test('without DuckDB, the example writes the same tables as with it', async () => {
  const project = openTestProject('examples/warehouse', 'WAREHOUSE_ONE');
  const [known, named] = await Promise.all(
    [true, false].map(async (columns) => {
      const { pipelines } = await bindProject(project, { signal, columns });
      return [...pipelines].map(([path, { writes }]) => [
        path,
        [...new Set(writes.map(({ table, mode }) => `${mode} ${table.table}`))].toSorted(),
      ]);
    }),
  );
  expect(named).toEqual(known);
});

test('a statement that changes rows and cannot be bound writes its table, and its columns stay known', async () => {
  const graph = await graphOf({
    'a.orch.yaml': script('create or replace table A (X number);'),
    'u.orch.yaml': script('update A set X = no_such_function(X);'),
  });
  const { writes = [], unknown = [] } = graph.pipelines.get('u.orch.yaml') ?? {};
  expect(unknown).toHaveLength(1);
  expect(writes).toMatchObject([{ table: { table: 'A' }, mode: 'change' }]);
  expect(graph.tables.find({ database: 'TEST', schema: 'PUBLIC', table: 'A' })).toMatchObject({
    columns: [{ name: 'X' }],
    areNamesComplete: true,
  });
});
