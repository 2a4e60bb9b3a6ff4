import type { Located, PlaceOf } from '../../../engine/index.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import { textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { entriesOf } from '../outside/schema-parts.ts';
import type { TestVariable } from './test-file.ts';

export function located(node: YamlNode | undefined, placeOf: PlaceOf): Located | undefined {
  const text = textOf(node);
  return node === undefined || text === undefined ? undefined : { text, place: placeOf(node) };
}

/** Reads variables with the texts of their values. A list is a grid. */
export function variablesOf(node: YamlNode | undefined, placeOf: PlaceOf): readonly TestVariable[] {
  return entriesOf(node).map(([name, key, value]) => ({
    name: { text: name, place: placeOf(key) },
    node: value,
    place: placeOf(value),
    placeOf,
    value: value.kind === 'list' ? gridOf(value) : (textOf(value) ?? ''),
  }));
}
