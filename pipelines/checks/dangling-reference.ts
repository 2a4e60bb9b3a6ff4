import type { Edit } from '../../model/finding.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../source/yaml-node.ts';
import type { Component } from '../component.ts';
import { componentGraph, type Edge } from '../graph.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import type { CheckBreach } from './breach.ts';
import { removeItem } from './remove-item.ts';

/** Transitions, iteration targets and sources that name no component. */
export function danglingReferences(document: PipelineDocument): readonly CheckBreach[] {
  return componentGraph(document).dangling.flatMap((edge) => {
    const [at, missing] = edge.by === 'data' ? [edge.to, edge.from] : [edge.from, edge.to];
    const component = document.components.get(at);
    if (component === undefined) return [];
    const place = placeOf(component, edge, missing);
    const mend: Edit | undefined = place && removeItem(document.source, place.holder, place.item);
    return {
      check: 'dangling-reference',
      file: document.path,
      component: at,
      subject: `${edge.by} ${missing}`,
      message: `${sentence[edge.by]} of "${at}" names "${missing}", and there is no such component.`,
      range: place === undefined ? component.range : document.source.toRange(place.item),
      ...(mend === undefined ? {} : { mend }),
    };
  });
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

function placeOf(
  component: Component,
  { by }: Edge,
  missing: string,
): { readonly holder: YamlNode; readonly item: YamlNode } | undefined {
  const holder =
    by === 'data'
      ? component.node('sources')
      : by === 'iteration'
        ? component.node('iterationTarget')
        : childOf(component.node('transitions'), by);
  const item = itemsOf(holder).find((one) => textOf(one) === missing);
  return holder === undefined || item === undefined ? undefined : { holder, item };
}
