import { describe, expect, test } from 'vitest';
import { execute, type Options, pipeline, startThen, stepsOf, variable } from '../execute.ts';

function printing(name: string, variables: Readonly<Record<string, unknown>> = {}) {
  return {
    'main.orch.yaml': pipeline(
      {
        Start: startThen('Print'),
        Print: { type: 'print-variables', parameters: { variablesToPrint: [[name]] } },
      },
      variables,
    ),
  };
}

async function printed(files: Readonly<Record<string, string>>, options: Options = {}) {
  return stepsOf(await execute(files, options), 'Print')[0]?.message;
}

const project = { day: { type: 'TEXT', behaviour: 'SHARED', value: 'of project' } };

describe('variables of an execution', () => {
  test('given values win over the pipeline’s, and those over the project’s', async () => {
    expect(await printed(printing('day'), { project })).toBe('day=of project');
    const declared = printing('day', { day: variable('TEXT', 'of pipeline') });
    expect(await printed(declared, { project })).toBe('day=of pipeline');
    expect(await printed(declared, { project, scalarVariables: { day: 'given' } })).toBe('day=given');
    expect(await printed(printing('day'), { project, scalarVariables: { day: 'given' } })).toBe('day=given');
  });

  test('a number of the project reads as text', async () => {
    const count = { count: { type: 'NUMBER', behaviour: 'COPIED', value: 0.5 } };
    expect(await printed(printing('count'), { project: count })).toBe('count=0.5');
  });

  test.each([
    ['no variable of that name', { scalarVariables: { dya: 'x' } }, 'the pipeline has no variable "dya"'],
    [
      'a private one',
      { scalarVariables: { hidden: 'x' } },
      'the variable "hidden" is private to the pipeline, so a caller cannot set it',
    ],
    [
      'text for a number',
      { scalarVariables: { count: 'x' } },
      'the variable "count" is a number and cannot be "x"',
    ],
    ['text for a grid', { scalarVariables: { rows: 'x' } }, 'the variable "rows" is a grid'],
    ['rows for a text', { gridVariables: { day: [['x']] } }, 'the variable "day" is not a grid'],
  ])('a start with %s ends FAILED before anything runs', async (_, options, reason) => {
    const variables = {
      day: variable('TEXT', ''),
      count: variable('NUMBER', '1'),
      hidden: variable('TEXT', '', { visibility: 'PRIVATE' }),
      rows: variable('GRID', []),
    };
    const state = await execute(printing('day', variables), options);
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain(`Pipeline "main.orch.yaml" could not start: ${reason}`);
    expect(state.steps).toEqual([]);
  });

  test('a name in a parameter, however deep, that no variable bears fails the component', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: { type: 's3-load', parameters: { source: { columns: [['a', 'x ${lost} y']] } } },
      }),
    });
    expect(state.message).toContain(
      'Component "Load" of pipeline "main.orch.yaml" failed: main.orch.yaml:1:180: the variable "lost" is not defined.',
    );
  });

  test.each([
    ['python-pushdown', 'print(f"${price}")'],
    ['bash-script', 'echo ${HOME}'],
    ['sql-executor', 'select ${"a".unknownMethod()}'],
  ])('in a %s, %s is not ours to judge', async (type, script) => {
    const state = await execute({
      'main.orch.yaml': pipeline({ Start: startThen('Run'), Run: { type, parameters: { script } } }),
    });
    expect(state.status).toBe('SUCCESS');
  });

  test('update-scalar sets variables for what comes after it', async () => {
    const files = (value: string, start = 'old') => ({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Set'),
          Set: {
            type: 'update-scalar',
            parameters: { scalarsToUpdate: [['day', value]] },
            transitions: { success: ['Print'] },
          },
          Print: { type: 'print-variables', parameters: { variablesToPrint: [['day']] } },
        },
        { day: variable('TEXT', start), year: variable('NUMBER', '2030') },
      ),
    });
    expect(await printed(files('1 May ${year}'))).toBe('day=1 May 2030');
    expect(await printed(files('${year + 1}'))).toBe('day=2031');
    expect(await printed(files('${year.unknownMethod()}'))).toBe('day=old');
  });

  test('update-scalar sees in each row what the rows before it have set', async () => {
    const files = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Set'),
          Set: {
            type: 'update-scalar',
            parameters: {
              scalarsToUpdate: [
                ['a', '${b}1'],
                ['b', "${a.padStart(3, '-')}"],
              ],
            },
            postProcessing: { updateScalarVariables: [['a', 'then ${b}']], updateOutputMessage: 'b is ${b}' },
            transitions: { success: ['Print'] },
          },
          Print: {
            type: 'print-variables',
            parameters: { variablesToPrint: [['a'], ['b']], includeVariableName: 'No', prefixText: '> ' },
          },
        },
        { a: variable('TEXT', 'a'), b: variable('TEXT', 'b') },
      ),
    };
    const state = await execute(files);
    expect(stepsOf(state, 'Set')[0]?.message).toBe('b is -b1');
    expect(stepsOf(state, 'Print')[0]?.message).toBe('> then -b1, -b1');
  });

  test('texts see the project, the environment and the execution', async () => {
    const text = '${sysvar.project.id} ${sysvar.environment.name} ${sysvar.rootPipeline.executionId}';
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Print'),
        Print: { type: 'print-variables', parameters: { variablesToPrint: [], prefixText: text } },
      }),
    };
    expect(await printed(files, { projectId: 'p-1' })).toBe('p-1 test execution-1');
    const other = text.replace('project.id', 'project.name');
    const unknown = { 'main.orch.yaml': files['main.orch.yaml'].replace(text, other) };
    expect(await printed(unknown)).toContain('there is no "name"; there is id');
  });

  test('nothing happens after a component that was simulated', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: {
          type: 's3-load',
          postProcessing: { updateOutputMessage: '${sysvar.thisComponent.rowCount} rows' },
        },
      }),
    };
    expect(stepsOf(await execute(files), 'Load')[0]?.message).toBe('Simulated.');
  });

  test('append-to-grid refuses another operation', async () => {
    const files = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Add'),
          Add: {
            type: 'append-to-grid',
            parameters: { operation: 'Replace', targetGridVariable: 'g', valuesGrid: [] },
          },
        },
        { g: variable('GRID', []) },
      ),
    };
    expect((await execute(files)).message).toContain(
      'append-to-grid with the operation "Replace"; use Append',
    );
  });

  test('a SHARED project variable that a called pipeline sets is seen by the caller, a COPIED one is not', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Call'),
        Call: {
          type: 'run-orchestration',
          parameters: { orchestrationJob: 'child' },
          transitions: { success: ['Print'] },
        },
        Print: { type: 'print-variables', parameters: { variablesToPrint: [['day']] } },
      }),
      'child.orch.yaml': pipeline({
        Start: startThen('Set'),
        Set: { type: 'update-scalar', parameters: { scalarsToUpdate: [['day', 'new']] } },
      }),
    };
    expect(await printed(files, { project })).toBe('day=new');
    const copied = { day: { ...project.day, behaviour: 'COPIED' } };
    expect(await printed(files, { project: copied })).toBe('day=of project');
  });

  test('what a query finds comes from the script', async () => {
    const files = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Count'),
          Count: { type: 'query-to-scalar', transitions: { success: ['Print'] } },
          Print: { type: 'print-variables', parameters: { variablesToPrint: [['count']] } },
        },
        { count: variable('NUMBER', '0') },
      ),
    };
    const script = [{ pipeline: 'main', component: 'Count', variables: { count: '17' } }];
    expect(await printed(files, { script })).toBe('count=17');
  });

  test('a value that is given to a called pipeline is not everybody’s', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Call'),
        Call: {
          type: 'run-orchestration',
          parameters: { orchestrationJob: 'child', setScalarVariables: [['day', 'for the child']] },
          transitions: { success: ['Print'] },
        },
        Print: { type: 'print-variables', parameters: { variablesToPrint: [['day']] } },
      }),
      'child.orch.yaml': pipeline({
        Start: startThen('Inner'),
        Inner: { type: 'print-variables', parameters: { variablesToPrint: [['day']] } },
      }),
    };
    const state = await execute(files, { project });
    expect(stepsOf(state, 'Inner')[0]?.message).toBe('day=for the child');
    expect(stepsOf(state, 'Print')[0]?.message).toBe('day=of project');
  });

  test('a value that a variable cannot have is refused and leaves it as it was', async () => {
    const files = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Set'),
          Set: {
            type: 'update-scalar',
            parameters: { scalarsToUpdate: [['count', 'many']] },
            transitions: { failure: ['Print'] },
          },
          Print: { type: 'print-variables', parameters: { variablesToPrint: [['count']] } },
        },
        { count: variable('NUMBER', '3') },
      ),
    };
    const state = await execute(files);
    expect(stepsOf(state, 'Set')[0]?.message).toBe('the variable "count" is a number and cannot be "many"');
    expect(stepsOf(state, 'Print')[0]?.message).toBe('count=3');
  });
});
