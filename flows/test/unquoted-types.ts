import type { FileProblem, PlaceOf } from '../../engine/index.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';

/** Types such as `NUMBER(10,2)` without quotes inside braces, where YAML takes the comma for the end of the value. */
export function* unquotedTypes(node: YamlNode | undefined, placeOf: PlaceOf): Generator<FileProblem> {
  for (const item of node?.kind === 'list' ? node.items : []) yield* unquotedTypes(item, placeOf);
  if (node?.kind !== 'map') return;
  let before: YamlNode | undefined;
  for (const [name, { value }] of node.entries) {
    const begin = before?.kind === 'scalar' ? before.text : '';
    if (before !== undefined && /\(\d+$/.test(begin) && /^\d+\)$/.test(name)) {
      const message = `write the type in quotes, '${begin},${name}': without them, its comma ends the value`;
      yield { ...placeOf(before), message };
    }
    yield* unquotedTypes(value, placeOf);
    before = value;
  }
}
