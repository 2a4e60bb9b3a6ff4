import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { LineIndex } from '../../lib/yaml/text-position.ts';
import { FileProblems, problemAt } from './file-problem.ts';
import { findJsonFault } from './find-json-fault.ts';
import { rowsOf } from './read-rows.ts';
import type { PlaceOf, WrittenRows } from './written-rows.ts';

/** Reads a JSON file with a list of rows. Throws FileProblems with line and column. */
export function readJsonRows(text: string, file: string): WrittenRows {
  // JSON is YAML; the tree has the positions and the digits of every value.
  const source = readYaml(text, { file });
  if (source.problems.length > 0) throw new FileProblems(source.problems);
  const placeOf: PlaceOf = (span) => {
    const { line, column } = source.toRange(span);
    return { file, line, column };
  };
  const fault = findJsonFault(text);
  if (fault !== undefined) throw problemAt({ file, ...new LineIndex(text).at(fault.offset) }, fault.message);
  const { root } = source;
  if (root?.kind !== 'list')
    throw problemAt({ file, line: 1, column: 1 }, 'expected a list of rows: [{ "id": 1 }]');
  for (const item of root.items) {
    if (item.kind !== 'map') throw problemAt(placeOf(item), 'expected a row: { "id": 1 }');
  }
  return rowsOf(root, placeOf);
}
