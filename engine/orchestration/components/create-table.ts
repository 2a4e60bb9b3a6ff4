import { childOf } from '../../../lib/yaml/yaml-node.ts';
import type { Parameter } from '../../components/component-type.ts';
import { checkColumns, findColumn, storedName } from '../../components/find-column.ts';
import { namedTable, tableText } from '../../components/find-table.ts';
import { tableParameters } from '../../components/table-parameters.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import type { Column } from '../../core/relation.ts';
import type { SourceText } from '../../core/source-text.ts';
import { withoutBlanks } from '../../core/written-number.ts';
import { translateDefault } from '../../dialect/translate.ts';
import { columnDefinition, declareTypes } from '../../duckdb/catalog/column-types.ts';
import { physicalTable } from '../../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { readNames } from '../../parameters/read-rows.ts';
import type { TableKey } from '../../parameters/read-table.ts';
import { readTypedRows } from '../../parameters/read-typed-rows.ts';
import { refuseNeeded } from './delete-tables.ts';
import type { Task, TaskResult, TaskType } from '../task/task.ts';

const keyMeaning =
  'the columns of the primary key, which must not be NULL; as in the warehouse, it is not checked whether their values are unique';

const commonParameters = {
  ...tableParameters,
  columns: {
    form: 'typed rows',
    cells: Number.POSITIVE_INFINITY,
    meaning:
      'in each row: name, type, size, decimal places, default value, and `Yes` for NOT NULL; further cells have no effect',
  },
  primaryKeys: { form: 'names', meaning: keyMeaning },
  clusteringKeys: { form: 'names', meaning: 'how the table is stored', isIgnored: true },
  dataRetentionTimeInDays: { form: 'number', meaning: 'how the table is stored', isIgnored: true },
  comment: { form: 'text', meaning: 'a comment', isIgnored: true },
} as const satisfies Record<string, Parameter>;

const modes = ['Replace', 'Create', 'Create if not exists'] as const;
const modeMeaning = 'what happens to an existing table';

export const createTable: TaskType = {
  type: 'create-table',
  summary: 'Creates a table.',
  parameters: {
    ...commonParameters,
    newTableName: { form: 'text', meaning: 'the name of the table' },
    createReplace: { form: 'choice', meaning: modeMeaning, choices: modes },
    tableType: {
      form: 'text',
      meaning: 'whether the table is permanent, transient or temporary',
      isIgnored: true,
    },
  },
  run: (task) => runCreate(task, { name: 'newTableName', mode: 'createReplace', columns: 'columns' }),
};

export const createTableV2: TaskType = {
  type: 'create-table-v2',
  summary: 'Creates a table.',
  parameters: {
    ...commonParameters,
    table: { form: 'text', meaning: 'the name of the table' },
    createMethod: { form: 'choice', meaning: modeMeaning, choices: modes },
    tableMetadata: {
      form: 'typed rows',
      cells: 5,
      meaning:
        'the columns, if `columns` is not set; in each row: name, type, size, decimal places, and a comment',
    },
  },
  ignored: /TableType$/,
  run: (task) => {
    const hasMetadata = readTypedRows(
      childOf(task.parameters, 'tableMetadata'),
      task.reader,
      task.dialect.warehouse,
    );
    const columns = hasMetadata.length > 0 ? 'tableMetadata' : 'columns';
    return runCreate(task, { name: 'table', mode: 'createMethod', columns });
  },
};

interface Keys {
  readonly name: TableKey;
  readonly mode: string;
  readonly columns: 'columns' | 'tableMetadata';
}

async function runCreate(task: Task, keys: Keys): Promise<TaskResult> {
  const { parameters, reader, dialect } = task;
  const name = namedTable(task, keys.name);
  const mode = readText(childOf(parameters, keys.mode), reader)?.text.trim().toLowerCase() ?? 'create';
  const existing = dialect.catalog.find(name);
  const similar = existing === undefined ? dialect.catalog.findIgnoringCase(name) : undefined;
  if (similar !== undefined) {
    const hint = 'their names differ only in upper and lower case: rename one of them';
    throw new Refusal(`the tables ${tableText(similar)} and ${tableText(name)}`, name.place, hint);
  }
  if (existing !== undefined && mode === 'create if not exists') {
    return { message: `${tableText(name)} already exists and was not changed.` };
  }
  if (existing !== undefined && (existing.kind === 'view' || mode === 'create')) {
    const hint =
      existing.kind === 'view' ? 'choose another name' : `set ${keys.mode} to Replace to replace it`;
    throw new SqlError(`the ${existing.kind} ${tableText(name)} exists already; ${hint}`, {
      place: name.place,
      code: 'exists',
    });
  }
  if (existing !== undefined) refuseNeeded(existing, task, name.place);
  const { columns, primaryKey, definitions } = readDefinitions(task, keys.columns);
  const table = physicalTable(name);
  const statements = [
    `CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`,
    ...declareTypes(table, columns, primaryKey),
  ];
  await task.warehouse.createSchema(name.database, name.schema);
  for (const statement of statements) {
    task.runs(statement);
    await task.warehouse.run(statement);
  }
  await task.warehouse.refresh();
  return { message: `${existing === undefined ? 'Created' : 'Replaced'} ${tableText(name)}.` };
}

function readDefinitions(task: Task, key: Keys['columns']) {
  const { parameters, reader, dialect } = task;
  const place = placeOfNode(parameters, reader);
  const rows = readTypedRows(childOf(parameters, key), reader, dialect.warehouse);
  if (rows.length === 0) throw new SqlError(`no columns are listed in ${key}`, { place });
  const columns: readonly Column[] = checkColumns(
    rows.map(({ name, type }) => ({ name: storedName(name.text, dialect.warehouse), type })),
    place,
  );
  const primaryKey = readNames(childOf(parameters, 'primaryKeys'), reader).map(
    (name) => findColumn(columns, name, dialect, 'the new table').name,
  );
  const definitions = columns.map((column, index) => {
    const more = key === 'columns' ? (rows[index]?.more ?? []) : [];
    const isRequired = isYes(more[1], column) || primaryKey.includes(column.name);
    const text = columnDefinition(column, dialect.warehouse);
    return `${text}${isRequired ? ' NOT NULL' : ''}${defaultSql(more[0], column, task)}`;
  });
  return { columns, primaryKey, definitions };
}

function isYes(cell: SourceText | undefined, { name }: Column): boolean {
  const word = (cell?.text ?? '').trim().toLowerCase();
  if (['yes', 'true'].includes(word)) return true;
  if (cell === undefined || ['', 'no', 'false'].includes(word)) return false;
  const message = `expected Yes or No, whether the column "${name}" is NOT NULL, found "${cell.text}"`;
  throw new ParameterError(message, cell.placeOf(0));
}

/** The expression is stored: the clock in it is read for each new row. */
function defaultSql(cell: SourceText | undefined, { type }: Column, { dialect }: Task): string {
  if (cell === undefined || withoutBlanks(cell.text) === '') return '';
  return ` DEFAULT ${translateDefault(cell, type, dialect)}`;
}
