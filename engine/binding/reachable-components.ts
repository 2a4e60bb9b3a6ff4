import type { Component } from '../../lib/pipelines/model/component.ts';
import { componentGraph } from '../../lib/pipelines/model/graph.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';

/**
 * The components that are reachable from a start component. A component comes after the components that lead to it.
 * The components of a loop have the order of the file.
 */
export function reachableInOrder(document: PipelineDocument): readonly Component[] {
  const graph = componentGraph(document);
  const order: Component[] = [];
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { to } of graph.from(name).toReversed()) visit(to);
    const component = document.components.get(name);
    if (component !== undefined) order.push(component);
  };
  for (const { name, type } of document.components.values()) if (type === 'start') visit(name);
  return order.toReversed();
}
