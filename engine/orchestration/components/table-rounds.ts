import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { checkParameters } from '../../components/check-parameters.ts';
import { tableParameters } from '../../components/table-parameters.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { readText } from '../../parameters/parameter-reader.ts';
import { readRows } from '../../parameters/read-rows.ts';
import {
  advancedQuery,
  basicQuery,
  queryParameters,
  readRowsOf,
  resultColumn,
  sortParameters,
} from '../task/table-query.ts';
import type { Task, TaskType } from '../task/task.ts';
import { valueText } from '../task/value-text.ts';

export const tableIteratorParameters: TaskType['parameters'] = {
  ...tableParameters,
  ...queryParameters,
  columnMapping1: { form: 'rows', meaning: 'Advanced: rows of column and variable' },
  targetTable: { form: 'text', meaning: 'Basic: the table or view' },
  columnMapping: { form: 'rows', meaning: 'Basic: rows of column and variable' },
  ...sortParameters,
  concurrency: { form: 'text', meaning: '`Concurrent` or `Sequential`' },
  breakOnFailure: { form: 'yes-no', meaning: 'whether the first failed round ends the iterator' },
  stopOnCondition: { form: 'choice', meaning: 'only `No` is known', choices: ['No'] },
  recordValuesInTaskHistory: { form: 'yes-no', meaning: 'what the history shows', isIgnored: true },
};

/** The rounds of a table iterator, one for each row: texts by the names of variables. At most `maxRows` and one more. */
export async function readTableRounds(task: Task): Promise<readonly Readonly<Record<string, string>>[]> {
  const { parameters, reader, maxRows, variables } = task;
  checkParameters(task, { parameters: tableIteratorParameters });
  const mode = readText(childOf(parameters, 'mode'), reader)?.text.trim().toLowerCase() ?? 'advanced';
  const key = mode === 'basic' ? 'columnMapping' : 'columnMapping1';
  const pairs = readRows(childOf(parameters, key), reader).map((row) => {
    const [column, variable] = row.cells;
    if (column === undefined || variable === undefined) {
      throw new ParameterError(`each row of ${key} needs two values: a column and a variable`, row.place);
    }
    if (variables.cell(variable.text) === undefined) {
      throw new ParameterError(`the variable "${variable.text}" is not defined`, variable.placeOf(0));
    }
    return { column, variable };
  });
  const query =
    mode === 'basic'
      ? basicQuery(task, { table: 'targetTable', columns: pairs.map(({ column }) => column), key })
      : advancedQuery(task);
  const mapping = pairs.map(({ column, variable }) => ({
    name: variable.text,
    index: resultColumn(query, column),
  }));
  const { rows } = await readRowsOf(query, task, maxRows + 1);
  return rows.map((row) =>
    Object.fromEntries(
      mapping.map(({ name, index }) => {
        const column = query.columns[index];
        return [name, column === undefined ? '' : valueText(row[index] ?? null, column.type)];
      }),
    ),
  );
}
