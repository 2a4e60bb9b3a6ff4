import type { FileProblem, PlaceOf } from '../../engine/index.ts';
import { childOf, itemsOf, type YamlMap, type YamlNode } from '../../lib/yaml/yaml-node.ts';

const keys = ['given', 'mock', 'expect'] as const;

/** Parts of a test that are indented too far, so that they are read as a part of another one. */
export function misplacedKeys(root: YamlNode | undefined, placeOf: PlaceOf): readonly FileProblem[] {
  return itemsOf(childOf(root, 'tests')).flatMap((test) => {
    if (test.kind !== 'map') return [];
    const absent = keys.filter((key) => !test.entries.has(key));
    return [...misplaced(test, absent, [], placeOf)];
  });
}

function* misplaced(
  { entries }: YamlMap,
  absent: readonly string[],
  above: readonly string[],
  placeOf: PlaceOf,
): Generator<FileProblem> {
  for (const [name, { key, value }] of entries) {
    const parent = above.at(-1);
    if (parent !== undefined && absent.includes(name)) {
      const message = `\`${name}\` is indented too far: it is a part of \`${parent}\` here, not of the test`;
      yield { ...placeOf(key), message };
    } else if (value.kind === 'map') yield* misplaced(value, absent, [...above, name], placeOf);
  }
}
