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
  summary: 'Sets variables to values of the first row of a query. It fails if the query returns no rows.',
  parameters: {
    ...tableParameters,
    ...queryParameters,
    table: { form: 'text', meaning: 'for `Basic`: the name of the table or view' },
    tableColumns: { form: 'names', meaning: 'for `Basic`: the columns to read' },
    filterConditions: {
      form: 'conditions',
      meaning: 'for `Basic`, in each row: column, `Is` or `Not`, comparator and value',
    },
    combineCondition: {
      form: 'choice',
      meaning: 'for `Basic`: whether all conditions must be true (And) or at least one (Or)',
      choices: ['And', 'Or'],
    },
    ...sortParameters,
    limit: { form: 'number', meaning: 'for `Basic`: the maximum number of rows' },
    scalarVariableMapping: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: a variable, and the column whose value it gets',
    },
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
  if (isCut) task.notice('the query returned more than one row, so the first row was used');
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
