import type { YamlList, YamlNode } from '../../lib/yaml/yaml-node.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { problemAt } from './file-problem.ts';
import type { PlaceOf, WrittenRow, WrittenRows } from './written-rows.ts';

/**
 * Reads a list of maps as rows. Items that are not maps are left out, because the schema has already reported them.
 * If the text of the file is given, throws FileProblems for a column without a colon, which results from a comma in a
 * value.
 */
export function rowsOf(list: YamlList, placeOf: PlaceOf, text?: string): WrittenRows {
  const columns = new Set<string>();
  const rows = list.items.flatMap((item): WrittenRow[] => {
    if (item.kind !== 'map') return [];
    const cells = new Map<string, YamlNode>();
    for (const [name, { key, value }] of item.entries) {
      const isBare = value.kind === 'scalar' && value.value === null && value.text === '';
      if (isBare && text !== undefined && !/^\s*:/.test(text.slice(key.end)))
        throw problemAt(
          placeOf(key),
          `the column "${visibleText(name)}" has no value. A comma ends a value here: put a text that contains a comma in quotes, write a decimal number with a point, as in 1.5, and write \`: null\` for a column that is null`,
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
