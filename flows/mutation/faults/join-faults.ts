import { itemsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import { type FindFaults, otherWords, type PartFault } from './part-faults.ts';
import type { YamlChange } from './yaml-change.ts';

const otherTypes = otherWords('join-type', 2, {
  Inner: ['Left'],
  Left: ['Inner'],
  Right: ['Inner'],
  Full: ['Left'],
});

/** Replaces the type of a join. The name of the join's expression contains the type, so it changes too. */
export const joinTypes: FindFaults = (part) =>
  otherTypes(part).map((fault): PartFault => {
    const [change] = fault.changes;
    const row = change === undefined ? undefined : itemsOf(part.node)[Number(change.path.at(-2))];
    return { ...fault, changes: [...fault.changes, ...renamed(part, textOf(itemsOf(row)[1]) ?? '', fault)] };
  });

function renamed(
  { component, path }: Parameters<FindFaults>[0],
  alias: string,
  { before, after }: PartFault,
): readonly YamlChange[] {
  const main = component.text('mainTableAlias') ?? '';
  const nameOf = (type: string) => `${main}_${type}_${alias}`;
  return itemsOf(component.parameter('joinExpressions')).flatMap((row, index): readonly YamlChange[] => {
    const name = textOf(itemsOf(row)[1])?.trim();
    if (name?.toLowerCase() !== nameOf(before).toLowerCase()) return [];
    return [{ path: [...path.slice(0, -1), 'joinExpressions', index, 1], text: nameOf(after) }];
  });
}
