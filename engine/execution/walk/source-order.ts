import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';

/** The components of a transformation, each after its sources, otherwise in file order; or the names of a cycle. */
export function sourceOrder(
  document: PipelineDocument,
): { readonly order: readonly Component[] } | { readonly cycle: readonly string[] } {
  const left = new Map(document.components);
  const order: Component[] = [];
  while (left.size > 0) {
    // A source without a component of that name is ignored (unknowns §4).
    const ready = [...left.values()].filter(({ sources }) => !sources.some((source) => left.has(source)));
    if (ready.length === 0) return { cycle: [...left.keys()] };
    for (const component of ready) {
      order.push(component);
      left.delete(component.name);
    }
  }
  return { order };
}
