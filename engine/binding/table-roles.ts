import { componentType } from '../components/component-types.ts';
import { namedTable } from '../components/find-table.ts';
import type { DialectContext } from '../core/dialect.ts';
import type { TableName } from '../core/relation.ts';
import { targetTable } from '../orchestration/mocks/outside-types.ts';
import { parametersOf } from '../orchestration/components/task-types.ts';
import type { Task } from '../orchestration/task/task.ts';
import type { ParameterReader } from '../parameters/parameter-reader.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import { flowTypes } from '../../lib/pipelines/model/component-types.ts';
import { childOf, textOf } from '../../lib/yaml/yaml-node.ts';
import type { WriteMode } from './bound-pipeline.ts';

export interface WrittenTable {
  readonly table: TableName;
  readonly mode: WriteMode;
}

/** Types that decide what runs, and use no table themselves; a table iterator does. */
export const controlTypes: ReadonlySet<string> = new Set(flowTypes);

/** Types whose SQL is a script of any statements. */
export const scriptTypes: ReadonlySet<string> = new Set(['sql-executor', 'sql-script']);

/** Types of orchestrations whose parameters name a table that they read, or have a query. */
export const readerTypes: ReadonlySet<string> = new Set([
  'query-to-scalar',
  'query-to-grid',
  'table-metadata-to-grid',
  'table-iterator',
  'assert-table',
]);

/** What types of orchestrations do with the table that their parameters name; all others define it. */
const modesOfTasks: Readonly<Record<string, WriteMode>> = {
  // They need a mock, and load rows into a table that exists.
  's3-load': 'insert',
  'azure-blob-storage-load': 'insert',
  'delete-tables': 'drop',
};

/** The tables that the parameters of a component of an orchestration name to be written. Throws what cannot be read. */
export function writtenByTask(
  task: Pick<Task, 'component' | 'parameters' | 'reader' | 'dialect'>,
): readonly WrittenTable[] {
  const { component } = task;
  if (readerTypes.has(component.type)) return [];
  const table = targetTable(task);
  return table === undefined ? [] : [{ table, mode: modesOfTasks[component.type] ?? 'define' }];
}

/** What types of transformations do with the table that their parameters name; all others that write define it. */
const modesOfComponents: Readonly<Record<string, WriteMode>> = {
  'table-output': 'insert',
  'table-update': 'change',
};
const keys = ['targetTable', 'table', 'viewName'] as const;

/** The tables that the parameters of a component of a transformation name to be written. Throws what cannot be read. */
export function writtenByComponent(
  component: Component,
  { reader, dialect }: { readonly reader: ParameterReader; readonly dialect: DialectContext },
): readonly WrittenTable[] {
  if (componentType(component.type)?.group !== 'write') return [];
  const parameters = parametersOf(component);
  const key = keys.find((name) => (textOf(childOf(parameters, name)) ?? '') !== '');
  if (key === undefined) return [];
  const { database, schema, table } = namedTable({ parameters, reader, dialect }, key);
  return [{ table: { database, schema, table }, mode: modesOfComponents[component.type] ?? 'define' }];
}
