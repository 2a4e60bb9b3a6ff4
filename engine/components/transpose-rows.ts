import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import { translateExpression } from '../dialect/translate.ts';
import { groupBy } from '../dialect/write/sql/equal-texts.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { fixedText, readNames, readRows } from '../parameters/read-rows.ts';
import { type ComponentType, onlyInput } from './component-type.ts';
import { findInputColumn, findInputColumns } from './find-column.ts';
import { placeOf, requiredRows } from './read-cells.ts';
import { copyCell, selectCells, valueCell } from './select-list.ts';

export const transposeRows: ComponentType = {
  type: 'transpose-rows',
  group: 'group',
  summary: 'Combines each group of rows into one row, with the values of a column joined by commas.',
  inputs: [1, 1],
  parameters: {
    groupings: {
      form: 'names',
      meaning:
        'the columns to group by: rows with equal values form a group; without them, all rows form one group',
    },
    aggregations: { form: 'names', meaning: 'the columns whose values are joined; NULLs are left out' },
    sortOrder: { form: 'rows', meaning: 'not supported, so it must be empty; the values are sorted' },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const [sort] = readRows(childOf(parameters, 'sortOrder'), reader);
    if (sort !== undefined) throw new Refusal('the parameter sortOrder', sort.place, 'leave it empty');
    const names = readNames(childOf(parameters, 'groupings'), reader);
    const groups = findInputColumns(names, input, dialect).map((column) => copyCell(column, input));
    requiredRows(binding, 'aggregations');
    const lists = readNames(childOf(parameters, 'aggregations'), reader).map((written) => {
      const { name } = findInputColumn(written, input, dialect);
      const column = quoteName(name);
      const text = `LISTAGG(${column}, ',') WITHIN GROUP (ORDER BY ${column})`;
      const place = written.placeOf(0);
      return valueCell(name, translateExpression(fixedText(text, place), new Map([['', input]]), dialect));
    });
    const grouped = groupBy(groups, dialect.warehouse);
    return selectCells(
      [...groups, ...lists],
      `FROM ${input.sql}${grouped}`,
      placeOf(binding, 'aggregations'),
    );
  },
};
