import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { tableParameters } from '../../components/table-parameters.ts';
import { SqlError } from '../../core/refusal.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { readNames } from '../../parameters/read-rows.ts';
import { mappedVariables, refuseNoMapping, setScalar } from '../task/set-variable.ts';
import {
  advancedQuery,
  basicQuery,
  queryParameters,
  readRowsOf,
  resultColumn,
  sortParameters,
  type TaskQuery,
} from '../task/table-query.ts';
import type { Task, TaskResult, TaskType } from '../task/task.ts';
import { valueText } from '../task/value-text.ts';

export const queryToScalar: TaskType = {
  type: 'query-to-scalar',
  summary: 'Sets variables to values of the first row of a query. It fails if the query has no row.',
  parameters: {
    ...tableParameters,
    ...queryParameters,
    table: { form: 'text', meaning: 'Basic: the table or view' },
    tableColumns: { form: 'names', meaning: 'Basic: its columns' },
    filterConditions: {
      form: 'conditions',
      meaning: 'Basic: rows of column, `Is` or `Not`, comparator and value',
    },
    combineCondition: {
      form: 'choice',
      meaning: 'Basic: whether all conditions must hold or one of them',
      choices: ['And', 'Or'],
    },
    ...sortParameters,
    limit: { form: 'number', meaning: 'Basic: the largest number of rows' },
    scalarVariableMapping: { form: 'rows', cells: 2, meaning: 'rows of variable and column' },
  },
  run: queryScalars,
};

async function queryScalars(task: Task): Promise<TaskResult> {
  const { parameters, reader } = task;
  const query = readQuery(task);
  const mapping = mappedVariables(task, 'scalarVariableMapping', 0).map(({ variable, column }) => ({
    variable,
    index: resultColumn(query, column),
  }));
  const { rows, isCut } = await readRowsOf(query, task, 1);
  refuseNoMapping(mapping, 'scalarVariableMapping', task);
  const [first] = rows;
  if (first === undefined) {
    const message = 'the query returned no rows, so the variables of scalarVariableMapping have no value';
    throw new SqlError(message, { place: placeOfNode(parameters, reader) });
  }
  if (isCut) task.notice('the query returned more than one row, and the first one is used');
  const parts = mapping.map(({ variable, index }) => {
    const column = query.columns[index];
    const text = column === undefined ? '' : valueText(first[index] ?? null, column.type);
    setScalar(task, variable, text);
    return `${variable.text}=${text}`;
  });
  return { message: parts.join(', '), rowsRead: 1 };
}

function readQuery(task: Task): TaskQuery {
  const { parameters, reader } = task;
  const mode = readText(childOf(parameters, 'mode'), reader)?.text.trim().toLowerCase();
  if (mode !== 'basic') return advancedQuery(task);
  return basicQuery(task, {
    table: 'table',
    columns: readNames(childOf(parameters, 'tableColumns'), reader),
    key: 'tableColumns',
  });
}
