import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { storedName } from '../../components/find-column.ts';
import { tableText } from '../../components/find-table.ts';
import { tableParameters } from '../../components/table-parameters.ts';
import { type Place, SqlError } from '../../core/refusal.ts';
import type { Table } from '../../core/relation.ts';
import type { SourceText } from '../../core/source-text.ts';
import { dependentViews } from '../../duckdb/catalog/view-needs.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readYesNo } from '../../parameters/parameter-reader.ts';
import { readNames } from '../../parameters/read-rows.ts';
import { readSchema } from '../../parameters/read-table.ts';
import type { Task, TaskType } from '../task/task.ts';

export const deleteTables: TaskType = {
  type: 'delete-tables',
  summary: 'Drops tables.',
  commitsEach: true,
  parameters: {
    ...tableParameters,
    targetTable: { form: 'names', meaning: 'the names of the tables' },
    ignoreMissing: {
      form: 'yes-no',
      meaning: 'whether a table that does not exist is ignored; if not, it is an error; `No` if not set',
    },
  },
  async run(task) {
    const { parameters, reader, warehouse } = task;
    const names = readNames(childOf(parameters, 'targetTable'), reader);
    if (names.length === 0) {
      throw new ParameterError('no tables are listed in `targetTable`', placeOfNode(parameters, reader));
    }
    const twice = names.find(({ text }, index) => names.findIndex((name) => name.text === text) !== index);
    if (twice !== undefined)
      throw new ParameterError(
        `the table "${twice.text}" is listed twice in targetTable; remove one of the two`,
        twice.placeOf(0),
      );
    const mayBeMissing = readYesNo(childOf(parameters, 'ignoreMissing'), reader, false);
    const tables = names.flatMap((name) => findTable(name, mayBeMissing, task) ?? []);
    for (const { sql } of tables) {
      task.runs(`DROP TABLE ${sql}`);
      // Each statement commits by itself. The catalog is read in the transaction: other rounds must not see the old
      // one.
      await warehouse.transaction(async () => {
        await warehouse.run(`DROP TABLE IF EXISTS ${sql}`);
        await warehouse.refresh();
      });
    }
    const dropped = tables.map(tableText).join(', ');
    return {
      message: dropped === '' ? 'None of the tables existed, so nothing was dropped.' : `Dropped ${dropped}.`,
    };
  },
};

function findTable(written: SourceText, mayBeMissing: boolean, task: Task): Table | undefined {
  const { parameters, reader, dialect } = task;
  const { database, schema } = readSchema(parameters, reader, dialect.defaults);
  const stored = (name: string) => storedName(name, dialect.warehouse);
  const name = { database: stored(database), schema: stored(schema), table: stored(written.text) };
  const place = written.placeOf(0);
  const table = dialect.catalog.find(name);
  if (table?.kind === 'view')
    throw new SqlError(
      `${tableText(name)} is a view, and only tables can be dropped here; remove it from targetTable`,
      { place },
    );
  if (table !== undefined) refuseNeeded(table, task, place);
  if (table !== undefined || mayBeMissing) return table;
  const similar = dialect.catalog.findIgnoringCase(name);
  const hint =
    similar === undefined
      ? '; set ignoreMissing to Yes to ignore tables that do not exist'
      : `; there is ${tableText(similar)}: upper and lower case differ`;
  throw new SqlError(`the table ${tableText(name)} was not found${hint}`, { place, code: 'missing-table' });
}

/**
 * Throws SqlError if a view needs the table. Only for `WAREHOUSE_TWO`, where DROP fails in this case by default
 * (RESTRICT).
 */
export function refuseNeeded(table: Table, { dialect }: Pick<Task, 'dialect'>, place: Place): void {
  const [view] = dependentViews([table], dialect.catalog);
  if (view === undefined) return;
  throw new SqlError(
    `the view ${tableText(view)} needs the table ${tableText(table)}: drop the view first, in SQL`,
    { place },
  );
}
