import { expect, test } from 'vitest';
import { affectedBy } from './affected-by.ts';
import { script, steps, type Files } from './small-projects.ts';

const call = (target: string) => steps([['Call', 'run-transformation', { transformationJob: target }]]);
const shared = (target: string) => steps([['Call', 'run-shared-pipeline', { pipelineName: target }]]);
const list = (pipeline: string) =>
  `type: shared-pipelines-config\npipelines: [{ pipeline: ${pipeline}, id: x }]\n`;
const copy = (to: string, more = '') => `pipeline:
  components:
    Read: { type: table-input, parameters: { targetTable: IN, columnNames: [A] } }
    Write: { type: rewrite-table, sources: [Read], parameters: { targetTable: ${to} } }
${more}`;
const testOf = (pipeline: string, given = 'IN: { rows: [{ A: 1 }] }') =>
  `pipeline: ${pipeline}\ntests: [{ name: one, given: { ${given} }, expect: { outcome: success } }]\n`;
const file = (name: string) => steps([['Make', 'sql-executor', { scriptLocation: 'File', fileName: name }]]);
const settings = (prefix: string, more = '') =>
  `version: 1\nrelease: { shared: { prefix: ${prefix} } }\n${more}`;

const project: Files = {
  'millrace.yaml': settings('own'),
  '.platform/shared-pipelines.yaml': list('p'),
  'outside.yaml': 'IN: { A: FLOAT }\n',
  'p.tran.yaml': copy('P'),
  'calls.orch.yaml': call('sub'),
  'sub.tran.yaml': copy('S'),
  'runs.orch.yaml': file('sql/a.sql'),
  'open.orch.yaml': steps(
    [['Make', 'sql-executor', { scriptLocation: 'File', fileName: 'sql/${which}.sql' }]],
    { which: 'b' },
  ),
  'sql/a.sql': 'create or replace table X (A number)',
  'sql/b.sql': 'create or replace table Y (A number)',
  'shares.orch.yaml': shared('own#x'),
  'typed.tran.yaml': copy('T').replace('targetTable: IN', 'targetTable: TYPED'),
  'make.orch.yaml': steps([
    [
      'Make',
      'create-table',
      { newTableName: 'TYPED', createReplace: 'Replace', columns: [['A', 'NUMBER', '38', '0']] },
    ],
  ]),
  'two.tran.yaml': copy(
    'W',
    '    Again: { type: rewrite-table, sources: [Read], parameters: { targetTable: W } }\n',
  ),
  'calls.test.yaml': testOf('calls'),
  'runs.test.yaml': testOf('runs'),
  'open.test.yaml': testOf('open'),
  'shares.test.yaml': testOf('shares'),
  'typed.test.yaml': testOf('typed', 'TYPED: { rows: [{ A: 1 }] }'),
  'two.test.yaml': testOf('two'),
};

const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(project).filter(([name]) => !names.includes(name)));

