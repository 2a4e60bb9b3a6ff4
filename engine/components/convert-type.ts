import { childOf } from '../../lib/yaml/yaml-node.ts';
import { SqlError } from '../core/refusal.ts';
import { castValue } from '../dialect/convert-value.ts';
import { placeOfNode } from '../parameters/parameter-reader.ts';
import { readTypedRows } from '../parameters/read-typed-rows.ts';
import { type ComponentType, onlyInput } from './component-type.ts';
import { findInputColumn } from './find-column.ts';
import { type Cell, copyCell, replaceCells, selectCells } from './select-list.ts';

export const convertType: ComponentType = {
  type: 'convert-type',
  group: 'column',
  summary: 'Converts columns to other types; the order of the columns stays the same.',
  inputs: [1, 1],
  parameters: {
    conversions: {
      form: 'typed rows',
      meaning:
        'in each row: column, type, size and decimal places; a value that cannot be converted is an error',
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const converted: Cell[] = [];
    for (const { name, type } of readTypedRows(
      childOf(parameters, 'conversions'),
      reader,
      dialect.warehouse,
    )) {
      const column = findInputColumn(name, input, dialect);
      const place = name.placeOf(0);
      if (converted.some((cell) => cell.name === column.name)) {
        const message = `the column "${column.name}" is converted twice in conversions; remove one of its two rows`;
        throw new SqlError(message, { place });
      }
      converted.push({ name: column.name, ...castValue(copyCell(column, input), type, place, dialect) });
    }
    const cells = input.columns.map((column) => copyCell(column, input));
    return selectCells(replaceCells(cells, converted), `FROM ${input.sql}`, placeOfNode(parameters, reader));
  },
};
