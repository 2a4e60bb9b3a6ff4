import { sameColumns } from '../pipeline-tests/first-test/examples/same-columns.ts';
import { calledPipelines } from '../pipeline-tests/first-test/examples/called-pipelines.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { isNumeric, rawOf, writtenAs } from './cell-values.ts';
import type { InputColumn, InputRow, Inputs, InputTable } from './input-tables.ts';
import { flowText } from './cell-values.ts';
import { nodeOf } from './input-tables.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { yamlQuoted } from '../pipeline-tests/files/yaml-text.ts';

/** The columns whose values identify a row, or refer to a row of another table. */
export interface Keys {
  isKey(column: InputColumn): boolean;
  /** The columns of another table that may have the value of a column. */
  partners(column: InputColumn, table: InputTable): readonly number[];
  /** A row with its keys at a distance, also in semi-structured values: it has no key in common with the others. */
  apart(row: InputRow, table: InputTable, distance: number): InputRow;
}

const idLike = /(?:^|_|[a-z])(?:id|key|no|num|number|code|rid|uuid)$/i;

/** Finds the key columns, from the comparisons of joins and from names. */
export function findKeys(pipeline: string, project: TestProject, inputs: Inputs): Keys {
  const documents = calledPipelines(pipeline, project).flatMap((file) => project.pipeline(file) ?? []);
  const groups = new Map<string, ReadonlySet<string>>();
  const namesOf = (name: string): ReadonlySet<string> => {
    const known = groups.get(name.toLowerCase());
    if (known !== undefined) return known;
    const names = new Set(
      documents.flatMap((document) => sameColumns(name, document)).map((each) => each.toLowerCase()),
    );
    names.add(name.toLowerCase());
    groups.set(name.toLowerCase(), names);
    return names;
  };
  const tablesWith = (name: string) =>
    inputs.filter(({ columns }) => columns.some((column) => namesOf(name).has(column.name.toLowerCase())))
      .length;
  const canShift = ({ type }: InputColumn) => isNumeric(type) || type.name === 'VARCHAR';
  const isKeyName = (name: string) => idLike.test(name) || tablesWith(name) > 1;
  const isKey = (column: InputColumn) => canShift(column) && isKeyName(column.name);
  const apart: Keys['apart'] = (row, { columns }, distance) => ({
    ...row,
    cells: row.cells.map((cell, index) => {
      const column = columns[index];
      if (distance === 0 || column === undefined) return cell;
      if (column.type.name === 'VARIANT') return shiftedTree(nodeOf(cell), '', isKeyName, distance);
      return isKey(column) ? shifted(cell, column, distance) : cell;
    }),
  });
  return {
    isKey,
    apart,
    partners: (column, { columns }) =>
      columns.flatMap((other, index) => (namesOf(column.name).has(other.name.toLowerCase()) ? [index] : [])),
  };
}

function shifted(cell: string, { type }: InputColumn, distance: number): string {
  const raw = rawOf(cell);
  if (raw === undefined) return cell;
  return writtenAs(shiftedRaw(raw, distance), type) ?? cell;
}

/** A whole number, a text that ends in one, or any other text. */
function shiftedRaw(raw: string, distance: number): string {
  if (/^-?\d{1,9}$/.test(raw)) return String(Number(raw) + distance);
  if (/^\d{4}-\d{2}-\d{2}/.test(raw)) return raw;
  const [, before = raw, number = '0'] = /^(.*?)(\d{1,9})$/.exec(raw) ?? [];
  return `${before}${Number(number) + distance}`;
}

function shiftedTree(
  node: YamlNode,
  name: string,
  isKeyName: (name: string) => boolean,
  distance: number,
): string {
  if (node.kind === 'list')
    return `[${node.items.map((item) => shiftedTree(item, name, isKeyName, distance)).join(', ')}]`;
  if (node.kind === 'map') {
    const entries = [...node.entries].map(
      ([key, { value }]) => `${yamlQuoted(key)}: ${shiftedTree(value, key, isKeyName, distance)}`,
    );
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (!isKeyName(name) || node.value === null) return flowText(node);
  if (typeof node.value === 'number')
    return /^-?\d{1,9}$/.test(node.text) ? String(Number(node.text) + distance) : node.text;
  return typeof node.value === 'string' ? yamlQuoted(shiftedRaw(node.value, distance)) : flowText(node);
}
