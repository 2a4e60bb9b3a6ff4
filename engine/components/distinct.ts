import { childOf } from '../../lib/yaml/yaml-node.ts';
import { shownForEqual } from '../dialect/write/sql/equal-texts.ts';
import { readNames } from '../parameters/read-rows.ts';
import { type ComponentType, onlyInput } from './component-type.ts';
import { findInputColumns } from './find-column.ts';
import { placeOf } from './read-cells.ts';
import { copyCell, selectCells } from './select-list.ts';

export const distinct: ComponentType = {
  type: 'distinct',
  group: 'row',
  summary: 'Keeps only the listed columns, and one row for each combination of their values.',
  inputs: [1, 1],
  parameters: { columns: { form: 'names', meaning: 'the columns, in the order of the output' } },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const names = readNames(childOf(parameters, 'columns'), reader);
    const cells = findInputColumns(names, input, dialect).map((column) => {
      const cell = copyCell(column, input);
      return { ...cell, sql: shownForEqual(cell, 'DISTINCT', dialect.warehouse) };
    });
    return selectCells(cells, `FROM ${input.sql}`, placeOf(binding, 'columns'), 'SELECT DISTINCT');
  },
};
