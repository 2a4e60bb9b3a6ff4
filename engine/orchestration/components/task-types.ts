import { checkParameters } from '../../components/check-parameters.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { assertTable } from './assert-table.ts';
import { createTable, createTableV2 } from './create-table.ts';
import { deleteTables } from './delete-tables.ts';
import { missingMock } from '../mocks/missing-mock.ts';
import { outsideTypes } from '../mocks/outside-types.ts';
import { pythonPushdown, pythonScript } from './python-script.ts';
import { queryToGrid } from './query-to-grid.ts';
import { queryToScalar } from './query-to-scalar.ts';
import { sqlExecutor, sqlScript } from './sql-executor.ts';
import { tableMetadataToGrid } from './table-metadata-to-grid.ts';
import type { Task, TaskResult, TaskType } from '../task/task.ts';
import { withoutEffect } from './without-effect.ts';

/** All component types of orchestrations that run on the warehouse. */
export const taskTypes: readonly TaskType[] = [
  sqlExecutor,
  sqlScript,
  queryToScalar,
  queryToGrid,
  tableMetadataToGrid,
  createTable,
  createTableV2,
  deleteTables,
  assertTable,
  pythonPushdown,
  pythonScript,
  ...withoutEffect,
];

const knownTypes = [...taskTypes, ...outsideTypes].map(({ type }) => type);
const byName = new Map(taskTypes.map((type) => [type.type, type]));

/**
 * Runs a component of an orchestration. If the engine does not support the component's type, throws a Refusal whose
 * hint contains the lines of a mock to add.
 */
export async function runTask(task: Task): Promise<TaskResult> {
  const type = byName.get(task.component.type);
  const isAllowed = type?.isPython !== true || task.python !== undefined;
  if (type === undefined || !isAllowed) throw missingMock(task, knownTypes);
  checkParameters({ ...task, parameters: withoutIgnored(task.parameters, type) }, type);
  // A script needs no warehouse, and may take long: others must not wait for it.
  if (type.commitsEach === true || type.isPython === true) return type.run(task);
  // The tables that its parameters name are looked up in the transaction too: another branch may be changing them.
  return task.warehouse.transaction(() => type.run(task));
}

function withoutIgnored(parameters: YamlNode, { ignored }: TaskType): YamlNode {
  if (ignored === undefined || parameters.kind !== 'map') return parameters;
  const entries = new Map([...parameters.entries].filter(([name]) => !ignored.test(name)));
  return { ...parameters, entries };
}

/** The YAML node of the `parameters` of a component. An empty map if the component has none. */
export function parametersOf(component: Task['component']): YamlNode {
  const node = component.node('parameters');
  if (node?.kind === 'map') return node;
  const { start, end } = component.span;
  return { kind: 'map', entries: new Map(), start, end };
}
