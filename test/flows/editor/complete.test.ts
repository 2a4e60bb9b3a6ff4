import { describe, expect, test } from 'vitest';
import { complete } from '../../../flows/editor/complete.ts';
import { findDefinition } from '../../../flows/editor/find-definition.ts';
import { applyEdits } from '../../../lib/yaml/apply-edits.ts';
import { cursorIn, editorFiles } from './editor-files.ts';

const pipeline = (component: string) => `pipeline:
  components:
    Start: { type: "start" }
    "Load: all":
      type: "sql-executor"
    Each:
${component}
  variables:
    day:
      metadata: { type: "TEXT" }
    rows:
      metadata: { type: "GRID" }
`;
const files = {
  'main.orch.yaml': pipeline('      type: "and"'),
  'daily/load.orch.yaml': pipeline('      type: "and"'),
  'daily/load.tran.yaml': 'pipeline:\n  components:\n    In: { type: "table-input" }\n',
  'daily/other.tran.yaml': 'pipeline:\n  components:\n',
  'millrace.yaml': 'version: 1\nreview:\n  variables: [region, "env_*"]\n',
};
const project = editorFiles(files, ['region', 'env_*']);

/** The proposals at `|`, and the text with the first of them. */
async function completed(file: string, marked: string) {
  const at = cursorIn(file, marked);
  const { proposals } = await complete(project, at);
  const [first] = proposals;
  const after =
    first === undefined ? at.text : applyEdits(at.text, [{ ...first.range, text: first.text }]).text;
  return { labels: proposals.map(({ label }) => label), after };
}

const components = ['Start', 'Load: all'];

describe('completion', () => {
  test.each([
    ['      transitions:\n        success:\n        - |', components, '- Start'],
    ['      transitions:\n        success: [|]', components, '[Start]'],
    ['      transitions:\n        success: ["|"]', components, '["Start"]'],
    ['      transitions:\n        failure: [Start, L|]', ['Load: all'], '[Start, "Load: all"]'],
    ["      transitions: { failure: ['lo|'] }", ['Load: all'], "['Load: all']"],
    ['      iterationTarget: "St|art"', ['Start'], '"Start"'],
    ['      sources:\n      - "L|', ['Load: all'], '- "Load: all'],
    ['      transitions:\n        success: |\n', components, 'success: Start'],
  ])('of a component in %j', async (component, labels, text) => {
    const found = await completed('main.orch.yaml', pipeline(component));
    expect(found.labels).toEqual(labels);
    expect(found.after).toContain(text);
  });

  test.each([
    ['      parameters:\n        query: "SELECT ${|"', ['day', 'rows', 'region'], '"SELECT ${day}"'],
    ['      parameters:\n        query: |-\n          SELECT ${re', ['region'], 'SELECT ${region}'],
    ['      parameters:\n        cells: [["a", "${da|}"]]', ['day'], '[["a", "${day}"]]'],
  ])('of a variable in %j', async (component, labels, text) => {
    const at = component.includes('|-') ? component.replace('${re', '${re|') : component;
    const marked = pipeline(at.replace('|-', '>-'));
    const found = await completed('main.orch.yaml', marked);
    expect(found.labels).toEqual(labels);
    expect(found.after).toContain(text);
  });

  test('of the variable of an iterator, but not in a script with its own dollars', async () => {
    const iterator = (cell: string) => `      type: "fixed-iterator"\n      parameters:\n        ${cell}`;
    const named = await completed('main.orch.yaml', pipeline(iterator('variablesToIterate: [d|]')));
    expect(named.labels).toEqual(['day']);
    const script = '      type: "bash-script"\n      parameters:\n        script: "${d|"';
    expect((await completed('main.orch.yaml', pipeline(script))).labels).toEqual([]);
  });

  test.each([
    ['run-transformation', 'transformationJob: "lo|"', ['daily/load'], '"daily/load"'],
    ['run-transformation', 'transformationJob: |', ['daily/load', 'daily/other'], ' daily/load'],
    ['run-orchestration', 'orchestrationJob: daily/|', ['daily/load'], ' daily/load'],
    ['run-orchestration', 'transformationJob: daily/|', [], 'daily/'],
  ])('of the pipeline that %s calls in %j', async (type, parameter, labels, text) => {
    const component = `      type: "${type}"\n      parameters:\n        ${parameter}`;
    const found = await completed('main.orch.yaml', pipeline(component));
    expect(found.labels).toEqual(labels);
    expect(found.after).toContain(text);
  });

  test.each([
    ['pipeline: |', ['main', 'daily/load.orch.yaml', 'daily/load.tran.yaml', 'daily/other']],
    ['pipeline: main\ntests:\n- name: x\n  mock:\n    Lo|', ['Load: all']],
    ['pipeline: main\ntests:\n- name: x\n  mock: { Lo|: {} }', ['Load: all']],
    ['pipeline: main\ntests:\n- name: x\n  expect: { ran: ["|"] }', ['Start', 'Load: all', 'Each']],
    ['pipeline: main\ntests:\n- name: x\n  expect:\n    outcome: { failure: { component: E| } }', ['Each']],
    ['pipeline: main\ntests:\n- name: x\n  variables:\n    d|', ['day']],
    ['pipeline: never\ntests:\n- name: x\n  mock: { |: {} }', []],
    ['pipeline: main\ntests:\n- name: |', []],
  ])('in a test file: %j', async (text, labels) => {
    const found = await completed('main.test.yaml', text);
    // A call names pipelines in any order of the project.
    expect(found.labels.toSorted()).toEqual(labels.toSorted());
  });

  test('has nothing for the name of a new component, a type, a comment, and another file', async () => {
    for (const component of ['      type: "|"', '      # Sta|', '    N|: {}'])
      expect((await completed('main.orch.yaml', pipeline(component))).labels).toEqual([]);
    expect((await completed('millrace.yaml', 'project: |')).labels).toEqual([]);
  });
});

