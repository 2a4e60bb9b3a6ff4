import { numberOf } from '../../lib/core/text/number-of.ts';
import { childOf } from '../../lib/yaml/yaml-node.ts';
import { castValue } from '../dialect/convert-value.ts';
import { duckdbType } from '../duckdb/catalog/column-types.ts';
import { quoteText } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readNames } from '../parameters/read-rows.ts';
import { readTypedRows, type TypedRow } from '../parameters/read-typed-rows.ts';
import { type ComponentType, onlyInput } from './component-type.ts';
import { findInputColumn, findInputColumns, storedName } from './find-column.ts';
import { placeOf, requiredRows, requiredText } from './read-cells.ts';
import { type Cell, copyCell, selectCells, TEXT } from './select-list.ts';

export const transposeColumns: ComponentType = {
  type: 'transpose-columns',
  group: 'column',
  summary:
    'Turns columns into rows: each row of the input becomes one row for each label, with the values of the columns that belong to the label.',
  inputs: [1, 1],
  parameters: {
    ordinaryColumns: { form: 'names', meaning: 'the columns that all output rows keep' },
    rowLabelName: { form: 'text', meaning: 'the output column with the label' },
    outputColumns: {
      form: 'typed rows',
      meaning: 'the output columns with the values; in each row: name, type, size and decimal places',
    },
    columnToRowMapping: {
      form: 'rows',
      meaning: 'in each row: a label, and an input column for each of the output columns, in their order',
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const ordinary = readNames(childOf(parameters, 'ordinaryColumns'), reader);
    const kept = findInputColumns(ordinary, input, dialect).map((column) => copyCell(column, input));
    requiredRows(binding, 'outputColumns');
    const outputs = readTypedRows(childOf(parameters, 'outputColumns'), reader, dialect.warehouse);
    const mapped = requiredRows(binding, 'columnToRowMapping').map(({ cells, place }) => {
      const [label, ...columns] = cells;
      if (label !== undefined && columns.length === outputs.length) return { label: label.text, columns };
      const message = `each row of columnToRowMapping needs a label and ${numberOf(outputs.length, 'column')}, one for each row of outputColumns; this row has ${numberOf(cells.length, 'cell')}`;
      throw new ParameterError(message, place);
    });
    const valuesOf = ({ name, type }: TypedRow, index: number): Cell => {
      const values = mapped.flatMap(({ columns }) => {
        const written = columns[index];
        if (written === undefined) return [];
        const cell = copyCell(findInputColumn(written, input, dialect), input);
        return castValue(cell, type, written.placeOf(0), dialect).sql;
      });
      const list = values.map((sql) => `CAST(${sql} AS ${duckdbType(type)})`).join(', ');
      return { name: storedName(name.text, dialect.warehouse), type, sql: `unnest([${list}])` };
    };
    const labels = mapped.map(({ label }) => quoteText(label)).join(', ');
    const label = storedName(requiredText(binding, 'rowLabelName').text, dialect.warehouse);
    return selectCells(
      [...kept, { name: label, type: TEXT, sql: `unnest([${labels}])` }, ...outputs.map(valuesOf)],
      `FROM ${input.sql}`,
      placeOf(binding, 'outputColumns'),
    );
  },
};
