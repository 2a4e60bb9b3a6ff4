import type { YamlPath } from './read-yaml.ts';
import type { YamlNode } from './yaml-node.ts';

/** Whether two values are equal in spelling, type and order. */
export function isSameValue(a: YamlNode | undefined, b: YamlNode | undefined): boolean {
  return differsOnlyAt(a, b, () => false);
}

/**
 * Whether two trees are equal, except at paths at which `isAllowed` accepts the second value. It is asked for every
 * path, from the root inwards.
 */
export function differsOnlyAt(
  before: YamlNode | undefined,
  after: YamlNode | undefined,
  isAllowed: (path: YamlPath, after: YamlNode | undefined) => boolean,
  path: YamlPath = [],
): boolean {
  if (isAllowed(path, after)) return true;
  const inside = (a: YamlNode | undefined, b: YamlNode | undefined, step: string | number) =>
    differsOnlyAt(a, b, isAllowed, [...path, step]);
  if (before === undefined || after === undefined) return before === after;
  if (before.kind === 'scalar')
    return after.kind === 'scalar' && before.text === after.text && Object.is(before.value, after.value);
  if (before.kind === 'list')
    return (
      after.kind === 'list' &&
      before.items.length === after.items.length &&
      before.items.every((item, index) => inside(item, after.items[index], index))
    );
  if (after.kind !== 'map' || before.entries.size !== after.entries.size) return false;
  const keys = [...after.entries.keys()];
  return [...before.entries].every(
    ([key, { value }], index) => keys[index] === key && inside(value, after.entries.get(key)?.value, key),
  );
}
