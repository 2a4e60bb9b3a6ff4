import { closestWord, maxComparedLength } from '../../core/closest-word.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import type { Component } from '../component.ts';
import { componentGraph, type Edge } from '../graph.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import type { CheckBreach } from './breach.ts';
import { removeItem } from './remove-item.ts';

/** Transitions, iteration targets and sources that do not name a component. */
export function danglingReferences(document: PipelineDocument): readonly CheckBreach[] {
  const before = new Map<string, number>();
  return componentGraph(document).dangling.flatMap((edge) => {
    const [at, missing] = edge.by === 'data' ? [edge.to, edge.from] : [edge.from, edge.to];
    // A name may appear twice in one list.
    const key = JSON.stringify([edge.by, at, missing]);
    const ordinal = before.get(key) ?? 0;
    before.set(key, ordinal + 1);
    const component = document.components.get(at);
    if (component === undefined) return [];
    const place = placeOf(component, edge, missing, ordinal);
    const meant = nearestName(document, component, edge.by, missing);
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return {
      check: 'dangling-reference',
      file: document.path,
      component: at,
      subject: `${edge.by} ${missing}`,
      message: `${sentence[edge.by]} of "${at}" names "${missing}", which does not exist.${hint}`,
      range: place === undefined ? component.range : document.source.toRange(place.item),
      ...fixOf(document, component, { by: edge.by, missing, meant, place }),
    };
  });
}

interface Dangling {
  readonly by: Edge['by'];
  readonly missing: string;
  /** The component that was probably intended. */
  readonly meant: string | undefined;
  readonly place: Place | undefined;
}

/** Removes a reference that is certainly a leftover; a misspelled one must be corrected, not removed. */
function fixOf(
  { components, source }: PipelineDocument,
  component: Component,
  { by, missing, meant, place }: Dangling,
): Pick<CheckBreach, 'fix' | 'unfixable'> {
  if (meant !== undefined)
    return {
      unfixable: `"${missing}" may be a misspelled "${meant}". Correct the name, or remove the entry by hand.`,
    };
  // A name of this length is not compared.
  if (missing.length > maxComparedLength)
    return { unfixable: 'The name is too long to check it for a misspelling. Correct it by hand.' };
  if (by === 'iteration')
    return {
      unfixable: `"${component.name}" has no other iteration target, so the entry cannot be removed. Correct the name by hand.`,
    };
  if (by === 'data' && !component.sources.some((name) => components.has(name)))
    return {
      unfixable: `"${component.name}" has no other source, so the entry cannot be removed. Correct the name by hand.`,
    };
  if (place === undefined)
    return {
      unfixable: 'Millrace cannot find the position of the entry in the file. Remove the entry by hand.',
    };
  return removeItem(source, place.holder, place.item);
}

/**
 * The component that was probably intended: preferably one that is not referenced there yet, and never the component
 * itself.
 */
function nearestName(
  { components }: PipelineDocument,
  component: Component,
  by: Edge['by'],
  missing: string,
): string | undefined {
  const named = new Set(
    by === 'data'
      ? component.sources
      : component.transitions.flatMap(({ on, to }) => (on === by ? [to] : [])),
  );
  const others = [...components.keys()].filter((name) => name !== component.name);
  return (
    closestWord(
      missing,
      others.filter((name) => !named.has(name)),
    ) ?? closestWord(missing, others)
  );
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
  readonly item: YamlNode;
}

function placeOf(component: Component, { by }: Edge, missing: string, ordinal: number): Place | undefined {
  const holder =
    by === 'data'
      ? component.node('sources')
      : by === 'iteration'
        ? component.node('iterationTarget')
        : childOf(component.node('transitions'), by);
  const item = itemsOf(holder).filter((one) => textOf(one) === missing)[ordinal];
  return holder === undefined || item === undefined ? undefined : { holder, item };
}
