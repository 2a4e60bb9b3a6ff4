import type { Parameter } from '../../components/component-type.ts';

type Parameters = Readonly<Record<string, Parameter>>;

const text = (meaning: string): Parameter => ({ form: 'text', meaning });
const rows = (meaning: string): Parameter => ({ form: 'rows', meaning });
const pairs = (meaning: string): Parameter => ({ form: 'rows', cells: 2, meaning });

const passed: Parameters = {
  setScalarVariables: pairs('rows of a variable of the called pipeline and its value'),
  setGridVariables: {
    form: 'tree',
    meaning: 'grids of the called pipeline: `variable`, `status` and `gridValues`',
  },
};

const rounds: Parameters = {
  concurrency: {
    form: 'choice',
    meaning: 'whether the rounds run at once; one after the other if not set',
    choices: ['Concurrent', 'Sequential'],
  },
  breakOnFailure: { form: 'yes-no', meaning: 'whether the first failed round ends the iterator' },
  stopOnCondition: { form: 'choice', meaning: 'only `No` is known', choices: ['No'] },
  recordValuesInTaskHistory: { form: 'yes-no', meaning: 'what the history shows', isIgnored: true },
};

const ofGrid: Parameters = {
  targetGridVariable: text('the grid'),
  valuesGrid: rows('the rows, as written or from a grid'),
};

/**
 * The parameters of the components that control the flow. Table iterators have theirs in
 * `tableIteratorParameters`; a file iterator needs a mock, and its parameters are not read.
 */
export const flowParameters: ReadonlyMap<string, Parameters> = new Map<string, Parameters>([
  ['start', {}],
  ['and', {}],
  ['or', {}],
  ['end-success', {}],
  ['end-failure', {}],
  [
    'if',
    {
      mode: {
        form: 'choice',
        meaning: 'whether `condition` or `condition1` is evaluated; `Simple` if not set',
        choices: ['Simple', 'Advanced'],
      },
      condition: {
        form: 'conditions',
        meaning: 'Simple: rows of variable, `Is` or `Not`, comparator and value',
      },
      combineConditions: {
        form: 'choice',
        meaning: 'Simple: whether all conditions must hold or one of them',
        choices: ['And', 'Or'],
      },
      condition1: text('Advanced: an expression'),
    },
  ],
  [
    'retry',
    {
      numberOfRetries: { form: 'number', meaning: 'how often the component runs again' },
      retryDelay: text('`Retry immediately` or a number of seconds'),
    },
  ],
  [
    'fixed-iterator',
    {
      variablesToIterate: { form: 'names', meaning: 'the variables that each round sets' },
      iterationValues: rows('the values of each round'),
      ...rounds,
    },
  ],
  [
    'loop-iterator',
    {
      variableToIterate: text('the variable that each round sets'),
      startingValue: { form: 'number', meaning: 'the first value; also `startValue`' },
      startValue: { form: 'number', meaning: 'another name of `startingValue`' },
      endValue: { form: 'number', meaning: 'the last value; also `endingValue`' },
      endingValue: { form: 'number', meaning: 'another name of `endValue`' },
      incrementValue: { form: 'number', meaning: 'the distance of two values; also `increment`' },
      increment: { form: 'number', meaning: 'another name of `incrementValue`' },
      ...rounds,
    },
  ],
  [
    'grid-iterator',
    {
      gridVariable: text('the grid whose rows are the rounds'),
      gridIteratorVariableMapping: pairs('rows of a column of the grid and the variable that it sets'),
      ...rounds,
    },
  ],
  ['run-orchestration', { orchestrationJob: text('the pipeline'), ...passed }],
  ['run-transformation', { transformationJob: text('the pipeline'), ...passed }],
  [
    'run-shared-pipeline',
    { pipelineName: text('`prefix#id`'), version: text('`[Latest]`, or a version'), ...passed },
  ],
  ['update-scalar', { scalarsToUpdate: pairs('rows of a variable and its value') }],
  [
    'append-to-grid',
    { operation: { form: 'choice', meaning: 'what happens with the rows', choices: ['Append'] }, ...ofGrid },
  ],
  [
    'remove-from-grid',
    {
      operation: {
        form: 'choice',
        meaning: '`In` removes the listed rows, `Not In` keeps them only',
        choices: ['In', 'Not In'],
      },
      ...ofGrid,
      keyColumns: { form: 'names', meaning: 'the columns that are compared' },
    },
  ],
  [
    'print-variables',
    {
      variablesToPrint: { form: 'rows', cells: 1, meaning: 'the variables' },
      prefixText: text('the text before them'),
      includeVariableName: { form: 'yes-no', meaning: 'whether the names are printed too' },
    },
  ],
]);
