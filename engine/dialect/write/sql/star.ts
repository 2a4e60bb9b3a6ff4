import type { Star } from '../../parse/tree.ts';
import type { Typed } from './typed.ts';
import { fold, refusal, sqlError, type Writing } from './writing.ts';
import { findRelation, missingRelation } from './find-relation.ts';

/** A column with its name as others see it. */
interface NamedColumn {
  readonly name: string;
  readonly value: Typed;
}

/** The columns that `*` or `table.*` means, in their order. */
export function expandStar(item: Star, writing: Writing): readonly NamedColumn[] {
  const { names } = writing;
  const of = item.of.map((part) => fold(part, writing));
  const relation = of.length > 0 ? findRelation(names, of) : undefined;
  if (of.length > 0 && !relation) throw sqlError(missingRelation(of, names.relations), item.at, writing);
  if (names.relations.length === 0) throw sqlError('* needs a FROM clause', item.at, writing);
  const relations = relation ? [relation] : names.relations;
  const [refused] = relations.flatMap((each) => each.refused ?? []);
  if (refused) throw refusal(`* over ${refused.by}`, item.at, writing, 'list the columns instead');
  for (const { table } of relations) if (table !== undefined) writing.session.starred.add(table);
  const merged = relation ? [] : [...names.merged];
  const rest = relations
    .flatMap((each) => [...each.columns])
    .filter(([name]) => relation || !names.merged.has(name));
  const excluded = new Set(item.excluded.map((name) => fold(name, writing)));
  const all = [...merged, ...rest];
  for (const name of excluded)
    if (!all.some(([column]) => column === name))
      throw sqlError(`EXCLUDE: column "${name}" not found`, item.at, writing);
  return all.filter(([name]) => !excluded.has(name)).map(([name, value]) => ({ name, value }));
}
