import type { FileProblem } from '../../../engine/index.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { didYouMean } from '../../../lib/core/text/look-alike.ts';
import { cellFault, isTyped, valueFault } from '../../../lib/pipelines/model/variable-value.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { itemsOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { TestVariable } from './test-file.ts';
import type { TestProject } from './test-project.ts';

/**
 * The error in a value that a test gives to a variable, expects of it, or sets in a mock; undefined if the value is
 * valid.
 */
export function wrongVariable(
  variable: TestVariable,
  document: PipelineDocument,
  project: TestProject,
): readonly FileProblem[] {
  const { name, node, place, value, placeOf } = variable;
  const declared = document.variables.get(name.text);
  if (declared === undefined) {
    if (project.mentions(name.text)) return nullsIn(node, variable);
    const meant = closestWord(name.text, [...document.variables.keys()]);
    const hint = meant === undefined ? '' : `; ${didYouMean(name.text, meant)}`;
    return [
      { ...name.place, message: `the pipeline ${document.path} has no variable "${name.text}"${hint}` },
    ];
  }
  const isGrid = declared.type === 'GRID';
  if (isGrid !== (node.kind === 'list')) {
    return [
      {
        ...place,
        message: isGrid
          ? `the variable "${name.text}" is a grid: write a list of rows`
          : `the variable "${name.text}" is not a grid: write one value`,
      },
    ];
  }
  if (typeof value === 'string') {
    const fault = valueFault(declared.type, value);
    if (fault !== undefined) return [{ ...place, message: `the variable "${name.text}" ${fault}` }];
    return isTyped(declared.type) ? [] : nullsIn(node, variable);
  }
  const { columns } = declared;
  const wrongWidth = itemsOf(node).flatMap((row, index): readonly FileProblem[] => {
    const count = value[index]?.length ?? 0;
    if (columns.length === 0 || count === columns.length) return [];
    const message = `the row has ${numberOf(count, 'cell')}, but the grid "${name.text}" has ${numberOf(columns.length, 'column')}: ${columns.join(', ')}`;
    return [{ ...placeOf(row), message }];
  });
  if (wrongWidth.length > 0) return wrongWidth;
  const cells = itemsOf(node).flatMap((row) =>
    (row.kind === 'list' ? row.items : [row]).flatMap((cell, column): readonly FileProblem[] => {
      const type = declared.columnTypes[column] ?? '';
      if (isTyped(type) && cell.kind === 'scalar' && cell.value === null) return [];
      const fault = cell.kind === 'scalar' ? cellFault(declared, column, cell.text) : undefined;
      return fault === undefined
        ? nullsIn(cell, variable)
        : [{ ...placeOf(cell), message: `the variable "${name.text}": ${fault}` }];
    }),
  );
  return cells;
}

/** A text is never null, and neither is a cell of a grid: an SQL NULL is the empty text there. */
function nullsIn(node: YamlNode, variable: TestVariable): readonly FileProblem[] {
  if (node.kind === 'list') return node.items.flatMap((item) => nullsIn(item, variable));
  if (node.kind === 'map' || node.value !== null) return [];
  const message = `the variable "${variable.name.text}" has texts, which are never null: write '' for the empty text`;
  return [{ ...variable.placeOf(node), message }];
}

/** The problem of values for variables that no caller can set. */
export function privateVariable({ name }: TestVariable, document: PipelineDocument): FileProblem[] {
  if (document.variables.get(name.text)?.visibility !== 'PRIVATE') return [];
  return [
    {
      ...name.place,
      message: `the variable "${name.text}" is private to the pipeline: no caller can set it`,
    },
  ];
}
