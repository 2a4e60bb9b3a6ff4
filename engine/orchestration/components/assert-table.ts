import { parseNumber } from '../../core/written-number.ts';
import { childOf, isEmpty } from '../../../lib/yaml/yaml-node.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { namedTable, tableText } from '../../components/find-table.ts';
import { tableParameters } from '../../components/table-parameters.ts';
import { expectReadable } from '../../duckdb/catalog/readable-view.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText, readYesNo } from '../../parameters/parameter-reader.ts';
import type { Task, TaskType } from '../task/task.ts';

const comparisons: Readonly<Record<string, (count: number, value: number) => boolean>> = {
  'equal to': (count, value) => count === value,
  'greater than': (count, value) => count > value,
  'greater than or equal to': (count, value) => count >= value,
  'less than': (count, value) => count < value,
  'less than or equal to': (count, value) => count <= value,
};

export const assertTable: TaskType = {
  type: 'assert-table',
  summary: 'Fails unless a table exists (or does not exist) as expected and has the expected number of rows.',
  parameters: {
    ...tableParameters,
    tableName: { form: 'text', meaning: 'the name of the table or view' },
    exists: { form: 'yes-no', meaning: '`Yes` if the table must exist, `No` if it must not exist' },
    tableMetadata: { form: 'rows', meaning: 'not supported, so it must be empty' },
    rowCountComparisonType: {
      form: 'choice',
      meaning: 'how the number of rows is compared; `Equal to` if not set; a range is not supported',
      choices: ['Equal to', 'Greater than', 'Greater than or equal to', 'Less than', 'Less than or equal to'],
    },
    rowCountValue: {
      form: 'number',
      meaning: 'the number to compare with; if it is not set, the rows are not counted',
    },
  },
  async run(task) {
    const { parameters, reader, dialect, warehouse } = task;
    const metadata = childOf(parameters, 'tableMetadata');
    if (metadata !== undefined && !isEmpty(metadata)) {
      throw new Refusal('`tableMetadata` of assert-table', placeOfNode(metadata, reader), 'leave it empty');
    }
    const name = namedTable(task, 'tableName');
    const place = name.place;
    const table = dialect.catalog.find(name);
    if (!readYesNo(childOf(parameters, 'exists'), reader, true)) {
      if (table === undefined) return { message: `${tableText(name)} does not exist, as expected.` };
      throw new SqlError(
        `the ${table.kind} ${tableText(name)} exists, but it must not exist, because the parameter exists is No`,
        {
          place,
        },
      );
    }
    if (table === undefined) {
      const similar = dialect.catalog.findIgnoringCase(name);
      const hint =
        similar === undefined ? '' : `; there is ${tableText(similar)}: upper and lower case differ`;
      throw new SqlError(`the table ${tableText(name)} does not exist${hint}`, { place });
    }
    const expected = readExpected(task);
    if (expected === undefined) return { message: `${tableText(name)} exists.` };
    expectReadable(table, dialect.catalog, tableText(name), place);
    const sql = `SELECT count(*) FROM ${table.sql}`;
    task.runs(sql);
    const { rows } = await warehouse.query(sql, { maxRows: 1 });
    const count = Number(rows[0]?.[0]);
    const message = `${tableText(name)} has ${numberOf(count, 'row')}`;
    if (expected.holds(count)) return { message: `${message}.` };
    throw new SqlError(`${message}, expected: ${expected.text}`, { place });
  },
};

function readExpected({ parameters, reader }: Task) {
  const written = readText(childOf(parameters, 'rowCountValue'), reader);
  if (written === undefined) return undefined;
  const value = parseNumber(written.text);
  if (!Number.isInteger(value) || value < 0) {
    throw new ParameterError(
      `expected a number of rows for rowCountValue, found "${written.text}"`,
      written.placeOf(0),
    );
  }
  const type = readText(childOf(parameters, 'rowCountComparisonType'), reader);
  const word = (type?.text ?? 'Equal to').trim().toLowerCase();
  const compare = Object.hasOwn(comparisons, word) ? comparisons[word] : undefined;
  if (compare === undefined) {
    const hint = `use one of: ${Object.keys(comparisons).join(', ')}`;
    throw new Refusal(`the comparison "${type?.text ?? ''}"`, type?.placeOf(0), hint);
  }
  return { text: `${word} ${value}`, holds: (count: number) => compare(count, value) };
}
