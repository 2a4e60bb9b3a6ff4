import { itemsOf, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import {
  aggregateWords,
  keptDuplicates,
  pivotWords,
  swappedMaster,
  swappedSide,
} from './changes-elsewhere.ts';
import {
  combination,
  comparators,
  filterConditions,
  ifConditions,
  mappedValues,
} from './condition-faults.ts';
import { expressionFaults } from './expression-faults.ts';
import { joinTypes } from './join-faults.ts';
import {
  type FindFaults,
  nextInCells,
  nextValue,
  otherAnswer,
  otherWord,
  otherWords,
  sqlInCells,
  sqlInText,
  swappedRows,
  withoutRow,
  zeroInCells,
} from './part-faults.ts';

/** What is changed in the parameters of a type of component, by the names of the parameters. */
type ParameterFaults = Readonly<Record<string, readonly FindFaults[]>>;

const direction = [
  otherWords('order', 1, {
    Ascending: ['Descending'],
    Asc: ['Desc'],
    Descending: ['Ascending'],
    Desc: ['Asc'],
    'Nulls First': ['Ascending'],
  }),
];
const partition = [withoutRow('left-out-partition')];
const ignoreNulls = [otherAnswer('null-handling')];
const mapping = [swappedRows('swapped-columns', 0), withoutRow('left-out-row', { min: 2 })];
const bounds = [
  otherWord('window', {
    'Unbounded Preceding': ['Current Row'],
    'Unbounded Following': ['Current Row'],
    'Current Row': ['Unbounded Preceding', 'Unbounded Following'],
  }),
];

/** Only the first and the last of many rows: a test that notices both has looked at the rows. */
const edgeRows = withoutRow('left-out-row', {
  min: 2,
  isLeftOut: (_, index, count) => index === 0 || index === count - 1,
});

const conditionsOfTable: ParameterFaults = {
  filterConditions,
  combineCondition: [combination('filterConditions')],
};

const query: ParameterFaults = {
  ...conditionsOfTable,
  query: [sqlInText],
  sort: [
    otherWord('order', {
      Ascending: ['Descending'],
      Asc: ['Desc'],
      Descending: ['Ascending'],
      Desc: ['Asc'],
    }),
  ],
  limit: [nextValue],
};

const variables: ParameterFaults = { setScalarVariables: [withoutRow('left-out-row')] };

/** A value that is set, and not the name of the variable. */
const setValue = [
  nextInCells(1, (row) => isConstant(itemsOf(row)[1])),
  withoutRow('left-out-row', { min: 2 }),
];

function isConstant(cell: YamlNode | undefined): boolean {
  return textOf(cell)?.includes('${') === false;
}

/**
 * For each type of component, the parts that are changed. The order of rows in a stored table is not changed,
 * because no query depends on it.
 */
export const componentFaults: Readonly<Record<string, ParameterFaults>> = {
  // Transformations
  filter: conditionsOfTable,
  'map-values': { valueMap: mappedValues, other: [nextValue] },
  join: { joins: [joinTypes], joinExpressions: [sqlInCells(0)] },
  unite: {
    method: [
      otherWord('set-operator', {
        'All Columns': ['Overlapping Columns'],
        'Overlapping Columns': ['All Columns'],
      }),
    ],
    removeDuplicates: [otherAnswer('distinct')],
    sources: [withoutRow('left-out-input', { min: 2 })],
  },
  'detect-changes': {
    masterTable: [swappedMaster],
    matchKeys: [withoutRow('left-out-key', { min: 2 })],
    compareColumns: [withoutRow('left-out-key')],
    outputColumnMapping: [swappedSide],
  },
  distinct: { columns: [keptDuplicates] },
  calculator: { calculations: [sqlInCells(0)] },
  rename: { columnMapping: [swappedRows('swapped-columns', 0)] },
  'convert-type': { conversions: [zeroInCells('decimals', 3)] },
  'split-field': { delimiter: [nextValue], outputColumns: [nextInCells(0)] },
  aggregate: { aggregations: [aggregateWords] },
  pivot: { aggregateFunction: [pivotWords] },
  'window-calculation': {
    partitionData: partition,
    orderingWithinPartitions: direction,
    functions: [
      otherWords('aggregate', 0, {
        Sum: ['Max'],
        Average: ['Sum'],
        Count: ['Sum'],
        Max: ['Min'],
        Maximum: ['Minimum'],
        Min: ['Max'],
        Minimum: ['Maximum'],
      }),
      swappedRows('swapped-columns', 1),
    ],
    lowerBound: bounds,
    upperBound: bounds,
  },
  rank: {
    partitionData: partition,
    orderingWithinPartitions: direction,
    functions: [
      otherWords('window', 0, { 'Row Number': ['Rank'], Rank: ['Dense Rank'], 'Dense Rank': ['Rank'] }),
    ],
  },
  'lead-lag': {
    partitionData: partition,
    orderingsWithinPartitions: direction,
    functions: [otherWords('window', 0, { Lead: ['Lag'], Lag: ['Lead'] }), nextInCells(2)],
    ignoreNulls,
  },
  'first-last': {
    orderingInPartitions: direction,
    firstLastColumns: [otherWords('window', 1, { First: ['Last'], Last: ['First'] })],
    ignoreNulls,
  },
  'generate-sequence': { startValue: [nextValue], incrementValue: [nextValue], endValue: [nextValue] },
  'fixed-flow': { values: [edgeRows] },
  sql: { query: [sqlInText] },
  'extract-nested-data-sf': { outerJoin: [otherAnswer('join-type')] },
  'flatten-variant': { columnFlattens: [otherWords('join-type', 3, { Yes: ['No'], No: ['Yes'] })] },
  'table-output': {
    outputMode: [otherWord('write-mode', { Append: ['Truncate'], Truncate: ['Append'] })],
    columnMapping: mapping,
  },
  'table-update': {
    joinExpression: [sqlInCells(0)],
    whenMatched: [
      sqlInCells(0),
      otherWords('write-mode', 1, { Update: ['Delete'], Delete: ['Update'] }),
      withoutRow('left-out-branch', { min: 2 }),
    ],
    updateMapping: mapping,
    includeNotMatched: [otherAnswer('write-mode')],
    insertMapping: mapping,
  },
  // Orchestrations
  if: {
    condition: ifConditions,
    combineConditions: [combination('condition')],
    condition1: [expressionFaults],
  },
  'sql-executor': { sqlScript: [sqlInText] },
  'sql-script': { sqlScript: [sqlInText] },
  'query-to-scalar': query,
  'query-to-grid': query,
  'table-iterator': query,
  'assert-table': {
    rowCountComparisonType: [otherWord('comparison', comparators)],
    rowCountValue: [nextValue],
  },
  'create-table': {
    createReplace: [
      otherWord('write-mode', { Replace: ['Create if not exists'], 'Create if not exists': ['Replace'] }),
    ],
  },
  'create-table-v2': {
    createMethod: [
      otherWord('write-mode', { Replace: ['Create if not exists'], 'Create if not exists': ['Replace'] }),
    ],
  },
  'fixed-iterator': { iterationValues: [edgeRows] },
  'loop-iterator': {
    startingValue: [nextValue],
    startValue: [nextValue],
    endValue: [nextValue],
    endingValue: [nextValue],
  },
  'run-orchestration': variables,
  'run-transformation': variables,
  'run-shared-pipeline': variables,
  'update-scalar': { scalarsToUpdate: setValue },
  'remove-from-grid': { operation: [otherWord('negation', { In: ['Not In'], 'Not In': ['In'] })] },
};
