import type { Located, PlaceOf, WrittenColumn } from '../../../engine/index.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import { type Span, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { TestVariable } from './test-file.ts';

/** The entries of a map, with key and value. */
export function entriesOf(
  node: YamlNode | undefined,
): readonly (readonly [name: string, key: Span, value: YamlNode])[] {
  return node?.kind === 'map'
    ? [...node.entries].map(([name, { key, value }]) => [name, key, value] as const)
    : [];
}

export function located(node: YamlNode | undefined, placeOf: PlaceOf): Located | undefined {
  const text = textOf(node);
  return node === undefined || text === undefined ? undefined : { text, place: placeOf(node) };
}

/** Variables with the texts of their values; a list is a grid. */
export function variablesOf(node: YamlNode | undefined, placeOf: PlaceOf): readonly TestVariable[] {
  return entriesOf(node).map(([name, key, value]) => ({
    name: { text: name, place: placeOf(key) },
    node: value,
    place: placeOf(value),
    placeOf,
    value: value.kind === 'list' ? gridOf(value) : (textOf(value) ?? ''),
  }));
}

/** Columns with their types, as a map has them. */
export function columnsOf(node: YamlNode | undefined, placeOf: PlaceOf): readonly WrittenColumn[] {
  return entriesOf(node).map(([name, , value]) => ({
    name,
    type: textOf(value) ?? '',
    place: placeOf(value),
  }));
}
