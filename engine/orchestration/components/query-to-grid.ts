import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { SqlError } from '../../core/refusal.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { findGridColumn, knownColumns, readRows } from '../../parameters/read-rows.ts';
import { gridVariable, setGrid } from '../task/set-variable.ts';
import { advancedQuery, readRowsOf, resultColumn } from '../task/table-query.ts';
import type { Task, TaskResult, TaskType } from '../task/task.ts';
import { valueText } from '../task/value-text.ts';

export const queryToGrid: TaskType = {
  type: 'query-to-grid',
  summary: 'Replaces the rows of a grid variable with the rows of a query.',
  parameters: {
    warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
    mode: { form: 'choice', meaning: 'only `Advanced` is supported', choices: ['Advanced'] },
    query: { form: 'text', meaning: 'a single query' },
    gridVariable: { form: 'text', meaning: 'the name of the grid variable' },
    gridVariableMapping: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: a column of the query, and a column of the grid',
    },
  },
  run: queryGrid,
};

async function queryGrid(task: Task): Promise<TaskResult> {
  const { parameters, reader, maxRows } = task;
  const name = readText(childOf(parameters, 'gridVariable'), reader);
  if (name === undefined) {
    throw new ParameterError('the parameter gridVariable is not set', placeOfNode(parameters, reader));
  }
  const grid = gridVariable(task, name);
  const query = advancedQuery(task);
  const filled = new Set<number>();
  const mapping = readRows(childOf(parameters, 'gridVariableMapping'), reader).map((row, position) => {
    const [column, target] = row.cells;
    if (column === undefined || target === undefined) {
      throw new ParameterError(
        'each row of gridVariableMapping needs two values: a column of the query and a column of the grid',
        row.place,
      );
    }
    // A grid without column names is filled by position.
    const to = grid.columns.length === 0 ? position : findGridColumn(grid.columns, target.text);
    if (to < 0) {
      const message = `the grid "${name.text}" has no column "${target.text}"${knownColumns(grid.columns)}`;
      throw new ParameterError(message, target.placeOf(0));
    }
    if (filled.has(to)) {
      const message = `the grid column "${target.text}" is mapped twice in gridVariableMapping; remove one of its two rows`;
      throw new ParameterError(message, target.placeOf(0));
    }
    filled.add(to);
    return { from: resultColumn(query, column), to };
  });
  if (mapping.length === 0) {
    throw new ParameterError('the parameter gridVariableMapping is not set', placeOfNode(parameters, reader));
  }
  const result = await readRowsOf(query, task, maxRows);
  if (result.isCut)
    throw new SqlError(
      `the query returned more than ${maxRows} rows, which is the limit of a grid; add a LIMIT`,
    );
  const width = Math.max(grid.columns.length, mapping.length);
  const rows = result.rows.map((row) => {
    const cells = Array.from({ length: width }, () => '');
    for (const { from, to } of mapping) {
      const column = query.columns[from];
      cells[to] = column === undefined ? '' : valueText(row[from] ?? null, column.type);
    }
    return cells;
  });
  setGrid(task, name, rows);
  const count = numberOf(rows.length, 'row');
  return { message: `${count} in "${name.text}".`, rowsRead: rows.length };
}