test.each<[string, Files, Files, readonly string[]]>([
  [
    'a renamed pipeline',
    { ...without('sub.tran.yaml'), 'Sub.tran.yaml': copy('S') },
    { 'Sub.tran.yaml': 'sub.tran.yaml' },
    ['calls.test.yaml it tests calls; calls calls sub; sub is now Sub.tran.yaml'],
  ],
  [
    'renamed scripts, one of them perhaps the one with a variable in its name',
    { ...without('sql/a.sql', 'sql/b.sql'), 'a.sql': 'select 1', 'c.sql': 'select 1' },
    { 'a.sql': 'sql/a.sql', 'c.sql': 'sql/b.sql' },
    [
      'open.test.yaml it tests open; open runs a file whose name is known only at run time: it may be sql/a.sql, which is now a.sql',
      'runs.test.yaml it tests runs; runs runs sql/a.sql, which is now a.sql',
    ],
  ],
  [
    'another list of shared pipelines',
    { ...project, '.platform/shared-pipelines.yaml': list('sub') },
    {},
    [
      'shares.test.yaml it tests shares; shares calls own#x, which now leads to sub.tran.yaml instead of p.tran.yaml',
    ],
  ],
  [
    'another prefix of shared pipelines',
    { ...project, 'millrace.yaml': settings('other') },
    {},
    ['shares.test.yaml it tests shares; shares calls own#x, which no longer leads to p'],
  ],
  [
    'another config-dir',
    { ...project, 'millrace.yaml': settings('own', 'config-dir: elsewhere\n') },
    {},
    ['shares.test.yaml it tests shares; shares calls own#x, which no longer leads to p'],
  ],
  [
    'a type of a create-table of another pipeline',
    { ...project, 'make.orch.yaml': (project['make.orch.yaml'] ?? '').replace('"NUMBER"', '"FLOAT"') },
    {},
    [
      'typed.test.yaml it gives rows to TYPED, and the project declares other columns or types of this table than before',
    ],
  ],
  [
    'files of schemas that millrace.yaml names',
    {
      ...project,
      'millrace.yaml': settings('own', 'schemas: [outside.yaml]\n'),
    },
    {},
    ['calls', 'open', 'runs', 'shares', 'two'].map(
      (name) =>
        `${name}.test.yaml it gives rows to IN, and the project declares other columns or types of this table than before`,
    ),
  ],
  [
    'the order of components that write',
    {
      ...project,
      'two.tran.yaml': (project['two.tran.yaml'] ?? '').replace(/( {4}Write: .*\n)( {4}Again: .*\n)/, '$2$1'),
    },
    {},
    ['two.test.yaml it tests two; two changed at line 4'],
  ],
])('%s: the tests that depend on it are affected', async (_, after, renamed, tests) => {
  expect((await affectedBy(project, after, { renamed })).tests).toEqual(tests);
});

test('what git does not know may have changed', async () => {
  const files = {
    ...project,
    'typed.test.yaml': testOf('typed', 'TYPED: { file: rows.csv }'),
    'rows.csv': 'A\n1\n',
  };
  const why = 'is ignored by git, so its earlier content is not known';
  const unknown = { 'rows.csv': why, 'sub.tran.yaml': why, 'sql/a.sql': why };
  expect((await affectedBy(files, files, { unknown })).tests).toEqual([
    'calls.test.yaml it tests calls; calls calls sub; sub is ignored by git, so its earlier content is not known',
    'open.test.yaml it tests open; open runs a file whose name is known only at run time: it may be sql/a.sql, which is ignored by git, so its earlier content is not known',
    'runs.test.yaml it tests runs; runs runs sql/a.sql, which is ignored by git, so its earlier content is not known',
    'typed.test.yaml it reads rows.csv, which is ignored by git, so its earlier content is not known',
  ]);
});

test('pipelines that `files` in millrace.yaml takes in or leaves out have changed', async () => {
  const files = { ...project, '.hidden/h.orch.yaml': script('create or replace table H (A number)') };
  const shown = {
    ...files,
    'millrace.yaml': settings('own', 'files: { include: ["**/*.yaml", ".hidden/**"] }\n'),
  };
  expect((await affectedBy(files, shown)).changed).toEqual([
    '.hidden/h.orch.yaml was left out by `files` in millrace.yaml',
  ]);
  expect((await affectedBy(shown, files)).changed).toEqual([
    '.hidden/h.orch.yaml is left out by `files` in millrace.yaml',
  ]);
});

test('a caller that names the old path of a renamed pipeline is connected with the new path', async () => {
  const after = { ...without('sub.tran.yaml'), 'new.tran.yaml': copy('S') };
  const { edges, affected } = await affectedBy(project, after, {
    renamed: { 'new.tran.yaml': 'sub.tran.yaml' },
  });
  expect(affected).toEqual(['calls.orch.yaml:1 calls calls sub; sub is now new.tran.yaml']);
  expect(edges.map(({ from, to }) => [from, to])).toEqual([['new.tran.yaml', 'calls.orch.yaml']]);
});
