import { childOf, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { storedName } from '../../components/find-column.ts';
import type { TableName } from '../../core/relation.ts';
import type { SqlType } from '../../core/sql-type.ts';
import { readText } from '../../parameters/parameter-reader.ts';
import { readSchema, readTable, type TableKey } from '../../parameters/read-table.ts';
import type { Task } from '../task/task.ts';

/** A component type that calls a system outside the warehouse. It needs a mock in a test. */
export interface OutsideType {
  readonly type: string;
  readonly summary: string;
  /** Returns the map of parameters that names the target table. Undefined for a type that has no target table. */
  target(parameters: YamlNode, task: Pick<Task, 'reader'>): YamlNode | undefined;
  /** The columns that the target table always has. */
  readonly columns?: Readonly<Record<string, SqlType>>;
}

const topLevel: OutsideType['target'] = (parameters) => parameters;
const none: OutsideType['target'] = () => undefined;
/** API extracts name the key of the map with their target. */
const named: OutsideType['target'] = (parameters, { reader }) =>
  childOf(parameters, readText(childOf(parameters, 'outputId'), reader)?.text ?? '');
/** `destination` has one map, whose key is the kind of the warehouse. */
const destination: OutsideType['target'] = (parameters) => {
  const node = childOf(parameters, 'destination');
  return node?.kind === 'map' ? [...node.entries.values()][0]?.value : undefined;
};

const load = 'Loads rows into a table.';
const notice = 'Sends a message.';

export const outsideTypes: readonly OutsideType[] = [
  ...[
    'salesforce-query',
    'google-sheets-query',
    'excel-query',
    'database-query',
    's3-load',
    'azure-blob-storage-load',
  ].map((type) => ({ type, summary: load, target: topLevel })),
  {
    type: 'modular-api-extract-input-v2',
    summary: load,
    target: named,
    columns: { DATA_VALUE: { name: 'VARIANT' } },
  },
  { type: 'modular-postgresql-input-v1', summary: load, target: named },
  ...['openai-ai-prompt', 'aws-ai-prompt', 'azure-ai-prompt'].map((type) => ({
    type,
    summary: 'Asks a language model questions about rows.',
    target: destination,
    columns: { DATA: { name: 'VARIANT' } },
  })),
  ...['send-email', 'send-email-v2', 'sns-message', 'webhook-post'].map((type) => ({
    type,
    summary: notice,
    target: none,
  })),
  { type: 'data-transfer-object', summary: 'Copies files.', target: none },
  { type: 'commands-for-dbt-core', summary: 'Runs dbt.', target: none },
  { type: 'python-pushdown', summary: 'Runs Python.', target: none },
  { type: 'python-script', summary: 'Runs Python.', target: none },
  { type: 'bash-script', summary: 'Runs a shell script.', target: none },
  { type: 'file-iterator', summary: 'Repeats a component for each file.', target: none },
  {
    type: 'create-external-table-sf',
    summary: 'Creates an external table, which reads files.',
    target: topLevel,
    columns: { VALUE: { name: 'VARIANT' } },
  },
];

const byName = new Map(outsideTypes.map((type) => [type.type, type]));

export function outsideType(name: string): OutsideType | undefined {
  return byName.get(name);
}

const tableKeys: readonly TableKey[] = ['targetTable', 'newTableName', 'table', 'tableName', 'viewName'];

/** The table into which a component itself writes. Undefined if its parameters do not name one. */
export function targetTable(
  task: Pick<Task, 'component' | 'parameters' | 'reader' | 'dialect'>,
): TableName | undefined {
  const { component, parameters, reader, dialect } = task;
  const type = outsideType(component.type);
  const node = type === undefined ? parameters : type.target(parameters, task);
  const key = tableKeys.find((name) => (textOf(childOf(node, name)) ?? '') !== '');
  if (node === undefined || key === undefined) return undefined;
  const { table } = readTable(node, key, reader, dialect.defaults);
  const place = readSchema(node, reader, dialect.defaults);
  const database = readText(childOf(node, 'database2'), reader)?.text ?? place.database;
  const stored = (name: string) => storedName(name, dialect.warehouse);
  return { database: stored(database), schema: stored(place.schema), table: stored(table) };
}
