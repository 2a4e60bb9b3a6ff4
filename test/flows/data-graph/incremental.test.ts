import { expect, test, vi } from 'vitest';
import { bindProject, type DataGraph, openDataGraph } from '../../../flows/data-graph/bind/bind-project.ts';
import { compile } from '../../../flows/data-graph/compile/compile.ts';
import { overlayProject } from '../../../flows/pipeline-tests/files/overlay-project.ts';
import { openTestProject, type TestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { seeded } from '../../chaos/environment/seeded.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import { copy, script, sqlStep, type Step, steps } from './small-projects.ts';

const { signal } = new AbortController();

/** All that reports say about a graph. */
function facts(graph: DataGraph): unknown {
  return { ...compile(graph), bound: [...graph.pipelines], tests: graph.tests };
}

const columns = ['ID', 'AMOUNT', 'DAY'];
const createTable = (rows: readonly (readonly [name: string, type: string])[]): Step => [
  'Create',
  'create-table',
  { createReplace: 'Replace', newTableName: 'NAMES', columns: rows.map((row) => [...row, '', '', '']) },
];
const readsFile = (file: string) =>
  steps([['Run', 'sql-executor', { scriptLocation: 'File', fileName: file }]]);
const given = (table: string, column: string) =>
  `pipeline: b\ntests:\n  - name: t\n    given: { ${table}: { rows: [{ ID: 1, ${column}: 2 }] } }\n    expect: { tables: { REPORT: { rows: [] } } }\n`;

/** Edits of files, each with the texts that it may have; null: the file is not there. */
const edits: Readonly<Record<string, readonly (string | null)[]>> = {
  'setup.orch.yaml': [
    script('create or replace table ORDERS (ID number, AMOUNT number(10,2), DAY date);'),
    script('create or replace table ORDERS (ID number, DAY date);'),
    readsFile('setup.sql'),
    'pipeline: [',
    null,
  ],
  'setup.sql': [
    'create or replace table ORDERS (ID number, AMOUNT varchar, DAY date);',
    'create or replace table ORDERS (ID number, PRICE number);',
    null,
  ],
  'a.tran.yaml': [
    copy('ORDERS', columns, 'SALES'),
    copy('ORDERS', columns, 'SALES', ['ID', 'TOTAL', 'DAY']),
    copy('ORDERS', ['ID'], 'OTHER'),
    null,
  ],
  'b.tran.yaml': [copy('SALES', ['ID', 'AMOUNT'], 'REPORT'), copy('SALES', ['TOTAL'], 'REPORT')],
  'c.orch.yaml': [
    script(
      'create or replace table TOP as select max(AMOUNT) M from REPORT;\nalter table TOP add column N int;',
    ),
    script('create or replace view SALES as select ID, 1 as AMOUNT from ORDERS;'),
    steps([['Code', 'python-script', { script: 'save_as_table("SALES")' }]]),
    null,
  ],
  'd.orch.yaml': [
    steps([sqlStep('Make', 'create or replace table T_${kind} as select ID, AMOUNT from SALES')], {
      kind: 'x',
    }),
    steps([sqlStep('Read', 'select ID, TOTAL from SALES'), sqlStep('Own', 'select N from TOP')]),
  ],
  'e.orch.yaml': [
    steps([['Call', 'run-orchestration', { orchestrationJob: 'd', setScalarVariables: [['kind', 'y']] }]]),
    steps([['Call', 'run-orchestration', { orchestrationJob: 'd' }]]),
    null,
  ],
  'f.orch.yaml': [
    steps([
      createTable([
        ['ID', 'NUMBER'],
        ['NAME', 'VARCHAR'],
      ]),
    ]),
    steps([
      createTable([
        ['ID', 'NUMBER'],
        ['TITLE', 'VARCHAR'],
      ]),
    ]),
    steps([
      createTable([
        ['ID', 'DATE'],
        ['NAME', 'VARCHAR'],
      ]),
    ]),
    steps([createTable([['ID', 'NUMBER']])]),
    null,
  ],
  'g.tran.yaml': [copy('NAMES', ['ID', 'NAME'], 'COPIES'), copy('NAMES', ['ID'], 'COPIES')],
  'h.tran.yaml': [copy('COPIES', ['ID', 'NAME'], 'LAST')],
  'b.test.yaml': [given('SALES', 'AMOUNT'), given('SALES', 'WRONG'), given('OUTSIDE', 'X'), null],
};

test('after any edits, the graph is the one of a project that is bound from the start', async () => {
  const random = seeded(44);
  using folder = testFolder({ 'millrace.yaml': 'version: 1\n' });
  const saved = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const contents = new Map<string, Uint8Array>();
  const project = (): TestProject => overlayProject(saved, { contents: new Map(contents) });
  const edit = (file: string) => {
    const text = random.pick(edits[file] ?? []);
    if (text === null) contents.delete(file);
    else contents.set(file, Buffer.from(text));
  };
  for (const file of Object.keys(edits)) edit(file);
  await using open = await openDataGraph(project());
  for (let round = 0; round < 30; round += 1) {
    const files = Object.keys(edits).filter(() => random.next() < 0.3);
    for (const file of files) edit(file);
    const current = project();
    const incremental = facts(await open.update(current, signal));
    expect([round, files, incremental]).toEqual([
      round,
      files,
      facts(await bindProject(current, { signal })),
    ]);
  }
});

test('only pipelines that an edit of a pipeline or of a script concerns are bound again, also after an abort', async () => {
  using folder = testFolder({
    'setup.orch.yaml': script('create or replace table ORDERS (ID number, AMOUNT number(10,2));'),
    'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'SALES'),
    'b.tran.yaml': copy('SALES', ['ID', 'AMOUNT'], 'REPORT'),
    'z.tran.yaml': copy('ORDERS', ['ID'], 'Z'),
  });
  const saved = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  await using open = await openDataGraph(saved);
  const cancel = new AbortController();
  cancel.abort(new Error('the texts changed'));
  await expect(open.update(saved, cancel.signal)).rejects.toThrow('the texts changed');
  // Each time before a pipeline is bound.
  const counted = new AbortController().signal;
  const binds = vi.spyOn(counted, 'throwIfAborted');
  const first = (await open.update(saved, counted)).pipelines;
  expect(binds).toHaveBeenCalledTimes(4);
  expect((await open.update(saved, counted)).pipelines).toEqual(first);
  expect(binds).toHaveBeenCalledTimes(4);

  const renamed = copy('ORDERS', ['ID', 'AMOUNT'], 'SALES', ['ID', 'TOTAL']);
  const contents = new Map([['a.tran.yaml', Buffer.from(renamed)]]);
  const graph = await open.update(overlayProject(saved, { contents }), counted);
  expect(binds).toHaveBeenCalledTimes(6);
  const again = [...graph.pipelines].filter(([path, bound]) => bound !== first.get(path));
  expect(again.map(([path]) => path)).toEqual(['a.tran.yaml', 'b.tran.yaml']);
  expect(compile(graph).findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
    'b.tran.yaml missing-column',
  ]);

  const scripts = testFolder({
    'setup.orch.yaml': readsFile('setup.sql'),
    'setup.sql': 'create or replace table ORDERS (ID number);',
    'a.tran.yaml': copy('ORDERS', ['ID'], 'SALES'),
  });
  using _ = scripts;
  const before = openTestProject(scripts.directory, 'WAREHOUSE_ONE');
  await using other = await openDataGraph(before);
  expect(compile(await other.update(before, signal)).findings).toEqual([]);
  const sql = new Map([['setup.sql', Buffer.from('create or replace table ORDERS (NO number);')]]);
  const after = await other.update(overlayProject(before, { contents: sql }), signal);
  expect(compile(after).findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
    'a.tran.yaml missing-column',
  ]);
});
