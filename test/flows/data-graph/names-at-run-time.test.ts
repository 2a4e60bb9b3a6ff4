import { expect, test } from 'vitest';
import { affected } from '../../../flows/data-graph/affected/affected.ts';
import { compiled, copy, type Files, graphOf, script, steps, sqlStep, variable } from './small-projects.ts';

const fill = (value: number) => script(`create or replace table A as select ${value} as ID;`);

async function reportOf(files: Files, before: Files = {}) {
  const old = { 'fill.orch.yaml': fill(1), ...files, ...before };
  const now = await graphOf({ 'fill.orch.yaml': fill(2), ...files });
  const base = await graphOf(old);
  return affected(now, base, {
    project: base.project,
    changed: new Map(['fill.orch.yaml', ...Object.keys(before)].map((file) => [file, 'changed'])),
    renamed: new Map(),
  });
}

async function readersOf(files: Files, before: Files = {}) {
  const report = await reportOf(files, before);
  return report.affected.map(({ pipeline, line, because }) => `${pipeline}:${line} ${because.join('; ')}`);
}

const changed = 'fill changed at line 10';
const anySql = `runs SQL that is known only at run time, and may read any table; ${changed}`;
const reads = `reads a table whose name is known only at run time; ${changed}`;
const caller = (name: string, value: string) =>
  JSON.stringify({
    pipeline: {
      components: {
        Start: { type: 'start', transitions: { unconditional: ['Call'] } },
        Call: {
          type: 'run-transformation',
          parameters: { transformationJob: 'reader', setScalarVariables: [[name, value]] },
        },
      },
    },
  });

test.each<[string, Files, readonly string[]]>([
  [
    'a variable without a value',
    { 'reader.tran.yaml': copy('"${t}"', ['ID'], 'Z') + variable('t') },
    [`reader.tran.yaml:3 reader ${reads}`],
  ],
  [
    'a variable that a caller sets',
    {
      'reader.tran.yaml': copy('"${t}"', ['ID'], 'Z') + variable('t', 'OTHER'),
      'main.orch.yaml': caller('t', 'A'),
    },
    [`main.orch.yaml:1 main calls reader; reader ${reads}`, `reader.tran.yaml:3 reader ${reads}`],
  ],
  [
    'a part of a name in a script',
    { 'reader.orch.yaml': script('create or replace table Z as select * from ${day}A;', variable('day')) },
    [`reader.orch.yaml:11 reader ${reads}`],
  ],
  [
    'a schema',
    {
      'reader.orch.yaml': script('create or replace table Z as select * from ${place}.A;', variable('place')),
    },
    [`reader.orch.yaml:11 reader ${reads}`],
  ],
  [
    'a name that an expression makes',
    {
      'reader.orch.yaml': script('select * from ${t.substring(0, 1)};', variable('t')),
    },
    [`reader.orch.yaml:6 reader ${anySql}`],
  ],
  [
    'a name that an expression makes of a default, if a caller sets the variable',
    {
      'reader.tran.yaml': copy('"${t.substring(0, 3)}"', ['ID'], 'Z') + variable('t', 'OTHER'),
      'oth.orch.yaml': script('create or replace table OTH as select 1 as ID;'),
      'main.orch.yaml': caller('t', 'A'),
    },
    [`main.orch.yaml:1 main calls reader; reader ${reads}`, `reader.tran.yaml:3 reader ${reads}`],
  ],
  [
    'a name that a grid has',
    {
      'reader.orch.yaml': steps([sqlStep('Read', 'create or replace table Z as select * from ${name};')], {
        name: '',
        names: ['A'],
      }),
    },
    [`reader.orch.yaml:1 reader ${reads}`],
  ],
  [
    'a name after a table that nothing creates',
    { 'reader.orch.yaml': script('insert into Z select * from ${t};', variable('t')) },
    [`reader.orch.yaml:6 reader ${anySql}`],
  ],
  [
    'a statement',
    { 'reader.orch.yaml': script('${sql};', variable('sql')) },
    [`reader.orch.yaml:6 reader ${anySql}`],
  ],
])('%s may name every table that changes', async (_, files, expected) => {
  expect(await readersOf(files)).toEqual(expected);
});

