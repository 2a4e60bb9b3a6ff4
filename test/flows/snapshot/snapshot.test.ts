import { expect, test } from 'vitest';
import { affected } from '../../../flows/data-graph/affected/affected.ts';
import { bindProject } from '../../../flows/data-graph/bind/bind-project.ts';
import { snapshotOf } from '../../../flows/data-graph/snapshot/snapshot-of.ts';
import { takeSnapshot } from '../../../flows/data-graph/snapshot/take-snapshot.ts';
import {
  canonicalSnapshot,
  snapshotDigest,
  snapshotText,
} from '../../../flows/snapshot/canonical-snapshot.ts';
import { differenceOf } from '../../../flows/snapshot/difference/difference-of.ts';
import { readMarks, writeMarks } from '../../../flows/snapshot/marks.ts';
import { maxSnapshotBytes, readSnapshot, writeSnapshot } from '../../../flows/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../../flows/snapshot/snapshot.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import {
  copy,
  type Files,
  graphOf,
  openFolder,
  script,
  steps,
  variable,
} from '../data-graph/small-projects.ts';

const { signal } = new AbortController();

async function snapshotIn(files: Files, columns = false): Promise<Snapshot> {
  using folder = testFolder(files);
  return await takeSnapshot(openFolder(folder.directory, files), { columns, signal });
}

const sales = copy('ORDERS', ['ID', 'PRICE'], 'SALES');
const project: Files = {
  'millrace.yaml': 'version: 1\nrelease: { shared: { prefix: sales } }\n',
  '.platform/shared-pipelines.yaml': 'pipelines: [{ pipeline: load, id: load }]\n',
  'tables.orch.yaml': script('create or replace table ORDERS (ID number, PRICE number);'),
  'sales.tran.yaml': sales,
  'report.tran.yaml': copy('SALES', ['PRICE'], 'REPORT_${region}') + variable('region', 'north'),
  'clean.sql': 'delete from SALES where ID = ${first};',
  'load.orch.yaml': steps([
    ['Sales', 'run-transformation', { transformationJob: 'sales' }],
    ['Clean', 'sql-executor', { scriptLocation: 'File', fileName: 'clean.sql' }],
    ['Rates', 'run-shared-pipeline', { pipelineName: 'finance#rates', version: 'v1.0.0' }],
  ]),
};

/** A project whose shared pipelines `a` and `b` are one of its two pipelines. */
function sharedPipelines(path: string): Files {
  return {
    'millrace.yaml': 'version: 1\nrelease: { shared: { prefix: sales } }\n',
    '.platform/shared-pipelines.yaml': `pipelines: [{ pipeline: ${path}, id: a }, { pipeline: ${path}, id: b }]\n`,
    'one.orch.yaml': steps([]),
    'two.orch.yaml': steps([]),
  };
}

test('a snapshot has pipelines with calls, tables with columns and readers, variables and shared pipelines', async () => {
  const { pipelines, tables, shared, columns, files } = await snapshotIn(project, true);
  const [load, report] = pipelines;
  expect([columns, pipelines.map(({ path }) => path)]).toEqual([
    'known',
    ['load.orch.yaml', 'report.tran.yaml', 'sales.tran.yaml', 'tables.orch.yaml'],
  ]);
  expect(load).toMatchObject({
    calls: [
      { component: 'Rates', target: 'finance#rates', version: 'v1.0.0' },
      { component: 'Sales', path: 'sales.tran.yaml' },
    ],
    scripts: [{ component: 'Clean', path: 'clean.sql', sql: true }],
    uses: ['first'],
    writes: [{ component: 'Clean', file: 'clean.sql', line: 1, mode: 'change', table: 'TEST.PUBLIC.SALES' }],
  });
  expect(report).toMatchObject({
    uses: ['region'],
    variables: [{ name: 'region' }],
    reads: [{ component: 'Read', line: 3, columns: ['PRICE'], table: 'TEST.PUBLIC.SALES' }],
  });
  expect(tables.find(({ name }) => name[2] === 'SALES')).toMatchObject({
    columns: [
      ['ID', 'NUMBER(38,0)'],
      ['PRICE', 'NUMBER(38,0)'],
    ],
    complete: true,
    typed: true,
    definitions: [{ pipeline: 'sales.tran.yaml', component: 'Write', mode: 'define' }],
  });
  expect(shared).toEqual({
    prefix: 'sales',
    pipelines: [{ id: 'load', pipeline: 'load', path: 'load.orch.yaml' }],
  });
  expect(files).toMatchObject([{ path: 'clean.sql' }]);
});

