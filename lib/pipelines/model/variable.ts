import type { Range } from '../../core/outcomes/finding.ts';
import type { YamlSource } from '../../yaml/read-yaml.ts';
import { childOf, isEmpty, itemsOf, textOf, type YamlEntry, type YamlNode } from '../../yaml/yaml-node.ts';
import { type Grid, gridOf } from './grid.ts';
import { cellFault, gridFault, valueFault } from './variable-value.ts';

/** A variable that a pipeline declares. Values are as written, even if they are unknown. */
export interface Variable {
  readonly name: string;
  readonly range: Range;
  /** `TEXT`, `NUMBER` or `GRID`. */
  readonly type: string;
  /** `SHARED` (one for all iterations) or `COPIED` (one for each). */
  readonly scope: string | undefined;
  /** `PUBLIC` or `PRIVATE`. */
  readonly visibility: string | undefined;
  readonly description: string | undefined;
  /** A grid's column names. */
  readonly columns: readonly string[];
  /** The types of a grid's columns, by their places; undefined if the file names none. */
  readonly columnTypes: readonly (string | undefined)[];
  /** A text (also for numbers), rows for a grid, undefined if it is empty. */
  readonly defaultValue: string | Grid | undefined;
}

/** Parses one entry of `pipeline.variables`. */
export function readVariable(name: string, entry: YamlEntry, source: YamlSource): Variable {
  const metadata = childOf(entry.value, 'metadata');
  const type = textOf(childOf(metadata, 'type')) ?? 'TEXT';
  const defaultValue = childOf(entry.value, 'defaultValue');
  return {
    name,
    get range() {
      return source.toRange(entry.key);
    },
    type,
    scope: textOf(childOf(metadata, 'scope')),
    visibility: textOf(childOf(metadata, 'visibility')),
    description: textOf(childOf(metadata, 'description')),
    columns: columnNames(childOf(metadata, 'columns')),
    columnTypes: columnTypes(childOf(metadata, 'columns')),
    defaultValue: isEmpty(defaultValue)
      ? undefined
      : type === 'GRID' || defaultValue?.kind === 'list'
        ? gridOf(defaultValue)
        : textOf(defaultValue),
  };
}

/** The names of a grid's columns, written as names, as maps with a `name`, as rows, or as a map by name. */
export function columnNames(node: YamlNode | undefined): readonly string[] {
  if (node?.kind === 'map') return [...node.entries.keys()];
  return itemsOf(node).flatMap(
    (column) => textOf(column) ?? textOf(childOf(column, 'name')) ?? textOf(itemsOf(column)[0]) ?? [],
  );
}

/** The types of the columns, if they are written beside the names. */
function columnTypes(node: YamlNode | undefined): readonly (string | undefined)[] {
  const typeIn = (column: YamlNode | undefined) =>
    textOf(childOf(column, 'columnType')) ?? textOf(childOf(column, 'type'));
  if (node?.kind === 'map')
    return [...node.entries.values()].map(({ value }) => typeIn(value) ?? textOf(value));
  return itemsOf(node).map((column) => typeIn(column) ?? textOf(itemsOf(column)[1]));
}

/** The reason why a variable cannot have its default, as the end of a sentence; undefined if it can. */
export function defaultFault(variable: Variable): string | undefined {
  const { defaultValue } = variable;
  return typeof defaultValue === 'object' ? gridFault(variable, defaultValue) : defaultTypeFault(variable);
}

/** Like `defaultFault`, but ignores rows of a grid with a wrong number of cells. */
export function defaultTypeFault(variable: Variable): string | undefined {
  const { type, defaultValue } = variable;
  if (typeof defaultValue !== 'object')
    return defaultValue === undefined ? undefined : valueFault(type, defaultValue);
  for (const row of defaultValue)
    for (const [column, cell] of row.entries()) {
      const fault = cellFault(variable, column, cell);
      if (fault !== undefined) return fault;
    }
  return undefined;
}