test.each<[string, Files]>([
  [
    'a variable with a value that nothing sets',
    { 'reader.tran.yaml': copy('"${t}"', ['ID'], 'Z') + variable('t', 'OTHER') },
  ],
  [
    'another part of the name, which is known,',
    { 'reader.orch.yaml': script('create or replace table Z as select * from RAW_${day};', variable('day')) },
  ],
  [
    'a schema, with the name of another table,',
    {
      'reader.orch.yaml': script('create or replace table Z as select * from ${place}.B;', variable('place')),
    },
  ],
  [
    'a schema in SQL of which not everything is known, with the name of another table,',
    { 'reader.orch.yaml': script('insert into OUTSIDE select * from "${place}".B;', variable('place')) },
  ],
  [
    'a variable in a condition',
    {
      'reader.orch.yaml': script(
        'create or replace table Z as select * from OTHER where ID = ${id};',
        variable('id'),
      ),
    },
  ],
])('%s does not: the table is known', async (_, files) => {
  expect(await readersOf(files)).toEqual([]);
});

test('SQL with another table that nothing creates reads the tables that it names', async () => {
  expect(await readersOf({ 'reader.orch.yaml': script('insert into Z select * from A;') })).toEqual([
    `reader.orch.yaml:11 reader reads A, which fill writes; ${changed}`,
  ]);
});

test.each<[string, string]>([
  ['SQL that is not supported', 'call refresh(A);'],
  ['SQL that runs SQL', 'execute immediate $$ select * from A $$;'],
])('%s reads the tables that it names', async (_, sql) => {
  expect(await readersOf({ 'reader.orch.yaml': script(sql) })).toEqual([
    `reader.orch.yaml:6 reader names A, which fill writes, in a component that Millrace cannot analyse completely; ${changed}`,
  ]);
});

test('a Python component reads the tables that it names, also in a file', async () => {
  const python = (parameters: Readonly<Record<string, string>>) =>
    steps([['Run', 'python-script', parameters]]);
  const names = `names A, which fill writes, in a component that Millrace cannot analyse completely; ${changed}`;
  expect(
    await readersOf({
      'reader.orch.yaml': python({ script: "cursor.execute('select * from a')" }),
      'other.orch.yaml': python({ script: "cursor.execute('select * from b')" }),
      'file.orch.yaml': python({ pythonScriptLocation: 'py/run.py' }),
      'py/run.py': 'print("A")',
    }),
  ).toEqual([`file.orch.yaml:1 file ${names}`, `reader.orch.yaml:1 reader ${names}`]);
});

test('what a generic pipeline may write is not followed after a step that is only possible, and it is named', async () => {
  const files = {
    'generic.tran.yaml':
      copy('"${from}"', ['ID'], '"${to}"') + variable('from') + variable('to').replace('  variables:\n', ''),
    'reader.tran.yaml': copy('OTHER', ['ID'], 'Y'),
  };
  const { affected: list, notFollowed } = await reportOf(files);
  expect(list.map(({ pipeline }) => pipeline)).toEqual(['generic.tran.yaml']);
  expect(notFollowed).toEqual(['generic.tran.yaml']);
});

test('two scripts that fill a table which nothing creates do not read it', async () => {
  expect(await readersOf({ 'reader.orch.yaml': script('insert into A select 1;') })).toEqual([]);
  const log = (value: number) => ({ 'log.orch.yaml': script(`insert into LOG select ${value};`) });
  expect(
    await readersOf({ ...log(2), 'other.orch.yaml': script('insert into LOG select 1;') }, log(1)),
  ).toEqual([]);
});

test('a table whose name is known only at run time may be the one that others read', async () => {
  const write = (name: string, value: number) => ({
    'write.orch.yaml': script(`create or replace table ${name} as select ${value} as ID;`, variable('t')),
  });
  const written = async (name: string) =>
    readersOf({ ...write(name, 2), 'reader.tran.yaml': copy('OTHER', ['ID'], 'Z') }, write(name, 1));
  const reader =
    'reader.tran.yaml:3 reader reads OTHER, which write may write: the name of its table is known only at run time; write changed at line 10';
  expect(await written('${t}')).toEqual([reader]);
  expect(await written('OTH${t}')).toEqual([reader]);
  expect(await written('SALES_${t}')).toEqual([]);
});

test('reasons never have the values that are tried in place of unknown ones', async () => {
  const { unknown } = await compiled({
    'name.orch.yaml': script('create or replace table FIN_${t} as select AMT from ${t};', variable('t')),
    'number.orch.yaml': script(
      'select A from T_${n} where A = ${n};',
      variable('n').replace('TEXT', 'NUMBER'),
    ),
    'system.orch.yaml': script('select A from ${sysvar.environment.name};'),
    'column.orch.yaml': script('create table S (A number);\nselect ${c} from S;', variable('c')),
  });
  const reasons = unknown.map(({ reason }) => reason);
  expect(reasons).toContain('the value of the variable "…" is only known when the pipeline runs');
  expect(reasons.join('\n')).not.toMatch(/millrace_unknown|2000|2001|\b1\b/i);
});
