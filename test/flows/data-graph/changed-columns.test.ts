import { expect, test } from 'vitest';
import { snapshotOf } from '../../../flows/data-graph/snapshot/snapshot-of.ts';
import { changedTables } from '../../../flows/snapshot/difference/changed-columns.ts';
import { projectFacts } from '../../../flows/snapshot/difference/project-facts.ts';
import { copy, type Files, graphOf, script, steps, variable } from './small-projects.ts';

const make = (columns: string) => ({ 'make.orch.yaml': script(`create or replace table A (${columns});`) });
const read = (columns: readonly string[], to = 'Z') => copy('A', columns, to);

async function columnsOf(before: Files, after: Files, more: Files = {}) {
  const facts = async (files: Files) => projectFacts(snapshotOf(await graphOf({ ...files, ...more })));
  const { columns, unknown } = changedTables(await facts(after), await facts(before));
  return [
    ...columns.map(({ table, column, change, before: old, after: now, writers, readers }) =>
      [
        `${table.table}${column === undefined ? '' : `.${column}`} ${change}`,
        ...[old, now].flatMap((type) => type ?? []),
        `by ${writers.map(({ file, line }) => `${file}:${line}`).join()}`,
        ...readers.map(({ file, line, reads }) => `${file}:${line} ${reads}`),
      ].join(' | '),
    ),
    ...unknown.map(
      ({ table, writers }) => `${table.table} unknown by ${writers.map(({ file }) => file).join()}`,
    ),
  ];
}

const by = 'by make.orch.yaml:11';

test.each<[string, string, string, readonly string[]]>([
  [
    'dropped',
    'ID number, NAME varchar',
    'ID number',
    [`A.NAME removed | VARCHAR | ${by} | named.tran.yaml:3 column`],
  ],
  [
    'added',
    'ID number',
    'ID number, NAME varchar',
    [`A.NAME added | VARCHAR | ${by} | named.tran.yaml:3 column`],
  ],
  [
    'renamed',
    'ID number, NAME varchar',
    'ID number, TITLE varchar',
    [`A.NAME renamed | TITLE | ${by} | named.tran.yaml:3 column`],
  ],
  [
    'with another type',
    'ID number, NAME varchar',
    'ID number, NAME date',
    [`A.NAME retyped | VARCHAR | DATE | ${by} | named.tran.yaml:3 column`],
  ],
])('a column that is %s is listed with its readers', async (_, before, after, expected) => {
  const readers = { 'named.tran.yaml': read(['NAME']), 'other.tran.yaml': read(['ID'], 'Y') };
  const found = await columnsOf(make(before), make(after), readers);
  expect(found.filter((line) => line.startsWith('A.'))).toEqual(expected);
});

test('what follows from a changed column is listed too, and so are readers of all columns', async () => {
  const view = { 'view.orch.yaml': script('create or replace view V as select * from A;') };
  expect(
    await columnsOf(make('ID number, NAME varchar'), make('ID number'), {
      ...view,
      'last.tran.yaml': copy('V', ['NAME'], 'Z'),
    }),
  ).toEqual([
    `A.NAME removed | VARCHAR | ${by} | view.orch.yaml:11 all`,
    'V.NAME removed | VARCHAR | by view.orch.yaml:11 | last.tran.yaml:3 column',
    // What the last one writes cannot be known any more.
    'Z unknown by last.tran.yaml',
  ]);
});

test('a reader that the change has adapted is none any more', async () => {
  expect(
    await columnsOf(
      { ...make('ID number, NAME varchar'), 'named.tran.yaml': read(['NAME']) },
      { ...make('ID number'), 'named.tran.yaml': read(['ID']) },
    ),
  ).toEqual([
    `A.NAME removed | VARCHAR | ${by}`,
    'Z.NAME removed | VARCHAR | by named.tran.yaml:14',
    'Z.ID added | NUMBER(38,0) | by named.tran.yaml:14',
  ]);
});

test('a table that nothing creates any more is listed with its readers', async () => {
  expect(await columnsOf(make('ID number'), {}, { 'named.tran.yaml': read(['ID']) })).toEqual([
    'A dropped | by make.orch.yaml:11 | named.tran.yaml:3 column',
    'Z unknown by named.tran.yaml',
  ]);
});

test('a component of which not everything is known may read the column', async () => {
  const python = steps([['Run', 'python-script', { script: "cursor.execute('select name from a')" }]]);
  expect(
    await columnsOf(make('ID number, NAME varchar'), make('ID number'), { 'code.orch.yaml': python }),
  ).toEqual([`A.NAME removed | VARCHAR | ${by} | code.orch.yaml:1 unknown`]);
});

test('columns that are not known are not compared, and their table is listed', async () => {
  const made = (value: number) => ({
    'make.orch.yaml': script(
      `create or replace table A as select ${value} as ID, \${columns} from OTHER;`,
      variable('columns'),
    ),
  });
  expect(await columnsOf(made(1), made(2), { 'named.tran.yaml': read(['ID']) })).toEqual([]);
  const known = make('ID number');
  expect((await columnsOf(known, made(2))).at(-1)).toBe('A unknown by make.orch.yaml');
});

test('a project that has not changed has no changed columns', async () => {
  const all = { ...make('ID number'), 'named.tran.yaml': read(['ID']) };
  expect(await columnsOf(all, all)).toEqual([]);
});