test('a snapshot of which nothing is known of columns has their tables, and says so', async () => {
  const { columns, tables } = await snapshotIn(project);
  expect(columns).toBe('unknown');
  expect(tables.map(({ name }) => name[2])).toEqual(['ORDERS', 'REPORT_north', 'SALES']);
  expect(tables.flatMap((table) => table.columns ?? [])).toEqual([]);
});

test.each<[string, Files]>([
  ['comments and blanks', { 'sales.tran.yaml': `# daily\n\n${sales.replace('Read:', 'Read: # all')}` }],
  ['quotes', { 'sales.tran.yaml': sales.replace('targetTable: SALES', 'targetTable: "SALES"') }],
  [
    'the order of keys',
    {
      'sales.tran.yaml': sales.replace(
        'targetTable: ORDERS\n      columnNames: [ID, PRICE]',
        'columnNames: [ID, PRICE]\n      targetTable: ORDERS',
      ),
    },
  ],
  [
    'the form of SQL, in a component and in a script',
    {
      'clean.sql': '-- all\nDELETE from SALES\nwhere ID = ${first};',
      'tables.orch.yaml': script('create or replace table orders\n  (ID number, PRICE number);'),
    },
  ],
])('%s may move lines, and change nothing else in a snapshot', async (_, change) => {
  const [one, other] = [await snapshotIn(project), await snapshotIn({ ...project, ...change })];
  expect(snapshotDigest(other)).toBe(snapshotDigest(one));
  expect(differenceOf(one, other)).toEqual(differenceOf(one, one));
});

test('the order of lists and unknown fields do not change the text or the digest of a snapshot', async () => {
  const snapshot = await snapshotIn(project, true);
  const text = writeSnapshot(snapshot);
  const mixed = JSON.parse(text, (key, value: unknown) => {
    if (Array.isArray(value) && key !== 'name' && key !== 'columns' && typeof value[0] !== 'string')
      return value.toReversed();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return { ...Object.fromEntries(Object.entries(value).toReversed()), later: 1 };
  }) as Snapshot;
  const read = readSnapshot(JSON.stringify(mixed));
  expect(writeSnapshot(read)).toBe(text);
  expect(read).toEqual(canonicalSnapshot(snapshot));
  expect(snapshotDigest(read)).toBe(snapshotDigest(snapshot));
});

test.each<[string, string, RegExp]>([
  ['no JSON', '{', /^The snapshot is not JSON\.$/],
  ['another value', '[]', /^The snapshot is not a snapshot of Millrace: it has no format\.$/],
  [
    'a newer format',
    '{"format":2}',
    /^The snapshot has the format 2, and this version of Millrace reads 1\.$/,
  ],
  ['a missing field', '{"format":1,"warehouse":"A"}', /^In the snapshot, columns is missing\.$/],
  [
    'too many bytes',
    ' '.repeat(maxSnapshotBytes + 1),
    /^The snapshot has \d+ bytes, and at most \d+ are read\.$/,
  ],
])('a snapshot with %s is refused', (_, text, message) => {
  expect(() => readSnapshot(text)).toThrow(
    expect.objectContaining({ code: 'snapshot-invalid', message: expect.stringMatching(message) as string }),
  );
});

const read = (table: string) => steps([['Py', 'python-script', { script: `session.table("${table}")` }]]);

