import { describe, expect, test } from 'vitest';
import { callOf } from '../../../../lib/pipelines/model/calls.ts';
import { readPipeline } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { textOf } from '../../../../lib/yaml/yaml-node.ts';

const orchestration = (...components: string[]) =>
  readPipeline('daily/load.orch.yaml', ['pipeline:', '  components:', ...components].join('\n'));

function componentOf(document: ReturnType<typeof readPipeline>, name: string) {
  const component = document.components.get(name);
  if (component === undefined) throw new Error(`no component ${name}`);
  return component;
}

describe('the traps of real files', () => {
  test('every scalar parameter is text, whether quoted or a bare number', () => {
    const load = componentOf(
      orchestration(
        '    Load:',
        '      type: "s3-load"',
        '      parameters: { retries: "3", limit: 010, ratio: 1.50, quiet: false }',
      ),
      'Load',
    );
    expect(['retries', 'limit', 'ratio', 'quiet'].map((name) => load.text(name))).toEqual([
      '3',
      '010',
      '1.50',
      'false',
    ]);
  });

  test('an empty value is a bare key and reads as nothing', () => {
    const document = orchestration(
      '    Load:',
      '      type: "sql-executor"',
      '      parameters:',
      '        warehouse:',
      '      transitions:',
      '      iterationTarget:',
      '      skipped:',
    );
    const load = componentOf(document, 'Load');
    expect(document.problems).toEqual([]);
    expect(load.text('warehouse')).toBeUndefined();
    expect(load.transitions).toEqual([]);
    expect(load.iterationTarget).toBeUndefined();
    expect(load.skipped).toBe(false);
  });

  test('a long script is a double-quoted text whose line ends are escapes', () => {
    const run = componentOf(
      orchestration(
        '    Run:',
        '      type: "sql-executor"',
        '      parameters:',
        '        sqlScript: "delete from ${table};\\r\\ninsert into ${table}\\r\\n  select 1;\\',
        '          \\ -- end"',
        '    After: { type: end-success }',
      ),
      'Run',
    );
    expect(run.text('sqlScript')).toBe('delete from ${table};\r\ninsert into ${table}\r\n  select 1; -- end');
  });

  test('a component behind a long escaped script is on its own line of the file', () => {
    const document = orchestration(
      '    Run: { type: sql-executor, parameters: { sqlScript: "a\\r\\nb\\r\\nc" } }',
      '    After: { type: end-success }',
    );
    expect(componentOf(document, 'After').range).toEqual({ line: 4, column: 5, endLine: 4, endColumn: 10 });
  });

  test('paths keep their spaces, even at the end of a folder name', () => {
    const run = componentOf(
      orchestration(
        '    Run:',
        '      type: run-transformation',
        '      parameters:',
        '        transformationJob: "Month End /Close the books"',
      ),
      'Run',
    );
    expect(callOf(run)?.target).toBe('Month End /Close the books');
  });

  test('the key is the name, whatever componentName says', () => {
    const document = orchestration('    Load 1: { type: start, parameters: { componentName: "Load" } }');
    expect([...document.components.keys()]).toEqual(['Load 1']);
    expect(componentOf(document, 'Load 1').name).toBe('Load 1');
  });

  test('true and false are transitions, quoted or not', () => {
    const document = orchestration(
      '    A: { type: if, transitions: { "true": ["B"], "false": ["C"] } }',
      '    B:',
      '      type: if',
      '      transitions:',
      '        true:',
      '        - "C"',
      '        false: [D]',
    );
    expect(componentOf(document, 'A').transitions).toEqual([
      { on: 'true', to: 'B' },
      { on: 'false', to: 'C' },
    ]);
    expect(componentOf(document, 'B').transitions).toEqual([
      { on: 'true', to: 'C' },
      { on: 'false', to: 'D' },
    ]);
  });

  test('all kinds of transitions are read, each with all its targets', () => {
    const document = orchestration(
      '    A: { transitions: { success: [B, C], failure: [D], unconditional: [E], other: [F] } }',
    );
    expect(componentOf(document, 'A').transitions.map(({ on, to }) => `${on} ${to}`)).toEqual([
      'success B',
      'success C',
      'failure D',
      'unconditional E',
    ]);
  });

  test('a lone name instead of a list is a list of one', () => {
    const document = readPipeline(
      'a.tran.yaml',
      'pipeline: { components: { A: { sources: B, transitions: { success: C } } } }',
    );
    expect(componentOf(document, 'A').sources).toEqual(['B']);
    expect(componentOf(document, 'A').transitions).toEqual([{ on: 'success', to: 'C' }]);
  });

  test('names in lists are text as written, as keys are', () => {
    const document = orchestration(
      '    1.0: { type: start, transitions: { success: [2.0, true] } }',
      '    2.0:',
    );
    expect([...document.components.keys()]).toEqual(['1.0', '2.0']);
    expect(componentOf(document, '1.0').transitions.map(({ to }) => to)).toEqual(['2.0', 'true']);
  });

  test('a component without a value, or with one of another form, is a component of no type', () => {
    const document = orchestration('    A:', '    B: text', '    C: [x]');
    expect(document.problems).toEqual([]);
    expect([...document.components.values()].map(({ type }) => type)).toEqual(['', '', '']);
  });

  test('version may be null, and the canvas part is not looked at', () => {
    const document = readPipeline(
      'a.orch.yaml',
      'type: "orchestration"\nversion:\npipeline: {}\ndesign: { components: { A: { position: { x: 1, "y": 2 } } }, notes: {} }',
    );
    expect(document.problems).toEqual([]);
    expect(document.components.size).toBe(0);
  });

  test('an empty pipeline without components is legal', () => {
    for (const text of [
      'pipeline: {}',
      'pipeline:\n  components:\n',
      'pipeline:\n  metadata:\n    description: x',
    ]) {
      expect(readPipeline('a.orch.yaml', text).problems).toEqual([]);
    }
  });

  test('the suffix decides the kind', () => {
    expect(readPipeline('a.tran.yaml', 'type: "orchestration"\npipeline: {}').kind).toBe('transformation');
    expect(readPipeline('a.orch.yaml', 'type: "transformation"\npipeline: {}').kind).toBe('orchestration');
  });

  test.each([
    [
      'an unknown type',
      'type: "transformatoin"\nversion: "1.0"\n',
      [1, 7],
      '`type` must be "orchestration" or "transformation", not "transformatoin"',
    ],
    [
      'a type that is a map',
      'type: { a: b }\n',
      [1, 7],
      '`type` must be "orchestration" or "transformation", not a list or a map',
    ],
    ['an unknown version', 'version: "9.9"\n', [1, 10], '`version` must be "1.0", not "9.9"'],
    ['a version that is a list', 'version: [1.0]\n', [1, 10], '`version` must be "1.0", not a list or a map'],
  ])('%s is a problem with its place and the allowed values', (_, head, [line, column], message) => {
    expect(readPipeline('a.tran.yaml', `${head}pipeline: {}\n`).problems).toMatchObject([
      { file: 'a.tran.yaml', line, column, message },
    ]);
  });

  test.each([
    '',
    'type:\nversion:\n',
    'type: "orchestration"\nversion: 1.0\n',
    "type: transformation\nversion: '1.0'\n",
  ])('a pipeline file that begins with %j has no problem', (head) => {
    expect(readPipeline('a.orch.yaml', `${head}pipeline: {}\n`).problems).toEqual([]);
  });

  test('a wrong type and a wrong version are two problems', () => {
    const { problems } = readPipeline('a.orch.yaml', 'type: x\nversion: 2\npipeline: {}\n');
    expect(problems.map(({ line }) => line)).toEqual([1, 2]);
  });

  test('an iterator names its target, and skipped is read in any case', () => {
    const document = orchestration(
      '    Each: { type: table-iterator, iterationTarget: "Load it", skipped: true }',
      '    Load it: { type: run-transformation, skipped: "True" }',
    );
    expect(componentOf(document, 'Each').iterationTarget).toBe('Load it');
    expect([...document.components.values()].map(({ skipped }) => skipped)).toEqual([true, true]);
  });

  test('postProcessing and every other part can be reached as a tree', () => {
    const load = componentOf(
      orchestration(
        '    Load: { type: start, postProcessing: { updateScalarVariables: [[rows, "Row Count"]] } }',
      ),
      'Load',
    );
    const rows = load.node('postProcessing');
    expect(rows?.kind === 'map' && [...rows.entries.keys()]).toEqual(['updateScalarVariables']);
    expect(textOf(load.node('type'))).toBe('start');
  });

  test('a file of a thousand components keeps their order', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `    ${1000 - index}: { type: sql-executor }`);
    const names = [...orchestration(...lines).components.keys()];
    expect(names.length).toBe(1000);
    expect(names.slice(0, 3)).toEqual(['1000', '999', '998']);
  });
});

