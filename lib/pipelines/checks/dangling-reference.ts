import { closestWord, comparisonBudget, maxComparedLength } from '../../core/text/closest-word.ts';
import { hintAt } from '../../core/text/look-alike.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import type { Component } from '../model/component.ts';
import { componentGraph, type Edge } from '../model/graph.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import type { CheckBreach } from './breach.ts';
import { removeItem } from './remove-item.ts';

/**
 * Finds transitions, iteration targets and sources that name a component that does not exist. The time is linear in
 * the size of the file.
 */
export function* danglingReferences(document: PipelineDocument): Generator<CheckBreach, void, undefined> {
  const lists = new Map<string, ReferenceList>();
  const nearestName = nameSearch(document);
  for (const edge of componentGraph(document).dangling) {
    const [at, missing] = edge.by === 'data' ? [edge.to, edge.from] : [edge.from, edge.to];
    const component = document.components.get(at);
    if (component === undefined) continue;
    const key = JSON.stringify([edge.by, at]);
    const list = lists.get(key) ?? referenceList(document, component, edge.by);
    lists.set(key, list);
    const place = list.nextPlace(missing);
    const nearest = nearestName(component, list, missing);
    const hint = hintAt(missing, nearest.name);
    yield {
      check: 'dangling-reference',
      file: document.path,
      component: at,
      subject: `${edge.by} ${missing}`,
      message: `${sentence[edge.by]} of "${at}" names "${missing}", which does not exist.${hint}`,
      range: place === undefined ? component.range : document.source.toRange(place.item),
      ...fixOf(document, component, { by: edge.by, missing, nearest, place, list }),
    };
  }
}

interface Dangling {
  readonly by: Edge['by'];
  readonly missing: string;
  readonly nearest: NearestName;
  readonly place: Place | undefined;
  readonly list: ReferenceList;
}

/** Removes a reference that is certainly a leftover; a misspelled one must be corrected, not removed. */
function fixOf(
  { source }: PipelineDocument,
  component: Component,
  { by, missing, nearest, place, list }: Dangling,
): Pick<CheckBreach, 'fix' | 'unfixable'> {
  if (nearest.name !== undefined)
    return {
      unfixable: `"${missing}" may be a misspelled "${nearest.name}". Correct the name, or remove the entry by hand.`,
    };
  if (nearest.reason !== undefined) return { unfixable: `${nearest.reason} Correct it by hand.` };
  if (by === 'iteration')
    return {
      unfixable: `"${component.name}" has no other iteration target, so the entry cannot be removed. Correct the name by hand.`,
    };
  if (by === 'data' && !list.namesComponent)
    return {
      unfixable: `"${component.name}" has no other source, so the entry cannot be removed. Correct the name by hand.`,
    };
  if (place === undefined)
    return {
      unfixable: 'Millrace cannot find the position of the entry in the file. Remove the entry by hand.',
    };
  return removeItem(source, place.holder, place.index);
}

interface NearestName {
  /** The component that was probably intended. */
  readonly name: string | undefined;
  /** Why the names were not compared. */
  readonly reason?: string;
}

/**
 * Finds the component that was probably intended: preferably one that is not referenced there yet, and never the
 * component itself.
 */
function nameSearch({ components }: PipelineDocument) {
  const budget = comparisonBudget();
  return (component: Component, { names }: ReferenceList, missing: string): NearestName => {
    if (missing.length > maxComparedLength)
      return { name: undefined, reason: 'The name is too long to check it for a misspelling.' };
    function* others(candidates: Iterable<string>, accepts: (name: string) => boolean) {
      for (const name of candidates) {
        budget.left -= 1;
        if (budget.left <= 0) return;
        if (name !== component.name && accepts(name)) yield name;
      }
    }
    const unreferenced = others(components.keys(), (other) => !names.has(other));
    const referenced = others(names, (other) => components.has(other));
    const name = closestWord(missing, unreferenced, budget) ?? closestWord(missing, referenced, budget);
    return name === undefined && budget.left <= 0
      ? { name, reason: 'The file has too many names to check this one for a misspelling.' }
      : { name };
  };
}

const sentence: Record<Edge['by'], string> = {
  success: 'The transition on success',
  failure: 'The transition on failure',
  unconditional: 'The unconditional transition',
  true: 'The transition on true',
  false: 'The transition on false',
  iteration: 'The iteration target',
  data: 'A source',
};

interface Place {
  readonly holder: YamlNode;
  /** The position in the holder's items. */
  readonly index: number;
  readonly item: YamlNode;
}

/** The references of one kind that a component has: the transitions on success, or the sources, for example. */
interface ReferenceList {
  readonly names: ReadonlySet<string>;
  /** Whether one of the names is a component. */
  readonly namesComponent: boolean;
  /** The next item with this name that was not returned before: a name may appear several times in one list. */
  nextPlace(name: string): Place | undefined;
}

function referenceList(
  { components }: PipelineDocument,
  component: Component,
  by: Edge['by'],
): ReferenceList {
  const holder =
    by === 'data'
      ? component.node('sources')
      : by === 'iteration'
        ? component.node('iterationTarget')
        : childOf(component.node('transitions'), by);
  const places = new Map<string, Place[]>();
  for (const [index, item] of itemsOf(holder).entries()) {
    const name = textOf(item);
    if (holder === undefined || name === undefined) continue;
    const place = { holder, index, item };
    const others = places.get(name);
    if (others === undefined) places.set(name, [place]);
    else others.push(place);
  }
  const next = new Map(Array.from(places, ([name, ofName]) => [name, ofName.values()]));
  return {
    names: new Set(places.keys()),
    namesComponent: [...places.keys()].some((name) => components.has(name)),
    nextPlace: (name) => next.get(name)?.next().value,
  };
}
