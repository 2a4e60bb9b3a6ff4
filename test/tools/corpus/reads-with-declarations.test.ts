import { expect, test } from 'vitest';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { readsWithDeclarations } from '../../../tools/corpus/reads-with-declarations.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import { copy, script } from '../../flows/data-graph/small-projects.ts';

test('the tables of the report are declared with the columns that pipelines name, until no more are missing', async () => {
  using folder = testFolder({
    'a.tran.yaml': copy('RAW_A', ['ID', 'AMOUNT'], 'SALES'),
    'b.tran.yaml': copy('SALES', ['ID'], 'REPORT'),
    'c.orch.yaml': script(
      'create or replace table TOP as\nselect max(PRICE) as M, count(DAY) as N from RAW_C;',
    ),
  });
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  expect(await readsWithDeclarations(project, new AbortController().signal)).toEqual({
    pipelines: 3,
    before: { bound: 0, total: 3 },
    after: { bound: 3, total: 3 },
    tables: 2,
  });
});
