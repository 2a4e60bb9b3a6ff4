import { expect, test } from 'vitest';
import { testFolder } from './test-project.ts';

const transformation = (components: string, variables = '') =>
  `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${components}${variables}`;
const orchestration = (components: string, variables = '') =>
  `type: orchestration\nversion: "1.0"\npipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [Next] } }\n${components}${variables}`;
const declare = (...lines: readonly string[]) =>
  `  variables:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const text = (name: string) => `${name}: { metadata: { type: TEXT, visibility: PUBLIC } }`;
const grid = (name: string, ...columns: readonly string[]) =>
  `${name}: { metadata: { type: GRID, visibility: PUBLIC, columns: { ${columns.map((one) => `${one}: {}`).join(', ')} } } }`;
const fromGrid = (variable: string, ...columns: readonly string[]) =>
  `{ fromGrid: { variable: ${variable}, columns: [${columns.join(', ')}] } }`;
const read = (table: string, columns: string) =>
  `    In: { type: table-input, parameters: { targetTable: ${table}, columnNames: ${columns} } }\n`;
const sql = (query: string) =>
  `    Sql:\n      type: sql\n      sources: [In]\n      parameters:\n        query: >-\n          ${query}\n`;
const write = (from: string) =>
  `    Write: { type: rewrite-table, sources: [${from}], parameters: { targetTable: OUT } }\n`;

test.each<[what: string, file: string, pipeline: string, parts: readonly string[]]>([
  [
    'the names of columns',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', fromGrid('names', 'column'))}${write('In')}`,
      declare(grid('names', 'column')),
    ),
    ["variables: { names: [['ID']] }"],
  ],
  [
    'the content of an XML document',
    'a.tran.yaml',
    transformation(
      `    Sql:\n      type: sql\n      parameters: { query: "SELECT PARSE_XML('\${xml}') AS doc" }\n${write('Sql')}`,
      declare(text('xml')),
    ),
    ["variables: { xml: '<a>1</a>' }"],
  ],
  [
    'what a SELECT lists, with the columns that are read from it',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', '[ID]')}${sql('select ${list} from $T{In}')}    Sort: { type: filter, sources: [Sql], parameters: { filterConditions: [[STATE, Not, "Null", ""]], combineCondition: And } }\n${write('Sort')}`,
      declare(text('list')),
    ),
    ['list: "*, \'1\' AS \\"STATE\\""', "- { ID: 1, STATE: '1' }"],
  ],
  [
    'a condition of a join, and the columns that the join gives',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', '[ID]')}    Other: { type: table-input, parameters: { targetTable: OTHER, columnNames: [ID] } }\n    Both: { type: join, sources: [In, Other], parameters: { mainTable: In, mainTableAlias: s, joins: [[Other, t, Inner]], joinExpressions: [["\${cond}", s_Inner_t]], columnMappings: ${fromGrid('out', 'from', 'to')} } }\n${write('Both')}`,
      declare(text('cond'), grid('out', 'from', 'to')),
    ),
    [
      'cond: \'"s"."ID" = "t"."ID"\'',
      "out: [['s.ID', 'ID']]",
      'OUT:\n          rows:\n            - { ID: 1 }',
    ],
  ],
  [
    'columns that become rows',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', '[ID, 2024 Q1, 2024 Q2]')}${sql('select * from $T{In} unpivot (v for q in (${list}))')}    Sort: { type: filter, sources: [Sql], parameters: { filterConditions: [[ID, Not, "Null", ""]], combineCondition: And } }\n${write('Sort')}`,
      declare(text('list')),
    ),
    ['list: \'"2024 Q1", "2024 Q2"\''],
  ],
  [
    'rows that become columns',
    'a.tran.yaml',
    transformation(
      `${read('EVENTS', '[ID, Q, V]')}${sql('select * from ($T{In}) pivot (max(v) for q in (${list})) as p (a, ${names})')}${write('Sql')}`,
      declare(text('list'), text('names')),
    ),
    ['list: "\'1\'"', 'names: \'"ID"\'', 'OUT:'],
  ],
  [
    'a query that a script builds, with the value that a condition needs',
    'a.orch.yaml',
    orchestration(
      '    Next: { type: python-pushdown, transitions: { success: [Ask] }, parameters: { pythonScript: "context.updateVariable(\'query\', x)" } }\n    Ask: { type: query-to-scalar, transitions: { success: [Is there] }, parameters: { mode: Advanced, query: "${query}", scalarVariableMapping: [[found, KIND]] } }\n    Is there: { type: if, transitions: { "true": [Good], "false": [Bad] }, parameters: { mode: Simple, condition: [[found, Is, Equal to, TABLE]], combineConditions: And } }\n    Good: { type: end-success }\n    Bad: { type: end-failure }\n',
      declare(text('query'), text('found')),
    ),
    ['query: "SELECT \'TABLE\' AS \\"KIND\\""', 'ran: [Start, Next, Ask, Is there, Good]'],
  ],
  [
    'columns of a new table, which a script builds',
    'a.orch.yaml',
    orchestration(
      '    Next: { type: python-pushdown, transitions: { success: [Make] }, parameters: { pythonScript: "context.updateVariable(\'columns\', x)" } }\n    Make: { type: sql-script, parameters: { sqlScript: "create table t (a number, ${columns} b date)" } }\n',
      declare(text('columns')),
    ),
    ['columns: \'"ID" VARCHAR(128),\'', 'T: { rows: [] }'],
  ],
])('--init gives a variable the form of %s', async (_, file, pipeline, parts) => {
  using folder = testFolder({ [file]: pipeline });
  const ended = await folder.run('--find-rows', '0s', '--init', 'a');
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote a.test.yaml.') });
  for (const part of parts) expect(folder.read('a.test.yaml')).toContain(part);
  expect(await folder.report()).toMatchObject({ passed: 1, failed: 0, refused: 0 });
});

test('--init gives a variable the value that a pipeline of the project passes', async () => {
  const called = transformation(
    `    Fix: { type: fixed-flow, parameters: { columns: [[A, VARCHAR, "", ""]], values: [["\${region}"]] } }\n${write('Fix')}`,
    declare(text('region')),
  );
  const caller = orchestration(
    '    Next: { type: run-transformation, parameters: { transformationJob: a, setScalarVariables: [[region, north]] } }\n',
  );
  using folder = testFolder({ 'a.tran.yaml': called, 'all.orch.yaml': caller });
  await folder.run('--find-rows', '0s', '--init', 'a');
  expect(folder.read('a.test.yaml')).toContain("variables: { region: 'north' }");
});
