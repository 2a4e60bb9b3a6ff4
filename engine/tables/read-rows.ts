import type { YamlList, YamlNode } from '../../lib/yaml/yaml-node.ts';
import { problemAt } from './file-problem.ts';
import type { PlaceOf, WrittenRow, WrittenRows } from './written-rows.ts';

/** The rows of a list of maps; items of another form are left out (the schema has refused them). */
export function rowsOf(list: YamlList, placeOf: PlaceOf): WrittenRows {
  const columns = new Set<string>();
  const rows = list.items.flatMap((item): WrittenRow[] => {
    if (item.kind !== 'map') return [];
    const cells = new Map<string, YamlNode>();
    for (const [name, { value }] of item.entries) {
      if (/^\d+$/.test(name) && value.kind === 'scalar' && value.value === null && value.text === '')
        throw problemAt(
          placeOf(value),
          `the column "${name}" has no value: a comma ends a value, and a decimal number has a point, as in 1.5; write "${name}": null for a column of this name`,
        );
      columns.add(name);
      cells.set(name, value);
    }
    return [
      {
        cells,
        place: placeOf(item),
        placeOf: (column) => placeOf(item.entries.get(column)?.value ?? item),
      },
    ];
  });
  return { columns: [...columns], rows, isUntyped: false };
}

export const noRows: WrittenRows = { columns: [], rows: [], isUntyped: false };
