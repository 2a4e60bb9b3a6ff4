import { Refusal } from '../core/refusal.ts';
import { childOf } from '../../lib/yaml/yaml-node.ts';
import { placeOfNode, readYesNo } from '../parameters/parameter-reader.ts';
import { type Binding, type ComponentType, type Input, onlyInput } from './component-type.ts';
import { findInputColumn, storedName } from './find-column.ts';
import { includeInputColumns } from './include-input.ts';
import { readPair, requiredRows } from './read-cells.ts';
import { type Cell, copyCell, selectCells } from './select-list.ts';

/** A cell with its new name, and the name that it had before. */
interface Renamed extends Cell {
  readonly before: string;
}

export const rename: ComponentType = {
  type: 'rename',
  group: 'column',
  summary:
    'Renames columns; if the other input columns are not included, it also selects and orders the columns.',
  inputs: [1, 1],
  parameters: {
    columnMapping: { form: 'rows', cells: 2, meaning: 'in each row: an input column, and its new name' },
    includeInputColumns: {
      ...includeInputColumns,
      meaning:
        'whether the output also has the other columns of the input, with all columns in the order of the input; `No` if not set',
    },
  },
  bind(binding) {
    const { parameters, reader } = binding;
    const input = onlyInput(binding);
    const renamed = readMapping(binding, input);
    const place = placeOfNode(parameters, reader);
    const cells = includesOthers(binding)
      ? input.columns.map(
          (column) => renamed.find(({ before }) => before === column.name) ?? copyCell(column, input),
        )
      : renamed;
    return selectCells(cells, `FROM ${input.sql}`, place);
  },
};

/**
 * Whether the output includes the other columns. Pipelines that were converted from an older form do not set the
 * parameter; their output has only the mapped columns.
 */
function includesOthers({ parameters, reader }: Binding): boolean {
  return readYesNo(childOf(parameters, 'includeInputColumns'), reader, false);
}

function readMapping(binding: Binding, input: Input): readonly Renamed[] {
  const { dialect } = binding;
  const renamed: Renamed[] = [];
  for (const row of requiredRows(binding, 'columnMapping')) {
    const [name, newName] = readPair(row, 'column', 'new name');
    const column = findInputColumn(name, input, dialect);
    if (includesOthers(binding) && renamed.some(({ before }) => before === column.name)) {
      throw new Refusal(
        `two new names for "${column.name}"`,
        name.placeOf(0),
        'keep only one row for this column in columnMapping',
      );
    }
    const cell = copyCell(column, input, storedName(newName.text, dialect.warehouse));
    renamed.push({ ...cell, before: column.name });
  }
  return renamed;
}
