import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Grid } from '../../lib/pipelines/model/grid.ts';
import { childOf, isEmpty, itemsOf, textOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { meantQuestion } from '../../lib/core/text/did-you-mean.ts';
import { type Place, Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import { ParameterError } from './parameter-error.ts';
import { parameterOf, type ParameterReader, placeOfNode, refuseWrittenNull } from './parameter-reader.ts';
import { resolveText } from './resolve-text.ts';
import { scalarText } from './scalar-text.ts';

/** A row of a parameter: its cells, with variables replaced. A cell that is not set is an empty text. */
export interface Row {
  readonly place: Place;
  /** The name of the parameter, for messages. */
  readonly parameter: string;
  readonly cells: readonly SourceText[];
}

/**
 * Reads the rows of a parameter. They are written as a list, or as `{ fromGrid: { variable, columns } }`. A single
 * value is read as a row with one cell.
 */
export function readRows(node: YamlNode | undefined, reader: ParameterReader): readonly Row[] {
  const fromGrid = childOf(node, 'fromGrid');
  if (node !== undefined && fromGrid !== undefined) {
    refuseOtherKeys(node, parameterOf(node, reader), ['fromGrid'], reader);
    return gridRows(fromGrid, { reader, parameter: parameterOf(node, reader) });
  }
  if (node?.kind === 'map') {
    const message = `expected a list of rows for ${parameterOf(node, reader)}, found a map`;
    throw new ParameterError(message, placeOfNode(node, reader));
  }
  return itemsOf(node).map((row) => {
    const cells = row.kind === 'list' ? row.items : [row];
    return {
      get place() {
        return placeOfNode(row, reader);
      },
      get parameter() {
        return parameterOf(row, reader);
      },
      cells: cells.map((cell) => readCell(cell, reader)),
    };
  });
}

/** Reads the names in a parameter. They are written as a list, or come from a column of a grid. */
export function readNames(node: YamlNode | undefined, reader: ParameterReader): readonly SourceText[] {
  return readRows(node, reader).map((row) => {
    const [name, ...more] = row.cells;
    const fail = (message: string) => new ParameterError(message, row.place);
    if (name === undefined || more.length > 0)
      throw fail(
        `expected a list of names for ${row.parameter}, found a row with ${numberOf(row.cells.length, 'value')}`,
      );
    if (name.text === '') throw fail(`a name in ${row.parameter} is empty`);
    if (name.text.toLowerCase() === '[all]')
      throw fail(`[All] cannot be used in ${row.parameter}; list the names`);
    return name;
  });
}

function readCell(node: YamlNode, reader: ParameterReader): SourceText {
  if (node.kind !== 'scalar') {
    const message = `expected a text in a row of ${parameterOf(node, reader)}, found a ${node.kind}`;
    throw new ParameterError(message, placeOfNode(node, reader));
  }
  refuseWrittenNull(node, reader);
  if (isEmpty(node)) return fixedText('', placeOfNode(node, reader));
  return resolveText(scalarText(node, reader.source), reader.scope);
}

function gridRows(
  node: YamlNode,
  { reader, parameter }: { readonly reader: ParameterReader; readonly parameter: string },
): readonly Row[] {
  const place = placeOfNode(node, reader);
  refuseOtherKeys(node, 'fromGrid', ['variable', 'columns'], reader);
  const name = textOf(childOf(node, 'variable')) ?? '';
  const variable = reader.variables.cell(name);
  if (variable === undefined) throw new ParameterError(`the variable "${name}" is not defined`, place);
  const { value, columns } = variable;
  if (typeof value === 'string') throw new ParameterError(`the variable "${name}" is not a grid`, place);
  const chosen = itemsOf(childOf(node, 'columns')).map((item) => {
    const index = findGridColumn(columns, textOf(item) ?? '');
    if (index >= 0) return index;
    throw new ParameterError(
      `the grid "${name}" has no column "${textOf(item) ?? ''}"${knownColumns(columns)}`,
      placeOfNode(item, reader),
    );
  });
  if (chosen.length === 0)
    throw new ParameterError('`fromGrid` has no `columns`: list the columns of the grid to use', place);
  return rowsOf(value, chosen).map((row) => ({
    place,
    parameter,
    cells: row.map((cell) => resolveText(fixedText(cell, place), reader.scope)),
  }));
}

/** Throws ParameterError for a row that does not have exactly two cells: a variable and its value. */
export function refuseOtherThanPair({ cells, parameter, place }: Row): void {
  if (cells.length === 2) return;
  const found = `found a row with ${numberOf(cells.length, 'value')}`;
  throw new ParameterError(`expected rows of a variable and its value for ${parameter}, ${found}`, place);
}

/** Throws ParameterError for keys of a map that would be ignored, such as misspelt keys. */
export function refuseOtherKeys(
  node: YamlNode | undefined,
  name: string,
  known: readonly string[],
  reader: ParameterReader,
): void {
  if (node?.kind !== 'map') return;
  for (const [key, { value }] of node.entries) {
    if (known.includes(key) || isEmpty(value)) continue;
    const hint = meantQuestion(key, known) ?? `its keys are ${known.join(', ')}`;
    throw new Refusal(`the key ${key} in ${name}`, placeOfNode(value, reader), hint);
  }
}

/** The end of a message about a missing column of a grid. It lists the columns that the grid has. */
export function knownColumns(columns: readonly string[]): string {
  return columns.length === 0 ? '' : `; it has ${columns.map((column) => `"${column}"`).join(', ')}`;
}

/**
 * The index of the column of a grid with exactly this name, otherwise of the only column whose name differs just in
 * case. -1 if there is none.
 */
export function findGridColumn(columns: readonly string[], name: string): number {
  const exact = columns.indexOf(name);
  if (exact >= 0) return exact;
  const same = columns.flatMap((column, index) =>
    column.toLowerCase() === name.toLowerCase() ? [index] : [],
  );
  return same.length === 1 ? (same[0] ?? -1) : -1;
}

function rowsOf(grid: Grid, columns: readonly number[]): Grid {
  return grid.map((row) => columns.map((index) => row[index] ?? ''));
}

/**
 * A text that belongs to a single position in the file. Messages use this position for each character of the text.
 */
export function fixedText(text: string, place: Place): SourceText {
  return { text, placeOf: () => place };
}