/** Pairs of projects, and what the second one does otherwise. */
const pairs: readonly [string, Files, Files][] = [
  [
    'a renamed column',
    project,
    { ...project, 'sales.tran.yaml': copy('ORDERS', ['ID', 'PRICE'], 'SALES', ['ID', 'COST']) },
  ],
  [
    'a table that code reads and nothing creates any more',
    { ...project, 'read.orch.yaml': read('SALES') },
    { ...project, 'sales.tran.yaml': copy('ORDERS', ['ID'], 'STOCK'), 'read.orch.yaml': read('SALES') },
  ],
  [
    'an object that is gone',
    {
      'net.orch.yaml': script("create or replace function NET(A number) returns number as 'A';"),
      'use.orch.yaml': script('select NET(1);'),
    },
    { 'net.orch.yaml': script('select 1;'), 'use.orch.yaml': script('select NET(1);') },
  ],
  [
    'another script, and a call that is gone',
    project,
    {
      ...project,
      'clean.sql': 'delete from SALES;',
      'load.orch.yaml': steps([['Clean', 'sql-executor', { scriptLocation: 'File', fileName: 'clean.sql' }]]),
    },
  ],
];

test.each(pairs)(
  'two stored snapshots give what the projects themselves give: %s',
  async (_, before, after) => {
    const [old, now] = [await graphOf(before), await graphOf(after)];
    const changed = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
    const report = affected(now, old, {
      project: old.project,
      changed: new Map(changed.map((path) => [path, 'changed'])),
      renamed: new Map(),
    });
    const [live, wanted] = [old, now].map((graph) => readSnapshot(writeSnapshot(snapshotOf(graph)))) as [
      Snapshot,
      Snapshot,
    ];
    const { pipelines, tables } = differenceOf(live, wanted);
    expect(pipelines).toEqual({
      changed: report.changed,
      affected: report.affected,
      entryPoints: report.entryPoints,
      unreadable: [],
    });
    expect(pipelines.changed.length).toBeGreaterThan(0);
    expect(tables.changes.filter(({ change }) => change !== 'created')).toHaveLength(report.columns.length);
    expect(tables.unknownColumns).toEqual(report.unknownColumns);
  },
);

test.each<[string, Files, readonly string[]]>([
  ['has the same content', { 'new.tran.yaml': sales }, ['new.tran.yaml was sales.tran.yaml']],
  [
    'has most of its components',
    { 'new.tran.yaml': sales.replace('targetTable: SALES', 'targetTable: SALES_2') },
    ['new.tran.yaml was sales.tran.yaml'],
  ],
  [
    'has something else',
    { 'new.tran.yaml': copy('A', ['B'], 'C') },
    ['new.tran.yaml is new', 'sales.tran.yaml is deleted'],
  ],
])('a pipeline that %s under another path is or is not a renamed one', async (_, added, expected) => {
  const [one, other] = [await snapshotIn({ 'sales.tran.yaml': sales }), await snapshotIn(added)];
  const { changed } = differenceOf(one, other).pipelines;
  expect(changed.map(({ pipeline, what }) => `${pipeline} ${what}`)).toEqual(expected);
});

test.each<[string, string, string, readonly string[]]>([
  ['a component without its type', sales.replace('      type: rename\n', ''), 'changed at line 8', ['SALES']],
  [
    'a list that is shorter',
    sales.replace('columnNames: [ID, PRICE]', 'columnNames: [ID]'),
    'changed at line 7',
    ['SALES'],
  ],
  [
    'a type that nobody knows in place of the writer',
    sales.replace('rewrite-table', 'write-it'),
    'changed at line 14',
    ['SALES'],
  ],
  ['a file that cannot be read any more', 'pipeline: [', 'changed at line 1', ['SALES']],
])(
  '%s has the line of the change, and a table whose columns are not known',
  async (_, after, what, tables) => {
    const files = { 'tables.orch.yaml': project['tables.orch.yaml'] ?? '', 'sales.tran.yaml': sales };
    const [one, other] = [
      await snapshotIn(files, true),
      await snapshotIn({ ...files, 'sales.tran.yaml': after }, true),
    ];
    const { pipelines, tables: found } = differenceOf(one, other);
    expect(pipelines.changed).toMatchObject([{ pipeline: 'sales.tran.yaml', what }]);
    expect(found.unknownColumns.map(({ table }) => table.table)).toEqual(tables);
    expect(found.changes).toEqual([]);
  },
);

