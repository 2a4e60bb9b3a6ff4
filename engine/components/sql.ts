import { translateQuery } from '../dialect/translate.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import type { ComponentType } from './component-type.ts';
import { placeOf, requiredText } from './read-cells.ts';
import { selectCells, valueCell } from './select-list.ts';

export const sql: ComponentType = {
  type: 'sql',
  group: 'free SQL',
  summary: 'Runs a query; in it, `$T{Component Name}` means the rows of a source.',
  inputs: [0, 100],
  parameters: {
    query: {
      form: 'text',
      meaning:
        'a single SELECT, which may begin with WITH; names without quotes, including output columns, are converted to upper case (WAREHOUSE_ONE) or lower case (WAREHOUSE_TWO)',
    },
  },
  bind(binding) {
    const source = requiredText(binding, 'query');
    const query = translateQuery(source, binding.dialect);
    const cells = query.columns.map(({ name, type }) =>
      valueCell(name, { sql: `query.${quoteName(name)}`, type }),
    );
    const rows = selectCells(cells, `FROM (${query.sql}) AS query`, placeOf(binding, 'query'));
    return { ...rows, written: [{ source, sql: query.sql }] };
  },
};
