import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { checkParameters } from '../../components/check-parameters.ts';
import { tableParameters } from '../../components/table-parameters.ts';
import { readText } from '../../parameters/parameter-reader.ts';
import {
  advancedQuery,
  basicQuery,
  queryParameters,
  readRowsOf,
  resultColumn,
  sortParameters,
} from '../task/table-query.ts';
import { mappedVariables, refuseNoMapping } from '../task/set-variable.ts';
import type { Task, TaskType } from '../task/task.ts';
import { valueText } from '../task/value-text.ts';

export const tableIteratorParameters: TaskType['parameters'] = {
  ...tableParameters,
  ...queryParameters,
  columnMapping1: { form: 'rows', cells: 2, meaning: 'Advanced: rows of column and variable' },
  targetTable: { form: 'text', meaning: 'Basic: the table or view' },
  columnMapping: { form: 'rows', cells: 2, meaning: 'Basic: rows of column and variable' },
  ...sortParameters,
  concurrency: {
    form: 'choice',
    meaning: 'whether the rounds run at once; one after the other if not set',
    choices: ['Concurrent', 'Sequential'],
  },
  breakOnFailure: { form: 'yes-no', meaning: 'whether the first failed round ends the iterator' },
  stopOnCondition: { form: 'choice', meaning: 'only `No` is known', choices: ['No'] },
  recordValuesInTaskHistory: { form: 'yes-no', meaning: 'what the history shows', isIgnored: true },
};

/**
 * The iterations of a table iterator, one for each row of the table: texts by the names of variables. Gives at most
 * one more than `maxRows`.
 */
export async function readTableRounds(task: Task): Promise<readonly Readonly<Record<string, string>>[]> {
  const { parameters, reader, maxRows } = task;
  checkParameters(task, { parameters: tableIteratorParameters });
  const mode = readText(childOf(parameters, 'mode'), reader)?.text.trim().toLowerCase() ?? 'advanced';
  const key = mode === 'basic' ? 'columnMapping' : 'columnMapping1';
  const pairs = mappedVariables(task, key, 1);
  const query =
    mode === 'basic'
      ? basicQuery(task, { table: 'targetTable', columns: pairs.map(({ column }) => column), key })
      : advancedQuery(task);
  const mapping = pairs.map(({ column, variable }) => ({
    name: variable.text,
    index: resultColumn(query, column),
  }));
  const { rows } = await readRowsOf(query, task, maxRows + 1);
  refuseNoMapping(mapping, key, task);
  return rows.map((row) =>
    Object.fromEntries(
      mapping.map(({ name, index }) => {
        const column = query.columns[index];
        return [name, column === undefined ? '' : valueText(row[index] ?? null, column.type)];
      }),
    ),
  );
}