describe('files that are not pipelines', () => {
  test.each([
    ['an empty text', '', 1, 1],
    ['a text', 'hello', 1, 1],
    ['a list', '- pipeline', 1, 1],
    ['a map without "pipeline"', 'type: orchestration', 1, 1],
    ['a bare "pipeline:"', 'type: x\npipeline:', 2, 1],
    ['components that are a list', 'pipeline:\n  components: [a]', 2, 3],
    ['broken YAML', 'pipeline:\n  components: {', 2, 16],
    ['a duplicate key', 'pipeline:\n  components: {}\n  components: {}', 3, 3],
    ['two documents', 'pipeline: {}\n---\npipeline: {}', 2, 1],
  ])('%s is a problem at its place', (_title, text, line, column) => {
    expect(readPipeline('a.orch.yaml', text).problems[0]).toMatchObject({
      file: 'a.orch.yaml',
      line,
      column,
    });
  });
});

describe('variables', () => {
  const { variables } = readPipeline(
    'a.orch.yaml',
    [
      'pipeline:',
      '  variables:',
      '    day:',
      '      metadata:',
      '        type: "TEXT"',
      '        description: "Which day"',
      '        scope: "COPIED"',
      '        visibility: "PUBLIC"',
      '      defaultValue: "2026-01-01"',
      '    count: { metadata: { type: NUMBER, scope: SHARED, visibility: PRIVATE }, defaultValue: 007 }',
      '    tables:',
      '      metadata: { type: "GRID", columns: { } }',
      '      defaultValue: [["orders", "id"], ["stock", ]]',
      '    empty: { metadata: { type: "TEXT" }, defaultValue: }',
      '    bare:',
    ].join('\n'),
  );

  test('type, scope, visibility, description and default are read as written', () => {
    expect(variables.get('day')).toMatchObject({
      name: 'day',
      type: 'TEXT',
      scope: 'COPIED',
      visibility: 'PUBLIC',
      description: 'Which day',
      defaultValue: '2026-01-01',
      range: { line: 3, column: 5, endLine: 3, endColumn: 8 },
    });
    expect(variables.get('count')).toMatchObject({
      type: 'NUMBER',
      visibility: 'PRIVATE',
      defaultValue: '007',
    });
  });

  test('a grid’s default is its rows', () => {
    expect(variables.get('tables')?.defaultValue).toEqual([['orders', 'id'], ['stock']]);
  });

  test('an empty default is none, and a bare variable is a text', () => {
    expect(variables.get('empty')?.defaultValue).toBeUndefined();
    expect(variables.get('bare')).toMatchObject({ type: 'TEXT', scope: undefined, defaultValue: undefined });
  });

  test.each([
    ['names', '[a, b]'],
    ['maps with a name', '[{ name: a, type: TEXT }, { name: b }]'],
    ['rows', '[[a, TEXT], [b, TEXT]]'],
    ['a map by name', '{ a: { type: TEXT }, b: }'],
  ])('columns may be given as %s', (_title, columns) => {
    const text = `pipeline: { variables: { g: { metadata: { type: GRID, columns: ${columns} } } } }`;
    expect(readPipeline('a.orch.yaml', text).variables.get('g')?.columns).toEqual(['a', 'b']);
  });
});

test('a file of 50 MB is refused without being parsed', () => {
  const { problems, components } = readPipeline('a.orch.yaml', `pipeline: {}\n${'# x\n'.repeat(12_500_000)}`);
  expect(problems).toMatchObject([
    { line: 1, message: 'The file is larger than 4 MiB, the limit for a pipeline' },
  ]);
  expect(components.size).toBe(0);
});

test('a transition names a component by its key as written, whatever type YAML gives it', () => {
  const names = ['2024-01-01', '1.0', 'true', 'null', '~', '1:30', '017', '.inf', '0x1F', 'yes', '.nan'];
  const { components } = readPipeline(
    'a.orch.yaml',
    `pipeline:\n  components:\n    Start: { transitions: { success: [${names.join(', ')}], failure: null } }\n${names.map((name) => `    ${name}: {}\n`).join('')}`,
  );
  expect([...components.keys()].slice(1)).toEqual(names);
  expect(components.get('Start')?.transitions.map(({ to }) => to)).toEqual(names);
});
