import { describe, expect, test } from 'vitest';
import { execute, pipeline, startThen, stepsOf, trail, variable } from './execute.ts';

const print = { type: 'print-variables', parameters: { variablesToPrint: [['state'], ['sales']] } };
const work = { type: 'sql-executor', parameters: { sqlScript: 'select ${state}' } };
const variables = {
  state: variable('TEXT', 'none', { scope: 'COPIED' }),
  sales: variable('NUMBER', '0', { scope: 'COPIED' }),
  rows: {
    metadata: { type: 'GRID', scope: 'SHARED', columns: ['amount', 'name'] },
    defaultValue: [
      ['7', 'CO'],
      ['8', 'FL'],
    ],
  },
};

function iterating(
  type: string,
  parameters: Readonly<Record<string, unknown>>,
  target: Parameters<typeof pipeline>[0][string] = print,
  transitions: Readonly<Record<string, readonly string[]>> = {},
) {
  return {
    'main.orch.yaml': pipeline(
      {
        Start: startThen('Each'),
        Each: { type, parameters, iterationTarget: 'Target', transitions },
        Target: target,
        After: print,
      },
      variables,
    ),
  };
}

const fixed = {
  variablesToIterate: ['state', 'sales'],
  iterationValues: [
    ['CO', '1'],
    ['FL', '2'],
    ['OR', '3'],
  ],
};

