import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, pipeline, startThen, variable } from './execute.ts';
import { openTestWarehouse } from './on-warehouse.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

const variables = {
  day: variable('TEXT', 'x'),
  rows: {
    metadata: { type: 'GRID', scope: 'SHARED', columns: ['amount'] },
    defaultValue: [['7']],
  },
};
const child = pipeline({ Start: startThen() }, variables);
const print = { type: 'print-variables', parameters: { variablesToPrint: [['day']] } };

function files(type: string, parameters: Readonly<Record<string, unknown>>) {
  const isRepeating = type.endsWith('-iterator') || type === 'retry';
  const given = { type, parameters, ...(isRepeating ? { iterationTarget: 'Print' } : {}) };
  return {
    'main.orch.yaml': pipeline({ Start: startThen('Given'), Given: given, Print: print }, variables),
    'child.orch.yaml': child,
  };
}

const right: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['if', { mode: 'Simple', condition: [['day', 'Is', 'Equal to', 'x']], combineConditions: 'And' }],
  ['if', { mode: 'Advanced', condition1: 'day == "x"' }],
  ['retry', { numberOfRetries: '1', retryDelay: 'Retry immediately' }],
  ['fixed-iterator', { variablesToIterate: ['day'], iterationValues: [['a']], concurrency: 'Sequential' }],
  ['loop-iterator', { variableToIterate: 'day', startingValue: '1', endValue: '2', breakOnFailure: 'No' }],
  [
    'grid-iterator',
    { gridVariable: 'rows', gridIteratorVariableMapping: [['amount', 'day']], stopOnCondition: 'No' },
  ],
  [
    'run-orchestration',
    { orchestrationJob: 'child', setScalarVariables: [['day', 'y']], setGridVariables: null },
  ],
  ['update-scalar', { scalarsToUpdate: [['day', 'y']] }],
  ['append-to-grid', { operation: 'Append', targetGridVariable: 'rows', valuesGrid: [['1']] }],
  [
    'remove-from-grid',
    { operation: 'In', targetGridVariable: 'rows', keyColumns: ['amount'], valuesGrid: [['1']] },
  ],
  ['print-variables', { variablesToPrint: [['day']], prefixText: 'p', includeVariableName: 'Yes' }],
  ['and', {}],
];

test.each(right)('%s runs with its parameters %j, and refuses another one', async (type, parameters) => {
  const run = (more: object) =>
    opened.schema().run(files(type, { componentName: 'Given', ...parameters, ...more }));
  expect((await run({ other: null })).state.status).toBe('SUCCESS');
  const { state } = await run({ other: 'x' });
  expect(state.message).toContain('Millrace does not support the parameter other');
});

test.each([
  [
    'run-orchestration',
    { orchestrationJob: 'child', setScalarVariable: [['day', 'y']] },
    'setScalarVariables',
  ],
  ['if', { condition: [['day', 'Is', 'Equal to', 'x']], combineCondition: 'Or' }, 'combineConditions'],
  ['fixed-iterator', { variablesToIterate: ['day'], iterationValue: [['a']] }, 'iterationValues'],
  ['update-scalar', { scalarToUpdate: [['day', 'y']] }, 'scalarsToUpdate'],
])('%s asks about a misspelt parameter', async (type, parameters, meant) => {
  const { state } = await opened.schema().run(files(type, parameters));
  expect(state.message).toContain(`did you mean "${meant}"?`);
});

test('an iterator refuses to stop on a condition', async () => {
  const parameters = { variablesToIterate: ['day'], iterationValues: [['a']], stopOnCondition: 'Yes' };
  const { state } = await opened.schema().run(files('fixed-iterator', parameters));
  expect(state.message).toContain('Millrace does not support stopOnCondition: Yes; use No');
});

test('a simulated execution takes any parameter', async () => {
  const state = await execute(files('run-orchestration', { orchestrationJob: 'child', other: 'x' }));
  expect(state.status).toBe('SUCCESS');
});

test.each([
  ['day', 'a row with 1 value'],
  [['day', 'y'], 'a row with 1 value'],
  [[['day']], 'a row with 1 value'],
  [[['day', 'y', 'z']], 'a row of setScalarVariables can have at most 2 values, but this row has 3'],
  [
    [
      ['day', 'y'],
      ['day', 'z'],
    ],
    'names the variable "day" twice',
  ],
])('setScalarVariables: %j is an error', async (setScalarVariables, message) => {
  const { state } = await opened
    .schema()
    .run(files('run-orchestration', { orchestrationJob: 'child', setScalarVariables }));
  expect(state.message).toContain(message);
});