describe('a definition', () => {
  const component = `      type: "run-transformation"
      transitions: { success: ["Load: all"] }
      parameters:
        componentName: "Each"
        transformationJob: "daily/load"
        setScalarVariables: [["x", "\${day} \${region}"]]`;
  const text = pipeline(component);
  const definitionAt = (part: string, file = 'main.orch.yaml', whole = text) =>
    findDefinition(project, { file, text: whole, offset: whole.lastIndexOf(part) + 1 });

  test('of a component is its name, of a variable its declaration, of a call the file', async () => {
    const own = editorFiles({ ...files, 'main.orch.yaml': text }, ['region', 'env_*']);
    const find = (part: string) =>
      findDefinition(own, { file: 'main.orch.yaml', text, offset: text.indexOf(part) + 1 });
    expect(await find('"Load: all"]')).toMatchObject({
      file: 'main.orch.yaml',
      range: { line: 4, column: 5 },
    });
    expect(await find('{day}')).toMatchObject({ file: 'main.orch.yaml', range: { line: 14, column: 5 } });
    expect(await find('{region}')).toMatchObject({ file: 'millrace.yaml', range: { line: 3, column: 15 } });
    expect(await find('"daily/load"')).toMatchObject({ file: 'daily/load.tran.yaml', range: { line: 1 } });
    expect(await find('"run-transformation"')).toBeUndefined();
  });

  test('in a test file is in the tested pipeline', async () => {
    const tests = 'pipeline: main\ntests:\n- name: x\n  mock: { Start: {} }\n  variables: { day: "1" }\n';
    const find = (part: string) => definitionAt(part, 'main.test.yaml', tests);
    expect(await find('Start')).toMatchObject({ file: 'main.orch.yaml', range: { line: 3, column: 5 } });
    expect(await find('day')).toMatchObject({ file: 'main.orch.yaml', range: { line: 9, column: 5 } });
    expect(await find('main')).toMatchObject({ file: 'main.orch.yaml', range: { line: 1 } });
    expect(await find('name')).toBeUndefined();
  });
});
