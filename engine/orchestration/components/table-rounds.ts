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
  columnMapping1: {
    form: 'rows',
    cells: 2,
    meaning: 'for `Advanced`, in each row: a column, and the variable that it sets',
  },
  targetTable: { form: 'text', meaning: 'for `Basic`: the name of the table or view' },
  columnMapping: {
    form: 'rows',
    cells: 2,
    meaning: 'for `Basic`, in each row: a column, and the variable that it sets',
  },
  ...sortParameters,
  concurrency: {
    form: 'choice',
    meaning: 'whether the iterations run at the same time; by default, they run one after another',
    choices: ['Concurrent', 'Sequential'],
  },
  breakOnFailure: { form: 'yes-no', meaning: 'whether the first failed iteration ends the iterator' },
  stopOnCondition: { form: 'choice', meaning: 'only `No` is supported', choices: ['No'] },
  recordValuesInTaskHistory: { form: 'yes-no', meaning: 'which steps the history shows', isIgnored: true },
};

/**
 * Reads the iterations of a table iterator: one for each row of the table, with the values as texts by the names of
 * variables. Returns at most one iteration more than `maxRows`.
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
