import type { Names, Visible } from './writing.ts';

/** Finds the relation that a qualifier names, either by its alias or by the parts of a table's name. */
export function findRelation(scope: Names, qualifiers: readonly string[]): Visible | undefined {
  const [alias = ''] = qualifiers.slice(-1);
  const path = qualifiers.slice(0, -1);
  const fits = (relation: Visible): boolean =>
    path.every((part, index) => relation.path?.at(index - path.length) === part);
  const exact = scope.relations.find((relation) => relation.alias === alias && fits(relation));
  if (exact) return exact;
  return scope.relations.find(
    (relation) =>
      relation.ignoresCase && relation.alias.toLowerCase() === alias.toLowerCase() && fits(relation),
  );
}

/** The message that FROM lacks the table of a qualified name, with the tables that it has. */
export function missingRelation(qualifiers: readonly string[], relations: readonly Visible[]): string {
  const aliases = [...new Set(relations.map(({ alias }) => alias))].filter((alias) => alias !== '');
  const others = aliases.length === 0 ? '' : `; it has ${aliases.map((alias) => `"${alias}"`).join(', ')}`;
  return `FROM has no table "${qualifiers.join('.')}"${others}`;
}