describe('iterators', () => {
  test.each([
    ['fixed-iterator', fixed, ['state=CO, sales=1', 'state=FL, sales=2', 'state=OR, sales=3']],
    [
      'loop-iterator',
      { variableToIterate: 'sales', startingValue: '1', endValue: '5', incrementValue: '2' },
      ['state=none, sales=1', 'state=none, sales=3', 'state=none, sales=5'],
    ],
    [
      'loop-iterator',
      { variableToIterate: 'sales', startingValue: '3', endValue: '2', incrementValue: '-1' },
      ['state=none, sales=3', 'state=none, sales=2'],
    ],
    [
      'loop-iterator',
      { variableToIterate: 'sales', startingValue: '0.1', endValue: '0.3', incrementValue: '0.1' },
      ['state=none, sales=0.1', 'state=none, sales=0.2', 'state=none, sales=0.3'],
    ],
    [
      'loop-iterator',
      { variableToIterate: 'sales', startingValue: '9007199254740992', endValue: '9007199254740993' },
      ['state=none, sales=9007199254740992', 'state=none, sales=9007199254740993'],
    ],
    ['loop-iterator', { variableToIterate: 'sales', startingValue: '3', endValue: '2' }, []],
    [
      'grid-iterator',
      {
        gridVariable: 'rows',
        gridIteratorVariableMapping: [
          ['name', 'state'],
          ['amount', 'sales'],
        ],
      },
      ['state=CO, sales=7', 'state=FL, sales=8'],
    ],
    ['table-iterator', { columnMapping: [['STATE', 'state']] }, ['state=none, sales=0']],
    ['file-iterator', { variables: [['state', 'Filename']] }, ['state=none, sales=0']],
  ])(
    'a %s with %j runs its target once for each row, with the values set',
    async (type, parameters, printed) => {
      const state = await execute(iterating(type, parameters));
      expect(state.status).toBe('SUCCESS');
      expect(stepsOf(state, 'Target').map(({ message }) => message)).toEqual(printed);
    },
  );

  test('rows of a table come from the script where it has some', async () => {
    const state = await execute(iterating('table-iterator', { columnMapping: [['STATE', 'state']] }), {
      script: [{ pipeline: 'main', component: 'Each', rows: [['CO'], ['FL']] }],
    });
    expect(stepsOf(state, 'Target').map(({ iteration }) => iteration)).toEqual([
      { iterator: 'Each', index: 1, variables: { state: 'CO' } },
      { iterator: 'Each', index: 2, variables: { state: 'FL' } },
    ]);
  });

  test('rounds run one after the other, or all at once where the iterator is concurrent', async () => {
    const sequential = await execute(
      iterating('fixed-iterator', { ...fixed, concurrency: 'Sequential' }, work),
    );
    expect(sequential.finishedAt).toBe('2031-01-01T12:00:03.000Z');
    const concurrent = await execute(
      iterating('fixed-iterator', { ...fixed, concurrency: 'Concurrent' }, work),
    );
    expect(concurrent.finishedAt).toBe('2031-01-01T12:00:01.000Z');
    expect(stepsOf(concurrent, 'Target').map(({ iteration }) => iteration?.variables['state'])).toEqual([
      'CO',
      'FL',
      'OR',
    ]);
  });

  test('a COPIED variable has its own value again after the iterator, a SHARED one keeps the last', async () => {
    const files = (scope: string) => ({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each'),
          Each: {
            type: 'fixed-iterator',
            parameters: { variablesToIterate: ['state'], iterationValues: [['CO'], ['FL']] },
            iterationTarget: 'Target',
            transitions: { success: ['After'] },
          },
          Target: { type: 'sql-executor' },
          After: { type: 'print-variables', parameters: { variablesToPrint: [['state']] } },
        },
        { state: variable('TEXT', 'none', { scope }) },
      ),
    });
    expect(stepsOf(await execute(files('COPIED')), 'After')[0]?.message).toBe('state=none');
    expect(stepsOf(await execute(files('SHARED')), 'After')[0]?.message).toBe('state=FL');
  });

  test('a pipeline that is called in each round gets that round’s value', async () => {
    const files = {
      ...iterating('fixed-iterator', fixed, {
        type: 'run-orchestration',
        parameters: { orchestrationJob: 'child', setScalarVariables: [['where', '${state}']] },
      }),
      'child.orch.yaml': pipeline(
        {
          Start: startThen('Print'),
          Print: { type: 'print-variables', parameters: { variablesToPrint: [['where']] } },
        },
        { where: variable('TEXT', '') },
      ),
    };
    const state = await execute(files);
    expect(stepsOf(state, 'Print').map(({ message }) => message)).toEqual([
      'where=CO',
      'where=FL',
      'where=OR',
    ]);
    expect(stepsOf(state, 'Print')[1]?.iteration?.index).toBe(2);
  });

  test('rows that were appended to a grid are iterated too', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Append'),
          Append: {
            type: 'append-to-grid',
            parameters: { operation: 'Append', targetGridVariable: 'rows', valuesGrid: [['9', 'OR']] },
            transitions: { success: ['Each'] },
          },
          Each: {
            type: 'grid-iterator',
            parameters: { gridVariable: 'rows', gridIteratorVariableMapping: [['name', 'state']] },
            iterationTarget: 'Target',
          },
          Target: print,
        },
        variables,
      ),
    });
    expect(stepsOf(state, 'Target').at(-1)?.message).toBe('state=OR, sales=0');
  });

  test('a grid that is given at the start takes the place of the default', async () => {
    const parameters = { gridVariable: 'rows', gridIteratorVariableMapping: [['name', 'state']] };
    const state = await execute(iterating('grid-iterator', parameters), {
      gridVariables: { rows: [['1', 'TX']] },
    });
    expect(stepsOf(state, 'Target').map(({ message }) => message)).toEqual(['state=TX, sales=0']);
  });

  test('a failed round fails the iterator after all rounds were tried, naming target and values', async () => {
    const state = await execute(iterating('fixed-iterator', fixed, work), {
      script: [{ pipeline: 'main', component: 'Target', outcome: 'failure', message: 'locked', times: 1 }],
    });
    expect(state.status).toBe('FAILED');
    expect(stepsOf(state, 'Target').map(({ status }) => status)).toEqual(['FAILED', 'SUCCESS', 'SUCCESS']);
    expect(state.message).toContain(
      'Component "Target" of pipeline "main.orch.yaml" failed: locked, in iteration 1 of 3 (state=CO, sales=1).',
    );
  });

  test('with breakOnFailure the rounds after the failed one do not run', async () => {
    const parameters = { ...fixed, breakOnFailure: 'Yes' };
    const state = await execute(iterating('fixed-iterator', parameters, work, { failure: ['After'] }), {
      script: [{ pipeline: 'main', component: 'Target', outcome: 'failure', times: 1 }],
    });
    expect(trail(state)).toEqual(['Start', 'Each: FAILED', 'Target: FAILED', 'After']);
    expect(state.status).toBe('SUCCESS');
  });

  test('iterators nest', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Outer'),
          Outer: {
            type: 'fixed-iterator',
            parameters: { variablesToIterate: ['state'], iterationValues: [['CO'], ['FL']] },
            iterationTarget: 'Inner',
          },
          Inner: {
            type: 'loop-iterator',
            parameters: { variableToIterate: 'sales', startingValue: '1', endValue: '2' },
            iterationTarget: 'Target',
          },
          Target: print,
        },
        variables,
      ),
    });
    expect(stepsOf(state, 'Target').map(({ message }) => message)).toEqual([
      'state=CO, sales=1',
      'state=CO, sales=2',
      'state=FL, sales=1',
      'state=FL, sales=2',
    ]);
  });

  test('a skipped iterator repeats nothing and passes as success', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each'),
          Each: {
            type: 'fixed-iterator',
            parameters: fixed,
            iterationTarget: 'Target',
            skipped: true,
            transitions: { success: ['After'] },
          },
          Target: work,
          After: { type: 'end-success' },
        },
        variables,
      ),
    });
    expect(trail(state)).toEqual(['Start', 'Each: SKIPPED', 'After']);
  });

  test('a skipped target passes every round', async () => {
    const files = iterating('fixed-iterator', fixed, { ...work, skipped: true });
    expect(trail(await execute(files))).toEqual([
      'Start',
      'Each',
      ...Array<string>(3).fill('Target: SKIPPED'),
    ]);
  });

  test.each([
    [
      'fixed-iterator',
      { variablesToIterate: ['nobody'], iterationValues: [['1']] },
      '"nobody" is not defined',
    ],
    [
      'fixed-iterator',
      { variablesToIterate: ['sales'], iterationValues: [['x']] },
      'is a number and cannot be "x"',
    ],
    [
      'loop-iterator',
      { variableToIterate: 'sales', startingValue: '1' },
      'the loop needs startingValue and endValue',
    ],
    ['loop-iterator', { variableToIterate: 'sales', startingValue: 'a', endValue: '2' }, 'must be numbers'],
    [
      'loop-iterator',
      { variableToIterate: 'sales', startingValue: '1', endValue: '2', incrementValue: '0' },
      'incrementValue is 0, so the loop would not end',
    ],
    [
      'loop-iterator',
      { variableToIterate: 'sales', startingValue: '1', endValue: '999999999' },
      'more than 1000 iterations',
    ],
    ['grid-iterator', { gridVariable: 'lost', gridIteratorVariableMapping: [] }, '"lost" is not defined'],
    [
      'grid-iterator',
      { gridVariable: 'rows', gridIteratorVariableMapping: [['colour', 'state']] },
      'no column "colour"',
    ],
  ])('a %s with %j fails with a reason', async (type, parameters, reason) => {
    const state = await execute(iterating(type, parameters));
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain(reason);
    expect(state.message).toContain('"main.orch.yaml"');
  });

  test('an iterator that repeats itself ends FAILED by its depth', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each'),
          Each: {
            type: 'fixed-iterator',
            parameters: { variablesToIterate: ['state'], iterationValues: [['CO']] },
            iterationTarget: 'Each',
          },
        },
        variables,
      ),
    });
    expect(state.message).toContain(
      'Iterators and pipelines are nested more than 30 levels deep at "Each", which is the limit of the engine.',
    );
  });

  test('a retry runs its target again until it succeeds', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Again'),
        Again: {
          type: 'retry',
          parameters: { numberOfRetries: '2' },
          iterationTarget: 'Load',
          transitions: {},
        },
        Load: { type: 'sql-executor' },
      }),
    };
    const failing = (times: number) => ({
      script: [{ pipeline: 'main', component: 'Load', outcome: 'failure' as const, message: 'busy', times }],
    });
    const twice = await execute(files, failing(2));
    expect(twice.status).toBe('SUCCESS');
    expect(trail(twice)).toEqual(['Start', 'Again', 'Load: FAILED', 'Load: FAILED', 'Load']);
    const always = await execute(files, failing(3));
    expect(always.status).toBe('FAILED');
    expect(always.message).toContain('"Load" failed 3 times; the last error: busy');
  });

  test('a retry with no retries tries once, and a delay in seconds passes by the clock', async () => {
    const files = (numberOfRetries: string, retryDelay: string) => ({
      'main.orch.yaml': pipeline({
        Start: startThen('Again'),
        Again: { type: 'retry', parameters: { numberOfRetries, retryDelay }, iterationTarget: 'Load' },
        Load: { type: 'sql-executor' },
      }),
    });
    const script = [{ pipeline: 'main', component: 'Load', outcome: 'failure' as const, message: 'busy' }];
    const once = await execute(files('0', 'Retry immediately'), { script });
    expect(stepsOf(once, 'Load')).toHaveLength(1);
    expect(once.message).toContain('"Load" failed once; the last error: busy');
    const delayed = stepsOf(await execute(files('1', '30'), { script }), 'Load');
    expect(delayed.map(({ startedAt }) => startedAt.slice(11, 19))).toEqual(['12:00:00', '12:00:31']);
  });

  test('a fixed iterator takes its rounds from columns of a grid, and evaluates expressions', async () => {
    const files = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each'),
          Each: {
            type: 'fixed-iterator',
            iterationTarget: 'Print',
            parameters: {
              variablesToIterate: ['a', 'b'],
              iterationValues: { fromGrid: { variable: 'grid', columns: ['Second', 'first'] } },
            },
          },
          Print: { type: 'print-variables', parameters: { variablesToPrint: [['a'], ['b']] } },
        },
        {
          a: variable('TEXT', ''),
          b: variable('TEXT', ''),
          grid: variable(
            'GRID',
            [
              ['1', '2'],
              ['3', '4'],
            ],
            { columns: ['first', 'second'] },
          ),
        },
      ),
    };
    const messages = stepsOf(await execute(files), 'Print').map(({ message }) => message);
    expect(messages).toEqual(['a=2, b=1', 'a=4, b=3']);
  });

  test.each([
    ['no target passes', { numberOfRetries: '2' }, 'Nobody', 'SUCCESS', 'Simulated'],
    [
      'no number of retries fails',
      { numberOfRetries: 'often' },
      'Load',
      'FAILED',
      'expected a number of retries for numberOfRetries, found "often"',
    ],
    [
      'an unknown delay fails',
      { retryDelay: 'Exponential' },
      'Load',
      'FAILED',
      'the delay "Exponential" of a retry',
    ],
    [
      'itself as target ends by its depth',
      {},
      'Again',
      'FAILED',
      'nested more than 30 levels deep at "Again"',
    ],
  ])('a retry with %s', async (_, parameters, iterationTarget, status, message) => {
    const state = await execute({
      'main.orch.yaml': pipeline({
        Start: startThen('Again'),
        Again: { type: 'retry', parameters, iterationTarget },
        Load: { type: 'sql-executor' },
      }),
    });
    expect(state.status).toBe(status);
    expect(state.message).toContain(message);
  });

  test('an iterator without a target fails', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline(
        { Start: startThen('Each'), Each: { type: 'fixed-iterator', parameters: fixed } },
        variables,
      ),
    });
    expect(state.message).toContain(
      'Component "Each" of pipeline "main.orch.yaml" failed: the component has nothing to repeat: set `iterationTarget` to a component of this pipeline.',
    );
  });
});
