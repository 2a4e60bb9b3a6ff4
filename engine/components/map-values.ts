import { childOf } from '../../lib/yaml/yaml-node.ts';
import { quoteText } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readText } from '../parameters/parameter-reader.ts';
import { readConditions } from '../parameters/read-conditions.ts';
import { type ComponentType, onlyInput } from './component-type.ts';
import { conditionSql } from './conditions.ts';
import { storedName } from './find-column.ts';
import { placeOf, requiredText } from './read-cells.ts';
import { copyCell, replaceCells, selectCells, TEXT, valueCell } from './select-list.ts';

export const mapValues: ComponentType = {
  type: 'map-values',
  group: 'column',
  summary: 'Adds a column with the text of the first condition that is true.',
  inputs: [1, 1],
  parameters: {
    valueMap: {
      form: 'conditions',
      cells: 5,
      meaning: 'in each row: column, `Is` or `Not`, comparator, value, and the text for the new column',
    },
    columnName: {
      form: 'text',
      meaning: 'the name of the new column; with the name of an input column, it replaces that column',
    },
    other: { form: 'text', meaning: 'the text if no condition is true; NULL if this is not set' },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const scope = {
      relation: input,
      of: `the input "${input.name}"`,
      dialect,
      notice: (message: string) => binding.notice(message),
    };
    const branches = readConditions(childOf(parameters, 'valueMap'), reader).map((condition) => {
      const [text] = condition.more;
      if (text !== undefined) return ` WHEN ${conditionSql(condition, scope)} THEN ${quoteText(text.text)}`;
      const message = 'a row of valueMap has no text for the new column: add it as the fifth cell';
      throw new ParameterError(message, condition.row.place);
    });
    const place = placeOf(binding, 'valueMap');
    if (branches.length === 0) throw new ParameterError('the parameter valueMap is not set', place);
    const other = readText(childOf(parameters, 'other'), reader);
    const otherwise = other === undefined ? '' : ` ELSE ${quoteText(other.text)}`;
    const name = storedName(requiredText(binding, 'columnName').text, dialect.warehouse);
    const mapped = valueCell(name, { sql: `CASE${branches.join('')}${otherwise} END`, type: TEXT });
    const cells = input.columns.map((column) => copyCell(column, input));
    return selectCells(replaceCells(cells, [mapped]), `FROM ${input.sql}`, place);
  },
};
