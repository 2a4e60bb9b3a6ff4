import { expect, test } from 'vitest';
import { componentTypes } from '../../../engine/components/component-types.ts';
import { tableIteratorParameters } from '../../../engine/orchestration/components/table-rounds.ts';
import { taskTypes } from '../../../engine/orchestration/components/task-types.ts';
import { affectedBy } from './affected-by.ts';
import { compiled, script, steps } from './small-projects.ts';

/** How a component uses the table that its parameters name. */
interface Use {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `column`: reads AMT; `table`: reads the table; `insert`: writes AMT; `write`: needs nothing of what is there. */
  readonly needs: 'column' | 'table' | 'insert' | 'write';
}

const mapping = [['AMT', 'x']];
const update = {
  targetTable: 'MID',
  targetAlias: 't',
  sourceAlias: 's',
  joinExpression: [['"s"."AMT" = "t"."AMT"']],
  whenMatched: [['true', 'Update']],
  updateMapping: [['ID', 'ID']],
  includeNotMatched: 'No',
};
const uses: Readonly<Record<string, Use>> = {
  'table-input': { parameters: { targetTable: 'MID', columnNames: ['AMT'] }, needs: 'column' },
  'stream-input-sf': { parameters: { targetStream: 'MID', columnNames: ['AMT'] }, needs: 'column' },
  'multi-table-input': {
    parameters: { pattern: 'MI%', columns: ['AMT'], patternType: 'Like' },
    needs: 'column',
  },
  'rewrite-table': { parameters: { targetTable: 'MID' }, needs: 'write' },
  'rewrite-table-dl': { parameters: { table: 'MID' }, needs: 'write' },
  'create-view': { parameters: { viewName: 'MID' }, needs: 'write' },
  'table-output': {
    parameters: { targetTable: 'MID', columnMapping: [['AMT', 'AMT']], outputMode: 'Truncate' },
    needs: 'insert',
  },
  'table-update': { parameters: update, needs: 'column' },
  'query-to-scalar': {
    parameters: {
      mode: 'Basic',
      table: 'MID',
      tableColumns: ['ID'],
      filterConditions: [['AMT', 'Is', 'Equal to', '1']],
      scalarVariableMapping: [['x', 'ID']],
    },
    needs: 'column',
  },
  'table-iterator': {
    parameters: { mode: 'Basic', targetTable: 'MID', columnMapping: mapping },
    needs: 'column',
  },
  'table-metadata-to-grid': {
    parameters: { targetTable: 'MID', gridVariable: 'g', gridVariableMapping: ['Name'] },
    needs: 'table',
  },
  'assert-table': { parameters: { tableName: 'MID', exists: 'Yes' }, needs: 'table' },
  'delete-tables': { parameters: { targetTable: ['MID'] }, needs: 'write' },
  'create-table': {
    parameters: { newTableName: 'MID', createReplace: 'Replace', columns: [['AMT', 'NUMBER', '38', '0']] },
    needs: 'write',
  },
  'create-table-v2': {
    parameters: { table: 'MID', createMethod: 'Replace', columns: [['AMT', 'NUMBER', '38', '0']] },
    needs: 'write',
  },
};
/** SQL that changes rows of a table. */
const statements: Readonly<Record<string, readonly [sql: string, needs: Use['needs']]>> = {
  merge: [
    'merge into MID using (select 1 as ID) s on MID.AMT = s.ID when matched then update set ID = 2',
    'column',
  ],
  update: ['update MID set ID = 1 where AMT = 2', 'column'],
  delete: ['delete from MID where AMT = 2', 'column'],
  insert: ['insert into MID (AMT) values (1)', 'insert'],
  truncate: ['delete from MID', 'write'],
};

const source = { type: 'table-input', parameters: { targetTable: 'SOURCE', columnNames: ['ID', 'AMT'] } };

function pipelineWith(type: string, { parameters }: Use): readonly [string, string] {
  const known = componentTypes.find((each) => each.type === type);
  if (known === undefined)
    return [`${type}.orch.yaml`, steps([['Use', type, parameters]], { x: '1', g: ['a'] })];
  const own = { type, parameters };
  const components =
    known.group === 'write'
      ? { Source: source, Use: { ...own, sources: ['Source'] } }
      : {
          Use: own,
          Write: { type: 'rewrite-table', sources: ['Use'], parameters: { targetTable: `OUT_${type}` } },
        };
  return [`${type}.tran.yaml`, JSON.stringify({ pipeline: { components } })];
}

const project = {
  'source.orch.yaml': script('create or replace table SOURCE (ID number, AMT number)'),
  ...Object.fromEntries(Object.entries(uses).map(([type, use]) => pipelineWith(type, use))),
  ...Object.fromEntries(
    Object.entries(statements).map(([name, [sql]]) => [`sql-${name}.orch.yaml`, script(sql)]),
  ),
};
const needs = new Map([
  ...Object.entries(uses).map(([type, use]) => [type, use.needs] as const),
  ...Object.entries(statements).map(([name, [, need]]) => [`sql-${name}`, need] as const),
]);
const named = (...kinds: readonly Use['needs'][]) =>
  [...needs].flatMap(([name, need]) => (kinds.includes(need) ? [name] : [])).toSorted();
const nameOf = (text: string) => text.replace(/\.(?:orch|tran)\.yaml.*$/s, '');

test('every component that names a table in its parameters is in the list of this test', () => {
  const isAboutTable = ({ parameters }: { readonly parameters: object }) => 'schema' in parameters;
  const types = [
    ...[...componentTypes, ...taskTypes].filter(isAboutTable).map(({ type }) => type),
    ...(isAboutTable({ parameters: tableIteratorParameters }) ? ['table-iterator'] : []),
  ];
  expect(Object.keys(uses).toSorted()).toEqual(types.toSorted());
});

/** Only one pipeline defines the table: the others that would are left out. */
const writers = new Set(named('write'));
const readers = Object.fromEntries(Object.entries(project).filter(([path]) => !writers.has(nameOf(path))));
const before = {
  ...readers,
  'w.orch.yaml': script('create or replace table MID (ID number, AMT number)'),
};
const after = { ...readers, 'w.orch.yaml': script('create or replace table MID (ID number)') };

test('a component that needs a column of a table breaks when the column is dropped', async () => {
  const { findings } = await compiled(after, before);
  const [breaking, ...others] = findings.filter(({ rule }) => rule === 'breaking-change');
  expect(others).toEqual([]);
  expect(breaking?.message).toContain('"MID" no longer has the column "AMT"');
  expect((breaking?.related ?? []).map(({ file }) => nameOf(file)).toSorted()).toEqual(named('column'));
});

test('what reads a table or depends on its rows is affected, and what only writes to it is not', async () => {
  const { affected } = await affectedBy(before, after);
  expect(
    affected
      .filter((text) => text.includes('MID'))
      .map(nameOf)
      .toSorted(),
  ).toEqual(named('column', 'table'));
  const { affected: withoutTable } = await affectedBy(before, readers);
  expect(withoutTable.map(nameOf)).toEqual(expect.arrayContaining(named('column', 'table')));
  const written = { ...project, 'w.orch.yaml': script('insert into MID (ID) select ID from SOURCE') };
  const other = { ...project, 'w.orch.yaml': script('insert into MID (ID) select ID + 1 from SOURCE') };
  const inserted = await affectedBy(written, other);
  expect(
    inserted.affected
      .filter((text) => text.includes('which w writes'))
      .map(nameOf)
      .toSorted(),
  ).toEqual(named('column', 'table'));
});
