import type { Parameter } from '../../components/component-type.ts';

type Parameters = Readonly<Record<string, Parameter>>;

const text = (meaning: string): Parameter => ({ form: 'text', meaning });
const rows = (meaning: string): Parameter => ({ form: 'rows', meaning });
const pairs = (meaning: string): Parameter => ({ form: 'rows', cells: 2, meaning });

const passed: Parameters = {
  setScalarVariables: pairs('in each row: a variable of the called pipeline, and its value'),
  setGridVariables: {
    form: 'tree',
    meaning:
      'the grid variables of the called pipeline to set; each has `variable`, `status` and `gridValues`',
  },
};

const rounds: Parameters = {
  concurrency: {
    form: 'choice',
    meaning: 'whether the iterations run at the same time; by default, they run one after another',
    choices: ['Concurrent', 'Sequential'],
  },
  breakOnFailure: { form: 'yes-no', meaning: 'whether the first failed iteration ends the iterator' },
  stopOnCondition: { form: 'choice', meaning: 'only `No` is supported', choices: ['No'] },
  recordValuesInTaskHistory: { form: 'yes-no', meaning: 'which steps the history shows', isIgnored: true },
};

const ofGrid: Parameters = {
  targetGridVariable: text('the grid variable'),
  valuesGrid: rows('the rows: a list, or the rows of a grid variable'),
};

/**
 * The parameters of the components that control the flow of an orchestration. The parameters of table iterators are
 * in `tableIteratorParameters`. A file iterator needs a mock, and its parameters are not read.
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
        meaning:
          '`Simple` evaluates the rows of `condition`, and `Advanced` the expression in `condition1`; `Simple` if not set',
        choices: ['Simple', 'Advanced'],
      },
      condition: {
        form: 'conditions',
        meaning: 'for `Simple`, in each row: variable, `Is` or `Not`, comparator and value',
      },
      combineConditions: {
        form: 'choice',
        meaning: 'for `Simple`: whether all conditions must be true (And) or at least one (Or)',
        choices: ['And', 'Or'],
      },
      condition1: text('for `Advanced`: an expression'),
    },
  ],
  [
    'retry',
    {
      numberOfRetries: { form: 'number', meaning: 'the maximum number of retries' },
      retryDelay: text('`Retry immediately`, or the number of seconds to wait before a retry'),
    },
  ],
  [
    'fixed-iterator',
    {
      variablesToIterate: { form: 'names', meaning: 'the variables that each iteration sets' },
      iterationValues: rows('in each row: the values for one iteration'),
      ...rounds,
    },
  ],
  [
    'loop-iterator',
    {
      variableToIterate: text('the variable that each iteration sets'),
      startingValue: { form: 'number', meaning: 'the first value; may also be written as `startValue`' },
      startValue: { form: 'number', meaning: 'another name of `startingValue`' },
      endValue: { form: 'number', meaning: 'the last value; may also be written as `endingValue`' },
      endingValue: { form: 'number', meaning: 'another name of `endValue`' },
      incrementValue: {
        form: 'number',
        meaning:
          'the difference between two values that follow each other; may also be written as `increment`',
      },
      increment: { form: 'number', meaning: 'another name of `incrementValue`' },
      ...rounds,
    },
  ],
  [
    'grid-iterator',
    {
      gridVariable: text('the grid variable; there is one iteration for each of its rows'),
      gridIteratorVariableMapping: pairs('in each row: a column of the grid, and the variable that it sets'),
      ...rounds,
    },
  ],
  ['run-orchestration', { orchestrationJob: text('the pipeline'), ...passed }],
  ['run-transformation', { transformationJob: text('the pipeline'), ...passed }],
  [
    'run-shared-pipeline',
    {
      pipelineName: text('`prefix#id`'),
      version: text('the version to run, or `[Latest]` for the newest version'),
      ...passed,
    },
  ],
  ['update-scalar', { scalarsToUpdate: pairs('in each row: a variable, and its new value') }],
  [
    'append-to-grid',
    {
      operation: { form: 'choice', meaning: 'how the rows are added or removed', choices: ['Append'] },
      ...ofGrid,
    },
  ],
  [
    'remove-from-grid',
    {
      operation: {
        form: 'choice',
        meaning: '`In` removes the listed rows, `Not In` removes all other rows',
        choices: ['In', 'Not In'],
      },
      ...ofGrid,
      keyColumns: { form: 'names', meaning: 'the columns that identify a row' },
    },
  ],
  [
    'print-variables',
    {
      variablesToPrint: { form: 'rows', cells: 1, meaning: 'the variables to print' },
      prefixText: text('a text that is printed before the variables'),
      includeVariableName: { form: 'yes-no', meaning: 'whether the names of the variables are printed too' },
    },
  ],
]);
