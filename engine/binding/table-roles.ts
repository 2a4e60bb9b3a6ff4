import { componentType } from '../components/component-types.ts';
import { namedTable } from '../components/find-table.ts';
import type { DialectContext } from '../core/dialect.ts';
import { targetTable } from '../orchestration/mocks/outside-types.ts';
import { parametersOf } from '../orchestration/components/task-types.ts';
import type { Task } from '../orchestration/task/task.ts';
import type { ParameterReader } from '../parameters/parameter-reader.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import { flowTypes, knownTypes } from '../../lib/pipelines/model/component-types.ts';
import { childOf, textOf } from '../../lib/yaml/yaml-node.ts';
import type { PartUses } from './binder-types.ts';
import type { WriteMode } from './bound-pipeline.ts';

/**
 * Component types that only control which components run, and use no table. The exception is the table iterator,
 * which reads a table.
 */
export const controlTypes: ReadonlySet<string> = new Set(flowTypes);

/** Component types whose SQL is a script, which may contain any statements. */
export const scriptTypes: ReadonlySet<string> = new Set(['sql-executor', 'sql-script']);

/** Component types of orchestrations whose parameters name a table to read, or contain a query. */
export const readerTypes: ReadonlySet<string> = new Set([
  'query-to-scalar',
  'query-to-grid',
  'table-metadata-to-grid',
  'table-iterator',
  'assert-table',
]);

/** Other component types of orchestrations that do not write tables. */
const harmlessTypes: ReadonlySet<string> = new Set([
  'file-iterator',
  'alter-warehouse',
  'create-file-format',
  'data-transfer-object',
  'send-email',
  'send-email-v2',
  'sns-message',
  'webhook-post',
]);

/** How component types of orchestrations change the table that their parameters name. All other types define it. */
const modesOfTasks: Readonly<Record<string, WriteMode>> = {
  // They need a mock, and load rows into a table that exists.
  's3-load': 'insert',
  'azure-blob-storage-load': 'insert',
  'delete-tables': 'drop',
};

/**
 * What a component of an orchestration does with tables according to its parameters, without its queries and scripts.
 * Throws if the parameters cannot be read.
 */
export function usesOfTask(task: Pick<Task, 'component' | 'parameters' | 'reader' | 'dialect'>): PartUses {
  const { type } = task.component;
  if (readerTypes.has(type) || harmlessTypes.has(type)) return { writes: [], others: 'none' };
  const table = targetTable(task);
  if (table === undefined) return { writes: [], others: 'named' };
  return { writes: [{ table, mode: modesOfTasks[type] ?? 'define' }], others: 'none' };
}

/**
 * How component types of transformations change the table that their parameters name. All other types that write a
 * table define it.
 */
const modesOfComponents: Readonly<Record<string, WriteMode>> = {
  'table-output': 'insert',
  'table-update': 'change',
};
const transformationTypes: ReadonlySet<string> = new Set(knownTypes.transformation);
const keys = ['targetTable', 'table', 'viewName'] as const;

/** Like `usesOfTask`, for a component of a transformation. */
export function usesOfComponent(
  component: Component,
  { reader, dialect }: { readonly reader: ParameterReader; readonly dialect: DialectContext },
): PartUses {
  const others = transformationTypes.has(component.type) ? 'none' : 'named';
  if (componentType(component.type)?.group !== 'write') return { writes: [], others };
  const parameters = parametersOf(component);
  const key = keys.find((name) => (textOf(childOf(parameters, name)) ?? '') !== '');
  if (key === undefined) return { writes: [], others };
  const { database, schema, table } = namedTable({ parameters, reader, dialect }, key);
  const mode = modesOfComponents[component.type] ?? 'define';
  return { writes: [{ table: { database, schema, table }, mode }], others };
}