test.each<[string, string, Files, Files, string]>([
  [
    'calls',
    "B: { type: run-shared-pipeline, parameters: { pipelineName: 'sales#b' } }\n    A: { type: run-shared-pipeline, parameters: { pipelineName: 'sales#a' } }",
    sharedPipelines('one'),
    sharedPipelines('two'),
    'calls sales#b, which now leads to two.orch.yaml instead of one.orch.yaml',
  ],
  [
    'scripts',
    'B: { type: sql-executor, parameters: { scriptLocation: File, fileName: b.sql } }\n    A: { type: sql-executor, parameters: { scriptLocation: File, fileName: a.sql } }',
    { 'a.sql': 'select 1', 'b.sql': 'select 1' },
    { 'a.sql': 'select 2', 'b.sql': 'select 2' },
    'runs b.sql, which changed',
  ],
])('of several %s that are not as they were, the first line counts', async (_, components, ...rest) => {
  const [before, after, what] = rest;
  const main = `pipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [A, B] } }\n    ${components}\n`;
  const [one, other] = [
    await snapshotIn({ ...before, 'main.orch.yaml': main }),
    await snapshotIn({ ...after, 'main.orch.yaml': main }),
  ];
  expect(differenceOf(one, other).pipelines.changed).toEqual([{ pipeline: 'main.orch.yaml', line: 4, what }]);
});

test('what one snapshot knows of columns and the other does not is not compared', async () => {
  const [one, other] = [await snapshotIn(project), await snapshotIn(project, true)];
  const { pipelines, tables } = differenceOf(one, other);
  expect(pipelines).toMatchObject({ changed: [], affected: [] });
  expect(tables).toEqual({ areColumnsKnown: false, changes: [], unknownColumns: [], broken: [] });
});

test('consumers of shared pipelines get what is added, removed, changed and affected', async () => {
  const list = (...ids: readonly string[]) =>
    `pipelines: [${ids.map((id) => `{ pipeline: ${id}, id: ${id} }`).join(', ')}]\n`;
  const [before, after] = [
    { ...project, '.platform/shared-pipelines.yaml': list('load', 'sales', 'tables') },
    {
      ...project,
      '.platform/shared-pipelines.yaml': list('load', 'sales', 'report'),
      'sales.tran.yaml': copy('ORDERS', ['ID', 'PRICE'], 'SALES', ['ID', 'COST']),
    },
  ];
  const { published, calls } = differenceOf(await snapshotIn(before), await snapshotIn(after));
  expect(published).toEqual([
    { pipeline: 'sales#load', change: 'affected' },
    { pipeline: 'sales#report', change: 'added' },
    { pipeline: 'sales#sales', change: 'changed' },
    { pipeline: 'sales#tables', change: 'removed' },
  ]);
  expect(calls).toEqual({ added: [], removed: [] });
});

test('other names of the default database, as the file of provision has them, rename no table', async () => {
  const snapshot = await snapshotIn(project, true);
  const text = writeSnapshot(snapshot).replaceAll('"TEST"', '"PROD"').replaceAll('TEST.', 'PROD.');
  expect(differenceOf(readSnapshot(text), snapshot)).toEqual(differenceOf(snapshot, snapshot));
});

test('marks of lines are read as they were written', () => {
  const lines = new Map([
    [3, 'a'],
    [4, 'b'],
    [9, 'c'],
  ]);
  const text = writeMarks(lines);
  expect(text).toMatch(/^3:[\w-]{8},9:[\w-]{4}$/);
  expect(readMarks(text).map(([line]) => line)).toEqual([3, 4, 9]);
  expect(writeMarks(new Map([[3, 'a']]))).toBe(text.slice(0, 6));
});

test('of two projects, binding the first one again gives the same text', async () => {
  using folder = testFolder(project);
  const bound = async () =>
    snapshotText(snapshotOf(await bindProject(openFolder(folder.directory, project), { signal })));
  expect(await bound()).toBe(await bound());
});