const once = { variablesToIterate: ['day'], iterationValues: [['a']] };
const grid = { gridVariable: 'rows', gridIteratorVariableMapping: [['amount', 'day']] };

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['if', { condition: [['day', 'Is', 'Equal to', 'x']], combineConditions: 'Orr' }, 'combineConditions: Orr'],
  [
    'if',
    { condition: [['day', 'Is', 'Equal to', 'x', 'y']] },
    'a row of condition can have at most 4 values',
  ],
  ['fixed-iterator', { ...once, concurrency: 'Concurent' }, 'concurrency: Concurent'],
  ['fixed-iterator', { ...once, concurrency: 'Concurrent', breakOnFailure: 'Maybe' }, 'expected Yes or No'],
  ['fixed-iterator', { ...once, iterationValues: [['a', 'b']] }, 'a row of iterationValues has 2 values'],
  ['fixed-iterator', { ...once, variablesToIterate: ['day', 'day'], iterationValues: [['a', 'b']] }, 'twice'],
  ['grid-iterator', { ...grid, gridIteratorVariableMapping: [['amount', 'day', 'x']] }, 'at most 2 values'],
  ['grid-iterator', { ...grid, gridIteratorVariableMapping: [['amount', '']] }, 'the variable "" is not'],
  [
    'grid-iterator',
    {
      ...grid,
      gridIteratorVariableMapping: [
        ['amount', 'day'],
        ['amount', 'day'],
      ],
    },
    'the variable "day" is set twice',
  ],
  ['update-scalar', { scalarsToUpdate: [['day']] }, 'a row with 1 value'],
  ['append-to-grid', { targetGridVariable: 'rows', valuesGrid: [['1', '2']] }, 'a row with 2 cells'],
  [
    'append-to-grid',
    {
      targetGridVariable: 'rows',
      valuesGrid: { fromGrid: { variable: 'rows', columns: ['amount'], rows: 2 } },
    },
    'the key rows in fromGrid',
  ],
  [
    'remove-from-grid',
    { targetGridVariable: 'rows', keyColumns: ['amount'], valuesGrid: [['7', 'x']] },
    'a row of valuesGrid has 2 values, but keyColumns has 1 column',
  ],
  [
    'loop-iterator',
    { variableToIterate: 'day', startingValue: '1', startValue: '2', endValue: '3' },
    'mean the same',
  ],
  [
    'run-orchestration',
    {
      orchestrationJob: 'child',
      setGridVariables: [{ variable: 'rows', status: 'values', gridValue: [['1']] }],
    },
    'the key gridValue in a grid of setGridVariables; did you mean "gridValues"?',
  ],
  [
    'run-orchestration',
    { orchestrationJob: 'child', setGridVariables: [{ variable: 'rows', status: 'values' }] },
    'has no `gridValues`',
  ],
  [
    'run-orchestration',
    {
      orchestrationJob: 'child',
      setGridVariables: [{ variable: 'rows', status: 'values', gridValues: [['1', '2']] }],
    },
    'a row with 2 cells is not possible',
  ],
])('%s with %j, whose values would be lost, is an error', async (type, parameters, message) => {
  const { state } = await opened.schema().run(files(type, parameters));
  expect(state.message).toContain(message);
});

test('a value that the column of a grid cannot have is an error, also where it is appended', async () => {
  const columns = { amount: { columnType: 'NUMBER' } };
  const typed = { rows: { metadata: { type: 'GRID', columns }, defaultValue: [['7']] } };
  const parameters = { targetGridVariable: 'rows', valuesGrid: [['seven']] };
  const given = { type: 'append-to-grid', parameters };
  const main = pipeline({ Start: startThen('Given'), Given: given }, typed);
  const { state } = await opened.schema().run({ 'main.orch.yaml': main });
  expect(state.message).toContain('the column "amount" is a number and cannot be "seven"');
});

test.each([
  [{ updateScalarVariable: [['day', 'y']] }, 'the key updateScalarVariable in postProcessing'],
  [{ updateScalarVariables: [['day']] }, 'a row with 1 value'],
  [{ updateScalarVariables: [['day', 'y', 'z']] }, 'a row with 3 values'],
])('postProcessing: %j is an error', async (postProcessing, message) => {
  const given = { type: 'and', postProcessing };
  const main = pipeline({ Start: startThen('Given'), Given: given }, variables);
  const { state } = await opened.schema().run({ 'main.orch.yaml': main });
  expect(state.message).toContain(message);
});

test('a retry that has nothing to repeat fails, as an iterator does', async () => {
  const main = pipeline({ Start: startThen('R'), R: { type: 'retry', parameters: {} } }, {});
  const { state } = await opened.schema().run({ 'main.orch.yaml': main });
  expect(state.message).toContain('the component has nothing to repeat');
});
