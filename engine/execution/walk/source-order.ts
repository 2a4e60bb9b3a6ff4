import { componentType } from '../../components/component-types.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';

/**
 * Orders the components of a transformation: each component comes after its sources, otherwise the order of the file
 * applies. If components read from each other in a cycle, returns the names of the components in the cycle.
 */
export function sourceOrder(
  document: PipelineDocument,
): { readonly order: readonly Component[] } | { readonly cycle: readonly string[] } {
  const left = new Map(document.components);
  const order: Component[] = [];
  while (left.size > 0) {
    // A source without a component of that name is ignored (unknowns §4).
    const ready = [...left.values()].filter(({ sources }) => !sources.some((source) => left.has(source)));
    if (ready.length === 0) return { cycle: withoutReaders(left) };
    for (const component of ready) {
      order.push(component);
      left.delete(component.name);
    }
  }
  return { order };
}

/** The names of components that others of them read: what only reads a cycle is not a part of it. */
function withoutReaders(components: ReadonlyMap<string, Component>): readonly string[] {
  const left = new Map(components);
  for (;;) {
    const read = new Set([...left.values()].flatMap(({ sources }) => sources));
    const unread = [...left.keys()].filter((name) => !read.has(name));
    if (unread.length === 0) return [...left.keys()];
    for (const name of unread) left.delete(name);
  }
}

/** The message about a transformation whose components read from each other in a cycle. */
export function cycleMessage({ path }: PipelineDocument, cycle: readonly string[]): string {
  return `Transformation "${path}" has components that read from each other in a cycle: ${cycle.map((name) => `"${name}"`).join(', ')}. Remove one of these sources.`;
}

/**
 * The names of the components with which a run of a pipeline is planned, in the order of the file. In a
 * transformation, these are the components that write tables. In an orchestration, these are the start components.
 */
export function runOrder(document: PipelineDocument): readonly string[] {
  const components = [...document.components.values()];
  if (document.kind !== 'transformation')
    return components.filter(({ type }) => type === 'start').map(({ name }) => name);
  const sorted = sourceOrder(document);
  const order = 'order' in sorted ? sorted.order : components;
  return order.filter(({ type }) => componentType(type)?.group === 'write').map(({ name }) => name);
}
