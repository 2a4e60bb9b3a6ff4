import type { Span, YamlNode } from '../../yaml/yaml-node.ts';

/** A key or a value that is ignored. */
export interface WrongKey {
  readonly name: string;
  readonly key: Span;
  readonly message: string;
  readonly component?: string;
}

/** The keys of a map that are not known. */
export function keysBesides(
  knownNames: readonly string[],
  node: YamlNode | undefined,
): readonly (readonly [name: string, key: Span])[] {
  return node?.kind === 'map'
    ? [...node.entries].flatMap(([name, { key }]) =>
        knownNames.includes(name) ? [] : [[name, key] as const],
      )
    : [];
}
