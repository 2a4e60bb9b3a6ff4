import { textOf, childOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { tableText } from '../../components/find-table.ts';
import { SqlError } from '../../core/refusal.ts';
import type { TableName } from '../../core/relation.ts';
import { readText } from '../../parameters/parameter-reader.ts';
import type { Task, TaskResult } from '../task/task.ts';
import { addRows } from './apply-mock.ts';
import type { MockRow } from './mock.ts';
import { outsideType, targetTable } from './outside-types.ts';

/**
 * Finds the rows of a connector (spec §2.6) by the connector's name in the component, and by the endpoint that the
 * component reads. Undefined if there are none.
 */
export type ConnectorRows = (connector: string, endpoint: string) => readonly MockRow[] | undefined;

/** Component types that read an API by a connector: a column has each record as a whole. */
const apiExtract = 'modular-api-extract-input-v2';

/**
 * Loads the example rows of the connector that a component uses, instead of calling the outside system. Undefined if
 * the component does not use a connector with rows. Throws SqlError.
 */
export async function loadFromConnector(
  task: Task,
  connectors: ConnectorRows,
): Promise<TaskResult | undefined> {
  const { component, parameters, reader, warehouse } = task;
  const text = (name: string) => readText(childOf(parameters, name), reader)?.text ?? '';
  const endpoint = text('endpoint');
  const found = [text('profile'), component.type]
    .filter((name) => name !== '')
    .flatMap((name) => {
      const rows = connectors(name, endpoint);
      return rows === undefined ? [] : [{ name, rows }];
    })[0];
  if (found === undefined) return undefined;
  const target = targetTable(task);
  if (target === undefined)
    throw new SqlError(`the connector "${found.name}" has rows, but the component names no target table`);
  const isApi = component.type === apiExtract;
  const rows = isApi ? found.rows.map((record): MockRow => ({ DATA_VALUE: record as never })) : found.rows;
  const columns = isApi ? columnsOf(apiExtract) : undefined;
  await warehouse.transaction(async () => {
    await prepare(target, task);
    if (rows.length > 0 || columns !== undefined)
      await addRows([[target, { rows, columns }, { part: 'rows' }]], {
        warehouse,
        kind: task.dialect.warehouse,
      });
  });
  return {
    message: `Loaded ${numberOf(rows.length, 'row')} that the seed defines for the connector "${found.name}".`,
    rowsWritten: rows.length,
  };
}

function columnsOf(type: string) {
  return Object.entries(outsideType(type)?.columns ?? {}).map(([name, column]) => ({ name, type: column }));
}

/** What `createTableMode` beside the target says of a table that exists: without it, rows are added. */
async function prepare(target: TableName, { parameters, warehouse, dialect, runs }: Task): Promise<void> {
  const table = dialect.catalog.find(target);
  if (table?.kind !== 'table') return;
  const mode = modeOf(parameters);
  if (mode === 'FAIL_IF_EXISTS') throw new SqlError(`the table ${tableText(target)} exists already`);
  if (mode !== 'TRUNCATE_AND_INSERT') return;
  runs(`DELETE FROM ${table.sql}`);
  await warehouse.run(`DELETE FROM ${table.sql}`);
}

function modeOf(parameters: YamlNode): string | undefined {
  if (parameters.kind !== 'map') return undefined;
  const nodes = [parameters, ...[...parameters.entries.values()].map(({ value }) => value)];
  return nodes.map((node) => textOf(childOf(node, 'createTableMode'))).find((mode) => mode !== undefined);
}
